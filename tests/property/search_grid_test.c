// The grid equals brute force: 240 seeds over uniform, clustered, planar, collinear, coincident, lattice and
// far-apart sets, in 1D, 2D and 3D, periodic or not, all reaches, anywhere in space; and the same bytes for
// 1, 2 and 7 threads.
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/random.h"
#include "search/domain.h"
#include "test.h"

#define POINTS_MAX 700
#define SEEDS (TEST_SHORT ? 48 : 240)

static double unit(uint64_t seed, uint64_t stream, size_t i) {
  return mote_random_unit(seed, stream, i);
}

typedef struct scene {
  mote_grid_def def;
  size_t count, queries;
  double point[3 * POINTS_MAX], query[3 * POINTS_MAX], radius[POINTS_MAX];
} scene;

enum { UNIFORM, CLUSTERED, PLANAR, LINE, COINCIDENT, LATTICE, FAR, HUGE_SPREAD, KINDS };

static double coordinate(int kind, uint64_t seed, size_t i, int a, double size) {
  double u = size * unit(seed, 10 + a, i);
  switch (kind) {
    case CLUSTERED: return size * unit(seed, 20 + a, i % 5) + 0.3 * (unit(seed, 10 + a, i) - 0.5);
    case PLANAR: return a == 2 ? 0.25 : u;
    case LINE: return a == 0 ? u : 0.5 * u;
    case COINCIDENT: return size * unit(seed, 10 + a, i % 40);
    case LATTICE: return floor(u * 4.0) / 4.0;
    case FAR: return u + (i % 3 == 1 ? 1e6 : 0.0) + (i % 7 == 2 ? -1e15 : 0.0);
    case HUGE_SPREAD: return (u - 0.5 * size) * pow(10.0, floor(unit(seed, 30, i) * 300.0 - 2.0));
    default: return u;
  }
}

static void make_scene(scene *s, uint64_t seed) {
  int kind = (int)(seed % KINDS), dimensions = 1 + (int)(seed / KINDS % 3);
  double size = dimensions == 1 ? 40.0 : dimensions == 2 ? 9.0 : 5.0;
  double scale = seed % 5 == 3 ? 1e-6 : seed % 5 == 4 ? 1e9 : 1.0;
  double radius = 0.5 + floor(4.0 * unit(seed, 1, 0)) / 4.0;  // lattice points lie exactly at it
  double move = seed % 7 == 5 ? 1e6 * radius : 0.0;
  double cell = radius * (const double[]){1.0, 2.0, 0.5, 0.3, 1.7}[seed % 11 % 5];
  s->def = (mote_grid_def){
      .domain = mote_domain_open(dimensions), .radius = radius * scale, .cell_size = cell * scale};
  for (int a = 0; a < 3; ++a) {
    bool huge = kind == FAR || kind == HUGE_SPREAD;
    s->def.domain.periodic[a] = !huge && unit(seed, 2, a) < 0.4;
    s->def.domain.low[a] = (move - 0.25) * scale;
    double period = unit(seed, 3, a) < 0.3 ? 2.0 * radius : fmax(2.0 * radius, floor(size * 4.0) / 4.0);
    s->def.domain.high[a] = s->def.domain.low[a] + period * scale;
    if (s->def.domain.high[a] - s->def.domain.low[a] < 2.0 * radius * scale)
      s->def.domain.periodic[a] = false;
  }
  s->count = seed % 29 == 0 ? seed % 2 : 50 + (size_t)((POINTS_MAX - 50) * unit(seed, 4, 0));
  s->queries = s->count / 3;
  for (size_t i = 0; i < s->count; ++i) {
    for (int a = 0; a < 3; ++a) {
      bool used = a < dimensions;
      // Some periodic sets reach over a few periods; in some, points or queries lie incredibly far away.
      double turn = seed % 3 == 0 ? floor(9.0 * unit(seed, 5, 3 * i + a)) - 4.0 : 0.0;
      double far = seed % 13 == 4 && i % 4 == 0 ? 0x1p39 : 0.0, far_query = seed % 13 == 7 ? 0x1p39 : 0.0;
      double period = s->def.domain.periodic[a] ? s->def.domain.high[a] - s->def.domain.low[a] : 0.0;
      double shift = (turn + far) * period;
      s->point[3 * i + a] = used ? (coordinate(kind, seed, i, a, size) + move) * scale + shift : (double)NAN;
      s->query[3 * i + a] =
          used ? (1.2 * coordinate(kind, seed, i + POINTS_MAX, a, size) - 0.1 * size + move) * scale
               : (double)NAN;
      if (used && i % 5 == 0) s->query[3 * i + a] = s->point[3 * i + a];
      s->query[3 * i + a] += far_query * period;
    }
    s->radius[i] = i % 9 == 0 ? 0.0 : i % 9 == 1 ? s->def.radius : s->def.radius * unit(seed, 6, i);
  }
}

static double limit(const scene *s, const double *radius, mote_reach reach, size_t i, size_t j) {
  if (radius == NULL) return s->def.radius;
  if (reach == MOTE_REACH_GATHER) return radius[i];
  if (reach == MOTE_REACH_SCATTER) return radius[j];
  return fmax(radius[i], radius[j]);
}

