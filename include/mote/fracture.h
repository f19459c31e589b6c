// Cracks without a world: sheets in material space, weights that know of them (EG09 70), stress intensities
// at their fronts, and growth. In double precision. Points as in search.h; in 2D the third number must be 0.
// Results do not depend on the number of threads. Theory: docs/theory/fracture.md
#ifndef MOTE_FRACTURE_H
#define MOTE_FRACTURE_H

#include <mote/approx.h>
#include <mote/elastic.h>
#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// A soup of triangles (2D: segments) that only grows, and the fronts at which it may grow.
typedef struct mote_cracks mote_cracks;

MOTE_API mote_result mote_cracks_create(int dimensions, const mote_env *env, mote_cracks **out,
                                        mote_error *error);
MOTE_API void mote_cracks_destroy(mote_cracks *cracks);

// New cracks, with nodes of their fronts at most `spacing` apart. polygon: flat and star-shaped about the
// mean of its corners; 2D: a polyline. disc: 2D: a segment. half_plane: behind the straight front through
// `tip`, over `reach`.
MOTE_API mote_result mote_cracks_add_polygon(mote_cracks *cracks, const double *corner, size_t count,
                                             double spacing, mote_error *error);
MOTE_API mote_result mote_cracks_add_disc(mote_cracks *cracks, const double centre[3], const double normal[3],
                                          double radius, double spacing, mote_error *error);
MOTE_API mote_result mote_cracks_add_half_plane(mote_cracks *cracks, const double tip[3],
                                                const double ahead[3], const double normal[3], double reach,
                                                double spacing, mote_error *error);

typedef struct mote_crack_tip {
  double position[3], ahead[3], normal[3];  // of a node of a front: direction of growth; of the sheet
  bool live;                                // false: it has ended
} mote_crack_tip;
MOTE_API size_t mote_cracks_tips(const mote_cracks *cracks);
MOTE_API mote_crack_tip mote_cracks_tip(const mote_cracks *cracks, size_t k);  // below that count

// Whether the segment from p to q crosses a crack, and at which fraction of the way first (may be null).
MOTE_API bool mote_cracks_cut(const mote_cracks *cracks, const double p[3], const double q[3], double *at);

// How cracks weaken what they lie between.
typedef struct mote_crack_rule {
  const mote_cracks *cracks;
  double opacity;           // kappa times the spacing of the particles, m; 0: visibility
  double margin;            // m: points nearer to a crack see from this distance
  mote_kernel_kind kernel;  // for mote_crack_rule_weight: without cracks
} mote_crack_rule;

// Callbacks whose `user` is a mote_crack_rule: mote_elastic_def.path_length, and mote_mls_def.weight (values
// and gradients; second derivatives must not be asked for).
MOTE_API void mote_crack_rule_path_length(void *user, const double from[3], const double *to, size_t count,
                                          double most, double *length);
MOTE_API void mote_crack_rule_weight(void *user, uint32_t i, const double x[3], const double offset[3],
                                     double radius, int derivatives, double *w, double dw[3], double ddw[6]);

// Cauchy stresses of all particles, turned back to the rest shape: xx xy xz yy yz zz each.
MOTE_API mote_result mote_elastic_find_stresses(mote_elastic *body, const mote_elastic_motion *motion,
                                                double *stress, mote_error *error);

// The particles of a body, as its cracks see it.
typedef struct mote_crack_body {
  size_t count;
  const double *rest;    // positions at rest
  const double *stress;  // of mote_elastic_find_stresses
  const uint8_t *skip;   // nonzero: this particle's stress does not count; null: all do
  double spacing;        // m
  double (*depth)(void *user, const double x[3]);  // below the surface, m; null: everywhere inside
  void *user;
} mote_crack_body;

// Pa sqrt(m): opening and sliding, in the frame of ahead and normal; the angle of largest hoop stress, rad.
typedef struct mote_crack_intensity {
  double one, two, angle;
} mote_crack_intensity;
// One for each tip.
MOTE_API mote_result mote_cracks_find_intensities(const mote_cracks *cracks, const mote_crack_body *body,
                                                  mote_crack_intensity *out, mote_error *error);
