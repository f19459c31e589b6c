// What a fluid step must keep: momenta where there are no walls, energy that does not grow, the same bits for
// any number of threads, and finite numbers whatever the particles are doing.
#include "base/hash.h"
#include "fluid_kit.h"

// Two fluids in free space, jittered and turning, with random velocities on top.
static tank *blob(int dimensions, mote_pressure_kind pressure, double viscosity, int threads, int side) {
  tank_def def = tank_def_default(dimensions);
  def.pressure = pressure, def.gravity = 0.0, def.viscosity = viscosity, def.threads = threads;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = side, def.open[a] = true;
  tank *t = tank_make(&def);
  t->fluid.sound_speed = 20.0;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    float *v = t->fluid.velocity + 3 * i;
    v[0] = -3.0f * (float)t->position[3 * i + 1], v[1] = 3.0f * (float)t->position[3 * i];
    if (i % 2) t->rest_density[i] = 500.0f, t->mass[i] *= 0.5f;
    for (int a = 0; a < dimensions; ++a) {
      t->position[3 * i + a] += def.spacing * mote_random_between(5, (uint64_t)a, i, -0.2, 0.2);
      v[a] += (float)mote_random_between(6, (uint64_t)a, i, -0.5, 0.5);
    }
  }
  return t;
}

typedef struct momenta {
  double linear[3], angular[3], scale;
} momenta;

static momenta momenta_of(const tank *t) {
  momenta m = {.scale = 0.0};
  for (size_t i = 0; i < t->fluid.count; ++i) {
    const double *x = t->position + 3 * i;
    const float *v = t->fluid.velocity + 3 * i;
    double mass = (double)t->mass[i], speed = 0.0;
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      m.linear[a] += mass * (double)v[a];
      m.angular[a] += mass * (x[b] * (double)v[c] - x[c] * (double)v[b]);
      speed += fabs((double)v[a]);
    }
    m.scale += mass * speed;
  }
  return m;
}

// What the stages do to velocities keeps linear momentum; angular momentum, but for viscosity in pairs, which
// WCSPH always has.
static void keeps_momenta(int dimensions, mote_pressure_kind pressure, double viscosity) {
  tank *t = blob(dimensions, pressure, viscosity, 1, dimensions == 3 ? 6 : 14);
  for (int k = 0; k < 5; ++k) {
    tank_step(t, 1e-3);
    mote_arena_mark mark = mote_arena_here(&t->arena);
    momenta before = momenta_of(t);
    tank_stages(t, 1e-3);
    momenta after = momenta_of(t);
    for (int a = 0; a < 3; ++a) {
      CHECK_NEAR(after.linear[a], before.linear[a], 1e-6 * before.scale);
      if (viscosity == 0.0 && pressure == MOTE_PRESSURE_DFSPH)
        CHECK_NEAR(after.angular[a], before.angular[a], 1e-6 * before.scale);
    }
    mote_arena_release(&t->arena, mark);
  }
  tank_free(t);
}

static void keeps_energy(void) {
  tank *t = blob(2, MOTE_PRESSURE_DFSPH, 0.1, 1, 14);
  tank_step(t, 2e-3);  // takes apart what was too dense at the start
  double last = tank_kinetic(t);
  for (int k = 0; k < 50; ++k) {
    tank_step(t, 2e-3);
    double now = tank_kinetic(t);
    CHECK(now <= last * 1.01);
    last = now;
  }
  tank_free(t);
}

static uint64_t hash_after(mote_pressure_kind pressure, int threads) {
  tank_def def = tank_def_default(3);
  def.pressure = pressure, def.threads = threads, def.viscosity = 0.1, def.xsph = 0.05, def.friction = 0.5;
  def.tank[0] = 16, def.tank[1] = 12, def.tank[2] = 10;
  def.water[0] = 9, def.water[1] = 10, def.water[2] = 10;
  tank *t = tank_make(&def);
  for (int k = 0; k < 6; ++k) tank_step(t, 2e-3);
  uint64_t hash = mote_hash_bytes(1, t->position, 3 * t->fluid.count * sizeof(double));
  hash = mote_hash_bytes(hash, t->fluid.pressure, t->fluid.count * sizeof(float));
  tank_free(t);
  return hash;
}

