// Growth of cracks: see crack_grow.h. An advance adds the strip between the old front and the new one.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "cracks/crack_advance.h"
#include "cracks/tuning.inc"
#include "geom/triple.h"

#define FLATTEN_PASSES 3  // of new fronts

static mote_result put_triangle(mote_crack_advance *a, const double p[3], const double q[3],
                                const double r[3], mote_error *error) {
  MOTE_TRY(mote_reserve(&a->cracks->env, &a->corner, &a->capacity, 9 * (a->triangles + 1), sizeof *a->corner,
                        error));
  double *to = a->corner + 9 * a->triangles++;
  copy3(p, to), copy3(q, to + 3), copy3(r, to + 6);
  return MOTE_OK;
}

// --- Motion of a node -------------------------------------------------------------------------------

// Direction of growth; straight ahead if a fit in a compressed region would reverse it: such a node is
// driven by the tension in a ligament.
static void aim(const mote_crack_node *node, const mote_stress_intensity *k, double out[3]) {
  double angle = mote_fracture_angle(k);
  if (fabs(angle) > 0.5 * MOTE_PI) angle = 0.0;
  double c = mote_cos(angle), s = mote_sin(angle);
  for (int e = 0; e < 3; ++e) out[e] = c * node->ahead[e] + s * node->normal[e];
}

// The fraction of the path from x to `to` at which it crosses a sheet; 2: it does not. Its own sheet, which
// it may reach around a cavity, ends at x.
static double meets_sheet(const mote_crack_sheets *c, uint32_t sheet, const double x[3], const double to[3],
                          double own) {
  mote_crack_crossing some[16];
  size_t count = mote_crack_crossings(c, x, to, 16, some);
  double first = 2.0;
  for (size_t k = 0; k < count && k < 16; ++k) {
    if (c->sheet[some[k].triangle] != sheet || some[k].at > own) first = min2(first, some[k].at);
  }
  return first;
}

// A node that approaches another sheet beside it, such as an oncoming crack, is extended through it and ends:
// between the two there are no particles for a fit.
static bool join_sheet(const mote_crack_advance *a, const double from[3], const double at[3],
                       mote_crack_node *node) {
  double point[3], path[3], d = a->matter->spacing;
  if (!(mote_crack_nearest_other(a->cracks, a->front->sheet, at, MERGE_DISTANCE * d, point) < HUGE_VAL))
    return false;
  sub3(point, from, path);
  double length = length3(path);
  if (!(length > 0.0)) return false;
  step3(point, MERGE_DISTANCE * d / length, path, node->position);
  for (int k = 0; k < 3; ++k) node->ahead[k] = path[k] / length;
  node->live = 0;
  return true;
}

// Moves a node by `length` along `ahead`; ends it behind another sheet, in 2D also behind the surface.
static void move_node(const mote_crack_advance *a, double length, const double ahead[3],
                      mote_crack_node *node) {
  double d = a->matter->spacing, beyond[3], x[3];
  copy3(node->position, x);
  step3(x, length + MERGE_DISTANCE * d, ahead, beyond);
  double at =
      meets_sheet(a->cracks, a->front->sheet, x, beyond, OWN_SHEET * d / (length + MERGE_DISTANCE * d));
  copy3(ahead, node->ahead);
  if (at <= 1.0) {
    step3(x, at * (length + MERGE_DISTANCE * d) + MERGE_DISTANCE * d, ahead, node->position);
    node->live = 0;
    return;
  }
  step3(x, length, ahead, beyond);
  if (join_sheet(a, x, x, node) || join_sheet(a, x, beyond, node)) return;
  copy3(beyond, node->position);
  step3(x, length + MERGE_DISTANCE * d, ahead, beyond);
  double depth = mote_crack_depth_at(a->matter, node->position);
  bool leaves = depth - mote_crack_depth_at(a->matter, beyond) >
                LEAVE_SLOPE * MERGE_DISTANCE * d;  // one along the surface does not move
  if (!(depth < MERGE_DISTANCE * d) || !leaves) return;
  for (int k = 0; k < 8 && depth > -MERGE_DISTANCE * d; ++k) {
    step3(node->position, MERGE_DISTANCE * d, ahead, node->position);
    depth = mote_crack_depth_at(a->matter, node->position);
  }
  if (a->cracks->dimensions == 2) node->live = 0;
}

static void basis_2d(const mote_crack_node *before, mote_crack_node *node) {
  double turn = before->ahead[0] * before->normal[1] - before->ahead[1] * before->normal[0];
  double side = turn < 0.0 ? -1.0 : 1.0;
  set3(-side * node->ahead[1], side * node->ahead[0], 0.0, node->normal);
}

