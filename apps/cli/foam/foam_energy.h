// The energy that the liquid of a run has lost by impact and mixing, by its ledger: totals.csv.
#ifndef MOTE_FOAM_ENERGY_H
#define MOTE_FOAM_ENERGY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct foam_energy {
  double *time, *lost;  // s; J since the run began
  size_t count;         // 0: the run has kept no ledger
} foam_energy;

// Complains; false after that.
bool foam_energy_read(foam_energy *e, const char *directory);
void foam_energy_free(foam_energy *e);
// What was lost between two times, J; NaN: the ledger does not say.
double foam_energy_between(const foam_energy *e, double from, double to);

#endif
