// The coarse level of implicit viscosity: see viscous_coarse.h. Cells are at least as wide as the support,
// so only adjacent cells are coupled: 13 before a cell and 13 after it, in sorted order.
#include "fluid/viscous_coarse.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/tuning.inc"
#include "geom/triple.h"
#include "rows/pair_lanes.h"

#define CELLS_MAX 256  // keeps the factorisation cheap; chosen by eye
#define CELLS_PER_TASK 4
#define CELL_NEIGHBOURS 27
#define SELF (CELL_NEIGHBOURS / 2)
#define STORED_NEIGHBOURS (SELF + 1)  // the cell itself and those after it
#define CELL_MODES 6                  // in 3D; 2D: 3; pair form: 1
#define BLOCK_ENTRIES (CELL_MODES * CELL_MODES)

typedef struct corner {
  int64_t x, y, z;
} corner;

typedef struct making {
  mote_viscous_coarse *coarse;
  corner *at;        // of each cell
  uint32_t *behind;  // STORED_NEIGHBOURS of each cell; UINT32_MAX: none
  double *block;     // with each of these: rows of the cell, columns of the other
} making;

// --- Cells ---

static double edge_of(const mote_fluid *f) {
  double share = (double)f->count / CELLS_MAX;
  double across = f->domain.dimensions == 3 ? mote_cbrt(share) : sqrt(share);
  return max2(f->support, f->spacing * max2(COARSE_CELL_EDGE_MIN, across));
}

static mote_result sort_into_cells(mote_viscous_coarse *c, mote_error *error) {
  const mote_fluid *f = c->matrix->fluid;
  double edge = edge_of(f);
  for (;; edge *= EDGE_GROWTH) {
    mote_space space = mote_space_make(&f->domain, f->low, f->high, edge, edge);
    MOTE_TRY(
        mote_cells_build(&c->cells, &f->env, &space, f->position, f->count, true, f->low, f->high, error));
    if (c->cells.cells <= CELLS_MAX) return MOTE_OK;
  }
}

static void locate_cells(making *m) {
  mote_viscous_coarse *c = m->coarse;
  const mote_cells *cells = &c->cells;
  for (size_t row = 0; row < cells->rows; ++row) {
    for (size_t k = cells->row[row].cell; k < cells->row[row + 1].cell; ++k) {
      m->at[k] = (corner){cells->cell[k].x, cells->row[row].y, cells->row[row].z};
    }
  }
  for (size_t k = 0; k < cells->cells; ++k) {
    double sum[3] = {0}, share = 1.0 / (double)(cells->cell[k + 1].point - cells->cell[k].point);
    for (size_t n = cells->cell[k].point; n < cells->cell[k + 1].point; ++n) {
      size_t i = cells->order[n];
      c->cell[i] = (uint32_t)k;
      step3(sum, share, c->matrix->fluid->position + 3 * i, sum);
    }
    copy3(sum, c->centre + 3 * k);
  }
}

// --- The matrix ---

// The velocity of particle i by each mode of a cell: three rows.
static void find_modes(const mote_viscous_coarse *c, size_t i, size_t cell, double out[3][CELL_MODES]) {
  double arm[3];
  memset(out, 0, 3 * sizeof out[0]);
  out[0][0] = 1.0;
  if (c->modes == 1) return;
  sub3(c->matrix->fluid->position + 3 * i, c->centre + 3 * cell, arm);
  out[1][1] = 1.0;
  if (c->modes == 3) {
    out[0][2] = -arm[1], out[1][2] = arm[0];
    return;
  }
  out[2][2] = 1.0;
  out[1][3] = -arm[2], out[2][3] = arm[1];
  out[0][4] = arm[2], out[2][4] = -arm[0];
  out[0][5] = -arm[1], out[1][5] = arm[0];
}

// sum += one^T C two, C symmetric: xx xy xz yy yz zz.
static void add_block(int modes, const double C[6], double one[3][CELL_MODES], double two[3][CELL_MODES],
                      double *sum) {
  for (int k = 0; k < modes; ++k) {
    double v[3] = {two[0][k], two[1][k], two[2][k]};
    double x = C[0] * v[0] + C[1] * v[1] + C[2] * v[2], y = C[1] * v[0] + C[3] * v[1] + C[4] * v[2];
    double z = C[2] * v[0] + C[4] * v[1] + C[5] * v[2];
    for (int l = 0; l < modes; ++l) sum[CELL_MODES * l + k] += one[0][l] * x + one[1][l] * y + one[2][l] * z;
  }
}

