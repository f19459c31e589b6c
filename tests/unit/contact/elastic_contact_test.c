// Elastic contact: forces against energies, shares, momentum, rest, friction, stacks, speed, threads.
#include "contact/elastic_contact.h"

#include "elastic_contact_kit.h"

static const double here[3] = {0.0, 0.0, 0.0};

static double lowest(const contact_world *w) {
  double low = HUGE_VAL;
  for (size_t i = 0; i < w->count; ++i) low = min2(low, w->x[3 * i + 1]);
  return low - 0.5 * KIT_SPACING;
}

// A box released a tenth of a spacing above the floor comes to rest, and the contact carries its weight.
static void rest_on_floor(int dimensions, double young, double dt, bool implicit, double seconds) {
  contact_world *w = contact_world_make(dimensions, dt, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  mote_elastic_def def = kit_def(dimensions, 2, young, 0.3);
  if (!implicit) def.damping = 1e-2;
  contact_world_elastic(w, def, 6, 6, dimensions == 3 ? 6 : 1, 0.0, (double[3]){0.0, 0.1 * KIT_SPACING, 0.0},
                        0.5);
  contact_world_obstacle(w, &floor);
  contact_world_prepare(w, implicit);
  double weight = 0.0;
  for (size_t i = 0; i < w->count; ++i) weight += 9.81 * w->group.mass[i];
  int ticks = (int)(seconds / dt);
  for (int t = 0; t < ticks; ++t) contact_world_step(w);
  double low = lowest(w), x = w->x[0];
  for (int t = 0; t < ticks; ++t) contact_world_step(w);
  double up = 0.0;
  for (size_t k = 0; k < w->contact->records; ++k) up += w->contact->record[k].impulse[1] / dt;
  printf(
      "%dD %s, E %.0e, dt %.4f: sinks %.4f d, speed %.2e m/s, force %.8f of the weight, moved %.2e %.2e; "
      "substeps %d newton %.2f cg %.1f\n",
      dimensions, implicit ? "implicit" : "explicit", young, dt, -low / KIT_SPACING, contact_world_speed(w),
      up / weight, w->x[0] - x, lowest(w) - low, w->substeps / (2 * ticks), w->newton / (2.0 * ticks),
      w->cg / (2.0 * ticks));
  CHECK(fabs(low) < 1e-3 * KIT_SPACING);
  CHECK_NEAR(up / weight, 1.0, 1e-3);
  CHECK(contact_world_speed(w) < 1e-3);
  CHECK(fabs(w->x[0] - x) < 1e-3 * KIT_SPACING && fabs(lowest(w) - low) < 1e-3 * KIT_SPACING);
  contact_world_free(w);
}

// --- Derivatives --------------------------------------------------------------------------------------

// Two jittered bodies with a small overlap, a rigid ball in one and a floor under the other.
static contact_world *crowd(int dimensions) {
  contact_world *w = contact_world_make(dimensions, 0.01, 1);
  int deep = dimensions == 3 ? 3 : 1;
  double z = dimensions == 3 ? 1.5 * KIT_SPACING : 0.0;
  mote_shape_def ball = mote_shape_def_sphere(2.0 * KIT_SPACING, 7.2 * KIT_SPACING, z, 1.3 * KIT_SPACING);
  mote_shape_def floor = contact_world_floor(0.1);
  contact_world_elastic(w, kit_def(dimensions, 2, 1e5, 0.3), 4, 3, deep, 0.1, (double[3]){0.01, 0.0, 0.0},
                        0.4);
  contact_world_elastic(w, kit_def(dimensions, 2, 3e5, 0.3), 4, 3, deep, 0.1,
                        (double[3]){0.0, 2.97 * KIT_SPACING, 0.01 * (dimensions == 3)}, 0.9);
  contact_world_rigid(w, &ball, 500.0, 0.5);
  contact_world_obstacle(w, &floor);
  contact_world_prepare(w, false);
  set3(0.2, -0.3, dimensions == 3 ? 0.1 : 0.0, w->obstacle[0].v);
  set3(0.0, 0.0, 2.0, w->obstacle[0].w);
  CHECK(mote_elastic_contact_find(w->contact, &w->scene, w->x, 0.3 * KIT_SPACING, NULL) == MOTE_OK);
  CHECK(w->contact->movers == 1);
  return w;
}

// Energy at x and y against its differences; forces against theirs.
static void test_derivatives(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    contact_world *w = crowd(dimensions);
    mote_elastic_contact *t = w->contact;
    double y[6] = {0}, generalised_force[6] = {0}, out[6] = {0}, since = 0.003, step = 1e-7 * KIT_SPACING;
    double *force = kit_array(3 * w->count), *moved = kit_array(3 * w->count);
    for (size_t k = 0; k < 3 * w->count; ++k)
      w->x[k] += 0.05 * KIT_SPACING * kit_random(3, k) * (k % 3 < (size_t)dimensions);
    for (int k = 0; k < 6; ++k)
      y[k] = dimensions == 3 || k < 2 || k == 5 ? 0.01 * kit_random(4, (uint64_t)k) : 0.0;
    double *diagonal = kit_array(w->count), *goal = kit_array(3 * w->count);
    for (size_t i = 0; i < w->count; ++i) diagonal[i] = 1e4 * (1.0 + 0.5 * kit_random(8, i));
    memcpy(goal, w->x, 3 * w->count * sizeof *goal);
    const mote_elastic_external_step whole = {.step = 0.01, .diagonal = diagonal, .goal = goal};
    t->external.begin(t, &whole);
    (void)t->external.update_multipliers(t, w->x, y, since, 0);
    size_t faces = 0, obstacles = 0;
    for (size_t k = 0; k < t->records; ++k) {
      CHECK(t->record[k].condition.normal >= 0.0);
      if (t->record[k].condition.normal > 0.0)
        ++*(t->record[k].meets == MOTE_MEETS_FACE ? &faces : &obstacles);
    }
    CHECK(faces > 0 && obstacles > 1);
    free(diagonal), free(goal);
    for (size_t k = 0; k < 3 * w->count; ++k)
      w->x[k] += 0.01 * KIT_SPACING * kit_random(5, k) * (k % 3 < (size_t)dimensions);
    t->external.forces(t, w->x, y, since, 1.0, force, generalised_force);
    double most = kit_largest(force, 3 * w->count), worst = 0.0, turned = 0.0;
    CHECK(most > 1.0);
    for (size_t k = 0; k < 3 * w->count + 6; ++k) {
      double *at = k < 3 * w->count ? w->x + k : y + (k - 3 * w->count), kept = *at;
      double force_here = k < 3 * w->count ? force[k] : generalised_force[k - 3 * w->count];
      *at = kept + step;
      double up = t->external.energy(t, w->x, y, since);
      *at = kept - step;
      double down = t->external.energy(t, w->x, y, since);
      *at = kept;
      worst = max2(worst, fabs(force_here + (up - down) / (2.0 * step)));
    }
    CHECK_NEAR(worst / most, 0.0, 1e-5);
    double *direction = kit_array(3 * w->count), *product = kit_array(3 * w->count), dy[6];
    for (size_t k = 0; k < 3 * w->count; ++k) direction[k] = kit_random(6, k) * (k % 3 < (size_t)dimensions);
    for (int k = 0; k < 6; ++k) dy[k] = kit_random(7, (uint64_t)k);
    t->external.stiffness(t, w->x, y, since);
    t->external.product(t, direction, dy, product, out);
    for (size_t k = 0; k < 3 * w->count; ++k) w->x[k] += step * direction[k];
    for (int k = 0; k < 6; ++k) y[k] += step * dy[k];
    double after[6] = {0}, large = kit_largest(product, 3 * w->count), work = 0.0;
    t->external.forces(t, w->x, y, since, 1.0, moved, after);
    for (size_t k = 0; k < 3 * w->count; ++k) {
      turned = max2(turned, fabs(product[k] + (moved[k] - force[k]) / step));
      work += product[k] * direction[k];
    }
    for (int k = 0; k < 6; ++k) {
      turned = max2(turned, fabs(out[k] + (after[k] - generalised_force[k]) / step) / 10.0);
      work += out[k] * dy[k];
    }
    CHECK_NEAR(turned / large, 0.0, 1e-4);
    CHECK(work >= 0.0);
    printf("%dD: forces off by %.1e, stiffness by %.1e\n", dimensions, worst / most, turned / large);
    free(force), free(moved), free(direction), free(product);
    contact_world_free(w);
  }
}

