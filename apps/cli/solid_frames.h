// Where a run's elastic particles were, frame by frame: files solids.NNNN.EXT beside the scene that they are
// of.
#ifndef MOTE_SOLID_FRAMES_H
#define MOTE_SOLID_FRAMES_H

#include <mote/io.h>
#include <mote/world.h>

// The material of an elastic body; null: it is no such.
const mote_material_def *solid_material(const mote_scene *scene, const mote_body_def *body);

// A world of the scene's elastic bodies alone, at rest: fluids and rigid bodies change nothing of their
// filling. Complains and returns null.
mote_world *solid_world(const mote_scene *scene, const mote_env *env);

// Positions of all elastic particles of the world; to be freed. Complains and returns null. `stamp` may be
// null.
double *solid_positions(const char *path, const mote_world *world, const mote_env *env, mote_stamp *stamp);

#endif
