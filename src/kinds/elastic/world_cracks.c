// Cracks and breaks of a world's bodies, as programs read them: see mote/fracture.h.
#include <math.h>
#include <mote/fracture.h>

#include "base/memory.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/elastic/fracture_bodies.h"
#include "matter/bodies.h"

size_t mote_world_breaks(const mote_world *world, size_t most, mote_break *out) {
  size_t found = 0;
  uint64_t steps = mote_world_steps(world);
  for (size_t k = 0; k < mote_world_bodies(world); ++k) {
    mote_body_info about;
    mote_body body = mote_world_body_at(world, k);
    if (mote_world_body_about(world, body, &about, NULL) != MOTE_OK) continue;
    if (about.parent.generation == 0 || about.first_step + 1 != steps) continue;
    if (found < most) out[found] = (mote_break){about.parent, body, about.first_step};
    ++found;
  }
  return found;
}

// The area of a triangle, in 2D the length of a segment.
static double size_of(int dimensions, const double *corner) {
  double a[3], b[3], n[3];
  sub3(corner + 3, corner, a), sub3(corner + 6, corner, b);
  if (dimensions == 2) return length3(a);
  cross3(a, b, n);
  return 0.5 * length3(n);
}

static mote_result find_intensities(const mote_world *world, size_t k, mote_crack_summary *out,
                                    mote_error *error) {
  mote_elastic_item *item = mote_elastic_at(world, k);
  const mote_crack_sheets *c = &item->fracture->cracks;
  size_t count = item->elastic->count;
  double *stress = mote_alloc(&world->env, 6 * count, sizeof *stress);
  mote_stress_intensity *at = mote_alloc(&world->env, 2 * c->nodes, sizeof *at);
  uint8_t *gripped = mote_alloc(&world->env, count, sizeof *gripped);
  bool taken = stress != NULL && at != NULL && gripped != NULL;
  mote_result result = taken ? MOTE_OK : mote_fail_memory(error, 6 * count * sizeof *stress);
  if (result == MOTE_OK) result = mote_fracture_stresses(world, k, stress, error);
  if (result == MOTE_OK) {
    mote_crack_matter matter = mote_fracture_matter(world, k, stress, gripped);
    result = mote_crack_intensities(c, &matter, at, error);
    for (size_t n = 0; n < c->nodes && result == MOTE_OK; ++n) {
      if (isfinite(at[n].one)) out->one = max2(out->one, at[n].one);
      out->two = max2(out->two, fabs(at[n].two));
    }
  }
  mote_free(&world->env, gripped, count, sizeof *gripped);
  mote_free(&world->env, at, 2 * c->nodes, sizeof *at);
  mote_free(&world->env, stress, 6 * count, sizeof *stress);
  return result;
}

// Number of parts of the body's particles, the body itself included.
static size_t count_fragments(const mote_world *world, size_t definition) {
  size_t found = 0;
  for (size_t k = 0; k < mote_world_bodies(world); ++k) {
    mote_body_place place;
    if (!mote_bodies_resolve(world, mote_world_body_at(world, k), &place)) continue;
    found += place.kind == MOTE_KIND_ELASTIC && mote_bodies_definition(world, place) == definition;
  }
  return found;
}

mote_result mote_world_find_cracks(const mote_world *world, mote_body body, mote_crack_summary *out,
                                   mote_error *error) {
  mote_body_place place;
  if (world == NULL || out == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "world or out is null");
  if (!mote_bodies_resolve(world, body, &place))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no such body");
  size_t definition = mote_bodies_definition(world, place), k = 0;
  size_t bodies = mote_world_items(world, MOTE_KIND_ELASTIC);
  while (k < bodies && mote_elastic_at(world, k)->body != definition) ++k;
  if (place.kind != MOTE_KIND_ELASTIC || k == bodies || mote_elastic_at(world, k)->fracture == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the body is not one that can break");
  const mote_crack_sheets *c = &mote_elastic_at(world, k)->fracture->cracks;
  *out = (mote_crack_summary){.cracks = c->sheets, .fragments = count_fragments(world, definition)};
  for (size_t t = 0; t < c->triangles; ++t) out->size += size_of(c->dimensions, c->corner + 9 * t);
  for (size_t f = 0; f < c->fronts; ++f) out->moving = out->moving || c->front[f].moving;
  return c->nodes > 0 ? find_intensities(world, k, out, error) : MOTE_OK;
}
