// Validation of flow that changes from place to place: a rough punch is driven into a block in 2D. On a
// half-space of what yields at the shear stress k it has the pressure (2 + pi) k (Prandtl), at any depth that
// is small; a body that remembers its rest shape bears more the deeper, one that forgets it less so. Theory:
// docs/theory/elastic.md, "Another reference"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/elastic/elastic_trial.h"

#define PUNCH_PARTICLES 10  // particles below the punch, whose width is 1 m
#define BLOCK_ROWS 24       // and in depth
#define BLOCK_COLUMNS 60    // and in all
#define BLOCK_YOUNG 1e6     // Pa
#define BLOCK_POISSON 0.45
#define BLOCK_YIELD 0.005
#define PUNCH_DEPTH 0.5   // of its width
#define PUNCH_STEPS 200   // in which it comes there,
#define BALANCE_ROUNDS 6  // of each so many: balance, and flow
#define RENEW_STRAIN 0.1  // strain after which the body that forgets gets another reference

enum { FREE, HELD, PUNCH };

typedef struct punching {
  elastic_trial s;
  mote_elastic *rest;
  mote_elastic_reference reference;
} punching;

static punching open(validation *v) {
  elastic_trial_def def = elastic_trial_def_of(2, BLOCK_YOUNG, BLOCK_POISSON);
  elastic_trial_def_box(&def, BLOCK_COLUMNS, BLOCK_ROWS, 1, 1.0 / PUNCH_PARTICLES);
  def.elastic.order = 1, def.elastic.fold = 0.0;  // flow may fold, as in worlds
  punching p = {.s = elastic_trial_open(v, &def)};
  size_t n = p.s.count;
  double *array = calloc(10 * n, sizeof *array);
  if (array == NULL) abort();
  elastic_trial_plastic(&p.s);
  p.rest = p.s.body;
  p.reference = (mote_elastic_reference){array, array + 3 * n, array + 9 * n};
  memcpy(array, p.s.rest, 3 * n * sizeof *array);
  for (size_t i = 0; i < n; ++i) {
    int column = elastic_trial_row(&p.s, i, 0), row = elastic_trial_row(&p.s, i, 1);
    bool wall = row == 0 || column == 0 || column == BLOCK_COLUMNS - 1;
    bool below = row == BLOCK_ROWS - 1 && abs(2 * column + 1 - BLOCK_COLUMNS) < PUNCH_PARTICLES;
    p.s.held[i] = wall ? HELD : below ? PUNCH : FREE;
  }
  return p;
}

static void end(punching *p) {
  if (p->s.body != p->rest) mote_elastic_destroy(p->rest);
  free(p->reference.position);
  elastic_trial_close(&p->s);
}

static void renew(punching *p) {
  mote_elastic_motion motion = elastic_trial_motion(&p->s);
  mote_elastic *next = NULL;
  if (!p->s.ok) return;
  elastic_trial_keep(&p->s, mote_elastic_renew(p->rest, p->s.body, RENEW_STRAIN, &motion, &p->reference,
                                               &next, &p->s.error));
  if (next == NULL) return;
  mote_elastic_implicit_destroy(p->s.solver);
  p->s.solver = NULL;
  if (p->s.body != p->rest) mote_elastic_destroy(p->s.body);
  p->s.body = next;
}

static void step(punching *p) {
  const mote_plastic_law law = {BLOCK_YIELD, HUGE_VAL, HUGE_VAL};
  mote_elastic_motion motion = elastic_trial_motion(&p->s);
  for (int round = 0; round < BALANCE_ROUNDS && p->s.ok; ++round) {
    for (size_t i = 0; i < p->s.count; ++i) {
      p->s.velocity[3 * i + 1] = round == 0 && p->s.held[i] == PUNCH ? -PUNCH_DEPTH / PUNCH_STEPS : 0.0;
    }
    (void)elastic_trial_step(&p->s, MOTE_ELASTIC_EULER, 1.0);
    memset(p->s.velocity, 0, 3 * p->s.count * sizeof *p->s.velocity);
    if (p->s.ok)
      elastic_trial_keep(&p->s, mote_elastic_flow_for(p->s.body, &law, &motion, 1.0, NULL, &p->s.error));
  }
}

// Over k = sqrt(2) mu e_y: in shear the size of the strain is sqrt(2) times that of its entries.
static double pressure(punching *p) {
  double force = 0.0, k = sqrt(2.0) * BLOCK_YOUNG / (2.0 + 2.0 * BLOCK_POISSON) * BLOCK_YIELD;
  elastic_trial_find_forces(&p->s);
  for (size_t i = 0; i < p->s.count; ++i) {
    if (p->s.held[i] == PUNCH) force += p->s.force[3 * i + 1];
  }
  return force / k;
}

static double drive(validation *v, bool forgets, const char *name) {
  punching p = open(v);
  for (int n = 0; n < PUNCH_STEPS && p.s.ok; ++n) {
    step(&p);
    if (forgets) renew(&p);
  }
  double found = pressure(&p);
  elastic_trial_report(&p.s, name, MEASURE_SHOWN, found, 5.14159265, 0.0, "Prandtl: 2 + pi");
  end(&p);
  return found;
}

void validate_elastic_punch(validation *v) {
  if (validation_quick(v)) {
    validation_skip(v, "a minute long, not with --quick");
    return;
  }
  double keeps = drive(v, false, "punch half a width deep: pressure over k");
  double forgets = drive(v, true, "the same, reference renewed");
  measure m = {"part of it that renewed references take away",
               MEASURE_AT_LEAST,
               1.0 - forgets / keeps,
               0.25,
               0.0,
               "a rest shape that holds"};
  validation_report(v, &m);
  m = (measure){
      "and what it bears yet, over k", MEASURE_AT_LEAST, forgets, 5.14159265, 0.0, "Prandtl: 2 + pi"};
  validation_report(v, &m);
}
