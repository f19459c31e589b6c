// Meshes and flows of the trials of tracked surfaces: see track_trial.h.
#include "validate/tracking/track_trial.h"

#include <math.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

#define PI 3.14159265358979323846
#define SETTLE_ROUNDS 50

static bool make_mesh(size_t vertices, size_t triangles, mote_mesh *out) {
  APP_ASSERT(vertices > 0 && triangles > 0);
  *out = (mote_mesh){.vertex = malloc(3 * vertices * sizeof(double)),
                     .triangle = malloc(3 * triangles * sizeof(uint32_t))};
  if (out->vertex != NULL && out->triangle != NULL) return true;
  track_mesh_free(out);
  return false;
}

void track_mesh_free(mote_mesh *mesh) {
  free(mesh->vertex), free(mesh->triangle);
  *mesh = (mote_mesh){0};
}

static void add_triangle(mote_mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *t = mesh->triangle + 3 * mesh->triangles++;
  t[0] = a, t[1] = b, t[2] = c;
}

// --- Sphere -----------------------------------------------------------------------------------------------

// Whole points (x, y, z) with |x| + |y| + |z| = n, numbered as they are asked for.
typedef struct octahedron {
  mote_mesh *mesh;
  uint32_t *number;  // by x, y and the sign of z; 0: none yet
  int n;
  const double *centre;
  double radius;
} octahedron;

// Angles along the edges of the octahedron are even: triangles are nearly of one size.
static uint32_t octahedron_vertex(octahedron *o, const int at[3]) {
  size_t wide = 2 * (size_t)o->n + 1;
  uint32_t *number = &o->number[((size_t)(at[0] + o->n) * wide + (size_t)(at[1] + o->n)) * 2 + (at[2] < 0)];
  if (*number == 0) {
    double x[3], length = 0.0;
    for (int k = 0; k < 3; ++k) {
      x[k] = sin(0.5 * PI * at[k] / o->n);
      length += x[k] * x[k];
    }
    double *v = o->mesh->vertex + 3 * o->mesh->vertices++;
    for (int k = 0; k < 3; ++k) v[k] = o->centre[k] + o->radius * x[k] / sqrt(length);
    *number = (uint32_t)o->mesh->vertices;
  }
  return *number - 1;
}

static void octahedron_triangle(octahedron *o, const int sign[3], const int corner[3][3]) {
  uint32_t v[3];
  for (int c = 0; c < 3; ++c) {
    int at[3];
    for (int k = 0; k < 3; ++k) at[k] = sign[k] * corner[c][k];
    v[c] = octahedron_vertex(o, at);
  }
  bool odd = sign[0] * sign[1] * sign[2] < 0;
  add_triangle(o->mesh, v[0], v[odd ? 2 : 1], v[odd ? 1 : 2]);
}

bool track_sphere(size_t n, const double centre[3], double radius, mote_mesh *out) {
  APP_ASSERT(n > 0 && radius > 0.0);
  size_t wide = 2 * n + 1;
  octahedron o = {out, calloc(2 * wide * wide, sizeof(uint32_t)), (int)n, centre, radius};
  if (o.number == NULL || !make_mesh(4 * n * n + 2, 8 * n * n, out)) return free(o.number), false;
  for (int face = 0; face < 8; ++face) {
    int sign[3] = {face & 1 ? -1 : 1, face & 2 ? -1 : 1, face & 4 ? -1 : 1};
    for (int i = 0; i < o.n; ++i) {
      for (int j = 0; i + j < o.n; ++j) {
        int k = o.n - i - j;
        octahedron_triangle(&o, sign, (const int[3][3]){{i, j, k}, {i + 1, j, k - 1}, {i, j + 1, k - 1}});
        if (k < 2) continue;
        octahedron_triangle(&o, sign,
                            (const int[3][3]){{i + 1, j, k - 1}, {i + 1, j + 1, k - 2}, {i, j + 1, k - 1}});
      }
    }
  }
  APP_ASSERT(out->vertices == 4 * n * n + 2 && out->triangles == 8 * n * n);
  free(o.number);
  return true;
}

