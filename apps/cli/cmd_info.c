// mote info: what a file is and what is in it.
#include <math.h>
#include <mote/draw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/run_progress.h"
#include "cli/files/input_file.h"
#include "cli/info/info_others.h"
#include "cli/mesh/mesh_report.h"

#define DEGREES_PER_RADIAN 57.29577951308232

const char help_info[] =
    "usage: mote info FILE... [--json]\n"
    "\n"
    "Describes each file: particles (fields with type, unit, range, number of non-finite values), a\n"
    "mesh (open edges, crossings, volume), a snapshot or run directory (tables, time, step), a scene,\n"
    "a picture or video, or another file of a run or of mote sample (tables, series, grids, run.json).\n"
    "\n"
    "  --json   one JSON object per file, one per line\n"
    "\n"
    "examples:\n"
    "  mote info run/particles.0100.vtp\n"
    "  mote info bunny.obj run/snapshot.mote --json\n";

// What a field holds; vectors by their length.
typedef struct field_range {
  double low, mean, high;
  size_t strange;  // not finite
} field_range;

static field_range range_of(const mote_field_view *view) {
  field_range r = {.low = (double)INFINITY, .high = (double)-INFINITY};
  double sum = 0;
  for (size_t i = 0; i < view->count; ++i) {
    double value = input_size(view, i);
    if (!isfinite(value)) {
      ++r.strange;
      continue;
    }
    r.low = fmin(r.low, value), r.high = fmax(r.high, value);
    sum += value;
  }
  size_t count = view->count - r.strange;
  r.mean = count > 0 ? sum / (double)count : (double)NAN;
  if (count == 0) r.low = r.high = (double)NAN;
  return r;
}

static void type_of(const mote_field_view *view, char out[32]) {
  if (view->components == 1)
    snprintf(out, 32, "%s", mote_type_name(view->type));
  else
    snprintf(out, 32, "%s x %d", mote_type_name(view->type), view->components);
}

static void print_range(const field_range *r) {
  if (isfinite(r->mean))
    printf(" %12.6g %12.6g %12.6g", r->low, r->mean, r->high);
  else
    printf(" %12s %12s %12s", "-", "-", "-");
  if (r->strange > 0) printf("   %zu not finite", r->strange);
}

// Fields without rows are left out where others have some: those of other kinds of matter.
static void print_fields(const mote_field_view *view, int count) {
  size_t rows = 0;
  for (int k = 0; k < count; ++k) rows = view[k].count > rows ? view[k].count : rows;
  printf("  %-20s %-9s %-9s %12s %12s %12s\n", "field", "type", "unit", "lowest", "mean", "highest");
  for (int k = 0; k < count; ++k) {
    if (strcmp(view[k].name, "position") == 0) continue;  // whose bounds are printed
    if (view[k].count == 0 && rows > 0) continue;
    field_range r = range_of(view + k);
    char type[32], name[64];
    type_of(view + k, type);
    snprintf(name, sizeof name, view[k].components > 1 ? "|%.60s|" : "%.62s", view[k].name);
    printf("  %-20s %-9s %-9s", name, type, view[k].unit != NULL ? view[k].unit : "");
    print_range(&r);
    putchar('\n');
  }
}

static void json_fields(const mote_field_view *view, int count) {
  printf("[");
  for (int k = 0; k < count; ++k) {
    field_range r = range_of(view + k);
    printf("%s{\"name\":", k > 0 ? "," : "");
    put_json_text(view[k].name);
    printf(",\"type\":\"%s\",\"components\":%d,\"unit\":", mote_type_name(view[k].type), view[k].components);
    put_json_text(view[k].unit != NULL ? view[k].unit : "");
    printf(",\"min\":"), put_json_number(r.low);
    printf(",\"mean\":"), put_json_number(r.mean);
    printf(",\"max\":"), put_json_number(r.high);
    printf(",\"not_finite\":%zu}", r.strange);
  }
  printf("]");
}

static void json_triple(const char *key, const double x[3]) {
  printf(",\"%s\":[", key);
  for (int k = 0; k < 3; ++k) {
    if (k > 0) putchar(',');
    put_json_number(x[k]);
  }
  putchar(']');
}

