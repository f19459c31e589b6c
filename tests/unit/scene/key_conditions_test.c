// Keys that have an effect only beside others: every row of the table names keys and values that there are,
// and what it says of definitions is so.
#include <math.h>
#include <mote/keys.h>
#include <string.h>

#include "test.h"

static bool value_exists(const mote_scene_key *key, const char *values) {
  char name[32];
  if (key->kind == MOTE_KEY_SWITCH) return strcmp(values, "true") == 0 || strcmp(values, "false") == 0;
  if (key->kind == MOTE_KEY_NUMBER)
    return strcmp(values, "set") == 0 || strcmp(values, "auto") == 0 || strcmp(values, "0") == 0;
  for (const char *at = values; at != NULL; at = strchr(at, ',')) {
    at += strspn(at, ", ");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    if (mote_scene_key_choice(key, name) < 0) return false;
  }
  return key->kind == MOTE_KEY_CHOICE;
}

static void test_table(void) {
  size_t count;
  const mote_key_condition *c = mote_scene_key_conditions(&count);
  for (size_t k = 0; k < count; ++k) {
    const mote_scene_key *other = mote_scene_key_find(c[k].section, c[k].other);
    CHECK(mote_scene_key_find(c[k].section, c[k].name) != NULL);
    if (!CHECK(other != NULL && value_exists(other, c[k].values)))
      fprintf(stderr, "  %s.%s\n", c[k].section, c[k].name);
  }
}

static void test_definitions(void) {
  mote_solver_def solver = mote_world_def_default().solver;
  CHECK(mote_scene_key_unused("solver", "exponent", &solver) != NULL);
  CHECK(mote_scene_key_unused("solver", "iterations_max", &solver) == NULL);
  CHECK(mote_scene_key_unused("solver", "cfl", &solver) == NULL);
  solver.pressure = MOTE_PRESSURE_WCSPH;
  CHECK(mote_scene_key_unused("solver", "exponent", &solver) == NULL);
  CHECK(mote_scene_key_unused("solver", "compression", &solver) == NULL);
  solver.stiffness = 1e5;
  CHECK(mote_scene_key_unused("solver", "compression", &solver) != NULL);
  mote_surface_output_def surface = mote_outputs_def_default().surface;
  CHECK(mote_scene_key_unused("surface", "cell", &surface) == NULL);
  surface.def.method = MOTE_SURFACE_TRACKED;
  CHECK(mote_scene_key_unused("surface", "cell", &surface) != NULL);
  CHECK(mote_scene_key_unused("surface", "formats", &surface) == NULL);
  mote_material_def rubber = mote_material_def_default();
  rubber.model = MOTE_KIND_ELASTIC;
  CHECK(mote_scene_key_unused("material", "viscosity", &rubber) != NULL);
  const mote_key_condition *c = mote_scene_key_unused("material", "creep_rate", &rubber);
  CHECK(c != NULL && strcmp(c->other, "yield_strain") == 0);
  rubber.elastic.yield_strain = 0.1;
  CHECK(mote_scene_key_unused("material", "creep_rate", &rubber) == NULL);
}

int main(void) {
  test_table();
  test_definitions();
  return test_end();
}
