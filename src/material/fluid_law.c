// What the laws of fluids say about steps, for those who plan a run: see scene.h.
#include "material/fluid_law.h"

#define CAPILLARY 0.08

double mote_capillary_step(double spacing, double tension) {
  return CAPILLARY * sqrt(spacing * spacing * spacing / tension);
}

double mote_material_def_sound_speed(const mote_material_def *def, const mote_solver_def *solver,
                                     double given, double densest) {
  return mote_law_sound(solver, given, densest, def->stiffness, def->density);
}
