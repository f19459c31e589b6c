// The sky of a picture: see environment.h. Constant pixels for sampling, so that light
// and density agree; bilinear for visible directions.
#include "render/environment.h"

#include "io/io_base.h"
#include "render/scatter.h"

// The cosine of the angle from up at the upper edge of a row.
static double edge_height(const mote_sky_map *map, int row) {
  return mote_cos((double)MOTE_PI_F * row / map->picture->height);
}

static double pixel_angle(const mote_sky_map *map, int row) {
  double ring = 2 * (double)MOTE_PI_F * (edge_height(map, row) - edge_height(map, row + 1));
  return ring / map->picture->width;
}

static mote_vec pixel_light(const mote_sky_map *map, int x, int y) {
  const float *light = map->picture->light + 3 * ((size_t)y * (size_t)map->picture->width + (size_t)x);
  return vec_scale(vec_from(light), map->strength);
}

// The light limited to the mean brightness, in its colour.
static mote_vec even_part(const mote_sky_map *map, mote_vec light) {
  float brightest = vec_max(light);
  return brightest > map->mean ? vec_scale(light, map->mean / brightest) : light;
}

static mote_vec bright_part(const mote_sky_map *map, int x, int y) {
  mote_vec light = pixel_light(map, x, y);
  return vec_sub(light, even_part(map, light));
}

// --- Directions ----------------------------------------------------------------------------------------

// In pixels, from the upper left corner.
static void place_of(const mote_sky_map *map, mote_vec direction, float *x, float *y) {
  float across = mote_atan2f(vec_dot(direction, map->right), vec_dot(direction, map->ahead));
  float height = vec_dot(direction, map->up);
  float down = mote_acosf(height > 1 ? 1 : height < -1 ? -1 : height);
  *x = (0.5F + across / (2 * MOTE_PI_F)) * (float)map->picture->width;
  *y = down / MOTE_PI_F * (float)map->picture->height;
}

static int bounded(float x, int count) {
  int k = (int)x;
  return k < 0 ? 0 : k >= count ? count - 1 : k;
}

static int around(int x, int count) {
  return x < 0 ? x + count : x >= count ? x - count : x;
}

static mote_vec shade(const mote_sky_map *map, int x, int y, bool even) {
  mote_vec light = pixel_light(map, x, y);
  return even ? even_part(map, light) : light;
}

static mote_vec interpolate(const mote_sky_map *map, mote_vec direction, bool even) {
  float x, y;
  int wide = map->picture->width, tall = map->picture->height;
  place_of(map, direction, &x, &y);
  float left = floorf(x - 0.5F), top = floorf(y - 0.5F), right_part = x - 0.5F - left,
        lower_part = y - 0.5F - top;
  int x0 = around((int)left, wide), x1 = around((int)left + 1, wide);
  int y0 = bounded(top, tall), y1 = bounded(top + 1, tall);
  if (x0 >= wide) x0 = 0;  // of a picture one pixel wide
  if (x1 >= wide) x1 = 0;
  mote_vec upper = vec_lerp(shade(map, x0, y0, even), shade(map, x1, y0, even), right_part);
  mote_vec lower = vec_lerp(shade(map, x0, y1, even), shade(map, x1, y1, even), right_part);
  return vec_lerp(upper, lower, lower_part);
}

mote_vec mote_sky_map_all(const mote_sky_map *map, mote_vec direction) {
  return interpolate(map, direction, false);
}

mote_vec mote_sky_map_even(const mote_sky_map *map, mote_vec direction) {
  return interpolate(map, direction, true);
}

mote_vec mote_sky_map_bright(const mote_sky_map *map, mote_vec direction, float *density) {
  float x, y;
  *density = 0;
  if (!(map->bright_sum > 0)) return vec_all(0);
  place_of(map, direction, &x, &y);
  mote_vec light = bright_part(map, bounded(x, map->picture->width), bounded(y, map->picture->height));
  *density = (float)((double)vec_mean(light) / map->bright_sum);
  return light;
}

// --- Choosing ------------------------------------------------------------------------------------------

// The interval of the ascending sums, `count` of them after the first, that contains u; u becomes the
// fraction inside it.
static int find_step(const float *sum, int count, float *u) {
  int low = 0, high = count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (sum[middle] <= *u)
      low = middle;
    else
      high = middle;
  }
  float step = sum[low + 1] - sum[low];
  *u = step > 0 ? clamp_unit((*u - sum[low]) / step) : 0.5F;
  return low;
}

