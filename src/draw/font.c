// Setting text in the stroke font: see font.h.
#include "draw/font.h"

#include <math.h>
#include <string.h>

#include "draw/draw_math.h"
#include "draw/raster.h"
#include "draw/tuning.inc"

uint32_t mote_utf8_next(const char **text) {
  static const uint32_t smallest[4] = {0, 0x80, 0x800, 0x10000};
  const unsigned char *p = (const unsigned char *)*text;
  if (p[0] == 0) return 0;
  int more = p[0] < 0x80 ? 0 : p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : 1;
  uint32_t code = more == 0 ? p[0] : p[0] & (0x3Fu >> more);
  bool good = p[0] < 0x80 || (p[0] >= 0xC2 && p[0] <= 0xF4);
  int used = 1;
  for (; good && used <= more; ++used) {
    if ((p[used] & 0xC0) != 0x80) break;
    code = code << 6 | (p[used] & 0x3F);
  }
  good = good && used == more + 1 && code >= smallest[more] && code <= 0x10FFFF &&
         !(code >= 0xD800 && code <= 0xDFFF);
  *text += good ? used : 1;
  return good ? code : 0xFFFD;
}

mote_script mote_font_script(uint32_t code, uint32_t *base) {
  static const struct {
    uint32_t code, base;
    mote_script script;
  } others[] = {
      {0xB9, '1', MOTE_SCRIPT_SUPER},   {0xB2, '2', MOTE_SCRIPT_SUPER},      {0xB3, '3', MOTE_SCRIPT_SUPER},
      {0x207A, '+', MOTE_SCRIPT_SUPER}, {0x207B, 0x2212, MOTE_SCRIPT_SUPER}, {0x207F, 'n', MOTE_SCRIPT_SUPER},
      {0x208A, '+', MOTE_SCRIPT_SUB},   {0x208B, 0x2212, MOTE_SCRIPT_SUB},   {0x1D62, 'i', MOTE_SCRIPT_SUB},
      {0x2C7C, 'j', MOTE_SCRIPT_SUB},   {0x2095, 'h', MOTE_SCRIPT_SUB},      {0x2093, 'x', MOTE_SCRIPT_SUB},
      {0x2090, 'a', MOTE_SCRIPT_SUB},   {0x2091, 'e', MOTE_SCRIPT_SUB},      {0x2096, 'k', MOTE_SCRIPT_SUB},
      {0x2098, 'm', MOTE_SCRIPT_SUB},   {0x2099, 'n', MOTE_SCRIPT_SUB},      {0x1D40, 'T', MOTE_SCRIPT_SUPER},
  };
  *base = code;
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
    if (others[k].code == code) {
      *base = others[k].base;
      return others[k].script;
    }
  if (code != 0x2071 && code >= 0x2070 && code <= 0x2079) {
    *base = '0' + (code - 0x2070);
    return MOTE_SCRIPT_SUPER;
  }
  if (code >= 0x2080 && code <= 0x2089) {
    *base = '0' + (code - 0x2080);
    return MOTE_SCRIPT_SUB;
  }
  return MOTE_SCRIPT_NONE;
}

static double advance_of(const mote_glyph *glyph, bool bold) {
  return glyph->advance + (bold ? 100 * (MOTE_FONT_PEN_BOLD - MOTE_FONT_PEN) : 0);
}

double mote_font_width(const char *text, double size, bool bold) {
  double width = 0;
  for (uint32_t code; (code = mote_utf8_next(&text)) != 0;) {
    uint32_t base;
    double scale = mote_font_script(code, &base) == MOTE_SCRIPT_NONE ? 1 : MOTE_SCRIPT_SIZE;
    width += scale * advance_of(mote_glyph_find(base), bold);
  }
  return width * size / 100;
}

double mote_font_fit(const char *text, double size, bool bold, double width) {
  double wide = text != NULL ? mote_font_width(text, size, bold) : 0;
  return wide > width && width > 0 ? size * width / wide : size;
}

// Where glyph units land: (x, y) + scale * (gx * along + gy * up).
typedef struct font_place {
  double x, y, c, s, scale;
  mote_path *out;
} font_place;

static void add_point(const font_place *f, mote_point2 g) {
  mote_path_add(f->out, f->x + f->scale * (g.x * f->c + g.y * f->s),
                f->y + f->scale * (g.x * f->s - g.y * f->c));
}

