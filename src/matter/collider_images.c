// Images of moving colliders: see collider_images.h.
#include "matter/collider_images.h"

#include <math.h>
#include <string.h>

#include "matter/tuning.inc"
#include "things/motion.h"

#define LENGTH_TOLERANCE 1e-9  // rounding: relative, of lengths that are equal
#define MOTION_POSES 1024      // of a motion that are looked at, over MOTION_SECONDS
#define IMAGES_PER_AXIS 4      // at most: 4^3 is the capacity

typedef struct extent {
  double low, high;
} extent;

static double period_of(const mote_world *world, int axis) {
  return world->domain.high[axis] - world->domain.low[axis];
}

static bool is_periodic(const mote_world *world, int axis) {
  return axis < world->def.dimensions && world->domain.periodic[axis];
}

void mote_collider_surface_bounds(const mote_shape *shape, double low[3], double high[3]) {
  MOTE_ASSERT(shape != NULL);
  for (int a = 0; a < 3; ++a) low[a] = HUGE_VAL, high[a] = -HUGE_VAL;
  for (size_t n = 0; n < shape->nodes; ++n) {
    double from[3], to[3];
    if (!mote_node_is_leaf(&shape->node[n])) continue;
    mote_node_bounds_plain(shape, n, NULL, from, to);
    for (int a = 0; a < 3; ++a) low[a] = fmin(low[a], from[a]), high[a] = fmax(high[a], to[a]);
  }
}

// Along an axis, of a box at a pose.
static extent extent_along(const mote_world *world, const mote_pose *pose, const double low[3],
                           const double high[3], int axis) {
  double middle = pose->pivot[axis] + pose->move[axis], half = 0.0;
  for (int k = 0; k < world->def.dimensions; ++k) {
    double part = pose->rotation[3 * axis + k];
    if (part == 0.0) continue;
    if (!isfinite(low[k]) || !isfinite(high[k])) return (extent){-HUGE_VAL, HUGE_VAL};
    middle += part * (0.5 * (low[k] + high[k]) - pose->pivot[k]);
    half += 0.5 * fabs(part) * (high[k] - low[k]);
  }
  return (extent){middle - half, middle + half};
}

// --- Sampling ----------------------------------------------------------------------------------------

// Whether the axis of the shape is still, or again, along the same axis of the domain.
static bool keeps_axis(const mote_pose *pose, int axis) {
  return fabs(pose->rotation[3 * axis + axis]) >= 1.0 - LENGTH_TOLERANCE;
}

mote_result mote_collider_check_pose(const mote_world *world, const mote_collider_item *item,
                                     const mote_pose *pose, mote_error *error) {
  double low[3], high[3];
  mote_collider_surface_bounds(item->shape, low, high);
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (!is_periodic(world, a) || keeps_axis(pose, a)) continue;
    extent e = extent_along(world, pose, low, high, a);
    if (e.high - e.low <= (1.0 + LENGTH_TOLERANCE) * period_of(world, a)) continue;
    return mote_fail_key(
        error, "motion",
        "\"%s\" turns and is then longer (%.3g m) than the period along %c (%.3g m): it would meet itself",
        item->name, e.high - e.low, "xyz"[a], period_of(world, a));
  }
  return MOTE_OK;
}

mote_result mote_collider_check_period(const mote_world *world, const mote_collider_item *item,
                                       mote_error *error) {
  MOTE_ASSERT(item->shape != NULL);
  bool any = is_periodic(world, 0) || is_periodic(world, 1) || is_periodic(world, 2);
  for (int k = 0; item->moves && any && k < MOTION_POSES; ++k) {
    mote_pose pose = mote_motion_at(item->motion, MOTION_SECONDS * k / MOTION_POSES);
    if (mote_pose_is_finite(&pose)) MOTE_TRY(mote_collider_check_pose(world, item, &pose, error));
  }
  return MOTE_OK;
}

// Whether the surface is longer than the period along an axis.
static bool is_long(const mote_world *world, int axis, const double low[3], const double high[3]) {
  return is_periodic(world, axis) &&
         high[axis] - low[axis] > (1.0 + LENGTH_TOLERANCE) * period_of(world, axis);
}

