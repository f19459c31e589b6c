// One hash over the results of every approximation operator: the same for 1, 2 and 7 threads, for GCC and
// clang, Debug and Release, x86-64, aarch64 and WebAssembly. Change a constant only with the reason in the
// commit.
#include <inttypes.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "base/hash.h"
#include "test.h"

#define COMPONENTS 2

typedef struct sample_set {
  int dimensions;
  size_t count;
  double *position, *mass, *radius, *field;
  double *out;  // room for 3 * COMPONENTS numbers per sample
} sample_set;

static sample_set make_set(int dimensions, size_t per_axis) {
  sample_set s = {.dimensions = dimensions, .count = 1};
  for (int axis = 0; axis < dimensions; ++axis) s.count *= per_axis;
  s.position = calloc(3 * s.count, sizeof(double));
  s.mass = calloc(s.count, sizeof(double));
  s.radius = calloc(s.count, sizeof(double));
  s.field = calloc(3 * s.count, sizeof(double));
  s.out = calloc(3 * COMPONENTS * s.count, sizeof(double));
  for (size_t i = 0; i < s.count; ++i) {
    size_t rest = i;
    for (int axis = 0; axis < dimensions; ++axis, rest /= per_axis) {
      s.position[3 * i + axis] = (double)(rest % per_axis) + 0.4 * mote_random_uniform(1, (uint64_t)axis, i);
    }
    s.mass[i] = 0.5 + mote_random_uniform(1, 3, i);
    s.radius[i] = 2.2 + mote_random_uniform(1, 4, i);
    for (int k = 0; k < 3; ++k)
      s.field[3 * i + k] = mote_sin(0.3 * s.position[3 * i] + k) + 0.1 * (double)(i % 5);
  }
  return s;
}

static void free_set(sample_set *s) {
  free(s->position), free(s->mass), free(s->radius), free(s->field), free(s->out);
}

static uint64_t add(uint64_t hash, const double *values, size_t count) {
  return mote_hash_bytes(hash, values, count * sizeof *values);
}

static uint64_t hash_sph(uint64_t hash, const sample_set *s, mote_kernel_kind kernel, const mote_env *env) {
  mote_sph_def def = mote_sph_def_default();
  def.domain = mote_domain_open(s->dimensions);
  def.kernel = kernel, def.radius = 2.4, def.position = s->position, def.mass = s->mass, def.count = s->count;
  mote_sph *sph = NULL;
  if (!CHECK(mote_sph_create(&def, env, &sph, NULL) == MOTE_OK)) return 0;
  size_t n = s->count;
  hash = add(hash, mote_sph_density(sph), n);
  CHECK(mote_sph_value(sph, s->field, COMPONENTS, s->out, NULL) == MOTE_OK);
  hash = add(hash, s->out, COMPONENTS * n);
  for (int form = 0; form < MOTE_GRADIENT_FORMS; ++form) {
    CHECK(mote_sph_gradient(sph, (mote_gradient_form)form, s->field, COMPONENTS, s->out, NULL) == MOTE_OK);
    hash = add(hash, s->out, 3 * COMPONENTS * n);
    CHECK(mote_sph_divergence(sph, (mote_gradient_form)form, s->field, s->out, NULL) == MOTE_OK);
    hash = add(hash, s->out, n);
  }
  bool peak = kernel == MOTE_KERNEL_SPIKY || kernel == MOTE_KERNEL_DESBRUN;  // no plain Laplacian
  for (int form = peak ? MOTE_LAPLACIAN_DIFFERENCE : 0; form < MOTE_LAPLACIAN_FORMS; ++form) {
    CHECK(mote_sph_laplacian(sph, (mote_laplacian_form)form, s->field, s->dimensions, s->out, NULL) ==
          MOTE_OK);
    hash = add(hash, s->out, (size_t)s->dimensions * n);
  }
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = s->position, sample.count = n, sample.field = s->field, sample.components = COMPONENTS;
  sample.shepard = true, sample.value = s->out;
  CHECK(mote_sph_sample(sph, &sample, NULL) == MOTE_OK);
  hash = add(hash, s->out, COMPONENTS * n);
  mote_sph_destroy(sph);
  return hash;
}

static uint64_t hash_mls(uint64_t hash, const sample_set *s, int order, const mote_env *env) {
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(s->dimensions);
  def.order = order, def.position = s->position, def.count = s->count, def.radius = s->radius;
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  if (!CHECK(mote_mls_create(&def, env, &mls, NULL) == MOTE_OK)) return 0;
  if (!CHECK(mote_mls_shapes_create(mls, s->position, s->count, 2, env, &shapes, NULL) == MOTE_OK)) return 0;
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  size_t entries = lists->first[lists->count];
  hash = add(hash, mote_mls_shapes_value(shapes), entries);
  hash = add(hash, mote_mls_shapes_gradient(shapes), 3 * entries);
  hash = add(hash, mote_mls_shapes_second(shapes), 6 * entries);
  CHECK(mote_mls_apply(shapes, s->field, COMPONENTS, NULL, s->out, NULL, NULL) == MOTE_OK);
  hash = add(hash, s->out, 3 * COMPONENTS * s->count);
  CHECK(mote_mls_direct_gradient(mls, s->field, COMPONENTS, s->out, NULL) == MOTE_OK);
  hash = add(hash, s->out, 3 * COMPONENTS * s->count);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  return hash;
}

static uint64_t hash_everything(int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  uint64_t hash = 0;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    sample_set s = make_set(dimensions, dimensions == 1 ? 300 : dimensions == 2 ? 30 : 11);
    for (int kernel = 0; kernel < MOTE_KERNEL_SINGULAR; ++kernel) {
      hash = hash_sph(hash, &s, (mote_kernel_kind)kernel, &env);
    }
    for (int order = 0; order <= 2; ++order) hash = hash_mls(hash, &s, order, &env);
    free_set(&s);
  }
  return hash;
}

int main(void) {
  const uint64_t expected = 0xc8db8d6ec05b6c27;
  const int threads[] = {1, 2, 7};
  for (int k = 0; k < 3; ++k) {
    uint64_t hash = hash_everything(threads[k]);
    if (!CHECK(hash == expected)) fprintf(stderr, "%d threads: 0x%016" PRIx64 "\n", threads[k], hash);
  }
  return test_end();
}
