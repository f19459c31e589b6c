// When bodies first meet something.
#ifndef MOTE_CHECK_IMPACT_H
#define MOTE_CHECK_IMPACT_H

#include <mote/scene.h>

// Seconds of simulated time until this body does; infinite: it never does. Boxes about the bodies fall
// freely, those of fluids spread as dams do; what touches in the beginning meets nothing.
double contact_time(const mote_scene *scene, const mote_body_def *body);

// Until one does after which the cost is unknown: one that can break, or fluid below a tracked surface that
// will splash.
double impact_time(const mote_scene *scene);

#endif
