// Texture coordinates and colours of a mesh file on the outer surface of the pieces that it is broken into.
#ifndef FRAGMENT_LOOK_H
#define FRAGMENT_LOOK_H

#include <mote/fragments.h>
#include <mote/render.h>
#include <mote/surface.h>

typedef struct fragment_look {
  mote_env env;
  mote_surface input;             // where the pieces are at rest
  const mote_field_view *shade;   // its colours; null: none
  mote_texture texture;           // its coordinates; no triangles: none
  const mote_field_view *upward;  // those of a file that has them at vertices; null: none
  float *uv;                      // of the pieces' vertices
  uint8_t *colour;
} fragment_look;

// `shape`: of the file's mesh, whose numbers it multiplies by `factor`; null: the mesh as it is in the file.
mote_result fragment_look_open(fragment_look *look, const char *path, double factor, const mote_shape *shape,
                               const mote_env *env, mote_error *error);
void fragment_look_close(fragment_look *look);

// Gives the view the coordinates and colours of the nearest points of the file's mesh, as far as it has any.
// `rest`: the view's vertices where the file's are. They live until the next call.
mote_result fragment_look_apply(fragment_look *look, const double *rest, mote_fragments_view *view,
                                mote_error *error);

// What mote_fragments_simplify is to keep of a view to which the look was applied, `values` for each vertex;
// null: nothing. `slip`: how far a texture may shift on the surface. Free it.
float *fragment_look_values(const fragment_look *look, const mote_fragments_view *view, double slip,
                            size_t *values);

#endif
