// Validation of bodies in fluids: Archimedes' drafts, the roll of a beam of half the density, neutral bodies
// that stay where they are, and the momenta of fluid and body together (docs/theory/bodies.md, "Fluids").
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>

#include "validate/bodies/tank_def.h"
#include "validate/trial_materials.h"
#include "validate/validate.h"

// --- A box in a tank --------------------------------------------------------------------------------------

#define CALM_RATE 5.0  // 1/s: half the rate at which a box heaves, 10 d wide and five high

// A tank, water to a depth, a box of width and height whose middle is at x, y.
typedef struct bath {
  mote_pressure_kind pressure;
  double spacing, width, depth;     // of the tank and the water, m
  double box[2], ratio, middle[2];  // of the box: m, density over water's, m
  double turn;                      // rad
  bool free;                        // no tank and no weight: what flies
  double speed;                     // m/s, of the water
  bool is_3d;                       // three dimensions: tank and box are square; else two
  double calmed;                    // s, in which the water is damped
} bath;

static mote_result fill(mote_world *world, const bath *b, mote_error *error) {
  mote_material_def water = mote_material_def_default();
  mote_material_def wood = rigid_material("wood", water.density * b->ratio);
  mote_body_def box = mote_body_def_default(), pool = box;
  box.name = "box", box.material = "wood";
  double half = b->is_3d ? 0.5 * b->box[0] : 0.0, deep = b->is_3d ? b->width : 0.0;
  box.shape =
      mote_shape_def_box(-0.5 * b->box[0], -0.5 * b->box[1], -half, 0.5 * b->box[0], 0.5 * b->box[1], half);
  box.shape.angle = b->turn, box.shape.move[0] = b->middle[0], box.shape.move[1] = b->middle[1];
  box.shape.move[2] = 0.5 * deep;
  pool.name = "pool", pool.fill = MOTE_FILL_CUBIC, pool.velocity.x.constant = b->speed;
  pool.shape = mote_shape_def_box(0.0, 0.0, 0.0, b->width, b->depth, deep);
  mote_result result = mote_world_add_material(world, &water, NULL, error);
  if (!result) result = mote_world_add_material(world, &wood, NULL, error);
  if (!result) result = mote_world_add_body(world, &box, NULL, error);
  if (!result) result = mote_world_add_body(world, &pool, NULL, error);
  mote_force_def calm = mote_force_def_default();
  calm.name = "calm", calm.damping.constant = CALM_RATE, calm.end = b->calmed;
  return result || !(b->calmed > 0.0) ? result : mote_world_add_force(world, &calm, NULL, error);
}

static mote_world *make(validation *v, const bath *b) {
  mote_world_def def = b->free ? space_def() : tank_def(b->width, 2.0 * b->depth + b->box[1]);
  mote_world *world = NULL;
  mote_error error;
  if (b->is_3d) {
    def.dimensions = 3, def.side[2][0] = def.side[2][1] = MOTE_SIDE_WALL;
    def.low[2] = 0.0, def.high[2] = b->width;
  }
  def.spacing = b->spacing, def.solver.pressure = b->pressure;
  mote_result result = mote_world_create(&def, validation_env(v), &world, &error);
  if (!result) result = fill(world, b, &error);
  if (!result) return world;
  validation_error(v, &error);
  mote_world_destroy(world);
  return NULL;
}

// The body's mean height and turn from `begin` to `end`; what it has turned by, rad.
typedef struct rest {
  double height, turn;
  mote_totals totals;
} rest;

