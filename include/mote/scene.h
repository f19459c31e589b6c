// What the user asks for: definitions of a world and all that is in it. Plain data; nothing here computes.
// Every definition starts from its mote_*_def_default(): zero is a value, never "default". Names are 1 to 31
// characters of a-z A-Z 0-9 _ -, unique in their kind. SI units. x-y is the plane of 2D, y is up; a 2D world
// is a slab 1 m thick. The scene file says the same in YAML: docs/scene.md.
#ifndef MOTE_SCENE_H
#define MOTE_SCENE_H

#include <mote/approx.h>
#include <mote/base.h>
#include <mote/elastic.h>
#include <mote/geom.h>
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

// What is at a side of the domain.
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

// How long the steps of particles are (docs/theory/time_steps.md).
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

// A closed mesh that goes with all fluids (mote/track.h, docs/tracking.md).
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
// solver.step_max; where it is NaN, 5 ms or the time in which gravity moves a particle at rest by d/400, the
// shorter: what falls farther in a step than the pressure can mend is compressed.
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

// --- What is in it --------------------------------------------------------------------------------------

// What a body of the material is.
typedef enum mote_material_model {
  MOTE_MODEL_FLUID,    // particles that flow
  MOTE_MODEL_RIGID,    // one solid piece
  MOTE_MODEL_ELASTIC,  // particles with a rest shape
  MOTE_MODEL_LATTICE,  // particles that hold together where they find each other on a lattice (WIC06)
  MOTE_MODELS
} mote_material_model;

// Elastic bodies: what stress follows from strain (docs/theory/solids.md).
// Which numbers make a gradient of the displacements around a particle.
typedef enum mote_solid_gradient {
  MOTE_GRADIENT_DIRECT,    // of the fit through the particle's own displacement, EG09 (37)
  MOTE_GRADIENT_ANALYTIC,  // derivatives of the shape functions of moving least squares, EG09 (32)
  MOTE_SOLID_GRADIENTS
} mote_solid_gradient;

typedef enum mote_integrator {
  MOTE_INTEGRATOR_AUTO,      // explicit where a step needs few of its own steps
  MOTE_INTEGRATOR_EXPLICIT,  // as many steps of its own as stability asks for; keeps energy
  MOTE_INTEGRATOR_IMPLICIT,  // backward Euler: any stiffness, loses energy
  MOTE_INTEGRATOR_MIDPOINT,  // implicit, second order; stiff motions ring on
  MOTE_INTEGRATORS
} mote_integrator;

typedef struct mote_solid_def {
  double young;    // Young's modulus, Pa; NaN: must be set
  double poisson;  // Poisson's ratio, between -1 and 1/2
  mote_elastic_kind law;
  double volume_stiffness;  // k_v of EG09 (65), Pa
  double strain_damping;    // s: stress per rate of strain over stress per strain
  double hourglass;         // energy of what gradients do not see, in units of Young's modulus
  double
      yield_strain;  // size of the elastic strain, without its volume, beyond which it flows; infinite: never
  double creep_rate;    // 1/s: how fast; infinite: at once
  double plastic_max;   // size of the plastic strain that a particle can hold
  double renew_strain;  // growth of the plastic strain after which the shape it has flowed to is its
                        // reference; infinite: never
  mote_integrator integrator;
  int order;  // of the fit: 1, EG09 (37); 2, which bends right
  mote_solid_gradient gradient;
  double support;  // radius in which a particle has neighbours, in spacings
  // Fracture (docs/theory/fracture.md).
  double strength;      // tension at which cracks start, Pa; infinite: it never breaks
  double toughness;     // stress intensity at which they run, Pa m^1/2; NaN: from strength and spacing
  double crack_speed;   // m/s; NaN: 0.3 of the speed of shear waves
  double transparency;  // kappa of EG09 (70); 0: cracks are opaque up to their fronts
  double weak_spots;    // part of the strength that is missing at the weakest places, 0 to 1
} mote_solid_def;

