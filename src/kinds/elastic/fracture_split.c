// Resampling of bodies that break, EG09 (71): particles left with too few neighbours by cracks or plastic
// flow are split into 2^dimensions of half the spacing, whose rows are appended to the block of their body.
// State: rest positions, the original particle of each, and the number of its halvings; the body is rebuilt
// from these. Theory: docs/theory/fragments.md, "Resampling"
#include <math.h>
#include <string.h>

#include "base/note.h"
#include "cracks/elastic_split.h"
#include "cracks/tuning.inc"
#include "elastic/elastic_parts.h"
#include "geom/triple.h"
#include "kinds/elastic/fracture_bodies.h"

#define HALVINGS_MAX 20  // of a row of a snapshot; what runs make ends at split_min

// --- The body of the rows ------------------------------------------------------------------------------

static size_t rows_of(const mote_world *world, size_t k) {
  return mote_world_store(world)->block[mote_elastic_block(world, k)].count;
}

static bool is_made_of_rows(const mote_world *world, size_t k) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  size_t n = rows_of(world, k), first = item->fracture->first->count;
  if (n != item->origin->count) return false;
  const double *rest = mote_elastic_rows(world, MOTE_ELASTIC_REST, k);
  for (size_t i = 0; i < 3 * n && n > first; ++i) {
    if (rest[i] != item->origin->rest[i]) return false;
  }
  return true;
}

static mote_result create(mote_world *world, size_t k, mote_elastic **out, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  size_t n = rows_of(world, k);
  const uint32_t *first = mote_elastic_rows(world, MOTE_ELASTIC_FIRST, k);
  mote_elastic_path through = {item->shape, world->def.spacing};
  mote_elastic_def more = {.path_length = mote_elastic_path_lengths,
                           .user = &through,
                           .face_point = f->face,
                           .face_area = f->face == NULL ? NULL : f->face + 3 * f->faces,
                           .faces = f->faces};
  MOTE_ALLOC_NEW(uint32_t, from, &world->env, n, error);
  for (uint32_t i = 0; i < n; ++i) from[i] = first[i] == 0 ? i : first[i] - 1;
  mote_elastic_parts parts = {.first = f->first,
                              .count = n,
                              .rest = mote_elastic_rows(world, MOTE_ELASTIC_REST, k),
                              .from = from,
                              .halvings = mote_elastic_rows(world, MOTE_ELASTIC_HALVINGS, k)};
  mote_result result = mote_elastic_create_parts(&parts, &more, out, error);
  mote_free(&world->env, from, n, sizeof *from);
  return result;
}

// Positions of the particles for contact: at rest, and at rest before clamps moved some.
static mote_result copy_positions(mote_world *world, size_t k, double **rest, double **filled,
                                  mote_error *error) {
  const mote_fracture *f = mote_elastic_at(world, k)->fracture;
  size_t n = 3 * rows_of(world, k);
  *filled = f->first_filled;
  MOTE_ALLOC(*rest, &world->env, n, error);
  memcpy(*rest, mote_elastic_rows(world, MOTE_ELASTIC_REST, k), n * sizeof **rest);
  if (n == 3 * f->first->count || *filled == NULL) return MOTE_OK;
  *filled = mote_alloc(&world->env, n, sizeof **filled);
  if (*filled == NULL) {
    mote_free(&world->env, *rest, n, sizeof **rest);
    return mote_fail_memory(error, n * sizeof **filled);
  }
  const uint8_t *halvings = mote_elastic_rows(world, MOTE_ELASTIC_HALVINGS, k);
  for (size_t i = 0; i < n; ++i) (*filled)[i] = halvings[i / 3] == 0 ? f->first_filled[i] : (*rest)[i];
  return MOTE_OK;
}

// Replaces the current body, which is destroyed unless it is the original one.
static void replace(mote_world *world, mote_elastic_item *item, mote_elastic *next, mote_elastic_cut cut) {
  mote_fracture *f = item->fracture;
  const mote_env *env = &world->env;
  mote_elastic_bodies_free(&world->elastic_bodies);
  mote_free(env, item->rest, 3 * item->origin->count, sizeof *item->rest);
  if (item->filled != f->first_filled)
    mote_free(env, item->filled, 3 * item->filled_count, sizeof *item->filled);
  if (item->elastic != item->origin) mote_elastic_destroy(item->elastic);
  if (item->origin == f->first) {
    f->first_cut = f->cut;
  } else {
    mote_elastic_cut_end(&f->cut, item->origin);
    mote_elastic_destroy(item->origin);
  }
  item->origin = item->elastic = next;
  f->cut = cut;
  if (mote_world_flows(world)) world->ready = false;  // fluids feel other samples
}

