// Surfaces of a body that breaks, carried by its particles: see fragment_mesh.h. Vertices are grouped by
// their inner nodes: particles in reach are found once for each node.
#include "fragments/fragment_mesh.h"

#include <math.h>
#include <mote/search.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

#define NODES_PER_CHUNK 64
#define VERTICES_PER_CHUNK 1024
#define VERTEX_NODES_MAX (2 * MOTE_NODE_EDGES + 1)  // nodes that have a say in the motion of a vertex

// Weights of the vertices.
typedef struct carriage {
  mote_arena memory;
  size_t vertices, nodes;
  double *rest;   // of each vertex
  size_t *first;  // entries of vertex v: first[v] .. first[v] + number[v] - 1
  uint32_t *number;
  uint32_t *index;  // particle of each entry
  float *share;
  uint32_t *of_node;  // vertices of inner node n: vertex[of_node[n]] .. vertex[of_node[n + 1] - 1]
  uint32_t *vertex;
  uint64_t *sides;  // of each inner node with vertices: a number of the homes about it and their marks
} carriage;

struct mote_fragment_mesh {
  mote_env env;
  mote_cut_grid *grid;
  mote_cut_mesh cut;
  carriage now;
  size_t particles, particle_capacity;
  double *particle;  // at rest
  size_t computed;
};

typedef struct carrying {
  const mote_fragment_mesh *mesh;
  const mote_fragment_set *set;
  const carriage *before;  // vertices 0: none
  carriage *now;
  uint32_t *used;  // inner nodes with vertices, ascending
  uint32_t *list;  // of each of them: its list of particles, or NONE where nothing near has changed
  size_t count;
  double *reach;  // of each particle: support and an edge
  mote_lists lists;
  size_t longest;
  double *factor;  // of each worker: of the particles of a list, for up to VERTEX_NODES_MAX homes and for a
                   // vertex
  uint8_t *fresh;  // of each vertex: its weights were computed
} carrying;

// The homes of a node and of those beyond its uncut edges.
typedef struct sides {
  uint32_t home[VERTEX_NODES_MAX];  // each once
  size_t homes;
  uint32_t node[VERTEX_NODES_MAX];
  uint8_t of[VERTEX_NODES_MAX];  // of each node: its home
  size_t nodes;
} sides;

// --- Weights ----------------------------------------------------------------------------------------------

static double support_of(const mote_fragment_set *set, size_t j) {
  return set->support != NULL ? set->support[j] : set->uniform_support;
}

static void offset_to(const carrying *c, const double x[3], size_t j, double off[3]) {
  sub3(c->set->position + 3 * j, x, off);
  if (c->set->dimensions == 2) off[2] = 0.0;
}

// Shares of the particles to which its node's home is joined in the motion of vertex v: positive, so that
// none is extrapolated.
static void carry_vertex(const carrying *c, uint32_t v, uint32_t home, const uint32_t *near, size_t count,
                         const double *factor) {
  carriage *now = c->now;
  size_t first = now->first[v], kept = 0;
  double sum = 0.0, off[3];
  for (size_t k = 0; k < count; ++k) {
    if (!(factor[k] > 0.0)) continue;
    offset_to(c, now->rest + 3 * (size_t)v, near[k], off);
    double q = length3(off) / support_of(c->set, near[k]);
    if (!(q < 1.0)) continue;
    double w = factor[k] * (1.0 - q * q) * (1.0 - q * q) * (1.0 - q * q);
    now->index[first + kept] = near[k];
    now->share[first + kept++] = (float)w;
    sum += w;
  }
  c->fresh[v] = 1;
  if (!(sum > 0.0)) now->index[first] = home, now->share[first] = 1.0f, kept = 1, sum = 1.0;
  now->number[v] = (uint32_t)kept;
  for (size_t k = first; k < first + kept; ++k) now->share[k] = (float)((double)now->share[k] / sum);
}

// --- Sides ------------------------------------------------------------------------------------------------

static void add_side(const mote_cut_grid *g, uint32_t node, sides *out) {
  size_t h = 0;
  while (h < out->homes && out->home[h] != g->home[node]) ++h;
  if (h == out->homes) out->home[out->homes++] = g->home[node];
  out->node[out->nodes] = node, out->of[out->nodes++] = (uint8_t)h;
}

