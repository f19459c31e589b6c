// The moving frame of reference and the shape functions in time: see deform_motion.h and
// docs/theory/deformation.md, "Motion".
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "deform/deform_motion.h"
#include "deform/tuning.inc"
#include "geom/triple.h"

#define PATH_NUMBERS 6  // rotation vector, centre
#define LEAST_FIT 6     // nodes that a rigid motion is fitted to

// --- Rotations --------------------------------------------------------------------------------------------

// The rotation vector of a rotation matrix, of length at most pi.
static void rotation_vector(const double m[9], double out[3]) {
  double trace = m[0] + m[4] + m[8], v[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  double sine = 0.5 * length3(v), cosine = 0.5 * (trace - 1.0), angle = mote_atan2(sine, cosine);
  if (sine > 1e-6) {
    for (int k = 0; k < 3; ++k) out[k] = 0.5 * angle / sine * v[k];
    return;
  }
  if (cosine > 0.0) {
    for (int k = 0; k < 3; ++k) out[k] = 0.5 * v[k];
    return;
  }
  // Half a turn: the axis from the largest column of m + 1.
  int c = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
  double axis[3] = {m[c], m[3 + c], m[6 + c]};
  axis[c] += 1.0;
  double length = length3(axis);
  for (int k = 0; k < 3; ++k) out[k] = angle * axis[k] / length;
}

// The same rotation with the vector nearest to `before`.
static void unwrap(const double before[3], double v[3]) {
  double length = length3(v), best = HUGE_VAL, from[3] = {v[0], v[1], v[2]};
  if (length < 1e-9) return;
  for (int turns = -2; turns <= 2; ++turns) {
    double w[3], scale = (length + 2.0 * MOTE_PI * turns) / length;
    set3(scale * from[0], scale * from[1], scale * from[2], w);
    double d = distance3(w, before);
    if (d < best) best = d, copy3(w, v);
  }
}

// The matrix of p and q: that of the rotation q where p = q (w^2 - v v + ...), linear in each.
static void product_matrix(const double p[4], const double q[4], double m[9]) {
  double same = p[0] * q[0] - dot3(p + 1, q + 1), c[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      m[3 * i + j] = p[1 + i] * q[1 + j] + q[1 + i] * p[1 + j] + (i == j ? same : 0.0);
    c[i] = p[0] * q[1 + i] + q[0] * p[1 + i];
  }
  m[1] -= c[2], m[2] += c[1], m[3] += c[2], m[5] -= c[0], m[6] -= c[1], m[7] += c[0];
}

// The quaternion of a rotation vector that moves, and its derivatives. With s = v.v, a = cos(|v|/2) and
// b = sin(|v|/2)/|v|: a' = -b/4, b' = (a/2 - b)/(2 s), b'' = -(b/8 + 3 b')/(2 s) by s.
static void quaternion_path(double v[3][3], double q[3][4]) {
  double s = dot3(v[0], v[0]), s1 = 2.0 * dot3(v[0], v[1]), s2 = 2.0 * (dot3(v[1], v[1]) + dot3(v[0], v[2]));
  double half = 0.5 * sqrt(s), a = mote_cos(half), b, b1, b2;
  if (s < SMALL_ANGLE2) {
    b = 0.5 - s / 48.0 + s * s / 3840.0, b1 = -1.0 / 48.0 + s / 1920.0 - s * s / 215040.0;
    b2 = 1.0 / 1920.0 - s / 107520.0;
  } else {
    b = 0.5 * mote_sin(half) / half, b1 = (0.5 * a - b) / (2.0 * s), b2 = -(0.125 * b + 3.0 * b1) / (2.0 * s);
  }
  q[0][0] = a, q[1][0] = -0.25 * b * s1, q[2][0] = -0.25 * (b1 * s1 * s1 + b * s2);
  for (int k = 0; k < 3; ++k) {
    q[0][1 + k] = b * v[0][k];
    q[1][1 + k] = b1 * s1 * v[0][k] + b * v[1][k];
    q[2][1 + k] = (b2 * s1 * s1 + b1 * s2) * v[0][k] + 2.0 * b1 * s1 * v[1][k] + b * v[2][k];
  }
}

// --- The path ---------------------------------------------------------------------------------------------

// Values and two derivatives of the splines; constant beyond the ends.
static void spline_at(const mote_motion_path *p, double t, double out[3][PATH_NUMBERS]) {
  memset(out, 0, 3 * PATH_NUMBERS * sizeof(double));
  if (p->count == 0) return;
  bool inside = p->count > 1 && t >= p->time[0] && t <= p->time[p->count - 1];
  if (!inside) {
    size_t end = p->count > 1 && t > p->time[0] ? p->count - 1 : 0;
    memcpy(out[0], p->value + PATH_NUMBERS * end, PATH_NUMBERS * sizeof(double));
    return;
  }
  size_t j = 0;
  while (j + 2 < p->count && t > p->time[j + 1]) ++j;
  double h = p->time[j + 1] - p->time[j], b = (t - p->time[j]) / h, a = 1.0 - b;
  for (int k = 0; k < PATH_NUMBERS; ++k) {
    double y0 = p->value[PATH_NUMBERS * j + (size_t)k], y1 = p->value[PATH_NUMBERS * (j + 1) + (size_t)k];
    double m0 = p->second[PATH_NUMBERS * j + (size_t)k], m1 = p->second[PATH_NUMBERS * (j + 1) + (size_t)k];
    out[0][k] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0;
    out[1][k] = (y1 - y0) / h + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0;
    out[2][k] = a * m0 + b * m1;
  }
}

void mote_moving_frame_at(const mote_motion_path *p, double t, mote_moving_frame *out) {
  double at[3][PATH_NUMBERS], v[3][3], q[3][4], m[9], n[9];
  spline_at(p, t, at);
  for (int order = 0; order < 3; ++order) {
    copy3(at[order], v[order]);
    copy3(at[order] + 3, out->move[order]);
  }
  quaternion_path(v, q);
  product_matrix(q[0], q[0], m);
  multiply3(p->first_rotation, m, out->rotation[0]);
  product_matrix(q[0], q[1], m);
  for (int k = 0; k < 9; ++k) m[k] *= 2.0;
  multiply3(p->first_rotation, m, out->rotation[1]);
  product_matrix(q[1], q[1], m), product_matrix(q[0], q[2], n);
  for (int k = 0; k < 9; ++k) m[k] = 2.0 * (m[k] + n[k]);
  multiply3(p->first_rotation, m, out->rotation[2]);
}

// Second derivatives of natural cubic splines.
static void solve_spline(mote_motion_path *p, double *work) {
  size_t n = p->count;
  memset(p->second, 0, PATH_NUMBERS * n * sizeof(double));
  for (size_t k = 0; k < PATH_NUMBERS && n > 2; ++k) {
    double *d = work, *r = work + n;
    for (size_t j = 1; j + 1 < n; ++j) {
      double h0 = p->time[j] - p->time[j - 1], h1 = p->time[j + 1] - p->time[j];
      const double *y = p->value + k;
      d[j] = (h0 + h1) / 3.0;
      r[j] = (y[PATH_NUMBERS * (j + 1)] - y[PATH_NUMBERS * j]) / h1 -
             (y[PATH_NUMBERS * j] - y[PATH_NUMBERS * (j - 1)]) / h0;
      if (j > 1) {
        double part = h0 / 6.0 / d[j - 1];
        d[j] -= part * h0 / 6.0, r[j] -= part * r[j - 1];
      }
    }
    for (size_t j = n - 2; j >= 1; --j) {
      double above =
          j + 2 < n ? (p->time[j + 1] - p->time[j]) / 6.0 * p->second[PATH_NUMBERS * (j + 1) + k] : 0.0;
      p->second[PATH_NUMBERS * j + k] = (r[j] - above) / d[j];
    }
  }
}

// The rigid motion that takes the rest positions of a key's nodes nearest to their positions; false where
// they are too few.
static bool fit_key(const mote_deform_motion *m, const mote_deform_key *key, double rotation[9],
                    double centre[3]) {
  const double *rest = m->def.deform->rest;
  double sum[9] = {0}, X0[3] = {0}, x0[3] = {0}, stretch[9], off[3], to[3];
  size_t count = 0;
  for (size_t i = 0; i < m->nodes; ++i) {
    if (key->held != NULL && !key->held[i]) continue;
    step3(X0, 1.0, rest + 3 * i, X0), step3(x0, 1.0, key->position + 3 * i, x0);
    ++count;
  }
  if (count < LEAST_FIT) return false;
  for (int k = 0; k < 3; ++k) X0[k] /= (double)count, x0[k] /= (double)count;
  for (size_t i = 0; i < m->nodes; ++i) {
    double X[3], x[3];
    if (key->held != NULL && !key->held[i]) continue;
    sub3(rest + 3 * i, X0, X), sub3(key->position + 3 * i, x0, x);
    for (int k = 0; k < 9; ++k) sum[k] += x[k / 3] * X[k % 3];
  }
  if (!mote_polar3(sum, rotation, stretch)) return false;
  sub3(X0, m->path.origin, off);
  turn3(rotation, off, to);
  sub3(x0, to, centre);
  return true;
}

mote_result mote_motion_path_make(mote_deform_motion *m, mote_error *error) {
  mote_motion_path *p = &m->path;
  size_t n = m->keys;
  MOTE_TAKE(p->time, &m->memory, n, error);
  MOTE_TAKE(p->value, &m->memory, PATH_NUMBERS * n, error);
  MOTE_TAKE(p->second, &m->memory, PATH_NUMBERS * n, error);
  MOTE_TAKE_NEW(double, work, &m->memory, 2 * n, error);
  for (int k = 0; k < 9; ++k) p->first_rotation[k] = k % 4 == 0 ? 1.0 : 0.0;
  set3(0.0, 0.0, 0.0, p->origin);
  for (size_t i = 0; i < m->nodes; ++i)
    step3(p->origin, 1.0 / (double)m->nodes, m->def.deform->rest + 3 * i, p->origin);
  for (size_t j = 0; j < n && m->def.moving_frame; ++j) {
    double rotation[9], relative[9], *v = p->value + PATH_NUMBERS * p->count;
    if (!fit_key(m, m->key + j, rotation, v + 3)) continue;
    if (p->count == 0) memcpy(p->first_rotation, rotation, sizeof rotation);
    for (int k = 0; k < 9; ++k) {
      const double *f = p->first_rotation;
      relative[k] = f[k / 3] * rotation[k % 3] + f[3 + k / 3] * rotation[3 + k % 3] +
                    f[6 + k / 3] * rotation[6 + k % 3];
    }
    rotation_vector(relative, v);
    if (p->count > 0) unwrap(v - PATH_NUMBERS, v);
    p->time[p->count++] = m->key[j].time;
  }
  if (p->count == 0) {  // at rest
    memset(p->value, 0, PATH_NUMBERS * sizeof(double));
    copy3(p->origin, p->value + 3);
    p->time[p->count++] = m->start;
  }
  solve_spline(p, work);
  return MOTE_OK;
}

// --- Shape functions in time: EG09 (80), quadratic basis -----------------------------------------------

void mote_motion_supports(const double *time, size_t count, double *support) {
  for (size_t j = 0; j < count; ++j) {
    size_t low = j >= 2 ? j - 2 : 0, high = j + 2 < count ? j + 2 : count - 1;
    support[j] = SUPPORT_REACH * max2(time[j] - time[low], time[high] - time[j]);
  }
}

static void short_row(const double *time, size_t count, double t, mote_motion_row *out) {
  *out = (mote_motion_row){.count = (int)count};
  out->value[0] = 1.0;
  if (count < 2) return;
  double length = time[1] - time[0];
  out->frame[1] = 1;
  out->value[1] = (t - time[0]) / length, out->value[0] = 1.0 - out->value[1];
  out->slope[1] = 1.0 / length, out->slope[0] = -1.0 / length;
}

// A frame in reach: weight (1 - q^2)^3 with two derivatives, and the basis.
typedef struct time_term {
  double w[3], p[3];
} time_term;

static void set_term(double time, double support, double unit, double t, time_term *e) {
  double q = (t - time) / support, left = 1.0 - q * q, y = (time - t) / unit;
  e->w[0] = left * left * left;
  e->w[1] = -6.0 * q * left * left / support;
  e->w[2] = (-6.0 * left * left + 24.0 * q * q * left) / (support * support);
  e->p[0] = 1.0, e->p[1] = y, e->p[2] = y * y;
}

void mote_motion_row_at(const double *time, const double *support, size_t count, double t,
                        mote_motion_row *out) {
  if (count < 3) {
    short_row(time, count, t, out);
    return;
  }
  time_term e[MOTE_MOTION_REACH];
  double moment[9] = {0}, c[3][3] = {{1.0, 0.0, 0.0}}, unit = 0.0;
  out->count = 0;
  for (size_t j = 0; j < count && out->count < MOTE_MOTION_REACH; ++j) {
    if (!(fabs(t - time[j]) < support[j])) continue;
    if (unit == 0.0) unit = support[j];
    set_term(time[j], support[j], unit, t, e + out->count);
    out->frame[out->count++] = (uint32_t)j;
  }
  for (int k = 0; k < out->count; ++k)
    for (int i = 0; i < 9; ++i) moment[i] += e[k].w[0] * e[k].p[i / 3] * e[k].p[i % 3];
  c[1][1] = 1.0 / unit, c[2][2] = 2.0 / (unit * unit);
  double *const to[3] = {out->value, out->slope, out->bend};
  double s[3][MOTE_MOTION_REACH];
  for (int order = 0; order < 3; ++order) {
    // M c = derivative of p - sum of the weights' derivatives
    for (int k = 0; k < out->count; ++k) {
      double part = order == 0   ? 0.0
                    : order == 1 ? e[k].w[1] * s[0][k]
                                 : e[k].w[2] * s[0][k] + 2.0 * e[k].w[1] * s[1][k];
      to[order][k] = part;
      for (int i = 0; i < 3; ++i) c[order][i] -= part * e[k].p[i];
    }
    if (!mote_dense_solve_spd(3, moment, 1, c[order], c[order])) memset(c[order], 0, sizeof c[order]);
    for (int k = 0; k < out->count; ++k) {
      s[order][k] = dot3(c[order], e[k].p);
      to[order][k] += e[k].w[0] * s[order][k];
    }
  }
}
