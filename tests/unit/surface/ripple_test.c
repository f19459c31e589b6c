// Planes of one layer: waves that are low go, waves that are high stay, other parts and other sides are not
// seen.
#include "surface/ripple.h"

#include <math.h>
#include <mote/numeric.h>

#include "layer_kit.h"

#define LENGTH 10.0  // of the waves, spacings
#define TURN (2.0 * 3.14159265358979323846 / LENGTH)

// Planes that are `height` above the points on a wave.
static void make_layer(layer_kit *l, double height, const mote_env *env) {
  layer_kit_begin(l, env);
  for (size_t p = 0; p < LAYER_POINTS; ++p) {
    double depth = 0.5 + height * mote_cos(TURN * layer_kit_x(l, p));
    l->of[p] = (uint32_t)p;
    l->plane[p] = (mote_surface_plane){{0.0f, 0.0f, 1.0f}, (float)depth};
  }
}

static void even(layer_kit *l, const uint32_t *label) {
  mote_kernel_shapes shapes = {.count = LAYER_POINTS, .shape = l->shape, .of = l->of};
  mote_ripple_set on = {.set = &l->set, .plane = l->plane, .label = label, .shapes = &shapes, .reach = 2.5};
  CHECK(mote_ripple_even(&on, 0.08, 2, &l->scratch, NULL) == MOTE_OK);
}

// The wave of the steps, as a part of the wave of the planes, away from the rim.
static double part_of_wave(const layer_kit *l, double height) {
  double sum = 0.0, all = 0.0;
  for (size_t p = 0; p < LAYER_POINTS; ++p) {
    if (!layer_kit_inner(l, p)) continue;
    double wave = mote_cos(TURN * layer_kit_x(l, p));
    sum += wave * (double)l->shape[p].shift[2], all += wave * wave;
  }
  return sum / (all * height);
}

static double largest_step(const layer_kit *l) {
  double most = 0.0;
  for (size_t p = 0; p < LAYER_POINTS; ++p) {
    for (int a = 0; a < 3; ++a) most = fmax(most, fabs((double)l->shape[p].shift[a]));
  }
  return most;
}

// The mean by (1 - q^2)^2 over a disc of radius w leaves 48 J_3(k w)/(k w)^3 of a wave, at k w = 4.4 0.24;
// points of a packing instead of a disc change it by less than 0.02.
static void check_low(const mote_env *env) {
  static layer_kit l;
  make_layer(&l, 0.02, env);
  even(&l, NULL);
  CHECK_NEAR(part_of_wave(&l, 0.02), 0.242 - 1.0, 0.02);
  layer_kit_end(&l);
}

// High ones are not lowered; nothing that is flat moves.
static void check_high(const mote_env *env) {
  static layer_kit l;
  make_layer(&l, 0.4, env);
  even(&l, NULL);
  CHECK(part_of_wave(&l, 0.4) > 0.0);
  layer_kit_end(&l);
  make_layer(&l, 0.0, env);
  even(&l, NULL);
  CHECK_NEAR(largest_step(&l), 0.0, 1e-6);
  layer_kit_end(&l);
}

// Every second point has another label, faces the other way, or knows no plane; all of them 0.05 higher.
static void check_others(const mote_env *env) {
  static layer_kit l;
  for (int kind = 0; kind < 3; ++kind) {
    make_layer(&l, 0.0, env);
    for (size_t p = 0; p < LAYER_POINTS; ++p) {
      bool other = l.set.row[p] % 2 != 0;
      l.label[p] = other && kind == 0;
      if (other) l.plane[p].depth = kind == 2 ? HUGE_VALF : 0.55f;
      if (other && kind == 1) l.plane[p].normal[2] = -1.0f;
    }
    even(&l, kind == 0 ? l.label : NULL);
    CHECK_NEAR(largest_step(&l), 0.0, 1e-6);
    layer_kit_end(&l);
  }
}

int main(void) {
  mote_env env = mote_env_resolve(NULL);
  check_low(&env);
  check_high(&env);
  check_others(&env);
  return test_end();
}
