// Simplification of the pieces: points of their complex go into neighbours one by one, in sweeps over all, as
// long as every point that is no more stays near the triangles that took its place. No triangle may come to
// cross another, turn over, or become thinner than those that were there. Theory: docs/theory/fragments.md,
// "Simplified"
#include "fragments/fragment_simplify.h"

#include <string.h>

#include "fragments/simplify_cells.h"
#include "fragments/simplify_star.h"
#include "fragments/tuning.inc"
#include "geom/tri_closest.h"
#include "mesh/tri_quality.h"

#define SWEEPS_MAX 40   // at each share of the tolerance
#define TRIALS_MAX 3    // neighbours that are tried in full
#define VALENCE_MAX 24  // triangles about a point

// Shares of the tolerance, one after the other: even surfaces are simplified first.
static const double share[] = {0.0625, 0.25, 1.0};
#define SHARES (sizeof share / sizeof *share)

// A point that is no more, on the triangle of a page that is nearest.
typedef struct sample {
  uint32_t point, next;  // NONE: the last one of its triangle
} sample;

typedef struct simplifying {
  mote_complex complex;
  mote_complex_cells cells;
  mote_star_marks marks;
  const mote_simplify_limits *limits;
  const mote_env *env;
  double edge;            // of the grid, m
  double share;           // of the limits, now
  double volume;          // change up to now
  double *piece, *least;  // volume of each piece, and what it keeps of it
  uint32_t *sampled;      // of each row: its first sample; NONE
  sample *sample;
  size_t samples, capacity;
  uint32_t *found;  // scratch: of each sample of a star, its new row
  size_t found_capacity;
  uint8_t *pending;  // of each point: to be tried
  uint32_t *sweep;   // of each point: the sweep in which something about it was changed
} simplifying;

static const double *place(const simplifying *s, uint32_t point) {
  return mote_complex_place(&s->complex, point);
}

static bool is_outer(const simplifying *s, uint32_t row) {
  return !s->complex.cut->wall[row];
}

// --- Shape ------------------------------------------------------------------------------------------------

static bool agree(const double a[3], const double b[3]) {
  double d = dot3(a, b);
  return d > 0.0 && d * d > BEND_LEAST * BEND_LEAST * dot3(a, a) * dot3(b, b);
}

// The worst quality of the triangles that would be; 0: one turns over, or is thinner than may be.
static double judge_shape(const simplifying *s, const mote_star *star, int spoke) {
  const double *x = place(s, star->spoke[spoke].point);
  double worst = 1.0, least = min2(star->worst, QUALITY_LEAST);
  for (int k = 0; k < star->count; ++k) {
    double area2[3];
    if (mote_star_has_spoke(star, k, spoke)) continue;
    double quality = tri_quality(x, place(s, star->spoke[star->from[k]].point),
                                 place(s, star->spoke[star->to[k]].point), area2);
    if (!(quality > 0.0) || quality < least) return 0.0;
    bool straight = agree(area2, star->normal[star->page[k]]) ||
                    (star->quality[k] > QUALITY_LEAST && agree(area2, star->area2[k]));
    if (!straight) return 0.0;
    worst = min2(worst, quality);
  }
  return worst;
}

// By how much the volume of all pieces would grow; what one loses at a wall both lie on, the other gains.
static double volume_change(const simplifying *s, const mote_star *star, int spoke) {
  const double *x = place(s, star->point);
  double to[3], sum = 0.0;
  sub3(place(s, star->spoke[spoke].point), x, to);
  for (int k = 0; k < star->count; ++k)
    if (s->complex.back[star->row[k]] == MOTE_CUT_NONE && !mote_star_has_spoke(star, k, spoke))
      sum += dot3(to, star->area2[k]);
  return sum / 6.0;
}

static void add_to_pieces(simplifying *s, const mote_star *star, int spoke, double factor) {
  const uint32_t *fragment = s->complex.cut->fragment;
  double to[3];
  sub3(place(s, star->spoke[spoke].point), place(s, star->point), to);
  for (int k = 0; k < star->count; ++k) {
    uint32_t row = star->row[k], back = s->complex.back[row];
    if (mote_star_has_spoke(star, k, spoke)) continue;
    double part = factor * dot3(to, star->area2[k]) / 6.0;
    s->piece[fragment[row]] += part;
    if (back != MOTE_CUT_NONE) s->piece[fragment[back]] -= part;
  }
}

