// Positions of a run's elastic particles, frame by frame: files elastic.NNNN.EXT next to the scene of the
// run.
#ifndef MOTE_ELASTIC_POSITIONS_H
#define MOTE_ELASTIC_POSITIONS_H

#include <mote/io.h>
#include <mote/world.h>

// The material of an elastic body; null: the body is not elastic.
const mote_material_def *elastic_material(const mote_scene *scene, const mote_body_def *body);

// The number among the elastic bodies of the one with this name (null: of the only one); SIZE_MAX: there is
// none, or several.
size_t elastic_body(const mote_scene *scene, const char *name);

// A world with only the scene's elastic bodies, at rest; their particles do not depend on fluids and rigid
// bodies. Returns null after printing an error.
mote_world *elastic_world(const mote_scene *scene, const mote_env *env);

// Positions of all elastic particles of the world, to be freed by the caller. Returns null after printing an
// error. `stamp` may be null.
double *elastic_positions(const char *path, const mote_world *world, const mote_env *env, mote_stamp *stamp);

// The same of the elastic body of this number alone: other bodies may have been removed.
double *elastic_body_positions(const char *path, const mote_world *world, const mote_scene *scene,
                               size_t number, const mote_env *env, mote_stamp *stamp);

#endif
