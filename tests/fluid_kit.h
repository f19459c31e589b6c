// A tank of fluid for the tests of solvers: particles on a lattice, walls as layers of samples behind the
// sides, and a step made of the stages.
#ifndef MOTE_TEST_FLUID_KIT_H
#define MOTE_TEST_FLUID_KIT_H

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/random.h"
#include "fluid/dfsph.h"
#include "fluid/pcisph.h"
#include "fluid/prepare.h"
#include "fluid/pressure_solver.h"
#include "fluid/shift.h"
#include "fluid/time_limit.h"
#include "fluid/viscosity.h"
#include "fluid/viscous_solve.h"
#include "fluid/wcsph.h"
#include "fluid/xsph.h"
#include "pairs/pairs.h"
#include "test.h"

typedef struct tank_def {
  int dimensions;
  mote_pressure_kind pressure;
  mote_kernel_kind kernel;
  double support;    // in spacings
  double spacing;    // m
  int tank[3];       // in spacings, from the origin
  int water[3];      // the same; 0: none
  bool open[3];      // no walls along the axis
  bool periodic[3];  // no walls, and what leaves comes back
  double viscosity;  // Pa s
  double xsph, friction;
  double gravity;  // downward along y
  int threads;
  const mote_env *env;  // null: the default
} tank_def;

static inline tank_def tank_def_default(int dimensions) {
  return (tank_def){.dimensions = dimensions,
                    .pressure = MOTE_PRESSURE_DFSPH,
                    .kernel = MOTE_KERNEL_CUBIC_SPLINE,
                    .support = 2.0,
                    .spacing = 0.05,
                    .gravity = 9.81,
                    .threads = 1};
}

typedef struct tank {
  tank_def def;
  mote_fluid fluid;
  mote_boundary *boundary;
  mote_grid *grid;
  mote_arena arena;
  double *position, time, last_dt;
  float *rest_density, *viscosity, *xsph, *mass;
  mote_solve_report density, divergence, viscous;
  size_t steps;
} tank;

static inline void *tank_take(size_t count, size_t size) {
  void *block = calloc(count + 1, size);
  if (block == NULL) abort();
  return block;
}

static inline mote_solver_def tank_solver(const tank_def *def) {
  return (mote_solver_def){.pressure = def->pressure,
                           .kernel = def->kernel,
                           .support = def->support,
                           .cfl = 0.4,
                           .step_min = 1e-7,
                           .step_max = 0.005,
                           .stiffness = (double)NAN,
                           .compression = 0.01,
                           .exponent = 7.0,
                           .artificial_viscosity = (double)NAN,
                           .artificial_square = (double)NAN,
                           .viscosity_error = 1e-3,
                           .density_error = 1e-4,
                           .divergence_error = 1e-3,
                           .iterations_min = 2,
                           .iterations_max = 100};
}

// Samples on the lattice of the fluid, in the layers behind the walls.
static inline void tank_walls(tank *t) {
  const tank_def *def = &t->def;
  int low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, layers = (int)ceil(def->support);
  for (int a = 0; a < def->dimensions; ++a) {
    bool walls = !def->open[a] && !def->periodic[a];
    low[a] = walls ? -layers : 0;
    high[a] = def->tank[a] + (walls ? layers : 0);
  }
  size_t most = (size_t)(high[0] - low[0]) * (size_t)(high[1] - low[1]) * (size_t)(high[2] - low[2]);
  mote_samples samples = {0, tank_take(3 * most, sizeof(double)), tank_take(most, sizeof(double))};
  for (int z = low[2]; z < high[2]; ++z) {
    for (int y = low[1]; y < high[1]; ++y) {
      for (int x = low[0]; x < high[0]; ++x) {
        int at[3] = {x, y, z};
        bool inside = true;
        for (int a = 0; a < def->dimensions; ++a) inside = inside && at[a] >= 0 && at[a] < def->tank[a];
        if (inside) continue;
        for (int a = 0; a < 3; ++a) {
          samples.position[3 * samples.count + a] = a < def->dimensions ? (at[a] + 0.5) * def->spacing : 0.0;
        }
        samples.volume[samples.count++] =
            def->dimensions == 3 ? def->spacing * def->spacing * def->spacing : def->spacing * def->spacing;
      }
    }
  }
  CHECK(mote_boundary_add(t->boundary, &samples, def->friction, false, NULL, NULL) == MOTE_OK);
  free(samples.position), free(samples.volume);
}

static inline void tank_water(tank *t) {
  const tank_def *def = &t->def;
  size_t n = 0;
  double volume =
      def->dimensions == 3 ? def->spacing * def->spacing * def->spacing : def->spacing * def->spacing;
  for (int z = 0; z < (def->dimensions == 3 ? def->water[2] : 1); ++z) {
    for (int y = 0; y < def->water[1]; ++y) {
      for (int x = 0; x < def->water[0]; ++x, ++n) {
        double at[3] = {x + 0.5, y + 0.5, z + 0.5};
        for (int a = 0; a < def->dimensions; ++a) t->position[3 * n + a] = at[a] * def->spacing;
        t->mass[n] = (float)(1000.0 * volume);
        t->rest_density[n] = 1000.0f, t->viscosity[n] = (float)def->viscosity, t->xsph[n] = (float)def->xsph;
      }
    }
  }
}

