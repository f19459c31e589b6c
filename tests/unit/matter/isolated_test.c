// How fluid bodies are filled whose definition leaves it open: relaxed where they are isolated, cubic
// elsewhere. Relaxed ones are settled: none of their particles is compressed, so they do not swell.
#include "matter/isolated.h"

#include "matter/items.h"
#include "test.h"
#include "world_kit.h"

#define D 0.04

// An open world of 2 m with water; a ball of 5 spacings in its middle.
static void empty_space(world_kit *kit, int dimensions) {
  world_kit_tank(kit, dimensions, D);
  for (int a = 0; a < 3; ++a) {
    kit->scene.world.low[a] = -1.0, kit->scene.world.high[a] = 1.0;
    kit->scene.world.side[a][0] = kit->scene.world.side[a][1] = MOTE_SIDE_OPEN;
  }
}
static mote_body_def *ball_at(world_kit *kit, const char *name, double x) {
  return world_kit_body(kit, name, mote_shape_def_sphere(x, 0.0, 0.0, 5 * D));
}

// Particles on a square lattice share their coordinates with many others.
static bool is_lattice(const mote_world *world, const char *name) {
  const mote_store *store = mote_world_store(world);
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  const uint32_t *body = mote_store_u32(store, MOTE_PARTICLE_BODY);
  const mote_body_item *item = mote_body_at(world, mote_items_find(world, MOTE_ITEM_BODY, name));
  size_t count = 0, shared = 0;
  for (size_t i = 0; i < mote_world_fluid_rows(world); ++i) {
    if (body[i] != item->id + 1) continue;
    size_t same = 0;
    for (size_t j = 0; j < mote_world_fluid_rows(world); ++j)
      same += j != i && body[j] == body[i] && fabs(x[3 * i] - x[3 * j]) < 1e-9;
    ++count, shared += same > 0;
  }
  CHECK(count > 0);
  CHECK(shared == 0 || shared == count);
  return shared > 0;
}

static bool begins_as_lattice(const world_kit *kit, const char *name) {
  mote_world *world = world_kit_create(kit, NULL);
  bool lattice = is_lattice(world, name);
  mote_world_destroy(world);
  return lattice;
}

static void alone(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (int solver = 0; solver < MOTE_PRESSURE_KINDS; ++solver) {
      world_kit kit;
      empty_space(&kit, dimensions);
      kit.scene.world.solver.pressure = (mote_pressure_kind)solver;
      ball_at(&kit, "drop", 0.0);
      CHECK(!begins_as_lattice(&kit, "drop"));
    }
  }
}

static void as_defined(void) {
  world_kit kit;
  empty_space(&kit, 3);
  ball_at(&kit, "drop", 0.0)->fill = MOTE_FILL_CUBIC;
  CHECK(begins_as_lattice(&kit, "drop"));
  kit.body[0].fill = MOTE_FILL_RELAXED, kit.scene.world.side[1][0] = MOTE_SIDE_WALL;
  kit.body[0].shape.centre[1] = -1.0 + 5 * D;
  CHECK(!begins_as_lattice(&kit, "drop"));
}

static void at_walls(void) {
  for (int gap = 0; gap <= 2; ++gap) {  // particles are half a spacing inside
    world_kit kit;
    empty_space(&kit, 3);
    kit.scene.world.side[1][0] = MOTE_SIDE_WALL;
    ball_at(&kit, "drop", 0.0)->shape.centre[1] = -1.0 + (5 + gap) * D;
    CHECK(begins_as_lattice(&kit, "drop") == (gap == 0));
    kit.scene.world.side[1][0] = MOTE_SIDE_OPEN;  // it may be cut off: nothing is there
    CHECK(!begins_as_lattice(&kit, "drop"));
  }
}

static void at_colliders(void) {
  for (int gap = 0; gap <= 2; ++gap) {
    world_kit kit;
    empty_space(&kit, 3);
    kit.collider[0] = mote_collider_def_default();
    kit.collider[0].name = "plate";
    kit.collider[0].shape = mote_shape_def_box(-0.5, -0.9, -0.5, 0.5, -0.8, 0.5);
    kit.collider[0].motion.move.y.constant = 0.8 - (5 + gap) * D;  // where it is at the beginning
    kit.scene.colliders = 1;
    ball_at(&kit, "drop", 0.0);
    CHECK(begins_as_lattice(&kit, "drop") == (gap == 0));
  }
}

