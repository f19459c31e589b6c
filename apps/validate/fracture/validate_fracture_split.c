// Validation of the splitting of particles, EG09 (71): what it conserves, and the energy of a plate with a
// slit. Theory: docs/theory/fragments.md, "Resampling"
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/input_file.h"
#include "validate/fracture/fracture_trial.h"

typedef struct sample {
  validation *v;
  mote_error error;
  bool ok;
  mote_split_rows row;
  mote_elastic_def def;
  mote_elastic *body;
} sample;

static void keep(sample *s, mote_result result) {
  if (result == MOTE_OK || !s->ok) return;
  s->ok = false;
  validation_error(s->v, &s->error);
}

static void close_sample(sample *s) {
  mote_elastic_destroy(s->body);
  split_rows_free(&s->row);
}

static void make_body(sample *s) {
  if (s->ok) keep(s, split_rows_body(&s->row, s->def, validation_env(s->v), &s->body, &s->error));
}

// Spacing 1, at rest.
static sample open_sample(validation *v, int dimensions, const size_t side[3], double jitter,
                          double support) {
  size_t n = side[0] * side[1] * side[2];
  sample s = {.v = v, .ok = true, .row = split_rows_take(n), .def = mote_elastic_def_default()};
  s.def.dimensions = dimensions, s.def.order = 1, s.def.kind = MOTE_ELASTIC_COROTATED;
  s.def.young = 1e6, s.def.poisson = 0.3, s.def.density = 1000.0;
  for (size_t i = 0; i < n; ++i) {
    const size_t at[3] = {i % side[0], i / side[0] % side[1], i / side[0] / side[1]};
    for (int a = 0; a < dimensions; ++a)
      s.row.rest[3 * i + (size_t)a] =
          (double)at[a] + 0.5 + jitter * (2.0 * mote_random_uniform(71, (uint64_t)a, i) - 1.0);
    s.row.support[i] = support, s.row.volume[i] = 1.0, s.row.parent[i] = (uint32_t)i;
  }
  memcpy(s.row.position, s.row.rest, 3 * n * sizeof(double));
  return s;
}

static mote_elastic_motion motion_of(const sample *s) {
  return (mote_elastic_motion){.position = s->row.position, .velocity = s->row.velocity};
}

static sample split(sample *s, const mote_split_def *def, const uint32_t *row, size_t count) {
  sample out = {.v = s->v, .ok = s->ok, .def = s->def};
  out.row = split_rows_take(s->ok ? mote_elastic_split_count(s->body, count) : 1);
  mote_elastic_motion motion = motion_of(s);
  if (out.ok) keep(&out, mote_elastic_split(s->body, def, &motion, row, count, &out.row, &out.error));
  make_body(&out);
  return out;
}

typedef struct sums {
  double p[3], l[3], size, turning, energy;
} sums;

static sums sums_of(sample *s) {
  sums out = {.size = 0.0};
  mote_elastic_motion motion = motion_of(s);
  mote_elastic_energies energies = {0};
  for (size_t i = 0; i < s->row.count && s->ok; ++i) {
    const double *x = s->row.position + 3 * i, *v = s->row.velocity + 3 * i;
    double m = mote_elastic_mass(s->body)[i], square = 0.0, turn = 0.0;
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      double l = x[b] * v[c] - x[c] * v[b];
      out.p[a] += m * v[a], out.l[a] += m * l;
      square += v[a] * v[a], turn += l * l;
    }
    out.size += m * sqrt(square), out.turning += m * sqrt(turn);
  }
  if (s->ok) keep(s, mote_elastic_find_energies(s->body, &motion, &energies, &s->error));
  out.energy = energies.strain + energies.hourglass;
  return out;
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// Largest difference of a particle's mass and of that of its parts; exact, for all are its mass over a power
// of two.
static double mass_error(const sample *before, const sample *after) {
  double *sum = input_take(before->row.count, sizeof *sum), most = 0.0;
  for (size_t i = 0; i < after->row.count; ++i) {
    uint32_t p = after->row.parent[i];
    sum[p] += mote_elastic_mass(after->body)[i] / mote_elastic_mass(before->body)[p];
  }
  for (size_t p = 0; p < before->row.count; ++p) most = fmax(most, fabs(sum[p] - 1.0));
  free(sum);
  return most;
}

