// Projected Gauss-Seidel over contacts (Moreau 1988, Jean 1999): see contact.h. One thread, fixed order.
#include "solver/contact.h"

#include "geom/triple.h"

#define SWEEPS_MOST 80
#define SWEEPS_PUSH 20
#define CONVERGED 1e-4    // of the largest velocity along a normal that had to be changed
#define BOUNCE_STEPS 2.0  // an impact is faster than gravity makes it in so many steps
#define SLOP 0.01         // spacings of overlap that are left alone, so that contacts stay
#define PUSH_SHARE 0.2    // of the overlap undone in a step
#define PUSH_MOST 0.1     // spacings in a step

typedef struct row {
  mote_contact *contact;
  mote_solid *a, *b;
  double ra[3], rb[3];       // from the reference points
  double t[2][3];            // tangents
  double mass;               // 1 / (change of w_n per impulse)
  double K[3], stiffest;     // change of w_t per impulse: 00, 01, 11; its largest eigenvalue
  double bound;              // of w_n
  double friction;
  double push, push_bound;   // the same for what undoes overlap
} row;

// --- Velocities at a contact ---------------------------------------------------------------------------------

static void velocity_at(const double v[3], const double w[3], const double r[3], double out[3]) {
  out[0] = v[0] + w[1] * r[2] - w[2] * r[1];
  out[1] = v[1] + w[2] * r[0] - w[0] * r[2];
  out[2] = v[2] + w[0] * r[1] - w[1] * r[0];
}

static void relative(const row *r, double out[3]) {
  double b[3];
  velocity_at(r->a->v, r->a->w, r->ra, out);
  velocity_at(r->b->v, r->b->w, r->rb, b);
  sub3(out, b, out);
}

static void kick(const mote_solid *s, double sign, const double r[3], const double impulse[3], double v[3],
                 double w[3]) {
  double turn[3], change[3];
  step3(v, sign * s->inverse_mass, impulse, v);
  cross3(r, impulse, turn);
  turn3(s->inverse_inertia, turn, change);
  step3(w, sign, change, w);
}

static void apply(row *r, const double impulse[3]) {
  kick(r->a, 1.0, r->ra, impulse, r->a->v, r->a->w);
  kick(r->b, -1.0, r->rb, impulse, r->b->v, r->b->w);
}

// How much an impulse along e changes the relative velocity along f.
static double answer(const mote_solid *s, const double r[3], const double e[3], const double f[3]) {
  double re[3], rf[3], turned[3];
  cross3(r, e, re);
  cross3(r, f, rf);
  turn3(s->inverse_inertia, re, turned);
  return s->inverse_mass * dot3(e, f) + dot3(turned, rf);
}

static double answer_both(const row *r, const double e[3], const double f[3]) {
  return answer(r->a, r->ra, e, f) + answer(r->b, r->rb, e, f);
}

// --- Rows ----------------------------------------------------------------------------------------------------

static void set_tangents(const double n[3], double t[2][3]) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(n[k]) < fabs(n[least]) ? k : least;
  double e[3] = {least == 0, least == 1, least == 2};
  cross3(n, e, t[0]);
  double length = length3(t[0]);
  for (int k = 0; k < 3; ++k) t[0][k] /= length;
  cross3(n, t[0], t[1]);
}

static double pair_friction(const mote_solid *a, const mote_solid *b) {
  return isnan(b->friction) ? a->friction : sqrt(a->friction * b->friction);
}

static double pair_restitution(const mote_solid *a, const mote_solid *b) {
  return isnan(b->restitution) ? a->restitution : max2(a->restitution, b->restitution);
}

// What arrives within the step, and not by gravity alone, bounces.
static double bound_of(const mote_contact_scene *scene, const row *r, double approach) {
  double gap = max2(0.0, r->contact->gap), slow = BOUNCE_STEPS * scene->gravity * scene->dt;
  double e = pair_restitution(r->a, r->b);
  if (e > 0.0 && -approach > slow && -approach * scene->dt >= gap) return -e * approach;
  return -gap / scene->dt;
}

static double push_bound_of(const mote_contact_scene *scene, double gap) {
  double d = scene->spacing;
  if (gap > 0.0) return -gap / scene->dt;
  return min2(PUSH_SHARE * max2(0.0, -gap - SLOP * d), PUSH_MOST * d) / scene->dt;
}

