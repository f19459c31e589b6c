// Which kernels touch a box. Boxes around the kernels of each bin, made once, keep most points from being
// looked at. See kernel_field.h.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "surface/kernel_field.h"

#define BINS_PER_TASK 256

// The ellipsoid's quadratic form G^T G in cells.
static void ellipsoid_form(const float G[6], double cell, float form[6]) {
  double a = (double)G[0], b = (double)G[1], c = (double)G[2], d = (double)G[3], e = (double)G[4],
         f = (double)G[5];
  double per = cell * cell;
  form[0] = (float)(per * (a * a + b * b + c * c));
  form[1] = (float)(per * 2.0 * (a * b + b * d + c * e));
  form[2] = (float)(per * 2.0 * (a * c + b * e + c * f));
  form[3] = (float)(per * (b * b + d * d + e * e));
  form[4] = (float)(per * 2.0 * (b * c + d * e + e * f));
  form[5] = (float)(per * (c * c + e * e + f * f));
}

// Half the widths of its box, in cells: the roots of the diagonal of the form's inverse, which is
// (G^-1)(G^-1)^T. Lone kernels are spheres.
static void ellipsoid_half(const float G[6], double cell, float half[3]) {
  double a = (double)G[0], b = (double)G[1], c = (double)G[2], d = (double)G[3], e = (double)G[4],
         f = (double)G[5];
  if (G[1] == 0.0f && G[2] == 0.0f && G[4] == 0.0f && G[0] == G[3] && G[0] == G[5]) {
    half[0] = half[1] = half[2] = (float)(1.0 / (a * cell));
    return;
  }
  double xx = d * f - e * e, xy = c * e - b * f, xz = b * e - c * d;
  double yy = a * f - c * c, yz = b * c - a * e, zz = a * d - b * b;
  double scale = 1.0 / (fabs(a * xx + b * xy + c * xz) * cell);
  half[0] = (float)(scale * sqrt(xx * xx + xy * xy + xz * xz));
  half[1] = (float)(scale * sqrt(xy * xy + yy * yy + yz * yz));
  half[2] = (float)(scale * sqrt(xz * xz + yz * yz + zz * zz));
}

// The shape of a point's kernel; null: that of all inside.
static const mote_kernel_shape *own_shape(const mote_kernel_field *field, uint32_t point) {
  const mote_kernel_shapes *shapes = &field->shapes;
  bool own = shapes->count > 0 && shapes->of[point] != MOTE_SHAPE_INSIDE;
  return own ? &shapes->shape[shapes->of[point]] : NULL;
}

// The kernel of all points inside, but for its centre and weight.
static mote_local_kernel inside_kernel(const mote_kernel_field *field, double cell) {
  mote_local_kernel k = {.weight = 0.0f};
  if (field->shapes.count > 0) {
    const mote_kernel_shape *shape = &field->shapes.shape[MOTE_SHAPE_INSIDE];
    ellipsoid_half(shape->G, cell, k.half);
    ellipsoid_form(shape->G, cell, k.form);
    return k;
  }
  double radius = field->support * (1.0 / cell);
  for (int a = 0; a < 3; ++a) k.half[a] = (float)radius;
  k.form[0] = k.form[3] = k.form[5] = (float)(1.0 / (radius * radius));
  return k;
}

static float weight_of(const mote_kernel_field *field, const mote_kernel_shape *own, uint32_t point) {
  if (own != NULL) return own->weight;
  if (field->shapes.count == 0) return field->weight[point];
  float weight = field->shapes.shape[MOTE_SHAPE_INSIDE].weight;
  return field->set->volume != NULL ? field->set->volume[point] * weight : weight;
}

// Spheres of their own size.
static inline float own_support(const mote_kernel_field *field, uint32_t point) {
  return field->supports != NULL && field->shapes.count == 0 ? field->supports[point] : 0.0f;
}

// --- Boxes ------------------------------------------------------------------------------------------------

void mote_kernel_box(const mote_kernel_field *field, uint32_t point, double low[3], double high[3]) {
  MOTE_ASSERT(point < field->set->count);
  const mote_kernel_shape *own = own_shape(field, point);
  float half[3] = {field->inside_half, field->inside_half, field->inside_half};
  if (own != NULL) ellipsoid_half(own->G, 1.0, half);
  float support = own_support(field, point);
  if (support > 0.0f) half[0] = half[1] = half[2] = support;
  for (int a = 0; a < 3; ++a) {
    double centre = field->set->position[3 * (size_t)point + a];
    if (own != NULL) centre += (double)own->shift[a];
    low[a] = centre - (double)half[a];
    high[a] = centre + (double)half[a];
  }
}

static void box_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_kernel_field *field = data;
  const mote_point_set *set = field->set;
  for (size_t bin = begin; bin < end; ++bin) {
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) {
      double low[3], high[3];
      mote_kernel_box(field, p, low, high);
      for (int a = 0; a < 3; ++a) {
        least[a] = low[a] < least[a] ? low[a] : least[a];
        most[a] = high[a] > most[a] ? high[a] : most[a];
      }
    }
    for (int a = 0; a < 3; ++a) {
      double corner = set->bin_at[3 * bin + a] * set->bin_edge;
      field->bin_box[bin].low[a] = (float)(least[a] - corner);
      field->bin_box[bin].high[a] = (float)(most[a] - corner);
    }
  }
}

