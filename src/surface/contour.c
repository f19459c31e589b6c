// Contours of 2D particles: a particle stands for a column of particles along z, one spacing apart, so that
// every method of 3D makes a surface of it, which is cut at the particles' plane. Nodes of the grid lie in
// that plane: the cut is what marching squares would give. docs/theory/surfaces.md, "In two dimensions";
// DES96 4.2
#include <math.h>
#include <mote/surface.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "surface/tuning.inc"

mote_result mote_surface_def_flat(mote_surface_def *def, mote_error *error) {
  if (def == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "def must not be NULL");
  if (!(def->spacing > 0.0))
    return mote_fail_key(error, "spacing", "contours of 2D particles need their spacing");
  if (def->own_supports) return mote_fail_key(error, "own_supports", "contours are of particles of one size");
  def->domain.dimensions = 3;
  def->domain.periodic[2] = true;
  def->domain.low[2] = -0.5 * def->spacing;
  def->domain.high[2] = 0.5 * def->spacing;
  def->clip_low[2] = -HUGE_VAL;
  def->clip_high[2] = HUGE_VAL;
  return MOTE_OK;
}

// An edge of the mesh that crosses the plane.
typedef struct crossing {
  uint32_t low, high;  // vertices: below the plane, and not
} crossing;

// Intersection of a triangle with the plane: from one of its edges to another.
typedef struct segment {
  crossing from, to;
} segment;

static int compare_crossings(const crossing *a, const crossing *b) {
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

// By their begin. In a closed mesh each crossing begins one segment.
static int compare_begins(const void *a, const void *b) {
  return compare_crossings(&((const segment *)a)->from, &((const segment *)b)->from);
}

// By begin and end: a total order, also of the segments of a mesh whose edges have more than two triangles.
static int compare_segments(const void *a, const void *b) {
  int begins = compare_begins(a, b);
  return begins != 0 ? begins : compare_crossings(&((const segment *)a)->to, &((const segment *)b)->to);
}

static bool is_below(const mote_mesh *mesh, uint32_t vertex, double z) {
  return mesh->vertex[3 * (size_t)vertex + 2] < z;
}

// The inside lies to the left of a segment: triangles are counter-clockwise as seen from outside.
static size_t gather_segments(const mote_mesh *mesh, double z, segment *out) {
  size_t count = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *corner = mesh->triangle + 3 * t;
    segment s = {{0, 0}, {0, 0}};
    bool crossed = false;
    for (int k = 0; k < 3; ++k) {
      uint32_t a = corner[k], b = corner[(k + 1) % 3];
      if (is_below(mesh, a, z) == is_below(mesh, b, z)) continue;
      crossed = true;
      if (is_below(mesh, a, z))
        s.to = (crossing){a, b};
      else
        s.from = (crossing){b, a};
    }
    if (crossed) out[count++] = s;
  }
  return count;
}

typedef struct cutter {
  const mote_surface *surface;
  double z;
  mote_contour *out;
} cutter;

static double part_of(const cutter *c, const crossing *at) {
  const double *x = c->surface->mesh.vertex;
  double low = x[3 * (size_t)at->low + 2], high = x[3 * (size_t)at->high + 2];
  return (c->z - low) / (high - low);
}

// Points that coincide with the one before are left out: where a vertex lies in the plane, many edges meet.
static void add_point(const cutter *c, const crossing *at, size_t first) {
  mote_contour *out = c->out;
  double part = part_of(c, at), x[2];
  const double *low = c->surface->mesh.vertex + 3 * (size_t)at->low,
               *high = c->surface->mesh.vertex + 3 * (size_t)at->high;
  for (int a = 0; a < 2; ++a) x[a] = part < 1.0 ? low[a] + part * (high[a] - low[a]) : high[a];
  const double *last = out->point + 2 * out->points - 2;
  if (out->points > first && last[0] == x[0] && last[1] == x[1]) return;
  memcpy(out->point + 2 * out->points, x, sizeof x);
  ++out->points;
}

