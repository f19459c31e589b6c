// Changes of neighbours: pairs removed and added again give the bits of the body built at once; a body cut
// along a plane is two; factors enter moments as the formula says; a change that leaves too few neighbours
// changes nothing.
#include "elastic/elastic_change.h"

#include <string.h>

#include "elastic/elastic_basis.h"
#include "elastic_kit.h"

#define CUT (4.0 * KIT_SPACING)  // plane x = CUT, between the fourth and the fifth layer

static const double origin[3] = {0};

// --- Comparison --------------------------------------------------------------------------------------

static bool same_array(const void *a, const void *b, size_t count, size_t size) {
  return memcmp(a, b, count * size) == 0;
}

static bool same_bits(const mote_elastic *a, const mote_elastic *b) {
  size_t n = a->count, matrix = (size_t)(a->terms * a->terms), number = sizeof(double);
  if (a->pairs != b->pairs) return false;
  bool same = same_array(a->first, b->first, n + 1, sizeof *a->first);
  same = same && same_array(a->neighbour, b->neighbour, a->pairs, sizeof *a->neighbour);
  same = same && same_array(a->pair, b->pair, a->pairs, sizeof *a->pair);
  same = same && same_array(a->path_length, b->path_length, a->pairs, number);
  same = same && same_array(a->inverse, b->inverse, matrix * n, number);
  same = same && same_array(a->spread, b->spread, n, number);
  same = same && same_array(a->hourglass_stiffness, b->hourglass_stiffness, n, number);
  same = same && same_array(a->volume, b->volume, n, number) && same_array(a->mass, b->mass, n, number);
  if (a->slopes == 0) return same;
  for (size_t k = 0; k < a->pairs && same; ++k)
    same = same_array(a->slope + 6 * k, b->slope + 6 * k, 6, number);
  return same;
}

// --- Choices of pairs --------------------------------------------------------------------------------

typedef bool choose_fn(const mote_elastic *body, size_t i, size_t j);

static bool is_seventh(const mote_elastic *body, size_t i, size_t j) {
  (void)body;
  return (5 * i + 11 * j) % 7 == 0;
}

static bool crosses(const mote_elastic *body, size_t i, size_t j) {
  return (body->rest[3 * i] < CUT) != (body->rest[3 * j] < CUT);
}

static bool is_any(const mote_elastic *body, size_t i, size_t j) {
  return body != NULL && i < j;
}

typedef struct selection {
  mote_elastic_ends *ends;
  double *number;  // path lengths, or factors
  size_t count;
} selection;

// Alternating which end comes first.
static selection choose(const mote_elastic *body, choose_fn *chosen) {
  selection s = {.ends = calloc(body->pairs, sizeof *s.ends), .number = kit_array(body->pairs)};
  for (uint32_t i = 0; i < body->count; ++i) {
    for (size_t k = body->first[i]; k < body->first[i + 1]; ++k) {
      uint32_t j = body->neighbour[k];
      if (j < i || !chosen(body, i, j)) continue;
      s.ends[s.count] = s.count % 2 == 0 ? (mote_elastic_ends){i, j} : (mote_elastic_ends){j, i};
      s.number[s.count++] = body->path_length[k];
    }
  }
  return s;
}

static void drop(selection *s) {
  free(s->ends), free(s->number);
}

// --- Cases -------------------------------------------------------------------------------------------

typedef struct variant {
  int dimensions, order;
  mote_elastic_gradients gradient;
} variant;

static mote_elastic_def def_of(variant v) {
  mote_elastic_def def = kit_def(v.dimensions, v.order, 1e5, 0.3);
  def.gradient = v.gradient;
  return def;
}

static elastic_kit make(mote_elastic_def def) {
  return def.dimensions == 2 ? kit_make(def, 8, 7, 1, 0.2, origin) : kit_make(def, 8, 5, 5, 0.2, origin);
}

