// Every operator of smoothed particle hydrodynamics against sums over all pairs, written out from the
// equations one by one: open and periodic, 1D to 3D, all kernels, with and without boundary samples. And the
// same bytes from any number of threads.
#include <math.h>

#include "property/sph_set.h"

// A brute-force sum: the terms and, for the tolerance, their sizes.
typedef struct total {
  double sum, size;
} total;

static void add(total *t, double term) {
  t->sum += term;
  t->size += fabs(term);
}

// Two orders of summation of n terms differ by at most 2 n ulp of the sum of sizes; terms by some ulp more.
#define CHECK_TOTAL(value, t) CHECK_NEAR((value), (t).sum, 1e-13 * (t).size)

typedef struct twin {
  const sph_set *s;
  const mote_sph_def *def;
  mote_kernel kernel;
  const double *rho, *V;
} twin;

// The nearest image by trying all of them.
static double difference(const twin *t, const double *xi, const double *xj, double out[3]) {
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    out[axis] = axis < t->s->dimensions ? xi[axis] - xj[axis] : 0.0;
    if (t->def->domain.periodic[axis]) {
      for (int image = -2; image <= 2; ++image) {
        double other = xi[axis] - xj[axis] + image * t->s->side;
        if (fabs(other) < fabs(out[axis])) out[axis] = other;
      }
    }
    square += out[axis] * out[axis];
  }
  return sqrt(square);
}

static double gradient_coefficient(const twin *t, int form, double fi, double fj, size_t i, size_t j) {
  double mj = t->s->mass[j], ri = t->rho[i], rj = t->rho[j];
  switch (form) {
    case MOTE_GRADIENT_PLAIN: return mj / rj * fj;                                     // EG09 (9), (12)
    case MOTE_GRADIENT_DENSITY: return mj * (fj - fi) / ri;                            // (17)
    case MOTE_GRADIENT_SYMMETRIC: return ri * mj * (fj / (rj * rj) + fi / (ri * ri));  // (19)
    case MOTE_GRADIENT_MEAN: return mj / rj * (fi + fj);
    default: return mj / rj * (fj - fi);  // (13), (14)
  }
}

// Solves M g = b by Cramer's rule in place, d <= 3.
static void solve(int d, double M[3][3], double b[3]) {
  for (int a = d; a < 3; ++a) M[a][a] = 1.0;
  double g[3];
  for (int c = 0; c < 3; ++c) {
    double A[3][3];
    for (int row = 0; row < 3; ++row) {
      for (int col = 0; col < 3; ++col) A[row][col] = col == c ? b[row] : M[row][col];
    }
    g[c] = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
  }
  double det = M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
               M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
               M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
  for (int c = 0; c < 3; ++c) b[c] = g[c] / det;
}

static void brute_gradient(const twin *t, int form, size_t i, int k, total g[3]) {
  double M[3][3] = {{0.0}};
  for (int a = 0; a < 3; ++a) g[a] = (total){0};
  for (size_t j = 0; j < t->s->count; ++j) {
    double x[3], gradW[3];
    difference(t, t->s->position + 3 * i, t->s->position + 3 * j, x);
    mote_kernel_gradient(&t->kernel, x, gradW);
    double f = gradient_coefficient(t, form, t->s->field[3 * i + k], t->s->field[3 * j + k], i, j);
    for (int a = 0; a < 3; ++a) add(&g[a], f * gradW[a]);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) M[a][b] -= t->V[j] * gradW[a] * x[b];
    }
  }
  if (form == MOTE_GRADIENT_CORRECTED) {
    double b[3] = {g[0].sum, g[1].sum, g[2].sum}, size = g[0].size + g[1].size + g[2].size;
    solve(t->s->dimensions, M, b);
    // Moments of a full or half neighbourhood: condition below 100.
    for (int a = 0; a < 3; ++a) g[a] = (total){b[a], 100.0 * (size + fabs(b[a]))};
  }
}

