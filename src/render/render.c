// Rendered pictures: defaults, tracing by tiles, and the final image. See trace.h.
#include <math.h>

#include "draw/image.h"
#include "render/render_parts.h"
#include "render/tuning.inc"

#define TILE_PIXELS 16  // pixels along each side
#define FIRST_PATHS 4   // of each pixel, before its noise is looked at
#define RUN_PATHS ((size_t)1 << 19)

mote_render_scene mote_render_scene_default(void) {
  const double none = (double)NAN;
  return (mote_render_scene){.low = {none, none, none}, .high = {none, none, none}, .time = none};
}

mote_render_def mote_render_def_default(void) {
  const double none = (double)NAN;
  return (mote_render_def){.width = 1280,
                           .height = 720,
                           .samples = 32,
                           .noise = 0.4,
                           .bounces = 4,
                           .denoise = true,
                           .caustics = true,
                           .camera = {.from = {none, none, none}, .to = {none, none, none}, .angle = none},
                           .up = {0, 1, 0},
                           .low = {none, none, none},
                           .high = {none, none, none},
                           .frame = 1,
                           .exposure = 1,
                           .depth = none,
                           .sun = {-0.65, 0.85, 0.35},
                           .sun_strength = 1,
                           .sky_strength = 1,
                           .ground = none,
                           .backdrop = {(float)NAN, (float)NAN, (float)NAN},
                           .ground_look = mote_look_matte(0.38F, 0.385F, 0.39F)};
}

// --- Pixels --------------------------------------------------------------------------------------------

typedef struct tracing {
  const mote_trace *t;
  mote_picture *picture;
  size_t first;  // tile of this run
} tracing;

// Sums over the samples of a pixel.
typedef struct tally {
  float light[2][3], square[3];
  float guide[MOTE_PICTURE_GUIDES], guide_square[MOTE_PICTURE_GUIDES];
  int glass;  // paths that met glass first
} tally;

static void count_in(tally *sum, const mote_trace *t, const mote_sight *sight, int sample) {
  const float light[3] = {sight->light.x, sight->light.y, sight->light.z};
  float depth = sight->depth / t->size;
  const float guide[MOTE_PICTURE_GUIDES] = {sight->albedo.x,          sight->albedo.y, sight->albedo.z,
                                            sight->normal.x,          sight->normal.y, sight->normal.z,
                                            depth < 100 ? depth : 100};
  sum->glass += sight->glass;
  for (int k = 0; k < 3; ++k) {
    sum->light[sample & 1][k] += light[k];
    sum->square[k] += light[k] * light[k];
  }
  for (int k = 0; k < MOTE_PICTURE_GUIDES; ++k) {
    sum->guide[k] += guide[k];
    sum->guide_square[k] += guide[k] * guide[k];
  }
}

// The variance of the mean of n from their sum and the sum of their squares.
static float variance(float sum, float square, int n) {
  float mean = sum / (float)n, spread = square / (float)n - mean * mean;
  return spread > 0 ? spread / (float)(n > 1 ? n - 1 : 1) : 0;
}

static void put_pixel(mote_picture *picture, size_t at, const tally *sum, int n) {
  int half[2] = {(n + 1) / 2, n / 2};
  for (size_t k = 0; k < 3; ++k) {
    float all = sum->light[0][k] + sum->light[1][k];
    for (int h = 0; h < 2; ++h)
      picture->light[h][3 * at + k] = half[h] > 0 ? sum->light[h][k] / (float)half[h] : all / (float)n;
    picture->noise[3 * at + k] = variance(all, sum->square[k], n);
  }
  for (size_t k = 0; k < MOTE_PICTURE_GUIDES; ++k) {
    picture->guide[MOTE_PICTURE_GUIDES * at + k] = sum->guide[k] / (float)n;
    picture->blur[MOTE_PICTURE_GUIDES * at + k] = variance(sum->guide[k], sum->guide_square[k], n);
  }
}

