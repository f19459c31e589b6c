// Splitting of particles in worlds: which are split, what is conserved, limits; state, threads, going back;
// clay that is drawn out, whose reference is renewed.
#include <math.h>
#include <mote/fracture.h>

#include "cracks/elastic_split.h"
#include "kinds/elastic/fracture_bodies.h"
#include "test.h"
#include "world/retry.h"
#include "world_kit.h"

#define SPACING 0.02

// Two cracks that leave a row of particles between them.
static const mote_crack_def slits[2] = {
    {.point = {0.5, 0.5, 0.0}, .normal = {0, 1, 0}, .radius = (double)NAN, .ahead = {1, 0, 0}},
    {.point = {0.5, 0.52, 0.0}, .normal = {0, 1, 0}, .radius = (double)NAN, .ahead = {1, 0, 0}}};

static void make_plate(world_kit *kit, mote_hold_def hold[2]) {
  world_kit_tank(kit, 2, SPACING);
  for (int a = 0; a < 3; ++a) kit->scene.world.gravity[a] = 0.0;
  mote_material_def *m = &kit->material[0];
  m->name = "glue", m->model = MOTE_KIND_ELASTIC, m->density = 1000.0;
  m->elastic.young = 2e4, m->elastic.poisson = 0.3, m->elastic.law = MOTE_ELASTIC_COROTATED;
  m->elastic.strain_damping = 1e-3, m->elastic.integrator = MOTE_INTEGRATOR_EXPLICIT;
  m->elastic.strength = 1e5, m->elastic.toughness = 300.0;
  mote_body_def *body = world_kit_body(kit, "plate", mote_shape_def_box(0.34, 0.36, 0, 0.66, 0.64, 0));
  body->material = "glue";
  for (int k = 0; k < 2; ++k) {
    double y = k == 0 ? 0.62 : 0.38;
    hold[k] = mote_hold_def_default();
    hold[k].shape = mote_shape_def_box(0.0, y - 0.021, 0.0, 1.0, y + 0.021, 1.0);
    hold[k].motion.move.y.formula = k == 0 ? "0.2*t" : "-0.2*t";
  }
  body->hold = hold, body->holds = 2;
  body->crack = slits, body->cracks = 2;
}

static void run(mote_world *world, double until) {
  mote_error error = {0};
  if (CHECK(mote_world_advance(world, until, &error) == MOTE_OK)) return;
  fprintf(stderr, "%s\n", error.text);
}

static double mass_of(const mote_world *world) {
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals.mass;
}

static void count_note(void *user, mote_log_level level, const char *text) {
  if (level == MOTE_LOG_WARNING && strstr(text, "split_most") != NULL) ++*(int *)user;
}

// Parts of a particle are its mass over powers of two, and all of it: exactly.
static void check_rows(const mote_world *world, size_t first) {
  const mote_elastic_item *item = mote_elastic_at(world, 0);
  const uint32_t *from = mote_elastic_rows(world, MOTE_ELASTIC_FIRST, 0);
  const uint8_t *halvings = mote_elastic_rows(world, MOTE_ELASTIC_HALVINGS, 0);
  const double *mass = mote_elastic_rows(world, MOTE_ELASTIC_MASS, 0);
  double *sum = calloc(first, sizeof *sum);
  size_t n = item->elastic->count;
  CHECK(n == mote_world_elastic_particles(world) && item->fracture->first->count == first);
  for (size_t i = 0; i < n; ++i) {
    size_t p = from[i] == 0 ? i : from[i] - 1;
    CHECK(p < first && (halvings[i] > 0) == (from[i] > 0));
    CHECK(mass[i] == item->elastic->mass[i]);
    CHECK(mass[i] == ldexp(item->fracture->first->mass[p], -2 * halvings[i]));
    sum[p] += ldexp(1.0, -2 * halvings[i]);
  }
  for (size_t p = 0; p < first; ++p) CHECK(sum[p] == 1.0);
  free(sum);
}

