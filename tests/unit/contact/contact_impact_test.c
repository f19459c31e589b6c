// Simultaneous impacts in rounds: cradles, balls in a row against the exact sequence of pairs, flat boxes,
// a ball between walls; momenta; no energy is gained.
#include "contact/contact_impact.h"

#include "base/random.h"
#include "contact_kit.h"

#define D 0.05

static double random_of(uint64_t stream, uint64_t k) {
  return mote_random_uniform(11, stream, k);
}

static kit_world *make_free(int dimensions) {
  kit_world *w = kit_make(D, 5e-3, 1);
  w->scene.dimensions = dimensions;
  w->gravity[1] = w->scene.gravity = 0.0;
  return w;
}

// Balls of 20 cm that touch, in a row along x.
static kit_world *make_row(int count, const double *mass, double e) {
  kit_world *w = make_free(3);
  for (int k = 0; k < count; ++k) {
    mote_shape_def ball = mote_shape_def_sphere(0.2 * k, 0.0, 0.0, 0.1);
    size_t n = kit_body(w, &ball, (mass == NULL ? 1.0 : mass[k]) * 500.0, 0.3, e);
    w->obstacle[n].x[0] = 0.2 * k;
    kit_place(w, n);
  }
  return w;
}

// --- Cradles ------------------------------------------------------------------------------------------

static void test_cradle(void) {
  for (int strike = 1; strike <= 4; ++strike) {
    kit_world *w = make_row(5, NULL, 1.0);
    for (int k = 0; k < strike; ++k) w->obstacle[k].v[0] = 1.3;
    for (int s = 0; s < 5; ++s) kit_step(w);
    for (int k = 0; k < 5; ++k) {
      CHECK_NEAR(w->obstacle[k].v[0], k >= 5 - strike ? 1.3 : 0.0, 1e-10);
      CHECK_NEAR(w->obstacle[k].v[1], 0.0, 1e-10);
      CHECK_NEAR(length3(w->obstacle[k].w), 0.0, 1e-10);
    }
    kit_free(w);
  }
}

// Two strike from one side and one from the other.
static void test_both_sides(void) {
  static const double left[5] = {1.0, 1.0, 0.0, 0.0, -1.0}, out[5] = {-1.0, 0.0, 0.0, 1.0, 1.0};
  kit_world *w = make_row(5, NULL, 1.0);
  for (int k = 0; k < 5; ++k) w->obstacle[k].v[0] = left[k];
  for (int s = 0; s < 3; ++s) kit_step(w);
  for (int k = 0; k < 5; ++k) CHECK_NEAR(w->obstacle[k].v[0], out[k], 1e-10);
  kit_free(w);
}

// --- Three masses -------------------------------------------------------------------------------------

// The exact sequence of impacts of pairs, the left one first.
static void exact_sequence(const double mass[3], double e, double v[3]) {
  for (int n = 0; n < 1000; ++n) {
    int k = v[0] > v[1] + 1e-14 ? 0 : v[1] > v[2] + 1e-14 ? 1 : -1;
    if (k < 0) break;
    double p = (1.0 + e) * (v[k] - v[k + 1]) / (1.0 / mass[k] + 1.0 / mass[k + 1]);
    v[k] -= p / mass[k], v[k + 1] += p / mass[k + 1];
  }
}

static void test_masses(void) {
  for (uint64_t n = 0; n < 40; ++n) {
    double mass[3], v[3] = {1.0, 0.0, 0.0}, e = n % 2 == 0 ? 1.0 : 0.5 + 0.5 * random_of(1, n);
    for (uint64_t k = 0; k < 3; ++k) mass[k] = mote_exp(3.0 * random_of(2, 3 * n + k) - 1.5);
    kit_world *w = make_row(3, mass, e);
    w->obstacle[0].v[0] = 1.0;
    kit_step(w);
    exact_sequence(mass, e, v);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(w->obstacle[k].v[0], v[k], 1e-9);
    kit_free(w);
  }
}

// --- Boxes --------------------------------------------------------------------------------------------

// A box that falls flat from 1 m and rises to e^2 m, without turning, on the floor or on a box.
static void fall_flat(int dimensions, double e, double base, double mu, double along) {
  kit_world *w = kit_make(D, 5e-3, 1);
  w->scene.dimensions = dimensions;
  mote_shape_def def = mote_shape_def_box(-0.2, base + 1.0, -0.15, 0.2, base + 1.1, 0.15);
  mote_shape_def table = mote_shape_def_box(-0.5, 0.0, -0.5, 0.5, base, 0.5), ground = kit_floor(0.0, 0.0);
  size_t k = kit_body(w, &def, 500.0, mu, e);
  if (base > 0.0) kit_body(w, &table, 1e9, 0.5, 0.0);
  kit_obstacle(w, &ground);
  w->obstacle[k].v[0] = along;
  // The solve of what rests ends at 1e-6 of gravity's change of velocity.
  double height = 0.0, limit = base > 0.0 ? 1e-6 : 1e-10, turn = base > 0.0 ? 1e-6 * 9.81 * 5e-3 : 1e-10;
  for (int s = 0; s < 170 && !(height > 0.0); ++s) {
    kit_step(w);
    double v = w->obstacle[k].v[1];
    if (v > 0.0) height = w->obstacle[k].x[1] - base - 0.05 + v * v / (2.0 * 9.81);
  }
  CHECK_NEAR(height, e * e, limit);
  CHECK_NEAR(w->obstacle[k].w[0], 0.0, turn);
  CHECK_NEAR(w->obstacle[k].w[1], 0.0, turn);
  if (along == 0.0) CHECK_NEAR(w->obstacle[k].w[2], 0.0, turn);
  CHECK_NEAR(w->obstacle[k].v[2], 0.0, turn);
  kit_free(w);
}

