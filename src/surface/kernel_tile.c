// Fields of kernels on blocks of nodes: each kernel is added to the block's tile, in ascending order, four
// nodes along x at a time. One task owns a tile, so there are no races and one order of all sums.
#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "surface/kernel_field.h"

#define SIDE MOTE_BLOCK_SIDE
#define CHECK_EVERY 64  // kernels, then it is looked whether all nodes are deep inside

static const float node_place[SIDE] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f};

static inline mote_lane bump_lane(mote_bump bump, mote_lane q2) {
  mote_lane zero = mote_lane_splat(0.0f);
  if (bump == MOTE_BUMP_SMOOTH || bump == MOTE_BUMP_MEAN) {
    mote_lane t = mote_lane_max(1.0f - q2, zero);
    return t * t * t;
  }
  mote_lane q = mote_lane_sqrt(mote_lane_max(q2, zero)), outer = mote_lane_max(1.0f - q, zero);
  if (bump == MOTE_BUMP_DESBRUN) return outer * outer * outer;
  mote_lane inner = mote_lane_max(1.0f - 2.0f * q, zero);
  return 2.0f * (outer * outer * outer) - inner * inner * inner;
}

typedef struct span {
  int first[3], last[3];  // nodes; x: lanes
} span;

// The nodes within the kernel's box; false: none.
static inline bool node_span(const mote_local_kernel *k, span *s) {
  for (int a = 0; a < 3; ++a) {
    float low = ceilf(k->centre[a] - k->half[a]), high = floorf(k->centre[a] + k->half[a]);
    s->first[a] = low > 0.0f ? (int)low : 0;
    s->last[a] = high < (float)(SIDE - 1) ? (int)high : SIDE - 1;
    if (low > (float)(SIDE - 1) || high < 0.0f || s->first[a] > s->last[a]) return false;
  }
  s->first[0] /= MOTE_LANES;
  s->last[0] /= MOTE_LANES;
  return true;
}

// q^2 along a row of nodes is (a dx + b) dx + c.
typedef struct row_form {
  float a, b, c;
  bool reached;  // q^2 < 1 somewhere
} row_form;

static inline row_form form_of_row(const mote_local_kernel *k, float dy, float dz, float per_4a) {
  row_form f = {.a = k->form[0], .b = k->form[1] * dy + k->form[2] * dz};
  f.c = (k->form[3] * dy + k->form[4] * dz) * dy + k->form[5] * dz * dz;
  f.reached = f.c - f.b * f.b * per_4a < 1.0f;
  return f;
}

static inline mote_lane row_q2(const row_form *f, mote_lane dx) {
  return (f->a * dx + f->b) * dx + f->c;
}

static inline void add_bump(mote_bump bump, const mote_local_kernel *k, float *tile) {
  span s;
  if (!node_span(k, &s)) return;
  float per_4a = 0.25f / k->form[0];
  for (int z = s.first[2]; z <= s.last[2]; ++z) {
    for (int y = s.first[1]; y <= s.last[1]; ++y) {
      row_form f = form_of_row(k, (float)y - k->centre[1], (float)z - k->centre[2], per_4a);
      if (!f.reached) continue;
      float *row = tile + (z * SIDE + y) * SIDE;
      for (int lane = s.first[0]; lane <= s.last[0]; ++lane) {
        mote_lane dx = mote_lane_load(node_place + MOTE_LANES * lane) - k->centre[0];
        mote_lane sum = mote_lane_load(row + MOTE_LANES * lane);
        sum += k->weight * bump_lane(bump, row_q2(&f, dx));
        mote_lane_store(row + MOTE_LANES * lane, sum);
      }
    }
  }
}

static bool all_above(const float *tile, float least) {
  mote_lane lowest = mote_lane_load(tile);
  for (int n = MOTE_LANES; n < MOTE_BLOCK_NODES; n += MOTE_LANES) {
    mote_lane value = mote_lane_load(tile + n);
    lowest = mote_lane_choose(value < lowest, value, lowest);
  }
  return lowest[0] > least && lowest[1] > least && lowest[2] > least && lowest[3] > least;
}

