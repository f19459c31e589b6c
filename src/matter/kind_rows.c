// Particles of a kind of matter: see kind.h.
#include <math.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "matter/kind.h"

// --- Blocks -------------------------------------------------------------------------------------------

static size_t materials_of(const mote_world *world, mote_kind kind, size_t before) {
  size_t count = 0;
  for (size_t m = 0; m < before; ++m) count += mote_material_at(world, m)->def.model == kind;
  return count;
}

size_t mote_kind_block_count(const mote_world *world, mote_kind kind) {
  size_t materials = mote_world_items(world, MOTE_ITEM_MATERIAL);
  switch (world->kind[kind]->blocks) {
    case MOTE_BLOCKS_ALL_MATERIALS: return materials;
    case MOTE_BLOCKS_BODIES: return mote_world_items(world, (int)kind);
    case MOTE_BLOCKS_MATERIALS: return materials_of(world, kind, materials);
    case MOTE_BLOCKS_NONE: break;
  }
  return 0;
}

size_t mote_kind_first_block(const mote_world *world, mote_kind kind) {
  size_t block = 0;
  for (int k = 0; k < (int)kind; ++k) block += mote_kind_block_count(world, (mote_kind)k);
  return block;
}

size_t mote_kind_block_of_material(const mote_world *world, mote_kind kind, size_t material) {
  mote_kind_blocks blocks = world->kind[kind]->blocks;
  if (blocks == MOTE_BLOCKS_ALL_MATERIALS) return mote_kind_first_block(world, kind) + material;
  bool own = mote_material_at(world, material)->def.model == kind;
  if (blocks != MOTE_BLOCKS_MATERIALS || !own) return SIZE_MAX;
  return mote_kind_first_block(world, kind) + materials_of(world, kind, material);
}

size_t mote_kind_find_definition(const mote_world *world, mote_kind kind, size_t definition) {
  size_t k = 0, count = mote_world_items(world, (int)kind);
  while (k < count && mote_kind_item_at(world, kind, k)->body != definition) ++k;
  return k;
}

size_t mote_kind_block_of_body(const mote_world *world, mote_body_place place) {
  if (world->kind[place.kind]->blocks != MOTE_BLOCKS_BODIES)
    return mote_kind_block_of_material(world, place.kind,
                                       mote_bodies_value(world, place, MOTE_BODY_MATERIAL));
  size_t k = mote_kind_find_definition(world, place.kind, mote_bodies_definition(world, place));
  return mote_kind_first_block(world, place.kind) + k;
}

size_t mote_kind_material_of_block(const mote_world *world, mote_kind kind, size_t block) {
  MOTE_ASSERT(block < mote_kind_block_count(world, kind));
  mote_kind_blocks blocks = world->kind[kind]->blocks;
  if (blocks == MOTE_BLOCKS_ALL_MATERIALS) return block;
  if (blocks == MOTE_BLOCKS_BODIES)
    return mote_body_at(world, mote_kind_item_at(world, kind, block)->body)->material;
  size_t material = 0;
  while (mote_material_at(world, material)->def.model != kind || block-- > 0) ++material;
  return material;
}

uint32_t mote_kind_owner(const mote_world *world, mote_kind kind, size_t k) {
  size_t before = 0;
  for (int n = 0; n < (int)kind; ++n) {
    bool by_material = world->kind[n]->blocks == MOTE_BLOCKS_MATERIALS;
    before += mote_world_items(world, by_material ? MOTE_ITEM_MATERIAL : n);
  }
  return (uint32_t)(before + k) + 1;
}

mote_kind mote_kind_of_liquids(const mote_world *world) {
  int kind = 0;
  while (!world->kind[kind]->is_liquid) ++kind;
  return (mote_kind)kind;
}

mote_result mote_kinds_allow_fluid(const mote_world *world, mote_error *error) {
  for (int k = 0; k < MOTE_KINDS; ++k)
    if (world->kind[k]->allow_fluid != NULL) MOTE_TRY(world->kind[k]->allow_fluid(world, error));
  return MOTE_OK;
}

// --- Rows ---------------------------------------------------------------------------------------------

mote_result mote_kind_remove_particles(mote_world *world, mote_body_place place, mote_kind kind,
                                       mote_error *error) {
  mote_store *store = mote_world_store(world);
  uint32_t wanted = mote_bodies_id(world, place) + 1;
  size_t block =
      mote_kind_block_of_material(world, kind, mote_bodies_value(world, place, MOTE_BODY_MATERIAL));
  MOTE_ASSERT(block != SIZE_MAX);
  size_t count = store->block[block].count;
  if (count == 0) return MOTE_OK;
  const uint32_t *label = mote_store_rows(store, MOTE_PARTICLE_BODY, block);
  MOTE_TAKE_NEW(uint8_t, gone, &world->scratch, count, error);
  for (size_t i = 0; i < count; ++i) gone[i] = label[i] == wanted;
  mote_store_remove(store, block, gone);
  return MOTE_OK;
}

