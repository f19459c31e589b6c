// Snapshots of worlds as data, without their scene; and row-by-row comparison of two sets of fields, from
// snapshots or from any files with particles. The format: docs/formats.md.
#ifndef MOTE_SNAPSHOT_H
#define MOTE_SNAPSHOT_H

#include <mote/base.h>
#include <mote/view.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Reading --------------------------------------------------------------------------------------------

typedef struct mote_snapshot mote_snapshot;

// Reads exactly `size` bytes, or returns false.
typedef bool mote_snapshot_read_fn(void *user, void *bytes, size_t size);

// Reads a snapshot of `size` bytes in total, as mote_world_save wrote it. FORMAT, with the byte offset:
// truncated, damaged, of another version, not a snapshot; FILE: `read` failed.
MOTE_API mote_result mote_snapshot_read(mote_snapshot_read_fn *read, void *user, uint64_t size,
                                        const mote_env *env, mote_snapshot **out, mote_error *error);
MOTE_API void mote_snapshot_destroy(mote_snapshot *snapshot);

typedef struct mote_snapshot_info {
  uint64_t definitions;  // the hash of the definitions of the world that wrote it
  uint64_t state;        // mote_world_hash of that world
  double time;
  uint64_t step;
  size_t particles, elastic;  // of fluids; of elastic bodies
  size_t lattice;             // particles of lattices
} mote_snapshot_info;
MOTE_API mote_snapshot_info mote_snapshot_about(const mote_snapshot *snapshot);

// Tables: "world", "emitters", "particles", "bodies", "contacts", "friction" and those of what else the world
// has, then the same as they were at the beginning of the frame: "frame world" and so on. How many there are,
// the k-th one's name and rows, and which has that name (-1: none).
MOTE_API int mote_snapshot_tables(const mote_snapshot *snapshot);
MOTE_API const char *mote_snapshot_table(const mote_snapshot *snapshot, int table, size_t *rows);
MOTE_API int mote_snapshot_find(const mote_snapshot *snapshot, const char *table);

// The k-th field of a table; all zero beyond the last. Two fields may have one name, of two groups of rows.
// Valid for the life of the snapshot. A field that only some rows have (count below the table's rows) lies in
// the order of the rows that have it.
MOTE_API mote_field_view mote_snapshot_view(const mote_snapshot *snapshot, int table, int k);
// The group of rows that have it: "all", of particles also "fluid", "elastic", ...; null beyond the last.
MOTE_API const char *mote_snapshot_group(const mote_snapshot *snapshot, int table, int k);

// --- Comparing ------------------------------------------------------------------------------------------

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
  size_t only_a, only_b;  // rows in both sets that have the field in one of them only
  uint64_t first_id;      // the smallest id of a differing row
  // The largest differences of a component; infinite (ulps: all ones) when one is NaN or infinite.
  double absolute;
  double relative;  // to the larger magnitude
  uint64_t ulps;    // representable numbers between the two; of integers, their distance
} mote_field_diff;

#define MOTE_DIFF_FIELDS 128

typedef struct mote_diff {
  bool same;              // nothing differs in rows or fields
  size_t rows;            // in both
  size_t only_a, only_b;  // rows in one only, and the smallest of their ids
  uint64_t first_only_a, first_only_b;
  int fields;
  mote_field_diff field[MOTE_DIFF_FIELDS];  // those of a in its order, then those only in b
} mote_diff;

// Compares two sets of up to 64 fields each. Fields are matched by name, rows by the field "id" (u64, one
// component) where both sets have one, else by place, which then stands for the id. All fields of a set must
// have the same number of rows: else ARGUMENT. Names in the answer are those of the views. An empty unit
// matches any: some formats have none.
MOTE_API mote_result mote_views_diff(const mote_field_view *a, size_t fields_a, const mote_field_view *b,
                                     size_t fields_b, const mote_env *env, mote_diff *out, mote_error *error);

// Compares two tables of snapshots, fields of some rows included.
MOTE_API mote_result mote_snapshot_diff(const mote_snapshot *a, int table_a, const mote_snapshot *b,
                                        int table_b, mote_diff *out, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
