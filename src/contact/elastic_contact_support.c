// Supports, such as walls, of rigid bodies that elastic ones press against: see elastic_contact.h. Without
// them a body between both is free within the tick and moves into the wall; when rigid contact then moves it
// back, the overlap with the elastic body is a gain of energy. Theory: docs/theory/elastic.md, Contact
#include <math.h>

#include "contact/contact_narrow.h"
#include "contact/elastic_contact.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define SUPPORT_SWEEPS_MAX 100  // over the supports, at most
#define MOBILITY_SWEEPS 10

static bool moves(const mote_obstacle *obstacle) {
  const double *m = obstacle->inverse_inertia;
  return obstacle->inverse_mass > 0.0 || m[0] + m[4] + m[8] > 0.0;
}

static double dot6(const double a[6], const double b[6]) {
  return dot3(a, b) + dot3(a + 3, b + 3);
}

static void step6(double s, const double a[6], double out[6]) {
  step3(out, s, a, out), step3(out + 3, s, a + 3, out + 3);
}

// --- Finding ------------------------------------------------------------------------------------------

// `obstacle`: the mover, and its support.
static mote_result add_support(mote_elastic_contact *s, size_t m, const mote_obstacle obstacle[2],
                               const mote_contact *c, mote_error *error) {
  const mote_elastic_contact_mover *mover = s->mover + m;
  double n[3], arm[3], turn[3], own[3], other[3], sign = c->a == 0 ? 1.0 : -1.0;
  for (int a = 0; a < 3; ++a) n[a] = sign * c->normal[a];
  sub3(c->point, obstacle[0].x, arm);
  mote_elastic_contact_support t = {.mover = (uint32_t)m, .gap = max2(0.0, c->gap)};
  for (int a = 0; a < 3; ++a) t.direction[a] = mover->root_mass * n[a];
  cross3(arm, n, turn);
  copy3(n, t.normal), copy3(turn, t.turn);
  turn3(mover->root_inertia, turn, t.direction + 3);
  double size = dot6(t.direction, t.direction);
  if (!(size > 0.0)) return MOTE_OK;
  mote_obstacle_velocity(obstacle, 0.0, c->point, own);
  mote_obstacle_velocity(obstacle + 1, 0.0, c->point, other);
  sub3(own, other, own);
  t.approach = dot3(n, own), t.inverse = 1.0 / size;
  MOTE_TRY(
      mote_reserve(&s->env, &s->support, &s->support_capacity, s->supports + 1, sizeof *s->support, error));
  s->support[s->supports++] = t;
  return MOTE_OK;
}

static mote_result find_of(mote_elastic_contact *s, const mote_contact_scene *scene, size_t m, size_t other,
                           mote_error *error) {
  mote_obstacle two[2] = {scene->obstacle[s->mover[m].obstacle], scene->obstacle[other]};
  mote_contact_scene pair = *scene;
  pair.spacing = SUPPORT_DISTANCE_MAX * scene->spacing / MOTE_CONTACT_MARGIN;
  pair.obstacle = two, pair.bodies = other < scene->bodies ? 2 : 1, pair.obstacles = 2;
  mote_contact_cache cache[2] = {mote_contact_cache_of(&pair, two), mote_contact_cache_of(&pair, two + 1)};
  double reach = two[0].radius + cache[0].farthest + SUPPORT_DISTANCE_MAX * scene->spacing;
  if (mote_obstacle_distance(two + 1, 0.0, two[0].x, NULL) >
      reach + mote_obstacle_travel(two + 1, two[0].x, reach))
    return MOTE_OK;
  mote_contact found[MOTE_CONTACT_PAIR_RECORDS];
  size_t count = mote_contact_find_pair(&pair, cache, (mote_contact_pair){0, 1}, false, found);
  for (size_t k = 0; k < count; ++k) MOTE_TRY(add_support(s, m, two, found + k, error));
  return MOTE_OK;
}

mote_result mote_elastic_contact_find_supports(mote_elastic_contact *set, const mote_contact_scene *scene,
                                               mote_error *error) {
  MOTE_ASSERT(scene->dt > 0.0);
  set->supports = 0;
  for (size_t m = 0; m < set->movers; ++m) {
    for (size_t k = 0; k < scene->obstacles; ++k) {
      if (!moves(scene->obstacle + k)) MOTE_TRY(find_of(set, scene, m, k, error));
    }
  }
  return MOTE_OK;
}

// --- Implicit steps -----------------------------------------------------------------------------------

// The gap when the step ends; with the midpoint rule `since` and y are at its middle.
static double gap_at(const mote_elastic_contact *s, const mote_elastic_contact_support *t, const double *y,
                     double since) {
  double moved = t->approach * since + dot6(t->direction, y + 6 * (size_t)t->mover),
         times = mote_elastic_contact_times(s);
  if (s->now != NULL) moved += dot6(t->direction, s->ahead + 6 * (size_t)t->mover);
  return t->gap + times * moved - (times - 1.0) * t->past;
}

void mote_elastic_contact_support_anchor(mote_elastic_contact *set) {
  for (size_t k = 0; k < set->supports; ++k) {
    mote_elastic_contact_support *t = set->support + k;
    t->past = t->approach * set->since + dot6(t->direction, set->ahead + 6 * (size_t)t->mover);
  }
}

