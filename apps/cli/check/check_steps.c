// The steps of a run: see check_steps.h.
#include "cli/check/check_steps.h"

#include <math.h>
#include <stdlib.h>

#include "cli/base/scene_kinds.h"
#include "cli/check/check_counts.h"
#include "cli/check/check_jets.h"
#include "cli/check/check_vessel.h"

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
// What is in fluid is carried by it.
static double falling_speed(const mote_scene *scene, const mote_body_def *const *in) {
  heights h = begin_heights(scene);
  for (size_t b = 0; b < scene->bodies; ++b)
    if (!body_is(scene, &scene->body[b], material_is_elastic) && (in == NULL || in[b] == NULL))
      add_body(&h, scene, &scene->body[b]);
  if (h.g == 0 || !(h.weight > 0)) return 0;
  double floor_at = find_floor(&h, scene), g = fabs(h.g);
  double drop = h.moment / h.weight - floor_at - 0.5 * final_level(&h, scene), held = vessel_drop(scene, in);
  if (!isnan(held)) drop = held;
  double fall = sqrt(2 * g * fmax(h.top - floor_at, 0));
  return fmin(fall, 2 * sqrt(2 * g * fmax(drop, 0)));
}

static double length3(const mote_value3 *v) {
  double x = v->x.constant, y = v->y.constant, z = v->z.constant;
  return sqrt(x * x + y * y + z * z);
}

static double time_of(const mote_scene *scene, int k) {
  return scene->duration * (k + 0.5) / STEP_TIMES;
}

// An elastic body falls until its lowest point is at the floor, and then loses half of its speed in about
// the time that it fell.
static void add_elastic_speed(const mote_scene *scene, const mote_body_def *body, double speed[STEP_TIMES]) {
  heights h = begin_heights(scene);
  add_body(&h, scene, body);
  double g = fabs(h.g), first = length3(&body->velocity);
  double drop = body->holds > 0 ? 0 : fmax(h.bottom - find_floor(&h, scene), 0);
  double land = g > 0 && isfinite(drop) ? (sqrt(first * first + 2 * g * drop) - first) / g : 0;
  for (int k = 0; k < STEP_TIMES; ++k) {
    double t = time_of(scene, k), own = first + g * fmin(t, land);
    speed[k] = fmax(speed[k], t > land && land > 0 ? own * exp2(1 - t / land) : own);
  }
}

static void add_sinking_speed(const mote_scene *scene, const mote_body_def *body, const mote_body_def *fluid,
                              double speed[STEP_TIMES]) {
  heights own = begin_heights(scene), all = own;
  add_body(&own, scene, body), add_body(&all, scene, fluid);
  sinking s = vessel_sinking(scene, body, fluid, own.bottom - find_floor(&own, scene), all.top - own.top);
  for (int k = 0; k < STEP_TIMES; ++k) speed[k] = fmax(speed[k], vessel_sinking_speed(&s, time_of(scene, k)));
}

// The speed of what has fallen and flows lasts; elastic bodies and what has left the emitters have their own.
static void find_speeds(const mote_scene *scene, double start, bool flows, double speed[STEP_TIMES]) {
  const mote_body_def **in = flows ? vessel_fluids(scene) : NULL;
  double fall = flows ? falling_speed(scene, in) : 0;
  for (int k = 0; k < STEP_TIMES; ++k) {
    speed[k] = fmax(flows ? sqrt(start * start + fall * fall) : 0, jets_speed(scene, time_of(scene, k)));
  }
  for (size_t b = 0; b < scene->bodies; ++b)
    if (body_is(scene, &scene->body[b], material_is_elastic))
      add_elastic_speed(scene, &scene->body[b], speed);
    else if (in != NULL && in[b] != NULL)
      add_sinking_speed(scene, &scene->body[b], in[b], speed);
  free(in);
}

// --- Steps: the limits of EG09 6.4 ---

static void limit_step(step_plan *plan, double step, const char *limit) {
  if (step < plan->step) plan->step = step, plan->limit = limit;
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

// The limits but that of speed.
static void find_step(step_plan *plan, const mote_scene *scene, bool fluid) {
  const mote_solver_def *solver = &scene->world.solver;
  double d = scene->world.spacing, viscosity = 0, tension = 0;
  for (size_t m = 0; m < scene->materials; ++m) {
    viscosity = fmax(viscosity, scene->material[m].viscosity / scene->material[m].density);
    tension = fmax(tension, scene->material[m].surface_tension / scene->material[m].density);
  }
  plan->step = mote_world_def_step_max(&scene->world), plan->limit = "solver.step_max";
  if (!fluid) return;
  double longer = solver->tension == MOTE_TENSION_MESH ? 0.5 / 0.08 : 1.0;  // docs/theory/tracking.md
  if (tension > 0) limit_step(plan, longer * mote_capillary_step(d, tension), "surface tension");
  if (solver->viscosity_solve == MOTE_VISCOSITY_EXPLICIT) {
    limit_step(plan, mote_viscous_step(solver, d, viscosity), "viscosity");
  }
  if (mote_pressure_has_sound_speed(solver->pressure)) {
    plan->sound = slowest_sound(scene, plan->speed);
    limit_step(plan, mote_acoustic_step(solver, d, fastest_sound(scene, plan->speed)), "sound");
  }
}

#define SPLASH_SPEED_FACTOR 1.15  // measured: splashes are faster than what falls, by 0 to 40 %

step_plan plan_steps(const mote_scene *scene, double start, bool flows, bool fluid, bool limited) {
  double speed[STEP_TIMES], distance = scene->world.solver.cfl * scene->world.spacing;
  double least = scene->world.solver.step_min;
  step_plan plan = {.duration = scene->duration};
  find_speeds(scene, start, flows, speed);
  plan.speed = count_emitted(scene).speed;
  for (int k = 0; k < STEP_TIMES; ++k) plan.speed = fmax(plan.speed, speed[k]);
  find_step(&plan, scene, fluid);
  for (int k = 0; k < STEP_TIMES; ++k) {
    double own = limited && speed[k] > 0 ? distance / (SPLASH_SPEED_FACTOR * speed[k]) : plan.step;
    plan.rate[k] = 1 / fmax(fmin(plan.step, own), least);
  }
  if (limited && plan.speed > 0) limit_step(&plan, distance / plan.speed, "speed");
  if (plan.step < least) plan.step = least, plan.limit = "solver.step_min";
  return plan;
}

double plan_count(const step_plan *plan, double from, double least) {
  double count = 0, part = plan->duration / STEP_TIMES;
  for (int k = 0; k < STEP_TIMES; ++k)
    count += fmax(plan->rate[k], least) * fmin(part, fmax(0, (k + 1) * part - from));
  return count;
}
