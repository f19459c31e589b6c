// A font of single strokes, drawn for Mote: text becomes lines of the pen's width. Advances are similar to
// those of usual sans-serif fonts, so that text in SVG files, set by the viewer, fills about the same space.
#ifndef MOTE_FONT_H
#define MOTE_FONT_H

#include "draw/draw_base.h"

// A small glyph above or below the line, written with a character of its own: ² ⁻ ₀.
typedef enum mote_script { MOTE_SCRIPT_NONE, MOTE_SCRIPT_SUPER, MOTE_SCRIPT_SUB } mote_script;

typedef struct mote_glyph {
  uint32_t code;
  double advance;     // hundredths of the font size
  const char *lines;  // see font_glyphs.c
} mote_glyph;

// The next character and its length in bytes; U+FFFD for bytes that are not UTF-8; 0 at the end.
uint32_t mote_utf8_next(const char **text);

// The base character: itself, or the one drawn small in its place.
mote_script mote_font_script(uint32_t code, uint32_t *base);

// Never null: a box where there is no such glyph.
const mote_glyph *mote_glyph_find(uint32_t code);

// Width of the text. The advance of bold letters is larger by the additional width of the pen.
double mote_font_width(const char *text, double size, bool bold);
// The size, or the smaller one at which the text (may be null) is no wider than `width`.
double mote_font_fit(const char *text, double size, bool bold, double width);

// Appends the text as areas, its base line beginning at (x, y), y down, turned clockwise.
void mote_font_outline(const char *text, double size, bool bold, double x, double y, double degrees,
                       mote_path *outline);

#endif
