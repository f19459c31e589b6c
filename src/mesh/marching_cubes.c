// Marching cubes on a sparse field: see marching_cubes.h and docs/theory/marching_cubes.md. Blocks are
// counted, numbered and written in parallel. One vertex per crossed edge of the grid, numbered by (block,
// node, axis): a block keeps, for each row of 8 nodes, one bit per node and axis, and the number of vertices
// before the row, so that any other block finds any vertex without a table.
#include "mesh/marching_cubes.h"

#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "mesh/graze.h"
#include "mesh/loop_fill.h"
#include "mesh/marching_table.h"
#include "mesh/tuning.inc"

#define SIDE MOTE_BLOCK_SIDE
#define ROWS (SIDE * SIDE)
#define PAD (SIDE + 1)
#define BLOCKS_PER_TASK 16  // blocks of a task

typedef struct block_map {
  uint32_t mark[ROWS];    // bit 4 x + axis: the row's node x has a vertex; axis 3 is inside the cube
  uint16_t before[ROWS];  // vertices of the rows before
  uint32_t vertices, triangles;
} block_map;

typedef struct march {
  const mote_sparse_field *field;
  const mote_marching_table *table;
  block_map *map;
  size_t *first_vertex, *first_triangle;  // of each block
  bool *broken;                           // a cube at the end of the block's field is crossed
  mote_graze graze;
  mote_mesh mesh;
  mote_grid_vertex *place;
} march;

// The values of a block's nodes and of the nodes above. Where there is no block above, the nearest of its
// own: nothing crosses there.
typedef struct padded {
  float value[PAD * PAD * PAD];
  unsigned absent;  // bit k: there is no block above[k]
} padded;

static const int step[3] = {1, PAD, PAD *PAD};

static void gather(const mote_sparse_field *field, size_t block, padded *out) {
  out->absent = 0;
  const float *source[8];
  for (unsigned k = 0; k < 8; ++k) {
    uint32_t b = k == 0 ? (uint32_t)block : field->above[block][k];
    out->absent |= (unsigned)(b == MOTE_BLOCK_ABSENT) << k;
    source[k] = b == MOTE_BLOCK_ABSENT ? NULL : field->value + (size_t)b * MOTE_BLOCK_NODES;
  }
  for (unsigned z = 0, i = 0; z < PAD; ++z) {
    for (unsigned y = 0; y < PAD; ++y) {
      unsigned k = (y >> 3) << 1 | (z >> 3) << 2;
      unsigned own = ((z < SIDE ? z : SIDE - 1) * SIDE + (y < SIDE ? y : SIDE - 1)) * SIDE;
      unsigned row = ((z & 7) * SIDE + (y & 7)) * SIDE;
      const float *lower = source[k] ? source[k] + row : source[0] + own;
      for (unsigned x = 0; x < SIDE; ++x) out->value[i++] = lower[x];
      out->value[i++] = source[k | 1] ? source[k | 1][row] : source[0][own + SIDE - 1];
    }
  }
}

static bool has_crossing(const padded *p) {
  int inside = 0;
  for (int i = 0; i < PAD * PAD * PAD; ++i) inside += p->value[i] > 0.0f;
  return inside > 0 && inside < PAD * PAD * PAD;
}

// The pattern of signs of the cube whose lowest node is v.
static inline unsigned pattern_of(const float *v) {
  return (unsigned)(v[0] > 0) | (unsigned)(v[1] > 0) << 1 | (unsigned)(v[PAD] > 0) << 2 |
         (unsigned)(v[PAD + 1] > 0) << 3 | (unsigned)(v[PAD * PAD] > 0) << 4 |
         (unsigned)(v[PAD * PAD + 1] > 0) << 5 | (unsigned)(v[PAD * PAD + PAD] > 0) << 6 |
         (unsigned)(v[PAD * PAD + PAD + 1] > 0) << 7;
}

static const mote_cube_case *case_of(const march *m, const float *v, unsigned pattern) {
  if (m->table->ambiguous[pattern] == 0) return m->table->cases + m->table->first[pattern];
  float corner[8];
  for (int k = 0; k < 8; ++k) corner[k] = v[(k & 1) + (k >> 1 & 1) * PAD + (k >> 2) * PAD * PAD];
  return mote_cube_case_of(m->table, pattern, corner);
}

