// Making and reading a motion: mote/deform.h, docs/theory/deformation.md, "Motion".
#include "deform/deform_motion.h"

#include <math.h>
#include <string.h>

#include "deform/deform_energy.h"
#include "geom/triple.h"

#define FRAMES_MAX 1000
#define FRAMES_FIRST 5  // with obstacles or velocities, which a straight motion does not know of

mote_deform_motion_def mote_deform_motion_def_default(void) {
  return (mote_deform_motion_def){.weight = {2e5, 1.0, 100.0, 10.0, 1e-3, 1e5},
                                  .moving_frame = true,
                                  .frames_max = 40,
                                  .rounds = 8,
                                  .tolerance = 0.1,
                                  .evaluations = 300};
}

// --- Checks -----------------------------------------------------------------------------------------------

static mote_result check_numbers(const char *key, const double *x, size_t count, mote_error *error) {
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(x[i])) return mote_fail_key(error, key, "is not finite at node %zu", i / 3);
  return MOTE_OK;
}

static mote_result check_def(const mote_deform_motion_def *def, mote_error *error) {
  if (def->deform == NULL) return mote_fail_key(error, "deform", "is null");
  const double w[6] = {def->weight.key,      def->weight.rigidity,     def->weight.volume,
                       def->weight.velocity, def->weight.acceleration, def->weight.obstacle};
  for (int k = 0; k < 6; ++k)
    if (!(w[k] >= 0.0 && w[k] <= 1e12)) return mote_fail_key(error, "weight", "is %g", w[k]);
  if (!(def->weight.key > 0.0)) return mote_fail_key(error, "weight.key", "is not positive");
  if (def->frames_max < 1 || def->frames_max > FRAMES_MAX)
    return mote_fail_key(error, "frames_max", "is %zu, not 1 to %d", def->frames_max, FRAMES_MAX);
  if (def->rounds < 1) return mote_fail_key(error, "rounds", "is %d, not positive", def->rounds);
  if (def->evaluations < 1)
    return mote_fail_key(error, "evaluations", "is %d, not positive", def->evaluations);
  if (!(def->tolerance >= 0.0)) return mote_fail_key(error, "tolerance", "is negative or not a number");
  if (!(def->margin >= 0.0) || !isfinite(def->margin))
    return mote_fail_key(error, "margin", "is negative or not finite");
  return MOTE_OK;
}

static mote_result check_keys(const mote_deform_motion_def *def, const mote_deform_key *key, size_t keys,
                              mote_error *error) {
  if (key == NULL || keys == 0) return mote_fail_key(error, "key", "is missing: a motion needs one");
  if (keys > def->frames_max)
    return mote_fail_key(error, "frames_max", "is below %zu, the number of keys", keys);
  size_t n = 3 * mote_deform_nodes(def->deform);
  for (size_t j = 0; j < keys; ++j) {
    if (!isfinite(key[j].time) || (j > 0 && !(key[j].time > key[j - 1].time)))
      return mote_fail_key(error, "key", "%zu at %g s does not follow the one before", j, key[j].time);
    if (key[j].position == NULL) return mote_fail_key(error, "key", "%zu has no positions", j);
    MOTE_TRY(check_numbers("key", key[j].position, n, error));
    if (key[j].velocity != NULL) MOTE_TRY(check_numbers("key", key[j].velocity, n, error));
  }
  return MOTE_OK;
}

// --- Frames -----------------------------------------------------------------------------------------------

// (83) as an integral: three Gauss points between neighbouring frames. At the frames alone motions are found
// that accelerate between them.
static void set_smoothness(mote_deform_motion *m) {
  static const double at[3] = {0.5 - 0.38729833462074169, 0.5, 0.5 + 0.38729833462074169};
  static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  size_t n = m->frames;
  memset(m->smooth, 0, n * n * sizeof *m->smooth);
  for (size_t j = 0; j + 1 < n; ++j) {
    double length = m->time[j + 1] - m->time[j];
    for (int q = 0; q < 3; ++q) {
      mote_motion_row row;
      mote_motion_row_at(m->time, m->support, n, m->time[j] + at[q] * length, &row);
      double part = weight[q] * length / m->length;
      for (int a = 0; a < row.count; ++a)
        for (int b = 0; b < row.count; ++b)
          m->smooth[row.frame[a] * n + row.frame[b]] += part * row.bend[a] * row.bend[b];
    }
  }
}