static void add_loops(const cutter *c, const segment *s, size_t count, bool *used) {
  mote_contour *out = c->out;
  for (size_t k = 0; k < count; ++k) {
    size_t first = out->points, at = k;
    while (!used[at]) {
      used[at] = true;
      add_point(c, &s[at].from, first);
      segment next = {.from = s[at].to};
      const segment *found = bsearch(&next, s, count, sizeof *s, compare_begins);
      if (found == NULL) break;  // an open mesh
      at = (size_t)(found - s);
    }
    const double *p = out->point + 2 * first, *last = out->point + 2 * out->points - 2;
    if (out->points - first > 1 && p[0] == last[0] && p[1] == last[1]) --out->points;
    if (out->points - first < 3)
      out->points = first;
    else
      out->first[++out->loops] = out->points;
  }
}

mote_result mote_surface_cut(const mote_surface *surface, double z, const mote_env *env, mote_contour *out,
                             mote_error *error) {
  if (surface == NULL || out == NULL || !isfinite(z))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "surface and out must not be NULL, and z must be finite");
  mote_env own = mote_env_resolve(env);
  size_t most = surface->mesh.triangles;
  segment *s = mote_alloc(&own, most, sizeof *s);
  bool *used = mote_alloc(&own, most, sizeof *used);
  mote_contour contour = {0};
  mote_result result = s != NULL && used != NULL ? MOTE_OK : mote_fail_memory(error, most * sizeof *s);
  size_t count = result == MOTE_OK ? gather_segments(&surface->mesh, z, s) : 0;
  contour.capacity = count;
  if (result == MOTE_OK) {
    contour.first = mote_alloc(&own, count + 1, sizeof *contour.first);
    contour.point = mote_alloc(&own, 2 * count, sizeof *contour.point);
    if (contour.first == NULL || contour.point == NULL)
      result = mote_fail_memory(error, 2 * count * sizeof *contour.point);
  }
  if (result == MOTE_OK) {
    cutter c = {surface, z, &contour};
    memset(used, 0, most * sizeof *used);
    contour.first[0] = 0;
    qsort(s, count, sizeof *s, compare_segments);
    add_loops(&c, s, count, used);
    *out = contour;
  } else {
    mote_contour_free(&contour, &own);
  }
  mote_free(&own, used, most, sizeof *used);
  mote_free(&own, s, most, sizeof *s);
  return result;
}

void mote_contour_free(mote_contour *contour, const mote_env *env) {
  mote_env own = mote_env_resolve(env);
  if (contour == NULL) return;
  mote_free(&own, contour->first, contour->capacity + 1, sizeof *contour->first);
  mote_free(&own, contour->point, 2 * contour->capacity, sizeof *contour->point);
  for (int k = 0; k < contour->fields; ++k) {
    mote_field_view *f = &contour->field[k];
    char *text;
    memcpy(&text, &f->name, sizeof text);
    size_t length = strlen(f->name) + strlen(f->unit) + 2;
    mote_free(&own, f->data, f->count * (size_t)f->components, mote_type_size(f->type));
    mote_free(&own, text, length, 1);
  }
  *contour = (mote_contour){0};
}

double mote_contour_area(const mote_contour *contour) {
  double area = 0.0;
  for (size_t k = 0; k < contour->loops; ++k) {
    size_t first = contour->first[k], end = contour->first[k + 1];
    const double *o = contour->point + 2 * first;
    for (size_t i = first; i < end; ++i) {
      const double *a = contour->point + 2 * i, *b = contour->point + 2 * (i + 1 < end ? i + 1 : first);
      area += 0.5 * ((a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]));
    }
  }
  return area;
}

double mote_contour_length(const mote_contour *contour) {
  double length = 0.0;
  for (size_t k = 0; k < contour->loops; ++k) {
    size_t first = contour->first[k], end = contour->first[k + 1];
    for (size_t i = first; i < end; ++i) {
      const double *a = contour->point + 2 * i, *b = contour->point + 2 * (i + 1 < end ? i + 1 : first);
      length += sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    }
  }
  return length;
}

