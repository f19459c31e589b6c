// The kernels of each method: see surface_kernels.h.
#include "surface/surface_kernels.h"

#include <math.h>

#include "surface/near_surface.h"

static mote_bump bump_of(mote_surface_method method) {
  switch (method) {
    case MOTE_SURFACE_MASS: return MOTE_BUMP_DESBRUN;
    case MOTE_SURFACE_ZHU_BRIDSON:
    case MOTE_SURFACE_ADAMS: return MOTE_BUMP_MEAN;
    default: return MOTE_BUMP_SMOOTH;
  }
}

// What each kernel is multiplied with. weight[] comes in as the density where the method asks for one.
static void set_weights(const mote_point_set *set, const mote_surface_def *def, const float *distance,
                        mote_bump bump, float *weight) {
  double d = set->spacing, support = def->support * d;
  double scale = 1.0 / mote_bump_volume(bump), sphere = scale / (support * support * support);
  for (size_t p = 0; p < set->count; ++p) {
    double v = (double)mote_point_volume(set, p), w = 1.0;
    switch (def->method) {
      case MOTE_SURFACE_BLOBS: break;
      case MOTE_SURFACE_DENSITY: w = v * sphere / (double)weight[p]; break;
      case MOTE_SURFACE_MASS: w = v * sphere; break;
      default: w = distance != NULL ? (double)distance[set->row[p]] : def->radius * d; break;
    }
    weight[p] = (float)w;
  }
}

static double farthest_reach(const mote_kernel_field *field) {
  if (field->shapes.count == 0) return field->support;
  double reach = 0.0;
  for (size_t p = 0; p < field->set->count; ++p) {
    double low[3], high[3];
    mote_kernel_box(field, (uint32_t)p, low, high);
    for (int a = 0; a < 3; ++a) {
      double x = field->set->position[3 * p + a];
      reach = high[a] - x > reach ? high[a] - x : reach;
      reach = x - low[a] > reach ? x - low[a] : reach;
    }
  }
  return reach;
}

mote_result mote_surface_kernels_make(const mote_point_set *set, const mote_surface_def *def,
                                      const float *distance, const uint32_t *label, const mote_env *env,
                                      mote_arena *arena, mote_arena *scratch, mote_surface_kernels *out,
                                      mote_error *error) {
  bool shaped = def->method == MOTE_SURFACE_ANISOTROPIC;
  double support = def->support * set->spacing;
  float *weight = shaped ? NULL : mote_arena_take(arena, set->count, sizeof *weight);
  *out = (mote_surface_kernels){.near = mote_arena_take(arena, set->count, 1)};
  if (out->near == NULL || (!shaped && weight == NULL)) {
    return mote_fail_memory(error, set->count * sizeof *weight);
  }
  out->field =
      (mote_kernel_field){.set = set, .bump = bump_of(def->method), .support = support, .weight = weight};
  bool density = def->method == MOTE_SURFACE_DENSITY;
  if (shaped) {
    mote_kernel_shapes *shapes = &out->field.shapes;
    MOTE_TRY(mote_anisotropy(set, def, label, env, arena, scratch, shapes, out->near, error));
    for (size_t p = 0; p < set->count; ++p) out->near[p] = out->near[p] == MOTE_NEAR_TOUCHES;
  } else {
    MOTE_TRY(mote_near_surface(set, support, env, out->near, density ? weight : NULL, error));
    set_weights(set, def, distance, out->field.bump, weight);
  }
  out->field.reach = farthest_reach(&out->field);
  return MOTE_OK;
}

// Surfaces bulge above a pool's level between drops and sheets; more than SLACK is left to the flood.
#define SLACK 0.7

double mote_surface_close(const mote_surface_def *def, double level) {
  double close = (level + SLACK) / def->support;
  return close < 1.0 ? close : 1.0;
}
