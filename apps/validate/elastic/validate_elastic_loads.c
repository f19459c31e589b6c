// Validation of holds and loads of elastic bodies, in worlds: a clamped bar under traction, a clamped beam
// under its weight, resultants of loads. 2D is plane strain. Theory: docs/theory/elastic.md, "Clamps and
// loads"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "validate/trial_materials.h"
#include "validate/validate.h"

#define BAR_HEIGHT 0.2  // m, of bars
#define BAR_YOUNG 3e7   // Pa
#define BAR_DENSITY 1000.0
#define BAR_DAMPING 0.1  // s: what is left of the motion is e^-20
#define LOAD_SECONDS 2.0

typedef struct bar {
  int dimensions, across, order;
  double slenderness, poisson;
  double buried;  // spacings in front of the clamp's face
  double offset;  // spacings by which the clamp's face is off the sides of cells
  mote_hold_clamp clamp;
  double gravity, traction;
} bar;

static double spacing_of(const bar *b) {
  return BAR_HEIGHT / b->across;
}

// From the face of the clamp to the free end; the held part is before 0.
static double length_of(const bar *b) {
  return b->slenderness * BAR_HEIGHT;
}

// Where the deformation begins.
static double clamp_of(const bar *b) {
  return b->clamp == MOTE_CLAMP_CENTRES ? -0.5 * spacing_of(b) : b->offset * spacing_of(b);
}

static mote_result add_bar(mote_world *world, const bar *b, mote_error *error) {
  APP_ASSERT(b->across > 0 && b->slenderness > 0);
  double L = length_of(b), start = -b->buried * spacing_of(b), half = 0.5 * BAR_HEIGHT;
  mote_material_def material = elastic_material("stuff", BAR_DENSITY);
  mote_body_def body = mote_body_def_default();
  mote_hold_def hold = mote_hold_def_default();
  mote_load_def load = mote_load_def_default();
  material.elastic.young = BAR_YOUNG, material.elastic.poisson = b->poisson,
  material.elastic.order = b->order;
  material.elastic.strain_damping = BAR_DAMPING, material.elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
  body.name = "bar", body.material = "stuff";
  body.shape = mote_shape_def_box(start, -half, -half, L, half, half);
  hold.shape = mote_shape_def_box(-9.0, -9.0, -9.0, b->offset * spacing_of(b), 9.0, 9.0);
  hold.clamp = b->clamp;
  load.shape = mote_shape_def_box(L - 0.01, -9.0, -9.0, L + 0.01, 9.0, 9.0);
  load.normal[0] = 1.0, load.normal[1] = load.normal[2] = 0.0;
  load.traction = mote_value3_make(b->traction, 0.0, 0.0);
  body.hold = &hold, body.holds = 1, body.load = &load, body.loads = b->traction != 0.0;
  mote_result result = mote_world_add_material(world, &material, NULL, error);
  return result ? result : mote_world_add_body(world, &body, NULL, error);
}

static mote_world *settled(validation *v, const bar *b) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  mote_error error;
  def.dimensions = b->dimensions, def.spacing = spacing_of(b), def.gravity[1] = -b->gravity;
  def.solver.step_max = 0.02;
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (!result) result = add_bar(world, b, &error);
  if (!result) result = mote_world_advance(world, LOAD_SECONDS, &error);
  if (!result) return world;
  validation_error(v, &error);
  mote_world_destroy(world);
  return NULL;
}

// --- A bar pulled at its end -----------------------------------------------------------------------------

#define ROWS_MAX 256

// Mean places of the rows of free particles at rest and now, the clamp before them; returns their number.
static int find_rows(const mote_world *world, const bar *b, double (*X)[2]) {
  const double *rest = mote_world_elastic_view(world, "rest").data,
               *x = mote_world_elastic_view(world, "position").data;
  double d = spacing_of(b), count[ROWS_MAX] = {1.0};
  int rows = (int)lround(length_of(b) / d - b->offset) + 1;
  APP_ASSERT(rows > 1 && rows <= ROWS_MAX);
  for (int r = 0; r < rows; ++r) X[r][0] = X[r][1] = 0.0;
  X[0][0] = X[0][1] = clamp_of(b);
  for (size_t i = 0; i < mote_world_elastic_particles(world); ++i) {
    int row = (int)floor(rest[3 * i] / d + 1.0 - 1e-9 - b->offset);
    if (rest[3 * i] < clamp_of(b) + 0.01 * d || row < 1) continue;
    APP_ASSERT(row < rows);
    X[row][0] += rest[3 * i], X[row][1] += x[3 * i], count[row] += 1.0;
  }
  for (int r = 1; r < rows; ++r) X[r][0] /= count[r], X[r][1] /= count[r];
  return rows;
}