static void test_flat(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (double e = 1.0; e > 0.3; e -= 0.3) {
      fall_flat(dimensions, e, 0.0, 0.0, 0.0);
      fall_flat(dimensions, e, 0.0, 0.5, 0.0);
      fall_flat(dimensions, e, 0.5, 0.5, 0.0);
    }
  }
  fall_flat(3, 1.0, 0.0, 0.0, 0.7);
}

// --- A ball between walls -----------------------------------------------------------------------------

// At 30 m/s, 15 cm a step, between walls 20 cm apart: its speed and energy last, and it stays inside.
static void test_walls(void) {
  kit_world *w = make_free(3);
  mote_shape_def ball = mote_shape_def_sphere(0.0, 0.0, 0.0, 0.04), wall = kit_floor(0.0, 0.0);
  kit_body(w, &ball, 500.0, 0.3, 1.0);
  wall.normal[0] = 1.0, wall.normal[1] = 0.0, wall.centre[0] = -0.1, wall.centre[1] = 0.0;
  kit_obstacle(w, &wall);
  wall.normal[0] = -1.0, wall.centre[0] = 0.1;
  kit_obstacle(w, &wall);
  w->obstacle[0].v[0] = 30.0;
  double path = 0.0;
  for (int s = 0; s < 200; ++s) {
    kit_step(w);
    path += 30.0 * 5e-3;
    CHECK_NEAR(fabs(w->obstacle[0].v[0]), 30.0, 1e-10);
    CHECK(fabs(w->obstacle[0].x[0]) < 0.06 + 1e-9);
    double folded = fmod(path + 0.06, 0.24);
    CHECK_NEAR(w->obstacle[0].x[0], (folded < 0.12 ? folded : 0.24 - folded) - 0.06, 1e-9);
  }
  kit_free(w);
}

// --- Energy and momenta -------------------------------------------------------------------------------

// Boxes, balls and rods that meet in a heap, without gravity.
static kit_world *make_heap(uint64_t seed, double e) {
  kit_world *w = make_free(3);
  w->scene.dt = 2e-3;
  for (uint64_t k = 0; k < 6; ++k) {
    double x = 0.25 * (double)(k % 3), y = 0.25 * (double)(k / 3),
           b = 0.05 + 0.06 * random_of(3, 6 * seed + k);
    mote_shape_def def = k % 2 == 0 ? mote_shape_def_sphere(x, y, 0.0, b)
                                    : mote_shape_def_box(x - b, y - 0.05, -0.05, x + b, y + 0.05, 0.05);
    double density = 100.0 * mote_exp(4.0 * random_of(4, 6 * seed + k)), mu = random_of(5, 6 * seed + k);
    double own = e < 0.0 ? random_of(6, 6 * seed + k) : e, turn[3], omega[3];
    size_t n = kit_body(w, &def, density, mu, own);
    w->obstacle[n].dt = w->scene.dt;
    for (uint64_t a = 0; a < 3; ++a) {
      uint64_t place = 3 * (6 * seed + k) + a;
      turn[a] = 0.6 * random_of(7, place) - 0.3, omega[a] = 40.0 * random_of(8, place) - 20.0;
      double centre[3] = {0.25, 0.125, 0.0};
      w->obstacle[n].v[a] = 8.0 * (centre[a] - w->obstacle[n].x[a]) + 2.0 * random_of(9, place) - 1.0;
    }
    kit_turn(w, n, turn);
    mote_rigid_momentum(&w->body[n], w->q[n], omega, w->L[n]);
  }
  return w;
}

static void add_momenta(const kit_world *w, double sum[6]) {
  for (int c = 0; c < 6; ++c) sum[c] = 0.0;
  for (size_t k = 0; k < w->scene.bodies; ++k) {
    double p[3], l[3];
    for (int c = 0; c < 3; ++c) p[c] = w->body[k].mass * w->obstacle[k].v[c];
    cross3(w->obstacle[k].x, p, l);
    for (int c = 0; c < 3; ++c) sum[c] += p[c], sum[3 + c] += l[c] + w->L[k][c];
  }
}

static void test_heaps(void) {
  int impacts = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    kit_world *w = make_heap(seed, seed % 4 == 0 ? 1.0 : -1.0);
    double first[6], now[6], size = 0.0, least = kit_energy(w), most = least;
    add_momenta(w, first);
    for (size_t k = 0; k < w->scene.bodies; ++k) size += w->body[k].mass * length3(w->obstacle[k].v);
    bool met = false;
    for (int s = 0; s < 40; ++s) {
      kit_step(w);
      for (size_t k = 0; k < w->set.count; ++k) met = met || length3(w->set.contact[k].impact) > 0.0;
      double energy = kit_energy(w);
      CHECK(energy < least + 1e-6 * most);
      least = min2(least, energy);
    }
    add_momenta(w, now);
    for (int c = 0; c < 3; ++c) CHECK_NEAR(now[c], first[c], 1e-12 * size);
    impacts += met;
    kit_free(w);
  }
  CHECK(impacts > 190);
}

int main(void) {
  test_cradle();
  test_both_sides();
  test_masses();
  test_flat();
  test_walls();
  test_heaps();
  return test_end();
}
