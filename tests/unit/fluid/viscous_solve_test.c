// Implicit viscosity against a dense solve in double on random sets with moving walls; its limits for short
// steps and thick fluids; and what it keeps, converged or not.
#include "fluid/viscous_solve.h"

#include "fluid/pressure.h"
#include "fluid_twin.h"

// --- Against a dense twin ---

// Gauss without pivots: the matrix is symmetric and positive definite.
static void solve_dense(size_t n, double *a, double *b) {
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = k + 1; i < n; ++i) {
      double factor = a[i * n + k] / a[k * n + k];
      if (factor == 0.0) continue;
      for (size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; ++j) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
}

// (m + dt (L + B)) v = m u + dt B w: what velocities are at the step's end; u is that of the fluid.
static double *solve_twin(const twin_set *s, double dt) {
  const mote_fluid *f = &s->tank->fluid;
  size_t n = 3 * f->count;
  double *a = tank_take(n * n, sizeof *a), *b = tank_take(n, sizeof *b), matrix[3][3], wall[3];
  for (size_t i = 0; i < f->count; ++i) {
    double m = (double)f->mass[i], friction = twin_viscous_wall(s, i, wall);
    for (size_t k = 0; k < 3; ++k) {
      a[(3 * i + k) * n + 3 * i + k] += m + dt * friction;
      b[3 * i + k] = m * (double)f->velocity[3 * i + k] + dt * wall[k];
    }
    for (size_t j = 0; j < f->count; ++j) {
      if (j == i) continue;
      twin_viscous_pair(s, i, j, matrix);
      for (size_t k = 0; k < 9; ++k) {
        a[(3 * i + k / 3) * n + 3 * i + k % 3] += dt * matrix[k / 3][k % 3];
        a[(3 * i + k / 3) * n + 3 * j + k % 3] -= dt * matrix[k / 3][k % 3];
      }
    }
  }
  solve_dense(n, a, b);
  free(a);
  return b;
}

