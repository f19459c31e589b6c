// The tracked surface as tables of the state: see world_track.h.
#include "matter/world_track.h"

#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "track/tracked_mesh.h"

#define BEGIN_ROUNDS 5  // projections of the first mesh: with b = 0.65 half a percent of its noise is left

static const char *const groups[] = {"all"};
static const char *const vertex_groups[MOTE_TRACK_GROUPS] = {"all", "rest", "colour", "material", "waves"};
static const mote_field track_field[] = {MOTE_TRACK_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field vertex_field[] = {MOTE_TRACK_VERTEX_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field triangle_field[] = {MOTE_TRACK_TRIANGLE_FIELDS(MOTE_FIELD_ENTRY)};

static const mote_table track_table = {"track", track_field, MOTE_TRACK_FIELD_COUNT, groups, 1, -1, 1};
static const mote_table vertex_table = {
    "track_vertices", vertex_field, MOTE_TRACK_VERTEX_FIELD_COUNT, vertex_groups, MOTE_TRACK_GROUPS, -1, 1};
static const mote_table triangle_table = {
    "track_triangles", triangle_field, MOTE_TRACK_TRIANGLE_FIELD_COUNT, groups, 1, -1, 1};

static mote_store *rows_of(const mote_state *state, const mote_table *table) {
  size_t t = mote_state_find(state, table->name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

// --- Life -------------------------------------------------------------------------------------------------

static uint32_t vertex_groups_of(const mote_world_track_def *def) {
  return 1u | (def->properties.rest ? 1u << MOTE_GROUP_TRACK_REST : 0u) |
         (def->properties.colour ? 1u << MOTE_GROUP_TRACK_COLOUR : 0u) |
         (def->properties.material ? 1u << MOTE_GROUP_TRACK_MATERIAL : 0u) |
         (def->waves.on ? 1u << MOTE_GROUP_TRACK_WAVES : 0u);
}

// A table has one block when it is registered, without groups; vertices need theirs.
static mote_result register_tables(mote_world *world, mote_error *error) {
  size_t index, block;
  MOTE_TRY(mote_state_register(&world->now, &track_table, &index, error));
  MOTE_TRY(mote_state_register(&world->now, &triangle_table, &index, error));
  MOTE_TRY(mote_state_register(&world->now, &vertex_table, &index, error));
  mote_store *vertices = &world->now.store[index];
  mote_store_remove_block(vertices, 0);
  return mote_store_add_block(vertices, vertex_groups_of(&world->def.track), 0, &block, error);
}

static mote_result make_tools(mote_world *world, mote_world_track *t, mote_error *error) {
  t->def = mote_surface_def_default();
  t->def.spacing = world->def.spacing;
  t->walls = mote_world_def_walls(&world->def);
  mote_surface_walls_cut(&t->walls, &t->def);
  MOTE_TRY(mote_surfacer_create(&t->def, &world->env, &t->surfacer, error));
  return mote_track_flow_create(world->def.spacing, world->def.track.velocity, &world->env, &t->flow, error);
}

mote_result mote_world_track_make(mote_world *world, mote_error *error) {
  if (!world->def.track.on) return MOTE_OK;
  mote_world_track *t = world->track = mote_alloc(&world->env, 1, sizeof *t);
  if (t == NULL) return mote_fail_memory(error, sizeof *t);
  *t = (mote_world_track){.events = 0};
  MOTE_TRY(make_tools(world, t, error));
  return register_tables(world, error);
}

void mote_world_track_free(mote_world *world) {
  mote_world_track *t = world->track;
  if (t == NULL) return;
  mote_surfacer_destroy(t->surfacer);
  mote_track_flow_destroy(t->flow);
  if (t->event != NULL) mote_free(&world->env, t->event, t->event_capacity, sizeof *t->event);
  mote_free(&world->env, t, 1, sizeof *t);
  world->track = NULL;
}

bool mote_world_track_begun(const mote_world *world) {
  return world->track != NULL && rows_of(&world->now, &track_table)->count[0] > 0;
}

uint64_t *mote_world_track_u64(const mote_world *world, int field) {
  MOTE_ASSERT(mote_world_track_begun(world));
  return mote_store_u64(rows_of(&world->now, &track_table), field);
}

double *mote_world_track_moved(const mote_world *world) {
  MOTE_ASSERT(mote_world_track_begun(world));
  return mote_store_f64(rows_of(&world->now, &track_table), MOTE_TRACK_MOVED);
}

// --- Tables and mesh --------------------------------------------------------------------------------------

// Fields of the vertices that are advected with the mesh: all except ids and positions.
static bool is_value(const mote_store *vertices, int field) {
  return field > MOTE_TRACK_POSITION &&
         (vertices->block[0].groups >> vertices->table->field[field].group & 1u) != 0;
}

mote_result mote_world_track_read(const mote_world *world, mote_tracked **out, mote_error *error) {
  const mote_store *vertices = rows_of(&world->now, &vertex_table),
                   *triangles = rows_of(&world->now, &triangle_table);
  size_t n = vertices->count[0];
  mote_track_def def = mote_track_def_default();
  def.edge = world->def.track.edge * world->def.spacing;
  def.free_waves = world->def.track.waves.def.source == MOTE_WAVE_PRINTED;
  mote_surface s = {.mesh = {mote_store_f64(vertices, MOTE_TRACK_POSITION),
                             mote_store_u32(triangles, MOTE_TRACK_CORNERS), n, triangles->count[0]}};
  for (int f = 0; f < vertices->table->fields; ++f) {
    const mote_field *field = &vertices->table->field[f];
    if (!is_value(vertices, f)) continue;
    s.field[s.fields++] = (mote_field_view){field->name,       field->unit, MOTE_TYPE_F64,
                                            field->components, n,           mote_store_f64(vertices, f)};
  }
  MOTE_TRY(mote_tracked_create(&def, &s, &world->env, out, error));
  mote_tracked_set_ids(*out, mote_store_u64(vertices, MOTE_TRACK_VERTEX_ID),
                       *mote_world_track_u64(world, MOTE_TRACK_IDS));
  return MOTE_OK;
}

static void write_rows(mote_store *vertices, mote_store *triangles, const mote_surface *s) {
  size_t n = s->mesh.vertices;
  if (n == 0) return;
  memcpy(mote_store_f64(vertices, MOTE_TRACK_POSITION), s->mesh.vertex, 3 * n * sizeof(double));
  memcpy(mote_store_u64(vertices, MOTE_TRACK_VERTEX_ID), s->field[s->fields - 1].data, n * sizeof(uint64_t));
  memcpy(mote_store_u32(triangles, MOTE_TRACK_CORNERS), s->mesh.triangle,
         3 * s->mesh.triangles * sizeof(uint32_t));
  for (int f = 0; f < vertices->table->fields; ++f) {
    const mote_field *field = &vertices->table->field[f];
    if (!is_value(vertices, f)) continue;
    for (int k = 0; k < s->fields; ++k) {
      if (strcmp(s->field[k].name, field->name) != 0) continue;
      MOTE_ASSERT(s->field[k].components == field->components);
      memcpy(mote_store_f64(vertices, f), s->field[k].data, n * (size_t)field->components * sizeof(double));
    }
  }
}

mote_result mote_world_track_write(mote_world *world, const mote_tracked *mesh, mote_error *error) {
  mote_store *vertices = rows_of(&world->now, &vertex_table),
             *triangles = rows_of(&world->now, &triangle_table);
  mote_surface s;
  MOTE_TRY(mote_tracked_surface(mesh, &s, error));
  mote_result result = mote_store_resize(vertices, 0, s.mesh.vertices, error);
  if (result == MOTE_OK) result = mote_store_resize(triangles, 0, s.mesh.triangles, error);
  if (result == MOTE_OK) {
    vertices->next_id = triangles->next_id =
        0;  // rows have no ids of the store's: the state is the mesh alone
    write_rows(vertices, triangles, &s);
    *mote_world_track_u64(world, MOTE_TRACK_IDS) = mote_tracked_ids(mesh);
  }
  mote_surface_free(&s, &world->env);
  return result;
}

double mote_world_track_capillarity(const mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (mote_material_properties(def)->flows && def->surface_tension > 0.0)
      return def->surface_tension / def->density;
  }
  return mote_wave_def_default().strength;
}

// --- Surface of the particles -----------------------------------------------------------------------------

mote_result mote_world_track_surface(const mote_world *world, mote_surface *out, mote_surface_images *images,
                                     mote_error *error) {
  const mote_world_track *t = world->track;
  const mote_store *store = mote_world_store(world);
  mote_surface_particles particles = {.position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
                                      .count = mote_world_fluid_rows(world)};
  MOTE_TRY(mote_surface_images_make(&t->walls, &particles, &t->def, &world->env, images, error));
  if (out == NULL) return MOTE_OK;
  mote_result result = mote_surfacer_build(t->surfacer, &images->view, out, error);
  if (result != MOTE_OK) mote_surface_images_free(images, &world->env);
  return result;
}

// --- New matter -------------------------------------------------------------------------------------------

typedef struct values {
  double *velocity, *rest, *colour, *material, *height, *rate;
} values;

static void fill_vertex(const mote_world *world, const mote_tracked *mesh, const values *to, uint32_t v,
                        uint32_t particle) {
  const mote_store *store = mote_world_store(world);
  size_t block = mote_store_block_of(store, particle);
  const double *colour = mote_material_at(world, block)->def.colour;
  const float *velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * (size_t)particle;
  for (size_t k = 0; k < 3; ++k) {
    to->velocity[3 * (size_t)v + k] = (double)velocity[k];
    if (to->rest != NULL) to->rest[3 * (size_t)v + k] = mote_tracked_at(mesh, v)[k];
    if (to->colour != NULL) to->colour[3 * (size_t)v + k] = colour[k];
  }
  if (to->material != NULL) to->material[v] = (double)block;
  if (to->height != NULL) to->height[v] = to->rate[v] = 0.0;
}

mote_result mote_world_track_fill(const mote_world *world, mote_tracked *mesh, mote_error *error) {
  values to = {.velocity = mote_tracked_field_values(mesh, "velocity"),
               .rest = mote_tracked_field_values(mesh, "rest"),
               .colour = mote_tracked_field_values(mesh, "colour"),
               .material = mote_tracked_field_values(mesh, "material"),
               .height = mote_tracked_field_values(mesh, "wave_height"),
               .rate = mote_tracked_field_values(mesh, "wave_rate")};
  mote_kdtree *tree = NULL;
  for (uint32_t v = 0; v < mesh->edges.vertices; ++v) {
    if (mesh->edges.first[v] == MOTE_NO_EDGE || !isnan(to.velocity[3 * (size_t)v])) continue;
    uint32_t near;
    double distance2;
    if (tree == NULL)
      MOTE_TRY(mote_kdtree_create(3, mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION),
                                  mote_world_fluid_rows(world), &world->env, &tree, error));
    if (mote_kdtree_nearest(tree, mote_tracked_at(mesh, v), 1, &near, &distance2) == 1)
      fill_vertex(world, mesh, &to, v, near);
  }
  mote_kdtree_destroy(tree);
  return MOTE_OK;
}

// --- Beginning --------------------------------------------------------------------------------------------

// All values of a new mesh are set as for new matter.
static mote_result begin_values(mote_world *world, mote_tracked *mesh, mote_error *error) {
  const mote_store *vertices = rows_of(&world->now, &vertex_table);
  for (int f = 0; f < vertices->table->fields; ++f) {
    const mote_field *field = &vertices->table->field[f];
    if (!is_value(vertices, f)) continue;
    MOTE_TRY(mote_tracked_set_field(mesh, field->name, field->unit, field->components, NULL, error));
  }
  double *velocity = mote_tracked_field_values(mesh, "velocity");
  for (size_t i = 0; i < 3 * mesh->edges.vertices; ++i) velocity[i] = (double)NAN;
  return mote_world_track_fill(world, mesh, error);
}

// The first mesh has the noise of the particles: it is faired like later ones, before it gets values.
static mote_result begin_smooth(mote_world *world, mote_tracked *mesh,
                                const mote_surface_particles *particles, mote_error *error) {
  mote_track_projection how = {world->def.track.project, world->def.track.fairing, 0.0};
  for (int round = 0; round < BEGIN_ROUNDS && mote_tracked_vertices(mesh) > 0; ++round) {
    MOTE_TRY(mote_tracked_project(mesh, world->track->surfacer, particles, &how, NULL, error));
    MOTE_TRY(mote_tracked_improve(mesh, NULL, error));
  }
  return MOTE_OK;
}

static mote_result begin_mesh(mote_world *world, const mote_surface *fresh,
                              const mote_surface_particles *particles, mote_error *error) {
  mote_track_def def = mote_track_def_default();
  mote_tracked *mesh;
  size_t crossings;
  def.edge = world->def.track.edge * world->def.spacing;
  MOTE_TRY(mote_tracked_create(&def, &(mote_surface){.mesh = fresh->mesh}, &world->env, &mesh, error));
  mote_result result = mote_tracked_improve(mesh, NULL, error);
  if (result == MOTE_OK) result = begin_smooth(world, mesh, particles, error);
  if (result == MOTE_OK) result = mote_tracked_untangle(mesh, &crossings, error);
  if (result == MOTE_OK) result = begin_values(world, mesh, error);
  if (result == MOTE_OK) result = mote_store_resize(rows_of(&world->now, &track_table), 0, 1, error);
  if (result == MOTE_OK) {
    *mote_world_track_u64(world, MOTE_TRACK_STEPS) = *mote_world_track_u64(world, MOTE_TRACK_PROJECTIONS) = 0;
    *mote_world_track_u64(world, MOTE_TRACK_PARTICLES) = mote_world_fluid_rows(world);
    *mote_world_track_moved(world) = 0.0;
    result = mote_world_track_write(world, mesh, error);
  }
  mote_tracked_destroy(mesh);
  return result;
}

mote_result mote_world_track_begin(mote_world *world, mote_error *error) {
  if (world->track == NULL || mote_world_track_begun(world)) return MOTE_OK;
  mote_surface fresh;
  mote_surface_images images;
  MOTE_TRY(mote_world_track_surface(world, &fresh, &images, error));
  mote_result result = begin_mesh(world, &fresh, &images.view, error);
  mote_surface_free(&fresh, &world->env);
  mote_surface_images_free(&images, &world->env);
  return result;
}

// --- Snapshots --------------------------------------------------------------------------------------------

bool mote_world_track_possible(const mote_world *world, const mote_state *state) {
  const mote_store *track = rows_of(state, &track_table), *vertices = rows_of(state, &vertex_table),
                   *triangles = rows_of(state, &triangle_table);
  if (world->track == NULL) return track == NULL && vertices == NULL && triangles == NULL;
  bool fits = track != NULL && vertices != NULL && triangles != NULL && track->blocks == 1 &&
              track->count[0] <= 1 && vertices->blocks == 1 && triangles->blocks == 1 &&
              vertices->block[0].groups == vertex_groups_of(&world->def.track) &&
              vertices->count[0] <= UINT32_MAX && (track->count[0] == 1 || vertices->count[0] == 0);
  size_t corners = fits ? 3 * triangles->count[0] : 0;
  const uint32_t *corner = corners > 0 ? mote_store_u32(triangles, MOTE_TRACK_CORNERS) : NULL;
  for (size_t i = 0; i < corners && fits; ++i) fits = corner[i] < vertices->count[0];
  for (size_t v = 0; fits && v < vertices->count[0]; ++v) {
    fits = mote_store_u64(vertices, MOTE_TRACK_VERTEX_ID)[v] < *mote_store_u64(track, MOTE_TRACK_IDS);
    for (size_t k = 0; k < 3; ++k)
      fits = fits && isfinite(mote_store_f64(vertices, MOTE_TRACK_POSITION)[3 * v + k]);
  }
  return fits;
}
