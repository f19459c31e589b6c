// Energy, forces and stiffness of touching: see elastic_contact.h. A record's energy is k/2 min(0, gap)^2
// along its plane and mu press f0(|slip|) in it (Li et al. 2020, lagged). Loops over particles that touch,
// each of which writes its own only, and over movers.
#include "contact/elastic_contact.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"

#define GRAIN 64
#define STICK 1e-3  // spacings: how far what sticks may slip at least

// --- One record ---------------------------------------------------------------------------------------

typedef struct state {
  const double *x, *y;
  double since;
} state;

// By how much the mover's point of the record moves for its unknowns y.
static void carried(const mote_soft_touch *s, const mote_touch *t, const double *y, double out[3]) {
  const mote_touch_mover *m = s->mover + t->mover;
  double turn[3], way[3];
  turn3(m->root_inertia, y + 6 * (size_t)t->mover + 3, turn);
  cross3(turn, t->arm, way);
  step3(way, m->root_mass, y + 6 * (size_t)t->mover, out);
}

// The way of i seen from the other: of places since the tick began, or of directions.
static void way_of(const mote_soft_touch *s, const mote_touch *t, const state *at, bool places,
                   double way[3]) {
  const double *x = at->x + 3 * (size_t)t->i;
  copy3(x, way);
  if (places) sub3(way, s->begin + 3 * (size_t)t->i, way);
  if (t->ball) {
    double other[3];
    copy3(at->x + 3 * (size_t)t->other, other);
    if (places) sub3(other, s->begin + 3 * (size_t)t->other, other);
    sub3(way, other, way);
    return;
  }
  if (places) step3(way, -at->since, t->motion, way);
  if (t->mover == MOTE_TOUCH_STILL) return;
  double other[3];
  carried(s, t, at->y, other);
  sub3(way, other, way);
}

// The gap, and the slip along the plane.
static double seen(const mote_soft_touch *s, const mote_touch *t, const state *at, double slip[3]) {
  double way[3];
  way_of(s, t, at, true, way);
  double along = dot3(t->normal, way);
  step3(way, -along, t->normal, slip);
  step3(slip, 1.0, t->slip, slip);
  return t->gap + along;
}

// The slip at which friction is whole. Never so short that friction is stiffer than the normal.
static double stick_of(const mote_soft_touch *s, const mote_touch *t) {
  double d = 2.0 * s->radius[t->i];
  if (t->ball) d = s->radius[t->i] + s->radius[t->other];
  return STICK * d + 2.0 * t->friction * t->press / t->stiff;
}

// The normal force at a gap.
static double press_of(const mote_touch *t, double gap) {
  return t->stiff * max2(0.0, -gap) + t->bar * max2(0.0, -gap - t->depth);
}

static double record_energy(const mote_soft_touch *s, const mote_touch *t, const state *at) {
  double slip[3], gap = seen(s, t, at, slip), over = max2(0.0, -gap), far = max2(0.0, -gap - t->depth);
  double energy = 0.5 * (t->stiff * over * over + t->bar * far * far);
  if (t->press == 0.0) return energy;
  double stick = stick_of(s, t), length = length3(slip), z = length / stick;
  double f0 = z < 1.0 ? stick * (z * z * (1.0 - z / 3.0) + 1.0 / 3.0) : length;
  return energy + t->friction * t->press * f0;
}

static void record_force(const mote_soft_touch *s, const mote_touch *t, const state *at, double force[3]) {
  double slip[3], press = press_of(t, seen(s, t, at, slip));
  for (int k = 0; k < 3; ++k) force[k] = press * t->normal[k];
  if (t->press == 0.0) return;
  double stick = stick_of(s, t), length = length3(slip), z = length / stick;
  double over = z < 1.0 ? (2.0 - z) / stick : 1.0 / length;  // f1(|slip|) / |slip|
  step3(force, -(t->friction * t->press * over), slip, force);
}

