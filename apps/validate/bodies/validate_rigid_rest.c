// Validation of rigid bodies without fluids: stacks and piles at rest, thin walls, bodies inside of others.
// Theory: docs/theory/bodies.md
#include <math.h>
#include <mote/numeric.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "validate/bodies/rigid_trial.h"

// --- Rest ---------------------------------------------------------------------------------------------

void validate_body_stack(validation *v) {
  mote_world_def def = rigid_floor_def();
  rigid_trial t = rigid_trial_open(v, &def);
  double end = validation_quick(v) ? 30.0 : validation_release(v) ? 600.0 : 60.0, growth = 0.0;
  mote_body body[10];
  double halfway[10][3] = {{0}}, crept = 0.0;
  char name[32], title[96];
  rigid_add_material(&t, "stone", 0.5, 0.0);
  for (int k = 0; k < 10; ++k) {
    snprintf(name, sizeof name, "box%d", k);
    mote_body_def box =
        rigid_body_def(name, mote_shape_def_box(-0.1, 0.2 * k, -0.1, 0.1, 0.2 * (k + 1), 0.1));
    body[k] = rigid_add_body(&t, &box);
  }
  mote_totals first = rigid_totals_of(&t);
  double energy = first.kinetic_energy + first.potential_energy, drift = 0.0, sunk = 0.0;
  for (double time = 1.0; time <= end && t.ok; time += 1.0) {
    rigid_go(&t, time);
    mote_totals now = rigid_totals_of(&t);
    growth = fmax(growth, (now.kinetic_energy + now.potential_energy) / energy - 1.0);
    for (int k = 0; k < 10 && time == 0.5 * end; ++k) {
      memcpy(halfway[k], rigid_state_of(&t, body[k]).position, sizeof halfway[k]);
    }
  }
  for (int k = 0; k < 10; ++k) {
    mote_body_state s = rigid_state_of(&t, body[k]);
    double moved[3];
    for (int a = 0; a < 3; ++a) moved[a] = s.position[a] - halfway[k][a];
    crept = fmax(crept, rigid_length_of(moved));
    drift = fmax(drift, hypot(s.position[0], s.position[2]));
    sunk = fmax(sunk, fabs(s.position[1] - 0.2 * (k + 0.5)));
  }
  snprintf(title, sizeof title, "stack of ten after %g s, sideways, part of an edge", end);
  rigid_report(&t, title, MEASURE_NEAR, drift / 0.2, 0.0, 0.05, "stands: it settles, then rests");
  rigid_report(&t, "stack of ten, moved in the second half, spacings", MEASURE_NEAR, crept / RIGID_D, 0.0,
               0.01, "rest");
  rigid_report(&t, "stack of ten, sunk, spacings", MEASURE_NEAR, sunk / RIGID_D, 0.0, 0.2,
               "0.02 a box: twice the slop");
  rigid_report(&t, "stack of ten, energy gained, part", MEASURE_NEAR, growth, 0.0, 1e-9, "none");
  rigid_report(&t, "stack of ten, speed at the end, m/s", MEASURE_NEAR, rigid_totals_of(&t).speed_max, 0.0,
               1e-4, "rest");
  mote_world_destroy(t.world);
}

// Pieces of three kinds fall into a bin.
static void add_pieces(rigid_trial *t, const char *name, mote_shape_def shape, double low, size_t count) {
  mote_body_def def = rigid_body_def(name, shape);
  mote_copies_def copies = mote_copies_def_default();
  mote_body_list list = {0};
  copies.within = mote_shape_def_box(-0.5, low, -0.5, 0.5, low + 2.2, 0.5);
  copies.count = count, copies.size[0] = 0.8, copies.size[1] = 1.2;
  if (t->ok) rigid_keep(t, mote_body_copies(&def, &copies, 3, 1, validation_env(t->v), &list, &t->error));
  for (size_t k = 0; k < list.count; ++k) rigid_add_body(t, &list.body[k]);
  mote_body_list_free(&list, validation_env(t->v));
}

static size_t count_outside(rigid_trial *t) {
  size_t out = 0;
  for (size_t k = 0; t->ok && k < mote_world_rigid_bodies(t->world); ++k) {
    mote_body_state s = rigid_state_of(t, mote_world_rigid_body(t->world, k));
    bool in = fabs(s.position[0]) <= 0.5 && fabs(s.position[2]) <= 0.5 && s.position[1] >= 0.0;
    out += !in;
  }
  return out;
}

static double largest_move(rigid_trial *t, mote_body_state *before, bool take) {
  double most = 0.0;
  for (size_t k = 0; t->ok && k < mote_world_rigid_bodies(t->world); ++k) {
    mote_body_state s = rigid_state_of(t, mote_world_rigid_body(t->world, k));
    double moved[3] = {s.position[0] - before[k].position[0], s.position[1] - before[k].position[1],
                       s.position[2] - before[k].position[2]};
    most = fmax(most, rigid_length_of(moved));
    if (take) before[k] = s;
  }
  return most;
}