bool track_torus(double ring, double tube, size_t n, size_t m, mote_mesh *out) {
  APP_ASSERT(n > 2 && m > 2 && ring > tube && tube > 0.0);
  if (!make_mesh(n * m, 2 * n * m, out)) return false;
  for (size_t k = 0; k < n * m; ++k) {
    size_t i = k / m, j = k % m, next_i = (i + 1) % n, next_j = (j + 1) % m;
    double u = 2.0 * PI * (double)i / (double)n, v = 2.0 * PI * (double)j / (double)m,
           r = ring + tube * cos(v);
    double *x = out->vertex + 3 * out->vertices++;
    x[0] = r * cos(u), x[1] = r * sin(u), x[2] = tube * sin(v);
    uint32_t a = (uint32_t)k, b = (uint32_t)(next_i * m + j), c = (uint32_t)(next_i * m + next_j);
    add_triangle(out, a, b, c);
    add_triangle(out, a, c, (uint32_t)(i * m + next_j));
  }
  return true;
}

// --- Tracked ----------------------------------------------------------------------------------------------

bool track_begin(const mote_mesh *mesh, const double *colour, double edge, const mote_env *env,
                 mote_tracked **out, mote_error *error) {
  APP_ASSERT(edge > 0.0);
  mote_surface surface = {.mesh = *mesh, .fields = colour != NULL};
  double *copy = NULL;
  if (colour != NULL) {
    copy = malloc(mesh->vertices * sizeof *copy);
    for (size_t v = 0; copy != NULL && v < mesh->vertices; ++v) copy[v] = colour[v];
    surface.field[0] = (mote_field_view){"colour", "1", MOTE_TYPE_F64, 1, mesh->vertices, copy};
  }
  mote_track_def def = mote_track_def_default();
  def.edge = edge;
  mote_result result = mote_tracked_create(&def, &surface, env, out, error);
  free(copy);
  for (int k = 0; k < SETTLE_ROUNDS && result == MOTE_OK; ++k) {
    mote_track_report r;
    result = mote_tracked_improve(*out, &r, error);
    if (result != MOTE_OK || r.splits + r.collapses + r.flips + r.slides == 0) break;
  }
  return result == MOTE_OK;
}

const double enright_centre[3] = {0.35, 0.35, 0.35};

void enright_flow(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user;
  double now = cos(PI * time / ENRIGHT_TIME);
  for (size_t i = 0; i < count; ++i) {
    double s[3], twice[3];
    for (int k = 0; k < 3; ++k) {
      s[k] = sin(PI * x[3 * i + (size_t)k]);
      twice[k] = 2.0 * s[k] * cos(PI * x[3 * i + (size_t)k]);
    }
    velocity[3 * i] = now * 2.0 * s[0] * s[0] * twice[1] * twice[2];
    velocity[3 * i + 1] = -now * twice[0] * s[1] * s[1] * twice[2];
    velocity[3 * i + 2] = -now * twice[0] * twice[1] * s[2] * s[2];
  }
}

bool enright_begin(double edge, const mote_env *env, mote_tracked **out, mote_error *error) {
  // Edges of about 0.8 of the mesh's.
  size_t n = (size_t)(0.5 + 1.9 * ENRIGHT_RADIUS / edge);
  mote_mesh mesh;
  bool done = false;
  if (!track_sphere(n, enright_centre, ENRIGHT_RADIUS, &mesh)) return false;
  double *colour = malloc(mesh.vertices * sizeof *colour);
  for (size_t v = 0; colour != NULL && v < mesh.vertices; ++v)
    colour[v] = mesh.vertex[3 * v] > enright_centre[0];
  done = colour != NULL && track_begin(&mesh, colour, edge, env, out, error);
  free(colour);
  track_mesh_free(&mesh);
  return done;
}
