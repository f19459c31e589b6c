// Validation: cohesive materials, DES96 (docs/theory/mixtures.md). The force between two of their
// particles against (7), for the kernels of figure 3; and the area within isovalues of the density while a
// tool cuts a body in two, figures 4 and 7.
#include <math.h>
#include <mote/draw.h>
#include <stdio.h>

#include "cli/base/scene_open.h"
#include "validate/fluids/fluid_cases.h"

// --- Two particles ---

#define FORCE_SAMPLES 400

// Force over k m between two particles that fly at each other, as the solver has it, against their distance.
typedef struct encounter {
  mote_kernel_kind kernel;
  double support;                                 // spacings
  double r[FORCE_SAMPLES], force[FORCE_SAMPLES];  // r/h; of the solver, positive: apart
  double exact[FORCE_SAMPLES];                    // (7)
  int count;
} encounter;

#define D 0.1
#define PUTTY_STIFFNESS 1e4
#define PUTTY_DENSITY 1000.0

static void two_particles(mote_scene *scene, mote_material_def *material, mote_body_def *body,
                          const encounter *e) {
  *scene = mote_scene_default();
  mote_world_def *world = &scene->world;
  world->dimensions = 2, world->spacing = D;
  for (int a = 0; a < 3; ++a) world->gravity[a] = 0.0;
  world->solver.pressure = MOTE_PRESSURE_WCSPH;
  world->solver.kernel = e->kernel, world->solver.support = e->support;
  world->solver.step_min = world->solver.step_max = 2e-4;
  world->solver.repulsion = 0.0;
  *material = mote_material_def_default();
  material->name = "putty", material->density = PUTTY_DENSITY, material->viscosity = 0.0;
  material->stiffness = PUTTY_STIFFNESS, material->damping = 0.0;
  static const char *const names[] = {"left", "right"};
  for (int b = 0; b < 2; ++b) {
    double x = (b == 0 ? -0.5 : 0.5) * 0.98 * e->support * D;
    body[b] = mote_body_def_default();
    body[b].name = names[b], body[b].material = "putty", body[b].fill = MOTE_FILL_CUBIC;
    body[b].shape = mote_shape_def_box(x - 0.5 * D, -0.5 * D, 0, x + 0.5 * D, 0.5 * D, 1);
    body[b].velocity.x.constant = b == 0 ? 6.0 : -6.0;
  }
  scene->material = material, scene->materials = 1, scene->body = body, scene->bodies = 2;
}

typedef struct state_of_two {
  double x[2], v[2], density;
} state_of_two;

static state_of_two read_two(const mote_world *world) {
  const double *x = mote_world_view(world, "position").data;
  const float *v = mote_world_view(world, "velocity").data, *rho = mote_world_view(world, "density").data;
  int left = x[0] < x[3] ? 0 : 1;
  return (state_of_two){
      {x[3 * left], x[3 * (1 - left)]}, {(double)v[3 * left], (double)v[3 * (1 - left)]}, (double)rho[0]};
}

// -2 (rho - rho0) / rho^2 m W'(r) of the kernel whose density this is: the solver's is scaled (fluids.md).
static double force_of_two(const mote_kernel *kernel, double r, double mass, double rho) {
  double plain = mass * (mote_kernel_value(kernel, 0.0) + mote_kernel_value(kernel, r));
  return -2.0 * (rho - PUTTY_DENSITY) / (rho * rho) * (rho / plain) * mass *
         mote_kernel_derivative(kernel, r);
}

