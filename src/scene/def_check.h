// Whether definitions make sense, one by one: what mote_scene_check and the world's add functions share.
// ARGUMENT names the member in error->key. Shapes are checked by making them (geom.h), references by who
// holds the lists.
#ifndef MOTE_DEF_CHECK_H
#define MOTE_DEF_CHECK_H

#include <mote/scene.h>

#include "base/check.h"

mote_result mote_name_check(const char *name, mote_error *error);
mote_result mote_world_def_check(const mote_world_def *def, mote_error *error);
// Only what relates several values, after the table of keys has checked each.
mote_result mote_world_def_check_whole(const mote_world_def *def, mote_error *error);
mote_result mote_material_def_check(const mote_material_def *def, mote_error *error);
// Whether the solver can compute the material.
mote_result mote_material_def_check_solver(const mote_material_def *def, const mote_solver_def *solver,
                                           mote_error *error);
// In a world with heat or without: whether what heat needs is known. Temperatures are refused without.
mote_result mote_material_def_check_heat(const mote_material_def *def, bool heat, mote_error *error);
// Sets all of its heat to the defaults of the keys.
void mote_material_def_forget_heat(mote_material_def *def);
mote_result mote_temperature_check(const mote_value *value, const char *key, bool heat, mote_error *error);
mote_result mote_body_def_check_heat(const mote_body_def *def, bool heat, mote_error *error);
mote_result mote_emitter_def_check_heat(const mote_emitter_def *def, bool heat, mote_error *error);
mote_result mote_force_def_check_heat(const mote_force_def *def, bool heat, mote_error *error);
// Whether its keys go with the model of its material.
mote_result mote_body_def_check_model(const mote_body_def *def, const mote_material_def *material,
                                      int dimensions, mote_error *error);
bool mote_body_def_hinged(const mote_body_def *def);
mote_result mote_body_def_check(const mote_body_def *def, const mote_env *env, mote_error *error);
mote_result mote_collider_def_check(const mote_collider_def *def, const mote_env *env, mote_error *error);
mote_result mote_emitter_def_check(const mote_emitter_def *def, int dimensions, const mote_env *env,
                                   mote_error *error);
mote_result mote_drain_def_check(const mote_drain_def *def, mote_error *error);
mote_result mote_force_def_check(const mote_force_def *def, const mote_env *env, mote_error *error);
mote_result mote_lamp_def_check(const mote_lamp_def *def, mote_error *error);
mote_result mote_probe_def_check(const mote_probe_def *def, int dimensions, mote_error *error);

// Puts "list.name" before the key of a failure: "bodies" and "dam" before "shape" give "bodies.dam.shape". A
// thing without a name is known by its number, from 1.
mote_result mote_fail_in_list(mote_error *error, mote_result result, const char *list, const char *name,
                              size_t k);

#endif