// Read in worlds with heat only.
typedef struct mote_heat_def {
  double conductivity;    // W/(m K)
  double heat_capacity;   // J/(kg K), of solid and liquid; 0: not known, which a world with heat refuses
  double melting_point;   // K: liquid from here on; NaN: it does not melt
  double freezing_point;  // K: solid up to here; NaN: the melting point
  double latent_heat;     // J/kg
  // Lattices without latent heat: WIC06 (15) and (16). A number is the rate over the kelvins beyond the
  // point, 1/(s K), infinite: at once; a formula, in x, y, z, t and T, is the rate itself, 1/s.
  mote_value melting_rate, freezing_rate;
  int freezing_neighbours;                // n_0: solid neighbours that freezing needs
  double freezing_speed, freezing_force;  // v_max, m/s, and F_max, N
  double viscosity_slope;  // 1/K: viscosity exp(-slope (T - melting_point)), within 1e-6 to 1e6 times
} mote_heat_def;

// Bodies of `model: lattice` (docs/theory/lattice.md), with young, poisson, law and strength of the solid.
typedef struct mote_lattice_def {
  double solid_density;  // kg/m^3; NaN: the density
  double damping;        // 1/s: eta/m of WIC06 (13); NaN: of the stiffness
  double docking_rate;   // 1/s: at which free sites take particles, WIC06 4.2; infinite: at once
  double docking_gain;   // 1/s^2: by which the rate falls at free sites and grows at taken ones
} mote_lattice_def;

typedef struct mote_material_def {
  const char *name;
  double density;       // kg/m^3
  double viscosity;     // Pa s
  double xsph;          // xi of EG09 (57), 0 to 1
  double colour[3];     // red, green, blue from 0 to 1, for pictures
  const char *preset;   // that it started from, for pictures by rays; null: none
  bool preset_by_name;  // because it has the preset's name, not by the key `preset`
  mote_material_model model;
  // Rigid and elastic: of a pair of bodies the geometric mean and the larger; walls and colliders take those
  // of the body.
  double friction;     // Coulomb's coefficient
  double restitution;  // 0: what falls stays; 1: it comes back as fast
  // Fluids. Between two the tension is the larger of what they have as interface_tension, where neither says
  // anything |sigma_1 - sigma_2|; never more than the sum.
  double surface_tension;    // sigma, N/m
  double contact_angle;      // with walls and colliders, inside the fluid: 0 to pi rad
  double interface_tension;  // N/m; NaN: not said
  // Fluids of WCSPH that hold together, DES96 3.1: P = K (rho / rho0 - 1), of both signs.
  double stiffness;      // K, Pa; 0: the solver's law
  double damping;        // alpha of their own viscosity, DES96 (5); NaN: the solver's
  mote_solid_def solid;  // elastic bodies
  mote_heat_def heat;
  mote_lattice_def lattice;
} mote_material_def;

// Water.
MOTE_API mote_material_def mote_material_def_default(void);
// The speed of sound at rest of a fluid of WCSPH, m/s: of its own stiffness or of the solver's; else
// `given`, that of the densest fluid without a stiffness of its own, whose density is `densest`, and faster
// in lighter ones (docs/theory/mixtures.md).
MOTE_API double mote_material_def_sound_speed(const mote_material_def *def, const mote_solver_def *solver,
                                              double given, double densest);
// The material of that name: water, oil, honey, ...; false when there is none.
MOTE_API bool mote_material_def_preset(const char *name, mote_material_def *out);
// The names of all presets, for lists and suggestions.
MOTE_API size_t mote_material_presets(const char *const **names);

// Where a rigid motion is at a time. Between keys it is smooth (Catmull-Rom); before the first and after the
// last it stands.
typedef struct mote_key {
  double time;
  double move[3];
  double angle;  // rad
} mote_key;

