// What a scene will cost: see check_cost.h.
#include "cli/check/check_cost.h"

#include <math.h>
#include <mote/formula.h>
#include <mote/numeric.h>
#include <string.h>
#include <time.h>

#include "cli/base/scene_kinds.h"
#include "cli/bodies/backdrop.h"
#include "cli/check/check_jets.h"

// Where the world is not there to be measured: as the built-in dam break (DFSPH) on a Neoverse V1.
#define SECONDS_PER_PARTICLE 4e-6  // and step and thread
#define BYTES_PER_PARTICLE 2000.0
#define SECONDS_PER_ELASTIC 2e-4  // an elastic particle in contact, implicit: 0.6 s a step of 3,000
#define BYTES_PER_ELASTIC 8000.0
#define BYTES_PER_SAMPLE 470.0  // of a wall
#define SURFACE_SECONDS 1.4e-5  // a particle, thread and surface of the usual cell
// A particle below a tracked surface that merges and splits, and step and thread: 3e-5 (spheres_merge)
// to 7.5e-5 (double_dam_tracked). The first steps, which are tried out, have none of that yet.
#define TRACK_SECONDS 4e-5
#define TRACK_CALM 1.0         // Pa s: thicker fluids do not splash
#define SECONDS_PER_BODY 2e-5  // a rigid one in a pile, and step and thread
#define BYTES_PER_BODY 10000.0
#define BODY_ROW 260.0  // bytes in bodies.csv
#define MEASURE_SECONDS 0.5
#define MEASURE_STEPS 8
#define PATIENCE_SECONDS 1.0
#define PICTURE_BYTES_PER_PIXEL 0.5

// --- Particles ---

// Null: the world's own water.
static const mote_material_def *material_of(const mote_scene *scene, const mote_body_def *body) {
  for (size_t m = 0; m < scene->materials; ++m) {
    if (strcmp(scene->material[m].name, body->material) == 0) return &scene->material[m];
  }
  return NULL;
}

