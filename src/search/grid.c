// Grid search (EG09 5.2): public functions. Points are sorted by cell (cells.c), lists made in neighbours.c.
#include "search/grid.h"

#include <math.h>
#include <string.h>

#include "search/tuning.inc"
#include "search/walk.h"

mote_grid_def mote_grid_def_default(double radius) {
  return (mote_grid_def){.domain = mote_domain_open(3), .radius = radius, .cell_size = radius};
}

mote_result mote_grid_create(const mote_grid_def *def, const mote_env *env, mote_grid **out,
                             mote_error *error) {
  if (def == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "def and out must not be NULL");
  }
  MOTE_TRY(mote_domain_check(&def->domain, def->radius, error));
  if (!(def->cell_size > 0.0 && def->cell_size <= 1e150)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a cell size is positive and at most 1e150, not %g",
                     def->cell_size);
  }
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_grid, grid, &resolved, 1, error);
  *grid = (mote_grid){.env = resolved, .def = *def};
  for (int a = def->domain.dimensions; a < 3; ++a) grid->def.domain.periodic[a] = false;
  mote_result result = mote_grid_build(grid, NULL, 0, error);
  if (result != MOTE_OK) {
    mote_grid_destroy(grid);
    return result;
  }
  *out = grid;
  return MOTE_OK;
}

void mote_grid_destroy(mote_grid *grid) {
  if (grid == NULL) return;
  mote_env env = grid->env;
  mote_cells_destroy(&grid->cells, &env);
  mote_cells_destroy(&grid->others, &env);
  mote_cells_destroy(&grid->some, &env);
  mote_lists_block_destroy(&grid->lists, &env);
  mote_free(&env, grid, 1, sizeof *grid);
}

size_t mote_grid_bytes(const mote_grid *grid) {
  return sizeof *grid + mote_cells_bytes(&grid->cells) + mote_cells_bytes(&grid->others) +
         mote_cells_bytes(&grid->some) + mote_lists_block_bytes(&grid->lists);
}

const uint32_t *mote_grid_order(const mote_grid *grid) {
  return grid->cells.order;
}

static mote_result check_points(const mote_grid *grid, const double *position, size_t count, double low[3],
                                double high[3], mote_error *error) {
  if (position == NULL && count > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "%zu points, but no positions", count);
  }
  MOTE_TRY(mote_domain_count(count, "points", error));
  return mote_domain_bounds(&grid->def.domain, position, count, grid->env.threads, low, high, error);
}

mote_space mote_grid_space(const mote_grid_def *def, const double low[3], const double high[3]) {
  MOTE_ASSERT(def->radius > 0.0);
  double edge = fmax(def->cell_size, CELL_EDGE_MIN * def->radius);
  return mote_space_make(&def->domain, low, high, def->radius, edge);
}

mote_result mote_grid_build(mote_grid *grid, const double *position, size_t count, mote_error *error) {
  if (grid == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the grid is null");
  double low[3], high[3];
  MOTE_TRY(check_points(grid, position, count, low, high, error));
  return mote_grid_build_within(grid, position, count, low, high, error);
}

mote_result mote_grid_build_within(mote_grid *grid, const double *position, size_t count, const double low[3],
                                   const double high[3], mote_error *error) {
  MOTE_ASSERT(grid != NULL && (position != NULL || count == 0));
  grid->space = mote_grid_space(&grid->def, low, high);
  return mote_cells_build(&grid->cells, &grid->env, &grid->space, position, count, grid->borrows, low, high,
                          error);
}

static mote_result check_radii(const mote_grid *grid, const double *radius, size_t count, mote_error *error) {
  for (size_t i = 0; i < count; ++i) {
    if (!(radius[i] >= 0.0 && radius[i] <= grid->def.radius)) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "radius %zu is %g, but the grid was made for 0 to %g", i,
                       radius[i], grid->def.radius);
    }
  }
  return MOTE_OK;
}

static mote_result check_call(const mote_grid *grid, const mote_lists *lists, mote_reach reach,
                              mote_error *error) {
  if (grid == NULL || lists == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the grid or the result is null");
  }
  bool known = reach == MOTE_REACH_GATHER || reach == MOTE_REACH_SCATTER || reach == MOTE_REACH_SYMMETRIC;
  return known ? MOTE_OK : mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no reach %d", (int)reach);
}

static mote_listing listing_of(mote_grid *grid, bool others, const double *radius, mote_reach reach) {
  return (mote_listing){.space = others ? &grid->other_space : &grid->space,
                        .points = &grid->cells,
                        .targets = others ? &grid->others : &grid->cells,
                        .radius = radius,
                        .reach = radius == NULL ? MOTE_REACH_GATHER : reach,
                        .threads = grid->env.threads,
                        .out = &grid->lists};
}

