// Validation of waves on tracked surfaces: frequencies of the three laws on an irregular sphere and on a thin
// ring, along which a wave runs as on a flat patch that is periodic both ways; energy, volume.
// docs/theory/tracking.md
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/tracking/track_trial.h"
#include "validate/validate.h"

#define PI 3.14159265358979323846
#define SAMPLES_PER_PERIOD 40  // of a period
#define LAW_COUNT 3
#define RING_RADIUS 1.0  // radius of the ring
// Of its tube: lengths along the ring differ by 3 % from the mean, squares in the mean by 0.1 %
#define TUBE_RADIUS 0.03

static const char *const law_name[LAW_COUNT] = {"plate", "string", "capillary"};

typedef struct wave_trial {
  validation *v;
  bool ring;  // else a sphere
  const char *name;
  mote_tracked *t;
  mote_surface surface;  // of the mesh at rest
  double *area;
  double *shape, *value;  // Legendre's polynomial of each vertex; the wave along the ring
  double edge;            // mean
  double limit;           // the mesh's
  int fine, coarse;       // harmonics of 16 and of 8 edges a wavelength
} wave_trial;

// --- The mesh ---------------------------------------------------------------------------------------------

static void put_on_sphere(mote_mesh *mesh) {
  for (size_t i = 0; i < mesh->vertices; ++i) {
    double *x = mesh->vertex + 3 * i, r = 0.0;
    for (int k = 0; k < 3; ++k) r += pow(x[k] - enright_centre[k], 2.0);
    for (int k = 0; k < 3; ++k)
      x[k] = enright_centre[k] + (x[k] - enright_centre[k]) * ENRIGHT_RADIUS / sqrt(r);
  }
}

static void measure_mesh(wave_trial *w) {
  const mote_mesh *mesh = &w->surface.mesh;
  for (size_t i = 0; i < mesh->vertices; ++i) w->area[i] = 0.0;
  w->edge = 0.0;
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *c = mesh->triangle + 3 * f;
    double side[3], half = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double *x = mesh->vertex + 3 * (size_t)c[k], *y = mesh->vertex + 3 * (size_t)c[(k + 1) % 3];
      side[k] = sqrt(pow(x[0] - y[0], 2.0) + pow(x[1] - y[1], 2.0) + pow(x[2] - y[2], 2.0));
      half += 0.5 * side[k];
    }
    w->edge += 2.0 * half / (3.0 * (double)mesh->triangles);
    double area = sqrt(fmax(0.0, half * (half - side[0]) * (half - side[1]) * (half - side[2])));
    for (int k = 0; k < 3; ++k) w->area[c[k]] += area / 3.0;
  }
}

static bool start_mesh(wave_trial *w, mote_error *error) {
  mote_track_def def = mote_track_def_default();
  def.edge = w->limit;
  size_t n = w->surface.mesh.vertices;
  w->area = malloc(3 * n * sizeof *w->area);
  if (w->area == NULL ||
      mote_tracked_create(&def, &w->surface, validation_env(w->v), &w->t, error) != MOTE_OK)
    return false;
  w->shape = w->area + n, w->value = w->area + 2 * n;
  measure_mesh(w);
  return true;
}

// A mesh that went through a quarter of Enright's flow and back, its vertices put onto the sphere.
static bool begin_sphere(wave_trial *w, mote_error *error) {
  mote_tracked *t = NULL;
  bool done = enright_begin(w->limit, validation_env(w->v), &t, error);
  for (int k = 0; k < ENRIGHT_STEPS && done; k += k == ENRIGHT_STEPS / 4 - 1 ? ENRIGHT_STEPS / 2 + 1 : 1)
    done = mote_tracked_move(t, 4, enright_flow, NULL, 0.01 * k, 0.01, error) == MOTE_OK &&
           mote_tracked_improve(t, NULL, error) == MOTE_OK;
  done = done && mote_tracked_surface(t, &w->surface, error) == MOTE_OK;
  mote_tracked_destroy(t);
  if (!done) return false;
  put_on_sphere(&w->surface.mesh);
  return start_mesh(w, error);
}

// Along the ring, to and fro around the tube: a flow that keeps the ring.
static void ring_flow(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user, (void)time;
  for (size_t i = 0; i < count; ++i) {
    const double *at = x + 3 * i;
    double along = (1.0 + 0.5 * cos(5.0 * atan2(at[1], at[0]))) * at[2] / TUBE_RADIUS;
    velocity[3 * i] = -at[1] * along, velocity[3 * i + 1] = at[0] * along, velocity[3 * i + 2] = 0.0;
  }
}

static void put_on_ring(mote_mesh *mesh) {
  for (size_t i = 0; i < mesh->vertices; ++i) {
    double *x = mesh->vertex + 3 * i, r = sqrt(x[0] * x[0] + x[1] * x[1]), out = r - RING_RADIUS;
    double scale = TUBE_RADIUS / sqrt(out * out + x[2] * x[2]), to = (RING_RADIUS + out * scale) / r;
    x[0] *= to, x[1] *= to, x[2] *= scale;
  }
}

