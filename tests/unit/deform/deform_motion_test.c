// Motion: shape functions in time against approx/mls; the frame of reference and its derivatives; gradients
// of the energies by differences; rigid motion exact; partial keys, velocities, moving obstacles; balls that
// cover the shape; bad arguments.
#include "deform/deform_motion.h"

#include <math.h>
#include <mote/approx.h>

#include "deform_kit.h"
#include "geom/triple.h"
#include "test.h"

static void twin_weight(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                        int derivatives, double *w, double dw[3], double ddw[6]) {
  (void)user, (void)i, (void)x, (void)derivatives;
  double q = offset[0] / radius, left = max2(0.0, 1.0 - q * q);
  *w = left * left * left, dw[0] = -6.0 * q * left * left / radius;
  ddw[0] = (-6.0 * left * left + 24.0 * q * q * left) / (radius * radius);
}

static void test_rows(void) {
  enum { FRAMES = 7 };
  const double time[FRAMES] = {0.0, 0.2, 0.9, 1.0, 1.6, 1.7, 2.5};
  double support[FRAMES], position[3 * FRAMES] = {0};
  mote_motion_supports(time, FRAMES, support);
  for (int j = 0; j < FRAMES; ++j) position[3 * j] = time[j];
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(1), def.order = 2, def.position = position, def.count = FRAMES;
  def.radius = support, def.weight = twin_weight;
  mote_mls *mls;
  mote_mls_shapes *shapes;
  CHECK(mote_mls_create(&def, NULL, &mls, NULL) == MOTE_OK);
  for (int s = 0; s <= 50; ++s) {
    double x[3] = {2.5 * s / 50.0, 0.0, 0.0}, sum[3] = {0};
    mote_motion_row row;
    mote_motion_row_at(time, support, FRAMES, x[0], &row);
    CHECK(row.count >= 3);
    CHECK(mote_mls_shapes_create(mls, x, 1, 2, NULL, &shapes, NULL) == MOTE_OK);
    const mote_lists *lists = mote_mls_shapes_lists(shapes);
    for (size_t k = 0; k < lists->number[0]; ++k) {
      for (int e = 0; e < row.count; ++e) {
        if (row.frame[e] != lists->index[lists->first[0] + k]) continue;
        CHECK_NEAR(row.value[e], mote_mls_shapes_value(shapes)[k], 1e-9);
        CHECK_NEAR(row.slope[e], mote_mls_shapes_gradient(shapes)[3 * k], 1e-8);
        CHECK_NEAR(row.bend[e], mote_mls_shapes_second(shapes)[6 * k], 1e-6);
      }
    }
    for (int e = 0; e < row.count; ++e) {
      double t = time[row.frame[e]];
      sum[0] += row.value[e] * t * t, sum[1] += row.slope[e] * t * t, sum[2] += row.bend[e] * t * t;
    }
    CHECK_NEAR(sum[0], x[0] * x[0], 1e-11), CHECK_NEAR(sum[1], 2.0 * x[0], 1e-9),
        CHECK_NEAR(sum[2], 2.0, 1e-7);
    mote_mls_shapes_destroy(shapes);
  }
  mote_mls_destroy(mls);
}

typedef struct stage {
  kit_boxes boxes;
  mote_deform *deform;
  size_t n;  // numbers of a state
  double *state[3];
} stage;

static void place(const double *rest, size_t n, double angle, const double move[3], double wave, double *x) {
  double c = cos(angle), s = sin(angle);
  for (size_t i = 0; i < n / 3; ++i) {
    const double *X = rest + 3 * i;
    double y = X[1] - 0.5 + wave * sin(X[2]), z = X[2] - 2.0;
    set3(X[0] + move[0], 0.5 + c * y - s * z + move[1], 2.0 + s * y + c * z + move[2], x + 3 * i);
  }
}