// The shares of a record's two sides: they sum to 1 and -1, those along the normal are positive and turn
// nothing, those across it act at the particle, or at the sample.
static void check_shares(const contact_world *w, const mote_elastic_contact_record *t) {
  const mote_elastic_contact *s = w->contact;
  double sum[2] = {0}, along[3] = {0}, across[3] = {0}, turn[3], point[3];
  if (t->meets == MOTE_MEETS_SAMPLE)
    step3(w->obstacle[t->other].x, 1.0, t->arm[1], point);
  else
    copy3(w->x + 3 * (size_t)t->i, point);
  for (uint32_t k = 0; k < t->members; ++k) {
    const mote_elastic_contact_member *m = s->member + t->first + k;
    double r[3];
    sub3(w->x + 3 * (size_t)m->particle, point, r);
    sum[0] += m->along, sum[1] += m->across;
    step3(along, m->along, r, along), step3(across, m->across, r, across);
    bool own = t->meets == MOTE_MEETS_SAMPLE || m->particle == t->i;
    CHECK(own ? m->along >= 0.0 : m->along <= 0.0);
  }
  double whole = t->meets == MOTE_MEETS_SAMPLE;
  CHECK_NEAR(sum[0], whole, 1e-12);
  CHECK_NEAR(sum[1], t->friction > 0.0 ? whole : 0.0, 1e-12);
  cross3(t->normal, along, turn);
  CHECK(length3(turn) < 1e-9 * KIT_SPACING);
  CHECK(length3(across) < 1e-9 * KIT_SPACING);
}

