// The flat surface of a fluid with tension: air against the density of a half space, strengths against what
// docs/theory/tension.md says of them, lengths of normals against integrals.
#include "material/tension_plane.h"

#include <math.h>
#include <mote/mote.h>

#include "material/tuning.inc"
#include "test.h"

// w(z) by many midpoints.
static double plane_value(const mote_kernel *kernel, double z) {
  enum { N = 20000 };
  double sum = 0.0, top = sqrt(1.0 - z * z);
  for (int k = 0; k < N; ++k) {
    double t = top * (k + 0.5) / N, area = (kernel->dimensions == 2 ? 2.0 : 2.0 * MOTE_PI * t) * top / N;
    sum += area * mote_kernel_value(kernel, sqrt(t * t + z * z));
  }
  return sum;
}

static void check_ghost_density(mote_kernel_kind kind, int dimensions) {
  mote_solver_def solver = mote_scene_default().world.solver;
  solver.kernel = kind;
  mote_tension_plane plane = mote_tension_plane_make(&solver, dimensions);
  mote_kernel kernel = mote_kernel_make(kind, dimensions, 1.0);
  double missing = 0.0, cut = 0.0;
  enum { N = 40 };
  for (int k = N - 1; k >= 0; --k) {  // from inside to the surface
    double z = (k + 0.5) / N, w = plane_value(&kernel, z);
    missing += w / N;
    if (w < 0.5 * MOTE_TENSION_NOISE) cut = missing;
    double outer = missing - 0.5 * w / N;  // beyond z
    float ghost_density = mote_tension_ghost_density(&plane, (float)(w / plane.normal[0]));
    CHECK_NEAR((double)ghost_density, fmax(outer - cut, 0.0), 8e-3);
  }
  CHECK_NEAR(missing, 0.5, 1e-3);
  CHECK(mote_tension_ghost_density(&plane, 0.0f) == 0.0f &&
        mote_tension_ghost_density(&plane, 3.0f) == plane.ghost_density[0]);
}

static void check_strength(mote_kernel_kind kind, int dimensions, double inverse) {
  mote_solver_def solver = mote_scene_default().world.solver;
  solver.kernel = kind;
  mote_tension_plane plane = mote_tension_plane_make(&solver, dimensions);
  CHECK_NEAR(1.0 / plane.strength, inverse, 1e-3);
  // Without noise the length of normals would be 1, whatever the kernel; with it less, and less than linear.
  double whole = mote_tension_length(&plane, 1.0), half = mote_tension_length(&plane, 0.5);
  CHECK(mote_tension_length(&plane, 0.0) == 0.0 && half > 0.0 && half < 0.5 * whole && whole < 1.0);
  CHECK(mote_tension_length(&plane, 100.0) > 95.0);
  solver.tension = MOTE_TENSION_COHESION;
  plane = mote_tension_plane_make(&solver, dimensions);
  CHECK(plane.strength == 1.0 && plane.ghost_density[0] == 0.0f);
}

int main(void) {
  check_ghost_density(MOTE_KERNEL_WENDLAND_C2, 2);
  check_ghost_density(MOTE_KERNEL_WENDLAND_C2, 3);
  check_ghost_density(MOTE_KERNEL_CUBIC_SPLINE, 3);
  check_strength(MOTE_KERNEL_WENDLAND_C2, 2, 0.6211);
  check_strength(MOTE_KERNEL_WENDLAND_C2, 3, 0.6123);
  check_strength(MOTE_KERNEL_CUBIC_SPLINE, 2, 0.5694);
  return test_end();
}
