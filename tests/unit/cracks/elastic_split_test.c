// Splitting of particles beside cracks: what is conserved, which particles are chosen, limits, and the energy
// of a plate with a slit.
#include "cracks/elastic_split.h"

#include "../elastic/elastic_kit.h"

static mote_split_rows make_rows(size_t count) {
  mote_split_rows rows = {.rest = kit_array(3 * count), .position = kit_array(3 * count)};
  rows.velocity = kit_array(3 * count), rows.support = kit_array(count), rows.volume = kit_array(count);
  rows.parent = calloc(count, sizeof *rows.parent);
  return rows;
}

static void free_rows(mote_split_rows *rows) {
  free(rows->rest), free(rows->position), free(rows->velocity);
  free(rows->support), free(rows->volume), free(rows->parent);
}

// The body after a split, with its motion; of the definition `def` for all but particles.
static elastic_kit kit_of(mote_elastic_def def, const mote_split_rows *rows) {
  elastic_kit kit = {.count = rows->count};
  def.position = rows->rest, def.count = rows->count;
  def.support = rows->support, def.volume = rows->volume;
  CHECK(mote_elastic_create(&def, NULL, &kit.body, NULL) == MOTE_OK);
  kit.rest = kit_array(3 * kit.count), kit.x = kit_array(3 * kit.count);
  kit.v = kit_array(3 * kit.count), kit.force = kit_array(3 * kit.count);
  memcpy(kit.rest, rows->rest, 3 * kit.count * sizeof(double));
  memcpy(kit.x, rows->position, 3 * kit.count * sizeof(double));
  memcpy(kit.v, rows->velocity, 3 * kit.count * sizeof(double));
  return kit;
}

typedef struct sums {
  double p[3], l[3], size, turning, energy;
} sums;

static sums sums_of(elastic_kit *kit) {
  sums s = {.size = 0.0};
  mote_elastic_motion motion = kit_motion(kit);
  mote_elastic_energies energies;
  for (size_t i = 0; i < kit->count; ++i) {
    double l[3], m = kit->body->mass[i];
    cross3(kit->x + 3 * i, kit->v + 3 * i, l);
    step3(s.p, m, kit->v + 3 * i, s.p), step3(s.l, m, l, s.l);
    s.size += m * length3(kit->v + 3 * i), s.turning += m * length3(l);
  }
  CHECK(mote_elastic_find_energies(kit->body, &motion, &energies, NULL) == MOTE_OK);
  s.energy = energies.strain + energies.hourglass;
  return s;
}

// A jittered block, strained evenly and turning: a third of it split, and half of the parts again.
static void test_conserved(int dimensions) {
  static const double A[9] = {1.1, 0.2, -0.05, 0.1, 0.9, 0.03, 0.02, -0.04, 1.05}, none[3] = {0};
  static const double flat[9] = {1.1, 0.2, 0, 0.1, 0.9, 0, 0, 0, 1}, spin[3] = {0.0, 0.0, 2.0};
  mote_elastic_def def = kit_def(dimensions, 1, 1e6, 0.3);
  def.uniform_support = 2.4 * KIT_SPACING;
  elastic_kit kit = kit_make(def, 7, 6, dimensions == 3 ? 6 : 1, 0.1, none);
  kit_map(&kit, dimensions == 3 ? A : flat, none);
  for (size_t i = 0; i < kit.count; ++i) {
    cross3(spin, kit.x + 3 * i, kit.v + 3 * i);
    kit.v[3 * i] += 1.0 + 0.3 * kit_random(9, i);
  }
  for (int round = 0; round < 2; ++round) {
    mote_split_def split = {.most = SIZE_MAX};
    uint32_t *row = calloc(kit.count, sizeof *row);
    size_t count = 0;
    for (uint32_t i = 1; i < kit.count; i += round == 0 ? 3 : 31) row[count++] = i;
    mote_split_rows rows = make_rows(mote_elastic_split_count(kit.body, count));
    mote_elastic_motion motion = kit_motion(&kit);
    CHECK(mote_elastic_split(kit.body, &split, &motion, row, count, &rows, NULL) == MOTE_OK);
    CHECK(rows.count == kit.count + (dimensions == 3 ? 7u : 3u) * count);
    elastic_kit after = kit_of(def, &rows);
    double *mass = kit_array(kit.count);
    for (size_t i = 0; i < after.count; ++i) mass[rows.parent[i]] += after.body->mass[i];
    for (size_t i = 0; i < kit.count; ++i) CHECK(mass[i] == kit.body->mass[i]);
    sums a = sums_of(&kit), b = sums_of(&after);
    CHECK(distance3(a.p, b.p) < 1e-13 * a.size);
    CHECK(distance3(a.l, b.l) < 1e-12 * a.turning);
    CHECK_NEAR(b.energy / a.energy, 1.0, 1e-12);
    free(mass), free(row);
    free_rows(&rows);
    kit_free(&kit);
    kit = after;
  }
  kit_free(&kit);
}

