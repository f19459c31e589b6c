// Several elastic bodies in one system: see elastic_group.h.
#include "elastic/elastic_group.h"

#include <string.h>

#include "elastic/elastic_explicit.h"

mote_result mote_elastic_group_make(mote_elastic *const *body, size_t bodies, mote_arena *memory,
                                    mote_elastic_group *out, mote_error *error) {
  MOTE_ASSERT(bodies > 0 && body != NULL);
  MOTE_ASSERT(memory != NULL && out != NULL);
  mote_elastic_group g = {.bodies = bodies, .threads = body[0]->env.threads};
  MOTE_TAKE(g.body, memory, bodies, error);
  MOTE_TAKE(g.start, memory, bodies + 1, error);
  g.start[0] = 0;
  for (size_t k = 0; k < bodies; ++k) {
    g.body[k] = body[k];
    g.start[k + 1] = g.start[k] + body[k]->count;
  }
  g.count = g.start[bodies];
  MOTE_TAKE(g.mass, memory, g.count, error);
  for (size_t k = 0; k < bodies; ++k) {
    memcpy(g.mass + g.start[k], body[k]->mass, body[k]->count * sizeof *g.mass);
  }
  *out = g;
  return MOTE_OK;
}

mote_elastic_motion mote_elastic_group_part(const mote_elastic_group *group,
                                            const mote_elastic_motion *motion, size_t k) {
  MOTE_ASSERT(k < group->bodies);
  size_t first = group->start[k];
  mote_elastic_motion part = *motion;
  part.position += 3 * first, part.velocity += 3 * first;
  if (part.plastic != NULL) part.plastic += 6 * first;
  if (part.more != NULL) part.more += MOTE_MIDPOINT_NUMBERS * first;
  if (part.held != NULL) part.held += first;
  if (part.before != NULL) part.before += 6 * first;
  return part;
}

void mote_elastic_group_forces(const mote_elastic_group *group, const mote_elastic_motion *motion,
                               double *force) {
  MOTE_ASSERT(motion != NULL && force != NULL);
  for (size_t k = 0; k < group->bodies; ++k) {
    if (!mote_elastic_group_moves(group, k)) continue;
    mote_elastic_motion part = mote_elastic_group_part(group, motion, k);
    mote_elastic_forces(group->body[k], &part, force + 3 * group->start[k]);
  }
}

double mote_elastic_group_energy(const mote_elastic_group *group, const mote_elastic_motion *motion) {
  MOTE_ASSERT(motion != NULL);
  double sum = 0.0;
  for (size_t k = 0; k < group->bodies; ++k) {
    if (!mote_elastic_group_moves(group, k)) continue;
    mote_elastic_motion part = mote_elastic_group_part(group, motion, k);
    mote_elastic_energies stored = mote_elastic_stored(group->body[k], &part);
    sum += stored.strain + stored.hourglass;
  }
  return sum;
}

void mote_elastic_group_strains(const mote_elastic_group *group, const double *position, double *strain) {
  MOTE_ASSERT(position != NULL && strain != NULL);
  for (size_t k = 0; k < group->bodies; ++k) {
    if (!mote_elastic_group_moves(group, k)) continue;
    size_t first = group->start[k];
    mote_elastic_strains(group->body[k], position + 3 * first, strain + 6 * first);
  }
}
