// Energy, forces and stiffness of elastic contact by conditions: see elastic_contact.h. Theory:
// docs/theory/contact.md, "Conditions". Loops over records, then over particles and movers, each of which
// gathers its parts in the order of the records.
#include "contact/elastic_contact.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"

#define RECORDS_PER_CHUNK 64
#define DISC_UPDATES 3  // of the multipliers in which the discs of friction follow the normal forces

// --- One record ---------------------------------------------------------------------------------------

typedef struct state {
  const double *x, *y;
  double since;
} state;

// Displacement of a side's contact point for its mover's unknowns y.
static void mover_displacement(const mote_elastic_contact *s, const mote_elastic_contact_record *t, int side,
                               const double y[6], double out[3]) {
  const mote_elastic_contact_mover *m = s->mover + t->mover[side];
  double turn[3], displacement[3];
  turn3(m->root_inertia, y + 3, turn);
  cross3(turn, t->arm[side], displacement);
  step3(displacement, m->root_mass, y, out);
}

// The unknowns of a mover: those since the start of the tick, or of directions.
static void mover_unknowns(const mote_elastic_contact *s, uint32_t mover, const state *at, bool positions,
                           double out[6]) {
  size_t first = 6 * (size_t)mover;
  for (size_t k = 0; k < 6; ++k) out[k] = at->y != NULL ? at->y[first + k] : 0.0;
  for (size_t k = 0; k < 6 && positions && s->now != NULL; ++k) out[k] += s->ahead[first + k];
}

// Displacement of a particle: since the start of the tick for positions, else of directions.
static void particle_displacement(const mote_elastic_contact *s, size_t i, const state *at, bool positions,
                                  double out[3]) {
  if (mote_elastic_contact_is_loose(s, i)) {
    mote_elastic_contact_loose_move(s, i, at->y, positions, out);
    return;
  }
  copy3(at->x + 3 * i, out);
  if (positions) sub3(out, s->begin + 3 * i, out);
}

// Displacement of i's side relative to the other: since the start of the tick for positions, else of
// directions. Returns that along the normal; `across`: before it is projected on the plane.
static double relative_displacement(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                                    const state *at, bool positions, double across[3]) {
  double along[3] = {0.0, 0.0, 0.0};
  set3(0.0, 0.0, 0.0, across);
  for (const mote_elastic_contact_member *m = s->member + t->first, *end = m + t->members; m < end; ++m) {
    double moved[3];
    particle_displacement(s, m->particle, at, positions, moved);
    step3(along, m->along, moved, along), step3(across, m->across, moved, across);
  }
  if (positions) step3(along, -at->since, t->motion, along), step3(across, -at->since, t->motion, across);
  for (int side = 0; side < 2; ++side) {
    double moved[3], y[6], sign = side == 0 ? 1.0 : -1.0;
    if (t->mover[side] == MOTE_NO_MOVER) continue;
    mover_unknowns(s, t->mover[side], at, positions, y);
    mover_displacement(s, t, side, y, moved);
    step3(along, sign, moved, along), step3(across, sign, moved, across);
  }
  return dot3(t->normal, along);
}

// Gap, and slip in the contact plane, at the end of the step.
static double gap_and_slip(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const state *at, double slip[3]) {
  double across[3], times = mote_elastic_contact_times(s);
  double along = relative_displacement(s, t, at, true, across);
  step3(across, -dot3(t->normal, across), t->normal, across);
  step3(t->slip, times, across, slip);
  return t->gap + times * (along - t->creep * at->since / s->tick) - (times - 1.0) * t->past;
}

static double record_energy(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                            const state *at) {
  double slip[3], gap = gap_and_slip(s, t, at, slip);
  double both =
      mote_condition_normal(&t->condition, gap).energy + mote_condition_slip(&t->condition, slip).energy;
  return both / mote_elastic_contact_times(s);
}

// Six numbers: along the normal and across it.
static void record_force(const mote_elastic_contact *s, const mote_elastic_contact_record *t, const state *at,
                         double force[6]) {
  double slip[3], normal_force = mote_condition_normal(&t->condition, gap_and_slip(s, t, at, slip)).force;
  mote_condition_friction law = mote_condition_slip(&t->condition, slip);
  for (int a = 0; a < 3; ++a) force[a] = normal_force * t->normal[a], force[3 + a] = law.force[a];
}

