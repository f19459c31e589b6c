// Comparing two stores, or two archives loaded into stores: fields matched by name, rows by id.
#ifndef MOTE_DIFF_H
#define MOTE_DIFF_H

#include "base/arena.h"
#include "particles/store.h"

typedef enum mote_field_match {
  MOTE_MATCH_BOTH,    // compared
  MOTE_MATCH_UNLIKE,  // both have it, with other type, components or unit
  MOTE_MATCH_ONLY_A,
  MOTE_MATCH_ONLY_B,
} mote_field_match;

typedef struct mote_field_diff {
  const char *name;
  mote_field_match match;
  size_t compared;        // rows that have the field in both
  size_t differing;       // of these, rows of which any bit differs
  size_t only_a, only_b;  // rows in both stores that have the field in one of them only
  uint64_t first_id;      // the smallest id of a differing row
  // The largest differences of a component; infinite (ulps: all ones) when one is NaN or infinite.
  double absolute;
  double relative;  // to the larger magnitude
  uint64_t ulps;    // representable numbers between the two; of integers, their distance
} mote_field_diff;

typedef struct mote_diff {
  bool same;              // nothing differs in rows or fields
  size_t rows;            // in both
  size_t only_a, only_b;  // rows in one only, and the smallest of their ids
  uint64_t first_only_a, first_only_b;
  int fields;
  mote_field_diff field[2 * MOTE_FIELD_MAX];  // those of a in its order, then those only in b
} mote_diff;

// Compares the saved fields, and the derived ones if asked to. Ids may be in any order. When a table has
// no ids, rows are matched by place, which then stands for the id.
mote_result mote_store_diff(const mote_store *a, const mote_store *b, bool derived, mote_arena *scratch,
                            mote_diff *out, mote_error *error);

#endif
