// Hard contact: see collide.h. Particles far from all obstacles cost one comparison; paths that come near an
// obstacle are swept (sweep.h).
#include "things/collide.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/parallel.h"
#include "things/sweep.h"
#include "things/tuning.inc"

#define PARTICLES_PER_TASK 1024
#define DISTANCE_SLACK 1e-6  // rounding: of the wall distance, relative, and of the clearance

typedef struct collide_tally {
  size_t touched, pushed, squeezed, first;
} collide_tally;

typedef struct collide_job {
  const mote_collision *c;
  bool moving;
  collide_tally tally[MOTE_THREADS_MAX];  // by worker
} collide_job;

// --- Reach of a particle ---

static bool is_bounded(const mote_obstacle *o) {
  return o->radius < HUGE_VAL;
}

// Whether a displacement of that length from x may come near a ball, or one of its periodic images.
static bool may_meet(const mote_collision *c, const mote_obstacle *o, const double x[3], double travel) {
  double square = 0.0, reach = (1.0 + DISTANCE_SLACK) * (o->radius + travel + c->clearance);
  for (int a = 0; a < 3; ++a) {
    double off = fabs(x[a] - o->x[a]);
    if (c->domain->periodic[a]) {
      double period = c->domain->high[a] - c->domain->low[a];
      off = fabs(off - period * floor(off / period + 0.5));
    }
    square += off * off;
  }
  return square <= reach * reach;
}

static bool may_meet_any(const collide_job *job, const double x[3], double travel) {
  bool any = false;
  for (size_t k = job->c->obstacles; k > 0 && is_bounded(&job->c->obstacle[k - 1]) && !any; --k) {
    any = may_meet(job->c, &job->c->obstacle[k - 1], x, travel);
  }
  return any;
}

static double longest_travel(const collide_job *job, const double x[3], double travel) {
  double longest = travel;
  for (size_t k = 0; job->moving && k < job->c->obstacles && !is_bounded(&job->c->obstacle[k]); ++k) {
    double past = travel + mote_obstacle_travel(&job->c->obstacle[k], x, 0.0);
    if (past > longest) longest = past;
  }
  return longest;
}

// --- Periodic sides ---

// The number of images in which the path from x to y is swept, and their shifts. Two for a path across one
// side: at its beginning and at its end.
static int images(const mote_domain *domain, const double x[3], const double y[3], double shift[8][3]) {
  int count = 1;
  memset(shift[0], 0, sizeof shift[0]);
  for (int a = 0; a < domain->dimensions; ++a) {
    if (!domain->periodic[a]) continue;
    double period = domain->high[a] - domain->low[a];
    double turns = floor((y[a] - domain->low[a]) / period) - floor((x[a] - domain->low[a]) / period);
    if (turns == 0.0) continue;
    for (int k = 0; k < count; ++k) {
      memcpy(shift[count + k], shift[k], sizeof shift[k]);
      shift[count + k][a] = -turns * period;
    }
    count *= 2;
  }
  return count;
}

// --- One particle ---

// Keeps the nearest.
static void see(mote_contact_path *p, const mote_seen *seen) {
  int k = p->count;
  if (k < MOTE_SEEN_MAX) {
    ++p->count;
  } else {
    p->crowded = true;
    k = 0;
    for (int j = 1; j < MOTE_SEEN_MAX; ++j) k = p->seen[j].distance > p->seen[k].distance ? j : k;
    if (!(seen->distance < p->seen[k].distance)) return;
  }
  p->seen[k] = *seen;
}

// Free distance of a particle after its path from x to y; negative: an obstacle may be hit.
static double wall_distance_after(const mote_collision *c, const double x[3], const double y[3],
                                  double travel) {
  double wall_distance = HUGE_VAL;
  for (size_t k = 0; k < c->obstacles && !is_bounded(&c->obstacle[k]); ++k) {
    const mote_obstacle *o = &c->obstacle[k];
    double past = travel + mote_obstacle_travel(o, y, 0.0),
           distance = mote_obstacle_distance(o, 0.0, x, NULL);
    if (c->images_reach > 0.0 && !mote_obstacle_stands(o)) distance = fmin(distance, c->images_reach);
    double left = distance - past - c->clearance;
    if (!(left > wall_distance)) wall_distance = left;
  }
  return wall_distance;
}

