// Times of the searches that are not the grid: kd-tree, connected components.
#include <math.h>
#include <mote/search.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "bench.h"
#include "validate/approx/points.h"

#define CLUSTERS 1000

typedef struct tree_run {
  points set;
  const char *set_name;
  mote_env env;
  mote_kdtree *tree;
  double *radius, *distance2;
  uint32_t *index;  // 32 a point
  size_t k, pairs;
  mote_error error;
} tree_run;

// --- Sets
// ---------------------------------------------------------------------------------------------------

// Moves the points into balls, dense in the middle, whose sizes span three orders of magnitude.
static void gather_in_clusters(points *set) {
  for (size_t i = 0; i < set->count; ++i) {
    uint64_t ball = i % CLUSTERS, octaves = ball % 10;
    for (uint64_t a = 0; a < 3; ++a) {
      double centre = 100 * mote_random_unit(2, a, ball), offset = mote_random_between(2, 3 + a, i, -1, 1);
      set->position[3 * i + a] = centre + 10.0 * offset * offset * offset / (double)(1 << octaves);
    }
  }
}

static void *allocate(size_t count, size_t size) {
  void *block = calloc(count, size);
  if (block == NULL) abort();
  return block;
}

static tree_run start(bench *b, bool clustered) {
  tree_run r = {.set = points_packing(3, bench_quick(b) ? 30 : 100, 1.0, 0.2, 1), .env = mote_env_default()};
  if (clustered) gather_in_clusters(&r.set);
  r.set_name = clustered ? "clusters" : "lattice";
  r.index = allocate(32 * r.set.count, sizeof *r.index);
  r.distance2 = allocate(32 * r.set.count, sizeof *r.distance2);
  r.radius = allocate(r.set.count, sizeof *r.radius);
  return r;
}

static void finish(bench *b, tree_run *r) {
  if (r->error.code != MOTE_OK) bench_error(b, &r->error);
  mote_kdtree_destroy(r->tree);
  free(r->radius), free(r->distance2), free(r->index);
  points_free(&r->set);
}

// Reports a pass over all points, and what it needs at least: bytes moved or operations on doubles, per
// point.
static void report(bench *b, tree_run *r, const char *what, void (*run)(void *), double bytes,
                   double operations, const char *floor_of) {
  if (r->error.code != MOTE_OK) return;
  char name[80];
  snprintf(name, sizeof name, "%s, %s", what, r->set_name);
  r->pairs = 0;
  double seconds = bench_seconds(b, run, r), n = (double)r->set.count;
  double moving = bench_floor_bytes(b, n * bytes, r->env.threads);
  double computing = bench_floor_operations(b, 2 * n * operations, r->env.threads);  // halves the lanes
  bench_report(b, &(bench_line){.name = name,
                                .particles = r->set.count,
                                .threads = r->env.threads,
                                .seconds = seconds,
                                .pairs = (double)r->pairs,
                                .floor = moving > computing ? moving : computing,
                                .floor_of = floor_of});
}

// --- kd-tree
// --------------------------------------------------------------------------------------------------

static void build_tree(void *data) {
  tree_run *r = data;
  mote_kdtree_destroy(r->tree);
  r->tree = NULL;
  mote_kdtree_create(3, r->set.position, r->set.count, &r->env, &r->tree, &r->error);
}

static void list_tree(void *data) {
  tree_run *r = data;
  mote_lists lists;
  if (mote_kdtree_neighbours_at(r->tree, r->set.position, r->set.count, r->radius, &lists, &r->error) ==
      MOTE_OK)
    r->pairs = lists.pairs;
}

static void nearest_tree(void *data) {
  tree_run *r = data;
  mote_kdtree_nearest_at(r->tree, r->set.position, r->set.count, r->k, r->index, r->distance2, &r->error);
  r->pairs = r->k * r->set.count;
}

// Radii at which each point has about 40 neighbours: a little beyond the 32nd.
static void choose_radii(tree_run *r) {
  r->k = 32;
  nearest_tree(r);
  for (size_t i = 0; i < r->set.count; ++i) r->radius[i] = 1.08 * sqrt(r->distance2[32 * i + 31]);
}

#define DISTANCE 8  // operations of a squared distance

static void run_kdtree(bench *b) {
  for (int clustered = 0; clustered < 2; ++clustered) {
    tree_run r = start(b, clustered);
    for (int threads = 1; threads <= bench_threads(b);
         threads += bench_threads(b) > 1 ? bench_threads(b) - 1 : 1) {
      r.env.threads = threads;
      report(b, &r, "kd-tree, build", build_tree, 24 + 60, 0, "points read, tree written");
      if (r.error.code != MOTE_OK) break;
      choose_radii(&r);
      report(b, &r, "kd-tree, lists of 40", list_tree, 4 * 40 + 24, 40 * DISTANCE, "distances of neighbours");
      for (r.k = 1; r.k <= 32; r.k = r.k == 1 ? 8 : 4 * r.k) {
        char what[40];
        snprintf(what, sizeof what, "kd-tree, %zu nearest", r.k);
        report(b, &r, what, nearest_tree, 12.0 * (double)r.k + 24, (double)r.k * DISTANCE,
               "points read, answers written");
      }
    }
    finish(b, &r);
  }
}

// --- The others
// -----------------------------------------------------------------------------------------------

static void label_components(void *data) {
  tree_run *r = data;
  mote_domain open = mote_domain_open(3);
  size_t components;
  mote_components(&open, r->set.position, r->set.count, 1.5 * r->set.spacing, &r->env, r->index, &components,
                  &r->error);
}

static void run_components(bench *b) {
  tree_run r = start(b, false);
  for (int threads = 1; threads <= bench_threads(b);
       threads += bench_threads(b) > 1 ? bench_threads(b) - 1 : 1) {
    r.env.threads = threads;
    report(b, &r, "components at 1.5 spacings", label_components, 24 + 4, 0, "points read, labels written");
  }
  finish(b, &r);
}

const bench_case bench_tree_cases[] = {
    {"kdtree", "search", "kd-tree: a million points; range and nearest queries at the points themselves",
     run_kdtree},
    {"components", "search", "connected components of a million points", run_components},
    {0}};
