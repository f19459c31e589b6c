// Kernels: integrals by quadrature, derivatives and Laplacians against differences, published factors, values
// at the centre and the edge, the anisotropic form, bad arguments.
#include "approx/kernel.h"

#include "rows/kernel_lane.h"
#include "test.h"

#define PI 3.14159265358979323846

static mote_kernel kernel_of(int kind, int dimensions, double radius) {
  return mote_kernel_make((mote_kernel_kind)kind, dimensions, radius);
}

static bool peaked(int kind) {
  return kind == MOTE_KERNEL_SPIKY || kind == MOTE_KERNEL_DESBRUN || kind == MOTE_KERNEL_SINGULAR;
}

// Surface of the sphere of radius r.
static double shell(int dimensions, double r) {
  return dimensions == 1 ? 2.0 : dimensions == 2 ? 2.0 * PI * r : 4.0 * PI * r * r;
}

// Two-point Gauss rule in s, r = R s^2, which takes the root out of the singular kernel. 2000 cells: the
// error of smooth parts is 2000^-4 = 6e-14, that of the spline's jump in its third derivative about 2000^-4
// too.
static double integral(const mote_kernel *kernel) {
  double sum = 0.0;
  const int cells = 2000;
  for (int c = 0; c < cells; ++c) {
    for (int side = -1; side <= 1; side += 2) {
      double s = (c + 0.5 + side * 0.28867513459481288) / cells, r = kernel->radius * s * s;
      sum += shell(kernel->dimensions, r) * mote_kernel_value(kernel, r) * kernel->radius * s / cells;
    }
  }
  return sum;
}

static void integrals_are_one(void) {
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      mote_kernel kernel = kernel_of(kind, d, 0.37);
      CHECK_NEAR(integral(&kernel), 1.0, 1e-11);
    }
  }
}

// Differences of fourth order: errors are h^4/30 of the fifth derivative and h^4/90 of the sixth. Within
// the pieces of our kernels of support 1 these are below 1e4 and 2e5 (the Gaussian); the kernels with a peak
// are bounded by the singular one, 60 q^-5.5 and 400 q^-6.5. Rounding adds a few ulp over h and h^2.
static const double step = 1e-3;

static double first_difference(const double w[5]) {
  return (8.0 * (w[3] - w[1]) - (w[4] - w[0])) / (12.0 * step);
}

static double second_difference(const double w[5]) {
  return (16.0 * (w[1] + w[3]) - (w[0] + w[4]) - 30.0 * w[2]) / (12.0 * step * step);
}

static double tolerance(const mote_kernel *kernel, double q, int order) {
  bool peak = peaked(kernel->kind);
  double root = 1.0 / sqrt(q), q5 = 1.0 / (q * q * q * q * q);
  double size = mote_kernel_value(kernel, q - 2.0 * step);
  double derivative = order == 1
                          ? (peak ? 60.0 * kernel->scale * q5 * root : 1e4 * kernel->scale) / 30.0
                          : (peak ? 400.0 * kernel->scale * q5 * root / q : 2e5 * kernel->scale) / 90.0;
  double rounding = 2e-15 * (size + kernel->scale) / (order == 1 ? step : step * step);
  return step * step * step * step * derivative + rounding;
}

static void derivatives_match_differences(void) {
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      mote_kernel kernel = kernel_of(kind, d, 1.0);
      for (double q = 0.0313; q < 0.99; q += 0.03) {
        if (fabs(q - 0.5) < 3.0 * step) continue;  // the spline's third derivative jumps
        double w[5];
        for (int k = 0; k < 5; ++k) w[k] = mote_kernel_value(&kernel, q + (k - 2) * step);
        CHECK_NEAR(mote_kernel_derivative(&kernel, q), first_difference(w), tolerance(&kernel, q, 1));
        CHECK_NEAR(mote_kernel_second(&kernel, q), second_difference(w), tolerance(&kernel, q, 2));
      }
    }
  }
}

