// Comparing two sets of field views: each is dressed up as a store that borrows its arrays, see diff.h.
#include <string.h>

#include "particles/diff.h"

// A table and a store of one block whose columns are the views' data.
typedef struct dress {
  mote_field field[MOTE_FIELD_MAX];
  mote_table table;
  mote_block block;
  mote_store store;
} dress;

static const char *const groups[] = {"all"};

static bool is_id(const mote_field_view *view) {
  return strcmp(view->name, "id") == 0 && view->type == MOTE_TYPE_U64 && view->components == 1;
}

static mote_result check_view(const mote_field_view *view, size_t rows, mote_error *error) {
  if (view->name == NULL || view->type >= MOTE_TYPE_COUNT || view->components < 1) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a field to compare is not there");
  }
  if (view->count != rows) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "field \"%s\" has %zu rows; the first field has %zu",
                     view->name, view->count, rows);
  }
  return MOTE_OK;
}

static mote_result put_on(dress *d, const mote_field_view *view, size_t fields, const mote_env *env,
                          mote_error *error) {
  if (fields > MOTE_FIELD_MAX || (fields > 0 && view == NULL)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "%zu fields are too many to compare", fields);
  }
  size_t rows = fields > 0 ? view[0].count : 0;
  d->table = (mote_table){"views", d->field, (int)fields, groups, 1, -1, 0};
  d->block = (mote_block){.count = rows, .groups = 1};
  d->store = (mote_store){.table = &d->table, .env = *env, .block = &d->block, .blocks = 1};
  d->store.count[0] = rows;
  for (size_t f = 0; f < fields; ++f) {
    MOTE_TRY(check_view(&view[f], rows, error));
    d->field[f] = (mote_field){.name = view[f].name,
                               .type = view[f].type,
                               .components = view[f].components,
                               .kept = MOTE_KEPT_REQUIRED,
                               .unit = view[f].unit != NULL ? view[f].unit : ""};
    d->store.column[f] = (mote_column){view[f].data, rows};
    if (is_id(&view[f])) d->table.id = (int)f;
  }
  return MOTE_OK;
}

static mote_result compare_dressed(dress *d, const mote_field_view *a, size_t fields_a,
                                   const mote_field_view *b, size_t fields_b, mote_arena *scratch,
                                   mote_diff *out, mote_error *error) {
  MOTE_TRY(put_on(&d[0], a, fields_a, &scratch->env, error));
  MOTE_TRY(put_on(&d[1], b, fields_b, &scratch->env, error));
  return mote_store_diff(&d[0].store, &d[1].store, true, scratch, out, error);
}

mote_result mote_views_diff(const mote_field_view *a, size_t fields_a, const mote_field_view *b,
                            size_t fields_b, const mote_env *env, mote_diff *out, mote_error *error) {
  mote_env own = mote_env_resolve(env);
  mote_arena scratch = mote_arena_make(&own);
  dress *d = mote_arena_take(&scratch, 2, sizeof *d);
  mote_result result = d == NULL ? mote_fail_memory(error, 2 * sizeof *d)
                                 : compare_dressed(d, a, fields_a, b, fields_b, &scratch, out, error);
  mote_arena_destroy(&scratch);
  return result;
}
