// Whether single definitions make sense: see def_check.h.
#include "scene/def_check.h"

#include <math.h>
#include <mote/formula.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define TENSION_MOST 1e6  // N/m; liquid metals have 1 to 3
#define RENEW_LEAST 0.1   // of renew_strain: below, a body forgets what holds its particles in order

// --- Numbers ----------------------------------------------------------------------------------------------

bool mote_is_finite3(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static mote_result check_finite3(const char *key, const double x[3], mote_error *error) {
  if (mote_is_finite3(x)) return MOTE_OK;
  return mote_fail_key(error, key, "(%g, %g, %g) is not finite", x[0], x[1], x[2]);
}

static mote_result check_range(const char *key, double x, double low, double high, mote_error *error) {
  if (x >= low && x <= high) return MOTE_OK;
  return mote_fail_key(error, key, "%g is not between %g and %g", x, low, high);
}

static mote_result check_positive(const char *key, double x, mote_error *error) {
  if (x > 0.0 && isfinite(x)) return MOTE_OK;
  return mote_fail_key(error, key, "%g is not positive and finite", x);
}

static mote_result check_not_negative(const char *key, double x, mote_error *error) {
  if (x >= 0.0 && isfinite(x)) return MOTE_OK;
  return mote_fail_key(error, key, "%g is negative or not finite", x);
}

static mote_result check_direction(const char *key, const double x[3], int dimensions, mote_error *error) {
  MOTE_TRY(check_finite3(key, x, error));
  double z = dimensions == 2 ? 0.0 : x[2];
  if (x[0] != 0.0 || x[1] != 0.0 || z != 0.0) return MOTE_OK;
  return mote_fail_key(error, key, "(0, 0, 0) is no direction");
}

static mote_result check_colour(const double colour[3], mote_error *error) {
  for (int k = 0; k < 3; ++k) MOTE_TRY(check_range("colour", colour[k], 0.0, 1.0, error));
  return MOTE_OK;
}

static mote_result check_times(double start, double end, mote_error *error) {
  if (!isfinite(start)) return mote_fail_key(error, "start", "%g is not finite", start);
  if (!(end >= start)) return mote_fail_key(error, "end", "%g is before the start at %g", end, start);
  return MOTE_OK;
}

// What depends on time alone must have a value where it begins; what depends on places may have none where
// nothing is.
static mote_result check_value(const char *key, const mote_value *value, const char *variables,
                               const mote_env *env, mote_error *error) {
  if (value->formula == NULL) {
    return isfinite(value->constant) ? MOTE_OK
                                     : mote_fail_key(error, key, "%g is not finite", value->constant);
  }
  mote_formula *formula;
  mote_result result = mote_formula_create(value->formula, variables, env, &formula, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, key);
  double zero = 0.0, first = strcmp(variables, "t") == 0 ? mote_formula_value(formula, &zero) : 0.0;
  mote_formula_destroy(formula);
  if (isfinite(first)) return MOTE_OK;
  return mote_fail_key(error, key, "\"%.60s\" is no finite number at t = 0", value->formula);
}

static mote_result check_value3(const char *key, const mote_value3 *value, const char *variables,
                                const mote_env *env, mote_error *error) {
  MOTE_TRY(check_value(key, &value->x, variables, env, error));
  MOTE_TRY(check_value(key, &value->y, variables, env, error));
  return check_value(key, &value->z, variables, env, error);
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

static mote_result check_material_name(const char *name, mote_error *error) {
  if (name == NULL || name[0] == '\0') return mote_fail_key(error, "material", "a material is missing");
  return MOTE_OK;
}

static mote_result check_has_shape(const mote_shape_def *shape, mote_error *error) {
  return shape->kind == MOTE_SHAPE_NONE ? mote_fail_key(error, "shape", "a shape is missing") : MOTE_OK;
}

// --- The world --------------------------------------------------------------------------------------------

static mote_result check_individual(const mote_solver_def *def, mote_error *error) {
  if (def->steps >= MOTE_STEPS_KINDS) return mote_fail_key(error, "steps", "there is no such kind");
  if (def->steps != MOTE_STEPS_INDIVIDUAL) return MOTE_OK;
  if (def->pressure != MOTE_PRESSURE_WCSPH)
    return mote_fail_key(error, "steps",
                         "individual steps need pressure: wcsph; dfsph and pcisph solve for all particles at "
                         "once");
  if (def->viscosity_solve != MOTE_VISCOSITY_IMPLICIT) return MOTE_OK;
  return mote_fail_key(error, "steps", "individual steps and an implicit viscosity exclude each other");
}

static mote_result check_steps(const mote_solver_def *def, mote_error *error) {
  MOTE_TRY(check_individual(def, error));
  MOTE_TRY(check_range("cfl", def->cfl, 0.01, 1.0, error));
  MOTE_TRY(check_positive("step_min", def->step_min, error));
  if (isnan(def->step_max)) return MOTE_OK;
  MOTE_TRY(check_positive("step_max", def->step_max, error));
  if (def->step_max >= def->step_min) return MOTE_OK;
  return mote_fail_key(error, "step_max", "%g is below step_min, %g", def->step_max, def->step_min);
}

static mote_result check_wcsph(const mote_solver_def *def, mote_error *error) {
  if (!isnan(def->stiffness)) MOTE_TRY(check_positive("stiffness", def->stiffness, error));
  MOTE_TRY(check_range("compression", def->compression, 1e-6, 0.2, error));
  MOTE_TRY(check_range("exponent", def->exponent, 1.0, 20.0, error));
  if (!isnan(def->negative_pressure))
    MOTE_TRY(check_range("negative_pressure", def->negative_pressure, 0.0, 1.0, error));
  if (def->state >= MOTE_STATE_LAWS) return mote_fail_key(error, "state", "there is no such law");
  MOTE_TRY(check_range("background_pressure", def->background_pressure, 0.0, 1e12, error));
  if (def->pair_form >= MOTE_PAIR_FORMS) return mote_fail_key(error, "pair_form", "there is no such form");
  if (def->density >= MOTE_DENSITY_KINDS) return mote_fail_key(error, "density", "there is no such kind");
  MOTE_TRY(check_range("repulsion", def->repulsion, 0.0, 10.0, error));
  return check_range("density_diffusion", def->density_diffusion, 0.0, 1.0, error);
}

static mote_result check_viscosity(const mote_solver_def *def, mote_error *error) {
  if (!isnan(def->shifting)) MOTE_TRY(check_range("shifting", def->shifting, 0.0, 10.0, error));
  if (!isnan(def->artificial_viscosity))
    MOTE_TRY(check_range("artificial_viscosity", def->artificial_viscosity, 0.0, 10.0, error));
  if (def->tension >= MOTE_TENSION_METHODS) return mote_fail_key(error, "tension", "there is no such method");
  if (def->viscosity_form >= MOTE_VISCOSITY_FORMS)
    return mote_fail_key(error, "viscosity_form", "there is no such form");
  if (def->viscosity_solve >= MOTE_VISCOSITY_SOLVES)
    return mote_fail_key(error, "viscosity_solve", "there is no such way");
  return check_range("viscosity_error", def->viscosity_error, 1e-8, 0.1, error);
}

static mote_result check_dfsph(const mote_solver_def *def, mote_error *error) {
  MOTE_TRY(check_range("density_error", def->density_error, 1e-8, 0.1, error));
  MOTE_TRY(check_range("divergence_error", def->divergence_error, 1e-8, 0.1, error));
  if (def->iterations_min < 1 || def->iterations_min > 10000) {
    return mote_fail_key(error, "iterations_min", "%d is not between 1 and 10000", def->iterations_min);
  }
  if (def->iterations_max < def->iterations_min || def->iterations_max > 10000) {
    return mote_fail_key(error, "iterations_max", "%d is not between iterations_min, %d, and 10000",
                         def->iterations_max, def->iterations_min);
  }
  return MOTE_OK;
}

static mote_result check_solver(const mote_solver_def *def, mote_error *error) {
  if (def->pressure >= MOTE_PRESSURE_KINDS)
    return mote_fail_key(error, "pressure", "there is no such solver");
  if (def->kernel != MOTE_KERNEL_CUBIC_SPLINE && def->kernel != MOTE_KERNEL_WENDLAND_C2 &&
      def->kernel != MOTE_KERNEL_DESBRUN) {
    return mote_fail_key(error, "kernel", "fluids use the cubic spline, Wendland's C2 or Desbrun's, not %s",
                         def->kernel < MOTE_KERNEL_KINDS ? mote_kernel_name(def->kernel) : "?");
  }
  MOTE_TRY(check_range("support", def->support, 1.5, 4.0, error));
  MOTE_TRY(check_steps(def, error));
  MOTE_TRY(check_wcsph(def, error));
  MOTE_TRY(check_viscosity(def, error));
  return check_dfsph(def, error);
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
    if (side[k] > MOTE_SIDE_PERIODIC) return mote_fail_key(error, keys[axis], "there is no such side");
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

mote_result mote_world_def_check(const mote_world_def *def, mote_error *error) {
  if (def->dimensions != 2 && def->dimensions != 3) {
    return mote_fail_key(error, "dimensions", "%d is not 2 or 3", def->dimensions);
  }
  if (isnan(def->spacing)) return mote_fail_key(error, "spacing", "the spacing of particles is missing");
  MOTE_TRY(check_range("spacing", def->spacing, 1e-9, 1e9, error));
  MOTE_TRY(check_finite3("gravity", def->gravity, error));
  if (def->dimensions == 2 && def->gravity[2] != 0.0) {
    return mote_fail_key(error, "gravity", "in 2D gravity has no part along z");
  }
  MOTE_TRY(mote_fail_within(error, check_solver(&def->solver, error), "solver"));
  for (int a = 0; a < def->dimensions; ++a) MOTE_TRY(check_axis(def, a, error));
  MOTE_TRY(check_range("wall_friction", def->wall_friction, 0.0, 1.0, error));
  MOTE_TRY(check_value3("wall_velocity", &def->wall_velocity, "x y z", NULL, error));
  if (!isnan(def->speed_limit)) MOTE_TRY(check_positive("speed_limit", def->speed_limit, error));
  if (def->particles_max < 1 || def->particles_max > UINT32_MAX - 1) {
    return mote_fail_key(error, "particles_max", "%zu is not between 1 and %u", def->particles_max,
                         UINT32_MAX - 1);
  }
  return MOTE_OK;
}

// --- What is in it ----------------------------------------------------------------------------------------

static mote_result check_strains(const char *key, double x, mote_error *error) {
  if (x > 0.0) return MOTE_OK;
  return mote_fail_key(error, key, "%g is not positive", x);
}

static mote_result check_plastic(const mote_solid_def *def, mote_error *error) {
  MOTE_TRY(check_strains("yield_strain", def->yield_strain, error));
  MOTE_TRY(check_strains("creep_rate", def->creep_rate, error));
  MOTE_TRY(check_strains("plastic_max", def->plastic_max, error));
  if (!(def->renew_strain >= RENEW_LEAST))
    return mote_fail_key(error, "renew_strain", "%g is not at least %g", def->renew_strain, RENEW_LEAST);
  if (isfinite(def->renew_strain) && isfinite(def->plastic_max))
    return mote_fail_key(error, "renew_strain", "what has a plastic_max remembers its first shape");
  return MOTE_OK;
}

static mote_result check_solid(const mote_solid_def *def, mote_error *error) {
  if (isnan(def->young))
    return mote_fail_key(error, "young", "the stiffness of an elastic material is missing");
  MOTE_TRY(check_range("young", def->young, 1e-6, 1e15, error));
  if (!(def->poisson > -1.0 && def->poisson < 0.5)) {
    return mote_fail_key(error, "poisson", "%g is not between -1 and 0.5, both of which no material has",
                         def->poisson);
  }
  if (def->law >= MOTE_LAWS) return mote_fail_key(error, "law", "there is no such law");
  MOTE_TRY(check_range("volume_stiffness", def->volume_stiffness, 0.0, 1e15, error));
  MOTE_TRY(check_range("strain_damping", def->strain_damping, 0.0, 1e3, error));
  MOTE_TRY(check_range("hourglass", def->hourglass, 0.0, 100.0, error));
  if (def->integrator >= MOTE_INTEGRATORS) return mote_fail_key(error, "integrator", "there is no such way");
  if (def->order != 1 && def->order != 2)
    return mote_fail_key(error, "order", "%d is not 1 or 2", def->order);
  if (def->gradient >= MOTE_SOLID_GRADIENTS)
    return mote_fail_key(error, "gradient", "there is no such gradient");
  MOTE_TRY(check_range("support", def->support, 1.2, 5.0, error));
  return check_plastic(def, error);
}

mote_result mote_material_def_check(const mote_material_def *def, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(check_range("density", def->density, 1e-3, 1e6, error));
  MOTE_TRY(check_not_negative("viscosity", def->viscosity, error));
  MOTE_TRY(check_range("xsph", def->xsph, 0.0, 1.0, error));
  if (def->model >= MOTE_MODELS) return mote_fail_key(error, "model", "there is no such model");
  MOTE_TRY(check_range("friction", def->friction, 0.0, 1e3, error));
  MOTE_TRY(check_range("restitution", def->restitution, 0.0, 1.0, error));
  MOTE_TRY(check_range("surface_tension", def->surface_tension, 0.0, TENSION_MOST, error));
  MOTE_TRY(check_range("contact_angle", def->contact_angle, 0.0, PI, error));
  if (!isnan(def->interface_tension)) {
    MOTE_TRY(check_range("interface_tension", def->interface_tension, 0.0, TENSION_MOST, error));
  }
  MOTE_TRY(check_range("stiffness", def->stiffness, 0.0, 1e15, error));
  if (!isnan(def->damping)) MOTE_TRY(check_range("damping", def->damping, 0.0, 1e3, error));
  if (def->model == MOTE_MODEL_ELASTIC) MOTE_TRY(check_solid(&def->solid, error));
  return check_colour(def->colour, error);
}

static mote_result check_individual_steps(const mote_material_def *def, const mote_solver_def *solver,
                                          mote_error *error) {
  if (solver->steps == MOTE_STEPS_GLOBAL) return MOTE_OK;
  if (def->model != MOTE_MODEL_FLUID)
    return mote_fail_key(error, "model", "%s bodies need steps: global",
                         def->model == MOTE_MODEL_RIGID ? "rigid" : "elastic");
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
  if (def->model != MOTE_MODEL_FLUID) return MOTE_OK;
  if (def->stiffness == 0.0) {
    if (!(def->damping > 0.0)) return MOTE_OK;
    return mote_fail_key(error, "damping", "it belongs to a stiffness, and this material has none");
  }
  if (solver->pressure != MOTE_PRESSURE_WCSPH)
    return mote_fail_key(error, key, "a material with a stiffness of its own needs solver.pressure: wcsph");
  if (solver->density != MOTE_DENSITY_SUMMED)
    return mote_fail_key(error, key, "a material with a stiffness of its own needs solver.density: summed");
  return MOTE_OK;
}

bool mote_body_def_hinged(const mote_body_def *def) {
  return !isnan(def->hinge.point[0]) || !isnan(def->hinge.point[1]) || !isnan(def->hinge.point[2]);
}

// Keys that only bodies of another model have.
static mote_result check_foreign(const mote_body_def *def, mote_material_model model, mote_error *error) {
  static const char *const what[MOTE_MODELS] = {"this one flows", "this one is rigid", "this one is elastic"};
  bool pressed = def->pressure.formula != NULL || def->pressure.constant != 0.0;
  if (model != MOTE_MODEL_RIGID && def->fixed)
    return mote_fail_key(error, "fixed", "only rigid bodies can be fixed; %s", what[model]);
  if (model != MOTE_MODEL_RIGID && mote_body_def_hinged(def))
    return mote_fail_key(error, "hinge", "only rigid bodies have hinges; %s", what[model]);
  if (model != MOTE_MODEL_FLUID && pressed)
    return mote_fail_key(error, "pressure", "%s body has none",
                         model == MOTE_MODEL_RIGID ? "a rigid" : "an elastic");
  if (model != MOTE_MODEL_ELASTIC && def->grading != 1)
    return mote_fail_key(error, "grading", "only elastic bodies are graded; %s", what[model]);
  if (model != MOTE_MODEL_ELASTIC && def->holds > 0)
    return mote_fail_key(error, "hold", "only parts of elastic bodies are held; %s", what[model]);
  if (model != MOTE_MODEL_ELASTIC && def->loads > 0)
    return mote_fail_key(error, "load", "only elastic bodies are loaded; %s", what[model]);
  return MOTE_OK;
}

mote_result mote_body_def_check_model(const mote_body_def *def, const mote_material_def *material,
                                      int dimensions, mote_error *error) {
  bool hinged = mote_body_def_hinged(def);
  MOTE_TRY(check_foreign(def, material->model, error));
  if (def->fixed && hinged) return mote_fail_key(error, "hinge", "a body that is fixed does not turn");
  if (!hinged) return MOTE_OK;
  MOTE_TRY(check_finite3("hinge.point", def->hinge.point, error));
  MOTE_TRY(check_direction("hinge.axis", def->hinge.axis, 3, error));
  if (dimensions == 3 || (def->hinge.axis[0] == 0.0 && def->hinge.axis[1] == 0.0)) return MOTE_OK;
  return mote_fail_key(error, "hinge.axis", "in 2D bodies turn about z");
}

static mote_result check_keys(const mote_motion_def *def, mote_error *error) {
  for (size_t k = 0; k < def->keys; ++k) {
    const mote_key *key = &def->key[k];
    if (!isfinite(key->time) || !isfinite(key->angle) || !mote_is_finite3(key->move)) {
      return mote_fail_key(error, "keys", "key %zu has a number that is not finite", k + 1);
    }
    if (k > 0 && !(key->time > def->key[k - 1].time)) {
      return mote_fail_key(error, "keys", "key %zu, at %g s, is not after the one before it", k + 1,
                           key->time);
    }
  }
  return MOTE_OK;
}

static mote_result check_motion(const mote_motion_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(check_value3("move", &def->move, "t", env, error));
  MOTE_TRY(check_value("angle", &def->angle, "t", env, error));
  MOTE_TRY(check_direction("axis", def->axis, 3, error));
  for (int k = 0; k < 3; ++k) {
    if (isinf(def->pivot[k])) return mote_fail_key(error, "pivot", "%g is not finite", def->pivot[k]);
  }
  return check_keys(def, error);
}

// Holds and loads of an elastic body.
static mote_result check_handles(const mote_body_def *def, const mote_env *env, mote_error *error) {
  char outer[32];
  for (size_t k = 0; k < def->holds; ++k) {
    mote_result result = check_has_shape(&def->hold[k].shape, error);
    if (result == MOTE_OK) {
      result = mote_fail_within(error, check_motion(&def->hold[k].motion, env, error), "motion");
    }
    snprintf(outer, sizeof outer, "hold[%zu]", k);
    if (result != MOTE_OK) return mote_fail_within(error, result, outer);
  }
  for (size_t k = 0; k < def->loads; ++k) {
    mote_result result = check_has_shape(&def->load[k].shape, error);
    if (result == MOTE_OK) result = check_value3("force", &def->load[k].force, "t", env, error);
    snprintf(outer, sizeof outer, "load[%zu]", k);
    if (result != MOTE_OK) return mote_fail_within(error, result, outer);
  }
  return MOTE_OK;
}

static mote_result check_grading(const mote_body_def *def, mote_error *error) {
  if (def->grading == 1) return MOTE_OK;
  if (def->grading != 2 && def->grading != 4 && def->grading != 8)
    return mote_fail_key(error, "grading", "%d is not 1, 2, 4 or 8", def->grading);
  if (def->fill == MOTE_FILL_CUBIC) return MOTE_OK;
  return mote_fail_key(error, "grading", "needs fill: cubic: blocks of its lattice become one particle each");
}

mote_result mote_body_def_check(const mote_body_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(check_material_name(def->material, error));
  MOTE_TRY(check_has_shape(&def->shape, error));
  if (def->fill > MOTE_FILL_RELAXED) return mote_fail_key(error, "fill", "there is no such filling");
  MOTE_TRY(check_grading(def, error));
  MOTE_TRY(check_value3("velocity", &def->velocity, "x y z", env, error));
  MOTE_TRY(check_value("pressure", &def->pressure, "x y z", env, error));
  MOTE_TRY(check_finite3("spin", def->spin, error));
  return check_handles(def, env, error);
}

mote_result mote_collider_def_check(const mote_collider_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(check_has_shape(&def->shape, error));
  MOTE_TRY(mote_fail_within(error, check_motion(&def->motion, env, error), "motion"));
  MOTE_TRY(check_range("friction", def->friction, 0.0, 1.0, error));
  MOTE_TRY(check_value3("surface_velocity", &def->surface_velocity, "x y z", env, error));
  return check_colour(def->colour, error);
}

mote_result mote_emitter_def_check(const mote_emitter_def *def, int dimensions, const mote_env *env,
                                   mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(check_material_name(def->material, error));
  MOTE_TRY(check_finite3("centre", def->centre, error));
  MOTE_TRY(check_direction("direction", def->direction, dimensions, error));
  if (!isnan(def->radius)) {
    MOTE_TRY(check_positive("radius", def->radius, error));
  } else {
    if (isnan(def->size[0])) return mote_fail_key(error, "radius", "an emitter has a radius or a size");
    for (int k = 0; k < dimensions - 1; ++k) MOTE_TRY(check_positive("size", def->size[k], error));
  }
  MOTE_TRY(check_value("speed", &def->speed, "t", env, error));
  return check_times(def->start, def->end, error);
}

mote_result mote_drain_def_check(const mote_drain_def *def, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(check_has_shape(&def->shape, error));
  return check_times(def->start, def->end, error);
}

mote_result mote_force_def_check(const mote_force_def *def, const mote_env *env, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  MOTE_TRY(check_value3("acceleration", &def->acceleration, "x y z t", env, error));
  return check_times(def->start, def->end, error);
}

mote_result mote_probe_def_check(const mote_probe_def *def, int dimensions, mote_error *error) {
  MOTE_TRY(mote_name_check(def->name, error));
  if (def->kind > MOTE_PROBE_LEVEL) return mote_fail_key(error, "kind", "there is no such probe");
  MOTE_TRY(check_finite3("from", def->from, error));
  MOTE_TRY(check_not_negative("interval", def->interval, error));
  if (def->kind == MOTE_PROBE_POINT) return MOTE_OK;
  MOTE_TRY(check_finite3("to", def->to, error));
  double along[3] = {def->to[0] - def->from[0], def->to[1] - def->from[1], def->to[2] - def->from[2]};
  MOTE_TRY(check_direction("to", along, dimensions, error));
  if (def->kind == MOTE_PROBE_LINE && (def->count < 2 || def->count > 1000000)) {
    return mote_fail_key(error, "count", "%d is not between 2 and 1000000", def->count);
  }
  return MOTE_OK;
}
