// Validation of lattices (WIC06), what holds exactly: no forces in an undeformed lattice, no change of sites
// by a rigid motion, forces that are the derivative of an energy, momenta. Theory: docs/theory/lattice.md
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "validate/materials/lattice_trial.h"

static const lattice_trial_def bodies[] = {
    {.dimensions = 2, .size = {8.3, 7.3}},
    {.dimensions = 2, .size = {7.1}, .ball = true},
    {.dimensions = 3, .size = {4.3, 4.3, 4.3}},
    {.dimensions = 3, .size = {5.1}, .ball = true},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static lattice_trial_def turned(int k, int orientation, bool far) {
  lattice_trial_def def = bodies[k];
  bool space = def.dimensions == 3;
  for (int a = space ? 0 : 2; a < 3; ++a)
    def.axis[a] = 2 * lattice_trial_random(70, (uint64_t)(3 * orientation + a));
  if (far) def.middle[0] = 100, def.middle[1] = -70, def.middle[2] = space ? 30 : 0;
  return def;
}

static double largest(const double *a, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; ++i)
    most = fmax(most, sqrt(a[3 * i] * a[3 * i] + a[3 * i + 1] * a[3 * i + 1] + a[3 * i + 2] * a[3 * i + 2]));
  return most;
}

void validate_lattice_rest(validation *v) {
  for (int far = 0; far < 2; ++far) {
    double most = 0;
    for (int c = 0; c < 10 * BODIES; ++c) {
      lattice_trial_def def = turned(c / 10, c % 10, far != 0);
      lattice_trial t;
      if (!lattice_trial_open(v, &def, &t)) return;
      mote_lattice_solver_forces(t.solver, t.force);
      double unit = 0.5 * TRIAL_YOUNG * t.edge * (def.dimensions == 3 ? t.edge : 1);  // mu D^2
      most = fmax(most, largest(t.force, t.count) / unit);
      lattice_trial_close(&t);
    }
    measure m = {far ? "largest force, 10 orientations, 100 m away" : "largest force, 10 orientations",
                 MEASURE_NEAR,
                 most,
                 0,
                 far ? 1e-9 : 2e-14,
                 "exact: none"};
    validation_report(v, &m);
  }
}

// A screw motion in small steps.
void validate_lattice_rigid(validation *v) {
  int steps = validation_quick(v) ? 1000 : 10000;
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    lattice_trial_def def = turned(dimensions == 2 ? 0 : 2, 3, false);
    lattice_trial t;
    size_t changes = 0, all = 0;
    double strain = 0, damped = 0;
    mote_error error;
    if (!lattice_trial_open(v, &def, &t)) return;
    double angle = 0.01, c = mote_cos(angle), s = mote_sin(angle);
    for (int k = 0; k < steps; ++k) {
      for (size_t i = 0; i < t.count; ++i) {
        double *x = t.x + 3 * i, was = x[0];
        x[0] = c * was - s * x[1] + 1e-4, x[1] = s * was + c * x[1], x[2] += dimensions == 3 ? 1e-4 : 0;
      }
      if (mote_lattice_solver_assign(t.solver, 1e-3, &changes, &error) != MOTE_OK)
        validation_error(v, &error);
      all += changes;
    }
    strain = mote_lattice_solver_state(t.solver).strain;
    for (size_t i = 0; i < t.count; ++i) {
      double *u = t.v + 3 * i, *x = t.x + 3 * i;
      u[0] = 1 - 4 * x[1], u[1] = 2 + 4 * x[0], u[2] = 0;
    }
    memcpy(t.force, t.v, 3 * t.count * sizeof(double));
    mote_lattice_solver_damp(t.solver, 0.01);
    for (size_t k = 0; k < 3 * t.count; ++k) damped = fmax(damped, fabs(t.v[k] - t.force[k]));
    char name[64];
    snprintf(name, sizeof name, "%dD: changes of site by a rigid motion", dimensions);
    validation_report(v, &(measure){name, MEASURE_NEAR, (double)all, 0, 0, "exact: none"});
    snprintf(name, sizeof name, "%dD: strain after it", dimensions);
    validation_report(v, &(measure){name, MEASURE_NEAR, strain, 0, 1e-9, "exact: none"});
    snprintf(name, sizeof name, "%dD: damping of a spin, over its speed", dimensions);
    validation_report(
        v, &(measure){name, MEASURE_NEAR, damped / largest(t.force, t.count), 0, 1e-12, "exact: none"});
    lattice_trial_close(&t);
  }
}

