// Joining two meshes along the border of a region: see tracked_surgery.h.
#include "track/tracked_surgery.h"

#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "mesh/half_edges.h"

#define CELL 0.5        // edge of the region's cells, in reaches
#define FAR 0.4         // apart by so many reaches: disagree
#define LOOK 0.3        // cosine between normals: less disagrees
#define SEAM_MOST 2.0   // reaches from a loop to its partner
#define LINK 5          // cells: seeds that are nearer to each other are one cluster
#define SCRAP 30        // triangles
#define TRIM_ROUNDS 12  // of removing triangles at vertices where loops meet

// --- The region -------------------------------------------------------------------------------------------

// A set of cells.
typedef struct region {
  int32_t (*cell)[3];
  uint32_t *slot;  // by hash: cell + 1; 0: none
  size_t count, capacity, mask;
  double per_cell;
} region;

static size_t slot_of(const region *r, const int32_t c[3]) {
  uint32_t key = (uint32_t)c[0] * 73856093u ^ (uint32_t)c[1] * 19349663u ^ (uint32_t)c[2] * 83492791u;
  size_t s = (key ^ key >> 15) & r->mask;
  while (r->slot[s] != 0 && memcmp(r->cell[r->slot[s] - 1], c, 3 * sizeof *c) != 0) s = (s + 1) & r->mask;
  return s;
}

static bool region_take(region *r, size_t most, double cell, mote_arena *arena) {
  size_t slots = 64;
  while (slots < 2 * most) slots *= 2;
  *r = (region){.capacity = most, .mask = slots - 1, .per_cell = 1.0 / cell};
  r->cell = mote_arena_take(arena, most, sizeof *r->cell);
  r->slot = mote_arena_take(arena, slots, sizeof *r->slot);
  if (r->cell == NULL || r->slot == NULL) return false;
  memset(r->slot, 0, slots * sizeof *r->slot);
  return true;
}

static void region_add(region *r, const int32_t c[3]) {
  size_t s = slot_of(r, c);
  if (r->slot[s] != 0) return;
  MOTE_ASSERT(r->count < r->capacity);
  memcpy(r->cell[r->count], c, 3 * sizeof *c);
  r->slot[s] = (uint32_t)++r->count;
}

static void cell_of(const region *r, const double x[3], int32_t c[3]) {
  for (int k = 0; k < 3; ++k) c[k] = (int32_t)floor(x[k] * r->per_cell);
}

static bool region_has(const region *r, const double x[3]) {
  int32_t c[3];
  cell_of(r, x, c);
  return r->slot[slot_of(r, c)] != 0;
}

static mote_result find_normals(const mote_mesh *mesh, mote_arena *arena, double **out, mote_error *error) {
  double *normal = *out = mote_arena_take(arena, 3 * mesh->vertices, sizeof *normal);
  if (normal == NULL) return mote_fail_memory(error, 3 * mesh->vertices * sizeof *normal);
  for (size_t i = 0; i < 3 * mesh->vertices; ++i) normal[i] = 0.0;
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *v = mesh->triangle + 3 * f;
    double u[3], w[3], n[3];
    sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], u);
    sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], w);
    cross3(u, w, n);
    for (int k = 0; k < 3; ++k) step3(normal + 3 * (size_t)v[k], 1.0, n, normal + 3 * (size_t)v[k]);
  }
  return MOTE_OK;
}

// Far from the other surface, or none of it near by looks the same way: at edges some does.
static bool disagrees(const mote_surgery_side *s, size_t v, const double *normal, const double *other,
                      double reach) {
  const uint32_t *nearest = s->nearest + MOTE_SURGERY_NEAR * v;
  const double *distance2 = s->distance2 + MOTE_SURGERY_NEAR * v, *a = normal + 3 * v;
  if (!(distance2[0] <= FAR * reach * FAR * reach)) return true;
  for (int k = 0; k < MOTE_SURGERY_NEAR && distance2[k] <= reach * reach; ++k) {
    const double *b = other + 3 * (size_t)nearest[k];
    if (dot3(a, b) >= LOOK * length3(a) * length3(b)) return false;
  }
  return true;
}

static bool are_near(const int32_t a[3], const int32_t b[3]) {
  for (int k = 0; k < 3; ++k) {
    if (a[k] - b[k] > LINK || b[k] - a[k] > LINK) return false;
  }
  return true;
}

