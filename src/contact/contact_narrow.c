// Narrow phase: samples of one obstacle against the distance field of another, see contact_narrow.h.
#include "contact/contact_narrow.h"

#include <mote/numeric.h>
#include <string.h>

#include "contact/tuning.inc"
#include "geom/shape_tree.h"

#define CANDIDATES_MAX 128  // per pair; with more, the deepest are kept
#define SAMPLES_PER_BLOCK 64

typedef struct candidate {
  uint32_t sample;
  bool other;               // a sample of the pair's second obstacle against the field of the first
  double centre[3], round;  // of the ball, in world coordinates
  double normal[3], gap;
  bool swept;  // beyond the margin: it meets the other on its path
} candidate;

typedef struct pair_job {
  const mote_contact_scene *scene;
  double margin;
  // Samples of a against the field of b; `other`: a is the second of the pair.
  bool other;
  const mote_obstacle *a, *b;
  const mote_contact_cache *cache_a, *cache_b;
  double travel;
  double side[3], limit;  // balls beyond `limit` along `side` (in coordinates of a) are too far away
  candidate found[CANDIDATES_MAX];
  size_t count;
  bool swept;  // some candidate is
} pair_job;

// --- Motion in the step ------------------------------------------------------------------------------

mote_contact_cache mote_contact_cache_of(const mote_contact_scene *scene, const mote_obstacle *obstacle) {
  MOTE_ASSERT(obstacle >= scene->obstacle && obstacle < scene->obstacle + scene->obstacles);
  double spin = length3(obstacle->w);
  mote_contact_cache cache = {.farthest = scene->dt * length3(obstacle->v), .spin = spin};
  if (spin > 0.0) cache.farthest += min2(scene->dt * spin, 2.0) * obstacle->radius;
  if (obstacle->deforming != NULL) {
    cache.farthest = obstacle->deforming->travel;
    cache.deforming_speed = scene->dt > 0.0 ? cache.farthest / scene->dt : 0.0;
  }
  if (obstacle->contact_samples != NULL) {
    cache.sample = obstacle->contact_samples->sample, cache.samples = obstacle->contact_samples->count;
    cache.ball = cache.samples == 1 && cache.sample[0].ring == 0.0;
  }
  if (obstacle->shape == NULL) return cache;
  const mote_shape_node *node = obstacle->shape->node;
  cache.convex = mote_shape_is_convex(obstacle->shape);
  cache.box = node->kind == MOTE_SHAPE_BOX && !node->inverted && obstacle->shape->dimensions == 3;
  if (cache.box) {
    multiply3(obstacle->pose.rotation, node->basis, cache.axes);
    mote_obstacle_to_world(&obstacle->pose, node->origin, cache.middle);
    copy3(node->size, cache.half);
  }
  return cache;
}

// --- One ball -----------------------------------------------------------------------------------------

// Distance and normal of b at x. A distance above `limit` may be any larger number, without a normal. Boxes,
// the most common shape, skip the general dispatch.
static double field(const pair_job *job, const double x[3], double limit, double normal[3]) {
  const mote_contact_cache *b = job->cache_b;
  if (!b->box) return mote_obstacle_distance(job->b, 0.0, x, normal);
  double y[3];
  sub3(x, b->middle, y);
  unturn3(b->axes, y, y);
  double least = max2(max2(fabs(y[0]) - b->half[0], fabs(y[1]) - b->half[1]), fabs(y[2]) - b->half[2]);
  if (least > limit) return least;
  double d = mote_primitive_distance(job->b->shape->node, 3, y, normal);
  turn3(b->axes, normal, normal);
  return d;
}

static void keep_candidate(pair_job *job, const candidate *c) {
  size_t k = job->count;
  if (k < CANDIDATES_MAX) {
    ++job->count;
  } else {
    k = 0;
    for (size_t j = 1; j < CANDIDATES_MAX; ++j) k = job->found[j].gap > job->found[k].gap ? j : k;
    if (!(c->gap < job->found[k].gap)) return;
  }
  job->found[k] = *c;
}

// Whether the ball meets b on its path; gap and normal are then those of the point of impact.
static bool hits_on_path(const pair_job *job, candidate *c) {
  mote_obstacle_hit hit;
  double to[3];
  mote_obstacle_carry(job->a, c->centre, to);
  if (!(mote_obstacle_sweep(job->b, 0.0, c->centre, to, c->round, &hit) <= 1.0)) return false;
  c->gap = hit.gap;
  copy3(hit.normal, c->normal);
  return true;
}

