// Probes of bodies: see body_probe.h. A point of an elastic body has the shape functions of moving least
// squares at rest; forces are those of the last step, and of holds as they are now.
#include "world/body_probe.h"

#include <stdio.h>
#include <string.h>

#include "elastic/elastic_gauss.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/items.h"
#include "matter/probe_forces.h"

static mote_result find_target(const mote_world *world, const char *name, mote_probe_item *item,
                               mote_error *error) {
  item->target = MOTE_PROBED_NONE;
  size_t body = mote_items_find(world, MOTE_ITEM_BODY, name);
  size_t collider = mote_items_find(world, MOTE_ITEM_COLLIDER, name);
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    if (mote_rigid_at(world, k)->body == body) item->target = MOTE_PROBED_RIGID, item->index = k;
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    if (mote_elastic_at(world, k)->body == body) item->target = MOTE_PROBED_ELASTIC, item->index = k;
  }
  bool force = item->def.kind == MOTE_PROBE_FORCE;
  if (item->target == MOTE_PROBED_NONE && force && collider < mote_world_items(world, MOTE_ITEM_COLLIDER))
    item->target = MOTE_PROBED_COLLIDER, item->index = collider;
  if (item->target != MOTE_PROBED_NONE) return MOTE_OK;
  return mote_fail_key(error, "of", "there is no rigid or elastic body%s \"%.40s\"",
                       force ? " and no collider" : "", name);
}

mote_result mote_body_probe_make(const mote_world *world, mote_probe_item *item, mote_error *error) {
  const mote_probe_def *def = &item->def;
  if (def->kind != MOTE_PROBE_BODY && def->kind != MOTE_PROBE_FORCE) return MOTE_OK;
  if (def->of == NULL) return mote_fail_key(error, "of", "is missing: the name of a body");
  MOTE_TRY(find_target(world, def->of, item, error));
  snprintf(item->of, sizeof item->of, "%s", def->of);
  item->def.of = NULL;
  if (def->kind == MOTE_PROBE_FORCE) return MOTE_OK;
  const mote_shape *shape = item->target == MOTE_PROBED_RIGID ? mote_rigid_at(world, item->index)->shape
                                                              : mote_elastic_at(world, item->index)->shape;
  double away = mote_shape_distance(shape, def->from);
  if (away <= world->def.spacing) return MOTE_OK;
  return mote_fail_key(error, "from", "is %.3g m outside of the body", away);
}

static mote_result read_elastic_point(mote_world *world, size_t k, const double from[3], mote_reading *out,
                                      mote_error *error) {
  const mote_elastic *body = mote_elastic_at(world, k)->origin;
  const double *x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
               *v = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k);
  const double at[3] = {from[0], from[1], world->def.dimensions == 3 ? from[2] : 0.0},
               one[3] = {1.0, 0.0, 0.0};
  MOTE_TAKE_NEW(double, share, &world->scratch, 3 * body->count, error);
  MOTE_TRY(mote_elastic_spread_to_particles(body, 1, at, one, share, error));
  for (size_t i = 0; i < body->count; ++i) {
    step3(out->position, share[3 * i], x + 3 * i, out->position);
    step3(out->velocity, share[3 * i], v + 3 * i, out->velocity);
  }
  sub3(out->position, at, out->displacement);
  return MOTE_OK;
}

static void read_rigid_point(const mote_world *world, size_t k, const double from[3], mote_reading *out) {
  mote_obstacle obstacle = mote_rigid_body_obstacle(world, k, 0.0);
  double arm[3], turning[3];
  mote_pose_apply(&obstacle.pose, from, out->position);
  sub3(out->position, obstacle.x, arm);
  cross3(obstacle.w, arm, turning);
  step3(obstacle.v, 1.0, turning, out->velocity);
  sub3(out->position, from, out->displacement);
}

// The reaction to the force of the body on its held particles.
static mote_result read_reaction(mote_world *world, size_t k, mote_reading *out, mote_error *error) {
  mote_elastic *body = mote_elastic_at(world, k)->elastic;
  mote_elastic_motion motion = mote_elastic_body_motion(world, k);
  const uint8_t *hold = mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k);
  MOTE_TAKE_NEW(double, force, &world->scratch, 3 * body->count, error);
  mote_elastic_forces(body, &motion, force);
  for (size_t i = 0; i < body->count; ++i)
    if (hold[i] != 0) step3(out->reaction, -1.0, force + 3 * i, out->reaction);
  return MOTE_OK;
}

static mote_result read_force(mote_world *world, const mote_probe_item *item, mote_reading *out,
                              mote_error *error) {
  mote_probe_forces_read(world, item->target, item->index, out->force);
  if (item->target != MOTE_PROBED_ELASTIC) return MOTE_OK;
  return read_reaction(world, item->index, out, error);
}

mote_result mote_body_probe_read(mote_world *world, const mote_probe_item *item, mote_reading *out,
                                 mote_error *error) {
  mote_probe_item now = *item;
  *out = (mote_reading){0};
  if (find_target(world, item->of, &now, NULL) != MOTE_OK) return MOTE_OK;  // removed
  item = &now;
  if (item->def.kind == MOTE_PROBE_FORCE) return read_force(world, item, out, error);
  if (item->target == MOTE_PROBED_ELASTIC)
    return read_elastic_point(world, item->index, item->def.from, out, error);
  read_rigid_point(world, item->index, item->def.from, out);
  return MOTE_OK;
}
