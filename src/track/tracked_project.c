// Projects vertices onto the surface of the particles (YU11 5.1, task 3) and removes the particles' noise: a
// fraction b of the distance, then implicit surface diffusion of the displacement along the normals,
//
//   (A + tau W A^-1 S W) u = A b s - tau W S k,   tau = b (lambda / 2 pi)^4,
//
// s the distance to the surface, k = 2 H of the mesh, S from 1 on smooth parts to 0 at sharp edges.
// docs/theory/tracking.md
#include <math.h>
#include <stdlib.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "geom/triple.h"
#include "surface/kernel_field.h"
#include "surface/surfacer.h"
#include "track/mesh_operators.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define BOX_CELLS 3  // vertices in a box of so many cells share their kernels
#define ROOT_STEPS 12
// S is that of the sharpest vertex within so many edges. Where it falls from one to the next faster than k
// rises, W S k flows to what is sharper: with 1 edge small drops are drawn out, and two rounds of blending
// lead to 21 that are reshaped in dumbbell_pinch, with 3 to 6.
#define SHARP_EDGES 3
#define BLEND_ROUNDS 2

mote_track_projection mote_track_projection_default(void) {
  return (mote_track_projection){.share = 0.65, .wavelength = 6.0};
}

typedef struct boxed {
  int32_t box[3];
  uint32_t v;
} boxed;

typedef struct projecting {
  mote_tracked *t;
  mote_surfacer_view view;
  boxed *sorted;    // vertices by box
  uint32_t *group;  // first vertex of each box; one more
  size_t count, groups;
  mote_kernel_list *list;  // one per worker
  double *normal;          // 3 per row
  uint8_t *free;           // of each row: whether it moves; null: all do
  double *shift;           // of each row along its normal, m; NaN: none was found
  uint8_t *evaluations;
  uint8_t *trouble;  // per worker: memory is out
} projecting;

static int by_box(const void *x, const void *y) {
  const boxed *p = x, *q = y;
  for (int k = 2; k >= 0; --k) {
    if (p->box[k] != q->box[k]) return p->box[k] < q->box[k] ? -1 : 1;
  }
  return (p->v > q->v) - (p->v < q->v);
}

static bool same_box(const boxed *p, const boxed *q) {
  return p->box[0] == q->box[0] && p->box[1] == q->box[1] && p->box[2] == q->box[2];
}

// --- Roots ------------------------------------------------------------------------------------------------

// The search for the root on the line through a vertex along its normal.
typedef struct line {
  uint32_t v;
  double at[3], normal[3];  // in cells, from the node
  double s, inside, outside;
  int evaluations;
  bool done;
} line;

// Newton's method, safeguarded by a bracket once one is known; the field decreases outward. The root is s,
// NaN: none within reach.
static void step_line(line *l, double value, double slope, double reach) {
  ++l->evaluations;
  l->done = fabs(value) <= ROOT_ERROR;
  if (l->done) return;
  if (value > 0.0)
    l->inside = max2(l->inside, l->s);
  else
    l->outside = min2(l->outside, l->s);
  double next = slope < 0.0 ? l->s - value / slope : l->s + (value > 0.0 ? 0.5 : -0.5) * reach;
  bool bracketed = l->inside > -HUGE_VAL && l->outside < HUGE_VAL;
  if (bracketed && !(next > l->inside && next < l->outside)) next = 0.5 * (l->inside + l->outside);
  if (!bracketed) next = min2(max2(next, -reach), reach);
  // No root: several surfaces nearby, none within reach, or no convergence.
  bool none = l->inside > l->outside || (!bracketed && (next == l->s || l->evaluations == ROOT_STEPS));
  l->done = none || l->evaluations == ROOT_STEPS;
  l->s = none ? (double)NAN : next;
}

// One iteration of all lines that have not converged.
static bool step_lines(const projecting *p, const mote_kernel_list *list, const int32_t node[3], line *lines,
                       size_t count) {
  line *active[MOTE_LANES];
  float x[MOTE_LANES][3];
  double value[MOTE_LANES], gradient[MOTE_LANES][3];
  size_t n = 0;
  for (size_t i = 0; i < count; ++i) {
    line *l = &lines[i];
    if (l->done) continue;
    for (int k = 0; k < 3; ++k) x[n][k] = (float)(l->at[k] + l->s / p->view.cell * l->normal[k]);
    active[n++] = l;
  }
  if (n == 0) return false;
  mote_kernel_values_at(p->view.field, list, p->view.cell, node, (const float(*)[3])x, n, value, gradient);
  for (size_t i = 0; i < n; ++i)
    step_line(active[i], value[i], dot3(gradient[i], active[i]->normal), PROJECT_REACH * p->view.spacing);
  return true;
}

