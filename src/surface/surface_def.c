// Definitions of surfaces: names, defaults, checks.
#include <math.h>

#include "surface/grid_smooth.h"
#include "surface/surface_kernels.h"

const char *mote_surface_method_name(mote_surface_method method) {
  static const char *const name[MOTE_SURFACE_METHODS] = {"blobs",       "density", "mass",
                                                         "zhu-bridson", "adams",   "anisotropic"};
  return (unsigned)method < MOTE_SURFACE_METHODS ? name[method] : "?";
}

mote_surface_def mote_surface_def_default(void) {
  return (mote_surface_def){.method = MOTE_SURFACE_ANISOTROPIC,
                            .domain = mote_domain_open(3),
                            .spacing = (double)NAN,
                            .support = (double)NAN,
                            .cell = 0.5,
                            .isovalue = (double)NAN,
                            .radius = (double)NAN,
                            .smoothing = 0.8,
                            .reach = 4.0,
                            .stretch = 4.0,
                            .scale = (double)NAN,
                            .lone_scale = 0.37,
                            .lone_neighbours = 2,
                            .keep_volume = true,
                            .ripple = 0.07,
                            .components = true,
                            .connected = 1.5,
                            .tag_count = 0.9,
                            .tag_offset = 0.1,
                            .inside = (double)NAN,
                            .most_nodes = (size_t)1 << 30,
                            .normals = true,
                            .smallest_part = (double)NAN,
                            .clip_low = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                            .clip_high = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
}

// --- Checks -----------------------------------------------------------------------------------------------

typedef struct range {
  const char *key;
  double value, low, high;
  bool optional;  // may be NaN
} range;

static mote_result check_ranges(const range *r, size_t count, mote_error *error) {
  for (size_t k = 0; k < count; ++k) {
    if (r[k].optional && isnan(r[k].value)) continue;
    if (!(r[k].value >= r[k].low && r[k].value <= r[k].high)) {
      return mote_fail_key(error, r[k].key, "%s must be %g to %g, not %g", r[k].key, r[k].low, r[k].high,
                           r[k].value);
    }
  }
  return MOTE_OK;
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

mote_result mote_surface_def_check(const mote_surface_def *def, mote_error *error) {
  if ((unsigned)def->method >= MOTE_SURFACE_METHODS) {
    return mote_fail_key(error, "method", "there is no method %d", (int)def->method);
  }
  const range r[] = {
      {"spacing", def->spacing, 1e-100, 1e100, true},
      {"support", def->support, 0.5, 20.0, true},
      {"cell", def->cell, 1e-6, 1e6, false},
      {"isovalue", def->isovalue, -1e6, 1e6, true},
      {"radius", def->radius, 1e-6, 20.0, true},
      {"smoothing", def->smoothing, 0.0, 1.0, false},
      {"reach", def->reach, 0.5, 20.0, false},
      {"stretch", def->stretch, 1.0, 1e3, false},
      {"scale", def->scale, 1e-6, 1e6, true},
      {"lone_scale", def->lone_scale, 1e-3, 1e3, false},
      {"lone_neighbours", def->lone_neighbours, 0.0, 1e9, false},
      {"ripple", def->ripple, 0.0, 0.5, false},
      {"connected", def->connected, 0.1, 20.0, false},
      {"tag_count", def->tag_count, 0.0, 1e3, false},
      {"tag_offset", def->tag_offset, 0.0, 1e3, false},
      {"inside", def->inside, 1e-6, 1e6, true},
      {"grid_smoothing", def->grid_smoothing, 0.0, MOTE_GRID_SMOOTH_MOST, false},
      {"root_steps", def->root_steps, 0.0, 64.0, false},
      {"mesh_smoothing", def->mesh_smoothing, 0.0, 1000.0, false},
      {"smallest_part", def->smallest_part, 0.0, 1e12, true},
  };
  MOTE_TRY(check_ranges(r, sizeof r / sizeof *r, error));
  return check_boxes(def, error);
}
