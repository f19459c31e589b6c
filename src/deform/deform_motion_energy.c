// The energies of a motion, EG09 (82)-(85), without units: lengths in sizes, times in the length of the
// motion. See deform_motion.h.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "deform/deform_energy.h"
#include "deform/deform_motion.h"
#include "geom/pose.h"
#include "geom/triple.h"

enum { PART_RIGIDITY, PART_VOLUME, PART_OBSTACLE, PART_DEPTH, PART_ACCELERATION, PARTS = 8 };

// --- Obstacles --------------------------------------------------------------------------------------------

static double obstacle_distance(const mote_deform_obstacle *o, const double x[3], double t,
                                double normal[3]) {
  if (o->shape == NULL) return o->distance(o->user, x, t, normal);
  if (o->pose == NULL) return mote_shape_closest(o->shape, x, normal);
  mote_pose pose;
  double own[3], n[3];
  o->pose(o->user, t, &pose);
  mote_pose_unapply(&pose, x, own);
  double d = mote_shape_closest(o->shape, own, n);
  mote_pose_turn(&pose, n, normal);
  return d;
}

double mote_motion_distance(const mote_deform_motion *m, const double x[3], double t, double normal[3]) {
  double least = HUGE_VAL;
  set3(0.0, 0.0, 0.0, normal);
  for (size_t k = 0; k < m->obstacles; ++k) {
    double n[3], d = obstacle_distance(m->obstacle + k, x, t, n);
    if (d < least) least = d, copy3(n, normal);
  }
  return least;
}

// --- One time ---------------------------------------------------------------------------------------------

// lambda_5 per square of an acceleration of one node.
static double smoothness(const mote_deform_motion *m) {
  double T2 = m->length * m->length, size = m->def.deform->size;
  return m->def.weight.acceleration * T2 * T2 / (size * size * (double)m->nodes);
}

void mote_motion_place(const mote_deform_motion *m, const mote_moving_frame *moving, const double *u,
                       size_t i, double out[3]) {
  double y[3];
  for (size_t k = 0; k < 3; ++k) y[k] = m->def.deform->rest[3 * i + k] - m->path.origin[k] + u[3 * i + k];
  turn3(moving->rotation[0], y, out);
  step3(out, 1.0, moving->move[0], out);
}

// Energies of u' at one time, with the derivative by it where not null.
static void evaluate_at(const mote_deform_motion *m, const mote_moving_frame *moving, double t,
                        const double *u, double *force, double part[PARTS]) {
  const mote_deform_motion_weights *w = &m->def.weight;
  const mote_deform *d = m->def.deform;
  mote_deform_law law = {w->rigidity, w->volume};
  double L2 = 1.0 / (d->size * d->size * (double)m->nodes);
  memset(part, 0, PARTS * sizeof *part);
  mote_deform_evaluate_samples(d, &law, u, part, force);
  for (size_t i = 0; i < m->nodes && m->obstacles > 0; ++i) {
    double x[3], n[3], local[3];
    mote_motion_place(m, moving, u, i, x);
    double depth = m->radius[i] + m->def.margin - mote_motion_distance(m, x, t, n);
    if (!(depth > 0.0)) continue;
    part[PART_DEPTH] = max2(part[PART_DEPTH], depth - m->def.margin);
    part[PART_OBSTACLE] += w->obstacle * L2 * depth * depth;
    if (force == NULL) continue;
    unturn3(moving->rotation[0], n, local);
    step3(force + 3 * i, -2.0 * w->obstacle * L2 * depth, local, force + 3 * i);
  }
}

static void sum_rows(const mote_deform_motion *m, const double *unknown, const mote_motion_row *row,
                     const double *weight, double *out) {
  memset(out, 0, m->unknowns * sizeof *out);
  for (int e = 0; e < row->count; ++e) {
    const double *from = unknown + row->frame[e] * m->unknowns;
    for (size_t k = 0; k < m->unknowns; ++k) out[k] += weight[e] * from[k];
  }
}

double mote_motion_density(const mote_deform_motion *m, double t, double *node, double *penetration) {
  mote_motion_row row;
  mote_moving_frame moving;
  double part[PARTS], *second = node + m->unknowns;
  mote_motion_row_at(m->time, m->support, m->frames, t, &row);
  mote_moving_frame_at(&m->path, t, &moving);
  sum_rows(m, m->unknown, &row, row.value, node), sum_rows(m, m->unknown, &row, row.bend, second);
  evaluate_at(m, &moving, t, node, NULL, part);
  for (size_t k = 0; k < m->unknowns; ++k) part[PART_ACCELERATION] += smoothness(m) * second[k] * second[k];
  *penetration = part[PART_DEPTH];
  return part[PART_RIGIDITY] + part[PART_VOLUME] + part[PART_ACCELERATION] + part[PART_OBSTACLE];
}

// --- All frames -------------------------------------------------------------------------------------------

typedef struct motion_job {
  mote_deform_motion *motion;
  const double *unknown;
  double *gradient;
} motion_job;