// In space, away from the axes: all that the d-dimensional gradient and Laplacian mean.
static void gradient_and_laplacian_match_space(void) {
  const double direction[3][3] = {{1.0, 0.0, 0.0}, {0.6, -0.8, 0.0}, {2.0 / 3, -1.0 / 3, 2.0 / 3}};
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      mote_kernel kernel = kernel_of(kind, d, 1.0);
      for (double q = 0.21; q < 0.99; q += 0.07) {
        double laplacian = 0.0, gradient[3], x[3];
        for (int a = 0; a < 3; ++a) x[a] = q * direction[d - 1][a];
        mote_kernel_gradient(&kernel, x, gradient);
        for (int a = 0; a < d; ++a) {
          double w[5];
          for (int k = 0; k < 5; ++k) {
            double y[3] = {x[0], x[1], x[2]};
            y[a] += (k - 2) * step;
            w[k] = mote_kernel_value(&kernel, sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]));
          }
          laplacian += second_difference(w);
          CHECK_NEAR(gradient[a], first_difference(w), 4.0 * tolerance(&kernel, q, 1));
        }
        CHECK_NEAR(mote_kernel_laplacian(&kernel, q), laplacian, 12.0 * tolerance(&kernel, q, 2));
      }
    }
  }
}

static void published_formulas(void) {
  double h = 0.7, r = 0.31, q = r / h, h5 = h * h * h * h * h;
  mote_kernel k = kernel_of(MOTE_KERNEL_POLY6, 3, h);
  CHECK_NEAR(mote_kernel_value(&k, 0.0), 315.0 / (64.0 * PI * h * h * h), 1e-13);
  CHECK_NEAR(mote_kernel_derivative(&k, r),
             -945.0 / (32.0 * PI * h * h * h) * q / h * (1 - q * q) * (1 - q * q),
             1e-12);  // EG09 (87)
  CHECK_NEAR(mote_kernel_second(&k, r), 945.0 / (32.0 * PI * h5) * (1 - q * q) * (5 * q * q - 1), 1e-12);
  CHECK_NEAR(mote_kernel_laplacian(&k, r), 945.0 / (32.0 * PI * h5) * (1 - q * q) * (7 * q * q - 3), 1e-11);
  // What EG09 prints below (11), the second derivative, is another number.
  CHECK(fabs(mote_kernel_laplacian(&k, r) - mote_kernel_second(&k, r)) > 1.0);
  k = kernel_of(MOTE_KERNEL_POLY6, 2, h);
  CHECK_NEAR(mote_kernel_value(&k, 0.0), 4.0 / (PI * h * h), 1e-14);
  k = kernel_of(MOTE_KERNEL_SPIKY, 3, h);
  CHECK_NEAR(mote_kernel_derivative(&k, r), -45.0 / (PI * h * h * h * h) * (1 - q) * (1 - q), 1e-12);
  CHECK_NEAR(mote_kernel_second(&k, r), 90.0 / (PI * h5) * (1 - q), 1e-11);
  const double sigma[3] = {1.0 / 6.0, 5.0 / (14.0 * PI), 1.0 / (4.0 * PI)};  // YU11 (3.14)
  const double desbrun[3] = {1.0 / 8.0, 5.0 / (16.0 * PI), 15.0 / (64.0 * PI)};
  double eta = r / h, hd = 1.0;
  for (int d = 1; d <= 3; ++d) {
    hd *= h;
    k = kernel_of(MOTE_KERNEL_CUBIC_SPLINE, d, 2.0 * h);
    CHECK_NEAR(
        mote_kernel_value(&k, r),
        sigma[d - 1] / hd * ((2 - eta) * (2 - eta) * (2 - eta) - 4 * (1 - eta) * (1 - eta) * (1 - eta)),
        1e-14);
    mote_kernel desbrun_kernel = kernel_of(MOTE_KERNEL_DESBRUN, d, 2.0 * h);
    CHECK_NEAR(mote_kernel_value(&desbrun_kernel, r), desbrun[d - 1] / hd * (2 - eta) * (2 - eta) * (2 - eta),
               1e-14);
    // In terms of the support it is the spiky kernel.
    k = kernel_of(MOTE_KERNEL_SPIKY, d, 2.0 * h);
    CHECK_NEAR(mote_kernel_value(&desbrun_kernel, r), mote_kernel_value(&k, r), 1e-14);
  }
}

