// Gradients of particles: exact for affine motion, and for turns also where neighbours are in one plane.
#include "elastic/elastic_local_gradients.h"

#include "elastic_kit.h"

static void check_gradients(int nz, const double F[9]) {
  mote_elastic_def def = mote_elastic_def_default();
  const double origin[3] = {0};
  def.dimensions = nz == 1 ? 2 : 3, def.density = 1000.0, def.young = 1e6, def.order = 1;
  elastic_kit kit = kit_make(def, 6, 5, nz, 0.2, origin);
  double *position = kit_array(3 * kit.count), *gradient = kit_array(9 * kit.count), most = 0.0;
  for (size_t i = 0; i < kit.count; ++i)
    for (int a = 0; a < 3; ++a) position[3 * i + a] = 1.0 + dot3(F + 3 * a, kit.rest + 3 * i);
  mote_elastic_find_local_gradients(kit.body, position, gradient);
  for (size_t k = 0; k < 9 * kit.count; ++k) most = max2(most, fabs(gradient[k] - F[k % 9]));
  CHECK(most < 1e-12);
  free(position), free(gradient);
  kit_free(&kit);
}

int main(void) {
  const double turn[9] = {0.0, -1.0, 0.0, 0.6, 0.0, -0.8, 0.8, 0.0, 0.6};
  const double affine[9] = {1.2, 0.1, 0.0, -0.2, 0.9, 0.3, 0.1, 0.0, 1.1};
  const double flat[9] = {0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0};
  check_gradients(4, turn), check_gradients(4, affine);
  check_gradients(1, flat), check_gradients(1, turn);
  return test_end();
}