// Adds the obstacles near the path, or near the way out of one from `depth`.
static void add_obstacles(const mote_collision *c, mote_contact_path *p, const double shift[3], double travel,
                          double depth) {
  double y[3] = {p->to[0] + shift[0], p->to[1] + shift[1], p->to[2] + shift[2]};
  for (size_t k = 0; k < c->obstacles; ++k) {
    if (is_bounded(&c->obstacle[k]) && !may_meet(c, &c->obstacle[k], p->from, travel + depth)) continue;
    mote_seen seen = mote_seen_make(&c->obstacle[k], shift, p->from);
    double past = travel + mote_obstacle_travel(&c->obstacle[k], y, 0.0),
           left = seen.distance - past - c->clearance;
    if (!(left > DISTANCE_SLACK * c->clearance + depth)) see(p, &seen);
  }
}

static void find_obstacles(const mote_collision *c, mote_contact_path *p, double travel) {
  double shift[8][3], depth = 0.0;
  int count = images(c->domain, p->from, p->to, shift);
  for (int k = 0; k < count; ++k) add_obstacles(c, p, shift[k], travel, 0.0);
  for (int k = 0; k < p->count; ++k) {
    if (p->seen[k].inside) depth = fmax(depth, p->clearance - p->seen[k].distance);
  }
  if (depth == 0.0) return;
  p->count = 0;
  for (int k = 0; k < count; ++k) add_obstacles(c, p, shift[k], travel, depth);
}

// With more obstacles than a sweep handles, the end point is tested again.
static bool is_outside_of_all(const mote_collision *c, const double from[3], const double to[3]) {
  double shift[8][3];
  int count = images(c->domain, from, to, shift);
  for (int k = 0; k < count; ++k) {
    for (size_t o = 0; o < c->obstacles; ++o) {
      mote_seen seen = mote_seen_make(&c->obstacle[o], shift[k], from);
      if (!seen.inside && !(mote_seen_distance(&seen, to, NULL) > 0.0)) return false;
    }
  }
  return true;
}

// Walls that close on a particle like shears would expel it with arbitrary speed, step after step: between
// several obstacles its speed is limited to its own, or to WEDGE_FACTOR times that of the fastest of them.
static void set_velocity(const mote_contact_path *p, float *velocity) {
  double v[3] = {(double)velocity[0], (double)velocity[1], (double)velocity[2]}, most = length3(v);
  for (int k = 0; k < p->planes.count; ++k) most = fmax(most, WEDGE_FACTOR * p->planes.plane[k].least);
  mote_contact_planes_project(&p->planes, true, v, v);
  double speed = length3(v),
         part = p->planes.count > 1 && speed > (1.0 + DISTANCE_SLACK) * most ? most / speed : 1.0;
  for (int a = 0; a < 3; ++a) velocity[a] = (float)(part * v[a]);
}

// Records the obstacles that changed the velocity, if one of them is bounded.
static void note_met(const mote_collision *c, size_t i, const mote_contact_path *p) {
  bool bounded = false;
  for (int k = 0; k < p->mets; ++k) bounded = bounded || is_bounded(p->met[k].obstacle);
  if (!bounded) return;
  memcpy(c->velocity_before + 3 * i, c->velocity + 3 * i, 3 * sizeof *c->velocity);
  for (int k = 0; k < p->mets; ++k) {
    size_t row = MOTE_MET_MAX * i + (size_t)k;
    const mote_contact_plane *plane = &p->met[k].plane;
    c->met[row] = (uint32_t)(p->met[k].obstacle - c->obstacle);
    if (p->mets == 1) return;
    for (size_t a = 0; a < 3; ++a) c->met_plane[4 * row + a] = (float)plane->normal[a];
    c->met_plane[4 * row + 3] = (float)plane->least;
  }
}