static void check_gradients(const twin *t, const mote_sph *sph) {
  int d = t->s->dimensions;
  double *out = t->s->out, *divergence = malloc(t->s->count * sizeof(double));
  double *packed = malloc(3 * t->s->count * sizeof(double));
  for (size_t i = 0; i < t->s->count; ++i) {
    for (int k = 0; k < d; ++k) packed[(size_t)d * i + k] = t->s->field[3 * i + k];
  }
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, t->s->field, 3, out, NULL) == MOTE_OK);
    CHECK(mote_sph_divergence(sph, (mote_gradient_form)form, packed, divergence, NULL) == MOTE_OK);
    for (size_t i = 0; i < t->s->count; i += 3) {
      total trace = {0};
      for (int k = 0; k < d; ++k) {
        total g[3];
        brute_gradient(t, form, i, k, g);
        for (int a = 0; a < 3; ++a) CHECK_TOTAL(out[9 * i + 3 * k + a], g[a]);
        trace.sum += g[k].sum;
        trace.size += g[k].size;
      }
      CHECK_TOTAL(divergence[i], trace);
    }
  }
  free(divergence), free(packed);
}

static total brute_laplacian(const twin *t, int form, size_t i, int k) {
  int d = t->s->dimensions;
  const double *f = t->s->field;
  total sum = {0};
  double R = t->kernel.radius, eps = 1e-4 * (R / 2) * (R / 2);
  for (size_t j = 0; j < t->s->count; ++j) {
    double x[3], gradW[3], r = difference(t, t->s->position + 3 * i, t->s->position + 3 * j, x);
    double xdotg = 0.0, xdotv = 0.0, V = t->V[j], fij = f[3 * i + k] - f[3 * j + k];
    mote_kernel_gradient(&t->kernel, x, gradW);
    for (int a = 0; a < d; ++a) {
      xdotg += x[a] * gradW[a];
      xdotv += x[a] * (f[3 * i + a] - f[3 * j + a]);
    }
    double lapW = form <= MOTE_LAPLACIAN_DIFFERENCE && (form == MOTE_LAPLACIAN_PLAIN || j != i)
                      ? mote_kernel_laplacian(&t->kernel, r)
                      : 0.0;
    switch (form) {
      case MOTE_LAPLACIAN_PLAIN: add(&sum, V * f[3 * j + k] * lapW); break;
      case MOTE_LAPLACIAN_DIFFERENCE: add(&sum, -V * fij * lapW); break;
      case MOTE_LAPLACIAN_PAIR: add(&sum, 2 * V * fij * xdotg / (r * r + eps)); break;
      default: add(&sum, 2 * (d + 2) * V * xdotv * gradW[k] / (r * r + eps)); break;
    }
  }
  return sum;
}

static void check_laplacians(const twin *t, const mote_sph *sph) {
  int d = t->s->dimensions;
  bool peak = t->kernel.kind == MOTE_KERNEL_SPIKY || t->kernel.kind == MOTE_KERNEL_DESBRUN;
  double *packed = malloc(3 * t->s->count * sizeof(double));
  for (size_t i = 0; i < t->s->count; ++i) {
    for (int k = 0; k < d; ++k) packed[(size_t)d * i + k] = t->s->field[3 * i + k];
  }
  for (int form = peak ? 1 : 0; form < MOTE_LAPLACIAN_FORMS; ++form) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, packed, d, t->s->out, NULL) == MOTE_OK);
    for (size_t i = 0; i < t->s->count; i += 3) {
      for (int k = 0; k < d; ++k) {
        total sum = brute_laplacian(t, form, i, k);
        sum.size += form == MOTE_LAPLACIAN_CENTRAL ? 10.0 * fabs(sum.sum) : 0.0;
        CHECK_TOTAL(t->s->out[(size_t)d * i + k], sum);
      }
    }
  }
  free(packed);
}

