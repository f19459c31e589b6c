// The path of one particle among obstacles: see sweep.h. The path is swept; at the first contact the rest of
// it loses its normal component, is lifted off a concave wall, and is swept again. Every accepted point is
// outside, so that among static obstacles not moving is always possible.
#include "things/sweep.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "things/tuning.inc"

#define LEGS_MAX 8
#define LIFTS_MAX 3
#define ROUNDS_MAX 8
#define THIN_WALLS_MAX 64
#define STEPS_MAX 256
#define BISECTION_HALVINGS 30
#define NO_HIT 2.0  // mark

// --- Seeing an obstacle ---

static void image_of(const mote_seen *s, const double x[3], double out[3]) {
  for (int a = 0; a < 3; ++a) out[a] = x[a] + s->shift[a];
}

double mote_seen_distance(const mote_seen *seen, const double x[3], double normal[3]) {
  double y[3];
  image_of(seen, x, y);
  return mote_obstacle_distance(seen->obstacle, 1.0, y, normal);
}

mote_seen mote_seen_make(const mote_obstacle *obstacle, const double shift[3], const double from[3]) {
  mote_seen s = {.obstacle = obstacle, .stands = mote_obstacle_stands(obstacle)};
  double x[3];
  for (int a = 0; a < 3; ++a) {
    s.shift[a] = shift[a];
    x[a] = from[a] + shift[a];
  }
  s.distance = mote_obstacle_distance(obstacle, 0.0, x, NULL);
  if (!s.stands) mote_obstacle_carry(obstacle, x, x);
  for (int a = 0; a < 3; ++a) s.start[a] = s.stands ? from[a] : x[a] - shift[a];
  s.inside = !(s.distance > 0.0);
  return s;
}

static double seen_sweep(const mote_seen *s, const double a[3], const double b[3], double limit) {
  double u[3], v[3];
  image_of(s, a, u);
  image_of(s, b, v);
  return mote_obstacle_sweep(s->obstacle, 1.0, u, v, limit, NULL);
}

static void between(const double a[3], const double b[3], double t, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = a[k] + t * (b[k] - a[k]);
}

static double length_between(const double a[3], const double b[3]) {
  double u = b[0] - a[0], v = b[1] - a[1], w = b[2] - a[2];
  return sqrt(u * u + v * v + w * w);
}

// --- The first contact ---

// Distances of composite shapes are bounds only: where their parts touch there may be a seam of distance 0
// without an obstacle behind it. A wall is real if the distance becomes negative behind it.
static double wall_thickness_min(double clearance, const double x[3]) {
  return WALL_THICKNESS_MIN * clearance + 0x1p-50 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]));
}

static bool is_real(const mote_seen *s, const double x[3], double distance, const double normal[3],
                    double thinnest) {
  double y[3];
  for (int a = 0; a < 3; ++a) y[a] = x[a] - (distance + thinnest) * normal[a];
  return !(mote_seen_distance(s, y, NULL) > 0.0);
}

// Continues from t through a seam until its end (t), the end of the path (NO_HIT), or a wall (*wall).
static double pass_thin_wall(const mote_seen *s, const double to[3], double limit, double thinnest, double t,
                             bool *wall) {
  double x[3], normal[3], length = length_between(s->start, to);
  between(s->start, to, t, x);
  double distance = mote_seen_distance(s, x, NULL);
  for (int k = 0; k < STEPS_MAX; ++k) {
    double next = t + (distance + thinnest) / length;  // and so beyond it, or into the wall
    if (next > 1.0) next = 1.0;
    between(s->start, to, next, x);
    distance = mote_seen_distance(s, x, normal);
    *wall = !(distance > 0.0);
    if (*wall) return t;
    t = next;
    if (t >= 1.0 && distance > limit) return NO_HIT;
    if (distance > 1.01 * limit) return t;
    *wall = is_real(s, x, distance, normal, thinnest);
    if (*wall) return t;
    if (t >= 1.0) return NO_HIT;
  }
  *wall = true;
  return t;
}

// The fraction of the path from s->start to `to` at which it comes within `limit`.
static double first_within(const mote_seen *s, const double to[3], double limit, double thinnest) {
  double t = 0.0, x[3], normal[3];
  for (int k = 0; k < THIN_WALLS_MAX; ++k) {
    between(s->start, to, t, x);
    double f = seen_sweep(s, x, to, limit);
    if (f > 1.0) return NO_HIT;
    t += f * (1.0 - t);
    between(s->start, to, t, x);
    double distance = mote_seen_distance(s, x, normal);
    if (!(distance > 0.0) || is_real(s, x, distance, normal, thinnest)) return t;
    bool wall;
    t = pass_thin_wall(s, to, limit, thinnest, t, &wall);
    if (wall || t > 1.0) return t;
  }
  return t;
}

