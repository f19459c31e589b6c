// Vertices that crowd about a node: see graze.h. Only those with another one near the same node are moved:
// where a flat surface lies close to a plane of nodes, each node has one, whose triangles are as large as
// any.
#include "mesh/graze.h"

#include "mesh/tuning.inc"

#define SIDE MOTE_BLOCK_SIDE

// The value at a node of a block or of one beside it; false where there is no block. `node` may be one beyond
// along one axis.
static bool value_of(const mote_graze *graze, uint32_t block, const int node[3], float *value) {
  int at[3];
  for (int a = 0; a < 3; ++a) {
    at[a] = node[a];
    if (at[a] >= 0 && at[a] < SIDE) continue;
    block = at[a] < 0 ? graze->below[block][a] : graze->field->above[block][1U << a];
    if (block == MOTE_BLOCK_ABSENT) return false;
    at[a] = at[a] < 0 ? SIDE - 1 : 0;
  }
  *value =
      graze->field->value[(size_t)block * MOTE_BLOCK_NODES + (size_t)((at[2] * SIDE + at[1]) * SIDE + at[0])];
  return true;
}

// Whether another edge of the node is crossed near it: not the one along `axis` to the side `side`.
static bool is_crowded(const mote_graze *graze, uint32_t block, const int node[3], int axis, int side) {
  float here, there;
  if (!value_of(graze, block, node, &here)) return false;
  for (int a = 0; a < 3; ++a)
    for (int s = -1; s <= 1; s += 2) {
      int next[3] = {node[0], node[1], node[2]};
      next[a] += s;
      if ((a == axis && s == side) || !value_of(graze, block, next, &there)) continue;
      if ((here > 0.0f) != (there > 0.0f) &&
          (double)here / ((double)here - (double)there) < CROWDED_EDGE_SHARE)
        return true;
    }
  return false;
}

double mote_graze_move(const mote_graze *graze, uint32_t block, const unsigned node[3], unsigned axis,
                       double t) {
  MOTE_ASSERT(t < MOTE_GRAZE_APART || t > 1.0 - MOTE_GRAZE_APART);
  bool low = t < MOTE_GRAZE_APART;
  int at[3] = {(int)node[0], (int)node[1], (int)node[2]};
  if (!low && ++at[axis] == SIDE) at[axis] = 0, block = graze->field->above[block][1U << axis];
  if (block == MOTE_BLOCK_ABSENT || !is_crowded(graze, block, at, (int)axis, low ? 1 : -1)) return t;
  return low ? MOTE_GRAZE_APART : 1.0 - MOTE_GRAZE_APART;
}

mote_result mote_graze_make(const mote_sparse_field *field, mote_arena *scratch, mote_graze *out,
                            mote_error *error) {
  MOTE_ASSERT(field != NULL && scratch != NULL && out != NULL);
  *out = (mote_graze){field, mote_arena_take(scratch, field->blocks, sizeof *out->below)};
  if (out->below == NULL) return mote_fail_memory(error, field->blocks * sizeof *out->below);
  for (size_t b = 0; b < field->blocks; ++b)
    for (int a = 0; a < 3; ++a) out->below[b][a] = MOTE_BLOCK_ABSENT;
  for (size_t b = 0; b < field->blocks; ++b)
    for (int a = 0; a < 3; ++a) {
      uint32_t above = field->above[b][1U << a];
      if (above != MOTE_BLOCK_ABSENT) out->below[above][a] = (uint32_t)b;
    }
  return MOTE_OK;
}
