// The presets of materials, a table for each model: see help_materials.h.
#include "cli/help/help_materials.h"

#include <mote/scene.h>
#include <stdio.h>

#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"

static void print_values(const mote_material_def *m) {
  bool lattice = material_is_lattice(m), rigid = material_is_rigid(m);
  printf("  %-12s %9g", m->name, lattice ? m->lattice.solid_density : m->density);
  if (material_is_fluid(m))
    printf(" %11g\n", m->viscosity);
  else
    printf(" %11g %11g\n", rigid ? m->friction : m->elastic.young,
           rigid ? m->restitution : m->elastic.poisson);
}

static void print_model(material_test *test, const char *title, const char *columns) {
  const char *const *names;
  size_t count = mote_material_presets(&names);
  printf("\n  %-12s   density%s\n", title, columns);
  for (size_t k = 0; k < count; ++k) {
    mote_material_def def;
    if (mote_material_def_preset(names[k], &def) && test(&def)) print_values(&def);
  }
}

int print_materials(void) {
  printf(
      "Presets of materials, in kg/m3, Pa s and Pa. A body may name one; a material of this name starts from "
      "it,\n"
      "and `preset: NAME` starts from it under another name:\n"
      "  materials: {tar: {preset: honey, viscosity: 100}}\n");
  print_model(material_is_fluid, "liquid", "   viscosity");
  print_model(material_is_rigid, "rigid", "    friction restitution");
  print_model(material_is_elastic, "elastic", "       young     poisson");
  print_model(material_is_lattice, "melting", "       young     poisson");
  printf(
      "\nmote help scene material describes all keys of a material; docs/scene.md has the sources of the "
      "values.\n");
  return EXIT_DONE;
}