static inline void sum_tile(mote_bump bump, const mote_kernel_field *field, const mote_kernel_list *list,
                            float *tile) {
  memset(tile, 0, MOTE_BLOCK_NODES * sizeof *tile);
  bool stops = isfinite(field->inside);
  float most = (float)field->inside, isovalue = (float)field->isovalue;
  for (size_t n = 0; n < list->count; ++n) {
    if (stops && n % CHECK_EVERY == CHECK_EVERY - 1 && all_above(tile, most)) break;
    add_bump(bump, &list->kernel[n], tile);
  }
  for (int n = 0; n < MOTE_BLOCK_NODES; ++n) {
    tile[n] = (stops && tile[n] > most ? most : tile[n]) - isovalue;
  }
}

typedef struct mean_sums {
  float w[MOTE_BLOCK_NODES], r[MOTE_BLOCK_NODES], m[3][MOTE_BLOCK_NODES];  // m: of (c - x), in cells
} mean_sums;

static inline void add_to(float *to, mote_lane what) {
  mote_lane_store(to, mote_lane_load(to) + what);
}

static void add_mean(const mote_local_kernel *k, mean_sums *sums) {
  span s;
  if (!node_span(k, &s)) return;
  float per_4a = 0.25f / k->form[0];
  for (int z = s.first[2]; z <= s.last[2]; ++z) {
    for (int y = s.first[1]; y <= s.last[1]; ++y) {
      float dy = (float)y - k->centre[1], dz = (float)z - k->centre[2];
      row_form f = form_of_row(k, dy, dz, per_4a);
      if (!f.reached) continue;
      for (int lane = s.first[0]; lane <= s.last[0]; ++lane) {
        int n = (z * SIDE + y) * SIDE + MOTE_LANES * lane;
        mote_lane dx = mote_lane_load(node_place + MOTE_LANES * lane) - k->centre[0];
        mote_lane w = bump_lane(MOTE_BUMP_MEAN, row_q2(&f, dx));
        add_to(sums->w + n, w);
        add_to(sums->r + n, k->weight * w);
        add_to(sums->m[0] + n, -(w * dx));
        add_to(sums->m[1] + n, w * -dy);
        add_to(sums->m[2] + n, w * -dz);
      }
    }
  }
}

static void mean_tile(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                      float *tile) {
  mean_sums sums;
  memset(&sums, 0, sizeof sums);
  for (size_t n = 0; n < list->count; ++n) add_mean(&list->kernel[n], &sums);
  float per_d = (float)(1.0 / field->set->spacing), cell_per_d = (float)(cell / field->set->spacing);
  for (int n = 0; n < MOTE_BLOCK_NODES; ++n) {
    float w = sums.w[n], x = sums.m[0][n], y = sums.m[1][n], z = sums.m[2][n];
    float length = sqrtf(x * x + y * y + z * z);
    float value = (sums.r[n] * per_d - length * cell_per_d) / w - (float)field->isovalue;
    tile[n] = w > 0.0f && isfinite(value) ? value : (float)field->outside;
  }
}

static void clip_tile(const mote_kernel_field *field, double cell, const int32_t block[3], float *tile) {
  float side[3][SIDE];
  bool cut = false;
  for (int a = 0; a < 3; ++a) {
    for (int n = 0; n < SIDE; ++n) {
      double place = (block[a] * (double)SIDE + n) * cell;
      double low = place - field->clip_low[a], high = field->clip_high[a] - place;
      side[a][n] = (float)((low < high ? low : high) * field->clip_slope);
      cut = cut || isfinite(side[a][n]);
    }
  }
  if (!cut) return;
  for (int n = 0; n < MOTE_BLOCK_NODES; ++n) {
    float x = side[0][n % SIDE], y = side[1][n / SIDE % SIDE], z = side[2][n / (SIDE * SIDE)];
    float least = x < y ? x : y;
    least = z < least ? z : least;
    tile[n] = least < tile[n] ? least : tile[n];
  }
}

void mote_kernel_tile(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                      const int32_t block[3], float value[MOTE_BLOCK_NODES]) {
  switch (field->bump) {
    case MOTE_BUMP_SPLINE: sum_tile(MOTE_BUMP_SPLINE, field, list, value); break;
    case MOTE_BUMP_DESBRUN: sum_tile(MOTE_BUMP_DESBRUN, field, list, value); break;
    case MOTE_BUMP_SMOOTH: sum_tile(MOTE_BUMP_SMOOTH, field, list, value); break;
    case MOTE_BUMP_MEAN: mean_tile(field, list, cell, value); break;
  }
  clip_tile(field, cell, block, value);
}