mote_result mote_kernel_field_bound(mote_kernel_field *field, const mote_env *env, mote_arena *arena,
                                    mote_error *error) {
  MOTE_ASSERT(field->set != NULL);
  MOTE_ASSERT(field->support > 0.0 || field->shapes.count > 0);
  MOTE_ASSERT(arena != NULL);
  const mote_point_set *set = field->set;
  MOTE_TAKE(field->bin_box, arena, set->bins, error);
  field->inside_half = inside_kernel(field, 1.0).half[0];
  mote_parallel_for(env->threads, set->bins, BINS_PER_TASK, box_task, field);
  field->reach = 0.0;
  for (size_t bin = 0; bin < set->bins; ++bin) {
    for (int a = 0; a < 3; ++a) {
      double below = -(double)field->bin_box[bin].low[a];
      double above = (double)field->bin_box[bin].high[a] - set->bin_edge;
      field->reach = fmax(field->reach, fmax(below, above));
    }
  }
  return MOTE_OK;
}

// --- Collecting -------------------------------------------------------------------------------------------

void mote_kernel_list_free(mote_kernel_list *list) {
  MOTE_ASSERT(list->count <= list->capacity);
  mote_free(&list->env, list->kernel, list->capacity, sizeof *list->kernel);
  mote_free(&list->env, list->run, list->run_capacity, sizeof *list->run);
}

static bool reserve_runs(mote_kernel_list *list, size_t count) {
  return mote_reserve(&list->env, &list->run, &list->run_capacity, count, sizeof *list->run, NULL) == MOTE_OK;
}

// The box of `side` cells from `origin`, and the kernel of points inside in its cells.
typedef struct wanted_box {
  const mote_kernel_field *field;
  double cell, origin[3];
  float side;
  mote_local_kernel inside;
} wanted_box;

static bool bin_touches(const wanted_box *box, size_t bin) {
  const mote_point_set *set = box->field->set;
  const mote_bin_box *around = &box->field->bin_box[bin];
  bool touches = true;
  for (int a = 0; a < 3; ++a) {
    double corner = set->bin_at[3 * bin + a] * set->bin_edge - box->origin[a];
    touches &= corner + (double)around->high[a] >= 0.0;
    touches &= corner + (double)around->low[a] <= (double)box->side * box->cell;
  }
  return touches;
}

static inline bool kernel_touches(const float centre[3], const float half[3], float side) {
  for (int a = 0; a < 3; ++a) {
    if (centre[a] + half[a] < 0.0f || centre[a] - half[a] > side) return false;
  }
  return true;
}

static void collect_bin(mote_kernel_list *list, const wanted_box *box, size_t bin) {
  const mote_point_set *set = box->field->set;
  double per_cell = 1.0 / box->cell;
  for (uint32_t p = set->first_point[bin]; p < set->first_point[bin + 1]; ++p) {
    const mote_kernel_shape *own = own_shape(box->field, p);
    float centre[3], own_half[3];
    for (int a = 0; a < 3; ++a) {
      double x = set->position[3 * (size_t)p + a] - box->origin[a];
      if (own != NULL) x += (double)own->shift[a];
      centre[a] = (float)(x * per_cell);
    }
    float support = own_support(box->field, p) * (float)per_cell;
    if (own != NULL) ellipsoid_half(own->G, box->cell, own_half);
    if (support > 0.0f) own_half[0] = own_half[1] = own_half[2] = support;
    const float *half = own != NULL || support > 0.0f ? own_half : box->inside.half;
    if (!kernel_touches(centre, half, box->side)) continue;
    mote_local_kernel *k = &list->kernel[list->count++];
    memcpy(k->centre, centre, sizeof centre);
    memcpy(k->half, half, sizeof k->half);
    if (own != NULL) {
      ellipsoid_form(own->G, box->cell, k->form);
    } else {
      memcpy(k->form, box->inside.form, sizeof k->form);
    }
    if (support > 0.0f) k->form[0] = k->form[3] = k->form[5] = 1.0f / (support * support);
    k->weight = weight_of(box->field, own, p);
    k->point = p;
  }
}

bool mote_kernel_list_collect(mote_kernel_list *list, const mote_kernel_field *field, double cell,
                              const int32_t at[3], int side) {
  MOTE_ASSERT(cell > 0.0 && side > 0);
  MOTE_ASSERT(field->bin_box != NULL);
  wanted_box box = {.field = field, .cell = cell, .side = (float)side, .inside = inside_kernel(field, cell)};
  double low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    box.origin[a] = at[a] * cell;
    low[a] = box.origin[a] - field->reach;
    high[a] = box.origin[a] + side * cell + field->reach;
  }
  list->count = 0;
  if (!reserve_runs(list, 32)) return false;
  size_t runs = mote_point_set_runs(field->set, low, high, list->run, list->run_capacity);
  if (runs > list->run_capacity) {
    if (!reserve_runs(list, runs)) return false;
    mote_point_set_runs(field->set, low, high, list->run, list->run_capacity);
  }
  size_t most = 0;
  for (size_t r = 0; r < runs; ++r) most += list->run[r].end - list->run[r].begin;
  if (mote_reserve(&list->env, &list->kernel, &list->capacity, most, sizeof *list->kernel, NULL))
    return false;
  for (size_t r = 0; r < runs; ++r) {
    for (size_t bin = list->run[r].first_bin; bin < list->run[r].end_bin; ++bin) {
      if (bin_touches(&box, bin)) collect_bin(list, &box, bin);
    }
  }
  return true;
}
