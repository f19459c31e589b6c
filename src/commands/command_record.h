// Executed commands in their order (mote/steer.h): two tables of the state, which a world gets with its first
// command. All lasting effects are computed from this record.
#ifndef MOTE_COMMAND_RECORD_H
#define MOTE_COMMAND_RECORD_H

#include <mote/steer.h>

#include "state/snapshot_head.h"
#include "state/state.h"

// clang-format off
//  index                   name        type  group kept          unit   written by  what
#define MOTE_COMMAND_TABLE_FIELDS(F) \
  F(MOTE_RECORDED_STEP,       "step",      U64, 1,  ALL, REQUIRED, 0, "1",   "commands", "steps that were done when it took effect") \
  F(MOTE_RECORDED_TIME,       "time",      F64, 1,  ALL, REQUIRED, 0, "s",   "commands", "the time then") \
  F(MOTE_RECORDED_KIND,       "kind",      U32, 1,  ALL, REQUIRED, 0, "1",   "commands", "mote_command_kind") \
  F(MOTE_RECORDED_TARGET,     "target",    U8,  64, ALL, REQUIRED, 0, "1",   "commands", "name of the collider, emitter, body or value of a material") \
  F(MOTE_RECORDED_VALUE,      "value",     F64, 10, ALL, REQUIRED, 0, "1",   "commands", "its numbers; NaN where it has none") \
  F(MOTE_RECORDED_FIELD,      "field",     U8,  1,  ALL, REQUIRED, 0, "1",   "commands", "of particles: 0 velocity, 1 position") \
  F(MOTE_RECORDED_PARTICLES,  "particles", U64, 1,  ALL, REQUIRED, 0, "1",   "commands", "its rows of command_particles, behind those of earlier ones") \
  F(MOTE_RECORDED_SPEED,      "speed",     F64, 1,  ALL, REQUIRED, 0, "m/s", "commands", "that it can bring about: for the watchdog")

#define MOTE_COMMAND_PARTICLE_FIELDS(F) \
  F(MOTE_RECORDED_PARTICLE,   "particle",  U64, 1,  ALL, REQUIRED, 0, "1",   "commands", "id") \
  F(MOTE_RECORDED_GIVEN,      "given",     F64, 3,  ALL, REQUIRED, 0, "1",   "commands", "what its field was set to")
// clang-format on

enum { MOTE_COMMAND_TABLE_FIELDS(MOTE_FIELD_INDEX) MOTE_RECORDED_FIELD_COUNT };
enum { MOTE_COMMAND_PARTICLE_FIELDS(MOTE_FIELD_INDEX) MOTE_RECORDED_PARTICLE_FIELD_COUNT };

extern const mote_table mote_command_table, mote_command_particle_table;

// Number of commands, and the k-th.
size_t mote_commands_count(const mote_state *state);
mote_command mote_commands_at(const mote_state *state, size_t k);
// The speed recorded with the k-th.
double mote_commands_speed(const mote_state *state, size_t k);

// Adds a command at the state's step and time; registers the tables if they are missing.
mote_result mote_commands_add(mote_state *state, const mote_command *command, double speed,
                              mote_error *error);
// Removes the last one.
void mote_commands_undo(mote_state *state);

// Registers the tables if a snapshot lists them.
mote_result mote_commands_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error);
// Whether the commands of a loaded state are valid.
bool mote_commands_possible(const mote_state *state);

#endif
