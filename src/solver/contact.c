// Projected Gauss-Seidel over contacts (Moreau 1988, Jean 1999): see contact.h. What the sweeps touch is
// packed: a mover per solid, a row per contact. Pairs of solids are coloured such that no two of a colour
// share one that moves (first fit in their order): a colour is done by all threads, colour after colour, and
// the result is that of one thread.
#include "solver/contact.h"

#include "base/parallel.h"
#include "geom/triple.h"

#define GRAIN 64    // pairs
#define COLOURS 64  // the last one is done by one thread
#define SWEEPS_MOST 20
#define SWEEPS_AGAIN 6  // where most is solved already
#define SWEEPS_PUSH 10
#define CONVERGED 1e-5    // of the largest velocity along a normal that had to be changed
#define BOUNCE_STEPS 2.0  // an impact is faster than gravity makes it in so many steps
#define SLOP 0.01         // spacings of overlap that are left alone, so that contacts stay
#define PUSH_SHARE 0.2    // of the overlap undone in a step
#define PUSH_MOST 0.1     // spacings in a step

typedef struct mover {
  double v[3], w[3];
  double inverse_mass, inverse_inertia[9];
  bool moves;
} mover;

// A direction e at a contact, and r x e, with r from the reference points.
typedef struct line {
  double e[3], arm_a[3], arm_b[3];
} line;

// What presses, and what of it drags, apart: every sweep reads all rows, but of those that do not press only
// this.
typedef struct row {
  uint32_t a, b;
  double mass, bound, press;  // impulse per change of w_n; least w_n; impulse
  line n;
  double resistance;  // change of w_n per impulse
  size_t contact;     // its number
} row;

typedef struct tangent {
  double friction, drag[2];  // drag: impulses
  double halt[3];            // impulse per change of w_t, where it can be changed: 00, 01, 11
  double stiffest, softest;  // largest eigenvalue of the change of w_t per impulse; 1 / that
  line t[2];
} tangent;

// Rows of one pair, one after the other, as its contacts are.
typedef struct group {
  size_t first, count, contact;
} group;

struct mote_contact_rows {
  const mote_contact_scene *scene;
  const double *before;  // velocities and spins of bodies before any impulse; null: the solids'

  mover *mover;
  row *row;  // by colour, so that sweeps run through memory
  tangent *tangent;
  group *group;  // by colour
  size_t rows, groups;
  size_t colour[COLOURS + 1];  // the first group of each
};
typedef mote_contact_rows solve;

// --- Velocities at a contact --------------------------------------------------------------------------

// The relative velocity along a line.
static double along(const mover *a, const mover *b, const line *l) {
  double v = (a->v[0] - b->v[0]) * l->e[0] + (a->v[1] - b->v[1]) * l->e[1] + (a->v[2] - b->v[2]) * l->e[2];
  return v + (dot3(a->w, l->arm_a) - dot3(b->w, l->arm_b));
}

// An impulse, and its arm. Nothing is written to what does not move, which others may read at the same time.
static void kick(mover *m, double sign, const double impulse[3], const double arm[3]) {
  double change[3];
  if (!m->moves) return;
  step3(m->v, sign * m->inverse_mass, impulse, m->v);
  turn3(m->inverse_inertia, arm, change);
  step3(m->w, sign, change, m->w);
}

static void kick_along(mover *a, mover *b, const line *l, double impulse) {
  double J[3], arm_a[3], arm_b[3];
  for (int k = 0; k < 3; ++k) {
    J[k] = impulse * l->e[k], arm_a[k] = impulse * l->arm_a[k], arm_b[k] = impulse * l->arm_b[k];
  }
  kick(a, 1.0, J, arm_a);
  kick(b, -1.0, J, arm_b);
}

static void kick_across(mover *a, mover *b, const line t[2], double x, double y) {
  double J[3], arm_a[3], arm_b[3];
  for (int k = 0; k < 3; ++k) {
    J[k] = x * t[0].e[k] + y * t[1].e[k];
    arm_a[k] = x * t[0].arm_a[k] + y * t[1].arm_a[k];
    arm_b[k] = x * t[0].arm_b[k] + y * t[1].arm_b[k];
  }
  kick(a, 1.0, J, arm_a);
  kick(b, -1.0, J, arm_b);
}

static line make_line(const double ra[3], const double rb[3], const double e[3]) {
  line l;
  copy3(e, l.e);
  cross3(ra, e, l.arm_a);
  cross3(rb, e, l.arm_b);
  return l;
}

