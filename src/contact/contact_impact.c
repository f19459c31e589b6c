// Impacts in rounds: see contact_impact.h. A round takes the contacts that approach, finds the impulses that
// stop them, and gives each 1 + e times as much; then friction, which opposes sliding. Neither adds energy.
// Velocities are those of the step's end. A contact that meets when the fraction `rest` of the step is left
// has `drift` less: what gravity adds after the impact.
#include "contact/contact_impact.h"

#include <string.h>

#include "base/sets.h"
#include "contact/contact_arrival.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define ROUNDS_MAX 64
#define BLOCK_ROWS 16          // of a pair that are solved together
#define BLOCK_STEPS 400        // of a block
#define SWEEPS_MOST 1000       // over the contacts of a round
#define VISITS_LEAST 4000      // of contacts in all rounds
#define VISITS_PER_CONTACT 2   // beyond these: of all contacts, met or not
#define IMPACT_ROUNDING 1e-13  // rounding: of the fastest approach

typedef mote_contact_rows solve;

// A contact of a round.
typedef struct hit {
  size_t row, contact;
  double drift[3];           // of its relative velocity
  double rest, restitution;  // of the step after the impact
  double first, stopped;     // m/s along the normal: before the round, without restitution
  double compliance[BLOCK_ROWS], compliance_max;  // with those of its block; of all of them the largest sum
  bool settled;                                   // by its last visit,
  uint32_t seen[2];                               // after so many changes of its bodies
  double impulse, friction[2];
} hit;

typedef struct impacts {
  solve *s;
  mote_contact_set *set;
  bool again;  // the velocities contain the impulses of supports
  hit *hit;    // of the round
  size_t hits;
  size_t *first;   // per obstacle and one more: index of its first group in `at`
  uint32_t *at;    // groups
  uint32_t *next;  // groups to look at
  size_t nexts;
  uint32_t *round;    // per group: the last round in which it is looked at
  uint8_t *moved;     // per obstacle: in this round
  uint32_t *joined;   // per obstacle: sets of those in contact in a round
  double (*work)[4];  // per obstacle, of the root of a set: coefficients of its energy's change; its size
  uint32_t *changes;  // per obstacle: of its velocity
  size_t visits;      // of contacts that are left
  double fastest;     // approach, of the first round
} impacts;

// --- Arrival ------------------------------------------------------------------------------------------

// Of the step, after the last impact of an obstacle.
static double rest_of(const solve *s, size_t k) {
  return s->scene->obstacle[k].bounced ? s->scene->obstacle[k].rest : 1.0;
}

// Velocities at a contact: of the gap after the step, and of its displacement.
static double gap_speed(const solve *s, size_t number, const mote_contact *c, const mote_mover *of) {
  const mote_contact_row *r = s->row + number;
  double w[3];
  mote_contact_pair_velocity(s, number, of + r->a, of + r->b, w);
  return dot3(w, r->n) - mote_contact_surface_speed(s, number, c);
}

// The gap at the end of the step without more impacts, over its length.
static double end_gap(const impacts *in, size_t number, const mote_contact *c, double held) {
  return max2(0.0, c->gap) / in->s->scene->dt + gap_speed(in->s, number, c, in->s->flight) - 0.5 * held;
}

static bool approaches(const impacts *in, size_t number, const mote_contact *c, mote_contact_arrival *out) {
  const solve *s = in->s;
  const mote_contact_row *r = s->row + number;
  out->restitution = mote_contact_restitution(s, c);
  if (r->mass == 0.0) return false;
  double since = min2(rest_of(s, r->a), rest_of(s, r->b)), fall, held = mote_contact_kick(s, r, &fall);
  if (in->again) held = 0.0;
  double w = gap_speed(s, number, c, s->mover) - held;
  double gap = end_gap(in, number, c, held) - since * (w - 0.5 * fall * since);
  if (!mote_contact_meets(s, r, since, s->scene->dt * max2(0.0, gap), fall * since - w, out)) return false;
  out->drift += held;
  return true;
}

