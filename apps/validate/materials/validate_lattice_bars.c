// Validation of lattices (WIC06): the stiffness of bars between grips, and of beams that are bent. 2D is
// plane strain. Theory: docs/theory/lattice.md
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>

#include "validate/materials/lattice_trial.h"

#define GRIP_LENGTH 1.5  // D of either end that is held

typedef struct bar {
  lattice_trial t;
  double low, high;  // m, of the first and the last layer
  double layer;      // m between layers along the bar
  double height;     // m, and
  double area;       // m^2 of the section
} bar;

static bool open_bar(validation *v, const lattice_trial_def *def, bar *out) {
  *out = (bar){.low = HUGE_VAL, .high = -HUGE_VAL};
  if (!lattice_trial_open(v, def, &out->t)) return false;
  bool space = def->dimensions == 3;
  uint8_t *held = mote_lattice_solver_held(out->t.solver);
  double top = 0, side = 0, D = out->t.edge;
  for (size_t i = 0; i < out->t.count; ++i) {
    const double *x = out->t.rest + 3 * i;
    out->low = fmin(out->low, x[0]), out->high = fmax(out->high, x[0]);
    top = fmax(top, x[1]), side = fmax(side, x[2]);
  }
  for (size_t i = 0; i < out->t.count; ++i)
    held[i] =
        out->t.rest[3 * i] < out->low + GRIP_LENGTH * D || out->t.rest[3 * i] > out->high - GRIP_LENGTH * D;
  out->layer = D * (space ? sqrt(0.5) : 0.5);
  out->height = 2 * top + D * (space ? sqrt(0.5) : sqrt(0.75));
  out->area = out->height * (space ? 2 * side + D * sqrt(0.5) : 1);
  return true;
}

static bool is_middle(const bar *b, size_t i) {
  return fabs(b->t.rest[3 * i]) < (b->high - b->low) / 6;
}

// Young's modulus over that asked for, and Poisson's ratio.
static void stretch(validation *v, const lattice_trial_def *def, double strain, double out[2]) {
  bar b;
  double xx = 0, xu = 0, yy = 0, yv = 0, tension = 0, nu = def->restoring ? 0 : def->poisson;
  bool plane = def->dimensions == 2;
  double own = plane ? nu / (1 - nu) : nu, modulus = TRIAL_YOUNG / (plane ? 1 - nu * nu : 1);
  out[0] = out[1] = (double)NAN;
  if (!open_bar(v, def, &b)) return;
  for (size_t i = 0; i < b.t.count; ++i) {
    b.t.x[3 * i] *= 1 + strain;
    for (size_t a = 1; a < 3; ++a) b.t.x[3 * i + a] *= 1 - own * strain;
  }
  lattice_trial_relax(v, &b.t, 150);
  mote_lattice_solver_forces(b.t.solver, b.t.force);
  const uint8_t *held = mote_lattice_solver_held(b.t.solver);
  for (size_t i = 0; i < b.t.count; ++i) {
    const double *X = b.t.rest + 3 * i, *x = b.t.x + 3 * i;
    if (held[i] != 0 && X[0] > 0) tension -= b.t.force[3 * i];
    if (!is_middle(&b, i)) continue;
    xx += X[0] * X[0], xu += X[0] * (x[0] - X[0]), yy += X[1] * X[1], yv += X[1] * (x[1] - X[1]);
  }
  out[0] = tension / b.area / (xu / xx) / modulus;
  out[1] = -(yv / yy) / (xu / xx);
  lattice_trial_close(&b.t);
}

static lattice_trial_def bar_def(int dimensions, double poisson) {
  lattice_trial_def def = {
      .dimensions = dimensions, .size = {24.1, 8, 8}, .poisson = poisson, .damping = (double)NAN};
  if (dimensions == 3) def.size[0] = 20.1, def.size[1] = def.size[2] = 6;
  return def;
}

