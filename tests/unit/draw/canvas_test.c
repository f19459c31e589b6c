// The canvas: cutting of lines and areas, markers, text and images as pixels; SVG text that is well-formed.
#include "draw/canvas.h"

#include <math.h>
#include <stdlib.h>

#include "draw/font.h"
#include "test.h"

enum { WIDE = 200, TALL = 100 };
static const mote_colour BLACK = {0, 0, 0, 255};

typedef struct page {
  mote_image *image;
  mote_canvas canvas;
} page;

static page new_page(void) {
  page p = {.image = NULL};
  if (mote_image_create(WIDE, TALL, NULL, &p.image, NULL) != MOTE_OK) exit(1);
  mote_image_fill(p.image, (mote_colour){255, 255, 255, 255});
  p.canvas = mote_canvas_on_image(p.image);
  return p;
}

static void free_page(page *p) {
  CHECK(!p->canvas.failed);
  mote_canvas_free(&p->canvas);
  mote_image_destroy(p->image);
}

static double ink_at(const page *p, int x, int y) {
  return 1 - mote_image_get(p->image, x, y).red / 255.0;
}

static double ink(const page *p, int *x0, int *y0, int *x1, int *y1) {
  double sum = 0;
  *x0 = *y0 = 9999;
  *x1 = *y1 = -1;
  for (int y = 0; y < TALL; ++y)
    for (int x = 0; x < WIDE; ++x) {
      double here = ink_at(p, x, y);
      sum += here;
      if (here < 0.02) continue;
      *x0 = x < *x0 ? x : *x0;
      *x1 = x > *x1 ? x : *x1;
      *y0 = y < *y0 ? y : *y0;
      *y1 = y > *y1 ? y : *y1;
    }
  return sum;
}

static int box[4];

static double total(const page *p) {
  return ink(p, box, box + 1, box + 2, box + 3);
}

static void far_ends_are_cut(void) {
  static const double far[] = {1e3, 1e6, 1e12, 1e100, 1e300};
  for (size_t k = 0; k < sizeof far / sizeof *far; ++k) {
    page p = new_page();
    mote_path line = mote_path_make(&p.canvas.env);
    mote_path_add(&line, -far[k], 50.5);
    mote_path_add(&line, 100, 50.5);
    mote_path_add(&line, 100 + far[k], 50.5 + far[k] / 2);  // leaves by the lower edge at x = 199
    mote_canvas_stroke(&p.canvas, &line, &(mote_pen){1, 2, {5, 5}, true}, BLACK);
    double dashed = total(&p);
    mote_image_fill(p.image, (mote_colour){255, 255, 255, 255});
    mote_canvas_stroke(&p.canvas, &line, &(mote_pen){.width = 1}, BLACK);
    CHECK_NEAR(total(&p), 100 + sqrt(99 * 99 + 49.5 * 49.5), 1.5);
    CHECK(dashed > 0.4 * total(&p) && dashed < 0.6 * total(&p));
    CHECK(ink_at(&p, 0, 50) == 1 && ink_at(&p, 150, 75) > 0.5 && ink_at(&p, 150, 50) == 0);
    mote_path_free(&line);
    free_page(&p);
  }
}

static void far_areas_are_cut(void) {
  page p = new_page();
  mote_path area = mote_path_make(&p.canvas.env);
  mote_path_add(&area, -1e15, -1e15);
  mote_path_add(&area, 1e15, -1e15);
  mote_path_add(&area, 1e15, 1e15);
  mote_canvas_clip(&p.canvas, (mote_clip){0, 0, 100, 100});
  mote_canvas_fill(&p.canvas, &area, BLACK);
  CHECK_NEAR(total(&p), 5000, 20);
  CHECK(ink_at(&p, 90, 10) == 1 && ink_at(&p, 10, 90) == 0 && ink_at(&p, 101, 10) == 0);
  mote_path_free(&area);
  free_page(&p);
}

