// The density of rows below a free surface, as a function of the gradient sum: that of particles on a
// packing, and monotone between rows.
#include "pairs/surface_density.h"

#include "fluid_kit.h"
#include "pairs/packing_spectrum.h"

static float length_of(const float g[3]) {
  return sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

// A sheet of rows, endless to the sides, with a surface above and below.
static void rows_have_their_density(int dimensions, mote_kernel_kind kernel, double support) {
  tank_def def = tank_def_default(dimensions);
  def.kernel = kernel, def.support = support;
  for (int a = 0; a < dimensions; ++a) {
    def.tank[a] = def.water[a] = a == 1 ? 10 : 9;
    def.periodic[a] = a != 1, def.open[a] = a == 1;
  }
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  for (size_t i = 0; i < f->count; ++i) {
    float D = mote_surface_density_at(&f->surface, length_of(f->gradient + 3 * i));
    CHECK_NEAR((double)D, (double)f->relative[i], 2e-6);  // rounding of sums over the neighbours
  }
  tank_free(t);
}

static void monotone_between_rows(int dimensions, mote_kernel_kind kind, double support) {
  double spacing = 0.02;
  mote_kernel kernel = mote_kernel_make(kind, dimensions, support * spacing);
  kernel.scale /= mote_packing_spectrum_of(&kernel, spacing).density;
  mote_surface_density s = mote_surface_density_of(&kernel, spacing);
  CHECK(s.rows >= 2 && s.rows <= MOTE_SURFACE_ROWS);
  CHECK(s.gradient[s.rows - 1] == 0.0f && s.density[s.rows - 1] == 1.0f);
  for (int k = 0; k < s.rows; ++k) CHECK(mote_surface_density_at(&s, s.gradient[k]) == s.density[k]);
  float before = 1.0f;
  for (int n = 0; n <= 3000; ++n) {
    float D = mote_surface_density_at(&s, s.gradient[0] * (float)n / 2000.0f);
    CHECK(D <= before && D >= s.density[0]);
    before = D;
  }
  CHECK(before == s.density[0] && before > 0.5f && before < 0.9f);
}

int main(void) {
  const struct {
    mote_kernel_kind kernel;
    double support;
  } sets[] = {{MOTE_KERNEL_CUBIC_SPLINE, 2.0},
              {MOTE_KERNEL_WENDLAND_C2, 2.5},
              {MOTE_KERNEL_WENDLAND_C2, 3.0},
              {MOTE_KERNEL_WENDLAND_C2, 4.0}};
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
      rows_have_their_density(dimensions, sets[k].kernel, sets[k].support);
      monotone_between_rows(dimensions, sets[k].kernel, sets[k].support);
    }
  }
  return test_end();
}
