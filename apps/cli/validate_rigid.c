// Validation of rigid bodies without fluids: Coulomb's law on slopes, rolling, free turning, momenta of
// collisions, stacks and piles at rest, thin walls, bodies inside of others. Theory: docs/theory/bodies.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "validate.h"

#define PI 3.14159265358979323846
#define G 9.81
#define D 0.05  // spacing, m

// --- Worlds -------------------------------------------------------------------------------------------

typedef struct trial {
  validation *v;
  mote_world *world;
  mote_error error;
  bool ok;
} trial;

static void keep(trial *t, mote_result result) {
  if (result == MOTE_OK || !t->ok) return;
  t->ok = false;
  validation_error(t->v, &t->error);
}

static trial trial_open(validation *v, const mote_world_def *def) {
  trial t = {.v = v, .ok = true};
  keep(&t, mote_world_create(def, validation_env(v), &t.world, &t.error));
  return t;
}

static mote_world_def open_def(double gravity) {
  mote_world_def def = mote_world_def_default();
  def.spacing = D;
  def.gravity[1] = -gravity;
  return def;
}

// A floor at y = 0.
static mote_world_def floor_def(void) {
  mote_world_def def = open_def(G);
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  return def;
}

static void add_material(trial *t, const char *name, double friction, double restitution) {
  mote_material_def def = mote_material_def_default();
  def.name = name, def.model = MOTE_MODEL_RIGID, def.density = 1000.0;
  def.friction = friction, def.restitution = restitution;
  if (t->ok) keep(t, mote_world_add_material(t->world, &def, NULL, &t->error));
}

static mote_body_def body_def(const char *name, mote_shape_def shape) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = "stone", def.shape = shape;
  return def;
}

static mote_body add_body(trial *t, const mote_body_def *def) {
  mote_body body = {0, 0};
  if (t->ok) keep(t, mote_world_add_body(t->world, def, &body, &t->error));
  return body;
}

static mote_collider_def collider_def(const char *name, mote_shape_def shape) {
  mote_collider_def def = mote_collider_def_default();
  def.name = name, def.shape = shape;
  return def;
}

static void add_collider(trial *t, const mote_collider_def *def) {
  if (t->ok) keep(t, mote_world_add_collider(t->world, def, NULL, &t->error));
}

static mote_body_state state_of(trial *t, mote_body body) {
  mote_body_state state = {0};
  if (t->ok) keep(t, mote_world_body(t->world, body, &state, &t->error));
  return state;
}

static mote_totals totals_of(trial *t) {
  mote_totals totals = {0};
  if (t->ok) keep(t, mote_world_totals(t->world, &totals, &t->error));
  return totals;
}

static void go(trial *t, double until) {
  if (t->ok) keep(t, mote_world_advance(t->world, until, &t->error));
}

static void report(trial *t, const char *name, measure_kind kind, double value, double reference,
                   double tolerance, const char *source) {
  measure m = {name, kind, value, reference, tolerance, source};
  if (t->ok) validation_report(t->v, &m);
}

static double length_of(const double x[3]) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// --- Slopes -------------------------------------------------------------------------------------------

// A half space below a plane through the origin that falls towards -x; a shape that stood on y = 0, on it.
static mote_shape_def slope_shape(double angle) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  def.normal[0] = -mote_sin(angle), def.normal[1] = mote_cos(angle), def.normal[2] = 0.0;
  return def;
}

static void lay_on_slope(mote_shape_def *shape, double angle) {
  shape->axis[0] = shape->axis[1] = 0.0, shape->axis[2] = 1.0, shape->angle = angle;
  shape->pivot[0] = shape->pivot[1] = shape->pivot[2] = 0.0;
}

