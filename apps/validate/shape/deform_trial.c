// See deform_trial.h.
#include "validate/shape/deform_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"

#define BAR_LENGTH 4.0
#define PI 3.14159265358979323846

const char *const bar_edit_name[BAR_EDITS] = {"stretch x 1.5", "compression x 0.6", "bend 90 deg",
                                              "twist 180 deg"};

// --- Meshes -----------------------------------------------------------------------------------------------

typedef struct box_maker {
  const box_lines *lines;
  uint32_t *number;  // of the vertices at the crossings of the lines
  mote_mesh *out;
  bool count;  // only
} box_maker;

static bool is_inside(const box_lines *l, int i, int j, int k) {
  if (i < 0 || j < 0 || k < 0 || i >= l->cells[0] || j >= l->cells[1] || k >= l->cells[2]) return false;
  return l->inside == NULL || l->inside(i, j, k);
}

static uint32_t corner(const box_maker *m, const int at[3]) {
  APP_ASSERT(at[0] <= m->lines->cells[0] && at[1] <= m->lines->cells[1] && at[2] <= m->lines->cells[2]);
  const box_lines *l = m->lines;
  size_t place =
      ((size_t)at[2] * (size_t)(l->cells[1] + 1) + (size_t)at[1]) * (size_t)(l->cells[0] + 1) + (size_t)at[0];
  if (m->number[place] == UINT32_MAX) {
    m->number[place] = (uint32_t)m->out->vertices++;
    for (int a = 0; a < 3 && !m->count; ++a)
      m->out->vertex[3 * (size_t)m->number[place] + (size_t)a] = l->line[a][at[a]];
  }
  return m->number[place];
}

// The side of a box along an axis, towards higher or lower coordinates.
static void add_side(const box_maker *m, const int box[3], int axis, int up) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  static const int square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  uint32_t v[4];
  for (int k = 0; k < 4; ++k) {
    int at[3] = {box[0], box[1], box[2]};
    const int *s = square[up ? k : 3 - k];
    at[axis] += up, at[b] += s[0], at[c] += s[1];
    v[k] = corner(m, at);
  }
  const uint32_t two[6] = {v[0], v[1], v[2], v[0], v[2], v[3]};
  if (!m->count) memcpy(m->out->triangle + 3 * m->out->triangles, two, sizeof two);
  m->out->triangles += 2;
}

static void add_sides(const box_maker *m) {
  const box_lines *l = m->lines;
  m->out->vertices = m->out->triangles = 0;
  for (int k = 0; k < l->cells[2]; ++k) {
    for (int j = 0; j < l->cells[1]; ++j) {
      for (int i = 0; i < l->cells[0]; ++i) {
        if (!is_inside(l, i, j, k)) continue;
        const int box[3] = {i, j, k};
        for (int side = 0; side < 6; ++side) {
          int next[3] = {i, j, k};
          next[side / 2] += side % 2 ? 1 : -1;
          if (!is_inside(l, next[0], next[1], next[2])) add_side(m, box, side / 2, side % 2);
        }
      }
    }
  }
}

bool box_mesh_make(const box_lines *lines, mote_mesh *out) {
  APP_ASSERT(lines->cells[0] > 0 && lines->cells[1] > 0 && lines->cells[2] > 0);
  size_t crossings =
      (size_t)(lines->cells[0] + 1) * (size_t)(lines->cells[1] + 1) * (size_t)(lines->cells[2] + 1);
  *out = (mote_mesh){0};
  box_maker m = {.lines = lines, .out = out, .number = malloc(crossings * sizeof(uint32_t))};
  if (m.number == NULL) return false;
  for (int pass = 0; pass < 2; ++pass) {
    m.count = pass == 0;
    memset(m.number, 0xff, crossings * sizeof *m.number);
    add_sides(&m);
    if (pass == 1) break;
    out->vertex = malloc(3 * out->vertices * sizeof(double));
    out->triangle = malloc(3 * out->triangles * sizeof(uint32_t));
    if (out->vertex == NULL || out->triangle == NULL) break;
  }
  free(m.number);
  if (out->vertex != NULL && out->triangle != NULL) return true;
  box_mesh_free(out);
  return false;
}

void box_mesh_free(mote_mesh *mesh) {
  free(mesh->vertex), free(mesh->triangle);
  *mesh = (mote_mesh){0};
}

bool bar_make(int cells, mote_mesh *out) {
  APP_ASSERT(cells > 0);
  double *line = malloc((size_t)(4 * cells + 1) * sizeof *line);
  if (line == NULL) return false;
  for (int i = 0; i <= 4 * cells; ++i) line[i] = (double)i / cells;
  box_lines lines = {.line = {line, line, line}, .cells = {cells, cells, 4 * cells}};
  bool done = box_mesh_make(&lines, out);
  free(line);
  return done;
}

