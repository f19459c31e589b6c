// Validation of fracture in balance: opening and stress intensities of a centre crack, a notch that crosses a
// plate, a penny crack. Theory: docs/theory/fracture.md
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "validate/fracture/fracture_trial.h"

#define LOAD_STRESS 1e3  // Pa

static double disc_depth(void *user, const double x[3]) {
  return *(const double *)user - hypot(x[0], x[1]);
}

static double box_depth(void *user, const double x[3]) {
  const double *half = user;
  double depth = fmin(half[0] - fabs(x[0]), half[1] - fabs(x[1]));
  return half[2] > 0.0 ? fmin(depth, half[2] - fabs(x[2])) : depth;
}

// --- A centre crack ----------------------------------------------------------------------------------

static void report_opening(validation *v, const fracture_trial *t, const char *set, double a) {
  double exact = 0.0, both = 0.0, error = 0.0, most = 0.0, count = 0.0, u[3];
  for (size_t i = 0; i < t->count; ++i) {
    const double *x = t->rest + 3 * i;
    if (fabs(x[1]) > 1.0 || fabs(x[0]) > a) continue;
    fracture_trial_exact(a, LOAD_STRESS, 0.0, x, u);
    double found = t->u[3 * i + 1];
    exact += u[1] * u[1], both += found * u[1], error += (found - u[1]) * (found - u[1]);
    most = fmax(most, fabs(u[1])), count += 1.0;
  }
  bool fine = a > 30.0;
  fracture_trial_report(v, MEASURE_NEAR, both / exact, 1.0, fine ? 0.01 : 0.02, "Tada; Westergaard",
                        "opening over the exact one, %s, %g spacings per half crack", set, a);
  fracture_trial_report(v, MEASURE_NEAR, sqrt(error / count) / most, 0.0, fine ? 0.015 : 0.025,
                        "Tada; Westergaard", "rms error of the opening over the largest, %s, %g", set, a);
}

// Modes: opening, sliding, both alike.
static void measure_centre(validation *v, fracture_trial_set set, double a, int mode) {
  static const double angle[3] = {0.0, -70.5288, -53.1301}, tolerance[3] = {4.0, 3.0, 3.0};
  static const char *const name[3] = {"mode I", "mode II", "K_I = K_II"};
  double radius = 3.0 * a, one = mode == 1 ? 0.0 : LOAD_STRESS, two = mode == 0 ? 0.0 : LOAD_STRESS;
  fracture_trial t = fracture_trial_open(v, 2, set, radius, disc_depth, &radius, TRIAL_SUPPORT);
  double ends[6] = {-a, 0, 0, a, 0, 0};
  fracture_trial_keep(&t, mote_cracks_add_polygon(t.cracks, ends, 2, 1.0, &t.error));
  for (size_t i = 0; i < t.count; ++i) fracture_trial_exact(a, one, two, t.rest + 3 * i, t.u + 3 * i);
  fracture_trial_cut(&t);
  fracture_trial_solve(&t, 1e-7);
  mote_crack_intensity k[2] = {{0}};
  mote_crack_body body = fracture_trial_body(&t);
  if (t.ok) fracture_trial_keep(&t, mote_cracks_find_intensities(t.cracks, &body, k, &t.error));
  double unit = LOAD_STRESS * sqrt(TRIAL_PI * a), worst = 0.0, turn = 0.0;
  for (int tip = 0; tip < 2; ++tip) {
    double side = tip == 0 ? 1.0 : -1.0;  // the other tip sees the normal from its other hand
    double K1 = k[tip].one / unit - (one > 0.0), K2 = side * k[tip].two / unit - (two > 0.0);
    worst = fmax(worst, fmax(fabs(K1), fabs(K2)));
    double off = side * k[tip].angle * 180.0 / TRIAL_PI - angle[mode];
    if (fabs(off) > fabs(turn)) turn = off;
  }
  if (t.ok && mode == 0) report_opening(v, &t, fracture_trial_set_name[set], a);
  if (t.ok) {
    fracture_trial_report(v, MEASURE_NEAR, worst, 0.0, a > 30.0 ? 0.12 : 0.20, "exact",
                          "largest error of K, %s, %s, %g", name[mode], fracture_trial_set_name[set], a);
    fracture_trial_report(v, MEASURE_NEAR, turn, 0.0, tolerance[mode], "Erdogan & Sih 1963",
                          "error of the angle, degrees, %s, %s, %g", name[mode], fracture_trial_set_name[set],
                          a);
  }
  fracture_trial_close(&t);
}

