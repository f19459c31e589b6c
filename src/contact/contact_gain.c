// Impulses without a gain of energy: see contact_gain.h. The warm start with impulses that are too large may
// add energy if sweeps are few. The gain of an island is the work of its impulses; if it is positive, its
// velocities are blended with those of sweeps without warm start, which never gain energy.
#include "contact/contact_gain.h"

#include "contact/tuning.inc"
#include "geom/triple.h"

#define SWEEPS_MAX 60    // without warm start
#define BODIES_MAX 1024  // of an island: in a larger pile one impact is nothing

typedef mote_contact_rows solve;

// Coefficients of the work of the impulses (1 - a) p + a q between two solutions p and q; and its size.
typedef struct work {
  double c[3], size;
} work;

// Of one contact: impulses, velocity of the gap.
typedef struct state {
  double impulse[3], w[3];
} state;

typedef struct island {
  const solve *s;
  const uint32_t *body, *group;
  size_t bodies, groups;
  state *warm;  // by row, in the order of the groups
  mote_mover *mover;
} island;

// Relative velocity before any impulse.
static void first_velocity(const solve *s, const mote_contact_row *r, double out[3]) {
  double v[2][3];
  for (int side = 0; side < 2; ++side) {
    size_t k = side == 0 ? r->a : r->b;
    bool body = k < s->scene->bodies;
    const mote_obstacle *obstacle = s->scene->obstacle + k;
    cross3(body ? s->start + 6 * k + 3 : obstacle->w, side == 0 ? r->ra : r->rb, v[side]);
    step3(v[side], 1.0, body ? s->start + 6 * k : obstacle->v, v[side]);
  }
  sub3(v[0], v[1], out);
}

static void read_state(const solve *s, size_t number, state *out) {
  const mote_contact_row *r = s->row + number;
  const mote_contact_tangent *t = s->tangent + number;
  for (int k = 0; k < 3; ++k) {
    out->impulse[k] = r->normal_impulse * r->n[k];
    if (s->has_tangent[number])
      out->impulse[k] += t->friction_impulse[0] * t->t[0][k] + t->friction_impulse[1] * t->t[1][k];
  }
  mote_contact_row_velocity(s, number, out->w);
}

// Adds the work of a row: its impulse times the mean of the velocities before and after it.
static void add_work(const solve *s, size_t number, const state *p, const state *q, work *sum) {
  const mote_contact_row *r = s->row + number;
  double w[3], change[3], speed[3];
  first_velocity(s, r, w);
  for (int k = 0; k < 3; ++k) w[k] = 0.5 * (w[k] + p->w[k]);
  sum->c[0] += dot3(p->impulse, w);
  sum->size += fabs(dot3(p->impulse, w));
  if (q == p) return;
  for (int k = 0; k < 3; ++k) change[k] = q->impulse[k] - p->impulse[k], speed[k] = 0.5 * (q->w[k] - p->w[k]);
  sum->c[1] += dot3(change, w) + dot3(p->impulse, speed);
  sum->c[2] += dot3(change, speed);
}

// --- An island ----------------------------------------------------------------------------------------

static work work_of(const island *in, const state *from) {
  work sum = {0};
  size_t n = 0;
  for (size_t g = 0; g < in->groups; ++g) {
    mote_contact_group of = in->s->group[in->group[g]];
    for (size_t k = 0; k < of.count; ++k, ++n) {
      state now;
      read_state(in->s, of.first + k, &now);
      add_work(in->s, of.first + k, &now, from == NULL ? &now : from + n, &sum);
    }
  }
  return sum;
}

static bool gains(const island *in) {
  work now = work_of(in, NULL);
  return now.c[0] > GAIN_TOLERANCE * now.size;
}

static mote_result save(island *in, mote_arena *scratch, mote_error *error) {
  size_t rows = 0, n = 0;
  for (size_t g = 0; g < in->groups; ++g) rows += in->s->group[in->group[g]].count;
  MOTE_TAKE(in->warm, scratch, rows, error);
  MOTE_TAKE(in->mover, scratch, in->bodies, error);
  for (size_t k = 0; k < in->bodies; ++k) in->mover[k] = in->s->mover[in->body[k]];
  for (size_t g = 0; g < in->groups; ++g) {
    mote_contact_group of = in->s->group[in->group[g]];
    for (size_t k = 0; k < of.count; ++k) read_state(in->s, of.first + k, in->warm + n++);
  }
  return MOTE_OK;
}