static void test_balance(int dimensions) {
  contact_world *w = crowd(dimensions);
  size_t faces = 0;
  for (size_t k = 0; k < w->contact->records; ++k) {
    const mote_elastic_contact_record *t = w->contact->record + k;
    if (k > 0) CHECK(t[-1].i <= t->i);
    if (t->meets == MOTE_MEETS_OBSTACLE) continue;
    check_shares(w, t);
    faces += t->meets == MOTE_MEETS_FACE;
  }
  printf("%dD: %zu records of faces\n", dimensions, faces);
  CHECK(faces > (dimensions == 3 ? 10 : 3));
  contact_world_free(w);
}

// A sharp corner over the middle of four particles of a face: only its sample meets them in time.
static void test_sample(void) {
  contact_world *w = contact_world_make(3, 0.002, 1);
  mote_shape_def ball =
      mote_shape_def_sphere(2.5 * KIT_SPACING, 3.6 * KIT_SPACING, 2.5 * KIT_SPACING, 0.2 * KIT_SPACING);
  contact_world_elastic(w, kit_def(3, 2, 1e5, 0.3), 5, 3, 5, 0.0, here, 0.5);
  contact_world_rigid(w, &ball, 8000.0, 0.5);
  mote_contact_sample one = {.centre = {2.5 * KIT_SPACING, 3.6 * KIT_SPACING, 2.5 * KIT_SPACING},
                             .round = 0.2 * KIT_SPACING};
  const mote_contact_samples samples = {.sample = &one, .count = 1};
  w->obstacle[0].contact_samples = &samples;
  set3(0.0, -5.0, 0.0, w->obstacle[0].v);
  set3(0.0, 0.0, 0.0, w->gravity);
  contact_world_prepare(w, true);
  double least = HUGE_VAL;
  for (int t = 0; t < 100; ++t) {
    contact_world_step(w);
    double top = 0.0;  // of the four particles around the middle
    for (size_t i = 0; i < w->count; ++i) {
      const double *rest = w->kit[0].rest + 3 * i;
      bool above = rest[1] > 2.0 * KIT_SPACING;
      if (above && fabs(rest[0] - 2.5 * KIT_SPACING) < 0.6 * KIT_SPACING &&
          fabs(rest[2] - 2.5 * KIT_SPACING) < 0.6 * KIT_SPACING)
        top = max2(top, w->x[3 * i + 1]);
    }
    least = min2(least, (w->obstacle[0].x[1] - top) / KIT_SPACING);
  }
  printf("a small ball on a face: lowest %.3f spacings above its particles, leaves at %.2f m/s\n", least,
         w->obstacle[0].v[1]);
  CHECK(least > 0.4);
  CHECK(w->obstacle[0].v[1] > 0.0);
  contact_world_free(w);
}

// --- Momentum -----------------------------------------------------------------------------------------

