// mote view: a run, a scene or meshes as one HTML file that shows them in a browser (apps/web), which opens
// from the disk. The page and the core of it come from `make web`. Positions and speeds of a run's particles
// are numbers of 16 bits in the box, as differences from the frame before, zigzag, in bytes of seven bits,
// base64: apps/web/decode.mjs reads them.
#define _POSIX_C_SOURCE 200809L  // readlink, strdup
#include <math.h>
#include <mote/io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/cli.h"
#include "cli/base/scene_open.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"

const char help_view[] =
    "usage: mote view SCENE [-o FILE.html] [--set KEY=VALUE]...\n"
    "       mote view RUN [-o FILE.html] [--every N]\n"
    "       mote view MESH... [-o FILE.html]\n"
    "\n"
    "Writes one HTML file that shows it in a browser, without a network; it can be sent by mail.\n"
    "\n"
    "  SCENE      lives in the page: play it, pull things about with the pointer\n"
    "  RUN        the particles of a run's directory, frame by frame (its files vtp, ply, bgeo, csv ...)\n"
    "  MESH       a mesh, or several one after the other: obj ply stl vtp glb\n"
    "\n"
    "  -o FILE    default: view.html\n"
    "  --set      changes a value of the scene\n"
    "  --every N  every N-th frame of a run (default 1)\n"
    "  --overwrite  replace an existing file\n"
    "\n"
    "The page is built by `make web` and looked for in the folder $MOTE_WEB, beside this program and where "
    "it is\n"
    "installed. It needs WebGL 2, scenes WebAssembly with SIMD: browsers since 2023.\n"
    "\n"
    "examples:\n"
    "  mote view dam_break -o dam.html\n"
    "  mote view run/ -o run.html --every 2\n"
    "  mote view run/surface.*.ply -o surface.html\n";

#define SETS_MAX 64  // changes of a scene, at most

typedef struct view_options {
  const char *output;
  word_list set;
  int every;
  bool overwrite;
  mote_env env;
} view_options;

typedef struct text {
  char *data;
  size_t size, capacity;
} text;

static void add_bytes(text *out, const void *bytes, size_t size) {
  if (out->size + size + 1 > out->capacity) {
    out->capacity = 2 * (out->size + size) + 256;
    out->data = realloc(out->data, out->capacity);
    if (out->data == NULL) complain("out of memory"), exit(EXIT_FAILED);
  }
  if (size > 0) memcpy(out->data + out->size, bytes, size);
  out->size += size;
  out->data[out->size] = '\0';
}

static void add_text(text *out, const char *words) {
  add_bytes(out, words, strlen(words));
}

static void add_number(text *out, double x) {
  char number[40];
  snprintf(number, sizeof number, isfinite(x) ? "%.9g" : "null", x);
  add_text(out, number);
}

static void add_numbers(text *out, const char *key, const double *x, size_t count) {
  add_text(out, ",\""), add_text(out, key), add_text(out, "\":[");
  for (size_t k = 0; k < count; ++k) {
    if (k > 0) add_text(out, ",");
    add_number(out, x[k]);
  }
  add_text(out, "]");
}

// In quotes; "<" could end the element of the page.
static void add_quoted(text *out, const char *words, size_t size) {
  char code[8];
  add_text(out, "\"");
  for (size_t k = 0; k < size; ++k) {
    unsigned char c = (unsigned char)words[k];
    bool plain = c >= 32 && c != '"' && c != '\\' && c != '<';
    if (!plain) snprintf(code, sizeof code, "\\u%04x", c);
    add_bytes(out, plain ? words + k : code, plain ? 1 : 6);
  }
  add_text(out, "\"");
}

static void add_base64(text *out, const void *bytes, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint8_t *in = bytes;
  for (size_t k = 0; k < size; k += 3) {
    uint32_t three = (uint32_t)in[k] << 16;
    if (k + 1 < size) three |= (uint32_t)in[k + 1] << 8;
    if (k + 2 < size) three |= in[k + 2];
    const char four[4] = {digit[three >> 18], digit[three >> 12 & 63],
                          k + 1 < size ? digit[three >> 6 & 63] : '=',
                          k + 2 < size ? digit[three & 63] : '='};
    add_bytes(out, four, 4);
  }
}

// --- Scenes ---------------------------------------------------------------------------------------------