// Bounds of finite positions; NaN where there are none.
static void find_bounds(const mote_field_view *position, double low[3], double high[3]) {
  for (int k = 0; k < 3; ++k) low[k] = high[k] = (double)NAN;
  for (size_t i = 0; position != NULL && i < position->count; ++i)
    for (int k = 0; k < 3; ++k) {
      double x = input_value(position, 3 * i + (size_t)k);
      if (isfinite(x)) low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
    }
}

static void print_bounds(const double low[3], const double high[3]) {
  printf("  bounds  x %.6g to %.6g, y %.6g to %.6g, z %.6g to %.6g\n", low[0], high[0], low[1], high[1],
         low[2], high[2]);
}

static int info_particles(const char *path, bool json, const mote_env *env) {
  input_particles input;
  int status = input_open(path, env, &input);
  if (status != EXIT_DONE) return status;
  const mote_cloud *c = &input.cloud;
  double low[3], high[3];
  find_bounds(mote_cloud_find(c, "position"), low, high);
  if (json) {
    printf(",\"particles\":%zu,\"version\":", c->count);
    put_json_text(c->stamp.version);
    printf(",\"scene_hash\":\"%016llx\",\"time\":", (unsigned long long)c->stamp.scene_hash);
    put_json_number(c->stamp.time);
    printf(",\"step\":%llu", (unsigned long long)c->stamp.step);
    if (c->stamp.spacing > 0) printf(",\"spacing\":"), put_json_number(c->stamp.spacing);
    json_triple("low", low), json_triple("high", high);
    printf(",\"fields\":");
    json_fields(c->field, c->fields);
  } else {
    printf("%zu particle%s", c->count, c->count == 1 ? "" : "s");
    if (isfinite(c->stamp.time)) printf(", t = %.6g s", c->stamp.time);
    if (c->stamp.version[0] != '\0')
      printf(", step %llu, by Mote %s, scene %016llx", (unsigned long long)c->stamp.step, c->stamp.version,
             (unsigned long long)c->stamp.scene_hash);
    if (c->stamp.spacing > 0) printf(", spacing %.4g m", c->stamp.spacing);
    putchar('\n');
    if (c->count > 0) print_bounds(low, high);
    print_fields(c->field, c->fields);
  }
  input_close(&input, env);
  return EXIT_DONE;
}

static void print_mesh(const mote_mesh *mesh, const mote_mesh_report *r) {
  printf("mesh of %zu triangles and %zu vertices in %zu part%s\n", mesh->triangles, mesh->vertices, r->parts,
         r->parts == 1 ? "" : "s");
  print_bounds(r->low, r->high);
  printf("  area %.6g, volume %.6g, smallest angle %.2g degrees", r->area, r->volume,
         r->smallest_angle * DEGREES_PER_RADIAN);
  if (r->genus >= 0) printf(", genus %lld", (long long)r->genus);
  putchar('\n');
  printf("  %s, %s", mesh_is_closed(r) ? "closed" : "not closed",
         mesh_is_manifold(r) ? "manifold" : "not manifold");
  const struct {
    size_t count;
    const char *what;
  } flaw[] = {{r->open_edges, "open edges"},
              {r->crowded_edges, "edges of more than two triangles"},
              {r->flipped_edges, "edges whose triangles disagree about the outside"},
              {r->crossings, "pairs of triangles that cross"},
              {r->flat_triangles, "triangles without area"},
              {r->pinched_vertices, "vertices shared by parts"}};
  for (size_t k = 0; k < sizeof flaw / sizeof *flaw; ++k) {
    if (flaw[k].count > 0) printf(", %zu %s", flaw[k].count, flaw[k].what);
  }
  putchar('\n');
}

static void json_mesh(const mote_mesh *mesh, const mote_mesh_report *r) {
  printf(",\"vertices\":%zu,\"triangles\":%zu,\"parts\":%zu,\"closed\":%s,\"manifold\":%s", mesh->vertices,
         mesh->triangles, r->parts, mesh_is_closed(r) ? "true" : "false",
         mesh_is_manifold(r) ? "true" : "false");
  printf(",\"open_edges\":%zu,\"crowded_edges\":%zu", r->open_edges, r->crowded_edges);
  printf(",\"flipped_edges\":%zu,\"flat_triangles\":%zu,\"crossings\":%zu,\"area\":", r->flipped_edges,
         r->flat_triangles, r->crossings);
  put_json_number(r->area);
  printf(",\"volume\":"), put_json_number(r->volume);
  printf(",\"pinched_vertices\":%zu,\"genus\":%lld,\"smallest_angle\":", r->pinched_vertices,
         (long long)r->genus);
  put_json_number(r->smallest_angle * DEGREES_PER_RADIAN);
  json_triple("low", r->low), json_triple("high", r->high);
}

