// What looks like a mistake in a scene: see check_warnings.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/check/check_warnings.h"

#include <math.h>
#include <mote/formula.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/base/scene_kinds.h"
#include "cli/bodies/backdrop.h"

static void warn(warnings *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(warnings *out, const char *format, ...) {
  if (out->count == WARNINGS_MAX) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(out->text[out->count++], sizeof out->text[0], format, arguments);
  va_end(arguments);
}

static const char axis_names[] = "xyz";

static void check_domain(const mote_scene *scene, warnings *out) {
  double reach = scene->world.solver.support * scene->world.spacing;
  for (int a = 0; a < scene->world.dimensions; ++a) {
    double size = scene->world.high[a] - scene->world.low[a];
    if (size < 4 * reach) {
      warn(out,
           "domain: only %.3g m wide along %c, less than 4 kernel radii (%.3g m): wall effects will dominate",
           size, axis_names[a], 4 * reach);
    }
  }
}

static bool shape_bounds(const mote_shape_def *def, int dimensions, double low[3], double high[3]) {
  mote_shape *shape;
  if (mote_shape_create(def, dimensions, NULL, &shape, NULL) != MOTE_OK) return false;
  mote_shape_bounds(shape, low, high);
  mote_shape_destroy(shape);
  return true;
}

static void check_thickness(const mote_scene *scene, const char *list, const char *name,
                            const mote_shape_def *def, double least, const char *what, warnings *out) {
  double low[3], high[3];
  if (!shape_bounds(def, scene->world.dimensions, low, high)) return;
  for (int a = 0; a < scene->world.dimensions; ++a) {
    double size = high[a] - low[a];
    if (size < least * scene->world.spacing * (1 - 1e-9)) {
      warn(out, "%s.%s: %.3g m along %c is less than %g spacings: %s", list, name, size, axis_names[a], least,
           what);
      return;
    }
  }
}

static void check_inside(const mote_scene *scene, const mote_body_def *body, warnings *out) {
  double low[3], high[3], slack = 1e-6 * scene->world.spacing;
  if (!shape_bounds(&body->shape, scene->world.dimensions, low, high)) return;
  for (int a = 0; a < scene->world.dimensions; ++a) {
    if (scene->world.side[a][0] == MOTE_SIDE_PERIODIC) continue;
    if (low[a] < scene->world.low[a] - slack || high[a] > scene->world.high[a] + slack) {
      warn(out, "bodies.%s: extends beyond the domain along %c; the part outside is left out", body->name,
           axis_names[a]);
    }
  }
}

// Particles that cross the side meet the collider; those that only come near it from the other side do not.
// Colliders that move are repeated.
static void check_seam(const mote_scene *scene, const mote_collider_def *collider, warnings *out) {
  double low[3], high[3];
  if (motion_moves(&collider->motion)) return;
  if (!shape_bounds(&collider->shape, scene->world.dimensions, low, high)) return;
  for (int a = 0; a < scene->world.dimensions; ++a) {
    if (scene->world.side[a][0] != MOTE_SIDE_PERIODIC) continue;
    bool through = low[a] <= scene->world.low[a] && high[a] >= scene->world.high[a];
    if (through || (low[a] >= scene->world.low[a] && high[a] <= scene->world.high[a])) continue;
    warn(out,
         "colliders.%s: crosses a periodic side along %c and is not repeated at the other; put one "
         "there, too",
         collider->name, axis_names[a]);
  }
}

static double at_start(const mote_value *value) {
  mote_formula *formula;
  double t = 0.0;
  if (value->formula == NULL || mote_formula_create(value->formula, "t", NULL, &formula, NULL) != MOTE_OK)
    return value->constant;
  t = mote_formula_value(formula, &t);
  mote_formula_destroy(formula);
  return t;
}

// What is held stands at rest when the run begins, wherever its motion begins.
static void check_holds(const mote_scene *scene, const mote_body_def *body, warnings *out) {
  for (size_t k = 0; k < body->holds; ++k) {
    const mote_motion_def *motion = &body->hold[k].motion;
    const mote_value3 *move = &motion->move;
    double at[3] = {at_start(&move->x), at_start(&move->y), at_start(&move->z)};
    const double *by = motion->keys > 0 ? motion->key[0].move : at;
    if (sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]) <= scene->world.spacing) continue;
    warn(
        out,
        "bodies.%s.hold[%zu].motion: begins %g,%g,%g m away: the held particles jump there in the first step",
        body->name, k, by[0], by[1], by[2]);
  }
}

