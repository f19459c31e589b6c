// Data derived from the definitions: see prepare_world.h.
//
// Samples are needed wherever fluid can be: in the domain. A collider is sampled within its own bounds and,
// if static, within those of the domain; if it moves, over one period at most; if both are unbounded (a half
// space in an open world) within the bounds of all items, enlarged on all sides by their largest extent.
// Beyond, particles still cannot penetrate, but slide without the pressure of a wall.
#include "world/prepare_world.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "commands/steering.h"
#include "fluid/sound_speed.h"
#include "geom/shape_tree.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/lattice/lattice_bodies.h"
#include "material/fluid_law.h"
#include "material/tension_plane.h"
#include "matter/belt.h"
#include "matter/collider_images.h"
#include "matter/colliders.h"
#include "scene/def_check.h"

#define BODY_FRICTION 1.0   // fluids stick to bodies
#define SAME_SAMPLE 1e-6    // spacings: samples that near are one
#define BELT_SAMPLES 64     // of a belt that varies, at which its speed is looked for
#define SPEED_SAMPLES 1024  // of a formula, over
#define SPEED_SECONDS 64.0  // from its beginning

typedef struct box {
  double low[3], high[3];
} box;

// --- Bounds
// ---------------------------------------------------------------------------------------------------

static double largest_extent(const box *b, int dimensions) {
  double largest = 0.0;
  for (int a = 0; a < dimensions; ++a) largest = fmax(largest, b->high[a] - b->low[a]);
  return largest;
}

// --- Samples
// --------------------------------------------------------------------------------------------------

// Depth of the samples: the support of the fluid's kernel. A body has one more layer, out of reach of the
// fluid but not of the samples above it: the empty part of their neighbourhood counts as available to fluid
// (wall_filled.h), so without this layer their volume would be too small and the body would displace less
// than its volume.
static double sample_depth(const mote_world *world, bool is_body) {
  return world->fluid.support + (is_body ? world->def.spacing : 0.0);
}

// Region in which a collider is sampled; for a body one spacing beyond its bounds, for cells cut by its
// surface.
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

// The speed of a varying belt is estimated at a few of its samples, over the first seconds.
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
          mote_belt_speed(world, item, samples->position + 3 * b, 1, SPEED_SECONDS * k / SPEED_SAMPLES);
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

// Where colliders overlap, only one is sampled: samples inside of walls, or of a collider that was added
// before, are dropped. Samples of double density would cause spurious pressures.
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

// If a whole period is sampled, samples at its upper end are images of those at its lower end.
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

// Friction factor of a sample of the domain's walls: the smallest of the walls that it lies in.
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

static mote_result add_samples(mote_world *world, mote_boundary *boundary, mote_collider_item *item,
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

// Movable obstacles have their own moving samples; all others are part of the walls.
static mote_result add_body_samples(mote_world *world, mote_boundary *boundary, size_t k, mote_error *error) {
  mote_rigid_item *rigid = mote_rigid_at(world, k);
  mote_shape *shape = mote_body_at(world, rigid->body)->shape;
  mote_collider_item item = {.name = rigid->name, .shape = shape, .friction = BODY_FRICTION};
  item.moves = mote_rigid_moves(&rigid->rigid);
  mote_result result = mote_fail_within(error, add_samples(world, boundary, &item, true, error), "shape");
  if (result != MOTE_OK) return mote_fail_in_list(error, result, "bodies", item.name, k);
  rigid->samples = item.samples;
  if (!item.moves) return MOTE_OK;
  return mote_boundary_set_owner(boundary, item.samples, (uint32_t)k + 1, error);
}

// The particles of an elastic body are its samples.
static mote_result add_elastic_samples(mote_world *world, mote_boundary *boundary, size_t k,
                                       mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_samples samples = {item->elastic->count, item->rest, item->elastic->whole_volume};
  item->samples = (mote_boundary_range){.moving = true};
  if (!mote_world_flows(world)) return MOTE_OK;
  MOTE_TRY(mote_boundary_add(boundary, &samples, BODY_FRICTION, true, &item->samples, error));
  uint32_t owner = (uint32_t)(mote_world_items(world, MOTE_KIND_RIGID) + k) + 1;
  return mote_boundary_set_owner(boundary, item->samples, owner, error);
}

static mote_result fill_boundary(mote_world *world, mote_boundary *boundary, mote_error *error) {
  if (world->walls.shape != NULL) MOTE_TRY(add_samples(world, boundary, &world->walls, false, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    mote_collider_item *item = mote_collider_at(world, k);
    mote_result result = mote_fail_within(error, add_samples(world, boundary, item, false, error), "shape");
    if (result != MOTE_OK) return mote_fail_in_list(error, result, "colliders", item->name, k);
  }
  bool fluid = mote_world_fluid_rows(world) > 0 || mote_world_flows(world);
  for (size_t k = 0; fluid && k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    MOTE_TRY(add_body_samples(world, boundary, k, error));
  }
  MOTE_TRY(mote_lattice_add_samples(world, boundary, error));  // those of elastic bodies are the last
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    MOTE_TRY(add_elastic_samples(world, boundary, k, error));
  }
  return MOTE_OK;
}

static mote_result make_boundary(mote_world *world, mote_error *error) {
  mote_boundary *boundary;
  MOTE_TRY(mote_boundary_create(&world->domain, world->fluid.support, &world->env, &boundary, error));
  mote_result result = fill_boundary(world, boundary, error);
  if (result != MOTE_OK) {
    mote_boundary_destroy(boundary);
    return result;
  }
  mote_boundary_destroy(world->boundary);
  world->boundary = boundary;
  return MOTE_OK;
}

// --- Speeds
// ---------------------------------------------------------------------------------------------------

// From all definitions, including removed items, except belts.
static double fastest_collider(const mote_world *world) {
  double most = world->walls.belt_speed;
  const mote_collider_item *collider = world->item[MOTE_ITEM_COLLIDER].data;
  for (size_t n = 0; n < world->item[MOTE_ITEM_COLLIDER].all; ++n) most = fmax(most, collider[n].own_speed);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    const mote_collider_item *item = mote_collider_at(world, k);
    most = fmax(most, item->own_speed + item->belt_speed);
  }
  return most;
}