// The force of which the impulse is made: the multipliers.
static void record_outcome(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const state *at, double force[6]) {
  (void)s, (void)at;
  for (int a = 0; a < 3; ++a) force[a] = t->condition.normal * t->normal[a];
  copy3(t->condition.tangent, force + 3);
}

static void record_stiffness(const mote_elastic_contact *s, mote_elastic_contact_record *t, const state *at) {
  double slip[3], gap = gap_and_slip(s, t, at, slip), times = mote_elastic_contact_times(s);
  mote_condition_friction law = mote_condition_slip(&t->condition, slip);
  t->normal_stiffness = times * mote_condition_normal(&t->condition, gap).stiffness;
  double part = times * t->condition.grip, size = dot3(law.force, law.force),
         along = size > 0.0 ? part * (law.slope - law.over) / size : 0.0;
  int e = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      t->tangent_stiffness[e++] =
          part * law.over * ((a == b) - t->normal[a] * t->normal[b]) + along * law.force[a] * law.force[b];
    }
  }
}

static void record_product(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const state *at, double out[6]) {
  double w[3];
  const double *D = t->tangent_stiffness;
  double along = t->normal_stiffness * relative_displacement(s, t, at, false, w);
  for (int a = 0; a < 3; ++a) out[a] = along * t->normal[a];
  out[3] = D[0] * w[0] + D[1] * w[1] + D[2] * w[2];
  out[4] = D[1] * w[0] + D[3] * w[1] + D[4] * w[2];
  out[5] = D[2] * w[0] + D[4] * w[1] + D[5] * w[2];
}

// --- Loops --------------------------------------------------------------------------------------------

typedef struct contact_loop {
  mote_elastic_contact *write;
  const mote_elastic_contact *set;
  state at;
  void (*of)(const mote_elastic_contact *s, const mote_elastic_contact_record *t, const state *at,
             double out[6]);
  double sign, dt;
  double *out, *out_y;
} contact_loop;

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    const mote_elastic_contact_record *t = l->set->record + k;
    double *force = l->write->force + 6 * k;
    l->of(l->set, t, &l->at, force);
  }
}

static void meets_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  const mote_elastic_contact *s = l->set;
  for (size_t r = begin; r < end; ++r) {
    double sum[3] = {0};
    for (size_t k = s->share_first[r]; k < s->share_first[r + 1]; ++k) {
      const mote_elastic_contact_share *share = s->share + k;
      const double *force = s->force + 6 * (size_t)share->record;
      step3(sum, share->along, force, sum), step3(sum, share->across, force + 3, sum);
    }
    if (mote_elastic_contact_is_loose(s, s->meets[r])) {
      size_t row = r - s->loose_meets;
      double *out = l->out_y + 6 * s->movers + 3 * row;
      step3(out, l->sign * s->loose_root[row], sum, out);
    } else {
      double *out = l->out + 3 * (size_t)s->meets[r];
      step3(out, l->sign, sum, out);
    }
  }
}

// The other sides receive the opposite of the forces.
static void mover_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  const mote_elastic_contact *s = l->set;
  for (size_t m = begin; m < end; ++m) {
    double sum[3] = {0}, twist[3] = {0}, one[3], turn[3], *out = l->out_y + 6 * m;
    for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
      size_t record = s->mover_record[k] / 2, side = s->mover_record[k] % 2;
      const double *force = s->force + 6 * record;
      double sign = side == 0 ? l->sign : -l->sign;
      step3(force, 1.0, force + 3, one);
      step3(sum, sign, one, sum);
      cross3(s->record[record].arm[side], one, turn);
      step3(twist, sign, turn, twist);
    }
    turn3(s->mover[m].root_inertia, twist, turn);
    step3(out, s->mover[m].root_mass, sum, out);
    step3(out + 3, 1.0, turn, out + 3);
  }
}

static void gather(contact_loop *l) {
  mote_parallel_for(l->set->env.threads, l->set->records, RECORDS_PER_CHUNK, record_chunk, l);
  mote_parallel_for(l->set->env.threads, l->set->meetings, RECORDS_PER_CHUNK, meets_chunk, l);
  mote_parallel_for(l->set->env.threads, l->set->movers, 1, mover_chunk, l);
}

static void contact_forces(mote_elastic_contact *set, const double *x, const double *y, double since,
                           double sign, double *force, double *generalised_force) {
  contact_loop l = {.write = set, .set = set, .at = {x, y, since}, .of = record_force, .sign = sign};
  l.out = force, l.out_y = generalised_force;
  gather(&l);
}

