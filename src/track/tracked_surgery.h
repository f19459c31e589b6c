// Joins two closed meshes that agree except in a region: outside of it the first mesh is used, inside it the
// second, and along the border a strip of triangles connects the boundary loops of both. The region is a
// union of clusters of cells; success or failure is reported per cluster. docs/theory/tracking.md
#ifndef MOTE_TRACKED_SURGERY_H
#define MOTE_TRACKED_SURGERY_H

#include "mesh/half_edges.h"
#include "track/tracked_cross.h"

#define MOTE_SURGERY_NEAR 8
#define MOTE_NO_CLUSTER UINT32_MAX

// One of the meshes. `changes`, per vertex: whether its part may be cut; other parts are kept from the first
// mesh and left out of the second.
typedef struct mote_surgery_side {
  const mote_mesh *mesh;
  const uint8_t *changes;
  const uint32_t *part;     // of each vertex
  const uint32_t *nearest;  // vertices of the other mesh, MOTE_SURGERY_NEAR each, nearest first
  const double *distance2;
  const uint8_t *crossed;  // of each vertex: its triangles cross others; null: none do
  mote_half_edges edges;   // these two are made by mote_surgery_find
  double *normal;          // 3 per vertex, of any length
} mote_surgery_side;

typedef enum mote_cluster_state {
  MOTE_CLUSTER_DONE,
  MOTE_CLUSTER_SAME,     // only positions would change
  MOTE_CLUSTER_UNFIT,    // the borders of both meshes do not fit together
  MOTE_CLUSTER_CROSSED,  // new triangles cross others
} mote_cluster_state;

// A group of nearby cells in which the meshes disagree.
typedef struct mote_cluster {
  int32_t low[3], high[3];  // of its cells
  bool lost;                // surfaces are farther apart than `lost` reaches, or cross
  int grow;                 // cells about it that are cut out with it; 0: it is left alone
  int trial;                // by how many sizes its region has grown
  bool given_up;            // no region fitted
  bool given_up_now;        // after the last run
  bool blamed;              // where it does not fit, or crosses
  uint32_t root;            // the first of the clusters connected to its region; its is the rest:
  mote_cluster_state state;
  size_t patches[2];  // connected pieces that are cut out, that take their place
  size_t parts[2];    // parts of either mesh to which they belong
  int64_t euler;      // twice that of the latter less that of the former
} mote_cluster;

typedef struct mote_surgery {
  mote_surgery_side side[2];  // old, fresh
  double reach;               // m
  double lost;                // reaches
  double far, cosine;  // surfaces that lie so many reaches apart, or whose normals' cosine is less, disagree
  mote_mesh_cells grid;  // MOTE_SURGERY_CELL reaches wide
  int32_t (*cell)[3];
  uint32_t *cluster_of;  // of each cell
  size_t cells;
  mote_cluster *cluster;
  size_t clusters;
  uint32_t *twin;  // of each fresh vertex: the old one with which it agrees; UINT32_MAX: none
} mote_surgery;

// Finds the clusters where the meshes disagree; allocates in the arena.
mote_result mote_surgery_find(mote_surgery *surgery, const mote_env *env, mote_arena *arena,
                              mote_error *error);

typedef struct mote_surgery_result {
  bool done;         // all clusters that are not left alone; otherwise there is no mesh
  mote_mesh mesh;    // in the arena
  uint32_t *source;  // of each vertex: in the old mesh, or behind its vertices in the fresh one
  size_t kept;       // vertices of the old mesh, which come first
} mote_surgery_result;

// Replaces the old mesh by the fresh one in the cells of all clusters with grow > 0, and in `grow` layers of
// cells around them. Writes the states of the clusters. `edge`, m: mean edge length, for the crossing test.
mote_result mote_surgery_run(mote_surgery *surgery, double edge, const mote_env *env, mote_arena *arena,
                             mote_surgery_result *out, mote_error *error);

// Cells of the clusters and around them, with the cluster that each belongs to.
typedef struct mote_region_block mote_region_block;  // 8 cells along each axis
typedef struct mote_region {
  int32_t (*cell)[3];
  uint32_t *owner;
  size_t count, capacity;
  mote_region_block **block;  // by hash; null: none
  size_t blocks, mask;
  mote_mesh_cells cells;
  mote_arena *arena;
} mote_region;
// Clusters that meet are merged: they get one root.
mote_result mote_region_grow(mote_surgery *surgery, mote_arena *arena, mote_region *out, mote_error *error);
// MOTE_NO_CLUSTER: in no cell.
uint32_t mote_region_owner(const mote_region *region, const double x[3]);

// Union-find of clusters: the root of a set; merges two sets.
uint32_t mote_cluster_root(const mote_surgery *surgery, uint32_t cluster);
void mote_cluster_join(mote_surgery *surgery, uint32_t a, uint32_t b);
// Whether any region has this state. Regions that are done and in which only positions changed get
// MOTE_CLUSTER_SAME.
bool mote_cluster_any(const mote_surgery *surgery, mote_cluster_state state);
void mote_cluster_find_same(mote_surgery *surgery);
// After a run: enlarges regions that did not fit; clusters in which only positions changed, or for which no
// size fitted, are left alone. Returns whether to run again.
bool mote_cluster_choose(mote_surgery *surgery);

#endif
