// The kernels of each method: see surface_kernels.h.
#include "surface/surface_kernels.h"

#include <math.h>

#include "surface/near_surface.h"
#include "surface/tuning.inc"

static mote_bump bump_of(mote_surface_method method) {
  switch (method) {
    case MOTE_SURFACE_MASS: return MOTE_BUMP_DESBRUN;
    case MOTE_SURFACE_ZHU_BRIDSON:
    case MOTE_SURFACE_ADAMS: return MOTE_BUMP_MEAN;
    case MOTE_SURFACE_BLOBS:
    case MOTE_SURFACE_DENSITY:
    case MOTE_SURFACE_ANISOTROPIC:
    case MOTE_SURFACE_METHODS: break;
  }
  return MOTE_BUMP_SMOOTH;
}

// Blobs in few others, less dense than a sheet of one layer, are higher; those that are alone so much that a
// surface at the level of a pool's has their volume. Else single ones and pairs would be below it.
static double blob_height(const mote_surface_def *def, double density) {
  const double ball = 0.62035049089940001667, few = 0.65;  // radius of volume 1; of the density inside
  double q = ball / def->support, alone = def->isovalue / mote_bump_value(MOTE_BUMP_SMOOTH, q * q);
  double least = 1.0 / (mote_bump_volume(MOTE_BUMP_SMOOTH) * def->support * def->support * def->support);
  if (!(alone > 1.0) || density >= few || !(least < few)) return 1.0;
  return 1.0 + (alone - 1.0) * (density > least ? (few - density) / (few - least) : 1.0);
}

// What each kernel is multiplied with. weight[] comes in as the density where the method asks for one.
static void set_weights(const mote_point_set *set, const mote_surface_def *def, const float *distance,
                        mote_bump bump, float *weight) {
  double scale = 1.0 / mote_bump_volume(bump);
  for (size_t p = 0; p < set->count; ++p) {
    double d = mote_point_size(set, p), support = def->support * d;
    double sphere = scale / (support * support * support);
    double v = (double)mote_point_volume(set, p), w = 1.0;
    switch (def->method) {
      case MOTE_SURFACE_BLOBS: w = blob_height(def, (double)weight[p]); break;
      case MOTE_SURFACE_DENSITY: w = v * sphere / (double)weight[p]; break;
      case MOTE_SURFACE_MASS: w = v * sphere; break;
      case MOTE_SURFACE_ZHU_BRIDSON:
      case MOTE_SURFACE_ADAMS:
      case MOTE_SURFACE_ANISOTROPIC:
      case MOTE_SURFACE_METHODS:
        w = distance != NULL ? (double)distance[set->row[p]] : def->radius * d;
        break;
    }
    weight[p] = (float)w;
  }
}

static mote_result take_supports(const mote_point_set *set, double support, mote_arena *arena,
                                 mote_kernel_field *field, mote_error *error) {
  if (set->size == NULL) return MOTE_OK;
  MOTE_TAKE_NEW(float, own, arena, set->count, error);
  for (size_t p = 0; p < set->count; ++p) own[p] = (float)(support * (double)set->size[p]);
  field->supports = own;
  return MOTE_OK;
}

mote_result mote_surface_kernels_make(const mote_point_set *set, const mote_surface_def *def,
                                      const float *distance, const uint32_t *label, const mote_env *env,
                                      mote_arena *arena, mote_arena *scratch, mote_surface_kernels *out,
                                      mote_error *error) {
  MOTE_ASSERT(set->spacing > 0.0 && def->support > 0.0);
  MOTE_ASSERT(arena != NULL && scratch != NULL && out != NULL);
  bool shaped = def->method == MOTE_SURFACE_ANISOTROPIC;
  double support = def->support * set->largest;
  float *weight = shaped ? NULL : mote_arena_take(arena, set->count, sizeof *weight);
  *out = (mote_surface_kernels){.near = mote_arena_take(arena, set->count, 1)};
  if (out->near == NULL || (!shaped && weight == NULL)) {
    return mote_fail_memory(error, set->count * sizeof *weight);
  }
  out->field =
      (mote_kernel_field){.set = set, .bump = bump_of(def->method), .support = support, .weight = weight};
  MOTE_TRY(take_supports(set, def->support, arena, &out->field, error));
  bool density = def->method == MOTE_SURFACE_DENSITY || def->method == MOTE_SURFACE_BLOBS;
  if (shaped) {
    mote_kernel_shapes *shapes = &out->field.shapes;
    MOTE_TRY(mote_anisotropy(set, def, label, env, arena, scratch, shapes, out->near, error));
    for (size_t p = 0; p < set->count; ++p) out->near[p] = out->near[p] == MOTE_NEAR_TOUCHES;
  } else {
    MOTE_TRY(mote_near_surface(set, def->support, env, out->near, density ? weight : NULL, error));
    set_weights(set, def, distance, out->field.bump, weight);
  }
  return mote_kernel_field_bound(&out->field, env, arena, error);
}

double mote_surface_close(const mote_surface_def *def, double level) {
  MOTE_ASSERT(def->support > 0.0);
  double close = (level + LEVEL_SLACK) / def->support;
  return close < 1.0 ? close : 1.0;
}
