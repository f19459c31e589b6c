// Removes noise from a picture: non-local means with weights by small patches of light and by
// noise-free guides (albedo, normal, depth). Each half of the samples is averaged with weights from
// the other half, so that weights and noise are not correlated: Rousselle, Knaus & Zwicker 2012; Rousselle,
// Manzi & Zwicker 2013.
//
// Light is divided by albedo before and multiplied by it after, so that colours of surfaces are not smoothed.
// Independent tiles with margins: no pixel depends on a thread.
#include <math.h>
#include <string.h>

#include "render/picture.h"
#include "render/tuning.inc"

enum {
  REACH = 6,  // of the window
  PATCH = 2,  // of the patches that are compared
  MARGIN = REACH + PATCH,
  TILE = 64,
  WIDE = TILE + 2 * MARGIN,
  AREA = WIDE * WIDE,
  LIGHTS = 3,
  GROUPS = 3  // of guides: albedo, normal, depth
};

static const float GUIDE_LEAST[GROUPS] = {2e-3F, 2e-3F,
                                          1e-4F};  // variance, below which differences do not count
static const int GROUP_FIRST[GROUPS + 1] = {0, 3, 6, 7};

// Data of a tile: planes of WIDE x WIDE pixels.
typedef struct tile {
  int end;  // of the rows of the picture, with the margin before them
  float light[2][LIGHTS][AREA];
  float noise[LIGHTS][AREA];  // variance of each half
  float guide[MOTE_PICTURE_GUIDES][AREA];
  float scale[GROUPS][AREA];  // 1 / (k^2 variance) of the guides
  float distance[2][AREA], sum[AREA];
  float total[2][LIGHTS][AREA], weight[2][AREA];
} tile;

// --- From the picture and back -------------------------------------------------------------------------

static int mirrored(int x, int size) {
  if (x < 0) x = -x - 1;
  if (x >= size) x = 2 * size - 1 - x;
  return x < 0 ? 0 : x >= size ? size - 1 : x;
}

static size_t picture_at(const mote_picture *f, int x, int y) {
  return (size_t)mirrored(y, f->height) * (size_t)f->width + (size_t)mirrored(x, f->width);
}

static bool is_uncertain(const mote_picture *f, size_t at) {
  const float *blur = f->blur + MOTE_PICTURE_GUIDES * at;
  return blur[0] + blur[1] + blur[2] > UNCERTAIN_ALBEDO;
}

// The albedo by which light is divided: the pixel's own, or where its paths met different things, as through
// glass with occasional reflections, the mean of 5 x 5 pixels; its noise would return at the end.
static void find_albedo(const mote_picture *f, float *albedo) {
  for (int y = 0; y < f->height; ++y)
    for (int x = 0; x < f->width; ++x) {
      size_t at = picture_at(f, x, y);
      int reach = is_uncertain(f, at) ? 2 : 0;
      float sum[3] = {0, 0, 0}, count = (float)((2 * reach + 1) * (2 * reach + 1));
      for (int v = y - reach; v <= y + reach; ++v)
        for (int u = x - reach; u <= x + reach; ++u)
          for (size_t k = 0; k < 3; ++k) sum[k] += f->guide[MOTE_PICTURE_GUIDES * picture_at(f, u, v) + k];
      for (size_t k = 0; k < 3; ++k)
        albedo[3 * at + k] = sum[k] / count > LEAST_ALBEDO ? sum[k] / count : LEAST_ALBEDO;
    }
}

// The variance of a half, mean of 3 x 3 pixels: that of a few samples has too much noise.
static float noise_near(const mote_picture *f, const float *albedo, int x, int y, size_t k) {
  float sum = 0;
  for (int v = y - 1; v <= y + 1; ++v)
    for (int u = x - 1; u <= x + 1; ++u) {
      size_t at = picture_at(f, u, v);
      float a = albedo[3 * at + k];
      sum += f->noise[3 * at + k] / (a * a);
    }
  return 2 * sum / 9;
}

// Guides that vary within a pixel or from pixel to pixel are less reliable: the larger variation is their
// scale.
static float guide_spread(const mote_picture *f, int x, int y, int group) {
  float spread = 0;
  for (int k = GROUP_FIRST[group]; k < GROUP_FIRST[group + 1]; ++k) {
    size_t own = MOTE_PICTURE_GUIDES * picture_at(f, x, y) + (size_t)k;
    float slope = 0;
    for (int axis = 0; axis < 2; ++axis) {
      size_t before = MOTE_PICTURE_GUIDES * picture_at(f, x - (axis == 0), y - (axis == 1)) + (size_t)k;
      size_t after = MOTE_PICTURE_GUIDES * picture_at(f, x + (axis == 0), y + (axis == 1)) + (size_t)k;
      float a = fabsf(f->guide[own] - f->guide[before]), b = fabsf(f->guide[after] - f->guide[own]);
      float least = a < b ? a : b;
      slope += least * least;
    }
    spread += f->blur[own] > slope ? f->blur[own] : slope;
  }
  return spread > GUIDE_LEAST[group] ? spread : GUIDE_LEAST[group];
}