// --- A plate with a slit
// ------------------------------------------------------------------------------------

#define ACROSS 20
#define ALONG 30

typedef struct slit {
  double y, from, to;
} slit;

static bool crosses(void *user, const double a[3], const double b[3]) {
  const slit *s = user;
  double at = (s->y - a[1]) / (b[1] - a[1]), x = a[0] + at * (b[0] - a[0]);
  return (a[1] < s->y) != (b[1] < s->y) && x > s->from && x < s->to;
}

static void path_length(void *user, const double from[3], const double *to, size_t count, double most,
                        double *length) {
  (void)most;
  for (size_t k = 0; k < count; ++k)
    if (crosses(user, from, to + 3 * k)) length[k] = HUGE_VAL;
}

// Pulls the ends apart by implicit steps without momentum; returns the energy at rest.
static double settle(elastic_kit *kit) {
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  mote_elastic_implicit *solver;
  uint8_t *fixed = calloc(kit->count, sizeof *fixed);
  mote_elastic_motion motion = kit_motion(kit);
  mote_elastic_energies energies;
  double most = 0.0;
  motion.held = fixed;
  for (size_t i = 0; i < kit->count; ++i) most = max2(most, kit->rest[3 * i + 1]);
  for (size_t i = 0; i < kit->count; ++i) {
    double y = kit->rest[3 * i + 1];
    fixed[i] = y < 2.0 * KIT_SPACING || y > most - 1.5 * KIT_SPACING;
    if (fixed[i]) kit->x[3 * i + 1] = y + (y > 0.5 * most ? 1.0 : -1.0) * 0.01 * KIT_SPACING * ALONG;
  }
  CHECK(mote_elastic_implicit_create(&def, kit->body, &solver, NULL) == MOTE_OK);
  for (int step = 0; step < 6; ++step) {
    memset(kit->v, 0, 3 * kit->count * sizeof *kit->v);
    CHECK(mote_elastic_implicit_step(solver, &motion, NULL, 10.0, NULL, NULL) == MOTE_OK);
  }
  memset(kit->v, 0, 3 * kit->count * sizeof *kit->v);
  CHECK(mote_elastic_find_energies(kit->body, &motion, &energies, NULL) == MOTE_OK);
  mote_elastic_implicit_destroy(solver);
  free(fixed);
  return energies.strain + energies.hourglass;
}

// Splits along the slit, from `tip` spacings inside its ends. Where the ends are split, too, rays that passed
// them by are cut, and the slit becomes longer (docs/theory/fragments.md): its ends lie off all rays.
static void test_slit(double shift, double tip, double tolerance) {
  slit s = {KIT_SPACING * (0.5 * ALONG + shift), 5.95 * KIT_SPACING, 14.05 * KIT_SPACING};
  static const double none[3] = {0};
  mote_elastic_def def = kit_def(2, 1, 1e6, 0.3);
  def.path_length = path_length, def.user = &s, def.uniform_support = 2.5 * KIT_SPACING;
  elastic_kit kit = kit_make(def, ACROSS, ALONG, 1, 0.0, none);
  double whole = settle(&kit);
  uint32_t row[ACROSS * ALONG];
  size_t count = 0;
  for (uint32_t i = 0; i < kit.count; ++i) {
    const double *x = kit.rest + 3 * (size_t)i;
    if (fabs(x[1] - s.y) < 1.2 * KIT_SPACING && x[0] > s.from + tip * KIT_SPACING &&
        x[0] < s.to - tip * KIT_SPACING)
      row[count++] = i;
  }
  mote_split_def split = {.most = SIZE_MAX, .crosses = crosses, .user = &s};
  mote_split_rows rows = make_rows(mote_elastic_split_count(kit.body, count));
  mote_elastic_motion motion = kit_motion(&kit);
  CHECK(mote_elastic_split(kit.body, &split, &motion, row, count, &rows, NULL) == MOTE_OK);
  CHECK(rows.count > kit.count);
  for (size_t i = 0; i < rows.count; ++i)
    CHECK((rows.rest[3 * i + 1] < s.y) == (kit.rest[3 * rows.parent[i] + 1] < s.y));
  elastic_kit after = kit_of(def, &rows);
  double at_once = sums_of(&after).energy, settled = settle(&after);
  printf("slit plate, shift %g: split %zu, energy %+.2f %% at once, %+.2f %% settled\n", shift, count,
         100.0 * (at_once / whole - 1.0), 100.0 * (settled / whole - 1.0));
  CHECK(at_once / whole > 0.997 && at_once / whole < (tip > 0.0 ? 1.01 : 1.02));
  CHECK_NEAR(settled / whole, 1.0, tolerance);
  free_rows(&rows);
  kit_free(&kit), kit_free(&after);
}