static void find_roots(const projecting *p, const mote_kernel_list *list, const int32_t node[3],
                       const boxed *vertex, size_t count) {
  line lines[MOTE_LANES];
  MOTE_ASSERT(count <= MOTE_LANES);
  for (size_t i = 0; i < count; ++i) {
    line *l = &lines[i];
    *l = (line){.v = vertex[i].v, .inside = -HUGE_VAL, .outside = HUGE_VAL};
    const double *x = mote_tracked_at(p->t, l->v);
    for (int k = 0; k < 3; ++k) l->at[k] = (x[k] - p->view.origin[k]) / p->view.cell - node[k];
    copy3(p->normal + 3 * (size_t)l->v, l->normal);
  }
  while (step_lines(p, list, node, lines, count)) {
  }
  for (size_t i = 0; i < count; ++i) {
    p->shift[lines[i].v] = lines[i].s;
    p->evaluations[lines[i].v] = (uint8_t)lines[i].evaluations;
  }
}

static void project_task(void *data, size_t begin, size_t end, int worker) {
  const projecting *p = data;
  mote_kernel_list *list = &p->list[worker];
  int margin = (int)ceil(PROJECT_REACH * p->view.spacing / p->view.cell);
  for (size_t g = begin; g < end; ++g) {
    int32_t node[3];
    for (int k = 0; k < 3; ++k) node[k] = BOX_CELLS * p->sorted[p->group[g]].box[k] - margin;
    if (!mote_kernel_list_collect(list, p->view.field, p->view.cell, node, BOX_CELLS + 2 * margin)) {
      p->trouble[worker] = 1;
      return;
    }
    for (uint32_t i = p->group[g]; i < p->group[g + 1]; i += MOTE_LANES) {
      size_t left = p->group[g + 1] - i;
      find_roots(p, list, node, p->sorted + i, left < MOTE_LANES ? left : MOTE_LANES);
    }
  }
}

// --- Stages -----------------------------------------------------------------------------------------------

static mote_result take_memory(projecting *p, mote_arena *arena, mote_error *error) {
  size_t n = p->t->edges.vertices, threads = (size_t)p->t->env.threads;
  MOTE_TAKE(p->sorted, arena, n, error);
  MOTE_TAKE(p->group, arena, n + 1, error);
  MOTE_TAKE(p->normal, arena, 3 * n, error);
  MOTE_TAKE(p->shift, arena, n, error);
  MOTE_TAKE(p->evaluations, arena, n, error);
  MOTE_TAKE(p->list, arena, threads, error);
  MOTE_TAKE(p->trouble, arena, threads, error);
  for (size_t w = 0; w < threads; ++w) p->list[w] = (mote_kernel_list){.env = p->t->env}, p->trouble[w] = 0;
  return MOTE_OK;
}

// Only vertices with ids of at least `since`.
static mote_result find_free(projecting *p, uint64_t since, mote_arena *arena, mote_error *error) {
  size_t n = p->t->edges.vertices;
  if (since == 0) return MOTE_OK;
  MOTE_TAKE(p->free, arena, n, error);
  for (size_t v = 0; v < n; ++v) p->free[v] = p->t->id[v] >= since;
  return MOTE_OK;
}

static void sort_vertices(projecting *p) {
  const mote_tracked *t = p->t;
  double per_box = 1.0 / (BOX_CELLS * p->view.cell);
  for (uint32_t v = 0; v < t->edges.vertices; ++v) {
    p->shift[v] = 0.0, p->evaluations[v] = 0;
    set3(0.0, 0.0, 0.0, p->normal + 3 * (size_t)v);
    if (t->edges.first[v] == MOTE_NO_EDGE) continue;
    mote_tracked_normal(t, v, p->normal + 3 * (size_t)v);
    if (p->free != NULL && !p->free[v]) continue;
    boxed *b = &p->sorted[p->count++];
    b->v = v;
    for (int k = 0; k < 3; ++k)
      b->box[k] = (int32_t)floor((mote_tracked_at(t, v)[k] - p->view.origin[k]) * per_box);
  }
  qsort(p->sorted, p->count, sizeof *p->sorted, by_box);
  for (uint32_t i = 0; i < p->count; ++i) {
    if (i == 0 || !same_box(&p->sorted[i - 1], &p->sorted[i])) p->group[p->groups++] = i;
  }
  p->group[p->groups] = (uint32_t)p->count;
}

static void write_report(const projecting *p, mote_track_projected *r) {
  *r = (mote_track_projected){0};
  size_t found = 0;
  for (size_t i = 0; i < p->count; ++i) {
    double s = p->shift[p->sorted[i].v];
    r->evaluations += (double)p->evaluations[p->sorted[i].v] / (double)p->count;
    if (!isfinite(s))
      ++r->failed;
    else
      ++found, r->rms += s * s, r->largest = max2(r->largest, fabs(s));
  }
  r->rms = found > 0 ? sqrt(r->rms / (double)found) : 0.0;
}

