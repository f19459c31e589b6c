// Fields of kernels at single points. See kernel_field.h; which kernels touch a box is in kernel_list.c,
// blocks of nodes are in kernel_tile.c.
#include "surface/kernel_field.h"

#include <math.h>

#include "base/lane.h"
#include "base/pi.h"

double mote_bump_value(mote_bump bump, double q2) {
  MOTE_ASSERT(!(q2 < 0.0));
  if (!(q2 < 1.0)) return 0.0;
  double t = 1.0 - q2, outer = bump == MOTE_BUMP_DESBRUN ? 1.0 - sqrt(q2) : 0.0;
  switch (bump) {
    case MOTE_BUMP_SMOOTH: return (t * t) * (t * t);
    case MOTE_BUMP_DESBRUN: return outer * outer * outer;
    case MOTE_BUMP_MEAN: break;
  }
  return t * t * t;
}

// dP/d(q^2).
static double bump_slope(mote_bump bump, double q2) {
  double t = 1.0 - q2, q = bump == MOTE_BUMP_DESBRUN ? sqrt(q2) : 0.0;
  switch (bump) {
    case MOTE_BUMP_SMOOTH: return -4.0 * t * t * t;
    case MOTE_BUMP_DESBRUN: return q > 0.0 ? -1.5 * (1.0 - q) * (1.0 - q) / q : 0.0;
    case MOTE_BUMP_MEAN: break;
  }
  return -3.0 * t * t;
}

// 4 pi times the integral of P q^2 from 0 to 1.
double mote_bump_volume(mote_bump bump) {
  switch (bump) {
    case MOTE_BUMP_SMOOTH: return 512.0 * MOTE_PI / 3465.0;
    case MOTE_BUMP_DESBRUN: return MOTE_PI / 15.0;
    case MOTE_BUMP_MEAN: break;
  }
  return 64.0 * MOTE_PI / 315.0;
}

// --- Single points ----------------------------------------------------------------------------------------

// (x - c) by the form: q^2, and its gradient in cells.
static double form_at(const mote_local_kernel *k, const double d[3], double slope[3]) {
  const float *f = k->form;
  double xx = (double)f[0], xy = (double)f[1], xz = (double)f[2], yy = (double)f[3], yz = (double)f[4],
         zz = (double)f[5];
  slope[0] = 2.0 * xx * d[0] + xy * d[1] + xz * d[2];
  slope[1] = xy * d[0] + 2.0 * yy * d[1] + yz * d[2];
  slope[2] = xz * d[0] + yz * d[1] + 2.0 * zz * d[2];
  return 0.5 * (slope[0] * d[0] + slope[1] * d[1] + slope[2] * d[2]);
}

// The value of a sum, and its gradient in cells.
static double sum_at(const mote_kernel_field *field, const mote_kernel_list *list, const float x[3],
                     double gradient[3]) {
  double sum = 0.0;
  for (size_t n = 0; n < list->count; ++n) {
    const mote_local_kernel *k = &list->kernel[n];
    double d[3], slope[3];
    for (int a = 0; a < 3; ++a) d[a] = (double)x[a] - (double)k->centre[a];
    double q2 = form_at(k, d, slope);
    if (!(q2 < 1.0)) continue;
    sum += (double)k->weight * mote_bump_value(field->bump, q2);
    double factor = (double)k->weight * bump_slope(field->bump, q2);
    for (int a = 0; a < 3; ++a) gradient[a] += factor * slope[a];
  }
  double measure = mote_sum_measure(sum), slope = sum > 0.0 ? 0.25 * measure / sum : 0.0;
  for (int a = 0; a < 3; ++a) gradient[a] *= slope;
  return measure - mote_sum_measure(field->isovalue);
}

// (r - |m|) / d with m = sum w (c - x) / sum w and r = sum w r_j / sum w; in cells but for r.
static double mean_at(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                      const float x[3], double gradient[3]) {
  double w_sum = 0.0, r_sum = 0.0, m[3] = {0.0, 0.0, 0.0};
  double dw[3] = {0.0, 0.0, 0.0}, dr[3] = {0.0, 0.0, 0.0}, dm[3][3] = {{0.0}};
  for (size_t n = 0; n < list->count; ++n) {
    const mote_local_kernel *k = &list->kernel[n];
    double d[3], slope[3];
    for (int a = 0; a < 3; ++a) d[a] = (double)x[a] - (double)k->centre[a];
    double q2 = form_at(k, d, slope);
    if (!(q2 < 1.0)) continue;
    double w = mote_bump_value(field->bump, q2), factor = bump_slope(field->bump, q2), r = (double)k->weight;
    w_sum += w;
    r_sum += w * r;
    for (int a = 0; a < 3; ++a) {
      m[a] -= w * d[a];
      dw[a] += factor * slope[a];
      dr[a] += factor * slope[a] * r;
      for (int b = 0; b < 3; ++b) dm[a][b] -= factor * slope[b] * d[a];
      dm[a][a] -= w;
    }
  }
  if (!(w_sum > 0.0)) return field->outside;
  for (int a = 0; a < 3; ++a) m[a] /= w_sum;
  double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]), r = r_sum / w_sum;
  double d = field->set->spacing;
  for (int b = 0; b < 3; ++b) {
    double change = (dr[b] - r * dw[b]) / w_sum / d;
    for (int a = 0; a < 3; ++a) {
      double along = length > 0.0 ? m[a] / length : 0.0;
      change -= along * (dm[a][b] - m[a] * dw[b]) / w_sum * cell / d;
    }
    gradient[b] = change;
  }
  return (r - length * cell) / d - field->isovalue;
}

