// Resampling of an elastic body whose particles have lost neighbours to cracks, EG09 (71): a particle becomes
// 2^dimensions of half its spacing and support. The body is then to be created anew from the new arrays.
// Mass and volume are kept to the bit, momentum, centre of mass and angular momentum to rounding, and so is
// the energy of a uniform strain. Theory: docs/theory/fragments.md, "Resampling"
#ifndef MOTE_ELASTIC_SPLIT_H
#define MOTE_ELASTIC_SPLIT_H

#include "elastic/elastic_body.h"

#define MOTE_SPLIT_PARTS 8  // at most: 2^dimensions

typedef struct mote_split_def {
  double omega_min;      // particles with fewer neighbours, by (71), are split; 0: 10, in 2D 6
  double least_spacing;  // no particle of a smaller spacing comes about, m
  size_t most;           // particles, after splitting
  const uint8_t *skip;   // nonzero: this particle is never split; null: none
  // Lists of the body before its cracks (pairs of i: from first[i] on): particles that have lost no neighbour
  // are not split for having few. Null: not asked for.
  const size_t *uncut;
  // Displacement gradients by which the parts are placed, nine each; null: those of the body's own fit.
  const double *gradient;
  const double *eye;  // from where a particle sees its parts; null: from its place at rest
  // Whether the straight way from a to b crosses a crack: parts stay on their parent's side. Null: none does.
  bool (*crosses)(void *user, const double a[3], const double b[3]);
  void *user;
} mote_split_def;

// Omega_i of EG09 (71): the sum over the neighbours of the weight over that without any crack.
double mote_elastic_omega(const mote_elastic *body, size_t i);

// Which particles are to be split, ascending; row has room for all. Those with too small an Omega, in a body
// with a renewed reference also those whose moments have become STRETCHED, and, where `fragment` (of each
// particle, below `fragments`) is not null, all of a fragment that has less than dimensions + 2 particles or
// whose particles lie in a plane (2D: on a line). *limited: not all could be, because of `most`.
mote_result mote_elastic_find_splits(const mote_elastic *body, const mote_split_def *def,
                                     const uint32_t *fragment, size_t fragments, uint32_t *row, size_t *count,
                                     bool *limited, mote_error *error);

// Particles of a first body in parts: its whole, what they come from, and how often they were halved.
typedef struct mote_elastic_parts {
  const mote_elastic *first;
  size_t count;
  const double *rest;
  const uint32_t *from;     // row of `first` for each
  const uint8_t *halvings;  // of its spacing and support
} mote_elastic_parts;

// A body of parts, before any crack: the volumes are the first body's over powers of two, so that masses are
// kept to the bit at any order. `faces` members and path_length of `more` are those that the first body was
// created with.
mote_result mote_elastic_create_parts(const mote_elastic_parts *parts, const mote_elastic_def *more,
                                      mote_elastic **out, mote_error *error);

// Particles with a rest shape; all arrays have room for the new ones.
typedef struct mote_split_rows {
  size_t count;
  double *rest, *position, *velocity;  // three each
  double *support, *volume;            // m; m^3
  uint32_t *parent;  // row that the particle comes from; the first part keeps its parent's row
} mote_split_rows;

// The number of each particle's piece: particles that neighbours join. Returns how many pieces there are.
size_t mote_elastic_pieces(const mote_elastic *body, uint32_t *piece);

// Displacement gradients, nine each: of the fits, and of loose particles those of a rotation that fits their
// neighbours best, so that their parts lie as they do.
mote_result mote_elastic_split_gradients(mote_elastic *body, const double *position, double *gradient,
                                         mote_error *error);

// How many particles there are after splitting `count` of them.
size_t mote_elastic_split_count(const mote_elastic *body, size_t count);

// The particles of the body after splitting these rows. `motion`: of the body. New ones come last, by parent.
// A particle whose parts cannot keep to its side is not split. Fills out->count.
mote_result mote_elastic_split(mote_elastic *body, const mote_split_def *def,
                               const mote_elastic_motion *motion, const uint32_t *row, size_t count,
                               mote_split_rows *out, mote_error *error);

#endif
