// A front while it moves, of crack_grow.c and crack_ends.c.
#ifndef MOTE_CRACK_ADVANCE_H
#define MOTE_CRACK_ADVANCE_H

#include "cracks/crack_grow.h"

// Along a front, from a node outside of the body to one inside, for it to live.
#define MOTE_CRACK_OUTSIDE_NODES 2L

// A front on its way. Nodes are those after the advance.
typedef struct mote_crack_advance {
  mote_crack_sheets *cracks, *changed;
  const mote_crack_matter *matter;
  mote_crack_front *front;
  mote_crack_node *node;        // of all fronts, with new ones in between
  size_t nodes, node_capacity;  // of those done
  mote_crack_front *done;       // fronts after the advance
  size_t fronts, front_capacity;
  double *corner;  // of new triangles
  size_t triangles, capacity;
} mote_crack_advance;

double mote_crack_depth_at(const mote_crack_matter *matter, const double x[3]);
mote_result mote_crack_put_node(mote_crack_advance *a, const mote_crack_node *node, mote_error *error);
// All nodes of the front, as they are.
mote_result mote_crack_keep_nodes(mote_crack_advance *a, mote_error *error);
// Nodes of a front outside of the body end where no node inside is near along the front.
mote_result mote_crack_end_nodes(mote_crack_advance *a, mote_crack_node *node, size_t count,
                                 mote_error *error);
// The nodes from `first` on become fronts like this one. Ended nodes are left out where they are outside of
// the body or between others that have ended, and the front falls into several: a strip from there to nodes
// that move on would cut through hollow bodies.
mote_result mote_crack_put_fronts(mote_crack_advance *a, const mote_crack_front *like, size_t first,
                                  mote_error *error);
void mote_crack_advance_end(mote_crack_advance *a);

#endif
