// Validation: a square of water that turns (Colagrossi 2005; Le Touze et al. 2013). Its pressure is negative
// everywhere, so fluids that cannot be pulled fly apart, and particles that are pulled may clump and tear.
#include <math.h>
#include <mote/draw.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_flow.h"
#include "validate/fluids/free_references.h"

#define SAMPLE_COUNT 100
#define SAMPLE_INTERVAL 0.02  // of omega t, between two
#define QUIET_TIME 0.1        // omega t: until then the sound of the sudden beginning is heard
#define EARLY_TIME 0.4        // until then the square is one still: corners have moved by 6 % of the side
#define CORE_RADIUS 0.1       // radius about the centre whose pressures are averaged
#define VOID_REACH 1.5        // spacings: a place without particles so near is a void
// Of L, about the centre: by omega t = 2 the middles of the sides have come to 0.35
#define INSIDE_RADIUS 0.3

typedef struct patch {
  validation *v;
  fluid_variant variant;
  double spacing;
  double time[SAMPLE_COUNT], pressure[SAMPLE_COUNT], voids, energy[SAMPLE_COUNT], spin[SAMPLE_COUNT];
} patch;

// Over rho omega^2 L^2.
static double centre_pressure(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position"), p = mote_world_view(world, "pressure");
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    const double *at = (const double *)x.data + 3 * i;
    if (at[0] * at[0] + at[1] * at[1] > CORE_RADIUS * CORE_RADIUS) continue;
    sum += (double)((const float *)p.data)[i], count += 1.0;
  }
  return sum / count / mote_material_def_default().density;
}

// The series, averaged over the same disc.
static double exact_pressure(void) {
  double sum = 0.0, count = 0.0;
  for (int k = 0; k < 11 * 11; ++k) {
    double x = CORE_RADIUS * (k % 11 - 5) / 5.0, y = CORE_RADIUS * (k / 11 - 5) / 5.0;
    if (x * x + y * y > CORE_RADIUS * CORE_RADIUS) continue;
    sum += patch_pressure(0.5 + x, 0.5 + y), count += 1.0;
  }
  return sum / count;
}

// Places of a packing in the disc that the water never leaves with no particle within reach, over all.
static mote_result void_share(const mote_world *world, double spacing, const mote_env *env, double *share,
                              mote_error *error) {
  mote_field_view x = mote_world_view(world, "position");
  mote_kdtree *tree = NULL;
  mote_result result = mote_kdtree_create(2, x.data, x.count, env, &tree, error);
  if (result) return result;
  double empty = 0.0, all = 0.0;
  int half = (int)(INSIDE_RADIUS / spacing);
  for (int i = -half; i <= half; ++i) {
    for (int k = -half; k <= half; ++k) {
      double at[3] = {i * spacing, k * spacing, 0.0};
      if (at[0] * at[0] + at[1] * at[1] > INSIDE_RADIUS * INSIDE_RADIUS) continue;
      all += 1.0, empty += mote_kdtree_range(tree, at, VOID_REACH * spacing, NULL, 0) == 0;
    }
  }
  mote_kdtree_destroy(tree);
  *share = empty / all;
  return MOTE_OK;
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLE_COUNT);
  patch *p = user;
  mote_totals totals;
  double voids = 0.0;
  mote_result result = mote_world_totals(world, &totals, error);
  if (!result) result = void_share(world, p->spacing, validation_env(p->v), &voids, error);
  if (result) return result;
  p->voids = fmax(p->voids, voids);
  p->pressure[k] = centre_pressure(world);
  p->energy[k] = totals.kinetic_energy, p->spin[k] = totals.angular_momentum[2];
  if (k == SAMPLE_COUNT - 1) free_picture(p->v, world, p->spacing, "patch", p->variant);
  return MOTE_OK;
}

static bool run_one(patch *p) {
  free_scene s;
  free_scene_make(&s, 2, p->spacing);
  s.water.viscosity = 0.0;
  s.scene.world.gravity[1] = 0.0;
  s.body.shape = mote_shape_def_box(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5);
  s.body.velocity.x.formula = "y", s.body.velocity.y.formula = "-x";
  for (int k = 0; k < SAMPLE_COUNT; ++k) p->time[k] = SAMPLE_INTERVAL * (k + 1);
  fluid_run run = {&s.scene, p->time, SAMPLE_COUNT, take_sample, p};
  mote_error error;
  mote_result result = fluid_run_variant(&run, p->variant, validation_env(p->v), &error);
  if (result) validation_error(p->v, &error);
  return !result;
}

static void judge(const patch *p, const fluid_roles *roles) {
  double mean = 0.0, count = 0.0, exact = exact_pressure();
  for (int k = 0; k < SAMPLE_COUNT; ++k) {
    if (p->time[k] >= QUIET_TIME && p->time[k] <= EARLY_TIME) mean += p->pressure[k], count += 1.0;
  }
  mean /= count;
  const measure rows[] = {
      {"pressure at the centre / (rho omega2 L2)", MEASURE_NEAR, mean, exact, 0.1 * fabs(exact),
       "series (Colagrossi 2005)"},
      {"share of places without particles", MEASURE_NEAR, p->voids, 0.0, 0.0, "no voids"},
      {"kinetic energy at the end / first", MEASURE_SHOWN, p->energy[SAMPLE_COUNT - 1] / p->energy[0], 1.0,
       0.0, "kept"},
      {"angular momentum at the end / first", MEASURE_SHOWN, p->spin[SAMPLE_COUNT - 1] / p->spin[0], 1.0, 0.0,
       "kept"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) fluid_report(p->v, roles, p->variant, &rows[k]);
}

static void draw(validation *v, const patch *found, const bool *done) {
  char path[1024];
  if (!validation_plot_path(v, "patch.svg", path, sizeof path)) return;
  mote_plot *plot = mote_plot_create(NULL, validation_env(v));
  mote_panel_def def = mote_panel_def_default();
  def.x.label = "\xcf\x89 t", def.y.label = "pressure at the centre / \xcf\x81\xcf\x89\xc2\xb2L\xc2\xb2";
  mote_panel *panel = mote_plot_panel(plot, 0, 0, &def);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (!done[k]) continue;
    mote_style style = mote_style_default();
    style.label = fluid_variant_name((fluid_variant)k);
    mote_plot_line(panel, found[k].time, found[k].pressure, SAMPLE_COUNT, &style);
  }
  mote_style exact = mote_style_default();
  exact.label = "series, at the beginning", exact.dash = MOTE_DASH_LONG;
  mote_plot_horizontal(panel, exact_pressure(), &exact);
  mote_error error;
  if (mote_plot_write(plot, path, &error)) validation_error(v, &error);
  mote_plot_destroy(plot);
}

void validate_patch(validation *v) {
  static const char no_tension[] = "pressures only push";
  static const fluid_roles roles = {.shown = {[FLUID_WCSPH] = no_tension,
                                              [FLUID_PCISPH] = no_tension,
                                              [FLUID_DFSPH] = no_tension,
                                              [FLUID_DFSPH_SHIFTED] = no_tension}};
  static patch found[FLUID_VARIANTS];
  bool done[FLUID_VARIANTS] = {false};
  double spacing = validation_quick(v) ? 0.02 : 0.01;
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    found[k] = (patch){.v = v, .variant = (fluid_variant)k, .spacing = spacing};
    done[k] = fluid_runs(v, &roles, (fluid_variant)k) && run_one(&found[k]);
    if (done[k]) judge(&found[k], &roles);
  }
  draw(v, found, done);
}
