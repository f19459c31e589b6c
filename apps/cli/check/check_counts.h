// What a scene is made of, in numbers, as far as its definitions tell.
#ifndef MOTE_CHECK_COUNTS_H
#define MOTE_CHECK_COUNTS_H

#include "cli/base/scene_kinds.h"

// Particles of the bodies of a kind, about.
double count_particles(const mote_scene *scene, material_test *test);
// Samples of walls, colliders and rigid bodies, about; none where nothing flows.
double count_samples(const mote_scene *scene);
// Particles from all emitters up to the end of the run: how many there are at a time, at most and on average.
typedef struct emission {
  double count, most, mean;
  double speed;  // the greatest, m/s
} emission;
emission count_emitted(const mote_scene *scene);

#endif