void validate_lattice_bars(validation *v) {
  for (int dimensions = 2; dimensions <= (validation_quick(v) ? 2 : 3); ++dimensions) {
    for (int c = 0; c < 4; ++c) {
      double nu = c < 2 ? 0 : 0.2, strain = c % 2 == 0 ? 0.01 : -0.01, found[2];
      lattice_trial_def def = bar_def(dimensions, nu);
      double want = dimensions == 2 ? nu / (1 - nu) : nu;
      char name[96];
      stretch(v, &def, strain, found);
      snprintf(name, sizeof name, "%dD, nu %.1f, %s: Young's modulus", dimensions, nu,
               c % 2 == 0 ? "drawn" : "pressed");
      validation_report(v, &(measure){name, MEASURE_NEAR, found[0], 1, 0.02, "the modulus asked for"});
      snprintf(name, sizeof name, "%dD, nu %.1f, %s: Poisson's ratio", dimensions, nu,
               c % 2 == 0 ? "drawn" : "pressed");
      validation_report(v, &(measure){name, MEASURE_NEAR, found[1], want, 0.01, "the ratio asked for"});
    }
    lattice_trial_def def = bar_def(dimensions, 0);
    double found[2];
    char name[96];
    def.restoring = true;
    stretch(v, &def, 0.01, found);
    snprintf(name, sizeof name, "%dD, restoring: Young's modulus", dimensions);
    validation_report(v, &(measure){name, MEASURE_SHOWN, found[0], 1, 0, "WIC06 (8)"});
  }
}

// Both ends are turned against each other; the moment at one of them over that of the curvature in the
// middle.
static double bend(validation *v, const lattice_trial_def *def) {
  bar b;
  double half = 0.01, moment = 0, xx = 0, xs = 0, nu = def->poisson;
  if (!open_bar(v, def, &b)) return (double)NAN;
  double L = b.high - b.low - 2 * GRIP_LENGTH * b.t.edge, kappa = 2 * half / L;
  for (size_t i = 0; i < b.t.count; ++i) {  // a circular arc to begin with
    const double *X = b.t.rest + 3 * i;
    double s = fmax(-0.5 * L, fmin(0.5 * L, X[0])), beyond = X[0] - s, angle = kappa * s;
    double R = 1 / kappa, y = X[1];
    b.t.x[3 * i] = (R - y) * mote_sin(angle) + beyond * mote_cos(angle);
    b.t.x[3 * i + 1] = R - (R - y) * mote_cos(angle) + beyond * mote_sin(angle);
  }
  lattice_trial_relax(v, &b.t, 300);
  mote_lattice_solver_forces(b.t.solver, b.t.force);
  const uint8_t *held = mote_lattice_solver_held(b.t.solver);
  double force[2] = {0, 0};
  for (size_t i = 0; i < b.t.count; ++i) {
    const double *X = b.t.rest + 3 * i, *x = b.t.x + 3 * i, *f = b.t.force + 3 * i;
    if (held[i] != 0 && X[0] > 0) moment += x[0] * f[1] - x[1] * f[0], force[0] += f[0], force[1] += f[1];
    // The slope of u along y over x is the curvature: u = -kappa x y.
    if (is_middle(&b, i)) xs += -X[0] * X[1] * (x[0] - X[0]), xx += X[0] * X[0] * X[1] * X[1];
  }
  (void)force;
  double I = b.area * b.height * b.height / 12,
         modulus = TRIAL_YOUNG / (def->dimensions == 2 ? 1 - nu * nu : 1);
  double found = -moment / (modulus * I * (xs / xx));
  lattice_trial_close(&b.t);
  return found;
}

void validate_lattice_bending(validation *v) {
  for (int dimensions = 2; dimensions <= (validation_quick(v) ? 2 : 3); ++dimensions) {
    for (int c = 0; c < 2; ++c) {
      lattice_trial_def def = bar_def(dimensions, 0.2 * c);
      char name[96];
      snprintf(name, sizeof name, "%dD, nu %.1f, %.0f across: moment over E I times the curvature",
               dimensions, 0.2 * c, def.size[1]);
      validation_report(v, &(measure){name, MEASURE_NEAR, bend(v, &def), 1, 0.08, "beam theory"});
    }
  }
}
