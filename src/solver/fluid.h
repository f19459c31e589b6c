// What the stages of a fluid step share (docs/theory/fluids.md). All arrays have one row per fluid particle,
// in the order of the store's FLUID rows; vectors are three together.
//
// Densities are relative: D_i = rho_i / rho0_i = sum_j V_j W_ij + sum_b V_b W_ib with rest volumes V = m /
// rho0, so that fluids of different density and walls need no case of their own. Pressure acts as
//   a_i = -(1/rho0_i) [ p_i/D_i^2 (sum_j V_j grad W_ij + w G_i) + sum_j V_j p_j/D_j^2 grad W_ij ],
// which is EG09 (51) for one fluid; G_i = sum_b V_b grad W_ib is the walls' part, taken once a step.
#ifndef MOTE_FLUID_H
#define MOTE_FLUID_H

#include <mote/scene.h>

#include "base/arena.h"
#include "search/grid.h"

// Four neighbours of one target: a cache line. Where a list ends, the index is that of a dummy and the
// gradient zero.
typedef struct mote_pair_group {
  uint32_t index[4];
  float gradient[3][4];  // of W_ij at i: x, y, z
} mote_pair_group;

typedef struct mote_fluid {
  // The world's constants.
  mote_env env;
  mote_solver_def solver;
  mote_domain domain;
  double spacing, support;  // m
  float gravity[3];

  // State, in the store.
  size_t count;
  const double *position;
  float *velocity;
  const float *mass;
  float *pressure;             // Pa; the next solve starts from it
  float *divergence_pressure;  // Pa; DFSPH: of the divergence-free solve
  float *density;              // kg/m^3
  float *acceleration;         // of all forces but pressure

  // Of the material of each particle.
  const float *rest_density, *viscosity, *xsph;

  // Derived, in the step's scratch memory. All but `volume` are made by mote_fluid_prepare.
  float *volume;           // V = m / rho0; one more entry, 0, for the dummy
  float *relative;         // D
  float *gradient;         // sum_j V_j grad W_ij over the fluid
  float *wall;             // G = sum_b V_b grad W_ib over the walls
  float *wall_flow;        // sum_b V_b v_b . grad W_ib
  const uint64_t *first;   // first[i] .. first[i + 1] - 1: the groups of i
  mote_pair_group *group;  // of all
} mote_fluid;

// What a pressure solve did.
typedef struct mote_solve_report {
  int iterations;
  double error;  // mean, as a fraction
  bool converged;
} mote_solve_report;

#endif