// Changes the volumes of the pieces at the star, unless one would lose half of what it had: some are as small
// as the tolerance, and would be inverted.
static bool change_pieces(simplifying *s, const mote_star *star, int spoke) {
  const uint32_t *fragment = s->complex.cut->fragment;
  bool good = true;
  add_to_pieces(s, star, spoke, 1.0);
  for (int k = 0; k < star->count; ++k) {
    uint32_t front = fragment[star->row[k]], back = s->complex.back[star->row[k]];
    good &= s->piece[front] >= s->least[front];
    if (back != MOTE_CUT_NONE) good &= s->piece[fragment[back]] >= s->least[fragment[back]];
  }
  if (!good) add_to_pieces(s, star, spoke, -1.0);
  return good;
}

// --- Samples ----------------------------------------------------------------------------------------------

static void shares_of(const double *const x[3], const double p[3], double out[3]) {
  double u[3], v[3], w[3], n[3], part[3];
  sub3(x[1], x[0], u), sub3(x[2], x[0], v), sub3(p, x[0], w);
  cross3(u, v, n);
  double area = dot3(n, n);
  cross3(w, v, part), out[1] = dot3(part, n) / area;
  cross3(u, w, part), out[2] = dot3(part, n) / area;
  out[0] = 1.0 - out[1] - out[2];
}

// Whether the triangle shows at p what the sample does.
static bool shows_same(const simplifying *s, const uint32_t corner[3], const double p[3], uint32_t point) {
  size_t n = s->limits->values;
  const double *x[3] = {place(s, corner[0]), place(s, corner[1]), place(s, corner[2])};
  const float *value = s->limits->value;
  double part[3];
  shares_of(x, p, part);
  for (size_t i = 0; i < n; ++i) {
    double shown = 0.0;
    for (int k = 0; k < 3; ++k) shown += part[k] * (double)value[corner[k] * n + i];
    if (!(fabs(shown - (double)value[point * n + i]) <= 1.0)) return false;
  }
  return true;
}

// The triangle of the page, as it would be, that is nearest to the point; NONE: it is too far, or shows
// something else.
static uint32_t find_row(const simplifying *s, const mote_star *star, int spoke, int page, uint32_t point) {
  const double *x = place(s, point), *to = place(s, star->spoke[spoke].point);
  double least = HUGE_VAL, at[3] = {0};
  int best = -1;
  for (int k = 0; k < star->count && least > 0.0; ++k) {
    double p[3], off[3];
    if (star->page[k] != page || mote_star_has_spoke(star, k, spoke)) continue;
    tri_closest(to, place(s, star->spoke[star->from[k]].point), place(s, star->spoke[star->to[k]].point), x,
                p);
    sub3(p, x, off);
    double square = dot3(off, off);
    if (square < least) least = square, best = k, copy3(p, at);
  }
  MOTE_ASSERT(best >= 0);
  bool outer = is_outer(s, star->row[best]);
  double most = s->share * (outer ? s->limits->outer : s->limits->wall);
  if (!(least <= most * most)) return MOTE_CUT_NONE;
  const uint32_t corner[3] = {star->spoke[spoke].point, star->spoke[star->from[best]].point,
                              star->spoke[star->to[best]].point};
  if (outer && s->limits->values > 0 && !shows_same(s, corner, at, point)) return MOTE_CUT_NONE;
  return star->row[best];
}

// Finds new rows for the samples of the star's triangles, in their order, and for its point on each page.
static bool place_samples(simplifying *s, const mote_star *star, int spoke) {
  size_t count = 0;
  for (int page = 0; page < star->pages; ++page) {
    s->found[count] = find_row(s, star, spoke, page, star->point);
    if (s->found[count++] == MOTE_CUT_NONE) return false;
  }
  for (int k = 0; k < star->count; ++k)
    for (uint32_t i = s->sampled[star->row[k]]; i != MOTE_CUT_NONE; i = s->sample[i].next) {
      s->found[count] = find_row(s, star, spoke, star->page[k], s->sample[i].point);
      if (s->found[count++] == MOTE_CUT_NONE) return false;
    }
  return true;
}

// Room for the samples of the star.
static mote_result reserve_samples(simplifying *s, const mote_star *star, mote_error *error) {
  size_t count = (size_t)star->pages;
  MOTE_TRY(mote_reserve(s->env, &s->sample, &s->capacity, s->samples + count, sizeof *s->sample, error));
  for (int k = 0; k < star->count; ++k)
    for (uint32_t i = s->sampled[star->row[k]]; i != MOTE_CUT_NONE; i = s->sample[i].next) ++count;
  return mote_reserve(s->env, &s->found, &s->found_capacity, count, sizeof *s->found, error);
}

