// Samples of a body's surface for contact: see contact_samples.h.
#include "geom/contact_samples.h"

#include <mote/numeric.h>

#include "geom/mesh_edges.h"
#include "geom/point_cells.h"
#include "geom/shape_shell.h"
#include "geom/tuning.inc"

#define SINK_ROUNDS 24          // of moving a point below the surface
#define DISTANCE_ROUNDING 1e-9  // rounding: of the spacing
#define MOST_CUTS 64            // samples along an edge of a box, or around an ellipse

typedef struct sampler {
  const mote_shape *shape;
  const mote_env *env;
  double spacing, round;
  size_t most;
  mote_contact_samples *samples;
  mote_error *error;
} sampler;

// --- Adding -------------------------------------------------------------------------------------------

// Whether the ball lies in the whole shape, of which the leaf that it belongs to is a part.
static bool holds(const sampler *s, const double centre[3], double round) {
  return mote_node_distance(s->shape, 0, centre, NULL) <= -round + DISTANCE_ROUNDING * s->spacing;
}

static bool holds_ring(const sampler *s, const mote_contact_sample *sample) {
  if (s->shape->nodes == 1) return true;
  if (sample->ring == 0.0) return holds(s, sample->centre, sample->round);
  double side[3], other[3], x[3], basis[3] = {0};
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(sample->axis[k]) < fabs(sample->axis[least]) ? k : least;
  basis[least] = 1.0;
  cross3(sample->axis, basis, side);
  double length = length3(side);
  for (int k = 0; k < 3; ++k) side[k] /= length;
  cross3(sample->axis, side, other);
  for (int k = 0; k < 8; ++k) {
    double angle = 0.25 * MOTE_PI * k;
    step3(sample->centre, sample->ring * mote_cos(angle), side, x);
    step3(x, sample->ring * mote_sin(angle), other, x);
    if (!holds(s, x, sample->round)) return false;
  }
  return true;
}

static mote_result add(sampler *s, const mote_contact_sample *sample) {
  mote_contact_samples *samples = s->samples;
  if (!holds_ring(s, sample)) return MOTE_OK;
  if (samples->count >= s->most) {
    return mote_fail_key(s->error, "shape", "needs more than %zu samples to be met by others", s->most);
  }
  MOTE_TRY(mote_reserve(s->env, &samples->sample, &samples->capacity, samples->count + 1,
                        sizeof *samples->sample, s->error));
  samples->sample[samples->count++] = *sample;
  return MOTE_OK;
}

static mote_result add_ball(sampler *s, const double centre[3], double round) {
  mote_contact_sample sample = {.axis = {0.0, 0.0, 1.0}, .round = round};
  copy3(centre, sample.centre);
  return add(s, &sample);
}

// At y in the basis of a leaf.
static mote_result add_local(sampler *s, const mote_shape_node *node, const double y[3], double ring,
                             double round) {
  mote_contact_sample sample = {.ring = ring, .round = round};
  turn3(node->basis, y, sample.centre);
  step3(node->origin, 1.0, sample.centre, sample.centre);
  for (int k = 0; k < 3; ++k) sample.axis[k] = node->basis[3 * k + 2];
  return add(s, &sample);
}

// From the surface down to where a ball of the radius fits, or the largest on the way does.
static mote_result add_below(sampler *s, const double surface[3]) {
  double x[3], n[3], next[3], f, step = s->round;
  copy3(surface, x);
  f = mote_shape_closest(s->shape, x, n);
  for (int k = 0; k < SINK_ROUNDS && f > -s->round * (1.0 - DISTANCE_ROUNDING); ++k) {
    step3(x, -min2(step, f + s->round), n, next);
    double deeper = mote_shape_distance(s->shape, next);
    if (deeper < f) {
      copy3(next, x);
      f = mote_shape_closest(s->shape, x, n);
    } else {
      step *= 0.5;
    }
  }
  double round = min2(s->round, -f);
  return round > 0.0 ? add_ball(s, x, round) : MOTE_OK;
}

// --- Leaves -------------------------------------------------------------------------------------------

// How many pieces of about the spacing a length is cut into.
static int cuts(const sampler *s, double length) {
  return (int)min2(MOST_CUTS, max2(1.0, ceil(length / s->spacing)));
}

// A point of the lattice over a box, if it is a corner, or else if it is on an edge.
static mote_result box_sample(sampler *s, const mote_shape_node *node, const int count[3], const int index[3],
                              double round, bool corner) {
  int dimensions = s->shape->dimensions, ends = 0;
  double at[3] = {0}, out[3] = {0};
  for (int k = 0; k < dimensions; ++k) {
    out[k] = index[k] == 0 ? -round : index[k] == count[k] ? round : 0.0;
    ends += out[k] != 0.0;
    at[k] = (node->size[k] - round) * (2.0 * index[k] / count[k] - 1.0);
  }
  if (ends < 2 || (ends == dimensions) != corner) return MOTE_OK;
  size_t before = s->samples->count;
  MOTE_TRY(add_local(s, node, at, 0.0, round));
  if (s->samples->count > before) turn3(node->basis, out, s->samples->sample[before].corner);
  return MOTE_OK;
}

