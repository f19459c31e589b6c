// Surfaces of particles from frame to frame: sort, kernels, field, mesh, finish. The stages are in the files
// named as they are; this one holds the memory and passes results on. YU11 2.1, 4; docs/theory/surfaces.md
#include "surface/surfacer.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/clock.h"
#include "search/components.h"
#include "search/domain.h"
#include "surface/adams.h"
#include "surface/grid_smooth.h"
#include "surface/ripple.h"
#include "surface/surface_finish.h"
#include "surface/surface_kernels.h"
#include "surface/tuning.inc"

#define SPACING_LEAST 1e-12  // range: m: its cube, and the inverse of that, are single-precision numbers
#define SPARSE_NEIGHBOURS 4  // of a point that is linked farther: SPARSE_LINK
// Of scratch per particle: sorting takes 12, labels and planes about as much, the mesh of a million 16.
#define SCRATCH_BYTES 16
#define SCRATCH_LEAST (1 << 20)

// Particles as they were, to know them again.
typedef struct mote_point_copy {
  double *position;  // null: none
  float *volume;
  size_t count;
} mote_point_copy;

struct mote_surfacer {
  mote_env env;
  mote_surface_def def;  // no NaN left, but perhaps in spacing
  double level;          // of a pool's surface above its upper layer, spacings
  mote_arena arena;      // what a build makes, until the next
  mote_arena scratch;    // of its stages
  mote_field_blocks blocks;
  mote_surface_stats stats;
  mote_point_set set;
  mote_surface_kernels kernels;
  double *ellipsoid_centre, *ellipsoid_G;  // of the last build, when they were asked for
  mote_adams adams;
  bool again;            // has been asked for a field without its surface: the other may follow
  mote_point_copy seen;  // where the particles of these kernels are
};

// --- Life -------------------------------------------------------------------------------------------------

mote_result mote_surfacer_create(const mote_surface_def *def, const mote_env *env, mote_surfacer **out,
                                 mote_error *error) {
  if (def == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "surfacer: definition or result is null");
  }
  mote_env resolved = mote_env_resolve(env);
  mote_surface_def complete = *def;
  MOTE_TRY(mote_surface_def_check(def, error));
  double level;
  MOTE_TRY(mote_surface_def_complete(&complete, &resolved, &level, error));
  MOTE_ALLOC_NEW(mote_surfacer, surfacer, &resolved, 1, error);
  *surfacer = (mote_surfacer){.env = resolved,
                              .def = complete,
                              .level = level,
                              .arena = mote_arena_make(&resolved),
                              .scratch = mote_arena_make(&resolved),
                              .blocks = mote_field_blocks_make(&resolved),
                              .adams = mote_adams_make(&resolved)};
  *out = surfacer;
  return MOTE_OK;
}

void mote_surfacer_destroy(mote_surfacer *surfacer) {
  if (surfacer == NULL) return;
  mote_env env = surfacer->env;
  mote_adams_free(&surfacer->adams);
  mote_field_blocks_free(&surfacer->blocks);
  mote_arena_destroy(&surfacer->scratch);
  mote_arena_destroy(&surfacer->arena);
  mote_free(&env, surfacer, 1, sizeof *surfacer);
}

mote_surface_stats mote_surfacer_stats(const mote_surfacer *surfacer) {
  return surfacer->stats;
}

mote_surface_history mote_surfacer_history(const mote_surfacer *surfacer) {
  const mote_adams *adams = &surfacer->adams;
  return (mote_surface_history){adams->id, adams->distance, adams->count};
}

mote_result mote_surfacer_recall(mote_surfacer *surfacer, const mote_surface_history *history,
                                 mote_error *error) {
  return mote_adams_take(&surfacer->adams, history->id, history->distance, history->count, error);
}

// --- Stages -----------------------------------------------------------------------------------------------

static mote_result check_particles(const mote_surface_particles *particles, mote_error *error) {
  if (particles->position == NULL && particles->count > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "surfacer: position is null");
  }
  if (particles->fields < 0 || particles->fields > MOTE_SURFACE_FIELDS) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "surfacer: %d fields, not 0 to %d", particles->fields,
                     MOTE_SURFACE_FIELDS);
  }
  for (int k = 0; k < particles->fields; ++k) {
    const mote_field_view *f = &particles->field[k];
    if (f->count != particles->count || f->components < 1 || (unsigned)f->type >= MOTE_TYPE_COUNT ||
        (f->data == NULL && f->count > 0)) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "surfacer: field %d does not have one row per particle",
                       k);
    }
  }
  return MOTE_OK;
}

