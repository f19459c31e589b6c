// Newton's method on the augmented Lagrangian of an island's impulses (Alart & Curnier 1991): see
// contact_newton.h. The matrix has a block of 6 unknowns a body and a Cholesky factor within its envelope.
#include "contact/contact_newton.h"

#include <string.h>

#include "contact/contact_envelope.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define NEWTON_MAX 8
#define LIMITS_MAX 4   // steps in which limits of friction follow normal impulses
#define HALVES_MAX 8   // of a step
#define UPDATES_MAX 6  // of the impulses about which it is linearised

// --- Rows ---------------------------------------------------------------------------------------------

// B with B B^T = inverse inertia; columns that would divide by 0 (rotations that cannot be) are 0.
static void find_root(const mote_mover_mass *of, double out[7]) {
  const double *I = of->inverse_inertia;
  double least = 1e-14 * (I[0] + I[3] + I[5]);
  out[0] = sqrt(of->inverse_mass);
  out[1] = I[0] > least ? sqrt(I[0]) : 0.0;
  out[2] = out[1] > 0.0 ? I[1] / out[1] : 0.0, out[3] = out[1] > 0.0 ? I[2] / out[1] : 0.0;
  double yy = I[3] - out[2] * out[2], yz = I[4] - out[2] * out[3];
  out[4] = yy > least ? sqrt(yy) : 0.0;
  out[5] = out[4] > 0.0 ? yz / out[4] : 0.0;
  double zz = I[5] - out[3] * out[3] - out[5] * out[5];
  out[6] = zz > least ? sqrt(zz) : 0.0;
}

// The row of the Jacobian for an impulse along e at `arm`.
static void find_jacobian(const double root[7], double sign, const double arm[3], const double e[3],
                          double J[6]) {
  double m[3];
  cross3(arm, e, m);
  for (int k = 0; k < 3; ++k) J[k] = sign * root[0] * e[k];
  J[3] = sign * (root[1] * m[0] + root[2] * m[1] + root[3] * m[2]);
  J[4] = sign * (root[4] * m[1] + root[5] * m[2]);
  J[5] = sign * root[6] * m[2];
}

static void velocity_at(const mote_newton *w, uint32_t obstacle, const double arm[3], double out[3]) {
  bool body = obstacle < w->s->scene->bodies;
  const double *v = body ? w->def->start + 6 * obstacle : w->s->mover[obstacle].v;
  const double *spin = body ? w->def->start + 6 * obstacle + 3 : w->s->mover[obstacle].w;
  cross3(spin, arm, out);
  step3(out, 1.0, v, out);
}

static void make_row(const mote_newton *w, size_t number, mote_newton_row *out) {
  const mote_contact_row *r = w->s->row + number;
  const uint32_t obstacle[2] = {r->a, r->b};
  const double *arm[2] = {r->ra, r->rb}, *e[3] = {r->n, NULL, NULL};
  double va[3], vb[3];
  *out = (mote_newton_row){.number = number};
  if (w->def->with_friction) {
    const mote_contact_tangent *t = mote_contact_tangent_of(w->s, number);
    out->friction = t->friction;
    for (int k = 0; k < 2; ++k) e[k + 1] = t->t[k];
  }
  velocity_at(w, r->a, r->ra, va);
  velocity_at(w, r->b, r->rb, vb);
  sub3(va, vb, va);
  for (int side = 0; side < 2; ++side) {
    out->at[side] = w->island.place[obstacle[side]];
    for (int k = 0; k < 3 && out->at[side] != UINT32_MAX && e[k] != NULL; ++k)
      find_jacobian(w->root[out->at[side]], side == 0 ? 1.0 : -1.0, arm[side], e[k], out->J[k][side]);
  }
  for (int k = 0; k < 3 && e[k] != NULL; ++k) {
    double whole = 0.0;
    out->start[k] = dot3(va, e[k]);
    for (int side = 0; side < 2; ++side) {
      const double *J = out->J[k][side];
      whole += dot3(J, J) + dot3(J + 3, J + 3);
    }
    out->compliance[k] = whole;
    out->softness[k] = ROW_SOFTNESS * max2(w->heaviest, SOFTNESS_LEAST * whole);
    if (!(whole > 0.0)) out->softness[k] = 0.0;
  }
  // One for both tangents: friction is a disc.
  if (out->softness[1] > 0.0 && out->softness[2] > 0.0)
    out->softness[1] = out->softness[2] = min2(out->softness[1], out->softness[2]);
}