// Viscosities from 0 to 10 Pa s over a spacing of 5 cm: dt nu / d^2 is up to 8 dt.
static void is_right(int dimensions, mote_viscosity_form form, double dt, uint64_t seed) {
  twin_set s = twin_set_make(dimensions, MOTE_KERNEL_CUBIC_SPLINE, 2.0, false, seed);
  mote_fluid *f = &s.tank->fluid;
  f->solver.viscosity_form = form, f->solver.viscosity_error = 1e-6, f->implicit = true;
  CHECK(mote_fluid_prepare(f, s.tank->boundary, s.tank->grid, NULL) == MOTE_OK);
  twin_weigh(&s);
  double *expected = solve_twin(&s, dt), most = 0.0;
  mote_solve_report report = {0};
  float *before = tank_take(3 * f->count, sizeof *before);
  memcpy(before, f->velocity, 3 * f->count * sizeof *before);
  memset(f->acceleration, 0, 3 * f->count * sizeof(float));
  CHECK(mote_viscous_solve(f, dt, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.error <= 1e-6 && report.iterations > 2);
  for (size_t k = 0; k < 3 * f->count; ++k) {
    most = fmax(most, fabs((double)f->velocity[k] - expected[k]));
    CHECK_NEAR((double)f->acceleration[k] * dt, (double)(f->velocity[k] - before[k]), 1e-6);
  }
  CHECK(most < 2e-5);  // rounding of float sums, over dt times the matrix of up to 300
  free(expected), free(before), twin_set_free(&s);
}

// --- Limits ---

// In a short step it is the explicit viscosity, to a part that is proportional to the step.
static void is_explicit_in_short_steps(mote_viscosity_form form) {
  double part[2];
  for (int k = 0; k < 2; ++k) {
    twin_set s = twin_set_make(2, MOTE_KERNEL_WENDLAND_C2, 3.0, true, 5);
    mote_fluid *f = &s.tank->fluid;
    f->solver.viscosity_form = form, f->solver.viscosity_error = 1e-7;
    f->solver.viscosity_solve = MOTE_VISCOSITY_EXPLICIT, f->gravity[1] = 0.0f;
    CHECK(mote_fluid_prepare(f, s.tank->boundary, s.tank->grid, NULL) == MOTE_OK);
    twin_weigh(&s);
    CHECK(mote_fluid_forces(f, NULL) == MOTE_OK);
    CHECK(!f->implicit);
    double dt = k == 0 ? 2e-4 : 1e-4, most = 0.0, difference = 0.0;
    float *explicit = tank_take(3 * f->count, sizeof *explicit);
    memcpy(explicit, f->acceleration, 3 * f->count * sizeof(float));
    memset(f->acceleration, 0, 3 * f->count * sizeof(float));
    f->implicit = true;
    CHECK(mote_viscous_solve(f, dt, NULL, NULL) == MOTE_OK);
    for (size_t i = 0; i < 3 * f->count; ++i) {
      most = fmax(most, fabs((double)explicit[i]));
      difference = fmax(difference, fabs((double)(explicit[i] - f->acceleration[i])));
    }
    part[k] = difference / most;
    free(explicit), twin_set_free(&s);
  }
  CHECK(part[0] < 0.05);
  CHECK_NEAR(part[0] / part[1], 2.0, 0.2);
}

// A fluid without end to its viscosity sticks to a wall, and goes where that goes.
static void sticks(mote_viscosity_form form) {
  twin_set s = twin_set_make(2, MOTE_KERNEL_CUBIC_SPLINE, 2.0, false, 7);
  mote_fluid *f = &s.tank->fluid;
  mote_pose pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .move = {0.1, 0.1, 0.0}};
  double velocity[3] = {0.4, -0.3, 0.0}, spin[3] = {0};
  mote_boundary_pose(s.tank->boundary, (mote_boundary_range){true, 0, s.samples}, &pose, velocity, spin);
  f->solver.viscosity_form = form, f->implicit = true, f->solver.viscosity_error = 1e-4;
  for (size_t i = 0; i < f->count; ++i) s.tank->viscosity[i] = 1e7f;
  CHECK(mote_fluid_prepare(f, s.tank->boundary, s.tank->grid, NULL) == MOTE_OK);
  twin_weigh(&s);
  mote_solve_report report = {0};
  CHECK(mote_viscous_solve(f, 0.01, &report, NULL) == MOTE_OK);
  CHECK(report.converged);
  for (size_t i = 0; i < f->count; ++i) {
    for (int k = 0; k < 3; ++k) CHECK_NEAR((double)f->velocity[3 * i + k], velocity[k], 2e-3);
  }
  twin_set_free(&s);
}

// The last pressures count as if they had pushed already.
static void expects_pressures(void) {
  float *velocity[2];
  size_t n = 0;
  for (int k = 0; k < 2; ++k) {
    twin_set s = twin_set_make(2, MOTE_KERNEL_CUBIC_SPLINE, 2.0, false, 9);
    mote_fluid *f = &s.tank->fluid;
    n = 3 * f->count;
    f->implicit = true, f->solver.viscosity_error = 1e-6;
    for (size_t i = 0; i < f->count; ++i) f->pressure[i] = (float)mote_random_between(1, 2, i, 0.0, 300.0);
    CHECK(mote_fluid_prepare(f, s.tank->boundary, s.tank->grid, NULL) == MOTE_OK);
    twin_weigh(&s);
    mote_pressures p;
    CHECK(mote_pressures_take(&p, f, NULL) == MOTE_OK);
    for (size_t i = 0; i < f->count; ++i) {
      p.pressure_volume[i] = f->volume[i] * (f->pressure[i] / (f->relative[i] * f->relative[i]));
    }
    for (size_t b = 0; b < f->walls[1].samples; ++b) {
      const mote_wall_pairs *w = &f->walls[1];
      p.wall_pressure_volume[1][b] = w->volume[b] * (w->pressure[b] / (w->relative[b] * w->relative[b]));
    }
    mote_pressures_accelerate(&p, f);
    if (k == 1) {
      mote_pressures_kick(&p, f, 0.01);
      memset(f->pressure, 0, f->count * sizeof(float));
      memset(f->walls[1].pressure, 0, f->walls[1].samples * sizeof(float));
    }
    CHECK(mote_viscous_solve(f, 0.01, NULL, NULL) == MOTE_OK);
    if (k == 0) mote_pressures_kick(&p, f, 0.01);
    velocity[k] = tank_take(n, sizeof(float));
    memcpy(velocity[k], f->velocity, n * sizeof(float));
    twin_set_free(&s);
  }
  double most = 0.0, moved = 0.0;
  for (size_t i = 0; i < n; ++i) {
    most = fmax(most, fabs((double)(velocity[0][i] - velocity[1][i])));
    moved = fmax(moved, fabs((double)velocity[0][i]));
  }
  CHECK(most < 1e-5 * moved + 1e-5);
  free(velocity[0]), free(velocity[1]);
}

