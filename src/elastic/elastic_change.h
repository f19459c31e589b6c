// Changes of an elastic body's neighbours: pairs are added and removed, and their weights get factors, as for
// a crack between two particles. Positions at rest, supports and constants do not change.
//
// Edits are collected separately, and the body keeps its forces and energy until mote_elastic_rebuild applies
// all of them, or none. The results do not depend on the order of edits: a pair removed and added again with
// the same path length restores its bits. Solvers, contacts and skins of the body must be created anew
// after it. Theory: docs/theory/elastic.md, "Changes of neighbours"
#ifndef MOTE_ELASTIC_CHANGE_H
#define MOTE_ELASTIC_CHANGE_H

#include "elastic/elastic_body.h"

// Two particles; (a, b) and (b, a) are the same pair. A call may name each pair once.
typedef struct mote_elastic_ends {
  uint32_t a, b;
} mote_elastic_ends;

// The pairs must be neighbours. Fails only when memory is out, without any change.
mote_result mote_elastic_remove_neighbours(mote_elastic *body, const mote_elastic_ends *ends, size_t count,
                                           mote_error *error);

// The pairs must not be neighbours. path_length: of each pair inside the body, positive, m, less than the
// mean of both supports (mote_elastic_reach); in the metric of the reference where the body has one. Factors
// are 1. Fails only when memory is out, without any change.
mote_result mote_elastic_add_neighbours(mote_elastic *body, const mote_elastic_ends *ends,
                                        const double *path_length, size_t count, mote_error *error);

// Factors in (0, 1] of the weights of neighbours, in place of their present ones. For a factor of 0 remove
// the pair. Fails only when memory is out, without any change.
mote_result mote_elastic_set_factors(mote_elastic *body, const mote_elastic_ends *ends, const double *factor,
                                     size_t count, mote_error *error);

typedef enum mote_elastic_volumes {
  MOTE_ELASTIC_KEEP_VOLUMES,  // masses too, so that a change during motion conserves momentum
  MOTE_ELASTIC_NEW_VOLUMES    // those of a body created with these neighbours; not for renewed bodies
} mote_elastic_volumes;

// Applies all edits, and recomputes the dependent data: moments, hourglass stiffness and slopes of
// both ends of every edited pair, and of the particles in `rows` (ascending, each once; null: none). On
// failure the edits are discarded and the body is as before the first of them: ARGUMENT names a particle with
// too few neighbours, or all in one plane.
mote_result mote_elastic_rebuild(mote_elastic *body, const uint32_t *rows, size_t count,
                                 mote_elastic_volumes volumes, mote_error *error);

// Discards edits that were not applied.
void mote_elastic_discard_edits(mote_elastic *body);

// Frees the memory of edits; called by mote_elastic_destroy.
void mote_elastic_edit_destroy(mote_elastic *body);

#endif
