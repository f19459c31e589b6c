// Pairs of fluid particles: gradient factors stored and computed again, sums of pressure and of flow as each
// other's adjoint, coincident particles.
#include "rows/pair_lanes.h"

#include "fluid/pressure.h"
#include "fluid_kit.h"

static tank *make_tank(int dimensions, mote_pressure_kind pressure) {
  tank_def def = tank_def_default(dimensions);
  def.pressure = pressure;
  for (int a = 0; a < 3; ++a) def.tank[a] = 12, def.water[a] = 8, def.open[a] = true;
  tank *t = tank_make(&def);
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) {
    if (k % 3 < (size_t)dimensions) t->position[k] += 0.3 * def.spacing * mote_random_unit(3, 0, k);
    t->fluid.velocity[k] = (float)mote_random_unit(4, 0, k) - 0.5f;
  }
  return t;
}

// Both ways give the same, to the rounding of some 40 terms.
static void kept_and_made_anew(int dimensions) {
  tank *t = make_tank(dimensions, MOTE_PRESSURE_DFSPH);
  mote_fluid *f = &t->fluid;
  mote_pressures p;
  CHECK(mote_fluid_prepare(f, NULL, t->grid, NULL) == MOTE_OK && f->pairs.gradient_factor != NULL);
  CHECK(mote_pressures_take(&p, f, NULL) == MOTE_OK);
  mote_pressures_flow(&p, f);
  for (size_t i = 0; i < f->count; ++i) p.pressure_volume[i] = f->volume[i] * f->velocity[3 * i];
  float *gradient_factor = f->pairs.gradient_factor;
  bool same = true;
  double worst = 0.0, scale = 20.0 / f->spacing;
  for (size_t i = 0; i < f->count; ++i) {
    float kept[3], anew[3], flow = mote_pair_lanes_flow(&f->pairs, i, p.flow);
    mote_pair_lanes_gradient_sum(&f->pairs, i, p.pressure_volume, kept);
    f->pairs.gradient_factor = NULL;
    mote_pair_lanes_gradient_sum(&f->pairs, i, p.pressure_volume, anew);
    for (int a = 0; a < 3; ++a) worst = fmax(worst, fabs((double)(kept[a] - anew[a])) / scale);
    worst = fmax(worst, fabs((double)(flow - mote_pair_lanes_flow(&f->pairs, i, p.flow))) / scale);
    for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
      mote_pairs pairs = mote_pair_lanes_load(&f->pairs, i, g.at);
      mote_lane made = mote_pair_lanes_gradient_factor(&f->pairs, g.at, &pairs),
                was = mote_lane_load(gradient_factor + 4 * g.at);
      same = same && memcmp(&made, &was, sizeof made) == 0;
    }
    f->pairs.gradient_factor = gradient_factor;
  }
  CHECK(same);
  CHECK(worst < 40 * 0x1p-24);
  tank_free(t);
}

// sum_i V_i u_i . (sum_j V_j P_j grad W_ij) = -sum_j V_j P_j (sum_i V_i u_i . grad W_ji).
static void gradient_and_flow_are_adjoint(mote_pressure_kind pressure) {
  tank *t = make_tank(3, pressure);
  mote_fluid *f = &t->fluid;
  mote_pressures p;
  CHECK(mote_fluid_prepare(f, NULL, t->grid, NULL) == MOTE_OK);
  CHECK((f->pairs.gradient_factor != NULL) == (pressure == MOTE_PRESSURE_DFSPH));
  CHECK(mote_pressures_take(&p, f, NULL) == MOTE_OK);
  mote_pressures_flow(&p, f);
  for (size_t i = 0; i < f->count; ++i)
    p.pressure_volume[i] = f->volume[i] * (float)mote_random_unit(5, 0, i);
  double by_gradient = 0.0, by_flow = 0.0, size = 0.0;
  for (size_t i = 0; i < f->count; ++i) {
    float sum[3];
    mote_pair_lanes_gradient_sum(&f->pairs, i, p.pressure_volume, sum);
    for (int a = 0; a < 3; ++a) {
      double one = (double)p.flow[i].u[a] * (double)sum[a];
      by_gradient += one, size += fabs(one);
    }
    by_flow += (double)p.pressure_volume[i] * (double)mote_pair_lanes_flow(&f->pairs, i, p.flow);
  }
  CHECK_NEAR(by_gradient, -by_flow, 1e-6 * size);
  tank_free(t);
}

// Three coincident particles lie side by side for the solver; what they do to each other adds up to
// nothing.
static void coincident_particles_part(void) {
  tank *t = make_tank(3, MOTE_PRESSURE_DFSPH);
  mote_fluid *f = &t->fluid;
  size_t same[3] = {100, 101, 350};
  for (int k = 1; k < 3; ++k)
    memcpy(t->position + 3 * same[k], t->position + 3 * same[0], 3 * sizeof(double));
  CHECK(mote_fluid_prepare(f, NULL, t->grid, NULL) == MOTE_OK);
  float apart = (float)(f->support * 0x1p-10);
  for (int k = 1; k < 3; ++k) {
    uint32_t distance = f->fixed_position[same[k]].x[0] - f->fixed_position[same[k - 1]].x[0];
    CHECK_NEAR((double)((float)distance * f->pairs.scale.unit[0]), (double)apart, 1e-3 * (double)apart);
  }
  double sum[3] = {0.0, 0.0, 0.0};
  for (size_t i = 0; i < f->count; ++i) {
    for (int a = 0; a < 3; ++a) sum[a] += (double)f->volume[i] * (double)f->gradient[3 * i + (size_t)a];
  }
  double scale = (double)f->volume[0] / f->spacing;
  for (int a = 0; a < 3; ++a) CHECK_NEAR(sum[a], 0.0, 1e-4 * scale);
  CHECK(f->gradient[3 * same[0]] != f->gradient[3 * same[2]]);
  tank_free(t);
}

int main(void) {
  kept_and_made_anew(2);
  kept_and_made_anew(3);
  gradient_and_flow_are_adjoint(MOTE_PRESSURE_DFSPH);
  gradient_and_flow_are_adjoint(MOTE_PRESSURE_WCSPH);
  coincident_particles_part();
  return test_end();
}
