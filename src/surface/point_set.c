// The particles of a surface in bins: see point_set.h.
#include "surface/point_set.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "search/domain.h"
#include "search/radix.h"
#include "surface/tuning.inc"

#define PARTICLES_PER_TASK 4096
#define BIN_SPACINGS 2  // bin_edge / d: about eight particles, the reach of most kernels
#define FARTHEST_BIN 0x1p30

// --- Images -----------------------------------------------------------------------------------------------

typedef struct image_span {
  int first[3], last[3];  // periods to shift by
} image_span;

typedef struct build {
  const mote_surface_particles *particles;
  const mote_point_set_opts *opts;
  double low[3], high[3];  // of the positions, wrapped along periodic axes
  double origin[3], bin_edge;
  int64_t bin_low[3];
  uint64_t stride[2];  // of y and z in keys
  size_t count;
  double *unsorted;     // relative; null where there are no images: taken from the particles
  uint32_t *given_row;  // of each unsorted point; null: its number
  uint64_t *key;
  uint32_t *order;
  double *position;
  float *volume;
  uint32_t *row;
} build;

static double wrapped(const mote_domain *domain, int axis, double x) {
  if (!domain->periodic[axis]) return x;
  double low = domain->low[axis], period = domain->high[axis] - low;
  double turned = x - period * floor((x - low) / period);
  if (turned < low) turned = low;
  return turned >= domain->high[axis] ? low : turned;
}

// How far an image of x may be shifted, and still lie within `pad` of the periodic box.
static image_span images_of(const build *b, const double *x) {
  const mote_domain *domain = b->opts->domain;
  image_span span = {{0, 0, 0}, {0, 0, 0}};
  for (int a = 0; a < 3; ++a) {
    if (!domain->periodic[a]) continue;
    double period = domain->high[a] - domain->low[a], inside = wrapped(domain, a, x[a]) - domain->low[a];
    span.first[a] = -(int)floor((inside + b->opts->pad) / period);
    span.last[a] = (int)floor((period - inside + b->opts->pad) / period);
  }
  return span;
}

static size_t image_count(const image_span *span) {
  size_t count = 1;
  for (int a = 0; a < 3; ++a) count *= (size_t)(span->last[a] - span->first[a] + 1);
  return count;
}

static bool is_periodic(const mote_domain *domain) {
  return domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
}

static mote_result count_points(build *b, mote_error *error) {
  size_t count = b->particles->count;
  if (is_periodic(b->opts->domain)) {
    size_t total = 0;
    for (size_t i = 0; i < count; ++i) {
      image_span span = images_of(b, b->particles->position + 3 * i);
      total += image_count(&span);
    }
    count = total;
  }
  b->count = count;
  return mote_domain_count(count, "points with their images", error);
}

// The particle itself comes first of all its images only by chance: their order is that of the shifts.
static void write_images(build *b) {
  const mote_domain *domain = b->opts->domain;
  double period[3];
  for (int a = 0; a < 3; ++a) period[a] = domain->periodic[a] ? domain->high[a] - domain->low[a] : 0.0;
  size_t k = 0;
  for (size_t i = 0; i < b->particles->count; ++i) {
    const double *given = b->particles->position + 3 * i;
    image_span span = images_of(b, given);
    double x[3];
    for (int a = 0; a < 3; ++a) x[a] = wrapped(domain, a, given[a]) - b->origin[a];
    for (int w = span.first[2]; w <= span.last[2]; ++w) {
      for (int v = span.first[1]; v <= span.last[1]; ++v) {
        for (int u = span.first[0]; u <= span.last[0]; ++u, ++k) {
          b->unsorted[3 * k] = x[0] + u * period[0];
          b->unsorted[3 * k + 1] = x[1] + v * period[1];
          b->unsorted[3 * k + 2] = x[2] + w * period[2];
          b->given_row[k] = (uint32_t)i;
        }
      }
    }
  }
}

// --- Bins -------------------------------------------------------------------------------------------------

static mote_result find_bounds(build *b, mote_error *error) {
  const mote_domain *domain = b->opts->domain;
  MOTE_TRY(mote_domain_bounds(domain, b->particles->position, b->particles->count, b->opts->threads, b->low,
                              b->high, error));
  for (int a = 0; a < 3; ++a) {
    if (domain->periodic[a]) {
      b->low[a] = domain->low[a] - b->opts->pad;
      b->high[a] = domain->high[a] + b->opts->pad;
    }
    double step = b->opts->origin_step;
    b->origin[a] = floor(b->low[a] / step) * step;
  }
  return MOTE_OK;
}

