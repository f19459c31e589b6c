// Internal interface of rendered pictures. Coordinates are floats relative to the centre of the scene.
// trace_scene builds the geometry, trace_embree passes it to Embree, trace_hit finds the first hit of a ray
// and the transmittance to a point, trace_path traces paths from the eye, denoise and
// tone compute the pixels.
#ifndef MOTE_TRACE_H
#define MOTE_TRACE_H

#include <mote/render.h>

#include "draw/camera.h"
#include "render/scatter.h"
#include "render/sky.h"

// A ray from `from` along `to`, of length 1, at a time of the shutter: 0 opening, 1 closing.
typedef struct mote_ray {
  mote_vec from, to;
  float time;
} mote_ray;

typedef enum mote_thing_kind { MOTE_THING_MESH, MOTE_THING_BALLS, MOTE_THING_LINES } mote_thing_kind;

// An ellipsoid |G (x - centre)| <= 1, G symmetric: xx, xy, xz, yy, yz, zz.
typedef struct mote_quadric {
  mote_vec centre;  // when the shutter opens
  mote_vec move;    // until it closes
  float G[6];
} mote_quadric;

// One geometry of Embree, of the same number.
typedef struct mote_thing {
  mote_thing_kind kind;
  mote_look look;               // absorptions are 1/m
  mote_vec colour;              // of the look
  const mote_colour *shades;    // of each vertex or ball; null: the colour
  const mote_texture *texture;  // of meshes, before both; null: none
  // Meshes
  float *vertex;             // 3 each; of lines 4: with a radius; when the shutter opens
  float *vertex_end;         // when it closes; null: nothing moves
  const uint32_t *triangle;  // the caller's
  float *normal;             // 3 of each vertex, or with `corners` of each corner
  bool corners, wireframe;
  bool liquid;  // ends at the sides of the tank and on the floor
  bool vessel;  // of glass, that liquids wet
  size_t vertices, triangles;
  float contact;  // m: distance to glass that counts as contact
  // Balls
  mote_quadric *ball;
  size_t balls;
  bool moves;  // while the shutter is open
} mote_thing;

// Of `vertex`, and of `vertex_end`: with two vertices more, because Embree reads 16 bytes of each.
static inline size_t mote_thing_vertex_bytes(const mote_thing *thing) {
  return (thing->kind == MOTE_THING_LINES ? 4 : 3) * (thing->vertices + 2) * sizeof(float);
}

typedef struct mote_floor {
  bool there;
  float height;  // along up
  mote_look look;
  float fade_from, fade_to;  // distance from the middle at which it becomes the sky
} mote_floor;

// The tank of the liquids: their meshes extend slightly beyond its sides and are cut there per ray, so that
// water meets a wall in a straight line, independent of triangles. An infinite side does not cut.
typedef struct mote_tank {
  bool there;
  float low[3], high[3];
  float liquid_low[3], liquid_high[3];  // bounds of the liquids
} mote_tank;

// Sunlight on the floor through glass, in cells of a grid: irradiance relative to the sun's normal to
// its beam. No light: not computed.
typedef struct mote_caustics {
  mote_vec u, v;  // axes of the grid
  float u0, v0, cell;
  int wide, tall;
  mote_vec *light;
} mote_caustics;

// A lamp of the scene.
typedef struct mote_lamp {
  mote_lamp_kind kind;
  mote_vec light;         // radiance
  mote_vec centre;        // of spheres and rectangles
  mote_vec to;            // direction of its light, of rectangles and distant lamps
  mote_vec across, tall;  // from the middle of a rectangle to that of its sides
  float radius, area;     // of a sphere; of a rectangle
  float cosine;           // of half the angle across a distant one
} mote_lamp;

