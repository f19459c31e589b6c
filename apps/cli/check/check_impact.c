// When bodies first meet something: see check_impact.h.
#include "cli/check/check_impact.h"

#include <math.h>
#include <string.h>

#include "cli/base/scene_kinds.h"

#define IMPACT_TIMES 256  // of a run, at which boxes are compared

typedef struct box {
  double low[3], high[3];
} box;

static bool bounds_of(const mote_scene *scene, const mote_shape_def *def, box *out) {
  mote_shape *shape;
  if (mote_shape_create(def, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK) return false;
  mote_shape_bounds(shape, out->low, out->high);
  mote_shape_destroy(shape);
  return true;
}

// The box of a body at time t. Fluids fall over as fast as their height lets them.
static box body_box(const mote_scene *scene, const mote_body_def *body, const box *first, double t) {
  const double *g = scene->world.gravity;
  const double velocity[3] = {body->velocity.x.constant, body->velocity.y.constant,
                              body->velocity.z.constant};
  bool stays = body->fixed || body->holds > 0, flows = body_is(scene, body, material_is_fluid);
  box out = *first;
  for (int a = 0; a < scene->world.dimensions; ++a) {
    double move = stays ? 0 : velocity[a] * t + 0.5 * g[a] * t * t;
    double spread = flows ? t * sqrt(2 * fabs(g[a]) * (first->high[a] - first->low[a])) : 0;
    out.low[a] += move, out.high[a] += move;
    for (int k = 0; k < scene->world.dimensions && spread > 0; ++k)
      if (k != a) out.low[k] -= spread, out.high[k] += spread;
  }
  return out;
}

static bool overlap(const mote_scene *scene, const box *a, const box *b) {
  bool all = true;
  double slack = 0.5 * scene->world.spacing;
  for (int k = 0; k < scene->world.dimensions; ++k)
    all = all && a->low[k] - slack < b->high[k] && b->low[k] - slack < a->high[k];
  return all;
}

static bool leaves(const mote_scene *scene, const box *b) {
  const mote_world_def *world = &scene->world;
  bool any = false;
  for (int a = 0; a < world->dimensions; ++a) {
    any = any || (world->side[a][0] == MOTE_SIDE_WALL && b->low[a] < world->low[a]);
    any = any || (world->side[a][1] == MOTE_SIDE_WALL && b->high[a] > world->high[a]);
  }
  return any;
}

// The first time at which `meet` holds that did not in the beginning.
typedef bool meet_fn(const mote_scene *scene, const mote_body_def *body, const box *first, const void *other,
                     double t);

static double first_time(const mote_scene *scene, const mote_body_def *body, const box *first, meet_fn *meet,
                         const void *other) {
  if (meet(scene, body, first, other, 0)) return HUGE_VAL;
  for (int k = 1; k <= IMPACT_TIMES; ++k) {
    double t = scene->duration * k / IMPACT_TIMES;
    if (meet(scene, body, first, other, t)) return t;
  }
  return HUGE_VAL;
}

static bool meets_wall(const mote_scene *scene, const mote_body_def *body, const box *first,
                       const void *other, double t) {
  box now = body_box(scene, body, first, t);
  (void)other;
  return leaves(scene, &now);
}

static bool meets_collider(const mote_scene *scene, const mote_body_def *body, const box *first,
                           const void *other, double t) {
  box now = body_box(scene, body, first, t);
  return overlap(scene, &now, other);
}

typedef struct other_body {
  const mote_body_def *body;
  box first;
} other_body;

static bool meets_body(const mote_scene *scene, const mote_body_def *body, const box *first,
                       const void *other, double t) {
  const other_body *o = other;
  box now = body_box(scene, body, first, t), its = body_box(scene, o->body, &o->first, t);
  return overlap(scene, &now, &its);
}

double contact_time(const mote_scene *scene, const mote_body_def *body) {
  box first, other;
  if (!bounds_of(scene, &body->shape, &first)) return HUGE_VAL;
  double t = first_time(scene, body, &first, meets_wall, NULL);
  for (size_t c = 0; c < scene->colliders; ++c)
    if (!scene->collider[c].shape.inverted && bounds_of(scene, &scene->collider[c].shape, &other))
      t = fmin(t, first_time(scene, body, &first, meets_collider, &other));
  for (size_t b = 0; b < scene->bodies; ++b) {
    other_body o = {.body = &scene->body[b]};
    if (o.body == body || !bounds_of(scene, &o.body->shape, &o.first)) continue;
    t = fmin(t, first_time(scene, body, &first, meets_body, &o));
  }
  return t;
}

#define SPLASH_VISCOSITY 1.0  // Pa s: thicker fluids do not splash

static bool is_splashing(const mote_material_def *def) {
  return material_is_fluid(def) && def->viscosity < SPLASH_VISCOSITY;
}

double impact_time(const mote_scene *scene) {
  double t = HUGE_VAL;
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_body_def *body = &scene->body[b];
    bool splashes = scene->world.track.on && body_is(scene, body, is_splashing);
    if (splashes || body_is(scene, body, material_can_break)) t = fmin(t, contact_time(scene, body));
  }
  return t;
}
