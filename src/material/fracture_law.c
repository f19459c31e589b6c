// Laws of cracks: see fracture_law.h.
#include "material/fracture_law.h"

#include <math.h>
#include <mote/numeric.h>

#include "geom/triple.h"

double mote_fracture_toughness(double strength, double spacing) {
  return strength * sqrt(4.0 * MOTE_PI * spacing);
}

// Hoop and shear stress of K_I = 1, K_II = 1 and T = 1.
static void williams(double r, double angle, double hoop[3], double shear[3]) {
  double c = mote_cos(0.5 * angle), s = mote_sin(0.5 * angle), scale = 1.0 / sqrt(2.0 * MOTE_PI * r);
  hoop[0] = scale * c * c * c, hoop[1] = -3.0 * scale * s * c * c;
  shear[0] = scale * s * c * c, shear[1] = scale * c * (1.0 - 3.0 * s * s);
  double sine = 2.0 * s * c, cosine = 1.0 - 2.0 * s * s;
  hoop[2] = sine * sine, shear[2] = -sine * cosine;
}

static void add_row(mote_intensity_fit *fit, const double row[3], double value) {
  for (int i = 0, k = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) fit->matrix[k++] += row[i] * row[j];
    fit->right[i] += row[i] * value;
  }
}

void mote_intensity_fit_add(mote_intensity_fit *fit, double r, double angle, const double stress[3]) {
  double hoop[3], shear[3], c = mote_cos(angle), s = mote_sin(angle);
  williams(r, angle, hoop, shear);
  double xx = stress[0], xy = stress[1], yy = stress[2];
  add_row(fit, hoop, s * s * xx - 2.0 * s * c * xy + c * c * yy);
  add_row(fit, shear, s * c * (yy - xx) + (c * c - s * s) * xy);
  ++fit->count;
}

bool mote_intensity_fit_solve(const mote_intensity_fit *fit, mote_stress_intensity *out) {
  // T is in Pa and K in Pa sqrt(m): unit diagonal first.
  const double *m = fit->matrix;
  double scale[3] = {sqrt(m[0]), sqrt(m[3]), sqrt(m[5])}, A[9], x[3] = {0}, size;
  *out = (mote_stress_intensity){0};
  if (fit->count < 3 || !(scale[0] > 0.0 && scale[1] > 0.0 && scale[2] > 0.0)) return false;
  double full[9] = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
  for (int e = 0; e < 9; ++e) A[e] = full[e] / (scale[e / 3] * scale[e % 3]);
  if (mote_dense_pseudo_inverse(3, A, 1e-3, A, &size) < 3) return false;
  for (int e = 0; e < 9; ++e) x[e / 3] += A[e] * fit->right[e % 3] / (scale[e / 3] * scale[e % 3]);
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
