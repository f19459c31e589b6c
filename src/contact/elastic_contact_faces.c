// Faces of elastic bodies that particles and samples of obstacles meet: see elastic_contact.h. A face is a
// patch of particles of the surface, whose weights are positive and have their centre at the foot of the
// point, so that a normal force turns nothing; friction acts at the point itself, by weights of a fit to the
// neighbours. Beyond the edges of all faces of a body its balls are met. Theory: docs/theory/contact.md,
// "Faces"
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/bisect.h"
#include "contact/elastic_contact_find.h"
#include "contact/tuning.inc"

#define NEAR_MAX 96   // particles that a point sees: the nearest
#define FACES_MAX 6   // of a point
#define PATCH_MAX 48  // particles of a face
#define MEMBERS_MAX 256
#define BALANCE_STEPS 40         // of Newton's method
#define BALANCE_TOLERANCE 1e-13  // rounding: in spacings
#define BALANCE_MAX 30.0  // range: per spacing, of the weights' exponents: beyond it the foot is outside
#define BALANCE_STEP 2.0  // range: of that, in a step
#define MOMENT_MIN 1e-12  // rounding: of the second moments of a face, in squared spacings

typedef struct near_one {
  uint32_t particle;
  double apart[3], distance;  // from it to the point
} near_one;

typedef struct point {
  const mote_contact_job *job;
  uint32_t particle;  // or MOTE_NO_BALL: a sample
  const double *x;
  double reach, margin;
  near_one near[NEAR_MAX];  // the nearest first
  size_t count;
} point;

typedef struct face {
  uint32_t base;
  double normal[3], height, gap;
  const near_one *of[PATCH_MAX];
  double weight[PATCH_MAX], side[PATCH_MAX][2];
  size_t count;
} face;

// --- What is near ------------------------------------------------------------------------------------------

static void note(point *p, uint32_t j) {
  near_one one = {.particle = j};
  mote_contact_between(p->job->scene, p->x, p->job->x + 3 * (size_t)j, one.apart);
  if (p->job->set->dimensions == 2) one.apart[2] = 0.0;
  one.distance = length3(one.apart);
  if (p->count == NEAR_MAX && !(one.distance < p->near[NEAR_MAX - 1].distance)) return;
  size_t k = p->count < NEAR_MAX ? p->count++ : NEAR_MAX - 1;
  for (; k > 0 && p->near[k - 1].distance > one.distance; --k) p->near[k] = p->near[k - 1];
  p->near[k] = one;
}

static bool are_neighbours(const mote_elastic_contact *s, size_t i, size_t j) {
  size_t start = s->start[s->part_of[i]], a = i - start;
  const mote_elastic *b = s->part[s->part_of[i]].body;
  size_t count = b->first[a + 1] - b->first[a];
  const uint32_t *neighbour = b->neighbour + b->first[a];
  size_t k = mote_bisect(neighbour, count, j - start);
  return k < count && neighbour[k] == j - start;
}

static bool may_meet(const mote_elastic_contact *s, size_t i, size_t j) {
  if (i == j) return false;
  if (s->body_of[i] != s->body_of[j]) return true;
  return !s->part[s->part_of[i]].alone && !s->exposed[i] && !s->exposed[j] && !are_neighbours(s, i, j);
}

static void look(point *p, size_t list) {
  const mote_elastic_contact *s = p->job->set;
  const uint32_t *other = p->job->lists->index + p->job->lists->first[list];
  p->count = 0;
  for (uint32_t a = 0; a < p->job->lists->number[list]; ++a) {
    uint32_t j = s->ball[other[a]];
    if (p->particle == MOTE_NO_BALL || may_meet(s, p->particle, j)) note(p, j);
  }
}

static point point_of(const mote_contact_job *job, size_t i) {
  return (point){.job = job,
                 .particle = (uint32_t)i,
                 .x = job->x + 3 * i,
                 .reach = job->set->reach[i],
                 .margin = 2.0 * job->travel};
}