// What materials have that give no toughness: Pa sqrt(m); and the speed of their cracks over that of shear
// waves.
MOTE_API double mote_fracture_default_toughness(double strength, double spacing);
#define MOTE_CRACK_SPEED_PART 0.3
// Moves fronts whose intensity has reached the toughness by `length`, m: half a spacing to one.
MOTE_API mote_result mote_cracks_grow(mote_cracks *cracks, const mote_crack_body *body, double toughness,
                                      double length, mote_error *error);

// --- Splitting ------------------------------------------------------------------------------------------

// Resampling, EG09 (71): a particle that has lost neighbours becomes 2^dimensions of half its spacing and
// support. The body is then to be created anew from the new arrays. Mass and volume are kept to the bit;
// momentum, centre of mass, angular momentum and the energy of a uniform strain to rounding.
typedef struct mote_split_def {
  double omega_min;      // particles with fewer neighbours, by (71), are split; 0: 10, in 2D 6
  double least_spacing;  // no particle of a smaller spacing comes about, but for a tenth of it, m
  size_t most;           // particles, after splitting
  const uint8_t *skip;   // nonzero: this particle is never split; null: none
  // Pairs of the body before its cracks (those of i: from uncut[i] to uncut[i + 1] - 1): particles that have
  // lost no neighbour are not split for having few. Null: not asked for.
  const size_t *uncut;
  // Displacement gradients by which the parts are placed, nine each; null: those of the body's own fit.
  const double *gradient;
  const double *eye;  // from where a particle sees its parts; null: from its place at rest
  // Whether the straight way from a to b crosses a crack: parts stay on their parent's side. Null: none does.
  bool (*crosses)(void *user, const double a[3], const double b[3]);
  void *user;
} mote_split_def;

// Omega_i of EG09 (71), i below the body's count: the sum over the neighbours of the weight over that without
// any crack.
MOTE_API double mote_elastic_omega(const mote_elastic *body, size_t i);

// Which particles are to be split, ascending; `row` has a place for all. Those with too small an Omega; in a
// body with a renewed reference also those whose moments have a largest eigenvalue of more than 10 times the
// least; and, where `fragment` (of each particle, below `fragments`) is not null, all of a fragment that has
// less than dimensions + 2 particles or whose particles lie in a plane (2D: on a line). *limited: not all
// could be, because of `most`.
MOTE_API mote_result mote_elastic_find_splits(const mote_elastic *body, const mote_split_def *def,
                                              const uint32_t *fragment, size_t fragments, uint32_t *row,
                                              size_t *count, bool *limited, mote_error *error);

// Particles with a rest shape; all arrays have places for the new ones.
typedef struct mote_split_rows {
  size_t count;
  double *rest, *position, *velocity;  // three each
  double *support, *volume;            // m; m^3
  uint32_t *parent;  // row that the particle comes from; the first part keeps its parent's row
} mote_split_rows;

// How many particles there are after splitting `count` of them.
MOTE_API size_t mote_elastic_split_count(const mote_elastic *body, size_t count);

// The particles of the body after splitting these rows, which ascend. `motion`: of the body. New ones come
// last, by parent. A particle whose parts cannot keep to its side is not split. Fills out->count.
MOTE_API mote_result mote_elastic_split(mote_elastic *body, const mote_split_def *def,
                                        const mote_elastic_motion *motion, const uint32_t *row, size_t count,
                                        mote_split_rows *out, mote_error *error);

// --- In a world -------------------------------------------------------------------------------------------

// A body broke.
typedef struct mote_break {
  mote_body parent, fragment;
  uint64_t step;  // in which it happened: steps of the world before it
} mote_break;
// The fragments that were born in the last step, in the order of their ids, at most `most` of them; returns
// how many there are.
MOTE_API size_t mote_world_breaks(const mote_world *world, size_t most, mote_break *out);

// Of an elastic body that can break, with all its fragments.
typedef struct mote_crack_summary {
  size_t cracks, fragments;
  double size;      // of all cracks, at rest: m^2, in 2D m; parts outside of the body count
  double one, two;  // largest K_I and |K_II| now, Pa sqrt(m)
  bool moving;      // a front has reached the toughness
} mote_crack_summary;
MOTE_API mote_result mote_world_find_cracks(const mote_world *world, mote_body body, mote_crack_summary *out,
                                            mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