typedef struct mote_motion_def {
  mote_value3 move;          // in t: by how much the shape is moved
  mote_value angle;          // in t: by how much it is turned, rad
  double axis[3], pivot[3];  // about this axis through this point (NaN: the middle of its bounds)
  const mote_key *key;       // instead of formulas
  size_t keys;
} mote_motion_def;

typedef struct mote_hinge_def {
  double point[3], axis[3];
} mote_hinge_def;

// Where the deformation of a held body begins.
typedef enum mote_hold_clamp {
  MOTE_CLAMP_FACE,    // at the face of the hold's shape: the last held layer is moved onto it
  MOTE_CLAMP_CENTRES  // at the centres of the last held layer
} mote_hold_clamp;

// Particles of an elastic body that are in the shape at rest stay where they are, or follow a motion.
typedef struct mote_hold_def {
  mote_shape_def shape;
  mote_motion_def motion;
  mote_hold_clamp clamp;
  double temperature;  // K: kept; NaN: they conduct like the others
} mote_hold_def;
MOTE_API mote_hold_def mote_hold_def_default(void);

// Loads on an elastic body, functions of t. Force and moment (2D: per metre of depth) are totals on the
// particles that are in the shape at rest, by their masses; traction and pressure act on that part of the
// body's surface at rest that is in the shape.
typedef struct mote_load_def {
  mote_shape_def shape;
  mote_value3 force;     // N
  mote_value3 moment;    // N m, about the centre of mass of these particles
  mote_value3 traction;  // Pa: force per area at rest
  mote_value pressure;   // Pa, along the inward normal of the deformed surface, per deformed area
  double normal[3];      // only where the surface faces within 45 degrees of this direction; NaN: everywhere
  bool follow;           // force, moment and traction turn with the loaded part
} mote_load_def;
MOTE_API mote_load_def mote_load_def_default(void);

// A crack that an elastic body has from the beginning: a disc (2D: a segment) of a radius; all of a plane
// behind a straight front, where `ahead` is given; or a polygon (2D: a polyline).
typedef struct mote_corner_def {
  double point[3];
} mote_corner_def;
typedef struct mote_crack_def {
  double point[3];   // centre of the disc, or a point of the front
  double normal[3];  // of the plane
  double radius;     // m; NaN: no disc
  double ahead[3];   // direction in which the front would run; NaN: no half plane
  const mote_corner_def *corner;
  size_t corners;
} mote_crack_def;
MOTE_API mote_crack_def mote_crack_def_default(void);

typedef struct mote_body_def {
  const char *name;
  const char *material;
  mote_shape_def shape;
  mote_fill_kind fill;
  mote_value3 velocity;  // in x, y, z
  double spin[3];        // and turning about its centre of mass, rad/s
  mote_value pressure;   // Pa, in x, y, z: at the beginning (WCSPH that sums densities has its own)
  // K, in x, y, z: of its matter at the beginning, NaN: 293.15; of a rigid body, where it was defined and for
  // ever, NaN: insulated.
  mote_value temperature;
  // Rigid bodies only: never moves, or turns about an axis through a point (NaN: has no hinge).
  bool fixed;
  mote_hinge_def hinge;
  // Elastic bodies only.
  int grading;  // particles deep inside are up to so many times as far apart: 1, 2, 4 or 8
  const mote_hold_def *hold;
  const mote_load_def *load;
  const mote_crack_def *crack;
  size_t holds, loads, cracks;
  // Lattice bodies only: the rotation of the lattice, about this axis by its length, rad.
  double orientation[3];
  bool skin;  // pictures show its surface, carried by its particles, in place of these
} mote_body_def;
MOTE_API mote_body_def mote_body_def_default(void);
// Below what depth a body may be graded, m: fluids and contacts see even layers. And how many particles its
// shape is filled with, about.
MOTE_API double mote_world_def_grading_depth(const mote_world_def *def);
MOTE_API double mote_body_def_particles(const mote_body_def *def, const mote_world_def *world,
                                        const mote_shape *shape);

