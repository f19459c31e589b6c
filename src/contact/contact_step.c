// Contacts of one step: found, solved, and searched again with the resulting velocities, for obstacles that
// move far. Theory: docs/theory/bodies.md
#include "base/parallel.h"
#include "contact/contact_narrow.h"
#include "contact/contact_rows.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define ROUNDS_MAX 4
// The effect of a new contact spreads over so many contacts before it is solved again.
#define SPREAD_CONTACTS 2
#define LIMIT_PASSES 16
#define CONTACTS_PER_CHUNK 1024

// Whether the set contains the record, or one of the same sample with nearly the same normal. *from: start of
// the search; advanced.
static bool has(const mote_contact_set *set, const mote_contact *c, size_t *from) {
  *from = mote_contact_lower_bound(set, *from, c);
  for (size_t k = *from; k < set->count && mote_contact_compare(set->contact + k, c) == 0; ++k) {
    if (dot3(set->contact[k].normal, c->normal) > SAME_NORMAL_COSINE) return true;
  }
  return false;
}

// Keeps in `found` only what is not in `set`; returns their number.
static size_t keep_new(const mote_contact_set *set, mote_contact_set *found) {
  size_t from = 0, added = 0;
  for (size_t k = 0; k < found->count; ++k) {
    if (!has(set, found->contact + k, &from)) found->contact[added++] = found->contact[k];
  }
  return found->count = added;
}

// Merges two ordered sets into `set`, backwards in place.
static mote_result merge(const mote_env *env, mote_contact_set *set, const mote_contact_set *more,
                         mote_error *error) {
  size_t i = set->count, j = more->count, k = i + j;
  MOTE_TRY(mote_reserve(env, &set->contact, &set->capacity, k, sizeof *set->contact, error));
  set->count = k;
  while (j > 0) {
    bool old = i > 0 && mote_contact_compare(set->contact + i - 1, more->contact + j - 1) > 0;
    set->contact[--k] = old ? set->contact[--i] : more->contact[--j];
  }
  return MOTE_OK;
}

static void relative_velocity(const mote_contact_scene *scene, const mote_contact *c, double w[3]) {
  const mote_obstacle *a = scene->obstacle + c->a, *b = scene->obstacle + c->b;
  double ra[3], rb[3], wa[3], wb[3];
  mote_contact_arms(scene, c, ra, rb);
  cross3(a->w, ra, wa);
  cross3(b->w, rb, wb);
  for (int i = 0; i < 3; ++i) w[i] = a->v[i] + wa[i] - b->v[i] - wb[i];
}

// Limits the displacement of bodies that would still enter another obstacle.
static void limit_distance(const mote_contact_scene *scene, const mote_contact_set *added, double *share) {
  for (size_t k = 0; k < added->count; ++k) {
    const mote_contact *c = added->contact + k;
    double w[3];
    relative_velocity(scene, c, w);
    double closing = -dot3(w, c->normal) * scene->dt, gap = max2(0.0, c->gap);
    if (!(closing > gap)) continue;
    double part = gap / closing;
    share[c->a] = min2(share[c->a], part);
    if (c->b < scene->bodies) share[c->b] = min2(share[c->b], part);
  }
}

// --- Displacements that are cut -----------------------------------------------------------------------

// Approach of the contact's surfaces by a body's displacement in the step.
static double closing_of(const mote_contact_scene *scene, const mote_contact *c, bool second) {
  const mote_obstacle *s = scene->obstacle + (second ? c->b : c->a);
  double arm[2][3], v[3], w[3], turning[3];
  mote_contact_arms(scene, c, arm[0], arm[1]);
  step3(s->v, 1.0, s->correction_velocity, v);
  step3(s->w, 1.0, s->correction_spin, w);
  cross3(w, arm[second], turning);
  return (second ? scene->dt : -scene->dt) * (dot3(v, c->normal) + dot3(turning, c->normal));
}

// Allowed approach of its surfaces in the step, m.
static double allowed_of(const mote_contact_scene *scene, const mote_contact *c) {
  return max2(0.0, c->gap + DEEP_OVERLAP * scene->spacing);
}