static bool make_unit(double a[3]) {
  double length = length3(a);
  if (!(length > 0.0)) return false;
  for (int k = 0; k < 3; ++k) a[k] /= length;
  return true;
}

// Ahead and normal across the new front, of a node with these neighbours.
static void basis_3d(const mote_crack_node *last, const mote_crack_node *next, mote_crack_node *node) {
  double t[3], e[3], n[3];
  sub3(next->position, last->position, t);
  if (!make_unit(t)) return;
  step3(node->ahead, -dot3(node->ahead, t), t, e);
  if (!make_unit(e)) return;
  cross3(e, t, n);
  if (!make_unit(n) || dot3(n, node->normal) < 0.0) return;
  copy3(e, node->ahead), copy3(n, node->normal);
}

static bool has_moved(const mote_crack_node *before, const mote_crack_node *after) {
  return memcmp(before->position, after->position, sizeof before->position) != 0;
}

// The node by which node k outside of the body is moved: the nearest along the front that is inside.
static long leader_of(const mote_crack_front *f, const bool *inside, long k) {
  long n = (long)f->count;
  for (long by = 1; by <= MOTE_CRACK_OUTSIDE_NODES; ++by) {
    for (int side = -1; side <= 1; side += 2) {
      long other = k + side * by;
      if (f->closed) other = (other % n + n) % n;
      if (other >= 0 && other < n && inside[other]) return other;
    }
  }
  return -1;
}

// Nodes outside of the body have no fit: they move with the nearest node inside.
static void carry_outside(const mote_crack_front *f, const bool *inside, const mote_crack_node *before,
                          mote_crack_node *after) {
  for (long k = 0; k < (long)f->count; ++k) {
    long leader = before[k].live && !inside[k] ? leader_of(f, inside, k) : -1;
    if (leader < 0 || !has_moved(before + leader, after + leader)) continue;
    double by[3];
    sub3(after[leader].position, before[leader].position, by);
    step3(before[k].position, 1.0, by, after[k].position);
    copy3(after[leader].ahead, after[k].ahead);
  }
}

// Angles and lengths of neighbouring nodes differ by noise: moved nodes are smoothed towards the midpoint of
// their neighbours, by half across the sheet and by a quarter along it.
static void flatten(const mote_crack_front *f, const mote_crack_node *before, mote_crack_node *after) {
  size_t n = f->count;
  double last[3], first[3];
  copy3(after[n - 1].position, last), copy3(after[0].position, first);
  for (size_t i = 0; i < n; ++i) {
    double own[3], middle[3];
    copy3(after[i].position, own);
    size_t back = (i + n - 1) % n, ahead = (i + 1) % n;
    bool inner = (f->closed || (i > 0 && i + 1 < n)) && has_moved(before + back, after + back) &&
                 has_moved(before + ahead, after + ahead);
    if (inner && has_moved(before + i, after + i)) {
      const double *next = i + 1 < n ? after[i + 1].position : first;
      for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (last[k] + next[k]) - own[k];
      step3(own, 0.5 * dot3(middle, before[i].normal), before[i].normal, after[i].position);
      step3(after[i].position, 0.25 * dot3(middle, before[i].ahead), before[i].ahead, after[i].position);
    }
    copy3(own, last);
  }
}

// --- The strip ---------------------------------------------------------------------------------------

static mote_result strip_2d(mote_crack_advance *a, const mote_crack_node *before,
                            const mote_crack_node *after, mote_error *error) {
  const double *p = before->position, *q = after->position;
  bool forward = before->ahead[0] * before->normal[1] - before->ahead[1] * before->normal[0] >= 0.0;
  return forward ? put_triangle(a, p, q, q, error) : put_triangle(a, q, p, p, error);
}