// How much an impulse along e changes the relative velocity along f.
static double answer(const mover *a, const mover *b, const line *e, const line *f) {
  double turn_a[3], turn_b[3];
  turn3(a->inverse_inertia, e->arm_a, turn_a);
  turn3(b->inverse_inertia, e->arm_b, turn_b);
  return (a->inverse_mass + b->inverse_mass) * dot3(e->e, f->e) +
         (dot3(turn_a, f->arm_a) + dot3(turn_b, f->arm_b));
}

// --- Rows ---------------------------------------------------------------------------------------------

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
static void set_halt(tangent *r, const double K[3]) {
  double trace = K[0] + K[2], determinant = K[0] * K[2] - K[1] * K[1];
  if (determinant > 1e-12 * trace * trace) {
    r->halt[0] = K[2] / determinant, r->halt[1] = -K[1] / determinant, r->halt[2] = K[0] / determinant;
  } else {
    for (int k = 0; k < 3; k += 2) r->halt[k] = K[k] > 1e-12 * trace ? 1.0 / K[k] : 0.0;
  }
}

static void set_masses(const mover *a, const mover *b, row *r, tangent *t) {
  const double K[3] = {answer(a, b, &t->t[0], &t->t[0]), answer(a, b, &t->t[0], &t->t[1]),
                       answer(a, b, &t->t[1], &t->t[1])};
  double mean = 0.5 * (K[0] + K[2]), half = 0.5 * (K[0] - K[2]);
  r->resistance = answer(a, b, &r->n, &r->n);
  r->mass = r->resistance > 0.0 ? 1.0 / r->resistance : 0.0;
  t->stiffest = mean + sqrt(half * half + K[1] * K[1]);
  t->softest = t->stiffest > 0.0 ? 1.0 / t->stiffest : 0.0;
  set_halt(t, K);
}

// What arrives within the step, and not by gravity alone, bounces.
static double bound_of(const mote_contact_scene *scene, const mote_contact *c, double approach) {
  const mote_solid *a = scene->solid + c->a, *b = scene->solid + c->b;
  double gap = max2(0.0, c->gap), slow = BOUNCE_STEPS * scene->gravity * scene->dt;
  double e = isnan(b->restitution) ? a->restitution : max2(a->restitution, b->restitution);
  if (e > 0.0 && -approach > slow && -approach * scene->dt >= gap) return -e * approach;
  return -gap / scene->dt;
}

// Returns the velocity along the normal that has to be changed at least.
static double make_row(const solve *s, size_t contact, const mote_contact *c, row *r, tangent *t) {
  const mote_solid *a = s->scene->solid + c->a, *b = s->scene->solid + c->b;
  const mover *ma = s->mover + c->a, *mb = s->mover + c->b;
  double ra[3], rb[3], e[2][3];
  *r = (row){.a = c->a, .b = c->b, .contact = contact};
  *t = (tangent){.friction = isnan(b->friction) ? a->friction : sqrt(a->friction * b->friction)};
  mote_contact_arms(s->scene, c, ra, rb);
  set_tangents(c->normal, e);
  r->n = make_line(ra, rb, c->normal);
  for (int k = 0; k < 2; ++k) t->t[k] = make_line(ra, rb, e[k]);
  set_masses(ma, mb, r, t);
  double approach = along(ma, mb, &r->n);
  r->bound = bound_of(s->scene, c, approach);
  return r->bound - approach;
}

// Begins with the impulses of the last step: those along the new normal, and in the new tangent plane.
static void begin(const solve *s, row *r, tangent *t, const mote_contact *c) {
  if (r->mass == 0.0 || !(c->press > 0.0)) return;
  r->press = c->press;
  for (int k = 0; k < 2; ++k) t->drag[k] = dot3(c->drag, t->t[k].e);
  double size = sqrt(t->drag[0] * t->drag[0] + t->drag[1] * t->drag[1]), most = t->friction * r->press;
  for (int k = 0; k < 2 && size > most; ++k) t->drag[k] *= most / size;
  if (s->before != NULL) return;  // velocities have it already
  kick_along(s->mover + r->a, s->mover + r->b, &r->n, r->press);
  kick_across(s->mover + r->a, s->mover + r->b, t->t, t->drag[0], t->drag[1]);
}

// --- One contact: each returns how much the velocity there had to be changed --------------------------

static double solve_press(const solve *s, row *r) {
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  double before = r->press;
  r->press = max2(0.0, before + (r->bound - along(a, b, &r->n)) * r->mass);
  double change = r->press - before;
  if (change == 0.0) return 0.0;
  kick_along(a, b, &r->n, change);
  return fabs(change) * r->resistance;
}

