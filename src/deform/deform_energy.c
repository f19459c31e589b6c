// Sums of the energies over handles and samples: see deform_energy.h.
#include "deform/deform_energy.h"

#include <math.h>

#include "deform/deform_handles.h"
#include "geom/triple.h"

// r_a = x_a - T X_a of the handle's nodes.
static void set_residuals(const mote_deform *d, const mote_deform_grip *grip, bool at_goal, const double *u) {
  mote_deform_transform t;
  mote_deform_grip_transform(grip, at_goal, &t);
  for (uint32_t p = 0; p < grip->nodes; ++p) {
    const double *X = d->rest + 3 * (size_t)grip->node[p], *v = u + 3 * (size_t)grip->node[p];
    double off[3], to[3];
    if (grip->target != NULL) {
      sub3(v, grip->target + 3 * (size_t)grip->node[p], d->residual + 3 * p);
      continue;
    }
    sub3(X, t.pivot, off);
    turn3(t.rotation, off, to);
    for (int k = 0; k < 3; ++k) d->residual[3 * p + (uint32_t)k] = X[k] + v[k] - (to[k] + t.image[k]);
  }
}

// Adds lambda_1 r^T M r of one handle and its gradient; returns r^T M r, in sizes squared.
static double add_handle(const mote_deform *d, const mote_deform_grip *grip, bool at_goal, const double *u,
                         double *gradient) {
  double sum = 0.0;
  set_residuals(d, grip, at_goal, u);
  for (uint32_t p = 0; p < grip->nodes; ++p) {
    double row[3] = {0};
    const double *m = grip->matrix + (size_t)p * grip->nodes, *r = d->residual;
    for (uint32_t q = 0; q < grip->nodes; ++q) step3(row, m[q], r + 3 * q, row);
    sum += dot3(r + 3 * p, row);
    if (gradient == NULL) continue;
    double *g = gradient + 3 * (size_t)grip->node[p];
    step3(g, 2.0 * d->weight.handle, row, g);
  }
  return sum;
}

double mote_deform_evaluate_samples(const mote_deform *d, const mote_deform_law *law, const double *u,
                                    double energy[2], double *gradient) {
  const mote_deform_shapes *shapes = &d->sample;
  double least = HUGE_VAL;
  energy[0] = energy[1] = 0.0;
  for (uint32_t k = 0; k < d->space.samples; ++k) {
    double F[9], P[9], e[2], J, share = d->space.share[k];
    mote_deform_gradient_at(shapes, k, u, F);
    mote_deform_law_energy(law, F, e, &J, gradient != NULL ? P : NULL);
    energy[0] += share * e[0], energy[1] += share * e[1];
    least = J < least ? J : least;
    for (uint32_t e_at = shapes->first[k]; gradient != NULL && e_at < shapes->first[k + 1]; ++e_at) {
      double *g = gradient + 3 * (size_t)shapes->node[e_at], force[3];
      turn3(P, shapes->gradient[e_at], force);
      step3(g, share, force, g);
    }
  }
  return least;
}

void mote_deform_evaluate(const mote_deform *d, const double *u, bool at_goal, mote_deform_report *report,
                          double *gradient) {
  double worst = 0.0;
  mote_deform_law law = {d->weight.rigidity, d->weight.volume};
  report->handle = 0.0, report->worst_handle = 0;
  for (size_t k = 0; k < d->grips; ++k) {
    if (d->grip[k].free) continue;
    double square = add_handle(d, d->grip + k, at_goal, u, gradient);
    report->handle += d->weight.handle * square;
    if (square > worst) worst = square, report->worst_handle = (mote_deform_handle)k;
  }
  double energy[2];
  report->least_determinant = mote_deform_evaluate_samples(d, &law, u, energy, gradient);
  report->rigidity = energy[0], report->volume = energy[1];
  report->handle_error = sqrt(worst);
  report->energy = report->handle + report->rigidity + report->volume;
}
