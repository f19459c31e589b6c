// Hashes of definitions: see definition_hash.h. Member by member, for structs have gaps and pointers.
#include "state/definition_hash.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "scene/def_check.h"

// --- Parts
// --------------------------------------------------------------------------------------------------

static uint64_t numbers(uint64_t seed, const double *x, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    double value = x[k] != x[k] ? 0x1p1023 : x[k] + 0.0;  // one NaN, one zero
    seed = mote_hash_bytes(seed, &value, sizeof value);
  }
  return seed;
}

static uint64_t number(uint64_t seed, double x) {
  return numbers(seed, &x, 1);
}

static uint64_t whole(uint64_t seed, uint64_t x) {
  return mote_hash_bytes(seed, &x, sizeof x);
}

static uint64_t text(uint64_t seed, const char *x) {
  return x == NULL ? whole(seed, 0) : mote_hash_bytes(whole(seed, 1), x, strlen(x) + 1);
}

static uint64_t value(uint64_t seed, const mote_value *x) {
  return x->formula == NULL ? number(seed, x->constant) : text(seed, x->formula);
}

static uint64_t value3(uint64_t seed, const mote_value3 *x) {
  return value(value(value(seed, &x->x), &x->y), &x->z);
}

static uint64_t mesh(uint64_t seed, const mote_mesh *x) {
  seed = whole(whole(seed, x->vertices), x->triangles);
  seed = numbers(seed, x->vertex, 3 * x->vertices);
  return x->triangles == 0 ? seed
                           : mote_hash_bytes(seed, x->triangle, 3 * x->triangles * sizeof *x->triangle);
}

// All members, also those that do not count for the kind: changing them is harmless and rare.
static uint64_t shape(uint64_t seed, const mote_shape_def *x) {
  seed = whole(seed, (uint64_t)x->kind);
  seed = numbers(numbers(seed, x->low, 3), x->high, 3);
  seed = numbers(numbers(seed, x->centre, 3), x->normal, 3);
  seed = numbers(numbers(seed, x->from, 3), x->to, 3);
  seed = numbers(number(number(seed, x->radius), x->thickness), x->radii, 3);
  if (x->kind == MOTE_SHAPE_MESH) seed = mesh(seed, &x->mesh);
  seed = number(numbers(number(seed, x->scale), x->axis, 3), x->angle);
  seed = numbers(numbers(seed, x->pivot, 3), x->move, 3);
  seed = whole(whole(seed, x->inverted), x->parts);
  for (size_t k = 0; k < x->parts; ++k) seed = shape(seed, &x->part[k]);
  return seed;
}

static uint64_t motion(uint64_t seed, const mote_motion_def *x) {
  seed = value(value3(seed, &x->move), &x->angle);
  seed = whole(numbers(numbers(seed, x->axis, 3), x->pivot, 3), x->keys);
  for (size_t k = 0; k < x->keys; ++k) {
    seed = numbers(number(number(seed, x->key[k].time), x->key[k].angle), x->key[k].move, 3);
  }
  return seed;
}

static uint64_t solver(uint64_t seed, const mote_solver_def *x) {
  seed = whole(whole(seed, (uint64_t)x->pressure), (uint64_t)x->kernel);
  seed = number(number(seed, x->support), x->cfl);
  seed = number(number(seed, x->step_min), x->step_max);
  seed = number(number(seed, x->stiffness), x->compression);
  seed = number(number(seed, x->exponent), x->negative_pressure);
  seed = number(number(seed, x->density_error), x->divergence_error);
  seed = whole(whole(seed, (uint64_t)x->state), (uint64_t)x->pair_form);
  seed = number(number(seed, x->background_pressure), x->density_diffusion);
  seed = whole(whole(seed, (uint64_t)x->density), (uint64_t)x->gradient_correction);
  seed = number(number(seed, x->shifting), x->artificial_viscosity);
  seed = whole(whole(seed, (uint64_t)x->viscosity_form), (uint64_t)x->viscosity_solve);
  seed = number(seed, x->viscosity_error);
  if (x->tension != MOTE_TENSION_CURVATURE)
    seed = whole(seed, (uint64_t)x->tension);                                 // as before there was it
  if (x->steps != MOTE_STEPS_GLOBAL) seed = whole(seed, (uint64_t)x->steps);  // as before there was this key
  if (x->repulsion != mote_world_def_default().solver.repulsion)
    seed = number(seed, x->repulsion);  // as before there was this key
  return whole(whole(seed, (uint64_t)x->iterations_min), (uint64_t)x->iterations_max);
}

