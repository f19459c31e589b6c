// A pot: see pot_mesh.h.
#include "validate/fracture/pot_mesh.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define POT_SECTORS 28
#define POT_RINGS 20

// Outer side from the bottom up, rim, inner side down to the floor: radius and height, m.
static const double profile[POT_RINGS][2] = {{0.04, 0.0},    {0.062, 0.002}, {0.078, 0.015}, {0.094, 0.04},
                                             {0.106, 0.07},  {0.11, 0.1},    {0.108, 0.13},  {0.1, 0.16},
                                             {0.09, 0.18},   {0.088, 0.195}, {0.1, 0.22},    {0.09, 0.22},
                                             {0.078, 0.195}, {0.08, 0.18},   {0.09, 0.158},  {0.098, 0.128},
                                             {0.099, 0.1},   {0.084, 0.042}, {0.07, 0.024},  {0.04, 0.012}};

bool pot_mesh_make(mote_mesh *out) {
  mote_mesh m = {.vertices = POT_RINGS * POT_SECTORS + 2, .triangles = 2 * POT_SECTORS * POT_RINGS};
  m.vertex = calloc(3 * m.vertices, sizeof *m.vertex);
  m.triangle = calloc(3 * m.triangles, sizeof *m.triangle);
  *out = m;
  if (m.vertex == NULL || m.triangle == NULL) return pot_mesh_free(out), false;
  uint32_t *t = m.triangle, bottom = POT_RINGS * POT_SECTORS, top = bottom + 1;
  for (size_t k = 0; k < bottom; ++k) {
    double angle = 2.0 * PI * (double)(k % POT_SECTORS) / POT_SECTORS, r = profile[k / POT_SECTORS][0];
    double *x = m.vertex + 3 * k;
    x[0] = r * mote_cos(angle), x[1] = profile[k / POT_SECTORS][1], x[2] = -r * mote_sin(angle);
  }
  m.vertex[3 * (size_t)top + 1] = profile[POT_RINGS - 1][1];
  for (uint32_t s = 0; s < POT_SECTORS; ++s) {
    uint32_t n = (s + 1) % POT_SECTORS;
    const uint32_t caps[6] = {
        bottom, n, s, top, (POT_RINGS - 1) * POT_SECTORS + s, (POT_RINGS - 1) * POT_SECTORS + n};
    memcpy(t, caps, sizeof caps), t += 6;
    for (uint32_t r = 0; r + 1 < POT_RINGS; ++r, t += 6) {
      uint32_t a = r * POT_SECTORS + s, b = r * POT_SECTORS + n, c = a + POT_SECTORS, d = b + POT_SECTORS;
      const uint32_t sides[6] = {a, b, d, a, d, c};
      memcpy(t, sides, sizeof sides);
    }
  }
  return true;
}

void pot_mesh_free(mote_mesh *mesh) {
  free(mesh->vertex), free(mesh->triangle);
  *mesh = (mote_mesh){0};
}