// --- Poses ------------------------------------------------------------------------------------------------

void pose_identity(mote_pose *pose) {
  memset(pose, 0, sizeof *pose);
  pose->rotation[0] = pose->rotation[4] = pose->rotation[8] = 1.0;
}

void pose_rotate(mote_pose *pose, int axis, double angle) {
  APP_ASSERT(axis >= 0 && axis < 3);
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  memset(pose->rotation, 0, sizeof pose->rotation);
  pose->rotation[4 * axis] = 1.0;
  pose->rotation[4 * i] = pose->rotation[4 * j] = mote_cos(angle);
  pose->rotation[3 * i + j] = -mote_sin(angle), pose->rotation[3 * j + i] = mote_sin(angle);
}

void pose_apply(const mote_pose *pose, const double x[3], double out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i] = pose->pivot[i] + pose->move[i];
    for (int j = 0; j < 3; ++j) out[i] += pose->rotation[3 * i + j] * (x[j] - pose->pivot[j]);
  }
}

mote_pose bar_pose(bar_edit edit, double s) {
  APP_ASSERT(edit < BAR_EDITS);
  mote_pose pose;
  double angle = 0.5 * PI * s;
  pose_identity(&pose);
  pose.pivot[0] = pose.pivot[1] = 0.5, pose.pivot[2] = BAR_LENGTH;
  if (edit == BAR_STRETCH) pose.move[2] = 0.5 * BAR_LENGTH * s;
  if (edit == BAR_COMPRESS) pose.move[2] = -0.4 * BAR_LENGTH * s;
  if (edit == BAR_TWIST) pose_rotate(&pose, 2, PI * s);
  if (edit == BAR_BEND && s > 0.0) {
    pose_rotate(&pose, 1, angle);
    pose.move[0] = BAR_LENGTH / angle * (1.0 - mote_cos(angle));
    pose.move[2] = BAR_LENGTH / angle * mote_sin(angle) - BAR_LENGTH;
  }
  return pose;
}

// --- The trial --------------------------------------------------------------------------------------------

bool bar_trial_make(bar_trial *t, int cells, const mote_deform_def *def, const mote_env *env,
                    mote_error *error) {
  *t = (bar_trial){0};
  if (!bar_make(cells, &t->mesh)) return false;
  mote_deform_def with = *def;
  with.mesh = t->mesh;
  size_t n = t->mesh.vertices, lower = 0;
  t->cap = malloc(n * sizeof *t->cap);
  t->vertex = malloc(3 * n * sizeof(double)), t->normal = malloc(3 * n * sizeof(double));
  uint32_t *low = malloc(n * sizeof *low);
  bool good = t->cap != NULL && t->vertex != NULL && t->normal != NULL && low != NULL;
  for (size_t i = 0; i < n && good; ++i) {
    double z = t->mesh.vertex[3 * i + 2];
    if (z <= 0.0) low[lower++] = (uint32_t)i;
    if (z >= BAR_LENGTH) t->cap[t->caps++] = (uint32_t)i;
  }
  APP_ASSERT(!good || (lower == t->caps && lower > 0));
  good = good && mote_deform_create(&with, env, &t->deform, error) == MOTE_OK &&
         mote_deform_add_region(t->deform, low, lower, &t->fixed, error) == MOTE_OK &&
         mote_deform_add_region(t->deform, t->cap, t->caps, &t->moved, error) == MOTE_OK;
  free(low);
  if (!good) bar_trial_free(t);
  return good;
}

void bar_trial_free(bar_trial *t) {
  mote_deform_destroy(t->deform);
  box_mesh_free(&t->mesh);
  free(t->cap), free(t->vertex), free(t->normal);
  *t = (bar_trial){0};
}

double bar_trial_error(const bar_trial *t, const mote_pose *pose) {
  APP_ASSERT(t->caps > 0);
  double worst = 0.0;
  for (size_t k = 0; k < t->caps; ++k) {
    double to[3], square = 0.0;
    const double *x = t->vertex + 3 * (size_t)t->cap[k];
    pose_apply(pose, t->mesh.vertex + 3 * (size_t)t->cap[k], to);
    for (int a = 0; a < 3; ++a) square += (x[a] - to[a]) * (x[a] - to[a]);
    worst = square > worst ? square : worst;
  }
  return sqrt(worst) / mote_deform_size(t->deform);
}

double bar_trial_volume(const bar_trial *t) {
  return mote_deform_volume(t->deform, t->vertex) / mote_deform_volume(t->deform, t->mesh.vertex) - 1.0;
}
