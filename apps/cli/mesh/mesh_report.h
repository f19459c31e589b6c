// What mote mesh says of the surfaces it made, and where the time went.
#ifndef MOTE_MESH_REPORT_H
#define MOTE_MESH_REPORT_H

#include <mote/geom.h>
#include <mote/surface.h>

typedef struct mesh_times {
  double read, write, examine, all;  // s
  mote_surface_stats stages;         // the sums of the times of the surfacer
} mesh_times;

// One surface.
typedef struct mesh_result {
  const char *input, *output;
  double time;  // s; NaN: not known
  size_t left_out;
  size_t bodies;         // it is made of; 0: of particles
  double volume_ratio;   // volume over that of the particles; 0: not known
  size_t loops, points;  // of a contour; volume_ratio is that of areas
  double area, length;   // m^2, m
  bool flat;             // it is a contour
  bool examined;         // mesh is known
  mote_surface_stats stats;
  mote_mesh_report mesh;
} mesh_result;

// Whether all edges have two triangles that agree about the outside; whether each edge and vertex has one fan
// of triangles. Triangles of either may still cross.
bool mesh_is_closed(const mote_mesh_report *report);
bool mesh_is_manifold(const mote_mesh_report *report);

void mesh_report_one(const mesh_result *result, bool json);
void mesh_times_add(mesh_times *times, const mote_surface_stats *stats);
// The tree of times, on stderr.
void mesh_report_times(const mesh_times *times);

#endif