// Removes all impulses.
static void begin_anew(const island *in) {
  const solve *s = in->s;
  const double none[3] = {0.0, 0.0, 0.0};
  for (size_t k = 0; k < in->bodies; ++k) mote_contact_load_mover(s, in->body[k]);
  for (size_t g = 0; g < in->groups; ++g) {
    mote_contact_group of = s->group[in->group[g]];
    for (size_t k = of.first; k < of.first + of.count; ++k) mote_contact_set_impulse(s, k, none, true);
  }
}

static void solve_plain(const island *in) {
  double change = HUGE_VAL, first = 0.0;
  for (int n = 0; n < SWEEPS_MAX && change > GAIN_SWEEP_TOLERANCE * first; ++n) {
    mote_contact_sweep how = {n % 2 != 0, true};
    change = 0.0;
    for (size_t g = 0; g < in->groups; ++g) {
      size_t group = in->group[how.reversed ? in->groups - 1 - g : g];
      change = max2(change, mote_contact_solve_group(in->s, group, how));
    }
    first = n == 0 ? change : first;
  }
}

// The largest fraction of the warm start's solution whose work is not positive.
static double part_of(const work *w) {
  double a = w->c[2], b = w->c[1], c = w->c[0];
  if (!(c < 0.0)) return 0.0;
  double root = b * b - 4.0 * a * c, q = root > 0.0 ? b + sqrt(root) : b;  // a, the work of changes, >= 0
  double part = q > 0.0 ? -2.0 * c / q : 1.0;
  return min2(1.0, part);
}

static void mix_row(const solve *s, size_t number, double part, const state *warm) {
  const mote_contact_row *r = s->row + number;
  double impulse[3];
  impulse[0] = r->normal_impulse + part * (dot3(warm->impulse, r->n) - r->normal_impulse);
  for (int k = 0; k < 2; ++k) {
    const mote_contact_tangent *t = s->tangent + number;
    double now = s->has_tangent[number] ? t->friction_impulse[k] : 0.0;
    impulse[k + 1] = s->has_tangent[number] ? now + part * (dot3(warm->impulse, t->t[k]) - now) : 0.0;
  }
  mote_contact_set_impulse(s, number, impulse, true);
}

static void mix(const island *in, double part) {
  size_t n = 0;
  for (size_t g = 0; g < in->groups; ++g) {
    mote_contact_group of = in->s->group[in->group[g]];
    for (size_t k = 0; k < of.count; ++k) mix_row(in->s, of.first + k, part, in->warm + n++);
  }
  for (size_t k = 0; k < in->bodies; ++k) {
    mote_mover *m = in->s->mover + in->body[k];
    for (int a = 0; a < 3; ++a) {
      m->v[a] += part * (in->mover[k].v[a] - m->v[a]);
      m->w[a] += part * (in->mover[k].w[a] - m->w[a]);
    }
  }
}

static mote_result limit_island(island *in, mote_arena *scratch, mote_error *error) {
  if (in->bodies > BODIES_MAX || !gains(in)) return MOTE_OK;
  MOTE_TRY(save(in, scratch, error));
  begin_anew(in);
  solve_plain(in);
  work sum = work_of(in, in->warm);
  mix(in, part_of(&sum));
  return MOTE_OK;
}

mote_result mote_contact_limit_gain(const mote_contact_rows *s, const mote_islands *islands,
                                    mote_arena *scratch, mote_error *error) {
  mote_result result = MOTE_OK;
  for (size_t k = 0; result == MOTE_OK && k < islands->count; ++k) {
    size_t body = islands->bodies[k], group = islands->groups[k];
    island in = {.s = s, .body = islands->body + body, .group = islands->group + group};
    in.bodies = islands->bodies[k + 1] - body, in.groups = islands->groups[k + 1] - group;
    mote_arena_mark own = mote_arena_here(scratch);
    result = limit_island(&in, scratch, error);
    mote_arena_release(scratch, own);
  }
  return result;
}
