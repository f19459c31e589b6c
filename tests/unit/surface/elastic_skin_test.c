// Skins of elastic bodies: linear displacements carry vertices and normals exactly; bent ones nearly;
// single precision costs what it may; nothing is carried across a slit; graded bodies carry all.
#include "surface/elastic_skin.h"

#include "../elastic/elastic_kit.h"

static const double here[3] = {0.0, 0.0, 0.0};

#define SIDE 0.3  // of the body
#define VERTICES 200

// Points on a ball in the body's middle that reaches half a spacing from its faces, and their normals.
static void make_ball(double *vertex, double *normal) {
  for (size_t i = 0; i < VERTICES; ++i) {
    double *n = normal + 3 * i;
    for (int k = 0; k < 3; ++k) n[k] = kit_random(70 + (uint64_t)k, i);
    double length = length3(n);
    for (int k = 0; k < 3; ++k) n[k] /= length, vertex[3 * i + (size_t)k] = 0.5 * SIDE * (1.0 + n[k]);
  }
}

static mote_elastic_skin *skin_of(elastic_kit *kit, int kind, const double *vertex, const double *normal) {
  mote_elastic_skin_def def = {.kind = (mote_skin_kind)kind, .body = kit->body, .position = kit->rest};
  def.support = 2.4 * KIT_SPACING, def.vertex = vertex, def.normal = normal, def.count = VERTICES;
  mote_elastic_skin *skin = NULL;
  CHECK(mote_elastic_skin_create(&def, &skin, NULL) == MOTE_OK);
  return skin;
}

// n' = A^-T n: across every tangent that A moves.
static void test_linear(int kind) {
  elastic_kit kit = kit_make(kit_def(3, 2, 1e6, 0.3), 6, 6, 6, 0.2, here);
  double vertex[3 * VERTICES], normal[3 * VERTICES], x[3 * VERTICES], n[3 * VERTICES];
  make_ball(vertex, normal);
  mote_elastic_skin *skin = skin_of(&kit, kind, vertex, normal);
  const double A[9] = {0.0, -1.5, 0.2, 1.0, 0.3, 0.0, 0.1, 0.0, 1.2}, b[3] = {5.0, 0.0, -1.0};
  kit_map(&kit, A, b);
  CHECK(mote_elastic_skin_move(skin, kit.x, x, n, NULL) == MOTE_OK);
  for (size_t i = 0; i < VERTICES; ++i) {
    double exact[3], e[3] = {0.3, 0.5, -0.7}, t[3], moved[3];
    turn3(A, vertex + 3 * i, exact);
    step3(exact, 1.0, b, exact);
    CHECK(distance3(exact, x + 3 * i) < 1e-12);
    cross3(e, normal + 3 * i, t);
    turn3(A, t, moved);
    CHECK_NEAR(dot3(moved, n + 3 * i), 0.0, 1e-12);
    CHECK_NEAR(length3(n + 3 * i), 1.0, 1e-14);
    turn3(A, normal + 3 * i, moved);
    CHECK(dot3(moved, n + 3 * i) > 0.0);
  }
  mote_elastic_skin_destroy(skin);
  kit_free(&kit);
}

