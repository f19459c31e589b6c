// Foam: as many as the energy says, where water breaks; drops on parabolas, bubbles that rise, nothing inside
// of obstacles; the same bits for any threads; what makes no sense is refused by name.
#include <math.h>
#include <mote/foam.h>
#include <stdlib.h>

#include "base/random.h"
#include "test.h"

#define SIDE 12
#define COUNT (SIDE * SIDE * SIDE)
#define D 0.02

typedef struct water {
  uint64_t id[COUNT];
  double position[3 * COUNT], velocity[3 * COUNT];
} water;

static mote_foam_def small_def(void) {
  mote_foam_def def = mote_foam_def_default(3);
  def.spacing = D, def.length = SIDE * D, def.amount = 2e4;
  return def;
}

static mote_foam_moment moment_of(const water *w, double time, size_t count) {
  return (mote_foam_moment){time, count, w->id, w->position, w->velocity};
}

// A block whose upper half moves down into the lower one, both ways stirred; or a still one.
static void fill(water *w, double speed) {
  for (size_t i = 0; i < COUNT; ++i) {
    size_t at[3] = {i % SIDE, i / SIDE / SIDE, i / SIDE % SIDE};
    w->id[i] = 7 * i + 3;
    for (size_t a = 0; a < 3; ++a) {
      w->position[3 * i + a] = ((double)at[a] + 0.5) * D;
      w->velocity[3 * i + a] = speed * mote_random_between(1, a, i, -0.3, 0.3);
    }
    w->velocity[3 * i + 1] += at[1] >= SIDE / 2 ? -speed : speed;
  }
}

static void drift(const water *from, double dt, water *to) {
  *to = *from;
  for (size_t a = 0; a < 3 * (size_t)COUNT; ++a) to->position[a] += dt * from->velocity[a];
}

static mote_foam *create(const mote_foam_def *def, int threads) {
  mote_env env = mote_env_default();
  mote_foam *foam = NULL;
  env.threads = threads;
  CHECK(mote_foam_create(def, &env, &foam, NULL) == MOTE_OK);
  return foam;
}

// Water that breaks for `dt` seconds, in so many intervals, and loses this energy in all.
static void break_water(mote_foam *foam, double dt, int parts, double energy, mote_foam_obstacle_fn *obstacle,
                        size_t *born) {
  static water a, b;
  fill(&a, 3.0);
  *born = 0;
  for (int k = 0; k < parts; ++k) {
    mote_foam_report r;
    drift(&a, dt / parts, &b);
    mote_foam_moment from = moment_of(&a, k * dt / parts, COUNT),
                     to = moment_of(&b, (k + 1) * dt / parts, COUNT);
    CHECK(mote_foam_advance(foam, &from, &to, energy / parts, obstacle, NULL, &r, NULL) == MOTE_OK);
    *born += r.born;
    a = b;
  }
}

// --- Number ---

static void test_number(void) {
  mote_foam_def def = small_def();
  double unit = def.density * 9.81 * pow(def.length, 4.0);
  for (int parts = 1; parts <= 4; parts *= 2) {
    for (double energy = 0.05 * unit; energy < 0.3 * unit; energy *= 2.0) {
      size_t born;
      mote_foam *foam = create(&def, 2);
      break_water(foam, 0.004, parts, energy, NULL, &born);
      CHECK_NEAR((double)born, def.amount * energy / unit, sqrt(COUNT));  // of parts that each particle owes
      mote_foam_destroy(foam);
    }
  }
}

static void test_none(void) {
  static water w;
  mote_foam_def def = small_def();
  mote_foam *foam = create(&def, 2);
  mote_foam_report r;
  fill(&w, 0.01);
  mote_foam_moment from = moment_of(&w, 0.0, COUNT), to = moment_of(&w, 0.1, COUNT);
  CHECK(mote_foam_advance(foam, &from, &to, 1e3, NULL, NULL, &r, NULL) == MOTE_OK);
  CHECK(r.born == 0 && mote_foam_count(foam) == 0 && r.energy == 1e3);
  for (size_t i = 0; i < COUNT; ++i)
    w.velocity[3 * i] = w.velocity[3 * i + 2] = 0.0, w.velocity[3 * i + 1] = -5.0;
  CHECK(mote_foam_advance(foam, &from, &to, 1e3, NULL, NULL, &r, NULL) == MOTE_OK);
  CHECK(r.born == 0);  // falls as a whole
  from.count = to.count = 0;
  CHECK(mote_foam_advance(foam, &from, &to, 1e3, NULL, NULL, &r, NULL) == MOTE_OK && r.born == 0);
  mote_foam_destroy(foam);
}

