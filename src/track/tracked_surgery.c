// Joins two meshes along the border of a region: see tracked_surgery.h.
#include "track/tracked_surgery.h"

#include <math.h>
#include <mote/search.h>
#include <string.h>

#include "geom/triple.h"
#include "track/tracked_cross.h"
#include "track/tuning.inc"

#define SEAM_NEAR 16            // vertices of the other border among which one must do
#define OLD_SCRAP_TRIANGLES 30  // triangles
#define FRESH_SCRAP_TRIANGLES 6
#define TRIM_ROUNDS 12  // of removing triangles at vertices where loops meet

// --- Triangles that are kept ------------------------------------------------------------------------------

typedef struct piece {
  const mote_surgery_side *side;
  bool fresh;
  uint32_t *label;    // of each vertex: the cluster in whose region it is; MOTE_NO_CLUSTER
  uint8_t *kept;      // of each triangle: is in the result
  uint32_t *patch;    // of each triangle that is cut out of the old mesh or taken from the fresh one
  uint32_t *cluster;  // of each patch
  size_t patches;
  uint32_t *out;         // of each vertex: the half-edge of the border that leaves it
  uint32_t *loop;        // of each vertex on the border
  uint32_t *first;       // a vertex of each loop
  uint32_t *loop_patch;  // the patch of each loop
  uint32_t *border;      // vertices
  size_t loops, borders;
  uint8_t *pinched;  // vertices where borders meet
  uint8_t *seen;     // triangles
  uint32_t *queue;
} piece;

// Border half-edges: of kept triangles, whose twins are not kept. Returns the number of vertices where
// borders meet.
static size_t find_border(piece *p) {
  size_t count = 0;
  for (size_t v = 0; v < p->side->mesh->vertices; ++v) p->out[v] = MOTE_NO_EDGE, p->pinched[v] = 0;
  for (uint32_t h = 0; h < 3 * p->side->mesh->triangles; ++h) {
    if (!p->kept[h / 3] || p->kept[p->side->edges.twin[h] / 3]) continue;
    uint32_t v = p->side->edges.origin[h];
    if (p->out[v] != MOTE_NO_EDGE && !p->pinched[v]) p->pinched[v] = 1, ++count;
    p->out[v] = h;
  }
  return count;
}

static void trim(piece *p) {
  for (size_t f = 0; f < p->side->mesh->triangles; ++f) {
    const uint32_t *v = p->side->mesh->triangle + 3 * f;
    if (p->pinched[v[0]] || p->pinched[v[1]] || p->pinched[v[2]]) p->kept[f] = 0;
  }
}

// The connected component of triangle f among triangles with the same kept flag, in the queue. Returns its
// size, or at least `enough` if the component reaches a triangle marked MANY.
enum { UNSEEN, SEEN, MANY };
static size_t flood(piece *p, uint32_t f, size_t enough) {
  size_t done = 0, waiting = 0;
  bool many = false;
  p->seen[f] = SEEN, p->queue[waiting++] = f;
  while (done < waiting && waiting < enough && !many) {
    uint32_t at = p->queue[done++];
    for (uint32_t h = 3 * at; h < 3 * at + 3; ++h) {
      uint32_t next = p->side->edges.twin[h] / 3;
      if (p->kept[next] != p->kept[f]) continue;
      many |= p->seen[next] == MANY;
      if (p->seen[next] == UNSEEN) p->seen[next] = SEEN, p->queue[waiting++] = next;
    }
  }
  if (!many && waiting < enough) return waiting;
  for (size_t i = 0; i < waiting; ++i) p->seen[p->queue[i]] = MANY;
  return enough;
}

static bool is_at_border(const piece *p, uint32_t f) {
  const uint32_t *twin = p->side->edges.twin + 3 * (size_t)f;
  return p->kept[twin[0] / 3] != p->kept[f] || p->kept[twin[1] / 3] != p->kept[f] ||
         p->kept[twin[2] / 3] != p->kept[f];
}

// Removes small connected components of kept triangles that have a border: closed, they would become separate
// parts.
static void drop_scraps(piece *p) {
  size_t few = p->fresh ? FRESH_SCRAP_TRIANGLES : OLD_SCRAP_TRIANGLES;
  memset(p->seen, UNSEEN, p->side->mesh->triangles);
  for (uint32_t f = 0; f < p->side->mesh->triangles; ++f) {
    if (!p->kept[f] || p->seen[f] != UNSEEN || !is_at_border(p, f)) continue;
    size_t count = flood(p, f, few);
    for (size_t i = 0; i < count && count < few; ++i) p->kept[p->queue[i]] = 0;
  }
}