static bool finite(const tank *t) {
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) {
    if (!isfinite(t->position[k]) || !isfinite(t->fluid.velocity[k])) return false;
  }
  for (size_t i = 0; i < t->fluid.count; ++i) {
    if (!isfinite(t->fluid.pressure[i]) || !isfinite(t->fluid.density[i])) return false;
  }
  return true;
}

// All particles at `points` places.
static void survives(int dimensions, mote_pressure_kind pressure, int side, size_t points) {
  tank_def def = tank_def_default(dimensions);
  def.pressure = pressure, def.viscosity = 1.0, def.xsph = 0.1;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = side;
  tank *t = tank_make(&def);
  for (size_t i = points; i < t->fluid.count; ++i) {
    memcpy(t->position + 3 * i, t->position + 3 * (i % points), 3 * sizeof(double));
  }
  for (int k = 0; k < 30; ++k) tank_step(t, 1e-3);
  CHECK(finite(t));
  for (size_t i = points; i < t->fluid.count; ++i) {
    CHECK(memcmp(t->position + 3 * i, t->position + 3 * (i % points), 3 * sizeof(double)) != 0);
  }
  tank_free(t);
}

static void survives_nothing(mote_pressure_kind pressure) {
  tank_def def = tank_def_default(3);
  def.pressure = pressure, def.tank[0] = def.tank[1] = def.tank[2] = 4;
  tank *t = tank_make(&def);
  tank_step(t, 1e-3);
  CHECK(t->fluid.count == 0);
  tank_free(t);
}

// A scene far away behaves as one at the origin: the same to the rounding of positions.
static void is_the_same_far_away(void) {
  double far = 131072.0, most = 0.0;
  tank *near = blob(2, MOTE_PRESSURE_DFSPH, 0.1, 1, 10), *away = blob(2, MOTE_PRESSURE_DFSPH, 0.1, 1, 10);
  for (size_t i = 0; i < away->fluid.count; ++i) away->position[3 * i] += far;
  for (int k = 0; k < 20; ++k) tank_step(near, 1e-3), tank_step(away, 1e-3);
  for (size_t i = 0; i < near->fluid.count; ++i) {
    most = fmax(most, fabs(away->position[3 * i] - far - near->position[3 * i]));
  }
  CHECK(most < 1e-5 * near->def.spacing * 20);
  tank_free(near), tank_free(away);
}

typedef struct counted {
  mote_env env;
  size_t calls;
} counted;

static void *count_resize(void *user, void *block, size_t old_size, size_t size) {
  counted *c = user;
  ++c->calls;
  return c->env.resize(c->env.resize_user, block, old_size, size);
}

// After some steps nothing is allocated, nor given back.
static void allocates_nothing(mote_pressure_kind pressure) {
  counted c = {.env = mote_env_default()};
  mote_env env = c.env;
  env.resize = count_resize, env.resize_user = &c;
  tank_def def = tank_def_default(2);
  def.pressure = pressure, def.viscosity = 0.1, def.xsph = 0.05, def.friction = 1.0, def.env = &env;
  def.tank[0] = 20, def.tank[1] = 20, def.water[0] = def.water[1] = 12;
  tank *t = tank_make(&def);
  for (int k = 0; k < 60; ++k) tank_step(t, 2e-3);
  size_t before = c.calls;
  for (int k = 0; k < 5; ++k) tank_step(t, 2e-3);
  CHECK(c.calls == before);
  tank_free(t);
}

int main(void) {
  for (int p = 0; p < MOTE_PRESSURE_KINDS; ++p) {
    mote_pressure_kind pressure = (mote_pressure_kind)p;
    for (int d = 2; d <= 3; ++d) {
      keeps_momenta(d, pressure, 0.0);
      keeps_momenta(d, pressure, 1.0);
      survives(d, pressure, 1, 1);
      survives(d, pressure, 3, 4);
      survives(d, pressure, 3, 1);
    }
    survives_nothing(pressure);
    allocates_nothing(pressure);
    uint64_t one = hash_after(pressure, 1);
    CHECK(hash_after(pressure, 2) == one);
    CHECK(hash_after(pressure, 7) == one);
  }
  keeps_energy();
  is_the_same_far_away();
  return test_end();
}
