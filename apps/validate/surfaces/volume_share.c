// Shares of the volume inside a mesh: see volume_share.h.
#include "validate/surfaces/volume_share.h"

#include <math.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/surfaces/mesh_measure.h"

#define NEIGHBOURHOOD_REACH 4.0  // of a neighbourhood, in d: the surfacer's own
#define CONNECTED_DISTANCE 1.5   // in d: the surfacer's own
#define LINE_STEP 0.25           // in d, between the lines along z on which volume is counted, and along them
#define PI 3.14159265358979323846

const double share_bounds[SHARE_CLASSES] = {0.3, 0.5, 0.7, 0.9};

// --- Filling ----------------------------------------------------------------------------------------------

// Weight (4.8) of YU11 and moments of the neighbours, in units of the reach.
typedef struct moments {
  double weight, mean[3], square[6];
} moments;

static void add_neighbour(moments *m, const double x[3]) {
  double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  if (!(r < 1.0)) return;
  double w = 1.0 - r * r * r;
  m->weight += w;
  for (int a = 0, at = 0; a < 3; ++a) {
    m->mean[a] += w * x[a];
    for (int b = a; b < 3; ++b, ++at) m->square[at] += w * x[a] * x[b];
  }
}

// The weight over that of an ellipsoid of full density with these second moments; each particle is a cube.
static double filling_of(const moments *m) {
  APP_ASSERT(m->weight > 0.0);
  double c[6], own = 1.0 / (12.0 * NEIGHBOURHOOD_REACH * NEIGHBOURHOOD_REACH);
  for (int a = 0, at = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b, ++at)
      c[at] = m->square[at] / m->weight - m->mean[a] * m->mean[b] / (m->weight * m->weight) +
              (a == b ? own : 0.0);
  }
  double det = c[0] * (c[3] * c[5] - c[4] * c[4]) - c[1] * (c[1] * c[5] - c[2] * c[4]) +
               c[2] * (c[1] * c[4] - c[2] * c[3]);
  double full = 2.0 / 3.0 * PI * NEIGHBOURHOOD_REACH * NEIGHBOURHOOD_REACH * NEIGHBOURHOOD_REACH;
  return m->weight / full * sqrt(0.15 * 0.15 * 0.15 / det);
}

bool volume_share_fillings(const double *position, size_t count, double d, const mote_env *env,
                           double *filling, mote_error *error) {
  APP_ASSERT(d > 0.0);
  mote_domain open = mote_domain_open(3);
  mote_grid_def def = mote_grid_def_default(NEIGHBOURHOOD_REACH * d);
  mote_grid *grid = NULL;
  mote_lists lists;
  size_t components;
  uint32_t *label = calloc(count + 1, sizeof *label);
  if (label == NULL) abort();
  bool ok =
      !mote_components(&open, position, count, CONNECTED_DISTANCE * d, env, label, &components, error) &&
      !mote_grid_create(&def, env, &grid, error) && !mote_grid_build(grid, position, count, error) &&
      !mote_grid_neighbours(grid, &lists, error);
  for (size_t i = 0; ok && i < count; ++i) {
    moments m = {.weight = 1.0};
    for (size_t k = lists.first[i]; k < lists.first[i] + lists.number[i]; ++k) {
      uint32_t j = lists.index[k];
      double x[3];
      for (int a = 0; a < 3; ++a)
        x[a] = (position[3 * j + a] - position[3 * i + a]) / (NEIGHBOURHOOD_REACH * d);
      if (label[j] == label[i]) add_neighbour(&m, x);
    }
    filling[i] = filling_of(&m);
  }
  mote_grid_destroy(grid);
  free(label);
  return ok;
}

// Places of the points within a step: lines pass through no edges of a grid's cells, along axes or diagonals.
static const double offset[3] = {0.3172, 0.1934, 0.4718};

// --- Points inside ----------------------------------------------------------------------------------------

typedef struct crossing {
  size_t column;
  double z;
  int enters;
} crossing;

// Lines along z at (i + offset[0]) step, (j + offset[1]) step from the low corner, `columns[0]` of them along
// x.
typedef struct rays {
  double low[3], step;
  size_t columns[2];
  crossing *at;
  size_t count, capacity;
} rays;

static void add_crossing(rays *r, size_t column, double z, bool enters) {
  if (r->count == r->capacity) {
    r->capacity = 2 * r->capacity + 1024;
    r->at = realloc(r->at, r->capacity * sizeof *r->at);
    if (r->at == NULL) abort();
  }
  r->at[r->count++] = (crossing){column, z, enters ? 1 : -1};
}

// All lines that meet the triangle.
static void cross_triangle(rays *r, const double *a, const double *b, const double *c) {
  double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1], area = ux * vy - uy * vx;
  if (area == 0.0) return;
  long first[2], last[2];
  for (int k = 0; k < 2; ++k) {
    double low = fmin(a[k], fmin(b[k], c[k])), high = fmax(a[k], fmax(b[k], c[k]));
    first[k] = (long)ceil((low - r->low[k]) / r->step - offset[k]);
    last[k] = (long)floor((high - r->low[k]) / r->step - offset[k]);
  }
  for (long j = first[1]; j <= last[1]; ++j) {
    for (long i = first[0]; i <= last[0]; ++i) {
      double x = r->low[0] + ((double)i + offset[0]) * r->step - a[0],
             y = r->low[1] + ((double)j + offset[1]) * r->step - a[1];
      double s = (x * vy - y * vx) / area, t = (ux * y - uy * x) / area;
      if (s < 0.0 || t < 0.0 || s + t > 1.0) continue;
      APP_ASSERT(i >= 0 && (size_t)i < r->columns[0] && j >= 0 && (size_t)j < r->columns[1]);
      add_crossing(r, (size_t)j * r->columns[0] + (size_t)i, a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]),
                   area < 0.0);
    }
  }
}

