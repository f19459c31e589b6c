// Islands of bodies in contact: see contact_islands.h.
#include "contact/contact_islands.h"

#include "base/parallel.h"
#include "base/sets.h"
#include "contact/tuning.inc"

#define PAIRS_PER_CHUNK 256
#define NONE UINT32_MAX

// --- Finding -----------------------------------------------------------------------------------------

bool mote_contact_row_is_closed(const mote_contact_rows *s, size_t number) {
  const mote_contact_row *r = s->row + number;
  return r->normal_impulse > 0.0 || r->bound > -CLOSED_GAP_MAX * s->scene->spacing / s->scene->dt;
}

static bool is_closed(const mote_contact_rows *s, const mote_contact_group *of) {
  for (size_t k = 0; k < of->count; ++k) {
    if (mote_contact_row_is_closed(s, of->first + k)) return true;
  }
  return false;
}

// The movable obstacles of a pair; the same twice if only one is.
static bool movers_of(const mote_contact_rows *s, const mote_contact_group *of, uint32_t mover[2]) {
  bool a = s->mass[of->a].moves, b = s->mass[of->b].moves;
  mover[0] = a ? of->a : of->b, mover[1] = b ? of->b : of->a;
  return a || b;
}

// In parallel: rows are by far the largest input of the islands.
typedef struct closed_job {
  const mote_contact_rows *s;
  uint8_t *closed;  // one per pair
} closed_job;

static void closed_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const closed_job *job = data;
  for (size_t g = begin; g < end; ++g) job->closed[g] = is_closed(job->s, job->s->group + g);
}

static void join(const mote_contact_rows *s, const uint8_t *closed, uint32_t *joined, uint8_t *pressed) {
  for (size_t k = 0; k < s->scene->obstacles; ++k) joined[k] = (uint32_t)k, pressed[k] = 0;
  for (size_t g = 0; g < s->groups; ++g) {
    uint32_t mover[2];
    if (!closed[g] || !movers_of(s, s->group + g, mover)) continue;
    pressed[mover[0]] = pressed[mover[1]] = 1;
    mote_set_join(joined, mover[0], mover[1]);
  }
}

// The island of a pair, or NONE.
static uint32_t island_of(const mote_contact_rows *s, const mote_islands *islands, size_t group) {
  uint32_t mover[2];
  if (!movers_of(s, s->group + group, mover)) return NONE;
  uint32_t a = islands->of[mover[0]], b = islands->of[mover[1]];
  return a == b ? a : NONE;
}

// Turns numbers per island into the index of the first.
static void sum_up(size_t *first, size_t count) {
  size_t sum = 0;
  for (size_t k = 0; k <= count; ++k) {
    size_t own = first[k];
    first[k] = sum;
    sum += own;
  }
}

static void fill(const mote_contact_rows *s, mote_islands *out) {
  size_t obstacles = s->scene->obstacles;
  for (size_t k = 0; k <= out->count; ++k) out->bodies[k] = out->groups[k] = 0;
  for (size_t k = 0; k < obstacles; ++k) {
    if (out->of[k] != NONE) ++out->bodies[out->of[k]];
  }
  for (size_t g = 0; g < s->groups; ++g) {
    uint32_t own = island_of(s, out, g);
    if (own != NONE) ++out->groups[own];
  }
  sum_up(out->bodies, out->count);
  sum_up(out->groups, out->count);
  for (size_t k = 0; k < obstacles; ++k) {
    if (out->of[k] != NONE) out->body[out->bodies[out->of[k]]++] = (uint32_t)k;
  }
  for (size_t g = 0; g < s->groups; ++g) {
    uint32_t own = island_of(s, out, s->in_order[g]);
    if (own != NONE) out->group[out->groups[own]++] = s->in_order[g];
  }
  for (size_t k = out->count; k > 0; --k) {  // back to the first of each
    out->bodies[k] = out->bodies[k - 1], out->groups[k] = out->groups[k - 1];
  }
  out->bodies[0] = out->groups[0] = 0;
}

mote_result mote_contact_find_islands(const mote_contact_rows *s, mote_arena *scratch, mote_islands *out,
                                      mote_error *error) {
  size_t obstacles = s->scene->obstacles;
  *out = (mote_islands){0};
  MOTE_TAKE(out->of, scratch, obstacles, error);
  MOTE_TAKE(out->place, scratch, obstacles, error);
  MOTE_TAKE(out->body, scratch, obstacles, error);
  MOTE_TAKE(out->group, scratch, s->groups, error);
  MOTE_TAKE(out->bodies, scratch, obstacles + 1, error);
  MOTE_TAKE(out->groups, scratch, obstacles + 1, error);
  MOTE_TAKE_NEW(uint8_t, pressed, scratch, obstacles, error);
  MOTE_TAKE_NEW(uint8_t, closed, scratch, s->groups, error);
  uint32_t *joined = out->place;
  closed_job job = {s, closed};
  mote_parallel_for(s->scene->threads, s->groups, PAIRS_PER_CHUNK, closed_chunk, &job);
  join(s, closed, joined, pressed);
  for (uint32_t k = 0; k < obstacles;
       ++k) {  // a root is the least of its island, so it has its number already
    uint32_t root = mote_set_root(joined, k);
    out->of[k] = !pressed[k] ? NONE : root == k ? (uint32_t)out->count++ : out->of[root];
  }
  fill(s, out);
  for (size_t k = 0; k < obstacles; ++k) out->place[k] = NONE;
  return MOTE_OK;
}

