// Looks: every material has one; the sky: its sun gives the light it says, nothing jumps at the horizon.
#include "render/render_parts.h"
#include "test.h"

static void every_material_has_a_look(void) {
  const char *const *names;
  size_t count = mote_material_presets(&names);
  mote_look look = {0};
  for (size_t k = 0; k < count; ++k) {
    CHECK(mote_look_named(names[k], &look));
    CHECK(look.kind == MOTE_LOOK_GLASS ? look.index > 1 : vec_max(vec_from(look.colour)) > 0);
  }
  CHECK(!mote_look_named("plaster", &look) && !mote_look_named(NULL, &look) &&
        !mote_look_named("water", NULL));
  CHECK(mote_look_water().absorption[0] > mote_look_water().absorption[2]);
}

// Looks follow the preset, whatever the other keys say; a colour of one's own tints what is clear and paints
// what is not.
static void materials_look_like_their_preset_and_colour(void) {
  mote_material_def material, water = mote_material_def_default();
  mote_look syrup, look;
  CHECK(mote_material_def_preset("syrup", &material) && mote_look_named("syrup", &syrup));
  material.name = "sauce", material.viscosity = 0.8, material.density = 1200;
  look = mote_look_of(&material);
  CHECK(look.kind == syrup.kind && look.absorption[0] == syrup.absorption[0]);
  const double orange[3] = {1, 0.5, 0};
  for (int k = 0; k < 3; ++k) material.colour[k] = water.colour[k] = orange[k];
  look = mote_look_of(&material);
  CHECK(look.kind == MOTE_LOOK_GLASS && look.index == syrup.index);
  CHECK(look.absorption[0] == 0 && look.absorption[1] > 1 && look.absorption[2] > 3 * look.absorption[1]);
  material.preset = NULL;
  look = mote_look_of(&material);
  CHECK(look.kind == MOTE_LOOK_GLASS && look.absorption[0] < look.absorption[2]);
  CHECK(mote_look_of(&water).absorption[2] == look.absorption[2]);
  CHECK(mote_material_def_preset("milk", &material));
  material.colour[2] = 0;
  look = mote_look_of(&material);
  CHECK(look.kind == MOTE_LOOK_GLOSSY && look.colour[0] > 0.9F && look.colour[2] == 0);
}

static const float NO_BACKDROP[3] = {NAN, NAN, NAN};

// Radiance times solid angle is the irradiance across the beam, whatever the strength of the sky.
static void the_sun_is_as_strong_as_asked(void) {
  const double up[3] = {0, 2, 0}, sun[3] = {0, 3, 4};
  mote_sky one = mote_sky_make(up, sun, 1, 5, NO_BACKDROP), two = mote_sky_make(up, sun, 2, 0, NO_BACKDROP);
  CHECK_NEAR((double)(two.sun_light.x / one.sun_light.x), 2, 1e-6);
  CHECK_NEAR((double)vec_length(one.sun), 1, 1e-6);
  CHECK_NEAR((double)one.sun.y, 0.6, 1e-6);
  double solid = 2 * 3.14159265358979 * (1 - (double)one.sun_cosine);
  CHECK_NEAR((double)mote_sky_sun_density(&one) * solid, 1, 1e-4);
  CHECK(vec_max(mote_sky_light(&two, vec(0, 1, 0))) < 2 && vec_max(mote_sky_light(&two, vec(1, 0, 0))) == 0);
}

static void nothing_jumps_at_the_horizon(void) {
  const double up[3] = {0, 1, 0}, sun[3] = {1, 0.2, 0};
  mote_sky sky = mote_sky_make(up, sun, 1, 1, NO_BACKDROP);
  for (int k = 0; k < 20; ++k) {
    float a = 0.3F * (float)k;
    mote_vec above = mote_sky_light(&sky, vec(mote_cosf(a), 1e-5F, mote_sinf(a)));
    mote_vec below = mote_sky_light(&sky, vec(mote_cosf(a), -1e-5F, mote_sinf(a)));
    CHECK_NEAR((double)vec_length(vec_sub(above, below)), 0, 5e-3);
  }
}

// A backdrop is all that is seen up to some height; above, there is light for what stands before it.
static void backdrops_are_even_and_lit_from_above(void) {
  const double up[3] = {0, 1, 0}, sun[3] = {0, 1, 1};
  const float red[3] = {0.2F, 0.01F, 0.02F};
  mote_sky sky = mote_sky_make(up, sun, 1, 1, red);
  for (int k = -9; k < 3; ++k) {
    float height = 0.1F * (float)k;
    mote_vec seen = mote_sky_light(&sky, vec(sqrtf(1 - height * height), height, 0));
    CHECK(seen.x == red[0] && seen.y == red[1] && seen.z == red[2]);
  }
  CHECK(vec_max(mote_sky_light(&sky, vec(0, 1, 0))) > 0.4F);
}

int main(void) {
  every_material_has_a_look();
  materials_look_like_their_preset_and_colour();
  the_sun_is_as_strong_as_asked();
  nothing_jumps_at_the_horizon();
  backdrops_are_even_and_lit_from_above();
  return test_end();
}
