// Direct solves of contacts: see contact_direct.h. The rows of an island are fulfilled by Newton's method on
// the augmented Lagrangian of its impulses (Alart & Curnier 1991), with the bound of friction from the step
// before; the matrix has a block of 6 unknowns a body and a Cholesky factor within its envelope.
#include "contact/contact_direct.h"

#include <string.h>

#include "contact/contact_islands.h"
#include "geom/triple.h"

#define SOFTNESS 1e-6  // of the augmented Lagrangian, relative to the compliance of the row's heavier body
#define SOFTNESS_LEAST 1e-4  // of the compliance of the row, at which the matrix can still be factorised
#define NEWTON_MAX 8
#define LIMITS_MAX 4       // steps in which limits of friction follow normal impulses
#define HALVES_MAX 8       // of a step
#define UPDATES_MAX 6      // of the impulses about which it is linearised
#define SETTLED 0.1        // of the need: smaller changes end the iteration
#define BODIES_MAX 1024    // of an island
#define COST_PER_PAIR 3e3  // multiplications of a factorisation: those of making the matrix
// Larger islands are left to the sweeps while contacts slide faster than MOVING times what is small: their
// friction seldom settles, and what moves has time.
#define MOVING_BODIES_MAX 8
#define MOVING 4e3
#define SWEEPS_MORE 16     // of an island, before it is solved directly
#define ACCEPTED 0.1       // of the change of a sweep before: what cannot be fulfilled changes as much after
#define CHANGE_MAX 4.0     // of a body's velocity, violations for each body of its island
#define SLIDING_PART 1e-2  // of the speed at which contacts slide: what is enough where they do

typedef enum friction_state { OPEN, STICKS, SLIDES } friction_state;

// A contact in the scaled velocities y, v = start + W y with W W^T the inverse mass: 1 normal, 2 tangents.
typedef struct direct_row {
  size_t number;   // of the row
  uint32_t at[2];  // bodies of the island; UINT32_MAX: an obstacle
  double J[3][2][6];
  double start[3];        // relative velocity without impulses
  double about[3], x[3];  // impulses about which it is linearised; trial impulses
  double softness[3], compliance[3];
  double impulse[3], friction;
  double limit;                   // of friction
  double along[2], most, factor;  // of the friction that is assembled
  friction_state state;
} direct_row;

typedef struct direct {
  const mote_contact_rows *s;
  const mote_contact_direct *def;
  mote_island island;
  double (*root)[7];  // of each body: root of the inverse mass; lower triangle of that of the inverse inertia
  double heaviest;    // least inverse mass of its bodies
  direct_row *row;
  size_t rows;
  double need;                      // m/s: changes of a sweep that are small enough
  double *matrix, *rhs, *y, *last;  // of the envelope; 6 numbers a body
} direct;

// --- Rows ---------------------------------------------------------------------------------------------

// B with B B^T = inverse inertia; columns that would divide by 0 (rotations that cannot be) are 0.
static void find_root(const mote_mover_mass *of, double out[7]) {
  const double *I = of->inverse_inertia;
  double least = 1e-14 * (I[0] + I[3] + I[5]);
  out[0] = sqrt(of->inverse_mass);
  out[1] = I[0] > least ? sqrt(I[0]) : 0.0;
  out[2] = out[1] > 0.0 ? I[1] / out[1] : 0.0, out[3] = out[1] > 0.0 ? I[2] / out[1] : 0.0;
  double yy = I[3] - out[2] * out[2], yz = I[4] - out[2] * out[3];
  out[4] = yy > least ? sqrt(yy) : 0.0;
  out[5] = out[4] > 0.0 ? yz / out[4] : 0.0;
  double zz = I[5] - out[3] * out[3] - out[5] * out[5];
  out[6] = zz > least ? sqrt(zz) : 0.0;
}

