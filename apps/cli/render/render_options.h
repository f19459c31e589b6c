// What mote render is asked for.
#ifndef MOTE_RENDER_OPTIONS_H
#define MOTE_RENDER_OPTIONS_H

#include <mote/draw.h>
#include <mote/render.h>

#include "cli/files/sequence.h"
#include "cli/mesh/surface_options.h"

typedef enum render_as {
  RENDER_AUTO,
  RENDER_SURFACE,
  RENDER_SPHERES,
  RENDER_ELLIPSOIDS,
  RENDER_PUFFS,
  RENDER_SECTION,
} render_as;

typedef struct render_options {
  char **input;
  size_t inputs;
  const char *output;  // null: named after the input
  const char **with;   // meshes that stand in every frame
  size_t withs;
  render_as as;
  const char *look;     // null: the material's
  const char *texture;  // a PNG; null: those of the meshes' files
  const char *colour_by, *title;
  double low, high;  // of the values; NaN: from the frames
  mote_colour_map map;
  bool mapped;  // the map was chosen
  bool wireframe, preview, no_denoise, no_ground, no_foam, bare, overwrite, resume, json, quiet;
  int samples, width, height, threads, contact_sheet, turntable;  // 0: not given
  mote_camera_def camera;                                         // NaN: not given
  double exposure, noise, daylight;                               // NaN: not given
  const char *environment;                                        // a file; null: the sky
  double environment_turn;                                        // degrees
  double sun[3];                                                  // NaN: not given
  float backdrop[3];                                              // linear; NaN: the sky
  bool whole;                                                     // the camera takes in the domain
  int section_axis;                                               // -1: none
  double section_at;
  double cut[4];  // as mote_render_def's
  frame_range frames;
  double fps, radius;  // 0: not given
  surface_options surface;
} render_options;

render_options render_options_default(void);

// Each reads the text of an option into the options. Complains and returns false.
bool render_read_as(const char *text, render_options *o);
bool render_read_size(const char *text, render_options *o);
bool render_read_range(const char *text, render_options *o);
bool render_read_map(const char *text, render_options *o);
bool render_read_section(const char *text, render_options *o);
bool render_read_cut(const char *text, render_options *o);
bool render_read_camera(const char *text, render_options *o);
bool render_read_backdrop(const char *text, render_options *o);
bool render_read_view(const char *text, render_options *o);
bool render_read_place(const char *name, const char *text, double out[3]);

// The look of paint of sRGB bytes.
mote_look render_look_painted(mote_colour colour);

// Carries it out. Complains; gives the exit status.
int render_pictures(const render_options *options);

#endif