// Without a ledger: what kinetic and potential energy have become less.
static void test_energy(void) {
  static water a, b;
  mote_foam_def def = small_def();
  mote_foam *foam = create(&def, 2);
  mote_foam_report r;
  fill(&a, 3.0);
  b = a;
  double expected = 0.0, mass = def.density * D * D * D;
  for (size_t i = 0; i < COUNT; ++i) {
    double sum = 0.0;
    for (size_t k = 3 * i; k < 3 * i + 3; ++k)
      sum += a.velocity[k] * a.velocity[k], b.velocity[k] = 0.5 * a.velocity[k];
    b.position[3 * i + 1] -= 0.01;
    expected += mass * (0.375 * sum + 9.81 * 0.01);
  }
  mote_foam_moment from = moment_of(&a, 1.0, COUNT), to = moment_of(&b, 1.01, COUNT);
  CHECK(mote_foam_advance(foam, &from, &to, (double)NAN, NULL, NULL, &r, NULL) == MOTE_OK);
  CHECK_NEAR(r.energy, expected, 1e-9 * expected);
  CHECK(r.born > 10);
  CHECK(mote_foam_advance(foam, &to, &(mote_foam_moment){1.02, COUNT, a.id, a.position, a.velocity},
                          (double)NAN, NULL, NULL, &r, NULL) == MOTE_OK);
  CHECK(r.energy == 0.0 && r.born == 0);  // gained
  mote_foam_destroy(foam);
}

static void test_most(void) {
  mote_foam_def def = small_def();
  def.particles_max = 100;
  mote_foam *foam = create(&def, 2);
  static water a, b;
  mote_foam_report r;
  fill(&a, 3.0), drift(&a, 0.004, &b);
  mote_foam_moment from = moment_of(&a, 0.0, COUNT), to = moment_of(&b, 0.004, COUNT);
  CHECK(mote_foam_advance(foam, &from, &to, 10.0, NULL, NULL, &r, NULL) == MOTE_OK);
  CHECK(mote_foam_count(foam) == 100 && r.born == 100 && r.refused > 500);
  mote_foam_destroy(foam);
}

// --- Motion ---

static void test_parabolas(void) {
  mote_foam_def def = small_def();
  mote_foam *foam = create(&def, 3);
  size_t born;
  break_water(foam, 0.004, 1, 1.0, NULL, &born);
  size_t n = mote_foam_count(foam);
  double *x0 = malloc(3 * n * sizeof *x0), *v0 = malloc(3 * n * sizeof *v0);
  mote_field_view x = mote_foam_view(foam, MOTE_FOAM_POSITION), v = mote_foam_view(foam, MOTE_FOAM_VELOCITY);
  for (size_t k = 0; k < 3 * n; ++k) x0[k] = ((double *)x.data)[k], v0[k] = (double)((float *)v.data)[k];
  mote_foam_moment from = {.time = 0.0}, to = {.time = 0.5};
  CHECK(born == n && n > 30);
  CHECK(mote_foam_advance(foam, &from, &to, 0.0, NULL, NULL, NULL, NULL) == MOTE_OK);
  x = mote_foam_view(foam, MOTE_FOAM_POSITION);
  CHECK(mote_foam_count(foam) == n);
  for (size_t k = 0; k < 3 * n; ++k) {
    double exact = x0[k] + 0.5 * v0[k] + (k % 3 == 1 ? -0.5 * 9.81 * 0.25 : 0.0);
    if (fabs(((double *)x.data)[k] - exact) > 1e-5) CHECK_NEAR(((double *)x.data)[k], exact, 1e-5);
  }
  free(x0), free(v0);
  mote_foam_destroy(foam);
}

