// Materials of pictures. Absorptions are chosen for visible colours over about a metre; real
// water in a tank of 1 m would show no colour.
#include <math.h>
#include <mote/numeric.h>
#include <mote/render.h>
#include <string.h>

#include "render/tone.h"

mote_look mote_look_matte(float red, float green, float blue) {
  return (mote_look){.kind = MOTE_LOOK_MATTE, .colour = {red, green, blue}, .roughness = 1, .index = 1.5F};
}

mote_look mote_look_glossy(float red, float green, float blue) {
  return (mote_look){
      .kind = MOTE_LOOK_GLOSSY, .colour = {red, green, blue}, .roughness = 0.25F, .index = 1.5F};
}

static mote_look glass(float index, float red, float green, float blue) {
  return (mote_look){
      .kind = MOTE_LOOK_GLASS, .colour = {1, 1, 1}, .index = index, .absorption = {red, green, blue}};
}

static mote_look glossy(float red, float green, float blue, float roughness) {
  mote_look look = mote_look_glossy(red, green, blue);
  look.roughness = roughness;
  return look;
}

mote_look mote_look_water(void) {
  return glass(1.333F, 2.0F, 0.50F, 0.28F);
}

static mote_look lava(void) {
  mote_look look = glossy(0.95F, 0.20F, 0.02F, 0.5F);
  look.glow = 1.2F;
  return look;
}

static mote_look mercury(void) {
  return (mote_look){
      .kind = MOTE_LOOK_METAL, .colour = {0.77F, 0.77F, 0.78F}, .roughness = 0.05F, .index = 1.5F};
}

static mote_look steel(void) {
  return (mote_look){
      .kind = MOTE_LOOK_METAL, .colour = {0.56F, 0.57F, 0.58F}, .roughness = 0.2F, .index = 1.5F};
}

bool mote_look_named(const char *name, mote_look *look) {
  const struct {
    const char *name;
    mote_look look;
  } known[] = {
      {"water", mote_look_water()},
      {"sea-water", glass(1.339F, 3.0F, 0.60F, 0.55F)},
      {"milk", glossy(0.90F, 0.88F, 0.82F, 0.12F)},
      {"oil", glass(1.467F, 0.6F, 0.9F, 9.0F)},
      {"petrol", glass(1.40F, 0.3F, 0.6F, 2.5F)},
      {"ethanol", glass(1.361F, 0.4F, 0.25F, 0.2F)},
      {"glycerine", glass(1.473F, 0.35F, 0.3F, 0.35F)},
      {"honey", glass(1.49F, 0.5F, 3.2F, 17.0F)},
      {"syrup", glass(1.48F, 3.0F, 10.0F, 30.0F)},
      {"chocolate", glossy(0.085F, 0.030F, 0.012F, 0.18F)},
      {"ketchup", glossy(0.47F, 0.018F, 0.008F, 0.2F)},
      {"mud", glossy(0.11F, 0.065F, 0.035F, 0.35F)},
      {"blood", glossy(0.26F, 0.006F, 0.006F, 0.08F)},
      {"lava", lava()},
      {"mercury", mercury()},
      {"putty", glossy(0.70F, 0.36F, 0.13F, 0.45F)},
      {"slime", glossy(0.11F, 0.45F, 0.065F, 0.12F)},
      {"jelly", glossy(0.60F, 0.015F, 0.025F, 0.08F)},
      {"rubber", glossy(0.85F, 0.48F, 0.012F, 0.35F)},
      {"clay", glossy(0.34F, 0.15F, 0.075F, 0.7F)},
      {"wax", glossy(0.86F, 0.80F, 0.62F, 0.3F)},
      {"ice", glass(1.31F, 0.9F, 0.35F, 0.25F)},
      {"wood", glossy(0.48F, 0.23F, 0.073F, 0.5F)},
      {"steel", steel()},
      {"stone", mote_look_matte(0.26F, 0.24F, 0.21F)},
      {"glass", glass(1.5F, 0.1F, 0.1F, 0.1F)},
      {"concrete", mote_look_matte(0.39F, 0.39F, 0.37F)},
  };
  for (size_t k = 0; name != NULL && look != NULL && k < sizeof known / sizeof *known; ++k) {
    if (strcmp(known[k].name, name) != 0) continue;
    *look = known[k].look;
    return true;
  }
  return false;
}

// Of a part of 1 in sRGB.
static float linear(float part) {
  return part <= 0.04045F ? part / 12.92F : mote_powf((part + 0.055F) / 1.055F, 2.4F);
}

// Glass absorbs such that transmitted white light has the colour when displayed; other materials have
// the colour on their surface.
static void tint(mote_look *look, const double colour[3], double depth) {
  for (int k = 0; k < 3; ++k) {
    float part = linear((float)colour[k]);
    if (look->kind != MOTE_LOOK_GLASS) {
      look->colour[k] = part;
      continue;
    }
    float left = mote_tone_light(part);
    left = left > 1 ? 1 : left < 0.001F ? 0.001F : left;  // the smallest is displayed as 3 of 255
    look->absorption[k] = -mote_logf(left);
    look->depth = (float)depth;
  }
}

static bool same_colour(const double a[3], const double b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

mote_look mote_look_of(const mote_material_def *material) {
  mote_look look = mote_look_water();
  mote_material_def known = mote_material_def_default();
  if (material->preset != NULL) {
    mote_material_def_preset(material->preset, &known);
    mote_look_named(material->preset, &look);
  }
  const double *a = material->absorption;
  if (look.kind == MOTE_LOOK_GLASS && isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2])) {
    for (int k = 0; k < 3; ++k) look.absorption[k] = (float)a[k];
    look.depth = 1;
  } else if (!same_colour(material->colour, known.colour) || material->colour_depth != known.colour_depth) {
    tint(&look, material->colour, material->colour_depth);
  }
  return look;
}

mote_look mote_look_of_collider(const mote_collider_def *collider) {
  mote_collider_def plain = mote_collider_def_default();
  mote_look look = mote_look_matte(0, 0, 0);
  if (collider->look == MOTE_COLLIDER_METAL) look.kind = MOTE_LOOK_METAL, look.roughness = 0.15F;
  if (collider->look == MOTE_COLLIDER_GLASS) look = glass(1.5F, 0, 0, 0);
  if (look.kind != MOTE_LOOK_GLASS || !same_colour(collider->colour, plain.colour))
    tint(&look, collider->colour, mote_material_def_default().colour_depth);
  return look;
}
