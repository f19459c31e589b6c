// Laws of cracks: see fracture_law.h.
#include "cracks/fracture_law.h"

#include <math.h>
#include <mote/numeric.h>

#include "cracks/tuning.inc"
#include "geom/triple.h"

double mote_fracture_toughness(double strength, double spacing) {
  return strength * sqrt(4.0 * MOTE_PI * spacing);
}

double mote_fracture_length(const mote_fracture_law *law) {
  double ratio = law->toughness / law->strength;
  return law->strength > 0.0 ? ratio * ratio / MOTE_PI : 0.0;
}

// Hoop and shear stress of K_I = 1, K_II = 1, T = 1, and of the next term of opening, in sqrt(r).
static void williams(double r, double angle, double hoop[4], double shear[4]) {
  double c = mote_cos(0.5 * angle), s = mote_sin(0.5 * angle), scale = 1.0 / sqrt(2.0 * MOTE_PI * r);
  hoop[0] = scale * c * c * c, hoop[1] = -3.0 * scale * s * c * c;
  shear[0] = scale * s * c * c, shear[1] = scale * c * (1.0 - 3.0 * s * s);
  double sine = 2.0 * s * c, cosine = 1.0 - 2.0 * s * s;
  hoop[2] = sine * sine, shear[2] = -sine * cosine;
  double c5 = mote_cos(2.5 * angle), s5 = mote_sin(2.5 * angle), root = sqrt(r);
  hoop[3] = root * (3.75 * c - 0.75 * c5), shear[3] = root * 0.75 * (s - s5);
}

static void add_row(mote_intensity_fit *fit, const double row[4], double value) {
  for (int i = 0, k = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j) fit->matrix[k++] += row[i] * row[j];
    fit->right[i] += row[i] * value;
  }
}

void mote_intensity_fit_add(mote_intensity_fit *fit, double r, double angle, const double stress[3]) {
  double hoop[4], shear[4], c = mote_cos(angle), s = mote_sin(angle);
  williams(r, angle, hoop, shear);
  double xx = stress[0], xy = stress[1], yy = stress[2];
  add_row(fit, hoop, s * s * xx - 2.0 * s * c * xy + c * c * yy);
  add_row(fit, shear, s * c * (yy - xx) + (c * c - s * s) * xy);
  ++fit->count;
}

bool mote_intensity_fit_solve(const mote_intensity_fit *fit, mote_stress_intensity *out) {
  double scale[4], A[16], x[4] = {0}, size;  // units differ: unit diagonal first
  *out = (mote_stress_intensity){0};
  if (fit->count < 4) return false;
  for (int i = 0, k = 0; i < 4; k += 4 - i++) scale[i] = sqrt(fit->matrix[k]);
  for (int i = 0, k = 0; i < 4; ++i) {
    if (!(scale[i] > 0.0)) return false;
    for (int j = i; j < 4; ++j) A[4 * i + j] = A[4 * j + i] = fit->matrix[k++] / (scale[i] * scale[j]);
  }
  A[15] += NEXT_TERM_RIDGE;
  if (mote_dense_pseudo_inverse(4, A, 1e-4, A, &size) < 4) return false;
  for (int e = 0; e < 16; ++e) x[e / 4] += A[e] * fit->right[e % 4] / (scale[e / 4] * scale[e % 4]);
  *out = (mote_stress_intensity){.one = x[0], .two = x[1], .along = x[2]};
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

double mote_fracture_angle(const mote_stress_intensity *k) {
  if (k->two == 0.0) return 0.0;
  return 2.0 *
         mote_atan2((k->one - sqrt(k->one * k->one + 8.0 * k->two * k->two)) * (k->two > 0.0 ? 1.0 : -1.0),
                    4.0 * fabs(k->two));
}

double mote_fracture_equivalent(const mote_stress_intensity *k, double angle) {
  double c = mote_cos(0.5 * angle), s = mote_sin(0.5 * angle);
  double all = c * c * (k->one * c - 3.0 * k->two * s);
  return all > 0.0 ? all : 0.0;
}