static mote_result choose_bins(build *b, mote_error *error) {
  b->bin_edge = BIN_SPACINGS * b->opts->spacing;
  uint64_t size[3];
  for (int a = 0; a < 3; ++a) {
    // One bin more to either side: rounding may carry a point beyond its bounds.
    double first = floor((b->low[a] - b->origin[a]) / b->bin_edge) - 1.0;
    double last = floor((b->high[a] - b->origin[a]) / b->bin_edge) + 1.0;
    if (!(first > -FARTHEST_BIN && last < FARTHEST_BIN)) {
      return mote_fail_key(error, "spacing", "the particles spread over more than 2^30 times their spacing");
    }
    b->bin_low[a] = (int64_t)first;
    size[a] = (uint64_t)(last - first) + 1;
  }
  if ((double)size[0] * (double)size[1] * (double)size[2] >= 0x1p63) {
    return mote_fail_key(error, "spacing",
                         "the particles spread over more than 2^63 of their spacings cubed");
  }
  b->stride[0] = size[0];
  b->stride[1] = size[0] * size[1];
  return MOTE_OK;
}

static void relative(const build *b, size_t k, double x[3]) {
  for (int a = 0; a < 3; ++a) {
    x[a] = b->unsorted != NULL ? b->unsorted[3 * k + a] : b->particles->position[3 * k + a] - b->origin[a];
  }
}

static void key_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const build *b = data;
  double per_edge = 1.0 / b->bin_edge;
  for (size_t k = begin; k < end; ++k) {
    double x[3];
    relative(b, k, x);
    uint64_t at[3];
    for (int a = 0; a < 3; ++a) at[a] = (uint64_t)((int64_t)floor(x[a] * per_edge) - b->bin_low[a]);
    b->key[k] = at[0] + at[1] * b->stride[0] + at[2] * b->stride[1];
    b->order[k] = (uint32_t)k;
  }
}

static void place_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const build *b = data;
  const float *volume = b->particles->volume;
  for (size_t k = begin; k < end; ++k) {
    size_t from = b->order[k];
    relative(b, from, b->position + 3 * k);
    b->row[k] = b->given_row != NULL ? b->given_row[from] : (uint32_t)from;
    if (volume != NULL) b->volume[k] = volume[b->row[k]];
  }
}

// The sort's spare memory is that of the positions, which are written later: half of it is enough.
static mote_result sort_points(build *b, mote_arena *arena, mote_error *error) {
  mote_radix radix = {.threads = b->opts->threads, .count = b->count, .key = b->key, .value = b->order};
  radix.spare_key = (uint64_t *)(void *)b->position;
  radix.spare_value = (uint32_t *)(void *)(radix.spare_key + b->count);
  MOTE_TAKE(radix.histogram, arena, MOTE_RADIX_HISTOGRAM, error);
  mote_parallel_for(b->opts->threads, b->count, PARTICLES_PER_TASK, key_task, b);
  uint64_t greatest = 0;
  for (size_t k = 0; k < b->count; ++k) greatest = b->key[k] > greatest ? b->key[k] : greatest;
  int bits = greatest == 0 ? 0 : 64 - __builtin_clzll(greatest);
  mote_radix_sort(&radix, bits);
  if (radix.key != b->key) {
    memcpy(b->key, radix.key, b->count * sizeof *b->key);
    memcpy(b->order, radix.value, b->count * sizeof *b->order);
  }
  mote_parallel_for(b->opts->threads, b->count, PARTICLES_PER_TASK, place_task, b);
  return MOTE_OK;
}

static void count_bins(const build *b, size_t *bins, size_t *rows) {
  uint64_t last = UINT64_MAX, last_row = UINT64_MAX;
  *bins = *rows = 0;
  for (size_t k = 0; k < b->count; ++k) {
    if (b->key[k] == last) continue;
    last = b->key[k];
    ++*bins;
    if (last / b->stride[0] != last_row) ++*rows;
    last_row = last / b->stride[0];
  }
}

