// When a body that can break first meets something.
#ifndef MOTE_CHECK_IMPACT_H
#define MOTE_CHECK_IMPACT_H

#include <mote/scene.h>

// Seconds of simulated time; infinite: nothing can break, or nothing meets it. Boxes about the bodies fall
// freely, those of fluids spread as dams do; what touches in the beginning meets nobody.
double impact_time(const mote_scene *scene);

#endif
