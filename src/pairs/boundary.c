// Wall samples and their sums: see boundary.h. Akinci et al. 2012, EG09 (55), with volumes in place of
// masses.
#include "pairs/boundary.h"

#include <string.h>

#include "base/parallel.h"
#include "pairs/wall_samples.h"

mote_result mote_boundary_create(const mote_domain *domain, double support, const mote_env *env,
                                 mote_boundary **out, mote_error *error) {
  MOTE_ASSERT(support > 0.0);
  MOTE_ASSERT(domain != NULL && out != NULL);
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_boundary, boundary, &resolved, 1, error);
  *boundary = (mote_boundary){.env = resolved, .domain = *domain, .support = support};
  mote_grid_def def = mote_grid_def_default(support);
  def.domain = *domain;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    mote_result result = mote_grid_create(&def, &resolved, &boundary->part[p].grid, error);
    if (result == MOTE_OK) result = mote_grid_borrow(boundary->part[p].grid, error);
    if (result != MOTE_OK) {
      mote_boundary_destroy(boundary);
      return result;
    }
  }
  *out = boundary;
  return MOTE_OK;
}

void mote_boundary_destroy(mote_boundary *boundary) {
  if (boundary == NULL) return;
  mote_env env = boundary->env;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    mote_sample_part *part = &boundary->part[p];
    mote_free(&env, part->rest, part->rest_capacity, sizeof *part->rest);
    mote_free(&env, part->position, part->position_capacity, sizeof *part->position);
    mote_free(&env, part->fixed_position, part->fixed_position_capacity, sizeof *part->fixed_position);
    mote_free(&env, part->velocity, part->velocity_capacity, sizeof *part->velocity);
    mote_free(&env, part->friction, part->friction_capacity, sizeof *part->friction);
    mote_free(&env, part->belt, part->belt_capacity, sizeof *part->belt);
    mote_free(&env, part->own, part->own_capacity, sizeof *part->own);
    mote_free(&env, part->owner, part->owner_capacity, sizeof *part->owner);
    mote_near_map_destroy(&part->map, &env);
    mote_grid_destroy(part->grid);
  }
  mote_free(&env, boundary, 1, sizeof *boundary);
}

static mote_result reserve_belt(const mote_env *env, mote_sample_part *part, size_t count,
                                mote_error *error) {
  return mote_reserve(env, &part->belt, &part->belt_capacity, 3 * count, sizeof(float), error);
}

static mote_result reserve_friction(const mote_env *env, mote_sample_part *part, size_t count,
                                    mote_error *error) {
  return mote_reserve(env, &part->friction, &part->friction_capacity, count, sizeof(float), error);
}

static mote_result reserve_owner(const mote_env *env, mote_sample_part *part, size_t count,
                                 mote_error *error) {
  return mote_reserve(env, &part->owner, &part->owner_capacity, count, sizeof(uint32_t), error);
}

// Once one sample has friction, all store a coefficient; the others 0.
static mote_result roughen(mote_boundary *boundary, mote_error *error) {
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    mote_sample_part *part = &boundary->part[p];
    MOTE_TRY(reserve_friction(&boundary->env, part, part->count, error));
    memset(part->friction, 0, part->count * sizeof *part->friction);
  }
  boundary->rough = true;
  return MOTE_OK;
}

static mote_result reserve(mote_boundary *boundary, bool moving, size_t count, mote_error *error) {
  const mote_env *env = &boundary->env;
  mote_sample_part *part = &boundary->part[moving ? MOVING : STANDING];
  if (moving) {
    MOTE_TRY(mote_reserve(env, &part->rest, &part->rest_capacity, 3 * count, sizeof(double), error));
    MOTE_TRY(
        mote_reserve(env, &part->velocity, &part->velocity_capacity, count + 1, sizeof(mote_flow), error));
  }
  if (part->belt != NULL) MOTE_TRY(reserve_belt(env, part, count, error));
  if (part->owner != NULL) MOTE_TRY(reserve_owner(env, part, count, error));
  MOTE_TRY(mote_reserve(env, &part->position, &part->position_capacity, 3 * count, sizeof(double), error));
  MOTE_TRY(mote_reserve(env, &part->fixed_position, &part->fixed_position_capacity, count + 1,
                        sizeof(mote_fixed_position), error));
  if (boundary->rough) MOTE_TRY(reserve_friction(env, part, count, error));
  return mote_reserve(env, &part->own, &part->own_capacity, count, sizeof(float), error);
}

mote_result mote_boundary_add(mote_boundary *boundary, const mote_samples *samples, double friction,
                              bool moving, mote_boundary_range *out, mote_error *error) {
  MOTE_ASSERT(friction >= 0.0 && friction <= 1.0);
  MOTE_ASSERT(samples->count == 0 || (samples->position != NULL && samples->volume != NULL));
  mote_sample_part *part = &boundary->part[moving ? MOVING : STANDING];
  size_t first = part->count, count = first + samples->count;
  if (friction > 0.0 && !boundary->rough) MOTE_TRY(roughen(boundary, error));
  MOTE_TRY(reserve(boundary, moving, count, error));
  if (moving) {
    memcpy(part->rest + 3 * first, samples->position, 3 * samples->count * sizeof(double));
    memset(part->velocity + first, 0, (samples->count + 1) * sizeof *part->velocity);
  }
  if (part->belt != NULL) memset(part->belt + 3 * first, 0, 3 * samples->count * sizeof *part->belt);
  if (part->owner != NULL) memset(part->owner + first, 0, samples->count * sizeof *part->owner);
  memcpy(part->position + 3 * first, samples->position, 3 * samples->count * sizeof(double));
  for (size_t b = first; b < count; ++b) {
    part->fixed_position[b].volume = (float)samples->volume[b - first];
    if (boundary->rough) part->friction[b] = (float)friction;
  }
  part->fixed_position[count] = (mote_fixed_position){.volume = 0.0f};
  part->count = count;
  part->stale = true, part->summed = false;
  if (out != NULL) *out = (mote_boundary_range){moving, first, samples->count};
  return MOTE_OK;
}