// Whether the particle at `r` from i is on the outer side of i, where its own neighbours are not now. Inside
// of a body there is no such side.
static bool is_outside(const mote_contact_job *job, size_t i, const double r[3]) {
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

// Whether the point is a particle of the same body as j.
static bool is_own(const point *p, const near_one *j) {
  const uint32_t *body = p->job->set->body_of;
  return p->particle != MOTE_NO_BALL && body[p->particle] == body[j->particle];
}

// Whether the point, where it is a particle of the same body, is one that j may meet.
static bool is_seen_from(const point *p, const near_one *j) {
  const mote_elastic_contact *s = p->job->set;
  if (!is_own(p, j) || !s->part[s->part_of[j->particle]].outside_only) return true;
  const double back[3] = {-j->apart[0], -j->apart[1], -j->apart[2]};
  return is_outside(p->job, p->particle, back) && is_outside(p->job, j->particle, j->apart);
}

// Distance of the point from the centre of j, or from a face with this reach, in contact. Parts of one body
// may be closer at rest.
static double contact_distance(const point *p, size_t j, double reach) {
  const mote_elastic_contact *s = p->job->set;
  const mote_elastic_contact_part *part = s->part + s->part_of[j];
  double d = p->reach + reach;
  if (p->particle == MOTE_NO_BALL || s->body_of[p->particle] != s->body_of[j] || part->rest == NULL) return d;
  size_t start = s->start[s->part_of[j]];
  return min2(d, distance3(part->rest + 3 * (p->particle - start), part->rest + 3 * (j - start)));
}

// --- Patches -----------------------------------------------------------------------------------------------

static bool is_of_face(const mote_elastic_contact *s, const near_one *base, const near_one *k) {
  if (s->body_of[k->particle] != s->body_of[base->particle]) return false;
  const double *n = s->normal + 3 * (size_t)base->particle;
  if (s->flatness[k->particle] > 0.0) return dot3(s->normal + 3 * (size_t)k->particle, n) > SAME_FACE;
  double height = dot3(n, base->apart) - dot3(n, k->apart);
  return fabs(height) < EDGE_HEIGHT * 2.0 * s->radius[base->particle];
}

static double square_aside(const near_one *k, const double n[3]) {
  double along = dot3(n, k->apart);
  return max2(0.0, k->distance * k->distance - along * along);
}

// The particles of a face, with the weights of a kernel, and its normal.
static bool collect(const point *p, const near_one *base, face *f) {
  const mote_elastic_contact *s = p->job->set;
  double d = 2.0 * s->radius[base->particle], R2 = FACE_KERNEL_RADIUS * FACE_KERNEL_RADIUS * d * d,
         sum[3] = {0};
  *f = (face){.base = base->particle};
  for (size_t k = 0; k < p->count && f->count < PATCH_MAX; ++k) {
    const near_one *one = p->near + k;
    if (!is_of_face(s, base, one)) continue;
    double q = 1.0 - square_aside(one, s->normal + 3 * (size_t)base->particle) / R2;
    if (!(q > 0.0)) continue;
    f->of[f->count] = one, f->weight[f->count++] = q * q;
    if (s->flatness[one->particle] > 0.0) step3(sum, q * q, s->normal + 3 * (size_t)one->particle, sum);
  }
  double length = length3(sum);
  for (int a = 0; length > 0.0 && a < 3; ++a) f->normal[a] = sum[a] / length;
  return length > 0.0;
}

// Two directions in the plane of the face; the second is 0 in 2D.
static void span(int dimensions, const double n[3], double u[3], double v[3]) {
  if (dimensions == 2) {
    set3(-n[1], n[0], 0.0, u), set3(0.0, 0.0, 0.0, v);
    return;
  }
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(n[k]) < fabs(n[least]) ? k : least;
  double e[3] = {least == 0, least == 1, least == 2};
  cross3(n, e, u);
  double length = length3(u);
  for (int k = 0; k < 3; ++k) u[k] /= length;
  cross3(n, u, v);
}

// Weights times exp(b . side), with their sum, first and second moments.
static void moments_of(const face *f, const double b[2], double *weight, double sum[6]) {
  memset(sum, 0, 6 * sizeof *sum);
  for (size_t k = 0; k < f->count; ++k) {
    const double *a = f->side[k];
    double w = f->weight[k] * mote_exp(b[0] * a[0] + b[1] * a[1]);
    weight[k] = w;
    sum[0] += w, sum[1] += w * a[0], sum[2] += w * a[1];
    sum[3] += w * a[0] * a[0], sum[4] += w * a[0] * a[1], sum[5] += w * a[1] * a[1];
  }
}

// Makes the foot of the point the centre of the weights, which stay positive and are nearest to the kernel's
// in the sense of entropy. False: it is outside of the face.
static bool balance(face *f, int dimensions, double unit) {
  double u[3], v[3], b[2] = {0.0, 0.0}, weight[PATCH_MAX], sum[6];
  span(dimensions, f->normal, u, v);
  for (size_t k = 0; k < f->count; ++k)
    f->side[k][0] = -dot3(u, f->of[k]->apart) / unit, f->side[k][1] = -dot3(v, f->of[k]->apart) / unit;
  for (int step = 0; step < BALANCE_STEPS; ++step) {
    moments_of(f, b, weight, sum);
    if (sqrt(sum[1] * sum[1] + sum[2] * sum[2]) <= BALANCE_TOLERANCE * sum[0]) {
      for (size_t k = 0; k < f->count; ++k) f->weight[k] = weight[k] / sum[0];
      return true;
    }
    if (dimensions == 2) sum[5] = sum[0];
    double det = sum[3] * sum[5] - sum[4] * sum[4];
    if (!(det > MOMENT_MIN * sum[0] * sum[0])) return false;
    double c[2] = {(sum[4] * sum[2] - sum[5] * sum[1]) / det, (sum[4] * sum[1] - sum[3] * sum[2]) / det};
    double length = sqrt(c[0] * c[0] + c[1] * c[1]),
           part = length > BALANCE_STEP ? BALANCE_STEP / length : 1.0;
    b[0] += part * c[0], b[1] += part * c[1];
    if (b[0] * b[0] + b[1] * b[1] > BALANCE_MAX * BALANCE_MAX) return false;
  }
  return false;
}

// The face around j, where it carries the point: on its outer side, above its particles and near enough.
static bool make_face(const point *p, const near_one *base, face *f) {
  const mote_elastic_contact *s = p->job->set;
  double unit = 2.0 * s->radius[base->particle],
         above = dot3(s->normal + 3 * (size_t)base->particle, base->apart);
  if (above < -unit || above > p->reach + p->margin + 1.5 * unit) return false;
  if (!collect(p, base, f) || !balance(f, s->dimensions, unit)) return false;
  double reach = 0.0;
  for (size_t k = 0; k < f->count; ++k) {
    f->height += f->weight[k] * dot3(f->normal, f->of[k]->apart);
    reach += f->weight[k] * s->reach[f->of[k]->particle];
  }
  double d = contact_distance(p, base->particle, reach);
  f->gap = f->height - d;
  return (is_own(p, base) ? f->gap : f->height) > -INNER_SIDE * d && f->gap < p->margin &&
         is_seen_from(p, base);
}

// --- Friction ----------------------------------------------------------------------------------------------

// Solves C x = b without the directions in which the neighbours hardly extend.
static void solve_spread(const double C[9], const double b[3], double x[3]) {
  double value[3], Q[9], q[3];
  set3(0.0, 0.0, 0.0, x);
  if (!mote_eigen3(C, value, Q)) return;
  for (int k = 0; k < 3; ++k) {
    if (!(value[k] > SPREAD_MIN * SPREAD_MIN * value[0])) continue;
    set3(Q[k], Q[3 + k], Q[6 + k], q);
    step3(x, dot3(q, b) / value[k], q, x);
  }
}

typedef struct members {
  mote_elastic_contact_member one[MEMBERS_MAX];
  size_t count;
} members;

static void add_member(members *m, size_t particle, double along, double across) {
  size_t k = 0;
  while (k < m->count && m->one[k].particle != particle) ++k;
  if (k == MEMBERS_MAX) return;
  if (k == m->count) m->one[m->count++] = (mote_elastic_contact_member){.particle = (uint32_t)particle};
  m->one[k].along += along, m->one[k].across += across;
}

// Shares of the particle `base` and its neighbours, whose centre is the point at `apart` from it.
static void add_fit(const mote_contact_job *job, size_t base, const double apart[3], double sign,
                    members *m) {
  const mote_elastic_contact *s = job->set;
  size_t start = s->start[s->part_of[base]];
  const mote_elastic *b = s->part[s->part_of[base]].body;
  size_t begin = b->first[base - start], end = b->first[base - start + 1];
  double sum = 1.0, mean[3] = {0}, C[9] = {0}, r[3], x[3];
  for (size_t k = begin; k < end; ++k) {
    sub3(job->x + 3 * (start + b->neighbour[k]), job->x + 3 * base, r);
    sum += b->pair[k].weight;
    step3(mean, b->pair[k].weight, r, mean);
    for (int e = 0; e < 9; ++e) C[e] += b->pair[k].weight * r[e / 3] * r[e % 3];
  }
  for (int a = 0; a < 3; ++a) mean[a] /= sum;
  for (int e = 0; e < 9; ++e) C[e] -= sum * mean[e / 3] * mean[e % 3];
  sub3(apart, mean, r);
  solve_spread(C, r, x);
  add_member(m, base, 0.0, sign * (1.0 / sum - dot3(x, mean)));
  for (size_t k = begin; k < end; ++k) {
    sub3(job->x + 3 * (start + b->neighbour[k]), job->x + 3 * base, r);
    sub3(r, mean, r);
    add_member(m, start + b->neighbour[k], 0.0, sign * b->pair[k].weight * (1.0 / sum + dot3(x, r)));
  }
}

// --- Records -----------------------------------------------------------------------------------------------

// `sign`: of the shares of the face's body.
static mote_result keep_face(const point *p, const face *f, double sign, mote_elastic_contact_record *t,
                             mote_elastic_contact_chunk *own) {
  members m;
  m.count = 0;
  t->gap = f->gap;
  for (int a = 0; a < 3; ++a) t->normal[a] = -sign * f->normal[a];
  if (p->particle != MOTE_NO_BALL) add_member(&m, p->particle, 1.0, t->friction > 0.0);
  for (size_t k = 0; k < f->count; ++k) add_member(&m, f->of[k]->particle, sign * f->weight[k], 0.0);
  if (t->friction > 0.0) {
    const near_one *base = f->of[0];
    for (size_t k = 0; k < f->count; ++k) base = f->of[k]->particle == f->base ? f->of[k] : base;
    add_fit(p->job, f->base, base->apart, sign, &m);
  }
  return mote_elastic_contact_keep(p->job->set, own, t, m.one, m.count);
}

// The faces of all bodies that the point meets, each normal once.
static size_t find_faces(const point *p, face found[FACES_MAX]) {
  const mote_elastic_contact *s = p->job->set;
  uint32_t tried[FACES_MAX];
  size_t count = 0, tries = 0;
  for (size_t k = 0; k < p->count && tries < FACES_MAX; ++k) {
    uint32_t j = p->near[k].particle;
    bool known = !(s->flatness[j] > 0.0);
    for (size_t a = 0; a < tries && !known; ++a)
      known = s->body_of[tried[a]] == s->body_of[j] &&
              dot3(s->normal + 3 * (size_t)tried[a], s->normal + 3 * (size_t)j) > SAME_FACE;
    if (known || square_aside(&p->near[k], s->normal + 3 * (size_t)j) >
                     FACE_KERNEL_RADIUS * FACE_KERNEL_RADIUS * 4.0 * s->radius[j] * s->radius[j])
      continue;
    tried[tries++] = j;
    if (make_face(p, p->near + k, found + count)) ++count;
  }
  return count;
}

// Whether a face of the body carries particle j.
static bool is_carried(const mote_contact_job *job, size_t j, size_t body) {
  point p = point_of(job, j);
  face found[FACES_MAX];
  look(&p, job->set->ball_of[j]);
  size_t count = find_faces(&p, found);
  bool carried = false;
  for (size_t k = 0; k < count; ++k) carried = carried || job->set->body_of[found[k].base] == body;
  return carried;
}

// Beyond the edges of faces: the balls of i and of particle j.
static mote_result add_ball(const point *p, const near_one *j, mote_elastic_contact_record *t,
                            mote_elastic_contact_chunk *own) {
  face f = {.base = j->particle, .of = {j}, .weight = {1.0}, .count = 1};
  double d = contact_distance(p, j->particle, p->job->set->reach[j->particle]);
  f.gap = j->distance - d;
  if (!(j->distance > 0.0) || !(f.gap < p->margin) || !is_seen_from(p, j)) return MOTE_OK;
  if (is_own(p, j) && f.gap < -INNER_SIDE * d) return MOTE_OK;
  if (is_carried(p->job, j->particle, p->job->set->body_of[p->particle])) return MOTE_OK;
  for (int a = 0; a < 3; ++a) f.normal[a] = j->apart[a] / j->distance;
  t->other = j->particle;
  return keep_face(p, &f, -1.0, t, own);
}

static double friction_with(const mote_elastic_contact *s, size_t i, size_t j) {
  return mote_elastic_contact_mixed(s->part[s->part_of[i]].friction, s->part[s->part_of[j]].friction);
}

mote_result mote_elastic_contact_add_faces(const mote_contact_job *job, size_t i,
                                           mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  point p = point_of(job, i);
  face found[FACES_MAX];
  look(&p, s->ball_of[i]);
  size_t count = p.count > 0 ? find_faces(&p, found) : 0, balls = 0;
  mote_elastic_contact_record t = {
      .i = (uint32_t)i, .mover = {MOTE_NO_MOVER, MOTE_NO_MOVER}, .meets = MOTE_MEETS_FACE};
  for (size_t k = 0; k < count; ++k) {
    t.other = found[k].base, t.friction = friction_with(s, i, t.other);
    MOTE_TRY(keep_face(&p, found + k, -1.0, &t, own));
  }
  for (size_t k = 0; k < p.count && balls < FACES_MAX; ++k) {
    uint32_t j = p.near[k].particle;
    bool carried = j < i;  // found from the other end
    for (size_t a = 0; a < count; ++a) carried = carried || s->body_of[found[a].base] == s->body_of[j];
    if (carried) continue;
    size_t before = own->count;
    t.friction = friction_with(s, i, j);
    MOTE_TRY(add_ball(&p, p.near + k, &t, own));
    balls += own->count - before;
  }
  return MOTE_OK;
}

mote_result mote_elastic_contact_add_sample(const mote_contact_job *job, size_t k,
                                            mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  const mote_elastic_contact_sample *of = s->sample + k;
  const mote_obstacle *obstacle = job->scene->obstacle + of->obstacle;
  point p = {.job = job, .particle = MOTE_NO_BALL, .x = of->x, .reach = of->round, .margin = of->margin};
  face found[FACES_MAX];
  look(&p, s->balls + k);
  size_t count = p.count > 0 ? find_faces(&p, found) : 0;
  mote_elastic_contact_record t = {.other = of->obstacle,
                                   .sample = of->number,
                                   .mover = {MOTE_NO_MOVER, MOTE_NO_MOVER},
                                   .meets = MOTE_MEETS_SAMPLE};
  sub3(of->x, obstacle->x, t.arm[1]);
  copy3(of->motion, t.motion);
  for (size_t a = 0; a < count; ++a) {
    t.i = found[a].base;
    t.friction = mote_elastic_contact_mixed(s->part[s->part_of[t.i]].friction, obstacle->friction);
    MOTE_TRY(keep_face(&p, found + a, 1.0, &t, own));
  }
  return MOTE_OK;
}

// --- Samples of obstacles ----------------------------------------------------------------------------------

// Whether a face may meet a ball of this radius at x.
static bool is_near_part(const mote_contact_job *job, uint32_t k, const double x[3], double radius) {
  const mote_elastic_contact *s = job->set;
  for (size_t p = 0; p < s->parts; ++p) {
    const double *bounds = s->bounds + 6 * p;
    bool within = s->reachable[job->scene->obstacles * p + k] != 0 && mote_elastic_contact_is_stepped(s, p);
    for (int a = 0; a < s->dimensions && within; ++a) {
      bool wraps = job->scene->domain != NULL && job->scene->domain->periodic[a];
      within = wraps || (x[a] + radius > bounds[a] && x[a] - radius < bounds[3 + a]);
    }
    if (within) return true;
  }
  return false;
}

static mote_result add_point(const mote_contact_job *job, uint32_t k, uint32_t number, const double x[3],
                             double round, double *farthest, mote_error *error) {
  mote_elastic_contact *s = job->set;
  mote_elastic_contact_sample one = {.obstacle = k, .number = number, .round = round};
  mote_obstacle_velocity(job->scene->obstacle + k, 0.0, x, one.motion);
  one.margin = job->travel + job->scene->dt * length3(one.motion);
  double along = round + s->radius_max + one.margin;
  if (!is_near_part(job, k, x, along)) return MOTE_OK;
  copy3(x, one.x);
  *farthest = max2(*farthest, mote_elastic_contact_look(s, along));
  MOTE_TRY(mote_reserve(&s->env, &s->sample, &s->sample_capacity, s->samples + 1, sizeof *s->sample, error));
  s->sample[s->samples++] = one;
  return MOTE_OK;
}

// The balls of a ring, a spacing apart.
static mote_result add_ring(const mote_contact_job *job, uint32_t k, uint32_t *number,
                            const mote_contact_sample *sample, double *farthest, mote_error *error) {
  const mote_pose *pose = &job->scene->obstacle[k].pose;
  double u[3], v[3], x[3], at[3];
  int balls = sample->ring == 0.0 ? 1 : (int)ceil(2.0 * MOTE_PI * sample->ring / job->scene->spacing);
  if (sample->ring > 0.0) span(3, sample->axis, u, v);
  for (int b = 0; b < balls; ++b, ++*number) {
    double angle = 2.0 * MOTE_PI * b / balls;
    copy3(sample->centre, x);
    if (sample->ring > 0.0) {
      step3(x, sample->ring * mote_cos(angle), u, x);
      step3(x, sample->ring * mote_sin(angle), v, x);
    }
    mote_obstacle_to_world(pose, x, at);
    MOTE_TRY(add_point(job, k, *number, at, sample->round, farthest, error));
  }
  return MOTE_OK;
}

// Rounder ones than ROUND_MAX are met by the particles of the faces.
mote_result mote_elastic_contact_find_samples(const mote_contact_job *job, double *farthest,
                                              mote_error *error) {
  const mote_contact_scene *scene = job->scene;
  job->set->samples = 0;
  for (uint32_t k = 0; k < scene->obstacles; ++k) {
    const mote_contact_samples *of = scene->obstacle[k].contact_samples;
    uint32_t number = 0;
    bool near = false;
    for (size_t p = 0; p < job->set->parts; ++p)
      near = near || job->set->reachable[scene->obstacles * p + k] != 0;
    for (size_t a = 0; near && of != NULL && a < of->count; ++a) {
      if (of->sample[a].round > ROUND_MAX * scene->spacing) continue;
      MOTE_TRY(add_ring(job, k, &number, of->sample + a, farthest, error));
    }
  }
  return MOTE_OK;
}
