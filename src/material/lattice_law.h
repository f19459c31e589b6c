// The lattice of WIC06 and its law: sites of the first two shells of the hexagonal lattice (2D) or of cubic
// closest packing (3D), their weights, the nearest site of a point, and the constants of the energy. Theory:
// docs/theory/lattice.md
#ifndef MOTE_LATTICE_LAW_H
#define MOTE_LATTICE_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "particles/fields.h"

#define MOTE_NO_SITE MOTE_LATTICE_SITES

// What a material is made of.
typedef struct mote_lattice_spec {
  int dimensions;
  double spacing;        // of particles of the density, m
  double density;        // kg/m^3
  double solid_density;  // kg/m^3
  double young, poisson;
  bool restoring;  // WIC06 (8)
} mote_lattice_spec;

typedef struct mote_lattice_law {
  int dimensions, sites;
  double edge;   // D, m: distance of the first shell
  double reach;  // m: farther particles come to no site
  double join;   // m, in the lattice's frame: the same
  // m, in the lattice's own frame, and 1, which makes a pair loop sum w r besides w r l; site s ^ 1 is
  // opposite; the last: 0
  double site[MOTE_LATTICE_SITES + 1][4];
  double weight[MOTE_LATTICE_SITES + 1];  // of a site by its distance; the last: 0
  uint8_t number[125];       // of the site with integers -2 .. 2 along the basis; MOTE_NO_SITE: none
  double volume;             // of a particle, m^3 (2D: m^2, of a slab 1 m thick)
  double young, mu, lambda;  // Pa
  double moment;             // q = sum w l^2 / dimensions of all sites, m^2
  double own_weight;         // of the particle itself, in the damping
  double all_weights;        // sum of the weights, with it
  bool restoring;
  double contact;  // N/m: stiffness of a particle in contact with another object
  double speed;    // of sound, m/s: sqrt of the larger of E and the P-wave modulus over the density
} mote_lattice_law;

mote_lattice_law mote_lattice_law_make(const mote_lattice_spec *spec);

// The lattice's point nearest to p (m, in the lattice's frame): *site: its number, MOTE_NO_SITE where it is
// none of the first two shells. Returns the distance, m.
int mote_lattice_site(const mote_lattice_law *law, const double p[3]);  // its number alone
double mote_lattice_nearest(const mote_lattice_law *law, const double p[3], int *site);

// The longest stable step, s, of a lattice that is stretched by this factor at most.
double mote_lattice_step_limit(const mote_lattice_law *law, double stretch);

#endif
