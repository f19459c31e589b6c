// The same bits with and without room, and for any number of threads, among obstacles that stand and move.
#include "collide_kit.h"

#define COUNT 4000
#define STEPS 60
#define DT 2e-4

static void run(cloud *c, bool with_wall_distance, int threads) {
  mote_shape_def room = mote_shape_def_box(-0.3, -0.3, -0.3, 0.3, 0.3, 0.3);
  room.inverted = true;
  mote_obstacle o[3] = {standing(room, 3), standing(mote_shape_def_sphere(0.1, 0.1, 0.1, 0.08), 3)};
  o[2] = standing(mote_shape_def_box(-0.2, -0.01, -0.1, 0.2, 0.01, 0.1), 3);
  mote_motion_def def = {.axis = {1, 2, 3}, .pivot = {0.05, 0, 0}};
  def.angle.formula = "30*t";
  def.move.y.formula = "-0.1 + 0.05*sin(40*t)";
  mote_motion *motion = NULL;
  CHECK(mote_motion_create(&def, o[2].shape, 3, NULL, &motion, NULL) == MOTE_OK);
  mote_pose after = mote_motion_at(motion, 0.0);
  o[2] = mote_obstacle_posed(o[2].shape, &after, &after, DT);
  cloud_place(c, o, 3, (double[3]){-0.3, -0.3, -0.3}, (double[3]){0.3, 0.3, 0.3}, NULL, 1);
  for (int step = 0; step < STEPS; ++step) {
    if (step % 20 == 0) cloud_shoot(c, (uint64_t)step);
    o[2].pose = mote_motion_at(motion, step * DT);
    o[2].after = mote_motion_at(motion, (step + 1) * DT);
    if (!with_wall_distance) memset(c->wall_distance, 0, c->count * sizeof *c->wall_distance);
    cloud_step(c, o, 3, NULL, DT, threads);
  }
  mote_motion_destroy(motion);
  obstacles_free(o, 3);
}

static void compare(const cloud *a, const cloud *b) {
  CHECK(memcmp(a->position, b->position, 3 * COUNT * sizeof *a->position) == 0);
  CHECK(memcmp(a->velocity, b->velocity, 3 * COUNT * sizeof *a->velocity) == 0);
}

int main(void) {
  cloud first = cloud_make(COUNT, 3), other = cloud_make(COUNT, 3);
  run(&first, true, 1);
  run(&other, false, 1);
  compare(&first, &other);
  static const int threads[] = {2, 7};
  for (int k = 0; k < 2; ++k) {
    memset(other.wall_distance, 0, COUNT * sizeof *other.wall_distance);
    run(&other, true, threads[k]);
    compare(&first, &other);
  }
  cloud_free(&first);
  cloud_free(&other);
  return test_end();
}
