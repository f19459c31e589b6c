// Sets of particles whose surfaces are known, for validation and benchmarks of surfaces. All are packings of
// spacing d with each coordinate moved by up to 0.15 d, made from a fixed seed alone.
#ifndef MOTE_PARTICLE_SETS_H
#define MOTE_PARTICLE_SETS_H

#include <mote/geom.h>

#define PARTICLE_JITTER 0.15

typedef struct particle_set {
  double *position;  // 3 each; free with particle_set_free
  size_t count;
  double spacing;  // d
} particle_set;
void particle_set_free(particle_set *set);

// The points (k + 1/2) d of the packing that lie in the shape, each moved: aligned boxes of whole spacings
// are filled side to side.
particle_set particle_set_fill(const mote_shape *shape, double spacing, uint64_t seed);
// Both in one; spacing of the first.
particle_set particle_set_join(const particle_set *a, const particle_set *b);

// One layer, `pitch` apart, columns along the unit vector u and rows along v from `origin`, moved by up to
// 0.15 d along each axis, d = spacing.
particle_set particle_set_film(size_t columns, size_t rows, const double origin[3], const double u[3],
                               const double v[3], double pitch, double spacing, uint64_t seed);

// The double dam breaks that other programs were timed on: two blocks in opposite corners, a slanted sheet of
// one layer, a filament of one row, and particles of which none has another within 4 d.
typedef enum dam_size { DAM_140K, DAM_1M, DAM_SIZES } dam_size;
typedef struct dam_set {
  const char *name;  // "ddb140k"
  size_t block[3], film[2], filament, lone;
  double spacing;
  size_t particles, components;
} dam_set;
extern const dam_set dam_sets[DAM_SIZES];
particle_set particle_set_dam(dam_size size);

#endif