// Cuts the displacements that would make an overlap deeper than allowed; returns whether there are any.
static bool limit_overlap(const mote_contact_scene *scene, const mote_contact *c, double *share) {
  double *own[2] = {share + c->a, c->b < scene->bodies ? share + c->b : NULL}, closing[2], nearing = 0.0;
  double allowed = allowed_of(scene, c);
  for (int k = 0; k < 2; ++k) {
    closing[k] = closing_of(scene, c, k == 1) * (own[k] != NULL ? *own[k] : 1.0);
    if (own[k] != NULL && closing[k] > 0.0) {
      nearing += closing[k];
    } else {
      allowed -= closing[k];
    }
  }
  if (!(nearing > allowed + MOTE_VELOCITY_ROUNDING * scene->spacing) || !(nearing > 0.0)) return false;
  for (int k = 0; k < 2; ++k)
    if (own[k] != NULL && closing[k] > 0.0) *own[k] *= max2(0.0, allowed) / nearing;
  return true;
}

typedef struct limit_job {
  const mote_contact_scene *scene;
  const mote_contact_set *set;
  const double *travel;  // m, of each obstacle: no point of it goes farther in the step
  uint32_t *fast;  // contacts whose travel may make them deeper, those of a chunk from its first index on
  size_t *fasts;   // one per chunk
  bool deep[MOTE_THREADS_MAX];  // one per worker: some contact would be deeper
} limit_job;

static void find_deep(void *data, size_t begin, size_t end, int worker) {
  limit_job *job = data;
  size_t count = 0;
  for (size_t k = begin; k < end; ++k) {
    const mote_contact *c = job->set->contact + k;
    double allowed = allowed_of(job->scene, c);
    if (!(job->travel[c->a] + job->travel[c->b] > allowed)) continue;
    job->fast[begin + count++] = (uint32_t)k;
    if (!job->deep[worker])
      job->deep[worker] = closing_of(job->scene, c, false) + closing_of(job->scene, c, true) > allowed;
  }
  job->fasts[begin / CONTACTS_PER_CHUNK] = count;
}

static double travel_of(const mote_contact_scene *scene, const mote_obstacle *s) {
  double speed = length3(s->v) + length3(s->correction_velocity);
  double spin = length3(s->w) + length3(s->correction_spin);
  return scene->dt * (spin > 0.0 ? speed + spin * (s->radius + scene->spacing) : speed);
}

// If the displacement of a body is cut, the corresponding part of gravity's velocity is removed.
static void take_back_fall(mote_obstacle *s, double cut) {
  double work = cut * (dot3(s->v, s->kick) + dot3(s->correction_velocity, s->kick));
  double square = dot3(s->v, s->v);
  if (!(work > 0.0) || !(square > 0.0)) return;
  double kept = sqrt(max2(0.0, 1.0 - 2.0 * work / square));
  for (int a = 0; a < 3; ++a) s->v[a] *= kept;
}

// Where impulses do not keep bodies apart (many simultaneous impacts between walls), displacements are cut:
// of a body first, then of those behind it. Velocities stay except for gravity's part; the next step solves
// them again.
static mote_result limit_overlaps(const mote_contact_scene *scene, const mote_contact_set *set,
                                  mote_arena *scratch, double *share, mote_error *error) {
  MOTE_TAKE_NEW(double, travel, scratch, scene->obstacles, error);
  MOTE_TAKE_NEW(double, before, scratch, scene->bodies + 1, error);
  size_t chunks = (set->count + CONTACTS_PER_CHUNK - 1) / CONTACTS_PER_CHUNK;
  MOTE_TAKE_NEW(uint32_t, fast, scratch, set->count, error);
  MOTE_TAKE_NEW(size_t, fasts, scratch, chunks, error);
  for (size_t k = 0; k < scene->bodies; ++k) before[k] = share[k];
  for (size_t k = 0; k < scene->obstacles; ++k) travel[k] = travel_of(scene, scene->obstacle + k);
  limit_job job = {.scene = scene, .set = set, .travel = travel, .fast = fast, .fasts = fasts};
  int threads = scene->threads < 1 ? 1 : scene->threads;
  bool deep = false;
  if (threads > MOTE_THREADS_MAX) threads = MOTE_THREADS_MAX;
  mote_parallel_for(threads, set->count, CONTACTS_PER_CHUNK, find_deep, &job);
  for (int w = 0; w < threads; ++w) deep = deep || job.deep[w];
  for (int pass = 0; pass < LIMIT_PASSES && deep; ++pass) {
    deep = false;
    for (size_t c = 0; c < chunks; ++c) {
      const uint32_t *own = fast + c * CONTACTS_PER_CHUNK;
      for (size_t k = 0; k < fasts[c]; ++k) deep = limit_overlap(scene, set->contact + own[k], share) || deep;
    }
  }
  for (size_t k = 0; k < scene->bodies; ++k) {
    if (share[k] < before[k]) take_back_fall(scene->obstacle + k, before[k] - share[k]);
  }
  return MOTE_OK;
}

