// Shapes, their fillings and shells move with them; threads change nothing.
#include <mote/mote.h>

#include "mesh_kit.h"
#include "shape_kit.h"
#include "test.h"

typedef struct motion {
  double turn[9], pivot[3], move[3], scale;
} motion;

// The motion of a definition, worked out here once more.
static motion motion_of(const mote_shape_def *def) {
  motion m = {.scale = def->scale};
  double length =
      sqrt(def->axis[0] * def->axis[0] + def->axis[1] * def->axis[1] + def->axis[2] * def->axis[2]);
  double a[3], c = cos(def->angle), s = sin(def->angle);
  for (int k = 0; k < 3; ++k)
    a[k] = def->axis[k] / length, m.pivot[k] = def->pivot[k], m.move[k] = def->move[k];
  const double turn[9] = {
      c + a[0] * a[0] * (1 - c),        a[0] * a[1] * (1 - c) - a[2] * s, a[0] * a[2] * (1 - c) + a[1] * s,
      a[1] * a[0] * (1 - c) + a[2] * s, c + a[1] * a[1] * (1 - c),        a[1] * a[2] * (1 - c) - a[0] * s,
      a[2] * a[0] * (1 - c) - a[1] * s, a[2] * a[1] * (1 - c) + a[0] * s, c + a[2] * a[2] * (1 - c)};
  memcpy(m.turn, turn, sizeof turn);
  return m;
}

static void apply(const motion *m, const double x[3], double y[3]) {
  for (int i = 0; i < 3; ++i) {
    y[i] = m->pivot[i] + m->move[i];
    for (int k = 0; k < 3; ++k) y[i] += m->scale * m->turn[3 * i + k] * (x[k] - m->pivot[k]);
  }
}

static void set_motion(mote_shape_def *def, int dimensions) {
  def->scale = 1.7, def->angle = 1.1;
  def->axis[0] = dimensions == 3 ? 0.4 : 0.0, def->axis[1] = dimensions == 3 ? -0.7 : 0.0, def->axis[2] = 0.9;
  def->pivot[0] = 0.3, def->pivot[1] = -0.2, def->pivot[2] = 0.0;
  def->move[0] = 5.0, def->move[1] = -3.0, def->move[2] = dimensions == 3 ? 1.0 : 0.0;
}

static void still(mote_shape_def *def) {
  mote_shape_def plain = mote_shape_def_default();
  def->angle = 0.0, def->scale = 1.0;
  memcpy(def->move, plain.move, sizeof plain.move);
  memcpy(def->pivot, plain.pivot, sizeof plain.pivot);
}

static void check_distances(const mote_shape *here, const mote_shape *there, const motion *m,
                            int dimensions) {
  for (uint64_t i = 0; i < 500; ++i) {
    double x[3], y[3], n[3], o[3], turned[3] = {0};
    kit_point(2, i, -1.5, 1.5, x);
    if (dimensions == 2) x[2] = 0.0;
    apply(m, x, y);
    double f = mote_shape_closest(here, x, n), g = mote_shape_closest(there, y, o);
    CHECK_NEAR(g, m->scale * f, 1e-11);
    for (int k = 0; k < 9; ++k) turned[k / 3] += m->turn[k] * n[k % 3];
    // On ridges of the distance either side is right.
    if (f > 0.01) CHECK(turned[0] * o[0] + turned[1] * o[1] + turned[2] * o[2] > 1.0 - 1e-6);
  }
}

// The same set of points; their order depends on the bounds in the world's frame.
static void check_samples(const mote_samples *here, const mote_samples *there, const motion *m,
                          int dimensions) {
  double scale = m->scale * m->scale * (dimensions == 3 ? m->scale : 1.0);
  if (!CHECK(here->count == there->count && here->count > 20)) return;
  for (size_t i = 0; i < here->count; ++i) {
    double y[3], nearest = HUGE_VAL;
    apply(m, here->position + 3 * i, y);
    for (size_t j = 0; j < there->count && nearest > 1e-9; ++j) {
      nearest = fmin(nearest, kit_distance(y, there->position + 3 * j));
    }
    CHECK_NEAR(nearest, 0.0, 1e-9);
    CHECK_NEAR(there->volume[i], scale * here->volume[i], 1e-9 * there->volume[i]);
  }
}

