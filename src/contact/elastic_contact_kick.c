// Explicit steps: the contact forces of a kick, by which the conditions hold when the next one begins.
// Unknown are the positions then of the particles in contact, and the motions of the movers; each has only
// its inertia, so the rest of the bodies does not matter. Newton's method on the energy of the kick, by turns
// with the multipliers, as in implicit steps (elastic_implicit.c). Theory: docs/theory/contact.md,
// "Conditions"
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"

#define NEWTON_MAX 20
#define HALVINGS_MAX 20
#define ARMIJO_DECREASE 1e-4   // cited: part of the predicted decrease (Nocedal & Wright 2006, 3.1)
#define ENERGY_ROUNDING 1e-12  // rounding: relative rounding error of an energy
#define KICK_CG_MAX 500
#define KICK_CG_TOLERANCE 1e-2  // range: Newton's method converges for any; times only

typedef struct kick_solve {
  mote_elastic_contact *set;
  const mote_elastic_kick *in;
  size_t rows, size;  // particles in contact; numbers of a vector: three for each, then six for each mover
  double *z, *goal, *residual, *change, *work;
  double *inertia;         // per row, N/m; 0: held
  double *full, *product;  // of all particles, of which only those in contact are used
} kick_solve;

static size_t particle_of(const kick_solve *k, size_t r) {
  return k->set->meets[r];
}

static double *unknowns_in(const kick_solve *k, double *vector) {
  return vector + 3 * k->rows;
}

static void spread(const kick_solve *k, const double *vector) {
  for (size_t r = 0; r < k->rows; ++r) copy3(vector + 3 * r, k->full + 3 * particle_of(k, r));
}

static double energy_at(const kick_solve *k, const double *z) {
  double sum = 0.0, dt2 = k->in->dt * k->in->dt;
  for (size_t r = 0; r < k->rows; ++r) {
    double off[3];
    sub3(z + 3 * r, k->goal + 3 * r, off);
    sum += 0.5 * k->inertia[r] * dot3(off, off);
  }
  for (size_t c = 3 * k->rows; c < k->size; ++c) sum += 0.5 / dt2 * (z[c] - k->goal[c]) * (z[c] - k->goal[c]);
  spread(k, z);
  return sum + k->set->external.energy(k->set, k->full, z + 3 * k->rows, k->in->dt);
}

static void clear_rows(const kick_solve *k, double *full) {
  for (size_t r = 0; r < k->rows; ++r) set3(0.0, 0.0, 0.0, full + 3 * particle_of(k, r));
}

static void find_residual(const kick_solve *k) {
  double over = 1.0 / (k->in->dt * k->in->dt);
  spread(k, k->z);
  clear_rows(k, k->product);
  for (size_t c = 3 * k->rows; c < k->size; ++c) k->residual[c] = -over * (k->z[c] - k->goal[c]);
  k->set->external.forces(k->set, k->full, unknowns_in(k, k->z), k->in->dt, 1.0, k->product,
                          unknowns_in(k, k->residual));
  for (size_t r = 0; r < k->rows; ++r) {
    double off[3], *to = k->residual + 3 * r;
    sub3(k->z + 3 * r, k->goal + 3 * r, off);
    copy3(k->product + 3 * particle_of(k, r), to);
    step3(to, -k->inertia[r], off, to);
    if (k->inertia[r] == 0.0) set3(0.0, 0.0, 0.0, to);
  }
}

static void apply(void *user, const double *p, double *out) {
  const kick_solve *k = user;
  double over = 1.0 / (k->in->dt * k->in->dt);
  spread(k, p);
  clear_rows(k, k->product);
  memset(out, 0, k->size * sizeof *out);
  k->set->external.product(k->set, k->full, p + 3 * k->rows, k->product, out + 3 * k->rows);
  for (size_t c = 3 * k->rows; c < k->size; ++c) out[c] += over * p[c];
  for (size_t r = 0; r < k->rows; ++r) {
    if (k->inertia[r] > 0.0) step3(k->product + 3 * particle_of(k, r), k->inertia[r], p + 3 * r, out + 3 * r);
  }
}

static void precondition(void *user, const double *in, double *out) {
  const kick_solve *k = user;
  for (size_t r = 0; r < k->rows; ++r) {
    for (int a = 0; a < 3; ++a) {
      size_t c = 3 * r + (size_t)a;
      out[c] = k->inertia[r] > 0.0 ? in[c] / k->inertia[r] : 0.0;
    }
  }
  k->set->external.precondition(k->set, in + 3 * k->rows, out + 3 * k->rows);
}