// How far strains between rows are off: of the first two, and of the others.
static void stretch_bar(validation *v, const bar *b, double off[2]) {
  double X[ROWS_MAX][2], strain = b->traction / BAR_YOUNG;
  mote_world *world = settled(v, b);
  off[0] = off[1] = (double)NAN;
  if (world == NULL) return;
  int rows = find_rows(world, b, X);
  off[0] = off[1] = 0.0;
  for (int r = 1; r < rows; ++r) {
    double found = (X[r][1] - X[r - 1][1]) / (X[r][0] - X[r - 1][0]) - 1.0;
    off[r > 2] = fmax(off[r > 2], fabs(found / strain - 1.0));
  }
  mote_world_destroy(world);
}

static void report_strain(validation *v, const bar *b) {
  char name[96];
  double off[2];
  stretch_bar(v, b, off);
  for (int k = 0; k < 2; ++k) {
    snprintf(name, sizeof name, "%dD, order %d, %d across%s%s: strain of rows, %s", b->dimensions, b->order,
             b->across, b->clamp == MOTE_CLAMP_CENTRES ? ", clamped at centres" : "",
             b->offset != 0.0 ? ", face off the cells" : "", k == 0 ? "first two" : "from the third");
    measure m = {name, MEASURE_NEAR, off[k], 0.0, k == 0 ? 0.15 : 0.05, "traction over E"};
    if (!isnan(off[k])) validation_report(v, &m);
  }
}

void validate_elastic_bar(validation *v) {
  for (int order = 1; order <= 2; ++order) {
    for (int across = 4; across <= 8; across += 4) {
      bar b = {.dimensions = 2, .across = across, .order = order, .slenderness = 3.0, .buried = 3.0};
      b.traction = 1e-5 * BAR_YOUNG;
      report_strain(v, &b);
      if (across == 4) b.clamp = MOTE_CLAMP_CENTRES, report_strain(v, &b);
    }
  }
  bar space = {.dimensions = 3, .across = 4, .order = 2, .slenderness = 3.0, .buried = 3.0};
  space.traction = 1e-5 * BAR_YOUNG;
  report_strain(v, &space);
  if (validation_quick(v)) return;
  space.across = 8;
  report_strain(v, &space);
}

// --- A beam under its weight -----------------------------------------------------------------------------

// How far x of a beam sinks under its weight (Timoshenko & Goodier).
static double timoshenko(const bar *b, double L, double gravity, double x) {
  double H = BAR_HEIGHT, nu = b->poisson, w = BAR_DENSITY * gravity * H, I = H * H * H / 12.0;
  double E = b->dimensions == 2 ? BAR_YOUNG / (1.0 - nu * nu) : BAR_YOUNG, G = BAR_YOUNG / (2.0 * (1.0 + nu));
  double shear = b->dimensions == 2 ? 5.0 / 6.0 : 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
  return w * x * x * (x * x - 4.0 * L * x + 6.0 * L * L) / (24.0 * E * I) +
         w * (L * x - 0.5 * x * x) / (shear * G * H);
}

static void report_beam(validation *v, bar b) {
  double from = clamp_of(&b), L = length_of(&b) - from, sum = 0.0, count = 0.0, X = 0.0;
  char name[96];
  b.gravity = 0.002 * L / timoshenko(&b, L, 1.0, L);
  mote_world *world = settled(v, &b);
  if (world == NULL) return;
  const double *rest = mote_world_elastic_view(world, "rest").data,
               *x = mote_world_elastic_view(world, "position").data;
  for (size_t i = 0; i < mote_world_elastic_particles(world); ++i) {
    if (rest[3 * i] < length_of(&b) - spacing_of(&b)) continue;
    sum += rest[3 * i + 1] - x[3 * i + 1], X = rest[3 * i] - from, count += 1.0;
  }
  snprintf(name, sizeof name, "%dD, nu = %g, %d across%s%s: tip over Timoshenko's", b.dimensions, b.poisson,
           b.across, b.clamp == MOTE_CLAMP_CENTRES ? ", clamped at centres" : "",
           b.offset != 0.0 ? ", face off the cells" : "");
  measure m = {name, MEASURE_NEAR, sum / count / timoshenko(&b, L, b.gravity, X), 1.0, 0.02, "Timoshenko"};
  validation_report(v, &m);
  mote_world_destroy(world);
}

void validate_elastic_clamp(validation *v) {
  static const double poisson[] = {0.0, 0.3};
  for (int k = 0; k < 2; ++k) {
    for (int across = 4; across <= 8; across += 4) {
      bar b = {.dimensions = 2, .across = across, .order = 2, .slenderness = 8.0, .poisson = poisson[k]};
      b.buried = 3.0;
      report_beam(v, b);
      if (across == 4) b.offset = 0.3, report_beam(v, b), b.offset = 0.0;
      if (across == 4) b.clamp = MOTE_CLAMP_CENTRES, report_beam(v, b);
    }
  }
  bar space = {.dimensions = 3, .across = 4, .order = 2, .slenderness = 8.0, .poisson = 0.3};
  space.buried = 3.0;
  report_beam(v, space);
}
