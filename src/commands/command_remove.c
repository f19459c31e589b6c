// Removes bodies and colliders: see command_act.h. Their rows and those of their contacts are removed
// immediately; samples and other data derived from definitions are rebuilt.
#include "commands/command_act.h"
#include "matter/contact_names.h"
#include "matter/kind.h"

mote_result mote_command_check_removal(mote_world *world, mote_resolved_command *resolved,
                                       mote_error *error) {
  bool parts = mote_kind_row_of(world, resolved->at.kind)->begin_part != NULL;  // with state of their own
  if (!parts || resolved->body.pieces || mote_bodies_value(world, resolved->at, MOTE_BODY_PARENT) == 0)
    return MOTE_OK;
  size_t definition = mote_bodies_definition(world, resolved->at);
  return mote_fail_key(error, "body", "\"%s\" is a part of the elastic body \"%s\": remove that",
                       resolved->command->target, mote_body_at(world, definition)->name);
}

mote_result mote_command_remove_collider(mote_world *world, const mote_resolved_command *resolved,
                                         mote_error *error) {
  (void)resolved;  // it is off the list already
  return mote_contacts_drop_gone(world, error);
}

mote_result mote_command_remove_body(mote_world *world, const mote_resolved_command *resolved,
                                     mote_error *error) {
  mote_body_place place;
  for (size_t cursor = 0; mote_bodies_next(world, &resolved->body, &cursor, &place);) {
    size_t before = mote_bodies_of(world, place.kind);
    MOTE_TRY(mote_kind_row_of(world, place.kind)->remove(world, place, error));
    if (mote_bodies_of(world, place.kind) < before) cursor = 0;  // those of emitters stay, empty
  }
  return mote_contacts_drop_gone(world, error);
}
