// Boxes of a union that touch without overlapping leave a seam inside, where the distance is 0 as at a wall;
// they are reported.
#include "base/note.h"
#include "geom/shape_tree.h"

#define PARTS_MOST 256  // pairs of more parts are not looked at

static bool same_basis(const mote_shape_node *a, const mote_shape_node *b) {
  for (int k = 0; k < 9; ++k) {
    if (a->basis[k] != b->basis[k]) return false;
  }
  return a->kind == MOTE_SHAPE_BOX && b->kind == MOTE_SHAPE_BOX && !a->inverted && !b->inverted;
}

// Whether they meet in a face: along one axis the gap is nothing, along the others they overlap.
static bool only_touch(const mote_shape_node *a, const mote_shape_node *b, int dimensions) {
  double apart[3];
  int touching = 0;
  sub3(a->origin, b->origin, apart);
  unturn3(a->basis, apart, apart);
  for (int k = 0; k < dimensions; ++k) {
    double gap = fabs(apart[k]) - a->size[k] - b->size[k], slack = 1e-9 * (a->size[k] + b->size[k]);
    if (gap > slack) return false;
    touching += gap >= -slack;
  }
  return touching == 1;
}

static void note_union_seam(const mote_shape *shape, size_t index) {
  const mote_shape_node *node = shape->node;
  size_t part[PARTS_MOST], parts = 0;
  for (size_t k = index + 1; k < node[index].end && parts < PARTS_MOST; k = node[k].end) part[parts++] = k;
  for (size_t i = 0; i < parts; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const mote_shape_node *a = node + part[i], *b = node + part[j];
      if (!same_basis(a, b) || !only_touch(a, b, shape->dimensions)) continue;
      mote_note(
          &shape->env, MOTE_LOG_WARNING,
          "parts %zu and %zu of a union touch without overlapping, which leaves a wall between them: let "
          "them overlap",
          j, i);
      return;
    }
  }
}

void mote_shape_note_seams(const mote_shape *shape) {
  MOTE_ASSERT(shape->node != NULL || shape->nodes == 0);
  for (size_t k = 0; k < shape->nodes; ++k) {
    if (shape->node[k].kind == MOTE_SHAPE_UNION) note_union_seam(shape, k);
  }
}
