// Previews: checks, bounds of the view, and the bands of the picture in sequence. See preview.h.
#include "draw/preview.h"

#include <math.h>

#include "draw/tuning.inc"

mote_preview_def mote_preview_def_default(void) {
  const double nan3 = (double)NAN;
  return (mote_preview_def){.width = 1280,
                            .height = 720,
                            .camera = {.from = {nan3, nan3, nan3}, .to = {nan3, nan3, nan3}, .angle = nan3},
                            .up = {0, 1, 0},
                            .low = {nan3, nan3, nan3},
                            .high = {nan3, nan3, nan3},
                            .background = {233, 236, 239, 255},
                            .ground = nan3,
                            .light = {-0.45, 1, 0.5},
                            .shade = {.map = MOTE_MAP_WATER, .low = nan3, .high = nan3, .bar = true}};
}

mote_preview_scene mote_preview_scene_default(void) {
  const double nan3 = (double)NAN;
  return (mote_preview_scene){
      .low = {nan3, nan3, nan3}, .high = {nan3, nan3, nan3}, .time = nan3, .radius = nan3};
}

static mote_result refuse(mote_error *error, const char *text) {
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "%s", text);
}

static mote_result check_mesh(const mote_mesh *mesh, mote_error *error) {
  if (mesh->triangles > 0 && (mesh->vertex == NULL || mesh->triangle == NULL))
    return refuse(error, "a preview's mesh has triangles, but a null array");
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    if (mesh->triangle[k] >= mesh->vertices)
      return refuse(error, "a preview's mesh has a triangle without a vertex");
  return MOTE_OK;
}

static mote_result check_cut(const double cut[4], mote_error *error) {
  bool none = cut[0] == 0 && cut[1] == 0 && cut[2] == 0;
  for (int k = 0; k < 4; ++k)
    if (!isfinite(cut[k])) return refuse(error, "a preview's cut needs a normal and a distance");
  return none && cut[3] != 0 ? refuse(error, "a preview's cut needs a normal") : MOTE_OK;
}

static mote_result check_scene(const mote_preview_scene *s, mote_error *error) {
  if (s->count > 0 && s->position == NULL) return refuse(error, "the positions of a preview are null");
  if (s->count > 0 && !(s->radius > 0 && isfinite(s->radius)))
    return refuse(error, "the radius of a preview's particles must be positive");
  if (s->count >= MOTE_WHAT_FACET) return refuse(error, "a preview draws at most 2147483647 particles");
  if (s->value.data != NULL && (s->value.count != s->count || s->value.components < 1 ||
                                (int)s->value.type < 0 || s->value.type >= MOTE_TYPE_COUNT))
    return refuse(error, "a preview needs one value for each particle");
  if (s->meshes > 0 && s->mesh == NULL) return refuse(error, "the meshes of a preview are null");
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < s->meshes && result == MOTE_OK; ++k) result = check_mesh(&s->mesh[k].mesh, error);
  return result;
}

static mote_result check(const mote_preview_def *def, const mote_preview_scene *scene, mote_image **out,
                         mote_error *error) {
  if (def == NULL || scene == NULL || out == NULL) return refuse(error, "an argument of a preview is null");
  if (def->width > 0 && def->height > 0 && (int64_t)def->width * def->height > MOTE_PREVIEW_PIXELS_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "a preview of %d x %d pixels: at most %d in all",
                        def->width, def->height, MOTE_PREVIEW_PIXELS_MAX);
  if ((int)def->shade.map < 0 || def->shade.map > MOTE_MAP_HEAT)
    return refuse(error, "there is no such colour map");
  mote_result result = check_cut(def->cut, error);
  return result == MOTE_OK ? check_scene(scene, error) : result;
}

static void include(double low[3], double high[3], const double x[3], double radius) {
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) return;
  for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], x[k] - radius), high[k] = fmax(high[k], x[k] + radius);
}

static double choose(double first, double second, double third, double fourth) {
  return isfinite(first) ? first : isfinite(second) ? second : isfinite(third) ? third : fourth;
}

