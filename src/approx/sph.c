// Smoothed particle hydrodynamics on scattered samples: EG09 2 and the density with boundary samples of
// EG09 (55). Checks arguments, owns copies of the samples, their lists, densities and volumes, and
// leaves all sums to sph_gather.c.
#include <string.h>

#include "approx/sph_gather.h"
#include "search/domain.h"

mote_sph_def mote_sph_def_default(void) {
  return (mote_sph_def){.domain = mote_domain_open(3), .kernel = MOTE_KERNEL_CUBIC_SPLINE};
}

mote_sph_sample_def mote_sph_sample_def_default(void) {
  return (mote_sph_sample_def){.components = 1};
}

const char *mote_gradient_name(mote_gradient_form form) {
  switch (form) {
    case MOTE_GRADIENT_PLAIN: return "plain";
    case MOTE_GRADIENT_DIFFERENCE: return "difference";
    case MOTE_GRADIENT_DENSITY: return "density";
    case MOTE_GRADIENT_SYMMETRIC: return "symmetric";
    case MOTE_GRADIENT_MEAN: return "mean";
    case MOTE_GRADIENT_CORRECTED: return "corrected";
    case MOTE_GRADIENT_FORMS: break;
  }
  return "unknown";
}

const char *mote_laplacian_name(mote_laplacian_form form) {
  switch (form) {
    case MOTE_LAPLACIAN_PLAIN: return "plain";
    case MOTE_LAPLACIAN_DIFFERENCE: return "difference";
    case MOTE_LAPLACIAN_PAIR: return "pair";
    case MOTE_LAPLACIAN_CENTRAL: return "central";
    case MOTE_LAPLACIAN_FORMS: break;
  }
  return "unknown";
}

// --- Creation ---------------------------------------------------------------------------------------------

static mote_result check_positive(const double *value, size_t count, const char *what, mote_error *error) {
  for (size_t i = 0; i < count; ++i) {
    if (!(value[i] > 0.0) || !isfinite(value[i])) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "%s %zu is %g, but must be positive and finite", what, i,
                       value[i]);
    }
  }
  return MOTE_OK;
}

static mote_result check_boundary(const mote_sph_def *def, mote_error *error) {
  if (def->boundary == NULL || def->boundary_volume == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "boundary samples need positions and volumes");
  }
  MOTE_TRY(mote_domain_count(def->boundary_count, "boundary samples", error));
  for (size_t b = 0; b < def->boundary_count; ++b) {
    if (mote_domain_holds(&def->domain, def->boundary + 3 * b)) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "boundary sample %zu is not finite, or too far away", b);
  }
  MOTE_TRY(check_positive(def->boundary_volume, def->boundary_count, "boundary volume", error));
  return check_positive(&def->rest_density, 1, "rest density", error);
}

static mote_result check_def(const mote_sph_def *def, mote_error *error) {
  int d = def->domain.dimensions;
  if (d < 1 || d > 3) return mote_fail(error, MOTE_ERROR_ARGUMENT, "dimensions are %d, not 1, 2 or 3", d);
  if ((int)def->kernel < 0 || def->kernel >= MOTE_KERNEL_KINDS) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no kernel %d", (int)def->kernel);
  }
  if (def->kernel == MOTE_KERNEL_SINGULAR) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the singular kernel makes every density infinite");
  }
  if (mote_kernel_make(def->kernel, d, def->radius).scale == 0.0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a support radius of %g is not usable", def->radius);
  }
  if (def->position == NULL && def->count > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "positions are null");
  }
  MOTE_TRY(mote_domain_count(def->count, "samples", error));
  if (def->mass != NULL) MOTE_TRY(check_positive(def->mass, def->count, "mass", error));
  return def->boundary_count == 0 ? MOTE_OK : check_boundary(def, error);
}

static mote_result build_grid(const mote_sph *sph, const double *position, size_t count, mote_grid **grid,
                              mote_error *error) {
  mote_grid_def def = mote_grid_def_default(sph->kernel.radius);
  def.domain = sph->domain;
  MOTE_TRY(mote_grid_create(&def, &sph->env, grid, error));
  return mote_grid_build(*grid, position, count, error);
}

static double *copy(const mote_env *env, const double *from, size_t count) {
  double *to = mote_alloc(env, count, sizeof *to);
  if (to != NULL && from != NULL) memcpy(to, from, count * sizeof *to);
  return to;
}

