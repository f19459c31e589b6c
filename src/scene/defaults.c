// Definitions to start from: what a user gets who says nothing. See mote/scene.h.
#include <float.h>
#include <math.h>
#include <mote/scene.h>

mote_value3 mote_value3_make(double x, double y, double z) {
  return (mote_value3){{x, NULL}, {y, NULL}, {z, NULL}};
}

// DFSPH with the tolerances of Bender & Koschier 2017 (0.1 % of divergence a step; density ten times finer
// than the usual 0.1 % costs an iteration or two and keeps a pool's volume).
static mote_solver_def solver_def_default(void) {
  return (mote_solver_def){
      .pressure = MOTE_PRESSURE_DFSPH,
      .kernel = MOTE_KERNEL_CUBIC_SPLINE,
      .support = 2.0,
      .cfl = 0.4,
      .step_min = 1e-7,
      .step_max = (double)NAN,
      .steps = MOTE_STEPS_GLOBAL,
      .stiffness = (double)NAN,
      .compression = 0.01,
      .exponent = 7.0,
      .negative_pressure = (double)NAN,
      .state = MOTE_STATE_TAIT,
      .background_pressure = 0.0,
      .pair_form = MOTE_FORM_SYMMETRIC,
      .density = MOTE_DENSITY_SUMMED,
      .density_diffusion = 0.1,
      .gradient_correction = false,
      .repulsion = 0.3,
      .shifting = (double)NAN,
      .artificial_viscosity = (double)NAN,
      .viscosity_form = MOTE_VISCOSITY_PAIR,
      .viscosity_solve = MOTE_VISCOSITY_AUTO,
      .viscosity_error = 1e-3,
      .density_error = 1e-4,
      .divergence_error = 1e-3,
      .iterations_min = 2,
      .iterations_max = 100,
  };
}

mote_world_def mote_world_def_default(void) {
  return (mote_world_def){
      .dimensions = 3,
      .spacing = (double)NAN,
      .gravity = {0.0, -9.81, 0.0},
      .low = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
      .high = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
      .wall_friction = 0.0,
      .speed_limit = (double)NAN,
      .particles_max = 100000000,
      .seed = 1,
      .solver = solver_def_default(),
  };
}

double mote_world_def_step_max(const mote_world_def *def) {
  if (!isnan(def->solver.step_max)) return def->solver.step_max;
  const double *g = def->gravity;
  double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  double step = fmin(0.005, sqrt(def->spacing / (200.0 * pull)));
  return fmax(step, def->solver.step_min);
}

mote_body_def mote_body_def_default(void) {
  const double none = (double)NAN;
  return (mote_body_def){.material = "water",
                         .shape = mote_shape_def_default(),
                         .fill = MOTE_FILL_CUBIC,
                         .grading = 1,
                         .hinge = {.point = {none, none, none}, .axis = {0.0, 0.0, 1.0}}};
}

double mote_world_def_grading_depth(const mote_world_def *def) {
  return fmax(2.0, def->solver.support) * def->spacing;
}

double mote_body_def_particles(const mote_body_def *def, const mote_world_def *world,
                               const mote_shape *shape) {
  return mote_shape_fill_graded_estimate(shape, world->spacing, def->grading,
                                         mote_world_def_grading_depth(world));
}

static mote_motion_def motion_def_default(void) {
  return (mote_motion_def){.axis = {0.0, 0.0, 1.0}, .pivot = {(double)NAN, (double)NAN, (double)NAN}};
}

mote_hold_def mote_hold_def_default(void) {
  return (mote_hold_def){.shape = mote_shape_def_default(), .motion = motion_def_default()};
}

mote_load_def mote_load_def_default(void) {
  return (mote_load_def){.shape = mote_shape_def_default()};
}

mote_copies_def mote_copies_def_default(void) {
  return (mote_copies_def){.within = mote_shape_def_default(),
                           .count = SIZE_MAX,
                           .apart = (double)NAN,
                           .jitter = 1.0,
                           .turned = true,
                           .size = {1.0, 1.0},
                           .seed = 1};
}

mote_collider_def mote_collider_def_default(void) {
  return (mote_collider_def){
      .shape = mote_shape_def_default(),
      .motion = motion_def_default(),
      .visible = true,
      .colour = {0.6, 0.6, 0.62},
  };
}

mote_emitter_def mote_emitter_def_default(void) {
  return (mote_emitter_def){
      .material = "water",
      .direction = {0.0, -1.0, 0.0},
      .radius = (double)NAN,
      .size = {(double)NAN, (double)NAN},
      .speed = {1.0, NULL},
      .end = HUGE_VAL,
      .most = SIZE_MAX,
  };
}

mote_drain_def mote_drain_def_default(void) {
  return (mote_drain_def){.shape = mote_shape_def_default(), .end = HUGE_VAL};
}

mote_force_def mote_force_def_default(void) {
  return (mote_force_def){.shape = mote_shape_def_default(), .end = HUGE_VAL};
}

mote_probe_def mote_probe_def_default(void) {
  return (mote_probe_def){.kind = MOTE_PROBE_POINT, .count = 50};
}

mote_outputs_def mote_outputs_def_default(void) {
  static const char *const formats[] = {"vtp"};
  mote_surface_output_def surface = {.format = formats,
                                     .formats = 1,
                                     .method = MOTE_SURFACE_ANISOTROPIC,
                                     .cell = 0.5,
                                     .support = (double)NAN,
                                     .isovalue = (double)NAN,
                                     .radius = (double)NAN,
                                     .smoothing = 0.8,
                                     .walls = true,
                                     .smallest_part = (double)NAN,
                                     .colour_low = (double)NAN,
                                     .colour_high = (double)NAN};
  return (mote_outputs_def){
      .format = formats,
      .formats = 1,
      .every = 1,
      .preview = true,
      .width = 1280,
      .height = 720,
      .colour_by = "velocity",
      .colour_low = (double)NAN,
      .colour_high = (double)NAN,
      .camera = {.from = {(double)NAN, (double)NAN, (double)NAN},
                 .to = {(double)NAN, (double)NAN, (double)NAN},
                 .angle = 0.6},
      .autosave = 60.0,
      .surface = surface,
  };
}

mote_scene mote_scene_default(void) {
  return (mote_scene){
      .title = "",
      .duration = 2.0,
      .fps = 25.0,
      .world = mote_world_def_default(),
      .outputs = mote_outputs_def_default(),
  };
}

// The last frame may miss the end by a rounding error.
size_t mote_scene_frames(const mote_scene *scene) {
  double frames = floor(scene->duration * scene->fps * (1.0 + 8.0 * DBL_EPSILON));
  return frames >= 0.0 && frames < 0x1p52 ? (size_t)frames + 1 : 1;
}

double mote_scene_frame_time(const mote_scene *scene, size_t n) {
  return n > 0 ? (double)(n - 1) / scene->fps : 0.0;
}
