// Validation of elastic bodies that move: what explicit and implicit steps keep and lose, stiff bodies at the
// frame step, and the modes that hourglass control takes away. Theory: docs/theory/elastic.md
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "validate/elastic/elastic_trial.h"

#define PI 3.14159265358979323846
#define S 0.05                   // spacing, m
#define FRAME_TIME (1.0 / 25.0)  // s

static double explicit_limit(elastic_trial *s, double stretch) {
  double limit = 1.0;
  if (s->ok) elastic_trial_keep(s, mote_elastic_find_limit(s->body, stretch, &limit, &s->error));
  return limit;
}

static double change(const double a[3], const double b[3]) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return elastic_trial_length(d);
}

// --- Explicit: free vibration
// -------------------------------------------------------------------------------

// 100 periods. The largest change of the energy, and that between the means of the first and last tenth.
static void vibrate(elastic_trial *s, const char *what, double period) {
  APP_ASSERT(period > 0.0);
  double dt = 0.9 * explicit_limit(s, 1.02), first = elastic_trial_state_of(s).energy, worst = 0.0,
         mean[2] = {0};
  int steps = (int)ceil(period / dt), samples = 1000;
  dt = period / steps;
  for (int k = 0; k < samples && s->ok; ++k) {
    elastic_trial_run(s, dt, (k + 1) * steps / 10 - k * steps / 10);
    double now = elastic_trial_state_of(s).energy / first;
    worst = fmax(worst, fabs(now - 1.0));
    if (k < 100 || k >= 900) mean[k >= 900] += now / 100.0;
  }
  char name[96];
  snprintf(name, sizeof name, "%s, energy's error in 100 periods", what);
  elastic_trial_report(s, name, MEASURE_NEAR, worst, 0.0, 0.01, "kept: second order, symplectic");
  snprintf(name, sizeof name, "%s, drift of the energy", what);
  elastic_trial_report(s, name, MEASURE_NEAR, mean[1] - mean[0], 0.0, 1e-3, "Hairer, Lubich, Wanner: none");
}

void validate_elastic_vibration(validation *v) {
  double young = 1e6, nu = 0.3;
  elastic_trial_def def = elastic_trial_def_of(3, young, nu);
  elastic_trial_def_box(&def, 12, 4, 4, S);
  elastic_trial bar = elastic_trial_open(v, &def);
  double L = 12 * S, c = sqrt(young / 1000.0), a = 0.01 * L / PI, w = PI * c / L;
  for (size_t i = 0; i < bar.count; ++i) bar.velocity[3 * i] = -a * w * mote_cos(PI * bar.rest[3 * i] / L);
  vibrate(&bar, "3D bar along its length", 2.0 * L / c);
  elastic_trial_close(&bar);
  if (validation_quick(v)) return;
  def = elastic_trial_def_of(2, young, nu);
  elastic_trial_def_box(&def, 21, 4, 1, S);
  elastic_trial beam = elastic_trial_open(v, &def);
  for (size_t i = 0; i < beam.count; ++i) {
    beam.held[i] = elastic_trial_row(&beam, i, 0) == 0;
    beam.load[3 * i + 1] = -2.0;
  }
  elastic_trial_settle(&beam);
  memset(beam.load, 0, 3 * beam.count * sizeof *beam.load);
  double l = 20.5 * S, stiff = sqrt(young / (1.0 - nu * nu) * pow(4 * S, 2) / 12.0 / 1000.0);
  vibrate(&beam, "2D beam let go", 2.0 * PI * l * l / (3.516015 * stiff));
  elastic_trial_close(&beam);
}

// --- Turning bodies
// -----------------------------------------------------------------------------------------

static void spin(elastic_trial *s, const double w[3], const double v[3]) {
  double middle[3], r[3];
  elastic_trial_middle(s, middle);
  for (size_t i = 0; i < s->count; ++i) {
    for (size_t k = 0; k < 3; ++k) r[k] = s->x[3 * i + k] - middle[k];
    for (size_t k = 0; k < 3; ++k) {
      s->velocity[3 * i + k] = v[k] + w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3];
    }
  }
}

static elastic_trial_def tumbler_def(double young) {
  elastic_trial_def def = elastic_trial_def_of(3, young, 0.3);
  elastic_trial_def_box(&def, 6, 4, 4, S);
  def.jitter = 0.1;
  for (int k = 0; k < 3; ++k) def.corner[k] = 100.0;
  return def;
}

