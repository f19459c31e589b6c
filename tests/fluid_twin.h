// Random fluids between walls, and their sums by brute force in double.
#ifndef MOTE_TEST_FLUID_TWIN_H
#define MOTE_TEST_FLUID_TWIN_H

#include "fluid_kit.h"

typedef struct twin_set {
  tank *tank;
  uint64_t seed;
  size_t samples;
  double *sample;    // positions
  double *volume;    // of samples
  double *weight;    // of samples: V_b r_b
  double *velocity;  // of samples
  bool *used;        // of samples
  double friction;
} twin_set;

static inline void twin_shake(tank *t, uint64_t seed) {
  for (size_t i = 0; i < t->fluid.count; ++i) {
    bool heavy = mote_random_unit(seed, 2, i) < 0.5;
    t->rest_density[i] = heavy ? 3000.0f : 500.0f;
    t->mass[i] *= (heavy ? 3.0f : 0.5f) * (float)mote_random_between(seed, 3, i, 0.8, 1.2);
    t->viscosity[i] = (float)mote_random_between(seed, 4, i, 0.0, 10.0);
    t->xsph[i] = (float)mote_random_between(seed, 5, i, 0.0, 0.2);
    for (int a = 0; a < t->def.dimensions; ++a) {
      size_t k = 3 * i + (size_t)a;
      t->position[k] += t->def.spacing * mote_random_between(seed, 10 + (uint64_t)a, i, -0.4, 0.4);
      t->fluid.velocity[k] = (float)mote_random_between(seed, 20 + (uint64_t)a, i, -1.0, 1.0);
    }
  }
}

// A moving plate of random samples in the upper half, turned and moved away from where it was made.
static inline void twin_plate(twin_set *s) {
  tank *t = s->tank;
  double side = t->def.tank[0] * t->def.spacing, velocity[3] = {0.3, -0.2, 0.0}, spin[3] = {0.0, 0.0, 1.5};
  mote_pose pose = {
      .rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1}, .pivot = {side, 0, 0}, .move = {-0.3 * side, 0.9 * side, 0}};
  s->samples = 40;
  s->sample = tank_take(3 * s->samples, sizeof(double));
  s->volume = tank_take(s->samples, sizeof(double));
  s->weight = tank_take(s->samples, sizeof(double));
  s->velocity = tank_take(3 * s->samples, sizeof(double));
  s->used = tank_take(s->samples, sizeof(bool));
  mote_samples samples = {s->samples, tank_take(3 * s->samples, sizeof(double)), s->volume};
  for (size_t b = 0; b < s->samples; ++b) {
    double *rest = samples.position + 3 * b, *x = s->sample + 3 * b;
    s->volume[b] =
        (t->def.dimensions == 3 ? pow(t->def.spacing, 3) : pow(t->def.spacing, 2)) * (0.5 + 0.02 * (double)b);
    for (int a = 0; a < t->def.dimensions; ++a) {
      rest[a] = side * mote_random_between(s->seed, 30 + (uint64_t)a, b, 0.0, 0.5);
    }
    double arm[3] = {rest[0] - side, rest[1], rest[2]};
    x[0] = -arm[1] + side - 0.3 * side, x[1] = arm[0] + 0.9 * side, x[2] = arm[2];
    s->velocity[3 * b] = 0.3 - 1.5 * arm[0];
    s->velocity[3 * b + 1] = -0.2 + 1.5 * -arm[1];
  }
  mote_boundary_range range;
  s->friction = 0.7;
  CHECK(mote_boundary_add(t->boundary, &samples, s->friction, true, &range, NULL) == MOTE_OK);
  mote_boundary_pose(t->boundary, range, &pose, velocity, spin);
  free(samples.position);
}

static inline twin_set twin_set_make(int dimensions, mote_kernel_kind kernel, double support, bool periodic,
                                     uint64_t seed) {
  tank_def def = tank_def_default(dimensions);
  int side = dimensions == 3 ? 7 : 12;
  def.kernel = kernel, def.support = support, def.gravity = 9.81;
  for (int a = 0; a < 3; ++a) {
    def.tank[a] = def.water[a] = side;
    def.periodic[a] = periodic && a < 2;
    def.open[a] = true;
  }
  twin_set s = {.tank = tank_make(&def), .seed = seed};
  twin_shake(s.tank, seed);
  twin_plate(&s);
  return s;
}

static inline void twin_set_free(twin_set *s) {
  tank_free(s->tank);
  free(s->sample), free(s->volume), free(s->weight), free(s->velocity), free(s->used);
}

// The kernel as the stages have it: normalised on the lattice at rest.
static inline double twin_pair(const twin_set *s, const double *xi, const double *xj, double x[3],
                               double *gradient_factor) {
  const mote_fluid *f = &s->tank->fluid;
  mote_domain_difference(&f->domain, xi, xj, x);
  double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  *gradient_factor = r > 0.0 ? mote_kernel_derivative(&f->kernel, r) / r : 0.0;
  return mote_kernel_value(&f->kernel, r);
}

