// Moving least squares at its edges: what it refuses, samples that are few, coincident, at the border of
// reach or none, interpolating weights, callers' weights, periodic domains, threads, memory that runs out,
// stored against direct evaluation, and sets moved far away or scaled down.
#include "mls_sets.h"

static mote_mls_def plain_def(int dimensions, int order, const double *x, size_t count, double radius) {
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(dimensions);
  def.order = order;
  def.position = x, def.count = count, def.uniform_radius = radius;
  return def;
}

static void refuse(const mote_mls_def *def, const char *word) {
  mote_mls *mls = NULL;
  mote_error error = {0};
  CHECK(mote_mls_create(def, NULL, &mls, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(mls == NULL && strstr(error.text, word) != NULL)) fprintf(stderr, "  %s\n", error.text);
}

static void test_arguments(void) {
  double x[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, bad[6] = {0.0, 0.0, 0.0, 0.0, (double)NAN, 0.0};
  double radii[2] = {1.0, -1.0};
  mote_mls_def good = plain_def(2, 1, x, 2, 1.5), def;
  def = good, def.domain.dimensions = 4, refuse(&def, "dimensions");
  def = good, def.order = 3, refuse(&def, "order");
  def = good, def.order = -1, refuse(&def, "order");
  def = good, def.kernel = MOTE_KERNEL_KINDS, refuse(&def, "kernel");
  def = good, def.rescue = (mote_mls_rescue)7, refuse(&def, "rescue");
  def = good, def.tolerance = 0.0, refuse(&def, "tolerance");
  def = good, def.tolerance = (double)NAN, refuse(&def, "tolerance");
  def = good, def.position = NULL, refuse(&def, "position");
  def = good, def.position = bad, refuse(&def, "coordinate 1 of sample 1");
  def = good, def.uniform_radius = 0.0, refuse(&def, "uniform_radius");
  def = good, def.uniform_radius = HUGE_VAL, refuse(&def, "uniform_radius");
  def = good, def.radius = radii, refuse(&def, "radius of sample 1");
  def = good, def.domain.periodic[0] = true, def.domain.high[0] = 2.0, refuse(&def, "period");
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  double out[8] = {7.0};
  CHECK(mote_mls_create(NULL, NULL, &mls, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_create(&good, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_create(&good, NULL, &mls, NULL) == MOTE_OK);
  CHECK(mote_mls_shapes_create(NULL, x, 2, 0, NULL, &shapes, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_shapes_create(mls, NULL, 2, 0, NULL, &shapes, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_shapes_create(mls, x, 2, 3, NULL, &shapes, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_shapes_create(mls, bad, 2, 0, NULL, &shapes, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(shapes == NULL);
  CHECK(mote_mls_shapes_create(mls, x, 2, 0, NULL, &shapes, NULL) == MOTE_OK);
  CHECK(mote_mls_shapes_gradient(shapes) == NULL && mote_mls_shapes_second(shapes) == NULL);
  CHECK(mote_mls_apply(shapes, x, 0, out, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_apply(shapes, NULL, 1, out, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_apply(shapes, x, 1, NULL, out, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_apply(shapes, x, 1, NULL, NULL, out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_apply(NULL, x, 1, out, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_direct_gradient(mls, x, 0, out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_mls_direct_gradient(mls, NULL, 1, out, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(out[0] == 7.0);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  mote_mls_shapes_destroy(NULL);
  mote_mls_destroy(NULL);
}

// Applies shapes at one point to one field: value, gradient, Laplacian.
typedef struct estimate {
  mote_mls_fit fit;
  size_t number;
  double value, gradient[3], laplacian;
} estimate;

static estimate estimate_at(const mote_mls_def *def, const double *point, const double *field) {
  estimate out = {0};
  shape_set set = make_shape_set(def, point, 1);
  CHECK(mote_mls_apply(set.shapes, field, 1, &out.value, out.gradient, &out.laplacian, NULL) == MOTE_OK);
  out.fit = *mote_mls_shapes_fit(set.shapes);
  out.number = mote_mls_shapes_lists(set.shapes)->number[0];
  free_shape_set(&set);
  return out;
}

static void check_estimate(const estimate *e, double value, double gx, double gy, double laplacian) {
  CHECK_NEAR(e->value, value, 1e-12);
  CHECK_NEAR(e->gradient[0], gx, 1e-11);
  CHECK_NEAR(e->gradient[1], gy, 1e-11);
  CHECK_NEAR(e->laplacian, laplacian, 1e-10);
}

static void test_few(void) {
  double x[15] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.4, 0.3, 0.0};
  double f[5] = {3.0, 5.0, 4.0, 6.0, 4.1}, one[5] = {1.0, 1.0, 1.0, 1.0, 1.0};  // 3 + 2x + y
  double near[3] = {0.3, 0.2, 0.0}, far[3] = {9.0, 0.0, 0.0}, edge[3] = {-2.0, 0.0, 0.0};
  for (int order = 0; order <= 2; ++order) {
    for (int rescue = 0; rescue <= 1; ++rescue) {
      mote_mls_def def = plain_def(3, order, x, 1, 2.0);
      def.rescue = (mote_mls_rescue)rescue;
      bool lower = def.rescue == MOTE_MLS_LOWER_ORDER;
      estimate e = estimate_at(&def, far, f);  // no sample in reach
      check_estimate(&e, 0.0, 0.0, 0.0, 0.0);
      CHECK(e.fit.order == -1 && e.fit.rank == 0 && e.number == 0);
      e = estimate_at(&def, edge, f);  // in reach, with no weight
      check_estimate(&e, 0.0, 0.0, 0.0, 0.0);
      CHECK(e.fit.order == -1 && e.number == 1);
      e = estimate_at(&def, near, f);  // one: constant
      check_estimate(&e, 3.0, 0.0, 0.0, 0.0);
      CHECK(e.fit.rank == 1 && e.fit.order == (lower ? 0 : order) && e.fit.condition >= 1.0);
      def.count = 2;  // two: linear along x, unless the order is lowered
      e = estimate_at(&def, near, f);
      if (order >= 1 && !lower) check_estimate(&e, 3.6, 2.0, 0.0, 0.0);
      CHECK(e.fit.rank == (order == 0 ? 1 : 2) && e.fit.order == (lower ? 0 : order));
      e = estimate_at(&def, near, one);
      check_estimate(&e, 1.0, 0.0, 0.0, 0.0);
      def.domain.dimensions = 2, def.count = 5;  // one less than a quadratic needs
      e = estimate_at(&def, near, f);
      if (order >= 1) check_estimate(&e, 3.8, 2.0, 1.0, 0.0);
      CHECK(e.fit.rank == (order == 2 ? 5 : 1 + 2 * order));
      CHECK(e.fit.order == (order == 2 && lower ? 1 : order));
    }
  }
  mote_mls_def none = plain_def(2, 1, NULL, 0, 1.0);
  estimate e = estimate_at(&none, near, f);
  CHECK(e.fit.order == -1 && e.value == 0.0);
}

static void test_coincident(void) {
  double x[18] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0};
  double f[6], point[3] = {0.2, 0.4, 0.0};
  for (int i = 0; i < 6; ++i) f[i] = 1.0 + 2.0 * x[3 * i] - x[3 * i + 1];
  mote_mls_def def = plain_def(2, 1, x, 6, 1.9);
  estimate e = estimate_at(&def, point, f);
  check_estimate(&e, 1.0, 2.0, -1.0, 0.0);
  for (size_t i = 0; i < 18; ++i) x[i] = 0.5;  // all at one place, not that of the point
  e = estimate_at(&def, point, f);
  CHECK(e.fit.rank == 1);
  check_estimate(&e, (1.0 + 1.0 + 3.0 + 0.0 + 0.0 + 2.0) / 6.0, 0.0, 0.0, 0.0);
  mote_mls *mls;
  double g[18];
  CHECK(mote_mls_create(&def, NULL, &mls, NULL) == MOTE_OK);
  CHECK(mote_mls_direct_gradient(mls, f, 1, g, NULL) == MOTE_OK);
  for (int k = 0; k < 18; ++k) CHECK(g[k] == 0.0);
  mote_mls_destroy(mls);
}

// The singular kernel interpolates: at a sample Phi is 1 there and 0 elsewhere, and derivatives are those of
// the polynomial through it, exact on the basis; two samples at one place share.
static void test_poles(void) {
  size_t count;
  double *x = jittered_packing(2, 8, 0.3, 4, &count), *f = malloc(count * sizeof *f);
  polynomial p = random_polynomial(2, 2, 12);
  for (size_t i = 0; i < count; ++i) f[i] = mote_random_between(8, 1, i, -1.0, 1.0);
  mote_mls_def def = plain_def(2, 2, x, count, 0.6);
  def.kernel = MOTE_KERNEL_SINGULAR;
  double *at = x + 3 * 27;
  estimate e = estimate_at(&def, at, f);
  CHECK(e.value == f[27] && isfinite(e.gradient[0]) && isfinite(e.laplacian) && e.fit.rank == 6);
  double close[3] = {at[0] + 1e-12, at[1], 0.0}, exact, g[3], h[6];
  e = estimate_at(&def, close, f);
  CHECK_NEAR(e.value, f[27], 1e-4);
  for (size_t i = 0; i < count; ++i) polynomial_at(&p, x + 3 * i, &f[i], g, h);
  polynomial_at(&p, at, &exact, g, h);
  e = estimate_at(&def, at, f);
  check_estimate(&e, exact, g[0], g[1], h[0] + h[3]);
  memcpy(x + 3 * 30, at, 3 * sizeof *x);
  f[30] = f[27] + 1.0;
  e = estimate_at(&def, at, f);
  CHECK_NEAR(e.value, exact + 0.5, 1e-14);
  def.count = 1, def.position = at;  // no other sample
  e = estimate_at(&def, at, f + 27);
  check_estimate(&e, f[27], 0.0, 0.0, 0.0);
  CHECK(e.fit.rank == 1);
  free(x), free(f);
}

typedef struct weight_spy {
  double nan_at, sign;  // of x
  mote_kernel kernel;
} weight_spy;

static void spied_weight(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                         int derivatives, double *w, double dw[3], double ddw[6]) {
  const weight_spy *spy = user;
  mote_kernel kernel = spy->kernel;
  (void)i, (void)ddw;
  CHECK(radius == kernel.radius && derivatives <= 1);
  double r = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  *w = x[0] == spy->nan_at ? (double)NAN : spy->sign * mote_kernel_value(&kernel, r);
  if (derivatives >= 1) mote_kernel_gradient(&kernel, offset, dw);
}

static void test_callback(void) {
  size_t count;
  double *x = jittered_packing(2, 8, 0.3, 4, &count);
  mote_env env = mote_env_default();
  env.threads = 1;  // CHECK counts without locks
  weight_spy spy = {.nan_at = -1.0, .sign = 1.0, .kernel = mote_kernel_make(MOTE_KERNEL_POLY6, 2, 0.4)};
  mote_mls_def def = plain_def(2, 1, x, count, 0.4), own = def;
  def.kernel = MOTE_KERNEL_POLY6;
  own.weight = spied_weight, own.weight_user = &spy;
  mote_mls *a, *b;
  mote_mls_shapes *sa, *sb;
  CHECK(mote_mls_create(&def, &env, &a, NULL) == MOTE_OK && mote_mls_create(&own, &env, &b, NULL) == MOTE_OK);
  CHECK(mote_mls_shapes_create(a, x, count, 1, &env, &sa, NULL) == MOTE_OK);
  CHECK(mote_mls_shapes_create(b, x, count, 1, &env, &sb, NULL) == MOTE_OK);
  size_t entries = mote_mls_shapes_lists(sa)->first[count];
  for (size_t e = 0; e < entries; ++e) {
    CHECK_NEAR(mote_mls_shapes_value(sa)[e], mote_mls_shapes_value(sb)[e], 1e-13);
    CHECK_NEAR(mote_mls_shapes_gradient(sa)[3 * e], mote_mls_shapes_gradient(sb)[3 * e], 1e-11);
  }
  mote_mls_shapes *untouched = sb;
  double *g = malloc(3 * count * sizeof *g);
  mote_error error = {0};
  static const double sign[3] = {1.0, -1.0, 1e307};  // a number that is none, negative, a sum too large
  for (int trouble = 0; trouble < 3; ++trouble) {
    spy.nan_at = trouble == 0 ? x[3 * 5] : -1.0, spy.sign = sign[trouble];
    CHECK(mote_mls_shapes_create(b, x, count, 1, &env, &untouched, &error) == MOTE_ERROR_NUMERIC);
    CHECK(untouched == sb && strstr(error.text, trouble == 0 ? "point 5" : "point 0") != NULL);
    g[0] = 3.0;
    CHECK(mote_mls_direct_gradient(b, x, 1, g, &error) == MOTE_ERROR_NUMERIC);
    CHECK(g[0] == 3.0 && strstr(error.text, trouble == 0 ? "sample 5" : "sample 0") != NULL);
  }
  mote_mls_shapes_destroy(sa), mote_mls_shapes_destroy(sb);
  mote_mls_destroy(a), mote_mls_destroy(b);
  free(x), free(g);
}

// A periodic set equals the middle of its open copy, three by three.
static void test_periodic(void) {
  size_t count, points = 30;
  double *x = jittered_packing(2, 8, 0.4, 6, &count), *point = scattered_points(2, points, 2);
  double *copies = malloc(9 * 3 * count * sizeof *copies), *f = malloc(9 * count * sizeof *f);
  for (size_t c = 0; c < 9; ++c) {
    for (size_t i = 0; i < count; ++i) {
      double *to = copies + 3 * (c * count + i);
      to[0] = x[3 * i] + (double)(c % 3) - 1.0, to[1] = x[3 * i + 1] + (double)(c / 3) - 1.0, to[2] = 0.0;
      f[c * count + i] = mote_random_between(1, 2, i, -1.0, 1.0);
    }
  }
  mote_mls_def open = plain_def(2, 2, copies, 9 * count, 0.45), periodic = plain_def(2, 2, x, count, 0.45);
  for (int k = 0; k < 2; ++k) periodic.domain.periodic[k] = true, periodic.domain.high[k] = 1.0;
  for (size_t i = 0; i < points; ++i) {
    double moved[3] = {point[3 * i] + 5.0, point[3 * i + 1] - 3.0, 0.0};
    estimate a = estimate_at(&open, point + 3 * i, f), b = estimate_at(&periodic, moved, f);
    CHECK(a.number == b.number);
    CHECK_NEAR(a.value, b.value, 1e-11);
    CHECK_NEAR(a.gradient[0], b.gradient[0], 1e-9);
    CHECK_NEAR(a.laplacian, b.laplacian, 1e-7);
  }
  free(x), free(point), free(copies), free(f);
}

// The condition of the moments, and what is reproduced, do not depend on where a set lies and how large it
// is.
static void test_moved_and_scaled(void) {
  static const double size[3] = {1.0, 1e-6, 1.0}, shift[3] = {0.0, 0.0, 1e6};
  size_t count, points = 40;
  double *unit = jittered_packing(3, 7, 0.4, 6, &count), *at = scattered_points(3, points, 2), condition[40];
  for (int s = 0; s < 3; ++s) {
    double *x = malloc(3 * count * sizeof *x), *point = malloc(3 * points * sizeof *point);
    for (size_t k = 0; k < 3 * count; ++k) x[k] = size[s] * unit[k] + shift[s];
    for (size_t k = 0; k < 3 * points; ++k) point[k] = size[s] * at[k] + shift[s];
    mote_mls_def def = plain_def(3, 2, x, count, 0.55 * size[s]);
    shape_set set = make_shape_set(&def, point, points);
    polynomial p = random_polynomial(3, 2, 5);
    p.size = size[s];
    for (int k = 0; k < 3; ++k) p.centre[k] = shift[s] + 0.5 * size[s];
    double worst[3];
    worst_errors(set.shapes, x, point, &p, worst);
    CHECK_NEAR(worst[0], 0.0, 1e-10);
    CHECK_NEAR(worst[1] * size[s], 0.0, 1e-8);
    CHECK_NEAR(worst[2] * size[s] * size[s], 0.0, 1e-7);
    for (size_t i = 0; i < points; ++i) {
      double now = mote_mls_shapes_fit(set.shapes)[i].condition;
      if (s == 0) condition[i] = now;
      // Positions 1e6 sizes away are rounded to 1e-10 sizes.
      CHECK_NEAR(now / condition[i], 1.0, 1e-6);
    }
    free_shape_set(&set);
    free(x), free(point);
  }
  free(unit), free(at);
}

// Stored shapes, applied, equal the sums written out; all numbers of components and threads give one answer.
static void test_apply_and_threads(void) {
  size_t count, points = 700;
  double *x = jittered_packing(3, 12, 0.4, 6, &count), *point = scattered_points(3, points, 2);
  double *f = malloc(3 * count * sizeof *f), *first = NULL;
  for (size_t i = 0; i < 3 * count; ++i) f[i] = mote_random_between(1, 2, i, -1.0, 1.0);
  mote_mls_def def = plain_def(3, 2, x, count, 0.3);
  size_t room = points * 15 + 9 * count;
  static const int threads[3] = {1, 2, 7};
  for (int t = 0; t < 3; ++t) {
    mote_env env = mote_env_default();
    env.threads = threads[t];
    mote_mls *mls;
    mote_mls_shapes *shapes;
    CHECK(mote_mls_create(&def, &env, &mls, NULL) == MOTE_OK);
    CHECK(mote_mls_shapes_create(mls, point, points, 2, &env, &shapes, NULL) == MOTE_OK);
    double *out = malloc(room * sizeof *out), *gradient = out + 3 * points, *laplacian = out + 12 * points;
    CHECK(mote_mls_apply(shapes, f, 3, out, gradient, laplacian, NULL) == MOTE_OK);
    CHECK(mote_mls_direct_gradient(mls, f, 3, out + 15 * points, NULL) == MOTE_OK);
    const mote_lists *lists = mote_mls_shapes_lists(shapes);
    for (size_t i = 0; t == 0 && i < points; ++i) {
      double v = 0.0, g = 0.0, l = 0.0;
      for (size_t e = lists->first[i]; e < lists->first[i] + lists->number[i]; ++e) {
        const double *second = mote_mls_shapes_second(shapes) + 6 * e;
        double fj = f[3 * (size_t)lists->index[e] + 1];
        v += mote_mls_shapes_value(shapes)[e] * fj;
        g += mote_mls_shapes_gradient(shapes)[3 * e + 2] * fj;
        l += (second[0] + second[3] + second[5]) * fj;
      }
      CHECK(out[3 * i + 1] == v && gradient[3 * (3 * i + 1) + 2] == g && laplacian[3 * i + 1] == l);
      for (size_t e = lists->first[i] + lists->number[i]; e % 4 != 0; ++e) {
        CHECK(mote_mls_shapes_value(shapes)[e] == 0.0 && mote_mls_shapes_second(shapes)[6 * e + 5] == 0.0);
      }
    }
    if (t == 0) {
      first = out;
    } else {
      CHECK(memcmp(first, out, room * sizeof *out) == 0);
      free(out);
    }
    mote_mls_shapes_destroy(shapes);
    mote_mls_destroy(mls);
  }
  free(x), free(point), free(f), free(first);
}

// The direct gradient is exact on linear functions, exactly zero on constants, and flat across a line.
static void test_direct(void) {
  size_t count;
  double *x = jittered_packing(2, 9, 0.4, 6, &count), *f = malloc(2 * count * sizeof *f), g[6 * 81];
  for (size_t i = 0; i < count; ++i) f[2 * i] = 0.1, f[2 * i + 1] = 2.0 * x[3 * i] - 3.0 * x[3 * i + 1];
  mote_mls_def def = plain_def(2, 0, x, count, 0.3);
  for (int kernel = 0; kernel < MOTE_KERNEL_KINDS; ++kernel) {
    mote_mls *mls;
    def.kernel = (mote_kernel_kind)kernel;
    CHECK(mote_mls_create(&def, NULL, &mls, NULL) == MOTE_OK);
    CHECK(mote_mls_direct_gradient(mls, f, 2, g, NULL) == MOTE_OK);
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < 3; ++k) CHECK(g[6 * i + k] == 0.0);
      CHECK_NEAR(g[6 * i + 3], 2.0, 1e-12);
      CHECK_NEAR(g[6 * i + 4], -3.0, 1e-12);
      CHECK(g[6 * i + 5] == 0.0);
    }
    mote_mls_destroy(mls);
  }
  for (size_t i = 0; i < count; ++i) {
    double along = (double)i / 9.0;  // on a line of slope 1/2
    x[3 * i] = 2.0 * along, x[3 * i + 1] = along, f[i] = 5.0 * along;
  }
  def.uniform_radius = 1.0;
  mote_mls *mls;
  CHECK(mote_mls_create(&def, NULL, &mls, NULL) == MOTE_OK);
  CHECK(mote_mls_direct_gradient(mls, f, 1, g, NULL) == MOTE_OK);
  for (size_t i = 0; i < count; ++i) {
    CHECK_NEAR(g[3 * i], 2.0, 1e-11);
    CHECK_NEAR(g[3 * i + 1], 1.0, 1e-11);
  }
  mote_mls_destroy(mls);
  free(x), free(f);
}

typedef struct failing_memory {
  long left, blocks;
} failing_memory;

static void *failing_resize(void *user, void *block, size_t old_size, size_t size) {
  failing_memory *memory = user;
  (void)old_size;
  if (size == 0) {
    memory->blocks -= block != NULL;
    free(block);
    return NULL;
  }
  if (memory->left-- <= 0) return NULL;
  void *grown = aligned_alloc(64, (size + 63) / 64 * 64);
  if (block != NULL) memcpy(grown, block, old_size < size ? old_size : size), free(block);
  memory->blocks += block == NULL;
  return grown;
}

static mote_result run_everything(const mote_mls_def *def, const mote_env *env, double *out) {
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  mote_error error = {0};
  mote_result result = mote_mls_create(def, env, &mls, &error);
  if (!result) result = mote_mls_shapes_create(mls, def->position, def->count, 2, env, &shapes, &error);
  if (!result) result = mote_mls_direct_gradient(mls, def->position, 1, out, &error);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  CHECK(result == error.code);
  return result;
}

static void test_memory(void) {
  size_t count;
  double *x = jittered_packing(2, 7, 0.4, 6, &count), *radius = malloc(count * sizeof *radius), out[3 * 49];
  for (size_t i = 0; i < count; ++i) radius[i] = 0.4;
  mote_mls_def def = plain_def(2, 2, x, count, 0.4);
  def.radius = radius;
  failing_memory memory = {0};
  mote_env env = mote_env_default();
  env.resize = failing_resize, env.resize_user = &memory, env.threads = 1;
  long failures = 0;
  for (;; ++failures) {
    memory = (failing_memory){.left = failures};
    mote_result result = run_everything(&def, &env, out);
    CHECK(memory.blocks == 0);
    if (result == MOTE_OK) break;
    if (!CHECK(result == MOTE_ERROR_MEMORY) || !CHECK(failures < 1000)) break;
  }
  CHECK(failures > 8);
  free(x), free(radius);
}

int main(void) {
  test_arguments();
  test_few();
  test_coincident();
  test_poles();
  test_callback();
  test_periodic();
  test_moved_and_scaled();
  test_apply_and_threads();
  test_direct();
  test_memory();
  return test_end();
}
