// Momentum that particles lose at a body, applied to it as one inelastic impact: see rigid_bodies.h.
// Particles that meet several obstacles in a step meet the movable bodies one after the other, and the
// immovable obstacles last. Theory: docs/theory/bodies.md, "Fluids"
#include <string.h>

#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/probe_forces.h"
#include "things/sweep_planes.h"

// Sums over all particles that met a body in one turn.
typedef struct body_impulse {
  double impulse[3], twist[3];  // N s, N m s: at the full velocity change of contact
  double rate, stiffness;       // energy change for the share s: rate s + stiffness s^2 / 2
  double share;
} body_impulse;

typedef struct impulses {
  mote_world *world;
  const mote_collision *c;
  mote_contact_scene scene;
  const float *mass;  // of particles
  body_impulse *all;  // one per body
  size_t count;
} impulses;

mote_result mote_rigid_fluid_impulses_begin(mote_world *world, mote_collision *collision, mote_error *error) {
  MOTE_ASSERT(collision->position != NULL || collision->count == 0);
  if (world->fluid.coupled_count == 0 || world->fluid.steps != NULL) return MOTE_OK;
  size_t count = collision->count, most = MOTE_MET_MAX;
  collision->met = mote_arena_take(&world->scratch, count, most * sizeof *collision->met);
  collision->velocity_before = mote_arena_take(&world->scratch, count, 3 * sizeof(float));
  collision->met_plane = mote_arena_take(&world->scratch, count, 4 * most * sizeof(float));
  if (collision->met == NULL || collision->velocity_before == NULL || collision->met_plane == NULL) {
    return mote_fail_memory(error, (12 + 20 * most) * count);
  }
  return MOTE_OK;
}

// --- Contacts of particles ---------------------------------------------------------------------------

// Index of the body that particle i met in this turn, or `count`.
static size_t body_of(const impulses *b, size_t i, size_t turn) {
  size_t met = b->c->met[MOTE_MET_MAX * i + turn], first = b->c->obstacles - b->count;  // bodies are the last
  return met != UINT32_MAX && met >= first ? met - first : b->count;
}

static bool met_several(const impulses *b, size_t i) {
  return b->c->met[MOTE_MET_MAX * i + 1] != UINT32_MAX;
}

static bool can_move(const impulses *b, size_t k) {
  if (k == b->count) return false;
  const mote_obstacle *s = b->scene.obstacle + k;
  return s->inverse_mass > 0.0 || s->inverse_inertia[0] + s->inverse_inertia[4] + s->inverse_inertia[8] > 0.0;
}

// The body that particle i hits in this turn. Of several obstacles, immovable ones come last.
static size_t hit_of(const impulses *b, size_t i, size_t turn) {
  size_t k = body_of(b, i, turn);
  return met_several(b, i) && !can_move(b, k) ? b->count : k;
}

// A particle that met several obstacles restarts at its earlier velocity, unless all are immovable: then the
// result of contact holds. Returns whether one can move.
static bool begin_several(const impulses *b, size_t i) {
  bool any = false;
  if (!met_several(b, i)) return false;
  for (size_t turn = 0; turn < MOTE_MET_MAX; ++turn) any = any || can_move(b, body_of(b, i, turn));
  if (any) {
    memcpy(b->c->velocity + 3 * i, b->c->velocity_before + 3 * i, 3 * sizeof(float));
  } else {
    for (size_t turn = 0; turn < MOTE_MET_MAX; ++turn) b->c->met[MOTE_MET_MAX * i + turn] = UINT32_MAX;
  }
  return any;
}

static void plane_of(const impulses *b, size_t i, size_t turn, mote_contact_planes *planes) {
  const float *plane = b->c->met_plane + 4 * (MOTE_MET_MAX * i + turn);
  const double normal[3] = {(double)plane[0], (double)plane[1], (double)plane[2]};
  mote_contact_planes_add(planes, normal, (double)plane[3]);
}

// Projects its velocity on the planes; the previous one becomes velocity_before.
static void stop_at(const impulses *b, size_t i, const mote_contact_planes *planes) {
  float *v = b->c->velocity + 3 * i;
  double u[3] = {(double)v[0], (double)v[1], (double)v[2]};
  memcpy(b->c->velocity_before + 3 * i, v, 3 * sizeof *v);
  mote_contact_planes_project(planes, true, u, u);
  for (int a = 0; a < 3; ++a) v[a] = (float)u[a];
}

static void stop_at_walls(const impulses *b, size_t i) {
  mote_contact_planes planes = {0};
  for (size_t turn = 0; met_several(b, i) && turn < MOTE_MET_MAX; ++turn) {
    bool met = b->c->met[MOTE_MET_MAX * i + turn] != UINT32_MAX;
    if (met && !can_move(b, body_of(b, i, turn))) plane_of(b, i, turn, &planes);
  }
  if (planes.count > 0) stop_at(b, i, &planes);
}

// --- Impacts ------------------------------------------------------------------------------------------

static void change_of(const mote_collision *c, size_t i, double out[3]) {
  for (size_t a = 0; a < 3; ++a) {
    out[a] = (double)c->velocity[3 * i + a] - (double)c->velocity_before[3 * i + a];
  }
}