static void test_bubbles(void) {
  static water still;
  mote_foam_def def = small_def();
  def.life[0] = def.life[1] = 100.0;
  mote_foam *foam = create(&def, 2);
  size_t born, deep = 0;
  break_water(foam, 0.004, 1, 1.0, NULL, &born);
  fill(&still, 0.0);
  mote_foam_moment from = moment_of(&still, 0.0, COUNT), to = moment_of(&still, 0.15, COUNT);
  CHECK(mote_foam_advance(foam, &from, &to, 0.0, NULL, NULL, NULL, NULL) == MOTE_OK);
  const float *v = mote_foam_view(foam, MOTE_FOAM_VELOCITY).data;
  const uint32_t *kind = mote_foam_view(foam, MOTE_FOAM_KIND).data;
  for (size_t i = 0; i < mote_foam_count(foam); ++i) {
    if (kind[i] != MOTE_FOAM_BUBBLES) continue;
    ++deep;
    CHECK_NEAR((double)v[3 * i + 1], mote_foam_rise(&def), 0.02);
    CHECK_NEAR((double)v[3 * i], 0.0, 0.02);
  }
  CHECK(deep > 5);
  CHECK(mote_foam_rise(&def) > 0.2 && mote_foam_rise(&def) < 0.3);
  to.time = 4.0, from.time = 0.15;
  CHECK(mote_foam_advance(foam, &from, &to, 0.0, NULL, NULL, NULL, NULL) == MOTE_OK);
  kind = mote_foam_view(foam, MOTE_FOAM_KIND).data;
  const double *x = mote_foam_view(foam, MOTE_FOAM_POSITION).data;
  size_t on_top = 0, under = 0;
  for (size_t i = 0; i < mote_foam_count(foam); ++i) {
    if (kind[i] == MOTE_FOAM_BUBBLES) ++under;
    if (kind[i] == MOTE_FOAM_FOAM && fabs(x[3 * i + 1] - SIDE * D) < D) ++on_top;
  }
  CHECK(under == 0 && on_top > 0);
  mote_foam_destroy(foam);
}

// A floor, and a side beyond which there is nothing.
static double floor_and_end(void *user, const double x[3], double t, double normal[3], double velocity[3]) {
  (void)user, (void)t;
  for (int a = 0; a < 3; ++a) normal[a] = a == 1, velocity[a] = 0.0;
  return x[0] > 0.25 ? (double)NAN : x[1];
}

static void test_obstacle(void) {
  mote_foam_def def = small_def();
  mote_foam *foam = create(&def, 2);
  size_t born;
  break_water(foam, 0.004, 1, 1.0, NULL, &born);
  mote_foam_moment from = {.time = 0.0}, to = {.time = 1.0};
  CHECK(mote_foam_advance(foam, &from, &to, 0.0, floor_and_end, NULL, NULL, NULL) == MOTE_OK);
  const double *x = mote_foam_view(foam, MOTE_FOAM_POSITION).data;
  size_t low = 0;
  for (size_t i = 0; i < mote_foam_count(foam); ++i) {
    low += x[3 * i + 1] < 0.5 * def.size - 1e-9;
    CHECK(x[3 * i] <= 0.25);
  }
  CHECK(low == 0);
  CHECK(mote_foam_count(foam) > 0 && mote_foam_count(foam) < born);
  mote_foam_destroy(foam);
}

static void test_life(void) {
  static water still;
  mote_foam_def def = small_def();
  def.life[0] = def.life[1] = 0.3;
  mote_foam *foam = create(&def, 2);
  size_t born;
  mote_foam_report r;
  break_water(foam, 0.004, 1, 0.1, NULL, &born);
  fill(&still, 0.0);
  for (int k = 0; k < 40; ++k) {
    mote_foam_moment from = moment_of(&still, 0.1 * k, COUNT), to = moment_of(&still, 0.1 * k + 0.1, COUNT);
    CHECK(mote_foam_advance(foam, &from, &to, 0.0, floor_and_end, NULL, &r, NULL) == MOTE_OK);
  }
  CHECK(r.kind[MOTE_FOAM_FOAM] + r.kind[MOTE_FOAM_BUBBLES] == 0);
  mote_foam_destroy(foam);
}

// --- Bits ---

static void test_threads(void) {
  mote_foam_def def = small_def();
  mote_foam *foam[2];
  for (int k = 0; k < 2; ++k) {
    size_t born;
    foam[k] = create(&def, k == 0 ? 1 : 5);
    break_water(foam[k], 0.02, 3, 8.0, floor_and_end, &born);
  }
  CHECK(mote_foam_count(foam[0]) > 1000);
  for (int f = 0; f < MOTE_FOAM_FIELDS; ++f) {
    mote_field_view a = mote_foam_view(foam[0], (mote_foam_field)f),
                    b = mote_foam_view(foam[1], (mote_foam_field)f);
    CHECK(a.count == b.count && a.type == b.type && a.components == b.components);
    size_t size = a.type == MOTE_TYPE_F64 || a.type == MOTE_TYPE_U64 ? 8 : 4;
    CHECK(memcmp(a.data, b.data, a.count * (size_t)a.components * size) == 0);
  }
  CHECK(mote_foam_view(foam[0], MOTE_FOAM_FIELDS).name == NULL);
  mote_foam_destroy(foam[0]), mote_foam_destroy(foam[1]);
}