// The pixels of a tile. Their own noise and that of their neighbours in the tile determine which
// need more paths: no pixel depends on a thread.
typedef struct patch {
  int x, y, wide, tall;
  tally sum[TILE_PIXELS * TILE_PIXELS];
  int paths[TILE_PIXELS * TILE_PIXELS];
  float noise[TILE_PIXELS * TILE_PIXELS];  // relative deviation of the mean
} patch;

static void follow_paths(const tracing *p, patch *b, int at, int paths) {
  const mote_render_def *def = p->t->def;
  int x = b->x + at % b->wide, y = b->y + at / b->wide;
  uint32_t pixel = (uint32_t)y * (uint32_t)def->width + (uint32_t)x;
  tally *sum = b->sum + at;
  for (int k = b->paths[at]; k < paths; ++k) {
    mote_sampler s = sampler_make(def->seed, pixel, (uint32_t)k);
    mote_sample_point u = sampler_next(&s);
    mote_sight sight = mote_trace_pixel(p->t, (float)x + u.a, (float)y + u.b, &s);
    count_in(sum, p->t, &sight, k);
  }
  b->paths[at] = paths;
  float light = 0, spread = 0;
  for (int k = 0; k < 3; ++k) {
    light += (sum->light[0][k] + sum->light[1][k]) / (float)(3 * paths);
    spread += variance(sum->light[0][k] + sum->light[1][k], sum->square[k], paths) / 3;
  }
  b->noise[at] = sqrtf(spread) / (light > NOISE_LIGHT_MIN ? light : NOISE_LIGHT_MIN);
}

// Whether the pixel shows different things: outlines need more samples than surfaces. False
// for glass, where guides vary everywhere.
static bool is_outline(const tally *sum, int paths) {
  if (sum->glass > 0) return sum->glass < paths;
  float spread = 0;
  for (int k = 0; k < 6; ++k)
    spread += variance(sum->guide[k], sum->guide_square[k], paths) * (float)(paths - 1);
  return spread > OUTLINE_DEVIATION * OUTLINE_DEVIATION;
}

// Few paths may all have missed light found in a neighbour.
static bool is_noisy(const patch *b, int at, float most) {
  if (b->paths[at] == 0) return true;
  if (OUTLINE_NOISE * b->noise[at] > most && is_outline(b->sum + at, b->paths[at])) return true;
  int x = at % b->wide, y = at / b->wide;
  for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < b->tall; ++v)
    for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < b->wide; ++u)
      if (b->noise[v * b->wide + u] > most) return true;
  return false;
}

static void draw_tile(const tracing *p, patch *b) {
  const mote_render_def *def = p->t->def;
  int pixels = b->wide * b->tall;
  bool wanted[TILE_PIXELS * TILE_PIXELS];
  for (int k = 0; k < pixels; ++k) b->sum[k] = (tally){0}, b->paths[k] = 0, b->noise[k] = INFINITY;
  for (int paths = def->noise > 0 ? FIRST_PATHS : def->samples;; paths *= 2) {
    if (paths > def->samples) paths = def->samples;
    for (int k = 0; k < pixels; ++k) wanted[k] = is_noisy(b, k, (float)def->noise);
    for (int k = 0; k < pixels; ++k)
      if (wanted[k]) follow_paths(p, b, k, paths);
    if (paths == def->samples) break;
  }
  for (int k = 0; k < pixels; ++k) {
    size_t at = (size_t)(b->y + k / b->wide) * (size_t)def->width + (size_t)(b->x + k % b->wide);
    put_pixel(p->picture, at, b->sum + k, b->paths[k]);
  }
}

