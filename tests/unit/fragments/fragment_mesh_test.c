// Surfaces of fragments carried by particles: affine motion, halves that part, weights kept where nothing has
// changed, plates of 2D bodies.
#include "fragments/fragment_mesh.h"

#include <mote/mote.h>
#include <stdlib.h>

#include "base/hash.h"
#include "geom/triple.h"
#include "test.h"

#define SPACING 0.2
#define MOST 2000

typedef struct ball {
  mote_cut_grid *grid;
  double position[3 * MOST], moved[3 * MOST], frame[9 * MOST];
  uint32_t node[MOST];
  uint64_t mark[MOST];
  mote_fragment_set set;
  double front;  // the crack: y = 0.03 with x < front
} ball;

static double distance(void *user, const double x[3]) {
  const ball *b = user;
  double r = sqrt(x[0] * x[0] + x[1] * x[1] + (b->set.dimensions == 3 ? x[2] * x[2] : 0.0)) - 1.0;
  return b->set.dimensions == 3 ? r : max2(r, fabs(x[2]) - 0.1);
}

static bool blocked(void *user, const double a[3], const double b[3]) {
  const ball *body = user;
  double at = (0.03 - a[1]) / (b[1] - a[1]);
  return (a[1] < 0.03) != (b[1] < 0.03) && a[0] + at * (b[0] - a[0]) < body->front;
}

static void joined(void *user, uint32_t home, const uint32_t *particle, size_t count, double *factor) {
  const ball *b = user;
  for (size_t k = 0; k < count; ++k)
    factor[k] = !blocked(user, b->position + 3 * (size_t)home, b->position + 3 * (size_t)particle[k]);
}

// The nodes of the particles, and of these the homes.
static void divide(ball *b) {
  for (size_t i = 0; i < b->set.count; ++i) {
    b->node[i] = mote_cut_grid_nearest(b->grid, b->position + 3 * i, blocked, b);
    CHECK(b->node[i] != MOTE_CUT_NONE);
  }
  mote_cut_matter matter = {
      .node = b->node, .position = b->position, .count = b->set.count, .least = 1, .homes = true};
  CHECK(mote_cut_grid_divide(b->grid, 8, &matter, NULL) == MOTE_OK);
  for (uint32_t i = 0; i < b->set.count; ++i) {
    b->mark[i] = 0;
    for (uint32_t j = 0; j < b->set.count; ++j) {
      const double *x = b->position + 3 * (size_t)i, *y = b->position + 3 * (size_t)j;
      if (distance3(x, y) < 5.0 * SPACING && blocked(b, x, y)) b->mark[i] = mote_hash_mix(b->mark[i] ^ j);
    }
  }
}

// Cuts as far as `front`.
static void cut(ball *b, double front) {
  double from = b->front;
  const double corner[18] = {from,  0.03, -2, front, 0.03, -2, front, 0.03, 2,
                             front, 0.03, 2,  from,  0.03, 2,  from,  0.03, -2};
  b->front = front;
  CHECK(mote_cut_grid_add(b->grid, corner, 2, NULL) == MOTE_OK);
  divide(b);
}

static ball *make_ball(int dimensions) {
  ball *b = calloc(1, sizeof *b);
  int layers = dimensions == 3 ? 5 : 0;
  b->front = -2.0;
  b->set = (mote_fragment_set){
      .dimensions = dimensions, .position = b->position, .uniform_support = 2.5 * SPACING};
  b->set.joined = joined, b->set.user = b, b->set.mark = b->mark;
  for (int z = -layers; z <= layers; ++z) {
    for (int k = 0; k < 121; ++k) {
      const double x[3] = {SPACING * (k % 11 - 5), SPACING * (k / 11 - 5), SPACING * z};
      if (length3(x) < 1.0 - 0.25 * SPACING && b->set.count < MOST)
        copy3(x, b->position + 3 * b->set.count++);
    }
  }
  mote_cut_grid_def def = {
      .distance = distance, .user = b, .low = {-1, -1, -1}, .high = {1, 1, 1}, .edge = 0.1};
  if (dimensions == 2) def.low[2] = -0.1, def.high[2] = 0.1;
  CHECK(mote_cut_grid_create(&def, NULL, &b->grid, NULL) == MOTE_OK);
  return b;
}

static void free_ball(ball *b) {
  mote_cut_grid_destroy(b->grid);
  free(b);
}

// A turn about z and a shift; of the two sides in opposite directions where `apart`.
static void motion_of(const double x[3], bool apart, double out[3]) {
  double s = apart && x[1] < 0.03 ? -1.0 : 1.0, a = 0.7 * s;
  set3(cos(a) * x[0] - sin(a) * x[1] + 3.0 * s, sin(a) * x[0] + cos(a) * x[1] + 2.0 * s, x[2], out);
}

