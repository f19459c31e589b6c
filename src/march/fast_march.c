// The march: see fast_march.h. Reads state, speed and the values of seeds, writes state and value.
#include "march/fast_march.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

// A node on the front. Values of waiting nodes only decrease: a node is inserted again for each value, and
// its first removal is final.
typedef struct entry {
  double value;
  uint32_t node, next;
} entry;

#define ARRIVAL_BINS 8192      // must be a multiple of 64
#define ARRIVAL_STEPS_MAX 1.5  // range: steps from what it comes from to an arrival (4/3 for order 2)
#define LAST_BIN 1e18          // range: numbers of bins end here; what is farther shares the last one
#define NO_ENTRY UINT32_MAX

// Waiting entries in a ring of bins of equal widths; the one from which entries are removed is a heap. Bins
// only save time: the order is that of one heap, by (value, node), and so does not depend on the order of
// insertion.
typedef struct march_front {
  const mote_env *env;
  double origin, bins_per_value;
  uint64_t now;  // number of the bin that is the heap
  entry *heap;
  size_t count, heap_capacity;
  entry *pool;  // of all entries in bins; freed ones form a list
  size_t pool_count, pool_capacity, waiting;
  uint32_t free_entry, head[ARRIVAL_BINS];
  uint64_t occupied[ARRIVAL_BINS / 64];
} march_front;

static inline bool before(const entry *a, const entry *b) {
  return a->value < b->value || (a->value == b->value && a->node < b->node);
}

static mote_result heap_push(march_front *f, entry e, mote_error *error) {
  if (f->count == f->heap_capacity) {
    MOTE_TRY(mote_reserve(f->env, &f->heap, &f->heap_capacity, f->count + 64, sizeof *f->heap, error));
  }
  size_t k = f->count++;
  for (; k > 0 && before(&e, f->heap + (k - 1) / 4); k = (k - 1) / 4) f->heap[k] = f->heap[(k - 1) / 4];
  f->heap[k] = e;
  return MOTE_OK;
}

static entry heap_pop(march_front *f) {
  entry *heap = f->heap, top = heap[0], last = heap[--f->count];
  size_t k = 0;
  for (size_t child; (child = k * 4 + 1) < f->count; k = child) {
    size_t end = child + 4 < f->count ? child + 4 : f->count;
    for (size_t other = child + 1; other < end; ++other) {
      if (before(heap + other, heap + child)) child = other;
    }
    if (!before(heap + child, &last)) break;
    heap[k] = heap[child];
  }
  heap[k] = last;
  return top;
}

static inline uint64_t bin_of(const march_front *f, double value) {
  double bin = (value - f->origin) * f->bins_per_value;
  return bin < LAST_BIN ? (uint64_t)bin : (uint64_t)LAST_BIN;
}

static mote_result push(march_front *f, double value, uint32_t node, mote_error *error) {
  uint64_t bin = bin_of(f, value);
  if (bin <= f->now) return heap_push(f, (entry){value, node, NO_ENTRY}, error);
  // Only if a step is below the rounding of the values:
  if (bin - f->now >= ARRIVAL_BINS) bin = f->now + ARRIVAL_BINS - 1;
  uint32_t e = f->free_entry;
  if (e != NO_ENTRY) {
    f->free_entry = f->pool[e].next;
  } else {
    MOTE_TRY(mote_reserve(f->env, &f->pool, &f->pool_capacity, f->pool_count + 1, sizeof *f->pool, error));
    e = (uint32_t)f->pool_count++;
  }
  size_t slot = bin % ARRIVAL_BINS;
  bool empty = !(f->occupied[slot / 64] >> slot % 64 & 1);
  f->pool[e] = (entry){value, node, empty ? NO_ENTRY : f->head[slot]};
  f->head[slot] = e;
  f->occupied[slot / 64] |= (uint64_t)1 << slot % 64;
  ++f->waiting;
  return MOTE_OK;
}

