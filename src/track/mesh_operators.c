// Operators of a mesh: see mesh_operators.h.
#include "track/mesh_operators.h"

#include <mote/numeric.h>

#include "base/parallel.h"
#include "geom/triple.h"

#define VERTICES_PER_TASK 512
#define POWER_STEPS 40
#define SOLVE_STEPS 2000

typedef struct filling {
  const mote_half_edges *edges;
  const double *position;
  mote_mesh_operators *o;
} filling;

static const double *place(const filling *f, uint32_t h) {
  return f->position + 3 * (size_t)f->edges->origin[h];
}

// The cotangent of the angle at the origin of h, in its triangle.
static double cotangent_at(const filling *f, uint32_t h) {
  double u[3], v[3], n[3];
  sub3(place(f, mote_edge_next(h)), place(f, h), u), sub3(place(f, mote_edge_previous(h)), place(f, h), v);
  cross3(u, v, n);
  double size = length3(n);
  return size > 0.0 ? dot3(u, v) / size : 0.0;
}

// Area of the triangle of h that belongs to the origin of h: that of its Voronoi cell; in obtuse triangles
// half of the triangle at the obtuse corner and a quarter at the others.
static double corner_area(const filling *f, uint32_t h) {
  double u[3], v[3], n[3];
  sub3(place(f, mote_edge_next(h)), place(f, h), u), sub3(place(f, mote_edge_previous(h)), place(f, h), v);
  cross3(u, v, n);
  double area = 0.5 * length3(n), next = cotangent_at(f, mote_edge_next(h));
  double previous = cotangent_at(f, mote_edge_previous(h));
  if (dot3(u, v) < 0.0) return 0.5 * area;
  if (next < 0.0 || previous < 0.0) return 0.25 * area;
  return 0.125 * (dot3(u, u) * previous + dot3(v, v) * next);
}

static void fill_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const filling *f = data;
  const mote_half_edges *e = f->edges;
  for (size_t v = begin; v < end; ++v) {
    uint32_t h = e->first[v], k = f->o->first[v];
    double sum = 0.0, area = 0.0;
    for (; k < f->o->first[v + 1]; ++k) {
      double w =
          0.5 * (cotangent_at(f, mote_edge_previous(h)) + cotangent_at(f, mote_edge_previous(e->twin[h])));
      f->o->neighbour[k] = mote_edge_end(e, h), f->o->weight[k] = w;
      sum += w, area += corner_area(f, h);
      h = mote_edge_around(e, h);
    }
    f->o->diagonal[v] = sum, f->o->area[v] = area;
  }
}

mote_result mote_mesh_operators_make(const mote_half_edges *e, const double *position, int threads,
                                     mote_arena *arena, mote_mesh_operators *out, mote_error *error) {
  MOTE_ASSERT(e != NULL && arena != NULL && out != NULL);
  size_t n = e->vertices, half_edges = 3 * e->triangles;
  mote_mesh_operators o = {.vertices = n, .threads = threads};
  MOTE_TAKE_NEW(uint32_t, first, arena, n + 1, error);
  MOTE_TAKE(o.neighbour, arena, half_edges, error);
  MOTE_TAKE(o.weight, arena, half_edges, error);
  MOTE_TAKE(o.diagonal, arena, n, error);
  MOTE_TAKE(o.area, arena, n, error);
  for (size_t v = 0; v <= n; ++v) first[v] = 0;
  for (size_t h = 0; h < half_edges; ++h) {
    if (e->origin[h] != UINT32_MAX) ++first[e->origin[h] + 1];
  }
  for (size_t v = 0; v < n; ++v) first[v + 1] += first[v];
  o.first = first;
  filling f = {e, position, &o};
  mote_parallel_for(threads, n, VERTICES_PER_TASK, fill_task, &f);
  *out = o;
  return MOTE_OK;
}

// --- Applying ---------------------------------------------------------------------------------------------

typedef struct applying {
  const mote_mesh_operators *o;
  const double *x;
  double *y;
  int components;
  double s, t;  // of mote_mesh_operators_solve
  const double *z, *scale;
  const uint8_t *free;
} applying;

static inline double row_times(const mote_mesh_operators *o, size_t v, const double *x) {
  double sum = o->diagonal[v] * x[v];
  for (uint32_t k = o->first[v]; k < o->first[v + 1]; ++k) sum -= o->weight[k] * x[o->neighbour[k]];
  return sum;
}

