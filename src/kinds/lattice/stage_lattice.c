// Stage of lattices (WIC06): contacts with obstacles, rigid and elastic bodies, then as many explicit
// substeps as stability requires. Other bodies move at constant velocity meanwhile, and get the impulses at
// the end. Theory: docs/theory/lattice.md
#include <inttypes.h>
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/lattice/tuning.inc"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/body_forces.h"
#include "matter/tuning.inc"
#include "matter/world_heat.h"

#define SUBSTEPS_MAX 1e6  // range: per step of the world

static double now(const mote_world *world) {
  return *mote_state_f64(&world->now, MOTE_WORLD_TIME);
}

// --- Held particles ----------------------------------------------------------------------------------------

static mote_result move_held(const mote_world *world, mote_error *error) {
  const uint8_t *hold = mote_store_u8(mote_world_store(world), MOTE_LATTICE_HOLD);
  double *v = mote_store_f64(mote_world_store(world), MOTE_LATTICE_VELOCITY);
  if (!mote_lattice_has_holds(world)) return MOTE_OK;
  for (size_t i = 0; i < mote_world_lattice_rows(world); ++i) {
    if (hold[i] == 0 || mote_lattice_held_velocity(world, i, now(world), world->dt, v + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "motion of a hold of a lattice: %g", (double)NAN);
  }
  return MOTE_OK;
}

// --- Contact -----------------------------------------------------------------------------------------------

// Balls of elastic and lattice rows, which lie behind one another: two parts, of which the second moves.
typedef struct contact_rows {
  mote_elastic_contact *set;
  double *radius, *reach, *mass, *young;
  size_t elastic;
  double *force;  // of all, three each
} contact_rows;

static void set_balls(const mote_world *world, const mote_lattice *lattice, contact_rows *c) {
  double d = world->def.spacing;
  for (size_t k = 0, i = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    const mote_elastic_item *item = mote_elastic_at(world, k);
    double young = mote_material_at(world, mote_body_at(world, item->body)->material)->def.elastic.young;
    for (size_t r = 0; r < item->elastic->count; ++r, ++i)
      c->radius[i] = c->reach[i] = 0.5 * d, c->mass[i] = item->elastic->mass[r], c->young[i] = young;
  }
  for (size_t p = 0; p < lattice->rows.parts; ++p) {
    const mote_lattice_part *part = lattice->rows.part + p;
    double own = part->law.dimensions == 3 ? mote_cbrt(part->law.volume) : sqrt(part->law.volume);
    for (size_t i = part->first; i < part->first + part->count; ++i) {
      double share = lattice->rows.fraction == NULL ? 1.0 : (double)lattice->rows.fraction[i];
      c->radius[c->elastic + i] = 0.5 * mote_lattice_grown(share) * own;
      c->reach[c->elastic + i] = (double)lattice->rows.reach[i] * c->radius[c->elastic + i];
      c->mass[c->elastic + i] = lattice->rows.mass[i];
      c->young[c->elastic + i] = max2(share, 1e-3) * part->law.young;
    }
  }
}

static mote_elastic_contact_part balls_of(const mote_world *world, const contact_rows *c, size_t first,
                                          size_t count, int family, double friction) {
  return (mote_elastic_contact_part){.balls = count,
                                     .ball_family = family,
                                     .ball_dimensions = world->def.dimensions,
                                     .ball_radius = c->radius + first,
                                     .ball_reach = c->reach + first,
                                     .ball_mass = c->mass + first,
                                     .ball_young = c->young + first,
                                     .friction = friction};
}

// One coefficient for all elastic bodies: the largest.
static double elastic_friction(const mote_world *world) {
  double most = 0.0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k)
    most = max2(most, mote_body_material(world, mote_elastic_at(world, k)->body)->friction);
  return most;
}

