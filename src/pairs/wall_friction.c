// Friction of walls: see wall_task.h.
//
// Samples lie behind the surface: with its velocity a fluid would slip by half a spacing. They get the
// velocity that a linear profile has there (Morris, Fox & Zhu 1997), so that with heights
// taken along the wall's normal v_i - v_b becomes (v_i - v_wall) h_ib / h_i. The first layer is d/2 deep.
#include <math.h>

#include "pairs/wall_task.h"

typedef struct friction_pair {
  float height;  // of the particle above the sample, along the normal
  float weight;  // V_b c, grad W = c x_ib
} friction_pair;

static friction_pair friction_pair_of(const mote_wall_task *job, size_t i, size_t b, const float G[3],
                                      float per_length) {
  const mote_fixed_position *fixed_position = job->part->fixed_position;
  uint32_t dummy = (uint32_t)job->part->count, index[4] = {(uint32_t)b, dummy, dummy, dummy};
  mote_pairs p = mote_pairs_load(&job->scale, &job->fluid->fixed_position[i], fixed_position, index);
  float height = -per_length * (p.x[0][0] * G[0] + p.x[1][0] * G[1] + p.x[2][0] * G[2]);
  float weight = p.volume[0] * mote_pairs_gradient_factor(&job->scale, &p)[0];
  float square = p.x[0][0] * p.x[0][0] + p.x[1][0] * p.x[1][0] + p.x[2][0] * p.x[2][0];
  return (friction_pair){height, weight * mote_wall_friction_factor(job->fluid, height, square)};
}

// Sample k of row n; the part's count where there is none.
static size_t sample_of(const mote_wall_task *job, size_t n, size_t k) {
  const mote_pair_set *neighbours = &job->walls->sample_neighbours;
  size_t row = neighbours->group[neighbours->first[n] + k / MOTE_LANES].index[k % MOTE_LANES];
  return row == job->walls->samples ? job->part->count : job->walls->sample[row];
}

void mote_wall_add_friction(const mote_wall_task *job, size_t n, const float G[3]) {
  MOTE_ASSERT(n < job->walls->sample_neighbours.rows);
  MOTE_ASSERT(job->walls->index[n] < job->fluid->count);
  MOTE_ASSERT(job->fluid->wall_friction_sum != NULL);
  mote_fluid *f = job->fluid;
  const mote_sample_part *part = job->part;
  size_t i = job->walls->index[n], pairs = MOTE_LANES * job->walls->sample_neighbours.number[n];
  float d = (float)f->spacing, nearest = (float)f->support;
  float length = G[0] * G[0] + G[1] * G[1] + G[2] * G[2];
  if (length == 0.0f) return;
  float per_length = 1.0f / sqrtf(length);
  for (size_t k = 0; k < pairs && sample_of(job, n, k) < part->count; ++k) {
    friction_pair p = friction_pair_of(job, i, sample_of(job, n, k), G, per_length);
    nearest = p.height < nearest ? p.height : nearest;
  }
  float own = nearest - 0.5f * d, height = own > 0.25f * d ? own : 0.25f * d;
  for (size_t k = 0; k < pairs && sample_of(job, n, k) < part->count; ++k) {
    size_t b = sample_of(job, n, k);
    friction_pair p = friction_pair_of(job, i, b, G, per_length);
    float w = part->friction[b] * p.weight * (p.height > height ? p.height / height : 1.0f);
    for (size_t a = 0; a < 3; ++a) {
      float v = part->velocity != NULL ? part->velocity[b].u[a] : 0.0f;
      f->wall_friction_sum[4 * i + a] += w * (part->belt != NULL ? v + part->belt[3 * b + a] : v);
    }
    f->wall_friction_sum[4 * i + 3] += w;
  }
  float *wall_plane = job->walls->wall_plane != NULL ? job->walls->wall_plane + 4 * i : NULL;
  for (int a = 0; a < 3 && wall_plane != NULL; ++a) wall_plane[a] = G[a] * per_length;
  if (wall_plane != NULL) wall_plane[3] = height;
}
