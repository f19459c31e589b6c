// Meshes of elastic bodies: see elastic_skins.h.
#include "cli/bodies/elastic_skins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/paths.h"
#include "cli/base/scene_kinds.h"
#include "cli/files/elastic_positions.h"
#include "cli/files/input_file.h"

#define CELLS_ALONG_BODY 48           // along the longest side of a body whose shape is neither box nor mesh
#define REFINED_TRIANGLES_MAX 100000  // a mesh is not refined beyond so many triangles
#define EDGE_MAX 1.0                  // spacings: longer edges are halved

// --- Meshes ---

// An edge of a triangle, by its lower and its higher vertex.
typedef struct edge {
  uint32_t low, high, at;  // at: 3 times its triangle plus the number of the edge
} edge;

static int compare_edges(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->at < y->at ? -1 : 1;
}

static double longest_edge(const mote_mesh *mesh) {
  double most = 0;
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    size_t next = k % 3 == 2 ? k - 2 : k + 1;
    const double *a = mesh->vertex + 3 * (size_t)mesh->triangle[k],
                 *b = mesh->vertex + 3 * (size_t)mesh->triangle[next];
    double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    most = fmax(most, sqrt(x * x + y * y + z * z));
  }
  return most;
}

// Every triangle becomes four, with a vertex in the middle of each edge.
static void halve(mote_mesh *mesh) {
  APP_ASSERT(mesh->triangles > 0);
  size_t count = 3 * mesh->triangles, vertices = mesh->vertices;
  edge *edges = input_take(count, sizeof *edges);
  uint32_t *middle = input_take(count, sizeof *middle);
  for (size_t k = 0; k < count; ++k) {
    uint32_t a = mesh->triangle[k], b = mesh->triangle[k % 3 == 2 ? k - 2 : k + 1];
    edges[k] = (edge){a < b ? a : b, a < b ? b : a, (uint32_t)k};
  }
  qsort(edges, count, sizeof *edges, compare_edges);
  double *vertex = input_take(3 * (vertices + count), sizeof *vertex);
  memcpy(vertex, mesh->vertex, 3 * vertices * sizeof *vertex);
  for (size_t k = 0; k < count; ++k) {
    bool same = k > 0 && edges[k].low == edges[k - 1].low && edges[k].high == edges[k - 1].high;
    if (!same) {
      for (size_t a = 0; a < 3; ++a)
        vertex[3 * vertices + a] =
            0.5 * (vertex[3 * (size_t)edges[k].low + a] + vertex[3 * (size_t)edges[k].high + a]);
      ++vertices;
    }
    middle[edges[k].at] = (uint32_t)(vertices - 1);
  }
  uint32_t *triangle = input_take(4 * count, sizeof *triangle);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t, *m = middle + 3 * t;
    const uint32_t four[12] = {v[0], m[0], m[2], m[0], v[1], m[1], m[2], m[1], v[2], m[0], m[1], m[2]};
    memcpy(triangle + 12 * t, four, sizeof four);
  }
  APP_ASSERT(vertices <= mesh->vertices + count);
  free(edges), free(middle), free(mesh->vertex), free(mesh->triangle);
  *mesh = (mote_mesh){vertex, triangle, vertices, 4 * mesh->triangles};
}

static bool make_mesh(elastic_skins *skins, elastic_skin_mesh *s) {
  double reference[3];
  mote_mesh made;
  if (!body_meshes_make(&skins->meshes, s->def, &made, reference)) return false;
  s->mesh = made;
  s->mesh.triangle = input_take(3 * made.triangles, sizeof *made.triangle);
  memcpy(s->mesh.triangle, made.triangle, 3 * made.triangles * sizeof *made.triangle);
  while (longest_edge(&s->mesh) > EDGE_MAX * skins->scene->world.spacing &&
         4 * s->mesh.triangles <= REFINED_TRIANGLES_MAX)
    halve(&s->mesh);
  s->rest = input_take(3 * s->mesh.vertices, sizeof *s->rest);
  memcpy(s->rest, s->mesh.vertex, 3 * s->mesh.vertices * sizeof *s->rest);
  return true;
}

