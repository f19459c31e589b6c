// The pressure of a drop: see drop_stress.h.
#include "validate/bodies/drop_stress.h"

#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

#define PI 3.14159265358979323846
#define PAIR_SHARE 0.4  // the part of pairs in the tension, and the noise of normals: tension_law.h
#define NORMAL_NOISE 0.3
#define INNER_RADII 0.6  // radii: where the weight of the inside ends
#define SURFACE_DENSITY 0.9
// k of Wendland's C2 kernel, 2D and 3D: the table of docs/theory/tension.md
static const double strength[4] = {[2] = 1.0 / 0.6211, [3] = 1.0 / 0.6123};

typedef struct cloud {
  size_t count;
  int dimensions;
  const double *x;
  double *P, *n;  // p/D^2; normals, then their force
  double *L;      // nine each: corrections of gradients (docs/theory/fluids.md, "Consistent rates")
  double volume, R;
  double centre[3], inner;  // of the weight
  mote_kernel kernel;
  double strength;  // of pairs and normals; 0 with a mesh, whose forces do not reach the inside
  double sigma;
  mote_lists near;  // others within R
} cloud;

// The kernel of the solver: its sum over a packing is 1.
static mote_kernel kernel_of(int dimensions, double spacing, double support) {
  APP_ASSERT(spacing > 0.0 && support > spacing);
  mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_WENDLAND_C2, dimensions, support);
  int m = (int)(support / spacing) + 1, depth = dimensions == 3 ? m : 0;
  double sum = 0.0, volume = pow(spacing, dimensions);
  for (int z = -depth; z <= depth; ++z) {
    for (int y = -m; y <= m; ++y) {
      for (int x = -m; x <= m; ++x) {
        sum += volume * mote_kernel_value(&kernel, spacing * sqrt((double)(x * x + y * y + z * z)));
      }
    }
  }
  kernel.scale /= sum;
  return kernel;
}

// The way from j to i, and whether they are neighbours.
static bool difference(const cloud *c, size_t i, size_t j, double x[3], double *r) {
  double square = 0.0;
  for (int a = 0; a < 3; ++a) {
    x[a] = c->x[3 * i + (size_t)a] - c->x[3 * j + (size_t)a];
    square += x[a] * x[a];
  }
  *r = sqrt(square);
  return i != j && *r < c->R;
}

static size_t other(const cloud *c, size_t i, size_t n) {
  APP_ASSERT(n < c->near.number[i]);
  return c->near.index[c->near.first[i] + n];
}

static void find_normals(const cloud *c) {
  double noise = NORMAL_NOISE / c->R, x[3], r, gradient[3];
  for (size_t i = 0; i < c->count; ++i) {
    double *n = c->n + 3 * i;
    for (size_t k = 0; k < c->near.number[i]; ++k) {
      if (!difference(c, i, other(c, i, k), x, &r)) continue;
      mote_kernel_gradient(&c->kernel, x, gradient);
      for (int a = 0; a < 3; ++a) n[a] += c->volume * gradient[a];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + noise * noise);
    for (int a = 0; a < 3; ++a) n[a] *= 2.0 * c->strength * (1.0 - PAIR_SHARE) * c->sigma / length;
  }
}

// The inverse of a symmetric matrix; of its first two axes in 2D.
static void invert(const double m[6], int dimensions, double out[9]) {
  double xx = m[0], xy = m[1], xz = m[2], yy = m[3], yz = m[4], zz = dimensions == 2 ? 1.0 : m[5];
  double c[6] = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
                 xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
  double per = 1.0 / (xx * c[0] + xy * c[1] + xz * c[2]);
  static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  for (int k = 0; k < 9; ++k) out[k] = per * c[at[k]];
}

// Exact on linear fields, but the identity at the surface, which `D` tells, and around it.
static void find_corrections(const cloud *c, double *D) {
  double x[3], r, gradient[3];
  for (size_t i = 0; i < c->count; ++i) {
    double m[6] = {0};
    D[i] = c->volume * mote_kernel_value(&c->kernel, 0.0);
    for (size_t n = 0; n < c->near.number[i]; ++n) {
      if (!difference(c, i, other(c, i, n), x, &r)) continue;
      mote_kernel_gradient(&c->kernel, x, gradient);
      D[i] += c->volume * mote_kernel_value(&c->kernel, r);
      for (int a = 0, k = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b, ++k) m[k] -= c->volume * x[a] * gradient[b];
      }
    }
    invert(m, c->dimensions, c->L + 9 * i);
  }
  for (size_t i = 0; i < c->count; ++i) {
    bool edge = D[i] < SURFACE_DENSITY;
    for (size_t n = 0; n < c->near.number[i] && !edge; ++n) {
      edge = D[other(c, i, n)] < SURFACE_DENSITY && difference(c, i, other(c, i, n), x, &r);
    }
    for (size_t k = 0; k < 9 && edge; ++k) c->L[9 * i + k] = k % 4 == 0 ? 1.0 : 0.0;
  }
}