// Turns the distances to the surface into the displacements of the vertices.
static mote_result fair(projecting *p, const mote_track_projection *how, mote_arena *arena,
                        mote_error *error) {
  const mote_tracked *t = p->t;
  size_t n = t->edges.vertices;
  double length = how->wavelength * p->view.spacing / (2.0 * MOTE_PI), square = length * length;
  mote_mesh_operators o;
  MOTE_TRY(mote_mesh_operators_make(&t->edges, t->position, t->env.threads, arena, &o, error));
  MOTE_TAKE_NEW(double, bend, arena, 3 * n, error);
  MOTE_TAKE_NEW(double, k, arena, n, error);
  MOTE_TAKE_NEW(double, b, arena, n, error);
  MOTE_TAKE_NEW(double, scale, arena, n, error);
  mote_mesh_operators_apply(&o, t->position, 3, bend);
  for (size_t v = 0; v < n; ++v)
    k[v] = o.area[v] > 0.0 ? dot3(bend + 3 * v, p->normal + 3 * v) / o.area[v] : 0.0;
  mote_mesh_operators_sharpness(&o, bend, SHARP_EDGES, b, scale);
  double thick = THIN_WAVELENGTHS * how->wavelength * p->view.spacing;
  MOTE_TRY(mote_tracked_thickness(p->t, p->normal, thick, arena, b, error));
  for (size_t v = 0; v < n; ++v) {  // sharp edges and small drops are not faired, thin parts less
    double q = scale[v] * p->view.spacing / SHARP_CURVATURE, q2 = q * q, q4 = q2 * q2, thin = b[v] / thick;
    scale[v] = thin * thin * thin * thin / (1.0 + q4);
    k[v] *= scale[v];
  }
  mote_mesh_operators_laplace(&o, k, b);
  double tau = how->share * square * square;
  for (size_t v = 0; v < n; ++v) b[v] = p->shift[v] - tau * b[v];
  return mote_mesh_operators_solve(&o, 2, 1.0, tau, scale, p->free, b, p->shift, FAIR_TOLERANCE, arena,
                                   error);
}

static mote_result project(projecting *p, const mote_track_projection *how, mote_track_projected *report,
                           mote_error *error) {
  mote_tracked *t = p->t;
  mote_arena *arena = &t->scratch;
  MOTE_TRY(take_memory(p, arena, error));
  sort_vertices(p);
  mote_parallel_for(t->env.threads, p->groups, 1, project_task, p);
  bool trouble = false;
  for (int w = 0; w < t->env.threads; ++w) {
    trouble |= p->trouble[w];
    mote_kernel_list_free(&p->list[w]);
  }
  if (trouble) return mote_fail_memory(error, sizeof(mote_local_kernel));
  if (report != NULL) write_report(p, report);
  for (size_t v = 0; v < t->edges.vertices; ++v)
    p->shift[v] = isfinite(p->shift[v]) ? how->share * p->shift[v] : 0.0;
  if (how->wavelength > 0.0) MOTE_TRY(fair(p, how, arena, error));
  double *height = t->def.free_waves ? NULL : mote_tracked_field_values(t, "wave_height"),
         most = how->most > 0.0 ? how->most * p->view.spacing : HUGE_VAL;
  for (size_t v = 0; v < t->edges.vertices; ++v) {
    p->shift[v] = min2(max2(p->shift[v], -most), most);
    step3(t->position + 3 * v, p->shift[v], p->normal + 3 * v, t->position + 3 * v);
    if (height != NULL) height[v] -= p->shift[v];  // the surface with its waves stays where it was
  }
  return MOTE_OK;
}

// Moves vertices with ids of at least `since`; 0: all.
static mote_result project_since(mote_tracked *t, mote_surfacer *surfacer,
                                 const mote_surface_particles *particles, const mote_track_projection *how,
                                 uint64_t since, mote_track_projected *report, mote_error *error) {
  if (t == NULL || surfacer == NULL || particles == NULL || how == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mesh, surfacer, particles and projection must not be NULL");
  if (!(how->share >= 0.0 && how->share <= 1.0)) return mote_fail_key(error, "share", "0 to 1");
  if (!(how->wavelength >= 0.0 && how->wavelength <= 100.0))
    return mote_fail_key(error, "wavelength", "0 to 100");
  if (!(how->most >= 0.0)) return mote_fail_key(error, "most", "0 or more");
  projecting p = {.t = t};
  MOTE_TRY(mote_surfacer_prepare(surfacer, particles, &p.view, error));
  if (report != NULL) *report = (mote_track_projected){.failed = mote_tracked_vertices(t)};
  if (p.view.field == NULL || mote_tracked_vertices(t) == 0) return MOTE_OK;
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TRY(find_free(&p, since, &t->scratch, error));
  return project(&p, how, report, error);
}

mote_result mote_tracked_project(mote_tracked *t, mote_surfacer *surfacer,
                                 const mote_surface_particles *particles, const mote_track_projection *how,
                                 mote_track_projected *report, mote_error *error) {
  return project_since(t, surfacer, particles, how, 0, report, error);
}

mote_result mote_tracked_blend(mote_tracked *t, mote_surfacer *surfacer,
                               const mote_surface_particles *particles, const mote_track_projection *how,
                               uint64_t since, mote_error *error) {
  MOTE_TRY(mote_tracked_improve(t, NULL, error));
  for (int round = 0; round < BLEND_ROUNDS && mote_tracked_ids(t) > since; ++round) {
    MOTE_TRY(project_since(t, surfacer, particles, how, since, NULL, error));
    MOTE_TRY(mote_tracked_improve(t, NULL, error));
  }
  return MOTE_OK;
}