static bool settle(validation *v, mote_world *world, double begin, double end, rest *out) {
  enum { LEVEL_SAMPLES = 20 };
  mote_error error;
  *out = (rest){0};
  for (int k = 1; k <= LEVEL_SAMPLES; ++k) {
    double until = begin + (end - begin) * k / LEVEL_SAMPLES;
    mote_body_state state;
    mote_result result = MOTE_OK;
    while (!result && mote_world_time(world) < until) result = mote_world_step(world, until, &error);
    if (!result) result = mote_world_body(world, mote_world_rigid_body(world, 0), &state, &error);
    if (result) {
      validation_error(v, &error);
      return false;
    }
    out->height += state.position[1] / LEVEL_SAMPLES;
    out->turn += 2.0 * atan2(state.orientation[3], state.orientation[0]) / LEVEL_SAMPLES;
  }
  return mote_world_totals(world, &out->totals, NULL) == MOTE_OK;
}

// --- Drafts -----------------------------------------------------------------------------------------------

#define BOX_HEIGHT 0.2  // m, of the box

// In spacings: how much deeper than Archimedes has it.
static void draft(validation *v, mote_pressure_kind pressure, double ratio, double spacing) {
  bath b = {.pressure = pressure, .spacing = spacing, .width = 0.8, .depth = 0.4, .ratio = ratio};
  b.box[0] = 1.5 * BOX_HEIGHT, b.box[1] = BOX_HEIGHT;
  b.middle[0] = 0.4, b.middle[1] = b.depth - ratio * BOX_HEIGHT + 0.5 * BOX_HEIGHT + spacing;
  mote_world *world = make(v, &b);
  char name[96];
  rest r;
  if (world != NULL && settle(v, world, 1.5, 3.0, &r)) {
    double water = mote_material_def_default().density;
    double level = r.totals.mass / (water * b.width);  // the box displaces what it weighs
    double deeper = level - ratio * BOX_HEIGHT + 0.5 * BOX_HEIGHT - r.height;
    snprintf(name, sizeof name, "%s, density %g: draft, from %g spacings", mote_pressure_name(pressure),
             ratio, ratio * BOX_HEIGHT / spacing);
    validation_near(v, name, (ratio * BOX_HEIGHT + deeper) / spacing, ratio * BOX_HEIGHT / spacing, 0.5,
                    "Archimedes");
  }
  mote_world_destroy(world);
}

void validate_floating_drafts(validation *v) {
  static const double ratios[5] = {0.1, 0.25, 0.5, 0.75, 0.9};
  for (int p = 0; p < MOTE_PRESSURE_KINDS; ++p) {
    for (int k = 0; k < 5; ++k) {
      bool quick = p == MOTE_PRESSURE_DFSPH && k % 4 == 0, dear = p == MOTE_PRESSURE_WCSPH && k % 2 == 1;
      if (validation_quick(v) ? !quick : dear && !validation_release(v)) continue;
      draft(v, (mote_pressure_kind)p, ratios[k], validation_release(v) ? 0.0125 : 0.025);
    }
  }
}

// --- Low boxes --------------------------------------------------------------------------------------------

// Boxes of ten spacings and so few in height that what the row of water below them does to them shows. All in
// spacings, means from `begin` to `end`.
typedef struct afloat {
  double deeper, swing;  // than Archimedes has it, and the root mean square of its changes
  double gap;            // of the water below the box, as a height; half a spacing below it is none
  double top;            // height of the water on top
} afloat;

// A position as the box has it: from its middle, turned back.
static void put_in_box(const mote_body_state *box, const double *position, double out[3]) {
  const double *q = box->orientation,
               off[3] = {position[0] - box->position[0], position[1] - box->position[1],
                         position[2] - box->position[2]};
  double t[3];
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    t[a] = 2.0 * (off[b] * q[c + 1] - off[c] * q[b + 1]);
  }
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, c = (a + 2) % 3;
    out[a] = off[a] + q[0] * t[a] + t[b] * q[c + 1] - t[c] * q[b + 1];
  }
}

