// Rigid bodies in the solve of deformable ones: those that these may touch, and all that touch those,
// directly or through others, with the contacts among them and with walls and colliders as rows of the same
// solve. See elastic_contact.h; theory: docs/theory/contact.md, "Rigid bodies"
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "contact/contact_envelope.h"
#include "contact/contact_narrow.h"
#include "contact/elastic_contact_find.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define FACTOR_COST_MAX 1e8  // range: multiplications; beyond, bodies are not coupled in the preconditioner

// --- Finding ------------------------------------------------------------------------------------------

bool mote_elastic_contact_moves(const mote_obstacle *obstacle) {
  const double *m = obstacle->inverse_inertia;
  return obstacle->inverse_mass > 0.0 || m[0] + m[4] + m[8] > 0.0;
}

// Symmetric square root of the inverse inertia.
static void root_of(const double m[9], double root[9]) {
  double value[3], Q[9];
  memset(root, 0, 9 * sizeof *root);
  if (!mote_eigen3(m, value, Q)) return;
  for (int e = 0; e < 9; ++e) {
    for (int k = 0; k < 3; ++k) root[e] += sqrt(max2(0.0, value[k])) * Q[e / 3 * 3 + k] * Q[e % 3 * 3 + k];
  }
}

mote_result mote_elastic_contact_add_mover(mote_elastic_contact *s, const mote_contact_scene *scene,
                                           uint32_t k, mote_error *error) {
  const mote_obstacle *obstacle = scene->obstacle + k;
  MOTE_TRY(mote_reserve(&s->env, &s->mover, &s->mover_capacity, s->movers + 1, sizeof *s->mover, error));
  mote_elastic_contact_mover *m = s->mover + s->movers;
  *m = (mote_elastic_contact_mover){.obstacle = k, .root_mass = sqrt(obstacle->inverse_mass)};
  for (int a = 0; m->root_mass > 0.0 && a < 3; ++a) m->stop_rate[a] = -obstacle->v[a] / m->root_mass;
  root_of(obstacle->inverse_inertia, m->root_inertia);
  s->slot[k] = (uint32_t)s->movers++;
  return MOTE_OK;
}

static double restitution_of(const mote_obstacle *a, const mote_obstacle *b) {
  return isnan(b->restitution) ? a->restitution : max2(a->restitution, b->restitution);
}

// What arrives by itself and bounces is left to the impacts of rigid bodies; but not a body that deformable
// ones may press against something that does not give way.
static bool bounces(const mote_contact_scene *scene, const mote_contact *c, double closing) {
  return restitution_of(scene->obstacle + c->a, scene->obstacle + c->b) > 0.0 &&
         closing * scene->dt > c->gap && closing > 2.0 * scene->gravity * scene->dt;
}

// The impulses of the last tick as multipliers.
static void recall(const mote_elastic_contact *s, const mote_contact *c, mote_condition *condition) {
  if (s->former == NULL || !(s->former_tick > 0.0)) return;
  size_t k = mote_contact_lower_bound(s->former, 0, c);
  if (k == s->former->count || mote_contact_compare(s->former->contact + k, c) != 0) return;
  const mote_contact *last = s->former->contact + k;
  condition->normal = last->normal_impulse / s->former_tick;
  double along = dot3(c->normal, last->friction_impulse);
  step3(last->friction_impulse, -along, c->normal, condition->tangent);
  for (int a = 0; a < 3; ++a) condition->tangent[a] /= s->former_tick;
}

