// Samples of walls, colliders and bodies for fluids: see collider_samples.h.
//
// Samples are needed wherever fluid can be: in the domain. A collider is sampled within its own bounds and,
// if it stands still, within those of the domain; if it moves, over one period at most; where both are
// without end (a half space in an open world) within the bounds of all that is there, widened on all sides by
// their largest extent. Beyond, particles still do not pass, but glide along without the pressure of a wall.
#include "matter/collider_samples.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "matter/belt.h"
#include "matter/collider_images.h"
#include "matter/tuning.inc"

#define SAME_SAMPLE 1e-6    // rounding: spacings; samples that near are one
#define BELT_SAMPLES 64     // of a belt that varies, at which its speed is evaluated
#define SPEED_SAMPLES 1024  // of a formula, over MOTION_SECONDS

typedef struct box {
  double low[3], high[3];
} box;

static double largest_extent(const box *b, int dimensions) {
  double largest = 0.0;
  for (int a = 0; a < dimensions; ++a) largest = fmax(largest, b->high[a] - b->low[a]);
  return largest;
}

// How deep samples go: as far as the fluid sees. A body has a layer more, which the fluid does not see, but
// the samples above it do: what of their neighbourhood is not solid is room for fluid (wall_sum_row.h), and
// where the solid ends too early they count too little and the body displaces less than its volume.
static double sample_depth(const mote_world *world, bool is_body) {
  return world->fluid.support + (is_body ? world->def.spacing : 0.0);
}

// Where a collider needs samples; a body a spacing farther than its bounds, for the cells cut by its surface.
static box sample_region(const mote_world *world, const mote_collider_item *item, bool is_body) {
  const mote_world_def *def = &world->def;
  double reach = world->fluid.support + def->spacing;
  box all, own;
  mote_world_extent(world, all.low, all.high);
  double wide = largest_extent(&all, def->dimensions);
  mote_shape_bounds(item->shape, own.low, own.high);
  for (int a = 0; a < 3; ++a) {
    double low = def->low[a], high = def->high[a];
    bool periodic = world->domain.periodic[a];  // there a sample more would be the image of another
    bool widens = is_body && (!periodic || own.high[a] - own.low[a] + 2.0 * def->spacing < high - low);
    if (widens) own.low[a] -= def->spacing, own.high[a] += def->spacing;
    if (!periodic) low -= reach, high += reach;
    if (!item->moves && !(own.low[a] > low)) own.low[a] = low;
    if (!item->moves && !(own.high[a] < high)) own.high[a] = high;
    if (!isfinite(own.low[a])) own.low[a] = all.low[a] - wide;
    if (!isfinite(own.high[a])) own.high[a] = all.high[a] + wide;
  }
  if (item->moves) mote_collider_cut_region(world, item, own.low, own.high);
  return own;
}

// The speed of a belt that varies is looked for at a few of its samples, over the first seconds.
static mote_result set_belt(const mote_world *world, mote_boundary *boundary, const mote_samples *samples,
                            mote_collider_item *item, mote_error *error) {
  item->belt_speed = 0.0;
  if (!mote_belt_slides(item)) return MOTE_OK;
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  item->belt_speed = mote_belt_speed(world, item, samples->position, samples->count, 0.0);
  size_t stride = samples->count / BELT_SAMPLES + 1;
  for (int k = 0; mote_belt_varies(item) && k < SPEED_SAMPLES; ++k) {
    for (size_t b = 0; b < samples->count; b += stride) {
      double speed =
          mote_belt_speed(world, item, samples->position + 3 * b, 1, MOTION_SECONDS * k / SPEED_SAMPLES);
      if (isfinite(speed)) item->belt_speed = fmax(item->belt_speed, speed);
    }
  }
  return mote_belt_set(world, boundary, item, samples->position, t, error);
}

typedef struct cover {
  const mote_world *world;
  const mote_collider_item *item;
  const double *position;
  uint8_t *covered;
} cover;

static bool is_inside(const mote_collider_item *other, const double x[3]) {
  return other->shape != NULL && !other->moves && mote_shape_distance(other->shape, x) < 0.0;
}

static void cover_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const cover *c = data;
  size_t colliders = mote_world_items(c->world, MOTE_ITEM_COLLIDER);
  for (size_t b = begin; b < end; ++b) {
    const double *x = c->position + 3 * b;
    bool inside = is_inside(&c->world->walls, x);
    for (size_t k = 0; k < colliders && !inside && mote_collider_at(c->world, k) != c->item; ++k) {
      inside = is_inside(mote_collider_at(c->world, k), x);
    }
    c->covered[b] = inside;
  }
}

