// Pictures and plots, in libmote-io: images in memory, PNG files, figures of one or more panels with lines,
// points, bands, heat maps, contours and surfaces, written as PNG or SVG; and previews of particles.
//
//   mote_plot *plot = mote_plot_create(NULL, NULL);
//   mote_panel *panel = mote_plot_panel(plot, 0, 0, NULL);
//   mote_plot_line(panel, x, y, count, NULL);
//   mote_result result = mote_plot_write(plot, "figure.svg", &error);
//   mote_plot_destroy(plot);
//
// Text is UTF-8: printable ASCII, Greek, sub- and superscript digits and the usual symbols are drawn; other
// characters appear as a box (SVG leaves them to the viewer). The same calls give the same pixels on every
// machine. A picture belongs to one thread at a time. Guide with pictures: docs/plots.md
#ifndef MOTE_DRAW_H
#define MOTE_DRAW_H

#include <mote/base.h>
#include <mote/io.h>
#include <mote/scene.h>
#include <mote/view.h>
#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Colours ------------------------------------------------------------------------------------------

// sRGB; alpha 255 is opaque, and is not multiplied into the others.
typedef struct mote_colour {
  uint8_t red, green, blue, alpha;
} mote_colour;

// Of even steps in lightness, so that equal differences of value look equal.
typedef enum mote_colour_map {
  MOTE_MAP_SEQUENTIAL,  // dark blue - green - yellow
  MOTE_MAP_DIVERGING,   // blue - near white - red: for values about a middle
  MOTE_MAP_GREY,        // black - white
  MOTE_MAP_WATER,       // deep blue - pale blue: for speeds
  MOTE_MAP_HEAT,        // near black - red - yellow - near white, as what glows: for temperatures
} mote_colour_map;

// The colour at t in [0, 1], beyond it that of the nearer end; transparent where t is not a number.
MOTE_API mote_colour mote_colour_map_at(mote_colour_map map, double t);

// Colours of lines, in the order in which lines without a colour receive them; colour-blind readers can
// distinguish them. Repeats after MOTE_CYCLE_COLOURS.
#define MOTE_CYCLE_COLOURS 7
MOTE_API mote_colour mote_colour_cycle(int k);

// --- Images -------------------------------------------------------------------------------------------

#define MOTE_IMAGE_SIDE_MAX 32768        // pixels
#define MOTE_IMAGE_PIXELS_MAX (1 << 28)  // width times height

typedef struct mote_image mote_image;

// Transparent black. Both sides from 1 to MOTE_IMAGE_SIDE_MAX.
MOTE_API mote_result mote_image_create(int width, int height, const mote_env *env, mote_image **out,
                                       mote_error *error);
MOTE_API void mote_image_destroy(mote_image *image);
MOTE_API int mote_image_width(const mote_image *image);
MOTE_API int mote_image_height(const mote_image *image);
// Rows from the top, pixels from the left, four bytes each: red, green, blue, alpha.
MOTE_API uint8_t *mote_image_pixels(mote_image *image);
// x to the right, y down, from 0. Outside the image: transparent black, and nothing is set.
MOTE_API mote_colour mote_image_get(const mote_image *image, int x, int y);
MOTE_API void mote_image_set(mote_image *image, int x, int y, mote_colour colour);
MOTE_API void mote_image_fill(mote_image *image, mote_colour colour);

// Text kept in the file: PNG's own keys are Title, Author, Description, Software, ... (1 to 79 characters of
// printable ASCII); the value is UTF-8. A key set before is replaced. Software is set when it is not given.
MOTE_API mote_result mote_image_set_text(mote_image *image, const char *key, const char *value,
                                         mote_error *error);
// Null where the image has no such text.
MOTE_API const char *mote_image_text(const mote_image *image, const char *key);

// PNG, 8 bits per channel, without alpha if every pixel is opaque. Written to PATH.part, then renamed: after
// a failure the previous file is still there.
MOTE_API mote_result mote_image_write(const mote_image *image, const char *path, mote_error *error);
// Any PNG, converted to 8 bits per channel.
MOTE_API mote_result mote_image_read(const char *path, const mote_env *env, mote_image **out,
                                     mote_error *error);

// --- Figures ------------------------------------------------------------------------------------------

// Of the calls below only mote_plot_write returns an error: it reports the first one that occurred, and
// writes nothing. Null plots and panels are accepted and do nothing. All text and data are copied. Every
// definition may be null for its default.

typedef struct mote_plot mote_plot;    // a figure
typedef struct mote_panel mote_panel;  // one pair (or triple) of axes in it; lives as long as its plot

