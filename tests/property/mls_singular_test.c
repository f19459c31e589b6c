// Samples that do not span the space: planes and lines in 2D and 3D, turned any way, seen from within and
// from outside; too few samples; both rescues. Along the plane or line polynomials and their derivatives are
// exact, across it the approximation is constant. EG09 3.3, 4; docs/theory/mls.md.
#include "mls_sets.h"

typedef struct frame {
  double e[3][3];  // orthonormal rows
} frame;

static frame random_frame(uint64_t seed) {
  frame f;
  for (int r = 0; r < 3; ++r) {
    double *e = f.e[r], norm = 0.0;
    for (int k = 0; k < 3; ++k) e[k] = mote_random_between(seed, 70, (uint64_t)(3 * r + k), -1.0, 1.0);
    for (int q = 0; q < r; ++q) {
      double dot = e[0] * f.e[q][0] + e[1] * f.e[q][1] + e[2] * f.e[q][2];
      for (int k = 0; k < 3; ++k) e[k] -= dot * f.e[q][k];
    }
    for (int k = 0; k < 3; ++k) norm += e[k] * e[k];
    for (int k = 0; k < 3; ++k) e[k] /= sqrt(norm);
  }
  return f;
}

static void to_space(const frame *f, const double y[3], double x[3]) {
  double out[3];
  for (int k = 0; k < 3; ++k) out[k] = y[0] * f->e[0][k] + y[1] * f->e[1][k] + y[2] * f->e[2][k];
  memcpy(x, out, sizeof out);
}

// Gradient and second derivatives along the frame's axes a, b.
static double along(const frame *f, const double *g, int a) {
  return g[0] * f->e[a][0] + g[1] * f->e[a][1] + g[2] * f->e[a][2];
}

static double along_twice(const frame *f, const double *h, int a, int b) {
  static const int slot[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) sum += f->e[a][k] * h[slot[k][l]] * f->e[b][l];
  }
  return sum;
}

// Samples that fill `flat` dimensions of 3D; points at up to `away` radii from the plane or line.
static void test_flat(int flat, int order, bool turned, double away, uint64_t seed) {
  static const frame straight = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  frame f = turned ? random_frame(seed) : straight;
  size_t count, points = 40;
  int n = flat == 1 ? 40 : 12;
  double radius = 4.5 / n;
  double *y = jittered_packing(flat, n, 0.4, seed, &count), *x = malloc(3 * count * sizeof *x);
  double *v = scattered_points(flat, points, seed), *point = malloc(3 * points * sizeof *point);
  for (size_t i = 0; i < count; ++i) to_space(&f, y + 3 * i, x + 3 * i);
  for (size_t i = 0; i < points; ++i) {
    for (int k = flat; k < 3; ++k)
      v[3 * i + (size_t)k] = away * radius * mote_random_between(seed, 80, 3 * i + (size_t)k, -0.35, 0.35);
    to_space(&f, v + 3 * i, point + 3 * i);
  }
  mote_mls_def def = mote_mls_def_default();
  def.order = order;
  def.position = x, def.count = count, def.uniform_radius = radius;
  shape_set set = make_shape_set(&def, point, points);
  polynomial p = random_polynomial(flat, order, seed);
  double *field = malloc(count * sizeof *field);
  for (size_t i = 0; i < count; ++i) {
    double g[3], h[6];
    polynomial_at(&p, y + 3 * i, &field[i], g, h);
  }
  int rank = order == 1 ? 1 + flat : (flat + 1) * (flat + 2) / 2;
  for (size_t i = 0; i < points; ++i) {
    const mote_lists *lists = mote_mls_shapes_lists(set.shapes);
    double got[10] = {0.0}, exact[10], foot[3] = {v[3 * i], flat > 1 ? v[3 * i + 1] : 0.0, 0.0};
    for (size_t e = lists->first[i]; e < lists->first[i] + lists->number[i]; ++e) {
      double fj = field[lists->index[e]];
      got[0] += mote_mls_shapes_value(set.shapes)[e] * fj;
      for (size_t k = 0; k < 3; ++k) got[1 + k] += mote_mls_shapes_gradient(set.shapes)[3 * e + k] * fj;
      for (size_t k = 0; k < 6; ++k) got[4 + k] += mote_mls_shapes_second(set.shapes)[6 * e + k] * fj;
    }
    polynomial_at(&p, foot, &exact[0], exact + 1, exact + 4);
    CHECK(mote_mls_shapes_fit(set.shapes)[i].order == order);
    CHECK(mote_mls_shapes_fit(set.shapes)[i].rank == rank);
    CHECK(mote_mls_shapes_fit(set.shapes)[i].condition < 1e8);
    CHECK_NEAR(got[0], exact[0], 1e-10);
    for (int a = 0; a < 3; ++a) {
      CHECK_NEAR(along(&f, got + 1, a), a < flat ? exact[1 + a] : 0.0, 1e-8);
      for (int b = a; b < 3; ++b) {
        double h[3][3] = {
            {exact[4], exact[5], exact[6]}, {exact[5], exact[7], exact[8]}, {exact[6], exact[8], exact[9]}};
        CHECK_NEAR(along_twice(&f, got + 4, a, b), a < flat && b < flat ? h[a][b] : 0.0, 1e-7);
      }
    }
  }
  free_shape_set(&set);
  free(x), free(y), free(v), free(point), free(field);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    for (int flat = 1; flat <= 2; ++flat) {
      for (int order = 1; order <= 2; ++order) {
        for (int turned = 0; turned <= 1; ++turned) {
          test_flat(flat, order, turned, 0.0, seed);
          test_flat(flat, order, turned, 1.0, seed);
        }
      }
    }
  }
  return test_end();
}