static mote_result list_bins(const build *b, mote_arena *arena, mote_point_set *set, mote_error *error) {
  size_t bins, rows;
  count_bins(b, &bins, &rows);
  MOTE_TAKE_NEW(int32_t, at, arena, 3 * bins, error);
  MOTE_TAKE_NEW(uint32_t, first, arena, bins + 1, error);
  MOTE_TAKE_NEW(mote_point_row, row, arena, rows + 1, error);
  size_t bin = 0, n = 0;
  for (size_t k = 0; k < b->count; ++k) {
    if (k > 0 && b->key[k] == b->key[k - 1]) continue;
    uint64_t key = b->key[k], z = key / b->stride[1], y = key % b->stride[1] / b->stride[0];
    at[3 * bin] = (int32_t)((int64_t)(key % b->stride[0]) + b->bin_low[0]);
    at[3 * bin + 1] = (int32_t)((int64_t)y + b->bin_low[1]);
    at[3 * bin + 2] = (int32_t)((int64_t)z + b->bin_low[2]);
    if (n == 0 || row[n - 1].y != at[3 * bin + 1] || row[n - 1].z != at[3 * bin + 2]) {
      row[n++] = (mote_point_row){at[3 * bin + 1], at[3 * bin + 2], (uint32_t)bin};
    }
    first[bin++] = (uint32_t)k;
  }
  first[bins] = (uint32_t)b->count;
  row[rows] = (mote_point_row){INT32_MAX, INT32_MAX, (uint32_t)bins};
  set->bins = bins;
  set->bin_at = at;
  set->first_point = first;
  set->rows = rows;
  set->bin_row = row;
  return MOTE_OK;
}

// --- The set ----------------------------------------------------------------------------------------------

static mote_result check_volumes(const mote_surface_particles *particles, mote_error *error) {
  if (particles->volume == NULL) return MOTE_OK;
  for (size_t i = 0; i < particles->count; ++i) {
    float v = particles->volume[i];
    if (!(v > 0.0f && isfinite(v))) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "the volume of particle %zu is %g", i, (double)v);
    }
  }
  return MOTE_OK;
}

static mote_result take_points(build *b, mote_arena *arena, mote_error *error) {
  b->position = mote_arena_take(arena, 3 * b->count, sizeof *b->position);
  bool volumes = b->particles->volume != NULL;
  b->volume = volumes ? mote_arena_take(arena, b->count, sizeof *b->volume) : NULL;
  b->row = mote_arena_take(arena, b->count, sizeof *b->row);
  bool ok = b->position != NULL && b->row != NULL && (!volumes || b->volume != NULL);
  return ok ? MOTE_OK : mote_fail_memory(error, b->count * 32);
}

static mote_result take_scratch(build *b, mote_arena *arena, mote_error *error) {
  bool images = is_periodic(b->opts->domain);
  b->key = mote_arena_take(arena, b->count, sizeof *b->key);
  b->order = mote_arena_take(arena, b->count, sizeof *b->order);
  b->unsorted = images ? mote_arena_take(arena, 3 * b->count, sizeof *b->unsorted) : NULL;
  b->given_row = images ? mote_arena_take(arena, b->count, sizeof *b->given_row) : NULL;
  bool ok = b->key != NULL && b->order != NULL && (!images || (b->unsorted != NULL && b->given_row != NULL));
  if (!ok) return mote_fail_memory(error, b->count * 12);
  if (images) write_images(b);
  return MOTE_OK;
}

mote_result mote_point_set_build(const mote_surface_particles *particles, const mote_point_set_opts *opts,
                                 mote_arena *arena, mote_arena *scratch, mote_point_set *set,
                                 mote_error *error) {
  MOTE_ASSERT(opts->spacing > 0.0 && opts->pad >= 0.0 && opts->origin_step > 0.0);
  MOTE_ASSERT(opts->domain != NULL);
  MOTE_ASSERT(arena != NULL && scratch != NULL && arena != scratch);
  MOTE_ASSERT(particles->position != NULL || particles->count == 0);
  build b = {.particles = particles, .opts = opts};
  MOTE_TRY(check_volumes(particles, error));
  MOTE_TRY(find_bounds(&b, error));
  MOTE_TRY(choose_bins(&b, error));
  MOTE_TRY(count_points(&b, error));
  MOTE_TRY(take_points(&b, arena, error));
  *set = (mote_point_set){.origin = {b.origin[0], b.origin[1], b.origin[2]},
                          .spacing = opts->spacing,
                          .count = b.count,
                          .particles = particles->count,
                          .position = b.position,
                          .volume = b.volume,
                          .largest = opts->spacing,
                          .row = b.row,
                          .bin_edge = b.bin_edge};
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_result result = take_scratch(&b, scratch, error);
  if (!result) result = sort_points(&b, scratch, error);
  if (!result) result = list_bins(&b, arena, set, error);
  mote_arena_release(scratch, mark);
  return result;
}