void mote_collider_cut_region(const mote_world *world, const mote_collider_item *item, double low[3],
                              double high[3]) {
  double from[3], to[3];
  mote_collider_surface_bounds(item->shape, from, to);
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (!is_long(world, a, from, to)) continue;
    double middle = 0.5 * (from[a] + to[a]);
    low[a] = isfinite(middle) ? middle - 0.5 * period_of(world, a) : world->domain.low[a];
    high[a] = low[a] + period_of(world, a);
  }
}

const mote_shape *mote_collider_cut_shape(const mote_world *world, const mote_collider_item *item,
                                          mote_shape *cut, mote_shape_node *node) {
  const mote_shape_node *root = item->shape->node;
  double low[3], high[3];
  if (!item->moves || root->kind != MOTE_SHAPE_BOX || root->inverted) return item->shape;
  mote_collider_surface_bounds(item->shape, low, high);
  *node = *root, *cut = *item->shape, cut->node = node;
  for (int a = 0; a < world->def.dimensions; ++a) {
    for (int k = 0; k < 3 && is_long(world, a, low, high); ++k) {
      if (fabs(root->basis[3 * a + k]) >= 1.0 - LENGTH_TOLERANCE) node->size[k] = 0.5 * period_of(world, a);
    }
  }
  return cut;
}

// --- Contact -----------------------------------------------------------------------------------------

// Whole periods by which an extent can be shifted along an axis; {0} where that would be no image.
static int periods_along(const mote_world *world, extent e, int axis, double out[IMAGES_PER_AXIS]) {
  out[0] = 0.0;
  if (!is_periodic(world, axis) || !isfinite(e.low) || !isfinite(e.high)) return 1;
  double period = period_of(world, axis), margin = REACH_IN_PERIODS * period;
  double low = world->domain.low[axis] - margin, high = world->domain.high[axis] + margin;
  double first = ceil((low - e.high) / period), last = floor((high - e.low) / period);
  double covering = floor((low - e.low) / period);
  if (e.high + covering * period >= high) first = last = covering;
  int count = 0;
  for (double k = first; k <= last && count < IMAGES_PER_AXIS; ++k) out[count++] = k;
  return count > 0 ? count : 1;
}

size_t mote_collider_images(const mote_world *world, const mote_collider_item *item, const mote_pose *pose,
                            double shift[MOTE_COLLIDER_IMAGES_MAX][3]) {
  MOTE_ASSERT(item->shape != NULL && pose != NULL);
  double low[3], high[3];
  mote_shape_bounds(item->shape, low, high);
  size_t count = 1;
  memset(shift[0], 0, sizeof shift[0]);
  for (int a = 0; a < world->def.dimensions; ++a) {
    double by[IMAGES_PER_AXIS];
    if (!is_periodic(world, a)) continue;
    int more = periods_along(world, extent_along(world, pose, low, high, a), a, by);
    for (int m = more - 1; m >= 0; --m) {  // the first last: its shifts are read by the others
      for (size_t k = 0; k < count; ++k) {
        double *to = shift[(size_t)m * count + k];
        memmove(to, shift[k], sizeof shift[k]);
        to[a] = by[m] * period_of(world, a);
      }
    }
    count *= (size_t)more;
  }
  return count;
}

double mote_collider_images_reach(const mote_world *world) {
  double least = HUGE_VAL;
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (is_periodic(world, a)) least = fmin(least, REACH_IN_PERIODS * period_of(world, a));
  }
  return isfinite(least) ? least : 0.0;
}

void mote_collider_nearest_image(const mote_world *world, const mote_collider_item *item,
                                 const mote_pose *pose, double shift[3]) {
  MOTE_ASSERT(item->shape != NULL && pose != NULL);
  double low[3], high[3];
  mote_shape_bounds(item->shape, low, high);
  for (int a = 0; a < 3; ++a) {
    shift[a] = 0.0;
    if (!is_periodic(world, a)) continue;
    extent e = extent_along(world, pose, low, high, a);
    if (!isfinite(e.low) || !isfinite(e.high)) continue;
    double off = 0.5 * (world->domain.low[a] + world->domain.high[a]) - 0.5 * (e.low + e.high);
    shift[a] = period_of(world, a) * floor(off / period_of(world, a) + 0.5);
  }
}
