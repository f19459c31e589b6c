// The hand: see hand.h.
#include "matter/hand.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "matter/bodies.h"

#define PARTICLES_PER_TASK 4096  // particles of one task

static const char *const groups[] = {"all"};
static const mote_field hand_field[] = {MOTE_HAND_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field particle_field[] = {MOTE_HAND_PARTICLE_FIELDS(MOTE_FIELD_ENTRY)};
const mote_table mote_hand_table = {"hand", hand_field, MOTE_HAND_FIELD_COUNT, groups, 1, -1, 1};
const mote_table mote_hand_particle_table = {
    "hand_particles", particle_field, MOTE_HAND_PARTICLE_FIELD_COUNT, groups, 1, -1, 1};

static mote_store *find_store(const mote_state *state, const mote_table *table) {
  size_t t = mote_state_find(state, table->name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

static mote_hold_kind holds(const mote_world *world) {
  const mote_store *hand = find_store(&world->now, &mote_hand_table);
  bool any = hand != NULL && hand->count[0] > 0;
  return any ? (mote_hold_kind)mote_store_u32(hand, MOTE_HAND_HOLDS)[0] : MOTE_HOLDS_NOTHING;
}

// The body that it holds; false: none.
static bool held_body(const mote_world *world, mote_body_place *out) {
  mote_hold_kind kind = holds(world);
  if (kind != MOTE_HOLDS_BODY && kind != MOTE_HOLDS_PARTICLES) return false;
  uint32_t label = mote_store_u32(find_store(&world->now, &mote_hand_table), MOTE_HAND_BODY)[0];
  return mote_bodies_find(world, label - 1, out) &&
         (mote_kind_row_of(world, out->kind)->mobility != NULL) == (kind == MOTE_HOLDS_BODY);
}

// --- What is near -------------------------------------------------------------------------------------

// Particles of solids are balls of half a spacing; liquid is where its particles are.
static void seek_particles(const mote_world *world, mote_kind kind, const double at[3], mote_hand_grip *out) {
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  bool liquid = mote_kind_row_of(world, kind)->is_liquid;
  for (size_t i = 0; i < p.count; ++i) {
    if (p.hold != NULL && p.hold[i] != 0) continue;
    double gap[3];
    mote_domain_difference(&world->domain, at, p.position + 3 * i, gap);
    double distance = liquid ? length3(gap) : max2(0.0, length3(gap) - 0.5 * world->def.spacing);
    if (!(distance < out->distance)) continue;
    mote_body_place place = {kind, 0};
    if (!liquid && (p.label[i] == 0 || !mote_bodies_find(world, p.label[i] - 1, &place))) continue;
    if (!liquid && place.kind != kind) continue;
    *out = (mote_hand_grip){liquid ? MOTE_HOLDS_LIQUID : MOTE_HOLDS_PARTICLES, place, distance};
  }
}

static void seek_bodies(const mote_world *world, mote_kind kind, const double at[3], mote_hand_grip *out) {
  const mote_kind_row *row = mote_kind_row_of(world, kind);
  for (size_t k = 0; row->mobility != NULL && k < mote_world_items(world, (int)kind); ++k) {
    mote_pose pose;
    double own[3];
    if (row->is_fixed(world, k) || !row->pose(world, k, &pose)) continue;
    mote_pose_unapply(&pose, at, own);
    double distance = max2(0.0, mote_shape_distance(mote_kind_shape(world, kind, k), own));
    if (distance < out->distance)
      *out = (mote_hand_grip){MOTE_HOLDS_BODY, (mote_body_place){kind, k}, distance};
  }
}

mote_hand_grip mote_hand_seek(const mote_world *world, const double at[3], double radius) {
  mote_hand_grip best = {.holds = MOTE_HOLDS_NOTHING, .distance = HUGE_VAL};
  for (int kind = 0; kind < MOTE_KINDS; ++kind) seek_bodies(world, (mote_kind)kind, at, &best);
  for (int liquid = 0; liquid < 2; ++liquid)
    for (int kind = 0; kind < MOTE_KINDS; ++kind)
      if (world->kind[kind]->is_liquid == (liquid == 1)) seek_particles(world, (mote_kind)kind, at, &best);
  if (best.distance > radius) best.holds = MOTE_HOLDS_NOTHING;
  return best;
}

// --- Taking hold --------------------------------------------------------------------------------------

void mote_hand_let_go(mote_world *world) {
  mote_store *hand = find_store(&world->now, &mote_hand_table),
             *particles = find_store(&world->now, &mote_hand_particle_table);
  if (hand != NULL) (void)mote_store_resize(hand, 0, 0, NULL);  // fewer: cannot fail
  if (particles != NULL) (void)mote_store_resize(particles, 0, 0, NULL);
}

static mote_result expect_table(mote_state *state, const mote_table *table, mote_error *error) {
  size_t index;
  return find_store(state, table) != NULL ? MOTE_OK : mote_state_register(state, table, &index, error);
}

static void sort_ids(uint64_t *id, size_t count) {
  for (size_t stride = count / 2; stride > 0; stride /= 2) {
    for (size_t i = stride; i < count; ++i) {
      uint64_t own = id[i];
      size_t k = i;
      for (; k >= stride && id[k - stride] > own; k -= stride) id[k] = id[k - stride];
      id[k] = own;
    }
  }
}

// Of a body, the particles within the radius; at least the nearest, as far as the grip is.
static mote_result take_particles(mote_world *world, const mote_hand_grip *grip, mote_error *error) {
  const mote_hand *hand = &world->steering.hand;
  mote_kind_particles p = mote_kind_particles_of(world, grip->place.kind);
  mote_store *store = find_store(&world->now, &mote_hand_particle_table);
  uint32_t label = mote_bodies_id(world, grip->place) + 1;
  double reach = max2(hand->radius, grip->distance + 0.5 * world->def.spacing);
  for (int pass = 0; pass < 2; ++pass) {
    size_t count = 0;
    for (size_t i = 0; i < p.count; ++i) {
      double gap[3];
      mote_domain_difference(&world->domain, hand->at, p.position + 3 * i, gap);
      if (p.label[i] != label || (p.hold != NULL && p.hold[i] != 0) || length3(gap) > reach) continue;
      if (pass == 1) mote_store_u64(store, MOTE_HAND_PARTICLE)[count] = p.id[i];
      ++count;
    }
    if (pass == 0) MOTE_TRY(mote_store_resize(store, 0, count, error));
  }
  sort_ids(mote_store_u64(store, MOTE_HAND_PARTICLE), store->count[0]);
  return MOTE_OK;
}

mote_result mote_hand_take(mote_world *world, const mote_hand_grip *grip, mote_error *error) {
  MOTE_TRY(expect_table(&world->now, &mote_hand_table, error));
  MOTE_TRY(expect_table(&world->now, &mote_hand_particle_table, error));
  mote_hand_let_go(world);
  mote_store *hand = find_store(&world->now, &mote_hand_table);
  if (grip->holds == MOTE_HOLDS_PARTICLES) MOTE_TRY(take_particles(world, grip, error));
  MOTE_TRY(mote_store_resize(hand, 0, 1, error));
  bool liquid = grip->holds == MOTE_HOLDS_LIQUID;
  mote_store_u32(hand, MOTE_HAND_HOLDS)[0] = (uint32_t)grip->holds;
  mote_store_u32(hand, MOTE_HAND_BODY)[0] = liquid ? 0 : mote_bodies_id(world, grip->place) + 1;
  double *point = mote_store_f64(hand, MOTE_HAND_POINT);
  set3(0.0, 0.0, 0.0, point);
  mote_pose pose;
  if (grip->holds == MOTE_HOLDS_BODY &&
      mote_kind_row_of(world, grip->place.kind)->pose(world, grip->place.row, &pose))
    mote_pose_unapply(&pose, world->steering.hand.at, point);
  return MOTE_OK;
}

// --- What is held -------------------------------------------------------------------------------------

// Whether the id is one of those held; these ascend.
static bool is_held(const mote_store *held, uint64_t id) {
  const uint64_t *ids = mote_store_u64(held, MOTE_HAND_PARTICLE);
  size_t low = 0, high = held->count[0];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ids[middle] < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < held->count[0] && ids[low] == id;
}

// The particles that are held: of a body of this kind, with its label.
typedef struct grasp {
  mote_kind_particles p;
  const mote_store *held;
  uint32_t label;
} grasp;

static bool open_grasp(const mote_world *world, grasp *out) {
  mote_body_place place;
  if (holds(world) != MOTE_HOLDS_PARTICLES || !held_body(world, &place)) return false;
  *out = (grasp){mote_kind_particles_of(world, place.kind),
                 find_store(&world->now, &mote_hand_particle_table), mote_bodies_id(world, place) + 1};
  return true;
}

static bool grasps(const grasp *g, size_t i) {
  return g->p.label[i] == g->label && is_held(g->held, g->p.id[i]);
}

// Mass, and the means of positions and velocities; positions relative to the first, for periodic sides.
static size_t find_mean(const mote_world *world, const grasp *g, double x[3], double v[3]) {
  double mass = 0.0, first[3] = {0.0, 0.0, 0.0};
  size_t count = 0;
  set3(0.0, 0.0, 0.0, x), set3(0.0, 0.0, 0.0, v);
  for (size_t i = 0; i < g->p.count; ++i) {
    if (!grasps(g, i)) continue;
    double from[3], own[3], m = mote_kind_mass(&g->p, i);
    if (count++ == 0) copy3(g->p.position + 3 * i, first);
    mote_domain_difference(&world->domain, g->p.position + 3 * i, first, from);
    mote_kind_velocity(&g->p, i, own);
    step3(x, m, from, x), step3(v, m, own, v), mass += m;
  }
  for (int a = 0; a < 3 && count > 0; ++a) x[a] = first[a] + x[a] / mass, v[a] /= mass;
  return count;
}

void mote_hand_begin_step(mote_world *world) {
  mote_hold_kind kind = holds(world);
  mote_body_place place;
  grasp g;
  if (kind == MOTE_HOLDS_NOTHING) return;
  bool there = kind == MOTE_HOLDS_LIQUID || held_body(world, &place);
  if (kind == MOTE_HOLDS_PARTICLES && open_grasp(world, &g)) {
    size_t left = 0;
    for (size_t i = 0; i < g.p.count; ++i) left += grasps(&g, i);
    there = left > 0;
  }
  if (!there || mote_world_time(world) >= world->steering.hand.until) mote_hand_let_go(world);
}

// --- Forces -------------------------------------------------------------------------------------------

static double damping(const mote_hand *hand) {
  return 2.0 * sqrt(hand->stiffness);
}

// The spring at the end of a step of dt, which bounds its stiffness: of something that is free it takes
// energy for any length of the step.
static void spring(const mote_hand *hand, const double gap[3], const double v[3], double dt, double out[3]) {
  double s = hand->stiffness, c = damping(hand), share = 1.0 / (1.0 + (c + s * dt) * dt);
  for (int a = 0; a < 3; ++a) out[a] = share * (s * gap[a] - (c + s * dt) * v[a]);
}

void mote_hand_strike(mote_world *world) {
  const mote_hand *hand = &world->steering.hand;
  mote_body_place place;
  mote_pose pose;
  if (holds(world) != MOTE_HOLDS_BODY || !held_body(world, &place)) return;
  const mote_kind_row *row = mote_kind_row_of(world, place.kind);
  if (!row->pose(world, place.row, &pose)) return;
  double x[3], v[3], gap[3], change[9], inverse[9], impulse[3], mass = row->mass_of(world, place.row);
  double dt = world->dt, k = mass * hand->stiffness, c = mass * damping(hand) + k * dt;
  mote_pose_apply(&pose, mote_store_f64(find_store(&world->now, &mote_hand_table), MOTE_HAND_POINT), x);
  row->mobility(world, place.row, x, v, change);
  mote_domain_difference(&world->domain, hand->to, x, gap);
  for (int e = 0; e < 9; ++e) change[e] = c * dt * change[e] + (e % 4 == 0 ? 1.0 : 0.0);
  for (int a = 0; a < 3; ++a) gap[a] = dt * (k * gap[a] - c * v[a]);
  if (!invert3(change, inverse)) return;
  turn3(inverse, gap, impulse);
  row->strike(world, place.row, impulse, x);
}

static void accelerate_deformable(const mote_world *world, mote_kind kind, double *out) {
  const mote_hand *hand = &world->steering.hand;
  double x[3], v[3], gap[3], a[3];
  mote_body_place place;
  grasp g;
  if (!held_body(world, &place) || place.kind != kind || !open_grasp(world, &g)) return;
  if (find_mean(world, &g, x, v) == 0) return;
  mote_domain_difference(&world->domain, hand->to, x, gap);
  spring(hand, gap, v, world->dt, a);
  for (size_t i = 0; i < g.p.count; ++i)
    if (grasps(&g, i)) step3(out + 3 * i, 1.0, a, out + 3 * i);
}

typedef struct stirring {
  const mote_world *world;
  const mote_hand *hand;
  const double *x;
  const float *v;
  double gap[3];
  float *out;
} stirring;

// How much of the hand's force acts: 1 in the middle, 0 with a slope of 0 at the edge.
static void stir_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const stirring *s = data;
  double radius2 = s->hand->radius * s->hand->radius;
  for (size_t i = begin; i < end; ++i) {
    double from[3], a[3], v[3] = {(double)s->v[3 * i], (double)s->v[3 * i + 1], (double)s->v[3 * i + 2]};
    mote_domain_difference(&s->world->domain, s->x + 3 * i, s->hand->at, from);
    double inside = 1.0 - dot3(from, from) / radius2;
    if (!(inside > 0.0)) continue;
    spring(s->hand, s->gap, v, s->world->def.solver.step_max, a);
    for (size_t k = 0; k < 3; ++k) s->out[3 * i + k] += (float)(inside * inside * a[k]);
  }
}

// Of liquids the length of the step is not known yet: the longest one bounds the stiffness.
static void accelerate_liquid(const mote_world *world, mote_kind kind, float *out) {
  mote_kind_particles p = mote_kind_particles_of(world, kind);
  stirring s = {world, &world->steering.hand, p.position, p.velocity_f32, {0.0, 0.0, 0.0}, out};
  mote_domain_difference(&world->domain, s.hand->to, s.hand->at, s.gap);
  mote_parallel_for(world->env.threads, p.count, PARTICLES_PER_TASK, stir_chunk, &s);
}

void mote_hand_accelerate(const mote_world *world, mote_kind kind, float *f32, double *f64) {
  mote_hold_kind held = holds(world);
  bool liquid = mote_kind_row_of(world, kind)->is_liquid;
  if (held == MOTE_HOLDS_LIQUID && liquid) accelerate_liquid(world, kind, f32);
  if (held == MOTE_HOLDS_PARTICLES && !liquid) accelerate_deformable(world, kind, f64);
}

// --- Reading ------------------------------------------------------------------------------------------

bool mote_hand_read(const mote_world *world, mote_hand_state *out) {
  const mote_hand *hand = &world->steering.hand;
  mote_body_place place;
  mote_pose pose;
  grasp g;
  double v[3];
  *out = (mote_hand_state){.holds = holds(world)};
  copy3(hand->at, out->at), copy3(hand->to, out->to);
  if (out->holds == MOTE_HOLDS_LIQUID) return true;
  bool there = held_body(world, &place);
  if (there) out->body = mote_bodies_handle(world, place);
  if (there && out->holds == MOTE_HOLDS_BODY) {
    there = mote_kind_row_of(world, place.kind)->pose(world, place.row, &pose);
    const double *point = mote_store_f64(find_store(&world->now, &mote_hand_table), MOTE_HAND_POINT);
    if (there) mote_pose_apply(&pose, point, out->at);
  } else if (there) {
    out->particles = open_grasp(world, &g) ? find_mean(world, &g, out->at, v) : 0;
    there = out->particles > 0;
  }
  if (!there) *out = (mote_hand_state){.holds = MOTE_HOLDS_NOTHING};
  return there;
}

// --- Snapshots ----------------------------------------------------------------------------------------

mote_result mote_hand_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error) {
  bool listed = false;
  for (size_t e = 0; e < head->tables; ++e)
    listed = listed || strcmp(head->entry[e].name, mote_hand_table.name) == 0;
  if (!listed) return MOTE_OK;
  MOTE_TRY(expect_table(state, &mote_hand_table, error));
  return expect_table(state, &mote_hand_particle_table, error);
}

bool mote_hand_possible(const mote_state *state) {
  const mote_store *hand = find_store(state, &mote_hand_table),
                   *held = find_store(state, &mote_hand_particle_table);
  if (hand == NULL) return true;
  if (hand->blocks != 1 || held == NULL || held->blocks != 1 || hand->count[0] > 1) return false;
  if (hand->count[0] == 0) return held->count[0] == 0;
  uint32_t kind = mote_store_u32(hand, MOTE_HAND_HOLDS)[0], body = mote_store_u32(hand, MOTE_HAND_BODY)[0];
  bool fits = kind >= MOTE_HOLDS_LIQUID && kind <= MOTE_HOLDS_PARTICLES &&
              (body == 0) == (kind == MOTE_HOLDS_LIQUID) &&
              (held->count[0] > 0) == (kind == MOTE_HOLDS_PARTICLES) &&
              finite3(mote_store_f64(hand, MOTE_HAND_POINT));
  const uint64_t *id = held->count[0] > 0 ? mote_store_u64(held, MOTE_HAND_PARTICLE) : NULL;
  for (size_t k = 1; k < held->count[0] && fits; ++k) fits = id[k - 1] < id[k];
  return fits;
}