// --- What is kept ---

typedef struct sums {
  double linear[3], angular[3], energy, scale;
} sums;

static sums sums_of(const tank *t) {
  sums m = {.energy = tank_kinetic(t)};
  for (size_t i = 0; i < t->fluid.count; ++i) {
    const double *x = t->position + 3 * i;
    const float *v = t->fluid.velocity + 3 * i;
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      m.linear[a] += (double)t->mass[i] * (double)v[a];
      m.angular[a] += (double)t->mass[i] * (x[b] * (double)v[c] - x[c] * (double)v[b]);
      m.scale += (double)t->mass[i] * fabs((double)v[a]);
    }
  }
  return m;
}

// Residuals are floats as large as the change that explicit viscosity would make, and their errors random.
static double rounding_of(tank *t, double dt) {
  double most = 0.0, mass = 0.0;
  t->fluid.solver.viscosity_solve = MOTE_VISCOSITY_EXPLICIT;
  CHECK(mote_fluid_forces(&t->fluid, NULL) == MOTE_OK);
  for (size_t i = 0; i < t->fluid.count; ++i) {
    for (int a = 0; a < 3; ++a) most = fmax(most, dt * fabs((double)t->fluid.acceleration[3 * i + a]));
    mass += (double)t->mass[i];
  }
  t->fluid.implicit = true;
  memset(t->fluid.acceleration, 0, 3 * t->fluid.count * sizeof(float));
  return 0x1p-23 * most * mass / sqrt((double)t->fluid.count);
}

// A free blob of random velocities: momenta as the form keeps them, less energy, for any tolerance. Two
// fluids of very different viscosity.
static void keeps(int dimensions, mote_viscosity_form form, double viscosity, double tolerance) {
  tank_def def = tank_def_default(dimensions);
  def.gravity = 0.0;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = dimensions == 3 ? 7 : 14, def.open[a] = true;
  tank *t = tank_make(&def);
  twin_shake(t, 3);
  for (size_t i = 0; i < t->fluid.count; ++i) t->viscosity[i] *= (float)(i % 3 ? viscosity : 1.0);
  mote_fluid *f = &t->fluid;
  f->solver.viscosity_form = form, f->solver.viscosity_error = tolerance, f->implicit = true;
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  double rounding = rounding_of(t, 0.01);
  sums before = sums_of(t);
  CHECK(mote_viscous_solve(f, 0.01, NULL, NULL) == MOTE_OK);
  sums after = sums_of(t);
  for (int a = 0; a < 3; ++a) {
    CHECK_NEAR(after.linear[a], before.linear[a], 1e-6 * before.scale + rounding);
    if (form != MOTE_VISCOSITY_CENTRAL) continue;
    CHECK_NEAR(after.angular[a], before.angular[a], 1e-6 * before.scale + rounding);
  }
  CHECK(after.energy < before.energy);
  tank_free(t);
}

