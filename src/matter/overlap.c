// Bodies that overlap: see overlap.h.
#include "matter/overlap.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "matter/kind.h"
#include "matter/tuning.inc"

#define PARTICLES_PER_TASK 256

static const double none[3] = {0.0, 0.0, 0.0};

typedef struct finder {
  const mote_shape *shape;
  const double *position;
  const double *shift;  // of the points
  double depth;
  uint8_t *inside;  // per chunk
} finder;

static bool is_deep(const finder *f, size_t i) {
  double x[3];
  for (size_t a = 0; a < 3; ++a) x[a] = f->position[3 * i + a] + f->shift[a];
  return mote_shape_distance(f->shape, x) < -f->depth;
}

static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  finder *f = data;
  bool found = false;
  for (size_t i = begin; i < end && !found; ++i) found = is_deep(f, i);
  f->inside[begin / PARTICLES_PER_TASK] = found;
}

// *row: a point that is, shifted, deep inside of the shape, near the first; `count` when there is none.
static mote_result find_inside(mote_world *world, const mote_shape *shape, const double *position,
                               const double shift[3], size_t count, size_t *row, mote_error *error) {
  double depth = OVERLAP_TOLERANCE * world->def.spacing;
  size_t chunks = count / PARTICLES_PER_TASK + 1, c = 0;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  finder f = {shape, position, shift, depth, mote_arena_take(&world->scratch, chunks, 1)};
  if (f.inside == NULL) return mote_fail_memory(error, chunks);
  memset(f.inside, 0, chunks);
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, find_chunk, &f);
  while (c < chunks && !f.inside[c]) ++c;
  for (*row = c * PARTICLES_PER_TASK; *row < count && !is_deep(&f, *row);) ++*row;
  if (*row > count) *row = count;
  mote_arena_release(&world->scratch, mark);
  return MOTE_OK;
}

// `body`: 1 + id of the other.
static mote_result fail_overlap(const mote_world *world, const char *name, uint32_t body, mote_error *error) {
  char other[MOTE_BODY_NAME_SIZE] = "another";
  mote_body_place place;
  if (body > 0 && mote_bodies_find(world, body - 1, &place)) mote_bodies_name(world, place, other);
  return mote_fail_key(error, "shape", "\"%s\" overlaps \"%s\"", name, other);
}

// Before the first step bodies are where their shapes are, and a small one inside a large one shows only this
// way.
static mote_result check_shapes(mote_world *world, const char *name, const double *position,
                                const double shift[3], size_t count, bool not_fluid, mote_error *error) {
  if (*mote_state_u64(&world->now, MOTE_WORLD_STEP) > 0) return MOTE_OK;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_BODY); ++b) {
    size_t row;
    const mote_material_item *of = mote_material_at(world, mote_body_at(world, b)->material);
    mote_body_place place;
    bool there = mote_bodies_find(world, mote_body_at(world, b)->id, &place);
    if (!there || (not_fluid && mote_material_properties(&of->def)->flows)) continue;
    MOTE_TRY(find_inside(world, mote_body_at(world, b)->shape, position, shift, count, &row, error));
    if (row < count) return fail_overlap(world, name, mote_body_at(world, b)->id + 1, error);
  }
  return MOTE_OK;
}

// A kind of bodies with particles whose shapes say where they are at the beginning.
static bool is_deforming(const mote_kind_row *row) {
  return row->group != 0 && row->pose != NULL;
}

// Clear of the particles of deforming bodies.
static mote_result check_particles(mote_world *world, const char *name, const mote_shape *shape,
                                   mote_error *error) {
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    if (!is_deforming(world->kind[kind])) continue;
    mote_kind_particles p = mote_kind_particles_of(world, (mote_kind)kind);
    size_t row = 0;
    if (p.count > 0) MOTE_TRY(find_inside(world, shape, p.position, none, p.count, &row, error));
    if (row < p.count) return fail_overlap(world, name, p.label[row], error);
  }
  return MOTE_OK;
}

// Whether points of a surface that are in `own` are in the shape, too: between its particles.
static bool reaches_into(const mote_world *world, const mote_contact_samples *points, const mote_shape *own,
                         const mote_shape *shape) {
  double depth = OVERLAP_TOLERANCE * world->def.spacing;
  for (size_t k = 0; k < points->count; ++k) {
    const double *x = points->sample[k].centre;
    if (mote_shape_distance(own, x) < 0.0 && mote_shape_distance(shape, x) < -depth) return true;
  }
  return false;
}

static mote_result check_surfaces(const mote_world *world, const char *name, const mote_shape *shape,
                                  mote_error *error) {
  for (int kind = 0; kind < MOTE_KINDS && mote_world_steps(world) == 0; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    for (size_t k = 0; row->contact_samples != NULL && k < mote_world_items(world, kind); ++k) {
      const mote_shape *other = mote_kind_shape(world, (mote_kind)kind, k);
      if (reaches_into(world, row->contact_samples(world, k), other, shape))
        return fail_overlap(world, name,
                            mote_body_at(world, mote_kind_item_at(world, (mote_kind)kind, k)->body)->id + 1,
                            error);
    }
  }
  return MOTE_OK;
}

