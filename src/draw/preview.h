// Inside of a preview. The picture is made in bands of rows, each by itself: visible surfaces into a depth
// buffer of 2 x 2 samples per pixel (sphere_raster, preview_mesh, preview_cut), then light (preview_shade, by
// the grid of preview_light), see-through meshes, lines, and the mean of the samples.
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

// A particle before the camera, in view coordinates.
typedef struct mote_ball {
  float x, y, z;
  float row, reach;  // the rows of samples it covers: row +- reach
  mote_colour colour;
} mote_ball;

// A triangle before the camera.
typedef struct mote_facet {
  float corner[3][3];
  float normal[3];     // towards the eye
  float smooth[3][3];  // the same at the corners, of the surface that the triangle is a part of
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

// What is kept of space: convex, so that each ray has one piece of it. Kept is above + depth * slope > 0.
typedef struct mote_half_spaces {
  struct {
    double normal[3], above;  // m, of the eye
  } side[7];
  int sides;
} mote_half_spaces;

// A band of samples.
typedef struct mote_band {
  int width, height, top;
  float *depth;    // metres before the eye (flat: behind z = 0); infinite where there is nothing
  uint32_t *what;  // a ball, or a facet
  float *light;    // 3 each, linear
} mote_band;

// The samples of one mesh that is cut, before they are put among those of the band.
typedef struct mote_layer {
  mote_band band;                      // its nearest facets within what is kept
  float *begin, *end;                  // depths of the piece of each sample's ray that is kept
  float *front_depth, *back_depth;     // the last facet before that piece and the first behind it,
  uint32_t *front_facet, *back_facet;  // by which the face of the cut may have its colour
} mote_layer;

// The volume fraction on a coarse grid, and its absorption of light: far cheaper than rays,
// without noise, and as soft as the light of a cloudy day.
typedef struct mote_light_grid {
  double origin[3];  // of cell centres
  double cell;
  int size[3];
  float *filled;  // 0 to 1
  float *around;  // mean of 5 cells along each axis
  float *sun;     // part of the key light that arrives
} mote_light_grid;

typedef struct mote_preview {
  mote_env env;
  const mote_preview_def *def;
  const mote_preview_scene *scene;
  double low[3], high[3];  // what the camera takes in
  double radius;           // of particles
  double ground;           // -infinity: none
  mote_shade shade;        // with its range
  mote_camera camera;
  mote_ball *ball;  // front to back
  size_t balls;
  mote_buffer facet_bytes;
  mote_facet *facet;  // see-through ones are behind the opaque ones, far ones first
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

// preview_colour.c: the range of values that colours stand for, and the colour of particle i.
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
// Calls `fill` for the samples of the facet in the band that are before what is there.
typedef void mote_facet_fill(const mote_preview *p, mote_band *band, size_t at, float depth, size_t facet);
void mote_facet_raster(const mote_preview *p, mote_band *band, size_t facet, mote_facet_fill *fill);

// preview_cut.c: what is kept of space, once the camera stands.
void mote_preview_keep(mote_preview *p);
// Whether a place of the world is kept.
bool mote_preview_keeps(const mote_preview *p, const double x[3]);
// Draws a mesh that is cut, with the faces that a closed one has there.
bool mote_layer_make(const mote_preview *p, mote_layer *layer);
void mote_layer_free(const mote_preview *p, mote_layer *layer);
void mote_layer_draw(const mote_preview *p, const mote_part *part, mote_layer *layer, mote_band *band);
bool mote_part_is_cut(const mote_preview *p, const mote_part *part);
// The normal of the face of a cut at a point relative to the eye, both of the world.
void mote_cut_normal(const mote_preview *p, bool liquid, const float at[3], float normal[3]);
// The depths between which a sample's ray is kept.
void mote_cut_piece(const mote_preview *p, const mote_half_spaces *kept, float x, float y, float *begin,
                    float *end);

// preview_walls.c: the vertices of a liquid's mesh, which reach beyond the sides of the box where they come
// near them, by the normals of preview_normals.c. As many as the mesh has; null: memory.
double *mote_walls_reach(const mote_preview *p, const mote_mesh *mesh, const float *normal);

// preview_normals.c: normals at the corners of triangles, 9 numbers each, mean over the triangles around that
// do not turn away by more than a crease. False: memory.
bool mote_corner_normals(const mote_mesh *mesh, const mote_env *env, float *out);

// preview_shade.c
void mote_preview_light(const mote_preview *p, mote_band *band);
// The light a surface in no shadow gives back: at a point relative to the eye and with a normal, both of the
// world.
void mote_preview_clear(const mote_preview *p, const float at[3], const float normal[3], mote_colour colour,
                        float out[3]);

// preview_lines.c: the edges of the box.
void mote_preview_box(const mote_preview *p, mote_band *band);

// preview_text.c: title, time and colour bar. What they leave of the picture, in pixels.
mote_viewport mote_preview_viewport(const mote_preview *p);
bool mote_preview_words(const mote_preview *p, mote_image *image);

#endif
