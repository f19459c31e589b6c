// The walls of a Voronoi diagram of random points in a shape, as a soup of triangles: see mote/fragments.h.
// Walls are divided into small triangles and displaced by a smooth random field of the position alone, so
// that walls which share an edge still do.
#include <math.h>
#include <mote/fragments.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

#define PIECES_MOST 5000
#define TRIES_MOST 1000  // random points per piece; of a shape that fills less of its bounds none is found
#define CORNERS_MOST 64  // of a wall
#define NOISE_OCTAVES 3  // of the displacement, each half as long and high as the one before
#define TRIANGLES_MOST 0x1p22

typedef struct wall {
  double corner[CORNERS_MOST][3];
  int corners;
} wall;

typedef struct shattering {
  const mote_shape *shape;
  const mote_shatter_def *def;
  mote_env env;
  double low[3], high[3];  // where walls end
  double size;             // of a piece, m
  double detail, height;   // longest side, largest displacement, m
  size_t points;
  double *point;
  mote_soup soup;
  size_t capacity;
} shattering;

mote_shatter_def mote_shatter_def_default(void) {
  double nan = (double)NAN;
  return (mote_shatter_def){.pieces = 20, .seed = 1, .roughness = 0.1, .focus = {nan, nan, nan}};
}

void mote_soup_free(mote_soup *soup, const mote_env *env) {
  if (soup == NULL) return;
  mote_env resolved = mote_env_resolve(env);
  mote_free(&resolved, soup->corner, 9 * soup->count, sizeof *soup->corner);
  *soup = (mote_soup){0};
}

// --- Points -----------------------------------------------------------------------------------------------

// Uniform in the bounds; about the focus with a density that falls as the square of the distance.
static void draw_point(const shattering *s, uint64_t index, const double low[3], const double high[3],
                       double x[3]) {
  uint64_t seed = s->def->seed;
  for (int k = 0; k < 3; ++k) x[k] = mote_random_between(seed, 1 + (uint64_t)k, index, low[k], high[k]);
  if (!isnan(s->def->focus[0])) {
    double off[3], share = mote_random_unit(seed, 4, index);
    sub3(x, s->def->focus, off);
    step3(s->def->focus, share, off, x);
  }
}

static mote_result draw_points(shattering *s, mote_error *error) {
  double low[3], high[3];
  mote_shape_bounds(s->shape, low, high);
  for (uint64_t index = 0; s->points < s->def->pieces && index < TRIES_MOST * s->def->pieces; ++index) {
    double *x = s->point + 3 * s->points;
    draw_point(s, index, low, high, x);
    if (mote_shape_distance(s->shape, x) < 0.0) ++s->points;
  }
  if (s->points < 2) return mote_fail_key(error, "shape", "the shape fills too little of its bounds");
  return MOTE_OK;
}

// --- Walls ------------------------------------------------------------------------------------------------

// Keeps the part of the wall where n x <= level.
static void clip(wall *w, const double n[3], double level) {
  double at[CORNERS_MOST], highest = -HUGE_VAL;
  wall kept;
  for (int k = 0; k < w->corners; ++k) at[k] = dot3(n, w->corner[k]) - level, highest = max2(highest, at[k]);
  if (highest <= 0.0) return;
  kept.corners = 0;
  for (int k = 0; k < w->corners; ++k) {
    int next = (k + 1) % w->corners;
    const double *a = w->corner[k];
    double ab[3];
    if (at[k] <= 0.0 && kept.corners < CORNERS_MOST) copy3(a, kept.corner[kept.corners++]);
    if ((at[k] <= 0.0) != (at[next] <= 0.0) && kept.corners < CORNERS_MOST) {
      sub3(w->corner[next], a, ab);
      step3(a, at[k] / (at[k] - at[next]), ab, kept.corner[kept.corners++]);
    }
  }
  memcpy(w->corner, kept.corner, (size_t)kept.corners * sizeof *kept.corner);
  w->corners = kept.corners;
}

