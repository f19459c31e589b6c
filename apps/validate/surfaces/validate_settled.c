// Validation of surfaces of simulated fluids: a pool that came to rest from disorder (Q5 of
// docs/surface_quality.md), and DES96's surface of a blob that is squeezed and of one that falls (DES96 4.2).
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "validate/surfaces/mesh_measure.h"
#include "validate/surfaces/surface_trial.h"

#define D 0.02              // spacing, m
#define CELL_SPACINGS 0.25  // spacings

// Volumes of the particles by mass and the density of water, to be freed.
static float *volumes_of(const mote_world *world, double density) {
  mote_field_view mass = mote_world_view(world, "mass");
  float *volume = calloc(mass.count + 1, sizeof *volume);
  if (volume == NULL) abort();
  for (size_t i = 0; i < mass.count; ++i)
    volume[i] = (float)((double)((const float *)mass.data)[i] / density);
  return volume;
}

static bool build_world(validation *v, const mote_surface_def *def, const mote_world *world, double density,
                        mote_surface *out) {
  mote_field_view x = mote_world_view(world, "position");
  float *volume = volumes_of(world, density);
  mote_surface_particles particles = {.position = x.data, .count = x.count, .volume = volume};
  bool done = trial_build(v, def, &particles, out, NULL);
  free(volume);
  return done;
}

// A world of one material and one body in a tank of `side` times `side`, open above.
static mote_result one_body(double side, const mote_material_def *material, const mote_shape_def *shape,
                            const mote_env *env, mote_world **out, mote_error *error) {
  mote_world_def def = mote_world_def_default();
  def.spacing = D;
  for (int a = 0; a < 3; ++a) {
    def.low[a] = 0.0, def.high[a] = side;
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  }
  def.side[1][1] = MOTE_SIDE_OPEN;
  mote_body_def body = mote_body_def_default();
  body.name = "body", body.material = material->name, body.shape = *shape, body.fill = MOTE_FILL_RELAXED;
  mote_result result = mote_world_create(&def, env, out, error);
  if (!result) result = mote_world_add_material(*out, material, NULL, error);
  if (!result) result = mote_world_add_body(*out, &body, NULL, error);
  return result;
}

// --- A pool -----------------------------------------------------------------------------------------------

#define POOL_SIDE 28.0   // spacings
#define POOL_DEPTH 10.0  // spacings

typedef struct roughness {
  double level;  // mean height, m
  double rms;    // about the best quadratic in x and z, so that waves as long as the tank do not count
} roughness;

#define FIT_TERMS 6

static void terms_at(const double *x, double p[FIT_TERMS]) {
  double a = x[0] / (POOL_SIDE * D) - 0.5, b = x[2] / (POOL_SIDE * D) - 0.5;
  p[0] = 1.0, p[1] = a, p[2] = b, p[3] = a * a, p[4] = a * b, p[5] = b * b;
}

// The upper side, at least 5 d from the walls.
static bool counts(const double *x) {
  bool in = x[1] > 0.5 * POOL_DEPTH * D;
  for (int k = 0; k < 3; k += 2) in = in && x[k] > 5 * D && x[k] < (POOL_SIDE - 5) * D;
  return in;
}

static roughness measure_roughness(const mote_mesh *mesh) {
  double *area = mesh_vertex_areas(mesh), a[FIT_TERMS * FIT_TERMS] = {0}, b[FIT_TERMS] = {0}, c[FIT_TERMS],
         p[FIT_TERMS];
  roughness out = {0};
  double all = 0.0;
  for (size_t i = 0; i < mesh->vertices; ++i) {
    const double *x = mesh->vertex + 3 * i;
    if (!counts(x)) continue;
    terms_at(x, p);
    for (int k = 0; k < FIT_TERMS * FIT_TERMS; ++k) a[k] += area[i] * p[k / FIT_TERMS] * p[k % FIT_TERMS];
    for (int k = 0; k < FIT_TERMS; ++k) b[k] += area[i] * p[k] * x[1];
    all += area[i], out.level += area[i] * x[1];
  }
  bool solved = mote_dense_solve_spd(FIT_TERMS, a, 1, b, c);
  for (size_t i = 0; i < mesh->vertices && solved; ++i) {
    const double *x = mesh->vertex + 3 * i;
    if (!counts(x)) continue;
    double height = x[1];
    terms_at(x, p);
    for (int k = 0; k < FIT_TERMS; ++k) height -= c[k] * p[k];
    out.rms += area[i] * height * height;
  }
  free(area);
  out.level /= all, out.rms = solved ? sqrt(out.rms / all) : (double)NAN;
  return out;
}

