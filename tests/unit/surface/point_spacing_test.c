// Spacing from the particles alone: packings with and without jitter, sheets, volumes.
#include <math.h>

#include "field_kit.h"
#include "test.h"

static double spacing_of(const field_kit_set *s, const float *volume) {
  double d = (double)NAN;
  mote_surface_particles particles = {.position = s->x, .count = s->count, .volume = volume};
  mote_env env = mote_env_default();
  CHECK(mote_point_spacing(&particles, &env, &d, NULL) == MOTE_OK);
  return d;
}

int main(void) {
  for (int k = 0; k < 4; ++k) {
    field_kit_set s = field_kit_begin();
    field_kit_block(&s, (double[3]){0, 0, 0}, (int[3]){15, 14, 13}, 3, 0.05 * k);
    // Six distances in a row have means that jitter moves in second order.
    CHECK_NEAR(spacing_of(&s, NULL), 1.0, k == 0 ? 1e-12 : 0.05);
    free(s.x);
  }
  field_kit_set sheet = field_kit_begin();
  field_kit_block(&sheet, (double[3]){0, 0, 0}, (int[3]){30, 30, 1}, 3, 0.0);
  CHECK_NEAR(spacing_of(&sheet, NULL), 1.0, 0.15);
  static float volume[900];
  for (int i = 0; i < 900; ++i) volume[i] = 8.0f;
  CHECK_NEAR(spacing_of(&sheet, volume), 2.0, 1e-6);
  free(sheet.x);
  return test_end();
}
