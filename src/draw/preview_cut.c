// Cuts of a preview: by the planes of its definition, and for liquids by the sides of the box. The kept part
// of space is convex, so that it contains one segment of each sample's ray. Meshes are cut per sample, so
// that water meets a wall in a straight line, independent of triangles.
#include <math.h>

#include "draw/preview.h"

// --- The kept part ---

static void add_side(const mote_camera *camera, const double normal[3], double at, mote_half_spaces *kept) {
  double above = -at;
  for (int k = 0; k < 3; ++k) {
    above += normal[k] * camera->eye[k];
    kept->side[kept->sides].normal[k] = normal[k];
  }
  kept->side[kept->sides++].above = above;
}

void mote_preview_keep(mote_preview *p) {
  const double *n = p->def->cut, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (length > 0) {
    const double unit[3] = {n[0] / length, n[1] / length, n[2] / length};
    add_side(&p->camera, unit, n[3] / length, &p->cut);
  }
  p->tank = p->cut;
  for (int axis = 0; axis < (p->camera.flat ? 2 : 3); ++axis) {
    const double up[3] = {axis == 0, axis == 1, axis == 2}, down[3] = {-up[0], -up[1], -up[2]};
    if (isfinite(p->scene->low[axis])) add_side(&p->camera, up, p->scene->low[axis], &p->tank);
    if (isfinite(p->scene->high[axis])) add_side(&p->camera, down, -p->scene->high[axis], &p->tank);
  }
}

static double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool mote_preview_keeps(const mote_preview *p, const double x[3]) {
  const double r[3] = {x[0] - p->camera.eye[0], x[1] - p->camera.eye[1], x[2] - p->camera.eye[2]};
  return p->cut.sides == 0 || p->cut.side[0].above + dot3(p->cut.side[0].normal, r) > 0;
}

void mote_cut_piece(const mote_preview *p, const mote_half_spaces *kept, float x, float y, float *begin,
                    float *end) {
  float view[3], world[3];
  mote_camera_ray(&p->camera, x, y, view);
  if (p->camera.flat) view[2] = 0;
  mote_camera_world(&p->camera, view, world);
  const double ray[3] = {(double)world[0], (double)world[1], (double)world[2]};
  double from = p->camera.flat ? (double)-INFINITY : 0, to = (double)INFINITY;
  for (int s = 0; s < kept->sides; ++s) {
    double above = kept->side[s].above, slope = dot3(kept->side[s].normal, ray);
    if (p->camera.flat) above += slope, slope = 0;
    if (slope > 0) from = fmax(from, -above / slope);
    if (slope < 0) to = fmin(to, -above / slope);
    if (slope == 0 && !(above > 0)) to = (double)-INFINITY;
  }
  *begin = (float)from, *end = (float)to;
}

void mote_cut_normal(const mote_preview *p, bool liquid, const float at[3], float normal[3]) {
  const mote_half_spaces *kept = liquid ? &p->tank : &p->cut;
  const double x[3] = {(double)at[0], (double)at[1], (double)at[2]};
  double least = (double)INFINITY;
  for (int s = 0; s < kept->sides; ++s) {
    double away = fabs(kept->side[s].above + dot3(kept->side[s].normal, x));
    if (!(away < least)) continue;
    least = away;
    for (int k = 0; k < 3; ++k) normal[k] = (float)-kept->side[s].normal[k];
  }
}

// --- The samples of one mesh ---

bool mote_part_is_cut(const mote_preview *p, const mote_part *part) {
  return (part->liquid ? &p->tank : &p->cut)->sides > 0;
}

static size_t layer_samples(const mote_preview *p) {
  return (size_t)(MOTE_PREVIEW_SAMPLES * p->def->width) * (MOTE_PREVIEW_SAMPLES * MOTE_PREVIEW_BAND);
}

bool mote_layer_make(const mote_preview *p, mote_layer *layer) {
  size_t bytes = layer_samples(p) * sizeof(float);
  bool needed = false;
  for (size_t k = 0; k < p->parts; ++k) needed = needed || mote_part_is_cut(p, p->part + k);
  *layer = (mote_layer){.begin = NULL};
  if (!needed) return true;
  layer->band.depth = mote_io_new(&p->env, bytes), layer->band.what = mote_io_new(&p->env, bytes);
  layer->begin = mote_io_new(&p->env, bytes), layer->end = mote_io_new(&p->env, bytes);
  layer->front_depth = mote_io_new(&p->env, bytes), layer->front_facet = mote_io_new(&p->env, bytes);
  layer->back_depth = mote_io_new(&p->env, bytes), layer->back_facet = mote_io_new(&p->env, bytes);
  return layer->band.depth != NULL && layer->band.what != NULL && layer->begin != NULL &&
         layer->end != NULL && layer->front_depth != NULL && layer->front_facet != NULL &&
         layer->back_depth != NULL && layer->back_facet != NULL;
}

