// A body that waits comes: see command_act.h, and matter/waiting.h for how it is kept.
#include <math.h>

#include "commands/command_act.h"
#include "geom/triple.h"
#include "matter/waiting.h"

enum { MOVE = 0, VELOCITY = 3 };

static void find_move(const mote_command *command, double move[3]) {
  for (int a = 0; a < 3; ++a) move[a] = isnan(command->value[MOVE + a]) ? 0.0 : command->value[MOVE + a];
}

mote_result mote_command_check_addition(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error) {
  const double *value = resolved->command->value;
  const mote_body_item *item = mote_body_at(world, resolved->place);
  double move[3];
  if (item->waiting == NULL)
    return mote_fail_key(error, "body", "\"%s\" does not wait: the scene says so with waits: true",
                         item->name);
  if (mote_waiting_is_there(world, resolved->place))
    return mote_fail_key(error, "body", "\"%s\" is there already", item->name);
  MOTE_TRY(mote_command_check_flat(world, value + MOVE, "move", false, error));
  MOTE_TRY(mote_command_check_flat(world, value + VELOCITY, "velocity", false, error));
  resolved->speed = item->speed + (isnan(value[VELOCITY]) ? 0.0 : length3(value + VELOCITY));
  MOTE_TRY(mote_command_check_speed(resolved, "velocity", error));
  find_move(resolved->command, move);
  return mote_waiting_check(world, resolved->place, move, error);
}

mote_result mote_command_add_body(mote_world *world, const mote_resolved_command *resolved,
                                  mote_error *error) {
  const double *velocity = resolved->command->value + VELOCITY;
  double move[3];
  find_move(resolved->command, move);
  return mote_waiting_return(world, resolved->place, move, isnan(velocity[0]) ? NULL : velocity, error);
}