#define PIECES_PER_KIND 60  // of each kind

// With 15 of each, one rod was left that rolls to and fro between two boxes, with nothing to stop it.
void validate_body_pile(validation *v) {
  static mote_body_state before[3 * PIECES_PER_KIND];
  mote_world_def def = rigid_floor_def();
  size_t each = validation_quick(v) ? 20 : PIECES_PER_KIND;
  double settle = validation_quick(v) ? 3.0 : 6.0, end = settle + (validation_quick(v) ? 2.0 : 10.0),
         growth = 0.0;
  def.low[0] = def.low[2] = -0.5, def.high[0] = def.high[2] = 0.5;
  for (int a = 0; a < 3; a += 2) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  rigid_trial t = rigid_trial_open(v, &def);
  mote_shape_def egg = mote_shape_def_sphere(0, 0, 0, 0.07), rod = egg;
  static const double radii[3] = {0.09, 0.06, 0.07}, from[3] = {0, -0.05, 0}, to[3] = {0, 0.05, 0};
  egg.kind = MOTE_SHAPE_ELLIPSOID, rod.kind = MOTE_SHAPE_CYLINDER;
  memcpy(egg.radii, radii, sizeof radii), memcpy(rod.from, from, sizeof from), memcpy(rod.to, to, sizeof to);
  rigid_add_material(&t, "stone", 0.5, 0.0);
  add_pieces(&t, "box", mote_shape_def_box(-0.07, -0.05, -0.06, 0.07, 0.05, 0.06), 0.0, each);
  add_pieces(&t, "egg", egg, 2.2, each);
  add_pieces(&t, "rod", rod, 4.4, each);
  rigid_go(&t, settle);
  largest_move(&t, before, true);
  mote_totals first = rigid_totals_of(&t);
  double energy = first.kinetic_energy + first.potential_energy, speed = 0.0;
  for (double time = settle + 0.5; time <= end && t.ok; time += 0.5) {
    rigid_go(&t, time);
    mote_totals now = rigid_totals_of(&t);
    growth = fmax(growth, (now.kinetic_energy + now.potential_energy) / energy - 1.0);
    speed = now.speed_max;
  }
  rigid_report(&t, "pile, bodies outside of the bin", MEASURE_NEAR, (double)count_outside(&t), 0.0, 0.0,
               "none");
  rigid_report(&t, "pile, energy gained at rest, part", MEASURE_NEAR, growth, 0.0, 1e-6, "none");
  rigid_report(&t, "pile, kinetic energy left, part of the fall's", MEASURE_NEAR,
               rigid_totals_of(&t).kinetic_energy / energy, 0.0, 1e-4, "rest");
  rigid_report(&t, "pile, fastest at the end, m/s", validation_quick(v) ? MEASURE_SHOWN : MEASURE_NEAR, speed,
               0.0, 1e-3, "rest");
  rigid_report(&t, "pile, farthest moved while it rests, spacings",
               validation_quick(v) ? MEASURE_SHOWN : MEASURE_NEAR, largest_move(&t, before, false) / RIGID_D,
               0.0, 0.1, "rest");
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
void validate_body_wall(validation *v) {
  size_t shots = 0, through = 0;
  rigid_trial t = {.v = v, .ok = true};
  for (int kind = 0; kind < 6 && t.ok; ++kind) {
    for (int attitude = 0; attitude < 4 && t.ok; attitude += validation_quick(v) ? 3 : 1) {
      mote_world_def def = rigid_open_def(0.0);
      t = rigid_trial_open(v, &def);
      rigid_add_material(&t, "stone", 0.3, 0.3);
      mote_collider_def wall =
          rigid_collider_def("wall", mote_shape_def_box(2.0, -5, -5, 2.0 + RIGID_D, 5, 5));
      mote_body_def body = rigid_body_def("body", bullet(kind, attitude));
      body.velocity = mote_value3_make(100.0, 3.0, -2.0);
      body.spin[attitude % 3] = 40.0;
      rigid_add_collider(&t, &wall);
      mote_body shot = rigid_add_body(&t, &body);
      for (int k = 1; k <= 20 && t.ok; ++k) rigid_go(&t, 0.005 * k);
      through += rigid_state_of(&t, shot).position[0] > 2.0;
      ++shots;
      mote_world_destroy(t.world);
    }
  }
  char name[96];
  snprintf(name, sizeof name, "bodies of %zu at 100 m/s through a wall of one spacing", shots);
  rigid_report(&t, name, MEASURE_NEAR, (double)through, 0.0, 0.0, "none");
}

// Bodies that begin inside of another are refused.
static void refuse_inside(validation *v) {
  static const char *const into[] = {"body", "collider", "wall"};
  for (int k = 0; k < 3; ++k) {
    mote_world_def def = rigid_floor_def();
    rigid_trial t = rigid_trial_open(v, &def);
    mote_body_def first = rigid_body_def("first", mote_shape_def_box(-0.2, 0.5, -0.2, 0.2, 0.9, 0.2));
    mote_collider_def post = rigid_collider_def("post", mote_shape_def_box(1.8, 0, -0.2, 2.2, 1, 0.2));
    mote_body_def second = rigid_body_def("second", mote_shape_def_box(-0.1, 0.6, -0.1, 0.1, 0.8, 0.1));
    second.shape.move[0] = k == 1 ? 2.0 : 0.0;
    if (k == 2) second.shape.move[0] = 5.0, second.shape.move[1] = -0.7;
    rigid_add_material(&t, "stone", 0.5, 0.0);
    rigid_add_body(&t, &first), rigid_add_collider(&t, &post);
    mote_error error = {0};
    bool refused = t.ok && mote_world_add_body(t.world, &second, NULL, &error) == MOTE_ERROR_ARGUMENT &&
                   strcmp(error.key, "shape") == 0 && strstr(error.text, "overlaps") != NULL;
    char name[96];
    snprintf(name, sizeof name, "begins inside a %s: refused", into[k]);
    rigid_report(&t, name, MEASURE_NEAR, refused, 1.0, 0.0, "with key and text");
    mote_world_destroy(t.world);
  }
}

// A collider that is put where a body is, while the world runs; it is open above.
static void swallow(validation *v, bool keyed) {
  mote_world_def def = rigid_floor_def();
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def box = rigid_body_def("box", mote_shape_def_box(-0.1, 0, -0.1, 0.1, 0.2, 0.1));
  mote_collider_def post =
      rigid_collider_def("post", mote_shape_def_box(-0.15, -0.5, -0.15, 0.15, 0.1, 0.15));
  const mote_key key[3] = {
      {.time = 0.0, .move = {-3, 0, 0}}, {.time = 0.5, .move = {-3, 0, 0}}, {.time = 0.52}};
  rigid_add_material(&t, "stone", 0.5, 0.0);
  if (keyed) post.motion.key = key, post.motion.keys = 3, rigid_add_collider(&t, &post);
  mote_body body = rigid_add_body(&t, &box);
  rigid_go(&t, 0.5);
  if (!keyed) rigid_add_collider(&t, &post);
  double fastest = 0.0, allowed = keyed ? 1.1 * 3.0 / 0.02 * 1.5 : sqrt(2.0 * RIGID_G * 0.2);
  for (double time = 0.51; time < 3.0 && t.ok; time += 0.01) {
    rigid_go(&t, time);
    fastest = fmax(fastest, rigid_length_of(rigid_state_of(&t, body).velocity));
  }
  mote_body_state s = rigid_state_of(&t, body);
  bool out = s.position[1] > 0.15 || fabs(s.position[0]) > 0.2 || fabs(s.position[2]) > 0.2;
  rigid_report(&t,
               keyed ? "hit by a collider with keys: outside of it"
                     : "inside a collider that was added: is pushed out",
               MEASURE_NEAR, out, 1.0, 0.0, "overlap is undone");
  rigid_report(
      &t,
      keyed ? "hit by a collider with keys, part of its speed" : "inside a collider, speed, part of a fall's",
      MEASURE_NEAR, fastest / allowed, 0.0, 1.0, "no explosion");
  mote_world_destroy(t.world);
}

// A piston presses a box into the floor and goes up again.
static void squeeze(validation *v) {
  mote_world_def def = rigid_floor_def();
  rigid_trial t = rigid_trial_open(v, &def);
  mote_body_def box = rigid_body_def("box", mote_shape_def_box(-0.1, 0, -0.1, 0.1, 0.2, 0.1));
  mote_collider_def piston = rigid_collider_def("piston", mote_shape_def_box(-0.3, 0.5, -0.3, 0.3, 0.8, 0.3));
  const mote_key key[4] = {{.time = 0.0},
                           {.time = 1.0, .move = {0, -0.36, 0}},  // 0.06 m too far
                           {.time = 1.5, .move = {0, -0.36, 0}},
                           {.time = 2.5}};
  piston.motion.key = key, piston.motion.keys = 4;
  rigid_add_material(&t, "stone", 0.5, 0.0);
  rigid_add_collider(&t, &piston);
  mote_body body = rigid_add_body(&t, &box);
  double fastest = 0.0;
  for (double time = 0.05; time < 4.0 && t.ok; time += 0.05) {
    rigid_go(&t, time);
    fastest = fmax(fastest, rigid_length_of(rigid_state_of(&t, body).velocity));
  }
  mote_body_state s = rigid_state_of(&t, body);
  rigid_report(&t, "pressed between piston and floor, fastest, m/s", MEASURE_NEAR, fastest, 0.0, 2.0,
               "no explosion");
  rigid_report(&t, "pressed, then on the floor again, spacings off", MEASURE_NEAR,
               (s.position[1] - 0.1) / RIGID_D, 0.0, 0.1, "rest");
  mote_world_destroy(t.world);
}

void validate_body_inside(validation *v) {
  refuse_inside(v);
  swallow(v, false);
  swallow(v, true);
  squeeze(v);
}