// Returns the largest change of a particle or mover, m, or a negative number where no step lowers the energy.
static double newton(const kick_solve *k, double *energy) {
  mote_cg_def def = mote_cg_def_default();
  def.size = k->size, def.apply = apply, def.precondition = precondition, def.user = (void *)(uintptr_t)k;
  def.tolerance = KICK_CG_TOLERANCE, def.max_iterations = KICK_CG_MAX, def.threads = k->set->env.threads;
  k->set->external.stiffness(k->set, k->full, unknowns_in(k, k->z), k->in->dt);
  precondition((void *)(uintptr_t)k, k->residual, k->change);
  if (mote_cg_solve(&def, k->residual, k->change, k->work, NULL, NULL) != MOTE_OK) return -1.0;
  double slope = 0.0, most = 0.0, first = *energy, share = 1.0;
  for (size_t c = 0; c < k->size; ++c) slope += k->residual[c] * k->change[c];
  for (size_t r = 0; r < k->rows; ++r) most = max2(most, length3(k->change + 3 * r));
  most = max2(most, k->set->external.largest(k->set, unknowns_in(k, k->change)));
  for (size_t c = 0; c < k->size; ++c) k->z[c] += k->change[c];
  for (int h = 0; h < HALVINGS_MAX; ++h, share *= 0.5) {
    *energy = energy_at(k, k->z);
    if (*energy <= first - ARMIJO_DECREASE * share * slope + ENERGY_ROUNDING * fabs(first)) break;
    for (size_t c = 0; c < k->size; ++c) k->z[c] -= 0.5 * share * k->change[c];
  }
  find_residual(k);
  return share * most;
}

static void minimise(const kick_solve *k) {
  double energy = energy_at(k, k->z), off = 0.0;
  find_residual(k);
  for (int update = 0; update < MOTE_MULTIPLIER_UPDATES; ++update) {
    for (int n = 0; n < NEWTON_MAX; ++n) {
      if (newton(k, &energy) <= k->set->external.tolerance(k->set)) break;
    }
    off = k->set->external.update_multipliers(k->set, k->full, unknowns_in(k, k->z), k->in->dt, update);
    if (off <= 1.0) break;
    find_residual(k);
    energy = energy_at(k, k->z);
  }
}

// Positions without contact.
static void set_goal(const kick_solve *k) {
  const mote_elastic_contact *s = k->set;
  double dt = k->in->dt;
  for (size_t r = 0; r < k->rows; ++r) {
    size_t i = particle_of(k, r);
    double *to = k->goal + 3 * r, mass = mote_elastic_contact_mass(s, i);
    bool held = k->in->held != NULL && k->in->held[i] != 0;
    k->inertia[r] = held ? 0.0 : mass / (dt * dt);
    step3(k->in->x + 3 * i, dt, k->in->v + 3 * i, to);
    if (held) continue;
    step3(to, dt * dt / mass, k->in->force + 3 * i, to);
    if (k->in->acceleration != NULL) step3(to, dt * dt, k->in->acceleration + 3 * i, to);
  }
  for (size_t c = 0; c < 6 * s->movers; ++c) k->goal[3 * k->rows + c] = s->displacement[c] + dt * s->rate[c];
}

static void finish(const kick_solve *k) {
  mote_elastic_contact *s = k->set;
  double *force_y = unknowns_in(k, k->residual), dt = k->in->dt;
  memset(force_y, 0, 6 * s->movers * sizeof *force_y);
  mote_elastic_contact_take(s, dt, k->in->force, force_y);
  for (size_t c = 0; c < 6 * s->movers; ++c) s->rate[c] += dt * force_y[c];
}

static kick_solve open_kick(mote_elastic_contact *s, const mote_elastic_kick *in) {
  kick_solve k = {.set = s, .in = in, .rows = s->meetings, .size = 3 * s->meetings + 6 * s->movers};
  double **part[] = {&k.z, &k.goal, &k.residual, &k.change, &k.work}, *at = s->kick;
  for (int p = 0; p < 5; ++p) *part[p] = at, at += (p < 4 ? 1 : 4) * k.size;
  k.inertia = at, k.full = at + k.rows, k.product = k.full + 3 * s->count;
  return k;
}

mote_result mote_elastic_contact_reserve_kick(mote_elastic_contact *set, mote_error *error) {
  size_t size = 3 * set->meetings + 6 * set->movers, shares = set->share_first[set->meetings];
  MOTE_TRY(mote_reserve(&set->env, &set->tie, &set->tie_capacity, shares, sizeof *set->tie, error));
  return mote_reserve(&set->env, &set->kick, &set->kick_capacity, 8 * size + set->meetings + 6 * set->count,
                      sizeof *set->kick, error);
}

static void solve(mote_elastic_contact *set, const mote_elastic_kick *in) {
  kick_solve k = open_kick(set, in);
  mote_elastic_contact_anchor(set, in->x);
  set_goal(&k);
  memcpy(k.z, k.goal, k.size * sizeof *k.z);
  spread(&k, k.z);
  mote_elastic_contact_begin_kick(set, in->x, k.full, in->dt);
  if (set->external.acts(set, k.full, unknowns_in(&k, k.z), in->dt)) {
    minimise(&k);
  } else {
    set->external.update_multipliers(set, k.full, unknowns_in(&k, k.z), in->dt, 0);
  }
  finish(&k);
}

void mote_elastic_contact_kick(void *user, const mote_elastic_kick *kick) {
  mote_elastic_contact *set = user;
  MOTE_ASSERT(kick->dt > 0.0 && kick->force != NULL);
  mote_elastic_contact_accelerate(set, kick->dt);
  solve(set, kick);
}
