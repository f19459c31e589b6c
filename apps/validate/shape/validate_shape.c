// Validation of shape deformation (EG09 8.1): gradients of the energies, rigid motions, the edits of EG09
// Fig. 13 and of a bar, fingers close to each other, edits without a fixed handle.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/shape/deform_trial.h"
#include "validate/validate.h"

#define PI 3.14159265358979323846

static bool make_bar(validation *v, bar_trial *t, int cells, const mote_deform_def *def) {
  mote_error error = {0};
  if (bar_trial_make(t, cells, def, validation_env(v), &error)) return true;
  validation_error(v, &error);
  return false;
}

// --- Gradients --------------------------------------------------------------------------------------------

// A smooth state away from rest.
static void wobble(const double *rest, size_t nodes, double *x) {
  for (size_t a = 0; a < nodes; ++a) {
    const double *X = rest + 3 * a;
    x[3 * a] = 1.1 * X[0] + 0.2 * mote_sin(1.3 * X[2]) + 0.05 * X[1] * X[1];
    x[3 * a + 1] = 0.95 * X[1] + 0.1 * mote_sin(2.0 * X[0] + X[2]);
    x[3 * a + 2] = X[2] + 0.1 * X[0] * X[2] + 0.05 * mote_sin(3.0 * X[1]);
  }
}

// Largest difference between the gradient and central differences of fourth order, in largest components.
static double gradient_error(mote_deform *d, double *x, double *g) {
  size_t n = 3 * mote_deform_nodes(d);
  double step = 1e-3 * mote_deform_size(d), worst = 0.0, most = 0.0;
  mote_deform_report r;
  mote_deform_energy(d, x, &r, g, NULL);
  for (size_t i = 0; i < n; ++i) {
    static const double weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0},
                        at[4] = {-2.0, -1.0, 1.0, 2.0};
    double was = x[i], sum = 0.0;
    for (int k = 0; k < 4; ++k) {
      x[i] = was + at[k] * step;
      mote_deform_energy(d, x, &r, NULL, NULL);
      sum += weight[k] * r.energy / step;
    }
    x[i] = was;
    worst = fmax(worst, fabs(sum - g[i])), most = fmax(most, fabs(g[i]));
  }
  return worst / most;
}

void validate_deform_gradients(validation *v) {
  static const char *const name[3] = {"handles, gradient error", "rigidity, gradient error",
                                      "volume, gradient error"};
  for (int k = 0; k < 3; ++k) {
    mote_deform_def def = mote_deform_def_default();
    bar_trial t;
    def.weight = (mote_deform_weights){k == 0 ? 3e6 : 0.0, k == 1 ? 1.0 : 1e-12, k == 2 ? 100.0 : 0.0};
    if (!make_bar(v, &t, 8, &def)) return;
    size_t n = 3 * mote_deform_nodes(t.deform);
    double *x = malloc(n * sizeof *x), *g = malloc(n * sizeof *g);
    mote_pose pose = bar_pose(BAR_BEND, 0.7);
    mote_deform_set_pose(t.deform, t.moved, &pose, NULL);
    if (x != NULL && g != NULL) {
      wobble(mote_deform_rest(t.deform), n / 3, x);
      validation_near(v, name[k], gradient_error(t.deform, x, g), 0.0, 1e-6, "differences");
    }
    free(x), free(g);
    bar_trial_free(&t);
  }
}

// --- Rigid motions ----------------------------------------------------------------------------------------

