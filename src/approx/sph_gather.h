// The one loop of smoothed particle hydrodynamics: a row of sums for each target, over the samples near it.
// Targets are the samples themselves (by their lists) or any points (by queries). Reads the samples, writes
// the rows of its operations; nothing else.
#ifndef MOTE_SPH_GATHER_H
#define MOTE_SPH_GATHER_H

#include "approx/sph_pair.h"
#include "base/memory.h"

struct mote_sph {
  mote_env env;
  mote_domain domain;
  mote_pair_kernel kernel;
  size_t count, boundary_count;
  double *position;  // 3 * count
  double *mass, *density, *volume;
  double *boundary;       // 3 * boundary_count
  double *boundary_mass;  // rest density times volume
  mote_grid *grid, *boundary_grid;
  mote_lists lists;
};

typedef enum mote_sph_what {
  MOTE_SPH_DENSITY,  // sum m W, boundary included: EG09 (5), (7), (55)
  MOTE_SPH_UNITY,    // sum V W
  MOTE_SPH_VALUE,    // EG09 (3)
  MOTE_SPH_GRADIENT,
  MOTE_SPH_DIVERGENCE,
  MOTE_SPH_LAPLACIAN,
} mote_sph_what;

typedef struct mote_sph_operation {
  mote_sph_what what;
  mote_gradient_form gradient;    // of GRADIENT and DIVERGENCE
  mote_laplacian_form laplacian;  // of LAPLACIAN
  const double *field;            // components per sample; not read by DENSITY and UNITY
  int components;
  double *out;  // per target: 3 components of a gradient, 1 of DENSITY, UNITY and DIVERGENCE, else components
} mote_sph_operation;

// Does all operations at once, at the samples (position null) or at `count` points, for which only the
// PLAIN forms have a meaning. Fails for want of memory only.
mote_result mote_sph_gather(const mote_sph *sph, const mote_sph_operation *operations, int number,
                            const double *position, size_t count, mote_error *error);

#endif
