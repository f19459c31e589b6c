// Stage heat: conduction over one step (heat/conduction.h), with walls, colliders and rigid bodies that have
// a temperature, with the air at free surfaces, and with sources. Reads position, mass and the derived arrays
// of world->fluid; writes enthalpy, temperature, liquid_fraction.
#include <math.h>
#include <mote/geom.h>

#include "base/parallel.h"
#include "fluid/free_surface.h"
#include "heat/heat_surface.h"
#include "heat/tuning.inc"
#include "matter/bodies.h"
#include "matter/colliders.h"
#include "matter/kind.h"
#include "matter/world_heat.h"
#include "stages/stages.h"

#define PARTICLES_PER_TASK 1024

typedef struct gathering {
  mote_world *world;
  mote_heat_rows rows;
  double *volume, *mass, *conductance, *heat;
  uint32_t *kind;
  mote_lists lists;
  double t;
  const uint8_t *mark;  // of fluid rows at free surfaces
  size_t obstacles;     // of world->obstacle
} gathering;

static mote_result take_rows(gathering *g, mote_error *error) {
  mote_world *world = g->world;
  size_t count = mote_world_store(world)->count[0], materials = mote_world_items(world, MOTE_ITEM_MATERIAL);
  MOTE_TAKE_NEW(double, all, &world->scratch, 4 * count, error);
  MOTE_TAKE_NEW(mote_heat_law, law, &world->scratch, materials, error);
  MOTE_TAKE(g->kind, &world->scratch, count, error);
  g->volume = all, g->mass = all + count, g->conductance = all + 2 * count, g->heat = all + 3 * count;
  for (size_t k = 0; k < materials; ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (mote_material_properties(def)->is_filled) law[k] = mote_material_heat_law(def);
  }
  g->rows = (mote_heat_rows){.count = count,
                             .position = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION),
                             .volume = g->volume,
                             .mass = g->mass,
                             .kind = g->kind,
                             .law = law,
                             .conductance = g->conductance,
                             .heat = g->heat,
                             .enthalpy = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_ENTHALPY)};
  return MOTE_OK;
}

static void fill_block(void *user, size_t first, size_t count, const mote_material_def *material,
                       uint32_t number) {
  gathering *g = user;
  mote_kind_particles p = mote_kind_particles_of(g->world, mote_kind_of_particle(g->world, first));
  bool frozen = mote_material_properties(material)->is_lattice && first >= mote_world_fluid_rows(g->world);
  double density =
      frozen && !isnan(material->lattice.solid_density) ? material->lattice.solid_density : material->density;
  for (size_t i = first; i < first + count; ++i) {
    g->mass[i] = mote_kind_mass(&p, i - p.first);
    g->volume[i] = g->mass[i] / density;
    g->conductance[i] = g->heat[i] = 0.0;
    g->kind[i] = number;
  }
}

// --- Walls ------------------------------------------------------------------------------------------------

// An obstacle or rigid body with a temperature, in its current pose.
typedef struct warm_obstacle {
  gathering *g;
  const char *name;
  const mote_quantity *temperature;
  const mote_shape *shape;  // null: the side of the domain
  mote_pose pose;           // of the shape
  bool own_place;           // the temperature is a function of the place in the defined pose
  double low[3], high[3];   // of the shape there
  int axis;                 // of the side: at `at`, and the world lies in direction `sign`
  double at, sign;
  size_t wrong[MOTE_THREADS_MAX];  // by worker: the lowest row where its formula failed
} warm_obstacle;

