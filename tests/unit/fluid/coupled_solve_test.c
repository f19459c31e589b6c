// Rigid bodies inside of pressure solves: what the fluid does to a body is the opposite of what the body does
// to it; the body's part of the rate is the adjoint of its forces; and the diagonal bounds it.
#include "fluid/coupled_solve.h"

#include "fluid/wall_pressure.h"
#include "fluid_kit.h"
#include "pressure_kit.h"

#define BLOCK 3       // spacings
#define GRAVITY 10.0  // m/s^2

typedef struct bath {
  tank *t;
  mote_coupled_body body;
  mote_pressures pressures;
  mote_wall_pressure wall_pressure;
  mote_coupled_solve solve;
} bath;

// A block of samples in the middle of disordered water.
static void add_block(bath *b, int dimensions) {
  tank *t = b->t;
  double d = t->def.spacing, position[3 * BLOCK * BLOCK * BLOCK], volume[BLOCK * BLOCK * BLOCK];
  mote_samples samples = {0, position, volume};
  for (int k = 0; k < (dimensions == 3 ? BLOCK * BLOCK * BLOCK : BLOCK * BLOCK); ++k) {
    const int at[3] = {k % BLOCK, k / BLOCK % BLOCK, k / (BLOCK * BLOCK)};
    for (int a = 0; a < 3; ++a) position[3 * k + a] = a < dimensions ? (at[a] + 2.5) * d : 0.0;
    volume[samples.count++] = dimensions == 3 ? d * d * d : d * d;
  }
  b->body = (mote_coupled_body){.radius = BLOCK * d,
                                .inverse_mass = 1.0 / (500.0 * volume[0] * (double)samples.count)};
  for (int a = 0; a < dimensions; ++a) b->body.x[a] = 4.0 * d;
  for (int a = 0; a < 3; ++a)
    b->body.inverse_inertia[4 * a] = a == 2 || dimensions == 3 ? 2.0 * b->body.inverse_mass / (d * d) : 0.0;
  CHECK(mote_boundary_add(t->boundary, &samples, 0.0, true, &b->body.samples, NULL) == MOTE_OK);
  CHECK(mote_boundary_set_owner(t->boundary, b->body.samples, 1, NULL) == MOTE_OK);
  t->fluid.coupled = &b->body, t->fluid.coupled_count = 1;
}

static bool in_block(const double *x, int dimensions, double d) {
  bool in = true;
  for (int a = 0; a < dimensions; ++a) in = in && x[a] > 2.0 * d && x[a] < (2.0 + BLOCK) * d;
  return in;
}

// `disorder`: the largest displacement of particles, in spacings. In still water, with its pressures.
static void fill(bath *b, int dimensions, double disorder) {
  tank_def def = tank_def_default(dimensions);
  for (int a = 0; a < dimensions; ++a) def.tank[a] = 7, def.water[a] = 7;
  *b = (bath){.t = tank_make(&def)};
  tank *t = b->t;
  add_block(b, dimensions);
  size_t kept = 0;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    if (in_block(t->position + 3 * i, dimensions, def.spacing)) continue;
    for (size_t a = 0; a < 3; ++a) {
      double off = def.spacing * mote_random_between(1, a, i, -disorder, disorder);
      t->position[3 * kept + a] = t->position[3 * i + a] + ((int)a < dimensions ? off : 0.0);
    }
    ++kept;
  }
  t->fluid.count = kept;
  t->fluid.gravity[1] = (float)-GRAVITY;
  for (size_t i = 0; i < kept; ++i) {
    t->fluid.pressure[i] = (float)(1000.0 * GRAVITY * (7.0 * def.spacing - t->position[3 * i + 1]));
  }
  CHECK(mote_fluid_prepare(&t->fluid, t->boundary, t->grid, NULL) == MOTE_OK);
  CHECK(mote_pressures_take(&b->pressures, &t->fluid, NULL) == MOTE_OK);
  CHECK(mote_wall_pressure_take(&b->wall_pressure, &t->fluid, NULL) == MOTE_OK);
  CHECK(mote_coupled_solve_take(&b->solve, &t->fluid, true, NULL) == MOTE_OK);
  CHECK(b->solve.any && b->body.end > b->body.first);
}

static void pressure_volume(bath *b, uint64_t seed, bool alike) {
  mote_fluid *f = &b->t->fluid;
  for (size_t i = 0; i < f->count; ++i) {
    b->pressures.pressure_volume[i] =
        f->volume[i] * (alike ? 500.0f : (float)mote_random_between(seed, 0, i, -1000.0, 1000.0));
  }
  mote_wall_pressure_set(&b->wall_pressure, &b->pressures);
  mote_pressures_accelerate(&b->pressures, f);
  mote_coupled_solve_respond(&b->solve, f, &b->pressures, 0.0);
}