static void test_round_trip(variant v, mote_elastic_volumes volumes) {
  elastic_kit whole = make(def_of(v)), kit = make(def_of(v));
  mote_elastic *b = kit.body;
  CHECK(same_bits(whole.body, b));
  selection s = choose(b, is_seventh);
  CHECK(s.count > 10);
  CHECK(mote_elastic_remove_neighbours(b, s.ends, s.count, NULL) == MOTE_OK);
  CHECK(same_bits(whole.body, b));  // until it is rebuilt
  CHECK(mote_elastic_rebuild(b, NULL, 0, volumes, NULL) == MOTE_OK);
  CHECK(!same_bits(whole.body, b) && b->pairs == whole.body->pairs - 2 * s.count);
  CHECK(mote_elastic_add_neighbours(b, s.ends, s.number, s.count / 2, NULL) == MOTE_OK);
  CHECK(mote_elastic_add_neighbours(b, s.ends + s.count / 2, s.number + s.count / 2, s.count - s.count / 2,
                                    NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, volumes, NULL) == MOTE_OK);
  CHECK(same_bits(whole.body, b));
  for (size_t k = 0; k < s.count; ++k) s.number[k] = 1.0;
  CHECK(mote_elastic_set_factors(b, s.ends, s.number, s.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, volumes, NULL) == MOTE_OK);
  CHECK(same_bits(whole.body, b));  // factors of 1
  CHECK(mote_elastic_remove_neighbours(b, s.ends, s.count, NULL) == MOTE_OK);
  mote_elastic_discard_edits(b);
  uint32_t rows[3] = {0, 7, (uint32_t)b->count - 1};
  CHECK(mote_elastic_rebuild(b, rows, 3, volumes, NULL) == MOTE_OK);
  CHECK(same_bits(whole.body, b));  // nothing was edited
  drop(&s), kit_free(&kit), kit_free(&whole);
}

static void cut_paths(void *user, const double from[3], const double *to, size_t count, double most,
                      double *length) {
  (void)user, (void)most;
  for (size_t k = 0; k < count; ++k) {
    if ((from[0] < CUT) != (to[3 * k] < CUT)) length[k] = HUGE_VAL;
  }
}

static double energy_at(elastic_kit *kit) {
  mote_elastic_motion motion = kit_motion(kit);
  mote_elastic_energies e;
  CHECK(mote_elastic_find_energies(kit->body, &motion, &e, NULL) == MOTE_OK);
  return e.strain + e.hourglass;
}

static void find_forces(elastic_kit *kit) {
  mote_elastic_motion motion = kit_motion(kit);
  CHECK(mote_elastic_find_forces(kit->body, &motion, kit->force, NULL) == MOTE_OK);
}

// Displaces one side (0: x < CUT, 1: the other; 2: both) at random, the other stays at rest.
static void displace(elastic_kit *kit, int side) {
  for (size_t k = 0; k < 3 * kit->count; ++k) {
    bool moves = side == 2 || (kit->rest[k / 3 * 3] >= CUT) == (side == 1);
    bool used = k % 3 < (size_t)kit->body->dimensions;
    kit->x[k] = kit->rest[k] + (moves && used ? 0.03 * KIT_SPACING * kit_random(9, k) : 0.0);
  }
}

static void check_halves(elastic_kit *kit) {
  size_t n = kit->count;
  double *both = kit_array(3 * n), sum[2][3] = {{0}}, energy[3], most;
  for (int side = 2; side >= 0; --side) {
    displace(kit, side);
    energy[side] = energy_at(kit);
    find_forces(kit);
    if (side == 2) {
      memcpy(both, kit->force, 3 * n * sizeof *both);
      most = kit_largest(both, 3 * n);
      for (size_t i = 0; i < n; ++i) {
        double *half = sum[kit->rest[3 * i] >= CUT];
        step3(half, 1.0, both + 3 * i, half);
      }
      for (int h = 0; h < 2; ++h) CHECK(length3(sum[h]) < 1e-12 * (double)n * most);
      continue;
    }
    for (size_t i = 0; i < n; ++i) {
      bool own = (kit->rest[3 * i] >= CUT) == (side == 1);
      for (size_t a = 3 * i; a < 3 * i + 3; ++a) CHECK(kit->force[a] == (own ? both[a] : 0.0));
    }
  }
  CHECK(energy[0] > 0.0 && energy[1] > 0.0);
  CHECK_NEAR((energy[0] + energy[1]) / energy[2], 1.0, 1e-13);
  free(both);
}

