// The sets of particles that surfaces are judged by.
// Links apps/validate/surfaces/particle_sets.c
#include "validate/surfaces/particle_sets.h"

#include <math.h>
#include <mote/search.h>
#include <stdlib.h>

#include "test.h"

static void fills_boxes_side_to_side(void) {
  mote_shape_def def = mote_shape_def_box(-0.4, 0.2, 1.0, 0.6, 1.4, 1.8);
  mote_shape *box = NULL;
  CHECK(mote_shape_create(&def, 3, NULL, &box, NULL) == MOTE_OK);
  particle_set set = particle_set_fill(box, 0.1, 1), other = particle_set_fill(box, 0.1, 2);
  CHECK(set.count == 10 * 12 * 8);
  double most = 0.0, mean = 0.0;
  for (size_t k = 0; k < 3 * set.count; ++k) {
    double cell = set.position[k] / 0.1 - 0.5, shift = cell - floor(cell + 0.5);
    most = fmax(most, fabs(shift)), mean += shift / (3.0 * (double)set.count);
  }
  CHECK(most <= 0.15 + 1e-9 && most > 0.149 && fabs(mean) < 0.01);
  CHECK(memcmp(set.position, other.position, 3 * set.count * sizeof(double)) != 0);
  particle_set both = particle_set_join(&set, &other);
  CHECK(both.count == 2 * set.count && both.position[3 * set.count] == other.position[0]);
  particle_set_free(&both), particle_set_free(&set), particle_set_free(&other);
  mote_shape_destroy(box);
}

static void sheets_have_their_pitch(void) {
  const double origin[3] = {1, 2, 3}, u[3] = {0, 1, 0}, v[3] = {0, 0, 1};
  particle_set set = particle_set_film(5, 4, origin, u, v, 0.2, 0.1, 3);
  CHECK(set.count == 20);
  CHECK_NEAR(set.position[3 * 9 + 0], 1.0, 0.015 + 1e-12);
  CHECK_NEAR(set.position[3 * 9 + 1], 2.0 + 4 * 0.2, 0.015 + 1e-12);
  CHECK_NEAR(set.position[3 * 9 + 2], 3.0 + 1 * 0.2, 0.015 + 1e-12);
  particle_set_free(&set);
}

// As other programs were timed on: 140,000 particles in 204 components.
static void dam_has_its_components(void) {
  const dam_set *dam = &dam_sets[DAM_140K];
  particle_set set = particle_set_dam(DAM_140K);
  CHECK(set.count == 140000 && set.spacing == 0.02);
  uint32_t *label = malloc(set.count * sizeof *label);
  mote_domain open = mote_domain_open(3);
  size_t components = 0;
  for (int k = 0; k < 2; ++k) {  // nothing lies between 1.5 and 3 spacings from another component
    double distance = (k == 0 ? 1.5 : 3.0) * set.spacing;
    CHECK(mote_components(&open, set.position, set.count, distance, NULL, label, &components, NULL) ==
          MOTE_OK);
    CHECK(components == dam->components);
  }
  particle_set_free(&set);
  free(label);
  for (int k = 0; k < DAM_SIZES; ++k) {
    const dam_set *s = &dam_sets[k];
    CHECK(2 * s->block[0] * s->block[1] * s->block[2] + s->film[0] * s->film[1] + s->filament + s->lone ==
          s->particles);
    CHECK(s->components == s->lone + 4);
  }
}

int main(void) {
  fills_boxes_side_to_side();
  sheets_have_their_pitch();
  dam_has_its_components();
  return test_end();
}