static void apply_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const applying *a = data;
  const mote_mesh_operators *o = a->o;
  size_t n = (size_t)a->components;
  for (size_t v = begin; v < end; ++v) {
    for (size_t c = 0; c < n; ++c) {
      double sum = 0.0;
      for (uint32_t k = o->first[v]; k < o->first[v + 1]; ++k)
        sum += o->weight[k] * (a->x[n * v + c] - a->x[n * o->neighbour[k] + c]);
      a->y[n * v + c] = sum;
    }
  }
}

void mote_mesh_operators_apply(const mote_mesh_operators *o, const double *x, int components, double *y) {
  MOTE_ASSERT(x != y && components > 0);
  applying a = {.o = o, .x = x, .y = y, .components = components};
  mote_parallel_for(o->threads, o->vertices, VERTICES_PER_TASK, apply_task, &a);
}

void mote_mesh_operators_sharpness(const mote_mesh_operators *o, const double *bend, int edges, double *work,
                                   double *sharpness) {
  for (size_t v = 0; v < o->vertices; ++v) {
    double sum[3], area = o->area[v];
    copy3(bend + 3 * v, sum);
    for (uint32_t n = o->first[v]; n < o->first[v + 1]; ++n) {
      step3(sum, 1.0, bend + 3 * (size_t)o->neighbour[n], sum);
      area += o->area[o->neighbour[n]];
    }
    work[v] = area > 0.0 ? length3(sum) / area : 0.0;
  }
  for (int ring = 0; ring < edges; ++ring) {
    for (size_t v = 0; v < o->vertices; ++v) {
      sharpness[v] = work[v];
      for (uint32_t n = o->first[v]; n < o->first[v + 1]; ++n)
        sharpness[v] = max2(sharpness[v], work[o->neighbour[n]]);
    }
    for (size_t v = 0; v < o->vertices; ++v) work[v] = sharpness[v];
  }
}

static void laplace_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const applying *a = data;
  for (size_t v = begin; v < end; ++v)
    a->y[v] = a->o->area[v] > 0.0 ? row_times(a->o, v, a->x) / a->o->area[v] : 0.0;
}

void mote_mesh_operators_laplace(const mote_mesh_operators *o, const double *x, double *y) {
  MOTE_ASSERT(x != y);
  applying a = {.o = o, .x = x, .y = y};
  mote_parallel_for(o->threads, o->vertices, VERTICES_PER_TASK, laplace_task, &a);
}

typedef struct summing {
  const mote_mesh_operators *o;
  double end, c;
  const double *x, *first;  // first: of the degree above
  double *second;           // of the degree above that one; becomes that of this degree
} summing;

static void series_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const summing *s = data;
  for (size_t v = begin; v < end; ++v) {
    double product = s->o->area[v] > 0.0 ? row_times(s->o, v, s->first) / s->o->area[v] : 0.0;
    s->second[v] = s->c * s->x[v] + 2.0 * (2.0 / s->end * product - s->first[v]) - s->second[v];
  }
}

const double *mote_mesh_operators_series(const mote_mesh_operators *o, double end, const double *c, int count,
                                         const double *x, double *work2) {
  double *first = work2, *second = work2 + o->vertices;
  for (size_t v = 0; v < o->vertices; ++v) first[v] = second[v] = 0.0;
  for (int n = count - 1; n >= 0; --n) {
    if (n == 0) {  // T_1 = t instead of 2 t - ...: half of the recurrence
      for (size_t v = 0; v < o->vertices; ++v) second[v] *= 2.0;
    }
    summing s = {o, end, n == 0 ? 2.0 * c[0] : c[n], x, first, second};
    mote_parallel_for(o->threads, o->vertices, VERTICES_PER_TASK, series_task, &s);
    double *swap = first;
    first = second, second = swap;
  }
  for (size_t v = 0; v < o->vertices; ++v) first[v] *= 0.5;
  return first;
}

double mote_mesh_operators_largest(const mote_mesh_operators *o, double *work2) {
  double *x = work2, *y = work2 + o->vertices, largest = 0.0;
  for (size_t v = 0; v < o->vertices; ++v) x[v] = (double)(v * 2654435761u % 1024u) - 511.5;
  for (int step = 0; step < POWER_STEPS; ++step) {
    double top = 0.0, bottom = 0.0;
    mote_mesh_operators_laplace(o, x, y);
    for (size_t v = 0; v < o->vertices; ++v) {
      top += o->area[v] * y[v] * y[v];
      bottom += o->area[v] * x[v] * y[v];
    }
    if (!(bottom > 0.0)) return largest;
    largest = top / bottom;
    double scale = 1.0 / sqrt(top);
    for (size_t v = 0; v < o->vertices; ++v) x[v] = scale * y[v];
  }
  return largest;
}

