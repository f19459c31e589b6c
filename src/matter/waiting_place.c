// What is in the place of a body that waits: see waiting_place.h.
#include "matter/waiting_place.h"

#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "matter/kind.h"
#include "matter/tuning.inc"
#include "search/domain.h"
#include "things/tuning.inc"

#define PARTICLES_PER_TASK 256

// The body in its place: points of the world are looked at where they would be if it had stayed where it was
// defined; with periodic sides the image that is nearest to its middle.
typedef struct placed {
  const mote_world *world;
  const mote_body_item *item;
  double move[3], middle[3];
  double near;  // below this distance to its shape a point is in it, m
  // Of a search among particles.
  const double *position;
  const uint32_t *label;
  uint8_t *in;
} placed;

static placed place(const mote_world *world, const mote_body_item *item, const double move[3]) {
  placed p = {.world = world, .item = item};
  double low[3], high[3];
  mote_shape_bounds(item->shape, low, high);
  copy3(move, p.move);
  for (int a = 0; a < 3; ++a) p.middle[a] = isfinite(high[a] - low[a]) ? 0.5 * (low[a] + high[a]) : 0.0;
  return p;
}

static double distance_to(const placed *p, const double x[3]) {
  double to[3], at[3], here[3];
  step3(p->middle, 1.0, p->move, to);
  mote_domain_difference(&p->world->domain, x, to, at);
  step3(at, 1.0, p->middle, here);
  return mote_shape_distance(p->item->shape, here);
}

static void in_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  placed *p = data;
  for (size_t i = begin; i < end; ++i)
    p->in[i] = p->label[i] != p->item->id + 1 && distance_to(p, p->position + 3 * i) < p->near;
}

// Flags, in scratch, of the particles of a kind that are in it; null: the kind has none.
static mote_result find_particles(placed *p, mote_world *world, mote_kind kind, size_t *count,
                                  mote_error *error) {
  mote_kind_particles all = mote_kind_particles_of(world, kind);
  p->position = all.position, p->label = all.label, p->in = NULL, *count = all.count;
  if (all.count == 0) return MOTE_OK;
  MOTE_TAKE(p->in, &world->scratch, all.count, error);
  mote_parallel_for(world->env.threads, all.count, PARTICLES_PER_TASK, in_chunk, p);
  return MOTE_OK;
}

// --- Solids -------------------------------------------------------------------------------------------

static mote_result fail_overlap(const placed *p, const char *other, mote_error *error) {
  return mote_fail_key(error, "move", "\"%s\" would overlap %s", p->item->name, other);
}

static mote_result fail_body(const placed *p, uint32_t label, mote_error *error) {
  char name[MOTE_BODY_NAME_SIZE], quoted[MOTE_BODY_NAME_SIZE + 2];
  mote_body_place at;
  if (!mote_bodies_find(p->world, label - 1, &at)) return fail_overlap(p, "another body", error);
  mote_bodies_name(p->world, at, name);
  snprintf(quoted, sizeof quoted, "\"%s\"", name);
  return fail_overlap(p, quoted, error);
}

// Whether its k-th point lies in the shape at this pose.
static bool reaches(const placed *p, size_t k, const mote_shape *shape, const mote_pose *pose,
                    double allowed) {
  double x[3], at[3];
  step3(p->item->waiting->point + 3 * k, 1.0, p->move, x);
  mote_domain_wrap(&p->world->domain, x);
  mote_pose_unapply(pose, x, at);
  return mote_shape_distance(shape, at) < -allowed;
}

static mote_result check_collider(const placed *p, const mote_collider_item *collider, const char *name,
                                  mote_error *error) {
  mote_pose pose = mote_pose_identity();
  if (collider->motion != NULL)
    pose = mote_motion_at(collider->motion, *mote_state_f64(&p->world->now, MOTE_WORLD_TIME));
  for (size_t k = 0; k < p->item->waiting->points; ++k)
    if (reaches(p, k, collider->shape, &pose, MOTE_OVERLAP_ALLOWED * p->world->def.spacing))
      return fail_overlap(p, name, error);
  return MOTE_OK;
}

// Its points in bodies without particles, and points of these in it.
static mote_result check_bodies(const placed *p, mote_kind kind, mote_error *error) {
  const mote_kind_row *row = mote_kind_row_of(p->world, kind);
  double allowed = MOTE_OVERLAP_ALLOWED * p->world->def.spacing;
  for (size_t b = 0; b < mote_world_items(p->world, (int)kind); ++b) {
    uint32_t label = mote_body_at(p->world, mote_kind_item_at(p->world, kind, b)->body)->id + 1;
    const mote_contact_samples *samples = row->contact_samples(p->world, b);
    mote_pose pose;
    if (!row->pose(p->world, b, &pose)) continue;
    for (size_t k = 0; k < p->item->waiting->points; ++k)
      if (reaches(p, k, mote_kind_shape(p->world, kind, b), &pose, allowed))
        return fail_body(p, label, error);
    for (size_t k = 0; k < samples->count; ++k) {
      double x[3];
      mote_pose_apply(&pose, samples->sample[k].centre, x);
      if (distance_to(p, x) < -allowed) return fail_body(p, label, error);
    }
  }
  return MOTE_OK;
}

mote_result mote_waiting_check_clear(mote_world *world, const mote_body_item *item, const double move[3],
                                     mote_error *error) {
  placed p = place(world, item, move);
  p.near = -MOTE_OVERLAP_ALLOWED * world->def.spacing;
  if (world->walls.shape != NULL) MOTE_TRY(check_collider(&p, &world->walls, "the domain's walls", error));
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k)
    MOTE_TRY(check_collider(&p, mote_collider_at(world, k), mote_collider_at(world, k)->name, error));
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    size_t count, k = 0;
    if (row->group == 0) MOTE_TRY(check_bodies(&p, (mote_kind)kind, error));
    if (row->group == 0 || row->is_liquid) continue;
    MOTE_TRY(find_particles(&p, world, (mote_kind)kind, &count, error));
    while (k < count && !p.in[k]) ++k;
    if (k < count) return fail_body(&p, p.label[k], error);
  }
  return MOTE_OK;
}

// --- Liquids ------------------------------------------------------------------------------------------

// A liquid's own particles begin half a spacing inside of its shape; solids leave what they would have cut.
mote_result mote_waiting_find_liquid(mote_world *world, const mote_body_item *item, const double move[3],
                                     uint8_t **gone, mote_error *error) {
  placed p = place(world, item, move);
  bool shifts = mote_pressure_properties_of(&world->def.solver)->shifts_crowded;
  mote_kind liquids = mote_kind_of_liquids(world);
  size_t count, cut = 0;
  p.near = world->def.spacing * (item->waiting->kind == liquids ? 0.5
                                 : shifts                       ? MOTE_COLLIDE_CLEARANCE
                                                                : CUT_UNSHIFTED);
  MOTE_TRY(find_particles(&p, world, liquids, &count, error));
  for (size_t i = 0; i < count; ++i) cut += p.in[i];
  *gone = cut > 0 ? p.in : NULL;
  return MOTE_OK;
}