mote_result mote_motion_set_frames(mote_deform_motion *m, const double *time, size_t count,
                                   mote_error *error) {
  size_t n = count * m->unknowns;
  // `time` may be the caller's of the round before: all that is needed of it is copied by the caller.
  mote_arena_release(&m->round, (mote_arena_mark){0});
  m->frames = count;
  MOTE_TAKE(m->time, &m->round, count, error);
  MOTE_TAKE(m->support, &m->round, count, error);
  MOTE_TAKE(m->share, &m->round, count, error);
  MOTE_TAKE(m->at_frame, &m->round, count, error);
  MOTE_TAKE(m->moving, &m->round, count, error);
  MOTE_TAKE(m->part, &m->round, 8 * count, error);
  MOTE_TAKE(m->smooth, &m->round, count * count, error);
  double **array[3] = {&m->unknown, &m->field, &m->force};
  for (int k = 0; k < 3; ++k) {
    MOTE_TAKE(*array[k], &m->round, n, error);
  }
  memcpy(m->time, time, count * sizeof *time);
  mote_motion_supports(m->time, count, m->support);
  for (size_t j = 0; j < count; ++j) {
    double low = j > 0 ? m->time[j - 1] : m->time[j], high = j + 1 < count ? m->time[j + 1] : m->time[j];
    m->share[j] = count > 1 ? 0.5 * (high - low) / m->length : 1.0;
    mote_motion_row_at(m->time, m->support, count, m->time[j], m->at_frame + j);
    mote_moving_frame_at(&m->path, m->time[j], m->moving + j);
  }
  set_smoothness(m);
  for (size_t j = 0; j < m->keys; ++j)
    mote_motion_row_at(m->time, m->support, count, m->key[j].time, m->at_key + j);
  return MOTE_OK;
}

// The keys, and with obstacles or velocities the middles of the longest intervals between them.
static size_t first_frames(const mote_deform_motion *m, double *time) {
  size_t count = m->keys;
  bool more = m->obstacles > 0;
  for (size_t j = 0; j < count; ++j) time[j] = m->key[j].time, more |= m->key[j].velocity != NULL;
  while (more && count > 1 && count < FRAMES_FIRST && count < m->def.frames_max) {
    size_t longest = 0, at = count;
    for (size_t j = 0; j + 1 < count; ++j)
      if (time[j + 1] - time[j] > time[longest + 1] - time[longest]) longest = j;
    for (; at > longest + 1; --at) time[at] = time[at - 1];
    time[longest + 1] = 0.5 * (time[longest] + time[longest + 2]);
    ++count;
  }
  return count;
}

// The targets of the keys, interpolated linearly; nodes that a key does not hold follow the frame of
// reference.
static void start_unknowns(mote_deform_motion *m) {
  for (size_t j = 0; j < m->frames; ++j) {
    size_t k = 0;
    while (k + 2 < m->keys && m->time[j] > m->key[k + 1].time) ++k;
    size_t next = k + 1 < m->keys ? k + 1 : k;
    double length = m->key[next].time - m->key[k].time,
           b = length > 0.0 ? (m->time[j] - m->key[k].time) / length : 0.0;
    for (size_t c = 0; c < m->unknowns; ++c) {
      double u0 = m->key[k].held == NULL || m->key[k].held[c / 3] ? m->key_target[k * m->unknowns + c] : 0.0;
      double u1 =
          m->key[next].held == NULL || m->key[next].held[c / 3] ? m->key_target[next * m->unknowns + c] : 0.0;
      m->unknown[j * m->unknowns + c] = (1.0 - b) * u0 + b * u1;
    }
  }
}

// --- Creation ---------------------------------------------------------------------------------------------

static mote_result copy_keys(mote_deform_motion *m, const mote_deform_key *key, mote_error *error) {
  size_t n = m->unknowns;
  for (size_t j = 0; j < m->keys; ++j) {
    MOTE_TAKE_NEW(double, position, &m->memory, n, error);
    double *velocity = NULL;
    uint8_t *held = NULL;
    m->key[j] = (mote_deform_key){.time = key[j].time};
    memcpy(position, key[j].position, n * sizeof *position);
    if (key[j].velocity != NULL) {
      MOTE_TAKE(velocity, &m->memory, n, error);
      memcpy(velocity, key[j].velocity, n * sizeof *velocity);
    }
    if (key[j].held != NULL) {
      MOTE_TAKE(held, &m->memory, m->nodes, error);
      memcpy(held, key[j].held, m->nodes);
    }
    m->key[j].position = position, m->key[j].velocity = velocity, m->key[j].held = held;
  }
  return MOTE_OK;
}

