// Initiation of cracks: see crack_grow.h.
#include <math.h>
#include <mote/numeric.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "cracks/crack_grow.h"
#include "cracks/tuning.inc"
#include "geom/point_cells.h"
#include "geom/symmetric.h"

#define WEAK_STREAM 27  // of random numbers

// Largest tension and its direction; in 2D within the plane.
static double largest_tension(int dimensions, const double stress[6], double normal[3]) {
  double full[9], value[3], Q[9];
  set3(0.0, 0.0, 0.0, normal);
  symmetric_open(stress, full);
  if (dimensions == 2) {
    double mean = 0.5 * (full[0] + full[4]), half = 0.5 * (full[0] - full[4]);
    double radius = sqrt(half * half + full[1] * full[1]);
    set3(full[1], mean + radius - full[0], 0.0, normal);
    if (half > 0.0) set3(mean + radius - full[4], full[1], 0.0, normal);
    double length = length3(normal);
    if (length > 0.0) set3(normal[0] / length, normal[1] / length, 0.0, normal);
    if (!(length > 0.0)) set3(0.0, 1.0, 0.0, normal);
    return mean + radius;
  }
  if (!mote_eigen3(full, value, Q)) return 0.0;
  set3(Q[0], Q[3], Q[6], normal);
  return value[0];
}

typedef struct start_loop {
  const mote_crack_sheets *cracks;
  const mote_fracture_law *law;
  const mote_crack_matter *matter;
  double *ratio;   // tension over strength of each particle
  uint32_t *over;  // particles whose ratio is above 1, ascending
  size_t overs;
} start_loop;

static void ratio_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const start_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double normal[3], weak = s->law->weak_spots * mote_random_unit(s->matter->seed, WEAK_STREAM, i);
    double tension = largest_tension(s->cracks->dimensions, s->matter->stress + 6 * i, normal);
    bool counts = s->matter->skip == NULL || !s->matter->skip[i];
    s->ratio[i] = counts ? tension / (s->law->strength * (1.0 - weak)) : 0.0;
  }
}

// Lists the particles above the strength, except those near a grip.
static mote_result find_over(start_loop *s, mote_error *error) {
  const mote_crack_matter *m = s->matter;
  mote_point_cells grips;
  double reach = START_GRIP * m->spacing;
  for (uint32_t i = 0; i < m->count; ++i)
    if (s->ratio[i] > 1.0) s->over[s->overs++] = i;
  if (s->overs == 0 || m->skip == NULL) return MOTE_OK;
  MOTE_TRY(mote_point_cells_create(&s->cracks->env, m->count, reach, s->cracks->dimensions, &grips, error));
  mote_point_cells_clear(&grips, m->rest);
  for (uint32_t i = 0; i < m->count; ++i)
    if (m->skip[i]) mote_point_cells_add(&grips, i);
  size_t kept = 0;
  for (size_t k = 0; k < s->overs; ++k) {
    uint32_t grip;
    if (mote_point_cells_near(&grips, m->rest + 3 * (size_t)s->over[k], reach, &grip, 1) == 0)
      s->over[kept++] = s->over[k];
  }
  s->overs = kept;
  mote_point_cells_destroy(&grips);
  return MOTE_OK;
}

static bool is_largest(const start_loop *s, uint32_t i) {
  const double *x = s->matter->rest;
  double most = START_APART * s->matter->spacing;
  for (size_t k = 0; k < s->overs; ++k) {
    uint32_t j = s->over[k];
    if (j == i || !(s->ratio[j] > s->ratio[i] || (s->ratio[j] == s->ratio[i] && j < i))) continue;
    double r[3];
    sub3(x + 3 * (size_t)j, x + 3 * (size_t)i, r);
    if (dot3(r, r) < most * most) return false;
  }
  return true;
}

static bool is_near_front(const start_loop *s, const double x[3]) {
  for (uint32_t sheet = 0; sheet < s->cracks->sheets; ++sheet) {
    if (mote_crack_front_distance(s->cracks, sheet, x, NULL) < START_APART * s->matter->spacing) return true;
  }
  return mote_crack_nearest(s->cracks, x, START_RADIUS * s->matter->spacing, NULL, NULL) < HUGE_VAL;
}

static mote_result start_at(mote_crack_sheets *cracks, const mote_crack_matter *matter, size_t i,
                            mote_crack_sheets *changed, mote_error *error) {
  double normal[3], d = matter->spacing;
  largest_tension(cracks->dimensions, matter->stress + 6 * i, normal);
  size_t before = cracks->triangles;
  MOTE_TRY(mote_crack_add_disc(cracks, matter->rest + 3 * i, normal, START_RADIUS * d, d, error));
  return mote_crack_add_triangles(changed, 0, cracks->corner + 9 * before, cracks->triangles - before, error);
}

mote_result mote_crack_start(mote_crack_sheets *cracks, const mote_fracture_law *law,
                             const mote_crack_matter *matter, mote_crack_sheets *changed,
                             mote_crack_report *report, mote_error *error) {
  MOTE_ASSERT(law->strength > 0.0);
  start_loop s = {.cracks = cracks, .law = law, .matter = matter};
  s.ratio = mote_alloc(&cracks->env, matter->count, sizeof *s.ratio);
  s.over = mote_alloc(&cracks->env, matter->count, sizeof *s.over);
  bool taken = s.ratio != NULL && s.over != NULL;
  mote_result result = taken ? MOTE_OK : mote_fail_memory(error, matter->count * sizeof *s.ratio);
  if (taken) {
    mote_parallel_for(cracks->env.threads, matter->count, 64, ratio_chunk, &s);
    result = find_over(&s, error);
  }
  for (size_t k = 0; k < s.overs && result == MOTE_OK; ++k) {
    uint32_t i = s.over[k];
    if (is_near_front(&s, matter->rest + 3 * (size_t)i) || !is_largest(&s, i)) continue;
    result = start_at(cracks, matter, i, changed, error);
    ++report->started;
  }
  mote_free(&cracks->env, s.ratio, matter->count, sizeof *s.ratio);
  mote_free(&cracks->env, s.over, matter->count, sizeof *s.over);
  if (result == MOTE_OK && report->started > 0)
    result = mote_crack_end_outside(cracks, matter, changed, error);
  return result;
}
