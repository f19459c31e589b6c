// Limbs that are parts of their own: turned inward, apart from the body, thinner than the spacing of the
// nodes.
#include <math.h>

#include "deform/deform_data.h"
#include "deform_kit.h"
#include "test.h"

enum { BODY_TOP = 0, BODY_FOOT = 1 };

typedef struct creature {
  mote_mesh mesh;
  size_t body;  // vertices of the body; those of the arm come behind
} creature;

static void append(mote_mesh *to, const mote_mesh *from, const double move[3], bool turned) {
  for (size_t v = 0; v < from->vertices; ++v)
    for (size_t k = 0; k < 3; ++k) to->vertex[3 * (to->vertices + v) + k] = from->vertex[3 * v + k] + move[k];
  for (size_t t = 0; t < from->triangles; ++t)
    for (size_t k = 0; k < 3; ++k)
      to->triangle[3 * (to->triangles + t) + k] =
          (uint32_t)to->vertices + from->triangle[3 * t + (turned ? 2 - k : k)];
  to->vertices += from->vertices, to->triangles += from->triangles;
}

// A body of 1 x 1 x 2 and an arm of 0.2 x 0.2 x 1.2 that begins at x = `root`; the body ends at 1.
static creature creature_make(double root, bool turned) {
  kit_boxes body = kit_boxes_make(8, 8, 16, 0.125, NULL, false),
            arm = kit_boxes_make(24, 4, 4, 0.05, NULL, false);
  size_t v = body.mesh.vertices + arm.mesh.vertices, t = body.mesh.triangles + arm.mesh.triangles;
  creature c = {.mesh = {malloc(3 * v * sizeof(double)), malloc(3 * t * sizeof(uint32_t)), 0, 0}};
  if (!c.mesh.vertex || !c.mesh.triangle) abort();
  append(&c.mesh, &body.mesh, (double[3]){0.0, 0.0, 0.0}, false);
  c.body = c.mesh.vertices;
  append(&c.mesh, &arm.mesh, (double[3]){root, 0.41, 0.52}, turned);
  kit_boxes_free(&body), kit_boxes_free(&arm);
  return c;
}

static void creature_free(creature *c) {
  free(c->mesh.vertex), free(c->mesh.triangle);
}