static bool begin_ring(wave_trial *w, mote_error *error) {
  mote_mesh mesh;
  mote_tracked *t = NULL;
  size_t along = (size_t)(2.0 * PI * RING_RADIUS / w->limit),
         around = (size_t)(2.0 * PI * TUBE_RADIUS / w->limit) + 1;
  if (!track_torus(RING_RADIUS, TUBE_RADIUS, along, around, &mesh)) return false;
  bool done = track_begin(&mesh, NULL, w->limit, validation_env(w->v), &t, error);
  track_mesh_free(&mesh);
  for (int k = 0; k < 40 && done; ++k)
    done = mote_tracked_move(t, 4, ring_flow, NULL, 0.0, 0.2 * w->limit, error) == MOTE_OK &&
           mote_tracked_improve(t, NULL, error) == MOTE_OK;
  done = done && mote_tracked_surface(t, &w->surface, error) == MOTE_OK;
  mote_tracked_destroy(t);
  if (!done) return false;
  put_on_ring(&w->surface.mesh);
  if (!start_mesh(w, error)) return false;
  w->fine = (int)lround(2.0 * PI * RING_RADIUS / (16.0 * w->edge)),
  w->coarse = (int)lround(2.0 * PI * RING_RADIUS / (8.0 * w->edge));
  return true;
}

static void finish(wave_trial *w) {
  mote_tracked_destroy(w->t);
  mote_surface_free(&w->surface, validation_env(w->v));
  free(w->area);
}

// --- One harmonic -----------------------------------------------------------------------------------------

static double legendre(int n, double x) {
  double p = 1.0, q = x;
  for (int k = 2; k <= n; ++k) {
    double r = ((2 * k - 1) * x * q - (k - 1) * p) / k;
    p = q, q = r;
  }
  return n == 0 ? 1.0 : q;
}

static mote_wave_def law_def(int law) {
  mote_wave_def def = mote_wave_def_default();
  def.law = (mote_wave_law)law, def.strength = 1.0;
  return def;
}

// The eigenvalue of minus the Laplacian: k^2, 1/m^2.
static double eigenvalue(const wave_trial *w, int n) {
  return w->ring ? n * n / (RING_RADIUS * RING_RADIUS) : n * (n + 1.0) / (ENRIGHT_RADIUS * ENRIGHT_RADIUS);
}

static double exact_frequency(const wave_trial *w, int law, int n) {
  double m = eigenvalue(w, n);
  return law == MOTE_WAVE_PLATE ? sqrt(2.0) * m : law == MOTE_WAVE_STRING ? sqrt(m) : pow(m, 0.75);
}

static bool start_wave(wave_trial *w, int n, mote_error *error) {
  const mote_mesh *mesh = &w->surface.mesh;
  double mean = 0.0, area = 0.0;
  for (size_t i = 0; i < mesh->vertices; ++i) {
    const double *x = mesh->vertex + 3 * i;
    w->shape[i] =
        w->ring ? cos(n * atan2(x[1], x[0])) : legendre(n, (x[2] - enright_centre[2]) / ENRIGHT_RADIUS);
    mean += w->area[i] * w->shape[i], area += w->area[i];
  }
  for (size_t i = 0; i < mesh->vertices; ++i) w->value[i] = 0.1 * w->limit * (w->shape[i] - mean / area);
  return mote_tracked_set_field(w->t, "wave_height", "m", 1, w->value, error) == MOTE_OK &&
         mote_tracked_set_field(w->t, "wave_rate", "m/s", 1, NULL, error) == MOTE_OK;
}

// The part of the heights that is the harmonic.
static bool amplitude(wave_trial *w, double *out, mote_error *error) {
  mote_surface s;
  double top = 0.0, bottom = 0.0;
  if (mote_tracked_surface(w->t, &s, error) != MOTE_OK) return false;
  for (int f = 0; f < s.fields; ++f) {
    if (strcmp(s.field[f].name, "wave_height") != 0) continue;
    const double *h = s.field[f].data;
    for (size_t i = 0; i < s.mesh.vertices; ++i)
      top += w->area[i] * h[i] * w->shape[i], bottom += w->area[i] * w->shape[i] * w->shape[i];
  }
  mote_surface_free(&s, validation_env(w->v));
  *out = top / bottom;
  return true;
}

