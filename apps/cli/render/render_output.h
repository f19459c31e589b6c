// Where the pictures of a render go: one picture, numbered ones, a video, a contact sheet.
#ifndef MOTE_RENDER_OUTPUT_H
#define MOTE_RENDER_OUTPUT_H

#include "cli/base/paths.h"
#include "cli/render/render_shots.h"

typedef enum render_goal { GOAL_PICTURE, GOAL_PICTURES, GOAL_VIDEO, GOAL_CONTACT_SHEET } render_goal;

typedef struct render_output {
  render_goal goal;
  char path[PATH_CAPACITY];           // a file, or a pattern of files
  char contact_sheet[PATH_CAPACITY];  // of the contact sheet beside a video or pictures; empty: none
  const render_options *options;
  mote_env env;
  double fps;
  mote_video *video;
  mote_image **kept;  // for the contact sheet
  size_t keeps, frames, added;
} render_output;

// What the options ask for, before anything is read: complains about names that make no sense or are taken.
int render_output_plan(render_output *output, const render_options *options, const mote_env *env);
// Chooses the frames that are needed, and gives the output a name where it has none.
int render_output_name(render_output *output, render_shots *shots);

// Begins a video, so that what is wrong with it is known before the first picture is made.
int render_output_begin(render_output *output);
// Whether picture k is there already and need not be made again (--resume).
bool render_output_has(const render_output *output, long number);
// Takes the picture. Complains; gives the exit status.
int render_output_add(render_output *output, mote_image *image, long number);
// Both end it; `close` finishes videos and sheets with what there is and says what was written.
int render_output_close(render_output *output);
void render_output_abandon(render_output *output);

#endif
