// The data of a foam, and of one advance. See mote/foam.h.
#ifndef MOTE_FOAM_DATA_H
#define MOTE_FOAM_DATA_H

#include <mote/foam.h>
#include <mote/search.h>

#include "base/arena.h"

// What a particle of the liquid owes: the part of a foam particle that was not born yet.
typedef struct mote_foam_debt {
  uint64_t id;
  double part;  // 0 to 1
} mote_foam_debt;

struct mote_foam {
  mote_env env;
  mote_foam_def def;
  mote_arena scratch;
  mote_grid *grid;  // of the liquid's particles, radius h
  double speed;     // sqrt(g H), m/s
  double rise;      // m/s
  uint64_t next_id, advances;
  size_t count, capacity;
  double *position;
  float *velocity, *life, *size;
  uint64_t *id;
  uint32_t *kind;
  double *born;  // the part of the present interval at which it begins; 0: it is older
  mote_foam_debt *debt;
  size_t debts, debts_capacity;
};

// Particles that are in both moments, by ascending ids: their ways are Hermite's cubics.
typedef struct mote_foam_flow {
  double time, length;  // s
  size_t count;
  uint64_t *id;
  double *x0, *v0, *x1, *v1;  // three each
} mote_foam_flow;

typedef struct mote_foam_around {
  mote_foam_obstacle_fn *obstacle;  // null: none
  void *user;
} mote_foam_around;

// Distances at which particles are neighbours: h = 2 d.
#define MOTE_FOAM_REACH 2.0  // cited: Ihmsen et al. 2012

// Where particle i is after the part s of the interval, and its velocity.
void mote_foam_place(const mote_foam_flow *flow, size_t i, double s, double x[3], double v[3]);

// foam_birth.c: adds the particles that are born in the interval.
mote_result mote_foam_bear(mote_foam *foam, const mote_foam_flow *flow, double energy,
                           mote_foam_report *report, mote_error *error);
// foam_move.c: moves all, and removes those that end.
mote_result mote_foam_move(mote_foam *foam, const mote_foam_flow *flow, const mote_foam_around *around,
                           mote_foam_report *report, mote_error *error);

// Makes room for `count` particles.
mote_result mote_foam_reserve(mote_foam *foam, size_t count, mote_error *error);
void mote_foam_free_arrays(mote_foam *foam);

#endif
