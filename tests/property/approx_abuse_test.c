// Misuse of kernels, smoothed particles and moving least squares, as api_abuse_test.c does for the rest.
#include <math.h>
#include <mote/mote.h>
#include <stdint.h>
#include <stdlib.h>

#include "abuse.h"

#define N 60
#define MANY ((size_t)SIZE_MAX)

static const double bad_lengths[] = {0.0,    -1.0, (double)NAN, (double)INFINITY, -(double)INFINITY,
                                     1e-300, 1e300};
#define BAD_LENGTHS (sizeof bad_lengths / sizeof *bad_lengths)

static double point[3 * N], field[3 * N], radius_of[N];
static mote_error error;

static void *untouched(void) {
  static char somewhere;
  return &somewhere;
}

static void make_points(void) {
  for (size_t k = 0; k < 3 * N; ++k) {
    point[k] = mote_random_uniform(1, 0, k);
    field[k] = mote_random_uniform(2, 0, k);
  }
  for (size_t i = 0; i < N; ++i) radius_of[i] = 0.4 + 0.1 * field[i];
}

// --- Kernels ----------------------------------------------------------------------------------------------

static bool all_zero(const mote_kernel *kernel) {
  const double r[] = {0.0, 1e-320, 0.5, 1.0, 1e300};
  double g[3] = {9, 9, 9}, x[3] = {0.1, 0.2, 0.3}, G[6] = {1, 0, 0, 1, 0, 1};
  bool zero = true;
  for (int k = 0; k < 5; ++k) {
    zero = zero && mote_kernel_value(kernel, r[k]) == 0.0 && mote_kernel_derivative(kernel, r[k]) == 0.0 &&
           mote_kernel_second(kernel, r[k]) == 0.0 && mote_kernel_laplacian(kernel, r[k]) == 0.0;
  }
  mote_kernel_gradient(kernel, x, g);
  return zero && g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0 && mote_kernel_anisotropic(kernel, G, x) == 0.0;
}

static void kernels(void) {
  for (size_t k = 0; k < BAD_LENGTHS; ++k) {
    mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_SPIKY, 3, bad_lengths[k]);
    CHECK(kernel.scale == 0.0 && all_zero(&kernel));
  }
  const int dimensions[] = {0, 4, -1, INT32_MIN, INT32_MAX}, kinds[] = {-1, MOTE_KERNEL_KINDS, INT32_MAX};
  for (int k = 0; k < 5; ++k) {
    mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_POLY6, dimensions[k], 1);
    CHECK(kernel.scale == 0.0 && all_zero(&kernel));
  }
  for (int k = 0; k < 3; ++k) {
    mote_kernel kernel = mote_kernel_make((mote_kernel_kind)kinds[k], 2, 1);
    CHECK(kernel.scale == 0.0 && all_zero(&kernel));
    CHECK_TEXT(mote_kernel_name((mote_kernel_kind)kinds[k]), "unknown");
  }
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      mote_kernel kernel = mote_kernel_make((mote_kernel_kind)kind, d, 2.0);
      bool pole = kind == MOTE_KERNEL_SINGULAR;
      bool peak = pole || kind == MOTE_KERNEL_SPIKY || kind == MOTE_KERNEL_DESBRUN;
      CHECK(pole ? isinf(mote_kernel_value(&kernel, 0.0)) : isfinite(mote_kernel_value(&kernel, 0.0)));
      CHECK(mote_kernel_derivative(&kernel, 0.0) == 0.0);
      CHECK(!isnan(mote_kernel_second(&kernel, 0.0)));
      double laplacian = mote_kernel_laplacian(&kernel, 0.0);
      CHECK(d == 1 && !pole ? isfinite(laplacian) : peak == (bool)isinf(laplacian));
      CHECK(mote_kernel_value(&kernel, 2.0) == 0.0 && mote_kernel_laplacian(&kernel, 1e300) == 0.0);
      // The slope near the centre is a limit of slopes, down to the smallest numbers.
      const double near[] = {1e-300, 1e-310, 5e-324};
      for (int k = 0; k < 3 && !pole; ++k) {
        CHECK_NEAR(mote_kernel_derivative(&kernel, near[k]), mote_kernel_derivative(&kernel, 1e-9), 1e-6);
      }
      CHECK(!isnan(mote_kernel_derivative(&kernel, 5e-324)));
    }
  }
}