static stage stage_make(void) {
  stage s = {0};
  s.deform = kit_bar(&s.boxes, 30, 1);
  if (s.deform == NULL) abort();
  s.n = 3 * mote_deform_nodes(s.deform);
  const double move[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {3.0, 0.0, 1.0}};
  for (int k = 0; k < 3; ++k) {
    s.state[k] = malloc(s.n * sizeof(double));
    place(mote_deform_rest(s.deform), s.n, 1.2 * k, move[k], k == 1 ? 0.15 : 0.0, s.state[k]);
  }
  return s;
}

static void stage_free(stage *s) {
  mote_deform_destroy(s->deform);
  kit_boxes_free(&s->boxes);
  for (int k = 0; k < 3; ++k) free(s->state[k]);
}

// A ball that moves along x.
static double moving_ball(void *user, const double x[3], double t, double normal[3]) {
  (void)user;
  const double centre[3] = {1.5 + 0.2 * t, 0.5, 2.0};
  sub3(x, centre, normal);
  double d = length3(normal);
  for (int k = 0; k < 3; ++k) normal[k] /= d;
  return d - 0.4;
}

static void test_gradient(void) {
  stage s = stage_make();
  double *velocity = malloc(s.n * sizeof *velocity);
  uint8_t *held = malloc(s.n / 3);
  for (size_t k = 0; k < s.n; ++k) velocity[k] = sin((double)k), held[k / 3] = k / 3 % 3 != 0;
  const mote_deform_key key[3] = {
      {0.0, s.state[0], NULL, velocity}, {1.0, s.state[1], held, NULL}, {2.5, s.state[2], NULL, velocity}};
  const mote_deform_obstacle obstacle = {.distance = moving_ball};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m;
  def.deform = s.deform, def.margin = 0.05;
  CHECK(mote_deform_motion_create(&def, key, 3, &obstacle, 1, &m, NULL) == MOTE_OK);
  CHECK(m->frames == 5);
  size_t n = m->frames * m->unknowns;
  double *g = malloc(n * sizeof *g), worst = 0.0, most = 0.0, step = 1e-5;
  for (size_t k = 0; k < n; ++k) m->unknown[k] += 0.02 * sin(0.7 * (double)(k * k % 1000));
  mote_deform_motion_report r = {0};
  mote_motion_evaluate(m, m->unknown, &r, g);
  CHECK(r.key > 0.0 && r.rigidity > 0.0 && r.volume > 0.0 && r.velocity > 0.0 && r.acceleration > 0.0 &&
        r.obstacle > 0.0);
  for (size_t k = 0; k < n; k += 7) {
    double was = m->unknown[k];
    m->unknown[k] = was + step;
    double up = mote_motion_evaluate(m, m->unknown, &r, NULL);
    m->unknown[k] = was - step;
    double down = mote_motion_evaluate(m, m->unknown, &r, NULL);
    m->unknown[k] = was;
    worst = max2(worst, fabs((up - down) / (2.0 * step) - g[k])), most = max2(most, fabs(g[k]));
  }
  CHECK_NEAR(worst / most, 0.0, 1e-6);
  free(g), free(velocity), free(held);
  mote_deform_motion_destroy(m);
  stage_free(&s);
}