// The speed down the slope after a second from rest.
static double slide(trial *t, mote_shape_def shape, double angle, double mu) {
  mote_world_def def = open_def(G);
  *t = trial_open(t->v, &def);
  add_material(t, "stone", mu, 0.0);
  mote_collider_def slope = collider_def("slope", slope_shape(angle));
  add_collider(t, &slope);
  lay_on_slope(&shape, angle);
  mote_body_def box = body_def("body", shape);
  mote_body body = add_body(t, &box);
  go(t, 1.0);
  mote_body_state after = state_of(t, body);
  return -(after.velocity[0] * mote_cos(angle) + after.velocity[1] * mote_sin(angle));
}

static void run_slope(validation *v) {
  static const double degrees[] = {5, 10, 20, 30, 40}, part[] = {0.0, 0.3, 0.6, 0.9, 0.98, 1.02, 1.5};
  for (size_t a = 0; a < 5; a += validation_quick(v) ? 2 : 1) {
    for (size_t p = 0; p < 7; p += validation_quick(v) ? 2 : 1) {
      trial t = {.v = v};
      char name[96];
      double angle = degrees[a] * PI / 180.0, tangent = mote_sin(angle) / mote_cos(angle);
      double speed = slide(&t, mote_shape_def_box(-0.1, 0, -0.1, 0.1, 0.2, 0.1), angle, part[p] * tangent);
      double expected = G * mote_sin(angle) * (1.0 - part[p]);
      snprintf(name, sizeof name, "box %s, slope of %g degrees, mu %.3f", part[p] > 1.0 ? "rests" : "slides",
               degrees[a], part[p] * tangent);
      if (part[p] > 1.0) {
        report(&t, name, MEASURE_NEAR, speed, 0.0, 1e-5, "Coulomb: m/s after 1 s");
      } else {
        report(&t, name, MEASURE_NEAR, speed / expected, 1.0, 0.02, "g (sin - mu cos) t");
      }
      mote_world_destroy(t.world);
    }
  }
}

static void run_roll(validation *v) {
  mote_shape_def ball = mote_shape_def_sphere(0, 0.1, 0, 0.1), rod = ball;
  static const double from[3] = {0, 0.1, -0.1}, to[3] = {0, 0.1, 0.1};
  rod.kind = MOTE_SHAPE_CYLINDER;
  memcpy(rod.from, from, sizeof from);
  memcpy(rod.to, to, sizeof to);
  for (int k = 0; k < 2; ++k) {
    trial t = {.v = v};
    double angle = 20.0 * PI / 180.0, speed = slide(&t, k == 0 ? ball : rod, angle, 1.0);
    report(&t, k == 0 ? "ball rolls, part of g sin" : "cylinder rolls, part of g sin", MEASURE_NEAR,
           speed / (G * mote_sin(angle)), k == 0 ? 5.0 / 7.0 : 2.0 / 3.0, 0.01, "without slip");
    mote_world_destroy(t.world);
  }
}

// --- Momenta ------------------------------------------------------------------------------------------

// A book thrown about its middle axis, which does not keep it.
static void run_tumble(validation *v) {
  mote_world_def def = open_def(0.0);
  trial t = trial_open(v, &def);
  mote_body_def book = body_def("book", mote_shape_def_box(-0.15, -0.1, -0.025, 0.15, 0.1, 0.025));
  book.spin[0] = 1e-3, book.spin[1] = 2.0 * PI;
  add_material(&t, "stone", 0.5, 0.0);
  mote_body body = add_body(&t, &book);
  mote_totals first = totals_of(&t);
  double worst = 0.0,
         turns = validation_quick(v)     ? 20
                 : validation_release(v) ? 1000
                                         : 200,
         tip = 1.0, drift = 0.0;
  for (double time = 0.25; time <= turns && t.ok; time += 0.25) {
    go(&t, time);
    mote_totals now = totals_of(&t);
    double change[3];
    for (int k = 0; k < 3; ++k) change[k] = now.angular_momentum[k] - first.angular_momentum[k];
    worst = fmax(worst, fabs(now.kinetic_energy / first.kinetic_energy - 1.0));
    drift = fmax(drift, length_of(change) / length_of(first.angular_momentum));
    mote_body_state s = state_of(&t, body);
    tip = fmin(tip, s.pose.rotation[4]);  // its middle axis along that of the spin
  }
  report(&t, "tumbling box, energy's error", MEASURE_NEAR, worst, 0.0, 1e-3, "free: kept");
  report(&t, "tumbling box, angular momentum's error", MEASURE_NEAR, drift, 0.0, 1e-13, "free: kept");
  report(&t, "tumbling box turns over, cosine", MEASURE_NEAR, tip, -1.0, 0.05, "Dzhanibekov");
  mote_world_destroy(t.world);
}

