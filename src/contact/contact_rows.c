// One contact of the solver: see contact_rows.h. Projected Gauss-Seidel (Moreau 1988, Jean 1999): the normal
// impulse that fulfils its condition, then friction with what that changed, then both are given to the
// movers in one.
#include "contact/contact_rows.h"

#include "geom/triple.h"

#define BOUNCE_STEPS 2.0  // an impact is faster than gravity makes it in so many steps

typedef mote_mover mover;
typedef mote_mover_mass mass;
typedef mote_contact_row row;
typedef mote_contact_tangent tangent;
typedef mote_contact_rows solve;

// --- Velocities ---------------------------------------------------------------------------------------

static void turn_symmetric(const double m[6], const double a[3], double out[3]) {
  double x = m[0] * a[0] + m[1] * a[1] + m[2] * a[2], y = m[1] * a[0] + m[3] * a[1] + m[4] * a[2];
  double z = m[2] * a[0] + m[4] * a[1] + m[5] * a[2];
  set3(x, y, z, out);
}

// The relative velocity at the contact.
static inline void between(const mover *a, const mover *b, const row *r, double out[3]) {
  double at_a[3], at_b[3];
  cross3(a->w, r->ra, at_a);
  cross3(b->w, r->rb, at_b);
  for (int k = 0; k < 3; ++k) out[k] = (a->v[k] - b->v[k]) + (at_a[k] - at_b[k]);
}

static inline void kick(const mass *of, double sign, const double arm[3], const double impulse[3], mover *m) {
  double moment[3], change[3];
  step3(m->v, sign * of->inverse_mass, impulse, m->v);
  cross3(arm, impulse, moment);
  turn_symmetric(of->inverse_inertia, moment, change);
  step3(m->w, sign, change, m->w);
}

// Nothing is written to what does not move, which others may read at the same time.
static inline void put(const solve *s, uint32_t k, const mover *m) {
  if (s->mass[k].moves) s->mover[k] = *m;
}

// The change of the relative velocity by an impulse along e.
static void answer(const solve *s, const row *r, const double e[3], double out[3]) {
  const mass *a = s->mass + r->a, *b = s->mass + r->b;
  double moment[3], spin[3], at_a[3], at_b[3], inverse = a->inverse_mass + b->inverse_mass;
  cross3(r->ra, e, moment);
  turn_symmetric(a->inverse_inertia, moment, spin);
  cross3(spin, r->ra, at_a);
  cross3(r->rb, e, moment);
  turn_symmetric(b->inverse_inertia, moment, spin);
  cross3(spin, r->rb, at_b);
  for (int k = 0; k < 3; ++k) out[k] = inverse * e[k] + (at_a[k] + at_b[k]);
}

