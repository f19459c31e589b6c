// Damping of motion that is not locally rigid, WIC06 (10)-(13): see lattice.h. Centre, mean velocity,
// inertia, spin and force have the same weights w m, so that both momenta are kept. Theory:
// docs/theory/lattice.md, "Damping"
#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice.h"

#define ROWS_PER_CHUNK 64
#define FLAT 1e-6  // det of the inertia over its trace cubed: particles on a line have no spin about it

enum { SITES = MOTE_LATTICE_SITES };

typedef struct damping {
  const mote_lattice *m;
  double dt;
  double *motion;  // mean velocity, centre and spin of each neighbourhood
} damping;

// w = I^-1 L; false where I is singular.
static bool find_spin(const double I[9], const double L[3], int dimensions, double w[3]) {
  double c[9], trace = I[0] + I[4] + I[8];
  set3(0.0, 0.0, 0.0, w);
  if (dimensions == 2) {
    w[2] = I[8] > 0.0 ? L[2] / I[8] : 0.0;
    return I[8] > 0.0;
  }
  cross3(I + 3, I + 6, c), cross3(I + 6, I, c + 3), cross3(I, I + 3, c + 6);
  double det = dot3(I, c);
  if (!(det > FLAT * trace * trace * trace)) return false;
  turn3(c, L, w);
  for (int k = 0; k < 3; ++k) w[k] /= det;
  return true;
}

static void add_mass(double w, const double x[3], const double v[3], double *sum, double at[3],
                     double mean[3]) {
  *sum += w;
  step3(at, w, x, at);
  step3(mean, w, v, mean);
}

static void add_spin(double w, const double x[3], const double v[3], const double at[3], const double mean[3],
                     double I[9], double L[3]) {
  double r[3], u[3], turn[3];
  sub3(x, at, r), sub3(v, mean, u);
  cross3(r, u, turn);
  step3(L, w, turn, L);
  double r2 = dot3(r, r);
  for (int e = 0; e < 9; ++e) I[e] += w * ((e % 4 == 0 ? r2 : 0.0) - r[e / 3] * r[e % 3]);
}

// (10), (11), relative to the particle itself, so that far from the origin nothing is lost.
static void measure_one(const damping *d, size_t i) {
  const mote_lattice *m = d->m;
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  const double *x = m->rows.position + 3 * i, *v = m->rows.velocity + 3 * i, none[3] = {0};
  double *mean = d->motion + 9 * i, *at = mean + 3, *spin = mean + 6, mass = 0.0, I[9] = {0}, L[3] = {0},
         r[3], u[3];
  set3(0.0, 0.0, 0.0, mean), set3(0.0, 0.0, 0.0, at);
  add_mass(law->own_weight * m->rows.mass[i], none, none, &mass, at, mean);
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const mote_lattice_pair *pair = m->pair + SITES * i + k;
    sub3(m->rows.position + 3 * (size_t)pair->j, x, r), sub3(m->rows.velocity + 3 * (size_t)pair->j, v, u);
    add_mass(pair->weight * m->rows.mass[pair->j], r, u, &mass, at, mean);
  }
  for (int a = 0; a < 3; ++a) at[a] /= mass, mean[a] /= mass;
  add_spin(law->own_weight * m->rows.mass[i], none, none, at, mean, I, L);
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const mote_lattice_pair *pair = m->pair + SITES * i + k;
    sub3(m->rows.position + 3 * (size_t)pair->j, x, r), sub3(m->rows.velocity + 3 * (size_t)pair->j, v, u);
    add_spin(pair->weight * m->rows.mass[pair->j], r, u, at, mean, I, L);
  }
  if (!find_spin(I, L, law->dimensions, spin)) spin[0] = HUGE_VAL;  // it damps nothing
  step3(mean, 1.0, v, mean), step3(at, 1.0, x, at);
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const damping *d = data;
  for (size_t i = begin; i < end; ++i) measure_one(d, i);
}

// The share of the motion of particle j, of which centre i takes away what is not rigid, (12).
static void damp_from(const damping *d, size_t i, size_t j, double weight, double change[3]) {
  const mote_lattice *m = d->m;
  const mote_lattice_part *part = mote_lattice_part_of(m, i);
  const double *mean = d->motion + 9 * i, *at = mean + 3, *spin = mean + 6;
  double r[3], rigid[3], off[3], rate = min2(1.0, part->damping * d->dt) / part->law.all_weights;
  if (spin[0] == HUGE_VAL) return;
  if (m->rows.fraction != NULL) rate *= (double)m->rows.fraction[i];
  sub3(m->rows.position + 3 * j, at, r);
  cross3(spin, r, rigid);
  sub3(m->rows.velocity + 3 * j, mean, off);
  sub3(off, rigid, off);
  step3(change, -rate * weight, off, change);
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const damping *d = data;
  const mote_lattice *m = d->m;
  for (size_t j = begin; j < end; ++j) {
    double change[3] = {0};
    damp_from(d, j, j, mote_lattice_part_of(m, j)->law.own_weight, change);
    for (uint32_t k = 0; k < m->cell[j].pairs; ++k) {
      const mote_lattice_pair *pair = m->pair + SITES * j + k;
      damp_from(d, pair->j, j, pair->reverse, change);
    }
    copy3(change, m->damp + 3 * j);
  }
}

static void apply_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const damping *d = data;
  const mote_lattice *m = d->m;
  for (size_t j = begin; j < end; ++j) {
    if (m->rows.held == NULL || m->rows.held[j] == 0)
      step3(m->rows.velocity + 3 * j, 1.0, m->damp + 3 * j, m->rows.velocity + 3 * j);
  }
}

void mote_lattice_damp(mote_lattice *lattice, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  size_t n = lattice->rows.count;
  damping d = {lattice, dt, lattice->damp + 3 * n};
  mote_parallel_for(lattice->threads, n, ROWS_PER_CHUNK, measure_chunk, &d);
  mote_parallel_for(lattice->threads, n, ROWS_PER_CHUNK, gather_chunk, &d);
  mote_parallel_for(lattice->threads, n, ROWS_PER_CHUNK, apply_chunk, &d);
}
