// Smoothed particle hydrodynamics at the edges: no samples, one, coincident ones, crowds, walls, bad
// arguments, memory that runs out.
#include <math.h>
#include <mote/approx.h>
#include <stdlib.h>

#include "test.h"

static mote_sph_def def_of(const double *position, size_t count) {
  mote_sph_def def = mote_sph_def_default();
  def.position = position, def.count = count, def.radius = 1.0;
  return def;
}

static mote_sph *create(const mote_sph_def *def) {
  mote_sph *sph = NULL;
  if (!CHECK(mote_sph_create(def, NULL, &sph, NULL) == MOTE_OK)) exit(1);
  return sph;
}

static void no_samples(void) {
  mote_sph_def def = def_of(NULL, 0);
  mote_sph *sph = create(&def);
  CHECK(mote_sph_gradient(sph, MOTE_GRADIENT_CORRECTED, NULL, 1, NULL, NULL) == MOTE_OK);
  CHECK(mote_sph_lists(sph)->count == 0);
  double at[3] = {0.0, 0.0, 0.0}, value = 5.0, density = 5.0;
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = at, sample.count = 1, sample.value = &value, sample.density = &density;
  sample.shepard = true;
  CHECK(mote_sph_sample(sph, &sample, NULL) == MOTE_OK);
  CHECK(value == 0.0 && density == 0.0);
  mote_sph_destroy(sph);
  mote_sph_destroy(NULL);
}

static void one_sample(void) {
  const double x[3] = {1.0, 2.0, 3.0}, mass = 4.0, f[3] = {2.0, 2.0, 2.0};
  mote_sph_def def = def_of(x, 1);
  def.mass = &mass;
  mote_sph *sph = create(&def);
  mote_kernel kernel = mote_kernel_make(def.kernel, 3, 1.0);
  double W0 = mote_kernel_value(&kernel, 0.0), out[9];
  CHECK_NEAR(mote_sph_density(sph)[0], 4.0 * W0, 1e-14);
  CHECK_NEAR(mote_sph_volume(sph)[0], 1.0 / W0, 1e-14);
  CHECK(mote_sph_value(sph, f, 1, out, NULL) == MOTE_OK);
  CHECK_NEAR(out[0], 2.0, 1e-15);
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, f, 3, out, NULL) == MOTE_OK);
    for (int k = 0; k < 9; ++k) CHECK(out[k] == 0.0);
  }
  for (int form = MOTE_LAPLACIAN_DIFFERENCE; form < MOTE_LAPLACIAN_FORMS; ++form) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, f, 3, out, NULL) == MOTE_OK);
    for (int k = 0; k < 3; ++k) CHECK(out[k] == 0.0);
  }
  CHECK(mote_sph_laplacian(sph, MOTE_LAPLACIAN_PLAIN, f, 1, out, NULL) == MOTE_OK);
  CHECK_NEAR(out[0], 2.0 / W0 * mote_kernel_laplacian(&kernel, 0.0), 1e-12);
  mote_sph_destroy(sph);
}

// Pairs at distance 0 add to sums of values and to nothing else, also with the kernels that have a peak.
static void coincident_samples(void) {
  const double x[9] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, f[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (int kind = 0; kind < MOTE_KERNEL_SINGULAR; ++kind) {
    mote_sph_def def = def_of(x, 3);
    def.kernel = (mote_kernel_kind)kind;
    mote_sph *sph = create(&def);
    mote_kernel kernel = mote_kernel_make(def.kernel, 3, 1.0);
    CHECK_NEAR(mote_sph_density(sph)[1], 3.0 * mote_kernel_value(&kernel, 0.0), 1e-12);
    double out[27];
    for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
      CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, f, 3, out, NULL) == MOTE_OK);
      for (int k = 0; k < 27; ++k) CHECK(out[k] == 0.0);
    }
    bool peak = kind == MOTE_KERNEL_SPIKY || kind == MOTE_KERNEL_DESBRUN;
    mote_result plain = mote_sph_laplacian(sph, MOTE_LAPLACIAN_PLAIN, f, 3, out, NULL);
    CHECK(plain == (peak ? MOTE_ERROR_ARGUMENT : MOTE_OK));
    for (int form = MOTE_LAPLACIAN_DIFFERENCE; form < MOTE_LAPLACIAN_FORMS; ++form) {
      CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, f, 3, out, NULL) == MOTE_OK);
      for (int k = 0; k < 9; ++k) CHECK(isfinite(out[k]));
    }
    mote_sph_destroy(sph);
  }
}

