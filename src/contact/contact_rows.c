// The solve of one contact: see contact_rows.h. Projected Gauss-Seidel (Moreau 1988, Jean 1999): the normal
// impulse that satisfies the normal condition, then friction at the changed velocity; both are applied at
// once.
#include "contact/contact_rows.h"

#include "contact/contact_arrival.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

typedef mote_mover mover;
typedef mote_mover_mass mass;
typedef mote_contact_row row;
typedef mote_contact_tangent tangent;
typedef mote_contact_rows solve;

// --- Velocities ---------------------------------------------------------------------------------------

static void multiply_symmetric(const double m[6], const double a[3], double out[3]) {
  double x = m[0] * a[0] + m[1] * a[1] + m[2] * a[2], y = m[1] * a[0] + m[3] * a[1] + m[4] * a[2];
  double z = m[2] * a[0] + m[4] * a[1] + m[5] * a[2];
  set3(x, y, z, out);
}

// Relative velocity at the contact.
static inline void relative_velocity(const mover *a, const mover *b, const row *r, double out[3]) {
  double at_a[3], at_b[3];
  cross3(a->w, r->ra, at_a);
  cross3(b->w, r->rb, at_b);
  for (int k = 0; k < 3; ++k) out[k] = (a->v[k] - b->v[k]) + (at_a[k] - at_b[k]);
}

static inline void apply_impulse(const mass *of, double sign, const double arm[3], const double impulse[3],
                                 mover *m) {
  double moment[3], change[3];
  step3(m->v, sign * of->inverse_mass, impulse, m->v);
  cross3(arm, impulse, moment);
  multiply_symmetric(of->inverse_inertia, moment, change);
  step3(m->w, sign, change, m->w);
}

// Obstacles are not written: other threads may read them at the same time.
static inline void store_mover(const solve *s, uint32_t k, const mover *m) {
  if (s->mass[k].moves) s->mover[k] = *m;
}

// Change of the relative velocity by a unit impulse along e.
static void velocity_change(const solve *s, const row *r, const double e[3], double out[3]) {
  const mass *a = s->mass + r->a, *b = s->mass + r->b;
  double moment[3], spin[3], at_a[3], at_b[3], inverse = a->inverse_mass + b->inverse_mass;
  cross3(r->ra, e, moment);
  multiply_symmetric(a->inverse_inertia, moment, spin);
  cross3(spin, r->ra, at_a);
  cross3(r->rb, e, moment);
  multiply_symmetric(b->inverse_inertia, moment, spin);
  cross3(spin, r->rb, at_b);
  for (int k = 0; k < 3; ++k) out[k] = inverse * e[k] + (at_a[k] + at_b[k]);
}

void mote_contact_load_mover(const solve *s, size_t k) {
  MOTE_ASSERT(k < s->scene->obstacles);
  const mote_obstacle *from = s->scene->obstacle + k;
  const double *I = from->inverse_inertia;
  mover *m = s->mover + k;
  mass *of = s->mass + k;
  bool body = k < s->scene->bodies;
  copy3(body ? s->start + 6 * k : from->v, m->v);
  copy3(body ? s->start + 6 * k + 3 : from->w, m->w);
  of->inverse_mass = from->inverse_mass;
  set3(I[0], I[1], I[2], of->inverse_inertia);
  set3(I[4], I[5], I[8], of->inverse_inertia + 3);
  of->moves = of->inverse_mass > 0.0 || I[0] + I[4] + I[8] > 0.0;
}

// --- Making -------------------------------------------------------------------------------------------

static void set_tangents(const double n[3], double t[2][3]) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(n[k]) < fabs(n[least]) ? k : least;
  double e[3] = {least == 0, least == 1, least == 2};
  cross3(n, e, t[0]);
  double length = length3(t[0]);
  for (int k = 0; k < 3; ++k) t[0][k] /= length;
  cross3(n, t[0], t[1]);
}

