// Stresses in material space, and the stress intensities at crack fronts: see crack_grow.h.
#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/parallel.h"
#include "cracks/crack_grow.h"
#include "cracks/tuning.inc"
#include "geom/symmetric.h"
#include "geom/triple.h"

#define FIT_COUNT_MIN 6             // particles; in 3D twice as many
#define FIT_SIDE_MIN 3              // particles on each side of the sheet, 3D
#define TEAR_ANGLE (MOTE_PI / 4.0)  // rad: largest turn of a crack in matter that flows, in one advance
#define SMOOTHING_PASSES 12         // averages (1 2 1)/4 along a front
#define FOLLOW_NODES 3  // along a front, from which a node without particles takes its intensities

// --- Stress ------------------------------------------------------------------------------------------

typedef struct stress_loop {
  mote_elastic *body;
  const mote_elastic_motion *motion;
  double *stress;
} stress_loop;

// R^T P F^T R / J, with the rotation R of F = R U.
static void turn_back(const double P[9], const double elastic[9], const double g[9], double out[6]) {
  double F[9], R[9], U[9], sigma[9], t[9];
  for (int e = 0; e < 9; ++e) F[e] = g[e] + (e % 4 == 0 ? 1.0 : 0.0);
  for (int e = 0; e < 6; ++e) out[e] = 0.0;
  if (!mote_polar3(F, R, U)) return;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      sigma[3 * r + c] = P[3 * r + c] + dot3(P + 3 * r, elastic + 3 * c);  // Fe = 1 + elastic
  }
  double J = 1.0 + mote_elastic_swelling(elastic);
  multiply3(sigma, R, t);
  for (int r = 0, k = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c, ++k) out[k] = (R[r] * t[c] + R[3 + r] * t[3 + c] + R[6 + r] * t[6 + c]) / J;
  }
  for (int e = 0; e < 6; ++e) {
    if (!isfinite(out[e])) out[e] = 0.0;
  }
}

static void stress_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const stress_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9], elastic[9], P[9];
    const double *plastic = s->motion->plastic == NULL ? NULL : s->motion->plastic + 6 * i;
    mote_green_part part = mote_green_part_make(&s->body->law, plastic);
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    mote_green_part_within(&part, g, elastic);
    part.flowed = false;
    mote_elastic_law_stress(&s->body->law, &part, elastic, P);
    turn_back(P, elastic, g, s->stress + 6 * i);
  }
}

void mote_elastic_stresses(mote_elastic *body, const mote_elastic_motion *motion, double *stress) {
  MOTE_ASSERT(motion->position != NULL && stress != NULL);
  stress_loop s = {.body = body, .motion = motion, .stress = stress};
  mote_elastic_fit(body, motion->position, true, body->fit);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, stress_chunk, &s);
}

// --- Intensities -------------------------------------------------------------------------------------

// a . S b
static double stress_between(const double S[6], const double a[3], const double b[3]) {
  double full[9], t[3];
  symmetric_open(S, full);
  turn3(full, b, t);
  return dot3(a, t);
}

// A particle visible from a node.
typedef struct seen_particle {
  uint32_t particle;
  double x, y, radius;  // ahead of the node and across the crack
  double stress[3];     // ahead, shear, across
} seen_particle;

typedef struct node_loop {
  const mote_crack_sheets *cracks;
  const mote_crack_matter *matter;
  mote_stress_intensity *out;  // NAN where a node's particles do not determine them
  mote_lists lists;            // of the particles in reach of each node
  size_t longest;
  seen_particle *seen;  // of each worker: capacity for the longest list
} node_loop;

// A node, and the visible particles within the reach of a fit, ascending.
typedef struct sight {
  const mote_crack_sheets *cracks;
  const mote_crack_matter *matter;
  const mote_crack_node *node;
  const seen_particle *seen;
  size_t count;
} sight;

// Whether particle i is visible from a node and the cosine of its angle from ahead is at least this.
static bool sees(const sight *s, uint32_t i, const double tangent[3], const double from[3], double cosine,
                 seen_particle *out) {
  const mote_crack_matter *m = s->matter;
  const double *ahead = s->node->ahead, *normal = s->node->normal, *S = m->stress + 6 * (size_t)i;
  double r[3], d = m->spacing;
  sub3(m->rest + 3 * (size_t)i, s->node->position, r);
  if (m->skip != NULL && m->skip[i]) return false;
  if (s->cracks->dimensions == 3 && fabs(dot3(r, tangent)) > FIT_ALONG * d) return false;
  double x = dot3(r, ahead), y = dot3(r, normal), radius = sqrt(x * x + y * y);
  if (!(radius < FIT_FAR * d) || !(x > cosine * radius)) return false;
  if (mote_crack_cuts(s->cracks, from, m->rest + 3 * (size_t)i, NULL)) return false;
  *out = (seen_particle){
      i,
      x,
      y,
      radius,
      {stress_between(S, ahead, ahead), stress_between(S, ahead, normal), stress_between(S, normal, normal)}};
  return true;
}