// Two boxes that meet off centre, without gravity; e: restitution.
static void collide(validation *v, double mu, double e) {
  mote_world_def def = open_def(0.0);
  trial t = trial_open(v, &def);
  mote_body_def left = body_def("left", mote_shape_def_box(-0.6, -0.1, -0.1, -0.3, 0.1, 0.1));
  mote_body_def right = body_def("right", mote_shape_def_box(0.3, -0.02, -0.06, 0.5, 0.22, 0.2));
  left.velocity = mote_value3_make(2.0, 0.3, 0.0), right.velocity = mote_value3_make(-1.0, 0.0, 0.1);
  left.spin[0] = 3.0, right.spin[2] = -2.0;
  add_material(&t, "stone", mu, e);
  add_body(&t, &left), add_body(&t, &right);
  mote_totals a = totals_of(&t), b = a;
  for (int k = 1; k <= 200 && t.ok && b.kinetic_energy > 0.99 * a.kinetic_energy;
       ++k) {  // until they have met
    go(&t, 0.005 * k);
    b = totals_of(&t);
  }
  double p[3], L[3], later[3];
  go(&t, 1.0);
  mote_totals c = totals_of(&t);
  for (int k = 0; k < 3; ++k) {
    p[k] = c.momentum[k] - a.momentum[k], L[k] = b.angular_momentum[k] - a.angular_momentum[k];
    later[k] = c.angular_momentum[k] - a.angular_momentum[k];
  }
  char name[96];
  snprintf(name, sizeof name, "collision, momentum's error, mu %g, e %g", mu, e);
  report(&t, name, MEASURE_NEAR, length_of(p) / length_of(a.momentum), 0.0, 1e-12, "kept");
  snprintf(name, sizeof name, "collision, angular momentum's error, mu %g, e %g", mu, e);
  report(&t, name, MEASURE_NEAR, length_of(L) / length_of(a.angular_momentum), 0.0, 1e-10, "kept");
  snprintf(name, sizeof name, "  a second later, in touch, mu %g, e %g", mu, e);
  report(&t, name, MEASURE_SHOWN, length_of(later) / length_of(a.angular_momentum), 0.0, 0.0,
         "overlap was undone");
  snprintf(name, sizeof name, "collision, energy lost, mu %g, e %g", mu, e);
  report(&t, name, MEASURE_AT_LEAST, 1.0 - b.kinetic_energy / a.kinetic_energy, e == 0.0 ? 0.05 : 0.0, 1e-12,
         "never gained; a shock without bounce costs");
  mote_world_destroy(t.world);
}

static void run_collision(validation *v) {
  collide(v, 0.0, 0.0);
  collide(v, 0.6, 0.0);
  collide(v, 0.6, 0.5);
}

// --- Rest ---------------------------------------------------------------------------------------------