// Where colliders overlap, the solid is there once: samples inside of walls, or of a collider that was added
// before, are dropped. Twice as dense, they would have pressures that nothing has made.
static mote_result drop_covered(const mote_world *world, const mote_collider_item *item,
                                mote_samples *samples, mote_error *error) {
  size_t all = samples->count, kept = 0;
  if (item->moves || item == &world->walls || all == 0) return MOTE_OK;
  cover c = {world, item, samples->position, mote_alloc(&world->env, all, 1)};
  if (c.covered == NULL) return mote_fail_memory(error, all);
  mote_parallel_for(world->env.threads, all, 256, cover_chunk, &c);
  for (size_t b = 0; b < all; ++b) {
    if (c.covered[b]) continue;
    memmove(samples->position + 3 * kept, samples->position + 3 * b, 3 * sizeof(double));
    samples->volume[kept++] = samples->volume[b];
  }
  samples->count = kept;
  mote_free(&world->env, c.covered, all, 1);
  return MOTE_OK;
}

// Where a period is sampled from end to end, samples at its upper end are images of those at its lower end.
static void drop_repeated(const mote_world *world, const box *region, mote_samples *samples) {
  size_t kept = 0;
  for (size_t b = 0; b < samples->count; ++b) {
    const double *x = samples->position + 3 * b;
    bool repeated = false;
    for (int a = 0; a < world->def.dimensions; ++a) {
      double end = region->low[a] + world->domain.high[a] - world->domain.low[a];
      repeated = repeated || (world->domain.periodic[a] && x[a] > end - SAME_SAMPLE * world->def.spacing);
    }
    if (repeated) continue;
    memmove(samples->position + 3 * kept, x, 3 * sizeof(double));
    samples->volume[kept++] = samples->volume[b];
  }
  samples->count = kept;
}

// The part of the friction that a sample of the domain's walls has: the least of the walls that it lies in.
static float friction_part(const mote_world_def *def, const double x[3]) {
  double part = 1.0;
  for (int a = 0; a < def->dimensions; ++a) {
    if (x[a] < def->low[a]) part = fmin(part, def->wall_friction_low[a]);
    if (x[a] > def->high[a]) part = fmin(part, def->wall_friction_high[a]);
  }
  return (float)part;
}

static mote_result weaken_walls(mote_world *world, mote_boundary *boundary, const mote_samples *samples,
                                mote_error *error) {
  size_t n = samples->count;
  float *part = mote_alloc(&world->env, n, sizeof *part);
  if (part == NULL && n > 0) return mote_fail_memory(error, n * sizeof *part);
  for (size_t b = 0; b < n; ++b) part[b] = friction_part(&world->def, samples->position + 3 * b);
  mote_boundary_weaken(boundary, world->walls.samples, part);
  mote_free(&world->env, part, n, sizeof *part);
  return MOTE_OK;
}

mote_result mote_collider_samples_add(mote_world *world, mote_boundary *boundary, mote_collider_item *item,
                                      bool is_body, mote_error *error) {
  const mote_world_def *def = &world->def;
  box region = sample_region(world, item, is_body);
  for (int a = 0; a < def->dimensions; ++a) {
    if (!(region.low[a] < region.high[a])) return MOTE_OK;  // outside of the domain
  }
  mote_samples samples = {0};
  mote_shape cut;
  mote_shape_node node;
  const mote_shape *shape = mote_collider_cut_shape(world, item, &cut, &node);
  MOTE_TRY(mote_shape_shell(shape, def->spacing, sample_depth(world, is_body), region.low, region.high,
                            def->particles_max, &world->env, &samples, error));
  size_t held = samples.count;
  drop_repeated(world, &region, &samples);
  mote_result result = drop_covered(world, item, &samples, error);
  if (result == MOTE_OK) {
    result = mote_boundary_add(boundary, &samples, item->friction, item->moves, &item->samples, error);
  }
  if (result == MOTE_OK && item == &world->walls) result = weaken_walls(world, boundary, &samples, error);
  if (result == MOTE_OK) result = set_belt(world, boundary, &samples, item, error);
  samples.count = held;  // as they were allocated
  mote_samples_free(&samples, &world->env);
  return result;
}