static void test_ball(pair_job *job, uint32_t sample, const double centre[3], double round) {
  candidate c = {.sample = sample, .other = job->other, .round = round};
  copy3(centre, c.centre);
  c.gap = field(job, centre, max2(job->margin, job->travel) + round, c.normal) - round;
  if (c.gap < job->margin) {
    keep_candidate(job, &c);
  } else if (c.gap < job->travel && job->travel > job->margin && hits_on_path(job, &c)) {
    job->swept = c.swept = true;
    keep_candidate(job, &c);
  }
}

// --- Rings --------------------------------------------------------------------------------------------

static void any_side(const double axis[3], double out[3]) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
  double e[3] = {least == 0, least == 1, least == 2};
  cross3(axis, e, out);
  double length = length3(out);
  for (int k = 0; k < 3; ++k) out[k] /= length;
}

// Direction from the centre of the ring to its point nearest to b; false where no point is nearest.
static bool nearest_side(const pair_job *job, const double centre[3], const double axis[3], double ring,
                         double side[3]) {
  double n[3], x[3], length = 0.0;
  copy3(centre, x);
  for (int round = 0; round < 3;
       ++round) {  // three fixed-point iterations on the normal at the nearest point
    field(job, x, HUGE_VAL, n);
    step3(n, -dot3(n, axis), axis, n);
    length = length3(n);
    if (length < RING_TILT_MIN) return false;
    for (int k = 0; k < 3; ++k) side[k] = -n[k] / length;
    step3(centre, ring, side, x);
  }
  return true;
}

static void test_ring(pair_job *job, uint32_t number, const mote_contact_sample *s, const double centre[3]) {
  double axis[3], side[3], other[3], x[3];
  turn3(job->a->pose.rotation, s->axis, axis);
  if (!nearest_side(job, centre, axis, s->ring, side)) {
    any_side(s->axis, side);
    turn3(job->a->pose.rotation, side, side);
  }
  cross3(axis, side, other);
  for (int k = 0; k < 3; ++k) {  // that point, and the points a third of the ring away on both sides
    double along = k == 0 ? 1.0 : -0.5, across = k == 0 ? 0.0 : (k == 1 ? 1.0 : -1.0) * 0.5 * sqrt(3.0);
    step3(centre, s->ring * along, side, x);
    step3(x, s->ring * across, other, x);
    test_ball(job, 3 * number + (uint32_t)k, x, s->round);
  }
}

static void test_sample(pair_job *job, uint32_t number) {
  const mote_contact_sample *s = job->cache_a->sample + number;
  double centre[3], n[3];
  mote_obstacle_to_world(&job->a->pose, s->centre, centre);
  if (s->ring == 0.0) {
    test_ball(job, 3 * number, centre, s->round);
  } else if (field(job, centre, HUGE_VAL, n) - s->ring - s->round < max2(job->travel, job->margin)) {
    test_ring(job, number, s, centre);
  }
}

// Collects the samples within the limit first, without a branch that would be mispredicted.
static void test_samples(pair_job *job) {
  const mote_contact_sample *sample = job->cache_a->sample;
  size_t count = job->cache_a->samples;
  uint32_t within[SAMPLES_PER_BLOCK];
  for (size_t first = 0; first < count; first += SAMPLES_PER_BLOCK) {
    size_t end = count - first < SAMPLES_PER_BLOCK ? count : first + SAMPLES_PER_BLOCK, noted = 0;
    for (size_t k = first; k < end; ++k) {
      const mote_contact_sample *s = sample + k;
      within[noted] = (uint32_t)k;
      noted += !(dot3(job->side, s->centre) - s->ring - s->round > job->limit);
    }
    for (size_t k = 0; k < noted; ++k) test_sample(job, within[k]);
  }
}

// --- Four contacts for each face ---------------------------------------------------------------------

// Chooses the candidates of a face one by one by the largest `measure`.
typedef struct face {
  const pair_job *job;
  uint8_t *taken;  // 0: free, 1: of this face, 2: kept, 3: done
  size_t corner[4], corners;
} face;

