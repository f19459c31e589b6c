// Checks of commands against the world, and impulses: see command_act.h.
#include <math.h>

#include "commands/command_act.h"
#include "geom/triple.h"
#include "matter/body_forces.h"
#include "matter/collider_images.h"
#include "matter/colliders.h"

#define TURN_POSES 64    // poses of a turn that are looked at
#define SPEED_HUGE 1e30  // range: m/s, nothing is faster, as in definitions
#define TURN_MOST 1e6    // range: rad, beyond this angles lose their digits

// --- Numbers ------------------------------------------------------------------------------------------

mote_result mote_command_check_flat(const mote_world *world, const double x[3], const char *key, bool turns,
                                    mote_error *error) {
  if (world->def.dimensions == 3 || isnan(x[0])) return MOTE_OK;
  if (turns && (x[0] != 0.0 || x[1] != 0.0)) return mote_fail_key(error, key, "in 2D all turns are about z");
  if (!turns && x[2] != 0.0) return mote_fail_key(error, key, "in 2D it has no part along z");
  return MOTE_OK;
}

mote_result mote_command_check_speed(const mote_resolved_command *resolved, const char *key,
                                     mote_error *error) {
  if (resolved->speed <= SPEED_HUGE) return MOTE_OK;
  return mote_fail_key(error, key, "would make \"%s\" %g m/s fast", resolved->command->target,
                       resolved->speed);
}

// Speed after a fall through the extent of all matter at this acceleration, m/s.
static double fall_speed(const mote_world *world, const double acceleration[3]) {
  return sqrt(2.0 * mote_world_fall(world, acceleration));
}

mote_result mote_command_check_gravity(mote_world *world, mote_resolved_command *resolved,
                                       mote_error *error) {
  resolved->speed = fall_speed(world, resolved->command->value);
  return mote_command_check_flat(world, resolved->command->value, "gravity", false, error);
}

// --- Colliders ----------------------------------------------------------------------------------------

// With periodic sides a rotating collider must not become longer than a period.
static mote_result check_turns(mote_world *world, const mote_collider_item *item, const mote_motion_leg *leg,
                               mote_error *error) {
  double spin = length3(leg->spin);
  if (spin == 0.0) return MOTE_OK;
  double seconds = min2(leg->end - leg->begin, 2.0 * MOTE_PI / spin);
  for (int k = 0; k <= TURN_POSES; ++k) {
    mote_pose pose = mote_motion_leg_at(leg, leg->begin + seconds * k / TURN_POSES);
    mote_result result = mote_collider_check_pose(world, item, &pose, error);
    if (result != MOTE_OK) return result;
  }
  return MOTE_OK;
}

// Speed of its fastest point; an error if the smallest step cannot resolve it.
static mote_result check_leg(mote_world *world, mote_resolved_command *resolved, const mote_motion_leg *leg,
                             const char *key, mote_error *error) {
  mote_collider_item item = *mote_collider_at(world, resolved->place);
  double spin = length3(leg->spin), low[3], high[3], reach = 0.0;
  mote_shape_bounds(item.shape, low, high);
  for (int corner = 0; corner < 8; ++corner) {
    double arm[3];
    for (int a = 0; a < 3; ++a) {
      arm[a] = (corner >> a & 1 ? high[a] : low[a]) - leg->from.pivot[a];
      if (!isfinite(arm[a])) arm[a] = 0.0;
    }
    reach = max2(reach, length3(arm));
  }
  resolved->speed = length3(leg->velocity) + spin * reach;
  double most = world->def.solver.cfl * world->def.spacing / world->def.solver.step_min;
  if (!(resolved->speed <= most))
    return mote_fail_key(
        error, key,
        "\"%s\" would move at %.3g m/s, and the shortest step can follow %.3g m/s: a collider "
        "does not jump",
        item.name, resolved->speed, most);
  return check_turns(world, &item, leg, error);
}

mote_result mote_command_check_velocity(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error) {
  const double *v = resolved->command->value, *w = v + 3;
  MOTE_TRY(mote_command_check_flat(world, v, "velocity", false, error));
  MOTE_TRY(mote_command_check_flat(world, w, "spin", true, error));
  const mote_collider_item *item = mote_collider_at(world, resolved->place);
  mote_motion_leg leg = mote_motion_plan(item->motion, resolved->command, mote_world_time(world));
  return check_leg(world, resolved, &leg, isnan(w[0]) ? "velocity" : "spin", error);
}

mote_result mote_command_check_pose(mote_world *world, mote_resolved_command *resolved, mote_error *error) {
  const double *move = resolved->command->value, *turn = move + 3;
  MOTE_TRY(mote_command_check_flat(world, move, "move", false, error));
  MOTE_TRY(mote_command_check_flat(world, turn, "turn", true, error));
  if (!isnan(turn[0]) && length3(turn) > TURN_MOST)
    return mote_fail_key(error, "turn", "must be an angle of at most %g rad", TURN_MOST);
  double now = mote_world_time(world);
  if (!(now + resolved->command->value[6] > now))
    return mote_fail_key(error, "seconds", "%g s are below the resolution of the time",
                         resolved->command->value[6]);
  mote_motion_leg leg =
      mote_motion_plan(mote_collider_at(world, resolved->place)->motion, resolved->command, now);
  return check_leg(world, resolved, &leg, "seconds", error);
}

// --- Forces and impulses ------------------------------------------------------------------------------

// Mass of its movable part, kg.
static mote_result check_pushed(mote_world *world, const mote_resolved_command *resolved, const char *key,
                                double *mass, mote_error *error) {
  MOTE_TRY(mote_command_check_flat(world, resolved->command->value, key, false, error));
  *mass = mote_bodies_mass_of(world, &resolved->body);
  const mote_kind_row *row = mote_kind_row_of(world, resolved->at.kind);
  if (row->is_fixed != NULL && row->is_fixed(world, resolved->at.row))
    return mote_fail_key(error, "body", "\"%s\" is fixed", resolved->command->target);
  return MOTE_OK;
}

mote_result mote_command_check_force(mote_world *world, mote_resolved_command *resolved, mote_error *error) {
  double mass, a[3];
  MOTE_TRY(check_pushed(world, resolved, "force", &mass, error));
  for (int k = 0; k < 3; ++k) a[k] = mass > 0.0 ? resolved->command->value[k] / mass : 0.0;
  resolved->speed = fall_speed(world, a);
  return MOTE_OK;
}

mote_result mote_command_check_impulse(mote_world *world, mote_resolved_command *resolved,
                                       mote_error *error) {
  double mass;
  const double *at = resolved->command->value + 3;
  MOTE_TRY(check_pushed(world, resolved, "impulse", &mass, error));
  MOTE_TRY(mote_command_check_flat(world, at, "at", false, error));
  if (!isnan(at[0]) && mote_kind_row_of(world, resolved->at.kind)->strike == NULL)
    return mote_fail_key(error, "at", "\"%s\" is not rigid: an impulse acts on all of it",
                         resolved->command->target);
  if (!(mass > 0.0))
    return mote_fail_key(error, "body", "\"%s\" has no particles", resolved->command->target);
  resolved->speed = length3(resolved->command->value) / mass;
  return mote_command_check_speed(resolved, "impulse", error);
}

mote_result mote_command_impulse(mote_world *world, const mote_resolved_command *resolved,
                                 mote_error *error) {
  (void)error;
  const double *J = resolved->command->value;
  mote_body_strike(world, &resolved->body, J, isnan(J[3]) ? NULL : J + 3);
  return MOTE_OK;
}