// Number of the neighbour cell b of a, 0 to 26.
static int neighbour_of(const corner *a, const corner *b) {
  return (int)((b->z - a->z) * 9 + (b->y - a->y) * 3 + (b->x - a->x)) + SELF;
}

// For particle i: sums of c x x^T (or of c, in the first entry) over its neighbours in each cell adjacent
// to its own; returns the cells found as bits.
static uint32_t add_pairs(const making *m, size_t i, size_t own, uint32_t other[CELL_NEIGHBOURS],
                          double C[CELL_NEIGHBOURS][6]) {
  const mote_viscous_matrix *A = m->coarse->matrix;
  const mote_fluid *f = A->fluid;
  uint32_t found = 0;
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p = mote_pair_lanes_load(&f->pairs, i, g.at);
    for (size_t k = 0; k < MOTE_LANES; ++k) {
      double c = (double)A->coefficient[MOTE_LANES * g.at + k];
      uint32_t j = f->pairs.lanes[g.at].index[k];
      if (c == 0.0 || m->coarse->cell[j] == own) continue;
      int neighbour = neighbour_of(&m->at[own], &m->at[m->coarse->cell[j]]);
      if ((found >> neighbour & 1u) == 0) memset(C[neighbour], 0, sizeof C[neighbour]);
      found |= 1u << neighbour, other[neighbour] = m->coarse->cell[j];
      if (!A->central) {
        C[neighbour][0] += c;
        continue;
      }
      double x = (double)p.x[0][k], y = (double)p.x[1][k], z = (double)p.x[2][k];
      C[neighbour][0] += c * x * x, C[neighbour][1] += c * x * y, C[neighbour][2] += c * x * z;
      C[neighbour][3] += c * y * y, C[neighbour][4] += c * y * z, C[neighbour][5] += c * z * z;
    }
  }
  return found;
}

// x_ij is along the line through both, so the other's modes at i move it along x_ij as they move j.
static void add_particle(const making *m, size_t i, size_t cell) {
  const mote_viscous_coarse *c = m->coarse;
  double C[CELL_NEIGHBOURS][6], own[3][CELL_MODES], others[3][CELL_MODES], mass = (double)c->matrix->own[i];
  uint32_t other[CELL_NEIGHBOURS], found = add_pairs(m, i, cell, other, C);
  double *block = m->block + STORED_NEIGHBOURS * BLOCK_ENTRIES * cell,
         all[6] = {mass, 0.0, 0.0, mass, 0.0, mass};
  find_modes(c, i, cell, own);
  for (int neighbour = 0; neighbour < CELL_NEIGHBOURS; ++neighbour) {
    if ((found >> neighbour & 1u) == 0) continue;
    for (int k = 0; k < 6; ++k) all[k] += C[neighbour][k];
    if (neighbour < SELF) continue;
    find_modes(c, i, other[neighbour], others);
    m->behind[STORED_NEIGHBOURS * cell + (size_t)(neighbour - SELF)] = other[neighbour];
    add_block(c->modes, C[neighbour], own, others, block + BLOCK_ENTRIES * (neighbour - SELF));
  }
  add_block(c->modes, all, own, own, block);
}

static void block_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const making *m = data;
  const mote_cells *cells = &m->coarse->cells;
  for (size_t k = begin; k < end; ++k) {
    memset(m->behind + STORED_NEIGHBOURS * k, 0xff, STORED_NEIGHBOURS * sizeof *m->behind);
    memset(m->block + STORED_NEIGHBOURS * BLOCK_ENTRIES * k, 0,
           STORED_NEIGHBOURS * BLOCK_ENTRIES * sizeof *m->block);
    m->behind[STORED_NEIGHBOURS * k] = (uint32_t)k;
    for (size_t n = cells->cell[k].point; n < cells->cell[k + 1].point; ++n)
      add_particle(m, cells->order[n], k);
  }
}

// --- The factor ---

