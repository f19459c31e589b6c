// Surfaces by tracked distances (YU11 2.1, Adams et al. 2007): flat where Zhu and Bridson's are bumpy, of the
// right size, steady over frames, the same for any order of rows and any number of threads, and none the
// worse for particles that come, go and jump.
#include <math.h>
#include <mote/numeric.h>
#include <mote/surface.h>
#include <stdlib.h>
#include <string.h>

#include "abuse.h"
#include "test.h"

enum { SIDE = 16, DEEP = 6, POOL = SIDE * SIDE * DEEP };

static mote_surface_def def_of(mote_surface_method method) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method;
  def.spacing = 1.0;
  return def;
}

static mote_surfacer *surfacer_of(mote_surface_method method, int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_surface_def def = def_of(method);
  mote_surfacer *surfacer = NULL;
  CHECK(mote_surfacer_create(&def, &env, &surfacer, NULL) == MOTE_OK);
  return surfacer;
}

static mote_surface build(mote_surfacer *surfacer, const double *x, const uint64_t *id, size_t count) {
  mote_surface surface = {0};
  mote_error error = {0};
  mote_surface_particles particles = {.position = x, .count = count, .id = id};
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, &error) == MOTE_OK);
  CHECK_TEXT(error.text, "");
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&surface.mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.open_edges + report.crowded_edges + report.flipped_edges + report.flat_triangles == 0);
  return surface;
}

static double volume_of(const mote_surface *surface) {
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&surface->mesh, NULL, &report, NULL) == MOTE_OK);
  return report.volume;
}

static bool same_surface(const mote_surface *a, const mote_surface *b) {
  return a->mesh.vertices == b->mesh.vertices && a->mesh.triangles == b->mesh.triangles &&
         memcmp(a->mesh.vertex, b->mesh.vertex, a->mesh.vertices * 24) == 0 &&
         memcmp(a->mesh.triangle, b->mesh.triangle, a->mesh.triangles * 12) == 0;
}

// A pool whose particles swing about a packing by 0.2 d, drifting along x: frame by frame.
static void place_pool(int frame, double *x) {
  for (size_t i = 0; i < POOL; ++i) {
    const size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
    for (int a = 0; a < 3; ++a) {
      double phase = 6.283 * mote_random_uniform(1, (uint64_t)a, i) + 0.3 * frame;
      x[3 * i + (size_t)a] = (double)at[a] + 0.2 * mote_sin(phase);
    }
    x[3 * i] += 0.13 * frame;
  }
}

typedef struct flatness {
  double level, tilt;  // mean height above the upper layer, mean of 1 - n_z
} flatness;

static flatness measure(const mote_surface *s, double drift) {
  flatness f = {0.0, 0.0};
  double count = 0.0;
  for (size_t v = 0; v < s->mesh.vertices; ++v) {
    const double *x = s->mesh.vertex + 3 * v;
    bool inner = x[0] - drift > 4.0 && x[0] - drift < SIDE - 5.0 && x[1] > 4.0 && x[1] < SIDE - 5.0;
    if (!inner || x[2] < 0.5 * DEEP) continue;
    f.level += x[2] - (DEEP - 1.0);
    f.tilt += 1.0 - (double)s->normal[3 * v + 2];
    count += 1.0;
  }
  CHECK(count > 100.0);
  return (flatness){f.level / count, f.tilt / count};
}

// YU11 Fig. 2.1: smoother than Zhu and Bridson's, here by a factor of four in the normals' squared error at
// least, from the first frame on; and the level does not drift away with the frames.
static void test_pool(void) {
  static double x[3 * POOL];
  mote_surfacer *plain = surfacer_of(MOTE_SURFACE_ZHU_BRIDSON, 2);
  mote_surfacer *tracked = surfacer_of(MOTE_SURFACE_ADAMS, 2);
  for (int frame = 0; frame < (TEST_SHORT ? 2 : 4); ++frame) {
    place_pool(frame, x);
    mote_surface a = build(plain, x, NULL, POOL), b = build(tracked, x, NULL, POOL);
    flatness bumpy = measure(&a, 0.13 * frame), smooth = measure(&b, 0.13 * frame);
    CHECK(smooth.tilt < 0.25 * bumpy.tilt);
    CHECK_NEAR(smooth.level, 0.5, 0.05);
    CHECK(volume_of(&b) > 0.95 * volume_of(&a));
    mote_surface_free(&a, NULL);
    mote_surface_free(&b, NULL);
  }
  mote_surfacer_destroy(plain);
  mote_surfacer_destroy(tracked);
}

// A jittered ball: its volume is that of its particles to 3 %, drawn out over the frames.
static size_t place_ball(double radius, double stretch, double *x) {
  size_t n = 0;
  for (int i = -8; i <= 8; ++i) {
    for (int j = -8; j <= 8; ++j) {
      for (int k = -8; k <= 8; ++k) {
        if (i * i + j * j + k * k > radius * radius) continue;
        const double at[3] = {i * stretch, j / sqrt(stretch), k / sqrt(stretch)};
        for (int a = 0; a < 3; ++a) {
          x[3 * n + (size_t)a] = at[a] + 0.3 * (mote_random_uniform(2, (uint64_t)a, n) - 0.5);
        }
        ++n;
      }
    }
  }
  return n;
}

