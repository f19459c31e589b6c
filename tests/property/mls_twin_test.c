// Shape functions and gradients against EG09 (24), (27), (31) as printed: uncentred monomials, an explicit
// inverse and its derivative; the direct gradient against (37)-(38) with an explicit inverse.
#include "mls_sets.h"

#define N 10

// The twin would otherwise be the less exact of the two.
#pragma GCC diagnostic ignored "-Wdouble-promotion"
typedef long double real;

// By Gauss-Jordan with row exchanges.
static void invert(int n, real a[N][N], real inverse[N][N]) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) inverse[i][j] = i == j ? 1.0 : 0.0;
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (fabsl(a[i][k]) > fabsl(a[pivot][k])) pivot = i;
    }
    for (int j = 0; j < n; ++j) {
      real t = a[k][j], u = inverse[k][j];
      a[k][j] = a[pivot][j], a[pivot][j] = t;
      inverse[k][j] = inverse[pivot][j], inverse[pivot][j] = u;
    }
    real scale = 1.0 / a[k][k];
    for (int j = 0; j < n; ++j) a[k][j] *= scale, inverse[k][j] *= scale;
    for (int i = 0; i < n; ++i) {
      real factor = a[i][k];
      for (int j = 0; i != k && j < n; ++j) {
        a[i][j] -= factor * a[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
}

// Monomials up to `order` and their derivative along an axis (-1: themselves); returns how many.
static int monomials(int d, int order, const double *x, int axis, real p[N]) {
  int n = 0;
  p[n++] = axis < 0 ? 1.0 : 0.0;
  for (int k = 0; order >= 1 && k < d; ++k) p[n++] = axis < 0 ? x[k] : axis == k ? 1.0 : 0.0;
  for (int k = 0; order >= 2 && k < d; ++k) {
    for (int l = k; l < d; ++l) {
      p[n++] = axis < 0 ? (real)x[k] * x[l] : (axis == k ? x[l] : 0.0) + (axis == l ? x[k] : 0.0);
    }
  }
  return n;
}

static real form(int n, const real *p, real a[N][N], const real *q) {
  real sum = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) sum += p[i] * a[i][j] * q[j];
  }
  return sum;
}

// Phi and its gradient of every sample.
static void twin_shapes(const mote_mls_def *def, const double *x, double *phi) {
  int d = def->domain.dimensions, n = 0;
  real m[N][N] = {{0.0}}, dm[3][N][N] = {{{0.0}}}, inverse[N][N], p[N], px[N];
  double *w = calloc(4 * def->count, sizeof *w);
  for (size_t i = 0; i < def->count; ++i) {
    double offset[3];
    mote_kernel kernel = mote_kernel_make(def->kernel, d, def->radius[i]);
    kernel.scale *= pow(def->radius[i], d);  // all have the same height
    mote_domain_difference(&def->domain, x, def->position + 3 * i, offset);
    w[4 * i] = mote_kernel_value(&kernel,
                                 sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]));
    mote_kernel_gradient(&kernel, offset, w + 4 * i + 1);
    n = monomials(d, def->order, def->position + 3 * i, -1, p);
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        m[a][b] += w[4 * i] * p[a] * p[b];
        for (int k = 0; k < d; ++k) dm[k][a][b] += w[4 * i + 1 + (size_t)k] * p[a] * p[b];
      }
    }
  }
  invert(n, m, inverse);
  monomials(d, def->order, x, -1, px);
  for (int k = -1; k < d; ++k) {
    real dpx[N], dinverse[N][N] = {{0.0}}, half[N][N] = {{0.0}};
    if (k >= 0) monomials(d, def->order, x, k, dpx);
    for (int a = 0; k >= 0 && a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        for (int c = 0; c < n; ++c) half[a][b] += dm[k][a][c] * inverse[c][b];
      }
    }
    for (int a = 0; k >= 0 && a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        for (int c = 0; c < n; ++c) dinverse[a][b] -= inverse[a][c] * half[c][b];
      }
    }
    for (size_t i = 0; i < def->count; ++i) {
      monomials(d, def->order, def->position + 3 * i, -1, p);
      if (k < 0) {
        phi[4 * i] = (double)(w[4 * i] * form(n, px, inverse, p));
      } else {
        real along = form(n, px, dinverse, p) + form(n, dpx, inverse, p);
        real steep = w[4 * i + 1 + (size_t)k] * form(n, px, inverse, p);
        phi[4 * i + 1 + (size_t)k] = (double)(steep + w[4 * i] * along);
      }
    }
  }
  free(w);
}

