// Neighbour lists: for each target cell, its points against the runs that may be near.
#include "base/parallel.h"
#include "search/grid.h"

#define GRAIN 64

typedef struct listing {
  const mote_grid *grid;
  const mote_cells *targets;
  const double *position, *radius;
  mote_reach reach;
  bool own;  // the targets are the grid's points
  uint64_t *first;
  uint32_t *number, *index;  // without an index only count
} listing;

static double limit2(const listing *l, uint32_t i, uint32_t j) {
  if (l->radius == NULL) return l->grid->def.radius * l->grid->def.radius;
  double r = l->reach == MOTE_REACH_SCATTER ? l->radius[j] : l->radius[i];
  if (l->reach == MOTE_REACH_SYMMETRIC && l->radius[j] > r) r = l->radius[j];
  return r * r;
}

static void list_target(const listing *l, const mote_run *run, size_t runs, uint32_t i) {
  const mote_grid *g = l->grid;
  const double *xi = l->position + 3 * (size_t)i;
  uint32_t number = 0;
  uint32_t *index = l->index == NULL ? NULL : l->index + l->first[i];
  for (size_t r = 0; r < runs; ++r) {
    for (size_t k = run[r].begin; k < run[r].end; ++k) {
      uint32_t j = g->cells.order[k];
      if (l->own && j == i) continue;
      if (mote_domain_distance2(&g->space.domain, xi, g->position + 3 * (size_t)j) > limit2(l, i, j))
        continue;
      if (index != NULL) index[number] = j;
      ++number;
    }
  }
  l->number[i] = number;
  while (index != NULL && number % 4 != 0) index[number++] = (uint32_t)g->cells.count;
}

static void list_cells(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  listing *l = data;
  const mote_cells *t = l->targets;
  mote_run run[MOTE_RUNS_MAX];
  size_t row = 0;
  while (t->row[row + 1].cell <= begin) ++row;
  for (size_t c = begin; c < end; ++c) {
    while (t->row[row + 1].cell <= c) ++row;
    int64_t cell[3] = {t->cell[c].x, t->row[row].y, t->row[row].z};
    size_t runs = mote_grid_runs(l->grid, cell, run);
    for (size_t k = t->cell[c].point; k < t->cell[c + 1].point; ++k) list_target(l, run, runs, t->order[k]);
  }
}

mote_result mote_grid_list(mote_grid *grid, const mote_cells *targets, const double *position,
                           const double *radius, mote_reach reach, mote_lists *lists, mote_error *error) {
  const mote_env *env = &grid->env;
  size_t count = targets->count;
  MOTE_TRY(mote_reserve(env, &grid->first, &grid->first_held, count + 1, sizeof *grid->first, error));
  MOTE_TRY(mote_reserve(env, &grid->number, &grid->number_held, count, sizeof *grid->number, error));
  listing l = {.grid = grid,
               .targets = targets,
               .position = position != NULL ? position : grid->position,
               .radius = radius,
               .reach = reach,
               .own = position == NULL,
               .first = grid->first,
               .number = grid->number};
  mote_parallel_for(env->threads, targets->cells, GRAIN, list_cells, &l);
  uint64_t sum = 0;
  size_t pairs = 0;
  for (size_t k = 0; k < count; ++k) {
    uint32_t i = targets->order[k];
    grid->first[i] = sum;
    pairs += grid->number[i];
    sum += (grid->number[i] + 3) / 4 * 4;
  }
  grid->first[count] = sum;
  MOTE_TRY(mote_reserve(env, &grid->index, &grid->index_held, sum, sizeof *grid->index, error));
  l.index = grid->index;
  mote_parallel_for(env->threads, targets->cells, GRAIN, list_cells, &l);
  *lists = (mote_lists){.count = count,
                        .pairs = pairs,
                        .first = grid->first,
                        .number = grid->number,
                        .index = grid->index,
                        .filler = (uint32_t)grid->cells.count};
  return MOTE_OK;
}