// The material of a lattice body that has a skin; null: it is none.
static const mote_material_def *lattice_material(const mote_scene *scene, const mote_body_def *body) {
  bool carries = body->skin && body_is(scene, body, material_is_lattice);
  return carries ? scene_material(scene, body->material) : NULL;
}

// --- Bodies that can break, of a run's files: a polygon (2D) or a cube for each particle
// ------------------------------------

#define PIECE_CORNERS 8
#define PIECE_SIZE 1.45  // spacings: above the square root of 2 a packing has no gaps; cubes: 1.1
#define CUBE_SIZE 1.1

static const uint32_t fan[18] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6, 0, 6, 7};
static const uint32_t cube[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void make_pieces(elastic_skin_mesh *s, bool flat, size_t count) {
  const uint32_t *of = flat ? fan : cube;
  size_t corners = flat ? 18 : 36;
  free(s->mesh.vertex), free(s->mesh.triangle);
  s->mesh = (mote_mesh){.vertices = PIECE_CORNERS * count, .triangles = corners / 3 * count};
  s->mesh.vertex = input_take(3 * s->mesh.vertices, sizeof *s->mesh.vertex);
  s->mesh.triangle = input_take(corners * count, sizeof *s->mesh.triangle);
  for (size_t k = 0; k < corners * count; ++k)
    s->mesh.triangle[k] = of[k % corners] + (uint32_t)(PIECE_CORNERS * (k / corners));
}

static void carry_pieces(elastic_skin_mesh *s, bool flat, double spacing, const double *position,
                         size_t count) {
  if (s->mesh.vertices != PIECE_CORNERS * count) make_pieces(s, flat, count);
  double offset[PIECE_CORNERS][3];
  for (int k = 0; k < PIECE_CORNERS; ++k) {
    double angle = 0.785398163397448 * (k + 0.5), round = 0.5 * PIECE_SIZE * spacing,
           half = 0.5 * CUBE_SIZE * spacing;
    offset[k][0] = flat ? round * cos(angle) : k & 1 ? half : -half;
    offset[k][1] = flat ? round * sin(angle) : k & 2 ? half : -half;
    offset[k][2] = flat ? 0 : k & 4 ? half : -half;
  }
  for (size_t v = 0; v < s->mesh.vertices; ++v) {
    for (size_t a = 0; a < 3; ++a)
      s->mesh.vertex[3 * v + a] = position[3 * (v / PIECE_CORNERS) + a] + offset[v % PIECE_CORNERS][a];
  }
}

bool elastic_skins_open(elastic_skins *skins, const mote_scene *scene, const mote_env *env) {
  *skins = (elastic_skins){.scene = scene, .env = *env};
  skins->skin = input_take(scene->bodies + 1, sizeof *skins->skin);
  skins->meshes = body_meshes_open(scene->world.dimensions, 1, env);
  skins->meshes.cells = CELLS_ALONG_BODY, skins->meshes.whole = true;
  for (size_t b = 0; b < scene->bodies; ++b) {
    elastic_skin_mesh *s = &skins->skin[skins->count];
    *s = (elastic_skin_mesh){.def = &scene->body[b], .material = elastic_material(scene, &scene->body[b])};
    if (s->material == NULL) s->material = lattice_material(scene, s->def), s->lattice = true;
    if (s->material == NULL) continue;
    if (isfinite(s->material->elastic.strength)) {
      make_pieces(s, scene->world.dimensions == 2, 0);
    } else if (!make_mesh(skins, s)) {
      return false;
    }
    ++skins->count;
  }
  return true;
}

void elastic_skins_close(elastic_skins *skins) {
  for (size_t k = 0; k < skins->count; ++k) {
    elastic_skin_mesh *s = &skins->skin[k];
    mote_world_skin_destroy(s->skin);
    if (s->pieces == NULL) free(s->mesh.vertex), free(s->mesh.triangle);
    mote_world_pieces_destroy(s->pieces);
    mote_lattice_skin_destroy(s->ties);
    free(s->rest);
  }
  free(skins->skin);
  if (skins->scene != NULL) body_meshes_close(&skins->meshes);
  mote_world_destroy(skins->own);
  *skins = (elastic_skins){0};
}

// --- Motion --- --------------------------------------------------------------------------------------

// The elastic body of that name and its rows; zero: it is not there.
static mote_body find_body(const mote_world *world, const char *name, size_t *first, size_t *count) {
  APP_ASSERT(first != NULL && count != NULL);
  mote_body wanted = mote_world_find_body(world, name);
  for (size_t k = 0; k < mote_world_elastic_bodies(world); ++k) {
    mote_body body = mote_world_elastic_body(world, k, first, count);
    if (body.index == wanted.index && body.generation == wanted.generation) return body;
  }
  return (mote_body){0};
}

// Meshes are tied to the lattice as the scene has it at the beginning; `world`: may be that, or null.
static bool tie_lattices(elastic_skins *skins, const mote_world *world) {
  mote_error error;
  mote_world *begin = NULL;
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < skins->count && result == MOTE_OK; ++k) {
    elastic_skin_mesh *s = &skins->skin[k];
    if (!s->lattice || s->ties != NULL) continue;
    bool begins = world != NULL && mote_world_steps(world) == 0;
    if (!begins && begin == NULL) result = mote_world_create_scene(skins->scene, &skins->env, &begin, &error);
    const mote_world *from = begins ? world : begin;
    if (result == MOTE_OK)
      result = mote_world_lattice_skin(from, mote_world_find_body(from, s->def->name), s->rest,
                                       s->mesh.vertices, &s->ties, &error);
  }
  mote_world_destroy(begin);
  return result == MOTE_OK || (complain_error(&error), false);
}