// The row of the Jacobian for an impulse along e at `arm`.
static void find_jacobian(const double root[7], double sign, const double arm[3], const double e[3],
                          double J[6]) {
  double m[3];
  cross3(arm, e, m);
  for (int k = 0; k < 3; ++k) J[k] = sign * root[0] * e[k];
  J[3] = sign * (root[1] * m[0] + root[2] * m[1] + root[3] * m[2]);
  J[4] = sign * (root[4] * m[1] + root[5] * m[2]);
  J[5] = sign * root[6] * m[2];
}

static void velocity_at(const direct *w, uint32_t solid, const double arm[3], double out[3]) {
  bool body = solid < w->s->scene->bodies;
  const double *v = body ? w->def->start + 6 * solid : w->s->mover[solid].v;
  const double *spin = body ? w->def->start + 6 * solid + 3 : w->s->mover[solid].w;
  cross3(spin, arm, out);
  step3(out, 1.0, v, out);
}

static void make_row(const direct *w, size_t number, direct_row *out) {
  const mote_contact_row *r = w->s->row + number;
  const uint32_t solid[2] = {r->a, r->b};
  const double *arm[2] = {r->ra, r->rb}, *e[3] = {r->n, NULL, NULL};
  double va[3], vb[3];
  *out = (direct_row){.number = number};
  if (w->def->with_friction) {
    const mote_contact_tangent *t = mote_contact_tangent_of(w->s, number);
    out->friction = t->friction;
    for (int k = 0; k < 2; ++k) e[k + 1] = t->t[k];
  }
  velocity_at(w, r->a, r->ra, va);
  velocity_at(w, r->b, r->rb, vb);
  sub3(va, vb, va);
  for (int side = 0; side < 2; ++side) {
    out->at[side] = w->island.place[solid[side]];
    for (int k = 0; k < 3 && out->at[side] != UINT32_MAX && e[k] != NULL; ++k)
      find_jacobian(w->root[out->at[side]], side == 0 ? 1.0 : -1.0, arm[side], e[k], out->J[k][side]);
  }
  for (int k = 0; k < 3 && e[k] != NULL; ++k) {
    double whole = 0.0;
    out->start[k] = dot3(va, e[k]);
    for (int side = 0; side < 2; ++side) {
      const double *J = out->J[k][side];
      whole += dot3(J, J) + dot3(J + 3, J + 3);
    }
    out->compliance[k] = whole;
    out->softness[k] = SOFTNESS * max2(w->heaviest, SOFTNESS_LEAST * whole);
    if (!(whole > 0.0)) out->softness[k] = 0.0;
  }
  // One for both tangents: friction is a disc.
  if (out->softness[1] > 0.0 && out->softness[2] > 0.0)
    out->softness[1] = out->softness[2] = min2(out->softness[1], out->softness[2]);
  out->state = mote_contact_row_is_closed(w->s, number) ? STICKS : OPEN;
}

static mote_result make_rows(direct *w, mote_arena *scratch, mote_error *error) {
  w->rows = 0;
  for (size_t g = 0; g < w->island.groups; ++g) w->rows += w->s->group[w->island.group[g]].count;
  size_t n = w->island.bodies, rows = 0;
  w->root = mote_arena_take(scratch, n, sizeof *w->root);
  w->row = mote_arena_take(scratch, w->rows, sizeof *w->row);
  w->matrix = mote_arena_take(scratch, w->island.entries, sizeof *w->matrix);
  w->rhs = mote_arena_take(scratch, 6 * n, sizeof *w->rhs);
  w->y = mote_arena_take(scratch, 6 * n, sizeof *w->y);
  w->last = mote_arena_take(scratch, 6 * n, sizeof *w->last);
  if (w->root == NULL || w->row == NULL || w->matrix == NULL || w->rhs == NULL || w->y == NULL ||
      w->last == NULL)
    return mote_fail_memory(error, w->island.entries * sizeof *w->matrix);
  w->heaviest = HUGE_VAL;
  for (size_t k = 0; k < n; ++k) {
    const mote_mover_mass *of = w->s->mass + w->island.body[k];
    find_root(of, w->root[k]);
    if (of->inverse_mass > 0.0) w->heaviest = min2(w->heaviest, of->inverse_mass);
  }
  for (size_t g = 0; g < w->island.groups; ++g) {
    mote_contact_group of = w->s->group[w->island.group[g]];
    for (size_t k = 0; k < of.count; ++k) make_row(w, of.first + k, &w->row[rows++]);
  }
  return MOTE_OK;
}