// Makes one block of scratch for all stages: else one's blocks are too small for the next and lie idle beside
// its own. When memory is out here it is found out later.
static void prepare_scratch(mote_surfacer *s, size_t particles) {
  mote_arena_mark mark = mote_arena_here(&s->scratch);
  mote_arena_take(&s->scratch, particles * SCRATCH_BYTES + SCRATCH_LEAST, 1);
  mote_arena_release(&s->scratch, mark);
}

// Cube roots of the least and the largest volume.
static void find_sizes(const mote_surface_particles *particles, double *least, double *largest) {
  float low = particles->volume[0], high = low;
  for (size_t i = 1; i < particles->count; ++i) {
    low = fminf(low, particles->volume[i]);
    high = fmaxf(high, particles->volume[i]);
  }
  *least = mote_cbrt((double)low), *largest = mote_cbrt((double)high);
}

static mote_result sort_stage(mote_surfacer *s, const mote_surface_particles *particles, mote_error *error) {
  double d = s->def.spacing, least = d, largest = d;
  bool own = s->def.own_supports && particles->volume != NULL;
  mote_domain open = mote_domain_open(3);
  double low[3], high[3];
  MOTE_TRY(
      mote_domain_bounds(&open, particles->position, particles->count, s->env.threads, low, high, error));
  if (own) find_sizes(particles, &least, &largest);
  if (isnan(d) && own) d = least;
  if (isnan(d)) MOTE_TRY(mote_point_spacing(particles, &s->env, &d, error));
  if (!(d >= SPACING_LEAST && d <= 1.0 / SPACING_LEAST))
    return mote_fail_key(error, "spacing", "the spacing of the particles is %g m, not from %g to %g m", d,
                         SPACING_LEAST, 1.0 / SPACING_LEAST);
  // Images whose kernels reach into the domain see their own neighbours.
  double pad = 2.0 * s->def.support;
  if (s->def.method == MOTE_SURFACE_ANISOTROPIC) pad = s->def.support * s->def.stretch + s->def.reach;
  if (s->def.ripple > 0.0) pad = fmax(pad, MOTE_RIPPLE_WINDOW);
  mote_point_set_opts opts = {.domain = &s->def.domain,
                              .spacing = d,
                              .pad = pad * (own ? fmax(largest, 0.0) : d),
                              .origin_step = MOTE_BLOCK_SIDE * s->def.cell * d,
                              .threads = s->env.threads};
  s->stats.spacing = d;
  s->stats.cell = s->def.cell * d;
  s->stats.particles = particles->count;
  MOTE_TRY(mote_point_set_build(particles, &opts, &s->arena, &s->scratch, &s->set, error));
  return own ? mote_point_set_sizes(&s->set, &s->arena, error) : MOTE_OK;
}

static void set_clip_box(const mote_surfacer *s, mote_kernel_field *field) {
  const mote_surface_def *def = &s->def;
  for (int a = 0; a < 3; ++a) {
    double low = def->clip_low[a], high = def->clip_high[a];
    if (def->domain.periodic[a]) {
      low = low > def->domain.low[a] ? low : def->domain.low[a];
      high = high < def->domain.high[a] ? high : def->domain.high[a];
    }
    field->clip_low[a] = low - s->set.origin[a];
    field->clip_high[a] = high - s->set.origin[a];
  }
  // Within a cell of the cut, inside, the cut's value is the smaller one.
  field->clip_slope = 0.25 / s->stats.cell;
}