// The fluid, its walls and the body: nothing is left over. Walls take what is missing without the body.
static void is_opposite(int dimensions) {
  bath b;
  fill(&b, dimensions, 0.15);
  mote_fluid *f = &b.t->fluid;
  f->walls[0].sample_neighbours.rows = 0, f->walls[0].samples = 0;  // no other walls
  for (size_t i = 0; i < 3 * f->count; ++i) f->wall[i] = 0.0f;
  const mote_wall_pairs *w = mote_coupled_walls(f);
  for (size_t n = 0; n < w->sample_neighbours.rows; ++n) {
    float sum[3];
    mote_pair_set_gradient_sum(&w->sample_neighbours, n, w->weight, sum);
    for (size_t a = 0; a < 3; ++a) f->wall[3 * w->index[n] + a] = sum[a];
  }
  pressure_volume(&b, 3, false);
  double F[3] = {0}, torque[3] = {0}, size = 0.0, arm = 4.0 * f->spacing;
  for (size_t i = 0; i < f->count; ++i) {
    double one[3], x[3];
    for (size_t a = 0; a < 3; ++a) {
      one[a] = (double)(f->rest_density[i] * b.pressures.flow[i].u[a]);
      x[a] = f->position[3 * i + a] - b.body.x[a];
      F[a] += one[a], size += fabs(one[a]);
    }
    for (size_t a = 0; a < 3; ++a)
      torque[a] += x[(a + 1) % 3] * one[(a + 2) % 3] - x[(a + 2) % 3] * one[(a + 1) % 3];
  }
  CHECK(size > 0.0 && fabs(b.body.pressure_force[0]) > 1e-3 * size / (double)f->count);
  for (int a = 0; a < 3; ++a) {
    CHECK_NEAR((F[a] + b.body.pressure_force[a]) / size, 0.0, 1e-7);
    CHECK_NEAR((torque[a] + b.body.pressure_torque[a]) / (size * arm), 0.0, 1e-7);
  }
  tank_free(b.t);
}

// Pressures of still water bear a body by the weight of the water that it displaces: on a packing exactly, as
// its samples then continue the pressures (but for those of the second layer, which have a part of them).
static void bears_displaced(int dimensions) {
  bath b;
  fill(&b, dimensions, 0.0);
  mote_fluid *f = &b.t->fluid;
  double d = f->spacing, size = BLOCK * d, area = dimensions == 3 ? size * size : size;
  for (size_t i = 0; i < f->count; ++i) b.pressures.pressure_volume[i] = f->volume[i] * f->pressure[i];
  mote_wall_pressure_set(&b.wall_pressure, &b.pressures);
  mote_wall_pressure_add_weight(&b.pressures, f);
  mote_coupled_solve_respond(&b.solve, f, &b.pressures, 0.0);
  CHECK_NEAR(b.body.pressure_force[1] / (1000.0 * GRAVITY * size * area), 1.0, 0.03);
  tank_free(b.t);
}

// The mean weight of the samples of a deck that is level with the water: with consistent rates the air above
// it is no room for fluid, and they count in full; else by a half.
static double deck_weight(int dimensions, bool consistent) {
  bath b;
  fill(&b, dimensions, 0.0);
  mote_fluid *f = &b.t->fluid;
  double deck = (2.0 + BLOCK) * f->spacing, sum = 0.0, volume = 0.0;
  size_t kept = 0;
  for (size_t i = 0; i < f->count; ++i) {
    if (f->position[3 * i + 1] > deck) continue;
    memmove(b.t->position + 3 * kept++, b.t->position + 3 * i, 3 * sizeof(double));
  }
  f->count = kept, f->solver.consistent = consistent;
  CHECK(mote_fluid_prepare(f, b.t->boundary, b.t->grid, NULL) == MOTE_OK);
  const mote_wall_pairs *w = mote_coupled_walls(f);
  for (size_t n = 0; n < w->samples; ++n) {
    if (w->position[3 * n + 1] < deck - f->spacing ||
        fabs(w->position[3 * n] - b.body.x[0]) < 0.5 * f->spacing)
      continue;
    sum += (double)w->weight[n], volume += (double)w->volume[n];
  }
  CHECK(volume > 0.0);
  tank_free(b.t);
  return sum / volume;
}

static float wall_rate(const void *data, int part, size_t row) {
  const bath *b = data;
  return part == MOTE_BOUNDARY_PARTS - 1 ? b->solve.rate[row] : 0.0f;
}

// sum_i q_i (rate by the body's acceleration) = -(F . F / m + torque . I^-1 torque), and at most the
// diagonal.
static void is_adjoint(int dimensions, bool alike) {
  bath b;
  fill(&b, dimensions, 0.15);
  mote_fluid *f = &b.t->fluid;
  float *bound = tank_take(f->count, sizeof *bound);
  CHECK(mote_coupled_solve_matrix(&b.solve, f, bound, NULL) == MOTE_OK);
  pressure_volume(&b, 4, alike);
  double work = 0.0, power = 0.0, most = 0.0;
  gather_wall_rates(&b.wall_pressure, wall_rate, &b);
  mote_coupled_solve_add(&b.solve, f, -1.0f, b.wall_pressure.sum);
  for (size_t i = 0; i < f->count; ++i) {
    double q = (double)b.pressures.pressure_volume[i];
    work += q * (double)b.wall_pressure.sum[i];
    most += q * q * (double)bound[i] / (double)f->volume[i] * f->spectrum.largest;
  }
  for (int a = 0; a < 3; ++a) {
    power += b.body.pressure_force[a] * b.body.pressure_force[a] * b.body.inverse_mass;
    power += b.body.pressure_torque[a] * b.body.pressure_torque[a] * b.body.inverse_inertia[4 * a];
  }
  CHECK(power > 0.0 && power <= most);
  CHECK_NEAR(work / power, -1.0, alike ? 1e-3 : 1e-5);  // alike, forces all but cancel
  free(bound);
  tank_free(b.t);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    is_opposite(dimensions);
    is_adjoint(dimensions, false);
    is_adjoint(dimensions, true);
    bears_displaced(dimensions);
    CHECK_NEAR(deck_weight(dimensions, true), 1.0, 0.02);
    CHECK(deck_weight(dimensions, false) < 0.6);
  }
  return test_end();
}
