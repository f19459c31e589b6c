// Hashes of definitions, key by key of the table: see definition_hash.h.
#include "state/definition_hash.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "scene/def_table.h"

// --- Values -----------------------------------------------------------------------------------------------

static uint64_t numbers(uint64_t seed, const double *x, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    double value = x[k] != x[k] ? 0x1p1023 : x[k] + 0.0;  // one NaN, one zero
    seed = mote_hash_bytes(seed, &value, sizeof value);
  }
  return seed;
}

static uint64_t number(uint64_t seed, double x) {
  return numbers(seed, &x, 1);
}

static uint64_t whole(uint64_t seed, uint64_t x) {
  return mote_hash_bytes(seed, &x, sizeof x);
}

static uint64_t text(uint64_t seed, const char *x) {
  return x == NULL ? whole(seed, 0) : mote_hash_bytes(whole(seed, 1), x, strlen(x) + 1);
}

static uint64_t value(uint64_t seed, const mote_value *x) {
  return x->formula == NULL ? number(seed, x->constant) : text(seed, x->formula);
}

static uint64_t value3(uint64_t seed, const mote_value3 *x) {
  return value(value(value(seed, &x->x), &x->y), &x->z);
}

static uint64_t mesh(uint64_t seed, const mote_mesh *x) {
  seed = whole(whole(seed, x->vertices), x->triangles);
  seed = numbers(seed, x->vertex, 3 * x->vertices);
  return x->triangles == 0 ? seed
                           : mote_hash_bytes(seed, x->triangle, 3 * x->triangles * sizeof *x->triangle);
}

// All members, also those unused by the kind: changing them is harmless and rare.
static uint64_t shape(uint64_t seed, const mote_shape_def *x) {
  seed = whole(seed, (uint64_t)x->kind);
  seed = numbers(numbers(seed, x->low, 3), x->high, 3);
  seed = numbers(numbers(seed, x->centre, 3), x->normal, 3);
  seed = numbers(numbers(seed, x->from, 3), x->to, 3);
  seed = numbers(number(number(seed, x->radius), x->thickness), x->radii, 3);
  if (x->kind == MOTE_SHAPE_MESH) seed = mesh(seed, &x->mesh);
  seed = number(numbers(number(seed, x->scale), x->axis, 3), x->angle);
  seed = numbers(numbers(seed, x->pivot, 3), x->move, 3);
  seed = whole(whole(seed, x->inverted), x->parts);
  for (size_t k = 0; k < x->parts; ++k) seed = shape(seed, &x->part[k]);
  return seed;
}

// --- Keys -------------------------------------------------------------------------------------------------

static uint64_t section(const char *name, const void *def);

static uint64_t integers(uint64_t seed, const int *x, int count) {
  for (int k = 0; k < count; ++k) seed = whole(seed, (uint64_t)x[k]);
  return seed;
}

static uint64_t list(const mote_scene_key *key, const char *def) {
  const char *items = *(const char *const *)(const void *)(def + key->offset);
  size_t count = *(const size_t *)(const void *)(def + key->count);
  size_t size = mote_scene_section_size(key->detail);
  uint64_t hash = whole(0, count);
  for (size_t k = 0; k < count; ++k) hash = whole(hash, section(key->detail, items + k * size));
  return hash;
}

static uint64_t key_value(const mote_scene_key *key, const char *def) {
  const void *at = def + key->offset;
  switch (key->kind) {
    case MOTE_KEY_TEXT:
    case MOTE_KEY_MATERIAL: return text(0, *(const char *const *)at);
    case MOTE_KEY_NUMBER: return numbers(0, at, 1);
    case MOTE_KEY_PAIR: return numbers(0, at, 2);
    case MOTE_KEY_VECTOR:
    case MOTE_KEY_GRAVITY:
    case MOTE_KEY_COLOUR: return numbers(0, at, 3);
    case MOTE_KEY_COUNT: return whole(0, *(const size_t *)at);
    case MOTE_KEY_SEED: return whole(0, *(const uint64_t *)at);
    case MOTE_KEY_SWITCH: return whole(0, *(const bool *)at);
    case MOTE_KEY_INTEGER:
    case MOTE_KEY_CHOICE:
    case MOTE_KEY_QUALITY:
    case MOTE_KEY_KERNEL: return integers(0, at, 1);
    case MOTE_KEY_PIXELS:
    case MOTE_KEY_SIDES: return integers(0, at, 2);
    case MOTE_KEY_VALUE: return value(0, at);
    case MOTE_KEY_VALUE3: return value3(0, at);
    case MOTE_KEY_MAP: return section(key->detail, at);
    case MOTE_KEY_LIST: return list(key, def);
    case MOTE_KEY_SHAPE: return shape(0, at);
    case MOTE_KEY_OPTION: return *(const bool *)at ? whole(1, section(key->detail, at)) : 0;
    case MOTE_KEY_NAMED:  // hashed one by one as they are added to the world
    case MOTE_KEY_TEXTS:  // of outputs only
    case MOTE_KEY_VERSION:
    case MOTE_KEY_PRESET:
    case MOTE_KEY_PARTS: return 0;
  }
  return 0;
}

// A sum over the keys that are not at their defaults, each tagged by its section and name: neither new keys
// nor the order of the table change it. 0 for a definition of defaults.
static uint64_t section(const char *name, const void *def) {
  union {
    mote_scene scene;
    mote_body_entry body;
    mote_material_def material;
    mote_collider_def collider;
    mote_hold_def hold;
    mote_load_def load;
    mote_force_def force;
    mote_emitter_def emitter;
    mote_key key;
  } initial;  // no section is larger
  MOTE_ASSERT(mote_scene_section_size(name) <= sizeof initial);
  mote_scene_section_default(name, &initial);
  uint64_t sum = 0;
  size_t count;
  const mote_scene_key *key = mote_scene_section(name, &count);
  for (size_t k = 0; k < count; ++k) {
    if ((key[k].flags & (MOTE_KEY_SHOWN_ONLY | MOTE_KEY_UNHASHED | MOTE_KEY_BESIDE)) != 0) continue;
    uint64_t hash = key_value(&key[k], def);
    if (hash != key_value(&key[k], (const char *)&initial))
      sum += whole(text(text(0, name), key[k].name), hash);
  }
  return sum;
}

// --- Definitions ------------------------------------------------------------------------------------------

// A world's keys are those of a scene.
uint64_t mote_definition_hash_world(uint64_t seed, const mote_world_def *def) {
  mote_scene scene = mote_scene_default();
  scene.world = *def;
  return whole(seed, section("scene", &scene));
}

uint64_t mote_definition_hash(uint64_t seed, const char *kind, const char *name, const void *def) {
  MOTE_ASSERT(kind != NULL && name != NULL && def != NULL);
  return whole(text(text(seed, kind), name), section(kind, def));
}