static void contact_product(void *user, const double *dx, const double *dy, double *out, double *out_y) {
  mote_elastic_contact *set = user;
  contact_loop l = {.write = set, .set = set, .at = {dx, dy, 0.0}, .of = record_product, .sign = 1.0};
  l.out = out, l.out_y = out_y;
  gather(&l);
}

static void energy_chunk(void *data, size_t begin, size_t end, double *term) {
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    term[k - begin] = record_energy(l->set, l->set->record + k, &l->at);
  }
}

static double contact_energy(const mote_elastic_contact *set, const double *x, const double *y,
                             double since) {
  contact_loop l = {.set = set, .at = {x, y, since}};
  double sum;
  mote_parallel_sum(set->env.threads, set->records, 1, energy_chunk, &l, &sum);
  return sum;
}

static bool contact_acts(const mote_elastic_contact *set, const double *x, const double *y, double since) {
  const state at = {x, y, since};
  for (size_t k = 0; k < set->records; ++k) {
    double slip[3];
    const mote_elastic_contact_record *t = set->record + k;
    if (t->condition.disc > 0.0) return true;
    if (mote_condition_normal(&t->condition, gap_and_slip(set, t, &at, slip)).force > 0.0) return true;
  }
  return false;
}

static void stiffness_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) record_stiffness(l->set, l->write->record + k, &l->at);
}

static void contact_stiffness(mote_elastic_contact *set, const double *x, const double *y, double since) {
  contact_loop l = {.write = set, .set = set, .at = {x, y, since}};
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, stiffness_chunk, &l);
  mote_elastic_contact_loose_stiffness(set);
  mote_elastic_contact_factorise(set);
  mote_elastic_contact_find_ties(set);
}

// --- The tick -----------------------------------------------------------------------------------------

static void take_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    mote_elastic_contact_record *t = l->write->record + k;
    step3(t->impulse, l->dt * t->condition.normal, t->normal, t->impulse);
    step3(t->impulse, l->dt, t->condition.tangent, t->impulse);
  }
}

static void contact_add_impulses(mote_elastic_contact *set, double dt) {
  contact_loop l = {.write = set, .set = set, .dt = dt};
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, take_chunk, &l);
}

// --- Multipliers -----------------------------------------------------------------------------------------

// By how much gap and slip would have to differ for the present forces to be the multipliers, which they
// become.
static double update(const mote_elastic_contact *s, mote_elastic_contact_record *t, const state *at,
                     bool disc) {
  double slip[3], off[3], gap = gap_and_slip(s, t, at, slip);
  double force = mote_condition_normal(&t->condition, gap).force;
  mote_condition_friction law = mote_condition_slip(&t->condition, slip);
  sub3(law.force, t->condition.tangent, off);
  double change =
      max2(fabs(force - t->condition.normal) / t->condition.hardness, length3(off) / t->condition.grip);
  t->condition.normal = force;
  copy3(law.force, t->condition.tangent);
  if (disc) t->condition.disc = t->friction * force;
  return change;
}

static double update_all(mote_elastic_contact *set, const double *x, const double *y, double since,
                         int updates) {
  const state at = {x, y, since};
  double most = 0.0;
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    most = max2(most, update(set, t, &at, updates < DISC_UPDATES));
  }
  return most > 0.0 ? most / set->tolerance : 0.0;
}

double mote_elastic_contact_squeezed(mote_elastic_contact *set, const double *x, const uint8_t *held,
                                     double spacing, size_t *particle) {
  const state at = {x, set->displacement, set->since};
  double most = 0.0, across[3];
  set->loose = set->count, set->now = NULL;
  for (size_t k = 0; k < set->records; ++k) {
    const mote_elastic_contact_record *t = set->record + k;
    if (t->meets != MOTE_MEETS_OBSTACLE || held[t->i] != 0) continue;
    double deeper = -t->gap - relative_displacement(set, t, &at, true, across);
    double inside = t->overlap + deeper - mote_elastic_contact_reach(set, t->i);
    if (deeper > 0.0 && inside > most) most = inside, *particle = t->i;
  }
  return most > DEEP_OVERLAP * spacing ? most : 0.0;
}

// --- The end of the tick --------------------------------------------------------------------------------