static void draw_tiles(void *data, size_t begin, size_t end, int worker) {
  const tracing *p = data;
  (void)worker;
  int across = (p->picture->width + TILE_PIXELS - 1) / TILE_PIXELS;
  for (size_t tile = p->first + begin; tile < p->first + end; ++tile) {
    patch b = {.x = (int)(tile % (size_t)across) * TILE_PIXELS,
               .y = (int)(tile / (size_t)across) * TILE_PIXELS};
    b.wide = p->picture->width - b.x < TILE_PIXELS ? p->picture->width - b.x : TILE_PIXELS;
    b.tall = p->picture->height - b.y < TILE_PIXELS ? p->picture->height - b.y : TILE_PIXELS;
    draw_tile(p, &b);
  }
}

static mote_result report(const mote_render_def *def, double part, mote_error *error) {
  if (def->progress == NULL || def->progress(def->progress_user, part)) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "stopped");
}

// In portions of a fiftieth of the picture or some seconds, between which it may be cancelled.
static mote_result trace_all(const mote_trace *t, mote_picture *picture, mote_error *error) {
  size_t across = (size_t)(picture->width + TILE_PIXELS - 1) / TILE_PIXELS,
         tiles = across * ((size_t)(picture->height + TILE_PIXELS - 1) / TILE_PIXELS);
  size_t few = RUN_PATHS / ((size_t)t->def->samples * TILE_PIXELS * TILE_PIXELS) + 16;
  size_t run = t->def->progress == NULL ? tiles : tiles / 50 < few ? tiles / 50 + 1 : few;
  for (size_t first = 0; first < tiles; first += run) {
    tracing p = {t, picture, first};
    size_t count = tiles - first < run ? tiles - first : run;
    mote_env_run(&t->env, count, 1, draw_tiles, &p);
    MOTE_IO_TRY(report(t->def, 0.95 * (double)(first + count) / (double)tiles, error));
  }
  return MOTE_OK;
}

// --- The picture ---------------------------------------------------------------------------------------

static mote_result finish(const mote_trace *t, const mote_picture *picture, mote_image *image,
                          mote_error *error) {
  size_t bytes = 3 * (size_t)picture->width * (size_t)picture->height * sizeof(float);
  float *light = mote_io_new(&t->env, bytes);
  if (light == NULL) return mote_io_fail_memory(error);
  bool ok = true;
  if (t->def->denoise)
    ok = mote_picture_denoise(picture, light);
  else
    mote_picture_mean(picture, light);
  if (ok && t->def->denoise) ok = mote_picture_despeckle(picture, light);
  if (ok) mote_render_tone(light, t->def->exposure, image);
  mote_io_delete(&t->env, light, bytes);
  ok = ok && mote_render_words(t, image);
  return ok ? MOTE_OK : mote_io_fail_memory(error);
}

static mote_result draw(mote_trace *t, mote_image *image, mote_error *error) {
  mote_picture picture;
  mote_result result = MOTE_OK;
  mote_render_tables(t);
  mote_render_view(t);
  if (!mote_picture_make(&picture, t->def->width, t->def->height, &t->env))
    result = mote_io_fail_memory(error);
  if (result == MOTE_OK) result = mote_trace_build(t, error);
  if (result == MOTE_OK) result = trace_all(t, &picture, error);
  mote_trace_free(t);
  if (result == MOTE_OK) result = finish(t, &picture, image, error);
  if (result == MOTE_OK) result = report(t->def, 1, error);
  mote_picture_free(&picture);
  return result;
}

mote_result mote_render_draw(const mote_render_def *def, const mote_render_scene *scene, const mote_env *env,
                             mote_image **out, mote_error *error) {
  MOTE_IO_TRY(mote_render_check(def, scene, out, error));
  mote_trace t = {.env = mote_io_env(env), .def = def, .scene = scene};
  mote_image *image = NULL;
  MOTE_IO_TRY(mote_image_create(def->width, def->height, &t.env, &image, error));
  mote_result result = draw(&t, image, error);
  if (result == MOTE_OK)
    *out = image;
  else
    mote_image_destroy(image);
  return result;
}
