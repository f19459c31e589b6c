// Finds the contacts of elastic particles in a tick: see elastic_contact.h. Each chunk of particles writes
// into its own memory; the chunks are joined in order.
#include <mote/numeric.h>
#include <string.h>

#include "base/bisect.h"
#include "base/parallel.h"
#include "contact/contact_narrow.h"
#include "contact/elastic_contact.h"
#include "contact/tuning.inc"
#include "geom/shape_tree.h"

#define PARTICLES_PER_CHUNK 64
#define NO_BALL UINT32_MAX

typedef struct find_job {
  mote_elastic_contact *set;
  const mote_contact_scene *scene;
  const double *x;
  const mote_lists *lists;  // of the balls that meet others
  double travel;
  bool all;  // not only particles on the surface
} find_job;

// --- Normals ------------------------------------------------------------------------------------------

static void normal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const find_job *job = data;
  mote_elastic_contact *s = job->set;
  for (size_t k = begin; k < end; ++k) {
    size_t i = s->surface[k];
    if (s->flatness[i] > 0.0) mote_elastic_contact_normal(s, job->x, i, s->normal + 3 * i);
  }
}

// --- Records ------------------------------------------------------------------------------------------

static double young_of(const mote_elastic_law *law) {
  return law->mu * (3.0 * law->lambda + 2.0 * law->mu) / (law->lambda + law->mu);
}

// Bedding modulus: force per area and overlap, Pa/m.
static double bedding_modulus(const mote_elastic_contact *s, size_t i) {
  const mote_elastic_contact_part *part = s->part + s->part_of[i];
  double young =
      part->body != NULL ? young_of(&part->body->law) : part->ball_young[i - s->start[s->part_of[i]]];
  return CONTACT_STIFFNESS_FACTOR * young / (2.0 * s->radius[i]);
}

static double area_of(const mote_elastic_contact *s, size_t i) {
  double d = 2.0 * s->radius[i];
  return s->dimensions == 3 ? d * d : d;
}

static int compare(uint32_t i, bool ball, uint32_t other, const mote_friction_memory *m) {
  if (i != m->i) return i < m->i ? -1 : 1;
  if (ball != m->ball) return ball ? 1 : -1;
  return other == m->other ? 0 : other < m->other ? -1 : 1;
}

// The slip remembered from the last tick, projected on the plane of this one.
static void recall(const mote_elastic_contact *s, mote_elastic_contact_record *t) {
  size_t low = 0, high = s->memories;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(t->i, t->ball, t->other, s->memory + middle) > 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == s->memories || compare(t->i, t->ball, t->other, s->memory + low) != 0) return;
  const mote_friction_memory *m = s->memory + low;
  double *to = m->normal_force > 0.0 ? t->condition.tangent : t->slip;
  step3(m->slip, -dot3(t->normal, m->slip), t->normal, to);
  t->condition.normal = m->normal_force;
}

static mote_result keep(const mote_elastic_contact *s, mote_elastic_contact_chunk *own,
                        const mote_elastic_contact_record *found) {
  MOTE_TRY(mote_reserve(&s->env, &own->record, &own->capacity, own->count + 1, sizeof *own->record, NULL));
  mote_elastic_contact_record *t = own->record + own->count++;
  double overlap_max = mote_elastic_contact_overlap_max(s, found);
  *t = *found;
  own->deepest = min2(own->deepest, t->gap / (2.0 * s->radius[t->i]));
  recall(s, t);
  if (!t->ball) return MOTE_OK;
  t->beyond = max2(0.0, -overlap_max - t->gap);
  t->gap = max2(t->gap, -overlap_max);
  t->stop_depth = max2(t->stop_depth, -t->gap);  // the barrier resists further approach only
  return MOTE_OK;
}

// --- Obstacles -------------------------------------------------------------------------------------------

static double mixed(double own, double other) {
  return isnan(other) ? own : sqrt(own * other);
}