// --- Smoothed particles -----------------------------------------------------------------------------------

static mote_sph_def sph_def(void) {
  mote_sph_def def = mote_sph_def_default();
  def.radius = 0.4, def.position = point, def.count = N;
  return def;
}

static mote_result make_sph(mote_sph_def def, mote_sph **out) {
  return mote_sph_create(&def, NULL, out, &error);
}

static void sph_definitions(void) {
  mote_sph *sph = untouched();
  mote_sph_def good = sph_def(), def;
  REFUSED(mote_sph_create(NULL, NULL, &sph, &error), ARGUMENT, "null");
  REFUSED(mote_sph_create(&good, NULL, NULL, &error), ARGUMENT, "null");
  for (int d = 0; d <= 4; d += 4) {
    def = good, def.domain.dimensions = d;
    REFUSED(make_sph(def, &sph), ARGUMENT, "dimensions");
  }
  for (int kind = -1; kind <= MOTE_KERNEL_KINDS; kind += MOTE_KERNEL_KINDS + 1) {
    def = good, def.kernel = (mote_kernel_kind)kind;
    REFUSED(make_sph(def, &sph), ARGUMENT, "kernel");
  }
  def = good, def.kernel = MOTE_KERNEL_SINGULAR;
  REFUSED(make_sph(def, &sph), ARGUMENT, "singular");
  def = good, def.position = NULL;
  REFUSED(make_sph(def, &sph), ARGUMENT, "position");
  def = good, def.count = MANY;
  REFUSED(make_sph(def, &sph), ARGUMENT, "more than");
  def = good, def.count = MANY, def.mass = field;
  REFUSED(make_sph(def, &sph), ARGUMENT, "more than");
  def = good, def.boundary_count = MANY, def.boundary = point, def.boundary_volume = field,
  def.rest_density = 1;
  REFUSED(make_sph(def, &sph), ARGUMENT, "more than");
  def = good, def.boundary_count = 1, def.rest_density = 1, def.boundary = point;
  REFUSED(make_sph(def, &sph), ARGUMENT, "boundary");
  def.boundary_volume = field, def.boundary = NULL;
  REFUSED(make_sph(def, &sph), ARGUMENT, "boundary");
  for (size_t k = 0; k < BAD_LENGTHS; ++k) {
    double one[N], bad = bad_lengths[k];
    for (size_t i = 0; i < N; ++i) one[i] = 1;
    def = good, def.radius = bad;
    REFUSED(make_sph(def, &sph), ARGUMENT, "radius");
    if (bad == 1e300 || bad == 1e-300) continue;
    one[7] = bad;
    def = good, def.mass = one;
    REFUSED(make_sph(def, &sph), ARGUMENT, "mass 7");
    def = good, def.boundary_count = N, def.boundary = point, def.boundary_volume = one, def.rest_density = 1;
    REFUSED(make_sph(def, &sph), ARGUMENT, "boundary volume 7");
    def.boundary_volume = radius_of, def.rest_density = bad;
    REFUSED(make_sph(def, &sph), ARGUMENT, "rest density");
    if (isfinite(bad)) continue;
    one[7] = 1, one[10] = bad;
    def = good, def.position = one, def.count = 4;
    REFUSED(make_sph(def, &sph), ARGUMENT, "point 3 is not finite: its y");
    def = good, def.boundary = one, def.boundary_volume = radius_of, def.boundary_count = 4,
    def.rest_density = 1;
    REFUSED(make_sph(def, &sph), ARGUMENT, "boundary");
  }
  const double large[N] = {1e300, 1e300}, place[6] = {0};
  def = good, def.position = place, def.count = 2, def.mass = large, def.radius = 1e-50;
  REFUSED(make_sph(def, &sph), NUMERIC, "density");
  CHECK(sph == untouched());
}