void validate_elastic_tumble(validation *v) {
  elastic_trial_def def = tumbler_def(1e6);
  elastic_trial s = elastic_trial_open(v, &def);
  spin(&s, (const double[3]){20.0, 60.0, 5.0}, (const double[3]){0.5, -0.2, 0.1});
  elastic_trial_state first = elastic_trial_state_of(&s);
  double dt = 0.8 * explicit_limit(&s, 1.1), p = 0.0, L = 0.0, time = 10.0 * 2.0 * PI / 63.4;
  for (int k = 0, steps = (int)(time / dt) / 20; k < 20 && s.ok; ++k) {
    elastic_trial_run(&s, dt, steps);
    elastic_trial_state now = elastic_trial_state_of(&s);
    p = fmax(p, change(now.momentum, first.momentum) / elastic_trial_length(first.momentum));
    L = fmax(L, change(now.spin, first.spin) / elastic_trial_length(first.spin));
  }
  elastic_trial_report(&s, "explicit, momentum's error in ten turns", MEASURE_NEAR, p, 0.0, 1e-5, "kept");
  elastic_trial_report(&s, "explicit, angular momentum's error in ten turns", MEASURE_NEAR, L, 0.0, 1e-5,
                       "kept");
  elastic_trial_close(&s);
}

// Ten turns, one a second, at the frame step: 250 steps of 14 degrees.
static void turn_implicit(validation *v, mote_elastic_scheme scheme, double young) {
  bool euler = scheme == MOTE_ELASTIC_EULER;
  int turns = validation_quick(v) ? 3 : 10;
  const char *what = euler ? "Euler" : "midpoint";
  elastic_trial_def def = tumbler_def(young);
  elastic_trial s = elastic_trial_open(v, &def);
  spin(&s, (const double[3]){0.0, 2.0 * PI, 0.0}, (const double[3]){0.5, -0.2, 0.1});
  elastic_trial_state first = elastic_trial_state_of(&s), now = first;
  double most = 0.0, worst = 0.0;
  for (int k = 0; k < turns * 25 && s.ok; ++k) {
    elastic_trial_step(&s, scheme, FRAME_TIME);
    now = elastic_trial_state_of(&s);
    most = fmax(most, now.energy / first.energy);
    worst = fmax(worst, change(now.spin, first.spin) / elastic_trial_length(first.spin));
  }
  char name[96];
  snprintf(name, sizeof name, "%s, E %g, momentum's error", what, young);
  elastic_trial_report(&s, name, MEASURE_NEAR,
                       change(now.momentum, first.momentum) / elastic_trial_length(first.momentum), 0.0, 1e-5,
                       "kept");
  snprintf(name, sizeof name, "%s, E %g, angular momentum's error", what, young);
  elastic_trial_report(&s, name, euler ? MEASURE_SHOWN : MEASURE_NEAR, worst, 0.0, 0.01,
                       euler ? "stated: what Euler loses" : "within 1 % in ten turns");
  snprintf(name, sizeof name, "%s, E %g, energy's most over the first", what, young);
  elastic_trial_report(&s, name, MEASURE_NEAR, fmax(most, 1.0), 1.0, euler ? 1e-6 : 0.05,
                       euler ? "only falls" : "bounded");
  elastic_trial_close(&s);
}

void validate_elastic_implicit(validation *v) {
  turn_implicit(v, MOTE_ELASTIC_MIDPOINT, 1e6);
  turn_implicit(v, MOTE_ELASTIC_EULER, 1e6);
  if (validation_quick(v)) return;
  turn_implicit(v, MOTE_ELASTIC_MIDPOINT, 1e9);
  turn_implicit(v, MOTE_ELASTIC_EULER, 1e9);
}

// --- Stiff
// --------------------------------------------------------------------------------------------------

