// Blocks near the surface give the same mesh, bit by bit, as all blocks: for all methods, sets with holes,
// sheets, threads and heaps, fine and coarse cells, cut or not.
#include "field_kit.h"
#include "test.h"

static void compare(const mote_surface_def *def, const field_kit_set *set, double least_saving) {
  field_kit_result sparse = field_kit_mesh(def, set, false, NULL), all = field_kit_mesh(def, set, true, NULL);
  CHECK(sparse.result == MOTE_OK && all.result == MOTE_OK);
  bool same = CHECK(field_kit_same_mesh(&sparse.mesh, &all.mesh));
  if (!same) {
    fprintf(stderr, "  %s, cell %g: %zu of %zu blocks, %zu against %zu vertices\n",
            mote_surface_method_name(def->method), def->cell, sparse.blocks, all.blocks, sparse.mesh.vertices,
            all.mesh.vertices);
  }
  CHECK(all.mesh.triangles > 0);
  if (!CHECK((double)sparse.blocks <= (1.0 - least_saving) * (double)all.blocks)) {
    fprintf(stderr, "  %zu of %zu blocks\n", sparse.blocks, all.blocks);
  }
  mote_mesh_free(&sparse.mesh, NULL);
  mote_mesh_free(&all.mesh, NULL);
}

static void test_methods(void) {
  for (uint64_t seed = TEST_SHORT ? 3 : 1; seed <= 3; ++seed) {
    field_kit_set set = field_kit_everything(seed, 0.05 * (double)seed);
    for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
      mote_surface_def def = mote_surface_def_default();
      def.method = (mote_surface_method)m;
      def.cell = seed == 1 ? 0.31 : seed == 2 ? 0.5 : 0.9;
      compare(&def, &set, 0.0);
      def.clip_low[1] = 5.3;
      def.clip_high[0] = 30.2;
      compare(&def, &set, 0.0);
    }
    free(set.x);
  }
}

// Cells larger than kernels, where a field falls from inside to nothing within one.
static void test_coarse(void) {
  field_kit_set set = field_kit_everything(5, 0.1);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = mote_surface_def_default();
    def.method = (mote_surface_method)m;
    def.cell = 2.7;
    compare(&def, &set, 0.0);
  }
  free(set.x);
}

// A block that is large against its skin: the inside is not evaluated.
static void test_saving(void) {
  field_kit_set set = field_kit_begin();
  field_kit_block(&set, (double[3]){0, 0, 0}, (int[3]){33, 33, 33}, 3, 0.12);
  mote_surface_def def = mote_surface_def_default();
  def.method = MOTE_SURFACE_DENSITY;
  def.cell = 0.25;
  compare(&def, &set, 0.4);
  free(set.x);
}

int main(void) {
  test_methods();
  test_coarse();
  test_saving();
  return test_end();
}