// `c` of two obstacles alone, those of `number` among all.
static mote_result add(mote_elastic_contact *s, const mote_contact_scene *two, const uint32_t number[2],
                       mote_contact c, mote_error *error) {
  double own[3], other[3];
  mote_elastic_contact_record t = {.i = UINT32_MAX,
                                   .other = (uint32_t)s->rigids,
                                   .mover = {s->slot[number[c.a]], s->slot[number[c.b]]},
                                   .meets = MOTE_MEETS_STIFF,
                                   .gap = c.gap};
  const mote_obstacle *a = two->obstacle + c.a, *b = two->obstacle + c.b;
  copy3(c.normal, t.normal);
  mote_contact_arms(two, &c, t.arm[0], t.arm[1]);
  cross3(a->w, t.arm[0], own), cross3(b->w, t.arm[1], other);
  step3(own, 1.0, a->v, own), step3(other, 1.0, b->v, other);
  sub3(other, own, t.motion);
  bool carries = t.mover[0] < s->carriers || t.mover[1] < s->carriers;
  bool gives = t.mover[0] != MOTE_NO_MOVER && t.mover[1] != MOTE_NO_MOVER;
  if ((gives || !carries) && bounces(two, &c, dot3(t.normal, t.motion))) return MOTE_OK;
  t.friction = mote_elastic_contact_mixed(a->friction, b->friction);
  c.a = number[c.a], c.b = number[c.b];
  recall(s, &c, &t.condition);
  MOTE_TRY(mote_reserve(&s->env, &s->rigid, &s->rigid_capacity, s->rigids + 1, sizeof *s->rigid, error));
  MOTE_TRY(mote_reserve(&s->env, &s->record, &s->record_capacity, s->records + 1, sizeof *s->record, error));
  s->rigid[s->rigids++] = c;
  s->record[s->records++] = t;
  return MOTE_OK;
}

// The contacts of mover m with the obstacle `other`, which becomes a mover where it moves.
static mote_result find_of(mote_elastic_contact *s, const mote_contact_scene *scene, size_t m, uint32_t other,
                           mote_error *error) {
  uint32_t own = s->mover[m].obstacle, number[2] = {own < other ? own : other, own < other ? other : own};
  mote_obstacle two[2] = {scene->obstacle[number[0]], scene->obstacle[number[1]]};
  mote_contact_scene pair = *scene;
  double between[3], reach = SUPPORT_DISTANCE_MAX * scene->spacing;
  pair.spacing = SUPPORT_DISTANCE_MAX * scene->spacing / MOTE_CONTACT_MARGIN;
  pair.obstacle = two, pair.bodies = number[1] < scene->bodies ? 2 : 1, pair.obstacles = 2;
  mote_contact_cache cache[2] = {mote_contact_cache_of(&pair, two), mote_contact_cache_of(&pair, two + 1)};
  for (size_t k = 0; k < pair.bodies; ++k) reach += cache[k].farthest + two[k].radius;
  if (pair.bodies == 2) {
    mote_contact_between(scene, two[0].x, two[1].x, between);
    if (length3(between) > reach) return MOTE_OK;
  } else if (mote_obstacle_distance(two + 1, 0.0, two[0].x, NULL) >
             reach + mote_obstacle_travel(two + 1, two[0].x, reach)) {
    return MOTE_OK;
  }
  mote_contact found[MOTE_CONTACT_PAIR_RECORDS];
  size_t count = mote_contact_find_pair(&pair, cache, (mote_contact_pair){0, 1}, false, found);
  if (count > 0 && s->slot[other] == MOTE_NO_MOVER && mote_elastic_contact_moves(scene->obstacle + other))
    MOTE_TRY(mote_elastic_contact_add_mover(s, scene, other, error));
  pair.spacing = scene->spacing;
  for (size_t k = 0; k < count; ++k) MOTE_TRY(add(s, &pair, number, found[k], error));
  return MOTE_OK;
}

// Those that are connected have the same `first`, the first part that any of them may touch.
static void find_parts(mote_elastic_contact *s) {
  for (size_t m = 0; m < s->movers; ++m) s->mover[m].part = UINT32_MAX;
  for (size_t k = 0; k < s->records && s->record[k].meets != MOTE_MEETS_STIFF; ++k) {
    uint32_t m = s->record[k].mover[1];
    if (m != MOTE_NO_MOVER && s->mover[m].part == UINT32_MAX) s->mover[m].part = s->part_of[s->record[k].i];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = s->records - s->rigids; k < s->records; ++k) {
      const uint32_t *m = s->record[k].mover;
      if (m[0] == MOTE_NO_MOVER || m[1] == MOTE_NO_MOVER) continue;
      uint32_t a = s->mover[m[0]].part, b = s->mover[m[1]].part, least = a < b ? a : b;
      changed = changed || a != b;
      s->mover[m[0]].part = s->mover[m[1]].part = least;
    }
  }
}