// Depth; distance from the first corner; distance from the line through two; distance on the other side of it
// than the third: all but the first along the face, for samples that are swept begin at all heights above it.
static double measure(const face *f, size_t k) {
  const candidate *c = f->job->found, *at = c + k;
  double r[3], e[3], n[3];
  if (f->corners == 0) return f->job->margin - at->gap;
  sub3(at->centre, c[f->corner[0]].centre, r);
  double out = dot3(r, c[f->corner[0]].normal);
  if (f->corners == 1) return dot3(r, r) - out * out;
  sub3(c[f->corner[1]].centre, c[f->corner[0]].centre, e);
  cross3(e, r, n);
  double area = dot3(n, c[f->corner[0]].normal);
  if (f->corners == 2) return fabs(area);
  double third[3], turned[3];
  sub3(c[f->corner[2]].centre, c[f->corner[0]].centre, third);
  cross3(e, third, turned);
  return dot3(turned, c[f->corner[0]].normal) > 0.0 ? -area : area;
}

// Takes of the candidates that are nearly as good as the best the first within the margin, since a resting
// body must find the same ones in every step for the warm start; else the nearest: upper corners stop no
// lower ones.
static bool take_corner(face *f) {
  size_t best = SIZE_MAX;
  double most = 0.0, nearest = HUGE_VAL, score[CANDIDATES_MAX];
  for (size_t k = 0; k < f->job->count; ++k) {
    if (f->taken[k] == 1) most = max2(most, score[k] = measure(f, k));
  }
  for (size_t k = 0; k < f->job->count; ++k) {
    if (f->taken[k] != 1) continue;
    double m = score[k], gap = max2(f->job->margin, f->job->found[k].gap);
    bool good = f->corners == 0 ? m >= NEARLY_DEEPEST_RATIO * most || most == 0.0
                                : m > 0.0 && m >= NEARLY_BEST_RATIO * most;
    if (good && gap < nearest) best = k, nearest = gap;
  }
  if (best == SIZE_MAX) return false;
  f->corner[f->corners++] = best;
  f->taken[best] = 2;
  return true;
}

// Marks the candidates to keep; returns their number.
static size_t choose(const pair_job *job, uint8_t *taken) {
  size_t kept = 0;
  memset(taken, 0, job->count);
  while (kept + 4 <= MOTE_CONTACT_PAIR_RECORDS) {
    size_t seed = SIZE_MAX;
    for (size_t k = 0; k < job->count; ++k) {
      if (taken[k] == 0 && (seed == SIZE_MAX || job->found[k].gap < job->found[seed].gap)) seed = k;
    }
    if (seed == SIZE_MAX) break;
    face f = {.job = job, .taken = taken};
    for (size_t k = 0; k < job->count; ++k) {
      double cosine = dot3(job->found[k].normal, job->found[seed].normal);
      bool same = (job->found[k].other == job->found[seed].other ? cosine : -cosine) > SAME_NORMAL_COSINE;
      if (taken[k] == 0 && same) taken[k] = 1;
    }
    while (f.corners < 4 && take_corner(&f)) ++kept;
    for (size_t k = 0; k < job->count; ++k) taken[k] = taken[k] == 1 ? 3 : taken[k];
  }
  return kept;
}

// The sample ball at a corner touches inward of it, but the support point of a body is the corner: the point
// is moved along the surface by the distance of the corner from the ball's centre.
static void add_corner(const mote_obstacle *a, const candidate *c, double point[3]) {
  double out[3];
  if (a->contact_samples == NULL) return;
  turn3(a->pose.rotation, a->contact_samples->sample[c->sample / 3].corner, out);
  step3(point, 1.0, out, point);
  step3(point, -dot3(out, c->normal), c->normal, point);
}

static mote_contact record(const mote_contact_scene *scene, uint32_t a, uint32_t b, const candidate *c) {
  mote_contact out = {.a = a, .b = b, .sample = c->sample, .gap = c->gap};
  step3(c->centre, -(c->round + 0.5 * c->gap), c->normal, out.point);
  add_corner(scene->obstacle + a, c, out.point);
  copy3(c->normal, out.normal);
  return out;
}

// Insertion into sorted order: candidates come in order, except those that replaced others.
static void insert(mote_contact *out, size_t count, const mote_contact *c) {
  size_t j = count;
  for (; j > 0 && mote_contact_compare(out + j - 1, c) > 0; --j) out[j] = out[j - 1];
  out[j] = *c;
}

