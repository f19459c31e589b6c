// Emitters: the packing over the opening, the flow over any sequence of steps, times, limits, errors.
#include "things/emit.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "test.h"

#define PI 3.14159265358979323846

static mote_emitter_def spout(void) {
  mote_emitter_def def = {
      .direction = {1, 0, 0}, .radius = (double)NAN, .size = {1, 1}, .speed = {.constant = 1.0}};
  def.end = HUGE_VAL;
  def.most = SIZE_MAX;
  return def;
}

static mote_nozzle *make(const mote_emitter_def *def, int dimensions, double spacing) {
  mote_nozzle *nozzle = NULL;
  mote_error error = {0};
  mote_result result = mote_nozzle_create(def, dimensions, spacing, NULL, &nozzle, &error);
  if (!CHECK(result == MOTE_OK)) fprintf(stderr, "  %s: %s\n", error.key, error.text);
  return nozzle;
}

typedef struct layer {
  size_t count;
  double *x;
  float *v;
} layer;

// What comes in the step, in new arrays.
static layer emit(const mote_nozzle *nozzle, mote_nozzle_state *state, double t, double dt) {
  layer l = {.count = mote_nozzle_count(nozzle, state, t, dt)};
  l.x = malloc((3 * l.count + 1) * sizeof *l.x);
  l.v = malloc((3 * l.count + 1) * sizeof *l.v);
  CHECK(mote_nozzle_emit(nozzle, state, t, dt, l.x, l.v) == l.count);
  return l;
}

static void layer_free(layer *l) {
  free(l->x);
  free(l->v);
}

static double nearest_pair(const layer *l) {
  double least = HUGE_VAL;
  for (size_t i = 0; i < l->count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      double r2 = 0.0;
      for (int a = 0; a < 3; ++a) r2 += pow(l->x[3 * i + a] - l->x[3 * j + a], 2);
      least = fmin(least, sqrt(r2));
    }
  }
  return least;
}

// Points lie within the disc, half a spacing from its rim, none too near another, their middle in the middle.
static void disc(double radius, double spacing) {
  mote_emitter_def def = spout();
  def.radius = radius;
  def.direction[0] = 1.0, def.direction[1] = 2.0, def.direction[2] = -0.5;
  def.centre[1] = 7.0;
  mote_nozzle *nozzle = make(&def, 3, spacing);
  CHECK_NEAR(mote_nozzle_area(nozzle), PI * radius * radius, 1e-12 * radius * radius);
  double points = (double)mote_nozzle_points(nozzle), share = PI * radius * radius / (spacing * spacing);
  CHECK(fabs(points - share) <= 0.5 || points == 1.0);
  CHECK_NEAR(mote_nozzle_volume(nozzle), spacing * spacing * spacing, 1e-14);
  mote_nozzle_state state = {0};
  layer l = emit(nozzle, &state, 0.0, 0.6 * mote_nozzle_volume(nozzle) * points / (PI * radius * radius));
  CHECK(l.count == mote_nozzle_points(nozzle));
  double middle[3] = {0}, farthest = 0.0;
  for (size_t i = 0; i < l.count; ++i) {
    double *x = l.x + 3 * i, r2 = 0.0, along = 0.0, length = sqrt(1 + 4 + 0.25);
    x[1] -= 7.0;
    for (int a = 0; a < 3; ++a) {
      along += x[a] * def.direction[a] / length;
      middle[a] += x[a] / (double)l.count;
      r2 += x[a] * x[a];
    }
    farthest = fmax(farthest, sqrt(r2 - along * along));
  }
  CHECK(farthest < radius - 0.2 * spacing || l.count == 1);
  for (int a = 0; a < 3; ++a) CHECK_NEAR(middle[a], 0.0, 0.25 * spacing);
  if (l.count > 1) CHECK(nearest_pair(&l) > 0.6 * spacing);
  layer_free(&l);
  mote_nozzle_destroy(nozzle);
}

static void rectangle(void) {
  mote_emitter_def def = spout();
  def.size[0] = 0.4, def.size[1] = 0.2;
  mote_nozzle *nozzle = make(&def, 3, 0.1);
  CHECK(mote_nozzle_points(nozzle) == 8);
  mote_nozzle_state state = {0};
  layer l = emit(nozzle, &state, 0.0, 0.07);  // 0.02 beyond the middle of the first layer
  CHECK(l.count == 8);
  CHECK_NEAR(nearest_pair(&l), 0.1, 1e-15);
  for (size_t i = 0; i < l.count; ++i) {
    CHECK_NEAR(l.x[3 * i], 0.02, 1e-15);
    CHECK(fabs(l.x[3 * i + 1]) <= 0.05 + 1e-15 && fabs(l.x[3 * i + 2]) <= 0.15 + 1e-15);
    CHECK(l.v[3 * i] == 1.0f && l.v[3 * i + 1] == 0.0f && l.v[3 * i + 2] == 0.0f);
  }
  layer_free(&l);
  mote_nozzle_destroy(nozzle);
}