static void record_stiffness(const mote_soft_touch *s, mote_touch *t, const state *at) {
  double slip[3], gap = seen(s, t, at, slip);
  t->hold = (gap < 0.0 ? t->stiff : 0.0) + (gap < -t->depth ? t->bar : 0.0);
  memset(t->drag, 0, sizeof t->drag);
  if (t->press == 0.0) return;
  double stick = stick_of(s, t), length = length3(slip), z = length / stick;
  double over = z < 1.0 ? (2.0 - z) / stick : 1.0 / length, slope = z < 1.0 ? (2.0 - 2.0 * z) / stick : 0.0;
  double part = t->friction * t->press,
         along = length > 0.0 ? part * (slope - over) / (length * length) : 0.0;
  const double *n = t->normal;
  int e = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      t->drag[e++] = part * over * ((a == b) - n[a] * n[b]) + along * slip[a] * slip[b];
    }
  }
}

static void record_product(const mote_soft_touch *s, const mote_touch *t, const state *at, double out[3]) {
  double w[3];
  const double *D = t->drag;
  way_of(s, t, at, false, w);
  double along = t->hold * dot3(t->normal, w);
  out[0] = along * t->normal[0] + D[0] * w[0] + D[1] * w[1] + D[2] * w[2];
  out[1] = along * t->normal[1] + D[1] * w[0] + D[3] * w[1] + D[4] * w[2];
  out[2] = along * t->normal[2] + D[2] * w[0] + D[4] * w[1] + D[5] * w[2];
}

// --- Loops --------------------------------------------------------------------------------------------

typedef struct touch_loop {
  mote_soft_touch *write;
  const mote_soft_touch *set;
  state at;
  void (*of)(const mote_soft_touch *s, const mote_touch *t, const state *at, double out[3]);
  double sign, dt;
  double *out, *out_y;
} touch_loop;

static void row_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const touch_loop *l = data;
  const mote_soft_touch *s = l->set;
  for (size_t r = begin; r < end; ++r) {
    double sum[3] = {0}, one[3];
    for (size_t k = s->row[r]; k < s->row[r + 1]; ++k) {
      l->of(s, s->touch + k, &l->at, one);
      step3(sum, l->sign, one, sum);
    }
    double *out = l->out + 3 * (size_t)s->touch[s->row[r]].i;
    step3(out, 1.0, sum, out);
  }
}

// What the records give to the particles they take from the mover.
static void mover_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const touch_loop *l = data;
  const mote_soft_touch *s = l->set;
  for (size_t m = begin; m < end; ++m) {
    double sum[3] = {0}, twist[3] = {0}, one[3], turn[3], *out = l->out_y + 6 * m;
    for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
      const mote_touch *t = s->touch + s->mover_touch[k];
      l->of(s, t, &l->at, one);
      step3(sum, -l->sign, one, sum);
      cross3(t->arm, one, turn);
      step3(twist, -l->sign, turn, twist);
    }
    turn3(s->mover[m].root_inertia, twist, turn);
    step3(out, s->mover[m].root_mass, sum, out);
    step3(out + 3, 1.0, turn, out + 3);
  }
}

static void gather(touch_loop *l) {
  mote_parallel_for(l->set->env.threads, l->set->rows, GRAIN, row_chunk, l);
  mote_parallel_for(l->set->env.threads, l->set->movers, 1, mover_chunk, l);
}

static void touch_forces(const mote_soft_touch *set, const double *x, const double *y, double since,
                         double sign, double *force, double *push) {
  touch_loop l = {.set = set, .at = {x, y, since}, .of = record_force, .sign = sign};
  l.out = force, l.out_y = push;
  gather(&l);
}

static void touch_product(const void *user, const double *dx, const double *dy, double *out, double *out_y) {
  const mote_soft_touch *set = user;
  touch_loop l = {.set = set, .at = {dx, dy, 0.0}, .of = record_product, .sign = 1.0};
  l.out = out, l.out_y = out_y;
  gather(&l);
}