static mote_result take_piece(piece *p, mote_arena *arena, mote_error *error) {
  size_t n = p->side->mesh->vertices, triangles = p->side->mesh->triangles;
  uint32_t **by_vertex[] = {&p->label, &p->out, &p->loop, &p->first, &p->loop_patch, &p->border};
  uint32_t **by_triangle[] = {&p->patch, &p->cluster, &p->queue};
  for (size_t k = 0; k < sizeof by_vertex / sizeof *by_vertex; ++k)
    if ((*by_vertex[k] = mote_arena_take(arena, n, sizeof(uint32_t))) == NULL)
      return mote_fail_memory(error, n * sizeof(uint32_t));
  for (size_t k = 0; k < sizeof by_triangle / sizeof *by_triangle; ++k)
    if ((*by_triangle[k] = mote_arena_take(arena, triangles, sizeof(uint32_t))) == NULL)
      return mote_fail_memory(error, triangles * sizeof(uint32_t));
  MOTE_TAKE(p->kept, arena, triangles, error);
  MOTE_TAKE(p->seen, arena, triangles, error);
  MOTE_TAKE(p->pinched, arena, n, error);
  return MOTE_OK;
}

// A fresh vertex counts as inside if its old counterpart does, so that the borders of both meshes coincide
// where films are thinner than a cell.
static void label_vertices(const mote_surgery *g, const mote_region *r, const uint32_t *old, piece *p) {
  for (size_t v = 0; v < p->side->mesh->vertices; ++v) {
    uint32_t twin = p->fresh ? g->twin[v] : UINT32_MAX;
    p->label[v] = !p->side->changes[v] ? MOTE_NO_CLUSTER
                  : twin != UINT32_MAX ? old[twin]
                                       : mote_region_owner(r, p->side->mesh->vertex + 3 * v);
  }
}

static mote_result cut_piece(const mote_surgery *g, piece *p, const mote_region *r, const uint32_t *old,
                             mote_arena *arena, mote_error *error) {
  MOTE_TRY(take_piece(p, arena, error));
  label_vertices(g, r, old, p);
  for (size_t f = 0; f < p->side->mesh->triangles; ++f) {
    const uint32_t *v = p->side->mesh->triangle + 3 * f;
    int inside = 0;
    for (int k = 0; k < 3; ++k) inside += p->label[v[k]] != MOTE_NO_CLUSTER;
    p->kept[f] = p->fresh ? inside == 3 : inside == 0;
  }
  drop_scraps(p);
  for (int round = 0; round < TRIM_ROUNDS && find_border(p) > 0; ++round) {
    trim(p);
    drop_scraps(p);
  }
  find_border(p);
  return MOTE_OK;
}

// --- Patches and loops ------------------------------------------------------------------------------------

// Patches: connected components of the triangles that are cut out or inserted. Clusters that share a patch
// are merged.
static void find_patches(mote_surgery *g, piece *p) {
  memset(p->seen, UNSEEN, p->side->mesh->triangles);
  for (uint32_t f = 0; f < p->side->mesh->triangles; ++f) p->patch[f] = UINT32_MAX;
  for (uint32_t f = 0; f < p->side->mesh->triangles; ++f) {
    if (p->kept[f] != p->fresh || p->seen[f] != UNSEEN) continue;
    size_t count = flood(p, f, SIZE_MAX);
    uint32_t cluster = MOTE_NO_CLUSTER;
    for (size_t i = 0; i < 3 * count; ++i) {
      uint32_t label = p->label[p->side->mesh->triangle[3 * (size_t)p->queue[i / 3] + i % 3]];
      p->patch[p->queue[i / 3]] = (uint32_t)p->patches;
      if (label == MOTE_NO_CLUSTER) continue;
      if (cluster != MOTE_NO_CLUSTER) mote_cluster_join(g, cluster, label);
      cluster = label;
    }
    p->cluster[p->patches++] = cluster;
  }
}

