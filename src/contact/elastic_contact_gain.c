// Energy gained by elastic contact between two ticks, and its removal by damping: see elastic_contact.h.
// Theory: docs/theory/elastic.md, Contact
#include <math.h>
#include <string.h>

#include "base/sets.h"
#include "contact/elastic_contact.h"
#include "contact/elastic_contact_normal.h"
#include "geom/triple.h"

#define BODY_ROUNDS 3  // of damping within the bodies, at most; each takes what is best along one direction

typedef struct payment {
  const mote_elastic_contact *set;
  const double *x, *mass;
  const uint8_t *held;
  double *v;
  uint32_t *island;         // per part: the part that stands for all it touches, or one nearer to that
  double *gain;             // per island, J: what is still to be paid
  double *linear, *square;  // per island: with c of the damping its energy changes by square c^2 - linear c
  double *share;            // per island: c
  double *impulse;          // per particle, of the damping with c = 1
} payment;

// --- Bodies that touch each other -----------------------------------------------------------------

static uint32_t island_of(const payment *p, size_t i) {
  return mote_set_root(p->island, p->set->part_of[i]);
}

// Joins parts with a common record; the first part is the root.
static void join_islands(payment *p) {
  for (size_t k = 0; k < p->set->records; ++k) {
    const mote_elastic_contact_record *t = p->set->record + k;
    if (!t->ball) continue;
    mote_set_join(p->island, p->set->part_of[t->i], p->set->part_of[t->other]);
  }
}

// --- Gain -----------------------------------------------------------------------------------------

// Of a record as it is found, at the beginning of a tick.
static double energy_found(const mote_elastic_contact *s, const mote_elastic_contact_record *t) {
  return mote_normal_spring(t->stiffness, t->gap).energy +
         t->stiffness * mote_elastic_contact_overlap_max(s, t) * t->beyond;
}

// Finds the records again; a pair has two. `before`: one number per part.
static mote_result find_gain(mote_elastic_contact *s, const mote_contact_scene *scene, payment *p,
                             double *before, mote_error *error) {
  join_islands(p);
  for (size_t k = 0; k < s->records; ++k)
    if (s->record[k].ball) before[s->part_of[s->record[k].i]] += 0.5 * s->record[k].energy;
  MOTE_TRY(mote_elastic_contact_find(s, scene, p->x, s->travel, error));
  join_islands(p);
  for (size_t k = 0; k < s->records; ++k)
    if (s->record[k].ball) p->gain[island_of(p, s->record[k].i)] += 0.5 * energy_found(s, s->record + k);
  for (size_t k = 0; k < s->parts; ++k) p->gain[mote_set_root(p->island, (uint32_t)k)] -= before[k];
  for (size_t k = 0; k < s->parts; ++k) s->stored += p->gain[k];
  return MOTE_OK;
}

// --- Payment --------------------------------------------------------------------------------------

// Damping of the relative velocity of i and j along a unit vector, as seen by i: opposite bits for j.
static void damp(const payment *p, size_t i, size_t j, const double along[3], double strength) {
  double w[3], speed, *impulse = p->impulse + 3 * i;
  sub3(p->v + 3 * i, p->v + 3 * j, w);
  speed = dot3(w, along);
  step3(impulse, -(strength * speed), along, impulse);
  p->linear[island_of(p, i)] += 0.5 * strength * speed * speed;
}

// Along the normals of contacts that press, by their stiffness.
static void damp_contacts(const payment *p) {
  for (size_t k = 0; k < p->set->records; ++k) {
    const mote_elastic_contact_record *t = p->set->record + k;
    if (t->ball && t->gap < 0.0 && p->gain[island_of(p, t->i)] > 0.0)
      damp(p, t->i, t->other, t->normal, t->stiffness);
  }
}

