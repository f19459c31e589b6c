// Triangle meshes in front of the camera: moved to their pose, cut at the near plane, filled per sample.
#include <math.h>
#include <string.h>

#include "draw/liquid_contact.h"
#include "draw/preview.h"

static void pose_vertex(const mote_pose *pose, const double *v, double out[3]) {
  for (int k = 0; k < 3; ++k) {
    if (pose == NULL) {
      out[k] = v[k];
      continue;
    }
    out[k] = pose->pivot[k] + pose->move[k];
    for (int m = 0; m < 3; ++m) out[k] += pose->rotation[3 * k + m] * (v[m] - pose->pivot[m]);
  }
}

// Flips the smooth normal to the side of the triangle's normal; uses that if it is zero.
static void turn_to(const float normal[3], float smooth[3]) {
  float along = normal[0] * smooth[0] + normal[1] * smooth[1] + normal[2] * smooth[2];
  for (int k = 0; k < 3; ++k) smooth[k] = along > 0 ? smooth[k] : along < 0 ? -smooth[k] : normal[k];
}

// Unit normal towards the eye; false for triangles without area.
static bool find_normal(mote_facet *facet, bool flat) {
  float a[3], b[3], n[3];
  for (int k = 0; k < 3; ++k)
    a[k] = facet->corner[1][k] - facet->corner[0][k], b[k] = facet->corner[2][k] - facet->corner[0][k];
  for (int k = 0; k < 3; ++k) {
    int p = (k + 1) % 3, q = (k + 2) % 3;
    n[k] = a[p] * b[q] - a[q] * b[p];
  }
  float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 0)) return false;
  const float *c = facet->corner[0];
  float away = flat ? n[2] : n[0] * c[0] + n[1] * c[1] + n[2] * c[2];
  facet->inner = !(away > 0);  // view coordinates are left-handed: n points into the mesh
  for (int k = 0; k < 3; ++k) facet->normal[k] = n[k] / (away > 0 ? -length : length);
  for (int corner = 0; corner < 3; ++corner) turn_to(facet->normal, facet->smooth[corner]);
  return true;
}

// A corner on the screen, with the inverse of the depth, which is linear there.
typedef struct screen_corner {
  double x, y, inverse;
} screen_corner;

static screen_corner project(const mote_camera *c, const float v[3]) {
  double inverse = 1 / (double)v[2], scale = c->flat ? c->scale : c->scale * inverse;
  return (screen_corner){c->x + scale * (double)v[0], c->y - scale * (double)v[1], inverse};
}

static void add_facet(const mote_camera *camera, mote_buffer *out, const mote_facet *facet) {
  mote_facet copy = *facet;
  copy.top = INFINITY, copy.bottom = -INFINITY;
  for (int k = 0; k < 3; ++k) {
    float row = (float)project(camera, facet->corner[k]).y;
    copy.top = fminf(copy.top, row), copy.bottom = fmaxf(copy.bottom, row);
  }
  if (find_normal(&copy, camera->flat)) mote_buffer_add(out, &copy, sizeof copy);
}

// The part of the triangle beyond the near plane: at most four corners.
static int cut_near(const mote_facet *facet, float near, float out[4][3]) {
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const float *a = facet->corner[k], *b = facet->corner[(k + 1) % 3];
    if (a[2] >= near) memcpy(out[count++], a, 3 * sizeof *a);
    if ((a[2] >= near) == (b[2] >= near)) continue;
    float t = (near - a[2]) / (b[2] - a[2]);
    for (int m = 0; m < 3; ++m) out[count][m] = a[m] + t * (b[m] - a[m]);
    ++count;
  }
  return count;
}

static void add_cut(const mote_camera *camera, mote_buffer *out, const mote_facet *facet, float near) {
  float corner[4][3];
  int count = cut_near(facet, near, corner);
  bool whole = facet->corner[0][2] >= near && facet->corner[1][2] >= near && facet->corner[2][2] >= near;
  if (whole) add_facet(camera, out, facet);
  for (int k = 2; k < count && !whole; ++k) {
    mote_facet part = {.colour = facet->colour, .liquid = facet->liquid};
    memcpy(part.corner[0], corner[0], sizeof *corner);
    memcpy(part.corner[1], corner[k - 1], sizeof *corner);
    memcpy(part.corner[2], corner[k], sizeof *corner);
    add_facet(camera, out, &part);
  }
}