// Water in the columns below the middle of the box, which drifts and turns, weighted to be 0 towards its
// edges, as a height below its bottom; and on top of it.
static void see_water(const bath *b, const mote_world *world, const mote_body_state *box, double *gap,
                      double *top) {
  mote_field_view view = mote_world_view(world, "position");
  const double *x = view.data, d = b->spacing, half = 0.5 * b->box[0];
  double reach = half - 1.5 * d, bottom = box->position[1] - 0.5 * b->box[1], pi = acos(-1.0), volume = 0.0,
         above = 0.0;
  for (size_t i = 0; i < view.count; ++i) {
    double at[3], weight = 1.0;
    bool within = true;
    put_in_box(box, x + 3 * i, at);
    for (size_t a = 0; a < (b->is_3d ? 3 : 2); a += 2) {
      double off = fabs(at[a]), c = cos(0.5 * pi * off / reach);
      weight *= off < reach ? c * c : 0.0;
      within = within && off < half;
    }
    if (at[1] < 0.0) volume += weight;
    if (at[1] > 0.0 && within) above += 1.0;
  }
  double rows = b->is_3d ? d / (reach * reach) * d : d / reach,
         area = b->is_3d ? d * d / (4.0 * half * half) : 0.5 * d / half;
  *gap = bottom / d - volume * rows;
  *top = above * area;
}

static bool float_box(validation *v, const bath *b, double begin, double end, afloat *out) {
  enum { LOOKS = 40 };
  mote_world *world = make(v, b);
  mote_error error;
  double d = b->spacing, water = mote_material_def_default().density, square = 0.0;
  double area = b->is_3d ? b->width * b->width : b->width, draft = b->ratio * b->box[1];
  bool ok = world != NULL;
  *out = (afloat){0};
  for (int k = 1; k <= LOOKS && ok; ++k) {
    double until = begin + (end - begin) * k / LOOKS, gap, top;
    mote_body_state state;
    mote_totals totals;
    mote_result result = MOTE_OK;
    while (!result && mote_world_time(world) < until) result = mote_world_step(world, until, &error);
    if (!result) result = mote_world_body(world, mote_world_rigid_body(world, 0), &state, &error);
    if (!result) result = mote_world_totals(world, &totals, &error);
    if (result) validation_error(v, &error);
    ok = !result;
    if (!ok) break;
    double level = totals.mass / (water * area);  // the box displaces what it weighs
    double deeper = (level - draft + 0.5 * b->box[1] - state.position[1]) / d;
    see_water(b, world, &state, &gap, &top);
    out->deeper += deeper / LOOKS, square += deeper * deeper / LOOKS;
    out->gap += gap / LOOKS, out->top += top / LOOKS;
  }
  out->swing = sqrt(fmax(0.0, square - out->deeper * out->deeper));
  mote_world_destroy(world);
  return ok;
}

static void low_box(validation *v, bool is_3d, double ratio, int high, bool dropped) {
  double d = 0.02;
  bath b = {.pressure = MOTE_PRESSURE_DFSPH, .spacing = d, .ratio = ratio, .is_3d = is_3d};
  // Where the draft is half a row off the packing, water without viscosity keeps the waves of that.
  b.calmed = dropped ? 0.0 : 1.5;
  b.width = (is_3d ? 20.0 : 32.0) * d, b.depth = (is_3d ? 12.0 : 16.0) * d;
  b.box[0] = 10.0 * d, b.box[1] = high * d, b.middle[0] = 0.5 * b.width;
  // Whole rows are cut away for the box; what they lack of its draft raises the water, or lowers it.
  double part = b.box[0] / b.width,
         rise = (ratio * high - ceil(ratio * high - 0.5)) * (is_3d ? part * part : part);
  b.middle[1] = b.depth + (0.5 - ratio) * b.box[1] + (dropped ? 3.0 : rise) * d;
  // Upright is not stable where s (1 - s) > B^2 / 6 h^2: such a box has begun to roll by 4 s.
  bool rolls = ratio * (1.0 - ratio) > b.box[0] * b.box[0] / (6.0 * b.box[1] * b.box[1]);
  double end = is_3d ? 3.0 : rolls && !dropped ? 3.5 : 6.0;
  char name[112], box[64];
  afloat at;
  snprintf(box, sizeof box, "%dD, %d d high, density %g%s", is_3d ? 3 : 2, high, ratio,
           dropped ? ", dropped" : "");
  if (!float_box(v, &b, 2.0, end, &at)) return;
  snprintf(name, sizeof name, "%s: draft less Archimedes', d", box);
  validation_near(v, name, at.deeper - at.top, 0.0, dropped ? 0.1 : 0.08, "Archimedes");
  if (dropped) {
    snprintf(name, sizeof name, "%s: water on top, d", box);
    measure m = {name, MEASURE_SHOWN, at.top, 0.0, 0.0, "part of the draft"};
    validation_report(v, &m);
    return;
  }
  snprintf(name, sizeof name, "%s: changes of the draft, rms, d", box);
  if (!validation_quick(v)) validation_near(v, name, at.swing, 0.0, 0.02, "at rest");
  snprintf(name, sizeof name, "%s: water missing below it, d", box);
  if (ratio <= 0.1) validation_near(v, name, at.gap, 0.0, 0.08, "packing up to the box");
}