// Energy of a map of all nodes, and the largest error of a vertex in sizes.
static double map_energy(bar_trial *t, const mote_pose *pose, double stretch, double *x, double *error) {
  size_t nodes = mote_deform_nodes(t->deform);
  const double *rest = mote_deform_rest(t->deform);
  mote_deform_report r;
  for (size_t a = 0; a < nodes; ++a) {
    double y[3] = {rest[3 * a], rest[3 * a + 1], stretch * rest[3 * a + 2]};
    pose_apply(pose, y, x + 3 * a);
  }
  mote_deform_energy(t->deform, x, &r, NULL, NULL);
  mote_deform_read_at(t->deform, x, t->vertex, t->normal, NULL);
  *error = 0.0;
  for (size_t i = 0; i < t->mesh.vertices; ++i) {
    double to[3];
    pose_apply(pose, t->mesh.vertex + 3 * i, to);
    for (int a = 0; a < 3; ++a) *error = fmax(*error, fabs(to[a] - t->vertex[3 * i + (size_t)a]));
  }
  *error /= mote_deform_size(t->deform);
  return r.rigidity + r.volume;
}

void validate_deform_rigid(validation *v) {
  mote_deform_def def = mote_deform_def_default();
  bar_trial t;
  if (!make_bar(v, &t, 20, &def)) return;
  double *x = malloc(3 * mote_deform_nodes(t.deform) * sizeof *x), error, ignored;
  mote_pose rest, pose;
  pose_identity(&rest), pose_identity(&pose);
  pose_rotate(&pose, 1, 2.3);
  pose.pivot[0] = 0.3, pose.move[0] = 5.0, pose.move[1] = -2.0, pose.move[2] = 1.0;
  if (x != NULL) {
    double stretched = map_energy(&t, &rest, 1.01, x, &ignored),
           rigid = map_energy(&t, &pose, 1.0, x, &error);
    validation_near(v, "rigid motion, largest error of a vertex, sizes", error, 0.0, 1e-10, "exact");
    validation_near(v, "rigid motion, energy over that of a 1 % stretch", rigid / stretched, 0.0, 1e-18,
                    "exact");
  }
  free(x);
  bar_trial_free(&t);
}

// --- Edits of a bar ---------------------------------------------------------------------------------------

// Walks to the edit; the least determinant on the way.
static double walk_to(bar_trial *t, bar_edit edit, mote_deform_report *r) {
  double least = HUGE_VAL;
  mote_deform_reset(t->deform);
  for (int s = 1; s <= 30; ++s) {
    mote_pose pose = bar_pose(edit, s / 30.0);
    mote_deform_set_pose(t->deform, t->moved, &pose, NULL);
    mote_deform_solve(t->deform, NULL, r, NULL);
    least = fmin(least, r->least_determinant);
  }
  mote_deform_read(t->deform, t->vertex, t->normal, NULL);
  return least;
}

// A short box, whose sides pull in more.
static void run_box(validation *v) {
  double line[17];
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d = NULL;
  mote_error error = {0};
  for (int i = 0; i <= 16; ++i) line[i] = i / 8.0;
  box_lines lines = {.line = {line, line, line}, .cells = {8, 8, 16}};
  uint32_t cap[2][81];
  size_t count[2] = {0, 0};
  if (!box_mesh_make(&lines, &def.mesh)) return;
  for (uint32_t i = 0; i < def.mesh.vertices; ++i) {
    double z = def.mesh.vertex[3 * i + 2];
    if (z <= 0.0) cap[0][count[0]++] = i;
    if (z >= 2.0) cap[1][count[1]++] = i;
  }
  mote_deform_handle handle[2];
  mote_pose pose;
  pose_identity(&pose), pose.move[2] = 1.0;
  double *x = malloc(3 * def.mesh.vertices * sizeof *x);
  if (x != NULL && mote_deform_create(&def, validation_env(v), &d, &error) == MOTE_OK &&
      mote_deform_add_region(d, cap[0], count[0], &handle[0], &error) == MOTE_OK &&
      mote_deform_add_region(d, cap[1], count[1], &handle[1], &error) == MOTE_OK &&
      mote_deform_set_pose(d, handle[1], &pose, &error) == MOTE_OK &&
      mote_deform_solve(d, NULL, NULL, &error) == MOTE_OK &&
      mote_deform_read(d, x, NULL, &error) == MOTE_OK) {
    validation_near(v, "box of 2 x 1 x 1 stretched x 1.5, change of volume",
                    mote_deform_volume(d, x) / mote_deform_volume(d, def.mesh.vertex) - 1.0, 0.0, 0.03,
                    "EG09 Fig. 13");
  } else {
    validation_error(v, &error);
  }
  free(x);
  mote_deform_destroy(d);
  box_mesh_free(&def.mesh);
}