mote_result mote_overlap_check_surface(mote_world *world, const char *name, const mote_shape *shape,
                                       const mote_contact_samples *points, mote_error *error) {
  MOTE_ASSERT(name != NULL && shape != NULL);
  if (world->aside) return MOTE_OK;
  MOTE_TRY(check_particles(world, name, shape, error));
  for (int kind = 0; kind < MOTE_KINDS && mote_world_steps(world) == 0; ++kind) {
    for (size_t k = 0; is_deforming(world->kind[kind]) && k < mote_world_items(world, kind); ++k) {
      uint32_t body = mote_kind_item_at(world, (mote_kind)kind, k)->body;
      if (reaches_into(world, points, shape, mote_body_at(world, body)->shape))
        return fail_overlap(world, name, mote_body_at(world, body)->id + 1, error);
    }
  }
  return MOTE_OK;
}

// --- Periodic sides ----------------------------------------------------------------------------------

static mote_result fail_period(const char *name, const double shift[3], mote_error *error) {
  int axis = shift[0] != 0.0 ? 0 : shift[1] != 0.0 ? 1 : 2;
  return mote_fail_key(error, "shape",
                       "\"%s\" lies upon itself: it is longer than the period along %c, %.6g m", name,
                       "xyz"[axis], fabs(shift[axis]));
}

bool mote_overlap_image(const mote_domain *domain, int image, double shift[3]) {
  bool is_image = image != MOTE_IMAGE_ITSELF;
  for (int a = 0, digits = image; a < 3; ++a, digits /= 3) {
    bool periodic = a < domain->dimensions && domain->periodic[a];
    shift[a] = periodic ? (digits % 3 - 1) * (domain->high[a] - domain->low[a]) : 0.0;
    is_image = is_image && (periodic || digits % 3 == 1);
  }
  return is_image;
}

// Whether a box that is shifted may meet a shape, by its bounds.
static bool may_meet(const double low[3], const double high[3], const double shift[3],
                     const mote_shape *shape) {
  double from[3], to[3];
  bool meets = true;
  mote_shape_bounds(shape, from, to);
  for (int a = 0; a < 3; ++a)
    meets = meets && (shift[a] == 0.0 || (low[a] + shift[a] < to[a] && high[a] + shift[a] > from[a]));
  return meets;
}

static bool may_meet_others(const mote_world *world, const double low[3], const double high[3],
                            const double shift[3]) {
  bool any = false;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_BODY) && !any; ++b)
    any = may_meet(low, high, shift, mote_body_at(world, b)->shape);
  return any;
}

// The images of a new fluid body over periodic sides: clear of the body itself, of other bodies and of the
// particles that are there.
static mote_result check_images(mote_world *world, const char *name, const mote_shape *shape,
                                const double *position, size_t count, mote_error *error) {
  const mote_domain *domain = &world->domain;
  const mote_store *store = mote_world_store(world);
  double low[3], high[3], shift[3];
  mote_shape_bounds(shape, low, high);
  for (int image = 0; image < MOTE_IMAGES; ++image) {
    if (!mote_overlap_image(domain, image, shift)) continue;
    size_t row = count, there = mote_world_fluid_rows(world);
    if (may_meet(low, high, shift, shape))
      MOTE_TRY(find_inside(world, shape, position, shift, count, &row, error));
    if (row < count) return fail_period(name, shift, error);
    if (may_meet_others(world, low, high, shift))
      MOTE_TRY(check_shapes(world, name, position, shift, count, false, error));
    row = there;
    if (may_meet(domain->low, domain->high, shift, shape))
      MOTE_TRY(find_inside(world, shape, mote_store_f64(store, MOTE_PARTICLE_POSITION), shift, there, &row,
                           error));
    if (row < there) return fail_overlap(world, name, mote_store_u32(store, MOTE_PARTICLE_BODY)[row], error);
  }
  return MOTE_OK;
}

mote_result mote_overlap_check(mote_world *world, const char *name, const mote_shape *shape,
                               const double *position, size_t count, bool not_fluid, mote_error *error) {
  MOTE_ASSERT(name != NULL && shape != NULL);
  MOTE_ASSERT(position != NULL || count == 0);
  const mote_store *store = mote_world_store(world);
  size_t row, count_there = mote_world_fluid_rows(world);
  if (world->aside) return MOTE_OK;
  if (not_fluid || mote_world_steps(world) > 0) MOTE_TRY(check_particles(world, name, shape, error));
  if (not_fluid) MOTE_TRY(check_surfaces(world, name, shape, error));
  MOTE_TRY(check_shapes(world, name, position, none, count, not_fluid, error));
  if (not_fluid) return MOTE_OK;
  const double *there = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  MOTE_TRY(find_inside(world, shape, there, none, count_there, &row, error));
  if (row < count_there)
    return fail_overlap(world, name, mote_store_u32(store, MOTE_PARTICLE_BODY)[row], error);
  return check_images(world, name, shape, position, count, error);
}
