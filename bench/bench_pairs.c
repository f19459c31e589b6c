// The table that chooses the layout of pair loops: nanoseconds per useful pair of a density sum and of a
// pressure-gradient sum over 200,000 sorted particles with 30 neighbours, on one thread, for four layouts.
// "step" lines add the search to the passes of one DFSPH step: what a pair costs in the end.
#include <mote/search.h>
#include <stdlib.h>
#include <string.h>

#include "base/lane.h"
#include "bench.h"
#include "rows/kernel_lane.h"
#include "validate/approx/points.h"

#define PASSES 20  // loops over all pairs in one DFSPH step

typedef struct record {
  float x, y, z, w;  // w: mass in the density loop, pressure over density squared in the gradient loop
} record;

typedef struct pair_set {
  size_t count;
  float radius, spacing;
  mote_lists lists;
  record *records;       // count + 1, the last far away
  float *x, *y, *z, *w;  // the same, apart
  float *coefficient;    // per list entry: W'/r
  float *density;
  record *gradient;
  int cells;             // per axis
  uint32_t *cell_first;  // cells^3 + 1
} pair_set;

// Wendland C2 in 3D without its constants, as in kernel_lane.h, for the loops without lanes.
static inline float kernel_value(float q) {
  float u = q < 1 ? 1 - q : 0, u2 = u * u;
  return u2 * u2 * (1 + 4 * q);
}

static inline float kernel_slope(float q) {
  float u = q < 1 ? 1 - q : 0;
  return -20 * u * u * u;
}

static inline mote_lane lane_value(mote_lane q) {
  return mote_shape_lane_value(MOTE_LANE_WENDLAND_C2, q);
}

static inline mote_lane lane_slope(mote_lane q) {
  return mote_shape_lane_gradient_factor(MOTE_LANE_WENDLAND_C2, q);
}

// --- Layout 1: lists, scalar gathers from arrays of x, y, z ---

static void scalar_density(void *data) {
  pair_set *s = data;
  float scale = 1 / s->radius;
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t *list = s->lists.index + s->lists.first[i];
    float sum = s->w[i];
    for (uint32_t k = 0; k < s->lists.number[i]; ++k) {
      uint32_t j = list[k];
      float dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j], dz = s->z[i] - s->z[j];
      sum += s->w[j] * kernel_value(sqrtf(dx * dx + dy * dy + dz * dz) * scale);
    }
    s->density[i] = sum;
  }
}

static void scalar_gradient(void *data) {
  pair_set *s = data;
  float scale = 1 / s->radius;
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t *list = s->lists.index + s->lists.first[i];
    record sum = {0, 0, 0, 0};
    for (uint32_t k = 0; k < s->lists.number[i]; ++k) {
      uint32_t j = list[k];
      float dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j], dz = s->z[i] - s->z[j];
      float c = (s->w[i] + s->w[j]) * kernel_slope(sqrtf(dx * dx + dy * dy + dz * dz) * scale);
      sum.x += c * dx, sum.y += c * dy, sum.z += c * dz;
    }
    s->gradient[i] = sum;
  }
}

// --- Layout 2: lists in groups of four, neighbours gathered as 16-byte records and transposed ---

typedef struct four {
  mote_lane x, y, z, w;
} four;

static inline four gather4(const record *records, const uint32_t *list) {
  four f;
  memcpy(&f.x, records + list[0], 16);
  memcpy(&f.y, records + list[1], 16);
  memcpy(&f.z, records + list[2], 16);
  memcpy(&f.w, records + list[3], 16);
  mote_lane_transpose(&f.x, &f.y, &f.z, &f.w);
  return f;
}

static void record_density(void *data) {
  pair_set *s = data;
  mote_lane scale = mote_lane_splat(1 / s->radius);
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t *list = s->lists.index + s->lists.first[i];
    record me = s->records[i];
    mote_lane sum = mote_lane_splat(0);
    for (uint32_t k = 0; k < s->lists.number[i]; k += 4) {
      four n = gather4(s->records, list + k);
      mote_lane dx = me.x - n.x, dy = me.y - n.y, dz = me.z - n.z;
      sum += n.w * lane_value(mote_lane_sqrt(dx * dx + dy * dy + dz * dz) * scale);
    }
    s->density[i] = me.w + mote_lane_sum(sum);
  }
}

