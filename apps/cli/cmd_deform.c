// mote deform: a mesh bent by its handles (EG09 8.1).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/base/run_stop.h"
#include "cli/deform/deform_shape.h"
#include "cli/files/input_file.h"

const char help_deform[] =
    "usage: mote deform [MESH] EDITS.yaml -o OUT [options]\n"
    "\n"
    "Deforms a closed mesh by handles, as rigidly as possible and with its volume kept. Some tens of\n"
    "nodes inside the shape carry the deformation, so that the time hardly depends on the size of the\n"
    "mesh. EDITS names the handles: regions of the mesh (a shape of the scene language, vertices or a\n"
    "group) that are fixed, moved or rotated. An open mesh needs a thickness. Without MESH, the shape\n"
    "that EDITS has is made a mesh; box, animal and towers are built in.\n"
    "\n"
    "  -o OUT         obj ply glb usda bgeo stl vtp; if it is that of MESH (obj ply glb), all else\n"
    "                 that the file holds is kept: texture coordinates, colours, groups, materials\n"
    "  --set KEY=VAL  change a value of EDITS, as of a scene: --set nodes=200\n"
    "  --overwrite    replace an existing file\n"
    "  --force        write the file although the solve did not converge, which is an error (status 3)\n"
    "  --threads N, --json (one JSON object), --quiet\n"
    "\n"
    "Prints the number of nodes and iterations, the error of the handles, the volume before and after,\n"
    "the least determinant of the deformation gradient (above 0: nothing is turned inside out), how far\n"
    "edges are stretched, and the time. Warns where handles are missed by more than 1 % of the size,\n"
    "triangles turned inside out, edges stretched more than 3 times or vertices beyond the reach of their\n"
    "nodes. Parts that touch nothing are tied to the nearest one, each named in a line. docs/deforming.md "
    "describes EDITS; mote help scene edits lists its keys.\n"
    "\n"
    "examples:\n"
    "  mote deform animal -o animal.obj\n"
    "  mote deform animal.obj bend.yaml -o bent.obj\n"
    "  mote deform animal.glb bend.yaml -o bent.glb --set weights.volume=0\n";

typedef struct deform_job {
  deform_options options;
  deform_shape shape;
  deform_result result;
  mote_deform_mesh_report mesh;
  run_progress progress;
  double volume, seconds_write;
} deform_job;

static bool parse_options(int *argc, char **argv, deform_job *j) {
  static const option none[] = {{.name = NULL}};
  *j = (deform_job){.shape = {.env = mote_env_default()}};
  const deform_options *o = &j->options;
  if (!deform_options_parse(argc, argv, none, &j->options)) return false;
  if (o->threads > 0) j->shape.env.threads = o->threads;
  if ((*argc == 2 || *argc == 3) && o->output != NULL && o->output[0] != '\0') return true;
  complain("deform needs a list of edits, a mesh before it or a shape in it, and -o OUT (mote help deform)");
  return false;
}

static void show(void *user, double part) {
  run_progress_show(user, part, "solving");
}

static void report_json(const deform_job *j) {
  const deform_shape *s = &j->shape;
  const mote_deform_report *r = &j->result.report;
  const mote_mesh *mesh = mote_model_mesh(s->model);
  json_line line;
  json_begin(&line);
  json_text(&line, "input", deform_shape_name(s)), json_text(&line, "output", j->options.output);
  json_integer(&line, "vertices", mote_model_vertices(s->model));
  json_integer(&line, "triangles", mesh->triangles);
  json_integer(&line, "nodes", mote_deform_nodes(s->deform));
  json_integer(&line, "handles", s->edits->handles);
  json_integer(&line, "iterations", (uint64_t)r->iterations);
  json_integer(&line, "evaluations", (uint64_t)r->evaluations);
  json_flag(&line, "arrived", r->arrived), json_flag(&line, "converged", r->converged);
  json_number(&line, "handle_error", r->handle_error);
  json_number(&line, "energy", r->energy);
  json_number(&line, "energy_handle", r->handle), json_number(&line, "energy_rigidity", r->rigidity);
  json_number(&line, "energy_volume", r->volume);
  json_number(&line, "volume_before", s->volume), json_number(&line, "volume_after", j->volume);
  json_number(&line, "volume_change", j->volume / s->volume - 1);
  json_number(&line, "least_determinant", r->least_determinant);
  json_number(&line, "stretch_most", j->mesh.stretch_most);
  json_number(&line, "stretch_least", j->mesh.stretch_least);
  json_integer(&line, "inverted", j->mesh.inverted), json_integer(&line, "beyond", j->mesh.beyond);
  json_integer(&line, "ties", mote_deform_ties(s->deform, NULL));
  json_number(&line, "seconds_begin", s->seconds_begin),
      json_number(&line, "seconds_solve", j->result.seconds);
  json_number(&line, "seconds_write", j->seconds_write);
  fputs(json_end(&line), stdout);
}

