// References of elastic bodies that have flowed far. They are state; bodies are made of them, so that a world
// that goes back to the beginning of a frame, or was loaded, has the bodies that it had.
// Theory: docs/theory/solids.md, "Another reference"
#include "base/note.h"
#include "world/elastic_bodies.h"

static mote_elastic_reference reference_of(const mote_world *world, size_t k) {
  return (mote_elastic_reference){.position = mote_soft_rows(world, MOTE_SOLID_REFERENCE, k),
                                  .metric = mote_soft_rows(world, MOTE_SOLID_METRIC, k),
                                  .flowed = mote_soft_rows(world, MOTE_SOLID_FLOWED, k)};
}

static bool has_reference(const mote_elastic *body, const double *position) {
  for (size_t k = 0; k < 3 * body->count; ++k) {
    if (body->rest[k] != position[k]) return false;
  }
  return true;
}

// world->soft, which stands on the bodies there are, goes first.
static mote_result put(mote_world *world, mote_soft_item *item, mote_elastic *body, mote_error *error) {
  mote_elastic_pitch pitch;
  mote_result result = mote_elastic_pitch_find(body, MOTE_SOFT_PITCH_STEPS, &pitch, error);
  mote_elastic *gone = result == MOTE_OK ? item->elastic : body;
  mote_softs_free(&world->soft);
  if (result == MOTE_OK) item->elastic = body, item->pitch = pitch;
  if (gone != item->origin) mote_elastic_destroy(gone);
  return result;
}

// *changed: whether any body is another one now.
static mote_result refer(mote_world *world, bool *changed, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    mote_soft_item *item = mote_soft_at(world, k);
    if (!item->renews) continue;
    mote_elastic_reference reference = reference_of(world, k);
    mote_elastic *body = item->origin;
    if (has_reference(item->elastic, reference.position)) continue;
    if (!has_reference(body, reference.position))
      MOTE_TRY(mote_elastic_refer(item->origin, &reference, &body, error));
    *changed = true;
    MOTE_TRY(put(world, item, body, error));
  }
  return MOTE_OK;
}

// Where this fails the world is not ready, and makes it again before the next step.
static mote_result make_again(mote_world *world, mote_result result, mote_error *error) {
  if (result == MOTE_OK) result = mote_softs_make(world, error);
  world->ready = result == MOTE_OK;
  return result;
}

mote_result mote_softs_refer(mote_world *world, mote_error *error) {
  bool changed = false, ready = world->ready;
  mote_result result = refer(world, &changed, error);
  if (result != MOTE_OK) world->ready = false;
  return changed && ready ? make_again(world, result, error) : result;
}

static mote_result renew(mote_world *world, bool *changed, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SOFT); ++k) {
    mote_soft_item *item = mote_soft_at(world, k);
    if (!item->renews) continue;
    mote_elastic_motion motion = mote_soft_motion(world, k);
    mote_elastic_reference reference = reference_of(world, k);
    mote_elastic *next;
    mote_error why = {0};
    mote_result result =
        mote_elastic_renew(item->origin, item->elastic, item->renew_strain, &motion, &reference, &next, &why);
    if (result != MOTE_OK && error != NULL) *error = why;
    MOTE_TRY(result);
    if (next == NULL && why.code != MOTE_OK)
      mote_note(&world->env, MOTE_LOG_WARNING, "body \"%s\" keeps its reference: %s", item->name, why.text);
    if (next == NULL) continue;
    *changed = true;
    MOTE_TRY(put(world, item, next, error));
  }
  return MOTE_OK;
}

mote_result mote_softs_renew(mote_world *world, bool *renewed, mote_error *error) {
  mote_result result = renew(world, renewed, error);
  return *renewed ? make_again(world, result, error) : result;
}
