// The particles that mote sample estimates from: positions, masses, spacing, dimensions.
#ifndef MOTE_SAMPLE_SET_H
#define MOTE_SAMPLE_SET_H

#include "cli/files/input_file.h"

typedef enum sample_method { SAMPLE_SPH, SAMPLE_SHEPARD, SAMPLE_MLS } sample_method;

typedef struct sample_set {
  int dimensions;
  size_t count;
  size_t *row;       // of each particle in the file: those that are not finite are left out
  double *position;  // 3 each
  double *mass;
  bool weighed;    // the file has masses; else volumes are equal and densities are relative to 1
  double spacing;  // between particles
  double support;  // radius
  double low[3], high[3];
} sample_set;

// dimensions 0: 2 where all z are equal; support NaN: from the spacing. Complains; gives the exit status.
int sample_set_make(const char *path, const mote_cloud *cloud, int dimensions, double support,
                    sample_method method, const mote_env *env, sample_set *out);
void sample_set_free(sample_set *set);
// The usual distance to the nearest particles; 0 if it cannot be determined.
double sample_set_distance(const sample_set *set, const mote_env *env);

// One field at points.
typedef struct sample_column {
  const char *name, *unit;
  int components;
  double *value;  // NaN where no particle is in reach
} sample_column;

// Fills the values of all columns; "density" by summation. Complains; gives the exit status.
int sample_evaluate(const sample_set *set, const mote_cloud *cloud, sample_method method, int order,
                    const double *point, size_t count, sample_column *column, size_t columns,
                    const mote_env *env);

#endif