// The node itself comes first.
static void find_sides(const mote_cut_grid *g, uint32_t node, sides *out) {
  int parity = mote_cut_grid_parity(g, node);
  out->homes = out->nodes = 0;
  add_side(g, node, out);
  for (int k = 0; k < 2 * MOTE_NODE_EDGES; ++k) {
    const int8_t *d = g->table.direction[k % MOTE_NODE_EDGES];
    const int8_t back[3] = {(int8_t)-d[0], (int8_t)-d[1], (int8_t)-d[2]};
    bool up = k < MOTE_NODE_EDGES;
    uint32_t to = g->number[g->site[node] + mote_cut_grid_step(g, parity, up ? d : back)];
    if (to == MOTE_CUT_NONE || !g->inside[to] || g->home[to] == MOTE_CUT_NONE) continue;
    uint32_t edge = MOTE_NODE_EDGES * (up ? node : to) + (uint32_t)(k % MOTE_NODE_EDGES);
    if (g->mark[edge] == MOTE_CUT_NONE) add_side(g, to, out);
  }
}

static uint64_t sides_of(const carrying *c, uint32_t node) {
  sides about;
  uint64_t sum = 0;
  find_sides(c->mesh->grid, node, &about);
  for (size_t m = 0; m < about.nodes; ++m) {
    uint32_t home = about.home[about.of[m]];
    sum = mote_hash_mix(sum ^ ((uint64_t)about.node[m] << 32 | home));
    sum = mote_hash_mix(sum ^ c->set->mark[home]);
  }
  return sum;
}

// --- All vertices -----------------------------------------------------------------------------------------

// A vertex of the last update at the same position and side; NONE.
static uint32_t find_before(const carrying *c, uint32_t node, const double x[3]) {
  const carriage *b = c->before;
  for (uint32_t k = b->of_node[node]; k < b->of_node[node + 1]; ++k)
    if (memcmp(b->rest + 3 * (size_t)b->vertex[k], x, 3 * sizeof *x) == 0) return b->vertex[k];
  return MOTE_CUT_NONE;
}

// How much of the particles' weights is left at x: the mean over the homes of the nodes about it. `factor`:
// of each home, `count` each.
static void mix_factors(const carrying *c, const sides *about, const double x[3], const double *factor,
                        size_t count, double *out) {
  double share[VERTEX_NODES_MAX] = {0}, sum = 0.0, reach = 2.0 * SIDE_REACH * c->mesh->grid->half;
  for (size_t m = 0; m < about->nodes; ++m) {
    double at[3];
    mote_cut_grid_position(c->mesh->grid, about->node[m], at);
    sub3(at, x, at);
    double q = dot3(at, at) / (reach * reach), w = q < 1.0 ? (1.0 - q) * (1.0 - q) : 0.0;
    share[about->of[m]] += w, sum += w;
  }
  if (!(sum > 0.0)) share[0] = sum = 1.0;
  for (size_t k = 0; k < count; ++k) {
    out[k] = 0.0;
    for (size_t h = 0; h < about->homes; ++h) out[k] += share[h] / sum * factor[h * count + k];
  }
}

// The vertices of one node, whose list this is.
static void carry_node(const carrying *c, uint32_t node, const uint32_t *near, size_t count, double *factor) {
  const carriage *now = c->now;
  sides about;
  double *mixed = factor + VERTEX_NODES_MAX * c->longest;
  find_sides(c->mesh->grid, node, &about);
  for (size_t h = 0; h < about.homes; ++h)
    c->set->joined(c->set->user, about.home[h], near, count, factor + h * count);
  for (uint32_t k = now->of_node[node]; k < now->of_node[node + 1]; ++k) {
    uint32_t v = now->vertex[k];
    if (about.homes > 1) mix_factors(c, &about, now->rest + 3 * (size_t)v, factor, count, mixed);
    carry_vertex(c, v, about.home[0], near, count, about.homes > 1 ? mixed : factor);
  }
}

static void carry_chunk(void *data, size_t begin, size_t end, int worker) {
  const carrying *c = data;
  carriage *now = c->now;
  double *factor = c->factor + (VERTEX_NODES_MAX + 1) * c->longest * (size_t)worker;
  for (size_t i = begin; i < end; ++i) {
    uint32_t node = c->used[i], list = c->list[i];
    if (list != MOTE_CUT_NONE) {
      carry_node(c, node, c->lists.index + c->lists.first[list], c->lists.number[list], factor);
      continue;
    }
    for (uint32_t k = now->of_node[node]; k < now->of_node[node + 1]; ++k) {
      uint32_t v = now->vertex[k], old = find_before(c, node, now->rest + 3 * (size_t)v);
      size_t from_entry = c->before->first[old];
      memcpy(now->index + now->first[v], c->before->index + from_entry, now->number[v] * sizeof *now->index);
      memcpy(now->share + now->first[v], c->before->share + from_entry, now->number[v] * sizeof *now->share);
    }
  }
}

