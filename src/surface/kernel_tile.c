// Fields of kernels on blocks of nodes: each kernel is added to the block's tile, in ascending order, four
// nodes along x at a time. One task owns a tile, so there are no races and one order of all sums.
#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "surface/kernel_field.h"

#define SIDE MOTE_BLOCK_SIDE
#define CHECK_EVERY 64  // kernels, then it is looked whether all nodes are deep inside

static const float node_place[SIDE] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f};

// P of t = 1 - q^2.
static inline mote_lane bump_lane(mote_bump bump, mote_lane t) {
  t = mote_lane_max(t, mote_lane_splat(0.0f));
  if (bump == MOTE_BUMP_SMOOTH) return (t * t) * (t * t);
  if (bump == MOTE_BUMP_MEAN) return t * t * t;
  mote_lane outer = mote_lane_max(1.0f - mote_lane_sqrt(1.0f - t), mote_lane_splat(0.0f));
  return outer * outer * outer;
}

typedef struct span {
  int first[3], last[3];  // nodes; x: lanes
} span;

// The nodes within the kernel's box; false: none.
static inline bool node_span(const mote_local_kernel *k, span *s) {
  for (int a = 0; a < 3; ++a) {
    float low = k->centre[a] - k->half[a], high = k->centre[a] + k->half[a];
    if (!(low <= (float)(SIDE - 1) && high >= 0.0f)) return false;
    int first = low > 0.0f ? (int)low : 0;
    s->first[a] = first + ((float)first < low);
    s->last[a] = high < (float)(SIDE - 1) ? (int)high : SIDE - 1;
    if (s->first[a] > s->last[a]) return false;
  }
  s->first[0] /= MOTE_LANES;
  s->last[0] /= MOTE_LANES;
  return true;
}

// Along a row of nodes 1 - q^2 = top - (a dx + b) dx.
typedef struct row_form {
  float b, top;
  bool reached;  // q^2 < 1 somewhere
} row_form;

static inline row_form form_of_row(bool round, const mote_local_kernel *k, float dy, float dz, float per_4a) {
  row_form f;
  if (round) {
    f.b = 0.0f;
    f.top = 1.0f - k->form[0] * (dy * dy + dz * dz);
    f.reached = f.top > 0.0f;
  } else {
    f.b = k->form[1] * dy + k->form[2] * dz;
    f.top = 1.0f - ((k->form[3] * dy + k->form[4] * dz) * dy + k->form[5] * dz * dz);
    f.reached = f.top + f.b * f.b * per_4a > 0.0f;
  }
  return f;
}

// What is the same for all rows, for each lane.
typedef struct row_lane {
  mote_lane dx, adx, adx2;
} row_lane;

static inline void lanes_of(const mote_local_kernel *k, row_lane lane[SIDE / MOTE_LANES]) {
  for (int n = 0; n < SIDE / MOTE_LANES; ++n) {
    lane[n].dx = mote_lane_load(node_place + MOTE_LANES * n) - k->centre[0];
    lane[n].adx = k->form[0] * lane[n].dx;
    lane[n].adx2 = lane[n].adx * lane[n].dx;
  }
}

static inline mote_lane row_t(bool round, const row_form *f, const row_lane *lane) {
  return round ? f->top - lane->adx2 : f->top - (lane->adx + f->b) * lane->dx;
}

static inline void add_to(float *to, mote_lane what) {
  mote_lane_store(to, mote_lane_load(to) + what);
}

// Lanes first .. last of all rows that the kernel reaches; all but k, s and tile are constants.
static inline void add_rows(mote_bump bump, bool round, int first, int last, const mote_local_kernel *k,
                            const span *s, float *tile) {
  row_lane lane[SIDE / MOTE_LANES];
  lanes_of(k, lane);
  float per_4a = 0.25f / k->form[0];
  for (int z = s->first[2]; z <= s->last[2]; ++z) {
    float dz = (float)z - k->centre[2];
    for (int y = s->first[1]; y <= s->last[1]; ++y) {
      row_form f = form_of_row(round, k, (float)y - k->centre[1], dz, per_4a);
      if (!f.reached) continue;
      float *row = tile + (z * SIDE + y) * SIDE;
      for (int n = first; n <= last; ++n) {
        add_to(row + MOTE_LANES * n, k->weight * bump_lane(bump, row_t(round, &f, &lane[n])));
      }
    }
  }
}