static void centre_and_edge(void) {
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      mote_kernel k = kernel_of(kind, d, 2.0);
      double gradient[3] = {7.0, 7.0, 7.0};
      mote_kernel_gradient(&k, (double[3]){0.0, 0.0, 0.0}, gradient);
      CHECK(gradient[0] == 0.0 && gradient[1] == 0.0 && gradient[2] == 0.0);
      CHECK(mote_kernel_derivative(&k, 0.0) == 0.0);
      CHECK(mote_kernel_value(&k, 2.0) == 0.0 && mote_kernel_derivative(&k, 2.0) == 0.0);
      CHECK(mote_kernel_second(&k, 2.5) == 0.0 && mote_kernel_laplacian(&k, (double)INFINITY) == 0.0);
      CHECK(isnan(mote_kernel_value(&k, (double)NAN)) && isnan(mote_kernel_laplacian(&k, (double)NAN)));
      CHECK_NEAR(mote_kernel_value(&k, 2.0 - 1e-9), 0.0, 1e-11);
      if (!peaked(kind)) {
        CHECK_NEAR(mote_kernel_laplacian(&k, 0.0), d * mote_kernel_second(&k, 0.0), 1e-13);
        CHECK_NEAR(mote_kernel_laplacian(&k, 1e-8), mote_kernel_laplacian(&k, 0.0), 1e-6);
      } else if (d > 1 || kind == MOTE_KERNEL_SINGULAR) {
        CHECK(isinf(mote_kernel_laplacian(&k, 0.0)));
      }
      CHECK(isinf(mote_kernel_value(&k, 0.0)) == (kind == MOTE_KERNEL_SINGULAR));
    }
  }
}

// The weighted mean of samples by the singular kernel meets each of them, others do not.
static void singular_kernel_interpolates(void) {
  const double x[4] = {0.0, 0.31, 0.55, 1.0}, f[4] = {2.0, -1.0, 0.5, 3.0};
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    mote_kernel k = kernel_of(kind, 1, 0.8);
    double sum = 0.0, weights = 0.0, at = x[1] + 1e-14;
    for (int i = 0; i < 4; ++i) {
      double w = mote_kernel_value(&k, fabs(at - x[i]));
      sum += w * f[i];
      weights += w;
    }
    CHECK((fabs(sum / weights - f[1]) < 1e-5) == (kind == MOTE_KERNEL_SINGULAR));
  }
}

static void anisotropic_form(void) {
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      double R = 0.8, nothing = (double)NAN;  // what lies beyond the dimensions is not read
      mote_kernel k = kernel_of(kind, d, R), unit = kernel_of(kind, d, 123.0);
      double g[6] = {1 / R,
                     d > 1 ? 0.0 : nothing,
                     d > 2 ? 0.0 : nothing,
                     d > 1 ? 1 / R : nothing,
                     d > 2 ? 0.0 : nothing,
                     d > 2 ? 1 / R : nothing};
      double x[3] = {0.3, d > 1 ? 0.2 : nothing, d > 2 ? -0.1 : nothing};
      double r = sqrt(0.09 + (d > 1 ? 0.04 : 0.0) + (d > 2 ? 0.01 : 0.0));
      CHECK_NEAR(mote_kernel_anisotropic(&unit, g, x), mote_kernel_value(&k, r), 1e-13 * k.scale);
    }
  }
  // A turned ellipsoid integrates to one: midpoints of 200^2 cells; a C2 kernel, error about n^-3.
  mote_kernel k = kernel_of(MOTE_KERNEL_WENDLAND_C2, 2, 1.0);
  const double g[6] = {1.5, 0.6, 0.0, 0.9, 0.0, 0.0};
  double sum = 0.0, cell = 6.0 / 200;
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 200; ++j) {
      const double x[3] = {(i + 0.5) * cell - 3.0, (j + 0.5) * cell - 3.0, 0.0};
      sum += mote_kernel_anisotropic(&k, g, x) * cell * cell;
    }
  }
  CHECK_NEAR(sum, 1.0, 1e-5);
}