static void test_cut(variant v) {
  mote_elastic_def def = def_of(v);
  elastic_kit kit = make(def);
  def.path_length = cut_paths;
  elastic_kit halves = make(def);
  selection s = choose(kit.body, crosses);
  CHECK(mote_elastic_remove_neighbours(kit.body, s.ends, s.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(kit.body, NULL, 0, MOTE_ELASTIC_NEW_VOLUMES, NULL) == MOTE_OK);
  CHECK(same_bits(kit.body, halves.body));
  check_halves(&kit);
  drop(&s), kit_free(&kit), kit_free(&halves);
}

static double factor_of(size_t i, size_t j) {
  size_t low = i < j ? i : j, high = i < j ? j : i;
  return 0.05 + 0.45 * (1.0 + kit_random(11 + low, high));
}

// Moments by sums over all particles of the body, of all pairs within reach.
static void brute_moments(const elastic_kit *kit, size_t i, double *M, double *spread) {
  const mote_elastic *b = kit->body;
  double p[MOTE_ELASTIC_TERMS], r[3];
  int m = b->terms;
  *spread = 0.0;
  for (int e = 0; e < m * m; ++e) M[e] = 0.0;
  for (size_t j = 0; j < kit->count; ++j) {
    sub3(kit->rest + 3 * j, kit->rest + 3 * i, r);
    double q = length3(r) / b->support[0], part = 1.0 - q * q;
    if (j == i || !(q < 1.0)) continue;
    double weight = part * part * part * factor_of(i, j);
    mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, r, p);
    for (int e = 0; e < m * m; ++e) M[e] += weight * p[e / m] * p[e % m];
    *spread += weight * dot3(r, r);
  }
}