// More samples and walls in reach of one point than fit the first buffer of a query.
static void crowds(void) {
  enum { N = 700 };
  double *x = malloc(3 * N * sizeof *x), *volume = malloc(N * sizeof *volume), *f = malloc(N * sizeof *f);
  for (int i = 0; i < N; ++i) {
    for (int a = 0; a < 3; ++a) x[3 * i + a] = 1e-4 * (i % 7 + a);
    volume[i] = 0.5, f[i] = 3.0;
  }
  mote_sph_def def = def_of(x, N);
  def.boundary = x, def.boundary_volume = volume, def.boundary_count = N, def.rest_density = 2.0;
  mote_sph *sph = create(&def);
  double W0 = mote_kernel_make(def.kernel, 3, 1.0).scale * 4.0, at[3] = {0.0, 0.0, 0.0}, value, density;
  CHECK_NEAR(mote_sph_density(sph)[0], 2.0 * N * W0, 1e-4 * N * W0);
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = at, sample.count = 1, sample.field = f, sample.value = &value, sample.density = &density;
  sample.shepard = true;
  CHECK(mote_sph_sample(sph, &sample, NULL) == MOTE_OK);
  CHECK_NEAR(value, 3.0, 1e-12);
  CHECK_NEAR(density, 2.0 * N * W0, 1e-4 * N * W0);
  mote_sph_destroy(sph);
  free(x), free(volume), free(f);
}

// Half a lattice and, in the other half, walls: the density of the edge is that of the bulk, and nothing but
// the density knows of the walls.
static void walls_complete_the_density(void) {
  enum { N = 14 };
  double fluid[3 * N * N / 2], wall[3 * N * N / 2], volume[N * N / 2], field[N * N / 2], with[3 * N * N / 2],
      without[3 * N * N / 2];
  for (size_t i = 0; i < N * N / 2; ++i) {
    fluid[3 * i] = (double)(i % N), fluid[3 * i + 1] = (double)(i / N);
    wall[3 * i] = fluid[3 * i], wall[3 * i + 1] = fluid[3 * i + 1] - N / 2;
    volume[i] = 1.0, field[i] = fluid[3 * i];
  }
  mote_sph_def def = def_of(fluid, N * N / 2);
  def.domain = mote_domain_open(2), def.radius = 2.5;
  mote_sph *open = create(&def);
  def.boundary = wall, def.boundary_volume = volume, def.boundary_count = N * N / 2, def.rest_density = 1.0;
  mote_sph *closed = create(&def);
  size_t edge = N / 2, bulk = 4 * N + N / 2;  // two rows beyond the reach of edge and walls

  CHECK_NEAR(mote_sph_density(closed)[edge], mote_sph_density(closed)[bulk], 1e-14);
  CHECK(mote_sph_density(open)[edge] < 0.8 * mote_sph_density(open)[bulk]);
  CHECK(mote_sph_density(open)[bulk] == mote_sph_density(closed)[bulk]);
  CHECK(mote_sph_gradient(open, MOTE_GRADIENT_PLAIN, field, 1, without, NULL) == MOTE_OK);
  CHECK(mote_sph_gradient(closed, MOTE_GRADIENT_PLAIN, field, 1, with, NULL) == MOTE_OK);
  CHECK(with[3 * bulk] == without[3 * bulk]);
  mote_sph_destroy(open);
  mote_sph_destroy(closed);
}

