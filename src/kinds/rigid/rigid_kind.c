// Rigid bodies as a kind of matter: see matter/kind.h.
#include <math.h>
#include <string.h>

#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/collider_samples.h"
#include "matter/items.h"
#include "matter/ledger.h"
#include "matter/tuning.inc"
#include "scene/def_check.h"
#include "search/domain.h"

static void free_item(void *item, const mote_env *env) {
  mote_rigid_item *rigid = item;
  mote_contact_samples_free(&rigid->contact_samples, env);
  mote_quantity_free(&rigid->temperature);
}

static mote_result remove_body(mote_world *world, mote_body_place place, mote_error *error) {
  MOTE_TRY(mote_items_expect_removal(world, MOTE_KIND_RIGID, error));
  mote_items_remove(world, MOTE_KIND_RIGID, place.row);
  mote_bodies_end(world, mote_bodies_id(world, place));
  world->ready = false;
  return MOTE_OK;
}

// --- Where it is --------------------------------------------------------------------------------------

static bool pose_of(const mote_world *world, size_t k, mote_pose *out) {
  *out = mote_rigid_body_pose(world, k);
  return true;
}

static const mote_contact_samples *contact_samples(const mote_world *world, size_t k) {
  return &mote_rigid_at(world, k)->contact_samples;
}

// A body, in a ball about where it goes.
static mote_obstacle obstacle(const mote_world *world, size_t k, double seconds) {
  const mote_rigid_item *item = mote_rigid_at(world, k);
  const mote_pose after = mote_rigid_body_pose(world, k);
  const mote_pose *before = world->contacts.before != NULL ? &world->contacts.before[k] : &after;
  mote_obstacle obstacle = mote_obstacle_posed(item->shape, before, &after, seconds);
  double travel[3];
  for (int a = 0; a < 3; ++a) {
    double from = item->rigid.reference[a] + before->move[a];
    double to = item->rigid.reference[a] + after.move[a];
    obstacle.x[a] = 0.5 * (from + to), travel[a] = to - from;
  }
  obstacle.radius =
      item->radius + 0.5 * sqrt(travel[0] * travel[0] + travel[1] * travel[1] + travel[2] * travel[2]);
  return obstacle;
}

static const mote_quantity *temperature(const mote_world *world, size_t k) {
  return &mote_rigid_at(world, k)->temperature;
}

static double mass_of(const mote_world *world, size_t k) {
  return mote_rigid_at(world, k)->rigid.mass;
}

static bool is_fixed(const mote_world *world, size_t k) {
  return !mote_rigid_moves(&mote_rigid_at(world, k)->rigid);
}