static void breaks_make_gaps(void) {
  page p = new_page();
  mote_path line = mote_path_make(&p.canvas.env);
  mote_path_add(&line, 10, 20.5);
  mote_path_add(&line, 40, 20.5);
  mote_path_add(&line, (double)NAN, 20.5);
  mote_path_add(&line, 60, 20.5);
  mote_path_add(&line, 90, 20.5);
  mote_path_add(&line, (double)INFINITY, 20.5);
  mote_path_add(&line, 150, 20.5);  // alone: a dot
  mote_canvas_stroke(&p.canvas, &line, &(mote_pen){.width = 1}, BLACK);
  CHECK(ink_at(&p, 20, 20) == 1 && ink_at(&p, 50, 20) == 0 && ink_at(&p, 70, 20) == 1 &&
        ink_at(&p, 120, 20) == 0);
  CHECK(ink_at(&p, 149, 20) > 0.2 && ink_at(&p, 150, 20) > 0.2);
  mote_path_free(&line);
  free_page(&p);
}

static void markers_are_centred(void) {
  for (mote_marker m = MOTE_MARKER_DISC; m <= MOTE_MARKER_CROSS; ++m) {
    page p = new_page();
    mote_canvas_marker(&p.canvas, m, 100.5, 50.5, 20, BLACK);
    double sum = total(&p);
    CHECK(sum > 50 && sum < 400);
    CHECK(box[0] + box[2] == 200);
    if (m != MOTE_MARKER_TRIANGLE) CHECK(box[1] + box[3] == 100);
    CHECK((ink_at(&p, 100, 50) == 1) == (m != MOTE_MARKER_RING));
    free_page(&p);
  }
  page p = new_page();
  mote_canvas_marker(&p.canvas, MOTE_MARKER_NONE, 100, 50, 20, BLACK);
  mote_canvas_marker(&p.canvas, MOTE_MARKER_DISC, (double)NAN, 50, 20, BLACK);
  mote_canvas_marker(&p.canvas, MOTE_MARKER_SQUARE, 1e300, 50, 20, BLACK);
  CHECK(total(&p) == 0);
  free_page(&p);
}

static void text_fills_its_space(void) {
  mote_lettering how = {.size = 20, .colour = {0, 0, 0, 255}};
  double width = mote_font_width("HHHH", 20, false);
  for (int k = 0; k < 3; ++k) {
    page p = new_page();
    how.anchor = 0.5 * k;
    mote_canvas_text(&p.canvas, 100, 60, "HHHH", &how);
    total(&p);
    double left = 100 - how.anchor * width;
    CHECK(fabs(box[0] - left) < 3 && fabs(box[2] - (left + width)) < 3);
    CHECK(box[3] == 59 && box[1] == 45);  // the base line, and the height of capitals
    free_page(&p);
  }
  page p = new_page();
  how =
      (mote_lettering){.size = 20, .degrees = -90, .anchor = 0.5, .lift = MOTE_LIFT_MIDDLE, .colour = BLACK};
  mote_canvas_text(&p.canvas, 100, 50, "HH", &how);
  total(&p);
  CHECK(abs(box[0] + box[2] - 199) <= 2 && abs(box[1] + box[3] - 99) <= 2 &&
        box[3] - box[1] > box[2] - box[0]);
  free_page(&p);
}

static void images_keep_to_the_clip(void) {
  page p = new_page();
  mote_image *stamp = NULL;
  CHECK(mote_image_create(20, 20, NULL, &stamp, NULL) == MOTE_OK);
  mote_image_fill(stamp, BLACK);
  mote_image_set(stamp, 5, 5, (mote_colour){0, 0, 0, 0});
  mote_canvas_clip(&p.canvas, (mote_clip){12, 0, 200, 100});
  mote_canvas_image(&p.canvas, 10, 10, stamp);
  CHECK(total(&p) == 18 * 20 - 1 && ink_at(&p, 15, 15) == 0);
  mote_canvas_clip_none(&p.canvas);
  mote_canvas_image(&p.canvas, 190, 90, stamp);
  mote_canvas_image(&p.canvas, -15, -15, stamp);
  CHECK(total(&p) == 18 * 20 - 1 + 99 + 25);
  mote_image_destroy(stamp);
  free_page(&p);
}

