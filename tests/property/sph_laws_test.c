// What the operators promise: exact zeros on constants, momentum and heat kept, exactness on linear
// functions, and that the forms printed wrongly (EG09 (19) with its minus, the half below (50)) would not do.
#include <math.h>

#include "property/sph_set.h"

static const double ulp = 0x1p-52;

// A disordered open set in d dimensions; constants, sums and exactness must hold at its edges as well.
static mote_sph *open_samples(const sph_set *s, mote_kernel_kind kernel, int threads) {
  mote_sph_def def = sph_set_def(s, kernel, s->dimensions == 3 ? 2.4 : 3.1, false);
  return sph_set_create(&def, threads);
}

static void fill_constant(const sph_set *s, size_t components) {
  for (size_t i = 0; i < components * s->count; ++i) s->field[i] = 0.1 * (double)(1 + i % components);
}

static bool all_zero(const double *value, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (value[i] != 0.0) return false;
  }
  return true;
}

static void constants_have_no_derivatives(int d) {
  sph_set s = sph_set_make(d, d == 1 ? 100 : d == 2 ? 15 : 7, 31);
  mote_sph *sph = open_samples(&s, MOTE_KERNEL_CUBIC_SPLINE, 2);
  const mote_gradient_form zero[] = {MOTE_GRADIENT_DIFFERENCE, MOTE_GRADIENT_DENSITY,
                                     MOTE_GRADIENT_CORRECTED};
  size_t c = (size_t)d;
  fill_constant(&s, c);
  for (int f = 0; f < 3; ++f) {
    CHECK(mote_sph_gradient(sph, zero[f], s.field, d, s.out, NULL) == MOTE_OK);
    CHECK(all_zero(s.out, 3 * c * s.count));
    CHECK(mote_sph_divergence(sph, zero[f], s.field, s.out, NULL) == MOTE_OK);
    CHECK(all_zero(s.out, s.count));
  }
  for (int form = MOTE_LAPLACIAN_DIFFERENCE; form < MOTE_LAPLACIAN_FORMS; ++form) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, s.field, d, s.out, NULL) == MOTE_OK);
    CHECK(all_zero(s.out, c * s.count));
  }
  // The plain forms do not have this: EG09 2.2.
  CHECK(mote_sph_gradient(sph, MOTE_GRADIENT_PLAIN, s.field, d, s.out, NULL) == MOTE_OK);
  double largest = 0.0;
  for (size_t i = 0; i < 3 * c * s.count; ++i) largest = fmax(largest, fabs(s.out[i]));
  CHECK(largest > 1e-3);
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

// Sum of V_i g_i and, for the tolerance, of the sizes of all its terms (count times list length of them).
typedef struct balance {
  double sum, size;
} balance;

static balance weigh(const mote_sph *sph, const double *out, size_t count, size_t row, size_t column) {
  balance b = {0};
  for (size_t i = 0; i < count; ++i) {
    double term = mote_sph_volume(sph)[i] * out[row * i + column];
    b.sum += term;
    b.size += fabs(term);
  }
  return b;
}

// As a force per volume -grad p on volumes V_i: the total is zero to rounding for the forms whose pairs are
// antisymmetric, and not for the others.
static void pressure_keeps_momentum(int d) {
  sph_set s = sph_set_make(d, d == 1 ? 100 : d == 2 ? 20 : 8, 32);
  mote_sph *sph = open_samples(&s, MOTE_KERNEL_CUBIC_SPLINE, 2);
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    bool keeps = form == MOTE_GRADIENT_SYMMETRIC || form == MOTE_GRADIENT_MEAN;
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, s.field, 1, s.out, NULL) == MOTE_OK);
    for (size_t a = 0; a < (size_t)d; ++a) {
      balance b = weigh(sph, s.out, s.count, 3, a);
      // A term may be much larger than its sum over j: 100 times covers a neighbourhood of 60.
      CHECK((fabs(b.sum) <= 100.0 * (double)s.count * ulp * b.size) == keeps);
      CHECK((fabs(b.sum) <= 1e-6 * b.size) == keeps);
    }
  }
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

