// Distances of any point from the nodes: straight where the segment stays inside, else by the march. See
// deform_space.h.
#include <math.h>
#include <string.h>

#include "deform/deform_placing.h"
#include "deform/tuning.inc"
#include "geom/triple.h"

// --- Tables -----------------------------------------------------------------------------------------------

static size_t box_size(const mote_deform_excess *e) {
  return (size_t)e->n[0] * (size_t)e->n[1] * (size_t)e->n[2];
}

// The box of positions within the support and two cells of node a.
static void set_box(const mote_deform_space *s, uint32_t a, mote_deform_excess *e) {
  const mote_deform_grid *g = &s->grid;
  int32_t reach = (int32_t)ceil(s->support[a] / g->cell) + 2;
  for (int k = 0; k < 3; ++k) {
    int32_t at = g->at[s->point[a]][k], low = at - reach, high = at + reach;
    if (low < 0) low = 0;
    if (high >= (int32_t)g->n[k]) high = (int32_t)g->n[k] - 1;
    e->low[k] = low, e->n[k] = high - low + 1;
  }
}

// The excess of grid point i, which the march has or has not reached.
static float excess_of(const mote_deform_space *s, const mote_deform_march *m, uint32_t a, uint32_t i) {
  if (!mote_deform_march_has(m, i)) return (float)(UNREACHED_EXCESS * s->support[a]);
  double x[3], from[3];
  mote_deform_grid_place(&s->grid, i, x), mote_deform_grid_place(&s->grid, s->point[a], from);
  // The march began at the node's grid point.
  double over = m->value[i] - distance3(from, s->node[a]) - STRAIGHT_PART * distance3(x, s->node[a]);
  return over > 0.0 ? (float)over : 0.0f;
}

// Whether all points of the box that matter are straight.
static bool fill_box(const mote_deform_space *s, const mote_deform_march *m, uint32_t a,
                     const mote_deform_excess *e, float *value) {
  const mote_deform_grid *g = &s->grid;
  double reach = s->support[a] + 1.8 * g->cell;
  bool straight = true;
  for (int32_t k = 0; k < e->n[2]; ++k) {
    for (int32_t j = 0; j < e->n[1]; ++j) {
      const uint32_t *row =
          g->inside + ((size_t)(e->low[2] + k) * g->n[1] + (size_t)(e->low[1] + j)) * g->n[0];
      for (int32_t i = 0; i < e->n[0]; ++i, ++value) {
        uint32_t p = row[e->low[0] + i];
        *value = p == MOTE_DEFORM_NONE ? 0.0f : excess_of(s, m, a, p);
        if (*value > 0.0f && straight) {
          double x[3];
          mote_deform_grid_place(g, p, x);
          straight = distance3(x, s->node[a]) > reach;
        }
      }
    }
  }
  return straight;
}

static mote_result make_excess(mote_deform_placing *p, mote_arena *memory, mote_arena *own,
                               mote_error *error) {
  mote_deform_space *s = p->space;
  size_t largest = 0;
  MOTE_TAKE(s->excess, memory, s->nodes, error);
  memset(s->excess, 0, s->nodes * sizeof *s->excess);
  for (uint32_t a = 0; a < s->nodes; ++a) {
    set_box(s, a, s->excess + a);
    largest = box_size(s->excess + a) > largest ? box_size(s->excess + a) : largest;
  }
  MOTE_ALLOC_NEW(float, box, &own->env, largest, error);
  mote_result result = MOTE_OK;
  for (uint32_t a = 0; result == MOTE_OK && a < s->nodes; ++a) {
    mote_deform_excess *e = s->excess + a;
    double reach = s->support[a] + 2.0 * s->grid.cell;
    result = mote_deform_march_recall(&p->march, s->point[a], reach, p->reach + a, own, error);
    if (result != MOTE_OK || fill_box(s, &p->march, a, e, box)) continue;
    e->value = mote_arena_take(memory, box_size(e), sizeof *e->value);
    if (e->value == NULL)
      result = mote_fail_memory(error, box_size(e) * sizeof *e->value);
    else
      memcpy(e->value, box, box_size(e) * sizeof *e->value);
  }
  mote_free(&own->env, box, largest, sizeof *box);
  return result;
}

static uint32_t bin_of(const mote_deform_space *s, const double x[3], int32_t at[3]) {
  for (int k = 0; k < 3; ++k) {
    double b = floor((x[k] - s->bin_low[k]) / s->widest);
    at[k] = b < -1.0 ? -2 : b > (double)s->bins[k] ? (int32_t)s->bins[k] + 1 : (int32_t)b;
  }
  return ((uint32_t)at[2] * s->bins[1] + (uint32_t)at[1]) * s->bins[0] + (uint32_t)at[0];
}