// --- Matrix -------------------------------------------------------------------------------------------

// Adds factor p q^T, of the bodies a and b, to the lower triangle.
static void add_block(const direct *w, uint32_t a, uint32_t b, double factor, const double p[6],
                      const double q[6]) {
  if (a == UINT32_MAX || b == UINT32_MAX || a < b) return;
  for (int i = 0; i < 6; ++i) {
    double *line = w->matrix + w->island.line[6 * a + i] - w->island.low[a] * 6;
    int end = a == b ? i + 1 : 6;
    for (int j = 0; j < end; ++j) line[6 * b + j] += factor * p[i] * q[j];
  }
}

// Adds factor k l^T, of directions k and l of a row.
static void add_term(const direct *w, const direct_row *r, int k, int l, double factor) {
  for (int side = 0; side < 2; ++side) {
    for (int other = 0; other < 2; ++other)
      add_block(w, r->at[side], r->at[other], factor, r->J[k][side], r->J[l][other]);
  }
}

static void add_force(const direct *w, const direct_row *r, int k, double force) {
  for (int side = 0; side < 2; ++side) {
    if (r->at[side] == UINT32_MAX) continue;
    for (int i = 0; i < 6; ++i) w->rhs[6 * r->at[side] + i] += force * r->J[k][side][i];
  }
}

static double linear_friction(const direct_row *r, const double x[2], int k) {
  double part = r->along[0] * x[0] + r->along[1] * x[1];
  return r->most * r->along[k] + r->factor * (x[k] - r->along[k] * part);
}

// Friction is linear about its trial impulses: where it slides, only across them.
static void add_friction(const direct *w, direct_row *r) {
  double size = sqrt(r->x[1] * r->x[1] + r->x[2] * r->x[2]), about[2] = {0.0, 0.0};
  bool slides = r->state == SLIDES && size > 0.0;
  r->most = slides ? r->limit : 0.0;
  r->factor = slides ? r->most / size : 1.0;
  for (int k = 0; k < 2; ++k) {
    r->along[k] = slides ? r->x[k + 1] / size : 0.0;
    if (r->softness[k + 1] > 0.0) about[k] = r->about[k + 1] - r->start[k + 1] / r->softness[k + 1];
  }
  for (int k = 0; k < 2; ++k) {
    if (!(r->softness[k + 1] > 0.0)) continue;
    add_force(w, r, k + 1, linear_friction(r, about, k));
    for (int l = 0; l < 2; ++l) {
      if (!(r->softness[l + 1] > 0.0)) continue;
      add_term(w, r, k + 1, l + 1, r->factor * ((k == l) - r->along[k] * r->along[l]) / r->softness[l + 1]);
    }
  }
}

static void assemble(const direct *w) {
  size_t n = 6 * w->island.bodies;
  memset(w->matrix, 0, w->island.entries * sizeof *w->matrix);
  memset(w->rhs, 0, n * sizeof *w->rhs);
  for (size_t i = 0; i < n; ++i) w->matrix[w->island.line[i] + i - w->island.low[i / 6] * 6] = 1.0;
  for (size_t k = 0; k < w->rows; ++k) {
    direct_row *r = w->row + k;
    if (r->state == OPEN || !(r->softness[0] > 0.0)) continue;
    double bound = w->s->row[r->number].bound;
    add_term(w, r, 0, 0, 1.0 / r->softness[0]);
    add_force(w, r, 0, r->about[0] + (bound - r->start[0]) / r->softness[0]);
    if (w->def->with_friction && r->friction > 0.0) add_friction(w, r);
  }
}