static void move_all(ball *b, bool apart) {
  for (size_t i = 0; i < b->set.count; ++i) {
    double a = apart && b->position[3 * i + 1] < 0.03 ? -0.7 : 0.7;
    const double turn[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
    motion_of(b->position + 3 * i, apart, b->moved + 3 * i);
    memcpy(b->frame + 9 * i, turn, sizeof turn);
  }
}

// The largest distance of a vertex from where the rigid motion of its side takes it.
static double find_error(const ball *b, const mote_fragment_mesh *mesh, bool apart) {
  const mote_cut_mesh *cut = mote_fragment_mesh_at_rest(mesh);
  double *vertex = malloc(3 * cut->mesh.vertices * sizeof *vertex), most = 0.0;
  float *normal = malloc(3 * cut->mesh.vertices * sizeof *normal);
  CHECK(mote_fragment_mesh_move(mesh, b->moved, b->frame, vertex, normal, NULL) == MOTE_OK);
  CHECK(mote_fragment_mesh_stretched(mesh, vertex, 1.01) == 0);
  for (size_t v = 0; v < cut->mesh.vertices; ++v) {
    double rest[3], inner[3], to[3], at[3], off[3];
    copy3(cut->mesh.vertex + 3 * v, rest);
    mote_cut_grid_position(b->grid, cut->inner[v], inner);
    copy3(rest, at);
    at[1] = inner[1] < 0.03 ? min2(rest[1], 0.029) : max2(rest[1], 0.031);
    motion_of(at, apart, to);
    sub3(at, rest, off);
    most = max2(most, distance3(to, vertex + 3 * v) - length3(off));
    CHECK_NEAR(sqrt((double)(normal[3 * v] * normal[3 * v] + normal[3 * v + 1] * normal[3 * v + 1] +
                             normal[3 * v + 2] * normal[3 * v + 2])),
               1.0, 1e-5);
  }
  free(vertex), free(normal);
  return most;
}

static void test_motion(int dimensions) {
  ball *b = make_ball(dimensions);
  mote_fragment_mesh *mesh;
  double none[3] = {0};
  CHECK(mote_fragment_mesh_create(b->grid, &mesh, NULL) == MOTE_OK);
  CHECK(mote_fragment_mesh_move(mesh, b->position, b->frame, none, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  divide(b);
  CHECK(mote_fragment_mesh_update(mesh, &b->set, NULL) == MOTE_OK);
  move_all(b, false);
  CHECK(find_error(b, mesh, false) < 1e-5);
  cut(b, 2.0);
  CHECK(b->grid->fragments == 2);
  CHECK(mote_fragment_mesh_update(mesh, &b->set, NULL) == MOTE_OK);
  move_all(b, true);
  CHECK(find_error(b, mesh, true) < 1e-5);
  mote_fragment_mesh_destroy(mesh);
  free_ball(b);
}

static bool same(const mote_fragment_mesh *a, const mote_fragment_mesh *b, const ball *moved) {
  size_t count = 3 * mote_fragment_mesh_at_rest(a)->mesh.vertices;
  if (count != 3 * mote_fragment_mesh_at_rest(b)->mesh.vertices) return false;
  double *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y);
  CHECK(mote_fragment_mesh_move(a, moved->moved, moved->frame, x, NULL, NULL) == MOTE_OK);
  CHECK(mote_fragment_mesh_move(b, moved->moved, moved->frame, y, NULL, NULL) == MOTE_OK);
  bool equal = memcmp(x, y, count * sizeof *x) == 0;
  free(x), free(y);
  return equal;
}

// A crack that grows in steps: the same bits as from nothing, and less work.
static void test_growth(void) {
  ball *b = make_ball(3);
  mote_fragment_mesh *mesh;
  CHECK(mote_fragment_mesh_create(b->grid, &mesh, NULL) == MOTE_OK);
  for (int k = 0; k < 5; ++k) {
    mote_fragment_mesh *twin;
    cut(b, -0.9 + 0.3 * k);
    move_all(b, true);
    CHECK(mote_fragment_mesh_update(mesh, &b->set, NULL) == MOTE_OK);
    CHECK(mote_fragment_mesh_create(b->grid, &twin, NULL) == MOTE_OK);
    CHECK(mote_fragment_mesh_update(twin, &b->set, NULL) == MOTE_OK);
    CHECK(same(mesh, twin, b));
    CHECK(k == 0 || mote_fragment_mesh_computed(mesh) < mote_fragment_mesh_computed(twin));
    mote_fragment_mesh_destroy(twin);
  }
  mote_fragment_mesh_destroy(mesh);
  free_ball(b);
}

int main(void) {
  test_motion(3);
  test_motion(2);
  test_growth();
  return test_end();
}
