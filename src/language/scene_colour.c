// Colours of scenes: names, "#rrggbb", or three numbers from 0 to 1.
#include <mote/text.h>
#include <string.h>

#include "language/scene_bind.h"

typedef struct colour {
  const char *name;
  unsigned rgb;
} colour;

static const colour colours[] = {
    {"black", 0x000000}, {"white", 0xffffff},  {"grey", 0x808080},   {"silver", 0xc0c0c0},
    {"red", 0xd62728},   {"orange", 0xff7f0e}, {"yellow", 0xf2d13c}, {"green", 0x2ca02c},
    {"cyan", 0x17becf},  {"blue", 0x1f77b4},   {"purple", 0x9467bd}, {"pink", 0xe377c2},
    {"brown", 0x8c564b}, {"gold", 0xd4af37},   {"navy", 0x14284b},   {"olive", 0xbcbd22},
    {"teal", 0x008080},  {"maroon", 0x800000}, {"beige", 0xf0e6c8},
};
enum { COLOURS = sizeof colours / sizeof *colours };

static void from_rgb(unsigned rgb, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = (double)(rgb >> (16 - 8 * k) & 0xff) / 255;
}

static bool from_hex(const char *text, double out[3]) {
  static const char digits[] = "0123456789abcdef";
  unsigned rgb = 0;
  if (text[0] != '#' || strlen(text) != 7) return false;
  for (int k = 1; k < 7; ++k) {
    char c = text[k] >= 'A' && text[k] <= 'F' ? (char)(text[k] - 'A' + 'a') : text[k];
    const char *found = strchr(digits, c);
    if (found == NULL) return false;
    rgb = rgb << 4 | (unsigned)(found - digits);
  }
  from_rgb(rgb, out);
  return true;
}

static mote_result from_name(mote_binder *b, const mote_scene_key *key, const mote_node *node,
                             double out[3]) {
  const char *names[COLOURS];
  for (size_t k = 0; k < COLOURS; ++k) {
    names[k] = colours[k].name;
    if (strcmp(names[k], node->text) != 0) continue;
    from_rgb(colours[k].rgb, out);
    return MOTE_OK;
  }
  const char *near = mote_text_closest(node->text, names, COLOURS);
  if (near == NULL) return mote_bind_fail_type(b, key, node);
  return mote_place_fail(b->error, node->place, "unknown colour \"%.40s\"; did you mean \"%s\"?", node->text,
                         near);
}

mote_result mote_bind_colour(mote_binder *b, const mote_scene_key *key, mote_node *node, double out[3]) {
  if (node->kind == MOTE_NODE_TEXT) {
    node->plain = false;
    return from_hex(node->text, out) ? MOTE_OK : from_name(b, key, node, out);
  }
  if (node->kind != MOTE_NODE_LIST || node->count != 3) return mote_bind_fail_type(b, key, node);
  for (mote_node *child = node->first; child != NULL; child = child->next)
    MOTE_IO_TRY(mote_bind_number(b, key, child, out++));
  return MOTE_OK;
}