static int view_scene(const char *word, const view_options *o, text *out) {
  mote_scene_file *file = NULL;
  int status = scene_open(word, o->set.word, o->set.count, &o->env, &file);
  if (status != EXIT_DONE) return status;
  size_t size;
  const char *words = mote_scene_file_text(file, &size), *name = strrchr(word, '/');
  add_text(out, "{\"kind\":\"scene\",\"name\":");
  add_quoted(out, name != NULL ? name + 1 : word, strlen(name != NULL ? name + 1 : word));
  add_text(out, ",\"text\":");
  add_quoted(out, words, size);
  add_text(out, "}");
  mote_scene_file_destroy(file);
  return EXIT_DONE;
}

// --- Runs -----------------------------------------------------------------------------------------------

// Frames of a run: files of liquids and of solids with the same numbers.
typedef struct frames {
  char *pattern[3];
  size_t patterns;
  long *number;
  size_t count;
  double low[3], high[3], fastest, spacing;
} frames;

static bool find_pattern(const char *run, const char *what, frames *f) {
  for (const char *const *ending = mote_cloud_endings(false); *ending != NULL; ++ending) {
    char name[4096];
    size_t count;
    snprintf(name, sizeof name, "%s/%s.%%04d.%s", run, what, *ending);
    long *number = sequence_find(name, &count);
    bool found = count > 0;
    if (found && f->number == NULL) {
      f->number = number, f->count = count;
    } else {
      free(number);
    }
    if (!found) continue;
    f->pattern[f->patterns] = strdup(name);
    ++f->patterns;
    return true;
  }
  return false;
}

// Reads the particles of a frame, of one kind after the other; `use` gets each.
typedef void particle_use(void *user, const double x[3], double speed);
static int read_frame(const frames *f, size_t k, const mote_env *env, size_t *count, size_t *first,
                      mote_stamp *stamp, particle_use *use, void *user) {
  *count = 0;
  for (size_t p = 0; p < f->patterns; ++p) {
    char *path = sequence_name(f->pattern[p], f->number[k]);
    mote_cloud cloud;
    mote_error error;
    mote_result result = mote_cloud_read(path, env, &cloud, &error);
    free(path);
    if (result != MOTE_OK) return complain_error(&error);
    const mote_field_view *x = mote_cloud_find(&cloud, "position"), *v = mote_cloud_find(&cloud, "velocity");
    *stamp = cloud.stamp;
    for (size_t i = 0; i < cloud.count; ++i) {
      double at[3], square = 0.0;
      for (int a = 0; a < 3; ++a) at[a] = mote_field_value(x, i, a);
      for (int a = 0; v != NULL && a < v->components; ++a)
        square += mote_field_value(v, i, a) * mote_field_value(v, i, a);
      use(user, at, sqrt(square));
    }
    *count += cloud.count;
    if (p == 0) *first = cloud.count;
    mote_cloud_free(&cloud, env);
  }
  return EXIT_DONE;
}

static void measure(void *user, const double x[3], double speed) {
  frames *f = user;
  for (int a = 0; a < 3; ++a) f->low[a] = fmin(f->low[a], x[a]), f->high[a] = fmax(f->high[a], x[a]);
  f->fastest = fmax(f->fastest, speed);
}

typedef struct packing {
  const frames *f;
  int32_t *before;  // of the frame before, four each; its number of particles
  size_t count, at;
  bool alike;
  text bytes;
} packing;

static void pack_number(packing *p, double part, size_t k) {
  int32_t value = (int32_t)lround(65535.0 * fmin(fmax(part, 0.0), 1.0)),
          change = value - (p->alike ? p->before[k] : 0);
  uint32_t zigzag = (uint32_t)change << 1 ^ (change < 0 ? 0xffffffffu : 0u);
  p->before[k] = value;
  while (zigzag > 127) {
    uint8_t byte = (uint8_t)(zigzag | 128);
    add_bytes(&p->bytes, &byte, 1);
    zigzag >>= 7;
  }
  uint8_t last = (uint8_t)zigzag;
  add_bytes(&p->bytes, &last, 1);
}

static void pack(void *user, const double x[3], double speed) {
  packing *p = user;
  const frames *f = p->f;
  for (size_t a = 0; a < 3; ++a)
    pack_number(p, (x[a] - f->low[a]) / fmax(f->high[a] - f->low[a], 1e-300), 4 * p->at + a);
  pack_number(p, speed / fmax(f->fastest, 1e-300), 4 * p->at + 3);
  ++p->at;
}

