// Benchmarks: cases that time something and hold it against a floor (the bytes that must move, the operations
// that must be done, at the speed this machine was just measured to have).
#ifndef MOTE_BENCH_H
#define MOTE_BENCH_H

#include <mote/base.h>

typedef struct bench bench;

typedef struct bench_case {
  const char *name, *group, *summary;
  void (*run)(bench *);
} bench_case;

// The cases, one table a file, each ending with a null name. Declared here, listed in bench.c.
extern const bench_case bench_search_cases[], bench_tree_cases[], bench_approx_cases[], bench_pair_cases[],
    bench_fluid_cases[], bench_world_cases[], bench_surface_cases[], bench_render_cases[], bench_body_cases[],
    bench_tick_cases[], bench_elastic_cases[], bench_shape_cases[], bench_material_cases[],
    bench_track_cases[], bench_fracture_cases[], bench_mesh_cases[];

typedef struct bench_line {
  const char *name;  // of the line, e.g. "grid lists, sorted, 2.2 d"
  size_t particles;  // points, queries: what the rate counts
  int threads;
  double seconds;        // of one pass over all particles
  double floor;          // seconds no program can beat; 0: none known
  const char *floor_of;  // what the floor counts, e.g. "lists written once"
  double pairs;          // useful pairs per pass, for ns per pair; 0: none
  size_t bytes;          // memory held; 0: not measured
  double cpu_seconds;    // of all threads together; 0: not measured
  size_t triangles;      // of the surface that was made; 0: none
  const char *peer;      // another program and what it needs for the same; null: none
  double peer_seconds, peer_cpu_seconds;
} bench_line;

void bench_report(bench *b, const bench_line *line);
void bench_error(bench *b, const mote_error *error);
// Seconds of a clock that never goes back.
double bench_now(void);
// The smallest of a few timed calls, in seconds; repeats until about half a second has gone (at least 3
// times).
double bench_seconds(bench *b, void (*run)(void *), void *data);
// Seconds to move that many bytes, or do that many single-precision operations, on `threads` threads.
double bench_floor_bytes(bench *b, double bytes, int threads);
double bench_floor_operations(bench *b, double operations, int threads);
// Fewer and smaller sets.
bool bench_quick(const bench *b);
// Threads asked for (--threads), else 2, or 1 on a machine of one core.
int bench_threads(const bench *b);

#endif