// Keys seen from the frame of reference.
static void set_targets(mote_deform_motion *m) {
  const double *rest = m->def.deform->rest;
  for (size_t j = 0; j < m->keys; ++j) {
    mote_moving_frame *f = m->key_moving_frame + j;
    mote_moving_frame_at(&m->path, m->key[j].time, f);
    for (size_t i = 0; i < m->nodes; ++i) {
      double off[3], y[3], *u = m->key_target + j * m->unknowns + 3 * i,
                           *v = m->key_velocity + j * m->unknowns + 3 * i;
      sub3(m->key[j].position + 3 * i, f->move[0], off);
      unturn3(f->rotation[0], off, y);
      for (size_t k = 0; k < 3; ++k) u[k] = y[k] - (rest[3 * i + k] - m->path.origin[k]);
      set3(0.0, 0.0, 0.0, v);
      if (m->key[j].velocity == NULL) continue;
      sub3(m->key[j].velocity + 3 * i, f->move[1], off);
      unturn3(f->rotation[0], off, v);
    }
  }
}

// The farthest point of those that are nearest to each node: balls of these radii cover the shape.
static void set_radii(mote_deform_motion *m) {
  const mote_deform *d = m->def.deform;
  mote_deform_near near[MOTE_DEFORM_REACH_MAX];
  size_t points = d->space.grid.count, all = points + d->mesh.vertices;
  for (size_t i = 0; i < m->nodes; ++i) m->radius[i] = 0.0;
  for (size_t p = 0; p < all; ++p) {
    double x[3], best = HUGE_VAL;
    uint32_t anchor = p < points ? (uint32_t)p : d->skin.anchor[p - points], node = 0;
    if (p < points) {
      mote_deform_grid_place(&d->space.grid, anchor, x);
    } else {
      copy3(d->mesh.vertex + 3 * (p - points), x);
    }
    uint32_t count = mote_deform_space_find(&d->space, x, anchor, near);
    for (uint32_t k = 0; k < count; ++k) {
      double distance = distance3(x, d->space.node[near[k].node]);
      if (distance < best) best = distance, node = near[k].node;
    }
    if (count > 0) m->radius[node] = max2(m->radius[node], best);
  }
}

static mote_result build(mote_deform_motion *m, const mote_deform_key *key,
                         const mote_deform_obstacle *obstacle, mote_error *error) {
  size_t n = m->unknowns, keys = m->keys;
  MOTE_TAKE(m->key, &m->memory, keys, error);
  MOTE_TAKE(m->obstacle, &m->memory, m->obstacles, error);
  MOTE_TAKE(m->radius, &m->memory, m->nodes, error);
  MOTE_TAKE(m->key_target, &m->memory, keys * n, error);
  MOTE_TAKE(m->key_velocity, &m->memory, keys * n, error);
  MOTE_TAKE(m->key_moving_frame, &m->memory, keys, error);
  MOTE_TAKE(m->at_key, &m->memory, keys, error);
  MOTE_TAKE(m->node, &m->memory, 3 * n, error);
  MOTE_TAKE_NEW(double, time, &m->memory, m->def.frames_max, error);
  if (m->obstacles > 0) memcpy(m->obstacle, obstacle, m->obstacles * sizeof *obstacle);
  MOTE_TRY(copy_keys(m, key, error));
  m->start = key[0].time;
  m->length = keys > 1 ? key[keys - 1].time - m->start : 1.0;
  if (m->obstacles > 0) set_radii(m);
  MOTE_TRY(mote_motion_path_make(m, error));
  set_targets(m);
  MOTE_TRY(mote_motion_set_frames(m, time, first_frames(m, time), error));
  start_unknowns(m);
  return MOTE_OK;
}

