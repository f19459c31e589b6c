// The watchdog of compression: see compression_watch.h. Reads densities, masses and the reports of steps.
#include "kinds/fluid/compression_watch.h"

#include <math.h>

#include "base/note.h"
#include "base/parallel.h"
#include "kinds/fluid/tuning.inc"
#include "matter/collider_images.h"
#include "matter/kind.h"

#define SPACE_CELLS 48      // along an axis, in which the space is counted
#define VESSEL_EXTENT 1e15  // range: m, farther no vessel ends

// --- The mean ----------------------------------------------------------------------------------------

// Sums over rows, and what follows from those of a material; MELT: of COMPRESSED, in matter that was a
// lattice.
enum { COMPRESSED, MASS, ROW_SUMS, VOLUME = ROW_SUMS, MELT, SUMS };

typedef struct rows {
  const float *mass, *density;
  double rest;
} rows;

static void sum_rows(void *data, size_t begin, size_t end, double *term) {
  const rows *r = data;
  for (size_t i = begin; i < end; ++i, term += ROW_SUMS) {
    double m = (double)r->mass[i], compression = (double)r->density[i] / r->rest - 1.0;
    if (compression > 0.0) term[COMPRESSED] = m * compression;
    term[MASS] = m;
  }
}

static void sum_fluid(const mote_world *world, double total[SUMS]) {
  const mote_store *store = mote_world_store(world);
  for (int k = 0; k < SUMS; ++k) total[k] = 0.0;
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    const mote_block *block = &store->block[b];
    rows r = {mote_store_f32(store, MOTE_PARTICLE_MASS) + block->first[0],
              mote_store_rows(store, MOTE_PARTICLE_DENSITY, b), mote_material_at(world, b)->def.density};
    double sum[SUMS];
    if (block->count == 0) continue;
    mote_parallel_sum(world->env.threads, block->count, ROW_SUMS, sum_rows, &r, sum);
    sum[VOLUME] = sum[MASS] / r.rest;
    sum[MELT] =
        mote_material_properties(&mote_material_at(world, b)->def)->is_lattice ? sum[COMPRESSED] : 0.0;
    for (int k = 0; k < SUMS; ++k) total[k] += sum[k];
  }
}

// --- The space ---------------------------------------------------------------------------------------

// The closed box that fluid is in: the domain, or a vessel; false where it can get out.
static bool closed_box(const mote_world *world, double low[3], double high[3]) {
  bool closed = true;
  for (int a = 0; a < 3; ++a) {
    low[a] = world->def.low[a], high[a] = world->def.high[a];
    for (int s = 0; s < 2 && a < world->def.dimensions; ++s)
      closed = closed && world->def.side[a][s] != MOTE_SIDE_OPEN;
  }
  for (size_t k = 0; !closed && k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    const mote_shape *shape = mote_collider_at(world, k)->shape;
    double from[3], to[3];
    mote_shape_bounds(shape, from, to);
    closed = true;
    for (int a = 0; a < world->def.dimensions; ++a) closed = closed && isinf(from[a]) && isinf(to[a]);
    mote_collider_surface_bounds(shape, low, high);
    for (int a = 0; a < world->def.dimensions; ++a)
      closed = closed && fmax(fabs(low[a]), fabs(high[a])) < VESSEL_EXTENT;
  }
  return closed;
}

static bool is_within(const mote_shape *shape, const mote_pose *pose, const double x[3]) {
  double at[3] = {x[0], x[1], x[2]};
  if (shape == NULL) return false;
  if (pose != NULL) mote_pose_unapply(pose, x, at);
  return mote_shape_distance(shape, at) < 0.0;
}

static bool is_blocked(const mote_world *world, const double x[3]) {
  bool blocked = is_within(world->walls.shape, NULL, x);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER) && !blocked; ++k) {
    const mote_collider_item *item = mote_collider_at(world, k);
    mote_pose pose = mote_motion_at(item->motion, mote_world_time(world));
    blocked = is_within(item->shape, &pose, x);
  }
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    for (size_t k = 0; row->obstacle != NULL && k < mote_world_items(world, kind) && !blocked; ++k) {
      mote_pose pose;
      if (row->pose(world, k, &pose))
        blocked = is_within(mote_kind_shape(world, (mote_kind)kind, k), &pose, x);
    }
  }
  return blocked;
}