mote_result mote_newton_make_rows(mote_newton *w, mote_arena *scratch, mote_error *error) {
  w->rows = 0;
  for (size_t g = 0; g < w->island.groups; ++g) w->rows += w->s->group[w->island.group[g]].count;
  size_t n = w->island.bodies, rows = 0;
  MOTE_TAKE(w->root, scratch, n, error);
  MOTE_TAKE(w->row, scratch, w->rows, error);
  MOTE_TAKE(w->matrix, scratch, w->island.entries, error);
  MOTE_TAKE(w->rhs, scratch, 6 * n, error);
  MOTE_TAKE(w->y, scratch, 6 * n, error);
  MOTE_TAKE(w->last, scratch, 6 * n, error);
  w->heaviest = HUGE_VAL;
  for (size_t k = 0; k < n; ++k) {
    const mote_mover_mass *of = w->s->mass + w->island.body[k];
    find_root(of, w->root[k]);
    if (of->inverse_mass > 0.0) w->heaviest = min2(w->heaviest, of->inverse_mass);
  }
  for (size_t g = 0; g < w->island.groups; ++g) {
    mote_contact_group of = w->s->group[w->island.group[g]];
    for (size_t k = 0; k < of.count; ++k) make_row(w, of.first + k, &w->row[rows++]);
  }
  return MOTE_OK;
}

// --- Matrix -------------------------------------------------------------------------------------------

// Adds factor p q^T, of the bodies a and b, to the lower triangle.
static void add_block(const mote_newton *w, uint32_t a, uint32_t b, double factor, const double p[6],
                      const double q[6]) {
  if (a == UINT32_MAX || b == UINT32_MAX || a < b) return;
  for (int i = 0; i < 6; ++i) {
    double *line = w->matrix + w->island.line[6 * a + i] - w->island.low[a] * 6;
    int end = a == b ? i + 1 : 6;
    for (int j = 0; j < end; ++j) line[6 * b + j] += factor * p[i] * q[j];
  }
}

// Adds factor k l^T, of directions k and l of a row.
static void add_term(const mote_newton *w, const mote_newton_row *r, int k, int l, double factor) {
  for (int side = 0; side < 2; ++side) {
    for (int other = 0; other < 2; ++other)
      add_block(w, r->at[side], r->at[other], factor, r->J[k][side], r->J[l][other]);
  }
}

static void add_force(const mote_newton *w, const mote_newton_row *r, int k, double force) {
  for (int side = 0; side < 2; ++side) {
    if (r->at[side] == UINT32_MAX) continue;
    for (int i = 0; i < 6; ++i) w->rhs[6 * r->at[side] + i] += force * r->J[k][side][i];
  }
}

static double linear_friction(const mote_newton_row *r, const double x[2], int k) {
  double part = r->along[0] * x[0] + r->along[1] * x[1];
  return r->most * r->along[k] + r->factor * (x[k] - r->along[k] * part);
}

// Friction linearised about its trial impulses: when sliding, only perpendicular to them. Its limit applies
// with or without a normal impulse, so that with prescribed limits it is the gradient of the merit function.
static void add_friction(const mote_newton *w, mote_newton_row *r) {
  double size = sqrt(r->x[1] * r->x[1] + r->x[2] * r->x[2]);
  bool slides = size > r->limit;
  r->most = slides ? r->limit : 0.0;
  r->factor = slides ? r->most / size : r->limit > 0.0 ? 1.0 : 0.0;
  if (!(r->limit > 0.0)) return;
  for (int k = 0; k < 2; ++k) r->along[k] = slides ? r->x[k + 1] / size : 0.0;
  for (int k = 0; k < 2; ++k) {
    if (!(r->softness[k + 1] > 0.0)) continue;
    for (int l = 0; l < 2; ++l) {
      if (!(r->softness[l + 1] > 0.0)) continue;
      add_term(w, r, k + 1, l + 1, r->factor * ((k == l) - r->along[k] * r->along[l]) / r->softness[l + 1]);
    }
  }
}

