// Layout of a rendered picture: the camera's bounds, the floor, the section, the sky; and
// the text on top, drawn as in a preview.
#include <math.h>

#include "draw/preview.h"
#include "render/render_parts.h"

typedef struct bounds {
  double low[3], high[3];
  double bottom;  // along up
} bounds;

static void include(bounds *b, const double x[3], const double reach[3], const double up[3]) {
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) return;
  double height = 0;
  for (int k = 0; k < 3; ++k) {
    b->low[k] = fmin(b->low[k], x[k] - reach[k]), b->high[k] = fmax(b->high[k], x[k] + reach[k]);
    height += up[k] * x[k] - fabs(up[k]) * reach[k];
  }
  b->bottom = fmin(b->bottom, height);
}

static bounds find_bounds(const mote_render_scene *s, const double up[3]) {
  const double far = (double)INFINITY, none[3] = {0, 0, 0};
  bounds b = {{far, far, far}, {-far, -far, -far}, far};
  for (size_t m = 0; m < s->meshes; ++m)
    for (size_t v = 0; v < s->mesh[m].mesh.vertices; ++v) {
      double at[3];
      mote_trace_place(s->mesh[m].pose, s->mesh[m].mesh.vertex + 3 * v, at);
      include(&b, at, none, up);
    }
  for (size_t n = 0; n < s->sphere_sets; ++n) {
    const mote_render_spheres *set = s->spheres + n;
    double reach[3] = {set->radius, set->radius, set->radius};
    for (size_t i = 0; i < set->count; ++i)
      if (set->G == NULL || mote_quadric_reach(set->G + 6 * i, reach))
        include(&b, set->position + 3 * i, reach, up);
  }
  return b;
}

static double choose(double first, double second, double third, double fourth) {
  return isfinite(first) ? first : isfinite(second) ? second : isfinite(third) ? third : fourth;
}

// Axis by axis: as requested, the tank, all objects, or a unit.
static void take_in(mote_trace *t, const bounds *b) {
  double diagonal = 0, longest = 0;
  for (int k = 0; k < 3; ++k) {
    t->low[k] = choose(t->def->low[k], t->scene->low[k], b->low[k], -1);
    t->high[k] = choose(t->def->high[k], t->scene->high[k], b->high[k], 1);
    if (!(t->low[k] < t->high[k])) {
      double middle = (t->low[k] + t->high[k]) / 2;
      t->low[k] = middle - 1, t->high[k] = middle + 1;
    }
    t->middle[k] = (t->low[k] + t->high[k]) / 2;
    diagonal += (t->high[k] - t->low[k]) * (t->high[k] - t->low[k]);
    longest = fmax(longest, t->high[k] - t->low[k]);
  }
  t->size = (float)(sqrt(diagonal) / 2);
  t->lift = 1e-5F * t->size;
  t->depth = isnan(t->def->depth) ? longest : t->def->depth;
}

static void lay_floor(mote_trace *t, const double up[3], const bounds *b) {
  double bottom = isfinite(t->def->ground) ? t->def->ground : b->bottom, shift = 0;
  bool tank = isnan(t->def->ground) && isfinite(t->scene->low[0]) && isfinite(t->scene->low[1]) &&
              isfinite(t->scene->low[2]);
  for (int k = 0; k < 3; ++k) shift += up[k] * t->middle[k];
  if (tank) {
    bottom = 0;
    for (int k = 0; k < 3; ++k) bottom += up[k] * (up[k] > 0 ? t->scene->low[k] : t->scene->high[k]);
  }
  if (!isfinite(bottom)) {
    bottom = 0;
    for (int k = 0; k < 3; ++k) bottom += up[k] * (up[k] > 0 ? t->low[k] : t->high[k]);
  }
  t->floor = (mote_floor){.there = t->def->ground != (double)-INFINITY,
                          .height = (float)(bottom - shift),
                          .look = t->def->ground_look,
                          .fade_from = 2.0F * t->size,
                          .fade_to = 9.0F * t->size};
}

// --- Words ---------------------------------------------------------------------------------------------

// A preview that contains only the text.
typedef struct words {
  mote_preview_def def;
  mote_preview_scene scene;
  mote_preview preview;
} words;

// Of linear light, approximately sRGB, which suffices for text.
static uint8_t backdrop_byte(float light) {
  return (uint8_t)(255 * sqrtf(clamp_unit(light)));
}

static void make_words(const mote_trace *t, words *w) {
  static uint8_t some;
  w->def = (mote_preview_def){.width = t->def->width, .height = t->def->height};
  const float *back = t->def->backdrop;
  if (isfinite(back[0]) && isfinite(back[1]) && isfinite(back[2]))  // behind the text
    w->def.background =
        (mote_colour){backdrop_byte(back[0]), backdrop_byte(back[1]), backdrop_byte(back[2]), 255};
  w->scene = (mote_preview_scene){.title = t->scene->title, .time = t->scene->time};
  w->preview = (mote_preview){.env = t->env, .def = &w->def, .scene = &w->scene};
  if (t->scene->shade == NULL) return;
  w->preview.shade = *t->scene->shade;
  w->scene.value.data = &some;  // there are values: a bar is drawn
}

bool mote_render_words(const mote_trace *t, mote_image *image) {
  words w;
  make_words(t, &w);
  return mote_preview_words(&w.preview, image);
}

// --- The camera ----------------------------------------------------------------------------------------

static void place_camera(mote_trace *t, const double up[3]) {
  words w;
  double eye[3], ahead[3] = {0, 0, 0}, focus = 0;
  make_words(t, &w);
  t->camera = mote_camera_make(&t->def->camera, up, t->low, t->high, mote_preview_viewport(&w.preview),
                               t->def->width, t->def->height);
  const double *to = t->def->camera.to;
  bool given = isfinite(to[0]) && isfinite(to[1]) && isfinite(to[2]);
  for (int k = 0; k < 3; ++k) {
    eye[k] = t->camera.eye[k] - t->middle[k];
    ahead[k] = (given ? to[k] - t->middle[k] : 0) - eye[k];
    focus += ahead[k] * t->camera.axis[2][k];
  }
  t->eye = vec_from_double(eye);
  t->right = vec_from_double(t->camera.axis[0]);
  t->upward = vec_from_double(t->camera.axis[1]);
  t->forward = vec_from_double(t->camera.axis[2]);
  t->focus = focus > 0 ? (float)focus : t->size;
  if (t->def->camera.focus > 0) t->focus = (float)t->def->camera.focus;
  t->shutter = (float)(t->def->camera.shutter * t->def->frame);
  t->aperture = (float)t->def->camera.aperture;
}

static void place_cut(mote_trace *t) {
  const double *n = t->def->cut;
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), at = n[3];
  t->cut = length > 0;
  if (!t->cut) return;
  for (int k = 0; k < 3; ++k) at -= n[k] * t->middle[k];
  t->cut_normal = vec_unit(vec_from_double(n));
  t->cut_at = (float)(at / length);
}

void mote_render_view(mote_trace *t) {
  double up[3], length = 0;
  for (int k = 0; k < 3; ++k) length += t->def->up[k] * t->def->up[k];
  for (int k = 0; k < 3; ++k) up[k] = t->def->up[k] / sqrt(length);
  bounds b = find_bounds(t->scene, up);
  take_in(t, &b);
  lay_floor(t, up, &b);
  place_camera(t, up);
  place_cut(t);
  t->sky = mote_sky_make(up, t->def->sun, t->def->sun_strength, t->def->sky_strength, t->def->backdrop);
}
