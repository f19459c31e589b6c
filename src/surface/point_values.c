// Particles in a set of points with images, and the field at them: see surface_depth.h.
#include <math.h>

#include "base/parallel.h"
#include "surface/surface_depth.h"

#define BIN_GRAIN 16

// Of all images of a particle the one nearest to the middle of the periods is the particle itself.
void mote_points_of_particles(const mote_point_set *set, const mote_domain *domain, uint32_t *point) {
  MOTE_ASSERT(point != NULL || set->particles == 0);
  for (size_t r = 0; r < set->particles; ++r) point[r] = UINT32_MAX;
  for (uint32_t p = 0; p < set->count; ++p) {
    uint32_t *best = &point[set->row[p]];
    bool nearer = *best != UINT32_MAX;
    for (int a = 0; nearer && a < 3; ++a) {
      if (!domain->periodic[a]) continue;
      double middle = 0.5 * (domain->low[a] + domain->high[a]) - set->origin[a];
      double here = fabs(set->position[3 * (size_t)p + a] - middle);
      if (here > fabs(set->position[3 * (size_t)*best + a] - middle)) nearer = false;
    }
    if (nearer || *best == UINT32_MAX) *best = p;
  }
}

typedef struct value_work {
  mote_kernel_field field;
  double cell;
  const uint8_t *near;
  mote_kernel_list *list;
  float *value;
  bool failed[MOTE_THREADS_MAX];
} value_work;

static void value_bin(value_work *w, size_t bin, int worker) {
  const mote_point_set *set = w->field.set;
  mote_kernel_list *list = &w->list[worker];
  uint32_t first = set->first_point[bin], last = set->first_point[bin + 1];
  bool any = false;
  for (uint32_t p = first; p < last; ++p) any = any || w->near[p];
  if (!any) return;
  int32_t at[3];
  for (int a = 0; a < 3; ++a) at[a] = (int32_t)floor(set->bin_at[3 * bin + a] * set->bin_edge / w->cell);
  int side = (int)ceil(set->bin_edge / w->cell) + 1;
  if (!mote_kernel_list_collect(list, &w->field, w->cell, at, side)) {
    w->failed[worker] = true;
    return;
  }
  for (uint32_t p = first; p < last; ++p) {
    if (!w->near[p]) continue;
    float x[3];
    for (int a = 0; a < 3; ++a) x[a] = (float)(set->position[3 * (size_t)p + a] / w->cell - at[a]);
    w->value[p] = (float)mote_kernel_value_at(&w->field, list, w->cell, at, x, NULL);
  }
}

static void value_task(void *data, size_t begin, size_t end, int worker) {
  for (size_t bin = begin; bin < end; ++bin) value_bin(data, bin, worker);
}

mote_result mote_values_at_points(const mote_kernel_field *field, double cell, const uint8_t *near,
                                  mote_kernel_list *list, const mote_env *env, float *value,
                                  mote_error *error) {
  MOTE_ASSERT(cell > 0.0);
  MOTE_ASSERT((near != NULL && value != NULL) || field->set->count == 0);
  MOTE_ASSERT(list != NULL);
  value_work w = {.field = *field, .cell = cell, .near = near, .list = list, .value = value};
  for (int a = 0; a < 3; ++a) w.field.clip_low[a] = -HUGE_VAL, w.field.clip_high[a] = HUGE_VAL;
  mote_parallel_for(env->threads, field->set->bins, BIN_GRAIN, value_task, &w);
  for (int k = 0; k < env->threads; ++k) {
    if (w.failed[k]) return mote_fail_memory(error, sizeof(mote_local_kernel));
  }
  return MOTE_OK;
}
