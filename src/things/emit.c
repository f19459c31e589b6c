// Emitters: see emit.h.
//
// The flow is a column of material that moves through the opening. It is cut into layers of N = area /
// spacing^(d-1) points, rounded, with the thickness that gives particles the volume spacing^d. A layer is
// added when its middle passes the opening: then the emitted volume differs from that of the flow by at most
// half a layer. Points over a disc lie on rings, each with its share of the area, the outermost RIM_DISTANCE
// of a ring's width from the rim.
#include "things/emit.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/pi.h"
#include "things/quantity.h"
#include "things/tuning.inc"

#define POINTS_MAX 1e7  // range: of a layer
#define LAYERS_MAX 1e6  // range: in a step
#define VELOCITY_GRAIN 4096

struct mote_nozzle {
  mote_env env;
  double centre[3], direction[3], across[3], up[3];  // unit vectors
  mote_quantity speed;
  double start, end;
  uint64_t most;
  double area, volume, layer;  // of the opening, of a particle, thickness
  bool disc;
  double half[2];  // width and height; of a disc its radius
  double *point;   // offsets from the centre, three each
  size_t points;
  double steered;  // m/s: the flow instead of speed, start and end; negative: it is not
};

// --- The opening ---

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// False: no direction.
static bool normalise(double x[3]) {
  double largest = fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2]));
  if (!(largest > 0.0) || !isfinite(largest)) return false;
  for (int a = 0; a < 3; ++a) x[a] /= largest;
  double length = sqrt(dot(x, x));
  for (int a = 0; a < 3; ++a) x[a] /= length;
  return true;
}

