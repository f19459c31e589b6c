// Validation of large plastic flow: a block of clay between smooth plates, pressed to a half and a third of
// its height, keeps its volume and bears the stress of its law. The volume is that of the body as a whole,
// and the mean of det F. Theory: docs/theory/elastic.md, "Plasticity"
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/validate.h"

#define CLAY_SPACING 0.04
#define CLAY_ROWS 6     // particles along each axis
#define CLAY_YOUNG 3e5  // Pa
#define CLAY_POISSON 0.35
#define CLAY_YIELD 0.03
#define COMPRESSION_SECONDS 1.0  // of compression

typedef struct compression_case {
  double height;  // of what was 1
  mote_integrator integrator;
} compression_case;

static mote_result fill(mote_world *world, const compression_case *p, mote_error *error) {
  mote_material_def clay;
  mote_body_def block = mote_body_def_default();
  mote_collider_def plate = mote_collider_def_default();
  double half = 0.5 * CLAY_ROWS * CLAY_SPACING, high = CLAY_ROWS * CLAY_SPACING, wide = 4.0 * half;
  char path[64];
  (void)mote_material_def_preset("clay", &clay);
  clay.density = 1700.0, clay.friction = 0.0, clay.elastic.integrator = p->integrator;
  clay.elastic.young = CLAY_YOUNG, clay.elastic.poisson = CLAY_POISSON,
  clay.elastic.yield_strain = CLAY_YIELD;
  clay.elastic.strain_damping = 0.005;
  block.name = "block", block.material = "clay";
  block.shape = mote_shape_def_box(-half, 0.0, -half, half, high, half);
  plate.name = "plate", plate.shape = mote_shape_def_box(-wide, high, -wide, wide, high + 0.1, wide);
  // Particles are balls of one spacing to the plates: what is pressed is the way between the outer ones.
  snprintf(path, sizeof path, "-%.9g*min(t, %g)",
           (CLAY_ROWS - 1) * CLAY_SPACING * (1.0 - p->height) / COMPRESSION_SECONDS, COMPRESSION_SECONDS);
  plate.motion.move.y.formula = path;
  mote_result result = mote_world_add_material(world, &clay, NULL, error);
  if (!result) result = mote_world_add_body(world, &block, NULL, error);
  return result ? result : mote_world_add_collider(world, &plate, NULL, error);
}

// Without weight, on a floor.
static mote_world *make(validation *v, const compression_case *p) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  mote_error error;
  def.spacing = CLAY_SPACING;
  for (int a = 0; a < 3; ++a) {
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_OPEN;
    def.low[a] = -HUGE_VAL, def.high[a] = HUGE_VAL, def.gravity[a] = 0.0;
  }
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (!result) result = fill(world, p, &error);
  if (!result) result = mote_world_advance(world, 1.5 * COMPRESSION_SECONDS, &error);
  if (!result) return world;
  validation_error(v, &error);
  mote_world_destroy(world);
  return NULL;
}

// The particles' places by their rows at rest.
typedef struct packing {
  double at[CLAY_ROWS][CLAY_ROWS][CLAY_ROWS][3];
} packing;

static packing packing_of(const mote_world *world) {
  mote_field_view now = mote_world_elastic_view(world, "position"),
                  rest = mote_world_elastic_view(world, "rest");
  const double *x = now.data, *X = rest.data;
  packing l = {0};
  for (size_t i = 0; i < now.count; ++i) {
    int a = (int)floor(X[3 * i] / CLAY_SPACING + 0.5 * CLAY_ROWS),
        b = (int)floor(X[3 * i + 1] / CLAY_SPACING),
        c = (int)floor(X[3 * i + 2] / CLAY_SPACING + 0.5 * CLAY_ROWS);
    APP_ASSERT(a >= 0 && a < CLAY_ROWS && b >= 0 && b < CLAY_ROWS && c >= 0 && c < CLAY_ROWS);
    for (int k = 0; k < 3; ++k) l.at[a][b][c][k] = x[3 * i + (size_t)k];
  }
  return l;
}