static void run_stack(validation *v) {
  mote_world_def def = floor_def();
  trial t = trial_open(v, &def);
  double end = validation_quick(v) ? 30.0 : validation_release(v) ? 600.0 : 60.0, growth = 0.0;
  mote_body body[10];
  double half_way[10][3] = {{0}}, crept = 0.0;
  char name[32], title[96];
  add_material(&t, "stone", 0.5, 0.0);
  for (int k = 0; k < 10; ++k) {
    snprintf(name, sizeof name, "box%d", k);
    mote_body_def box = body_def(name, mote_shape_def_box(-0.1, 0.2 * k, -0.1, 0.1, 0.2 * (k + 1), 0.1));
    body[k] = add_body(&t, &box);
  }
  mote_totals first = totals_of(&t);
  double energy = first.kinetic_energy + first.potential_energy, drift = 0.0, sunk = 0.0;
  for (double time = 1.0; time <= end && t.ok; time += 1.0) {
    go(&t, time);
    mote_totals now = totals_of(&t);
    growth = fmax(growth, (now.kinetic_energy + now.potential_energy) / energy - 1.0);
    for (int k = 0; k < 10 && time == 0.5 * end; ++k) {
      memcpy(half_way[k], state_of(&t, body[k]).position, sizeof half_way[k]);
    }
  }
  for (int k = 0; k < 10; ++k) {
    mote_body_state s = state_of(&t, body[k]);
    double way[3];
    for (int a = 0; a < 3; ++a) way[a] = s.position[a] - half_way[k][a];
    crept = fmax(crept, length_of(way));
    drift = fmax(drift, hypot(s.position[0], s.position[2]));
    sunk = fmax(sunk, fabs(s.position[1] - 0.2 * (k + 0.5)));
  }
  snprintf(title, sizeof title, "stack of ten after %g s, sideways, part of an edge", end);
  report(&t, title, MEASURE_NEAR, drift / 0.2, 0.0, 0.05, "stands: it settles, then rests");
  report(&t, "stack of ten, moved in the second half, spacings", MEASURE_NEAR, crept / D, 0.0, 0.01, "rest");
  report(&t, "stack of ten, sunk, spacings", MEASURE_NEAR, sunk / D, 0.0, 0.2, "0.02 a box: twice the slop");
  report(&t, "stack of ten, energy gained, part", MEASURE_NEAR, growth, 0.0, 1e-9, "none");
  report(&t, "stack of ten, speed at the end, m/s", MEASURE_NEAR, totals_of(&t).speed_max, 0.0, 1e-4, "rest");
  mote_world_destroy(t.world);
}

// Pieces of three kinds fall into a bin.
static void add_pieces(trial *t, const char *name, mote_shape_def shape, double low, size_t count) {
  mote_body_def def = body_def(name, shape);
  mote_copies_def copies = mote_copies_def_default();
  mote_body_list list = {0};
  copies.within = mote_shape_def_box(-0.5, low, -0.5, 0.5, low + 2.2, 0.5);
  copies.count = count, copies.size[0] = 0.8, copies.size[1] = 1.2;
  if (t->ok) keep(t, mote_body_copies(&def, &copies, 3, 1, validation_env(t->v), &list, &t->error));
  for (size_t k = 0; k < list.count; ++k) add_body(t, &list.body[k]);
  mote_body_list_free(&list, validation_env(t->v));
}

static size_t count_outside(trial *t) {
  size_t out = 0;
  for (size_t k = 0; t->ok && k < mote_world_rigid_bodies(t->world); ++k) {
    mote_body_state s = state_of(t, mote_world_rigid_body(t->world, k));
    bool in = fabs(s.position[0]) <= 0.5 && fabs(s.position[2]) <= 0.5 && s.position[1] >= 0.0;
    out += !in;
  }
  return out;
}

static double largest_move(trial *t, mote_body_state *before, bool take) {
  double most = 0.0;
  for (size_t k = 0; t->ok && k < mote_world_rigid_bodies(t->world); ++k) {
    mote_body_state s = state_of(t, mote_world_rigid_body(t->world, k));
    double way[3] = {s.position[0] - before[k].position[0], s.position[1] - before[k].position[1],
                     s.position[2] - before[k].position[2]};
    most = fmax(most, length_of(way));
    if (take) before[k] = s;
  }
  return most;
}

