// A program of someone who installed Mote: the ten lines of the README.
#include <mote/mote.h>
#include <stdio.h>

int main(void) {
  double point[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, at[] = {0.5, 0.25, 0}, f[] = {0, 1, 2, 3}, value;
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(2), def.order = 1, def.position = point, def.count = 4,
  def.uniform_radius = 2;
  mote_mls *mls;
  mote_mls_shapes *shapes;
  mote_error error;
  if (mote_mls_create(&def, NULL, &mls, &error) ||
      mote_mls_shapes_create(mls, at, 1, 0, NULL, &shapes, &error) ||
      mote_mls_apply(shapes, f, 1, &value, NULL, NULL, &error)) {
    return fprintf(stderr, "%s\n", error.text), 1;
  }
  printf("f(0.5, 0.25) = %g\n", value);  // f = x + 2y, so 1
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  return value > 0.999999 && value < 1.000001 ? 0 : 1;
}
