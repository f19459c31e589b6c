// Explicit substeps of lattice particles: see lattice_data.h. Theory: docs/theory/lattice.md, "Steps"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 256
#define DAMP_EVERY 8  // substeps, about: damping acts on many of them at once, and costs as much as one

// The largest 16th-power mean of 1 + |S - 1| over an object; half molten matter is half as stiff. The law is
// no stiffer where it is stretched (docs/theory/lattice.md, "Steps"), but a body that breaks up as a whole
// gains energy as sites change, and more with longer substeps. Single particles that do so are damped.
static double largest_stretch(const mote_lattice *m, double *sum) {
  double most = 1.0, *rows = sum + m->objects;
  for (size_t k = 0; k < 2 * m->objects; ++k) sum[k] = 0.0;
  for (size_t i = 0; i < m->rows.count; ++i) {
    double share = m->rows.fraction == NULL ? 1.0 : (double)m->rows.fraction[i];
    double stretch = 1.0 + sqrt(m->cell[i].strain2), square = share * stretch * stretch;
    double eighth = square * square * (square * square);
    sum[m->object_of[i]] += eighth * eighth, rows[m->object_of[i]] += 1.0;
  }
  for (size_t k = 0; k < m->objects; ++k) most = max2(most, sum[k] / rows[k]);
  return sqrt(sqrt(sqrt(sqrt(most))));
}

double mote_lattice_steps(const mote_lattice *lattice, double dt, double factor) {
  MOTE_ASSERT(dt > 0.0 && factor > 0.0);
  double limit = HUGE_VAL, stretch = largest_stretch(lattice, lattice->object_sum);
  for (size_t p = 0; p < lattice->rows.parts; ++p) {
    const mote_lattice_part *part = lattice->rows.part + p;
    if (part->count > 0) limit = min2(limit, mote_lattice_step_limit(&part->law, stretch));
  }
  return max2(1.0, ceil(dt / (STEP_SAFETY * factor * limit)));
}

// --- Travel ------------------------------------------------------------------------------------------------

// The rigid motion of an object since its sites were assigned: only motion relative to it changes sites.
typedef struct rigid_motion {
  double mass, centre[3], velocity[3], spin[3], inertia[9], momentum[3];
} rigid_motion;

static void find_spin(rigid_motion *o) {
  double c[9], *I = o->inertia, trace = I[0] + I[4] + I[8];
  set3(0.0, 0.0, 0.0, o->spin);
  cross3(I + 3, I + 6, c), cross3(I + 6, I, c + 3), cross3(I, I + 3, c + 6);
  double det = dot3(I, c);
  if (!(det > 1e-9 * trace * trace * trace)) return;
  turn3(c, o->momentum, o->spin);
  for (int a = 0; a < 3; ++a) o->spin[a] /= det;
}

static void find_rigid_motions(const mote_lattice *m, rigid_motion *all) {
  for (size_t k = 0; k < m->objects; ++k) all[k] = (rigid_motion){0};
  for (size_t i = 0; i < m->rows.count; ++i) {
    rigid_motion *o = all + m->object_of[i];
    o->mass += m->rows.mass[i];
    step3(o->centre, m->rows.mass[i], m->rows.position + 3 * i, o->centre);
    step3(o->velocity, m->rows.mass[i], m->rows.velocity + 3 * i, o->velocity);
  }
  for (size_t k = 0; k < m->objects; ++k) {
    for (int a = 0; a < 3; ++a) all[k].centre[a] /= all[k].mass, all[k].velocity[a] /= all[k].mass;
  }
  for (size_t i = 0; i < m->rows.count; ++i) {
    rigid_motion *o = all + m->object_of[i];
    double r[3], u[3], turn[3];
    sub3(m->rows.position + 3 * i, o->centre, r), sub3(m->rows.velocity + 3 * i, o->velocity, u);
    cross3(r, u, turn);
    step3(o->momentum, m->rows.mass[i], turn, o->momentum);
    double r2 = dot3(r, r);
    for (int e = 0; e < 9; ++e)
      o->inertia[e] += m->rows.mass[i] * ((e % 4 == 0 ? r2 : 0.0) - r[e / 3] * r[e % 3]);
  }
  for (size_t k = 0; k < m->objects; ++k) find_spin(all + k);
}

// --- Substeps ----------------------------------------------------------------------------------------------

typedef struct farthest {
  double all;  // squared velocity relative to the mean velocity of all, m^2/s^2
  double
      own;  // squared displacement since sites were assigned, relative to the rigid motion of the object, m^2
} farthest;

typedef struct substep {
  const mote_lattice *m;
  const double *acceleration, *force;
  double dt, drift;
  double origin[3];  // mean velocity of all
  rigid_motion *rigid;
  double *shift;       // of each row: that displacement
  farthest *farthest;  // of each chunk
} substep;