static void bad_arguments_give_the_zero_kernel(void) {
  const mote_kernel bad[] = {
      kernel_of(MOTE_KERNEL_POLY6, 0, 1.0),         kernel_of(MOTE_KERNEL_POLY6, 4, 1.0),
      kernel_of(MOTE_KERNEL_POLY6, 3, 0.0),         kernel_of(MOTE_KERNEL_POLY6, 3, -1.0),
      kernel_of(MOTE_KERNEL_POLY6, 3, (double)NAN), kernel_of(MOTE_KERNEL_POLY6, 3, (double)INFINITY),
      kernel_of(MOTE_KERNEL_KINDS, 3, 1.0),         kernel_of(-1, 3, 1.0),
      kernel_of(MOTE_KERNEL_POLY6, 3, 1e-70),       kernel_of(MOTE_KERNEL_POLY6, 3, 1e120)};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    double gradient[3], identity[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}, x[3] = {0.0, 0.0, 0.0};
    CHECK(bad[k].scale == 0.0 && bad[k].dimensions == 0);
    CHECK(mote_kernel_value(&bad[k], 0.0) == 0.0 && mote_kernel_laplacian(&bad[k], 0.5) == 0.0);
    mote_kernel_gradient(&bad[k], x, gradient);
    CHECK(gradient[0] == 0.0 && gradient[2] == 0.0);
    CHECK(mote_kernel_anisotropic(&bad[k], identity, x) == 0.0);
  }
  CHECK_TEXT(mote_kernel_name((mote_kernel_kind)99), "unknown");
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    CHECK(strcmp(mote_kernel_name((mote_kernel_kind)kind), "unknown") != 0);
  }
}

// Four floats at a time: some ulp of the largest values, 4 and 48, beside the doubles. Desbrun's slope over q
// has no bound: it is compared times q.
static void lanes_match(void) {
  const mote_kernel_kind kinds[] = {MOTE_KERNEL_WENDLAND_C2, MOTE_KERNEL_CUBIC_SPLINE, MOTE_KERNEL_DESBRUN};
  for (int n = 0; n < 3; ++n) {
    bool peak = kinds[n] == MOTE_KERNEL_DESBRUN;
    for (int k = 0; k <= 480; k += 4) {
      mote_lane q = {(float)k / 400.0f, (float)(k + 1) / 400.0f, (float)(k + 2) / 400.0f,
                     (float)(k + 3) / 400.0f};
      mote_lane value = mote_shape_lane_value(kinds[n], q),
                gradient_factor = mote_shape_lane_gradient_factor(kinds[n], q);
      for (int lane = 0; lane < MOTE_LANES; ++lane) {
        double x = (double)q[lane];
        CHECK_NEAR((double)value[lane], x < 1.0 ? mote_shape_value(kinds[n], 3, x) : 0.0, 8 * 4 * 0x1p-24);
        double by = peak ? x : 1.0,
               slope = x < 1.0 && (x > 0.0 || !peak) ? mote_shape_gradient_factor(kinds[n], 3, x) : 0.0;
        CHECK_NEAR((double)gradient_factor[lane] * by, slope * by, 8 * 48 * 0x1p-24);
      }
    }
  }
}

// P'(q) of a kernel in 3D, 0 outside of its support.
static double slope_of(mote_kernel_kind kind, double q) {
  return q < 1.0 ? q * mote_shape_gradient_factor(kind, 3, q) : 0.0;
}

// The lanes' P'' of every kernel that fluids have against a difference quotient of P'. The third derivative
// of the cubic spline jumps by 192 at q = 1/2, where the quotient is off by 192 h / 4; the rest are some ulp
// of 48. The other kernels have no lanes.
static void lane_second_matches_differences(void) {
  const double h = 1e-6;
  for (int k = 0; k < MOTE_KERNEL_KINDS; ++k) {
    mote_kernel_kind kind = (mote_kernel_kind)k;
    bool fluid =
        kind == MOTE_KERNEL_WENDLAND_C2 || kind == MOTE_KERNEL_CUBIC_SPLINE || kind == MOTE_KERNEL_DESBRUN;
    for (int n = 1; n <= 480; ++n) {
      float q = (float)n / 400.0f;
      double x = (double)q, quotient = (slope_of(kind, x + h) - slope_of(kind, x - h)) / (2.0 * h);
      mote_lane second = mote_shape_lane_second(kind, mote_lane_splat(q));
      CHECK_NEAR((double)second[0], fluid ? quotient : 0.0, 1e-4);
    }
  }
}

int main(void) {
  integrals_are_one();
  derivatives_match_differences();
  gradient_and_laplacian_match_space();
  published_formulas();
  centre_and_edge();
  singular_kernel_interpolates();
  anisotropic_form();
  lanes_match();
  lane_second_matches_differences();
  bad_arguments_give_the_zero_kernel();
  return test_end();
}