typedef struct mote_plot_def {
  int width, height;  // pixels
  int rows, columns;  // of panels
  const char *title;  // above all panels; null: none
  double font_size;   // pixels; line widths and spaces follow it
  mote_colour background;
} mote_plot_def;

// 1200 x 800 pixels, one panel, font of 22 pixels, white.
MOTE_API mote_plot_def mote_plot_def_default(void);

// Null when out of memory, which mote_plot_write(NULL, ...) reports.
MOTE_API mote_plot *mote_plot_create(const mote_plot_def *def, const mote_env *env);
MOTE_API void mote_plot_destroy(mote_plot *plot);

typedef struct mote_plot_axis {
  const char *label;  // null: none
  bool log;           // to base 10; values not above 0 are left out
  double low, high;   // not a number: from the data; low > high reverses the axis
  bool bare;          // no ticks, numbers or grid
} mote_plot_axis;

typedef enum mote_legend {
  MOTE_LEGEND_AUTO,  // in the emptiest corner, when a series has a label
  MOTE_LEGEND_NONE,
  MOTE_LEGEND_TOP_LEFT,
  MOTE_LEGEND_TOP_RIGHT,
  MOTE_LEGEND_BOTTOM_LEFT,
  MOTE_LEGEND_BOTTOM_RIGHT,
  MOTE_LEGEND_OUTSIDE,  // right of the panel
} mote_legend;

typedef struct mote_panel_def {
  const char *title;
  mote_plot_axis x, y, z;  // z: of surfaces
  bool equal_aspect;       // one unit is as long along y as along x: the panel is made narrower or lower
  bool grid;
  mote_legend legend;
} mote_panel_def;

// Linear axes from the data, a grid, legend where it fits.
MOTE_API mote_panel_def mote_panel_def_default(void);

// The panel of a cell (row 0 is the top); once per cell.
MOTE_API mote_panel *mote_plot_panel(mote_plot *plot, int row, int column, const mote_panel_def *def);

typedef enum mote_dash { MOTE_DASH_NONE, MOTE_DASH_LONG, MOTE_DASH_DOTS, MOTE_DASH_MIXED } mote_dash;

typedef enum mote_marker {
  MOTE_MARKER_NONE,
  MOTE_MARKER_DISC,
  MOTE_MARKER_RING,
  MOTE_MARKER_SQUARE,
  MOTE_MARKER_DIAMOND,
  MOTE_MARKER_TRIANGLE,
  MOTE_MARKER_PLUS,
  MOTE_MARKER_CROSS,
} mote_marker;

typedef struct mote_style {
  const char *label;   // in the legend; null: not there
  mote_colour colour;  // alpha 0: the next of the cycle that no line has yet
  double width;        // of lines; 1 is the default, 0 draws none
  mote_dash dash;
  mote_marker marker;
  double marker_size;  // 1 is the default
} mote_style;

// A solid line of default width in the next colour, no marker.
MOTE_API mote_style mote_style_default(void);

// A line through `count` points, and a marker on each where the style has one. A value that is not finite
// makes a gap.
MOTE_API void mote_plot_line(mote_panel *panel, const double *x, const double *y, size_t count,
                             const mote_style *style);
// The space between low[k] and high[k], in a light tint of the colour; without one, of that of the next line.
MOTE_API void mote_plot_band(mote_panel *panel, const double *x, const double *low, const double *high,
                             size_t count, const mote_style *style);
// A line across the panel at x, or at y; it does not widen the axes.
MOTE_API void mote_plot_vertical(mote_panel *panel, double x, const mote_style *style);
MOTE_API void mote_plot_horizontal(mote_panel *panel, double y, const mote_style *style);

typedef enum mote_anchor { MOTE_ANCHOR_LEFT, MOTE_ANCHOR_CENTRE, MOTE_ANCHOR_RIGHT } mote_anchor;

// A note whose left end, centre or right end is at (x, y); colour of alpha 0: dark grey.
MOTE_API void mote_plot_text(mote_panel *panel, double x, double y, mote_anchor anchor, const char *text,
                             mote_colour colour);

// --- Fields: values over the plane ----------------------------------------------------------------------

// nx times ny values, value[j * nx + i] in column i from x0 and row j from y0. Samples run from edge to
// edge, x = x0 + i (x1 - x0) / (nx - 1), and are interpolated between; or, with `cells`, value (i, j) is
// that of a cell of [x0, x1] x [y0, y1] cut into nx x ny. Values that are not finite are left blank.
typedef struct mote_plot_field {
  const double *value;
  int nx, ny;
  double x0, x1, y0, y1;
  bool cells;
} mote_plot_field;

// The mapping from values to colours.
typedef struct mote_shade {
  mote_colour_map map;
  double low, high;   // not a number: from the data (the diverging map: as far below 0 as above)
  bool log;           // to base 10
  bool bar;           // with a colour bar
  const char *label;  // of the bar
} mote_shade;