static void record_gradient(void *data) {
  pair_set *s = data;
  mote_lane scale = mote_lane_splat(1 / s->radius);
  for (size_t i = 0; i < s->count; ++i) {
    const uint32_t *list = s->lists.index + s->lists.first[i];
    record me = s->records[i];
    mote_lane sx = mote_lane_splat(0), sy = sx, sz = sx;
    for (uint32_t k = 0; k < s->lists.number[i]; k += 4) {
      four n = gather4(s->records, list + k);
      mote_lane dx = me.x - n.x, dy = me.y - n.y, dz = me.z - n.z;
      mote_lane c = (me.w + n.w) * lane_slope(mote_lane_sqrt(dx * dx + dy * dy + dz * dz) * scale);
      sx += c * dx, sy += c * dy, sz += c * dz;
    }
    s->gradient[i] = (record){mote_lane_sum(sx), mote_lane_sum(sy), mote_lane_sum(sz), 0};
  }
}

// --- Layout 3: as 2, with the kernel's coefficient W'/r stored once a step beside the index ---

static void store_coefficients(void *data) {
  pair_set *s = data;
  mote_lane scale = mote_lane_splat(1 / s->radius);
  for (size_t i = 0; i < s->count; ++i) {
    uint64_t first = s->lists.first[i];
    record me = s->records[i];
    for (uint32_t k = 0; k < s->lists.number[i]; k += 4) {
      four n = gather4(s->records, s->lists.index + first + k);
      mote_lane dx = me.x - n.x, dy = me.y - n.y, dz = me.z - n.z;
      mote_lane_store(s->coefficient + first + k,
                      lane_slope(mote_lane_sqrt(dx * dx + dy * dy + dz * dz) * scale));
    }
  }
}

static void stored_gradient(void *data) {
  pair_set *s = data;
  for (size_t i = 0; i < s->count; ++i) {
    uint64_t first = s->lists.first[i];
    record me = s->records[i];
    mote_lane sx = mote_lane_splat(0), sy = sx, sz = sx;
    for (uint32_t k = 0; k < s->lists.number[i]; k += 4) {
      four n = gather4(s->records, s->lists.index + first + k);
      mote_lane c = (me.w + n.w) * mote_lane_load(s->coefficient + first + k);
      sx += c * (me.x - n.x), sy += c * (me.y - n.y), sz += c * (me.z - n.z);
    }
    s->gradient[i] = (record){mote_lane_sum(sx), mote_lane_sum(sy), mote_lane_sum(sz), 0};
  }
}

// --- Layout 4: no lists; four targets of a cell side by side against the cell's candidates ---

// Calls `visit` on the runs of sorted particles that may be near cell c: rows of three cells along x.
typedef void run_visitor(pair_set *s, uint32_t begin, uint32_t end, uint32_t target, four *sum);

static void visit_cell(pair_set *s, int cx, int cy, int cz, run_visitor *visit, four *sum, uint32_t target) {
  int n = s->cells, x0 = cx > 0 ? cx - 1 : 0, x1 = cx < n - 1 ? cx + 1 : n - 1;
  for (int z = cz > 0 ? cz - 1 : 0; z <= cz + 1 && z < n; ++z) {
    for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < n; ++y) {
      int row = (z * n + y) * n;
      visit(s, s->cell_first[row + x0], s->cell_first[row + x1 + 1], target, sum);
    }
  }
}

static inline four four_targets(const pair_set *s, uint32_t target) {
  four t;
  memcpy(&t.x, s->x + target, 16);
  memcpy(&t.y, s->y + target, 16);
  memcpy(&t.z, s->z + target, 16);
  memcpy(&t.w, s->w + target, 16);
  return t;
}

static void run_density(pair_set *s, uint32_t begin, uint32_t end, uint32_t target, four *sum) {
  four t = four_targets(s, target);
  mote_lane scale = mote_lane_splat(1 / s->radius);
  for (uint32_t j = begin; j < end; ++j) {
    mote_lane dx = t.x - s->x[j], dy = t.y - s->y[j], dz = t.z - s->z[j];
    sum->w += s->w[j] * lane_value(mote_lane_sqrt(dx * dx + dy * dy + dz * dz) * scale);
  }
}

static void run_gradient(pair_set *s, uint32_t begin, uint32_t end, uint32_t target, four *sum) {
  four t = four_targets(s, target);
  mote_lane scale = mote_lane_splat(1 / s->radius);
  for (uint32_t j = begin; j < end; ++j) {
    mote_lane dx = t.x - s->x[j], dy = t.y - s->y[j], dz = t.z - s->z[j];
    mote_lane c = (t.w + s->w[j]) * lane_slope(mote_lane_sqrt(dx * dx + dy * dy + dz * dz) * scale);
    sum->x += c * dx, sum->y += c * dy, sum->z += c * dz;
  }
}