// Clusters in the order of their first cells.
static mote_result link_seeds(mote_surgery_seeds *s, mote_arena *arena, mote_error *error) {
  uint32_t *queue = mote_arena_take(arena, s->count, sizeof *queue);
  s->cluster = mote_arena_take(arena, s->count, sizeof *s->cluster);
  s->lost = mote_arena_take(arena, s->count, 1);
  if (queue == NULL || s->cluster == NULL || s->lost == NULL) return mote_fail_memory(error, s->count * 9);
  for (size_t i = 0; i < s->count; ++i) s->cluster[i] = UINT32_MAX, s->lost[i] = 0;
  for (uint32_t i = 0; i < s->count; ++i) {
    size_t done = 0, waiting = 0;
    if (s->cluster[i] != UINT32_MAX) continue;
    s->cluster[i] = (uint32_t)s->clusters, queue[waiting++] = i;
    while (done < waiting) {
      uint32_t at = queue[done++];
      for (uint32_t j = i + 1; j < s->count; ++j) {
        if (s->cluster[j] != UINT32_MAX || !are_near(s->cell[at], s->cell[j])) continue;
        s->cluster[j] = (uint32_t)s->clusters, queue[waiting++] = j;
      }
    }
    ++s->clusters;
  }
  return MOTE_OK;
}

mote_result mote_surgery_find(const mote_surgery *g, mote_arena *arena, mote_surgery_seeds *out,
                              mote_error *error) {
  double *normal[2];
  MOTE_TRY(find_normals(g->old.mesh, arena, &normal[0], error));
  MOTE_TRY(find_normals(g->fresh.mesh, arena, &normal[1], error));
  region seed;
  size_t vertices = g->old.mesh->vertices + g->fresh.mesh->vertices;
  if (!region_take(&seed, vertices + 1, CELL * g->reach, arena))
    return mote_fail_memory(error, vertices * 20);
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < 2; ++k) {
      const mote_surgery_side *s = k == 0 ? &g->old : &g->fresh;
      for (size_t v = 0; v < s->mesh->vertices; ++v) {
        int32_t c[3];
        if (!s->changes[v] || !disagrees(s, v, normal[k], normal[1 - k], g->reach)) continue;
        cell_of(&seed, s->mesh->vertex + 3 * v, c);
        if (pass == 0)
          region_add(&seed, c);
        else if (!(s->distance2[MOTE_SURGERY_NEAR * v] <= g->reach * g->reach))
          out->lost[out->cluster[seed.slot[slot_of(&seed, c)] - 1]] = 1;
      }
    }
    if (pass > 0) break;
    *out = (mote_surgery_seeds){.cell = seed.cell, .count = seed.count};
    MOTE_TRY(link_seeds(out, arena, error));
  }
  return MOTE_OK;
}

static mote_result grow_region(const mote_surgery *g, const mote_surgery_seeds *seeds, size_t cluster,
                               int grow, mote_arena *arena, region *out, mote_error *error) {
  size_t wide = 2 * (size_t)grow + 1, own = 0;
  for (size_t i = 0; i < seeds->count; ++i) own += seeds->cluster[i] == cluster;
  if (!region_take(out, own * wide * wide * wide + 1, CELL * g->reach, arena))
    return mote_fail_memory(error, own * wide * wide * wide * 20);
  for (size_t i = 0; i < seeds->count; ++i) {
    for (size_t n = 0; n < wide * wide * wide && seeds->cluster[i] == cluster; ++n) {
      int32_t at[3] = {seeds->cell[i][0] - grow + (int32_t)(n % wide),
                       seeds->cell[i][1] - grow + (int32_t)(n / wide % wide),
                       seeds->cell[i][2] - grow + (int32_t)(n / wide / wide)};
      region_add(out, at);
    }
  }
  return MOTE_OK;
}

// --- What is kept of a mesh -------------------------------------------------------------------------------

typedef struct piece {
  const mote_mesh *mesh;
  mote_half_edges edges;
  uint8_t *kept;    // of each triangle
  uint32_t *out;    // of each vertex: the half-edge of the border that leaves it
  uint32_t *loop;   // of each vertex on the border
  uint32_t *first;  // a vertex of each loop
  size_t loops;
} piece;

