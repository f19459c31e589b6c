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

typedef struct row {
  uint32_t a, b;
  size_t contact;         // its number
  double n[3], t[2][3];   // normal and tangents
  double ra[3], rb[3];    // from the reference points
  double mass;            // 1 / (change of w_n per impulse)
  double K[3], stiffest;  // change of w_t per impulse: 00, 01, 11; its largest eigenvalue
  double bound;           // of w_n
  double friction;
  double press, drag[2];  // impulses
} row;

// Rows of one pair, one after the other, as its contacts are.
typedef struct group {
  size_t first, count, contact;
} group;

typedef struct solve {
  const mote_contact_scene *scene;
  mover *mover;
  row *row;      // by colour, so that sweeps run through memory
  group *group;  // by colour
  size_t rows, groups;
  size_t colour[COLOURS + 1];  // the first group of each
} solve;

// --- Velocities at a contact --------------------------------------------------------------------------

static void relative(const mover *a, const mover *b, const row *r, double out[3]) {
  const double *p = r->ra, *q = r->rb;
  out[0] = a->v[0] - b->v[0] + (a->w[1] * p[2] - a->w[2] * p[1]) - (b->w[1] * q[2] - b->w[2] * q[1]);
  out[1] = a->v[1] - b->v[1] + (a->w[2] * p[0] - a->w[0] * p[2]) - (b->w[2] * q[0] - b->w[0] * q[2]);
  out[2] = a->v[2] - b->v[2] + (a->w[0] * p[1] - a->w[1] * p[0]) - (b->w[0] * q[1] - b->w[1] * q[0]);
}

static void kick(mover *m, double sign, const double r[3], const double impulse[3]) {
  double turn[3], change[3];
  if (!m->moves) return;
  step3(m->v, sign * m->inverse_mass, impulse, m->v);
  cross3(r, impulse, turn);
  turn3(m->inverse_inertia, turn, change);
  step3(m->w, sign, change, m->w);
}

static void kick_both(mover *a, mover *b, const row *r, const double impulse[3]) {
  kick(a, 1.0, r->ra, impulse);
  kick(b, -1.0, r->rb, impulse);
}

