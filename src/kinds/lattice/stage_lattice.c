// Stage of lattices (WIC06): as many explicit substeps as stability requires. Elastic bodies that meet
// lattices have implicit steps of the same length beside them; the others are stepped before. Theory:
// docs/theory/lattice.md, docs/theory/contact.md
#include <inttypes.h>
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/sets.h"
#include "elastic/elastic_body.h"
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

// Of all deformable bodies: parts are the elastic bodies, then the lattices' materials, as their rows lie.
typedef struct deformables {
  mote_world *world;
  mote_lattice *lattice;
  mote_elastic_contact *set;
  size_t elastic, bodies;  // rows and number of elastic bodies
  mote_elastic_tick tick;  // of those
  uint8_t *apart;          // elastic bodies that may not meet lattices in this step
  uint8_t *beside;         // the others, and behind them all lattices: they take steps of one length
  size_t meeting;          // how many elastic bodies are beside lattices
  bool implicit;           // with implicit steps
  double stepped;          // s: of the drift after a kick, what the implicit step has done
  double *v, *acceleration, *force;  // of all, three each
  uint8_t *held;
  mote_result result;  // of implicit steps
  mote_error *error;
} deformables;

static void set_balls(const mote_lattice *lattice, const mote_lattice_part *part, double *radius,
                      double *reach) {
  double own = part->law.dimensions == 3 ? mote_cbrt(part->law.volume) : sqrt(part->law.volume);
  for (size_t i = part->first; i < part->first + part->count; ++i) {
    double share = lattice->rows.fraction == NULL ? 1.0 : (double)lattice->rows.fraction[i];
    radius[i] = 0.5 * mote_lattice_grown(share) * own;
    reach[i] = (double)lattice->rows.reach[i] * radius[i];
  }
}

// The bonds of a part's particles, in the form in which contact sees the neighbours of elastic ones.
static mote_result bonds_of(const mote_lattice *m, const mote_lattice_part *part, mote_elastic *out,
                            mote_error *error) {
  size_t end = part->first + part->count, pairs = 0;
  for (size_t i = part->first; i < end; ++i) pairs += m->cell[i].pairs;
  *out = (mote_elastic){.dimensions = part->law.dimensions,
                        .count = part->count,
                        .pairs = pairs,
                        .mass = (double *)(uintptr_t)(m->rows.mass + part->first)};
  MOTE_TAKE(out->first, m->scratch, part->count + 1, error);
  MOTE_TAKE(out->neighbour, m->scratch, pairs, error);
  MOTE_TAKE(out->pair, m->scratch, pairs, error);
  pairs = 0;
  for (size_t i = part->first; i < end; ++i) {
    out->first[i - part->first] = pairs;
    for (uint32_t k = 0; k < m->cell[i].pairs; ++k, ++pairs) {
      const mote_lattice_pair *pair = m->pair + MOTE_LATTICE_SITES * i + k;
      out->neighbour[pairs] = pair->j - (uint32_t)part->first;
      copy3(part->law.site[pair->site], out->pair[pairs].rest);
      out->pair[pairs].weight = pair->weight;
    }
  }
  out->first[part->count] = pairs;
  return MOTE_OK;
}

static mote_result make_parts(deformables *s, mote_elastic_contact_part *part, size_t *parts,
                              mote_error *error) {
  mote_lattice *lattice = s->lattice;
  size_t n = lattice->rows.count;
  const mote_elastic_contact *elastic = s->world->elastic_bodies.contact;
  MOTE_TAKE_NEW(double, radius, &s->world->scratch, n, error);
  MOTE_TAKE_NEW(double, reach, &s->world->scratch, n, error);
  MOTE_TAKE_NEW(mote_elastic, bonds, &s->world->scratch, lattice->rows.parts, error);
  for (*parts = 0; *parts < s->bodies; ++*parts) part[*parts] = elastic->part[*parts];
  for (size_t p = 0, k = 0; k < mote_world_items(s->world, MOTE_ITEM_MATERIAL); ++k) {
    const mote_material_def *def = &mote_material_at(s->world, k)->def;
    if (def->model != MOTE_KIND_LATTICE) continue;
    const mote_lattice_part *own = lattice->rows.part + p++;
    if (own->count == 0) continue;
    set_balls(lattice, own, radius, reach);
    MOTE_TRY(bonds_of(lattice, own, bonds + p - 1, error));
    part[(*parts)++] = (mote_elastic_contact_part){.body = bonds + p - 1,
                                                   .present = bonds + p - 1,
                                                   .friction = def->friction,
                                                   .alone = true,
                                                   .radius = radius + own->first,
                                                   .reach = reach + own->first,
                                                   .object = lattice->object_of + own->first,
                                                   .objects = lattice->objects};
  }
  return MOTE_OK;
}