typedef struct twin_sums {
  double relative, gradient[3], wall, wall_gradient[3], wall_flow;
  double whole;  // of walls, were they full
} twin_sums;

static inline twin_sums twin_sums_at(const twin_set *s, const double *at, size_t i) {
  const tank *t = s->tank;
  twin_sums sums = {0};
  double x[3], gradient_factor;
  for (size_t j = 0; j < t->fluid.count; ++j) {
    double V = (double)t->mass[j] / (double)t->rest_density[j];
    sums.relative += V * twin_pair(s, at, t->position + 3 * j, x, &gradient_factor);
    for (int a = 0; j != i && a < 3; ++a) sums.gradient[a] += V * gradient_factor * x[a];
  }
  for (size_t b = 0; b < s->samples; ++b) {
    double W = twin_pair(s, at, s->sample + 3 * b, x, &gradient_factor);
    sums.wall += s->weight[b] * W, sums.whole += s->volume[b] * W;
    for (int a = 0; a < 3; ++a) {
      sums.wall_gradient[a] += s->weight[b] * gradient_factor * x[a];
      sums.wall_flow += s->weight[b] * gradient_factor * x[a] * s->velocity[3 * b + a];
    }
  }
  return sums;
}

// What samples count (docs/theory/fluids.md, "Walls"), after a first prepare, which makes the kernel.
static inline void twin_weigh(twin_set *s) {
  for (size_t b = 0; b < s->samples; ++b) {
    twin_sums at = twin_sums_at(s, s->sample + 3 * b, SIZE_MAX);
    double S = at.relative, F = 1.0 - fmin(at.whole, 1.0), f = fmax(F, 0.05);
    s->weight[b] = s->volume[b] * (S < f ? 1.0 + (S - F) / f : 3.0 - F / f - f / S);
  }
}

// sum_j V_j v_j . grad W at a point; the particle there adds nothing.
static inline double twin_flow(const twin_set *s, const double *at) {
  const tank *t = s->tank;
  double sum = 0.0, x[3], gradient_factor;
  for (size_t j = 0; j < t->fluid.count; ++j) {
    twin_pair(s, at, t->position + 3 * j, x, &gradient_factor);
    double V = (double)t->mass[j] / (double)t->rest_density[j];
    for (int a = 0; a < 3; ++a) sum += V * gradient_factor * x[a] * (double)t->fluid.velocity[3 * j + a];
  }
  return sum;
}

// Whether a sample has fluid near it, and so a pressure.
static inline bool twin_sample_used(const twin_set *s, size_t b) {
  const mote_fluid *f = &s->tank->fluid;
  for (size_t i = 0; i < f->count; ++i) {
    double x[3];
    mote_domain_difference(&f->domain, s->tank->position + 3 * i, s->sample + 3 * b, x);
    if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= f->support * f->support) return true;
  }
  return false;
}

// EG09 (51), of pressure_volume = V P; walls have one for each sample in use.
static inline void twin_acceleration(const twin_set *s, const float *pressure_volume,
                                     const float *wall_pressure_volume, size_t i, double a[3]) {
  const tank *t = s->tank;
  const double *at = t->position + 3 * i;
  twin_sums sums = twin_sums_at(s, at, i);
  double x[3], gradient_factor, rho0 = (double)t->rest_density[i],
                                P = (double)pressure_volume[i] / ((double)t->mass[i] / rho0);
  for (int k = 0; k < 3; ++k) a[k] = P * (sums.gradient[k] + sums.wall_gradient[k]);
  for (size_t j = 0; j < t->fluid.count; ++j) {
    twin_pair(s, at, t->position + 3 * j, x, &gradient_factor);
    for (int k = 0; k < 3; ++k) a[k] += (double)pressure_volume[j] * gradient_factor * x[k];
  }
  for (size_t b = 0, slot = 0; b < s->samples; ++b) {
    if (!s->used[b]) continue;
    twin_pair(s, at, s->sample + 3 * b, x, &gradient_factor);
    for (int k = 0; k < 3; ++k) a[k] += (double)wall_pressure_volume[slot] * gradient_factor * x[k];
    ++slot;
  }
  for (int k = 0; k < 3; ++k) a[k] /= -rho0;
}

// How far particle i is above sample b along the normal of the wall, which is that of the sum of gradients.
static inline double twin_above(const twin_set *s, size_t i, size_t b) {
  const double *at = s->tank->position + 3 * i;
  twin_sums sums = twin_sums_at(s, at, i);
  const double *G = sums.wall_gradient;
  double x[3], gradient_factor;
  twin_pair(s, at, s->sample + 3 * b, x, &gradient_factor);
  double length = sqrt(G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
  return length > 0.0 ? -(x[0] * G[0] + x[1] * G[1] + x[2] * G[2]) / length : 0.0;
}

// And how far above the surface: that of the nearest sample in reach, which is half a spacing behind it.
static inline double twin_height(const twin_set *s, size_t i) {
  const mote_fluid *f = &s->tank->fluid;
  double nearest = f->support;
  for (size_t b = 0; b < s->samples; ++b) {
    double x[3];
    mote_domain_difference(&f->domain, s->tank->position + 3 * i, s->sample + 3 * b, x);
    if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= f->support * f->support)
      nearest = fmin(nearest, twin_above(s, i, b));
  }
  return fmax(nearest - 0.5 * f->spacing, 0.25 * f->spacing);
}