static size_t count_of(const mote_world *world, mote_kind kind) {
  int group = world->kind[kind]->group;
  return group == 0 ? 0 : mote_world_store(world)->count[group];
}

mote_kind mote_kind_of_particle(const mote_world *world, size_t row) {
  int kind = 0;
  for (size_t end = count_of(world, (mote_kind)kind); row >= end && kind + 1 < MOTE_KINDS;)
    end += count_of(world, (mote_kind)++kind);
  return (mote_kind)kind;
}

size_t mote_kind_first_row(const mote_world *world, mote_kind kind) {
  size_t first = 0;
  for (int k = 0; k < (int)kind; ++k) first += count_of(world, (mote_kind)k);
  return first;
}

mote_kind_particles mote_kind_particles_of(const mote_world *world, mote_kind kind) {
  const mote_kind_row *row = mote_kind_row_of(world, kind);
  const mote_store *store = mote_world_store(world);
  mote_kind_particles p = {.count = count_of(world, kind)};
  p.first = mote_kind_first_row(world, kind);
  if (p.count == 0) return p;
  p.position = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * p.first;
  p.id = mote_store_ids(store) + p.first;
  p.label = mote_store_u32(store, MOTE_PARTICLE_BODY) + p.first;
  if (store->table->field[row->mass].type == MOTE_TYPE_F32) {
    p.velocity_f32 = mote_store_f32(store, row->velocity), p.mass_f32 = mote_store_f32(store, row->mass);
  } else {
    p.velocity = mote_store_f64(store, row->velocity), p.mass = mote_store_f64(store, row->mass);
  }
  if (row->hold >= 0) p.hold = mote_store_u8(store, row->hold);
  return p;
}

uint32_t mote_kind_field_groups(const mote_world *world, mote_kind kind) {
  const mote_kind_row *row = mote_kind_row_of(world, kind);
  MOTE_ASSERT(row->group != 0);
  uint32_t groups = row->groups(world, NULL, NULL) | 1u;
  return world->def.heat ? groups : groups & ~(1u << MOTE_GROUP_HEAT);
}

mote_field_view mote_kind_view(const mote_world *world, mote_kind kind, const char *field) {
  const mote_kind_row *row = mote_kind_row_of(world, kind);
  const mote_store *store = mote_world_store(world);
  int f = mote_table_find_in(store->table, field, mote_kind_field_groups(world, kind));
  if (f < 0) return (mote_field_view){0};
  mote_field_view view = mote_store_view_field(store, f);
  int of = store->table->field[f].group;
  bool all = of == MOTE_GROUP_ALL || of == MOTE_GROUP_HEAT;  // a row for each row of the store
  if (!all || view.data == NULL) return view;
  size_t size = mote_field_size(&store->table->field[f]);
  view.data = (char *)view.data + mote_kind_first_row(world, kind) * size;
  view.count = store->count[row->group];
  return view;
}

// --- Totals -------------------------------------------------------------------------------------------

enum { MOMENTUM, ANGULAR = 3, CENTRE = 6, KINETIC = 9, MASS, SUMS };
_Static_assert(SUMS <= MOTE_SUM_MAX, "all sums at once");

typedef struct summing {
  const mote_kind_particles *p;
  const double *origin;
} summing;

static void sum_rows(void *data, size_t begin, size_t end, double *term) {
  const summing *s = data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(SUMS)) {
    const double *x = s->p->position + 3 * i, m = mote_kind_mass(s->p, i);
    double v[3];
    mote_kind_velocity(s->p, i, v);
    term[MASS] = m;
    term[KINETIC] = 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; ++a) {
      int b = (a + 1) % 3, c = (a + 2) % 3;
      term[MOMENTUM + a] = m * v[a];
      term[ANGULAR + a] = m * (x[b] * v[c] - x[c] * v[b]);
      term[CENTRE + a] = m * (x[a] - s->origin[a]);
    }
  }
}

void mote_kind_sum_particles(const mote_world *world, mote_kind kind, mote_totals_sum *sum,
                             mote_totals *out) {
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  summing s = {&p, sum->origin};
  double own[SUMS];
  if (p.count == 0) return;
  mote_parallel_sum(world->env.threads, p.count, SUMS, sum_rows, &s, own);
  sum->mass += own[MASS];
  sum->kinetic += own[KINETIC];
  for (int a = 0; a < 3; ++a) {
    sum->momentum[a] += own[MOMENTUM + a];
    sum->angular[a] += own[ANGULAR + a];
    sum->centre[a] += own[CENTRE + a];
  }
  for (size_t i = 0; i < p.count; ++i) {
    double v[3];
    mote_kind_velocity(&p, i, v);
    out->speed_max = fmax(out->speed_max, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
}