// Periodic image of x nearest to the obstacle.
static void nearest_image(const mote_contact_scene *scene, const mote_obstacle *obstacle, const double x[3],
                          double at[3]) {
  copy3(x, at);
  if (scene->domain == NULL || !isfinite(obstacle->radius)) return;
  mote_contact_between(scene, x, obstacle->x, at);
  step3(at, 1.0, obstacle->x, at);
}

static mote_result add_obstacle(const find_job *job, size_t i, uint32_t k, mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  const mote_obstacle *obstacle = job->scene->obstacle + k;
  mote_elastic_contact_record t = {.i = (uint32_t)i, .other = k, .mover = MOTE_NO_MOVER};
  double at[3];
  nearest_image(job->scene, obstacle, job->x + 3 * i, at);
  sub3(at, obstacle->x, t.arm);
  mote_obstacle_velocity(obstacle, 0.0, at, t.motion);
  double margin = job->travel + job->scene->dt * length3(t.motion);
  if (length3(t.arm) > obstacle->radius + s->radius[i] + margin) return MOTE_OK;
  // Inner particles are met by their centres, so that what gets past the surface is held from there on.
  t.gap = mote_obstacle_distance(obstacle, 0.0, at, t.normal) - (s->outer[i] ? s->reach[i] : 0.0);
  if (!(t.gap < margin)) return MOTE_OK;
  t.friction = mixed(s->part[s->part_of[i]].friction, obstacle->friction);
  return keep(s, own, &t);
}

// --- Balls --------------------------------------------------------------------------------------------

static double ramp(double t) {
  t = max2(0.0, min2(1.0, t));
  return t * t * (3.0 - 2.0 * t);
}

// Share of a pair that is a face carrying a particle (1), as opposed to two balls (0), and the normal of that
// face. Two faces carry each other when their normals are opposed and they have not passed through each
// other.
static double face_share(const mote_elastic_contact *s, size_t i, size_t j, const double r[3],
                         double out[3]) {
  const double *ni = s->normal + 3 * i, *nj = s->normal + 3 * j;
  double ci = s->flatness[i], cj = s->flatness[j], share = max2(ci, cj);
  if (!(share > 0.0)) return 0.0;
  for (int k = 0; k < 3; ++k) out[k] = (cj > 0.0 ? cj * nj[k] : 0.0) - (ci > 0.0 ? ci * ni[k] : 0.0);
  double length = length3(out);
  if (!(length > 0.1)) return 0.0;
  for (int k = 0; k < 3; ++k) out[k] /= length;
  if (ci > 0.0 && cj > 0.0)
    share *= 1.0 - ci * cj * (1.0 - ramp((-dot3(ni, nj) - FACING_MIN) / FACING_RANGE));
  return share * ramp((dot3(out, r) / (s->radius[i] + s->radius[j]) + PASSED_MAX) / PASSED_RANGE);
}

// A kernel of unit integral over the face.
static double face_kernel(int dimensions, double d, double aside2) {
  double R = FACE_KERNEL_RADIUS * d, q = 1.0 - aside2 / (R * R);
  if (!(q > 0.0)) return 0.0;
  return q * q * (dimensions == 3 ? 3.0 / (MOTE_PI * R * R) : 15.0 / (16.0 * R));
}

static bool are_neighbours(const mote_elastic_contact *s, size_t i, size_t j) {
  size_t start = s->start[s->part_of[i]], a = i - start;
  const mote_elastic *b = s->part[s->part_of[i]].body;
  size_t count = b->first[a + 1] - b->first[a];
  const uint32_t *neighbour = b->neighbour + b->first[a];
  size_t k = mote_bisect(neighbour, count, j - start);
  return k < count && neighbour[k] == j - start;
}