// It sticks where the normal impulse can hold that. Else it slips: d = cut(d - u / k) for any scalar k has
// its fixed point where d is against u, which d = cut(d - K^-1 u) has not; the largest eigenvalue of K is
// safe.
static double solve_drag(const solve *s, const row *r, tangent *t) {
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  double most = t->friction * r->press;
  if (most == 0.0 && t->drag[0] == 0.0 && t->drag[1] == 0.0) return 0.0;
  double u0 = along(a, b, &t->t[0]), u1 = along(a, b, &t->t[1]);
  double d0 = t->drag[0] - (t->halt[0] * u0 + t->halt[1] * u1);
  double d1 = t->drag[1] - (t->halt[1] * u0 + t->halt[2] * u1);
  if (d0 * d0 + d1 * d1 > most * most) {
    d0 = t->drag[0] - u0 * t->softest, d1 = t->drag[1] - u1 * t->softest;
    double size = sqrt(d0 * d0 + d1 * d1);
    if (size > most) d0 *= most / size, d1 *= most / size;
  }
  double change0 = d0 - t->drag[0], change1 = d1 - t->drag[1];
  t->drag[0] = d0, t->drag[1] = d1;
  kick_across(a, b, t->t, change0, change1);
  return max2(fabs(change0), fabs(change1)) * t->stiffest;
}

// --- Colours ------------------------------------------------------------------------------------------

static size_t pair_end(const mote_contact_set *set, size_t first) {
  const mote_contact *p = set->contact + first;
  size_t end = first + 1;
  for (; end < set->count; ++end) {
    const mote_contact *q = set->contact + end;
    if (!(p->a == q->a && p->b == q->b) && !(p->a == q->b && p->b == q->a)) break;
  }
  return end;
}

// The first colour that neither of the pair's solids has yet.
static int first_fit(const solve *s, const mote_contact *c, uint64_t *used) {
  uint64_t taken = (s->mover[c->a].moves ? used[c->a] : 0) | (s->mover[c->b].moves ? used[c->b] : 0);
  int colour = 0;
  while (colour < COLOURS - 1 && (taken >> colour & 1)) ++colour;
  used[c->a] |= UINT64_C(1) << colour;
  used[c->b] |= UINT64_C(1) << colour;
  return colour;
}

// Two passes: how many groups of each colour, and where they are. `used`: one per solid, `shade`: one per
// contact.
static void colour_groups(solve *s, const mote_contact_set *set, uint64_t *used, uint8_t *shade) {
  size_t next[COLOURS] = {0}, first = 0;
  for (size_t k = 0; k < s->scene->solids; ++k) used[k] = 0;
  for (size_t k = 0; k < set->count; k = pair_end(set, k)) {
    shade[k] = (uint8_t)first_fit(s, set->contact + k, used);
    ++next[shade[k]];
  }
  for (int c = 0; c < COLOURS; ++c) {
    size_t count = next[c];
    s->colour[c] = next[c] = s->groups;
    s->groups += count;
  }
  s->colour[COLOURS] = s->groups;
  for (size_t k = 0, end; k < set->count; k = end) {
    end = pair_end(set, k);
    s->group[next[shade[k]]++] = (group){.count = end - k, .contact = k};
  }
  for (size_t g = 0; g < s->groups; ++g) s->group[g].first = first, first += s->group[g].count;
}

// --- Sweeps -------------------------------------------------------------------------------------------

static int threads_of(const solve *s) {
  int threads = s->scene->threads < 1 ? 1 : s->scene->threads;
  return threads > MOTE_THREADS_MAX ? MOTE_THREADS_MAX : threads;
}

typedef struct sweep_job {
  const solve *s;
  size_t first;  // group
  bool back, rough;
  double change[MOTE_THREADS_MAX];  // by worker
} sweep_job;

static void sweep_chunk(void *data, size_t begin, size_t end, int worker) {
  sweep_job *job = data;
  double change = job->change[worker];
  for (size_t g = begin; g < end; ++g) {
    group own = job->s->group[job->first + g];
    for (size_t k = 0; k < own.count; ++k) {
      size_t number = own.first + (job->back ? own.count - 1 - k : k);
      row *r = job->s->row + number;
      double before = r->press;
      change = max2(change, solve_press(job->s, r));
      if (!job->rough || (before == 0.0 && r->press == 0.0)) continue;  // then it does not drag either
      change = max2(change, solve_drag(job->s, r, job->s->tangent + number));
    }
  }
  job->change[worker] = change;
}