// Gives the samples to the rows that were found.
static void move_samples(simplifying *s, const mote_star *star) {
  size_t count = (size_t)star->pages;
  uint32_t all = MOTE_CUT_NONE, *end = &all;
  for (int k = 0; k < star->count; ++k) {
    *end = s->sampled[star->row[k]];
    while (*end != MOTE_CUT_NONE) end = &s->sample[*end].next;
    s->sampled[star->row[k]] = MOTE_CUT_NONE;
  }
  for (uint32_t i = all, next; i != MOTE_CUT_NONE; i = next) {
    next = s->sample[i].next;
    uint32_t *head = s->sampled + s->found[count++];
    s->sample[i].next = *head, *head = i;
  }
  for (int page = 0; page < star->pages; ++page) {
    uint32_t i = (uint32_t)s->samples++, *head = s->sampled + s->found[page];
    s->sample[i] = (sample){star->point, *head}, *head = i;
  }
}

// --- The shape --------------------------------------------------------------------------------------------

// How thick the page is across its plane.
static double thickness_of(const simplifying *s, const mote_star *star, int page) {
  const double *normal = star->normal[page], *x = place(s, star->point);
  double least = 0.0, most = 0.0, length = length3(normal);
  for (int k = 0; k < star->count; ++k)
    for (int end = 0; end < 2 && star->page[k] == page; ++end) {
      double off[3];
      sub3(place(s, star->spoke[end ? star->to[k] : star->from[k]].point), x, off);
      double height = dot3(off, normal);
      least = min2(least, height), most = max2(most, height);
    }
  return length > 0.0 ? (most - least) / length : HUGE_VAL;
}

// Whether points of the segment, half an edge apart, are off the shape.
static bool edge_strays(const simplifying *s, const double a[3], const double b[3]) {
  int parts = 2 + (int)min2(1000.0, 2.0 * distance3(a, b) / s->edge);
  double most = STRAY_MOST * s->limits->outer, along[3], x[3];
  sub3(b, a, along);
  for (int k = 1; k < parts; ++k) {
    step3(a, (double)k / parts, along, x);
    if (fabs(mote_shape_distance(s->limits->shape, x)) > most) return true;
  }
  return false;
}

// Points that are gone are near the triangles that would be; whether these are also near the shape: where a
// page is thicker than the limit they may cut off a sharp edge.
static bool strays(const simplifying *s, const mote_star *star, int spoke) {
  const double *to = place(s, star->spoke[spoke].point);
  bool thick[MOTE_PAGES_MOST];
  for (int page = 0; page < star->pages; ++page)
    thick[page] = thickness_of(s, star, page) > THICKNESS_MOST * s->limits->outer;
  for (int k = 0; k < star->count; ++k) {
    if (!thick[star->page[k]] || !is_outer(s, star->row[k]) || mote_star_has_spoke(star, k, spoke)) continue;
    const double *a = place(s, star->spoke[star->from[k]].point),
                 *b = place(s, star->spoke[star->to[k]].point);
    double middle[3];
    for (int i = 0; i < 3; ++i) middle[i] = 0.5 * (a[i] + b[i]);
    if (edge_strays(s, to, a) || edge_strays(s, to, middle)) return true;
    if (star->spoke[star->to[k]].curve && edge_strays(s, to, b)) return true;
  }
  return false;
}

// --- Collapses --------------------------------------------------------------------------------------------

// The triangles that would be, and the box of all that are and would be.
typedef struct made_triangles {
  uint32_t point[MOTE_STAR_MOST][3];
  int count;
  mote_complex_box box;
} made_triangles;

static void list_made(const simplifying *s, const mote_star *star, int spoke, made_triangles *out) {
  out->count = 0;
  const double *x = place(s, star->point);
  copy3(x, out->box.low), copy3(x, out->box.high);
  for (int k = 0; k < star->spokes; ++k) {
    x = place(s, star->spoke[k].point);
    for (int a = 0; a < 3; ++a) {
      out->box.low[a] = min2(out->box.low[a], x[a]), out->box.high[a] = max2(out->box.high[a], x[a]);
    }
  }
  for (int k = 0; k < star->count; ++k) {
    if (mote_star_has_spoke(star, k, spoke)) continue;
    uint32_t *v = out->point[out->count++];
    int at = star->at[k];
    v[at] = star->spoke[spoke].point, v[(at + 1) % 3] = star->spoke[star->from[k]].point;
    v[(at + 2) % 3] = star->spoke[star->to[k]].point;
  }
}

