// The light grid: the volume fraction of each cell, and the transmitted part of the key light. Light is
// propagated from layer to layer away from the source and spread slightly at each: shadows are sharp near
// objects and soft far away.
#include <math.h>
#include <mote/numeric.h>

#include "draw/preview.h"
#include "draw/tuning.inc"

#define CELLS_MOST 1500000
#define MARGIN_CELLS 3  // cells around

static size_t cell_count(const mote_light_grid *grid) {
  return (size_t)grid->size[0] * (size_t)grid->size[1] * (size_t)grid->size[2];
}

void mote_light_grid_free(mote_light_grid *grid, const mote_env *env) {
  size_t bytes = cell_count(grid) * sizeof(float);
  mote_io_delete(env, grid->filled, bytes);
  mote_io_delete(env, grid->around, bytes);
  mote_io_delete(env, grid->sun, bytes);
  *grid = (mote_light_grid){.cell = 0};
}

// Extent of the grid: the visible part, and its shadow on the ground.
static void find_bounds(const mote_preview *p, double low[3], double high[3]) {
  double tall = p->high[1] - (isfinite(p->ground) ? p->ground : p->low[1]);
  for (int k = 0; k < 3; ++k) {
    double along = k == 1 || p->light[1] < 0.2F ? 0 : -(double)(p->light[k] / p->light[1]) * tall;
    double reach = isfinite(p->ground) ? 1.3 * along : 0;
    low[k] = p->low[k] + fmin(reach, 0), high[k] = p->high[k] + fmax(reach, 0);
  }
  if (isfinite(p->ground)) low[1] = fmin(low[1], p->ground);
}

// Cells of the size of a particle, smaller where there are few, larger where there would be too many.
// False if sizes exceed the range of doubles.
static bool lay_out(mote_light_grid *grid, const double low[3], const double high[3], double finest) {
  double volume = 1, longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, high[k] - low[k]);
  for (int k = 0; k < 3; ++k) volume *= fmax(high[k] - low[k], 1e-3 * longest);
  grid->cell = fmax(fmax(fmin(finest, longest / 80), mote_cbrt(volume / CELLS_MOST)), longest / 400);
  if (!(grid->cell > 0 && isfinite(grid->cell) && isfinite(longest))) return false;
  for (int k = 0; k < 3; ++k) {
    grid->size[k] = 2 * MARGIN_CELLS + 1 + (int)((high[k] - low[k]) / grid->cell);
    grid->origin[k] = low[k] - (MARGIN_CELLS - 0.5) * grid->cell;
  }
  return true;
}

// Distributes an amount at x, in cells, over the eight cells around it.
static void add_at(mote_light_grid *grid, const double x[3], float amount) {
  size_t at[3];
  float part[3];
  for (int k = 0; k < 3; ++k) {
    double whole = floor(x[k]);
    if (!(whole >= 0 && whole + 1 < grid->size[k])) return;
    at[k] = (size_t)whole, part[k] = (float)(x[k] - whole);
  }
  size_t nx = (size_t)grid->size[0], ny = (size_t)grid->size[1];
  for (size_t c = 0; c < 8; ++c) {
    size_t dx = c & 1, dy = c >> 1 & 1, dz = c >> 2;
    float w = (dx ? part[0] : 1 - part[0]) * (dy ? part[1] : 1 - part[1]) * (dz ? part[2] : 1 - part[2]);
    grid->filled[((at[2] + dz) * ny + at[1] + dy) * nx + at[0] + dx] += w * amount;
  }
}

// A particle of several cells, by n points along each side that lie within it.
static void add_large(mote_light_grid *grid, const double x[3], double size, int n) {
  double part = size / n;
  for (int c = 0; c < n * n * n; ++c) {
    const int at[3] = {c % n, c / n % n, c / n / n};
    double y[3], away = 0;
    for (int k = 0; k < 3; ++k) {
      double off = (at[k] + 0.5 - n / 2.0) * part;
      y[k] = x[k] + off, away += off * off;
    }
    if (4 * away <= size * size) add_at(grid, y, (float)(part * part * part));
  }
}

