// Poses of walls, colliders and rigid bodies: see colliders.h.
#include "matter/colliders.h"

#include <math.h>

#include "matter/belt.h"
#include "matter/collider_images.h"
#include "matter/kind.h"
#include "matter/tuning.inc"
#include "matter/watchdog.h"

static double corner_speed(const mote_pose *before, const mote_pose *after, double seconds,
                           const double x[3]) {
  double at[3], v[3];
  mote_pose_apply(after, x, at);
  mote_pose_velocity(before, after, at, seconds, v);
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double mote_collider_speed(const mote_collider_item *item, double t, double seconds) {
  MOTE_ASSERT(seconds >= 0.0);
  MOTE_ASSERT(!item->moves || item->motion != NULL);
  double low[3], high[3], most = 0.0;
  if (!item->moves) return 0.0;
  const mote_motion_leg *leg = mote_motion_steered(item->motion);
  if (leg != NULL && t >= leg->end) return 0.0;
  if (leg != NULL && t + seconds > leg->end) seconds = leg->end - t;  // of what stops in between, until then
  mote_shape_bounds(item->shape, low, high);
  mote_pose before = mote_motion_at(item->motion, t), after = mote_motion_at(item->motion, t + seconds);
  for (int corner = 0; corner < 8; ++corner) {
    double x[3];
    for (int a = 0; a < 3; ++a) {
      x[a] = corner >> a & 1 ? high[a] : low[a];
      if (!isfinite(x[a])) x[a] = before.pivot[a];
    }
    double speed = corner_speed(&before, &after, seconds, x);
    if (speed > most) most = speed;  // a motion that is no number is for mote_colliders_pose to find
  }
  return most;
}

// The rotation vector is the antisymmetric part of R' R^T.
void mote_pose_rates(const mote_pose *before, const mote_pose *after, double seconds, double velocity[3],
                     double spin[3]) {
  MOTE_ASSERT(seconds > 0.0);
  const double *A = after->rotation, *B = before->rotation;
  double turn[9];
  for (int r = 0; r < 3; ++r) {
    velocity[r] = (after->move[r] - before->move[r]) / seconds;
    for (int c = 0; c < 3; ++c) {
      turn[3 * r + c] = A[3 * r] * B[3 * c] + A[3 * r + 1] * B[3 * c + 1] + A[3 * r + 2] * B[3 * c + 2];
    }
  }
  spin[0] = 0.5 * (turn[7] - turn[5]) / seconds;
  spin[1] = 0.5 * (turn[2] - turn[6]) / seconds;
  spin[2] = 0.5 * (turn[3] - turn[1]) / seconds;
}

static mote_result move_belt(const mote_world *world, const mote_collider_item *item, mote_error *error) {
  if (item->shape == NULL || item->samples.count == 0 || !mote_belt_varies(item)) return MOTE_OK;
  return mote_belt_set(world, world->boundary, item, mote_boundary_rest(world->boundary, item->samples),
                       *mote_state_f64(&world->now, MOTE_WORLD_TIME), error);
}

mote_result mote_colliders_pose(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->ready);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  double seconds = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  if (!(seconds > 0.0)) seconds = SPEED_DELTA;
  // Sums kept from earlier would depend on when the boundary was built, and commands rebuild it at any time.
  if (world->steering.rebuilt && world->boundary != NULL) mote_boundary_renew_sums(world->boundary);
  MOTE_TRY(move_belt(world, &world->walls, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    const mote_collider_item *item = mote_collider_at(world, k);
    MOTE_TRY(move_belt(world, item, error));
    if (!item->moves) continue;
    mote_pose now = mote_motion_at(item->motion, t), next = mote_motion_at(item->motion, t + seconds);
    if (!mote_pose_is_finite(&now) || !mote_pose_is_finite(&next)) {
      return mote_watchdog_motion(world, item->name, error);
    }
    double velocity[3], spin[3];
    mote_pose_rates(&now, &next, seconds, velocity, spin);
    mote_boundary_pose(world->boundary, item->samples, &now, velocity, spin);
  }
  return MOTE_OK;
}

// The collider, and where it moves its images over periodic sides.
static mote_result add_obstacles(mote_world *world, const mote_collider_item *item, double seconds,
                                 size_t *count, mote_error *error) {
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME), shift[MOTE_COLLIDER_IMAGES_MAX][3] = {{0.0}};
  size_t images = 1;
  mote_pose before, after;
  if (item->moves) {
    before = mote_motion_at(item->motion, t), after = mote_motion_at(item->motion, t + seconds);
    images = mote_collider_images(world, item, &before, shift);
  }
  MOTE_TRY(mote_reserve(&world->env, &world->obstacle, &world->obstacle_capacity, *count + images,
                        sizeof *world->obstacle, error));
  for (size_t k = 0; k < images; ++k) {
    mote_obstacle *image = &world->obstacle[(*count)++];
    if (!item->moves) {
      *image = mote_obstacle_still(item->shape);
      continue;
    }
    mote_pose from = before, to = after;
    for (int a = 0; a < 3; ++a) from.move[a] += shift[k][a], to.move[a] += shift[k][a];
    *image = mote_obstacle_posed(item->shape, &from, &to, seconds);
  }
  return MOTE_OK;
}

mote_result mote_colliders_obstacles(mote_world *world, double seconds, size_t *count, mote_error *error) {
  MOTE_ASSERT(seconds >= 0.0 && count != NULL);
  size_t colliders = mote_world_items(world, MOTE_ITEM_COLLIDER);
  MOTE_TRY(mote_reserve(&world->env, &world->obstacle, &world->obstacle_capacity, colliders + 1,
                        sizeof *world->obstacle, error));
  *count = 0;
  if (world->walls.shape != NULL) world->obstacle[(*count)++] = mote_obstacle_still(world->walls.shape);
  for (size_t k = 0; k < colliders; ++k)
    MOTE_TRY(add_obstacles(world, mote_collider_at(world, k), seconds, count, error));
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    size_t bodies = world->kind[kind]->obstacle == NULL ? 0 : mote_world_items(world, kind);
    MOTE_TRY(mote_reserve(&world->env, &world->obstacle, &world->obstacle_capacity, *count + bodies,
                          sizeof *world->obstacle, error));
    for (size_t k = 0; k < bodies; ++k)
      world->obstacle[(*count)++] = world->kind[kind]->obstacle(world, k, seconds);
  }
  return MOTE_OK;
}
