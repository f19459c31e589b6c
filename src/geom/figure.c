// The animal: a seated rabbit of ellipsoids, looking along +x, with +y upward, of height 2 about the origin.
#include "geom/shape_tree.h"

typedef struct part {
  double centre[3], radii[3];
  double lean;  // degrees about z
} part;

static const part parts[] = {
    {{-0.18, -0.45, 0.00}, {0.50, 0.48, 0.42}, 12.0},    // body
    {{0.08, -0.22, 0.00}, {0.34, 0.42, 0.32}, -18.0},    // chest
    {{0.26, 0.24, 0.00}, {0.32, 0.27, 0.25}, -12.0},     // head
    {{0.48, 0.17, 0.00}, {0.15, 0.13, 0.14}, 0.0},       // muzzle
    {{0.40, 0.14, 0.10}, {0.13, 0.12, 0.11}, 0.0},       // cheeks
    {{0.40, 0.14, -0.10}, {0.13, 0.12, 0.11}, 0.0},      //
    {{0.07, 0.68, 0.13}, {0.105, 0.335, 0.075}, 14.0},   // ears
    {{0.07, 0.68, -0.13}, {0.105, 0.335, 0.075}, 14.0},  //
    {{-0.24, -0.66, 0.28}, {0.34, 0.31, 0.18}, 0.0},     // haunches
    {{-0.24, -0.66, -0.28}, {0.34, 0.31, 0.18}, 0.0},    //
    {{0.02, -0.91, 0.29}, {0.34, 0.09, 0.12}, 0.0},      // hind feet
    {{0.02, -0.91, -0.29}, {0.34, 0.09, 0.12}, 0.0},     //
    {{0.26, -0.66, 0.14}, {0.11, 0.30, 0.10}, 6.0},      // forelegs
    {{0.26, -0.66, -0.14}, {0.11, 0.30, 0.10}, 6.0},     //
    {{0.34, -0.93, 0.14}, {0.16, 0.07, 0.09}, 0.0},      // paws
    {{0.34, -0.93, -0.14}, {0.16, 0.07, 0.09}, 0.0},     //
    {{-0.70, -0.66, 0.00}, {0.17, 0.16, 0.16}, 0.0},     // tail
};

size_t mote_figure_parts(void) {
  return sizeof parts / sizeof parts[0];
}

mote_shape_def mote_figure_part(size_t index, int dimensions) {
  MOTE_ASSERT(index < mote_figure_parts());
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  const part *p = parts + index;
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_ELLIPSOID;
  copy3(p->centre, def.centre);
  copy3(p->radii, def.radii);
  def.angle = p->lean * (MOTE_PI / 180.0);
  copy3(p->centre, def.pivot);
  if (dimensions == 2) def.centre[2] = def.pivot[2] = 0.0;  // seen from the side, all of it
  return def;
}
