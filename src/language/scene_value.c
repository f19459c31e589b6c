// Binds single values and lists of them: one function for each type of the table.
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "language/scene_bind.h"

typedef mote_result bind_fn(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target);

// A list of `least` to `most` elements.
static bool is_list(const mote_node *node, size_t least, size_t most) {
  return node->kind == MOTE_NODE_LIST && node->count >= least && node->count <= most;
}

static mote_result bind_text(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (node->kind != MOTE_NODE_TEXT) return mote_bind_fail_type(b, key, node);
  node->plain = false;
  *(const char **)target = node->text;
  return MOTE_OK;
}

static mote_result bind_number(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  return mote_bind_number(b, key, node, target);
}

// --- Whole numbers ----------------------------------------------------------------------------------------

static mote_result fail_whole(mote_binder *b, const mote_scene_key *key, const mote_node *node) {
  char what[MOTE_NODE_WHAT];
  return mote_place_fail(b->error, node->place, "\"%s\" must be a whole number, but is %s", key->name,
                         mote_node_what(node, what));
}

static mote_result bind_whole(mote_binder *b, const mote_scene_key *key, mote_node *node, double *out) {
  if (mote_node_is_null(node)) return mote_bind_fail_type(b, key, node);
  MOTE_IO_TRY(mote_bind_number(b, key, node, out));
  return isinf(*out) || *out == floor(*out) ? MOTE_OK : fail_whole(b, key, node);
}

static mote_result bind_version(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  (void)target;
  double value;
  return bind_whole(b, key, node, &value);
}

static mote_result bind_integer(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  double value;
  MOTE_IO_TRY(bind_whole(b, key, node, &value));
  *(int *)target = (int)value;
  return MOTE_OK;
}

static mote_result bind_count(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  double value;
  MOTE_IO_TRY(bind_whole(b, key, node, &value));
  *(size_t *)target = isinf(value) || value >= (double)SIZE_MAX ? SIZE_MAX : (size_t)value;
  return MOTE_OK;
}

// All digits count: no way through double.
static mote_result bind_seed(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  long long value = 0;
  size_t length = strlen(node->text);
  if (node->kind != MOTE_NODE_TEXT || length == 0) return mote_bind_fail_type(b, key, node);
  mote_text_scan scan = mote_text_read_integer(node->text, length, &value);
  if (scan.length != length) return fail_whole(b, key, node);
  if (scan.overflow || value < 0)
    return mote_place_fail(b->error, node->place, "\"%s\" must be 0 to 9223372036854775807", key->name);
  *(uint64_t *)target = (uint64_t)value;
  char number[MOTE_TEXT_NUMBER];
  mote_text_print_integer(number, value);
  return mote_bind_text(b, node, number);
}

static mote_result bind_switch(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
  if (node->kind == MOTE_NODE_TEXT)
    for (int k = 0; k < 6; ++k)
      if (strcmp(node->text, words[k]) == 0) {
        *(bool *)target = k % 2 == 1;
        return mote_bind_text(b, node, words[k % 2]);
      }
  return mote_bind_fail_type(b, key, node);
}

// --- Lists of numbers -------------------------------------------------------------------------------------

static mote_result bind_numbers(mote_binder *b, const mote_scene_key *key, mote_node *list, double *out) {
  for (mote_node *child = list->first; child != NULL; child = child->next)
    MOTE_IO_TRY(mote_bind_number(b, key, child, out++));
  return MOTE_OK;
}

static size_t least_of_vector(const mote_binder *b) {
  return b->any_dimensions || b->scene->world.dimensions == 2 ? 2 : 3;
}

static bool is_auto(const mote_scene_key *key, const mote_node *node) {
  return (key->flags & MOTE_KEY_AUTO) != 0 && node->kind == MOTE_NODE_TEXT && strcmp(node->text, "auto") == 0;
}

static mote_result set_auto(double *out, int count) {
  for (int k = 0; k < count; ++k) out[k] = (double)NAN;
  return MOTE_OK;
}

static mote_result bind_vector(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (is_auto(key, node)) return set_auto(target, 3);
  if (!is_list(node, least_of_vector(b), 3)) return mote_bind_fail_type(b, key, node);
  double *out = target;
  bool size = key->low >= 0, given = key->required;
  if (node->count == 2 && (isnan(out[2]) || (given && !size))) out[2] = 0;  // points and normals of the plane
  return bind_numbers(b, key, node, out);
}

static mote_result bind_pair(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (is_auto(key, node)) return set_auto(target, 2);
  if (!is_list(node, 2, 2)) return mote_bind_fail_type(b, key, node);
  return bind_numbers(b, key, node, target);
}

static mote_result bind_pixels(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (!is_list(node, 2, 2)) return mote_bind_fail_type(b, key, node);
  MOTE_IO_TRY(bind_integer(b, key, node->first, target));
  return bind_integer(b, key, node->last, (int *)target + 1);
}