void validate_floating_low(validation *v) {
  static const double ratios[5] = {0.1, 0.25, 0.5, 0.75, 0.9};
  for (int high = 5; high <= 10; high += 5) {
    for (int k = 0; k < 5; ++k) {
      if (validation_quick(v) && (k > 0 || high > 5)) continue;
      low_box(v, false, ratios[k], high, false);
      bool drops = !validation_quick(v) && k % 4 == 0, in_3d = validation_release(v);
      if (drops) low_box(v, false, ratios[k], high, true);
      if (in_3d) low_box(v, true, ratios[k], high, false);
      if (in_3d && drops) low_box(v, true, ratios[k], high, true);
    }
  }
}

// --- The roll of a square beam ----------------------------------------------------------------------------

// Upright is stable where s (1 - s) < B^2 / 6 h^2: not at s = 1/2, B = h. There it lies on an edge. Half a
// spacing at its corner is an angle of 4 degrees.
void validate_floating_roll(validation *v) {
  double side = 0.2, d = 0.02;
  for (int p = 0; p < MOTE_PRESSURE_KINDS; ++p) {
    if (p == MOTE_PRESSURE_WCSPH && !validation_release(v)) continue;
    bath b = {.pressure = (mote_pressure_kind)p, .spacing = d, .width = 0.8, .depth = 0.36, .ratio = 0.5};
    b.box[0] = b.box[1] = side, b.turn = 0.1;
    b.middle[0] = 0.4, b.middle[1] = b.depth;
    mote_world *world = make(v, &b);
    char name[96];
    rest r;
    if (world != NULL && settle(v, world, 3.0, 5.0, &r)) {
      snprintf(name, sizeof name, "%s: angle of a square beam of half the density, degrees",
               mote_pressure_name((mote_pressure_kind)p));
      double degrees = 180.0 / acos(-1.0);
      validation_near(v, name, fabs(b.turn + r.turn) * degrees, 45.0,
                      asin(0.5 * d / (sqrt(0.5) * side)) * degrees, "stability of floating bodies");
    }
    mote_world_destroy(world);
  }
}

// --- Neutral bodies ---------------------------------------------------------------------------------------

