// Whether definitions make sense in a world with heat, and in one without: see def_check.h.
#include <math.h>

#include "scene/def_check.h"
#include "scene/def_table.h"
#include "scene/kind_properties.h"

static mote_result check_points(const mote_heat_def *def, mote_error *error) {
  if (!(def->melting_point > 0.0)) {
    if (def->freezing_point > 0.0) return mote_fail_key(error, "freezing_point", "needs a melting_point");
    if (def->latent_heat > 0.0)
      return mote_fail_key(error, "latent_heat", "it needs a melting_point, and this material has none");
    if (def->viscosity_slope > 0.0)
      return mote_fail_key(error, "viscosity_slope",
                           "it needs a melting_point, at which the viscosity is the given one");
    return MOTE_OK;
  }
  if (!(def->freezing_point > def->melting_point)) return MOTE_OK;
  return mote_fail_key(error, "melting_point", "%g K is below the freezing_point, %g K", def->melting_point,
                       def->freezing_point);
}

mote_result mote_material_def_check_heat(const mote_material_def *def, bool heat, mote_error *error) {
  MOTE_TRY(check_points(&def->heat, error));
  if (!heat || !mote_material_properties(def)->is_filled || def->heat.heat_capacity > 0.0) return MOTE_OK;
  return mote_fail_key(error, "heat_capacity",
                       "a scene with heat: true needs it of all materials but rigid ones");
}

void mote_material_def_forget_heat(mote_material_def *def) {
  mote_material_def plain;
  mote_scene_section_default("material", &plain);
  def->heat = plain.heat;
}

mote_result mote_temperature_check(const mote_value *value, const char *key, bool heat, mote_error *error) {
  MOTE_ASSERT(value != NULL && key != NULL);
  if (heat || (value->formula == NULL && !(value->constant > 0.0))) return MOTE_OK;
  return mote_fail_key(error, key, "there are temperatures in scenes with heat: true only");
}

mote_result mote_body_def_check_heat(const mote_body_def *def, bool heat, mote_error *error) {
  MOTE_TRY(mote_temperature_check(&def->temperature, "temperature", heat, error));
  if (!heat || def->grading == 1) return MOTE_OK;
  return mote_fail_key(error, "grading", "heat needs particles of one size");
}

mote_result mote_emitter_def_check_heat(const mote_emitter_def *def, bool heat, mote_error *error) {
  mote_value value = {def->temperature, NULL};
  return mote_temperature_check(&value, "temperature", heat, error);
}

mote_result mote_force_def_check_heat(const mote_force_def *def, bool heat, mote_error *error) {
  if (heat || (def->heating.formula == NULL && def->heating.constant == 0.0)) return MOTE_OK;
  return mote_fail_key(error, "heating", "it has an effect in scenes with heat: true only");
}
