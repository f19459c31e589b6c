// The table of keys (def_table.inc) as libmote uses it; <mote/keys.h> has the rest.
#ifndef MOTE_DEF_TABLE_H
#define MOTE_DEF_TABLE_H

#include <mote/keys.h>

// Checks every value of a definition on its own: finite, in its range, one of its choices, a formula that can
// be read. Nested definitions and lists are checked too, except those with names. ARGUMENT names the key.
mote_result mote_section_check(const char *section, const void *def, const mote_env *env, mote_error *error);

// Whether the int at a CHOICE, KERNEL or SIDES is one of its values.
bool mote_scene_key_has_choice(const mote_scene_key *key, int value);

#endif