typedef struct columns {
  size_t *first;
  uint32_t *row;
  double *value;
} columns;

// Columns of one cell: rows ascend, because cells do.
static size_t add_columns(const making *m, size_t cell, size_t end, columns *out) {
  const mote_fluid *f = m->coarse->matrix->fluid;
  size_t modes = (size_t)m->coarse->modes, dimensions = (size_t)f->domain.dimensions;
  const double *block = m->block + STORED_NEIGHBOURS * BLOCK_ENTRIES * cell;
  double loose = ROTATION_REGULARISATION * block[0] * f->support * f->support;
  for (size_t c = 0; c < modes; ++c) {
    for (size_t k = 0; k < STORED_NEIGHBOURS; ++k) {
      uint32_t other = m->behind[STORED_NEIGHBOURS * cell + k];
      if (other == UINT32_MAX) continue;
      for (size_t r = k == 0 ? c : 0; r < modes; ++r, ++end) {
        out->row[end] = (uint32_t)(modes * other + r);
        out->value[end] = (k == 0 ? 1.0 : -1.0) * block[BLOCK_ENTRIES * k + CELL_MODES * c + r];
        if (k == 0 && r == c && r >= dimensions) out->value[end] += loose;
      }
    }
    out->first[modes * cell + c + 1] = end;
  }
  return end;
}

static mote_result factorise(making *m, mote_error *error) {
  mote_viscous_coarse *c = m->coarse;
  mote_arena *arena = c->matrix->fluid->scratch;
  size_t modes = (size_t)c->modes, size = modes * c->cells.cells, most = size * modes * STORED_NEIGHBOURS,
         end = 0;
  columns a = {.first = mote_arena_take(arena, size + 1, sizeof *a.first),
               .row = mote_arena_take(arena, most, sizeof *a.row),
               .value = mote_arena_take(arena, most, sizeof *a.value)};
  if (!a.first || !a.row || !a.value) return mote_fail_memory(error, most * sizeof *a.value);
  a.first[0] = 0;
  for (size_t k = 0; k < c->cells.cells; ++k) end = add_columns(m, k, end, &a);
  mote_sparse matrix = {.size = size, .first = a.first, .row = a.row, .value = a.value};
  return mote_cholesky_create(&matrix, &c->matrix->fluid->env, &c->factor, error);
}

static mote_result make(mote_viscous_coarse *c, mote_error *error) {
  const mote_fluid *f = c->matrix->fluid;
  mote_arena *arena = f->scratch;
  MOTE_TRY(sort_into_cells(c, error));
  size_t cells = c->cells.cells, numbers = cells * (size_t)(c->modes * c->columns);
  making m = {.coarse = c,
              .at = mote_arena_take(arena, cells, sizeof *m.at),
              .behind = mote_arena_take(arena, STORED_NEIGHBOURS * cells, sizeof *m.behind),
              .block = mote_arena_take(arena, STORED_NEIGHBOURS * cells, BLOCK_ENTRIES * sizeof *m.block)};
  c->cell = mote_arena_take(arena, f->count, sizeof *c->cell);
  c->centre = mote_arena_take(arena, cells, 3 * sizeof *c->centre);
  c->coarse_residual = mote_arena_take(arena, numbers, sizeof *c->coarse_residual);
  c->coarse_velocity = mote_arena_take(arena, numbers, sizeof *c->coarse_velocity);
  if (!m.at || !m.behind || !m.block || !c->cell || !c->centre || !c->coarse_residual ||
      !c->coarse_velocity) {
    return mote_fail_memory(error, STORED_NEIGHBOURS * cells * BLOCK_ENTRIES * sizeof *m.block);
  }
  locate_cells(&m);
  mote_parallel_for(f->env.threads, cells, CELLS_PER_TASK, block_chunk, &m);
  return factorise(&m, error);
}

mote_result mote_viscous_coarse_make(mote_viscous_coarse *coarse, const mote_viscous_matrix *matrix,
                                     mote_error *error) {
  MOTE_ASSERT(matrix->fluid != NULL);
  MOTE_ASSERT(matrix->own != NULL && matrix->coefficient != NULL);
  const mote_domain *domain = &matrix->fluid->domain;
  *coarse = (mote_viscous_coarse){.matrix = matrix,
                                  .modes = !matrix->central          ? 1
                                           : domain->dimensions == 3 ? CELL_MODES
                                                                     : 3,
                                  .columns = matrix->central ? 1 : domain->dimensions};
  return make(coarse, error);
}