// --- A pair -------------------------------------------------------------------------------------------

// Motion of the points of a in coordinates that rotate with b: the current velocity v of a's reference point,
// and, as return value, a bound on the additional speed from rotation, m/s.
static double relative_motion(const pair_job *job, double v[3]) {
  const mote_obstacle *a = job->a, *b = job->b;
  double apart[3], along[3], turn[3], more = job->cache_b->deforming_speed;
  sub3(a->v, b->v, v);
  sub3(a->w, b->w, turn);
  if (job->cache_b->spin > 0.0) {
    more += job->scene->dt * job->cache_b->spin * length3(v);
    sub3(a->x, b->x, apart);
    cross3(b->w, apart, along);
    sub3(v, along, v);
  }
  return more + length3(turn) * a->radius;
}

// Tests the samples of one obstacle against the field of the other; false: the pair does not meet in either
// direction.
static bool test_obstacle(pair_job *job, const mote_contact_cache *cache, mote_contact_pair pair, bool other,
                          bool fast) {
  uint32_t a = other ? pair.b : pair.a, b = other ? pair.a : pair.b;
  double n[3], v[3];
  job->other = other;
  job->a = job->scene->obstacle + a, job->b = job->scene->obstacle + b;
  job->cache_a = cache + a, job->cache_b = cache + b;
  if (job->cache_a->samples == 0) return true;
  double more = relative_motion(job, v), dt = job->scene->dt;
  job->travel = dt * (length3(v) + more);
  if (fast && !(job->travel > job->margin)) return true;
  double reach = max2(job->margin, job->travel), f = field(job, job->a->x, job->a->radius + reach, n);
  if (f > job->a->radius + reach) return false;
  // The distance of a convex obstacle is never below that of its tangent plane: samples that do not reach the
  // plane do not reach the obstacle.
  unturn3(job->a->pose.rotation, n, job->side);
  job->limit = HUGE_VAL;
  if (job->cache_b->convex) {
    double middle[3];
    mote_obstacle_from_world(&job->a->pose, job->a->x, middle);
    reach = max2(job->margin, dt * (max2(0.0, -dot3(v, n)) + more));
    job->limit = reach - f + dot3(job->side, middle);
    if (f > job->a->radius + reach || mote_shape_lowest(job->a->shape, job->side) > job->limit) return false;
  }
  test_samples(job);
  return true;
}

// The records of a pair without periodic images.
static size_t find_without_images(const mote_contact_scene *scene, const mote_contact_cache *cache,
                                  mote_contact_pair pair, bool fast,
                                  mote_contact out[MOTE_CONTACT_PAIR_RECORDS]) {
  pair_job job;  // set member by member: clearing the candidates would cost more than the rest
  const mote_contact_cache *a = cache + pair.a, *b = cache + pair.b;
  job.scene = scene, job.count = 0, job.swept = false;
  job.margin = MOTE_CONTACT_MARGIN * scene->spacing;
  // For a ball against a convex obstacle the one sample of the ball is enough.
  bool by_b = b->ball && a->convex, by_a = !by_b && a->ball && b->convex;
  if (!by_b && !test_obstacle(&job, cache, pair, false, fast)) return 0;
  if (!by_a && !test_obstacle(&job, cache, pair, true, fast)) return 0;
  if (job.count == 0 || (fast && !job.swept)) return 0;
  uint8_t taken[CANDIDATES_MAX];
  size_t kept = 0;
  choose(&job, taken);
  for (size_t k = 0; k < job.count; ++k) {
    const candidate *c = job.found + k;
    if (taken[k] != 2 || (fast && !c->swept)) continue;
    mote_contact own = record(scene, c->other ? pair.b : pair.a, c->other ? pair.a : pair.b, c);
    insert(out, kept++, &own);
  }
  return kept;
}

// --- Periodic sides -----------------------------------------------------------------------------------

void mote_contact_between(const mote_contact_scene *scene, const double xi[3], const double xj[3],
                          double out[3]) {
  MOTE_ASSERT(xi != NULL && xj != NULL);
  if (scene->domain == NULL) {
    sub3(xi, xj, out);
  } else {
    mote_domain_difference(scene->domain, xi, xj, out);
  }
}