static void frame_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const motion_job *job = data;
  mote_deform_motion *m = job->motion;
  for (size_t j = begin; j < end; ++j) {
    double *u = m->field + j * m->unknowns,
           *force = job->gradient != NULL ? m->force + j * m->unknowns : NULL;
    double *part = m->part + PARTS * j, sum = 0.0;
    sum_rows(m, job->unknown, m->at_frame + j, m->at_frame[j].value, u);
    if (force != NULL) memset(force, 0, m->unknowns * sizeof *force);
    evaluate_at(m, m->moving + j, m->time[j], u, force, part);
    const double *own = job->unknown + j * m->unknowns;
    for (size_t i = 0; i < m->frames; ++i) {
      double s = m->smooth[j * m->frames + i], dot = 0.0;
      if (s == 0.0) continue;
      for (size_t k = 0; k < m->unknowns; ++k) dot += own[k] * job->unknown[i * m->unknowns + k];
      sum += s * dot;
    }
    part[PART_ACCELERATION] = smoothness(m) * sum;
  }
}

// Gathers what the frames' forces do to the coefficients of one frame.
static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const motion_job *job = data;
  const mote_deform_motion *m = job->motion;
  for (size_t j = begin; j < end; ++j) {
    double *g = job->gradient + j * m->unknowns;
    for (size_t i = 0; i < m->frames; ++i) {
      const mote_motion_row *row = m->at_frame + i;
      for (int e = 0; e < row->count; ++e) {
        if (row->frame[e] != j) continue;
        double value = m->share[i] * row->value[e];
        const double *force = m->force + i * m->unknowns;
        for (size_t k = 0; k < m->unknowns; ++k) g[k] += value * force[k];
      }
      double smooth = 2.0 * smoothness(m) * m->smooth[j * m->frames + i];
      if (smooth == 0.0) continue;
      for (size_t k = 0; k < m->unknowns; ++k) g[k] += smooth * job->unknown[i * m->unknowns + k];
    }
  }
}

// Keys and velocities, which are few.
static void add_keys(const motion_job *job, mote_deform_motion_report *r) {
  mote_deform_motion *m = job->motion;
  double size = m->def.deform->size, *u = m->node, *v = m->node + m->unknowns;
  const mote_deform_motion_weights *w = &m->def.weight;
  for (size_t j = 0; j < m->keys; ++j) {
    const mote_deform_key *key = m->key + j;
    const mote_motion_row *row = m->at_key + j;
    const mote_moving_frame *f = m->key_moving_frame + j;
    double position = w->key / ((double)(m->keys * m->nodes) * size * size);
    double velocity = w->velocity * m->length * m->length / ((double)(m->keys * m->nodes) * size * size);
    sum_rows(m, job->unknown, row, row->value, u), sum_rows(m, job->unknown, row, row->slope, v);
    for (size_t i = 0; i < m->nodes; ++i) {
      double off[3] = {0}, rate[3] = {0}, y[3], spin[3] = {0}, back[3] = {0};
      if (key->held == NULL || key->held[i]) {
        sub3(u + 3 * i, m->key_target + j * m->unknowns + 3 * i, off);
        r->key_error = max2(r->key_error, length3(off) / size);
        r->key += position * dot3(off, off);
      }
      if (key->velocity != NULL) {
        // R^T (R' y + c' - v) + u'_t
        for (size_t k = 0; k < 3; ++k)
          y[k] = m->def.deform->rest[3 * i + k] - m->path.origin[k] + u[3 * i + k];
        turn3(f->rotation[1], y, spin);
        unturn3(f->rotation[0], spin, rate);
        step3(rate, 1.0, v + 3 * i, rate);
        sub3(rate, m->key_velocity + j * m->unknowns + 3 * i, rate);
        r->velocity += velocity * dot3(rate, rate);
        turn3(f->rotation[0], rate, spin);
        unturn3(f->rotation[1], spin, back);  // (R^T R')^T rate
      }
      for (int e = 0; e < row->count && job->gradient != NULL; ++e) {
        double *g = job->gradient + row->frame[e] * m->unknowns + 3 * i;
        for (int k = 0; k < 3; ++k)
          g[k] += 2.0 * (position * row->value[e] * off[k] +
                         velocity * (row->slope[e] * rate[k] + row->value[e] * back[k]));
      }
    }
  }
}

double mote_motion_evaluate(mote_deform_motion *m, const double *unknown, mote_deform_motion_report *r,
                            double *gradient) {
  motion_job job = {m, unknown, gradient};
  mote_deform_motion_report sum = {
      .evaluations = r->evaluations + 1, .rounds = r->rounds, .frames = m->frames};
  mote_parallel_for(m->env.threads, m->frames, 1, frame_chunk, &job);
  if (gradient != NULL) {
    memset(gradient, 0, m->frames * m->unknowns * sizeof *gradient);
    mote_parallel_for(m->env.threads, m->frames, 1, gather_chunk, &job);
  }
  for (size_t j = 0; j < m->frames; ++j) {
    const double *part = m->part + PARTS * j;
    sum.rigidity += m->share[j] * part[PART_RIGIDITY], sum.volume += m->share[j] * part[PART_VOLUME];
    sum.acceleration += part[PART_ACCELERATION], sum.obstacle += m->share[j] * part[PART_OBSTACLE];
    sum.penetration = max2(sum.penetration, part[PART_DEPTH]);
  }
  add_keys(&job, &sum);
  sum.energy = sum.rigidity + sum.volume + sum.acceleration + sum.obstacle + sum.key + sum.velocity;
  *r = sum;
  return sum.energy;
}
