// Surface tension of a tracked mesh (YU11 5.3): the force -sigma dA/dx of each vertex is distributed to the
// particles near it, with non-negative weights that sum to one, so that linear momentum is conserved; the
// resulting torque is removed from the forces of the vertices, for each part. docs/theory/tracking.md,
// "Tension"
#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "mesh/surface_parts.h"
#include "track/tracked_mesh.h"
#include "track/tuning.inc"

#define POINT_SPREAD 1e-9  // rounding: spacings^2, mean square distance of particles from their centre

#define PARTICLES_PER_TASK 64

typedef struct forces {
  const mote_track_tension *how;
  const mote_mesh *mesh;
  mote_grid *particles, *vertices;
  mote_lists of_vertex, of_particle;  // particles near a vertex, vertices near a particle
  double *share;                      // per vertex: one over the sum of its weights; 0: no particle is near
  double *centre;                     // 3 per vertex: weighted mean of its particles
  double *sigma;                      // 2 per vertex: tension, and that times the cosine of the contact angle
  double *at_vertex;                  // 3 per vertex: force, N
  double *area;                       // per vertex, m^2
  double *at;                         // 3 per vertex: where its force acts
  double *force;                      // out: 3 per particle
  double reach;                       // m
} forces;

static double weight_at(const forces *p, const double a[3], const double b[3]) {
  double d[3];
  sub3(a, b, d);
  double q = 1.0 - dot3(d, d) / (p->reach * p->reach);
  return q > 0.0 ? q * q * q : 0.0;
}

// Mirror images of a particle behind the walls near it, as if the fluid continued there. The force on an
// image is mirrored and added to the particle: the wall takes the normal component of the force of a surface
// that meets it, and no particle is drawn off the wall. Images of images, in corners, are left out.
typedef struct images {
  double at[6][3];
  int axis[6], count;
} images;

static void find_images(const forces *p, const double y[3], images *out) {
  out->count = 0;
  for (int k = 0; k < 3; ++k) {
    for (int side = 0; side < 2; ++side) {
      double wall = side == 0 ? p->how->walls.low[k] : p->how->walls.high[k];
      if (!(fabs(y[k] - wall) < p->reach)) continue;
      copy3(y, out->at[out->count]);
      out->at[out->count][k] = 2.0 * wall - y[k], out->axis[out->count++] = k;
    }
  }
}

// The distance from the wall at which the force of a vertex acts.
static double away_from(const forces *p, double distance) {
  double near = RIM_NEAR * p->how->spacing, far = RIM_FAR * p->how->spacing;
  return distance >= far ? distance : distance <= near ? 0.0 : far * (distance - near) / (far - near);
}

static void place_vertices(const forces *p) {
  for (size_t i = 0; i < 3 * p->mesh->vertices; ++i) {
    double x = p->mesh->vertex[i], low = p->how->walls.low[i % 3], high = p->how->walls.high[i % 3];
    p->at[i] = x - low < high - x ? low + away_from(p, x - low) : high - away_from(p, high - x);
    if (isinf(low) && isinf(high)) p->at[i] = x;
  }
}

// Properties of a vertex from the particles near it.
static void weigh_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const forces *p = data;
  const mote_track_tension *how = p->how;
  for (size_t v = begin; v < end; ++v) {
    const double *x = p->at + 3 * v;
    const uint32_t *near = p->of_vertex.index + p->of_vertex.first[v];
    double sum = 0.0, centre[3] = {0.0}, sigma[2] = {0.0};
    for (size_t n = 0; n < p->of_vertex.number[v]; ++n) {
      const double *y = how->position + 3 * (size_t)near[n];
      size_t kind = how->kind != NULL ? how->kind[near[n]] : 0;
      double w = weight_at(p, x, y);
      images image;
      find_images(p, y, &image);
      for (int m = 0; m < image.count; ++m) w += weight_at(p, x, image.at[m]);
      sum += w;
      step3(centre, w, y, centre);
      sigma[0] += w * how->sigma[kind], sigma[1] += w * how->sigma[kind] * how->cosine[kind];
    }
    double share = sum > 0.0 ? 1.0 / sum : 0.0;
    p->share[v] = share;
    for (size_t k = 0; k < 3; ++k) p->centre[3 * v + k] = sum > 0.0 ? share * centre[k] : x[k];
    for (size_t k = 0; k < 2; ++k) p->sigma[2 * v + k] = share * sigma[k];
  }
}