static inline tank *tank_make(const tank_def *def) {
  tank *t = tank_take(1, sizeof *t);
  size_t n =
      (size_t)def->water[0] * (size_t)def->water[1] * (size_t)(def->dimensions == 3 ? def->water[2] : 1);
  mote_env env = def->env != NULL ? *def->env : mote_env_default();
  env.threads = def->threads;
  t->def = *def, t->arena = mote_arena_make(&env);
  mote_fluid *f = &t->fluid;
  f->env = env, f->scratch = &t->arena, f->solver = tank_solver(def),
  f->domain = mote_domain_open(def->dimensions);
  f->spacing = def->spacing, f->support = def->support * def->spacing, f->count = n;
  f->gravity[1] = -(float)def->gravity;
  for (int a = 0; a < def->dimensions; ++a) {
    f->domain.periodic[a] = def->periodic[a];
    f->domain.high[a] = def->tank[a] * def->spacing;
  }
  f->sound_speed = sqrt(2.0 * def->gravity * def->water[1] * def->spacing / 0.01);
  f->position = t->position = tank_take(3 * n, sizeof(double));
  f->velocity = tank_take(3 * n, sizeof(float)), f->acceleration = tank_take(3 * n, sizeof(float));
  f->pressure = tank_take(n, sizeof(float)), f->divergence_pressure = tank_take(n, sizeof(float));
  f->density = tank_take(n, sizeof(float)), f->mass = t->mass = tank_take(n, sizeof(float));
  f->rest_density = t->rest_density = tank_take(n, sizeof(float));
  f->viscosity = t->viscosity = tank_take(n, sizeof(float)), f->xsph = t->xsph = tank_take(n, sizeof(float));
  mote_grid_def grid = mote_fluid_grid_def(f);
  CHECK(mote_grid_create(&grid, &env, &t->grid, NULL) == MOTE_OK);
  CHECK(mote_boundary_create(&f->domain, f->support, &env, &t->boundary, NULL) == MOTE_OK);
  tank_walls(t);
  tank_water(t);
  return t;
}

static inline void tank_free(tank *t) {
  mote_fluid *f = &t->fluid;
  mote_boundary_destroy(t->boundary);
  mote_grid_destroy(t->grid);
  mote_arena_destroy(&t->arena);
  free(t->position), free(f->velocity), free(f->acceleration), free(f->pressure);
  free(f->divergence_pressure), free(f->density), free(t->mass), free(t->rest_density);
  free(t->viscosity), free(t->xsph), free(t);
}

static inline void tank_move(tank *t, double dt) {
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) t->position[k] += dt * (double)t->fluid.velocity[k];
}

// All stages of a step of at most `most` seconds but the motion; the scratch memory is the caller's to
// release.
static inline double tank_stages(tank *t, double most) {
  mote_fluid *f = &t->fluid;
  const mote_pressure_solver *solver = mote_pressure_solver_of(&f->solver);
  bool ok = true;
  ok = ok && mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK;
  if (solver->solve_divergence != NULL)
    ok = ok && solver->solve_divergence(f, t->last_dt, &t->divergence, NULL) == MOTE_OK;
  ok = ok && mote_fluid_forces(f, NULL) == MOTE_OK;
  double dt = mote_fluid_step_limit(f);
  dt = dt < most ? dt : most;
  mote_fluid_accelerate(f, dt);
  ok = ok && mote_viscous_solve(f, dt, &t->viscous, NULL) == MOTE_OK;
  ok = ok && mote_fluid_smooth(f, NULL) == MOTE_OK;
  ok = ok && solver->solve(f, dt, &t->density, NULL) == MOTE_OK;
  CHECK(ok);
  return dt;
}

static inline double tank_step(tank *t, double most) {
  mote_arena_mark mark = mote_arena_here(&t->arena);
  double dt = tank_stages(t, most);
  tank_move(t, dt);
  mote_shift_settle(&t->fluid);
  mote_arena_release(&t->arena, mark);
  mote_arena_settle(&t->arena);  // as the world does
  t->time += dt, t->last_dt = dt, ++t->steps;
  return dt;
}

static inline double tank_kinetic(const tank *t) {
  double sum = 0.0;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    const float *v = t->fluid.velocity + 3 * i;
    sum += 0.5 * (double)t->mass[i] * (double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return sum;
}

static inline double tank_potential(const tank *t) {
  double sum = 0.0;
  for (size_t i = 0; i < t->fluid.count; ++i)
    sum += (double)t->mass[i] * t->def.gravity * t->position[3 * i + 1];
  return sum;
}

static inline double tank_speed(const tank *t) {
  double most = 0.0;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    const float *v = t->fluid.velocity + 3 * i;
    most = fmax(most, sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
  }
  return most;
}

// The slope of pressure over depth by least squares, over that of hydrostatics. The upper row, which has no
// pressure, would tilt it.
static inline double tank_slope(const tank *t) {
  double n = 0, x = 0, xx = 0, y = 0, xy = 0, top = (t->def.water[1] - 1) * t->def.spacing;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    double depth = -t->position[3 * i + 1], p = (double)t->fluid.pressure[i];
    if (depth < -top) continue;
    n += 1, x += depth, xx += depth * depth, y += p, xy += depth * p;
  }
  return (n * xy - x * y) / (n * xx - x * x) / (1000.0 * t->def.gravity);
}

#endif