// Vertices of trimmed triangles and of removed components also count as inside, so that the fresh vertices at
// the same positions do.
static void label_trimmed(piece *p) {
  memset(p->pinched, 0, p->side->mesh->vertices);
  for (size_t i = 0; i < 3 * p->side->mesh->triangles; ++i)
    if (p->kept[i / 3]) p->pinched[p->side->mesh->triangle[i]] = 1;
  for (size_t i = 0; i < 3 * p->side->mesh->triangles; ++i) {
    uint32_t v = p->side->mesh->triangle[i];
    if (!p->kept[i / 3] && !p->pinched[v] && p->label[v] == MOTE_NO_CLUSTER)
      p->label[v] = p->cluster[p->patch[i / 3]];
  }
  find_border(p);
}

static mote_cluster *cluster_of_patch(const mote_surgery *g, const piece *p, uint32_t patch) {
  uint32_t c = p->cluster[patch];
  return c == MOTE_NO_CLUSTER ? NULL : &g->cluster[c];
}

// All merges of clusters are known now.
static void root_patches(const mote_surgery *g, piece *p) {
  for (size_t k = 0; k < p->patches; ++k) {
    if (p->cluster[k] != MOTE_NO_CLUSTER) p->cluster[k] = mote_cluster_root(g, p->cluster[k]);
  }
}

// Adds the patches, and the parts of the mesh that they belong to, to the clusters. Uses p->first as scratch.
static void count_patches(const mote_surgery *g, piece *p) {
  uint32_t *part = p->first;
  for (uint32_t f = 0; f < p->side->mesh->triangles; ++f) {
    if (p->patch[f] != UINT32_MAX) part[p->patch[f]] = p->side->part[p->side->mesh->triangle[3 * (size_t)f]];
  }
  for (uint32_t k = 0; k < p->patches; ++k) {
    mote_cluster *c = cluster_of_patch(g, p, k);
    bool again = false;
    if (c == NULL) continue;
    for (uint32_t j = 0; j < k && !again; ++j) again = part[j] == part[k] && p->cluster[j] == p->cluster[k];
    ++c->patches[p->fresh], c->parts[p->fresh] += !again;
  }
}

// Adds the Euler number of one side to the clusters.
static void add_euler(const mote_surgery *g, piece *p) {
  int sign = p->fresh ? 1 : -1;
  memset(p->pinched, 0, p->side->mesh->vertices);
  for (uint32_t h = 0; h < 3 * p->side->mesh->triangles; ++h) {
    uint32_t patch = p->patch[h / 3], v = p->side->edges.origin[h];
    mote_cluster *c = patch == UINT32_MAX ? NULL : cluster_of_patch(g, p, patch);
    if (c == NULL) continue;
    bool rim = p->patch[p->side->edges.twin[h] / 3] == UINT32_MAX;
    c->euler += sign * ((h % 3 == 0 ? 2 : 0) - (rim ? 2 : 1) + (p->pinched[v] ? 0 : 2));
    p->pinched[v] = 1;
  }
}

// The patch beside a border half-edge.
static uint32_t patch_beside(const piece *p, uint32_t h) {
  return p->patch[(p->fresh ? h : p->side->edges.twin[h]) / 3];
}

// The region beside a border half-edge does not fit; marks the clusters of the cells there as the cause.
static void mark_unfit(const mote_surgery *g, const piece *p, uint32_t h) {
  uint32_t f = (p->fresh ? h : p->side->edges.twin[h]) / 3;
  mote_cluster *c = cluster_of_patch(g, p, p->patch[f]);
  if (c == NULL) return;
  c->state = MOTE_CLUSTER_UNFIT;
  for (size_t k = 0; k < 3; ++k) {
    uint32_t label = p->label[p->side->mesh->triangle[3 * (size_t)f + k]];
    if (label != MOTE_NO_CLUSTER) g->cluster[label].blamed = true;
  }
}

static uint32_t next_on(const piece *p, uint32_t v) {
  return mote_edge_end(&p->side->edges, p->out[v]);
}

static void find_loops(const mote_surgery *g, piece *p) {
  size_t n = p->side->mesh->vertices;
  for (uint32_t v = 0; v < n; ++v) {
    p->loop[v] = MOTE_NO_EDGE;
    if (p->out[v] != MOTE_NO_EDGE) p->border[p->borders++] = v;
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (p->out[v] == MOTE_NO_EDGE || p->loop[v] != MOTE_NO_EDGE) continue;
    uint32_t at = v;
    p->first[p->loops] = v, p->loop_patch[p->loops] = patch_beside(p, p->out[v]);
    while (p->out[at] != MOTE_NO_EDGE && p->loop[at] == MOTE_NO_EDGE) {
      p->loop[at] = (uint32_t)p->loops;
      if (p->pinched[at]) mark_unfit(g, p, p->out[at]);
      at = next_on(p, at);
    }
    if (at != v) mark_unfit(g, p, p->out[v]);
    ++p->loops;
  }
}

