// Farthest-point sampling of nodes and samples: see deform_placing.h.
#include <math.h>
#include <string.h>

#include "deform/deform_placing.h"
#include "deform/deform_shapes.h"
#include "geom/tri_closest.h"
#include "geom/triple.h"

enum { OUTWARD_CELLS = 2 };                   // how far nodes of limbs are moved to the surface
enum { PART_NODES = MOTE_DEFORM_NODES_MIN };  // in a part, at least

// --- Farthest points --------------------------------------------------------------------------------------

// The largest distance, in units of `unit` at each point (null: m). Distances only fall, so that what a block
// had when it was last looked at bounds what it has.
static uint32_t farthest_point(mote_deform_placing *f, const double *unit) {
  uint32_t found = 0, count = f->space->grid.count;
  double most = -1.0;
  for (uint32_t block = 0, begin = 0; begin < count; ++block, begin += MOTE_DEFORM_BLOCK) {
    double *bound = f->block_most + block, there = -1.0;
    if (*bound < (1.0 - 1e-12) * most) continue;
    uint32_t end = count - begin < MOTE_DEFORM_BLOCK ? count : begin + MOTE_DEFORM_BLOCK;
    for (uint32_t i = begin; i < end; ++i) {
      double d = f->distance[i], u = unit != NULL ? unit[i] : 1.0;
      if (!(d > there * u)) continue;
      there = d / u;
      if (d > most * u) most = there, found = i;
    }
    *bound = there;
  }
  return found;
}

static void forget_bounds(mote_deform_placing *f) {
  for (uint32_t b = 0; b <= f->space->grid.count / MOTE_DEFORM_BLOCK; ++b) f->block_most[b] = HUGE_VAL;
}

// Where another node is needed: in a part that has too few, or where nodes are farther apart than a limb is
// thick. MOTE_DEFORM_NONE: nowhere.
static uint32_t needy_point(const mote_deform_placing *f) {
  uint32_t found = MOTE_DEFORM_NONE;
  double most = 1.0;
  for (uint32_t i = 0; i < f->space->grid.count; ++i) {
    double usual = f->space->spacing, d = f->distance[i];
    bool few = f->part.nodes[f->part.of[i]] < PART_NODES && d > 0.0;
    if (!few && !(f->wanted[i] < usual)) continue;
    double need = d / f->wanted[i] * (few ? 1e6 : 1.0);
    if (need > most) most = need, found = i;
  }
  return found;
}

static void lower_from(mote_deform_placing *f, uint32_t source, uint32_t sample) {
  mote_deform_march_run(&f->march, source, HUGE_VAL, f->distance);
  for (uint32_t k = 0; k < f->march.count; ++k) {
    uint32_t i = f->march.reached[k];
    f->distance[i] = f->march.value[i], f->space->nearest[i] = sample;
  }
}

// The first is the farthest from the middle of all.
static uint32_t first_point(mote_deform_placing *f) {
  const mote_deform_grid *g = &f->space->grid;
  double sum[3] = {0}, x[3];
  for (uint32_t i = 0; i < g->count; ++i) {
    mote_deform_grid_place(g, i, x);
    step3(sum, 1.0 / g->count, x, sum);
  }
  uint32_t middle = mote_deform_grid_anchor(g, sum, NULL), found = middle;
  double most = 0.0;
  mote_deform_march_run(&f->march, middle, HUGE_VAL, NULL);
  for (uint32_t k = 0; k < f->march.count; ++k) {
    uint32_t i = f->march.reached[k];
    if (f->march.value[i] > most) most = f->march.value[i], found = i;
  }
  return found;
}

// The point of the surface nearest to x; `out` stays where none is within `most`.
static void nearest_surface(const mote_mesh *mesh, const double x[3], double most, double out[3]) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *a[3];
    double q[3];
    bool far = false;
    for (int k = 0; k < 3; ++k) a[k] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
    for (int k = 0; k < 3 && !far; ++k)
      far = min2(a[0][k], min2(a[1][k], a[2][k])) > x[k] + most ||
            max2(a[0][k], max2(a[1][k], a[2][k])) < x[k] - most;
    if (far) continue;
    tri_closest(a[0], a[1], a[2], x, q);
    double d = distance3(x, q);
    if (d < most) most = d, copy3(q, out);
  }
}

// In limbs of a few cells the points of the grid lie too far within: nodes go to the surface, so that they
// surround the vertices.
static void move_outward(mote_deform_placing *f, uint32_t a) {
  mote_deform_space *s = f->space;
  double x[3];
  copy3(s->node[a], x);
  if (s->scale[a] < 1.0) nearest_surface(f->mesh, x, OUTWARD_CELLS * s->grid.cell, s->node[a]);
}