void mote_contact_load_mover(const solve *s, size_t k) {
  const mote_solid *from = s->scene->solid + k;
  const double *I = from->inverse_inertia;
  mover *m = s->mover + k;
  mass *of = s->mass + k;
  bool changed = s->before != NULL && k < s->scene->bodies;
  copy3(changed ? s->before + 6 * k : from->v, m->v);
  copy3(changed ? s->before + 6 * k + 3 : from->w, m->w);
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

// The impulse that stops w_t; what nothing can change is left out (in 2D across the plane, on a hinge along
// it).
static void set_halt(tangent *t, const double K[3]) {
  double trace = K[0] + K[2], determinant = K[0] * K[2] - K[1] * K[1];
  if (determinant > 1e-12 * trace * trace) {
    t->halt[0] = K[2] / determinant, t->halt[1] = -K[1] / determinant, t->halt[2] = K[0] / determinant;
  } else {
    for (int k = 0; k < 3; k += 2) t->halt[k] = K[k] > 1e-12 * trace ? 1.0 / K[k] : 0.0;
  }
}

static tangent *tangent_of(const solve *s, size_t number) {
  tangent *t = s->tangent + number;
  if (s->has_tangent[number]) return t;
  const row *r = s->row + number;
  const mote_solid *a = s->scene->solid + r->a, *b = s->scene->solid + r->b;
  double by[2][3];
  *t = (tangent){.friction = isnan(b->friction) ? a->friction : sqrt(a->friction * b->friction)};
  set_tangents(r->n, t->t);
  for (int k = 0; k < 2; ++k) {
    answer(s, r, t->t[k], by[k]);
    t->couple[k] = dot3(by[k], r->n);
  }
  const double K[3] = {dot3(by[0], t->t[0]), dot3(by[0], t->t[1]), dot3(by[1], t->t[1])};
  double mean = 0.5 * (K[0] + K[2]), half = 0.5 * (K[0] - K[2]);
  t->stiffest = mean + sqrt(half * half + K[1] * K[1]);
  t->softest = t->stiffest > 0.0 ? 1.0 / t->stiffest : 0.0;
  set_halt(t, K);
  s->has_tangent[number] = 1;
  return t;
}

// What arrives within the step, and not by gravity alone, bounces.
static double bound_of(const mote_contact_scene *scene, const mote_contact *c, double approach) {
  const mote_solid *a = scene->solid + c->a, *b = scene->solid + c->b;
  double gap = max2(0.0, c->gap), slow = BOUNCE_STEPS * scene->gravity * scene->dt;
  double e = isnan(b->restitution) ? a->restitution : max2(a->restitution, b->restitution);
  if (e > 0.0 && -approach > slow && -approach * scene->dt >= gap) return -e * approach;
  return -gap / scene->dt;
}

// The impulses of the last step: those along the new normal, and in the new tangent plane.
static void recall(const solve *s, size_t number, const mote_contact *c) {
  row *r = s->row + number;
  if (r->mass == 0.0 || !(c->press > 0.0)) return;
  tangent *t = tangent_of(s, number);
  double sign = c->a > c->b ? -1.0 : 1.0;
  r->press = c->press;
  for (int k = 0; k < 2; ++k) t->drag[k] = sign * dot3(c->drag, t->t[k]);
  double size = sqrt(t->drag[0] * t->drag[0] + t->drag[1] * t->drag[1]), most = t->friction * r->press;
  for (int k = 0; k < 2 && size > most; ++k) t->drag[k] *= most / size;
}

double mote_contact_make_row(const solve *s, size_t number, const mote_contact *c) {
  bool turned = c->a > c->b;
  row *r = s->row + number;
  double by[3], w[3];
  *r = (row){.a = turned ? c->b : c->a, .b = turned ? c->a : c->b};
  const mover *a = s->mover + r->a, *b = s->mover + r->b;
  s->has_tangent[number] = 0;
  mote_contact_arms(s->scene, c, turned ? r->rb : r->ra, turned ? r->ra : r->rb);
  for (int k = 0; k < 3; ++k) r->n[k] = turned ? -c->normal[k] : c->normal[k];
  answer(s, r, r->n, by);
  r->resistance = dot3(by, r->n);
  r->mass = r->resistance > 0.0 ? 1.0 / r->resistance : 0.0;
  between(a, b, r, w);
  double approach = dot3(w, r->n);
  r->bound = bound_of(s->scene, c, approach);
  recall(s, number, c);
  return r->bound - approach;
}

void mote_contact_begin_row(const solve *s, size_t number) {
  const row *r = s->row + number;
  if (!(r->press > 0.0)) return;
  const tangent *t = s->tangent + number;
  double impulse[3];
  for (int k = 0; k < 3; ++k)
    impulse[k] = r->press * r->n[k] + (t->drag[0] * t->t[0][k] + t->drag[1] * t->t[1][k]);
  mover a = s->mover[r->a], b = s->mover[r->b];
  kick(s->mass + r->a, 1.0, r->ra, impulse, &a);
  kick(s->mass + r->b, -1.0, r->rb, impulse, &b);
  put(s, r->a, &a);
  put(s, r->b, &b);
}

void mote_contact_keep_row(const solve *s, size_t number, mote_contact *c) {
  const tangent *t = s->tangent + number;
  double sign = c->a > c->b ? -1.0 : 1.0;
  c->press = s->row[number].press;
  set3(0.0, 0.0, 0.0, c->drag);
  if (!s->has_tangent[number]) return;
  for (int k = 0; k < 3; ++k) c->drag[k] = sign * (t->drag[0] * t->t[0][k] + t->drag[1] * t->t[1][k]);
}

// --- Solving ------------------------------------------------------------------------------------------

// Friction where the relative velocity is w but for what `pressed` along the normal does to it; adds its
// change to the impulse. It sticks where the normal impulse can hold that. Else it slips: d = cut(d - u / k)
// for any scalar k has its fixed point where d is against u, which d = cut(d - K^-1 u) has not; the largest
// eigenvalue of K is safe. Returns the larger of `change` and its own change of the velocity.
static inline double solve_drag(tangent *t, double press, double pressed, const double w[3], double change,
                                double impulse[3]) {
  double most = t->friction * press;
  if (most == 0.0 && t->drag[0] == 0.0 && t->drag[1] == 0.0) return change;
  double u0 = dot3(w, t->t[0]) + t->couple[0] * pressed, u1 = dot3(w, t->t[1]) + t->couple[1] * pressed;
  double d0 = t->drag[0] - (t->halt[0] * u0 + t->halt[1] * u1);
  double d1 = t->drag[1] - (t->halt[1] * u0 + t->halt[2] * u1);
  if (d0 * d0 + d1 * d1 > most * most) {
    d0 = t->drag[0] - u0 * t->softest, d1 = t->drag[1] - u1 * t->softest;
    double size = sqrt(d0 * d0 + d1 * d1);
    if (size > most) d0 *= most / size, d1 *= most / size;
  }
  double change0 = d0 - t->drag[0], change1 = d1 - t->drag[1];
  t->drag[0] = d0, t->drag[1] = d1;
  step3(impulse, change0, t->t[0], impulse);
  step3(impulse, change1, t->t[1], impulse);
  change = max2(change, fabs(change0) * t->stiffest);
  return max2(change, fabs(change1) * t->stiffest);
}

// The impulse along the normal that is wanting, where the relative velocity is w.
static inline double wanting(const row *r, const double w[3]) {
  return (r->bound - dot3(w, r->n)) * r->mass;
}

static inline double solve_row(const solve *s, size_t number, bool rough, mover *a, mover *b) {
  row *r = s->row + number;
  double w[3], impulse[3], before = r->press;
  // Whether it pressed is known before any sum is made, and what did not press seldom begins to. So asked,
  // the answer of the sums is foreseen.
  if (before == 0.0) {
    between(a, b, r, w);
    if (wanting(r, w) <= 0.0) return 0.0;  // it does not drag either
    if (rough) tangent_of(s, number);      // what presses has one
  }
  between(a, b, r, w);
  double press = max2(0.0, before + wanting(r, w)), pressed = press - before;
  r->press = press;
  for (int k = 0; k < 3; ++k) impulse[k] = pressed * r->n[k];
  double change = fabs(pressed) * r->resistance;
  if (rough) change = solve_drag(s->tangent + number, press, pressed, w, change, impulse);
  kick(s->mass + r->a, 1.0, r->ra, impulse, a);
  kick(s->mass + r->b, -1.0, r->rb, impulse, b);
  return change;
}

// The movers of the group after the next: they lie anywhere, and there are more than a core's own memory
// holds.
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

// Both movers are at hand while their rows are solved.
double mote_contact_solve_group(const solve *s, size_t group, mote_contact_sweep how) {
  mote_contact_group of = s->group[group];
  double most = 0.0;
  fetch_ahead(s, group);
  mover a = s->mover[of.a], b = s->mover[of.b];
  for (size_t k = 0; k < of.count; ++k) {
    size_t number = of.first + (how.back ? of.count - 1 - k : k);
    most = max2(most, solve_row(s, number, how.rough, &a, &b));
  }
  if (most > 0.0) put(s, of.a, &a), put(s, of.b, &b);
  return most;
}