// --- Contacts of a round --------------------------------------------------------------------------------

// What gravity adds to the relative velocity after the impact.
static void set_drift(const impacts *in, const mote_contact_row *r, const mote_contact_arrival *by,
                      double surface, double out[3]) {
  for (int a = 0; a < 3; ++a) {
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
      const mote_obstacle *obstacle = in->s->scene->obstacle + (side == 0 ? r->a : r->b);
      double part = !obstacle->supported ? by->rest : in->again ? 0.0 : 1.0;
      sum += (side == 0 ? part : -part) * obstacle->kick[a];
    }
    out[a] = sum;
  }
  step3(out, by->drift + surface - dot3(out, r->n), r->n, out);
}

static void take_hits(impacts *in, double least) {
  const solve *s = in->s;
  in->hits = 0;
  for (size_t n = 0; n < in->nexts; ++n) {
    mote_contact_group of = s->group[in->next[n]];
    for (size_t k = 0; k < of.count; ++k) {
      const mote_contact *c = in->set->contact + of.contact + k;
      size_t number = of.first + k;
      mote_contact_arrival by;
      if (!approaches(in, number, c, &by) || !(by.speed > least)) continue;
      hit *h = in->hit + in->hits++;
      *h = (hit){.row = number, .contact = of.contact + k, .rest = by.rest, .restitution = by.restitution};
      set_drift(in, s->row + number, &by, mote_contact_surface_speed(s, number, c), h->drift);
      in->fastest = max2(in->fastest, by.speed);
    }
  }
}

static void hit_velocity(const solve *s, const hit *h, double out[3]) {
  mote_contact_row_velocity(s, h->row, out);
  sub3(out, h->drift, out);
}

static double hit_speed(const solve *s, const hit *h) {
  double w[3];
  hit_velocity(s, h, w);
  return dot3(w, s->row[h->row].n);
}

static void apply(const solve *s, const hit *h, double impulse, mote_mover *of) {
  const mote_contact_row *r = s->row + h->row;
  double p[3];
  for (int k = 0; k < 3; ++k) p[k] = impulse * r->n[k];
  mote_contact_apply(s, h->row, p, of + r->a, of + r->b);
}

// --- Normal impulses ----------------------------------------------------------------------------------

// Changes of the speeds of a block's contacts by their impulses.
static void find_compliance(const solve *s, hit *h, size_t n) {
  double most = 0.0;
  for (size_t j = 0; j < n; ++j) {
    mote_mover a = {0}, b = {0};
    double w[3], sum = 0.0;
    mote_contact_apply(s, h[j].row, s->row[h[j].row].n, &a, &b);
    for (size_t i = 0; i < n; ++i) {
      mote_contact_pair_velocity(s, h[i].row, &a, &b, w);
      h[j].compliance[i] = dot3(w, s->row[h[i].row].n);
      sum += fabs(h[j].compliance[i]);
    }
    most = max2(most, sum);
  }
  for (size_t j = 0; j < n; ++j) h[j].compliance_max = most;
}

// The changes of impulses that stop the approach of a block, by projected gradients: of the many at a face
// they find even ones.
static void find_changes(const solve *s, const hit *h, size_t n, double x[BLOCK_ROWS]) {
  double w[BLOCK_ROWS], scale = 0.0, change = HUGE_VAL, inverse = 1.0 / h->compliance_max;
  for (size_t i = 0; i < n; ++i) {
    w[i] = hit_speed(s, h + i), x[i] = 0.0;
    scale = max2(scale, fabs(w[i]));
  }
  for (int step = 0; step < BLOCK_STEPS && change > IMPACT_ROUNDING * scale * inverse; ++step) {
    double by[BLOCK_ROWS];
    change = 0.0;
    for (size_t i = 0; i < n; ++i) {
      double speed = w[i];
      for (size_t j = 0; j < n; ++j) speed += h[i].compliance[j] * x[j];
      by[i] = max2(-h[i].impulse, x[i] - speed * inverse) - x[i];
    }
    for (size_t i = 0; i < n; ++i) x[i] += by[i], change = max2(change, fabs(by[i]));
  }
}