// Positions, velocities and accelerations agree; keys are met; half of a key leaves the rest free.
static void test_motion(bool moving_frame) {
  stage s = stage_make();
  uint8_t *held = malloc(s.n / 3);
  for (size_t i = 0; i < s.n / 3; ++i) held[i] = mote_deform_rest(s.deform)[3 * i + 2] < 2.0;
  const mote_deform_key key[3] = {
      {0.0, s.state[0], NULL, NULL}, {1.0, s.state[1], held, NULL}, {2.5, s.state[2], NULL, NULL}};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m;
  mote_deform_motion_report r;
  def.deform = s.deform, def.moving_frame = moving_frame, def.frames_max = 12;
  CHECK(mote_deform_motion_create(&def, key, 3, NULL, 0, &m, NULL) == MOTE_OK);
  CHECK(mote_deform_motion_solve(m, HUGE_VAL, &r, NULL) == MOTE_OK);
  CHECK(r.key_error < (moving_frame ? 1e-3 : 2e-2) && r.frames <= 12);
  double *x[3], *v[3], *a = malloc(s.n * sizeof *a), h = 1e-5, worst[2] = {0};
  for (int k = 0; k < 3; ++k) {
    x[k] = malloc(s.n * sizeof(double)), v[k] = malloc(s.n * sizeof(double));
    CHECK(mote_deform_motion_evaluate(m, 1.3 + (k - 1) * h, x[k], v[k], k == 1 ? a : NULL, NULL) == MOTE_OK);
  }
  for (size_t k = 0; k < s.n; ++k) {
    worst[0] = max2(worst[0], fabs((x[2][k] - x[0][k]) / (2.0 * h) - v[1][k]));
    worst[1] = max2(worst[1], fabs((v[2][k] - v[0][k]) / (2.0 * h) - a[k]));
  }
  CHECK_NEAR(worst[0], 0.0, 1e-6), CHECK_NEAR(worst[1], 0.0, 1e-5);
  // Beyond the last key all stands still.
  CHECK(mote_deform_motion_evaluate(m, 9.0, x[0], v[0], a, NULL) == MOTE_OK);
  for (size_t k = 0; k < s.n; ++k)
    CHECK_NEAR(x[0][k], s.state[2][k], 2e-2 * mote_deform_size(s.deform)), CHECK(v[0][k] == 0.0);
  for (int k = 0; k < 3; ++k) free(x[k]), free(v[k]);
  free(a), free(held);
  mote_deform_motion_destroy(m);
  stage_free(&s);
}

// Two keys that are rotations of the shape: exact on the way, and read with the velocities of the vertices.
static void test_rigid(void) {
  stage s = stage_make();
  const double move[3] = {1.0, 2.0, 0.0};
  place(mote_deform_rest(s.deform), s.n, 170.0 * KIT_PI / 180.0, move, 0.0, s.state[1]);
  const mote_deform_key key[2] = {{0.0, s.state[0], NULL, NULL}, {2.0, s.state[1], NULL, NULL}};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m;
  mote_deform_motion_report r;
  def.deform = s.deform;
  CHECK(mote_deform_motion_create(&def, key, 2, NULL, 0, &m, NULL) == MOTE_OK);
  CHECK(mote_deform_motion_solve(m, HUGE_VAL, &r, NULL) == MOTE_OK);
  CHECK(r.frames == 2 && r.key_error < 1e-12);
  size_t n = 3 * s.boxes.mesh.vertices;
  double *x = malloc(n * sizeof *x), *v = malloc(n * sizeof *v), *y = malloc(n * sizeof *y), worst = 0.0,
         moved = 0.0;
  CHECK(mote_deform_motion_read(m, 0.7, x, NULL, v, NULL) == MOTE_OK);
  CHECK(mote_deform_motion_read(m, 0.7 + 1e-6, y, NULL, NULL, NULL) == MOTE_OK);
  for (size_t i = 0; i < n / 3; ++i) {
    worst = max2(worst,
                 fabs(distance3(x, x + 3 * i) - distance3(s.boxes.mesh.vertex, s.boxes.mesh.vertex + 3 * i)));
    for (int k = 0; k < 3; ++k)
      moved = max2(moved, fabs((y[3 * i + (size_t)k] - x[3 * i + (size_t)k]) / 1e-6 - v[3 * i + (size_t)k]));
  }
  CHECK_NEAR(worst, 0.0, 1e-8 * mote_deform_size(s.deform));
  CHECK_NEAR(moved, 0.0, 1e-4);
  free(x), free(v), free(y);
  mote_deform_motion_destroy(m);
  stage_free(&s);
}

