// Friction between lattice objects: it keeps both momenta, takes energy, does not exceed Coulomb's limit, and
// holds a block on a slope.
#include "lattice_kit.h"

#define FRICTION 0.5

// Two boxes that overlap a little and slide on each other.
static lattice_kit *make_boxes(int dimensions, double friction) {
  kit_def lower = {.dimensions = dimensions, .size = {20, 4.1, 8}, .poisson = 0.2, .damping = 20.0},
          upper = lower;
  double D = KIT_SPACING * (dimensions == 3 ? mote_cbrt(sqrt(2.0)) : sqrt(2.0 / sqrt(3.0)));
  upper.size[0] = 8, upper.size[2] = 4;
  // Where the next row of the lower one's lattice would be, 1.5 % nearer: in the dents between its bumps.
  upper.middle[1] = 0.985 * D * (dimensions == 3 ? 5.0 * sqrt(0.5) : 5.0 * sqrt(0.75));
  upper.middle[0] = D * (dimensions == 3 ? sqrt(0.5) : 0.5);
  lattice_kit *kit = kit_make_two(&lower, &upper);
  kit->part.friction = friction;
  mote_lattice_near(&kit->lattice);
  return kit;
}

static void test_forces(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    lattice_kit *kit = make_boxes(dimensions, FRICTION);
    double sum[3] = {0}, turn[3] = {0}, all = 0.0, power = 0.0, repulsion = 0.0, along = 0.0;
    CHECK(kit->lattice.rubbing > 4 && kit->lattice.around > kit->lattice.rubbing);
    for (size_t i = 0; i < kit->count; ++i) {
      for (int a = 0; a < dimensions; ++a) kit->v[3 * i + a] = 0.1 * kit_random(20 + (uint64_t)a, i);
      if (kit->object[i] == 2) kit->v[3 * i] += 1.0;
    }
    memset(kit->force, 0, 3 * kit->count * sizeof *kit->force);
    mote_lattice_rub(&kit->lattice, NULL, 1e-3, kit->force);
    for (size_t i = 0; i < kit->count; ++i) {
      const double *f = kit->force + 3 * i;
      double t[3];
      cross3(kit->x + 3 * i, f, t);
      step3(sum, 1.0, f, sum), step3(turn, 1.0, t, turn);
      all += length3(f), power += dot3(f, kit->v + 3 * i);
      if (kit->object[i] == 2) along += f[0];
    }
    CHECK(all > 0.0 && power < 0.0 && along < 0.0);
    CHECK(length3(sum) < 1e-12 * all && length3(turn) < 1e-12 * all * kit->part.law.edge);
    for (size_t i = 0; i < kit->count; ++i) {
      for (uint32_t k = 0; k < kit->lattice.near_number[i] && kit->object[i] == 2; ++k) {
        uint32_t j = kit->lattice.near[kit->lattice.lists.first[i] + k];
        double r = distance3(kit->x + 3 * i, kit->x + 3 * (size_t)j);
        if (kit->object[j] == 1) repulsion += mote_lattice_contact(&kit->lattice, i, j, r * r);
      }
    }
    CHECK(repulsion > 0.0 && -along < 3.0 * repulsion);  // oblique contacts, and what damps them
    kit_free(kit);
  }
}

static double mean_x(const lattice_kit *kit) {
  double sum = 0.0, count = 0.0;
  for (size_t i = 0; i < kit->count; ++i) {
    if (kit->object[i] == 2) sum += kit->x[3 * i], count += 1.0;
  }
  return sum / count;
}

// How far the upper box slides in 0.4 s on a slope of 35 degrees. Bumps alone hold it up to 30 degrees.
static double slide(double friction) {
  lattice_kit *kit = make_boxes(2, friction);
  double before = mean_x(kit), *pull = calloc(3 * kit->count, sizeof *pull);
  for (size_t i = 0; i < kit->count; ++i) {
    kit->held[i] = kit->object[i] == 1;
    pull[3 * i] = 7.0, pull[3 * i + 1] = -10.0;
  }
  for (int k = 0; k < 40; ++k) {
    if (k > 0) kit_begin(kit, 0.01);
    double steps = mote_lattice_steps(&kit->lattice, 0.01, 1.0, 0.0);
    CHECK(mote_lattice_advance(&kit->lattice, NULL, pull, 0.01, steps, NULL) == MOTE_OK);
    mote_lattice_end(&kit->lattice);
  }
  double way = mean_x(kit) - before;
  kit_free(kit), free(pull);
  return way;
}

static void test_slope(void) {
  double loose = slide(0.0), held = slide(FRICTION), first = KIT_SPACING;
  printf("slides %.4f m without friction, %.4f with\n", loose, held);
  CHECK(loose > 2.0 * first && fabs(held) < 0.1 * loose);
}

int main(void) {
  test_forces();
  test_slope();
  return test_end();
}
