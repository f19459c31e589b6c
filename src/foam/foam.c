// Foam: definition, memory, and one advance. See mote/foam.h; docs/theory/foam.md.
#include <math.h>
#include <string.h>

#include "foam/foam_data.h"

#define BUBBLE_TENSION 0.0728  // physical: N/m, of water and air

mote_foam_def mote_foam_def_default(int dimensions) {
  return (mote_foam_def){.dimensions = dimensions,
                         .spacing = (double)NAN,
                         .density = 998.2,
                         .gravity = {0.0, -9.81, 0.0},
                         .length = (double)NAN,
                         .amount = dimensions == 2 ? 1e4 : 1e6,
                         .life = {1.0, 3.0},
                         .size = 3e-3,
                         .tension = BUBBLE_TENSION,
                         .particles_max = 2000000};
}

const char *mote_foam_kind_name(mote_foam_kind kind) {
  static const char *const name[MOTE_FOAM_KINDS] = {"spray", "foam", "bubbles"};
  return kind < MOTE_FOAM_KINDS ? name[kind] : "";
}

static double length3(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double mote_foam_rise(const mote_foam_def *def) {
  double g = length3(def->gravity);
  return g > 0.0 ? sqrt(2.0 * def->tension / (def->density * def->size) + 0.5 * g * def->size) : 0.0;
}

// --- Checks ---

static bool is_positive(double x) {
  return x > 0.0 && isfinite(x);
}

static bool is_amount(double x) {
  return x >= 0.0 && isfinite(x);
}

static mote_result check_def(const mote_foam_def *d, mote_error *error) {
  if (d->dimensions != 2 && d->dimensions != 3)
    return mote_fail_key(error, "dimensions", "%d is neither 2 nor 3", d->dimensions);
  const struct {
    const char *name;
    double value;
    bool zero;
  } number[] = {
      {"spacing", d->spacing, false}, {"density", d->density, false},        {"length", d->length, false},
      {"size", d->size, false},       {"amount", d->amount, true},           {"life", d->life[0], true},
      {"life", d->life[1], true},     {"air_density", d->air_density, true}, {"tension", d->tension, true}};
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k) {
    if (!(number[k].zero ? is_amount(number[k].value) : is_positive(number[k].value)))
      return mote_fail_key(error, number[k].name, "%g is not %s", number[k].value,
                           number[k].zero ? "zero or positive" : "positive");
  }
  if (d->life[1] < d->life[0])
    return mote_fail_key(error, "life", "%g to %g s: the second is smaller", d->life[0], d->life[1]);
  for (int a = 0; a < 3; ++a) {
    if (!isfinite(d->gravity[a])) return mote_fail_key(error, "gravity", "%g is not finite", d->gravity[a]);
  }
  if (!(length3(d->gravity) > 0.0))
    return mote_fail_key(error, "gravity", "without gravity nothing says what is much energy");
  return MOTE_OK;
}

static mote_result check_moment(const mote_foam_moment *m, const char *name, mote_error *error) {
  if (m == NULL || !isfinite(m->time)) return mote_fail_key(error, name, "is null, or has no time");
  if (m->count > 0 && (m->id == NULL || m->position == NULL || m->velocity == NULL))
    return mote_fail_key(error, name, "an array is null");
  for (size_t i = 0; i < m->count; ++i) {
    if (i > 0 && m->id[i] <= m->id[i - 1]) return mote_fail_key(error, name, "ids do not ascend");
    for (size_t a = 3 * i; a < 3 * i + 3; ++a) {
      if (!isfinite(m->position[a]) || !isfinite(m->velocity[a]))
        return mote_fail_key(error, name, "particle %llu is not finite", (unsigned long long)m->id[i]);
    }
  }
  return MOTE_OK;
}

// --- Memory ---

static mote_result make_grid(const mote_foam *foam, mote_grid **out, mote_error *error) {
  mote_grid_def def = mote_grid_def_default(MOTE_FOAM_REACH * foam->def.spacing);
  def.domain = mote_domain_open(foam->def.dimensions);
  return mote_grid_create(&def, &foam->env, out, error);
}

