// The energy ledger: see ledger.h.
#include "matter/ledger.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "matter/kind.h"

static const char *const groups[] = {"all"};
static const mote_field ledger_field[] = {MOTE_LEDGER_FIELDS(MOTE_FIELD_ENTRY)};
const mote_table mote_ledger_table = {"ledger", ledger_field, MOTE_LEDGER_FIELD_COUNT, groups, 1, -1, 1};

// --- Energy of all matter -----------------------------------------------------------------------------

typedef struct matter {
  const double *position, *gravity;
  const float *velocity, *mass, *shift;                // of fluids; shift may be null
  const double *elastic_velocity, *elastic_mass;       // of elastic bodies
  const float *acceleration, *viscous, *with_tension;  // after all forces, and those kept on the way
  const float *field;                                  // acceleration by force fields; null: none
  double dt;
} matter;

static matter fluid_matter(const mote_world *world, size_t first, const float *shift) {
  const mote_store *store = mote_world_store(world);
  return (matter){.position = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first,
                  .gravity = world->def.gravity,
                  .velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first,
                  .mass = mote_store_f32(store, MOTE_PARTICLE_MASS) + first,
                  .shift = shift,
                  .dt = world->dt};
}

// The difference is rounded to float as mote_shift_settle does.
static inline void own_velocity(const matter *m, size_t i, double v[3]) {
  for (size_t a = 0; a < 3; ++a) {
    float own = m->velocity[3 * i + a];
    if (m->shift != NULL) own -= m->shift[3 * i + a];
    v[a] = (double)own;
  }
}

static void fluid_rows(void *data, size_t begin, size_t end, double *term) {
  const matter *m = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    double v[3];
    own_velocity(m, i, v);
    *term = (double)m->mass[i] * (0.5 * dot3(v, v) - dot3(m->gravity, m->position + 3 * i));
  }
}

static void elastic_rows(void *data, size_t begin, size_t end, double *term) {
  const matter *m = data;
  for (size_t i = begin; i < end; ++i, term += 2) {
    const double *v = m->elastic_velocity + 3 * i;
    term[0] = m->elastic_mass[i] * (0.5 * dot3(v, v) - dot3(m->gravity, m->position + 3 * i));
    term[1] = m->elastic_mass[i] * dot3(m->gravity, v);
  }
}

static double fluid_energy(const mote_world *world, size_t first, size_t count, const float *shift) {
  double sum = 0.0;
  if (count == 0) return sum;
  matter m = fluid_matter(world, first, shift);
  mote_parallel_sum(world->env.threads, count, 1, fluid_rows, &m, &sum);
  return sum;
}

// Energy of a kind but for what is stored, and the power of gravity.
static void kind_sums(const mote_world *world, mote_kind kind, double sum[2]) {
  const mote_kind_row *row = mote_kind_row_of(world, kind);
  sum[0] = sum[1] = 0.0;
  if (row->energy != NULL) {
    row->energy(world, sum);
    return;
  }
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  matter m = {.position = p.position,
              .gravity = world->def.gravity,
              .elastic_velocity = p.velocity,
              .elastic_mass = p.mass};
  if (p.count > 0 && !row->is_liquid)
    mote_parallel_sum(world->env.threads, p.count, 2, elastic_rows, &m, sum);
}

static double all_energy(const mote_world *world) {
  double all = fluid_energy(world, 0, mote_world_fluid_rows(world), world->fluid.shift);
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    double sum[2];
    kind_sums(world, (mote_kind)kind, sum);
    bool there = mote_kind_particles_of(world, (mote_kind)kind).count > 0;
    all += sum[0] + (there ? world->stored_energy[kind] : 0.0);
  }
  return all;
}

// Of deformation, as of now: it changes in stages that move solids alone.
static void measure_stored(mote_world *world) {
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    world->stored_energy[kind] = row->stored_energy != NULL ? row->stored_energy(world) : 0.0;
  }
}

// Where it is kept, and within a step only.
static bool counts(const mote_world *world) {
  return world->stepping && mote_ledger_value(world, MOTE_LEDGER_LAST) != NULL;
}

// --- Entries ------------------------------------------------------------------------------------------

