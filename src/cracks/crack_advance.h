// A front during its advance, shared by crack_grow.c and crack_ends.c.
#ifndef MOTE_CRACK_ADVANCE_H
#define MOTE_CRACK_ADVANCE_H

#include "cracks/crack_grow.h"

// Along a front, from a node outside of the body to one inside, for it to live.
#define MOTE_CRACK_OUTSIDE_NODES 2L

// A front during its advance. Nodes are those after it.
typedef struct mote_crack_advance {
  mote_crack_sheets *cracks, *changed;
  const mote_crack_matter *matter;
  mote_crack_front *front;
  mote_crack_node *node;        // of all fronts, with new ones inserted
  size_t nodes, node_capacity;  // of those finished
  mote_crack_front *done;       // fronts after the advance
  size_t fronts, front_capacity;
  double *corner;  // of new triangles
  size_t triangles, capacity;
} mote_crack_advance;

double mote_crack_depth_at(const mote_crack_matter *matter, const double x[3]);
mote_result mote_crack_put_node(mote_crack_advance *a, const mote_crack_node *node, mote_error *error);
// Copies all nodes of the front unchanged.
mote_result mote_crack_keep_nodes(mote_crack_advance *a, mote_error *error);
// Nodes of a front outside of the body end where no node inside is near along the front.
mote_result mote_crack_end_nodes(mote_crack_advance *a, mote_crack_node *node, size_t count,
                                 mote_error *error);
// The nodes from `first` on become fronts like this one. Ended nodes are removed if they are outside
// of the body or between others that have ended, and the front separates into several: a strip from there to
// nodes that move on would cut through hollow bodies.
mote_result mote_crack_put_fronts(mote_crack_advance *a, const mote_crack_front *like, size_t first,
                                  mote_error *error);
void mote_crack_advance_end(mote_crack_advance *a);

#endif