// A jittered block, strained evenly, moving and turning; every third particle is split.
static void measure_kept(validation *v, int dimensions) {
  static const double A[9] = {1.1, 0.2, -0.05, 0.1, 0.9, 0.03, 0.02, -0.04, 1.05};
  const size_t side[3] = {7, 6, dimensions == 3 ? 6 : 1};
  sample s = open_sample(v, dimensions, side, 0.1, 2.4);
  make_body(&s);
  uint32_t row[7 * 6 * 6];
  size_t count = 0;
  for (size_t i = 0; i < s.row.count; ++i) {
    const double *X = s.row.rest + 3 * i;
    double *x = s.row.position + 3 * i, *u = s.row.velocity + 3 * i;
    for (int a = 0; a < dimensions; ++a)
      x[a] = A[3 * a] * X[0] + A[3 * a + 1] * X[1] + (dimensions == 3 ? A[3 * a + 2] * X[2] : 0.0);
    u[0] = 1.0 - 2.0 * x[1], u[1] = 2.0 * x[0];
    if (i % 3 == 1) row[count++] = (uint32_t)i;
  }
  mote_split_def def = {.most = SIZE_MAX};
  sample after = split(&s, &def, row, count);
  sums a = sums_of(&s), b = sums_of(&after);
  if (after.ok) {
    fracture_trial_report(v, MEASURE_NEAR, mass_error(&s, &after), 0.0, 0.0, "powers of two",
                          "splitting: error of a particle's mass, %dD", dimensions);
    fracture_trial_report(v, MEASURE_NEAR, distance(a.p, b.p) / a.size, 0.0, 1e-13, "conservation",
                          "splitting: change of momentum, %dD", dimensions);
    fracture_trial_report(v, MEASURE_NEAR, distance(a.l, b.l) / a.turning, 0.0, 1e-12, "conservation",
                          "splitting: change of angular momentum, %dD", dimensions);
    fracture_trial_report(v, MEASURE_NEAR, b.energy / a.energy - 1.0, 0.0, 1e-12, "exact for order 1",
                          "splitting: change of the energy of a uniform strain, %dD", dimensions);
  }
  close_sample(&s), close_sample(&after);
}

// --- A plate with a slit -------------------------------------------------------------------------------

#define PARTICLES_ACROSS 20
#define PARTICLES_ALONG 30

// Pulls the ends apart by implicit steps without momentum; returns the energy at rest.
static double settle(sample *s) {
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  mote_elastic_implicit *solver = NULL;
  mote_elastic_motion motion = motion_of(s);
  size_t n = s->row.count;
  uint8_t *held = input_take(n, sizeof *held);
  motion.held = held;
  for (size_t i = 0; i < n; ++i) {
    double y = s->row.rest[3 * i + 1], *x = s->row.position + 3 * i;
    held[i] = y < 2.0 || y > PARTICLES_ALONG - 2.0;
    if (held[i]) x[1] = y + (y > 0.5 * PARTICLES_ALONG ? 0.01 : -0.01) * PARTICLES_ALONG;
  }
  if (s->ok) keep(s, mote_elastic_implicit_create(&def, s->body, &solver, &s->error));
  for (int step = 0; step < 6 && s->ok; ++step) {
    memset(s->row.velocity, 0, 3 * n * sizeof(double));
    keep(s, mote_elastic_implicit_step(solver, &motion, NULL, 100.0, NULL, &s->error));
  }
  memset(s->row.velocity, 0, 3 * n * sizeof(double));
  mote_elastic_implicit_destroy(solver);
  free(held);
  return sums_of(s).energy;
}

// The rows beside the slit are split, from `tip` inside its ends.
static void measure_slit(validation *v, double shift, double tip, bool judged) {
  const size_t side[3] = {PARTICLES_ACROSS, PARTICLES_ALONG, 1};
  sample s = open_sample(v, 2, side, 0.0, 2.5);
  double y = 0.5 * PARTICLES_ALONG + shift;
  const double ends[6] = {6.0, y, 0, 14.0, y, 0};
  mote_cracks *cracks = NULL;
  keep(&s, mote_cracks_create(2, validation_env(v), &cracks, &s.error));
  if (s.ok) keep(&s, mote_cracks_add_polygon(cracks, ends, 2, 1.0, &s.error));
  mote_crack_rule rule = {.cracks = cracks, .margin = 0.05};
  s.def.path_length = mote_crack_rule_path_length, s.def.user = &rule;
  make_body(&s);
  double whole = settle(&s);
  uint32_t row[PARTICLES_ACROSS * PARTICLES_ALONG];
  size_t count = 0;
  for (size_t i = 0; i < s.row.count; ++i) {
    const double *x = s.row.rest + 3 * i;
    if (fabs(x[1] - y) < 1.2 && x[0] > 6.0 + tip && x[0] < 14.0 - tip) row[count++] = (uint32_t)i;
  }
  mote_split_def def = {.most = SIZE_MAX, .crosses = split_rows_cross, .user = cracks};
  sample after = split(&s, &def, row, count);
  double at_once = sums_of(&after).energy, settled = settle(&after);
  const char *where = tip > 0.0 ? "along the slit" : "and its ends";
  if (after.ok) {
    fracture_trial_report(v, judged ? MEASURE_NEAR : MEASURE_SHOWN, at_once / whole - 1.0, 0.0, 0.01,
                          "unsplit", "plate with a slit, split %s, slit shifted by %g: energy at once", where,
                          shift);
    fracture_trial_report(v, judged ? MEASURE_NEAR : MEASURE_SHOWN, settled / whole - 1.0, 0.0, 0.003,
                          "unsplit", "plate with a slit, split %s, slit shifted by %g: settled", where,
                          shift);
  }
  close_sample(&s), close_sample(&after);
  mote_cracks_destroy(cracks);
}

void validate_fracture_split(validation *v) {
  measure_kept(v, 2);
  measure_kept(v, 3);
  measure_slit(v, 0.0, 1.0, true);
  measure_slit(v, 0.2, 1.0, true);
  measure_slit(v, 0.0, -1.0, false);
}
