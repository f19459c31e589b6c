// Texture coordinates from mesh files, and colours at places of a triangle: see <mote/render.h>.
#ifndef MOTE_TEXTURE_FILE_H
#define MOTE_TEXTURE_FILE_H

#include <mote/render.h>

#include "draw/image.h"
#include "io/mesh_file.h"
#include "render/trace_vec.h"

// Memory for the coordinates, and no triangle in an image; false: out of memory.
bool mote_texture_grow(mote_texture *texture, size_t triangles, const mote_env *env);

// texture_obj.c: triangles whose corners all have coordinates are put into image 0.
mote_result mote_texture_parse_obj(const mote_file_content *source, mote_texture *out, mote_error *error);
// texture_glb.c: into the images of their materials; one_image: all that have coordinates into image 0, and
// no image is read.
mote_result mote_texture_parse_glb(const mote_file_content *source, bool one_image, mote_texture *out,
                                   mote_error *error);

// The linear colour at a place of a triangle; false: it has none.
bool mote_texture_colour(const mote_texture *texture, const float linear[256], size_t triangle, float u,
                         float v, mote_vec *out);

#endif
