// Flows of individual steps: see step_flows.h.
#define _POSIX_C_SOURCE 200809L
#include "validate/bodies/step_flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/base/app_assert.h"

typedef struct flow_scene {
  mote_scene scene;
  mote_material_def material[2];
  mote_body_def body[2];
  mote_collider_def collider[1];
  double end;  // s
} flow_scene;

const char *step_flow_name(step_flow flow) {
  APP_ASSERT(flow < STEP_FLOWS);
  static const char *const names[STEP_FLOWS] = {"a falling quasi-liquid", "an impact faster than sound",
                                                "a fast tool in a body at rest",
                                                "fluids of different stiffness", "a dam break"};
  return names[flow];
}

static mote_body_def *add_body(flow_scene *s, const char *name, mote_shape_def shape) {
  mote_body_def *body = &s->body[s->scene.bodies++];
  *body = mote_body_def_default();
  body->name = name, body->material = s->material[0].name, body->shape = shape, body->fill = MOTE_FILL_CUBIC;
  return body;
}

// A wide box with a floor and walls, and a soft material.
static void begin(flow_scene *s, double spacing, double stiffness) {
  *s = (flow_scene){.scene = mote_scene_default()};
  mote_world_def *w = &s->scene.world;
  w->dimensions = 2, w->spacing = spacing;
  for (int a = 0; a < 2; ++a) {
    w->low[a] = 0.0, w->high[a] = 2.0;
    w->side[a][0] = MOTE_SIDE_WALL, w->side[a][1] = a == 0 ? MOTE_SIDE_WALL : MOTE_SIDE_OPEN;
  }
  w->solver.pressure = MOTE_PRESSURE_WCSPH, w->solver.exponent = 1.0, w->solver.stiffness = stiffness;
  w->solver.noise_damping = 0.0;  // individual steps have none: what is compared has the same forces
  s->material[0] = mote_material_def_default();
  s->material[0].name = "soft", s->material[0].density = 1000.0;
  s->scene.material = s->material, s->scene.materials = 1;
  s->scene.body = s->body, s->scene.collider = s->collider;
}

static void make_fall(flow_scene *s, double size) {
  begin(s, 0.04 * size, 2e4);
  s->scene.world.solver.artificial_viscosity = 1.0;
  add_body(s, "drop", mote_shape_def_sphere(1.0, 0.3, 0.0, 0.2))->velocity = mote_value3_make(0.0, -4.0, 0.0);
  s->end = 0.1;
}

static void make_impact(flow_scene *s, double size) {
  begin(s, 0.02 * size, 1e4);
  add_body(s, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 2.0, 0.6, 0.0));
  add_body(s, "ball", mote_shape_def_sphere(1.0, 0.72, 0.0, 0.1))->velocity =
      mote_value3_make(0.0, -20.0, 0.0);
  s->end = 0.03;
}

static void make_tool(flow_scene *s, double size) {
  begin(s, 0.02 * size, 4e3);
  s->scene.world.gravity[1] = 0.0;
  add_body(s, "block", mote_shape_def_box(0.2, 0.5, 0.0, 1.8, 1.1, 0.0));
  s->collider[0] = mote_collider_def_default();
  s->collider[0].name = "knife";
  s->collider[0].shape = mote_shape_def_box(0.98, 1.12, 0.0, 1.02, 1.5, 0.0);
  s->collider[0].motion.move.y.formula = "-20*t";
  s->scene.colliders = 1;
  s->end = 0.03;
}

static void make_stiff(flow_scene *s, double size) {
  begin(s, 0.02 * size, 1e4);
  s->material[1] = s->material[0];
  s->material[1].name = "light", s->material[1].density = 40.0;
  s->scene.materials = 2;
  add_body(s, "lower", mote_shape_def_box(0.0, 0.0, 0.0, 2.0, 0.8, 0.0));
  add_body(s, "upper", mote_shape_def_box(0.0, 0.8, 0.0, 2.0, 1.0, 0.0))->material = "light";
  s->end = 0.05;
}

static void make_dam(flow_scene *s, double size) {
  begin(s, 0.02 * size, (double)NAN);
  s->scene.world.solver.exponent = 7.0;
  add_body(s, "dam", mote_shape_def_box(0.0, 0.0, 0.0, 0.6, 1.0, 0.0));
  s->end = 0.1;
}

static mote_result keep(step_run *run, const mote_world *world, mote_error *error) {
  mote_field_view x = mote_world_view(world, "position"), id = mote_world_view(world, "id");
  run->count = x.count;
  run->position = calloc(3 * x.count + 1, sizeof(double));
  if (run->position == NULL) abort();
  for (size_t i = 0; i < x.count; ++i) {
    uint64_t k = ((const uint64_t *)id.data)[i];
    if (k < x.count) memcpy(run->position + 3 * k, (const double *)x.data + 3 * i, 3 * sizeof(double));
  }
  return mote_world_totals(world, &run->totals, error);
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

mote_result step_run_do(step_run *run, const mote_env *env, mote_error *error) {
  APP_ASSERT(run->flow < STEP_FLOWS && run->size > 0.0);
  static void (*const make[STEP_FLOWS])(flow_scene *, double) = {make_fall, make_impact, make_tool,
                                                                 make_stiff, make_dam};
  flow_scene s;
  make[run->flow](&s, run->size);
  s.scene.world.solver.steps = run->steps;
  run->spacing = s.scene.world.spacing;
  if (run->half_of != NULL) {
    s.scene.world.solver.cfl *= 0.5;
    s.scene.world.solver.step_max = 0.5 * s.end / (double)run->half_of->totals.step;
  }
  mote_world *world = NULL;
  mote_result result = mote_world_create_scene(&s.scene, env, &world, error);
  if (!result) result = mote_world_totals(world, &run->before, error);
  double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int k = 1; k <= 5 && !result; ++k) result = mote_world_advance(world, 0.2 * k * s.end, error);
  run->wall = seconds_of(CLOCK_MONOTONIC) - wall, run->cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  if (!result) result = keep(run, world, error);
  mote_world_destroy(world);
  return result;
}

double step_run_distance(const step_run *a, const step_run *b) {
  APP_ASSERT(a->spacing > 0.0);
  double sum = 0.0;
  if (a->count != b->count || a->count == 0) return HUGE_VAL;
  for (size_t k = 0; k < 3 * a->count; ++k)
    sum += (a->position[k] - b->position[k]) * (a->position[k] - b->position[k]);
  return sqrt(sum / (double)a->count) / a->spacing;
}