#define PIECES 60  // of each kind

static void run_pile(validation *v) {
  static mote_body_state before[3 * PIECES];
  mote_world_def def = floor_def();
  size_t each = validation_quick(v) ? 15 : PIECES;
  double settle = validation_quick(v) ? 3.0 : 6.0, end = settle + (validation_quick(v) ? 2.0 : 10.0),
         growth = 0.0;
  def.low[0] = def.low[2] = -0.5, def.high[0] = def.high[2] = 0.5;
  for (int a = 0; a < 3; a += 2) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  trial t = trial_open(v, &def);
  mote_shape_def egg = mote_shape_def_sphere(0, 0, 0, 0.07), rod = egg;
  static const double radii[3] = {0.09, 0.06, 0.07}, from[3] = {0, -0.05, 0}, to[3] = {0, 0.05, 0};
  egg.kind = MOTE_SHAPE_ELLIPSOID, rod.kind = MOTE_SHAPE_CYLINDER;
  memcpy(egg.radii, radii, sizeof radii), memcpy(rod.from, from, sizeof from), memcpy(rod.to, to, sizeof to);
  add_material(&t, "stone", 0.5, 0.0);
  add_pieces(&t, "box", mote_shape_def_box(-0.07, -0.05, -0.06, 0.07, 0.05, 0.06), 0.0, each);
  add_pieces(&t, "egg", egg, 2.2, each);
  add_pieces(&t, "rod", rod, 4.4, each);
  go(&t, settle);
  largest_move(&t, before, true);
  mote_totals first = totals_of(&t);
  double energy = first.kinetic_energy + first.potential_energy, speed = 0.0;
  for (double time = settle + 0.5; time <= end && t.ok; time += 0.5) {
    go(&t, time);
    mote_totals now = totals_of(&t);
    growth = fmax(growth, (now.kinetic_energy + now.potential_energy) / energy - 1.0);
    speed = now.speed_max;
  }
  report(&t, "pile, bodies outside of the bin", MEASURE_NEAR, (double)count_outside(&t), 0.0, 0.0, "none");
  report(&t, "pile, energy gained at rest, part", MEASURE_NEAR, growth, 0.0, 1e-6, "none");
  report(&t, "pile, kinetic energy left, part of the fall's", MEASURE_NEAR,
         totals_of(&t).kinetic_energy / energy, 0.0, 1e-4, "rest");
  report(&t, "pile, fastest at the end, m/s", validation_quick(v) ? MEASURE_SHOWN : MEASURE_NEAR, speed, 0.0,
         1e-3, "rest");
  report(&t, "pile, farthest moved while it rests, spacings",
         validation_quick(v) ? MEASURE_SHOWN : MEASURE_NEAR, largest_move(&t, before, false) / D, 0.0, 0.1,
         "rest");
  mote_world_destroy(t.world);
}

// --- Thin walls, and inside ---------------------------------------------------------------------------

static mote_shape_def bullet(int kind, int attitude) {
  mote_shape_def def = mote_shape_def_box(-0.1, -0.07, -0.05, 0.1, 0.07, 0.05);
  static const double from[3] = {-0.1, 0, 0}, to[3] = {0.1, 0, 0}, radii[3] = {0.12, 0.07, 0.09};
  static const mote_shape_kind kinds[] = {MOTE_SHAPE_BOX,     MOTE_SHAPE_SPHERE,    MOTE_SHAPE_CYLINDER,
                                          MOTE_SHAPE_CAPSULE, MOTE_SHAPE_ELLIPSOID, MOTE_SHAPE_TORUS};
  def.kind = kinds[kind];
  def.radius = kind == 0 ? 1.0 : kind == 5 ? 0.1 : 0.07;
  def.thickness = 0.03;
  memcpy(def.from, from, sizeof from), memcpy(def.to, to, sizeof to), memcpy(def.radii, radii, sizeof radii);
  static const double axis[4][3] = {{0, 0, 1}, {0, 0, 1}, {1, 1, 0}, {1, 2, 3}},
                      angle[4] = {0, 0.7853981633974483, 1.0, 2.2};
  memcpy(def.axis, axis[attitude], sizeof axis[attitude]);
  def.angle = angle[attitude];
  return def;
}