static mote_result find_contacts(deformables *s, const uint8_t *stepped, double travel, mote_error *error) {
  mote_contact_scene scene;
  return mote_elastic_contact_stage_find(s->world, s->set, stepped, travel, &scene, error);
}

// Elastic bodies that may meet lattices, or that meet something that does.
static mote_result choose_beside(deformables *s, mote_error *error) {
  const mote_elastic_contact *set = s->set;
  MOTE_TAKE_NEW(uint32_t, parent, &s->world->scratch, set->parts, error);
  for (uint32_t p = 0; p < set->parts; ++p) parent[p] = p;
  mote_elastic_join_in_contact(set, parent);
  for (size_t p = s->bodies; p < set->parts; ++p) mote_set_join(parent, (uint32_t)s->bodies, (uint32_t)p);
  s->meeting = 0;
  for (uint32_t p = 0; p < set->parts; ++p) {
    s->beside[p] = p >= s->bodies || mote_set_root(parent, p) == mote_set_root(parent, (uint32_t)s->bodies);
    if (p < s->bodies) s->apart[p] = !s->beside[p], s->meeting += s->beside[p];
  }
  return MOTE_OK;
}

static mote_result open_tick(deformables *s, double travel, mote_error *error) {
  mote_world *world = s->world;
  size_t most = s->bodies + s->lattice->rows.parts, parts;
  MOTE_TAKE_NEW(mote_elastic_contact_part, part, &world->scratch, most, error);
  MOTE_TAKE(s->apart, &world->scratch, s->bodies, error);
  MOTE_TAKE(s->beside, &world->scratch, most, error);
  MOTE_TRY(make_parts(s, part, &parts, error));
  MOTE_TRY(mote_elastic_contact_create(part, parts, &world->env, &s->set, error));
  MOTE_TRY(find_contacts(s, NULL, travel, error));
  if (s->bodies == 0) return MOTE_OK;
  MOTE_TRY(choose_beside(s, error));
  MOTE_TRY(mote_elastic_tick_step(world, &s->tick, s->apart, error));
  return find_contacts(s, s->beside, travel, error);
}

// --- Substeps ----------------------------------------------------------------------------------------------

// Arrays of all; `acceleration`: of lattices.
static mote_result take_arrays(deformables *s, const double *acceleration, mote_error *error) {
  size_t n = s->set->count, first = s->elastic, rest = n - first;
  MOTE_TAKE(s->v, &s->world->scratch, 3 * n, error);
  MOTE_TAKE(s->acceleration, &s->world->scratch, 3 * n, error);
  MOTE_TAKE(s->force, &s->world->scratch, 3 * n, error);
  MOTE_TAKE(s->held, &s->world->scratch, n, error);
  memset(s->held, 0, n);
  memset(s->acceleration, 0, 3 * n * sizeof *s->acceleration);
  memcpy(s->acceleration + 3 * first, acceleration, 3 * rest * sizeof *acceleration);
  if (s->lattice->rows.held != NULL) memcpy(s->held + first, s->lattice->rows.held, rest);
  if (s->bodies == 0) return MOTE_OK;
  memcpy(s->acceleration, s->tick.acceleration, 3 * first * sizeof *s->acceleration);
  const uint8_t *hold = mote_elastic_bodies_motion(s->world).held;
  if (hold != NULL) memcpy(s->held, hold, first);
  return MOTE_OK;
}

// A kick of the lattices as one of all, with the forces of explicit elastic bodies.
static mote_elastic_kick kick_of_all(const deformables *s, const mote_elastic_kick *kick) {
  size_t first = 3 * s->elastic, rest = 3 * (s->set->count - s->elastic);
  memset(s->force, 0, first * sizeof *s->force);
  memcpy(s->force + first, kick->force, rest * sizeof *s->force);
  memcpy(s->v + first, kick->v, rest * sizeof *s->v);
  if (s->bodies > 0) memcpy(s->v, mote_elastic_velocities(s->world), first * sizeof *s->v);
  if (s->meeting > 0 && !s->implicit) mote_elastic_tick_forces(s->world, s->beside, s->force);
  return (mote_elastic_kick){.x = kick->x - first,
                             .v = s->v,
                             .acceleration = s->acceleration,
                             .held = s->held,
                             .dt = kick->dt,
                             .force = s->force};
}

