// Surface tension: strengths against integrals, forces against differences of the energy that
// docs/theory/tension.md writes down, momenta, tables of materials, steps.
#include "fluid/tension.h"

#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "material/tension_plane.h"
#include "material/tuning.inc"
#include "test.h"
#include "world_kit.h"

#define PI 3.14159265358979323846

// --- Strengths ---

// phi(r) of the force s q (1 - q)^2.
static double potential(double s, double R, double r) {
  double q = r / R, t = 1.0 - q;
  return r < R ? -s * R * t * t * t * (1.0 + 3.0 * q) / 12.0 : 0.0;
}

// The work that parts two half spaces, per area, is 2 sigma: -phi times the normal part of the way, over half
// of all ways.
static void check_half_space(int dimensions) {
  enum { N = 4000 };
  double R = 0.7, sigma = 0.05, s = mote_tension_strength(dimensions, R, sigma), work = 0.0, inner = 0.0;
  for (int k = 0; k < N; ++k) {
    double r = R * (k + 0.5) / N, dr = R / N, q = r / R, force = s * q * (1.0 - q) * (1.0 - q);
    double half = dimensions == 2 ? 2.0 * r : PI * r * r;  // integral of the normal's part over a half circle
    double whole = dimensions == 2 ? 2.0 * PI * r : 4.0 * PI * r * r;
    work -= potential(s, R, r) * r * half * dr;
    inner += force * r * whole * dr / (2.0 * dimensions);
  }
  CHECK_NEAR(work, 2.0 * sigma, 1e-6 * sigma);
  CHECK_NEAR(inner, mote_tension_cohesion(dimensions, R, sigma), 1e-6 * inner);
}

// Of an interface whose free surfaces have the tension `sum` together.
static double energy_of(const mote_tension_plane *plane, double sum, const mote_tension_pair *p) {
  double lost = plane->share * sum * plane->strength - 2.0 * p->pairs;
  double normals = plane->strength * (1.0 - plane->share) * sum;
  return lost + normals * mote_tension_length(plane, 1.0 - p->normal);
}

static void check_laws(void) {
  mote_material_def a = mote_material_def_default(), b = a;
  a.surface_tension = 0.07, b.surface_tension = 0.03;
  CHECK_NEAR(mote_tension_between(&a, &b), 0.04, 1e-15);
  b.interface_tension = 0.05;
  CHECK(mote_tension_between(&a, &b) == 0.05 && mote_tension_between(&b, &a) == 0.05);
  a.interface_tension = 0.06;
  CHECK(mote_tension_between(&a, &b) == 0.06 && mote_tension_between(&b, &a) == 0.06);
  a.interface_tension = 1.0;
  CHECK_NEAR(mote_tension_between(&a, &b), 0.1, 1e-15);
  // Energies: both free surfaces less what pairs across give back, and the normals' part.
  mote_solver_def solver = mote_scene_default().world.solver;
  for (int k = 0; k < 4; ++k) {
    solver.tension = k % 2 == 0 ? MOTE_TENSION_CURVATURE : MOTE_TENSION_COHESION;
    mote_tension_plane plane = mote_tension_plane_make(&solver, k < 2 ? 2 : 3);
    mote_tension_pair p = mote_tension_fluids(&plane, 0.07, 0.03, 0.05);
    CHECK_NEAR(energy_of(&plane, 0.1, &p), 0.05, 1e-12);
    for (int degrees = 0; degrees <= 180; degrees += 30) {
      double angle = degrees * PI / 180.0;
      mote_tension_pair w = mote_tension_wall(&plane, 0.07, angle);
      CHECK_NEAR(energy_of(&plane, 0.07, &w), -0.07 * cos(angle), 1e-12);
      CHECK(w.normal >= 0.0 && w.normal <= 1.0);
    }
    mote_tension_pair none = mote_tension_fluids(&plane, 0.0, 0.0, 0.0);
    CHECK(none.pairs == 0.0 && none.normal == 1.0);
  }
}

// --- Forces ---

typedef struct cloud {
  int dimensions;
  size_t count;
  double *x, volume, R;
  mote_tension_plane plane;
  uint32_t *kind;
  mote_material_def material[2];
  mote_kernel kernel;
} cloud;