// Cholesky factor within the envelope, and the solution in y; false: not positive.
static bool factorise(const direct *w) {
  const mote_island *in = &w->island;
  size_t n = 6 * in->bodies;
  for (size_t i = 0; i < n; ++i) {
    size_t low = 6 * in->low[i / 6];
    double *a = w->matrix + in->line[i] - low, sum = w->rhs[i];
    for (size_t j = low; j <= i; ++j) {
      size_t other = 6 * in->low[j / 6], from = low > other ? low : other;
      const double *b = w->matrix + in->line[j] - other;
      double part = a[j];
      for (size_t k = from; k < j; ++k) part -= a[k] * b[k];
      if (j < i) {
        a[j] = part / b[j];
      } else if (part > 0.0) {
        a[i] = sqrt(part);
      } else {
        return false;
      }
    }
    for (size_t j = low; j < i; ++j) sum -= a[j] * w->y[j];
    w->y[i] = sum / a[i];
  }
  for (size_t i = n; i-- > 0;) {
    size_t low = 6 * in->low[i / 6];
    const double *a = w->matrix + in->line[i] - low;
    w->y[i] /= a[i];
    for (size_t j = low; j < i; ++j) w->y[j] -= a[j] * w->y[i];
  }
  return true;
}

// --- Newton -------------------------------------------------------------------------------------------

static double speed_of(const direct *w, const direct_row *r, int k) {
  double speed = r->start[k];
  for (int side = 0; side < 2; ++side) {
    if (r->at[side] == UINT32_MAX) continue;
    const double *J = r->J[k][side], *y = w->y + 6 * r->at[side];
    speed += dot3(J, y) + dot3(J + 3, y + 3);
  }
  return speed;
}

// Trial impulses at the velocities y.
static void find_trial(const direct *w, const direct_row *r, double x[3]) {
  x[0] = r->about[0] + (w->s->row[r->number].bound - speed_of(w, r, 0)) / r->softness[0];
  for (int k = 1; k < 3; ++k) {
    bool acts = w->def->with_friction && r->softness[k] > 0.0;
    x[k] = acts ? r->about[k] - speed_of(w, r, k) / r->softness[k] : 0.0;
  }
}

// The convex function of y of which the impulses with given limits of friction are the minimum.
static double merit(const direct *w) {
  double sum = 0.0;
  for (size_t i = 0; i < 6 * w->island.bodies; ++i) sum += 0.5 * w->y[i] * w->y[i];
  for (size_t n = 0; n < w->rows; ++n) {
    const direct_row *r = w->row + n;
    double x[3];
    if (!(r->softness[0] > 0.0)) continue;
    find_trial(w, r, x);
    double size = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (x[0] > 0.0) sum += 0.5 * r->softness[0] * x[0] * x[0];
    sum += max2(r->softness[1], r->softness[2]) *
           (size > r->limit ? r->limit * (size - 0.5 * r->limit) : 0.5 * size * size);
  }
  return sum;
}

// Goes back towards the velocities before while that is not better than these.
static void shorten(const direct *w, double before) {
  for (int n = 0; n < HALVES_MAX && merit(w) > before; ++n) {
    for (size_t i = 0; i < 6 * w->island.bodies; ++i) w->y[i] = 0.5 * (w->y[i] + w->last[i]);
  }
}

// Impulses of the velocities y, and the states that belong to them. Returns the largest change of a contact's
// velocity by what they differ from the linear ones.
static double project(const direct *w, bool limits) {
  double most_wrong = 0.0;
  for (size_t n = 0; n < w->rows; ++n) {
    direct_row *r = w->row + n;
    friction_state before = r->state;
    if (!(r->softness[0] > 0.0)) continue;
    find_trial(w, r, r->x);
    r->impulse[0] = max2(0.0, r->x[0]);
    if (limits) r->limit = r->friction * r->impulse[0];
    double size = sqrt(r->x[1] * r->x[1] + r->x[2] * r->x[2]);
    r->state = r->x[0] > 0.0 ? (size > r->limit ? SLIDES : STICKS) : OPEN;
    for (int k = 0; k < 3; ++k) {
      if (k > 0) r->impulse[k] = size > r->limit ? r->x[k] * r->limit / size : r->x[k];
      double linear = k == 0 ? r->x[0] : linear_friction(r, r->x + 1, k - 1);
      if (before == OPEN || (k > 0 && !(r->friction > 0.0))) linear = 0.0;
      most_wrong = max2(most_wrong, fabs(r->impulse[k] - linear) * r->compliance[k]);
    }
  }
  return most_wrong;
}

