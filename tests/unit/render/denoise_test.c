// The denoiser: noise goes, the mean stays, edges of guides and of light stay, threads change nothing.
#include <math.h>
#include <mote/numeric.h>

#include "render/picture.h"
#include "test.h"

enum { W = 96, H = 80 };

// Noise of that deviation in each half, albedo and light by sides of the middle.
static void fill(mote_picture *f, float deviation, float left_albedo, float left_light) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      size_t at = (size_t)(y * W + x);
      float albedo = x < W / 2 ? left_albedo : 0.8F, light = x < W / 2 ? left_light : 1;
      for (size_t k = 0; k < 3; ++k) {
        for (uint64_t h = 0; h < 2; ++h) {
          float u = (float)mote_random_uniform(h, k, at) - 0.5F;  // variance 1/12
          f->light[h][3 * at + k] = albedo * (light + deviation * 3.4641016F * u);
        }
        f->noise[3 * at + k] = albedo * albedo * deviation * deviation / 2;
        f->guide[MOTE_PICTURE_GUIDES * at + k] = albedo;
      }
      f->guide[MOTE_PICTURE_GUIDES * at + 5] = 1;
      f->guide[MOTE_PICTURE_GUIDES * at + 6] = 3;
    }
}

typedef struct side {
  double mean, deviation;
} side;

static side measure(const float *out, int x0, int x1) {
  double sum = 0, square = 0, n = 3.0 * (x1 - x0) * H;
  for (int y = 0; y < H; ++y)
    for (int x = 3 * x0; x < 3 * x1; ++x) {
      double v = (double)out[3 * y * W + x];
      sum += v, square += v * v;
    }
  return (side){sum / n, sqrt(square / n - sum * sum / n / n)};
}

static float result[2][3 * W * H];

static void run(const mote_picture *f, int threads, float *out) {
  mote_picture copy = *f;
  copy.env.threads = threads;
  CHECK(mote_picture_denoise(&copy, out));
}

// 169 pixels of two halves: the best is a thirteenth of the mean's noise; patches and guides cost some of it.
static void noise_goes_and_the_mean_stays(mote_picture *f) {
  fill(f, 0.3F, 0.8F, 1);
  mote_picture_mean(f, result[0]);
  side before = measure(result[0], 0, W);
  run(f, 2, result[1]);
  side after = measure(result[1], 0, W);
  CHECK_NEAR(before.deviation, 0.8 * 0.3 / sqrt(2), 0.01);
  CHECK(after.deviation < before.deviation / 6);
  CHECK_NEAR(after.mean, before.mean, 0.003);
}

// On both sides of an edge the light is that of its side, up to the pixel beside it.
static void edges_stay(mote_picture *f) {
  fill(f, 0.3F, 0.2F, 1);
  run(f, 2, result[1]);
  for (int x = W / 2 - 2; x < W / 2 + 2; ++x)
    CHECK_NEAR(measure(result[1], x, x + 1).mean, x < W / 2 ? 0.2 : 0.8, 0.02);
  fill(f, 0.05F, 0.8F, 0.3F);  // only light tells: the edge of a shadow
  run(f, 2, result[1]);
  for (int x = W / 2 - 2; x < W / 2 + 2; ++x)
    CHECK_NEAR(measure(result[1], x, x + 1).mean, x < W / 2 ? 0.24 : 0.8, 0.02);
}

static void threads_change_nothing(mote_picture *f) {
  fill(f, 0.3F, 0.2F, 1);
  run(f, 1, result[0]);
  run(f, 7, result[1]);
  CHECK(memcmp(result[0], result[1], sizeof result[0]) == 0);
}

// What has no noise is not touched, however small the picture.
static void small_and_clean_pictures_stay(void) {
  mote_picture f;
  mote_env env = mote_env_default();
  float out[9];
  CHECK(mote_picture_make(&f, 3, 1, &env));
  for (size_t k = 0; k < 9; ++k) f.light[0][k] = f.light[1][k] = (float)(k / 3);
  CHECK(mote_picture_denoise(&f, out));
  for (size_t k = 0; k < 9; ++k) CHECK_NEAR((double)out[k], (double)(k / 3), 1e-5);
  mote_picture_free(&f);
}

// A single bright pixel is dimmed to what is around; lines keep their light.
static void specks_are_dimmed_and_lines_stay(const mote_picture *f) {
  float *light = result[0];
  for (size_t k = 0; k < 3 * W * H; ++k) light[k] = 0.4F;
  for (int k = 0; k < 3; ++k) {
    light[3 * (20 * W + 20) + k] = 9, light[3 * (40 * W + 20) + k] = 9;
    light[k] = 9, light[3 * (W * H - 1) + k] = 9, light[3 * (60 * W + 20) + k] = 0;
    for (int x = 40; x < 60; ++x) light[3 * (30 * W + x) + k] = 5;
  }
  CHECK(mote_picture_despeckle(f, light));
  CHECK(light[3 * (20 * W + 20)] < 0.5F && light[3 * (40 * W + 20)] < 0.5F);
  CHECK(light[3 * (60 * W + 20)] > 0.3F);
  CHECK(light[0] < 0.5F && light[3 * (W * H - 1)] < 0.5F);
  for (int x = 41; x < 59; ++x) CHECK(light[3 * (30 * W + x)] == 5);
}

int main(void) {
  mote_picture f;
  mote_env env = mote_env_default();
  if (CHECK(mote_picture_make(&f, W, H, &env))) {
    noise_goes_and_the_mean_stays(&f);
    specks_are_dimmed_and_lines_stay(&f);
    edges_stay(&f);
    threads_change_nothing(&f);
  }
  mote_picture_free(&f);
  small_and_clean_pictures_stay();
  return test_end();
}
