// Forces and energy of lattice particles after a fit: see lattice_data.h. Forces are the exact derivative of
// the energy. Theory: docs/theory/lattice.md, "Energy and forces"
#include <math.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 64

enum { SITES = MOTE_LATTICE_SITES };

// --- Forces ------------------------------------------------------------------------------------------------

typedef struct contact_law {
  double edge, stiffness;
} contact_law;

// Contact energy of two particles that are not bonded, WIC06 (14): 1/2 k (D - r)^2 below D.
static contact_law contact_of(const mote_lattice *m, size_t i, size_t j) {
  const mote_lattice_law *a = &mote_lattice_part_of(m, i)->law, *b = &mote_lattice_part_of(m, j)->law;
  double share = 1.0;
  double ri = m->rows.reach == NULL ? 1.0 : (double)m->rows.reach[i],
         rj = m->rows.reach == NULL ? 1.0 : (double)m->rows.reach[j];
  if (m->rows.fraction != NULL) {
    double fi = (double)m->rows.fraction[i], fj = (double)m->rows.fraction[j];
    share = max2(MOTE_LATTICE_LEAST, min2(fi, fj));
    ri *= mote_lattice_grown(fi), rj *= mote_lattice_grown(fj);
  }
  return (contact_law){0.5 * (ri * a->edge + rj * b->edge),
                       share * a->contact * b->contact / (a->contact + b->contact)};
}

static double repulsion_of(const mote_lattice *m, size_t i, size_t j, double length2) {
  if (!(length2 < m->edge * m->edge) || !(length2 > 0.0)) return 0.0;
  contact_law law = contact_of(m, i, j);
  return max2(0.0, law.stiffness * (law.edge - sqrt(length2)));
}

static void add_contacts(const mote_lattice *m, size_t i, double force[3]) {
  const double *x = m->rows.position + 3 * i;
  const uint32_t *near = m->near + m->lists.first[i];
  for (uint32_t k = 0; k < m->near_number[i]; ++k) {
    size_t j = near[k];
    double r[3];
    sub3(x, m->rows.position + 3 * j, r);
    double repulsion = repulsion_of(m, i, j, dot3(r, r));
    if (repulsion > 0.0) step3(force, repulsion / length3(r), r, force);
  }
}

static void gather_one(const mote_lattice *m, size_t i, double force[3]) {
  const double *x = m->rows.position + 3 * i;
  const mote_lattice_pair *pair = m->pair + SITES * i;
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  mote_pair x01 = mote_pair_load(x), f01 = mote_pair_load(m->cell[i].own), f2 = {m->cell[i].own[2], 0.0};
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const mote_lattice_force *of = m->fit + pair[k].j;
    const double *y = m->rows.position + 3 * (size_t)pair[k].j, *l = law->site[pair[k].back],
                 w = pair[k].reverse;
    mote_pair near = l[0] * mote_pair_load(of->column[0]) + l[1] * mote_pair_load(of->column[1]);
    mote_pair far = l[2] * mote_pair_load(of->column[2]) + of->h * (x01 - mote_pair_load(y));
    mote_pair last = {l[2], x[2] - y[2]};
    f01 -= w * (near + far);
    f2 -= w * (mote_pair_load(of->row) * mote_pair_load(l) + mote_pair_load(of->row + 2) * last);
  }
  set3(f01[0], f01[1], f2[0] + f2[1], force);
  if (m->near_number[i] > 0) add_contacts(m, i, force);
}

typedef struct force_loop {
  const mote_lattice *m;
  double *force;
} force_loop;

static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const force_loop *f = data;
  for (size_t i = begin; i < end; ++i) gather_one(f->m, i, f->force + 3 * i);
}

void mote_lattice_forces(const mote_lattice *lattice, double *force) {
  MOTE_ASSERT(force != NULL || lattice->rows.count == 0);
  force_loop f = {lattice, force};
  mote_parallel_for(lattice->threads, lattice->rows.count, ROWS_PER_CHUNK, force_chunk, &f);
}

// --- Energy ------------------------------------------------------------------------------------------------

static double contact_energy(const mote_lattice *m, size_t i) {
  double sum = 0.0;
  const uint32_t *near = m->near + m->lists.first[i];
  for (uint32_t k = 0; k < m->near_number[i]; ++k) {
    size_t j = near[k];
    contact_law law = contact_of(m, i, j);
    double deep = law.edge - distance3(m->rows.position + 3 * i, m->rows.position + 3 * j);
    if (deep > 0.0) sum += 0.25 * law.stiffness * deep * deep;  // each pair is visited from both ends
  }
  return sum;
}

static mote_lattice_energies energy_of(const mote_lattice *m, size_t i) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  const mote_lattice_cell *cell = m->cell + i;
  const double *A = law->restoring ? cell->rotation : m->rows.basis + 9 * i, *R = cell->rotation;
  double share = m->rows.fraction == NULL ? 1.0 : (double)m->rows.fraction[i], off2 = 0.0, trace = -3.0;
  mote_lattice_energies sum = {.contact = contact_energy(m, i)};
  for (int e = 0; e < 9; ++e) off2 += (A[e] - R[e]) * (A[e] - R[e]), trace += R[e] * A[e];
  sum.strain = share * law->volume * (law->mu * off2 + 0.5 * law->lambda * trace * trace) * !law->restoring;
  for (uint32_t k = 0; k < cell->pairs; ++k) {
    const mote_lattice_pair *pair = m->pair + SITES * i + k;
    double r[3], at[3];
    sub3(m->rows.position + 3 * (size_t)pair->j, m->rows.position + 3 * i, r);
    turn3(A, law->site[pair->site], at);
    sub3(r, at, r);
    sum.restoring += 0.5 * m->fit[i].h * pair->weight * dot3(r, r);
  }
  return sum;
}

typedef struct energy_loop {
  const mote_lattice *m;
  double *each;
} energy_loop;

static void energy_chunk(void *data, size_t begin, size_t end, double *term) {
  const energy_loop *loop = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(3)) {
    mote_lattice_energies own = energy_of(loop->m, i);
    term[0] = own.strain, term[1] = own.restoring, term[2] = own.contact;
    if (loop->each != NULL) loop->each[i] = own.strain + own.restoring + own.contact;
  }
}

mote_lattice_energies mote_lattice_stored(const mote_lattice *lattice, double *each) {
  double sum[3];
  energy_loop loop = {lattice, each};
  mote_parallel_sum(lattice->threads, lattice->rows.count, 3, energy_chunk, &loop, sum);
  return (mote_lattice_energies){sum[0], sum[1], sum[2]};
}

double mote_lattice_strain(const mote_lattice *lattice, size_t *poor) {
  double most = 0.0;
  size_t count = 0;
  for (size_t i = 0; i < lattice->rows.count; ++i) {
    most = max2(most, lattice->cell[i].strain2);
    count += lattice->cell[i].poor;
  }
  if (poor != NULL) *poor = count;
  return sqrt(most);
}
