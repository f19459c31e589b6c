// A graded ball: no neighbourhood is flat, linear fields are exact, volumes sum to the ball's, and only
// particles of the outermost layers count as surface.
#include <mote/mote.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"
#include "shape_kit.h"
#include "test.h"

#define SPACING 0.05

static double size_of(const mote_samples *s, size_t i) {
  double least = HUGE_VAL;
  for (size_t j = 0; j < s->count; ++j) least = fmin(least, s->volume[j]);
  return cbrt(s->volume[i] / least);
}

static void check_gradient(mote_elastic *body, const mote_samples *s) {
  static const double g[9] = {0.1, 0.02, 0.0, -0.03, 0.05, 0.01, 0.0, 0.04, -0.02};
  double *x = calloc(3 * s->count, sizeof *x), *found = calloc(9 * s->count, sizeof *found);
  for (size_t i = 0; i < s->count; ++i) {
    turn3(g, s->position + 3 * i, x + 3 * i);
    step3(x + 3 * i, 1.0, s->position + 3 * i, x + 3 * i);
  }
  CHECK(mote_elastic_find_strains(body, x, NULL, found, NULL) == MOTE_OK);
  double worst = 0.0;
  for (size_t e = 0; e < 9 * s->count; ++e) worst = fmax(worst, fabs(found[e] - g[e % 9]));
  CHECK(worst < 1e-12);
  free(x);
  free(found);
}

static void check_surface(mote_elastic *body, const mote_samples *s, double radius) {
  mote_elastic_contact_part part = {.body = body, .present = body};
  mote_elastic_contact *contact = NULL;
  CHECK(mote_elastic_contact_create(&part, 1, NULL, &contact, NULL) == MOTE_OK);
  double deepest = 0.0;
  for (size_t k = 0; k < contact->surfaces; ++k) {
    deepest = fmax(deepest, radius - length3(s->position + 3 * contact->surface[k]));
  }
  printf("%zu particles, %zu on the surface, the deepest at %.2f spacings\n", s->count, contact->surfaces,
         deepest / SPACING);
  CHECK(deepest < 2.0 * SPACING);
  mote_elastic_contact_destroy(contact);
}

int main(void) {
  double radius = 10.0 * SPACING, sum = 0.0;
  mote_shape_def ball = mote_shape_def_sphere(0.0, 0.0, 0.0, radius);
  mote_shape *shape = kit_shape(&ball, 3);
  for (int grading = 2; grading <= 4; grading *= 2) {
    mote_samples s = {0};
    mote_elastic_def def = mote_elastic_def_default();
    mote_elastic *body = NULL;
    CHECK(mote_shape_fill_graded(shape, SPACING, grading, 2.0 * SPACING, 10000, NULL, &s, NULL) == MOTE_OK);
    double *support = calloc(s.count, sizeof *support);
    for (size_t i = 0; i < s.count; ++i) support[i] = 2.4 * SPACING * size_of(&s, i);
    def.position = s.position, def.count = s.count, def.volume = s.volume, def.support = support;
    def.young = 1e5, def.density = 1000.0;
    if (CHECK(mote_elastic_create(&def, NULL, &body, NULL) == MOTE_OK)) {
      sum = 0.0;
      for (size_t i = 0; i < s.count; ++i) sum += mote_elastic_volume(body)[i];
      CHECK_NEAR(sum / (4.0 / 3.0 * 3.14159265358979 * radius * radius * radius), 1.0, 1e-12);
      check_gradient(body, &s);
      check_surface(body, &s, radius);
    }
    mote_elastic_destroy(body);
    mote_samples_free(&s, NULL);
    free(support);
  }
  mote_shape_destroy(shape);
  return test_end();
}