static bool carry_lattice(elastic_skins *skins, elastic_skin_mesh *s, const mote_world *world) {
  mote_error error;
  if (mote_world_find_body(world, s->def->name).generation == 0) s->mesh.triangles = 0;  // it was removed
  if (!tie_lattices(skins, world)) return false;
  mote_result result = mote_lattice_skin_move(s->ties, world, s->mesh.vertex, &error);
  return result == MOTE_OK || (complain_error(&error), false);
}

// By the particles of a run's file; where it has no frames nothing is shown.
static bool carry_by_file(elastic_skins *skins, const mote_cloud *cloud) {
  const mote_field_view *id = mote_cloud_find(cloud, "id"), *x = mote_cloud_find(cloud, "position"),
                        *frame = mote_cloud_find(cloud, "lattice_frame");
  bool there = id != NULL && x != NULL && frame != NULL && id->type == MOTE_TYPE_U64 &&
               x->type == MOTE_TYPE_F64 && frame->type == MOTE_TYPE_F64 && frame->components == 9;
  mote_error error;
  for (size_t k = 0; k < skins->count; ++k) {
    elastic_skin_mesh *s = &skins->skin[k];
    if (!s->lattice) continue;
    if (!there) s->mesh.triangles = 0;
    if (there && mote_lattice_skin_move_to(s->ties, id->data, x->data, frame->data, cloud->count,
                                           s->mesh.vertex, &error) != MOTE_OK)
      return complain_error(&error), false;
  }
  return true;
}

// The pieces of a body that can break, as its cracks are now.
static bool show_pieces(elastic_skin_mesh *s, const mote_world *world, mote_body body) {
  mote_error error;
  mote_result result;
  if (s->pieces == NULL) {
    free(s->mesh.vertex), free(s->mesh.triangle);
    s->mesh = (mote_mesh){0};
    result = mote_world_pieces_create(world, body, 0.0, &s->pieces, &error);
  } else {
    result = mote_world_pieces_update(s->pieces, world, &error);
  }
  s->mesh = mote_world_pieces_look(s->pieces).mesh;
  return result == MOTE_OK || (complain_error(&error), false);
}

