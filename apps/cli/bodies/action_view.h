// What the camera of previews frames in open domains: what is there, followed smoothly from frame to frame.
// It depends on the frames up to the one at hand alone, whose boxes a run keeps in view.csv: so it is the
// same while the run goes on, after it was resumed, and for a single frame later.
#ifndef MOTE_ACTION_VIEW_H
#define MOTE_ACTION_VIEW_H

#include <mote/scene.h>

#define ACTION_TABLE "view.csv"
#define ACTION_COLUMNS 7  // time, low x y z, high x y z

// Whether a domain is open: nothing but a floor keeps things in it.
bool domain_is_open(const mote_world_def *world);

// action_box.c: the box of what is there at the time that the stage is set to: particles without a few stray
// ones, bodies, and what of the colliders is near them; the stage's where nothing is there.
struct backdrop;
void action_box(const struct backdrop *stage, const double *position, size_t count, double radius,
                double low[3], double high[3]);

// A number that follows another from frame to frame: at once where that moves, smoothly within about ten
// frames where it jumps.
typedef struct follower {
  double target, speed[3];     // what is followed, and how fast it was lately, per frame
  double behind, catching_up;  // by which it is not there yet, and the speed of that
} follower;

typedef struct action_view {
  size_t frames;
  follower centre[3], half[3];
} action_view;

// The next frame's box.
void action_view_add(action_view *view, const double low[3], const double high[3]);
// What the camera frames, within the domain where that ends.
void action_view_box(const action_view *view, const mote_world_def *world, double low[3], double high[3]);

#endif
