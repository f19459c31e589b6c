// What a mesh's vertices get from the field: see surface_finish.h. Vertices are sorted by block, so each
// block collects its kernels once.
#include "surface/surface_finish.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "mesh/surface_rows.h"
#include "surface/tuning.inc"

#define SIDE MOTE_BLOCK_SIDE

typedef struct finish_work {
  const mote_surface_finish *f;
  mote_surface *surface;
  size_t *first;     // vertex of each block, blocks + 1
  uint8_t *trouble;  // one per worker
} finish_work;

// A block with its kernels.
typedef struct spot {
  const finish_work *w;
  const mote_kernel_list *list;
  int32_t node[3];  // its first
} spot;

static double value_at(const spot *s, const float x[3]) {
  return mote_kernel_value_at(s->w->f->field, s->list, s->w->f->grid->cell, s->node, x, NULL);
}

static void local_place(const spot *s, const double *vertex, float x[3]) {
  const mote_sparse_field *grid = s->w->f->grid;
  for (int a = 0; a < 3; ++a) x[a] = (float)((vertex[a] - grid->origin[a]) / grid->cell - s->node[a]);
}

// --- Roots ------------------------------------------------------------------------------------------------

// The zero of the field along the vertex's edge: false position that halves the weight of an end which stays
// (the Illinois rule), from the values at the nodes.
static void find_root(const spot *s, const mote_grid_vertex *place, double *vertex) {
  if (place->axis > 2) return;
  int axis = place->axis,
      start[3] = {place->node % SIDE, place->node / SIDE % SIDE, place->node / (SIDE * SIDE)};
  float x[3];
  for (int a = 0; a < 3; ++a) x[a] = (float)start[a];
  double low = 0.0, high = 1.0, f_low = value_at(s, x);
  x[axis] = (float)(start[axis] + 1);
  double f_high = value_at(s, x), t = 0.5;
  if ((f_low > 0.0) == (f_high > 0.0)) return;  // rounding has another sign than the grid
  int kept = 0;
  for (int step = 0; step < s->w->f->root_steps; ++step) {
    t = low + (high - low) * (f_low / (f_low - f_high));
    x[axis] = (float)(start[axis] + t);
    double f = value_at(s, x);
    if ((f > 0.0) == (f_low > 0.0)) {
      low = t, f_low = f;
      if (kept == 1) f_high *= 0.5;
      kept = 1;
    } else {
      high = t, f_high = f;
      if (kept == 2) f_low *= 0.5;
      kept = 2;
    }
  }
  t = low + (high - low) * (f_low / (f_low - f_high));
  t = t < NEAREST_END ? NEAREST_END : t > 1.0 - NEAREST_END ? 1.0 - NEAREST_END : t;
  const mote_sparse_field *grid = s->w->f->grid;
  vertex[axis] = grid->origin[axis] + (s->node[axis] + start[axis] + t) * grid->cell;
}

// --- Normals ----------------------------------------------------------------------------------------------

// Of up to four vertices.
static void set_normals(const spot *s, const float (*x)[3], size_t count, float *normal) {
  double g[MOTE_LANES][3];
  mote_kernel_values_at(s->w->f->field, s->list, s->w->f->grid->cell, s->node, x, count, NULL, g);
  for (size_t n = 0; n < count; ++n) {
    double length = sqrt(g[n][0] * g[n][0] + g[n][1] * g[n][1] + g[n][2] * g[n][2]);
    for (int a = 0; a < 3; ++a) normal[3 * n + a] = length > 0.0 ? (float)(-g[n][a] / length) : 0.0f;
  }
}

// --- Fields -----------------------------------------------------------------------------------------------

static bool is_number(mote_type type) {
  return type == MOTE_TYPE_F32 || type == MOTE_TYPE_F64;
}

static double read_number(const mote_field_view *field, size_t row, int component) {
  size_t at = row * (size_t)field->components + (size_t)component;
  return field->type == MOTE_TYPE_F64 ? ((const double *)field->data)[at]
                                      : (double)((const float *)field->data)[at];
}

static void write_number(mote_field_view *field, size_t row, int component, double value) {
  size_t at = row * (size_t)field->components + (size_t)component;
  if (field->type == MOTE_TYPE_F64) {
    ((double *)field->data)[at] = value;
  } else {
    ((float *)field->data)[at] = (float)value;
  }
}

// One kernel's share of the values at x, and how far it is, in supports.
static double share_of(const mote_kernel_field *field, const mote_local_kernel *k, const float x[3],
                       double *q2) {
  double d[3];
  for (int a = 0; a < 3; ++a) d[a] = (double)x[a] - (double)k->centre[a];
  const float *f = k->form;
  *q2 = (double)f[0] * d[0] * d[0] + (double)f[3] * d[1] * d[1] + (double)f[5] * d[2] * d[2] +
        (double)f[1] * d[0] * d[1] + (double)f[2] * d[0] * d[2] + (double)f[4] * d[1] * d[2];
  double weight = field->bump == MOTE_BUMP_MEAN ? 1.0 : (double)k->weight;
  return weight * mote_bump_value(field->bump, *q2);
}

#define COMPONENTS_AT_ONCE 16