// Counts a row of nodes and cubes; returns the row's marks.
static uint32_t count_row(march *m, size_t block, const padded *p, unsigned y, unsigned z) {
  const float *v = p->value + (z * PAD + y) * PAD;
  uint32_t mark = 0;
  for (unsigned x = 0; x < SIDE; ++x, ++v) {
    unsigned pattern = pattern_of(v);
    if (pattern == 0 || pattern == 255) continue;
    const mote_cube_case *found = case_of(m, v, pattern);
    unsigned changes = (pattern & 1) ? ~pattern : pattern;
    unsigned bits = (changes >> 1 & 1) | (changes >> 2 & 1) << 1 | (changes >> 4 & 1) << 2;
    mark |= (bits | (unsigned)(found->centred != 0) << 3) << 4 * x;
    m->map[block].triangles += found->triangles;
    unsigned end = (x + 1) >> 3 | ((y + 1) >> 3) << 1 | ((z + 1) >> 3) << 2;
    for (unsigned k = 1; k < 8; ++k) m->broken[block] |= (k & end) == k && (p->absent >> k & 1);
  }
  return mark;
}

static void count_blocks(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  march *m = data;
  padded p;
  for (size_t b = begin; b < end; ++b) {
    block_map *map = m->map + b;
    map->vertices = map->triangles = 0;
    m->broken[b] = false;
    gather(m->field, b, &p);
    bool crossed = has_crossing(&p);
    for (unsigned row = 0; row < ROWS; ++row) {
      map->before[row] = (uint16_t)map->vertices;
      map->mark[row] = crossed ? count_row(m, b, &p, row % SIDE, row / SIDE) : 0;
      map->vertices += (uint32_t)__builtin_popcount(map->mark[row]);
    }
  }
}

// The number of the vertex on `axis` of a node of this block or the blocks above.
static uint32_t vertex_at(const march *m, size_t block, unsigned x, unsigned y, unsigned z, unsigned axis) {
  size_t b = block;
  unsigned k = x >> 3 | (y >> 3) << 1 | (z >> 3) << 2;
  if (k) b = m->field->above[block][k];
  const block_map *map = m->map + b;
  unsigned row = (z & 7) * SIDE + (y & 7);
  uint32_t bit = (uint32_t)1 << (4 * (x & 7) + axis);
  MOTE_ASSERT(map->mark[row] & bit);
  return (uint32_t)m->first_vertex[b] + map->before[row] +
         (uint32_t)__builtin_popcount(map->mark[row] & (bit - 1));
}

// Where the values change sign between a node and the next, in cells.
static double crossing(float here, float there) {
  double t = (double)here / ((double)here - (double)there);
  return t < EDGE_END_MARGIN ? EDGE_END_MARGIN : t > 1.0 - EDGE_END_MARGIN ? 1.0 - EDGE_END_MARGIN : t;
}

// Vertices on the edges; those inside cubes are set with the cubes.
static void write_vertices(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const march *m = data;
  padded p;
  for (size_t b = begin; b < end; ++b) {
    if (m->map[b].vertices == 0) continue;
    gather(m->field, b, &p);
    size_t next = m->first_vertex[b];
    for (unsigned row = 0; row < ROWS; ++row) {
      for (uint32_t rest = m->map[b].mark[row]; rest; rest &= rest - 1, ++next) {
        unsigned bit = (unsigned)__builtin_ctz(rest), axis = bit & 3;
        unsigned node[3] = {bit >> 2, row % SIDE, row / SIDE};
        m->place[next] = (mote_grid_vertex){(uint32_t)b, (uint16_t)(row * SIDE + node[0]), (uint16_t)axis};
        if (axis == 3) continue;
        const float *v = p.value + (node[2] * PAD + node[1]) * PAD + node[0];
        double t = crossing(v[0], v[step[axis]]);
        if (t < MOTE_GRAZE_APART || t > 1.0 - MOTE_GRAZE_APART)
          t = mote_graze_move(&m->graze, (uint32_t)b, node, axis, t);
        for (unsigned k = 0; k < 3; ++k) {
          double at = (double)m->field->at[3 * b + k] * SIDE + node[k] + (k == axis ? t : 0.0);
          m->mesh.vertex[3 * next + k] = m->field->origin[k] + at * m->field->cell;
        }
      }
    }
  }
}

// The middle of a loop, inside its cube.
static void write_centre(const march *m, const uint32_t *loop, unsigned n, uint32_t centre) {
  const double *first = m->mesh.vertex + 3 * (size_t)loop[0];
  for (int k = 0; k < 3; ++k) {
    double sum = 0.0;
    for (unsigned i = 1; i < n; ++i) sum += m->mesh.vertex[3 * (size_t)loop[i] + k] - first[k];
    m->mesh.vertex[3 * (size_t)centre + k] = first[k] + sum / n;
  }
}