// --- Seams ------------------------------------------------------------------------------------------------

typedef struct seams {
  mote_surgery *g;
  const mote_env *env;
  piece piece[2];
  uint32_t *partner[2];  // of each loop: that of the other side
} seams;

// The nearest vertex of the other side's border that is within reach, has a similar normal and is in the same
// cluster; MOTE_NO_EDGE: none.
static uint32_t choose_near(const seams *s, int side, uint32_t v, const uint32_t *near,
                            const double *distance2) {
  const piece *p = &s->piece[side], *q = &s->piece[1 - side];
  const mote_cluster *own = cluster_of_patch(s->g, p, p->loop_patch[p->loop[v]]);
  const double *a = p->side->normal + 3 * (size_t)v, most = SEAM_MOST * s->g->reach;
  for (size_t k = 0; k < SEAM_NEAR && distance2[k] < most * most; ++k) {
    uint32_t w = q->border[near[k]];
    const double *b = q->side->normal + 3 * (size_t)w;
    if (dot3(a, b) >= SEAM_NORMAL_COSINE * length3(a) * length3(b) &&
        cluster_of_patch(s->g, q, q->loop_patch[q->loop[w]]) == own)
      return w;
  }
  return MOTE_NO_EDGE;
}

// For each border vertex of this side the SEAM_NEAR nearest border vertices of the other, as indices into its
// border.
static mote_result find_near(const seams *s, int side, mote_arena *arena, uint32_t **near, double **distance2,
                             mote_error *error) {
  double *at[2];
  size_t count = SEAM_NEAR * s->piece[side].borders;
  for (int k = 0; k < 2; ++k) {
    const piece *p = &s->piece[k];
    MOTE_TAKE(at[k], arena, 3 * p->borders, error);
    for (size_t i = 0; i < p->borders; ++i)
      copy3(p->side->mesh->vertex + 3 * (size_t)p->border[i], at[k] + 3 * i);
  }
  MOTE_TAKE(*near, arena, count, error);
  MOTE_TAKE(*distance2, arena, count, error);
  for (size_t i = 0; i < count; ++i) (*distance2)[i] = HUGE_VAL;
  if (s->piece[0].borders == 0 || s->piece[1].borders == 0) return MOTE_OK;
  mote_kdtree *tree;
  MOTE_TRY(mote_kdtree_create(3, at[1 - side], s->piece[1 - side].borders, s->env, &tree, error));
  mote_result result =
      mote_kdtree_nearest_at(tree, at[side], s->piece[side].borders, SEAM_NEAR, *near, *distance2, error);
  mote_kdtree_destroy(tree);
  return result;
}

// The loop of the other side to which most vertices of a loop are nearest.
static mote_result find_partners(seams *s, int side, mote_arena *arena, mote_error *error) {
  const piece *p = &s->piece[side], *q = &s->piece[1 - side];
  uint32_t *near = NULL;
  double *distance2 = NULL;
  MOTE_TAKE(s->partner[side], arena, p->loops, error);
  MOTE_TAKE_NEW(size_t, lead, arena, p->loops, error);
  MOTE_TRY(find_near(s, side, arena, &near, &distance2, error));
  for (size_t l = 0; l < p->loops; ++l) s->partner[side][l] = MOTE_NO_EDGE, lead[l] = 0;
  for (size_t i = 0; i < p->borders; ++i) {
    uint32_t v = p->border[i], l = p->loop[v];
    if (cluster_of_patch(s->g, p, p->loop_patch[l]) == NULL) continue;
    uint32_t other = choose_near(s, side, v, near + SEAM_NEAR * i, distance2 + SEAM_NEAR * i);
    if (other == MOTE_NO_EDGE) {
      mark_unfit(s->g, p, p->out[v]);
    } else if (s->partner[side][l] == q->loop[other]) {
      ++lead[l];
    } else if (lead[l] == 0) {
      s->partner[side][l] = q->loop[other], lead[l] = 1;
    } else {
      --lead[l];
    }
  }
  return MOTE_OK;
}