static mote_result find_contacts(mote_world *world, const mote_lattice *lattice, double travel,
                                 contact_rows *c, mote_error *error) {
  size_t n = mote_world_elastic_rows(world) + lattice->rows.count;
  mote_contact_scene scene;
  *c = (contact_rows){.elastic = mote_world_elastic_rows(world)};
  MOTE_TAKE(c->radius, &world->scratch, n, error);
  MOTE_TAKE(c->reach, &world->scratch, n, error);
  MOTE_TAKE(c->mass, &world->scratch, n, error);
  MOTE_TAKE(c->young, &world->scratch, n, error);
  MOTE_TAKE(c->force, &world->scratch, 3 * n, error);
  set_balls(world, lattice, c);
  MOTE_TAKE_NEW(mote_elastic_contact_part, part, &world->scratch, lattice->rows.parts + 1, error);
  size_t parts = 0;
  if (c->elastic > 0) {
    part[parts] = balls_of(world, c, 0, c->elastic, 0, elastic_friction(world));
    part[parts++].passive = true;
  }
  for (size_t p = 0, k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(world, k)->def;
    if (def->model != MOTE_KIND_LATTICE) continue;
    const mote_lattice_part *own = lattice->rows.part + p++;
    if (own->count > 0)
      part[parts++] = balls_of(world, c, c->elastic + own->first, own->count, 1, def->friction);
  }
  MOTE_TRY(mote_elastic_contact_create(part, parts, &world->env, &c->set, error));
  MOTE_TRY(mote_friction_load(world, c->set, true, error));
  MOTE_TRY(mote_contact_obstacles(world, world->dt, &scene, error));
  copy3(world->def.gravity, c->set->applied_gravity);
  return mote_elastic_contact_find(c->set, &scene, mote_elastic_positions(world), travel, error);
}

// The set's rows begin with those of elastic bodies, which have no conditions here.
static void contact_kick(void *user, const mote_elastic_kick *kick) {
  contact_rows *c = user;
  size_t first = c->elastic, n = c->set->count;
  mote_elastic_kick all = *kick;
  all.x -= 3 * first, all.v -= 3 * first, all.force = c->force;
  if (all.acceleration != NULL) all.acceleration -= 3 * first;
  if (all.held != NULL) all.held -= first;
  memset(c->force, 0, 3 * first * sizeof *c->force);
  memcpy(c->force + 3 * first, kick->force, 3 * (n - first) * sizeof *c->force);
  c->set->external.kick(c->set->external.user, &all);
  memcpy(kick->force, c->force + 3 * first, 3 * (n - first) * sizeof *c->force);
}

static void contact_drift(void *user, double dt) {
  contact_rows *c = user;
  c->set->external.drift(c->set->external.user, dt);
}

// Applies the impulses of lattices to elastic bodies.
static void kick_elastic(mote_world *world, const mote_elastic_contact *set, size_t elastic) {
  double *v = mote_elastic_velocities(world);
  const double *mass = world->elastic_bodies.group.mass;
  const uint8_t *held =
      world->elastic_bodies.has_holds ? mote_store_u8(mote_world_store(world), MOTE_ELASTIC_HOLD) : NULL;
  for (size_t k = 0; k < set->records; ++k) {
    const mote_elastic_contact_record *t = set->record + k;
    if (t->i >= elastic || t->meets != MOTE_MEETS_BALL || (held != NULL && held[t->i] != 0)) continue;
    step3(v + 3 * (size_t)t->i, 1.0 / mass[t->i], t->impulse, v + 3 * (size_t)t->i);
  }
}

// --- The stage ---------------------------------------------------------------------------------------------

static mote_result accelerations(mote_world *world, double *out, mote_error *error) {
  size_t n = mote_world_lattice_rows(world), forces = mote_world_items(world, MOTE_ITEM_FORCE);
  for (size_t i = 0; i < n; ++i) copy3(world->def.gravity, out + 3 * i);
  mote_body_forces_accelerate(world, MOTE_KIND_LATTICE, NULL, out);
  if (forces == 0) return MOTE_OK;
  const double *x =
      mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION) + 3 * mote_lattice_first_row(world);
  MOTE_TAKE_NEW(float, field, &world->scratch, 3 * n, error);
  memset(field, 0, 3 * n * sizeof *field);
  for (size_t f = 0; f < forces; ++f) {
    const mote_force_item *force = mote_force_at(world, f);
    if (!mote_field_force_acts(force->force, now(world))) continue;
    size_t bad = mote_field_force_add(force->force, now(world), n, x, field, world->env.threads);
    if (bad == SIZE_MAX) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC,
                     "force field \"%s\" at the position of lattice particle %zu: %g", force->name, bad,
                     (double)NAN);
  }
  for (size_t c = 0; c < 3 * n; ++c) out[c] += (double)field[c];
  return MOTE_OK;
}

