// What is still to come: meshes, relaxed filling.
#include "geom/shape_fill.h"
#include "geom/shape_shell.h"
mote_result mote_mesh_tree_create(const mote_mesh *mesh, const mote_env *env, mote_mesh_tree **out,
                                  mote_error *error) {
  (void)mesh;
  (void)env;
  (void)out;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "meshes are not there yet");
}
void mote_mesh_tree_destroy(mote_mesh_tree *tree) {
  (void)tree;
}
void mote_mesh_tree_move(mote_mesh_tree *tree, const double frame[9], double scale, const double pivot[3],
                         const double move[3]) {
  (void)tree;
  (void)frame;
  (void)scale;
  (void)pivot;
  (void)move;
}
double mote_mesh_tree_distance(const mote_mesh_tree *tree, const double x[3], double normal[3]) {
  (void)tree;
  (void)x;
  (void)normal;
  return 0;
}
double mote_mesh_tree_meet(const mote_mesh_tree *tree, const double a[3], const double b[3], double from) {
  (void)tree;
  (void)a;
  (void)b;
  (void)from;
  return 2;
}
void mote_mesh_tree_bounds(const mote_mesh_tree *tree, double low[3], double high[3]) {
  (void)tree;
  (void)low;
  (void)high;
}
double mote_mesh_tree_volume(const mote_mesh_tree *tree) {
  (void)tree;
  return 0;
}
mote_result mote_fill_relaxed(const mote_shape *shape, double spacing, uint64_t seed, double wanted,
                              size_t most, const mote_env *env, mote_samples *out, mote_error *error) {
  (void)seed;
  return mote_fill_lattice(shape, spacing, MOTE_FILL_HEXAGONAL, wanted, most, env, out, error);
}
