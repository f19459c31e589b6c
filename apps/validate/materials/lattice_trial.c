// Lattices for validation: see lattice_trial.h.
#include "validate/materials/lattice_trial.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/files/input_file.h"

#define SITES_ALONG 40  // of integers on either side

static double length_of(const double a[3]) {
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void rotation_of(const double axis[3], double R[9]) {
  double angle = length_of(axis), c = mote_cos(angle), s = mote_sin(angle), n[3] = {0, 0, 0};
  for (int a = 0; a < 3 && angle > 0; ++a) n[a] = axis[a] / angle;
  const double N[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  for (int e = 0; e < 9; ++e) R[e] = c * (e % 4 == 0) + s * N[e] + (1 - c) * n[e / 3] * n[e % 3];
}

static bool is_inside(const lattice_trial_def *def, double D, const double p[3]) {
  bool inside = true;
  if (def->ball) return length_of(p) < 0.5 * def->size[0] * D;
  for (int a = 0; a < def->dimensions; ++a) inside = inside && fabs(p[a]) < 0.5 * def->size[a] * D;
  return inside;
}

// Sites with an even sum of integers, in cells of D by sqrt(3) D or of sqrt(2) D; `out` may be null.
static size_t fill(const lattice_trial_def *def, double D, const double R[9], double *out) {
  APP_ASSERT(def->dimensions == 2 || def->dimensions == 3);
  bool space = def->dimensions == 3;
  double edge[3] = {D * (space ? sqrt(0.5) : 0.5), D * (space ? sqrt(0.5) : sqrt(0.75)), D * sqrt(0.5)};
  size_t count = 0;
  for (int c = space ? -SITES_ALONG : 0; c <= (space ? SITES_ALONG : 0); ++c) {
    for (int b = -SITES_ALONG; b <= SITES_ALONG; ++b) {
      for (int a = -2 * SITES_ALONG; a <= 2 * SITES_ALONG; ++a) {
        const double p[3] = {edge[0] * a, edge[1] * b, edge[2] * c};
        if ((a + b + c) % 2 != 0 || !is_inside(def, D, p)) continue;
        for (int k = 0; k < 3 && out != NULL; ++k)
          out[3 * count + (size_t)k] =
              def->middle[k] + R[3 * k] * p[0] + R[3 * k + 1] * p[1] + R[3 * k + 2] * p[2];
        ++count;
      }
    }
  }
  return count;
}

bool lattice_trial_open(validation *v, const lattice_trial_def *def, lattice_trial *out) {
  mote_lattice_solver_def own = mote_lattice_solver_def_default();
  mote_error error;
  double R[9], D = TRIAL_SPACING * (def->dimensions == 3 ? mote_cbrt(sqrt(2.0)) : sqrt(2.0 / sqrt(3.0)));
  rotation_of(def->axis, R);
  size_t one = fill(def, D, R, NULL), n = def->second ? 2 * one : one;
  *out = (lattice_trial){.count = n, .first = one, .edge = D};
  out->rest = input_take(3 * n, sizeof(double)), out->force = input_take(3 * n, sizeof(double));
  APP_ASSERT(one > 0);
  double *frame = input_take(9 * n, sizeof(double));
  uint32_t *object = input_take(n, sizeof *object);
  fill(def, D, R, out->rest);
  for (size_t i = 0; i < n; ++i) {
    object[i] = i < one ? 1 : 2;
    memcpy(frame + 9 * i, R, sizeof R);
    for (size_t a = 0; a < 3 && i >= one; ++a)
      out->rest[3 * i + a] = out->rest[3 * (i - one) + a] + def->shift[a];
  }
  own.dimensions = def->dimensions, own.spacing = TRIAL_SPACING, own.density = TRIAL_DENSITY;
  own.young = TRIAL_YOUNG, own.poisson = def->poisson, own.restoring = def->restoring,
  own.damping = def->damping;
  own.count = n, own.position = out->rest, own.object = object, own.rotation = frame;
  mote_result result = mote_lattice_solver_create(&own, validation_env(v), &out->solver, &error);
  free(frame), free(object);
  if (result != MOTE_OK) {
    validation_error(v, &error);
    lattice_trial_close(out);
    return false;
  }
  out->x = mote_lattice_solver_position(out->solver), out->v = mote_lattice_solver_velocity(out->solver);
  out->mass = mote_lattice_solver_mass(out->solver);
  return true;
}

void lattice_trial_close(lattice_trial *t) {
  mote_lattice_solver_destroy(t->solver);
  free(t->rest), free(t->force);
  *t = (lattice_trial){0};
}

double lattice_trial_random(uint64_t stream, uint64_t index) {
  return 2 * mote_random_uniform(11, stream, index) - 1;
}

void lattice_trial_shake(lattice_trial *t, int dimensions, double by, uint64_t stream) {
  APP_ASSERT(dimensions == 2 || dimensions == 3);
  for (size_t i = 0; i < t->count; ++i) {
    for (int a = 0; a < dimensions; ++a)
      t->x[3 * i + (size_t)a] += by * t->edge * lattice_trial_random(stream + (uint64_t)a, i);
  }
}

double lattice_trial_kinetic(const lattice_trial *t) {
  double sum = 0;
  for (size_t k = 0; k < 3 * t->count; ++k) sum += 0.5 * t->mass[k / 3] * t->v[k] * t->v[k];
  return sum;
}

double lattice_trial_energy(lattice_trial *t) {
  mote_lattice_state state = mote_lattice_solver_state(t->solver);
  return lattice_trial_kinetic(t) + state.elastic_energy + state.contact_energy;
}

void lattice_trial_sums(const lattice_trial *t, const double *a, bool weighted, double sums[2]) {
  APP_ASSERT(t->count > 0 && a != NULL);
  double sum[3] = {0}, turn[3] = {0}, all = 0;
  for (size_t i = 0; i < t->count; ++i) {
    double f[3], r[3];
    for (size_t k = 0; k < 3; ++k)
      f[k] = (weighted ? t->mass[i] : 1) * a[3 * i + k], r[k] = t->x[3 * i + k] - t->rest[k];
    for (int k = 0; k < 3; ++k)
      sum[k] += f[k], turn[k] += r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3];
    all += length_of(f);
  }
  sums[0] = length_of(sum) / all, sums[1] = length_of(turn) / (all * t->edge);
}

void lattice_trial_relax(validation *v, lattice_trial *t, int rounds) {
  APP_ASSERT(rounds > 0);
  const double none[3] = {0, 0, 0};
  const uint8_t *held = mote_lattice_solver_held(t->solver);
  mote_error error;
  double dt = 8 * 0.8 * mote_lattice_solver_limit(t->solver);
  for (int k = 0; k < rounds; ++k) {
    if (mote_lattice_solver_advance(t->solver, none, dt, &error) != MOTE_OK) {
      validation_error(v, &error);
      return;
    }
    for (size_t e = 0; e < 3 * t->count; ++e) t->v[e] *= held[e / 3] != 0 ? 1 : 0.85;
  }
}
