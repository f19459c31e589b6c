// What a scene will cost: see check_cost.h.
#include "cli/check/check_cost.h"

#include <math.h>

#include "cli/base/scene_kinds.h"
#include "cli/check/check_counts.h"
#include "cli/check/check_disk.h"
#include "cli/check/check_impact.h"
#include "cli/check/check_steps.h"

// Of worlds that are not made, to decide whether they are: as the built-in scenes.
#define BYTES_PER_PARTICLE 1000.0
#define BYTES_PER_ELASTIC 8000.0
#define BYTES_PER_BODY 10000.0
#define BYTES_PER_SAMPLE 470.0  // of a wall
#define BYTES_OF_PICTURES 24e6  // with the program, whatever the scene: 20 to 27 MB
#define BYTES_GROWTH 1.15       // of worlds after their first steps: 1 to 1.5
// Particles of worlds that were not made, and elastic ones once they are in contact, a step and a thread of a
// Neoverse V1; measured 6e-5 to 2e-4 for the latter.
#define SECONDS_PER_PARTICLE 8e-6
#define SECONDS_PER_ELASTIC 1e-4

double scene_cost_setup_bytes(const mote_scene *scene) {
  return (count_particles(scene, material_is_fluid) + count_particles(scene, material_is_lattice)) *
             BYTES_PER_PARTICLE +
         count_particles(scene, material_is_elastic) * BYTES_PER_ELASTIC +
         (double)count_bodies(scene, material_is_rigid) * BYTES_PER_BODY +
         count_samples(scene) * BYTES_PER_SAMPLE;
}

// The largest extent of the bodies that flow, and the speed of waves on the deepest of them: the method's
// viscosity was measured by their decay (docs/theory/fluids.md, "Effective viscosity").
static void measure_fluids(const mote_scene *scene, double *length, double *wave) {
  const double *g = scene->world.gravity;
  *length = *wave = 0;
  for (size_t b = 0; b < scene->bodies; ++b) {
    double low[3], high[3], fall = 0;
    mote_shape *shape;
    if (!body_is(scene, &scene->body[b], material_is_fluid)) continue;
    if (mote_shape_create(&scene->body[b].shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK)
      continue;
    mote_shape_bounds(shape, low, high);
    mote_shape_destroy(shape);
    for (int a = 0; a < scene->world.dimensions; ++a) {
      *length = fmax(*length, high[a] - low[a]);
      fall = fmax(fall, fabs(g[a]) * (high[a] - low[a]));
    }
    *wave = fmax(*wave, sqrt(fall));
  }
  if (!isfinite(*length)) *length = 0;
  if (!isfinite(*wave)) *wave = 0;
}

static void add_particles(scene_cost *cost, const mote_scene *scene, const scene_trial *trial) {
  bool known = trial->made && trial->coarser == 1;
  cost->bodies = known ? trial->particles[0] : count_particles(scene, material_is_fluid);
  cost->elastic = known ? trial->particles[1] : count_particles(scene, material_is_elastic);
  cost->lattice = known ? trial->particles[2] : count_particles(scene, material_is_lattice);
  cost->rigid = count_bodies(scene, material_is_rigid);
  cost->emitted = count_emitted(scene).count;
  cost->samples = count_samples(scene);
}

// A body that falls freely needs no iteration, so steps tried out do not show it.
static bool all_implicit(const mote_scene *scene) {
  bool all = true;
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_material_def *m = scene_material(scene, scene->body[b].material);
    if (m == NULL || !material_is_elastic(m)) continue;
    all = all && (m->elastic.integrator == MOTE_INTEGRATOR_IMPLICIT ||
                  m->elastic.integrator == MOTE_INTEGRATOR_MIDPOINT);
  }
  return all;
}

