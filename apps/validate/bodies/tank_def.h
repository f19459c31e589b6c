// Worlds of two dimensions for bodies in water: a tank, and space without weight.
#ifndef TANK_DEF_H
#define TANK_DEF_H

#include <math.h>
#include <mote/world.h>

// From 0,0 to these, m; walls on all sides.
static inline mote_world_def tank_def(double width, double height) {
  mote_world_def def = mote_world_def_default();
  double high[2] = {width, height};
  def.dimensions = 2;
  for (int a = 0; a < 2; ++a) {
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
    def.low[a] = 0.0, def.high[a] = high[a];
  }
  return def;
}

static inline mote_world_def space_def(void) {
  mote_world_def def = mote_world_def_default();
  def.dimensions = 2, def.gravity[1] = 0.0;
  for (int a = 0; a < 2; ++a) {
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_OPEN;
    def.low[a] = -HUGE_VAL, def.high[a] = HUGE_VAL;
  }
  return def;
}

#endif