static void load_tile(const mote_picture *f, const float *albedo, int x0, int y0, tile *t) {
  t->end = MARGIN + (f->height - y0 < TILE ? f->height - y0 : TILE);
  for (int v = 0; v < WIDE; ++v)
    for (int u = 0; u < WIDE; ++u) {
      int x = x0 + u - MARGIN, y = y0 + v - MARGIN, to = v * WIDE + u;
      size_t at = picture_at(f, x, y);
      x = mirrored(x, f->width), y = mirrored(y, f->height);
      for (size_t k = 0; k < LIGHTS; ++k) {
        float a = albedo[3 * at + k];
        for (int h = 0; h < 2; ++h) t->light[h][k][to] = f->light[h][3 * at + k] / a;
        t->noise[k][to] = noise_near(f, albedo, x, y, k);
      }
      for (size_t k = 0; k < MOTE_PICTURE_GUIDES; ++k)
        t->guide[k][to] = f->guide[MOTE_PICTURE_GUIDES * at + k];
      for (int g = 0; g < GROUPS; ++g)
        t->scale[g][to] = 1 / (SHARPNESS_OF_GUIDES * SHARPNESS_OF_GUIDES * guide_spread(f, x, y, g));
    }
  memset(t->total, 0, sizeof t->total);
  memset(t->weight, 0, sizeof t->weight);
}

static void store_tile(const mote_picture *f, const float *albedo, int x0, int y0, const tile *t,
                       float *out) {
  for (int v = 0; v < TILE && y0 + v < f->height; ++v)
    for (int u = 0; u < TILE && x0 + u < f->width; ++u) {
      size_t at = picture_at(f, x0 + u, y0 + v);
      int from = (v + MARGIN) * WIDE + u + MARGIN;
      for (size_t k = 0; k < LIGHTS; ++k) {
        float a = t->total[0][k][from] / t->weight[0][from], b = t->total[1][k][from] / t->weight[1][from];
        out[3 * at + k] = 0.5F * (a + b) * albedo[3 * at + k];
      }
    }
}

// --- Weights -------------------------------------------------------------------------------------------

// Difference of a row of pixels from the row `shift` away, beyond that expected from noise.
static void row_distance(const tile *t, int half, int row, int shift, float *restrict out) {
  for (int k = 0; k < LIGHTS; ++k) {
    const float *restrict a = t->light[half][k] + row, *restrict b = a + shift;
    const float *restrict va = t->noise[k] + row, *restrict vb = va + shift;
#pragma omp simd
    for (int x = REACH; x < WIDE - REACH; ++x) {
      float d = a[x] - b[x], least = va[x] < vb[x] ? va[x] : vb[x];
      float part =
          (d * d - va[x] - least) / (1e-5F + SHARPNESS_OF_LIGHT * SHARPNESS_OF_LIGHT * (va[x] + vb[x]));
      out[x] = (k == 0 ? 0 : out[x]) + part;
    }
  }
}

// Means over patches, first along rows, then along columns.
static void patch_means(float *restrict distance, float *restrict rows, int end) {
  for (int y = REACH; y < end + PATCH; ++y) {
    float *restrict r = rows + y * WIDE;
    for (int x = MARGIN; x < WIDE - MARGIN; ++x) r[x] = 0;
    for (int k = -PATCH; k <= PATCH; ++k) {
      const float *restrict d = distance + y * WIDE + k;
#pragma omp simd
      for (int x = MARGIN; x < WIDE - MARGIN; ++x) r[x] += d[x];
    }
  }
  const float part = 1.0F / (LIGHTS * (2 * PATCH + 1) * (2 * PATCH + 1));
  for (int y = MARGIN; y < end; ++y) {
    const float *restrict r = rows + y * WIDE;
    float *restrict d = distance + y * WIDE;
#pragma omp simd
    for (int x = MARGIN; x < WIDE - MARGIN; ++x)
      d[x] = part * (r[x - 2 * WIDE] + r[x - WIDE] + r[x] + r[x + WIDE] + r[x + 2 * WIDE]);
  }
}

