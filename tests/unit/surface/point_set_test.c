// Point sets: bins hold all points in order, runs find all of a box, images surround periodic domains.
#include "surface/point_set.h"

#include <math.h>
#include <mote/numeric.h>

#include "test.h"

#define COUNT 500

static void fill(double *x, double size) {
  for (size_t k = 0; k < 3 * COUNT; ++k) x[k] = size * (2.0 * mote_random_uniform(3, 1, k) - 1.0);
}

typedef struct made {
  mote_arena arena, scratch;
  mote_point_set set;
  mote_result result;
} made;

static made make(const double *x, const mote_domain *domain, double pad) {
  mote_env env = mote_env_default();
  made m = {.arena = mote_arena_make(&env), .scratch = mote_arena_make(&env)};
  mote_surface_particles particles = {.position = x, .count = COUNT};
  mote_point_set_opts opts = {
      .domain = domain, .spacing = 1.0, .pad = pad, .origin_step = 4.0, .threads = env.threads};
  m.result = mote_point_set_build(&particles, &opts, &m.arena, &m.scratch, &m.set, NULL);
  return m;
}

static void end(made *m) {
  mote_arena_destroy(&m->scratch);
  mote_arena_destroy(&m->arena);
}

static void test_bins(void) {
  static double x[3 * COUNT];
  fill(x, 20.0);
  mote_domain open = mote_domain_open(3);
  made m = make(x, &open, 0.0);
  CHECK(m.result == MOTE_OK && m.set.count == COUNT);
  bool seen[COUNT] = {false};
  for (size_t b = 0; b < m.set.bins; ++b) {
    for (size_t p = m.set.first_point[b]; p < m.set.first_point[b + 1]; ++p) {
      uint32_t row = m.set.row[p];
      CHECK(!seen[row]);
      seen[row] = true;
      for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(m.set.position[3 * p + a] + m.set.origin[a], x[3 * row + a], 1e-12);
        CHECK((int)floor(m.set.position[3 * p + a] / m.set.bin_edge) == m.set.bin_at[3 * b + a]);
      }
      if (p > m.set.first_point[b]) CHECK(row > m.set.row[p - 1]);
    }
  }
  for (int i = 0; i < COUNT; ++i) CHECK(seen[i]);
  for (int a = 0; a < 3; ++a) CHECK(fmod(m.set.origin[a], 4.0) == 0.0);
  end(&m);
}

static void test_runs(void) {
  static double x[3 * COUNT];
  fill(x, 9.0);
  mote_domain open = mote_domain_open(3);
  made m = make(x, &open, 0.0);
  for (int trial = 0; trial < 200; ++trial) {
    double low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = 20.0 * mote_random_uniform(4, (uint64_t)trial, (size_t)a);
      high[a] = low[a] + 6.0 * mote_random_uniform(5, (uint64_t)trial, (size_t)a);
    }
    mote_point_run run[64];
    size_t runs = mote_point_set_runs(&m.set, low, high, run, 64), found = 0, inside = 0;
    CHECK(runs <= 64 && mote_point_set_runs(&m.set, low, high, NULL, 0) == runs);
    for (size_t r = 0; r < runs; ++r) {
      if (r > 0) CHECK(run[r].begin > run[r - 1].end);
      CHECK(m.set.first_point[run[r].first_bin] == run[r].begin);
      CHECK(m.set.first_point[run[r].end_bin] == run[r].end);
      for (size_t p = run[r].begin; p < run[r].end; ++p) {
        bool in = true;
        for (int a = 0; a < 3; ++a) {
          double at = m.set.position[3 * p + a];
          in = in && at >= low[a] && at <= high[a];
        }
        found += in;
      }
    }
    for (size_t p = 0; p < COUNT; ++p) {
      bool in = true;
      for (int a = 0; a < 3; ++a) {
        double at = m.set.position[3 * p + a];
        in = in && at >= low[a] && at <= high[a];
      }
      inside += in;
    }
    CHECK(found == inside);
  }
  end(&m);
}

// Every image within the pad, none twice: as many as a count by hand says.
static void test_images(void) {
  static double x[3 * COUNT];
  fill(x, 9.0);
  mote_domain domain = mote_domain_open(3);
  domain.periodic[1] = true;
  domain.low[1] = -3.0;
  domain.high[1] = 2.0;
  made m = make(x, &domain, 7.0);
  size_t expected = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    for (int k = -10; k <= 10; ++k) {
      double y = x[3 * i + 1] + 5.0 * k;
      expected += y >= -10.0 && y <= 9.0;
    }
  }
  CHECK(m.result == MOTE_OK && m.set.particles == COUNT);
  CHECK(m.set.count == expected);
  for (size_t p = 0; p < m.set.count; ++p) {
    double turns = (m.set.position[3 * p + 1] + m.set.origin[1] - x[3 * m.set.row[p] + 1]) / 5.0;
    CHECK_NEAR(turns, floor(turns + 0.5), 1e-9);
  }
  end(&m);
}

int main(void) {
  test_bins();
  test_runs();
  test_images();
  return test_end();
}