// Sweeps particle i among the nearby obstacles.
static void lead(const mote_collision *c, size_t i, double travel, collide_tally *tally) {
  double *x = c->position + 3 * i;
  mote_contact_path p = {.clearance = c->clearance};
  memcpy(p.from, c->from + 3 * i, sizeof p.from);
  memcpy(p.to, x, sizeof p.to);
  find_obstacles(c, &p, travel);
  if (p.count == 0) return;
  mote_contact_path_walk(&p);
  if (p.crowded && !is_outside_of_all(c, p.from, p.to)) memcpy(p.to, p.from, sizeof p.to);
  memcpy(x, p.to, sizeof p.to);
  if (p.planes.count > 0 && c->met != NULL) note_met(c, i, &p);
  if (p.planes.count > 0) set_velocity(&p, c->velocity + 3 * i);
  tally->touched += p.planes.count > 0;
  tally->pushed += p.pushed;
  tally->squeezed += p.squeezed;
  if (p.squeezed && i < tally->first) tally->first = i;
}

// Tests whether particle i may hit an obstacle; returns its free distance at the end.
static double check_particle(const mote_collision *c, size_t i, double travel, bool body,
                             collide_tally *tally) {
  const double *from = c->from + 3 * i, *to = c->position + 3 * i;
  double wall_distance = 0.0, shift[8][3];
  if (images(c->domain, from, to, shift) == 1) wall_distance = wall_distance_after(c, from, to, travel);
  if (wall_distance > DISTANCE_SLACK * c->clearance && !body) return wall_distance;
  lead(c, i, travel, tally);
  return 0.0;
}

// --- All ---

static void collide_task(void *data, size_t begin, size_t end, int worker) {
  collide_job *job = data;
  const mote_collision *c = job->c;
  for (size_t i = begin; i < end; ++i) {
    const double *from = c->from + 3 * i, *x = c->position + 3 * i;
    for (size_t k = 0; c->met != NULL && k < MOTE_MET_MAX; ++k) c->met[MOTE_MET_MAX * i + k] = UINT32_MAX;
    double step[3] = {x[0] - from[0], x[1] - from[1], x[2] - from[2]};
    double travel = length3(step);
    if (!(travel < HUGE_VAL)) continue;  // the watchdog reports it
    double wall_distance = c->wall_distance != NULL ? (double)c->wall_distance[i] : 0.0;
    double left = wall_distance - longest_travel(job, x, travel) - DISTANCE_SLACK * c->clearance;
    bool body = may_meet_any(job, from, travel);
    if (!(left > 0.0) || body) left = check_particle(c, i, travel, body, &job->tally[worker]);
    if (c->wall_distance != NULL)
      c->wall_distance[i] = left > 0.0 ? (float)((1.0 - DISTANCE_SLACK) * fmin(left, 1e30)) : 0.0f;
  }
}

mote_collision_report mote_collide(const mote_collision *collision) {
  MOTE_ASSERT(collision->obstacle != NULL || collision->obstacles == 0);
  MOTE_ASSERT(collision->count == 0 ||
              (collision->from != NULL && collision->position != NULL && collision->velocity != NULL));
  MOTE_ASSERT(collision->clearance >= 0.0);
  MOTE_ASSERT(collision->domain != NULL);
  collide_job job;  // tallies are cleared for actual workers only: clearing all would cost more than the rest
  int workers = collision->threads < 1 ? 1 : collision->threads;
  if (workers > MOTE_THREADS_MAX) workers = MOTE_THREADS_MAX;
  job.c = collision, job.moving = false;
  for (size_t k = 0; k < collision->obstacles; ++k)
    job.moving |= !is_bounded(&collision->obstacle[k]) && !mote_obstacle_stands(&collision->obstacle[k]);
  for (int w = 0; w < workers; ++w) job.tally[w] = (collide_tally){.first = SIZE_MAX};
  if (collision->obstacles > 0) {
    mote_parallel_for(workers, collision->count, PARTICLES_PER_TASK, collide_task, &job);
  }
  mote_collision_report report = {.first_squeezed = SIZE_MAX};
  for (int w = 0; w < workers; ++w) {
    const collide_tally *t = &job.tally[w];
    report.touched += t->touched;
    report.pushed += t->pushed;
    report.squeezed += t->squeezed;
    if (t->first < report.first_squeezed) report.first_squeezed = t->first;
  }
  return report;
}
