// How far nodes reach: see deform_placing.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deform/deform_placing.h"
#include "deform/tuning.inc"
#include "geom/triple.h"

// Nodes in reach of a sample, at least; in limbs more, as they lie around a line there.
enum { LEAST_NEAR = 10, LEAST_IN_LIMBS = 14 };

// A node and its distance from a sample.
typedef struct reach {
  double distance, scaled;  // m; by the spacing at the node
  uint32_t node, sample;
} reach;

typedef struct reaches {
  reach *list;
  size_t count, capacity;
} reaches;

static int by_distance(const void *left, const void *right) {
  const reach *a = left, *b = right;
  if (a->scaled != b->scaled) return a->scaled < b->scaled ? -1 : 1;
  if (a->sample != b->sample) return a->sample < b->sample ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static mote_result gather_reaches(mote_deform_placing *f, double range, const uint32_t *sample_of,
                                  mote_arena *own, reaches *out, mote_error *error) {
  const mote_deform_space *s = f->space;
  out->count = 0;
  for (uint32_t a = 0; a < s->nodes; ++a) {
    MOTE_TRY(mote_deform_march_recall(&f->march, s->point[a], range, f->reach + a, own, error));
    MOTE_TRY(mote_reserve(&own->env, &out->list, &out->capacity, out->count + s->samples, sizeof *out->list,
                          error));
    for (uint32_t k = 0; k < f->march.count; ++k) {
      uint32_t i = f->march.reached[k];
      if (sample_of[i] == MOTE_DEFORM_NONE) continue;
      out->list[out->count++] = (reach){f->march.value[i], f->march.value[i] / s->scale[a], a, sample_of[i]};
    }
  }
  return MOTE_OK;
}

// How many nodes a sample is to have, at least: all of a part that has fewer.
static uint32_t least_of(const mote_deform_placing *f, uint32_t sample) {
  uint32_t point = f->space->point[sample], there = f->part.nodes[f->part.of[point]];
  uint32_t least = f->wanted[point] < f->space->spacing ? LEAST_IN_LIMBS : LEAST_NEAR;
  return there < least ? there : least;
}

// Neighbours of all samples together.
static size_t wanted_reaches(const mote_deform_placing *f, const uint32_t *sample_of, double neighbours) {
  double sum = 0.0;
  for (uint32_t k = 0; k < f->space->samples; ++k)
    if (sample_of[f->space->point[k]] == k)
      sum += min2(neighbours, f->part.nodes[f->part.of[f->space->point[k]]]);
  return (size_t)sum;
}

// The support, in parts of the usual spacing, with which samples have so many neighbours on average; larger
// for nodes that are among the nearest few of a sample that is farther. `number`: how many each sample has
// within the range.
static bool set_supports(const mote_deform_placing *f, const uint32_t *sample_of, reaches *r,
                         double neighbours, uint32_t *number) {
  mote_deform_space *s = f->space;
  size_t wanted = wanted_reaches(f, sample_of, neighbours);
  if (wanted > r->count) return false;
  qsort(r->list, r->count, sizeof *r->list, by_distance);
  double h = SUPPORT_MARGIN * r->list[wanted - 1].scaled;
  for (uint32_t a = 0; a < s->nodes; ++a) s->support[a] = h * s->scale[a];
  memset(number, 0, s->samples * sizeof *number);
  for (size_t k = 0; k < r->count; ++k) {
    const reach *e = r->list + k;
    if (number[e->sample]++ >= least_of(f, e->sample)) continue;
    s->support[e->node] = max2(s->support[e->node], SUPPORT_MARGIN * e->distance);
  }
  return true;
}

// The reaches of each sample, behind one another.
typedef struct sample_rows {
  uint32_t *first;
  reach *entry;
  double *length;  // of a path to each node, and whether its end is taken: scratch
  uint32_t *met;
} sample_rows;

static mote_result sort_rows(const mote_deform_space *s, const reaches *r, mote_arena *own, sample_rows *out,
                             mote_error *error) {
  MOTE_TAKE(out->first, own, s->samples + 2, error);
  MOTE_TAKE(out->entry, own, r->count, error);
  MOTE_TAKE(out->length, own, s->nodes, error);
  MOTE_TAKE(out->met, own, s->nodes, error);
  memset(out->first, 0, (s->samples + 2) * sizeof *out->first);
  for (size_t k = 0; k < r->count; ++k) ++out->first[r->list[k].sample + 2];
  for (uint32_t k = 1; k < s->samples + 2; ++k) out->first[k] += out->first[k - 1];
  for (size_t k = 0; k < r->count; ++k) out->entry[out->first[r->list[k].sample + 1]++] = r->list[k];
  for (uint32_t a = 0; a < s->nodes; ++a) out->length[a] = HUGE_VAL;
  return MOTE_OK;
}

// A sample of a thin part has too few nodes within the range: the next ones by shortest paths from node to
// node, as nodes are samples too. False where the paths end before.
static bool complete_sample(mote_deform_space *s, sample_rows *rows, const uint32_t *sample_of,
                            uint32_t sample, size_t least) {
  size_t met = 0, taken = 0;
  double before = 0.0;
  for (uint32_t from = sample; taken < least; ++taken) {
    for (uint32_t k = rows->first[from]; k < rows->first[from + 1]; ++k) {
      const reach *e = rows->entry + k;
      double length = before + e->distance;
      if (rows->length[e->node] == HUGE_VAL) rows->met[met++] = e->node;
      if (length < fabs(rows->length[e->node])) rows->length[e->node] = length;
    }
    uint32_t next = MOTE_DEFORM_NONE;
    for (size_t k = 0; k < met; ++k) {
      double length = rows->length[rows->met[k]];
      if (length < 0.0) continue;  // taken
      if (next == MOTE_DEFORM_NONE || length < rows->length[next] ||
          (length == rows->length[next] && rows->met[k] < next))
        next = rows->met[k];
    }
    if (next == MOTE_DEFORM_NONE) break;
    before = rows->length[next], from = sample_of[s->point[next]];
    s->support[next] = max2(s->support[next], SUPPORT_MARGIN * before);
    rows->length[next] = -before - 1e-300;
  }
  for (size_t k = 0; k < met; ++k) rows->length[rows->met[k]] = HUGE_VAL;
  return taken == least;
}

// Those of nodes that samples with too few others need.
static mote_result complete_samples(const mote_deform_placing *f, const reaches *r, const uint32_t *sample_of,
                                    const uint32_t *number, mote_arena *own, bool *found, mote_error *error) {
  mote_deform_space *s = f->space;
  sample_rows rows;
  mote_arena_mark mark = mote_arena_here(own);
  MOTE_TRY(sort_rows(s, r, own, &rows, error));
  for (uint32_t k = 0; *found && k < s->samples; ++k) {
    uint32_t least = least_of(f, k);
    if (sample_of[s->point[k]] != k) continue;  // another one at the same point
    if (number[k] < least) *found = complete_sample(s, &rows, sample_of, k, least);
  }
  mote_arena_release(own, mark);
  return MOTE_OK;
}

mote_result mote_deform_find_supports(mote_deform_placing *f, mote_arena *own, mote_error *error) {
  mote_deform_space *s = f->space;
  reaches r = {0};
  mote_env env = own->env;
  MOTE_TAKE_NEW(uint32_t, sample_of, own, s->grid.count, error);
  MOTE_TAKE_NEW(uint32_t, number, own, s->samples, error);
  for (uint32_t i = 0; i < s->grid.count; ++i) sample_of[i] = MOTE_DEFORM_NONE;
  for (uint32_t k = 0; k < s->samples; ++k) sample_of[s->point[k]] = k;
  mote_result result = MOTE_OK;
  bool found = false;
  for (double range = FIRST_REACH * s->spacing; result == MOTE_OK && !found && range < 1e3 * s->spacing;
       range *= 1.5) {
    result = gather_reaches(f, range, sample_of, own, &r, error);
    found = result == MOTE_OK && set_supports(f, sample_of, &r, f->def->neighbours, number);
    if (found) result = complete_samples(f, &r, sample_of, number, own, &found, error);
  }
  mote_free(&env, r.list, r.capacity, sizeof *r.list);
  if (result == MOTE_OK && !found) return mote_fail_key(error, "nodes", "are too few for parts of the mesh");
  return result;
}