// Of surfaces by Mote, and of what is known of the vertices.
static void print_values(const mote_surface *surface, const mote_stamp *stamp) {
  if (isfinite(stamp->time))
    printf("  t = %.6g s, step %llu\n", stamp->time, (unsigned long long)stamp->step);
  if (stamp->spacing > 0) printf("  particles %.4g m apart", stamp->spacing);
  if (stamp->volume_ratio > 0) printf(", volume %.3f of theirs", stamp->volume_ratio);
  if (stamp->spacing > 0) printf("\n");
  if (surface->normal != NULL) printf("  with normals\n");
  if (surface->fields > 0) print_fields(surface->field, surface->fields);
}

static void json_values(const mote_surface *surface, const mote_stamp *stamp) {
  printf(",\"time\":"), put_json_number(stamp->time);
  if (stamp->spacing > 0) printf(",\"spacing\":"), put_json_number(stamp->spacing);
  if (stamp->volume_ratio > 0) printf(",\"volume_ratio\":"), put_json_number(stamp->volume_ratio);
  printf(",\"normals\":%s,\"fields\":", surface->normal != NULL ? "true" : "false");
  json_fields(surface->field, surface->fields);
}

// Triangles of STL files share no vertices: those of a solid are merged, unless that would turn triangles.
static void merge_soup(const char *path, mote_surface *surface, const mote_env *env) {
  mote_mesh repaired;
  bool bare = surface->normal == NULL && surface->fields == 0;
  if (!bare || !input_ends(path, "stl") ||
      mote_mesh_repair(&surface->mesh, env, &repaired, NULL, NULL) != MOTE_OK)
    return;
  double volume = mote_mesh_volume(&surface->mesh);
  bool same = repaired.triangles == surface->mesh.triangles &&
              fabs(mote_mesh_volume(&repaired) - volume) <= 1e-9 * fabs(volume);
  mote_mesh other = same ? surface->mesh : repaired;
  if (same) surface->mesh = repaired;
  mote_mesh_free(&other, env);
}

// What scenes make of the mesh.
typedef struct mended_facts {
  bool usable;
  double volume;
  char text[256];  // what is done to it, or why it cannot be used
} mended_facts;

static mended_facts mended_of(const mote_mesh *mesh, const mote_env *env) {
  mote_mesh mended;
  mote_mesh_mending done;
  mote_error error = {0};
  mended_facts facts = {.usable = mote_mesh_repair(mesh, env, &mended, &done, &error) == MOTE_OK};
  if (facts.usable) {
    facts.volume = mote_mesh_volume(&mended);
    mote_mesh_mending_text(&done, facts.text, sizeof facts.text);
    mote_mesh_free(&mended, env);
  } else {
    snprintf(facts.text, sizeof facts.text, "%.255s", error.text);
  }
  return facts;
}

static void print_mended(mended_facts s) {
  if (s.usable)
    printf("  in a scene: a body of volume %.6g%s%s\n", s.volume, s.text[0] ? "; " : "", s.text);
  else
    printf("  in a scene: refused: %s\n", s.text);
}

static void json_mended(mended_facts s) {
  printf(",\"usable\":%s", s.usable ? "true" : "false");
  if (s.usable) printf(",\"usable_volume\":"), put_json_number(s.volume);
  printf(",\"usable_note\":"), put_json_text(s.text);
}

