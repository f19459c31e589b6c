// Validation: the stretched drop of Monaghan 1994. No walls, no gravity: the free surface alone. Pressures
// are means over the inner half of the ellipse, where p = p_c (1 - x^2/a^2 - y^2/b^2) has the mean 7/8 p_c.
// The drop begins with the exact pressure: from none a compressible one rings with swings as large as that
// pressure, which has fallen to a fifth of it in the end. Smoothed is the mean over one period of
// that sound, 2 pi R/(2.405 c) with c ten times the fastest speed, held against the exact mean over the same
// time. It begins from a relaxed set: a packing is pulled into rows two spacings apart, on which no operator
// is isotropic; the axis is then as good, but pressures are 1.5 times too high.
#include <math.h>
#include <mote/draw.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_flow.h"
#include "validate/fluids/free_references.h"

#define SAMPLE_COUNT 82
#define SAMPLE_INTERVAL 1e-4  // s, between two
#define WINDOW_SAMPLES 13     // samples to each side of the mean in time: 2.6 ms
#define SKIPPED_SAMPLES 13    // samples left out: the sudden beginning
#define INNER_SHARE 0.5       // of the ellipse

typedef struct drop {
  validation *v;
  fluid_variant variant;
  double spacing;
  double time[SAMPLE_COUNT], along[SAMPLE_COUNT], tip[SAMPLE_COUNT], pressure[SAMPLE_COUNT];
} drop;

// Half the long axis of the ellipse of even density that has the particles' second moment: b^2 = 4 <y^2>.
static double long_axis(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position");
  double sum = 0.0, square = 0.0, n = (double)x.count;
  for (size_t i = 0; i < x.count; ++i) {
    double y = ((const double *)x.data)[3 * i + 1];
    sum += y, square += y * y;
  }
  return 2.0 * sqrt(square / n - (sum / n) * (sum / n));
}

// The mean pressure inside, as that of the centre, over the density.
static double centre_pressure(const mote_world *world, const drop_exact *exact, double density) {
  mote_field_view x = mote_world_view(world, "position"), p = mote_world_view(world, "pressure");
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    const double *at = (const double *)x.data + 3 * i;
    double u = at[0] / exact->across, w = at[1] / exact->along;
    if (u * u + w * w > INNER_SHARE * INNER_SHARE) continue;
    sum += (double)((const float *)p.data)[i], count += 1.0;
  }
  return sum / count / density / (1.0 - 0.5 * INNER_SHARE * INNER_SHARE);
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLE_COUNT);
  drop *d = user;
  double up = 0.0, down = 0.0;
  drop_exact exact = drop_exact_at(d->time[k]);
  mote_result result = free_level(world, "up", &up, error);
  if (!result) result = free_level(world, "down", &down, error);
  d->along[k] = long_axis(world), d->tip[k] = 0.5 * (up + down);
  d->pressure[k] = centre_pressure(world, &exact, mote_material_def_default().density);
  if (k == SAMPLE_COUNT - 1) free_picture(d->v, world, d->spacing, "drop", d->variant);
  return result;
}

static double pressure_error(const drop *d, int k, int window) {
  double sum = 0.0, exact = 0.0;
  for (int n = k - window; n <= k + window; ++n) {
    sum += d->pressure[n], exact += drop_exact_at(d->time[n]).pressure;
  }
  return fabs(sum / exact - 1.0);
}

