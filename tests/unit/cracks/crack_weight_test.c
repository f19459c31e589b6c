// Shape functions across a crack, EG09 (70): their sum, linear fields, gradients; a field that jumps; the
// walk around a tip (Organ et al. 1996): visibility has a jump on the way, transparency a slope.
#include "cracks/crack_weight.h"

#include <mote/mote.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "geom/triple.h"
#include "test.h"

#define SIDE 25  // particles along a side, spacing 1; the crack ends at the middle

typedef enum set_kind { LATTICE, JITTERED, RANDOM } set_kind;

typedef struct field {
  double position[3 * SIDE * SIDE];
  mote_crack_sheets cracks;
  mote_crack_weight weight;
  mote_mls *mls;
} field;

static void fill(field *f, set_kind set) {
  for (size_t i = 0; i < SIDE * SIDE; ++i) {
    double jitter = set == LATTICE ? 0.0 : 0.15, *x = f->position + 3 * i;
    set3((double)(i % SIDE) - SIDE / 2 + 0.5 + jitter * mote_random_between(1, 1, i, -1.0, 1.0),
         (double)(i / SIDE) - SIDE / 2 + 0.5 + jitter * mote_random_between(1, 2, i, -1.0, 1.0), 0.0, x);
    if (set != RANDOM) continue;
    for (uint64_t k = 0; k < 2; ++k) x[k] = mote_random_between(1, 3 + k, i, -0.5 * SIDE, 0.5 * SIDE);
    if (fabs(x[1]) < 0.05) x[1] = x[1] < 0.0 ? -0.05 : 0.05;
  }
}

static field *open_field(set_kind set, int order, double opacity) {
  mote_env env = mote_env_resolve(NULL);
  field *f = calloc(1, sizeof *f);
  fill(f, set);
  f->cracks = mote_crack_sheets_make(2, &env);
  double tip[3] = {0.1, 0, 0}, ahead[3] = {1, 0, 0}, normal[3] = {0, 1, 0};
  CHECK(mote_crack_add_half_plane(&f->cracks, tip, ahead, normal, 40.0, 1.0, NULL) == MOTE_OK);
  f->weight = (mote_crack_weight){&f->cracks, opacity, MOTE_KERNEL_POLY6};
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(2), def.order = order, def.position = f->position, def.count = SIDE * SIDE;
  def.uniform_radius = set == RANDOM ? 4.0 : order == 1 ? 2.5 : 3.2;
  def.weight = mote_crack_weight_find, def.weight_user = &f->weight;
  CHECK(mote_mls_create(&def, &env, &f->mls, NULL) == MOTE_OK);
  return f;
}

static void close_field(field *f) {
  mote_mls_destroy(f->mls);
  mote_crack_sheets_destroy(&f->cracks);
  free(f);
}

// Largest error of the sum of shape functions and of a field at `count` points.
static void find_errors(const field *f, const double *value, const double *point, const double *exact,
                        size_t count, double *sum_error, double *value_error) {
  mote_mls_shapes *shapes;
  double *out = calloc(count, sizeof *out);
  CHECK(mote_mls_shapes_create(f->mls, point, count, 0, NULL, &shapes, NULL) == MOTE_OK);
  CHECK(mote_mls_apply(shapes, value, 1, out, NULL, NULL, NULL) == MOTE_OK);
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  *sum_error = *value_error = 0.0;
  for (size_t k = 0; k < count; ++k) {
    double sum = 0.0;
    for (size_t m = lists->first[k]; m < lists->first[k] + lists->number[k]; ++m)
      sum += mote_mls_shapes_value(shapes)[m];
    *sum_error = max2(*sum_error, fabs(sum - 1.0));
    *value_error = max2(*value_error, fabs(out[k] - exact[k]));
  }
  mote_mls_shapes_destroy(shapes);
  free(out);
}

static double linear(const double x[3]) {
  return 0.3 + 0.07 * x[0] - 0.05 * x[1];
}

static double broken(const double x[3]) {
  return x[1] > 0.0 ? 1.0 + 0.1 * x[0] : -1.0 + 0.2 * x[1];
}

static void test_fields(set_kind set, int order, double opacity) {
  enum { POINTS = 400 };
  field *f = open_field(set, order, opacity);
  double point[3 * POINTS], exact[POINTS], value[SIDE * SIDE], sum_error, value_error;
  for (uint64_t k = 0; k < POINTS; ++k) {
    set3(mote_random_between(2, 1, k, -8.0, 8.0), mote_random_between(2, 2, k, -8.0, 8.0), 0.0,
         point + 3 * k);
    exact[k] = linear(point + 3 * k);
  }
  for (size_t i = 0; i < SIDE * SIDE; ++i) value[i] = linear(f->position + 3 * i);
  find_errors(f, value, point, exact, POINTS, &sum_error, &value_error);
  CHECK_NEAR(sum_error, 0.0, 1e-12);
  CHECK_NEAR(value_error, 0.0, 1e-12);
  for (size_t i = 0; i < SIDE * SIDE; ++i) value[i] = broken(f->position + 3 * i);
  for (uint64_t k = 0; k < POINTS; ++k) {  // a support and more behind the tip
    set3(mote_random_between(2, 3, k, -8.0, set == RANDOM ? -4.5 : -3.5),
         mote_random_between(2, 4, k, -3.0, 3.0), 0.0, point + 3 * k);
    exact[k] = broken(point + 3 * k);
  }
  find_errors(f, value, point, exact, POINTS, &sum_error, &value_error);
  CHECK_NEAR(sum_error, 0.0, 1e-12);
  CHECK_NEAR(value_error, 0.0, 1e-12);
  close_field(f);
}

