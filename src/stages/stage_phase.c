// Stage phase: melting and freezing. Rows of a lattice material move between the block of its melt, which is
// a fluid, and that of its lattice, with their ids, positions, velocities, masses and enthalpies. With latent
// heat by the liquid fraction, else by the rates of WIC06 (15) and (16). docs/theory/heat.md, "Phases".
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/random.h"
#include "geom/triple.h"
#include "kinds/lattice/lattice_bodies.h"
#include "matter/world_heat.h"
#include "stages/stages.h"
#include "stages/tuning.inc"

#define NO_ROW SIZE_MAX
#define NEIGHBOURS_MAX 64  // looked at around a particle that freezes

enum { SITES = MOTE_LATTICE_SITES, MELTING, FREEZING };

// One material in the stage. Rows are counted in its blocks.
typedef struct phases {
  mote_world *world;
  size_t material, melt, lattice;  // its number, and its blocks
  mote_material_item *item;
  mote_lattice_law law;
  mote_heat_law heat;
  uint32_t *melting, *freezing;  // rows
  size_t meltings, freezings;
  uint8_t *goes;  // of the rows of the lattice: whether it melts
  // Per freezing row, in the order of rows: nearest solid neighbour, object and fit.
  uint32_t *object;
  double *basis;
  mote_grid *grid;        // of the rows of the lattice and, behind them, of those that freeze
  const char *wrong;      // key of a formula that gave no number; null: none
  const double *wrong_x;  // and where
} phases;

static void *rows_of(const phases *p, int field, size_t block) {
  return mote_store_rows(mote_world_store(p->world), field, block);
}

// --- Rates ------------------------------------------------------------------------------------------------

static double random_of(const phases *p, uint64_t id, int what) {
  uint64_t stream = UINT64_C(1) << 62 | id << 1 | (what == FREEZING);
  return mote_random_unit(p->world->def.seed, stream, *mote_state_u64(&p->world->now, MOTE_WORLD_STEP));
}

// Rate, 1/s: by the formula of the key; else `number`, from the constant by (15) or (16).
static double rate_of(phases *p, const char *key, const mote_quantity *rate, const double x[3], double T,
                      double number) {
  double t = *mote_state_f64(&p->world->now, MOTE_WORLD_TIME), variable[5] = {x[0], x[1], x[2], t, T};
  double value = rate->formula != NULL ? mote_formula_value(rate->formula, variable) : number;
  if (isnan(value) && p->wrong == NULL) p->wrong = key, p->wrong_x = x;
  return value;
}

static bool melts_now(phases *p, size_t i) {
  size_t hold = ((const uint8_t *)rows_of(p, MOTE_LATTICE_HOLD, p->lattice))[i];
  if (hold != 0) return false;
  if (p->heat.latent > 0.0)
    return ((const float *)rows_of(p, MOTE_PARTICLE_LIQUID, p->lattice))[i] > MELTS_ABOVE;
  const double *x = (const double *)rows_of(p, MOTE_PARTICLE_POSITION, p->lattice) + 3 * i;
  double T = (double)((const float *)rows_of(p, MOTE_PARTICLE_TEMPERATURE, p->lattice))[i];
  double number = mote_melting_rate(p->item->melting_rate.constant, T, p->heat.melting);
  uint64_t id = ((const uint64_t *)rows_of(p, MOTE_PARTICLE_ID, p->lattice))[i];
  return mote_poisson_happens(rate_of(p, "melting_rate", &p->item->melting_rate, x, T, number), p->world->dt,
                              random_of(p, id, MELTING));
}