static row make_row(const mote_contact_scene *scene, mote_contact *c) {
  row r = {.contact = c, .a = scene->solid + c->a, .b = scene->solid + c->b};
  double w[3];
  sub3(c->point, r.a->x, r.ra);
  sub3(c->point, r.b->x, r.rb);
  set_tangents(c->normal, r.t);
  double n = answer_both(&r, c->normal, c->normal);
  r.mass = n > 0.0 ? 1.0 / n : 0.0;
  r.K[0] = answer_both(&r, r.t[0], r.t[0]);
  r.K[1] = answer_both(&r, r.t[0], r.t[1]);
  r.K[2] = answer_both(&r, r.t[1], r.t[1]);
  double mean = 0.5 * (r.K[0] + r.K[2]), half = 0.5 * (r.K[0] - r.K[2]);
  r.stiffest = mean + sqrt(half * half + r.K[1] * r.K[1]);
  r.friction = pair_friction(r.a, r.b);
  relative(&r, w);
  r.bound = bound_of(scene, &r, dot3(w, c->normal));
  r.push_bound = push_bound_of(scene, c->gap);
  return r;
}

// --- One contact ---------------------------------------------------------------------------------------------

// Each returns how much the velocity at the contact had to be changed.
static double solve_press(row *r) {
  mote_contact *c = r->contact;
  double w[3], J[3];
  relative(r, w);
  double before = c->press, wanted = before + (r->bound - dot3(w, c->normal)) * r->mass;
  c->press = max2(0.0, wanted);
  double change = c->press - before;
  for (int k = 0; k < 3; ++k) J[k] = change * c->normal[k];
  apply(r, J);
  return r->mass > 0.0 ? fabs(change) / r->mass : 0.0;
}

// The impulse s in the tangent plane that stops it, from velocity u; what is zero is left out (in 2D across the
// plane, on a hinge along it).
static void stop(const row *r, const double u[2], double s[2]) {
  double least = 1e-12 * (r->K[0] + r->K[2]), determinant = r->K[0] * r->K[2] - r->K[1] * r->K[1];
  if (determinant > least * (r->K[0] + r->K[2])) {
    s[0] = (r->K[1] * u[1] - r->K[2] * u[0]) / determinant;
    s[1] = (r->K[1] * u[0] - r->K[0] * u[1]) / determinant;
  } else {
    for (int k = 0; k < 2; ++k) s[k] = r->K[2 * k] > least ? -u[k] / r->K[2 * k] : 0.0;
  }
}

// It sticks where the normal impulse can hold that. Else it slips: s = cut(s - u / k) for any scalar k has its
// fixed point where s is against u, which s = cut(s - K^-1 u) has not; the largest eigenvalue of K is safe.
static double solve_drag(row *r) {
  mote_contact *c = r->contact;
  double w[3], J[3], most = r->friction * c->press;
  relative(r, w);
  double u[2] = {dot3(w, r->t[0]), dot3(w, r->t[1])}, s[2];
  double held[2] = {dot3(c->drag, r->t[0]), dot3(c->drag, r->t[1])};
  stop(r, u, s);
  for (int k = 0; k < 2; ++k) s[k] += held[k];
  if (s[0] * s[0] + s[1] * s[1] > most * most) {
    for (int k = 0; k < 2; ++k) s[k] = held[k] - (r->stiffest > 0.0 ? u[k] / r->stiffest : 0.0);
    double size = sqrt(s[0] * s[0] + s[1] * s[1]);
    if (size > most) s[0] *= most / size, s[1] *= most / size;
  }
  for (int k = 0; k < 3; ++k) {
    J[k] = (s[0] - held[0]) * r->t[0][k] + (s[1] - held[1]) * r->t[1][k];
    c->drag[k] = s[0] * r->t[0][k] + s[1] * r->t[1][k];
  }
  apply(r, J);
  return max2(fabs(s[0] - held[0]), fabs(s[1] - held[1])) * r->stiffest;
}