static int info_mesh(const char *path, bool json, const mote_env *env) {
  mote_surface surface;
  mote_stamp stamp;
  mote_mesh_report r = {0};
  mote_error error = {0};
  if (mote_surface_read(path, env, &surface, &stamp, &error) != MOTE_OK) return complain_error(&error);
  merge_soup(path, &surface, env);
  mote_result result =
      surface.mesh.triangles > 0 ? mote_mesh_examine(&surface.mesh, env, &r, &error) : MOTE_OK;
  if (result == MOTE_OK && json) {
    json_mesh(&surface.mesh, &r);
    json_mended(mended_of(&surface.mesh, env));
    json_values(&surface, &stamp);
  } else if (result == MOTE_OK) {
    print_mesh(&surface.mesh, &r);
    print_mended(mended_of(&surface.mesh, env));
    print_values(&surface, &stamp);
  }
  mote_surface_free(&surface, env);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

static int collect_views(const mote_snapshot *snapshot, int table, mote_field_view view[MOTE_CLOUD_FIELDS]) {
  int count = 0;
  while (count < MOTE_CLOUD_FIELDS) {
    view[count] = mote_snapshot_view(snapshot, table, count);
    if (view[count].name == NULL) break;
    ++count;
  }
  return count;
}

static int compare_objects(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// How many numbers the field "object" of the particles has.
static size_t count_objects(const mote_snapshot *snapshot) {
  size_t count = 0;
  for (int t = 0; t < mote_snapshot_tables(snapshot); ++t) {
    mote_field_view view[MOTE_CLOUD_FIELDS];
    int fields = collect_views(snapshot, t, view);
    for (int f = 0; f < fields; ++f) {
      if (strcmp(view[f].name, "object") != 0 || view[f].type != MOTE_TYPE_U32 || view[f].count == 0)
        continue;
      uint32_t *object = input_take(view[f].count, sizeof *object);
      memcpy(object, view[f].data, view[f].count * sizeof *object);
      qsort(object, view[f].count, sizeof *object, compare_objects);
      for (size_t i = 0; i < view[f].count; ++i) count += i == 0 || object[i] != object[i - 1];
      free(object);
      return count;  // a snapshot may hold the frame's beginning as well
    }
  }
  return count;
}

static int info_snapshot(const char *path, bool json, const mote_env *env) {
  mote_snapshot *snapshot;
  int status = input_snapshot(path, env, &snapshot);
  if (status != EXIT_DONE) return status;
  mote_snapshot_info about = mote_snapshot_about(snapshot);
  size_t elastic = about.elastic;
  char particles[96];
  if (json) {
    printf(",\"particles\":%zu,", about.particles);
    if (elastic > 0) printf("\"elastic\":%zu,", elastic);
    if (about.lattice > 0) printf("\"lattice\":%zu,\"objects\":%zu,", about.lattice, count_objects(snapshot));
    printf("\"time\":");
    put_json_number(about.time);
    printf(",\"step\":%llu,\"state_hash\":\"%016llx\",\"definitions_hash\":\"%016llx\",\"tables\":{",
           (unsigned long long)about.step, (unsigned long long)about.state,
           (unsigned long long)about.definitions);
  } else {
    printf("snapshot of %s, t = %.6g s, step %llu, state %016llx\n",
           print_particles(about.particles + about.lattice, elastic, particles), about.time,
           (unsigned long long)about.step, (unsigned long long)about.state);
    if (about.lattice > 0)
      printf("  lattices: %zu particles in %zu objects\n", about.lattice, count_objects(snapshot));
  }
  for (int t = 0; t < mote_snapshot_tables(snapshot); ++t) {
    size_t rows;
    mote_field_view view[MOTE_CLOUD_FIELDS];
    const char *name = mote_snapshot_table(snapshot, t, &rows);
    int fields = collect_views(snapshot, t, view);
    if (json) {
      printf("%s\"%s\":{\"rows\":%zu,\"fields\":", t > 0 ? "," : "", name, rows);
      json_fields(view, fields);
      printf("}");
    } else {
      printf("  table \"%s\": %zu row%s, %d field%s\n", name, rows, rows == 1 ? "" : "s", fields,
             fields == 1 ? "" : "s");
      if (strcmp(name, "particles") == 0 || (strcmp(name, "bodies") == 0 && rows > 0))
        print_fields(view, fields);
    }
  }
  if (json) printf("}");
  mote_snapshot_destroy(snapshot);
  return EXIT_DONE;
}

static void print_scene(const mote_scene *s, uint64_t hash) {
  printf("scene%s%s%s, %dD, spacing %.6g m, %.6g s at %.6g frames/s, hash %016llx\n",
         s->title != NULL ? " \"" : "", s->title != NULL ? s->title : "", s->title != NULL ? "\"" : "",
         s->world.dimensions, s->world.spacing, s->duration, s->fps, (unsigned long long)hash);
  const struct {
    size_t count;
    const char *what;
  } part[] = {{s->materials, "material"}, {s->bodies, "body"},  {s->colliders, "collider"},
              {s->emitters, "emitter"},   {s->drains, "drain"}, {s->forces, "force"},
              {s->probes, "probe"},       {s->lamps, "lamp"}};
  for (size_t k = 0; k < sizeof part / sizeof *part; ++k)
    if (part[k].count > 0) printf("  %-9s %zu\n", part[k].what, part[k].count);
}

static void json_scene(const mote_scene *s, uint64_t hash) {
  printf(",\"title\":");
  put_json_text(s->title != NULL ? s->title : "");
  printf(",\"dimensions\":%d,\"spacing\":", s->world.dimensions);
  put_json_number(s->world.spacing);
  printf(",\"duration\":"), put_json_number(s->duration);
  printf(",\"fps\":"), put_json_number(s->fps);
  printf(",\"scene_hash\":\"%016llx\",\"materials\":%zu,\"bodies\":%zu,\"colliders\":%zu,\"emitters\":%zu",
         (unsigned long long)hash, s->materials, s->bodies, s->colliders, s->emitters);
  printf(",\"drains\":%zu,\"forces\":%zu,\"probes\":%zu,\"lamps\":%zu", s->drains, s->forces, s->probes,
         s->lamps);
}

static int info_scene(const char *path, bool json, const mote_env *env) {
  mote_scene_file *file;
  mote_error error = {0};
  if (mote_scene_read(path, NULL, 0, env, &file, &error) != MOTE_OK) return complain_error(&error);
  const mote_scene *scene = mote_scene_file_scene(file);
  if (json)
    json_scene(scene, mote_scene_file_hash(file));
  else
    print_scene(scene, mote_scene_file_hash(file));
  mote_scene_file_destroy(file);
  return EXIT_DONE;
}

static int info_picture(const char *path, bool json, const mote_env *env) {
  static const char *const keys[] = {"Title",         "Author", "Description", "Copyright",
                                     "Creation Time", "Source", "Comment",     "Software",
                                     "Scene",         "Time",   "Step",        "Version"};
  mote_image *image;
  mote_error error = {0};
  if (mote_image_read(path, env, &image, &error) != MOTE_OK) return complain_error(&error);
  printf(json ? ",\"width\":%d,\"height\":%d,\"texts\":{" : "picture of %d x %d pixels\n",
         mote_image_width(image), mote_image_height(image));
  bool first = true;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    const char *text = mote_image_text(image, keys[k]);
    if (text == NULL) continue;
    if (json) {
      printf("%s\"%s\":", first ? "" : ",", keys[k]);
      put_json_text(text);
    } else {
      printf("  %s: %s\n", keys[k], text);
    }
    first = false;
  }
  if (json) printf("}");
  mote_image_destroy(image);
  return EXIT_DONE;
}

static int info_file(const char *path, bool json, const mote_env *env) {
  static int (*const info[])(const char *path, bool json, const mote_env *env) = {
      [INPUT_PARTICLES] = info_particles, [INPUT_MESH] = info_mesh,       [INPUT_SNAPSHOT] = info_snapshot,
      [INPUT_SCENE] = info_scene,         [INPUT_PICTURE] = info_picture, [INPUT_RUN] = info_snapshot,
      [INPUT_TABLE] = info_table,         [INPUT_GRID] = info_grid,       [INPUT_SERIES] = info_series,
      [INPUT_REPORT] = info_report,       [INPUT_DRAWING] = info_bytes,   [INPUT_VIDEO] = info_bytes,
      [INPUT_COMMANDS] = info_commands};
  input_kind kind = input_kind_of(path);
  if (kind == INPUT_UNKNOWN) return EXIT_USAGE;
  if (json) {
    printf("{\"file\":");
    put_json_text(path);
    printf(",\"kind\":\"%s\"", input_kind_name(kind));
  } else {
    printf("%s: ", path);
  }
  int status = info[kind](path, json, env);
  if (json) printf(status == EXIT_DONE ? "}\n" : ",\"error\":true}\n");
  if (!json && status != EXIT_DONE) printf("cannot be read\n");
  return status;
}

int cmd_info(int argc, char **argv) {
  bool json = false;
  const option table[] = {{.name = "--json", .flag = &json}, {.name = NULL}};
  if (!options_parse(&argc, argv, table)) return EXIT_USAGE;
  if (argc < 2) {
    complain("info needs a file (mote help info)");
    return EXIT_USAGE;
  }
  mote_env env = mote_env_default();
  int worst = EXIT_DONE;
  for (int k = 1; k < argc; ++k) {
    int status = info_file(argv[k], json, &env);
    if (status != EXIT_DONE) worst = status;
  }
  return worst;
}
