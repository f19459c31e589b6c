// The samples in reach of a point, in groups of four: EG09 (28), and the weights of (21) with their first
// and second derivatives, by a radial kernel or by the caller's function.
#include "approx/mls_gather.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "approx/kernel.h"

#define LANES MOTE_MLS_LANES

// Which samples the lanes of a group hold.
typedef struct lane_samples {
  uint32_t index[LANES];
  double offset[LANES][3];  // x - x_i
  double s[LANES];          // h over the sample's radius; 0: no sample
} lane_samples;

static double average_radius(const mote_mls *mls, const uint32_t *index, uint32_t number) {
  if (mls->radius == NULL || number == 0) return mls->def.uniform_radius;
  double sum = 0.0;
  for (uint32_t e = 0; e < number; ++e) sum += mls->radius[index[e]];
  return sum / number;
}

// A radial weight w(q), q = |x - x_i|/r, at u = (x - x_i)/h = -y: with factor = w'/q and s = h/r
//   dw/du_k = s^2 factor u_k,   d2w/du_k du_l = s^2 ((w'' - factor) u_k u_l / |u|^2 + factor delta_kl).
// At u = 0 a smooth kernel has factor = w''. Kernels with a peak have no derivatives there; the same formulas
// then give 0 and w'', as for a rounded peak.
static void kernel_weights(const mote_mls *mls, const lane_samples *samples, int derivatives,
                           mote_mls_group *group) {
  mote_kernel_kind kind = mls->def.kernel;
  int d = mls->def.domain.dimensions;
  const mote_mls_pairs *pairs = mote_mls_pairs_of(d);
  double across[LANES], along[LANES];
  for (int lane = 0; lane < LANES; ++lane) {
    double square = 0.0, s = samples->s[lane];
    for (int k = 0; k < d; ++k) square += group->p[1 + k][lane] * group->p[1 + k][lane];
    double q = s * sqrt(square), gradient_factor = 0.0, second = 0.0;
    across[lane] = along[lane] = 0.0;
    if (!(q < 1.0) || s == 0.0) continue;
    group->w[lane] = mote_shape_value(kind, d, q);
    if (derivatives == 0 || isinf(group->w[lane])) continue;
    if (q > 0.0) gradient_factor = s * s * mote_shape_gradient_factor(kind, d, q);
    for (int k = 0; k < d; ++k) group->dw[k][lane] = -gradient_factor * group->p[1 + k][lane];
    if (derivatives == 1) continue;
    second = s * s * mote_shape_second(kind, d, q);
    across[lane] = q > 0.0 ? gradient_factor : second;
    along[lane] = q > 0.0 ? (second - gradient_factor) / square : 0.0;
  }
  for (int e = 0; derivatives == 2 && e < pairs->count; ++e) {
    int k = pairs->k[e], l = pairs->l[e];
    for (int lane = 0; lane < LANES; ++lane) {
      double yy = group->p[1 + k][lane] * group->p[1 + l][lane];
      group->ddw[e][lane] = along[lane] * yy + (k == l ? across[lane] : 0.0);
    }
  }
}

// Returns false if a number of the callback is invalid.
static bool caller_weight(const mote_mls *mls, const double x[3], const lane_samples *samples, int lane,
                          double h, int derivatives, mote_mls_group *group) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(mls->def.domain.dimensions);
  uint32_t i = samples->index[lane];
  double w = 0.0, dw[3] = {0.0, 0.0, 0.0}, ddw[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, finite = 0.0;
  mls->def.weight(mls->def.weight_user, i, x, samples->offset[lane], mote_mls_radius(mls, i), derivatives, &w,
                  dw, ddw);
  group->w[lane] = w;
  if (!(w >= 0.0)) return false;
  if (isinf(w)) return true;
  for (int k = 0; derivatives >= 1 && k < mls->def.domain.dimensions; ++k) {
    group->dw[k][lane] = h * dw[k];
    finite += fabs(group->dw[k][lane]);
  }
  for (int e = 0; derivatives >= 2 && e < pairs->count; ++e) {
    group->ddw[e][lane] = h * h * ddw[pairs->slot[e]];
    finite += fabs(group->ddw[e][lane]);
  }
  return finite <= DBL_MAX;
}

// Infinite weights become poles.
static void mark_poles(mote_mls_group *group) {
  for (int lane = 0; lane < LANES; ++lane) {
    if (!isinf(group->w[lane])) continue;
    group->w[lane] = 0.0;
    group->pole[lane] = 1.0;
  }
}

static void fill_basis(int dimensions, int order, mote_mls_group *group) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(dimensions);
  for (int lane = 0; lane < LANES; ++lane) group->p[0][lane] = 1.0;
  for (int e = 0; order == 2 && e < pairs->count; ++e) {
    const double *yk = group->p[1 + pairs->k[e]], *yl = group->p[1 + pairs->l[e]];
    double scale = pairs->k[e] == pairs->l[e] ? 0.70710678118654752440 : 1.0;
    double *p = group->p[1 + dimensions + e];
    for (int lane = 0; lane < LANES; ++lane) p[lane] = scale * (yk[lane] * yl[lane]);
  }
}

// Places up to four samples in a cleared group.
static lane_samples place_samples(const mote_mls *mls, const double x[3], const uint32_t *index,
                                  uint32_t number, uint32_t skip, double h, mote_mls_group *group) {
  lane_samples samples = {.s = {0.0}};
  double inverse_h = 1.0 / h;
  int d = mls->def.domain.dimensions;
  for (uint32_t lane = 0; lane < LANES && lane < number; ++lane) {
    uint32_t i = samples.index[lane] = index[lane];
    if (i == skip) continue;
    double *offset = samples.offset[lane];
    const double *xi = mls->position + 3 * (size_t)i;
    if (mls->periodic) {
      mote_domain_difference(&mls->def.domain, x, xi, offset);
    } else {
      for (int k = 0; k < d; ++k) offset[k] = x[k] - xi[k];
    }
    for (int k = 0; k < d; ++k) group->p[1 + k][lane] = -offset[k] * inverse_h;
    samples.s[lane] = mls->radius == NULL ? 1.0 : h / mls->radius[i];
  }
  return samples;
}

mote_mls_gathered mote_mls_gather(const mote_mls *mls, const double x[3], const uint32_t *index,
                                  uint32_t number, uint32_t skip, int derivatives, mote_mls_group *groups) {
  mote_mls_gathered out = {.groups = groups, .h = average_radius(mls, index, number), .valid = true};
  for (uint32_t e = 0; e < number; e += LANES) {
    mote_mls_group *group = &groups[out.count++];
    memset(group, 0, sizeof *group);
    lane_samples samples = place_samples(mls, x, index + e, number - e, skip, out.h, group);
    if (mls->def.weight == NULL) {
      kernel_weights(mls, &samples, derivatives, group);
      if (mls->def.kernel == MOTE_KERNEL_SINGULAR) mark_poles(group);
    } else {
      for (int lane = 0; lane < LANES; ++lane) {
        if (samples.s[lane] == 0.0) continue;
        out.valid &= caller_weight(mls, x, &samples, lane, out.h, derivatives, group);
      }
      mark_poles(group);
    }
    fill_basis(mls->def.domain.dimensions, mls->def.order, group);
    out.poles += mote_mls_lane_sum(group->pole);
  }
  return out;
}
