// Coarse level of the preconditioner of a large body: displacements linear along each axis between the nodes
// of a coarse grid, with their Galerkin stiffness at rest and mass, factorised. It represents bending and
// rotation of the whole body, which incomplete factors do not. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_COARSE_H
#define MOTE_ELASTIC_COARSE_H

#include "elastic/elastic_body.h"
#include "num/cholesky_lanes.h"

// A stiffness of one particle, in axes that turn with it.
typedef struct mote_elastic_block {
  size_t particle;
  double value[9];
} mote_elastic_block;

typedef struct mote_elastic_coarse {
  const mote_elastic *body;  // null: not made
  mote_arena memory;
  int corners;      // of a cell: 4 or 8
  size_t nodes;     // active: those that move a particle
  uint32_t *node;   // corner nodes of each particle
  float *weight;    // and their shape functions; 0 for held particles
  size_t *first;    // first entry of each node in place
  uint32_t *place;  // entries of the two arrays above, by node
  size_t *column;   // the matrix: lower triangle by columns
  uint32_t *row;
  double *untouched, *value;  // without and with the blocks of contact
  mote_cholesky *factor;
  mote_cholesky_lanes *lanes;
  double *vector;  // of the nodes
} mote_elastic_coarse;

// M/step^2 + K without the held particles (null: none). An earlier one is freed first.
mote_result mote_elastic_coarse_make(mote_elastic_coarse *coarse, const mote_elastic *body, double step,
                                     const uint8_t *held, mote_error *error);
// Factorises it with the blocks.
mote_result mote_elastic_coarse_factorise(mote_elastic_coarse *coarse, const mote_elastic_block *block,
                                          size_t blocks, mote_error *error);
void mote_elastic_coarse_end(mote_elastic_coarse *coarse);
// Adds Z E^-1 Z^T `in` to `out`, Z rotated with every particle (nine numbers each). `rest`: scratch, three
// numbers per particle.
void mote_elastic_coarse_add(mote_elastic_coarse *coarse, const double *turn, const double *in, double *rest,
                             double *out);

#endif
