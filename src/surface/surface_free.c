// Surfaces given back: names and units are blocks of their own, one byte longer than their text.
#include <mote/surface.h>
#include <string.h>

#include "base/memory.h"

static void free_text(const mote_env *env, const char *text) {
  if (text == NULL) return;
  char *block;
  memcpy(&block, &text, sizeof block);
  mote_free(env, block, strlen(text) + 1, 1);
}

void mote_surface_free(mote_surface *surface, const mote_env *env) {
  if (surface == NULL) return;
  mote_env resolved = mote_env_resolve(env);
  mote_free(&resolved, surface->normal, surface->mesh.vertices, 3 * sizeof(float));
  for (int k = 0; k < surface->fields; ++k) {
    const mote_field_view *field = &surface->field[k];
    free_text(&resolved, field->name);
    free_text(&resolved, field->unit);
    mote_free(&resolved, field->data, field->count, (size_t)field->components * mote_type_size(field->type));
  }
  mote_mesh_free(&surface->mesh, &resolved);
  *surface = (mote_surface){0};
}