static void report_text(const deform_job *j) {
  const deform_shape *s = &j->shape;
  const mote_deform_report *r = &j->result.report;
  const mote_deform_mesh_report *m = &j->mesh;
  size_t nodes = mote_deform_nodes(s->deform), asked = s->edits->def.nodes;
  printf("wrote %s: %zu vertices, %zu triangles\n", j->options.output, mote_model_vertices(s->model),
         mote_model_mesh(s->model)->triangles);
  printf("  %zu nodes", nodes);
  if (nodes > asked) printf(" (%zu and %zu more where they were needed)", asked, nodes - asked);
  printf(", %zu handles, %d iterations; %.2f s to place the nodes, %.2f s to solve, %.2f s to write\n",
         s->edits->handles, r->iterations, s->seconds_begin, j->result.seconds, j->seconds_write);
  printf("  handles are met to %.2g of the size; ", r->handle_error);
  if (s->volume != 0)  // of a shell there is none
    printf("volume %.6g before, %.6g after (%+.2f %%); ", s->volume, j->volume,
           100 * (j->volume / s->volume - 1));
  printf("least det F %.3f\n", r->least_determinant);
  printf(
      "  edges are %.3g to %.3g times as long as at rest, least at %.4g,%.4g,%.4g, most at %.4g,%.4g,%.4g\n",
      m->stretch_least, m->stretch_most, m->stretch_least_at[0], m->stretch_least_at[1],
      m->stretch_least_at[2], m->stretch_most_at[0], m->stretch_most_at[1], m->stretch_most_at[2]);
}

// What the mesh should not have done.
static void warn(const deform_job *j) {
  static const double stretch_most = 3, missed_most = 0.01;  // 0.01: of the size
  const mote_deform_mesh_report *m = &j->mesh;
  const mote_deform_report *r = &j->result.report;
  const deform_shape *s = &j->shape;
  const char *worst = s->edits->handle[r->worst_handle].name;
  if (r->converged && r->handle_error > missed_most)
    complain("warning: handle \"%s\" is missed by %.2g of the size%s", worst, r->handle_error,
             mote_deform_pushed_through(s->deform, r->worst_handle) ? ": it is pushed through its body" : "");
  if (m->inverted > 0) complain("warning: %zu triangles are turned inside out", m->inverted);
  if (m->stretch_most > stretch_most)
    complain("warning: edges are stretched up to %.3g times, most at %.4g,%.4g,%.4g", m->stretch_most,
             m->stretch_most_at[0], m->stretch_most_at[1], m->stretch_most_at[2]);
  if (m->beyond > 0)
    complain(
        "warning: %zu of %zu vertices lie beyond the reach of their nodes and are extrapolated: raise nodes "
        "(%zu)",
        m->beyond, mote_model_mesh(s->model)->vertices, s->edits->def.nodes);
}

// What the file does not keep.
static void note_format(const deform_job *j) {
  if (!j->options.quiet && !mote_model_keeps(j->shape.model, j->options.output) &&
      mote_model_groups(j->shape.model) > 0) {
    bool textured = input_ends(j->shape.path, "obj") && input_ends(j->options.output, "glb");
    complain("%s: another format than %s: %sgroups and materials are left out", j->options.output,
             j->shape.path, textured ? "" : "texture coordinates, ");
  }
}

static int write_mesh(deform_job *j) {
  deform_shape *s = &j->shape;
  mote_error error = {0};
  double begun = wall_seconds();
  if (mote_deform_read(s->deform, s->moved, s->turned, &error) != MOTE_OK) return complain_error(&error);
  if (mote_deform_measure(s->deform, s->moved, &j->mesh, &error) != MOTE_OK) return complain_error(&error);
  j->volume = mote_deform_volume(s->deform, s->moved);
  if (mote_model_write(s->model, s->moved, s->turned, j->options.output, &error) != MOTE_OK)
    return complain_error(&error);
  j->seconds_write = wall_seconds() - begun;
  clear_bar();
  warn(j), note_format(j);
  if (j->options.json) report_json(j);
  if (!j->options.json && !j->options.quiet) report_text(j);
  return EXIT_DONE;
}

static int run(deform_job *j, const char *mesh, const char *edits) {
  deform_shape *s = &j->shape;
  s->path = mesh;
  int status = deform_shape_read(s, edits, false, j->options.set, j->options.sets);
  if (status == EXIT_DONE) status = deform_check_output(j->options.output, mesh, edits, j->options.overwrite);
  if (status == EXIT_DONE) status = deform_shape_open(s);
  if (status != EXIT_DONE) return status;
  if (!j->options.quiet) deform_shape_list_ties(s);
  run_progress_begin(&j->progress, j->options.quiet || j->options.json, 0, 1, 1);
  run_stop_listen();
  status = deform_shape_solve(s, NULL, 0, show, &j->progress, &j->result);
  clear_bar();
  if (status == EXIT_DONE && j->result.stopped) status = EXIT_INTERRUPTED;
  if (status == EXIT_DONE) status = deform_shape_check(s, "", &j->result, j->options.force);
  return status == EXIT_DONE ? write_mesh(j) : status;
}

int cmd_deform(int argc, char **argv) {
  deform_job job;
  if (!parse_options(&argc, argv, &job)) return EXIT_USAGE;
  int status = run(&job, argc == 3 ? argv[1] : NULL, argv[argc - 1]);
  deform_shape_close(&job.shape);
  return status;
}