// EG09 7.2 as printed: n + grad u n. Exact under a rotation; a stretch of 1.5 tilts a normal at 45 degrees
// the wrong way, to 56.3 degrees where 33.7 would be right.
static void test_fast_normals(void) {
  elastic_kit kit = kit_make(kit_def(3, 2, 1e6, 0.3), 6, 6, 6, 0.2, here);
  double vertex[3 * VERTICES], normal[3 * VERTICES], x[3 * VERTICES], y[3 * VERTICES], n[3 * VERTICES];
  make_ball(vertex, normal);
  mote_elastic_skin *exact = skin_of(&kit, MOTE_SKIN_SHAPES, vertex, normal), *fast = NULL;
  mote_elastic_skin_def def = {.kind = MOTE_SKIN_SHAPES, .body = kit.body, .position = kit.rest};
  def.support = 2.4 * KIT_SPACING, def.vertex = vertex, def.normal = normal, def.count = VERTICES;
  def.fast_normals = true;
  CHECK(mote_elastic_skin_create(&def, &fast, NULL) == MOTE_OK);
  const double turn[9] = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
  const double stretch[9] = {1.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  for (int k = 0; k < 2; ++k) {
    kit_map(&kit, k == 0 ? turn : stretch, here);
    CHECK(mote_elastic_skin_move(fast, kit.x, x, n, NULL) == MOTE_OK);
    CHECK(mote_elastic_skin_move(exact, kit.x, y, NULL, NULL) == MOTE_OK);
    for (size_t i = 0; i < VERTICES; ++i) {
      double printed[3];
      CHECK(distance3(x + 3 * i, y + 3 * i) < 1e-12);
      turn3(k == 0 ? turn : stretch, normal + 3 * i, printed);
      double length = length3(printed);
      for (int a = 0; a < 3; ++a) CHECK_NEAR(n[3 * i + (size_t)a], printed[a] / length, 1e-6);
    }
  }
  mote_elastic_skin_destroy(exact);
  mote_elastic_skin_destroy(fast);
  kit_free(&kit);
}

// A twist of a radian along the body. Both are of second order: a spacing d off, u'' d^2 / 2 = R / SIDE^2 d^2
// / 2, at R = 0.36 a tenth of a spacing.
static double twist_error(int kind) {
  elastic_kit kit = kit_make(kit_def(3, 2, 1e6, 0.3), 6, 6, 6, 0.1, here);
  double vertex[3 * VERTICES], normal[3 * VERTICES], x[3 * VERTICES], worst = 0.0;
  make_ball(vertex, normal);
  mote_elastic_skin *skin = skin_of(&kit, kind, vertex, NULL);
  for (size_t i = 0; i < kit.count + VERTICES; ++i) {
    const double *X = i < kit.count ? kit.rest + 3 * i : vertex + 3 * (i - kit.count);
    double a = X[2] / SIDE, y[3];
    set3(cos(a) * X[0] - sin(a) * X[1], sin(a) * X[0] + cos(a) * X[1], X[2], y);
    if (i < kit.count) {
      copy3(y, kit.x + 3 * i);
      continue;
    }
    if (i == kit.count) CHECK(mote_elastic_skin_move(skin, kit.x, x, NULL, NULL) == MOTE_OK);
    worst = max2(worst, distance3(y, x + 3 * (i - kit.count)) / KIT_SPACING);
  }
  mote_elastic_skin_destroy(skin);
  kit_free(&kit);
  return worst;
}

// Against the sums of EG09 (67) in double: what is stored is rounded once, k products and sums of it are, and
// what is beyond the affine motion is smaller than twice the displacements.
static void test_single(void) {
  elastic_kit kit = kit_make(kit_def(3, 2, 1e6, 0.3), 6, 6, 6, 0.1, here);
  double vertex[3 * VERTICES], normal[3 * VERTICES], x[3 * VERTICES], u[3 * VERTICES];
  double *moved = kit_array(3 * kit.count), worst = 0.0;
  make_ball(vertex, normal);
  mote_elastic_skin *skin = skin_of(&kit, MOTE_SKIN_SHAPES, vertex, normal);
  for (size_t k = 0; k < 3 * kit.count; ++k) moved[k] = 0.1 * kit_random(90, k), kit.x[k] += moved[k];
  CHECK(mote_elastic_skin_move(skin, kit.x, x, NULL, NULL) == MOTE_OK);
  mote_mls_def def = mote_mls_def_default();
  def.kernel = MOTE_KERNEL_POLY6, def.position = kit.rest, def.count = kit.count;
  def.uniform_radius = 2.4 * KIT_SPACING;
  mote_mls *mls;
  mote_mls_shapes *shapes;
  CHECK(mote_mls_create(&def, NULL, &mls, NULL) == MOTE_OK);
  CHECK(mote_mls_shapes_create(mls, vertex, VERTICES, 0, NULL, &shapes, NULL) == MOTE_OK);
  CHECK(mote_mls_apply(shapes, moved, 3, u, NULL, NULL, NULL) == MOTE_OK);
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  for (size_t i = 0; i < VERTICES; ++i) {
    double sum = 0.0;
    for (size_t k = 0; k < lists->number[i]; ++k)
      sum += fabs(mote_mls_shapes_value(shapes)[lists->first[i] + k]);
    double bound = ((double)lists->number[i] + 3.0) * 0x1p-24 * sum * 0.2;
    step3(vertex + 3 * i, 1.0, u + 3 * i, u + 3 * i);
    for (size_t k = 0; k < 3; ++k) worst = max2(worst, fabs(u[3 * i + k] - x[3 * i + k]) / bound);
  }
  printf("rounding: %.3f of the bound\n", worst);
  CHECK(worst > 0.0 && worst < 1.0);
  mote_mls_shapes_destroy(shapes), mote_mls_destroy(mls);
  mote_elastic_skin_destroy(skin);
  free(moved);
  kit_free(&kit);
}

// A slit along x = SIDE / 2 from the top to the middle, which nothing goes around.
static void path_length_around_slit(void *user, const double from[3], const double *to, size_t count,
                                    double most, double *length) {
  (void)user, (void)most;
  for (size_t k = 0; k < count; ++k) {
    double x = 0.5 * SIDE, t = (x - from[0]) / (to[3 * k] - from[0]);
    bool crosses = (from[0] < x) != (to[3 * k] < x);
    if (crosses && from[1] + t * (to[3 * k + 1] - from[1]) >= 0.5 * SIDE) length[k] = HUGE_VAL;
  }
}

// The right side is moved away; vertices of the left, near the slit, stay: both kinds, at the upper rows,
// beyond the reach of what holds together below the slit.
static void test_slit(int kind) {
  mote_elastic_def def = kit_def(3, 1, 1e6, 0.3);
  def.path_length = path_length_around_slit;
  elastic_kit kit = kit_make(def, 6, 12, 6, 0.0, here);
  double vertex[3 * VERTICES], normal[3 * VERTICES], x[3 * VERTICES];
  make_ball(vertex, normal);
  for (size_t i = 0; i < VERTICES; ++i) {
    vertex[3 * i] = 0.5 * SIDE - 0.2 * KIT_SPACING * (1.0 + fabs(normal[3 * i]));
    vertex[3 * i + 1] = 2.0 * SIDE - KIT_SPACING * (0.5 + fabs(normal[3 * i + 1]));
  }
  mote_elastic_skin *skin = skin_of(&kit, kind, vertex, NULL);
  for (size_t i = 0; i < kit.count; ++i)
    if (kit.rest[3 * i] > 0.5 * SIDE && kit.rest[3 * i + 1] > 0.5 * SIDE) kit.x[3 * i] += 0.1;
  CHECK(mote_elastic_skin_move(skin, kit.x, x, NULL, NULL) == MOTE_OK);
  for (size_t i = 0; i < VERTICES; ++i) CHECK(distance3(x + 3 * i, vertex + 3 * i) < 1e-6 * KIT_SPACING);
  mote_elastic_skin_destroy(skin);
  kit_free(&kit);
}

static void test_far(void) {
  elastic_kit kit = kit_make(kit_def(2, 1, 1e6, 0.3), 4, 4, 1, 0.0, here);
  const double out[6] = {0.1, 0.1, 0.0, 5.0, 5.0, 0.0};
  for (int kind = 0; kind < 2; ++kind) {
    mote_elastic_skin_def def = {.kind = (mote_skin_kind)kind, .body = kit.body, .position = kit.rest};
    def.support = 2.4 * KIT_SPACING, def.vertex = out, def.count = 2;
    mote_elastic_skin *skin;
    mote_error error;
    CHECK(mote_elastic_skin_create(&def, &skin, &error) == MOTE_ERROR_ARGUMENT);
    CHECK(strstr(error.text, "1 of 2 vertices") != NULL && strstr(error.text, "vertex 1") != NULL);
  }
  kit_free(&kit);
}

// Where particles are four times as far apart they carry vertices as far off: linear displacements are exact
// everywhere in the body.
static void test_graded(int kind) {
  mote_shape_def box = mote_shape_def_box(0.0, 0.0, -1.0, 30.0 * KIT_SPACING, 30.0 * KIT_SPACING, 1.0);
  mote_shape *shape = NULL;
  mote_samples s = {0};
  mote_elastic *body = NULL;
  mote_elastic_skin *skin = NULL;
  CHECK(mote_shape_create(&box, 2, NULL, &shape, NULL) == MOTE_OK);
  CHECK(mote_shape_fill_graded(shape, KIT_SPACING, 4, 2.0 * KIT_SPACING, 1000, NULL, &s, NULL) == MOTE_OK);
  CHECK(s.count < 600);
  double support[1000], vertex[3 * VERTICES], out[3 * VERTICES];
  for (size_t i = 0; i < s.count; ++i) support[i] = 2.4 * sqrt(s.volume[i]);
  mote_elastic_def def = kit_def(2, 1, 1e6, 0.3);
  def.position = s.position, def.count = s.count, def.volume = s.volume, def.support = support;
  CHECK(mote_elastic_create(&def, NULL, &body, NULL) == MOTE_OK);
  for (size_t i = 0; i < VERTICES; ++i) {
    set3(15.0 * KIT_SPACING * (1.0 + kit_random(1, i)), 15.0 * KIT_SPACING * (1.0 + kit_random(2, i)), 0.0,
         vertex + 3 * i);
  }
  mote_elastic_skin_def skin_def = {.kind = (mote_skin_kind)kind, .body = body, .position = s.position};
  skin_def.support = 2.4 * KIT_SPACING, skin_def.vertex = vertex, skin_def.count = VERTICES;
  if (CHECK(mote_elastic_skin_create(&skin_def, &skin, NULL) == MOTE_OK)) {
    for (size_t i = 0; i < s.count; ++i) s.position[3 * i] += 0.3 * s.position[3 * i + 1];
    CHECK(mote_elastic_skin_move(skin, s.position, out, NULL, NULL) == MOTE_OK);
    for (size_t i = 0; i < VERTICES; ++i)
      CHECK_NEAR(out[3 * i], vertex[3 * i] + 0.3 * vertex[3 * i + 1], 1e-12);
  }
  mote_elastic_skin_destroy(skin), mote_elastic_destroy(body), mote_shape_destroy(shape);
  mote_samples_free(&s, NULL);
}

// Rows in another order give the same bits; where some are gone, linear motion is still exact and normals
// turn with it, and a twist is followed by those that are left.
static void test_rows(int kind) {
  elastic_kit kit = kit_make(kit_def(3, 2, 1e6, 0.3), 6, 6, 6, 0.1, here);
  double vertex[3 * VERTICES], normal[3 * VERTICES], x[3 * VERTICES], n[3 * VERTICES], y[3 * VERTICES],
      m[3 * VERTICES], worst = 0.0, tilt = 0.0;
  uint32_t *row = calloc(kit.count, sizeof *row);
  double *position = kit_array(3 * kit.count);
  make_ball(vertex, normal);
  mote_elastic_skin *skin = skin_of(&kit, kind, vertex, normal);
  for (size_t i = 0; i < kit.count; ++i) {
    const double *X = kit.rest + 3 * i;
    double a = X[2] / SIDE;
    set3(cos(a) * X[0] - sin(a) * X[1], sin(a) * X[0] + cos(a) * X[1], X[2], kit.x + 3 * i);
    row[i] = (uint32_t)(kit.count - 1 - i);
    copy3(kit.x + 3 * i, position + 3 * (size_t)row[i]);
  }
  CHECK(mote_elastic_skin_move(skin, kit.x, x, n, NULL) == MOTE_OK);
  CHECK(mote_elastic_skin_move_rows(skin, position, row, y, m, NULL) == MOTE_OK);
  CHECK(memcmp(x, y, sizeof x) == 0 && memcmp(n, m, sizeof n) == 0);
  for (size_t i = 0; i < kit.count; i += 7) row[i] = MOTE_SKIN_GONE;
  CHECK(mote_elastic_skin_move_rows(skin, position, row, y, m, NULL) == MOTE_OK);
  for (size_t i = 0; i < VERTICES; ++i) {
    worst = max2(worst, distance3(x + 3 * i, y + 3 * i) / KIT_SPACING);
    tilt = max2(tilt, distance3(n + 3 * i, m + 3 * i));
  }
  printf("without a seventh of the particles: off by %.4f spacings, normals by %.4f\n", worst, tilt);
  CHECK(worst < 0.15 && tilt < 0.5);
  const double A[9] = {0.0, -1.5, 0.2, 1.0, 0.3, 0.0, 0.1, 0.0, 1.2}, b[3] = {5.0, 0.0, -1.0};
  kit_map(&kit, A, b);
  for (size_t i = 0; i < kit.count; ++i) copy3(kit.x + 3 * i, position + 3 * (kit.count - 1 - i));
  CHECK(mote_elastic_skin_move_rows(skin, position, row, y, m, NULL) == MOTE_OK);
  CHECK(mote_elastic_skin_move(skin, kit.x, x, n, NULL) == MOTE_OK);  // and all are there again
  for (size_t i = 0; i < 3 * VERTICES; ++i) {
    CHECK_NEAR(x[i], y[i], 1e-12);
    CHECK_NEAR(n[i], m[i], 1e-12);
  }
  mote_elastic_skin_destroy(skin);
  free(row), free(position);
  kit_free(&kit);
}

int main(void) {
  test_fast_normals();
  test_rows(MOTE_SKIN_SHAPES);
  test_rows(MOTE_SKIN_TAYLOR);
  double error[2];
  for (int kind = 0; kind < 2; ++kind) test_linear(kind), error[kind] = twist_error(kind);
  printf("twisted by a radian: off by %.4f and %.4f spacings\n", error[0], error[1]);
  CHECK(error[0] < 0.1 && error[1] < 0.1);
  test_single();
  for (int kind = 0; kind < 2; ++kind) test_slit(kind), test_graded(kind);
  test_far();
  return test_end();
}