static bool is_on_wall(const forces *p, const double *const x[3]) {
  double most = ON_WALL * p->how->spacing;
  bool on = false;
  for (int k = 0; k < 3; ++k) {
    bool low = true, high = true;
    for (int c = 0; c < 3; ++c) {
      low = low && x[c][k] - p->how->walls.low[k] < most;
      high = high && p->how->walls.high[k] - x[c][k] < most;
    }
    on = on || low || high;
  }
  return on;
}

// -sigma dA/dx of all triangles; a triangle's three forces sum to zero, and so do their torques.
static void find_vertex_forces(const forces *p) {
  for (size_t f = 0; f < p->mesh->triangles; ++f) {
    const uint32_t *v = p->mesh->triangle + 3 * f;
    const double *x[3];
    double u[3], w[3], n[3], sigma = 0.0;
    for (int k = 0; k < 3; ++k) x[k] = p->mesh->vertex + 3 * (size_t)v[k];
    sub3(x[1], x[0], u), sub3(x[2], x[0], w);
    cross3(u, w, n);
    double length = length3(n);
    if (!(length > 0.0)) continue;
    bool wall = is_on_wall(p, x);
    for (int k = 0; k < 3; ++k) sigma += (wall ? -1.0 : 1.0) / 3.0 * p->sigma[2 * (size_t)v[k] + wall];
    for (int k = 0; k < 3; ++k) {
      double edge[3], turned[3];  // the gradient of the area is half of n x (opposite edge) over |n|
      sub3(x[(k + 2) % 3], x[(k + 1) % 3], edge);
      cross3(n, edge, turned);
      double *at_vertex = p->at_vertex + 3 * (size_t)v[k];
      step3(at_vertex, -0.5 * sigma / length, turned, at_vertex);
      p->area[v[k]] += length / 6.0;
    }
  }
}

// --- Torque -----------------------------------------------------------------------------------------------

// Sums of one part; vertices without particles have no force.
typedef struct part_sums {
  double area, centre[3], force[3], torque[3], inertia[9], turn[3];
} part_sums;

static void measure_parts(const forces *p, const uint32_t *part, part_sums *sums) {
  for (size_t v = 0; v < p->mesh->vertices; ++v) {
    part_sums *s = &sums[part[v]];
    if (p->share[v] == 0.0) {
      set3(0.0, 0.0, 0.0, p->at_vertex + 3 * v);
      continue;
    }
    s->area += p->area[v];
    step3(s->centre, p->area[v], p->centre + 3 * v, s->centre);
    step3(s->force, 1.0, p->at_vertex + 3 * v, s->force);
  }
}

static void balance_forces(const forces *p, const uint32_t *part, part_sums *sums) {
  for (size_t v = 0; v < p->mesh->vertices; ++v) {
    part_sums *s = &sums[part[v]];
    if (p->share[v] == 0.0 || !(s->area > 0.0)) continue;
    double c[3], d[3], torque[3], *at_vertex = p->at_vertex + 3 * v;
    step3(at_vertex, -p->area[v] / s->area, s->force, at_vertex);
    for (int k = 0; k < 3; ++k) c[k] = s->centre[k] / s->area;
    sub3(p->centre + 3 * v, c, d);
    cross3(d, at_vertex, torque);
    step3(s->torque, 1.0, torque, s->torque);
    for (int k = 0; k < 9; ++k)
      s->inertia[k] += p->area[v] * ((k % 4 == 0 ? dot3(d, d) : 0.0) - d[k / 3] * d[k % 3]);
  }
}

// A rotation of the part's vertices, weighted by area, has no net force and cancels the torque.
static void balance_torques(const forces *p, const uint32_t *part, part_sums *sums, size_t parts) {
  for (size_t k = 0; k < parts; ++k) {
    double inverse[9], *own = sums[k].inertia, d = p->how->spacing;
    // All on one particle: the torque is rounding error, which the inverse would amplify.
    if (!(own[0] + own[4] + own[8] > POINT_SPREAD * sums[k].area * d * d)) continue;
    if (mote_dense_pseudo_inverse(3, sums[k].inertia, 1e-6, inverse, NULL) < 1) continue;
    turn3(inverse, sums[k].torque, sums[k].turn);
  }
  for (size_t v = 0; v < p->mesh->vertices; ++v) {
    const part_sums *s = &sums[part[v]];
    if (p->share[v] == 0.0 || !(s->area > 0.0)) continue;
    double c[3], d[3], turned[3], *at_vertex = p->at_vertex + 3 * v;
    for (int k = 0; k < 3; ++k) c[k] = s->centre[k] / s->area;
    sub3(p->centre + 3 * v, c, d);
    cross3(s->turn, d, turned);
    step3(at_vertex, -p->area[v], turned, at_vertex);
  }
}

