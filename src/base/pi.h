#ifndef MOTE_BASE_PI_H
#define MOTE_BASE_PI_H

#define MOTE_PI 3.14159265358979323846  // exact

#endif
