// The progress of a run: on a terminal a bar, on the standard error, at most ten times a second; elsewhere a
// line a frame on the standard output.
#ifndef MOTE_RUN_PROGRESS_H
#define MOTE_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct run_progress {
  bool shown, colour;   // the bar
  bool logged;          // lines
  double begun, drawn;  // s of the wall clock
  double first, last;   // simulated time at the beginning of this process, and at the end
  size_t frames;
  uint64_t steps;         // of this process
  double particle_steps;  // the sum of particles over its steps
} run_progress;

// How far a run is.
typedef struct run_place {
  size_t frame;
  double time;
  uint64_t steps;
  size_t particles, elastic;
} run_place;

void run_progress_begin(run_progress *progress, bool quiet, double first, double last, size_t frames);
// After each step.
void run_progress_step(run_progress *progress, const run_place *place);
// The same for other work, of which a part is done.
void run_progress_show(run_progress *progress, double part, const char *what);

// How much of a text of parts, ", " between them, fits into that many letters: whole parts.
size_t run_progress_fit(const char *text, size_t columns);

// Seconds of a clock that never goes back.
double wall_seconds(void);
// "8 particles", "5 elastic particles", "8 particles and 5 elastic ones"
const char *print_particles(size_t particles, size_t elastic, char out[96]);
// "3 s", "2 min 05 s", "1 h 20 min"
const char *print_duration(double seconds, char out[32]);

#endif