// The component of each point (YU11 4.3), where the method asks for it; else null.
static mote_result label_points(mote_surfacer *s, const mote_surface_particles *particles,
                                const uint32_t **out, mote_error *error) {
  *out = NULL;
  if (s->def.method != MOTE_SURFACE_ANISOTROPIC || !s->def.components) return MOTE_OK;
  MOTE_TAKE_NEW(uint32_t, of_row, &s->scratch, particles->count, error);
  MOTE_TAKE_NEW(uint32_t, label, &s->scratch, s->set.count, error);
  // The largest: links of small particles are too long, those of large ones never too short.
  double linked = s->def.connected * s->set.largest;
  const mote_link_rule rule = {
      .distance = linked, .sparse_distance = SPARSE_LINK * linked, .sparse_neighbours = SPARSE_NEIGHBOURS};
  // A column of 2D particles is one component with its images; periods shorter than links are refused.
  mote_domain domain = s->def.domain;
  if (domain.high[2] - domain.low[2] < FLAT_PERIOD * s->stats.spacing) domain.periodic[2] = false;
  MOTE_TRY(mote_components_linked(&domain, particles->position, particles->count, &rule, &s->env, of_row,
                                  &s->stats.components, error));
  for (size_t p = 0; p < s->set.count; ++p) label[p] = of_row[s->set.row[p]];
  *out = label;
  return MOTE_OK;
}

static mote_result kernel_stage(mote_surfacer *s, const mote_surface_particles *particles,
                                mote_error *error) {
  const mote_surface_def *def = &s->def;
  const uint32_t *label;
  mote_arena_mark mark = mote_arena_here(&s->scratch);
  MOTE_TRY(label_points(s, particles, &label, error));
  mote_result result = mote_surface_kernels_make(&s->set, def, NULL, label, &s->env, &s->arena, &s->scratch,
                                                 &s->kernels, error);
  mote_arena_release(&s->scratch, mark);
  if (result) return result;
  mote_kernel_field *field = &s->kernels.field;
  bool mean = field->bump == MOTE_BUMP_MEAN;
  field->isovalue = def->isovalue;
  field->outside = mean ? def->radius - def->support - def->isovalue : -mote_sum_measure(def->isovalue);
  field->inside = mean ? HUGE_VAL : def->inside;
  set_clip_box(s, field);
  for (size_t p = 0; p < s->set.count; ++p) s->stats.near_surface += s->kernels.near[p];
  s->stats.isovalue = def->isovalue;
  return MOTE_OK;
}

static mote_result field_stage(mote_surfacer *s, mote_adams_frame *frame, mote_sparse_field *grid,
                               mote_error *error) {
  const mote_surface_def *def = &s->def;
  double cube = def->support * def->support * def->support;
  double bulk = def->method == MOTE_SURFACE_BLOBS ? mote_bump_volume(MOTE_BUMP_SMOOTH) * cube : 1.0;
  bool mean = s->kernels.field.bump == MOTE_BUMP_MEAN;
  bool everywhere = !mean && def->isovalue > HOLLOW_ISOVALUE * bulk;
  mote_field_opts opts = {.cell = s->stats.cell,
                          .near = everywhere ? NULL : s->kernels.near,
                          .close = mote_surface_close(def, s->level),
                          .most_nodes = def->most_nodes,
                          .ring = def->grid_smoothing > 0};
  if (def->method == MOTE_SURFACE_ADAMS) MOTE_TRY(mote_adams_begin(&s->adams, &opts, frame, error));
  MOTE_TRY(mote_field_blocks_evaluate(&s->blocks, &s->kernels.field, &opts, grid, error));
  MOTE_TRY(mote_grid_smooth(grid, def->grid_smoothing, &s->scratch, s->env.threads, error));
  s->stats.blocks = grid->blocks;
  s->stats.nodes = grid->blocks * MOTE_BLOCK_NODES;
  return MOTE_OK;
}