// Tangential impulse per change of w_t. Directions that no impulse can change get 0 (in 2D normal to the
// plane, on a hinge along its axis).
static void set_tangent_mass(tangent *t, const double K[3]) {
  double trace = K[0] + K[2], determinant = K[0] * K[2] - K[1] * K[1];
  if (determinant > 1e-12 * trace * trace) {
    t->tangent_mass[0] = K[2] / determinant, t->tangent_mass[1] = -K[1] / determinant,
    t->tangent_mass[2] = K[0] / determinant;
  } else {
    for (int k = 0; k < 3; k += 2) t->tangent_mass[k] = K[k] > 1e-12 * trace ? 1.0 / K[k] : 0.0;
  }
}

tangent *mote_contact_tangent_of(const solve *s, size_t number) {
  tangent *t = s->tangent + number;
  if (s->has_tangent[number]) return t;
  const row *r = s->row + number;
  const mote_obstacle *a = s->scene->obstacle + r->a, *b = s->scene->obstacle + r->b;
  double by[2][3];
  *t = (tangent){.friction = isnan(b->friction) ? a->friction : sqrt(a->friction * b->friction)};
  set_tangents(r->n, t->t);
  for (int k = 0; k < 2; ++k) {
    velocity_change(s, r, t->t[k], by[k]);
    t->coupling[k] = dot3(by[k], r->n);
  }
  const double K[3] = {dot3(by[0], t->t[0]), dot3(by[0], t->t[1]), dot3(by[1], t->t[1])};
  double mean = 0.5 * (K[0] + K[2]), half = 0.5 * (K[0] - K[2]);
  t->compliance_max = mean + sqrt(half * half + K[1] * K[1]);
  t->inverse_compliance_max = t->compliance_max > 0.0 ? 1.0 / t->compliance_max : 0.0;
  set_tangent_mass(t, K);
  s->has_tangent[number] = 1;
  return t;
}

// Warm start: the impulses of the last step, projected on the new normal and tangent plane.
static void recall(const solve *s, size_t number, const mote_contact *c) {
  row *r = s->row + number;
  if (r->mass == 0.0 || !(c->normal_impulse > 0.0)) return;
  tangent *t = mote_contact_tangent_of(s, number);
  double sign = c->a > c->b ? -1.0 : 1.0;
  r->normal_impulse = c->normal_impulse;
  for (int k = 0; k < 2; ++k) t->friction_impulse[k] = sign * dot3(c->friction_impulse, t->t[k]);
  double size = sqrt(t->friction_impulse[0] * t->friction_impulse[0] +
                     t->friction_impulse[1] * t->friction_impulse[1]),
         most = t->friction * r->normal_impulse;
  for (int k = 0; k < 2 && size > most; ++k) t->friction_impulse[k] *= most / size;
}

double mote_contact_surface_speed(const solve *s, size_t number, const mote_contact *c) {
  const mote_obstacle *b = s->scene->obstacle + c->b;
  double at[3], v[3];
  if (b->deforming == NULL) return 0.0;
  sub3(c->point, c->image, at);
  mote_obstacle_velocity(b, 0.0, at, v);
  return dot3(v, s->row[number].n);
}

double mote_contact_make_row(const solve *s, size_t number, const mote_contact *c) {
  MOTE_ASSERT(number < s->rows);
  MOTE_ASSERT(c->a < s->scene->obstacles && c->b < s->scene->obstacles && c->a != c->b);
  bool turned = c->a > c->b;
  row *r = s->row + number;
  double by[3], w[3];
  *r = (row){.a = turned ? c->b : c->a, .b = turned ? c->a : c->b};
  const mover *a = s->mover + r->a, *b = s->mover + r->b;
  s->has_tangent[number] = 0;
  mote_contact_arms(s->scene, c, turned ? r->rb : r->ra, turned ? r->ra : r->rb);
  for (int k = 0; k < 3; ++k) r->n[k] = turned ? -c->normal[k] : c->normal[k];
  velocity_change(s, r, r->n, by);
  r->compliance = dot3(by, r->n);
  r->mass = r->compliance > 0.0 ? 1.0 / r->compliance : 0.0;
  relative_velocity(a, b, r, w);
  double approach = dot3(w, r->n), surface = mote_contact_surface_speed(s, number, c);
  r->bound = mote_contact_bound(s, number, c, approach - surface) + surface;
  recall(s, number, c);
  return r->bound - approach;
}