// Elastic bodies of two layers bend as they should, and flatter ones are refused.
// Nothing is deep enough to be coarser.
static void check_grading(const mote_scene *scene, const mote_body_def *body, warnings *out) {
  mote_shape *shape;
  if (body->grading == 1 ||
      mote_shape_create(&body->shape, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK)
    return;
  mote_body_def even = *body;
  even.grading = 1;
  const mote_material_def *material = scene_material(scene, body->material);
  bool same = mote_body_def_particles(body, material, &scene->world, shape) ==
              mote_body_def_particles(&even, material, &scene->world, shape);
  mote_shape_destroy(shape);
  if (!same) return;
  warn(out, "bodies.%s: grading has no effect: no point of the body is more than %.3g m below its surface",
       body->name, mote_world_def_grading_depth(&scene->world));
}

static void check_body(const mote_scene *scene, const mote_body_def *body, warnings *out) {
  if (body_is(scene, body, material_is_elastic))
    check_holds(scene, body, out), check_grading(scene, body, out);
  if (!body_is(scene, body, material_is_fluid)) return;
  check_thickness(scene, "bodies", body->name, &body->shape, 3, "too thin to flow like a fluid", out);
  check_inside(scene, body, out);
}

// --- What the spacing does not resolve ---

#define EMITTER_SPACINGS 4  // across a jet: a narrower one is a stack of rings
#define BODY_SPACINGS 2     // across a body: a smaller one has a particle or two

static void check_emitter(const mote_scene *scene, const mote_emitter_def *def, warnings *out) {
  double d = scene->world.spacing, width = 2 * def->radius;
  if (isnan(width)) width = scene->world.dimensions == 3 ? fmin(def->size[0], def->size[1]) : def->size[0];
  if (!(width < EMITTER_SPACINGS * d * (1 - 1e-9))) return;
  warn(out,
       "emitters.%s: %.3g m wide is less than %d spacings: its jet will be a stack of rings; a spacing of "
       "%.2g m resolves it",
       def->name, width, EMITTER_SPACINGS, width / EMITTER_SPACINGS);
}

static bool has_fluid(const mote_scene *scene) {
  bool fluid = scene->emitters > 0;
  for (size_t b = 0; b < scene->bodies; ++b)
    fluid = fluid || body_is(scene, &scene->body[b], material_is_fluid);
  return fluid;
}

// Contact sees a rigid body's shape, fluids see its samples. Elastic bodies as thin are refused, and what
// flows is warned of earlier.
static bool is_unresolved(const mote_scene *scene, const mote_body_def *body, bool fluid) {
  double low[3], high[3], least = HUGE_VAL;
  bool sampled = fluid && body_is(scene, body, material_is_rigid);
  if (!(sampled || body_is(scene, body, material_is_lattice))) return false;
  if (!shape_bounds(&body->shape, scene->world.dimensions, low, high)) return false;
  for (int a = 0; a < scene->world.dimensions; ++a) least = fmin(least, high[a] - low[a]);
  return least < BODY_SPACINGS * scene->world.spacing * (1 - 1e-9);
}

// One line for all: copies are many.
static void check_resolution(const mote_scene *scene, warnings *out) {
  const mote_body_def *first = NULL;
  bool fluid = has_fluid(scene);
  size_t count = 0;
  for (size_t e = 0; e < scene->emitters; ++e) check_emitter(scene, &scene->emitter[e], out);
  for (size_t b = 0; b < scene->bodies; ++b) {
    if (!is_unresolved(scene, &scene->body[b], fluid)) continue;
    if (count++ == 0) first = &scene->body[b];
  }
  if (count == 0) return;
  char more[32] = "";
  if (count > 1) snprintf(more, sizeof more, " and %zu more", count - 1);
  warn(out, "bodies.%s%s: thinner than %d spacings: too few particles to %s; reduce spacing", first->name,
       more, BODY_SPACINGS,
       body_is(scene, first, material_is_rigid) ? "displace fluid" : "deform as a solid");
}

static void check_bodies(const mote_scene *scene, warnings *out) {
  if (scene->bodies == 0 && scene->emitters == 0)
    warn(out, "bodies: the scene has no bodies and no emitters");
  for (size_t b = 0; b < scene->bodies; ++b) check_body(scene, &scene->body[b], out);
  for (size_t c = 0; c < scene->colliders; ++c) {
    const mote_collider_def *collider = &scene->collider[c];
    if (collider->shape.inverted) continue;
    check_seam(scene, collider, out);
    check_thickness(scene, "colliders", collider->name, &collider->shape, 1,
                    "fluid on one side interacts with fluid on the other", out);
  }
}

// Lattices may melt.
static void check_track(const mote_scene *scene, warnings *out) {
  bool fluid = !scene->world.track.on || has_fluid(scene) || count_bodies(scene, material_is_lattice) > 0;
  if (!fluid) warn(out, "track: the scene has no fluid whose surface could be tracked");
}

static bool out_of_domain(const mote_scene *scene, const char *list, const char *name, const char *what,
                          const double x[3], double slack, warnings *out) {
  for (int a = 0; a < scene->world.dimensions; ++a) {
    if (x[a] >= scene->world.low[a] - slack && x[a] <= scene->world.high[a] + slack) continue;
    warn(out, "%s.%s: %s is outside the domain along %c", list, name, what, axis_names[a]);
    return true;
  }
  return false;
}

static double distance_to(const mote_scene *scene, const mote_shape_def *def, const double x[3]) {
  mote_shape *shape;
  if (mote_shape_create(def, scene->world.dimensions, NULL, &shape, NULL) != MOTE_OK) return HUGE_VAL;
  double distance = mote_shape_distance(shape, x);
  mote_shape_destroy(shape);
  return distance;
}

// A place where fluid is to be: half a spacing inside of a wall is not one.
static void check_position(const mote_scene *scene, const char *list, const char *name, const char *what,
                           const double x[3], double slack, warnings *out) {
  if (out_of_domain(scene, list, name, what, x, slack, out)) return;
  for (size_t c = 0; c < scene->colliders; ++c) {
    const mote_collider_def *collider = &scene->collider[c];
    if (motion_moves(&collider->motion) ||
        distance_to(scene, &collider->shape, x) > -0.5 * scene->world.spacing)
      continue;
    warn(out, "%s.%s: %s is inside colliders.%s", list, name, what, collider->name);
  }
}

// A name alone decides on the law of an elastic material.
static void check_presets(const mote_scene *scene, warnings *out) {
  static const char *const laws[] = {"svk", "corotated", "neo_hookean"};
  for (size_t k = 0; k < scene->materials; ++k) {
    const mote_material_def *m = &scene->material[k];
    if (!m->preset_by_name || !material_is_elastic(m) ||
        m->elastic.law == mote_material_def_default().elastic.law)
      continue;
    warn(out,
         "materials.%s: starts from the preset of that name, with law: %s, poisson: %g; preset: %s says so, "
         "another name starts from water with law: svk",
         m->name, laws[m->elastic.law], m->elastic.poisson, m->preset);
  }
}

static void check_positions(const mote_scene *scene, warnings *out) {
  double slack = 0.5 * scene->world.spacing;
  for (size_t e = 0; e < scene->emitters; ++e) {
    check_position(scene, "emitters", scene->emitter[e].name, "its centre", scene->emitter[e].centre, 0.0,
                   out);
  }
  for (size_t k = 0; k < scene->probes; ++k) {
    const mote_probe_def *probe = &scene->probe[k];
    if (probe->kind == MOTE_PROBE_POINT) {
      check_position(scene, "probes", probe->name, "its point", probe->from, slack, out);
    } else if (probe->kind == MOTE_PROBE_LINE || probe->kind == MOTE_PROBE_LEVEL) {
      out_of_domain(scene, "probes", probe->name, "where it begins", probe->from, slack, out);
    }
  }
}

// With nothing below, everything falls for ever, but what is held.
static void check_floor(const mote_scene *scene, warnings *out) {
  for (size_t b = 0; b < scene->bodies; ++b) {
    if (scene->body[b].holds > 0) return;
  }
  for (int a = 0; a < scene->world.dimensions; ++a) {
    double g = scene->world.gravity[a];
    bool up = g > 0;
    if (g == 0 || scene->world.side[a][up] != MOTE_SIDE_OPEN || scene->colliders > 0) continue;
    warn(out,
         "domain: gravity points to an open side and there are no colliders: all particles will leave the "
         "domain");
  }
}

// The viscosity of water need not be resolved; larger ones should be.
static void check_viscosity(const mote_scene *scene, const scene_cost *cost, warnings *out) {
  const double thin = 0.01;  // Pa s
  for (size_t m = 0; m < scene->materials; ++m) {
    const mote_material_def *def = &scene->material[m];
    if (!material_is_fluid(def) || !(def->viscosity >= thin)) continue;
    double asked = def->viscosity / def->density;
    if (asked >= cost->viscosity) continue;
    warn(out,
         "materials.%s: its viscosity, %.2g m2/s, is below that of the method at this spacing, about %.2g "
         "m2/s: it will flow as if it were thicker; reduce spacing",
         def->name, asked, cost->viscosity);
  }
}

static void check_step(const mote_scene *scene, const scene_cost *cost, warnings *out) {
  double by_speed = scene->world.solver.cfl * scene->world.spacing / cost->speed;
  double needed = fmin(by_speed, mote_world_def_step_max(&scene->world));
  if (strcmp(cost->limit, "viscosity") == 0 && cost->step < 0.2 * needed) {
    warn(out,
         "solver: explicit viscosity requires steps of %.2g s, %.0f times shorter than the flow needs; "
         "viscosity_solve: auto has no such limit",
         cost->step, needed / cost->step);
  }
  if (cost->sound > 0 && cost->sound < 5 * cost->speed) {
    warn(out,
         "solver: the speed of sound, %.3g m/s, is less than 5 times the flow speed, %.3g m/s: the fluid "
         "will be compressed; reduce solver.compression or increase solver.stiffness",
         cost->sound, cost->speed);
  }
  if (cost->step * scene->fps > 1) {
    warn(out,
         "fps: the time between frames is shorter than the time step; every frame needs a step of its own");
  }
}

static void check_machine(const scene_cost *cost, warnings *out) {
  double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  struct statvfs disk;
  if (memory > 0 && cost->bytes > 0.9 * memory) {
    warn(out, "memory: needs about %.3g GB, this machine has %.3g GB", 1e-9 * cost->bytes, 1e-9 * memory);
  }
  if (statvfs(".", &disk) != 0) return;
  double free_space = (double)disk.f_bavail * (double)disk.f_frsize;
  if (cost->files + cost->pictures > free_space) {
    warn(out, "disk: needs about %.3g GB, %.3g GB are free", 1e-9 * (cost->files + cost->pictures),
         1e-9 * free_space);
  }
}

static void warn_at(void *user, const mote_error *where) {
  if (where->line > 0)
    warn(user, "%s:%d:%d: %s", where->file, where->line, where->column, where->text);
  else
    warn(user, "%s: %s", where->file, where->text);
}

static void find_unused(const mote_scene_file *file, warnings *out) {
  out->count = 0;
  mote_scene_file_unused(file, warn_at, out);
  mote_scene_file_mended(file, warn_at, out);
}

void find_early_warnings(const mote_scene_file *file, warnings *out) {
  find_unused(file, out);
  check_resolution(mote_scene_file_scene(file), out);
}

void find_warnings(const mote_scene_file *file, const scene_cost *cost, const mote_error *failure,
                   warnings *out) {
  const mote_scene *scene = mote_scene_file_scene(file);
  find_early_warnings(file, out);
  check_domain(scene, out);
  check_bodies(scene, out);
  check_track(scene, out);
  check_presets(scene, out);
  check_positions(scene, out);
  check_floor(scene, out);
  check_viscosity(scene, cost, out);
  if (failure->code != MOTE_OK) warn(out, "the first steps fail: %s", failure->text);
  check_step(scene, cost, out);
  check_machine(cost, out);
}
