// Seconds of a clock that never goes back, for timings and autosave; never for results.
#ifndef MOTE_CLOCK_H
#define MOTE_CLOCK_H

double mote_clock_seconds(void);

#endif