static int pack_frames(frames *f, const view_options *o, size_t most, text *out) {
  packing p = {.f = f, .before = input_take(4 * most + 1, sizeof *p.before)};
  double *times = input_take(f->count, sizeof *times), *counts = input_take(f->count, sizeof *counts),
         *liquids = input_take(f->count, sizeof *liquids);
  int status = EXIT_DONE;
  size_t count, first = 0;
  for (size_t k = 0; k < f->count && status == EXIT_DONE; ++k) {
    mote_stamp stamp;
    status = read_frame(f, k, &o->env, &count, &first, &stamp, measure, f);  // its number of particles
    p.at = 0, p.alike = k > 0 && count == p.count, p.count = count;
    if (status == EXIT_DONE) status = read_frame(f, k, &o->env, &count, &first, &stamp, pack, &p);
    times[k] = stamp.time, counts[k] = (double)count;
    liquids[k] = strstr(f->pattern[0], "/particles.") != NULL ? (double)first : 0.0;
  }
  add_numbers(out, "times", times, f->count), add_numbers(out, "counts", counts, f->count);
  add_numbers(out, "liquids", liquids, f->count);
  add_text(out, ",\"packed\":\"");
  add_base64(out, p.bytes.data, p.bytes.size);
  add_text(out, "\"}");
  free(times), free(counts), free(liquids), free(p.before), free(p.bytes.data);
  return status;
}

static void keep_every(frames *f, int every) {
  size_t kept = 0;
  for (size_t k = 0; k < f->count; k += (size_t)every) f->number[kept++] = f->number[k];
  f->count = kept;
}

static int view_frames(const char *run, frames *f, const view_options *o, text *out) {
  size_t most = 0, count, first;
  mote_stamp stamp = {.spacing = 0.0};
  for (size_t k = 0; k < f->count; ++k) {
    int status = read_frame(f, k, &o->env, &count, &first, &stamp, measure, f);
    if (status != EXIT_DONE) return status;
    most = count > most ? count : most;
  }
  double spacing = stamp.spacing > 0.0 ? stamp.spacing : 0.01 * (f->high[0] - f->low[0]);
  static const double liquid[3] = {64, 128, 191}, others[3] = {200, 110, 70};
  add_text(out, "{\"kind\":\"run\",\"title\":");
  add_quoted(out, run, strlen(run));
  add_text(out, ",\"fps\":25,\"dimensions\":"), add_text(out, f->high[2] > f->low[2] ? "3" : "2");
  add_text(out, ",\"spacing\":"), add_number(out, spacing);
  add_text(out, ",\"fastest\":"), add_number(out, f->fastest);
  add_text(out, ",\"frames\":"), add_number(out, (double)f->count);
  add_numbers(out, "low", f->low, 3), add_numbers(out, "high", f->high, 3);
  add_numbers(out, "liquid", liquid, 3), add_numbers(out, "solid", others, 3);
  return pack_frames(f, o, most, out);
}

static int view_run(const char *run, const view_options *o, text *out) {
  static const char *const what[] = {"particles", "elastic", "lattice"};
  frames f = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int k = 0; k < 3; ++k) find_pattern(run, what[k], &f);
  int status = EXIT_USAGE;
  if (f.count == 0) {
    complain("%s: no frames of particles (particles.0001.vtp ...): mote run writes them with outputs.formats",
             run);
  } else {
    keep_every(&f, o->every);
    status = view_frames(run, &f, o, out);
  }
  for (size_t p = 0; p < f.patterns; ++p) free(f.pattern[p]);
  free(f.number);
  return status;
}

// --- Meshes ---------------------------------------------------------------------------------------------

static int view_meshes(int count, char **path, const view_options *o, text *out) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  add_text(out, "{\"kind\":\"mesh\",\"title\":");
  add_quoted(out, path[0], strlen(path[0]));
  add_text(out, ",\"fps\":25,\"dimensions\":3,\"spacing\":1,\"frames\":"), add_number(out, count);
  add_text(out, ",\"meshes\":[");
  for (int k = 0; k < count; ++k) {
    mote_mesh mesh;
    mote_error error;
    if (mote_mesh_read(path[k], &o->env, &mesh, &error) != MOTE_OK) return complain_error(&error);
    float *vertex = input_take(3 * mesh.vertices + 1, sizeof *vertex);
    for (size_t c = 0; c < 3 * mesh.vertices; ++c) {
      vertex[c] = (float)mesh.vertex[c];
      low[c % 3] = fmin(low[c % 3], mesh.vertex[c]), high[c % 3] = fmax(high[c % 3], mesh.vertex[c]);
    }
    add_text(out, k == 0 ? "{\"vertices\":\"" : ",{\"vertices\":\"");
    add_base64(out, vertex, 3 * mesh.vertices * sizeof *vertex);
    add_text(out, "\",\"triangles\":\"");
    add_base64(out, mesh.triangle, 3 * mesh.triangles * sizeof *mesh.triangle);
    add_text(out, "\"}");
    free(vertex);
    mote_mesh_free(&mesh, &o->env);
  }
  add_text(out, "]");
  add_numbers(out, "low", low, 3), add_numbers(out, "high", high, 3);
  add_text(out, "}");
  return EXIT_DONE;
}

