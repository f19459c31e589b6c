// What validation and benchmarks of tracked surfaces share: meshes of spheres and tori, Enright's test.
#ifndef MOTE_TRACK_TRIAL_H
#define MOTE_TRACK_TRIAL_H

#include <mote/track.h>

// An octahedron of n^2 triangles a face, on a sphere; around z, n steps along the ring and m around the tube.
// Free with track_mesh_free. False: memory is out.
bool track_sphere(size_t n, const double centre[3], double radius, mote_mesh *out);
bool track_torus(double ring, double tube, size_t n, size_t m, mote_mesh *out);
void track_mesh_free(mote_mesh *mesh);

// A closed mesh with one value per vertex (null: none) as a tracked surface, improved until nothing changes.
bool track_begin(const mote_mesh *mesh, const double *colour, double edge, const mote_env *env,
                 mote_tracked **out, mote_error *error);

// Enright et al. 2002: a sphere of radius 0.15 is drawn out to a thin sheet and comes back.
#define ENRIGHT_RADIUS 0.15
#define ENRIGHT_TIME 3.0
#define ENRIGHT_STEPS 300
extern const double enright_centre[3];
mote_flow_fn enright_flow;
// Half of it has the colour 1.
bool enright_begin(double edge, const mote_env *env, mote_tracked **out, mote_error *error);

#endif
