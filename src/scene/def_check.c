// Checks of single definitions: see def_check.h. The range of each value is in def_table.inc; here stand the
// checks of several values together.
#include "scene/def_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/def_table.h"
#include "scene/kind_properties.h"
#include "scene/pressure_kinds.h"

// --- Numbers ----------------------------------------------------------------------------------------------

static bool is_finite3(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static mote_result check_direction(const char *key, const double x[3], int dimensions, mote_error *error) {
  double z = dimensions == 2 ? 0.0 : x[2];
  if (x[0] != 0.0 || x[1] != 0.0 || z != 0.0) return MOTE_OK;
  return mote_fail_key(error, key, "(0, 0, 0) is no direction");
}

static mote_result check_times(double start, double end, mote_error *error) {
  if (!(end >= start)) return mote_fail_key(error, "end", "%g is before the start at %g", end, start);
  return MOTE_OK;
}

// --- Names ------------------------------------------------------------------------------------------------

mote_result mote_name_check(const char *name, mote_error *error) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (name == NULL || name[0] == '\0') return mote_fail_key(error, "name", "a name is missing");
  size_t length = strspn(name, letters);
  if (name[length] != '\0') {
    return mote_fail_key(error, "name", "\"%.40s\" has a character other than a-z A-Z 0-9 _ -", name);
  }
  if (length > 31) {
    return mote_fail_key(error, "name", "\"%.40s\" is longer than 31 characters", name);
  }
  return MOTE_OK;
}

mote_result mote_fail_in_list(mote_error *error, mote_result result, const char *list, const char *name,
                              size_t k) {
  if (result == MOTE_OK || error == NULL) return result;
  char outer[64];
  if (name != NULL && name[0] != '\0') {
    snprintf(outer, sizeof outer, "%s.%.31s", list, name);
  } else {
    snprintf(outer, sizeof outer, "%s.%zu", list, k + 1);
  }
  return mote_fail_within(error, result, outer);
}

// --- The world --------------------------------------------------------------------------------------------

static mote_result check_individual(const mote_solver_def *def, mote_error *error) {
  if (def->steps != MOTE_STEPS_INDIVIDUAL) return MOTE_OK;
  if (!mote_pressure_properties_of(def)->allows_individual_steps)
    return mote_fail_key(error, "steps",
                         "individual steps need pressure: wcsph; dfsph and pcisph solve for all particles at "
                         "once");
  if (def->viscosity_solve != MOTE_VISCOSITY_IMPLICIT) return MOTE_OK;
  return mote_fail_key(error, "steps", "individual steps and an implicit viscosity exclude each other");
}

static mote_result check_solver(const mote_solver_def *def, mote_error *error) {
  MOTE_TRY(check_individual(def, error));
  if (!isnan(def->step_max) && def->step_max < def->step_min)
    return mote_fail_key(error, "step_max", "%g is below step_min, %g", def->step_max, def->step_min);
  if (def->iterations_max < def->iterations_min)
    return mote_fail_key(error, "iterations_max", "%d is not between iterations_min, %d, and 10000",
                         def->iterations_max, def->iterations_min);
  return MOTE_OK;
}

// A kernel must fit twice along a period (search.h), once between walls.
static mote_result check_axis(const mote_world_def *def, int axis, mote_error *error) {
  static const char *const names[] = {"x", "y", "z"}, *const keys[] = {"domain.x", "domain.y", "domain.z"};
  const mote_side *side = def->side[axis];
  double low = def->low[axis], high = def->high[axis], support = def->solver.support * def->spacing;
  if (isnan(low) || isnan(high) || !(high > low)) {
    return mote_fail_key(error, "domain.high", "along %s the domain goes from %g to %g", names[axis], low,
                         high);
  }
  if ((side[0] == MOTE_SIDE_PERIODIC) != (side[1] == MOTE_SIDE_PERIODIC)) {
    return mote_fail_key(error, keys[axis], "only one side along %s is periodic", names[axis]);
  }
  for (int k = 0; k < 2; ++k) {
    if (side[k] == MOTE_SIDE_OPEN || isfinite(k == 0 ? low : high)) continue;
    return mote_fail_key(error, k == 0 ? "domain.low" : "domain.high",
                         "the domain has a %s along %s, so it must end there",
                         side[k] == MOTE_SIDE_WALL ? "wall" : "period", names[axis]);
  }
  double least = side[0] == MOTE_SIDE_PERIODIC ? 2.0 * support : support;
  if (high - low >= least) return MOTE_OK;
  return mote_fail_key(error, "domain.high",
                       "along %s the domain is %g m long; with this spacing at least %g m are needed",
                       names[axis], high - low, least);
}