void mote_ledger_begin(mote_world *world) {
  world->fluid.counts_wall_work = counts(world);
  if (!counts(world)) return;
  double *last = mote_ledger_value(world, MOTE_LEDGER_LAST);
  world->fluid.shift = NULL;  // a step that failed may have left one
  world->fluid.wall_work = 0.0;
  world->field_acceleration = NULL;
  double *lattices = mote_ledger_value(world, MOTE_LEDGER_LATTICES);
  if (isnan(*last)) *lattices = world->lattice_energy;
  world->lattice_energy = *lattices;  // after a step that failed, and in a resumed world
  measure_stored(world);
  if (isnan(*last)) *last = all_energy(world);
  mote_ledger_book(world, MOTE_LEDGER_OUTSIDE);
}

void mote_ledger_book(mote_world *world, int entry) {
  MOTE_ASSERT(entry >= MOTE_LEDGER_NONE && entry < MOTE_LEDGER_CHANGES);
  if (!counts(world) || entry == MOTE_LEDGER_NONE) return;
  double *last = mote_ledger_value(world, MOTE_LEDGER_LAST);
  if (entry == MOTE_LEDGER_DEFORMING) {
    measure_stored(world);
    *mote_ledger_value(world, MOTE_LEDGER_LATTICES) = world->lattice_energy;
  }
  double energy = all_energy(world);
  *mote_ledger_value(world, entry) += energy - *last;
  *last = energy;
  *mote_ledger_value(world, MOTE_LEDGER_WORK_WALLS) += world->fluid.wall_work;
  world->fluid.wall_work = 0.0;
}

// Part of the change since the last entry.
static void book_part(mote_world *world, int entry, double energy) {
  *mote_ledger_value(world, entry) += energy;
  *mote_ledger_value(world, MOTE_LEDGER_LAST) += energy;
}

// --- Forces -------------------------------------------------------------------------------------------

mote_result mote_ledger_keep_forces(mote_world *world, bool tension, mote_error *error) {
  size_t numbers = 3 * world->fluid.count;
  if (!counts(world)) return MOTE_OK;
  MOTE_TAKE_NEW(float, kept, &world->scratch, numbers, error);
  memcpy(kept, world->fluid.acceleration, numbers * sizeof *kept);
  world->kept_forces[tension] = kept;
  return MOTE_OK;
}

enum { BY_VISCOSITY, BY_TENSION, BY_FIELDS, FORCES };

// Work of each force: v is the velocity in the middle of the step, as if pressure did not act.
static void force_rows(void *data, size_t begin, size_t end, double *term) {
  const matter *m = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(FORCES)) {
    for (size_t k = 3 * i; k < 3 * i + 3; ++k) {
      double all = (double)m->acceleration[k], viscous = (double)m->viscous[k],
             tension = (double)m->with_tension[k];
      double scale = (double)m->mass[i] * m->dt * ((double)m->velocity[k] - 0.5 * m->dt * all);
      term[BY_VISCOSITY] += scale * (viscous - (double)(float)m->gravity[k - 3 * i]);
      term[BY_TENSION] += scale * (tension - viscous);
      term[BY_FIELDS] += scale * (all - tension);
    }
  }
}

static void subtract_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_world *world = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k)
    world->field_acceleration[k] = world->fluid.acceleration[k] - world->field_acceleration[k];
}

// Keeps the accelerations by force fields, in place of those with tension.
static void keep_fields(mote_world *world) {
  world->field_acceleration = world->kept_forces[1];
  world->kept_forces[1] = NULL;
  mote_parallel_for(world->env.threads, world->fluid.count, MOTE_FLUID_LIGHT_GRAIN, subtract_chunk, world);
}

void mote_ledger_book_forces(mote_world *world) {
  if (!counts(world)) return;
  if (world->fluid.count > 0) {
    double sum[FORCES];
    matter m = fluid_matter(world, 0, NULL);
    m.acceleration = world->fluid.acceleration;
    m.viscous = world->kept_forces[0], m.with_tension = world->kept_forces[1];
    mote_parallel_sum(world->env.threads, world->fluid.count, FORCES, force_rows, &m, sum);
    book_part(world, MOTE_LEDGER_VISCOSITY, sum[BY_VISCOSITY]);
    book_part(world, MOTE_LEDGER_TENSION, sum[BY_TENSION]);
    book_part(world, MOTE_LEDGER_FORCE_FIELDS, sum[BY_FIELDS]);
    keep_fields(world);
  }
  mote_ledger_book(world, MOTE_LEDGER_GRAVITY);
}

// --- Motion -------------------------------------------------------------------------------------------

enum { OF_SHIFT, OF_VELOCITY, FIELD_OF_SHIFT, FIELD_OF_VELOCITY, MOTIONS };

