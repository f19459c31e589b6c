// Blocked dense Cholesky of the leading columns of a frontal block: a block of columns is factorised, then
// copied to tiles of four rows, and all the rest is updated four by four from the tiles. Every entry
// subtracts its products in the order of the columns, so results do not depend on threads.
#include "num/frontal_block.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/check.h"
#include "base/lane.h"
#include "base/parallel.h"

#define TILE_ROWS 4
#define BLOCK_COLUMNS 48       // columns of a block
#define TILES_PER_TASK 8       // columns of tiles that a thread takes at a time
#define WORTH_THREADS 2000000  // multiplications of an update below which threads cost more than they give

// Rows of a block in tiles: tile t holds rows 4t .. 4t+3, those of one column together; the last has zeros.
typedef struct tiles {
  size_t rows, depth;  // depth: columns of the block
  double *value;
} tiles;

static size_t tile_count(size_t rows) {
  return (rows + TILE_ROWS - 1) / TILE_ROWS;
}

size_t mote_frontal_block_scratch(size_t rows) {
  return (tile_count(rows) + 1) * TILE_ROWS * BLOCK_COLUMNS;
}

static void pack(tiles to, const double *from, size_t stride) {
  for (size_t t = 0; t < tile_count(to.rows); ++t) {
    size_t height = to.rows - t * TILE_ROWS < TILE_ROWS ? to.rows - t * TILE_ROWS : TILE_ROWS;
    double *value = to.value + t * TILE_ROWS * to.depth;
    for (size_t k = 0; k < to.depth; ++k) {
      for (size_t r = 0; r < TILE_ROWS; ++r)
        value[k * TILE_ROWS + r] = r < height ? from[t * TILE_ROWS + r + k * stride] : 0.0;
    }
  }
}

// c (height x width, by columns) less the products of a tile of rows a with a tile of rows b.
static void subtract_tile(size_t depth, const double *a, const double *b, double *c, size_t stride,
                          size_t height, size_t width) {
  mote_pair s00 = {0.0, 0.0}, s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  for (size_t k = 0; k < depth; ++k, a += TILE_ROWS, b += TILE_ROWS) {
    mote_pair low = mote_pair_load(a), high = mote_pair_load(a + 2);
    s00 += low * b[0], s01 += high * b[0];
    s10 += low * b[1], s11 += high * b[1];
    s20 += low * b[2], s21 += high * b[2];
    s30 += low * b[3], s31 += high * b[3];
  }
  const double sum[TILE_ROWS][TILE_ROWS] = {{s00[0], s00[1], s01[0], s01[1]},
                                            {s10[0], s10[1], s11[0], s11[1]},
                                            {s20[0], s20[1], s21[0], s21[1]},
                                            {s30[0], s30[1], s31[0], s31[1]}};
  for (size_t q = 0; q < width; ++q) {
    for (size_t r = 0; r < height; ++r) c[r + q * stride] -= sum[q][r];
  }
}

// target -= rows columns^T; where both are the same tiles only the lower triangle.
typedef struct product {
  tiles rows, columns;
  double *target;
  size_t stride;
} product;

static size_t extent(tiles of, size_t t) {
  size_t left = of.rows - t * TILE_ROWS;
  return left < TILE_ROWS ? left : TILE_ROWS;
}

// A tile of rows is multiplied by all columns [begin, end) while it is in the cache.
static void subtract_columns(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const product *p = data;
  size_t depth = p->rows.depth, step = TILE_ROWS * depth;
  bool lower = p->rows.value == p->columns.value;
  for (size_t t = lower ? begin : 0; t < tile_count(p->rows.rows); ++t) {
    size_t last = lower && t + 1 < end ? t + 1 : end;
    for (size_t q = begin; q < last; ++q) {
      subtract_tile(depth, p->rows.value + t * step, p->columns.value + q * step,
                    p->target + t * TILE_ROWS + q * TILE_ROWS * p->stride, p->stride, extent(p->rows, t),
                    extent(p->columns, q));
    }
  }
}

static void subtract_product(tiles rows, tiles columns, double *target, size_t stride, int threads) {
  if (rows.rows == 0 || columns.rows == 0) return;
  product p = {rows, columns, target, stride};
  if (rows.rows * columns.rows * rows.depth < WORTH_THREADS) threads = 1;
  mote_parallel_for(threads, tile_count(columns.rows), TILES_PER_TASK, subtract_columns, &p);
}

// y -= f[0] x[0] + f[1] x[stride] + .. over `count` columns.
static void subtract_column(size_t n, const double *x, size_t stride, size_t count, const double *f,
                            double *y) {
  for (size_t k = 0; k < count; ++k, x += stride) {
    double factor = f[k * stride];
    size_t r = 0;
    for (; r + 2 <= n; r += 2) mote_pair_store(y + r, mote_pair_load(y + r) - factor * mote_pair_load(x + r));
    if (r < n) y[r] -= factor * x[r];
  }
}

// Columns [begin, end) of the panel, from which the columns before have already been subtracted.
static size_t eliminate_block(const mote_frontal_block *f, size_t begin, size_t end, const double *least) {
  size_t m = f->rows;
  for (size_t c = begin; c < end; ++c) {
    double *column = f->panel + c * m + c;
    const double *row = f->panel + begin * m + c;
    subtract_column(m - c, row, m, c - begin, row, column);
    double pivot = column[0];
    if (!(pivot > least[c] && pivot <= DBL_MAX)) return c;
    double root = sqrt(pivot), inverse = 1.0 / root;
    column[0] = root;
    for (size_t r = 1; r < m - c; ++r) column[r] *= inverse;
  }
  return end;
}

size_t mote_frontal_block_eliminate(const mote_frontal_block *f, const double *least) {
  MOTE_ASSERT(f->columns <= f->rows);
  MOTE_ASSERT(f->panel != NULL || f->columns == 0);
  MOTE_ASSERT(f->update != NULL || f->rows == f->columns);
  MOTE_ASSERT(f->packed != NULL && least != NULL);
  size_t m = f->rows, below = m - f->columns;
  for (size_t begin = 0; begin < f->columns; begin += BLOCK_COLUMNS) {
    size_t end = f->columns - begin < BLOCK_COLUMNS ? f->columns : begin + BLOCK_COLUMNS, depth = end - begin;
    size_t done = eliminate_block(f, begin, end, least);
    if (done < end) return done;
    tiles inner = {f->columns - end, depth, f->packed};
    tiles outer = {below, depth, f->packed + tile_count(inner.rows) * TILE_ROWS * depth};
    pack(inner, f->panel + begin * m + end, m);
    pack(outer, f->panel + begin * m + f->columns, m);
    subtract_product(inner, inner, f->panel + end * m + end, m, f->threads);
    subtract_product(outer, inner, f->panel + end * m + f->columns, m, f->threads);
    subtract_product(outer, outer, f->update, below, f->threads);
  }
  return f->columns;
}
