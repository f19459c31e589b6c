// Meshes for rays: moved to their pose, with normals; liquids at the wall of a tank
// or on the floor are extended beyond. The surface of a liquid is only as accurate as the particle spacing;
// at a wall this would be visible as waves in a flat pane, or as air between water and floor.
#include <string.h>

#include "draw/preview.h"
#include "draw/tuning.inc"
#include "render/trace.h"
#include "render/tuning.inc"

// --- Places --------------------------------------------------------------------------------------------

static void turn(const mote_pose *pose, const double v[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    out[k] = 0;
    for (int m = 0; m < 3; ++m) out[k] += pose->rotation[3 * k + m] * v[m];
  }
}

void mote_trace_place(const mote_pose *pose, const double v[3], double out[3]) {
  double r[3], turned[3];
  for (int k = 0; k < 3; ++k) r[k] = pose == NULL ? v[k] : v[k] - pose->pivot[k];
  if (pose != NULL) turn(pose, r, turned);
  for (int k = 0; k < 3; ++k) out[k] = pose == NULL ? v[k] : turned[k] + pose->pivot[k] + pose->move[k];
}

static void place_vertices(const mote_trace *t, const mote_render_mesh *m, float *out) {
  for (size_t v = 0; v < m->mesh.vertices; ++v) {
    double at[3];
    mote_trace_place(m->pose, m->mesh.vertex + 3 * v, at);
    for (int k = 0; k < 3; ++k) out[3 * v + (size_t)k] = (float)(at[k] - t->middle[k]);
  }
}

static mote_vec corner_at(const mote_thing *mesh, size_t triangle, int c) {
  return vec_from(mesh->vertex + 3 * (size_t)mesh->triangle[3 * triangle + (size_t)c]);
}

static float mean_edge(const mote_thing *mesh) {
  double sum = 0;
  size_t count = 0;
  for (size_t k = 0; k < mesh->triangles; ++k) {
    float length = vec_length(vec_sub(corner_at(mesh, k, 1), corner_at(mesh, k, 0)));
    if (isfinite(length)) sum += (double)length, ++count;
  }
  return count > 0 ? (float)(sum / (double)count) : 0;
}

// --- Normals -------------------------------------------------------------------------------------------

static void turn_normals(const mote_pose *pose, float *normal, size_t count) {
  for (size_t k = 0; pose != NULL && k < count; ++k) {
    double turned[3];
    const double n[3] = {(double)normal[3 * k], (double)normal[3 * k + 1], (double)normal[3 * k + 2]};
    turn(pose, n, turned);
    for (int a = 0; a < 3; ++a) normal[3 * k + (size_t)a] = (float)turned[a];
  }
}

// One normal per vertex if they are given and the mesh needs no flat walls, else one per corner.
static bool make_normals(mote_trace *t, const mote_render_mesh *m, mote_thing *thing) {
  size_t corners = 3 * thing->triangles;
  thing->corners = m->normal == NULL || thing->liquid;
  size_t count = thing->corners ? corners : thing->vertices;
  thing->normal = mote_io_new(&t->env, 3 * count * sizeof(float));
  if (thing->normal == NULL) return false;
  if (m->normal == NULL) {
    if (!mote_corner_normals(&m->mesh, &t->env, thing->normal)) return false;
  } else if (thing->corners) {
    for (size_t c = 0; c < corners; ++c)
      memcpy(thing->normal + 3 * c, m->normal + 3 * (size_t)thing->triangle[c], 3 * sizeof(float));
  } else {
    memcpy(thing->normal, m->normal, 3 * count * sizeof(float));
  }
  turn_normals(m->pose, thing->normal, count);
  return true;
}

mote_vec mote_mesh_normal(const mote_thing *mesh, size_t triangle, float u, float v) {
  const float part[3] = {1 - u - v, u, v};
  mote_vec n = vec_all(0);
  for (size_t c = 0; c < 3; ++c) {
    size_t at = mesh->corners ? 3 * triangle + c : mesh->triangle[3 * triangle + c];
    n = vec_along(n, vec_from(mesh->normal + 3 * at), part[c]);
  }
  float length = vec_length(n);
  return length > 0.1F ? vec_scale(n, 1 / length) : vec_all(0);
}

// --- Liquids at walls ----------------------------------------------------------------------------------

// A wall: axis a, at a coordinate; outward is +1 or -1.
typedef struct wall {
  int axis;
  float at, outward;
} wall;

static int find_walls(const mote_trace *t, wall out[6]) {
  int count = 0;
  for (int a = 0; a < 3; ++a) {
    if (isfinite(t->tank.low[a])) out[count++] = (wall){a, t->tank.low[a], -1};
    if (isfinite(t->tank.high[a])) out[count++] = (wall){a, t->tank.high[a], 1};
  }
  return count;
}

// Extends what ends at the wall beyond it, where the tank cuts the mesh; except the inner side of a drop
// at the wall, since light that enters it there could not leave.
static void draw_through_wall(mote_thing *thing, wall w, const uint8_t *mark) {
  for (size_t c = 0; c < 3 * thing->triangles; ++c) {
    uint32_t v = thing->triangle[c];
    if (mark[v] == 0 || w.outward * thing->normal[3 * c + (size_t)w.axis] < INWARD_COSINE) continue;
    thing->vertex[3 * (size_t)v + (size_t)w.axis] = w.at + w.outward * thing->contact;
  }
}

