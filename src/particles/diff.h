// Comparing two stores, or two archives loaded into stores: fields matched by name, rows by id.
#ifndef MOTE_DIFF_H
#define MOTE_DIFF_H

#include <mote/snapshot.h>

#include "base/arena.h"
#include "particles/store.h"

_Static_assert(MOTE_DIFF_FIELDS == 2 * MOTE_FIELD_MAX, "room for the fields of two tables");

// Compares the saved fields, and the derived ones if asked to. Ids may be in any order. Rows of a table
// without ids are matched by number, which replaces the id.
mote_result mote_store_diff(const mote_store *a, const mote_store *b, bool derived, mote_arena *scratch,
                            mote_diff *out, mote_error *error);

#endif