void validate_deform_edits(validation *v) {
  static const double volume[BAR_EDITS] = {0.03, 0.06, 0.01, 0.01};
  mote_deform_def def = mote_deform_def_default();
  bar_trial t;
  if (!make_bar(v, &t, validation_quick(v) ? 12 : 40, &def)) return;
  for (int edit = 0; edit < BAR_EDITS; ++edit) {
    char name[64];
    mote_deform_report r;
    double least = walk_to(&t, (bar_edit)edit, &r);
    mote_pose pose = bar_pose((bar_edit)edit, 1.0);
    snprintf(name, sizeof name, "%s, change of volume", bar_edit_name[edit]);
    validation_near(v, name, bar_trial_volume(&t), 0.0, volume[edit], "EG09 Fig. 13");
    snprintf(name, sizeof name, "%s, farthest of a handle's vertices, sizes", bar_edit_name[edit]);
    validation_report(v, &(measure){name, edit == BAR_COMPRESS ? MEASURE_SHOWN : MEASURE_NEAR,
                                    bar_trial_error(&t, &pose), 0.0, 1e-3, "target"});
    snprintf(name, sizeof name, "%s, least det F", bar_edit_name[edit]);
    validation_report(v, &(measure){name, MEASURE_AT_LEAST, least, 0.0, 0.0, "no sample inverted"});
  }
  bar_trial_free(&t);
  run_box(v);
  def.weight.volume = 0.0;
  if (!make_bar(v, &t, 12, &def)) return;
  mote_deform_report r;
  walk_to(&t, BAR_STRETCH, &r);
  validation_near(v, "stretch x 1.5 by rigidity alone, change of volume", bar_trial_volume(&t), 0.5, 0.05,
                  "EG09 Fig. 13");
  bar_trial_free(&t);
}

// --- Fingers ----------------------------------------------------------------------------------------------

// A palm and two fingers with a gap of 1 % of the size.
enum { FINGER = 6, PALM = 10, TALL = 24 };
#define KNUCKLE_HEIGHT (2.5 * PALM / (PALM + TALL))

static bool hand_inside(int i, int j, int k) {
  (void)j;
  return k < PALM || i != FINGER;
}

static bool make_hand(mote_mesh *mesh) {
  double x[2 * FINGER + 2], y[FINGER + 1], z[PALM + TALL + 1], width = 0.35, gap = 0.026, height = 2.5;
  for (int i = 0; i <= FINGER; ++i) {
    y[i] = x[i] = width * i / FINGER;
    x[FINGER + 1 + i] = width + gap + width * i / FINGER;
  }
  for (int k = 0; k <= PALM + TALL; ++k) z[k] = height * k / (PALM + TALL);
  box_lines lines = {
      .line = {x, y, z}, .cells = {2 * FINGER + 1, FINGER, PALM + TALL}, .inside = hand_inside};
  return box_mesh_make(&lines, mesh);
}

typedef struct hand {
  mote_mesh mesh;
  mote_deform *deform;
  uint32_t *list;
  double *vertex;
} hand;

// The palm and one finger up to its joint; or the tip of that finger.
static size_t choose(hand *h, bool tip) {
  size_t count = 0;
  for (size_t i = 0; i < h->mesh.vertices; ++i) {
    const double *x = h->mesh.vertex + 3 * i;
    bool first = x[0] < 0.36;
    if (tip ? first && x[2] > 1.9 : x[2] < KNUCKLE_HEIGHT + 0.01 || (first && x[2] < 1.3))
      h->list[count++] = (uint32_t)i;
  }
  return count;
}