// The plane half-way between points i and j, within the bounds.
static void begin_wall(const shattering *s, const double i[3], const double j[3], wall *w) {
  double n[3], middle[3], u[3], v[3], size = 0.0;
  sub3(j, i, n);
  step3(i, 0.5, n, middle);
  int axis = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  const double e[3] = {axis == 0, axis == 1, axis == 2};
  cross3(n, e, u), cross3(n, u, v);
  for (int k = 0; k < 3; ++k) size += s->high[k] - s->low[k];
  double by_u = 2.0 * size / length3(u), by_v = 2.0 * size / length3(v);
  static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  w->corners = 4;
  for (int k = 0; k < 4; ++k) {
    step3(middle, sign[k][0] * by_u, u, w->corner[k]);
    step3(w->corner[k], sign[k][1] * by_v, v, w->corner[k]);
  }
  for (int k = 0; k < 3; ++k) {
    const double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
    clip(w, up, s->high[k]);
    clip(w, down, -s->low[k]);
  }
}

static void make_wall(const shattering *s, size_t i, size_t j, wall *w) {
  const double *a = s->point + 3 * i;
  begin_wall(s, a, s->point + 3 * j, w);
  for (size_t k = 0; k < s->points && w->corners > 2; ++k) {
    double n[3], middle[3];
    if (k == i || k == j) continue;
    sub3(s->point + 3 * k, a, n);
    step3(a, 0.5, n, middle);
    clip(w, n, dot3(n, middle));
  }
}

// --- Unevenness -------------------------------------------------------------------------------------------

// Random vectors at the corners of a cubic grid, smoothly between them; each component within [-1, 1].
static void noise(uint64_t seed, const double x[3], double out[3]) {
  int64_t cell[3];
  double weight[3][2];
  set3(0.0, 0.0, 0.0, out);
  for (int k = 0; k < 3; ++k) {
    double low = floor(x[k]), t = x[k] - low;
    cell[k] = (int64_t)low;
    weight[k][1] = t * t * t * (t * (6.0 * t - 15.0) + 10.0);
    weight[k][0] = 1.0 - weight[k][1];
  }
  for (int c = 0; c < 8; ++c) {
    uint64_t at[3];
    double w = weight[0][c & 1] * weight[1][c >> 1 & 1] * weight[2][c >> 2];
    for (int k = 0; k < 3; ++k) at[k] = (uint64_t)(cell[k] + (c >> k & 1)) & 0x1fffff;
    uint64_t index = at[0] | at[1] << 21 | at[2] << 42;
    const double random[3] = {mote_random_between(seed, 5, index, -1.0, 1.0),
                              mote_random_between(seed, 6, index, -1.0, 1.0),
                              mote_random_between(seed, 7, index, -1.0, 1.0)};
    step3(out, w, random, out);
  }
}

static void displace(const shattering *s, const double x[3], double out[3]) {
  double scale = 1.0 / (NOISE_WAVELENGTH * s->size), height = s->height;
  copy3(x, out);
  for (int octave = 0; octave < NOISE_OCTAVES && height > 0.0; ++octave) {
    double at[3], by[3];
    for (int k = 0; k < 3; ++k) at[k] = scale * (x[k] - s->low[k]);
    noise(s->def->seed + (uint64_t)octave, at, by);
    step3(out, height, by, out);
    scale *= 2.0, height *= 0.5;
  }
}

// Adds a triangle, halved until its sides are short. Halves of a side depend on that side alone.
static mote_result add_triangle(shattering *s, const double a[3], const double b[3], const double c[3],
                                mote_error *error) {
  double ab = distance3(a, b), bc = distance3(b, c), ca = distance3(c, a), middle[3];
  double longest = max2(ab, max2(bc, ca));
  if (longest > s->detail) {
    const double *from = ab == longest ? a : bc == longest ? b : c;
    const double *to = ab == longest ? b : bc == longest ? c : a;
    const double *other = ab == longest ? c : bc == longest ? a : b;
    for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (from[k] + to[k]);
    MOTE_TRY(add_triangle(s, from, middle, other, error));
    return add_triangle(s, middle, to, other, error);
  }
  size_t count = s->soup.count;
  MOTE_TRY(
      mote_reserve(&s->env, &s->soup.corner, &s->capacity, 9 * (count + 1), sizeof *s->soup.corner, error));
  displace(s, a, s->soup.corner + 9 * count);
  displace(s, b, s->soup.corner + 9 * count + 3);
  displace(s, c, s->soup.corner + 9 * count + 6);
  ++s->soup.count;
  return MOTE_OK;
}

// About how many triangles a wall makes.
static double count_triangles(const shattering *s, const wall *w) {
  double area = 0.0;
  for (int k = 1; k + 1 < w->corners; ++k) {
    double u[3], v[3], n[3];
    sub3(w->corner[k], w->corner[0], u), sub3(w->corner[k + 1], w->corner[0], v);
    cross3(u, v, n);
    area += 0.5 * length3(n);
  }
  return 4.0 * area / (s->detail * s->detail);
}