// Whether the particle at `r` from i is on the outer side of i, where its own neighbours are not now. Inside
// of a body there is no such side.
static bool is_outside(const find_job *job, size_t i, const double r[3]) {
  const mote_elastic_contact *s = job->set;
  size_t start = s->start[s->part_of[i]];
  const mote_elastic *b = s->part[s->part_of[i]].body;
  double sum[3] = {0}, spread = 0.0, one[3];
  for (size_t k = b->first[i - start]; k < b->first[i - start + 1]; ++k) {
    sub3(job->x + 3 * (start + b->neighbour[k]), job->x + 3 * i, one);
    step3(sum, b->pair[k].weight, one, sum);
    spread += b->pair[k].weight * length3(one);
  }
  double length = length3(sum);
  return length > OUTER_ONE_SIDEDNESS * spread && dot3(sum, r) <= OUTER_COSINE * length * length3(r);
}

// Distance of the centres of two balls in contact; negative: they never make contact, being neighbours.
static double contact_distance(const find_job *job, size_t i, size_t j) {
  const mote_elastic_contact *s = job->set;
  double d = s->reach[i] + s->reach[j];
  const mote_elastic_contact_part *a = s->part + s->part_of[i], *b = s->part + s->part_of[j];
  if (a->body == NULL && b->body == NULL && a->ball_family == b->ball_family) return -1.0;
  if (s->part_of[i] != s->part_of[j]) return d;
  if (!job->all && (s->exposed[i] || s->exposed[j])) return -1.0;
  const mote_elastic_contact_part *part = s->part + s->part_of[i];
  size_t start = s->start[s->part_of[i]];
  if (part->alone || are_neighbours(s, i, j)) return -1.0;
  if (part->rest == NULL) return d;
  return min2(d, distance3(part->rest + 3 * (i - start), part->rest + 3 * (j - start)));
}

static mote_result add_ball(const find_job *job, size_t i, size_t j, mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  double d = contact_distance(job, i, j), r[3], out[3], margin = 2.0 * job->travel;
  if (d < 0.0) return MOTE_OK;
  mote_contact_between(job->scene, job->x + 3 * i, job->x + 3 * j, r);
  if (s->dimensions == 2) r[2] = 0.0;
  // Between the parts of a body that breaks: along the line of centres, as it turns. Normals of faces are not
  // along it, and forces along them would turn the body.
  bool within = s->part_of[i] == s->part_of[j] && s->part[s->part_of[i]].body->breaks;
  double distance = length3(r), share = within ? 0.0 : face_share(s, i, j, r, out);
  if (!(distance > 0.0) || (share == 0.0 && !(distance - d < margin))) return MOTE_OK;
  if (s->part_of[i] == s->part_of[j] && s->part[s->part_of[i]].outside_only) {
    const double back[3] = {-r[0], -r[1], -r[2]};
    if (!is_outside(job, i, back) || !is_outside(job, j, r)) return MOTE_OK;
  }
  mote_elastic_contact_record t = {
      .i = (uint32_t)i, .other = (uint32_t)j, .ball = true, .central = within, .mover = MOTE_NO_MOVER};
  copy3(r, t.apart);
  for (int k = 0; k < 3; ++k)
    t.normal[k] = (1.0 - share) * (r[k] / distance) + (share > 0.0 ? share * out[k] : 0.0);
  double length = length3(t.normal);
  if (!(length > 0.0)) return MOTE_OK;
  for (int k = 0; k < 3; ++k) t.normal[k] /= length;
  double along = dot3(t.normal, r), bi = bedding_modulus(s, i), bj = bedding_modulus(s, j),
         Ai = area_of(s, i), Aj = area_of(s, j), ki = bi * Ai, kj = bj * Aj;
  t.gap = along - d;
  if (!(t.gap < margin)) return MOTE_OK;
  double plane = face_kernel(s->dimensions, s->radius[i] + s->radius[j], distance * distance - along * along);
  // The distance of the balls exceeds that along the normal; they carry only as far as they overlap
  // themselves.
  double overlap_share = min2(1.0, max2(0.0, d + margin - distance) / (d + margin - along));
  t.stiffness = overlap_share * (1.0 - share) * (ki * kj / (ki + kj)) +
                share * (bi * bj / (bi + bj)) * (Ai * Aj) * plane;
  if (!(t.stiffness > 0.0)) return MOTE_OK;
  double mi = mote_elastic_contact_mass(s, i), mj = mote_elastic_contact_mass(s, j);
  t.stop_stiffness = STOP_STIFFNESS_FACTOR * (mi * mj / (mi + mj)) / (job->scene->dt * job->scene->dt);
  t.stop_stiffness *= t.stiffness / (ki * kj / (ki + kj)),
      t.stop_depth = STOP_OVERLAP * (s->radius[i] + s->radius[j]);
  t.friction = mixed(s->part[s->part_of[i]].friction, s->part[s->part_of[j]].friction);
  return keep(s, own, &t);
}