const double *mote_boundary_rest(const mote_boundary *boundary, mote_boundary_range range) {
  const mote_sample_part *part = &boundary->part[range.moving ? MOVING : STANDING];
  MOTE_ASSERT(range.first + range.count <= part->count);
  return (range.moving ? part->rest : part->position) + 3 * range.first;
}

mote_result mote_boundary_set_belt(mote_boundary *boundary, mote_boundary_range range, const float *velocity,
                                   mote_error *error) {
  MOTE_ASSERT(range.first + range.count <= boundary->part[range.moving ? MOVING : STANDING].count);
  MOTE_ASSERT(velocity != NULL || range.count == 0);
  mote_sample_part *part = &boundary->part[range.moving ? MOVING : STANDING];
  bool first = part->belt == NULL;
  MOTE_TRY(reserve_belt(&boundary->env, part, part->count, error));
  if (first) memset(part->belt, 0, 3 * part->count * sizeof *part->belt);
  memcpy(part->belt + 3 * range.first, velocity, 3 * range.count * sizeof *part->belt);
  return MOTE_OK;
}

void mote_boundary_weaken(mote_boundary *boundary, mote_boundary_range range, const float *factor) {
  mote_sample_part *part = &boundary->part[range.moving ? MOVING : STANDING];
  MOTE_ASSERT(range.first + range.count <= part->count);
  for (size_t b = 0; b < range.count && boundary->rough; ++b) part->friction[range.first + b] *= factor[b];
}

mote_result mote_boundary_set_owner(mote_boundary *boundary, mote_boundary_range range, uint32_t owner,
                                    mote_error *error) {
  MOTE_ASSERT(range.first + range.count <= boundary->part[range.moving ? MOVING : STANDING].count);
  MOTE_ASSERT(owner != 0);
  mote_sample_part *part = &boundary->part[range.moving ? MOVING : STANDING];
  bool first = part->owner == NULL;
  MOTE_TRY(reserve_owner(&boundary->env, part, part->count, error));
  if (first && part->count > 0) memset(part->owner, 0, part->count * sizeof *part->owner);
  for (size_t b = 0; b < range.count; ++b) part->owner[range.first + b] = owner;
  return MOTE_OK;
}

typedef struct pose_job {
  mote_sample_part *part;
  size_t first;
  const mote_pose *pose;
  const double *velocity, *spin;
} pose_job;

static void pose_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pose_job *job = data;
  const double *R = job->pose->rotation, *pivot = job->pose->pivot, *w = job->spin;
  for (size_t b = job->first + begin; b < job->first + end; ++b) {
    double arm[3], turned[3], *x = job->part->position + 3 * b;
    float *v = job->part->velocity[b].u;
    for (int a = 0; a < 3; ++a) arm[a] = job->part->rest[3 * b + a] - pivot[a];
    for (int a = 0; a < 3; ++a) {
      turned[a] = R[3 * a] * arm[0] + R[3 * a + 1] * arm[1] + R[3 * a + 2] * arm[2];
      x[a] = turned[a] + pivot[a] + job->pose->move[a];
    }
    for (int a = 0; a < 3; ++a) {
      int b1 = (a + 1) % 3, b2 = (a + 2) % 3;
      v[a] = (float)(job->velocity[a] + (w[b1] * turned[b2] - w[b2] * turned[b1]));
    }
  }
}

void mote_boundary_pose(mote_boundary *boundary, mote_boundary_range range, const mote_pose *pose,
                        const double velocity[3], const double spin[3]) {
  MOTE_ASSERT(range.first + range.count <= boundary->part[MOVING].count);
  MOTE_ASSERT(pose != NULL && velocity != NULL && spin != NULL);
  MOTE_ASSERT(range.moving);
  pose_job job = {&boundary->part[MOVING], range.first, pose, velocity, spin};
  mote_parallel_for(boundary->env.threads, range.count, MOTE_FLUID_LIGHT_GRAIN, pose_chunk, &job);
  boundary->part[MOVING].stale = true;
}

void mote_boundary_renew_sums(mote_boundary *boundary) {
  boundary->part[MOVING].stale = true, boundary->part[MOVING].summed = false;
}

void mote_boundary_set_positions(mote_boundary *boundary, mote_boundary_range range, const double *position,
                                 const double *velocity) {
  MOTE_ASSERT(range.first + range.count <= boundary->part[MOVING].count);
  MOTE_ASSERT((position != NULL && velocity != NULL) || range.count == 0);
  mote_sample_part *part = &boundary->part[MOVING];
  MOTE_ASSERT(range.moving);
  memcpy(part->position + 3 * range.first, position, 3 * range.count * sizeof *position);
  for (size_t b = 0; b < range.count; ++b) {
    for (size_t a = 0; a < 3; ++a) part->velocity[range.first + b].u[a] = (float)velocity[3 * b + a];
  }
  part->stale = part->loose = true, part->summed = false;
}