static mote_result meet(encounter *e, const mote_env *env, mote_error *error) {
  mote_scene scene;
  mote_material_def material;
  mote_body_def body[2];
  two_particles(&scene, &material, body, e);
  mote_world *world = NULL;
  mote_result result = mote_world_create_scene(&scene, env, &world, error);
  if (!result && mote_world_particles(world) != 2) {
    snprintf(error->text, sizeof error->text, "%zu particles for two", mote_world_particles(world));
    error->file[0] = '\0';
    result = MOTE_ERROR_NUMERIC;
  }
  mote_kernel kernel = mote_kernel_make(e->kernel, 2, e->support * D);
  double mass = PUTTY_DENSITY * D * D, h = 0.5 * e->support * D, dt = scene.world.solver.step_max;
  for (int k = 0; k < FORCE_SAMPLES && !result; ++k) {
    state_of_two before = read_two(world);
    result = mote_world_advance(world, (k + 1) * dt, error);
    if (result) break;
    state_of_two after = read_two(world);  // its density is that of the places before
    double r = before.x[1] - before.x[0], nearer = (before.v[0] - before.v[1]) * dt;
    if (r < 1.5 * nearer || nearer <= 0.0) break;  // they pass each other
    e->r[e->count] = r / h;
    e->force[e->count] = (after.v[1] - before.v[1]) / dt / (PUTTY_STIFFNESS / PUTTY_DENSITY);
    e->exact[e->count++] = force_of_two(&kernel, r, mass, after.density);
  }
  mote_world_destroy(world);
  return result;
}

// The largest difference to (7), over the largest force.
static double worst_force(const encounter *e) {
  double worst = 0.0, most = 0.0;
  for (int k = 0; k < e->count; ++k) {
    worst = fmax(worst, fabs(e->force[k] - e->exact[k]));
    most = fmax(most, fabs(e->exact[k]));
  }
  return worst / most;
}

// The repulsion at the least distance over the largest.
static double nearest_force(const encounter *e) {
  double least = HUGE_VAL, at = 0.0, most = 0.0;
  for (int k = 0; k < e->count; ++k) {
    if (e->r[k] < least) least = e->r[k], at = e->force[k];
    most = fmax(most, e->force[k]);
  }
  return at / most;
}

void validate_des96_forces(validation *v) {
  static encounter e[2];
  // With these supports one particle alone has 0.8 of the density at rest: two repel when near, else attract.
  e[0] = (encounter){.kernel = MOTE_KERNEL_DESBRUN, .support = 2.0};
  e[1] = (encounter){.kernel = MOTE_KERNEL_CUBIC_SPLINE, .support = 1.5};
  mote_error error;
  for (int k = 0; k < 2; ++k) {
    if (!meet(&e[k], validation_env(v), &error)) continue;
    validation_error(v, &error);
    return;
  }
  const measure rows[] = {
      {"force of two particles, Desbrun's kernel, error", MEASURE_NEAR, worst_force(&e[0]), 0.0, 2e-3,
       "DES96 (7)"},
      {"force of two particles, spline, error", MEASURE_NEAR, worst_force(&e[1]), 0.0, 2e-3, "DES96 (7)"},
      {"push at the least distance / largest, Desbrun's", MEASURE_NEAR, nearest_force(&e[0]), 1.0, 0.01,
       "DES96 figure 3: no clustering"},
      {"push at the least distance / largest, spline", MEASURE_SHOWN, nearest_force(&e[1]), 0.0, 0.0,
       "DES96 figure 3: attenuated"},
      {"least distance / h, Desbrun's", MEASURE_SHOWN, e[0].r[e[0].count - 1], 0.0, 0.0, ""},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) validation_report(v, &rows[k]);
  fluid_curve curve[] = {{"kernel of DES96", e[0].r, e[0].force, (size_t)e[0].count, false},
                         {"spline", e[1].r, e[1].force, (size_t)e[1].count, false}};
  fluid_plot(v, "des96_figure3.svg", "r / h", "force / (k m), positive: apart", curve, 2);
}

// --- The area of what is cut ---

#define FRAME_COUNT 41
#define ISOVALUE_COUNT 4

typedef struct areas {
  const mote_world_def *def;
  double isovalue[ISOVALUE_COUNT];  // of the density at rest
  double time[FRAME_COUNT], area[ISOVALUE_COUNT][FRAME_COUNT];
} areas;