mote_result mote_deform_motion_create(const mote_deform_motion_def *def, const mote_deform_key *key,
                                      size_t keys, const mote_deform_obstacle *obstacle, size_t obstacles,
                                      mote_deform_motion **out, mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail_key(error, def == NULL ? "def" : "out", "is null");
  MOTE_TRY(check_def(def, error));
  MOTE_TRY(check_keys(def, key, keys, error));
  if (obstacles > 0 && obstacle == NULL) return mote_fail_key(error, "obstacle", "is null");
  for (size_t k = 0; k < obstacles; ++k)
    if (obstacle[k].shape == NULL && obstacle[k].distance == NULL)
      return mote_fail_key(error, "obstacle", "%zu has neither shape nor distance", k);
  const mote_env *env = &def->deform->env;
  MOTE_ALLOC_NEW(mote_deform_motion, m, env, 1, error);
  *m = (mote_deform_motion){.env = *env,
                            .memory = mote_arena_make(env),
                            .round = mote_arena_make(env),
                            .def = *def,
                            .nodes = mote_deform_nodes(def->deform),
                            .keys = keys,
                            .obstacles = obstacles};
  m->unknowns = 3 * m->nodes;
  mote_result result = build(m, key, obstacle, error);
  if (result == MOTE_OK) {
    *out = m;
  } else {
    mote_deform_motion_destroy(m);
  }
  return result;
}

void mote_deform_motion_destroy(mote_deform_motion *m) {
  if (m == NULL) return;
  mote_env env = m->env;
  mote_arena_destroy(&m->memory);
  mote_arena_destroy(&m->round);
  mote_free(&env, m, 1, sizeof *m);
}

// --- Reading ----------------------------------------------------------------------------------------------

size_t mote_deform_motion_frames(const mote_deform_motion *m, const double **time) {
  if (time != NULL) *time = m->time;
  return m->frames;
}

mote_result mote_deform_motion_evaluate(const mote_deform_motion *m, double t, double *position,
                                        double *velocity, double *acceleration, mote_error *error) {
  if (m == NULL) return mote_fail_key(error, "motion", "is null");
  if (!isfinite(t)) return mote_fail_key(error, "t", "is not finite");
  double at = min2(max2(t, m->start), m->start + (m->keys > 1 ? m->length : 0.0));
  mote_motion_row row;
  mote_moving_frame f;
  mote_motion_row_at(m->time, m->support, m->frames, at, &row);
  mote_moving_frame_at(&m->path, at, &f);
  for (size_t i = 0; i < m->nodes; ++i) {
    double y[3][3] = {{0}}, out[3][3];
    for (int e = 0; e < row.count; ++e) {
      const double *u = m->unknown + row.frame[e] * m->unknowns + 3 * i;
      step3(y[0], row.value[e], u, y[0]), step3(y[1], row.slope[e], u, y[1]),
          step3(y[2], row.bend[e], u, y[2]);
    }
    for (size_t k = 0; k < 3; ++k) y[0][k] += m->def.deform->rest[3 * i + k] - m->path.origin[k];
    for (int order = 0; order < 3; ++order) {
      // Leibniz: 1; 1 1; 1 2 1
      copy3(f.move[order], out[order]);
      for (int k = 0; k <= order; ++k) {
        double turned[3];
        turn3(f.rotation[k], y[order - k], turned);
        step3(out[order], order == 2 && k == 1 ? 2.0 : 1.0, turned, out[order]);
      }
    }
    if (at != t) set3(0.0, 0.0, 0.0, out[1]), set3(0.0, 0.0, 0.0, out[2]);
    if (position != NULL) copy3(out[0], position + 3 * i);
    if (velocity != NULL) copy3(out[1], velocity + 3 * i);
    if (acceleration != NULL) copy3(out[2], acceleration + 3 * i);
  }
  return MOTE_OK;
}

mote_result mote_deform_motion_read(mote_deform_motion *m, double t, double *vertex, double *normal,
                                    double *velocity, mote_error *error) {
  if (m == NULL || vertex == NULL) return mote_fail_key(error, m == NULL ? "motion" : "vertex", "is null");
  mote_deform *d = m->def.deform;
  double *x = m->node, *v = m->node + m->unknowns;
  MOTE_TRY(mote_deform_motion_evaluate(m, t, x, v, NULL, error));
  if (velocity != NULL) {
    // The field is linear in the nodes: velocities are displacements of the mesh by the nodes' velocities.
    for (size_t k = 0; k < m->unknowns; ++k) v[k] += d->rest[k];
    MOTE_TRY(mote_deform_read_at(d, v, velocity, NULL, error));
    for (size_t k = 0; k < 3 * d->mesh.vertices; ++k) velocity[k] -= d->mesh.vertex[k];
  }
  return mote_deform_read_at(d, x, vertex, normal, error);
}
