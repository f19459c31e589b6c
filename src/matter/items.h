// The lists of items of a world: materials, bodies, colliders and others.
#ifndef MOTE_ITEMS_H
#define MOTE_ITEMS_H

#include "matter/world_data.h"

// Whether an item of this name can be added: the name is valid and unused, and memory is reserved.
mote_result mote_items_expect(mote_world *world, int list, const char *name, mote_error *error);

// Adds it (after the check above), with a copy of its name, the first member of every item. Returns its
// number.
mote_result mote_items_add(mote_world *world, int list, const void *item, uint32_t *number,
                           mote_error *error);

// Undoes the last addition.
void mote_items_undo(mote_world *world, int list);

// The name of the k-th existing item.
const char *mote_items_name(const mote_world *world, int list, size_t k);

// Removal, which keeps the item and its number: reserves memory for it; removes the k-th existing item;
// restores all.
mote_result mote_items_expect_removal(mote_world *world, int list, mote_error *error);
void mote_items_remove(mote_world *world, int list, size_t k);
void mote_items_restore(mote_world *world, int list);
// Return of the removed item with that number: reserves memory for it; brings it back.
mote_result mote_items_expect_return(mote_world *world, int list, mote_error *error);
void mote_items_return(mote_world *world, int list, size_t number);
// The place k of the item with that number; SIZE_MAX: it is removed.
size_t mote_items_place(const mote_world *world, int list, size_t number);

// The place of the item called `name`; the number of items if there is none.
size_t mote_items_find(const mote_world *world, int list, const char *name);

// Whether an item of that name exists or was removed.
bool mote_items_had(const mote_world *world, int list, const char *name);

// Destroys all items and frees the lists.
void mote_items_destroy(mote_world *world);

#endif