// Power of gravity and of force fields.
static void motion_rows(void *data, size_t begin, size_t end, double *term) {
  const matter *m = data;
  for (size_t i = begin; i < end; ++i, term += MOTIONS) {
    double v[3], mass = (double)m->mass[i];
    own_velocity(m, i, v);
    term[OF_VELOCITY] = mass * dot3(m->gravity, v);
    for (size_t a = 0; a < 3 && m->shift != NULL; ++a)
      term[OF_SHIFT] += mass * (m->gravity[a] * (double)m->shift[3 * i + a]);
    for (size_t a = 0; a < 3 && m->field != NULL; ++a) {
      double force = mass * (double)m->field[3 * i + a];
      term[FIELD_OF_VELOCITY] += force * v[a];
      if (m->shift != NULL) term[FIELD_OF_SHIFT] += force * (double)m->shift[3 * i + a];
    }
  }
}

void mote_ledger_book_shift(mote_world *world) {
  if (!counts(world)) return;
  double sum[MOTIONS] = {0.0}, obstacles = 0.0;
  size_t count = mote_world_fluid_rows(world);
  matter m = fluid_matter(world, 0, world->fluid.shift);
  m.field = world->field_acceleration;
  world->field_acceleration = NULL;
  if (count > 0) mote_parallel_sum(world->env.threads, count, MOTIONS, motion_rows, &m, sum);
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    double own[2];
    kind_sums(world, (mote_kind)kind, own);
    obstacles += own[1];
  }
  *mote_ledger_value(world, MOTE_LEDGER_WORK_GRAVITY) += world->dt * (sum[OF_VELOCITY] + obstacles);
  *mote_ledger_value(world, MOTE_LEDGER_WORK_FIELDS) += world->dt * sum[FIELD_OF_VELOCITY];
  *mote_ledger_value(world, MOTE_LEDGER_WORK_SHIFT) += world->dt * sum[FIELD_OF_SHIFT];
  book_part(world, MOTE_LEDGER_SHIFT, -world->dt * sum[OF_SHIFT]);
}

void mote_ledger_add_emitted(mote_world *world, size_t first, size_t count) {
  if (counts(world))
    *mote_ledger_value(world, MOTE_LEDGER_WORK_EMITTERS) += fluid_energy(world, first, count, NULL);
}

// --- Snapshots ----------------------------------------------------------------------------------------

static mote_store *find_store(const mote_state *state) {
  size_t t = mote_state_find(state, mote_ledger_table.name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

mote_result mote_ledger_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error) {
  size_t index;
  bool listed = false;
  for (size_t e = 0; e < head->tables; ++e)
    listed = listed || strcmp(head->entry[e].name, mote_ledger_table.name) == 0;
  return listed ? mote_state_register(state, &mote_ledger_table, &index, error) : MOTE_OK;
}

bool mote_ledger_possible(const mote_state *state) {
  const mote_store *store = find_store(state);
  return store == NULL || (store->blocks == 1 && store->count[0] <= 1);
}

mote_result mote_ledger_match(const mote_world *world, mote_state *state, mote_error *error) {
  mote_store *store = find_store(state);
  if (store == NULL) return MOTE_OK;
  bool kept = mote_ledger_value(world, MOTE_LEDGER_LAST) != NULL;
  return mote_store_resize(store, 0, kept ? 1 : 0, error);
}

// --- For the program ----------------------------------------------------------------------------------

mote_result mote_world_keep_ledger(mote_world *world, bool keep, mote_error *error) {
  if (world == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "world must not be NULL");
  bool kept = mote_ledger_value(world, MOTE_LEDGER_LAST) != NULL;
  if (keep == kept) return MOTE_OK;
  if (world->ledger == 0)
    MOTE_TRY(mote_state_register(&world->now, &mote_ledger_table, &world->ledger, error));
  world->has_frame = false;
  return mote_store_resize(&world->now.store[world->ledger], 0, keep ? 1 : 0, error);
}

bool mote_world_ledger(const mote_world *world, int k, mote_ledger_entry *out) {
  if (world == NULL || out == NULL || k < 0 || k >= MOTE_LEDGER_LAST) return false;
  const double *value = mote_ledger_value(world, k);
  if (value == NULL) return false;
  *out = (mote_ledger_entry){ledger_field[k].name, ledger_field[k].text, k >= MOTE_LEDGER_CHANGES, *value};
  return true;
}
