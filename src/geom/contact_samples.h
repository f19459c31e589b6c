// Contact geometry of a solid body: balls, and rings of balls, inside it that touch its surface from within.
// Every place where the body can touch something smaller than itself or flat has one near: corners, edges,
// rims, round sides. Flat faces have none, for what they meet meets them with its own. Theory:
// docs/theory/bodies.md
#ifndef MOTE_CONTACT_SAMPLES_H
#define MOTE_CONTACT_SAMPLES_H

#include <mote/geom.h>

typedef struct mote_contact_sample {
  double centre[3];
  double axis[3];    // of the ring: a unit vector
  double ring;       // radius of the circle on which its balls lie; 0: one ball
  double round;      // radius of the balls
  double corner[3];  // from the centre to the corner or edge of a box that the ball stands for
} mote_contact_sample;

typedef struct mote_contact_samples {
  mote_contact_sample *sample;
  size_t count, capacity;
} mote_contact_samples;

// Samples about `spacing` apart along edges; balls at edges and corners have the radius `round`, or less
// where the body is thin. ARGUMENT with the key "shape": without bounds, or more than `most` samples.
mote_result mote_shape_contact_samples(const mote_shape *shape, double spacing, double round, size_t most,
                                       const mote_env *env, mote_contact_samples *out, mote_error *error);
void mote_contact_samples_free(mote_contact_samples *samples, const mote_env *env);

#endif
