// Liquids at other meshes, in previews and rays. The surface of a liquid is accurate to half a particle
// spacing, so that it ends before the vessel, the wall or the body that holds it, and pictures show a gap
// there. What is in contact is moved a little beyond the surface of the other, or a little before it if one
// looks through that.
#ifndef MOTE_LIQUID_CONTACT_H
#define MOTE_LIQUID_CONTACT_H

#include <mote/geom.h>

#include "io/io_base.h"

typedef struct mote_liquid_contact {
  mote_env env;
  size_t count;    // of the liquid's vertices; 3 numbers each:
  double *x;       // where they are, m
  double *normal;  // out of the liquid, of any length
  double *move;    // m
  double reach;    // m, of contact
} mote_liquid_contact;

// Of zeros; false: no memory. Closed in any case.
bool mote_liquid_contact_open(size_t count, const mote_env *env, mote_liquid_contact *c);
void mote_liquid_contact_close(mote_liquid_contact *c);
// By the mean edge of the liquid's mesh, of vertices at x.
void mote_liquid_contact_set_reach(mote_liquid_contact *c, double mean_edge);
// Sets `move`; zero of what is not in contact with the other mesh.
mote_result mote_liquid_contact_find(mote_liquid_contact *c, const mote_mesh *other, bool clear,
                                     mote_error *error);

#endif