// Of the parallelepiped on the ways from p to q, q to r, and r to s.
static double spanned(const double p[3], const double q[3], const double r[3], const double s[3]) {
  double a[3], b[3], c[3];
  for (int k = 0; k < 3; ++k) a[k] = q[k] - p[k], b[k] = r[k] - q[k], c[k] = s[k] - r[k];
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// What the outer particles enclose, over that at rest: cells of eight particles, each of six tetrahedra, one
// for each way from corner to corner along the axes. What is inside cancels.
static double enclosed(const mote_world *world) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  packing l = packing_of(world);
  int cells = (CLAY_ROWS - 1) * (CLAY_ROWS - 1) * (CLAY_ROWS - 1);
  double sum = 0.0;
  for (int k = 0; k < 6 * cells; ++k) {
    int cell = k / 6, n[3] = {cell % (CLAY_ROWS - 1), cell / (CLAY_ROWS - 1) % (CLAY_ROWS - 1),
                              cell / (CLAY_ROWS - 1) / (CLAY_ROWS - 1)};
    const double *corner[4] = {l.at[n[0]][n[1]][n[2]]};
    for (int a = 0; a < 3; ++a) {
      ++n[order[k % 6][a]];
      corner[a + 1] = l.at[n[0]][n[1]][n[2]];
    }
    sum += (k % 6 < 3 ? 1.0 : -1.0) / 6.0 * spanned(corner[0], corner[1], corner[2], corner[3]);
  }
  return sum / (cells * CLAY_SPACING * CLAY_SPACING * CLAY_SPACING);
}

// Means over the particles.
typedef struct means {
  double stress, volume;
} means;

static mote_result find_means(const mote_world *world, means *sum, mote_error *error) {
  size_t n = mote_world_elastic_particles(world);
  double *stress = calloc(2 * n, sizeof *stress);
  mote_elastic_measures out = {.stress = stress, .swelling = stress + n};
  if (stress == NULL) {
    *error = (mote_error){.code = MOTE_ERROR_MEMORY, .text = "no memory for measures"};
    return MOTE_ERROR_MEMORY;
  }
  mote_result result = mote_world_elastic_measure(world, &out, error);
  *sum = (means){0.0, 1.0};
  for (size_t i = 0; i < n && result == MOTE_OK; ++i) {
    sum->stress += stress[i] / (double)n, sum->volume += out.swelling[i] / (double)n;
  }
  free(stress);
  return result;
}

// Of Saint-Venant-Kirchhoff's law between smooth plates: stretches exp(a) along the plates' axis and exp(b)
// across, a - b where it yields, nothing borne across. By halving.
static double stress_of_law(void) {
  double lambda = CLAY_YOUNG * CLAY_POISSON / ((1.0 + CLAY_POISSON) * (1.0 - 2.0 * CLAY_POISSON)),
         mu = CLAY_YOUNG / (2.0 + 2.0 * CLAY_POISSON);
  double low = -CLAY_YIELD * 2.0, high = 0.0, along = 0.0;
  for (int k = 0; k < 60; ++k) {
    double a = 0.5 * (low + high), b = a + sqrt(1.5) * CLAY_YIELD;
    double A = 0.5 * (mote_exp(2.0 * a) - 1.0), B = 0.5 * (mote_exp(2.0 * b) - 1.0);
    double across = lambda * (A + 2.0 * B) + 2.0 * mu * B;
    along = mote_exp(2.0 * a) * (lambda * (A + 2.0 * B) + 2.0 * mu * A) / mote_exp(a + 2.0 * b);
    if (across > 0.0) high = a;
    if (across <= 0.0) low = a;
  }
  return -along;
}

static void report_compression(validation *v, const compression_case *p, double hull, means mean) {
  const char *by = p->integrator == MOTE_INTEGRATOR_EXPLICIT ? "explicit" : "implicit";
  char name[96];
  measure m = {name, MEASURE_NEAR, hull, 1.0, 0.03, "det Fp = 1"};
  snprintf(name, sizeof name, "clay pressed to %.2f, %s: volume", p->height, by);
  validation_report(v, &m);
  snprintf(name, sizeof name, "clay pressed to %.2f, %s: volume by F", p->height, by);
  m.value = mean.volume;
  validation_report(v, &m);
  snprintf(name, sizeof name, "clay pressed to %.2f, %s: stress over the law's", p->height, by);
  m.value = mean.stress / stress_of_law(), m.tolerance = 0.02, m.source = "yield between smooth plates";
  validation_report(v, &m);
}

static void compress(validation *v, const compression_case *p) {
  mote_world *world = make(v, p);
  means mean;
  mote_error error;
  if (world == NULL) return;
  if (find_means(world, &mean, &error) == MOTE_OK) {
    report_compression(v, p, enclosed(world), mean);
  } else {
    validation_error(v, &error);
  }
  mote_world_destroy(world);
}

void validate_elastic_compression(validation *v) {
  compress(v, &(compression_case){0.5, MOTE_INTEGRATOR_IMPLICIT});
  if (validation_quick(v)) return;
  compress(v, &(compression_case){1.0 / 3.0, MOTE_INTEGRATOR_IMPLICIT});
  compress(v, &(compression_case){0.5, MOTE_INTEGRATOR_EXPLICIT});
  compress(v, &(compression_case){1.0 / 3.0, MOTE_INTEGRATOR_EXPLICIT});
}
