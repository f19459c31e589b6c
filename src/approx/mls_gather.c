// The samples in reach of a point, in groups of four: EG09 (28), and the weights of (21) with their first
// and second derivatives, by a radial kernel or by the caller's function.
#include "approx/mls_gather.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "approx/kernel.h"

typedef struct sample_weight {
  double w, dw[3], ddw[MOTE_MLS_PAIRS];
} sample_weight;

static double average_radius(const mote_mls *mls, const uint32_t *index, uint32_t number) {
  if (mls->radius == NULL || number == 0) return mls->def.uniform_radius;
  double sum = 0.0;
  for (uint32_t e = 0; e < number; ++e) sum += mls->radius[index[e]];
  return sum / number;
}

// A radial weight w(q), q = |x - x_i|/r, at u = (x - x_i)/h: with pull = w'/q
//   dw/du_k = s^2 pull u_k,   d2w/du_k du_l = s^2 ((w'' - pull) n_k n_l + pull delta_kl),   s = h/r.
// At u = 0 a smooth kernel has pull = w''. Kernels with a peak have no derivatives there; the same formulas
// then give 0 and w'', as if the peak were rounded off.
static void kernel_weight(const mote_mls *mls, const double u[3], double s, int derivatives,
                          sample_weight *out) {
  mote_kernel_kind kind = mls->def.kernel;
  int d = mls->def.domain.dimensions;
  double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), q = length * s;
  if (q >= 1.0) return;
  out->w = mote_shape_value(kind, d, q);
  if (derivatives == 0 || isinf(out->w)) return;
  double pull = q > 0.0 ? s * s * mote_shape_pull(kind, d, q) : 0.0;
  for (int k = 0; k < d; ++k) out->dw[k] = pull * u[k];
  if (derivatives == 1) return;
  double bend = s * s * mote_shape_bend(kind, d, q), across = q > 0.0 ? pull : bend;
  double along = q > 0.0 ? (bend - pull) / (length * length) : 0.0;
  const mote_mls_pairs *pairs = mote_mls_pairs_of(d);
  for (int e = 0; e < pairs->count; ++e) {
    int k = pairs->k[e], l = pairs->l[e];
    out->ddw[e] = along * (u[k] * u[l]) + (k == l ? across : 0.0);
  }
}

// Returns false when a number the caller gave cannot be used.
static bool caller_weight(const mote_mls *mls, uint32_t i, const double x[3], const double offset[3],
                          double h, int derivatives, sample_weight *out) {
  int d = mls->def.domain.dimensions;
  double w = 0.0, dw[3] = {0.0, 0.0, 0.0}, ddw[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  mls->def.weight(mls->def.weight_user, i, x, offset, mote_mls_radius(mls, i), derivatives, &w, dw, ddw);
  out->w = w;
  if (!(w >= 0.0)) return false;
  if (isinf(w)) return true;
  double finite = 0.0;
  const mote_mls_pairs *pairs = mote_mls_pairs_of(d);
  for (int k = 0; derivatives >= 1 && k < d; ++k) finite += fabs(out->dw[k] = h * dw[k]);
  for (int e = 0; derivatives >= 2 && e < pairs->count; ++e) {
    finite += fabs(out->ddw[e] = h * h * ddw[pairs->slot[e]]);
  }
  return finite <= DBL_MAX;
}

static void fill_basis(int dimensions, int order, mote_mls_group *group) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(dimensions);
  for (int lane = 0; lane < MOTE_MLS_LANES; ++lane) group->p[0][lane] = 1.0;
  for (int e = 0; order == 2 && e < pairs->count; ++e) {
    const double *yk = group->p[1 + pairs->k[e]], *yl = group->p[1 + pairs->l[e]];
    double scale = pairs->k[e] == pairs->l[e] ? 0.70710678118654752440 : 1.0;
    double *p = group->p[1 + dimensions + e];
    for (int lane = 0; lane < MOTE_MLS_LANES; ++lane) p[lane] = scale * (yk[lane] * yl[lane]);
  }
}

// Puts sample i into a lane of a cleared group.
static bool gather_sample(const mote_mls *mls, const double x[3], uint32_t i, double h, int derivatives,
                          mote_mls_group *group, int lane) {
  int d = mls->def.domain.dimensions;
  double offset[3], u[3];
  mote_domain_difference(&mls->def.domain, x, mls->position + 3 * (size_t)i, offset);
  for (int k = 0; k < 3; ++k) u[k] = offset[k] / h;
  for (int k = 0; k < d; ++k) group->p[1 + k][lane] = -u[k];
  sample_weight weight = {0};
  bool valid = true;
  if (mls->def.weight != NULL) {
    valid = caller_weight(mls, i, x, offset, h, derivatives, &weight);
  } else {
    kernel_weight(mls, u, h / mote_mls_radius(mls, i), derivatives, &weight);
  }
  if (isinf(weight.w)) {
    group->pole[lane] = 1.0;
    return valid;
  }
  group->w[lane] = weight.w;
  for (int k = 0; k < d; ++k) group->dw[k][lane] = weight.dw[k];
  for (int e = 0; e < mote_mls_pairs_of(d)->count; ++e) group->ddw[e][lane] = weight.ddw[e];
  return valid;
}

mote_mls_gathered mote_mls_gather(const mote_mls *mls, const double x[3], const uint32_t *index,
                                  uint32_t number, uint32_t skip, int derivatives, mote_mls_group *groups) {
  mote_mls_gathered out = {.groups = groups, .h = average_radius(mls, index, number), .valid = true};
  out.count = number / MOTE_MLS_LANES + (number % MOTE_MLS_LANES != 0);
  for (size_t g = 0; g < out.count; ++g) {
    mote_mls_group *group = &groups[g];
    memset(group, 0, sizeof *group);
    for (uint32_t lane = 0; lane < MOTE_MLS_LANES; ++lane) {
      uint32_t e = (uint32_t)g * MOTE_MLS_LANES + lane;
      if (e >= number || index[e] == skip) continue;
      out.valid &= gather_sample(mls, x, index[e], out.h, derivatives, group, (int)lane);
    }
    fill_basis(mls->def.domain.dimensions, mls->def.order, group);
    out.poles += mote_mls_lane_sum(group->pole);
  }
  return out;
}