void validate_fracture_centre(validation *v) {
  static const fracture_trial_set sets[3] = {TRIAL_CUBIC, TRIAL_JITTERED, TRIAL_TURNED};
  int finest = validation_quick(v) ? 0 : 1, last = validation_quick(v) ? 1 : 2;
  for (int fine = 0; fine <= finest; ++fine) {
    for (int s = 0; s <= last; ++s) {
      for (int mode = 0; mode < 3; ++mode) measure_centre(v, sets[s], fine ? 40.0 : 20.0, mode);
    }
  }
}

// --- A notch -----------------------------------------------------------------------------------------

static void pull_ends(fracture_trial *t, double stretch) {
  for (size_t i = 0; i < t->count; ++i) {
    if (t->held[i]) t->u[3 * i + 1] = stretch * t->rest[3 * i + 1];
  }
}

// Held at its ends only.
static void fix_ends(fracture_trial *t, double half_height) {
  for (size_t i = 0; i < t->count; ++i) t->held[i] = fabs(t->rest[3 * i + 1]) > half_height - 2.0;
}

void validate_fracture_notch(validation *v) {
  double size = validation_quick(v) ? 0.5 : 1.0, half[3] = {20.0 * size, 30.0 * size, 0.0};
  for (fracture_trial_set set = TRIAL_CUBIC; set < TRIAL_SETS; ++set) {
    fracture_trial t = fracture_trial_open(v, 2, set, half[1], box_depth, half, 0.0);
    double tip[3] = {-0.5 * half[0], 0, 0}, ahead[3] = {1, 0, 0}, normal[3] = {0, 1, 0}, most = 0.0;
    fracture_trial_keep(&t, mote_cracks_add_half_plane(t.cracks, tip, ahead, normal, half[0], 1.0, &t.error));
    fix_ends(&t, half[1]);
    pull_ends(&t, 1e-5);
    for (int step = 0; step < 200 && t.ok && mote_cracks_tip(t.cracks, 0).live; ++step) {
      fracture_trial_cut(&t);
      fracture_trial_solve(&t, 1e-4);
      mote_crack_body body = fracture_trial_body(&t);
      body.depth = box_depth, body.user = half;
      if (t.ok) fracture_trial_keep(&t, mote_cracks_grow(t.cracks, &body, 1e-3, 0.5, &t.error));
      most = fmax(most, fabs(mote_cracks_tip(t.cracks, 0).position[1]));
    }
    if (t.ok) {
      fracture_trial_report(v, MEASURE_NEAR, most, 0.0, 0.5, "symmetry",
                            "notch: off the straight line, spacings, %s", fracture_trial_set_name[set]);
      fracture_trial_report(v, MEASURE_NEAR, (double)fracture_trial_parts(&t), 2.0, 0.0, "definition",
                            "notch: fragments, %s", fracture_trial_set_name[set]);
    }
    fracture_trial_close(&t);
  }
}

// The load at which a notched plate breaks, by K at its notch, at two spacings.
void validate_fracture_load(validation *v) {
  double ratio[2] = {0};
  for (int fine = 0; fine < 2; ++fine) {
    double half[3] = {fine ? 40.0 : 20.0, fine ? 60.0 : 30.0, 0.0}, mean = 0.0, count = 0.0;
    fracture_trial t = fracture_trial_open(v, 2, TRIAL_CUBIC, half[1], box_depth, half, 0.0);
    double tip[3] = {-0.5 * half[0], 0, 0}, ahead[3] = {1, 0, 0}, normal[3] = {0, 1, 0};
    fracture_trial_keep(&t, mote_cracks_add_half_plane(t.cracks, tip, ahead, normal, half[0], 1.0, &t.error));
    fix_ends(&t, half[1]);
    pull_ends(&t, 1e-5);
    fracture_trial_cut(&t);
    fracture_trial_solve(&t, 1e-6);
    mote_crack_intensity k = {0};
    mote_crack_body body = fracture_trial_body(&t);
    if (t.ok) fracture_trial_keep(&t, mote_cracks_find_intensities(t.cracks, &body, &k, &t.error));
    for (size_t i = 0; i < t.count; ++i) {  // mean stress far from the notch
      if (fabs(fabs(t.rest[3 * i + 1]) - 0.7 * half[1]) > 2.0) continue;
      mean += t.stress[6 * i + 3], count += 1.0;
    }
    ratio[fine] = mean / count * sqrt(half[0]) / k.one;
    if (!t.ok) ratio[fine] = (double)NAN;
    fracture_trial_close(&t);
  }
  fracture_trial_report(v, MEASURE_NEAR, ratio[1] / ratio[0], 1.0, 0.1, "convergence",
                        "breaking load of a notched plate, 80 over 40 spacings across");
}

