// Colours: maps by control points, the cycle of line colours.
#include <math.h>

#include "draw/draw_base.h"
#include "draw/draw_math.h"

// Evenly spaced points, interpolated linearly in sRGB. They lie on smooth curves of rising lightness in the
// OKLab colour space (diverging: rising to the middle) at equal arc lengths, so that
// equal steps of value are equal steps to the eye; along the sequential map they differ by less than 10 %.
typedef struct map_points {
  int count;
  uint8_t rgb[17][3];
} map_points;

static const map_points MAPS[MOTE_MAP_HEAT + 1] = {
    [MOTE_MAP_SEQUENTIAL] = {17,
                             {{48, 18, 83},
                              {54, 32, 105},
                              {57, 46, 127},
                              {52, 63, 146},
                              {41, 82, 155},
                              {25, 101, 159},
                              {2, 118, 161},
                              {3, 133, 159},
                              {6, 149, 156},
                              {17, 164, 151},
                              {51, 179, 144},
                              {74, 193, 134},
                              {102, 206, 121},
                              {137, 217, 104},
                              {175, 225, 89},
                              {211, 233, 77},
                              {246, 239, 68}}},
    [MOTE_MAP_DIVERGING] = {17,
                            {{25, 69, 156},
                             {44, 92, 170},
                             {66, 115, 185},
                             {90, 138, 198},
                             {116, 160, 211},
                             {143, 183, 222},
                             {173, 204, 233},
                             {206, 225, 242},
                             {243, 243, 243},
                             {243, 216, 206},
                             {234, 188, 173},
                             {223, 161, 144},
                             {210, 134, 117},
                             {196, 107, 92},
                             {180, 79, 69},
                             {162, 49, 48},
                             {144, 4, 27}}},
    [MOTE_MAP_WATER] = {7,
                        {{18, 68, 140},
                         {28, 92, 170},
                         {47, 120, 196},
                         {74, 145, 212},
                         {112, 172, 226},
                         {156, 201, 238},
                         {204, 230, 248}}},
    [MOTE_MAP_HEAT] = {8,
                       {{34, 22, 28},
                        {88, 24, 30},
                        {146, 30, 24},
                        {200, 58, 14},
                        {234, 104, 12},
                        {250, 156, 36},
                        {255, 207, 98},
                        {255, 246, 216}}},
    [MOTE_MAP_GREY] = {2, {{0, 0, 0}, {255, 255, 255}}},
};

mote_colour mote_colour_map_at(mote_colour_map map, double t) {
  if (isnan(t) || (int)map < 0 || map > MOTE_MAP_HEAT) return (mote_colour){0, 0, 0, 0};
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