// Boxes of other bodies, which stand before or after it in the scene; a fluid as well as a solid.
static void at_bodies(void) {
  for (int order = 0; order < 2; ++order) {
    for (int solid = 0; solid < 2; ++solid) {
      for (int gap = 0; gap <= 2; gap += 2) {
        world_kit kit;
        empty_space(&kit, 3);
        kit.material[1] = mote_material_def_default();
        kit.material[1].name = "wood", kit.material[1].density = 600.0;
        if (solid == 1) kit.material[1].model = MOTE_KIND_RIGID;
        kit.scene.materials = 2;
        if (order == 0) ball_at(&kit, "drop", 0.0);
        ball_at(&kit, "other", (10 + gap) * D)->material = "wood";
        if (order == 1) ball_at(&kit, "drop", 0.0);
        CHECK(begins_as_lattice(&kit, "drop") == (gap == 0));
      }
    }
  }
}

static void across_periods(void) {
  for (int gap = 0; gap <= 2; gap += 2) {
    world_kit kit;
    empty_space(&kit, 2);
    kit.scene.world.low[0] = -(5 + 0.5 * gap) * D, kit.scene.world.high[0] = (5 + 0.5 * gap) * D;
    kit.scene.world.side[0][0] = kit.scene.world.side[0][1] = MOTE_SIDE_PERIODIC;
    ball_at(&kit, "drop", 0.0);
    CHECK(begins_as_lattice(&kit, "drop") == (gap == 0));
  }
}

// Added one by one from C: what is there counts, and after steps the particles where they are.
static void added_later(void) {
  world_kit kit;
  empty_space(&kit, 3);
  ball_at(&kit, "first", 0.0)->velocity = mote_value3_make(0.0, -10.0, 0.0);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.05, NULL) == MOTE_OK);
  mote_body_def next = kit.body[0];
  next.name = "next";  // where the first was
  CHECK(mote_world_add_body(world, &next, NULL, NULL) == MOTE_OK);
  next.name = "beside", next.shape.centre[0] = -10.2 * D;
  CHECK(mote_world_add_body(world, &next, NULL, NULL) == MOTE_OK);
  CHECK(!is_lattice(world, "next"));
  CHECK(is_lattice(world, "beside"));
  mote_world_destroy(world);
}

// Free drops keep their size, whatever they begin from: the mean distance from the middle.
static double size_of(const mote_world *world) {
  const double *x = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  size_t count = mote_world_fluid_rows(world);
  double middle[3] = {0.0, 0.0, 0.0}, sum = 0.0;
  for (size_t i = 0; i < 3 * count; ++i) middle[i % 3] += x[i] / (double)count;
  for (size_t i = 0; i < 3 * count; ++i) sum += (x[i] - middle[i % 3]) * (x[i] - middle[i % 3]);
  return sqrt(sum / (double)count);
}

static void keeps_its_size(int dimensions, mote_pressure_kind solver) {
  world_kit kit;
  empty_space(&kit, dimensions);
  kit.scene.world.solver.pressure = solver;
  kit.scene.world.gravity[1] = 0.0;
  ball_at(&kit, "drop", 0.0)->velocity = mote_value3_make(2.0, 0.0, 0.0);
  mote_world *world = world_kit_create(&kit, NULL);
  mote_totals totals;
  double first = size_of(world), exact = 5 * D * sqrt(dimensions / (dimensions + 2.0));
  CHECK(fabs(first / exact - 1.0) < 0.02);
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  CHECK(totals.compression_max < 1e-3);
  CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK);  // 15 spacings on
  CHECK(fabs(size_of(world) / first - 1.0) < 0.005);
  mote_world_destroy(world);
}

int main(void) {
  alone();
  as_defined();
  at_walls();
  at_colliders();
  at_bodies();
  across_periods();
  added_later();
  for (int solver = 0; solver < MOTE_PRESSURE_KINDS; ++solver) {
    keeps_its_size(2, (mote_pressure_kind)solver);
    keeps_its_size(3, (mote_pressure_kind)solver);
  }
  return test_end();
}
