// Stage of rigid bodies: contacts, and motion. Theory: docs/theory/bodies.md
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/contact_names.h"
#include "search/domain.h"

#define ROWS_PER_CHUNK 64
#define CONTACTS_PER_BLOCK 4096

// --- Contact impulses in the state -------------------------------------------------------------------

typedef struct save_job {
  const mote_world *world;
  const mote_contact_set *set;
  const mote_store *store;
  size_t *row;  // per block: number of contacts with an impulse; then the row of the first
} save_job;

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const save_job *job = data;
  size_t count = 0;
  for (size_t k = begin; k < end; ++k) count += job->set->contact[k].normal_impulse > 0.0;
  job->row[begin / CONTACTS_PER_BLOCK] = count;
}

static void save_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const save_job *job = data;
  const mote_store *store = job->store;
  size_t row = job->row[begin / CONTACTS_PER_BLOCK];
  for (size_t k = begin; k < end; ++k) {
    const mote_contact *c = job->set->contact + k;
    if (!(c->normal_impulse > 0.0)) continue;
    mote_store_u32(store, MOTE_CONTACT_A)[row] = mote_obstacle_name(job->world, c->a);
    mote_store_u32(store, MOTE_CONTACT_B)[row] = mote_obstacle_name(job->world, c->b);
    mote_store_u32(store, MOTE_CONTACT_SAMPLE)[row] = c->sample;
    mote_store_f64(store, MOTE_CONTACT_NORMAL_IMPULSE)[row] = c->normal_impulse;
    copy3(c->friction_impulse, mote_store_f64(store, MOTE_CONTACT_FRICTION_IMPULSE) + 3 * row++);
  }
}

// Saves the contacts with an impulse.
static mote_result save_contacts(mote_world *world, mote_error *error) {
  const mote_contact_set *set = &world->contacts.set;
  size_t blocks = (set->count + CONTACTS_PER_BLOCK - 1) / CONTACTS_PER_BLOCK, count = 0;
  save_job job = {world, set, &world->now.store[MOTE_TABLE_CONTACTS], NULL};
  MOTE_TAKE(job.row, &world->scratch, blocks, error);
  mote_parallel_for(world->env.threads, set->count, CONTACTS_PER_BLOCK, count_chunk, &job);
  for (size_t b = 0; b < blocks; ++b) {
    size_t own = job.row[b];
    job.row[b] = count;
    count += own;
  }
  MOTE_TRY(mote_store_resize(&world->now.store[MOTE_TABLE_CONTACTS], 0, count, error));
  mote_parallel_for(world->env.threads, set->count, CONTACTS_PER_BLOCK, save_chunk, &job);
  return MOTE_OK;
}

// --- Bodies -------------------------------------------------------------------------------------------

// Copies the velocities after the contact solve. The momentum changes only where the spin did, so that a body
// without contacts keeps it bitwise.
static void take_over(const mote_rigid *rigid, const mote_obstacle *s, const double q[4], double v[3],
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
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  for (size_t k = begin; k < end; ++k) {
    const mote_rigid *rigid = &mote_rigid_at(world, k)->rigid;
    const mote_obstacle *s = world->contacts.obstacle + k;
    double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k, correction[3];
    double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    double *L = mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k;
    take_over(rigid, s, q, v, L);
    step3(x, world->dt * share[k], v, x);
    step3(x, world->dt * share[k], s->correction_velocity, x);
    if (rigid->inverse_mass > 0.0) mote_domain_wrap(&world->domain, x);
    mote_rigid_turn(rigid, L, world->dt * share[k], q);
    for (int a = 0; a < 3; ++a) correction[a] = world->dt * share[k] * s->correction_spin[a];
    mote_rigid_rotate_moving(correction, q, L);
  }
}

// Keeps the poses at the start of the step, for hard contact of fluids.
static mote_result keep_poses(mote_world *world, mote_error *error) {
  size_t count = mote_world_items(world, MOTE_KIND_RIGID);
  MOTE_TAKE(world->contacts.before, &world->scratch, count, error);
  for (size_t k = 0; k < count; ++k) world->contacts.before[k] = mote_rigid_body_pose(world, k);
  return MOTE_OK;
}

static mote_result check(mote_world *world, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  for (size_t k = 0; k < store->count[MOTE_GROUP_RIGID]; ++k) {
    const double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
    const double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
    const double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
    if (finite3(x) && finite3(v) && finite3(q) && isfinite(q[3])) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "position or velocity of body \"%s\": %g",
                     mote_rigid_at(world, k)->name, (double)NAN);
  }
  return MOTE_OK;
}

mote_result mote_rigid_bodies_step(mote_world *world, mote_error *error) {
  MOTE_ASSERT(mote_world_items(world, MOTE_KIND_RIGID) == mote_bodies_of(world, MOTE_KIND_RIGID));
  size_t count = mote_world_items(world, MOTE_KIND_RIGID);
  mote_contact_scene scene;
  mote_contact_report report;
  if (count == 0) return MOTE_OK;
  MOTE_TAKE_NEW(double, share, &world->scratch, count, error);
  MOTE_TRY(keep_poses(world, error));
  MOTE_TRY(mote_contacts_load(world, error));
  if (world->contacts.met != NULL) mote_contact_leave_out(world->contacts.met, count, &world->contacts.set);
  MOTE_TRY(mote_contact_obstacles(world, world->dt, &scene, error));
  MOTE_TRY(mote_contact_step(world->contacts.finder, &scene, &world->contacts.set, share, &world->scratch,
                             &report, error));
  mote_contact_order(&world->contacts.given);
  MOTE_TRY(mote_contact_add_impulses(&world->env, &world->contacts.given, &world->contacts.set, error));
  world->report.contacts = world->contacts.set.count;
  world->report.contact_sweeps = report.sweeps;
  world->report.overlap = report.overlap;
  move_job moving = {world, share};
  mote_parallel_for(world->env.threads, count, ROWS_PER_CHUNK, move_chunk, &moving);
  MOTE_TRY(check(world, error));
  return save_contacts(world, error);
}