// Properties of the lattice around it; `T`: its temperature.
static mote_freezing surroundings(const phases *p, size_t i, double T) {
  const mote_heat_def *def = &p->item->def.heat;
  const double *x = (const double *)rows_of(p, MOTE_PARTICLE_POSITION, p->melt) + 3 * i;
  const float *v = (const float *)rows_of(p, MOTE_PARTICLE_VELOCITY, p->melt) + 3 * i;
  mote_freezing f = {.below = p->heat.freezing - T,
                     .least = def->freezing_neighbours,
                     .most = def->freezing_speed,
                     .bound = def->freezing_force};
  uint32_t near[NEIGHBOURS_MAX];
  size_t count = mote_grid_query(p->grid, x, FROZEN_NEIGHBOUR_DISTANCE * p->law.edge, near, NEIGHBOURS_MAX);
  size_t lattice_rows = mote_world_store(p->world)->block[p->lattice].count;
  if (lattice_rows == 0) return f;
  const double *at = rows_of(p, MOTE_PARTICLE_POSITION, p->lattice),
               *u = rows_of(p, MOTE_LATTICE_VELOCITY, p->lattice),
               *A = rows_of(p, MOTE_LATTICE_BASIS, p->lattice);
  double mean[3] = {0.0, 0.0, 0.0}, force[3] = {0.0, 0.0, 0.0};
  double k = p->law.young * p->law.volume / (p->law.edge * p->law.edge);
  for (size_t n = 0; n < count && n < NEIGHBOURS_MAX; ++n) {
    size_t j = near[n];
    if (j >= lattice_rows || p->goes[j]) continue;
    double r[3], inside[3], site[3];
    int s;
    ++f.neighbours;
    step3(mean, 1.0, u + 3 * j, mean);
    sub3(x, at + 3 * j, r);
    unturn3(A + 9 * j, r, inside);  // A is near a rotation
    (void)mote_lattice_nearest(&p->law, inside, &s);
    turn3(A + 9 * j, p->law.site[s < SITES ? s : 0], site);
    for (int a = 0; a < 3 && s < SITES; ++a) force[a] += p->law.weight[s] * k * (site[a] - r[a]);
  }
  if (f.neighbours == 0) return f;
  double apart[3];
  for (int a = 0; a < 3; ++a) apart[a] = (double)v[a] - mean[a] / f.neighbours;
  f.speed = length3(apart), f.force = length3(force);
  return f;
}

static bool freezes_now(phases *p, size_t i) {
  if (p->heat.latent > 0.0)
    return ((const float *)rows_of(p, MOTE_PARTICLE_LIQUID, p->melt))[i] < FREEZES_BELOW;
  const double *x = (const double *)rows_of(p, MOTE_PARTICLE_POSITION, p->melt) + 3 * i;
  double T = (double)((const float *)rows_of(p, MOTE_PARTICLE_TEMPERATURE, p->melt))[i], number = 0.0;
  if (p->item->freezing_rate.formula == NULL) {
    if (!(T < p->heat.freezing)) return false;
    mote_freezing f = surroundings(p, i, T);
    number = mote_freezing_rate(p->item->freezing_rate.constant, &f);
  }
  uint64_t id = ((const uint64_t *)rows_of(p, MOTE_PARTICLE_ID, p->melt))[i];
  return mote_poisson_happens(rate_of(p, "freezing_rate", &p->item->freezing_rate, x, T, number),
                              p->world->dt, random_of(p, id, FREEZING));
}

// --- Who goes ---------------------------------------------------------------------------------------------

static mote_result take_lists(phases *p, mote_error *error) {
  const mote_store *store = mote_world_store(p->world);
  size_t lattice_rows = store->block[p->lattice].count, melt = store->block[p->melt].count;
  MOTE_TAKE(p->melting, &p->world->scratch, lattice_rows + 1, error);
  MOTE_TAKE(p->freezing, &p->world->scratch, melt + 1, error);
  MOTE_TAKE(p->goes, &p->world->scratch, lattice_rows + 1, error);
  return MOTE_OK;
}

static mote_result choose(phases *p, mote_error *error) {
  const mote_store *store = mote_world_store(p->world);
  size_t lattice_rows = store->block[p->lattice].count, melt = store->block[p->melt].count;
  MOTE_TRY(take_lists(p, error));
  for (size_t i = 0; i < lattice_rows; ++i) {
    p->goes[i] = melts_now(p, i);
    if (p->goes[i]) p->melting[p->meltings++] = (uint32_t)i;
  }
  if (p->heat.latent == 0.0 && melt > 0)
    MOTE_TRY(mote_grid_build(p->grid,
                             lattice_rows > 0 ? rows_of(p, MOTE_PARTICLE_POSITION, p->lattice) : NULL,
                             lattice_rows, error));
  for (size_t i = 0; i < melt; ++i)
    if (freezes_now(p, i)) p->freezing[p->freezings++] = (uint32_t)i;
  if (p->wrong == NULL) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "the %s of \"%s\" is not a number at (%g, %g, %g)", p->wrong,
                   p->item->def.name, p->wrong_x[0], p->wrong_x[1], p->wrong_x[2]);
}