static void energy_chunk(void *data, size_t begin, size_t end, double *sum) {
  const touch_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    const mote_touch *t = l->set->touch + k;
    sum[0] += (t->ball ? 0.5 : 1.0) * record_energy(l->set, t, &l->at);
  }
}

static double touch_energy(const mote_soft_touch *set, const double *x, const double *y, double since) {
  touch_loop l = {.set = set, .at = {x, y, since}};
  double sum;
  mote_parallel_sum(set->env.threads, set->touches, 1, energy_chunk, &l, &sum);
  return sum;
}

static bool touch_acts(const mote_soft_touch *set, const double *x, const double *y, double since) {
  const state at = {x, y, since};
  for (size_t k = 0; k < set->touches; ++k) {
    double slip[3];
    if (set->touch[k].press != 0.0 || seen(set, set->touch + k, &at, slip) < 0.0) return true;
  }
  return false;
}

static void lag_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const touch_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    mote_touch *t = l->write->touch + k;
    double slip[3], gap = seen(l->set, t, &l->at, slip);
    t->press = t->friction > 0.0 ? press_of(t, gap) : 0.0;
  }
}

static void touch_lag(mote_soft_touch *set, const double *x, const double *y, double since) {
  touch_loop l = {.write = set, .set = set, .at = {x, y, since}};
  mote_parallel_for(set->env.threads, set->touches, GRAIN, lag_chunk, &l);
}

static void stiffness_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const touch_loop *l = data;
  for (size_t k = begin; k < end; ++k) record_stiffness(l->set, l->write->touch + k, &l->at);
}

// Of p: sum k m^-1; of q: the trace of sum k, which is no less than any entry.
static void find_diagonal(mote_soft_touch *s, size_t m) {
  mote_touch_mover *mover = s->mover + m;
  mover->diagonal[0] = mover->diagonal[1] = 0.0;
  for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
    const mote_touch *t = s->touch + s->mover_touch[k];
    double turn[3], twist[3], stiff = t->hold + max2(t->drag[0], max2(t->drag[3], t->drag[5]));
    cross3(t->arm, t->normal, turn);
    turn3(mover->root_inertia, turn, twist);
    mover->diagonal[0] += stiff * mover->root_mass * mover->root_mass;
    mover->diagonal[1] += stiff * dot3(twist, twist);
  }
}

static void touch_stiffness(mote_soft_touch *set, const double *x, const double *y, double since) {
  touch_loop l = {.write = set, .set = set, .at = {x, y, since}};
  mote_parallel_for(set->env.threads, set->touches, GRAIN, stiffness_chunk, &l);
  for (size_t m = 0; m < set->movers; ++m) find_diagonal(set, m);
}

// --- The tick -----------------------------------------------------------------------------------------

static void take_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const touch_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    mote_touch *t = l->write->touch + k;
    double force[3];
    record_force(l->set, t, &l->at, force);
    step3(t->impulse, l->dt, force, t->impulse);
  }
}

static void touch_take(mote_soft_touch *set, const double *x, const double *y, double since, double dt) {
  touch_loop l = {.write = set, .set = set, .at = {x, y, since}, .dt = dt};
  mote_parallel_for(set->env.threads, set->touches, GRAIN, take_chunk, &l);
}

// By how much the velocities at the end of the tick do not tell its way.
static void find_shift(const mote_soft_touch *s, mote_touch_mover *mover, const double *place) {
  double spin[3], whole[3];
  turn3(mover->root_inertia, mover->twist, spin);
  step3(place + 3, -s->since, spin, spin);
  turn3(mover->root_inertia, spin, mover->turn);
  step3(place, -s->since * mover->root_mass, mover->impulse, whole);
  for (int a = 0; a < 3; ++a) mover->shift[a] = mover->root_mass * whole[a];
}

