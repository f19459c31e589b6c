// What the laws of fluids say about steps, for those who plan a run: see scene.h.
#include "material/fluid_law.h"

#define CAPILLARY 0.08

double mote_capillary_step(double spacing, double tension) {
  return CAPILLARY * sqrt(spacing * spacing * spacing / tension);
}

double mote_viscous_step(const mote_solver_def *solver, double spacing, double viscosity) {
  double h = 0.5 * solver->support * spacing;
  double form = solver->viscosity_form == MOTE_VISCOSITY_CENTRAL ? MOTE_STEP_CENTRAL : 1.0;
  return MOTE_STEP_VISCOUS * h * h / (form * viscosity);
}

double mote_acoustic_step(const mote_solver_def *solver, double spacing, double sound_speed) {
  double delta = solver->density == MOTE_DENSITY_FOLLOWED ? solver->density_diffusion : 0.0;
  return mote_law_acoustic(delta) * 0.5 * solver->support * spacing / sound_speed;
}

double mote_material_def_sound_speed(const mote_material_def *def, const mote_solver_def *solver,
                                     double given, double densest) {
  return mote_law_sound(solver, given, densest, def->stiffness, def->density);
}