static mote_result match_loops(seams *s, mote_arena *arena, mote_error *error) {
  for (int side = 0; side < 2; ++side) MOTE_TRY(find_partners(s, side, arena, error));
  for (int side = 0; side < 2; ++side) {
    const piece *p = &s->piece[side];
    for (size_t i = 0; i < p->borders; ++i) {
      uint32_t v = p->border[i], l = p->loop[v], other = s->partner[side][l];
      if (other == MOTE_NO_EDGE || s->partner[1 - side][other] != l) mark_unfit(s->g, p, p->out[v]);
    }
  }
  return MOTE_OK;
}

// The vertices of a loop in order, from v on; the fresh loop reversed, so that both have the same
// orientation.
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

static uint32_t nearest_on(const piece *p, uint32_t loop, const double x[3]) {
  uint32_t best = p->first[loop], at = best;
  do {
    if (distance3(p->side->mesh->vertex + 3 * (size_t)at, x) <
        distance3(p->side->mesh->vertex + 3 * (size_t)best, x))
      best = at;
    at = next_on(p, at);
  } while (at != p->first[loop]);
  return best;
}

// A strip of triangles between both loops; each triangle advances on the loop that gives the shorter new
// edge. False: it goes round one loop at a single vertex of the other, which would duplicate an edge.
static bool sew(const seams *s, uint32_t loop, uint32_t *const list[2], const uint32_t *const number[2],
                mote_mesh *out) {
  const piece *a = &s->piece[0], *b = &s->piece[1];
  uint32_t start = a->first[loop],
           near = nearest_on(b, s->partner[0][loop], a->side->mesh->vertex + 3 * (size_t)start);
  size_t m = list_loop(a, start, false, list[0]), n = list_loop(b, near, true, list[1]), runs[2] = {0, 0};
  MOTE_ASSERT(m > 0 && n > 0);
  for (size_t i = 0, j = 0; i < m || j < n;) {
    uint32_t o = list[0][i % m], next_o = list[0][(i + 1) % m], g = list[1][j % n],
             next_g = list[1][(j + 1) % n];
    const double *x = a->side->mesh->vertex, *y = b->side->mesh->vertex;
    double forward = distance3(x + 3 * (size_t)next_o, y + 3 * (size_t)g);
    double across = distance3(x + 3 * (size_t)o, y + 3 * (size_t)next_g);
    uint32_t *t = out->triangle + 3 * out->triangles++;
    if (j == n || (i < m && forward <= across)) {
      t[0] = number[0][next_o], t[1] = number[0][o], t[2] = number[1][g], ++i;
      ++runs[0], runs[1] = 0;
    } else {
      t[0] = number[1][g], t[1] = number[1][next_g], t[2] = number[0][o], ++j;
      ++runs[1], runs[0] = 0;
    }
    if (runs[0] >= m || runs[1] >= n) return false;
  }
  return true;
}

// --- The result -------------------------------------------------------------------------------------------

static void append_piece(const piece *p, uint32_t *number, uint32_t first_source, mote_surgery_result *r) {
  const mote_mesh *mesh = p->side->mesh;
  for (size_t v = 0; v < mesh->vertices; ++v) number[v] = UINT32_MAX;
  for (size_t i = 0; i < 3 * mesh->triangles; ++i) {
    if (p->kept[i / 3]) number[mesh->triangle[i]] = 0;
  }
  for (size_t v = 0; v < mesh->vertices; ++v) {
    if (number[v] == UINT32_MAX) continue;
    copy3(mesh->vertex + 3 * v, r->mesh.vertex + 3 * r->mesh.vertices);
    r->source[r->mesh.vertices] = first_source + (uint32_t)v;
    number[v] = (uint32_t)r->mesh.vertices++;
  }
  for (size_t f = 0; f < mesh->triangles; ++f) {
    if (!p->kept[f]) continue;
    for (size_t k = 0; k < 3; ++k)
      r->mesh.triangle[3 * r->mesh.triangles + k] = number[mesh->triangle[3 * f + k]];
    ++r->mesh.triangles;
  }
}