static void add_curve(const font_place *f, mote_point2 a, mote_point2 b, mote_point2 c, mote_point2 d) {
  double reach = fabs(d.x - a.x) + fabs(d.y - a.y) + fabs(c.x - b.x) + fabs(c.y - b.y);
  int steps = (int)fmin(3 + sqrt(reach * f->scale) * 1.5, 24);
  for (int k = 1; k <= steps; ++k) {
    double t = (double)k / steps, u = 1 - t;
    double wa = u * u * u, wb = 3 * u * u * t, wc = 3 * u * t * t, wd = t * t * t;
    add_point(f, (mote_point2){wa * a.x + wb * b.x + wc * c.x + wd * d.x,
                               wa * a.y + wb * b.y + wc * c.y + wd * d.y});
  }
}

static double read_number(const char **text) {
  const char *p = *text;
  while (*p == ' ') ++p;
  double sign = *p == '-' ? -1 : 1, value = 0, unit = 1;
  p += *p == '-';
  for (; *p >= '0' && *p <= '9'; ++p) value = 10 * value + (*p - '0');
  if (*p == '.')
    for (++p; *p >= '0' && *p <= '9'; ++p) value += (unit /= 10) * (*p - '0');
  *text = p;
  return sign * value;
}

static mote_point2 read_point(const char **text) {
  double x = read_number(text);
  return (mote_point2){x, read_number(text)};
}

static void add_dot(const font_place *f, mote_point2 at) {
  static const mote_point2 corner[5] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  mote_path_break(f->out);
  for (int k = 0; k < 5; ++k) add_point(f, (mote_point2){at.x + corner[k].x, at.y + corner[k].y});
}

static void add_glyph(const font_place *f, const char *lines) {
  mote_point2 at = {0, 0}, to, b, c;
  while (*lines != 0) {
    char command = *lines++;
    if (command == ' ') continue;
    to = read_point(&lines);
    switch (command) {
      case 'M':
        mote_path_break(f->out);
        add_point(f, to);
        break;
      case 'L': add_point(f, to); break;
      case 'v':
        b = (mote_point2){at.x, at.y + ROUND_QUARTER * (to.y - at.y)};
        c = (mote_point2){to.x + ROUND_QUARTER * (at.x - to.x), to.y};
        add_curve(f, at, b, c, to);
        break;
      case 'h':
        b = (mote_point2){at.x + ROUND_QUARTER * (to.x - at.x), at.y};
        c = (mote_point2){to.x, to.y + ROUND_QUARTER * (at.y - to.y)};
        add_curve(f, at, b, c, to);
        break;
      case 'C':
        b = to;
        c = read_point(&lines);
        to = read_point(&lines);
        add_curve(f, at, b, c, to);
        break;
      case 'D': add_dot(f, to); break;
      default: break;
    }
    at = to;
  }
  mote_path_break(f->out);
}

void mote_font_outline(const char *text, double size, bool bold, double x, double y, double degrees,
                       mote_path *outline) {
  mote_path lines = mote_path_make(&outline->points.env);
  double pen = bold ? MOTE_FONT_PEN_BOLD : MOTE_FONT_PEN;
  font_place f = {.x = x, .y = y, .out = &lines};
  draw_turn(degrees, &f.c, &f.s);
  for (uint32_t code; (code = mote_utf8_next(&text)) != 0;) {
    uint32_t base;
    mote_script script = mote_font_script(code, &base);
    const mote_glyph *glyph = mote_glyph_find(base);
    double rise = script == MOTE_SCRIPT_SUPER ? MOTE_SCRIPT_RISE
                  : script == MOTE_SCRIPT_SUB ? -MOTE_SCRIPT_DROP
                                              : 0;
    f.scale = (script == MOTE_SCRIPT_NONE ? 1 : MOTE_SCRIPT_SIZE) * size / 100;
    font_place raised = f;
    raised.x += rise * size * f.s;
    raised.y -= rise * size * f.c;
    mote_path_clear(&lines);
    add_glyph(&raised, glyph->lines);
    mote_stroke(&lines, &(mote_pen){.width = pen * size * (script == MOTE_SCRIPT_NONE ? 1 : SCRIPT_PEN)},
                outline);
    f.x += f.scale * advance_of(glyph, bold) * f.c;
    f.y += f.scale * advance_of(glyph, bold) * f.s;
  }
  outline->points.failed = outline->points.failed || lines.points.failed;
  mote_path_free(&lines);
}
