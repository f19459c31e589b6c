// Steering a world between two steps: what a user, a game or a controller changes while it runs. Each change
// is a command of one table (mote_command_kinds). It takes effect where it is given, at the start of the next
// step; it is checked first, and a command that is refused leaves the world as it was. Commands are recorded
// in the world's state with the step and time at which they took effect: a world made of the same definitions
// that is given them again at the same steps goes on to the same bits. docs/steering.md
#ifndef MOTE_STEER_H
#define MOTE_STEER_H

#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Commands by their names ------------------------------------------------------------------------------

// Vectors have three components; in 2D the third of forces and the like is 0, and only the third of turns is
// not. All of them fail with ARGUMENT, and say what is wrong.

MOTE_API mote_result mote_world_set_gravity(mote_world *world, const double gravity[3], mote_error *error);

// From where it is, at this velocity (m/s, of its pivot) and spin (rad/s, about its pivot; null: none), until
// the next command. Its own motion has then ended.
MOTE_API mote_result mote_world_set_collider_velocity(mote_world *world, mote_collider collider,
                                                      const double velocity[3], const double spin[3],
                                                      mote_error *error);
// From where it is to another pose, which it reaches after `seconds` > 0 at a constant velocity and spin, and
// where it stays: nothing jumps, and what is in between is pushed. `move`: from where it was defined, m;
// `turn`: from how it was defined, axis times angle, rad. Null: as it is now.
MOTE_API mote_result mote_world_move_collider(mote_world *world, mote_collider collider, const double move[3],
                                              const double turn[3], double seconds, mote_error *error);

// The speed of the flow from now on, m/s, whatever its definition says of speed, start and end; 0: none.
MOTE_API mote_result mote_world_set_emitter_speed(mote_world *world, mote_emitter emitter, double speed,
                                                  mote_error *error);

// A force on a body, N (2D: per metre of depth), in every step from now on, at its centre of mass: on rigid
// bodies, and on particles of fluid and elastic ones in proportion to their masses. Replaces the one before;
// 0: none.
MOTE_API mote_result mote_world_set_force(mote_world *world, mote_body body, const double force[3],
                                          mote_error *error);
// An impulse, N s (2D: per metre of depth), once. `at`: a point of a rigid body, m; null: the centre of mass.
MOTE_API mote_result mote_world_add_impulse(mote_world *world, mote_body body, const double impulse[3],
                                            const double at[3], mote_error *error);

// Sets "velocity" (m/s) or "position" (m) of particles, fluid or elastic, three values each. Positions lie in
// the domain and outside of all colliders and rigid bodies.
MOTE_API mote_result mote_world_set_field(mote_world *world, const char *field, const uint64_t *ids,
                                          const double *values, size_t count, mote_error *error);

// With all its particles, wall samples and contacts. Of an elastic body its parts go with it, of a lattice
// what has melted of it. The flow of an emitter loses its particles, and goes on.
MOTE_API mote_result mote_world_remove_body(mote_world *world, mote_body body, mote_error *error);
MOTE_API mote_result mote_world_remove_collider(mote_world *world, mote_collider collider, mote_error *error);
// What it has emitted stays.
MOTE_API mote_result mote_world_remove_emitter(mote_world *world, mote_emitter emitter, mote_error *error);

MOTE_API mote_emitter mote_world_find_emitter(const mote_world *world, const char *name);

// --- Commands as data -------------------------------------------------------------------------------------

typedef enum mote_command_kind {
  MOTE_COMMAND_GRAVITY,
  MOTE_COMMAND_COLLIDER_VELOCITY,
  MOTE_COMMAND_COLLIDER_POSE,
  MOTE_COMMAND_EMITTER_SPEED,
  MOTE_COMMAND_FORCE,
  MOTE_COMMAND_IMPULSE,
  MOTE_COMMAND_FIELD,
  MOTE_COMMAND_REMOVE_BODY,
  MOTE_COMMAND_REMOVE_COLLIDER,
  MOTE_COMMAND_REMOVE_EMITTER,
  MOTE_COMMANDS
} mote_command_kind;

