// Validation of elastic bodies as beams: a cantilever under its weight against Timoshenko, bent far against
// the elastica, the first period of Gray, Monaghan & Swift's plate. 2D is plane strain: E' = E/(1 - nu^2).
// A beam is clamped by its first row, which is held: the clamp lies in the plane of its particles, and L is
// from there to the free face, half a spacing beyond the last row. Theory: docs/theory/elastic.md
#include <math.h>
#include <mote/draw.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/elastic/elastic_trial.h"

#define PI 3.14159265358979323846
#define BEAM_DENSITY 1000.0

typedef struct beam {
  int dimensions, across;
  double slenderness;  // L/H
  double young, poisson, height;
  int order;  // 0: 2
  mote_elastic_gradients gradient;
} beam;

static double length_of(const beam *b) {
  return b->slenderness * b->height;
}

static double modulus(const beam *b) {
  return b->dimensions == 2 ? b->young / (1.0 - b->poisson * b->poisson) : b->young;
}

static double shear_factor(const beam *b) {
  double nu = b->poisson;
  return b->dimensions == 2 ? 5.0 / 6.0 : 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
}

// How far x of a beam sinks under its weight (Timoshenko & Goodier).
static double timoshenko(const beam *b, double gravity, double x) {
  APP_ASSERT(x >= 0.0);
  double L = length_of(b), H = b->height, w = BEAM_DENSITY * gravity * H, I = H * H * H / 12.0;  // per width
  double G = b->young / (2.0 * (1.0 + b->poisson));
  return w * x * x * (x * x - 4.0 * L * x + 6.0 * L * L) / (24.0 * modulus(b) * I) +
         w * (L * x - 0.5 * x * x) / (shear_factor(b) * G * H);
}

// Rows along it fit so that the free face is at L; the beam begins half a spacing before the clamp.
static elastic_trial beam_open(validation *v, const beam *b) {
  elastic_trial_def def = elastic_trial_def_of(b->dimensions, b->young, b->poisson);
  int along = (int)lround(b->slenderness * b->across);
  double s = b->height / b->across;
  elastic_trial_def_box(&def, along + 1, b->across, b->dimensions == 3 ? b->across : 1, s);
  def.spacing[0] = length_of(b) / (along + 0.5);
  def.corner[0] = -0.5 * def.spacing[0];
  for (int k = 1; k < b->dimensions; ++k) def.corner[k] = -0.5 * b->height;
  def.elastic.uniform_support = 2.4 * s;
  if (b->order > 0) def.elastic.order = b->order;
  def.elastic.gradient = b->gradient;
  elastic_trial body = elastic_trial_open(v, &def);
  for (size_t i = 0; i < body.count; ++i) body.held[i] = elastic_trial_row(&body, i, 0) == 0;
  return body;
}

static void add_weight(elastic_trial *s, double gravity) {
  for (size_t i = 0; i < s->count; ++i) s->load[3 * i + 1] = -gravity;
}

// Where the middle of the row is; of the last: of the free face, half a spacing further.
static void row_place(elastic_trial *s, int row, double place[3]) {
  APP_ASSERT(row >= 0 && row < s->number[0]);
  size_t width = s->count / (size_t)s->number[0], first = width * (size_t)row;
  double far = row == s->number[0] - 1 ? 0.5 * s->spacing[0] : 0.0;
  for (size_t k = 0; k < 3; ++k) place[k] = 0.0;
  for (size_t i = first; i < first + width; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      place[k] += (s->x[3 * i + k] + far * (s->gradient[9 * i + 3 * k] + (k == 0))) / (double)width;
    }
  }
}

// --- Small deflections
// --------------------------------------------------------------------------------------

#define PROFILE_MAX 256

typedef struct profile {
  int count;
  double x[PROFILE_MAX], y[PROFILE_MAX];
} profile;

// The tip over Timoshenko's; the load makes it sink by 1 % of L.
static double sag(validation *v, const beam *b, profile *p) {
  elastic_trial s = beam_open(v, b);
  double L = length_of(b), gravity = 0.01 * L / timoshenko(b, 1.0, L), tip[3] = {0};
  add_weight(&s, gravity);
  elastic_trial_settle(&s), elastic_trial_find_gradients(&s);
  for (int r = 0; p != NULL && r < s.number[0] && r < PROFILE_MAX; ++r) {
    row_place(&s, r, tip);
    p->x[r] = tip[0] / L, p->y[r] = tip[1] / L, p->count = r + 1;
  }
  row_place(&s, s.number[0] - 1, tip);
  bool ok = s.ok;
  elastic_trial_close(&s);
  return ok ? -tip[1] / timoshenko(b, gravity, L) : (double)NAN;
}

