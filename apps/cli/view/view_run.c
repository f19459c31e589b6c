// A run as data of a page: see view_run.h. Positions and speeds of particles are numbers of 16 bits in the
// box, as differences from the frame before, zigzag, in bytes of seven bits, base64: apps/web/decode.mjs.
// Bodies and colliders are meshes with a pose for each frame, skins and surfaces meshes with vertices for
// each.
#include "cli/view/view_run.h"

#include <math.h>
#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"
#include "cli/bodies/backdrop.h"
#include "cli/files/frame_list.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/view/view_mesh.h"

enum { KINDS = 3, POSE = 12, PATH = 4200 };
static const char *const stems[KINDS] = {"particles", "elastic", "lattice"};  // liquids first

typedef struct run_view {
  const char *directory;
  const mote_env *env;
  mote_scene_file *file;
  const mote_scene *scene;
  mote_scene seen;  // with the bodies that are drawn as meshes
  mote_body_def *body;
  frame_row *row;  // those that are shown: the n-th is frame 1 + every n
  size_t frames;
  int every;
  backdrop stage;
  body_table bodies;
  view_box box;
  double fastest;
  // The frame that is read.
  mote_cloud cloud[KINDS];
  mote_mesh surface;  // no triangles: there is none
} run_view;

// --- Frames -------------------------------------------------------------------------------------------

static bool find_file(const run_view *v, const char *stem, size_t k, const char *const *endings,
                      char path[PATH]) {
  for (; *endings != NULL; ++endings) {
    snprintf(path, PATH, "%s/%s.%04zu.%s", v->directory, stem, 1 + k * (size_t)v->every, *endings);
    FILE *there = fopen(path, "rb");
    if (there == NULL) continue;
    fclose(there);
    return true;
  }
  return false;
}

static void close_frame(run_view *v) {
  for (int kind = 0; kind < KINDS; ++kind) mote_cloud_free(&v->cloud[kind], v->env);
  mote_mesh_free(&v->surface, v->env);
  memset(v->cloud, 0, sizeof v->cloud);
  v->surface = (mote_mesh){0};
}

static int open_frame(run_view *v, size_t k) {
  static const char *const meshes[] = {"ply", "vtp", "glb", "obj", "stl", NULL};
  char path[PATH];
  mote_error error;
  close_frame(v);
  for (int kind = 0; kind < KINDS; ++kind)
    if (find_file(v, stems[kind], k, mote_cloud_endings(false), path) &&
        mote_cloud_read(path, v->env, &v->cloud[kind], &error) != MOTE_OK)
      return complain_error(&error);
  if (find_file(v, "surface", k, meshes, path) &&
      mote_mesh_read(path, v->env, &v->surface, &error) != MOTE_OK)
    return complain_error(&error);
  backdrop_set(&v->stage, v->row[k].time);
  bool ok = backdrop_read_bodies(&v->stage, &v->bodies, v->directory, v->row[k].time);
  return ok ? EXIT_DONE : EXIT_FAILED;
}

static double speed_of(const mote_field_view *velocity, size_t i) {
  return velocity == NULL ? 0.0 : input_size(velocity, i);
}

static void measure(run_view *v) {
  for (int kind = 0; kind < KINDS; ++kind) {
    const mote_field_view *x = mote_cloud_find(&v->cloud[kind], "position"),
                          *velocity = mote_cloud_find(&v->cloud[kind], "velocity");
    for (size_t i = 0; i < v->cloud[kind].count; ++i) {
      const double at[3] = {input_value(x, 3 * i), input_value(x, 3 * i + 1), input_value(x, 3 * i + 2)};
      view_box_take(&v->box, at);
      v->fastest = fmax(v->fastest, speed_of(velocity, i));
    }
  }
  for (size_t i = 0; i < v->surface.vertices; ++i) view_box_take(&v->box, v->surface.vertex + 3 * i);
  for (size_t m = 0; m < v->stage.meshes; ++m) {
    const mote_preview_mesh *mesh = &v->stage.mesh[m];
    for (size_t i = 0; i < mesh->mesh.vertices && mesh->mesh.triangles > 0; ++i) {
      double at[3];
      backdrop_place(mesh->pose, mesh->mesh.vertex + 3 * i, at);
      view_box_take(&v->box, at);
    }
  }
}