// A mean over the kernels of up to COMPONENTS_AT_ONCE components; where none reaches, the nearest's.
static void mean_field(const spot *s, const float x[3], const mote_field_view *from, size_t vertex, int first,
                       mote_field_view *to) {
  const mote_kernel_field *field = s->w->f->field;
  double sum[COMPONENTS_AT_ONCE] = {0.0}, weight = 0.0, least = HUGE_VAL;
  int count = from->components - first < COMPONENTS_AT_ONCE ? from->components - first : COMPONENTS_AT_ONCE;
  size_t nearest = SIZE_MAX;
  for (size_t n = 0; n < s->list->count; ++n) {
    const mote_local_kernel *k = &s->list->kernel[n];
    size_t row = field->set->row[k->point];
    double q2, w = share_of(field, k, x, &q2);
    if (q2 < least) least = q2, nearest = row;
    if (!(w > 0.0)) continue;
    weight += w;
    for (int c = 0; c < count; ++c) sum[c] += w * read_number(from, row, first + c);
  }
  for (int c = 0; c < count; ++c) {
    double value = nearest == SIZE_MAX ? 0.0
                   : weight > 0.0      ? sum[c] / weight
                                       : read_number(from, nearest, first + c);
    write_number(to, vertex, first + c, value);
  }
}

static void nearest_field(const spot *s, const float x[3], const mote_field_view *from, size_t vertex,
                          mote_field_view *to) {
  const mote_kernel_field *field = s->w->f->field;
  double least = HUGE_VAL;
  size_t nearest = SIZE_MAX, size = mote_type_size(from->type) * (size_t)from->components;
  for (size_t n = 0; n < s->list->count; ++n) {
    double q2;
    share_of(field, &s->list->kernel[n], x, &q2);
    if (q2 < least) least = q2, nearest = field->set->row[s->list->kernel[n].point];
  }
  char *at = (char *)to->data + vertex * size;
  if (nearest == SIZE_MAX) {
    memset(at, 0, size);
  } else {
    memcpy(at, (const char *)from->data + nearest * size, size);
  }
}

static void carry_fields(const spot *s, const float x[3], size_t vertex) {
  const mote_surface_particles *particles = s->w->f->particles;
  for (int k = 0; k < particles->fields; ++k) {
    const mote_field_view *from = &particles->field[k];
    mote_field_view *to = &s->w->surface->field[k];
    if (!is_number(from->type)) {
      nearest_field(s, x, from, vertex, to);
      continue;
    }
    for (int c = 0; c < from->components; c += COMPONENTS_AT_ONCE) mean_field(s, x, from, vertex, c, to);
  }
}

// --- All of it --------------------------------------------------------------------------------------------

static void finish_block(const finish_work *w, size_t block, int worker) {
  const mote_surface_finish *f = w->f;
  size_t begin = w->first[block], end = w->first[block + 1];
  if (begin == end) return;
  spot s = {.w = w, .list = &f->list[worker]};
  for (int a = 0; a < 3; ++a) s.node[a] = SIDE * f->grid->at[3 * block + a];
  if (!mote_kernel_list_collect(&f->list[worker], f->field, f->grid->cell, s.node, SIDE)) {
    w->trouble[worker] = 1;
    return;
  }
  for (size_t v = begin; v < end; v += MOTE_LANES) {
    size_t count = end - v < MOTE_LANES ? end - v : MOTE_LANES;
    float x[MOTE_LANES][3];
    for (size_t n = 0; n < count; ++n) {
      double *vertex = w->surface->mesh.vertex + 3 * (v + n);
      if (f->root_steps > 0) find_root(&s, &f->place[v + n], vertex);
      local_place(&s, vertex, x[n]);
      carry_fields(&s, x[n], v + n);
    }
    if (f->normals) set_normals(&s, (const float(*)[3])x, count, w->surface->normal + 3 * v);
  }
}

static void finish_task(void *data, size_t begin, size_t end, int worker) {
  for (size_t block = begin; block < end; ++block) finish_block(data, block, worker);
}

// Memory for normals and fields; what there is after a failure is what mote_surface_free frees.
static bool reserve_fields(const mote_surface_finish *f, mote_surface *surface) {
  size_t vertices = surface->mesh.vertices;
  if (f->normals) surface->normal = mote_alloc(f->env, 3 * vertices, sizeof *surface->normal);
  if (f->normals && surface->normal == NULL) return false;
  for (int k = 0; k < f->particles->fields; ++k) {
    if (!mote_surface_add_field(surface, &f->particles->field[k], f->env)) return false;
  }
  return true;
}

static void count_vertices(const finish_work *w) {
  size_t block = 0;
  for (size_t v = 0; v < w->surface->mesh.vertices; ++v) {
    while (block <= w->f->place[v].block) w->first[block++] = v;
  }
  while (block <= w->f->grid->blocks) w->first[block++] = w->surface->mesh.vertices;
}

mote_result mote_surface_finish_run(const mote_surface_finish *finish, mote_surface *surface,
                                    mote_error *error) {
  MOTE_ASSERT(surface->mesh.vertex != NULL || surface->mesh.vertices == 0);
  if (!reserve_fields(finish, surface))
    return mote_fail_memory(error, surface->mesh.vertices * sizeof(float));
  if (finish->root_steps == 0 && !finish->normals && finish->particles->fields == 0) return MOTE_OK;
  uint8_t trouble[MOTE_THREADS_MAX] = {0};
  size_t blocks = finish->grid->blocks;
  finish_work w = {.f = finish, .surface = surface, .trouble = trouble};
  MOTE_ALLOC(w.first, finish->env, blocks + 1, error);
  count_vertices(&w);
  mote_parallel_for(finish->env->threads, blocks, 8, finish_task, &w);
  mote_free(finish->env, w.first, blocks + 1, sizeof *w.first);
  for (int k = 0; k < finish->env->threads; ++k) {
    if (trouble[k]) return mote_fail_memory(error, sizeof(mote_local_kernel));
  }
  return MOTE_OK;
}
