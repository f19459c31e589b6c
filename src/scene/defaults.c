// Defaults of definitions, from the table of keys, and values derived from definitions. See mote/scene.h.
#include <float.h>
#include <math.h>

#include "base/check.h"
#include "scene/def_table.h"
#include "scene/kind_properties.h"

mote_value3 mote_value3_make(double x, double y, double z) {
  return (mote_value3){{x, NULL}, {y, NULL}, {z, NULL}};
}

mote_scene mote_scene_default(void) {
  mote_scene def;
  mote_scene_section_default("scene", &def);
  return def;
}

mote_world_def mote_world_def_default(void) {
  return mote_scene_default().world;
}

void mote_solver_def_set_quality(mote_solver_def *solver, mote_quality quality) {
  MOTE_ASSERT((unsigned)quality < MOTE_QUALITIES);
  mote_solver_def standard;
  mote_scene_section_default("solver", &standard);
  solver->quality = quality;
  solver->kernel = standard.kernel, solver->support = standard.support, solver->cfl = standard.cfl;
  solver->consistent = standard.consistent, solver->noise_damping = standard.noise_damping;
  solver->viscosity_form = standard.viscosity_form;
  solver->density_error = standard.density_error, solver->divergence_error = standard.divergence_error;
  if (quality == MOTE_QUALITY_FAST) {
    solver->kernel = MOTE_KERNEL_CUBIC_SPLINE, solver->support = 2.0;
    solver->consistent = false, solver->noise_damping = 0.0;
    solver->viscosity_form = MOTE_VISCOSITY_PAIR;
  } else if (quality == MOTE_QUALITY_ACCURATE) {
    solver->cfl = 0.2;
    solver->density_error = 1e-5, solver->divergence_error = 1e-4;
  }
}

mote_outputs_def mote_outputs_def_default(void) {
  return mote_scene_default().outputs;
}

mote_body_def mote_body_def_default(void) {
  mote_body_entry entry;
  mote_scene_section_default("body", &entry);
  return entry.def;
}

mote_hold_def mote_hold_def_default(void) {
  mote_hold_def def;
  mote_scene_section_default("hold", &def);
  return def;
}

mote_load_def mote_load_def_default(void) {
  mote_load_def def;
  mote_scene_section_default("load", &def);
  return def;
}

mote_crack_def mote_crack_def_default(void) {
  mote_crack_def def;
  mote_scene_section_default("crack", &def);
  return def;
}

mote_copies_def mote_copies_def_default(void) {
  mote_copies_def def;
  mote_scene_section_default("copies", &def);
  return def;
}

mote_collider_def mote_collider_def_default(void) {
  mote_collider_def def;
  mote_scene_section_default("collider", &def);
  return def;
}

mote_emitter_def mote_emitter_def_default(void) {
  mote_emitter_def def;
  mote_scene_section_default("emitter", &def);
  return def;
}

mote_drain_def mote_drain_def_default(void) {
  mote_drain_def def;
  mote_scene_section_default("drain", &def);
  return def;
}

mote_force_def mote_force_def_default(void) {
  mote_force_def def;
  mote_scene_section_default("force", &def);
  return def;
}

mote_lamp_def mote_lamp_def_default(void) {
  mote_lamp_def def;
  mote_scene_section_default("lamp", &def);
  return def;
}

mote_probe_def mote_probe_def_default(void) {
  mote_probe_def def;
  mote_scene_section_default("probe", &def);
  return def;
}

double mote_world_def_step_max(const mote_world_def *def) {
  if (!isnan(def->solver.step_max)) return def->solver.step_max;
  const double *g = def->gravity;
  double gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  double step = fmin(0.005, sqrt(def->spacing / (200.0 * gravity)));
  return fmax(step, def->solver.step_min);
}

double mote_world_def_grading_depth(const mote_world_def *def) {
  return fmax(2.0, def->solver.support) * def->spacing;
}

// Particles of a lattice have the mass of the melt and the density of the solid.
double mote_body_def_particles(const mote_body_def *def, const mote_material_def *material,
                               const mote_world_def *world, const mote_shape *shape) {
  bool lattice = material != NULL && mote_material_properties(material)->is_lattice;
  double ratio = lattice ? material->lattice.solid_density / material->density : 1.0;
  return (isnan(ratio) ? 1.0 : ratio) * mote_shape_fill_graded_estimate(shape, world->spacing, def->grading,
                                                                        mote_world_def_grading_depth(world));
}

// The last frame may miss the end by a rounding error.
size_t mote_scene_frames(const mote_scene *scene) {
  double frames = floor(scene->duration * scene->fps * (1.0 + 8.0 * DBL_EPSILON));
  return frames >= 0.0 && frames < 0x1p52 ? (size_t)frames + 1 : 1;
}

double mote_scene_frame_time(const mote_scene *scene, size_t n) {
  return n > 0 ? (double)(n - 1) / scene->fps : 0.0;
}
