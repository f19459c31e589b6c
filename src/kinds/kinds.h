// The table of kinds of matter: one row each (matter/kind.h).
#ifndef MOTE_KINDS_H
#define MOTE_KINDS_H

#include "matter/kind.h"

// In the order in which their bodies are coupled to fluids. Their stages run in the opposite order: rigid
// bodies, which take the impulses of the others, move last.
extern const mote_kind_row *const mote_kind_table[MOTE_KINDS];

#endif