static void test_motion(mote_shape_def def, int dimensions) {
  const double low[3] = {-99, -99, -99}, high[3] = {99, 99, 99}, d = dimensions == 2 ? 0.07 : 0.17;
  still(&def);
  mote_shape *here = kit_shape(&def, dimensions);
  set_motion(&def, dimensions);
  motion m = motion_of(&def);
  mote_shape *there = kit_shape(&def, dimensions);
  if (!CHECK(here != NULL && there != NULL)) return;
  check_distances(here, there, &m, dimensions);
  mote_samples a = {0}, b = {0};
  if (def.kind != MOTE_SHAPE_HALF_SPACE && def.kind <= MOTE_SHAPE_MESH) {
    for (int kind = MOTE_FILL_CUBIC; kind <= MOTE_FILL_HEXAGONAL; ++kind) {
      CHECK(mote_shape_fill(here, d, (mote_fill_kind)kind, 3, 100000, NULL, &a, NULL) == MOTE_OK);
      CHECK(mote_shape_fill(there, m.scale * d, (mote_fill_kind)kind, 3, 100000, NULL, &b, NULL) == MOTE_OK);
      if (def.kind < MOTE_SHAPE_MESH) check_samples(&a, &b, &m, dimensions);
      CHECK(a.count > 10 && fabs((double)a.count - (double)b.count) <= 0.04 * (double)a.count);
      mote_samples_free(&a, NULL), mote_samples_free(&b, NULL);
    }
  }
  if (def.kind == MOTE_SHAPE_BOX) {
    CHECK(mote_shape_shell(here, d, 2 * d, low, high, 100000, NULL, &a, NULL) == MOTE_OK);
    CHECK(mote_shape_shell(there, m.scale * d, 2 * m.scale * d, low, high, 100000, NULL, &b, NULL) ==
          MOTE_OK);
    check_samples(&a, &b, &m, dimensions);
    mote_samples_free(&a, NULL), mote_samples_free(&b, NULL);
  }
  mote_shape_destroy(here);
  mote_shape_destroy(there);
}

static bool same_samples(const mote_samples *a, const mote_samples *b) {
  return a->count == b->count && memcmp(a->position, b->position, a->count * 24) == 0 &&
         memcmp(a->volume, b->volume, a->count * 8) == 0;
}

static void test_threads(const mote_shape_def *def) {
  const double low[3] = {-2, -2, -2}, high[3] = {2, 2, 2}, d = 0.2;
  mote_samples fill[2][3] = {{{0}}}, shell[2] = {{0}};
  double volume[2];
  for (int k = 0; k < 2; ++k) {
    mote_env env = mote_env_default();
    env.threads = k == 0 ? 1 : 7;
    mote_shape *shape = NULL;
    CHECK(mote_shape_create(def, 3, &env, &shape, NULL) == MOTE_OK);
    CHECK(mote_shape_volume(shape, volume + k, NULL) == MOTE_OK);
    for (int kind = 0; kind < 3; ++kind) {
      CHECK(mote_shape_fill(shape, d, (mote_fill_kind)kind, 3, 100000, &env, &fill[k][kind], NULL) ==
            MOTE_OK);
    }
    CHECK(mote_shape_shell(shape, d, 2 * d, low, high, 100000, &env, shell + k, NULL) == MOTE_OK);
    mote_shape_destroy(shape);
  }
  for (int k = 1; k < 2; ++k) {
    CHECK(volume[k] == volume[0]);
    CHECK(same_samples(shell + k, shell));
    for (int kind = 0; kind < 3; ++kind) CHECK(same_samples(&fill[k][kind], &fill[0][kind]));
  }
  for (int k = 0; k < 2; ++k) {
    mote_samples_free(shell + k, NULL);
    for (int kind = 0; kind < 3; ++kind) mote_samples_free(&fill[k][kind], NULL);
  }
}

int main(void) {
  mote_mesh mesh = kit_corner();
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    mote_shape_def parts[2] = {kit_single(MOTE_SHAPE_BOX, dimensions),
                               kit_single(MOTE_SHAPE_SPHERE, dimensions)};
    for (int kind = MOTE_SHAPE_BOX; kind < MOTE_SHAPE_KINDS; ++kind) {
      mote_shape_def def = kit_single((mote_shape_kind)kind, dimensions);
      def.part = parts, def.parts = 2, def.mesh = mesh;
      if (dimensions == 2 && kind == MOTE_SHAPE_MESH) continue;
      test_motion(def, dimensions);
    }
  }
  mote_shape_def def = mote_shape_def_default(),
                 parts[2] = {mote_shape_def_box(-0.5, -0.5, -0.5, 0.5, 0.4, 0.3),
                             kit_single(MOTE_SHAPE_TORUS, 3)};
  def.part = parts, def.parts = 2, def.kind = MOTE_SHAPE_UNION;
  test_threads(&def);
  def.kind = MOTE_SHAPE_MESH, def.mesh = mesh;
  test_threads(&def);
  kit_free(&mesh);
  return test_end();
}