static int compare_seen(const void *a, const void *b) {
  const seen_particle *p = a, *q = b;
  return (p->particle > q->particle) - (p->particle < q->particle);
}

static sight find_sight(const node_loop *l, size_t node, seen_particle *seen) {
  sight s = {.cracks = l->cracks, .matter = l->matter, .node = l->cracks->node + node, .seen = seen};
  double tangent[3], from[3];
  cross3(s.node->normal, s.node->ahead, tangent);
  step3(s.node->position, 0.1 * l->matter->spacing, s.node->ahead, from);  // off the sheet's own rim
  const uint32_t *near = l->lists.index + l->lists.first[node];
  for (size_t k = 0; k < l->lists.number[node]; ++k)
    s.count += sees(&s, near[k], tangent, from, l->matter->flows ? AHEAD_COSINE : FIT_COSINE, seen + s.count);
  qsort(seen, s.count, sizeof *seen, compare_seen);
  return s;
}

static bool is_inside(const sight *s) {
  return s->matter->depth == NULL || s->matter->depth(s->matter->user, s->node->position) > 0.0;
}

// Writes the mean tensions ahead; returns whether there are enough particles.
static bool fit_node(const sight *s, mote_intensity_fit *fit, mote_stress_intensity *out) {
  double d = s->matter->spacing, tension = 0.0, ahead = 0.0, near_tension = 0.0, near = 0.0;
  size_t side[2] = {0};
  *fit = (mote_intensity_fit){0};
  for (const seen_particle *p = s->seen; p < s->seen + s->count; ++p) {
    bool is_ahead = p->x > AHEAD_COSINE * p->radius;
    if (p->radius < LIGAMENT_RADIUS * d && is_ahead) near_tension += p->stress[2], near += 1.0;
    if (!(p->radius > FIT_NEAR * d)) continue;
    mote_intensity_fit_add(fit, p->radius, mote_atan2(p->y, p->x), p->stress);
    ++side[p->y > 0.0];
    if (is_ahead) tension += p->stress[2], ahead += 1.0;
  }
  bool inside = is_inside(s);
  out->ahead = ahead > 0.0 ? tension / ahead : 0.0;
  out->near = near > 0.0 ? near_tension / near : inside ? HUGE_VAL : 0.0;
  if (s->cracks->dimensions == 2) return fit->count >= FIT_COUNT_MIN;
  if (!(ahead > 0.0) && inside) out->ahead = HUGE_VAL;
  return fit->count >= 2 * FIT_COUNT_MIN && side[0] >= FIT_SIDE_MIN && side[1] >= FIT_SIDE_MIN;
}

// K of plastic bodies: the tension ahead is treated as that at 2 d, and the crack grows across it.
static void set_from_tension(double xx, double xy, double yy, double d, mote_stress_intensity *out) {
  double radius = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy), tension = 0.5 * (xx + yy) + radius;
  double angle = radius > 0.0 ? 0.5 * mote_atan2(-2.0 * xy, yy - xx) : 0.0;  // across the largest tension
  angle = max2(-TEAR_ANGLE, min2(TEAR_ANGLE, angle));
  double c = mote_cos(0.5 * angle), s = mote_sin(0.5 * angle);
  double share = -mote_sin(angle) / (3.0 * mote_cos(angle) - 1.0);  // K_II/K_I of that direction
  out->one = max2(0.0, tension) * sqrt(4.0 * MOTE_PI * d) / (c * c * (c - 3.0 * share * s));
  out->two = share * out->one, out->along = 0.0;
}

// Of the particles ahead, at any distance within that of a fit: also of a ligament one particle thick.
static void tear_node(const sight *s, mote_stress_intensity *out) {
  double sum[3] = {0}, count = (double)s->count;
  for (size_t k = 0; k < s->count; ++k) step3(sum, 1.0, s->seen[k].stress, sum);
  *out =
      (mote_stress_intensity){.one = (double)NAN, .ahead = is_inside(s) ? HUGE_VAL : 0.0, .near = -HUGE_VAL};
  if (s->count == 0) return;
  set_from_tension(sum[0] / count, sum[1] / count, sum[2] / count, s->matter->spacing, out);
  out->ahead = sum[2] / count;
}

static void node_chunk(void *data, size_t begin, size_t end, int worker) {
  const node_loop *s = data;
  for (size_t k = begin; k < end; ++k) {
    s->out[k] = (mote_stress_intensity){.one = (double)NAN};
    if (!s->cracks->node[k].live) continue;
    sight from = find_sight(s, k, s->seen + s->longest * (size_t)worker);
    if (s->matter->flows) {
      tear_node(&from, s->out + k);
      continue;
    }
    mote_intensity_fit fit;
    mote_stress_intensity means = {0};
    bool enough = fit_node(&from, &fit, &means);
    if (!enough || !mote_intensity_fit_solve(&fit, s->out + k)) s->out[k].one = (double)NAN;
    s->out[k].ahead = means.ahead, s->out[k].near = means.near;
  }
}