// --- Particles ----------------------------------------------------------------------------------------

typedef struct packing {
  int32_t *before;  // of the frame before, four numbers each; its number of particles
  size_t capacity, count, at;
  bool alike;
  view_text bytes;
} packing;

static void pack_number(packing *p, double part) {
  int32_t value = (int32_t)lround(65535.0 * fmin(fmax(part, 0.0), 1.0)),
          change = value - (p->alike ? p->before[p->at] : 0);
  uint32_t zigzag = (uint32_t)change << 1 ^ (change < 0 ? 0xffffffffu : 0u);
  p->before[p->at++] = value;
  for (; zigzag > 127; zigzag >>= 7) view_add_bytes(&p->bytes, &(uint8_t){(uint8_t)(zigzag | 128)}, 1);
  view_add_bytes(&p->bytes, &(uint8_t){(uint8_t)zigzag}, 1);
}

static void pack_kind(const run_view *v, int kind, packing *p) {
  const mote_field_view *x = mote_cloud_find(&v->cloud[kind], "position"),
                        *velocity = mote_cloud_find(&v->cloud[kind], "velocity");
  for (size_t i = 0; i < v->cloud[kind].count; ++i) {
    for (size_t a = 0; a < 3; ++a)
      pack_number(p,
                  (input_value(x, 3 * i + a) - v->box.low[a]) / fmax(v->box.high[a] - v->box.low[a], 1e-300));
    pack_number(p, speed_of(velocity, i) / fmax(v->fastest, 1e-300));
  }
}

static void pack_frame(const run_view *v, packing *p) {
  size_t count = 0;
  for (int kind = 0; kind < KINDS; ++kind) count += v->cloud[kind].count;
  p->alike = count == p->count, p->count = count, p->at = 0;
  if (4 * count > p->capacity) {
    free(p->before);
    p->capacity = 8 * count, p->before = input_take(p->capacity, sizeof *p->before);
  }
  for (int kind = 0; kind < KINDS; ++kind) pack_kind(v, kind, p);
}

// --- Meshes -------------------------------------------------------------------------------------------

static int colour_number(mote_colour colour) {
  return colour.red << 16 | colour.green << 8 | colour.blue;
}

// x -> R x + t as 12 numbers, R by rows; NaN: it is not there.
static void put_pose(const mote_preview_mesh *mesh, float out[POSE]) {
  static const double axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  double at[4][3];
  for (int k = 0; k < 4; ++k) backdrop_place(mesh->pose, axes[k], at[k]);
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < 3; ++k) out[3 * a + k] = (float)(at[k][a] - at[3][a]);
    out[9 + a] = mesh->mesh.triangles > 0 ? (float)at[3][a] : NAN;
  }
}

typedef struct moving_mesh {
  view_text frames;
  uint32_t *triangle;  // of the frame before
  size_t triangles;
} moving_mesh;

static void add_moving(moving_mesh *m, const view_box *box, const mote_mesh *mesh) {
  size_t size = 3 * mesh->triangles * sizeof *mesh->triangle;
  bool same = m->frames.size > 0 && m->triangles == mesh->triangles &&
              (size == 0 || memcmp(m->triangle, mesh->triangle, size) == 0);
  view_add_text(&m->frames, m->frames.size > 0 ? "," : "");
  mote_mesh shown = *mesh;
  if (mesh->triangles == 0) shown.vertices = 0;
  view_add_moving(&m->frames, box, &shown, same);
  if (same) return;
  free(m->triangle);
  m->triangle = input_take(3 * mesh->triangles + 1, sizeof *m->triangle), m->triangles = mesh->triangles;
  if (size > 0) memcpy(m->triangle, mesh->triangle, size);
}

// --- The whole ----------------------------------------------------------------------------------------

// Of a mesh with poses, or of one with frames, whose text is freed.
static void add_body(const run_view *v, size_t m, const float *pose, view_text *out) {
  const mote_preview_mesh *mesh = &v->stage.mesh[m];
  mote_mesh whole = mesh->mesh;
  whole.triangles = v->stage.triangles[m];
  view_add_text(out, m > 0 ? ",{" : "{");
  view_add_mesh(out, &whole);
  view_add_key(out, "colour"), view_add_number(out, colour_number(mesh->colour));
  view_add_key(out, "clear"), view_add_text(out, mesh->colour.alpha < 255 ? "true" : "false");
  view_add_key(out, "poses"), view_add_text(out, "\"");
  view_add_base64(out, pose, POSE * v->frames * sizeof *pose);
  view_add_text(out, "\"}");
}