// `position`: of all elastic particles; null: that of the world.
static bool carry(elastic_skins *skins, const mote_world *world, const double *position) {
  mote_error error;
  for (size_t k = 0; k < skins->count; ++k) {
    elastic_skin_mesh *s = &skins->skin[k];
    size_t first = 0, count = 0;
    if (s->lattice) {
      if (position == NULL && !carry_lattice(skins, s, world)) return false;
      continue;
    }
    mote_body body = find_body(world, s->def->name, &first, &count);
    if (body.generation == 0) continue;  // it was removed
    if (isfinite(s->material->elastic.strength)) {
      if (position == NULL && !show_pieces(s, world, body)) return false;
      if (position != NULL)
        carry_pieces(s, skins->scene->world.dimensions == 2, skins->scene->world.spacing,
                     position + 3 * first, count);
      continue;
    }
    mote_world_skin_def def = {.body = body, .vertex = s->rest, .count = s->mesh.vertices};
    if (s->skin == NULL && mote_world_skin_create(world, &def, &s->skin, &error) != MOTE_OK)
      return complain_error(&error), false;
    const double *own = position == NULL ? NULL : position + 3 * first;
    if (mote_world_skin_move(s->skin, own, s->mesh.vertex, NULL, &error) != MOTE_OK)
      return complain_error(&error), false;
  }
  return true;
}

bool elastic_skins_follow(elastic_skins *skins, const mote_world *world) {
  return carry(skins, world, NULL);
}

// The file of the frame nearest to the time, in any of the scene's formats.
static bool has_file(const elastic_skins *skins, const char *directory, const char *name, double time,
                     char path[PATH_CAPACITY]) {
  const mote_outputs_def *outputs = &skins->scene->outputs;
  size_t frame = (size_t)(fmax(time, 0) * skins->scene->fps + 0.5) + 1;
  for (size_t k = 0; k < outputs->formats; ++k) {
    snprintf(path, PATH_CAPACITY, "%s/%s.%04zu.%s", directory, name, frame, outputs->format[k]);
    FILE *there = fopen(path, "rb");
    if (there == NULL) continue;
    fclose(there);
    return true;
  }
  return false;
}

static bool find_file(const elastic_skins *skins, const char *directory, const char *name, double time,
                      char path[PATH_CAPACITY]) {
  if (has_file(skins, directory, name, time, path)) return true;
  size_t frame = (size_t)(fmax(time, 0) * skins->scene->fps + 0.5) + 1;
  return complain("%s: no file %s.%04zu with the positions of bodies", directory, name, frame), false;
}

static bool is_there(const elastic_skins *skins, size_t k, double time) {
  return mote_body_def_there(skins->skin[k].def, skins->command, skins->commands, time);
}

// The elastic bodies of the scene in an endless space: what takes their positions from files needs no room.
static mote_world *make_space(const elastic_skins *skins) {
  mote_scene space = *skins->scene;
  space.colliders = 0;
  for (int a = 0; a < 3; ++a) {
    space.world.low[a] = -HUGE_VAL, space.world.high[a] = HUGE_VAL;
    space.world.side[a][0] = space.world.side[a][1] = MOTE_SIDE_OPEN;
  }
  return elastic_world(&space, &skins->env);
}

// Brings or removes the bodies of skins by what is there at this time, far from each other.
static bool change_own(elastic_skins *skins, double time) {
  mote_error error;
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < skins->count && result == MOTE_OK; ++k) {
    const double away[3] = {1e6 * skins->scene->world.spacing * (double)(k + 1), 0.0, 0.0};
    const char *name = skins->skin[k].def->name;
    mote_body body = mote_world_find_body(skins->own, name);
    bool wanted = is_there(skins, k, time) && !skins->skin[k].lattice, had = body.generation > 0;
    if (wanted && !had) result = mote_world_add_waiting(skins->own, name, away, NULL, &error);
    if (!wanted && had) result = mote_world_remove_body(skins->own, body, &error);
  }
  return result == MOTE_OK || (complain_error(&error), false);
}

// The world of the elastic bodies that are there at this time.
static bool make_own(elastic_skins *skins, double time) {
  bool same = skins->own != NULL;
  for (size_t k = 0; k < skins->count && same; ++k) {
    bool had = mote_world_find_body(skins->own, skins->skin[k].def->name).generation > 0;
    same = skins->skin[k].lattice || had == is_there(skins, k, time);
  }
  if (same) return true;
  for (size_t k = 0; k < skins->count; ++k) {
    mote_world_skin_destroy(skins->skin[k].skin);
    skins->skin[k].skin = NULL;
  }
  mote_world_destroy(skins->own);
  skins->own = make_space(skins);
  return skins->own != NULL && change_own(skins, time);
}