static int by_column(const void *a, const void *b) {
  const crossing *x = a, *y = b;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  return (x->z > y->z) - (x->z < y->z);
}

static rays cross_mesh(const mote_mesh *mesh, double step) {
  APP_ASSERT(step > 0.0);
  rays r = {.step = step};
  double high[3];
  for (int a = 0; a < 3; ++a) r.low[a] = HUGE_VAL, high[a] = -HUGE_VAL;
  for (size_t v = 0; v < mesh->vertices; ++v) {
    for (int a = 0; a < 3; ++a) {
      r.low[a] = fmin(r.low[a], mesh->vertex[3 * v + a]), high[a] = fmax(high[a], mesh->vertex[3 * v + a]);
    }
  }
  for (int a = 0; a < 3; ++a) r.low[a] = floor(r.low[a] / step) * step - step;
  for (int a = 0; a < 2; ++a) r.columns[a] = (size_t)((high[a] - r.low[a]) / step) + 2;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    cross_triangle(&r, mesh->vertex + 3 * v[0], mesh->vertex + 3 * v[1], mesh->vertex + 3 * v[2]);
  }
  qsort(r.at, r.count, sizeof *r.at, by_column);
  return r;
}

// Points inside, `step` apart; free them.
static double *points_inside(const rays *r, size_t *count) {
  size_t capacity = 1024, n = 0;
  double *point = malloc(3 * capacity * sizeof *point);
  int depth = 0;
  for (size_t k = 0; k + 1 < r->count; ++k) {
    depth = k > 0 && r->at[k - 1].column == r->at[k].column ? depth + r->at[k].enters : r->at[k].enters;
    if (depth <= 0 || r->at[k + 1].column != r->at[k].column) continue;
    double from = (r->at[k].z - r->low[2]) / r->step - offset[2],
           to = (r->at[k + 1].z - r->low[2]) / r->step - offset[2];
    for (double z = ceil(from); z < to; z += 1.0) {
      if (n == capacity) point = realloc(point, 3 * (capacity *= 2) * sizeof *point);
      if (point == NULL) abort();
      point[3 * n] = r->low[0] + ((double)(r->at[k].column % r->columns[0]) + offset[0]) * r->step;
      point[3 * n + 1] = r->low[1] + ((double)(r->at[k].column / r->columns[0]) + offset[1]) * r->step;
      point[3 * n++ + 2] = r->low[2] + (z + offset[2]) * r->step;
    }
  }
  *count = n;
  return point;
}

// --- Shares -----------------------------------------------------------------------------------------------

static int class_of(double filling) {
  int k = SHARE_CLASSES - 1;
  while (k > 0 && filling < share_bounds[k]) --k;
  return filling < share_bounds[0] ? -1 : k;
}

// Points inside that lie nearest to each particle.
static bool count_points(const mote_mesh *mesh, const double *position, size_t count, double step,
                         const mote_env *env, uint32_t *own, mote_error *error) {
  rays r = cross_mesh(mesh, step);
  size_t points;
  double *point = points_inside(&r, &points);
  uint32_t *nearest = malloc((points + 1) * sizeof *nearest);
  mote_kdtree *tree = NULL;
  if (point == NULL || nearest == NULL) abort();
  bool ok = !mote_kdtree_create(3, position, count, env, &tree, error) &&
            !mote_kdtree_nearest_at(tree, point, points, 1, nearest, NULL, error);
  for (size_t k = 0; ok && k < points; ++k) ++own[nearest[k]];
  mote_kdtree_destroy(tree);
  free(r.at), free(point), free(nearest);
  return ok;
}

static bool examine(const mote_mesh *mesh, double d, size_t count, const mote_env *env, volume_share *out,
                    mote_error *error) {
  mote_mesh_report report;
  if (mote_mesh_examine(mesh, env, &report, error)) return false;
  out->all = report.volume / ((double)count * d * d * d);
  out->area = report.area / ((double)count * d * d);
  out->handles = (long)report.genus, out->parts = report.parts, out->crossings = report.crossings;
  out->thin = mesh_angles_measure(mesh).below_2;
  return true;
}

bool volume_share_take(const mote_mesh *mesh, const double *position, size_t count, double d,
                       const mote_env *env, volume_share *out, mote_error *error) {
  APP_ASSERT(count > 0 && d > 0.0);
  *out = (volume_share){.all = 0.0};
  double *filling = calloc(count + 1, sizeof *filling), points[SHARE_CLASSES] = {0.0};
  uint32_t *own = calloc(count + 1, sizeof *own);
  if (filling == NULL || own == NULL) abort();
  bool ok = examine(mesh, d, count, env, out, error) &&
            volume_share_fillings(position, count, d, env, filling, error) &&
            count_points(mesh, position, count, LINE_STEP * d, env, own, error);
  for (size_t i = 0; ok && i < count; ++i) {
    int k = class_of(filling[i]);
    out->none += own[i] == 0 ? 1.0 / (double)count : 0.0;
    if (k < 0) continue;
    ++out->particles[k], points[k] += (double)own[i];
  }
  for (int k = 0; k < SHARE_CLASSES; ++k)
    out->share[k] = points[k] * (LINE_STEP * LINE_STEP * LINE_STEP) / (double)out->particles[k];
  free(filling), free(own);
  return ok;
}