static mote_friction_memory remember(const mote_elastic_contact_record *t) {
  mote_friction_memory m = {.i = t->i, .other = t->other, .sample = t->sample, .meets = t->meets};
  m.normal = t->condition.normal;
  copy3(t->condition.tangent, m.tangent);
  return m;
}

// Parts that were stepped take their memory from the records, the others keep theirs.
static mote_result renew_memory(mote_elastic_contact *s, mote_error *error) {
  size_t capacity = s->records + s->memories + 1, count = 0, k = 0, old = 0;
  MOTE_TRY(
      mote_reserve(&s->env, &s->next_memory, &s->next_capacity, capacity, sizeof *s->next_memory, error));
  for (size_t p = 0; p < s->parts; ++p) {
    size_t end = s->start[p + 1];
    for (; k < s->records && s->record[k].i < end; ++k) {
      if (s->record[k].condition.normal > 0.0) s->next_memory[count++] = remember(s->record + k);
    }
    for (; old < s->memories && s->memory[old].i < end; ++old) {
      if (!mote_elastic_contact_is_stepped(s, p)) s->next_memory[count++] = s->memory[old];
    }
  }
  mote_friction_memory *next = s->next_memory;
  size_t next_capacity = s->next_capacity;
  s->next_memory = s->memory, s->next_capacity = s->memory_capacity;
  s->memory = next, s->memory_capacity = next_capacity, s->memories = count;
  return MOTE_OK;
}

mote_result mote_elastic_contact_end(mote_elastic_contact *set, mote_error *error) {
  mote_elastic_contact_end_rigid(set);
  return renew_memory(set, error);
}

// --- Explicit steps -----------------------------------------------------------------------------------

static void contact_drift(void *user, double dt) {
  mote_elastic_contact *set = user;
  if (set->since == 0.0) mote_elastic_contact_accelerate(set, -set->tick);
  set->since += dt;
  for (size_t k = 0; k < 6 * set->movers; ++k) set->displacement[k] += dt * set->rate[k];
}

void mote_elastic_contact_take(mote_elastic_contact *set, double dt, double *force, double *force_y) {
  MOTE_ASSERT(dt > 0.0);
  contact_loop l = {.write = set, .set = set, .of = record_outcome, .sign = 1.0};
  l.out = force, l.out_y = force_y;
  contact_add_impulses(set, dt);
  gather(&l);
}

void mote_elastic_contact_anchor(mote_elastic_contact *set, const double *x) {
  const state at = {x, set->displacement, set->since};
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    double slip[3];
    gap_and_slip(set, t, &at, slip);
    step3(t->slip, -1.0, slip, t->slip);
  }
}

// --- As external forces of elastic steps: see elastic_external.h ----------------------------------------

static size_t count_unknowns(const void *user) {
  const mote_elastic_contact *set = user;
  return 2 * set->movers + (set->meetings - set->loose_meets);
}

static bool is_possible(const void *user) {
  return ((const mote_elastic_contact *)user)->records > 0;
}

static void resting_rate(const void *user, size_t k, double rate[3]) {
  const mote_elastic_contact *set = user;
  if (k >= 2 * set->movers) {
    mote_elastic_contact_loose_rest(set, k - 2 * set->movers, rate);
    return;
  }
  set3(0.0, 0.0, 0.0, rate);
  if (k % 2 == 0) copy3(set->mover[k / 2].stop_rate, rate);
  if (set->now != NULL) step3(rate, -1.0, set->rate + 3 * k, rate);
}

static void former_rate(const void *user, size_t k, double rate[3]) {
  const mote_elastic_contact *set = user;
  set3(0.0, 0.0, 0.0, rate);
  if (k >= 2 * set->movers) mote_elastic_contact_loose_former(set, k - 2 * set->movers, rate);
  if (k >= 2 * set->movers || k % 2 != 0 || !(set->mover[k / 2].root_mass > 0.0)) return;
  double step = set->now != NULL ? mote_elastic_contact_times(set) * set->loose_step : set->tick;
  step3(rate, -step / set->mover[k / 2].root_mass, set->applied_gravity, rate);
}

static bool acts(const void *user, const double *x, const double *y, double ahead) {
  const mote_elastic_contact *set = user;
  return contact_acts(set, x, y, set->since + ahead);
}

static double energy(const void *user, const double *x, const double *y, double ahead) {
  const mote_elastic_contact *set = user;
  return contact_energy(set, x, y, set->since + ahead);
}