// The matrix of Newton's method, at the trial impulses.
static void assemble(const mote_newton *w) {
  size_t n = 6 * w->island.bodies;
  memset(w->matrix, 0, w->island.entries * sizeof *w->matrix);
  for (size_t i = 0; i < n; ++i) w->matrix[w->island.line[i] + i - w->island.low[i / 6] * 6] = 1.0;
  for (size_t k = 0; k < w->rows; ++k) {
    mote_newton_row *r = w->row + k;
    if (!(r->softness[0] > 0.0)) continue;
    if (r->pressed) add_term(w, r, 0, 0, 1.0 / r->softness[0]);
    add_friction(w, r);
  }
}

// Solves for the y that balances the linearised impulses. The unknown is the difference, so that a second
// solve removes the rounding error of the first (the regularised matrix is ill-conditioned).
static void go(const mote_newton *w) {
  size_t n = 6 * w->island.bodies;
  for (size_t i = 0; i < n; ++i) w->rhs[i] = -w->y[i];
  for (size_t k = 0; k < w->rows; ++k) {
    const mote_newton_row *r = w->row + k;
    if (r->pressed) add_force(w, r, 0, r->x[0]);
    for (int l = 0; l < 2 && r->factor > 0.0; ++l) add_force(w, r, l + 1, linear_friction(r, r->x + 1, l));
  }
  mote_envelope_solve(&w->island, w->matrix, w->rhs);
  for (size_t i = 0; i < n; ++i) w->y[i] += w->rhs[i];
}

// --- Newton -------------------------------------------------------------------------------------------

static double speed_of(const mote_newton *w, const mote_newton_row *r, int k) {
  double speed = r->start[k];
  for (int side = 0; side < 2; ++side) {
    if (r->at[side] == UINT32_MAX) continue;
    const double *J = r->J[k][side], *y = w->y + 6 * r->at[side];
    speed += dot3(J, y) + dot3(J + 3, y + 3);
  }
  return speed;
}

// Trial impulses at the velocities y.
static void find_trial(const mote_newton *w, const mote_newton_row *r, double x[3]) {
  x[0] = r->about[0] + (w->s->row[r->number].bound - speed_of(w, r, 0)) / r->softness[0];
  for (int k = 1; k < 3; ++k) {
    bool acts = w->def->with_friction && r->softness[k] > 0.0;
    x[k] = acts ? r->about[k] - speed_of(w, r, k) / r->softness[k] : 0.0;
  }
}

// Merit function: convex in y; its minimum gives the impulses for prescribed limits of friction.
static double merit(const mote_newton *w) {
  double sum = 0.0;
  for (size_t i = 0; i < 6 * w->island.bodies; ++i) sum += 0.5 * w->y[i] * w->y[i];
  for (size_t n = 0; n < w->rows; ++n) {
    const mote_newton_row *r = w->row + n;
    double x[3];
    if (!(r->softness[0] > 0.0)) continue;
    find_trial(w, r, x);
    double size = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (x[0] > 0.0) sum += 0.5 * r->softness[0] * x[0] * x[0];
    sum += max2(r->softness[1], r->softness[2]) *
           (size > r->limit ? r->limit * (size - 0.5 * r->limit) : 0.5 * size * size);
  }
  return sum;
}

// Line search: halves the step while the merit is above `before`; returns whether it did.
static bool shorten(const mote_newton *w, double before) {
  int n = 0;
  for (; n < HALVES_MAX && merit(w) > before; ++n) {
    for (size_t i = 0; i < 6 * w->island.bodies; ++i) w->y[i] = 0.5 * (w->y[i] + w->last[i]);
  }
  return n > 0;
}