// Between the segments from `p` to `q` and from `to` to `end`; if the latter is long, its midpoint is a new
// node, *middle, and *split is true.
static mote_result strip_3d(mote_crack_advance *a, const mote_crack_node *p, const mote_crack_node *q,
                            const mote_crack_node *to, const mote_crack_node *end, mote_crack_node *middle,
                            bool *split, mote_error *error) {
  *split = distance3(to->position, end->position) > NODE_SPREAD * a->matter->spacing;
  bool first = has_moved(p, to), last = has_moved(q, end);
  if ((!first && !last) || !to->live || !end->live) *split = false;
  if (*split) {
    *middle = *to;
    for (int k = 0; k < 3; ++k) {
      middle->position[k] = 0.5 * (to->position[k] + end->position[k]);
      middle->ahead[k] = to->ahead[k] + end->ahead[k];
      middle->normal[k] = to->normal[k] + end->normal[k];
    }
    make_unit(middle->ahead), make_unit(middle->normal);
    middle->live = to->live || end->live;
    if (first) MOTE_TRY(put_triangle(a, p->position, to->position, middle->position, error));
    if (last) MOTE_TRY(put_triangle(a, middle->position, end->position, q->position, error));
    return put_triangle(a, p->position, middle->position, q->position, error);
  }
  if (first) MOTE_TRY(put_triangle(a, p->position, to->position, q->position, error));
  if (last) MOTE_TRY(put_triangle(a, to->position, end->position, q->position, error));
  return MOTE_OK;
}

// Removes nodes that are too close to the previous one; the triangle between closes the gap.
static mote_result thin_out(mote_crack_advance *a, size_t first, mote_error *error) {
  size_t kept = first;
  for (size_t k = first; k < a->nodes; ++k) {
    const mote_crack_node *last = kept > first ? a->node + kept - 1 : NULL, *next = a->node + k + 1;
    bool crowded = last != NULL && k + 1 < a->nodes && a->nodes - first > 8 &&
                   distance3(last->position, a->node[k].position) < NODE_CROWD * a->matter->spacing;
    if (crowded) {
      MOTE_TRY(put_triangle(a, last->position, a->node[k].position, next->position, error));
      continue;
    }
    a->node[kept++] = a->node[k];
  }
  a->nodes = kept;
  return MOTE_OK;
}

// Where the body widens beyond an open front, the front's end, which has moved from `before`, is extended
// until it is outside. `inner`: the node next to the end; `last`: the end is the front's last node.
static mote_result extend_end(mote_crack_advance *a, const mote_crack_node *before,
                              const mote_crack_node *end, const mote_crack_node *inner, bool last,
                              mote_error *error) {
  double along[3], outer[3], d = a->matter->spacing;
  mote_crack_node at[MOTE_CRACK_OUTSIDE_NODES];
  int count = 0;
  sub3(end->position, inner->position, outer);
  cross3(end->normal, end->ahead, along);
  if (dot3(along, outer) < 0.0)
    for (int k = 0; k < 3; ++k) along[k] = -along[k];
  for (const mote_crack_node *from = end;
       count < MOTE_CRACK_OUTSIDE_NODES && mote_crack_depth_at(a->matter, from->position) > 0.0;
       from = at + count++) {
    at[count] = *end;
    step3(from->position, d, along, at[count].position);
  }
  for (int k = 0; k < count; ++k) {
    const double *from = k == 0 ? end->position : at[k - 1].position, *to = at[k].position;
    MOTE_TRY(put_triangle(a, last ? from : to, last ? to : from, before->position, error));
    if (last) MOTE_TRY(mote_crack_put_node(a, at + k, error));
    if (!last) MOTE_TRY(mote_crack_put_node(a, at + count - 1 - k, error));
  }
  return MOTE_OK;
}

static bool ends_within(const mote_crack_advance *a, const mote_crack_node *before,
                        const mote_crack_node *after) {
  return !a->front->closed && a->front->count > 1 && after->live && has_moved(before, after);
}

// `before`, `after`: the nodes of the front.
static mote_result put_strip(mote_crack_advance *a, const mote_crack_node *before,
                             const mote_crack_node *after, mote_error *error) {
  size_t n = a->front->count, first = a->nodes;
  if (a->cracks->dimensions == 2) {
    MOTE_TRY(mote_crack_put_node(a, after, error));
    return has_moved(before, after) ? strip_2d(a, before, after, error) : MOTE_OK;
  }
  if (ends_within(a, before, after)) MOTE_TRY(extend_end(a, before, after, after + 1, false, error));
  for (size_t k = 0; k < n; ++k) {
    size_t next = (k + 1) % n;
    mote_crack_node middle;
    bool split = false;
    MOTE_TRY(mote_crack_put_node(a, after + k, error));
    if (next == 0 && !a->front->closed) break;
    MOTE_TRY(strip_3d(a, before + k, before + next, after + k, after + next, &middle, &split, error));
    if (split) MOTE_TRY(mote_crack_put_node(a, &middle, error));
  }
  if (ends_within(a, before + n - 1, after + n - 1))
    MOTE_TRY(extend_end(a, before + n - 1, after + n - 1, after + n - 2, true, error));
  return thin_out(a, first, error);
}

// --- Growth ------------------------------------------------------------------------------------------