// |inverse M - 1|
static double inverse_error(int m, const double *inverse, const double *M) {
  double worst = 0.0;
  for (int e = 0; e < m * m; ++e) {
    double sum = e / m == e % m ? -1.0 : 0.0;
    for (int k = 0; k < m; ++k) sum += inverse[e / m * m + k] * M[k * m + e % m];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

static void check_linear(elastic_kit *kit) {
  static const double A[9] = {1.1, 0.02, 0.0, -0.03, 0.95, 0.0, 0.0, 0.0, 1.0};
  double *g = kit_array(9 * kit->count), worst = 0.0;
  kit_map(kit, A, origin);
  CHECK(mote_elastic_find_strains(kit->body, kit->x, NULL, g, NULL) == MOTE_OK);
  for (size_t e = 0; e < 9 * kit->count; ++e)
    worst = fmax(worst, fabs(g[e] - A[e % 9] + (e % 9 % 4 == 0 ? 1.0 : 0.0)));
  CHECK(worst < 1e-11);
  free(g);
}

// Forces are the derivative of the energy, by central differences.
static void check_derivative(elastic_kit *kit) {
  double h = 1e-6 * KIT_SPACING;
  displace(kit, 2);
  find_forces(kit);
  double most = kit_largest(kit->force, 3 * kit->count);
  for (size_t k = 0; k < 3 * kit->count; k += 37) {
    if (k % 3 >= (size_t)kit->body->dimensions) continue;
    double at = kit->x[k];
    kit->x[k] = at + h;
    double up = energy_at(kit);
    kit->x[k] = at - h;
    double down = energy_at(kit);
    kit->x[k] = at;
    CHECK_NEAR((down - up) / (2.0 * h) / most, kit->force[k] / most, 1e-6);
  }
}

static void test_factors(variant v) {
  elastic_kit kit = make(def_of(v)), whole = make(def_of(v));
  mote_elastic *b = kit.body;
  selection s = choose(b, is_any), lengths = choose(b, is_any);
  double M[MOTE_ELASTIC_TERMS * MOTE_ELASTIC_TERMS], spread;
  for (size_t k = 0; k < s.count; ++k) s.number[k] = factor_of(s.ends[k].a, s.ends[k].b);
  CHECK(mote_elastic_set_factors(b, s.ends, s.number, s.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_KEEP_VOLUMES, NULL) == MOTE_OK);
  size_t full = 0;
  for (size_t i = 0; i < b->count; ++i) {
    brute_moments(&kit, i, M, &spread);
    CHECK_NEAR(b->spread[i] / spread, 1.0, 1e-12);
    bool is_full = b->inverse[(size_t)(b->terms * b->terms) * (i + 1) - 1] > 0.0;
    if (is_full && inverse_error(b->terms, b->inverse + (size_t)(b->terms * b->terms) * i, M) < 1e-9) ++full;
    CHECK(b->mass[i] == whole.body->mass[i]);
  }
  CHECK(v.order == 1 ? full == b->count : full > b->count / 3);  // faces lack second derivatives
  check_linear(&kit), check_derivative(&kit);
  for (size_t k = 0; k < s.count; ++k) s.number[k] = 1.0;
  CHECK(mote_elastic_set_factors(b, s.ends, s.number, s.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_KEEP_VOLUMES, NULL) == MOTE_OK);
  CHECK(same_bits(b, whole.body));
  drop(&s), drop(&lengths), kit_free(&kit), kit_free(&whole);
}

// All pairs of particle 0 but one are removed, and all others get factors: nothing of that must remain.
static void test_too_few(variant v) {
  elastic_kit kit = make(def_of(v)), whole = make(def_of(v));
  mote_elastic *b = kit.body;
  mote_error error = {0};
  selection s = choose(b, is_any);
  size_t count = b->first[1] - 1;
  for (size_t k = 0; k < s.count; ++k) s.number[k] = 0.5;
  for (size_t k = 0; k < count; ++k) CHECK(s.ends[k].a == 0 || s.ends[k].b == 0);
  CHECK(mote_elastic_set_factors(b, s.ends, s.number, s.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_remove_neighbours(b, s.ends, count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_NEW_VOLUMES, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.text, "particle 0 has 1 neighbours") != NULL);
  CHECK(same_bits(b, whole.body) && b->factor == NULL);
  CHECK(mote_elastic_remove_neighbours(b, s.ends + count + 1, 2, NULL) == MOTE_OK);  // still open to change
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_NEW_VOLUMES, NULL) == MOTE_OK);
  CHECK(b->pairs == whole.body->pairs - 4 && b->factor == NULL);
  drop(&s), kit_free(&kit), kit_free(&whole);
}

// A body of another reference keeps cuts and factors.
static void test_reference(void) {
  elastic_kit kit = make(def_of((variant){3, 1, MOTE_ELASTIC_DIRECT}));
  mote_elastic *b = kit.body, *again = NULL;
  selection cut = choose(b, crosses), rest;
  CHECK(mote_elastic_remove_neighbours(b, cut.ends, cut.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_KEEP_VOLUMES, NULL) == MOTE_OK);
  rest = choose(b, is_any);
  for (size_t k = 0; k < rest.count; ++k) rest.number[k] = factor_of(rest.ends[k].a, rest.ends[k].b);
  CHECK(mote_elastic_set_factors(b, rest.ends, rest.number, rest.count, NULL) == MOTE_OK);
  CHECK(mote_elastic_rebuild(b, NULL, 0, MOTE_ELASTIC_KEEP_VOLUMES, NULL) == MOTE_OK);
  double *metric = kit_array(6 * b->count), *flowed = kit_array(b->count);
  mote_elastic_reference reference = {.position = kit.rest, .metric = metric, .flowed = flowed};
  CHECK(mote_elastic_create_from_reference(b, &reference, &again, NULL) == MOTE_OK);
  if (CHECK(again != NULL)) CHECK(same_bits(b, again));
  mote_elastic_destroy(again);
  free(metric), free(flowed);
  drop(&cut), drop(&rest), kit_free(&kit);
}

int main(void) {
  static const variant variants[] = {{2, 1, MOTE_ELASTIC_DIRECT},   {2, 2, MOTE_ELASTIC_DIRECT},
                                     {3, 1, MOTE_ELASTIC_DIRECT},   {3, 2, MOTE_ELASTIC_DIRECT},
                                     {2, 2, MOTE_ELASTIC_ANALYTIC}, {3, 1, MOTE_ELASTIC_ANALYTIC}};
  for (size_t k = 0; k < sizeof variants / sizeof *variants; ++k) {
    test_round_trip(variants[k], MOTE_ELASTIC_KEEP_VOLUMES);
    test_round_trip(variants[k], MOTE_ELASTIC_NEW_VOLUMES);
    test_cut(variants[k]);
    test_factors(variants[k]);
    test_too_few(variants[k]);
  }
  test_reference();
  return test_end();
}