static mote_result finish_stage(mote_surfacer *s, const mote_surface_particles *particles,
                                const mote_sparse_field *grid, const mote_grid_vertex *place,
                                mote_surface *surface, mote_error *error) {
  mote_surface_finish finish = {.field = &s->kernels.field,
                                .grid = grid,
                                .place = place,
                                .particles = particles,
                                .env = &s->env,
                                .list = s->blocks.list,
                                .root_steps = s->def.grid_smoothing > 0 ? 0 : s->def.root_steps,
                                .normals = s->def.normals};
  MOTE_TRY(mote_surface_finish_run(&finish, surface, error));
  if (s->def.mesh_smoothing > 0)
    MOTE_TRY(mote_surface_smooth(surface, s->def.mesh_smoothing, &s->env, error));
  if (s->def.clean) MOTE_TRY(mote_surface_clean(surface, LEAST_ANGLE, &s->env, error));
  double d = s->stats.spacing, smallest = s->def.smallest_part * d * d * d;
  if (smallest > 0.0) MOTE_TRY(mote_surface_drop_parts(surface, smallest, &s->env, error));
  // Last of all, since far from the origin doubles are coarse.
  for (size_t v = 0; v < surface->mesh.vertices; ++v) {
    for (int a = 0; a < 3; ++a) surface->mesh.vertex[3 * v + a] += s->set.origin[a];
  }
  return MOTE_OK;
}

static double lap(double *since) {
  double now = mote_clock_seconds(), seconds = now - *since;
  *since = now;
  return seconds;
}

// From the kernels on.
static mote_result mesh_stages(mote_surfacer *s, const mote_surface_particles *particles,
                               mote_surface *surface, mote_error *error) {
  mote_sparse_field grid;
  const mote_grid_vertex *place;
  mote_adams_frame frame = {.particles = particles,
                            .def = &s->def,
                            .blocks = &s->blocks,
                            .kernels = &s->kernels,
                            .arena = &s->arena,
                            .scratch = &s->scratch};
  double clock = mote_clock_seconds();
  MOTE_TRY(field_stage(s, &frame, &grid, error));
  s->stats.seconds_field = lap(&clock);
  mote_arena_mark mark = mote_arena_here(&s->scratch);
  mote_result result = mote_marching_cubes(&grid, &s->scratch, &s->env, &surface->mesh, &place, error);
  s->stats.seconds_mesh = lap(&clock);
  if (!result) result = finish_stage(s, particles, &grid, place, surface, error);
  if (!result && s->def.method == MOTE_SURFACE_ADAMS)
    result = mote_adams_end(&s->adams, &frame, &grid, error);
  s->stats.seconds_finish = lap(&clock);
  s->stats.bytes = s->arena.taken + s->scratch.most + mote_field_blocks_bytes(&s->blocks);
  mote_arena_release(&s->scratch, mark);
  s->stats.vertices = surface->mesh.vertices;
  s->stats.triangles = surface->mesh.triangles;
  return result;
}

// Forgets the last build.
static void begin_build(mote_surfacer *s) {
  s->stats = (mote_surface_stats){0};
  s->set = (mote_point_set){0};
  s->seen = (mote_point_copy){0};
  s->ellipsoid_centre = s->ellipsoid_G = NULL;
  mote_arena_release(&s->arena, (mote_arena_mark){0});
  mote_arena_release(&s->scratch, (mote_arena_mark){0});
  mote_arena_settle(&s->arena);
  mote_arena_settle(&s->scratch);
}

static bool is_seen(const mote_surfacer *s, const mote_surface_particles *p) {
  size_t n = p->count;
  return s->seen.position != NULL && s->seen.count == n &&
         memcmp(s->seen.position, p->position, 3 * n * sizeof(double)) == 0 &&
         (s->seen.volume != NULL) == (p->volume != NULL) &&
         (p->volume == NULL || memcmp(s->seen.volume, p->volume, n * sizeof(float)) == 0);
}

// Where memory is out for it kernels are made anew the next time.
static void remember(mote_surfacer *s, const mote_surface_particles *p) {
  size_t n = p->count;
  if (!s->again || s->def.method == MOTE_SURFACE_ADAMS) return;
  mote_point_copy copy = {.position = mote_arena_take(&s->arena, 3 * n, sizeof(double)), .count = n};
  if (p->volume != NULL) copy.volume = mote_arena_take(&s->arena, n, sizeof(float));
  if (copy.position == NULL || (p->volume != NULL && copy.volume == NULL)) return;
  memcpy(copy.position, p->position, 3 * n * sizeof(double));
  if (p->volume != NULL) memcpy(copy.volume, p->volume, n * sizeof(float));
  s->seen = copy;
}