static void guide_distance(const tile *t, int row, int shift, float *restrict out) {
  for (int x = 0; x < WIDE; ++x) out[x] = 0;
  for (int g = 0; g < GROUPS; ++g) {
    float sum[WIDE] = {0};
    for (int k = GROUP_FIRST[g]; k < GROUP_FIRST[g + 1]; ++k) {
      const float *restrict a = t->guide[k] + row, *restrict b = a + shift;
#pragma omp simd
      for (int x = MARGIN; x < WIDE - MARGIN; ++x) sum[x] += (a[x] - b[x]) * (a[x] - b[x]);
    }
    const float *restrict sa = t->scale[g] + row, *restrict sb = sa + shift;
#pragma omp simd
    for (int x = MARGIN; x < WIDE - MARGIN; ++x) {
      float d = sum[x] * (sa[x] < sb[x] ? sa[x] : sb[x]);
      out[x] = d > out[x] ? d : out[x];
    }
  }
}

// Adds the pixels `shift` away. (1 - d/8)^8 is near exp(-d), and ends.
static void add_row(tile *t, int half, int row, int shift, const float *restrict guide) {
  const float *restrict d = t->distance[1 - half] + row;
  float weight[WIDE], *restrict total = t->weight[half] + row;
#pragma omp simd
  for (int x = MARGIN; x < WIDE - MARGIN; ++x) {
    float far = d[x] > guide[x] ? d[x] : guide[x], w = 1 - 0.125F * (far > 0 ? far : 0);
    w = w > 0 ? w * w : 0;
    w *= w;
    weight[x] = w * w;
    total[x] += weight[x];
  }
  for (int k = 0; k < LIGHTS; ++k) {
    const float *restrict from = t->light[half][k] + row + shift;
    float *restrict to = t->total[half][k] + row;
#pragma omp simd
    for (int x = MARGIN; x < WIDE - MARGIN; ++x) to[x] += weight[x] * from[x];
  }
}

static void add_shifted(tile *t, int dx, int dy) {
  int shift = dy * WIDE + dx;
  for (int half = 0; half < 2; ++half) {
    for (int y = REACH; y < t->end + PATCH; ++y)
      row_distance(t, half, y * WIDE, shift, t->distance[half] + y * WIDE);
    patch_means(t->distance[half], t->sum, t->end);
  }
  for (int y = MARGIN; y < t->end; ++y) {
    float guide[WIDE];
    guide_distance(t, y * WIDE, shift, guide);
    for (int half = 0; half < 2; ++half) add_row(t, half, y * WIDE, shift, guide);
  }
}

// --- Pictures --------------------------------------------------------------------------------------------

typedef struct job {
  const mote_picture *picture;
  const float *albedo;
  tile *scratch;  // one per thread
  float *out;
} job;

static void clean_tiles(void *data, size_t begin, size_t end, int worker) {
  const job *j = data;
  tile *t = j->scratch + worker;
  size_t across = (size_t)(j->picture->width + TILE - 1) / TILE;
  for (size_t k = begin; k < end; ++k) {
    int x0 = (int)(k % across) * TILE, y0 = (int)(k / across) * TILE;
    load_tile(j->picture, j->albedo, x0, y0, t);
    for (int dy = -REACH; dy <= REACH; ++dy)
      for (int dx = -REACH; dx <= REACH; ++dx) add_shifted(t, dx, dy);
    store_tile(j->picture, j->albedo, x0, y0, t, j->out);
  }
}

bool mote_picture_denoise(const mote_picture *picture, float *out) {
  int threads = picture->env.threads < 1 ? 1 : picture->env.threads > 1024 ? 1024 : picture->env.threads;
  size_t across = (size_t)(picture->width + TILE - 1) / TILE,
         down = (size_t)(picture->height + TILE - 1) / TILE;
  if ((size_t)threads > across * down) threads = (int)(across * down);
  size_t bytes = (size_t)threads * sizeof(tile);
  size_t plane = 3 * (size_t)picture->width * (size_t)picture->height * sizeof(float);
  tile *scratch = mote_io_new(&picture->env, bytes);
  float *albedo = mote_io_new(&picture->env, plane);
  bool ok = scratch != NULL && albedo != NULL;
  if (ok) find_albedo(picture, albedo);
  job j = {picture, albedo, scratch, out};
  mote_env env = picture->env;
  env.threads = threads;
  if (ok) mote_env_run(&env, across * down, 1, clean_tiles, &j);
  mote_io_delete(&picture->env, scratch, bytes);
  mote_io_delete(&picture->env, albedo, plane);
  return ok;
}
