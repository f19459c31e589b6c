// Steered forces and impulses on bodies: see body_forces.h.
#include "matter/body_forces.h"

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/bodies.h"

#define PARTICLES_PER_TASK 4096  // particles of one task

bool mote_bodies_find_named(const mote_world *world, const char *name, uint32_t *id) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY); ++k) {
    mote_body_place place;
    *id = mote_body_at(world, k)->id;
    if (strcmp(mote_body_at(world, k)->name, name) == 0) return mote_bodies_find(world, *id, &place);
  }
  const mote_store *store = mote_bodies(world);
  for (size_t b = 0; b < store->blocks; ++b) {
    for (size_t r = 0; r < store->block[b].count; ++r) {
      mote_body_place place = {(mote_kind)b, r};
      char own[MOTE_BODY_NAME_SIZE];
      mote_bodies_name(world, place, own);
      *id = mote_bodies_id(world, place);
      if (strcmp(own, name) == 0) return true;
    }
  }
  return false;
}

// --- Masses -------------------------------------------------------------------------------------------

typedef struct weighing {
  const uint32_t *label;
  const float *fluid;      // either this
  const double *nonfluid;  // or that
  uint32_t wanted;
} weighing;

static void weigh_rows(void *data, size_t begin, size_t end, double *sum) {
  const weighing *w = data;
  for (size_t i = begin; i < end; ++i) {
    if (w->label[i] == w->wanted) *sum += w->fluid != NULL ? (double)w->fluid[i] : w->nonfluid[i];
  }
}

// Rows of fluids, of elastic bodies, or of lattices.
static weighing rows_of(const mote_world *world, mote_kind kind, uint32_t body, size_t *count) {
  const mote_store *store = mote_world_store(world);
  const uint32_t *label = mote_store_u32(store, MOTE_PARTICLE_BODY);
  bool elastic = kind == MOTE_KIND_ELASTIC, lattice = kind == MOTE_KIND_LATTICE;
  *count = lattice   ? mote_world_lattice_rows(world)
           : elastic ? mote_world_elastic_rows(world)
                     : mote_world_fluid_rows(world);
  if (*count == 0) return (weighing){.wanted = body + 1};
  if (elastic)
    return (weighing){label + mote_world_fluid_rows(world), NULL, mote_store_f64(store, MOTE_ELASTIC_MASS),
                      body + 1};
  if (lattice)
    return (weighing){label + mote_lattice_first_row(world), NULL, mote_store_f64(store, MOTE_LATTICE_MASS),
                      body + 1};
  return (weighing){label, mote_store_f32(store, MOTE_PARTICLE_MASS), NULL, body + 1};
}

// Of all its particles: those of a lattice may have melted.
static double particle_mass(const mote_world *world, uint32_t body) {
  static const mote_kind kinds[] = {MOTE_KIND_FLUID, MOTE_KIND_ELASTIC, MOTE_KIND_LATTICE};
  double all = 0.0;
  for (int k = 0; k < 3; ++k) {
    size_t count;
    weighing w = rows_of(world, kinds[k], body, &count);
    double sum = 0.0;
    if (count > 0) mote_parallel_sum(world->env.threads, count, 1, weigh_rows, &w, &sum);
    all += sum;
  }
  return all;
}

double mote_bodies_mass(const mote_world *world, uint32_t id) {
  mote_body_place place;
  if (!mote_bodies_find(world, id, &place)) return 0.0;
  if (place.kind == MOTE_KIND_RIGID) return mote_rigid_at(world, place.row)->rigid.mass;
  return particle_mass(world, id);
}

// --- Rigid bodies -------------------------------------------------------------------------------------

void mote_rigid_strike(mote_world *world, size_t k, const double impulse[3], const double *at) {
  const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
  const mote_store *store = mote_bodies(world);
  const double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
  const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
  double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k, arm[3], twist[3];
  mote_pose pose = mote_rigid_body_pose(world, k);
  if (at != NULL) {
    mote_domain_difference(&world->domain, at, x, arm);
  } else {
    mote_pose_turn(&pose, rigid->lever, arm);
  }
  cross3(arm, impulse, twist);
  step3(v, rigid->inverse_mass, impulse, v);
  if (length3(twist) > 0.0)
    mote_rigid_add_angular_impulse(rigid, q, twist, mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
}

void mote_body_forces_rigid(mote_world *world) {
  const mote_steering *s = &world->steering;
  for (size_t f = 0; f < s->forces; ++f) {
    mote_body_place place;
    if (!mote_bodies_find(world, s->force[f].body, &place) || place.kind != MOTE_KIND_RIGID) continue;
    double impulse[3] = {0.0, 0.0, 0.0};
    step3(impulse, world->dt, s->force[f].force, impulse);
    mote_rigid_strike(world, place.row, impulse, NULL);
  }
}

// --- Particles ----------------------------------------------------------------------------------------

typedef struct forcing {
  const uint32_t *label;
  uint32_t wanted;
  double a[3];
  float *fluid;
  double *nonfluid;
} forcing;

static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const forcing *p = data;
  for (size_t i = begin; i < end; ++i) {
    for (size_t a = 0; a < 3 && p->label[i] == p->wanted; ++a) {
      if (p->fluid != NULL) p->fluid[3 * i + a] += (float)p->a[a];
      if (p->nonfluid != NULL) p->nonfluid[3 * i + a] += p->a[a];
    }
  }
}

static void force_rows(const mote_world *world, mote_kind kind, float *fluid, double *nonfluid) {
  const mote_steering *s = &world->steering;
  for (size_t f = 0; f < s->forces; ++f) {
    size_t count;
    weighing w = rows_of(world, kind, s->force[f].body, &count);
    double mass = particle_mass(world, s->force[f].body);
    forcing p = {.label = w.label, .wanted = w.wanted, .fluid = fluid, .nonfluid = nonfluid};
    if (count == 0 || !(mass > 0.0)) continue;
    for (int a = 0; a < 3; ++a) p.a[a] = s->force[f].force[a] / mass;
    mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, force_chunk, &p);
  }
}

void mote_body_forces_fluid(mote_world *world) {
  MOTE_ASSERT(world->fluid.count == mote_world_fluid_rows(world));
  force_rows(world, MOTE_KIND_FLUID, world->fluid.acceleration, NULL);
}

void mote_body_forces_elastic(const mote_world *world, double *acceleration) {
  force_rows(world, MOTE_KIND_ELASTIC, NULL, acceleration);
}

void mote_body_forces_lattice(const mote_world *world, double *acceleration) {
  force_rows(world, MOTE_KIND_LATTICE, NULL, acceleration);
}