static mote_result add_walls(shattering *s, mote_error *error) {
  double points = (double)s->points;
  for (size_t i = 0; i < s->points; ++i) {
    double left = 1.0 - (double)i / points;  // of the pairs: its square
    if (s->def->progress != NULL && !s->def->progress(s->def->progress_user, 1.0 - left * left))
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "stopped");
    for (size_t j = i + 1; j < s->points; ++j) {
      wall w;
      make_wall(s, i, j, &w);
      if ((double)s->soup.count + count_triangles(s, &w) > TRIANGLES_MOST)
        return mote_fail_key(error, "detail", "sides of %g m make more than %.0f triangles", s->detail,
                             TRIANGLES_MOST);
      for (int k = 1; k + 1 < w.corners; ++k)
        MOTE_TRY(add_triangle(s, w.corner[0], w.corner[k], w.corner[k + 1], error));
    }
  }
  return MOTE_OK;
}

// --- All --------------------------------------------------------------------------------------------------

// All NaN, or not farther from the bounds than their longest side.
static bool is_focus(const double x[3], const double low[3], const double high[3], double longest) {
  if (isnan(x[0]) && isnan(x[1]) && isnan(x[2])) return true;
  for (int k = 0; k < 3; ++k)
    if (!(x[k] >= low[k] - longest && x[k] <= high[k] + longest)) return false;
  return true;
}

static mote_result set_sizes(shattering *s, mote_error *error) {
  const mote_shatter_def *def = s->def;
  double longest = 0.0, volume = 1.0;
  if (def->pieces < 2 || def->pieces > PIECES_MOST)
    return mote_fail_key(error, "pieces", "is %zu, not 2 to %d", def->pieces, PIECES_MOST);
  if (!(def->roughness >= 0.0 && def->roughness <= 1.0))
    return mote_fail_key(error, "roughness", "is %g, not 0 to 1", def->roughness);
  if (!(def->detail >= 0.0) || !isfinite(def->detail))
    return mote_fail_key(error, "detail", "is %g, not a length", def->detail);
  mote_shape_bounds(s->shape, s->low, s->high);
  for (int k = 0; k < 3; ++k) longest = max2(longest, s->high[k] - s->low[k]);
  if (!isfinite(longest)) return mote_fail_key(error, "shape", "has no bounds");
  if (!is_focus(def->focus, s->low, s->high, longest))
    return mote_fail_key(error, "focus",
                         "the focus %g, %g, %g is farther from the shape than its longest side",
                         def->focus[0], def->focus[1], def->focus[2]);
  for (int k = 0; k < 3; ++k) {
    volume *= s->high[k] - s->low[k];
    s->low[k] -= WALL_MARGIN * longest, s->high[k] += WALL_MARGIN * longest;
  }
  s->size = mote_cbrt(volume / (double)def->pieces);
  s->height = def->roughness * s->size;
  s->detail = def->detail > 0.0 ? def->detail : s->size / 3.0;
  return MOTE_OK;
}

mote_result mote_shatter(const mote_shape *shape, const mote_shatter_def *def, const mote_env *env,
                         mote_soup *out, mote_error *error) {
  if (shape == NULL || def == NULL || out == NULL)
    return mote_fail_key(error, shape == NULL ? "shape" : def == NULL ? "def" : "out", "is null");
  shattering s = {.shape = shape, .def = def, .env = mote_env_resolve(env)};
  MOTE_TRY(set_sizes(&s, error));
  MOTE_ALLOC(s.point, &s.env, 3 * def->pieces, error);
  mote_result result = draw_points(&s, error);
  if (result == MOTE_OK) result = add_walls(&s, error);
  mote_free(&s.env, s.point, 3 * def->pieces, sizeof *s.point);
  // The soup has its own size, by which it is freed.
  double *corner = result == MOTE_OK ? mote_alloc(&s.env, 9 * s.soup.count, sizeof *corner) : NULL;
  if (result == MOTE_OK && corner == NULL)
    result = mote_fail_memory(error, 9 * s.soup.count * sizeof *corner);
  for (size_t k = 0; k < 9 * s.soup.count && corner != NULL; ++k) corner[k] = s.soup.corner[k];
  mote_free(&s.env, s.soup.corner, s.capacity, sizeof *corner);
  if (result == MOTE_OK) *out = (mote_soup){corner, s.soup.count};
  return result;
}
