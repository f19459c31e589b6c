// Ends of fronts: see crack_advance.h. Theory: docs/theory/fracture.md
#include <math.h>

#include "base/memory.h"
#include "cracks/crack_advance.h"
#include "geom/triple.h"

double mote_crack_depth_at(const mote_crack_matter *m, const double x[3]) {
  return m->depth == NULL ? HUGE_VAL : m->depth(m->user, x);
}

mote_result mote_crack_put_node(mote_crack_advance *a, const mote_crack_node *node, mote_error *error) {
  MOTE_TRY(mote_reserve(&a->cracks->env, &a->node, &a->node_capacity, a->nodes + 1, sizeof *a->node, error));
  a->node[a->nodes++] = *node;
  return MOTE_OK;
}

// Weights change along the segments at node k, which has ended.
static mote_result change_around(mote_crack_advance *a, const mote_crack_node *node, long n, long k,
                                 mote_error *error) {
  for (long side = -1; side <= 1; side += 2) {
    long other = a->front->closed ? (k + side + n) % n : k + side;
    const double *end = node[other >= 0 && other < n ? other : k].position;
    double flat[9];
    copy3(node[k].position, flat), copy3(end, flat + 3), copy3(end, flat + 6);
    MOTE_TRY(mote_crack_add_triangles(a->changed, 0, flat, 1, error));
  }
  return MOTE_OK;
}

mote_result mote_crack_end_nodes(mote_crack_advance *a, mote_crack_node *node, size_t count,
                                 mote_error *error) {
  long n = (long)count;
  for (long k = 0; k < n; ++k) {
    bool inside = mote_crack_depth_at(a->matter, node[k].position) > 0.0;
    for (long by = 1; by <= MOTE_CRACK_OUTSIDE_NODES && !inside && a->cracks->dimensions == 3; ++by) {
      for (int side = -1; side <= 1; side += 2) {
        long other = k + side * by;
        if (a->front->closed) other = (other % n + n) % n;
        if (other < 0 || other >= n || !node[other].live) continue;
        inside = inside || mote_crack_depth_at(a->matter, node[other].position) > 0.0;
      }
    }
    if (inside || !node[k].live) continue;
    node[k].live = 0;
    MOTE_TRY(change_around(a, node, n, k, error));
  }
  return MOTE_OK;
}

mote_result mote_crack_put_fronts(mote_crack_advance *a, const mote_crack_front *like, size_t first,
                                  mote_error *error) {
  mote_crack_node *node = a->node + first;
  size_t n = a->nodes - first, gap = n, kept = 0;
  bool *keep = mote_alloc(&a->cracks->env, 2 * n, sizeof *keep);
  mote_crack_node *old = mote_alloc(&a->cracks->env, n, sizeof *old);
  mote_result result = keep == NULL || old == NULL ? mote_fail_memory(error, n * sizeof *old) : MOTE_OK;
  for (size_t k = 0; k < n && result == MOTE_OK; ++k) {
    bool last = (k > 0 || like->closed) && node[(k + n - 1) % n].live;
    bool next = (k + 1 < n || like->closed) && node[(k + 1) % n].live;
    keep[k] = node[k].live || a->cracks->dimensions == 2 ||
              ((last || next) && mote_crack_depth_at(a->matter, node[k].position) > 0.0);
    old[k] = node[k];
    if (!keep[k]) gap = k;
  }
  for (size_t k = 0; k < n && result == MOTE_OK; ++k) {
    size_t at = like->closed && gap < n ? (gap + 1 + k) % n : k;
    if (!keep[at]) continue;
    if (kept == 0 || !keep[(at + n - 1) % n]) {
      result =
          mote_reserve(&a->cracks->env, &a->done, &a->front_capacity, a->fronts + 1, sizeof *a->done, error);
      if (result != MOTE_OK) break;
      a->done[a->fronts] = *like, a->done[a->fronts].first = (uint32_t)(first + kept);
      a->done[a->fronts].closed = like->closed && gap == n, a->done[a->fronts++].count = 0;
    }
    node[kept++] = old[at], ++a->done[a->fronts - 1].count;
  }
  if (result == MOTE_OK) a->nodes = first + kept;
  mote_free(&a->cracks->env, keep, 2 * n, sizeof *keep);
  mote_free(&a->cracks->env, old, n, sizeof *old);
  return result;
}

mote_result mote_crack_keep_nodes(mote_crack_advance *a, mote_error *error) {
  for (size_t i = 0; i < a->front->count; ++i)
    MOTE_TRY(mote_crack_put_node(a, a->cracks->node + a->front->first + i, error));
  return MOTE_OK;
}

void mote_crack_advance_end(mote_crack_advance *a) {
  const mote_env *env = &a->cracks->env;
  mote_free(env, a->done, a->front_capacity, sizeof *a->done);
  mote_free(env, a->node, a->node_capacity, sizeof *a->node);
  mote_free(env, a->corner, a->capacity, sizeof *a->corner);
}

static mote_result end_front(mote_crack_advance *a, mote_error *error) {
  size_t first = a->nodes;
  MOTE_TRY(mote_crack_keep_nodes(a, error));
  MOTE_TRY(mote_crack_end_nodes(a, a->node + first, a->front->count, error));
  return mote_crack_put_fronts(a, a->front, first, error);
}

mote_result mote_crack_end_outside(mote_crack_sheets *cracks, const mote_crack_matter *matter,
                                   mote_crack_sheets *changed, mote_error *error) {
  mote_crack_advance a = {.cracks = cracks, .changed = changed, .matter = matter};
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < cracks->fronts && result == MOTE_OK; ++k) {
    a.front = cracks->front + k;
    result = end_front(&a, error);
  }
  if (result == MOTE_OK) result = mote_crack_set_fronts(cracks, a.done, a.fronts, a.node, a.nodes, error);
  mote_crack_advance_end(&a);
  return result;
}