// Corners, then edges: of contacts that are equally good the first are kept.
static mote_result box_samples(sampler *s, const mote_shape_node *node) {
  int dimensions = s->shape->dimensions, count[3] = {0, 0, 0}, index[3];
  double round = s->round;
  for (int k = 0; k < dimensions; ++k) round = min2(round, 0.5 * node->size[k]);
  for (int k = 0; k < dimensions; ++k) count[k] = cuts(s, 2.0 * (node->size[k] - round));
  for (int corner = 1; corner >= 0; --corner) {
    for (index[2] = 0; index[2] <= count[2]; ++index[2]) {
      for (index[1] = 0; index[1] <= count[1]; ++index[1]) {
        for (index[0] = 0; index[0] <= count[0]; ++index[0])
          MOTE_TRY(box_sample(s, node, count, index, round, corner != 0));
      }
    }
  }
  return MOTE_OK;
}

// Balls or rings from end to end of a rod.
static mote_result rod_samples(sampler *s, const mote_shape_node *node, double half, double ring,
                               double round) {
  int count = cuts(s, 2.0 * half * min2(1.0, s->spacing / (ring + round)));
  for (int k = 0; k <= count; ++k) {
    double y[3] = {0.0, 0.0, half * (2.0 * k / count - 1.0)};
    MOTE_TRY(add_local(s, node, y, ring, round));
  }
  return MOTE_OK;
}

// Evenly around, on a spiral over the ball that becomes the ellipsoid (2D: around the circle).
static mote_result ellipsoid_samples(sampler *s, const mote_shape_node *node) {
  const double *e = node->size;
  int dimensions = s->shape->dimensions;
  double small = dimensions == 2 ? min2(e[0], e[1]) : min2(e[0], min2(e[1], e[2]));
  double large = dimensions == 2 ? max2(e[0], e[1]) : max2(e[0], max2(e[1], e[2]));
  double around = 2.0 * MOTE_PI * large / s->spacing, golden = MOTE_PI * (3.0 - sqrt(5.0));
  around = min2(MOST_CUTS, max2(12.0, around));
  int count = (int)ceil(dimensions == 2 ? around : around * around / MOTE_PI);
  double round = min2(s->round, 0.5 * small * small / large);
  for (int k = 0; k < count; ++k) {
    double z = dimensions == 2 ? 0.0 : 1.0 - (2.0 * k + 1.0) / count, rho = sqrt(1.0 - z * z);
    double angle = dimensions == 2 ? 2.0 * MOTE_PI * k / count : golden * k;
    double u[3] = {rho * mote_cos(angle), rho * mote_sin(angle), z}, y[3], n[3] = {0};
    for (int a = 0; a < dimensions; ++a) n[a] = u[a] / e[a];
    double length = length3(n);
    for (int a = 0; a < 3; ++a) y[a] = a < dimensions ? e[a] * u[a] - round * n[a] / length : 0.0;
    MOTE_TRY(add_local(s, node, y, 0.0, round));
  }
  return MOTE_OK;
}

// --- Meshes -------------------------------------------------------------------------------------------

static void face_normal(const mote_mesh *mesh, size_t t, double n[3]) {
  const uint32_t *v = mesh->triangle + 3 * t;
  double a[3], b[3];
  sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], a);
  sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], b);
  cross3(a, b, n);
  double length = length3(n);
  for (int k = 0; k < 3; ++k) n[k] = length > 0.0 ? n[k] / length : 0.0;
}

static mote_result vertex_samples(sampler *s, const mote_mesh *mesh, double apart) {
  mote_point_cells cells;
  MOTE_TRY(mote_point_cells_create(s->env, mesh->vertices, apart, 3, &cells, s->error));
  mote_point_cells_clear(&cells, mesh->vertex);
  mote_result result = MOTE_OK;
  for (size_t v = 0; v < mesh->vertices && result == MOTE_OK; ++v) {
    uint32_t near;
    if (mote_point_cells_near(&cells, mesh->vertex + 3 * v, apart, &near, 1) > 0) continue;
    mote_point_cells_add(&cells, (uint32_t)v);
    result = add_below(s, mesh->vertex + 3 * v);
  }
  mote_point_cells_destroy(&cells);
  return result;
}