void mote_viscous_coarse_end(mote_viscous_coarse *coarse) {
  if (coarse->matrix == NULL) return;
  mote_cholesky_destroy(coarse->factor);
  mote_cells_destroy(&coarse->cells, &coarse->matrix->fluid->env);
  coarse->matrix = NULL;
}

// --- Solving ---

typedef struct restriction {
  const mote_viscous_coarse *coarse;
  const float *r;
} restriction;

// Index of unknown k of a cell: column by column for one mode, else mode by mode.
static inline size_t unknown_at(const mote_viscous_coarse *c, size_t cell, size_t k) {
  return c->modes == 1 ? k * c->cells.cells + cell : (size_t)c->modes * cell + k;
}

// Z^T r: force and torque of the residual on each cell.
static void restrict_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const restriction *p = data;
  const mote_viscous_coarse *c = p->coarse;
  for (size_t cell = begin; cell < end; ++cell) {
    double force[3] = {0}, turn[3] = {0}, arm[3], torque[3];
    for (size_t n = c->cells.cell[cell].point; n < c->cells.cell[cell + 1].point; ++n) {
      size_t i = c->cells.order[n];
      double r[3] = {(double)p->r[3 * i], (double)p->r[3 * i + 1], (double)p->r[3 * i + 2]};
      step3(force, 1.0, r, force);
      sub3(c->matrix->fluid->position + 3 * i, c->centre + 3 * cell, arm);
      cross3(arm, r, torque);
      step3(turn, 1.0, torque, turn);
    }
    int axes = c->matrix->fluid->domain.dimensions;
    for (int a = 0; a < axes; ++a) c->coarse_residual[unknown_at(c, cell, (size_t)a)] = force[a];
    if (c->modes == 3) c->coarse_residual[unknown_at(c, cell, 2)] = turn[2];
    for (int a = 0; a < 3 && c->modes == CELL_MODES; ++a)
      c->coarse_residual[unknown_at(c, cell, 3 + (size_t)a)] = turn[a];
  }
}

double mote_viscous_coarse_solve(mote_viscous_coarse *coarse, const float *r) {
  MOTE_ASSERT(r != NULL);
  if (coarse->matrix == NULL) return 0.0;
  size_t numbers = coarse->cells.cells * (size_t)(coarse->modes * coarse->columns);
  double sum = 0.0;
  mote_parallel_for(coarse->matrix->fluid->env.threads, coarse->cells.cells, CELLS_PER_TASK, restrict_chunk,
                    &(restriction){coarse, r});
  memcpy(coarse->coarse_velocity, coarse->coarse_residual, numbers * sizeof *coarse->coarse_velocity);
  mote_cholesky_solve(coarse->factor, coarse->columns, coarse->coarse_velocity);
  for (size_t k = 0; k < numbers; ++k) sum += coarse->coarse_residual[k] * coarse->coarse_velocity[k];
  return sum;
}

void mote_viscous_coarse_velocity(const mote_viscous_coarse *c, size_t i, double out[3]) {
  MOTE_ASSERT(i < c->matrix->fluid->count);
  MOTE_ASSERT(c->cell[i] < c->cells.cells);
  size_t cell = c->cell[i];
  double spin[3] = {0}, arm[3], turned[3];
  set3(0.0, 0.0, 0.0, out);
  for (int a = 0; a < c->matrix->fluid->domain.dimensions; ++a)
    out[a] = c->coarse_velocity[unknown_at(c, cell, (size_t)a)];
  if (c->modes == 1) return;
  for (int a = 0; a < 3 && c->modes == CELL_MODES; ++a)
    spin[a] = c->coarse_velocity[unknown_at(c, cell, 3 + (size_t)a)];
  if (c->modes == 3) spin[2] = c->coarse_velocity[unknown_at(c, cell, 2)];
  sub3(c->matrix->fluid->position + 3 * i, c->centre + 3 * cell, arm);
  cross3(spin, arm, turned);
  step3(out, 1.0, turned, out);
}
