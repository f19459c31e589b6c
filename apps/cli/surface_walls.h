// Surfaces of liquid in a tank: particles near a wall are repeated behind it and the surface is cut off
// there, so that it meets the wall squarely instead of rounding away from it by half a spacing.
#ifndef MOTE_SURFACE_WALLS_H
#define MOTE_SURFACE_WALLS_H

#include <mote/surface.h>
#include <mote/world.h>

typedef struct surface_walls {
  double low[3], high[3];  // m; infinite: there is none
} surface_walls;

surface_walls surface_walls_none(void);
// The sides of a domain that are walls. Colliders are none.
surface_walls surface_walls_of(const mote_world_def *world);
// Cuts at the walls, besides what is cut already.
void surface_walls_cut(const surface_walls *walls, mote_surface_def *def);

// Particles, and behind them their images.
typedef struct surface_images {
  mote_surface_particles view;  // of what follows
  size_t count;                 // of particles without their images, which come first
  double *position;
  float *volume;
  uint64_t *id;  // an image's says at which walls, so that it is the same from frame to frame
  mote_field_view field[MOTE_SURFACE_FIELDS];
} surface_images;

// With the images that shape the surface at the walls; the definition's spacing must be known. Vectors are
// repeated as they are. Free in any case; where there are no images, `view` is of the particles themselves.
void surface_images_make(const surface_walls *walls, const mote_surface_particles *particles,
                         const mote_surface_def *def, surface_images *out);
void surface_images_free(surface_images *images);

#endif
