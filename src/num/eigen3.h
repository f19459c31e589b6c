// The two methods of mote_eigen3 separately, for its tests.
#ifndef MOTE_EIGEN3_H
#define MOTE_EIGEN3_H

#include <stdbool.h>

// A symmetric matrix by its upper triangle.
typedef struct mote_symmetric3 {
  double xx, xy, xz, yy, yz, zz;
} mote_symmetric3;

// Both expect the largest entry near 1 and give values and vectors as mote_eigen3 does. The closed form
// returns false, with invalid results, when the residual exceeds rounding.
bool mote_eigen3_closed(const mote_symmetric3 *a, double values[3], double vectors[9]);
void mote_eigen3_iterated(const mote_symmetric3 *a, double values[3], double vectors[9]);

#endif
