// Limits of explicit steps by elastic contact: see elastic_contact.h.
#include "contact/elastic_contact.h"
#include "geom/triple.h"

// The squared frequency of a mover is at most the sum of k (1/m + (I^-1/2 (r x n))^2). With dt^2 times that
// limited to 1/2 it stays far below the stability limit of 4, for any motion of the particles. A mover
// pressed against a support does not move in that direction, which needs no limit.
void mote_elastic_contact_limit_stiffness(mote_elastic_contact *set, double dt) {
  MOTE_ASSERT(dt > 0.0);
  for (size_t m = 0; m < set->movers && !set->conditions; ++m) {
    double sum = 0.0;
    for (size_t k = set->mover_first[m]; k < set->mover_first[m + 1]; ++k) {
      const mote_elastic_contact_record *t = set->record + set->mover_record[k];
      sum += (t->stiffness + t->stop_stiffness) * mote_elastic_contact_mobility(set, t);
    }
    double share = 0.5 / max2(dt * dt * sum, 1e-300);
    for (size_t k = set->mover_first[m]; share < 1.0 && k < set->mover_first[m + 1]; ++k) {
      mote_elastic_contact_record *t = set->record + set->mover_record[k];
      t->stiffness *= share, t->stop_stiffness *= share;
    }
  }
}

// Largest stiffness of a record in the tick: without the stop where it cannot be reached.
static double largest_stiffness(const mote_elastic_contact *s, const mote_elastic_contact_record *t) {
  double distance = 2.0 * s->travel + s->tick * length3(t->motion);
  return t->stiffness + (t->gap - distance < -t->stop_depth ? t->stop_stiffness : 0.0);
}

void mote_elastic_contact_rates(const mote_elastic_contact *set, const double *mass, double *rate) {
  MOTE_ASSERT(mass != NULL && rate != NULL);
  MOTE_ASSERT(set->rows == 0 || set->row[set->rows] == set->records);
  for (size_t p = 0; p < set->parts; ++p) rate[p] = 0.0;
  for (size_t r = 0; r < set->rows; ++r) {
    uint32_t i = set->record[set->row[r]].i;
    double sum = 0.0, *most = rate + set->part_of[i];
    for (size_t k = set->row[r]; k < set->row[r + 1]; ++k) {
      if (mote_elastic_contact_is_condition(set, set->record + k)) continue;
      sum += (set->record[k].ball ? 2.0 : 1.0) * largest_stiffness(set, set->record + k);
    }
    *most = max2(*most, sum / mass[i]);
  }
}
