// The table of commands (mote/steer.h): names, targets, numbers and their checks. The reader and the writer
// of commands, the world that carries them out and docs/steering.md are made from it.
#include <math.h>
#include <mote/steer.h>
#include <string.h>

#include "base/check.h"

#define HUGE_VALUE 1e12  // range: numbers beyond this are refused, as in scenes

#define NUMBER(name, unit, first, least, above, text) \
  { name, unit, 1, first, false, least, above, text }
#define VECTOR(name, unit, first, text) \
  { name, unit, 3, first, false, -HUGE_VAL, false, text }
#define OPTION(name, unit, first, text) \
  { name, unit, 3, first, true, -HUGE_VAL, false, text }
#define OPTION_NUMBER(name, unit, first, text) \
  { name, unit, 1, first, true, 0.0, true, text }

static const mote_command_about kinds[MOTE_COMMANDS] = {
    [MOTE_COMMAND_GRAVITY] = {"gravity",
                              MOTE_TARGET_NONE,
                              {VECTOR("gravity", "m/s^2", 0, "acceleration of all movable matter")},
                              "sets gravity"},
    [MOTE_COMMAND_COLLIDER_VELOCITY] =
        {"collider_velocity",
         MOTE_TARGET_COLLIDER,
         {VECTOR("velocity", "m/s", 0, "velocity of its pivot"),
          OPTION("spin", "rad/s", 3, "angular velocity about its pivot; default 0")},
         "moves a collider at a constant velocity from its current pose, until the next command"},
    [MOTE_COMMAND_COLLIDER_POSE] =
        {"collider_pose",
         MOTE_TARGET_COLLIDER,
         {OPTION("move", "m", 0, "displacement from the defined position; default: the current one"),
          OPTION("turn", "rad", 3, "axis times angle from the defined orientation; default: the current one"),
          NUMBER("seconds", "s", 6, 0.0, true, "duration of the motion")},
         "moves a collider at a constant velocity to a pose, where it then stays"},
    [MOTE_COMMAND_EMITTER_SPEED] = {"emitter_speed",
                                    MOTE_TARGET_EMITTER,
                                    {NUMBER("speed", "m/s", 0, 0.0, false, "speed of the flow; 0 stops it")},
                                    "sets the speed of an emitter's flow, from now on"},
    [MOTE_COMMAND_FORCE] = {"force",
                            MOTE_TARGET_BODY,
                            {VECTOR("force", "N", 0, "at its centre of mass; in 2D per metre of depth")},
                            "applies a force to a body in every step from now on; replaces an earlier one"},
    [MOTE_COMMAND_IMPULSE] = {"impulse",
                              MOTE_TARGET_BODY,
                              {VECTOR("impulse", "N s", 0, "in 2D per metre of depth"),
                               OPTION("at", "m", 3,
                                      "point of application on a rigid body; default: its centre of mass")},
                              "applies an impulse to a body, once"},
    [MOTE_COMMAND_FIELD] = {"field",
                            MOTE_TARGET_PARTICLES,
                            {{NULL, NULL, 0, 0, false, 0.0, false, NULL}},
                            "sets the velocity or position of particles"},
    [MOTE_COMMAND_REMOVE_BODY] = {"remove_body",
                                  MOTE_TARGET_BODY,
                                  {{NULL, NULL, 0, 0, false, 0.0, false, NULL}},
                                  "removes a body with its particles"},
    [MOTE_COMMAND_REMOVE_COLLIDER] = {"remove_collider",
                                      MOTE_TARGET_COLLIDER,
                                      {{NULL, NULL, 0, 0, false, 0.0, false, NULL}},
                                      "removes a collider"},
    [MOTE_COMMAND_REMOVE_EMITTER] = {"remove_emitter",
                                     MOTE_TARGET_EMITTER,
                                     {{NULL, NULL, 0, 0, false, 0.0, false, NULL}},
                                     "removes an emitter; its emitted particles stay"},
    [MOTE_COMMAND_PULL] =
        {"pull",
         MOTE_TARGET_NONE,
         {OPTION("at", "m", 0, "point where a hand takes hold; default: it keeps what it holds"),
          OPTION("to", "m", 3, "where it pulls that; default: where it takes hold, or the last one"),
          OPTION_NUMBER("radius", "m", 6, "how far from `at` it takes hold; default: the last one"),
          NUMBER("stiffness", "1/s^2", 7, 0.0, false, "of its spring, per mass; 0: it lets go"),
          OPTION_NUMBER("seconds", "s", 8, "how long; default: until the next pull")},
         "pulls what is nearest to a point: a body, or the liquid there"},
    [MOTE_COMMAND_MATERIAL] = {"material",
                               MOTE_TARGET_MATERIAL,
                               {NUMBER("value", "SI", 0, -HUGE_VAL, false,
                                       "number, in the range of the key")},
                               "changes a value of a material, from now on"},
    [MOTE_COMMAND_ADD_BODY] =
        {"add_body",
         MOTE_TARGET_WAITING,
         {OPTION("move", "m", 0, "displacement from where the scene defines it; default 0"),
          OPTION("velocity", "m/s", 3, "of all of it; default: that of its definition")},
         "brings a body that waits (`waits: true`), anew after its removal"},
};