// The impulses of records, taken from the movers.
static void sum_movers(mote_soft_touch *s) {
  for (size_t m = 0; m < s->movers; ++m) {
    mote_touch_mover *mover = s->mover + m;
    set3(0.0, 0.0, 0.0, mover->impulse), set3(0.0, 0.0, 0.0, mover->twist);
    for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
      const mote_touch *t = s->touch + s->mover_touch[k];
      double turn[3];
      cross3(t->arm, t->impulse, turn);
      step3(mover->impulse, -1.0, t->impulse, mover->impulse);
      step3(mover->twist, -1.0, turn, mover->twist);
    }
    find_shift(s, mover, s->place + 6 * m);
  }
}

static mote_touch_memory remember(const mote_soft_touch *s, const mote_touch *t, const state *at) {
  mote_touch_memory m = {.i = t->i, .other = t->other, .ball = t->ball};
  seen(s, t, at, m.slip);
  double length = length3(m.slip), most = stick_of(s, t);
  for (int a = 0; length > most && a < 3; ++a) m.slip[a] *= most / length;
  return m;
}

// Of parts that were stepped from their records, of the others as it was.
static mote_result renew_memory(mote_soft_touch *s, const state *at, mote_error *error) {
  size_t room = s->touches + s->memories + 1, count = 0, k = 0, old = 0;
  MOTE_TRY(mote_reserve(&s->env, &s->fresh, &s->fresh_held, room, sizeof *s->fresh, error));
  for (size_t p = 0; p < s->parts; ++p) {
    size_t end = s->start[p + 1];
    for (; k < s->touches && s->touch[k].i < end; ++k) {
      if (s->touch[k].press != 0.0) s->fresh[count++] = remember(s, s->touch + k, at);
    }
    for (; old < s->memories && s->memory[old].i < end; ++old) {
      if (!mote_soft_touch_steps(s, p)) s->fresh[count++] = s->memory[old];
    }
  }
  mote_touch_memory *fresh = s->fresh;
  size_t held = s->fresh_held;
  s->fresh = s->memory, s->fresh_held = s->memory_held;
  s->memory = fresh, s->memory_held = held, s->memories = count;
  return MOTE_OK;
}

mote_result mote_soft_touch_end(mote_soft_touch *set, const double *x, mote_error *error) {
  const state at = {x, set->place, set->since};
  touch_lag(set, x, set->place, set->since);
  sum_movers(set);
  return renew_memory(set, &at, error);
}

// --- Explicit steps -----------------------------------------------------------------------------------

static void pull_movers(mote_soft_touch *s, double dt) {
  for (size_t m = 0; m < s->movers; ++m) {
    double root = s->mover[m].root_mass, *speed = s->speed + 6 * m;
    if (root > 0.0) step3(speed, dt / root, s->pull, speed);
  }
}

static void touch_drift(void *user, double dt) {
  mote_soft_touch *set = user;
  if (set->since == 0.0) pull_movers(set, -set->tick);
  set->since += dt;
  for (size_t k = 0; k < 6 * set->movers; ++k) set->place[k] += dt * set->speed[k];
}

static void touch_kick(void *user, const double *x, double dt, double *force) {
  mote_soft_touch *set = user;
  memset(set->push, 0, 6 * set->movers * sizeof *set->push);
  touch_lag(set, x, set->place, set->since);
  touch_forces(set, x, set->place, set->since, 1.0, force, set->push);
  touch_take(set, x, set->place, set->since, dt);
  for (size_t k = 0; k < 6 * set->movers; ++k) set->speed[k] += dt * set->push[k];
  pull_movers(set, dt);
}

// --- As external forces of elastic steps: see elastic_external.h ----------------------------------------

static size_t count_unknowns(const void *user) {
  return 2 * ((const mote_soft_touch *)user)->movers;
}

static bool is_possible(const void *user) {
  return ((const mote_soft_touch *)user)->touches > 0;
}

static void resting_rate(const void *user, size_t k, double rate[3]) {
  const mote_touch_mover *mover = ((const mote_soft_touch *)user)->mover + k / 2;
  set3(0.0, 0.0, 0.0, rate);
  if (k % 2 == 0) copy3(mover->still, rate);
}

static bool acts(const void *user, const double *x, const double *y, double ahead) {
  const mote_soft_touch *set = user;
  return touch_acts(set, x, y, set->since + ahead);
}