mote_result mote_foam_create(const mote_foam_def *def, const mote_env *env, mote_foam **out,
                             mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail_key(error, def == NULL ? "def" : "out", "is null");
  MOTE_TRY(check_def(def, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_foam, foam, &resolved, 1, error);
  *foam = (mote_foam){.env = resolved, .def = *def, .scratch = mote_arena_make(&resolved)};
  foam->speed = sqrt(length3(def->gravity) * def->length);
  foam->rise = mote_foam_rise(def);
  mote_result result = make_grid(foam, &foam->grid, error);
  if (result == MOTE_OK) {
    *out = foam;
  } else {
    mote_foam_destroy(foam);
  }
  return result;
}

void mote_foam_destroy(mote_foam *foam) {
  if (foam == NULL) return;
  mote_env env = foam->env;
  mote_foam_free_arrays(foam);
  mote_free(&env, foam->debt, foam->debts_capacity, sizeof *foam->debt);
  mote_grid_destroy(foam->grid);
  mote_arena_destroy(&foam->scratch);
  mote_free(&env, foam, 1, sizeof *foam);
}

size_t mote_foam_count(const mote_foam *foam) {
  return foam->count;
}

mote_field_view mote_foam_view(const mote_foam *foam, mote_foam_field field) {
  const mote_field_view all[MOTE_FOAM_FIELDS] = {
      {"position", "m", MOTE_TYPE_F64, 3, foam->count, foam->position},
      {"velocity", "m/s", MOTE_TYPE_F32, 3, foam->count, foam->velocity},
      {"id", "", MOTE_TYPE_U64, 1, foam->count, foam->id},
      {"kind", "", MOTE_TYPE_U32, 1, foam->count, foam->kind},
      {"life", "s", MOTE_TYPE_F32, 1, foam->count, foam->life},
      {"size", "m", MOTE_TYPE_F32, 1, foam->count, foam->size}};
  return field < MOTE_FOAM_FIELDS ? all[field] : (mote_field_view){.name = NULL};
}

// --- The liquid between two moments ---

static void copy3(double *to, const double *from) {
  memcpy(to, from, 3 * sizeof *to);
}

static mote_result make_flow(mote_foam *foam, const mote_foam_moment *a, const mote_foam_moment *b,
                             mote_foam_flow *out, mote_error *error) {
  size_t most = a->count < b->count ? a->count : b->count;
  *out = (mote_foam_flow){.time = a->time, .length = b->time - a->time};
  MOTE_TAKE(out->id, &foam->scratch, most, error);
  MOTE_TAKE(out->x0, &foam->scratch, 3 * most, error);
  MOTE_TAKE(out->v0, &foam->scratch, 3 * most, error);
  MOTE_TAKE(out->x1, &foam->scratch, 3 * most, error);
  MOTE_TAKE(out->v1, &foam->scratch, 3 * most, error);
  for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
    if (a->id[i] != b->id[j]) {
      if (a->id[i] < b->id[j])
        ++i;
      else
        ++j;
      continue;
    }
    size_t n = out->count++;
    out->id[n] = a->id[i];
    copy3(out->x0 + 3 * n, a->position + 3 * i), copy3(out->v0 + 3 * n, a->velocity + 3 * i);
    copy3(out->x1 + 3 * n, b->position + 3 * j), copy3(out->v1 + 3 * n, b->velocity + 3 * j);
    ++i, ++j;
  }
  return MOTE_OK;
}

// --- One advance ---

// Kinetic and potential energy of a particle over its mass, J/kg.
static double energy_of(const mote_foam *foam, const double *x, const double *v) {
  const double *g = foam->def.gravity;
  return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - (g[0] * x[0] + g[1] * x[1] + g[2] * x[2]);
}

static double lost_energy(const mote_foam *foam, const mote_foam_flow *flow) {
  double sum = 0.0, d = foam->def.spacing;
  for (size_t i = 0; i < flow->count; ++i)
    sum += energy_of(foam, flow->x0 + 3 * i, flow->v0 + 3 * i) -
           energy_of(foam, flow->x1 + 3 * i, flow->v1 + 3 * i);
  double mass = foam->def.density * d * d * (foam->def.dimensions == 3 ? d : 1.0);
  return sum > 0.0 ? mass * sum : 0.0;
}

static mote_result advance(mote_foam *foam, const mote_foam_flow *flow, double energy,
                           const mote_foam_around *around, mote_foam_report *report, mote_error *error) {
  report->energy = isnan(energy) ? lost_energy(foam, flow) : energy > 0.0 ? energy : 0.0;
  MOTE_TRY(mote_foam_bear(foam, flow, report->energy, report, error));
  MOTE_TRY(mote_foam_move(foam, flow, around, report, error));
  for (size_t k = 0; k < foam->count; ++k) ++report->kind[foam->kind[k]];
  ++foam->advances;
  return MOTE_OK;
}

mote_result mote_foam_advance(mote_foam *foam, const mote_foam_moment *from, const mote_foam_moment *to,
                              double energy, mote_foam_obstacle_fn *obstacle, void *user,
                              mote_foam_report *report, mote_error *error) {
  if (foam == NULL) return mote_fail_key(error, "foam", "is null");
  MOTE_TRY(check_moment(from, "from", error));
  MOTE_TRY(check_moment(to, "to", error));
  if (!(to->time > from->time)) return mote_fail_key(error, "to", "is not later than from");
  mote_foam_report none, *out = report != NULL ? report : &none;
  *out = (mote_foam_report){.energy = 0.0};
  mote_foam_around around = {obstacle, user};
  mote_arena_mark mark = mote_arena_here(&foam->scratch);
  mote_foam_flow flow;
  mote_result result = make_flow(foam, from, to, &flow, error);
  if (result == MOTE_OK) result = advance(foam, &flow, energy, &around, out, error);
  mote_arena_release(&foam->scratch, mark);
  return result;
}
