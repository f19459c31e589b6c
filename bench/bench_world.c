// Writing a frame of a world.
#include <mote/io.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bench_dam.h"

typedef struct writing {
  mote_cloud cloud;
  const char *path;
  mote_result result;
  mote_error error;
} writing;

static void write_cloud(void *data) {
  writing *w = data;
  if (!w->result) w->result = mote_cloud_write(&w->cloud, w->path, &w->error);
}

static size_t cloud_bytes(const mote_cloud *cloud) {
  size_t bytes = 0;
  for (int f = 0; f < cloud->fields; ++f) {
    bytes += cloud->count * (size_t)cloud->field[f].components * mote_type_size(cloud->field[f].type);
  }
  return bytes;
}

static void run_output(bench *b) {
  dam d = {"output", bench_quick(b) ? 20 : 59, MOTE_PRESSURE_WCSPH, 2.5e-4, 1.0, 0, 0.0};
  mote_world *world = NULL;
  mote_error error;
  if (dam_create(&d, bench_threads(b), &world, &error) || dam_steps(world, 1, &error)) {
    bench_error(b, &error);
    mote_world_destroy(world);
    return;
  }
  writing w = {.cloud = {.count = mote_world_particles(world)}};
  for (mote_field_view view; (view = mote_world_view_at(world, w.cloud.fields)).name != NULL;) {
    w.cloud.field[w.cloud.fields++] = view;
  }
  static const char *const paths[] = {"bench-output.vtp", "bench-output.vtu", "bench-output.ply",
                                      "bench-output.bgeo"};
  for (size_t k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
    w.path = paths[k];
    double seconds = bench_seconds(b, write_cloud, &w);
    if (w.result) {
      bench_error(b, &w.error);
      break;
    }
    size_t bytes = cloud_bytes(&w.cloud);
    char name[96];
    snprintf(name, sizeof name, "%s: %.0f MB/s", strrchr(paths[k], '.') + 1, 1e-6 * (double)bytes / seconds);
    bench_line line = {.name = name,
                       .particles = w.cloud.count,
                       .threads = 1,
                       .seconds = seconds,
                       .floor = bench_floor_bytes(b, 2.0 * (double)bytes, 1),
                       .floor_of = "values copied once"};
    bench_report(b, &line);
    remove(paths[k]);
  }
  mote_world_destroy(world);
}

const bench_case bench_world_cases[] = {
    {"output", "world", "writing a frame of 205,379 particles", run_output},
    {NULL, NULL, NULL, NULL},
};