// The node `by` further along the front; SIZE_MAX: there is none.
static size_t neighbour_node(const mote_crack_front *f, size_t k, long by) {
  long n = (long)f->count, at = (long)k + by;
  if (f->closed) return (size_t)((at % n + n) % n);
  return at < 0 || at >= n ? SIZE_MAX : (size_t)at;
}

static mote_stress_intensity mean_around(const mote_crack_front *f, const mote_stress_intensity *in,
                                         size_t k) {
  mote_stress_intensity sum = {2.0 * in[k].one, 2.0 * in[k].two, 2.0 * in[k].along, 2.0 * in[k].ahead, 0.0};
  double weight = 2.0;
  for (long by = -1; by <= 1; by += 2) {
    size_t other = neighbour_node(f, k, by);
    if (other == SIZE_MAX || isnan(in[other].one)) continue;
    sum.one += in[other].one, sum.two += in[other].two, sum.along += in[other].along;
    sum.ahead += in[other].ahead, weight += 1.0;
  }
  return (mote_stress_intensity){sum.one / weight, sum.two / weight, sum.along / weight, sum.ahead / weight,
                                 in[k].near};
}

// Smooths along the front; `spare`: scratch for as many nodes.
static void smooth_front(const mote_crack_front *f, mote_stress_intensity *k, mote_stress_intensity *spare) {
  for (int pass = 0; pass < SMOOTHING_PASSES && f->count > 1; ++pass) {
    for (size_t n = 0; n < f->count; ++n) spare[n] = isnan(k[n].one) ? k[n] : mean_around(f, k, n);
    for (size_t n = 0; n < f->count; ++n) k[n] = spare[n];
  }
}

// A node at the surface or outside of it takes the values of the nearest with enough particles. Without one,
// only the tension ahead is known.
static void follow_front(const mote_crack_sheets *c, const mote_crack_matter *m, const mote_crack_front *f,
                         mote_stress_intensity *k, mote_stress_intensity *spare) {
  bool by_tension = c->dimensions == 3 || m->flows;
  for (size_t n = 0; n < f->count; ++n) {
    spare[n] = k[n];
    for (long by = 1; by <= 2 * FOLLOW_NODES && isnan(spare[n].one); ++by) {
      size_t other = neighbour_node(f, n, by % 2 == 1 ? (by + 1) / 2 : -by / 2);
      if (other != SIZE_MAX && !isnan(k[other].one)) spare[n] = k[other];
    }
    bool live = c->node[f->first + n].live != 0;
    spare[n].near = k[n].near;  // its own
    if (isnan(spare[n].one) || !live)
      spare[n] = (mote_stress_intensity){.ahead = live && by_tension ? k[n].ahead : 0.0,
                                         .near = live ? k[n].near : 0.0};
  }
  for (size_t n = 0; n < f->count; ++n) k[n] = spare[n];
}

// Lists of the particles in reach of each node, owned by *grid, and memory for the visible ones.
static mote_result search(node_loop *s, mote_arena *own, mote_grid **grid, mote_error *error) {
  const mote_crack_sheets *c = s->cracks;
  double reach = sqrt(FIT_FAR * FIT_FAR + FIT_ALONG * FIT_ALONG) * s->matter->spacing;
  MOTE_TAKE_NEW(double, position, own, 3 * c->nodes, error);
  for (size_t k = 0; k < c->nodes; ++k) copy3(c->node[k].position, position + 3 * k);
  mote_grid_def def = mote_grid_def_default(reach);
  MOTE_TRY(mote_grid_create(&def, &c->env, grid, error));
  MOTE_TRY(mote_grid_build(*grid, s->matter->rest, s->matter->count, error));
  MOTE_TRY(mote_grid_neighbours_at(*grid, position, c->nodes, NULL, MOTE_REACH_GATHER, &s->lists, error));
  for (size_t k = 0; k < c->nodes; ++k)
    if (s->lists.number[k] > s->longest) s->longest = s->lists.number[k];
  size_t size = s->longest * (size_t)c->env.threads + 1;
  MOTE_TAKE(s->seen, own, size, error);
  return MOTE_OK;
}

mote_result mote_crack_intensities(const mote_crack_sheets *cracks, const mote_crack_matter *matter,
                                   mote_stress_intensity *out, mote_error *error) {
  mote_stress_intensity *spare = out + cracks->nodes;
  node_loop s = {.cracks = cracks, .matter = matter, .out = out};
  mote_arena own = mote_arena_make(&cracks->env);
  mote_grid *grid = NULL;
  mote_result result = search(&s, &own, &grid, error);
  if (result == MOTE_OK) mote_parallel_for(cracks->env.threads, cracks->nodes, 4, node_chunk, &s);
  for (size_t k = 0; k < cracks->fronts && result == MOTE_OK; ++k) {
    const mote_crack_front *f = cracks->front + k;
    smooth_front(f, out + f->first, spare);
    follow_front(cracks, matter, f, out + f->first, spare);
  }
  mote_grid_destroy(grid);
  mote_arena_destroy(&own);
  return result;
}