static void forces(void *user, const double *x, const double *y, double ahead, double sign, double *force,
                   double *force_y) {
  mote_elastic_contact *set = user;
  contact_forces(set, x, y, set->since + ahead, sign, force, force_y);
}

static void stiffness(void *user, const double *x, const double *y, double ahead) {
  mote_elastic_contact *set = user;
  contact_stiffness(set, x, y, set->since + ahead);
}

static const mote_elastic_tie *ties(const void *user, size_t *count) {
  const mote_elastic_contact *set = user;
  *count = set->ties;
  return set->tie;
}

// The changes of gaps and slips until now are not those of the step that begins.
static void anchor_loose(mote_elastic_contact *set) {
  const state at = {set->now, NULL, set->since};
  double times = mote_elastic_contact_times(set);
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    double across[3];
    t->past = relative_displacement(set, t, &at, true, across) - t->creep * at.since / set->tick;
    for (int a = 0; a < 3; ++a) t->slip[a] = -times * across[a];
    step3(t->slip, -dot3(t->normal, t->slip), t->normal, t->slip);
  }
}

static void begin(void *user, const mote_elastic_external_step *step) {
  mote_elastic_contact *set = user;
  // Gaps of the records are those at the start of the step.
  MOTE_ASSERT(!step->midpoint || set->since == 0.0 || set->now != NULL);
  set->midpoint = step->midpoint;
  if (set->now != NULL) {
    anchor_loose(set);
    mote_elastic_contact_begin_loose(set, step->step);
  }
  mote_elastic_contact_begin_implicit(set, step);
}

static double largest(const void *user, const double *dy) {
  const mote_elastic_contact *set = user;
  double most2 = 0.0;
  for (size_t k = 0; k < set->mover_first[set->movers]; ++k) {
    double shift[3];
    const mote_elastic_contact_record *t = set->record + set->mover_record[k] / 2;
    int side = (int)(set->mover_record[k] % 2);
    mover_displacement(set, t, side, dy + 6 * (size_t)t->mover[side], shift);
    most2 = max2(most2, dot3(shift, shift));
  }
  return max2(sqrt(most2), mote_elastic_contact_loose_largest(set, dy));
}

static double tolerance(const void *user) {
  const mote_elastic_contact *set = user;
  return set->softness_min * set->tolerance;
}

static double update_multipliers(void *user, const double *x, const double *y, double ahead, int updates) {
  mote_elastic_contact *set = user;
  return update_all(set, x, y, set->since + ahead, updates);
}

// Adds the multipliers' forces on the movers, which act for dt seconds, to their rates.
static void add_rates(mote_elastic_contact *set, double dt) {
  contact_loop l = {.write = set, .set = set, .of = record_outcome, .sign = 1.0};
  l.out_y = set->generalised_force;
  memset(l.out_y, 0, 6 * set->movers * sizeof *l.out_y);
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, record_chunk, &l);
  mote_parallel_for(set->env.threads, set->movers, 1, mover_chunk, &l);
  for (size_t k = 0; k < 6 * set->movers; ++k) set->rate[k] += dt * l.out_y[k];
}

// The movers' unknowns start at 0 in every step.
static void finish(void *user, const double *y, double ahead, double dt) {
  mote_elastic_contact *set = user;
  contact_add_impulses(set, dt);
  set->since += dt;
  for (size_t k = 0; k < 6 * set->movers; ++k) {
    double before = set->now != NULL ? set->displacement[k] + dt * set->rate[k] : 0.0;
    set->displacement[k] = before + dt / ahead * y[k];
  }
  if (set->now != NULL) add_rates(set, dt);
}

mote_elastic_external mote_elastic_contact_external(mote_elastic_contact *set) {
  MOTE_ASSERT(set != NULL);
  return (mote_elastic_external){.user = set,
                                 .unknowns = count_unknowns,
                                 .possible = is_possible,
                                 .resting_rate = resting_rate,
                                 .former_rate = former_rate,
                                 .begin = begin,
                                 .acts = acts,
                                 .energy = energy,
                                 .forces = forces,
                                 .stiffness = stiffness,
                                 .ties = ties,
                                 .product = contact_product,
                                 .precondition = mote_elastic_contact_precondition,
                                 .largest = largest,
                                 .tolerance = tolerance,
                                 .update_multipliers = update_multipliers,
                                 .finish = finish,
                                 .drift = contact_drift};
}
