// Particles of one frame of a run, by ascending ids, and the flow from one frame to the next.
#ifndef MOTE_TRACK_FRAME_H
#define MOTE_TRACK_FRAME_H

#include <mote/io.h>
#include <mote/track.h>

typedef struct track_frame {
  size_t count;
  uint64_t *id;
  double *position, *velocity;  // 3 each
  float *volume;                // null: the file has none
  uint32_t *body;               // 0: the file does not say
  mote_stamp stamp;
} track_frame;

// Complains; gives the exit status. To be freed in any case.
int track_frame_read(const char *path, const mote_env *env, track_frame *out);
void track_frame_free(track_frame *frame);

// The particles that are in both frames. *farthest: the longest path of one, m, by its speed.
mote_result track_frame_flow(const track_frame *from, const track_frame *to, mote_track_flow *flow,
                             double *farthest, mote_error *error);
// All particles of one frame, as they move at its time.
mote_result track_frame_moment(const track_frame *frame, mote_track_flow *flow, mote_error *error);

#endif