// Two elastic boxes and a rigid ball collide in free space.
static void test_momentum(void) {
  for (int implicit = 0; implicit < 2; ++implicit) {
    contact_world *w = contact_world_make(3, 0.002, 1);
    set3(0.0, 0.0, 0.0, w->gravity);
    mote_shape_def ball = mote_shape_def_sphere(0.1, 0.55, 0.1, 0.1);
    contact_world_elastic(w, kit_def(3, 2, 1e5, 0.3), 4, 4, 4, 0.1, here, 0.5);
    contact_world_elastic(w, kit_def(3, 2, 2e5, 0.3), 4, 4, 4, 0.1, (double[3]){0.03, 0.23, 0.02}, 0.5);
    contact_world_rigid(w, &ball, 800.0, 0.5);
    contact_world_prepare(w, implicit == 1);
    for (size_t i = 0; i < w->count; ++i) w->v[3 * i + 1] = i < w->group.start[1] ? 2.0 : 0.0;
    w->obstacle[0].v[1] = -3.0;
    double first[3], last[3], faster = 0.0;
    contact_world_momentum(w, first);
    for (int t = 0; t < 150; ++t) {
      contact_world_step(w);
      faster = max2(faster, contact_world_speed(w));
    }
    contact_world_momentum(w, last);
    double turned = fabs(w->obstacle[0].v[1] + 3.0);
    sub3(last, first, last);
    printf("%s: momentum off by %.1e of %.1f, fastest %.2f, ball changed by %.2f m/s\n",
           implicit ? "implicit" : "explicit", length3(last), length3(first), faster, turned);
    CHECK(length3(last) < (implicit ? 1e-6 : 1e-12) * 16.0);
    CHECK(faster < 10.0);
    CHECK(turned > 1.0);
    contact_world_free(w);
  }
}

// --- Friction -----------------------------------------------------------------------------------------