// The camera's bounds, axis by axis: as requested, the box, all objects, or a unit.
static void find_bounds(mote_preview *p) {
  const mote_preview_scene *s = p->scene;
  const double far = (double)INFINITY;
  double low[3] = {far, far, far}, high[3] = {-far, -far, -far};
  for (size_t i = 0; i < s->count; ++i) include(low, high, s->position + 3 * i, s->radius);
  for (size_t m = 0; m < s->meshes && s->count == 0; ++m)
    for (size_t v = 0; v < s->mesh[m].mesh.vertices; ++v)
      include(low, high, s->mesh[m].mesh.vertex + 3 * v, 0);
  for (int k = 0; k < 3; ++k) {
    p->low[k] = choose(p->def->low[k], s->low[k], low[k], -1);
    p->high[k] = choose(p->def->high[k], s->high[k], high[k], 1);
    if (p->low[k] < p->high[k]) continue;
    double middle = (p->low[k] + p->high[k]) / 2;
    p->low[k] = middle - 1, p->high[k] = middle + 1;
  }
  p->ground = isnan(p->def->ground) ? (isfinite(s->low[1]) ? s->low[1] : (double)-INFINITY) : p->def->ground;
}

static void place_camera(mote_preview *p) {
  const double times = MOTE_PREVIEW_SAMPLES;
  mote_viewport viewport = mote_preview_viewport(p);
  viewport =
      (mote_viewport){times * viewport.x0, times * viewport.y0, times * viewport.x1, times * viewport.y1};
  p->camera = p->def->flat ? mote_camera_flat(p->low, p->high, viewport)
                           : mote_camera_make(&p->def->camera, p->def->up, p->low, p->high, viewport,
                                              times * p->def->width, times * p->def->height);
  double length = 0;
  for (int k = 0; k < 3; ++k) length += p->def->light[k] * p->def->light[k];
  for (int k = 0; k < 3; ++k)
    p->light[k] = length > 0 && isfinite(length) ? (float)(p->def->light[k] / sqrt(length)) : (float)(k == 1);
}

static mote_result prepare(mote_preview *p, mote_error *error) {
  mote_preview_tables(p);
  mote_preview_range(p);
  find_bounds(p);
  place_camera(p);
  mote_preview_keep(p);
  mote_result result = mote_sphere_sort(p, error);
  if (result == MOTE_OK) result = mote_facets_make(p, error);
  if (result == MOTE_OK) result = mote_light_grid_build(p, error);
  return result;
}

static size_t band_samples(const mote_preview *p) {
  return (size_t)(MOTE_PREVIEW_SAMPLES * p->def->width) * (MOTE_PREVIEW_SAMPLES * MOTE_PREVIEW_BAND);
}

static void free_band(const mote_preview *p, mote_band *band) {
  size_t samples = band_samples(p);
  mote_io_delete(&p->env, band->depth, samples * sizeof *band->depth);
  mote_io_delete(&p->env, band->what, samples * sizeof *band->what);
  mote_io_delete(&p->env, band->light, 3 * samples * sizeof *band->light);
}

static bool make_band(const mote_preview *p, mote_band *band) {
  size_t samples = band_samples(p);
  *band = (mote_band){.width = MOTE_PREVIEW_SAMPLES * p->def->width};
  band->depth = mote_io_new(&p->env, samples * sizeof *band->depth);
  band->what = mote_io_new(&p->env, samples * sizeof *band->what);
  band->light = mote_io_new(&p->env, 3 * samples * sizeof *band->light);
  return band->depth != NULL && band->what != NULL && band->light != NULL;
}

static void fill_opaque(const mote_preview *p, mote_band *band, size_t at, float depth, size_t facet) {
  (void)p;
  band->depth[at] = depth;
  band->what[at] = MOTE_WHAT_FACET | (uint32_t)facet;
}

// Blends a transparent surface over the present colour.
static void blend_clear(const mote_preview *p, mote_band *band, size_t at, float depth, size_t number) {
  const mote_facet *facet = p->facet + number;
  const mote_camera *c = &p->camera;
  float x = (float)(at % (size_t)band->width) + 0.5F, normal[3], from_eye[3], light[3], view[3], begin, end;
  float y = (float)(band->top + (int)(at / (size_t)band->width)) + 0.5F;
  float away = c->flat ? 1 : depth, alpha = (float)facet->colour.alpha / 255;
  mote_cut_piece(p, &p->cut, x, y, &begin, &end);
  if (!(depth > begin && depth < end)) return;
  mote_camera_ray(c, x, y, view);
  view[0] *= away, view[1] *= away, view[2] = depth;
  mote_camera_world(c, view, from_eye);
  mote_camera_world(c, facet->normal, normal);
  mote_preview_clear(p, from_eye, normal, facet->colour, light);
  for (int k = 0; k < 3; ++k) band->light[3 * at + k] += alpha * (light[k] - band->light[3 * at + k]);
}

