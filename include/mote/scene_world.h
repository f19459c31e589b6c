// Definitions of a world: its domain, its solver, its tracked surface. Plain data: scene.h.
#ifndef MOTE_SCENE_WORLD_H
#define MOTE_SCENE_WORLD_H

#include <mote/approx.h>
#include <mote/base.h>
#include <mote/surface.h>
#include <mote/track.h>

#ifdef __cplusplus
extern "C" {
#endif

// A number, or a formula (formula.h) where one is given.
typedef struct mote_value {
  double constant;
  const char *formula;  // null: the constant
} mote_value;

typedef struct mote_value3 {
  mote_value x, y, z;
} mote_value3;

MOTE_API mote_value3 mote_value3_make(double x, double y, double z);

// --- The world ------------------------------------------------------------------------------------------

// Boundary condition at a side of the domain.
typedef enum mote_side {
  MOTE_SIDE_OPEN,      // nothing; particles that cross it leave the world
  MOTE_SIDE_WALL,      // a wall
  MOTE_SIDE_PERIODIC,  // the opposite side: both must be
} mote_side;

typedef enum mote_pressure_kind {
  MOTE_PRESSURE_WCSPH,   // weakly compressible: EG09 (47), (51), (54)
  MOTE_PRESSURE_DFSPH,   // divergence-free and incompressible: Bender & Koschier 2015
  MOTE_PRESSURE_PCISPH,  // predicted and corrected: Solenthaler & Pajarola 2009
  MOTE_PRESSURE_KINDS
} mote_pressure_kind;

// Keywords of `solver.pressure` in scenes, in the order of the values.
#define MOTE_PRESSURE_KEYWORDS "wcsph, dfsph, pcisph"

// The name as papers write it; "unknown" of other values.
MOTE_API const char *mote_pressure_name(mote_pressure_kind kind);
// Whether pressure is a function of density, so that sound limits the time step.
MOTE_API bool mote_pressure_has_sound_speed(mote_pressure_kind kind);

// WCSPH: pressure as a function of density.
typedef enum mote_state_law {
  MOTE_STATE_TAIT,  // K (D^gamma - 1), EG09 (47); with gamma = 1 it is DES96 (6)
  MOTE_STATE_GAS,   // K D^gamma; with gamma = 1 the ideal gas of DES96 2.2
  MOTE_STATE_LAWS
} mote_state_law;

// WCSPH: the acceleration by two pressures.
typedef enum mote_pair_form {
  MOTE_FORM_SYMMETRIC,  // p_i / rho_i^2 + p_j / rho_j^2, EG09 (51)
  MOTE_FORM_MEAN,       // (p_i + p_j) / (2 rho_i rho_j), below EG09 (50)
  MOTE_FORM_PLAIN,      // p_j / (rho_i rho_j), EG09 (50): keeps no momentum
  MOTE_PAIR_FORMS
} mote_pair_form;

// WCSPH: where densities come from.
typedef enum mote_density_kind {
  MOTE_DENSITY_SUMMED,    // EG09 (7)
  MOTE_DENSITY_FOLLOWED,  // d rho / dt = -rho div v, with diffusion: carries negative pressure
  MOTE_DENSITY_KINDS
} mote_density_kind;

typedef enum mote_viscosity_form {
  MOTE_VISCOSITY_PAIR,       // a Laplacian of each component: keeps linear momentum
  MOTE_VISCOSITY_CENTRAL,    // along the line between two particles: the full stress, keeps both momenta
  MOTE_VISCOSITY_FORM_AUTO,  // CENTRAL
  MOTE_VISCOSITY_FORMS
} mote_viscosity_form;

typedef enum mote_viscosity_solve {
  MOTE_VISCOSITY_AUTO,  // implicit where the explicit one would shorten the step
  MOTE_VISCOSITY_EXPLICIT,
  MOTE_VISCOSITY_IMPLICIT,
  MOTE_VISCOSITY_SOLVES
} mote_viscosity_solve;

typedef enum mote_xsph_form {
  MOTE_XSPH_KEEP,  // the smoothed velocity becomes that of the particle, EG09 (53)
  MOTE_XSPH_MOVE,  // it only moves the particle (Monaghan 1989)
  MOTE_XSPH_FORMS
} mote_xsph_form;

// Surface tension (docs/theory/tension.md).
typedef enum mote_tension_method {
  MOTE_TENSION_CURVATURE,  // the area of the surface, and attraction of pairs
  MOTE_TENSION_COHESION,   // attraction of pairs alone, after Becker & Teschner 2007
  MOTE_TENSION_MESH,       // the area of the tracked surface; needs mote_world_def.track
  MOTE_TENSION_METHODS
} mote_tension_method;

// Time steps of particles (docs/theory/time_steps.md).
typedef enum mote_steps_kind {
  MOTE_STEPS_GLOBAL,      // all as long as the shortest
  MOTE_STEPS_INDIVIDUAL,  // WCSPH: each as long as it may, by powers of two, DES96 5.2
  MOTE_STEPS_KINDS
} mote_steps_kind;

// How much the defaults of a solver spend on accuracy: mote_solver_def_set_quality.
typedef enum mote_quality {
  MOTE_QUALITY_FAST,      // cubic spline of 2 spacings, summed rates: for previews, and to compare programs
  MOTE_QUALITY_STANDARD,  // Wendland C2 of 3 spacings, consistent rates, noise damping
  MOTE_QUALITY_ACCURATE,  // and smaller errors and steps
  MOTE_QUALITIES
} mote_quality;

typedef struct mote_solver_def {
  mote_quality quality;  // what the other members started from
  mote_pressure_kind pressure;
  mote_kernel_kind kernel;    // CUBIC_SPLINE, WENDLAND_C2 or DESBRUN
  double support;             // radius of the kernel, in spacings: 1.5 to 4
  double cfl;                 // the fastest particle moves at most so many spacings in a step
  double step_min, step_max;  // s; equal: a fixed step. step_max NaN: mote_world_def_step_max
  mote_steps_kind steps;
  // WCSPH
  double stiffness;          // K of EG09 (47), Pa; NaN: from the speeds to be expected, such that
  double compression;        //   the density changes by no more than this fraction
  double exponent;           // gamma of EG09 (47)
  double negative_pressure;  // zeta of EG09 (54): 0 cuts it off, 1 keeps it; NaN: 1 where density is followed
  mote_state_law state;
  double background_pressure;  // Pa, added to the state's
  mote_pair_form pair_form;
  mote_density_kind density;
  double density_diffusion;  // delta of Molteni & Colagrossi 2009, where densities are followed
  bool gradient_correction;  // of the pressure's gradient inside: right on linear fields, momentum not kept
  double repulsion;  // of materials with a stiffness: epsilon of Monaghan 2000, against clumps where p < 0
  // All
  double shifting;       // strength of particle shifting (Lind et al. 2012); NaN: what the solver needs
  bool consistent;       // DFSPH, PCISPH: rates of compression that are exact on linear velocity fields
  double noise_damping;  // alpha of the viscosity that acts on what is not linear in the velocities
  double artificial_viscosity;  // alpha of Monaghan's Pi, DES96 (5); NaN: what the solver needs
  double artificial_square;     // its factor of mu^2; NaN: 2 alpha
  mote_viscosity_form viscosity_form;
  mote_viscosity_solve viscosity_solve;
  mote_xsph_form xsph_form;
  double viscosity_error;  // of the implicit solve: the largest error of a velocity as a part of the largest
  mote_tension_method tension;
  // DFSPH and PCISPH
  double density_error, divergence_error;  // mean, as fractions (divergence: per step)
  int iterations_min, iterations_max;
} mote_solver_def;

// The air at free surfaces takes up heat_transfer (T - temperature) per area.
typedef struct mote_air_def {
  double temperature;    // K; NaN: there is no air, and free surfaces keep their heat
  double heat_transfer;  // W/(m^2 K)
} mote_air_def;

// A closed mesh that is advected with all fluids (mote/track.h, docs/tracking.md).
typedef struct mote_track_properties {
  bool rest;      // where the vertex began, m
  bool colour;    // of the materials there, when the matter appeared
  bool material;  // number of the material there, when the matter appeared; between two a mixture
} mote_track_properties;
typedef struct mote_track_waves {
  bool on;
  mote_wave_def def;  // strength NaN: sigma/rho of the first fluid with a tension, or of water
} mote_track_waves;
typedef struct mote_world_track_def {
  bool on;
  double edge;                   // of the triangles, spacings
  double project;                // mote_track_projection.share
  double fairing;                // mote_track_projection.wavelength, spacings
  mote_track_velocity velocity;  // of the vertices
  mote_track_properties properties;
  mote_track_waves waves;
} mote_world_track_def;

typedef struct mote_world_def {
  int dimensions;  // 2 or 3
  double spacing;  // between particles
  double gravity[3];
  double low[3], high[3];                              // the domain; infinite where open sides are nowhere
  mote_side side[3][2];                                // low and high side of each axis
  double wall_friction;                                // as of a collider
  double wall_friction_low[3], wall_friction_high[3];  // the part of it that the walls along x, y, z have
  mote_value3 wall_velocity;                           // of the walls' surface, as of a collider
  bool heat;                    // matter has a temperature and conducts heat (docs/theory/heat.md)
  mote_value wall_temperature;  // K, in x, y, z, t, of the domain's walls; NaN: they are insulated
  mote_air_def air;
  double speed_limit;    // the watchdog stops a run that is faster; NaN: from the scene
  size_t particles_max;  // more are refused
  uint64_t seed;
  mote_solver_def solver;
  mote_world_track_def track;
} mote_world_def;

// Sets the members that the quality decides, of the solver's pressure kind: `quality`, `kernel`, `support`,
// `cfl`, `consistent`, `noise_damping`, `viscosity_form`, `density_error`, `divergence_error`.
MOTE_API void mote_solver_def_set_quality(mote_solver_def *solver, mote_quality quality);

// 3D, spacing NaN (must be set), gravity (0, -9.81, 0), open and infinite, DFSPH of standard quality.
MOTE_API mote_world_def mote_world_def_default(void);
// solver.step_max; if it is NaN: 5 ms or the time in which gravity moves a particle at rest by d/400,
// whichever is shorter: a larger fall per step compresses the fluid more than the pressure solve can correct.
MOTE_API double mote_world_def_step_max(const mote_world_def *def);
// The sides of the domain that are walls, for surfaces. Colliders are none.
MOTE_API mote_surface_walls mote_world_def_walls(const mote_world_def *def);
// The longest step with surface tension, s: 0.08 sqrt(d^3 rho / sigma), a fifth of the time of a wave of 2 pi
// d over 2 pi. `tension`: sigma / rho, m^3/s^2.
MOTE_API double mote_capillary_step(double spacing, double tension);
// The longest step of explicit viscosity, s: h^2 / 8 nu with h half the support and nu the kinematic
// viscosity, m^2/s; a third of it in the central form.
MOTE_API double mote_viscous_step(const mote_solver_def *solver, double spacing, double viscosity);
// The viscosity that the method itself has, m^2/s: about that of a wave that loses as much
// (docs/theory/fluids.md, "Effective viscosity"). `speed`: of the flow or its waves, m/s. A flow of length L
// carries Reynolds numbers up to L speed over it; viscosities below it make no difference.
MOTE_API double mote_effective_viscosity(const mote_solver_def *solver, double spacing, double speed);
// The longest step with a speed of sound c, m/s, in s: 0.4 h / c, shorter with a large density_diffusion.
MOTE_API double mote_acoustic_step(const mote_solver_def *solver, double spacing, double sound_speed);

#ifdef __cplusplus
}
#endif

#endif
