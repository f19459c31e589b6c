// Points to be sampled: see sample_request.h.
#include "cli/sample/sample_request.h"

#include <math.h>
#include <mote/text.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

#define POINTS_MOST 100000000.0

bool parse_number(const char *text, double *value) {
  size_t size = strlen(text);
  mote_text_scan scan = mote_text_read_double(text, size, MOTE_TEXT_FINITE, value);
  return size > 0 && scan.length == size && !scan.overflow;
}

// Reads "x,y" or "x,y,z" up to `end`; z is 0 where it is left out (*flat). Returns what follows, null when
// wrong.
static const char *read_place(const char *text, char end, double x[3], bool *flat) {
  x[2] = 0;
  for (int k = 0; k < 3; ++k) {
    mote_text_scan scan = mote_text_read_double(text, strlen(text), MOTE_TEXT_FINITE, &x[k]);
    if (scan.length == 0 || scan.overflow) return NULL;
    text += scan.length;
    if (k > 0 && *text == end) {
      *flat = *flat || k == 1;
      return end == '\0' ? text : text + 1;
    }
    if (*text++ != ',') return NULL;
  }
  return NULL;
}

bool request_at(const char *text, sample_request *out) {
  *out = (sample_request){.kind = REQUEST_POINTS, .count = 1, .point = input_take(3, sizeof(double))};
  if (read_place(text, '\0', out->point, &out->flat) != NULL) return true;
  complain("--at takes a point as x,y,z (2D: x,y), not \"%s\"", text);
  return false;
}

bool request_line(const char *text, sample_request *out) {
  double from[3], to[3], count = 0;
  bool flat = false;
  const char *rest = read_place(text, ':', from, &flat);
  if (rest != NULL) rest = read_place(rest, ':', to, &flat);
  if (rest == NULL || !parse_number(rest, &count) || !(count >= 2 && count <= 1e7 && floor(count) == count)) {
    complain("--line takes two points and how many, at least 2, as x,y,z:x,y,z:n, not \"%s\"", text);
    return false;
  }
  size_t n = (size_t)count;
  *out = (sample_request){
      .kind = REQUEST_LINE, .count = n, .point = input_take(3 * n, sizeof(double)), .flat = flat};
  for (size_t i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      out->point[3 * i + k] = from[k] + (to[k] - from[k]) * (double)i / (double)(n - 1);
  return true;
}

bool request_cover(const double low[3], const double high[3], double step, sample_request *out) {
  APP_ASSERT(step > 0);
  double points = 1;
  *out = (sample_request){.kind = REQUEST_GRID, .step = step};
  for (int k = 0; k < 3; ++k) {
    double cells = floor((high[k] - low[k]) / step + 0.5);
    points *= cells + 1;
    if (!(points <= POINTS_MOST)) {
      complain("the grid would have %.3g points; at most %.3g are sampled at once: choose a larger step",
               points, POINTS_MOST);
      return false;
    }
    out->size[k] = (int)cells + 1;
    out->low[k] = low[k];
  }
  out->count = (size_t)points;
  out->point = input_take(3 * out->count, sizeof(double));
  for (size_t i = 0; i < out->count; ++i) {
    size_t at[3] = {i % (size_t)out->size[0], i / (size_t)out->size[0] % (size_t)out->size[1],
                    i / (size_t)out->size[0] / (size_t)out->size[1]};
    for (int k = 0; k < 3; ++k) out->point[3 * i + k] = low[k] + (double)at[k] * step;
  }
  return true;
}

bool request_grid(const char *text, sample_request *out) {
  double low[3], high[3], step = 0;
  bool flat = false;
  const char *rest = read_place(text, ':', low, &flat);
  if (rest != NULL) rest = read_place(rest, ':', high, &flat);
  bool ok = rest != NULL && parse_number(rest, &step) && step > 0;
  for (int k = 0; k < 3 && ok; ++k) ok = low[k] <= high[k];
  if (ok) {
    ok = request_cover(low, high, step, out);
    out->flat = flat;
    return ok;
  }
  complain("--grid takes its low and its high corner and a step, as x,y,z:x,y,z:step, not \"%s\"", text);
  return false;
}

bool request_points(const char *path, const mote_env *env, sample_request *out) {
  input_particles input;
  if (input_open(path, env, &input) != EXIT_DONE) return false;
  const mote_field_view *position = mote_cloud_find(&input.cloud, "position");
  size_t count = position != NULL ? position->count : 0;
  *out = (sample_request){
      .kind = REQUEST_POINTS, .count = count, .point = input_take(3 * count, sizeof(double))};
  for (size_t k = 0; k < 3 * count; ++k) out->point[k] = input_value(position, k);
  input_close(&input, env);
  for (size_t k = 0; k < 3 * count; ++k) {
    if (isfinite(out->point[k])) continue;
    complain("%s: point %zu is not finite", path, k / 3 + 1);
    return false;
  }
  if (count == 0) complain("%s: no points in the file", path);
  return count > 0;
}

void request_free(sample_request *request) {
  free(request->point);
  *request = (sample_request){.count = 0};
}