// The sequential map over the range of the data, with a bar.
MOTE_API mote_shade mote_shade_default(void);

MOTE_API void mote_plot_heat(mote_panel *panel, const mote_plot_field *field, const mote_shade *shade);

// Points coloured by value; `style` gives marker and size. At most one of the series of a panel draws a bar.
MOTE_API void mote_plot_scatter(mote_panel *panel, const double *x, const double *y, const double *value,
                                size_t count, const mote_style *style, const mote_shade *shade);

// Lines of equal value at `count` levels; levels null: about `count` round ones.
MOTE_API void mote_plot_contour(mote_panel *panel, const mote_plot_field *field, const double *levels,
                                int count, const mote_style *style);

typedef struct mote_plot_surface_def {
  mote_shade shade;
  double azimuth, elevation;  // of the eye, in degrees
  double height;              // of the box, as part of its longer side
  bool lines;                 // the mesh; every so many rows and columns where it is fine
} mote_plot_surface_def;

// Seen from (-60, 30), mesh drawn, no colour bar.
MOTE_API mote_plot_surface_def mote_plot_surface_def_default(void);

// The height field z = value(x, y) in a box. The panel then has three axes and no other series.
MOTE_API void mote_plot_surface(mote_panel *panel, const mote_plot_field *field,
                                const mote_plot_surface_def *def);

// The file extension selects the format: .png or .svg.
MOTE_API mote_result mote_plot_write(const mote_plot *plot, const char *path, mote_error *error);
// The same picture in memory.
MOTE_API mote_result mote_plot_render(const mote_plot *plot, const mote_env *env, mote_image **out,
                                      mote_error *error);

// --- Contours ---------------------------------------------------------------------------------------------

// Contours of 2D particles (mote_surface_cut). csv: loop, x, y and the fields of each point; vtp: closed
// lines with the fields, for ParaView; svg: filled, with lines. stamp null: version only.
MOTE_API mote_result mote_contour_write(const mote_contour *contour, const mote_stamp *stamp,
                                        const char *path, mote_error *error);

// --- Previews: particles as shaded spheres ----------------------------------------------------------------

// Camera and style; the same for all frames of a video.
typedef struct mote_preview_def {
  int width, height;       // pixels; at most MOTE_PREVIEW_PIXELS_MAX in all
  bool flat;               // 2D: discs seen along -z without perspective; z is not read
  mote_camera_def camera;  // NaN: chosen such that all of [low, high] is seen, from the front, a
                           // little above and from the side. Not read when flat
  double up[3];
  double low[3], high[3];  // visible box; NaN: the scene's box, or the bounds of its contents
  mote_colour background;
  double ground;     // height of a floor that carries shadows; NaN: the bottom of the box; -infinity: none
  double light[3];   // where the light comes from
  mote_shade shade;  // of values: map, range (NaN: from the frame), log, bar, label (null: name and unit)
  double cut[4];     // n . x <= c is left out (n, c): particles by their centres; all zero: nothing
} mote_preview_def;

#define MOTE_PREVIEW_PIXELS_MAX (1 << 24)

// 1280 x 720, light grey, camera, bounds and ground chosen, values by the water map with a bar.
MOTE_API mote_preview_def mote_preview_def_default(void);

// A mesh with its colour; alpha below 255: transparent.
typedef struct mote_preview_mesh {
  mote_mesh mesh;
  const mote_pose *pose;  // null: the identity
  mote_colour colour;
  const mote_colour *of_triangle;  // opaque; null: all have the mesh's colour
  bool liquid;                     // closed; ends flat at the sides of the scene's box, which it may cross
} mote_preview_mesh;

// The contents of one frame.
typedef struct mote_preview_scene {
  const double *position;  // 3 each; particles that are not finite are left out
  size_t count;
  double radius;              // of all particles
  const mote_colour *colour;  // of each; null: by value
  mote_field_view value;      // of each, vectors by their length; no data: all are blue as water
  const mote_preview_mesh *mesh;
  size_t meshes;
  double low[3], high[3];  // a box, drawn as lines; sides that are not finite are left out
  const char *title;       // in the upper left corner; null: none
  double time;             // in the lower left corner, s; NaN: none
} mote_preview_scene;

// Nothing, no box, no time.
MOTE_API mote_preview_scene mote_preview_scene_default(void);

// Draws the frame into a new image. The same arguments give the same pixels on every machine. 50,000
// particles take about a quarter of a second.
MOTE_API mote_result mote_preview_draw(const mote_preview_def *def, const mote_preview_scene *scene,
                                       const mote_env *env, mote_image **out, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
