// The hand takes hold: see command_act.h, and matter/hand.h for what it does in a step.
#include <math.h>

#include "commands/command_act.h"
#include "geom/triple.h"

enum { AT = 0, TO = 3, RADIUS = 6, STIFFNESS = 7 };

// Where it holds, and pulls to.
static mote_result find_ends(mote_world *world, mote_resolved_command *resolved, double at[3], double to[3],
                             mote_error *error) {
  const double *value = resolved->command->value;
  bool anew = !isnan(value[AT]);
  mote_hand_state now = {.holds = MOTE_HOLDS_NOTHING};
  if (anew) {
    resolved->grip = mote_hand_seek(world, value + AT, value[RADIUS]);
    if (resolved->grip.holds == MOTE_HOLDS_NOTHING)
      return mote_fail_key(error, "at", "nothing that moves is within %g m", value[RADIUS]);
    copy3(value + AT, at);
  } else {
    if (!mote_hand_read(world, &now))
      return mote_fail_key(error, "at", "the hand holds nothing: it needs a point where to take hold");
    copy3(now.at, at);
  }
  copy3(!isnan(value[TO]) ? value + TO : anew ? at : now.to, to);
  return MOTE_OK;
}

mote_result mote_command_check_hand(mote_world *world, mote_resolved_command *resolved, mote_error *error) {
  const double *value = resolved->command->value;
  double at[3], to[3], gap[3];
  MOTE_TRY(mote_command_check_flat(world, value + AT, "at", false, error));
  MOTE_TRY(mote_command_check_flat(world, value + TO, "to", false, error));
  if (value[STIFFNESS] == 0.0) return MOTE_OK;
  if (!isnan(value[AT]) && isnan(value[RADIUS]))
    return mote_fail_key(error, "radius", "is missing: how far from the point the hand reaches");
  MOTE_TRY(find_ends(world, resolved, at, to, error));
  mote_domain_difference(&world->domain, to, at, gap);
  resolved->speed = sqrt(value[STIFFNESS]) * length3(gap);
  return mote_command_check_speed(resolved, "to", error);
}

mote_result mote_command_move_hand(mote_world *world, const mote_resolved_command *resolved,
                                   mote_error *error) {
  if (resolved->command->value[STIFFNESS] == 0.0) return mote_hand_let_go(world), MOTE_OK;
  if (isnan(resolved->command->value[AT])) return MOTE_OK;
  return mote_hand_take(world, &resolved->grip, error);
}