// Returns the largest change of a speed.
static double solve_block(const solve *s, hit *h, size_t n) {
  double x[BLOCK_ROWS], change = 0.0;
  find_changes(s, h, n, x);
  for (size_t i = 0; i < n; ++i) {
    h[i].impulse += x[i];
    apply(s, h + i, x[i], s->mover);
    change = max2(change, fabs(x[i]) * h[i].compliance[i]);
  }
  return change;
}

static size_t block_end(const impacts *in, size_t from) {
  const mote_contact_row *row = in->s->row, *r = row + in->hit[from].row;
  size_t end = from + 1;
  for (; end < in->hits && end < from + BLOCK_ROWS; ++end) {
    const mote_contact_row *other = row + in->hit[end].row;
    if (other->a != r->a || other->b != r->b) break;
  }
  return end;
}

// Visits blocks until they are settled: one is visited again when another has changed one of its bodies, or
// its last visit changed more than rounding.
typedef double visit(const solve *s, hit *h, size_t count);

static void settle(impacts *in, bool blocks, visit *one) {
  const mote_contact_row *row = in->s->row;
  for (size_t n = 0; n < in->hits; ++n) in->hit[n].settled = false;
  bool any = true;
  for (int sweep = 0; sweep < SWEEPS_MOST && any && in->visits > 0; ++sweep) {
    any = false;
    for (size_t n = 0, end; n < in->hits; n = end) {
      hit *h = in->hit + n;
      uint32_t *of_a = in->changes + row[h->row].a, *of_b = in->changes + row[h->row].b;
      end = blocks ? block_end(in, n) : n + 1;
      if (h->settled && h->seen[0] == *of_a && h->seen[1] == *of_b) continue;
      bool changes = one(in->s, h, end - n) > IMPACT_ROUNDING * in->fastest;
      h->settled = !changes || (blocks && end == n + 1);
      if (changes && in->s->mass[row[h->row].a].moves) ++*of_a;
      if (changes && in->s->mass[row[h->row].b].moves) ++*of_b;
      h->seen[0] = *of_a, h->seen[1] = *of_b;
      any = any || changes;
      in->visits -= in->visits < end - n ? in->visits : end - n;
    }
  }
}

static void stop_normals(impacts *in) {
  for (size_t n = 0, end; n < in->hits; n = end) {
    end = block_end(in, n);
    find_compliance(in->s, in->hit + n, end - n);
  }
  for (size_t n = 0; n < in->hits; ++n) in->hit[n].first = hit_speed(in->s, in->hit + n);
  settle(in, true, solve_block);
  for (size_t n = 0; n < in->hits; ++n) in->hit[n].stopped = hit_speed(in->s, in->hit + n);
}

static uint32_t set_of(const impacts *in, const hit *h) {
  const mote_contact_row *r = in->s->row + h->row;
  return mote_set_root(in->joined, in->s->mass[r->a].moves ? r->a : r->b);
}

// The bodies that have contacts in this round with each other, directly or not.
static void join(const impacts *in) {
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t n = 0; n < in->hits; ++n) {
      const mote_contact_row *r = in->s->row + in->hit[n].row;
      if (pass == 0) {
        in->joined[r->a] = r->a, in->joined[r->b] = r->b;
        for (int k = 0; k < 4; ++k) in->work[r->a][k] = in->work[r->b][k] = 0.0;
      } else if (in->s->mass[r->a].moves && in->s->mass[r->b].moves) {
        mote_set_join(in->joined, r->a, r->b);
      }
    }
  }
}

// The largest part of the restitution that adds no energy. All of it does not where contacts are equally
// elastic.
static double part_of(const double work[4]) {
  double c = work[0], b = work[1], a = work[2];
  if (c + b + a <= IMPACT_ROUNDING * work[3]) return 1.0;
  double root = b * b - 4.0 * a * c, q = b + (root > 0.0 ? sqrt(root) : 0.0);
  return q > 0.0 && c < 0.0 ? min2(1.0, -2.0 * c / q) : 0.0;
}

