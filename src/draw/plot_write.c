// Drawing a whole figure, into an image or a file.
#include <string.h>

#include "draw/font.h"
#include "draw/plot.h"
#include "draw/tuning.inc"

static mote_result check_writable(const mote_plot *plot, mote_error *error) {
  if (plot == NULL)
    return mote_io_fail(error, MOTE_ERROR_MEMORY, NULL, "the plot could not be created: out of memory");
  if (plot->trouble.code != MOTE_OK && error != NULL) *error = plot->trouble;
  return plot->trouble.code;
}

static void draw_title(const mote_plot_def *def, mote_canvas *canvas) {
  double size = MOTE_SIZE_FIGURE_TITLE * def->font_size, width = 0.94 * def->width / canvas->text_stretch;
  mote_lettering how = {
      .size = mote_font_fit(def->title, size, true, width), .anchor = 0.5, .bold = true, .colour = MOTE_INK};
  mote_canvas_text(canvas, def->width / 2.0, 1.55 * def->font_size, def->title, &how);
}

static mote_result draw_plot(const mote_plot *plot, mote_canvas *canvas, mote_error *error) {
  const mote_plot_def *def = &plot->def;
  mote_buffer views = mote_buffer_make(&plot->env);
  for (const mote_panel *panel = plot->first; panel != NULL; panel = panel->next)
    mote_buffer_grow(&views, sizeof(mote_view));
  canvas->failed = canvas->failed || views.failed;
  if (!canvas->failed) {
    mote_view *view = (mote_view *)(void *)views.data;
    mote_canvas_box(canvas, 0, 0, def->width, def->height, def->background);
    draw_title(def, canvas);
    mote_plot_views(plot, canvas->text_stretch, view);
    for (const mote_panel *panel = plot->first; panel != NULL; panel = panel->next)
      mote_view_draw(view++, canvas);
  }
  mote_buffer_free(&views);
  return canvas->failed ? mote_io_fail_memory(error) : MOTE_OK;
}

mote_result mote_plot_render(const mote_plot *plot, const mote_env *env, mote_image **out,
                             mote_error *error) {
  if (out == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "out is null");
  mote_result result = check_writable(plot, error);
  mote_image *image = NULL;
  if (result == MOTE_OK) result = mote_image_create(plot->def.width, plot->def.height, env, &image, error);
  if (result == MOTE_OK && plot->def.title != NULL)
    result = mote_image_set_text(image, "Title", plot->def.title, error);
  if (result == MOTE_OK) {
    mote_canvas canvas = mote_canvas_on_image(image);
    result = draw_plot(plot, &canvas, error);
    mote_canvas_free(&canvas);
  }
  if (result == MOTE_OK)
    *out = image;
  else
    mote_image_destroy(image);
  return result;
}

static mote_result write_png(const mote_plot *plot, const char *path, mote_error *error) {
  mote_image *image = NULL;
  mote_result result = mote_plot_render(plot, &plot->env, &image, error);
  if (result == MOTE_OK) result = mote_image_write(image, path, error);
  mote_image_destroy(image);
  return result;
}

static mote_result write_svg(const mote_plot *plot, const char *path, mote_error *error) {
  mote_canvas canvas = mote_canvas_on_svg(plot->def.width, plot->def.height, plot->def.title, &plot->env);
  mote_result result = draw_plot(plot, &canvas, error);
  mote_canvas_end_svg(&canvas);
  if (result == MOTE_OK && canvas.svg.failed) result = mote_io_fail_memory(error);
  if (result == MOTE_OK) result = mote_file_write(path, canvas.svg.data, canvas.svg.size, error);
  mote_canvas_free(&canvas);
  return result;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

mote_result mote_plot_write(const mote_plot *plot, const char *path, mote_error *error) {
  mote_result result = check_writable(plot, error);
  if (result != MOTE_OK) return result;
  if (path == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the file name is null");
  if (ends_with(path, ".png")) return write_png(plot, path, error);
  if (ends_with(path, ".svg")) return write_svg(plot, path, error);
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a plot's file name ends in .png or .svg");
}