static bool is_upright(const simplifying *s, const uint32_t v[3], const double normal[3]) {
  double a[3], b[3], n[3];
  sub3(place(s, v[1]), place(s, v[0]), a), sub3(place(s, v[2]), place(s, v[0]), b);
  cross3(a, b, n);
  return dot3(n, normal) > 0.0;
}

// Whether nothing is near but a single sheet over one plane, of the star's page: two sheets that both have
// one piece below and another above them have a third one between, which is turned the other way. What fills
// the star's outline without turning over then crosses nothing.
static bool is_single_sheet(const simplifying *s, const mote_star *star, const made_triangles *made,
                            size_t near) {
  const mote_complex *c = &s->complex;
  const double *normal = star->normal[0];
  if (star->curve) return false;
  uint32_t front = c->cut->fragment[star->row[0]], behind = mote_complex_behind(c, star->row[0]);
  for (int k = 0; k < star->count; ++k)
    if (!(dot3(star->area2[k], normal) > 0.0)) return false;
  for (int k = 0; k < made->count; ++k)
    if (!is_upright(s, made->point[k], normal)) return false;
  for (size_t k = 0; k < near; ++k) {
    uint32_t row = s->cells.near[k];
    if (c->cut->fragment[row] != front || mote_complex_behind(c, row) != behind) return false;
    if (!is_upright(s, c->corner + 3 * (size_t)row, normal)) return false;
  }
  return true;
}

static bool crosses(simplifying *s, const mote_star *star, int spoke) {
  made_triangles made;
  list_made(s, star, spoke, &made);
  size_t near = mote_complex_cells_find(&s->cells, &s->complex, &made.box, star->point);
  if (is_single_sheet(s, star, &made, near)) return false;
  for (int a = 0; a < made.count; ++a) {
    mote_complex_box box = mote_complex_box_of(&s->complex, made.point[a]);
    for (int b = 0; b < a; ++b)
      if (mote_complex_crosses(&s->complex, made.point[a], made.point[b])) return true;
    for (size_t k = 0; k < near; ++k) {
      uint32_t row = s->cells.near[k];
      if (mote_complex_boxes_overlap(&box, s->cells.box + row) &&
          mote_complex_crosses(&s->complex, made.point[a], s->complex.corner + 3 * (size_t)row))
        return true;
    }
  }
  return false;
}

static int valence_of(const simplifying *s, uint32_t point) {
  int count = 0;
  for (uint32_t k = s->complex.first[point]; k != MOTE_CUT_NONE; k = s->complex.next[k])
    count += s->complex.live[k / 3];
  return count;
}

static bool is_allowed(simplifying *s, const mote_star *star, int spoke, double *change) {
  int there = valence_of(s, star->spoke[spoke].point);
  if (there + star->count - 2 * star->spoke[spoke].triangles > max2(VALENCE_MAX, there)) return false;
  if (!mote_star_may_collapse(&s->complex, star, spoke, &s->marks)) return false;
  *change = volume_change(s, star, spoke);
  if (fabs(s->volume + *change) > max2(fabs(s->volume), s->share * s->limits->volume)) return false;
  return place_samples(s, star, spoke) && !strays(s, star, spoke) && !crosses(s, star, spoke) &&
         change_pieces(s, star, spoke);
}

static void collapse(simplifying *s, const mote_star *star, int spoke, double change, uint32_t sweep) {
  move_samples(s, star);
  for (int k = 0; k < star->count; ++k) mote_complex_cells_remove(&s->cells, star->row[k]);
  mote_star_collapse(&s->complex, star, spoke);
  for (int k = 0; k < star->count; ++k)
    if (s->complex.live[star->row[k]]) mote_complex_cells_enter(&s->cells, &s->complex, star->row[k]);
  for (int k = 0; k < star->spokes; ++k) {
    s->pending[star->spoke[k].point] = 1;
    s->sweep[star->spoke[k].point] = sweep;
  }
  s->volume += change;
}

// Tries the neighbours with the best triangles; true: the point is no more.
static bool try_point(simplifying *s, const mote_star *star, uint32_t sweep) {
  double quality[2 * MOTE_STAR_MOST], change;
  for (int k = 0; k < star->spokes; ++k)
    quality[k] = star->curve && !star->spoke[k].curve ? 0.0 : judge_shape(s, star, k);
  for (int trial = 0; trial < TRIALS_MAX; ++trial) {
    int best = 0;
    for (int k = 1; k < star->spokes; ++k) best = quality[k] > quality[best] ? k : best;
    if (!(quality[best] > 0.0)) return false;
    if (is_allowed(s, star, best, &change)) {
      collapse(s, star, best, change, sweep);
      return true;
    }
    quality[best] = 0.0;
  }
  return false;
}

