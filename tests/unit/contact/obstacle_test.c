// Solids during a step: the answers of rigid ones against their poses, and a ball that pulsates, which sweeps
// of fluid particles and contact of elastic bodies ask like any other solid.
#include "contact/obstacle.h"

#include "../../property/collide_kit.h"
#include "elastic_contact_kit.h"

#define DT 1e-3

// --- Rigid --------------------------------------------------------------------------------------------

static mote_obstacle spinning_box(mote_shape *shape) {
  mote_obstacle s = {.shape = shape, .pose = mote_pose_identity(), .radius = 1.0, .dt = DT};
  set3(0.1, 0.2, 0.3, s.x);
  set3(1.0, -2.0, 0.5, s.v);
  set3(30.0, 10.0, -20.0, s.w);
  return s;
}

// The same motion by rates and by poses.
static mote_obstacle posed_twin(const mote_obstacle *s) {
  mote_pose after = mote_pose_identity();
  double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, origin[3], to[3];
  copy3(s->x, after.pivot);
  mote_obstacle_carry(s, s->x, origin);
  sub3(origin, s->x, after.move);
  for (int c = 0; c < 3; ++c) {
    step3(s->x, 1.0, e[c], to);
    mote_obstacle_carry(s, to, to);
    for (int r = 0; r < 3; ++r) after.rotation[3 * r + c] = to[r] - origin[r];
  }
  return mote_obstacle_posed(s->shape, &s->pose, &after, DT);
}

static void test_rigid(void) {
  mote_shape *shape = shape_of(mote_shape_def_box(-0.1, -0.2, -0.1, 0.3, 0.2, 0.4), 3);
  mote_obstacle rates = spinning_box(shape), poses = posed_twin(&rates);
  CHECK(!mote_obstacle_stands(&rates) && !mote_obstacle_stands(&poses));
  for (uint64_t k = 0; k < 50; ++k) {
    double x[3], to[3], a[3], b[3], n[3], m[3];
    for (int c = 0; c < 3; ++c) {
      x[c] = 2.0 * mote_random_uniform(1, (uint64_t)c, k) - 1.0;
      to[c] = 2.0 * mote_random_uniform(2, (uint64_t)c, k) - 1.0;
    }
    double before = mote_obstacle_distance(&rates, 0.0, x, n);
    for (int end = 0; end < 2; ++end) {
      CHECK_NEAR(mote_obstacle_distance(&rates, end, x, n), mote_obstacle_distance(&poses, end, x, m), 1e-13);
      CHECK(distance3(n, m) < 1e-12);
      mote_obstacle_velocity(&rates, end, x,
                             a);  // the chord and the tangent differ by half the turn of the step
      mote_obstacle_velocity(&poses, end, x, b);
      CHECK(distance3(a, b) < length3(rates.w) * DT * length3(rates.w) * distance3(x, rates.x));
    }
    mote_obstacle_carry(&rates, x, a);
    mote_obstacle_carry(&poses, x, b);
    CHECK(distance3(a, b) < 1e-13);
    CHECK_NEAR(mote_obstacle_distance(&rates, 1.0, a, NULL), before, 1e-13);
    CHECK(fabs(mote_obstacle_distance(&poses, 1.0, x, NULL) - before) <=
          mote_obstacle_travel(&poses, x, 0.0));
    CHECK(mote_obstacle_travel(&rates, x, 0.1) > mote_obstacle_travel(&poses, x, 0.0));
    mote_obstacle_hit hit[2];
    double t = mote_obstacle_sweep(&rates, 0.0, x, to, 0.01, &hit[0]);
    CHECK_NEAR(mote_obstacle_sweep(&poses, 0.0, x, to, 0.01, &hit[1]), t, 1e-6);
    if (t > 1.0) continue;
    CHECK_NEAR(hit[0].gap, hit[1].gap, 1e-6);
  }
  mote_shape_destroy(shape);
}

// --- A ball that pulsates -------------------------------------------------------------------------------

typedef struct pulse {
  double centre[3], radius, amplitude, frequency;  // m; rad/s
  double begin;                                    // s: time when the step begins
} pulse;

static double pulse_radius(const pulse *p, double time) {
  return p->radius + p->amplitude * mote_sin(p->frequency * (p->begin + time * DT));
}

static double pulse_distance(const void *user, double time, const double x[3], double normal[3]) {
  const pulse *p = user;
  double r[3];
  sub3(x, p->centre, r);
  double length = length3(r);
  if (normal != NULL) set3(r[0] / length, r[1] / length, r[2] / length, normal);
  return length - pulse_radius(p, time);
}

static void pulse_velocity(const void *user, double time, const double x[3], double out[3]) {
  const pulse *p = user;
  double n[3], rate = p->amplitude * p->frequency * mote_cos(p->frequency * (p->begin + time * DT));
  (void)pulse_distance(user, time, x, n);
  set3(rate * n[0], rate * n[1], rate * n[2], out);
}

static mote_deforming pulse_surface(const pulse *p) {
  return (mote_deforming){p, pulse_distance, pulse_velocity, p->amplitude * p->frequency * DT};
}

static mote_obstacle pulse_solid(const pulse *p, const mote_deforming *surface) {
  mote_obstacle s = {.motion = MOTE_OBSTACLE_DEFORMING,
                     .deforming = surface,
                     .radius = p->radius + p->amplitude,
                     .friction = (double)NAN,
                     .restitution = (double)NAN,
                     .dt = DT};
  copy3(p->centre, s.x);
  return s;
}