// Impulses at the velocities y, and their contact states. Returns the largest change of a contact's velocity
// caused by their difference from the linearised impulses.
static double project(const mote_newton *w, bool limits) {
  double most_wrong = 0.0;
  for (size_t n = 0; n < w->rows; ++n) {
    mote_newton_row *r = w->row + n;
    if (!(r->softness[0] > 0.0)) continue;
    find_trial(w, r, r->x);
    r->impulse[0] = max2(0.0, r->x[0]);
    double linear = r->pressed ? r->x[0] : 0.0;
    most_wrong = max2(most_wrong, fabs(r->impulse[0] - linear) * r->compliance[0]);
    r->pressed = r->x[0] > 0.0;
    if (limits) r->limit = r->friction * r->impulse[0];
    double size = sqrt(r->x[1] * r->x[1] + r->x[2] * r->x[2]);
    for (int k = 1; k < 3; ++k) {
      r->impulse[k] = size > r->limit ? r->x[k] * r->limit / size : r->x[k];
      linear = linear_friction(r, r->x + 1, k - 1);
      most_wrong = max2(most_wrong, fabs(r->impulse[k] - linear) * r->compliance[k]);
    }
  }
  return most_wrong;
}

// Takes the impulses as the new point of linearisation; returns the largest remaining change of a contact's
// velocity.
static double update(const mote_newton *w, bool follow) {
  double moved = 0.0;
  for (size_t n = 0; n < w->rows; ++n) {
    mote_newton_row *r = w->row + n;
    for (int k = 0; k < 3; ++k) {
      moved = max2(moved, fabs(r->impulse[k] - r->about[k]) * r->softness[k]);
      r->about[k] = r->impulse[k];
    }
    if (!follow) {
      double limit = r->friction * r->impulse[0];
      moved = max2(moved, fabs(limit - r->limit) * r->compliance[1]);
      r->limit = limit;
    }
    if (r->softness[0] > 0.0) find_trial(w, r, r->x);
  }
  return moved;
}

// Newton's method from given impulses; whether it has converged. The limits of friction follow the normal
// impulses in the first iterations only: with fixed limits it converges to a minimum.
static bool settle(const mote_newton *w, bool follow) {
  double wrong = HUGE_VAL;
  for (int k = 0; k < NEWTON_MAX && wrong > NEWTON_TOLERANCE * w->need; ++k) {
    bool limits = follow && k < LIMITS_MAX;
    double before = k > 0 ? merit(w) : HUGE_VAL;
    memcpy(w->last, w->y, 6 * w->island.bodies * sizeof *w->y);
    assemble(w);
    if (!mote_envelope_factorise(&w->island, w->matrix)) return false;
    go(w);
    bool part = !limits && shorten(w, before);
    wrong = project(w, limits);
    if (part) wrong = HUGE_VAL;
  }
  go(w);
  (void)project(w, false);
  return wrong <= NEWTON_TOLERANCE * w->need;
}

bool mote_newton_solve(const mote_newton *w, bool follow) {
  memset(w->y, 0, 6 * w->island.bodies * sizeof *w->y);
  for (size_t n = 0; n < w->rows; ++n) {
    mote_newton_row *r = w->row + n;
    r->pressed = mote_contact_row_is_closed(w->s, r->number);
    r->limit = follow && r->pressed && r->friction > 0.0 ? HUGE_VAL : 0.0;  // it sticks at first
    set3(0.0, 0.0, 0.0, r->about);
    set3(0.0, 0.0, 0.0, r->impulse);
    if (r->softness[0] > 0.0) find_trial(w, r, r->x);
    r->pressed = r->pressed && r->softness[0] > 0.0;
  }
  for (int updates = 0; updates < UPDATES_MAX; ++updates) {
    if (!settle(w, follow)) {
      for (size_t n = 0; n < w->rows; ++n) copy3(w->row[n].about, w->row[n].impulse);
      return updates > 0;
    }
    if (update(w, follow) < NEWTON_TOLERANCE * w->need) break;
  }
  return true;
}
