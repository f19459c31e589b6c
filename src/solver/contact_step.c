// Contacts of one step: found, solved, and looked at again with the velocities that came out, for what moves
// far. Theory: docs/theory/bodies.md
#include "geom/triple.h"
#include "solver/contact_near.h"

#define ROUNDS 4
#define SAME_SIDE 0.95  // cosine of the angle between normals that say the same

// Whether the set has the record, or one of the same sample with nearly the same normal. *from: where to
// look; moved on.
static bool has(const mote_contact_set *set, const mote_contact *c, size_t *from) {
  while (*from < set->count && mote_contact_compare(set->contact + *from, c) < 0) ++*from;
  for (size_t k = *from; k < set->count && mote_contact_compare(set->contact + k, c) == 0; ++k) {
    if (dot3(set->contact[k].normal, c->normal) > SAME_SIDE) return true;
  }
  return false;
}

// Leaves in `found` what is not in `set`; how many.
static size_t keep_fresh(const mote_contact_set *set, mote_contact_set *found) {
  size_t from = 0, fresh = 0;
  for (size_t k = 0; k < found->count; ++k) {
    if (!has(set, found->contact + k, &from)) found->contact[fresh++] = found->contact[k];
  }
  return found->count = fresh;
}

// Both in order, into `set`, from behind.
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

// What would still enter something goes only as far as it may.
static void hold_back(const mote_contact_scene *scene, const mote_contact_set *fresh, double *share) {
  for (size_t k = 0; k < fresh->count; ++k) {
    const mote_contact *c = fresh->contact + k;
    const mote_solid *a = scene->solid + c->a, *b = scene->solid + c->b;
    double ra[3], rb[3], wa[3], wb[3], w[3];
    sub3(c->point, a->x, ra);
    sub3(c->point, b->x, rb);
    cross3(a->w, ra, wa);
    cross3(b->w, rb, wb);
    for (int i = 0; i < 3; ++i) w[i] = a->v[i] + wa[i] - b->v[i] - wb[i];
    double closing = -dot3(w, c->normal) * scene->dt, gap = max2(0.0, c->gap);
    if (!(closing > gap)) continue;
    double part = gap / closing;
    share[c->a] = min2(share[c->a], part);
    if (c->b < scene->bodies) share[c->b] = min2(share[c->b], part);
  }
}

// --- Velocities before the step, which every round begins with ----------------------------------------

static void copy_velocities(const mote_contact_scene *scene, double *to) {
  for (size_t k = 0; k < scene->bodies; ++k) {
    copy3(scene->solid[k].v, to + 6 * k);
    copy3(scene->solid[k].w, to + 6 * k + 3);
  }
}

static void restore_velocities(const mote_contact_scene *scene, const double *from) {
  for (size_t k = 0; k < scene->bodies; ++k) {
    copy3(from + 6 * k, scene->solid[k].v);
    copy3(from + 6 * k + 3, scene->solid[k].w);
  }
}

// Looks again with the velocities found, and solves again if something new is in the way.
static mote_result go_round(mote_contact_finder *finder, const mote_contact_scene *scene,
                            mote_contact_set *set, const double *velocity, double *share, mote_arena *scratch,
                            mote_contact_rows **rows, mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  for (int round = 1;; ++round) {
    MOTE_TRY(mote_contact_find(finder, scene, true, &finder->spare, error));
    if (keep_fresh(set, &finder->spare) == 0) return MOTE_OK;
    if (round == ROUNDS) break;
    MOTE_TRY(merge(&finder->env, set, &finder->spare, error));
    restore_velocities(scene, velocity);
    mote_arena_release(scratch, mark);
    MOTE_TRY(mote_contact_solve_rows(scene, set, true, scratch, rows, report, error));
  }
  hold_back(scene, &finder->spare, share);
  return MOTE_OK;
}

mote_result mote_contact_step(mote_contact_finder *finder, const mote_contact_scene *scene,
                              mote_contact_set *set, double *share, mote_arena *scratch,
                              mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  double *velocity = mote_arena_take(scratch, scene->bodies, 6 * sizeof *velocity);
  if (velocity == NULL) return mote_fail_memory(error, 6 * scene->bodies * sizeof *velocity);
  copy_velocities(scene, velocity);
  for (size_t k = 0; k < scene->bodies; ++k) share[k] = 1.0;
  MOTE_TRY(mote_contact_find(finder, scene, false, &finder->spare, error));
  mote_contact_warm(&finder->spare, set);
  mote_contact_set swap = *set;
  *set = finder->spare, finder->spare = swap;
  mote_contact_rows *rows = NULL;
  mote_result result = mote_contact_solve_rows(scene, set, false, scratch, &rows, report, error);
  if (result == MOTE_OK) {
    result = go_round(finder, scene, set, velocity, share, scratch, &rows, report, error);
  }
  if (result == MOTE_OK) mote_contact_push(rows, set);
  mote_arena_release(scratch, mark);
  return result;
}