// --- A penny crack -----------------------------------------------------------------------------------

static void pull_block(fracture_trial *t) {
  double young = TRIAL_YOUNG, nu = TRIAL_POISSON;
  for (size_t i = 0; i < t->count; ++i) {
    const double *x = t->rest + 3 * i;
    double *u = t->u + 3 * i;
    u[0] = -nu * LOAD_STRESS / young * x[0], u[1] = -nu * LOAD_STRESS / young * x[1],
    u[2] = LOAD_STRESS / young * x[2];
  }
}

static void report_penny(validation *v, fracture_trial *t, double a) {
  size_t tips = mote_cracks_tips(t->cracks);
  mote_crack_intensity *k = calloc(tips, sizeof *k);
  mote_crack_body body = fracture_trial_body(t);
  fracture_trial_keep(t, mote_cracks_find_intensities(t->cracks, &body, k, &t->error));
  double exact = 2.0 * LOAD_STRESS * sqrt(a / TRIAL_PI), worst = 0.0;
  for (size_t n = 0; n < tips; ++n) {
    if (fabs(k[n].one / exact - 1.0) > fabs(worst)) worst = k[n].one / exact - 1.0;
  }
  if (t->ok)
    fracture_trial_report(v, MEASURE_NEAR, worst, 0.0, 0.25, "Sneddon 1946",
                          "penny crack: largest error of K, radius %g", a);
  free(k);
}

void validate_fracture_penny(validation *v) {
  double a = validation_quick(v) ? 5.0 : 8.0, wide = validation_quick(v) ? 12.0 : 20.0;
  double half[3] = {wide, wide, wide}, centre[3] = {0}, normal[3] = {0, 0, 1}, worst = 0.0;
  fracture_trial t = fracture_trial_open(v, 3, TRIAL_JITTERED, wide, box_depth, half, TRIAL_SUPPORT);
  fracture_trial_keep(&t, mote_cracks_add_disc(t.cracks, centre, normal, a, 1.0, &t.error));
  pull_block(&t);
  fracture_trial_cut(&t);
  fracture_trial_solve(&t, 1e-4);
  if (t.ok) report_penny(v, &t, a);
  double target = validation_quick(v) ? a + 2.0 : 2.0 * a, mean = a;
  for (int step = 0; step < 20 && t.ok && mean < target - 0.5; ++step) {
    mote_crack_body body = fracture_trial_body(&t);
    fracture_trial_keep(&t, mote_cracks_grow(t.cracks, &body, 1.0, 1.0, &t.error));
    mean = 0.0, worst = 0.0;
    size_t tips = mote_cracks_tips(t.cracks);
    for (size_t n = 0; n < tips; ++n) {
      mote_crack_tip tip = mote_cracks_tip(t.cracks, n);
      mean += hypot(tip.position[0], tip.position[1]) / (double)tips;
    }
    for (size_t n = 0; n < tips; ++n) {
      mote_crack_tip tip = mote_cracks_tip(t.cracks, n);
      worst = fmax(worst, fabs(hypot(tip.position[0], tip.position[1]) - mean));
      worst = fmax(worst, fabs(tip.position[2]));
    }
    fracture_trial_cut(&t);
    fracture_trial_solve(&t, 1e-3);
  }
  if (t.ok) {
    fracture_trial_report(v, MEASURE_AT_LEAST, mean, target - 0.5, 0.0, "symmetry",
                          "penny crack: grown to a radius of");
    fracture_trial_report(v, MEASURE_NEAR, worst, 0.0, 1.0, "symmetry",
                          "penny crack, grown: off the circle, spacings");
  }
  fracture_trial_close(&t);
}
