// Steering a running world between two steps, by a user, a game or a controller. Each change is a command of
// one table (mote_command_kinds). It is checked, then takes effect at the start of the next step; a rejected
// command leaves the world unchanged. Commands are recorded in the world's state with the step and time at
// which they took effect: a world with the same definitions that gets them again at the same steps continues
// bit-identically. docs/steering.md
#ifndef MOTE_STEER_H
#define MOTE_STEER_H

#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Commands by their names ------------------------------------------------------------------------------

// Vectors have three components. In 2D the third component of velocities, positions and forces must be 0, and
// only the third of rotations may be nonzero. All functions fail with ARGUMENT and a message.

MOTE_API mote_result mote_world_set_gravity(mote_world *world, const double gravity[3], mote_error *error);

// Moves a collider from its current pose at this velocity (m/s, of its pivot) and angular velocity (rad/s,
// about its pivot; null: 0), until the next command. Replaces the motion of its definition.
MOTE_API mote_result mote_world_set_collider_velocity(mote_world *world, mote_collider collider,
                                                      const double velocity[3], const double spin[3],
                                                      mote_error *error);
// Moves a collider from its current pose to another, which it reaches after `seconds` > 0 at constant
// velocity and angular velocity, and where it stays. It does not jump: it pushes matter in its path. `move`:
// displacement from the defined position, m; `turn`: rotation from the defined orientation, axis times angle,
// rad. Null: unchanged.
MOTE_API mote_result mote_world_move_collider(mote_world *world, mote_collider collider, const double move[3],
                                              const double turn[3], double seconds, mote_error *error);

// Speed of the flow from now on, m/s, instead of speed, start and end of the definition; 0: no flow.
MOTE_API mote_result mote_world_set_emitter_speed(mote_world *world, mote_emitter emitter, double speed,
                                                  mote_error *error);

// A force on a body, N (2D: per metre of depth), in every step from now on: at the centre of mass of rigid
// bodies, distributed over the particles of other bodies in proportion to mass. Replaces an earlier force; 0:
// none.
MOTE_API mote_result mote_world_set_force(mote_world *world, mote_body body, const double force[3],
                                          mote_error *error);
// An impulse, N s (2D: per metre of depth), once. `at`: a point of a rigid body, m; null: the centre of mass.
MOTE_API mote_result mote_world_add_impulse(mote_world *world, mote_body body, const double impulse[3],
                                            const double at[3], mote_error *error);

// Sets "velocity" (m/s) or "position" (m) of particles, fluid or elastic, three values each. Positions lie in
// the domain and outside of all colliders and rigid bodies.
MOTE_API mote_result mote_world_set_field(mote_world *world, const char *field, const uint64_t *ids,
                                          const double *values, size_t count, mote_error *error);

// Removes a body with all its particles, wall samples and contacts; an elastic body with its fragments, a
// lattice with its melt. For the flow of an emitter: removes its particles; the flow continues.
MOTE_API mote_result mote_world_remove_body(mote_world *world, mote_body body, mote_error *error);
MOTE_API mote_result mote_world_remove_collider(mote_world *world, mote_collider collider, mote_error *error);
// Emitted particles stay.
MOTE_API mote_result mote_world_remove_emitter(mote_world *world, mote_emitter emitter, mote_error *error);

// A hand. It takes hold of what is nearest to the point `at`, m, within `radius`, and pulls it towards `to`
// like a critically damped spring of `stiffness`, 1/s^2, times the mass that it holds, until the next pull or
// for `seconds` (NaN: no end). A rigid body is held at that point, an elastic body or a lattice by the centre
// of mass of its particles within the radius; liquid is not held: all within the radius of `at` is
// accelerated by stiffness (to - at), less towards the edge. at NULL: the hand keeps what it holds, and the
// radius; to NULL: where it takes hold, or the last one. Stiffness 0: it lets go.
MOTE_API mote_result mote_world_pull(mote_world *world, const double at[3], const double to[3], double radius,
                                     double stiffness, double seconds, mote_error *error);
