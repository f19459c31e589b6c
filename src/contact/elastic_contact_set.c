// Constant data of elastic contact: the balls of all particles, and the particles on the present surface with
// their normals. See elastic_contact.h.
#include <mote/numeric.h>
#include <string.h>

#include "contact/elastic_contact_find.h"
#include "geom/symmetric.h"
#include "geom/triple.h"

#define REACH_ROUNDING 1e-6  // rounding: depths that differ from half a spacing by less are half a spacing

// Transition from face to edge, in the same measure.
static double flatness_of(int dimensions, double one_sided) {
  double face = dimensions == 3 ? 0.40 : 0.58, edge = dimensions == 3 ? 0.47 : 0.70;
  return max2(0.0, min2(1.0, (edge - one_sided) / (edge - face)));
}

static double spacing_of(const mote_elastic *body, size_t i) {
  return body->dimensions == 3 ? mote_cbrt(body->rest_volume[i]) : sqrt(body->rest_volume[i]);
}

// x + (H - 1) x
static void into_metric(const double *metric, const double x[3], double out[3]) {
  double M[9], change[3];
  copy3(x, out);
  if (metric == NULL) return;
  symmetric_open(metric, M);
  turn3(M, x, change);
  step3(x, 1.0, change, out);
}

// Second moments times the outward unit vector, from which the normal of the deformed body follows. Returns
// the one-sidedness of the neighbourhood, with lengths in the metric, in which it is round: a flattened
// particle has neighbours far along its surface and near below it, and stays one-sided.
static double face_of(const mote_elastic *b, const double *metric, const double *filled, size_t i,
                      double face[3]) {
  double sum[3] = {0}, size = 0.0, B[9] = {0}, r[3];
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    mote_elastic_pair seen = b->pair[k], *pair = &seen;
    if (filled != NULL) {
      sub3(filled + 3 * (size_t)b->neighbour[k], filled + 3 * i, seen.rest);
      double q = length3(seen.rest) / (0.5 * (b->support[i] + b->support[b->neighbour[k]])),
             left = 1.0 - q * q;
      seen.weight = q < 1.0 ? left * left * left : 0.0;
    }
    into_metric(metric, pair->rest, r);
    step3(sum, -pair->weight, r, sum);
    size += pair->weight * length3(r);
    for (int e = 0; e < 9; ++e) B[e] += pair->weight * pair->rest[e / 3] * pair->rest[e % 3];
  }
  double one_sided = length3(sum);
  set3(0.0, 0.0, 0.0, face);
  if (!(one_sided > 0.0)) return 0.0;
  into_metric(metric, sum, sum);  // planes of the metric in the reference: H is symmetric
  double length = length3(sum);
  turn3(B, sum, face);
  for (int k = 0; k < 3; ++k) face[k] /= length;
  return one_sided / size;
}

