// Coulomb friction between lattice objects: see lattice_data.h. It acts at the point of contact; its couple
// is applied to the neighbourhoods, so that both momenta are conserved. Theory: docs/theory/lattice.md,
// "Friction"
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 16

enum { SITES = MOTE_LATTICE_SITES };

// --- Rows in contact with another object -----------------------------------------------------------------

static bool meets_another(const mote_lattice *m, size_t i) {
  bool any = false;
  const uint32_t *near = m->near + m->lists.first[i];
  for (uint32_t k = 0; k < m->near_number[i]; ++k) any = any || m->rows.object[near[k]] != m->rows.object[i];
  return any;
}

static bool has_friction(const mote_lattice *m) {
  bool any = false;
  for (size_t p = 0; p < m->rows.parts; ++p) any = any || m->rows.part[p].friction > 0.0;
  return any && m->objects > 1;
}

void mote_lattice_list_rubbing(mote_lattice *lattice) {
  mote_lattice *m = lattice;
  m->rubbing = 0, m->around = 0;
  if (!has_friction(m)) return;
  for (size_t i = 0; i < m->rows.count; ++i) {
    m->rubs[i] = m->near_number[i] > 0 && meets_another(m, i);
    if (m->rubs[i]) m->rubbing_row[m->rubbing++] = (uint32_t)i;
  }
  if (m->rubbing == 0) return;
  for (size_t i = 0; i < m->rows.count; ++i) {
    bool near = m->rubs[i] != 0;
    for (uint32_t k = 0; k < m->cell[i].pairs && !near; ++k) near = m->rubs[m->pair[SITES * i + k].j] != 0;
    if (near) m->around_row[m->around++] = (uint32_t)i;
  }
}

// --- Friction ----------------------------------------------------------------------------------------------

typedef struct rubbing {
  const mote_lattice *m;
  const double *acceleration;
  double dt, *force;
} rubbing;

static bool is_held(const mote_lattice *m, size_t i) {
  return m->rows.held != NULL && m->rows.held[i] != 0;
}

// The velocity after the substep without friction: using it keeps objects at rest at rest.
static void predict(const rubbing *f, size_t i) {
  const mote_lattice *m = f->m;
  double *v = m->damp + 3 * i;
  copy3(m->rows.velocity + 3 * i, v);
  if (is_held(m, i)) return;
  step3(v, f->dt / m->rows.mass[i], f->force + 3 * i, v);
  if (f->acceleration != NULL) step3(v, f->dt, f->acceleration + 3 * i, v);
}

static double count_contacts(const mote_lattice *m, size_t i) {
  double count = 1e-9;
  const uint32_t *near = m->near + m->lists.first[i];
  for (uint32_t k = 0; k < m->near_number[i]; ++k) {
    double r[3];
    sub3(m->rows.position + 3 * i, m->rows.position + 3 * (size_t)near[k], r);
    if (m->rows.object[near[k]] != m->rows.object[i] && mote_lattice_contact(m, i, near[k], dot3(r, r)) > 0.0)
      count += 1.0;
  }
  return count;
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const rubbing *f = data;
  for (size_t k = begin; k < end; ++k) {
    uint32_t i = f->m->rubbing_row[k];
    (void)mote_lattice_motion_at(f->m, i, f->m->motion + i);
    predict(f, i);
    f->m->contacts[i] = count_contacts(f->m, i);
  }
}

// Velocity of the neighbourhood of i at a point.
static void velocity_at(const mote_lattice *m, size_t i, const double at[3], double out[3]) {
  double r[3], turn[3];
  sub3(at, m->rows.position + 3 * i, r);
  cross3(m->motion[i].spin, r, turn);
  step3(m->damp + 3 * i, 1.0, turn, out);
}

// Inverse mass, 1/kg, of the fraction of the particle that one of its contacts acts on.
static double mobility(const mote_lattice *m, size_t i) {
  return is_held(m, i) ? 0.0 : m->contacts[i] / m->rows.mass[i];
}