static void add_skin(moving_mesh *m, int colour, bool first, view_text *out) {
  view_add_text(out, first ? "{\"colour\":" : ",{\"colour\":");
  view_add_number(out, colour);
  view_add_key(out, "frames"), view_add_text(out, "[");
  view_add_bytes(out, m->frames.data, m->frames.size);
  view_add_text(out, "]}");
}

static void add_probes(const run_view *v, view_text *out) {
  char path[PATH];
  view_add_key(out, "probes"), view_add_text(out, "[");
  for (size_t k = 0; k < v->scene->probes; ++k) {
    const char *name = v->scene->probe[k].name;
    snprintf(path, sizeof path, "%s/probe_%s.csv", v->directory, name);
    view_add_text(out, k > 0 ? ",[" : "[");
    view_add_quoted(out, name, strlen(name));
    view_add_text(out, ",");
    view_add_file(out, path);
    view_add_text(out, "]");
  }
  view_add_text(out, "]");
}

static void add_head(const run_view *v, view_text *out) {
  static const double liquid[3] = {64, 128, 191}, others[3] = {200, 110, 70};
  const char *title = v->scene->title != NULL ? v->scene->title : v->directory;
  view_add_text(out, "{\"kind\":\"run\",\"title\":");
  view_add_quoted(out, title, strlen(title));
  view_add_key(out, "fps"), view_add_number(out, v->scene->fps / v->every);
  view_add_key(out, "dimensions"), view_add_number(out, v->scene->world.dimensions);
  view_add_key(out, "spacing"), view_add_number(out, v->scene->world.spacing);
  view_add_key(out, "fastest"), view_add_number(out, v->fastest);
  view_add_key(out, "frames"), view_add_number(out, (double)v->frames);
  view_add_numbers(out, "low", v->box.low, 3), view_add_numbers(out, "high", v->box.high, 3);
  view_add_numbers(out, "liquid", liquid, 3), view_add_numbers(out, "solid", others, 3);
}

static int pack_run(run_view *v, view_text *out) {
  size_t bodies = backdrop_first_body(&v->stage) + v->stage.bodies, meshes = v->stage.meshes;
  packing p = {.count = 0};
  float *pose = input_take(POSE * v->frames * bodies + 1, sizeof *pose);
  moving_mesh *moving = input_take(meshes - bodies + 1, sizeof *moving);  // skins, then the surface
  double *times = input_take(v->frames, sizeof *times), *counts = input_take(v->frames, sizeof *counts),
         *liquids = input_take(v->frames, sizeof *liquids);
  bool surface = false;
  int status = EXIT_DONE;
  for (size_t k = 0; k < v->frames && status == EXIT_DONE; ++k) {
    status = open_frame(v, k);
    if (status != EXIT_DONE) break;
    pack_frame(v, &p);
    times[k] = v->row[k].time, counts[k] = (double)p.count, liquids[k] = (double)v->cloud[0].count;
    for (size_t m = 0; m < bodies; ++m) put_pose(&v->stage.mesh[m], pose + POSE * (m * v->frames + k));
    for (size_t m = bodies; m < meshes; ++m) add_moving(&moving[m - bodies], &v->box, &v->stage.mesh[m].mesh);
    add_moving(&moving[meshes - bodies], &v->box, &v->surface);
    surface = surface || v->surface.triangles > 0;
  }
  add_head(v, out);
  view_add_numbers(out, "times", times, v->frames), view_add_numbers(out, "counts", counts, v->frames);
  view_add_numbers(out, "liquids", liquids, v->frames);
  view_add_key(out, "packed"), view_add_text(out, "\"");
  view_add_base64(out, p.bytes.data, p.bytes.size);
  view_add_text(out, "\"");
  view_add_key(out, "bodies"), view_add_text(out, "[");
  for (size_t m = 0; m < bodies; ++m) add_body(v, m, pose + POSE * m * v->frames, out);
  view_add_text(out, "]");
  view_add_key(out, "skins"), view_add_text(out, "[");
  for (size_t m = bodies; m < meshes; ++m)
    add_skin(&moving[m - bodies], colour_number(v->stage.mesh[m].colour), m == bodies, out);
  view_add_text(out, "]");
  view_add_key(out, "surfaces"), view_add_text(out, "[");
  if (surface) add_skin(&moving[meshes - bodies], 0x4080bf, true, out);
  view_add_text(out, "]");
  add_probes(v, out);
  view_add_text(out, "}");
  for (size_t m = 0; m <= meshes - bodies; ++m) free(moving[m].frames.data), free(moving[m].triangle);
  free(moving), free(pose), free(times), free(counts), free(liquids), free(p.before), free(p.bytes.data);
  return status;
}