static void add_particles(mote_preview *p) {
  mote_light_grid *grid = &p->grid;
  double size = 2 * p->radius / grid->cell;
  int n = size < 16 ? (int)ceil(size - 0.01) : 16;
  n = n > 1 ? n : 1;
  for (size_t i = 0; i < p->scene->count; ++i) {
    double x[3];
    if (!mote_preview_keeps(p, p->scene->position + 3 * i)) continue;
    for (int k = 0; k < 3; ++k) x[k] = (p->scene->position[3 * i + k] - grid->origin[k]) / grid->cell;
    if (n == 1)
      add_at(grid, x, (float)(size * size * size));
    else
      add_large(grid, x, size, n);
  }
}

// A point of an opaque triangle, in cells. Removed parts cast no shadow.
static void add_point(mote_preview *p, const mote_facet *facet, double x[3]) {
  const mote_light_grid *grid = &p->grid;
  double world[3];
  for (int k = 0; k < 3; ++k) {
    double low = (p->scene->low[k] - grid->origin[k]) / grid->cell;
    double high = (p->scene->high[k] - grid->origin[k]) / grid->cell;
    if (facet->liquid) x[k] = fmin(fmax(x[k], low), high);  // ends at the sides of the box; NaN: none
    world[k] = grid->origin[k] + grid->cell * x[k];
  }
  if (mote_preview_keeps(p, world)) add_at(&p->grid, x, 1);
}

// Opaque triangles, by points less than a cell apart.
static void add_facet(mote_preview *p, const mote_facet *facet) {
  mote_light_grid *grid = &p->grid;
  double corner[3][3], longest = 0;
  for (int c = 0; c < 3; ++c) {
    float world[3];
    mote_camera_world(&p->camera, facet->corner[c], world);
    for (int k = 0; k < 3; ++k)
      corner[c][k] = ((double)world[k] + p->camera.eye[k] - grid->origin[k]) / grid->cell;
  }
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) longest = fmax(longest, fabs(corner[c][k] - corner[(c + 1) % 3][k]));
  int n = longest < 200 ? 1 + (int)(1.5 * longest) : 300;
  for (int u = 0; u <= n; ++u)
    for (int v = 0; u + v <= n; ++v) {
      double x[3];
      for (int k = 0; k < 3; ++k)
        x[k] = corner[0][k] + (u * (corner[1][k] - corner[0][k]) + v * (corner[2][k] - corner[0][k])) / n;
      add_point(p, facet, x);
    }
}

static void fill_grid(mote_preview *p) {
  mote_light_grid *grid = &p->grid;
  add_particles(p);
  for (size_t k = 0; k < p->opaque; ++k) add_facet(p, p->facet + k);
  for (size_t k = 0; k < cell_count(grid); ++k) grid->filled[k] = fminf(grid->filled[k], 1);
}

// Mean of 5 along one axis, from `from` to `to`; zero beyond the ends.
static void mean_of_five(const float *from, float *to, int count, size_t stride) {
  float sum = 0;
  for (int k = -2; k < count; ++k) {
    if (k + 2 < count) sum += from[(size_t)(k + 2) * stride];
    if (k < 0) continue;
    to[(size_t)k * stride] = sum * 0.2F;
    if (k >= 2) sum -= from[(size_t)(k - 2) * stride];
  }
}

static void spread(mote_light_grid *grid, float *scratch) {
  const float *from[3] = {grid->filled, scratch, grid->around};
  float *to[3] = {scratch, grid->around, scratch};
  size_t stride[3] = {1, (size_t)grid->size[0], (size_t)grid->size[0] * (size_t)grid->size[1]};
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    for (int v = 0; v < grid->size[c]; ++v)
      for (int u = 0; u < grid->size[b]; ++u) {
        size_t at = (size_t)v * stride[c] + (size_t)u * stride[b];
        mean_of_five(from[a] + at, to[a] + at, grid->size[a], stride[a]);
      }
  }
  for (size_t k = 0; k < cell_count(grid); ++k) grid->around[k] = fmaxf(scratch[k], 0);
}

