// Figures: meshes bent by handles: EG09 Figs. 13 and 14, and a tower of slabs (EG09s 165).
#include <math.h>
#include <mote/draw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/deform/deform_shape.h"
#include "figures/deform_picture.h"
#include "figures/figures.h"

typedef struct edit_panel {
  const char *edits, *set, *title;  // set: null, none
  bool rest;
} edit_panel;

typedef struct edit_figure {
  const char *name;
  size_t panels;
  edit_panel panel[3];
} edit_figure;

static const edit_figure edits[] = {
    {"eg09-13",
     3,
     {{"box", NULL, "At rest", true},
      {"box", "weights.volume=0", "Rigidity alone", false},
      {"box", NULL, "With the volume kept", false}}},
    {"eg09-14", 2, {{"animal", NULL, "At rest", true}, {"animal", NULL, "Posed", false}}},
    {"eg09s-165", 2, {{"towers", NULL, "At rest", true}, {"towers", NULL, "Bent", false}}},
};

static int draw_panel(const edit_panel *panel, const char *name, deform_picture *picture) {
  deform_shape shape = {.env = mote_env_default()};
  deform_result result = {0};
  mote_error error = {0};
  int status = deform_shape_read(&shape, panel->edits, false, &panel->set, panel->set != NULL);
  if (status == EXIT_DONE) status = deform_shape_open(&shape);
  if (status == EXIT_DONE && !panel->rest) status = deform_shape_solve(&shape, NULL, 0, NULL, NULL, &result);
  if (status == EXIT_DONE && mote_deform_read(shape.deform, shape.moved, NULL, &error) != MOTE_OK)
    status = complain_error(&error);
  if (status == EXIT_DONE) {
    char title[128];
    double change = 100 * (mote_deform_volume(shape.deform, shape.moved) / shape.volume - 1);
    snprintf(title, sizeof title, panel->rest ? "%s" : "%s: volume %+.1f %%", panel->title, change);
    deform_picture_begin(picture, title);
    deform_picture_add(picture, mote_model_mesh(shape.model), shape.moved, (mote_colour){214, 138, 92, 255});
    if (!panel->rest)
      printf("  %s, %s: handles to %.1e of the size, least det F %.2f\n", name, title,
             result.report.handle_error, result.report.least_determinant);
  }
  deform_shape_close(&shape);
  return status;
}

int draw_deform(const figure_output *out) {
  const edit_figure *f = edits;
  while (strcmp(f->name, out->name) != 0) ++f;
  deform_picture picture = deform_picture_make();
  int status = EXIT_DONE;
  for (size_t k = 0; k < f->panels && status == EXIT_DONE; ++k)
    status = draw_panel(&f->panel[k], f->name, &picture);
  if (status == EXIT_DONE) status = deform_picture_write(&picture, out->directory, f->name);
  deform_picture_free(&picture);
  return status;
}