static double largest_length(const double *x, size_t count) {
  double most2 = 0.0;
  for (size_t i = 0; i < count; ++i) most2 = max2(most2, dot3(x + 3 * i, x + 3 * i));
  return sqrt(most2);
}

// A layer whose weight per area exceeds its Young's modulus penetrates the next one at any time step, and
// bounces on walls so fast that a frame would never end.
static mote_result check_weight(const mote_lattice *lattice, const double *acceleration, mote_error *error) {
  for (size_t p = 0; p < lattice->rows.parts; ++p) {
    const mote_lattice_part *part = lattice->rows.part + p;
    double most = largest_length(acceleration + 3 * part->first, part->count);
    double allowed = WEIGHT_MAX * part->law.speed * part->law.speed / part->law.edge;
    if (part->count > 0 && !(most <= allowed))
      return mote_fail(
          error, MOTE_ERROR_NUMERIC,
          "acceleration of lattice particles: %.3g m/s2, at most %.3g with a young of %g Pa; a force "
          "on them is too strong",
          most, allowed, part->law.young);
  }
  return MOTE_OK;
}

static mote_result check(const mote_lattice *lattice, mote_error *error) {
  for (size_t i = 0; i < lattice->rows.count; ++i) {
    if (finite3(lattice->rows.position + 3 * i) && finite3(lattice->rows.velocity + 3 * i)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "position or velocity of lattice particle %" PRIu64 ": %g",
                     lattice->rows.id[i], (double)NAN);
  }
  return MOTE_OK;
}

// The largest of the energies of a particle and of its bonded neighbours, J.
static double largest_energy(const mote_lattice *lattice, const double *energy, size_t i) {
  double most = energy[i];
  for (uint32_t k = 0; k < lattice->cell[i].pairs; ++k)
    most = max2(most, energy[lattice->pair[MOTE_LATTICE_SITES * i + k].j]);
  return most;
}

// Freshly frozen particles reach full stiffness within some periods of vibration, or, with latent heat, the
// stiffness of their solid fraction; but not where this would store more energy than a small strain:
// particles that do not fit their lattice yet stay soft and move to their sites.
static void stiffen(const mote_world *world, const mote_lattice *lattice, const double *energy) {
  const mote_store *store = mote_world_store(world);
  if (lattice->rows.fraction == NULL) return;
  const float *liquid = mote_store_f32(store, MOTE_PARTICLE_LIQUID) + mote_lattice_first_row(world);
  float *fraction = mote_store_f32(store, MOTE_LATTICE_FRACTION);
  for (size_t p = 0; p < lattice->rows.parts; ++p) {
    const mote_lattice_part *part = lattice->rows.part + p;
    double most = 0.5 * part->law.young * part->law.volume * FRESH_STRAIN * FRESH_STRAIN;
    double more = mote_exp(min2(10.0, world->dt * STIFFENING_RATE * part->law.speed / part->law.edge));
    for (size_t i = part->first; i < part->first + part->count; ++i) {
      double frozen = max2(1.0 - (double)liquid[i], MOTE_LATTICE_LEAST);
      if ((double)fraction[i] >= frozen) continue;
      double growth = most / max2(largest_energy(lattice, energy, i), 1e-3 * most);
      fraction[i] = (float)min2(frozen, (double)fraction[i] * max2(1.0, min2(more, growth)));
    }
  }
}

// Writes the exponential mean of the acceleration by all forces except gravity and fluids: half of this step,
// half of the earlier ones, so that oscillations from step to step cancel. `before`: velocities before the
// step, without the impulses of fluids.
static void note_accelerations(mote_world *world, const double *before) {
  const mote_store *store = mote_world_store(world);
  const double *v = mote_store_f64(store, MOTE_LATTICE_VELOCITY);
  float *out = mote_store_f32(store, MOTE_LATTICE_ACCELERATION);
  for (size_t i = 0; i < mote_world_lattice_rows(world); ++i) {
    const mote_coupled_body *body =
        world->coupled[MOTE_KIND_LATTICE] != NULL ? world->coupled[MOTE_KIND_LATTICE] + i : NULL;
    for (size_t a = 0; a < 3; ++a) {
      double gain = v[3 * i + a] - before[3 * i + a];
      if (body != NULL) gain -= body->inverse_mass * body->given[a];
      double own = gain / world->dt - world->def.gravity[a];
      out[3 * i + a] = (float)(0.5 * (own + (double)out[3 * i + a]));
    }
  }
}