// --- Values -----------------------------------------------------------------------------------------------

enum { NEAREST = 6 };  // particles that a point takes values from

static bool add_field(const mote_field_view *from, size_t count, const mote_env *env, mote_contour *contour) {
  size_t name = strlen(from->name) + 1, unit = from->unit != NULL ? strlen(from->unit) + 1 : 1;
  char *text = mote_alloc(env, name + unit, 1);
  void *data = mote_alloc(env, count * (size_t)from->components, mote_type_size(from->type));
  if (text == NULL || data == NULL) {
    mote_free(env, text, name + unit, 1);
    mote_free(env, data, count * (size_t)from->components, mote_type_size(from->type));
    return false;
  }
  memcpy(text, from->name, name);
  if (unit > 1) memcpy(text + name, from->unit, unit);
  text[name + unit - 1] = 0;
  contour->field[contour->fields++] =
      (mote_field_view){text, text + name, from->type, from->components, count, data};
  return true;
}

// Floating point as a weighted mean, others of the nearest.
static void take_values(const mote_field_view *from, const uint32_t *index, const double *weight, size_t near,
                        size_t row, mote_field_view *to) {
  size_t n = (size_t)from->components, size = n * mote_type_size(from->type);
  for (size_t c = 0; c < n; ++c) {
    double sum = 0.0, all = 0.0;
    for (size_t k = 0; k < near; ++k) {
      size_t at = index[k] * n + c;
      double value = from->type == MOTE_TYPE_F32   ? (double)((const float *)from->data)[at]
                     : from->type == MOTE_TYPE_F64 ? ((const double *)from->data)[at]
                                                   : 0.0;
      sum += weight[k] * value, all += weight[k];
    }
    if (from->type == MOTE_TYPE_F32) ((float *)to->data)[row * n + c] = (float)(sum / all);
    if (from->type == MOTE_TYPE_F64) ((double *)to->data)[row * n + c] = sum / all;
  }
  if (from->type != MOTE_TYPE_F32 && from->type != MOTE_TYPE_F64)
    memcpy((uint8_t *)to->data + row * size, (const uint8_t *)from->data + index[0] * size, size);
}

static void carry_values(const mote_kdtree *tree, const mote_surface_particles *particles, double spacing,
                         mote_contour *contour) {
  uint32_t index[NEAREST];
  double squared[NEAREST], weight[NEAREST], reach = VALUE_REACH * spacing;
  for (size_t i = 0; i < contour->points; ++i) {
    double x[3] = {contour->point[2 * i], contour->point[2 * i + 1], 0.0};
    size_t near = mote_kdtree_nearest(tree, x, NEAREST, index, squared);
    for (size_t k = 0; k < near; ++k) {
      double left = 1.0 - squared[k] / (reach * reach);
      weight[k] = left > 0.0 ? left : 0.0;
      if (k == 0 && weight[k] == 0.0) weight[k] = 1.0;  // none is within reach
    }
    for (int f = 0; f < particles->fields; ++f)
      take_values(&particles->field[f], index, weight, near, i, &contour->field[f]);
  }
}

mote_result mote_contour_carry(mote_contour *contour, const mote_surface_particles *particles, double spacing,
                               const mote_env *env, mote_error *error) {
  if (contour == NULL || particles == NULL || contour->fields > 0 ||
      particles->fields > MOTE_SURFACE_FIELDS || !(spacing > 0.0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "values need a contour without fields, particles and their spacing");
  if (particles->count == 0 || particles->fields == 0 || contour->points == 0) return MOTE_OK;
  mote_env own = mote_env_resolve(env);
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(2, particles->position, particles->count, &own, &tree, error));
  bool ok = true;
  for (int f = 0; f < particles->fields && ok; ++f)
    ok = add_field(&particles->field[f], contour->points, &own, contour);
  if (ok) carry_values(tree, particles, spacing, contour);
  mote_kdtree_destroy(tree);
  return ok ? MOTE_OK : mote_fail_memory(error, contour->points * sizeof(double));
}
