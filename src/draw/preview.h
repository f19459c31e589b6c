// Internal interface of previews. The picture is made in independent bands of rows: visible surfaces in a
// depth buffer of 2 x 2 samples per pixel (sphere_raster, preview_mesh, preview_cut), then light
// (preview_shade, by the grid of preview_light), transparent meshes, lines, and the mean of the samples.
#ifndef MOTE_PREVIEW_H
#define MOTE_PREVIEW_H

#include "draw/camera.h"
#include "draw/image.h"

#define MOTE_PREVIEW_SAMPLES 2  // per pixel, along each side
#define MOTE_PREVIEW_BAND 32    // rows of pixels
#define MOTE_WHAT_NOTHING 0xffffffffu
#define MOTE_WHAT_FACET 0x80000000u  // plus its number
#define MOTE_WHAT_CUT 0x40000000u    // of a facet: the face of its mesh where that is cut
#define MOTE_WHAT_NUMBER 0x3fffffffu

// A particle in front of the camera, in view coordinates.
typedef struct mote_ball {
  float x, y, z;
  float row, reach;  // the rows of samples it covers: row +- reach
  mote_colour colour;
} mote_ball;

// A triangle in front of the camera.
typedef struct mote_facet {
  float corner[3][3];
  float normal[3];     // towards the eye
  float smooth[3][3];  // the same at the corners, smoothed over adjacent triangles
  float top, bottom;   // rows of samples
  mote_colour colour;
  bool inner;   // seen from inside of its mesh
  bool liquid;  // of its mesh
} mote_facet;

// The facets of one opaque mesh.
typedef struct mote_part {
  size_t first, count;
  bool liquid;
} mote_part;

// The kept part of space: convex, so it contains one segment of each ray, where above + depth * slope > 0.
typedef struct mote_half_spaces {
  struct {
    double normal[3], above;  // m, of the eye
  } side[7];
  int sides;
} mote_half_spaces;

// A band of samples.
typedef struct mote_band {
  int width, height, top;
  float *depth;    // metres in front of the eye (flat: behind z = 0); infinite: background
  uint32_t *what;  // a ball, or a facet
  float *light;    // 3 each, linear
} mote_band;

// The samples of one cut mesh, before they are merged with those of the band.
typedef struct mote_layer {
  mote_band band;                      // its nearest facets within the kept part
  float *begin, *end;                  // depths of the kept segment of each sample's ray
  float *front_depth, *back_depth;     // the last facet before that segment and the first behind it;
  uint32_t *front_facet, *back_facet;  // one of them may give the colour of the cut face
} mote_layer;

// The volume fraction on a coarse grid, and its absorption of light: far cheaper than rays,
// without noise, and with soft shadows.
typedef struct mote_light_grid {
  double origin[3];  // of cell centres
  double cell;
  int size[3];
  float *filled;  // 0 to 1
  float *around;  // mean of 5 cells along each axis
  float *sun;     // fraction of the key light that arrives
} mote_light_grid;

typedef struct mote_preview {
  mote_env env;
  const mote_preview_def *def;
  const mote_preview_scene *scene;
  double low[3], high[3];  // bounds of the camera's view
  double radius;           // of particles
  double ground;           // -infinity: none
  mote_shade shade;        // with its range
  mote_camera camera;
  mote_ball *ball;  // front to back
  size_t balls;
  mote_buffer facet_bytes;
  mote_facet *facet;  // transparent ones follow the opaque ones, far ones first
  size_t facets, opaque;
  mote_part *part;  // of the scene's opaque meshes
  size_t parts;
  mote_half_spaces cut, tank;  // of all; of liquids
  mote_light_grid grid;
  float linear[256];       // of sRGB
  uint8_t srgb[4097];      // of linear * 4096
  float light[3];          // unit vector towards the light, world
  float eye_from_grid[3];  // the eye, in cells of the grid
} mote_preview;

// preview_colour.c: the range of values of the colours, and the colour of particle i.
void mote_preview_range(mote_preview *p);
mote_colour mote_preview_colour(const mote_preview *p, size_t i);
void mote_preview_tables(mote_preview *p);

// preview_light.c
mote_result mote_light_grid_build(mote_preview *p, mote_error *error);
void mote_light_grid_free(mote_light_grid *grid, const mote_env *env);
// The value of one of the arrays at a point in cells from the origin; `outside` beyond the grid.
float mote_light_grid_at(const mote_light_grid *grid, const float *value, const float x[3], float outside);

// sphere_raster.c
mote_result mote_sphere_sort(mote_preview *p, mote_error *error);
void mote_sphere_raster(const mote_preview *p, mote_band *band);

// preview_mesh.c
mote_result mote_facets_make(mote_preview *p, mote_error *error);
// Calls `fill` for the samples of the facet in the band that are nearer than the present ones.
typedef void mote_facet_fill(const mote_preview *p, mote_band *band, size_t at, float depth, size_t facet);
void mote_facet_raster(const mote_preview *p, mote_band *band, size_t facet, mote_facet_fill *fill);

// preview_cut.c: the kept part of space, once the camera is set.
void mote_preview_keep(mote_preview *p);
// Whether a point of the world is kept.
bool mote_preview_keeps(const mote_preview *p, const double x[3]);
// Draws a cut mesh, with cut faces if it is closed.
bool mote_layer_make(const mote_preview *p, mote_layer *layer);
void mote_layer_free(const mote_preview *p, mote_layer *layer);
void mote_layer_draw(const mote_preview *p, const mote_part *part, mote_layer *layer, mote_band *band);
bool mote_part_is_cut(const mote_preview *p, const mote_part *part);
// The normal of the face of a cut at a point relative to the eye, both of the world.
void mote_cut_normal(const mote_preview *p, bool liquid, const float at[3], float normal[3]);
// The depths between which a sample's ray is kept.
void mote_cut_piece(const mote_preview *p, const mote_half_spaces *kept, float x, float y, float *begin,
                    float *end);

// preview_walls.c: the vertices of a liquid's mesh, which reach beyond the sides of the box where the mesh
// ends at them, by the normals of preview_normals.c. As many as the mesh has; null: memory.
double mote_mean_edge(const mote_mesh *mesh);
double *mote_walls_reach(const mote_preview *p, const mote_mesh *mesh, const float *normal);
// Marks the vertices at which a mesh ends at a wall, and those of the crease beside them; none if the mesh
// reaches beyond the wall. beyond: of each vertex, in mean edges.
void mote_wall_marks(const mote_mesh *mesh, const float *beyond, uint8_t *mark);

// preview_normals.c: normals at the corners of triangles, 9 numbers each, mean over the triangles around that
// do not turn away by more than a crease. False: memory.
bool mote_corner_normals(const mote_mesh *mesh, const mote_env *env, float *out);

// preview_shade.c
void mote_preview_light(const mote_preview *p, mote_band *band);
// The light reflected by a surface without shadow: at a point relative to the eye and with a normal, both of
// the world.
void mote_preview_clear(const mote_preview *p, const float at[3], const float normal[3], mote_colour colour,
                        float out[3]);

// preview_lines.c: the edges of the box.
void mote_preview_box(const mote_preview *p, mote_band *band);

// preview_text.c: title, time and colour bar. The rest of the picture, in pixels.
mote_viewport mote_preview_viewport(const mote_preview *p);
bool mote_preview_words(const mote_preview *p, mote_image *image);

#endif
