// Definitions of a world and of all its items. Plain data without behaviour.
// Every definition starts from its mote_*_def_default(): zero is a value, never "default". Names are 1 to 31
// characters of a-z A-Z 0-9 _ -, unique in their kind. SI units. x-y is the plane of 2D, y is up; a 2D world
// is a slab 1 m thick. The scene file says the same in YAML: docs/scene.md.
#ifndef MOTE_SCENE_H
#define MOTE_SCENE_H

#include <mote/geom.h>
#include <mote/scene_material.h>
#include <mote/scene_world.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- What is in it --------------------------------------------------------------------------------------

// Pose of a rigid motion at a time. Between keys it is interpolated smoothly (Catmull-Rom); before the first
// and after the last it is constant.
typedef struct mote_key {
  double time;
  double move[3];
  double angle;  // rad
} mote_key;

typedef struct mote_motion_def {
  mote_value3 move;          // in t: by how much the shape is moved
  mote_value angle;          // in t: by how much it is turned, rad
  double axis[3], pivot[3];  // about this axis through this point (NaN: the middle of its bounds)
  const mote_key *key;       // instead of formulas
  size_t keys;
} mote_motion_def;

typedef struct mote_hinge_def {
  double point[3], axis[3];
} mote_hinge_def;

// Position of the clamped boundary of a held body.
typedef enum mote_hold_clamp {
  MOTE_CLAMP_FACE,    // at the face of the hold's shape: the last held layer is moved onto it
  MOTE_CLAMP_CENTRES  // at the centres of the last held layer
} mote_hold_clamp;

// Particles of an elastic body that are in the shape at rest stay fixed, or follow a motion.
typedef struct mote_hold_def {
  mote_shape_def shape;
  mote_motion_def motion;
  mote_hold_clamp clamp;
  double temperature;  // K: kept; NaN: they conduct like the others
} mote_hold_def;
MOTE_API mote_hold_def mote_hold_def_default(void);

// Loads on an elastic body, functions of t. Force and moment (2D: per metre of depth) are totals on the
// particles that are in the shape at rest, by their masses; traction and pressure act on that part of the
// body's surface at rest that is in the shape.
typedef struct mote_load_def {
  mote_shape_def shape;
  mote_value3 force;     // N
  mote_value3 moment;    // N m, about the centre of mass of these particles
  mote_value3 traction;  // Pa: force per area at rest
  mote_value pressure;   // Pa, along the inward normal of the deformed surface, per deformed area
  double normal[3];      // only where the surface faces within 45 degrees of this direction; NaN: everywhere
  bool follow;           // force, moment and traction turn with the loaded part
} mote_load_def;
MOTE_API mote_load_def mote_load_def_default(void);

// An initial crack of an elastic body: a disc (2D: a segment) of a radius; a half plane behind a straight
// front, if `ahead` is given; or a polygon (2D: a polyline).
typedef struct mote_corner_def {
  double point[3];
} mote_corner_def;
typedef struct mote_crack_def {
  double point[3];   // centre of the disc, or a point of the front
  double normal[3];  // of the plane
  double radius;     // m; NaN: no disc
  double ahead[3];   // direction in which the front would run; NaN: no half plane
  const mote_corner_def *corner;
  size_t corners;
} mote_crack_def;
MOTE_API mote_crack_def mote_crack_def_default(void);

typedef struct mote_body_def {
  const char *name;
  const char *material;
  mote_shape_def shape;
  // AUTO: relaxed and settled for fluid bodies that are isolated (docs/scene.md, "Fillings"); else cubic.
  mote_fill_kind fill;
  mote_value3 velocity;  // in x, y, z
  double spin[3];        // and turning about its centre of mass, rad/s
  mote_value pressure;   // Pa, in x, y, z: at the beginning (WCSPH that sums densities has its own)
  // K, in x, y, z: initial temperature, NaN: 293.15; of a rigid body constant, evaluated in its defined pose,
  // NaN: insulated.
  mote_value temperature;
  // Rigid bodies only: never moves, or turns about an axis through a point (NaN: has no hinge).
  bool fixed;
  mote_hinge_def hinge;
  // Not there at the beginning: the command add_body brings it (mote/steer.h).
  bool waits;
  // Elastic bodies only.
  int grading;  // particles deep inside are up to so many times as far apart: 1, 2, 4 or 8
  const mote_hold_def *hold;
  const mote_load_def *load;
  const mote_crack_def *crack;
  size_t holds, loads, cracks;
  // Lattice bodies only: the rotation of the lattice, about this axis by its length, rad.
  double orientation[3];
  bool skin;  // pictures show its surface, carried by its particles, in place of these
} mote_body_def;
MOTE_API mote_body_def mote_body_def_default(void);
// Depth below which a body may be graded, m: fluids and contacts need uniform layers. And the approximate
// number of particles of a material that fill its shape; a null material is a fluid.
MOTE_API double mote_world_def_grading_depth(const mote_world_def *def);
MOTE_API double mote_body_def_particles(const mote_body_def *def, const mote_material_def *material,
                                        const mote_world_def *world, const mote_shape *shape);

