// Accelerations of elastic bodies by gravity, force fields and loads. See elastic_bodies.h.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "matter/body_forces.h"

static double now(const mote_world *world) {
  return *mote_state_f64(&world->now, MOTE_WORLD_TIME);
}

// Force fields add in single precision, as for fluids.
static mote_result add_fields(mote_world *world, double *acceleration, mote_error *error) {
  size_t n = mote_world_elastic_rows(world), forces = mote_world_items(world, MOTE_ITEM_FORCE);
  if (forces == 0) return MOTE_OK;
  MOTE_TAKE_NEW(float, field, &world->scratch, 3 * n, error);
  for (size_t c = 0; c < 3 * n; ++c) field[c] = 0.0f;
  for (size_t f = 0; f < forces; ++f) {
    const mote_force_item *force = mote_force_at(world, f);
    if (!mote_field_force_acts(force->force, now(world))) continue;
    size_t bad = mote_field_force_add(force->force, now(world), n, mote_elastic_positions(world), field,
                                      world->env.threads);
    if (bad == SIZE_MAX) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC,
                     "force field \"%s\" at the position of elastic particle %zu: %g", force->name, bad,
                     (double)NAN);
  }
  for (size_t c = 0; c < 3 * n; ++c) acceleration[c] += (double)field[c];
  return MOTE_OK;
}

// --- Loads of one body ---------------------------------------------------------------------------------

typedef struct load_state {
  const mote_elastic_item *item;
  const mote_elastic_load *load;
  const uint64_t *bits;
  uint64_t bit;
  const double *x;  // positions
  double time;
  int dimensions;
  double turn[9];        // of the loaded part; the identity where the load keeps its direction
  double *acceleration;  // output
} load_state;

static void read3(const load_state *s, const mote_quantity q[3], double out[3]) {
  for (int a = 0; a < 3; ++a) out[a] = mote_quantity_at(&q[a], &s->time);
}

static bool acts3(const double f[3]) {
  return f[0] != 0.0 || f[1] != 0.0 || f[2] != 0.0;
}

// A vector of the load as it acts now, in 2D without what leads out of the plane.
static void turned(const load_state *s, const double f[3], double out[3]) {
  turn3(s->turn, f, out);
  if (s->dimensions == 2) out[2] = 0.0;
}

// Rotation of the mean deformation gradient of the loaded particles; reads the fit at these positions.
static void find_turn(load_state *s) {
  const mote_elastic *body = s->item->elastic;
  double mean[9] = {0}, stretch[9], g[9];
  for (size_t k = 0; k < s->load->rows; ++k) {
    mote_elastic_gradient(body, body->fit, s->load->row[k], g);
    for (int e = 0; e < 9; ++e) mean[e] += s->load->share[4 * k + 3] * (g[e] + (e % 4 == 0));
  }
  for (size_t i = 0; i < body->count && s->load->rows == 0; ++i) {
    if ((s->bits[i] & s->bit) == 0) continue;
    mote_elastic_gradient(body, body->fit, i, g);
    for (int e = 0; e < 9; ++e) mean[e] += body->mass[i] * (g[e] + (e % 4 == 0));
  }
  double turn[9];
  if (mote_polar3(mean, turn, stretch)) memcpy(s->turn, turn, sizeof turn);
}

static void add_force(const load_state *s, const double force[3]) {
  double f[3];
  turned(s, force, f);
  for (size_t i = 0; i < s->item->elastic->count; ++i) {
    double *a = s->acceleration + 3 * i;
    if ((s->bits[i] & s->bit) != 0) step3(a, 1.0 / s->load->mass, f, a);
  }
}