// How much an impulse along e changes the relative velocity along f.
static double answer(const mover *m, const double r[3], const double e[3], const double f[3]) {
  double re[3], rf[3], turned[3];
  cross3(r, e, re);
  cross3(r, f, rf);
  turn3(m->inverse_inertia, re, turned);
  return m->inverse_mass * dot3(e, f) + dot3(turned, rf);
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

static void set_masses(const solve *s, row *r) {
  const mover *a = s->mover + r->a, *b = s->mover + r->b;
  const double *e[4] = {r->n, r->t[0], r->t[0], r->t[1]}, *f[4] = {r->n, r->t[0], r->t[1], r->t[1]};
  double K[4];
  for (int k = 0; k < 4; ++k) K[k] = answer(a, r->ra, e[k], f[k]) + answer(b, r->rb, e[k], f[k]);
  r->mass = K[0] > 0.0 ? 1.0 / K[0] : 0.0;
  copy3(K + 1, r->K);
  double mean = 0.5 * (K[1] + K[3]), half = 0.5 * (K[1] - K[3]);
  r->stiffest = mean + sqrt(half * half + K[2] * K[2]);
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
  row r = {.a = c->a, .b = c->b};
  double w[3];
  copy3(c->normal, r.n);
  sub3(c->point, a->x, r.ra);
  sub3(c->point, b->x, r.rb);
  set_tangents(c->normal, r.t);
  set_masses(s, &r);
  r.friction = isnan(b->friction) ? a->friction : sqrt(a->friction * b->friction);
  relative(s->mover + r.a, s->mover + r.b, &r, w);
  r.bound = bound_of(s->scene, c, dot3(w, r.n));
  *wrong = r.bound - dot3(w, r.n);
  return r;
}

// Begins with the impulses of the last step: those along the new normal, and in the new tangent plane.
static void begin(const solve *s, row *r, const mote_contact *c) {
  double J[3];
  if (r->mass == 0.0 || !(c->press > 0.0)) return;
  r->press = c->press;
  for (int k = 0; k < 2; ++k) r->drag[k] = dot3(c->drag, r->t[k]);
  double size = sqrt(r->drag[0] * r->drag[0] + r->drag[1] * r->drag[1]), most = r->friction * r->press;
  for (int k = 0; k < 2 && size > most; ++k) r->drag[k] *= most / size;
  for (int k = 0; k < 3; ++k) {
    J[k] = r->press * r->n[k] + r->drag[0] * r->t[0][k] + r->drag[1] * r->t[1][k];
  }
  kick_both(s->mover + r->a, s->mover + r->b, r, J);
}

// --- One contact: each returns how much the velocity there had to be changed --------------------------

static double solve_press(const solve *s, row *r) {
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  double w[3], J[3];
  relative(a, b, r, w);
  double before = r->press;
  r->press = max2(0.0, before + (r->bound - dot3(w, r->n)) * r->mass);
  double change = r->press - before;
  if (change == 0.0) return 0.0;
  for (int k = 0; k < 3; ++k) J[k] = change * r->n[k];
  kick_both(a, b, r, J);
  return fabs(change) / r->mass;
}

// The impulse d in the tangent plane that stops it, from velocity u; what is zero is left out (in 2D across
// the plane, on a hinge along it).
static void stop(const row *r, const double u[2], double d[2]) {
  double trace = r->K[0] + r->K[2], determinant = r->K[0] * r->K[2] - r->K[1] * r->K[1];
  if (determinant > 1e-12 * trace * trace) {
    d[0] = (r->K[1] * u[1] - r->K[2] * u[0]) / determinant;
    d[1] = (r->K[1] * u[0] - r->K[0] * u[1]) / determinant;
  } else {
    for (int k = 0; k < 2; ++k) d[k] = r->K[2 * k] > 1e-12 * trace ? -u[k] / r->K[2 * k] : 0.0;
  }
}

// It sticks where the normal impulse can hold that. Else it slips: d = cut(d - u / k) for any scalar k has
// its fixed point where d is against u, which d = cut(d - K^-1 u) has not; the largest eigenvalue of K is
// safe.
static double solve_drag(const solve *s, row *r) {
  mover *a = s->mover + r->a, *b = s->mover + r->b;
  double w[3], J[3], d[2], change[2], most = r->friction * r->press;
  if (most == 0.0 && r->drag[0] == 0.0 && r->drag[1] == 0.0) return 0.0;
  relative(a, b, r, w);
  double u[2] = {dot3(w, r->t[0]), dot3(w, r->t[1])};
  stop(r, u, d);
  for (int k = 0; k < 2; ++k) d[k] += r->drag[k];
  if (d[0] * d[0] + d[1] * d[1] > most * most) {
    for (int k = 0; k < 2; ++k) d[k] = r->drag[k] - (r->stiffest > 0.0 ? u[k] / r->stiffest : 0.0);
    double size = sqrt(d[0] * d[0] + d[1] * d[1]);
    if (size > most) d[0] *= most / size, d[1] *= most / size;
  }
  for (int k = 0; k < 2; ++k) change[k] = d[k] - r->drag[k], r->drag[k] = d[k];
  for (int k = 0; k < 3; ++k) J[k] = change[0] * r->t[0][k] + change[1] * r->t[1][k];
  kick_both(a, b, r, J);
  return max2(fabs(change[0]), fabs(change[1])) * r->stiffest;
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
  int threads = s->scene->threads < 1 ? 1 : s->scene->threads;
  if (threads > MOTE_THREADS_MAX) threads = MOTE_THREADS_MAX;
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

static void load(const solve *s) {
  for (size_t k = 0; k < s->scene->solids; ++k) {
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

// Returns the largest velocity along a normal that has to be changed.
static double make_rows(const solve *s, const mote_contact_set *set) {
  double wrong = 0.0, own;
  for (size_t g = 0; g < s->groups; ++g) {
    for (size_t k = 0; k < s->group[g].count; ++k) {
      row *r = s->row + s->group[g].first + k;
      size_t contact = s->group[g].contact + k;
      *r = make_row(s, set->contact + contact, &own);
      r->contact = contact;
      wrong = max2(wrong, own);
    }
  }
  return wrong;
}

static void solve_velocities(const solve *s, double wrong, int sweeps, mote_contact_set *set,
                             mote_contact_report *report) {
  for (size_t k = 0; k < s->rows; ++k) begin(s, s->row + k, set->contact + s->row[k].contact);
  do {
    report->change = sweep(s, report->sweeps, true);
  } while (++report->sweeps < sweeps && report->change > CONVERGED * wrong);
  for (size_t k = 0; k < s->rows; ++k) {
    const row *r = s->row + k;
    mote_contact *c = set->contact + r->contact;
    c->press = r->press;
    for (int i = 0; i < 3; ++i) c->drag[i] = r->drag[0] * r->t[0][i] + r->drag[1] * r->t[1][i];
  }
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->mover[k].v, s->scene->solid[k].v);
    copy3(s->mover[k].w, s->scene->solid[k].w);
  }
}

// The same rows once more, with velocities that only undo overlap.
static void solve_overlap(const solve *s, const mote_contact_set *set) {
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

mote_result mote_contact_solve(const mote_contact_scene *scene, mote_contact_set *set, bool again,
                               mote_arena *scratch, mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  solve s = {.scene = scene, .rows = set->count};
  s.mover = mote_arena_take(scratch, scene->solids, sizeof *s.mover);
  s.row = mote_arena_take(scratch, s.rows, sizeof *s.row);
  s.group = mote_arena_take(scratch, s.rows, sizeof *s.group);
  uint64_t *used = mote_arena_take(scratch, scene->solids, sizeof *used);
  uint8_t *shade = mote_arena_take(scratch, s.rows, sizeof *shade);
  *report = (mote_contact_report){0};
  bool ok = s.mover != NULL && s.row != NULL && s.group != NULL && used != NULL && shade != NULL;
  if (ok) {
    load(&s);
    colour_groups(&s, set, used, shade);
    solve_velocities(&s, make_rows(&s, set), again ? SWEEPS_AGAIN : SWEEPS_MOST, set, report);
    solve_overlap(&s, set);
  }
  for (size_t k = 0; k < set->count; ++k) report->overlap = max2(report->overlap, -set->contact[k].gap);
  mote_arena_release(scratch, mark);
  return ok ? MOTE_OK : mote_fail_memory(error, s.rows * (sizeof *s.row + sizeof *s.group));
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