// The corner of a triangle in view coordinates, with its normal; false if it is not finite.
static bool place_corner(const mote_preview *p, const mote_preview_mesh *m, const float *normal, size_t t,
                         int c, mote_facet *out) {
  double place[3], turned[3] = {0, 0, 0};
  pose_vertex(m->pose, m->mesh.vertex + 3 * (size_t)m->mesh.triangle[3 * t + (size_t)c], place);
  mote_camera_view(&p->camera, place, out->corner[c]);
  if (p->camera.flat) out->corner[c][2] = 1 + 3 * (float)p->radius;  // behind the particles
  normal += 9 * t + 3 * (size_t)c;
  for (int k = 0; k < 3; ++k)
    for (int n = 0; n < 3; ++n)
      turned[k] += (m->pose != NULL ? m->pose->rotation[3 * k + n] : k == n) * (double)normal[n];
  mote_camera_turn(&p->camera, turned, out->smooth[c]);
  return isfinite(out->corner[c][0]) && isfinite(out->corner[c][1]) && isfinite(out->corner[c][2]);
}

static void add_triangles(const mote_preview *p, const mote_preview_mesh *m, const float *normal,
                          mote_buffer *out) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, p->high[k] - p->low[k]);
  for (size_t t = 0; t < m->mesh.triangles; ++t) {
    mote_facet facet = {.colour = m->of_triangle != NULL ? m->of_triangle[t] : m->colour,
                        .liquid = m->liquid};
    bool finite = true;
    for (int c = 0; c < 3; ++c) finite = place_corner(p, m, normal, t, c, &facet) && finite;
    if (!finite) continue;
    if (p->camera.flat)
      add_facet(&p->camera, out, &facet);
    else
      add_cut(&p->camera, out, &facet, (float)(1e-3 * longest));
  }
}

// --- Liquids: their meshes end beyond the walls of the box and beyond other meshes
// --------------------------

static bool join(const mote_preview_mesh *other, mote_liquid_contact *c) {
  mote_mesh placed = other->mesh;
  size_t bytes = 3 * placed.vertices * sizeof *placed.vertex;
  placed.vertex = mote_io_new(&c->env, bytes);
  bool ok = placed.vertex != NULL;
  for (size_t v = 0; v < placed.vertices && ok; ++v)
    pose_vertex(other->pose, other->mesh.vertex + 3 * v, placed.vertex + 3 * v);
  ok = ok && mote_liquid_contact_find(c, &placed, other->colour.alpha < 255, NULL) == MOTE_OK;
  for (size_t k = 0; k < 3 * c->count && ok; ++k) c->x[k] += c->move[k];
  mote_io_delete(&c->env, placed.vertex, bytes);
  return ok;
}

static bool join_all(const mote_preview *p, const mote_mesh *mesh, const float *normal,
                     mote_liquid_contact *c, double *vertex) {
  size_t bytes = 3 * mesh->vertices * sizeof *vertex;
  memcpy(c->x, vertex, bytes);
  mote_liquid_contact_set_reach(c, mote_mean_edge(mesh));
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    for (size_t m = 0; m < 3; ++m) c->normal[3 * (size_t)mesh->triangle[k] + m] += (double)normal[3 * k + m];
  for (size_t k = 0; k < p->scene->meshes; ++k)
    if (!p->scene->mesh[k].liquid && !join(p->scene->mesh + k, c)) return false;
  memcpy(vertex, c->x, bytes);
  return true;
}

// Null: no memory.
static double *end_liquid(const mote_preview *p, const mote_mesh *mesh, const float *normal) {
  mote_liquid_contact c;
  double *vertex = mote_walls_reach(p, mesh, normal);
  bool opened = mote_liquid_contact_open(mesh->vertices, &p->env, &c);
  if (vertex != NULL && !(opened && join_all(p, mesh, normal, &c, vertex))) {
    mote_io_delete(&p->env, vertex, 3 * mesh->vertices * sizeof *vertex);
    vertex = NULL;
  }
  mote_liquid_contact_close(&c);
  return vertex;
}