// Tags open and close in order, attributes are quoted, no bare markup in text.
static bool is_well_formed(const char *text) {
  char names[32][32];
  int depth = 0;
  for (const char *p = text; *p != 0;) {
    if (*p == '&') {
      if (strncmp(p, "&lt;", 4) != 0 && strncmp(p, "&gt;", 4) != 0 && strncmp(p, "&amp;", 5) != 0)
        return false;
    }
    if (*p == '>') return false;
    if (*p != '<') {
      ++p;
      continue;
    }
    const char *end = strchr(p, '>');
    if (end == NULL) return false;
    if (strncmp(p, "<!--", 4) != 0) {
      int quotes = 0;
      for (const char *q = p; q < end; ++q) quotes += *q == '"';
      if (quotes % 2 != 0) return false;
      char name[32];
      bool closing = p[1] == '/';
      if (sscanf(p + 1 + closing, "%31[A-Za-z]", name) != 1) return false;
      if (closing && (depth == 0 || strcmp(names[--depth], name) != 0)) return false;
      if (!closing && end[-1] != '/') {
        if (depth == 32) return false;
        strcpy(names[depth++], name);
      }
    }
    p = end + 1;
  }
  return depth == 0;
}

static void svg_is_well_formed(void) {
  mote_env env = mote_env_default();
  mote_canvas canvas = mote_canvas_on_svg(WIDE, TALL, "a < b & \"c\" > d", &env);
  mote_lettering how = {.size = 20, .degrees = -90, .anchor = 0.5, .colour = {1, 2, 3, 128}};
  mote_path line = mote_path_make(&env);
  mote_path_add(&line, 1.005, -0.004);
  mote_path_add(&line, 1e300, 50);
  mote_canvas_clip(&canvas, (mote_clip){5, 5, 50, 60});
  mote_canvas_stroke(&canvas, &line, &(mote_pen){2, 2, {3, 4.25}, true}, BLACK);
  mote_canvas_clip(&canvas, (mote_clip){6, 6, 50, 60});
  for (mote_marker m = MOTE_MARKER_DISC; m <= MOTE_MARKER_CROSS; ++m)
    mote_canvas_marker(&canvas, m, 20, 20, 9, (mote_colour){255, 0, 10, 100});
  mote_canvas_text(&canvas, 10, 20, "x²y < 10⁻³ & \x01\xFF ρ₀ </text>", &how);
  mote_image *stamp = NULL;
  CHECK(mote_image_create(3, 2, NULL, &stamp, NULL) == MOTE_OK);
  mote_canvas_image(&canvas, 10, 10, stamp);
  mote_canvas_end_svg(&canvas);
  mote_buffer_add(&canvas.svg, "", 1);
  const char *text = (const char *)canvas.svg.data;
  CHECK(!canvas.failed && is_well_formed(text));
  CHECK(strstr(text, "<title>a &lt; b &amp; \"c\" &gt; d</title>") != NULL);
  CHECK(strstr(text, "stroke-dasharray=\"3 4.25\"") != NULL);
  CHECK(strstr(text, "fill-opacity=\"0.5\"") != NULL && strstr(text, "rotate(-90 10 20)") != NULL);
  CHECK(strstr(text, "base64,iVBORw0KGgo") != NULL);
  CHECK(strstr(text, "e+") == NULL && strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
  CHECK(strstr(text, "x<tspan dy=\"-7.2\" font-size=\"14\">2</tspan><tspan dy=\"7.2\">y &lt; 10</tspan>") !=
        NULL);
  CHECK(strchr(text, 1) == NULL && strstr(text, "\xEF\xBF\xBD\xEF\xBF\xBD ρ") != NULL);
  CHECK(!is_well_formed("<a><b></a></b>") && !is_well_formed("<a>&</a>") && !is_well_formed("<a x=\"1>"));
  mote_image_destroy(stamp);
  mote_path_free(&line);
  mote_canvas_free(&canvas);
}

int main(void) {
  far_ends_are_cut();
  far_areas_are_cut();
  breaks_make_gaps();
  markers_are_centred();
  text_fills_its_space();
  images_keep_to_the_clip();
  svg_is_well_formed();
  return test_end();
}
