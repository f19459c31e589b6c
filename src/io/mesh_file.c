// Meshes and surfaces: the format by the file's suffix, and checks common to all formats.
#include "io/mesh_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "io/io_base.h"

typedef mote_result mesh_reader(mote_mesh_maker *maker, mote_error *error);

typedef struct mesh_format {
  const char *ending;
  mesh_reader *read;
  mote_surface_writer *write;
} mesh_format;

static const mesh_format formats[] = {{"obj", mote_obj_read, mote_obj_write},
                                      {"ply", mote_ply_read_mesh, mote_ply_write_surface},
                                      {"stl", mote_stl_read, mote_stl_write},
                                      {"vtp", mote_vtp_read_mesh, mote_vtp_write_surface},
                                      {"glb", mote_glb_read, mote_glb_write},
                                      {"usda", mote_usd_read_mesh, mote_usd_write_surface},
                                      {"bgeo", mote_bgeo_read_mesh, mote_bgeo_write_surface},
                                      {"vtk", mote_vtk_read_mesh, NULL}};

const char *const *mote_surface_endings(bool writing) {
  static const char *const read[] = {"obj", "ply", "stl", "vtp", "glb", "usda", "bgeo", "vtk", NULL};
  static const char *const written[] = {"obj", "ply", "stl", "vtp", "glb", "usda", "bgeo", NULL};
  return writing ? written : read;
}

static mote_result choose_format(const char *path, bool writing, const mesh_format **out, mote_error *error) {
  for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k) {
    char ending[16];
    if (writing && formats[k].write == NULL) continue;
    *out = &formats[k];
    snprintf(ending, sizeof ending, ".%s", formats[k].ending);
    if (mote_io_ends(path, ending)) return MOTE_OK;
    snprintf(ending, sizeof ending, ".%s.gz", formats[k].ending);
    if (mote_io_ends(path, ending)) return MOTE_OK;
  }
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "meshes are %s obj, ply, stl, vtp, glb%s",
                      writing ? "written as" : "read from",
                      writing ? ", usda or bgeo" : ", usda, bgeo or vtk");
}

// --- Reading ----------------------------------------------------------------------------------------------

mote_result mote_surface_parse(const mote_file_content *source, mote_surface *out, mote_stamp *stamp,
                               mote_error *error) {
  const mesh_format *format;
  MOTE_IO_TRY(choose_format(source->path, false, &format, error));
  mote_mesh_maker maker = {
      source, mote_buffer_make(source->env), mote_buffer_make(source->env), {.stamp.time = (double)NAN}};
  mote_result result = format->read(&maker, error);
  if (result == MOTE_OK) result = mote_mesh_finish(&maker, out, error);
  if (result == MOTE_OK && stamp != NULL) *stamp = maker.cloud.stamp;
  mote_mesh_maker_free(&maker);
  return result;
}

mote_result mote_mesh_parse(const mote_file_content *source, mote_mesh *out, mote_error *error) {
  mote_surface surface;
  MOTE_IO_TRY(mote_surface_parse(source, &surface, NULL, error));
  mote_mesh mesh = surface.mesh;
  surface.mesh = (mote_mesh){.vertices = mesh.vertices};  // which gives the size of the normals
  mote_surface_free(&surface, source->env);
  if (mesh.triangles > 0) {
    *out = mesh;
    return MOTE_OK;
  }
  mote_mesh_free(&mesh, source->env);
  return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "no triangles in it");
}

static mote_result load(const char *path, const mote_env *env, const void *out, mote_buffer *bytes,
                        mote_error *error) {
  const mesh_format *format;
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  MOTE_IO_TRY(choose_format(path, false, &format, error));
  return mote_file_in_load(path, env, bytes, error);
}

