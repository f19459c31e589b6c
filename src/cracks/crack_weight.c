// Weights of moving least squares across cracks: see crack_weight.h.
#include "cracks/crack_weight.h"

#include "approx/kernel.h"
#include "geom/triple.h"

void mote_crack_weight_find(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                            int derivatives, double *w, double dw[3], double ddw[6]) {
  (void)i, (void)ddw;
  const mote_crack_weight *c = user;
  double sample[3], slope[3], r = length3(offset);
  sub3(x, offset, sample);
  double q = r / radius + mote_crack_detour(c->cracks, c->opacity, x, sample, derivatives > 0 ? slope : NULL);
  if (!(q < 1.0)) return;
  *w = mote_shape_value(c->kernel, c->cracks->dimensions, q);
  if (derivatives == 0) return;
  double along = q * mote_shape_gradient_factor(c->kernel, c->cracks->dimensions, q);  // d w / d q
  for (int k = 0; k < 3; ++k) dw[k] = along * ((r > 0.0 ? offset[k] / (r * radius) : 0.0) + slope[k]);
}
