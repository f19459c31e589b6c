// Validation of distances inside a shape: a spiral channel of 12 cells across against the exact paths by its
// corners.
#include <math.h>
#include <stdlib.h>

#include "validate/shape/deform_trial.h"
#include "validate/validate.h"

// A channel of one box, walls of one box: # is the channel.
#define SPIRAL_SIDE 9
static const char *const spiral[SPIRAL_SIDE] = {
    "#########", "........#", "#######.#", "#.....#.#", "#.###.#.#",
    "#.#...#.#", "#.#####.#", "#.......#", "#########",
};

static bool spiral_inside(int i, int j, int k) {
  (void)k;
  return spiral[j][i] == '#';
}

// Whether the segment stays in the channel, sampled.
static bool sees(const double a[2], const double b[2]) {
  for (int s = 0; s <= 4000; ++s) {
    double x = a[0] + (b[0] - a[0]) * s / 4000.0, y = a[1] + (b[1] - a[1]) * s / 4000.0;
    bool any = false;  // corners belong to the channel
    for (int c = 0; c < 4; ++c) {
      int i = (int)floor(x + (c % 2 ? 1e-7 : -1e-7)), j = (int)floor(y + (c / 2 ? 1e-7 : -1e-7));
      any |= i >= 0 && j >= 0 && i < SPIRAL_SIDE && j < SPIRAL_SIDE && spiral[j][i] == '#';
    }
    if (!any) return false;
  }
  return true;
}

typedef struct corners {
  double x[64][2], distance[64];
  int count;
} corners;

// Corners of walls, and their distances from the source by shortest paths.
static corners corner_distances(const double source[2]) {
  corners c = {.count = 0};
  for (int j = 1; j < SPIRAL_SIDE; ++j) {
    for (int i = 1; i < SPIRAL_SIDE; ++i) {
      int full = 0;
      for (int k = 0; k < 4; ++k) full += spiral[j - k / 2][i - k % 2] == '#';
      if (full == 3) c.x[c.count][0] = i, c.x[c.count][1] = j, c.distance[c.count++] = HUGE_VAL;
    }
  }
  for (int a = 0; a < c.count; ++a)
    if (sees(source, c.x[a])) c.distance[a] = hypot(source[0] - c.x[a][0], source[1] - c.x[a][1]);
  for (int round = 0; round < c.count; ++round) {
    for (int a = 0; a < c.count; ++a) {
      for (int b = 0; b < c.count; ++b) {
        double length = c.distance[b] + hypot(c.x[a][0] - c.x[b][0], c.x[a][1] - c.x[b][1]);
        if (length < c.distance[a] && sees(c.x[a], c.x[b])) c.distance[a] = length;
      }
    }
  }
  return c;
}

static double exact_distance(const corners *c, const double source[2], const double x[2]) {
  double best = sees(source, x) ? hypot(source[0] - x[0], source[1] - x[1]) : HUGE_VAL;
  for (int a = 0; a < c->count; ++a) {
    double length = c->distance[a] + hypot(c->x[a][0] - x[0], c->x[a][1] - x[1]);
    if (length < best && sees(c->x[a], x)) best = length;
  }
  return best;
}

// Beyond five cells from the source, at the middles and near the walls of the channel.
static double worst_error(const corners *c, const double from[3], const double *x, const double *length,
                          size_t count, double *farthest) {
  double worst = 0.0;
  for (size_t i = 0; i < count; ++i) {
    double flat = exact_distance(c, from, x + 3 * i), exact = hypot(flat, x[3 * i + 2] - from[2]);
    *farthest = fmax(*farthest, exact);
    if (exact > 5.0 / 12.0) worst = fmax(worst, fabs(length[i] / exact - 1.0));
  }
  return worst;
}

static size_t set_points(double *x) {
  size_t count = 0;
  for (int j = 0; j < SPIRAL_SIDE; ++j) {
    for (int i = 0; i < SPIRAL_SIDE; ++i) {
      for (int k = 0; k < 27 && spiral[j][i] == '#'; ++k) {
        x[3 * count] = i + 0.1 + 0.4 * (k % 3), x[3 * count + 1] = j + 0.1 + 0.4 * (k / 3 % 3);
        x[3 * count++ + 2] = 0.1 + 0.4 * (k / 9);
      }
    }
  }
  return count;
}

static void report(validation *v, measure_kind kind, const char *name, double value, double tolerance) {
  measure m = {name, kind, value, 0.0, tolerance, "exact paths"};
  validation_report(v, &m);
}

void validate_deform_paths(validation *v) {
  double line[SPIRAL_SIDE + 1], deep[2] = {0.0, 1.0}, from[3] = {0.5, 0.5, 0.5}, farthest = 0.0;
  for (int i = 0; i <= SPIRAL_SIDE; ++i) line[i] = i;
  box_lines lines = {
      .line = {line, line, deep}, .cells = {SPIRAL_SIDE, SPIRAL_SIDE, 1}, .inside = spiral_inside};
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d = NULL;
  mote_error error = {0};
  static double x[3 * 27 * SPIRAL_SIDE * SPIRAL_SIDE], length[27 * SPIRAL_SIDE * SPIRAL_SIDE];
  size_t count = set_points(x);
  if (!box_mesh_make(&lines, &def.mesh)) return;
  def.nodes = (size_t)((double)count / 27.0 * 1.5 * 1.5 * 1.5);  // eight cells a spacing: 12 across
  if (mote_deform_create(&def, validation_env(v), &d, &error) == MOTE_OK &&
      mote_deform_path_lengths(d, from, x, count, length, &error) == MOTE_OK) {
    corners c = corner_distances(from);
    report(v, MEASURE_NEAR, "spiral channel of 12 cells across: lengths of paths",
           worst_error(&c, from, x, length, count, &farthest), 0.02);
    report(v, MEASURE_SHOWN, "the longest, in widths of the channel", farthest, 0.0);
  } else {
    validation_error(v, &error);
  }
  mote_deform_destroy(d);
  box_mesh_free(&def.mesh);
}
