// Loose particles of elastic contact, those of lattices, in implicit steps of elastic bodies: they move by
// their inertia alone, as unknowns of the solve. See elastic_contact.h; theory: docs/theory/contact.md,
// "Lattices"
#include <math.h>
#include <string.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"

static size_t rows_of(const mote_elastic_contact *s) {
  return s->meetings - s->loose_meets;
}

// Its number among those in contact.
static size_t row_of(const mote_elastic_contact *s, size_t particle) {
  return s->loose_row[particle - s->loose];
}

mote_result mote_elastic_contact_reserve_loose(mote_elastic_contact *set, mote_error *error) {
  mote_elastic_contact *s = set;
  size_t size = 5 * s->meetings + 6 * s->movers + 1;
  s->loose = s->count, s->loose_meets = s->meetings, s->now = NULL;
  MOTE_TRY(mote_reserve(&s->env, &s->loose_root, &s->loose_capacity, size, sizeof *s->loose_root, error));
  s->loose_path = s->loose_root + s->meetings, s->loose_diagonal = s->loose_path + 3 * s->meetings;
  s->ahead = s->loose_diagonal + s->meetings;
  return mote_reserve(&s->env, &s->loose_row, &s->loose_row_capacity, s->count + 1, sizeof *s->loose_row,
                      error);
}

// Without contact.
static void set_path(mote_elastic_contact *s, size_t row, const mote_elastic_kick *kick) {
  size_t i = s->meets[s->loose_meets + row];
  double *path = s->loose_path + 3 * row, mass = mote_elastic_contact_mass(s, i);
  bool held = kick->held != NULL && kick->held[i] != 0;
  s->loose_row[i - s->loose] = (uint32_t)row;
  s->loose_root[row] = held ? 0.0 : 1.0 / sqrt(mass);
  for (int a = 0; a < 3; ++a) path[a] = kick->dt * kick->v[3 * i + (size_t)a];
  if (held) return;
  step3(path, kick->dt * kick->dt / mass, kick->force + 3 * i, path);
  if (kick->acceleration != NULL) step3(path, kick->dt * kick->dt, kick->acceleration + 3 * i, path);
}

void mote_elastic_contact_loosen(mote_elastic_contact *set, size_t first, const mote_elastic_kick *kick) {
  MOTE_ASSERT(kick->dt > 0.0 && first <= set->count);
  mote_elastic_contact *s = set;
  mote_elastic_contact_accelerate(s, kick->dt);
  s->loose = first, s->loose_meets = 0, s->now = kick->x;
  memcpy(s->ahead, s->displacement, 6 * s->movers * sizeof *s->ahead);
  while (s->loose_meets < s->meetings && s->meets[s->loose_meets] < first) ++s->loose_meets;
  for (size_t row = 0; row < rows_of(s); ++row) set_path(s, row, kick);
}

// The mean displacement of a step of the midpoint rule is half of that in the step, the force of the energy
// half of the condition's.
void mote_elastic_contact_begin_loose(mote_elastic_contact *set, double step) {
  mote_elastic_contact *s = set;
  double times = mote_elastic_contact_times(s);
  s->loose_step = step;
  for (size_t k = 0; k < 6 * s->movers; ++k) s->ahead[k] += step * s->rate[k];
  for (size_t row = 0; row < rows_of(s); ++row) {
    s->loose_root[row] *= sqrt(times), s->loose_diagonal[row] = 0.0;
    for (int a = 0; a < 3; ++a) s->loose_path[3 * row + (size_t)a] /= times;
  }
}

void mote_elastic_contact_loose_move(const mote_elastic_contact *set, size_t particle, const double *y,
                                     bool positions, double out[3]) {
  const mote_elastic_contact *s = set;
  size_t row = row_of(s, particle);
  set3(0.0, 0.0, 0.0, out);
  if (y != NULL) step3(out, s->loose_root[row], y + 6 * s->movers + 3 * row, out);
  if (!positions) return;
  if (y != NULL) step3(out, 1.0, s->loose_path + 3 * row, out);
  step3(out, 1.0, s->now + 3 * particle, out);
  sub3(out, s->begin + 3 * particle, out);
}

void mote_elastic_contact_loose_stiffness(mote_elastic_contact *set) {
  const mote_elastic_contact *s = set;
  for (size_t row = 0; row < rows_of(s); ++row) {
    size_t r = s->loose_meets + row;
    double sum = 0.0;
    for (size_t k = s->share_first[r]; k < s->share_first[r + 1]; ++k) {
      const mote_elastic_contact_record *t = s->record + s->share[k].record;
      const double *D = t->tangent_stiffness;
      sum += s->share[k].along * s->share[k].along * t->normal_stiffness +
             s->share[k].across * s->share[k].across * max2(D[0], max2(D[3], D[5]));
    }
    s->loose_diagonal[row] = s->loose_root[row] * s->loose_root[row] * sum;
  }
}

double mote_elastic_contact_loose_largest(const mote_elastic_contact *set, const double *dy) {
  double most = 0.0;
  for (size_t row = 0; row < rows_of(set); ++row)
    most = max2(most, set->loose_root[row] * length3(dy + 6 * set->movers + 3 * row));
  return most;
}

void mote_elastic_contact_loose_forces(const mote_elastic_contact *set, double *force) {
  for (size_t r = set->loose_meets; r < set->meetings; ++r) {
    for (size_t k = set->share_first[r]; k < set->share_first[r + 1]; ++k) {
      const mote_elastic_contact_share *share = set->share + k;
      const double *one = set->force + 6 * (size_t)share->record;
      double *out = force + 3 * (size_t)set->meets[r];
      step3(out, share->along, one, out), step3(out, share->across, one + 3, out);
    }
  }
}

void mote_elastic_contact_loose_rest(const mote_elastic_contact *set, size_t row, double rate[3]) {
  double root = set->loose_root[row];
  set3(0.0, 0.0, 0.0, rate);
  if (root > 0.0) step3(rate, -1.0 / (root * set->loose_step), set->loose_path + 3 * row, rate);
}

void mote_elastic_contact_loose_former(const mote_elastic_contact *set, size_t row, double rate[3]) {
  const mote_elastic_contact *s = set;
  size_t r = s->loose_meets + row;
  double sum[3] = {0};
  for (size_t k = s->share_first[r]; k < s->share_first[r + 1]; ++k) {
    const mote_elastic_contact_record *t = s->record + s->share[k].record;
    step3(sum, s->share[k].along * t->condition.normal, t->normal, sum);
    step3(sum, s->share[k].across, t->condition.tangent, sum);
  }
  for (int a = 0; a < 3; ++a) rate[a] = s->loose_step * s->loose_root[row] * sum[a];
}