// The matrix of viscosity between two particles, N s/m: force on i = -matrix (v_i - v_j).
static inline void twin_viscous_pair(const twin_set *s, size_t i, size_t j, double matrix[3][3]) {
  const tank *t = s->tank;
  const mote_fluid *f = &t->fluid;
  double x[3], gradient_factor, mu = (double)t->viscosity[i], muj = (double)t->viscosity[j];
  twin_pair(s, t->position + 3 * i, t->position + 3 * j, x, &gradient_factor);
  double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], soft = r2 + 0.25e-4 * f->support * f->support;
  bool central = mote_fluid_viscosity_form(f) == MOTE_VISCOSITY_CENTRAL;
  if (central) soft = f->spectrum.reach;
  double Vi = (double)t->mass[i] / (double)t->rest_density[i];
  double Vj = (double)t->mass[j] / (double)t->rest_density[j];
  double c = -4.0 * mu * muj / (mu + muj) * Vi * Vj * gradient_factor / soft;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      matrix[a][b] = central ? c * (f->domain.dimensions + 2) * x[a] * x[b] : a == b ? c * r2 : 0.0;
    }
  }
}

// The friction coefficient of the walls, N s/m, and its product with their velocity, N.
static inline double twin_viscous_wall(const twin_set *s, size_t i, double by_velocity[3]) {
  const tank *t = s->tank;
  double x[3], gradient_factor, sum = 0.0, height = twin_height(s, i);
  double of = -2.0 * (double)t->viscosity[i] * (double)t->mass[i] / (double)t->rest_density[i] * s->friction;
  for (int k = 0; k < 3; ++k) by_velocity[k] = 0.0;
  for (size_t b = 0; b < s->samples; ++b) {
    twin_pair(s, t->position + 3 * i, s->sample + 3 * b, x, &gradient_factor);
    double above = twin_above(s, i, b), w = of * s->volume[b] * gradient_factor * fmax(1.0, above / height);
    if (mote_fluid_viscosity_form(&t->fluid) == MOTE_VISCOSITY_CENTRAL) {
      double d = t->fluid.domain.dimensions, r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
      w *= (d + 2.0) / (d - 1.0) * fmax(0.0, r2 - above * above) / t->fluid.spectrum.reach;
    }
    for (int k = 0; k < 3; ++k) by_velocity[k] += w * s->velocity[3 * b + k];
    sum += w;
  }
  return sum;
}

static inline void twin_viscosity(const twin_set *s, size_t i, double a[3]) {
  const mote_fluid *f = &s->tank->fluid;
  double friction = twin_viscous_wall(s, i, a), matrix[3][3];
  for (int k = 0; k < 3; ++k) a[k] -= friction * (double)f->velocity[3 * i + k];
  for (size_t j = 0; j < f->count; ++j) {
    if (j == i) continue;
    twin_viscous_pair(s, i, j, matrix);
    for (int k = 0; k < 9; ++k) {
      a[k / 3] -= matrix[k / 3][k % 3] * (double)(f->velocity[3 * i + k % 3] - f->velocity[3 * j + k % 3]);
    }
  }
  for (int k = 0; k < 3; ++k) a[k] /= (double)s->tank->mass[i];
}

static inline void twin_smooth(const twin_set *s, size_t i, double v[3]) {
  const tank *t = s->tank;
  const mote_fluid *f = &t->fluid;
  double x[3], gradient_factor;
  for (int k = 0; k < 3; ++k) v[k] = (double)f->velocity[3 * i + k];
  for (size_t j = 0; j < f->count; ++j) {
    double W = twin_pair(s, t->position + 3 * i, t->position + 3 * j, x, &gradient_factor);
    double xi = 0.5 * (double)(t->xsph[i] + t->xsph[j]), rho = 0.5 * (double)(f->density[i] + f->density[j]);
    for (int k = 0; k < 3; ++k) {
      v[k] += xi * (double)t->mass[j] / rho * W * (double)(f->velocity[3 * j + k] - f->velocity[3 * i + k]);
    }
  }
  for (size_t b = 0; b < s->samples; ++b) {
    double W = twin_pair(s, t->position + 3 * i, s->sample + 3 * b, x, &gradient_factor);
    double w = (double)t->xsph[i] * s->friction * s->volume[b] * W;
    for (int k = 0; k < 3; ++k) v[k] += w * (s->velocity[3 * b + k] - (double)f->velocity[3 * i + k]);
  }
}

#endif