static void test_carry(void) {
  pulse p = {{0.1, 0.0, 0.0}, 0.2, 0.05, 300.0, 0.0};
  mote_deforming surface = pulse_surface(&p);
  mote_obstacle s = pulse_solid(&p, &surface);
  double x[3] = {0.35, 0.1, -0.1}, y[3], before = mote_obstacle_distance(&s, 0.0, x, NULL);
  mote_obstacle_carry(&s, x, y);
  CHECK_NEAR(mote_obstacle_distance(&s, 1.0, y, NULL), before, 1e-14);
  mote_obstacle_hit hit;
  double from[3] = {1.1, 0.0, 0.0}, t = mote_obstacle_sweep(&s, 1.0, from, p.centre, 0.01, &hit);
  CHECK_NEAR(t, 1.0 - pulse_radius(&p, 1.0) - 0.01, 1e-4);
  CHECK_NEAR(hit.normal[0], 1.0, 1e-12);
  CHECK(mote_obstacle_sweep(&s, 0.0, from, (double[3]){1.1, 1.0, 0.0}, 0.01, NULL) == 2.0);
}

// Fluid particles around it: none gets in, at speeds beyond its own, and what rests before it is pushed.
static void test_sweep(void) {
  pulse p = {{0.0, 0.0, 0.0}, 0.1, 0.05, 100.0, 0.0};
  mote_deforming surface = pulse_surface(&p);
  mote_obstacle o = pulse_solid(&p, &surface);
  cloud c = cloud_make(500, 3);
  cloud_place(&c, &o, 1, (double[3]){-0.2, -0.2, -0.2}, (double[3]){0.2, 0.2, 0.2}, NULL, 5);
  size_t touched = 0, squeezed = 0, pushed = 0, inside = 0;
  for (int step = 0; step < 200; ++step) {
    for (size_t i = 0; i < c.count; ++i) {  // towards the ball
      const double *x = c.position + 3 * i;
      for (size_t a = 0; a < 3; ++a) c.velocity[3 * i + a] = (float)(-20.0 * x[a] / length3(x));
    }
    p.begin = step * DT;
    mote_collision_report report = cloud_step(&c, &o, 1, NULL, DT, 1);
    touched += report.touched, squeezed += report.squeezed, pushed += report.pushed;
    for (size_t i = 0; i < c.count; ++i)
      inside += !(mote_obstacle_distance(&o, 1.0, c.position + 3 * i, NULL) > 0.9 * CLEARANCE);
  }
  CHECK(touched > 10000 && squeezed == 0 && pushed == 0 && inside == 0);
  cloud_free(&c);
}

static void test_pushes(void) {
  pulse p = {{0.0, 0.0, 0.0}, 0.1, 0.05, 100.0, 0.0};
  mote_deforming surface = pulse_surface(&p);
  mote_obstacle o = pulse_solid(&p, &surface);
  cloud c = cloud_make(1, 3);
  c.position[1] = 0.102;
  cloud_step(&c, &o, 1, NULL, DT, 1);
  CHECK_NEAR(c.position[1], pulse_radius(&p, 1.0) + CLEARANCE, 0.01 * CLEARANCE);
  CHECK_NEAR((double)c.velocity[1], 5.0 * mote_cos(100.0 * DT), 1e-5);
  cloud_free(&c);
}

// An elastic box on a large ball that swells from rest: it goes up with the ball's top, which carries it.
static void test_elastic(bool implicit) {
  double amplitude = 0.1, frequency = 4.0, first = -0.5 * MOTE_PI;
  pulse p = {{0.1, amplitude - 20.0, 0.1}, 20.0, amplitude, frequency, 0.0};
  mote_deforming surface = pulse_surface(&p);
  contact_world *w = contact_world_make(3, DT, 1);
  mote_elastic_def def = kit_def(3, 2, 1e5, 0.3);
  def.damping = 1e-2;
  contact_world_elastic(w, def, 4, 4, 4, 0.0, (double[3]){0.0, 0.0, 0.0}, 0.5);
  w->obstacle[w->scene.obstacles++] = pulse_solid(&p, &surface);
  contact_world_prepare(w, implicit);
  double worst = 0.0, weight = 0.0, up = 0.0;
  for (size_t i = 0; i < w->count; ++i) weight += 9.81 * w->group.mass[i];
  for (int step = 0; step < 400; ++step) {
    p.begin = first / frequency + step * DT;
    contact_world_step(w);
    double low = HUGE_VAL;
    for (size_t i = 0; i < w->count; ++i)
      low = min2(low, mote_obstacle_distance(&w->obstacle[0], 1.0, w->x + 3 * i, NULL) - 0.5 * KIT_SPACING);
    worst = max2(worst, fabs(low));
    if (step < 200) continue;
    for (size_t k = 0; k < w->contact->records; ++k) up += w->contact->record[k].impulse[1];
  }
  double faster =
      amplitude * frequency * (mote_cos(first + 0.4 * frequency) - mote_cos(first + 0.2 * frequency));
  CHECK(worst < 0.1 * KIT_SPACING);
  CHECK_NEAR(up / weight, 0.2 + faster / 9.81, 0.02 * 0.2);
  contact_world_free(w);
}

int main(void) {
  test_rigid();
  test_carry();
  test_sweep();
  test_pushes();
  test_elastic(false);
  test_elastic(true);
  return test_end();
}