static mote_result make_lists(mote_grid *grid, bool others, const double *radius, mote_reach reach,
                              mote_lists *lists, mote_error *error) {
  mote_listing listing = listing_of(grid, others, radius, reach);
  MOTE_TRY(mote_listing_find(&listing, &grid->env, error));
  return mote_listing_keep(&listing, &grid->env, lists, error);
}

mote_result mote_grid_neighbours(mote_grid *grid, mote_lists *lists, mote_error *error) {
  MOTE_TRY(check_call(grid, lists, MOTE_REACH_GATHER, error));
  return make_lists(grid, false, NULL, MOTE_REACH_GATHER, lists, error);
}

mote_result mote_grid_neighbours_radii(mote_grid *grid, const double *radius, mote_reach reach,
                                       mote_lists *lists, mote_error *error) {
  MOTE_TRY(check_call(grid, lists, reach, error));
  if (radius == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "no radii were given");
  MOTE_TRY(check_radii(grid, radius, grid->cells.count, error));
  return make_lists(grid, false, radius, reach, lists, error);
}

// Sorts query points into the grid's cells.
static mote_result sort_others(mote_grid *grid, const double *position, size_t count, mote_error *error) {
  double low[3], high[3];
  MOTE_TRY(check_points(grid, position, count, low, high, error));
  grid->other_space = grid->space;
  mote_space_extend(&grid->other_space, low, high);
  return mote_cells_build(&grid->others, &grid->env, &grid->other_space, position, count, grid->borrows, low,
                          high, error);
}

mote_result mote_grid_neighbours_at(mote_grid *grid, const double *position, size_t count,
                                    const double *radius, mote_reach reach, mote_lists *lists,
                                    mote_error *error) {
  MOTE_TRY(check_call(grid, lists, reach, error));
  if (radius != NULL && reach == MOTE_REACH_SYMMETRIC) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "radii belong to the query points or to the grid's, not to both");
  }
  if (radius != NULL) {
    MOTE_TRY(check_radii(grid, radius, reach == MOTE_REACH_GATHER ? count : grid->cells.count, error));
  }
  MOTE_TRY(sort_others(grid, position, count, error));
  return make_lists(grid, true, radius, reach, lists, error);
}

mote_result mote_grid_find(mote_grid *grid, const double *position, size_t count, mote_arena *scratch,
                           mote_listing *out, mote_error *error) {
  MOTE_ASSERT(grid != NULL && out != NULL);
  MOTE_ASSERT(position != NULL || count == 0);
  if (position != NULL) MOTE_TRY(sort_others(grid, position, count, error));
  *out = listing_of(grid, position != NULL, NULL, MOTE_REACH_GATHER);
  out->scratch = scratch;
  return mote_listing_find(out, &grid->env, error);
}

mote_result mote_grid_find_some(mote_grid *grid, const uint8_t *wanted, mote_arena *scratch,
                                mote_listing *out, mote_error *error) {
  MOTE_ASSERT(grid != NULL && out != NULL);
  MOTE_ASSERT(wanted != NULL || grid->cells.count == 0);
  MOTE_TRY(mote_cells_select(&grid->some, &grid->env, &grid->cells, wanted, error));
  *out = listing_of(grid, false, NULL, MOTE_REACH_GATHER);
  out->targets = &grid->some;
  out->scratch = scratch;
  return mote_listing_find(out, &grid->env, error);
}

mote_result mote_grid_borrow(mote_grid *grid, mote_error *error) {
  MOTE_ASSERT(grid != NULL);
  MOTE_ASSERT(grid->cells.count == 0);
  mote_cells_destroy(&grid->cells, &grid->env);
  grid->cells = (mote_cells){.count = 0};
  grid->borrows = true;
  return mote_grid_build(grid, NULL, 0, error);
}

void mote_grid_trim(mote_grid *grid) {
  MOTE_ASSERT(grid != NULL);
  mote_cells_trim(&grid->cells, &grid->env);
}

size_t mote_grid_query(const mote_grid *grid, const double x[3], double radius, uint32_t *index,
                       size_t capacity) {
  mote_walk walk;
  int64_t cell[3];
  uint32_t fixed_position[3];
  double at[3] = {0.0, 0.0, 0.0}, y[3];
  if (!(radius >= 0.0) || !mote_domain_holds(&grid->def.domain, x)) return 0;
  for (int a = 0; a < grid->def.domain.dimensions; ++a) at[a] = x[a];
  mote_space space = grid->space;
  mote_space_extend(&space, at, at);
  mote_space_cell(&space, at, cell, fixed_position);
  mote_walk_at(&walk, &space, &grid->cells, cell);
  size_t found = 0;
  for (size_t r = 0; r < walk.runs; ++r) {
    for (size_t k = walk.run[r].begin; k < walk.run[r].end; ++k) {
      mote_cells_point(&grid->cells, &grid->def.domain, k, y);
      double d2 = mote_domain_distance2(&grid->def.domain, at, y);
      if (!(d2 <= radius * radius)) continue;
      if (found < capacity) index[found] = grid->cells.order[k];
      ++found;
    }
  }
  return found;
}
