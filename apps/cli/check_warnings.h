// What looks like a mistake in a scene that can be run all the same.
#ifndef MOTE_CHECK_WARNINGS_H
#define MOTE_CHECK_WARNINGS_H

#include <mote/scene.h>

#include "check_cost.h"

#define WARNINGS 32

typedef struct warnings {
  char text[WARNINGS][256];
  int count;
} warnings;

void find_warnings(const mote_scene *scene, const scene_cost *cost, warnings *out);

#endif
