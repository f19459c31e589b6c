// Neighbour search: grid, kd-tree, connected components.
//
// Points are triples of doubles (x, y, z) one after the other, also in 1D (y and z are not read) and
// in 2D (z is not read). Near means |x_i - x_j| <= r, decided exactly as
// dx*dx + dy*dy + dz*dz <= r*r in double, whatever optimisation is used. Indices are those of the
// points as given. Every answer has one fixed order that does not depend on threads. Points that are
// not finite are an argument error that names the first of them.
//
// Theory: docs/theory/search.md
#ifndef MOTE_SEARCH_H
#define MOTE_SEARCH_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- The domain ---------------------------------------------------------------------------------------

// Open along every axis unless periodic: then high - low is the period, distances are to the nearest
// image, and positions may lie anywhere within 2^40 periods. A period must be at least twice the largest
// radius.
typedef struct mote_domain {
  int dimensions;  // 1, 2 or 3
  bool periodic[3];
  double low[3], high[3];  // read along periodic axes only
} mote_domain;

// Open in all directions.
MOTE_API mote_domain mote_domain_open(int dimensions);

// x_i - x_j, to the nearest image along periodic axes; 0 along axes beyond the dimensions.
MOTE_API void mote_domain_difference(const mote_domain *domain, const double xi[3], const double xj[3],
                                     double difference[3]);

// --- Neighbour lists ------------------------------------------------------------------------------------

// Lists of indices, list i at index[first[i]] .. index[first[i] + number[i] - 1]. Each begins at a
// multiple of 4 and is filled up to a multiple of 4 with the index `filler` (the number of points
// searched in), so that loops may run over whole groups of four with a far dummy behind the last point.
typedef struct mote_lists {
  size_t count;            // how many lists
  size_t pairs;            // sum of number[]
  const uint64_t *first;   // count + 1 entries
  const uint32_t *number;  // count entries
  const uint32_t *index;   // first[count] entries
  uint32_t filler;
} mote_lists;

// With one radius per point, which of the two radii decides.
typedef enum mote_reach {
  MOTE_REACH_GATHER,     // |x_ij| <= r_i: the target's own
  MOTE_REACH_SCATTER,    // |x_ij| <= r_j: the neighbour's
  MOTE_REACH_SYMMETRIC,  // |x_ij| <= max(r_i, r_j)
} mote_reach;

// --- Grid: one radius, all neighbours of all points (EG09 5.2) --------------------------------------

typedef struct mote_grid mote_grid;

typedef struct mote_grid_def {
  mote_domain domain;
  double radius;     // the largest distance of later queries
  double cell_size;  // edge of a cell; radius and 2 radius are those of EG09 5.2, others work as well
} mote_grid_def;

// Open domain in 3D, cells as large as was measured to be fastest.
MOTE_API mote_grid_def mote_grid_def_default(double radius);

MOTE_API mote_result mote_grid_create(const mote_grid_def *def, const mote_env *env, mote_grid **out,
                                      mote_error *error);
MOTE_API void mote_grid_destroy(mote_grid *grid);

// Sorts `count` points by (cell, index). Memory follows the occupied cells, not the space between.
// May be called again and again; memory is kept. The positions are copied. When memory runs out the grid is
// left empty.
MOTE_API mote_result mote_grid_build(mote_grid *grid, const double *position, size_t count,
                                     mote_error *error);

// order[k] is the index of the k-th point in the grid's order: sort by it for faster searches.
MOTE_API const uint32_t *mote_grid_order(const mote_grid *grid);

// Bytes held.
MOTE_API size_t mote_grid_bytes(const mote_grid *grid);

// The neighbours of every point among the others (never itself; coincident others are neighbours).
// The view is valid until the grid's next build, neighbours or destroy.
MOTE_API mote_result mote_grid_neighbours(mote_grid *grid, mote_lists *lists, mote_error *error);

// The same with one radius per point (each at most def.radius).
MOTE_API mote_result mote_grid_neighbours_radii(mote_grid *grid, const double *radius, mote_reach reach,
                                                mote_lists *lists, mote_error *error);

// The points near each of `count` other points (radius null: def.radius; reach gather: one radius per
// query point, scatter: one per grid point). A point of the grid that coincides is a neighbour too.
MOTE_API mote_result mote_grid_neighbours_at(mote_grid *grid, const double *position, size_t count,
                                             const double *radius, mote_reach reach, mote_lists *lists,
                                             mote_error *error);

// One query: the points within `radius` (at most def.radius; beyond it some are missed) of x. Writes the
// first `capacity` of them and returns how many there are; none for a radius below 0 and for an x that a
// build would refuse. May be called by any number of threads at once.
MOTE_API size_t mote_grid_query(const mote_grid *grid, const double x[3], double radius, uint32_t *index,
                                size_t capacity);

// --- kd-tree: any distribution, any radius, k nearest (EG09 5.1) ------------------------------------

typedef struct mote_kdtree mote_kdtree;

// The positions are copied. Open domains only.
MOTE_API mote_result mote_kdtree_create(int dimensions, const double *position, size_t count,
                                        const mote_env *env, mote_kdtree **out, mote_error *error);
MOTE_API void mote_kdtree_destroy(mote_kdtree *tree);
// Indices within radius of x in the tree's own fixed order; as mote_grid_query.
MOTE_API size_t mote_kdtree_range(const mote_kdtree *tree, const double x[3], double radius, uint32_t *index,
                                  size_t capacity);
// The k nearest, nearest first, equal distances by index; returns how many (fewer than k only when the
// tree holds fewer). distance_squared may be null.
MOTE_API size_t mote_kdtree_nearest(const mote_kdtree *tree, const double x[3], size_t k, uint32_t *index,
                                    double *distance_squared);
// The same for `count` points at once, on the threads of the tree's environment. The neighbours of point i
// are index[k*i] .. index[k*i + k - 1]; where the tree holds fewer than k, UINT32_MAX at infinity follows.
MOTE_API mote_result mote_kdtree_nearest_at(const mote_kdtree *tree, const double *position, size_t count,
                                            size_t k, uint32_t *index, double *distance_squared,
                                            mote_error *error);
// Range queries for `count` points at once, each with its own radius. The view is valid until the next such
// call on the tree, or its end.
MOTE_API mote_result mote_kdtree_neighbours_at(mote_kdtree *tree, const double *position, size_t count,
                                               const double *radius, mote_lists *lists, mote_error *error);

// --- Connected components (YU11 4.3) ------------------------------------------------------------------

// Points within `distance` of each other are connected. Labels count from 0 in the order of each
// component's first point; *components receives how many there are.
MOTE_API mote_result mote_components(const mote_domain *domain, const double *position, size_t count,
                                     double distance, const mote_env *env, uint32_t *label,
                                     size_t *components, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