static void ball_pose(void *user, double t, mote_pose *pose) {
  (void)user;
  *pose = (mote_pose){.rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, .move = {0.0, 0.2 * t, 0.0}};
}

// A moving shape in the way is not touched; every point of the mesh lies in a ball of a node.
static void test_obstacle(void) {
  stage s = stage_make();
  const double move[3] = {6.0, 0.0, 0.0};
  place(mote_deform_rest(s.deform), s.n, 0.0, move, 0.0, s.state[1]);
  const mote_deform_key key[2] = {{0.0, s.state[0], NULL, NULL}, {2.0, s.state[1], NULL, NULL}};
  mote_shape_def ball = mote_shape_def_sphere(3.5, 0.6, 2.0, 0.5);
  mote_shape *shape;
  CHECK(mote_shape_create(&ball, 3, NULL, &shape, NULL) == MOTE_OK);
  const mote_deform_obstacle obstacle = {.shape = shape, .pose = ball_pose};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m;
  mote_deform_motion_report r;
  def.deform = s.deform, def.frames_max = 16, def.margin = 0.02;
  CHECK(mote_deform_motion_create(&def, key, 2, &obstacle, 1, &m, NULL) == MOTE_OK);
  for (size_t i = 0; i < s.boxes.mesh.vertices; ++i) {
    bool covered = false;
    for (size_t a = 0; a < m->nodes; ++a)
      covered |=
          distance3(s.boxes.mesh.vertex + 3 * i, m->def.deform->rest + 3 * a) <= m->radius[a] * (1.0 + 1e-12);
    CHECK(covered);
  }
  CHECK(mote_deform_motion_solve(m, HUGE_VAL, &r, NULL) == MOTE_OK);
  double *x = malloc(3 * s.boxes.mesh.vertices * sizeof *x), deepest = -HUGE_VAL, normal[3];
  for (int k = 0; k <= 100; ++k) {
    double t = 2.0 * k / 100.0;
    CHECK(mote_deform_motion_read(m, t, x, NULL, NULL, NULL) == MOTE_OK);
    for (size_t i = 0; i < s.boxes.mesh.vertices; ++i)
      deepest = max2(deepest, -mote_motion_distance(m, x + 3 * i, t, normal));
  }
  CHECK(deepest < 2e-3 * mote_deform_size(s.deform));
  free(x);
  mote_deform_motion_destroy(m);
  mote_shape_destroy(shape);
  stage_free(&s);
}

static void test_arguments(void) {
  stage s = stage_make();
  mote_deform_key key[2] = {{0.0, s.state[0], NULL, NULL}, {0.0, s.state[1], NULL, NULL}};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m;
  mote_error error;
  CHECK(mote_deform_motion_create(&def, key, 1, NULL, 0, &m, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "deform");
  def.deform = s.deform;
  CHECK(mote_deform_motion_create(&def, key, 2, NULL, 0, &m, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "key");
  CHECK(mote_deform_motion_create(&def, NULL, 0, NULL, 0, &m, &error) == MOTE_ERROR_ARGUMENT);
  const mote_deform_obstacle none = {0};
  CHECK(mote_deform_motion_create(&def, key, 1, &none, 1, &m, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "obstacle");
  if (CHECK(mote_deform_motion_create(&def, key, 1, NULL, 0, &m, &error) == MOTE_OK)) {
    mote_deform_motion_report r;
    CHECK(mote_deform_motion_solve(m, HUGE_VAL, &r, NULL) == MOTE_OK);
    CHECK(mote_deform_motion_solve(m, -1.0, &r, NULL) == MOTE_ERROR_ARGUMENT);
    CHECK(mote_deform_motion_frames(m, NULL) == 1);
    mote_deform_motion_destroy(m);
  }
  stage_free(&s);
}

int main(void) {
  test_rows();
  test_gradient();
  test_motion(true);
  test_motion(false);
  test_rigid();
  test_obstacle();
  test_arguments();
  return test_end();
}