static mote_result make_bins(mote_deform_space *s, mote_arena *memory, mote_error *error) {
  double high[3];
  s->widest = 0.0;
  for (uint32_t a = 0; a < s->nodes; ++a) s->widest = max2(s->widest, s->support[a]);
  for (int k = 0; k < 3; ++k) s->bin_low[k] = high[k] = s->node[0][k];
  for (uint32_t a = 0; a < s->nodes; ++a) {
    for (int k = 0; k < 3; ++k) {
      s->bin_low[k] = min2(s->bin_low[k], s->node[a][k]), high[k] = max2(high[k], s->node[a][k]);
    }
  }
  size_t all = 1;
  for (int k = 0; k < 3; ++k)
    s->bins[k] = (uint32_t)((high[k] - s->bin_low[k]) / s->widest) + 1, all *= s->bins[k];
  MOTE_TAKE(s->bin_first, memory, all + 1, error);
  MOTE_TAKE(s->bin_node, memory, s->nodes, error);
  memset(s->bin_first, 0, (all + 1) * sizeof *s->bin_first);
  int32_t at[3];
  for (uint32_t a = 0; a < s->nodes; ++a) ++s->bin_first[bin_of(s, s->node[a], at) + 1];
  for (size_t b = 0; b < all; ++b) s->bin_first[b + 1] += s->bin_first[b];
  for (uint32_t a = s->nodes; a-- > 0;) {
    uint32_t b = bin_of(s, s->node[a], at);
    s->bin_node[--s->bin_first[b + 1]] = a;
  }
  // Each entry was lowered to its bin's first node: first[b + 1] now stands for first[b].
  for (size_t b = 0; b < all; ++b) s->bin_first[b] = s->bin_first[b + 1];
  s->bin_first[all] = s->nodes;
  return MOTE_OK;
}

mote_result mote_deform_space_tables(mote_deform_placing *p, mote_arena *memory, mote_arena *own,
                                     mote_error *error) {
  MOTE_TRY(make_excess(p, memory, own, error));
  return make_bins(p->space, memory, error);
}

// --- Interpolation ----------------------------------------------------------------------------------------

// The grid points around x that are connected with its anchor, and their weights: quadratic B-splines,
// renormalised.
typedef struct spline {
  int count;
  int32_t at[27][3];
  double weight[27], gradient[27][3];
} spline;

// Which of the 27 positions are connected with the one at `first` by open links among them.
static uint32_t connected(const uint32_t point[27], const mote_deform_grid *g, int first) {
  static const int step[3] = {1, 3, 9};
  uint32_t seen = 1u << first, todo = seen;
  while (todo != 0) {
    int c = __builtin_ctz(todo);
    todo &= todo - 1;
    for (int k = 0; k < 3; ++k) {
      int at = c / step[k] % 3;
      for (int side = 0; side < 2; ++side) {
        if (side ? at == 2 : at == 0) continue;
        int other = side ? c + step[k] : c - step[k];
        if (point[other] == MOTE_DEFORM_NONE || seen >> other & 1) continue;
        if (g->link[point[c]][2 * k + side] != point[other]) continue;
        seen |= 1u << other, todo |= 1u << other;
      }
    }
  }
  return seen;
}

static void add_position(spline *out, const int32_t r[3], int c, double b[3][3], double db[3][3]) {
  int i = c % 3, j = c / 3 % 3, k = c / 9, n = out->count++;
  out->at[n][0] = r[0] + i - 1, out->at[n][1] = r[1] + j - 1, out->at[n][2] = r[2] + k - 1;
  out->weight[n] = b[0][i] * b[1][j] * b[2][k];
  set3(db[0][i] * b[1][j] * b[2][k], b[0][i] * db[1][j] * b[2][k], b[0][i] * b[1][j] * db[2][k],
       out->gradient[n]);
}

static void normalise(spline *s) {
  double sum = 0.0, slope[3] = {0};
  for (int n = 0; n < s->count; ++n) sum += s->weight[n], step3(slope, 1.0, s->gradient[n], slope);
  for (int n = 0; n < s->count; ++n) {
    s->weight[n] /= sum;
    for (int k = 0; k < 3; ++k) s->gradient[n][k] = (s->gradient[n][k] - s->weight[n] * slope[k]) / sum;
  }
}

static void make_spline(const mote_deform_grid *g, const double x[3], uint32_t anchor, spline *out) {
  double b[3][3], db[3][3];
  int32_t r[3];
  uint32_t point[27];
  int first = -1;
  for (int k = 0; k < 3; ++k) {
    double y = (x[k] - g->low[k]) / g->cell, near = floor(y + 0.5), t = y - near;
    r[k] = (int32_t)near;
    b[k][0] = 0.5 * (0.5 - t) * (0.5 - t), b[k][1] = 0.75 - t * t, b[k][2] = 0.5 * (0.5 + t) * (0.5 + t);
    db[k][0] = (t - 0.5) / g->cell, db[k][1] = -2.0 * t / g->cell, db[k][2] = (0.5 + t) / g->cell;
  }
  out->count = 0;
  for (int c = 0; c < 27; ++c) {
    point[c] = mote_deform_grid_find(g, r[0] + c % 3 - 1, r[1] + c / 3 % 3 - 1, r[2] + c / 9 - 1);
    if (point[c] == anchor) first = c;
  }
  uint32_t seen = first >= 0 ? connected(point, g, first) : 0;
  double sum = 0.0;
  for (int c = 0; c < 27; ++c) {
    if (!(seen >> c & 1)) continue;
    add_position(out, r, c, b, db);
    sum += out->weight[out->count - 1];
  }
  if (sum > 1e-6) {
    normalise(out);
    return;
  }
  // Seen from farther away: as at the anchor.
  out->count = 1, out->weight[0] = 1.0;
  set3(0.0, 0.0, 0.0, out->gradient[0]);
  for (int k = 0; k < 3; ++k) out->at[0][k] = g->at[anchor][k];
}

