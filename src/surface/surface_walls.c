// Surfaces of liquid in a tank: images of particles behind the walls, and the cut at them (mote/surface.h).
#include <math.h>
#include <mote/numeric.h>
#include <mote/scene.h>
#include <string.h>

#include "base/memory.h"
#include "surface/tuning.inc"

#define IMAGE_BIT 58  // of ids: six bits, one for each wall

mote_surface_walls mote_surface_walls_none(void) {
  mote_surface_walls walls;
  for (int k = 0; k < 3; ++k) walls.low[k] = (double)-INFINITY, walls.high[k] = (double)INFINITY;
  return walls;
}

mote_surface_walls mote_world_def_walls(const mote_world_def *world) {
  mote_surface_walls walls = mote_surface_walls_none();
  for (int k = 0; k < 3; ++k) {
    if (world->side[k][0] == MOTE_SIDE_WALL) walls.low[k] = world->low[k];
    if (world->side[k][1] == MOTE_SIDE_WALL) walls.high[k] = world->high[k];
  }
  return walls;
}

void mote_surface_walls_cut(const mote_surface_walls *walls, mote_surface_def *def) {
  for (int k = 0; k < 3; ++k) {
    def->clip_low[k] = fmax(def->clip_low[k], walls->low[k]);
    def->clip_high[k] = fmin(def->clip_high[k], walls->high[k]);
  }
}

// --- Images -----------------------------------------------------------------------------------------------

// Whose image, and where it is.
typedef struct image {
  size_t row;
  uint64_t walls;  // a bit for each
  double place[3];
} image;

typedef struct image_list {
  mote_env env;
  image *at;
  size_t count, capacity;
} image_list;

// Liquid that has not arrived at a wall is not drawn towards its image behind it.
static bool is_touched(const mote_surface_particles *particles, int side, double wall, double spacing) {
  for (size_t i = 0; isfinite(wall) && i < particles->count; ++i)
    if (fabs(particles->position[3 * i + (size_t)(side / 2)] - wall) < spacing) return true;
  return false;
}

// Of particles and of the images that are there already: a corner's are images of images.
static mote_result reflect(const mote_surface_particles *from, int side, double wall, double reach,
                           image_list *list, mote_error *error) {
  int axis = side / 2;
  double inward = side % 2 == 0 ? 1 : -1;
  size_t before = list->count;
  for (size_t i = 0; i < from->count + before; ++i) {
    image one = {.row = i};
    if (i < from->count)
      memcpy(one.place, from->position + 3 * i, sizeof one.place);
    else
      one = list->at[i - from->count];
    double depth = inward * (one.place[axis] - wall);
    if (!(depth > 0 && depth < reach)) continue;
    one.place[axis] = wall - inward * depth;
    one.walls |= (uint64_t)1 << side;
    MOTE_TRY(mote_reserve(&list->env, &list->at, &list->capacity, list->count + 1, sizeof *list->at, error));
    list->at[list->count++] = one;
  }
  return MOTE_OK;
}

// --- Rows -------------------------------------------------------------------------------------------------

// Null when memory is out.
static void *repeat_rows(const void *from, size_t size, size_t count, const image_list *list) {
  uint8_t *to = mote_alloc(&list->env, count + list->count, size);
  if (to == NULL) return NULL;
  memcpy(to, from, count * size);
  for (size_t k = 0; k < list->count; ++k)
    memcpy(to + (count + k) * size, (const uint8_t *)from + list->at[k].row * size, size);
  return to;
}

static size_t row_size(const mote_field_view *field) {
  return (size_t)field->components * mote_type_size(field->type);
}

