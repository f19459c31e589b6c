// Times of the grid: full neighbour lists of packings and random points, sorted or not, build and lists
// together and apart. The floor is what no list maker can avoid: to read the points and write the lists, or
// to test every pair of them once, whichever takes longer.
#include <mote/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bench.h"
#include "validate/approx/points.h"

#define JITTER 0.15

typedef struct search_run {
  points set;
  mote_env env;
  mote_grid *grid;
  mote_lists lists;
  mote_error error;
} search_run;

static void build(void *data) {
  search_run *r = data;
  if (r->error.code == MOTE_OK) mote_grid_build(r->grid, r->set.position, r->set.count, &r->error);
}

static void list(void *data) {
  search_run *r = data;
  if (r->error.code == MOTE_OK) mote_grid_neighbours(r->grid, &r->lists, &r->error);
}

static void build_and_list(void *data) {
  build(data);
  list(data);
}

// Moves point i to where the order says, or where chance does.
static void reorder(points *set, const uint32_t *order) {
  double *x = malloc(3 * set->count * sizeof *x);
  if (x == NULL) abort();
  memcpy(x, set->position, 3 * set->count * sizeof *x);
  for (size_t k = 0; k < set->count && order != NULL; ++k) {
    memcpy(set->position + 3 * k, x + 3 * (size_t)order[k], 3 * sizeof *x);
  }
  for (size_t k = set->count; k-- > 1 && order == NULL;) {
    size_t j = (size_t)(mote_random_unit(7, 0, k) * (double)(k + 1));
    memcpy(x, set->position + 3 * k, 3 * sizeof *x);
    memcpy(set->position + 3 * k, set->position + 3 * j, 3 * sizeof *x);
    memcpy(set->position + 3 * j, x, 3 * sizeof *x);
  }
  free(x);
}

static double floor_of(bench *b, const search_run *r) {
  double count = (double)r->set.count, entries = (double)r->lists.first[r->lists.count];
  double bytes =
      count * (3 * sizeof(double) + sizeof(uint64_t) + sizeof(uint32_t)) + entries * sizeof(uint32_t);
  double moved = bench_floor_bytes(b, bytes, r->env.threads);
  double tested = bench_floor_operations(b, 8.0 * (double)r->lists.pairs, r->env.threads);
  return moved > tested ? moved : tested;
}

// Building alone: positions read, order and sorted positions written.
static double build_floor(bench *b, const search_run *r) {
  return bench_floor_bytes(b, (double)r->set.count * (6 * sizeof(double) + sizeof(uint32_t)), r->env.threads);
}

static void report(bench *b, search_run *r, const char *what, const char *set, double radius,
                   void (*run)(void *)) {
  char name[64];
  snprintf(name, sizeof name, "%s, %s, %.1f d", what, set, radius);
  double seconds = bench_seconds(b, run, r);
  if (r->error.code != MOTE_OK) return;
  bench_report(b, &(bench_line){.name = name,
                                .particles = r->set.count,
                                .threads = r->env.threads,
                                .seconds = seconds,
                                .floor = run == build ? build_floor(b, r) : floor_of(b, r),
                                .floor_of = run == build ? "points read, sorted points written"
                                                         : "lists written once, their pairs tested once",
                                .pairs = run == build ? 0 : (double)r->lists.pairs,
                                .bytes = mote_grid_bytes(r->grid)});
}

typedef enum { SORTED, SHUFFLED, UNIFORM } set_kind;

static void run_set(bench *b, set_kind kind, int n, double radius, int threads, bool parts) {
  static const char *const names[] = {"sorted", "shuffled", "uniform, sorted"};
  search_run r = {.set = points_packing(3, n, 1.0, JITTER, 1), .env = mote_env_default()};
  r.env.threads = threads;
  if (kind == UNIFORM) {
    for (size_t k = 0; k < 3 * r.set.count; ++k) r.set.position[k] = n * mote_random_unit(5, 0, k);
  }
  mote_grid_def def = mote_grid_def_default(radius);
  if (mote_grid_create(&def, &r.env, &r.grid, &r.error) == MOTE_OK) {
    build(&r);
    if (r.error.code == MOTE_OK) reorder(&r.set, kind == SHUFFLED ? NULL : mote_grid_order(r.grid));
    build_and_list(&r);
    report(b, &r, "lists", names[kind], radius, build_and_list);
    if (parts) report(b, &r, "only build", names[kind], radius, build);
    if (parts) report(b, &r, "only lists", names[kind], radius, list);
  }
  if (r.error.code != MOTE_OK) bench_error(b, &r.error);
  mote_grid_destroy(r.grid);
  points_free(&r.set);
}

static void run_packing(bench *b) {
  int many = bench_quick(b) ? 30 : 100;
  for (int threads = 1; threads <= bench_threads(b);
       threads += bench_threads(b) > 1 ? bench_threads(b) - 1 : 1) {
    run_set(b, SORTED, many, 2.2, threads, true);
    run_set(b, SHUFFLED, many, 2.2, threads, true);
    if (!bench_quick(b)) run_set(b, SORTED, 46, 2.2, threads, false);
  }
}

static void run_radii(bench *b) {
  int many = bench_quick(b) ? 30 : 100;
  run_set(b, SORTED, many, 2.0, bench_threads(b), false);
  run_set(b, SORTED, many, 2.5, bench_threads(b), false);
}

static void run_uniform(bench *b) {
  run_set(b, UNIFORM, bench_quick(b) ? 30 : 100, 2.2, bench_threads(b), false);
}

const bench_case bench_search_cases[] = {
    {"grid-lattice", "search", "neighbour lists of a jittered lattice, sorted and shuffled", run_packing},
    {"grid-radii", "search", "neighbour lists of a jittered lattice at other radii", run_radii},
    {"grid-uniform", "search", "neighbour lists of uniform random points", run_uniform},
    {0}};
