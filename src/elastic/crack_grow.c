// How cracks run: see crack_grow.h. An advance adds the strip between the old front and the new one.
#include "elastic/crack_grow.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "geom/triple.h"

// In spacings.
#define ADVANCE_MIN 0.5  // what a front waits for
#define ADVANCE_MAX 1.0
#define MERGE 0.5         // ahead of a node, where another sheet or the surface ends it; and how far beyond
#define NODE_SPREAD 1.0   // between nodes of a front, at most
#define NODE_CROWD 0.25   // and at least, for a node to stay
#define MOVE_MIN 0.05     // a node that would move less stays
#define OUTSIDE_NODES 3L  // along a front, from a node outside of the body to one inside, for it to live

// A front on its way. Nodes are those after the advance.
typedef struct advance {
  mote_crack_sheets *cracks, *changed;
  const mote_crack_matter *matter;
  mote_crack_front *front;
  mote_crack_node *node;        // of all fronts, with new ones in between
  size_t nodes, node_capacity;  // of those done
  double *corner;               // of new triangles
  size_t triangles, capacity;
} advance;

static double depth_at(const mote_crack_matter *m, const double x[3]) {
  return m->depth == NULL ? HUGE_VAL : m->depth(m->user, x);
}

static mote_result put_triangle(advance *a, const double p[3], const double q[3], const double r[3],
                                mote_error *error) {
  MOTE_TRY(mote_reserve(&a->cracks->env, &a->corner, &a->capacity, 9 * (a->triangles + 1), sizeof *a->corner,
                        error));
  double *to = a->corner + 9 * a->triangles++;
  copy3(p, to), copy3(q, to + 3), copy3(r, to + 6);
  return MOTE_OK;
}

// --- Where a node goes -------------------------------------------------------------------------------

static void aim(const mote_crack_node *node, const mote_stress_intensity *k, double out[3]) {
  double angle = mote_fracture_angle(k), c = mote_cos(angle), s = mote_sin(angle);
  for (int e = 0; e < 3; ++e) out[e] = c * node->ahead[e] + s * node->normal[e];
}

// The fraction of the way from x to `to` at which it crosses another sheet; 2: it does not.
static double meets_other(const mote_crack_sheets *c, uint32_t sheet, const double x[3], const double to[3]) {
  mote_crack_crossing some[16];
  size_t count = mote_crack_crossings(c, x, to, 16, some);
  double first = 2.0;
  for (size_t k = 0; k < count && k < 16; ++k) {
    if (c->sheet[some[k].triangle] != sheet) first = min2(first, some[k].at);
  }
  return first;
}

// Moves a node by `length` along `ahead`; ends it behind another sheet, in 2D also behind the surface.
static void move_node(const advance *a, double length, const double ahead[3], mote_crack_node *node) {
  double d = a->matter->spacing, beyond[3], x[3];
  copy3(node->position, x);
  step3(x, length + MERGE * d, ahead, beyond);
  double at = meets_other(a->cracks, a->front->sheet, x, beyond);
  copy3(ahead, node->ahead);
  if (at <= 1.0) {
    step3(x, at * (length + MERGE * d) + MERGE * d, ahead, node->position);
    node->live = 0;
    return;
  }
  step3(x, length, ahead, node->position);
  double depth = depth_at(a->matter, node->position);
  if (!(depth < MERGE * d) || !(depth_at(a->matter, beyond) < depth)) return;
  for (int k = 0; k < 8 && depth > -MERGE * d; ++k) {
    step3(node->position, MERGE * d, ahead, node->position);
    depth = depth_at(a->matter, node->position);
  }
  if (a->cracks->dimensions == 2) node->live = 0;
}

