// Surfaces of a world: definition, construction, and data kept between builds. A second build at the same
// time starts from the same data as the first, so that it gives the same surface.
#include "world/world_surface.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "kinds/lattice/lattice_bodies.h"
#include "matter/items.h"
#include "matter/world_track.h"
#include "surface/surfacer.h"
#include "track/tracked_mesh.h"
#include "world/step.h"

static const char *const groups[] = {"all"};
static const mote_field surface_field[] = {MOTE_SURFACE_STATE_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field distance_field[] = {MOTE_DISTANCE_FIELDS(MOTE_FIELD_ENTRY)};

const mote_table mote_surface_table = {
    "surfaces", surface_field, MOTE_SURFACE_STATE_FIELD_COUNT, groups, 1, -1, 1};
const mote_table mote_distance_table = {
    "surface_distances", distance_field, MOTE_DISTANCE_FIELD_COUNT, groups, 1, -1, 1};

// --- What they remember --------------------------------------------------------------------------------

typedef enum distance_block { LEFT, BEGAN, DISTANCE_BLOCKS } distance_block;

static mote_store *surface_rows(const mote_state *state) {
  size_t t = mote_state_find(state, mote_surface_table.name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

static mote_store *distance_rows(const mote_state *state) {
  size_t t = mote_state_find(state, mote_distance_table.name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

static uint64_t name_hash(const char *name) {
  return mote_hash_bytes(0, name, strlen(name));
}

static mote_result register_tables(mote_state *state, mote_error *error) {
  size_t index;
  if (distance_rows(state) == NULL) MOTE_TRY(mote_state_register(state, &mote_distance_table, &index, error));
  if (surface_rows(state) == NULL) MOTE_TRY(mote_state_register(state, &mote_surface_table, &index, error));
  return MOTE_OK;
}

// A row for a surface that keeps data, and its blocks. Blocks left by a failed call are reused.
static mote_result add_row(mote_state *state, const char *name, size_t *row, mote_error *error) {
  mote_store *surfaces = surface_rows(state), *distances = distance_rows(state);
  size_t k = surfaces->count[0], block;
  while (distances->blocks < (k + 1) * DISTANCE_BLOCKS)
    MOTE_TRY(mote_store_add_block(distances, 0, 0, &block, error));
  MOTE_TRY(mote_store_resize(surfaces, 0, k + 1, error));
  mote_store_u64(surfaces, MOTE_SURFACE_NAME)[k] = name_hash(name);
  mote_store_f64(surfaces, MOTE_SURFACE_BUILT)[k] = (double)NAN;
  *row = k;
  return MOTE_OK;
}

static mote_surface_history read_block(const mote_store *distances, size_t block) {
  size_t count = distances->block[block].count;
  if (count == 0) return (mote_surface_history){0};
  return (mote_surface_history){mote_store_rows(distances, MOTE_DISTANCE_PARTICLE, block),
                                mote_store_rows(distances, MOTE_DISTANCE_VALUE, block), count};
}

static void write_block(const mote_store *distances, size_t block, const mote_surface_history *history) {
  MOTE_ASSERT(distances->block[block].count == history->count);
  if (history->count == 0) return;
  memcpy(mote_store_rows(distances, MOTE_DISTANCE_PARTICLE, block), history->id,
         history->count * sizeof *history->id);
  memcpy(mote_store_rows(distances, MOTE_DISTANCE_VALUE, block), history->distance,
         history->count * sizeof *history->distance);
}

// Gives the surfacer the data from which the build at this time starts.
static mote_result recall(const mote_world *world, const mote_surface_item *item, mote_error *error) {
  if (item->history == SIZE_MAX) return MOTE_OK;
  double built = mote_store_f64(surface_rows(&world->now), MOTE_SURFACE_BUILT)[item->history];
  distance_block from = built == mote_world_time(world) ? BEGAN : LEFT;
  mote_surface_history history =
      read_block(distance_rows(&world->now), item->history * DISTANCE_BLOCKS + from);
  return mote_surfacer_recall(item->surfacer, &history, error);
}

// Stores the data of a build. On failure the old data stays.
static mote_result remember(const mote_world *world, const mote_surface_item *item, mote_error *error) {
  if (item->history == SIZE_MAX) return MOTE_OK;
  mote_store *distances = distance_rows(&world->now);
  double *built = mote_store_f64(surface_rows(&world->now), MOTE_SURFACE_BUILT) + item->history;
  size_t left = item->history * DISTANCE_BLOCKS + LEFT, began = item->history * DISTANCE_BLOCKS + BEGAN;
  if (*built != mote_world_time(world)) {
    MOTE_TRY(mote_store_resize(distances, began, distances->block[left].count, error));
    mote_surface_history before = read_block(distances, left);
    write_block(distances, began, &before);
  }
  mote_surface_history history = mote_surfacer_history(item->surfacer);
  MOTE_TRY(mote_store_resize(distances, left, history.count, error));
  write_block(distances, left, &history);
  *built = mote_world_time(world);
  return MOTE_OK;
}

// --- Snapshots -----------------------------------------------------------------------------------------

static bool distances_fit(const mote_store *distances, size_t block) {
  mote_surface_history history = read_block(distances, block);
  bool fits = true;
  for (size_t k = 0; k < history.count && fits; ++k)
    fits = isfinite(history.distance[k]) && (k == 0 || history.id[k - 1] < history.id[k]);
  return fits;
}

bool mote_surfaces_possible(const mote_state *state) {
  const mote_store *surfaces = surface_rows(state), *distances = distance_rows(state);
  if (surfaces == NULL || distances == NULL) return surfaces == NULL && distances == NULL;
  bool fits = surfaces->blocks == 1 && distances->blocks >= surfaces->count[0] * DISTANCE_BLOCKS;
  for (size_t b = 0; b < distances->blocks && fits; ++b) fits = distances_fit(distances, b);
  return fits;
}

mote_result mote_surfaces_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error) {
  static const mote_table *const tables[] = {&mote_distance_table, &mote_surface_table};
  for (int t = 0; t < 2; ++t) {
    bool listed = false;
    size_t index;
    for (size_t e = 0; e < head->tables; ++e)
      listed = listed || strcmp(head->entry[e].name, tables[t]->name) == 0;
    if (listed) MOTE_TRY(mote_state_register(state, tables[t], &index, error));
  }
  return MOTE_OK;
}

// Whether the rows match the world's surfaces that keep data.
static bool rows_match(const mote_world *world, const mote_store *surfaces) {
  size_t rows = 0;
  bool match = true;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SURFACE) && match; ++k) {
    const mote_surface_item *item = mote_surface_at(world, k);
    if (item->history == SIZE_MAX) continue;
    match = rows < surfaces->count[0] &&
            mote_store_u64(surfaces, MOTE_SURFACE_NAME)[rows] == name_hash(item->name);
    ++rows;
  }
  return match && rows == surfaces->count[0];
}

mote_result mote_surfaces_match(const mote_world *world, mote_state *state, mote_error *error) {
  mote_store *surfaces = surface_rows(state), *distances = distance_rows(state);
  if (surfaces == NULL || distances == NULL || rows_match(world, surfaces)) return MOTE_OK;
  mote_store_destroy(surfaces);
  mote_store_destroy(distances);
  *surfaces = mote_store_make(&mote_surface_table, &state->env);
  *distances = mote_store_make(&mote_distance_table, &state->env);
  size_t block, row;
  MOTE_TRY(mote_store_add_block(surfaces, 0, 0, &block, error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SURFACE); ++k) {
    const mote_surface_item *item = mote_surface_at(world, k);
    if (item->history != SIZE_MAX) MOTE_TRY(add_row(state, item->name, &row, error));
  }
  return MOTE_OK;
}

// --- Adding --------------------------------------------------------------------------------------------

mote_world_surface_def mote_world_surface_def_default(void) {
  return (mote_world_surface_def){.name = "surface", .surface = mote_surface_def_default(), .walls = true};
}

static mote_result make_item(const mote_world *world, const mote_world_surface_def *def,
                             mote_surface_item *item, mote_error *error) {
  const mote_world_def *of = &world->def;
  *item = (mote_surface_item){.name = def->name, .def = def->surface, .history = SIZE_MAX, .rows = def->rows};
  if (isnan(item->def.spacing)) item->def.spacing = of->spacing;
  item->def.domain = mote_domain_open(3);
  for (int k = 0; k < 3; ++k) {
    item->def.domain.periodic[k] = of->side[k][0] == MOTE_SIDE_PERIODIC;
    item->def.domain.low[k] = of->low[k], item->def.domain.high[k] = of->high[k];
  }
  item->walls = def->walls ? mote_world_def_walls(of) : mote_surface_walls_none();
  if (of->dimensions == 2) {
    MOTE_TRY(mote_surface_def_flat(&item->def, error));
    item->def.normals = false;  // of caps, which are not visible
    item->walls.low[2] = -HUGE_VAL, item->walls.high[2] = HUGE_VAL;
  }
  if (item->def.method == MOTE_SURFACE_TRACKED) return MOTE_OK;
  mote_surface_walls_cut(&item->walls, &item->def);
  // Allocated by the caller's environment, because the caller frees the mesh.
  return mote_surfacer_create(&item->def, &world->outer, &item->surfacer, error);
}

mote_result mote_world_add_surface(mote_world *world, const mote_world_surface_def *def,
                                   mote_world_surface *out, mote_error *error) {
  if (world == NULL || def == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "adding needs a world and a definition");
  if (world->def.dimensions < 2) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there are no surfaces in %dD", world->def.dimensions);
  }
  if (def->surface.method == MOTE_SURFACE_TRACKED && world->track == NULL)
    return mote_fail_key(error, "method", "the surface is not tracked: `track` is missing");
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_SURFACE, def->name, error));
  mote_surface_item item;
  MOTE_TRY(make_item(world, def, &item, error));
  uint32_t k;
  mote_result result = mote_items_add(world, MOTE_ITEM_SURFACE, &item, &k, error);
  if (result == MOTE_OK && def->surface.method == MOTE_SURFACE_ADAMS) {
    result = register_tables(&world->now, error);
    if (result == MOTE_OK)
      result = add_row(&world->now, def->name, &mote_surface_at(world, k)->history, error);
    if (result != MOTE_OK) mote_items_undo(world, MOTE_ITEM_SURFACE);
    world->has_frame = false;
  }
  if (result != MOTE_OK) {
    mote_surfacer_destroy(item.surfacer);
    return result;
  }
  if (out != NULL) *out = (mote_world_surface){k, 1};
  return MOTE_OK;
}