static mote_result check_track(const mote_world_def *def, mote_error *error) {
  if (!def->track.on) {
    if (def->solver.tension != MOTE_TENSION_MESH) return MOTE_OK;
    return mote_fail_key(error, "solver.tension", "tension of the mesh needs `track`");
  }
  if (def->dimensions != 3) return mote_fail_key(error, "track", "surfaces are tracked in 3D only");
  for (int a = 0; a < 3; ++a) {
    if (def->side[a][0] == MOTE_SIDE_PERIODIC)
      return mote_fail_key(error, "track", "surfaces are not tracked in periodic domains");
  }
  if (def->solver.steps == MOTE_STEPS_INDIVIDUAL)
    return mote_fail_key(error, "track", "tracked surfaces need solver.steps: global");
  const mote_track_waves *waves = &def->track.waves;
  if (waves->on && waves->def.law != MOTE_WAVE_CAPILLARY && isnan(waves->def.strength))
    return mote_fail_key(error, "track.waves.strength", "waves of this law need a strength");
  if (waves->on && waves->def.source == MOTE_WAVE_PRINTED && waves->def.law != MOTE_WAVE_PLATE)
    return mote_fail_key(error, "track.waves.source", "the printed source is that of the law plate");
  return MOTE_OK;
}

mote_result mote_world_def_check_whole(const mote_world_def *def, mote_error *error) {
  if (def->dimensions == 2 && def->gravity[2] != 0.0) {
    return mote_fail_key(error, "gravity", "in 2D gravity has no part along z");
  }
  MOTE_TRY(mote_fail_within(error, check_solver(&def->solver, error), "solver"));
  if (def->heat && def->solver.steps == MOTE_STEPS_INDIVIDUAL)
    return mote_fail_key(error, "heat", "heat needs solver.steps: global");
  MOTE_TRY(check_track(def, error));
  mote_value air = {def->air.temperature, NULL};
  MOTE_TRY(mote_temperature_check(&def->wall_temperature, "domain.temperature", def->heat, error));
  MOTE_TRY(mote_temperature_check(&air, "domain.air.temperature", def->heat, error));
  for (int a = 0; a < def->dimensions; ++a) MOTE_TRY(check_axis(def, a, error));
  return MOTE_OK;
}

// The keys of a world are those of a scene.
mote_result mote_world_def_check(const mote_world_def *def, mote_error *error) {
  mote_scene scene = mote_scene_default();
  scene.world = *def;
  MOTE_TRY(mote_section_check("scene", &scene, NULL, error));
  return mote_world_def_check_whole(def, error);
}

// --- What is in it ----------------------------------------------------------------------------------------

// A fluid's kernel holds as many particles of the solid as these are smaller than its own: each of them has
// all others as neighbours.
static mote_result check_density_ratio(const mote_material_def *def, mote_error *error) {
  const double most = 8.0;  // closer by 2 in 3D, by 2.8 in 2D
  double ratio = def->lattice.solid_density / def->density;
  if (isnan(ratio) || (ratio <= most && ratio >= 1.0 / most)) return MOTE_OK;
  return mote_fail_key(error, "solid_density",
                       "%g kg/m3 is %s than %g times the density of the melt, %g kg/m3; particles keep their "
                       "mass, and would lie too %s as a solid",
                       def->lattice.solid_density, ratio > most ? "more" : "less",
                       ratio > most ? most : 1.0 / most, def->density, ratio > most ? "close" : "far apart");
}

mote_result mote_material_def_check(const mote_material_def *def, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  mote_material_def checked = *def;
  const mote_kind_properties *kind = mote_material_properties(def);
  bool lattice = kind->is_lattice, elastic = kind->is_elastic && !lattice;
  if (!elastic && !lattice) checked.elastic = mote_material_def_default().elastic;  // not used
  if (!lattice) checked.lattice = mote_material_def_default().lattice;
  MOTE_TRY(mote_section_check("material", &checked, NULL, error));
  if (!elastic && !lattice) return MOTE_OK;
  if (isnan(def->elastic.young))
    return mote_fail_key(error, "young", "the stiffness of %s material is missing",
                         elastic ? "an elastic" : "a lattice");
  if (elastic && def->elastic.law == MOTE_ELASTIC_RESTORING)
    return mote_fail_key(error, "law", "only lattices have restoring forces");
  if (lattice && def->elastic.law == MOTE_ELASTIC_NEO_HOOKEAN)
    return mote_fail_key(error, "law", "lattices are corotated or restoring");
  if (lattice) MOTE_TRY(check_density_ratio(def, error));
  if (isfinite(def->elastic.renew_strain) && isfinite(def->elastic.plastic_max))
    return mote_fail_key(error, "renew_strain",
                         "cannot be combined with plastic_max, which refers to the initial shape");
  return MOTE_OK;
}