static void all_cells(pair_set *s, run_visitor *visit) {
  for (int cell = 0; cell < s->cells * s->cells * s->cells; ++cell) {
    int cx = cell % s->cells, cy = cell / s->cells % s->cells, cz = cell / s->cells / s->cells;
    for (uint32_t i = s->cell_first[cell]; i < s->cell_first[cell + 1]; i += 4) {
      four sum = {0};
      visit_cell(s, cx, cy, cz, visit, &sum, i);
      for (uint32_t k = 0; k < 4 && i + k < s->cell_first[cell + 1]; ++k) {
        s->density[i + k] = sum.w[k];
        s->gradient[i + k] = (record){sum.x[k], sum.y[k], sum.z[k], 0};
      }
    }
  }
}

static void cell_density(void *data) {
  all_cells(data, run_density);
}

static void cell_gradient(void *data) {
  all_cells(data, run_gradient);
}

// --- The set ---

static void *take(size_t count, size_t size) {
  void *block = calloc(count, size);
  if (block == NULL) abort();
  return block;
}

static int cell_of(const pair_set *s, const double *p) {
  int c[3];
  for (int axis = 0; axis < 3; ++axis) c[axis] = (int)(p[axis] / (double)s->radius);
  return (c[2] * s->cells + c[1]) * s->cells + c[0];
}

// Positions in the order of the cells of layout 4, which is a good order for the lists as well.
static double *sort_by_cell(pair_set *s, const points *set) {
  size_t cells = (size_t)s->cells * (size_t)s->cells * (size_t)s->cells;
  s->cell_first = take(cells + 2, sizeof(uint32_t));
  double *sorted = take(3 * set->count, sizeof(double));
  for (size_t i = 0; i < set->count; ++i) ++s->cell_first[cell_of(s, set->position + 3 * i) + 2];
  for (size_t c = 2; c < cells + 2; ++c) s->cell_first[c] += s->cell_first[c - 1];
  for (size_t i = 0; i < set->count; ++i) {
    size_t to = s->cell_first[cell_of(s, set->position + 3 * i) + 1]++;
    memcpy(sorted + 3 * to, set->position + 3 * i, 3 * sizeof(double));
  }
  return sorted;
}

static void fill_arrays(pair_set *s, const double *sorted) {
  size_t padded = s->count + 4;
  s->records = take(padded, sizeof(record));
  s->x = take(padded, sizeof(float)), s->y = take(padded, sizeof(float));
  s->z = take(padded, sizeof(float)), s->w = take(padded, sizeof(float));
  s->density = take(padded, sizeof(float)), s->gradient = take(padded, sizeof(record));
  for (size_t i = 0; i < padded; ++i) {
    const double far[3] = {1e6, 1e6, 1e6}, *p = i < s->count ? sorted + 3 * i : far;
    s->x[i] = (float)p[0], s->y[i] = (float)p[1], s->z[i] = (float)p[2], s->w[i] = 1 + (float)(i % 7) * 0.01f;
    s->records[i] = (record){s->x[i], s->y[i], s->z[i], s->w[i]};
  }
}

typedef struct search_run {
  mote_grid *grid;
  const double *position;
  size_t count;
  mote_lists *lists;
  mote_error error;
} search_run;

static void search(void *data) {
  search_run *r = data;
  if (mote_grid_build(r->grid, r->position, r->count, &r->error) == MOTE_OK) {
    mote_grid_neighbours(r->grid, r->lists, &r->error);
  }
}

static void free_set(pair_set *s) {
  void *blocks[] = {s->records,     s->x,       s->y,        s->z,         s->w,
                    s->coefficient, s->density, s->gradient, s->cell_first};
  for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; ++k) free(blocks[k]);
}

// Bytes of one pass: lists and records are read once (records stay in cache between neighbours), sums
// written.
static double pass_bytes(const pair_set *s, double per_entry, double per_target) {
  return per_entry * (double)s->lists.first[s->count] + per_target * (double)s->count;
}

typedef struct pass {
  const char *name;
  void (*run)(void *);
  double operations;  // per pair, at least
  double per_entry;   // bytes of list per entry
} pass;

typedef struct timing {
  double seconds, floor;
} timing;

