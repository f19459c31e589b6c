// The speeds that definitions alone give colliders and emitters, before any command: what the expected speed
// of a scene, and with it the speed of sound, is made of.
#ifndef MOTE_DEFINITION_SPEED_H
#define MOTE_DEFINITION_SPEED_H

#include "matter/world_data.h"

double mote_collider_defined_speed(const mote_collider_item *item);
double mote_emitter_defined_speed(const mote_emitter_item *item);

#endif
