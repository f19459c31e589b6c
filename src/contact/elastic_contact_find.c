// Finds the contacts of elastic particles in a tick: see elastic_contact.h. Each chunk of particles writes
// into its own memory; the chunks are joined in order.
#include "contact/elastic_contact_find.h"

#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

#define PARTICLES_PER_CHUNK 64

// --- Normals ------------------------------------------------------------------------------------------

static void normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_contact_job *job = data;
  mote_elastic_contact *s = job->set;
  for (size_t k = begin; k < end; ++k) {
    size_t i = s->surface[k];
    if (s->flatness[i] > 0.0) mote_elastic_contact_normal(s, job->x, i, s->normal + 3 * i);
  }
}

// --- Obstacles -------------------------------------------------------------------------------------------

// Periodic image of x nearest to the obstacle.
static void nearest_image(const mote_contact_scene *scene, const mote_obstacle *obstacle, const double x[3],
                          double at[3]) {
  copy3(x, at);
  if (scene->domain == NULL || !isfinite(obstacle->radius)) return;
  mote_contact_between(scene, x, obstacle->x, at);
  step3(at, 1.0, obstacle->x, at);
}

static mote_result add_obstacle(const mote_contact_job *job, size_t i, uint32_t k,
                                mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  const mote_obstacle *obstacle = job->scene->obstacle + k;
  mote_elastic_contact_record t = {.i = (uint32_t)i, .other = k, .mover = {MOTE_NO_MOVER, MOTE_NO_MOVER}};
  double at[3];
  nearest_image(job->scene, obstacle, job->x + 3 * i, at);
  sub3(at, obstacle->x, t.arm[1]);
  mote_obstacle_velocity(obstacle, 0.0, at, t.motion);
  double margin = job->travel + job->scene->dt * length3(t.motion);
  if (length3(t.arm[1]) > obstacle->radius + s->radius[i] + margin) return MOTE_OK;
  // Inner particles are met by their centres, so that what gets past the surface is held from there on.
  t.gap = mote_obstacle_distance(obstacle, 0.0, at, t.normal) - mote_elastic_contact_reach(s, i);
  if (!(t.gap < margin)) return MOTE_OK;
  t.friction = mote_elastic_contact_mixed(s->part[s->part_of[i]].friction, obstacle->friction);
  const mote_elastic_contact_member member = {(uint32_t)i, 1.0, 1.0};
  return mote_elastic_contact_keep(s, own, &t, &member, 1);
}

// --- Chunks -------------------------------------------------------------------------------------------

static int compare(const void *left, const void *right) {
  const mote_elastic_contact_record *a = left, *b = right;
  const mote_friction_memory p = {.i = a->i, .meets = a->meets, .other = a->other, .sample = a->sample},
                             q = {.i = b->i, .meets = b->meets, .other = b->other, .sample = b->sample};
  return mote_friction_memory_compare(&p, &q);
}

static mote_result find_one(const mote_contact_job *job, size_t i, mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  size_t obstacles = job->scene->obstacles;
  const uint8_t *reachable = s->reachable + obstacles * s->part_of[i];
  for (size_t a = 0; a < obstacles; ++a) {
    if (reachable[a]) MOTE_TRY(add_obstacle(job, i, (uint32_t)a, own));
  }
  if (job->lists == NULL || s->ball_of[i] == MOTE_NO_BALL) return MOTE_OK;
  return mote_elastic_contact_add_faces(job, i, own);
}

// Particles, and behind them samples.
static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_contact_job *job = data;
  mote_elastic_contact_chunk *own = job->set->chunk + begin / PARTICLES_PER_CHUNK;
  const mote_elastic_contact *s = job->set;
  own->count = own->members = 0, own->result = MOTE_OK;
  for (size_t i = begin; i < end && own->result == MOTE_OK; ++i) {
    if (i >= s->count) {
      own->result = mote_elastic_contact_add_sample(job, i - s->count, own);
    } else if (mote_elastic_contact_is_stepped(s, s->part_of[i])) {
      own->result = find_one(job, i, own);
    }
  }
}

