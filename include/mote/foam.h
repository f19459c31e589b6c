// Foam: spray, foam and bubbles that ride on the particles of a liquid without acting back on them.
//
//   mote_foam_def def = mote_foam_def_default(3);
//   def.spacing = 0.01, def.length = 0.5;
//   mote_foam_create(&def, NULL, &foam, &error);
//   mote_foam_advance(foam, &moment, &next, NAN, NULL, NULL, &error);   // from one moment to the next
//   mote_field_view x = mote_foam_view(foam, MOTE_FOAM_POSITION);
//
// Where they are born: Ihmsen et al. 2012, "Unified spray, foam and air bubbles for particle-based fluids".
// How many: by the energy that the liquid has lost. The same bits for any number of threads and any order of
// the particles.
//
// Theory: docs/theory/foam.md
#ifndef MOTE_FOAM_H
#define MOTE_FOAM_H

#include <mote/view.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_foam_def {
  int dimensions;     // 2 or 3
  double spacing;     // d of the liquid's particles, m
  double density;     // of the liquid, kg/m^3
  double gravity[3];  // m/s^2
  double length;   // H, m: the liquid's first height. Speeds are measured in sqrt(g H), energies in rho g H^4
  double amount;   // particles born for each rho g H^4 (in 2D rho g H^3 m) that the liquid loses
  double life[2];  // s: of foam, between; longer where it covers itself
  double size;     // m: diameter of a bubble or drop
  double air_density;  // kg/m^3: of the air that slows spray; 0: none, as the liquid itself feels none
  double tension;      // N/m: with the size, the speed at which bubbles rise
  uint64_t seed;
  size_t particles_max;
} mote_foam_def;

// NaN for the spacing and the length; water, gravity of 9.81 m/s^2 along -y, a million particles (2D:
// 10,000), 1 to 3 s, 3 mm, no air, 2 million at most.
MOTE_API mote_foam_def mote_foam_def_default(int dimensions);

typedef enum mote_foam_kind {
  MOTE_FOAM_SPRAY,    // flies
  MOTE_FOAM_FOAM,     // floats
  MOTE_FOAM_BUBBLES,  // under water
  MOTE_FOAM_KINDS
} mote_foam_kind;

// "spray", "foam", "bubbles"
MOTE_API const char *mote_foam_kind_name(mote_foam_kind kind);

typedef struct mote_foam mote_foam;

// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_foam_create(const mote_foam_def *def, const mote_env *env, mote_foam **out,
                                      mote_error *error);
MOTE_API void mote_foam_destroy(mote_foam *foam);

// The particles of a liquid at a time, by ascending ids.
typedef struct mote_foam_moment {
  double time;  // s
  size_t count;
  const uint64_t *id;
  const double *position, *velocity;  // three each, m, m/s
} mote_foam_moment;

// The nearest obstacle: its distance from x at time t, m, negative inside; the normal away from it, and its
// velocity there. Infinite where there is none; NaN where nothing can be: foam ends there.
typedef double mote_foam_obstacle_fn(void *user, const double x[3], double t, double normal[3],
                                     double velocity[3]);

// What happened in an advance.
typedef struct mote_foam_report {
  double energy;  // J: that of which particles were born
  size_t born, ended;
  size_t refused;  // beyond particles_max
  size_t kind[MOTE_FOAM_KINDS];
  int substeps;
} mote_foam_report;

// From one moment to the next: particles are born where the liquid breaks, and all move with it. `energy`:
// what the liquid lost between both by impact and mixing, J; NaN: the loss of kinetic and potential energy of
// those particles that are in both. obstacle null: none. It may be called by several threads at once.
MOTE_API mote_result mote_foam_advance(mote_foam *foam, const mote_foam_moment *from,
                                       const mote_foam_moment *to, double energy,
                                       mote_foam_obstacle_fn *obstacle, void *user, mote_foam_report *report,
                                       mote_error *error);

// The particles, in the order of birth: views until the next advance.
typedef enum mote_foam_field {
  MOTE_FOAM_POSITION,  // F64, 3
  MOTE_FOAM_VELOCITY,  // F32, 3
  MOTE_FOAM_ID,        // U64: never used again
  MOTE_FOAM_KIND,      // U32: mote_foam_kind
  MOTE_FOAM_LIFE,      // F32: s that are left to it as foam
  MOTE_FOAM_SIZE,      // F32: m
  MOTE_FOAM_FIELDS
} mote_foam_field;
MOTE_API size_t mote_foam_count(const mote_foam *foam);
MOTE_API mote_field_view mote_foam_view(const mote_foam *foam, mote_foam_field field);

// The speed at which a bubble of the definition rises in still liquid, m/s (Mendelson 1967).
MOTE_API double mote_foam_rise(const mote_foam_def *def);

#ifdef __cplusplus
}
#endif
#endif