// Whether its homes or their marks have changed, or one of its vertices is new. Else the numbers of entries
// are those of before.
static bool has_changed(const carrying *c, uint32_t node) {
  const carriage *now = c->now;
  if (c->before->vertices == 0 || c->before->sides[node] != now->sides[node]) return true;
  for (uint32_t k = now->of_node[node]; k < now->of_node[node + 1]; ++k) {
    uint32_t v = now->vertex[k], old = find_before(c, node, now->rest + 3 * (size_t)v);
    if (old == MOTE_CUT_NONE) return true;
    now->number[v] = c->before->number[old];
  }
  return false;
}

// Sorts the vertices by their inner nodes; lists the nodes that have any.
static void group_vertices(carrying *c) {
  carriage *now = c->now;
  const uint32_t *inner = c->mesh->cut.inner;
  memset(now->of_node, 0, (now->nodes + 2) * sizeof *now->of_node);
  for (size_t v = 0; v < now->vertices; ++v) ++now->of_node[inner[v] + 2];
  c->count = 0;
  for (uint32_t n = 0; n < now->nodes; ++n) {
    if (now->of_node[n + 2] > 0) c->used[c->count++] = n;
    now->of_node[n + 2] += now->of_node[n + 1];
  }
  for (uint32_t v = 0; v < now->vertices; ++v) now->vertex[now->of_node[inner[v] + 1]++] = v;
}

// Lists of the particles that may move vertices of changed nodes; returns them in c->lists, held by *grid.
static mote_result search(carrying *c, mote_arena *own, mote_grid **grid, mote_error *error) {
  const mote_fragment_set *set = c->set;
  double most = 0.0, edge = 2.0 * c->mesh->grid->half, *position, *at;
  MOTE_TAKE(c->reach, own, set->count, error);
  MOTE_TAKE(position, own, 3 * c->count, error);
  MOTE_TAKE(at, own, 3 * set->count, error);
  memcpy(at, set->position, 3 * set->count * sizeof *at);
  for (size_t j = 0; j < set->count; ++j) {
    c->reach[j] = support_of(set, j) + edge;
    most = max2(most, c->reach[j]);
    if (set->dimensions == 2) at[3 * j + 2] = 0.0;
  }
  uint32_t asked = 0;
  for (size_t i = 0; i < c->count; ++i) {
    bool changed = has_changed(c, c->used[i]);
    c->list[i] = changed ? asked : MOTE_CUT_NONE;
    if (!changed) continue;
    mote_cut_grid_position(c->mesh->grid, c->used[i], position + 3 * (size_t)asked);
    if (set->dimensions == 2) position[3 * (size_t)asked + 2] = 0.0;
    ++asked;
  }
  mote_grid_def def = mote_grid_def_default(most);
  MOTE_TRY(mote_grid_create(&def, &c->mesh->env, grid, error));
  MOTE_TRY(mote_grid_build(*grid, at, set->count, error));
  MOTE_TRY(mote_grid_neighbours_at(*grid, position, asked, c->reach, MOTE_REACH_SCATTER, &c->lists, error));
  for (size_t i = 0; i < asked; ++i)
    if (c->lists.number[i] > c->longest) c->longest = c->lists.number[i];
  return MOTE_OK;
}

// Room for the entries of each vertex: as many as its node's list has, or as before.
static mote_result reserve_entries(carrying *c, mote_error *error) {
  carriage *now = c->now;
  size_t entries = 0;
  for (size_t i = 0; i < c->count; ++i) {
    uint32_t list = c->list[i], node = c->used[i];
    for (uint32_t k = now->of_node[node]; k < now->of_node[node + 1]; ++k) {
      uint32_t v = now->vertex[k];
      now->first[v] = entries;
      size_t most = list == MOTE_CUT_NONE ? now->number[v] : c->lists.number[list];
      entries += most > 0 ? most : 1;
    }
  }
  MOTE_TAKE(now->index, &now->memory, entries, error);
  MOTE_TAKE(now->share, &now->memory, entries, error);
  return MOTE_OK;
}