mote_vec mote_sky_map_choose(const mote_sky_map *map, mote_sample_point u) {
  int wide = map->picture->width;
  int y = find_step(map->row_sum, map->picture->height, &u.b);
  int x = find_step(map->pixel_sum + (size_t)y * (size_t)(wide + 1), wide, &u.a);
  double above = edge_height(map, y), below = edge_height(map, y + 1);
  float height = (float)(above + (below - above) * (double)u.b);
  float across = (((float)x + u.a) / (float)wide - 0.5F) * 2 * MOTE_PI_F;
  float flat = sqrtf(1 - height * height > 0 ? 1 - height * height : 0);
  mote_vec level = vec_along(vec_scale(map->ahead, mote_cosf(across)), map->right, mote_sinf(across));
  return vec_along(vec_scale(level, flat), map->up, height);
}

// --- Making --------------------------------------------------------------------------------------------

static float find_mean(const mote_sky_map *map) {
  double sum = 0;
  for (int y = 0; y < map->picture->height; ++y) {
    double row = 0;
    for (int x = 0; x < map->picture->width; ++x) row += (double)vec_mean(pixel_light(map, x, y));
    sum += row * pixel_angle(map, y);
  }
  return (float)(sum / (4 * (double)MOTE_PI_F));
}

// Sums of a row's pixels as parts of the whole, which is returned.
static double sum_row(const mote_sky_map *map, int y, float *out) {
  double sum = 0, so_far = 0;
  int wide = map->picture->width;
  for (int x = 0; x < wide; ++x) sum += (double)vec_mean(bright_part(map, x, y));
  for (int x = 0; x < wide; ++x) {
    so_far += sum > 0 ? (double)vec_mean(bright_part(map, x, y)) / sum : 1.0 / wide;
    out[x + 1] = (float)so_far;
  }
  return sum * pixel_angle(map, y);
}

static void sum_pixels(mote_sky_map *map) {
  int wide = map->picture->width, tall = map->picture->height;
  double so_far = 0;
  for (int y = 0; y < tall; ++y) {
    so_far += sum_row(map, y, map->pixel_sum + (size_t)y * (size_t)(wide + 1));
    map->row_sum[y + 1] = (float)so_far;
  }
  map->bright_sum = so_far;
  for (int y = 0; y < tall && so_far > 0; ++y)
    map->row_sum[y + 1] = (float)((double)map->row_sum[y + 1] / so_far);
}

static size_t row_bytes(const mote_sky_map *map) {
  return (size_t)(map->picture->height + 1) * sizeof *map->row_sum;
}

static size_t pixel_bytes(const mote_sky_map *map) {
  return (size_t)(map->picture->width + 1) * (size_t)map->picture->height * sizeof *map->pixel_sum;
}

bool mote_sky_map_make(mote_sky_map *map, const mote_environment *picture, mote_vec up, double strength,
                       double turn, const mote_env *env) {
  mote_vec back = fabsf(up.z) < 0.9F ? vec(0, 0, 1) : vec(0, -1, 0);
  mote_vec right = vec_unit(vec_cross(up, back)), ahead = vec_cross(up, right);
  float c = mote_cosf((float)turn), s = mote_sinf((float)turn);
  *map = (mote_sky_map){.picture = picture,
                        .up = up,
                        .ahead = vec_along(vec_scale(ahead, c), right, s),
                        .right = vec_along(vec_scale(right, c), ahead, -s),
                        .strength = (float)strength};
  map->mean = find_mean(map);
  map->row_sum = mote_io_new(env, row_bytes(map));
  map->pixel_sum = mote_io_new(env, pixel_bytes(map));
  if (map->row_sum == NULL || map->pixel_sum == NULL) return false;
  sum_pixels(map);
  return true;
}

void mote_sky_map_free(mote_sky_map *map, const mote_env *env) {
  if (map->row_sum != NULL) mote_io_delete(env, map->row_sum, row_bytes(map));
  if (map->pixel_sum != NULL) mote_io_delete(env, map->pixel_sum, pixel_bytes(map));
  *map = (mote_sky_map){0};
}
