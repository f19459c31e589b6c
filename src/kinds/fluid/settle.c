// Settling a filling: see settle.h. The densities of a relaxed filling scatter by a per cent. Where they
// exceed 1 the solvers push, and where they are below nothing pulls, so a free body would swell. Here the
// excess is taken away by moves alone, as in Macklin & Mueller 2013 (8)-(12): the constraint D_i <= 1 with
// lambda_i = max(0, D_i - 1)/sum_k |grad_k D_i|^2 moves particle i by
//   dx_i = -w sum_j (lambda_i + lambda_j) V grad W_ij, w = 1/2 since all neighbours move as well.
// What is too dense as a whole would take as many sweeps as (R/d)^2, so the volume grows by half of the mean
// excess in each. (A quarter: ten times the excess is left. 1: the volume ends 0.3 % larger.)
#include "kinds/fluid/settle.h"

#include <string.h>

#include "approx/kernel.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "pairs/pairs.h"

#define SETTLE_SWEEPS 30  // the mean excess falls from 0.2 to 0.8 % to at most 2e-5; with half of them 1.3e-4

typedef struct settling {
  mote_pair_kernel kernel;
  mote_lists lists;
  double volume;
  double middle[3], growth;  // of all samples, and what their distances from there grow by in a sweep
  double *from, *to;         // positions
  double *lambda;
} settling;

static void excess_chunk(void *data, size_t begin, size_t end, double *term) {
  const settling *s = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    const double *x = s->from + 3 * i;
    double D = mote_pair_value(&s->kernel, 0.0), squares = 0.0, g[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < s->lists.number[i]; ++k) {
      double apart[3];
      sub3(x, s->from + 3 * s->lists.index[s->lists.first[i] + k], apart);
      double r = length3(apart), c = mote_pair_gradient_factor(&s->kernel, r);
      D += mote_pair_value(&s->kernel, r);
      squares += c * c * r * r;
      step3(g, c, apart, g);
    }
    double V = s->volume, excess = V * D - 1.0;
    squares += g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    s->lambda[i] = excess > 0.0 && squares > 0.0 ? excess / (V * V * squares) : 0.0;
    term[0] = excess > 0.0 ? excess : 0.0;
  }
}

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const settling *s = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->from + 3 * i;
    double move[3] = {0.0, 0.0, 0.0}, away[3];
    for (size_t k = 0; k < s->lists.number[i]; ++k) {
      size_t j = s->lists.index[s->lists.first[i] + k];
      double apart[3], lambda = s->lambda[i] + s->lambda[j];
      if (lambda == 0.0) continue;
      sub3(x, s->from + 3 * j, apart);
      step3(move, -lambda * s->volume * mote_pair_gradient_factor(&s->kernel, length3(apart)), apart, move);
    }
    step3(x, 0.5, move, move);
    sub3(x, s->middle, away);
    step3(move, s->growth, away, s->to + 3 * i);
  }
}

static void find_middle(settling *s, size_t count) {
  for (size_t i = 0; i < count; ++i) step3(s->middle, 1.0 / (double)count, s->from + 3 * i, s->middle);
}

static void sweep_all(settling *s, size_t count, int threads) {
  for (int k = 0; k < SETTLE_SWEEPS; ++k) {
    double excess = 0.0;
    mote_parallel_sum(threads, count, 1, excess_chunk, s, &excess);
    if (excess == 0.0) return;
    s->growth = 0.5 * excess / ((double)count * s->kernel.dimensions);
    mote_parallel_for(threads, count, MOTE_FLUID_GRAIN, move_chunk, s);
    double *moved = s->to;
    s->to = s->from, s->from = moved;
  }
}

static mote_result settle_within(mote_world *world, mote_grid *grid, mote_samples *samples, size_t count,
                                 mote_error *error) {
  mote_arena *scratch = &world->scratch;
  mote_fluid_make_kernel(&world->fluid);
  settling s = {.kernel = mote_kernel_ready(&world->fluid.kernel),
                .volume = samples->volume[0],
                .from = samples->position};
  MOTE_TAKE(s.to, scratch, 3 * count, error);
  MOTE_TAKE(s.lambda, scratch, count, error);
  MOTE_TRY(mote_grid_build(grid, samples->position, count, error));
  MOTE_TRY(mote_grid_neighbours(grid, &s.lists, error));
  find_middle(&s, count);
  sweep_all(&s, count, world->env.threads);
  if (s.from != samples->position) memcpy(samples->position, s.from, 3 * count * sizeof *s.from);
  return MOTE_OK;
}

mote_result mote_settle_samples(mote_world *world, mote_samples *samples, size_t count, mote_error *error) {
  MOTE_ASSERT(samples != NULL && count <= samples->count);
  MOTE_ASSERT(world->fluid.support > 0.0);
  mote_grid_def def = mote_grid_def_default(world->fluid.support);
  def.domain = mote_domain_open(world->def.dimensions);
  mote_grid *grid;
  MOTE_TRY(mote_grid_create(&def, &world->env, &grid, error));
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = settle_within(world, grid, samples, count, error);
  mote_arena_release(&world->scratch, mark);
  mote_grid_destroy(grid);
  return result;
}