// Distance; infinite: out of range. `place`: the nearest point of its surface.
static double distance_to(const warm_obstacle *s, const double x[3], double place[3], double most) {
  for (int a = 0; a < 3; ++a) place[a] = x[a];
  if (s->shape == NULL) {
    place[s->axis] = s->at;
    return s->sign * (x[s->axis] - s->at);
  }
  double own[3], normal[3];
  mote_pose_unapply(&s->pose, x, own);
  for (int a = 0; a < s->g->world->def.dimensions; ++a)
    if (own[a] < s->low[a] - most || own[a] > s->high[a] + most) return HUGE_VAL;
  if (s->temperature->formula == NULL) return mote_shape_distance(s->shape, own);
  double distance = mote_shape_closest(s->shape, own, normal);
  for (int a = 0; a < 3; ++a) own[a] -= distance * normal[a];
  if (s->own_place) {
    for (int a = 0; a < 3; ++a) place[a] = own[a];
  } else {
    mote_pose_apply(&s->pose, own, place);
  }
  return distance;
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  warm_obstacle *s = data;
  gathering *g = s->g;
  const mote_heat_kernel *kernel = &g->world->heat.kernel;
  for (size_t i = begin; i < end; ++i) {
    double variable[4];
    double distance = distance_to(s, g->rows.position + 3 * i, variable, kernel->kernel.radius);
    if (distance >= kernel->kernel.radius) continue;
    variable[3] = g->t;
    double T = mote_quantity_at(s->temperature, variable);
    double C = g->rows.law[g->kind[i]].conductivity * g->volume[i] * mote_heat_kernel_wall(kernel, distance);
    if (!(T >= 0.0 && T <= 1e5)) {
      if (i < s->wrong[worker]) s->wrong[worker] = i;
      continue;
    }
    g->conductance[i] += C;
    g->heat[i] += C * T;
  }
}

static mote_result add_obstacle(warm_obstacle *s, mote_error *error) {
  gathering *g = s->g;
  if (!mote_temperature_is_set(s->temperature)) return MOTE_OK;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) s->wrong[w] = SIZE_MAX;
  if (s->shape != NULL) mote_shape_bounds(s->shape, s->low, s->high);
  mote_parallel_for(g->world->env.threads, g->rows.count, PARTICLES_PER_TASK, wall_chunk, s);
  size_t wrong = SIZE_MAX;
  for (int w = 0; w < MOTE_THREADS_MAX; ++w) wrong = s->wrong[w] < wrong ? s->wrong[w] : wrong;
  if (wrong == SIZE_MAX) return MOTE_OK;
  const double *x = g->rows.position + 3 * wrong;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "\"%s\" has no temperature from 0 to 1e5 K near (%g, %g, %g)",
                   s->name, x[0], x[1], x[2]);
}

static mote_result add_sides(warm_obstacle *s, mote_error *error) {
  const mote_world_def *def = &s->g->world->def;
  s->name = "walls", s->temperature = &s->g->world->walls.temperature;
  if (s->g->world->walls.shape == NULL) return MOTE_OK;
  for (int side = 0; side < 2 * def->dimensions; ++side) {
    s->axis = side / 2;
    if (def->side[s->axis][side % 2] != MOTE_SIDE_WALL) continue;
    s->at = side % 2 == 0 ? def->low[s->axis] : def->high[s->axis], s->sign = side % 2 == 0 ? 1.0 : -1.0;
    MOTE_TRY(add_obstacle(s, error));
  }
  return MOTE_OK;
}

static mote_result add_walls(gathering *g, mote_error *error) {
  mote_world *world = g->world;
  MOTE_TAKE_NEW(warm_obstacle, s, &world->scratch, 1, error);
  *s = (warm_obstacle){.g = g};
  MOTE_TRY(add_sides(s, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    const mote_collider_item *item = mote_collider_at(world, k);
    s->name = item->name, s->temperature = &item->temperature, s->shape = item->shape;
    s->pose = mote_motion_at(item->motion, g->t);
    MOTE_TRY(add_obstacle(s, error));
  }
  s->own_place = true;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    for (size_t k = 0; row->temperature != NULL && k < mote_world_items(world, kind); ++k) {
      s->name = mote_kind_item_at(world, (mote_kind)kind, k)->name;
      s->temperature = row->temperature(world, k), s->shape = mote_kind_shape(world, (mote_kind)kind, k);
      if (row->pose(world, k, &s->pose)) MOTE_TRY(add_obstacle(s, error));
    }
  }
  return MOTE_OK;
}