static mote_result bind_gravity(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (node->kind != MOTE_NODE_TEXT) return bind_vector(b, key, node, target);
  double down = 0, *out = target;
  MOTE_IO_TRY(mote_bind_number(b, key, node, &down));
  out[0] = out[2] = 0;
  out[1] = -down;
  return MOTE_OK;
}

static mote_result bind_colour(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  return mote_bind_colour(b, key, node, target);
}

// --- Formulas ---------------------------------------------------------------------------------------------

static mote_result bind_formula(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  return mote_bind_formula(b, key, node, target);
}

static mote_result bind_formulas(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (!is_list(node, least_of_vector(b), 3)) return mote_bind_fail_type(b, key, node);
  mote_value3 *out = target;
  mote_value *part[3] = {&out->x, &out->y, &out->z};
  size_t k = 0;
  for (mote_node *child = node->first; child != NULL; child = child->next)
    MOTE_IO_TRY(mote_bind_formula(b, key, child, part[k++]));
  return MOTE_OK;
}

// --- Names ------------------------------------------------------------------------------------------------

static mote_result bind_choice(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  int chosen;
  MOTE_IO_TRY(mote_bind_choice(b, key, node, &chosen));
  memcpy(target, &chosen, sizeof chosen);
  return MOTE_OK;
}

static mote_result bind_sides(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  mote_node *low = node, *high = node;
  if (node->kind != MOTE_NODE_TEXT) {
    if (!is_list(node, 2, 2)) return mote_bind_fail_type(b, key, node);
    low = node->first;
    high = node->last;
  }
  MOTE_IO_TRY(bind_choice(b, key, low, target));
  return bind_choice(b, key, high, (mote_side *)target + 1);
}

static mote_result bind_preset(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (node->kind != MOTE_NODE_TEXT) return mote_bind_fail_type(b, key, node);
  if (mote_material_def_preset(node->text, target)) return MOTE_OK;
  const char *const *names;
  size_t count = mote_material_presets(&names);
  const char *near = mote_text_closest(node->text, names, count);
  if (near != NULL)
    return mote_place_fail(b->error, node->place, "there is no preset \"%.40s\"; did you mean \"%s\"?",
                           node->text, near);
  return mote_place_fail(b->error, node->place,
                         "there is no preset \"%.40s\"; mote help materials lists them", node->text);
}

// Bound before the keys whose defaults it decides: it stands above them in the table.
static mote_result bind_quality(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  int quality = 0;
  MOTE_IO_TRY(mote_bind_choice(b, key, node, &quality));
  mote_solver_def *solver = (mote_solver_def *)(void *)((char *)target - key->offset);
  mote_solver_def_set_quality(solver, (mote_quality)quality);
  return MOTE_OK;
}

static mote_result bind_texts(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  if (node->kind != MOTE_NODE_LIST) return mote_bind_fail_type(b, key, node);
  const char **texts = mote_pool_take(b->pool, node->count * sizeof *texts);
  if (texts == NULL) return mote_io_fail_memory(b->error);
  size_t count = 0;
  for (mote_node *child = node->first; child != NULL; child = child->next) {
    int chosen;
    if (key->detail[0] != 0) MOTE_IO_TRY(mote_bind_choice(b, key, child, &chosen));
    MOTE_IO_TRY(bind_text(b, key, child, &texts[count++]));
  }
  *(const char *const **)target = texts;
  *(size_t *)(void *)((char *)target + key->count - key->offset) = count;
  return MOTE_OK;
}

mote_result mote_bind_value(mote_binder *binder, const mote_scene_key *key, mote_node *node, void *target) {
  static bind_fn *const table[] = {
      [MOTE_KEY_VERSION] = bind_version, [MOTE_KEY_TEXT] = bind_text,     [MOTE_KEY_NUMBER] = bind_number,
      [MOTE_KEY_INTEGER] = bind_integer, [MOTE_KEY_COUNT] = bind_count,   [MOTE_KEY_SEED] = bind_seed,
      [MOTE_KEY_SWITCH] = bind_switch,   [MOTE_KEY_VECTOR] = bind_vector, [MOTE_KEY_PAIR] = bind_pair,
      [MOTE_KEY_PIXELS] = bind_pixels,   [MOTE_KEY_VALUE] = bind_formula, [MOTE_KEY_VALUE3] = bind_formulas,
      [MOTE_KEY_CHOICE] = bind_choice,   [MOTE_KEY_KERNEL] = bind_choice, [MOTE_KEY_SIDES] = bind_sides,
      [MOTE_KEY_GRAVITY] = bind_gravity, [MOTE_KEY_COLOUR] = bind_colour, [MOTE_KEY_PRESET] = bind_preset,
      [MOTE_KEY_MATERIAL] = bind_text,   [MOTE_KEY_TEXTS] = bind_texts,   [MOTE_KEY_QUALITY] = bind_quality,
  };
  return table[key->kind](binder, key, node, target);
}