static void compare_shapes(const mote_mls_def *def, const double *point, size_t points) {
  shape_set set = make_shape_set(def, point, points);
  const mote_lists *lists = mote_mls_shapes_lists(set.shapes);
  double *phi = malloc(4 * def->count * sizeof *phi);
  for (size_t i = 0; i < points; ++i) {
    for (size_t k = 0; k < 4 * def->count; ++k) phi[k] = 0.0;
    twin_shapes(def, point + 3 * i, phi);
    double largest[2] = {0.0, 0.0}, worst[2] = {0.0, 0.0};
    for (size_t k = 0; k < 4 * def->count; ++k) largest[k % 4 > 0] = fmax(largest[k % 4 > 0], fabs(phi[k]));
    for (size_t e = lists->first[i]; e < lists->first[i] + lists->number[i]; ++e) {
      double *twin = phi + 4 * (size_t)lists->index[e];
      worst[0] = fmax(worst[0], fabs(twin[0] - mote_mls_shapes_value(set.shapes)[e]));
      for (size_t k = 0; k < 3; ++k) {
        worst[1] = fmax(worst[1], fabs(twin[1 + k] - mote_mls_shapes_gradient(set.shapes)[3 * e + k]));
      }
      for (size_t k = 0; k < 4; ++k) twin[k] = 0.0;
    }
    for (size_t k = 0; k < 4 * def->count; ++k) CHECK(phi[k] == 0.0);  // nothing outside the lists
    CHECK(largest[0] > 0.01 && largest[1] > 0.01);
    CHECK_NEAR(worst[0], 0.0, 1e-10 * largest[0]);
    CHECK_NEAR(worst[1], 0.0, 1e-9 * largest[1]);
  }
  free(phi);
  free_shape_set(&set);
}

static void compare_direct(const mote_mls_def *def) {
  int d = def->domain.dimensions;
  size_t count = def->count;
  mote_mls *mls;
  CHECK(mote_mls_create(def, NULL, &mls, NULL) == MOTE_OK);
  double *field = malloc(2 * count * sizeof *field), *got = malloc(6 * count * sizeof *got);
  for (size_t i = 0; i < 2 * count; ++i) field[i] = mote_random_between(3, 60, i, -1.0, 1.0);
  CHECK(mote_mls_direct_gradient(mls, field, 2, got, NULL) == MOTE_OK);
  for (size_t i = 0; i < count; ++i) {
    real a[N][N] = {{0.0}}, b[2][3] = {{0.0}}, inverse[N][N];
    for (size_t j = 0; j < count; ++j) {
      double x[3];
      mote_kernel kernel = mote_kernel_make(def->kernel, d, def->radius[j]);
      mote_domain_difference(&def->domain, def->position + 3 * j, def->position + 3 * i, x);
      double w =
          mote_kernel_value(&kernel, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])) * pow(def->radius[j], d);
      for (int k = 0; k < d; ++k) {
        for (size_t c = 0; c < 2; ++c) b[c][k] += w * (field[2 * j + c] - field[2 * i + c]) * x[k];
        for (int l = 0; l < d; ++l) a[k][l] += w * x[k] * x[l];
      }
    }
    invert(d, a, inverse);
    for (size_t c = 0; c < 2; ++c) {
      for (int k = 0; k < 3; ++k) {
        real sum = 0.0;
        for (int l = 0; k < d && l < d; ++l) sum += inverse[k][l] * b[c][l];
        double g = (double)sum;
        CHECK_NEAR(got[3 * (2 * i + c) + (size_t)k], g, 1e-10 * (1.0 + fabs(g)));
      }
    }
  }
  free(field), free(got);
  mote_mls_destroy(mls);
}

int main(void) {
  static const int packing[4] = {0, 25, 9, 6};
  for (int d = 1; d <= 3; ++d) {
    size_t count, points = 12;
    double *x = jittered_packing(d, packing[d], 0.4, 21, &count), *point = scattered_points(d, points, 4);
    double *radius = malloc(count * sizeof *radius);
    for (size_t i = 0; i < count; ++i) radius[i] = mote_random_between(2, 9, i, 3.6, 4.4) / packing[d];
    for (int order = 0; order <= 2; ++order) {
      mote_mls_def def = mote_mls_def_default();
      def.domain = mote_domain_open(d);
      def.order = order;
      def.position = x, def.count = count, def.radius = radius;
      def.kernel = order == 1 ? MOTE_KERNEL_CUBIC_SPLINE : MOTE_KERNEL_WENDLAND_C2;
      compare_shapes(&def, point, points);
      compare_direct(&def);
    }
    free(x), free(point), free(radius);
  }
  return test_end();
}