mote_result mote_fracture_load_split(mote_world *world, size_t k, bool *changed, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  if (is_made_of_rows(world, k)) return MOTE_OK;
  mote_elastic *next = f->first;
  mote_elastic_cut cut = f->first_cut;
  double *rest, *filled;
  if (rows_of(world, k) > f->first->count) {
    MOTE_TRY(create(world, k, &next, error));
    cut = (mote_elastic_cut){.spacing = f->cut.spacing, .transparency = f->cut.transparency};
  }
  mote_result result = next != f->first ? mote_elastic_cut_begin(&cut, next, error) : MOTE_OK;
  if (result == MOTE_OK) result = copy_positions(world, k, &rest, &filled, error);
  if (result != MOTE_OK) {
    if (next != f->first) mote_elastic_cut_end(&cut, next), mote_elastic_destroy(next);
    return result;
  }
  replace(world, item, next, cut);
  item->rest = rest, item->filled = filled;
  item->filled_count = filled == NULL ? 0 : next->count;
  *changed = true;
  return MOTE_OK;
}

bool mote_fracture_rows_possible(const mote_elastic_item *item, const mote_store *store, size_t block) {
  size_t n = store->block[block].count, first = item->fracture->first->count;
  if (n < first) return false;
  const uint32_t *from = mote_store_rows(store, MOTE_ELASTIC_FIRST, block);
  const uint8_t *halvings = mote_store_rows(store, MOTE_ELASTIC_HALVINGS, block);
  for (size_t i = 0; i < n; ++i) {
    bool whole = i < first && from[i] == 0, part = from[i] > 0 && from[i] <= first && halvings[i] > 0;
    if (!(i < first ? whole || (part && from[i] == i + 1) : part) || halvings[i] > HALVINGS_MAX) return false;
  }
  return true;
}

// --- Splitting -----------------------------------------------------------------------------------------

void mote_fracture_mark_gripped(const mote_world *world, size_t k, uint8_t *skip) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  memcpy(skip, mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k), item->origin->count);
  for (size_t l = 0; l < item->loads; ++l) {
    for (size_t r = 0; r < item->load[l].rows; ++r) skip[item->load[l].row[r]] = 1;
  }
}

static bool crosses(void *cracks, const double a[3], const double b[3]) {
  double at;
  return mote_crack_cuts(cracks, a, b, &at);
}

static void warn_once(const mote_world *world, mote_elastic_item *item, size_t most) {
  if (!item->fracture->limited)
    mote_note(&world->env, MOTE_LOG_WARNING,
              "body \"%s\": no more particles are split, it has %zu of at most %zu (split_most)", item->name,
              item->origin->count, most);
  item->fracture->limited = true;
}

static mote_result choose(mote_world *world, size_t k, mote_split_def *def, uint32_t *row, size_t *count,
                          mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_fracture *f = item->fracture;
  size_t n = item->origin->count, left = world->def.particles_max - mote_world_elastic_rows(world);
  MOTE_TAKE_NEW(uint8_t, skip, &world->scratch, n, error);
  MOTE_TAKE_NEW(uint32_t, piece, &world->scratch, n, error);
  mote_fracture_mark_gripped(world, k, skip);
  *def = (mote_split_def){.least_spacing = f->split_min,
                          .most = f->split_most < n + left ? f->split_most : n + left,
                          .skip = skip,
                          .uncut = f->cut.uncut.first,
                          .eye = mote_elastic_rows(world, MOTE_ELASTIC_EYE, k),
                          .crosses = crosses,
                          .user = &f->cracks};
  size_t pieces = mote_elastic_pieces(item->elastic, piece);
  bool limited = false;
  MOTE_TRY(mote_elastic_find_splits(item->elastic, def, piece, pieces, row, count, &limited, error));
  if (limited) warn_once(world, item, def->most);
  return MOTE_OK;
}

// Gradients of the current and of the reference positions with respect to the original rest shape; none of
// the reference if it is that shape.
static mote_result find_gradients(mote_world *world, size_t k, double *now, double *reference,
                                  mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k);
  MOTE_TRY(mote_elastic_split_gradients(item->elastic, x, now, error));
  if (item->elastic == item->origin) return MOTE_OK;
  const double *y = mote_elastic_rows(world, MOTE_ELASTIC_REFERENCE, k);
  MOTE_TRY(mote_elastic_split_gradients(item->origin, y, reference, error));
  for (size_t i = 0; i < item->origin->count; ++i) {
    double product[9], *a = now + 9 * i, *b = reference + 9 * i;
    multiply3(a, b, product);  // (1 + a)(1 + b) - 1
    for (int e = 0; e < 9; ++e) a[e] += b[e] + product[e];
  }
  return MOTE_OK;
}

