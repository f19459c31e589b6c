// Matrices within an envelope: see contact_envelope.h. No entry outside of it becomes other than 0 (George &
// Liu 1981, 4.2).
#include "contact/contact_envelope.h"

#include <math.h>

bool mote_envelope_factorise(const mote_island *in, double *matrix) {
  for (size_t i = 0; i < 6 * in->bodies; ++i) {
    size_t low = 6 * in->low[i / 6];
    double *a = matrix + in->line[i] - low;
    for (size_t j = low; j <= i; ++j) {
      size_t other = 6 * in->low[j / 6], from = low > other ? low : other;
      const double *b = matrix + in->line[j] - other;
      double part = a[j];
      for (size_t k = from; k < j; ++k) part -= a[k] * b[k];
      if (j == i && !(part > 0.0)) return false;
      a[j] = j < i ? part / b[j] : sqrt(part);
    }
  }
  return true;
}

void mote_envelope_solve(const mote_island *in, const double *factor, double *x) {
  size_t n = 6 * in->bodies;
  for (size_t i = 0; i < n; ++i) {
    size_t low = 6 * in->low[i / 6];
    const double *a = factor + in->line[i] - low;
    for (size_t j = low; j < i; ++j) x[i] -= a[j] * x[j];
    x[i] /= a[i];
  }
  for (size_t i = n; i-- > 0;) {
    size_t low = 6 * in->low[i / 6];
    const double *a = factor + in->line[i] - low;
    x[i] /= a[i];
    for (size_t j = low; j < i; ++j) x[j] -= a[j] * x[i];
  }
}