static inline void add_bump(mote_bump bump, bool round, const mote_local_kernel *k, float *tile) {
  span s;
  if (!node_span(k, &s)) return;
  if (s.first[0] == 1) {
    add_rows(bump, round, 1, 1, k, &s, tile);
  } else if (s.last[0] == 0) {
    add_rows(bump, round, 0, 0, k, &s, tile);
  } else {
    add_rows(bump, round, 0, 1, k, &s, tile);
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

static inline void sum_tile(mote_bump bump, bool round, const mote_kernel_field *field,
                            const mote_kernel_list *list, float *tile) {
  memset(tile, 0, MOTE_BLOCK_NODES * sizeof *tile);
  bool stops = isfinite(field->inside);
  float most = (float)field->inside, level = (float)mote_sum_measure(field->isovalue);
  for (size_t n = 0; n < list->count; ++n) {
    if (stops && n % CHECK_EVERY == CHECK_EVERY - 1 && all_above(tile, most)) break;
    add_bump(bump, round, &list->kernel[n], tile);
  }
  for (int n = 0; n < MOTE_BLOCK_NODES; n += MOTE_LANES) {
    mote_lane sum = mote_lane_load(tile + n);
    if (stops) sum = mote_lane_choose(sum > most, mote_lane_splat(most), sum);
    mote_lane_store(tile + n, mote_lane_sqrt(mote_lane_sqrt(sum)) - level);
  }
}

typedef struct mean_sums {
  float w[MOTE_BLOCK_NODES], r[MOTE_BLOCK_NODES], m[3][MOTE_BLOCK_NODES];  // m: of (x - c), in cells
} mean_sums;

static void add_mean(const mote_local_kernel *k, mean_sums *sums) {
  span s;
  if (!node_span(k, &s)) return;
  row_lane lane[SIDE / MOTE_LANES];
  lanes_of(k, lane);
  for (int z = s.first[2]; z <= s.last[2]; ++z) {
    float dz = (float)z - k->centre[2];
    for (int y = s.first[1]; y <= s.last[1]; ++y) {
      float dy = (float)y - k->centre[1];
      row_form f = form_of_row(true, k, dy, dz, 0.0f);
      if (!f.reached) continue;
      for (int m = s.first[0]; m <= s.last[0]; ++m) {
        int n = (z * SIDE + y) * SIDE + MOTE_LANES * m;
        mote_lane w = bump_lane(MOTE_BUMP_MEAN, row_t(true, &f, &lane[m]));
        add_to(sums->w + n, w);
        add_to(sums->r + n, k->weight * w);
        add_to(sums->m[0] + n, w * lane[m].dx);
        add_to(sums->m[1] + n, w * dy);
        add_to(sums->m[2] + n, w * dz);
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
  MOTE_ASSERT(cell > 0.0 && value != NULL);
  MOTE_ASSERT(list->count <= list->capacity);
  bool shaped = field->shapes.count > 0;
  if (field->bump == MOTE_BUMP_MEAN) {
    mean_tile(field, list, cell, value);
  } else if (field->bump == MOTE_BUMP_DESBRUN) {
    sum_tile(MOTE_BUMP_DESBRUN, true, field, list, value);
  } else if (shaped) {
    sum_tile(MOTE_BUMP_SMOOTH, false, field, list, value);
  } else {
    sum_tile(MOTE_BUMP_SMOOTH, true, field, list, value);
  }
  clip_tile(field, cell, block, value);
}
