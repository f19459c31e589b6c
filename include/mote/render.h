// Rendered pictures, in libmote-io: a path tracer for meshes, spheres, ellipsoids and puffs in the light of a
// sky, with a built-in denoiser.
//
//   mote_render_def def = mote_render_def_default();
//   mote_render_scene scene = mote_render_scene_default();
//   mote_render_mesh water = {.mesh = surface.mesh, .normal = surface.normal, .look = mote_look_water()};
//   scene.mesh = &water, scene.meshes = 1;
//   mote_render_draw(&def, &scene, NULL, &image, &error);
//
// The same picture for any number of threads on one machine. Theory: docs/theory/rendering.md
#ifndef MOTE_RENDER_H
#define MOTE_RENDER_H

#include <mote/base.h>
#include <mote/draw.h>
#include <mote/geom.h>
#include <mote/scene.h>
#include <mote/view.h>
#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- What things look like --------------------------------------------------------------------------------

typedef enum mote_look_kind {
  MOTE_LOOK_MATTE,   // diffuse
  MOTE_LOOK_GLOSSY,  // diffuse under a coat that reflects: plastic, chocolate, clay
  MOTE_LOOK_METAL,   // reflects in its colour
  MOTE_LOOK_GLASS,   // refracts; absorbs along the path: water, honey
  MOTE_LOOK_PUFF,    // a soft cloud: particles of gas (spheres only)
} mote_look_kind;

typedef struct mote_look {
  mote_look_kind kind;
  float colour[3];      // linear RGB, 0 to 1
  float roughness;      // of reflections, 0 (mirror) to 1
  float index;          // of refraction
  float absorption[3];  // of glass: e^-absorption of the light is left by `depth`; of puffs (the first)
  float depth;          // m; 0: mote_render_def.depth
  float glow;           // light of its own, in its colour: lava
} mote_look;

MOTE_API mote_look mote_look_matte(float red, float green, float blue);
MOTE_API mote_look mote_look_glossy(float red, float green, float blue);
MOTE_API mote_look mote_look_water(void);
// water, honey, oil, chocolate, lava, mud, ...: by the names of the materials' presets; false when unknown.
MOTE_API bool mote_look_named(const char *name, mote_look *look);
// That of the preset that the material started from (water where there is none), in the material's colour
// where that is not the preset's. Glass of a colour: white of radiance 1, seen straight through colour_depth
// of it, is displayed as the colour, at exposure 1 and but for reflections. No liquid is brighter than the
// white behind it: channels above 235 of 255 are 235.
MOTE_API mote_look mote_look_of(const mote_material_def *material);
// Matte or metal in the collider's colour, or glass, clear or, where a colour is given, of that colour as
// above.
MOTE_API mote_look mote_look_of_collider(const mote_collider_def *collider);

// --- What is there ----------------------------------------------------------------------------------------

// Images on a mesh: the image of each triangle, and the texture coordinates of its corners.
#define MOTE_TEXTURE_NONE UINT32_MAX
typedef struct mote_texture {
  mote_image **image;
  size_t images;
  float *uv;  // 2 for each corner of each triangle, in parts of the image: to the right and down from its
              // upper left corner; what is beyond 0 to 1 repeats it
  uint32_t *image_of;  // of each triangle; MOTE_TEXTURE_NONE: the look's colour
  size_t triangles;
} mote_texture;
// Of an obj (vt) or glb (TEXCOORD_n) file; triangles are those of mote_surface_read. image null: the PNGs
// within a glb, by its materials' base colours (others are left out: reported in the log); else a PNG file
// for all triangles that have coordinates. No images: nothing is shown. FORMAT: `image` is given, but there
// are no coordinates.
MOTE_API mote_result mote_texture_read(const char *path, const char *image, const mote_env *env,
                                       mote_texture *out, mote_error *error);
// The coordinates alone: no images, and MOTE_TEXTURE_NONE for triangles without. Files of other kinds have
// none: no triangles.
MOTE_API mote_result mote_texture_read_uv(const char *path, const mote_env *env, mote_texture *out,
                                          mote_error *error);
MOTE_API void mote_texture_free(mote_texture *texture, const mote_env *env);

typedef struct mote_render_mesh {
  mote_mesh mesh;
  const float *normal;          // 3 per vertex; null: made of the triangles', sharp edges kept
  const mote_colour *colour;    // per vertex, instead of the look's; null: the look's
  const mote_texture *texture;  // instead of both; null: none
  mote_look look;
  const mote_pose *pose;  // null: where its vertices are
  const float *velocity;  // 3 per vertex, m/s along the axes of the scene; null: it stands still
  bool wireframe;         // the triangles' edges on top
  bool liquid;            // ends flat at the walls of the tank and on the ground; what is glass always does,
                          // unless it is a vessel. Best where its mesh reaches a little beyond the walls
  bool vessel;            // glass that ends where its mesh does; liquids within two mean edges wet it
} mote_render_mesh;

