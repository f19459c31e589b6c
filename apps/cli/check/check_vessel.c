// Fluids in vessels: see check_vessel.h.
#include "cli/check/check_vessel.h"

#include <math.h>
#include <stdlib.h>

#include "cli/base/scene_kinds.h"
#include "cli/bodies/backdrop.h"

#define PI 3.14159265358979

// Shapes of the bodies that flow; null for others.
static mote_shape **fluid_shapes(const mote_scene *scene, size_t *count, size_t *of) {
  mote_shape **shape = calloc(scene->bodies, sizeof *shape);
  *count = 0;
  for (size_t b = 0; shape != NULL && b < scene->bodies; ++b) {
    const mote_body_def *body = &scene->body[b];
    if (body_is(scene, body, material_is_fluid) &&
        mote_shape_create(&body->shape, scene->world.dimensions, NULL, &shape[*count], NULL) == MOTE_OK)
      of[(*count)++] = b;
  }
  return shape;
}

// The middle of a rigid body that can move.
static bool find_middle(const mote_scene *scene, const mote_body_def *body, double x[3]) {
  double low[3], high[3];
  mote_shape *shape;
  if (!body_is(scene, body, material_is_rigid) || body->fixed ||
      mote_shape_create(&body->shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK)
    return false;
  mote_shape_bounds(shape, low, high);
  mote_shape_destroy(shape);
  for (int a = 0; a < 3; ++a) x[a] = a < scene->world.dimensions ? 0.5 * (low[a] + high[a]) : 0;
  return true;
}

const mote_body_def **vessel_fluids(const mote_scene *scene) {
  size_t fluids = 0, *of = calloc(scene->bodies + 1, sizeof *of);
  mote_shape **shape = of != NULL ? fluid_shapes(scene, &fluids, of) : NULL;
  const mote_body_def **in = fluids > 0 ? calloc(scene->bodies, sizeof *in) : NULL;
  for (size_t b = 0; in != NULL && b < scene->bodies; ++b) {
    double x[3];
    if (!find_middle(scene, &scene->body[b], x)) continue;
    for (size_t k = 0; k < fluids && in[b] == NULL; ++k)
      if (mote_shape_distance(shape[k], x) < 0) in[b] = &scene->body[of[k]];
  }
  for (size_t k = 0; k < fluids; ++k) mote_shape_destroy(shape[k]);
  free(shape), free(of);
  return in;
}

// --- How far fluids can fall ---

#define CELLS_MOST 32768.0

enum { CELL_WALL, CELL_FREE, CELL_JOINED, CELL_MATTER };

typedef struct cells {
  int axis, dimensions;
  bool up;  // gravity points to higher coordinates
  int size[3];
  double low[3], step[3];
  size_t count;
  unsigned char *state;
} cells;

static void cell_index(const cells *c, size_t k, int at[3]) {
  at[0] = (int)(k % (size_t)c->size[0]);
  at[1] = (int)(k / (size_t)c->size[0] % (size_t)c->size[1]);
  at[2] = (int)(k / (size_t)c->size[0] / (size_t)c->size[1]);
}

// The cells whose middles may be from low to high along one axis: from first to before last.
static void cell_range(const cells *c, int a, double low, double high, int *first, int *last) {
  double size = c->size[a], f = floor((low - c->low[a]) / c->step[a]),
         l = ceil((high - c->low[a]) / c->step[a]);
  *first = a < c->dimensions ? (int)fmin(fmax(f, 0), size) : 0;
  *last = a < c->dimensions ? (int)fmin(fmax(l, 0), size) : 1;
}

// Cells in state `from` whose middle is in the shape come into state `to`.
static void mark_shape(cells *c, const mote_shape_def *def, int from, int to) {
  double low[3] = {0}, high[3] = {0};
  int first[3], last[3];
  mote_shape *shape;
  if (mote_shape_create(def, c->dimensions, NULL, &shape, NULL) != MOTE_OK) return;
  mote_shape_bounds(shape, low, high);
  for (int a = 0; a < 3; ++a) cell_range(c, a, low[a], high[a], &first[a], &last[a]);
  for (int z = first[2]; z < last[2]; ++z)
    for (int y = first[1]; y < last[1]; ++y)
      for (int x = first[0]; x < last[0]; ++x) {
        size_t k = (size_t)x + (size_t)c->size[0] * ((size_t)y + (size_t)c->size[1] * (size_t)z);
        double middle[3] = {c->low[0] + (x + 0.5) * c->step[0], c->low[1] + (y + 0.5) * c->step[1],
                            c->low[2] + (z + 0.5) * c->step[2]};
        if (c->state[k] == from && mote_shape_distance(shape, middle) < 0) c->state[k] = (unsigned char)to;
      }
  mote_shape_destroy(shape);
}

static bool falls(const mote_scene *scene, const mote_body_def *const *in, size_t b) {
  const mote_body_def *body = &scene->body[b];
  return !body_is(scene, body, material_is_elastic) && !body->fixed && (in == NULL || in[b] == NULL);
}

// The domain up to the top of matter. False: it has no end, or is too flat.
static bool find_extent(const mote_scene *scene, const mote_body_def *const *in, cells *c) {
  double top = c->up ? HUGE_VAL : -HUGE_VAL, volume = 1;
  for (size_t b = 0; b < scene->bodies; ++b) {
    double low[3], high[3];
    mote_shape *shape;
    if (!falls(scene, in, b)) continue;
    if (mote_shape_create(&scene->body[b].shape, c->dimensions, NULL, &shape, NULL) != MOTE_OK) return false;
    mote_shape_bounds(shape, low, high);
    mote_shape_destroy(shape);
    top = c->up ? fmin(top, low[c->axis]) : fmax(top, high[c->axis]);
  }
  double high[3];
  for (int a = 0; a < c->dimensions; ++a) {
    c->low[a] = scene->world.low[a], high[a] = scene->world.high[a];
    if (a == c->axis && c->up) c->low[a] = fmax(c->low[a], top);
    if (a == c->axis && !c->up) high[a] = fmin(high[a], top);
    volume *= high[a] - c->low[a];
  }
  if (!isfinite(volume) || !(volume > 0)) return false;
  double step = fmax(scene->world.spacing, pow(volume / CELLS_MOST, 1.0 / c->dimensions));
  c->count = 1;
  for (int a = 0; a < 3; ++a) {
    double length = a < c->dimensions ? high[a] - c->low[a] : 0;
    if (length / step > CELLS_MOST) return false;
    c->size[a] = a < c->dimensions ? (int)fmax(1, floor(length / step + 0.5)) : 1;
    c->step[a] = length / c->size[a];
    c->count *= (size_t)c->size[a];
  }
  return (double)c->count <= 4 * CELLS_MOST;  // sheets may have more than asked for
}

// From matter to free cells beside those that are joined to it. `queue` holds all.
static void join(const mote_scene *scene, cells *c, size_t *queue) {
  size_t begin = 0, end = 0;
  for (size_t k = 0; k < c->count; ++k)
    if (c->state[k] == CELL_MATTER) queue[end++] = k;
  while (begin < end) {
    int at[3];
    size_t k = queue[begin++], stride = 1;
    cell_index(c, k, at);
    for (int a = 0; a < c->dimensions; stride *= (size_t)c->size[a++])
      for (int side = -1; side <= 1; side += 2) {
        int to = at[a] + side, size = c->size[a];
        if (scene->world.side[a][0] == MOTE_SIDE_PERIODIC) to = (to + size) % size;
        if (to < 0 || to >= size) continue;
        size_t other = k - stride * (size_t)at[a] + stride * (size_t)to;
        if (c->state[other] == CELL_FREE) c->state[other] = CELL_JOINED, queue[end++] = other;
      }
  }
}

// Of all matter, from where it is to the lowest joined cells, so many as it has; in layers from the bottom.
static double find_drop(const cells *c) {
  double matter = 0, drop = 0, filled = 0;
  int layers = c->size[c->axis];
  for (size_t k = 0; k < c->count; ++k) matter += c->state[k] == CELL_MATTER;
  for (int layer = 0; layer < layers; ++layer) {
    double own = 0, joined = 0;
    for (size_t k = 0; k < c->count; ++k) {
      int at[3];
      cell_index(c, k, at);
      if ((c->up ? layers - 1 - at[c->axis] : at[c->axis]) != layer) continue;
      own += c->state[k] == CELL_MATTER, joined += c->state[k] >= CELL_JOINED;
    }
    double fill = fmin(joined, matter - filled);
    drop += layer * (own - fill), filled += fill;
  }
  return matter > 0 ? drop * c->step[c->axis] / matter : (double)NAN;
}

static void mark_all(const mote_scene *scene, const mote_body_def *const *in, cells *c) {
  for (size_t k = 0; k < c->count; ++k) c->state[k] = CELL_FREE;
  for (size_t k = 0; k < scene->colliders; ++k)
    if (!motion_moves(&scene->collider[k].motion))
      mark_shape(c, &scene->collider[k].shape, CELL_FREE, CELL_WALL);
  for (size_t b = 0; b < scene->bodies; ++b)
    if (falls(scene, in, b)) mark_shape(c, &scene->body[b].shape, CELL_FREE, CELL_MATTER);
}

double vessel_drop(const mote_scene *scene, const mote_body_def *const *in) {
  cells c = {.dimensions = scene->world.dimensions};
  bool holds = false;
  for (size_t k = 0; k < scene->colliders; ++k) holds = holds || !motion_moves(&scene->collider[k].motion);
  for (int a = 1; a < c.dimensions; ++a)
    if (fabs(scene->world.gravity[a]) > fabs(scene->world.gravity[c.axis])) c.axis = a;
  c.up = scene->world.gravity[c.axis] > 0;
  if (!holds || !find_extent(scene, in, &c)) return (double)NAN;
  double drop = (double)NAN;
  size_t *queue = malloc(c.count * sizeof *queue);
  c.state = malloc(c.count);
  if (queue != NULL && c.state != NULL) {
    mark_all(scene, in, &c);
    join(scene, &c, queue);
    drop = find_drop(&c);
  }
  free(queue), free(c.state);
  return drop;
}

// --- What sinks or rises ---

// Half the fluid that a sphere displaces moves with it, all of it with a cylinder. Drag of a sphere: that of
// Stokes and 0.44 of the dynamic pressure on its section (Newton); of a cylinder, 1.0 of it.
sinking vessel_sinking(const mote_scene *scene, const mote_body_def *body, const mote_body_def *fluid,
                       double down, double up) {
  const mote_material_def *own = scene_material(scene, body->material),
                          *other = scene_material(scene, fluid->material);
  const double *g = scene->world.gravity,
               v[3] = {body->velocity.x.constant, body->velocity.y.constant, body->velocity.z.constant};
  mote_material_def water = mote_material_def_default();
  sinking s = {.first = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])};
  mote_shape *shape;
  if (other == NULL) other = &water;
  if (mote_shape_create(&body->shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK) return s;
  bool flat = scene->world.dimensions == 2;
  double d = scene->world.spacing, size = mote_shape_fill_estimate(shape, d) * (flat ? d * d : d * d * d);
  double density = other->density, excess = own->density - density;
  double weight = fabs(excess) * size * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  double width = flat ? sqrt(4 * size / PI) : cbrt(6 * size / PI);
  double linear = flat ? 0 : 3 * PI * other->viscosity * width;
  double square = 0.5 * density * (flat ? width : 0.44 * 0.25 * PI * width * width);
  double depth = fmax(excess > 0 ? down : up, 0);
  mote_shape_destroy(shape);
  if (!(weight > 0) || !(depth > 0)) return s;
  s.acceleration = weight / (size * (own->density + (flat ? 1 : 0.5) * density));
  s.terminal = (sqrt(linear * linear + 4 * square * weight) - linear) / (2 * square);
  double faster = s.terminal / s.acceleration, path = 0.5 * s.terminal * faster;
  s.land = depth < path ? sqrt(2 * depth / s.acceleration) : faster + (depth - path) / s.terminal;
  return s;
}

double vessel_sinking_speed(const sinking *s, double t) {
  double speed = fmax(s->first, fmin(s->acceleration * fmin(t, s->land), s->terminal));
  return t > s->land && s->land > 0 ? speed * exp2(1 - t / s->land) : speed;
}
