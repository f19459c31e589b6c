// Moving colliders across periodic sides. Their samples act in all images, since position differences are
// taken to the nearest image; this file does the same for hard contact and sampling.
#ifndef MOTE_COLLIDER_IMAGES_H
#define MOTE_COLLIDER_IMAGES_H

#include "geom/shape_tree.h"
#include "matter/world_data.h"

#define MOTE_COLLIDER_IMAGES_MAX 64

// Bounds of the surface of a shape: that of a vessel is bounded although the solid around it is not. Infinite
// along axes where the surface is unbounded.
void mote_collider_surface_bounds(const mote_shape *shape, double low[3], double high[3]);

// A moving collider longer than a period is sampled over one period of its length, which is valid only while
// that side is along the periodic axis: other rotations are rejected.
mote_result mote_collider_check_period(const mote_world *world, const mote_collider_item *item,
                                       mote_error *error);
// The same of one pose.
mote_result mote_collider_check_pose(const mote_world *world, const mote_collider_item *item,
                                     const mote_pose *pose, mote_error *error);
// Cuts the region in which a mover is sampled to one period.
void mote_collider_cut_region(const mote_world *world, const mote_collider_item *item, double low[3],
                              double high[3]);
// The shape whose samples are those of one period: a long box is replaced by one as long as the period, so
// that a whole number of samples fits. `cut` and `node` are the memory for it.
const mote_shape *mote_collider_cut_shape(const mote_world *world, const mote_collider_item *item,
                                          mote_shape *cut, mote_shape_node *node);

// Shifts that bring a mover at `pose` to its images within half a period of the domain; where one of them
// covers all of that along an axis, only this one. Returns their number, at least 1.
size_t mote_collider_images(const mote_world *world, const mote_collider_item *item, const mote_pose *pose,
                            double shift[MOTE_COLLIDER_IMAGES_MAX][3]);
// Distance of all other images from any particle, m; 0: no side is periodic.
double mote_collider_images_reach(const mote_world *world);

// The shift to the image nearest to the middle of the domain.
void mote_collider_nearest_image(const mote_world *world, const mote_collider_item *item,
                                 const mote_pose *pose, double shift[3]);

#endif