static bool near(const scene *s, const double *xi, const double *xj, double r) {
  double d[3];
  mote_domain_difference(&s->def.domain, xi, xj, d);
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= r * r;
}

// Each list holds each near point once and nothing else; padding and places are as promised.
static bool lists_right(const scene *s, const mote_lists *lists, const double *target, size_t targets,
                        const double *radius, mote_reach reach, bool own) {
  static uint8_t seen[POINTS_MAX];
  size_t pairs = 0, padded = 0;
  if (lists->count != targets || lists->filler != s->count) return false;
  for (size_t i = 0; i < targets; ++i) {
    const uint32_t *list = lists->index + lists->first[i];
    size_t end = (lists->number[i] + 3) / 4 * 4;
    if (lists->first[i] % 4 != 0 || lists->first[i] + end > lists->first[targets]) return false;
    memset(seen, 0, sizeof seen);
    for (size_t k = 0; k < end; ++k) {
      if (k >= lists->number[i]) {
        if (list[k] != lists->filler) return false;
        continue;
      }
      if (list[k] >= s->count || seen[list[k]]++) return false;
    }
    for (size_t j = 0; j < s->count; ++j) {
      bool want =
          !(own && i == j) && near(s, target + 3 * i, s->point + 3 * j, limit(s, radius, reach, i, j));
      if (want != (seen[j] == 1)) return false;
    }
    pairs += lists->number[i];
    padded += end;
  }
  return pairs == lists->pairs && padded == lists->first[targets];
}

static uint64_t lists_hash(const mote_lists *lists) {
  uint64_t hash = mote_hash_bytes(0, lists->first, (lists->count + 1) * sizeof *lists->first);
  hash = mote_hash_bytes(hash, lists->number, lists->count * sizeof *lists->number);
  return mote_hash_bytes(hash, lists->index, lists->first[lists->count] * sizeof *lists->index);
}

// All kinds of lists on one grid; with `check` against brute force. Returns their hash.
static uint64_t run_scene(const scene *s, int threads, bool check) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_grid *grid;
  mote_lists lists;
  mote_error error = {0};
  uint64_t hash = 0;
  if (!CHECK(mote_grid_create(&s->def, &env, &grid, &error) == MOTE_OK)) return 0;
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(mote_grid_build(grid, s->point, s->count, &error) == MOTE_OK);
    CHECK(mote_grid_neighbours(grid, &lists, &error) == MOTE_OK);
    hash = mote_hash_mix(hash ^ lists_hash(&lists));
    if (check) CHECK(lists_right(s, &lists, s->point, s->count, NULL, MOTE_REACH_GATHER, true));
  }
  hash = mote_hash_bytes(hash, mote_grid_order(grid), s->count * sizeof(uint32_t));
  for (mote_reach reach = MOTE_REACH_GATHER; reach <= MOTE_REACH_SYMMETRIC; ++reach) {
    CHECK(mote_grid_neighbours_radii(grid, s->radius, reach, &lists, &error) == MOTE_OK);
    hash = mote_hash_mix(hash ^ lists_hash(&lists));
    if (check) CHECK(lists_right(s, &lists, s->point, s->count, s->radius, reach, true));
  }
  for (int kind = 0; kind < 3; ++kind) {
    const double *radius = kind < 2 ? s->radius : NULL;
    mote_reach reach = kind == 1 ? MOTE_REACH_SCATTER : MOTE_REACH_GATHER;
    CHECK(mote_grid_neighbours_at(grid, s->query, s->queries, radius, reach, &lists, &error) == MOTE_OK);
    hash = mote_hash_mix(hash ^ lists_hash(&lists));
    if (check) CHECK(lists_right(s, &lists, s->query, s->queries, radius, reach, false));
  }
  mote_grid_destroy(grid);
  return hash;
}

static bool queries_right(const scene *s) {
  mote_grid *grid;
  if (mote_grid_create(&s->def, NULL, &grid, NULL) != MOTE_OK) return false;
  if (mote_grid_build(grid, s->point, s->count, NULL) != MOTE_OK) return false;
  bool right = true;
  uint32_t index[POINTS_MAX];
  for (size_t i = 0; i < s->queries; ++i) {
    double r = i % 4 == 0 ? s->def.radius : s->radius[i];
    size_t found = mote_grid_query(grid, s->query + 3 * i, r, index, POINTS_MAX), want = 0;
    for (size_t j = 0; j < s->count; ++j) want += near(s, s->query + 3 * i, s->point + 3 * j, r);
    right = right && found == want && mote_grid_query(grid, s->query + 3 * i, r, NULL, 0) == want;
    for (size_t k = 0; right && k < found; ++k) right = near(s, s->query + 3 * i, s->point + 3 * index[k], r);
  }
  mote_grid_destroy(grid);
  return right;
}

int main(void) {
  static scene s;
  for (uint64_t seed = 0; seed < SEEDS; ++seed) {
    make_scene(&s, seed);
    int before = test_failures;
    uint64_t hash = run_scene(&s, 1, true);
    CHECK(queries_right(&s));
    CHECK(run_scene(&s, 2, false) == hash);
    CHECK(run_scene(&s, 7, false) == hash);
    if (test_failures != before) fprintf(stderr, "seed %d\n", (int)seed);
  }
  return test_end();
}