// What it holds: MOTE_HOLDS_NOTHING also where that melted, broke, left or was removed.
typedef enum mote_hold_kind {
  MOTE_HOLDS_NOTHING,
  MOTE_HOLDS_LIQUID,
  MOTE_HOLDS_BODY,      // rigid
  MOTE_HOLDS_PARTICLES  // of an elastic body or a lattice
} mote_hold_kind;
typedef struct mote_hand_state {
  mote_hold_kind holds;
  mote_body body;       // zero: liquid or nothing
  double at[3], to[3];  // where it holds now, and where it pulls that, m
  size_t particles;     // how many it holds
} mote_hand_state;
MOTE_API mote_hand_state mote_world_hand(const mote_world *world);

// A value of a material, in SI, from now on: "honey.viscosity". Keys that may change while a world runs have
// the flag MOTE_KEY_RUNNING (mote/keys.h).
MOTE_API mote_result mote_world_set_material(mote_world *world, const char *path, double value,
                                             mote_error *error);

// Brings a body that waits (mote_body_def.waits), displaced from where it is defined, m (null: not), and with
// this velocity, m/s (null: that of its definition). Liquid in its place is removed; a solid there refuses
// it. Its id and those of its particles are the same whenever it comes; once removed, it may come again.
MOTE_API mote_result mote_world_add_waiting(mote_world *world, const char *body, const double move[3],
                                            const double velocity[3], mote_error *error);

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
  MOTE_COMMAND_PULL,
  MOTE_COMMAND_MATERIAL,
  MOTE_COMMAND_ADD_BODY,
  MOTE_COMMANDS
} mote_command_kind;

typedef enum mote_command_target {
  MOTE_TARGET_NONE,
  MOTE_TARGET_COLLIDER,
  MOTE_TARGET_EMITTER,
  MOTE_TARGET_BODY,
  MOTE_TARGET_PARTICLES,
  MOTE_TARGET_MATERIAL,
  MOTE_TARGET_WAITING  // the name of a body of the definitions, whether it is there or not
} mote_command_target;

#define MOTE_COMMAND_VALUES 10  // numbers of a command, at most
#define MOTE_COMMAND_FIELDS 5   // names of them, at most

// A named number or vector of a command.
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

// The table of all kinds, by which commands are read, written, checked and documented.
MOTE_API const mote_command_about *mote_command_kinds(void);
// "collider", "emitter", "body", "material"; null: the target has no name.
MOTE_API const char *mote_command_target_name(mote_command_target target);
// What stands there, for documents.
MOTE_API const char *mote_command_target_text(mote_command_target target);

typedef struct mote_command {
  mote_command_kind kind;
  // The name of the collider, emitter or body, "NAME.*" for a body with all its pieces; "NAME.KEY" of a
  // material.
  char target[MOTE_BODY_NAME_SIZE];
  double value[MOTE_COMMAND_VALUES];  // as the kind's fields say
  // Of MOTE_COMMAND_FIELD: "velocity" or "position", of these particles, three values each.
  const char *field;
  const uint64_t *id;
  const double *values;
  size_t count;
  // Steps and time, s, at which it took effect. Not read by mote_world_command.
  uint64_t step;
  double time;
} mote_command;

// No target, no values given.
MOTE_API mote_command mote_command_make(mote_command_kind kind);
// Whether all numbers are given and in range, independent of a world; error->key is the wrong field.
MOTE_API mote_result mote_command_check(const mote_command *command, mote_error *error);
// Whether it removes the body of this name, alone or with "NAME.*".
MOTE_API bool mote_command_removes(const mote_command *command, const char *body);
// Whether a body of this definition is there at time t, s, after the commands before that time.
MOTE_API bool mote_body_def_there(const mote_body_def *def, const mote_command *command, size_t commands,
                                  double t);
// Executes a command; error->key is the wrong field, or the kind of the target.
MOTE_API mote_result mote_world_command(mote_world *world, const mote_command *command, mote_error *error);

// Number of commands executed since the beginning, and the k-th of them, whose pointers are valid until the
// world changes; false beyond the last.
MOTE_API size_t mote_world_commands(const mote_world *world);
MOTE_API bool mote_world_command_at(const mote_world *world, size_t k, mote_command *out);

// Pose of a collider of this definition at time t, s, after the commands before that time, in their order, as
// mote_collider_def_pose; *there: whether none of them removed it.
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

// The first hit of a ray; at equal distance particles come first, then the lower id. Walls of the domain are
// ignored; with periodic sides the images within one period around the domain are included. Does not change
// the world.
MOTE_API mote_result mote_world_pick(const mote_world *world, const double origin[3],
                                     const double direction[3], mote_pick *out, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