static void bend_finger(validation *v, hand *h) {
  mote_deform_handle palm, tip;
  mote_error error = {0};
  mote_deform_report r;
  mote_pose pose;
  double moved = 0.0, tip_moved = 0.0;
  if (mote_deform_add_region(h->deform, h->list, choose(h, false), &palm, &error) ||
      mote_deform_add_region(h->deform, h->list, choose(h, true), &tip, &error)) {
    validation_error(v, &error);
    return;
  }
  pose_identity(&pose);
  pose.pivot[0] = 0.17, pose.pivot[2] = 1.6;
  pose_rotate(&pose, 0, 0.25 * PI);
  mote_deform_set_pose(h->deform, tip, &pose, NULL);
  mote_deform_solve(h->deform, NULL, &r, NULL);
  mote_deform_read(h->deform, h->vertex, NULL, NULL);
  for (size_t i = 0; i < h->mesh.vertices; ++i) {
    const double *x = h->mesh.vertex + 3 * i, *y = h->vertex + 3 * i;
    double d =
        sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
    if (x[2] > KNUCKLE_HEIGHT && x[0] > 0.36) moved = fmax(moved, d);
    if (x[2] > KNUCKLE_HEIGHT && x[0] < 0.36) tip_moved = fmax(tip_moved, d);
  }
  double size = mote_deform_size(h->deform);
  validation_show(v, "one finger bent by 45 deg: it moves, sizes", tip_moved / size, 0.0, "");
  validation_near(v, "the other finger, a gap of 1 % away, moves, sizes", moved / size, 0.0, 1e-3,
                  "material distance");
}

void validate_deform_fingers(validation *v) {
  hand h = {0};
  mote_error error = {0};
  mote_deform_def def = mote_deform_def_default();
  if (!make_hand(&h.mesh)) return;
  h.list = malloc(h.mesh.vertices * sizeof *h.list), h.vertex = malloc(3 * h.mesh.vertices * sizeof(double));
  def.mesh = h.mesh;
  if (h.list != NULL && h.vertex != NULL) {
    if (mote_deform_create(&def, validation_env(v), &h.deform, &error) == MOTE_OK) {
      bend_finger(v, &h);
    } else {
      validation_error(v, &error);
    }
  }
  mote_deform_destroy(h.deform);
  free(h.list), free(h.vertex);
  box_mesh_free(&h.mesh);
}

// --- Without a fixed handle -------------------------------------------------------------------------------

void validate_deform_free(validation *v) {
  mote_deform_def def = mote_deform_def_default();
  bar_trial t;
  mote_deform_report r = {0};
  if (!make_bar(v, &t, 12, &def)) return;
  mote_deform_set_free(t.deform, t.fixed, true, NULL);
  mote_pose pose = bar_pose(BAR_BEND, 0.5);
  mote_deform_set_pose(t.deform, t.moved, &pose, NULL);
  mote_deform_solve(t.deform, NULL, &r, NULL);
  mote_deform_read(t.deform, t.vertex, t.normal, NULL);
  validation_near(v, "one handle only: farthest of its vertices, sizes", bar_trial_error(&t, &pose), 0.0,
                  1e-6, "rigid motion");
  double before[3], after[3];
  memcpy(before, t.vertex, sizeof before);
  for (int k = 0; k < 100; ++k) mote_deform_solve(t.deform, NULL, &r, NULL);
  mote_deform_read(t.deform, t.vertex, t.normal, NULL);
  memcpy(after, t.vertex, sizeof after);
  double drift =
      fmax(fabs(after[0] - before[0]), fmax(fabs(after[1] - before[1]), fabs(after[2] - before[2])));
  validation_near(v, "one handle only: drift in 100 more solves, sizes", drift / mote_deform_size(t.deform),
                  0.0, 1e-8, "");
  bar_trial_free(&t);
}