// EG09 (19) as printed, rho_i sum m_j (f_j/rho_j^2 - f_i/rho_i^2) grad W, from the public pieces.
static void printed_minus_loses_momentum(void) {
  sph_set s = sph_set_make(2, 20, 33);
  mote_sph_def def = sph_set_def(&s, MOTE_KERNEL_CUBIC_SPLINE, 3.1, false);
  mote_sph *sph = sph_set_create(&def, 1);
  mote_kernel kernel = mote_kernel_make(def.kernel, 2, def.radius);
  const mote_lists *lists = mote_sph_lists(sph);
  const double *rho = mote_sph_density(sph);
  for (size_t i = 0; i < s.count; ++i) {
    double sum[3] = {0.0};
    for (uint32_t n = 0; n < lists->number[i]; ++n) {
      size_t j = lists->index[lists->first[i] + n];
      double x[3], g[3];
      mote_domain_difference(&def.domain, s.position + 3 * i, s.position + 3 * j, x);
      mote_kernel_gradient(&kernel, x, g);
      double f = rho[i] * s.mass[j] * (s.field[j] / (rho[j] * rho[j]) - s.field[i] / (rho[i] * rho[i]));
      for (int a = 0; a < 3; ++a) sum[a] += f * g[a];
    }
    memcpy(s.out + 3 * i, sum, sizeof sum);
  }
  balance printed = weigh(sph, s.out, s.count, 3, 0);
  CHECK(fabs(printed.sum) > 1e-3 * printed.size);
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

static void laplacians_keep_heat_and_momentum(int d) {
  sph_set s = sph_set_make(d, d == 1 ? 100 : d == 2 ? 20 : 8, 34);
  mote_sph *sph = open_samples(&s, MOTE_KERNEL_WENDLAND_C2, 2);
  size_t c = (size_t)d;
  for (int form = 0; form < MOTE_LAPLACIAN_FORMS; ++form) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, s.field, d, s.out, NULL) == MOTE_OK);
    for (size_t k = 0; k < c; ++k) {
      balance b = weigh(sph, s.out, s.count, c, k);
      CHECK((fabs(b.sum) <= 100.0 * (double)s.count * ulp * b.size) == (form != MOTE_LAPLACIAN_PLAIN));
    }
    // Torque about the origin, x to y: central pairs have none.
    balance torque = {0};
    for (size_t i = 0; i < s.count && d > 1; ++i) {
      double V = mote_sph_volume(sph)[i];
      double a = V * s.position[3 * i] * s.out[c * i + 1], b = -V * s.position[3 * i + 1] * s.out[c * i];
      torque.sum += a + b;
      torque.size += fabs(a) + fabs(b);
    }
    bool none = fabs(torque.sum) <= 100.0 * (double)s.count * ulp * torque.size;
    CHECK(d == 1 || none == (form == MOTE_LAPLACIAN_CENTRAL));
  }
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

static void corrected_is_exact_on_linear_functions(int d) {
  sph_set s = sph_set_make(d, d == 1 ? 100 : d == 2 ? 20 : 8, 35);
  mote_sph *sph = open_samples(&s, MOTE_KERNEL_WENDLAND_C2, 2);
  const double slope[3] = {2.0, -3.0, 0.5};
  for (size_t i = 0; i < s.count; ++i) {
    s.field[i] = 7.0;
    for (int a = 0; a < d; ++a) s.field[i] += slope[a] * s.position[3 * i + a];
  }
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, s.field, 1, s.out, NULL) == MOTE_OK);
    double worst = 0.0;
    for (size_t i = 0; i < s.count; ++i) {
      for (int a = 0; a < 3; ++a) worst = fmax(worst, fabs(s.out[3 * i + a] - (a < d ? slope[a] : 0.0)));
    }
    // Values up to 100, some tens of terms, condition below 100: 1e6 ulp at the very most.
    CHECK((worst < 1e6 * ulp) == (form == MOTE_GRADIENT_CORRECTED));
  }
  // The divergence is its trace.
  for (size_t i = 0; i < s.count; ++i) {
    for (int a = 0; a < d; ++a) s.field[(size_t)d * i + a] = slope[a] * s.position[3 * i + a] + 1.0;
  }
  double exact = 0.0;
  for (int a = 0; a < d; ++a) exact += slope[a];
  CHECK(mote_sph_divergence(sph, MOTE_GRADIENT_CORRECTED, s.field, s.out, NULL) == MOTE_OK);
  for (size_t i = 0; i < s.count; ++i) CHECK_NEAR(s.out[i], exact, 1e6 * ulp);
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

