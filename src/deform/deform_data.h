// The data of a deformation; each group of members names the file that computes it.
#ifndef MOTE_DEFORM_DATA_H
#define MOTE_DEFORM_DATA_H

#include <mote/deform.h>

#include "deform/deform_shapes.h"
#include "deform/deform_space.h"

// A region or point that moves as a rigid body. made by deform_handles.c
typedef struct mote_deform_grip {
  uint32_t nodes;  // it touches
  uint32_t *node;  // ascending
  double *matrix;  // nodes x nodes, symmetric: sum over its points of Phi_a Phi_b / (points size^2)
  bool point, free;
  const double *target;  // displacements of the nodes, instead of a pose: deform_fit.c; null: the pose
  double rest[3];        // of a point; of a region its middle
  double extent;         // m: largest distance of its points from there
  // x -> rotation (x - pivot) + image. The pose that was set, and the one that the walk has reached.
  double goal_pivot[3], goal_image[3], goal_rotation[4];
  double now_rotation[4], now_image[3];  // about goal_pivot
} mote_deform_grip;

typedef struct mote_deform_system mote_deform_system;  // matrices and vectors of the solver: deform_system.h

struct mote_deform {
  mote_env env;
  mote_arena memory;  // all but handles and the solver's
  mote_mesh mesh;     // copies
  double *normal;
  double size;
  double centre[3];  // of the bounds
  mote_deform_weights weight;
  mote_deform_space space;
  // Shape functions of the samples and of the vertices: deform_shapes.c
  mote_deform_shapes sample;
  mote_deform_skin skin;
  double *rest, *position;  // of the nodes
  double *displacement;     // of the nodes, scratch
  double *residual;         // of the nodes of a handle, scratch
  // Handles: deform_handles.c
  mote_deform_grip *grip;
  size_t grips, grips_capacity;
  mote_deform_system *system;
};

#endif