// Accelerations alpha x (x - centre) with I alpha = moment: no net force, and this moment about any point.
static void add_moment(const load_state *s, const double moment[3]) {
  const mote_elastic *body = s->item->elastic;
  double centre[3] = {0.0, 0.0, 0.0}, inertia[9] = {0}, inverse[9], m[3], alpha[3], r[3], a[3];
  turn3(s->turn, moment, m);
  if (s->dimensions == 2) set3(0.0, 0.0, moment[2], m);
  for (size_t i = 0; i < body->count; ++i)
    if ((s->bits[i] & s->bit) != 0) step3(centre, body->mass[i] / s->load->mass, s->x + 3 * i, centre);
  for (size_t i = 0; i < body->count; ++i) {
    if ((s->bits[i] & s->bit) == 0) continue;
    sub3(s->x + 3 * i, centre, r);
    for (int e = 0; e < 9; ++e)
      inertia[e] += body->mass[i] * ((e % 4 == 0 ? dot3(r, r) : 0.0) - r[e / 3] * r[e % 3]);
  }
  (void)mote_dense_pseudo_inverse(3, inertia, 1e-9, inverse, NULL);
  turn3(inverse, m, alpha);
  for (size_t i = 0; i < body->count; ++i) {
    if ((s->bits[i] & s->bit) == 0) continue;
    sub3(s->x + 3 * i, centre, r);
    cross3(alpha, r, a);
    step3(s->acceleration + 3 * i, 1.0, a, s->acceleration + 3 * i);
  }
}

// Traction t on areas at rest, and pressure p on deformed ones: - p cof(F) A.
static void add_face_load(const load_state *s, const double traction[3], double pressure) {
  const mote_elastic *body = s->item->elastic;
  double t[3];
  turned(s, traction, t);
  for (size_t k = 0; k < s->load->rows; ++k) {
    size_t i = s->load->row[k];
    const double *share = s->load->share + 4 * k;
    double *a = s->acceleration + 3 * i, F[9], row[9], pushed[3];
    step3(a, share[3] / body->mass[i], t, a);
    if (pressure == 0.0) continue;
    mote_elastic_gradient(body, body->fit, i, F);
    for (int e = 0; e < 9; e += 4) F[e] += 1.0;
    cross3(F + 3, F + 6, row), cross3(F + 6, F, row + 3), cross3(F, F + 3, row + 6);
    turn3(row, share, pushed);
    step3(a, -pressure / body->mass[i], pushed, a);
  }
}

static mote_result add_load(load_state *s, size_t number, mote_error *error) {
  double force[3], moment[3], traction[3], pressure = mote_quantity_at(&s->load->pressure, &s->time);
  read3(s, s->load->force, force), read3(s, s->load->moment, moment);
  read3(s, s->load->traction, traction);
  if (!finite3(force) || !finite3(moment) || !finite3(traction) || !isfinite(pressure)) {
    return mote_fail(error, MOTE_ERROR_NUMERIC, "load %zu of body \"%s\": %g", number, s->item->name,
                     (double)NAN);
  }
  for (int e = 0; e < 9; ++e) s->turn[e] = e % 4 == 0;
  if (s->load->follow || pressure != 0.0)
    mote_elastic_fit(s->item->elastic, s->x, true, s->item->elastic->fit);
  if (s->load->follow) find_turn(s);
  if (acts3(force)) add_force(s, force);
  if (acts3(moment)) add_moment(s, moment);
  if (acts3(traction) || pressure != 0.0) add_face_load(s, traction, pressure);
  return MOTE_OK;
}

static mote_result add_loads(mote_world *world, size_t k, double *acceleration, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  load_state s = {.item = item,
                  .bits = mote_elastic_rows(world, MOTE_ELASTIC_LOAD, k),
                  .x = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
                  .time = now(world),
                  .dimensions = world->def.dimensions,
                  .acceleration = acceleration};
  for (size_t l = 0; l < item->loads; ++l) {
    s.load = &item->load[l], s.bit = UINT64_C(1) << l;
    MOTE_TRY(add_load(&s, l + 1, error));
  }
  return MOTE_OK;
}

mote_result mote_elastic_accelerations(mote_world *world, double *acceleration, double *loads,
                                       mote_error *error) {
  MOTE_ASSERT(acceleration != NULL || world->elastic_bodies.group.count == 0);
  const mote_elastic_group *group = &world->elastic_bodies.group;
  for (size_t i = 0; i < group->count; ++i) copy3(world->def.gravity, acceleration + 3 * i);
  MOTE_TRY(add_fields(world, acceleration, error));
  if (loads != NULL) memcpy(loads, acceleration, 3 * group->count * sizeof *loads);
  for (size_t k = 0; k < group->bodies; ++k) {
    MOTE_TRY(add_loads(world, k, acceleration + 3 * group->start[k], error));
  }
  mote_body_forces_accelerate(world, MOTE_KIND_ELASTIC, NULL, acceleration);
  for (size_t c = 0; c < 3 * group->count && loads != NULL; ++c) loads[c] = acceleration[c] - loads[c];
  return MOTE_OK;
}
