// Frames: see render_frame.h.
#include "render/render_frame.h"

static size_t floats_of(const mote_frame *frame, int each) {
  return (size_t)frame->width * (size_t)frame->height * (size_t)each * sizeof(float);
}

bool mote_frame_make(mote_frame *frame, int width, int height, const mote_env *env) {
  *frame = (mote_frame){.env = *env, .width = width, .height = height};
  frame->light[0] = mote_io_new(env, floats_of(frame, 3));
  frame->light[1] = mote_io_new(env, floats_of(frame, 3));
  frame->noise = mote_io_new(env, floats_of(frame, 3));
  frame->guide = mote_io_new(env, floats_of(frame, MOTE_FRAME_GUIDES));
  frame->blur = mote_io_new(env, floats_of(frame, MOTE_FRAME_GUIDES));
  return frame->light[0] != NULL && frame->light[1] != NULL && frame->noise != NULL && frame->guide != NULL &&
         frame->blur != NULL;
}

void mote_frame_free(mote_frame *frame) {
  mote_io_delete(&frame->env, frame->light[0], floats_of(frame, 3));
  mote_io_delete(&frame->env, frame->light[1], floats_of(frame, 3));
  mote_io_delete(&frame->env, frame->noise, floats_of(frame, 3));
  mote_io_delete(&frame->env, frame->guide, floats_of(frame, MOTE_FRAME_GUIDES));
  mote_io_delete(&frame->env, frame->blur, floats_of(frame, MOTE_FRAME_GUIDES));
}

void mote_frame_mean(const mote_frame *frame, float *out) {
  size_t count = 3 * (size_t)frame->width * (size_t)frame->height;
  for (size_t k = 0; k < count; ++k) out[k] = 0.5F * (frame->light[0][k] + frame->light[1][k]);
}
