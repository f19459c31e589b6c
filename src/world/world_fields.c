// Fields of particles by name, unit and id, and the hash of a world at a frame: see mote/world.h.
#include <inttypes.h>
#include <string.h>

#include "base/parallel.h"
#include "matter/kind.h"
#include "particles/id_map.h"

uint64_t mote_world_generation(const mote_world *world) {
  return world->generation;
}

bool mote_world_field_at(const mote_world *world, mote_kind kind, int k, mote_field_about *out) {
  bool known = world == NULL || (kind < MOTE_KINDS && mote_kind_row_of(world, kind)->group != 0);
  if (!known || out == NULL || k < 0) return false;
  uint32_t groups = world != NULL ? mote_kind_field_groups(world, kind) : UINT32_MAX;
  const mote_table *table = &mote_particle_table;
  int f = 0;
  while (f < table->fields && (!(groups >> table->field[f].group & 1) || k-- > 0)) ++f;
  if (f == table->fields) return false;
  const mote_field *field = &table->field[f];
  *out = (mote_field_about){.name = field->name,
                            .unit = field->unit,
                            .text = field->text,
                            .group = table->group[field->group],
                            .type = field->type,
                            .components = field->components,
                            .saved = mote_field_saved(field)};
  return true;
}

// --- Rows by ids ----------------------------------------------------------------------------------------

typedef struct gathering {
  const mote_field_view *view;
  const uint64_t *ids;
  const uint32_t *row_of;  // by id; null: by the map
  uint64_t known;          // ids that row_of has
  mote_id_map map;
  size_t size;  // bytes of a row
  char *out;
  bool *found;
} gathering;

enum { GATHER_GRAIN = 8192, GATHER_AHEAD = 64 };

static size_t find_row(const gathering *g, uint64_t id) {
  if (g->row_of == NULL) return mote_id_map_find(&g->map, id);
  return id < g->known && g->row_of[id] != UINT32_MAX ? g->row_of[id] : SIZE_MAX;
}

// Rows of a few ids are found, and asked for from memory, before the first is copied.
static void gather_rows(void *data, size_t begin, size_t end, int worker) {
  const gathering *g = data;
  const char *from = g->view->data;
  size_t row[GATHER_AHEAD];
  (void)worker;
  for (size_t at = begin; at < end; at += GATHER_AHEAD) {
    size_t some = end - at < GATHER_AHEAD ? end - at : GATHER_AHEAD;
    for (size_t k = 0; k < some; ++k) {
      row[k] = find_row(g, g->ids[at + k]);
      g->found[at + k] = row[k] != SIZE_MAX;
      if (row[k] != SIZE_MAX) __builtin_prefetch(from + row[k] * g->size);
    }
    for (size_t k = 0; k < some; ++k) {
      char *out = g->out + (at + k) * g->size;
      if (row[k] == SIZE_MAX) {
        memset(out, 0, g->size);
      } else {
        memcpy(out, from + row[k] * g->size, g->size);
      }
    }
  }
}

// A table by id where not many more ids were given than there are rows, else the sorted ids.
static mote_result find_ids(gathering *g, const mote_field_view *there, const mote_store *store,
                            mote_arena *scratch, mote_error *error) {
  const uint64_t *id = there->data;
  if (store->next_id / 8 > store->count[0])
    return mote_id_map_make(id, there->count, store->env.threads, scratch, &g->map, error);
  MOTE_TAKE_NEW(uint32_t, row_of, scratch, store->next_id + 1, error);
  memset(row_of, 0xff, store->next_id * sizeof *row_of);
  for (size_t row = 0; row < there->count; ++row) row_of[id[row]] = (uint32_t)row;
  g->row_of = row_of, g->known = store->next_id;
  return MOTE_OK;
}

static mote_result gather(const mote_world *world, gathering *g, const mote_field_view *there, size_t count,
                          mote_arena *scratch, mote_error *error) {
  bool asked = g->found != NULL;
  MOTE_TRY(find_ids(g, there, mote_world_store(world), scratch, error));
  if (!asked) MOTE_TAKE(g->found, scratch, count, error);
  mote_parallel_for(world->env.threads, count, GATHER_GRAIN, gather_rows, g);
  for (size_t k = 0; k < count && !asked; ++k) {
    if (!g->found[k]) return mote_fail_key(error, "ids", "there is no particle %" PRIu64, g->ids[k]);
  }
  return MOTE_OK;
}

mote_result mote_world_gather(const mote_world *world, mote_kind kind, const char *field, const uint64_t *ids,
                              size_t count, void *out, bool *found, mote_error *error) {
  if (world == NULL || field == NULL || (count > 0 && (ids == NULL || out == NULL)))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world, field, ids and out must not be NULL");
  if (kind >= MOTE_KINDS || mote_kind_row_of(world, kind)->group == 0)
    return mote_fail_key(error, "kind", "it has no particles");
  mote_field_view view = mote_kind_view(world, kind, field), there = mote_kind_view(world, kind, "id");
  if (view.name == NULL) return mote_fail_key(error, "field", "there is no field \"%.31s\"", field);
  if (view.count != there.count)
    return mote_fail_key(error, "field", "only some of the particles have \"%.31s\"", field);
  mote_arena scratch = mote_arena_make(&world->env);
  gathering g = {.view = &view, .ids = ids, .out = out, .found = found};
  g.size = (size_t)view.components * mote_type_size(view.type);
  mote_result result = gather(world, &g, &there, count, &scratch, error);
  mote_arena_destroy(&scratch);
  return result;
}

// --- Hash -----------------------------------------------------------------------------------------------

mote_result mote_world_frame_hash(mote_world *world, uint64_t *out, mote_error *error) {
  if (world == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "world and out must not be NULL");
  double end = *mote_state_f64(&world->now, MOTE_WORLD_UNTIL);
  bool within = world->has_frame && end > mote_world_time(world);
  if (!within) MOTE_TRY(mote_world_begin_frame(world, error));
  *out = mote_world_hash(world);
  return MOTE_OK;
}
