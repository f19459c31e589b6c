// What particles that meet a body lose of their velocity, given to it as one inelastic impact: see
// rigid_body.h. Theory: docs/theory/bodies.md, "Fluids"
#include "geom/triple.h"
#include "world/rigid_body.h"
#include "world/tick_block.h"

// Of all that met a body.
typedef struct blow {
  double impulse[3], twist[3];  // if particles lost all that contact takes
  double rate, stiffness;       // of the energy with the share s: rate s + stiffness s^2 / 2
  double share;
} blow;

mote_result mote_rigid_blows_begin(mote_world *world, mote_collision *collision, mote_error *error) {
  if (world->fluid.wets == 0 || mote_tick_block_on(world)) return MOTE_OK;
  collision->met = mote_arena_take(&world->scratch, collision->count, sizeof *collision->met);
  collision->velocity_before =
      mote_arena_take(&world->scratch, collision->count, 3 * sizeof *collision->velocity_before);
  if (collision->met == NULL || collision->velocity_before == NULL) {
    return mote_fail_memory(error, 16 * collision->count);
  }
  return MOTE_OK;
}

// The number of the body that particle i met, or `count`.
static size_t body_of(const mote_collision *c, size_t i, size_t count) {
  return c->met[i] == UINT32_MAX ? count : c->met[i] - (c->obstacles - count);  // bodies are the last
}

static void change_of(const mote_collision *c, size_t i, double out[3]) {
  for (size_t a = 0; a < 3; ++a) {
    out[a] = (double)c->velocity[3 * i + a] - (double)c->velocity_before[3 * i + a];
  }
}

// From the body's reference point to the particle.
static void arm_of(const mote_contact_scene *scene, const mote_collision *c, size_t i, size_t k,
                   double out[3]) {
  mote_contact_between(scene, c->position + 3 * i, scene->solid[k].x, out);
}

static void add_particle(const mote_contact_scene *scene, const mote_collision *c, size_t i, size_t k,
                         double mass, blow *b) {
  const mote_solid *s = scene->solid + k;
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

// The share with which particles and body together have the least energy: that of an inelastic impact. What
// no impulse moves takes all, as a wall does.
static void find_share(const mote_solid *s, blow *b) {
  double turn[3];
  turn3(s->inverse_inertia, b->twist, turn);
  double gives = s->inverse_mass * dot3(b->impulse, b->impulse) + dot3(turn, b->twist);
  b->stiffness += gives;
  b->share = gives > 0.0 ? min2(1.0, max2(0.0, -b->rate / b->stiffness)) : 1.0;
  set3(0.0, 0.0, 0.0, b->impulse);
  set3(0.0, 0.0, 0.0, b->twist);
}

// Leaves the particle its share of the change, and counts what that was after rounding.
static void change_particle(const mote_contact_scene *scene, const mote_collision *c, size_t i, size_t k,
                            double mass, blow *b) {
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

static void change_body(mote_world *world, size_t k, const blow *b) {
  const mote_store *store = &world->now.store[MOTE_STATE_RIGID];
  const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
  double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
  step3(v, rigid->inverse_mass, b->impulse, v);
  mote_rigid_twist(rigid, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, b->twist,
                   mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
}

mote_result mote_rigid_blows_give(mote_world *world, const mote_collision *collision, mote_error *error) {
  if (collision->met == NULL || collision->obstacles == 0) return MOTE_OK;
  const float *mass = mote_store_f32(mote_world_store(world), MOTE_PARTICLE_MASS);
  size_t count = mote_world_items(world, MOTE_ITEM_RIGID);
  mote_contact_scene scene;
  MOTE_TRY(mote_rigid_solids(world, world->dt, &scene, error));
  blow *all = mote_arena_take(&world->scratch, count, sizeof *all);
  if (all == NULL) return mote_fail_memory(error, count * sizeof *all);
  for (size_t k = 0; k < count; ++k) all[k] = (blow){.share = 1.0};
  for (size_t i = 0; i < collision->count; ++i) {
    size_t k = body_of(collision, i, count);
    if (k < count) add_particle(&scene, collision, i, k, (double)mass[i], all + k);
  }
  for (size_t k = 0; k < count; ++k) find_share(scene.solid + k, all + k);
  for (size_t i = 0; i < collision->count; ++i) {
    size_t k = body_of(collision, i, count);
    if (k < count) change_particle(&scene, collision, i, k, (double)mass[i], all + k);
  }
  for (size_t k = 0; k < count; ++k) change_body(world, k, all + k);
  return MOTE_OK;
}
