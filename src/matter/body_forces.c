// Steered forces and impulses on bodies: see body_forces.h.
#include "matter/body_forces.h"

#include "base/parallel.h"
#include "geom/triple.h"
#include "matter/hand.h"
#include "matter/items.h"

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

// --- A body with all its pieces -----------------------------------------------------------------------

bool mote_bodies_address(const mote_world *world, const char *name, mote_addressed *out) {
  char body[MOTE_BODY_NAME_SIZE];
  size_t size = strlen(name);
  *out = (mote_addressed){.pieces = size > 2 && strcmp(name + size - 2, ".*") == 0};
  if (!out->pieces) return mote_bodies_find_named(world, name, &out->body);
  memcpy(body, name, size - 2), body[size - 2] = '\0';
  out->body = (uint32_t)mote_items_find(world, MOTE_ITEM_BODY, body);
  size_t cursor = 0;
  mote_body_place first;
  if (!mote_bodies_next(world, out, &cursor, &first)) return false;
  if (!mote_kind_row_of(world, first.kind)->is_split)  // it has no pieces
    *out = (mote_addressed){.body = mote_bodies_id(world, first)};
  return true;
}

bool mote_bodies_next(const mote_world *world, const mote_addressed *of, size_t *cursor,
                      mote_body_place *out) {
  if (!of->pieces) return (*cursor)++ == 0 && mote_bodies_find(world, of->body, out);
  const mote_store *store = mote_bodies(world);
  for (size_t b = 0, before = 0; b < store->blocks; before += store->block[b++].count) {
    while (*cursor < before + store->block[b].count) {
      *out = (mote_body_place){(mote_kind)b, (*cursor)++ - before};
      if (mote_bodies_definition(world, *out) == of->body) return true;
    }
  }
  return false;
}

double mote_bodies_mass_of(const mote_world *world, const mote_addressed *of) {
  mote_body_place place;
  double mass = 0.0;
  for (size_t cursor = 0; mote_bodies_next(world, of, &cursor, &place);)
    mass += mote_bodies_mass(world, mote_bodies_id(world, place));
  return mass;
}

// --- Masses -------------------------------------------------------------------------------------------

typedef struct weighing {
  const mote_kind_particles *p;
  uint32_t wanted;
} weighing;

static void weigh_rows(void *data, size_t begin, size_t end, double *term) {
  const weighing *w = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    if (w->p->label[i] == w->wanted) *term = mote_kind_mass(w->p, i);
  }
}

// Of all its particles, whatever their kind: those of a lattice may have melted.
static double particle_mass(const mote_world *world, uint32_t body) {
  double all = 0.0;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    mote_kind_particles p = mote_kind_particles_of(world, (mote_kind)kind);
    weighing w = {&p, body + 1};
    double sum = 0.0;
    if (p.count > 0) mote_parallel_sum(world->env.threads, p.count, 1, weigh_rows, &w, &sum);
    all += sum;
  }
  return all;
}

double mote_bodies_mass(const mote_world *world, uint32_t id) {
  mote_body_place place;
  if (!mote_bodies_find(world, id, &place)) return 0.0;
  const mote_kind_row *row = mote_kind_row_of(world, place.kind);
  return row->mass_of != NULL ? row->mass_of(world, place.row) : particle_mass(world, id);
}

// --- Forces and impulses ------------------------------------------------------------------------------

bool mote_body_forces_act(const mote_world *world) {
  return world->steering.forces > 0 || world->steering.hand.stiffness > 0.0;
}

void mote_body_forces_strike(mote_world *world) {
  const mote_steering *s = &world->steering;
  for (size_t f = 0; f < s->forces; ++f) {
    mote_body_place place;
    size_t cursor = 0;
    if (!mote_bodies_next(world, &s->force[f].of, &cursor, &place)) continue;
    const mote_kind_row *row = mote_kind_row_of(world, place.kind);
    double impulse[3] = {0.0, 0.0, 0.0};
    step3(impulse, world->dt, s->force[f].force, impulse);
    if (row->strike != NULL) row->strike(world, place.row, impulse, NULL);
  }
  mote_hand_strike(world);
}

typedef struct forcing {
  const uint32_t *label;
  const uint8_t *hold;  // null: none is held
  uint32_t wanted;
  double change[3];
  float *f32;   // either this
  double *f64;  // or that
} forcing;

static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const forcing *p = data;
  for (size_t i = begin; i < end; ++i) {
    if (p->label[i] != p->wanted || (p->hold != NULL && p->hold[i] != 0)) continue;
    for (size_t a = 0; a < 3; ++a) {
      if (p->f32 != NULL) p->f32[3 * i + a] += (float)p->change[a];
      if (p->f64 != NULL) p->f64[3 * i + a] += p->change[a];
    }
  }
}

void mote_body_forces_accelerate(const mote_world *world, mote_kind kind, float *f32, double *f64) {
  const mote_steering *s = &world->steering;
  mote_kind_particles rows = mote_kind_particles_of(world, kind);
  for (size_t f = 0; f < s->forces && rows.count > 0; ++f) {
    forcing p = {.label = rows.label, .f32 = f32, .f64 = f64};
    double mass = s->force[f].of.pieces ? mote_bodies_mass_of(world, &s->force[f].of)
                                        : particle_mass(world, s->force[f].of.body);
    if (!(mass > 0.0)) continue;
    for (int a = 0; a < 3; ++a) p.change[a] = s->force[f].force[a] / mass;
    mote_body_place place;
    for (size_t cursor = 0; mote_bodies_next(world, &s->force[f].of, &cursor, &place);) {
      p.wanted = mote_bodies_id(world, place) + 1;
      mote_parallel_for(world->env.threads, rows.count, PARTICLES_PER_TASK, force_chunk, &p);
    }
  }
  if (rows.count > 0) mote_hand_accelerate(world, kind, f32, f64);
}

static void strike(mote_world *world, mote_body_place place, const double impulse[3], double mass,
                   const double *at) {
  const mote_kind_row *row = mote_kind_row_of(world, place.kind);
  uint32_t id = mote_bodies_id(world, place);
  if (row->strike != NULL) {
    row->strike(world, place.row, impulse, at);
    return;
  }
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    mote_kind_particles rows = mote_kind_particles_of(world, (mote_kind)kind);
    forcing p = {.label = rows.label,
                 .hold = rows.hold,
                 .wanted = id + 1,
                 .f32 = rows.velocity_f32,
                 .f64 = rows.velocity};
    for (int a = 0; a < 3; ++a) p.change[a] = impulse[a] / mass;
    mote_parallel_for(world->env.threads, rows.count, PARTICLES_PER_TASK, force_chunk, &p);
  }
}

void mote_body_strike(mote_world *world, const mote_addressed *of, const double impulse[3],
                      const double *at) {
  double mass = mote_bodies_mass_of(world, of);
  mote_body_place place;
  for (size_t cursor = 0; mote_bodies_next(world, of, &cursor, &place);)
    strike(world, place, impulse, mass, at);
}