// At points between and beyond the samples: EG09 (3), (7), (9), (11), Shepard.
static void check_points(const twin *t, const mote_sph *sph) {
  enum { POINTS = 41 };
  double at[3 * POINTS], value[2 * POINTS], shepard[2 * POINTS], gradient[6 * POINTS], laplacian[2 * POINTS],
      density[POINTS], *pairs = malloc(2 * t->s->count * sizeof(double));
  bool smooth = t->kernel.kind != MOTE_KERNEL_SPIKY && t->kernel.kind != MOTE_KERNEL_DESBRUN;
  for (size_t i = 0; i < 2 * t->s->count; ++i) pairs[i] = t->s->field[3 * (i / 2) + i % 2];
  for (size_t p = 0; p < 3 * POINTS; ++p) at[p] = mote_random_between(99, 0, p, -1.5, t->s->side + 1.5);
  memcpy(at, t->s->position, 3 * sizeof(double));  // and on a sample
  mote_sph_sample_def def = mote_sph_sample_def_default();
  def.position = at, def.count = POINTS, def.field = pairs, def.components = 2;
  def.value = value, def.gradient = gradient, def.density = density,
  def.laplacian = smooth ? laplacian : NULL;
  CHECK(mote_sph_sample(sph, &def, NULL) == MOTE_OK);
  def.gradient = def.density = def.laplacian = NULL, def.value = shepard, def.shepard = true;
  CHECK(mote_sph_sample(sph, &def, NULL) == MOTE_OK);
  for (size_t p = 0; p < POINTS; ++p) {
    total rho = {0}, unity = {0}, f[2] = {{0}}, g[6] = {{0}}, lap[2] = {{0}};
    for (size_t j = 0; j < t->s->count; ++j) {
      double x[3], gradW[3], r = difference(t, at + 3 * p, t->s->position + 3 * j, x);
      double W = mote_kernel_value(&t->kernel, r);
      mote_kernel_gradient(&t->kernel, x, gradW);
      add(&rho, t->s->mass[j] * W);
      add(&unity, t->V[j] * W);
      for (int k = 0; k < 2; ++k) {
        add(&f[k], t->V[j] * pairs[2 * j + k] * W);
        add(&lap[k], smooth ? t->V[j] * pairs[2 * j + k] * mote_kernel_laplacian(&t->kernel, r) : 0.0);
        for (int a = 0; a < 3; ++a) add(&g[3 * k + a], t->V[j] * pairs[2 * j + k] * gradW[a]);
      }
    }
    for (size_t b = 0; b < t->def->boundary_count; ++b) {
      double x[3], r = difference(t, at + 3 * p, t->def->boundary + 3 * b, x);
      add(&rho, t->def->rest_density * t->def->boundary_volume[b] * mote_kernel_value(&t->kernel, r));
    }
    CHECK_TOTAL(density[p], rho);
    for (int k = 0; k < 2; ++k) {
      CHECK_TOTAL(value[2 * p + k], f[k]);
      if (smooth) CHECK_TOTAL(laplacian[2 * p + k], lap[k]);
      for (int a = 0; a < 3; ++a) CHECK_TOTAL(gradient[6 * p + 3 * k + a], g[3 * k + a]);
      if (unity.sum > 0.0)
        CHECK_NEAR(shepard[2 * p + k], f[k].sum / unity.sum, 1e-12 * f[k].size / unity.sum);
      if (unity.sum == 0.0) CHECK(shepard[2 * p + k] == 0.0);
    }
  }
  free(pairs);
}

static void check_density_and_value(const twin *t, const mote_sph *sph) {
  CHECK(mote_sph_value(sph, t->s->field, 3, t->s->out, NULL) == MOTE_OK);
  for (size_t i = 0; i < t->s->count; ++i) {
    total rho = {0}, f = {0};
    for (size_t j = 0; j < t->s->count; ++j) {
      double x[3],
          W = mote_kernel_value(&t->kernel, difference(t, t->s->position + 3 * i, t->s->position + 3 * j, x));
      add(&rho, t->s->mass[j] * W);
      add(&f, t->V[j] * t->s->field[3 * j + 2] * W);
    }
    for (size_t b = 0; b < t->def->boundary_count; ++b) {
      double x[3], r = difference(t, t->s->position + 3 * i, t->def->boundary + 3 * b, x);
      add(&rho, t->def->rest_density * t->def->boundary_volume[b] * mote_kernel_value(&t->kernel, r));
    }
    CHECK_TOTAL(t->rho[i], rho);
    CHECK_NEAR(t->V[i], t->s->mass[i] / t->rho[i], 1e-15 * t->V[i]);
    CHECK_TOTAL(t->s->out[3 * i + 2], f);
  }
}

static void twins_agree(int d, int kind, bool periodic, bool walls) {
  sph_set s = sph_set_make(d, d == 1 ? 60 : d == 2 ? 10 : 6, (uint64_t)(100 * d + kind));
  mote_sph_def def = sph_set_def(&s, (mote_kernel_kind)kind, d == 3 ? 2.3 : 2.7, periodic);
  enum { WALLS = 25 };
  double wall[3 * WALLS], volume[WALLS];
  for (size_t b = 0; b < WALLS; ++b) {
    for (int a = 0; a < 3; ++a) wall[3 * b + a] = mote_random_between(7, (uint64_t)a, b, 0.0, s.side);
    wall[3 * b] *= 0.1;
    volume[b] = mote_random_between(7, 9, b, 0.1, 0.4);
  }
  if (walls)
    def.boundary = wall, def.boundary_volume = volume, def.boundary_count = WALLS, def.rest_density = 2.5;
  mote_sph *sph = sph_set_create(&def, 2);
  twin t = {&s, &def, mote_kernel_make((mote_kernel_kind)kind, d, def.radius), mote_sph_density(sph),
            mote_sph_volume(sph)};
  check_density_and_value(&t, sph);
  check_gradients(&t, sph);
  check_laplacians(&t, sph);
  check_points(&t, sph);
  mote_sph_destroy(sph);
  sph_set_free(&s);
}

