// The first steps and frames of a run, measured: what they took is what the rest is estimated by. mote check
// makes them for that, mote run counts its own.
#ifndef MOTE_CHECK_TRIAL_H
#define MOTE_CHECK_TRIAL_H

#include <mote/world.h>

enum { TRIAL_STEPS_MAX = 4096 };

typedef struct trial_step {
  double seconds;    // of the processor
  double particles;  // fluid, elastic, lattice
  double time;       // simulated, at its end
} trial_step;

typedef struct scene_trial {
  bool made;  // a world was made; else nothing is known
  int threads;
  double coarser;       // its spacing over that of the scene
  double particles[3];  // fluid, elastic, lattice: when it began
  double end;           // s of simulated time
  double speed;         // the fastest of them then, m/s
  trial_step *step;     // behind the first, which sets things up
  int steps;
  double spent;                         // s in all of them
  double first_seconds, frame_seconds;  // reading, making the world, its first frame; a later frame's outputs
  double bytes;                         // most memory
  mote_step_report report;              // of the last step
  mote_error failure;                   // of a step that failed
} scene_trial;

// Seconds of the processor in this thread, which takes part in all that the others do: those of the wall
// clock on a machine that does nothing else.
double own_seconds(void);

// Of a world before its first step, up to a time: what comes later is not as what comes before.
bool trial_begin(scene_trial *trial, const mote_world *world, double end);
void trial_end(scene_trial *trial);
// After each step, until it says that it has seen enough.
bool trial_add(scene_trial *trial, const mote_world *world, double seconds);

// Seconds of a step with so many particles.
double trial_step_seconds(const scene_trial *trial, double particles);
// Steps a second of simulated time, of late.
double trial_step_rate(const scene_trial *trial);
// Simulated seconds.
double trial_covered(const scene_trial *trial);

#endif