// --- Objects and lattices of what freezes ------------------------------------------------------------------

// The rotation of the first site of the lattice to the direction r.
static void turn_towards(const phases *p, const double r[3], double R[9]) {
  double from[3], to[3], axis[3], length = length3(r), own = length3(p->law.site[0]);
  const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(R, one, sizeof one);
  if (!(length > 0.0)) return;
  for (int a = 0; a < 3; ++a) from[a] = p->law.site[0][a] / own, to[a] = r[a] / length;
  cross3(from, to, axis);
  double c = dot3(from, to);
  if (c < -0.999999) return;  // the opposite site lies there
  const double K[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
  for (int e = 0; e < 9; ++e) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) square += K[e / 3 * 3 + k] * K[3 * k + e % 3];
    R[e] += K[e] + square / (1.0 + c);
  }
}

// The nearest solid neighbour of candidate c, or, with `any`, the nearest of all candidates: its number in
// the grid. `from`: its offset.
static size_t nearest_to(const phases *p, const double *position, size_t lattice_rows, size_t c, bool any,
                         double from[3]) {
  uint32_t near[NEIGHBOURS_MAX];
  const double *x = position + 3 * (lattice_rows + c);
  size_t count = mote_grid_query(p->grid, x, FROZEN_NEIGHBOUR_DISTANCE * p->law.edge, near, NEIGHBOURS_MAX),
         best = NO_ROW;
  double least = HUGE_VAL;
  for (size_t n = 0; n < count && n < NEIGHBOURS_MAX; ++n) {
    size_t j = near[n];
    double r[3];
    bool lattice = j < lattice_rows ? !p->goes[j] : p->object[j - lattice_rows] != 0;
    if (j == lattice_rows + c || !(lattice || (any && j >= lattice_rows))) continue;
    mote_domain_difference(&p->world->domain, position + 3 * j, x, r);
    if (!(dot3(r, r) < least)) continue;
    least = dot3(r, r), best = j;
    copy3(r, from);
  }
  return best;
}

// Candidates next to solid particles join them, one after the other; the first of the remaining ones begins a
// new object.
static void assign_objects(phases *p, const double *position, size_t lattice_rows) {
  const uint32_t *object = lattice_rows > 0 ? rows_of(p, MOTE_LATTICE_OBJECT, p->lattice) : NULL;
  const double *A = lattice_rows > 0 ? rows_of(p, MOTE_LATTICE_BASIS, p->lattice) : NULL;
  size_t left = p->freezings, first = 0;
  while (left > 0) {
    size_t before = left;
    for (size_t c = first; c < p->freezings; ++c) {
      double r[3];
      if (p->object[c] != 0) continue;
      size_t j = nearest_to(p, position, lattice_rows, c, false, r);
      if (j == NO_ROW) continue;
      p->object[c] = j < lattice_rows ? object[j] : p->object[j - lattice_rows];
      memcpy(p->basis + 9 * c, j < lattice_rows ? A + 9 * j : p->basis + 9 * (j - lattice_rows),
             9 * sizeof(double));
      --left;
    }
    while (first < p->freezings && p->object[first] != 0) ++first;
    if (left == 0 || left < before) continue;
    double r[3] = {0.0, 0.0, 0.0};
    (void)nearest_to(p, position, lattice_rows, first, true, r);
    turn_towards(p, r, p->basis + 9 * first);
    uint64_t number = (*mote_state_u64(&p->world->now, MOTE_WORLD_OBJECTS))++;
    p->object[first] = UINT32_C(1) << 31 | (uint32_t)number;  // bodies have the numbers below
    --left;
  }
}

