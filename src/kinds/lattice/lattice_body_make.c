// Creation of lattice bodies: see lattice_bodies.h. Theory: docs/theory/lattice.md, "Bodies"
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "contact/tuning.inc"
#include "geom/shape_fill.h"
#include "geom/triple.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "lattice/tuning.inc"
#include "matter/bodies.h"
#include "matter/carve.h"
#include "matter/first_velocity.h"
#include "matter/items.h"
#include "matter/overlap.h"
#include "matter/world_heat.h"

// Number of trial shifts of the lattice along each axis, for small and for larger bodies: the shift whose
// number of particles is nearest to the volume is used.
#define SHIFTS_SMALL 6
#define PACKING_SHIFTS 3
#define HOLDS_MAX 254  // of a body: numbers of a byte

enum { SITES = MOTE_LATTICE_SITES };

size_t mote_lattice_block(const mote_world *world, size_t material) {
  MOTE_ASSERT(material < mote_world_items(world, MOTE_ITEM_MATERIAL));
  return mote_kind_block_of_material(world, MOTE_KIND_LATTICE, material);
}

mote_lattice_law mote_lattice_law_of(const mote_world *world, size_t material) {
  const mote_material_def *def = &mote_material_at(world, material)->def;
  double frozen_density = isnan(def->lattice.solid_density) ? def->density : def->lattice.solid_density;
  mote_lattice_spec spec = {.dimensions = world->def.dimensions,
                            .spacing = world->def.spacing,
                            .density = def->density,
                            .solid_density = frozen_density,
                            .young = def->elastic.young,
                            .poisson = def->elastic.poisson,
                            .restoring = def->elastic.law == MOTE_ELASTIC_RESTORING};
  return mote_lattice_law_make(&spec);
}

double mote_lattice_volume(const mote_world *world, size_t material) {
  return mote_lattice_law_of(world, material).volume;
}

mote_result mote_lattice_open(mote_world *world, mote_lattice *out, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  size_t first = mote_lattice_first_row(world), materials = mote_world_items(world, MOTE_ITEM_MATERIAL),
         parts = 0;
  MOTE_TAKE_NEW(mote_lattice_part, part, &world->scratch, materials, error);
  bool melts = false;
  for (size_t k = 0; k < materials; ++k) {
    const mote_lattice_def *def = &mote_material_at(world, k)->def.lattice;
    size_t block = mote_lattice_block(world, k);
    if (block == SIZE_MAX) continue;
    mote_lattice_part *own = part + parts++;
    bool breaks = mote_store_has(store, MOTE_LATTICE_DOCKING, block);
    *own = (mote_lattice_part){.first = store->block[block].first[MOTE_GROUP_LATTICE],
                               .count = store->block[block].count,
                               .law = mote_lattice_law_of(world, k),
                               .docking = breaks && store->block[block].count > 0
                                              ? mote_store_rows(store, MOTE_LATTICE_DOCKING, block)
                                              : NULL,
                               .docking_rate = def->docking_rate,
                               .docking_gain = def->docking_gain,
                               .strength = mote_material_at(world, k)->def.elastic.strength};
    own->damping = isnan(def->damping) ? AUTO_DAMPING * own->law.speed / own->law.edge : def->damping;
  }
  const float *fraction = mote_store_f32(store, MOTE_LATTICE_FRACTION);
  for (size_t i = 0; i < mote_world_lattice_rows(world) && !melts; ++i) melts = fraction[i] != 1.0f;
  *out = (mote_lattice){.threads = world->env.threads,
                        .seed = world->def.seed,
                        .draw = *mote_state_u64(&world->now, MOTE_WORLD_STEP) << 20,
                        .scratch = &world->scratch,
                        .buffers = &world->lattice_buffers,
                        .rows = {.count = mote_world_lattice_rows(world),
                                 .part = part,
                                 .parts = parts,
                                 .id = mote_store_ids(store) + first,
                                 .position = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first,
                                 .velocity = mote_store_f64(store, MOTE_LATTICE_VELOCITY),
                                 .mass = mote_store_f64(store, MOTE_LATTICE_MASS),
                                 .object = mote_store_u32(store, MOTE_LATTICE_OBJECT),
                                 .fraction = melts ? fraction : NULL,
                                 .reach = mote_store_f32(store, MOTE_LATTICE_REACH),
                                 .held = mote_store_u8(store, MOTE_LATTICE_HOLD),
                                 .basis = mote_store_f64(store, MOTE_LATTICE_BASIS),
                                 .neighbour = mote_store_u32(store, MOTE_LATTICE_NEIGHBOUR)}};
  return MOTE_OK;
}

// --- Filling -----------------------------------------------------------------------------------------------