static void sph_calls(void) {
  mote_sph *sph = NULL;
  static double out[9 * N];
  out[0] = 77;
  if (!CHECK(make_sph(sph_def(), &sph) == MOTE_OK)) return;
  REFUSED(mote_sph_value(NULL, field, 1, out, &error), ARGUMENT, "null");
  REFUSED(mote_sph_value(sph, NULL, 1, out, &error), ARGUMENT, "null");
  REFUSED(mote_sph_value(sph, field, 1, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_sph_value(sph, field, 0, out, &error), ARGUMENT, "components");
  REFUSED(mote_sph_value(sph, field, -3, out, &error), ARGUMENT, "components");
  REFUSED(mote_sph_value(sph, field, 1, field, &error), ARGUMENT, "overwrites");
  REFUSED(mote_sph_gradient(NULL, MOTE_GRADIENT_PLAIN, field, 1, out, &error), ARGUMENT, "null");
  REFUSED(mote_sph_gradient(sph, (mote_gradient_form)-1, field, 1, out, &error), ARGUMENT, "form -1");
  REFUSED(mote_sph_gradient(sph, MOTE_GRADIENT_FORMS, field, 1, out, &error), ARGUMENT, "form 6");
  REFUSED(mote_sph_divergence(NULL, MOTE_GRADIENT_PLAIN, field, out, &error), ARGUMENT, "null");
  REFUSED(mote_sph_divergence(sph, MOTE_GRADIENT_FORMS, field, out, &error), ARGUMENT, "form 6");
  REFUSED(mote_sph_laplacian(NULL, MOTE_LAPLACIAN_PLAIN, field, 1, out, &error), ARGUMENT, "null");
  REFUSED(mote_sph_laplacian(sph, MOTE_LAPLACIAN_FORMS, field, 1, out, &error), ARGUMENT, "form 4");
  REFUSED(mote_sph_laplacian(sph, MOTE_LAPLACIAN_CENTRAL, field, 1, out, &error), ARGUMENT, "3 components");
  CHECK_TEXT(mote_gradient_name(MOTE_GRADIENT_FORMS), "unknown");
  CHECK_TEXT(mote_laplacian_name((mote_laplacian_form)-1), "unknown");
  mote_sph_sample_def good = mote_sph_sample_def_default(), def;
  good.position = point, good.count = N, good.field = field, good.value = out;
  REFUSED(mote_sph_sample(NULL, &good, &error), ARGUMENT, "null");
  REFUSED(mote_sph_sample(sph, NULL, &error), ARGUMENT, "null");
  def = good, def.position = NULL;
  REFUSED(mote_sph_sample(sph, &def, &error), ARGUMENT, "position");
  def = good, def.field = NULL;
  REFUSED(mote_sph_sample(sph, &def, &error), ARGUMENT, "field");
  def = good, def.components = 0;
  REFUSED(mote_sph_sample(sph, &def, &error), ARGUMENT, "components");
  def = good, def.count = 2, def.position = (double[]){0, 0, 0, 0, (double)NAN, 0};
  REFUSED(mote_sph_sample(sph, &def, &error), ARGUMENT, "point 1");
  CHECK(out[0] == 77);
  mote_sph_destroy(sph);
  mote_sph_destroy(NULL);
  mote_sph_def spiky = sph_def();
  spiky.kernel = MOTE_KERNEL_SPIKY;
  if (!CHECK(make_sph(spiky, &sph) == MOTE_OK)) return;
  REFUSED(mote_sph_laplacian(sph, MOTE_LAPLACIAN_PLAIN, field, 1, out, &error), ARGUMENT, "spiky");
  def = good, def.laplacian = out;
  REFUSED(mote_sph_sample(sph, &def, &error), ARGUMENT, "spiky");
  mote_sph_destroy(sph);
}

// None, one, and many in one place; y and z that nobody reads; points where nothing is near.
static void sph_edges(void) {
  mote_sph *sph = NULL;
  mote_sph_def def = sph_def();
  double out[9 * N], at[6] = {1e300, 0, 0, 0, 0, 0};
  def.count = 0, def.position = NULL;
  if (!CHECK(make_sph(def, &sph) == MOTE_OK)) return;
  CHECK(mote_sph_value(sph, NULL, 1, NULL, &error) == MOTE_OK && mote_sph_lists(sph)->count == 0);
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = at, sample.count = 2, sample.value = out, sample.density = out + 2, sample.shepard = true;
  CHECK(mote_sph_sample(sph, &sample, &error) == MOTE_OK);
  CHECK(out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0);
  mote_sph_destroy(sph);
  def = sph_def(), def.count = 1;
  if (!CHECK(make_sph(def, &sph) == MOTE_OK)) return;
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, field, 1, out, &error) == MOTE_OK);
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 0);
  }
  mote_sph_destroy(sph);
  static const double same[3 * N];
  def = sph_def(), def.position = same, def.kernel = MOTE_KERNEL_SPIKY;
  if (!CHECK(make_sph(def, &sph) == MOTE_OK)) return;
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, field, 3, out, &error) == MOTE_OK);
    bool zero = true;
    for (int k = 0; k < 9 * N; ++k) zero = zero && out[k] == 0;
    CHECK(zero);
  }
  for (int form = 1; form < MOTE_LAPLACIAN_FORMS; ++form) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, field, 3, out, &error) == MOTE_OK);
    bool finite = true;
    for (int k = 0; k < 3 * N; ++k) finite = finite && isfinite(out[k]);
    CHECK(finite);
  }
  mote_sph_destroy(sph);
  double line[3 * N];
  for (size_t i = 0; i < N; ++i) line[3 * i] = point[3 * i], line[3 * i + 1] = line[3 * i + 2] = (double)NAN;
  def = sph_def(), def.position = line, def.domain = mote_domain_open(1);
  def.domain.periodic[0] = true, def.domain.high[0] = 0.8;
  if (!CHECK(make_sph(def, &sph) == MOTE_OK)) return;
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, field, 1, out, &error) == MOTE_OK);
    CHECK(isfinite(out[0]) && out[1] == 0 && out[2] == 0 && isfinite(out[3]));
  }
  sample.position = at, sample.field = field, sample.value = out;
  REFUSED(mote_sph_sample(sph, &sample, &error), ARGUMENT, "periods");
  mote_sph_destroy(sph);
}