static double solve_push(row *r) {
  double a[3], b[3], J[3];
  velocity_at(r->a->push_v, r->a->push_w, r->ra, a);
  velocity_at(r->b->push_v, r->b->push_w, r->rb, b);
  sub3(a, b, a);
  double before = r->push;
  r->push = max2(0.0, before + (r->push_bound - dot3(a, r->contact->normal)) * r->mass);
  for (int k = 0; k < 3; ++k) J[k] = (r->push - before) * r->contact->normal[k];
  kick(r->a, 1.0, r->ra, J, r->a->push_v, r->a->push_w);
  kick(r->b, -1.0, r->rb, J, r->b->push_v, r->b->push_w);
  return r->mass > 0.0 ? fabs(r->push - before) / r->mass : 0.0;
}

// --- All -----------------------------------------------------------------------------------------------------

static double solve_both(row *r) {
  double press = solve_press(r);
  return r->friction > 0.0 ? max2(press, solve_drag(r)) : press;
}

// Forth, then back.
static double sweep(row *rows, size_t count, int number, double (*solve)(row *)) {
  double change = 0.0;
  for (size_t k = 0; k < count; ++k) {
    change = max2(change, solve(rows + (number % 2 == 0 ? k : count - 1 - k)));
  }
  return change;
}

// What the last step's impulses are now: those along the new normal, and in the new tangent plane.
static void begin(row *r) {
  mote_contact *c = r->contact;
  double J[3];
  if (r->mass == 0.0 || !(c->press > 0.0)) c->press = 0.0, set3(0.0, 0.0, 0.0, c->drag);
  step3(c->drag, -dot3(c->drag, c->normal), c->normal, c->drag);
  double size = length3(c->drag), most = r->friction * c->press;
  for (int k = 0; k < 3 && size > most; ++k) c->drag[k] *= most / size;
  step3(c->drag, c->press, c->normal, J);
  apply(r, J);
}

mote_result mote_contact_solve(const mote_contact_scene *scene, mote_contact_set *set, mote_arena *scratch,
                               mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  row *rows = mote_arena_take(scratch, set->count, sizeof *rows);
  if (rows == NULL) return mote_fail_memory(error, set->count * sizeof *rows);
  double wrong = 0.0, push = 0.0;
  *report = (mote_contact_report){0};
  for (size_t k = 0; k < scene->bodies; ++k) {
    set3(0.0, 0.0, 0.0, scene->solid[k].push_v);
    set3(0.0, 0.0, 0.0, scene->solid[k].push_w);
  }
  for (size_t k = 0; k < set->count; ++k) {
    double w[3];
    rows[k] = make_row(scene, set->contact + k);
    relative(rows + k, w);
    wrong = max2(wrong, rows[k].bound - dot3(w, set->contact[k].normal));
    push = max2(push, rows[k].push_bound);
    report->overlap = max2(report->overlap, -set->contact[k].gap);
  }
  for (size_t k = 0; k < set->count; ++k) begin(rows + k);
  do {
    report->change = sweep(rows, set->count, report->sweeps, solve_both);
  } while (++report->sweeps < SWEEPS_MOST && report->change > CONVERGED * wrong);
  for (int k = 0; k < SWEEPS_PUSH && push > 0.0; ++k) {
    if (sweep(rows, set->count, k, solve_push) < CONVERGED * push) break;
  }
  mote_arena_release(scratch, mark);
  return MOTE_OK;
}

// --- Warm start ----------------------------------------------------------------------------------------------

int mote_contact_compare(const mote_contact *p, const mote_contact *q) {
  uint32_t key[2][4];
  const mote_contact *both[2] = {p, q};
  for (int k = 0; k < 2; ++k) {
    uint32_t a = both[k]->a, b = both[k]->b;
    key[k][0] = a < b ? a : b, key[k][1] = a < b ? b : a, key[k][2] = a, key[k][3] = both[k]->sample;
  }
  for (int k = 0; k < 4; ++k) {
    if (key[0][k] != key[1][k]) return key[0][k] < key[1][k] ? -1 : 1;
  }
  return 0;
}

void mote_contact_warm(mote_contact_set *set, const mote_contact_set *last) {
  size_t j = 0;
  for (size_t k = 0; k < set->count; ++k) {
    mote_contact *c = set->contact + k;
    while (j < last->count && mote_contact_compare(last->contact + j, c) < 0) ++j;
    if (j == last->count || mote_contact_compare(last->contact + j, c) != 0) continue;
    c->press = last->contact[j].press;
    copy3(last->contact[j].drag, c->drag);
  }
}