const mote_command_about *mote_command_kinds(void) {
  return kinds;
}

const char *mote_command_target_name(mote_command_target target) {
  static const char *const names[] = {
      [MOTE_TARGET_NONE] = NULL,     [MOTE_TARGET_COLLIDER] = "collider", [MOTE_TARGET_EMITTER] = "emitter",
      [MOTE_TARGET_BODY] = "body",   [MOTE_TARGET_PARTICLES] = NULL,      [MOTE_TARGET_MATERIAL] = "material",
      [MOTE_TARGET_WAITING] = "body"};
  return (size_t)target < sizeof names / sizeof *names ? names[target] : NULL;
}

const char *mote_command_target_text(mote_command_target target) {
  if (target == MOTE_TARGET_BODY) return "name; NAME.* is the body with all its pieces";
  return target == MOTE_TARGET_MATERIAL ? "MATERIAL.KEY, as honey.viscosity" : "name";
}

mote_command mote_command_make(mote_command_kind kind) {
  mote_command command = {.kind = kind};
  for (int k = 0; k < MOTE_COMMAND_VALUES; ++k) command.value[k] = (double)NAN;
  return command;
}

static mote_result check_number(const mote_command_field *f, double x, mote_error *error) {
  if (!isfinite(x) || fabs(x) > HUGE_VALUE)
    return mote_fail_key(error, f->name, "must be %s, of %s", f->components == 1 ? "a number" : "numbers",
                         "at most 1e12 in size");
  if (f->above ? x > f->least : x >= f->least) return MOTE_OK;
  return mote_fail_key(error, f->name, "must be %s %g, not %g", f->above ? "above" : "at least", f->least, x);
}

static mote_result check_field(const mote_command_field *f, const double *value, mote_error *error) {
  bool given = false;
  for (int a = 0; a < f->components; ++a) given = given || !isnan(value[f->first + a]);
  if (f->optional && !given) return MOTE_OK;
  for (int a = 0; a < f->components; ++a) MOTE_TRY(check_number(f, value[f->first + a], error));
  return MOTE_OK;
}

static mote_result check_particles(const mote_command *c, mote_error *error) {
  bool known = c->field != NULL && (strcmp(c->field, "velocity") == 0 || strcmp(c->field, "position") == 0);
  if (!known)
    return mote_fail_key(error, "field", "\"%.31s\" cannot be set: velocity and position can",
                         c->field == NULL ? "" : c->field);
  if (c->id == NULL || c->count == 0) return mote_fail_key(error, "particles", "no particles are named");
  if (c->values == NULL) return mote_fail_key(error, "values", "there are none");
  for (size_t k = 0; k < 3 * c->count; ++k) {
    if (fabs(c->values[k]) <= HUGE_VALUE) continue;
    return mote_fail_key(error, "values", "value %zu must be a number, of at most 1e12 in size", k + 1);
  }
  return MOTE_OK;
}

bool mote_command_removes(const mote_command *command, const char *body) {
  size_t size = strlen(body);
  const char *target = command->target;
  return command->kind == MOTE_COMMAND_REMOVE_BODY && strncmp(target, body, size) == 0 &&
         (target[size] == '\0' || strcmp(target + size, ".*") == 0);
}

bool mote_body_def_there(const mote_body_def *def, const mote_command *command, size_t commands, double t) {
  bool there = !def->waits;
  for (size_t k = 0; k < commands && command[k].time < t; ++k) {
    bool comes = command[k].kind == MOTE_COMMAND_ADD_BODY && strcmp(command[k].target, def->name) == 0;
    there = comes || (there && !mote_command_removes(&command[k], def->name));
  }
  return there;
}

mote_result mote_command_check(const mote_command *command, mote_error *error) {
  if (command == NULL || (unsigned)command->kind >= MOTE_COMMANDS)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such command");
  const mote_command_about *about = &kinds[command->kind];
  const char *target = mote_command_target_name(about->target);
  if (target != NULL && memchr(command->target, 0, sizeof command->target) == NULL)
    return mote_fail_key(error, target, "its name does not end");
  if (target != NULL && command->target[0] == '\0') return mote_fail_key(error, target, "it is not named");
  for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f)
    MOTE_TRY(check_field(&about->field[f], command->value, error));
  return command->kind == MOTE_COMMAND_FIELD ? check_particles(command, error) : MOTE_OK;
}
