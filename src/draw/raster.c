// Area filling: see raster.h. Each sub-row finds where the edges cross it, sorts the crossings, and adds the
// inside spans to the row as differences; a running sum over the row then is the coverage.
#include "draw/raster.h"

#include <math.h>
#include <string.h>

enum { ROWS = MOTE_RASTER_ROWS };

typedef struct raster_edge {
  double x, slope;  // at sub-row s: x + slope * s
  int last;         // sub-row
  int winding;
  int next;  // of those that begin on the same sub-row; -1 behind the last
} raster_edge;

typedef struct raster_crossing {
  double x;
  int winding, edge;
} raster_crossing;

typedef struct raster_job {
  mote_clip clip;
  int row0, row1;         // sub-rows in use: row0 <= s < row1
  raster_edge *edge;      // all edges
  int edges;              // their number
  int *head;              // first edge of each sub-row from row0
  raster_crossing *live;  // edges that cross the current sub-row, by x
  int lives;
  double *row;    // differences of coverage, one pixel row of the clip, two behind the last
  int low, high;  // pixels touched: low <= x < high
} raster_job;

// A sub-row s is crossed if its middle s + 1/2 lies in [y0, y1).
static void add_edge(raster_job *job, mote_point2 p, mote_point2 q) {
  int winding = p.y < q.y ? 1 : -1;
  if (winding < 0) {
    mote_point2 t = p;
    p = q;
    q = t;
  }
  double y0 = p.y * ROWS, y1 = q.y * ROWS;
  double first = fmax(ceil(y0 - 0.5), job->row0), last = fmin(ceil(y1 - 0.5) - 1, job->row1 - 1);
  if (first > last) return;
  double slope = (q.x - p.x) / (y1 - y0);
  int k = job->edges++, s = (int)first;
  job->edge[k] = (raster_edge){.x = p.x + (0.5 - y0) * slope,
                               .slope = slope,
                               .last = (int)last,
                               .winding = winding,
                               .next = job->head[s - job->row0]};
  job->head[s - job->row0] = k;
}

static void add_outline(raster_job *job, const mote_path *outline) {
  const mote_point2 *run;
  size_t count;
  for (size_t at = 0; mote_path_run(outline, &at, &run, &count);)
    for (size_t k = 0; k < count; ++k) add_edge(job, run[k], run[k + 1 < count ? k + 1 : 0]);
}

// Coverage of everything right of x, times `sign`.
static void add_step(raster_job *job, double x, double sign) {
  double inside = fmin(fmax(x - job->clip.x0, 0), job->clip.x1 - job->clip.x0);
  int k = (int)inside;
  double part = inside - k;
  job->row[k] += sign * (1 - part);
  job->row[k + 1] += sign * part;
  if (k < job->low) job->low = k;
  if (k + 2 > job->high) job->high = k + 2;
}

static void sort_live(raster_job *job) {
  raster_crossing *live = job->live;
  for (int a = 1; a < job->lives; ++a) {
    raster_crossing moved = live[a];
    int b = a;
    for (; b > 0 && live[b - 1].x > moved.x; --b) live[b] = live[b - 1];
    live[b] = moved;
  }
}

static void add_sub_row(raster_job *job, int s) {
  int kept = 0;
  for (int k = 0; k < job->lives; ++k)
    if (job->edge[job->live[k].edge].last >= s) job->live[kept++] = job->live[k];
  for (int e = job->head[s - job->row0]; e >= 0; e = job->edge[e].next)
    job->live[kept++] = (raster_crossing){.winding = job->edge[e].winding, .edge = e};
  job->lives = kept;
  for (int k = 0; k < kept; ++k) {
    const raster_edge *edge = job->edge + job->live[k].edge;
    job->live[k].x = edge->x + edge->slope * s;
  }
  sort_live(job);
  int winding = 0;
  for (int k = 0; k < kept; ++k) {
    int before = winding;
    winding += job->live[k].winding;
    if (before == 0 && winding != 0) add_step(job, job->live[k].x, 1);
    if (before != 0 && winding == 0) add_step(job, job->live[k].x, -1);
  }
}