// Squared speed from twice the capillary pressure over the density: the speed of a drop driven by it.
static double capillary_speed2(const mote_world *world) {
  double most = 0.0, R = world->fluid.support, strength = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (!(def->surface_tension > 0.0)) continue;
    if (world->def.solver.tension == MOTE_TENSION_MESH) {  // a drop of 4 spacings
      most = fmax(most, def->surface_tension / (world->def.spacing * def->density));
      continue;
    }
    if (strength == 0.0) {
      mote_tension_plane plane = mote_tension_plane_make(&world->def.solver, world->def.dimensions);
      strength = plane.strength * plane.share;
    }
    double p = mote_tension_cohesion(world->def.dimensions, R, strength * def->surface_tension);
    most = fmax(most, 2.0 * p / def->density);
  }
  return most;
}

// Initial speeds of bodies, the speed of a fall from top to bottom, speeds of emitters and colliders; a
// static scene still settles by a spacing per step.
static double expected_speed(const mote_world *world, double stirring) {
  const mote_world_def *def = &world->def;
  double fall = mote_world_fall(world, world->steering.gravity), start = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY); ++k) {
    start = fmax(start, mote_body_at(world, k)->speed);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    start = fmax(start, mote_emitter_at(world, k)->own_speed);
  }
  double speed = sqrt(2.0 * fall + start * start + capillary_speed2(world)) + stirring;
  return speed > 0.0 ? speed : def->spacing / def->solver.step_max;
}

// Integrated densities start from the initial pressures of the bodies.
static mote_result begin_densities(mote_world *world, mote_error *error) {
  const mote_solver_def *s = &world->def.solver;
  const mote_store *store = mote_world_store(world);
  if (store->count[MOTE_GROUP_FOLLOWED] == 0 || mote_world_steps(world) > 0) return MOTE_OK;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    const mote_block *block = &store->block[b];
    const float *p = mote_store_f32(store, MOTE_PARTICLE_PRESSURE) + block->first[MOTE_GROUP_FLUID];
    float *out = mote_store_f32(store, MOTE_PARTICLE_COMPRESSION) + block->first[MOTE_GROUP_FOLLOWED];
    double rho0 = mote_material_at(world, b)->def.density;
    double c = mote_sound_at_density(&world->fluid, rho0);
    double K = mote_law_stiffness(rho0, c, s->exponent);
    for (size_t i = 0; i < block->count; ++i) {
      if (p[i] == 0.0f) continue;
      double D = mote_law_relative(s, mote_law_zeta(s), K, (double)p[i]);
      if (!(D > 0.0)) {
        return mote_fail_key(error, "bodies", "no density has the pressure %g Pa: K is %g Pa", (double)p[i],
                             K);
      }
      out[i] = (float)(D - 1.0);
    }
  }
  return MOTE_OK;
}

// The largest rest density of fluids with the solver's equation of state; 0: they have only one.
static double densest_fluid(const mote_world *world) {
  double most = 0.0, least = HUGE_VAL;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (def->model != MOTE_KIND_FLUID || def->stiffness > 0.0) continue;
    most = fmax(most, def->density), least = fmin(least, def->density);
  }
  return most > least ? most : 0.0;
}

mote_result mote_world_make_ready(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->now.tables >= MOTE_TABLES);
  MOTE_TRY(mote_elastic_bodies_load_references(world, error));
  if (world->ready) return mote_lattice_samples_suffice(world) ? MOTE_OK : make_boundary(world, error);
  MOTE_TRY(make_boundary(world, error));
  mote_steering *steering = &world->steering;
  steering->own_stirring = fastest_collider(world);
  steering->own_speed = expected_speed(world, steering->own_stirring);
  mote_steering_expect_speed(world);
  world->fluid.sound_speed = mote_law_sound_speed(steering->own_speed, world->def.solver.compression);
  world->fluid.densest = densest_fluid(world);
  MOTE_TRY(begin_densities(world, error));
  MOTE_TRY(mote_elastic_bodies_make(world, error));
  world->ready = true;
  return MOTE_OK;
}