// Elastic bodies beside lattices have their step meanwhile: from kick to kick, as the lattices' positions go.
static void contact_kick(void *user, const mote_elastic_kick *kick) {
  deformables *s = user;
  if (s->result != MOTE_OK) return;
  mote_elastic_kick all = kick_of_all(s, kick);
  if (s->meeting > 0 && s->implicit) {
    mote_elastic_contact_loosen(s->set, s->elastic, &all);
    s->stepped = kick->dt;
    s->result =
        mote_elastic_tick_implicit(s->world, &s->tick, s->beside, &s->set->external, kick->dt, s->error);
    mote_elastic_contact_loose_forces(s->set, s->force);
  } else {
    s->set->external.kick(s->set->external.user, &all);
    if (s->meeting > 0) mote_elastic_tick_kick(s->world, s->beside, &all);
  }
  memcpy(kick->force, s->force + 3 * s->elastic, 3 * (s->set->count - s->elastic) * sizeof *kick->force);
}

static void contact_drift(void *user, double dt) {
  deformables *s = user;
  double left = dt - s->stepped;
  s->set->external.drift(s->set->external.user, left);
  if (s->meeting > 0 && left != 0.0) mote_elastic_tick_drift(s->world, s->beside, left);
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

static mote_result advance(deformables *s, const double *acceleration, mote_error *error) {
  mote_world *world = s->world;
  mote_lattice *lattice = s->lattice;
  double steps = mote_lattice_steps(lattice, world->dt, *mote_state_f64(&world->now, MOTE_WORLD_FACTOR));
  if (!(steps <= SUBSTEPS_MAX))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "substeps of lattices in a step: %g, at most %g", steps,
                     SUBSTEPS_MAX);
  mote_elastic_external external = {.user = s, .drift = contact_drift, .kick = contact_kick};
  s->implicit = s->meeting > 0 && !mote_elastic_may_be_explicit(world, s->beside, steps);
  MOTE_TRY(take_arrays(s, acceleration, error));
  world->report.lattice_steps = (int)steps;
  MOTE_TRY(mote_lattice_advance(lattice, &external, acceleration, world->dt, steps, error));
  MOTE_TRY(s->result);
  MOTE_TRY(check(lattice, error));
  mote_lattice_end(lattice);
  return mote_elastic_contact_stage_end(world, s->set, error);
}

static mote_result finish(mote_world *world, const mote_lattice *lattice, mote_error *error) {
  MOTE_TAKE_NEW(double, energy, &world->scratch, lattice->rows.count, error);
  mote_lattice_energies stored = mote_lattice_stored(lattice, energy);
  stiffen(world, lattice, energy);
  world->lattice_energy = stored.strain + stored.restoring + stored.contact;
  note_shock(world, lattice);
  return MOTE_OK;
}

// The farthest that a particle moves in the step.
static double travel_of(const mote_world *world, const mote_lattice *lattice, const double *acceleration) {
  size_t n = lattice->rows.count;
  double faster = largest_length(lattice->rows.velocity, n) + world->dt * largest_length(acceleration, n);
  return world->dt * faster + MOTE_TRAVEL_SLACK * lattice->edge;
}

static mote_result step(deformables *s, const double *acceleration, mote_error *error) {
  double travel = travel_of(s->world, s->lattice, acceleration);
  if (s->bodies > 0) {
    MOTE_TRY(mote_elastic_tick_begin(s->world, &s->tick, error));
    travel = max2(travel, s->tick.travel);
  }
  if (!isfinite(travel))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "distance of lattice particles in a step: %g m", travel);
  MOTE_TRY(open_tick(s, travel, error));
  MOTE_TRY(advance(s, acceleration, error));
  MOTE_TRY(finish(s->world, s->lattice, error));
  return s->bodies > 0 ? mote_elastic_tick_end(s->world, &s->tick, error) : MOTE_OK;
}

mote_result mote_lattice_bodies_step(mote_world *world, mote_error *error) {
  size_t n = mote_world_lattice_rows(world);
  mote_lattice lattice;
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
  deformables s = {.world = world,
                   .lattice = &lattice,
                   .elastic = mote_world_elastic_rows(world),
                   .bodies = mote_world_items(world, MOTE_KIND_ELASTIC),
                   .error = error};
  mote_result result = step(&s, acceleration, error);
  mote_elastic_contact_destroy(s.set);
  if (result == MOTE_OK) note_accelerations(world, before);
  return result;
}