static mote_result join(mote_elastic_contact *s, size_t chunks, mote_error *error) {
  size_t total = 0, members = 0;
  for (size_t k = 0; k < chunks; ++k) {
    if (s->chunk[k].result != MOTE_OK) return mote_fail_memory(error, s->chunk[k].count * sizeof *s->record);
    total += s->chunk[k].count, members += s->chunk[k].members;
  }
  MOTE_TRY(mote_reserve(&s->env, &s->record, &s->record_capacity, total, sizeof *s->record, error));
  MOTE_TRY(mote_reserve(&s->env, &s->member, &s->member_capacity, members, sizeof *s->member, error));
  s->records = members = 0;
  for (size_t k = 0; k < chunks; ++k) {
    const mote_elastic_contact_chunk *own = s->chunk + k;
    if (own->count == 0) continue;
    memcpy(s->record + s->records, own->record, own->count * sizeof *s->record);
    memcpy(s->member + members, own->member, own->members * sizeof *s->member);
    for (size_t a = 0; a < own->count; ++a) s->record[s->records + a].first += (uint32_t)members;
    s->records += own->count, members += own->members;
  }
  if (s->records > 0) qsort(s->record, s->records, sizeof *s->record, compare);
  return MOTE_OK;
}

// --- Search ------------------------------------------------------------------------------------------

// Marks the obstacles that part p can reach: tests a ball around the centre of its bounds.
static void find_reachable_obstacles(const mote_contact_job *job, size_t p) {
  const mote_elastic_contact *s = job->set;
  const mote_contact_scene *scene = job->scene;
  double *low = s->bounds + 6 * p, *high = low + 3, middle[3], at[3], reach = 0.0;
  if (s->start[p] == s->start[p + 1]) {
    memset(s->reachable + scene->obstacles * p, 0, scene->obstacles);
    return;
  }
  copy3(job->x + 3 * s->start[p], low), copy3(low, high);
  for (size_t i = s->start[p]; i < s->start[p + 1]; ++i) {
    for (int a = 0; a < 3; ++a) {
      low[a] = min2(low[a], job->x[3 * i + (size_t)a]), high[a] = max2(high[a], job->x[3 * i + (size_t)a]);
    }
  }
  for (int a = 0; a < 3; ++a) middle[a] = 0.5 * (low[a] + high[a]);
  reach = 0.5 * distance3(low, high) + s->radius_max + job->travel;
  for (size_t k = 0; k < scene->obstacles; ++k) {
    const mote_obstacle *obstacle = scene->obstacle + k;
    nearest_image(scene, obstacle, middle, at);
    double distance = mote_obstacle_distance(obstacle, 0.0, at, NULL);
    s->reachable[scene->obstacles * p + k] = distance <= reach + mote_obstacle_travel(obstacle, at, reach);
  }
}

// Where balls and samples look for balls, and how far.
static mote_result set_looks(const mote_contact_job *job, double own, mote_error *error) {
  mote_elastic_contact *s = job->set;
  size_t looks = s->balls + s->samples;
  MOTE_TRY(mote_reserve(&s->env, &s->look, &s->look_capacity, 3 * looks + 1, sizeof *s->look, error));
  MOTE_TRY(mote_reserve(&s->env, &s->look_radius, &s->look_radius_capacity, looks + 1, sizeof *s->look_radius,
                        error));
  for (size_t k = 0; k < s->balls; ++k)
    copy3(job->x + 3 * (size_t)s->ball[k], s->look + 3 * k), s->look_radius[k] = own;
  for (size_t k = 0; k < s->samples; ++k) {
    const mote_elastic_contact_sample *one = s->sample + k;
    copy3(one->x, s->look + 3 * (s->balls + k));
    s->look_radius[s->balls + k] = mote_elastic_contact_look(s, one->round + s->radius_max + one->margin);
  }
  return MOTE_OK;
}