// Border half-edges: of triangles that are kept, beside one that is not. Returns the vertices where borders
// meet.
static size_t find_border(piece *p, uint8_t *pinched) {
  size_t count = 0;
  for (size_t v = 0; v < p->mesh->vertices; ++v) p->out[v] = MOTE_NO_EDGE, pinched[v] = 0;
  for (uint32_t h = 0; h < 3 * p->mesh->triangles; ++h) {
    if (!p->kept[h / 3] || p->kept[p->edges.twin[h] / 3]) continue;
    uint32_t v = p->edges.origin[h];
    if (p->out[v] != MOTE_NO_EDGE && !pinched[v]) pinched[v] = 1, ++count;
    p->out[v] = h;
  }
  return count;
}

static void trim(piece *p, const uint8_t *pinched) {
  for (size_t f = 0; f < p->mesh->triangles; ++f) {
    const uint32_t *v = p->mesh->triangle + 3 * f;
    if (pinched[v[0]] || pinched[v[1]] || pinched[v[2]]) p->kept[f] = 0;
  }
}

// Kept triangles that hang together with few others, and have a border, go: sewn up they would be parts of
// their own.
static void drop_scraps(piece *p, uint32_t *queue, uint8_t *seen) {
  memset(seen, 0, p->mesh->triangles);
  for (uint32_t f = 0; f < p->mesh->triangles; ++f) {
    size_t done = 0, waiting = 0;
    bool border = false;
    if (!p->kept[f] || seen[f]) continue;
    seen[f] = 1, queue[waiting++] = f;
    while (done < waiting) {
      uint32_t at = queue[done++];
      for (uint32_t h = 3 * at; h < 3 * at + 3; ++h) {
        uint32_t next = p->edges.twin[h] / 3;
        border |= !p->kept[next];
        if (!p->kept[next] || seen[next]) continue;
        seen[next] = 1, queue[waiting++] = next;
      }
    }
    for (size_t i = 0; i < waiting && border && waiting < SCRAP; ++i) p->kept[queue[i]] = 0;
  }
}

static mote_result cut_piece(piece *p, const mote_surgery_side *s, const region *r, bool fresh,
                             const mote_env *env, mote_arena *arena, mote_error *error) {
  size_t n = s->mesh->vertices, triangles = s->mesh->triangles;
  *p = (piece){.mesh = s->mesh};
  MOTE_TRY(mote_half_edges_create(s->mesh, env->threads, arena, &p->edges, error));
  p->kept = mote_arena_take(arena, triangles, 1);
  p->out = mote_arena_take(arena, n, sizeof *p->out);
  p->loop = mote_arena_take(arena, n, sizeof *p->loop);
  p->first = mote_arena_take(arena, n, sizeof *p->first);
  uint8_t *pinched = mote_arena_take(arena, n, 1), *seen = mote_arena_take(arena, triangles, 1);
  uint32_t *queue = mote_arena_take(arena, triangles, sizeof *queue);
  if (p->kept == NULL || p->out == NULL || p->loop == NULL || p->first == NULL || pinched == NULL ||
      seen == NULL || queue == NULL)
    return mote_fail_memory(error, n * 13 + triangles);
  for (size_t f = 0; f < triangles; ++f) {
    const uint32_t *v = s->mesh->triangle + 3 * f;
    int inside = 0;
    for (int k = 0; k < 3; ++k) inside += region_has(r, s->mesh->vertex + 3 * (size_t)v[k]);
    bool cut = s->changes[v[0]];
    p->kept[f] = fresh ? cut && inside == 3 : !cut || inside == 0;
  }
  drop_scraps(p, queue, seen);
  for (int round = 0; round < TRIM_ROUNDS && find_border(p, pinched) > 0; ++round) {
    trim(p, pinched);
    drop_scraps(p, queue, seen);
  }
  for (uint32_t v = 0; v < n; ++v) p->loop[v] = MOTE_NO_EDGE;
  for (uint32_t v = 0; v < n; ++v) {
    if (p->out[v] == MOTE_NO_EDGE || p->loop[v] != MOTE_NO_EDGE) continue;
    p->first[p->loops] = v;
    for (uint32_t at = v; p->loop[at] == MOTE_NO_EDGE; at = mote_edge_end(&p->edges, p->out[at])) {
      p->loop[at] = (uint32_t)p->loops;
      if (p->out[mote_edge_end(&p->edges, p->out[at])] == MOTE_NO_EDGE) return p->loops = SIZE_MAX, MOTE_OK;
    }
    ++p->loops;
  }
  return MOTE_OK;
}