void mote_layer_free(const mote_preview *p, mote_layer *layer) {
  size_t bytes = layer_samples(p) * sizeof(float);
  mote_io_delete(&p->env, layer->band.depth, bytes), mote_io_delete(&p->env, layer->band.what, bytes);
  mote_io_delete(&p->env, layer->begin, bytes), mote_io_delete(&p->env, layer->end, bytes);
  mote_io_delete(&p->env, layer->front_depth, bytes), mote_io_delete(&p->env, layer->front_facet, bytes);
  mote_io_delete(&p->env, layer->back_depth, bytes), mote_io_delete(&p->env, layer->back_facet, bytes);
}

static void clear_layer(const mote_preview *p, const mote_part *part, mote_layer *layer) {
  const mote_band *band = &layer->band;
  for (int y = 0; y < band->height; ++y)
    for (int x = 0; x < band->width; ++x) {
      size_t at = (size_t)y * (size_t)band->width + (size_t)x;
      band->depth[at] = INFINITY, band->what[at] = MOTE_WHAT_NOTHING;
      layer->front_depth[at] = -INFINITY, layer->front_facet[at] = MOTE_WHAT_NOTHING;
      layer->back_depth[at] = INFINITY, layer->back_facet[at] = MOTE_WHAT_NOTHING;
      mote_cut_piece(p, part->liquid ? &p->tank : &p->cut, (float)x + 0.5F, (float)(band->top + y) + 0.5F,
                     layer->begin + at, layer->end + at);
    }
}

// The band is the first member of its layer.
static void fill_layer(const mote_preview *p, mote_band *band, size_t at, float depth, size_t facet) {
  (void)p;
  mote_layer *layer = (mote_layer *)(void *)band;
  if (depth >= layer->end[at]) {
    if (depth < layer->back_depth[at]) layer->back_depth[at] = depth, layer->back_facet[at] = (uint32_t)facet;
  } else if (depth > layer->begin[at]) {
    band->depth[at] = depth, band->what[at] = (uint32_t)facet;
  } else if (depth > layer->front_depth[at]) {
    layer->front_depth[at] = depth, layer->front_facet[at] = (uint32_t)facet;
  }
}

// Whether the kept segment of the ray begins inside the mesh: the ray leaves the mesh at the next facet, or,
// without one before the segment ends, it entered at the last one.
static bool begins_inside(const mote_preview *p, const mote_layer *layer, size_t at) {
  uint32_t next = layer->band.what[at], last = layer->front_facet[at];
  if (!(layer->begin[at] > 0 && layer->begin[at] < layer->end[at])) return false;
  return next != MOTE_WHAT_NOTHING ? p->facet[next].inner
                                   : last != MOTE_WHAT_NOTHING && !p->facet[last].inner;
}

// A cut face has the colour of the facet that is nearest to it along the ray, kept or not.
static uint32_t nearest_facet(const mote_layer *layer, size_t at) {
  float begin = layer->begin[at], next_at = layer->band.depth[at];
  uint32_t next = layer->band.what[at], last = layer->front_facet[at];
  if (next == MOTE_WHAT_NOTHING) next = layer->back_facet[at], next_at = layer->back_depth[at];
  if (next == MOTE_WHAT_NOTHING) return last;
  return last == MOTE_WHAT_NOTHING || next_at - begin < begin - layer->front_depth[at] ? next : last;
}

// Merges the layer into the band.
static void merge_layer(const mote_preview *p, const mote_layer *layer, mote_band *band) {
  size_t samples = (size_t)band->width * (size_t)band->height;
  for (size_t at = 0; at < samples; ++at) {
    uint32_t next = layer->band.what[at];
    bool face = begins_inside(p, layer, at);
    if (!face && next == MOTE_WHAT_NOTHING) continue;
    float depth = face ? layer->begin[at] : layer->band.depth[at];
    if (!(depth < band->depth[at])) continue;
    band->depth[at] = depth;
    band->what[at] = MOTE_WHAT_FACET | (face ? nearest_facet(layer, at) : next);
    if (face) band->what[at] |= MOTE_WHAT_CUT;
  }
}

void mote_layer_draw(const mote_preview *p, const mote_part *part, mote_layer *layer, mote_band *band) {
  layer->band.width = band->width, layer->band.height = band->height, layer->band.top = band->top;
  bool seen = false;
  for (size_t k = part->first; k < part->first + part->count && !seen; ++k)
    seen = p->facet[k].bottom >= (float)band->top && p->facet[k].top <= (float)(band->top + band->height);
  if (!seen) return;
  clear_layer(p, part, layer);
  for (size_t k = 0; k < part->count; ++k) mote_facet_raster(p, &layer->band, part->first + k, fill_layer);
  merge_layer(p, layer, band);
}
