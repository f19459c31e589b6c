// Keys that have an effect only with certain values of another key of the same mapping: one row for each such
// pair. `mote check` and `mote run` report those that a scene gives in vain, `mote mesh` its options.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "scene/def_table.h"

// {section, key, the other key, its values}. Values: names of a choice, "true", "false"; "auto"; "0"; "set",
// a number that is neither 0 nor infinite nor auto.
#define MADE_ANEW "blobs, density, mass, zhu-bridson, adams, anisotropic"  // not the mesh of `track`
static const mote_key_condition conditions[] = {
    {"domain", "friction_low", "friction", "set"},
    {"domain", "friction_high", "friction", "set"},
    {"domain", "surface_velocity", "friction", "set"},
    {"collider", "surface_velocity", "friction", "set"},
    {"air", "heat_transfer", "temperature", "set"},
    {"probe", "from", "kind", "point, line, level, body"},
    {"probe", "of", "kind", "body, force"},
    {"probe", "to", "kind", "line, level"},
    {"probe", "count", "kind", "line"},
    {"lamp", "centre", "kind", "sphere, rectangle"},
    {"lamp", "direction", "kind", "rectangle, distant"},
    {"lamp", "radius", "kind", "sphere"},
    {"lamp", "size", "kind", "rectangle"},
    {"lamp", "angle", "kind", "distant"},
    {"lamp", "power", "kind", "sphere, rectangle"},
    {"lamp", "irradiance", "kind", "distant"},

    {"material", "viscosity", "model", "fluid, lattice"},
    {"material", "xsph", "model", "fluid"},
    {"material", "stiffness", "model", "fluid"},
    {"material", "damping", "model", "fluid"},
    {"material", "surface_tension", "model", "fluid"},
    {"material", "contact_angle", "model", "fluid"},
    {"material", "interface_tension", "model", "fluid"},
    {"material", "friction", "model", "rigid, elastic, lattice"},
    {"material", "restitution", "model", "rigid"},
    {"material", "melting_rate", "model", "lattice"},
    {"material", "melting_rate", "latent_heat", "0"},
    {"material", "freezing_rate", "model", "lattice"},
    {"material", "freezing_rate", "latent_heat", "0"},
    {"material", "freezing_neighbours", "model", "lattice"},
    {"material", "freezing_neighbours", "latent_heat", "0"},
    {"material", "freezing_speed", "model", "lattice"},
    {"material", "freezing_speed", "latent_heat", "0"},
    {"material", "freezing_force", "model", "lattice"},
    {"material", "freezing_force", "latent_heat", "0"},
    {"material", "viscosity_slope", "model", "fluid, lattice"},
    {"material", "young", "model", "elastic, lattice"},
    {"material", "poisson", "model", "elastic, lattice"},
    {"material", "law", "model", "elastic, lattice"},
    {"material", "volume_stiffness", "model", "elastic"},
    {"material", "strain_damping", "model", "elastic"},
    {"material", "hourglass", "model", "elastic"},
    {"material", "yield_strain", "model", "elastic"},
    {"material", "creep_rate", "model", "elastic"},
    {"material", "creep_rate", "yield_strain", "set"},
    {"material", "plastic_max", "model", "elastic"},
    {"material", "plastic_max", "yield_strain", "set"},
    {"material", "renew_strain", "model", "elastic"},
    {"material", "renew_strain", "yield_strain", "set"},
    {"material", "strength", "model", "elastic, lattice"},
    {"material", "toughness", "model", "elastic"},
    {"material", "toughness", "strength", "set"},
    {"material", "crack_speed", "model", "elastic"},
    {"material", "crack_speed", "strength", "set"},
    {"material", "transparency", "model", "elastic"},
    {"material", "transparency", "strength", "set"},
    {"material", "weak_spots", "model", "elastic"},
    {"material", "weak_spots", "strength", "set"},
    {"material", "split_min", "model", "elastic"},
    {"material", "split_min", "strength", "set"},
    {"material", "split_most", "model", "elastic"},
    {"material", "split_most", "strength", "set"},
    {"material", "integrator", "model", "elastic"},
    {"material", "order", "model", "elastic"},
    {"material", "gradient", "model", "elastic"},
    {"material", "support", "model", "elastic"},
    {"material", "solid_density", "model", "lattice"},
    {"material", "lattice_damping", "model", "lattice"},
    {"material", "docking_rate", "model", "lattice"},
    {"material", "docking_gain", "model", "lattice"},
    {"material", "docking_gain", "docking_rate", "set"},

    {"solver", "stiffness", "pressure", "wcsph"},
    {"solver", "compression", "pressure", "wcsph"},
    {"solver", "compression", "stiffness", "auto"},
    {"solver", "exponent", "pressure", "wcsph"},
    {"solver", "negative_pressure", "pressure", "wcsph"},
    {"solver", "state", "pressure", "wcsph"},
    {"solver", "background_pressure", "pressure", "wcsph"},
    {"solver", "pair_form", "pressure", "wcsph"},
    {"solver", "density", "pressure", "wcsph"},
    {"solver", "density_diffusion", "pressure", "wcsph"},
    {"solver", "density_diffusion", "density", "followed"},
    {"solver", "gradient_correction", "pressure", "wcsph"},
    {"solver", "repulsion", "pressure", "wcsph"},
    {"solver", "consistent", "pressure", "dfsph, pcisph"},
    {"solver", "density_error", "pressure", "dfsph, pcisph"},
    {"solver", "divergence_error", "pressure", "dfsph"},
    {"solver", "iterations_min", "pressure", "dfsph, pcisph"},
    {"solver", "iterations_max", "pressure", "dfsph, pcisph"},
    {"solver", "viscosity_error", "viscosity_solve", "auto, implicit"},

    {"surface", "cell", "method", MADE_ANEW},
    {"surface", "smoothing", "method", "anisotropic"},
    {"surface", "support", "method", MADE_ANEW},
    {"surface", "isovalue", "method", MADE_ANEW},
    {"surface", "radius", "method", "blobs, zhu-bridson, adams"},
    {"surface", "reach", "method", "anisotropic"},
    {"surface", "stretch", "method", "anisotropic"},
    {"surface", "scale", "method", "anisotropic"},
    {"surface", "lone_scale", "method", "anisotropic"},
    {"surface", "lone_neighbours", "method", "anisotropic"},
    {"surface", "keep_volume", "method", "anisotropic"},
    {"surface", "whole", "method", "anisotropic"},
    {"surface", "whole", "keep_volume", "true"},
    {"surface", "thesis", "method", "anisotropic"},
    {"surface", "ripple", "method", "anisotropic"},
    {"surface", "ripple", "keep_volume", "true"},
    {"surface", "components", "method", "anisotropic"},
    {"surface", "connected", "method", "anisotropic"},
    {"surface", "tag_count", "method", "anisotropic"},
    {"surface", "tag_count", "keep_volume", "false"},
    {"surface", "tag_offset", "method", "anisotropic"},
    {"surface", "tag_offset", "keep_volume", "false"},
    {"surface", "inside", "method", "anisotropic"},
    {"surface", "grid_smoothing", "method", MADE_ANEW},
    {"surface", "root_steps", "method", MADE_ANEW},
    {"surface", "normals", "method", MADE_ANEW},
    {"surface", "follow", "method", "adams"},
    {"surface", "walls", "method", MADE_ANEW},
    {"surface", "clean", "method", MADE_ANEW},
    {"surface", "smooth", "method", MADE_ANEW},
    {"surface", "smallest_part", "method", MADE_ANEW},
};
enum { CONDITIONS = sizeof conditions / sizeof *conditions };