static uint8_t mixed(uint8_t below, uint8_t above, double share) {
  return (uint8_t)(below + (above - below) * share + 0.5);
}

void mote_raster_blend(uint8_t *pixel, mote_colour colour, double share) {
  double alpha = share * colour.alpha / 255, below = pixel[3] / 255.0, total = alpha + below * (1 - alpha);
  double part = total > 0 ? alpha / total : 0;
  pixel[0] = mixed(pixel[0], colour.red, part);
  pixel[1] = mixed(pixel[1], colour.green, part);
  pixel[2] = mixed(pixel[2], colour.blue, part);
  pixel[3] = (uint8_t)(total * 255 + 0.5);
}

static void blend_row(raster_job *job, mote_image *image, int y, mote_colour colour) {
  int width = job->clip.x1 - job->clip.x0;
  uint8_t *pixel = image->pixel + 4 * ((size_t)y * (size_t)image->width + (size_t)job->clip.x0);
  double cover = 0;
  for (int k = job->low; k < job->high; ++k) {
    cover += job->row[k];
    job->row[k] = 0;
    double alpha = cover / ROWS;
    if (k < width && alpha > 1e-6) mote_raster_blend(pixel + 4 * k, colour, fmin(alpha, 1));
  }
  job->low = width + 2;
  job->high = 0;
}

static void fill_rows(raster_job *job, mote_image *image, mote_colour colour) {
  job->low = job->clip.x1 - job->clip.x0 + 2;
  for (int s = job->row0; s < job->row1; ++s) {
    add_sub_row(job, s);
    if ((s + 1) % ROWS == 0) blend_row(job, image, s / ROWS, colour);
  }
}

// The sub-rows of whole pixels that the outline can cross.
static void find_rows(raster_job *job, const mote_path *outline, size_t *edges) {
  double top = 1e30, bottom = -1e30;
  const mote_point2 *run;
  size_t count;
  *edges = 0;
  for (size_t at = 0; mote_path_run(outline, &at, &run, &count); *edges += count)
    for (size_t k = 0; k < count; ++k) {
      top = fmin(top, run[k].y);
      bottom = fmax(bottom, run[k].y);
    }
  double y0 = fmax(floor(top), job->clip.y0), y1 = fmin(ceil(bottom), job->clip.y1);
  job->row0 = y0 < y1 ? (int)y0 * ROWS : 0;
  job->row1 = y0 < y1 ? (int)y1 * ROWS : 0;
}

bool mote_raster_fill(mote_image *image, mote_clip clip, const mote_path *outline, mote_colour colour) {
  raster_job job = {.clip = clip};
  size_t edges;
  if (outline->points.failed) return false;
  find_rows(&job, outline, &edges);
  if (job.row0 >= job.row1 || clip.x0 >= clip.x1 || colour.alpha == 0) return true;
  size_t rows = (size_t)(job.row1 - job.row0), wide = (size_t)(clip.x1 - clip.x0) + 2;
  mote_buffer memory = mote_buffer_make(&image->env);
  size_t live_at = edges * sizeof *job.edge, row_at = live_at + edges * sizeof *job.live,
         head_at = row_at + wide * sizeof *job.row;
  uint8_t *block = edges < INT32_MAX ? mote_buffer_grow(&memory, head_at + rows * sizeof *job.head) : NULL;
  if (block != NULL) {
    job.edge = (raster_edge *)(void *)block;
    job.live = (raster_crossing *)(void *)(block + live_at);
    job.row = (double *)(void *)(block + row_at);
    job.head = (int *)(void *)(block + head_at);
    memset(job.row, 0, wide * sizeof *job.row);
    for (size_t s = 0; s < rows; ++s) job.head[s] = -1;
    add_outline(&job, outline);
    fill_rows(&job, image, colour);
  }
  mote_buffer_free(&memory);
  return block != NULL;
}
