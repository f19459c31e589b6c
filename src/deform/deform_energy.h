// Energies of a state, EG09 (74)-(78), their gradient and second derivatives: docs/theory/deformation.md,
// "Energies".
#ifndef MOTE_DEFORM_ENERGY_H
#define MOTE_DEFORM_ENERGY_H

#include "deform/deform_data.h"

// lambda_2 |F^T F - 1|^2 + lambda_3 (J - 1)^2 of one sample.
typedef struct mote_deform_law {
  double rigidity, volume;  // lambda 2, 3
} mote_deform_law;

static inline double mote_deform_determinant(const double F[9]) {
  return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
         F[2] * (F[3] * F[7] - F[4] * F[6]);
}

// The two energies, J, and dPsi/dF where `stress` is not null.
void mote_deform_law_energy(const mote_deform_law *law, const double F[9], double energy[2], double *J,
                            double *stress);
// The second derivative, 9 x 9: exact, or without its negative part.
void mote_deform_law_hessian(const mote_deform_law *law, const double F[9], bool positive, double K[9][9]);

// Energies with the nodes displaced by u, three each; the gradient is added to where not null. Handles in the
// poses that their walks have reached, or in those that were set. Fills the energies, handle_error and
// least_determinant of the report.
void mote_deform_evaluate(const mote_deform *deform, const double *u, bool at_goal,
                          mote_deform_report *report, double *gradient);

// The part of the samples alone: both energies, the gradient added where not null; returns the least J.
double mote_deform_evaluate_samples(const mote_deform *deform, const mote_deform_law *law, const double *u,
                                    double energy[2], double *gradient);

// F of sample k.
static inline void mote_deform_gradient_at(const mote_deform_shapes *shapes, uint32_t k, const double *u,
                                           double F[9]) {
  double f[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  for (uint32_t e = shapes->first[k]; e < shapes->first[k + 1]; ++e) {
    const double *v = u + 3 * (size_t)shapes->node[e], *g = shapes->gradient[e];
    f[0] += v[0] * g[0], f[1] += v[0] * g[1], f[2] += v[0] * g[2];
    f[3] += v[1] * g[0], f[4] += v[1] * g[1], f[5] += v[1] * g[2];
    f[6] += v[2] * g[0], f[7] += v[2] * g[1], f[8] += v[2] * g[2];
  }
  for (int c = 0; c < 9; ++c) F[c] = f[c];
}

#endif
