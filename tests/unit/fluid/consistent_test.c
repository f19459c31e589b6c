// Consistent rates and forces: against brute force in double, exact on linear velocities, the force adjoint
// to the rate, both momenta kept.
#include "fluid/consistent.h"

#include "fluid/pressure.h"
#include "fluid_twin.h"
#include "pressure_kit.h"

#define SURFACE_DENSITY 0.9f  // of consistent.c
#define DETERMINANT_MIN 0.05  // of gradient_correction.c

typedef struct twin_fix {
  double m[3][3];
} twin_fix;

static const twin_fix identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static double volume_of(const twin_set *s, size_t i) {
  return (double)s->tank->mass[i] / (double)s->tank->rest_density[i];
}

// grad W at particle i of particle j.
static void gradient_of(const twin_set *s, size_t i, size_t j, double x[3], double gradient[3]) {
  double factor;
  twin_pair(s, s->tank->position + 3 * i, s->tank->position + 3 * j, x, &factor);
  for (int a = 0; a < 3; ++a) gradient[a] = factor * x[a];
}

// Whether a wall's table has a row for it: every particle with a sample in reach has one, and some near
// those.
static bool beside_wall(const twin_set *s, size_t i) {
  const mote_fluid *f = &s->tank->fluid;
  for (size_t b = 0; b < s->samples; ++b) {
    double x[3];
    mote_domain_difference(&f->domain, s->tank->position + 3 * i, s->sample + 3 * b, x);
    if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= f->support * f->support) return true;
  }
  return false;
}

static twin_fix inverse_of(double m[3][3]) {
  twin_fix out;
  double det = 0.0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      int r = (b + 1) % 3, q = (b + 2) % 3, c = (a + 1) % 3, e = (a + 2) % 3;
      out.m[a][b] = m[r][c] * m[q][e] - m[r][e] * m[q][c];
    }
  }
  for (int a = 0; a < 3; ++a) det += m[0][a] * out.m[a][0];
  if (det <= DETERMINANT_MIN) return identity;
  for (int k = 0; k < 9; ++k) out.m[k / 3][k % 3] /= det;
  return out;
}

