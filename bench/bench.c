// mote bench: runs the cases and prints a table or one JSON object a line: see bench.h.
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "cli/base/cli.h"

const char help_bench[] =
    "usage: mote bench [CASE|GROUP...] [--quick] [--json] [--list] [--threads N]\n"
    "\n"
    "Times this build on this machine. Each line shows the time, the rate, the floor (the least time in\n"
    "which the necessary bytes can be moved or the operations executed) and the ratio of time and\n"
    "floor. The rates of memory and arithmetic are measured first. Without a name, runs all cases.\n"
    "\n"
    "  --quick      fewer and smaller sets\n"
    "  --list       list the cases and groups without running them\n"
    "  --json       one JSON object per line of the table\n"
    "  --threads N  number of threads of the threaded lines (default 2)\n"
    "\n"
    "example: mote bench search approx\n";

struct bench {
  bool quick, json;
  int threads, errors;
  double bytes_per_second[2], operations_per_second[2];  // of one thread, of all
};

static const bench_case *const tables[] = {
    bench_search_cases,   bench_tree_cases,  bench_approx_cases,   bench_pair_cases,
    bench_fluid_cases,    bench_world_cases, bench_surface_cases,  bench_render_cases,
    bench_body_cases,     bench_tick_cases,  bench_elastic_cases,  bench_shape_cases,
    bench_material_cases, bench_track_cases, bench_fracture_cases, bench_mesh_cases};
#define TABLES (sizeof tables / sizeof tables[0])

double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_seconds(bench *b, void (*run)(void *), void *data) {
  double best = 1e300, spent = 0;
  for (int k = 0; k < 3 || (spent < (b->quick ? 0.1 : 0.5) && k < 1000); ++k) {
    double start = bench_now();
    run(data);
    double seconds = bench_now() - start;
    spent += seconds;
    if (seconds < best) best = seconds;
  }
  return best;
}

// --- The machine's speed ---

typedef struct machine {
  float *from, *to;
  size_t count;
  int threads;
} machine;

static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  machine *m = data;
  memcpy(m->to + begin, m->from + begin, (end - begin) * sizeof(float));
}

static void copy_all(void *data) {
  machine *m = data;
  mote_parallel_for(m->threads, m->count, 1 << 16, copy_chunk, m);
}

#define CHAINS 8
#define ROUNDS 1024

// Independent chains of multiply and add on four lanes, written out so that all stay in registers.
static void compute_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  machine *m = data;
  mote_lane a = mote_lane_splat(0.999f), c = mote_lane_splat(0.001f);
  mote_lane x0 = a, x1 = c, x2 = a, x3 = c, x4 = a, x5 = c, x6 = a, x7 = c;
  for (size_t round = begin * ROUNDS; round < end * ROUNDS; ++round) {
    x0 = x0 * a + c, x1 = x1 * a + c, x2 = x2 * a + c, x3 = x3 * a + c;
    x4 = x4 * a + c, x5 = x5 * a + c, x6 = x6 * a + c, x7 = x7 * a + c;
  }
  m->to[begin] = mote_lane_sum(((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)));
}

static void compute_all(void *data) {
  machine *m = data;
  mote_parallel_for(m->threads, 2048, 64, compute_chunk, m);
}

static void measure_machine(bench *b) {
  size_t count = (size_t)1 << 24;
  machine m = {.from = calloc(count, sizeof(float)), .to = calloc(count, sizeof(float)), .count = count};
  if (m.from == NULL || m.to == NULL) abort();
  for (int k = 0; k < 2; ++k) {
    m.threads = k == 0 ? 1 : b->threads;
    b->bytes_per_second[k] = 2.0 * (double)count * sizeof(float) / bench_seconds(b, copy_all, &m);
    double operations = 2048.0 * ROUNDS * CHAINS * MOTE_LANES * 2;
    b->operations_per_second[k] = operations / bench_seconds(b, compute_all, &m);
  }
  free(m.from);
  free(m.to);
}

double bench_floor_bytes(bench *b, double bytes, int threads) {
  return bytes / b->bytes_per_second[threads > 1];
}

double bench_floor_operations(bench *b, double operations, int threads) {
  return operations / b->operations_per_second[threads > 1];
}

bool bench_quick(const bench *b) {
  return b->quick;
}

int bench_threads(const bench *b) {
  return b->threads;
}

// --- Output ---

