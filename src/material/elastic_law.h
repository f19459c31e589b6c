// Laws of elastic materials: energy density, first Piola-Kirchhoff stress and its differential as functions
// of the displacement gradient g = grad u (row-major, EG09 (60)), so that small strains are not lost in F = 1
// + g. EG09 (61)-(63), (65), (69). Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_LAW_H
#define MOTE_ELASTIC_LAW_H

#include <mote/elastic.h>

typedef struct mote_elastic_law {
  mote_elastic_kind kind;
  double lambda, mu;  // Lame, Pa
  double volume;      // k_v of EG09 (65), Pa
} mote_elastic_law;

// Of Young's modulus and Poisson's ratio, -1 < nu < 1/2.
mote_elastic_law mote_elastic_law_make(mote_elastic_kind kind, double young, double poisson, double volume);

// The state of a particle that enters the law. After plastic flow: F = Fe Fp, and the law is that of Fe = F K
// with K = Fp^-1, symmetric, of which 1 - K is the state (plastic_law.h). And the part of the stress that is
// Hooke's law of Green's strain of Fe: S = scale C (strain - reference). For Saint-Venant-Kirchhoff it is the
// law; damping is such a part for every law. Symmetric matrices are xx xy xz yy yz zz.
typedef struct mote_green_part {
  double scale;
  double reference[6];
  bool flowed;
  double plastic[6];  // 1 - K
  // Of midpoint steps, 15 numbers: T - 1 with which the law is that of Fe T, and a stress S that is added to
  // that of Green's strain of Fe; null: none.
  const double *more;
} mote_green_part;

// plastic may be null: nothing has flowed.
mote_green_part mote_green_part_make(const mote_elastic_law *law, const double *plastic);
// Adds `ratio` C (strain - before), both of F: over a step dt the damping of time ratio dt.
void mote_green_part_damp(mote_green_part *part, double ratio, const double before[6]);
// Fe - 1 = (1 + g) K - 1; and h K.
void mote_green_part_within(const mote_green_part *part, const double g[9], double elastic[9]);
void mote_green_part_times(const mote_green_part *part, const double h[9], double out[9]);

// Green's strain, EG09 (61), and its rate for the rate h of g.
void mote_elastic_strain(const double g[9], double strain[6]);
void mote_elastic_strain_rate(const double g[9], const double h[9], double rate[6]);
// det F - 1.
double mote_elastic_swelling(const double g[9]);

double mote_elastic_law_energy(const mote_elastic_law *law, const mote_green_part *part, const double g[9]);
// The stress of a midpoint step from the elastic gradient `start` to 2 middle - start, which does the work of
// the energy and turns nothing: `more` of a part with which the law's stress at `middle` is that (Simo &
// Tarnow 1992, Gonzalez 2000). ratio, before: of damping, as for mote_green_part_damp but of Fe; 0: none.
void mote_elastic_law_midpoint(const mote_elastic_law *law, double ratio, const double before[6],
                               const double start[9], const double middle[9], double more[15]);
// Green's strain of Fe for that of F.
void mote_green_part_elastic_strain(const mote_green_part *part, const double strain[6], double out[6]);

// P = d energy / d g.
void mote_elastic_law_stress(const mote_elastic_law *law, const mote_green_part *part, const double g[9],
                             double P[9]);

// dP = (d P / d g) dg at one g.
typedef struct mote_elastic_tangent {
  bool green, isotropic;          // which parts there are
  double lambda, mu;              // of Green's part
  double F[9], S[6];              // and its stress
  double cof[9], volume, excess;  // k_v of its volume term, and k_v (J - 1)
  double U[9], V[9];              // of F = U diag(s) V^T: the frame in which
  double stretch[9];              // the diagonal and
  double even[3], odd[3];         // the pairs (1,2), (2,0), (0,1) of other entries change each other
  bool flowed;                    // then all this is of Fe
  double plastic[6];
  const double *more;  // then of Fe T
  bool definite;
} mote_elastic_tangent;

// definite: without what could make it indefinite. Returns false when g is not finite.
bool mote_elastic_tangent_make(const mote_elastic_law *law, const mote_green_part *part, const double g[9],
                               bool definite, mote_elastic_tangent *tangent);
void mote_elastic_tangent_apply(const mote_elastic_tangent *tangent, const double dg[9], double dP[9]);

#endif
