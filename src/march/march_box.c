// Public functions of fast marching: a dense box of nodes, copied into blocks.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "march/fast_march.h"

mote_march_def mote_march_def_default(void) {
  return (mote_march_def){.nodes = {1, 1, 1}, .cell = 1.0, .order = 2, .farthest = HUGE_VAL};
}

static mote_result check_def(const mote_march_def *def, mote_error *error) {
  double nodes = 1.0;  // of whole blocks
  for (int k = 0; k < 3; ++k) {
    if (def->nodes[k] == 0) return mote_fail_key(error, "nodes", "there must be nodes along each axis");
    nodes *= (double)def->nodes[k] + MOTE_MARCH_SIDE - 1;
  }
  if (nodes >= (double)MOTE_MARCH_NONE) return mote_fail_key(error, "nodes", "too many nodes: %g", nodes);
  if (!(def->cell > 0.0 && isfinite(def->cell)))
    return mote_fail_key(error, "cell", "the cell must be positive, not %g", def->cell);
  if (def->order != 1 && def->order != 2)
    return mote_fail_key(error, "order", "the order must be 1 or 2, not %d", def->order);
  if (isnan(def->farthest)) return mote_fail_key(error, "farthest", "farthest must be a number");
  size_t count = def->nodes[0] * def->nodes[1] * def->nodes[2];
  for (size_t i = 0; def->speed && i < count; ++i) {
    if (def->mask && !def->mask[i]) continue;
    if (!(def->speed[i] > 0.0 && isfinite(def->speed[i])))
      return mote_fail_key(error, "speed", "the speed of node %zu must be positive, not %g", i,
                           def->speed[i]);
  }
  return MOTE_OK;
}

static bool open_node(const mote_march_def *def, size_t i) {
  return !def->mask || def->mask[i];
}

// For fields every value is used, for seeds infinity means none.
static mote_result check_values(const mote_march_def *def, const double *value, bool field,
                                mote_error *error) {
  size_t count = def->nodes[0] * def->nodes[1] * def->nodes[2];
  for (size_t i = 0; i < count; ++i) {
    if (!open_node(def, i) || isfinite(value[i])) continue;
    if (field || !(value[i] > 0.0))
      return mote_fail_key(error, "value", "the value of node %zu must be %s, not %g", i,
                           field ? "finite" : "finite or infinity", value[i]);
  }
  return MOTE_OK;
}

typedef struct box {
  mote_march march;
  size_t blocks[3];  // along each axis
  uint32_t (*beside)[6];
  double *speed;
} box;

static void free_box(box *b, const mote_env *env) {
  size_t count = b->march.blocks * MOTE_MARCH_BLOCK;
  mote_free(env, b->beside, b->march.blocks, sizeof *b->beside);
  mote_free(env, b->speed, count, sizeof(double));
  mote_free(env, b->march.state, count, 1);
  mote_free(env, b->march.value, count, sizeof(double));
}

static void connect_blocks(box *b) {
  size_t stride[3] = {1, b->blocks[0], b->blocks[0] * b->blocks[1]};
  for (size_t block = 0; block < b->march.blocks; ++block) {
    for (int k = 0; k < 6; ++k) {
      size_t s = stride[k >> 1], at = block / s % b->blocks[k >> 1];
      bool last = k & 1 ? at + 1 == b->blocks[k >> 1] : at == 0;
      b->beside[block][k] = last ? MOTE_MARCH_NONE : (uint32_t)(k & 1 ? block + s : block - s);
    }
  }
}

static mote_result make_box(const mote_march_def *def, const mote_env *env, box *b, mote_error *error) {
  for (int k = 0; k < 3; ++k) b->blocks[k] = (def->nodes[k] + MOTE_MARCH_SIDE - 1) / MOTE_MARCH_SIDE;
  size_t blocks = b->blocks[0] * b->blocks[1] * b->blocks[2], count = blocks * MOTE_MARCH_BLOCK;
  b->beside = mote_alloc(env, blocks, sizeof *b->beside);
  b->speed = def->speed ? mote_alloc(env, count, sizeof(double)) : NULL;
  b->march = (mote_march){.blocks = blocks,
                          .beside = (const uint32_t(*)[6])b->beside,
                          .cell = def->cell,
                          .speed = b->speed,
                          .order = def->order,
                          .farthest = def->farthest,
                          .state = mote_alloc(env, count, 1),
                          .value = mote_alloc(env, count, sizeof(double))};
  if (!b->beside || !b->march.state || !b->march.value || (def->speed && !b->speed)) {
    free_box(b, env);
    return mote_fail_memory(error, count * sizeof(double));
  }
  connect_blocks(b);
  return MOTE_OK;
}

// Index of the caller's node (x, y, z).
static size_t node_place(const box *b, size_t x, size_t y, size_t z) {
  size_t block = x / 8 + b->blocks[0] * (y / 8 + b->blocks[1] * (z / 8));
  return block * MOTE_MARCH_BLOCK + (x % 8 + 8 * (y % 8) + 64 * (z % 8));
}

static void fill_box(const mote_march_def *def, const double *value, bool field, box *b) {
  mote_march *m = &b->march;
  memset(m->state, MOTE_MARCH_WALL, m->blocks * MOTE_MARCH_BLOCK);
  size_t i = 0;
  for (size_t z = 0; z < def->nodes[2]; ++z) {
    for (size_t y = 0; y < def->nodes[1]; ++y) {
      for (size_t x = 0; x < def->nodes[0]; ++x, ++i) {
        if (!open_node(def, i)) continue;
        size_t place = node_place(b, x, y, z);
        m->value[place] = value[i];
        m->state[place] = !field && isfinite(value[i]) ? MOTE_MARCH_SEED : 0;
        if (def->speed) b->speed[place] = def->speed[i];
      }
    }
  }
}

static void read_box(const mote_march_def *def, const box *b, double *value) {
  size_t i = 0;
  for (size_t z = 0; z < def->nodes[2]; ++z) {
    for (size_t y = 0; y < def->nodes[1]; ++y) {
      for (size_t x = 0; x < def->nodes[0]; ++x, ++i) {
        size_t place = node_place(b, x, y, z);
        bool negative = b->march.state[place] & MOTE_MARCH_NEGATIVE;
        value[i] = negative ? -b->march.value[place] : b->march.value[place];
      }
    }
  }
}

static mote_result march_box(const mote_march_def *def, double *value, bool field, const mote_env *given,
                             mote_error *error) {
  if (!def || !value) return mote_fail(error, MOTE_ERROR_ARGUMENT, "a definition and values are needed");
  MOTE_TRY(check_def(def, error));
  MOTE_TRY(check_values(def, value, field, error));
  mote_env env = mote_env_resolve(given);
  box b;
  MOTE_TRY(make_box(def, &env, &b, error));
  fill_box(def, value, field, &b);
  mote_result result = field ? mote_march_seed(&b.march, &env, error) : MOTE_OK;
  if (!result) result = mote_march_run(&b.march, &env, error);
  if (!result) read_box(def, &b, value);
  free_box(&b, &env);
  return result;
}

mote_result mote_fast_march(const mote_march_def *def, double *value, const mote_env *env,
                            mote_error *error) {
  return march_box(def, value, false, env, error);
}

mote_result mote_fast_march_field(const mote_march_def *def, double *value, const mote_env *env,
                                  mote_error *error) {
  return march_box(def, value, true, env, error);
}