// Volume (2D: area) that solids leave in a box, counted in cells.
static double space_in(const mote_world *world, const double low[3], const double high[3]) {
  int layers = world->def.dimensions == 3 ? SPACE_CELLS : 1;
  double cell = 1.0, free_cells = 0.0;
  for (int a = 0; a < world->def.dimensions; ++a) cell *= (high[a] - low[a]) / SPACE_CELLS;
  for (int k = 0; k < layers; ++k) {
    for (int n = 0; n < SPACE_CELLS * SPACE_CELLS; ++n) {
      const int at[3] = {n % SPACE_CELLS, n / SPACE_CELLS, k};
      double x[3] = {0.0, 0.0, 0.0};
      for (int a = 0; a < world->def.dimensions; ++a)
        x[a] = low[a] + (at[a] + 0.5) / SPACE_CELLS * (high[a] - low[a]);
      free_cells += !is_blocked(world, x);
    }
  }
  return cell * free_cells;
}

static bool is_overfilled(const mote_world *world, double volume) {
  double low[3], high[3];
  return closed_box(world, low, high) && volume > FULL_SHARE * space_in(world, low, high);
}

// --- The report --------------------------------------------------------------------------------------

static const char *const reason_names[] = {
    [MOTE_COMPRESSION_NONE] = "",
    [MOTE_COMPRESSION_OVERLAP] =
        "the fluid was crowded from the start: do bodies overlap each other or solids, or melt at them?",
    [MOTE_COMPRESSION_OVERFILLED] = "there is more fluid than the closed domain can hold",
    [MOTE_COMPRESSION_MELTING] =
        "the melt is crowded: there is less room than it needs as a liquid; is the box closed?",
    [MOTE_COMPRESSION_ITERATIONS] =
        "the pressure solve stops at its limit: raise solver.iterations_max or reduce solver.cfl",
    [MOTE_COMPRESSION_SOUND] =
        "the fluid is too soft for its speed: reduce solver.compression or raise solver.stiffness",
    [MOTE_COMPRESSION_STEP] = "steps are too long: reduce solver.cfl or solver.step_max",
};

const char *mote_compression_reason_text(mote_compression_reason reason) {
  bool known = (size_t)reason < sizeof reason_names / sizeof *reason_names;
  return known ? reason_names[reason] : "";
}

static mote_compression_reason reason_of(const mote_world *world, double mean, const double sum[SUMS]) {
  const mote_compression_watch *w = &world->compression_watch;
  if (is_overfilled(world, sum[VOLUME])) return MOTE_COMPRESSION_OVERFILLED;
  if (w->start > CROWDED_START * mean) return MOTE_COMPRESSION_OVERLAP;
  if (2.0 * sum[MELT] > sum[COMPRESSED]) return MOTE_COMPRESSION_MELTING;
  if (mote_pressure_has_sound_speed(world->def.solver.pressure)) return MOTE_COMPRESSION_SOUND;
  if ((double)w->unfinished > UNFINISHED_STEPS_SHARE * (double)w->steps) return MOTE_COMPRESSION_ITERATIONS;
  return MOTE_COMPRESSION_STEP;
}

static void judge(mote_world *world, const double sum[SUMS]) {
  mote_compression_watch *w = &world->compression_watch;
  double mean = w->integral / w->seconds;
  if (w->report.reason != MOTE_COMPRESSION_NONE || !(mean > COMPRESSION_MAX)) return;
  w->report.time = mote_world_time(world);
  w->report.mean = mean;
  w->report.reason = reason_of(world, mean, sum);
  mote_note(&world->env, MOTE_LOG_WARNING,
            "the fluid is compressed by %.3g %% on average in the frame that ends at %.6g s: %s",
            100.0 * mean, w->report.time, mote_compression_reason_text(w->report.reason));
}

void mote_compression_watch_begin(mote_world *world) {
  mote_compression_watch *w = &world->compression_watch;
  w->seconds = w->integral = 0.0;
  w->steps = w->unfinished = 0;
  w->empty = mote_world_fluid_rows(world) == 0;
}

void mote_compression_watch_step(mote_world *world, bool lands) {
  mote_compression_watch *w = &world->compression_watch;
  double sum[SUMS];
  if (mote_world_fluid_rows(world) == 0) return;
  sum_fluid(world, sum);
  double compression = sum[COMPRESSED] / sum[MASS];
  // What melts at the end of a step has its density in the next.
  if (mote_world_steps(world) <= 1 || (w->empty && w->steps <= 1)) w->start = compression;
  w->integral += world->dt * compression;
  w->seconds += world->dt;
  w->steps += 1;
  w->unfinished += !world->report.converged;
  if (lands && w->seconds > 0.0) judge(world, sum);
}

mote_compression_report mote_world_compression_report(const mote_world *world) {
  return world == NULL ? (mote_compression_report){0} : world->compression_watch.report;
}