void mote_contact_begin_row(const solve *s, size_t number, bool with_friction) {
  MOTE_ASSERT(number < s->rows);
  const row *r = s->row + number;
  if (!(r->normal_impulse > 0.0)) return;
  const tangent *t = s->tangent + number;
  double impulse[3];
  for (int k = 0; k < 3; ++k) {
    double friction = t->friction_impulse[0] * t->t[0][k] + t->friction_impulse[1] * t->t[1][k];
    impulse[k] = r->normal_impulse * r->n[k] + (with_friction ? friction : 0.0);
  }
  mover a = s->mover[r->a], b = s->mover[r->b];
  apply_impulse(s->mass + r->a, 1.0, r->ra, impulse, &a);
  apply_impulse(s->mass + r->b, -1.0, r->rb, impulse, &b);
  store_mover(s, r->a, &a);
  store_mover(s, r->b, &b);
}

void mote_contact_keep_row(const solve *s, size_t number, mote_contact *c) {
  MOTE_ASSERT(number < s->rows);
  const tangent *t = s->tangent + number;
  double sign = c->a > c->b ? -1.0 : 1.0;
  c->normal_impulse = s->row[number].normal_impulse;
  set3(0.0, 0.0, 0.0, c->friction_impulse);
  if (!s->has_tangent[number]) return;
  for (int k = 0; k < 3; ++k)
    c->friction_impulse[k] =
        sign * (t->friction_impulse[0] * t->t[0][k] + t->friction_impulse[1] * t->t[1][k]);
}

void mote_contact_set_impulse(const solve *s, size_t number, const double impulse[3], bool with_friction) {
  MOTE_ASSERT(number < s->rows);
  s->row[number].normal_impulse = impulse[0];
  if (!with_friction || !s->has_tangent[number]) return;
  for (int k = 0; k < 2; ++k) s->tangent[number].friction_impulse[k] = impulse[k + 1];
}

void mote_contact_row_velocity(const solve *s, size_t number, double out[3]) {
  MOTE_ASSERT(number < s->rows);
  const row *r = s->row + number;
  relative_velocity(s->mover + r->a, s->mover + r->b, r, out);
}

void mote_contact_pair_velocity(const solve *s, size_t number, const mover *a, const mover *b,
                                double out[3]) {
  MOTE_ASSERT(number < s->rows);
  relative_velocity(a, b, s->row + number, out);
}

void mote_contact_apply(const solve *s, size_t number, const double impulse[3], mover *a, mover *b) {
  MOTE_ASSERT(number < s->rows);
  const row *r = s->row + number;
  apply_impulse(s->mass + r->a, 1.0, r->ra, impulse, a);
  apply_impulse(s->mass + r->b, -1.0, r->rb, impulse, b);
}

// --- Solving ------------------------------------------------------------------------------------------