static double energy(const void *user, const double *x, const double *y, double ahead) {
  const mote_soft_touch *set = user;
  return touch_energy(set, x, y, set->since + ahead);
}

static void forces(const void *user, const double *x, const double *y, double ahead, double sign,
                   double *force, double *force_y) {
  const mote_soft_touch *set = user;
  touch_forces(set, x, y, set->since + ahead, sign, force, force_y);
}

static void update_lag(void *user, const double *x, const double *y, double ahead) {
  mote_soft_touch *set = user;
  touch_lag(set, x, y, set->since + ahead);
}

static void stiffness(void *user, const double *x, const double *y, double ahead) {
  mote_soft_touch *set = user;
  touch_stiffness(set, x, y, set->since + ahead);
}

static double diagonal(const void *user, size_t k) {
  return ((const mote_soft_touch *)user)->mover[k / 2].diagonal[k % 2];
}

// The movers' rows begin at 0 in every step.
static void finish(void *user, const double *x, const double *y, double ahead, double dt) {
  mote_soft_touch *set = user;
  touch_take(set, x, y, set->since + ahead, dt);
  set->since += dt;
  for (size_t k = 0; k < 6 * set->movers; ++k) set->place[k] = dt / ahead * y[k];
}

mote_elastic_external mote_soft_touch_external(mote_soft_touch *set) {
  return (mote_elastic_external){.user = set,
                                 .unknowns = count_unknowns,
                                 .possible = is_possible,
                                 .resting_rate = resting_rate,
                                 .acts = acts,
                                 .energy = energy,
                                 .forces = forces,
                                 .update_lag = update_lag,
                                 .stiffness = stiffness,
                                 .product = touch_product,
                                 .diagonal = diagonal,
                                 .finish = finish,
                                 .drift = touch_drift,
                                 .kick = touch_kick};
}

// --- Limits of explicit steps ---------------------------------------------------------------------------

// A mover's frequency is at most the root of sum k (1/m + |I^-1/2 (r x n)|^2): with dt^2 times that at 1/2 it
// is far below the limit of 4, whatever the particles do.
void mote_soft_touch_soften(mote_soft_touch *set, double dt) {
  for (size_t m = 0; m < set->movers; ++m) {
    const mote_touch_mover *mover = set->mover + m;
    double sum = 0.0;
    for (size_t k = set->mover_first[m]; k < set->mover_first[m + 1]; ++k) {
      const mote_touch *t = set->touch + set->mover_touch[k];
      double turn[3], twist[3];
      cross3(t->arm, t->normal, turn);
      turn3(mover->root_inertia, turn, twist);
      sum += (t->stiff + t->bar) * (mover->root_mass * mover->root_mass + dot3(twist, twist));
    }
    double share = 0.5 / (dt * dt * sum);
    for (size_t k = set->mover_first[m]; share < 1.0 && k < set->mover_first[m + 1]; ++k) {
      mote_touch *t = set->touch + set->mover_touch[k];
      t->stiff *= share, t->bar *= share;
    }
  }
}

// What a record can be in the tick: without the bar where it cannot come to it.
static double stiffest(const mote_soft_touch *s, const mote_touch *t) {
  double way = 2.0 * s->travel + s->tick * length3(t->motion);
  return t->stiff + (t->gap - way < -t->depth ? t->bar : 0.0);
}

void mote_soft_touch_rates(const mote_soft_touch *set, const double *mass, double *rate) {
  for (size_t p = 0; p < set->parts; ++p) rate[p] = 0.0;
  for (size_t r = 0; r < set->rows; ++r) {
    uint32_t i = set->touch[set->row[r]].i;
    double sum = 0.0, *most = rate + set->part_of[i];
    for (size_t k = set->row[r]; k < set->row[r + 1]; ++k) {
      sum += (set->touch[k].ball ? 2.0 : 1.0) * stiffest(set, set->touch + k);
    }
    *most = max2(*most, sum / mass[i]);
  }
}