void mote_contact_arms(const mote_contact_scene *scene, const mote_contact *c, double ra[3], double rb[3]) {
  MOTE_ASSERT(c->a < scene->obstacles && c->b < scene->obstacles && c->a != c->b);
  const mote_obstacle *a = scene->obstacle + c->a, *b = scene->obstacle + c->b;
  sub3(c->point, a->x, ra);
  sub3(c->point, b->x, rb);
  if (scene->domain == NULL) return;
  double *moved = c->a > c->b ? ra : rb;
  sub3(moved, c->image, moved);
}

// The records of the pair with its second obstacle moved by `image`.
static size_t find_image(const mote_contact_scene *scene, const mote_contact_cache *cache,
                         mote_contact_pair pair, bool fast, const double image[3],
                         mote_contact out[MOTE_CONTACT_PAIR_RECORDS]) {
  mote_obstacle two[2] = {scene->obstacle[pair.a], scene->obstacle[pair.b]};
  mote_contact_cache moved[2] = {cache[pair.a], cache[pair.b]};
  mote_contact_scene here = *scene;
  step3(two[1].x, 1.0, image, two[1].x);
  step3(two[1].pose.move, 1.0, image, two[1].pose.move);
  step3(moved[1].middle, 1.0, image, moved[1].middle);
  here.obstacle = two, here.obstacles = 2;
  size_t count = find_without_images(&here, moved, (mote_contact_pair){0, 1}, fast, out);
  for (size_t k = 0; k < count; ++k) {
    bool first = out[k].a == 0;
    out[k].a = first ? pair.a : pair.b, out[k].b = first ? pair.b : pair.a;
    copy3(image, out[k].image);
  }
  return count;
}

// An obstacle has an image where the body reaches over a periodic side; a large obstacle has several.
static size_t find_images(const mote_contact_scene *scene, const mote_contact_cache *cache,
                          mote_contact_pair pair, bool fast, mote_contact out[MOTE_CONTACT_PAIR_RECORDS]) {
  const mote_domain *domain = scene->domain;
  const mote_obstacle *a = scene->obstacle + pair.a;
  double reach = a->radius + cache[pair.a].farthest + MOTE_CONTACT_MARGIN * scene->spacing, step[3] = {0};
  for (int k = 0; k < domain->dimensions; ++k) {
    if (!domain->periodic[k]) continue;
    double period = domain->high[k] - domain->low[k];
    step[k] = a->x[k] - reach < domain->low[k] ? -period : a->x[k] + reach > domain->high[k] ? period : 0.0;
  }
  size_t count = 0;
  mote_contact own[MOTE_CONTACT_PAIR_RECORDS];
  for (int image = 0; image < 8; ++image) {
    double move[3] = {0};
    bool there = true;
    for (int k = 0; k < 3; ++k) {
      if (image >> k & 1) move[k] = step[k], there = there && step[k] != 0.0;
    }
    if (!there) continue;
    size_t more = find_image(scene, cache, pair, fast, move, own);
    for (size_t k = 0; k < more && count < MOTE_CONTACT_PAIR_RECORDS; ++k) insert(out, count++, own + k);
  }
  return count;
}

size_t mote_contact_find_pair(const mote_contact_scene *scene, const mote_contact_cache *cache,
                              mote_contact_pair pair, bool fast,
                              mote_contact out[MOTE_CONTACT_PAIR_RECORDS]) {
  MOTE_ASSERT(pair.a < pair.b && pair.a < scene->bodies && pair.b < scene->obstacles);
  MOTE_ASSERT(cache != NULL && out != NULL);
  const mote_obstacle *a = scene->obstacle + pair.a, *b = scene->obstacle + pair.b;
  if (scene->domain == NULL) return find_without_images(scene, cache, pair, fast, out);
  double apart[3], nearest[3], image[3];
  if (pair.b >= scene->bodies) {
    bool plane =
        b->shape != NULL && b->shape->node[0].kind == MOTE_SHAPE_HALF_SPACE;  // its images are itself
    return plane ? find_without_images(scene, cache, pair, fast, out)
                 : find_images(scene, cache, pair, fast, out);
  }
  sub3(a->x, b->x, apart);
  mote_domain_difference(scene->domain, a->x, b->x, nearest);
  sub3(apart, nearest, image);
  return find_image(scene, cache, pair, fast, image, out);
}