// --- Seams ------------------------------------------------------------------------------------------------

// The vertex of the other piece's border that is nearest; MOTE_NO_EDGE: none is near enough.
static uint32_t near_border(const piece *p, const double x[3], double most, const uint32_t *border,
                            size_t count) {
  uint32_t best = MOTE_NO_EDGE;
  double least = most * most;
  for (size_t i = 0; i < count; ++i) {
    double d[3];
    sub3(p->mesh->vertex + 3 * (size_t)border[i], x, d);
    if (dot3(d, d) < least) least = dot3(d, d), best = border[i];
  }
  return best;
}

typedef struct seams {
  piece *piece[2];      // old, fresh
  uint32_t *border[2];  // vertices
  size_t borders[2];
  uint32_t *partner[2];  // loop of the other side, of each loop
  double most;
} seams;

// The loop of the other side to which all vertices of a loop are near.
static bool find_partners(seams *s, int side) {
  const piece *p = s->piece[side], *q = s->piece[1 - side];
  for (size_t l = 0; l < p->loops; ++l) s->partner[side][l] = MOTE_NO_EDGE;
  for (size_t i = 0; i < s->borders[side]; ++i) {
    uint32_t v = s->border[side][i];
    uint32_t other =
        near_border(q, p->mesh->vertex + 3 * (size_t)v, s->most, s->border[1 - side], s->borders[1 - side]);
    if (other == MOTE_NO_EDGE) return false;
    uint32_t *partner = &s->partner[side][p->loop[v]], found = q->loop[other];
    if (*partner != MOTE_NO_EDGE && *partner != found) return false;
    *partner = found;
  }
  return true;
}

static mote_result match_loops(seams *s, mote_arena *arena, bool *fit, mote_error *error) {
  *fit = false;
  if (s->piece[0]->loops != s->piece[1]->loops || s->piece[0]->loops == SIZE_MAX) return MOTE_OK;
  for (int k = 0; k < 2; ++k) {
    const piece *p = s->piece[k];
    s->border[k] = mote_arena_take(arena, p->mesh->vertices, sizeof(uint32_t));
    s->partner[k] = mote_arena_take(arena, p->loops, sizeof(uint32_t));
    if (s->border[k] == NULL || s->partner[k] == NULL) return mote_fail_memory(error, p->mesh->vertices * 4);
    s->borders[k] = 0;
    for (uint32_t v = 0; v < p->mesh->vertices; ++v) {
      if (p->out[v] != MOTE_NO_EDGE) s->border[k][s->borders[k]++] = v;
    }
  }
  if (!find_partners(s, 0) || !find_partners(s, 1)) return MOTE_OK;
  *fit = true;
  for (size_t l = 0; l < s->piece[0]->loops; ++l) *fit = *fit && s->partner[1][s->partner[0][l]] == l;
  return MOTE_OK;
}

static uint32_t next_on(const piece *p, uint32_t v) {
  return mote_edge_end(&p->edges, p->out[v]);
}

// The vertices of a loop in order, from v on; the fresh one against its direction, so that both go the same
// way round.
static size_t list_loop(const piece *p, uint32_t v, bool backward, uint32_t *list) {
  size_t n = 0;
  uint32_t at = v;
  do list[n++] = at, at = next_on(p, at);
  while (at != v);
  for (size_t i = 1; backward && i < n - i; ++i) {
    uint32_t swap = list[i];
    list[i] = list[n - i], list[n - i] = swap;
  }
  return n;
}

// A strip between both loops, each step along the one that makes the shorter new edge.
static void sew(const seams *s, size_t loop, uint32_t *const list[2], const uint32_t *const number[2],
                mote_mesh *out) {
  const piece *a = s->piece[0], *b = s->piece[1];
  uint32_t start = a->first[loop];
  uint32_t near = near_border(b, a->mesh->vertex + 3 * (size_t)start, s->most, s->border[1], s->borders[1]);
  size_t m = list_loop(a, start, false, list[0]), n = list_loop(b, near, true, list[1]);
  for (size_t i = 0, j = 0; i < m || j < n;) {
    uint32_t o = list[0][i % m], next_o = list[0][(i + 1) % m], g = list[1][j % n],
             next_g = list[1][(j + 1) % n];
    double forward = distance3(a->mesh->vertex + 3 * (size_t)next_o, b->mesh->vertex + 3 * (size_t)g);
    double across = distance3(a->mesh->vertex + 3 * (size_t)o, b->mesh->vertex + 3 * (size_t)next_g);
    uint32_t *t = out->triangle + 3 * out->triangles++;
    if (j == n || (i < m && forward <= across)) {
      t[0] = number[0][next_o], t[1] = number[0][o], t[2] = number[1][g], ++i;
    } else {
      t[0] = number[1][g], t[1] = number[1][next_g], t[2] = number[0][o], ++j;
    }
  }
}

