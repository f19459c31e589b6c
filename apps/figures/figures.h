// The figures and tables of the documents that Mote is built after (docs/seeds.md), and how each is made.
#ifndef MOTE_FIGURES_H
#define MOTE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

// Where a drawing goes: DIRECTORY/NAME.FORMAT.
typedef struct figure_output {
  const char *directory, *format, *name;
} figure_output;

enum { FIGURE_STEPS = 10 };

// Made by `draw`, or by steps: commands of this program (@ stands for DIRECTORY/NAME), and
//   scene NAME          writes the scene figures/NAME.yaml as @/NAME.yaml
//   panels A,B,... ARGS  renders the frames A, B, ... as the next panels of the sheet
//   panel ARGS          renders one more
//   previews A,B,... RUN  takes the pictures that the run has drawn of these frames
//   take FILE           takes a picture that a step has written
//   sheet N             puts all panels into DIRECTORY/NAME.png, N in a row
typedef struct figure {
  const char *name;                       // document and number
  const char *what;                       // one line
  int (*draw)(const figure_output *out);  // gives the exit status; null: steps
  bool vector;                            // draw can write SVG
  const char *step[FIGURE_STEPS];         // up to the first null
  const char *quick;                      // with --quick: added to the steps that simulate
} figure;

extern const figure figures[];  // ends with a null name

// A scene of a figure, apps/figures/NAME.yaml; null: there is none.
const struct example *figure_scene_find(const char *name);

int draw_kernels(const figure_output *out);
int draw_shape_function(const figure_output *out);
int draw_crack_criteria(const figure_output *out);
int draw_crack_shapes(const figure_output *out);
int draw_crack_resampling(const figure_output *out);
int draw_comparison(const figure_output *out);
int draw_search_structures(const figure_output *out);
int draw_search_queries(const figure_output *out);
int draw_coordinates(const figure_output *out);
int draw_supports(const figure_output *out);
int draw_derivative(const figure_output *out);
int draw_two_particles(const figure_output *out);
int draw_des96_kernel(const figure_output *out);
int draw_line_shapes(const figure_output *out);
int draw_des96_snapshots(const figure_output *out);
int draw_des96_areas(const figure_output *out);
int draw_surface_layer(const figure_output *out);
int draw_deform(const figure_output *out);
int draw_motion(const figure_output *out);

typedef struct figure_options {
  const char *directory, *format;
  bool list, quick;
  int threads;  // 0: as many as the machine has cores
} figure_options;

// Makes the named figures (words[1 .. count-1]), or all; or lists them. Complains; gives the exit status.
int make_figures(const figure_options *options, int count, char **words);

#endif