// Skins need files of their particles; of several bodies of which one breaks, these do not tell the pieces
// apart (elastic_skins.c): then the particles stand for them.
static bool has_skins(const run_view *v) {
  size_t yielding = 0;
  bool breaks = false;
  char path[PATH];
  for (size_t b = 0; b < v->scene->bodies; ++b) {
    const mote_body_def *def = &v->scene->body[b];
    yielding += body_is(v->scene, def, material_is_elastic) || body_is(v->scene, def, material_is_lattice);
    breaks = breaks || body_is(v->scene, def, material_can_break);
  }
  bool files = find_file(v, stems[1], 0, mote_cloud_endings(false), path) ||
               find_file(v, stems[2], 0, mote_cloud_endings(false), path);
  return yielding > 0 && files && (!breaks || yielding == 1);
}

static void choose_meshes(run_view *v) {
  bool skins = has_skins(v);
  v->seen = *v->scene;
  v->seen.body = v->body = input_take(v->scene->bodies + 1, sizeof *v->body);
  v->seen.bodies = 0;
  for (size_t b = 0; b < v->scene->bodies; ++b)
    if (skins || body_is(v->scene, &v->scene->body[b], material_is_rigid))
      v->body[v->seen.bodies++] = v->scene->body[b];
}

// As far as it has ends.
static void take_domain(run_view *v) {
  const mote_world_def *def = &v->scene->world;
  for (int a = 0; a < def->dimensions; ++a) {
    if (isfinite(def->low[a])) v->box.low[a] = fmin(v->box.low[a], def->low[a]);
    if (isfinite(def->high[a])) v->box.high[a] = fmax(v->box.high[a], def->high[a]);
  }
}

static int open_run(run_view *v) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/scene.yaml", v->directory);
  int status = scene_open(path, NULL, 0, v->env, &v->file);
  if (status != EXIT_DONE) return status;
  v->scene = mote_scene_file_scene(v->file);
  take_domain(v);
  size_t frames;
  v->row = frame_list_read(v->directory, &frames);
  for (size_t k = 0; v->row != NULL && k < frames; k += (size_t)v->every) v->row[v->frames++] = v->row[k];
  if (v->frames == 0) {
    complain("%s: no frame is written yet", v->directory);
    return EXIT_USAGE;
  }
  choose_meshes(v);
  bool ok = backdrop_open(&v->stage, &v->seen, v->env) && backdrop_read_commands(&v->stage, v->directory) &&
            body_table_open(&v->bodies, v->directory);
  return ok ? EXIT_DONE : EXIT_FAILED;
}

int view_run(const char *directory, int every, const mote_env *env, view_text *out) {
  run_view v = {.directory = directory, .every = every, .env = env, .box = view_box_empty()};
  int status = open_run(&v);
  size_t seen = v.stage.meshes;
  for (size_t k = 0; k < v.frames && status == EXIT_DONE; ++k) {
    status = open_frame(&v, k);
    if (status == EXIT_DONE) measure(&v);
    for (int kind = 0; kind < KINDS; ++kind) seen += v.cloud[kind].count;
  }
  if (status == EXIT_DONE && seen == 0) {
    complain(
        "%s: it has no files of particles (particles.0001.vtp ...): mote run writes them with "
        "outputs.formats",
        directory);
    status = EXIT_USAGE;
  }
  if (status == EXIT_DONE) status = pack_run(&v, out);
  close_frame(&v);
  if (v.stage.mesh != NULL) backdrop_close(&v.stage);
  body_table_close(&v.bodies);
  free(v.row), free(v.body);
  mote_scene_file_destroy(v.file);
  return status;
}