static mote_deform *open_creature(const creature *c, bool ties) {
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d = NULL;
  mote_error error = {0};
  def.mesh = c->mesh, def.nodes = 60, def.ties = ties;
  if (!CHECK(mote_deform_create(&def, NULL, &d, &error) == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
  for (int end = 0; end < 2 && d != NULL; ++end) {
    uint32_t list[600];
    size_t count = 0;
    for (size_t i = 0; i < c->body && count < 600; ++i) {
      double z = c->mesh.vertex[3 * i + 2];
      if (end == BODY_TOP ? z > 1.7 : z < 0.3) list[count++] = (uint32_t)i;
    }
    CHECK(mote_deform_add_region(d, list, count, NULL, NULL) == MOTE_OK);
  }
  return d;
}

// The top is turned by 50 degrees and moved aside.
static void bend(mote_deform *d, double *x, mote_deform_mesh_report *mesh) {
  mote_pose pose = {.rotation = {0.6428, 0.0, 0.7660, 0.0, 1.0, 0.0, -0.7660, 0.0, 0.6428},
                    .pivot = {0.5, 0.5, 1.8}};
  mote_deform_report report;
  double c = 0.64278760968653936, s = 0.76604444311897801;
  pose.rotation[0] = pose.rotation[8] = c, pose.rotation[2] = s, pose.rotation[6] = -s, pose.move[0] = 0.4;
  CHECK(mote_deform_set_pose(d, BODY_TOP, &pose, NULL) == MOTE_OK);
  CHECK(mote_deform_solve(d, NULL, &report, NULL) == MOTE_OK && report.converged);
  CHECK(report.handle_error < 1e-3);
  CHECK(mote_deform_read(d, x, NULL, NULL) == MOTE_OK);
  CHECK(mote_deform_measure(d, x, mesh, NULL) == MOTE_OK);
}

static double distance_of(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// The largest change of the length of an edge of the arm beyond `from` along x, as a part.
static double arm_strain(const creature *c, const double *x, double from) {
  double worst = 0.0;
  for (size_t t = 0; t < c->mesh.triangles; ++t) {
    const uint32_t *v = c->mesh.triangle + 3 * t;
    for (size_t k = 0; k < 3; ++k) {
      size_t a = v[k], b = v[(k + 1) % 3];
      if (a < c->body || c->mesh.vertex[3 * a] < from) continue;
      worst = fmax(worst, fabs(distance_of(x + 3 * a, x + 3 * b) /
                                   distance_of(c->mesh.vertex + 3 * a, c->mesh.vertex + 3 * b) -
                               1.0));
    }
  }
  return worst;
}

// An arm that crosses the body, in the file's sense or against it: the same vertices, and the arm as it was.
static void test_turned(void) {
  double *x[2];
  for (int turned = 0; turned < 2; ++turned) {
    creature c = creature_make(0.87, turned != 0);
    mote_deform *d = open_creature(&c, true);
    mote_deform_mesh_report mesh = {0};
    x[turned] = malloc(3 * c.mesh.vertices * sizeof(double));
    bend(d, x[turned], &mesh);
    CHECK(arm_strain(&c, x[turned], 0.0) < 0.3);
    CHECK(mesh.beyond == 0 && mesh.inverted == 0 && mesh.stretch_most < 3.0 && mesh.stretch_least > 0.3);
    CHECK(mote_deform_nodes(d) > 60 && mote_deform_ties(d, NULL) == 0);
    CHECK_NEAR(mote_deform_volume(d, c.mesh.vertex), 2.048, 1e-9);
    if (turned) CHECK(memcmp(x[0], x[1], 3 * c.mesh.vertices * sizeof(double)) == 0);
    mote_deform_destroy(d);
    creature_free(&c);
  }
  free(x[0]), free(x[1]);
}

// Apart by 0.04, 1.3 % of the size: tied; loose it stays where it was; apart by 0.6 it is not tied.
static void test_ties(void) {
  for (int loose = 0; loose < 2; ++loose) {
    creature c = creature_make(1.04, true);
    mote_deform *d = open_creature(&c, loose == 0);
    mote_deform_mesh_report mesh = {0};
    const mote_deform_tie *tie = NULL;
    double *x = malloc(3 * c.mesh.vertices * sizeof(double)), far = 0.0;
    bend(d, x, &mesh);
    CHECK(arm_strain(&c, x, 0.0) < 0.3 && mesh.beyond == 0);
    CHECK(mote_deform_ties(d, &tie) == (loose ? 0u : 1u));
    if (!loose && CHECK(tie != NULL)) {
      CHECK_NEAR(tie->gap, 0.04, 1e-6);
      CHECK((tie->triangle[0] < 1024) != (tie->triangle[1] < 1024));
    }
    for (size_t i = c.body; i < c.mesh.vertices; ++i)
      far = fmax(far, distance_of(x + 3 * i, c.mesh.vertex + 3 * i));
    CHECK(loose ? far < 1e-6 : far > 1e-3);
    free(x);
    mote_deform_destroy(d);
    creature_free(&c);
  }
  creature c = creature_make(1.6, false);
  mote_deform *d = open_creature(&c, true);
  CHECK(mote_deform_ties(d, NULL) == 0);
  mote_deform_destroy(d);
  creature_free(&c);
}

// The arm with a tip of a part of its thickness at the root.
static void taper(creature *c, double root, double tip) {
  for (size_t i = c->body; i < c->mesh.vertices; ++i) {
    double *x = c->mesh.vertex + 3 * i, part = 1.0 - (1.0 - tip) * (x[0] - root) / 1.2;
    x[1] = 0.51 + part * (x[1] - 0.51), x[2] = 0.62 + part * (x[2] - 0.62);
  }
}

// In a tip of a few cells several nodes have the same grid point. Each has a share of the volume, and energy
// at its own place: no part of the tip is free to turn inside out. (The root, up to 1.06, bends with the
// body, whose edges are stretched 1.9 times there.)
static void test_tips(void) {
  static const double tip[] = {0.1, 0.2};
  size_t together = 0;
  for (size_t k = 0; k < sizeof tip / sizeof *tip; ++k) {
    creature c = creature_make(0.87, true);
    taper(&c, 0.87, tip[k]);
    mote_deform *d = open_creature(&c, true);
    mote_deform_mesh_report mesh = {0};
    double *x = malloc(3 * c.mesh.vertices * sizeof(double)), sum = 0.0;
    for (uint32_t a = 0; a < d->space.samples; ++a) {
      CHECK(d->space.share[a] > 0.0);
      sum += d->space.share[a];
      for (uint32_t b = 0; b < a; ++b) together += d->space.point[a] == d->space.point[b];
    }
    CHECK_NEAR(sum, 1.0, 1e-12);
    bend(d, x, &mesh);
    CHECK(arm_strain(&c, x, 1.06) < 0.25 && mesh.inverted == 0 && mesh.beyond == 0);
    free(x);
    mote_deform_destroy(d);
    creature_free(&c);
  }
  CHECK(together > 0);
}

// The energies at a node are those at its own place, which may lie on the surface.
static void test_places(void) {
  creature c = creature_make(0.87, true);
  taper(&c, 0.87, 0.1);
  mote_deform *d = open_creature(&c, true);
  mote_deform_point at;
  size_t moved = 0;
  for (uint32_t a = 0; a < d->space.nodes; ++a) {
    double place[3];
    mote_deform_grid_place(&d->space.grid, d->space.point[a], place);
    moved += distance_of(place, d->space.node[a]) > 0.0;
    mote_deform_shapes_at(&d->space, d->space.node[a], d->space.point[a], &at);
    uint32_t first = d->sample.first[a];
    if (!CHECK(at.count == d->sample.first[a + 1] - first)) continue;
    CHECK(memcmp(at.gradient, d->sample.gradient[first], at.count * sizeof *at.gradient) == 0);
  }
  CHECK(moved > 0);
  mote_deform_destroy(d);
  creature_free(&c);
}

// What the mesh did is measured on the mesh, and a handle beyond the body is named.
static void test_measure(void) {
  creature c = creature_make(0.87, false);
  mote_deform *d = open_creature(&c, true);
  mote_deform_mesh_report mesh = {0};
  size_t n = 3 * c.mesh.vertices;
  double *x = malloc(n * sizeof *x);
  for (size_t i = 0; i < n; ++i) x[i] = c.mesh.vertex[i] * (i % 3 == 0 ? 3.5 : 1.0);
  CHECK(mote_deform_measure(d, x, &mesh, NULL) == MOTE_OK);
  CHECK_NEAR(mesh.stretch_most, 3.5, 1e-9);
  CHECK_NEAR(mesh.stretch_least, 1.0, 1e-9);
  CHECK(mesh.inverted == 0);
  CHECK(mote_deform_measure(NULL, x, &mesh, NULL) == MOTE_ERROR_ARGUMENT);
  // A state that is mirrored: all triangles are turned inside out.
  size_t nodes = mote_deform_nodes(d);
  double *mirrored = malloc(3 * nodes * sizeof *mirrored);
  for (size_t i = 0; i < 3 * nodes; ++i) mirrored[i] = mote_deform_rest(d)[i] * (i % 3 == 2 ? -1.0 : 1.0);
  CHECK(mote_deform_set_state(d, mirrored, NULL) == MOTE_OK && mote_deform_read(d, x, NULL, NULL) == MOTE_OK);
  CHECK(mote_deform_measure(d, x, &mesh, NULL) == MOTE_OK && mesh.inverted == c.mesh.triangles);
  mote_deform_reset(d);
  mote_pose pose = {
      .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .pivot = {0.5, 0.5, 1.8}, .move = {0.0, 0.0, 0.5}};
  CHECK(mote_deform_set_pose(d, BODY_TOP, &pose, NULL) == MOTE_OK &&
        !mote_deform_pushed_through(d, BODY_TOP));
  pose.move[2] = -2.5;
  CHECK(mote_deform_set_pose(d, BODY_TOP, &pose, NULL) == MOTE_OK && mote_deform_pushed_through(d, BODY_TOP));
  free(x), free(mirrored);
  mote_deform_destroy(d);
  creature_free(&c);
}

// A top that is pushed through its body is no solution, and the solve says so.
static void test_not_solved(void) {
  creature c = creature_make(0.87, false);
  mote_deform *d = open_creature(&c, true);
  mote_deform_report report = {0};
  mote_pose pose = {
      .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .pivot = {0.5, 0.5, 1.8}, .move = {0.0, 0.0, -2.5}};
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  opts.iterations = 150;
  CHECK(mote_deform_set_pose(d, BODY_TOP, &pose, NULL) == MOTE_OK);
  CHECK(mote_deform_solve(d, &opts, &report, NULL) == MOTE_OK);
  CHECK(!report.converged || report.handle_error > 0.01);
  CHECK(report.least_determinant > 0.0 && (!report.stalled || !report.converged));
  mote_deform_destroy(d);
  creature_free(&c);
}

int main(void) {
  test_turned();
  test_ties();
  test_tips();
  test_places();
  test_measure();
  test_not_solved();
  return test_end();
}