// --- Rounds -------------------------------------------------------------------------------------------

// Data of the rounds of a step.
typedef struct rounds {
  mote_contact_finder *finder;
  const mote_contact_scene *scene;
  mote_contact_set *set;
  double *before;  // velocities and spins of bodies before the step; and with the impulses of impacts
  double *start;
  uint8_t *changed;  // obstacles whose velocities the last solve changed
  mote_arena *scratch;
  mote_contact_report *report;
  mote_error *error;
} rounds;

static bool spreads(const mote_contact_scene *scene, uint32_t k) {
  return k < scene->bodies;
}

// Marks the bodies of the added contacts, and those up to SPREAD_CONTACTS contacts away from them.
static void mark_affected(const rounds *r, const mote_contact_set *added) {
  const mote_contact_scene *scene = r->scene;
  uint8_t *mark = r->changed;
  for (size_t k = 0; k < scene->obstacles; ++k) mark[k] = 0;
  for (size_t k = 0; k < added->count; ++k) {
    const mote_contact *c = added->contact + k;
    if (spreads(scene, c->a)) mark[c->a] = 1;
    if (spreads(scene, c->b)) mark[c->b] = 1;
  }
  for (uint8_t hop = 1; hop <= SPREAD_CONTACTS; ++hop) {
    for (size_t k = 0; k < r->set->count; ++k) {
      const mote_contact *c = r->set->contact + k;
      bool a = mark[c->a] != 0 && mark[c->a] <= hop, b = mark[c->b] != 0 && mark[c->b] <= hop;
      if (a && mark[c->b] == 0 && spreads(scene, c->b)) mark[c->b] = hop + 1;
      if (b && mark[c->a] == 0 && spreads(scene, c->a)) mark[c->a] = hop + 1;
    }
  }
}

// Solves the contacts of marked bodies again, and marks all bodies that this may have moved.
static mote_result solve_affected(const rounds *r) {
  mote_arena_mark here = mote_arena_here(r->scratch);
  mote_contact_set affected = {.capacity = r->set->count};
  mote_contact_rows *rows;
  MOTE_TAKE_NEW(uint32_t, number, r->scratch, r->set->count, r->error);
  MOTE_TAKE(affected.contact, r->scratch, r->set->count, r->error);
  for (size_t k = 0; k < r->set->count; ++k) {
    const mote_contact *c = r->set->contact + k;
    if (!r->changed[c->a] && !r->changed[c->b]) continue;
    number[affected.count] = (uint32_t)k;
    affected.contact[affected.count++] = *c;
  }
  mote_contact_report own;
  MOTE_TRY(mote_contact_solve_rows(r->scene, &affected, r->start, true, r->scratch, &rows, &own, r->error));
  r->report->sweeps += own.sweeps;
  r->report->change = own.change;
  r->report->overlap = max2(r->report->overlap, own.overlap);
  for (size_t k = 0; k < affected.count; ++k) {
    r->set->contact[number[k]] = affected.contact[k];
    r->changed[affected.contact[k].a] = 1;
    if (spreads(r->scene, affected.contact[k].b)) r->changed[affected.contact[k].b] = 1;
  }
  mote_arena_release(r->scratch, here);
  return MOTE_OK;
}

// Searches again with the new velocities, and solves again around the added contacts.
static mote_result repeat_rounds(const rounds *r, double *share) {
  mote_contact_set *found = &r->finder->spare;
  for (size_t k = 0; k < r->scene->obstacles; ++k) r->changed[k] = 1;
  for (int round = 1;; ++round) {
    MOTE_TRY(mote_contact_find(r->finder, r->scene, r->changed, found, r->error));
    if (keep_new(r->set, found) == 0) return MOTE_OK;
    if (round == ROUNDS_MAX) break;
    MOTE_TRY(merge(&r->finder->env, r->set, found, r->error));
    mark_affected(r, found);
    MOTE_TRY(solve_affected(r));
  }
  limit_distance(r->scene, found, share);
  return MOTE_OK;
}

