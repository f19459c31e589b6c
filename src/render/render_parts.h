// Functions that the files of mote_render_draw share.
#ifndef MOTE_RENDER_PARTS_H
#define MOTE_RENDER_PARTS_H

#include "render/picture.h"
#include "render/trace.h"

// render_check.c
mote_result mote_render_check(const mote_render_def *def, const mote_render_scene *scene, mote_image **out,
                              mote_error *error);

// render_view.c: where everything is: the camera, the floor, the section, the sky.
void mote_render_view(mote_trace *t);
// Title, time and colour bar. False: memory.
bool mote_render_words(const mote_trace *t, mote_image *image);

// render_tone.c: light as bytes.
void mote_render_tables(mote_trace *t);
void mote_render_tone(const float *light, double exposure, mote_image *image);

#endif