// At 100 m/s towards a wall of one spacing, 2 m away.
static void run_wall(validation *v) {
  size_t shots = 0, through = 0;
  trial t = {.v = v, .ok = true};
  for (int kind = 0; kind < 6 && t.ok; ++kind) {
    for (int attitude = 0; attitude < 4 && t.ok; attitude += validation_quick(v) ? 3 : 1) {
      mote_world_def def = open_def(0.0);
      t = trial_open(v, &def);
      add_material(&t, "stone", 0.3, 0.3);
      mote_collider_def wall = collider_def("wall", mote_shape_def_box(2.0, -5, -5, 2.0 + D, 5, 5));
      mote_body_def body = body_def("body", bullet(kind, attitude));
      body.velocity = mote_value3_make(100.0, 3.0, -2.0);
      body.spin[attitude % 3] = 40.0;
      add_collider(&t, &wall);
      mote_body shot = add_body(&t, &body);
      for (int k = 1; k <= 20 && t.ok; ++k) go(&t, 0.005 * k);
      through += state_of(&t, shot).position[0] > 2.0;
      ++shots;
      mote_world_destroy(t.world);
    }
  }
  char name[96];
  snprintf(name, sizeof name, "bodies of %zu at 100 m/s through a wall of one spacing", shots);
  report(&t, name, MEASURE_NEAR, (double)through, 0.0, 0.0, "none");
}

// Bodies that begin inside of another are refused.
static void refuse_inside(validation *v) {
  static const char *const into[] = {"body", "collider", "wall"};
  for (int k = 0; k < 3; ++k) {
    mote_world_def def = floor_def();
    trial t = trial_open(v, &def);
    mote_body_def first = body_def("first", mote_shape_def_box(-0.2, 0.5, -0.2, 0.2, 0.9, 0.2));
    mote_collider_def post = collider_def("post", mote_shape_def_box(1.8, 0, -0.2, 2.2, 1, 0.2));
    mote_body_def second = body_def("second", mote_shape_def_box(-0.1, 0.6, -0.1, 0.1, 0.8, 0.1));
    second.shape.move[0] = k == 1 ? 2.0 : 0.0;
    if (k == 2) second.shape.move[0] = 5.0, second.shape.move[1] = -0.7;
    add_material(&t, "stone", 0.5, 0.0);
    add_body(&t, &first), add_collider(&t, &post);
    mote_error error = {0};
    bool refused = t.ok && mote_world_add_body(t.world, &second, NULL, &error) == MOTE_ERROR_ARGUMENT &&
                   strcmp(error.key, "shape") == 0 && strstr(error.text, "overlaps") != NULL;
    char name[96];
    snprintf(name, sizeof name, "begins inside a %s: refused", into[k]);
    report(&t, name, MEASURE_NEAR, refused, 1.0, 0.0, "with key and text");
    mote_world_destroy(t.world);
  }
}

