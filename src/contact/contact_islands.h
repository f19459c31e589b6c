// Islands: connected components of bodies in contact; and the order of an island's bodies in which its matrix
// has a narrow envelope.
#ifndef MOTE_CONTACT_ISLANDS_H
#define MOTE_CONTACT_ISLANDS_H

#include "contact/contact_rows.h"

typedef struct mote_islands {
  size_t count;
  uint32_t *of;             // per obstacle: its island; UINT32_MAX: none
  uint32_t *body, *group;   // by island, in the order of bodies and of contacts
  size_t *bodies, *groups;  // per island and one more: index of the first
  uint32_t *place;          // per obstacle, all UINT32_MAX
} mote_islands;

// Whether the contact has a normal impulse, or would have one as soon as one of the obstacles is stopped.
bool mote_contact_row_is_closed(const mote_contact_rows *s, size_t number);

// Inactive pairs within an island belong to it; those between two islands belong to none.
mote_result mote_contact_find_islands(const mote_contact_rows *s, mote_arena *scratch, mote_islands *out,
                                      mote_error *error);

// An island with its bodies in an order in which neighbours are near (Cuthill & McKee 1969). The lower
// triangle of its matrix, 6 lines a body, is stored line by line from the first body that it touches.
typedef struct mote_island {
  size_t bodies, groups;
  uint32_t *body;  // the obstacle of each body
  const uint32_t *group;
  uint32_t *place;  // per obstacle: its place here; UINT32_MAX: it does not move or is not here
  size_t *low;      // per body: the first body in its lines
  size_t *line;     // per line: index of its first entry
  size_t entries;
  double cost;  // multiplications of a factorisation
} mote_island;

// place is valid for the obstacles of the island.
mote_result mote_contact_order_island(const mote_contact_rows *s, const mote_islands *islands, size_t k,
                                      mote_arena *scratch, mote_island *out, mote_error *error);

#endif