// Friction at relative velocity w, corrected for the effect of `normal_change` on it; adds its change to
// `impulse`. It sticks where the normal impulse allows that. Otherwise it slips: d = cut(d - u / k) with any
// scalar k has its fixed point where d opposes u, d = cut(d - K^-1 u) does not; k the largest eigenvalue of K
// is stable. Returns the larger of `change` and its own velocity change.
static inline double solve_friction(tangent *t, double normal_impulse, double normal_change,
                                    const double w[3], double change, double impulse[3]) {
  double most = t->friction * normal_impulse;
  if (most == 0.0 && t->friction_impulse[0] == 0.0 && t->friction_impulse[1] == 0.0) return change;
  double u0 = dot3(w, t->t[0]) + t->coupling[0] * normal_change,
         u1 = dot3(w, t->t[1]) + t->coupling[1] * normal_change;
  double d0 = t->friction_impulse[0] - (t->tangent_mass[0] * u0 + t->tangent_mass[1] * u1);
  double d1 = t->friction_impulse[1] - (t->tangent_mass[1] * u0 + t->tangent_mass[2] * u1);
  if (d0 * d0 + d1 * d1 > most * most) {
    d0 = t->friction_impulse[0] - u0 * t->inverse_compliance_max,
    d1 = t->friction_impulse[1] - u1 * t->inverse_compliance_max;
    double size = sqrt(d0 * d0 + d1 * d1);
    if (size > most) d0 *= most / size, d1 *= most / size;
  }
  double change0 = d0 - t->friction_impulse[0], change1 = d1 - t->friction_impulse[1];
  t->friction_impulse[0] = d0, t->friction_impulse[1] = d1;
  step3(impulse, change0, t->t[0], impulse);
  step3(impulse, change1, t->t[1], impulse);
  change = max2(change, fabs(change0) * t->compliance_max);
  return max2(change, fabs(change1) * t->compliance_max);
}

// The missing normal impulse at relative velocity w.
static inline double missing_impulse(const row *r, const double w[3]) {
  return (r->bound - dot3(w, r->n)) * r->mass;
}

static inline double solve_row(const solve *s, size_t number, bool with_friction, mover *a, mover *b) {
  row *r = s->row + number;
  double w[3], impulse[3], before = r->normal_impulse;
  // Contacts without an impulse rarely get one: testing for it first makes the branch predictable.
  if (before == 0.0) {
    relative_velocity(a, b, r, w);
    if (missing_impulse(r, w) <= 0.0) return 0.0;           // without normal impulse there is no friction
    if (with_friction) mote_contact_tangent_of(s, number);  // active contacts need a tangent
  }
  relative_velocity(a, b, r, w);
  double normal_impulse = max2(0.0, before + missing_impulse(r, w)), normal_change = normal_impulse - before;
  r->normal_impulse = normal_impulse;
  for (int k = 0; k < 3; ++k) impulse[k] = normal_change * r->n[k];
  double change = fabs(normal_change) * r->compliance;
  if (with_friction)
    change = solve_friction(s->tangent + number, normal_impulse, normal_change, w, change, impulse);
  apply_impulse(s->mass + r->a, 1.0, r->ra, impulse, a);
  apply_impulse(s->mass + r->b, -1.0, r->rb, impulse, b);
  return change;
}

// Prefetches the movers of the group after the next: their addresses are random, and all of them exceed the
// cache.
static inline void fetch_ahead(const solve *s, size_t group) {
  if (group + 2 >= s->groups) return;
  const mote_contact_group *later = s->group + group + 2;
  const uint32_t both[2] = {later->a, later->b};
  for (int k = 0; k < 2; ++k) {
    const mover *m = s->mover + both[k];
    __builtin_prefetch(m);
    __builtin_prefetch((const char *)(m + 1) - 1);
    __builtin_prefetch(s->mass + both[k]);
  }
}

// Both movers stay in registers or cache while the rows of their pair are solved.
double mote_contact_solve_group(const solve *s, size_t group, mote_contact_sweep how) {
  MOTE_ASSERT(group < s->groups);
  MOTE_ASSERT(s->group[group].first + s->group[group].count <= s->rows);
  mote_contact_group of = s->group[group];
  double most = 0.0;
  fetch_ahead(s, group);
  mover a = s->mover[of.a], b = s->mover[of.b];
  for (size_t k = 0; k < of.count; ++k) {
    size_t number = of.first + (how.reversed ? of.count - 1 - k : k);
    most = max2(most, solve_row(s, number, how.with_friction, &a, &b));
  }
  if (most > 0.0) store_mover(s, of.a, &a), store_mover(s, of.b, &b);
  return most;
}