static void bad_definitions(void) {
  const double x[6] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}, nan_x[6] = {0.0, 0.0, 0.0, 1.0, (double)NAN, 1.0};
  const double zero[2] = {1.0, 0.0}, negative[2] = {-1.0, 1.0}, nan_mass[2] = {1.0, (double)NAN};
  const double infinite[2] = {(double)INFINITY, 1.0};
  mote_sph_def good = def_of(x, 2);
  mote_sph_def bad[20];
  size_t n = 0;
  for (; n < 20; ++n) bad[n] = good;
  n = 0;
  bad[n++].position = NULL;
  bad[n++].position = nan_x;
  bad[n++].radius = 0.0;
  bad[n++].radius = -1.0;
  bad[n++].radius = (double)NAN;
  bad[n++].radius = (double)INFINITY;
  bad[n++].radius = 1e-200;
  bad[n++].kernel = MOTE_KERNEL_SINGULAR;
  bad[n++].kernel = MOTE_KERNEL_KINDS;
  bad[n++].kernel = (mote_kernel_kind)-1;
  bad[n++].domain.dimensions = 0;
  bad[n++].domain.dimensions = 4;
  bad[n++].mass = zero;
  bad[n++].mass = negative;
  bad[n++].mass = nan_mass;
  bad[n++].mass = infinite;
  bad[n++].boundary_count = 1;
  bad[n].boundary = x, bad[n].boundary_volume = zero, bad[n].rest_density = 1.0, bad[n++].boundary_count = 2;
  bad[n].boundary = x, bad[n].boundary_volume = x + 3, bad[n].rest_density = 0.0, bad[n++].boundary_count = 1;
  bad[n].boundary = nan_x + 3, bad[n].boundary_volume = x + 3, bad[n].rest_density = 1.0,
  bad[n++].boundary_count = 1;
  for (size_t k = 0; k < n; ++k) {
    mote_sph *sph = NULL;
    mote_error error = {0};
    if (!CHECK(mote_sph_create(&bad[k], NULL, &sph, &error) == MOTE_ERROR_ARGUMENT)) printf("bad %zu\n", k);
    CHECK(sph == NULL && error.code == MOTE_ERROR_ARGUMENT && error.text[0] != '\0');
  }
  mote_sph *sph = NULL;
  CHECK(mote_sph_create(NULL, NULL, &sph, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_sph_create(&good, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  // Masses that overflow when summed.
  const double huge[2] = {1e308, 1e308};
  good.mass = huge;
  CHECK(mote_sph_create(&good, NULL, &sph, NULL) == MOTE_ERROR_NUMERIC && sph == NULL);
}

static void bad_calls(void) {
  const double x[6] = {0.0, 0.0, 0.0, 0.4, 0.1, 0.0};
  double f[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, out[18] = {42.0};
  mote_sph_def def = def_of(x, 2);
  mote_sph *sph = create(&def);
  const mote_result bad = MOTE_ERROR_ARGUMENT;
  CHECK(mote_sph_value(NULL, f, 1, out, NULL) == bad);
  CHECK(mote_sph_value(sph, NULL, 1, out, NULL) == bad);
  CHECK(mote_sph_value(sph, f, 1, NULL, NULL) == bad);
  CHECK(mote_sph_value(sph, f, 0, out, NULL) == bad);
  CHECK(mote_sph_value(sph, f, -1, out, NULL) == bad);
  CHECK(mote_sph_value(sph, f, 1, f, NULL) == bad);
  CHECK(mote_sph_gradient(sph, MOTE_GRADIENT_FORMS, f, 1, out, NULL) == bad);
  CHECK(mote_sph_gradient(NULL, MOTE_GRADIENT_PLAIN, f, 1, out, NULL) == bad);
  CHECK(mote_sph_divergence(NULL, MOTE_GRADIENT_PLAIN, f, out, NULL) == bad);
  CHECK(mote_sph_divergence(sph, (mote_gradient_form)-1, f, out, NULL) == bad);
  CHECK(mote_sph_laplacian(NULL, MOTE_LAPLACIAN_PAIR, f, 1, out, NULL) == bad);
  CHECK(mote_sph_laplacian(sph, MOTE_LAPLACIAN_FORMS, f, 1, out, NULL) == bad);
  CHECK(mote_sph_laplacian(sph, MOTE_LAPLACIAN_CENTRAL, f, 2, out, NULL) == bad);
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  CHECK(mote_sph_sample(sph, &sample, NULL) == MOTE_OK);
  CHECK(mote_sph_sample(NULL, &sample, NULL) == bad && mote_sph_sample(sph, NULL, NULL) == bad);
  sample.count = 1;
  CHECK(mote_sph_sample(sph, &sample, NULL) == bad);
  sample.position = x, sample.value = out;
  CHECK(mote_sph_sample(sph, &sample, NULL) == bad);
  sample.field = f, sample.components = 0;
  CHECK(mote_sph_sample(sph, &sample, NULL) == bad);
  double nowhere[3] = {0.0, (double)INFINITY, 0.0};
  sample.components = 1, sample.position = nowhere;
  CHECK(mote_sph_sample(sph, &sample, NULL) == bad);
  CHECK(out[0] == 42.0);
  mote_sph_destroy(sph);
}

static void names(void) {
  CHECK_TEXT(mote_gradient_name(MOTE_GRADIENT_SYMMETRIC), "symmetric");
  CHECK_TEXT(mote_gradient_name(MOTE_GRADIENT_FORMS), "unknown");
  CHECK_TEXT(mote_laplacian_name(MOTE_LAPLACIAN_PAIR), "pair");
  CHECK_TEXT(mote_laplacian_name((mote_laplacian_form)77), "unknown");
}

typedef struct purse {
  int calls_left;
  size_t held;
} purse;

static void *spend(void *user, void *block, size_t old_size, size_t size) {
  purse *p = user;
  mote_env plain = mote_env_default();
  if (size > 0 && p->calls_left-- <= 0) return NULL;
  void *result = plain.resize(NULL, block, old_size, size);
  p->held = p->held + size - old_size;
  return result;
}

// Fails at the first allocation, the second, ... until everything works; nothing may leak.
static void memory_runs_out(void) {
  double x[3 * 30], volume[30], f[30], value[30], density[30];
  for (int i = 0; i < 30; ++i) {
    for (int a = 0; a < 3; ++a) x[3 * i + a] = 0.37 * ((i >> a) % 4);
    volume[i] = 0.1, f[i] = i;
  }
  bool done = false;
  for (int calls = 0; calls < 200 && !done; ++calls) {
    purse p = {.calls_left = calls};
    mote_env env = mote_env_default();
    env.resize = spend, env.resize_user = &p, env.threads = 2;
    mote_sph_def def = def_of(x, 30);
    def.boundary = x, def.boundary_volume = volume, def.boundary_count = 30, def.rest_density = 1.0;
    mote_sph *sph = NULL;
    mote_result result = mote_sph_create(&def, &env, &sph, NULL);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && sph == NULL));
    if (result == MOTE_OK) {
      mote_sph_sample_def sample = mote_sph_sample_def_default();
      sample.position = x, sample.count = 30, sample.field = f, sample.value = value;
      sample.density = density, sample.shepard = true;
      result = mote_sph_sample(sph, &sample, NULL);
      CHECK(result == MOTE_OK || result == MOTE_ERROR_MEMORY);
      done = result == MOTE_OK;
      mote_sph_destroy(sph);
    }
    CHECK(p.held == 0);
  }
  CHECK(done);
}

int main(void) {
  no_samples();
  one_sample();
  coincident_samples();
  crowds();
  walls_complete_the_density();
  bad_definitions();
  bad_calls();
  names();
  memory_runs_out();
  return test_end();
}
