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
#define CONVERGED 1e-4    // of the largest velocity along a normal that had to be changed
#define BOUNCE_STEPS 2.0  // an impact is faster than gravity makes it in so many steps
#define SLOP 0.01         // spacings of overlap that are left alone, so that contacts stay
#define PUSH_SHARE 0.2    // of the overlap undone in a step
#define PUSH_MOST 0.1     // spacings in a step

typedef struct mover {
  double v[3], w[3];
  double inverse_mass, inverse_inertia[9];
  bool moves;
} mover;

// A direction e at a contact, as both solids feel an impulse along it.
typedef struct line {
  double e[3];
  double arm_a[3], arm_b[3];    // r x e, with r from the reference points
  double turn_a[3], turn_b[3];  // change of the spin by an impulse of 1
} line;

typedef struct row {
  uint32_t a, b;
  line n, t[2];                   // normal and tangents
  double mass, resistance;        // impulse per change of w_n, and the other way round
  double halt[3];                 // impulse per change of w_t, where it can be changed: 00, 01, 11
  double stiffest, softest;       // largest eigenvalue of the change of w_t per impulse; 1 / that
  double bound;                   // of w_n
  double friction;
  double press, drag[2];  // impulses
  size_t contact;         // its number
} row;

// Rows of one pair, one after the other, as its contacts are.
typedef struct group {
  size_t first, count, contact;
} group;