static bool take_rows(const mote_surface_particles *from, const image_list *list, mote_surface_images *out) {
  size_t n = from->count, rows = n + list->count;
  out->view.count = rows;
  out->position = repeat_rows(from->position, 3 * sizeof *from->position, n, list);
  out->id = mote_alloc(&list->env, rows, sizeof *out->id);
  if (from->volume != NULL) out->volume = repeat_rows(from->volume, sizeof *from->volume, n, list);
  bool there = out->position != NULL && out->id != NULL && (from->volume == NULL || out->volume != NULL);
  for (size_t i = 0; there && i < n; ++i) out->id[i] = from->id != NULL ? from->id[i] : i;
  for (size_t k = 0; there && k < list->count; ++k) {
    memcpy(out->position + 3 * (n + k), list->at[k].place, sizeof list->at[k].place);
    out->id[n + k] = out->id[list->at[k].row] ^ list->at[k].walls << IMAGE_BIT;
  }
  for (int f = 0; there && f < from->fields; ++f) {
    out->field[f] = from->field[f];
    out->field[f].count = rows;
    out->field[f].data = repeat_rows(from->field[f].data, row_size(&from->field[f]), n, list);
    there = out->field[f].data != NULL;
  }
  return there;
}

// Particles that are nearer to a wall than WALL_DISTANCE_MIN, and their images behind it, are taken to be as
// far.
static void keep_off(const mote_surface_walls *walls, double closest, size_t rows, double *position) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      double wall = side == 0 ? walls->low[axis] : walls->high[axis], inward = side == 0 ? 1.0 : -1.0;
      if (!isfinite(wall)) continue;
      for (size_t i = 0; i < rows; ++i) {
        double depth = inward * (position[3 * i + (size_t)axis] - wall);
        if (fabs(depth) < closest)
          position[3 * i + (size_t)axis] = wall + (depth < 0.0 ? -inward : inward) * closest;
      }
    }
  }
}

static mote_result check_fields(const mote_surface_particles *particles, mote_error *error) {
  bool fits = particles->fields >= 0 && particles->fields <= MOTE_SURFACE_FIELDS;
  for (int f = 0; fits && f < particles->fields; ++f) fits = particles->field[f].count == particles->count;
  if (fits) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "at most %d fields of particles, with one row for each",
                   MOTE_SURFACE_FIELDS);
}

static double largest_spacing(const mote_surface_particles *particles, const mote_surface_def *def) {
  double volume = 0.0;
  if (!def->own_supports || particles->volume == NULL) return def->spacing;
  for (size_t i = 0; i < particles->count; ++i) volume = fmax(volume, (double)particles->volume[i]);
  return mote_cbrt(volume);
}

mote_result mote_surface_images_make(const mote_surface_walls *walls, const mote_surface_particles *particles,
                                     const mote_surface_def *def, const mote_env *env,
                                     mote_surface_images *out, mote_error *error) {
  *out = (mote_surface_images){.view = *particles, .count = particles->count};
  MOTE_TRY(check_fields(particles, error));
  image_list list = {.env = mote_env_resolve(env)};
  double spacing = largest_spacing(particles, def);
  double reach = spacing * fmax(def->reach, isnan(def->support) ? 0 : def->support);
  mote_result result = MOTE_OK;
  for (int side = 0; side < 6 && result == MOTE_OK; ++side) {
    double wall = (side % 2 ? walls->high : walls->low)[side / 2];
    if (is_touched(particles, side, wall, spacing))
      result = reflect(particles, side, wall, reach, &list, error);
  }
  if (result == MOTE_OK && list.count > 0 && !take_rows(particles, &list, out))
    result = mote_fail_memory(error, out->view.count * sizeof *list.at);
  if (result == MOTE_OK && list.count > 0) {
    keep_off(walls, WALL_DISTANCE_MIN * def->spacing, out->view.count, out->position);
    out->view.position = out->position, out->view.volume = out->volume, out->view.id = out->id;
    out->view.field = out->field;
  }
  mote_free(&list.env, list.at, list.capacity, sizeof *list.at);
  if (result != MOTE_OK) mote_surface_images_free(out, env);
  return result;
}

void mote_surface_images_free(mote_surface_images *images, const mote_env *env) {
  mote_env own = mote_env_resolve(env);
  size_t rows = images->view.count;
  for (int f = 0; f < images->view.fields; ++f) {
    if (images->field[f].data != NULL)
      mote_free(&own, images->field[f].data, rows, row_size(&images->field[f]));
  }
  mote_free(&own, images->position, rows, 3 * sizeof *images->position);
  mote_free(&own, images->volume, rows, sizeof *images->volume);
  mote_free(&own, images->id, rows, sizeof *images->id);
  *images = (mote_surface_images){.count = 0};
}