// --- Moving least squares ---------------------------------------------------------------------------------

static mote_mls_def mls_def(void) {
  mote_mls_def def = mote_mls_def_default();
  def.uniform_radius = 0.5, def.position = point, def.count = N;
  return def;
}

static mote_result make_mls(mote_mls_def def, mote_mls **out) {
  return mote_mls_create(&def, NULL, out, &error);
}

static void mls_definitions(void) {
  mote_mls *mls = untouched();
  mote_mls_def good = mls_def(), def;
  REFUSED(mote_mls_create(NULL, NULL, &mls, &error), ARGUMENT, "null");
  REFUSED(mote_mls_create(&good, NULL, NULL, &error), ARGUMENT, "null");
  for (int d = -1; d <= 4; d += 5) {
    def = good, def.domain.dimensions = d;
    REFUSED(make_mls(def, &mls), ARGUMENT, "dimensions");
    def = good, def.order = d;
    REFUSED(make_mls(def, &mls), ARGUMENT, "order");
    def = good, def.rescue = (mote_mls_rescue)d;
    REFUSED(make_mls(def, &mls), ARGUMENT, "rescue");
    def = good, def.kernel = (mote_kernel_kind)(d * 10);
    REFUSED(make_mls(def, &mls), ARGUMENT, "kernel");
  }
  def = good, def.position = NULL;
  REFUSED(make_mls(def, &mls), ARGUMENT, "position");
  def = good, def.count = MANY;
  REFUSED(make_mls(def, &mls), ARGUMENT, "more than");
  def = good, def.domain.periodic[2] = true, def.domain.high[2] = 0.99;
  REFUSED(make_mls(def, &mls), ARGUMENT, "along z");
  for (size_t k = 0; k < BAD_LENGTHS; ++k) {
    double radii[N], bad = bad_lengths[k];
    for (size_t i = 0; i < N; ++i) radii[i] = 0.5;
    def = good, def.uniform_radius = bad;
    REFUSED(make_mls(def, &mls), ARGUMENT, "radius");
    def = good, def.tolerance = bad;
    if (bad != 1e-300) REFUSED(make_mls(def, &mls), ARGUMENT, "tolerance");
    radii[9] = bad;
    def = good, def.radius = radii;
    if (bad != 1e-300) REFUSED(make_mls(def, &mls), ARGUMENT, "radius");
    if (isfinite(bad)) continue;
    def = good, def.position = radii, def.count = 4;
    REFUSED(make_mls(def, &mls), ARGUMENT, "sample 3");
  }
  CHECK(mls == untouched());
}

