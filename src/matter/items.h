// The lists of things that were added to a world.
#ifndef MOTE_ITEMS_H
#define MOTE_ITEMS_H

#include "matter/world_data.h"

// Whether one more thing of this name can be added: the name is good and not yet there, and there is room.
mote_result mote_items_expect(mote_world *world, int list, const char *name, mote_error *error);

// Adds it (expected before), with a copy of its name, which comes first in every item. Returns its number.
mote_result mote_items_add(mote_world *world, int list, const void *item, uint32_t *number,
                           mote_error *error);

// Takes the last addition back.
void mote_items_undo(mote_world *world, int list);

// The name of the k-th that is there.
const char *mote_items_name(const mote_world *world, int list, size_t k);

// Removing, which keeps the item and its number: room for it; the k-th that is there; all are there again.
// The place k of what has that number; SIZE_MAX: it is removed.
mote_result mote_items_expect_removal(mote_world *world, int list, mote_error *error);
void mote_items_remove(mote_world *world, int list, size_t k);
void mote_items_restore(mote_world *world, int list);
size_t mote_items_place(const mote_world *world, int list, size_t number);

// The place of the thing called `name`; how many there are when there is none.
size_t mote_items_find(const mote_world *world, int list, const char *name);

// Whether one of that name is or was there.
bool mote_items_had(const mote_world *world, int list, const char *name);

// Ends all things and frees the lists.
void mote_items_destroy(mote_world *world);

#endif