typedef struct filling {
  const mote_shape *shape;
  mote_lattice_law law;
  double rotation[9];                 // the lattice's, in the world
  double low[3], high[3], middle[3];  // bounds of the shape
  int64_t most[3];                    // integers along the basis
  double basis[3][3];
} filling;

static void find_rotation(const double axis[3], int dimensions, double R[9]) {
  double n[3] = {dimensions == 3 ? axis[0] : 0.0, dimensions == 3 ? axis[1] : 0.0, axis[2]},
         angle = length3(n);
  double c = mote_cos(angle), s = mote_sin(angle);
  for (int a = 0; a < 3; ++a) n[a] = angle > 0.0 ? n[a] / angle : 0.0;
  const double N[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
  for (int e = 0; e < 9; ++e) R[e] = (e % 4 == 0 ? c : 0.0) + s * N[e] + (1.0 - c) * n[e / 3] * n[e % 3];
}

static mote_result plan(const mote_world *world, const mote_body_def *def, const mote_body_item *item,
                        filling *f, mote_error *error) {
  *f = (filling){.shape = item->shape, .law = mote_lattice_law_of(world, item->material)};
  double *low = f->low, *high = f->high;
  mote_shape_bounds(f->shape, low, high);
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (!isfinite(high[a] - low[a])) return mote_fail_key(error, "shape", "a body must be bounded");
  }
  for (int a = 0; a < 3; ++a) f->middle[a] = a < world->def.dimensions ? 0.5 * (low[a] + high[a]) : 0.0;
  find_rotation(def->orientation, world->def.dimensions, f->rotation);
  double radius = 0.0;
  for (int a = 0; a < world->def.dimensions; ++a) radius += 0.25 * (high[a] - low[a]) * (high[a] - low[a]);
  // Of the conventional cells: a point of the lattice is an integer combination with an even sum.
  double half = f->law.edge * (world->def.dimensions == 3 ? 0.70710678118654752440 : 0.5);
  set3(half, 0.0, 0.0, f->basis[0]);
  set3(0.0, world->def.dimensions == 3 ? half : f->law.edge * 0.86602540378443864676, 0.0, f->basis[1]);
  set3(0.0, 0.0, half, f->basis[2]);
  for (int a = 0; a < world->def.dimensions; ++a)
    f->most[a] = (int64_t)ceil(sqrt(radius) / f->basis[a][a]) + 2;
  return MOTE_OK;
}

static bool is_within(const filling *f, const double x[3]) {
  bool within = true;
  for (int a = 0; a < f->law.dimensions; ++a) within = within && x[a] >= f->low[a] && x[a] <= f->high[a];
  return within;
}

// The points in the shape with the lattice shifted by these parts of the basis; writes them where `out` is
// not null.
static size_t fill_at(const filling *f, const double shift[3], double *out) {
  size_t count = 0;
  for (int64_t c = -f->most[2]; c <= f->most[2]; ++c) {
    for (int64_t b = -f->most[1]; b <= f->most[1]; ++b) {
      for (int64_t a = -f->most[0]; a <= f->most[0]; ++a) {
        double p[3], x[3];
        if ((a + b + c) % 2 != 0) continue;
        set3(f->basis[0][0] * ((double)a + shift[0]), f->basis[1][1] * ((double)b + shift[1]),
             f->basis[2][2] * ((double)c + shift[2]), p);
        turn3(f->rotation, p, x);
        step3(f->middle, 1.0, x, x);
        if (f->law.dimensions == 2) x[2] = 0.0;
        if (!is_within(f, x) || !(mote_shape_distance(f->shape, x) < 0.0)) continue;
        if (out != NULL) copy3(x, out + 3 * count);
        ++count;
      }
    }
  }
  return count;
}

// Tries shifts until the number is nearest to that of the volume.
static mote_result fill(const mote_world *world, const filling *f, mote_samples *samples, mote_error *error) {
  double volume, best = HUGE_VAL, shift[3] = {0.0, 0.0, 0.0};
  MOTE_TRY(mote_fail_within(error, mote_shape_volume(f->shape, &volume, error), "shape"));
  double wanted = volume / f->law.volume;
  size_t most = world->def.particles_max - mote_world_lattice_rows(world), count = 0;
  MOTE_TRY(mote_fill_check_count(wanted, most, error));
  int tries = wanted < 2000.0    ? SHIFTS_SMALL
              : wanted < 20000.0 ? PACKING_SHIFTS
                                 : 1,
      layers = world->def.dimensions == 3 ? tries : 1;
  for (int k = 0; k < tries * tries * layers; ++k) {
    const double own[3] = {(double)(k % tries) / tries, (double)(k / tries % tries) / tries,
                           (double)(k / tries / tries) / tries};
    size_t found = fill_at(f, own, NULL);
    double off = fabs((double)found - wanted);
    if (off < best) best = off, count = found, copy3(own, shift);
  }
  if (count == 0)
    return mote_fail_key(error, "spacing",
                         "not a single particle fits into the shape: it is smaller than the spacing");
  MOTE_TRY(mote_fill_check_count((double)count, most, error));
  MOTE_TRY(mote_samples_alloc(&world->env, count, samples, error));
  (void)fill_at(f, shift, samples->position);
  for (size_t i = 0; i < count; ++i) samples->volume[i] = f->law.volume;
  return MOTE_OK;
}