static mote_result edge_samples(sampler *s, const mote_mesh *mesh, const mote_mesh_edges *edges) {
  for (size_t e = 0, run; e < edges->count; e += run) {
    run = mote_mesh_edges_run(edges, e);
    const mote_mesh_edge *edge = edges->edge + e;
    const double *a = mesh->vertex + 3 * (size_t)edge->low, *b = mesh->vertex + 3 * (size_t)edge->high;
    double n[2][3], along[3], x[3];
    for (size_t k = 0; k < 2 && run == 2; ++k) face_normal(mesh, edge[k].triangle, n[k]);
    if (run == 2 && dot3(n[0], n[1]) > EDGE_COSINE) continue;  // not sharp; where it is not closed it may be
    sub3(b, a, along);
    int count = cuts(s, length3(along));
    for (int k = 1; k < count; ++k) {
      step3(a, (double)k / count, along, x);
      MOTE_TRY(add_below(s, x));
    }
  }
  return MOTE_OK;
}

// Vertices, of those that are crowded one in each neighbourhood, and sharp edges.
static mote_result mesh_samples(sampler *s, const mote_shape_node *node) {
  const mote_mesh *mesh = mote_mesh_tree_mesh(node->mesh);
  double low[3], high[3], extent = HUGE_VAL;
  mote_mesh_tree_bounds(node->mesh, NULL, low, high);
  for (int k = 0; k < 3; ++k) extent = min2(extent, high[k] - low[k]);
  MOTE_TRY(vertex_samples(s, mesh, min2(0.5 * s->spacing, 0.125 * extent)));
  mote_mesh_edges edges;
  MOTE_TRY(mote_mesh_edges_create(mesh, s->env, &edges, s->error));
  mote_result result = edge_samples(s, mesh, &edges);
  mote_mesh_edges_destroy(&edges);
  return result;
}

// --- Trees --------------------------------------------------------------------------------------------

static mote_result leaf_samples(sampler *s, const mote_shape_node *node) {
  const double *size = node->size;
  double round = min2(s->round, 0.5 * min2(size[0], size[1]));
  switch ((int)node->kind) {
    case MOTE_SHAPE_BOX: return box_samples(s, node);
    case MOTE_SHAPE_SPHERE: return add_ball(s, node->origin, size[0]);
    case MOTE_SHAPE_CAPSULE: return rod_samples(s, node, size[1], 0.0, size[0]);
    case MOTE_SHAPE_CYLINDER: return rod_samples(s, node, size[1] - round, size[0] - round, round);
    case MOTE_SHAPE_ELLIPSOID: return ellipsoid_samples(s, node);
    case MOTE_SHAPE_TORUS: return add_local(s, node, (const double[3]){0}, size[0], size[1]);
    case MOTE_SHAPE_MESH: return mesh_samples(s, node);
    default: return MOTE_OK;  // half spaces
  }
}

// Where parts cut each other, samples of the whole surface: the outermost layer of a shell.
static mote_result cut_samples(sampler *s, const double low[3], const double high[3]) {
  mote_samples shell = {0};
  double d = s->spacing / mote_shell_apart(s->shape->dimensions);
  MOTE_TRY(mote_shape_shell(s->shape, d, 0.0, low, high, s->most, s->env, &shell, s->error));
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < shell.count && result == MOTE_OK; ++k) {
    double n[3], x[3], f = mote_shape_closest(s->shape, shell.position + 3 * k, n);
    step3(shell.position + 3 * k, -f, n, x);
    result = add_below(s, x);
  }
  mote_samples_free(&shell, s->env);
  return result;
}

static bool is_cut(const mote_shape *shape) {
  bool cut = false;
  for (size_t k = 0; k < shape->nodes; ++k) {
    cut = cut || shape->node[k].inverted || shape->node[k].kind == MOTE_SHAPE_INTERSECTION;
  }
  return cut || (shape->dimensions == 2 && shape->node[0].kind == MOTE_SHAPE_TORUS);
}

mote_result mote_shape_contact_samples(const mote_shape *shape, double spacing, double round, size_t most,
                                       const mote_env *env, mote_contact_samples *out, mote_error *error) {
  MOTE_ASSERT(spacing > 0.0);
  MOTE_ASSERT(out != NULL && env != NULL);
  double low[3], high[3];
  *out = (mote_contact_samples){0};
  mote_shape_bounds(shape, low, high);
  if (!finite3(low) || !finite3(high)) return mote_fail_key(error, "shape", "a body has bounds");
  sampler s = {shape, env, spacing, round, most, out, error};
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < shape->nodes && result == MOTE_OK; ++k) {
    const mote_shape_node *node = shape->node + k;
    bool flat_torus = node->kind == MOTE_SHAPE_TORUS && shape->dimensions == 2;
    if (mote_node_is_leaf(node) && !node->inverted && !flat_torus) result = leaf_samples(&s, node);
  }
  if (result == MOTE_OK && is_cut(shape)) result = cut_samples(&s, low, high);
  if (result != MOTE_OK) mote_contact_samples_free(out, env);
  return result;
}

void mote_contact_samples_free(mote_contact_samples *samples, const mote_env *env) {
  MOTE_ASSERT(samples->count <= samples->capacity);
  mote_free(env, samples->sample, samples->capacity, sizeof *samples->sample);
  *samples = (mote_contact_samples){0};
}
