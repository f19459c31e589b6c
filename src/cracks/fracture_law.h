// Laws of cracks: stresses at the tip of a crack (Williams 1957), the fit of stress intensity factors to
// them, and the direction of largest hoop stress (Erdogan & Sih 1963). K in Pa sqrt(m), angles in rad.
// Theory: docs/theory/fracture.md
#ifndef MOTE_FRACTURE_LAW_H
#define MOTE_FRACTURE_LAW_H

#include <mote/base.h>

typedef struct mote_fracture_law {
  double strength;      // largest tension, Pa
  double toughness;     // K at which a crack grows, Pa sqrt(m)
  double speed;         // of fronts, m/s
  double transparency;  // kappa, EG09 (70)
  double weak_spots;    // 0 to 1: part of the strength that is missing at the weakest places
} mote_fracture_law;

// Toughness of a material given by its strength only: the stress is the strength two spacings ahead
// of a crack.
double mote_fracture_toughness(double strength, double spacing);

typedef struct mote_stress_intensity {
  double one, two;  // K_I: opening; K_II: sliding
  double along;     // T, the stress along the crack, Pa
  double ahead;  // mean tension across the crack ahead of it, Pa; not of the fit; infinite: no matter there
  double near;   // the same of the nearest particles; only of use where the field of the fit has no room
} mote_stress_intensity;

// Sums of least squares.
typedef struct mote_intensity_fit {
  double matrix[10], right[4];
  size_t count;  // of samples
} mote_intensity_fit;

// Takes a stress xx xy yy at (r, angle) from the tip, x along the crack, y its normal. Hoop and shear stress
// of the frame that is turned by the angle count.
void mote_intensity_fit_add(mote_intensity_fit *fit, double r, double angle, const double stress[3]);
// Returns false, with zeros, where the samples do not determine all three.
bool mote_intensity_fit_solve(const mote_intensity_fit *fit, mote_stress_intensity *out);

// Half length from which on a crack runs by its toughness where the tension is the strength, m.
double mote_fracture_length(const mote_fracture_law *law);

// Direction of largest hoop stress, from ahead towards the normal.
double mote_fracture_angle(const mote_stress_intensity *k);
// K of the crack that opens in this direction; 0 where it closes.
double mote_fracture_equivalent(const mote_stress_intensity *k, double angle);

#endif