static void print_json(const bench_line *line) {
  printf(
      "{\"case\":\"%s\",\"particles\":%zu,\"threads\":%d,\"seconds_per_step\":%.6g,\"particles_per_second\":%"
      ".6g,"
      "\"peak_bytes\":%zu",
      line->name, line->particles, line->threads, line->seconds, (double)line->particles / line->seconds,
      line->bytes);
  if (line->pairs > 0) printf(",\"nanoseconds_per_pair\":%.4g", 1e9 * line->seconds / line->pairs);
  if (line->floor > 0) {
    printf(",\"floor_seconds\":%.6g,\"measured_over_floor\":%.4g,\"floor_of\":\"%s\"", line->floor,
           line->seconds / line->floor, line->floor_of);
  }
  if (line->cpu_seconds > 0) printf(",\"cpu_seconds\":%.6g", line->cpu_seconds);
  if (line->triangles > 0) printf(",\"triangles\":%zu", line->triangles);
  if (line->peer != NULL) {
    printf(",\"peer\":\"%s\",\"peer_seconds\":%.6g,\"seconds_over_peer\":%.4g", line->peer,
           line->peer_seconds, line->seconds / line->peer_seconds);
    printf(",\"peer_cpu_seconds\":%.6g", line->peer_cpu_seconds);
  }
  printf("}\n");
}

static void print_row(const bench_line *line) {
  printf("  %-44s %9zu %3d %10.3f %9.1f", line->name, line->particles, line->threads, 1e3 * line->seconds,
         1e9 * line->seconds / (double)line->particles);
  if (line->pairs > 0) {
    printf(" %8.2f", 1e9 * line->seconds / line->pairs);
  } else {
    printf(" %8s", "");
  }
  if (line->bytes > 0) {
    printf(" %8.1f", (double)line->bytes / 1e6);
  } else {
    printf(" %8s", "");
  }
  if (line->floor > 0) printf(" %7.1f  %s", line->seconds / line->floor, line->floor_of);
  if (line->triangles > 0) printf("; %zu triangles", line->triangles);
  if (line->cpu_seconds > 0) printf("; CPU %.3f s", line->cpu_seconds);
  if (line->peer != NULL) {
    printf("; %.2f of %s (%.2f s), CPU %.2f of it", line->seconds / line->peer_seconds, line->peer,
           line->peer_seconds, line->cpu_seconds / line->peer_cpu_seconds);
  }
  printf("\n");
}

void bench_report(bench *b, const bench_line *line) {
  if (b->json) {
    print_json(line);
  } else {
    print_row(line);
  }
  fflush(stdout);
}

void bench_error(bench *b, const mote_error *error) {
  ++b->errors;
  complain("%s", error->text);
}

// --- The command ---

static bool case_matches(const bench_case *c, const char *word) {
  return strcmp(c->name, word) == 0 || strcmp(c->group, word) == 0;
}

#define NAMES 256

static size_t collect_names(const char **names) {
  size_t count = 0;
  for (size_t t = 0; t < TABLES; ++t) {
    for (const bench_case *c = tables[t]; c->name != NULL && count + 2 <= NAMES; ++c) {
      names[count++] = c->name;
      names[count++] = c->group;
    }
  }
  return count;
}

static void list_cases(void) {
  for (size_t t = 0; t < TABLES; ++t) {
    for (const bench_case *c = tables[t]; c->name != NULL; ++c) {
      printf("%-10s %-20s %s\n", c->group, c->name, c->summary);
    }
  }
}

static void run_matching(bench *b, int argc, char **argv) {
  for (size_t t = 0; t < TABLES; ++t) {
    for (const bench_case *c = tables[t]; c->name != NULL; ++c) {
      bool wanted = argc < 2;
      for (int k = 1; k < argc; ++k) wanted = wanted || case_matches(c, argv[k]);
      if (!wanted) continue;
      if (!b->json) {
        printf("%s: %s\n  %-44s %9s %3s %10s %9s %8s %8s %7s\n", c->name, c->summary, "", "count", "thr",
               "ms", "ns/each", "ns/pair", "MB", "x floor");
      }
      c->run(b);
    }
  }
}

int cmd_bench(int argc, char **argv) {
  int cores = mote_env_default().threads;
  bench b = {.threads = cores < 2 ? cores : 2};
  bool list = false;
  const option options[] = {{.name = "--quick", .flag = &b.quick},
                            {.name = "--json", .flag = &b.json},
                            {.name = "--list", .flag = &list},
                            {.name = "--threads", .number = &b.threads, .low = 1, .high = 1024},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  const char *names[NAMES];
  if (!words_known(argc, argv, names, collect_names(names), "mote bench --list")) return EXIT_USAGE;
  if (list) {
    list_cases();
    return EXIT_DONE;
  }
  measure_machine(&b);
  if (!b.json) {
    printf("this machine: memory %.1f GB/s on 1 thread, %.1f on %d; arithmetic %.1f and %.1f Gflop/s\n",
           1e-9 * b.bytes_per_second[0], 1e-9 * b.bytes_per_second[1], b.threads,
           1e-9 * b.operations_per_second[0], 1e-9 * b.operations_per_second[1]);
  }
  run_matching(&b, argc, argv);
  return b.errors == 0 ? EXIT_DONE : EXIT_FAILED;
}
