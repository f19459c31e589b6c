// What a run writes, in bytes.
#ifndef MOTE_CHECK_DISK_H
#define MOTE_CHECK_DISK_H

#include "cli/check/check_cost.h"

// Bytes of one particle in a file of that format; `world` may be null. Of an elastic one.
double disk_record(const mote_scene *scene, const mote_world *world, const char *format);
double disk_elastic_record(const char *format);

// Writes files, pictures and surfaces.
void disk_add(scene_cost *cost, const mote_scene *scene, const mote_world *world);

#endif