// Between neighbours of the bodies, along the connecting lines: both momenta are conserved.
static void damp_bodies(const payment *p) {
  const mote_elastic_contact *s = p->set;
  for (size_t i = 0; i < s->count; ++i) {
    const mote_elastic *b = s->part[s->part_of[i]].body;
    size_t start = s->start[s->part_of[i]];
    if (b == NULL || !(p->gain[island_of(p, i)] > 0.0)) continue;
    for (size_t k = b->first[i - start]; k < b->first[i - start + 1]; ++k) {
      size_t j = start + b->neighbour[k];
      double line[3], length;
      sub3(p->x + 3 * i, p->x + 3 * j, line);
      length = length3(line);
      for (int a = 0; a < 3 && length > 0.0; ++a) line[a] /= length;
      if (length > 0.0) damp(p, i, j, line, min2(p->mass[i], p->mass[j]));
    }
  }
}

static bool moves(const payment *p, size_t i) {
  return p->held == NULL || p->held[i] == 0;
}

// Removes the energy due, or as much as this damping can. Returns whether some is left.
static bool take(payment *p, void (*by)(const payment *p)) {
  const mote_elastic_contact *s = p->set;
  bool left = false;
  memset(p->impulse, 0, 3 * s->count * sizeof *p->impulse);
  memset(p->linear, 0, 2 * s->parts * sizeof *p->linear);  // and square
  by(p);
  for (size_t i = 0; i < s->count; ++i) {
    const double *one = p->impulse + 3 * i;
    if (moves(p, i)) p->square[island_of(p, i)] += 0.5 * dot3(one, one) / p->mass[i];
  }
  for (size_t k = 0; k < s->parts; ++k) {
    double a = p->linear[k], b = p->square[k], rest = a * a - 4.0 * b * p->gain[k];
    p->share[k] = b > 0.0 && p->gain[k] > 0.0 ? (a - sqrt(max2(0.0, rest))) / (2.0 * b) : 0.0;
    p->gain[k] = rest < 0.0 ? p->gain[k] - 0.25 * a * a / b : b > 0.0 ? 0.0 : p->gain[k];
    left = left || p->gain[k] > 0.0;
  }
  for (size_t i = 0; i < s->count; ++i) {
    double c = p->share[island_of(p, i)];
    if (c > 0.0 && moves(p, i)) step3(p->v + 3 * i, c / p->mass[i], p->impulse + 3 * i, p->v + 3 * i);
  }
  return left;
}

static mote_result pay(mote_elastic_contact *s, const mote_contact_scene *scene, payment *p,
                       mote_arena *memory, mote_error *error) {
  size_t parts = s->parts;
  MOTE_TAKE_NEW(double, sums, memory, 5 * parts + 3 * s->count, error);
  MOTE_TAKE(p->island, memory, parts, error);
  memset(sums, 0, 5 * parts * sizeof *sums);
  for (size_t k = 0; k < parts; ++k) p->island[k] = (uint32_t)k;
  p->gain = sums + parts, p->linear = sums + 2 * parts, p->square = sums + 3 * parts;
  p->share = sums + 4 * parts, p->impulse = sums + 5 * parts;
  MOTE_TRY(find_gain(s, scene, p, sums, error));
  bool left = false;
  for (size_t k = 0; k < parts; ++k) left = left || p->gain[k] > 0.0;
  left = left && take(p, damp_contacts);
  for (int round = 0; round < BODY_ROUNDS && left; ++round) left = take(p, damp_bodies);
  return MOTE_OK;
}

mote_result mote_elastic_contact_pay(mote_elastic_contact *set, const mote_contact_scene *scene,
                                     const mote_elastic_motion *motion, const double *mass,
                                     mote_error *error) {
  MOTE_ASSERT(motion->position != NULL && motion->velocity != NULL);
  MOTE_ASSERT(mass != NULL && set->since > 0.0);
  bool balls = false;
  for (size_t k = 0; k < set->records && !balls; ++k) balls = set->record[k].ball;
  if (!balls) return MOTE_OK;
  payment p = {.set = set, .x = motion->position, .mass = mass, .held = motion->held, .v = motion->velocity};
  mote_arena memory = mote_arena_make(&set->env);
  mote_result result = pay(set, scene, &p, &memory, error);
  mote_arena_destroy(&memory);
  return result;
}