// The rows of the first solve correct overlap: contacts added later are beyond the margin, which is larger
// than any correction.
static mote_result solve_all(const rounds *r, double *share) {
  mote_contact_rows *rows;
  MOTE_TRY(
      mote_contact_solve_rows(r->scene, r->set, r->start, false, r->scratch, &rows, r->report, r->error));
  MOTE_TRY(mote_contact_correct_overlap(rows, r->set, r->scratch, r->error));
  return repeat_rounds(r, share);
}

// Marks supported bodies. Needed for bouncing ones only.
static void find_supported(const mote_contact_scene *scene, const mote_contact_set *set) {
  bool bounces = false;
  for (size_t k = 0; k < scene->bodies; ++k) {
    bounces = bounces || scene->obstacle[k].restitution > 0.0;
    scene->obstacle[k].supported = scene->obstacle[k].bounced = false;
  }
  for (size_t k = 0; bounces && k < set->count; ++k) {
    const mote_contact *c = set->contact + k;
    double w[3];
    if (!(c->normal_impulse > 0.0)) continue;
    relative_velocity(scene, c, w);
    if (dot3(w, c->normal) > 0.0) continue;
    for (int side = 0; side < 2; ++side) {
      mote_obstacle *s = scene->obstacle + (side == 0 ? c->a : c->b);
      if (c->normal_impulse * s->inverse_mass > SUPPORT_CHANGE_MIN * length3(s->kick)) s->supported = true;
    }
  }
}

// Bodies in free fall move by the mean of their velocities, which is exact. Bodies in contact move by the
// velocity after the step, for which the contact conditions hold.
static void move_by_mean_velocities(const mote_contact_scene *scene, const double *before) {
  for (size_t k = 0; k < scene->bodies; ++k) {
    mote_obstacle *s = scene->obstacle + k;
    double change = distance3(s->v, before + 6 * k) + distance3(s->w, before + 6 * k + 3) * s->radius;
    change += length3(s->correction_velocity) + length3(s->correction_spin) * s->radius;
    // An impulse of the warm start that was applied and removed leaves a rounding error.
    if (change > MOTE_VELOCITY_ROUNDING * length3(s->kick)) continue;
    for (int a = 0; a < 3; ++a) s->correction_velocity[a] = -0.5 * s->kick[a];
  }
}

mote_result mote_contact_step(mote_contact_finder *finder, const mote_contact_scene *scene,
                              mote_contact_set *set, double *share, mote_arena *scratch,
                              mote_contact_report *report, mote_error *error) {
  MOTE_ASSERT(scene->bodies <= scene->obstacles);
  MOTE_ASSERT(scene->dt > 0.0);
  MOTE_ASSERT(share != NULL || scene->bodies == 0);
  MOTE_ASSERT(set->count <= set->capacity);
  mote_arena_mark mark = mote_arena_here(scratch);
  rounds r = {finder, scene, set, NULL, NULL, NULL, scratch, report, error};
  MOTE_TAKE(r.before, scratch, 6 * scene->bodies, error);
  MOTE_TAKE(r.start, scratch, 6 * scene->bodies, error);
  MOTE_TAKE(r.changed, scratch, scene->obstacles, error);
  mote_contact_velocities(scene, r.before);
  for (size_t k = 0; k < scene->bodies; ++k) share[k] = 1.0;
  MOTE_TRY(mote_contact_find(finder, scene, NULL, &finder->spare, error));
  mote_contact_warm_start(scene->threads, &finder->spare, set);
  mote_contact_set swap = *set;
  *set = finder->spare, finder->spare = swap;
  find_supported(scene, set);
  mote_result result = solve_all(&r, share);
  if (result == MOTE_OK) move_by_mean_velocities(scene, r.before);
  if (result == MOTE_OK) result = limit_overlaps(scene, set, scratch, share, error);
  mote_arena_release(scratch, mark);
  return result;
}