static void drift_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const substep *s = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k) s->m->rows.position[k] += s->drift * s->m->rows.velocity[k];
}

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const substep *s = data;
  farthest most = {0.0, 0.0};
  for (size_t i = begin; i < end; ++i) {
    double *v = s->m->rows.velocity + 3 * i, *x = s->m->rows.position + 3 * i, *shift = s->shift + 3 * i;
    double u[3], r[3], turn[3];
    const rigid_motion *o = s->rigid + s->m->object_of[i];
    if (s->m->rows.held == NULL || s->m->rows.held[i] == 0) {
      step3(v, s->dt / s->m->rows.mass[i], s->force + 3 * i, v);
      if (s->acceleration != NULL) step3(v, s->dt, s->acceleration + 3 * i, v);
    }
    step3(x, s->drift, v, x);
    sub3(v, s->origin, u);
    if (!(dot3(u, u) <= most.all)) most.all = dot3(u, u);
    sub3(x, o->centre, r), cross3(o->spin, r, turn);
    sub3(v, o->velocity, u), sub3(u, turn, u);
    step3(shift, s->drift, u, shift);
    most.own = max2(most.own, dot3(shift, shift));
  }
  s->farthest[begin / ROWS_PER_CHUNK] = most;
}

static void mean_velocity(const mote_lattice *m, double out[3]) {
  set3(0.0, 0.0, 0.0, out);
  for (size_t i = 0; i < m->rows.count; ++i)
    step3(out, 1.0 / (double)m->rows.count, m->rows.velocity + 3 * i, out);
}

static farthest farthest_of(const substep *s) {
  farthest most = {0.0, 0.0};
  for (size_t c = 0; c * ROWS_PER_CHUNK < s->m->rows.count; ++c) {
    if (!(s->farthest[c].all <= most.all)) most.all = s->farthest[c].all;
    most.own = max2(most.own, s->farthest[c].own);
  }
  return (farthest){sqrt(most.all), sqrt(most.own)};
}

// Bounds of the distance that particles moved, m: all: relative to the mean motion; own: relative to their
// object.
typedef struct watch {
  double all_since_found, all_since_near;
  double own_before;  // since candidates were found until sites were assigned
} watch;

// Updates candidates, sites and pairs in contact range when particles may have approached each other by more
// than their margins.
static mote_result renew_sites(mote_lattice *m, substep *s, watch *w, mote_error *error) {
  farthest most = farthest_of(s);
  double dt = s->dt;
  if (!(most.all * dt < 1e6 * m->edge))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "path of lattice particles in a substep: %g m",
                     most.all * dt);
  w->all_since_found += dt * most.all, w->all_since_near += dt * most.all;
  bool assign = 2.0 * most.own > ASSIGN_TRAVEL * m->edge, near = 2.0 * w->all_since_near > m->contact_margin;
  if (!assign && !near) return MOTE_OK;
  bool find = 2.0 * (w->own_before + most.own) > m->candidate_margin || 2.0 * w->all_since_found > m->slack;
  if (find) {
    MOTE_TRY(mote_lattice_find(m, error));
    w->all_since_found = w->own_before = 0.0;
  }
  w->all_since_near = 0.0;
  if (assign || find) {
    if (!find) w->own_before += most.own;
    mote_lattice_assign(m, 0.0);
    find_rigid_motions(m, s->rigid);
    memset(s->shift, 0, 3 * m->rows.count * sizeof *s->shift);
  }
  mote_lattice_near(m);
  return MOTE_OK;
}

mote_result mote_lattice_advance(mote_lattice *lattice, const mote_elastic_external *external,
                                 const double *acceleration, double dt, double steps, mote_error *error) {
  MOTE_ASSERT(dt > 0.0 && steps >= 1.0);
  mote_lattice *m = lattice;
  size_t n = m->rows.count;
  MOTE_TAKE_NEW(rigid_motion, rigid, m->scratch, m->objects + 1, error);
  MOTE_TAKE_NEW(double, force, m->scratch, 3 * n + 1, error);
  double own = dt / steps;
  substep s = {
      .m = m, .acceleration = acceleration, .force = force, .dt = own, .drift = 0.5 * own, .rigid = rigid};
  MOTE_TAKE(s.farthest, m->scratch, n / ROWS_PER_CHUNK + 1, error);
  MOTE_TAKE(s.shift, m->scratch, 3 * n + 1, error);
  memset(s.shift, 0, 3 * n * sizeof *s.shift);
  watch w = {0};
  double dampings = max2(1.0, floor(steps / DAMP_EVERY + 0.5)), damped = 0.0;  // substeps that were damped
  find_rigid_motions(m, rigid);
  mean_velocity(m, s.origin);
  mote_parallel_for(m->threads, n, ROWS_PER_CHUNK, drift_chunk, &s);
  if (external != NULL) external->drift(external->user, 0.5 * own);
  for (double k = 1.0; k <= steps; k += 1.0) {
    mote_lattice_fit(m);
    mote_lattice_forces(m, force);
    const mote_elastic_kick kick = {.x = m->rows.position,
                                    .v = m->rows.velocity,
                                    .acceleration = acceleration,
                                    .held = m->rows.held,
                                    .dt = own,
                                    .force = force};
    if (external != NULL) external->kick(external->user, &kick);
    s.drift = k < steps ? own : 0.5 * own;
    mote_parallel_for(m->threads, n, ROWS_PER_CHUNK, kick_chunk, &s);
    if (external != NULL) external->drift(external->user, s.drift);
    if (floor(k * dampings / steps) > floor(damped * dampings / steps)) {
      mote_lattice_damp(m, own * (k - damped));
      damped = k;
    }
    if (k < steps) MOTE_TRY(renew_sites(m, &s, &w, error));  // the next step begins with new sites
  }
  mote_lattice_fit(m);
  return MOTE_OK;
}
