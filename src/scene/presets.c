// Materials one can name instead of measuring: density and dynamic viscosity in SI.
//
// Sources: pure liquids from the CRC Handbook of Chemistry and Physics (20 °C, 1 atm); water IAPWS R12-08;
// glycerine Segur & Oberstar 1951; foods from Rao, Rheology of Fluid, Semisolid, and Solid Foods, 2014
// (typical values at the temperature in the line); blood Nader et al. 2019; lava Giordano et al. 2008
// (basalt). Mud, chocolate and ketchup yield before they flow: here they have the viscosity of their flow at
// about 10 to 50 1/s. Solids are typical, too: gelatine Hall et al. 2009 (10 % by weight: about 5 kPa),
// natural rubber Ashby, Materials Selection, 2011 (1 to 3 MPa; soft), potter's clay as it yields at about 1 %
// of strain. Putty and slime are materials to play with, of one law with two sets of numbers (DES96 6; theory
// page mixtures.md), no measurements. Rigid matter is dry: density CRC Handbook, concrete EN 1991-1-1;
// friction in sliding on the same matter Marks' Standard Handbook for Mechanical Engineers, table 3.2.1
// (Fuller), stone masonry, concrete EN 1992-1-1 6.2.5; restitution of compact pieces at about 1 m/s: steel
// Newton, Principia (5/9), stone Hoek, Practical Rock Engineering (hard rock), the others typical. Heat:
// docs/heat.md has the sources.
#include <math.h>
#include <string.h>

#include "scene/def_table.h"
#include "scene/kind_properties.h"

// clang-format off
//  name         kg/m^3   Pa s      red   green blue
#define PRESETS(P) \
  P("water",      998.2,   1.002e-3, 0.15, 0.42, 0.75)  /* 20 °C */ \
  P("sea-water",  1024.8,  1.077e-3, 0.08, 0.40, 0.55)  /* 20 °C, 35 g/kg */ \
  P("milk",       1030.0,  2.0e-3,   0.96, 0.95, 0.90)  /* 20 °C */ \
  P("oil",        911.0,   0.084,    0.75, 0.68, 0.15)  /* olive, 20 °C */ \
  P("petrol",     740.0,   6.0e-4,   0.85, 0.75, 0.45)  /* 20 °C */ \
  P("ethanol",    789.3,   1.184e-3, 0.70, 0.80, 0.88)  /* 20 °C */ \
  P("glycerine",  1261.3,  1.412,    0.82, 0.84, 0.86)  /* 20 °C */ \
  P("honey",      1420.0,  10.0,     0.89, 0.56, 0.08)  /* 25 °C */ \
  P("syrup",      1380.0,  2.5,      0.60, 0.28, 0.06)  /* of corn, 25 °C */ \
  P("chocolate",  1270.0,  3.0,      0.30, 0.16, 0.08)  /* dark, 45 °C */ \
  P("wax",        780.0,   4.0e-3,   0.93, 0.90, 0.80)  /* paraffin, 65 °C */ \
  P("ketchup",    1140.0,  1.5,      0.72, 0.10, 0.06)  /* 25 °C */ \
  P("mud",        1600.0,  1.0,      0.36, 0.27, 0.18)  /* 20 °C */ \
  P("blood",      1060.0,  3.5e-3,   0.55, 0.02, 0.03)  /* 37 °C */ \
  P("lava",       2650.0,  100.0,    0.95, 0.32, 0.05)  /* basalt, 1200 °C */ \
  P("mercury",    13545.9, 1.526e-3, 0.72, 0.74, 0.77)  /* 20 °C */

//  name         kg/m^3  Pa s   K, Pa   damping  red   green blue
#define PASTES(P) \
  P("putty",      1000.0, 200.0, 4.0e4,  1.0,     0.85, 0.63, 0.40) \
  P("slime",      1000.0, 2.0,   2.0e4,  0.6,     0.37, 0.70, 0.28)