static void test_flat(void) {
  static water a, b;
  mote_foam_def def = mote_foam_def_default(2);
  def.spacing = D, def.length = SIDE * D;
  mote_foam *foam = create(&def, 2);
  mote_foam_report r;
  fill(&a, 3.0);
  size_t n = 0;
  for (size_t i = 0; i < COUNT; ++i) {  // one layer
    if (a.position[3 * i + 2] > D) continue;
    for (size_t k = 0; k < 3; ++k) {
      a.position[3 * n + k] = k == 2 ? 0.0 : a.position[3 * i + k];
      a.velocity[3 * n + k] = k == 2 ? 0.0 : a.velocity[3 * i + k];
    }
    a.id[n++] = a.id[i];
  }
  drift(&a, 0.004, &b);
  double unit = def.density * 9.81 * pow(def.length, 3.0);
  mote_foam_moment from = moment_of(&a, 0.0, n), to = moment_of(&b, 0.004, n);
  CHECK(n == SIDE * SIDE);
  CHECK(mote_foam_advance(foam, &from, &to, unit, NULL, NULL, &r, NULL) == MOTE_OK);
  CHECK_NEAR((double)r.born, def.amount, sqrt((double)n));
  const double *x = mote_foam_view(foam, MOTE_FOAM_POSITION).data;
  for (size_t i = 0; i < mote_foam_count(foam); ++i) CHECK(x[3 * i + 2] == 0.0);
  mote_foam_destroy(foam);
}

// --- Refusals ---

static void check_refused(mote_foam_def def, const char *key) {
  mote_foam *foam = NULL;
  mote_error error = {0};
  CHECK(mote_foam_create(&def, NULL, &foam, &error) == MOTE_ERROR_ARGUMENT && foam == NULL);
  CHECK_TEXT(error.key, key);
}

static void test_refused_defs(void) {
  mote_foam_def def = mote_foam_def_default(3);
  check_refused(def, "spacing");
  def.spacing = D;
  check_refused(def, "length");
  def = small_def(), def.dimensions = 1, check_refused(def, "dimensions");
  def = small_def(), def.density = 0.0, check_refused(def, "density");
  def = small_def(), def.amount = -1.0, check_refused(def, "amount");
  def = small_def(), def.life[0] = 4.0, check_refused(def, "life");
  def = small_def(), def.size = (double)INFINITY, check_refused(def, "size");
  def = small_def(), def.air_density = (double)NAN, check_refused(def, "air_density");
  def = small_def(), def.tension = -1.0, check_refused(def, "tension");
  def = small_def(), def.gravity[1] = 0.0, check_refused(def, "gravity");
  def = small_def(), def.gravity[0] = (double)NAN, check_refused(def, "gravity");
  CHECK(mote_foam_create(NULL, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
}

static void test_refused_moments(void) {
  static water w;
  mote_foam_def def = small_def();
  mote_foam *foam = create(&def, 2);
  mote_error error;
  fill(&w, 1.0);
  mote_foam_moment good = moment_of(&w, 0.0, COUNT), later = moment_of(&w, 1.0, COUNT), bad = later;
  CHECK(mote_foam_advance(foam, &later, &good, 0.0, NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "to");
  bad.id = NULL;
  CHECK(mote_foam_advance(foam, &good, &bad, 0.0, NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  bad = later, bad.time = (double)NAN;
  CHECK(mote_foam_advance(foam, &good, &bad, 0.0, NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  w.id[5] = w.id[4];
  CHECK(mote_foam_advance(foam, &good, &later, 0.0, NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "from");
  fill(&w, 1.0), w.velocity[7] = (double)NAN;
  CHECK(mote_foam_advance(foam, &good, &later, 0.0, NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "particle 17 is not finite");
  CHECK(mote_foam_advance(NULL, &good, &later, 0.0, NULL, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_foam_count(foam) == 0);
  CHECK_TEXT(mote_foam_kind_name(MOTE_FOAM_BUBBLES), "bubbles");
  mote_foam_destroy(foam);
  mote_foam_destroy(NULL);
}

int main(void) {
  test_number();
  test_none();
  test_energy();
  test_most();
  test_parabolas();
  test_bubbles();
  test_obstacle();
  test_life();
  test_threads();
  test_flat();
  test_refused_defs();
  test_refused_moments();
  return test_end();
}
