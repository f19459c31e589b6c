// Direct solves of contacts: see contact_direct.h. Which islands are solved by Newton's method
// (contact_newton.h), and whether its result is accepted.
#include "contact/contact_direct.h"

#include "contact/contact_newton.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define BODIES_MAX 1024      // of an island
#define MOVING_BODIES_MAX 8  // of different masses, that are solved directly while they slide: MOVING_RATIO
#define SWEEPS_MORE 16       // of an island, before it is solved directly

// The result of the sweeps, restored if Newton's is rejected.
typedef struct found {
  mote_mover *mover;
  double (*impulse)[3];
} found;

static double sweep_island(const mote_newton *w, bool reversed) {
  double change = 0.0;
  size_t groups = w->island.groups;
  for (size_t g = 0; g < groups; ++g) {
    mote_contact_sweep how = {reversed, w->def->with_friction};
    change =
        max2(change, mote_contact_solve_group(w->s, w->island.group[reversed ? groups - 1 - g : g], how));
  }
  return change;
}

// Writes the impulses to rows and bodies: velocities are consistent with them up to rounding.
static void install(const mote_newton *w) {
  for (size_t k = 0; k < w->island.bodies; ++k) {
    uint32_t body = w->island.body[k];
    copy3(w->def->start + 6 * body, w->s->mover[body].v);
    copy3(w->def->start + 6 * body + 3, w->s->mover[body].w);
  }
  for (size_t n = 0; n < w->rows; ++n) {
    const mote_newton_row *r = w->row + n;
    mote_contact_set_impulse(w->s, r->number, r->impulse, w->def->with_friction);
    mote_contact_begin_row(w->s, r->number, w->def->with_friction);
  }
}

static mote_result save(const mote_newton *w, mote_arena *scratch, found *out, mote_error *error) {
  MOTE_TAKE(out->mover, scratch, w->island.bodies, error);
  MOTE_TAKE(out->impulse, scratch, w->rows, error);
  for (size_t k = 0; k < w->island.bodies; ++k) out->mover[k] = w->s->mover[w->island.body[k]];
  for (size_t n = 0; n < w->rows; ++n) {
    size_t number = w->row[n].number;
    const double *friction = w->s->tangent[number].friction_impulse;
    out->impulse[n][0] = w->s->row[number].normal_impulse;
    for (int k = 0; k < 2; ++k) out->impulse[n][k + 1] = w->def->with_friction ? friction[k] : 0.0;
  }
  return MOTE_OK;
}

static void restore(const mote_newton *w, const found *before) {
  for (size_t k = 0; k < w->island.bodies; ++k) w->s->mover[w->island.body[k]] = before->mover[k];
  for (size_t n = 0; n < w->rows; ++n)
    mote_contact_set_impulse(w->s, w->row[n].number, before->impulse[n], w->def->with_friction);
}

// Whether the changes of velocity are plausible: solutions of nearly contradictory conditions are not.
static bool is_sane(const mote_newton *w) {
  double most = w->def->violation * (double)w->island.bodies * BODY_CHANGE_MAX;
  for (size_t k = 0; k < w->island.bodies; ++k) {
    uint32_t body = w->island.body[k];
    double change = distance3(w->s->mover[body].v, w->def->start + 6 * body);
    if (!(change <= most)) return false;
  }
  return true;
}

// The largest relative velocity at contacts with an impulse: 0 if the island is at rest or moves rigidly.
static double sliding_speed(const mote_newton *w) {
  double most = 0.0;
  for (size_t g = 0; g < w->island.groups; ++g) {
    mote_contact_group of = w->s->group[w->island.group[g]];
    for (size_t k = of.first; k < of.first + of.count; ++k) {
      double v[3];
      if (!(w->s->row[k].normal_impulse > 0.0)) continue;
      mote_contact_row_velocity(w->s, k, v);
      most = max2(most, length3(v));
    }
  }
  return most;
}

// Mass ratio of the heaviest body to the lightest.
static double mass_ratio(const mote_newton *w) {
  double least = HUGE_VAL, most = 0.0;
  for (size_t k = 0; k < w->island.bodies; ++k) {
    double inverse = w->s->mass[w->island.body[k]].inverse_mass;
    if (inverse > 0.0) least = min2(least, inverse), most = max2(most, inverse);
  }
  return most > 0.0 ? most / least : 1.0;
}

static mote_result solve_island(mote_newton *w, mote_arena *scratch, bool *solved, mote_error *error) {
  found before;
  double left = HUGE_VAL;
  *solved = false;
  double sliding = sliding_speed(w);
  bool moves = w->def->with_friction && sliding > SLIDING_SPEED_MIN * w->def->small;
  if (moves && (w->island.bodies > MOVING_BODIES_MAX || mass_ratio(w) < MOVING_RATIO)) return MOTE_OK;
  w->need = max2(w->def->need, SLIDING_PART * sliding);
  for (int k = 0; k < SWEEPS_MORE && left > w->need; ++k) left = sweep_island(w, k % 2 != 0);
  if (!(left > w->need)) return MOTE_OK;
  MOTE_TRY(mote_newton_make_rows(w, scratch, error));
  MOTE_TRY(save(w, scratch, &before, error));
  // Friction that increases its own normal force may be unbounded: then its limits are prescribed.
  for (int follow = 1; follow >= 0 && !*solved; --follow) {
    if (mote_newton_solve(w, follow)) {
      install(w);
      double after = sweep_island(w, false);
      *solved = is_sane(w) && after < left &&
                (after < (follow ? ACCEPTED_CHANGE : ACCEPTED_GIVEN) * left || after < w->def->small);
      if (*solved) (void)sweep_island(w, true);
    }
    if (!*solved) restore(w, &before);
    if (!w->def->with_friction) break;
  }
  return MOTE_OK;
}

mote_result mote_contact_solve_direct(const mote_contact_rows *s, const mote_contact_direct *def,
                                      mote_arena *scratch, size_t *solved, mote_error *error) {
  MOTE_ASSERT(def->start != NULL || s->scene->bodies == 0);
  MOTE_ASSERT(def->need > 0.0);
  MOTE_ASSERT(def->islands != NULL);
  const mote_islands *islands = def->islands;
  size_t count = 0;
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < islands->count && result == MOTE_OK; ++k) {
    mote_arena_mark own = mote_arena_here(scratch);
    if (islands->bodies[k + 1] - islands->bodies[k] > BODIES_MAX) continue;
    mote_newton w = {.s = s, .def = def};
    bool better = false;
    result = mote_contact_order_island(s, islands, k, scratch, &w.island, error);
    bool small = w.island.cost < COST_PER_PAIR * (double)w.island.groups;
    if (result == MOTE_OK && small) result = solve_island(&w, scratch, &better, error);
    count += better;
    mote_arena_release(scratch, own);
  }
  if (solved != NULL) *solved = count;
  return result;
}