//  name         kg/m^3  E, Pa   nu    law           damping, s  yield     red   green blue
#define ELASTICS(P) \
  P("jelly",      1050.0, 5.0e3,  0.49, NEO_HOOKEAN,  2e-3,       HUGE_VAL, 0.80, 0.12, 0.16) \
  P("rubber",     1100.0, 1.0e6,  0.45, NEO_HOOKEAN,  2e-4,       HUGE_VAL, 0.93, 0.72, 0.10) \
  P("clay",       1800.0, 5.0e5,  0.35, SAINT_VENANT, 1e-3,       0.01,     0.62, 0.42, 0.30)

//  name         kg/m^3  Pa s     solid   E, Pa   nu    red   green blue
#define LATTICES(P) \
  P("ice",        998.2,  1.79e-3, 917.0,  1.0e6,  0.33, 0.72, 0.86, 0.95)  /* 0 °C; real ice has 9 GPa */

//  name         kg/m^3  friction restitution  red   green blue
#define RIGIDS(P) \
  P("wood",       700.0,  0.48,    0.4,         0.72, 0.52, 0.30)  /* oak */ \
  P("steel",      7850.0, 0.57,    0.55,        0.56, 0.58, 0.60)  /* mild, dry */ \
  P("stone",      2700.0, 0.7,     0.35,        0.55, 0.53, 0.50)  /* granite */ \
  P("glass",      2500.0, 0.4,     0.6,         0.80, 0.90, 0.90)  /* of windows */ \
  P("concrete",   2400.0, 0.6,     0.3,         0.66, 0.66, 0.64)

// Heat. Freezing point (solid up to there) and melting point (liquid from there on) in K.
//  name         W/(m K)  J/(kg K)  freezes  melts    J/kg     1/K
#define HEATS(P) \
  P("water",      0.598,   4182.0,   273.15,  273.15,  3.336e5, 0.0) \
  P("ice",        2.22,    2100.0,   273.15,  273.15,  3.336e5, 0.0) \
  P("sea-water",  0.596,   3993.0,   NAN,     NAN,     0.0,     0.0) \
  P("milk",       0.56,    3930.0,   NAN,     NAN,     0.0,     0.0) \
  P("oil",        0.17,    1970.0,   NAN,     NAN,     0.0,     0.0) \
  P("ethanol",    0.167,   2440.0,   159.0,   159.0,   1.08e5,  0.0) \
  P("glycerine",  0.285,   2390.0,   291.3,   291.3,   2.01e5,  0.0) \
  P("honey",      0.35,    2400.0,   NAN,     NAN,     0.0,     0.0) \
  P("chocolate",  0.26,    1600.0,   303.0,   307.0,   4.6e4,   0.0) \
  P("wax",        0.21,    2200.0,   326.0,   331.0,   1.9e5,   0.0) \
  P("lava",       1.5,     1150.0,   1253.0,  1473.0,  3.5e5,   0.04) \
  P("mercury",    8.5,     140.0,    234.3,   234.3,   1.14e4,  0.0) \
  P("jelly",      0.55,    4000.0,   NAN,     NAN,     0.0,     0.0) \
  P("rubber",     0.14,    1900.0,   NAN,     NAN,     0.0,     0.0)
// clang-format on

typedef struct preset {
  const char *name;
  double density, viscosity, stiffness, damping;
  mote_kind model;
  double young, poisson;
  mote_elastic_kind law;
  double strain_damping, yield_strain, solid_density;
  double friction, restitution;
  double colour[3];
} preset;

#define LIQUID(title, rho, mu, ...) \
  {.name = title, .density = rho, .viscosity = mu, .damping = (double)NAN, .colour = {__VA_ARGS__}},
#define PASTE(title, rho, mu, K, alpha, ...) \
  {.name = title, .density = rho, .viscosity = mu, .stiffness = K, .damping = alpha, .colour = {__VA_ARGS__}},
#define ELASTIC(title, rho, E, nu, by, tau, yields, ...) \
  {.name = title,                                        \
   .density = rho,                                       \
   .damping = (double)NAN,                               \
   .model = MOTE_KIND_ELASTIC,                           \
   .young = E,                                           \
   .poisson = nu,                                        \
   .law = MOTE_ELASTIC_##by,                             \
   .strain_damping = tau,                                \
   .yield_strain = yields,                               \
   .colour = {__VA_ARGS__}},