// The light transmitted by a cell; 1 beyond the grid.
static float passed(const mote_light_grid *grid, size_t layer, const size_t stride[2], int u, int v, int nu,
                    int nv) {
  if (u < 0 || v < 0 || u >= nu || v >= nv) return 1;
  size_t at = layer + (size_t)u * stride[0] + (size_t)v * stride[1];
  return grid->sun[at] * (1 - CELL_OPACITY * grid->filled[at]);
}

// Layer by layer along the dominant axis of the light.
static void shine(mote_light_grid *grid, const float light[3]) {
  size_t stride[3] = {1, (size_t)grid->size[0], (size_t)grid->size[0] * (size_t)grid->size[1]};
  int a = fabsf(light[0]) > fabsf(light[1]) ? 0 : 1;
  if (fabsf(light[2]) > fabsf(light[a])) a = 2;
  int b = (a + 1) % 3, c = (a + 2) % 3, n = grid->size[a], nu = grid->size[b], nv = grid->size[c];
  float su = light[b] / fabsf(light[a]), sv = light[c] / fabsf(light[a]);
  int iu = (int)floorf(su), iv = (int)floorf(sv);
  float fu = su - (float)iu, fv = sv - (float)iv;
  const size_t across[2] = {stride[b], stride[c]};
  for (int k = 0; k < n; ++k) {
    size_t here = (size_t)(light[a] > 0 ? n - 1 - k : k) * stride[a];
    size_t before = light[a] > 0 ? here + stride[a] : here - stride[a];
    for (int v = 0; v < nv; ++v)
      for (int u = 0; u < nu; ++u) {
        float *sun = grid->sun + here + (size_t)u * across[0] + (size_t)v * across[1];
        *sun = 1;
        if (k == 0) continue;
        int x = u + iu, y = v + iv;
        float p00 = passed(grid, before, across, x, y, nu, nv),
              p10 = passed(grid, before, across, x + 1, y, nu, nv),
              p01 = passed(grid, before, across, x, y + 1, nu, nv),
              p11 = passed(grid, before, across, x + 1, y + 1, nu, nv);
        *sun = (1 - fv) * ((1 - fu) * p00 + fu * p10) + fv * ((1 - fu) * p01 + fu * p11);
      }
  }
}

mote_result mote_light_grid_build(mote_preview *p, mote_error *error) {
  mote_light_grid *grid = &p->grid;
  if (p->camera.flat || p->scene->count + p->opaque == 0) return MOTE_OK;
  double low[3], high[3];
  find_bounds(p, low, high);
  if (!lay_out(grid, low, high, p->scene->count > 0 ? 2 * p->radius : (double)INFINITY)) return MOTE_OK;
  size_t bytes = cell_count(grid) * sizeof(float);
  grid->filled = mote_io_new(&p->env, bytes);
  grid->around = mote_io_new(&p->env, bytes);
  grid->sun = mote_io_new(&p->env, bytes);
  if (grid->filled == NULL || grid->around == NULL || grid->sun == NULL) return mote_io_fail_memory(error);
  fill_grid(p);
  spread(grid, grid->sun);
  shine(grid, p->light);
  for (int k = 0; k < 3; ++k)
    p->eye_from_grid[k] = (float)((p->camera.eye[k] - grid->origin[k]) / grid->cell);
  return MOTE_OK;
}

float mote_light_grid_at(const mote_light_grid *grid, const float *value, const float x[3], float outside) {
  size_t at = 0, step[3], stride = 1;
  float part[3];
  for (int k = 0; k < 3; ++k) {
    if (!(x[k] >= 0 && x[k] < (float)(grid->size[k] - 1))) return outside;
    int whole = (int)x[k];
    part[k] = x[k] - (float)whole;
    at += (size_t)whole * stride;
    step[k] = stride;
    stride *= (size_t)grid->size[k];
  }
  float plane[2];
  for (size_t c = 0; c < 2; ++c) {
    const float *v = value + at + c * step[2];
    float a = v[0] + part[0] * (v[1] - v[0]);
    float b = v[step[1]] + part[0] * (v[step[1] + 1] - v[step[1]]);
    plane[c] = a + part[1] * (b - a);
  }
  return plane[0] + part[2] * (plane[1] - plane[0]);
}