// --- Definitions
// --------------------------------------------------------------------------------------------

uint64_t mote_definition_hash_world(uint64_t seed, const mote_world_def *def) {
  seed = numbers(number(whole(seed, (uint64_t)def->dimensions), def->spacing), def->gravity, 3);
  seed = numbers(numbers(seed, def->low, 3), def->high, 3);
  for (int k = 0; k < 6; ++k) seed = whole(seed, (uint64_t)def->side[k / 2][k % 2]);
  seed = value3(number(number(seed, def->wall_friction), def->speed_limit), &def->wall_velocity);
  return solver(whole(seed, def->seed), &def->solver);
}

static uint64_t solid(uint64_t seed, const mote_solid_def *x) {
  seed = whole(number(number(seed, x->young), x->poisson), (uint64_t)x->law);
  seed = number(number(number(seed, x->volume_stiffness), x->strain_damping), x->hourglass);
  seed = number(number(number(seed, x->yield_strain), x->creep_rate), x->plastic_max);
  if (isfinite(x->renew_strain)) seed = number(seed, x->renew_strain);  // as before there was this key
  if (x->gradient != MOTE_GRADIENT_DIRECT)
    seed = whole(seed, (uint64_t)x->gradient);  // as before there was this key
  return number(whole(whole(seed, (uint64_t)x->integrator), (uint64_t)x->order), x->support);
}

uint64_t mote_definition_hash_material(uint64_t seed, const mote_material_def *def) {
  seed = number(number(number(text(seed, def->name), def->density), def->viscosity), def->xsph);
  if (def->surface_tension > 0.0 || def->interface_tension > 0.0) {  // as before there was any
    seed = number(number(seed, def->surface_tension), def->contact_angle);
    seed = number(seed, def->interface_tension);
  }
  if (def->stiffness > 0.0) seed = number(number(seed, def->stiffness), def->damping);
  if (def->model == MOTE_MODEL_FLUID) return seed;  // as before there were others
  seed = number(number(whole(seed, (uint64_t)def->model), def->friction), def->restitution);
  return def->model == MOTE_MODEL_ELASTIC ? solid(seed, &def->solid) : seed;
}

uint64_t mote_definition_hash_body(uint64_t seed, const mote_body_def *def) {
  seed = shape(text(text(seed, def->name), def->material), &def->shape);
  seed = numbers(value3(whole(seed, (uint64_t)def->fill), &def->velocity), def->spin, 3);
  bool none = def->pressure.formula == NULL && def->pressure.constant == 0.0;  // as before there was this key
  seed = none ? seed : value(seed, &def->pressure);
  if (def->fixed) seed = whole(seed, 1);
  for (size_t k = 0; k < def->holds; ++k) {
    seed = motion(shape(whole(seed, 2), &def->hold[k].shape), &def->hold[k].motion);
  }
  for (size_t k = 0; k < def->loads; ++k) {
    seed = value3(shape(whole(seed, 3), &def->load[k].shape), &def->load[k].force);
  }
  return mote_body_def_hinged(def) ? numbers(numbers(seed, def->hinge.point, 3), def->hinge.axis, 3) : seed;
}

uint64_t mote_definition_hash_collider(uint64_t seed, const mote_collider_def *def) {
  seed = motion(shape(text(seed, def->name), &def->shape), &def->motion);
  return value3(number(seed, def->friction), &def->surface_velocity);
}

uint64_t mote_definition_hash_emitter(uint64_t seed, const mote_emitter_def *def) {
  seed = text(text(seed, def->name), def->material);
  seed = numbers(numbers(seed, def->centre, 3), def->direction, 3);
  seed = numbers(number(seed, def->radius), def->size, 2);
  return whole(number(number(value(seed, &def->speed), def->start), def->end), def->most);
}

uint64_t mote_definition_hash_drain(uint64_t seed, const mote_drain_def *def) {
  return number(number(shape(text(seed, def->name), &def->shape), def->start), def->end);
}

uint64_t mote_definition_hash_force(uint64_t seed, const mote_force_def *def) {
  seed = value3(shape(text(seed, def->name), &def->shape), &def->acceleration);
  return number(number(seed, def->start), def->end);
}