#define LATTICE(title, rho, mu, frozen_rho, E, nu, ...) \
  {.name = title,                                       \
   .density = rho,                                      \
   .viscosity = mu,                                     \
   .damping = (double)NAN,                              \
   .model = MOTE_KIND_LATTICE,                          \
   .young = E,                                          \
   .poisson = nu,                                       \
   .law = MOTE_ELASTIC_COROTATED,                       \
   .solid_density = frozen_rho,                         \
   .colour = {__VA_ARGS__}},
#define RIGID(title, rho, mu, e, ...) \
  {.name = title,                     \
   .density = rho,                    \
   .damping = (double)NAN,            \
   .model = MOTE_KIND_RIGID,          \
   .friction = mu,                    \
   .restitution = e,                  \
   .colour = {__VA_ARGS__}},
#define NAME(name, ...) name,

static const preset presets[] = {PRESETS(LIQUID) PASTES(PASTE) ELASTICS(ELASTIC) LATTICES(LATTICE)
                                     RIGIDS(RIGID)};
static const char *const preset_name[] = {PRESETS(NAME) PASTES(NAME) ELASTICS(NAME) LATTICES(NAME)
                                              RIGIDS(NAME)};
enum { COUNT = sizeof presets / sizeof *presets };

typedef struct preset_heat {
  const char *name;
  mote_heat_def heat;
} preset_heat;

#define HEAT_OF(title, k, c, freezes, melts, latent, slope) \
  {.name = title,                                           \
   .heat = {.conductivity = k,                              \
            .heat_capacity = c,                             \
            .melting_point = (double)melts,                 \
            .freezing_point = (double)freezes,              \
            .latent_heat = latent,                          \
            .viscosity_slope = slope}},
static const preset_heat preset_heats[] = {HEATS(HEAT_OF)};

static void set_heat(const char *name, mote_heat_def *out) {
  for (size_t k = 0; k < sizeof preset_heats / sizeof *preset_heats; ++k)
    if (strcmp(preset_heats[k].name, name) == 0) {
      const mote_heat_def *own = &preset_heats[k].heat;
      out->conductivity = own->conductivity, out->heat_capacity = own->heat_capacity;
      out->melting_point = own->melting_point, out->freezing_point = own->freezing_point;
      out->latent_heat = own->latent_heat, out->viscosity_slope = own->viscosity_slope;
    }
}

// What a preset does not set is at the default of its key.
static mote_material_def make_material(const preset *from) {
  mote_material_def def;
  mote_scene_section_default("material", &def);
  def.name = def.preset = from->name;
  def.density = from->density, def.viscosity = from->viscosity;
  def.stiffness = from->stiffness, def.damping = from->damping;
  memcpy(def.colour, from->colour, sizeof def.colour);
  def.model = from->model;
  set_heat(from->name, &def.heat);
  if (mote_kind_properties_of(from->model)->flows) return def;
  if (from->model == MOTE_KIND_RIGID) {
    def.friction = from->friction, def.restitution = from->restitution;
    return def;
  }
  def.elastic.young = from->young, def.elastic.poisson = from->poisson, def.elastic.law = from->law;
  if (mote_kind_properties_of(from->model)->is_lattice) {
    def.lattice.solid_density = from->solid_density;
    return def;
  }
  def.elastic.strain_damping = from->strain_damping, def.elastic.yield_strain = from->yield_strain;
  if (isfinite(from->yield_strain))
    def.elastic.order = 1;  // plastic flow is tested with it (docs/theory/elastic.md)
  return def;
}

bool mote_material_def_preset(const char *name, mote_material_def *out) {
  for (size_t k = 0; k < COUNT; ++k) {
    if (strcmp(presets[k].name, name) != 0) continue;
    *out = make_material(&presets[k]);
    return true;
  }
  return false;
}

mote_material_def mote_material_def_default(void) {
  return make_material(&presets[0]);
}

size_t mote_material_presets(const char *const **names) {
  *names = preset_name;
  return COUNT;
}