// Adds e times the impulses. The energy of the bodies of a set changes by a quadratic function of the part.
static void restore(const impacts *in) {
  const solve *s = in->s;
  join(in);
  for (size_t n = 0; n < in->hits; ++n) {
    const hit *h = in->hit + n;
    if (h->restitution > 0.0 && h->impulse > 0.0) apply(s, h, h->restitution * h->impulse, s->mover);
  }
  for (size_t n = 0; n < in->hits; ++n) {
    const hit *h = in->hit + n;
    double *work = in->work[set_of(in, h)], more = h->restitution * h->impulse;
    double mean = 0.5 * (h->first + h->stopped), rise = 0.5 * (hit_speed(s, h) - h->stopped);
    work[0] += h->impulse * mean;
    work[1] += h->impulse * rise + more * mean;
    work[2] += more * rise;
    work[3] += fabs(h->impulse * h->first);
  }
  for (size_t n = 0; n < in->hits; ++n) {
    hit *h = in->hit + n;
    double part = part_of(in->work[set_of(in, h)]), more = h->restitution * h->impulse;
    if (part < 1.0) apply(s, h, (part - 1.0) * more, s->mover);
    h->impulse += part * more;
  }
}

// --- Friction -----------------------------------------------------------------------------------------

// Friction of a contact within the disc that its normal impulse gives. Returns the change of its velocity.
static double rub(const solve *s, hit *h, size_t count) {
  (void)count;
  const mote_contact_tangent *t = mote_contact_tangent_of(s, h->row);
  const mote_contact_row *r = s->row + h->row;
  double w[3], most = t->friction * h->impulse, p[3];
  if (!(most > 0.0)) return 0.0;
  hit_velocity(s, h, w);
  double u0 = dot3(w, t->t[0]), u1 = dot3(w, t->t[1]);
  double d0 = h->friction[0] - (t->tangent_mass[0] * u0 + t->tangent_mass[1] * u1);
  double d1 = h->friction[1] - (t->tangent_mass[1] * u0 + t->tangent_mass[2] * u1);
  if (d0 * d0 + d1 * d1 > most * most) {
    d0 = h->friction[0] - u0 * t->inverse_compliance_max,
    d1 = h->friction[1] - u1 * t->inverse_compliance_max;
    double size = sqrt(d0 * d0 + d1 * d1);
    if (size > most) d0 *= most / size, d1 *= most / size;
  }
  double by[2] = {d0 - h->friction[0], d1 - h->friction[1]};
  h->friction[0] = d0, h->friction[1] = d1;
  for (int k = 0; k < 3; ++k) p[k] = by[0] * t->t[0][k] + by[1] * t->t[1][k];
  mote_contact_apply(s, h->row, p, s->mover + r->a, s->mover + r->b);
  return max2(fabs(by[0]), fabs(by[1])) * t->compliance_max;
}

// --- Rounds -------------------------------------------------------------------------------------------

static void note_mover(const impacts *in, size_t k, double rest) {
  mote_obstacle *obstacle = in->s->scene->obstacle + k;
  if (!in->s->mass[k].moves) return;
  in->moved[k] = 1;
  obstacle->rest = min2(rest_of(in->s, k), rest), obstacle->bounced = true;
}

// Keeps the impulses of the round and displaces what they move in the rest of the step.
static void keep_hits(const impacts *in) {
  const solve *s = in->s;
  for (size_t n = 0; n < in->hits; ++n) {
    const hit *h = in->hit + n;
    const mote_contact_row *r = s->row + h->row;
    mote_contact *c = in->set->contact + h->contact;
    double p[3], later[3];
    if (!(h->impulse > 0.0)) continue;
    const mote_contact_tangent *t = mote_contact_tangent_of(s, h->row);
    for (int k = 0; k < 3; ++k) {
      p[k] = h->impulse * r->n[k] + h->friction[0] * t->t[0][k] + h->friction[1] * t->t[1][k];
      later[k] = h->rest * p[k];
    }
    mote_contact_apply(s, h->row, later, s->flight + r->a, s->flight + r->b);
    step3(c->impact, c->a > c->b ? -1.0 : 1.0, p, c->impact);
    note_mover(in, r->a, h->rest);
    note_mover(in, r->b, h->rest);
  }
}

