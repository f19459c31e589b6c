// Jumps of a tracked surface: see track_jumps.h.
#include "validate/tracking/track_jumps.h"

#include <math.h>
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"

bool track_points_add(track_points *p, const double x[3], size_t frame) {
  if (p->count == p->capacity) {
    size_t capacity = 2 * p->capacity + 64;
    track_point *point = realloc(p->point, capacity * sizeof *point);
    if (point == NULL) return false;
    p->point = point, p->capacity = capacity;
  }
  p->point[p->count++] = (track_point){{x[0], x[1], x[2]}, frame};
  return true;
}

static bool is_near(const track_point *p, const track_points *events, double reach) {
  for (size_t e = 0; e < events->count; ++e) {
    const track_point *event = &events->point[e];
    double square = 0.0;
    for (int k = 0; k < 3; ++k) square += (event->x[k] - p->x[k]) * (event->x[k] - p->x[k]);
    if (event->frame + 1 >= p->frame && event->frame <= p->frame + 1 && sqrt(square) <= reach) return true;
  }
  return false;
}

size_t track_points_away(const track_points *points, const track_points *events, double reach) {
  APP_ASSERT(reach >= 0.0);
  size_t away = 0;
  for (size_t k = 0; k < points->count; ++k) away += !is_near(&points->point[k], events, reach);
  return away;
}

void track_points_free(track_points *p) {
  free(p->point);
  *p = (track_points){0};
}

static const mote_field_view *find(const mote_surface *s, const char *name) {
  for (int k = 0; k < s->fields; ++k) {
    if (strcmp(s->field[k].name, name) == 0) return &s->field[k];
  }
  return NULL;
}

// The surface becomes that of the step before.
static bool keep(track_jumps *j, const mote_surface *s, const mote_field_view *id) {
  size_t n = s->mesh.vertices, most = j->ids;
  const uint64_t *own = id->data;
  for (size_t v = 0; v < n; ++v) most = own[v] >= most ? (size_t)own[v] + 1 : most;
  if (most > j->ids) {
    most += most / 2;
    uint32_t *row_of = realloc(j->row_of, most * sizeof *row_of);
    if (row_of == NULL) return false;
    memset(row_of + j->ids, 0, (most - j->ids) * sizeof *row_of);
    j->row_of = row_of, j->ids = most;
  }
  if (n > j->capacity) {
    double *position = realloc(j->position, 3 * n * sizeof *position);
    if (position != NULL) j->position = position;
    uint64_t *ids = realloc(j->id, n * sizeof *ids);
    if (ids != NULL) j->id = ids;
    if (position == NULL || ids == NULL) return false;
    j->capacity = n;
  }
  for (size_t v = 0; v < j->rows; ++v) j->row_of[j->id[v]] = 0;
  if (n > 0) memcpy(j->position, s->mesh.vertex, 3 * n * sizeof *j->position);
  for (size_t v = 0; v < n; ++v) j->id[v] = own[v], j->row_of[own[v]] = (uint32_t)v + 1;
  j->rows = n;
  return true;
}

static bool is_at_wall(const track_jumps *j, const double x[3]) {
  for (int k = 0; k < 3; ++k) {
    if (x[k] < j->low[k] + j->spacing || x[k] > j->high[k] - j->spacing) return true;
  }
  return false;
}

bool track_jumps_measure(track_jumps *j, const mote_surface *s, double dt, size_t frame) {
  APP_ASSERT(j->spacing > 0.0 && dt >= 0.0 && s->normal != NULL);
  const mote_field_view *id = find(s, "id"), *velocity = find(s, "velocity");
  if (id == NULL || velocity == NULL) return false;
  for (size_t v = 0; v < s->mesh.vertices; ++v) {
    uint64_t own = ((const uint64_t *)id->data)[v];
    if (own >= j->ids || j->row_of[own] == 0) continue;
    const double *x = s->mesh.vertex + 3 * v, *before = j->position + 3 * ((size_t)j->row_of[own] - 1);
    double jump = 0.0;
    for (int k = 0; k < 3; ++k)
      jump +=
          (x[k] - before[k] - dt * mote_field_value(velocity, v, k)) * (double)s->normal[3 * v + (size_t)k];
    jump = fabs(jump) / j->spacing;
    if (jump <= JUMP_MOST || !is_at_wall(j, x)) j->largest = fmax(j->largest, jump);
    if (jump <= JUMP_MOST) continue;
    if (is_at_wall(j, x))
      ++j->at_walls;
    else if (!track_points_add(&j->jumps, x, frame))
      return false;
  }
  return keep(j, s, id);
}

void track_jumps_free(track_jumps *j) {
  track_points_free(&j->jumps);
  free(j->position), free(j->row_of), free(j->id);
  *j = (track_jumps){0};
}