// E = 1e9 Pa at the frame step, hundreds of explicit limits: a jolt of 0.1 m/s at each particle, a fall.
static void jolt(validation *v, mote_elastic_scheme scheme) {
  const char *what = scheme == MOTE_ELASTIC_EULER ? "Euler" : "midpoint";
  elastic_trial_def def = tumbler_def(1e9);
  elastic_trial s = elastic_trial_open(v, &def);
  double limit = explicit_limit(&s, 1.0), most = 0.0, mass = 0.0;
  for (size_t k = 0; k < 3 * s.count; ++k) s.velocity[k] = 0.1 * elastic_trial_random(40, k);
  elastic_trial_state first = elastic_trial_state_of(&s);
  int slow = 0;
  for (size_t i = 0; i < s.count; ++i) s.load[3 * i + 1] = -9.81, mass += mote_elastic_mass(s.body)[i];
  for (int k = 0; k < 100 && s.ok; ++k) {
    mote_elastic_report did = elastic_trial_step(&s, scheme, FRAME_TIME);
    if (!did.converged) ++slow;
    if (s.ok) elastic_trial_keep(&s, mote_elastic_find_strains(s.body, s.x, s.gradient, NULL, &s.error));
    most = fmax(most, elastic_trial_largest(s.gradient, 6 * s.count));
  }
  elastic_trial_state now = elastic_trial_state_of(&s);
  first.momentum[1] -= mass * 9.81 * 100 * FRAME_TIME;
  char name[96];
  snprintf(name, sizeof name, "E 1e9, %s, steps over the explicit limit", what);
  elastic_trial_report(&s, name, MEASURE_SHOWN, FRAME_TIME / limit, 0.0, 0.0, "the frame step");
  snprintf(name, sizeof name, "E 1e9, %s, steps that did not converge", what);
  elastic_trial_report(&s, name, MEASURE_NEAR, slow, 0.0, 0.0, "all of 100");
  snprintf(name, sizeof name, "E 1e9, %s, largest strain in 4 s", what);
  elastic_trial_report(&s, name, MEASURE_NEAR, most, 0.0, scheme == MOTE_ELASTIC_EULER ? 1e-2 : 0.1,
                       "does not explode");
  snprintf(name, sizeof name, "E 1e9, %s, momentum's error after a fall", what);
  elastic_trial_report(&s, name, MEASURE_NEAR,
                       change(now.momentum, first.momentum) / elastic_trial_length(first.momentum), 0.0, 1e-6,
                       "m g t");
  elastic_trial_close(&s);
}

void validate_elastic_stiff(validation *v) {
  jolt(v, MOTE_ELASTIC_EULER);
  jolt(v, MOTE_ELASTIC_MIDPOINT);
}

// --- Modes without energy
// -----------------------------------------------------------------------------------

// Odd and even places of a packing pushed against each other inside of a block: gradients see nothing of it.
// How far they have gone over how far they would go if nothing held them.
static double checkered(validation *v, int order, mote_elastic_gradients gradient, double hourglass,
                        int steps) {
  int n = 32;
  elastic_trial_def def = elastic_trial_def_of(2, 1e6, 0.3);
  elastic_trial_def_box(&def, n, n, 1, S);
  def.elastic.order = order, def.elastic.gradient = gradient, def.elastic.hourglass = hourglass;
  elastic_trial s = elastic_trial_open(v, &def);
  double dt = 0.5 * explicit_limit(&s, 1.0), square = 0.0, gone = 0.0, most = 0.0, speed = 1e-3;
  for (size_t i = 0; i < s.count; ++i) {
    int a = elastic_trial_row(&s, i, 0), b = elastic_trial_row(&s, i, 1);
    double window = pow(mote_sin(PI * (a + 0.5) / n) * mote_sin(PI * (b + 0.5) / n), 2.0);
    s.velocity[3 * i] = ((a + b) % 2 == 0 ? 1.0 : -1.0) * speed * window;
    s.gradient[i] = s.velocity[3 * i];  // kept: room for nine each
    square += s.gradient[i] * s.gradient[i];
  }
  for (int k = 0; k < steps && s.ok; ++k) {
    elastic_trial_run(&s, dt, 1);
    gone = 0.0;
    for (size_t i = 0; i < s.count; ++i) gone += s.gradient[i] * (s.x[3 * i] - s.rest[3 * i]) / square;
    most = fmax(most, fabs(gone));
  }
  double result = s.ok ? most / (steps * dt) : (double)NAN;
  elastic_trial_close(&s);
  return result;
}

static void report_checkered(validation *v, int order, mote_elastic_gradients gradient) {
  const char *how = gradient == MOTE_ELASTIC_ANALYTIC ? ", analytic" : "";
  char name[96];
  measure m = {name,
               gradient == MOTE_ELASTIC_DIRECT ? MEASURE_AT_LEAST : MEASURE_SHOWN,
               checkered(v, order, gradient, 0.0, 120),
               0.8,
               0.0,
               "a zero-energy mode: free flight"};
  snprintf(name, sizeof name, "checkered motion without control, order %d%s", order, how);
  validation_report(v, &m);
  snprintf(name, sizeof name, "checkered motion with control, order %d%s", order, how);
  m = (measure){name, MEASURE_NEAR, checkered(v, order, gradient, 0.1, 400), 0.0, 0.05, "held: it swings"};
  validation_report(v, &m);
}

void validate_elastic_hourglass(validation *v) {
  report_checkered(v, 1, MOTE_ELASTIC_DIRECT);
  report_checkered(v, 2, MOTE_ELASTIC_DIRECT);
  report_checkered(v, 1, MOTE_ELASTIC_ANALYTIC);
}