static void test_plate(void) {
  world_kit kit;
  mote_hold_def hold[2];
  make_plate(&kit, hold);
  int notes = 0;
  mote_env one = world_kit_env(1), two = world_kit_env(2), four = world_kit_env(4);
  one.log = count_note, one.log_user = &notes;
  mote_world *straight = world_kit_create(&kit, &one), *other = world_kit_create(&kit, &two),
             *third = world_kit_create(&kit, &four);
  size_t first = mote_world_elastic_particles(straight);
  double mass = mass_of(straight);
  kit_bytes early = world_kit_save(straight);
  run(straight, 0.02);
  CHECK(mote_world_elastic_particles(straight) >= first + 6 * 3);  // but for those beside the fronts
  CHECK(mass_of(straight) == mass);
  printf("plate: %zu particles, then %zu\n", first, mote_world_elastic_particles(straight));
  check_rows(straight, first);
  const uint8_t *halvings = mote_elastic_rows(straight, MOTE_ELASTIC_HALVINGS, 0);
  const uint8_t *held = mote_elastic_rows(straight, MOTE_ELASTIC_HOLD, 0);
  const double *rest = mote_elastic_rows(straight, MOTE_ELASTIC_REST, 0);
  for (size_t i = 0; i < mote_world_elastic_particles(straight); ++i) {
    CHECK(halvings[i] <= 1 && (held[i] == 0 || halvings[i] == 0));
    if (rest[3 * i] < 0.46 && rest[3 * i + 1] > 0.5 && rest[3 * i + 1] < 0.52) CHECK(halvings[i] == 1);
  }
  kit_bytes middle = world_kit_save(straight);
  run(straight, 0.1);
  check_rows(straight, first);
  uint64_t last = mote_world_hash(straight);
  size_t after = mote_world_elastic_particles(straight);
  CHECK(world_kit_load(other, &middle, NULL) == MOTE_OK && mass_of(other) == mass);
  run(other, 0.1);
  CHECK(mote_world_hash(other) == last);
  if (!TEST_SHORT) {
    run(third, 0.02), run(third, 0.1);
    CHECK(mote_world_hash(third) == last);
  }
  CHECK(world_kit_load(straight, &early, NULL) == MOTE_OK);  // back to before the splits
  CHECK(mote_world_elastic_particles(straight) == first && mass_of(straight) == mass);
  if (!TEST_SHORT) {
    run(straight, 0.02), run(straight, 0.1);
    CHECK(mote_world_hash(straight) == last && mote_world_elastic_particles(straight) == after);
  }
  CHECK(mote_world_bodies(straight) >= 1 && notes == 0);
  free(early.data), free(middle.data);
  mote_world_destroy(straight), mote_world_destroy(other), mote_world_destroy(third);
}

// A frame in which cracks have run and particles were split fails: it is tried again as if they had not.
static void test_again(void) {
  world_kit kit;
  mote_hold_def hold[2];
  make_plate(&kit, hold);
  mote_env env = world_kit_env(1);
  mote_world *late = world_kit_create(&kit, &env), *early = world_kit_create(&kit, &env);
  mote_error why = {.code = MOTE_ERROR_NUMERIC};
  run(late, 0.02), run(early, 0.02);
  size_t first = mote_world_elastic_particles(late),
         triangles = mote_elastic_at(late, 0)->fracture->cracks.triangles;
  while (mote_elastic_at(late, 0)->fracture->cracks.triangles < triangles + 4 && mote_world_time(late) < 0.3)
    CHECK(mote_world_step(late, 0.3, NULL) == MOTE_OK);
  CHECK(mote_elastic_at(late, 0)->fracture->cracks.triangles >= triangles + 4);
  CHECK(mote_world_elastic_particles(late) > first);
  printf("again: %zu particles, then %zu, at %.3f s\n", first, mote_world_elastic_particles(late),
         mote_world_time(late));
  CHECK(mote_retry_enter_frame(early, 0.3, NULL) == MOTE_OK);
  CHECK(mote_retry_handle_failure(late, &why, NULL) == MOTE_OK);
  CHECK(mote_retry_handle_failure(early, &why, NULL) == MOTE_OK);
  CHECK(mote_world_elastic_particles(late) == first && mote_world_hash(late) == mote_world_hash(early));
  double end = TEST_SHORT ? 0.1 : 0.3;
  run(late, end), run(early, end);
  CHECK(mote_world_hash(late) == mote_world_hash(early) && mote_world_elastic_particles(late) > first);
  mote_world_destroy(late), mote_world_destroy(early);
}

