// What stays the same from frame to frame: what stands around, the camera's view, colours, looks, the
// surfacer.
#ifndef MOTE_RENDER_STUDIO_H
#define MOTE_RENDER_STUDIO_H

#include "cli/bodies/backdrop.h"
#include "cli/render/render_shots.h"
#include "cli/render/render_take.h"

typedef struct render_studio {
  const render_options *options;
  mote_env env;
  const render_shots *shots;
  render_as as;    // never AUTO
  bool quick;      // rasterised
  bool flat;       // 2D
  backdrop stage;  // of a run's scene
  bool staged;
  body_table bodies;  // where the run's rigid bodies were
  render_take *with;  // the options' meshes
  size_t withs;
  render_surfacing surfacing;
  render_take take;                  // the frame at hand
  double low[3], high[3];            // of the scene
  double view_low[3], view_high[3];  // what the camera takes in
  double *followed;  // rows of the run's view.csv, by which previews follow; null: they do not
  size_t followed_rows;
  double tank_low[3], tank_high[3];  // walls; NaN: none
  double spacing;                    // of particles
  mote_camera_def camera;            // as the options say, else as the run's scene does; NaN: neither
  render_values values;              // that colour things; those that were not asked for may be missing
  double range_low, range_high;      // of the values, as asked for; NaN: from the frames
  mote_shade shade;                  // with its range and label, where there are values
  char label[128];
  mote_look look;
  bool look_given;
  mote_environment environment;  // no pixels: none
} render_studio;

// Reads as many frames as it takes to know what there will be. Complains; gives the exit status. Close in
// both cases.
int render_studio_open(render_studio *studio, const render_options *options, const render_shots *shots,
                       const mote_env *env);
void render_studio_close(render_studio *studio);

// The look of a name. Complains about unknown ones.
bool render_look_named(const char *name, mote_look *out);

// The colours of the take's places by its values or bodies; null where they have the look's. To be freed.
mote_colour *render_colours(const render_studio *studio);

// Finds what the camera takes in, where the frames' contents are; call once for each frame that is looked at.
void render_view_begin(render_studio *studio);
bool render_view_include(render_studio *studio);
void render_view_end(render_studio *studio);
// Previews of open domains follow what is there. False after a complaint.
bool render_view_follow(render_studio *studio);
void render_view_at(const render_studio *studio, double time, double low[3], double high[3]);

// Reads what a shot shows of fluids, if anything, and when it is. Complains; gives the exit status.
int render_studio_read(render_studio *studio, const render_shot *shot);

// How long a frame lasts, s.
double render_frame_seconds(const render_studio *studio);
// The velocities of the stage's meshes at the time, m/s, 3 of each vertex; null for those that stand still.
// To be freed by render_motion_free.
float **render_motion_make(render_studio *studio, double time);
void render_motion_free(const render_studio *studio, float **velocity);

// Draws frame k of n: reads it, makes of it what is drawn, and draws. Complains; gives the exit status.
// `progress` as mote_render_def's, may be null.
int render_frame(render_studio *studio, size_t k, size_t n, bool (*progress)(void *, double), void *user,
                 mote_image **out);

#endif