// Many bodies of one definition, such as gravel or drops: copies of its shape, each rotated and scaled
// randomly about its centre, on a regular packing within a region, from below upwards, without overlap.
typedef struct mote_copies_def {
  mote_shape_def within;  // whole pieces lie in it; no kind: none are made
  size_t count;           // SIZE_MAX: as many as fit
  double apart;           // m between neighbours; NaN: the largest piece just fits in, however it is turned
  double jitter;          // part of the room that is left between them by which they are moved, 0 to 1
  bool turned;            // in all directions, each as likely; else they stand as the shape does
  double size[2];         // pieces are so many times as large as the shape, each in between as likely
  uint64_t seed;
} mote_copies_def;
// No region, as many as fit, jitter 1, turned, of one size.
MOTE_API mote_copies_def mote_copies_def_default(void);

// The bodies, to be added to a world one by one: gravel-1, gravel-2, ... of the definition "gravel".
typedef struct mote_body_list {
  mote_body_def *body;
  size_t count;
  char (*name)[32];
} mote_body_list;
// ARGUMENT with error->key: "copies.count" if fewer fit, "copies.apart" if copies could overlap. The seed is
// the world's. Data behind pointers of the definition (meshes, parts, formulas) is not copied.
MOTE_API mote_result mote_body_copies(const mote_body_def *def, const mote_copies_def *copies, int dimensions,
                                      uint64_t seed, const mote_env *env, mote_body_list *out,
                                      mote_error *error);
MOTE_API void mote_body_list_free(mote_body_list *list, const mote_env *env);

// What a collider is made of in pictures.
typedef enum mote_collider_look {
  MOTE_COLLIDER_MATTE,
  MOTE_COLLIDER_METAL,
  MOTE_COLLIDER_GLASS
} mote_collider_look;

typedef struct mote_collider_def {
  const char *name;
  mote_shape_def shape;
  mote_motion_def motion;
  double friction;  // 0: fluids slip along it; 1: they stick to it
  // Tangential velocity of its surface, as of a conveyor belt, in x, y, z (before it moves): acts by
  // friction. The shape does not move; the direction does not rotate with it.
  mote_value3 surface_velocity;
  mote_value temperature;  // K, in x, y, z, t; NaN: it is insulated
  bool visible;            // in pictures
  mote_collider_look look;
  double colour[3];  // of glass: seen through 5 cm; glass of the default colour is clear
} mote_collider_def;
MOTE_API mote_collider_def mote_collider_def_default(void);

// A nozzle: a disc (2D: a segment), or a rectangle, through which material flows in at a uniform speed.
typedef struct mote_emitter_def {
  const char *name;
  const char *material;
  double centre[3], direction[3];
  double radius;       // of the disc; NaN: a rectangle
  double size[2];      // of the rectangle: across (horizontal) and up
  mote_value speed;    // in t; nothing comes where it is not positive
  double temperature;  // K, of what it emits; NaN: 293.15
  double start, end;   // s
  size_t most;         // particles; SIZE_MAX: no limit
} mote_emitter_def;
MOTE_API mote_emitter_def mote_emitter_def_default(void);

// Particles inside are removed.
typedef struct mote_drain_def {
  const char *name;
  mote_shape_def shape;
  double start, end;  // s
} mote_drain_def;
MOTE_API mote_drain_def mote_drain_def_default(void);

// An acceleration besides gravity, and heat that particles get, in x, y, z, t.
typedef struct mote_force_def {
  const char *name;
  mote_value3 acceleration;
  mote_value damping;    // 1/s: fluids are accelerated by -damping times their velocity
  mote_value heating;    // W/m^3 of matter, in worlds with heat
  mote_shape_def shape;  // only inside; no kind: everywhere
  double start, end;     // s
} mote_force_def;
MOTE_API mote_force_def mote_force_def_default(void);

typedef enum mote_probe_kind {
  MOTE_PROBE_POINT,  // fields at a point
  MOTE_PROBE_LINE,   // fields at `count` points from `from` to `to`
  MOTE_PROBE_LEVEL,  // how far from `from` towards `to` there is fluid: a level gauge
  MOTE_PROBE_BODY,   // the point of a rigid or elastic body that was at `from` at the beginning
  MOTE_PROBE_FORCE   // forces on a body or collider
} mote_probe_kind;

typedef struct mote_probe_def {
  const char *name;
  mote_probe_kind kind;
  double from[3], to[3];  // a point is at `from`
  const char *of;         // name of the body or collider
  int count;
  double interval;  // s between readings; 0: once a frame
} mote_probe_def;
MOTE_API mote_probe_def mote_probe_def_default(void);

// --- Light of ray-traced pictures -------------------------------------------------------------------------