// None where no ball meets another or a sample.
static mote_result find_near(mote_contact_job *job, mote_lists *lists, mote_error *error) {
  mote_elastic_contact *s = job->set;
  double own = mote_elastic_contact_look(s, 2.0 * s->radius_max + 2.0 * job->travel), radius = own;
  bool alone = s->bodies == 1 && s->part->alone;
  MOTE_TRY(mote_elastic_contact_find_samples(job, &radius, error));
  if (alone && s->samples == 0) return MOTE_OK;
  MOTE_TRY(set_looks(job, own, error));
  if (s->grid == NULL || radius > s->grid_radius || radius < 0.5 * s->grid_radius) {
    mote_grid_destroy(s->grid);
    s->grid = NULL, s->grid_radius = 1.2 * radius;
    mote_grid_def def = mote_grid_def_default(s->grid_radius);
    if (job->scene->domain != NULL) def.domain = *job->scene->domain;
    def.domain.dimensions = s->dimensions;
    MOTE_TRY(mote_grid_create(&def, &s->env, &s->grid, error));
  }
  job->lists = lists;
  MOTE_TRY(mote_grid_build(s->grid, s->look, s->balls, error));
  return mote_grid_neighbours_at(s->grid, s->look, s->balls + s->samples, s->look_radius, MOTE_REACH_GATHER,
                                 lists, error);
}

// Finds the records of all particles with obstacles, and of those on the surface with faces.
static mote_result find_records(mote_contact_job *job, mote_error *error) {
  mote_elastic_contact *s = job->set;
  mote_lists lists;
  MOTE_TRY(mote_reserve(&s->env, &s->ball, &s->ball_capacity, s->count, sizeof *s->ball, error));
  s->balls = s->samples = 0;
  for (uint32_t i = 0; i < s->count; ++i) {
    bool meets = s->outer[i] && mote_elastic_contact_is_stepped(s, s->part_of[i]);
    s->ball_of[i] = meets ? (uint32_t)s->balls : MOTE_NO_BALL;
    if (meets) s->ball[s->balls++] = i;
  }
  MOTE_TRY(find_near(job, &lists, error));
  size_t jobs = s->count + s->samples, chunks = (jobs + PARTICLES_PER_CHUNK - 1) / PARTICLES_PER_CHUNK,
         old = s->chunks;
  MOTE_TRY(mote_reserve(&s->env, &s->chunk, &s->chunks, chunks, sizeof *s->chunk, error));
  for (size_t k = old; k < s->chunks; ++k) s->chunk[k] = (mote_elastic_contact_chunk){0};
  mote_parallel_for(job->scene->threads, jobs, PARTICLES_PER_CHUNK, find_chunk, job);
  job->lists = NULL;
  return join(s, chunks, error);
}

mote_result mote_elastic_contact_find(mote_elastic_contact *set, const mote_contact_scene *scene,
                                      const double *position, double travel, mote_error *error) {
  MOTE_ASSERT(position != NULL);
  MOTE_ASSERT(travel >= 0.0);
  MOTE_ASSERT(scene->dt > 0.0);
  MOTE_ASSERT(scene->bodies <= scene->obstacles);
  for (size_t k = 0; k < scene->obstacles; ++k)
    MOTE_ASSERT(scene->obstacle[k].dt == scene->dt || mote_obstacle_stands(scene->obstacle + k));
  mote_elastic_contact *s = set;
  mote_contact_job job = {.set = s, .scene = scene, .x = position, .travel = travel};
  s->tick = scene->dt, s->since = 0.0, s->midpoint = false, s->travel = travel;
  memcpy(s->begin, position, 3 * s->count * sizeof *position);
  MOTE_TRY(mote_reserve(&s->env, &s->bounds, &s->bounds_capacity, 6 * s->parts, sizeof *s->bounds, error));
  MOTE_TRY(mote_reserve(&s->env, &s->reachable, &s->reachable_capacity, s->parts * scene->obstacles + 1,
                        sizeof *s->reachable, error));
  for (size_t p = 0; p < s->parts; ++p) find_reachable_obstacles(&job, p);
  mote_parallel_for(scene->threads, s->surfaces, PARTICLES_PER_CHUNK, normal_chunk, &job);
  MOTE_TRY(find_records(&job, error));
  MOTE_TRY(mote_elastic_contact_make_rows(s, scene, error));
  MOTE_TRY(mote_elastic_contact_reserve_kick(s, error));
  return mote_elastic_contact_reserve_loose(s, error);
}