mote_result mote_elastic_contact_find_rigid(mote_elastic_contact *set, const mote_contact_scene *scene,
                                            mote_error *error) {
  MOTE_ASSERT(scene->dt > 0.0);
  mote_elastic_contact *s = set;
  s->rigids = 0, s->carriers = s->movers;
  for (size_t m = 0; m < s->movers; ++m) {
    for (uint32_t k = 0; k < scene->obstacles; ++k) {
      bool before = s->slot[k] != MOTE_NO_MOVER && s->slot[k] <= m;
      if (!before) MOTE_TRY(find_of(s, scene, m, k, error));
    }
  }
  find_parts(s);
  return mote_elastic_contact_reserve_factor(s, error);
}

// --- The preconditioner --------------------------------------------------------------------------------

// Movers are in an order in which neighbours are near: each follows those from which it was found.
mote_result mote_elastic_contact_reserve_factor(mote_elastic_contact *s, mote_error *error) {
  double cost = 0.0;
  size_t n = s->movers;
  MOTE_TRY(mote_reserve(&s->env, &s->factor_line, &s->factor_line_capacity, 7 * n + 1, sizeof *s->factor_line,
                        error));
  size_t *low = s->factor_line + 6 * n;
  for (size_t m = 0; m < n; ++m) low[m] = m;
  for (size_t k = s->records - s->rigids; k < s->records; ++k) {
    const uint32_t *m = s->record[k].mover;
    if (m[0] == MOTE_NO_MOVER || m[1] == MOTE_NO_MOVER) continue;
    uint32_t first = m[0] < m[1] ? m[0] : m[1], last = m[0] < m[1] ? m[1] : m[0];
    if (first < low[last]) low[last] = first;
  }
  for (size_t m = 0; m < n; ++m) cost += 216.0 * (double)((m - low[m] + 1) * (m - low[m] + 1));
  s->factor = (mote_island){.bodies = n, .low = low, .line = s->factor_line};
  for (size_t m = 0; m < n; ++m) {
    if (cost > FACTOR_COST_MAX) low[m] = m;
    for (size_t r = 6 * m; r < 6 * m + 6; ++r) {
      s->factor.line[r] = s->factor.entries;
      s->factor.entries += r - 6 * low[m] + 1;
    }
  }
  s->factored = false;
  return mote_reserve(&s->env, &s->factor_entry, &s->factor_capacity, s->factor.entries + 1,
                      sizeof *s->factor_entry, error);
}

// Motion of the record's point on a side with its mover's unknowns: three rows of six.
static void point_motion(const mote_elastic_contact *s, const mote_elastic_contact_record *t, int side,
                         double J[3][6]) {
  const mote_elastic_contact_mover *m = s->mover + t->mover[side];
  double sign = side == 0 ? 1.0 : -1.0;
  for (int c = 0; c < 3; ++c) {
    double turn[3] = {m->root_inertia[c], m->root_inertia[3 + c], m->root_inertia[6 + c]}, moved[3];
    cross3(turn, t->arm[side], moved);
    for (int a = 0; a < 3; ++a) {
      J[a][c] = a == c ? sign * m->root_mass : 0.0;
      J[a][3 + c] = sign * moved[a];
    }
  }
}

// The record's stiffness, in series with what its particles give.
static void stiffness_of(const mote_elastic_contact_record *t, double K[3][3]) {
  const double *D = t->tangent_stiffness;
  double give = t->meets == MOTE_MEETS_STIFF ? 0.0 : t->give[0], across = max2(D[0], max2(D[3], D[5]));
  double along = t->normal_stiffness / (1.0 + give * t->normal_stiffness), less = 1.0 / (1.0 + give * across);
  const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) K[a][b] = along * t->normal[a] * t->normal[b] + less * D[at[a][b]];
  }
}

static void add_block(mote_elastic_contact *s, const mote_elastic_contact_record *t, const double K[3][3],
                      int row, int column) {
  size_t r = t->mover[row], c = t->mover[column];
  double A[3][6], B[3][6], KB[3][6] = {{0}};
  if (c > r || c < s->factor.low[r]) return;
  point_motion(s, t, row, A), point_motion(s, t, column, B);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      for (int q = 0; q < 6; ++q) KB[a][q] += K[a][b] * B[b][q];
    }
  }
  for (size_t p = 0; p < 6; ++p) {
    double *line = s->factor_entry + s->factor.line[6 * r + p] + 6 * (c - s->factor.low[r]);
    for (size_t q = 0; q < (r == c ? p + 1 : 6); ++q)
      line[q] += A[0][p] * KB[0][q] + A[1][p] * KB[1][q] + A[2][p] * KB[2][q];
  }
}

