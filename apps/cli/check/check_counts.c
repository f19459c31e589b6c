// What a scene is made of, in numbers: see check_counts.h.
#include "cli/check/check_counts.h"

#include <math.h>
#include <mote/formula.h>

#include "cli/bodies/backdrop.h"

double count_particles(const mote_scene *scene, material_test *test) {
  double count = 0;
  for (size_t b = 0; b < scene->bodies; ++b) {
    mote_shape *shape;
    if (!body_is(scene, &scene->body[b], test)) continue;
    if (mote_shape_create(&scene->body[b].shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK) {
      continue;
    }
    count += mote_body_def_particles(&scene->body[b], scene_material(scene, scene->body[b].material),
                                     &scene->world, shape);
    mote_shape_destroy(shape);
  }
  return count;
}

// --- Walls ---

// Where samples are: as far as fluid can be, or as the shape is that moves there.
static double count_shape(const mote_scene *scene, const mote_shape_def *def, bool moves) {
  const mote_world_def *world = &scene->world;
  double low[3], high[3], reach = (world->solver.support + 1) * world->spacing;
  mote_shape *shape;
  if (mote_shape_create(def, world->dimensions, NULL, &shape, NULL) != MOTE_OK) return 0;
  for (int a = 0; a < 3; ++a) {
    low[a] = moves ? (double)-INFINITY : world->low[a] - reach;
    high[a] = moves ? (double)INFINITY : world->high[a] + reach;
  }
  double count =
      mote_shape_shell_estimate(shape, world->spacing, world->solver.support * world->spacing, low, high);
  mote_shape_destroy(shape);
  return isfinite(count) ? count : 0;
}

static double count_walls(const mote_world_def *world) {
  double layers = floor(world->solver.support + 0.5), count = 0;
  for (int a = 0; a < world->dimensions; ++a) {
    double area = layers * ((world->side[a][0] == MOTE_SIDE_WALL) + (world->side[a][1] == MOTE_SIDE_WALL));
    for (int k = 0; k < world->dimensions; ++k)
      if (k != a) area *= (world->high[k] - world->low[k]) / world->spacing;
    if (area > 0 && isfinite(area)) count += area;
  }
  return count;
}

double count_samples(const mote_scene *scene) {
  if (!scene_flows(scene)) return 0;
  double count = count_walls(&scene->world);
  for (size_t c = 0; c < scene->colliders; ++c)
    count += count_shape(scene, &scene->collider[c].shape, motion_moves(&scene->collider[c].motion));
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_body_def *body = &scene->body[b];
    if (body_is(scene, body, material_is_rigid)) count += count_shape(scene, &body->shape, !body->fixed);
  }
  return count;
}

// The mean of what is positive from t0 to t1, and the largest.
static double mean_value(const mote_value *value, double t0, double t1, double *most) {
  mote_formula *formula = NULL;
  if (value->formula == NULL || mote_formula_create(value->formula, "t", NULL, &formula, NULL) != MOTE_OK) {
    *most = value->constant;
    return value->constant > 0 ? value->constant : 0;
  }
  double sum = 0;
  *most = 0;
  for (int k = 0; k < 100; ++k) {
    double t = t0 + (t1 - t0) * (k + 0.5) / 100, v = mote_formula_value(formula, &t);
    if (v > 0) sum += v;
    if (v > *most) *most = v;
  }
  mote_formula_destroy(formula);
  return sum / 100;
}

// Seconds until fluid from a nozzle leaves the domain by an open side, if nothing is in its way: it falls,
// and glides along walls.
static double life_time(const mote_scene *scene, const mote_emitter_def *def, double speed) {
  enum { TIMES = 1024 };
  const mote_world_def *world = &scene->world;
  double x[3], v[3], length = 0, dt = scene->duration / TIMES;
  for (int a = 0; a < world->dimensions; ++a) length += def->direction[a] * def->direction[a];
  for (int a = 0; a < 3; ++a)
    x[a] = def->centre[a], v[a] = length > 0 ? speed * def->direction[a] / sqrt(length) : 0;
  for (int k = 1; k <= TIMES; ++k) {
    for (int a = 0; a < world->dimensions; ++a) {
      v[a] += dt * world->gravity[a];
      x[a] += dt * v[a];
      bool below = x[a]<world->low[a], above = x[a]> world->high[a];
      if (!below && !above) continue;
      if (world->side[a][above] == MOTE_SIDE_OPEN) return k * dt;
      x[a] = below ? world->low[a] : world->high[a], v[a] = 0;
    }
  }
  return HUGE_VAL;
}

emission count_emitted(const mote_scene *scene) {
  emission all = {0};
  double d = scene->world.spacing;
  bool flat = scene->world.dimensions == 2;
  for (size_t e = 0; e < scene->emitters; ++e) {
    const mote_emitter_def *def = &scene->emitter[e];
    double begin = fmax(def->start, 0), end = fmin(def->end, scene->duration), most;
    if (!(end > begin)) continue;
    double speed = mean_value(&def->speed, begin, end, &most);
    double area = isnan(def->radius) ? def->size[0] * (flat ? 1 : def->size[1])
                  : flat             ? 2 * def->radius
                                     : 3.14159265358979 * def->radius * def->radius;
    double count = fmin(area * speed * (end - begin) / (flat ? d * d : d * d * d), (double)def->most);
    double part = fmin(1, life_time(scene, def, speed) / (end - begin));  // of them that is there
    all.count += count, all.most += part * count, all.mean += part * (1 - 0.5 * part) * count;
    all.speed = fmax(all.speed, most);
  }
  return all;
}