// Makes the next non-empty bin the heap; drops entries of nodes that have got lower values since.
static mote_result open_bin(march_front *f, const double *value, mote_error *error) {
  size_t slot = (f->now + 1) % ARRIVAL_BINS;
  while (!(f->occupied[slot / 64] >> slot % 64)) slot = (slot / 64 + 1) * 64 % ARRIVAL_BINS;
  while (!(f->occupied[slot / 64] >> slot % 64 & 1)) ++slot;
  f->now += 1 + (slot - (f->now + 1)) % ARRIVAL_BINS;
  f->occupied[slot / 64] &= ~((uint64_t)1 << slot % 64);
  for (uint32_t e = f->head[slot], next; e != NO_ENTRY; e = next) {
    next = f->pool[e].next;
    if (f->pool[e].value == value[f->pool[e].node]) MOTE_TRY(heap_push(f, f->pool[e], error));
    f->pool[e].next = f->free_entry;
    f->free_entry = e;
    --f->waiting;
  }
  return MOTE_OK;
}

// One axis of the equation: weight (T - base)^2.
typedef struct upwind {
  double base, weight;
} upwind;

// The difference towards the final neighbour k of node i, with the arrival time `step` per cell.
static upwind difference(const mote_march *m, uint32_t i, int k, uint32_t j, double step) {
  double t1 = m->value[j];
  upwind first = {t1, 1.0};
  if (m->order < 2) return first;
  uint32_t beyond = mote_march_next(m, j, k);
  if (beyond == MOTE_MARCH_NONE || !(m->state[beyond] & MOTE_MARCH_DONE)) return first;
  double t2 = m->value[beyond];
  if ((m->state[beyond] ^ m->state[i]) & MOTE_MARCH_NEGATIVE) t2 = -t2;
  // A rise that this node's speed does not explain is caused by a jump, where a parabola increases the error.
  if (!(t2 <= t1 && t1 - t2 <= 2.0 * step)) return first;
  return (upwind){t1 + (t1 - t2) / 3.0, 2.25};
}

// The final neighbour along an axis with the lower value, if there is one.
static int upwind_side(const mote_march *m, uint32_t i, int axis, uint32_t *j) {
  int side = -1;
  for (int k = 2 * axis; k < 2 * axis + 2; ++k) {
    uint32_t n = mote_march_next(m, i, k);
    if (n == MOTE_MARCH_NONE || !(m->state[n] & MOTE_MARCH_DONE)) continue;
    if (side >= 0 && !(m->value[n] < m->value[*j])) continue;
    side = k, *j = n;
  }
  return side;
}

// The larger root of sum weight (T - base)^2 = step^2. Axes are added while the arrival is later
// than their base: then the root with one more lies between that base and the root without.
static double arrive(const mote_march *m, uint32_t i) {
  upwind axis[3];
  int axes = 0;
  double step = m->speed ? m->cell / m->speed[i] : m->cell;
  for (int a = 0; a < 3; ++a) {
    uint32_t j = 0;
    int side = upwind_side(m, i, a, &j);
    if (side < 0) continue;
    upwind u = difference(m, i, side, j, step);
    int k = axes++;
    for (; k > 0 && u.base < axis[k - 1].base; --k) axis[k] = axis[k - 1];
    axis[k] = u;
  }
  if (axes == 0) return HUGE_VAL;
  double a = axis[0].weight, b = 0.0, c = -1.0;  // of the equation for (T - base[0]) / step
  for (int k = 1; k < axes; ++k) {
    double d = (axis[k].base - axis[0].base) / step;
    if (!((a * d - 2.0 * b) * d + c < 0.0)) break;
    a += axis[k].weight, b += axis[k].weight * d, c += axis[k].weight * d * d;
  }
  double square = b * b - a * c;
  return axis[0].base + step * ((b + sqrt(square > 0.0 ? square : 0.0)) / a);
}

typedef struct seeds {
  entry *entry;  // in order
  size_t count, next;
} seeds;

static int compare_entries(const void *left, const void *right) {
  return before(left, right) ? -1 : before(right, left);
}