static void test_limits(void) {
  world_kit kit;
  mote_hold_def hold[2];
  int notes = 0;
  mote_env env = world_kit_env(1);
  env.log = count_note, env.log_user = &notes;
  make_plate(&kit, hold);
  kit.material[0].elastic.split_min = 0.6 * SPACING;
  mote_world *world = world_kit_create(&kit, &env);
  size_t first = mote_world_elastic_particles(world);
  run(world, 0.02);
  CHECK(mote_world_elastic_particles(world) == first && notes == 0);
  mote_world_destroy(world);
  make_plate(&kit, hold);
  kit.material[0].elastic.split_most = 1.03;
  world = world_kit_create(&kit, &env);
  run(world, 0.04);
  CHECK(mote_world_elastic_particles(world) > first &&
        (double)mote_world_elastic_particles(world) <= 1.03 * (double)first);
  CHECK(notes == 1);
  mote_world_destroy(world);
  make_plate(&kit, hold);
  kit.material[0].elastic.split_min = 0.24 * SPACING;
  world = world_kit_create(&kit, &env);
  run(world, 0.02);
  const uint8_t *halvings = mote_elastic_rows(world, MOTE_ELASTIC_HALVINGS, 0);
  for (size_t i = 0; i < mote_world_elastic_particles(world); ++i) CHECK(halvings[i] <= 2);
  check_rows(world, first);
  mote_world_destroy(world);
}

// --- Clay ----------------------------------------------------------------------------------------------

// A bar of clay whose ends are drawn apart to three times its free length: the reference is renewed and its
// particles are split, so that none has too few neighbours.
static void test_clay(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, SPACING);
  for (int a = 0; a < 3; ++a) kit.scene.world.gravity[a] = 0.0;
  mote_material_def *m = &kit.material[0];
  m->name = "clay", m->model = MOTE_KIND_ELASTIC, m->density = 1000.0;
  m->elastic.young = 2e4, m->elastic.poisson = 0.3, m->elastic.law = MOTE_ELASTIC_COROTATED;
  m->elastic.yield_strain = 0.02, m->elastic.renew_strain = 0.3, m->elastic.strength = 1e6;
  m->elastic.strain_damping = 1e-2, m->elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
  mote_body_def *body = world_kit_body(&kit, "bar", mote_shape_def_box(0.4, 0.44, 0, 0.6, 0.56, 0));
  mote_hold_def hold[2];
  for (int k = 0; k < 2; ++k) {
    double x = k == 0 ? 0.41 : 0.59;
    hold[k] = mote_hold_def_default();
    hold[k].shape = mote_shape_def_box(x - 0.021, 0.0, 0.0, x + 0.021, 1.0, 1.0);
    hold[k].motion.move.x.formula = k == 0 ? "-0.12*t" : "0.12*t";
  }
  body->material = "clay", body->hold = hold, body->holds = 2;
  mote_env env = world_kit_env(1), two = world_kit_env(2);
  mote_world *world = world_kit_create(&kit, &env), *other = world_kit_create(&kit, &two);
  size_t first = mote_world_elastic_particles(world);
  double mass = mass_of(world), least = HUGE_VAL;
  kit_bytes middle = {0};
  for (int step = 1; step <= 20; ++step) {
    run(world, 0.05 * step);
    const mote_elastic *b = mote_elastic_at(world, 0)->elastic;
    const uint8_t *held = mote_elastic_rows(world, MOTE_ELASTIC_HOLD, 0);
    for (size_t i = 0; i < b->count; ++i) {
      if (held[i] == 0) least = fmin(least, mote_elastic_omega(b, i));
    }
    CHECK(mass_of(world) == mass);
    if (step == 15) middle = world_kit_save(world);
  }
  check_rows(world, first);
  printf("clay: %zu particles, then %zu; least omega %.2f\n", first, mote_world_elastic_particles(world),
         least);
  CHECK(least >= 6.0 && mote_world_elastic_particles(world) > first && mote_world_bodies(world) == 1);
  CHECK(world_kit_load(other, &middle, NULL) == MOTE_OK);
  for (int step = 16; step <= 20; ++step) run(other, 0.05 * step);
  CHECK(mote_world_hash(other) == mote_world_hash(world));
  free(middle.data);
  mote_world_destroy(world), mote_world_destroy(other);
}

int main(void) {
  test_clay();
  test_plate();
  test_again();
  test_limits();
  return test_end();
}
