// References of elastic bodies after large plastic flow. They are part of the state; bodies are created from
// them, so that a world that returns to the start of a frame, or is loaded, has the same bodies. Theory:
// docs/theory/elastic.md, "Another reference"
#include "base/note.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"

static mote_elastic_reference reference_of(const mote_world *world, size_t k) {
  return (mote_elastic_reference){.position = mote_elastic_rows(world, MOTE_ELASTIC_REFERENCE, k),
                                  .metric = mote_elastic_rows(world, MOTE_ELASTIC_METRIC, k),
                                  .flowed = mote_elastic_rows(world, MOTE_ELASTIC_FLOWED, k)};
}

static bool has_reference(const mote_elastic *body, const double *position) {
  for (size_t k = 0; k < 3 * body->count; ++k) {
    if (body->rest[k] != position[k]) return false;
  }
  return true;
}

// Frees world->elastic_bodies first, which refers to the current bodies.
static mote_result replace_body(mote_world *world, mote_elastic_item *item, mote_elastic *body,
                                mote_error *error) {
  mote_elastic_frequency frequency;
  mote_result result =
      item->fracture != NULL
          ? mote_elastic_frequency_of_cut(body, &frequency, error)
          : mote_elastic_frequency_find(body, MOTE_ELASTIC_FREQUENCY_ITERATIONS, &frequency, error);
  mote_elastic *gone = result == MOTE_OK ? item->elastic : body;
  mote_elastic_bodies_free(&world->elastic_bodies);
  if (result == MOTE_OK) item->elastic = body, item->frequency = frequency;
  if (gone != item->origin) mote_elastic_destroy(gone);
  return result;
}

mote_result mote_elastic_body_refer(mote_world *world, size_t k, mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  mote_elastic_reference reference = reference_of(world, k);
  mote_elastic *body = item->origin;
  if (!has_reference(body, reference.position))
    MOTE_TRY(mote_elastic_create_from_reference(item->origin, &reference, &body, error));
  return replace_body(world, item, body, error);
}

// *changed: whether any body was replaced.
static mote_result refer(mote_world *world, bool *changed, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic_item *item = mote_elastic_at(world, k);
    bool recut = false;
    if (item->fracture != NULL) MOTE_TRY(mote_fracture_load(world, k, &recut, error));
    *changed = *changed || recut;
    if (!item->renews) continue;
    if (!recut && has_reference(item->elastic, reference_of(world, k).position)) continue;
    *changed = true;
    MOTE_TRY(mote_elastic_body_refer(world, k, error));
  }
  return MOTE_OK;
}

// On failure the world is not ready, and prepares itself again before the next step.
static mote_result make_again(mote_world *world, mote_result result, mote_error *error) {
  if (result == MOTE_OK) result = mote_elastic_bodies_make(world, error);
  world->ready = result == MOTE_OK;
  return result;
}

mote_result mote_elastic_bodies_load_references(mote_world *world, mote_error *error) {
  bool changed = false;
  mote_result result = refer(world, &changed, error);
  if (result != MOTE_OK) world->ready = false;
  return changed && world->ready ? make_again(world, result, error) : result;
}

static mote_result renew(mote_world *world, bool *changed, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    mote_elastic_item *item = mote_elastic_at(world, k);
    if (!item->renews) continue;
    mote_elastic_motion motion = mote_elastic_body_motion(world, k);
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
    MOTE_TRY(replace_body(world, item, next, error));
  }
  return MOTE_OK;
}

mote_result mote_elastic_bodies_renew_references(mote_world *world, bool *renewed, mote_error *error) {
  MOTE_ASSERT(renewed != NULL);
  mote_result result = renew(world, renewed, error);
  return *renewed ? make_again(world, result, error) : result;
}
