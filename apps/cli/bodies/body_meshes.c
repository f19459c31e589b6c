// Meshes of rigid bodies: see body_meshes.h.
#include "cli/bodies/body_meshes.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

#define CELLS_FEW_BODIES 24   // along the longest side of a body
#define CELLS_MANY_BODIES 10  // the same in scenes of more than MANY_BODIES bodies
#define MANY_BODIES 200

struct body_model {
  body_model *older;
  mote_shape_def def;
  mote_mesh mesh;
  bool box;   // its mesh is stored in this struct
  bool lent;  // its mesh belongs to the definition
  double vertex[24];
  uint32_t triangle[36];
  double centre[3];  // of mass
  double middle[3];  // of the bounding box
};

body_meshes body_meshes_open(int dimensions, size_t bodies, const mote_env *env) {
  APP_ASSERT(dimensions == 2 || dimensions == 3);
  return (body_meshes){.env = *env,
                       .dimensions = dimensions,
                       .cells = bodies > MANY_BODIES ? CELLS_MANY_BODIES : CELLS_FEW_BODIES};
}

void body_meshes_close(body_meshes *meshes) {
  for (body_model *m = meshes->model, *older; m != NULL; m = older) {
    older = m->older;
    if (!m->box && !m->lent) mote_mesh_free(&m->mesh, &meshes->env);
    free(m);
  }
  meshes->model = NULL;
}

// --- Models ---

// The definition without scale, rotation and move.
static mote_shape_def plain_def(const mote_shape_def *def) {
  static const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  mote_shape_def plain;
  memcpy(&plain, def, sizeof plain);  // padding as well: compared bytewise
  plain.scale = 1, plain.angle = 0;
  memcpy(plain.axis, up, sizeof up);
  memcpy(plain.pivot, zero, sizeof zero);
  memcpy(plain.move, zero, sizeof zero);
  return plain;
}

// Eight corners, numbered by bits, and twelve triangles.
static void make_box(body_model *m) {
  APP_ASSERT(m->def.kind == MOTE_SHAPE_BOX);
  static const uint32_t face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  static const int half[6] = {0, 1, 2, 0, 2, 3};
  for (int k = 0; k < 24; ++k)
    m->vertex[k] = (k / 3 >> k % 3 & 1) != 0 ? m->def.high[k % 3] : m->def.low[k % 3];
  for (int k = 0; k < 36; ++k) m->triangle[k] = face[k / 6][half[k % 6]];
  m->box = true;
  m->mesh = (mote_mesh){m->vertex, m->triangle, 8, 12};
}

static mote_result make_model(const body_meshes *meshes, body_model *m, mote_error *error) {
  APP_ASSERT(meshes->cells > 0);
  mote_shape *shape;
  mote_moments moments;
  double low[3], high[3], longest = 0;
  mote_result result = mote_shape_create(&m->def, meshes->dimensions, &meshes->env, &shape, error);
  if (result != MOTE_OK) return result;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) {
    bool flat = k >= meshes->dimensions;
    m->middle[k] = flat ? 0 : 0.5 * (low[k] + high[k]);
    longest = fmax(longest, flat ? 0 : high[k] - low[k]);
  }
  for (int k = 0; k < 3; ++k)  // margin for the surface
    low[k] -= 2 * longest / meshes->cells, high[k] += 2 * longest / meshes->cells;
  result = mote_shape_moments(shape, &moments, error);
  if (result == MOTE_OK) memcpy(m->centre, moments.centre, sizeof m->centre);
  if (result == MOTE_OK && m->def.kind == MOTE_SHAPE_BOX && meshes->dimensions == 3) {
    make_box(m);
  } else if (result == MOTE_OK && m->def.kind == MOTE_SHAPE_MESH && meshes->whole) {
    m->mesh = m->def.mesh, m->lent = true;
  } else if (result == MOTE_OK) {
    result = mote_shape_triangles(shape, meshes->dimensions, low, high, meshes->cells, &meshes->env, &m->mesh,
                                  error);
  }
  mote_shape_destroy(shape);
  return result;
}

static const body_model *find_model(body_meshes *meshes, const mote_shape_def *def) {
  mote_error error;
  mote_shape_def plain = plain_def(def);
  for (const body_model *m = meshes->model; m != NULL; m = m->older) {
    if (memcmp(&m->def, &plain, sizeof plain) == 0) return m;
  }
  body_model *own = calloc(1, sizeof *own);
  if (own == NULL) return complain("no memory for bodies"), NULL;
  memcpy(&own->def, &plain, sizeof plain);
  if (make_model(meshes, own, &error) != MOTE_OK) {
    free(own);
    return complain_error(&error), NULL;
  }
  own->older = meshes->model;
  return meshes->model = own;
}

// --- Bodies ---

// x -> R s (x - pivot) + pivot + move, as a definition's scale, rotation and move.
typedef struct placing {
  double turn[9], pivot[3], move[3], scale;
} placing;

static placing placing_of(const mote_shape_def *def, const body_model *model) {
  placing p = {.scale = def->scale};
  const double *a = def->axis;
  double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), n[3] = {0, 0, 1};
  for (int k = 0; k < 3 && length > 0; ++k) n[k] = a[k] / length;
  double c = mote_cos(def->angle), s = mote_sin(def->angle);
  const double cross[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  bool given = !isnan(def->pivot[0]) || !isnan(def->pivot[1]) || !isnan(def->pivot[2]);
  for (int k = 0; k < 9; ++k) p.turn[k] = c * (k % 4 == 0) + s * cross[k] + (1 - c) * n[k / 3] * n[k % 3];
  memcpy(p.pivot, given ? def->pivot : model->middle, sizeof p.pivot);
  memcpy(p.move, def->move, sizeof p.move);
  return p;
}

static void put(const placing *p, const double x[3], double out[3]) {
  double r[3] = {x[0] - p->pivot[0], x[1] - p->pivot[1], x[2] - p->pivot[2]};
  for (int k = 0; k < 3; ++k) {
    double turned = p->turn[3 * k] * r[0] + p->turn[3 * k + 1] * r[1] + p->turn[3 * k + 2] * r[2];
    out[k] = p->scale * turned + p->pivot[k] + p->move[k];
  }
}

bool body_meshes_make(body_meshes *meshes, const mote_body_def *def, mote_mesh *out, double reference[3]) {
  const body_model *model = find_model(meshes, &def->shape);
  if (model == NULL) return false;
  placing p = placing_of(&def->shape, model);
  *out = model->mesh;
  out->vertex = malloc(3 * (out->vertices + 1) * sizeof *out->vertex);
  if (out->vertex == NULL) return complain("no memory for bodies"), false;
  for (size_t k = 0; k < out->vertices; ++k) put(&p, model->mesh.vertex + 3 * k, out->vertex + 3 * k);
  put(&p, model->centre, reference);
  return true;
}

mote_pose body_pose(const double reference[3], const double position[3], const double orientation[4]) {
  const double w = orientation[0], x = orientation[1], y = orientation[2], z = orientation[3];
  mote_pose pose = {.rotation = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                                 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                                 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int k = 0; k < 3; ++k) pose.pivot[k] = reference[k], pose.move[k] = position[k] - reference[k];
  return pose;
}