// On a slope of angle 0.3, tan 0.309: sticks at 0.4, slides at 0.2 with g (sin - mu cos).
static void slope(bool implicit, double mu) {
  double angle = 0.3, dt = 0.005, seconds = 1.0;
  contact_world *w = contact_world_make(2, dt, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  mote_elastic_def def = kit_def(2, 2, 2e5, 0.3);
  def.damping = 2e-3;
  contact_world_elastic(w, def, 8, 4, 1, 0.0, here, mu);
  contact_world_obstacle(w, &floor);
  set3(9.81 * mote_sin(angle), -9.81 * mote_cos(angle), 0.0, w->gravity);
  contact_world_prepare(w, implicit);
  double p[3], mass = 0.0, x[2] = {0.0, 0.0}, began;
  for (size_t i = 0; i < w->count; ++i) mass += w->group.mass[i];
  for (int t = 0; t < (int)(0.5 / dt); ++t) contact_world_step(w);
  contact_world_momentum(w, p);
  began = p[0] / mass;
  for (size_t i = 0; i < w->count; ++i) x[0] += w->x[3 * i] / (double)w->count;
  for (int t = 0; t < (int)(seconds / dt); ++t) contact_world_step(w);
  for (size_t i = 0; i < w->count; ++i) x[1] += w->x[3 * i] / (double)w->count;
  contact_world_momentum(w, p);
  double a = (p[0] / mass - began) / seconds, exact = 9.81 * (mote_sin(angle) - mu * mote_cos(angle));
  printf("slope, %s, mu %.1f: acceleration %.4f (Coulomb %.4f), distance %.2e m\n",
         implicit ? "implicit" : "explicit", mu, a, max2(0.0, exact), x[1] - x[0]);
  if (exact > 0.0) {
    CHECK_NEAR(a / exact, 1.0, 0.05);
  } else {
    CHECK(fabs(x[1] - x[0]) < 1e-3 * KIT_SPACING);
  }
  contact_world_free(w);
}

// --- Stacks -------------------------------------------------------------------------------------------

static double height_of(const contact_world *w, size_t p) {
  double sum = 0.0;
  for (size_t i = w->group.start[p]; i < w->group.start[p + 1]; ++i) sum += w->x[3 * i + 1];
  return sum / (double)(w->group.start[p + 1] - w->group.start[p]);
}

// Two elastic boxes, the upper one offset by a fraction of a spacing.
static void stack(bool implicit) {
  contact_world *w = contact_world_make(2, 0.005, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  mote_elastic_def def = kit_def(2, 2, 2e5, 0.3);
  def.damping = 5e-3;
  contact_world_elastic(w, def, 8, 4, 1, 0.0, here, 0.5);
  contact_world_elastic(w, def, 6, 4, 1, 0.0, (double[3]){0.77 * KIT_SPACING, 4.1 * KIT_SPACING, 0.0}, 0.5);
  contact_world_obstacle(w, &floor);
  contact_world_prepare(w, implicit);
  for (int t = 0; t < 400; ++t) contact_world_step(w);
  double h = height_of(w, 1), v = 0.0;
  for (int t = 0; t < 400; ++t) contact_world_step(w), v = t < 200 ? 0.0 : max2(v, contact_world_speed(w));
  printf("stack, %s: upper box at %.4f of 6 spacings, moved %.1e, speed %.1e; newton %.2f cg %.1f\n",
         implicit ? "implicit" : "explicit", height_of(w, 1) / KIT_SPACING, height_of(w, 1) - h, v,
         w->newton / 800.0, w->cg / 800.0);
  CHECK_NEAR(height_of(w, 1) / KIT_SPACING, 6.0, 0.15);
  CHECK(fabs(height_of(w, 1) - h) < 1e-3 * KIT_SPACING);
  CHECK(v < 1e-3);
  contact_world_free(w);
}

// A rigid box of this density on an elastic block, and an elastic block on it.
static void rigid_between(bool implicit, double density) {
  double d = KIT_SPACING, dt = 0.01;
  const int settling = 200, ticks = 40;
  contact_world *w = contact_world_make(2, dt, 1);
  mote_shape_def floor = contact_world_floor(0.0),
                 box = mote_shape_def_box(d, 4.02 * d, -1.0, 7.0 * d, 7.02 * d, 1.0);
  mote_elastic_def def = kit_def(2, 2, 5e5, 0.3);
  def.damping = 5e-3;
  contact_world_elastic(w, def, 8, 4, 1, 0.0, here, 0.5);
  contact_world_elastic(w, def, 4, 3, 1, 0.0, (double[3]){2.0 * d, 7.04 * d, 0.0}, 0.5);
  contact_world_rigid(w, &box, density, 0.5);
  contact_world_obstacle(w, &floor);
  contact_world_prepare(w, implicit);
  for (int t = 0; t < settling; ++t) contact_world_step(w);
  double v = 0.0, spin = 0.0, h = w->obstacle[0].x[1];
  for (int t = 0; t < ticks; ++t) {
    contact_world_step(w);
    v = max2(v, max2(contact_world_speed(w), length3(w->obstacle[0].v)));
    spin = max2(spin, length3(w->obstacle[0].w));
  }
  // bedding of the lower block: E/d and 1 particle wide in series with its own height
  double load = (w->rigid[0].mass + 12.0 * 1000.0 * d * d) * 9.81;
  double sunk = load / (8.0 * d) / 5e5 * (4.0 * d) * (1.0 - 0.09) + 0.5 * 1000.0 * 9.81 * 16.0 * d * d / 5e5;
  printf(
      "rigid of %.0f kg/m3, %s: at %.4f of 5.5 spacings (beds give about %.4f), moved %.1e, speed %.1e, spin "
      "%.1e; newton %.2f cg %.1f\n",
      density, implicit ? "implicit" : "explicit", w->obstacle[0].x[1] / d, 5.5 - sunk / d,
      w->obstacle[0].x[1] - h, v, spin, (double)w->newton / (settling + ticks),
      (double)w->cg / (settling + ticks));
  CHECK(w->obstacle[0].x[1] > 5.5 * d - 3.0 * sunk - 0.1 * d && w->obstacle[0].x[1] < 5.52 * d);
  CHECK(fabs(w->obstacle[0].x[1] - h) < 1e-3 * d);
  CHECK(v < 1e-3 && spin < 1e-2);
  CHECK(height_of(w, 1) > w->obstacle[0].x[1] + 2.7 * d);
  contact_world_free(w);
}

// --- Speed --------------------------------------------------------------------------------------------

// At the speed limit, 0.4 spacings per tick, against a wall of one spacing.
static void thrown(bool implicit, double young) {
  double d = KIT_SPACING, dt = 0.002, speed = 0.4 * d / dt;
  contact_world *w = contact_world_make(2, dt, 1);
  mote_shape_def wall = mote_shape_def_box(0.0, -2.0, -1.0, d, 2.0, 1.0);
  mote_elastic_def def = kit_def(2, 2, young, 0.3);
  def.kind = MOTE_ELASTIC_NEO_HOOKEAN;
  contact_world_elastic(w, def, 6, 6, 1, 0.0, (double[3]){-8.37 * d, -3.0 * d, 0.0}, 0.3);
  contact_world_obstacle(w, &wall);
  contact_world_prepare(w, implicit);
  set3(0.0, 0.0, 0.0, w->gravity);
  memset(w->acceleration, 0, 3 * w->count * sizeof *w->acceleration);
  for (size_t i = 0; i < w->count; ++i) w->v[3 * i] = speed;
  double farthest = -HUGE_VAL, p[3];
  for (int t = 0; t < 60; ++t) {
    contact_world_step(w);
    for (size_t i = 0; i < w->count; ++i) farthest = max2(farthest, w->x[3 * i]);
  }
  contact_world_momentum(w, p);
  printf("thrown at %.0f m/s, %s, E %.0e: deepest %.3f spacings in the wall, momentum %.2f\n", speed,
         implicit ? "implicit" : "explicit", young, farthest / d + 0.5, p[0]);
  CHECK(farthest < 0.5 * d);
  CHECK(p[0] < 0.0);
  contact_world_free(w);
}

// --- Self-contact ------------------------------------------------------------------------------------

// Least distance of particles that are far apart along the strip, in spacings.
static double nearest_of(const contact_world *w) {
  double least = HUGE_VAL;
  for (size_t i = 0; i < w->count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (w->kit[0].rest[3 * i] - w->kit[0].rest[3 * j] > 8.0 * KIT_SPACING)
        least = min2(least, distance3(w->x + 3 * i, w->x + 3 * j));
    }
  }
  return least / KIT_SPACING;
}

// Position of the held end of the strip in tick t: rotated over onto the other end, then pressed down on it.
static void lead(contact_world *w, int t) {
  double d = KIT_SPACING, middle = 30.0 * d, *rest = w->kit[0].rest;
  double angle = MOTE_PI * min2(1.0, (t + 1) / 600.0), c = mote_cos(angle), s = mote_sin(angle);
  double up = (1.0 - c) * 1.75 * d - 0.01 * d * max2(0.0, t - 599);
  for (size_t i = 0; i < w->count; ++i) {
    if (!w->held[i] || rest[3 * i] < middle) continue;
    double X = rest[3 * i] - middle, Y = rest[3 * i + 1] - 1.5 * d;
    double to[3] = {middle + c * X - s * Y, 1.5 * d + up + s * X + c * Y, 0.0};
    for (size_t a = 0; a < 3; ++a) w->v[3 * i + a] = (to[a] - w->x[3 * i + a]) / w->scene.dt;
  }
}

// A strip, 60 long and 3 thick, folded; between its held ends it comes down on itself.
static double fold(bool implicit, bool alone) {
  double least = HUGE_VAL;
  contact_world *w = contact_world_make(2, 0.005, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  mote_elastic_def def = kit_def(2, 2, 1e5, 0.3);
  def.damping = 2e-3;
  w->alone = alone;
  contact_world_elastic(w, def, 60, 3, 1, 0.0, here, 0.3);
  contact_world_obstacle(w, &floor);
  contact_world_prepare(w, implicit);
  for (size_t i = 0; i < w->count; ++i) {
    w->held[i] = w->x[3 * i] < 4.0 * KIT_SPACING || w->x[3 * i] > 56.0 * KIT_SPACING;
  }
  for (int t = 0; t < 640; ++t) {
    lead(w, t);
    contact_world_step(w);
    least = min2(least, nearest_of(w));
  }
  printf("fold, %s%s: nearest %.3f spacings; newton %.2f cg %.1f\n", implicit ? "implicit" : "explicit",
         alone ? ", no self-contact" : "", least, w->newton / 640.0, w->cg / 640.0);
  contact_world_free(w);
  return least;
}

static void test_self(void) {
  TEST_LONG(CHECK(fold(false, false) > 0.6));
  CHECK(fold(true, false) > 0.6);
  TEST_LONG(CHECK(fold(true, true) < 0.3));
}

// --- Threads ------------------------------------------------------------------------------------------

static void test_threads(void) {
  for (int implicit = 0; implicit < 2; ++implicit) {
    double *x[2];
    for (int k = 0; k < 2; ++k) {
      contact_world *w = contact_world_make(3, 0.004, 1 + 2 * k);
      mote_shape_def floor = contact_world_floor(0.01), ball = mote_shape_def_sphere(0.2, 0.54, 0.2, 0.1);
      contact_world_elastic(w, kit_def(3, 2, 1e5, 0.3), 8, 5, 8, 0.1, here, 0.5);
      contact_world_elastic(w, kit_def(3, 2, 1e5, 0.3), 7, 4, 7, 0.1, (double[3]){0.01, 0.25, 0.01}, 0.5);
      contact_world_rigid(w, &ball, 500.0, 0.5);
      contact_world_obstacle(w, &floor);
      contact_world_prepare(w, implicit == 1);
      for (int t = 0; t < (TEST_SHORT ? 5 : 20); ++t) contact_world_step(w);
      CHECK(w->contact->records > 100);
      x[k] = kit_array(3 * w->count + 3);
      memcpy(x[k], w->x, 3 * w->count * sizeof **x);
      copy3(w->obstacle[0].x, x[k] + 3 * w->count);
      if (k == 1) CHECK(memcmp(x[0], x[1], (3 * w->count + 3) * sizeof **x) == 0);
      contact_world_free(w);
    }
    free(x[0]), free(x[1]);
  }
}

// --- Without contact ---------------------------------------------------------------------------------

// A compressed box released above a floor close enough for records: chord steps, which need no products, as
// without a floor. With or without a body next to it that is held completely.
static double *let_go(bool floored, bool beside) {
  contact_world *w = contact_world_make(3, 0.001, 1);
  mote_shape_def floor = contact_world_floor(0.0);
  contact_world_elastic(w, kit_def(3, 2, 1e6, 0.3), 4, 4, 4, 0.0, (double[3]){0.0, 0.015 * KIT_SPACING, 0.0},
                        0.5);
  if (beside)
    contact_world_elastic(w, kit_def(3, 2, 1e5, 0.3), 3, 3, 3, 0.1, (double[3]){1.0, 0.5, 0.0}, 0.5);
  if (floored) contact_world_obstacle(w, &floor);
  contact_world_prepare(w, true);
  size_t first = w->group.start[1];
  for (size_t i = first; i < w->count; ++i) w->held[i] = 1;
  for (size_t i = 0; i < first; ++i) w->x[3 * i] *= 0.999;
  for (int t = 0; t < 3; ++t) {
    contact_world_step(w);
    if (floored) CHECK(w->contact->records > 0);
  }
  CHECK(lowest(w) > 0.0);
  CHECK(w->newton > 0 && w->cg == 0);
  double *x = kit_array(3 * first);
  memcpy(x, w->x, 3 * first * sizeof *x);
  contact_world_free(w);
  return x;
}

static void test_untouched(void) {
  double *alone = let_go(false, false), *floored = let_go(true, false), *beside = let_go(true, true);
  size_t bytes = 3 * 64 * sizeof *alone;
  CHECK(memcmp(alone, floored, bytes) == 0 && memcmp(alone, beside, bytes) == 0);
  free(alone), free(floored), free(beside);
}

int main(void) {
  test_derivatives();
  test_balance(2);
  test_balance(3);
  test_sample();
  test_momentum();
  for (int implicit = 0; implicit < 2; ++implicit) {
    slope(implicit, 0.2);
    TEST_LONG(slope(implicit, 0.4));
    TEST_LONG(rest_on_floor(2, 1e5, 0.005, implicit, 1.5));
    TEST_LONG(stack(implicit));
    TEST_LONG(rigid_between(implicit, 50.0));
    TEST_LONG(rigid_between(implicit, 5000.0));
    TEST_LONG(thrown(implicit, 1e6));
    thrown(implicit, 1e5);
    TEST_LONG(thrown(implicit, 1e4));
  }
  TEST_LONG(rest_on_floor(2, 1e9, 0.04, true, 1.5));
  TEST_LONG(rest_on_floor(3, 1e6, 0.01, true, 0.4));
  test_untouched();
  test_self();
  test_threads();
  return test_end();
}