static void frame_2d(const mote_crack_node *before, mote_crack_node *node) {
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
static void frame_3d(const mote_crack_node *last, const mote_crack_node *next, mote_crack_node *node) {
  double t[3], e[3], n[3];
  sub3(next->position, last->position, t);
  if (!make_unit(t)) return;
  step3(node->ahead, -dot3(node->ahead, t), t, e);
  if (!make_unit(e)) return;
  cross3(e, t, n);
  if (!make_unit(n) || dot3(n, node->normal) < 0.0) return;
  copy3(e, node->ahead), copy3(n, node->normal);
}

// --- The strip ---------------------------------------------------------------------------------------

static bool has_moved(const mote_crack_node *before, const mote_crack_node *after) {
  return memcmp(before->position, after->position, sizeof before->position) != 0;
}

static mote_result strip_2d(advance *a, const mote_crack_node *before, const mote_crack_node *after,
                            mote_error *error) {
  const double *p = before->position, *q = after->position;
  bool forward = before->ahead[0] * before->normal[1] - before->ahead[1] * before->normal[0] >= 0.0;
  return forward ? put_triangle(a, p, q, q, error) : put_triangle(a, q, p, p, error);
}

// Between the pieces from `p` to `q` and from `to` to `end`; a node in the middle of the latter, if it is
// long, goes to *middle and returns true in *split.
static mote_result strip_3d(advance *a, const mote_crack_node *p, const mote_crack_node *q,
                            const mote_crack_node *to, const mote_crack_node *end, mote_crack_node *middle,
                            bool *split, mote_error *error) {
  *split = distance3(to->position, end->position) > NODE_SPREAD * a->matter->spacing;
  bool first = has_moved(p, to), last = has_moved(q, end);
  if (!first && !last) *split = false;
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

static mote_result put_node(advance *a, const mote_crack_node *node, mote_error *error) {
  MOTE_TRY(mote_reserve(&a->cracks->env, &a->node, &a->node_capacity, a->nodes + 1, sizeof *a->node, error));
  a->node[a->nodes++] = *node;
  return MOTE_OK;
}

// Leaves out nodes that have come too close to the one before; the triangle between closes the gap.
static mote_result thin_out(advance *a, size_t first, mote_error *error) {
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

// `before`, `after`: the nodes of the front.
static mote_result put_strip(advance *a, const mote_crack_node *before, const mote_crack_node *after,
                             mote_error *error) {
  size_t n = a->front->count, first = a->nodes;
  if (a->cracks->dimensions == 2) {
    MOTE_TRY(put_node(a, after, error));
    return has_moved(before, after) ? strip_2d(a, before, after, error) : MOTE_OK;
  }
  for (size_t k = 0; k < n; ++k) {
    size_t next = (k + 1) % n;
    mote_crack_node middle;
    bool split = false;
    MOTE_TRY(put_node(a, after + k, error));
    if (next == 0 && !a->front->closed) break;
    MOTE_TRY(strip_3d(a, before + k, before + next, after + k, after + next, &middle, &split, error));
    if (split) MOTE_TRY(put_node(a, &middle, error));
  }
  return thin_out(a, first, error);
}

// --- Ends --------------------------------------------------------------------------------------------

// Nodes of a front outside of the body end where no node inside is near along the front.
static mote_result end_nodes(advance *a, mote_crack_node *node, size_t count, mote_error *error) {
  long n = (long)count;
  for (long k = 0; k < n; ++k) {
    bool inside = depth_at(a->matter, node[k].position) > 0.0;
    for (long by = 1; by <= OUTSIDE_NODES && !inside && a->cracks->dimensions == 3; ++by) {
      for (int side = -1; side <= 1; side += 2) {
        long other = k + side * by;
        if (a->front->closed) other = (other % n + n) % n;
        if (other < 0 || other >= n || !node[other].live) continue;
        inside = inside || depth_at(a->matter, node[other].position) > 0.0;
      }
    }
    if (inside || !node[k].live) continue;
    node[k].live = 0;
    double flat[9];
    for (int e = 0; e < 9; ++e) flat[e] = node[k].position[e % 3];
    MOTE_TRY(mote_crack_add_triangles(a->changed, 0, flat, 1, error));
  }
  return MOTE_OK;
}

mote_result mote_crack_end_outside(mote_crack_sheets *cracks, const mote_crack_matter *matter,
                                   mote_crack_sheets *changed, mote_error *error) {
  advance a = {.cracks = cracks, .changed = changed, .matter = matter};
  for (size_t k = 0; k < cracks->fronts; ++k) {
    a.front = cracks->front + k;
    MOTE_TRY(end_nodes(&a, cracks->node + a.front->first, a.front->count, error));
  }
  return MOTE_OK;
}

// --- Growth ------------------------------------------------------------------------------------------

// By how much each node moves: all of `length` where its intensity reaches the toughness, averaged along the
// front.
static void find_lengths(const advance *a, const mote_fracture_law *law, const mote_stress_intensity *k,
                         double length, double *out, double *spare) {
  const mote_crack_front *f = a->front;
  const mote_crack_node *node = a->cracks->node + f->first;
  size_t n = f->count;
  for (size_t i = 0; i < n; ++i) {
    bool grows =
        node[i].live && mote_fracture_equivalent(k + i, mote_fracture_angle(k + i)) >= law->toughness;
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

static mote_result advance_front(advance *a, const mote_stress_intensity *k, const double *length,
                                 mote_crack_node *after, mote_error *error) {
  const mote_crack_front *f = a->front;
  const mote_crack_node *before = a->cracks->node + f->first;
  size_t n = f->count, first = a->nodes;
  for (size_t i = 0; i < n; ++i) {
    double ahead[3];
    after[i] = before[i];
    if (!(length[i] > 0.0)) continue;
    aim(before + i, k + i, ahead);
    move_node(a, length[i], ahead, after + i);
    if (a->cracks->dimensions == 2) frame_2d(before + i, after + i);
  }
  for (size_t i = 0; i < n && a->cracks->dimensions == 3; ++i) {
    if (!has_moved(before + i, after + i)) continue;
    size_t last = i > 0 ? i - 1 : f->closed ? n - 1 : i, next = i + 1 < n ? i + 1 : f->closed ? 0 : i;
    frame_3d(after + last, after + next, after + i);
  }
  size_t triangles = a->triangles;
  MOTE_TRY(put_strip(a, before, after, error));
  MOTE_TRY(end_nodes(a, a->node + first, a->nodes - first, error));
  const double *corner = a->corner + 9 * triangles;
  MOTE_TRY(mote_crack_add_triangles(a->cracks, f->sheet, corner, a->triangles - triangles, error));
  return mote_crack_add_triangles(a->changed, 0, corner, a->triangles - triangles, error);
}

static void report_front(const advance *a, const mote_stress_intensity *k, const double *length,
                         mote_crack_report *report) {
  for (size_t i = 0; i < a->front->count; ++i) {
    report->one = max2(report->one, k[i].one), report->two = max2(report->two, fabs(k[i].two));
    report->moves = report->moves || length[i] > 0.0;
  }
}

static mote_result keep_nodes(advance *a, mote_error *error) {
  for (size_t i = 0; i < a->front->count; ++i)
    MOTE_TRY(put_node(a, a->cracks->node + a->front->first + i, error));
  return MOTE_OK;
}

// Whether a front has saved enough to move.
static bool is_due(const mote_crack_sheets *c, const mote_fracture_law *law, const mote_crack_matter *matter,
                   double dt) {
  bool due = false;
  for (size_t f = 0; f < c->fronts; ++f)
    due = due || c->front[f].budget + law->speed * dt >= ADVANCE_MIN * matter->spacing;
  return due;
}

static mote_result grow(advance *a, const mote_fracture_law *law, double dt, double *length,
                        mote_stress_intensity *k, mote_crack_node *after, mote_crack_front *fronts,
                        mote_crack_report *report, mote_error *error) {
  mote_crack_sheets *c = a->cracks;
  double d = a->matter->spacing;
  for (size_t f = 0; f < c->fronts; ++f) {
    mote_crack_front *front = c->front + f;
    const mote_stress_intensity *own = k + front->first;
    a->front = front;
    fronts[f] = *front, fronts[f].first = (uint32_t)a->nodes;
    double budget = front->budget + law->speed * dt, step = min2(budget, ADVANCE_MAX * d);
    fronts[f].budget = budget;
    if (budget < ADVANCE_MIN * d) {
      MOTE_TRY(keep_nodes(a, error));
      fronts[f].count = front->count;
      continue;
    }
    find_lengths(a, law, own, max2(step, ADVANCE_MIN * d), length, length + c->nodes);
    report_front(a, own, length, report);
    bool grows = false;
    for (size_t i = 0; i < front->count; ++i) grows = grows || length[i] > 0.0;
    fronts[f].moving = grows;
    if (grows) {
      MOTE_TRY(advance_front(a, own, length, after, error));
      budget -= step;
      ++report->advanced;
    } else {
      MOTE_TRY(keep_nodes(a, error));
    }
    fronts[f].budget = min2(budget, ADVANCE_MIN * d);
    fronts[f].count = (uint32_t)(a->nodes - fronts[f].first);
  }
  return mote_crack_set_fronts(c, fronts, c->fronts, a->node, a->nodes, error);
}

mote_result mote_crack_grow(mote_crack_sheets *cracks, const mote_fracture_law *law,
                            const mote_crack_matter *matter, double dt, mote_crack_sheets *changed,
                            mote_crack_report *report, mote_error *error) {
  size_t nodes = cracks->nodes, fronts = cracks->fronts;
  if (nodes == 0) return MOTE_OK;
  const mote_env *env = &cracks->env;
  advance a = {.cracks = cracks, .changed = changed, .matter = matter};
  double *length = mote_alloc(env, 2 * nodes, sizeof *length);
  mote_stress_intensity *k = mote_alloc(env, 2 * nodes, sizeof *k);
  mote_crack_node *after = mote_alloc(env, nodes, sizeof *after);
  mote_crack_front *front = mote_alloc(env, fronts, sizeof *front);
  mote_result result = MOTE_OK;
  if (length == NULL || k == NULL || after == NULL || front == NULL) {
    result = mote_fail_memory(error, nodes * sizeof *after);
  } else {
    memset(k, 0, 2 * nodes * sizeof *k);
    if (is_due(cracks, law, matter, dt)) mote_crack_intensities(cracks, matter, k);
    result = grow(&a, law, dt, length, k, after, front, report, error);
  }
  mote_free(env, length, 2 * nodes, sizeof *length);
  mote_free(env, k, 2 * nodes, sizeof *k);
  mote_free(env, after, nodes, sizeof *after);
  mote_free(env, front, fronts, sizeof *front);
  mote_free(env, a.node, a.node_capacity, sizeof *a.node);
  mote_free(env, a.corner, a.capacity, sizeof *a.corner);
  return result;
}