// The impulses become those about which it is linearised; returns the largest change of a contact's velocity
// that is left.
static double update(const direct *w) {
  double moved = 0.0;
  for (size_t n = 0; n < w->rows; ++n) {
    direct_row *r = w->row + n;
    for (int k = 0; k < 3; ++k) {
      moved = max2(moved, fabs(r->impulse[k] - r->about[k]) * r->softness[k]);
      r->about[k] = r->impulse[k];
    }
  }
  return moved;
}

// Newton's method about given impulses; whether it has settled. The limits of friction follow the normal
// impulses in the first steps only: with given limits it goes down to a minimum.
static bool settle(const direct *w) {
  double wrong = HUGE_VAL;
  for (int k = 0; k < NEWTON_MAX && wrong > SETTLED * w->need; ++k) {
    bool limits = k < LIMITS_MAX;
    double before = k > 0 ? merit(w) : HUGE_VAL;
    memcpy(w->last, w->y, 6 * w->island.bodies * sizeof *w->y);
    assemble(w);
    if (!factorise(w)) return false;
    if (!limits) shorten(w, before);
    wrong = project(w, limits);
  }
  return wrong <= SETTLED * w->need;
}

static bool iterate(const direct *w) {
  for (int updates = 0; updates < UPDATES_MAX; ++updates) {
    if (!settle(w)) {
      for (size_t n = 0; n < w->rows; ++n) copy3(w->row[n].about, w->row[n].impulse);
      return updates > 0;
    }
    if (update(w) < SETTLED * w->need) break;
  }
  return true;
}

// --- Islands ------------------------------------------------------------------------------------------

static double sweep_island(const direct *w, bool reversed) {
  double change = 0.0;
  size_t groups = w->island.groups;
  for (size_t g = 0; g < groups; ++g) {
    mote_contact_sweep how = {reversed, w->def->with_friction};
    change =
        max2(change, mote_contact_solve_group(w->s, w->island.group[reversed ? groups - 1 - g : g], how));
  }
  return change;
}

// Gives the impulses to rows and bodies: the velocities are those of the impulses, to rounding.
static void install(const direct *w) {
  for (size_t k = 0; k < w->island.bodies; ++k) {
    uint32_t body = w->island.body[k];
    copy3(w->def->start + 6 * body, w->s->mover[body].v);
    copy3(w->def->start + 6 * body + 3, w->s->mover[body].w);
  }
  for (size_t n = 0; n < w->rows; ++n) {
    const direct_row *r = w->row + n;
    mote_contact_set_impulse(w->s, r->number, r->impulse, w->def->with_friction);
    mote_contact_begin_row(w->s, r->number, w->def->with_friction);
  }
}

// What the sweeps had found, to go back to.
typedef struct found {
  mote_mover *mover;
  double (*impulse)[3];
} found;

static mote_result save(const direct *w, mote_arena *scratch, found *out, mote_error *error) {
  out->mover = mote_arena_take(scratch, w->island.bodies, sizeof *out->mover);
  out->impulse = mote_arena_take(scratch, w->rows, sizeof *out->impulse);
  if (out->mover == NULL || out->impulse == NULL)
    return mote_fail_memory(error, w->rows * sizeof *out->impulse);
  for (size_t k = 0; k < w->island.bodies; ++k) out->mover[k] = w->s->mover[w->island.body[k]];
  for (size_t n = 0; n < w->rows; ++n) {
    size_t number = w->row[n].number;
    const double *friction = w->s->tangent[number].friction_impulse;
    out->impulse[n][0] = w->s->row[number].normal_impulse;
    for (int k = 0; k < 2; ++k) out->impulse[n][k + 1] = w->def->with_friction ? friction[k] : 0.0;
  }
  return MOTE_OK;
}