static mote_result copy_samples(mote_sph *sph, const mote_sph_def *def, mote_error *error) {
  const mote_env *env = &sph->env;
  size_t n = sph->count, walls = sph->boundary_count;
  sph->position = copy(env, def->position, 3 * n);
  sph->mass = copy(env, def->mass, n);
  sph->density = mote_alloc(env, n, sizeof(double));
  sph->volume = mote_alloc(env, n, sizeof(double));
  sph->boundary = copy(env, def->boundary, 3 * walls);
  sph->boundary_mass = copy(env, def->boundary_volume, walls);
  if (sph->position == NULL || sph->mass == NULL || sph->density == NULL || sph->volume == NULL ||
      sph->boundary == NULL || sph->boundary_mass == NULL) {
    return mote_fail_memory(error, (6 * n + 4 * walls) * sizeof(double));
  }
  for (size_t i = 0; i < n && def->mass == NULL; ++i) sph->mass[i] = 1.0;
  for (size_t b = 0; b < walls; ++b) sph->boundary_mass[b] *= def->rest_density;
  return MOTE_OK;
}

static mote_result weigh_samples(mote_sph *sph, mote_error *error) {
  mote_sph_operation density = {.what = MOTE_SPH_DENSITY, .out = sph->density};
  MOTE_TRY(mote_sph_gather(sph, &density, 1, NULL, sph->count, error));
  for (size_t i = 0; i < sph->count; ++i) {
    sph->volume[i] = sph->mass[i] / sph->density[i];
    if (!isfinite(sph->density[i]) || !(sph->volume[i] > 0.0)) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "the density of sample %zu is %g", i, sph->density[i]);
    }
  }
  return MOTE_OK;
}

static mote_result fill(mote_sph *sph, const mote_sph_def *def, mote_error *error) {
  MOTE_TRY(copy_samples(sph, def, error));
  MOTE_TRY(build_grid(sph, sph->position, sph->count, &sph->grid, error));
  MOTE_TRY(mote_grid_neighbours(sph->grid, &sph->lists, error));
  if (sph->boundary_count > 0) {
    MOTE_TRY(build_grid(sph, sph->boundary, sph->boundary_count, &sph->boundary_grid, error));
  }
  return weigh_samples(sph, error);
}

mote_result mote_sph_create(const mote_sph_def *def, const mote_env *env, mote_sph **out, mote_error *error) {
  if (def == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "definition or result is null");
  MOTE_TRY(check_def(def, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_sph, sph, &resolved, 1, error);
  mote_kernel kernel = mote_kernel_make(def->kernel, def->domain.dimensions, def->radius);
  *sph = (mote_sph){.env = resolved,
                    .domain = def->domain,
                    .kernel = mote_kernel_ready(&kernel),
                    .count = def->count,
                    .boundary_count = def->boundary_count};
  mote_result result = fill(sph, def, error);
  if (result != MOTE_OK) {
    mote_sph_destroy(sph);
    return result;
  }
  *out = sph;
  return MOTE_OK;
}

void mote_sph_destroy(mote_sph *sph) {
  if (sph == NULL) return;
  mote_env env = sph->env;
  mote_grid_destroy(sph->grid);
  mote_grid_destroy(sph->boundary_grid);
  mote_free(&env, sph->position, 3 * sph->count, sizeof(double));
  mote_free(&env, sph->mass, sph->count, sizeof(double));
  mote_free(&env, sph->density, sph->count, sizeof(double));
  mote_free(&env, sph->volume, sph->count, sizeof(double));
  mote_free(&env, sph->boundary, 3 * sph->boundary_count, sizeof(double));
  mote_free(&env, sph->boundary_mass, sph->boundary_count, sizeof(double));
  mote_free(&env, sph, 1, sizeof *sph);
}

const double *mote_sph_density(const mote_sph *sph) {
  return sph->density;
}

const double *mote_sph_volume(const mote_sph *sph) {
  return sph->volume;
}

const mote_lists *mote_sph_lists(const mote_sph *sph) {
  return &sph->lists;
}

// --- Operators --------------------------------------------------------------------------------------------

static mote_result at_samples(const mote_sph *sph, const mote_sph_operation *operation, mote_error *error) {
  if (sph == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the samples are null");
  if (operation->components < 1) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a field of %d components", operation->components);
  }
  if (sph->count == 0) return MOTE_OK;
  if (operation->field == NULL || operation->out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the field or the result is null");
  }
  if (operation->field == operation->out) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the result overwrites the field");
  }
  return mote_sph_gather(sph, operation, 1, NULL, sph->count, error);
}

static mote_result check_gradient(mote_gradient_form form, mote_error *error) {
  bool known = (int)form >= 0 && form < MOTE_GRADIENT_FORMS;
  return known ? MOTE_OK : mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no gradient form %d", (int)form);
}

