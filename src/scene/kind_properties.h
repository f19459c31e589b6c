// What definitions of each kind of matter may say: the one place in which they differ. What a kind does is
// its row in src/kinds. A kind without a line here takes no key that only some kinds have.
#ifndef MOTE_KIND_PROPERTIES_H
#define MOTE_KIND_PROPERTIES_H

#include <mote/scene.h>

#include "base/check.h"

typedef struct mote_kind_properties {
  const char *name;      // as in scenes
  const char *a_body;    // "a rigid body"
  const char *this_one;  // "this one is rigid", in messages
  bool flows;            // it is a fluid
  bool is_elastic;       // its material has a stiffness: the keys of mote_elastic_material_def
  bool is_lattice;       // and those of mote_lattice_def; it can melt
  bool is_filled;        // with particles
  bool stands;           // can be fixed or hinged
  bool holds, loads;     // parts of it can be held, or loaded
  bool holds_heat;       // held parts may keep a temperature
  bool is_graded, has_cracks;
} mote_kind_properties;

static inline const mote_kind_properties *mote_kind_properties_of(mote_kind kind) {
  static const mote_kind_properties kinds[MOTE_KINDS] = {
      [MOTE_KIND_FLUID] = {.name = "fluid",
                           .a_body = "a fluid body",
                           .this_one = "this one flows",
                           .flows = true,
                           .is_filled = true},
      [MOTE_KIND_RIGID] = {.name = "rigid",
                           .a_body = "a rigid body",
                           .this_one = "this one is rigid",
                           .stands = true},
      [MOTE_KIND_ELASTIC] = {.name = "elastic",
                             .a_body = "an elastic body",
                             .this_one = "this one is elastic",
                             .is_elastic = true,
                             .is_filled = true,
                             .holds = true,
                             .loads = true,
                             .is_graded = true,
                             .has_cracks = true},
      [MOTE_KIND_LATTICE] = {.name = "lattice",
                             .a_body = "a lattice body",
                             .this_one = "this one is a lattice",
                             .is_elastic = true,
                             .is_lattice = true,
                             .is_filled = true,
                             .holds = true,
                             .holds_heat = true},
  };
  static const mote_kind_properties other = {
      .name = "such", .a_body = "such a body", .this_one = "this one is of another kind", .is_filled = true};
  MOTE_ASSERT((unsigned)kind < MOTE_KINDS);
  return kinds[kind].a_body != NULL ? &kinds[kind] : &other;
}

static inline const mote_kind_properties *mote_material_properties(const mote_material_def *def) {
  return mote_kind_properties_of(def->model);
}

#endif
