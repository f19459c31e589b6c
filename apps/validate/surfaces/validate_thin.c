// Validation of surfaces of thin and small things: a stretched sheet of one layer, two balls that approach,
// all components of the double dam breaks, triangles after clean-up. Criteria Q6-Q9 of
// docs/surface_quality.md.
#include <math.h>
#include <stdlib.h>

#include "validate/surfaces/mesh_measure.h"
#include "validate/surfaces/surface_trial.h"

#define D 0.02              // spacing, m
#define CELL_SPACINGS 0.25  // spacings

static bool best_method(mote_surface_method method) {
  return method == MOTE_SURFACE_ANISOTROPIC;
}

// --- A sheet ----------------------------------------------------------------------------------------------

// An orthonormal frame along no axis.
static const double frame[3][3] = {{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0},
                                   {2.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0},
                                   {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}};

typedef struct film {
  size_t parts;
  long euler;
  double uncovered;  // share, at least two rows from the rim
} film;

static bool measure_film(validation *v, mote_surface_method method, bool components, double stretch,
                         film *out) {
  enum { SIDE = 30 };
  double pitch = stretch * D, zero[3] = {0, 0, 0}, origin[3];
  particle_set set = particle_set_film(SIDE, SIDE, zero, frame[0], frame[1], pitch, D, 5);
  mote_surface_def def = trial_def(method, D, CELL_SPACINGS);
  def.components = components;
  mote_surface surface;
  bool done = trial_build_set(v, &def, &set, &surface);
  particle_set_free(&set);
  if (!done) return false;
  for (int k = 0; k < 3; ++k) origin[k] = 2.0 * pitch * (frame[0][k] + frame[1][k]);
  const double lengths[2] = {(SIDE - 5) * pitch, (SIDE - 5) * pitch};
  mesh_census census;
  mesh_census_take(&surface.mesh, &census);
  *out = (film){.parts = census.parts,
                .euler = census.euler,
                .uncovered = mesh_uncovered(&surface.mesh, origin, frame[0], frame[1], lengths, 0.1 * D)};
  mesh_census_free(&census);
  mote_surface_free(&surface, validation_env(v));
  return true;
}

static bool whole(const film *s) {
  return s->parts == 1 && s->euler == 2 && s->uncovered == 0.0;
}

// Stretched until it has a hole, from 1.0 to 2.5.
static void stretch_film(validation *v, mote_surface_method method, bool components, FILE *table) {
  bool judged = best_method(method) && components;
  double most = 0.0;
  film s = {0};
  for (int tenths = 10; tenths <= 25; tenths += validation_quick(v) ? 5 : 1) {
    if (!measure_film(v, method, components, tenths / 10.0, &s)) return;
    if (!whole(&s)) break;
    most = tenths / 10.0;
  }
  char name[128], by[64];
  snprintf(by, sizeof by, "%s%s", mote_surface_method_name(method), components ? "" : ", no components");
  snprintf(name, sizeof name, "whole to a stretch, in d, sheet, %s", by);
  measure m = {name, judged ? MEASURE_AT_LEAST : MEASURE_SHOWN, most, 2.0, 0.0, "peers 1.5, 1.9, 2.0 (Q6)"};
  validation_report(v, &m);
  if (!whole(&s)) {
    trial_report(v, false, "then parts", "sheet", method, (double)s.parts, 1.0, 0.0, "(Q6)");
    trial_report(v, false, "then Euler number", "sheet", method, (double)s.euler, 2.0, 0.0, "(Q6)");
    trial_report(v, false, "then uncovered", "sheet", method, s.uncovered, 0.0, 0.0, "rays (Q6)");
  }
  if (table != NULL) fprintf(table, "| %s | %.1f |\n", by, most);
}

void validate_surface_sheet(validation *v) {
  FILE *table = trial_table(v, "surface-sheet.md", " method | whole to a stretch of |");
  for (mote_surface_method method = 0; method < MOTE_SURFACE_METHODS; ++method) {
    if (!validation_quick(v) || best_method(method)) stretch_film(v, method, true, table);
    if (!validation_quick(v) && best_method(method)) stretch_film(v, method, false, table);
  }
  trial_table_end(v, table);
}

// --- Two balls --------------------------------------------------------------------------------------------

#define BALL_RADIUS 8.0  // radius, spacings

typedef struct approach {
  double merge;       // the largest gap at which they are one; 0: none
  double growth_far;  // the most by which the pole grows at gaps of 1.5 d and more
  double growth;      // at any gap at which they are two
} approach;

static const double ball_centre[3] = {0.11 * D, -0.23 * D, 0.31 * D};

