// The font: reading UTF-8, every promised character has a glyph, glyphs stay in their space, widths add up.
#include "draw/font.h"

#include <math.h>

#include "draw/tuning.inc"
#include "test.h"

static mote_env env;

static void utf8_is_read_strictly(void) {
  static const struct {
    const char *bytes;
    uint32_t code;
    int used;
  } cases[] = {
      {"A", 'A', 1},
      {"\xCF\x81", 0x3C1, 2},
      {"\xE2\x88\x87", 0x2207, 3},
      {"\xF0\x9F\x98\x80", 0x1F600, 4},
      {"\x80", 0xFFFD, 1},              // a continuation alone
      {"\xC0\x80", 0xFFFD, 1},          // longer than needed
      {"\xE0\x80\x80", 0xFFFD, 1},      // longer than needed
      {"\xED\xA0\x80", 0xFFFD, 1},      // half of a pair
      {"\xF4\x90\x80\x80", 0xFFFD, 1},  // beyond the last
      {"\xE2\x88", 0xFFFD, 1},          // cut short
      {"\xFF", 0xFFFD, 1},
      {"", 0, 0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const char *text = cases[k].bytes;
    CHECK(mote_utf8_next(&text) == cases[k].code && text == cases[k].bytes + cases[k].used);
  }
}

static const char *PROMISED =
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    "αβγδεζηθκλμνξπρστφχψωΓΔΘΛΠΣΦΨΩ∇∂∫∑√∞≈≠≤≥±×·−→←—–°…‖∝∈′µ²³⁰¹⁴⁵⁶⁷⁸⁹⁻⁺ⁿ₀₁₂₃₄₅₆₇₈₉ᵢⱼ";

// What a glyph covers, in parts of the size, with the pen.
typedef struct extent {
  double x0, y0, x1, y1;
} extent;

static extent extent_of(const char *text, bool bold) {
  mote_path outline = mote_path_make(&env);
  extent e = {1e9, 1e9, -1e9, -1e9};
  const mote_point2 *run;
  size_t count;
  mote_font_outline(text, 1000, bold, 0, 0, 0, &outline);
  for (size_t at = 0; mote_path_run(&outline, &at, &run, &count);)
    for (size_t k = 0; k < count; ++k)
      e = (extent){fmin(e.x0, run[k].x / 1000), fmin(e.y0, -run[k].y / 1000), fmax(e.x1, run[k].x / 1000),
                   fmax(e.y1, -run[k].y / 1000)};
  mote_path_free(&outline);
  return e;
}

static void glyphs_stay_in_their_space(void) {
  const char *box = mote_glyph_find(0x1F600)->lines;
  for (const char *p = PROMISED; *p != 0;) {
    char one[5] = "";
    const char *from = p;
    uint32_t base, code = mote_utf8_next(&p);
    memcpy(one, from, (size_t)(p - from));
    mote_font_script(code, &base);
    bool good = mote_glyph_find(base)->lines != box;
    if (code != ' ') {
      extent e = extent_of(one, false);
      good =
          good && e.x0 > -0.06 && e.x1 < mote_font_width(one, 1, false) + 0.06 && e.y0 > -0.3 && e.y1 < 0.89;
    }
    if (!CHECK(good)) fprintf(stderr, "  '%s'\n", one);
  }
}

static void heights_are_those_of_the_letters(void) {
  CHECK_NEAR(extent_of("H", false).y1, MOTE_FONT_CAPITAL, 0.01);
  CHECK_NEAR(extent_of("H", false).y0, 0, 0.01);
  CHECK_NEAR(extent_of("p", false).y0, -MOTE_FONT_DESCENT, 0.01);
  CHECK(extent_of("²", false).y1 > 0.8 && extent_of("²", false).y0 > 0.3);
  CHECK(extent_of("₀", false).y0 < -0.1 && extent_of("₀", false).y1 < 0.4);
  CHECK(extent_of("H", true).x1 > extent_of("H", false).x1);
}

static void widths_add_up(void) {
  CHECK(mote_font_width("", 20, false) == 0);
  CHECK_NEAR(mote_font_width("0123456789", 10, false), 55.6, 1e-9);
  CHECK_NEAR(mote_font_width("abc ρ", 30, false), 3 * mote_font_width("abc ρ", 10, false), 1e-9);
  CHECK_NEAR(mote_font_width("10⁻³", 10, false),
             11.12 + MOTE_SCRIPT_SIZE * (mote_font_width("−", 10, false) + 5.56), 1e-9);
  CHECK_NEAR(mote_font_fit("wide text", 20, false, mote_font_width("wide text", 10, false)), 10, 1e-9);
  CHECK(mote_font_fit("wide text", 20, false, 1e6) == 20 && mote_font_fit(NULL, 20, false, 1) == 20);
}

static void turned_text_is_the_same_text(void) {
  mote_path flat = mote_path_make(&env), turned = mote_path_make(&env);
  mote_font_outline("Energy² ρ₀", 20, true, 100, 200, 0, &flat);
  mote_font_outline("Energy² ρ₀", 20, true, 100, 200, -90, &turned);
  const mote_point2 *p = mote_path_points(&flat), *q = mote_path_points(&turned);
  // Discs are laid out on the page, so the points of curves are compared as sets: by their sums.
  double px = 0, py = 0, qx = 0, qy = 0;
  size_t count = mote_path_count(&flat);
  CHECK(count == mote_path_count(&turned) && count > 500);
  for (size_t k = 0; k < count; ++k) {
    if (isnan(p[k].x)) continue;
    px += p[k].x - 100;
    py += p[k].y - 200;
    qx += q[k].x - 100;
    qy += q[k].y - 200;
  }
  CHECK_NEAR(qx, py, 1e-6);
  CHECK_NEAR(qy, -px, 1e-6);
  mote_path_free(&flat);
  mote_path_free(&turned);
}

int main(void) {
  env = mote_env_default();
  utf8_is_read_strictly();
  glyphs_stay_in_their_space();
  heights_are_those_of_the_letters();
  widths_add_up();
  turned_text_is_the_same_text();
  return test_end();
}