// A thick slab that shears slowly, across many cells of the coarse level. Without it the masses alone took 88
// and 104 iterations (pair form, 2D and 3D), and 164 and 198.
static void is_quick(int dimensions, mote_viscosity_form form, int most) {
  tank_def def = tank_def_default(dimensions);
  def.gravity = 0.0;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = 10, def.open[a] = true;
  def.tank[0] = def.water[0] = 60;
  tank *t = tank_make(&def);
  twin_shake(t, 5);
  mote_fluid *f = &t->fluid;
  for (size_t i = 0; i < f->count; ++i) {
    float v[3] = {0.0f, (float)cos(t->position[3 * i]), 0.0f};
    t->viscosity[i] = 1e4f;
    memcpy(f->velocity + 3 * i, v, sizeof v);
  }
  f->solver.viscosity_form = form, f->implicit = true;
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  mote_solve_report report = {0};
  sums before = sums_of(t);
  CHECK(mote_viscous_solve(f, 0.01, &report, NULL) == MOTE_OK);
  sums after = sums_of(t);
  CHECK(report.converged && report.iterations <= most && after.energy < before.energy);
  for (int a = 0; a < 3; ++a) CHECK_NEAR(after.linear[a], before.linear[a], 1e-5 * before.scale);
  tank_free(t);
}

// Uniform motion is not touched at all; turning is not by the central form.
static void leaves_rigid_motion(double turning) {
  tank_def def = tank_def_default(3);
  def.gravity = 0.0;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = 6, def.open[a] = true;
  tank *t = tank_make(&def);
  twin_shake(t, 4);
  mote_fluid *f = &t->fluid;
  float *before = tank_take(3 * f->count, sizeof *before);
  for (size_t i = 0; i < f->count; ++i) {
    const double *x = t->position + 3 * i;
    float v[3] = {1.0f - (float)(turning * x[1]), 2.0f + (float)(turning * x[0]), -0.5f};
    t->viscosity[i] = 1e5f;
    memcpy(f->velocity + 3 * i, v, sizeof v), memcpy(before + 3 * i, v, sizeof v);
  }
  f->solver.viscosity_form = turning != 0.0 ? MOTE_VISCOSITY_CENTRAL : MOTE_VISCOSITY_PAIR;
  f->implicit = true;
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  mote_solve_report report = {0};
  CHECK(mote_viscous_solve(f, 0.01, &report, NULL) == MOTE_OK);
  CHECK(report.converged && (turning != 0.0 || report.iterations == 0));
  for (size_t k = 0; k < 3 * f->count; ++k) {
    CHECK_NEAR((double)f->velocity[k], (double)before[k], turning != 0.0 ? 1e-4 : 0.0);
  }
  free(before), tank_free(t);
}

int main(void) {
  for (int form = 0; form < MOTE_VISCOSITY_FORMS; ++form) {
    mote_viscosity_form f = (mote_viscosity_form)form;
    is_right(2, f, 0.01, 1), is_right(2, f, 1.0, 2);
    is_explicit_in_short_steps(f);
    sticks(f);
    for (int d = 2; d <= 3; ++d) keeps(d, f, 1.0, 0.1), keeps(d, f, 1e5, 1e-3), keeps(d, f, 1e5, 0.1);
  }
  is_right(3, MOTE_VISCOSITY_CENTRAL, 0.1, 3);
  is_quick(2, MOTE_VISCOSITY_PAIR, 35), is_quick(3, MOTE_VISCOSITY_PAIR, 50);
  is_quick(2, MOTE_VISCOSITY_CENTRAL, 80), is_quick(3, MOTE_VISCOSITY_CENTRAL, 110);
  expects_pressures();
  leaves_rigid_motion(0.0), leaves_rigid_motion(2.0);
  return test_end();
}