// --- Building ------------------------------------------------------------------------------------------

static mote_result build(const mote_world *world, const mote_surface_item *item,
                         const mote_surface_particles *particles, mote_surface *out, mote_error *error) {
  mote_surface_images images;
  MOTE_TRY(recall(world, item, error));
  MOTE_TRY(mote_surface_images_make(&item->walls, particles, &item->def, &world->outer, &images, error));
  mote_result result = mote_surfacer_build(item->surfacer, &images.view, out, error);
  mote_surface_images_free(&images, &world->outer);
  if (result != MOTE_OK) return result;
  result = remember(world, item, error);
  if (result != MOTE_OK) mote_surface_free(out, &world->outer);
  return result;
}

// Fluid and lattice rows, between which those of elastic bodies lie.
static mote_result build_both(mote_world *world, const mote_surface_item *item,
                              const mote_surface_particles *all, mote_surface *out, mote_error *error) {
  size_t fluid = all->count, lattice = mote_world_lattice_rows(world), n = fluid + lattice,
         first = mote_lattice_first_row(world);
  if (all->fields > 0)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a surface of fluids and lattices has no fields");
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  MOTE_TAKE_NEW(double, position, &world->scratch, 3 * n + 1, error);
  MOTE_TAKE_NEW(uint64_t, id, &world->scratch, n + 1, error);
  if (fluid > 0) {
    memcpy(position, all->position, 3 * fluid * sizeof *position);
    memcpy(id, all->id, fluid * sizeof *id);
  }
  if (lattice > 0) {
    memcpy(position + 3 * fluid, all->position + 3 * first, 3 * lattice * sizeof *position);
    memcpy(id + fluid, all->id + first, lattice * sizeof *id);
  }
  mote_surface_particles both = {.position = position, .count = n, .id = id};
  mote_result result = build(world, item, &both, out, error);
  mote_arena_release(&world->scratch, mark);
  return result;
}

