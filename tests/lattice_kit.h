// Lattice bodies for tests: boxes of sites, turned and moved, with all that a step needs.
#ifndef MOTE_LATTICE_KIT_H
#define MOTE_LATTICE_KIT_H

#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "geom/triple.h"
#include "lattice/lattice_data.h"
#include "test.h"

#define KIT_SPACING 0.05
#define KIT_YOUNG 1e5
#define KIT_DENSITY 1000.0

typedef struct lattice_kit {
  mote_lattice lattice;
  mote_lattice_part part;
  mote_arena scratch;
  mote_lattice_buffers buffers;
  size_t count;
  uint64_t *id;
  double *x, *v, *mass, *basis, *force, *rest;
  uint32_t *object, *neighbour;
  uint8_t *held;
} lattice_kit;

typedef struct kit_def {
  int dimensions;
  double size[3];  // in D: sites strictly within half of it from the middle, in the lattice's frame
  bool ball;       // of the diameter size[0]
  double axis[3];  // the lattice is turned about it by its length
  double middle[3];
  double poisson;
  bool restoring;
  double damping;
} kit_def;

static inline double kit_random(uint64_t stream, uint64_t index) {
  return 2.0 * mote_random_uniform(7, stream, index) - 1.0;
}

static inline void kit_rotation(const double axis[3], double R[9]) {
  double angle = length3(axis), c = mote_cos(angle), s = mote_sin(angle);
  for (int e = 0; e < 9; ++e) R[e] = e % 4 == 0;
  if (!(angle > 0.0)) return;
  const double n[3] = {axis[0] / angle, axis[1] / angle, axis[2] / angle};
  const double N[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  for (int e = 0; e < 9; ++e) R[e] = c * (e % 4 == 0) + s * N[e] + (1.0 - c) * n[e / 3] * n[e % 3];
}

static inline bool kit_inside(const kit_def *def, double D, const double p[3]) {
  if (def->ball) return length3(p) < 0.5 * def->size[0] * D;
  for (int a = 0; a < def->dimensions; ++a) {
    if (fabs(p[a]) >= 0.5 * def->size[a] * D) return false;
  }
  return true;
}

// Sites by integers of the conventional cells; writes positions where out is not null.
static inline size_t kit_sites(const kit_def *def, const mote_lattice_law *law, const double R[9],
                               double *out) {
  const int most = 40;
  double D = law->edge;
  size_t count = 0;
  for (int c = def->dimensions == 3 ? -most : 0; c <= (def->dimensions == 3 ? most : 0); ++c) {
    for (int b = -most; b <= most; ++b) {
      for (int a = -most; a <= most; ++a) {
        double p[3] = {D * (a + 0.5 * b), D * 0.86602540378443864676 * b, 0.0};
        if (def->dimensions == 3 && (a + b + c) % 2 != 0) continue;
        if (def->dimensions == 3)
          set3(D * 0.70710678118654752 * a, D * 0.70710678118654752 * b, D * 0.70710678118654752 * c, p);
        if (!kit_inside(def, D, p)) continue;
        if (out != NULL) {
          turn3(R, p, p);
          step3(def->middle, 1.0, p, out + 3 * count);
        }
        ++count;
      }
    }
  }
  return count;
}

static inline void kit_begin(lattice_kit *kit, double elapsed) {
  CHECK(mote_lattice_begin(&kit->lattice, NULL) == MOTE_OK);
  mote_lattice_assign(&kit->lattice, elapsed);
  mote_lattice_near(&kit->lattice);
  mote_lattice_fit(&kit->lattice);
}

static inline void kit_fill(lattice_kit *kit, const kit_def *def, size_t first, uint32_t object) {
  double R[9];
  kit_rotation(def->axis, R);
  size_t count = kit_sites(def, &kit->part.law, R, kit->x + 3 * first);
  for (size_t i = first; i < first + count; ++i) {
    kit->id[i] = i, kit->object[i] = object;
    kit->mass[i] = KIT_DENSITY * kit->part.law.volume;
    memcpy(kit->basis + 9 * i, R, sizeof R);
  }
}

// One or two bodies.
static inline lattice_kit *kit_make_two(const kit_def *def, const kit_def *other) {
  lattice_kit *kit = calloc(1, sizeof *kit);
  mote_env env = mote_env_resolve(NULL);
  mote_lattice_spec spec = {.dimensions = def->dimensions,
                            .spacing = KIT_SPACING,
                            .density = KIT_DENSITY,
                            .solid_density = KIT_DENSITY,
                            .young = KIT_YOUNG,
                            .poisson = def->poisson,
                            .restoring = def->restoring};
  kit->part.law = mote_lattice_law_make(&spec);
  kit->part.damping = def->damping, kit->part.strength = HUGE_VAL, kit->part.docking_rate = HUGE_VAL;
  double R[9] = {0};
  size_t own = kit_sites(def, &kit->part.law, R, NULL);
  size_t n = kit->count = own + (other != NULL ? kit_sites(other, &kit->part.law, R, NULL) : 0);
  kit->part.count = n;
  kit->id = calloc(n, sizeof *kit->id), kit->x = calloc(3 * n, sizeof *kit->x),
  kit->v = calloc(3 * n, sizeof *kit->v);
  kit->mass = calloc(n, sizeof *kit->mass), kit->basis = calloc(9 * n, sizeof *kit->basis);
  kit->force = calloc(3 * n, sizeof *kit->force), kit->rest = calloc(3 * n, sizeof *kit->rest);
  kit->object = calloc(n, sizeof *kit->object), kit->held = calloc(n, 1);
  kit->neighbour = calloc(MOTE_LATTICE_SITES * n, sizeof *kit->neighbour);
  kit_fill(kit, def, 0, 1);
  if (other != NULL) kit_fill(kit, other, own, 2);
  memcpy(kit->rest, kit->x, 3 * n * sizeof *kit->x);
  kit->scratch = mote_arena_make(&env);
  kit->lattice = (mote_lattice){.threads = 1,
                                .seed = 1,
                                .scratch = &kit->scratch,
                                .buffers = &kit->buffers,
                                .rows = {.count = n,
                                         .part = &kit->part,
                                         .parts = 1,
                                         .id = kit->id,
                                         .position = kit->x,
                                         .velocity = kit->v,
                                         .mass = kit->mass,
                                         .object = kit->object,
                                         .held = kit->held,
                                         .basis = kit->basis,
                                         .neighbour = kit->neighbour}};
  kit_begin(kit, HUGE_VAL);
  return kit;
}

static inline lattice_kit *kit_make(const kit_def *def) {
  return kit_make_two(def, NULL);
}

static inline void kit_free(lattice_kit *kit) {
  mote_env env = mote_env_resolve(NULL);
  mote_lattice_buffers_free(&kit->buffers, &env);
  mote_arena_destroy(&kit->scratch);
  free(kit->id), free(kit->x), free(kit->v), free(kit->mass), free(kit->basis), free(kit->force),
      free(kit->rest);
  free(kit->object), free(kit->held), free(kit->neighbour), free(kit);
}

static inline double kit_energy(lattice_kit *kit) {
  mote_lattice_fit(&kit->lattice);
  mote_lattice_energies e = mote_lattice_stored(&kit->lattice, NULL);
  return e.strain + e.restoring + e.contact;
}

static inline double kit_kinetic(const lattice_kit *kit) {
  double sum = 0.0;
  for (size_t i = 0; i < kit->count; ++i) sum += 0.5 * kit->mass[i] * dot3(kit->v + 3 * i, kit->v + 3 * i);
  return sum;
}

static inline double kit_largest(const double *a, size_t count) {
  double most = 0.0;
  for (size_t i = 0; i < count; ++i) most = max2(most, length3(a + 3 * i));
  return most;
}

// Sum of a, and of x cross a about `origin`, over the sum of their lengths.
static inline void kit_sums(const lattice_kit *kit, const double *a, const double *scale, double sum[3],
                            double turn[3], double *all) {
  set3(0.0, 0.0, 0.0, sum), set3(0.0, 0.0, 0.0, turn), *all = 0.0;
  for (size_t i = 0; i < kit->count; ++i) {
    double f[3] = {a[3 * i], a[3 * i + 1], a[3 * i + 2]}, r[3], t[3], s = scale != NULL ? scale[i] : 1.0;
    for (int k = 0; k < 3; ++k) f[k] *= s;
    step3(sum, 1.0, f, sum);
    sub3(kit->x + 3 * i, kit->rest, r);
    cross3(r, f, t);
    step3(turn, 1.0, t, turn);
    *all += length3(f);
  }
}

#endif