struct mote_contact_rows {
  const mote_contact_scene *scene;
  mover *mover;
  row *row;      // by colour, so that sweeps run through memory
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

// Nothing is written to what does not move, which others may read at the same time.
static void kick(mover *a, mover *b, const line *l, double impulse) {
  if (a->moves) {
    step3(a->v, impulse * a->inverse_mass, l->e, a->v);
    step3(a->w, impulse, l->turn_a, a->w);
  }
  if (b->moves) {
    step3(b->v, -impulse * b->inverse_mass, l->e, b->v);
    step3(b->w, -impulse, l->turn_b, b->w);
  }
}

static line make_line(const mover *a, const mover *b, const double ra[3], const double rb[3], const double e[3]) {
  line l;
  copy3(e, l.e);
  cross3(ra, e, l.arm_a);
  cross3(rb, e, l.arm_b);
  turn3(a->inverse_inertia, l.arm_a, l.turn_a);
  turn3(b->inverse_inertia, l.arm_b, l.turn_b);
  return l;
}

// How much an impulse along e changes the relative velocity along f.
static double answer(const mover *a, const mover *b, const line *e, const line *f) {
  return (a->inverse_mass + b->inverse_mass) * dot3(e->e, f->e) +
         (dot3(e->turn_a, f->arm_a) + dot3(e->turn_b, f->arm_b));
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

// The impulse that stops w_t; what nothing can change is left out (in 2D across the plane, on a hinge along it).
static void set_halt(row *r, const double K[3]) {
  double trace = K[0] + K[2], determinant = K[0] * K[2] - K[1] * K[1];
  if (determinant > 1e-12 * trace * trace) {
    r->halt[0] = K[2] / determinant, r->halt[1] = -K[1] / determinant, r->halt[2] = K[0] / determinant;
  } else {
    for (int k = 0; k < 3; k += 2) r->halt[k] = K[k] > 1e-12 * trace ? 1.0 / K[k] : 0.0;
  }
}

static void set_masses(const mover *a, const mover *b, row *r) {
  const double K[3] = {answer(a, b, &r->t[0], &r->t[0]), answer(a, b, &r->t[0], &r->t[1]),
                       answer(a, b, &r->t[1], &r->t[1])};
  double mean = 0.5 * (K[0] + K[2]), half = 0.5 * (K[0] - K[2]);
  r->resistance = answer(a, b, &r->n, &r->n);
  r->mass = r->resistance > 0.0 ? 1.0 / r->resistance : 0.0;
  r->stiffest = mean + sqrt(half * half + K[1] * K[1]);
  r->softest = r->stiffest > 0.0 ? 1.0 / r->stiffest : 0.0;
  set_halt(r, K);
}

// What arrives within the step, and not by gravity alone, bounces.
static double bound_of(const mote_contact_scene *scene, const mote_contact *c, double approach) {
  const mote_solid *a = scene->solid + c->a, *b = scene->solid + c->b;
  double gap = max2(0.0, c->gap), slow = BOUNCE_STEPS * scene->gravity * scene->dt;
  double e = isnan(b->restitution) ? a->restitution : max2(a->restitution, b->restitution);
  if (e > 0.0 && -approach > slow && -approach * scene->dt >= gap) return -e * approach;
  return -gap / scene->dt;
}

// *wrong: the velocity along the normal that has to be changed at least.
static row make_row(const solve *s, const mote_contact *c, double *wrong) {
  const mote_solid *a = s->scene->solid + c->a, *b = s->scene->solid + c->b;
  const mover *ma = s->mover + c->a, *mb = s->mover + c->b;
  row r = {.a = c->a, .b = c->b};
  double ra[3], rb[3], t[2][3];
  sub3(c->point, a->x, ra);
  sub3(c->point, b->x, rb);
  set_tangents(c->normal, t);
  r.n = make_line(ma, mb, ra, rb, c->normal);
  for (int k = 0; k < 2; ++k) r.t[k] = make_line(ma, mb, ra, rb, t[k]);
  set_masses(ma, mb, &r);
  r.friction = isnan(b->friction) ? a->friction : sqrt(a->friction * b->friction);
  double approach = along(ma, mb, &r.n);
  r.bound = bound_of(s->scene, c, approach);
  *wrong = r.bound - approach;
  return r;
}

// Begins with the impulses of the last step: those along the new normal, and in the new tangent plane.
static void begin(const solve *s, row *r, const mote_contact *c) {
  if (r->mass == 0.0 || !(c->press > 0.0)) return;
  r->press = c->press;
  for (int k = 0; k < 2; ++k) r->drag[k] = dot3(c->drag, r->t[k].e);
  double size = sqrt(r->drag[0] * r->drag[0] + r->drag[1] * r->drag[1]), most = r->friction * r->press;
  for (int k = 0; k < 2 && size > most; ++k) r->drag[k] *= most / size;
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  kick(a, b, &r->n, r->press);
  for (int k = 0; k < 2; ++k) kick(a, b, &r->t[k], r->drag[k]);
}

// --- One contact: each returns how much the velocity there had to be changed --------------------------

static double solve_press(const solve *s, row *r) {
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  double before = r->press;
  r->press = max2(0.0, before + (r->bound - along(a, b, &r->n)) * r->mass);
  double change = r->press - before;
  if (change == 0.0) return 0.0;
  kick(a, b, &r->n, change);
  return fabs(change) * r->resistance;
}

// It sticks where the normal impulse can hold that. Else it slips: d = cut(d - u / k) for any scalar k has
// its fixed point where d is against u, which d = cut(d - K^-1 u) has not; the largest eigenvalue of K is
// safe.
static double solve_drag(const solve *s, row *r) {
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  double most = r->friction * r->press;
  if (most == 0.0 && r->drag[0] == 0.0 && r->drag[1] == 0.0) return 0.0;
  double u0 = along(a, b, &r->t[0]), u1 = along(a, b, &r->t[1]);
  double d0 = r->drag[0] - (r->halt[0] * u0 + r->halt[1] * u1);
  double d1 = r->drag[1] - (r->halt[1] * u0 + r->halt[2] * u1);
  if (d0 * d0 + d1 * d1 > most * most) {
    d0 = r->drag[0] - u0 * r->softest, d1 = r->drag[1] - u1 * r->softest;
    double size = sqrt(d0 * d0 + d1 * d1);
    if (size > most) d0 *= most / size, d1 *= most / size;
  }
  double change0 = d0 - r->drag[0], change1 = d1 - r->drag[1];
  r->drag[0] = d0, r->drag[1] = d1;
  kick(a, b, &r->t[0], change0);
  kick(a, b, &r->t[1], change1);
  return max2(fabs(change0), fabs(change1)) * r->stiffest;
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
      row *r = job->s->row + own.first + (job->back ? own.count - 1 - k : k);
      change = max2(change, solve_press(job->s, r));
      if (job->rough && r->friction > 0.0) change = max2(change, solve_drag(job->s, r));
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
    copy3(from->v, m->v);
    copy3(from->w, m->w);
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
  double own;
  for (size_t g = begin; g < end; ++g) {
    group of = job->s->group[g];
    for (size_t k = 0; k < of.count; ++k) {
      row *r = job->s->row + of.first + k;
      *r = make_row(job->s, job->set->contact + of.contact + k, &own);
      r->contact = of.contact + k;
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
      begin(job->s, r, job->set->contact + r->contact);
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
    const row *r = s->row + k;
    mote_contact *c = set->contact + r->contact;
    c->press = r->press;
    for (int i = 0; i < 3; ++i) c->drag[i] = r->drag[0] * r->t[0].e[i] + r->drag[1] * r->t[1].e[i];
  }
}

static void solve_velocities(const solve *s, double wrong, int sweeps, mote_contact_set *set,
                             mote_contact_report *report) {
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

mote_result mote_contact_solve_rows(const mote_contact_scene *scene, mote_contact_set *set, bool again,
                                    mote_arena *scratch, mote_contact_rows **out, mote_contact_report *report,
                                    mote_error *error) {
  solve *s = *out = mote_arena_take(scratch, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
  *s = (solve){.scene = scene, .rows = set->count};
  s->mover = mote_arena_take(scratch, scene->solids, sizeof *s->mover);
  s->row = mote_arena_take(scratch, s->rows, sizeof *s->row);
  s->group = mote_arena_take(scratch, s->rows, sizeof *s->group);
  uint64_t *used = mote_arena_take(scratch, scene->solids, sizeof *used);
  uint8_t *shade = mote_arena_take(scratch, s->rows, sizeof *shade);
  *report = (mote_contact_report){0};
  bool ok = s->mover != NULL && s->row != NULL && s->group != NULL && used != NULL && shade != NULL;
  if (!ok) return mote_fail_memory(error, s->rows * (sizeof *s->row + sizeof *s->group));
  mote_parallel_for(threads_of(s), scene->solids, GRAIN, load_chunk, s);
  colour_groups(s, set, used, shade);
  solve_velocities(s, make_rows(s, set), again ? SWEEPS_AGAIN : SWEEPS_MOST, set, report);
  for (size_t k = 0; k < set->count; ++k) report->overlap = max2(report->overlap, -set->contact[k].gap);
  return MOTE_OK;
}

mote_result mote_contact_solve(const mote_contact_scene *scene, mote_contact_set *set, bool again,
                               mote_arena *scratch, mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_contact_rows *rows;
  mote_result result = mote_contact_solve_rows(scene, set, again, scratch, &rows, report, error);
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