// Object of a row of the grid: 0 where it melts.
static uint32_t object_at(const phases *p, size_t lattice_rows, size_t row) {
  if (row >= lattice_rows) return p->object[row - lattice_rows];
  return p->goes[row] ? 0 : ((const uint32_t *)rows_of(p, MOTE_LATTICE_OBJECT, p->lattice))[row];
}

static bool is_near(const phases *p, const double *position, size_t lattice_rows, size_t row,
                    uint32_t object) {
  uint32_t near[NEIGHBOURS_MAX];
  size_t count = mote_grid_query(p->grid, position + 3 * row, FROZEN_NEIGHBOUR_DISTANCE * p->law.edge, near,
                                 NEIGHBOURS_MAX);
  bool found = false;
  for (size_t n = 0; n < count && n < NEIGHBOURS_MAX; ++n)
    found = found || object_at(p, lattice_rows, near[n]) == object;
  return found;
}

// Merges two objects. Rows where they touch start soft, like freshly frozen ones, because their lattices do
// not match.
static void join_objects(phases *p, const double *position, size_t lattice_rows, uint32_t from, uint32_t to) {
  uint32_t *object = lattice_rows > 0 ? rows_of(p, MOTE_LATTICE_OBJECT, p->lattice) : NULL;
  float *fraction = lattice_rows > 0 ? rows_of(p, MOTE_LATTICE_FRACTION, p->lattice) : NULL;
  for (size_t i = 0; i < lattice_rows; ++i) {
    if (object[i] == from && is_near(p, position, lattice_rows, i, to)) fraction[i] = FIRST_STIFFNESS;
  }
  for (size_t i = 0; i < lattice_rows; ++i) object[i] = object[i] == from ? to : object[i];
  for (size_t c = 0; c < p->freezings; ++c) p->object[c] = p->object[c] == from ? to : p->object[c];
}

// A particle that freezes between two objects merges them: the lower number stays.
static void bridge_objects(phases *p, const double *position, size_t lattice_rows) {
  for (size_t c = 0; c < p->freezings; ++c) {
    uint32_t near[NEIGHBOURS_MAX];
    size_t count = mote_grid_query(p->grid, position + 3 * (lattice_rows + c),
                                   OBJECT_BRIDGE_DISTANCE * p->law.edge, near, NEIGHBOURS_MAX);
    for (size_t n = 0; n < count && n < NEIGHBOURS_MAX; ++n) {
      uint32_t own = p->object[c], other = object_at(p, lattice_rows, near[n]);
      if (other != 0 && other != own)
        join_objects(p, position, lattice_rows, own > other ? own : other, own > other ? other : own);
    }
  }
}

static mote_result find_objects(phases *p, mote_error *error) {
  const mote_store *store = mote_world_store(p->world);
  size_t lattice_rows = store->block[p->lattice].count, n = p->freezings;
  MOTE_TAKE_NEW(double, position, &p->world->scratch, 3 * (lattice_rows + n), error);
  MOTE_TAKE(p->object, &p->world->scratch, n, error);
  MOTE_TAKE(p->basis, &p->world->scratch, 9 * n, error);
  if (lattice_rows > 0) memcpy(position, rows_of(p, MOTE_PARTICLE_POSITION, p->lattice), 24 * lattice_rows);
  const double *x = rows_of(p, MOTE_PARTICLE_POSITION, p->melt);
  for (size_t c = 0; c < n; ++c) {
    copy3(x + 3 * (size_t)p->freezing[c], position + 3 * (lattice_rows + c));
    p->object[c] = 0;
  }
  MOTE_TRY(mote_grid_build(p->grid, position, lattice_rows + n, error));
  assign_objects(p, position, lattice_rows);
  bridge_objects(p, position, lattice_rows);
  return MOTE_OK;
}

// --- Rows that move ----------------------------------------------------------------------------------------