// --- Chunks -------------------------------------------------------------------------------------------

// Sorts the records of one particle, few and almost in order, by the other's index.
static void order(mote_elastic_contact_record *record, size_t count) {
  for (size_t k = 1; k < count; ++k) {
    mote_elastic_contact_record own = record[k];
    size_t j = k;
    for (; j > 0 && (record[j - 1].ball > own.ball ||
                     (record[j - 1].ball == own.ball && record[j - 1].other > own.other));
         --j)
      record[j] = record[j - 1];
    record[j] = own;
  }
}

static mote_result find_one(const find_job *job, size_t i, mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  size_t first = own->count, obstacles = job->scene->obstacles, k = s->ball_of[i];
  const uint8_t *reachable = s->reachable + obstacles * s->part_of[i];
  for (size_t a = 0; a < obstacles && !s->part[s->part_of[i]].passive; ++a) {
    if (reachable[a]) MOTE_TRY(add_obstacle(job, i, (uint32_t)a, own));
  }
  if (job->lists != NULL && k != NO_BALL) {
    const uint32_t *other = job->lists->index + job->lists->first[k];
    for (uint32_t a = 0; a < job->lists->number[k]; ++a) MOTE_TRY(add_ball(job, i, s->ball[other[a]], own));
  }
  order(own->record + first, own->count - first);
  return MOTE_OK;
}

static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const find_job *job = data;
  mote_elastic_contact_chunk *own = job->set->chunk + begin / PARTICLES_PER_CHUNK;
  const mote_elastic_contact *s = job->set;
  own->count = 0, own->deepest = 0.0, own->result = MOTE_OK;
  for (size_t i = begin; i < end && own->result == MOTE_OK; ++i) {
    if (mote_elastic_contact_is_stepped(s, s->part_of[i])) own->result = find_one(job, i, own);
  }
}

static mote_result join(mote_elastic_contact *s, size_t chunks, double *deepest, mote_error *error) {
  size_t total = 0;
  *deepest = 0.0;
  for (size_t k = 0; k < chunks; ++k) {
    if (s->chunk[k].result != MOTE_OK) return mote_fail_memory(error, s->chunk[k].count * sizeof *s->record);
    total += s->chunk[k].count;
    *deepest = min2(*deepest, s->chunk[k].deepest);
  }
  MOTE_TRY(mote_reserve(&s->env, &s->record, &s->record_capacity, total, sizeof *s->record, error));
  s->records = 0;
  for (size_t k = 0; k < chunks; ++k) {
    size_t count = s->chunk[k].count;
    if (count > 0) memcpy(s->record + s->records, s->chunk[k].record, count * sizeof *s->record);
    s->records += count;
  }
  return MOTE_OK;
}

// --- Search ------------------------------------------------------------------------------------------