void validate_lattice_forces(validation *v) {
  for (int restoring = 0; restoring < 2; ++restoring) {
    double off = 0, force[2] = {0}, damped[2] = {0};
    for (int k = 0; k < BODIES; ++k) {
      lattice_trial_def def = turned(k, 5, false);
      lattice_trial t;
      double sums[2], step = 1e-5, most = 0, worst = 0;
      def.poisson = 0.2, def.restoring = restoring != 0, def.damping = 100;
      if (!lattice_trial_open(v, &def, &t)) return;
      lattice_trial_shake(&t, def.dimensions, 0.1, 40);
      mote_lattice_solver_forces(t.solver, t.force);
      lattice_trial_sums(&t, t.force, false, sums);
      force[0] = fmax(force[0], sums[0]), force[1] = fmax(force[1], sums[1]);
      for (size_t i = 0; i < t.count; i += 7) {
        for (size_t a = 0; a < (size_t)def.dimensions; ++a) {
          double *x = t.x + 3 * i + a, at = *x;
          *x = at + step * t.edge;
          double more = lattice_trial_energy(&t);
          *x = at - step * t.edge;
          double less = lattice_trial_energy(&t);
          *x = at;
          most = fmax(most, fabs(t.force[3 * i + a]));
          worst = fmax(worst, fabs((less - more) / (2 * step * t.edge) - t.force[3 * i + a]));
        }
      }
      off = fmax(off, worst / most);
      for (size_t e = 0; e < 3 * t.count; ++e)
        t.force[e] = t.v[e] = e % 3 < (size_t)def.dimensions ? lattice_trial_random(50, e) : 0;
      mote_lattice_solver_damp(t.solver, 0.01);
      for (size_t e = 0; e < 3 * t.count; ++e) t.force[e] = t.v[e] - t.force[e];
      lattice_trial_sums(&t, t.force, true, sums);
      damped[0] = fmax(damped[0], sums[0]), damped[1] = fmax(damped[1], sums[1]);
      lattice_trial_close(&t);
    }
    const char *law = restoring ? "restoring" : "corotated";
    char name[96];
    snprintf(name, sizeof name, "%s, shaken by 0.1 D: force against differences", law);
    validation_report(v, &(measure){name, MEASURE_NEAR, off, 0, 1e-6, "exact: the derivative"});
    snprintf(name, sizeof name, "%s: net force and torque", law);
    validation_report(v, &(measure){name, MEASURE_NEAR, fmax(force[0], force[1]), 0, 1e-12, "exact: none"});
    snprintf(name, sizeof name, "%s: net force and torque of damping", law);
    validation_report(v, &(measure){name, MEASURE_NEAR, fmax(damped[0], damped[1]), 0, 1e-12, "exact: none"});
  }
}

// Two bodies that shake, spin and hit each other.
void validate_lattice_momenta(validation *v) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    lattice_trial_def def = turned(dimensions == 2 ? 0 : 2, 4, false);
    lattice_trial t;
    double sums[2], before[3] = {0}, after[3] = {0}, turn[2] = {0}, all = 0;
    const double none[3] = {0, 0, 0};
    mote_error error;
    def.poisson = 0.2, def.damping = (double)NAN, def.second = true;
    def.shift[0] = 0.75, def.shift[1] = 0.1;
    if (!lattice_trial_open(v, &def, &t)) return;
    double speed = 0.1 * mote_lattice_solver_sound(t.solver), most, start;
    for (size_t i = 0; i < t.count; ++i) {
      double *u = t.v + 3 * i;
      for (size_t a = 0; a < (size_t)dimensions; ++a) u[a] = 0.3 * speed * lattice_trial_random(80 + a, i);
      u[0] += i < t.first ? speed : -speed;
      u[1] += 2 * t.x[3 * i];
    }
    start = most = lattice_trial_energy(&t);
    int steps = validation_quick(v) ? 1000 : 10000;
    double dt = 0.8 * mote_lattice_solver_limit(t.solver);
    for (int k = 0; k <= steps; ++k) {
      if (k == 0 || k == steps) {
        double *p = k == 0 ? before : after, L = 0;
        all = 0;
        for (size_t i = 0; i < t.count; ++i) {
          const double *x = t.x + 3 * i, *u = t.v + 3 * i;
          for (int a = 0; a < 3; ++a) p[a] += t.mass[i] * u[a], all += t.mass[i] * fabs(u[a]);
          L += t.mass[i] * (x[0] * u[1] - x[1] * u[0]);
        }
        turn[k > 0] = L;
      }
      if (k < steps && mote_lattice_solver_advance(t.solver, none, dt, &error) != MOTE_OK) {
        validation_error(v, &error);
        break;
      }
      if (k % 16 == 0) most = fmax(most, lattice_trial_energy(&t));
    }
    (void)sums;
    double off = 0;
    for (int a = 0; a < 3; ++a) off = fmax(off, fabs(after[a] - before[a]));
    char name[96];
    snprintf(name, sizeof name, "%dD: change of momentum over %d steps, a collision among them", dimensions,
             steps);
    validation_report(v, &(measure){name, MEASURE_NEAR, off / all, 0, 1e-9, "exact: none"});
    snprintf(name, sizeof name, "%dD: change of angular momentum", dimensions);
    validation_report(
        v, &(measure){name, MEASURE_NEAR, fabs(turn[1] - turn[0]) / fabs(turn[0]), 0, 1e-9, "exact: none"});
    snprintf(name, sizeof name, "%dD: largest energy over the first, default damping", dimensions);
    validation_report(
        v, &(measure){name, MEASURE_NEAR, fmax(0, most / start - 1), 0, 0.001, "nothing gains energy"});
    lattice_trial_close(&t);
  }
}