// The mean of each pixel's samples.
static void resolve(const mote_preview *p, const mote_band *band, mote_image *image) {
  const int n = MOTE_PREVIEW_SAMPLES;
  for (int y = 0; y < band->height / n; ++y)
    for (int x = 0; x < band->width / n; ++x) {
      float sum[3] = {0, 0, 0};
      for (int s = 0; s < n * n; ++s) {
        const float *light =
            band->light + 3 * ((size_t)(n * y + s / n) * (size_t)band->width + (size_t)(n * x + s % n));
        for (int k = 0; k < 3; ++k) sum[k] += light[k];
      }
      uint8_t *pixel = image->pixel + 4 * ((size_t)(band->top / n + y) * (size_t)image->width + (size_t)x);
      for (int k = 0; k < 3; ++k) {
        float light = sum[k] * (4096.0F / (float)(n * n));
        pixel[k] = p->srgb[light < 4096 ? (int)light : 4096];
      }
      pixel[3] = 255;
    }
}

// Liquids after the others: where both are cut, a wall or a body hides the part of the liquid's surface
// inside it.
static void draw_parts(const mote_preview *p, mote_band *band, mote_layer *layer, bool liquid) {
  for (size_t k = 0; k < p->parts; ++k) {
    const mote_part *part = p->part + k;
    if (part->liquid != liquid) continue;
    if (mote_part_is_cut(p, part))
      mote_layer_draw(p, part, layer, band);
    else
      for (size_t f = 0; f < part->count; ++f) mote_facet_raster(p, band, part->first + f, fill_opaque);
  }
}

static void draw_band(const mote_preview *p, mote_band *band, mote_layer *layer, mote_image *image) {
  size_t samples = (size_t)band->width * (size_t)band->height;
  for (size_t k = 0; k < samples; ++k) band->depth[k] = INFINITY, band->what[k] = MOTE_WHAT_NOTHING;
  draw_parts(p, band, layer, false);
  draw_parts(p, band, layer, true);
  mote_sphere_raster(p, band);
  mote_preview_light(p, band);
  for (size_t k = p->opaque; k < p->facets; ++k) mote_facet_raster(p, band, k, blend_clear);
  mote_preview_box(p, band);
  resolve(p, band, image);
}

static mote_result draw_picture(const mote_preview *p, mote_image *image, mote_error *error) {
  mote_band band;
  mote_layer layer;
  bool ok = make_band(p, &band), layered = mote_layer_make(p, &layer);
  ok = ok && layered;
  for (int y = 0; ok && y < p->def->height; y += MOTE_PREVIEW_BAND) {
    int rows = p->def->height - y < MOTE_PREVIEW_BAND ? p->def->height - y : MOTE_PREVIEW_BAND;
    band.top = MOTE_PREVIEW_SAMPLES * y, band.height = MOTE_PREVIEW_SAMPLES * rows;
    draw_band(p, &band, &layer, image);
  }
  free_band(p, &band);
  mote_layer_free(p, &layer);
  ok = ok && mote_preview_words(p, image);
  return ok ? MOTE_OK : mote_io_fail_memory(error);
}

mote_result mote_preview_draw(const mote_preview_def *def, const mote_preview_scene *scene,
                              const mote_env *env, mote_image **out, mote_error *error) {
  mote_result result = check(def, scene, out, error);
  if (result != MOTE_OK) return result;
  mote_preview p = {.env = mote_io_env(env), .def = def, .scene = scene, .shade = def->shade};
  p.radius = scene->count > 0 ? scene->radius * (def->flat ? DISC_SCALE : 1) : 0;
  mote_image *image = NULL;
  result = mote_image_create(def->width, def->height, &p.env, &image, error);
  if (result == MOTE_OK) result = prepare(&p, error);
  if (result == MOTE_OK) result = draw_picture(&p, image, error);
  mote_io_delete(&p.env, p.ball, scene->count * sizeof *p.ball);
  mote_buffer_free(&p.facet_bytes);
  mote_io_delete(&p.env, p.part, scene->meshes * sizeof *p.part);
  mote_light_grid_free(&p.grid, &p.env);
  if (result == MOTE_OK)
    *out = image;
  else
    mote_image_destroy(image);
  return result;
}
