// Measures of triangle meshes, for validation: what a mesh is by counting, how good its triangles are, how
// far it lies from a shape, what of a plane it covers, how much it curves. They take any mesh and trust none.
#ifndef MOTE_MESH_MEASURE_H
#define MOTE_MESH_MEASURE_H

#include <mote/surface.h>

// --- What it is -------------------------------------------------------------------------------------------

// One component connected by edges.
typedef struct mesh_part {
  size_t triangles;
  long euler;  // vertices - edges + triangles, a pinched vertex counted once per fan: 2 - 2 genus
  double volume;
} mesh_part;

typedef struct mesh_census {
  size_t open_edges, crowded_edges;  // with one triangle, with more than two
  size_t flipped_edges;              // whose triangles disagree about the outside
  size_t extra_fans;                 // beyond one per vertex
  size_t flat_triangles;             // without area, or naming a vertex twice
  size_t unused_vertices;
  size_t parts;
  mesh_part *part;
  long euler;          // of all
  size_t not_spheres;  // parts whose Euler number is not 2
  double area, volume;
} mesh_census;

// Parts in the order of their first triangles.
void mesh_census_take(const mote_mesh *mesh, mesh_census *out);
void mesh_census_free(mesh_census *census);
// All that a closed, oriented manifold without triangles of no area has none of.
size_t mesh_census_defects(const mesh_census *census);

// Of the least angle of each triangle, in degrees.
typedef struct mesh_angles {
  double least, first_percent;  // first_percent: a hundredth of the triangles lies below, to 0.1 degrees
  double below_10, below_2;     // shares of triangles
} mesh_angles;
mesh_angles mesh_angles_measure(const mote_mesh *mesh);

// --- Where it is ------------------------------------------------------------------------------------------

// Of the vertices that count, weighted by a third of the area around each; lengths in m, angles in degrees.
typedef struct mesh_fit {
  double area;
  double mean, scatter;  // of the signed distance, and its root mean square about the mean
  double error, worst;   // root mean square of the distance, and its largest
  double normal;         // root mean square angle between the vertices' normals and the shape's; NaN: none
} mesh_fit;

// Which vertices count, and which of them for normals (an edge of a box has none).
typedef enum mesh_weight { MESH_SKIP, MESH_PLACE, MESH_PLACE_AND_NORMAL } mesh_weight;
typedef mesh_weight mesh_choose_fn(const void *user, const double x[3]);

// choose null: all count.
mesh_fit mesh_fit_shape(const mote_surface *surface, const mote_shape *shape, mesh_choose_fn *choose,
                        const void *user);

// A third of the area of the triangles around each vertex; free it.
double *mesh_vertex_areas(const mote_mesh *mesh);

// The part of the rectangle origin + a u + b v, 0 < a < lengths[0], 0 < b < lengths[1], u and v of unit
// length, through which a line along u x v meets no triangle: counted on points `step` apart.
double mesh_uncovered(const mote_mesh *mesh, const double origin[3], const double u[3], const double v[3],
                      const double lengths[2], double step);

// How far the mesh reaches from `centre` along the unit vector `axis`: the largest such distance that is not
// beyond `limit`, of vertices no farther than `radius` from that line. -infinity: none is there.
double mesh_reach(const mote_mesh *mesh, const double centre[3], const double axis[3], double radius,
                  double limit);

// --- How it curves ----------------------------------------------------------------------------------------

// Mean curvature at each vertex (1/R on a sphere seen from outside) by the cotangent formula; free it.
double *mesh_curvature(const mote_mesh *mesh);
// Means of values at vertices over those within `radius`, weighted by area and (1 - r^2/R^2)^3; free it.
double *mesh_kernel_mean(const mote_mesh *mesh, const double *value, double radius);
// Root mean square of value / reference - 1, weighted by area.
double mesh_relative_rms(const mote_mesh *mesh, const double *value, double reference);

#endif