static particle_set ball(validation *v, uint64_t seed) {
  mote_shape_def def = mote_shape_def_sphere(ball_centre[0], ball_centre[1], ball_centre[2], BALL_RADIUS * D);
  mote_shape *shape = trial_shape(v, &def);
  if (shape == NULL) return (particle_set){0};
  particle_set set = particle_set_fill(shape, D, seed);
  mote_shape_destroy(shape);
  return set;
}

// How far the left ball reaches to the right, and how many large parts there are (Zhu and Bridson's field
// makes small ones between two surfaces).
static bool pole_of(validation *v, const mote_surface_def *def, const particle_set *set, double limit,
                    double *pole, size_t *parts) {
  static const double right[3] = {1, 0, 0};
  mote_surface surface;
  if (!trial_build_set(v, def, set, &surface)) return false;
  mesh_census census;
  mesh_census_take(&surface.mesh, &census);
  *parts = 0;
  for (size_t p = 0; p < census.parts; ++p)
    *parts += census.part[p].volume > (BALL_RADIUS * D) * (BALL_RADIUS * D) * (BALL_RADIUS * D);
  *pole = mesh_reach(&surface.mesh, ball_centre, right, 2.0 * D, limit);
  mesh_census_free(&census);
  mote_surface_free(&surface, validation_env(v));
  return true;
}

static bool bring_together(validation *v, const mote_surface_def *def, approach *out) {
  *out = (approach){0};
  particle_set left = ball(v, 6), right = ball(v, 7), both = particle_set_join(&left, &right);
  double alone = 0.0, pole = 0.0, step = validation_quick(v) ? 0.25 : 0.1;
  size_t parts = 0;
  bool done = pole_of(v, def, &left, HUGE_VAL, &alone, &parts);
  for (int k = (int)(3.0 / step + 0.5); k > 0 && done; --k) {
    double gap = k * step, middle = (BALL_RADIUS + 0.5 * gap) * D;
    for (size_t i = 0; i < right.count; ++i) {
      both.position[3 * (left.count + i)] = right.position[3 * i] + (2.0 * BALL_RADIUS + gap) * D;
    }
    done = pole_of(v, def, &both, middle, &pole, &parts);
    if (parts == 1) out->merge = fmax(out->merge, gap);
    if (parts == 1 || !done) continue;
    out->growth = fmax(out->growth, (pole - alone) / D);
    if (gap > 1.5 - 1e-9) out->growth_far = fmax(out->growth_far, (pole - alone) / D);
  }
  particle_set_free(&left), particle_set_free(&right), particle_set_free(&both);
  return done;
}

static void judge_balls(validation *v, mote_surface_method method, bool components, FILE *table) {
  mote_surface_def def = trial_def(method, D, CELL_SPACINGS);
  def.components = components;
  approach a;
  if (!bring_together(v, &def, &a)) return;
  bool judged = best_method(method) && components;
  const char *of = !best_method(method) ? "balls" : components ? "balls" : "balls, no components";
  trial_report(v, judged, "merge at a gap, in d", of, method, a.merge, 0.0, 1.0, "peers 1.0, 1.5 (Q9)");
  trial_report(v, judged, "pole, gaps >= 1.5 d, in d", of, method, a.growth_far, 0.0, 0.02,
               "YU11 Fig. 4.2 (Q9)");
  trial_report(v, false, "pole until they merge, in d", of, method, a.growth, 0.0, 0.0, "YU11 Fig. 4.2 (Q9)");
  if (table != NULL) {
    fprintf(table, "| %s%s | %.2f | %.3f | %.3f |\n", mote_surface_method_name(method),
            best_method(method) && !components ? ", no components" : "", a.merge, a.growth_far, a.growth);
  }
}

void validate_surface_balls(validation *v) {
  FILE *table = trial_table(v, "surface-balls.md",
                            " method | merge at a gap of, d | pole at gaps >= 1.5 d, d | pole before, d |");
  for (mote_surface_method method = 0; method < MOTE_SURFACE_METHODS; ++method) {
    if (validation_quick(v) && !best_method(method)) continue;
    judge_balls(v, method, true, table);
    if (best_method(method)) judge_balls(v, method, false, table);
  }
  trial_table_end(v, table);
}

// --- The double dam breaks --------------------------------------------------------------------------------