// --- Holds -------------------------------------------------------------------------------------------------

void mote_lattice_item_free(void *made, const mote_env *env) {
  mote_lattice_item *item = made;
  for (size_t k = 0; k < item->holds && item->hold != NULL; ++k) mote_motion_destroy(item->hold[k].motion);
  mote_free(env, item->hold, item->holds, sizeof *item->hold);
  *item = (mote_lattice_item){0};
}

static mote_result make_hold(mote_world *world, const mote_hold_def *def, const mote_samples *samples,
                             size_t k, mote_lattice_item *item, uint8_t *held, mote_error *error) {
  mote_shape *shape;
  size_t found = 0;
  mote_result result = mote_shape_create(&def->shape, world->def.dimensions, &world->env, &shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  for (size_t i = 0; i < samples->count; ++i) {
    if (held[i] != 0 || !(mote_shape_distance(shape, samples->position + 3 * i) <= 0.0)) continue;
    held[i] = (uint8_t)(k + 1), ++found;
  }
  if (found == 0) {
    result = mote_fail_key(error, "shape", "no particle of \"%s\" is inside, or all are in an earlier one",
                           item->name);
  } else {
    result = mote_fail_within(error,
                              mote_motion_create(&def->motion, shape, world->def.dimensions, &world->env,
                                                 &item->hold[k].motion, error),
                              "motion");
  }
  mote_shape_destroy(shape);
  return result;
}

static mote_result make_holds(mote_world *world, const mote_body_def *def, const mote_samples *samples,
                              mote_lattice_item *item, uint8_t *held, mote_error *error) {
  if (def->holds > HOLDS_MAX)
    return mote_fail_key(error, "hold", "%zu are more than %d", def->holds, HOLDS_MAX);
  MOTE_ALLOC(item->hold, &world->env, def->holds, error);
  item->holds = def->holds;
  for (size_t k = 0; k < def->holds; ++k)
    item->hold[k] = (mote_elastic_hold){.temperature = def->hold[k].temperature};
  for (size_t k = 0; k < def->holds; ++k) {
    char outer[32];
    snprintf(outer, sizeof outer, "hold[%zu]", k);
    MOTE_TRY(mote_fail_within(error, make_hold(world, &def->hold[k], samples, k, item, held, error), outer));
  }
  return MOTE_OK;
}

// --- Rows --------------------------------------------------------------------------------------------------

// Of the block's last rows, those from `first` on.
static mote_result set_rows(mote_world *world, const mote_body_def *def, const filling *f,
                            const mote_samples *samples, const uint8_t *held, size_t block, size_t first,
                            mote_body_item *body, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  const mote_material_def *material = &mote_material_at(world, body->material)->def;
  mote_first_velocity start = {0};
  mote_result result =
      mote_first_velocity_make(def, samples->position, samples->count, &world->env, &start, error);
  double *x = (double *)mote_store_rows(store, MOTE_PARTICLE_POSITION, block) + 3 * first;
  double *v = (double *)mote_store_rows(store, MOTE_LATTICE_VELOCITY, block) + 3 * first;
  double *mass = (double *)mote_store_rows(store, MOTE_LATTICE_MASS, block) + first;
  double *basis = (double *)mote_store_rows(store, MOTE_LATTICE_BASIS, block) + 9 * first;
  uint32_t *label = (uint32_t *)mote_store_rows(store, MOTE_PARTICLE_BODY, block) + first;
  uint32_t *object = (uint32_t *)mote_store_rows(store, MOTE_LATTICE_OBJECT, block) + first;
  uint8_t *hold = (uint8_t *)mote_store_rows(store, MOTE_LATTICE_HOLD, block) + first;
  float *reach = (float *)mote_store_rows(store, MOTE_LATTICE_REACH, block) + first;
  float *rate = mote_store_has(store, MOTE_LATTICE_DOCKING, block)
                    ? (float *)mote_store_rows(store, MOTE_LATTICE_DOCKING, block) + SITES * first
                    : NULL;
  body->speed = 0.0;
  for (size_t i = 0; i < samples->count && result == MOTE_OK; ++i) {
    copy3(samples->position + 3 * i, x + 3 * i);
    set3(0.0, 0.0, 0.0, v + 3 * i);
    label[i] = object[i] = body->id + 1;
    hold[i] = held[i];
    double depth = -mote_shape_distance(body->shape, x + 3 * i) / (0.5 * f->law.edge);
    reach[i] = (float)min2(1.0, max2(MOTE_CONTACT_REACH_MIN, depth));
    // In single precision, like a particle of the melt.
    mass[i] = (double)(float)(material->density * (f->law.dimensions == 2 ? 1.0 : world->def.spacing) *
                              world->def.spacing * world->def.spacing);
    memcpy(basis + 9 * i, f->rotation, sizeof f->rotation);
    for (int s = 0; s < SITES && rate != NULL; ++s)
      rate[SITES * i + (size_t)s] = (float)material->lattice.docking_rate;
    if (held[i] == 0) mote_first_velocity_at(&start, x + 3 * i, world->def.dimensions, v + 3 * i);
    double speed = length3(v + 3 * i);
    if (!(speed <= 1e30))
      result = mote_fail_key(error, "velocity", "at (%g, %g, %g) the velocity is (%g, %g, %g)", x[3 * i],
                             x[3 * i + 1], x[3 * i + 2], v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    body->speed = max2(speed, body->speed);
  }
  mote_first_velocity_free(&start);
  size_t row = store->block[block].first[0] + first;
  return result != MOTE_OK ? result
                           : mote_heat_start(world, material, &def->temperature, row, samples->count, error);
}

// The first sites of all rows, among which those of the new body.
static mote_result find_sites(mote_world *world, mote_error *error) {
  mote_lattice lattice;
  MOTE_TRY(mote_lattice_open(world, &lattice, error));
  MOTE_TRY(mote_lattice_begin(&lattice, error));
  mote_lattice_assign(&lattice, HUGE_VAL);
  mote_lattice_fit(&lattice);
  mote_lattice_end(&lattice);
  return MOTE_OK;
}

static mote_result add(mote_world *world, const mote_body_def *def, const filling *f,
                       const mote_samples *samples, const uint8_t *held, mote_lattice_item *item,
                       mote_body_item *body, mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t block = mote_lattice_block(world, body->material), old = store->block[block].count;
  uint64_t next_id = store->next_id;
  uint32_t number;
  if (next_id + samples->count >= UINT32_MAX)
    return mote_fail_key(error, "particles_max", "lattices name their particles by 32 bits");
  MOTE_TRY(mote_store_resize(store, block, old + samples->count, error));
  mote_result result = set_rows(world, def, f, samples, held, block, old, body, error);
  if (result == MOTE_OK) result = find_sites(world, error);
  if (result == MOTE_OK) result = mote_items_add(world, MOTE_KIND_LATTICE, item, &number, error);
  if (result == MOTE_OK) {
    result = mote_items_add(world, MOTE_ITEM_BODY, body, &number, error);
    if (result != MOTE_OK) mote_items_undo(world, MOTE_KIND_LATTICE);
  }
  if (result != MOTE_OK) {
    (void)mote_store_resize(store, block, old, NULL);  // fewer: cannot fail
    store->next_id = next_id;
  }
  return result;
}

static mote_result make(mote_world *world, const mote_body_def *def, const filling *f,
                        const mote_samples *samples, mote_lattice_item *item, mote_body_item *body,
                        mote_error *error) {
  uint8_t *gone = NULL;
  MOTE_TAKE_NEW(uint8_t, held, &world->scratch, samples->count, error);
  memset(held, 0, samples->count);
  MOTE_TRY(make_holds(world, def, samples, item, held, error));
  MOTE_TRY(mote_overlap_check(world, def->name, body->shape, samples->position, samples->count, true, error));
  MOTE_TRY(mote_cut_find(world, body->shape, def->name, &gone, error));
  MOTE_TRY(add(world, def, f, samples, held, item, body, error));
  mote_cut_remove(world, gone);
  return MOTE_OK;
}

mote_result mote_lattice_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                   mote_error *error) {
  MOTE_ASSERT(def->name != NULL && item != NULL);
  mote_lattice_item made = {.name = def->name, .body = (uint32_t)mote_world_items(world, MOTE_ITEM_BODY)};
  mote_samples samples = {0};
  filling f;
  MOTE_TRY(mote_items_expect(world, MOTE_KIND_LATTICE, def->name, error));
  mote_result result =
      mote_shape_create(&def->shape, world->def.dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  MOTE_TRY(plan(world, def, item, &f, error));
  MOTE_TRY(fill(world, &f, &samples, error));
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  result = make(world, def, &f, &samples, &made, item, error);
  mote_arena_release(&world->scratch, mark);
  mote_samples_free(&samples, &world->env);
  if (result != MOTE_OK) mote_lattice_item_free(&made, &world->env);
  return result;
}
