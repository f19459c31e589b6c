// Two dam breaks that were measured, in short: their tanks, gauges and what these read.
#ifndef MOTE_IMPACT_REFERENCES_H
#define MOTE_IMPACT_REFERENCES_H

#include <stdbool.h>

#define IMPACT_GAUGES 4
#define IMPACT_LEVELS 24

// A level gauge: an upright line at x, in the middle of the tank's width.
typedef struct impact_gauge {
  double x;                     // m
  double arrival;               // s, when the level first exceeds 3 cm; 0: not judged
  double level[IMPACT_LEVELS];  // m, at interval, 2 interval, ...
} impact_gauge;

// A pressure sensor in a wall.
typedef struct impact_sensor {
  double position[3];  // m
  double height;       // m, over which it takes a mean; 0: a point
  double arrival;      // s; 0: not judged
  double peak;         // Pa, after a filter; 0: not judged
  double impulse;      // Pa s; 0: not judged
  double filter;       // s, width of a mean in time
  double threshold;    // Pa, that is an arrival
  double from, to;     // s, of peak and impulse
} impact_sensor;

typedef struct impact {
  const char *name, *source;
  int dimensions;
  double tank[3], dam_low[3], dam_high[3];  // m; y is up
  double box_low[3], box_high[3];           // an obstacle, where has_box
  bool has_box;
  double duration, interval;  // s; of levels
  int levels;
  impact_gauge gauge[IMPACT_GAUGES];
  double level_error;  // mean of |error| allowed,
  bool of_largest;     // as a part of the gauge's largest level, else of level_scale
  double level_scale;  // m
  double arrival_error, peak_error, impulse_error;  // relative, allowed
  impact_sensor sensor;
  double fine_from, fine_to;  // s: here the sensor is read every fine_step
  double fine_step;
} impact;

// Kleefsman et al. 2005, J. Comput. Phys. 206:363 (SPHERIC test 2): official series; levels are means over 40
// ms, gauges by position (public copies swap two columns).
extern const impact impact_spheric_2;
// Lobovsky et al. 2014, J. Fluids Struct. 48:407, H = 0.3 m: levels are means of two runs, the pressure is
// that of event 5 at the sensor 3 mm above the floor. The tank is a channel without an obstacle: run in 2D,
// as computations of it are.
extern const impact impact_lobovsky;

#endif
