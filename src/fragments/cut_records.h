// Tetrahedra of a cut grid with cut edges: their pieces, and the vertices on their edges and faces. Internal
// to cut_mesh.c and cut_records.c. Theory: docs/theory/fragments.md
#ifndef MOTE_CUT_RECORDS_H
#define MOTE_CUT_RECORDS_H

#include "base/arena.h"
#include "fragments/cut_mesh.h"

#define MOTE_PIECE_OUTSIDE 4

// A face whose three corners are in different pieces has a vertex for each piece; three segments run from it
// to the points on the edges. middle: vertex that divides segment k, on the side of the lower node, if both
// sides of it have the same ends; else NONE.
typedef struct mote_cut_face {
  uint32_t vertex[3], middle[3];  // segment k lies between corner k of the face and the next
} mote_cut_face;

typedef struct mote_cut_record {
  uint32_t tetra;    // MOTE_TETRAS * even node + number
  uint32_t node[4];  // corners
  uint32_t mark[MOTE_TETRA_EDGES];
  uint8_t piece[4];  // of each corner: the first corner of its piece; outside
  uint8_t apart;     // bits of the edges whose ends are cut from each other, or on both sides of the surface
  mote_cut_face face[4];
} mote_cut_record;

// The vertices around a cut.
typedef struct mote_cut_ring {
  uint32_t first;     // vertex
  uint8_t separated;  // bits of the ring's tetrahedra in which its ends are different pieces
  uint8_t full;       // all of them
} mote_cut_ring;

// A vertex whose position depends on those of surface points.
typedef enum mote_cut_spot_kind { MOTE_SPOT_FACE, MOTE_SPOT_MIDDLE, MOTE_SPOT_CENTRE } mote_cut_spot_kind;
typedef struct mote_cut_spot {
  mote_cut_spot_kind kind;
  uint32_t vertex, record;
  uint32_t end[2];  // of a middle: vertices
  int face;
} mote_cut_spot;

// A tetrahedron with surface points that were moved back, and its triangles.
typedef struct mote_cut_patch {
  uint32_t tetra, first, count;
  uint32_t centre;  // vertex of its fans; NONE: polygons
} mote_cut_patch;

typedef struct mote_cut_records {
  mote_cut_grid *grid;
  mote_cut_mesh *out;
  mote_arena memory;
  mote_cut_record *record;
  size_t records, capacity;
  mote_cut_ring *ring;  // of each cut
  mote_cut_spot *spot;  // those of one face or tetrahedron behind those they follow from
  mote_cut_patch *patch;
  size_t spots, spot_capacity, patches, patch_capacity;
} mote_cut_records;

// Records of all cut tetrahedra, with their vertices.
mote_result mote_cut_records_make(mote_cut_records *r, mote_error *error);
void mote_cut_records_free(mote_cut_records *r);

// Adds a vertex to the mesh.
mote_result mote_cut_add_vertex(mote_cut_records *r, const double x[3], uint32_t inner, uint32_t *out,
                                mote_error *error);

// cut_untangle.c: returns surface points to their edges where triangles would cross.
mote_result mote_cut_untangle(mote_cut_records *r, mote_error *error);

// Records that a vertex depends on surface points, if the tetrahedron has any.
mote_result mote_cut_add_spot(mote_cut_records *r, mote_cut_spot spot, mote_error *error);

// The record of a tetrahedron; for an uncut one at the outer surface it is made in `own`.
const mote_cut_record *mote_cut_record_of(const mote_cut_records *r, uint32_t tetra, mote_cut_record *own);

// Positions of the point on an edge whose ends are in different pieces, of the vertex in a face with three
// regions, and of the vertex inside.
void mote_cut_edge_point(const mote_cut_records *r, const mote_cut_record *t, int a, int b, double x[3]);
void mote_cut_face_point(const mote_cut_records *r, const mote_cut_record *t, int face, double x[3]);
void mote_cut_centre(const mote_cut_records *r, const mote_cut_record *t, double x[3]);

// Vertex on the edge between two corners, on the side of the first, which is an inner node.
uint32_t mote_cut_edge_vertex(const mote_cut_records *r, const mote_cut_record *t, int corner, int other);

static inline bool mote_cut_is_apart(const mote_cut_record *t, int a, int b) {
  return t->apart >> mote_tetra_edge[a][b] & 1;
}

// Number of regions into which the pieces of its corners divide a face: 1, 2 or 3. *lone: of two regions, the
// corner that is alone in one.
static inline int mote_cut_face_regions(const mote_cut_record *t, int face, int *lone) {
  const uint8_t *c = mote_tetra_face[face];
  int ab = mote_cut_is_apart(t, c[0], c[1]), bc = mote_cut_is_apart(t, c[1], c[2]),
      ca = mote_cut_is_apart(t, c[2], c[0]);
  *lone = !bc ? 0 : !ca ? 1 : 2;
  return ab + bc + ca < 2 ? 1 : ab + bc + ca;
}

#endif
