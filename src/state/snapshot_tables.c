// Snapshots as data, without a world: see mote/snapshot.h. Each archive contains its own table.
#include <mote/snapshot.h>
#include <stdio.h>
#include <string.h>

#include "particles/diff.h"
#include "state/snapshot_head.h"

typedef struct snapshot_table {
  char name[MOTE_NAME_SIZE + 8];
  mote_store store;
} snapshot_table;

struct mote_snapshot {
  mote_env env;
  mote_arena arena;  // of the heads of the archives
  mote_snapshot_head head;
  int tables;
  snapshot_table *table;
};

static mote_result read_table(mote_snapshot *snapshot, mote_source *source, const mote_snapshot_entry *entry,
                              mote_error *error) {
  const mote_archive_head *head;
  MOTE_TRY(mote_archive_read_head(source, &snapshot->arena, &head, error));
  snapshot_table *table = &snapshot->table[snapshot->tables];
  table->store = mote_store_make(&head->table, &snapshot->env);
  ++snapshot->tables;
  snprintf(table->name, sizeof table->name, "%s%s", entry->moment == MOTE_MOMENT_NOW ? "" : "frame ",
           head->table.name);
  if (strcmp(entry->name, head->table.name) != 0) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "damaged snapshot: table \"%s\" stands where \"%s\" is listed",
                     head->table.name, entry->name);
  }
  return mote_archive_read_body(source, head, &table->store, error);
}

static mote_result read_all(mote_snapshot *snapshot, mote_source *source, mote_error *error) {
  const mote_snapshot_head *head = &snapshot->head;
  MOTE_TRY(mote_snapshot_head_read(source, &snapshot->arena, &snapshot->head, error));
  MOTE_TAKE(snapshot->table, &snapshot->arena, head->tables + 1, error);
  for (size_t t = 0; t < head->tables; ++t) MOTE_TRY(read_table(snapshot, source, &head->entry[t], error));
  return mote_snapshot_check_end(source, error);
}

mote_result mote_snapshot_read(mote_snapshot_read_fn *read, void *user, uint64_t size, const mote_env *env,
                               mote_snapshot **out, mote_error *error) {
  if (read == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "read and out must not be NULL");
  }
  mote_env own = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_snapshot, snapshot, &own, 1, error);
  *snapshot = (mote_snapshot){.env = own, .arena = mote_arena_make(&own)};
  mote_result result = read_all(snapshot, &(mote_source){.read = read, .user = user, .left = size}, error);
  if (result == MOTE_OK) {
    *out = snapshot;
  } else {
    mote_snapshot_destroy(snapshot);
  }
  return result;
}

void mote_snapshot_destroy(mote_snapshot *snapshot) {
  if (snapshot == NULL) return;
  mote_env env = snapshot->env;
  for (int t = 0; t < snapshot->tables; ++t) mote_store_destroy(&snapshot->table[t].store);
  mote_arena_destroy(&snapshot->arena);
  mote_free(&env, snapshot, 1, sizeof *snapshot);
}

// --- Reading -------------------------------------------------------------------------------------------

int mote_snapshot_tables(const mote_snapshot *snapshot) {
  return snapshot->tables;
}

static bool has_table(const mote_snapshot *snapshot, int table) {
  return table >= 0 && table < snapshot->tables;
}

const char *mote_snapshot_table(const mote_snapshot *snapshot, int table, size_t *rows) {
  if (!has_table(snapshot, table)) return NULL;
  if (rows != NULL) *rows = snapshot->table[table].store.count[0];
  return snapshot->table[table].name;
}

int mote_snapshot_find(const mote_snapshot *snapshot, const char *table) {
  for (int t = 0; t < snapshot->tables; ++t) {
    if (strcmp(snapshot->table[t].name, table) == 0) return t;
  }
  return -1;
}

mote_field_view mote_snapshot_view(const mote_snapshot *snapshot, int table, int k) {
  if (!has_table(snapshot, table)) return (mote_field_view){0};
  const mote_store *store = &snapshot->table[table].store;
  if (k < 0 || k >= store->table->fields) return (mote_field_view){0};
  return mote_store_view_field(store, k);
}

const char *mote_snapshot_group(const mote_snapshot *snapshot, int table, int k) {
  if (!has_table(snapshot, table)) return NULL;
  const mote_table *of = snapshot->table[table].store.table;
  return k >= 0 && k < of->fields ? of->group[of->field[k].group] : NULL;
}

// Number of rows of a group of a table.
static size_t count_group(const mote_store *store, const char *name) {
  int group = mote_table_find_group(store->table, name);
  return group < 0 ? 0 : store->count[group];
}

// The field of the first row, if it exists and has this type.
static void first_value(const mote_snapshot *snapshot, const char *table, const char *field, mote_type type,
                        void *value) {
  int t = mote_snapshot_find(snapshot, table);
  if (t < 0) return;
  mote_field_view view = mote_store_view(&snapshot->table[t].store, field, MOTE_ALL_BLOCKS);
  if (view.count > 0 && view.type == type) memcpy(value, view.data, mote_type_size(type));
}

mote_snapshot_info mote_snapshot_about(const mote_snapshot *snapshot) {
  mote_snapshot_info info = {.definitions = snapshot->head.definitions, .state = snapshot->head.state};
  first_value(snapshot, "world", "time", MOTE_TYPE_F64, &info.time);
  first_value(snapshot, "world", "step", MOTE_TYPE_U64, &info.step);
  int particles = mote_snapshot_find(snapshot, "particles");
  if (particles >= 0) {
    info.particles = count_group(&snapshot->table[particles].store, "fluid");
    info.elastic = count_group(&snapshot->table[particles].store, "elastic");
    info.lattice = count_group(&snapshot->table[particles].store, "lattice");
  }
  return info;
}

mote_result mote_snapshot_diff(const mote_snapshot *a, int table_a, const mote_snapshot *b, int table_b,
                               mote_diff *out, mote_error *error) {
  if (a == NULL || b == NULL || out == NULL || !has_table(a, table_a) || !has_table(b, table_b)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such table to compare");
  }
  mote_arena scratch = mote_arena_make(&a->env);
  mote_result result =
      mote_store_diff(&a->table[table_a].store, &b->table[table_b].store, true, &scratch, out, error);
  mote_arena_destroy(&scratch);
  return result;
}