// cof(F) N: with A = sum w x X^T and B = sum w X X^T it is parallel to cof(A) (B N).
void mote_elastic_contact_normal(const mote_elastic_contact *set, const double *x, size_t i,
                                 double normal[3]) {
  MOTE_ASSERT(i < set->count);
  const mote_elastic_contact *s = set;
  size_t start = s->start[s->part_of[i]];
  const mote_elastic *b = s->part[s->part_of[i]].present;
  double A[9] = {0}, n[3], r[3];
  for (size_t k = b->first[i - start]; k < b->first[i - start + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    sub3(x + 3 * (start + b->neighbour[k]), x + 3 * i, r);
    for (int e = 0; e < 9; ++e) A[e] += pair->weight * r[e / 3] * pair->rest[e % 3];
  }
  if (s->dimensions == 2) A[8] = 1.0;
  cross3(A + 3, A + 6, n);
  normal[0] = dot3(n, s->face + 3 * i);
  cross3(A + 6, A, n);
  normal[1] = dot3(n, s->face + 3 * i);
  cross3(A, A + 3, n);
  normal[2] = dot3(n, s->face + 3 * i);
  double length = length3(normal);
  for (int k = 0; k < 3; ++k) normal[k] = length > 0.0 ? normal[k] / length : 0.0;
}

// Half a spacing, or the depth of the particle in the shape if that is less: with a packing that does not
// follow the surface a body would otherwise have contact beyond its shape.
static double reach_of(const mote_elastic_contact_part *part, size_t k, double radius) {
  const double *place = part->filled != NULL ? part->filled : part->rest;
  if (part->shape == NULL || place == NULL) return radius;
  double depth = max2(MOTE_CONTACT_REACH_MIN * radius, -mote_shape_distance(part->shape, place + 3 * k));
  return depth < (1.0 - REACH_ROUNDING) * radius ? depth : radius;
}

// `bodies`: those of the parts before.
static void measure_part(mote_elastic_contact *s, size_t p, size_t bodies) {
  const mote_elastic *b = s->part[p].body, *present = s->part[p].present;
  for (size_t k = 0; k < b->count; ++k) {
    size_t i = s->start[p] + k;
    const double *metric = s->part[p].metric != NULL ? s->part[p].metric + 6 * k : NULL;
    s->part_of[i] = (uint32_t)p;
    s->body_of[i] = (uint32_t)bodies + (s->part[p].object != NULL ? s->part[p].object[k] : 0);
    s->radius[i] = s->part[p].radius != NULL ? s->part[p].radius[k] : 0.5 * spacing_of(b, k);
    s->reach[i] = s->part[p].reach != NULL ? s->part[p].reach[k] : reach_of(s->part + p, k, s->radius[i]);
    s->radius_max = max2(s->radius_max, s->radius[i]);
    double one_sided = face_of(present, metric, s->part[p].filled, k, s->face + 3 * i), at_rest = one_sided,
           face[3];
    if (present != b) at_rest = face_of(b, NULL, NULL, k, face);
    bool surface = max2(one_sided, at_rest) > SURFACE_ONE_SIDEDNESS;
    s->outer[i] = surface;
    s->exposed[i] = surface && !(at_rest > SURFACE_ONE_SIDEDNESS);
    s->flatness[i] = surface ? flatness_of(s->dimensions, one_sided) : 0.0;
    if (surface) s->surface[s->surfaces++] = (uint32_t)i;
  }
}

static mote_result take_arrays(mote_elastic_contact *s, mote_error *error) {
  size_t n = s->count;
  MOTE_TAKE(s->radius, &s->arena, n, error);
  MOTE_TAKE(s->reach, &s->arena, n, error);
  MOTE_TAKE(s->face, &s->arena, 3 * n, error);
  MOTE_TAKE(s->flatness, &s->arena, n, error);
  MOTE_TAKE(s->normal, &s->arena, 3 * n, error);
  MOTE_TAKE(s->begin, &s->arena, 3 * n, error);
  MOTE_TAKE(s->part_of, &s->arena, n, error);
  MOTE_TAKE(s->body_of, &s->arena, n, error);
  MOTE_TAKE(s->surface, &s->arena, n, error);
  MOTE_TAKE(s->outer, &s->arena, n, error);
  MOTE_TAKE(s->ball_of, &s->arena, n, error);
  MOTE_TAKE(s->exposed, &s->arena, n, error);
  return MOTE_OK;
}

static mote_result build(mote_elastic_contact *s, const mote_elastic_contact_part *part, mote_error *error) {
  MOTE_TAKE(s->part, &s->arena, s->parts, error);
  MOTE_TAKE(s->start, &s->arena, s->parts + 1, error);
  memcpy(s->part, part, s->parts * sizeof *part);
  s->start[0] = 0;
  for (size_t p = 0; p < s->parts; ++p) s->start[p + 1] = s->start[p] + part[p].body->count;
  s->count = s->start[s->parts];
  MOTE_TRY(take_arrays(s, error));
  for (size_t p = 0; p < s->parts; ++p) {
    measure_part(s, p, s->bodies);
    s->bodies += part[p].object != NULL ? part[p].objects : 1;
  }
  return MOTE_OK;
}

mote_result mote_elastic_contact_create(const mote_elastic_contact_part *part, size_t parts,
                                        const mote_env *env, mote_elastic_contact **out, mote_error *error) {
  MOTE_ASSERT(part != NULL || parts == 0);
  MOTE_ASSERT(out != NULL);
  mote_env use = mote_env_resolve(env);
  size_t count = 0;
  if (parts == 0) return mote_fail_key(error, "parts", "is 0");
  for (size_t p = 0; p < parts; ++p) {
    MOTE_ASSERT(part[p].present != NULL && part[p].present->count == part[p].body->count);
    count += part[p].body->count;
    if (part[p].body->dimensions != part->body->dimensions) {
      return mote_fail_key(error, "dimensions", "of bodies %zu and 0 differ", p);
    }
    if (!(part[p].friction >= 0.0)) return mote_fail_key(error, "friction", "is %g", part[p].friction);
  }
  if (count >= UINT32_MAX / 2) return mote_fail_key(error, "count", "of particles is too large");
  MOTE_ALLOC_NEW(mote_elastic_contact, s, &use, 1, error);
  *s = (mote_elastic_contact){.env = use, .arena = mote_arena_make(&use), .parts = parts};
  s->external = mote_elastic_contact_external(s);
  s->external.kick = mote_elastic_contact_kick;
  s->dimensions = part->body->dimensions;
  mote_result result = build(s, part, error);
  if (result == MOTE_OK) {
    *out = s;
  } else {
    mote_elastic_contact_destroy(s);
  }
  return result;
}

void mote_elastic_contact_destroy(mote_elastic_contact *s) {
  if (s == NULL) return;
  mote_env env = s->env;
  for (size_t k = 0; k < s->chunks; ++k) {
    mote_free(&env, s->chunk[k].record, s->chunk[k].capacity, sizeof *s->chunk[k].record);
    mote_free(&env, s->chunk[k].member, s->chunk[k].member_capacity, sizeof *s->chunk[k].member);
  }
  mote_free(&env, s->chunk, s->chunks, sizeof *s->chunk);
  mote_free(&env, s->record, s->record_capacity, sizeof *s->record);
  mote_free(&env, s->member, s->member_capacity, sizeof *s->member);
  mote_free(&env, s->meets, s->meets_capacity, sizeof *s->meets);
  mote_free(&env, s->share_first, s->share_first_capacity, sizeof *s->share_first);
  mote_free(&env, s->share, s->share_capacity, sizeof *s->share);
  mote_free(&env, s->force, s->record_force_capacity, sizeof *s->force);
  mote_free(&env, s->mover, s->mover_capacity, sizeof *s->mover);
  mote_free(&env, s->mover_first, s->first_capacity, sizeof *s->mover_first);
  mote_free(&env, s->mover_record, s->mover_record_capacity, sizeof *s->mover_record);
  mote_free(&env, s->rigid, s->rigid_capacity, sizeof *s->rigid);
  mote_free(&env, s->factor_entry, s->factor_capacity, sizeof *s->factor_entry);
  mote_free(&env, s->factor_line, s->factor_line_capacity, sizeof *s->factor_line);
  mote_free(&env, s->kick, s->kick_capacity, sizeof *s->kick);
  mote_free(&env, s->loose_root, s->loose_capacity, sizeof *s->loose_root);
  mote_free(&env, s->loose_row, s->loose_row_capacity, sizeof *s->loose_row);
  mote_free(&env, s->tie, s->tie_capacity, sizeof *s->tie);
  mote_free(&env, s->displacement, s->displacement_capacity, sizeof *s->displacement);
  mote_free(&env, s->rate, s->rate_capacity, sizeof *s->rate);
  mote_free(&env, s->generalised_force, s->force_capacity, sizeof *s->generalised_force);
  mote_free(&env, s->memory, s->memory_capacity, sizeof *s->memory);
  mote_free(&env, s->total_force, s->total_capacity, sizeof *s->total_force);
  mote_free(&env, s->next_memory, s->next_capacity, sizeof *s->next_memory);
  mote_free(&env, s->look, s->look_capacity, sizeof *s->look);
  mote_free(&env, s->look_radius, s->look_radius_capacity, sizeof *s->look_radius);
  mote_free(&env, s->sample, s->sample_capacity, sizeof *s->sample);
  mote_free(&env, s->bounds, s->bounds_capacity, sizeof *s->bounds);
  mote_free(&env, s->ball, s->ball_capacity, sizeof *s->ball);
  mote_free(&env, s->reachable, s->reachable_capacity, sizeof *s->reachable);
  mote_free(&env, s->slot, s->slot_capacity, sizeof *s->slot);
  mote_grid_destroy(s->grid);
  mote_arena_destroy(&s->arena);
  mote_free(&env, s, 1, sizeof *s);
}
