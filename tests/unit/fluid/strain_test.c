// Noise damping: nothing on linear velocities, energy out of random ones, both momenta kept, and the limits
// of what is damped of a pair.
#include "fluid/strain.h"

#include "fluid_twin.h"

// Jittered particles of two densities between open sides, without viscosity and gravity.
static tank *noisy(int dimensions, double damping, uint64_t seed) {
  tank_def def = tank_def_default(dimensions);
  def.kernel = MOTE_KERNEL_WENDLAND_C2, def.support = 3.0;
  for (int a = 0; a < 3; ++a) {
    def.tank[a] = def.water[a] = dimensions == 3 ? 7 : 12;
    def.open[a] = true;
  }
  tank *t = tank_make(&def);
  twin_shake(t, seed);
  for (size_t i = 0; i < t->fluid.count; ++i) t->viscosity[i] = 0.0f;
  t->fluid.gravity[1] = 0.0f;
  t->fluid.solver.noise_damping = damping, t->fluid.solver.viscosity_form = MOTE_VISCOSITY_CENTRAL;
  CHECK(mote_fluid_prepare(&t->fluid, t->boundary, t->grid, NULL) == MOTE_OK);
  return t;
}

typedef struct force_sums {
  double power, powers, momentum[3], forces, spin[3], moments, largest;
} force_sums;

static force_sums force_sums_of(tank *t) {
  mote_fluid *f = &t->fluid;
  force_sums s = {0};
  CHECK(mote_fluid_forces(f, NULL) == MOTE_OK);
  for (size_t i = 0; i < f->count; ++i) {
    const double *x = t->position + 3 * i;
    double force[3];
    for (int k = 0; k < 3; ++k) {
      double a = (double)f->acceleration[3 * i + k], v = (double)f->velocity[3 * i + k];
      force[k] = (double)t->mass[i] * a;
      s.power += force[k] * v, s.powers += fabs(force[k] * v);
      s.momentum[k] += force[k], s.forces += fabs(force[k]), s.largest = fmax(s.largest, fabs(a));
    }
    for (int k = 0; k < 3; ++k) {
      int l = (k + 1) % 3, n = (k + 2) % 3;
      s.spin[k] += x[l] * force[n] - x[n] * force[l];
      s.moments += fabs(x[l] * force[n]) + fabs(x[n] * force[l]);
    }
  }
  return s;
}

static void random_velocities_are_damped(tank *t, force_sums *out) {
  *out = force_sums_of(t);
  CHECK(out->power < -0.1 * out->powers);
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(out->momentum[k], 0.0, 1e-5 * out->forces);
    CHECK_NEAR(out->spin[k], 0.0, 1e-5 * out->moments);
  }
}

// Less than what rounding leaves of velocities as large as the random ones.
static void linear_velocities_are_left_alone(tank *t, double scale) {
  mote_fluid *f = &t->fluid;
  double length = t->def.tank[0] * t->def.spacing;
  for (size_t i = 0; i < f->count; ++i) {
    for (int a = 0; a < f->domain.dimensions; ++a) {
      double v = 0.2;
      for (int b = 0; b < f->domain.dimensions; ++b) {
        v += mote_random_between(5, 50, (uint64_t)(3 * a + b), -1.0, 1.0) * t->position[3 * i + (size_t)b] /
             length;
      }
      f->velocity[3 * i + (size_t)a] = (float)v;
    }
  }
  CHECK(force_sums_of(t).largest < 1e-4 * scale);
}

static void damping_is_proportional(int dimensions) {
  tank *one = noisy(dimensions, 0.05, 8), *two = noisy(dimensions, 0.1, 8), *none = noisy(dimensions, 0.0, 8);
  double a = force_sums_of(one).power, b = force_sums_of(two).power;
  CHECK_NEAR(b / a, 2.0, 1e-5);
  CHECK(force_sums_of(none).largest == 0.0);
  tank_free(one), tank_free(two), tank_free(none);
}

// With a stiffness the speed of sound is that of each pair, also where a list of neighbours ends.
static void stiff_fluids_are_damped(int dimensions) {
  tank *t = noisy(dimensions, 0.05, 9);
  t->fluid.solver.stiffness = 1e4;
  force_sums s = force_sums_of(t);
  CHECK(isfinite(s.powers) && s.powers > 0.0 && s.power < -0.1 * s.powers);
  tank_free(t);
}

// Of a pair that closes or opens with `along`, and random strains: the rest, of the sign of `along` and no
// larger; nothing where a strain is not known.
static void pairs_are_limited(void) {
  int kept = 0, nothing = 0, whole = 0;
  for (uint64_t n = 0; n < 300; ++n) {
    mote_strain strain[5];
    uint32_t index[MOTE_LANES];
    for (int k = 0; k < 5; ++k) {
      for (int e = 0; e < 6; ++e)
        strain[k].e[e] = (float)mote_random_between(n, 1, (uint64_t)(8 * k + e), -1.0, 1.0);
      strain[k].e[6] = n % 2 == 0 ? 0.0f : (float)mote_random_between(n, 5, (uint64_t)k, 0.0, 1.0);
      strain[k].e[7] = (float)mote_random_between(n, 2, (uint64_t)k, 500.0, 3000.0);
    }
    strain[4].e[6] = MOTE_STRAIN_UNKNOWN;
    mote_pairs p = {.volume = mote_lane_splat(0.0f)};
    mote_lane along, density;
    for (int k = 0; k < MOTE_LANES; ++k) {
      index[k] = (uint32_t)(k + 1);
      for (int a = 0; a < 3; ++a)
        p.x[a][k] = (float)mote_random_between(n, 3, (uint64_t)(3 * k + a), -1.0, 1.0);
      along[k] = (float)mote_random_between(n, 4, (uint64_t)k, -1.0, 1.0);
    }
    mote_lane noise = mote_strain_noise(strain, 0, index, &p, along, mote_lane_splat(1.0f), &density);
    CHECK(fabsf(noise[3]) < 1e-20f);
    for (int k = 0; k < 3; ++k) {
      const float *e = strain[0].e, *o = strain[k + 1].e;
      double X[3] = {(double)p.x[0][k], (double)p.x[1][k], (double)p.x[2][k]}, linear = 0.0,
             v = (double)along[k];
      for (int a = 0, m = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b, ++m) linear += 0.5 * (double)(e[m] + o[m]) * X[a] * X[b];
      }
      double rest = v - linear, want = rest * v <= 0.0 ? 0.0 : fabs(rest) > fabs(v) ? v : rest;
      double r2 = X[0] * X[0] + X[1] * X[1] + X[2] * X[2], flow = 0.5 * (double)(e[6] + o[6]) * r2 * r2;
      double damped = want == 0.0 ? 0.0 : want * want * want / (want * want + flow);
      CHECK_NEAR((double)noise[k], damped, 1e-5);
      CHECK(noise[k] * along[k] >= 0.0f && fabsf(noise[k]) <= fabsf(along[k]));
      CHECK_NEAR((double)density[k], 2.0 / (1.0 / (double)e[7] + 1.0 / (double)o[7]), 1e-3);
      nothing += want == 0.0, whole += want == v, kept += want == rest;
    }
  }
  CHECK(nothing > 100 && whole > 100 && kept > 100);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    tank *t = noisy(dimensions, 0.05, 7);
    force_sums noise;
    random_velocities_are_damped(t, &noise);
    linear_velocities_are_left_alone(t, noise.largest);
    tank_free(t);
    damping_is_proportional(dimensions);
    stiff_fluids_are_damped(dimensions);
  }
  pairs_are_limited();
  return test_end();
}