// across is horizontal, up as near to y as possible; a vertical nozzle has x across. In 2D across lies in the
// plane.
static void take_basis(mote_nozzle *nozzle, int dimensions) {
  static const double vertical[3] = {0.0, 1.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
  cross(dimensions == 2 ? z : vertical, nozzle->direction, nozzle->across);
  if (dot(nozzle->across, nozzle->across) < 1e-12) {
    nozzle->across[0] = 1.0, nozzle->across[1] = 0.0, nozzle->across[2] = 0.0;
    double along = nozzle->direction[0];
    for (int a = 0; a < 3; ++a) nozzle->across[a] -= along * nozzle->direction[a];
  }
  normalise(nozzle->across);
  cross(nozzle->direction, nozzle->across, nozzle->up);
}

static void set_point(mote_nozzle *nozzle, size_t k, double u, double v) {
  for (int a = 0; a < 3; ++a) nozzle->point[3 * k + a] = u * nozzle->across[a] + v * nozzle->up[a];
}

static mote_result reserve_points(mote_nozzle *nozzle, double count, const char *key, mote_error *error) {
  if (!(count <= POINTS_MAX)) return mote_fail_key(error, key, "the opening is beyond 10 million particles");
  nozzle->points = (size_t)count;
  nozzle->point = mote_alloc(&nozzle->env, 3 * nozzle->points, sizeof *nozzle->point);
  if (nozzle->point != NULL) return MOTE_OK;
  return mote_fail_memory(error, 3 * nozzle->points * sizeof *nozzle->point);
}

static double at_least_one(double x) {
  double rounded = floor(x + 0.5);
  return rounded > 1.0 ? rounded : 1.0;
}

static mote_result fill_rectangle(mote_nozzle *nozzle, double width, double height, double spacing,
                                  const char *key, mote_error *error) {
  double columns = at_least_one(width / spacing), rows = at_least_one(height / spacing);
  MOTE_TRY(reserve_points(nozzle, columns * rows, key, error));
  for (size_t k = 0; k < nozzle->points; ++k) {
    double row = floor((double)k / columns), column = (double)k - row * columns;
    set_point(nozzle, k, ((column + 0.5) / columns - 0.5) * width, ((row + 0.5) / rows - 0.5) * height);
  }
  return MOTE_OK;
}

// One ring of `count` points from number `first` on.
static void fill_ring(mote_nozzle *nozzle, size_t first, size_t count, double radius, double phase) {
  if (count == 1) radius = 0.0;
  for (size_t k = 0; k < count; ++k) {
    double angle = phase + 2.0 * MOTE_PI * (double)k / (double)count;
    set_point(nozzle, first + k, radius * mote_cos(angle), radius * mote_sin(angle));
  }
}

static mote_result fill_disc(mote_nozzle *nozzle, double radius, double spacing, mote_error *error) {
  double number = at_least_one(nozzle->area / (spacing * spacing));
  MOTE_TRY(reserve_points(nozzle, number, "radius", error));
  double rings = 0.5 * at_least_one(2.0 * radius / spacing);  // a half: a small disc in the middle
  double stretch = rings > 0.5 ? (rings - RIM_DISTANCE) / (rings - 0.5) : 1.0;
  size_t outside = nozzle->points;
  for (double outer = rings; outside > 0; outer -= 1.0) {
    double inner = outer > 1.0 ? outer - 1.0 : 0.0;
    double share = inner / rings;
    size_t inside = (size_t)floor(number * (share * share) + 0.5);
    double middle = outer - 0.5 > 0.0 ? outer - 0.5 : 0.5 * outer;
    fill_ring(nozzle, inside, outside - inside, stretch * radius * middle / rings, rings - outer);
    outside = inside;
  }
  return MOTE_OK;
}

static mote_result take_opening(mote_nozzle *nozzle, const mote_emitter_def *def, int dimensions,
                                double spacing, mote_error *error) {
  bool disc = !isnan(def->radius);
  double width = disc ? 2.0 * def->radius : def->size[0];
  double height = disc ? width : def->size[1];
  if (dimensions == 2) height = spacing;
  const char *key = disc ? "radius" : "size";
  if (!(width > 0.0 && height > 0.0)) return mote_fail_key(error, key, "must be positive");
  if (width < 0.999 * spacing || height < 0.999 * spacing) {
    return mote_fail_key(error, key, "the opening is narrower than a particle (spacing %g m)", spacing);
  }
  double side = dimensions == 2 ? 1.0 : spacing;
  nozzle->area = dimensions == 2 ? width : disc ? MOTE_PI * def->radius * def->radius : width * height;
  MOTE_TRY(disc && dimensions == 3 ? fill_disc(nozzle, def->radius, spacing, error)
                                   : fill_rectangle(nozzle, width, height, spacing, key, error));
  nozzle->disc = disc && dimensions == 3;
  nozzle->half[0] = 0.5 * width, nozzle->half[1] = 0.5 * height;
  nozzle->volume = spacing * spacing * side;
  nozzle->layer = (double)nozzle->points * nozzle->volume / nozzle->area;
  return MOTE_OK;
}

// --- Creation ---

static mote_result nozzle_fill(mote_nozzle *nozzle, const mote_emitter_def *def, int dimensions,
                               double spacing, mote_error *error) {
  for (int a = 0; a < 3; ++a) {
    if (!isfinite(def->centre[a])) return mote_fail_key(error, "centre", "must be finite numbers");
    nozzle->centre[a] = a < dimensions ? def->centre[a] : 0.0;
    nozzle->direction[a] = a < dimensions ? def->direction[a] : 0.0;
  }
  if (!normalise(nozzle->direction)) return mote_fail_key(error, "direction", "must be finite and not zero");
  if (isnan(def->start)) return mote_fail_key(error, "start", "must be a number");
  if (!(def->end > def->start)) return mote_fail_key(error, "end", "must be later than start");
  take_basis(nozzle, dimensions);
  MOTE_TRY(mote_quantity_make(&def->speed, "t", "speed", &nozzle->env, &nozzle->speed, error));
  return take_opening(nozzle, def, dimensions, spacing, error);
}

mote_result mote_nozzle_create(const mote_emitter_def *def, int dimensions, double spacing,
                               const mote_env *env, mote_nozzle **out, mote_error *error) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  MOTE_ASSERT(spacing > 0.0);
  MOTE_ASSERT(def != NULL && out != NULL);
  mote_env own = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_nozzle, nozzle, &own, 1, error);
  *nozzle =
      (mote_nozzle){.env = own, .start = def->start, .end = def->end, .most = def->most, .steered = -1.0};
  mote_result result = nozzle_fill(nozzle, def, dimensions, spacing, error);
  if (result) {
    mote_nozzle_destroy(nozzle);
    return result;
  }
  *out = nozzle;
  return MOTE_OK;
}