static void report(validation *v, const char *name, measure_kind kind, double value, double reference,
                   double tolerance, const char *source) {
  measure m = {name, kind, value, reference, tolerance, source};
  if (!isnan(value)) validation_report(v, &m);
}

static void plot_profiles(validation *v, const beam *b, const profile *found, const int *across, int count) {
  char path[1024], label[64];
  if (!validation_plot_path(v, "elastic-cantilever.svg", path, sizeof path)) return;
  mote_plot_def def = mote_plot_def_default();
  mote_panel_def panel_def = mote_panel_def_default();
  mote_error error;
  panel_def.title = "cantilever under its weight", panel_def.x.label = "x/L", panel_def.y.label = "y/L";
  mote_plot *plot = mote_plot_create(&def, validation_env(v));
  mote_panel *panel = mote_plot_panel(plot, 0, 0, &panel_def);
  double x[101], y[101], L = length_of(b), gravity = 0.01 * L / timoshenko(b, 1.0, L);
  for (int k = 0; k <= 100; ++k) x[k] = 0.01 * k, y[k] = -timoshenko(b, gravity, x[k] * L) / L;
  mote_style style = mote_style_default();
  style.label = "Timoshenko";
  mote_plot_line(panel, x, y, 101, &style);
  for (int k = 0; k < count; ++k) {
    snprintf(label, sizeof label, "%d across", across[k]);
    style.label = label;
    mote_plot_line(panel, found[k].x, found[k].y, (size_t)found[k].count, &style);
  }
  if (mote_plot_write(plot, path, &error)) validation_error(v, &error);
  mote_plot_destroy(plot);
}

static double gate_of(int across) {
  return across >= 12 ? 0.03 : 0.05;
}

static void sag_series(validation *v, double poisson) {
  static const int across[] = {4, 8, 12, 16};
  static profile found[4];
  int count = validation_quick(v) ? 2 : validation_release(v) ? 4 : 3;
  double off[4];
  char name[96];
  beam b = {.dimensions = 2, .slenderness = 10.0, .young = 1e6, .poisson = poisson, .height = 1.0};
  for (int k = 0; k < count; ++k) {
    b.across = across[k];
    double ratio = sag(v, &b, &found[k]);
    off[k] = fabs(ratio - 1.0);
    snprintf(name, sizeof name, "tip, 2D, nu %g, %d across", poisson, across[k]);
    report(v, name, k == 0 ? MEASURE_SHOWN : MEASURE_NEAR, ratio, 1.0, gate_of(across[k]), "Timoshenko");
  }
  snprintf(name, sizeof name, "tip, 2D, nu %g, order of convergence", poisson);
  report(v, name, MEASURE_AT_LEAST, log(off[0] / off[count - 1]) / log(across[count - 1] / 4.0), 1.0, 0.0,
         "of the clamp, 1");
  if (poisson == 0.0) plot_profiles(v, &b, found, across, count);
}

void validate_elastic_cantilever(validation *v) {
  sag_series(v, 0.0);
  if (!validation_quick(v)) sag_series(v, 0.3);
  beam b = {.dimensions = 3, .slenderness = 10.0, .young = 1e6, .poisson = 0.3, .height = 1.0, .across = 4};
  report(v, "tip, 3D, nu 0.3, 4 across", MEASURE_SHOWN, sag(v, &b, NULL), 1.0, 0.0, "Timoshenko");
  if (validation_quick(v)) return;
  b.across = 8;
  report(v, "tip, 3D, nu 0.3, 8 across", MEASURE_NEAR, sag(v, &b, NULL), 1.0, 0.05, "Timoshenko");
  if (!validation_release(v)) return;
  b.across = 12;
  report(v, "tip, 3D, nu 0.3, 12 across", MEASURE_NEAR, sag(v, &b, NULL), 1.0, 0.03, "Timoshenko");
}

// EG09 (37) at order 1, which is too soft, and (32) at both orders.
void validate_elastic_gradients(validation *v) {
  static const int across[] = {8, 12};
  for (int c = 0; c < 9; ++c) {
    bool direct = c % 3 == 0;
    beam b = {.dimensions = c < 6 ? 2 : 3, .slenderness = 10.0, .young = 1e6, .poisson = 0.3, .height = 1.0};
    b.across = across[c / 3 % 2], b.order = c % 3 == 2 ? 2 : 1;
    b.gradient = direct ? MOTE_ELASTIC_DIRECT : MOTE_ELASTIC_ANALYTIC;
    if (c >= 3 && validation_quick(v)) break;
    char name[96];
    snprintf(name, sizeof name, "tip, %dD, %d across, order %d, %s", b.dimensions, b.across, b.order,
             direct ? "direct" : "analytic");
    report(v, name, direct ? MEASURE_SHOWN : MEASURE_NEAR, sag(v, &b, NULL), 1.0, gate_of(b.across),
           "Timoshenko");
  }
}