// The middle of a sheet's first triangle.
static void find_start(const mote_crack_sheets *c, uint32_t sheet, double out[3]) {
  size_t t = 0;
  while (c->sheet[t] != sheet) ++t;
  const double *corner = c->corner + 9 * t;
  for (int k = 0; k < 3; ++k)
    out[k] = c->dimensions == 2 ? 0.5 * (corner[k] + corner[3 + k]) : corner[k];  // 3D: of the disc
}

// Whether its intensity reaches the toughness; for a shorter crack, or with too few particles,
// whether the tension ahead reaches the strength; in front of a ligament thinner than the reach of a fit,
// whether the tension in it does.
static bool reaches(const mote_fracture_law *law, const mote_stress_intensity *k, double from_start,
                    bool thin) {
  if (thin && k->near >= law->strength) return true;
  if (k->one == 0.0 && k->two == 0.0) return k->ahead >= law->strength;  // no fit
  if (mote_fracture_equivalent(k, mote_fracture_angle(k)) >= law->toughness) return true;
  return from_start < mote_fracture_length(law) && k->ahead >= law->strength;
}

// Whether the body ends within the reach of a fit ahead of a node.
static bool is_thin(const mote_crack_matter *m, const mote_crack_node *node) {
  double end[3];
  step3(node->position, FIT_FAR * m->spacing, node->ahead, end);
  return mote_crack_depth_at(m, end) < 0.0;
}

// In 2D, where a front is one node: another sheet has come near it while it was arrested.
static bool stands_at_sheet(const mote_crack_advance *a, const mote_crack_node *node) {
  double point[3];
  return a->cracks->dimensions == 2 &&
         mote_crack_nearest_other(a->cracks, a->front->sheet, node->position,
                                  MERGE_DISTANCE * a->matter->spacing, point) < HUGE_VAL;
}

// Advance of each node: `length` where it grows, else 0, averaged along the front.
static void find_lengths(const mote_crack_advance *a, const mote_fracture_law *law,
                         const mote_stress_intensity *k, double length, double *out, double *spare) {
  const mote_crack_front *f = a->front;
  const mote_crack_node *node = a->cracks->node + f->first;
  size_t n = f->count;
  double start[3];
  find_start(a->cracks, f->sheet, start);
  for (size_t i = 0; i < n; ++i) {
    bool grows = node[i].live &&
                 (reaches(law, k + i, distance3(node[i].position, start), is_thin(a->matter, node + i)) ||
                  stands_at_sheet(a, node + i));
    spare[i] = grows ? length : 0.0;
  }
  for (size_t i = 0; i < n; ++i) {
    double last = spare[i > 0       ? i - 1
                        : f->closed ? n - 1
                                    : 0],
           next = spare[i + 1 < n   ? i + 1
                        : f->closed ? 0
                                    : i];
    out[i] = node[i].live ? 0.25 * (last + 2.0 * spare[i] + next) : 0.0;
    if (out[i] < MOVE_MIN * a->matter->spacing) out[i] = 0.0;
  }
}

static mote_result advance_front(mote_crack_advance *a, const mote_stress_intensity *k, const double *length,
                                 bool *inside, mote_crack_node *after, mote_error *error) {
  const mote_crack_front *f = a->front;
  const mote_crack_node *before = a->cracks->node + f->first;
  size_t n = f->count, first = a->nodes;
  for (size_t i = 0; i < n; ++i) {
    double ahead[3];
    after[i] = before[i];
    inside[i] = before[i].live &&
                (a->cracks->dimensions == 2 || mote_crack_depth_at(a->matter, before[i].position) > 0.0);
    if (!inside[i] || !(length[i] > 0.0)) continue;
    aim(before + i, k + i, ahead);
    move_node(a, length[i], ahead, after + i);
    if (a->cracks->dimensions == 2) basis_2d(before + i, after + i);
  }
  if (a->cracks->dimensions == 3) carry_outside(f, inside, before, after);
  for (int pass = 0; pass < FLATTEN_PASSES && a->cracks->dimensions == 3; ++pass) flatten(f, before, after);
  for (size_t i = 0; i < n && a->cracks->dimensions == 3; ++i) {
    if (!has_moved(before + i, after + i)) continue;
    size_t last = (i + n - 1) % n, next = (i + 1) % n;  // arrested neighbours do not determine the direction
    bool is_last = (i > 0 || f->closed) && has_moved(before + last, after + last);
    bool is_next = (i + 1 < n || f->closed) && has_moved(before + next, after + next);
    basis_3d(after + (is_last ? last : i), after + (is_next ? next : i), after + i);
  }
  size_t triangles = a->triangles;
  MOTE_TRY(put_strip(a, before, after, error));
  MOTE_TRY(mote_crack_end_nodes(a, a->node + first, a->nodes - first, error));
  const double *corner = a->corner + 9 * triangles;
  MOTE_TRY(mote_crack_add_triangles(a->cracks, f->sheet, corner, a->triangles - triangles, error));
  return mote_crack_add_triangles(a->changed, 0, corner, a->triangles - triangles, error);
}

