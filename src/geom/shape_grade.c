// Filling that is coarse inside: of a cubic filling, blocks of 2^l particles along each axis become one
// particle where they are deep enough. A block's fate follows from its place alone.
#include "base/parallel.h"
#include "geom/packing.h"
#include "geom/shape_fill.h"

typedef struct grade {
  const mote_shape *shape;
  const mote_samples *fine;
  double basis[9], low[3];  // of the packing: its axes and first particle
  const double *step;
  double depth;
  int levels;
  int8_t *level;  // of each particle, -1: it is part of another's block
} grade;

static int levels_of(int most) {
  int levels = 0;
  while (most > 1 << levels) ++levels;
  return levels;
}

static double step_length(const double step[3], int dimensions) {
  double square = 0.0;
  for (int k = 0; k < dimensions; ++k) square += step[k] * step[k];
  return sqrt(square);
}

// How deep the middle of a block of level l must lie: all its particles are so deep that below them is room
// for belts of equal numbers of layers, each twice as coarse as the one above. Distances are no steeper
// than 1.
static double depth_of(double depth, double step, int level) {
  double size = (double)(1 << level) - 1.0;
  return size * (depth + 0.5 * step);
}

// Of the point in the packing's basis.
static void place_of(const grade *g, const double x[3], double y[3]) {
  unturn3(g->basis, x, y);
}

// From the first particle of a block to its middle.
static void to_middle(const grade *g, int level, double out[3]) {
  double size = (double)(1 << level) - 1.0, y[3] = {0};
  for (int k = 0; k < g->shape->dimensions; ++k) y[k] = 0.5 * size * g->step[k];
  turn3(g->basis, y, out);
}

// The largest block that holds the particle; -1 unless it is the first of the block.
static int level_of(const grade *g, const double x[3]) {
  double y[3], middle[3], step = step_length(g->step, g->shape->dimensions);
  place_of(g, x, y);
  for (int level = g->levels; level > 0; --level) {
    double size = (double)(1 << level), within[3] = {0};
    bool first = true;
    for (int k = 0; k < g->shape->dimensions; ++k) {
      double index = floor((y[k] - g->low[k]) / g->step[k] + 0.5), rest = index - size * floor(index / size);
      within[k] = -rest * g->step[k];
      first = first && rest == 0.0;
    }
    turn3(g->basis, within, within);
    step3(x, 1.0, within, within);
    to_middle(g, level, middle);
    step3(within, 1.0, middle, middle);
    if (mote_shape_distance(g->shape, middle) <= -depth_of(g->depth, step, level)) return first ? level : -1;
  }
  return 0;
}

static void level_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const grade *g = data;
  for (size_t i = begin; i < end; ++i) g->level[i] = (int8_t)level_of(g, g->fine->position + 3 * i);
}

static void find_low(grade *g) {
  set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, g->low);
  for (size_t i = 0; i < g->fine->count; ++i) {
    double y[3];
    place_of(g, g->fine->position + 3 * i, y);
    for (int k = 0; k < 3; ++k) g->low[k] = min2(g->low[k], y[k]);
  }
}

// Volumes by their number of cells.
static void place_blocks(const grade *g, double volume, mote_samples *out) {
  size_t at = 0;
  double cells = 0.0;
  for (size_t i = 0; i < g->fine->count; ++i) {
    double middle[3];
    if (g->level[i] < 0) continue;
    to_middle(g, g->level[i], middle);
    step3(g->fine->position + 3 * i, 1.0, middle, out->position + 3 * at);
    out->volume[at] = (double)((size_t)1 << (g->level[i] * g->shape->dimensions));
    cells += out->volume[at++];
  }
  for (size_t i = 0; i < out->count; ++i) out->volume[i] *= volume / cells;
}

mote_result mote_fill_grade(const mote_shape *shape, const double step[3], int most, double depth,
                            double volume, const mote_samples *fine, const mote_env *env, mote_samples *out,
                            mote_error *error) {
  MOTE_ASSERT(most >= 1);
  MOTE_ASSERT(depth >= 0.0);
  MOTE_ASSERT(fine->position != NULL || fine->count == 0);
  MOTE_ASSERT(out != fine);
  grade g = {.shape = shape, .fine = fine, .step = step, .depth = depth, .levels = levels_of(most)};
  MOTE_ALLOC(g.level, env, fine->count, error);
  mote_packing_basis(shape, g.basis);
  find_low(&g);
  mote_parallel_for(env->threads, fine->count, 256, level_chunk, &g);
  size_t count = 0;
  for (size_t i = 0; i < fine->count; ++i) count += g.level[i] >= 0;
  mote_result result = mote_samples_alloc(env, count, out, error);
  if (result == MOTE_OK) place_blocks(&g, volume, out);
  mote_free(env, g.level, fine->count, sizeof *g.level);
  return result;
}

double mote_shape_fill_graded_estimate(const mote_shape *shape, double spacing, int grading, double depth) {
  double count = mote_shape_fill_estimate(shape, spacing);
  if (!(count < HUGE_VAL)) return count;
  double same[3] = {spacing, spacing, spacing}, step = step_length(same, shape->dimensions);
  for (int level = 1; level <= levels_of(grading); ++level) {
    mote_packing_plan plan;
    mote_packing packing = mote_packing_fitted(shape, (double)(1 << level) * spacing, 0.0);
    double blocks =
        (double)mote_packing_count(shape, &packing, -HUGE_VAL, -depth_of(depth, step, level), &plan);
    count -= blocks * (double)((1 << shape->dimensions) - 1);
  }
  return count;
}