// L of a particle; the identity at free surfaces and beside walls.
static twin_fix twin_fix_of(const twin_set *s, size_t i) {
  const mote_fluid *f = &s->tank->fluid;
  double m[3][3] = {{0}}, x[3], gradient[3];
  if (f->relative[i] < SURFACE_DENSITY || beside_wall(s, i)) return identity;
  for (size_t j = 0; j < f->count; ++j) {
    gradient_of(s, i, j, x, gradient);
    for (int k = 0; k < 9; ++k) m[k / 3][k % 3] -= volume_of(s, j) * x[k / 3] * gradient[k % 3];
  }
  if (f->domain.dimensions == 2) m[2][2] = 1.0;
  return inverse_of(m);
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void apply(const twin_fix *L, const double v[3], double out[3]) {
  for (int a = 0; a < 3; ++a) out[a] = dot(L->m[a], v);
}

typedef struct consistent_set {
  twin_set twin;
  mote_pressures pressures;
  twin_fix *L;
} consistent_set;

static consistent_set set_make(int dimensions, bool plate, uint64_t seed) {
  consistent_set c = {.twin = twin_set_make(dimensions, MOTE_KERNEL_WENDLAND_C2, 3.0, false, seed)};
  tank *t = c.twin.tank;
  mote_fluid *f = &t->fluid;
  f->solver.consistent = true;
  if (!plate) c.twin.samples = 0;
  CHECK(mote_fluid_prepare(f, plate ? t->boundary : NULL, t->grid, NULL) == MOTE_OK);
  if (plate) twin_weigh(&c.twin);
  CHECK(f->corrected != NULL);
  CHECK(mote_pressures_take(&c.pressures, f, NULL) == MOTE_OK);
  CHECK(mote_pressures_correct(&c.pressures, f, NULL) == MOTE_OK);
  c.L = tank_take(f->count, sizeof *c.L);
  for (size_t i = 0; i < f->count; ++i) c.L[i] = twin_fix_of(&c.twin, i);
  return c;
}

static void set_free(consistent_set *c) {
  free(c->L);
  twin_set_free(&c->twin);
}

static double size_of(const twin_fix *L) {
  double sum = 0.0;
  for (int k = 0; k < 9; ++k) sum += L->m[k / 3][k % 3] * L->m[k / 3][k % 3];
  return sqrt(sum);
}

// Rounding of float sums of terms as large as `scale`, as in property/fluid_twin.
static double rounding(double scale) {
  return 3e-6 * scale;
}

static double twin_rate(const consistent_set *c, size_t i) {
  const mote_fluid *f = &c->twin.tank->fluid;
  double x[3], gradient[3], fixed[3], sum = 0.0;
  twin_sums own = twin_sums_at(&c->twin, c->twin.tank->position + 3 * i, i);
  apply(&c->L[i], own.wall_gradient, fixed);
  for (int a = 0; a < 3; ++a) sum += (double)f->velocity[3 * i + a] * fixed[a];
  for (size_t j = 0; j < f->count; ++j) {
    gradient_of(&c->twin, i, j, x, gradient);
    apply(&c->L[i], gradient, fixed);
    for (int a = 0; a < 3; ++a) {
      sum += volume_of(&c->twin, j) * fixed[a] *
             ((double)f->velocity[3 * i + a] - (double)f->velocity[3 * j + a]);
    }
  }
  return sum;
}

static void rates_equal_the_twin(const consistent_set *c, bool walls) {
  const mote_fluid *f = &c->twin.tank->fluid;
  mote_pressures_flow(&c->pressures, f);
  size_t corrected = 0;
  for (size_t i = 0; i < f->count; ++i) {
    double size = size_of(&c->L[i]);
    corrected += memcmp(&c->L[i], &identity, sizeof identity) != 0;
    CHECK_NEAR((double)pressures_rate(&c->pressures, f, i), twin_rate(c, i),
               rounding(20.0 * size / f->spacing));
  }
  CHECK(corrected < f->count && (walls || corrected > f->count / 4));
}

static void random_pressures(const consistent_set *c) {
  const mote_fluid *f = &c->twin.tank->fluid;
  for (size_t i = 0; i < f->count; ++i) {
    c->pressures.pressure_volume[i] =
        f->volume[i] * (float)mote_random_between(c->twin.seed, 7, i, -1e4, 1e4);
  }
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    for (size_t b = 0; b < f->walls[p].samples; ++b) c->pressures.wall_pressure_volume[p][b] = 0.0f;
  }
  mote_pressures_accelerate(&c->pressures, f);
}

// rho0 a = -[P_i L_i (g_i + G_i) + sum_j V_j P_j L_j grad W_ij].
static void forces_equal_the_twin(const consistent_set *c) {
  const mote_fluid *f = &c->twin.tank->fluid;
  random_pressures(c);
  for (size_t i = 0; i < f->count; ++i) {
    double x[3], gradient[3], fixed[3], own[3], a[3], rho0 = (double)f->rest_density[i];
    double P = (double)c->pressures.pressure_volume[i] / volume_of(&c->twin, i), size = size_of(&c->L[i]);
    twin_sums sums = twin_sums_at(&c->twin, c->twin.tank->position + 3 * i, i);
    for (int k = 0; k < 3; ++k) own[k] = sums.gradient[k] + sums.wall_gradient[k];
    apply(&c->L[i], own, fixed);
    for (int k = 0; k < 3; ++k) a[k] = P * fixed[k];
    for (size_t j = 0; j < f->count; ++j) {
      gradient_of(&c->twin, i, j, x, gradient);
      if (dot(x, x) > f->support * f->support) continue;
      apply(&c->L[j], gradient, fixed);
      for (int k = 0; k < 3; ++k) a[k] += (double)c->pressures.pressure_volume[j] * fixed[k];
      size = fmax(size, size_of(&c->L[j]));
    }
    for (int k = 0; k < 3; ++k) {
      CHECK_NEAR((double)(c->pressures.flow[i].u[k] / f->volume[i]), -a[k] / rho0,
                 rounding(10.0 * size * 1e4 / f->spacing / 500.0));
    }
  }
}

