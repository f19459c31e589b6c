// Colours: maps by control points, the cycle of line colours.
#include <math.h>

#include "draw/draw_base.h"
#include "draw/draw_math.h"

// Evenly spaced points, joined by straight lines in sRGB. Made in OKLab: lightness is linear along the map
// (for the diverging one from both ends to the middle), hue and chroma are smooth.
typedef struct map_points {
  int count;
  uint8_t rgb[17][3];
} map_points;

static const map_points MAPS[3] = {
    [MOTE_MAP_SEQUENTIAL] = {9,
                             {{68, 1, 84},
                              {71, 45, 123},
                              {59, 82, 139},
                              {44, 114, 142},
                              {33, 144, 140},
                              {39, 173, 129},
                              {92, 200, 99},
                              {170, 220, 50},
                              {253, 231, 37}}},
    [MOTE_MAP_DIVERGING] =
        {5, {{33, 60, 140}, {120, 160, 210}, {245, 245, 245}, {225, 140, 110}, {150, 20, 40}}},
    [MOTE_MAP_GREY] = {2, {{0, 0, 0}, {255, 255, 255}}},
};

mote_colour mote_colour_map_at(mote_colour_map map, double t) {
  if (isnan(t) || (int)map < 0 || map > MOTE_MAP_GREY) return (mote_colour){0, 0, 0, 0};
  const map_points *m = MAPS + map;
  double at = draw_clamp(t, 0, 1) * (m->count - 1);
  int k = (int)at;
  if (k > m->count - 2) k = m->count - 2;
  double part = at - k;
  uint8_t c[3];
  for (int a = 0; a < 3; ++a) c[a] = (uint8_t)(m->rgb[k][a] + part * (m->rgb[k + 1][a] - m->rgb[k][a]) + 0.5);
  return (mote_colour){c[0], c[1], c[2], 255};
}

mote_colour mote_colour_cycle(int k) {
  static const mote_colour cycle[MOTE_CYCLE_COLOURS] = {
      {0, 114, 178, 255}, {213, 94, 0, 255},   {0, 158, 115, 255}, {204, 121, 167, 255},
      {230, 159, 0, 255}, {86, 180, 233, 255}, {70, 70, 70, 255},
  };
  return cycle[(k % MOTE_CYCLE_COLOURS + MOTE_CYCLE_COLOURS) % MOTE_CYCLE_COLOURS];
}