static void add_mesh(const mote_preview *p, const mote_preview_mesh *m, mote_buffer *out) {
  size_t bytes = 9 * m->mesh.triangles * sizeof(float);
  if (m->mesh.triangles == 0) return;
  mote_preview_mesh drawn = *m;
  bool reaches = m->liquid && !p->camera.flat && m->pose == NULL;
  float *normal = mote_io_new(&p->env, bytes);
  bool ok = normal != NULL && mote_corner_normals(&m->mesh, &p->env, normal);
  if (ok && reaches) drawn.mesh.vertex = end_liquid(p, &m->mesh, normal);
  if (ok && drawn.mesh.vertex != NULL)
    add_triangles(p, &drawn, normal, out);
  else
    out->failed = true;
  if (drawn.mesh.vertex != m->mesh.vertex)
    mote_io_delete(&p->env, drawn.mesh.vertex, 3 * m->mesh.vertices * sizeof(double));
  mote_io_delete(&p->env, normal, bytes);
}

// Far before near, equal ones in their order: shell sort, as transparent meshes are small.
static float farness(const mote_facet *facet) {
  return facet->corner[0][2] + facet->corner[1][2] + facet->corner[2][2];
}

static void sort_far_first(mote_facet *facet, size_t count) {
  for (size_t gap = count / 2; gap > 0; gap /= 2)
    for (size_t k = gap; k < count; ++k) {
      mote_facet moving = facet[k];
      size_t at = k;
      for (; at >= gap && farness(facet + at - gap) < farness(&moving); at -= gap)
        facet[at] = facet[at - gap];
      facet[at] = moving;
    }
}

mote_result mote_facets_make(mote_preview *p, mote_error *error) {
  mote_buffer *all = &p->facet_bytes;
  *all = mote_buffer_make(&p->env);
  p->part = mote_io_new(&p->env, p->scene->meshes * sizeof *p->part);
  if (p->part == NULL && p->scene->meshes > 0) return mote_io_fail_memory(error);
  for (size_t k = 0; k < p->scene->meshes; ++k) {
    const mote_preview_mesh *m = p->scene->mesh + k;
    if (m->colour.alpha < 255) continue;
    size_t first = all->size / sizeof(mote_facet);
    add_mesh(p, m, all);
    p->part[p->parts++] = (mote_part){first, all->size / sizeof(mote_facet) - first, m->liquid};
  }
  p->opaque = all->size / sizeof(mote_facet);
  for (size_t k = 0; k < p->scene->meshes; ++k)
    if (p->scene->mesh[k].colour.alpha < 255) add_mesh(p, p->scene->mesh + k, all);
  if (all->failed) return mote_io_fail_memory(error);
  p->facet = (mote_facet *)(void *)all->data;
  p->facets = all->size / sizeof(mote_facet);
  if (p->facets > p->opaque) sort_far_first(p->facet + p->opaque, p->facets - p->opaque);
  return MOTE_OK;
}

static double edge(screen_corner a, screen_corner b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static int cut_to(double x, int size) {
  return x <= 0 ? 0 : x >= size ? size : (int)x;
}

void mote_facet_raster(const mote_preview *p, mote_band *band, size_t facet, mote_facet_fill *fill) {
  screen_corner c[3];
  const mote_facet *f = p->facet + facet;
  if (f->bottom < (float)band->top || f->top > (float)(band->top + band->height)) return;
  for (int k = 0; k < 3; ++k) c[k] = project(&p->camera, f->corner[k]);
  double area = edge(c[0], c[1], c[2].x, c[2].y);
  if (!(fabs(area) > 0)) return;
  double left = fmin(c[0].x, fmin(c[1].x, c[2].x)), right = fmax(c[0].x, fmax(c[1].x, c[2].x));
  double top = (double)f->top, bottom = (double)f->bottom;
  int x0 = cut_to(floor(left), band->width), x1 = cut_to(ceil(right), band->width);
  int y0 = cut_to(floor(top) - band->top, band->height), y1 = cut_to(ceil(bottom) - band->top, band->height);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      double sx = x + 0.5, sy = band->top + y + 0.5;
      double a = edge(c[1], c[2], sx, sy) / area, b = edge(c[2], c[0], sx, sy) / area, d = 1 - a - b;
      if (a < 0 || b < 0 || d < 0) continue;
      float depth = (float)(1 / (a * c[0].inverse + b * c[1].inverse + d * c[2].inverse));
      size_t at = (size_t)y * (size_t)band->width + (size_t)x;
      if (depth < band->depth[at]) fill(p, band, at, depth, facet);
    }
}