// While the packing of fresh water breaks, it takes the body along: that is shown. Then it has to stay.
static void stay(validation *v, const bath *b) {
  mote_world *world = make(v, b);
  char name[96];
  rest first, last;
  if (world != NULL && settle(v, world, 0.9, 1.1, &first) && settle(v, world, 2.9, 3.1, &last)) {
    const char *solver = mote_pressure_name(b->pressure);
    snprintf(name, sizeof name, "%s, d = %g m: rise in the first second, spacings", solver, b->spacing);
    measure m = {name, MEASURE_SHOWN, (first.height - b->middle[1]) / b->spacing, 0.0, 0.0, "Archimedes"};
    validation_report(v, &m);
    snprintf(name, sizeof name, "%s, d = %g m: rise in the next two, spacings", solver, b->spacing);
    validation_near(v, name, (last.height - first.height) / b->spacing, 0.0, 0.5, "Archimedes");
  }
  mote_world_destroy(world);
}

void validate_floating_neutral(validation *v) {
  static const double spacings[3] = {0.04, 0.025, 0.0125};
  for (int p = 0; p < MOTE_PRESSURE_KINDS; ++p) {
    for (int k = 0; k < (validation_quick(v) ? 1 : 3); ++k) {
      if (p == MOTE_PRESSURE_WCSPH && k == 2 && !validation_release(v)) continue;
      bath b = {.pressure = (mote_pressure_kind)p, .spacing = spacings[k], .width = 0.8, .depth = 0.6};
      b.box[0] = b.box[1] = BOX_HEIGHT, b.ratio = 1.0, b.middle[0] = 0.4, b.middle[1] = 0.3;
      stay(v, &b);
    }
  }
}

// --- Momenta ----------------------------------------------------------------------------------------------

// Water drifts into a box without weight, so slowly that no particle meets hard contact, which does not keep
// momentum. Of the water's momentum.
// Water that flies at a body: so slowly that its pressure stops it, and so fast that particles meet the body.
static void run_momentum(validation *v, mote_pressure_kind p, double ratio, double speed) {
  bath b = {.pressure = p, .spacing = 0.02, .width = 0.4, .depth = 0.4, .ratio = ratio};
  b.box[0] = 0.2, b.box[1] = 0.16, b.middle[0] = 0.53, b.middle[1] = 0.16, b.turn = 0.3;
  b.free = true, b.speed = speed;
  mote_world *world = make(v, &b);
  mote_totals before;
  char name[112];
  rest r;
  if (world == NULL) return;
  double end = fmin(0.2, 0.4 / speed);
  if (mote_world_totals(world, &before, NULL) == MOTE_OK && settle(v, world, 0.75 * end, end, &r)) {
    double size = before.momentum[0];
    double change = fmax(fabs(r.totals.momentum[0] - size), fabs(r.totals.momentum[1] - before.momentum[1]));
    snprintf(name, sizeof name, "%s, %g m/s, density %g: momentum, relative change",
             mote_pressure_name((mote_pressure_kind)p), speed, ratio);
    validation_near(v, name, change / size, 0.0, 1e-5, "exact");
    double turn = r.totals.angular_momentum[2] - before.angular_momentum[2];
    snprintf(name, sizeof name, "%s, %g m/s, density %g: angular momentum, change over p L",
             mote_pressure_name((mote_pressure_kind)p), speed, ratio);
    bool judged = p == MOTE_PRESSURE_WCSPH && speed < 1.0;
    measure m = {name, judged ? MEASURE_NEAR : MEASURE_SHOWN, turn / (size * b.depth), 0.0, 1e-5, "exact"};
    validation_report(v, &m);
  }
  mote_world_destroy(world);
}

void validate_floating_momenta(validation *v) {
  for (int p = 0; p < MOTE_PRESSURE_KINDS; ++p) {
    run_momentum(v, (mote_pressure_kind)p, 0.4, 0.3);
    run_momentum(v, (mote_pressure_kind)p, 0.4, 2.0);
  }
  static const double ratio[] = {0.1, 1.0, 3.0};
  for (size_t k = 0; k < sizeof ratio / sizeof *ratio; ++k) {
    run_momentum(v, MOTE_PRESSURE_DFSPH, ratio[k], 2.0);
    run_momentum(v, MOTE_PRESSURE_DFSPH, ratio[k], 10.0);
  }
}