void mote_nozzle_destroy(mote_nozzle *nozzle) {
  if (nozzle == NULL) return;
  mote_env env = nozzle->env;
  mote_quantity_free(&nozzle->speed);
  if (nozzle->point != NULL) mote_free(&env, nozzle->point, 3 * nozzle->points, sizeof *nozzle->point);
  mote_free(&env, nozzle, 1, sizeof *nozzle);
}

double mote_nozzle_area(const mote_nozzle *nozzle) {
  MOTE_ASSERT(nozzle != NULL);
  return nozzle->area;
}

double mote_nozzle_volume(const mote_nozzle *nozzle) {
  MOTE_ASSERT(nozzle != NULL);
  return nozzle->volume;
}

size_t mote_nozzle_points(const mote_nozzle *nozzle) {
  MOTE_ASSERT(nozzle != NULL);
  return nozzle->points;
}

// --- The flow ---

void mote_nozzle_steer(mote_nozzle *nozzle, double speed) {
  MOTE_ASSERT(nozzle != NULL);
  nozzle->steered = speed;
}

static double flow_speed(const mote_nozzle *nozzle, double t) {
  if (nozzle->steered >= 0.0) return nozzle->steered;
  double speed = mote_quantity_at(&nozzle->speed, &t);
  return speed < 0.0 ? 0.0 : speed;
}

double mote_nozzle_speed(const mote_nozzle *nozzle, double t) {
  MOTE_ASSERT(nozzle->start <= nozzle->end);
  bool open = nozzle->steered >= 0.0 || (t >= nozzle->start && t < nozzle->end);
  return open ? flow_speed(nozzle, t) : 0.0;
}

// The flow of a step.
typedef struct flow_step {
  double advanced;  // of the column, less the layers already emitted
  double layers;
  uint64_t particles;
  double speed;  // at the last time of flow in the step
} flow_step;

// The integral of the speed over the part of the step within [start, end], by Simpson's rule.
static flow_step flow_plan(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t, double dt) {
  flow_step flow = {.advanced = state->advanced};
  bool steered = nozzle->steered >= 0.0;
  double from = steered || t > nozzle->start ? t : nozzle->start;
  double to = steered || t + dt < nozzle->end ? t + dt : nozzle->end;
  if (!(to > from) || state->emitted >= nozzle->most) return flow;
  flow.speed = flow_speed(nozzle, to);
  double middle = flow_speed(nozzle, from + 0.5 * (to - from));
  flow.advanced += (to - from) / 6.0 * (flow_speed(nozzle, from) + 4.0 * middle + flow.speed);
  flow.layers = floor(flow.advanced / nozzle->layer + 0.5);
  if (!(flow.layers > 0.0)) flow.layers = isnan(flow.layers) ? HUGE_VAL : 0.0;
  if (flow.layers > LAYERS_MAX) return flow;
  uint64_t particles = (uint64_t)flow.layers * nozzle->points, left = nozzle->most - state->emitted;
  flow.particles = particles < left ? particles : left;
  return flow;
}

size_t mote_nozzle_count(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  flow_step flow = flow_plan(nozzle, state, t, dt);
  return flow.layers > LAYERS_MAX ? SIZE_MAX : (size_t)flow.particles;
}

