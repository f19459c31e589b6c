// Materials of the kinds of matter, with default values otherwise, for validation cases.
#ifndef MOTE_TRIAL_MATERIALS_H
#define MOTE_TRIAL_MATERIALS_H

#include <mote/scene.h>

static inline mote_material_def material_of_kind(mote_kind kind, const char *name, double density) {
  mote_material_def def = mote_material_def_default();
  def.name = name, def.model = kind, def.density = density;
  return def;
}
static inline mote_material_def rigid_material(const char *name, double density) {
  return material_of_kind(MOTE_KIND_RIGID, name, density);
}
static inline mote_material_def elastic_material(const char *name, double density) {
  return material_of_kind(MOTE_KIND_ELASTIC, name, density);
}
static inline void make_lattice(mote_material_def *def) {
  def->model = MOTE_KIND_LATTICE;
}

#endif
