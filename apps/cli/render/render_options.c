// The values of mote render's options: see render_options.h.
#include "cli/render/render_options.h"

#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/sample/sample_request.h"

#define RADIANS_PER_DEGREE 0.017453292519943295

render_options render_options_default(void) {
  render_options o = {.low = (double)NAN, .high = (double)NAN, .section_axis = -1};
  for (int k = 0; k < 3; ++k) o.camera.from[k] = o.camera.to[k] = (double)NAN;
  o.camera.angle = o.camera.shutter = o.camera.aperture = o.camera.focus = (double)NAN;
  o.exposure = o.noise = o.daylight = (double)NAN;
  for (int k = 0; k < 3; ++k) o.sun[k] = (double)NAN, o.backdrop[k] = (float)NAN;
  o.surface.def = mote_surface_def_default(), o.surface.walls = true;
  return o;
}

// The place of the word among the names; -1 after a complaint.
static int choose(const char *name, const char *word, const char *const *names, size_t count) {
  char list[256] = "", near[128];
  for (size_t k = 0; k < count; ++k) {
    if (strcmp(word, names[k]) == 0) return (int)k;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k == 0 ? "" : k + 1 == count ? " or " : ", ", names[k]);
  }
  complain("%s takes %s, not \"%s\"%s", name, list, word, suggestion(word, names, count, near, sizeof near));
  return -1;
}

bool render_read_as(const char *text, render_options *o) {
  static const char *const names[] = {"surface", "spheres", "ellipsoids", "puffs", "section"};
  int found = choose("--as", text, names, 5);
  if (found >= 0) o->as = (render_as)(RENDER_SURFACE + found);
  return found >= 0;
}

bool render_read_map(const char *text, render_options *o) {
  static const char *const names[] = {"sequential", "diverging", "grey", "water", "heat"};
  int found = choose("--map", text, names, 5);
  if (found >= 0) o->map = (mote_colour_map)found, o->mapped = true;
  return found >= 0;
}

bool render_read_view(const char *text, render_options *o) {
  static const char *const names[] = {"action", "domain"};
  int found = choose("--view", text, names, 2);
  o->whole = found == 1;
  return found >= 0;
}

// A name, or sRGB as #rrggbb.
bool render_read_backdrop(const char *text, render_options *o) {
  static const char *const names[] = {"sky", "dark", "grey", "white"};
  static const float light[] = {(float)NAN, 0.010F, 0.20F, 0.85F};
  char hex[] = "0123456789abcdefABCDEF";
  if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, hex) == 6) {
    unsigned long rgb = strtoul(text + 1, NULL, 16);
    mote_look look =
        render_look_painted((mote_colour){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, 255});
    memcpy(o->backdrop, look.colour, sizeof o->backdrop);
    return true;
  }
  if (text[0] == '#') {
    complain("--backdrop takes a colour as #rrggbb, e.g. #203040, not \"%s\"", text);
    return false;
  }
  int found = choose("--backdrop", text, names, 4);
  for (int k = 0; found >= 0 && k < 3; ++k) o->backdrop[k] = light[found];
  return found >= 0;
}

bool render_read_size(const char *text, render_options *o) {
  int used = 0;
  bool read = sscanf(text, "%5dx%5d%n", &o->width, &o->height, &used) == 2 && text[used] == '\0';
  if (read && o->width >= 16 && o->height >= 16 && o->width <= 16384 && o->height <= 16384 &&
      o->width * o->height <= MOTE_PREVIEW_PIXELS_MAX)
    return true;
  complain(
      "--size takes width x height in pixels, e.g. 1280x720 (16 to 16384, %d million in all), not \"%s\"",
      MOTE_PREVIEW_PIXELS_MAX / 1000000, text);
  return false;
}

// "a:b"; either may be left out.
static bool read_pair(const char *text, double *a, double *b) {
  char first[64];
  const char *colon = strchr(text, ':');
  if (colon == NULL || (size_t)(colon - text) >= sizeof first) return false;
  snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
  return (first[0] == '\0' || parse_number(first, a)) && (colon[1] == '\0' || parse_number(colon + 1, b));
}

bool render_read_range(const char *text, render_options *o) {
  bool read = read_pair(text, &o->low, &o->high);
  if (read && (isnan(o->low) || isnan(o->high) || o->low < o->high)) return true;
  complain("--range takes the values at both ends of the colour map, e.g. 0:4, not \"%s\"", text);
  return false;
}

bool render_read_section(const char *text, render_options *o) {
  bool read = (text[0] >= 'x' && text[0] <= 'z') && text[1] == '=' && parse_number(text + 2, &o->section_at);
  if (read) {
    o->section_axis = text[0] - 'x';
    o->as = RENDER_SECTION;
    return true;
  }
  complain("--section takes a plane as x=0.5, y=... or z=..., not \"%s\"", text);
  return false;
}

// "x>0.5" takes away what lies there, "x<0.5" the other side.
bool render_read_cut(const char *text, render_options *o) {
  double at = 0;
  bool read =
      (text[0] >= 'x' && text[0] <= 'z') && (text[1] == '<' || text[1] == '>') && parse_number(text + 2, &at);
  if (!read) {
    complain("--cut takes the half-space to cut away, e.g. \"x>0.5\" or \"z<0\", not \"%s\"", text);
    return false;
  }
  double sign = text[1] == '<' ? 1 : -1;
  o->cut[text[0] - 'x'] = sign, o->cut[3] = sign * at;
  return true;
}

bool render_read_place(const char *name, const char *text, double out[3]) {
  const char *c = text;
  for (int k = 0; c != NULL && k < 3; ++k) {
    mote_text_scan scan = mote_text_read_double(c, strlen(c), MOTE_TEXT_FINITE, &out[k]);
    char next = scan.length > 0 && !scan.overflow ? c[scan.length] : '?';
    c = next == (k < 2 ? ',' : '\0') ? c + scan.length + 1 : NULL;
  }
  if (c == NULL) complain("%s takes a point as x,y,z, not \"%s\"", name, text);
  return c != NULL;
}

static bool read_angle(const char *text, double *out) {
  double degrees = 0;
  if (parse_number(text, &degrees) && degrees >= 1 && degrees <= 150) {
    *out = RADIANS_PER_DEGREE * degrees;
    return true;
  }
  complain("the camera's angle is 1 to 150 degrees, not \"%s\"", text);
  return false;
}

// "from 1,2,3 to 0,0,0 angle 40", each part once or not at all.
bool render_read_camera(const char *text, render_options *o) {
  char copy[512];
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    char *value = strtok(NULL, " ");
    bool good = false;
    if (value != NULL && strcmp(word, "from") == 0)
      good = render_read_place("from", value, o->camera.from);
    else if (value != NULL && strcmp(word, "to") == 0)
      good = render_read_place("to", value, o->camera.to);
    else if (value != NULL && strcmp(word, "angle") == 0)
      good = read_angle(value, &o->camera.angle);
    else
      complain("--camera takes \"from x,y,z to x,y,z angle DEGREES\" or parts of it, not \"%s\"", text);
    if (!good) return false;
  }
  return true;
}