// Tries all points; those about one that has gone wait for the next sweep, so that triangles stay even.
static mote_result sweep_points(simplifying *s, uint32_t sweep, size_t *gone, mote_error *error) {
  mote_star star;
  *gone = 0;
  for (uint32_t p = 0; p < s->complex.cut->mesh.vertices; ++p) {
    if (s->complex.first[p] == MOTE_CUT_NONE || !s->pending[p] || s->sweep[p] == sweep) continue;
    s->pending[p] = 0;
    mote_star_find(&s->complex, p, &star);
    if (star.pages == 0) continue;
    MOTE_TRY(reserve_samples(s, &star, error));
    *gone += try_point(s, &star, sweep);
  }
  return MOTE_OK;
}

static mote_result simplify(simplifying *s, mote_error *error) {
  size_t points = s->complex.cut->mesh.vertices, gone;
  uint32_t sweep = 0;
  for (size_t k = 0; k < SHARES; ++k) {
    s->share = share[k];
    memset(s->pending, 1, points);
    gone = 1;
    for (int round = 0; round < SWEEPS_MAX && gone > 0; ++round)
      MOTE_TRY(sweep_points(s, ++sweep, &gone, error));
  }
  return MOTE_OK;
}

static mote_result measure_pieces(simplifying *s, mote_arena *arena, mote_error *error) {
  const mote_cut_mesh *cut = s->complex.cut;
  size_t pieces = 0;
  for (size_t t = 0; t < cut->mesh.triangles; ++t)
    pieces = cut->fragment[t] >= pieces ? cut->fragment[t] + (size_t)1 : pieces;
  MOTE_TAKE(s->piece, arena, pieces, error);
  MOTE_TAKE(s->least, arena, pieces, error);
  for (size_t f = 0; f < pieces; ++f) s->piece[f] = 0.0;
  for (size_t t = 0; t < cut->mesh.triangles; ++t) {
    const uint32_t *v = cut->mesh.triangle + 3 * t;
    double n[3];
    cross3(place(s, v[0]), place(s, v[1]), n);
    s->piece[cut->fragment[t]] += dot3(n, place(s, v[2])) / 6.0;
  }
  for (size_t f = 0; f < pieces; ++f) s->least[f] = 0.5 * s->piece[f];
  return MOTE_OK;
}

static mote_result prepare(simplifying *s, mote_cut_mesh *mesh, double edge, mote_arena *arena,
                           mote_error *error) {
  size_t points = mesh->mesh.vertices, rows = mesh->mesh.triangles;
  MOTE_TRY(mote_complex_make(mesh, arena, &s->complex, error));
  MOTE_TRY(mote_complex_cells_make(&s->complex, 2.0 * edge, arena, &s->cells, error));
  MOTE_TAKE(s->sampled, arena, rows, error);
  MOTE_TAKE(s->pending, arena, points, error);
  MOTE_TAKE(s->sweep, arena, points, error);
  MOTE_TAKE(s->marks.mark, arena, points, error);
  MOTE_TRY(measure_pieces(s, arena, error));
  memset(s->sampled, 0xff, rows * sizeof *s->sampled);
  memset(s->sweep, 0, points * sizeof *s->sweep);
  memset(s->marks.mark, 0, points * sizeof *s->marks.mark);
  return MOTE_OK;
}

mote_result mote_cut_mesh_simplify(mote_cut_mesh *mesh, const mote_simplify_limits *limits, double edge,
                                   const mote_env *env, mote_error *error) {
  MOTE_ASSERT(mesh != NULL && limits != NULL && env != NULL);
  if (mesh->mesh.triangles == 0) return MOTE_OK;
  mote_arena arena = mote_arena_make(env);
  simplifying s = {.limits = limits, .env = env, .edge = edge};
  mote_result result = prepare(&s, mesh, edge, &arena, error);
  if (result == MOTE_OK) result = simplify(&s, error);
  if (result == MOTE_OK) result = mote_complex_finish(&s.complex, &arena, error);
  mote_free(env, s.sample, s.capacity, sizeof *s.sample);
  mote_free(env, s.found, s.found_capacity, sizeof *s.found);
  mote_arena_destroy(&arena);
  return result;
}