// A collider that is put where a body is, while the world runs; it is open above.
static void swallow(validation *v, bool keyed) {
  mote_world_def def = floor_def();
  trial t = trial_open(v, &def);
  mote_body_def box = body_def("box", mote_shape_def_box(-0.1, 0, -0.1, 0.1, 0.2, 0.1));
  mote_collider_def post = collider_def("post", mote_shape_def_box(-0.15, -0.5, -0.15, 0.15, 0.1, 0.15));
  const mote_key key[3] = {
      {.time = 0.0, .move = {-3, 0, 0}}, {.time = 0.5, .move = {-3, 0, 0}}, {.time = 0.52}};
  add_material(&t, "stone", 0.5, 0.0);
  if (keyed) post.motion.key = key, post.motion.keys = 3, add_collider(&t, &post);
  mote_body body = add_body(&t, &box);
  go(&t, 0.5);
  if (!keyed) add_collider(&t, &post);
  double fastest = 0.0, allowed = keyed ? 1.1 * 3.0 / 0.02 * 1.5 : sqrt(2.0 * G * 0.2);
  for (double time = 0.51; time < 3.0 && t.ok; time += 0.01) {
    go(&t, time);
    fastest = fmax(fastest, length_of(state_of(&t, body).velocity));
  }
  mote_body_state s = state_of(&t, body);
  bool out = s.position[1] > 0.15 || fabs(s.position[0]) > 0.2 || fabs(s.position[2]) > 0.2;
  report(&t,
         keyed ? "hit by a collider with keys: outside of it"
               : "inside a collider that was added: is pushed out",
         MEASURE_NEAR, out, 1.0, 0.0, "overlap is undone");
  report(
      &t,
      keyed ? "hit by a collider with keys, part of its speed" : "inside a collider, speed, part of a fall's",
      MEASURE_NEAR, fastest / allowed, 0.0, 1.0, "no explosion");
  mote_world_destroy(t.world);
}

// A piston presses a box into the floor and goes up again.
static void press(validation *v) {
  mote_world_def def = floor_def();
  trial t = trial_open(v, &def);
  mote_body_def box = body_def("box", mote_shape_def_box(-0.1, 0, -0.1, 0.1, 0.2, 0.1));
  mote_collider_def piston = collider_def("piston", mote_shape_def_box(-0.3, 0.5, -0.3, 0.3, 0.8, 0.3));
  const mote_key key[4] = {{.time = 0.0},
                           {.time = 1.0, .move = {0, -0.36, 0}},  // 0.06 m too far
                           {.time = 1.5, .move = {0, -0.36, 0}},
                           {.time = 2.5}};
  piston.motion.key = key, piston.motion.keys = 4;
  add_material(&t, "stone", 0.5, 0.0);
  add_collider(&t, &piston);
  mote_body body = add_body(&t, &box);
  double fastest = 0.0;
  for (double time = 0.05; time < 4.0 && t.ok; time += 0.05) {
    go(&t, time);
    fastest = fmax(fastest, length_of(state_of(&t, body).velocity));
  }
  mote_body_state s = state_of(&t, body);
  report(&t, "pressed between piston and floor, fastest, m/s", MEASURE_NEAR, fastest, 0.0, 2.0,
         "no explosion");
  report(&t, "pressed, then on the floor again, spacings off", MEASURE_NEAR, (s.position[1] - 0.1) / D, 0.0,
         0.1, "rest");
  mote_world_destroy(t.world);
}

static void run_inside(validation *v) {
  refuse_inside(v);
  swallow(v, false);
  swallow(v, true);
  press(v);
}

const validation_case validate_rigid_cases[] = {
    {"body-slope", "bodies", "boxes on slopes rest or slide by Coulomb's law", run_slope},
    {"body-roll", "bodies", "a ball and a cylinder roll", run_roll},
    {"body-tumble", "bodies", "free turning keeps energy and momentum", run_tumble},
    {"body-collision", "bodies", "momenta in collisions", run_collision},
    {"body-stack", "bodies", "ten boxes stand on each other for a minute", run_stack},
    {"body-pile", "bodies", "a pile of all sorts comes to rest, and stays", run_pile},
    {"body-wall", "bodies", "bodies at 100 m/s stay before a thin wall", run_wall},
    {"body-inside", "bodies", "bodies inside others are refused, or pushed out", run_inside},
    {NULL, NULL, NULL, NULL},
};