typedef struct mote_render_spheres {
  const double *position;  // 3 each; what is not finite is left out
  size_t count;
  double radius;
  const double *G;  // null: spheres of `radius`; else ellipsoids |G (x - position)| <= 1, upper triangles
  const mote_colour *colour;  // null: the look's
  const float *velocity;      // 3 each, m/s; null: they stand still
  mote_look look;
} mote_render_spheres;

// Light from all around: radiance by longitude (across, the middle of the picture is towards -z, +x to its
// right) and latitude (down, from up to down), 3 floats of each pixel.
typedef struct mote_environment {
  int width, height;
  float *light;
} mote_environment;
// Of a Radiance file (.hdr), twice as wide as high. FORMAT: what is wrong in it.
MOTE_API mote_result mote_environment_read(const char *path, const mote_env *env, mote_environment *out,
                                           mote_error *error);
MOTE_API void mote_environment_free(mote_environment *environment, const mote_env *env);

typedef struct mote_render_scene {
  const mote_render_mesh *mesh;
  size_t meshes;
  const mote_render_spheres *spheres;
  size_t sphere_sets;
  const mote_lamp_def *lamp;  // seen, too; they cast no shadows
  size_t lamps;
  double low[3], high[3];   // a tank: liquids are cut off there; drawn as thin lines; NaN: none
  const char *title;        // in the upper left corner; null: none
  double time;              // in the lower left corner, s; NaN: none
  const mote_shade *shade;  // a colour bar for values that are already in the colours; null: none
} mote_render_scene;
MOTE_API mote_render_scene mote_render_scene_default(void);

// --- How to look at it ------------------------------------------------------------------------------------

typedef struct mote_render_def {
  int width, height;
  int samples;   // paths per pixel, at most
  double noise;  // relative noise of a pixel and its neighbours below which it gets no more paths; 0: all get
                 // `samples`
  int bounces;   // of a path by what is not glass; glass is crossed up to 24 times
  bool denoise;
  bool caustics;           // sunlight that glass gathers on the ground
  mote_camera_def camera;  // what is not a number is chosen: all of [low, high] is seen
  double frame;            // s, of which camera.shutter is a part
  double up[3];
  double low[3], high[3];  // what the camera takes in; NaN: what there is
  double exposure;         // 1
  double depth;   // m, of looks without a depth of their own; NaN: the longest side of what the camera takes
                  // in, so that small and large scenes look alike
  double sun[3];  // where the light comes from
  double sun_strength, sky_strength;
  const mote_environment *environment;  // instead of sky, sun and backdrop, times sky_strength; null: none
  double environment_turn;              // rad, clockwise as seen from above
  float backdrop[3];                    // linear RGB of all that is behind the scene; NaN: the sky
  double ground;                        // height of the floor; NaN: below what there is; -infinity: none
  mote_look ground_look;
  double cut[4];  // n . x <= c is left out (n, c): a section; all zero: nothing
  uint64_t seed;
  bool (*progress)(void *user, double part);  // false stops with MOTE_ERROR_ARGUMENT "stopped"; null: none
  void *progress_user;
} mote_render_def;
// 1280 x 720, 32 samples, 4 bounces, denoised, a sun from the upper left, a pale ground.
MOTE_API mote_render_def mote_render_def_default(void);

// The ray tracer of this build: "Embree 4.3.3"; null: it has none, and mote_render_draw() fails (FILE).
MOTE_API const char *mote_render_engine(void);

// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_render_draw(const mote_render_def *def, const mote_render_scene *scene,
                                      const mote_env *env, mote_image **out, mote_error *error);

// --- Sheets and videos -------------------------------------------------------------------------------------

// Puts `count` pictures of one size into one, `columns` wide, with a margin.
MOTE_API mote_result mote_image_contact_sheet(mote_image *const *image, size_t count, int columns,
                                              const mote_env *env, mote_image **out, mote_error *error);

// A video by the ffmpeg program: .mp4, .gif or .webm. FILE when it is not installed or fails, with its words.
typedef struct mote_video mote_video;
MOTE_API mote_result mote_video_begin(const char *path, int width, int height, double fps,
                                      const mote_env *env, mote_video **out, mote_error *error);
MOTE_API mote_result mote_video_add(mote_video *video, const mote_image *image, mote_error *error);
// Both end the video; what was at `path` stays until the video is whole.
MOTE_API mote_result mote_video_commit(mote_video *video, mote_error *error);
MOTE_API void mote_video_abandon(mote_video *video);

#ifdef __cplusplus
}
#endif
#endif
