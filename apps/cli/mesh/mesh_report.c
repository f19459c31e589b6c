// What mote mesh says: see mesh_report.h.
#include "cli/mesh/mesh_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"

#define DEGREES_PER_RADIAN 57.29577951308232

bool mesh_is_closed(const mote_mesh_report *r) {
  return r->open_edges + r->crowded_edges + r->flipped_edges == 0;
}

bool mesh_is_manifold(const mote_mesh_report *r) {
  return r->crowded_edges + r->pinched_vertices == 0;
}

static void json_examined(json_line *line, const mote_mesh_report *m) {
  json_flag(line, "closed", mesh_is_closed(m));
  json_flag(line, "manifold", mesh_is_manifold(m));
  json_integer(line, "pinched_vertices", m->pinched_vertices);
  json_integer(line, "crossings", m->crossings);
  json_integer(line, "parts", m->parts);
  json_number(line, "genus", (double)m->genus);
  json_number(line, "volume", m->volume);
  json_number(line, "area", m->area);
  json_number(line, "smallest_angle", m->smallest_angle * DEGREES_PER_RADIAN);
  json_number(line, "thin_share", m->thin_share);
}

static void print_examined(const mote_mesh_report *m) {
  printf("\n  %s, %s, %zu part%s, genus %lld, volume %.6g, area %.6g, smallest angle %.2g degrees",
         mesh_is_closed(m) ? "closed" : "NOT CLOSED", mesh_is_manifold(m) ? "manifold" : "not manifold",
         m->parts, m->parts == 1 ? "" : "s", (long long)m->genus, m->volume, m->area,
         m->smallest_angle * DEGREES_PER_RADIAN);
  if (m->pinched_vertices > 0) printf(", %zu pinched vertices", m->pinched_vertices);
  if (m->crossings > 0) printf(", %zu pairs of triangles cross", m->crossings);
}

static void print_json(const mesh_result *r) {
  json_line line;
  json_begin(&line);
  json_text(&line, "input", r->input);
  json_text(&line, "output", r->output);
  json_number(&line, "time", r->time);
  json_integer(&line, "particles", r->stats.particles);
  if (r->bodies > 0) json_integer(&line, "bodies", r->bodies);
  json_number(&line, "spacing", r->stats.spacing);
  json_number(&line, "cell", r->stats.cell);
  json_number(&line, "isovalue", r->stats.isovalue);
  json_integer(&line, r->flat ? "points" : "vertices", r->flat ? r->points : r->stats.vertices);
  if (r->flat) {
    json_integer(&line, "loops", r->loops);
    json_number(&line, "area", r->area);
    json_number(&line, "length", r->length);
  } else {
    json_integer(&line, "triangles", r->stats.triangles);
  }
  if (r->examined) json_examined(&line, &r->mesh);
  if (r->volume_ratio > 0) json_number(&line, "volume_ratio", r->volume_ratio);
  json_number(&line, "seconds", r->stats.seconds);
  json_integer(&line, "bytes", r->stats.bytes);
  fputs(json_end(&line), stdout);
}

static void print_text(const mesh_result *r) {
  printf("wrote %s: ", r->output);
  if (r->stats.triangles == 0) {
    printf("no surface (%zu particles)\n", r->stats.particles);
    return;
  }
  bool bodies = r->bodies > 0;
  if (r->flat)
    printf("%zu contour%s of %zu particles", r->loops, r->loops == 1 ? "" : "s", r->stats.particles);
  else
    printf("%zu triangles of %zu %s", r->stats.triangles, bodies ? r->bodies : r->stats.particles,
           bodies ? "bodies" : "particles");
  if (!isnan(r->time)) printf(", t = %.6g s", r->time);
  if (r->flat) printf("\n  %zu points, area %.6g, length %.6g", r->points, r->area, r->length);
  if (r->examined) print_examined(&r->mesh);
  if (bodies) printf("\n");
  if (bodies) return;
  printf("\n  spacing %.4g m, cell %.4g m, isovalue %.4g", r->stats.spacing, r->stats.cell,
         r->stats.isovalue);
  printf(", %s %.3f of the particles'\n", r->flat ? "area" : "volume", r->volume_ratio);
}

void mesh_report_one(const mesh_result *result, bool json) {
  clear_bar();
  if (json)
    print_json(result);
  else
    print_text(result);
  fflush(stdout);
}

void mesh_times_add(mesh_times *times, const mote_surface_stats *stats) {
  times->stages.seconds_sort += stats->seconds_sort;
  times->stages.seconds_kernels += stats->seconds_kernels;
  times->stages.seconds_field += stats->seconds_field;
  times->stages.seconds_mesh += stats->seconds_mesh;
  times->stages.seconds_finish += stats->seconds_finish;
  times->stages.seconds += stats->seconds;
}

void mesh_report_times(const mesh_times *t) {
  const mote_surface_stats *s = &t->stages;
  const struct {
    const char *name;
    double seconds;
  } line[] = {{"all", t->all},
              {"  reading", t->read},
              {"  surfaces", s->seconds},
              {"    sorting", s->seconds_sort},
              {"    kernels", s->seconds_kernels},
              {"    field", s->seconds_field},
              {"    triangles", s->seconds_mesh},
              {"    normals, fields", s->seconds_finish},
              {"  writing", t->write},
              {"  examining", t->examine}};
  for (size_t k = 0; k < sizeof line / sizeof *line; ++k)
    fprintf(stderr, "%-26s %9.2f s %5.1f %%\n", line[k].name, line[k].seconds,
            t->all > 0 ? 100 * line[k].seconds / t->all : 0);
}
