// Mesh files that are written again with other positions, in libmote-io: all else that the file holds stays
// as it was. OBJ keeps texture coordinates, groups, objects, materials, vertex colours and comments; PLY all
// properties and elements; GLB nodes, meshes, materials, textures, other attributes, skins and animations.
// Other formats keep what mote_surface_write can hold. docs/deforming.md
#ifndef MOTE_MODEL_H
#define MOTE_MODEL_H

#include <mote/base.h>
#include <mote/geom.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_model mote_model;

// obj ply glb stl vtp vtk, each also followed by .gz. Messages as of mote_mesh_read; in GLB files a mesh that
// several nodes show is refused, because it cannot be deformed in two ways at once.
MOTE_API mote_result mote_model_read(const char *path, const mote_env *env, mote_model **out,
                                     mote_error *error);
// A model of a mesh alone, which is copied.
MOTE_API mote_result mote_model_make(const mote_mesh *mesh, const mote_env *env, mote_model **out,
                                     mote_error *error);
MOTE_API void mote_model_destroy(mote_model *model);

// Vertices of the file in their order, then copies of those that have several normals (OBJ); triangles by
// these numbers, GLB at the places of its nodes. The model's own.
MOTE_API const mote_mesh *mote_model_mesh(const mote_model *model);
// Vertices of the file, without those copies.
MOTE_API size_t mote_model_vertices(const mote_model *model);
// Unit normals of all rows of the mesh, (0, 0, 1) where the file has none; null: it has none at all.
MOTE_API const double *mote_model_normals(const mote_model *model);

// Names of parts: groups, objects and materials of OBJ, nodes, meshes and materials of GLB.
MOTE_API size_t mote_model_groups(const mote_model *model);
MOTE_API const char *mote_model_group(const mote_model *model, size_t k);
// Sets inside[row] to 1 for the vertices of the triangles of that name; their number, 0 where there is no
// such name.
MOTE_API size_t mote_model_mark_group(const mote_model *model, const char *name, uint8_t *inside);

// Whether a file of that name would keep everything: it has the format of the source.
MOTE_API bool mote_model_keeps(const mote_model *model, const char *path);
// The model with other positions and normals (null: those of the file), one for each row of its mesh.
MOTE_API mote_result mote_model_write(const mote_model *model, const double *position, const double *normal,
                                      const char *path, mote_error *error);

// Positions and normals of all rows at the time number k.
typedef mote_result mote_model_pose_fn(void *user, size_t k, double *position, double *normal,
                                       mote_error *error);
// A GLB file with an animation: the model at rest, a morph target for each time, and weights that play them.
// Models of other formats become GLB first, without groups and materials; those of OBJ keep texture
// coordinates.
MOTE_API mote_result mote_model_write_motion(const mote_model *model, const double *time, size_t count,
                                             mote_model_pose_fn *pose, void *user, const char *path,
                                             mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