static double energy(const cloud *c) {
  double sum = 0.0, e = MOTE_TENSION_NOISE / c->R;
  for (size_t i = 0; i < c->count; ++i) {
    const mote_material_def *own = &c->material[c->kind[i]];
    double n[3] = {0};
    for (size_t j = 0; j < c->count; ++j) {
      const mote_material_def *other = &c->material[c->kind[j]];
      double x[3], gradient[3], r = 0.0;
      for (size_t a = 0; a < 3; ++a) x[a] = c->x[3 * i + a] - c->x[3 * j + a], r += x[a] * x[a];
      r = sqrt(r);
      if (i == j || r >= c->R) continue;
      double between = own == other ? 0.0 : mote_tension_between(own, other);
      mote_tension_pair p =
          mote_tension_fluids(&c->plane, own->surface_tension, other->surface_tension, between);
      double s = mote_tension_strength(c->dimensions, c->R, p.pairs);
      sum += 0.5 * c->volume * c->volume * potential(s, c->R, r);
      mote_kernel_gradient(&c->kernel, x, gradient);
      for (int a = 0; a < 3; ++a) n[a] += p.normal * c->volume * gradient[a];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + e * e);
    double curve = 2.0 * c->plane.strength * (1.0 - c->plane.share) * own->surface_tension;
    sum += c->volume * curve * (length - e);
  }
  return sum;
}

static double lattice_sum(const mote_kernel *kernel, double d) {
  double sum = 0.0;
  for (int z = -4; z <= 4; ++z) {
    for (int y = -4; y <= 4; ++y) {
      for (int x = -4; x <= 4; ++x) {
        if (kernel->dimensions == 2 && z != 0) continue;
        sum +=
            pow(d, kernel->dimensions) * mote_kernel_value(kernel, d * sqrt((double)(x * x + y * y + z * z)));
      }
    }
  }
  return sum;
}

// Two half drops of different fluids: the acceleration of a step against differences of the energy.
static void check_forces(int dimensions, mote_kernel_kind kind, mote_tension_method method, bool two) {
  const double d = 0.1;
  world_kit kit;
  world_kit_tank(&kit, dimensions, d);
  mote_world_def *def = &kit.scene.world;
  for (int a = 0; a < 3; ++a) def->side[a][0] = def->side[a][1] = MOTE_SIDE_OPEN;
  def->low[0] = def->low[1] = def->low[2] = -10.0, def->high[0] = def->high[1] = def->high[2] = 10.0;
  def->gravity[1] = 0.0, def->solver.kernel = kind, def->solver.support = 2.5, def->solver.tension = method;
  kit.material[0].viscosity = 0.0, kit.material[0].surface_tension = 3.0;
  kit.material[1] = kit.material[0], kit.material[1].name = "other", kit.material[1].surface_tension = 1.0;
  kit.material[1].density = 500.0;
  kit.scene.materials = 2;
  mote_body_def *left = world_kit_body(&kit, "left", mote_shape_def_box(-0.3, -0.2, -0.2, 0.0, 0.2, 0.2));
  mote_body_def *right = world_kit_body(&kit, "right", mote_shape_def_box(0.0, -0.2, -0.2, 0.3, 0.2, 0.2));
  left->fill = right->fill = MOTE_FILL_RELAXED;
  left->material = kit.material[0].name, right->material = two ? "other" : kit.material[0].name;
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  size_t n = mote_world_particles(world);
  cloud c = {dimensions,
             n,
             malloc(3 * n * sizeof(double)),
             pow(d, dimensions),
             2.5 * d,
             mote_tension_plane_make(&def->solver, dimensions),
             calloc(n, sizeof(uint32_t)),
             {kit.material[0], kit.material[1]},
             mote_kernel_make(kind, dimensions, 2.5 * d)};
  c.kernel.scale /= lattice_sum(&c.kernel, d);
  CHECK(mote_world_step(world, 1e-3, NULL) == MOTE_OK);
  mote_field_view x = mote_world_view(world, "position"), a, m, id = mote_world_view(world, "id");
  uint64_t *before = malloc(n * sizeof *before);
  memcpy(before, id.data, n * sizeof *before);
  CHECK(mote_world_materials(world, c.kind, NULL) == MOTE_OK);
  memcpy(c.x, x.data, 3 * n * sizeof *c.x);
  // Now the places are those of the next step, whose forces are looked at after it.
  CHECK(mote_world_step(world, 2e-3, NULL) == MOTE_OK);
  x = mote_world_view(world, "position"), a = mote_world_view(world, "acceleration_without_pressure");
  m = mote_world_view(world, "mass"), id = mote_world_view(world, "id");
  CHECK(memcmp(before, id.data, n * sizeof *before) == 0);  // nothing went to another cell
  free(before);
  double largest = 0.0, worst = 0.0, sum[3] = {0}, turn = 0.0;
  for (size_t i = 0; i < n; ++i) {
    double mass = (double)((const float *)m.data)[i], F[3];
    for (size_t k = 0; k < 3; ++k) F[k] = mass * (double)((const float *)a.data)[3 * i + k], sum[k] += F[k];
    turn += c.x[3 * i] * F[1] - c.x[3 * i + 1] * F[0];
    if (TEST_SHORT && i % 8 != 0) continue;
    for (size_t k = 0; k < 2; ++k) {
      double here = c.x[3 * i + k], h = 1e-6;
      c.x[3 * i + k] = here + h;
      double up = energy(&c);
      c.x[3 * i + k] = here - h;
      double down = energy(&c);
      c.x[3 * i + k] = here;
      largest = fmax(largest, fabs(F[k]));
      worst = fmax(worst, fabs(F[k] + (up - down) / (2.0 * h)));
    }
  }
  CHECK(largest > 0.0);
  CHECK(worst < 1e-3 * largest);
  for (int k = 0; k < 3; ++k) CHECK(fabs(sum[k]) < 1e-5 * largest);
  CHECK(fabs(turn) < 1e-5 * largest);
  free(c.x), free(c.kind);
  mote_world_destroy(world);
}