// --- Order --------------------------------------------------------------------------------------------

// Neighbours within an island, by places in the order of its bodies.
typedef struct graph {
  size_t nodes, *first;
  uint32_t *to;
  uint32_t *queue;
  uint8_t *seen;
} graph;

static void link(const mote_contact_rows *s, const mote_island *in, graph *g) {
  for (size_t k = 0; k <= g->nodes; ++k) g->first[k] = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t n = 0; n < in->groups; ++n) {
      const mote_contact_group *of = s->group + in->group[n];
      uint32_t a = in->place[of->a], b = in->place[of->b];
      if (a == NONE || b == NONE) continue;
      if (pass == 0) {
        ++g->first[a], ++g->first[b];
      } else {
        g->to[g->first[a]++] = b, g->to[g->first[b]++] = a;
      }
    }
    if (pass == 0) sum_up(g->first, g->nodes);
  }
  for (size_t k = g->nodes; k > 0; --k) g->first[k] = g->first[k - 1];
  g->first[0] = 0;
}

static size_t degree(const graph *g, uint32_t k) {
  return g->first[k + 1] - g->first[k];
}

// Visits all nodes by their distance from `start`, those of fewer neighbours first.
static void visit(graph *g, uint32_t start) {
  size_t end = 0;
  for (size_t k = 0; k < g->nodes; ++k) g->seen[k] = 0;
  g->queue[end++] = start, g->seen[start] = 1;
  for (size_t at = 0; at < end; ++at) {
    size_t begun = end;
    for (size_t n = g->first[g->queue[at]]; n < g->first[g->queue[at] + 1]; ++n) {
      uint32_t next = g->to[n];
      if (g->seen[next]) continue;
      g->seen[next] = 1;
      size_t j = end++;
      for (; j > begun && degree(g, g->queue[j - 1]) > degree(g, next); --j) g->queue[j] = g->queue[j - 1];
      g->queue[j] = next;
    }
  }
  MOTE_ASSERT(end == g->nodes);
}

// The lines of the envelope, from the places.
static void find_envelope(const mote_contact_rows *s, mote_island *in) {
  size_t entries = 0;
  double cost = 0.0;
  for (size_t k = 0; k < in->bodies; ++k) in->low[k] = k;
  for (size_t n = 0; n < in->groups; ++n) {
    const mote_contact_group *of = s->group + in->group[n];
    uint32_t a = in->place[of->a], b = in->place[of->b];
    if (a == NONE || b == NONE) continue;
    size_t high = a > b ? a : b, low = a > b ? b : a;
    if (low < in->low[high]) in->low[high] = low;
  }
  for (size_t i = 0; i < 6 * in->bodies; ++i) {
    size_t width = i + 1 - 6 * in->low[i / 6];
    in->line[i] = entries;
    entries += width;
    cost += 0.5 * (double)width * (double)width;
  }
  in->entries = entries, in->cost = cost;
}

mote_result mote_contact_order_island(const mote_contact_rows *s, const mote_islands *islands, size_t k,
                                      mote_arena *scratch, mote_island *out, mote_error *error) {
  MOTE_ASSERT(k < islands->count);
  const uint32_t *own = islands->body + islands->bodies[k];
  size_t n = islands->bodies[k + 1] - islands->bodies[k],
         groups = islands->groups[k + 1] - islands->groups[k];
  *out = (mote_island){.bodies = n, .groups = groups, .place = islands->place};
  out->group = islands->group + islands->groups[k];
  MOTE_TAKE(out->body, scratch, n, error);
  MOTE_TAKE(out->low, scratch, n, error);
  MOTE_TAKE(out->line, scratch, 6 * n, error);
  graph g = {.nodes = n};
  MOTE_TAKE(g.first, scratch, n + 1, error);
  MOTE_TAKE(g.to, scratch, 2 * groups, error);
  MOTE_TAKE(g.queue, scratch, n, error);
  MOTE_TAKE(g.seen, scratch, n, error);
  for (size_t i = 0; i < n; ++i) out->place[own[i]] = (uint32_t)i;
  link(s, out, &g);
  uint32_t start = 0;
  for (uint32_t i = 1; i < n; ++i) start = degree(&g, i) < degree(&g, start) ? i : start;
  visit(&g, start);
  visit(&g, g.queue[n - 1]);
  for (size_t i = 0; i < n; ++i) out->body[i] = own[g.queue[n - 1 - i]];
  for (size_t i = 0; i < n; ++i) out->place[out->body[i]] = (uint32_t)i;
  find_envelope(s, out);
  return MOTE_OK;
}
