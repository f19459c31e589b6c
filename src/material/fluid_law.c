// Time steps by the laws of fluids, for the estimate of a run: see scene.h.
#include "material/fluid_law.h"

#include "material/tuning.inc"

double mote_capillary_step(double spacing, double tension) {
  return MOTE_CAPILLARY_STEP * sqrt(spacing * spacing * spacing / tension);
}

double mote_viscous_step(const mote_solver_def *solver, double spacing, double viscosity) {
  double h = 0.5 * solver->support * spacing;
  double form = solver->viscosity_form == MOTE_VISCOSITY_PAIR ? 1.0 : MOTE_STEP_CENTRAL;
  return MOTE_STEP_VISCOUS * h * h / (form * viscosity);
}

// Over spacing times speed, fitted to the decay of sloshing (docs/theory/fluids.md, "Effective viscosity");
// where it does not fall with the spacing, that of 40 rows.
static double effective_factor(const mote_solver_def *solver) {
  bool sound = mote_pressure_properties_of(solver)->has_sound_speed, narrow = solver->support < 2.75;
  if (sound) return mote_pressure_follows_density(solver) ? 0.04 : narrow ? 0.43 : 0.13;
  if (mote_pressure_has_consistent_rates(solver)) return narrow ? 0.1 : 0.02;
  return narrow ? 0.31 : 0.06;
}

double mote_effective_viscosity(const mote_solver_def *solver, double spacing, double speed) {
  MOTE_ASSERT(spacing > 0.0 && speed >= 0.0);
  return effective_factor(solver) * spacing * speed;
}

double mote_acoustic_step(const mote_solver_def *solver, double spacing, double sound_speed) {
  double delta = mote_pressure_follows_density(solver) ? solver->density_diffusion : 0.0;
  return mote_law_acoustic(delta) * 0.5 * solver->support * spacing / sound_speed;
}

double mote_material_def_sound_speed(const mote_material_def *def, const mote_solver_def *solver,
                                     double given, double densest) {
  mote_fluid_law law = mote_law_of(solver, given, densest);
  return mote_law_sound(&law, def->stiffness, def->density);
}
