// In place of trace_embree.c in a build without Embree (MOTE_RENDER=OFF): no rays.
#include "render/trace.h"

const char *mote_render_engine(void) {
  return NULL;
}

mote_result mote_embree_build(mote_trace *t, mote_error *error) {
  (void)t;
  return mote_io_fail(error, MOTE_ERROR_FILE, NULL,
                      "this build has no ray tracer: it was made without Embree (MOTE_RENDER=OFF)");
}

void mote_embree_free(mote_trace *t) {
  (void)t;
}

bool mote_embree_meet(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query,
                      mote_meeting *found) {
  (void)t, (void)ray, (void)begin, (void)end, (void)query;
  *found = (mote_meeting){0};
  return false;
}

bool mote_embree_stops(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query) {
  (void)t, (void)ray, (void)begin, (void)end, (void)query;
  return false;
}