// --- Air --------------------------------------------------------------------------------------------------

static inline void lose_to_air(gathering *g, size_t i, double area) {
  const mote_air_def *air = &g->world->def.air;
  g->conductance[i] += air->heat_transfer * area;
  g->heat[i] += air->heat_transfer * area * air->temperature;
}

// Fluids: by the sums of their pressure solve, in which walls and bodies have samples.
static void fluid_air_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  gathering *g = data;
  const mote_fluid *f = &g->world->fluid;
  for (size_t i = begin; i < end; ++i) {
    if (g->mark[i] != MOTE_MARK_SURFACE) continue;
    double square = 0.0;
    for (size_t k = 3 * i; k < 3 * i + 3; ++k) {
      double slope = (double)f->gradient[k] + (double)f->wall[k];
      square += slope * slope;
    }
    double faces = mote_heat_faces(f->domain.dimensions, (double)f->relative[i],
                                   sqrt(square) / (double)f->surface.gradient[0]);
    lose_to_air(g, i, faces * g->volume[i] / f->spacing);
  }
}

// Elastic and lattice bodies: by the sums of conduction, walls as half spaces.
static void nonfluid_air_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  gathering *g = data;
  mote_world *world = g->world;
  const mote_heat_kernel *kernel = &world->heat.kernel;
  size_t fluid = mote_world_fluid_rows(world);
  for (size_t i = begin + fluid; i < end + fluid; ++i) {
    double D, slope[3];
    mote_heat_sum(&g->rows, kernel, &world->domain, &g->lists, i, &D, slope);
    if (D > MOTE_HEAT_SURFACE_VALUE) continue;
    for (size_t k = 0; k < g->obstacles; ++k) {
      double normal[3], value, by;
      double distance = mote_obstacle_distance(&world->obstacle[k], 0.0, g->rows.position + 3 * i, normal);
      mote_heat_kernel_wall_part(kernel, distance, &value, &by);
      D += value;
      for (int a = 0; a < 3; ++a) slope[a] -= by * normal[a];
    }
    double size = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
    if (D > MOTE_HEAT_SURFACE_VALUE) continue;
    double faces = mote_heat_faces(world->def.dimensions, D, size / kernel->surface_slope);
    lose_to_air(g, i, faces * g->volume[i] / kernel->spacing);
  }
}

static mote_result add_air(gathering *g, mote_error *error) {
  mote_world *world = g->world;
  size_t fluid = mote_world_fluid_rows(world);
  if (!(world->def.air.temperature > 0.0)) return MOTE_OK;
  if (fluid > 0) {
    uint8_t *mark;
    MOTE_TRY(mote_free_surface_take(&world->fluid, &mark, error));
    g->mark = mark;
    mote_parallel_for(world->env.threads, fluid, PARTICLES_PER_TASK, fluid_air_chunk, g);
  }
  MOTE_TRY(mote_colliders_obstacles(world, 0.0, &g->obstacles, error));
  mote_parallel_for(world->env.threads, g->rows.count - fluid, PARTICLES_PER_TASK, nonfluid_air_chunk, g);
  return MOTE_OK;
}

// --- Sources and the whole --------------------------------------------------------------------------------

static mote_result add_sources(gathering *g, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(g->world, MOTE_ITEM_FORCE); ++k) {
    const mote_force_item *item = mote_force_at(g->world, k);
    size_t bad = mote_field_force_heat(item->force, g->t, g->rows.count, g->rows.position, g->volume, g->heat,
                                       g->world->env.threads);
    if (bad == SIZE_MAX) continue;
    const double *x = g->rows.position + 3 * bad;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the heating of \"%s\" is no finite number at (%g, %g, %g)",
                     item->name, x[0], x[1], x[2]);
  }
  return MOTE_OK;
}