// A point before t at a distance of `level` or slightly more: secant steps, which are exact for flat walls,
// alternating with bisection.
static double back_to(const mote_seen *s, const double to[3], double level, double t) {
  double low = 0.0, high = t, x[3];
  double above = s->distance - level, aim = 0.5 * CLEARANCE_MARGIN * level;
  between(s->start, to, t, x);
  double below = mote_seen_distance(s, x, NULL) - level;
  if (!(below < 0.0)) return t;
  for (int k = 0; k < BISECTION_HALVINGS && above > CLEARANCE_MARGIN * level; ++k) {
    double part = k % 2 == 0 ? (above - aim) / (above - below) : 0.5;
    double middle = low + part * (high - low);
    between(s->start, to, middle, x);
    double gap = mote_seen_distance(s, x, NULL) - level;
    if (gap >= 0.0) {
      low = middle, above = gap;
    } else {
      high = middle, below = gap;
    }
  }
  return low;
}

// The first contact on the path to `to`, or NO_HIT. The sweep may come nearer than the clearance and than its
// start: sweeps along a wall advance by the remaining distance. The free part is then searched for the point
// at the clearance.
static double first_contact(const mote_seen *s, const double to[3], double clearance) {
  double thinnest = wall_thickness_min(clearance, s->start),
         level = fmin(clearance, (1.0 - CLEARANCE_MARGIN) * s->distance);
  double t = first_within(s, to, fmin(clearance, 0.5 * s->distance), thinnest), normal[3];
  if (t > 1.0) {
    double distance = mote_seen_distance(s, to, normal);
    if (distance >= level || !is_real(s, to, distance, normal, thinnest)) return NO_HIT;
    t = 1.0;
  }
  return back_to(s, to, level, t);
}

static int first_of_all(const mote_contact_path *p, double *fraction) {
  int first = -1;
  *fraction = NO_HIT;
  for (int k = 0; k < p->count; ++k) {
    const mote_seen *s = &p->seen[k];
    if (s->inside) continue;
    double travel = length_between(s->start, p->to);
    if (travel == 0.0 || s->distance - travel > p->clearance) continue;
    double t = first_contact(s, p->to, p->clearance);
    if (t < *fraction) *fraction = t, first = k;
  }
  return first;
}

// --- Contacts ---

static void note_met(mote_contact_path *p, const mote_obstacle *obstacle, const double normal[3],
                     double least) {
  int k = 0;
  while (k < p->mets && p->met[k].obstacle != obstacle) ++k;
  if (k == MOTE_MET_MAX) --k;
  if (k == p->mets) ++p->mets;
  p->met[k] = (mote_met){obstacle, {{normal[0], normal[1], normal[2]}, least}};
}

static void add_plane(mote_contact_path *p, const mote_seen *s, const double x[3], const double normal[3]) {
  double least = 0.0;
  if (!s->stands) {
    double y[3], wall[3];
    image_of(s, x, y);
    mote_obstacle_velocity(s->obstacle, 1.0, y, wall);
    least = wall[0] * normal[0] + wall[1] * normal[1] + wall[2] * normal[2];
  }
  mote_contact_planes_add(&p->planes, normal, least);
  note_met(p, s->obstacle, normal, least);
}

// Advances all obstacles to this point of the path. Points that are inside by rounding are not accepted.
static void advance(mote_contact_path *p, double t) {
  for (int k = 0; k < p->count; ++k) {
    mote_seen *s = &p->seen[k];
    if (s->inside) continue;
    double x[3];
    between(s->start, p->to, t, x);
    double distance = mote_seen_distance(s, x, NULL);
    if (!(distance > 0.0)) continue;
    memcpy(s->start, x, sizeof x);
    s->distance = distance;
  }
}

// Along a concave wall the tangent leads into it: the end is lifted to the clearance.
static void lift(mote_contact_path *p, const mote_seen *s) {
  for (int k = 0; k < LIFTS_MAX; ++k) {
    double normal[3], distance = mote_seen_distance(s, p->to, normal);
    if (!(distance < p->clearance)) return;
    for (int a = 0; a < 3; ++a) p->to[a] += (p->clearance - distance) * normal[a];
    add_plane(p, s, p->to, normal);
  }
}

