// Definitions of materials: fluids, rigid and elastic bodies, lattices, heat. Plain data: scene.h.
#ifndef MOTE_SCENE_MATERIAL_H
#define MOTE_SCENE_MATERIAL_H

#include <mote/elastic.h>
#include <mote/scene_world.h>

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of matter: what a body of the material is. One row each in src/kinds/kinds.c.
typedef enum mote_kind {
  MOTE_KIND_FLUID,    // particles that flow
  MOTE_KIND_RIGID,    // one solid piece
  MOTE_KIND_ELASTIC,  // particles with a rest shape
  MOTE_KIND_LATTICE,  // particles bonded at the sites of a lattice fitted to them (WIC06)
  MOTE_KINDS
} mote_kind;
#define MOTE_KIND_KEYWORDS "fluid, rigid, elastic, lattice"

// Elastic bodies: the stress-strain law (docs/theory/elastic.md).
// Which numbers make a gradient of the displacements around a particle.
typedef enum mote_elastic_material_gradient {
  MOTE_GRADIENT_DIRECT,    // of the fit through the particle's own displacement, EG09 (37)
  MOTE_GRADIENT_ANALYTIC,  // derivatives of the shape functions of moving least squares, EG09 (32)
  MOTE_ELASTIC_MATERIAL_GRADIENTS
} mote_elastic_material_gradient;

typedef enum mote_integrator {
  MOTE_INTEGRATOR_AUTO,      // explicit where a step needs few of its own steps
  MOTE_INTEGRATOR_EXPLICIT,  // as many steps of its own as stability asks for; keeps energy
  MOTE_INTEGRATOR_IMPLICIT,  // backward Euler: any stiffness, loses energy
  MOTE_INTEGRATOR_MIDPOINT,  // implicit, second order; stiff motions ring on
  MOTE_INTEGRATORS
} mote_integrator;

typedef struct mote_elastic_material_def {
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
  int order;  // of the fit: 1, EG09 (37); 2, which bends right; 0: 2, and 1 for what can break
  mote_elastic_material_gradient gradient;
  double support;  // radius in which a particle has neighbours, in spacings
  // Fracture (docs/theory/fracture.md).
  double strength;      // tension at which cracks start, Pa; infinite: it never breaks
  double toughness;     // stress intensity at which they run, Pa m^1/2; NaN: from strength and spacing
  double crack_speed;   // m/s; NaN: 0.3 of the speed of shear waves
  double transparency;  // kappa of EG09 (70); 0: cracks are opaque up to their fronts
  double weak_spots;    // part of the strength that is missing at the weakest places, 0 to 1
  double split_min;     // least spacing of the particles beside cracks, m; NaN: half of the world's
  double split_most;    // particles of a body over those at first, at most
} mote_elastic_material_def;

// Read in worlds with heat only.
typedef struct mote_heat_def {
  double conductivity;    // W/(m K)
  double heat_capacity;   // J/(kg K), of solid and liquid; 0: not known, which a world with heat refuses
  double melting_point;   // K: liquid from here on; NaN: it does not melt
  double freezing_point;  // K: solid up to here; NaN: the melting point
  double latent_heat;     // J/kg
  // Lattices without latent heat: WIC06 (15) and (16). A number is the rate per kelvin beyond the melting or
  // freezing point, 1/(s K), infinite: immediately; a formula, in x, y, z, t and T, is the rate itself, 1/s.
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
  double density;        // kg/m^3
  double viscosity;      // Pa s
  double xsph;           // xi of EG09 (57), 0 to 1
  double colour[3];      // red, green, blue from 0 to 1, for pictures
  double colour_depth;   // m, through which a transparent liquid has its colour
  double absorption[3];  // 1/m, of red, green and blue light, instead of the colour; NaN: by the colour
  const char *preset;    // that it started from, for pictures by rays; null: none
  bool preset_by_name;   // because it has the preset's name, not by the key `preset`
  mote_kind model;
  // Rigid and elastic: of a pair of bodies the geometric mean and the larger; walls and colliders take those
  // of the body.
  double friction;     // Coulomb's coefficient
  double restitution;  // 0: what falls stays; 1: it comes back as fast
  // Fluids. The tension between two is the larger of their values of interface_tension, or |sigma_1 -
  // sigma_2| if neither is given; at most the sum of the surface tensions.
  double surface_tension;    // sigma, N/m
  double contact_angle;      // with walls and colliders, inside the fluid: 0 to pi rad
  double interface_tension;  // N/m; NaN: not said
  // Fluids of WCSPH with cohesion, DES96 3.1: P = K (rho / rho0 - 1), of both signs.
  double stiffness;                   // K, Pa; 0: the solver's law
  double damping;                     // alpha of their own viscosity, DES96 (5); NaN: the solver's
  mote_elastic_material_def elastic;  // elastic bodies
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

#ifdef __cplusplus
}
#endif

#endif