// Adds the excess of node a to the straight distance.
static void add_excess(const mote_deform_excess *e, double unreached, const spline *at,
                       mote_deform_near *near) {
  for (int n = 0; n < at->count; ++n) {
    int32_t i = at->at[n][0] - e->low[0], j = at->at[n][1] - e->low[1], k = at->at[n][2] - e->low[2];
    bool within = i >= 0 && j >= 0 && k >= 0 && i < e->n[0] && j < e->n[1] && k < e->n[2];
    double value =
        within ? (double)e->value[((size_t)k * (size_t)e->n[1] + (size_t)j) * (size_t)e->n[0] + (size_t)i]
               : unreached;
    near->distance += at->weight[n] * value;
    step3(near->gradient, value, at->gradient[n], near->gradient);
  }
}

// Keeps the nearest ones in ascending order of the nodes' numbers as they come.
static uint32_t keep(mote_deform_near *near, uint32_t count, const mote_deform_near *one) {
  if (count < MOTE_DEFORM_REACH_MAX) {
    near[count] = *one;
    return count + 1;
  }
  uint32_t worst = 0;
  for (uint32_t k = 1; k < count; ++k)
    if (near[k].distance > near[worst].distance) worst = k;
  if (one->distance < near[worst].distance) near[worst] = *one;
  return count;
}

static uint32_t try_node(const mote_deform_space *s, const double x[3], uint32_t anchor, uint32_t a,
                         spline *at, mote_deform_near *near, uint32_t count) {
  mote_deform_near one = {.node = a};
  double to[3], h = s->support[a];
  sub3(x, s->node[a], to);
  double square = dot3(to, to);
  if (!(square < h * h)) return count;
  one.distance = sqrt(square);
  for (int k = 0; k < 3; ++k) one.gradient[k] = one.distance > 0.0 ? to[k] / one.distance : 0.0;
  if (s->excess[a].value != NULL) {
    if (at->count == 0) make_spline(&s->grid, x, anchor, at);
    add_excess(s->excess + a, UNREACHED_EXCESS * h, at, &one);
    if (!(one.distance < h)) return count;
  }
  return keep(near, count, &one);
}

uint32_t mote_deform_space_find(const mote_deform_space *s, const double x[3], uint32_t anchor,
                                mote_deform_near near[MOTE_DEFORM_REACH_MAX]) {
  spline at;
  at.count = 0;
  int32_t b[3];
  uint32_t count = 0;
  bin_of(s, x, b);
  for (int32_t k = b[2] - 1; k <= b[2] + 1; ++k) {
    if (k < 0 || k >= (int32_t)s->bins[2]) continue;
    for (int32_t j = b[1] - 1; j <= b[1] + 1; ++j) {
      if (j < 0 || j >= (int32_t)s->bins[1]) continue;
      for (int32_t i = b[0] - 1; i <= b[0] + 1; ++i) {
        if (i < 0 || i >= (int32_t)s->bins[0]) continue;
        uint32_t bin = ((uint32_t)k * s->bins[1] + (uint32_t)j) * s->bins[0] + (uint32_t)i;
        for (uint32_t e = s->bin_first[bin]; e < s->bin_first[bin + 1]; ++e)
          count = try_node(s, x, anchor, s->bin_node[e], &at, near, count);
      }
    }
  }
  return count;
}

// --- Paths ------------------------------------------------------------------------------------------------

mote_result mote_deform_space_paths(const mote_deform_space *s, uint32_t from, const double *point,
                                    size_t count, mote_arena *own, double *out, mote_error *error) {
  const mote_deform_grid *g = &s->grid;
  mote_deform_march march;
  double start[3];
  MOTE_TRY(mote_deform_march_make(g, own, &march, error));
  mote_deform_march_run(&march, from, HUGE_VAL, NULL);
  mote_deform_grid_place(g, from, start);
  for (size_t i = 0; i < count; ++i) {
    const double *x = point + 3 * i;
    spline at;
    uint32_t anchor = mote_deform_grid_anchor(g, x, NULL);
    make_spline(g, x, anchor, &at);
    out[i] = mote_deform_march_has(&march, anchor) ? distance3(x, start) : HUGE_VAL;
    for (int n = 0; n < at.count && out[i] < HUGE_VAL; ++n) {
      uint32_t p = mote_deform_grid_find(g, at.at[n][0], at.at[n][1], at.at[n][2]);
      double y[3];
      mote_deform_grid_place(g, p, y);
      out[i] += at.weight[n] * (march.value[p] - distance3(y, start));
    }
  }
  return MOTE_OK;
}