// New rows are copies of their parents in all fields but the id.
static mote_result copy_parents(mote_world *world, size_t k, const mote_split_rows *rows, mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t block = mote_elastic_block(world, k), n = store->block[block].count;
  MOTE_TRY(mote_store_resize(store, block, rows->count, error));
  for (int field = 0; field < store->table->fields; ++field) {
    if (field == store->table->id || !mote_store_has(store, field, block)) continue;
    size_t size = mote_field_size(&store->table->field[field]);
    char *data = mote_store_rows(store, field, block);
    for (size_t i = n; i < rows->count; ++i) memcpy(data + i * size, data + rows->parent[i] * size, size);
  }
  return MOTE_OK;
}

static void place_part(mote_world *world, size_t k, size_t i, const mote_split_rows *rows) {
  mote_fracture *f = mote_elastic_at(world, k)->fracture;
  double *eye = (double *)mote_elastic_rows(world, MOTE_ELASTIC_EYE, k) + 3 * i;
  uint32_t *first = (uint32_t *)mote_elastic_rows(world, MOTE_ELASTIC_FIRST, k) + i;
  copy3(rows->position + 3 * i, (double *)mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k) + 3 * i);
  copy3(rows->rest + 3 * i, (double *)mote_elastic_rows(world, MOTE_ELASTIC_REST, k) + 3 * i);
  copy3(rows->rest + 3 * i, eye);
  (void)mote_crack_keep_off(&f->cracks, MOTE_CRACK_MARGIN * f->cut.spacing * rows->support[i], eye);
  ((double *)mote_elastic_rows(world, MOTE_ELASTIC_MASS, k))[i] /= world->def.dimensions == 2 ? 4.0 : 8.0;
  ++((uint8_t *)mote_elastic_rows(world, MOTE_ELASTIC_HALVINGS, k))[i];
  if (*first == 0) *first = rows->parent[i] + 1;
}

// Position of the part in the reference of its body, from that of its parent, which the row still has.
static void place_reference(mote_world *world, size_t k, size_t i, const mote_split_rows *rows,
                            const double *gradient) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  if (!item->renews) return;
  size_t p = rows->parent[i];
  double delta[3], more[3] = {0}, *y = (double *)mote_elastic_rows(world, MOTE_ELASTIC_REFERENCE, k) + 3 * i;
  sub3(rows->rest + 3 * i, item->origin->rest + 3 * p, delta);
  if (item->elastic == item->origin) {
    copy3(rows->rest + 3 * i, y);  // to the bit
    return;
  }
  turn3(gradient + 9 * p, delta, more);
  step3(y, 1.0, delta, y), step3(y, 1.0, more, y);
}

static mote_result take_rows(mote_world *world, mote_split_rows *rows, size_t most, mote_error *error) {
  MOTE_TAKE(rows->rest, &world->scratch, 9 * most, error);
  MOTE_TAKE(rows->support, &world->scratch, 2 * most, error);
  MOTE_TAKE(rows->parent, &world->scratch, most, error);
  rows->position = rows->rest + 3 * most, rows->velocity = rows->rest + 6 * most;
  rows->volume = rows->support + most;
  return MOTE_OK;
}

static mote_result split(mote_world *world, size_t k, mote_split_def *def, const uint32_t *row, size_t count,
                         bool *done, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  size_t n = item->origin->count, most = mote_elastic_split_count(item->origin, count);
  MOTE_TAKE_NEW(double, now, &world->scratch, 18 * n, error);
  double *reference = now + 9 * n;
  mote_split_rows rows = {0};
  MOTE_TRY(take_rows(world, &rows, most, error));
  MOTE_TRY(find_gradients(world, k, now, reference, error));
  def->gradient = now;
  mote_elastic_motion motion = mote_elastic_body_motion(world, k);
  MOTE_TRY(mote_elastic_split(item->origin, def, &motion, row, count, &rows, error));
  if (rows.count == n) return MOTE_OK;
  MOTE_TRY(copy_parents(world, k, &rows, error));
  for (size_t i = 0; i < rows.count; ++i) {
    if (rows.support[i] == item->origin->support[rows.parent[i]]) continue;
    place_part(world, k, i, &rows);
    place_reference(world, k, i, &rows, reference);
  }
  *done = true;
  MOTE_TRY(mote_fracture_load_split(world, k, &(bool){false}, error));
  MOTE_TRY(mote_fracture_recut(world, k, error));
  if (item->renews) MOTE_TRY(mote_elastic_body_refer(world, k, error));
  return mote_fracture_part_pairs(world, k, error);
}

mote_result mote_fracture_split(mote_world *world, size_t k, bool *done, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  if (item->fracture->cracks.triangles == 0 && item->elastic == item->origin) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  mote_split_def def;
  size_t count = 0;
  uint32_t *row = mote_arena_take(&world->scratch, item->origin->count, sizeof *row);
  mote_result result = row == NULL ? mote_fail_memory(error, item->origin->count * sizeof *row)
                                   : choose(world, k, &def, row, &count, error);
  if (result == MOTE_OK && count > 0) result = split(world, k, &def, row, count, done, error);
  mote_arena_release(&world->scratch, mark);
  return result;
}