// Held particles with a prescribed temperature.
static void keep_temperatures(gathering *g) {
  const mote_world *world = g->world;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    mote_kind_particles p = mote_kind_particles_of(world, (mote_kind)kind);
    const mote_kind_row *row = world->kind[kind];
    for (size_t i = 0; row->kept_temperature != NULL && p.hold != NULL && i < p.count; ++i) {
      if (p.hold[i] == 0) continue;
      double T = row->kept_temperature(world, p.label[i], p.hold[i]);
      size_t at = p.first + i;
      if (!isnan(T)) g->rows.enthalpy[at] = mote_heat_enthalpy(&g->rows.law[g->kind[at]], T, false);
    }
  }
}

// The source that takes most from the row; null: none takes anything.
static const char *coldest_source(const gathering *g, size_t row) {
  const char *name = NULL;
  double least = 0.0;
  for (size_t k = 0; k < mote_world_items(g->world, MOTE_ITEM_FORCE); ++k) {
    const mote_force_item *item = mote_force_at(g->world, k);
    double heat = 0.0;
    mote_field_force_heat(item->force, g->t, 1, g->rows.position + 3 * row, g->volume + row, &heat, 1);
    if (heat < least) least = heat, name = item->name;
  }
  return name;
}

// Walls and air, which are at 0 K at least, cannot cool below that; a heating that is negative can. No
// shorter step would help: the failure is no NUMERIC one.
static mote_result check_temperatures(const gathering *g, mote_error *error) {
  size_t row = 0;
  while (row < g->rows.count && !(g->rows.enthalpy[row] < 0.0)) ++row;
  const char *source = row < g->rows.count ? coldest_source(g, row) : NULL;
  if (source == NULL) return MOTE_OK;
  mote_kind kind = mote_kind_of_particle(g->world, row);
  mote_kind_particles p = mote_kind_particles_of(g->world, kind);
  char name[MOTE_BODY_NAME_SIZE] = "matter";
  mote_body_place place;
  uint32_t label = p.label[row - p.first];
  if (label > 0 && mote_bodies_find(g->world, label - 1, &place)) mote_bodies_name(g->world, place, name);
  return mote_fail(error, MOTE_ERROR_ARGUMENT,
                   "\"%s\" is cooled below 0 K at %.6g s by the heating of \"%s\", which is negative", name,
                   g->t + g->world->dt, source);
}

static mote_result make_grid(mote_world *world, mote_error *error) {
  if (world->heat.grid != NULL) return MOTE_OK;
  world->heat.kernel = mote_heat_kernel_make(world->def.dimensions, world->def.spacing);
  mote_grid_def def = mote_heat_grid_def(&world->domain, &world->heat.kernel);
  return mote_grid_create(&def, &world->env, &world->heat.grid, error);
}

mote_result mote_stage_heat(mote_world *world, mote_error *error) {
  if (!world->def.heat || mote_world_store(world)->count[0] == 0) return MOTE_OK;
  gathering g = {.world = world, .t = *mote_state_f64(&world->now, MOTE_WORLD_TIME)};
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  MOTE_TRY(make_grid(world, error));
  MOTE_TRY(take_rows(&g, error));
  mote_heat_blocks(world, fill_block, &g);
  MOTE_TRY(mote_grid_build(world->heat.grid, g.rows.position, g.rows.count, error));
  MOTE_TRY(mote_grid_neighbours(world->heat.grid, &g.lists, error));
  MOTE_TRY(add_walls(&g, error));
  MOTE_TRY(add_air(&g, error));
  MOTE_TRY(add_sources(&g, error));
  MOTE_TRY(mote_heat_conduct(&g.rows, &world->heat.kernel, &world->domain, &g.lists, world->dt,
                             world->env.threads, &world->scratch, &world->heat.report, error));
  MOTE_TRY(check_temperatures(&g, error));
  keep_temperatures(&g);
  mote_arena_release(&world->scratch, mark);
  mote_heat_refresh(world);
  return MOTE_OK;
}