// Points of a grid at which the density is above each isovalue. Particles are few: all are summed.
static mote_result measure_areas(void *user, mote_world *world, int frame, mote_error *error) {
  (void)error;
  areas *a = user;
  mote_field_view x = mote_world_view(world, "position");
  double d = a->def->spacing, R = a->def->solver.support * d, cell = 0.2 * d;
  mote_kernel kernel = mote_kernel_make(a->def->solver.kernel, 2, R);
  double low[2] = {a->def->low[0] - R, a->def->low[1] - R}, high[2] = {a->def->high[0] + R, a->def->high[1]};
  for (double y = low[1]; y < high[1]; y += cell) {
    for (double at = low[0]; at < high[0]; at += cell) {
      double sum = 0.0;
      for (size_t i = 0; i < x.count; ++i) {
        const double *p = (const double *)x.data + 3 * i;
        double dx = p[0] - at, dy = p[1] - y;
        if (fabs(dy) < R && dx * dx + dy * dy < R * R)
          sum += d * d * mote_kernel_value(&kernel, sqrt(dx * dx + dy * dy));
      }
      for (int k = 0; k < ISOVALUE_COUNT; ++k) a->area[k][frame] += sum > a->isovalue[k] ? cell * cell : 0.0;
    }
  }
  return MOTE_OK;
}

static double variation(const areas *a, int k) {
  double mean = 0.0, most = 0.0;
  for (int f = 0; f < FRAME_COUNT; ++f) mean += a->area[k][f] / FRAME_COUNT;
  for (int f = 0; f < FRAME_COUNT; ++f) most = fmax(most, fabs(a->area[k][f] / mean - 1.0));
  return most;
}

void validate_des96_area(validation *v) {
  static areas a;
  mote_scene_file *file = NULL;
  mote_error error;
  if (scene_find("cutting_tool", NULL, 0, validation_env(v), &file, &error)) {
    validation_error(v, &error);
    return;
  }
  const mote_scene *scene = mote_scene_file_scene(file);
  double d = scene->world.spacing, h = 0.5 * scene->world.solver.support * d;
  mote_kernel kernel = mote_kernel_make(scene->world.solver.kernel, 2, 2.0 * h);
  a = (areas){.def = &scene->world};
  a.isovalue[0] = 2.0 * d * d * mote_kernel_value(&kernel, h);  // DES96 4.2
  for (int k = 1; k < ISOVALUE_COUNT; ++k) a.isovalue[k] = 0.25 * k;
  for (int f = 0; f < FRAME_COUNT; ++f) a.time[f] = scene->duration * f / (FRAME_COUNT - 1);
  fluid_run run = {scene, a.time, FRAME_COUNT, measure_areas, &a};
  if (fluid_run_scene(&run, validation_env(v), &error)) {
    validation_error(v, &error);
    mote_scene_file_destroy(file);
    return;
  }
  static char label[ISOVALUE_COUNT][64];
  fluid_curve curve[ISOVALUE_COUNT];
  for (int k = 0; k < ISOVALUE_COUNT; ++k) {
    char name[96];
    snprintf(name, sizeof name, "area within %.3f rho0%s, largest variation", a.isovalue[k],
             k == 0 ? ", 2 m W(h)" : "");
    validation_report(v, &(measure){name, k == 0 ? MEASURE_NEAR : MEASURE_SHOWN, variation(&a, k), 0.0, 0.1,
                                    "DES96 4.2: at most 10 %"});
    snprintf(label[k], sizeof label[k], "%.2f rho0%s", a.isovalue[k], k == 0 ? " = 2 m W(h)" : "");
    curve[k] = (fluid_curve){label[k], a.time, a.area[k], FRAME_COUNT, false};
  }
  fluid_plot(v, "des96_figure7.svg", "t, s", "area, m2", curve, ISOVALUE_COUNT);
  mote_scene_file_destroy(file);
}