static mote_result check_individual_steps(const mote_material_def *def, const mote_solver_def *solver,
                                          mote_error *error) {
  if (solver->steps == MOTE_STEPS_GLOBAL) return MOTE_OK;
  if (!mote_material_properties(def)->flows)
    return mote_fail_key(error, "model", "%s bodies need steps: global", mote_material_properties(def)->name);
  if (def->surface_tension != 0.0)
    return mote_fail_key(error, "surface_tension", "surface tension needs steps: global");
  if (def->xsph == 0.0) return MOTE_OK;
  return mote_fail_key(error, "xsph",
                       "XSPH smooths once a step, whatever its length: it needs steps: global");
}

mote_result mote_material_def_check_solver(const mote_material_def *def, const mote_solver_def *solver,
                                           mote_error *error) {
  const char *key = "stiffness";
  MOTE_TRY(check_individual_steps(def, solver, error));
  if (!mote_material_properties(def)->flows) return MOTE_OK;
  if (def->stiffness == 0.0) {
    if (!(def->damping > 0.0)) return MOTE_OK;
    return mote_fail_key(error, "damping", "it belongs to a stiffness, and this material has none");
  }
  if (!mote_pressure_properties_of(solver)->allows_own_stiffness)
    return mote_fail_key(error, key, "a material with a stiffness of its own needs solver.pressure: wcsph");
  if (mote_pressure_follows_density(solver))
    return mote_fail_key(error, key, "a material with a stiffness of its own needs solver.density: summed");
  return MOTE_OK;
}

bool mote_body_def_hinged(const mote_body_def *def) {
  return !isnan(def->hinge.point[0]) || !isnan(def->hinge.point[1]) || !isnan(def->hinge.point[2]);
}

// Keys that only bodies of another kind have.
static mote_result check_foreign(const mote_body_def *def, const mote_kind_properties *kind,
                                 mote_error *error) {
  bool pressed = def->pressure.formula != NULL || def->pressure.constant != 0.0;
  if (!kind->stands && def->fixed)
    return mote_fail_key(error, "fixed", "only rigid bodies can be fixed; %s", kind->this_one);
  if (!kind->stands && mote_body_def_hinged(def))
    return mote_fail_key(error, "hinge", "only rigid bodies have hinges; %s", kind->this_one);
  if (!kind->flows && pressed) return mote_fail_key(error, "pressure", "%s has none", kind->a_body);
  if (!kind->is_graded && def->grading != 1)
    return mote_fail_key(error, "grading", "only elastic bodies are graded; %s", kind->this_one);
  if (!kind->holds && def->holds > 0)
    return mote_fail_key(error, "hold", "only parts of elastic and lattice bodies are held; %s",
                         kind->this_one);
  for (size_t k = 0; k < def->holds && !kind->holds_heat; ++k) {
    if (!isnan(def->hold[k].temperature))
      return mote_fail_key(error, "hold", "held particles of elastic bodies keep no temperature");
  }
  if (!kind->loads && def->loads > 0)
    return mote_fail_key(error, "load", "only elastic bodies are loaded; %s", kind->this_one);
  const double *turned = def->orientation;
  if (!kind->is_lattice && (turned[0] != 0.0 || turned[1] != 0.0 || turned[2] != 0.0))
    return mote_fail_key(error, "orientation", "only lattices are oriented; %s", kind->this_one);
  if (kind->is_lattice && def->fill != MOTE_FILL_CUBIC && def->fill != MOTE_FILL_AUTO)
    return mote_fail_key(error, "fill", "bodies of model: lattice are filled with their own lattice");
  if (!kind->has_cracks && def->cracks > 0)
    return mote_fail_key(error, "cracks", "only elastic bodies have cracks; %s", kind->this_one);
  if (def->waits && (def->holds > 0 || def->cracks > 0 || def->skin))  // they are where it is defined
    return mote_fail_key(error, "waits", "a body with %s cannot wait",
                         def->holds > 0    ? "hold"
                         : def->cracks > 0 ? "cracks"
                                           : "skin");
  return MOTE_OK;
}

// One of the three kinds, with what it needs.
static mote_result check_crack(const mote_crack_def *def, int dimensions, mote_error *error) {
  bool disc = !isnan(def->radius), plane = !isnan(def->ahead[0]) || !isnan(def->ahead[1]);
  size_t least = dimensions == 2 ? 2 : 3;
  if (disc + plane + (def->corners > 0) != 1)
    return mote_fail_key(error, "radius", "a crack needs one of radius, ahead and corners");
  if (def->corners > 0 && def->corners < least)
    return mote_fail_key(error, "corners", "%zu are given, at least %zu are needed", def->corners, least);
  if (def->corners > 0) return MOTE_OK;
  if (plane) MOTE_TRY(check_direction("ahead", def->ahead, dimensions, error));
  return check_direction("normal", def->normal, dimensions, error);
}