static void restore(const direct *w, const found *before) {
  for (size_t k = 0; k < w->island.bodies; ++k) w->s->mover[w->island.body[k]] = before->mover[k];
  for (size_t n = 0; n < w->rows; ++n)
    mote_contact_set_impulse(w->s, w->row[n].number, before->impulse[n], w->def->with_friction);
}

// What contacts do not cause (a solution of conditions that all but exclude each other) is none.
static bool is_sane(const direct *w) {
  double most = w->def->violation * (double)w->island.bodies * CHANGE_MAX;
  for (size_t k = 0; k < w->island.bodies; ++k) {
    uint32_t body = w->island.body[k];
    double change = distance3(w->s->mover[body].v, w->def->start + 6 * body);
    if (!(change <= most)) return false;
  }
  return true;
}

// The largest relative velocity of contacts that press: 0 where the island rests, or moves as one.
static double sliding_speed(const direct *w) {
  double most = 0.0;
  for (size_t g = 0; g < w->island.groups; ++g) {
    mote_contact_group of = w->s->group[w->island.group[g]];
    for (size_t k = of.first; k < of.first + of.count; ++k) {
      double v[3];
      if (!(w->s->row[k].normal_impulse > 0.0)) continue;
      mote_contact_row_velocity(w->s, k, v);
      most = max2(most, length3(v));
    }
  }
  return most;
}

static mote_result solve_island(direct *w, mote_arena *scratch, bool *solved, mote_error *error) {
  found before;
  double left = HUGE_VAL;
  *solved = false;
  double sliding = sliding_speed(w);
  bool moves = w->def->with_friction && sliding > MOVING * w->def->small;
  if (moves && w->island.bodies > MOVING_BODIES_MAX) return MOTE_OK;
  w->need = max2(w->def->need, SLIDING_PART * sliding);
  for (int k = 0; k < SWEEPS_MORE && left > w->need; ++k) left = sweep_island(w, k % 2 != 0);
  if (!(left > w->need)) return MOTE_OK;
  MOTE_TRY(make_rows(w, scratch, error));
  MOTE_TRY(save(w, scratch, &before, error));
  if (iterate(w)) {
    install(w);
    double after = sweep_island(w, false);
    *solved = is_sane(w) && after < left && (after < ACCEPTED * left || after < w->def->small);
    if (*solved) (void)sweep_island(w, true);
  }
  if (!*solved) restore(w, &before);
  return MOTE_OK;
}

mote_result mote_contact_solve_direct(const mote_contact_rows *s, const mote_contact_direct *def,
                                      mote_arena *scratch, size_t *solved, mote_error *error) {
  MOTE_ASSERT(def->start != NULL || s->scene->bodies == 0);
  MOTE_ASSERT(def->need > 0.0);
  mote_islands islands;
  size_t count = 0;
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_result result = mote_contact_find_islands(s, scratch, &islands, error);
  for (size_t k = 0; k < islands.count && result == MOTE_OK; ++k) {
    mote_arena_mark own = mote_arena_here(scratch);
    if (islands.bodies[k + 1] - islands.bodies[k] > BODIES_MAX) continue;
    direct w = {.s = s, .def = def};
    bool better = false;
    result = mote_contact_order_island(s, &islands, k, scratch, &w.island, error);
    bool small = w.island.cost < COST_PER_PAIR * (double)w.island.groups;
    if (result == MOTE_OK && small) result = solve_island(&w, scratch, &better, error);
    count += better;
    mote_arena_release(scratch, own);
  }
  mote_arena_release(scratch, mark);
  if (solved != NULL) *solved = count;
  return result;
}