static void note_shock(mote_world *world, const mote_lattice *lattice) {
  size_t row, first = mote_lattice_first_row(world);
  world->lattice_shock = mote_lattice_shock(lattice, &row);
  world->lattice_shock_body = mote_store_u32(mote_world_store(world), MOTE_PARTICLE_BODY)[first + row];
}

static mote_result step(mote_world *world, mote_lattice *lattice, const double *acceleration, contact_rows *c,
                        mote_error *error) {
  MOTE_TAKE_NEW(double, rate, &world->scratch, c->set->parts, error);
  double most = 0.0;
  mote_elastic_contact_rates(c->set, c->mass, rate);
  for (size_t p = 0; p < c->set->parts; ++p) most = max2(most, rate[p]);
  double steps =
      mote_lattice_steps(lattice, world->dt, *mote_state_f64(&world->now, MOTE_WORLD_FACTOR), most);
  if (!(steps <= SUBSTEPS_MAX))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "substeps of lattices in a step: %g, at most %g", steps,
                     SUBSTEPS_MAX);
  mote_elastic_external external = {.user = c, .drift = contact_drift, .kick = contact_kick};
  MOTE_TRY(mote_lattice_advance(lattice, &external, acceleration, world->dt, steps, error));
  MOTE_TRY(check(lattice, error));
  mote_lattice_end(lattice);
  MOTE_TRY(mote_elastic_contact_end(c->set, mote_elastic_positions(world), error));
  mote_elastic_contact_apply(world, c->set);
  kick_elastic(world, c->set, c->elastic);
  MOTE_TAKE_NEW(double, energy, &world->scratch, lattice->rows.count, error);
  mote_lattice_energies stored = mote_lattice_stored(lattice, energy);
  stiffen(world, lattice, energy);
  world->lattice_energy = stored.strain + stored.restoring + stored.contact;
  world->report.lattice_steps = (int)steps;
  note_shock(world, lattice);
  return mote_friction_save(world, c->set, true, error);
}

mote_result mote_lattice_bodies_step(mote_world *world, mote_error *error) {
  size_t n = mote_world_lattice_rows(world);
  mote_lattice lattice;
  contact_rows c = {0};
  world->lattice_shock = 0.0;
  if (n == 0) return MOTE_OK;
  MOTE_TAKE_NEW(double, acceleration, &world->scratch, 3 * n, error);
  MOTE_TAKE_NEW(double, before, &world->scratch, 3 * n, error);
  MOTE_TRY(accelerations(world, acceleration, error));
  MOTE_TRY(mote_lattice_open(world, &lattice, error));
  MOTE_TRY(check_weight(&lattice, acceleration, error));
  mote_kind_spread_impulses(world, MOTE_KIND_LATTICE, 0, mote_world_lattice_rows(world), acceleration);
  memcpy(before, mote_store_f64(mote_world_store(world), MOTE_LATTICE_VELOCITY), 3 * n * sizeof *before);
  MOTE_TRY(move_held(world, error));
  MOTE_TRY(mote_lattice_begin(&lattice, error));
  mote_lattice_assign(&lattice, world->dt);
  mote_lattice_near(&lattice);
  double faster = largest_length(lattice.rows.velocity, n) + world->dt * largest_length(acceleration, n);
  double travel = world->dt * faster + MOTE_TRAVEL_SLACK * lattice.edge;
  if (!isfinite(travel))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "distance of lattice particles in a step: %g m", travel);
  mote_result result = find_contacts(world, &lattice, travel, &c, error);
  if (result == MOTE_OK) result = step(world, &lattice, acceleration, &c, error);
  mote_elastic_contact_destroy(c.set);
  if (result == MOTE_OK) note_accelerations(world, before);
  return result;
}
