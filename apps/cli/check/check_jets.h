// How fast fluid from emitters falls: mote check counts steps by it.
#ifndef MOTE_CHECK_JETS_H
#define MOTE_CHECK_JETS_H

#include <mote/scene.h>

// The fastest of all emitters' fluid at a time, m/s: on its way through the air as it falls freely, and at
// the floor of the domain from then on. 0: nothing flows yet.
double jets_speed(const mote_scene *scene, double t);

#endif