// The least of the value and the distance to the clip box's sides, with its gradient.
static double clipped(const mote_kernel_field *field, double cell, const int32_t at[3], const float x[3],
                      double value, double gradient[3]) {
  for (int a = 0; a < 3; ++a) {
    double place = (at[a] + (double)x[a]) * cell;
    double low = (place - field->clip_low[a]) * field->clip_slope;
    double high = (field->clip_high[a] - place) * field->clip_slope;
    double side = low < high ? low : high;
    if (!(side < value)) continue;
    value = side;
    for (int b = 0; b < 3; ++b) gradient[b] = 0.0;
    gradient[a] = (low < high ? field->clip_slope : -field->clip_slope) * cell;
  }
  return value;
}

double mote_kernel_value_at(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                            const int32_t at[3], const float x[3], double gradient[3]) {
  MOTE_ASSERT(cell > 0.0);
  MOTE_ASSERT(list->kernel != NULL || list->count == 0);
  double slope[3] = {0.0, 0.0, 0.0};
  double value =
      field->bump == MOTE_BUMP_MEAN ? mean_at(field, list, cell, x, slope) : sum_at(field, list, x, slope);
  value = clipped(field, cell, at, x, value, slope);
  for (int a = 0; gradient != NULL && a < 3; ++a) gradient[a] = slope[a] / cell;
  return value;
}

// --- Four points ------------------------------------------------------------------------------------------

// Whether the kernel's box meets the one around `middle`.
static inline bool meets(const mote_local_kernel *k, const float middle[3], const float half[3]) {
  for (int a = 0; a < 3; ++a) {
    if (fabsf(k->centre[a] - middle[a]) > k->half[a] + half[a]) return false;
  }
  return true;
}

// P and dP/d(q^2).
static inline mote_lane bump_lanes(mote_bump bump, mote_lane q2, mote_lane *slope) {
  const mote_lane zero = mote_lane_splat(0.0f);
  if (bump == MOTE_BUMP_SMOOTH) {
    mote_lane t = mote_lane_max(1.0f - q2, zero), cube = t * t * t;
    *slope = -4.0f * cube;
    return t * cube;
  }
  mote_lane q = mote_lane_sqrt(mote_lane_max(q2, zero)), t = mote_lane_max(1.0f - q, zero);
  *slope = mote_lane_choose(q > 0.0f, -1.5f * t * t / q, zero);
  return t * t * t;
}

// As sum_at, the gradient in cells and of the sum alone.
static mote_lane sum_lanes(const mote_kernel_field *field, const mote_kernel_list *list, const mote_lane x[3],
                           mote_lane gradient[3]) {
  float middle[3], half[3];
  for (int a = 0; a < 3; ++a) {
    float low = fminf(fminf(x[a][0], x[a][1]), fminf(x[a][2], x[a][3]));
    float high = fmaxf(fmaxf(x[a][0], x[a][1]), fmaxf(x[a][2], x[a][3]));
    middle[a] = 0.5f * (low + high), half[a] = 0.5f * (high - low);
  }
  mote_lane sum = mote_lane_splat(0.0f);
  for (size_t n = 0; n < list->count; ++n) {
    const mote_local_kernel *k = &list->kernel[n];
    if (!meets(k, middle, half)) continue;
    const float *f = k->form;
    mote_lane dx = x[0] - k->centre[0], dy = x[1] - k->centre[1], dz = x[2] - k->centre[2];
    mote_lane sx = 2.0f * f[0] * dx + f[1] * dy + f[2] * dz, sy = f[1] * dx + 2.0f * f[3] * dy + f[4] * dz,
              sz = f[2] * dx + f[4] * dy + 2.0f * f[5] * dz;
    mote_lane slope, value = bump_lanes(field->bump, 0.5f * (sx * dx + sy * dy + sz * dz), &slope);
    sum += k->weight * value;
    slope *= k->weight;
    gradient[0] += slope * sx, gradient[1] += slope * sy, gradient[2] += slope * sz;
  }
  return sum;
}

void mote_kernel_values_at(const mote_kernel_field *field, const mote_kernel_list *list, double cell,
                           const int32_t at[3], const float (*x)[3], size_t count, double *value,
                           double (*gradient)[3]) {
  MOTE_ASSERT(cell > 0.0 && count <= 4);
  MOTE_ASSERT(list->kernel != NULL || list->count == 0);
  if (field->bump == MOTE_BUMP_MEAN) {
    for (size_t n = 0; n < count; ++n) {
      double own = mote_kernel_value_at(field, list, cell, at, x[n], gradient[n]);
      if (value != NULL) value[n] = own;
    }
    return;
  }
  mote_lane place[3], slope[3] = {mote_lane_splat(0.0f), mote_lane_splat(0.0f), mote_lane_splat(0.0f)};
  for (int a = 0; a < 3; ++a) {
    for (size_t n = 0; n < MOTE_LANES; ++n) place[a][n] = x[n < count ? n : count - 1][a];
  }
  mote_lane sum = sum_lanes(field, list, place, slope);
  for (size_t n = 0; n < count; ++n) {
    double s = (double)sum[n], measure = mote_sum_measure(s), scale = s > 0.0 ? 0.25 * measure / s : 0.0;
    for (int a = 0; a < 3; ++a) gradient[n][a] = (double)slope[a][n] * scale;
    double own = clipped(field, cell, at, x[n], measure - mote_sum_measure(field->isovalue), gradient[n]);
    if (value != NULL) value[n] = own;
    for (int a = 0; a < 3; ++a) gradient[n][a] /= cell;
  }
}