// Marks the obstacles that part p can reach: tests a ball around the centre of its bounds.
static void find_reachable_obstacles(const find_job *job, size_t p) {
  const mote_elastic_contact *s = job->set;
  const mote_contact_scene *scene = job->scene;
  double low[3], high[3], middle[3], at[3], reach = 0.0;
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

static mote_result find_balls(const find_job *job, size_t count, mote_lists *lists, mote_error *error) {
  mote_elastic_contact *s = job->set;
  double d = 2.0 * s->radius_max, along = d + 2.0 * job->travel, aside = FACE_KERNEL_RADIUS * d;
  double radius = sqrt(along * along + aside * aside);
  if (s->grid == NULL || radius > s->grid_radius || radius < 0.5 * s->grid_radius) {
    mote_grid_destroy(s->grid);
    s->grid = NULL, s->grid_radius = 1.2 * radius;
    mote_grid_def def = mote_grid_def_default(s->grid_radius);
    if (job->scene->domain != NULL) def.domain = *job->scene->domain;
    def.domain.dimensions = s->dimensions;
    MOTE_TRY(mote_grid_create(&def, &s->env, &s->grid, error));
  }
  MOTE_TRY(mote_reserve(&s->env, &s->ball_position, &s->ball_position_capacity, 3 * count,
                        sizeof *s->ball_position, error));
  for (size_t k = 0; k < count; ++k) copy3(job->x + 3 * (size_t)s->ball[k], s->ball_position + 3 * k);
  MOTE_TRY(mote_grid_build(s->grid, s->ball_position, count, error));
  return mote_grid_neighbours(s->grid, lists, error);
}

// Finds the records of all particles with obstacles, and of those on the surface, or all, with each other.
static mote_result find_records(find_job *job, bool all, double *deepest, mote_error *error) {
  mote_elastic_contact *s = job->set;
  size_t count = 0;
  mote_lists lists;
  MOTE_TRY(mote_reserve(&s->env, &s->ball, &s->ball_capacity, s->count, sizeof *s->ball, error));
  for (uint32_t i = 0; i < s->count; ++i) {
    bool meets = (all || s->outer[i]) && mote_elastic_contact_is_stepped(s, s->part_of[i]);
    s->ball_of[i] = meets ? (uint32_t)count : NO_BALL;
    if (meets) s->ball[count++] = i;
  }
  bool alone = true;  // no ball meets another
  for (size_t p = 0; p < s->parts; ++p)
    alone = alone && s->part[p].body == NULL && s->part[p].ball_family == s->part[0].ball_family;
  if (!alone) MOTE_TRY(find_balls(job, count, &lists, error));
  size_t chunks = (s->count + PARTICLES_PER_CHUNK - 1) / PARTICLES_PER_CHUNK, old = s->chunks;
  MOTE_TRY(mote_reserve(&s->env, &s->chunk, &s->chunks, chunks, sizeof *s->chunk, error));
  for (size_t k = old; k < s->chunks; ++k) s->chunk[k] = (mote_elastic_contact_chunk){0};
  job->lists = alone ? NULL : &lists, job->all = all;
  mote_parallel_for(job->scene->threads, s->count, PARTICLES_PER_CHUNK, find_chunk, job);
  job->lists = NULL;
  return join(s, chunks, deepest, error);
}

// --- Rows and movers ----------------------------------------------------------------------------------

static mote_result make_rows(mote_elastic_contact *s, mote_error *error) {
  MOTE_TRY(mote_reserve(&s->env, &s->row, &s->row_capacity, s->records + 1, sizeof *s->row, error));
  s->rows = 0;
  for (size_t k = 0; k < s->records; ++k) {
    if (k == 0 || s->record[k].i != s->record[k - 1].i) s->row[s->rows++] = k;
  }
  s->row[s->rows] = s->records;
  return MOTE_OK;
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

static mote_result add_mover(mote_elastic_contact *s, const mote_contact_scene *scene, uint32_t k,
                             mote_error *error) {
  const mote_obstacle *obstacle = scene->obstacle + k;
  MOTE_TRY(mote_reserve(&s->env, &s->mover, &s->mover_capacity, s->movers + 1, sizeof *s->mover, error));
  mote_elastic_contact_mover *m = s->mover + s->movers;
  *m = (mote_elastic_contact_mover){.obstacle = k, .root_mass = sqrt(obstacle->inverse_mass)};
  for (int a = 0; m->root_mass > 0.0 && a < 3; ++a) m->stop_rate[a] = -obstacle->v[a] / m->root_mass;
  root_of(obstacle->inverse_inertia, m->root_inertia);
  s->slot[k] = (uint32_t)s->movers++;
  return MOTE_OK;
}

// Counting sort of the records by mover; s->mover_first has one extra entry for the shift.
static mote_result list_movers(mote_elastic_contact *s, mote_error *error) {
  MOTE_TRY(mote_reserve(&s->env, &s->mover_first, &s->first_capacity, s->movers + 2, sizeof *s->mover_first,
                        error));
  MOTE_TRY(mote_reserve(&s->env, &s->mover_record, &s->mover_record_capacity, s->records + 1,
                        sizeof *s->mover_record, error));
  MOTE_TRY(mote_reserve(&s->env, &s->displacement, &s->displacement_capacity, 6 * s->movers + 1,
                        sizeof *s->displacement, error));
  MOTE_TRY(mote_reserve(&s->env, &s->rate, &s->rate_capacity, 6 * s->movers + 1, sizeof *s->rate, error));
  MOTE_TRY(mote_reserve(&s->env, &s->generalised_force, &s->force_capacity, 6 * s->movers + 1,
                        sizeof *s->generalised_force, error));
  size_t *first = s->mover_first;
  memset(first, 0, (s->movers + 2) * sizeof *first);
  memset(s->displacement, 0, 6 * s->movers * sizeof *s->displacement);
  memset(s->rate, 0, 6 * s->movers * sizeof *s->rate);
  for (size_t k = 0; k < s->records; ++k) {
    if (s->record[k].mover != MOTE_NO_MOVER) ++first[s->record[k].mover + 2];
  }
  for (size_t k = 2; k < s->movers + 2; ++k) first[k] += first[k - 1];
  for (size_t k = 0; k < s->records; ++k) {
    uint32_t m = s->record[k].mover;
    if (m != MOTE_NO_MOVER) s->mover_record[first[m + 1]++] = (uint32_t)k;
  }
  return MOTE_OK;
}

static bool moves(const mote_obstacle *obstacle) {
  const double *m = obstacle->inverse_inertia;
  return obstacle->inverse_mass > 0.0 || m[0] + m[4] + m[8] > 0.0;
}

static mote_result make_movers(mote_elastic_contact *s, const mote_contact_scene *scene, mote_error *error) {
  MOTE_TRY(mote_reserve(&s->env, &s->slot, &s->slot_capacity, scene->obstacles, sizeof *s->slot, error));
  for (size_t k = 0; k < scene->obstacles; ++k) s->slot[k] = MOTE_NO_MOVER;
  s->movers = 0;
  for (size_t k = 0; k < s->records; ++k) {
    mote_elastic_contact_record *t = s->record + k;
    if (t->ball || !moves(scene->obstacle + t->other)) continue;
    if (s->slot[t->other] == MOTE_NO_MOVER) MOTE_TRY(add_mover(s, scene, t->other, error));
    t->mover = s->slot[t->other];
  }
  return list_movers(s, error);
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
  find_job job = {.set = s, .scene = scene, .x = position, .travel = travel};
  double deepest;
  s->tick = scene->dt, s->since = 0.0, s->midpoint = false, s->travel = travel;
  memcpy(s->begin, position, 3 * s->count * sizeof *position);
  MOTE_TRY(mote_reserve(&s->env, &s->reachable, &s->reachable_capacity, s->parts * scene->obstacles + 1,
                        sizeof *s->reachable, error));
  for (size_t p = 0; p < s->parts; ++p) find_reachable_obstacles(&job, p);
  mote_parallel_for(scene->threads, s->surfaces, PARTICLES_PER_CHUNK, normal_chunk, &job);
  MOTE_TRY(find_records(&job, false, &deepest, error));
  if (deepest < -INTERIOR_OVERLAP && s->surfaces < s->count)
    MOTE_TRY(find_records(&job, true, &deepest, error));
  MOTE_TRY(make_rows(s, error));
  MOTE_TRY(make_movers(s, scene, error));
  MOTE_TRY(mote_elastic_contact_reserve_kick(s, error));
  return mote_elastic_contact_find_supports(s, scene, error);
}
