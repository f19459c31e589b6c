// A scene that is moved by 100 km has the same densities and nearly the same motion. Positions there are
// multiples of 2^-36 m, about 1.5e-11 m: that is what the worlds may differ by at first, and chaos makes it
// more.
#include "test.h"
#include "world_kit.h"

static mote_world *dam_at(double x, double y, double z, int dimensions) {
  world_kit kit;
  world_kit_dam(&kit, dimensions, 0.0625);
  const double by[3] = {x, y, z};
  for (int a = 0; a < dimensions; ++a) {
    kit.scene.world.low[a] += by[a], kit.scene.world.high[a] += by[a];
    kit.body[0].shape.low[a] += by[a], kit.body[0].shape.high[a] += by[a];
  }
  return world_kit_create(&kit, NULL);
}

static size_t row_of(const mote_world *world, uint64_t id) {
  const uint64_t *ids = mote_world_view(world, "id").data;
  size_t row = 0;
  while (ids[row] != id) ++row;
  return row;
}

// The largest differences of densities (relative) and of positions (m) by id.
static void compare(const mote_world *a, const mote_world *b, const double by[3], double *density,
                    double *place) {
  const float *da = mote_world_view(a, "density").data, *db = mote_world_view(b, "density").data;
  const double *xa = mote_world_view(a, "position").data, *xb = mote_world_view(b, "position").data;
  *density = *place = 0.0;
  for (uint64_t id = 0; id < mote_world_particles(a); ++id) {
    size_t i = row_of(a, id), j = row_of(b, id);
    *density = fmax(*density, fabs((double)(da[i] / db[j]) - 1.0));
    for (int k = 0; k < 3; ++k) *place = fmax(*place, fabs(xb[3 * j + k] - by[k] - xa[3 * i + k]));
  }
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    const double by[3] = {1e5, -1e5, dimensions == 2 ? 0.0 : 7e4};
    mote_world *here = dam_at(0.0, 0.0, 0.0, dimensions), *there = dam_at(by[0], by[1], by[2], dimensions);
    double density, place;
    CHECK(mote_world_particles(here) == mote_world_particles(there));
    compare(here, there, by, &density, &place);
    CHECK(density < 1e-6 && place < 3e-11);
    for (int frame = 1; frame <= 5; ++frame) {
      CHECK(mote_world_advance(here, frame / 25.0, NULL) == MOTE_OK);
      CHECK(mote_world_advance(there, frame / 25.0, NULL) == MOTE_OK);
    }
    compare(here, there, by, &density, &place);
    CHECK(mote_world_steps(here) == mote_world_steps(there));
    CHECK(density < 1e-3 && place < 1e-3 * 0.0625);
    mote_world_destroy(here);
    mote_world_destroy(there);
  }
  return test_end();
}