// Sorted points and kernels; those that are there where the particles are the same.
static mote_result make_kernels(mote_surfacer *s, const mote_surface_particles *particles,
                                mote_error *error) {
  MOTE_TRY(check_particles(particles, error));
  if (is_seen(s, particles)) return MOTE_OK;
  begin_build(s);
  if (particles->count == 0) return MOTE_OK;
  double clock = mote_clock_seconds();
  if (mote_arena_bytes(&s->scratch) == 0) prepare_scratch(s, particles->count);
  MOTE_TRY(sort_stage(s, particles, error));
  s->stats.seconds_sort = lap(&clock);
  MOTE_TRY(kernel_stage(s, particles, error));
  s->stats.seconds_kernels = lap(&clock);
  remember(s, particles);
  return MOTE_OK;
}

mote_result mote_surfacer_prepare(mote_surfacer *surfacer, const mote_surface_particles *particles,
                                  mote_surfacer_view *out, mote_error *error) {
  MOTE_ASSERT(surfacer != NULL && particles != NULL && out != NULL);
  surfacer->again = true;
  *out = (mote_surfacer_view){.origin = surfacer->set.origin};
  MOTE_TRY(make_kernels(surfacer, particles, error));
  if (particles->count == 0) return MOTE_OK;
  out->field = &surfacer->kernels.field;
  out->spacing = surfacer->stats.spacing, out->cell = surfacer->stats.cell;
  return MOTE_OK;
}

mote_result mote_surfacer_build(mote_surfacer *surfacer, const mote_surface_particles *particles,
                                mote_surface *out, mote_error *error) {
  if (surfacer == NULL || particles == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "surfacer: surfacer, particles or result is null");
  }
  double start = mote_clock_seconds();
  mote_surface surface = {0};
  mote_result result = make_kernels(surfacer, particles, error);
  if (result == MOTE_OK && particles->count > 0) result = mesh_stages(surfacer, particles, &surface, error);
  if (result == MOTE_OK && particles->count == 0) mote_adams_forget(&surfacer->adams);
  surfacer->stats.seconds = mote_clock_seconds() - start;
  if (result) {
    surfacer->set.count = 0, surfacer->seen = (mote_point_copy){0};
    mote_surface_free(&surface, &surfacer->env);
    return result;
  }
  *out = surface;
  return MOTE_OK;
}

// --- Ellipsoids -------------------------------------------------------------------------------------------

// Of one particle: its support as large as a sphere of a particle's volume where the kernel is a full one.
static void write_ellipsoid(const mote_surfacer *s, size_t p, double centre[3], double G[6]) {
  const mote_kernel_shapes *shapes = &s->kernels.field.shapes;
  const mote_kernel_shape *shape = shapes->count == 0 ? NULL : &shapes->shape[shapes->of[p]];
  const double ball = 0.62035049089940001667;  // radius of volume 1
  double d = s->stats.spacing, scale = s->def.support / ball;
  for (int a = 0; a < 3; ++a) {
    centre[a] = s->set.position[3 * p + a] + s->set.origin[a];
    if (shape != NULL) centre[a] += (double)shape->shift[a];
  }
  for (int k = 0; k < 6; ++k) {
    double one = k == 0 || k == 3 || k == 5 ? 1.0 / (s->def.support * d) : 0.0;
    G[k] = scale * (shape != NULL ? (double)shape->G[k] : one);
  }
}

size_t mote_surfacer_ellipsoids(mote_surfacer *surfacer, const double **centre, const double **G) {
  *centre = *G = NULL;
  size_t count = surfacer->set.count;
  if (surfacer->ellipsoid_centre == NULL && count > 0) {
    surfacer->ellipsoid_centre = mote_arena_take(&surfacer->arena, 3 * count, sizeof(double));
    surfacer->ellipsoid_G = mote_arena_take(&surfacer->arena, 6 * count, sizeof(double));
    if (surfacer->ellipsoid_centre == NULL || surfacer->ellipsoid_G == NULL) {
      surfacer->ellipsoid_centre = NULL;
      return 0;
    }
    for (size_t p = 0; p < count; ++p) {
      write_ellipsoid(surfacer, p, surfacer->ellipsoid_centre + 3 * p, surfacer->ellipsoid_G + 6 * p);
    }
  }
  *centre = surfacer->ellipsoid_centre;
  *G = surfacer->ellipsoid_G;
  return count;
}