// The only skin of a body that can break; null: there is none, or several, whose pieces a file does not tell
// apart.
static elastic_skin_mesh *breaking_skin(const elastic_skins *skins) {
  elastic_skin_mesh *found = NULL;
  size_t count = 0;
  for (size_t k = 0; k < skins->count; ++k) {
    if (!isfinite(skins->skin[k].material->elastic.strength)) continue;
    found = &skins->skin[k];
    ++count;
  }
  return count == 1 ? found : NULL;
}

// Takes the pieces of the frame's file, where the run has written one (*taken).
static bool read_fragments(elastic_skins *skins, const char *directory, double time, bool *taken) {
  const mote_outputs_def *outputs = &skins->scene->outputs;
  elastic_skin_mesh *s = breaking_skin(skins);
  size_t frame = (size_t)(fmax(time, 0) * skins->scene->fps + 0.5) + 1;
  *taken = false;
  for (size_t k = 0; s != NULL && k < outputs->fragment_formats; ++k) {
    char path[PATH_CAPACITY];
    mote_mesh mesh;
    mote_error error;
    snprintf(path, sizeof path, "%s/fragments.%04zu.%s", directory, frame, outputs->fragment_format[k]);
    FILE *there = fopen(path, "rb");
    if (there == NULL) continue;
    fclose(there);
    if (mote_mesh_read(path, &skins->env, &mesh, &error) != MOTE_OK) return complain_error(&error), false;
    free(s->mesh.vertex), free(s->mesh.triangle);
    s->mesh = (mote_mesh){.vertices = mesh.vertices, .triangles = mesh.triangles};
    s->mesh.vertex = input_take(3 * mesh.vertices, sizeof *mesh.vertex);
    s->mesh.triangle = input_take(3 * mesh.triangles, sizeof *mesh.triangle);
    memcpy(s->mesh.vertex, mesh.vertex, 3 * mesh.vertices * sizeof *mesh.vertex);
    memcpy(s->mesh.triangle, mesh.triangle, 3 * mesh.triangles * sizeof *mesh.triangle);
    mote_mesh_free(&mesh, &skins->env);
    return *taken = true;
  }
  return true;
}

static bool read_lattices(elastic_skins *skins, const char *directory, double time) {
  char path[PATH_CAPACITY];
  mote_error error;
  mote_cloud cloud;
  if (!find_file(skins, directory, "lattice", time, path) || !tie_lattices(skins, NULL)) return false;
  if (mote_cloud_read(path, &skins->env, &cloud, &error) != MOTE_OK) return complain_error(&error), false;
  bool ok = carry_by_file(skins, &cloud);
  mote_cloud_free(&cloud, &skins->env);
  return ok;
}

bool elastic_skins_read(elastic_skins *skins, const char *directory, double time) {
  char path[PATH_CAPACITY];
  size_t lattices = 0;
  for (size_t k = 0; k < skins->count; ++k) lattices += skins->skin[k].lattice;
  size_t there = 0;
  for (size_t k = 0; k < skins->count; ++k) there += is_there(skins, k, time);
  if (there == 0) return true;
  if (lattices > 0 && !read_lattices(skins, directory, time)) return false;
  if (lattices == skins->count) return true;
  // One body, as pieces: its particles, which may have been split, are not needed.
  bool taken = false;
  if (skins->count == lattices + 1 && !read_fragments(skins, directory, time, &taken)) return false;
  if (taken) return true;
  // Runs before 0.1.0 have files solids.NNNN.
  bool older =
      !has_file(skins, directory, "elastic", time, path) && has_file(skins, directory, "solids", time, path);
  if (!older && !find_file(skins, directory, "elastic", time, path)) return false;
  if (!make_own(skins, time)) return false;
  double *position = elastic_positions(path, skins->own, &skins->env, NULL);
  bool ok = position != NULL && carry(skins, skins->own, position) &&
            read_fragments(skins, directory, time, &taken);
  free(position);
  return ok;
}