// Many bodies of one definition, as gravel or drops: pieces of its shape, each turned and scaled by chance
// about its middle, on a lattice within a region, from below upwards. No two overlap.
typedef struct mote_copies_def {
  mote_shape_def within;  // whole pieces lie in it; no kind: none are made
  size_t count;           // SIZE_MAX: as many as fit
  double apart;           // m between neighbours; NaN: the largest piece just fits in, however it is turned
  double jitter;          // part of the room that is left between them by which they are moved, 0 to 1
  bool turned;            // in all directions, each as likely; else they stand as the shape does
  double size[2];         // pieces are so many times as large as the shape, each in between as likely
  uint64_t seed;
} mote_copies_def;
// No region, as many as fit, jitter 1, turned, of one size.
MOTE_API mote_copies_def mote_copies_def_default(void);

// The bodies, to be added to a world one by one: gravel-1, gravel-2, ... of the definition "gravel".
typedef struct mote_body_list {
  mote_body_def *body;
  size_t count;
  char (*name)[32];
} mote_body_list;
// ARGUMENT names in error->key what does not go: "copies.count" when fewer fit, "copies.apart" when pieces
// could overlap. The seed is the world's. What the definition points to (meshes, parts, formulas) is not
// copied.
MOTE_API mote_result mote_body_copies(const mote_body_def *def, const mote_copies_def *copies, int dimensions,
                                      uint64_t seed, const mote_env *env, mote_body_list *out,
                                      mote_error *error);
MOTE_API void mote_body_list_free(mote_body_list *list, const mote_env *env);

typedef struct mote_collider_def {
  const char *name;
  mote_shape_def shape;
  mote_motion_def motion;
  double friction;  // 0: fluids slip along it; 1: they stick to it
  // Of its surface along itself, as of a belt on rollers, in x, y, z (where it is before it moves): drags
  // what sticks to it. The shape stays where it is; the direction does not turn with it.
  mote_value3 surface_velocity;
  mote_value temperature;  // K, in x, y, z, t; NaN: it is insulated
  bool visible;            // in pictures
  double colour[3];
} mote_collider_def;
MOTE_API mote_collider_def mote_collider_def_default(void);

// A nozzle: a disc (2D: a segment), or a rectangle, through which material flows in at an even speed.
typedef struct mote_emitter_def {
  const char *name;
  const char *material;
  double centre[3], direction[3];
  double radius;       // of the disc; NaN: a rectangle
  double size[2];      // of the rectangle: across (horizontal) and up
  mote_value speed;    // in t; nothing comes where it is not positive
  double temperature;  // K, of what it emits; NaN: 293.15
  double start, end;   // s
  size_t most;         // particles; SIZE_MAX: no limit
} mote_emitter_def;
MOTE_API mote_emitter_def mote_emitter_def_default(void);

// Particles inside vanish.
typedef struct mote_drain_def {
  const char *name;
  mote_shape_def shape;
  double start, end;  // s
} mote_drain_def;
MOTE_API mote_drain_def mote_drain_def_default(void);

// An acceleration besides gravity, and heat that particles get, in x, y, z, t.
typedef struct mote_force_def {
  const char *name;
  mote_value3 acceleration;
  mote_value damping;    // 1/s: fluids are accelerated by -damping times their velocity
  mote_value heating;    // W/m^3 of matter, in worlds with heat
  mote_shape_def shape;  // only inside; no kind: everywhere
  double start, end;     // s
} mote_force_def;
MOTE_API mote_force_def mote_force_def_default(void);

