// Making and moving handles: see deform_handles.h.
#include "deform/deform_handles.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "deform/deform_energy.h"
#include "deform/deform_system.h"

// --- Poses ------------------------------------------------------------------------------------------------

void mote_deform_grip_transform(const mote_deform_grip *grip, bool at_goal, mote_deform_transform *out) {
  quaternion_matrix(at_goal ? grip->goal_rotation : grip->now_rotation, out->rotation);
  copy3(grip->goal_pivot, out->pivot);
  copy3(at_goal ? grip->goal_image : grip->now_image, out->image);
  if (!grip->point) return;
  // Of a point only the place counts: a translation.
  static const double one[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double off[3], to[3];
  sub3(grip->rest, out->pivot, off);
  turn3(out->rotation, off, to);
  step3(out->image, 1.0, to, out->image);
  copy3(grip->rest, out->pivot);
  memcpy(out->rotation, one, sizeof one);
}

// The unit quaternion of a rotation, from its largest component (Shepperd 1978).
static void quaternion_from(const double m[9], double q[4]) {
  double square[4] = {1.0 + m[0] + m[4] + m[8], 1.0 + m[0] - m[4] - m[8], 1.0 - m[0] + m[4] - m[8],
                      1.0 - m[0] - m[4] + m[8]};
  int largest = 0;
  for (int k = 1; k < 4; ++k)
    if (square[k] > square[largest]) largest = k;
  double x = m[7] - m[5], y = m[2] - m[6], z = m[3] - m[1], xy = m[1] + m[3], xz = m[2] + m[6],
         yz = m[5] + m[7];
  double rows[4][4] = {
      {square[0], x, y, z}, {x, square[1], xy, xz}, {y, xy, square[2], yz}, {z, xz, yz, square[3]}};
  for (int k = 0; k < 4; ++k) q[k] = rows[largest][k];
  quaternion_normalise(q);
}

static double dot_quaternions(const double a[4], const double b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// The angle from a to b, rad; b's sign is chosen such that it is the shorter way.
static double angle_between(const double a[4], double b[4]) {
  double off = 0.0;
  if (dot_quaternions(a, b) < 0.0)
    for (int k = 0; k < 4; ++k) b[k] = -b[k];
  for (int k = 0; k < 4; ++k) off += (b[k] - a[k]) * (b[k] - a[k]);
  double half = 0.5 * sqrt(off);  // sine of a quarter of the angle
  return 4.0 * mote_atan2(half, sqrt(max2(0.0, 1.0 - half * half)));
}

// The part s of the way from a to b.
static void turn_towards(const double a[4], const double b[4], double angle, double s, double out[4]) {
  double half = 0.5 * angle, sine = mote_sin(half);
  double wa = sine > 1e-9 ? mote_sin((1.0 - s) * half) / sine : 1.0 - s;
  double wb = sine > 1e-9 ? mote_sin(s * half) / sine : s;
  for (int k = 0; k < 4; ++k) out[k] = wa * a[k] + wb * b[k];
  quaternion_normalise(out);
}

bool mote_deform_walk(mote_deform *d, double angle, double length) {
  double increments = 0.0;
  for (size_t k = 0; k < d->grips; ++k) {
    mote_deform_grip *g = d->grip + k;
    double turn = angle_between(g->now_rotation, g->goal_rotation);
    double move = distance3(g->now_image, g->goal_image) / d->size;
    increments = max2(increments, max2(turn / angle, move / length));
    if (turn > 0.0 || move > 0.0) increments = max2(increments, 1.0);
  }
  if (increments == 0.0) return false;
  // 1 % more than an increment is not worth another one.
  double part = 1.0 / ceil(increments - 0.01);
  for (size_t k = 0; k < d->grips; ++k) {
    mote_deform_grip *g = d->grip + k;
    if (!(part < 1.0)) {
      memcpy(g->now_rotation, g->goal_rotation, sizeof g->now_rotation);
      copy3(g->goal_image, g->now_image);
      continue;
    }
    double turn = angle_between(g->now_rotation, g->goal_rotation), from[4];
    memcpy(from, g->now_rotation, sizeof from);
    turn_towards(from, g->goal_rotation, turn, part, g->now_rotation);
    for (int c = 0; c < 3; ++c) g->now_image[c] += part * (g->goal_image[c] - g->now_image[c]);
  }
  return true;
}

bool mote_deform_walk_left(const mote_deform *d) {
  for (size_t k = 0; k < d->grips; ++k) {
    const mote_deform_grip *g = d->grip + k;
    if (memcmp(g->now_rotation, g->goal_rotation, sizeof g->now_rotation) != 0) return true;
    if (memcmp(g->now_image, g->goal_image, sizeof g->now_image) != 0) return true;
  }
  return false;
}

// --- Making -----------------------------------------------------------------------------------------------

static void set_rest_pose(mote_deform_grip *g) {
  static const double one[4] = {1.0, 0.0, 0.0, 0.0};
  memcpy(g->goal_rotation, one, sizeof one), memcpy(g->now_rotation, one, sizeof one);
  copy3(g->rest, g->goal_pivot), copy3(g->rest, g->goal_image), copy3(g->rest, g->now_image);
}

// The nodes that the points touch, and with `g->matrix` the sums of their shape functions' products.
typedef struct points {
  const mote_deform *deform;
  const uint32_t *vertex;  // null: one point, or all vertices
  const double *x;
  size_t count;
} points;

static void shapes_of(const points *p, size_t k, mote_deform_point *out) {
  const mote_deform *d = p->deform;
  if (p->x != NULL) {
    mote_deform_shapes_at(&d->space, p->x, mote_deform_grid_anchor(&d->space.grid, p->x, NULL), out);
    return;
  }
  uint32_t v = p->vertex != NULL ? p->vertex[k] : (uint32_t)k;
  mote_deform_shapes_at(&d->space, d->mesh.vertex + 3 * (size_t)v, d->skin.anchor[v], out);
}

static mote_result sum_shapes(const points *p, uint32_t *slot, mote_deform_grip *g, mote_error *error) {
  const mote_deform *d = p->deform;
  mote_deform_point at;
  for (uint32_t a = 0; a < d->space.nodes; ++a) slot[a] = MOTE_DEFORM_NONE;
  for (size_t k = 0; k < p->count; ++k) {
    shapes_of(p, k, &at);
    for (uint32_t e = 0; e < at.count; ++e) slot[at.node[e]] = 0;
  }
  for (uint32_t a = 0; a < d->space.nodes; ++a)
    if (slot[a] == 0) slot[a] = g->nodes++;
  g->node = mote_alloc(&d->env, g->nodes, sizeof *g->node);
  g->matrix = mote_alloc(&d->env, (size_t)g->nodes * g->nodes, sizeof *g->matrix);
  if (g->node == NULL || g->matrix == NULL)
    return mote_fail_memory(error, (size_t)g->nodes * g->nodes * sizeof *g->matrix);
  memset(g->matrix, 0, (size_t)g->nodes * g->nodes * sizeof *g->matrix);
  for (uint32_t a = 0; a < d->space.nodes; ++a)
    if (slot[a] != MOTE_DEFORM_NONE) g->node[slot[a]] = a;
  double part = 1.0 / ((double)p->count * d->size * d->size);
  for (size_t k = 0; k < p->count; ++k) {
    shapes_of(p, k, &at);
    for (uint32_t e = 0; e < at.count; ++e) {
      double *row = g->matrix + (size_t)slot[at.node[e]] * g->nodes, value = part * at.value[e];
      for (uint32_t f = 0; f < at.count; ++f) row[slot[at.node[f]]] += value * at.value[f];
    }
  }
  return MOTE_OK;
}

void mote_deform_grip_free(const mote_env *env, mote_deform_grip *g) {
  mote_free(env, g->node, g->nodes, sizeof *g->node);
  mote_free(env, g->matrix, (size_t)g->nodes * g->nodes, sizeof *g->matrix);
}

mote_result mote_deform_grip_of_all(mote_deform *d, mote_deform_grip *out, mote_error *error) {
  points p = {.deform = d, .count = d->mesh.vertices};
  MOTE_ALLOC_NEW(uint32_t, slot, &d->env, d->space.nodes, error);
  *out = (mote_deform_grip){0};
  set_rest_pose(out);
  mote_result result = sum_shapes(&p, slot, out, error);
  mote_free(&d->env, slot, d->space.nodes, sizeof *slot);
  if (result != MOTE_OK) mote_deform_grip_free(&d->env, out);
  return result;
}

static mote_result add(mote_deform *d, const points *p, mote_deform_handle *out, mote_error *error) {
  MOTE_TRY(mote_reserve(&d->env, &d->grip, &d->grips_capacity, d->grips + 1, sizeof *d->grip, error));
  mote_deform_grip g = {.point = p->vertex == NULL};
  for (size_t k = 0; k < p->count; ++k)
    step3(g.rest, 1.0 / (double)p->count, g.point ? p->x : d->mesh.vertex + 3 * (size_t)p->vertex[k], g.rest);
  for (size_t k = 0; k < p->count && !g.point; ++k)
    g.extent = max2(g.extent, distance3(g.rest, d->mesh.vertex + 3 * (size_t)p->vertex[k]));
  set_rest_pose(&g);
  uint32_t *slot = mote_alloc(&d->env, d->space.nodes, sizeof *slot);
  mote_result result =
      slot != NULL ? sum_shapes(p, slot, &g, error) : mote_fail_memory(error, d->space.nodes);
  mote_free(&d->env, slot, d->space.nodes, sizeof *slot);
  if (result != MOTE_OK) {
    mote_deform_grip_free(&d->env, &g);
    return result;
  }
  d->grip[d->grips] = g;
  if (out != NULL) *out = (mote_deform_handle)d->grips;
  ++d->grips;
  mote_deform_system_forget(d->system);
  return MOTE_OK;
}

mote_result mote_deform_add_region(mote_deform *d, const uint32_t *vertex, size_t count,
                                   mote_deform_handle *out, mote_error *error) {
  if (d == NULL || vertex == NULL) return mote_fail_key(error, d == NULL ? "deform" : "vertex", "is null");
  if (count == 0) return mote_fail_key(error, "count", "is 0: a handle needs vertices");
  for (size_t k = 0; k < count; ++k) {
    if (vertex[k] >= d->mesh.vertices)
      return mote_fail_key(error, "vertex", "%u is not below %zu, the number of vertices", vertex[k],
                           d->mesh.vertices);
  }
  points p = {.deform = d, .vertex = vertex, .count = count};
  return add(d, &p, out, error);
}

mote_result mote_deform_add_point(mote_deform *d, const double x[3], mote_deform_handle *out,
                                  mote_error *error) {
  if (d == NULL || x == NULL) return mote_fail_key(error, d == NULL ? "deform" : "x", "is null");
  if (!finite3(x)) return mote_fail_key(error, "x", "is not finite");
  points p = {.deform = d, .x = x, .count = 1};
  return add(d, &p, out, error);
}

void mote_deform_remove_handles(mote_deform *d) {
  if (d == NULL) return;
  for (size_t k = 0; k < d->grips; ++k) mote_deform_grip_free(&d->env, d->grip + k);
  d->grips = 0;
  mote_deform_system_forget(d->system);
}

size_t mote_deform_handles(const mote_deform *d) {
  return d->grips;
}

void mote_deform_grips_reset(mote_deform *d) {
  for (size_t k = 0; k < d->grips; ++k) set_rest_pose(d->grip + k);
}

// --- Setting ----------------------------------------------------------------------------------------------

static mote_result find_grip(mote_deform *d, mote_deform_handle handle, mote_deform_grip **out,
                             mote_error *error) {
  if (d == NULL) return mote_fail_key(error, "deform", "is null");
  if (handle >= d->grips) return mote_fail_key(error, "handle", "%u is not below %zu", handle, d->grips);
  *out = d->grip + handle;
  return MOTE_OK;
}

static bool is_rotation(const double m[9]) {
  double worst = fabs(mote_deform_determinant(m) - 1.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst = max2(worst, fabs(dot3(m + 3 * i, m + 3 * j) - (i == j ? 1.0 : 0.0)));
  return worst < 1e-6;
}

mote_result mote_deform_set_pose(mote_deform *d, mote_deform_handle handle, const mote_pose *pose,
                                 mote_error *error) {
  mote_deform_grip *g = NULL;
  MOTE_TRY(find_grip(d, handle, &g, error));
  if (pose == NULL) return mote_fail_key(error, "pose", "is null");
  if (!is_rotation(pose->rotation)) return mote_fail_key(error, "rotation", "is not a rotation");
  if (!finite3(pose->pivot) || !finite3(pose->move)) return mote_fail_key(error, "move", "is not finite");
  // What has been reached, about the new pivot.
  double m[9], off[3], to[3];
  quaternion_matrix(g->now_rotation, m);
  sub3(pose->pivot, g->goal_pivot, off);
  turn3(m, off, to);
  step3(g->now_image, 1.0, to, g->now_image);
  copy3(pose->pivot, g->goal_pivot);
  step3(pose->pivot, 1.0, pose->move, g->goal_image);
  quaternion_from(pose->rotation, g->goal_rotation);
  return MOTE_OK;
}

mote_result mote_deform_set_point(mote_deform *d, mote_deform_handle handle, const double target[3],
                                  mote_error *error) {
  mote_deform_grip *g = NULL;
  MOTE_TRY(find_grip(d, handle, &g, error));
  if (target == NULL || !finite3(target)) return mote_fail_key(error, "target", "is null or not finite");
  mote_pose pose = {.rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
  copy3(g->rest, pose.pivot);
  sub3(target, g->rest, pose.move);
  return mote_deform_set_pose(d, handle, &pose, error);
}

mote_result mote_deform_set_free(mote_deform *d, mote_deform_handle handle, bool is_free, mote_error *error) {
  mote_deform_grip *g = NULL;
  MOTE_TRY(find_grip(d, handle, &g, error));
  if (g->free != is_free) mote_deform_system_renew(d->system);
  g->free = is_free;
  return MOTE_OK;
}