static void judge(const drop *d, const fluid_roles *roles) {
  double axis = 0.0, pressure = 0.0, rough = 0.0, tip = d->tip[SAMPLE_COUNT - 1];
  for (int k = 0; k < SAMPLE_COUNT; ++k) {
    axis = fmax(axis, fabs(d->along[k] / drop_exact_at(d->time[k]).along - 1.0));
    if (k < SKIPPED_SAMPLES + WINDOW_SAMPLES || k + WINDOW_SAMPLES >= SAMPLE_COUNT) continue;
    pressure = fmax(pressure, pressure_error(d, k, WINDOW_SAMPLES));
    rough = fmax(rough, pressure_error(d, k, 0));
  }
  const measure rows[] = {
      {"semi-axis, largest error", MEASURE_NEAR, axis, 0.0, 0.01, "Monaghan 1994"},
      {"tip of the surface at the end", MEASURE_SHOWN, tip, drop_exact_at(d->time[SAMPLE_COUNT - 1]).along,
       0.0, "Monaghan 1994"},
      {"smoothed pressure, largest error", MEASURE_NEAR, pressure, 0.0, 0.1, "Monaghan 1994"},
      {"pressure as it is, largest error", MEASURE_SHOWN, rough, 0.0, 0.0, "Monaghan 1994"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) fluid_report(d->v, roles, d->variant, &rows[k]);
}

static bool run_one(drop *d) {
  free_scene s;
  free_scene_make(&s, 2, d->spacing);
  s.water.viscosity = 0.0;
  s.scene.world.gravity[1] = 0.0;
  s.body.shape = mote_shape_def_sphere(0, 0, 0, 1);
  s.body.fill = MOTE_FILL_RELAXED;
  s.body.velocity.x.formula = "-100*x", s.body.velocity.y.formula = "100*y";
  s.body.pressure.formula = "1000*0.5*100^2*(1-x^2-y^2)";
  free_scene_gauge(&s, "up", 0, 0, 0, 3);
  free_scene_gauge(&s, "down", 0, 0, 0, -3);
  for (int k = 0; k < SAMPLE_COUNT; ++k) d->time[k] = SAMPLE_INTERVAL * (k + 1);
  fluid_run run = {&s.scene, d->time, SAMPLE_COUNT, take_sample, d};
  mote_error error;
  mote_result result = fluid_run_variant(&run, d->variant, validation_env(d->v), &error);
  if (result) validation_error(d->v, &error);
  return !result;
}

static void draw(validation *v, const drop *found, const bool *done) {
  char path[1024];
  double time[SAMPLE_COUNT], along[SAMPLE_COUNT], pressure[SAMPLE_COUNT];
  if (!validation_plot_path(v, "drop.svg", path, sizeof path)) return;
  for (int k = 0; k < SAMPLE_COUNT; ++k) {
    drop_exact exact = drop_exact_at(SAMPLE_INTERVAL * (k + 1));
    time[k] = 1e3 * SAMPLE_INTERVAL * (k + 1), along[k] = exact.along, pressure[k] = exact.pressure;
  }
  mote_plot_def def = mote_plot_def_default();
  def.columns = 2, def.width = 1600, def.height = 700;
  mote_plot *plot = mote_plot_create(&def, validation_env(v));
  mote_panel_def left = mote_panel_def_default(), right = mote_panel_def_default();
  left.x.label = right.x.label = "t, ms";
  left.y.label = "semi-axis, m", right.y.label = "pressure at the centre / density, m\xc2\xb2/s\xc2\xb2";
  mote_panel *axis = mote_plot_panel(plot, 0, 0, &left), *inside = mote_plot_panel(plot, 0, 1, &right);
  mote_style style = mote_style_default();
  style.label = "exact (Monaghan 1994)", style.dash = MOTE_DASH_LONG;
  mote_plot_line(axis, time, along, SAMPLE_COUNT, &style);
  mote_plot_line(inside, time, pressure, SAMPLE_COUNT, &style);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (!done[k]) continue;
    style = mote_style_default();
    style.label = fluid_variant_name((fluid_variant)k);
    mote_plot_line(axis, time, found[k].along, SAMPLE_COUNT, &style);
    mote_plot_line(inside, time, found[k].pressure, SAMPLE_COUNT, &style);
  }
  mote_error error;
  if (mote_plot_write(plot, path, &error)) validation_error(v, &error);
  mote_plot_destroy(plot);
}

void validate_drop(validation *v) {
  static const fluid_roles roles = {0};
  static drop found[FLUID_VARIANTS];
  bool done[FLUID_VARIANTS] = {false};
  double spacing = validation_quick(v) ? 1.0 / 20 : 1.0 / 40;
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    found[k] = (drop){.v = v, .variant = (fluid_variant)k, .spacing = spacing};
    done[k] = !roles.skipped[k] && run_one(&found[k]);
    if (done[k]) judge(&found[k], &roles);
  }
  draw(v, found, done);
}
