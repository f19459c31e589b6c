// Surfaces of liquid in a tank: see surface_walls.h.
#include "surface_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE_BIT 58  // of ids: six bits, one for each wall

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (memory == NULL) abort();
  return memory;
}

surface_walls surface_walls_none(void) {
  surface_walls walls;
  for (int k = 0; k < 3; ++k) walls.low[k] = (double)-INFINITY, walls.high[k] = (double)INFINITY;
  return walls;
}

surface_walls surface_walls_of(const mote_world_def *world) {
  surface_walls walls = surface_walls_none();
  for (int k = 0; k < 3; ++k) {
    if (world->side[k][0] == MOTE_SIDE_WALL) walls.low[k] = world->low[k];
    if (world->side[k][1] == MOTE_SIDE_WALL) walls.high[k] = world->high[k];
  }
  return walls;
}

void surface_walls_cut(const surface_walls *walls, mote_surface_def *def) {
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
  image *at;
  size_t count, capacity;
} image_list;

static void add_image(image_list *list, const image *one) {
  if (list->count == list->capacity) {
    size_t capacity = 2 * list->capacity + 1024;
    image *grown = allocate(capacity, sizeof *grown);
    if (list->count > 0) memcpy(grown, list->at, list->count * sizeof *grown);
    free(list->at);
    list->at = grown, list->capacity = capacity;
  }
  list->at[list->count++] = *one;
}

// Of particles and of the images that are there already: a corner's are images of images.
static void reflect(const mote_surface_particles *from, int side, double wall, double reach,
                    image_list *list) {
  int axis = side / 2;
  double inward = side % 2 == 0 ? 1 : -1;
  size_t before = list->count;
  if (!isfinite(wall)) return;
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
    add_image(list, &one);
  }
}

// --- Rows -------------------------------------------------------------------------------------------------

static void *repeat_rows(const void *from, size_t size, size_t count, const image_list *list) {
  uint8_t *to = allocate(count + list->count, size);
  if (count > 0) memcpy(to, from, count * size);
  for (size_t k = 0; k < list->count; ++k)
    memcpy(to + (count + k) * size, (const uint8_t *)from + list->at[k].row * size, size);
  return to;
}

static void take_rows(const mote_surface_particles *from, const image_list *list, surface_images *out) {
  size_t n = from->count;
  out->position = repeat_rows(from->position, 3 * sizeof *from->position, n, list);
  out->id = allocate(n + list->count, sizeof *out->id);
  if (from->volume != NULL) out->volume = repeat_rows(from->volume, sizeof *from->volume, n, list);
  for (size_t i = 0; i < n; ++i) out->id[i] = from->id != NULL ? from->id[i] : i;
  for (size_t k = 0; k < list->count; ++k) {
    memcpy(out->position + 3 * (n + k), list->at[k].place, sizeof list->at[k].place);
    out->id[n + k] = out->id[list->at[k].row] ^ list->at[k].walls << IMAGE_BIT;
  }
  for (int f = 0; f < from->fields; ++f) {
    const mote_field_view *field = &from->field[f];
    out->field[f] = *field;
    out->field[f].count = n + list->count;
    out->field[f].data =
        repeat_rows(field->data, (size_t)field->components * mote_type_size(field->type), n, list);
  }
}

void surface_images_make(const surface_walls *walls, const mote_surface_particles *particles,
                         const mote_surface_def *def, surface_images *out) {
  image_list list = {.count = 0};
  double reach = def->spacing * fmax(def->reach, isnan(def->support) ? 0 : def->support);
  *out = (surface_images){.view = *particles, .count = particles->count};
  for (int axis = 0; axis < 3; ++axis) {
    reflect(particles, 2 * axis, walls->low[axis], reach, &list);
    reflect(particles, 2 * axis + 1, walls->high[axis], reach, &list);
  }
  if (list.count > 0) {
    take_rows(particles, &list, out);
    out->view.position = out->position, out->view.volume = out->volume, out->view.id = out->id;
    out->view.field = out->field, out->view.count += list.count;
  }
  free(list.at);
}

void surface_images_free(surface_images *images) {
  for (int f = 0; images->position != NULL && f < images->view.fields; ++f) free(images->field[f].data);
  free(images->position), free(images->volume), free(images->id);
  *images = (surface_images){.count = 0};
}