mote_result mote_point_set_sizes(mote_point_set *set, mote_arena *arena, mote_error *error) {
  if (set->volume == NULL) return MOTE_OK;
  MOTE_TAKE_NEW(float, size, arena, set->count, error);
  set->size = size, set->largest = 0.0;
  for (size_t p = 0; p < set->count; ++p) {
    size[p] = (float)mote_cbrt((double)set->volume[p]);
    if ((double)size[p] > set->largest) set->largest = (double)size[p];
  }
  return MOTE_OK;
}

// --- Runs -------------------------------------------------------------------------------------------------

static int32_t bin_of(const mote_point_set *set, double x) {
  double at = floor(x / set->bin_edge);
  if (at < -0x1p31) return INT32_MIN;
  return at > 0x1.fffffffcp30 ? INT32_MAX : (int32_t)at;
}

static bool is_before(const mote_point_row *row, int32_t y, int32_t z) {
  return row->z < z || (row->z == z && row->y < y);
}

// The first row at or behind (y, z), of those from `low` on: it is often near.
static size_t find_row(const mote_point_set *set, size_t low, int32_t y, int32_t z) {
  size_t high = low, step = 1;
  while (high < set->rows && is_before(&set->bin_row[high], y, z)) low = high + 1, high += step, step *= 2;
  if (high > set->rows) high = set->rows;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (is_before(&set->bin_row[middle], y, z)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The first bin of [begin, end), all of one row, at or behind x.
static size_t find_bin(const mote_point_set *set, size_t begin, size_t end, int32_t x) {
  // Bins of a row ascend by one at least: where all are there, the first is known without a search.
  int64_t ahead = begin < end ? (int64_t)x - set->bin_at[3 * begin] : 0;
  if (ahead <= 0) return begin;
  if ((size_t)ahead < end - begin) {
    end = begin + (size_t)ahead;
    if (set->bin_at[3 * end] == x) return end;
  }
  while (begin < end) {
    size_t middle = (begin + end) / 2;
    if (set->bin_at[3 * middle] < x) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

typedef struct run_list {
  mote_point_run *run;
  size_t count, capacity;
  size_t end_bin;  // of the last
} run_list;

static void add_run(run_list *list, const mote_point_set *set, size_t first_bin, size_t end_bin) {
  if (first_bin == end_bin) return;
  bool joins = list->count > 0 && list->end_bin == first_bin;
  if (!joins) ++list->count;
  list->end_bin = end_bin;
  if (list->count > list->capacity) return;
  mote_point_run *run = &list->run[list->count - 1];
  if (!joins) run->begin = set->first_point[first_bin], run->first_bin = (uint32_t)first_bin;
  run->end = set->first_point[end_bin], run->end_bin = (uint32_t)end_bin;
}

size_t mote_point_set_runs(const mote_point_set *set, const double low[3], const double high[3],
                           mote_point_run *run, size_t capacity) {
  MOTE_ASSERT(run != NULL || capacity == 0);
  MOTE_ASSERT(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]);
  int32_t first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    first[a] = bin_of(set, low[a]);
    last[a] = bin_of(set, high[a]);
  }
  run_list list = {.run = run, .capacity = capacity};
  size_t row = find_row(set, 0, first[1], first[2]);
  while (row < set->rows && set->bin_row[row].z <= last[2]) {
    const mote_point_row *r = &set->bin_row[row];
    if (r->y < first[1]) {
      row = find_row(set, row + 1, first[1], r->z);
    } else if (r->y > last[1]) {
      row = r->z == INT32_MAX ? set->rows : find_row(set, row + 1, first[1], r->z + 1);
    } else {
      size_t end_bin = set->bin_row[row + 1].first_bin;
      size_t begin = find_bin(set, r->first_bin, end_bin, first[0]);
      size_t most = (size_t)((int64_t)last[0] - first[0]) + 1,
             end = end_bin - begin < most ? end_bin : begin + most;
      while (end > begin && set->bin_at[3 * (end - 1)] > last[0]) --end;
      add_run(&list, set, begin, end);
      ++row;
    }
  }
  return list.count;
}