mote_result mote_surface_read(const char *path, const mote_env *env, mote_surface *out, mote_stamp *stamp,
                              mote_error *error) {
  mote_env own = mote_io_env(env);
  mote_buffer bytes;
  MOTE_IO_TRY(load(path, &own, out, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_result result = mote_surface_parse(&source, out, stamp, error);
  mote_buffer_free(&bytes);
  return result;
}

mote_result mote_mesh_read(const char *path, const mote_env *env, mote_mesh *out, mote_error *error) {
  mote_env own = mote_io_env(env);
  mote_buffer bytes;
  MOTE_IO_TRY(load(path, &own, out, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_result result = mote_mesh_parse(&source, out, error);
  mote_buffer_free(&bytes);
  return result;
}

// --- Kind of content ------------------------------------------------------------------------------------

// Whether a number above 0 follows `key`, within one of the portions of the text.
static bool counts(const char *text, const char *key) {
  for (const char *at = strstr(text, key); at != NULL; at = strstr(at + 1, key)) {
    at += strlen(key);
    while (*at == '0') ++at;
    if (*at >= '1' && *at <= '9') return true;
  }
  return false;
}

bool mote_surface_holds(const char *path) {
  enum { PORTION = 1 << 16, OVERLAP = 64 };
  const mesh_format *format;
  if (choose_format(path, false, &format, NULL) != MOTE_OK) return false;
  bool ply = format->read == mote_ply_read_mesh, vtp = format->read == mote_vtp_read_mesh,
       vtk = format->read == mote_vtk_read_mesh, usd = format->read == mote_usd_read_mesh;
  if (format->read == mote_bgeo_read_mesh) return mote_bgeo_holds_polygons(path);
  if (!ply && !vtp && !vtk && !usd) return true;
  gzFile file = gzopen(path, "rb");
  if (file == NULL) return false;
  char text[OVERLAP + PORTION + 1] = "";
  size_t kept = 0;
  bool found = false;
  for (;;) {
    int got = gzread(file, text + kept, PORTION);
    if (got <= 0) break;
    size_t size = kept + (size_t)got;
    for (size_t k = 0; k < size; ++k)
      if (text[k] == 0) text[k] = ' ';
    text[size] = 0;
    if (ply) found = counts(text, "element face ");
    if (vtp) found = counts(text, "NumberOfPolys=\"") || counts(text, "NumberOfStrips=\"");
    if (vtk) found = counts(text, "\nPOLYGONS ") || counts(text, "\nTRIANGLE_STRIPS ");
    if (usd) found = strstr(text, "def Mesh \"") != NULL;
    if (found || (!vtk && !usd && size == kept + PORTION))
      break;  // heads are short, those of VTK and USD are not all in front
    kept = size < OVERLAP ? size : OVERLAP;
    memmove(text, text + size - kept, kept);
  }
  gzclose(file);
  return found;
}

// --- Writing ----------------------------------------------------------------------------------------------

static mote_result check_field(const mote_surface *surface, int k, const char *path, mote_error *error) {
  const mote_field_view *field = &surface->field[k];
  const char *wrong = NULL;
  if (field->name == NULL || field->name[0] == 0)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "field %d has no name", k);
  if (strcmp(field->name, "position") == 0 || strcmp(field->name, "normal") == 0)
    wrong = "stands in the mesh";
  for (int other = 0; other < k; ++other)
    if (strcmp(surface->field[other].name, field->name) == 0) wrong = "is there twice";
  if (field->components < 1 || field->components > 255) wrong = "must have 1 to 255 components";
  if ((unsigned)field->type >= MOTE_TYPE_COUNT) wrong = "has no known type";
  if (field->count != surface->mesh.vertices) wrong = "has not as many rows as the mesh has vertices";
  if (field->data == NULL && field->count > 0) wrong = "has no data";
  if (wrong == NULL) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "field \"%s\" %s", field->name, wrong);
}

static mote_result check_surface(const mote_surface *surface, const char *path, mote_error *error) {
  const mote_mesh *mesh = &surface->mesh;
  if ((mesh->vertex == NULL && mesh->vertices > 0) || (mesh->triangle == NULL && mesh->triangles > 0))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "the mesh has no data");
  for (size_t k = 0; k < 3 * mesh->vertices; ++k)
    if (!isfinite(mesh->vertex[k]))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "vertex %zu is not finite", k / 3);
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    if (mesh->triangle[k] >= mesh->vertices)
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "triangle %zu has no vertex %u", k / 3,
                          mesh->triangle[k]);
  if (surface->fields < 0 || surface->fields > MOTE_SURFACE_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a surface has at most %d fields",
                        MOTE_SURFACE_FIELDS);
  for (int k = 0; k < surface->fields; ++k) MOTE_IO_TRY(check_field(surface, k, path, error));
  return MOTE_OK;
}

mote_result mote_surface_write(const mote_surface *surface, const mote_stamp *stamp, const char *path,
                               mote_error *error) {
  const mesh_format *format;
  mote_file_out *out;
  mote_stamp own = {.time = (double)NAN};
  snprintf(own.version, sizeof own.version, "%s", mote_version());
  if (surface == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "surface or path is null");
  MOTE_IO_TRY(choose_format(path, true, &format, error));
  MOTE_IO_TRY(check_surface(surface, path, error));
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result = format->write(surface, stamp != NULL ? stamp : &own, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}

mote_result mote_mesh_write(const mote_mesh *mesh, const char *path, mote_error *error) {
  if (mesh == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "mesh or path is null");
  mote_surface surface = {.mesh = *mesh};
  return mote_surface_write(&surface, NULL, path, error);
}