// --- The result -------------------------------------------------------------------------------------------

static void append_piece(const piece *p, uint32_t *number, uint32_t first_source, mote_surgery_result *r) {
  for (size_t v = 0; v < p->mesh->vertices; ++v) number[v] = UINT32_MAX;
  for (size_t i = 0; i < 3 * p->mesh->triangles; ++i) {
    if (p->kept[i / 3]) number[p->mesh->triangle[i]] = 0;
  }
  for (size_t v = 0; v < p->mesh->vertices; ++v) {
    if (number[v] == UINT32_MAX) continue;
    copy3(p->mesh->vertex + 3 * v, r->mesh.vertex + 3 * r->mesh.vertices);
    r->source[r->mesh.vertices] = first_source + (uint32_t)v;
    number[v] = (uint32_t)r->mesh.vertices++;
  }
  for (size_t f = 0; f < p->mesh->triangles; ++f) {
    if (!p->kept[f]) continue;
    for (size_t k = 0; k < 3; ++k)
      r->mesh.triangle[3 * r->mesh.triangles + k] = number[p->mesh->triangle[3 * f + k]];
    ++r->mesh.triangles;
  }
}

static mote_result join_pieces(seams *s, mote_arena *arena, mote_surgery_result *r, mote_error *error) {
  const mote_mesh *a = s->piece[0]->mesh, *b = s->piece[1]->mesh;
  size_t vertices = a->vertices + b->vertices, triangles = a->triangles + b->triangles + vertices;
  r->mesh.vertex = mote_arena_take(arena, 3 * vertices, sizeof(double));
  r->mesh.triangle = mote_arena_take(arena, 3 * triangles, sizeof(uint32_t));
  r->source = mote_arena_take(arena, vertices, sizeof(uint32_t));
  uint32_t *number[2], *list[2];
  for (int k = 0; k < 2; ++k) {
    number[k] = mote_arena_take(arena, s->piece[k]->mesh->vertices, sizeof(uint32_t));
    list[k] = mote_arena_take(arena, s->piece[k]->mesh->vertices, sizeof(uint32_t));
    if (number[k] == NULL || list[k] == NULL) return mote_fail_memory(error, vertices * 8);
  }
  if (r->mesh.vertex == NULL || r->mesh.triangle == NULL || r->source == NULL)
    return mote_fail_memory(error, vertices * 28 + triangles * 12);
  append_piece(s->piece[0], number[0], 0, r);
  r->kept = r->mesh.vertices;
  append_piece(s->piece[1], number[1], (uint32_t)a->vertices, r);
  for (size_t l = 0; l < s->piece[0]->loops; ++l)
    sew(s, l, list, (const uint32_t *const[2]){number[0], number[1]}, &r->mesh);
  r->done = true;
  return MOTE_OK;
}

mote_result mote_surgery_run(const mote_surgery *g, const mote_surgery_seeds *seeds, size_t cluster, int grow,
                             const mote_env *env, mote_arena *arena, mote_surgery_result *out,
                             mote_error *error) {
  MOTE_ASSERT(g->reach > 0.0 && grow >= 0 && cluster < seeds->clusters);
  region r;
  piece old, fresh;
  seams s = {.piece = {&old, &fresh}, .most = SEAM_MOST * g->reach};
  bool fit;
  *out = (mote_surgery_result){0};
  MOTE_TRY(grow_region(g, seeds, cluster, grow, arena, &r, error));
  MOTE_TRY(cut_piece(&old, &g->old, &r, false, env, arena, error));
  MOTE_TRY(cut_piece(&fresh, &g->fresh, &r, true, env, arena, error));
  MOTE_TRY(match_loops(&s, arena, &fit, error));
  return fit ? join_pieces(&s, arena, out, error) : MOTE_OK;
}