// From the zeros of two and a half periods.
static bool find_frequency(wave_trial *w, int law, int n, double *out, mote_error *error) {
  mote_wave_def def = law_def(law);
  double exact = exact_frequency(w, law, n), dt = 2.0 * PI / exact / SAMPLES_PER_PERIOD, first = 0.0,
         last = 0.0, before, now;
  int zeros = 0;
  if (!start_wave(w, n, error) || !amplitude(w, &before, error)) return false;
  for (int k = 1; k <= 5 * SAMPLES_PER_PERIOD / 2; ++k) {
    if (mote_tracked_waves(w->t, &def, dt, NULL, error) != MOTE_OK || !amplitude(w, &now, error))
      return false;
    if ((now > 0.0) != (before > 0.0)) {
      last = dt * (k - 1 + before / (before - now));
      if (zeros++ == 0) first = last;
    }
    before = now;
  }
  *out = zeros > 1 ? PI * (zeros - 1) / (last - first) : 0.0;
  return true;
}

static bool run_law(wave_trial *w, int law, mote_error *error) {
  const int harmonic[4] = {w->fine, w->coarse, 3, 7};
  double frequency[4];
  char name[80];
  int count = law == MOTE_WAVE_CAPILLARY && !validation_quick(w->v) && !w->ring ? 4 : 2;
  for (int k = 0; k < count; ++k) {
    if (!find_frequency(w, law, harmonic[k], &frequency[k], error)) return false;
    double edges = 2.0 * PI / (sqrt(eigenvalue(w, harmonic[k])) * w->edge);
    snprintf(name, sizeof name, "%s, %s: frequency, %.1f edges a wavelength", w->name, law_name[law], edges);
    validation_report(w->v, &(measure){name, k < 2 ? MEASURE_NEAR : MEASURE_SHOWN,
                                       frequency[k] / exact_frequency(w, law, harmonic[k]), 1.0,
                                       k == 0 ? 0.015 : 0.05, "exact"});
  }
  double exponent =
      log(frequency[1] / frequency[0]) / (0.5 * log(eigenvalue(w, w->coarse) / eigenvalue(w, w->fine)));
  snprintf(name, sizeof name, "%s, %s: exponent of omega(k)", w->name, law_name[law]);
  double reference = law == MOTE_WAVE_PLATE ? 2.0 : law == MOTE_WAVE_STRING ? 1.0 : 1.5;
  validation_report(w->v, &(measure){name, MEASURE_NEAR, exponent, reference, 0.05, "exact"});
  return true;
}

// --- What is kept -----------------------------------------------------------------------------------------

static bool run_kept(wave_trial *w, int law, int periods, mote_error *error) {
  mote_wave_def def = law_def(law);
  double dt = 2.0 * PI / exact_frequency(w, law, w->coarse) / 10.0, energy[2] = {0.0, 0.0}, worst = 0.0;
  double rest = mote_mesh_volume(&w->surface.mesh);
  if (!start_wave(w, w->coarse, error)) return false;
  for (int k = 0; k < 10 * periods; ++k) {
    double now;
    if (mote_tracked_waves(w->t, &def, dt, NULL, error) != MOTE_OK ||
        mote_tracked_wave_energy(w->t, &def, &now, error) != MOTE_OK)
      return false;
    if (k < periods) energy[0] += now / periods;
    if (k >= 9 * periods) energy[1] += now / periods;
    if (k % periods != 0) continue;
    mote_surface s;
    if (mote_tracked_wave_surface(w->t, &s, error) != MOTE_OK) return false;
    worst = fmax(worst, fabs(mote_mesh_volume(&s.mesh) / rest - 1.0));
    mote_surface_free(&s, validation_env(w->v));
  }
  char name[80];
  snprintf(name, sizeof name, "%s, %s: energy after %d periods", w->name, law_name[law], periods);
  validation_report(w->v, &(measure){name, MEASURE_NEAR, energy[1] / energy[0], 1.0, 0.001, "exact"});
  snprintf(name, sizeof name, "%s, %s: volume with waves", w->name, law_name[law]);
  validation_report(w->v, &(measure){name, MEASURE_NEAR, worst, 0.0, 1e-6, "exact"});
  return true;
}

static void run_waves(validation *v, wave_trial *w, bool (*begin)(wave_trial *, mote_error *)) {
  mote_error error = {0};
  bool quick = validation_quick(v), done = begin(w, &error);
  for (int law = 0; law < LAW_COUNT && done; ++law) done = run_law(w, law, &error);
  for (int law = 0; law < (quick ? 1 : LAW_COUNT) && done; ++law)
    done = run_kept(w, law, quick ? 20 : 100, &error);
  if (!done) validation_error(v, &error);
  finish(w);
}

void validate_track_waves(validation *v) {
  bool quick = validation_quick(v);
  wave_trial w = {.v = v, .name = "sphere", .fine = quick ? 3 : 5, .coarse = quick ? 7 : 10};
  w.limit = quick ? 0.0171 : 0.0114;
  run_waves(v, &w, begin_sphere);
}

void validate_track_patch(validation *v) {
  if (validation_quick(v)) {
    validation_skip(v, "without --quick only");
    return;
  }
  wave_trial w = {.v = v, .name = "patch", .ring = true, .limit = 0.0188};
  run_waves(v, &w, begin_ring);
}