static void judge_settled(validation *v, const mote_world *world, double density) {
  FILE *table = trial_table(v, "surface-settled.md", " method | RMS height, d | level - nominal, d |");
  roughness found[MOTE_SURFACE_METHODS] = {0};
  for (mote_surface_method method = 0; method < MOTE_SURFACE_METHODS; ++method) {
    mote_surface_def def = trial_def(method, D, CELL_SPACINGS);
    mote_surface surface;
    if (!build_world(v, &def, world, density, &surface)) continue;
    found[method] = measure_roughness(&surface.mesh);
    double level = found[method].level / D - POOL_DEPTH;
    trial_report(v, false, "RMS height, in d", "settled pool", method, found[method].rms / D, 0.0, 0.0, "");
    trial_report(v, false, "level - nominal, in d", "settled pool", method, level, 0.0, 0.0, "");
    if (table != NULL) {
      fprintf(table, "| %s | %.4f | %+.3f |\n", mote_surface_method_name(method), found[method].rms / D,
              level);
    }
    mote_surface_free(&surface, validation_env(v));
  }
  trial_table_end(v, table);
  double ratio = found[MOTE_SURFACE_ANISOTROPIC].rms / found[MOTE_SURFACE_DENSITY].rms;
  trial_report(v, true, "roughness, part of density's", "settled pool", MOTE_SURFACE_ANISOTROPIC, ratio, 0.0,
               0.2, "a fifth (Q5)");
}

void validate_surface_settled(validation *v) {
  mote_material_def water = mote_material_def_default();
  mote_shape_def pool = mote_shape_def_box(0, 0, 0, POOL_SIDE * D, POOL_DEPTH * D, POOL_SIDE * D);
  mote_world *world = NULL;
  mote_error error;
  mote_result result = one_body(POOL_SIDE * D, &water, &pool, validation_env(v), &world, &error);
  if (!result) result = mote_world_advance(world, validation_quick(v) ? 0.5 : 2.0, &error);
  if (result) {
    validation_error(v, &error);
  } else {
    judge_settled(v, world, water.density);
  }
  mote_world_destroy(world);
}

// --- Waves ------------------------------------------------------------------------------------------------

#define WAVE_LENGTH (15.0 * D)
#define WAVE_SIDE 44.0  // spacings: two waves and 7 d at either side

static double wave_at(double x) {
  return mote_cos(2.0 * 3.14159265358979323846 * x / WAVE_LENGTH);
}

// How high the waves are, over two lengths.
static double measure_wave(const mote_surface *surface) {
  double *area = mesh_vertex_areas(&surface->mesh), all = 0.0, sum = 0.0;
  for (size_t i = 0; i < surface->mesh.vertices; ++i) {
    const double *x = surface->mesh.vertex + 3 * i;
    bool in = x[1] > 0.7 * POOL_DEPTH * D && x[0] > 7 * D && x[0] < 7 * D + 2 * WAVE_LENGTH;
    if (!in || x[2] < 7 * D || x[2] > (WAVE_SIDE - 7) * D) continue;
    double flat = area[i] * fabs((double)surface->normal[3 * i + 1]);  // seen from above
    all += flat * wave_at(x[0]) * wave_at(x[0]), sum += flat * wave_at(x[0]) * (x[1] - POOL_DEPTH * D);
  }
  free(area);
  return sum / all;
}

// True waves must not go with the noise: columns of a jittered pool are lifted by a wave.
void validate_surface_waves(validation *v) {
  static const double heights[] = {0.5, 0.2, 0.1};
  mote_shape_def def = mote_shape_def_box(0, 0, 0, WAVE_SIDE * D, POOL_DEPTH * D, WAVE_SIDE * D);
  mote_shape *box = trial_shape(v, &def);
  for (int k = 0; k < 3 && box != NULL; ++k) {
    particle_set set = particle_set_fill(box, D, 5);
    for (size_t i = 0; i < set.count; ++i)
      set.position[3 * i + 1] += heights[k] * D * wave_at(set.position[3 * i]);
    mote_surface_def surface_def = trial_def(MOTE_SURFACE_ANISOTROPIC, D, CELL_SPACINGS);
    mote_surface surface;
    char of[32];
    snprintf(of, sizeof of, "wave of %.1f d, 15 d long", heights[k]);
    if (trial_build_set(v, &surface_def, &set, &surface)) {
      double part = measure_wave(&surface) / (heights[k] * D);
      trial_report(v, k == 0, "part of the wave", of, MOTE_SURFACE_ANISOTROPIC, part, 1.0, 0.1,
                   "waves stay (Q5)");
      mote_surface_free(&surface, validation_env(v));
    }
    particle_set_free(&set);
  }
  mote_shape_destroy(box);
}

// --- DES96's surface --------------------------------------------------------------------------------------

#define BLOB_RADIUS (8.0 * D)

// A surface's volume by DES96 and, to compare, of the anisotropic kernels.
enum { BLOB_METHODS = 2 };
static const mote_surface_method blob_method[BLOB_METHODS] = {MOTE_SURFACE_MASS, MOTE_SURFACE_ANISOTROPIC};