mote_result mote_body_def_check_model(const mote_body_def *def, const mote_material_def *material,
                                      int dimensions, mote_error *error) {
  bool hinged = mote_body_def_hinged(def);
  MOTE_TRY(check_foreign(def, mote_material_properties(material), error));
  if (def->cracks > 0 && !isfinite(material->elastic.strength))
    return mote_fail_key(error, "cracks", "the material has no strength: nothing breaks");
  for (size_t k = 0; k < def->cracks; ++k) {
    char outer[32];
    snprintf(outer, sizeof outer, "cracks[%zu]", k);
    MOTE_TRY(mote_fail_within(error, check_crack(def->crack + k, dimensions, error), outer));
  }
  if (def->fixed && hinged) return mote_fail_key(error, "hinge", "a body that is fixed does not turn");
  if (!hinged) return MOTE_OK;
  if (!is_finite3(def->hinge.point)) return mote_fail_key(error, "hinge.point", "a number is missing");
  MOTE_TRY(check_direction("hinge.axis", def->hinge.axis, 3, error));
  if (dimensions == 3 || (def->hinge.axis[0] == 0.0 && def->hinge.axis[1] == 0.0)) return MOTE_OK;
  return mote_fail_key(error, "hinge.axis", "in 2D bodies turn about z");
}

static mote_result check_motion(const mote_motion_def *def, mote_error *error) {
  MOTE_TRY(check_direction("axis", def->axis, 3, error));
  for (size_t k = 1; k < def->keys; ++k) {
    if (def->key[k].time > def->key[k - 1].time) continue;
    return mote_fail_key(error, "keys", "key %zu, at %g s, is not after the one before it", k + 1,
                         def->key[k].time);
  }
  return MOTE_OK;
}

static mote_result check_grading(const mote_body_def *def, mote_error *error) {
  if (def->grading == 1) return MOTE_OK;
  if (def->grading != 2 && def->grading != 4 && def->grading != 8)
    return mote_fail_key(error, "grading", "%d is not 1, 2, 4 or 8", def->grading);
  if (def->fill == MOTE_FILL_CUBIC || def->fill == MOTE_FILL_AUTO) return MOTE_OK;
  return mote_fail_key(error, "grading", "needs fill: cubic: blocks of its lattice become one particle each");
}

mote_result mote_body_def_check(const mote_body_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("body", def, env, error));
  MOTE_TRY(check_grading(def, error));
  for (size_t k = 0; k < def->holds; ++k) {
    char outer[40];
    snprintf(outer, sizeof outer, "hold[%zu].motion", k);
    MOTE_TRY(mote_fail_within(error, check_motion(&def->hold[k].motion, error), outer));
  }
  return MOTE_OK;
}

mote_result mote_collider_def_check(const mote_collider_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("collider", def, env, error));
  return mote_fail_within(error, check_motion(&def->motion, error), "motion");
}

mote_result mote_emitter_def_check(const mote_emitter_def *def, int dimensions, const mote_env *env,
                                   mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("emitter", def, env, error));
  MOTE_TRY(check_direction("direction", def->direction, dimensions, error));
  for (int k = 0; k < dimensions - 1 && isnan(def->radius); ++k)
    if (isnan(def->size[k])) return mote_fail_key(error, "radius", "an emitter has a radius or a size");
  return check_times(def->start, def->end, error);
}

mote_result mote_drain_def_check(const mote_drain_def *def, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("drain", def, NULL, error));
  return check_times(def->start, def->end, error);
}

static bool is_zero(const mote_value *value) {
  return value->formula == NULL && value->constant == 0.0;
}

mote_result mote_force_def_check(const mote_force_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("force", def, env, error));
  if (is_zero(&def->acceleration.x) && is_zero(&def->acceleration.y) && is_zero(&def->acceleration.z) &&
      is_zero(&def->heating) && is_zero(&def->damping))
    return mote_fail_key(error, "acceleration", "there is neither an acceleration, a damping nor a heating");
  return check_times(def->start, def->end, error);
}

mote_result mote_lamp_def_check(const mote_lamp_def *def, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("lamp", def, NULL, error));
  if (def->kind != MOTE_LAMP_DISTANT && isnan(def->centre[0] + def->centre[1] + def->centre[2]))
    return mote_fail_key(error, "centre", "a lamp that is not distant has a centre");
  return def->kind != MOTE_LAMP_SPHERE ? check_direction("direction", def->direction, 3, error) : MOTE_OK;
}

mote_result mote_probe_def_check(const mote_probe_def *def, int dimensions, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(mote_section_check("probe", def, NULL, error));
  if (def->kind != MOTE_PROBE_LINE && def->kind != MOTE_PROBE_LEVEL) return MOTE_OK;
  double along[3] = {def->to[0] - def->from[0], def->to[1] - def->from[1], def->to[2] - def->from[2]};
  return check_direction("to", along, dimensions, error);
}
