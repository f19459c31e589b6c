// Rigid bodies in a step: gravity (with the pressure of fluids), contacts, and where they go. Theory:
// docs/theory/bodies.md
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "world/rigid_bodies.h"
#include "world/spawn.h"
#include "world/stages.h"

#define GRAIN 64
#define BLOCK 4096  // contacts

// --- Impulses from step to step -----------------------------------------------------------------------

static void load_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_world *world = data;
  const mote_store *store = &world->now.store[MOTE_STATE_CONTACTS];
  for (size_t k = begin; k < end; ++k) {
    mote_contact *c = world->contacts.set.contact + k;
    *c = (mote_contact){.a = mote_store_u32(store, MOTE_CONTACT_A)[k],
                        .b = mote_store_u32(store, MOTE_CONTACT_B)[k],
                        .sample = mote_store_u32(store, MOTE_CONTACT_SAMPLE)[k],
                        .press = mote_store_f64(store, MOTE_CONTACT_PRESS)[k]};
    copy3(mote_store_f64(store, MOTE_CONTACT_DRAG) + 3 * k, c->drag);
  }
}

mote_result mote_contacts_load(mote_world *world, mote_error *error) {
  mote_contact_set *set = &world->contacts.set;
  size_t count = world->now.store[MOTE_STATE_CONTACTS].count[0];
  MOTE_TRY(mote_reserve(&world->env, &set->contact, &set->capacity, count, sizeof *set->contact, error));
  set->count = count;
  mote_parallel_for(world->env.threads, count, GRAIN, load_chunk, world);
  return MOTE_OK;
}

typedef struct save_job {
  const mote_contact_set *set;
  const mote_store *store;
  size_t *row;  // of each block: how many press; then where the first of these goes
} save_job;

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const save_job *job = data;
  size_t count = 0;
  for (size_t k = begin; k < end; ++k) count += job->set->contact[k].press > 0.0;
  job->row[begin / BLOCK] = count;
}

static void save_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const save_job *job = data;
  const mote_store *store = job->store;
  size_t row = job->row[begin / BLOCK];
  for (size_t k = begin; k < end; ++k) {
    const mote_contact *c = job->set->contact + k;
    if (!(c->press > 0.0)) continue;
    mote_store_u32(store, MOTE_CONTACT_A)[row] = c->a;
    mote_store_u32(store, MOTE_CONTACT_B)[row] = c->b;
    mote_store_u32(store, MOTE_CONTACT_SAMPLE)[row] = c->sample;
    mote_store_f64(store, MOTE_CONTACT_PRESS)[row] = c->press;
    copy3(c->drag, mote_store_f64(store, MOTE_CONTACT_DRAG) + 3 * row++);
  }
}

// Those that pressed.
static mote_result save_contacts(mote_world *world, mote_error *error) {
  const mote_contact_set *set = &world->contacts.set;
  size_t blocks = (set->count + BLOCK - 1) / BLOCK, count = 0;
  save_job job = {set, &world->now.store[MOTE_STATE_CONTACTS], NULL};
  job.row = mote_arena_take(&world->scratch, blocks, sizeof *job.row);
  if (job.row == NULL) return mote_fail_memory(error, blocks * sizeof *job.row);
  mote_parallel_for(world->env.threads, set->count, BLOCK, count_chunk, &job);
  for (size_t b = 0; b < blocks; ++b) {
    size_t own = job.row[b];
    job.row[b] = count;
    count += own;
  }
  MOTE_TRY(mote_store_resize(&world->now.store[MOTE_STATE_CONTACTS], 0, count, error));
  mote_parallel_for(world->env.threads, set->count, BLOCK, save_chunk, &job);
  return MOTE_OK;
}

// --- Bodies -------------------------------------------------------------------------------------------

void mote_rigid_weigh(mote_world *world) {
  const mote_store *store = &world->now.store[MOTE_STATE_RIGID];
  for (size_t k = 0; k < store->count[0]; ++k) {
    mote_rigid_pull(&mote_rigid_at(world, k)->rigid, mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k,
                    world->def.gravity, world->dt, mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k,
                    mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
  }
}

// What a body has after the contacts. Its momentum changes where its spin did, so that what touches nothing
// keeps it to the last bit.
static void take_over(const mote_rigid *rigid, const mote_solid *s, const double q[4], double v[3],
                      double L[3]) {
  double spin[3], change[3];
  mote_rigid_spin(rigid, q, L, spin);
  sub3(s->w, spin, change);
  copy3(s->v, v);
  if (length3(change) == 0.0) return;
  mote_rigid_momentum(rigid, q, s->w, L);
}

typedef struct move_job {
  const mote_world *world;
  const double *share;
} move_job;

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const move_job *job = data;
  const mote_world *world = job->world;
  const double *share = job->share;
  const mote_store *store = &world->now.store[MOTE_STATE_RIGID];
  for (size_t k = begin; k < end; ++k) {
    const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
    const mote_solid *s = world->contacts.solid + k;
    double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, push[3];
    double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    double *L = mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k;
    take_over(rigid, s, q, v, L);
    step3(x, world->dt * share[k], v, x);
    step3(x, world->dt, s->push_v, x);
    if (rigid->inverse_mass > 0.0) mote_domain_wrap(&world->domain, x);
    mote_rigid_turn(rigid, L, world->dt * share[k], q);
    for (int a = 0; a < 3; ++a) push[a] = world->dt * s->push_w[a];
    mote_rigid_rotate(push, q);
  }
}

// The fluid's contact asks for them.
static mote_result keep_poses(mote_world *world, mote_error *error) {
  size_t count = mote_world_items(world, MOTE_ITEM_RIGID);
  world->contacts.before = mote_arena_take(&world->scratch, count, sizeof *world->contacts.before);
  if (world->contacts.before == NULL) return mote_fail_memory(error, count * sizeof(mote_pose));
  for (size_t k = 0; k < count; ++k) world->contacts.before[k] = mote_rigid_body_pose(world, k);
  return MOTE_OK;
}

static mote_result check(mote_world *world, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_STATE_RIGID];
  for (size_t k = 0; k < store->count[0]; ++k) {
    const double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
    const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    const double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    if (finite3(x) && finite3(v) && finite3(q) && isfinite(q[3])) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "position or velocity of body \"%s\": %g",
                     mote_rigid_at(world, k)->name, (double)NAN);
  }
  return MOTE_OK;
}

mote_result mote_stage_bodies(mote_world *world, mote_error *error) {
  size_t count = mote_world_items(world, MOTE_ITEM_RIGID);
  mote_contact_scene scene;
  mote_contact_report report;
  if (count == 0) return MOTE_OK;
  double *share = mote_arena_take(&world->scratch, count, sizeof *share);
  if (share == NULL) return mote_fail_memory(error, count * sizeof *share);
  MOTE_TRY(keep_poses(world, error));
  MOTE_TRY(mote_contacts_load(world, error));
  MOTE_TRY(mote_rigid_solids(world, world->dt, &scene, error));
  MOTE_TRY(mote_contact_step(world->contacts.finder, &scene, &world->contacts.set, share, &world->scratch,
                             &report, error));
  world->report.contacts = world->contacts.set.count;
  world->report.contact_sweeps = report.sweeps;
  world->report.overlap = report.overlap;
  move_job moving = {world, share};
  mote_parallel_for(world->env.threads, count, GRAIN, move_chunk, &moving);
  MOTE_TRY(check(world, error));
  return save_contacts(world, error);
}