static bool draw_through_walls(const mote_trace *t, const mote_mesh *mesh, mote_thing *thing) {
  wall walls[6];
  int count = find_walls(t, walls);
  float *beyond = mote_io_new(&t->env, thing->vertices * sizeof *beyond);
  uint8_t *mark = mote_io_new(&t->env, thing->vertices);
  bool ok = beyond != NULL && mark != NULL;
  for (int k = 0; ok && k < count; ++k) {
    wall w = walls[k];
    for (size_t v = 0; v < thing->vertices; ++v)
      beyond[v] = w.outward * (thing->vertex[3 * v + (size_t)w.axis] - w.at) / thing->contact;
    mote_wall_marks(mesh, beyond, mark);
    draw_through_wall(thing, w, mark);
  }
  mote_io_delete(&t->env, beyond, thing->vertices * sizeof *beyond);
  mote_io_delete(&t->env, mark, thing->vertices);
  return ok;
}

static bool reaches_below(const mote_trace *t, const mote_thing *thing) {
  for (size_t v = 0; v < thing->vertices; ++v)
    if (vec_dot(vec_from(thing->vertex + 3 * v), t->sky.up) < t->floor.height - 8 * t->lift) return true;
  return false;
}

// A little below it: rays in the water then hit the floor directly.
static void sink_into_floor(const mote_trace *t, mote_thing *thing) {
  mote_vec up = t->sky.up;
  float bottom = t->floor.height - 8 * t->lift;
  for (size_t v = 0; v < thing->vertices; ++v) {
    mote_vec x = vec_from(thing->vertex + 3 * v);
    float above = vec_dot(x, up) - t->floor.height;
    if (!(above < 1.5F * thing->contact)) continue;
    x = vec_along(x, up, bottom - vec_dot(x, up));
    thing->vertex[3 * v] = x.x, thing->vertex[3 * v + 1] = x.y, thing->vertex[3 * v + 2] = x.z;
  }
}

static bool end_liquid(const mote_trace *t, const mote_mesh *mesh, mote_thing *thing) {
  if (!draw_through_walls(t, mesh, thing)) return false;
  if (t->floor.there && !reaches_below(t, thing)) sink_into_floor(t, thing);
  return true;
}

// --- Motion --------------------------------------------------------------------------------------------

// Moves vertices along their velocity by half of the shutter's time before and after. Vertices sunk into the
// floor do not move.
static bool move_vertices(mote_trace *t, const mote_render_mesh *m, mote_thing *thing) {
  if (m->velocity == NULL || !(t->shutter > 0)) return true;
  thing->vertex_end = mote_io_new(&t->env, mote_thing_vertex_bytes(thing));
  if (thing->vertex_end == NULL) return false;
  for (size_t v = 0; v < thing->vertices; ++v) {
    mote_vec x = vec_from(thing->vertex + 3 * v), move = vec_scale(vec_from(m->velocity + 3 * v), t->shutter);
    if (!isfinite(vec_dot(move, move))) move = vec_all(0);
    if (thing->liquid && t->floor.there && vec_dot(x, t->sky.up) < t->floor.height)
      move = vec_along(move, t->sky.up, -vec_dot(move, t->sky.up));
    mote_vec a = vec_along(x, move, -0.5F), b = vec_along(x, move, 0.5F);
    memcpy(thing->vertex + 3 * v, (const float[3]){a.x, a.y, a.z}, 3 * sizeof(float));
    memcpy(thing->vertex_end + 3 * v, (const float[3]){b.x, b.y, b.z}, 3 * sizeof(float));
  }
  return true;
}

mote_result mote_trace_mesh(mote_trace *t, const mote_render_mesh *mesh, mote_thing *thing,
                            mote_error *error) {
  thing->kind = MOTE_THING_MESH;
  thing->shades = mesh->colour;
  thing->texture = mesh->texture;
  thing->wireframe = mesh->wireframe;
  thing->liquid = !mesh->vessel && (mesh->liquid || mesh->look.kind == MOTE_LOOK_GLASS);
  thing->vessel = mesh->vessel && mesh->look.kind == MOTE_LOOK_GLASS;
  thing->triangle = mesh->mesh.triangle;
  thing->vertices = mesh->mesh.vertices, thing->triangles = mesh->mesh.triangles;
  thing->vertex = mote_io_new(&t->env, mote_thing_vertex_bytes(thing));
  if (thing->vertex == NULL) return mote_io_fail_memory(error);
  place_vertices(t, mesh, thing->vertex);
  if (!make_normals(t, mesh, thing)) return mote_io_fail_memory(error);
  thing->contact = mean_edge(thing);
  if (thing->contact > COARSEST_CONTACT * t->size) thing->contact = COARSEST_CONTACT * t->size;
  if (thing->vessel) thing->contact = 0;
  if (thing->liquid && !end_liquid(t, &mesh->mesh, thing)) return mote_io_fail_memory(error);
  return move_vertices(t, mesh, thing) ? MOTE_OK : mote_io_fail_memory(error);
}
