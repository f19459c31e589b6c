// Frames of particles by ids: see track_frame.h.
#include "cli/track/track_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

typedef struct numbered {
  uint64_t id;
  size_t row;
} numbered;

static int by_id(const void *x, const void *y) {
  const numbered *a = x, *b = y;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static bool is_finite(const mote_field_view *field, size_t row) {
  for (int k = 0; k < 3; ++k) {
    if (!isfinite(mote_field_value(field, row, k))) return false;
  }
  return true;
}

static void fill(const mote_cloud *cloud, const mote_field_view *id, const mote_field_view *velocity,
                 track_frame *out) {
  APP_ASSERT(velocity->components == 3 && id->components == 1);
  const mote_field_view *position = mote_cloud_find(cloud, "position"),
                        *volume = mote_cloud_find(cloud, "volume"), *body = mote_cloud_find(cloud, "body");
  numbered *order = input_take(cloud->count + 1, sizeof *order);
  for (size_t i = 0; i < cloud->count; ++i) {
    if (!is_finite(position, i) || !is_finite(velocity, i)) continue;
    uint64_t number =
        id->type == MOTE_TYPE_U64 ? ((const uint64_t *)id->data)[i] : (uint64_t)mote_field_value(id, i, 0);
    order[out->count++] = (numbered){number, i};
  }
  qsort(order, out->count, sizeof *order, by_id);
  out->id = input_take(out->count + 1, sizeof *out->id);
  out->position = input_take(3 * out->count + 3, sizeof *out->position);
  out->velocity = input_take(3 * out->count + 3, sizeof *out->velocity);
  out->body = input_take(out->count + 1, sizeof *out->body);
  if (volume != NULL && volume->components == 1)
    out->volume = input_take(out->count + 1, sizeof *out->volume);
  for (size_t k = 0; k < out->count; ++k) {
    out->id[k] = order[k].id;
    for (int c = 0; c < 3; ++c) {
      out->position[3 * k + (size_t)c] = mote_field_value(position, order[k].row, c);
      out->velocity[3 * k + (size_t)c] = mote_field_value(velocity, order[k].row, c);
    }
    out->body[k] = body != NULL ? (uint32_t)mote_field_value(body, order[k].row, 0) : 0;
    if (out->volume != NULL) out->volume[k] = (float)mote_field_value(volume, order[k].row, 0);
  }
  free(order);
}

int track_frame_read(const char *path, const mote_env *env, track_frame *out) {
  input_particles input;
  *out = (track_frame){0};
  int status = input_open(path, env, &input);
  if (status != EXIT_DONE) return status;
  const mote_field_view *position = mote_cloud_find(&input.cloud, "position");
  const mote_field_view *velocity = mote_cloud_find(&input.cloud, "velocity"),
                        *id = mote_cloud_find(&input.cloud, "id");
  if (position == NULL || velocity == NULL || id == NULL || velocity->components != 3 ||
      id->components != 1) {
    complain("%s: its particles need the fields position, velocity and id", path);
    status = EXIT_USAGE;
  } else if (isnan(input.cloud.stamp.time)) {
    complain("%s: the file has no time, which CSV files never have: another format is needed, such as VTP",
             path);
    status = EXIT_USAGE;
  } else {
    out->stamp = input.cloud.stamp;
    fill(&input.cloud, id, velocity, out);
  }
  input_close(&input, env);
  return status;
}

void track_frame_free(track_frame *frame) {
  free(frame->id), free(frame->position), free(frame->velocity), free(frame->volume), free(frame->body);
  *frame = (track_frame){0};
}

mote_result track_frame_moment(const track_frame *frame, mote_track_flow *flow, mote_error *error) {
  APP_ASSERT(frame->count == 0 || frame->position != NULL);
  mote_track_moment moment = {frame->stamp.time, frame->position, frame->velocity, frame->count};
  return mote_track_flow_set(flow, &moment, NULL, error);
}

mote_result track_frame_flow(const track_frame *from, const track_frame *to, mote_track_flow *flow,
                             double *farthest, mote_error *error) {
  APP_ASSERT(to->stamp.time >= from->stamp.time);
  size_t most = from->count < to->count ? from->count : to->count, n = 0;
  double *memory = input_take(12 * most + 1, sizeof *memory), *part[4],
         dt = to->stamp.time - from->stamp.time;
  for (size_t k = 0; k < 4; ++k) part[k] = memory + 3 * k * most;
  *farthest = 0.0;
  for (size_t i = 0, j = 0; i < from->count && j < to->count;) {
    if (from->id[i] != to->id[j]) {
      if (from->id[i] < to->id[j])
        ++i;
      else
        ++j;
      continue;
    }
    const double *source[4] = {from->position + 3 * i, from->velocity + 3 * i, to->position + 3 * j,
                               to->velocity + 3 * j};
    for (size_t k = 0; k < 4; ++k) memcpy(part[k] + 3 * n, source[k], 3 * sizeof(double));
    for (size_t k = 1; k < 4; k += 2) {
      const double *v = source[k];
      *farthest = fmax(*farthest, dt * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    ++n, ++i, ++j;
    APP_ASSERT(n <= most);
  }
  mote_track_moment start = {from->stamp.time, part[0], part[1], n},
                    end = {to->stamp.time, part[2], part[3], n};
  mote_result result = mote_track_flow_set(flow, &start, &end, error);
  free(memory);
  return result;
}
