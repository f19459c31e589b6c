// Whether a new body of particles overlaps existing bodies.
#ifndef MOTE_OVERLAP_H
#define MOTE_OVERLAP_H

#include "matter/world_data.h"

// The body of this shape and these particles. Fluids are carved by `not_fluid` bodies, and are ignored for
// them. error->key is "shape".
mote_result mote_overlap_check(mote_world *world, const char *name, const mote_shape *shape,
                               const double *position, size_t count, bool not_fluid, mote_error *error);

// A body without particles where it was defined, by points of its surface: clear of deforming bodies, and not
// hidden between their particles.
mote_result mote_overlap_check_surface(mote_world *world, const char *name, const mote_shape *shape,
                                       const mote_contact_samples *points, mote_error *error);

// Of the images over periodic sides that a domain has at most, the one that is itself, and the shift of an
// image; false where the domain has none.
#define MOTE_IMAGES 27
#define MOTE_IMAGE_ITSELF 13
bool mote_overlap_image(const mote_domain *domain, int image, double shift[3]);

#endif