typedef enum mote_lamp_kind {
  MOTE_LAMP_SPHERE,
  MOTE_LAMP_RECTANGLE,  // shines to one side
  MOTE_LAMP_DISTANT     // a disc in the sky, as the sun
} mote_lamp_kind;

// Powers and irradiances are in the units of the default light, whose sun has an irradiance of 5: a sphere of
// power 60 lights what is 1 m away about as brightly.
typedef struct mote_lamp_def {
  const char *name;
  mote_lamp_kind kind;
  double centre[3];
  double direction[3];  // of the light; that a rectangle faces
  double radius;        // of a sphere, m
  double size[2];       // of a rectangle: across (horizontal) and up, m
  double angle;         // across the disc of a distant lamp, rad
  double colour[3];
  double power;       // of spheres and rectangles
  double irradiance;  // of distant lamps, across their light
} mote_lamp_def;
MOTE_API mote_lamp_def mote_lamp_def_default(void);

// --- Outputs ----------------------------------------------------------------------------------------------

typedef struct mote_camera_def {
  double from[3], to[3];  // NaN: the whole scene is seen from the front and a little above
  double angle;           // of view, from bottom to top, rad
  double shutter;   // part of a frame for which it is open, half of it before the frame's time; 0: no motion
                    // blur
  double aperture;  // radius of the lens, m; 0: all is sharp
  double focus;     // distance from the eye along its view that is sharp, m; NaN or 0: that of `to`
} mote_camera_def;  // previews are sharp: they use the first three only

typedef enum mote_surface_phases {
  MOTE_PHASES_LIQUID,   // a surface of fluids
  MOTE_PHASES_APART,    // one of fluids and one of lattices
  MOTE_PHASES_TOGETHER  // one of both
} mote_surface_phases;

// A surface of the particles of each frame; surface.h says what the numbers mean. 3D only.
typedef struct mote_surface_output_def {
  bool on;
  const char *const *format;  // "vtp", "ply", "glb", "usda", "bgeo", "obj", "stl"
  size_t formats;
  const char *const *field;  // none: all of floating point that the format holds
  size_t fields;
  mote_surface_def def;  // without domain, spacing, clip and most_nodes, which follow from the world
  double follow;         // 1/s: how often Adams' distances are followed within a run; 0: at frames only
  bool walls;            // up to the domain's walls
  mote_surface_phases phases;
  const char *colour_by;           // a field, for vertex colours; null: none
  double colour_low, colour_high;  // NaN: of each frame
} mote_surface_output_def;

typedef struct mote_outputs_def {
  const char *const *format;  // "vtp", "vtu", "ply", "bgeo", "csv", "usda"
  size_t formats;
  const char *const *field;  // beside the position; none: all that there are
  size_t fields;
  int every;     // frames
  bool preview;  // a picture of shaded spheres for each frame
  int width, height;
  const char *colour_by;           // a field, "material" or "auto"
  double colour_low, colour_high;  // NaN: from the frame
  mote_camera_def camera;
  double daylight;     // strength of sky and sun in ray-traced pictures; 0: lamps alone
  double autosave;     // s of wall clock between snapshots
  int snapshot_every;  // frames between snapshots that are kept; 0: only the latest is
  mote_surface_output_def surface;
  const char *const
      *fragment_format;  // of the surfaces of bodies that can break: "glb", "vtp", ...; none: none
  size_t fragment_formats;
  bool ledger;  // the energy ledger (mote_world_ledger), with the totals
} mote_outputs_def;
MOTE_API mote_outputs_def mote_outputs_def_default(void);

// --- A whole scene ----------------------------------------------------------------------------------------

typedef struct mote_scene {
  const char *title;
  double duration, fps;  // s, frames/s: frame n is at (n - 1)/fps
  mote_world_def world;
  const mote_material_def *material;
  const mote_body_def *body;
  const mote_collider_def *collider;
  const mote_emitter_def *emitter;
  const mote_drain_def *drain;
  const mote_force_def *force;
  const mote_probe_def *probe;
  const mote_lamp_def *lamp;
  size_t materials, bodies, colliders, emitters, drains, forces, probes, lamps;
  mote_outputs_def outputs;
} mote_scene;
MOTE_API mote_scene mote_scene_default(void);

// Frames of the scene, the one at t = 0 included.
MOTE_API size_t mote_scene_frames(const mote_scene *scene);
// Time of frame n (from 1), s.
MOTE_API double mote_scene_frame_time(const mote_scene *scene, size_t n);

// Whether every value is in its range and consistent with the others: ARGUMENT with the first wrong key in
// error->key, e.g. "bodies.dam.shape.radius".
MOTE_API mote_result mote_scene_check(const mote_scene *scene, const mote_env *env, mote_error *error);
// The same with an error for every definition that has one, in the order of the scene. MEMORY comes alone.
MOTE_API mote_result mote_scene_check_all(const mote_scene *scene, const mote_env *env,
                                          mote_error_list *errors);

#ifdef __cplusplus
}
#endif
#endif