static void test_ball(void) {
  static double x[3 * 5000];
  mote_surfacer *surfacer = surfacer_of(MOTE_SURFACE_ADAMS, 2);
  for (int frame = 0; frame < 6; ++frame) {
    size_t n = place_ball(7.0, 1.0 + 0.05 * frame, x);  // drawn out, with the same volume
    mote_surface s = build(surfacer, x, NULL, n);
    CHECK_NEAR(volume_of(&s) / (double)n, 1.0, 0.03);
    mote_surface_free(&s, NULL);
  }
  mote_surfacer_destroy(surfacer);
}

// A single particle is a ball, and stays one of the same size.
static void test_drop(void) {
  const double x[3] = {0.31, -0.2, 0.1};
  mote_surfacer *surfacer = surfacer_of(MOTE_SURFACE_ADAMS, 1),
                *plain = surfacer_of(MOTE_SURFACE_ZHU_BRIDSON, 1);
  mote_surface first = build(plain, x, NULL, 1);
  for (int frame = 0; frame < 5; ++frame) {
    mote_surface s = build(surfacer, x, NULL, 1);
    CHECK_NEAR(volume_of(&s), volume_of(&first), 1e-4);
    mote_surface_free(&s, NULL);
  }
  mote_surface_free(&first, NULL);
  mote_surfacer_destroy(surfacer);
  mote_surfacer_destroy(plain);
}

// Thin liquid keeps what it has in the first frame: a pair, a cube of eight, a sheet of two layers.
static void test_thin(void) {
  const int sides[][3] = {{2, 1, 1}, {2, 2, 2}, {12, 12, 2}};
  for (int k = 0; k < 3; ++k) {
    double x[3 * 288], first = 0.0;
    int n = 0;
    for (; n < sides[k][0] * sides[k][1] * sides[k][2]; ++n) {
      const int at[3] = {n % sides[k][0], n / sides[k][0] % sides[k][1], n / (sides[k][0] * sides[k][1])};
      for (int a = 0; a < 3; ++a) x[3 * n + a] = at[a] + 0.13 * a;
    }
    mote_surfacer *surfacer = surfacer_of(MOTE_SURFACE_ADAMS, 1);
    for (int frame = 0; frame < 10; ++frame) {
      mote_surface s = build(surfacer, x, NULL, (size_t)n);
      if (frame == 0) first = volume_of(&s);
      CHECK_NEAR(volume_of(&s), first, 0.1 * first);
      mote_surface_free(&s, NULL);
    }
    CHECK(first > 0.35 * n && first < 1.2 * n);
    mote_surfacer_destroy(surfacer);
  }
}

// Rows in another order, with their ids: the same mesh but for the order in which floats are added. Another
// number of threads: the same bits.
static void test_same(void) {
  static double x[3 * POOL], y[3 * POOL];
  static uint64_t id[POOL], turned[POOL];
  mote_surfacer *one = surfacer_of(MOTE_SURFACE_ADAMS, 1), *seven = surfacer_of(MOTE_SURFACE_ADAMS, 7),
                *mixed = surfacer_of(MOTE_SURFACE_ADAMS, 2), *lost = surfacer_of(MOTE_SURFACE_ADAMS, 2);
  for (int frame = 0; frame < (TEST_SHORT ? 2 : 3); ++frame) {
    place_pool(frame, x);
    for (size_t i = 0; i < POOL; ++i) {
      size_t from = (i * 1009 + 77 * (size_t)frame) % POOL;  // another order each frame
      memcpy(y + 3 * i, x + 3 * from, 24);
      turned[i] = id[from] = UINT64_C(1) << 40 | from;
    }
    mote_surface a = build(one, x, id, POOL), b = build(seven, x, id, POOL),
                 c = build(mixed, y, turned, POOL), d = build(lost, y, NULL, POOL);
    CHECK(same_surface(&a, &b));
    CHECK_NEAR(volume_of(&c), volume_of(&a), 1e-5 * volume_of(&a));
    if (frame > 0) CHECK(fabs(volume_of(&d) - volume_of(&a)) > 1e-4 * volume_of(&a));  // ids do matter
    mote_surface_free(&a, NULL);
    mote_surface_free(&b, NULL);
    mote_surface_free(&c, NULL);
    mote_surface_free(&d, NULL);
  }
  mote_surfacer *all[] = {one, seven, mixed, lost};
  for (int k = 0; k < 4; ++k) mote_surfacer_destroy(all[k]);
}

// After an empty frame everything is new, as for another surfacer.
static void test_empty(void) {
  static double x[3 * POOL];
  mote_surfacer *used = surfacer_of(MOTE_SURFACE_ADAMS, 2), *fresh = surfacer_of(MOTE_SURFACE_ADAMS, 2);
  place_pool(0, x);
  mote_surface first = build(used, x, NULL, POOL), none = build(used, NULL, NULL, 0);
  CHECK(none.mesh.triangles == 0);
  place_pool(4, x);
  mote_surface again = build(used, x, NULL, POOL), other = build(fresh, x, NULL, POOL);
  CHECK(same_surface(&again, &other));
  CHECK(!same_surface(&again, &first));
  mote_surface_free(&first, NULL);
  mote_surface_free(&again, NULL);
  mote_surface_free(&other, NULL);
  mote_surfacer_destroy(used);
  mote_surfacer_destroy(fresh);
}

