// Shared by the methods that fill a shape.
#ifndef MOTE_SHAPE_FILL_H
#define MOTE_SHAPE_FILL_H

#include "geom/shape_tree.h"

mote_result mote_samples_alloc(const mote_env *env, size_t count, mote_samples *out, mote_error *error);

// ARGUMENT when the count is above `most`.
mote_result mote_fill_check_count(double count, size_t most, mote_error *error);

// `volume`: of the shape. The volumes of samples are left to the caller. `step`: receives those of the
// packing.
mote_result mote_fill_packing(const mote_shape *shape, double spacing, mote_fill_kind kind, double volume,
                              size_t most, const mote_env *env, double step[3], mote_samples *out,
                              mote_error *error);
mote_result mote_fill_relaxed(const mote_shape *shape, double spacing, uint64_t seed, double volume,
                              size_t most, const mote_env *env, mote_samples *out, mote_error *error);

// shape_grade.c: what mote_shape_fill_graded makes of a cubic filling with these steps.
mote_result mote_fill_grade(const mote_shape *shape, const double step[3], int most, double depth,
                            double volume, const mote_samples *fine, const mote_env *env, mote_samples *out,
                            mote_error *error);

#endif
