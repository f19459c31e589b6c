// Limits of explicit steps by elastic contact: see elastic_contact.h.
#include "contact/elastic_contact.h"
#include "geom/triple.h"

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
      if (!set->record[k].ball) continue;
      sum += (set->record[k].ball ? 2.0 : 1.0) * largest_stiffness(set, set->record + k);
    }
    *most = max2(*most, sum / mass[i]);
  }
}