typedef struct mote_trace {
  mote_env env;
  const mote_render_def *def;
  const mote_render_scene *scene;
  double middle[3];        // of the coordinates
  double low[3], high[3];  // bounds of the camera's view
  float size;              // half the diagonal of that
  double depth;            // m, in which looks count their absorptions
  float lift;              // distance from a surface at which rays begin
  mote_camera camera;
  mote_vec eye, right, upward, forward;
  float focus, aperture;  // m
  float shutter;          // s
  mote_sky sky;
  mote_sky_map map;  // of the sky, if it is a picture
  mote_lamp *lamp;
  size_t lamps;
  mote_floor floor;
  mote_caustics caustics;
  mote_tank tank;
  float vessel_gap;  // m, largest distance of a glass vessel from a liquid that wets it; 0: not both exist
  bool cut;
  mote_vec cut_normal;  // the part below cut_at along it is removed
  float cut_at;
  float linear[256];           // of sRGB
  struct RTCDeviceTy *device;  // Embree's, of trace_embree.c alone
  struct RTCSceneTy *embree;
  mote_thing *thing;
  size_t things;
} mote_trace;

// trace_scene.c: t->env, def, scene, middle, size, camera are set.
mote_result mote_trace_build(mote_trace *t, mote_error *error);
void mote_trace_free(mote_trace *t);

// trace_mesh.c: copies the mesh into the thing: moved, normals made, glass ending flat at the tank.
mote_result mote_trace_mesh(mote_trace *t, const mote_render_mesh *mesh, mote_thing *thing,
                            mote_error *error);
// trace_contact.c: once all meshes are there, draws what of the liquid is in contact with others into them.
mote_result mote_trace_contact(const mote_trace *t, mote_thing *liquid, mote_error *error);
// A point transformed by a pose.
void mote_trace_place(const mote_pose *pose, const double v[3], double out[3]);
// The normal at a place of a triangle; zero where there is none.
mote_vec mote_mesh_normal(const mote_thing *mesh, size_t triangle, float u, float v);

// trace_ball.c
mote_result mote_trace_balls(mote_trace *t, const mote_render_spheres *set, mote_thing *thing,
                             mote_error *error);
// The box of ball `ball` at that time; not numbers where it has none.
void mote_ball_bounds(const mote_thing *thing, size_t ball, float time, float low[3], float high[3]);
// Both crossings of the ray, the nearer first; false: none.
bool mote_quadric_cross(const mote_quadric *q, mote_ray ray, float *near, float *far);
// Half of the sides of its box; false: it has none.
bool mote_quadric_reach(const double G[6], double reach[3]);
// Unit outward normal at that time.
mote_vec mote_quadric_normal(const mote_quadric *q, mote_vec at, float time);

// trace_hit.c
typedef struct mote_hit {
  float t;  // infinite: the sky
  mote_vec at;
  mote_vec face;    // outward normal of the surface itself
  mote_vec normal;  // the smooth one
  bool back;        // seen from within
  const mote_look *look;
  mote_vec colour;
  bool liquid;
  float contact;
  float fade;  // fraction blended with the sky
} mote_hit;

// State of a ray during its query.
typedef struct mote_query {
  const mote_trace *trace;
  bool glass;        // shadows: some was crossed
  bool eye;          // the ray begins at the eye: lines are visible
  uint32_t seed;     // of the random decision whether puffs stop the ray
  mote_vec through;  // shadows: the transmittance of surfaces and puffs
  mote_vec tau;      // shadows: optical depth of glass, t where the ray leaves it minus t where it enters
  mote_vec inner;    // shadows: absorption of glass that is left minus that which is entered, within the tank
  mote_vec beyond;   // the same of liquids behind the tank: the media of the ray where it leaves the tank
  float begin, end;  // the segment of the ray in the tank; empty: end < begin
  bool enters;       // at its beginning the ray enters the tank; else the section or the ray itself begins
  bool leaves;       // at its end the ray leaves the tank
  bool probe;        // hits liquids only, also outside the tank
  bool bodies;       // hits everything but liquids
} mote_query;

// trace_ball.c: where between its ends the ray is stopped by the ball; false: nowhere.
bool mote_ball_stops(const mote_thing *thing, size_t ball, const mote_query *query, mote_ray ray, float begin,
                     float end, float *t);
// Shadows: multiplies the query's transmittance by that of the ball; true: all light is blocked.
bool mote_ball_shades(const mote_thing *thing, size_t ball, mote_query *query, mote_ray ray, float begin,
                      float end);