static mote_result note(phases *p, const uint32_t *rows, size_t count, size_t block, bool froze,
                        mote_error *error) {
  mote_world_heat *heat = &p->world->heat;
  const uint64_t *id = rows_of(p, MOTE_PARTICLE_ID, block);
  MOTE_TRY(mote_reserve(&p->world->env, &heat->event, &heat->event_capacity, heat->events + count,
                        sizeof *heat->event, error));
  for (size_t k = 0; k < count; ++k) heat->event[heat->events++] = (mote_phase_event){id[rows[k]], froze};
  *mote_state_u64(&p->world->now, froze ? MOTE_WORLD_FROZEN : MOTE_WORLD_MELTED) += count;
  return MOTE_OK;
}

static mote_result freeze(phases *p, mote_error *error) {
  mote_store *store = mote_world_store(p->world);
  size_t n = p->freezings, old = store->block[p->lattice].count;
  if (n == 0) return MOTE_OK;
  MOTE_TRY(find_objects(p, error));
  MOTE_TRY(note(p, p->freezing, n, p->melt, true, error));
  MOTE_TRY(mote_store_move(store, p->freezing, n, p->melt, p->lattice, &p->world->scratch, error));
  uint32_t *object = (uint32_t *)rows_of(p, MOTE_LATTICE_OBJECT, p->lattice) + old;
  double *basis = (double *)rows_of(p, MOTE_LATTICE_BASIS, p->lattice) + 9 * old;
  float *fraction = (float *)rows_of(p, MOTE_LATTICE_FRACTION, p->lattice) + old;
  float *rate = mote_store_has(store, MOTE_LATTICE_DOCKING, p->lattice)
                    ? (float *)rows_of(p, MOTE_LATTICE_DOCKING, p->lattice) + SITES * old
                    : NULL;
  for (size_t c = 0; c < n; ++c) {
    object[c] = p->object[c];
    memcpy(basis + 9 * c, p->basis + 9 * c, 9 * sizeof *basis);
    fraction[c] = FIRST_STIFFNESS;
    for (int s = 0; s < SITES && rate != NULL; ++s)
      rate[SITES * c + (size_t)s] = (float)p->item->def.lattice.docking_rate;
  }
  return MOTE_OK;
}

static mote_result melt(phases *p, mote_error *error) {
  mote_store *store = mote_world_store(p->world);
  size_t n = p->meltings, old = store->block[p->melt].count;
  if (n == 0) return MOTE_OK;
  MOTE_TRY(note(p, p->melting, n, p->lattice, false, error));
  MOTE_TRY(mote_store_move(store, p->melting, n, p->lattice, p->melt, &p->world->scratch, error));
  float *acceleration = (float *)rows_of(p, MOTE_PARTICLE_ACCELERATION, p->melt) + 3 * old;
  float *density = (float *)rows_of(p, MOTE_PARTICLE_DENSITY, p->melt) + old;
  float *wall = (float *)rows_of(p, MOTE_PARTICLE_WALL_DISTANCE, p->melt) + old;
  for (size_t k = 0; k < n; ++k) {
    acceleration[3 * k] = acceleration[3 * k + 1] = acceleration[3 * k + 2] = 0.0f;
    density[k] = (float)p->item->def.density, wall[k] = 0.0f;
  }
  return MOTE_OK;
}

static mote_result change(phases *p, mote_error *error) {
  MOTE_TRY(choose(p, error));
  MOTE_TRY(freeze(p, error));
  return melt(p, error);
}

mote_result mote_stage_phase(mote_world *world, mote_error *error) {
  if (!world->def.heat) return MOTE_OK;
  world->heat.events = 0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    mote_material_item *item = mote_material_at(world, k);
    if (!mote_world_melts(world, &item->def)) continue;
    phases p = {.world = world,
                .material = k,
                .melt = k,
                .lattice = mote_lattice_block(world, k),
                .item = item,
                .law = mote_lattice_law_of(world, k),
                .heat = mote_material_heat_law(&item->def),
                .grid = world->heat.grid};
    if (p.grid == NULL) return MOTE_OK;  // nothing is there yet
    mote_arena_mark mark = mote_arena_here(&world->scratch);
    MOTE_TRY(change(&p, error));
    mote_arena_release(&world->scratch, mark);
  }
  return MOTE_OK;
}