// --- Steps ---

static void check_step(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.01);
  kit.scene.world.gravity[1] = 0.0;
  kit.material[0].surface_tension = 0.0728;
  world_kit_body(&kit, "drop", mote_shape_def_box(0.4, 0.4, 0.0, 0.5, 0.5, 0.0));
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
  double limit = 0.08 * sqrt(kit.material[0].density * 1e-6 / 0.0728), found = mote_world_report(world).step;
  CHECK_NEAR(found, fmin(limit, 5e-3), 1e-9);
  mote_world_destroy(world);
}

// --- Values that make no sense ---

static void check_refused(const char *key, double tension, double angle, double interface) {
  mote_world_def def = mote_world_def_default();
  def.spacing = 0.1;
  mote_env env = world_kit_env(1);
  mote_world *world;
  mote_material added;
  mote_error error;
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  mote_material_def m = mote_material_def_default();
  m.surface_tension = tension, m.contact_angle = angle, m.interface_tension = interface;
  CHECK(mote_world_add_material(world, &m, &added, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.key, key) != NULL);
  mote_world_destroy(world);
}

static void check_values(void) {
  const double none = (double)NAN;
  check_refused("surface_tension", -1e-9, 1.0, none);
  check_refused("surface_tension", none, 1.0, none);
  check_refused("surface_tension", 1e7, 1.0, none);
  check_refused("surface_tension", HUGE_VAL, 1.0, none);
  check_refused("contact_angle", 0.07, -0.01, none);
  check_refused("contact_angle", 0.07, 3.15, none);
  check_refused("contact_angle", 0.07, none, none);
  check_refused("interface_tension", 0.07, 1.0, -1.0);
  check_refused("interface_tension", 0.07, 1.0, HUGE_VAL);
}

int main(void) {
  check_values();
  check_half_space(2);
  check_half_space(3);
  check_laws();
  check_forces(2, MOTE_KERNEL_WENDLAND_C2, MOTE_TENSION_CURVATURE, true);
  check_forces(2, MOTE_KERNEL_CUBIC_SPLINE, MOTE_TENSION_CURVATURE, false);
  check_forces(3, MOTE_KERNEL_WENDLAND_C2, MOTE_TENSION_CURVATURE, true);
  check_forces(2, MOTE_KERNEL_DESBRUN, MOTE_TENSION_CURVATURE, false);
  check_forces(3, MOTE_KERNEL_DESBRUN, MOTE_TENSION_CURVATURE, true);
  check_forces(3, MOTE_KERNEL_CUBIC_SPLINE, MOTE_TENSION_COHESION, true);
  check_step();
  return test_end();
}