static void judge_dam(validation *v, dam_size size, mote_surface_method method, double cell, FILE *table) {
  const dam_set *dam = &dam_sets[size];
  particle_set set = particle_set_dam(size);
  mote_surface_particles particles = {.position = set.position, .count = set.count};
  mote_surface_def def = trial_def(method, dam->spacing, cell);
  bool best = best_method(method);
  mote_surface surface;
  mote_surface_stats stats;
  if (trial_build(v, &def, &particles, &surface, &stats)) {
    char of[64];
    snprintf(of, sizeof of, "%s, cell %.2f d", dam->name, cell);
    mesh_census census;
    mesh_census_take(&surface.mesh, &census);
    double volume = census.volume / ((double)set.count * dam->spacing * dam->spacing * dam->spacing) - 1.0;
    trial_report(v, best, "components of particles", of, def.method, (double)stats.components,
                 (double)dam->components, 0.0, "exact (Q7)");
    trial_report(v, best, "parts of the mesh", of, def.method, (double)census.parts, (double)dam->components,
                 0.0, "exact (Q7)");
    trial_report(v, best, "parts that are no spheres", of, def.method, (double)census.not_spheres, 0.0, 0.0,
                 "genus 0 (Q7)");
    trial_report(v, true, "defects", of, def.method, (double)mesh_census_defects(&census), 0.0, 0.0,
                 "closed manifold (Q1)");
    trial_report(v, false, "volume error", of, def.method, volume, 0.0, 0.0, "particles");
    if (table != NULL) {
      fprintf(table, "| %s | %s | %zu | %zu | %zu | %+.2f |\n", of, mote_surface_method_name(method),
              census.parts, census.not_spheres, mesh_census_defects(&census), 100.0 * volume);
    }
    mesh_census_free(&census);
    mote_surface_free(&surface, validation_env(v));
  }
  particle_set_free(&set);
}

void validate_surface_dams(validation *v) {
  FILE *table =
      trial_table(v, "surface-dams.md", " set | method | parts | no spheres | defects | volume, % |");
  judge_dam(v, DAM_140K, MOTE_SURFACE_ANISOTROPIC, 0.5, table);
  if (!validation_quick(v)) {
    judge_dam(v, DAM_140K, MOTE_SURFACE_ANISOTROPIC, 0.25, table);
    judge_dam(v, DAM_140K, MOTE_SURFACE_DENSITY, 0.5, table);
    judge_dam(v, DAM_140K, MOTE_SURFACE_ZHU_BRIDSON, 0.5, table);
    judge_dam(v, DAM_1M, MOTE_SURFACE_ANISOTROPIC, 0.5, table);
    judge_dam(v, DAM_1M, MOTE_SURFACE_ANISOTROPIC, 0.55, table);  // a cell that leaves specks at tips
  }
  trial_table_end(v, table);
}

// --- Clean-up ---------------------------------------------------------------------------------------------

static void judge_clean(validation *v, const char *name, const particle_set *set, double cell, FILE *table) {
  mote_surface_def def = trial_def(MOTE_SURFACE_ANISOTROPIC, set->spacing, cell);
  double volume[2] = {0.0, 0.0};
  for (int clean = 0; clean < 2; ++clean) {
    def.clean = clean != 0;
    mote_surface surface;
    if (!trial_build_set(v, &def, set, &surface)) return;
    mesh_angles angles = mesh_angles_measure(&surface.mesh);
    mesh_census census;
    mesh_census_take(&surface.mesh, &census);
    volume[clean] = census.volume;
    char what[64];
    snprintf(what, sizeof what, "least angle %s, degrees", clean ? "after" : "before");
    char full[128];
    snprintf(full, sizeof full, "%s, %s", what, name);
    measure m = {full, clean ? MEASURE_AT_LEAST : MEASURE_SHOWN, angles.least, 10.0, 0.0, "peers 14.7 (Q8)"};
    validation_report(v, &m);
    if (clean) {
      trial_report(v, false, "1 % below, degrees", name, def.method, angles.first_percent, 0.0, 0.0,
                   "peers 32.6 (Q8)");
      trial_report(v, true, "defects after", name, def.method, (double)mesh_census_defects(&census), 0.0, 0.0,
                   "closed manifold (Q1)");
      trial_report(v, true, "volume after / before", name, def.method, volume[1] / volume[0], 1.0, 0.005,
                   "vertices stay on the surface");
    }
    if (table != NULL) {
      fprintf(table, "| %s | %s | %.1f | %.1f | %.2f | %zu | %zu |\n", name, clean ? "yes" : "no",
              angles.least, angles.first_percent, 100.0 * angles.below_10, surface.mesh.triangles,
              mesh_census_defects(&census));
    }
    mesh_census_free(&census);
    mote_surface_free(&surface, validation_env(v));
  }
}

void validate_surface_angles(validation *v) {
  FILE *table =
      trial_table(v, "surface-angles.md",
                  " set | clean-up | least, ° | 1 % below, ° | below 10°, % | triangles | defects |");
  particle_set set = ball(v, 8);
  judge_clean(v, "ball 8 d, cell 0.25 d", &set, 0.25, table);
  particle_set_free(&set);
  set = particle_set_dam(DAM_140K);
  judge_clean(v, "ddb140k, cell 0.50 d", &set, 0.5, table);
  particle_set_free(&set);
  trial_table_end(v, table);
}