static void add_node(mote_deform_placing *f, const double *x, uint32_t point) {
  mote_deform_space *s = f->space;
  uint32_t a = s->nodes++;
  s->point[a] = point, s->scale[a] = f->wanted[point] / s->spacing;
  ++f->part.nodes[f->part.of[point]];
  mote_deform_grid_place(&s->grid, point, s->node[a]);
  if (x != NULL)
    copy3(x, s->node[a]);
  else
    move_outward(f, a);
}

void mote_deform_place_nodes(mote_deform_placing *f) {
  mote_deform_space *s = f->space;
  for (uint32_t i = 0; i < s->grid.count; ++i) f->distance[i] = HUGE_VAL;
  forget_bounds(f);
  while (s->nodes < f->def->nodes) {
    uint32_t point = s->nodes == 0 ? first_point(f) : farthest_point(f, NULL);
    lower_from(f, point, s->nodes);
    add_node(f, NULL, point);
  }
  while (s->nodes < f->limbs_most) {
    uint32_t point = needy_point(f);
    if (point == MOTE_DEFORM_NONE) break;
    lower_from(f, point, s->nodes);
    add_node(f, NULL, point);
  }
}

// Whether a node since `first` is nearer to the vertex than nodes are to be.
static bool has_new_node(const mote_deform_placing *f, const double x[3], uint32_t point, uint32_t first) {
  for (uint32_t a = first; a < f->space->nodes; ++a)
    if (distance3(x, f->space->node[a]) < 0.5 * f->wanted[point]) return true;
  return false;
}

// Distances from nodes alone, without those of samples.
static void restore_nodes(mote_deform_placing *f) {
  size_t points = f->space->grid.count;
  memcpy(f->distance, f->node_distance, points * sizeof *f->distance);
  memcpy(f->space->nearest, f->node_nearest, points * sizeof *f->node_nearest);
}

static void save_nodes(mote_deform_placing *f) {
  size_t points = f->space->grid.count;
  memcpy(f->node_distance, f->distance, points * sizeof *f->distance);
  memcpy(f->node_nearest, f->space->nearest, points * sizeof *f->node_nearest);
}

bool mote_deform_place_beyond(mote_deform_placing *f, const double *vertex, size_t vertices,
                              const float *amount, const uint32_t *anchor) {
  uint32_t first = f->space->nodes;
  while (f->space->nodes < f->nodes_most) {
    size_t found = SIZE_MAX;
    float most = (float)MOTE_DEFORM_BEYOND;
    for (size_t i = 0; i < vertices; ++i) {
      if (!(amount[i] > most) || has_new_node(f, vertex + 3 * i, anchor[i], first)) continue;
      most = amount[i], found = i;
    }
    if (found == SIZE_MAX) break;
    if (f->space->nodes == first) restore_nodes(f);
    lower_from(f, anchor[found], f->space->nodes);
    add_node(f, vertex + 3 * found, anchor[found]);
  }
  return f->space->nodes > first;
}

// Each grid point counts for the sample nearest to it. Nodes at the same grid point divide what that sample
// has: one without a share would not resist its inversion until that stops the solver.
static void share_volume(const mote_deform_placing *f) {
  const mote_deform_space *s = f->space;
  for (uint32_t i = 0; i < s->grid.count; ++i) f->crowd[i] = 0;
  for (uint32_t k = 0; k < s->samples; ++k) s->share[k] = 0.0, ++f->crowd[s->point[k]];
  for (uint32_t i = 0; i < s->grid.count; ++i) s->share[s->nearest[i]] += 1.0;
  for (uint32_t k = 0; k < s->samples; ++k) s->share[k] = s->share[s->nearest[s->point[k]]];
  for (uint32_t k = 0; k < s->samples; ++k)
    s->share[k] /= (double)f->crowd[s->point[k]] * (double)s->grid.count;
}

// The sequence goes on with samples that are no nodes.
void mote_deform_place_samples(mote_deform_placing *f) {
  mote_deform_space *s = f->space;
  size_t samples = (size_t)s->nodes * (size_t)f->def->samples;
  s->samples = samples < s->grid.count ? (uint32_t)samples : s->grid.count;
  const double *unit = s->nodes == f->def->nodes ? NULL : f->wanted;
  save_nodes(f);
  forget_bounds(f);
  for (uint32_t k = s->nodes; k < s->samples; ++k) {
    s->point[k] = farthest_point(f, unit);
    lower_from(f, s->point[k], k);
  }
  share_volume(f);
}