static mote_result balance(const forces *p, mote_arena *arena, mote_error *error) {
  MOTE_TAKE_NEW(uint32_t, part, arena, p->mesh->vertices, error);
  size_t parts = mote_surface_parts(p->mesh, part);
  MOTE_TAKE_NEW(part_sums, sums, arena, parts, error);
  for (size_t k = 0; k < parts; ++k) sums[k] = (part_sums){.area = 0.0};
  measure_parts(p, part, sums);
  balance_forces(p, part, sums);
  balance_torques(p, part, sums, parts);
  return MOTE_OK;
}

// --- Particles --------------------------------------------------------------------------------------------

static void hand_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const forces *p = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = p->how->position + 3 * i;
    const uint32_t *near = p->of_particle.index + p->of_particle.first[i];
    double sum[3] = {0.0};
    images image;
    find_images(p, x, &image);
    for (size_t n = 0; n < p->of_particle.number[i]; ++n) {
      size_t v = near[n];
      step3(sum, p->share[v] * weight_at(p, p->at + 3 * v, x), p->at_vertex + 3 * v, sum);
      for (int m = 0; m < image.count; ++m) {
        double mirrored[3];
        copy3(p->at_vertex + 3 * v, mirrored);
        mirrored[image.axis[m]] = -mirrored[image.axis[m]];
        step3(sum, p->share[v] * weight_at(p, p->at + 3 * v, image.at[m]), mirrored, sum);
      }
    }
    copy3(sum, p->force + 3 * i);
  }
}

static mote_result take_memory(forces *p, size_t n, mote_arena *arena, mote_error *error) {
  MOTE_TAKE(p->share, arena, n, error);
  MOTE_TAKE(p->centre, arena, 3 * n, error);
  MOTE_TAKE(p->sigma, arena, 2 * n, error);
  MOTE_TAKE(p->at_vertex, arena, 3 * n, error);
  MOTE_TAKE(p->area, arena, n, error);
  MOTE_TAKE(p->at, arena, 3 * n, error);
  for (size_t i = 0; i < 3 * n; ++i) p->at_vertex[i] = 0.0;
  for (size_t i = 0; i < n; ++i) p->area[i] = 0.0;
  return MOTE_OK;
}

static mote_result find_forces(forces *p, mote_tracked *t, mote_error *error) {
  mote_grid_def def = mote_grid_def_default(p->reach);
  size_t n = p->mesh->vertices;
  MOTE_TRY(take_memory(p, n, &t->scratch, error));
  MOTE_TRY(mote_grid_create(&def, &t->env, &p->particles, error));
  MOTE_TRY(mote_grid_create(&def, &t->env, &p->vertices, error));
  MOTE_TRY(mote_grid_build(p->particles, p->how->position, p->how->count, error));
  MOTE_TRY(mote_grid_build(p->vertices, p->mesh->vertex, n, error));
  MOTE_TRY(mote_grid_neighbours_at(p->particles, p->mesh->vertex, n, NULL, MOTE_REACH_GATHER, &p->of_vertex,
                                   error));
  MOTE_TRY(mote_grid_neighbours_at(p->vertices, p->how->position, p->how->count, NULL, MOTE_REACH_GATHER,
                                   &p->of_particle, error));
  place_vertices(p);
  mote_parallel_for(t->env.threads, n, PARTICLES_PER_TASK, weigh_task, p);
  find_vertex_forces(p);
  MOTE_TRY(balance(p, &t->scratch, error));
  mote_parallel_for(t->env.threads, p->how->count, PARTICLES_PER_TASK, hand_task, p);
  return MOTE_OK;
}

mote_result mote_tracked_tension(mote_tracked *t, const mote_track_tension *how, double *force,
                                 mote_error *error) {
  if (t == NULL || how == NULL || (force == NULL && how->count > 0) || how->sigma == NULL ||
      how->cosine == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mesh, tension and forces must not be NULL");
  if (!(how->spacing > 0.0 && isfinite(how->spacing)))
    return mote_fail_key(error, "spacing", "a length above 0 is needed");
  mote_surface s;
  MOTE_TRY(mote_tracked_surface(t, &s, error));
  forces p = {.how = how, .mesh = &s.mesh, .force = force, .reach = TENSION_REACH * how->spacing};
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  mote_result result = find_forces(&p, t, error);
  mote_grid_destroy(p.particles);
  mote_grid_destroy(p.vertices);
  mote_surface_free(&s, &t->env);
  return result;
}