// x . F / V_i V_j of a pair: its part in the stress.
static double pair_stress(const cloud *c, size_t i, size_t j) {
  double x[3], r, gradient[3], q, pair_force = 0.0;
  if (!difference(c, i, j, x, &r)) return 0.0;
  q = r / c->R;
  mote_kernel_gradient(&c->kernel, x, gradient);
  for (size_t k = 0; k < 9; ++k) {
    pair_force -= (c->P[i] * c->L[9 * i + k] + c->P[j] * c->L[9 * j + k]) * gradient[k % 3] * x[k / 3];
  }
  double R4 = c->R * c->R * c->R * c->R, s = c->dimensions == 2 ? 315.0 / R4 : 1344.0 / PI / (R4 * c->R);
  pair_force -= c->strength * PAIR_SHARE * c->sigma * s * q * (1.0 - q) * (1.0 - q) * r;
  // x . (grad grad W) m = W'' m . x, by a difference of gradients along x
  double ahead[3], step = 1e-4, at[3];
  for (int a = 0; a < 3; ++a) at[a] = x[a] * (1.0 + step);
  mote_kernel_gradient(&c->kernel, at, ahead);
  for (int a = 0; a < 3; ++a) at[a] = x[a] * (1.0 - step);
  mote_kernel_gradient(&c->kernel, at, gradient);
  for (int a = 0; a < 3; ++a) {
    pair_force -=
        (ahead[a] - gradient[a]) / (2.0 * step) * (c->n[3 * i + (size_t)a] - c->n[3 * j + (size_t)a]);
  }
  return pair_force;
}

// (1 - (r/inner)^2)^2 at the middle of a and b, weighted as `part` of the way from a.
static double weight(const cloud *c, size_t i, size_t j, double part) {
  double square = 0.0;
  for (size_t a = 0; a < 3; ++a) {
    double x = (1.0 - part) * c->x[3 * i + a] + part * c->x[3 * j + a] - c->centre[a];
    square += x * x;
  }
  double t = 1.0 - square / (c->inner * c->inner);
  return t > 0.0 ? t * t : 0.0;
}

// The mean stress about the middle.
static double inner_stress(const cloud *c, const float *velocity, double rho) {
  APP_ASSERT(c->count > 0 && c->inner > 0.0);
  double sum = 0.0, weights = 0.0;
  for (size_t i = 0; i < c->count; ++i) {
    const float *v = velocity + 3 * i;
    double own = weight(c, i, i, 0.0), square = 0.0;
    for (int a = 0; a < 3; ++a) square += (double)v[a] * (double)v[a];
    weights += own, sum += own * rho * square / c->dimensions;
    for (size_t n = 0; n < c->near.number[i]; ++n) {
      size_t j = other(c, i, n);
      double along = (own + 4.0 * weight(c, i, j, 0.5) + weight(c, i, j, 1.0)) / 6.0;
      if (along > 0.0) sum += along * c->volume * pair_stress(c, i, j) / (2.0 * c->dimensions);
    }
  }
  return sum / weights;
}

mote_result drop_pressure(const drop_inside *d, const mote_world *world, const mote_env *env, double *out,
                          mote_error *error) {
  APP_ASSERT((d->dimensions == 2 || d->dimensions == 3) && d->radius > 0.0);
  mote_field_view x = mote_world_view(world, "position"), p = mote_world_view(world, "pressure"),
                  density = mote_world_view(world, "density"), v = mote_world_view(world, "velocity");
  double rho = mote_material_def_default().density;
  cloud c = {x.count,
             d->dimensions,
             x.data,
             calloc(x.count, sizeof(double)),
             calloc(3 * x.count, sizeof(double)),
             calloc(9 * x.count, sizeof(double)),
             pow(d->spacing, d->dimensions),
             d->support,
             {d->centre[0], d->centre[1], d->centre[2]},
             INNER_RADII * d->radius,
             kernel_of(d->dimensions, d->spacing, d->support),
             d->mesh ? 0.0 : strength[d->dimensions],
             d->sigma,
             {0}};
  double *sum = calloc(x.count, sizeof *sum);
  mote_grid_def def = mote_grid_def_default(d->support);
  mote_grid *grid = NULL;
  def.domain = mote_domain_open(d->dimensions);
  mote_result result = mote_grid_create(&def, env, &grid, error);
  if (!result) result = mote_grid_build(grid, x.data, x.count, error);
  if (!result) result = mote_grid_neighbours(grid, &c.near, error);
  if (c.P == NULL || c.n == NULL || c.L == NULL || sum == NULL) abort();
  for (size_t k = 0; k < 9 * c.count; ++k) c.L[k] = k % 9 % 4 == 0 ? 1.0 : 0.0;
  if (d->consistent && !result) find_corrections(&c, sum);
  for (size_t i = 0; i < c.count; ++i) {
    double D = (double)((const float *)density.data)[i] / rho;
    c.P[i] = (double)((const float *)p.data)[i] / (D * D);
  }
  if (!result) find_normals(&c);
  if (!result) *out = inner_stress(&c, v.data, rho);
  mote_grid_destroy(grid);
  free(c.P), free(c.n), free(c.L), free(sum);
  return result;
}
