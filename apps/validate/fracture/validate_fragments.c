// Surfaces of fragments: random soups of triangles in a ball and in a shell. docs/theory/fragments.md
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "validate/validate.h"

#define SOUPS_FULL 200
#define SOUPS_QUICK 10

// What was found over all soups.
typedef struct soup_trial {
  size_t soups, open, pinched, pieces, broken;
  double worst_volume;  // part of the uncut one
} soup_trial;

static mote_result make_shape(bool shell, const mote_env *env, mote_shape **out, mote_error *error) {
  mote_shape_def balls[2] = {mote_shape_def_sphere(0, 0, 0, 1), mote_shape_def_sphere(0, 0, 0, 0.6)};
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_DIFFERENCE, def.part = balls, def.parts = shell ? 2 : 1;
  return mote_shape_create(shell ? &def : balls, 3, env, out, error);
}

// Triangles of up to twice the ball's size; one soup in ten has 150 of them.
static size_t make_soup(uint64_t seed, bool shell, double *corner) {
  size_t count = seed % 10 == 9 ? 150 : shell ? 20 : 10;
  for (uint64_t k = 0; k < 9 * count; ++k) {
    double middle = 2.0 * mote_random_uniform(seed, 1, 9 * (k / 9) + k % 3) - 1.0;
    corner[k] = middle + 4.0 * mote_random_uniform(seed, 2, k) - 2.0;
  }
  return count;
}

// Edges that do not occur once in each direction, and vertices with more than one fan, without the search for
// crossings of mote_mesh_examine: walls lie on each other.
static mote_result examine(const mote_fragments *fragments, const mote_env *env, soup_trial *trial,
                           double uncut, mote_error *error) {
  mote_fragments_view view = mote_fragments_look(fragments);
  double sum = 0.0;
  for (uint32_t f = 0; f < view.fragments; ++f) {
    mote_mesh one;
    mote_mesh_report report;
    mote_result result = mote_fragments_take(fragments, f, env, &one, error);
    if (result != MOTE_OK) return result;
    sum += mote_mesh_volume(&one);
    result = mote_mesh_examine(&one, env, &report, error);
    mote_mesh_free(&one, env);
    if (result != MOTE_OK) return result;
    trial->open += report.open_edges + report.crowded_edges + report.flipped_edges;
    trial->pinched += report.pinched_vertices;
  }
  trial->pieces += view.fragments, trial->broken += view.fragments > 1, ++trial->soups;
  trial->worst_volume = fmax(trial->worst_volume, fabs(sum / uncut - 1.0));
  return MOTE_OK;
}

static mote_result try_soup(const mote_shape *shape, uint64_t seed, bool shell, const mote_env *env,
                            soup_trial *trial, mote_error *error) {
  double corner[9 * 150];
  mote_fragments_def def = mote_fragments_def_default();
  mote_fragments *fragments;
  def.shape = shape, def.edge = 0.1, def.slits = true;
  mote_result result = mote_fragments_create(&def, env, &fragments, error);
  if (result != MOTE_OK) return result;
  mote_mesh whole = mote_fragments_look(fragments).mesh;
  double uncut = mote_mesh_volume(&whole);
  result = mote_fragments_cut(fragments, corner, make_soup(seed, shell, corner), error);
  if (result == MOTE_OK) result = examine(fragments, env, trial, uncut, error);
  mote_fragments_destroy(fragments);
  return result;
}

static void report(validation *v, const soup_trial *t, bool shell) {
  const measure all[] = {{shell ? "shell: edges not once each way" : "ball: edges not once each way",
                          MEASURE_NEAR, (double)t->open, 0.0, 0.0, "closed by construction"},
                         {shell ? "shell: vertices with several fans" : "ball: vertices with several fans",
                          MEASURE_NEAR, (double)t->pinched, 0.0, 0.0, "closed by construction"},
                         {shell ? "shell: largest change of volume" : "ball: largest change of volume",
                          MEASURE_NEAR, t->worst_volume, 0.0, shell ? 0.02 : 0.01, "uncut mesh"},
                         {shell ? "shell: soups that break it" : "ball: soups that break it", MEASURE_SHOWN,
                          (double)t->broken, 0.0, 0.0, ""},
                         {shell ? "shell: pieces in all" : "ball: pieces in all", MEASURE_SHOWN,
                          (double)t->pieces, 0.0, 0.0, ""}};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) validation_report(v, &all[k]);
}

void validate_fragments_soups(validation *v) {
  const mote_env *env = validation_env(v);
  for (int shell = 0; shell < 2; ++shell) {
    soup_trial trial = {0};
    mote_shape *shape = NULL;
    mote_error error = {0};
    mote_result result = make_shape(shell, env, &shape, &error);
    for (uint64_t seed = 0; seed < (validation_quick(v) ? SOUPS_QUICK : SOUPS_FULL) && result == MOTE_OK;
         ++seed)
      result = try_soup(shape, seed, shell, env, &trial, &error);
    mote_shape_destroy(shape);
    if (result != MOTE_OK) {
      validation_error(v, &error);
      return;
    }
    report(v, &trial, shell);
  }
}