// Forth, then back.
static double sweep(const solve *s, int number, bool rough) {
  int threads = threads_of(s);
  sweep_job job;  // changes are set for the workers there are
  job.s = s, job.back = number % 2 != 0, job.rough = rough;
  for (int w = 0; w < threads; ++w) job.change[w] = 0.0;
  for (int k = 0; k < COLOURS; ++k) {
    int c = job.back ? COLOURS - 1 - k : k;
    size_t count = s->colour[c + 1] - s->colour[c];
    job.first = s->colour[c];
    if (count > 0) mote_parallel_for(c == COLOURS - 1 ? 1 : threads, count, GRAIN, sweep_chunk, &job);
  }
  double change = 0.0;
  for (int w = 0; w < threads; ++w) change = max2(change, job.change[w]);
  return change;
}

static void load_chunk(void *data, size_t begin, size_t end, int worker) {
  const solve *s = data;
  (void)worker;
  for (size_t k = begin; k < end; ++k) {
    const mote_solid *from = s->scene->solid + k;
    mover *m = s->mover + k;
    bool changed = s->before != NULL && k < s->scene->bodies;
    copy3(changed ? s->before + 6 * k : from->v, m->v);
    copy3(changed ? s->before + 6 * k + 3 : from->w, m->w);
    m->inverse_mass = from->inverse_mass;
    for (int i = 0; i < 9; ++i) m->inverse_inertia[i] = from->inverse_inertia[i];
    const double *I = m->inverse_inertia;
    m->moves = m->inverse_mass > 0.0 || I[0] + I[4] + I[8] > 0.0;
  }
}

typedef struct rows_job {
  const solve *s;
  const mote_contact_set *set;
  size_t first;                    // group
  double wrong[MOTE_THREADS_MAX];  // by worker
} rows_job;

static void make_chunk(void *data, size_t begin, size_t end, int worker) {
  rows_job *job = data;
  for (size_t g = begin; g < end; ++g) {
    group of = job->s->group[g];
    for (size_t k = 0; k < of.count; ++k) {
      size_t contact = of.contact + k, number = of.first + k;
      double own = make_row(job->s, contact, job->set->contact + contact, job->s->row + number,
                            job->s->tangent + number);
      job->wrong[worker] = max2(job->wrong[worker], own);
    }
  }
}

// Returns the largest velocity along a normal that has to be changed.
static double make_rows(const solve *s, const mote_contact_set *set) {
  double wrong = 0.0;
  rows_job job;
  int threads = threads_of(s);
  job.s = s, job.set = set;
  for (int w = 0; w < threads; ++w) job.wrong[w] = 0.0;
  mote_parallel_for(threads, s->groups, GRAIN, make_chunk, &job);
  for (int w = 0; w < threads; ++w) wrong = max2(wrong, job.wrong[w]);
  return wrong;
}

static void begin_chunk(void *data, size_t begin_at, size_t end, int worker) {
  const rows_job *job = data;
  (void)worker;
  for (size_t g = begin_at; g < end; ++g) {
    group of = job->s->group[job->first + g];
    for (size_t k = 0; k < of.count; ++k) {
      row *r = job->s->row + of.first + k;
      begin(job->s, r, job->s->tangent + of.first + k, job->set->contact + r->contact);
    }
  }
}

static void begin_all(const solve *s, const mote_contact_set *set) {
  rows_job job;
  job.s = s, job.set = set;
  for (int c = 0; c < COLOURS; ++c) {
    size_t count = s->colour[c + 1] - s->colour[c];
    job.first = s->colour[c];
    if (count > 0) mote_parallel_for(c == COLOURS - 1 ? 1 : threads_of(s), count, GRAIN, begin_chunk, &job);
  }
}

static void keep_impulses(const solve *s, mote_contact_set *set) {
  for (size_t k = 0; k < s->rows; ++k) {
    const tangent *t = s->tangent + k;
    mote_contact *c = set->contact + s->row[k].contact;
    c->press = s->row[k].press;
    for (int i = 0; i < 3; ++i) c->drag[i] = t->drag[0] * t->t[0].e[i] + t->drag[1] * t->t[1].e[i];
  }
}

static void load_current(const solve *s) {
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->scene->solid[k].v, s->mover[k].v);
    copy3(s->scene->solid[k].w, s->mover[k].w);
  }
}

