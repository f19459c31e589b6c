// Bodies that wait, and their return: see waiting.h. What is in their way: waiting_place.c.
#include "matter/waiting.h"

#include <string.h>

#include "geom/triple.h"
#include "matter/body_forces.h"
#include "matter/carve.h"
#include "matter/items.h"
#include "matter/kind.h"
#include "matter/waiting_place.h"
#include "search/domain.h"

#define POINTS_MAX 1000000  // of a packing

// --- Rows ---------------------------------------------------------------------------------------------

// The size of so many rows of a block with all their fields.
static size_t rows_size(const mote_store *store, size_t block, size_t count) {
  size_t size = 0;
  for (int f = 0; f < store->table->fields; ++f)
    if (mote_store_has(store, f, block)) size += count * mote_field_size(&store->table->field[f]);
  return size;
}

// Copies rows of a block, field by field, to memory of that size or from it.
static void copy_rows(const mote_store *store, size_t block, size_t first, size_t count, char *kept,
                      bool back) {
  for (int f = 0; f < store->table->fields; ++f) {
    if (!mote_store_has(store, f, block)) continue;
    size_t size = mote_field_size(&store->table->field[f]);
    char *rows = (char *)mote_store_rows(store, f, block) + first * size;
    if (back) {
      memcpy(rows, kept, count * size);
    } else {
      memcpy(kept, rows, count * size);
    }
    kept += count * size;
  }
}

// --- Keeping ------------------------------------------------------------------------------------------

static mote_result keep_points(mote_world *world, mote_waiting *w, const double *x, size_t count,
                               mote_error *error) {
  MOTE_ALLOC(w->point, &world->env, 3 * count, error);
  memcpy(w->point, x, 3 * count * sizeof *x);
  w->points = count;
  return MOTE_OK;
}

// Its particles are the last of their block.
static mote_result keep_particles(mote_world *world, mote_body_place place, mote_waiting *w,
                                  mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t block = mote_kind_block_of_body(world, place), count = store->block[block].count;
  const uint32_t *label = count > 0 ? mote_store_rows(store, MOTE_PARTICLE_BODY, block) : NULL;
  uint32_t own = mote_bodies_id(world, place) + 1;
  while (w->particles < count && label[count - 1 - w->particles] == own) ++w->particles;
  w->groups = store->block[block].groups;
  w->rows_size = rows_size(store, block, w->particles);
  MOTE_ALLOC(w->rows, &world->env, w->rows_size, error);
  copy_rows(store, block, count - w->particles, w->particles, w->rows, false);
  const double *x = mote_store_rows(store, MOTE_PARTICLE_POSITION, block);
  return keep_points(world, w, x + 3 * (count - w->particles), w->particles, error);
}

// A body that is thinner than a spacing has none, and is known by its contact geometry alone.
static mote_result keep_packing(mote_world *world, mote_body_place place, mote_waiting *w,
                                mote_error *error) {
  const mote_kind_row *kind = mote_kind_row_of(world, place.kind);
  mote_samples samples;
  if (kind->is_fixed != NULL && kind->is_fixed(world, place.row)) return MOTE_OK;
  mote_result result = mote_shape_fill(mote_kind_shape(world, place.kind, place.row), world->def.spacing,
                                       MOTE_FILL_CUBIC, 0, POINTS_MAX, &world->env, &samples, NULL);
  if (result == MOTE_ERROR_MEMORY) return mote_fail_memory(error, POINTS_MAX);
  if (result != MOTE_OK) return MOTE_OK;
  result = keep_points(world, w, samples.position, samples.count, error);
  mote_samples_free(&samples, &world->env);
  return result;
}

static mote_result keep_rows(mote_world *world, mote_body_place place, mote_waiting *w, mote_error *error) {
  const mote_store *bodies = mote_bodies(world);
  w->row_size = rows_size(bodies, place.kind, 1);
  MOTE_ALLOC(w->row, &world->env, w->row_size, error);
  copy_rows(bodies, place.kind, place.row, 1, w->row, false);
  bool packed = mote_kind_row_of(world, place.kind)->group == 0;
  return packed ? keep_packing(world, place, w, error) : keep_particles(world, place, w, error);
}

mote_result mote_waiting_keep(mote_world *world, mote_body_place place, mote_error *error) {
  const mote_kind_row *kind = mote_kind_row_of(world, place.kind);
  size_t definition = mote_bodies_definition(world, place);
  mote_waiting *w = mote_alloc(&world->env, 1, sizeof *w);
  if (w == NULL) return mote_fail_memory(error, sizeof *w);
  *w = (mote_waiting){.kind = place.kind};
  if (kind->item_size > 0) w->number = world->item[place.kind].all - 1;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = keep_rows(world, place, w, error);
  if (result == MOTE_OK) result = kind->remove(world, place, error);
  mote_arena_release(&world->scratch, mark);
  if (result == MOTE_OK) {
    mote_body_at(world, definition)->waiting = w;
  } else {
    mote_waiting_free(w, &world->env);  // it is there, and does not wait
  }
  return result;
}

bool mote_waiting_is_there(const mote_world *world, size_t definition) {
  mote_body_place place;
  mote_addressed all = {.pieces = true, .body = (uint32_t)definition};
  size_t cursor = 0;
  return mote_bodies_next(world, &all, &cursor, &place);
}

// --- Return -------------------------------------------------------------------------------------------