// The first hit of a ray as returned by Embree.
typedef struct mote_meeting {
  size_t thing, part;  // and which of its triangles, balls or lines
  float t, u, v;
  mote_vec normal;  // of lines
} mote_meeting;

// trace_embree.c: the tree of t's geometry; does not use colours and looks.
mote_result mote_embree_build(mote_trace *t, mote_error *error);
void mote_embree_free(mote_trace *t);
// The first hit of the ray between its ends; false: none.
bool mote_embree_meet(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query,
                      mote_meeting *found);
// Shadows: whether all light between the ends is blocked; partial transmittance is recorded in the query.
bool mote_embree_stops(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query);

// trace_cross.c: shadows: the ray crosses a boundary of glass at t; `along` is the cosine to the outward
// normal.
void mote_query_cross(mote_query *query, const mote_thing *thing, float t, float along);

// `within`: the glass that contains the ray, null: air. `eye`: a ray from the eye; only these hit lines,
// which are not part of the scene.
mote_hit mote_trace_nearest(const mote_trace *t, mote_ray ray, float most, const mote_look *within, bool eye,
                            uint32_t seed);
// The transmittance from the distance `far` along the ray (infinite: the sky); glass absorbs, but does not
// refract. `glass`, if not null: whether glass was crossed.
mote_vec mote_trace_shadow(const mote_trace *t, mote_ray ray, float far, bool *glass);

// trace_vessel.c: sets t->vessel_gap. Surfaces of liquids are accurate to about half a particle spacing: at a
// vessel they leave a gap or overlap the glass. Both are treated as one boundary.
void mote_vessel_find(mote_trace *t);
// The glass entered by light that leaves the hit's: that of a wetted vessel or of the liquid that
// wets it; null: air.
const mote_look *mote_vessel_beyond(const mote_trace *t, const mote_hit *hit, float time);
// Whether a path within other glass leaves the hit's in vain: where a liquid reaches into a vessel, the one
// that was entered last takes the place of the other.
bool mote_vessel_displaced(const mote_trace *t, const mote_hit *hit, const mote_look *within);

// trace_hit.c: the first hit of a query with `probe` set.
mote_hit mote_trace_probe(const mote_trace *t, mote_ray ray);
// trace_tank.c: the sides of the tank, before the liquids are built; and their bounds, afterwards.
void mote_tank_make(mote_trace *t);
void mote_tank_include(mote_trace *t, const mote_thing *liquid);
// Sets query->begin and end for a ray that is followed from `begin` to `end`.
void mote_tank_cut(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query);
// The side of the tank, or the cut face, if a liquid ends there before `hit`; else the hit.
mote_hit mote_tank_meet(const mote_trace *t, mote_ray ray, const mote_query *query, const mote_look *within,
                        mote_hit hit);

// trace_lamps.c
mote_result mote_lamps_make(mote_trace *t, mote_error *error);
void mote_lamps_free(mote_trace *t);
// Samples a point of the lamp visible from `from`: the direction and distance to it, and the density of the
// direction. False: the lamp does not shine there.
bool mote_lamp_choose(const mote_lamp *lamp, mote_vec from, mote_sample_point u, mote_vec *to, float *far,
                      float *density);
// The probability density, at the ray's beginning, of the direction of a ray that hits the lamp at t.
float mote_lamp_density(const mote_lamp *lamp, mote_ray ray, float t);
// The first lamp hit by the ray before `most`, distant ones if that is infinite; null: none.
const mote_lamp *mote_lamps_meet(const mote_trace *t, mote_ray ray, float most, float *at);

// trace_caustics.c: after the scene is built.
mote_result mote_trace_caustics(mote_trace *t, mote_error *error);
void mote_trace_caustics_free(mote_trace *t);
mote_vec mote_caustic_light(const mote_trace *t, mote_vec at);

// trace_path.c
typedef struct mote_sight {
  mote_vec light;
  mote_vec albedo, normal;  // guides of the denoiser
  float depth;
  bool glass;  // is hit first
} mote_sight;

// The light of one path through a point of the screen, in pixels.
mote_sight mote_trace_pixel(const mote_trace *t, float x, float y, mote_sampler *s);

#endif