static timing time_pass(bench *b, pair_set *s, const pass *p) {
  double seconds = bench_seconds(b, p->run, s);
  double bytes = bench_floor_bytes(b, pass_bytes(s, p->per_entry, 32), 1);
  double operations = bench_floor_operations(b, p->operations * (double)s->lists.pairs, 1);
  bench_report(b, &(bench_line){.name = p->name,
                                .particles = s->count,
                                .threads = 1,
                                .seconds = seconds,
                                .pairs = (double)s->lists.pairs,
                                .floor = bytes > operations ? bytes : operations,
                                .floor_of = bytes > operations ? "bytes" : "operations of useful pairs"});
  return (timing){seconds, bytes > operations ? bytes : operations};
}

#define LAYOUTS 4

static const pass layouts[LAYOUTS][2] = {
    {{"scalar list: density", scalar_density, 17, 4}, {"scalar list: gradient", scalar_gradient, 20, 4}},
    {{"records by four: density", record_density, 17, 4},
     {"records by four: gradient", record_gradient, 20, 4}},
    {{"stored coefficient: preparing it", store_coefficients, 13, 8},
     {"stored coefficient: gradient", stored_gradient, 11, 8}},
    {{"four targets, no lists: density", cell_density, 17, 0},
     {"four targets, no lists: gradient", cell_gradient, 20, 0}}};

// What one DFSPH step of PASSES loops is made of: searches, and times of each pass.
static const struct step {
  const char *name;
  int searches, times[LAYOUTS][2];
} steps[] = {{"step, scalar lists: per pair and pass", 1, {[0] = {PASSES / 2, PASSES / 2}}},
             {"step, records by four: per pair and pass", 1, {[1] = {PASSES / 2, PASSES / 2}}},
             {"step, stored coefficient: per pair and pass", 1, {[1] = {1, 0}, [2] = {1, PASSES - 2}}},
             {"step, no lists: per pair and pass", 0, {[3] = {PASSES / 2, PASSES / 2}}}};

static timing time_search(bench *b, pair_set *s, search_run *r) {
  double seconds = bench_seconds(b, search, r);
  timing t = {seconds, bench_floor_bytes(b, pass_bytes(s, 4, 48), 1)};
  bench_report(b, &(bench_line){.name = "search: build and lists",
                                .particles = s->count,
                                .threads = 1,
                                .seconds = seconds,
                                .pairs = (double)s->lists.pairs,
                                .floor = t.floor,
                                .floor_of = "positions read, lists written once"});
  return t;
}

static void run_layouts(bench *b, pair_set *s, search_run *r) {
  timing found = time_search(b, s, r), each[LAYOUTS][2];
  s->coefficient = take(s->lists.first[s->count], sizeof(float));
  for (int k = 0; k < 2 * LAYOUTS; ++k) each[k / 2][k % 2] = time_pass(b, s, &layouts[k / 2][k % 2]);
  for (size_t n = 0; n < sizeof steps / sizeof steps[0]; ++n) {
    timing sum = {steps[n].searches * found.seconds, steps[n].searches * found.floor};
    for (int k = 0; k < 2 * LAYOUTS; ++k) {
      sum.seconds += steps[n].times[k / 2][k % 2] * each[k / 2][k % 2].seconds;
      sum.floor += steps[n].times[k / 2][k % 2] * each[k / 2][k % 2].floor;
    }
    bench_report(b, &(bench_line){.name = steps[n].name,
                                  .particles = s->count,
                                  .threads = 1,
                                  .seconds = sum.seconds,
                                  .pairs = PASSES * (double)s->lists.pairs,
                                  .floor = sum.floor,
                                  .floor_of = "floors of its parts"});
  }
}

static void pair_loops(bench *b) {
  points set = points_packing(3, bench_quick(b) ? 30 : 58, 1, 0.1, 1);
  pair_set s = {.count = set.count, .spacing = 1, .radius = 2.0f};
  s.cells = (int)(set.size[0] / (double)s.radius) + 1;
  double *sorted = sort_by_cell(&s, &set);
  fill_arrays(&s, sorted);
  mote_env env = mote_env_default();
  env.threads = 1;
  mote_grid_def def = mote_grid_def_default((double)s.radius);
  search_run r = {.position = sorted, .count = s.count, .lists = &s.lists};
  mote_error error = {0};
  if (mote_grid_create(&def, &env, &r.grid, &error) != MOTE_OK) {
    bench_error(b, &error);
  } else {
    search(&r);
    if (r.error.code != MOTE_OK) {
      bench_error(b, &r.error);
    } else {
      run_layouts(b, &s, &r);
    }
    mote_grid_destroy(r.grid);
  }
  free(sorted);
  free_set(&s);
  points_free(&set);
}

const bench_case bench_pair_cases[] = {
    {"pairs", "approx", "pair loops: 195,112 particles, about 30 neighbours, one thread, four layouts",
     pair_loops},
    {0}};