static void segment(void) {
  mote_emitter_def def = spout();
  def.direction[0] = 0.0, def.direction[1] = -2.0, def.direction[2] = 9.0;
  def.radius = 0.25;
  mote_nozzle *nozzle = make(&def, 2, 0.1);
  CHECK(mote_nozzle_points(nozzle) == 5);
  CHECK_NEAR(mote_nozzle_area(nozzle), 0.5, 1e-15);
  CHECK_NEAR(mote_nozzle_volume(nozzle), 0.01, 1e-15);
  mote_nozzle_state state = {0};
  layer l = emit(nozzle, &state, 0.0, 0.16);  // layers at 0.11 and 0.01
  CHECK(l.count == 10);
  for (size_t i = 0; i < l.count; ++i) {
    CHECK_NEAR(l.x[3 * i + 1], i < 5 ? -0.11 : -0.01, 1e-15);
    CHECK_NEAR(fabs(l.x[3 * i]), 0.1 * fabs((double)(i % 5) - 2.0), 1e-15);
    CHECK(l.x[3 * i + 2] == 0.0);
  }
  layer_free(&l);
  mote_nozzle_destroy(nozzle);
}

// Over steps of any length what came is the integral of the flow to half a layer, at all times, and layers
// lie one thickness apart.
static void flows_evenly(void) {
  mote_emitter_def def = spout();
  def.radius = 0.17;
  def.speed.formula = "1 + sin(3*t)";
  def.start = 0.3, def.end = 2.1;
  mote_nozzle *nozzle = make(&def, 3, 0.05);
  double one = mote_nozzle_volume(nozzle), of_layer = one * (double)mote_nozzle_points(nozzle);
  double worst = 0.0;
  for (uint64_t sequence = 0; sequence < 100; ++sequence) {
    mote_nozzle_state state = {0};
    double t = 0.0;
    for (uint64_t k = 0; t < 2.5; ++k) {
      double dt = 0.002 + 0.05 * mote_random_uniform(9, sequence, k);
      layer l = emit(nozzle, &state, t, dt);
      layer_free(&l);
      t += dt;
      double a = fmin(fmax(t, def.start), def.end);
      double flow = (a - 0.3) + (mote_cos(0.9) - mote_cos(3.0 * a)) / 3.0;
      worst = fmax(worst, fabs((double)state.emitted * one - flow * mote_nozzle_area(nozzle)) / of_layer);
    }
  }
  CHECK(worst < 0.5 + 1e-4);  // Simpson's rule is off by less than 1e-6 of a step
  CHECK(worst > 0.4);         // or nothing was measured
  mote_nozzle_destroy(nozzle);
}

static void keeps_time(void) {
  mote_emitter_def def = spout();
  def.start = 1.0, def.end = 2.0;
  mote_nozzle *nozzle = make(&def, 3, 0.1);
  mote_nozzle_state state = {0};
  CHECK(mote_nozzle_count(nozzle, &state, 0.0, 1.0) == 0);
  CHECK(mote_nozzle_count(nozzle, &state, 2.0, 1.0) == 0);
  CHECK(mote_nozzle_count(nozzle, &state, 0.0, 100.0) == 1000);  // ten layers of a hundred
  CHECK(mote_nozzle_speed(nozzle, 0.999) == 0.0 && mote_nozzle_speed(nozzle, 1.0) == 1.0);
  CHECK(mote_nozzle_speed(nozzle, 2.0) == 0.0);
  mote_nozzle_destroy(nozzle);
}

static void stops_at_most(void) {
  mote_emitter_def def = spout();
  def.most = 250;
  mote_nozzle *nozzle = make(&def, 3, 0.1);
  mote_nozzle_state state = {0};
  size_t sum = 0;
  for (int k = 0; k < 100; ++k) {
    layer l = emit(nozzle, &state, 0.07 * k, 0.07);
    sum += l.count;
    layer_free(&l);
  }
  CHECK(sum == 250 && state.emitted == 250);
  mote_nozzle_destroy(nozzle);
}

static void does_not_suck(void) {
  mote_emitter_def def = spout();
  def.speed.formula = "-1 - t";
  mote_nozzle *nozzle = make(&def, 3, 0.1);
  mote_nozzle_state state = {0};
  CHECK(mote_nozzle_count(nozzle, &state, 0.0, 10.0) == 0);
  mote_nozzle_destroy(nozzle);
  def.speed.formula = "1/(t-t)";
  nozzle = make(&def, 3, 0.1);
  CHECK(mote_nozzle_count(nozzle, &state, 0.0, 10.0) == SIZE_MAX);
  mote_nozzle_destroy(nozzle);
}