// The groups of the bodies that moved.
static void find_next(impacts *in, uint32_t round) {
  in->nexts = 0;
  for (size_t n = 0; n < in->hits; ++n) {
    const mote_contact_row *r = in->s->row + in->hit[n].row;
    for (int side = 0; side < 2; ++side) {
      uint32_t body = side == 0 ? r->a : r->b;
      if (!in->moved[body]) continue;
      in->moved[body] = 0;
      for (size_t k = in->first[body]; k < in->first[body + 1]; ++k) {
        if (in->round[in->at[k]] == round) continue;
        in->round[in->at[k]] = round;
        in->next[in->nexts++] = in->at[k];
      }
    }
  }
}

static void find_groups(impacts *in) {
  const solve *s = in->s;
  size_t obstacles = s->scene->obstacles;
  for (size_t k = 0; k <= obstacles; ++k) in->first[k] = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t g = 0; g < s->groups; ++g) {
      const uint32_t both[2] = {s->group[s->in_order[g]].a, s->group[s->in_order[g]].b};
      for (int side = 0; side < 2; ++side) {
        if (!s->mass[both[side]].moves) continue;
        if (pass == 0) {
          ++in->first[both[side]];
        } else {
          in->at[in->first[both[side]]++] = s->in_order[g];
        }
      }
    }
    size_t sum = 0;
    for (size_t k = 0; k <= obstacles && pass == 0; ++k) {
      size_t own = in->first[k];
      in->first[k] = sum, sum += own;
    }
  }
  for (size_t k = obstacles; k > 0; --k) in->first[k] = in->first[k - 1];
  in->first[0] = 0;
}

static mote_result begin(impacts *in, mote_arena *scratch, mote_error *error) {
  solve *s = in->s;
  size_t obstacles = s->scene->obstacles;
  MOTE_TAKE(in->hit, scratch, s->rows, error);
  MOTE_TAKE(in->first, scratch, obstacles + 1, error);
  MOTE_TAKE(in->at, scratch, 2 * s->groups, error);
  MOTE_TAKE(in->next, scratch, s->groups, error);
  MOTE_TAKE(in->round, scratch, s->groups, error);
  MOTE_TAKE(in->moved, scratch, obstacles, error);
  MOTE_TAKE(in->joined, scratch, obstacles, error);
  MOTE_TAKE(in->work, scratch, obstacles, error);
  MOTE_TAKE(in->changes, scratch, obstacles, error);
  for (size_t k = 0; k < obstacles; ++k) in->moved[k] = 0, in->changes[k] = 0;
  in->visits = VISITS_LEAST + VISITS_PER_CONTACT * s->rows;
  in->nexts = 0;
  for (size_t g = 0; g < s->groups; ++g) {
    mote_contact_group of = s->group[s->in_order[g]];
    in->round[g] = 0;
    if (in->again || memchr(s->arrives + of.first, 1, of.count) != NULL)
      in->next[in->nexts++] = s->in_order[g];
  }
  find_groups(in);
  return MOTE_OK;
}

// Displacements before the impacts: of what falls freely by the mean of its velocities.
static mote_result begin_flights(const impacts *in, mote_arena *scratch, mote_error *error) {
  solve *s = in->s;
  MOTE_TAKE(s->flight, scratch, s->scene->obstacles, error);
  for (size_t k = 0; k < s->scene->obstacles; ++k) {
    const mote_obstacle *obstacle = s->scene->obstacle + k;
    mote_mover *m = s->flight + k;
    *m = s->mover[k];
    if (k >= s->scene->bodies) continue;
    double change =
        distance3(m->v, s->start + 6 * k) + distance3(m->w, s->start + 6 * k + 3) * obstacle->radius;
    if (!obstacle->bounced && change <= MOTE_VELOCITY_ROUNDING * length3(obstacle->kick)) {
      step3(m->v, -0.5, obstacle->kick, m->v);
    } else if (in->again) {
      step3(m->v, 1.0, obstacle->correction_velocity, m->v);
      step3(m->w, 1.0, obstacle->correction_spin, m->w);
    }
  }
  return MOTE_OK;
}

