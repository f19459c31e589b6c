// Speeds of colliders and emitters by their definitions alone, without commands: they determine the expected
// speed of a scene, and with it the speed of sound.
#ifndef MOTE_DEFINITION_SPEED_H
#define MOTE_DEFINITION_SPEED_H

#include "matter/world_data.h"

double mote_collider_defined_speed(const mote_collider_item *item);
double mote_emitter_defined_speed(const mote_emitter_item *item);

#endif