// Clusters whose new triangles cross others. Triangles of the old mesh are not tested against each other:
// their crossings are known.
static mote_result find_crossed(seams *s, const mote_surgery_result *r, const uint32_t *number, double edge,
                                mote_arena *arena, mote_error *error) {
  const piece *p = &s->piece[1];
  MOTE_TAKE_NEW(uint8_t, marked, arena, r->mesh.vertices, error);
  MOTE_TAKE_NEW(uint8_t, fresh, arena, r->mesh.triangles, error);
  size_t crossings = 0;
  memset(marked, 0, r->mesh.vertices);
  for (size_t f = 0; f < r->mesh.triangles; ++f) {
    const uint32_t *v = r->mesh.triangle + 3 * f;
    fresh[f] = v[0] >= r->kept || v[1] >= r->kept || v[2] >= r->kept;
  }
  MOTE_TRY(mote_cross_mark(&r->mesh, edge, fresh, s->env->threads, arena, marked, &crossings, error));
  for (uint32_t h = 0; h < 3 * p->side->mesh->triangles && crossings > 0; ++h) {
    uint32_t v = p->side->edges.origin[h];
    if (!p->kept[h / 3] || !marked[number[v]]) continue;
    mote_cluster *c = cluster_of_patch(s->g, p, p->patch[h / 3]);
    if (c == NULL) continue;
    if (c->state == MOTE_CLUSTER_DONE) c->state = MOTE_CLUSTER_CROSSED;
    if (p->label[v] != MOTE_NO_CLUSTER) s->g->cluster[p->label[v]].blamed = true;
  }
  return MOTE_OK;
}

static mote_result join_pieces(seams *s, double edge, mote_arena *arena, mote_surgery_result *r,
                               mote_error *error) {
  const mote_mesh *a = s->piece[0].side->mesh, *b = s->piece[1].side->mesh;
  size_t vertices = a->vertices + b->vertices, triangles = a->triangles + b->triangles + vertices;
  MOTE_TAKE(r->mesh.vertex, arena, 3 * vertices, error);
  MOTE_TAKE(r->mesh.triangle, arena, 3 * triangles, error);
  MOTE_TAKE(r->source, arena, vertices, error);
  uint32_t *number[2], *list[2];
  for (int k = 0; k < 2; ++k) {
    MOTE_TAKE(number[k], arena, s->piece[k].side->mesh->vertices, error);
    MOTE_TAKE(list[k], arena, s->piece[k].side->mesh->vertices, error);
  }
  append_piece(&s->piece[0], number[0], 0, r);
  r->kept = r->mesh.vertices;
  append_piece(&s->piece[1], number[1], (uint32_t)a->vertices, r);
  bool sewn = true;
  for (uint32_t l = 0; l < s->piece[0].loops; ++l) {
    if (sew(s, l, list, (const uint32_t *const[2]){number[0], number[1]}, &r->mesh)) continue;
    mark_unfit(s->g, &s->piece[0], s->piece[0].out[s->piece[0].first[l]]);
    sewn = false;
  }
  return sewn ? find_crossed(s, r, number[1], edge, arena, error) : MOTE_OK;
}

mote_result mote_surgery_run(mote_surgery *g, double edge, const mote_env *env, mote_arena *arena,
                             mote_surgery_result *out, mote_error *error) {
  MOTE_ASSERT(g->reach > 0.0);
  mote_region r;
  seams s = {.g = g, .env = env};
  *out = (mote_surgery_result){0};
  MOTE_TRY(mote_region_grow(g, arena, &r, error));
  for (int k = 0; k < 2; ++k) {
    s.piece[k].side = &g->side[k], s.piece[k].fresh = k == 1;
    MOTE_TRY(cut_piece(g, &s.piece[k], &r, s.piece[0].label, arena, error));
    find_patches(g, &s.piece[k]);
    if (k == 0) label_trimmed(&s.piece[0]);
  }
  for (uint32_t c = 0; c < g->clusters; ++c) {
    mote_cluster *own = &g->cluster[c];
    own->state = MOTE_CLUSTER_DONE, own->blamed = false, own->euler = 0;
    for (int k = 0; k < 2; ++k) own->patches[k] = own->parts[k] = 0;
  }
  for (int k = 0; k < 2; ++k) {
    root_patches(g, &s.piece[k]);
    count_patches(g, &s.piece[k]);
    find_loops(g, &s.piece[k]);
    add_euler(g, &s.piece[k]);
  }
  MOTE_TRY(match_loops(&s, arena, error));
  mote_cluster_find_same(g);
  if (mote_cluster_any(g, MOTE_CLUSTER_UNFIT) || mote_cluster_any(g, MOTE_CLUSTER_SAME)) return MOTE_OK;
  MOTE_TRY(join_pieces(&s, edge, arena, out, error));
  out->done = !mote_cluster_any(g, MOTE_CLUSTER_UNFIT);
  return MOTE_OK;
}