// Writes the triangles of the cube at (x, y, z); returns how many.
static unsigned write_cube(const march *m, size_t block, const mote_cube_case *found, const unsigned node[3],
                           uint32_t *out) {
  unsigned used = 0, written = 0;
  for (unsigned l = 0; l < found->loops; used += found->length[l++]) {
    unsigned n = found->length[l];
    const uint8_t *edge = found->edge + used;
    mote_loop loop = {.length = n};
    for (unsigned i = 0; i < n; ++i) {
      unsigned low = m->table->lower[edge[i]];
      loop.vertex[i] = vertex_at(m, block, node[0] + (low & 1), node[1] + (low >> 1 & 1),
                                 node[2] + (low >> 2), edge[i] / 4);
      loop.faces[i] = m->table->faces[edge[i]];
    }
    if (found->centred >> l & 1) {
      uint32_t centre = vertex_at(m, block, node[0], node[1], node[2], 3);
      write_centre(m, loop.vertex, n, centre);
      written += mote_loop_fan(&loop, centre, out + 3 * (size_t)written);
    } else {
      written += mote_loop_fill(&loop, m->mesh.vertex, out + 3 * (size_t)written);
    }
  }
  return written;
}

static void write_triangles(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const march *m = data;
  padded p;
  for (size_t b = begin; b < end; ++b) {
    if (m->map[b].triangles == 0) continue;
    gather(m->field, b, &p);
    uint32_t *out = m->mesh.triangle + 3 * m->first_triangle[b];
    for (unsigned i = 0; i < MOTE_BLOCK_NODES; ++i) {
      unsigned node[3] = {i % SIDE, i / SIDE % SIDE, i / ROWS};
      const float *v = p.value + (node[2] * PAD + node[1]) * PAD + node[0];
      unsigned pattern = pattern_of(v);
      if (pattern == 0 || pattern == 255) continue;
      out += 3 * (size_t)write_cube(m, b, case_of(m, v, pattern), node, out);
    }
    MOTE_ASSERT(out == m->mesh.triangle + 3 * (m->first_triangle[b] + m->map[b].triangles));
  }
}

// Numbers the blocks' vertices and triangles in order.
static mote_result number_blocks(march *m, mote_error *error) {
  size_t vertices = 0, triangles = 0;
  for (size_t b = 0; b < m->field->blocks; ++b) {
    if (m->broken[b]) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "the surface crosses the end of the field at block %zu",
                       b);
    }
    m->first_vertex[b] = vertices, vertices += m->map[b].vertices;
    m->first_triangle[b] = triangles, triangles += m->map[b].triangles;
  }
  if (vertices >= UINT32_MAX || triangles >= UINT32_MAX / 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is too large: %zu triangles", triangles);
  }
  m->mesh = (mote_mesh){.vertices = vertices, .triangles = triangles};
  return MOTE_OK;
}

static mote_result take_scratch(march *m, mote_arena *scratch, mote_error *error) {
  size_t n = m->field->blocks;
  MOTE_TAKE_NEW(mote_marching_table, table, scratch, 1, error);
  MOTE_TAKE(m->map, scratch, n, error);
  MOTE_TAKE(m->first_vertex, scratch, n, error);
  MOTE_TAKE(m->first_triangle, scratch, n, error);
  MOTE_TAKE(m->broken, scratch, n, error);
  mote_marching_table_fill(table);
  m->table = table;
  return mote_graze_make(m->field, scratch, &m->graze, error);
}

mote_result mote_marching_cubes(const mote_sparse_field *field, mote_arena *scratch, const mote_env *env,
                                mote_mesh *out, const mote_grid_vertex **place, mote_error *error) {
  MOTE_ASSERT(field->cell > 0.0);
  MOTE_ASSERT(field->blocks == 0 || (field->at != NULL && field->above != NULL && field->value != NULL));
  MOTE_ASSERT(scratch != NULL && out != NULL && place != NULL);
  mote_env resolved = mote_env_resolve(env);
  int threads = resolved.threads;
  march m = {.field = field};
  MOTE_TRY(take_scratch(&m, scratch, error));
  mote_parallel_for(threads, field->blocks, BLOCKS_PER_TASK, count_blocks, &m);
  MOTE_TRY(number_blocks(&m, error));
  m.place = mote_arena_take(scratch, m.mesh.vertices, sizeof *m.place);
  m.mesh.vertex = mote_alloc(&resolved, 3 * m.mesh.vertices, sizeof *m.mesh.vertex);
  m.mesh.triangle = mote_alloc(&resolved, 3 * m.mesh.triangles, sizeof *m.mesh.triangle);
  if (!m.place || !m.mesh.vertex || !m.mesh.triangle) {
    mote_mesh_free(&m.mesh, &resolved);
    return mote_fail_memory(error, 36 * m.mesh.vertices + 12 * m.mesh.triangles);
  }
  mote_parallel_for(threads, field->blocks, BLOCKS_PER_TASK, write_vertices, &m);
  mote_parallel_for(threads, field->blocks, BLOCKS_PER_TASK, write_triangles, &m);
  *out = m.mesh;
  *place = m.place;
  return MOTE_OK;
}