static mote_result carry(carrying *c, mote_arena *own, mote_grid **grid, mote_error *error) {
  carriage *now = c->now;
  const mote_mesh *mesh = &c->mesh->cut.mesh;
  now->vertices = mesh->vertices, now->nodes = c->mesh->grid->nodes;
  MOTE_TAKE(now->rest, &now->memory, 3 * now->vertices, error);
  MOTE_TAKE(now->first, &now->memory, now->vertices, error);
  MOTE_TAKE(now->number, &now->memory, now->vertices, error);
  MOTE_TAKE(now->vertex, &now->memory, now->vertices, error);
  MOTE_TAKE(now->of_node, &now->memory, now->nodes + 2, error);
  MOTE_TAKE(c->used, own, now->nodes, error);
  MOTE_TAKE(c->list, own, now->nodes, error);
  MOTE_TAKE(c->fresh, own, now->vertices, error);
  memcpy(now->rest, mesh->vertex, 3 * now->vertices * sizeof *now->rest);
  memset(c->fresh, 0, now->vertices);
  MOTE_TAKE(now->sides, &now->memory, now->nodes, error);
  memset(now->sides, 0, now->nodes * sizeof *now->sides);
  group_vertices(c);
  for (size_t i = 0; i < c->count; ++i) now->sides[c->used[i]] = sides_of(c, c->used[i]);
  MOTE_TRY(search(c, own, grid, error));
  MOTE_TRY(reserve_entries(c, error));
  int threads = c->mesh->env.threads;
  MOTE_TAKE(c->factor, own, (VERTEX_NODES_MAX + 1) * c->longest * (size_t)threads + 1, error);
  mote_parallel_for(threads, c->count, NODES_PER_CHUNK, carry_chunk, c);
  return MOTE_OK;
}

// --- The mesh ---------------------------------------------------------------------------------------------

mote_result mote_fragment_mesh_create(mote_cut_grid *grid, mote_fragment_mesh **out, mote_error *error) {
  MOTE_ASSERT(grid != NULL && out != NULL);
  MOTE_ALLOC_NEW(mote_fragment_mesh, mesh, &grid->env, 1, error);
  *mesh = (mote_fragment_mesh){.env = grid->env, .grid = grid, .now.memory = mote_arena_make(&grid->env)};
  *out = mesh;
  return MOTE_OK;
}

void mote_fragment_mesh_destroy(mote_fragment_mesh *mesh) {
  if (mesh == NULL) return;
  mote_env env = mesh->env;
  mote_arena_destroy(&mesh->now.memory);
  mote_cut_mesh_free(&mesh->cut, &env);
  mote_free(&env, mesh->particle, mesh->particle_capacity, sizeof *mesh->particle);
  mote_free(&env, mesh, 1, sizeof *mesh);
}

mote_result mote_fragment_mesh_update(mote_fragment_mesh *mesh, const mote_fragment_set *set,
                                      mote_error *error) {
  MOTE_ASSERT(mesh != NULL && set != NULL && set->count > 0 && set->joined != NULL && set->mark != NULL);
  MOTE_ASSERT(set->uniform_support > 0.0);
  MOTE_TRY(mote_cut_mesh_make(mesh->grid, &mesh->cut, error));
  MOTE_TRY(mote_reserve(&mesh->env, &mesh->particle, &mesh->particle_capacity, 3 * set->count, sizeof(double),
                        error));
  memcpy(mesh->particle, set->position, 3 * set->count * sizeof(double));
  mesh->particles = set->count;
  carriage now = {.memory = mote_arena_make(&mesh->env)};
  mote_arena own = mote_arena_make(&mesh->env);
  carrying c = {.mesh = mesh, .set = set, .before = &mesh->now, .now = &now};
  mote_grid *grid = NULL;
  mote_result result = carry(&c, &own, &grid, error);
  mesh->computed = 0;
  for (size_t v = 0; v < now.vertices && result == MOTE_OK; ++v) mesh->computed += c.fresh[v];
  mote_grid_destroy(grid);
  mote_arena_destroy(&own);
  mote_arena_destroy(&mesh->now.memory);
  mesh->now = now;
  if (result) mesh->now.vertices = 0;
  return result;
}