typedef enum mote_command_target {
  MOTE_TARGET_NONE,
  MOTE_TARGET_COLLIDER,
  MOTE_TARGET_EMITTER,
  MOTE_TARGET_BODY,
  MOTE_TARGET_PARTICLES
} mote_command_target;

#define MOTE_COMMAND_VALUES 8  // numbers of a command, at most
#define MOTE_COMMAND_FIELDS 3  // names of them, at most

// Numbers of a command that have one name.
typedef struct mote_command_field {
  const char *name;  // null: there is none
  const char *unit;
  int components;  // 1 or 3
  int first;       // of mote_command.value
  bool optional;   // NaN where it is not given
  double least;    // it is refused below; with `above` also there
  bool above;
  const char *text;
} mote_command_field;

typedef struct mote_command_about {
  const char *name;
  mote_command_target target;
  mote_command_field field[MOTE_COMMAND_FIELDS];
  const char *text;
} mote_command_about;

// All kinds, by their numbers: what reads, writes, checks and documents commands.
MOTE_API const mote_command_about *mote_command_kinds(void);
// "collider", "emitter", "body"; null: it has no name.
MOTE_API const char *mote_command_target_name(mote_command_target target);

typedef struct mote_command {
  mote_command_kind kind;
  char target[MOTE_BODY_NAME_SIZE];   // the name of the collider, emitter or body
  double value[MOTE_COMMAND_VALUES];  // as the kind's fields say
  // Of MOTE_COMMAND_FIELD: "velocity" or "position", of these particles, three values each.
  const char *field;
  const uint64_t *id;
  const double *values;
  size_t count;
  // When it took effect: after so many steps, at this time, s. Not read where a command is given.
  uint64_t step;
  double time;
} mote_command;

// No target, no values given.
MOTE_API mote_command mote_command_make(mote_command_kind kind);
// Whether all numbers are there and in range, with its field in error->key; without a world.
MOTE_API mote_result mote_command_check(const mote_command *command, mote_error *error);
// Gives a command; error->key is the field that is wrong, or the kind of the target.
MOTE_API mote_result mote_world_command(mote_world *world, const mote_command *command, mote_error *error);

// How many commands have taken effect since the beginning, and the k-th of them, whose pointers are valid
// until the world changes; false beyond the last.
MOTE_API size_t mote_world_commands(const mote_world *world);
MOTE_API bool mote_world_command_at(const mote_world *world, size_t k, mote_command *out);

// Where a collider of this definition is at time t, s, after the commands before that time, in their order,
// as mote_collider_def_pose; *there: whether none of them has removed it.
MOTE_API mote_result mote_collider_def_pose_steered(const mote_collider_def *def, int dimensions,
                                                    const mote_command *command, size_t commands, double t,
                                                    const mote_env *env, mote_pose *out, bool *there,
                                                    mote_error *error);

// --- Picking ----------------------------------------------------------------------------------------------

typedef enum mote_pick_kind {
  MOTE_PICK_NOTHING,
  MOTE_PICK_PARTICLE,  // of a fluid or elastic body: a ball of radius 0.5 spacings, in 3D 0.71
  MOTE_PICK_BODY,      // a rigid body
  MOTE_PICK_COLLIDER
} mote_pick_kind;

typedef struct mote_pick {
  mote_pick_kind kind;
  uint64_t particle;       // its id
  mote_body body;          // that it is or belongs to; zero: none
  mote_collider collider;  // zero: none
  double position[3];      // where the ray meets it, m
  double distance;         // from the origin, m
} mote_pick;

// The first thing that a ray meets: of two at the same distance the particle, of particles the lower id. The
// walls of the domain are not seen; over periodic sides the images of one period around the domain are.
// Does not change the world.
MOTE_API mote_result mote_world_pick(const mote_world *world, const double origin[3],
                                     const double direction[3], mote_pick *out, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
