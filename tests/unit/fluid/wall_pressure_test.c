// Walls of incompressible fluids: the rate of density that solvers use is the derivative of the density, the
// force of pressures is its adjoint, and water slides along a wall without being held back.
#include "fluid/wall_pressure.h"

#include "fluid_kit.h"
#include "pressure_kit.h"

// A corner of water with disorder, and a velocity for each particle.
static tank *disordered(int dimensions) {
  tank_def def = tank_def_default(dimensions);
  for (int a = 0; a < dimensions; ++a) def.tank[a] = 8, def.water[a] = 5;
  tank *t = tank_make(&def);
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) {
    if ((int)(k % 3) >= dimensions) continue;
    t->position[k] += def.spacing * mote_random_between(1, 0, k, -0.2, 0.2);
    t->fluid.velocity[k] = (float)mote_random_between(2, 0, k, -1.0, 1.0);
  }
  return t;
}

typedef struct flowing {
  mote_fluid *fluid;
  mote_pressures pressures;
  mote_wall_pressure wall_pressure;
} flowing;

static float wall_rate(const void *data, int part, size_t b) {
  const flowing *flow = data;
  return mote_wall_rate_row(flow->pressures.flow, &flow->fluid->walls[part], b);
}

static void begin(tank *t, flowing *flow) {
  flow->fluid = &t->fluid;
  CHECK(mote_fluid_prepare(&t->fluid, t->boundary, t->grid, NULL) == MOTE_OK);
  CHECK(mote_pressures_take(&flow->pressures, &t->fluid, NULL) == MOTE_OK);
  CHECK(mote_wall_pressure_take(&flow->wall_pressure, &t->fluid, NULL) == MOTE_OK);
}

// Rates of compression of what is in flow.
static void rates(flowing *flow, double *rate) {
  const mote_fluid *f = flow->fluid;
  gather_wall_rates(&flow->wall_pressure, wall_rate, flow);
  for (size_t i = 0; i < f->count; ++i) {
    rate[i] = (double)pressures_rate(&flow->pressures, f, i) + (double)flow->wall_pressure.sum[i];
  }
}

static void densities(tank *t, double dt, double *D) {
  mote_arena_mark mark = mote_arena_here(&t->arena);
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) t->position[k] += dt * (double)t->fluid.velocity[k];
  CHECK(mote_fluid_prepare(&t->fluid, t->boundary, t->grid, NULL) == MOTE_OK);
  for (size_t i = 0; i < t->fluid.count; ++i) D[i] = (double)t->fluid.relative[i];
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) t->position[k] -= dt * (double)t->fluid.velocity[k];
  mote_arena_release(&t->arena, mark);
}

// Against central differences; densities are floats, so that these are right to 1e-7 / dt.
static void rate_is_derivative(int dimensions) {
  tank *t = disordered(dimensions);
  size_t n = t->fluid.count;
  double dt = 1e-4, *rate = tank_take(n, sizeof *rate), *D = tank_take(2 * n, sizeof *D), most = 0.0;
  densities(t, dt, D), densities(t, -dt, D + n);
  flowing flow;
  begin(t, &flow);
  mote_pressures_flow(&flow.pressures, &t->fluid);
  rates(&flow, rate);
  for (size_t i = 0; i < n; ++i) {
    CHECK_NEAR(rate[i], (D[i] - D[n + i]) / (2.0 * dt), 0.01);
    most = fmax(most, fabs(rate[i]));
  }
  CHECK(most > 5.0);
  free(rate), free(D);
  tank_free(t);
}

// The power of random pressures, sum_i F_i . v_i, is -sum_i V_i P_i dD_i/dt.
static void force_is_adjoint(int dimensions) {
  tank *t = disordered(dimensions);
  mote_fluid *f = &t->fluid;
  double *rate = tank_take(f->count, sizeof *rate), power = 0.0, work = 0.0, size = 0.0;
  flowing flow;
  begin(t, &flow);
  mote_pressures_flow(&flow.pressures, f);
  rates(&flow, rate);
  for (size_t i = 0; i < f->count; ++i) {
    flow.pressures.pressure_volume[i] = f->volume[i] * (float)mote_random_between(3, 0, i, 0.0, 1000.0);
    work -= (double)flow.pressures.pressure_volume[i] * rate[i];
  }
  mote_wall_pressure_set(&flow.wall_pressure, &flow.pressures);
  mote_pressures_accelerate(&flow.pressures, f);
  for (size_t i = 0; i < f->count; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      double one =
          (double)(f->rest_density[i] * flow.pressures.flow[i].u[k]) * (double)f->velocity[3 * i + k];
      power += one, size += fabs(one);
    }
  }
  CHECK(size > 0.0);
  CHECK_NEAR(power / size, work / size, 1e-6);
  free(rate);
  tank_free(t);
}

// On the lattice next to a full wall, samples count whole, and water is as dense as anywhere.
static void lattice_is_full(int dimensions) {
  tank_def def = tank_def_default(dimensions);
  for (int a = 0; a < dimensions; ++a) def.tank[a] = def.water[a] = 6;
  tank *t = tank_make(&def);
  CHECK(mote_fluid_prepare(&t->fluid, t->boundary, t->grid, NULL) == MOTE_OK);
  for (size_t i = 0; i < t->fluid.count; ++i) CHECK_NEAR((double)t->fluid.relative[i], 1.0, 1e-5);
  tank_free(t);
}

// A layer of five rows over a floor, and a full channel, at 1 m/s: what is left after a second (with
// pressures of their own on the samples 0.80 and 0.81).
static double left(const tank_def *def) {
  tank *t = tank_make(def);
  double sum = 0.0;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    t->fluid.velocity[3 * i] = 1.0f;
    for (uint64_t a = 0; a < (uint64_t)def->dimensions; ++a) {
      t->position[3 * i + a] += def->spacing * mote_random_between(1, a, i, -0.02, 0.02);
    }
  }
  while (t->time < 1.0) tank_step(t, 1.0);
  for (size_t i = 0; i < t->fluid.count; ++i) sum += (double)t->fluid.velocity[3 * i];
  sum /= (double)t->fluid.count;
  tank_free(t);
  return sum;
}

static void slides(mote_pressure_kind pressure) {
  tank_def layer = tank_def_default(2), channel = tank_def_default(3);
  layer.pressure = channel.pressure = pressure;
  layer.spacing = 0.02, layer.periodic[0] = true;
  layer.tank[0] = layer.water[0] = 50, layer.water[1] = 5, layer.tank[1] = 10;
  channel.spacing = 0.1, channel.gravity = 0.0, channel.periodic[0] = true;
  channel.tank[0] = channel.water[0] = 10;
  for (int a = 1; a < 3; ++a) channel.tank[a] = channel.water[a] = 5;
  CHECK(left(&layer) > 0.95);
  CHECK(left(&channel) > 0.95);
}

int main(void) {
  for (int d = 2; d <= 3; ++d) {
    rate_is_derivative(d);
    force_is_adjoint(d);
    lattice_is_full(d);
  }
  slides(MOTE_PRESSURE_DFSPH);
  slides(MOTE_PRESSURE_PCISPH);
  return test_end();
}