const mote_cut_mesh *mote_fragment_mesh_at_rest(const mote_fragment_mesh *mesh) {
  return &mesh->cut;
}

size_t mote_fragment_mesh_computed(const mote_fragment_mesh *mesh) {
  return mesh->computed;
}

// --- Motion -----------------------------------------------------------------------------------------------

typedef struct moving {
  const mote_fragment_mesh *mesh;
  const double *position, *local_gradient;
  double *vertex;
} moving;

// By displacements: at rest, both sides of a crack then lie on each other to the bit.
static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const moving *m = data;
  const carriage *now = &m->mesh->now;
  for (size_t v = begin; v < end; ++v) {
    double sum[3] = {0}, whole = 0.0;
    for (size_t k = now->first[v]; k < now->first[v] + now->number[v]; ++k) {
      size_t j = now->index[k];
      const double *F = m->local_gradient + 9 * j, *X = m->mesh->particle + 3 * j;
      double off[3], share = (double)now->share[k];
      sub3(now->rest + 3 * v, X, off);
      for (int a = 0; a < 3; ++a)
        sum[a] += share * (m->position[3 * j + a] - X[a] + dot3(F + 3 * a, off) - off[a]);
      whole += share;
    }
    for (int a = 0; a < 3; ++a) m->vertex[3 * v + a] = now->rest[3 * v + a] + sum[a] / whole;
  }
}

static void area_vector(const double *vertex, const uint32_t *t, double n[3]) {
  double u[3], w[3];
  sub3(vertex + 3 * (size_t)t[1], vertex + 3 * (size_t)t[0], u);
  sub3(vertex + 3 * (size_t)t[2], vertex + 3 * (size_t)t[0], w);
  cross3(u, w, n);
}

// Weighted by areas. Walls first; the outer surface replaces what they gave to its vertices.
static void find_normals(const mote_cut_mesh *cut, const double *vertex, float *normal) {
  memset(normal, 0, 3 * cut->mesh.vertices * sizeof *normal);
  for (int wall = 1; wall >= 0; --wall) {
    for (size_t t = 0; t < cut->mesh.triangles && wall == 0; ++t)
      for (int k = 0; k < 3 && !cut->wall[t]; ++k)
        memset(normal + 3 * (size_t)cut->mesh.triangle[3 * t + k], 0, 3 * sizeof *normal);
    for (size_t t = 0; t < cut->mesh.triangles; ++t) {
      double n[3];
      if (cut->wall[t] != wall) continue;
      area_vector(vertex, cut->mesh.triangle + 3 * t, n);
      for (int k = 0; k < 9; ++k)
        normal[3 * (size_t)cut->mesh.triangle[3 * t + k / 3] + k % 3] += (float)n[k % 3];
    }
  }
  for (size_t v = 0; v < cut->mesh.vertices; ++v) {
    float *n = normal + 3 * v, length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3 && length > 0.0f; ++k) n[k] /= length;
  }
}

mote_result mote_fragment_mesh_move(const mote_fragment_mesh *mesh, const double *position,
                                    const double *local_gradient, double *vertex, float *normal,
                                    mote_error *error) {
  MOTE_ASSERT(mesh != NULL && position != NULL && local_gradient != NULL && vertex != NULL);
  if (mesh->now.vertices == 0) return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh has not been made");
  moving m = {mesh, position, local_gradient, vertex};
  mote_parallel_for(mesh->env.threads, mesh->now.vertices, VERTICES_PER_CHUNK, move_chunk, &m);
  if (normal != NULL) find_normals(&mesh->cut, vertex, normal);
  return MOTE_OK;
}

static double longest_side(const double *vertex, const uint32_t *t) {
  double most = 0.0;
  for (int k = 0; k < 3; ++k)
    most = max2(most, distance3(vertex + 3 * (size_t)t[k], vertex + 3 * (size_t)t[(k + 1) % 3]));
  return most;
}

size_t mote_fragment_mesh_stretched(const mote_fragment_mesh *mesh, const double *vertex, double times) {
  MOTE_ASSERT(mesh != NULL && vertex != NULL);
  const mote_mesh *m = &mesh->cut.mesh;
  size_t stretched = 0;
  for (size_t t = 0; t < m->triangles; ++t) {
    const uint32_t *corner = m->triangle + 3 * t;
    stretched += longest_side(vertex, corner) > times * longest_side(m->vertex, corner);
  }
  return stretched;
}
