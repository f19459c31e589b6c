// Definitions of surfaces: names, defaults, checks.
#include <math.h>

#include "scene/def_table.h"
#include "surface/grid_smooth.h"
#include "surface/surface_kernels.h"

const char *mote_surface_method_name(mote_surface_method method) {
  static const char *const name[] = {"blobs", "density",     "mass",   "zhu-bridson",
                                     "adams", "anisotropic", "tracked"};
  return (unsigned)method <= MOTE_SURFACE_TRACKED ? name[method] : "?";
}

// The options are keys of the scene language; the rest depends on the particles.
mote_surface_def mote_surface_def_default(void) {
  mote_surface_output_def output;
  mote_scene_section_default("surface", &output);
  mote_surface_def def = output.def;
  def.domain = mote_domain_open(3);
  def.spacing = (double)NAN;
  def.most_nodes = (size_t)1 << 30;
  for (int k = 0; k < 3; ++k) def.clip_low[k] = -HUGE_VAL, def.clip_high[k] = HUGE_VAL;
  return def;
}

static mote_result check_boxes(const mote_surface_def *def, mote_error *error) {
  if (def->domain.dimensions != 3) {
    return mote_fail_key(error, "domain", "surfaces are 3D, not %dD", def->domain.dimensions);
  }
  for (int a = 0; a < 3; ++a) {
    double period = def->domain.high[a] - def->domain.low[a];
    if (def->domain.periodic[a] && !(period > 0.0 && isfinite(period))) {
      return mote_fail_key(error, "domain", "the period along %c is %g", "xyz"[a], period);
    }
    if (!(def->clip_low[a] < def->clip_high[a])) {
      return mote_fail_key(error, "clip_low", "the clip box is empty along %c", "xyz"[a]);
    }
  }
  return MOTE_OK;
}

_Static_assert(MOTE_GRID_SMOOTH_MOST == 4, "as in the table of keys");

mote_result mote_surface_def_check(const mote_surface_def *def, mote_error *error) {
  mote_surface_output_def output;
  mote_scene_section_default("surface", &output);
  output.def = *def;
  MOTE_TRY(mote_section_check("surface", &output, NULL, error));
  if (def->method == MOTE_SURFACE_TRACKED)
    return mote_fail_key(error, "method", "only worlds have tracked surfaces");
  if (!isnan(def->spacing) && !(def->spacing >= 1e-100 && def->spacing <= 1e100))
    return mote_fail_key(error, "spacing", "%g is not between 1e-100 and 1e100", def->spacing);
  return check_boxes(def, error);
}
