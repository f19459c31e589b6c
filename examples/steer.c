// Steers a scene while it runs, as a game or a lesson would: a paddle follows a "hand", the tank is tilted,
// the tap is turned off, what a ray meets is struck. The commands are recorded, and replay to the same bits:
//
//   steer steer.yaml record.jsonl          prints the hash of the final state
//   mote run steer.yaml --commands record.jsonl          ends with the same
//
// Compile it with: cc steer.c $(pkg-config --cflags --libs mote-io mote)
#include <mote/io.h>
#include <mote/mote.h>
#include <stdio.h>

// Where the hand holds the paddle at this time: m from where it was defined, and its turn.
static void hand(double time, double move[3], double turn[3]) {
  move[0] = 0.4 * mote_sin(5 * time), move[1] = 0.1 * time, move[2] = 0;
  turn[0] = turn[1] = 0, turn[2] = 0.5 * mote_sin(3 * time);
}

// Strikes what a ray from above meets first: a body whole, a particle alone.
static mote_result strike(mote_world *world, double x, mote_error *error) {
  const double from[3] = {x, 1.15, 0}, down[3] = {0, -1, 0}, impulse[3] = {4, 10, 0}, up[3] = {0, 2, 0};
  mote_pick pick;
  mote_result result = mote_world_pick(world, from, down, &pick, error);
  if (result) return result;
  printf("at %.2f s, x = %g: %s, %.2f m below\n", mote_world_time(world), x,
         pick.kind == MOTE_PICK_PARTICLE ? "a particle"
         : pick.kind == MOTE_PICK_BODY   ? "a rigid body"
                                         : "nothing to strike",
         pick.distance);
  if (pick.kind == MOTE_PICK_BODY)
    return mote_world_add_impulse(world, pick.body, impulse, pick.position, error);
  if (pick.kind == MOTE_PICK_PARTICLE)
    return mote_world_set_field(world, "velocity", &pick.particle, up, 1, error);
  return MOTE_OK;
}

// What the user does before frame n.
static mote_result steer(mote_world *world, size_t n, double seconds, mote_error *error) {
  double move[3], turn[3];
  const double tilted[3] = {3, -9, 0}, straight[3] = {0, -9.81, 0}, pull[3] = {0, 40, 0}, none[3] = {0, 0, 0};
  hand(mote_world_time(world) + seconds, move, turn);
  mote_result result =
      mote_world_move_collider(world, mote_world_find_collider(world, "paddle"), move, turn, seconds, error);
  if (!result && n == 10) result = mote_world_set_gravity(world, tilted, error);
  if (!result && n == 18) result = mote_world_set_gravity(world, straight, error);
  if (!result && n == 14)
    result = mote_world_set_emitter_speed(world, mote_world_find_emitter(world, "tap"), 0, error);
  if (!result && (n == 6 || n == 20)) result = strike(world, n == 6 ? 0.4 : 1.5, error);
  if (!result && (n == 22 || n == 28))
    result = mote_world_set_force(world, mote_world_find_body(world, "ball"), n == 22 ? pull : none, error);
  if (!result && n == 32) result = mote_world_remove_body(world, mote_world_find_body(world, "ball"), error);
  return result;
}

int main(int count, char **word) {
  mote_error error = {0};
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  if (count != 3) return fprintf(stderr, "usage: steer SCENE RECORD\n"), 2;
  mote_result result = mote_scene_read(word[1], NULL, 0, NULL, &file, &error);
  if (result) return fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.text), 1;
  const mote_scene *scene = mote_scene_file_scene(file);
  result = mote_world_create_scene(scene, NULL, &world, &error);
  // Frame 1 is at time 0; frames end when those of mote run do.
  for (size_t n = 2; !result && n <= mote_scene_frames(scene); ++n) {
    double until = mote_scene_frame_time(scene, n);
    result = steer(world, n, until - mote_world_time(world), &error);
    if (!result) result = mote_world_advance(world, until, &error);
    if (!result) result = mote_world_begin_frame(world, &error);
  }
  if (!result) result = mote_commands_write_world(world, word[2], &error);
  if (result) fprintf(stderr, "%s: %s\n", error.key, error.text);
  if (!result)
    printf("%zu commands, state %016llx\n", mote_world_commands(world),
           (unsigned long long)mote_world_hash(world));
  mote_world_destroy(world);
  mote_scene_file_destroy(file);
  return result != MOTE_OK;
}