static void test_gradient(void) {
  field *f = open_field(JITTERED, 1, 1.0);
  size_t cut = 0;
  for (uint64_t k = 0; k < 30000; ++k) {
    uint32_t i = (uint32_t)(mote_random_unit(3, 1, k) * SIDE * SIDE);
    double x[3] = {mote_random_between(3, 2, k, -1.5, 1.5), mote_random_between(3, 3, k, -1.5, 1.5), 0.0};
    double offset[3], w = 0.0, dw[3] = {0}, ddw[6], slope[3];
    sub3(x, f->position + 3 * i, offset);
    if (length3(offset) > 2.5) continue;
    mote_crack_weight_find(&f->weight, i, x, offset, 2.5, 1, &w, dw, ddw);
    if (!(w > 0.0) || !mote_crack_cuts(&f->cracks, x, f->position + 3 * i, NULL)) continue;
    ++cut;
    for (int e = 0; e < 2; ++e) {
      double side[2] = {0};
      for (int s = 0; s < 2; ++s) {
        double y[3], from[3], none[3] = {0};
        copy3(x, y);
        y[e] += (s ? 1e-6 : -1e-6);
        sub3(y, f->position + 3 * i, from);
        mote_crack_weight_find(&f->weight, i, y, from, 2.5, 0, side + s, none, ddw);
      }
      slope[e] = (side[1] - side[0]) / 2e-6;
      if (side[0] > 0.0 && side[1] > 0.0) CHECK_NEAR(dw[e], slope[e], 1e-4);
    }
  }
  CHECK(cut > 20);
  close_field(f);
}

// Largest change of any shape function in one of `steps` steps around the tip, without those across the
// crack.
static double walk(const field *f, size_t steps) {
  double *point = calloc(3 * steps, sizeof *point), *last = calloc(SIDE * SIDE, sizeof *last);
  double *now = calloc(SIDE * SIDE, sizeof *now), most = 0.0;
  for (size_t k = 0; k < steps; ++k) {
    double angle = MOTE_PI * (2.0 * ((double)k + 0.5) / (double)steps - 1.0);
    set3(0.1 + 0.6 * mote_cos(angle), 0.6 * mote_sin(angle), 0.0, point + 3 * k);
  }
  mote_mls_shapes *shapes;
  CHECK(mote_mls_shapes_create(f->mls, point, steps, 0, NULL, &shapes, NULL) == MOTE_OK);
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  for (size_t k = 0; k < steps; ++k) {
    memset(now, 0, SIDE * SIDE * sizeof *now);
    for (size_t m = lists->first[k]; m < lists->first[k] + lists->number[k]; ++m)
      now[lists->index[m]] = mote_mls_shapes_value(shapes)[m];
    for (size_t i = 0; i < SIDE * SIDE && k > 0; ++i) most = max2(most, fabs(now[i] - last[i]));
    memcpy(last, now, SIDE * SIDE * sizeof *now);
  }
  mote_mls_shapes_destroy(shapes);
  free(point), free(last), free(now);
  return most;
}

static void test_walk(set_kind set) {
  field *sharp = open_field(set, 1, 0.0), *smooth = open_field(set, 1, 1.0);
  double a = walk(sharp, 1600), b = walk(sharp, 6400);
  CHECK(b >= 0.1);
  CHECK_NEAR(b / a, 1.0, 0.02);
  double p = walk(smooth, 1600), q = walk(smooth, 6400);
  printf("walk: visibility %.4f %.4f, transparency %.5f %.5f, slope %.2f\n", a, b, p, q,
         q * 6400.0 / (2.0 * MOTE_PI * 0.6));
  CHECK(p / q > 3.7 && p / q < 4.3);
  CHECK(q * 6400.0 / (2.0 * MOTE_PI * 0.6) < 6.0);
  close_field(sharp), close_field(smooth);
}

int main(void) {
  for (int set = LATTICE; set <= RANDOM; ++set) {
    for (int order = 1; order <= 2; ++order) {
      test_fields((set_kind)set, order, 0.0);
      test_fields((set_kind)set, order, 1.0);
    }
  }
  test_gradient();
  test_walk(LATTICE);
  test_walk(JITTERED);
  return test_end();
}
