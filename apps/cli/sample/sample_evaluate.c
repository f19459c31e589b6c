// Fields at points, by SPH (EG09 (3), plain or divided by Shepard's sum) or moving least squares (EG09 3).
#include <math.h>
#include <mote/approx.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/sample/sample_set.h"

#define POINTS_PER_CHUNK 65536  // points at once: shape functions take memory

typedef struct estimator {
  const sample_set *set;
  sample_method method;
  mote_env env;
  mote_sph *sph;
  mote_mls *mls;
} estimator;

static mote_result open_estimator(estimator *e, int order, mote_error *error) {
  APP_ASSERT(e->set->count > 0 && e->set->support > 0);
  mote_sph_def sph = mote_sph_def_default();
  sph.domain = mote_domain_open(e->set->dimensions);
  sph.kernel = MOTE_KERNEL_CUBIC_SPLINE, sph.radius = e->set->support;
  sph.position = e->set->position, sph.mass = e->set->mass, sph.count = e->set->count;
  mote_result result = mote_sph_create(&sph, &e->env, &e->sph, error);
  if (result != MOTE_OK || e->method != SAMPLE_MLS) return result;
  mote_mls_def mls = mote_mls_def_default();
  mls.domain = sph.domain, mls.order = order;
  mls.position = e->set->position, mls.count = e->set->count, mls.uniform_radius = e->set->support;
  return mote_mls_create(&mls, &e->env, &e->mls, error);
}

static double *take_field(const sample_set *set, const mote_field_view *view) {
  APP_ASSERT(view != NULL && view->components > 0);
  size_t parts = (size_t)view->components;
  double *field = input_take(set->count * parts, sizeof *field);
  for (size_t i = 0; i < set->count; ++i)
    for (size_t k = 0; k < parts; ++k) field[parts * i + k] = input_value(view, parts * set->row[i] + k);
  return field;
}

static mote_result by_sph(const estimator *e, const double *point, size_t count, const double *field,
                          sample_column *column, size_t first, mote_error *error) {
  APP_ASSERT(e->sph != NULL && count <= POINTS_PER_CHUNK);
  mote_sph_sample_def def = mote_sph_sample_def_default();
  size_t parts = (size_t)column->components;
  double *density = input_take(count, sizeof *density), *value = column->value + first * parts;
  def.position = point, def.count = count, def.density = density;
  if (field != NULL)
    def.field = field, def.components = column->components, def.value = value,
    def.shepard = e->method == SAMPLE_SHEPARD;
  mote_result result = mote_sph_sample(e->sph, &def, error);
  for (size_t i = 0; i < count && result == MOTE_OK; ++i) {
    if (field == NULL) value[i] = density[i];
    for (size_t k = 0; field != NULL && density[i] == 0 && k < parts; ++k) value[parts * i + k] = (double)NAN;
  }
  free(density);
  return result;
}

static mote_result by_mls(const estimator *e, const double *point, size_t count, const double *field,
                          sample_column *column, size_t first, mote_error *error) {
  APP_ASSERT(e->mls != NULL && count <= POINTS_PER_CHUNK);
  mote_mls_shapes *shapes;
  size_t parts = (size_t)column->components;
  double *value = column->value + first * parts;
  mote_result result = mote_mls_shapes_create(e->mls, point, count, 0, &e->env, &shapes, error);
  if (result != MOTE_OK) return result;
  result = mote_mls_apply(shapes, field, column->components, value, NULL, NULL, error);
  const mote_mls_fit *fit = mote_mls_shapes_fit(shapes);
  for (size_t i = 0; i < count && result == MOTE_OK; ++i)
    for (size_t k = 0; fit[i].order < 0 && k < parts; ++k) value[parts * i + k] = (double)NAN;
  mote_mls_shapes_destroy(shapes);
  return result;
}

static mote_result fill_column(const estimator *e, const mote_cloud *cloud, const double *point, size_t count,
                               sample_column *column, mote_error *error) {
  bool density = strcmp(column->name, "density") == 0;
  double *field = density ? NULL : take_field(e->set, mote_cloud_find(cloud, column->name));
  mote_result result = MOTE_OK;
  for (size_t first = 0; first < count && result == MOTE_OK; first += POINTS_PER_CHUNK) {
    size_t n = count - first < POINTS_PER_CHUNK ? count - first : POINTS_PER_CHUNK;
    result = e->method == SAMPLE_MLS && !density
                 ? by_mls(e, point + 3 * first, n, field, column, first, error)
                 : by_sph(e, point + 3 * first, n, field, column, first, error);
  }
  free(field);
  return result;
}

int sample_evaluate(const sample_set *set, const mote_cloud *cloud, sample_method method, int order,
                    const double *point, size_t count, sample_column *column, size_t columns,
                    const mote_env *env) {
  estimator e = {.set = set, .method = method, .env = *env};
  mote_error error = {0};
  mote_result result = open_estimator(&e, order, &error);
  for (size_t k = 0; k < columns && result == MOTE_OK; ++k) {
    column[k].value = input_take(count * (size_t)column[k].components, sizeof(double));
    result = fill_column(&e, cloud, point, count, column + k, &error);
  }
  mote_sph_destroy(e.sph);
  mote_mls_destroy(e.mls);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}