// --- The elastica
// -------------------------------------------------------------------------------------------

// theta'' = -beta (1 - s) cos theta, beta = w L^3/(E I): sag and shortening over L, to 1e-9 (validation
// tables; they can be found by shooting).
void validate_elastic_elastica(validation *v) {
  static const double table[][3] = {
      {2.0, 0.23851, 0.03311}, {5.0, 0.49591, 0.15334}, {10.0, 0.70020, 0.34365}};
  bool quick = validation_quick(v);
  beam b = {.dimensions = 2, .slenderness = 20.0, .young = 1e6, .height = 1.0, .across = quick ? 4 : 8};
  for (int k = 0; k < 3; ++k) {
    double L = length_of(&b), gravity = table[k][0] * modulus(&b) / (12.0 * BEAM_DENSITY * L * L * L), tip[3];
    elastic_trial s = beam_open(v, &b);
    for (int part = 1; part <= 4; ++part) add_weight(&s, gravity * part / 4.0), elastic_trial_settle(&s);
    elastic_trial_find_gradients(&s);
    row_place(&s, s.number[0] - 1, tip);
    char name[96];
    snprintf(name, sizeof name, "tip's sag over L, beta %g, %d across", table[k][0], b.across);
    elastic_trial_report(&s, name, quick ? MEASURE_SHOWN : MEASURE_NEAR, -tip[1] / L / table[k][1], 1.0, 0.05,
                         "elastica");
    snprintf(name, sizeof name, "tip's place along x over L, beta %g, %d across", table[k][0], b.across);
    elastic_trial_report(&s, name, quick ? MEASURE_SHOWN : MEASURE_NEAR, tip[0] / L / (1.0 - table[k][2]),
                         1.0, 0.05, "elastica");
    elastic_trial_close(&s);
  }
}

// --- The plate of Gray, Monaghan & Swift
// --------------------------------------------------------------------

#define PLATE_PERIOD 0.2565  // s: Timoshenko's beam; the thin plate's is 0.254032
#define MODE_ROOT 1.87510406871

// The first mode of a clamped beam.
static double mode(double x) {
  double k = MODE_ROOT, ratio = 0.734095513759;  // (cos k + cosh k)/(sin k + sinh k)
  double up = mote_exp(k * x), down = 1.0 / up;
  return 0.5 * (up + down) - mote_cos(k * x) - ratio * (0.5 * (up - down) - mote_sin(k * x));
}

// Pushed in its first mode; the time until its part in that mode has crossed zero twice. Midpoint steps of a
// hundredth: 0.03 % of the period.
static double period(validation *v, int across) {
  beam b = {.dimensions = 2,
            .across = across,
            .slenderness = 10.0,
            .young = 2e6,
            .poisson = 0.3975,
            .height = 0.02};
  elastic_trial s = beam_open(v, &b);
  double L = length_of(&b), dt = 0.01 * PLATE_PERIOD, last = 0.0, time = 0.0, found = (double)NAN;
  for (size_t i = 0; i < s.count; ++i) {
    if (!s.held[i]) s.velocity[3 * i + 1] = 0.02 * L / PLATE_PERIOD * mode(s.rest[3 * i] / L);
  }
  for (int k = 1, crossed = 0; k <= 130 && s.ok && crossed < 2; ++k) {
    double part = 0.0;
    elastic_trial_step(&s, MOTE_ELASTIC_MIDPOINT, dt);
    for (size_t i = 0; i < s.count; ++i) {
      part += mode(s.rest[3 * i] / L) * (s.x[3 * i + 1] - s.rest[3 * i + 1]);
    }
    if (last * part < 0.0 && ++crossed == 2) found = time + dt * last / (last - part);
    last = part, time += dt;
  }
  elastic_trial_close(&s);
  return found;
}

void validate_elastic_plate(validation *v) {
  static const int across[] = {4, 6, 10, 14};
  int count = validation_quick(v) ? 2 : validation_release(v) ? 4 : 3;
  double found[4];
  for (int k = 0; k < count; ++k) {
    char name[96];
    found[k] = period(v, across[k]);
    snprintf(name, sizeof name, "first period over Timoshenko's, %d across", across[k]);
    report(v, name, across[k] < 10 ? MEASURE_SHOWN : MEASURE_NEAR, found[k] / PLATE_PERIOD, 1.0, 0.03,
           "Gray et al. 2001: 0.2565 s");
  }
  report(v, "first period, order of convergence", MEASURE_AT_LEAST,
         log(fabs(found[0] / PLATE_PERIOD - 1.0) / fabs(found[count - 1] / PLATE_PERIOD - 1.0)) /
             log(across[count - 1] / 4.0),
         1.0, 0.0, "as the cantilever");
}