static void refuse(const mote_emitter_def *def, const char *key) {
  mote_nozzle *nozzle = NULL;
  mote_error error = {0};
  CHECK(mote_nozzle_create(def, 3, 0.1, NULL, &nozzle, &error) != MOTE_OK);
  CHECK_TEXT(error.key, key);
  CHECK(nozzle == NULL);
}

static void refuses(void) {
  mote_emitter_def def = spout();
  def.direction[0] = 0.0;
  refuse(&def, "direction");
  def = spout(), def.radius = 0.04;
  refuse(&def, "radius");
  def = spout(), def.radius = -1.0;
  refuse(&def, "radius");
  def = spout(), def.size[1] = 0.01;
  refuse(&def, "size");
  def = spout(), def.size[0] = 1e9, def.size[1] = 1e9;
  refuse(&def, "size");
  def = spout(), def.speed.formula = "sped(t)";
  refuse(&def, "speed");
  def = spout(), def.end = -1.0;
  refuse(&def, "end");
  def = spout(), def.centre[2] = (double)NAN;
  refuse(&def, "centre");
}

// On the way out, which is as long as a layer, nothing comes against the flow; beside, behind and beyond it,
// after the end and when all have come, everything does as it likes.
static void pushes_what_meets_it(void) {
  mote_emitter_def def = spout();
  def.radius = 0.2, def.speed.constant = 2.0, def.end = 1.0, def.most = 1000;
  const double x[7][3] = {{0.05, 0.0, 0.0}, {0.05, 0.15, 0.1}, {0.0, 0.0, 0.19}, {0.05, 0.0, 0.21},
                          {-0.01, 0, 0},    {0.2, 0.0, 0.0},   {0.05, 0.0, 0.0}};
  const float along[7] = {-3.0f, 0.0f, 1.0f, -3.0f, -3.0f, -3.0f, 5.0f};
  mote_nozzle *nozzle = make(&def, 3, 0.1);
  for (int k = 0; k < 3; ++k) {
    const mote_nozzle_state state = {.emitted = k == 1 ? 1000 : 7};
    float v[7][3];
    for (int i = 0; i < 7; ++i) v[i][0] = along[i], v[i][1] = 0.5f, v[i][2] = -0.25f;
    mote_nozzle_set_velocities(nozzle, &state, k == 2 ? 1.0 : 0.5, 7, x[0], v[0]);
    for (int i = 0; i < 7; ++i) {
      CHECK(v[i][0] == (k == 0 && i < 3 ? 2.0f : along[i]));
      CHECK(v[i][1] == 0.5f && v[i][2] == -0.25f);
    }
  }
  mote_nozzle_destroy(nozzle);
}

// Three layers and a half within the length of two are too many, and with one more to come two and a half;
// behind, beside and beyond they do not count. What is full is not pushed.
static void waits_for_room(void) {
  mote_emitter_def def = spout();
  def.size[0] = 0.2, def.size[1] = 0.1, def.speed.constant = 2.0;
  mote_nozzle *nozzle = make(&def, 3, 0.1);
  CHECK(mote_nozzle_points(nozzle) == 2);
  double x[12][3];
  float v[12][3] = {{0.0f}};
  for (size_t i = 0; i < 12; ++i) x[i][0] = 0.0249 * (double)(i % 8), x[i][1] = x[i][2] = 0.0;
  x[8][0] = -0.01, x[9][0] = 0.2, x[10][2] = 0.11, x[11][1] = 0.06;
  for (size_t more = 0; more < 2; ++more) {
    const size_t most = more == 1 ? 5 : 7;
    CHECK(!mote_nozzle_is_full(nozzle, more == 1, most, x[0]));
    CHECK(mote_nozzle_is_full(nozzle, more == 1, most + 1, x[0]));
    CHECK(!mote_nozzle_is_full(nozzle, more == 1, 4, x[8]));
  }
  CHECK(!mote_nozzle_is_full(nozzle, true, 0, NULL));
  const mote_nozzle_state state = {0};
  mote_nozzle_set_velocities(nozzle, &state, 0.0, 8, x[0], v[0]);
  CHECK(v[0][0] == 0.0f);
  mote_nozzle_set_velocities(nozzle, &state, 0.0, 7, x[0], v[0]);
  CHECK(v[0][0] == 2.0f && v[6][0] == 0.0f);
  mote_nozzle_destroy(nozzle);
}

int main(void) {
  for (double radius = 0.5; radius < 12.0; radius += 0.083) disc(0.1 * radius, 0.1);
  rectangle();
  segment();
  flows_evenly();
  keeps_time();
  stops_at_most();
  does_not_suck();
  pushes_what_meets_it();
  waits_for_room();
  refuses();
  return test_end();
}