static void meet(mote_contact_path *p, int k, double t) {
  advance(p, t);
  mote_seen *s = &p->seen[k];
  double normal[3], rest[3];
  mote_seen_distance(s, s->start, normal);
  add_plane(p, s, s->start, normal);
  for (int a = 0; a < 3; ++a) rest[a] = p->to[a] - s->start[a];
  mote_contact_planes_project(&p->planes, false, rest, rest);
  for (int a = 0; a < 3; ++a) p->to[a] = s->start[a] + rest[a];
  if (rest[0] != 0.0 || rest[1] != 0.0 || rest[2] != 0.0) lift(p, s);
}

// Whether the path is free; else `to` is its last free point.
static void slide(mote_contact_path *p) {
  double t;
  int k = -1;
  for (int leg = 0; leg < LEGS_MAX; ++leg) {
    int next = first_of_all(p, &t);
    if (next < 0) return;
    k = next;
    meet(p, k, t);
  }
  memcpy(p->to, p->seen[k].start, sizeof p->to);
}

// --- Getting out ---

// The obstacle with the largest penetration of x, or the nearest one if it is too near; -1: none is too near.
static int deepest(const mote_contact_path *p, const double x[3], double *distance) {
  int which = -1;
  *distance = (1.0 - 10.0 * CLEARANCE_MARGIN) * p->clearance;
  for (int k = 0; k < p->count; ++k) {
    double d = mote_seen_distance(&p->seen[k], x, NULL);
    if (d < *distance) *distance = d, which = k;
  }
  return which;
}

// Moves `to` towards x as far as possible without crossing a static obstacle.
static void go_towards(mote_contact_path *p, const double x[3]) {
  double free = 1.0;
  for (int k = 0; k < p->count; ++k) {
    mote_seen s = p->seen[k];
    if (!s.stands || s.inside) continue;
    memcpy(s.start, p->to, sizeof s.start);
    s.distance = mote_seen_distance(&s, s.start, NULL);
    if (!(s.distance > 0.0)) continue;
    double t = first_contact(&s, x, p->clearance);
    if (t < free) free = t;
  }
  between(p->to, x, free, p->to);
}

// The planes that a particle at `base` must leave, and the largest displacement.
typedef struct exit_planes {
  mote_contact_planes planes;
  double base[3], longest;
} exit_planes;

// Adds a plane at `to`, and finds the nearest point outside of all planes.
static void find_exit(const mote_contact_path *p, exit_planes *e, const double normal[3], double distance,
                      double out[3]) {
  static const double still[3] = {0.0, 0.0, 0.0};
  double least = p->clearance - distance;
  for (int a = 0; a < 3; ++a) least += normal[a] * (p->to[a] - e->base[a]);
  mote_contact_planes_add(&e->planes, normal, least);
  mote_contact_planes_project(&e->planes, true, still, out);
  double length = length_between(still, out), part = length > e->longest ? e->longest / length : 1.0;
  for (int a = 0; a < 3; ++a) out[a] = e->base[a] + part * out[a];
}

// Moves the point out of all obstacles that are too near, by the smallest displacement that their planes
// allow. Seams are ignored.
static void move_out(mote_contact_path *p) {
  exit_planes e = {.longest = 2.0 * p->clearance};
  memcpy(e.base, p->to, sizeof e.base);
  for (int rounds = 0; rounds < ROUNDS_MAX; ++rounds) {
    double distance, normal[3], x[3];
    int k = deepest(p, p->to, &distance);
    if (k < 0) return;
    const mote_seen *s = &p->seen[k];
    mote_seen_distance(s, p->to, normal);
    if (distance > 0.0 && !is_real(s, p->to, distance, normal, wall_thickness_min(p->clearance, p->to)))
      return;
    if (!(distance > 0.0)) p->pushed = true;
    e.longest = fmax(e.longest, p->clearance - 2.0 * distance);
    add_plane(p, s, p->to, normal);
    find_exit(p, &e, normal, distance, x);
    go_towards(p, x);
  }
}

// Whether x is outside of all obstacles outside of which it was before.
static bool is_outside(const mote_contact_path *p, const double x[3], bool standing) {
  for (int k = 0; k < p->count; ++k) {
    const mote_seen *s = &p->seen[k];
    if (standing && (s->inside || !s->stands)) continue;
    if (!(mote_seen_distance(s, x, NULL) > 0.0)) return false;
  }
  return true;
}

void mote_contact_path_walk(mote_contact_path *path) {
  MOTE_ASSERT(path->count >= 0 && path->count <= MOTE_SEEN_MAX);
  MOTE_ASSERT(path->mets >= 0 && path->mets <= MOTE_MET_MAX);
  slide(path);
  move_out(path);
  if (!is_outside(path, path->to, true)) memcpy(path->to, path->from, sizeof path->to);
  path->squeezed = !is_outside(path, path->to, false);
}