static mote_normal_law law_at(const mote_elastic_contact *s, const mote_elastic_contact_support *t,
                              const double *y, double since) {
  return mote_condition_normal(&t->condition, gap_at(s, t, y, since));
}

double mote_elastic_contact_support_energy(const mote_elastic_contact *set, const double *y, double since) {
  double sum = 0.0;
  for (size_t k = 0; k < set->supports; ++k)
    sum += law_at(set, set->support + k, y, since).energy / mote_elastic_contact_times(set);
  return sum;
}

void mote_elastic_contact_support_forces(const mote_elastic_contact *set, const double *y, double since,
                                         double sign, double *force_y) {
  for (size_t k = 0; k < set->supports; ++k) {
    const mote_elastic_contact_support *t = set->support + k;
    step6(sign * law_at(set, t, y, since).force, t->direction, force_y + 6 * (size_t)t->mover);
  }
}

void mote_elastic_contact_support_stiffness(mote_elastic_contact *set, const double *y, double since) {
  for (size_t k = 0; k < set->supports; ++k) {
    mote_elastic_contact_support *t = set->support + k;
    t->now = mote_elastic_contact_times(set) * law_at(set, t, y, since).stiffness;
    mote_elastic_contact_mover *mover = set->mover + t->mover;
    mover->diagonal[0] += t->now * dot3(t->direction, t->direction);
    mover->diagonal[1] += t->now * dot3(t->direction + 3, t->direction + 3);
  }
}

void mote_elastic_contact_support_product(const mote_elastic_contact *set, const double *dy, double *out_y) {
  for (size_t k = 0; k < set->supports; ++k) {
    const mote_elastic_contact_support *t = set->support + k;
    size_t at = 6 * (size_t)t->mover;
    step6(t->now * dot6(t->direction, dy + at), t->direction, out_y + at);
  }
}

bool mote_elastic_contact_support_acts(const mote_elastic_contact *set, const double *y, double since) {
  for (size_t k = 0; k < set->supports; ++k) {
    if (law_at(set, set->support + k, y, since).force > 0.0) return true;
  }
  return false;
}

void mote_elastic_contact_support_outcome(const mote_elastic_contact *set, double *force_y) {
  for (size_t k = 0; k < set->supports; ++k) {
    const mote_elastic_contact_support *t = set->support + k;
    step6(t->condition.normal, t->direction, force_y + 6 * (size_t)t->mover);
  }
}

double mote_elastic_contact_support_update(mote_elastic_contact *set, const double *y, double since) {
  double most = 0.0;
  for (size_t k = 0; k < set->supports; ++k) {
    mote_elastic_contact_support *t = set->support + k;
    double force = law_at(set, t, y, since).force;
    most = max2(most, fabs(force - t->condition.normal) / t->condition.hardness);
    t->condition.normal = force;
    t->acts = t->acts || force > 0.0;
  }
  return most;
}

// --- The end of the tick ------------------------------------------------------------------------------

// Removes the part of y that acts against the mover's supports, and writes the share of each.
static void project(mote_elastic_contact *s, size_t m, double y[6]) {
  double first = 0.0, most = HUGE_VAL;
  for (size_t k = 0; k < s->supports; ++k) s->support[k].taken = 0.0;
  for (int sweep = 0; sweep < SUPPORT_SWEEPS_MAX && most > SUPPORT_SWEEP_CHANGE_MIN * first; ++sweep) {
    most = 0.0;
    for (size_t k = 0; k < s->supports; ++k) {
      mote_elastic_contact_support *t = s->support + k;
      if (t->mover != m || !t->acts) continue;
      double along = dot6(t->direction, y);
      t->taken -= t->inverse * along;
      step6(-t->inverse * along, t->direction, y);
      most = max2(most, fabs(along));
    }
    if (sweep == 0) first = most;
  }
}

// Rigid contact stops the mover again, by its velocity: the displacement by the supports beyond that is
// removed from it. Rigid contact needs the load for its friction; but a light body under a heavy load would
// have a velocity that no step can resolve, so only a part of it is kept.
void mote_elastic_contact_support_end(mote_elastic_contact *set, size_t m, double displacement[6]) {
  mote_elastic_contact_mover *mover = set->mover + m;
  double y[6], path = 0.0;
  mover->pressed = false;
  for (size_t k = 0; k < set->supports; ++k)
    mover->pressed = mover->pressed || (set->support[k].mover == m && set->support[k].acts);
  if (!mover->pressed) return;
  project(set, m, displacement);
  for (int a = 0; a < 3; ++a) y[a] = mover->root_mass * mover->impulse[a];
  turn3(mover->root_inertia, mover->twist, y + 3);
  for (size_t k = 0; k < set->supports; ++k) {
    const mote_elastic_contact_support *t = set->support + k;
    if (t->mover == m && t->acts) path = max2(path, set->tick * fabs(dot6(t->direction, y)));
  }
  double part = min2(1.0, LOAD_PATH * 2.0 * set->radius_max / max2(path, 1e-300));
  project(set, m, y);
  for (size_t k = 0; k < set->supports; ++k) {
    const mote_elastic_contact_support *t = set->support + k;
    step3(mover->impulse, (1.0 - part) * t->taken, t->normal, mover->impulse);
    step3(mover->twist, (1.0 - part) * t->taken, t->turn, mover->twist);
  }
}