static void solve_velocities(const solve *s, double wrong, int sweeps, mote_contact_set *set,
                             mote_contact_report *report) {
  if (s->before != NULL) load_current(s);
  begin_all(s, set);
  do {
    report->change = sweep(s, report->sweeps, true);
  } while (++report->sweeps < sweeps && report->change > CONVERGED * wrong);
  keep_impulses(s, set);
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->mover[k].v, s->scene->solid[k].v);
    copy3(s->mover[k].w, s->scene->solid[k].w);
  }
}

// The same rows once more, with velocities that only undo overlap.
void mote_contact_push(const mote_contact_rows *s, const mote_contact_set *set) {
  double d = s->scene->spacing, dt = s->scene->dt, most = 0.0;
  for (size_t k = 0; k < s->scene->solids; ++k) {
    set3(0.0, 0.0, 0.0, s->mover[k].v);
    set3(0.0, 0.0, 0.0, s->mover[k].w);
  }
  for (size_t k = 0; k < s->rows; ++k) {
    double gap = set->contact[s->row[k].contact].gap;
    double out = min2(PUSH_SHARE * max2(0.0, -gap - SLOP * d), PUSH_MOST * d);
    s->row[k].bound = (gap > 0.0 ? -gap : out) / dt;
    s->row[k].press = 0.0;
    most = max2(most, out / dt);
  }
  for (int k = 0; k < SWEEPS_PUSH && most > 0.0; ++k) {
    if (sweep(s, k, false) < CONVERGED * most) break;
  }
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->mover[k].v, s->scene->solid[k].push_v);
    copy3(s->mover[k].w, s->scene->solid[k].push_w);
  }
}

static mote_result make_solve(const mote_contact_scene *scene, const mote_contact_set *set,
                              const double *before, mote_arena *scratch, solve **out, mote_error *error) {
  solve *s = *out = mote_arena_take(scratch, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
  *s = (solve){.scene = scene, .before = before, .rows = set->count};
  s->mover = mote_arena_take(scratch, scene->solids, sizeof *s->mover);
  s->row = mote_arena_take(scratch, s->rows, sizeof *s->row);
  s->tangent = mote_arena_take(scratch, s->rows, sizeof *s->tangent);
  s->group = mote_arena_take(scratch, s->rows, sizeof *s->group);
  uint64_t *used = mote_arena_take(scratch, scene->solids, sizeof *used);
  uint8_t *shade = mote_arena_take(scratch, s->rows, sizeof *shade);
  bool ok = s->mover != NULL && s->row != NULL && s->tangent != NULL && s->group != NULL && used != NULL;
  if (!ok || shade == NULL) return mote_fail_memory(error, s->rows * (sizeof *s->row + sizeof *s->tangent));
  mote_parallel_for(threads_of(s), scene->solids, GRAIN, load_chunk, s);
  colour_groups(s, set, used, shade);
  return MOTE_OK;
}

mote_result mote_contact_solve_rows(const mote_contact_scene *scene, mote_contact_set *set,
                                    const double *before, mote_arena *scratch, mote_contact_rows **out,
                                    mote_contact_report *report, mote_error *error) {
  *report = (mote_contact_report){0};
  MOTE_TRY(make_solve(scene, set, before, scratch, out, error));
  solve_velocities(*out, make_rows(*out, set), before != NULL ? SWEEPS_AGAIN : SWEEPS_MOST, set, report);
  for (size_t k = 0; k < set->count; ++k) report->overlap = max2(report->overlap, -set->contact[k].gap);
  return MOTE_OK;
}

mote_result mote_contact_push_rows(const mote_contact_scene *scene, const mote_contact_set *set,
                                   mote_arena *scratch, mote_error *error) {
  solve *s;
  MOTE_TRY(make_solve(scene, set, NULL, scratch, &s, error));
  (void)make_rows(s, set);
  mote_contact_push(s, set);
  return MOTE_OK;
}

mote_result mote_contact_solve(const mote_contact_scene *scene, mote_contact_set *set, mote_arena *scratch,
                               mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_contact_rows *rows;
  mote_result result = mote_contact_solve_rows(scene, set, NULL, scratch, &rows, report, error);
  if (result == MOTE_OK) mote_contact_push(rows, set);
  mote_arena_release(scratch, mark);
  return result;
}

// --- Warm start ---------------------------------------------------------------------------------------

int mote_contact_compare(const mote_contact *p, const mote_contact *q) {
  const mote_contact *both[2] = {p, q};
  uint32_t key[2][4];
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