// All operators, one after the other, into one buffer.
static size_t run_all(const sph_set *s, const mote_sph_def *def, int threads, double *out) {
  mote_sph *sph = sph_set_create(def, threads);
  size_t n = s->count, at = 0;
  memcpy(out, mote_sph_density(sph), n * sizeof *out);
  at += n;
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form, at += 9 * n) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, s->field, 3, out + at, NULL) == MOTE_OK);
  }
  for (int form = 0; form < MOTE_LAPLACIAN_FORMS; ++form, at += 3 * n) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, s->field, 3, out + at, NULL) == MOTE_OK);
  }
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = s->position, sample.count = n, sample.field = s->field, sample.components = 3;
  sample.shepard = true, sample.value = out + at;
  CHECK(mote_sph_sample(sph, &sample, NULL) == MOTE_OK);
  at += 3 * n;
  mote_sph_destroy(sph);
  return at;
}

static void threads_do_not_matter(void) {
  sph_set s = sph_set_make(3, 11, 5);
  mote_sph_def def = sph_set_def(&s, MOTE_KERNEL_WENDLAND_C2, 2.2, true);
  size_t room = 80 * s.count * sizeof(double);
  double *one = malloc(room), *many = malloc(room);
  size_t used = run_all(&s, &def, 1, one);
  CHECK(run_all(&s, &def, 2, many) == used && memcmp(one, many, used * sizeof *one) == 0);
  CHECK(run_all(&s, &def, 7, many) == used && memcmp(one, many, used * sizeof *one) == 0);
  free(one), free(many);
  sph_set_free(&s);
}

// The set multiplied by `scale` and moved by `shift` of its new units: values stay, gradients go as 1/scale,
// Laplacians as 1/scale^2. Positions then carry rounding errors of `shift` ulp.
static void moving_and_scaling_do_not_matter(double scale, double shift) {
  sph_set s = sph_set_make(3, 8, 6);
  mote_sph_def def = sph_set_def(&s, MOTE_KERNEL_CUBIC_SPLINE, 2.2, false);
  double *plain = malloc(80 * s.count * sizeof(double)), *moved = malloc(80 * s.count * sizeof(double));
  size_t n = s.count, used = run_all(&s, &def, 2, plain);
  for (size_t i = 0; i < 3 * n; ++i) s.position[i] = scale * (s.position[i] + shift);
  for (size_t i = 0; i < n; ++i) s.mass[i] *= scale * scale * scale;
  def.radius *= scale;
  CHECK(run_all(&s, &def, 2, moved) == used);
  double factor[] = {1.0, scale, scale * scale, 1.0}, tolerance[] = {1.0, 40.0, 400.0, 40.0};
  size_t end[] = {n, n + 9 * n * MOTE_GRADIENT_FORMS, used - 3 * n, used};
  for (size_t k = 0, part = 0; k < used; ++k) {
    while (k == end[part]) ++part;
    CHECK_NEAR(moved[k] * factor[part], plain[k], tolerance[part] * (1e-13 + 3e-15 * fabs(shift)));
  }
  free(plain), free(moved);
  sph_set_free(&s);
}

int main(void) {
  for (int kind = 0; kind < MOTE_KERNEL_SINGULAR; ++kind) {
    for (int d = 1; d <= 3; ++d) twins_agree(d, kind, kind % 2 == 0, d == 2);
  }
  for (int d = 1; d <= 3; ++d) {
    twins_agree(d, MOTE_KERNEL_WENDLAND_C2, true, true);
    twins_agree(d, MOTE_KERNEL_CUBIC_SPLINE, false, true);
  }
  threads_do_not_matter();
  moving_and_scaling_do_not_matter(1e-6, 0.0);
  moving_and_scaling_do_not_matter(1.0, 8e6);
  moving_and_scaling_do_not_matter(1e-6, 8e6);
  moving_and_scaling_do_not_matter(1e6, -3e3);
  return test_end();
}