// A kernel with a peak has no Laplacian there, and EG09 (11) asks for it.
static mote_result check_smooth(const mote_sph *sph, mote_error *error) {
  mote_kernel_kind kind = sph->kernel.kind;
  if (kind != MOTE_KERNEL_SPIKY && kind != MOTE_KERNEL_DESBRUN) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "the plain Laplacian is infinite with the kernel \"%s\"",
                   mote_kernel_name(kind));
}

mote_result mote_sph_value(const mote_sph *sph, const double *field, int components, double *out,
                           mote_error *error) {
  return at_samples(
      sph,
      &(mote_sph_operation){.what = MOTE_SPH_VALUE, .field = field, .components = components, .out = out},
      error);
}

mote_result mote_sph_gradient(const mote_sph *sph, mote_gradient_form form, const double *field,
                              int components, double *out, mote_error *error) {
  MOTE_TRY(check_gradient(form, error));
  mote_sph_operation operation = {MOTE_SPH_GRADIENT, .gradient = form, .field = field,
                                  .components = components, .out = out};
  return at_samples(sph, &operation, error);
}

mote_result mote_sph_divergence(const mote_sph *sph, mote_gradient_form form, const double *field,
                                double *out, mote_error *error) {
  MOTE_TRY(check_gradient(form, error));
  mote_sph_operation operation = {MOTE_SPH_DIVERGENCE, .gradient = form, .field = field, .out = out};
  operation.components = sph == NULL ? 1 : sph->domain.dimensions;
  return at_samples(sph, &operation, error);
}

mote_result mote_sph_laplacian(const mote_sph *sph, mote_laplacian_form form, const double *field,
                               int components, double *out, mote_error *error) {
  if (sph == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the samples are null");
  if ((int)form < 0 || form >= MOTE_LAPLACIAN_FORMS) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "there is no Laplacian form %d", (int)form);
  }
  if (form == MOTE_LAPLACIAN_PLAIN) MOTE_TRY(check_smooth(sph, error));
  if (form == MOTE_LAPLACIAN_CENTRAL && components != sph->domain.dimensions) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the central Laplacian needs %d components, not %d",
                     sph->domain.dimensions, components);
  }
  mote_sph_operation operation = {MOTE_SPH_LAPLACIAN, .laplacian = form, .field = field,
                                  .components = components, .out = out};
  return at_samples(sph, &operation, error);
}

static mote_result check_sample(const mote_sph *sph, const mote_sph_sample_def *def, mote_error *error) {
  if (sph == NULL || def == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the samples or the definition is null");
  }
  bool reads = def->value != NULL || def->gradient != NULL || def->laplacian != NULL;
  if (reads && def->components < 1) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a field of %d components", def->components);
  }
  if (reads && def->field == NULL && sph->count > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the field is null");
  }
  if (def->laplacian != NULL) MOTE_TRY(check_smooth(sph, error));
  if (def->position == NULL && def->count > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "positions are null");
  }
  double low[3], high[3];
  return mote_domain_bounds(&sph->domain, def->position, def->count, sph->env.threads, low, high, error);
}

// Divides the values by the sums of V W, where there is one.
static void normalise(const mote_sph_sample_def *def, const double *unity) {
  size_t c = (size_t)def->components;
  for (size_t i = 0; i < def->count; ++i) {
    for (size_t k = 0; k < c; ++k) {
      double *value = &def->value[c * i + k];
      *value = unity[i] > 0.0 ? *value / unity[i] : 0.0;
    }
  }
}

mote_result mote_sph_sample(const mote_sph *sph, const mote_sph_sample_def *def, mote_error *error) {
  MOTE_TRY(check_sample(sph, def, error));
  double *unity = NULL;
  if (def->shepard && def->value != NULL) {
    MOTE_ALLOC(unity, &sph->env, def->count, error);
  }
  const mote_sph_operation wanted[] = {
      {MOTE_SPH_DENSITY, .out = def->density},
      {MOTE_SPH_UNITY, .out = unity},
      {MOTE_SPH_VALUE, .field = def->field, .components = def->components, .out = def->value},
      {MOTE_SPH_GRADIENT, .field = def->field, .components = def->components, .out = def->gradient},
      {MOTE_SPH_LAPLACIAN, .field = def->field, .components = def->components, .out = def->laplacian},
  };
  mote_sph_operation operations[sizeof wanted / sizeof *wanted];
  int number = 0;
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k) {
    if (wanted[k].out != NULL) operations[number++] = wanted[k];
  }
  mote_result result = MOTE_OK;
  if (number > 0 && def->count > 0) {
    result = mote_sph_gather(sph, operations, number, def->position, def->count, error);
  }
  if (result == MOTE_OK && unity != NULL) normalise(def, unity);
  mote_free(&sph->env, unity, def->count, sizeof *unity);
  return result;
}