typedef struct variation {
  double first, low, high;
} variation;

static void vary(variation *r, double volume) {
  if (r->first == 0.0) *r = (variation){volume, volume, volume};
  r->low = fmin(r->low, volume), r->high = fmax(r->high, volume);
}

static void report_variation(validation *v, bool judged, const char *of, int k, const variation *r,
                             double exact) {
  double most = fmax(r->high / r->first - 1.0, 1.0 - r->low / r->first);
  trial_report(v, judged && blob_method[k] == MOTE_SURFACE_MASS, "most change of volume", of, blob_method[k],
               most, 0.0, 0.1, "10 % (DES96 4.2)");
  trial_report(v, false, "volume at the start / exact", of, blob_method[k], r->first / exact, 1.0, 0.0,
               "exact");
}

static double volume_of(const mote_mesh *mesh) {
  mesh_census census;
  mesh_census_take(mesh, &census);
  double volume = census.volume;
  mesh_census_free(&census);
  return volume;
}

// Ellipsoids of one volume, from half as long to twice as long as wide.
void validate_surface_squeezed(validation *v) {
  static const double along[] = {1.0, 0.5, 0.6, 0.8, 1.25, 1.6, 2.0};
  double exact = 4.0 / 3.0 * 3.14159265358979323846 * BLOB_RADIUS * BLOB_RADIUS * BLOB_RADIUS;
  const mote_env *env = validation_env(v);
  variation r[BLOB_METHODS] = {0};
  for (size_t n = 0; n < sizeof along / sizeof along[0]; ++n) {
    mote_shape_def def = mote_shape_def_default();
    def.kind = MOTE_SHAPE_ELLIPSOID;
    for (int k = 0; k < 3; ++k)
      def.centre[k] = 0.0, def.radii[k] = BLOB_RADIUS * (k == 0 ? along[n] : sqrt(1 / along[n]));
    mote_shape *shape = trial_shape(v, &def);
    mote_samples samples = {0};
    mote_error error;
    if (shape == NULL || mote_shape_fill(shape, D, MOTE_FILL_RELAXED, n, 100000, env, &samples, &error)) {
      if (shape != NULL) validation_error(v, &error);
    }
    float *volume = calloc(samples.count + 1, sizeof *volume);
    if (volume == NULL) abort();
    for (size_t i = 0; i < samples.count; ++i) volume[i] = (float)samples.volume[i];
    mote_surface_particles particles = {
        .position = samples.position, .count = samples.count, .volume = volume};
    for (int k = 0; k < BLOB_METHODS; ++k) {
      mote_surface_def surface_def = trial_def(blob_method[k], D, CELL_SPACINGS);
      mote_surface surface;
      if (!trial_build(v, &surface_def, &particles, &surface, NULL)) continue;
      vary(&r[k], volume_of(&surface.mesh));
      mote_surface_free(&surface, env);
    }
    free(volume);
    mote_samples_free(&samples, env);
    mote_shape_destroy(shape);
  }
  for (int k = 0; k < BLOB_METHODS; ++k) report_variation(v, true, "squeezed ball 8 d", k, &r[k], exact);
}

// A ball of honey falls to the floor and spreads: shown only, since the surface lies half a spacing outside
// whatever the shape, so that its volume grows with the area.
void validate_surface_falling(validation *v) {
  mote_material_def honey = mote_material_def_default();
  mote_material_def_preset("honey", &honey);
  mote_shape_def ball = mote_shape_def_sphere(16 * D, 16 * D, 16 * D, BLOB_RADIUS);
  double exact = 4.0 / 3.0 * 3.14159265358979323846 * BLOB_RADIUS * BLOB_RADIUS * BLOB_RADIUS;
  mote_world *world = NULL;
  mote_error error;
  variation r[BLOB_METHODS] = {0};
  int frames = validation_quick(v) ? 5 : 10;
  mote_result result = one_body(32 * D, &honey, &ball, validation_env(v), &world, &error);
  for (int frame = 0; frame <= frames && !result; ++frame) {
    if (frame > 0) result = mote_world_advance(world, 0.1 * frame, &error);
    for (int k = 0; k < BLOB_METHODS && !result; ++k) {
      mote_surface_def def = trial_def(blob_method[k], D, CELL_SPACINGS);
      mote_surface surface;
      if (!build_world(v, &def, world, honey.density, &surface)) continue;
      vary(&r[k], volume_of(&surface.mesh));
      mote_surface_free(&surface, validation_env(v));
    }
  }
  if (result) validation_error(v, &error);
  for (int k = 0; k < BLOB_METHODS && !result; ++k)
    report_variation(v, false, "falling ball 8 d", k, &r[k], exact);
  mote_world_destroy(world);
}