static void mls_calls(void) {
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = untouched();
  double out[9 * N] = {77};
  if (!CHECK(make_mls(mls_def(), &mls) == MOTE_OK)) return;
  REFUSED(mote_mls_shapes_create(NULL, point, N, 0, NULL, &shapes, &error), ARGUMENT, "null");
  REFUSED(mote_mls_shapes_create(mls, NULL, N, 0, NULL, &shapes, &error), ARGUMENT, "null");
  REFUSED(mote_mls_shapes_create(mls, point, N, 0, NULL, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_mls_shapes_create(mls, point, N, -1, NULL, &shapes, &error), ARGUMENT, "derivatives");
  REFUSED(mote_mls_shapes_create(mls, point, N, 3, NULL, &shapes, &error), ARGUMENT, "derivatives");
  REFUSED(mote_mls_shapes_create(mls, point, MANY, 0, NULL, &shapes, &error), ARGUMENT, "more than");
  REFUSED(mote_mls_shapes_create(mls, (double[3]){(double)NAN}, 1, 0, NULL, &shapes, &error), ARGUMENT,
          "finite");
  CHECK(shapes == untouched());
  REFUSED(mote_mls_direct_gradient(NULL, field, 1, out, &error), ARGUMENT, "mls");
  REFUSED(mote_mls_direct_gradient(mls, NULL, 1, out, &error), ARGUMENT, "null");
  REFUSED(mote_mls_direct_gradient(mls, field, 1, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_mls_direct_gradient(mls, field, 0, out, &error), ARGUMENT, "components");
  if (!CHECK(mote_mls_shapes_create(mls, point, N, 0, NULL, &shapes, &error) == MOTE_OK)) return;
  REFUSED(mote_mls_apply(NULL, field, 1, out, NULL, NULL, &error), ARGUMENT, "shapes");
  REFUSED(mote_mls_apply(shapes, NULL, 1, out, NULL, NULL, &error), ARGUMENT, "field");
  REFUSED(mote_mls_apply(shapes, field, 0, out, NULL, NULL, &error), ARGUMENT, "components");
  REFUSED(mote_mls_apply(shapes, field, 1, out, out, NULL, &error), ARGUMENT, "derivatives");
  REFUSED(mote_mls_apply(shapes, field, 1, out, NULL, out, &error), ARGUMENT, "second");
  CHECK(out[0] == 77 && mote_mls_shapes_gradient(shapes) == NULL && mote_mls_shapes_second(shapes) == NULL);
  CHECK(mote_mls_apply(shapes, field, 1, NULL, NULL, NULL, &error) == MOTE_OK);
  mote_mls_shapes_destroy(shapes);
  mote_mls_shapes_destroy(NULL);
  mote_mls_destroy(mls);
  mote_mls_destroy(NULL);
}

// Every order in every dimension on none, one and coincident samples, near and far from them: finite.
static void mls_edges(void) {
  static const double same[3 * N];
  const double at[9] = {0, 0, 0, 0.1, 0.1, 0.1, 1e300, 0, 0};
  for (int k = 0; k < 3 * 3 * 2 * 7 * 3; ++k) {
    int order = k % 3, d = 1 + k / 3 % 3, rescue = k / 9 % 2, kind = k / 18 % 7, set = k / 126;
    mote_mls_def def = mls_def();
    def.order = order, def.domain = mote_domain_open(d), def.rescue = (mote_mls_rescue)rescue;
    def.kernel = (mote_kernel_kind)kind, def.position = same, def.count = set == 2 ? N : (size_t)set;
    mote_mls *mls = NULL;
    mote_mls_shapes *shapes = NULL;
    double value[3], gradient[9], laplacian[3];
    if (!CHECK(make_mls(def, &mls) == MOTE_OK)) continue;
    if (CHECK(mote_mls_shapes_create(mls, at, 3, 2, NULL, &shapes, &error) == MOTE_OK)) {
      CHECK(mote_mls_apply(shapes, field, 1, value, gradient, laplacian, &error) == MOTE_OK);
      const mote_mls_fit *fit = mote_mls_shapes_fit(shapes);
      for (int p = 0; p < 3; ++p) {
        CHECK(isfinite(value[p]) && isfinite(gradient[3 * p]) && isfinite(laplacian[p]));
        CHECK(p == 2 || set == 0 ? fit[p].order == -1 && value[p] == 0 : fit[p].rank == 1);
      }
      mote_mls_shapes_destroy(shapes);
    }
    double direct[3 * N];
    CHECK(mote_mls_direct_gradient(mls, field, 1, direct, &error) == MOTE_OK);
    CHECK(set == 0 || (direct[0] == 0 && direct[1] == 0 && direct[2] == 0));
    mote_mls_destroy(mls);
  }
}

static void bad_weight(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                       int derivatives, double *w, double dw[3], double ddw[6]) {
  (void)x, (void)offset, (void)radius, (void)derivatives, (void)dw, (void)ddw;
  *w = i == 5 ? *(const double *)user : 1.0;
}

static void mls_weights(void) {
  double bad[] = {-1.0, (double)NAN, -(double)INFINITY}, gradient[3 * N] = {77};
  for (int k = 0; k < 3; ++k) {
    mote_mls_def def = mls_def();
    def.weight = bad_weight, def.weight_user = &bad[k], def.kernel = (mote_kernel_kind)99;
    mote_mls *mls = NULL;
    mote_mls_shapes *shapes = untouched();
    if (!CHECK(make_mls(def, &mls) == MOTE_OK)) continue;
    REFUSED(mote_mls_shapes_create(mls, point, N, 2, NULL, &shapes, &error), NUMERIC, "weight");
    REFUSED(mote_mls_direct_gradient(mls, field, 1, gradient, &error), NUMERIC, "weight");
    CHECK(shapes == untouched() && gradient[0] == 77);
    mote_mls_destroy(mls);
  }
}

// --- Memory that gives out at the n-th call ---------------------------------------------------------------

static mote_result use_sph(const mote_env *env) {
  mote_sph *sph = untouched();
  mote_sph_def def = sph_def();
  def.boundary = field, def.boundary_count = N, def.boundary_volume = radius_of, def.rest_density = 1;
  mote_result result = mote_sph_create(&def, env, &sph, &error);
  if (result != MOTE_OK) return CHECK(sph == untouched()), result;
  double out[N] = {77};
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = field, sample.count = N, sample.field = point, sample.value = out, sample.shepard = true;
  result = mote_sph_sample(sph, &sample, &error);
  CHECK(result == MOTE_OK || out[0] == 77);
  mote_sph_destroy(sph);
  return result;
}

static mote_result use_mls(const mote_env *env) {
  mote_mls *mls = untouched();
  mote_mls_shapes *shapes = untouched();
  mote_mls_def def = mls_def();
  double gradient[3 * N] = {77};
  def.order = 2, def.radius = radius_of;
  mote_result result = mote_mls_create(&def, env, &mls, &error);
  if (result != MOTE_OK) return CHECK(mls == untouched()), result;
  result = mote_mls_direct_gradient(mls, field, 1, gradient, &error);
  CHECK((result == MOTE_OK) == (gradient[0] != 77));
  if (result == MOTE_OK) {
    result = mote_mls_shapes_create(mls, point, N, 2, env, &shapes, &error);
    if (result == MOTE_OK) {
      mote_mls_shapes_destroy(shapes);
    } else {
      CHECK(shapes == untouched());
    }
  }
  mote_mls_destroy(mls);
  return result;
}

int main(void) {
  make_points();
  kernels();
  sph_definitions();
  sph_calls();
  sph_edges();
  mls_definitions();
  mls_calls();
  mls_edges();
  mls_weights();
  abuse_exhaust("smoothed particles", use_sph, &error);
  abuse_exhaust("moving least squares", use_mls, &error);
  return test_end();
}