// Bounds of the contacts of bodies that bounced: what does not meet until the end of the step is not stopped.
static void renew_bounds(const impacts *in, double *violation) {
  const solve *s = in->s;
  double noise = APPROACH_NOISE * BOUNCE_GRAVITY_STEPS * s->scene->gravity * s->scene->dt;
  for (size_t g = 0; g < s->groups; ++g) {
    mote_contact_group of = s->group[s->in_order[g]];
    if (!s->scene->obstacle[of.a].bounced && !s->scene->obstacle[of.b].bounced) continue;
    for (size_t k = 0; k < of.count; ++k) {
      size_t number = of.first + k;
      const mote_contact *c = in->set->contact + of.contact + k;
      mote_contact_row *r = s->row + number;
      double w = gap_speed(s, number, c, s->mover), surface = mote_contact_surface_speed(s, number, c), fall;
      double held = in->again ? 0.0 : mote_contact_kick(s, r, &fall);
      r->bound = -max2(0.0, c->gap) / s->scene->dt;
      if (r->normal_impulse == 0.0 && end_gap(in, number, c, held) > 0.0)
        r->bound = min2(r->bound, min2(w, w - held)) - noise;
      *violation = max2(*violation, r->bound - w);
      r->bound += surface;
    }
  }
}

// Gives the impacts to the velocities without the impulses of the rows, and in a later solve to the
// displacements.
static void keep_changes(const solve *s, const mote_mover *before, bool again) {
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    mote_obstacle *obstacle = s->scene->obstacle + k;
    const mote_mover *now = s->mover + k, *was = before + k;
    for (int a = 0; a < 3; ++a) {
      s->start[6 * k + a] += now->v[a] - was->v[a];
      s->start[6 * k + 3 + a] += now->w[a] - was->w[a];
    }
    bool changed = memcmp(now, was, sizeof *now) != 0;
    if (!again || !changed) continue;
    sub3(s->flight[k].v, now->v, obstacle->correction_velocity);
    sub3(s->flight[k].w, now->w, obstacle->correction_spin);
  }
}

// Whether there may be impacts; after the first solve of a step, whether they may have been.
static bool may_bounce(const solve *s, bool again) {
  if (s->rows == 0) return false;
  if (!again) return memchr(s->arrives, 1, s->rows) != NULL;
  for (size_t k = 0; k < s->scene->bodies; ++k)
    if (s->scene->obstacle[k].restitution > 0.0) return true;
  return false;
}

mote_result mote_contact_solve_impacts(mote_contact_rows *s, mote_contact_set *set, bool again,
                                       mote_arena *scratch, double *violation, mote_error *error) {
  MOTE_ASSERT(s->rows == set->count);
  impacts in = {.s = s, .set = set, .again = again};
  if (!may_bounce(s, again)) return MOTE_OK;
  MOTE_TRY(begin_flights(&in, scratch, error));
  mote_arena_mark mark = mote_arena_here(scratch);
  MOTE_TAKE_NEW(mote_mover, before, scratch, s->scene->obstacles, error);
  memcpy(before, s->mover, s->scene->obstacles * sizeof *before);
  MOTE_TRY(begin(&in, scratch, error));
  for (uint32_t round = 1; round <= ROUNDS_MAX && in.visits > 0; ++round) {
    take_hits(&in, IMPACT_ROUNDING * in.fastest);
    if (in.hits == 0) break;
    stop_normals(&in);
    restore(&in);
    settle(&in, false, rub);
    keep_hits(&in);
    find_next(&in, round);
  }
  keep_changes(s, before, again);
  renew_bounds(&in, violation);
  mote_arena_release(scratch, mark);
  return MOTE_OK;
}
