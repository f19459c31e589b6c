// Surfaces given back: every block goes back with the size it had.
#include <mote/surface.h>
#include <string.h>

#include "abuse.h"

static char *copy(const mote_env *env, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(env->resize(env->resize_user, NULL, 0, size), text, size);
}

int main(void) {
  abuse_memory memory;
  mote_env env = abuse_env(&memory, -1);
  mote_surface surface = {.mesh = {.vertices = 5, .triangles = 2}, .fields = 2};
  surface.mesh.vertex = env.resize(&memory, NULL, 0, 15 * sizeof(double));
  surface.mesh.triangle = env.resize(&memory, NULL, 0, 6 * sizeof(uint32_t));
  surface.normal = env.resize(&memory, NULL, 0, 15 * sizeof(float));
  surface.field[0] = (mote_field_view){copy(&env, "velocity"), copy(&env, "m/s"), MOTE_TYPE_F32, 3, 5, NULL};
  surface.field[0].data = env.resize(&memory, NULL, 0, 15 * sizeof(float));
  surface.field[1] = (mote_field_view){copy(&env, "id"), NULL, MOTE_TYPE_U64, 1, 5, NULL};
  surface.field[1].data = env.resize(&memory, NULL, 0, 5 * sizeof(uint64_t));
  CHECK(memory.bytes > 0);
  mote_surface_free(&surface, &env);
  CHECK(memory.bytes == 0);
  CHECK(surface.fields == 0 && surface.normal == NULL && surface.mesh.vertices == 0);
  mote_surface_free(&surface, &env);
  mote_surface_free(NULL, &env);
  CHECK(memory.bytes == 0);
  return test_end();
}