// Beyond what pictures take of any scene; where the trial was of a coarser one, by what both take to be set
// up.
static double estimate_bytes(const mote_scene *scene, const scene_trial *trial) {
  double emitted = count_emitted(scene).most * BYTES_PER_PARTICLE;
  double pictures = scene->outputs.preview ? BYTES_OF_PICTURES : 0, ratio = 1;
  if (!trial->made) return BYTES_OF_PICTURES + scene_cost_setup_bytes(scene) + emitted;
  if (trial->coarser > 1) {
    mote_scene coarse = *scene;
    coarse.world.spacing *= trial->coarser;
    ratio = scene_cost_setup_bytes(scene) / scene_cost_setup_bytes(&coarse);
  }
  return pictures + BYTES_GROWTH * fmax(0, trial->bytes - pictures) * ratio + emitted;
}

static void add_steps(scene_cost *cost, const mote_scene *scene, const scene_trial *trial) {
  bool fluid = cost->bodies + cost->emitted > 0;
  step_plan plan =
      plan_steps(scene, trial->speed, cost->bodies + cost->lattice > 0, fluid, fluid || cost->elastic > 0);
  double covered = trial_covered(trial) < scene->duration ? trial_covered(trial) : scene->duration;
  cost->speed = plan.speed, cost->sound = plan.sound, cost->step = plan.step, cost->limit = plan.limit;
  double later = plan_count(&plan, covered, trial_step_rate(trial) * trial->coarser);
  cost->steps = fmax(trial->steps * trial->coarser + later, (double)cost->frames - 1);
  if (!fluid) return;
  double wave;
  measure_fluids(scene, &cost->length, &wave);
  cost->viscosity =
      mote_effective_viscosity(&scene->world.solver, scene->world.spacing, fmax(cost->speed, wave));
}

// The part of the run in which elastic bodies that fall touch something, over all bodies.
static double contact_part(const mote_scene *scene) {
  double part = 0, bodies = (double)count_bodies(scene, material_is_elastic);
  for (size_t b = 0; b < scene->bodies; ++b) {
    if (!body_is(scene, &scene->body[b], material_is_elastic)) continue;
    double t = contact_time(scene, &scene->body[b]);
    if (t < scene->duration) part += (1 - t / scene->duration) / bodies;
  }
  return part;
}

static double step_seconds(const scene_cost *cost, const mote_scene *scene, const scene_trial *trial) {
  double mean = cost->bodies + cost->lattice + count_emitted(scene).mean;
  double touching = cost->elastic * SECONDS_PER_ELASTIC / trial->threads;
  if (trial->steps <= 0) return mean * SECONDS_PER_PARTICLE / trial->threads + touching;
  double step = trial_step_seconds(trial, mean + cost->elastic);
  return cost->implicit ? step + contact_part(scene) * fmax(0, touching - step) : step;
}

// Steps that were tried took what they took; the others take as long as the later of them.
static double all_steps_seconds(const scene_cost *cost, const mote_scene *scene, const scene_trial *trial) {
  bool tried = trial->coarser == 1 && trial->steps > 0 && trial->steps <= cost->steps;
  return (tried ? trial->spent : 0) +
         (cost->steps - (tried ? trial->steps : 0)) * step_seconds(cost, scene, trial);
}

static scene_cost estimate(const mote_scene *scene, const mote_world *world, const scene_trial *trial) {
  scene_cost cost = {.frames = mote_scene_frames(scene), .known = scene->duration};
  cost.written = (cost.frames - 1) / (size_t)scene->outputs.every + 1;
  add_particles(&cost, scene, trial);
  add_steps(&cost, scene, trial);
  disk_add(&cost, scene, world);
  cost.implicit = trial->report.elastic_newton > 0 || all_implicit(scene);
  cost.bytes = estimate_bytes(scene, trial);
  cost.seconds = all_steps_seconds(&cost, scene, trial) + (double)cost.written * trial->frame_seconds +
                 trial->first_seconds;
  return cost;
}

// Cracks dominate the cost, and their number cannot be predicted.
scene_cost scene_cost_estimate(const mote_scene *scene, const mote_world *world, const scene_trial *trial) {
  scene_cost cost = estimate(scene, world, trial);
  double impact = impact_time(scene);
  if (!(impact < scene->duration)) return cost;
  mote_scene before = *scene;
  before.duration = impact;
  cost.seconds = estimate(&before, world, trial).seconds;
  cost.known = impact;
  return cost;
}
