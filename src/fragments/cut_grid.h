// A tetrahedral grid over a shape that cracks: nodes are inside or outside by the signed distance of the
// shape, edges between inner nodes are cut by the triangles of cracks, and fragments are the connected
// components of inner nodes over uncut edges. cut_mesh.h makes the surfaces of the fragments from it.
// Material space, 3D.
//
// Input: a distance, triangles. Memory: 8 bytes per site of the bounding box, 85 per inner node and its
// neighbours. Theory: docs/theory/fragments.md
#ifndef MOTE_CUT_GRID_H
#define MOTE_CUT_GRID_H

#include <mote/base.h>

#include "fragments/cut_tetra.h"

#define MOTE_CUT_NONE UINT32_MAX

typedef struct mote_cut_grid_def {
  // Signed distance, negative inside: of the correct sign, never larger in magnitude than the true one.
  // Called from several threads at once, also after creation.
  double (*distance)(void *user, const double x[3]);
  void *user;
  double low[3], high[3];  // bounds of the shape, m
  double edge;             // long edge of the grid, m; the short ones are sqrt(3)/2 of it
} mote_cut_grid_def;

// A cut edge, with the first triangle that crosses it.
typedef struct mote_edge_cut {
  uint32_t edge;     // MOTE_NODE_EDGES * owner + type
  double at;         // fraction of the way from the owner, within [0.05, 0.95]
  double normal[3];  // of the triangle; any length
} mote_edge_cut;

typedef struct mote_cut_grid {
  mote_env env;
  double (*distance)(void *user, const double x[3]);
  void *user;
  mote_tetra_table table;
  double origin[3], half;  // site 0; half of an edge, m
  uint32_t size[3];        // sites: size[2] layers of size[1] rows of size[0]
  uint32_t *number;        // of the node at each site; NONE: neither inside nor beside an inner node
  size_t sites, nodes;
  uint32_t *site;     // of each node, ascending
  uint8_t *inside;    // of each node
  uint32_t *mark;     // of each edge: its surface point or its cut; NONE
  uint32_t *surface;  // edges with one end inside
  double *point;      // of each of them, where it crosses the surface, or beside it: see drawn
  double *share;      // of each of them: part of the way from the inner node at which the surface is
  uint8_t *drawn;     // of each of them: a crack passes before the point, which was drawn back to it
  size_t surfaces;
  uint32_t *outer;  // tetrahedra with nodes on both sides: MOTE_TETRAS * even node + number
  size_t outers;
  mote_edge_cut *cut;
  size_t cuts, label_cuts, cut_capacity;  // the last of all: between particles of different labels
  uint32_t *record;                       // of each tetrahedron, scratch of cut_mesh.c; NONE between calls
  uint32_t *fragment;                     // of each node; NONE outside; set by mote_cut_grid_divide
  uint32_t *home;  // of each node: the particle whose side it is on, where the last division had homes
  size_t fragments, joined_cuts;
} mote_cut_grid;

// ARGUMENT: edge is not positive, bounds are not finite, more than 2^28 sites, no node is inside, or one is
// at the boundary of the grid, outside of the bounds.
mote_result mote_cut_grid_create(const mote_cut_grid_def *def, const mote_env *env, mote_cut_grid **out,
                                 mote_error *error);
void mote_cut_grid_destroy(mote_cut_grid *grid);

// Cuts the edges that these triangles cross; nine numbers each. Degenerate triangles cut no edge. An edge
// keeps its first cut, so that triangles added in several calls give the same cuts as in one. Surface points
// that a crack separates from their inner node are moved back along the surface, to within a tenth of an edge
// before the crack.
mote_result mote_cut_grid_add(mote_cut_grid *grid, const double *corner, size_t count, mote_error *error);

// The particles of the body, which determine the fragments.
typedef struct mote_cut_matter {
  const uint32_t *node;    // of the grid, on each particle's side; NONE: it does not count
  const uint32_t *label;   // of each: different ones are never in one fragment; null: all are the same
  const double *position;  // three each, at rest; where there are labels
  size_t count, least;     // components of fewer particles are rejoined
  bool homes;              // find the home of each node, for surfaces; needs positions
  // Whether two particles, homes of the ends of an edge, have come apart; null: never. Needs homes.
  bool (*apart)(void *user, uint32_t p, uint32_t q);
  void *user;
} mote_cut_matter;

// Numbers the fragments by their first nodes. Components of less than `least` nodes or of too few particles
// are merged with the component with which they share most cut edges, of the same label if they have one:
// those cuts are ignored until the next call. A component with particles of several labels is cut halfway
// between them, and so are edges between homes that have separated, until the next call. `matter` may be
// null.
mote_result mote_cut_grid_divide(mote_cut_grid *grid, size_t least, const mote_cut_matter *matter,
                                 mote_error *error);
// cut_labels.c: the cuts between labels, and homes. On entry grid->fragment follows from the cracks alone.
mote_result mote_cut_grid_part_labels(mote_cut_grid *grid, const mote_cut_matter *matter, mote_error *error);
// Homes of nodes of merged components.
mote_result mote_cut_grid_spread_homes(mote_cut_grid *grid, const mote_cut_matter *matter, mote_error *error);
// cut_edges.c: removes the cuts between labels, and restores those of cracks that were ignored.
void mote_cut_grid_restore(mote_cut_grid *grid);

// The inner node nearest to x, within 1.5 edges, whose straight connection to x is not blocked; if all are
// blocked, the nearest; NONE: no node in reach. `blocked` may be null.
uint32_t mote_cut_grid_nearest(const mote_cut_grid *grid, const double x[3],
                               bool (*blocked)(void *user, const double a[3], const double b[3]), void *user);

// cut_labels.c: where a site and a node are.
void mote_cut_site_position(const mote_cut_grid *grid, size_t site, double x[3]);
void mote_cut_grid_position(const mote_cut_grid *grid, uint32_t node, double x[3]);
// The point where edge surface[k] crosses the surface, also if its surface point was moved back.
void mote_cut_grid_crossing(const mote_cut_grid *grid, size_t k, double x[3]);
// Ignores cuts whose ends are in one fragment, until the next division: those for which `closed` is true
// (null: all).
void mote_cut_grid_close_slits(mote_cut_grid *grid, bool (*closed)(void *user, size_t cut), void *user);

// Difference of site numbers from a node of this parity to the site at offset d, in half edges.
static inline int64_t mote_cut_grid_step(const mote_cut_grid *grid, int parity, const int8_t d[3]) {
  return ((int64_t)d[2] * grid->size[1] + ((parity + d[1]) >> 1)) * grid->size[0] + ((parity + d[0]) >> 1);
}

// Parity of the node's coordinates.
static inline int mote_cut_grid_parity(const mote_cut_grid *grid, uint32_t node) {
  return (int)(grid->site[node] / (grid->size[0] * grid->size[1]) & 1);
}

static inline uint32_t mote_cut_grid_neighbour(const mote_cut_grid *grid, uint32_t node, const int8_t d[3]) {
  return grid->number[grid->site[node] + mote_cut_grid_step(grid, mote_cut_grid_parity(grid, node), d)];
}

// The other end of an edge.
static inline uint32_t mote_cut_grid_end(const mote_cut_grid *grid, uint32_t edge) {
  return mote_cut_grid_neighbour(grid, edge / MOTE_NODE_EDGES, grid->table.direction[edge % MOTE_NODE_EDGES]);
}

#endif