size_t mote_nozzle_emit(const mote_nozzle *nozzle, mote_nozzle_state *state, double t, double dt,
                        double *position, float *velocity) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(nozzle != NULL && state != NULL);
  flow_step flow = flow_plan(nozzle, state, t, dt);
  if (flow.layers > LAYERS_MAX) return SIZE_MAX;
  for (uint64_t i = 0; i < flow.particles; ++i) {
    uint64_t layer = i / nozzle->points, k = i % nozzle->points;
    double beyond = flow.advanced - ((double)layer + 0.5) * nozzle->layer;
    if (beyond < 0.0) beyond = 0.0;
    for (int a = 0; a < 3; ++a) {
      position[3 * i + a] = nozzle->centre[a] + nozzle->point[3 * k + a] + beyond * nozzle->direction[a];
      velocity[3 * i + a] = (float)(flow.speed * nozzle->direction[a]);
    }
  }
  state->advanced = flow.advanced - flow.layers * nozzle->layer;
  state->emitted += flow.particles;
  return (size_t)flow.particles;
}

// --- The outlet ---

typedef struct outlet_job {
  const mote_nozzle *nozzle;
  double length;  // m along the flow
  double speed;
  const double *position;
  float *velocity;
} outlet_job;

static bool in_the_outlet(const outlet_job *job, size_t i) {
  const mote_nozzle *nozzle = job->nozzle;
  const double *x = job->position + 3 * i;
  const double r[3] = {x[0] - nozzle->centre[0], x[1] - nozzle->centre[1], x[2] - nozzle->centre[2]};
  double along = dot(r, nozzle->direction), u = dot(r, nozzle->across), v = dot(r, nozzle->up);
  if (!(along >= 0.0 && along < job->length)) return false;
  if (nozzle->disc) return u * u + v * v <= nozzle->half[0] * nozzle->half[0];
  return fabs(u) <= nozzle->half[0] && fabs(v) <= nozzle->half[1];
}

static void count_chunk(void *data, size_t begin, size_t end, size_t *number) {
  for (size_t i = begin; i < end; ++i) number[0] += in_the_outlet(data, i);
}

bool mote_nozzle_is_full(const mote_nozzle *nozzle, bool more, size_t count, const double *position) {
  MOTE_ASSERT(position != NULL || count == 0);
  outlet_job job = {.nozzle = nozzle, .length = 2.0 * nozzle->layer, .position = position};
  double most = more ? FULL_LAYERS - 1.0 : FULL_LAYERS;
  size_t there;
  mote_parallel_count(nozzle->env.threads, count, 1, count_chunk, &job, &there);
  return (double)there > most * (double)nozzle->points;
}

static void set_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const outlet_job *job = data;
  const double *direction = job->nozzle->direction;
  for (size_t i = begin; i < end; ++i) {
    if (!in_the_outlet(job, i)) continue;
    float *v = job->velocity + 3 * i;
    double missing = job->speed - dot((const double[3]){(double)v[0], (double)v[1], (double)v[2]}, direction);
    for (int a = 0; a < 3 && missing > 0.0; ++a) v[a] += (float)(missing * direction[a]);
  }
}

void mote_nozzle_set_velocities(const mote_nozzle *nozzle, const mote_nozzle_state *state, double t,
                                size_t count, const double *position, float *velocity) {
  MOTE_ASSERT((position != NULL && velocity != NULL) || count == 0);
  outlet_job job = {nozzle, nozzle->layer, mote_nozzle_speed(nozzle, t), position, velocity};
  if (!(job.speed > 0.0) || state->emitted >= nozzle->most) return;
  if (mote_nozzle_is_full(nozzle, false, count, position)) return;
  mote_parallel_for(nozzle->env.threads, count, VELOCITY_GRAIN, set_chunk, &job);
}