typedef enum mote_probe_kind {
  MOTE_PROBE_POINT,  // fields at a point
  MOTE_PROBE_LINE,   // fields at `count` points from `from` to `to`
  MOTE_PROBE_LEVEL,  // how far from `from` towards `to` there is fluid: a level gauge
  MOTE_PROBE_BODY,   // the point of a rigid or elastic body that was at `from` at the beginning
  MOTE_PROBE_FORCE   // forces on a body or collider
} mote_probe_kind;

typedef struct mote_probe_def {
  const char *name;
  mote_probe_kind kind;
  double from[3], to[3];  // a point is at `from`
  const char *of;         // name of the body or collider
  int count;
  double interval;  // s between readings; 0: once a frame
} mote_probe_def;
MOTE_API mote_probe_def mote_probe_def_default(void);

// --- Outputs ----------------------------------------------------------------------------------------------

typedef struct mote_camera_def {
  double from[3], to[3];  // NaN: the whole scene is seen from the front and a little above
  double angle;           // of view, from bottom to top, rad
} mote_camera_def;

typedef enum mote_surface_phases {
  MOTE_PHASES_LIQUID,   // a surface of fluids
  MOTE_PHASES_APART,    // one of fluids and one of lattices
  MOTE_PHASES_TOGETHER  // one of both
} mote_surface_phases;

// A surface of the particles of each frame; surface.h says what the numbers mean. 3D only.
typedef struct mote_surface_output_def {
  bool on;
  const char *const *format;  // "vtp", "ply", "glb", "usda", "bgeo", "obj", "stl"
  size_t formats;
  const char *const *field;  // none: all of floating point that the format holds
  size_t fields;
  mote_surface_def def;  // without domain, spacing, clip and most_nodes, which follow from the world
  bool walls;            // up to the domain's walls
  mote_surface_phases phases;
  const char *colour_by;           // a field, for vertex colours; null: none
  double colour_low, colour_high;  // NaN: of each frame
} mote_surface_output_def;

typedef struct mote_outputs_def {
  const char *const *format;  // "vtp", "vtu", "ply", "bgeo", "csv", "usda"
  size_t formats;
  const char *const *field;  // beside the position; none: all that there are
  size_t fields;
  int every;     // frames
  bool preview;  // a picture of shaded spheres for each frame
  int width, height;
  const char *colour_by;           // a field, or "material"
  double colour_low, colour_high;  // NaN: from the frame
  mote_camera_def camera;
  double autosave;     // s of wall clock between snapshots
  int snapshot_every;  // frames between snapshots that are kept; 0: only the latest is
  mote_surface_output_def surface;
  const char *const
      *fragment_format;  // of the surfaces of bodies that can break: "glb", "vtp", ...; none: none
  size_t fragment_formats;
  bool ledger;  // the energy ledger (mote_world_ledger), with the totals
} mote_outputs_def;
MOTE_API mote_outputs_def mote_outputs_def_default(void);

// --- A whole scene ----------------------------------------------------------------------------------------

typedef struct mote_scene {
  const char *title;
  double duration, fps;  // s, frames/s: frame n is at (n - 1)/fps
  mote_world_def world;
  const mote_material_def *material;
  const mote_body_def *body;
  const mote_collider_def *collider;
  const mote_emitter_def *emitter;
  const mote_drain_def *drain;
  const mote_force_def *force;
  const mote_probe_def *probe;
  size_t materials, bodies, colliders, emitters, drains, forces, probes;
  mote_outputs_def outputs;
} mote_scene;
MOTE_API mote_scene mote_scene_default(void);

// Frames of the scene, the one at t = 0 included.
MOTE_API size_t mote_scene_frames(const mote_scene *scene);
// When frame n (from 1) is, s.
MOTE_API double mote_scene_frame_time(const mote_scene *scene, size_t n);

// Whether every value is in its range and makes sense with the others: ARGUMENT names the first that does not
// in error->key, e.g. "bodies.dam.shape.radius".
MOTE_API mote_result mote_scene_check(const mote_scene *scene, const mote_env *env, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