// The current mesh with its waves; created if there was no step yet.
static mote_result build_tracked(mote_world *world, mote_surface *out, mote_error *error) {
  mote_tracked *mesh;
  MOTE_TRY(mote_step_begin_surface(world, error));
  MOTE_TRY(mote_world_track_read(world, &mesh, error));
  mesh->env = world->outer;  // meshes are the caller's to free
  mote_result result = mote_tracked_wave_surface(mesh, out, error);
  mesh->env = world->env;
  mote_tracked_destroy(mesh);
  return result;
}

mote_result mote_world_build_surface(mote_world *world, mote_world_surface surface,
                                     const mote_field_view *field, int fields, mote_surface *out,
                                     mote_error *error) {
  if (world == NULL || out == NULL || (field == NULL && fields > 0) || surface.generation != 1 ||
      surface.index >= mote_world_items(world, MOTE_ITEM_SURFACE)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such surface");
  }
  const mote_store *store = mote_world_store(world);
  const mote_surface_item *item = mote_surface_at(world, surface.index);
  mote_surface_particles particles = {.position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
                                      .count = mote_world_fluid_rows(world),
                                      .id = mote_store_ids(store),
                                      .field = field,
                                      .fields = fields};
  if (item->def.method == MOTE_SURFACE_TRACKED) return build_tracked(world, out, error);
  if (item->rows == MOTE_ROWS_BOTH) return build_both(world, item, &particles, out, error);
  if (item->rows == MOTE_ROWS_LATTICE) {
    size_t first = mote_lattice_first_row(world);
    particles.position += 3 * first, particles.id += first, particles.count = mote_world_lattice_rows(world);
  }
  return build(world, item, &particles, out, error);
}