static mote_result gather_seeds(mote_march *m, const mote_env *env, seeds *s, mote_error *error) {
  size_t nodes = m->blocks * MOTE_MARCH_BLOCK, count = 0;
  for (size_t i = 0; i < nodes; ++i) {
    m->state[i] &= (uint8_t)~MOTE_MARCH_DONE;
    if (m->state[i] & MOTE_MARCH_WALL) m->state[i] &= (uint8_t)~MOTE_MARCH_SEED;
    if (m->state[i] & MOTE_MARCH_SEED)
      ++count;
    else
      m->value[i] = HUGE_VAL;
  }
  MOTE_ALLOC(s->entry, env, count, error);
  for (size_t i = 0; i < nodes; ++i) {
    if (m->state[i] & MOTE_MARCH_SEED) s->entry[s->count++] = (entry){m->value[i], (uint32_t)i, NO_ENTRY};
  }
  qsort(s->entry, count, sizeof *s->entry, compare_entries);
  return MOTE_OK;
}

// The longest time of a step.
static double longest_step(const mote_march *m) {
  double slowest = m->speed ? (double)INFINITY : 1.0;
  for (size_t i = 0; m->speed && i < m->blocks * MOTE_MARCH_BLOCK; ++i) {
    if (!(m->state[i] & MOTE_MARCH_WALL) && m->speed[i] < slowest) slowest = m->speed[i];
  }
  return m->cell / slowest;
}

static mote_result reach(mote_march *m, march_front *f, uint32_t i, mote_error *error) {
  m->state[i] |= MOTE_MARCH_DONE;
  for (int k = 0; k < 6; ++k) {
    uint32_t j = mote_march_next(m, i, k);
    if (j == MOTE_MARCH_NONE) continue;
    if (m->state[j] & (MOTE_MARCH_DONE | MOTE_MARCH_SEED | MOTE_MARCH_WALL)) continue;
    double t = arrive(m, j);
    if (!(t < m->value[j])) continue;
    m->value[j] = t;
    MOTE_TRY(push(f, t, j, error));
  }
  return MOTE_OK;
}

// Processes seeds and waiting nodes in the order of their values.
static mote_result advance(mote_march *m, march_front *f, seeds *s, mote_error *error) {
  for (;;) {
    while (f->count == 0 && f->waiting > 0) MOTE_TRY(open_bin(f, m->value, error));
    const entry *seed = s->next < s->count ? s->entry + s->next : NULL;
    if (!seed && f->count == 0) return MOTE_OK;
    bool take_seed = seed && (f->count == 0 || before(seed, f->heap));
    if (take_seed && f->count == 0) f->now = bin_of(f, seed->value);
    entry e = take_seed ? *seed : heap_pop(f);
    s->next += take_seed;
    if (m->state[e.node] & MOTE_MARCH_DONE) continue;
    if (e.value > m->farthest) return MOTE_OK;
    MOTE_TRY(reach(m, f, e.node, error));
  }
}

mote_result mote_march_run(mote_march *march, const mote_env *env, mote_error *error) {
  MOTE_ASSERT(march->cell > 0.0);
  MOTE_ASSERT(march->order == 1 || march->order == 2);
  MOTE_ASSERT(march->blocks == 0 || (march->beside != NULL && march->state != NULL && march->value != NULL));
  seeds s = {0};
  MOTE_TRY(gather_seeds(march, env, &s, error));
  march_front *f = mote_alloc(env, 1, sizeof *f);
  mote_result result = f ? MOTE_OK : mote_fail_memory(error, sizeof *f);
  if (f) {
    double bins = ARRIVAL_BINS / (ARRIVAL_STEPS_MAX * longest_step(march));
    *f = (march_front){.env = env, .free_entry = NO_ENTRY, .bins_per_value = bins < 1e290 ? bins : 1e290};
    f->origin = s.count > 0 ? s.entry[0].value : 0.0;
    result = advance(march, f, &s, error);
    mote_free(env, f->heap, f->heap_capacity, sizeof *f->heap);
    mote_free(env, f->pool, f->pool_capacity, sizeof *f->pool);
    mote_free(env, f, 1, sizeof *f);
  }
  mote_free(env, s.entry, s.count, sizeof *s.entry);
  for (size_t i = 0; i < march->blocks * MOTE_MARCH_BLOCK; ++i) {
    if (!(march->state[i] & MOTE_MARCH_DONE)) march->value[i] = HUGE_VAL;
  }
  return result;
}