// Particles of the bodies of a model, about; `loose`: of those that no part is held of.
static double count_particles(const mote_scene *scene, material_test *test, bool loose) {
  double count = 0;
  for (size_t b = 0; b < scene->bodies; ++b) {
    mote_shape *shape;
    if (!body_is(scene, &scene->body[b], test) || (loose && scene->body[b].holds > 0)) continue;
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

static double count_samples(const mote_scene *scene) {
  bool fluid = scene->emitters > 0;
  double count = count_walls(&scene->world);
  for (size_t c = 0; c < scene->colliders; ++c)
    count += count_shape(scene, &scene->collider[c].shape, motion_moves(&scene->collider[c].motion));
  for (size_t b = 0; b < scene->bodies; ++b)
    fluid = fluid || body_is(scene, &scene->body[b], material_is_fluid);
  for (size_t b = 0; b < scene->bodies && fluid; ++b) {
    const mote_body_def *body = &scene->body[b];
    if (body_is(scene, body, material_is_rigid)) count += count_shape(scene, &body->shape, !body->fixed);
  }
  return count;
}

double scene_cost_setup_bytes(const mote_scene *scene) {
  return count_particles(scene, material_is_fluid, false) * BYTES_PER_PARTICLE +
         count_particles(scene, material_is_elastic, false) * BYTES_PER_ELASTIC +
         (double)count_bodies(scene, material_is_rigid) * BYTES_PER_BODY +
         count_samples(scene) * BYTES_PER_SAMPLE;
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

static double count_emitted(const mote_scene *scene, double *speed) {
  double count = 0, d = scene->world.spacing;
  bool flat = scene->world.dimensions == 2;
  for (size_t e = 0; e < scene->emitters; ++e) {
    const mote_emitter_def *def = &scene->emitter[e];
    double begin = fmax(def->start, 0), end = fmin(def->end, scene->duration), most;
    if (!(end > begin)) continue;
    double flow = mean_value(&def->speed, begin, end, &most) * (end - begin);
    double area = isnan(def->radius) ? def->size[0] * (flat ? 1 : def->size[1])
                  : flat             ? 2 * def->radius
                                     : 3.14159265358979 * def->radius * def->radius;
    count += fmin(area * flow / (flat ? d * d : d * d * d), (double)def->most);
    *speed = fmax(*speed, most);
  }
  return count;
}

// --- Speed: what gravity can make of the heights ---

typedef struct heights {
  int axis;
  double g;               // along it, upward negative: as in the scene
  double top, bottom;     // of the bodies
  double moment, weight;  // of particles times height, and particles
} heights;

static heights begin_heights(const mote_scene *scene) {
  heights h = {.top = (double)-INFINITY, .bottom = (double)INFINITY};
  for (int a = 1; a < 3; ++a) {
    if (fabs(scene->world.gravity[a]) > fabs(scene->world.gravity[h.axis])) h.axis = a;
  }
  h.g = scene->world.gravity[h.axis];
  return h;
}

static void add_body(heights *h, const mote_scene *scene, const mote_body_def *body) {
  mote_shape *shape;
  if (mote_shape_create(&body->shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK) return;
  double low[3], high[3], weight = mote_shape_fill_estimate(shape, scene->world.spacing);
  mote_shape_bounds(shape, low, high);
  mote_shape_destroy(shape);
  double a = low[h->axis], b = high[h->axis];
  if (h->g > 0) a = -high[h->axis], b = -low[h->axis];
  h->top = fmax(h->top, b), h->bottom = fmin(h->bottom, a);
  h->moment += weight * 0.5 * (a + b), h->weight += weight;
}

// The floor of the domain as a height, or the lowest that there is.
static double find_floor(const heights *h, const mote_scene *scene) {
  double side = h->g > 0 ? -scene->world.high[h->axis] : scene->world.low[h->axis];
  return isfinite(side) ? side : h->bottom;
}

// How high the fluid stands in the end, if the domain holds it.
static double final_level(const heights *h, const mote_scene *scene) {
  double area = 1, d = scene->world.spacing, volume = h->weight;
  for (int a = 0; a < scene->world.dimensions; ++a) {
    volume *= d;
    if (a != h->axis) area *= scene->world.high[a] - scene->world.low[a];
  }
  return isfinite(area) && area > 0 ? volume / area : 0;
}

// Energy set free by falling, as a speed: at most that of a free fall from the top, about twice the mean.
static double falling_speed(const mote_scene *scene) {
  heights h = begin_heights(scene);
  for (size_t b = 0; b < scene->bodies; ++b)
    if (!body_is(scene, &scene->body[b], material_is_elastic)) add_body(&h, scene, &scene->body[b]);
  if (h.g == 0 || !(h.weight > 0)) return 0;
  double floor_at = find_floor(&h, scene), g = fabs(h.g);
  double drop = h.moment / h.weight - floor_at - 0.5 * final_level(&h, scene);
  double fall = sqrt(2 * g * fmax(h.top - floor_at, 0));
  return fmin(fall, 2 * sqrt(2 * g * fmax(drop, 0)));
}

static double length3(const mote_value3 *v) {
  double x = v->x.constant, y = v->y.constant, z = v->z.constant;
  return sqrt(x * x + y * y + z * z);
}

#define SPEED_TIMES 64  // of a run, at whose middles the speed is looked at

static double time_of(const mote_scene *scene, int k) {
  return scene->duration * (k + 0.5) / SPEED_TIMES;
}

// An elastic body falls until its lowest point is at the floor, and then loses half of its speed in about
// the time that it fell.
static void add_elastic_speed(const mote_scene *scene, const mote_body_def *body, double speed[SPEED_TIMES]) {
  heights h = begin_heights(scene);
  add_body(&h, scene, body);
  double g = fabs(h.g), first = length3(&body->velocity), drop = fmax(h.bottom - find_floor(&h, scene), 0);
  double land = g > 0 && isfinite(drop) ? (sqrt(first * first + 2 * g * drop) - first) / g : 0;
  for (int k = 0; k < SPEED_TIMES; ++k) {
    double t = time_of(scene, k), own = first + g * fmin(t, land);
    speed[k] = fmax(speed[k], t > land && land > 0 ? own * exp2(1 - t / land) : own);
  }
}

static double starting_speed(const mote_scene *scene, const mote_world *world) {
  mote_totals totals;
  if (world != NULL && mote_world_totals(world, &totals, NULL) == MOTE_OK) return totals.speed_max;
  double fastest = 0;
  for (size_t b = 0; b < scene->bodies; ++b) fastest = fmax(fastest, length3(&scene->body[b].velocity));
  return fastest;
}

// The speed of what has fallen and flows lasts; elastic bodies and what has left the emitters have their own.
static void find_speeds(const mote_scene *scene, const mote_world *world, bool flows,
                        double speed[SPEED_TIMES]) {
  double start = starting_speed(scene, world), fall = falling_speed(scene);
  for (int k = 0; k < SPEED_TIMES; ++k) {
    speed[k] = fmax(flows ? sqrt(start * start + fall * fall) : 0, jets_speed(scene, time_of(scene, k)));
  }
  for (size_t b = 0; b < scene->bodies; ++b)
    if (body_is(scene, &scene->body[b], material_is_elastic))
      add_elastic_speed(scene, &scene->body[b], speed);
}

// --- Steps: the limits of EG09 6.4 ---

static void limit_step(scene_cost *cost, double step, const char *limit) {
  if (step < cost->step) cost->step = step, cost->limit = limit;
}

// The speed of sound of a material of WCSPH, or 0 of one that is no fluid.
static double sound_of(const mote_scene *scene, const mote_material_def *def, double speed) {
  const mote_solver_def *solver = &scene->world.solver;
  double densest = 0.0;
  if (!material_is_fluid(def)) return 0.0;
  for (size_t m = 0; m < scene->materials; ++m) {
    const mote_material_def *other = &scene->material[m];
    if (material_is_fluid(other) && other->stiffness == 0.0) densest = fmax(densest, other->density);
  }
  return mote_material_def_sound_speed(def, solver, speed / sqrt(solver->compression), densest);
}

static double fastest_sound(const mote_scene *scene, double speed) {
  double most = 0.0;
  for (size_t m = 0; m < scene->materials; ++m)
    most = fmax(most, sound_of(scene, &scene->material[m], speed));
  return most > 0.0 ? most : speed / sqrt(scene->world.solver.compression);
}

// Of those that follow the solver's law; 0 where none does: what has a stiffness of its own is soft on
// purpose.
static double slowest_sound(const mote_scene *scene, double speed) {
  double least = scene->materials == 0 ? speed / sqrt(scene->world.solver.compression) : HUGE_VAL;
  for (size_t m = 0; m < scene->materials; ++m) {
    double c = sound_of(scene, &scene->material[m], speed);
    if (c > 0.0 && scene->material[m].stiffness == 0.0) least = fmin(least, c);
  }
  return isfinite(least) ? least : 0.0;
}

// The largest extent of a body that flows.
static double fluid_length(const mote_scene *scene) {
  double most = 0.0;
  for (size_t b = 0; b < scene->bodies; ++b) {
    double low[3], high[3];
    mote_shape *shape;
    if (!body_is(scene, &scene->body[b], material_is_fluid)) continue;
    if (mote_shape_create(&scene->body[b].shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK)
      continue;
    mote_shape_bounds(shape, low, high);
    mote_shape_destroy(shape);
    for (int a = 0; a < scene->world.dimensions; ++a) most = fmax(most, high[a] - low[a]);
  }
  return isfinite(most) ? most : 0.0;
}

// The limits but that of speed.
static void find_step(scene_cost *cost, const mote_scene *scene) {
  const mote_solver_def *solver = &scene->world.solver;
  double d = scene->world.spacing, viscosity = 0, tension = 0;
  for (size_t m = 0; m < scene->materials; ++m) {
    viscosity = fmax(viscosity, scene->material[m].viscosity / scene->material[m].density);
    tension = fmax(tension, scene->material[m].surface_tension / scene->material[m].density);
  }
  cost->step = mote_world_def_step_max(&scene->world), cost->limit = "solver.step_max";
  if (cost->bodies + cost->emitted == 0) return;
  double longer = solver->tension == MOTE_TENSION_MESH ? 0.5 / 0.08 : 1.0;  // docs/theory/tracking.md
  if (tension > 0) limit_step(cost, longer * mote_capillary_step(d, tension), "surface tension");
  if (solver->viscosity_solve == MOTE_VISCOSITY_EXPLICIT) {
    limit_step(cost, mote_viscous_step(solver, d, viscosity), "viscosity");
  }
  if (mote_pressure_has_sound_speed(solver->pressure)) {
    cost->sound = slowest_sound(scene, cost->speed);
    limit_step(cost, mote_acoustic_step(solver, d, fastest_sound(scene, cost->speed)), "sound");
  }
}

#define SPLASH_SPEED_FACTOR 1.15  // measured: splashes are faster than what falls, by 0 to 40 %

// Counts steps through the run by the speed at each time.
static void count_steps(scene_cost *cost, const mote_scene *scene, const double speed[SPEED_TIMES]) {
  double distance = scene->world.solver.cfl * scene->world.spacing, least = scene->world.solver.step_min;
  bool limited =
      cost->bodies + cost->emitted + cost->elastic > 0;  // contact is swept: rigid bodies limit no step
  double longest = cost->step;
  cost->steps = 0;
  for (int k = 0; k < SPEED_TIMES; ++k) {
    double step =
        limited && speed[k] > 0 ? fmin(longest, distance / (SPLASH_SPEED_FACTOR * speed[k])) : longest;
    cost->steps += scene->duration / SPEED_TIMES / fmax(step, least);
  }
  if (limited && cost->speed > 0) limit_step(cost, distance / cost->speed, "speed");
  if (cost->step < least) cost->step = least, cost->limit = "solver.step_min";
  cost->steps = fmax(cost->steps, (double)cost->frames - 1);
}

// Seconds of a step of this world on a machine that does nothing else: by processor time, since others may be
// using this one. The first step sets things up and does not count, unless it took so long that a second
// would try patience.
static double measure_step(mote_world *world, int threads, mote_error *error) {
  double spent = 0, far = mote_world_time(world) + 1e3;
  clock_t begun = clock();
  int steps = -1;
  if (mote_world_begin_frame(world, error) != MOTE_OK) return (double)NAN;
  while (steps < MEASURE_STEPS && spent < MEASURE_SECONDS) {
    if (mote_world_step(world, far, error) != MOTE_OK) return (double)NAN;
    spent = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (++steps > 0) continue;
    if (spent > PATIENCE_SECONDS) return spent / threads;
    begun = clock(), spent = 0;
  }
  return spent / steps / threads;
}

// Elastic bodies beside fluids were measured before these reached them; then their solves take as long as in
// contact, for about half of the time. What is held stays where it is.
static double coupled_step(const mote_scene *scene, double measured, int threads) {
  double loose = count_particles(scene, material_is_elastic, true) * SECONDS_PER_ELASTIC / threads;
  return 0.5 * (measured + fmax(measured, loose));
}

static double tracked_step(const mote_scene *scene, double particles, int threads) {
  bool splashes = scene->materials == 0;
  for (size_t m = 0; m < scene->materials; ++m) {
    const mote_material_def *def = &scene->material[m];
    splashes = splashes || (material_is_fluid(def) && def->viscosity < TRACK_CALM);
  }
  return scene->world.track.on && splashes ? particles * TRACK_SECONDS / threads : 0.0;
}

// A body that falls freely needs no iteration, so steps tried out do not show it.
static bool all_implicit(const mote_scene *scene) {
  bool all = true;
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_material_def *m = material_of(scene, &scene->body[b]);
    if (m == NULL || !material_is_elastic(m)) continue;
    all = all && (m->elastic.integrator == MOTE_INTEGRATOR_IMPLICIT ||
                  m->elastic.integrator == MOTE_INTEGRATOR_MIDPOINT);
  }
  return all;
}

// --- Disk ---

static bool is_wanted(const mote_outputs_def *outputs, const char *field) {
  bool wanted = outputs->fields == 0 || strcmp(field, "position") == 0;
  for (size_t k = 0; k < outputs->fields; ++k) wanted = wanted || strcmp(outputs->field[k], field) == 0;
  return wanted;
}

static double record_of(double numbers, double bytes, const char *format) {
  if (strcmp(format, "csv") == 0 || strcmp(format, "xyz") == 0 || strcmp(format, "usda") == 0)
    return 13 * numbers;
  return strncmp(format, "vt", 2) == 0 ? bytes * 4 / 3 : bytes;  // base64
}

double scene_cost_elastic_record(const char *format) {
  return record_of(15, 112, format);
}

double scene_cost_record(const mote_scene *scene, const mote_world *world, const char *format) {
  double bytes = 0, numbers = 0;
  for (int k = 0; world != NULL; ++k) {
    mote_field_view view = mote_world_view_at(world, k);
    if (view.name == NULL) break;
    if (!is_wanted(&scene->outputs, view.name)) continue;
    numbers += view.components;
    bytes += view.components * (double)mote_type_size(view.type);
  }
  if (world == NULL) numbers = 14, bytes = 72;
  return record_of(numbers, bytes, format);
}

// A surface of so many particles has twice the area of a cube of them, in which each cell has two triangles.
static void add_surfaces(scene_cost *cost, const mote_scene *scene, int threads) {
  const mote_surface_output_def *surface = &scene->outputs.surface;
  double particles = cost->bodies + 0.5 * cost->emitted, cell = surface->def.cell;
  if (!surface->on || !(particles > 0)) return;
  double side = mote_cbrt(particles), triangles = 2 * 12 * side * side / (cell * cell);
  double fields = 4.0 * 8;
  for (size_t k = 0; k < surface->formats; ++k) {
    const char *format = surface->format[k];
    double bytes = strcmp(format, "vtp") == 0    ? ((36 + fields) / 2 + 16) * 4 / 3
                   : strcmp(format, "ply") == 0  ? (36 + fields) / 2 + 13
                   : strcmp(format, "glb") == 0  ? (24 + fields) / 2 + 12
                   : strcmp(format, "usda") == 0 ? 130
                   : strcmp(format, "bgeo") == 0 ? (28 + fields) / 2 + 17
                   : strcmp(format, "obj") == 0  ? 90
                                                 : 50;
    cost->surfaces += triangles * bytes * (double)cost->written;
  }
  cost->surface_seconds =
      particles * SURFACE_SECONDS * fmax(1, 0.25 / (cell * cell)) / threads * (double)cost->written;
}

static void add_disk(scene_cost *cost, const mote_scene *scene, const mote_world *world) {
  const mote_outputs_def *outputs = &scene->outputs;
  double particles = cost->bodies + 0.5 * cost->emitted;
  for (size_t k = 0; k < outputs->formats; ++k) {
    cost->files += particles * scene_cost_record(scene, world, outputs->format[k]) * (double)cost->written;
  }
  for (size_t k = 0; k < outputs->formats; ++k)
    cost->files += cost->elastic * scene_cost_elastic_record(outputs->format[k]) * (double)cost->written;
  if (outputs->preview) {
    cost->pictures =
        PICTURE_BYTES_PER_PIXEL * (double)outputs->width * (double)outputs->height * (double)cost->written;
  }
}

scene_cost scene_cost_estimate(const mote_scene *scene, mote_world *world, budget *memory) {
  int threads = memory->inner.threads;
  scene_cost cost = {.frames = mote_scene_frames(scene)};
  double emitted_speed = 0;
  cost.written = (cost.frames - 1) / (size_t)scene->outputs.every + 1;
  cost.emitted = count_emitted(scene, &emitted_speed);
  cost.bodies =
      world != NULL ? (double)mote_world_particles(world) : count_particles(scene, material_is_fluid, false);
  cost.elastic = world != NULL ? (double)mote_world_elastic_particles(world)
                               : count_particles(scene, material_is_elastic, false);
  cost.lattice = world != NULL ? (double)mote_world_lattice_particles(world)
                               : count_particles(scene, material_is_lattice, false);
  cost.rigid = count_bodies(scene, material_is_rigid);
  cost.samples = count_samples(scene);
  double speed[SPEED_TIMES];
  find_speeds(scene, world, cost.bodies + cost.lattice > 0, speed);
  cost.speed = emitted_speed;
  for (int k = 0; k < SPEED_TIMES; ++k) cost.speed = fmax(cost.speed, speed[k]);
  find_step(&cost, scene);
  if (cost.bodies + cost.emitted > 0) {
    cost.viscosity = mote_effective_viscosity(&scene->world.solver, scene->world.spacing, cost.speed);
    cost.length = fluid_length(scene);
  }
  add_disk(&cost, scene, world);
  double first = cost.bodies + cost.elastic + cost.lattice, mean = cost.bodies + 0.5 * cost.emitted;
  double per_step = (mean * SECONDS_PER_PARTICLE + cost.elastic * SECONDS_PER_ELASTIC) / threads;
  cost.bytes = scene_cost_setup_bytes(scene) + cost.emitted * BYTES_PER_PARTICLE;
  cost.measured = world != NULL && first > 0;
  if (cost.measured) {
    double measured = measure_step(world, threads, &cost.failure);
    if (memory->refused) cost.failure = (mote_error){0}, cost.measured = false;
    if (cost.measured) per_step = measured * (mean + cost.elastic + cost.lattice) / first;
    cost.bytes = (double)memory->most + cost.emitted * BYTES_PER_PARTICLE;
    mote_step_report did = mote_world_report(world);
    if (cost.sound > 0 && did.step > 0) limit_step(&cost, did.step, "sound");
    cost.lattice_steps = did.lattice_steps;
    cost.elastic_steps = did.elastic_steps, cost.implicit = did.elastic_newton > 0 || all_implicit(scene);
    if (cost.implicit && mean > 0) per_step = coupled_step(scene, per_step, threads);
  }
  count_steps(&cost, scene, speed);
  add_surfaces(&cost, scene, threads);
  double rigid = (double)cost.rigid;
  per_step += tracked_step(scene, mean, threads);
  per_step += rigid * SECONDS_PER_BODY / threads;
  cost.files += rigid * BODY_ROW * (double)cost.frames;
  cost.seconds = cost.steps * per_step + cost.surface_seconds;
  return cost;
}