static void report_front(const mote_crack_advance *a, const mote_stress_intensity *k, const double *length,
                         mote_crack_report *report) {
  for (size_t i = 0; i < a->front->count; ++i) {
    report->one = max2(report->one, k[i].one), report->two = max2(report->two, fabs(k[i].two));
    report->moves = report->moves || length[i] > 0.0;
  }
}

// Whether the accumulated advance of a front is large enough to apply.
static bool is_due(const mote_crack_sheets *c, const mote_fracture_law *law, const mote_crack_matter *matter,
                   double dt) {
  bool due = false;
  for (size_t f = 0; f < c->fronts; ++f)
    due = due || c->front[f].budget + law->speed * dt >= ADVANCE_MIN * matter->spacing;
  return due;
}

// Allocates the arrays of a growing front for its initial number of nodes.
typedef struct growth {
  double *length;            // twice as many
  mote_stress_intensity *k;  // likewise
  mote_crack_node *after;
  bool *inside;
} growth;

static mote_result grow_front(mote_crack_advance *a, const mote_fracture_law *law, double dt, const growth *g,
                              mote_crack_report *report, mote_error *error) {
  const mote_stress_intensity *own = g->k + a->front->first;
  double d = a->matter->spacing, budget = a->front->budget + law->speed * dt,
         step = min2(budget, ADVANCE_MAX * d);
  mote_crack_front like = *a->front;
  size_t first = a->nodes;
  bool grows = false;
  like.budget = budget;
  if (budget >= ADVANCE_MIN * d) {
    find_lengths(a, law, own, max2(step, ADVANCE_MIN * d), g->length, g->length + a->cracks->nodes);
    report_front(a, own, g->length, report);
    for (size_t i = 0; i < a->front->count; ++i) grows = grows || g->length[i] > 0.0;
    like.moving = grows;
    like.budget = min2(grows ? budget - step : budget, ADVANCE_MIN * d);
  }
  if (!grows) {
    MOTE_TRY(mote_crack_keep_nodes(a, error));
  } else {
    MOTE_TRY(advance_front(a, own, g->length, g->inside, g->after, error));
    ++report->advanced;
  }
  return mote_crack_put_fronts(a, &like, first, error);
}

mote_result mote_crack_grow(mote_crack_sheets *cracks, const mote_fracture_law *law,
                            const mote_crack_matter *matter, double dt, mote_crack_sheets *changed,
                            mote_crack_report *report, mote_error *error) {
  size_t nodes = cracks->nodes;
  if (nodes == 0) return MOTE_OK;
  const mote_env *env = &cracks->env;
  mote_crack_advance a = {.cracks = cracks, .changed = changed, .matter = matter};
  growth g = {.length = mote_alloc(env, 2 * nodes, sizeof *g.length),
              .k = mote_alloc(env, 2 * nodes, sizeof *g.k),
              .after = mote_alloc(env, nodes, sizeof *g.after),
              .inside = mote_alloc(env, nodes, sizeof *g.inside)};
  mote_result result = MOTE_OK;
  if (g.length == NULL || g.k == NULL || g.after == NULL || g.inside == NULL) {
    result = mote_fail_memory(error, nodes * sizeof *g.after);
  } else {
    memset(g.k, 0, 2 * nodes * sizeof *g.k);
    if (is_due(cracks, law, matter, dt)) result = mote_crack_intensities(cracks, matter, g.k, error);
    for (size_t f = 0; f < cracks->fronts && result == MOTE_OK; ++f) {
      a.front = cracks->front + f;
      result = grow_front(&a, law, dt, &g, report, error);
    }
  }
  if (result == MOTE_OK) result = mote_crack_set_fronts(cracks, a.done, a.fronts, a.node, a.nodes, error);
  mote_free(env, g.length, 2 * nodes, sizeof *g.length);
  mote_free(env, g.k, 2 * nodes, sizeof *g.k);
  mote_free(env, g.after, nodes, sizeof *g.after);
  mote_free(env, g.inside, nodes, sizeof *g.inside);
  mote_crack_advance_end(&a);
  return result;
}