// Adds an impulse at a point, or at the centre of mass (null).
static void strike(mote_world *world, size_t k, const double impulse[3], const double *at) {
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

// Column a of `change`: a unit impulse along a, at the point.
static void mobility(const mote_world *world, size_t k, const double x[3], double velocity[3],
                     double change[9]) {
  const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
  const mote_store *store = mote_bodies(world);
  const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
  double arm[3], spin[3], inertia[9];
  mote_domain_difference(&world->domain, x, mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, arm);
  mote_rigid_inverse_inertia(rigid, q, inertia);
  mote_rigid_spin(rigid, q, mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k, spin);
  cross3(spin, arm, velocity);
  step3(velocity, 1.0, mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k, velocity);
  for (int a = 0; a < 3; ++a) {
    double unit[3] = {a == 0, a == 1, a == 2}, twist[3], turned[3], moved[3];
    cross3(arm, unit, twist);
    turn3(inertia, twist, turned);
    cross3(turned, arm, moved);
    step3(moved, rigid->inverse_mass, unit, moved);
    for (int b = 0; b < 3; ++b) change[3 * b + a] = moved[b];
  }
}

// Fixed bodies have no velocity, and hinged ones only turn.
static void place(mote_world *world, size_t k, const double move[3], const double *velocity) {
  const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
  double *x = mote_store_f64(mote_bodies(world), MOTE_RIGID_POSITION) + 3 * k;
  step3(x, 1.0, move, x);
  if (!(rigid->inverse_mass > 0.0)) return;
  mote_domain_wrap(&world->domain, x);
  if (velocity != NULL) copy3(velocity, mote_store_f64(mote_bodies(world), MOTE_RIGID_VELOCITY) + 3 * k);
}

// --- Samples for fluids -------------------------------------------------------------------------------

// What may move has samples that move with it, of its own; the rest are walls.
static mote_result add_samples_of(mote_world *world, mote_boundary *boundary, size_t k, mote_error *error) {
  mote_rigid_item *rigid = mote_rigid_at(world, k);
  mote_shape *shape = mote_body_at(world, rigid->body)->shape;
  mote_collider_item item = {.name = rigid->name, .shape = shape, .friction = MOTE_BODY_FRICTION};
  item.moves = mote_rigid_moves(&rigid->rigid);
  mote_result result =
      mote_fail_within(error, mote_collider_samples_add(world, boundary, &item, true, error), "shape");
  if (result != MOTE_OK) return mote_fail_in_list(error, result, "bodies", item.name, k);
  rigid->samples = item.samples;
  if (!item.moves) return MOTE_OK;
  return mote_boundary_set_owner(boundary, item.samples, (uint32_t)k + 1, error);
}

static mote_result add_samples(mote_world *world, mote_boundary *boundary, mote_error *error) {
  for (size_t k = 0; mote_world_needs_samples(world) && k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    MOTE_TRY(add_samples_of(world, boundary, k, error));
  }
  return MOTE_OK;
}

// For an iterative pressure solve supported bodies get the velocity that their contacts leave them; explicit
// pressures do not read predicted velocities.
static mote_result expect(mote_world *world, mote_error *error) {
  const double *held = NULL;
  if (world->fluid.coupled_count > 0 && mote_pressure_properties_of(&world->def.solver)->predicts_supported)
    MOTE_TRY(mote_rigid_predict_contacts(world, &held, error));
  mote_rigid_coupled_update(world, held);
  return MOTE_OK;
}

// --- Sums ---------------------------------------------------------------------------------------------

// Of bodies that move.
static void energy(const mote_world *world, double sum[2]) {
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  sum[0] = sum[1] = 0.0;
  for (size_t k = 0; k < store->count[MOTE_GROUP_RIGID]; ++k) {
    const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
    if (!mote_rigid_moves(rigid)) continue;
    const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    const double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    const double *L = mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k;
    double lever[3], centre[3], spin[3], turn[3];
    mote_pose pose = mote_rigid_pose(rigid, mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, q);
    mote_pose_turn(&pose, rigid->lever, lever);
    step3(mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, 1.0, lever, centre);
    mote_rigid_spin(rigid, q, L, spin);
    cross3(spin, lever, turn);
    sum[0] += mote_rigid_energy(rigid, q, v, L) - rigid->mass * dot3(world->def.gravity, centre);
    sum[1] += rigid->mass * (dot3(world->def.gravity, v) + dot3(world->def.gravity, turn));
  }
}

// Bodies that move at all; of hinged ones the turning, with the mass where it was defined.
static void add_totals(const mote_world *world, mote_totals_sum *sum, mote_totals *out) {
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  for (size_t k = 0; k < store->count[MOTE_GROUP_RIGID]; ++k) {
    const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
    const double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
    const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    const double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    const double *L = mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k;
    if (!mote_rigid_moves(rigid)) continue;
    double m = rigid->mass, lever[3];
    mote_pose pose = mote_rigid_pose(rigid, x, q);
    mote_pose_turn(&pose, rigid->lever, lever);
    sum->mass += m;
    sum->kinetic += mote_rigid_energy(rigid, q, v, L);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      sum->momentum[a] += m * v[a];
      sum->angular[a] += m * (x[b] * v[c] - x[c] * v[b]) + L[a];
      sum->centre[a] += m * (x[a] + lever[a] - sum->origin[a]);
    }
    out->speed_max = fmax(out->speed_max, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
}

// --- Reading ------------------------------------------------------------------------------------------

static void read_motion(const mote_world *world, size_t k, double out[13]) {
  const mote_store *store = mote_bodies(world);
  memcpy(out, mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, 3 * sizeof *out);
  memcpy(out + 3, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, 4 * sizeof *out);
  memcpy(out + 7, mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k, 3 * sizeof *out);
  memcpy(out + 10, mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k, 3 * sizeof *out);
}

// The state is that of the reference point; of a hinged body the centre of mass is elsewhere.
static void read_body(const mote_world *world, size_t k, mote_body_state *out) {
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
  *out = (mote_body_state){.mass = rigid->mass, .pose = mote_rigid_body_pose(world, k)};
  memcpy(out->position, mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, sizeof out->position);
  memcpy(out->orientation, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k, sizeof out->orientation);
  memcpy(out->velocity, mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k, sizeof out->velocity);
  mote_rigid_spin(rigid, out->orientation, mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k, out->spin);
  if (rigid->lever[0] == 0.0 && rigid->lever[1] == 0.0 && rigid->lever[2] == 0.0) return;
  double lever[3], turning[3];
  mote_pose_turn(&out->pose, rigid->lever, lever);
  cross3(out->spin, lever, turning);
  step3(out->position, 1.0, lever, out->position);
  step3(out->velocity, 1.0, turning, out->velocity);
}

static mote_result read_point(mote_world *world, size_t k, const double from[3], mote_reading *out,
                              mote_error *error) {
  (void)error;
  mote_obstacle obstacle = mote_rigid_body_obstacle(world, k, 0.0);
  double arm[3], turning[3];
  mote_pose_apply(&obstacle.pose, from, out->position);
  sub3(out->position, obstacle.x, arm);
  cross3(obstacle.w, arm, turning);
  step3(obstacle.v, 1.0, turning, out->velocity);
  sub3(out->position, from, out->displacement);
  return MOTE_OK;
}

size_t mote_world_rigid_bodies(const mote_world *world) {
  return mote_bodies_of(world, MOTE_KIND_RIGID);
}

mote_body mote_world_rigid_body(const mote_world *world, size_t k) {
  if (k >= mote_bodies_of(world, MOTE_KIND_RIGID)) return (mote_body){0};
  return mote_bodies_handle(world, (mote_body_place){MOTE_KIND_RIGID, k});
}

_Static_assert(offsetof(mote_rigid_item, body) == offsetof(mote_kind_item, body),
               "it begins as all items do");
const mote_kind_row mote_kind_row_rigid = {
    .kind = MOTE_KIND_RIGID,
    .name = "rigid",
    .hold = -1,
    .body_groups = 1u << MOTE_GROUP_RIGID,
    .item_size = sizeof(mote_rigid_item),
    .free_item = free_item,
    .make = mote_rigid_body_make,
    .remove = remove_body,
    .pose = pose_of,
    .contact_samples = contact_samples,
    .place = place,
    .check_place = mote_rigid_check_place,
    .obstacle = obstacle,
    .mass_of = mass_of,
    .is_fixed = is_fixed,
    .strike = strike,
    .mobility = mobility,
    .temperature = temperature,
    .add_samples = add_samples,
    .couple = mote_rigid_couple,
    .expect = expect,
    .take_impulses = mote_rigid_coupled_take,
    .step = mote_rigid_bodies_step,
    .ledger = MOTE_LEDGER_BODIES,
    .limit_step = mote_rigid_spin_limit,
    .energy = energy,
    .add_totals = add_totals,
    .read_motion = read_motion,
    .read_body = read_body,
    .read_point = read_point,
};