// Vector from the body's reference point to the particle.
static void arm_of(const mote_contact_scene *scene, const mote_collision *c, size_t i, size_t k,
                   double out[3]) {
  mote_contact_between(scene, c->position + 3 * i, scene->obstacle[k].x, out);
}

static void add_particle(const mote_contact_scene *scene, const mote_collision *c, size_t i, size_t k,
                         double mass, body_impulse *b) {
  const mote_obstacle *s = scene->obstacle + k;
  double d[3], arm[3], impulse[3], twist[3], wall[3], u[3];
  change_of(c, i, d);
  arm_of(scene, c, i, k, arm);
  set3(-mass * d[0], -mass * d[1], -mass * d[2], impulse);
  cross3(arm, impulse, twist);
  cross3(s->w, arm, wall);
  for (size_t a = 0; a < 3; ++a) u[a] = (double)c->velocity_before[3 * i + a] - s->v[a] - wall[a];
  step3(b->impulse, 1.0, impulse, b->impulse);
  step3(b->twist, 1.0, twist, b->twist);
  b->rate += mass * dot3(d, u);
  b->stiffness += mass * dot3(d, d);
}

// The share that minimises the total energy of particles and body: an inelastic impact. An immovable body
// takes all, as a wall does.
static void find_share(const mote_obstacle *s, body_impulse *b) {
  double turn[3];
  turn3(s->inverse_inertia, b->twist, turn);
  double gives = s->inverse_mass * dot3(b->impulse, b->impulse) + dot3(turn, b->twist);
  b->stiffness += gives;
  b->share = gives > 0.0 ? min2(1.0, max2(0.0, -b->rate / b->stiffness)) : 1.0;
  set3(0.0, 0.0, 0.0, b->impulse);
  set3(0.0, 0.0, 0.0, b->twist);
}

// Leaves the particle its share of the velocity change, and sums the change after rounding.
static void change_particle(const mote_contact_scene *scene, const mote_collision *c, size_t i, size_t k,
                            double mass, body_impulse *b) {
  double d[3], arm[3], twist[3];
  change_of(c, i, d);
  for (size_t a = 0; b->share < 1.0 && a < 3; ++a) {
    c->velocity[3 * i + a] = (float)((double)c->velocity_before[3 * i + a] + b->share * d[a]);
  }
  change_of(c, i, d);
  arm_of(scene, c, i, k, arm);
  cross3(arm, d, twist);
  step3(b->impulse, -mass, d, b->impulse);
  step3(b->twist, -mass, twist, b->twist);
}

static void change_body(const impulses *b, size_t k) {
  const mote_store *store = &b->world->now.store[MOTE_TABLE_BODIES];
  const mote_rigid *rigid = &mote_rigid_at(b->world, k)->rigid;
  const body_impulse *own = b->all + k;
  mote_obstacle *s = b->scene.obstacle + k;
  double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k, spin[3];
  step3(v, rigid->inverse_mass, own->impulse, v);
  mote_probe_forces_add(b->world, MOTE_KIND_RIGID, k, own->impulse);
  mote_rigid_add_angular_impulse(rigid, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, own->twist,
                                 mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
  step3(s->v, s->inverse_mass, own->impulse, s->v);
  turn3(s->inverse_inertia, own->twist, spin);
  step3(s->w, 1.0, spin, s->w);
}

// Each particle meets at most one body per turn, so that energy does not grow.
static void give_turn(const impulses *b, size_t turn) {
  for (size_t k = 0; k < b->count; ++k) b->all[k] = (body_impulse){.share = 1.0};
  for (size_t i = 0; i < b->c->count; ++i) {
    size_t k = hit_of(b, i, turn);
    if (k == b->count) continue;
    mote_contact_planes plane = {0};
    if (met_several(b, i)) plane_of(b, i, turn, &plane), stop_at(b, i, &plane);
    add_particle(&b->scene, b->c, i, k, (double)b->mass[i], b->all + k);
  }
  for (size_t k = 0; k < b->count; ++k) find_share(b->scene.obstacle + k, b->all + k);
  for (size_t i = 0; i < b->c->count; ++i) {
    size_t k = hit_of(b, i, turn);
    if (k < b->count) change_particle(&b->scene, b->c, i, k, (double)b->mass[i], b->all + k);
  }
  for (size_t k = 0; k < b->count; ++k) change_body(b, k);
}

mote_result mote_rigid_fluid_impulses_apply(mote_world *world, const mote_collision *collision,
                                            mote_error *error) {
  if (collision->met == NULL || collision->obstacles == 0) return MOTE_OK;
  impulses b = {.world = world, .c = collision, .count = mote_world_items(world, MOTE_KIND_RIGID)};
  b.mass = mote_store_f32(mote_world_store(world), MOTE_PARTICLE_MASS);
  MOTE_TRY(mote_contact_obstacles(world, world->dt, &b.scene, error));
  MOTE_TAKE(b.all, &world->scratch, b.count, error);
  bool several = false;
  for (size_t i = 0; i < collision->count; ++i) several = begin_several(&b, i) || several;
  for (size_t turn = 0; turn < (several ? MOTE_MET_MAX : 1); ++turn) give_turn(&b, turn);
  for (size_t i = 0; several && i < collision->count; ++i) stop_at_walls(&b, i);
  return MOTE_OK;
}
