// Explicit substeps of lattice particles: see lattice.h. Theory: docs/theory/lattice.md, "Steps"
#include <inttypes.h>
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice.h"

#define ROWS_PER_CHUNK 256
#define STEP_SAFETY 0.8    // of the limit
#define DAMP_EVERY 4       // substeps: damping acts on many of them at once, and costs as much as one
#define ASSIGN_TRAVEL 0.1  // D: sites are found anew when two particles may have moved so far to each other

double mote_lattice_steps(const mote_lattice *lattice, double dt, double factor, double rate) {
  MOTE_ASSERT(dt > 0.0 && factor > 0.0);
  double limit = HUGE_VAL, stretch = 1.0 + mote_lattice_strain(lattice, NULL);
  for (size_t p = 0; p < lattice->rows.parts; ++p) {
    const mote_lattice_part *part = lattice->rows.part + p;
    if (part->count > 0) limit = min2(limit, mote_lattice_step_limit(&part->law, stretch));
  }
  limit = 2.0 / sqrt(4.0 / (limit * limit) + rate);
  return max2(1.0, ceil(dt / (STEP_SAFETY * factor * limit)));
}

typedef struct substep {
  const mote_lattice *m;
  const double *acceleration, *force;
  double dt, drift;
  double origin[3];  // velocity of the frame in which travel is counted
  double *fastest;   // of each chunk, squared
} substep;

static void drift_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const substep *s = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k) s->m->rows.position[k] += s->drift * s->m->rows.velocity[k];
}

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const substep *s = data;
  double most = 0.0;
  for (size_t i = begin; i < end; ++i) {
    double *v = s->m->rows.velocity + 3 * i, *x = s->m->rows.position + 3 * i, u[3];
    if (s->m->rows.held == NULL || s->m->rows.held[i] == 0) {
      step3(v, s->dt / s->m->rows.mass[i], s->force + 3 * i, v);
      if (s->acceleration != NULL) step3(v, s->dt, s->acceleration + 3 * i, v);
    }
    step3(x, s->drift, v, x);
    sub3(v, s->origin, u);
    most = max2(most, dot3(u, u));
  }
  s->fastest[begin / ROWS_PER_CHUNK] = most;
}

static void mean_velocity(const mote_lattice *m, double out[3]) {
  set3(0.0, 0.0, 0.0, out);
  for (size_t i = 0; i < m->rows.count; ++i)
    step3(out, 1.0 / (double)m->rows.count, m->rows.velocity + 3 * i, out);
}

static double fastest_of(const substep *s) {
  double most = 0.0;
  for (size_t c = 0; c * ROWS_PER_CHUNK < s->m->rows.count; ++c) {
    if (!(s->fastest[c] <= most)) most = s->fastest[c];
  }
  return sqrt(most);
}

typedef struct watch {
  double since_found, since_assigned;  // m of travel
  double elapsed;                      // s since sites were found
} watch;

// Sites and candidates are found anew where particles may have come nearer to each other than they allow for.
static mote_result look_again(mote_lattice *m, watch *w, double travel, double dt, mote_error *error) {
  w->since_found += travel, w->since_assigned += travel, w->elapsed += dt;
  if (!(2.0 * w->since_assigned > ASSIGN_TRAVEL * m->edge)) return MOTE_OK;
  if (!(w->since_assigned < 1e6 * m->edge))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "way of lattice particles in a substep: %g m", travel);
  if (2.0 * (w->since_found + w->since_assigned) > m->skin) {
    MOTE_TRY(mote_lattice_find(m, error));
    w->since_found = 0.0;
  }
  MOTE_TRY(mote_lattice_assign(m, w->elapsed, error));
  w->since_assigned = w->elapsed = 0.0;
  return MOTE_OK;
}

mote_result mote_lattice_advance(mote_lattice *lattice, const mote_elastic_external *external,
                                 const double *acceleration, double dt, double steps, mote_error *error) {
  MOTE_ASSERT(dt > 0.0 && steps >= 1.0);
  mote_lattice *m = lattice;
  size_t n = m->rows.count;
  double *force = mote_arena_take(m->scratch, 3 * n + 1, sizeof *force), own = dt / steps;
  substep s = {.m = m, .acceleration = acceleration, .force = force, .dt = own, .drift = 0.5 * own};
  s.fastest = mote_arena_take(m->scratch, n / ROWS_PER_CHUNK + 1, sizeof *s.fastest);
  if (force == NULL || s.fastest == NULL) return mote_fail_memory(error, 3 * n * sizeof *force);
  watch w = {0};
  mean_velocity(m, s.origin);
  mote_parallel_for(m->threads, n, ROWS_PER_CHUNK, drift_chunk, &s);
  if (external != NULL) external->drift(external->user, 0.5 * own);
  for (double k = 1.0; k <= steps; k += 1.0) {
    mote_lattice_fit(m);
    mote_lattice_forces(m, force);
    if (external != NULL) external->kick(external->user, m->rows.position, own, force);
    s.drift = k < steps ? own : 0.5 * own;
    mote_parallel_for(m->threads, n, ROWS_PER_CHUNK, kick_chunk, &s);
    if (external != NULL) external->drift(external->user, s.drift);
    if (fmod(k, DAMP_EVERY) == 0.0 || k == steps)
      mote_lattice_damp(m, own * (fmod(k, DAMP_EVERY) == 0.0 ? DAMP_EVERY : fmod(k, DAMP_EVERY)));
    MOTE_TRY(look_again(m, &w, own * fastest_of(&s), own, error));
  }
  MOTE_TRY(mote_lattice_assign(m, w.elapsed, error));
  mote_lattice_fit(m);
  return MOTE_OK;
}
