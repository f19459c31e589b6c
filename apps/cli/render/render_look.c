// What things look like: by the names of the materials' presets and a few more, and by values.
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/render/render_studio.h"

static mote_look metal(float red, float green, float blue, float roughness) {
  mote_look look = mote_look_glossy(red, green, blue);
  look.kind = MOTE_LOOK_METAL, look.roughness = roughness;
  return look;
}

static mote_look smoke(void) {
  mote_look look = mote_look_matte(0.85F, 0.86F, 0.88F);
  look.kind = MOTE_LOOK_PUFF;
  return look;
}

#define OWN_LOOKS 6
static const char *const own_name[OWN_LOOKS] = {"matte", "glossy", "clay", "metal", "gold", "smoke"};

static mote_look own_look(size_t k) {
  const mote_look look[OWN_LOOKS] = {
      mote_look_matte(0.62F, 0.62F, 0.60F),  mote_look_glossy(0.10F, 0.25F, 0.55F),
      mote_look_glossy(0.55F, 0.27F, 0.16F), metal(0.80F, 0.80F, 0.82F, 0.15F),
      metal(0.95F, 0.66F, 0.25F, 0.12F),     smoke()};
  return look[k];
}

bool render_look_named(const char *name, mote_look *out) {
  const char *names[64], *const *presets;
  size_t count = mote_material_presets(&presets);
  for (size_t k = 0; k < OWN_LOOKS; ++k) {
    if (strcmp(own_name[k], name) == 0) return *out = own_look(k), true;
  }
  if (mote_look_named(name, out)) return true;
  char list[512] = "", near[128];
  if (count > 48) count = 48;
  memcpy(names, presets, count * sizeof *names);
  size_t of_materials = count;
  for (size_t k = 0; k < OWN_LOOKS; ++k) {
    bool repeated = false;  // clay
    for (size_t m = 0; m < of_materials; ++m) repeated = repeated || strcmp(own_name[k], names[m]) == 0;
    if (!repeated) names[count++] = own_name[k];
  }
  for (size_t k = 0; k < count; ++k) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", names[k]);
  }
  complain("unknown look \"%s\"%s (there are: %s)", name, suggestion(name, names, count, near, sizeof near),
           list);
  return false;
}

static float linear(uint8_t byte) {
  float part = (float)byte / 255;
  return part <= 0.04045F ? part / 12.92F : mote_powf((part + 0.055F) / 1.055F, 2.4F);
}

mote_look render_look_painted(mote_colour colour) {
  return mote_look_matte(linear(colour.red), linear(colour.green), linear(colour.blue));
}

// --- Colours by value ---

static mote_colour by_value(const mote_shade *shade, double value) {
  double t = (value - shade->low) / (shade->high - shade->low);
  return isnan(t) ? (mote_colour){128, 128, 128, 255} : mote_colour_map_at(shade->map, t);
}

static mote_colour by_body(const mote_scene *scene, uint32_t body) {
  const mote_material_def *material = scene != NULL ? backdrop_material(scene, body) : NULL;
  return material != NULL ? backdrop_colour(material->colour)
                          : mote_colour_cycle((int)(body % MOTE_CYCLE_COLOURS));
}

mote_colour *render_colours(const render_studio *studio) {
  const render_take *take = &studio->take;
  size_t count = render_take_positions(take);
  if (count == 0 || (take->value == NULL && take->body == NULL && take->colour == NULL)) return NULL;
  mote_colour *colour = input_take(count, sizeof *colour);
  for (size_t i = 0; i < count; ++i) {
    colour[i] = take->body != NULL    ? by_body(studio->shots->scene, take->body[i])
                : take->value != NULL ? by_value(&studio->shade, (double)take->value[i])
                                      : take->colour[i];
  }
  return colour;
}