// --- The page -------------------------------------------------------------------------------------------

static bool read_part(const char *folder, const char *name, const mote_env *env, text *out) {
  char path[4200];
  mote_file_in *in = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (mote_file_in_open(path, env, &in, NULL) != MOTE_OK) return false;
  size_t size = (size_t)mote_file_in_size(in);
  char *bytes = input_take(size + 1, 1);
  bool ok = mote_file_in_read(in, bytes, size);
  if (ok) add_bytes(out, bytes, size);
  free(bytes);
  mote_file_in_close(in);
  return ok;
}

// From $MOTE_WEB, beside the program's folder, or where it is installed.
static int read_parts(bool live, const mote_env *env, text *page, text *core) {
  static const char *const beside[] = {"/../build-web", "/../share/mote/web"};
  char folder[3][4096] = {"", "", ""}, self[4000];
  if (getenv("MOTE_WEB") != NULL) snprintf(folder[0], sizeof folder[0], "%s", getenv("MOTE_WEB"));
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash != NULL) *slash = '\0';
  for (int k = 0; k < 2 && slash != NULL; ++k)
    snprintf(folder[k + 1], sizeof folder[0], "%s%s", self, beside[k]);
  for (int k = 0; k < 3; ++k) {
    if (folder[k][0] == '\0' || !read_part(folder[k], "view.html", env, page)) continue;
    if (!live || read_part(folder[k], "core.html", env, core)) return EXIT_DONE;
    page->size = 0;
  }
  complain(
      "the page for browsers is not built: run `make web` in Mote's sources (it needs emscripten and npm), "
      "or set MOTE_WEB "
      "to the folder with view.html and core.html");
  return EXIT_FAILED;
}

static int write_page(const text *page, const text *core, const text *data, const char *path) {
  static const char mark[] = "<!--data-->";
  const char *at = strstr(page->data, mark);
  text out = {.data = NULL};
  mote_error error;
  if (at == NULL) return complain("view.html is not the page of this program: run `make web`"), EXIT_FAILED;
  add_bytes(&out, page->data, (size_t)(at - page->data));
  add_bytes(&out, core->data, core->size);
  add_text(&out, "<script type=\"application/json\" id=\"data\">");
  add_bytes(&out, data->data, data->size);
  add_text(&out, "</script>");
  add_text(&out, at + strlen(mark));
  int status =
      mote_file_write(path, out.data, out.size, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
  if (status == EXIT_DONE) printf("%s: %.2f MB\n", path, 1e-6 * (double)out.size);
  free(out.data);
  return status;
}

static int collect(int count, char **word, const view_options *o, text *data, bool *live) {
  input_kind kind = find_example(word[0]) != NULL ? INPUT_SCENE : input_kind_of(word[0]);
  *live = kind == INPUT_SCENE;
  if (kind == INPUT_MESH) return view_meshes(count, word, o, data);
  if (count > 1) return complain("several inputs are meshes; \"%s\" is none", word[0]), EXIT_USAGE;
  if (kind == INPUT_SCENE) return view_scene(word[0], o, data);
  if (kind == INPUT_RUN) return view_run(word[0], o, data);
  if (kind != INPUT_UNKNOWN) complain("%s is no run, scene or mesh (mote help view)", word[0]);
  return EXIT_USAGE;
}

int cmd_view(int argc, char **argv) {
  const char *set[SETS_MAX];
  view_options o = {.output = "view.html",
                    .set = {.word = set, .capacity = SETS_MAX},
                    .every = 1,
                    .env = mote_env_default()};
  const option table[] = {{.name = "-o", .value = &o.output},
                          {.name = "--set", .list = &o.set},
                          {.name = "--every", .number = &o.every, .low = 1, .high = 1000000},
                          {.name = "--overwrite", .flag = &o.overwrite},
                          {.name = NULL}};
  if (!options_parse(&argc, argv, table)) return EXIT_USAGE;
  if (argc < 2) return complain("which run, scene or mesh? (mote help view)"), EXIT_USAGE;
  int status = output_check(o.output, o.overwrite, NULL);
  text data = {.data = NULL}, page = {.data = NULL}, core = {.data = NULL};
  bool live = false;
  if (status == EXIT_DONE) status = collect(argc - 1, argv + 1, &o, &data, &live);
  if (status == EXIT_DONE) status = read_parts(live, &o.env, &page, &core);
  if (status == EXIT_DONE) status = write_page(&page, &core, &data, o.output);
  free(data.data), free(page.data), free(core.data);
  return status;
}