// Half of the particles vanish, others are new, one from deep inside jumps out: it is a drop, not a ball as
// large as it was deep.
static void test_changes(void) {
  static double x[3 * POOL], y[3 * POOL];
  static uint64_t id[POOL];
  mote_surfacer *surfacer = surfacer_of(MOTE_SURFACE_ADAMS, 2);
  place_pool(0, x);
  mote_surface whole = build(surfacer, x, NULL, POOL);
  size_t n = 0;
  for (size_t i = 0; i < POOL; ++i) {
    if (i % SIDE < SIDE / 2) continue;
    id[n] = i % 5 == 0 ? i + 100000 : i;  // every fifth is new
    memcpy(y + 3 * n++, x + 3 * i, 24);
  }
  id[n] = POOL / 2 + SIDE / 4;  // a row from the middle of the pool
  y[3 * n] = y[3 * n + 1] = y[3 * n + 2] = 40.0, ++n;
  mote_surfacer *fresh = surfacer_of(MOTE_SURFACE_ADAMS, 2);
  mote_surface half = build(surfacer, y, id, n), other = build(fresh, y, id, n);
  mote_mesh_report report;
  CHECK(mote_mesh_examine(&half.mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.parts == 2);
  CHECK(report.high[0] < 40.7 && report.high[0] > 40.3);
  // Where particles of the inside came to light they may count as 0.25 d deeper than they are, for a while.
  CHECK_NEAR(report.volume, volume_of(&other), 0.25 * SIDE * DEEP);
  for (int frame = 0; frame < 3; ++frame) {
    mote_surface_free(&half, NULL);
    half = build(surfacer, y, id, n);
  }
  CHECK_NEAR(volume_of(&half), volume_of(&other), 0.015 * report.volume);
  mote_surface_free(&other, NULL);
  mote_surfacer_destroy(fresh);
  mote_surface_free(&whole, NULL);
  mote_surface_free(&half, NULL);
  mote_surfacer_destroy(surfacer);
}

// Periodic sides and clip boxes are no surfaces for particles: the level beside them is that in the middle,
// so that the volume between them is that of Zhu and Bridson's surface, which knows no depths.
static void test_sides(bool periodic) {
  enum { N = 12 };
  static double x[3 * N * N * 5];
  mote_surface_def def = def_of(MOTE_SURFACE_ADAMS);
  size_t n = 0;
  for (size_t i = 0; i < N * N * 5; ++i, ++n) {
    const size_t at[3] = {i % N, i / N % N, i / N / N};
    for (int a = 0; a < 3; ++a) x[3 * n + (size_t)a] = (double)at[a] + 0.5;
  }
  for (int a = 0; a < 2; ++a) {
    def.domain.periodic[a] = periodic;
    def.domain.low[a] = 0.0, def.domain.high[a] = N;
    if (!periodic) def.clip_low[a] = 4.0, def.clip_high[a] = 8.0;
  }
  mote_surfacer *surfacer, *plain;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  def.method = MOTE_SURFACE_ZHU_BRIDSON;
  CHECK(mote_surfacer_create(&def, NULL, &plain, NULL) == MOTE_OK);
  mote_surface wanted = build(plain, x, NULL, n);
  for (int frame = 0; frame < 4; ++frame) {
    mote_surface s = build(surfacer, x, NULL, n);
    CHECK_NEAR(volume_of(&s), volume_of(&wanted), 0.02 * volume_of(&wanted));  // 0.1 d
    mote_surface_free(&s, NULL);
  }
  mote_surface_free(&wanted, NULL);
  mote_surfacer_destroy(surfacer);
  mote_surfacer_destroy(plain);
}

static mote_error exhausted;
static mote_result use_adams(const mote_env *env) {
  static double x[3 * 5000];
  mote_env single = *env;
  single.threads = 1;
  size_t n = place_ball(2.0, 1.0, x);
  mote_surface_def def = def_of(MOTE_SURFACE_ADAMS);
  mote_surfacer *surfacer;
  mote_result result = mote_surfacer_create(&def, &single, &surfacer, &exhausted);
  if (result) return result;
  for (int frame = 0; !result && frame < 2; ++frame) {
    mote_surface s = {0};
    result =
        mote_surfacer_build(surfacer, &(mote_surface_particles){.position = x, .count = n}, &s, &exhausted);
    if (!result) mote_surface_free(&s, &single);
  }
  mote_surfacer_destroy(surfacer);
  return result;
}

int main(void) {
  test_pool();
  test_ball();
  test_drop();
  test_thin();
  test_same();
  test_empty();
  test_changes();
  test_sides(true);
  test_sides(false);
  abuse_exhaust("adams", use_adams, &exhausted);
  return test_end();
}