// Force of j on i; the same with the opposite sign from the other side.
static bool rub(const rubbing *f, size_t i, size_t j, const double at[3], double out[3]) {
  const mote_lattice *m = f->m;
  const mote_lattice_part *a = mote_lattice_part_of(m, i), *b = mote_lattice_part_of(m, j);
  double r[3], u[3], v[3], least = min2(m->rows.mass[i], m->rows.mass[j]);
  sub3(m->rows.position + 3 * i, m->rows.position + 3 * j, r);
  double length = length3(r), repulsion = mote_lattice_contact(m, i, j, length * length);
  if (!(repulsion > 0.0)) return false;
  velocity_at(m, i, at, u), velocity_at(m, j, at, v);
  sub3(u, v, u);
  double apart = dot3(u, r) / length, stiffness = min2(a->law.contact, b->law.contact);
  double damped = max2(-repulsion, -CONTACT_DAMPING * sqrt(stiffness * least) * apart);  // it never pulls
  step3(u, -apart / length, r, u);
  double speed = length3(u), most = sqrt(a->friction * b->friction) * (repulsion + damped);
  double moves = mobility(m, i) + mobility(m, j), stops = STOPPED_SHARE_MAX / (f->dt * moves);
  double size = speed > 0.0 && moves > 0.0 ? -min2(most / speed, stops) : 0.0;
  set3(size * u[0], size * u[1], size * u[2], out);
  step3(out, damped / length, r, out);
  return true;
}

static void rub_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const rubbing *f = data;
  const mote_lattice *m = f->m;
  for (size_t k = begin; k < end; ++k) {
    uint32_t i = m->rubbing_row[k];
    const double *x = m->rows.position + 3 * (size_t)i;
    const uint32_t *near = m->near + m->lists.first[i];
    double couple[3] = {0.0, 0.0, 0.0}, at[3], force[3], arm[3], turn[3];
    for (uint32_t n = 0; n < m->near_number[i] && m->motion[i].spins; ++n) {
      uint32_t j = near[n];
      if (m->rows.object[j] == m->rows.object[i] || !m->motion[j].spins) continue;
      const double *y = m->rows.position + 3 * (size_t)j;
      set3(0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), 0.5 * (x[2] + y[2]), at);
      if (!rub(f, i, j, at, force)) continue;
      step3(f->force + 3 * (size_t)i, 1.0, force, f->force + 3 * (size_t)i);
      sub3(at, x, arm), cross3(arm, force, turn);
      step3(couple, 1.0, turn, couple);
    }
    turn3(m->motion[i].inverse_inertia, couple, m->turn + 3 * (size_t)i);
  }
}

// The couple of neighbourhood i as forces w m (I^-1 couple) x (x_k - centre): they sum to 0.
static void add_couple(const rubbing *f, size_t i, size_t k, double weight) {
  const mote_lattice *m = f->m;
  double r[3], turn[3];
  if (!m->motion[i].spins) return;
  sub3(m->rows.position + 3 * k, m->motion[i].centre, r);
  cross3(m->turn + 3 * i, r, turn);
  step3(f->force + 3 * k, weight * m->rows.mass[k], turn, f->force + 3 * k);
}

static void couple_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const rubbing *f = data;
  const mote_lattice *m = f->m;
  for (size_t n = begin; n < end; ++n) {
    uint32_t k = m->around_row[n];
    if (m->rubs[k] != 0) add_couple(f, k, k, mote_lattice_part_of(m, k)->law.own_weight);
    for (uint32_t p = 0; p < m->cell[k].pairs; ++p) {
      const mote_lattice_pair *pair = m->pair + SITES * (size_t)k + p;
      if (m->rubs[pair->j] != 0) add_couple(f, pair->j, k, pair->reverse);
    }
  }
}

void mote_lattice_rub(mote_lattice *lattice, const double *acceleration, double dt, double *force) {
  MOTE_ASSERT(dt > 0.0);
  rubbing f = {lattice, acceleration, dt, force};
  mote_parallel_for(lattice->threads, lattice->rubbing, ROWS_PER_CHUNK, measure_chunk, &f);
  mote_parallel_for(lattice->threads, lattice->rubbing, ROWS_PER_CHUNK, rub_chunk, &f);
  mote_parallel_for(lattice->threads, lattice->around, ROWS_PER_CHUNK, couple_chunk, &f);
}