void mote_elastic_contact_factorise(mote_elastic_contact *set) {
  mote_elastic_contact *s = set;
  memset(s->factor_entry, 0, s->factor.entries * sizeof *s->factor_entry);
  for (size_t r = 0; r < 6 * s->movers; ++r)
    s->factor_entry[s->factor.line[r] + r - 6 * s->factor.low[r / 6]] = s->inertia;
  for (size_t k = 0; k < s->records; ++k) {
    const mote_elastic_contact_record *t = s->record + k;
    double K[3][3];
    if (t->mover[0] == MOTE_NO_MOVER && t->mover[1] == MOTE_NO_MOVER) continue;
    stiffness_of(t, K);
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 2; ++column) {
        if (t->mover[row] == MOTE_NO_MOVER || t->mover[column] == MOTE_NO_MOVER) continue;
        add_block(s, t, (const double(*)[3])K, row, column);
      }
    }
  }
  s->factored = mote_envelope_factorise(&s->factor, s->factor_entry);
}

void mote_elastic_contact_precondition(void *user, const double *in, double *out) {
  const mote_elastic_contact *s = user;
  size_t n = 6 * s->movers;
  for (size_t k = 0; k < n; ++k) out[k] = s->factored ? in[k] : in[k] / s->inertia;
  if (s->factored) mote_envelope_solve(&s->factor, s->factor_entry, out);
  for (size_t k = n; k < n + 3 * (s->meetings - s->loose_meets); ++k)
    out[k] = in[k] / (s->inertia + s->loose_diagonal[(k - n) / 3]);
}

// --- The end of the tick --------------------------------------------------------------------------------

// Displacement and rotation of the tick that the final velocities do not account for. A body without impulses
// falls, as the step of rigid bodies moves it.
static void find_shift(const mote_elastic_contact *s, mote_elastic_contact_mover *mover,
                       const double *displacement) {
  double spin[3], rest[6] = {0};
  turn3(mover->root_inertia, mover->twist, spin);
  if (mover->met) {
    step3(displacement, -s->since * mover->root_mass, mover->impulse, rest);
    step3(displacement + 3, -s->since, spin, rest + 3);
  }
  turn3(mover->root_inertia, rest + 3, mover->turn);
  for (int a = 0; a < 3; ++a) mover->shift[a] = mover->root_mass * rest[a];
}

static void sum_of(mote_elastic_contact *s, size_t m) {
  mote_elastic_contact_mover *mover = s->mover + m;
  bool carries = false, stands = false;
  set3(0.0, 0.0, 0.0, mover->impulse), set3(0.0, 0.0, 0.0, mover->twist);
  for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
    const mote_elastic_contact_record *t = s->record + s->mover_record[k] / 2;
    int side = (int)(s->mover_record[k] % 2);
    double turn[3], sign = side == 0 ? 1.0 : -1.0;
    bool acts = dot3(t->impulse, t->impulse) > 0.0;
    cross3(t->arm[side], t->impulse, turn);
    step3(mover->impulse, sign, t->impulse, mover->impulse);
    step3(mover->twist, sign, turn, mover->twist);
    if (t->meets != MOTE_MEETS_STIFF) {
      carries = carries || acts;
    } else {
      stands = stands || (acts && t->mover[!side] == MOTE_NO_MOVER);
    }
    mover->met = mover->met || acts;
  }
  mover->pressed = carries && stands;
  find_shift(s, mover, s->displacement + 6 * m);
}

void mote_elastic_contact_end_rigid(mote_elastic_contact *set) {
  for (size_t m = 0; m < set->movers; ++m) set->mover[m].met = false, sum_of(set, m);
  for (size_t k = set->records - set->rigids; k < set->records; ++k) {
    const mote_elastic_contact_record *t = set->record + k;
    mote_contact *c = set->rigid + t->other;
    c->normal_impulse = dot3(t->normal, t->impulse);
    step3(t->impulse, -c->normal_impulse, t->normal, c->friction_impulse);
  }
}
