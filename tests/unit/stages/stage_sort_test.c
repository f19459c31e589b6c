// The order of rows: that of the search's cells, so that the grid has nothing to sort.
#include "matter/world_data.h"
#include "search/grid.h"
#include "test.h"
#include "world_kit.h"

// Steps end with motion: the world is measured again, which orders and searches.
static void rows_lie_as_the_grid_sorts_them(int dimensions, bool periodic) {
  world_kit kit;
  world_kit_tank(&kit, dimensions, 0.04);
  world_kit_body(&kit, "dam", mote_shape_def_box(0.13, 0.0, 0.07, 0.7, 0.6, 0.5));
  if (periodic) {
    for (int a = 0; a < 3; a += 2) {
      kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_PERIODIC;
    }
  }
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals totals;
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  size_t count = mote_world_particles(world), same = 0;
  const uint32_t *order = mote_grid_order(world->grid);
  for (size_t k = 0; k < count; ++k) same += order[k] == k;
  CHECK(count > 50 && same == count);
  CHECK(world->grid->cells.key == NULL && world->grid->cells.position == NULL);  // not sorted, not copied
  mote_world_destroy(world);
}

int main(void) {
  rows_lie_as_the_grid_sorts_them(2, false);
  rows_lie_as_the_grid_sorts_them(3, false);
  rows_lie_as_the_grid_sorts_them(2, true);
  rows_lie_as_the_grid_sorts_them(3, true);
  return test_end();
}