// Positions and velocities of its particles.
static void move_particles(mote_world *world, const mote_waiting *w, size_t block, size_t first,
                           const double move[3], const double *velocity) {
  const mote_kind_row *kind = mote_kind_row_of(world, w->kind);
  const mote_store *store = mote_world_store(world);
  double *x = (double *)mote_store_rows(store, MOTE_PARTICLE_POSITION, block) + 3 * first;
  bool single = store->table->field[kind->velocity].type == MOTE_TYPE_F32;
  char *v = mote_store_rows(store, kind->velocity, block);
  for (size_t i = 0; i < w->particles; ++i) {
    step3(x + 3 * i, 1.0, move, x + 3 * i);
    mote_domain_wrap(&world->domain, x + 3 * i);
    for (size_t a = 0; velocity != NULL && a < 3; ++a) {
      size_t at = 3 * (first + i) + a;
      if (single) {
        ((float *)v)[at] = (float)velocity[a];
      } else {
        ((double *)v)[at] = velocity[a];
      }
    }
  }
}

static mote_result return_particles(mote_world *world, const mote_waiting *w, mote_body_place place,
                                    const double move[3], const double *velocity, mote_error *error) {
  mote_store *store = mote_world_store(world);
  uint64_t next_id = store->next_id;
  size_t block = mote_kind_block_of_body(world, place), first = 0;
  if (mote_kind_row_of(world, w->kind)->blocks == MOTE_BLOCKS_BODIES) {
    MOTE_TRY(mote_store_insert_block(store, block, w->groups, w->particles, error));
  } else {
    first = store->block[block].count;
    MOTE_TRY(mote_store_resize(store, block, first + w->particles, error));
  }
  store->next_id = next_id;
  MOTE_ASSERT(rows_size(store, block, w->particles) == w->rows_size);
  copy_rows(store, block, first, w->particles, w->rows, true);
  move_particles(world, w, block, first, move, velocity);
  return MOTE_OK;
}

static mote_result return_rows(mote_world *world, const mote_body_item *item, const double move[3],
                               const double *velocity, mote_error *error) {
  const mote_waiting *w = item->waiting;
  const mote_kind_row *kind = mote_kind_row_of(world, w->kind);
  mote_body_place place = {.kind = w->kind};
  if (kind->item_size > 0) MOTE_TRY(mote_items_expect_return(world, w->kind, error));
  MOTE_TRY(mote_bodies_insert(world, w->kind, item->id, &place.row, error));
  mote_store *bodies = mote_bodies(world);
  copy_rows(bodies, w->kind, place.row, 1, w->row, true);
  ((uint64_t *)mote_store_rows(bodies, MOTE_BODY_FIRST_STEP, w->kind))[place.row] = mote_world_steps(world);
  if (kind->item_size > 0) mote_items_return(world, w->kind, w->number);
  mote_result result = MOTE_OK;
  if (kind->group == 0) {
    kind->place(world, place.row, move, velocity);
  } else {
    result = return_particles(world, w, place, move, velocity, error);
  }
  if (result == MOTE_OK) return MOTE_OK;
  if (kind->item_size > 0) mote_items_remove(world, w->kind, mote_items_place(world, w->kind, w->number));
  mote_bodies_end(world, item->id);
  return result;
}

// The memory for this is there: it came just now.
static void take_out(mote_world *world, const mote_body_item *item) {
  mote_body_place place;
  bool ready = world->ready, measured = world->measured, there = mote_bodies_find(world, item->id, &place);
  mote_result result = mote_kind_row_of(world, place.kind)->remove(world, place, NULL);
  MOTE_ASSERT(there && result == MOTE_OK);
  (void)there, (void)result;
  world->ready = ready, world->measured = measured;
}

// Among bodies without particles it is there for a moment, because only the kind knows whether they overlap.
static mote_result check_there(mote_world *world, const mote_body_item *item, const double move[3],
                               mote_error *error) {
  const mote_kind_row *kind = mote_kind_row_of(world, item->waiting->kind);
  if (kind->check_place == NULL) return MOTE_OK;
  MOTE_TRY(return_rows(world, item, move, NULL, error));
  mote_result result = kind->check_place(world, mote_bodies_row(world, item->waiting->kind, item->id), error);
  take_out(world, item);
  return result;
}

mote_result mote_waiting_check(mote_world *world, size_t definition, const double move[3],
                               mote_error *error) {
  const mote_body_item *item = mote_body_at(world, definition);
  MOTE_ASSERT(item->waiting != NULL && !mote_waiting_is_there(world, definition));
  int group = mote_kind_row_of(world, item->waiting->kind)->group;
  if (group != 0 &&
      item->waiting->particles > world->def.particles_max - mote_world_store(world)->count[group])
    return mote_fail_key(error, "body", "\"%s\" would be more than particles_max, %zu", item->name,
                         world->def.particles_max);
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = mote_waiting_check_clear(world, item, move, error);
  if (result == MOTE_OK) result = check_there(world, item, move, error);
  mote_arena_release(&world->scratch, mark);
  if (result == MOTE_ERROR_ARGUMENT && error != NULL) memcpy(error->key, "move", sizeof "move");
  return result;
}

mote_result mote_waiting_return(mote_world *world, size_t definition, const double move[3],
                                const double *velocity, mote_error *error) {
  const mote_body_item *item = mote_body_at(world, definition);
  uint8_t *gone;
  MOTE_ASSERT(item->waiting != NULL && !mote_waiting_is_there(world, definition));
  MOTE_TRY(return_rows(world, item, move, velocity, error));
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_result result = mote_waiting_find_liquid(world, item, move, &gone, error);
  if (result == MOTE_OK) {
    mote_cut_remove(world, gone);
    world->ready = world->measured = false;
  } else {
    take_out(world, item);
  }
  mote_arena_release(&world->scratch, mark);
  return result;
}