// The power of the forces is -sum V P dD/dt; without walls both momenta are kept.
static void force_is_adjoint(const consistent_set *c, bool walls) {
  const mote_fluid *f = &c->twin.tank->fluid;
  random_pressures(c);
  double power = 0.0, work = 0.0, terms = 0.0, momentum[3] = {0}, spin[3] = {0}, forces = 0.0, moments = 0.0;
  for (size_t i = 0; i < f->count; ++i) {
    const double *x = c->twin.tank->position + 3 * i;
    double force[3];
    for (int k = 0; k < 3; ++k) {
      force[k] = (double)f->rest_density[i] * (double)c->pressures.flow[i].u[k];
      power += force[k] * (double)f->velocity[3 * i + k];
      momentum[k] += force[k], forces += fabs(force[k]);
    }
    for (int k = 0; k < 3; ++k) {
      int l = (k + 1) % 3, n = (k + 2) % 3;
      spin[k] += x[l] * force[n] - x[n] * force[l];
      moments += fabs(x[l] * force[n]) + fabs(x[n] * force[l]);
    }
  }
  mote_pressures_flow(&c->pressures, f);
  for (size_t i = 0; i < f->count; ++i) {
    double one = (double)c->pressures.pressure_volume[i] * (double)pressures_rate(&c->pressures, f, i);
    work += one, terms += fabs(one);
  }
  CHECK_NEAR(power, -work, 1e-5 * terms);
  for (int k = 0; k < 3 && !walls; ++k) {
    CHECK_NEAR(momentum[k], 0.0, 1e-5 * forces);
    CHECK_NEAR(spin[k], 0.0, 1e-5 * moments);
  }
}

// v = A x + b: the rate is -tr A wherever L is not the identity, and 0 everywhere for a rotation.
static void linear_velocities_are_exact(const consistent_set *c, bool rotation) {
  const mote_fluid *f = &c->twin.tank->fluid;
  int dimensions = f->domain.dimensions;
  double A[3][3] = {{0}}, trace = 0.0;
  for (int k = 0; k < 9; ++k) {
    if (k / 3 < dimensions && k % 3 < dimensions)
      A[k / 3][k % 3] = mote_random_between(c->twin.seed, 40, (uint64_t)k, -1.0, 1.0);
  }
  for (int a = 0; a < 3 && rotation; ++a) {
    A[a][a] = 0.0;
    for (int b = 0; b < a; ++b) A[a][b] = -A[b][a];
  }
  for (int a = 0; a < 3; ++a) trace += A[a][a];
  for (size_t i = 0; i < f->count; ++i) {
    const double *x = c->twin.tank->position + 3 * i;
    for (int a = 0; a < dimensions; ++a) f->velocity[3 * i + a] = (float)(dot(A[a], x) + 0.1 * (a - 1));
  }
  mote_pressures_flow(&c->pressures, f);
  for (size_t i = 0; i < f->count; ++i) {
    bool exact = memcmp(&c->L[i], &identity, sizeof identity) != 0;
    if (!exact && !rotation) continue;
    CHECK_NEAR((double)pressures_rate(&c->pressures, f, i), -trace,
               rounding(20.0 * size_of(&c->L[i]) / f->spacing));
  }
}

// Nothing is made where it is not asked for, or the solver has no rates.
static void made_where_asked(void) {
  tank_def def = tank_def_default(2);
  for (int a = 0; a < 2; ++a) def.tank[a] = def.water[a] = 6;
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  for (int k = 0; k < 8; ++k) {
    f->solver.consistent = (k & 1) != 0, f->solver.noise_damping = (k & 2) != 0 ? 0.05 : 0.0;
    f->solver.pressure = (k & 4) != 0 ? MOTE_PRESSURE_WCSPH : MOTE_PRESSURE_DFSPH;
    mote_arena_mark mark = mote_arena_here(&t->arena);
    CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
    bool rates = (k & 1) != 0 && (k & 4) == 0;
    CHECK((f->corrected != NULL) == rates);
    CHECK((f->linear != NULL) == (rates || (k & 2) != 0));
    mote_arena_release(&t->arena, mark);
  }
  tank_free(t);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (int plate = 0; plate < 2; ++plate) {
      consistent_set c = set_make(dimensions, plate == 1, (uint64_t)(3 + plate));
      rates_equal_the_twin(&c, plate == 1);
      forces_equal_the_twin(&c);
      force_is_adjoint(&c, plate == 1);
      if (plate == 0) linear_velocities_are_exact(&c, false);
      if (plate == 0) linear_velocities_are_exact(&c, true);
      set_free(&c);
    }
  }
  made_where_asked();
  return test_end();
}
