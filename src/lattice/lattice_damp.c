// Damping of motion that is not locally rigid, WIC06 (10)-(13): see lattice_data.h. Centre, mean velocity,
// inertia, spin and force have the same weights w m, so that both momenta are conserved. Theory:
// docs/theory/lattice.md, "Damping"
#include <float.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"

#define ROWS_PER_CHUNK 64

enum { SITES = MOTE_LATTICE_SITES };

typedef struct damping {
  const mote_lattice *m;
  double dt;
  mote_lattice_motion *motion;
} damping;

// False where I is singular but for rounding: particles on a line have no spin about it.
static bool invert_inertia(const double I[9], int dimensions, double out[9]) {
  double trace = I[0] + I[4] + I[8];
  for (int e = 0; e < 9; ++e) out[e] = 0.0;
  if (dimensions == 2) {
    out[8] = I[8] > 0.0 ? 1.0 / I[8] : 0.0;
    return I[8] > 0.0;
  }
  cross3(I + 3, I + 6, out), cross3(I + 6, I, out + 3), cross3(I, I + 3, out + 6);
  double det = dot3(I, out), over = 1.0 / det;
  for (int e = 0; e < 9; ++e) out[e] *= over;
  return det > 8.0 * (double)FLT_EPSILON * trace * trace * trace;
}

// Sums over a neighbourhood, relative to its particle.
typedef struct moments {
  double mass, at[3], mean[3], momentum[3];
  double xx, yy, zz, xy, xz, yz;  // of w m r r^T
} moments;

static void add_neighbours(const mote_lattice *m, size_t i, moments *out) {
  const double *x = m->rows.position + 3 * i, *v = m->rows.velocity + 3 * i;
  moments s = *out;
  for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
    const mote_lattice_pair *pair = m->pair + SITES * i + k;
    double r[3], u[3], turn[3], w = pair->weight * m->rows.mass[pair->j];
    sub3(m->rows.position + 3 * (size_t)pair->j, x, r), sub3(m->rows.velocity + 3 * (size_t)pair->j, v, u);
    cross3(r, u, turn);
    s.mass += w;
    step3(s.at, w, r, s.at), step3(s.mean, w, u, s.mean), step3(s.momentum, w, turn, s.momentum);
    double x0 = w * r[0], x1 = w * r[1];
    s.xx += x0 * r[0], s.xy += x0 * r[1], s.xz += x0 * r[2];
    s.yy += x1 * r[1], s.yz += x1 * r[2], s.zz += w * r[2] * r[2];
  }
  *out = s;
}

// (10), (11). Sums are taken relative to the particle itself, to avoid cancellation far from the origin, and
// then moved to the centre.
bool mote_lattice_motion_at(const mote_lattice *lattice, size_t i, mote_lattice_motion *out) {
  const mote_lattice *m = lattice;
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  double *mean = out->mean, *at = out->centre, L[3];
  moments s = {.mass = law->own_weight * m->rows.mass[i]};
  add_neighbours(m, i, &s);
  for (int a = 0; a < 3; ++a) at[a] = s.at[a] / s.mass, mean[a] = s.mean[a] / s.mass;
  cross3(at, s.mean, L);
  sub3(s.momentum, L, L);
  double xx = s.xx - s.at[0] * at[0], yy = s.yy - s.at[1] * at[1], zz = s.zz - s.at[2] * at[2];
  double xy = s.at[0] * at[1] - s.xy, xz = s.at[0] * at[2] - s.xz, yz = s.at[1] * at[2] - s.yz;
  const double I[9] = {yy + zz, xy, xz, xy, xx + zz, yz, xz, yz, xx + yy};
  out->spins = invert_inertia(I, law->dimensions, out->inverse_inertia);
  turn3(out->inverse_inertia, L, out->spin);
  step3(mean, 1.0, m->rows.velocity + 3 * i, mean), step3(at, 1.0, m->rows.position + 3 * i, at);
  return out->spins;
}

static void measure_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const damping *d = data;
  for (size_t i = begin; i < end; ++i) (void)mote_lattice_motion_at(d->m, i, d->motion + i);
}

static void velocity_against(const mote_lattice *m, const mote_lattice_motion *of, size_t j, double off[3]) {
  double r[3], rigid[3];
  sub3(m->rows.position + 3 * j, of->centre, r);
  cross3(of->spin, r, rigid);
  sub3(m->rows.velocity + 3 * j, of->mean, off);
  sub3(off, rigid, off);
}

// Fraction of the non-rigid motion of particle j that the neighbourhood of i removes, (12).
static void damp_from(const damping *d, size_t i, size_t j, double weight, double change[3]) {
  const mote_lattice *m = d->m;
  const mote_lattice_part *part = mote_lattice_part_of(m, i);
  const mote_lattice_motion *of = d->motion + i;
  double off[3], rate = min2(1.0, part->damping * d->dt);
  if (!of->spins) return;
  if (m->rows.fraction != NULL) rate = 1.0 - (1.0 - rate) * (double)m->rows.fraction[i];  // mush is viscous
  rate /= part->law.all_weights;
  velocity_against(m, of, j, off);
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
  damping d = {lattice, dt, lattice->motion};
  mote_parallel_for(lattice->threads, n, ROWS_PER_CHUNK, measure_chunk, &d);
  mote_parallel_for(lattice->threads, n, ROWS_PER_CHUNK, gather_chunk, &d);
  mote_parallel_for(lattice->threads, n, ROWS_PER_CHUNK, apply_chunk, &d);
}

double mote_lattice_shock(const mote_lattice *lattice, size_t *row) {
  const mote_lattice *m = lattice;
  double most = 0.0, off[3];
  *row = 0;
  for (size_t i = 0; i < m->rows.count; ++i) {
    if (!m->motion[i].spins) continue;
    velocity_against(m, m->motion + i, i, off);
    double own = length3(off) / mote_lattice_part_of(m, i)->law.speed;
    if (own > most) most = own, *row = i;
  }
  return most;
}