const mote_key_condition *mote_scene_key_conditions(size_t *count) {
  *count = CONDITIONS;
  return conditions;
}

static bool is_listed(const mote_scene_key *key, const char *values, int value) {
  char name[32];
  for (const char *at = values; at != NULL; at = strchr(at, ',')) {
    at += strspn(at, ", ");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    if (mote_scene_key_choice(key, name) == value) return true;
  }
  return false;
}

static bool holds(const mote_key_condition *c, const void *def) {
  const mote_scene_key *key = mote_scene_key_find(c->section, c->other);
  MOTE_ASSERT(key != NULL);
  const char *at = (const char *)def + key->offset;
  if (key->kind == MOTE_KEY_CHOICE) return is_listed(key, c->values, *(const int *)(const void *)at);
  if (key->kind == MOTE_KEY_SWITCH) return *(const bool *)at == (strcmp(c->values, "true") == 0);
  MOTE_ASSERT(key->kind == MOTE_KEY_NUMBER);
  double x = *(const double *)(const void *)at;
  if (strcmp(c->values, "0") == 0) return x == 0.0;
  return strcmp(c->values, "auto") == 0 ? isnan(x) : isfinite(x) && x != 0.0;
}

const mote_key_condition *mote_scene_key_unused(const char *section, const char *name, const void *def) {
  for (size_t k = 0; k < CONDITIONS; ++k) {
    const mote_key_condition *c = &conditions[k];
    if (strcmp(c->section, section) == 0 && strcmp(c->name, name) == 0 && !holds(c, def)) return c;
  }
  return NULL;
}