// Samples on a plane in 3D: right within it, nothing across it.
static void corrected_on_a_plane(void) {
  sph_set s = sph_set_make(2, 12, 36);
  for (size_t i = 0; i < s.count; ++i) {
    double u = s.position[3 * i], v = s.position[3 * i + 1];
    s.position[3 * i] = 0.6 * u, s.position[3 * i + 1] = v, s.position[3 * i + 2] = 0.8 * u;
    s.field[i] = 2.0 * u - v;
  }
  mote_sph_def def = sph_set_def(&s, MOTE_KERNEL_WENDLAND_C2, 3.0, false);
  def.domain = mote_domain_open(3);
  mote_sph *sph = sph_set_create(&def, 1);
  CHECK(mote_sph_gradient(sph, MOTE_GRADIENT_CORRECTED, s.field, 1, s.out, NULL) == MOTE_OK);
  for (size_t i = 0; i < s.count; ++i) {
    CHECK_NEAR(s.out[3 * i], 1.2, 1e-10);
    CHECK_NEAR(s.out[3 * i + 1], -1.0, 1e-10);
    CHECK_NEAR(s.out[3 * i + 2], 1.6, 1e-10);
  }
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

// In the bulk of a lattice every form gives the slope of a linear function, and MEAN does so without the half
// of EG09 below (50), which would give half of it. Lattice sums of a C2 kernel at 3 spacings: 1 %.
static void forms_are_consistent(void) {
  sph_set s = sph_set_make(2, 15, 37);
  for (size_t i = 0; i < s.count; ++i) {
    s.position[3 * i] = (double)(i % 15), s.position[3 * i + 1] = (double)(i / 15);
    s.mass[i] = 1.0, s.field[i] = s.position[3 * i] - 7.0;
  }
  mote_sph_def def = sph_set_def(&s, MOTE_KERNEL_WENDLAND_C2, 3.0, false);
  mote_sph *sph = sph_set_create(&def, 1);
  size_t middle = 7 * 15 + 7;
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, s.field, 1, s.out, NULL) == MOTE_OK);
    CHECK_NEAR(s.out[3 * middle], 1.0, 0.01);
    CHECK_NEAR(s.out[3 * middle + 1], 0.0, 1e-13);
  }
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

// EG09 (20): the divergence of the gradient is not the Laplacian. The former spans twice the support.
static void laplacian_is_not_divergence_of_gradient(void) {
  sph_set s = sph_set_make(2, 16, 38);
  mote_sph_def def = sph_set_def(&s, MOTE_KERNEL_CUBIC_SPLINE, 3.0, true);
  mote_sph *sph = sph_set_create(&def, 1);
  double *g = malloc(2 * s.count * sizeof *g), *twice = malloc(s.count * sizeof *twice);
  memset(s.field, 0, s.count * sizeof *s.field);
  s.field[0] = 1.0;
  CHECK(mote_sph_gradient(sph, MOTE_GRADIENT_PLAIN, s.field, 1, s.out, NULL) == MOTE_OK);
  for (size_t i = 0; i < s.count; ++i) g[2 * i] = s.out[3 * i], g[2 * i + 1] = s.out[3 * i + 1];
  CHECK(mote_sph_divergence(sph, MOTE_GRADIENT_PLAIN, g, twice, NULL) == MOTE_OK);
  CHECK(mote_sph_laplacian(sph, MOTE_LAPLACIAN_PLAIN, s.field, 1, s.out, NULL) == MOTE_OK);
  size_t far = 4;  // 4 spacings from the one sample that is not zero
  CHECK(s.out[far] == 0.0 && fabs(twice[far]) > 1e-3);
  free(g), free(twice);
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

int main(void) {
  for (int d = 1; d <= 3; ++d) {
    constants_have_no_derivatives(d);
    pressure_keeps_momentum(d);
    laplacians_keep_heat_and_momentum(d);
    corrected_is_exact_on_linear_functions(d);
  }
  printed_minus_loses_momentum();
  corrected_on_a_plane();
  forms_are_consistent();
  laplacian_is_not_divergence_of_gradient();
  return test_end();
}