// --- Solving ----------------------------------------------------------------------------------------------

typedef struct solving {
  const mote_mesh_operators *o;
  int power;
  double s, t;
  const double *scale;
  const uint8_t *free;
  double *laplace, *inverse;  // inverse: of the matrix' diagonal
} solving;

static bool is_unknown(const mote_mesh_operators *o, const uint8_t *free, size_t v) {
  return o->area[v] > 0.0 && (free == NULL || free[v]);
}

// s A x + t W z, z = x, or A^-1 S W x.
static void matrix_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const applying *a = data;
  const mote_mesh_operators *o = a->o;
  for (size_t v = begin; v < end; ++v)
    a->y[v] =
        is_unknown(o, a->free, v) ? a->s * o->area[v] * a->x[v] + a->t * row_times(o, v, a->z) : a->x[v];
}

static void scaled_laplace_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const applying *a = data;
  const mote_mesh_operators *o = a->o;
  for (size_t v = begin; v < end; ++v)
    a->y[v] = o->area[v] > 0.0 ? a->scale[v] * (row_times(o, v, a->x) / o->area[v]) : 0.0;
}

static void multiply(void *user, const double *x, double *y) {
  const solving *s = user;
  applying a = {.o = s->o, .x = x, .y = y, .z = x, .free = s->free, .s = s->s, .t = s->t};
  if (s->power == 2) {
    applying inner = {.o = s->o, .x = x, .y = s->laplace, .scale = s->scale};
    mote_parallel_for(s->o->threads, s->o->vertices, VERTICES_PER_TASK,
                      s->scale != NULL ? scaled_laplace_task : laplace_task, &inner);
    a.z = s->laplace;
  }
  mote_parallel_for(s->o->threads, s->o->vertices, VERTICES_PER_TASK, matrix_task, &a);
}

static void scale_by_diagonal(void *user, const double *x, double *y) {
  const solving *s = user;
  for (size_t v = 0; v < s->o->vertices; ++v) y[v] = s->inverse[v] * x[v];
}

static double scale_at(const solving *s, size_t v) {
  return s->scale != NULL ? s->scale[v] : 1.0;
}

static double diagonal_of(const solving *s, size_t v) {
  const mote_mesh_operators *o = s->o;
  if (!is_unknown(o, s->free, v)) return 1.0;
  double sum = o->diagonal[v];
  if (s->power == 2) {
    sum = scale_at(s, v) * o->diagonal[v] * o->diagonal[v] / o->area[v];
    for (uint32_t k = o->first[v]; k < o->first[v + 1]; ++k) {
      double area = o->area[o->neighbour[k]];
      if (area > 0.0) sum += scale_at(s, o->neighbour[k]) * o->weight[k] * o->weight[k] / area;
    }
  }
  double diagonal = s->s * o->area[v] + s->t * sum;
  return diagonal > 0.0 ? diagonal : s->s * o->area[v];
}

mote_result mote_mesh_operators_solve(const mote_mesh_operators *o, int power, double s, double t,
                                      const double *scale, const uint8_t *free, const double *b, double *x,
                                      double tolerance, mote_arena *arena, mote_error *error) {
  MOTE_ASSERT((power == 1 || power == 2) && s > 0.0 && t >= 0.0);
  size_t n = o->vertices;
  mote_arena_mark mark = mote_arena_here(arena);
  solving job = {.o = o, .power = power, .s = s, .t = t, .scale = scale, .free = free};
  MOTE_TAKE_NEW(double, work, arena, 4 * n, error);
  MOTE_TAKE_NEW(double, right, arena, n, error);
  MOTE_TAKE(job.laplace, arena, n, error);
  MOTE_TAKE(job.inverse, arena, n, error);
  for (size_t v = 0; v < n; ++v) {
    bool held = free != NULL && !free[v];
    right[v] = held ? 0.0 : o->area[v] * b[v];
    if (held) x[v] = 0.0;
    job.inverse[v] = 1.0 / diagonal_of(&job, v);
  }
  mote_cg_def def = mote_cg_def_default();
  def.size = n, def.apply = multiply, def.precondition = scale_by_diagonal, def.user = &job;
  def.tolerance = tolerance, def.max_iterations = SOLVE_STEPS, def.threads = o->threads;
  mote_cg_report report;
  mote_result result = mote_cg_solve(&def, right, x, work, &report, error);
  mote_arena_release(arena, mark);
  return result;
}
