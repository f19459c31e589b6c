// Argument checks of rendered pictures, with messages that name the fault.
#include <math.h>
#include <stdio.h>

#include "render/render_parts.h"

static mote_result refuse(mote_error *error, const char *key, const char *text) {
  mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "%s", text);
  if (error != NULL) snprintf(error->key, sizeof error->key, "%s", key);
  return MOTE_ERROR_ARGUMENT;
}

static mote_result refuse_part(mote_error *error, const char *list, size_t k, const char *member,
                               const char *text) {
  char key[64];
  snprintf(key, sizeof key, "%s[%zu].%s", list, k, member);
  return refuse(error, key, text);
}

static bool positive(double x) {
  return x > 0 && isfinite(x);
}

static bool not_negative(double x) {
  return x >= 0 && isfinite(x);
}

static bool finite3(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static bool has_length(const double x[3]) {
  return finite3(x) && positive(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// The invalid member of the look; null: none.
static const char *bad_look(const mote_look *look) {
  if ((int)look->kind < 0 || look->kind > MOTE_LOOK_PUFF) return "look.kind";
  for (int k = 0; k < 3; ++k)
    if (!(look->colour[k] >= 0 && look->colour[k] <= 1)) return "look.colour";
  if (!(look->roughness >= 0 && look->roughness <= 1)) return "look.roughness";
  if (look->kind == MOTE_LOOK_GLASS && !(look->index >= 1 && look->index <= 4)) return "look.index";
  for (int k = 0; k < 3; ++k)
    if (!not_negative((double)look->absorption[k])) return "look.absorption";
  if (!not_negative((double)look->depth)) return "look.depth";
  return not_negative((double)look->glow) ? NULL : "look.glow";
}

static mote_result check_mesh(const mote_render_mesh *m, size_t k, mote_error *error) {
  const mote_mesh *mesh = &m->mesh;
  const char *look = bad_look(&m->look);
  if (look != NULL) return refuse_part(error, "mesh", k, look, "a look that no mesh can have");
  if (m->look.kind == MOTE_LOOK_PUFF)
    return refuse_part(error, "mesh", k, "look.kind", "puffs are spheres, not meshes");
  if (mesh->triangles > 0 && (mesh->vertex == NULL || mesh->triangle == NULL))
    return refuse_part(error, "mesh", k, "mesh", "the mesh has triangles, but a null array");
  if (mesh->triangles >= UINT32_MAX || mesh->vertices >= UINT32_MAX)
    return refuse_part(error, "mesh", k, "mesh", "more than 4294967294 vertices or triangles");
  const mote_texture *texture = m->texture;
  if (texture != NULL && texture->triangles != mesh->triangles)
    return refuse_part(error, "mesh", k, "texture", "the texture is of another number of triangles");
  for (size_t c = 0; texture != NULL && c < texture->triangles; ++c)
    if (texture->image_of[c] != MOTE_TEXTURE_NONE && texture->image_of[c] >= texture->images)
      return refuse_part(error, "mesh", k, "texture.image_of", "a triangle without its image");
  for (size_t c = 0; c < 3 * mesh->triangles; ++c)
    if (mesh->triangle[c] >= mesh->vertices)
      return refuse_part(error, "mesh", k, "mesh.triangle", "a triangle without a vertex");
  return MOTE_OK;
}

static mote_result check_spheres(const mote_render_spheres *s, size_t k, mote_error *error) {
  const char *look = bad_look(&s->look);
  if (look != NULL) return refuse_part(error, "spheres", k, look, "a look that no sphere can have");
  if (s->count > 0 && s->position == NULL)
    return refuse_part(error, "spheres", k, "position", "the positions are null");
  if (s->count >= UINT32_MAX)
    return refuse_part(error, "spheres", k, "count", "more than 4294967294 spheres");
  if (s->count > 0 && s->G == NULL && !positive(s->radius))
    return refuse_part(error, "spheres", k, "radius", "the radius must be positive");
  return MOTE_OK;
}

static mote_result check_lamp(const mote_lamp_def *l, size_t k, mote_error *error) {
  if ((int)l->kind < 0 || l->kind > MOTE_LAMP_DISTANT)
    return refuse_part(error, "lamp", k, "kind", "there is no such lamp");
  if (l->kind != MOTE_LAMP_DISTANT && !finite3(l->centre))
    return refuse_part(error, "lamp", k, "centre", "the centre must be somewhere");
  if (l->kind != MOTE_LAMP_SPHERE && !has_length(l->direction))
    return refuse_part(error, "lamp", k, "direction", "it must shine in some direction");
  if (l->kind == MOTE_LAMP_SPHERE && !positive(l->radius))
    return refuse_part(error, "lamp", k, "radius", "the radius must be positive");
  if (l->kind == MOTE_LAMP_RECTANGLE && !(positive(l->size[0]) && positive(l->size[1])))
    return refuse_part(error, "lamp", k, "size", "the size must be positive");
  if (l->kind == MOTE_LAMP_DISTANT && !(l->angle >= 1e-3 && l->angle < 3.15))
    return refuse_part(error, "lamp", k, "angle", "the angle must be 0.001 to pi");
  bool distant = l->kind == MOTE_LAMP_DISTANT;
  if (!not_negative(distant ? l->irradiance : l->power))
    return refuse_part(error, "lamp", k, distant ? "irradiance" : "power", "light cannot be negative");
  for (int c = 0; c < 3; ++c)
    if (!(l->colour[c] >= 0 && l->colour[c] <= 1))
      return refuse_part(error, "lamp", k, "colour", "colours are from 0 to 1");
  return MOTE_OK;
}

static mote_result check_environment(const mote_render_def *d, mote_error *error) {
  const mote_environment *e = d->environment;
  if (e == NULL) return MOTE_OK;
  if (e->light == NULL || e->width < 1 || e->height < 1)
    return refuse(error, "environment", "the environment has no pixels");
  size_t values = 3 * (size_t)e->width * (size_t)e->height;
  for (size_t k = 0; k < values; ++k)
    if (!(e->light[k] >= 0 && e->light[k] <= 1e12F))
      return refuse(error, "environment", "light is from 0 to 1e12");
  if (!isfinite(d->environment_turn))
    return refuse(error, "environment_turn", "the environment must be turned by an angle");
  return MOTE_OK;
}

static mote_result check_scene(const mote_render_scene *s, mote_error *error) {
  if (s->meshes > 0 && s->mesh == NULL) return refuse(error, "mesh", "the meshes are null");
  if (s->sphere_sets > 0 && s->spheres == NULL)
    return refuse(error, "spheres", "the sets of spheres are null");
  for (size_t k = 0; k < s->meshes; ++k) MOTE_IO_TRY(check_mesh(s->mesh + k, k, error));
  if (s->lamps > 0 && s->lamp == NULL) return refuse(error, "lamp", "the lamps are null");
  for (size_t k = 0; k < s->lamps; ++k) MOTE_IO_TRY(check_lamp(s->lamp + k, k, error));
  for (size_t k = 0; k < s->sphere_sets; ++k) MOTE_IO_TRY(check_spheres(s->spheres + k, k, error));
  if (s->shade != NULL && ((int)s->shade->map < 0 || s->shade->map > MOTE_MAP_HEAT))
    return refuse(error, "shade.map", "there is no such colour map");
  if (s->shade != NULL &&
      !(isfinite(s->shade->low) && isfinite(s->shade->high) && s->shade->low < s->shade->high))
    return refuse(error, "shade.low", "a colour bar needs a range, low below high");
  return MOTE_OK;
}

static mote_result check_light(const mote_render_def *d, mote_error *error) {
  if (!has_length(d->up)) return refuse(error, "up", "up must be a direction");
  if (!has_length(d->sun)) return refuse(error, "sun", "the sun must be in some direction");
  if (!not_negative(d->sun_strength)) return refuse(error, "sun_strength", "light cannot be negative");
  if (!not_negative(d->sky_strength)) return refuse(error, "sky_strength", "light cannot be negative");
  if (!positive(d->exposure)) return refuse(error, "exposure", "the exposure must be positive");
  const mote_camera_def *c = &d->camera;
  if (!not_negative(c->aperture)) return refuse(error, "camera.aperture", "the aperture cannot be negative");
  if (!isnan(c->focus) && !not_negative(c->focus))
    return refuse(error, "camera.focus", "the focus cannot be negative");
  if (!not_negative(c->shutter)) return refuse(error, "camera.shutter", "the shutter cannot be negative");
  if (!positive(d->frame)) return refuse(error, "frame", "the time of a frame must be positive");
  if (!isnan(d->depth) && !positive(d->depth)) return refuse(error, "depth", "the depth must be positive");
  if (d->ground == (double)INFINITY) return refuse(error, "ground", "the ground cannot be above everything");
  for (int k = 0; k < 3; ++k)
    if (!isnan(d->backdrop[k]) && !not_negative((double)d->backdrop[k]))
      return refuse(error, "backdrop", "a backdrop is a colour, or not a number: the sky");
  for (int k = 0; k < 4; ++k)
    if (!isfinite(d->cut[k])) return refuse(error, "cut", "a section needs a normal and a distance");
  if (!has_length(d->cut) && d->cut[3] != 0) return refuse(error, "cut", "a section needs a normal");
  const char *look = bad_look(&d->ground_look);
  if (look != NULL || d->ground_look.kind >= MOTE_LOOK_GLASS)
    return refuse(error, "ground_look", "the ground is matte, glossy or metal, in colours from 0 to 1");
  return MOTE_OK;
}

mote_result mote_render_check(const mote_render_def *d, const mote_render_scene *scene, mote_image **out,
                              mote_error *error) {
  if (d == NULL || scene == NULL || out == NULL) return refuse(error, "", "an argument of a picture is null");
  if (d->width < 1 || d->width > MOTE_IMAGE_SIDE_MAX)
    return refuse(error, "width", "a picture is 1 to 32768 pixels wide");
  if (d->height < 1 || d->height > MOTE_IMAGE_SIDE_MAX)
    return refuse(error, "height", "a picture is 1 to 32768 pixels high");
  if ((int64_t)d->width * d->height > MOTE_PREVIEW_PIXELS_MAX)
    return refuse(error, "width", "a rendered picture has at most 16777216 pixels");
  if (d->samples < 1 || d->samples > 1 << 20) return refuse(error, "samples", "1 to 1048576 samples");
  if (d->bounces < 0 || d->bounces > 1000) return refuse(error, "bounces", "0 to 1000 bounces");
  if (!not_negative(d->noise)) return refuse(error, "noise", "the noise cannot be negative");
  MOTE_IO_TRY(check_light(d, error));
  MOTE_IO_TRY(check_environment(d, error));
  return check_scene(scene, error);
}