// --- Choice
// -------------------------------------------------------------------------------------------------

// A slit about one particle leaves it too few neighbours.
static bool crosses_cell(void *user, const double a[3], const double b[3]) {
  const double *middle = user;
  bool in_a = fabs(a[0] - middle[0]) < 0.6 * KIT_SPACING && fabs(a[1] - middle[1]) < 1.6 * KIT_SPACING;
  bool in_b = fabs(b[0] - middle[0]) < 0.6 * KIT_SPACING && fabs(b[1] - middle[1]) < 1.6 * KIT_SPACING;
  return in_a != in_b;
}

static void path_of_cell(void *user, const double from[3], const double *to, size_t count, double most,
                         double *length) {
  (void)most;
  for (size_t k = 0; k < count; ++k)
    if (crosses_cell(user, from, to + 3 * k))
      length[k] = 10.0 * length[k] < most ? 1.5 * length[k] : 0.99 * most;
}

static void test_choice(void) {
  static const double none[3] = {0};
  double middle[2] = {5.5 * KIT_SPACING, 5.5 * KIT_SPACING};
  mote_elastic_def def = kit_def(2, 1, 1e6, 0.3);
  def.path_length = path_of_cell, def.user = middle;
  elastic_kit kit = kit_make(def, 11, 11, 1, 0.0, none);
  mote_split_def split = {.most = SIZE_MAX};
  uint32_t row[121], fragment[121] = {0};
  size_t count;
  bool limited;
  CHECK(mote_elastic_find_splits(kit.body, &split, NULL, 0, row, &count, &limited, NULL) == MOTE_OK);
  CHECK(count == 3 && row[0] == 5 * 11 + 4 && row[1] == 5 * 11 + 5 && row[2] == 5 * 11 + 6 && !limited);
  CHECK(mote_elastic_omega(kit.body, row[1]) < 6.0 && mote_elastic_omega(kit.body, 24) > 12.0);
  split.most = 128;
  CHECK(mote_elastic_find_splits(kit.body, &split, NULL, 0, row, &count, &limited, NULL) == MOTE_OK);
  CHECK(count == 2 && limited);
  split.most = SIZE_MAX, split.least_spacing = 0.5 * KIT_SPACING;
  CHECK(mote_elastic_find_splits(kit.body, &split, NULL, 0, row, &count, &limited, NULL) == MOTE_OK);
  CHECK(count == 3);
  split.least_spacing = 0.6 * KIT_SPACING;
  CHECK(mote_elastic_find_splits(kit.body, &split, NULL, 0, row, &count, &limited, NULL) == MOTE_OK);
  CHECK(count == 0);
  // Fragments: three particles, a row of eleven, the rest.
  split.least_spacing = 0.0;
  fragment[0] = fragment[1] = fragment[11] = 1;
  for (int k = 0; k < 11; ++k) fragment[110 + k] = 2;
  CHECK(mote_elastic_find_splits(kit.body, &split, fragment, 3, row, &count, &limited, NULL) == MOTE_OK);
  CHECK(count == 3 + 3 + 11 && row[0] == 0 && row[1] == 1 && row[2] == 11 && row[16] == 120);
  kit_free(&kit);
}

int main(void) {
  test_conserved(2);
  test_conserved(3);
  test_slit(0.0, 1.0, 0.003);
  test_slit(0.0, -1.0, 0.003);
  test_slit(0.2, 1.0, 0.003);
  test_choice();
  return test_end();
}
