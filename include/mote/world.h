// A world of particles: made of definitions (scene.h), advanced in steps, read through views.
//
//   mote_world_def def = mote_world_def_default();
//   def.spacing = 0.02;
//   mote_world *world;
//   mote_world_create(&def, NULL, &world, NULL);
//   ... mote_world_add_material, mote_world_add_body, ...
//   mote_world_advance(world, 1.0, NULL);
//   mote_field_view position = mote_world_view(world, "position");
//   mote_world_destroy(world);
//
// The same definitions give the same bits for any number of threads, on every machine, and after every
// restart. Two worlds may be stepped from two threads. Theory: docs/theory/world.md, docs/theory/fluids.md
#ifndef MOTE_WORLD_H
#define MOTE_WORLD_H

#include <mote/base.h>
#include <mote/elastic.h>
#include <mote/fragments.h>
#include <mote/scene.h>
#include <mote/view.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_world mote_world;

// Handles: zero is null. Handles of materials, bodies and other items stay valid for the life of the world.
typedef struct mote_material {
  uint32_t index, generation;
} mote_material;
typedef struct mote_body {
  uint32_t index, generation;
} mote_body;
typedef struct mote_collider {
  uint32_t index, generation;
} mote_collider;
typedef struct mote_emitter {
  uint32_t index, generation;
} mote_emitter;
typedef struct mote_drain {
  uint32_t index, generation;
} mote_drain;
typedef struct mote_force {
  uint32_t index, generation;
} mote_force;
typedef struct mote_probe {
  uint32_t index, generation;
} mote_probe;
typedef struct mote_world_surface {
  uint32_t index, generation;
} mote_world_surface;

// --- Making -----------------------------------------------------------------------------------------------

MOTE_API mote_result mote_world_create(const mote_world_def *def, const mote_env *env, mote_world **out,
                                       mote_error *error);
MOTE_API void mote_world_destroy(mote_world *world);

// Definitions are copied. Handles may be null. On failure error->key is the wrong key, and the world is
// unchanged. Existing colliders are cut out of a new body; a body that overlaps another is an error.
MOTE_API mote_result mote_world_add_material(mote_world *world, const mote_material_def *def,
                                             mote_material *out, mote_error *error);
MOTE_API mote_result mote_world_add_collider(mote_world *world, const mote_collider_def *def,
                                             mote_collider *out, mote_error *error);
MOTE_API mote_result mote_world_add_body(mote_world *world, const mote_body_def *def, mote_body *out,
                                         mote_error *error);
MOTE_API mote_result mote_world_add_emitter(mote_world *world, const mote_emitter_def *def, mote_emitter *out,
                                            mote_error *error);
MOTE_API mote_result mote_world_add_drain(mote_world *world, const mote_drain_def *def, mote_drain *out,
                                          mote_error *error);
MOTE_API mote_result mote_world_add_force(mote_world *world, const mote_force_def *def, mote_force *out,
                                          mote_error *error);
MOTE_API mote_result mote_world_add_probe(mote_world *world, const mote_probe_def *def, mote_probe *out,
                                          mote_error *error);

// Particles whose surface is built.
typedef enum mote_surface_rows {
  MOTE_ROWS_FLUID,    // fields as in mote_world_view
  MOTE_ROWS_LATTICE,  // fields as in mote_world_lattice_view
  MOTE_ROWS_BOTH      // without fields
} mote_surface_rows;

// A surface of the fluid or of lattices, computed by mote_world_build_surface. In 2D: of columns
// (mote_surface_def_flat), without normals; its section at z = 0 is the contour.
typedef struct mote_world_surface_def {
  const char *name;
  mote_surface_def surface;  // whose domain is that of the world; spacing NaN: that of the world
  bool walls;                // goes up to the walls of the domain, and is cut there
  mote_surface_rows rows;
} mote_world_surface_def;
MOTE_API mote_world_surface_def mote_world_surface_def_default(void);
MOTE_API mote_result mote_world_add_surface(mote_world *world, const mote_world_surface_def *def,
                                            mote_world_surface *out, mote_error *error);

// A world with all items of the scene, in its order, and the surfaces of its outputs: "surface", and "solid",
// that of lattices, if they are separate. On failure error->key is a path in the scene, e.g.
// "bodies.dam.shape.radius".
MOTE_API mote_result mote_world_create_scene(const mote_scene *scene, const mote_env *env, mote_world **out,
                                             mote_error *error);

// The item of that name; zero: none.
MOTE_API mote_probe mote_world_find_probe(const mote_world *world, const char *name);
MOTE_API mote_collider mote_world_find_collider(const mote_world *world, const char *name);
MOTE_API mote_world_surface mote_world_find_surface(const mote_world *world, const char *name);

// --- Time -------------------------------------------------------------------------------------------------

// Seconds. Exact at frame times.
MOTE_API double mote_world_time(const mote_world *world);
MOTE_API uint64_t mote_world_steps(const mote_world *world);
MOTE_API double mote_world_spacing(const mote_world *world);  // m, of its particles

// One step, as long as stability allows; the last one ends exactly at `until`. Steps to the same `until` form
// a frame, also across a save and a load. A failed step (NaN, speed above the limit, gain of energy) is
// discarded: the world is restored to the beginning of the frame, the result is OK, and the frame is repeated
// with shorter steps; after three tries the result is NUMERIC, with stage, particle and value. After this and
// any other failure the world is at the beginning of the frame and can be read and saved.
MOTE_API mote_result mote_world_step(mote_world *world, double until, mote_error *error);

// Begins a frame: the state that is restored after a failed step. A step to a new `until` does this
// automatically.
MOTE_API mote_result mote_world_begin_frame(mote_world *world, mote_error *error);

// Steps until the time `until`: a whole frame.
MOTE_API mote_result mote_world_advance(mote_world *world, double until, mote_error *error);

// --- Reading ----------------------------------------------------------------------------------------------

MOTE_API size_t mote_world_particles(const mote_world *world);

// A field of all particles: "id", "position", "velocity", "mass", "density", "pressure", "body", ...; valid
// until the next call that changes the world. All zero: no such field. Rows of all fields have the same
// order, which changes from step to step; ids do not.
MOTE_API mote_field_view mote_world_view(const mote_world *world, const char *field);
// The k-th field, for loops over all; all zero beyond the last.
MOTE_API mote_field_view mote_world_view_at(const mote_world *world, int k);

// A field of particles, as the table of fields has it.
typedef struct mote_field_about {
  const char *name, *unit;  // "1": a pure number
  const char *text;
  const char *group;  // of the particles that have it: "all", "fluid", "elastic", "lattice", "heat", ...
  mote_type type;
  int components;
  bool saved;  // else computed anew in every step
} mote_field_about;
// The k-th field that particles of this kind can have in the world, also before there are any; false beyond
// the last, and of rigid bodies. `world` null: of all that there are, whatever the kind.
MOTE_API bool mote_world_field_at(const mote_world *world, mote_kind kind, int k, mote_field_about *out);

// Rows of a field in the order of the given ids, e.g. of the same particles over time. `out` has the type and
// components of the field. found[k]: whether particle k is there; else its row is zero. found null: a
// particle that is not there is an error.
MOTE_API mote_result mote_world_gather(const mote_world *world, mote_kind kind, const char *field,
                                       const uint64_t *ids, size_t count, void *out, bool *found,
                                       mote_error *error);

// Changes with every call after which views of the world are invalid.
MOTE_API uint64_t mote_world_generation(const mote_world *world);

// The material of each particle, by its number in the order of addition from 0 (for colours); one each.
MOTE_API mote_result mote_world_materials(const mote_world *world, uint32_t *material, mote_error *error);

// Sums over all particles, elastic ones too, and rigid bodies that are not fixed.
typedef struct mote_totals {
  double time;
  uint64_t step;
  size_t particles, elastic_particles;  // of fluids; of elastic bodies
  size_t lattice_particles, lattice_objects;
  size_t emitted, drained, left;  // since the beginning: from emitters, into drains, over open sides
  double mass;
  double momentum[3], angular_momentum[3];  // about the origin
  double kinetic_energy, potential_energy;
  double elastic_energy;  // stored in elastic bodies, hourglass control included, and in lattices
  size_t inverted;        // inverted particles of elastic bodies without plastic flow
  double centre[3];       // of mass
  double speed_max;
  double compression_mean, compression_max;  // density above rest, as fractions
  double enthalpy;                           // of all particles, J, 0 at 0 K; 0 in a world without heat
  uint64_t melted, frozen;                   // particles, since the beginning
  double frozen_mass;                        // kg: of particles, by their liquid fraction; 0 without heat
  // Mean position of the melting front, weighted by mass and phi (1 - phi), phi the liquid fraction; NaN: no
  // particle is partly molten.
  double front[3];
  double volume_error;  // of the fluid's volume m/rho inside, against m/rho_0, as a fraction
  // Individual steps: number of evaluated forces on particles since the beginning, and the number with a
  // global step; else 0.
  uint64_t evaluations, evaluations_all;
} mote_totals;
MOTE_API mote_result mote_world_totals(const mote_world *world, mote_totals *out, mote_error *error);

// Particles that melted or froze in the last step, in the order in which they did; valid until the next one.
typedef struct mote_phase_event {
  uint64_t id;
  bool froze;  // else it melted
} mote_phase_event;
MOTE_API const mote_phase_event *mote_world_phase_events(const mote_world *world, size_t *count);

// Changes of the tracked surface's topology in the last step (mote/track.h); valid until the next one.
typedef struct mote_world_track_event {
  mote_track_event event;
  size_t removed, made;  // triangles, of all events of the same match together
} mote_world_track_event;
MOTE_API const mote_world_track_event *mote_world_track_events(const mote_world *world, size_t *count);

// Report of the last step.
typedef struct mote_step_report {
  double step;  // s
  int density_iterations, divergence_iterations;
  double density_error, divergence_error;  // mean, as fractions
  int viscosity_iterations;                // of the implicit solve; 0: viscosity was explicit
  double viscosity_error;                  // its largest error over the largest velocity
  bool converged;                          // all solves
  int tries;                               // how often this frame has gone back
  size_t contacts;                         // of rigid bodies, active or closer than the margin
  int contact_sweeps;                      // Gauss-Seidel sweeps of all rounds
  double overlap;                          // deepest of rigid bodies, m
  int elastic_steps;                       // explicit steps of elastic bodies; 1: implicit only
  int lattice_steps;                       // explicit substeps of lattices; 0: none
  int elastic_newton,
      elastic_products;     // Newton iterations of implicit steps, and products with the stiffness
  size_t elastic_contacts;  // of elastic particles, active or possible in the step
  size_t surface_left;      // places where the tracked surface was to be cut and sewn, and no way was found
} mote_step_report;
MOTE_API mote_step_report mote_world_report(const mote_world *world);

// The first frame in which the fluid was compressed by more than 5 % on average, since the world was made or
// loaded, and the likely reason. The log has it as well.
typedef enum mote_compression_reason {
  MOTE_COMPRESSION_NONE,        // there was no such frame
  MOTE_COMPRESSION_OVERLAP,     // crowded from the start: bodies overlap
  MOTE_COMPRESSION_OVERFILLED,  // more fluid than a closed domain or vessel can hold
  MOTE_COMPRESSION_MELTING,     // molten matter has not the room that it needs
  MOTE_COMPRESSION_ITERATIONS,  // the pressure solve stops at its limit
  MOTE_COMPRESSION_SOUND,       // the speed of sound is too low (WCSPH)
  MOTE_COMPRESSION_STEP         // steps are too long
} mote_compression_reason;
typedef struct mote_compression_report {
  mote_compression_reason reason;
  double time;  // s: when that frame ended
  double mean;  // over the frame and the fluid's mass, as a fraction
} mote_compression_report;
MOTE_API mote_compression_report mote_world_compression_report(const mote_world *world);
// The reason and remedy as text; "" for none.
MOTE_API const char *mote_compression_reason_text(mote_compression_reason reason);

// Inverted elastic particles at the ends of frames, since the world was created or loaded. Logged if the
// inversion lasts for more than three consecutive frames.
typedef struct mote_inversion_report {
  size_t most;    // particles
  size_t frames;  // the most in a row
  double time;    // s: end of the first fourth frame in a row
  bool svk;       // then: of a body with the law svk, which does not come back
} mote_inversion_report;
MOTE_API mote_inversion_report mote_world_inversion_report(const mote_world *world);
// The remedy as text; "" if no inversion lasted for more than three frames.
MOTE_API const char *mote_inversion_text(mote_inversion_report report);

// The first fault of rigid bodies and lattices at the end of a frame, since the world was created or loaded.
// Also logged.
typedef enum mote_body_fault {
  MOTE_BODY_FAULT_NONE,
  MOTE_BODY_FAULT_SPEED,    // value: m/s
  MOTE_BODY_FAULT_ENERGY,   // it grows without a source; value: J
  MOTE_BODY_FAULT_OVERLAP,  // value: m
  MOTE_BODY_FAULT_OUTSIDE,  // of closed walls; value: m/s
  MOTE_BODY_FAULT_SHOCK     // a lattice, in any step; value: speed within it over that of its sound
} mote_body_fault;
typedef struct mote_body_fault_report {
  mote_body_fault fault;
  double time;  // s
  double value;
  char body[64];  // its name, where it is one body's
} mote_body_fault_report;
MOTE_API mote_body_fault_report mote_world_body_fault(const mote_world *world);
// The fault as text; "" for none.
MOTE_API const char *mote_body_fault_text(mote_body_fault fault);

// Wall-clock seconds of each stage since the world was created, in the order of a step: the number of stages,
// and name and seconds of the k-th.
MOTE_API int mote_world_stages(const mote_world *world);
MOTE_API const char *mote_world_stage(const mote_world *world, int k, double *seconds);

// The energy ledger: the change by each stage of the energy of all matter (kinetic, gravitational, elastic)
// since the ledger began, and the work of gravity, moving walls and emitters from forces and velocities. The
// changes add up to that of the energy (docs/theory/energy.md). Costs a few percent of a step; never changes
// the motion. It is state: saved, loaded and part of the hash.
typedef struct mote_ledger_entry {
  const char *name, *text;
  bool work;      // from forces and velocities: no part of the sum
  double energy;  // J
} mote_ledger_entry;
// Switches the ledger on or off.
MOTE_API mote_result mote_world_keep_ledger(mote_world *world, bool keep, mote_error *error);
// The k-th entry, from 0; false beyond the last, or if the ledger is off.
MOTE_API bool mote_world_ledger(const mote_world *world, int k, mote_ledger_entry *out);

// A reading of a probe: for each of its points position, velocity, pressure, density and, in worlds with
// heat, temperature (0 where there is no fluid). A level gauge has one point, the highest one with fluid, and
// its level.
typedef struct mote_reading {
  double position[3], velocity[3];
  double pressure, density, temperature;
  double level;  // m from `from`; level gauges only
  // Displacement of points of bodies (which have no pressure and density), m; forces of force probes, N: by
  // contacts and fluids in the last step, and by the holds of an elastic body.
  double displacement[3], force[3], reaction[3];
} mote_reading;
MOTE_API int mote_world_probe_points(const mote_world *world, mote_probe probe);
MOTE_API mote_result mote_world_probe(mote_world *world, mote_probe probe, mote_reading *out,
                                      mote_error *error);

// Builds the surface of the current particles, with the given fields (rows as in mote_world_view, one per
// particle; see surface.h) at its vertices. Free it with the environment of the world. Data that a method
// keeps between calls (Adams' distances) is state of the world: saved, loaded and hashed. Building twice at
// the same time gives the same surface.
MOTE_API mote_result mote_world_build_surface(mote_world *world, mote_world_surface surface,
                                              const mote_field_view *field, int fields, mote_surface *out,
                                              mote_error *error);

// Current pose of a collider: x -> R (x - pivot) + pivot + move, R row-major.
typedef struct mote_pose {
  double rotation[9], pivot[3], move[3];
} mote_pose;
MOTE_API mote_result mote_world_pose(const mote_world *world, mote_collider collider, mote_pose *out,
                                     mote_error *error);
// Pose of a collider of this definition at time t, s, independent of a world.
MOTE_API mote_result mote_collider_def_pose(const mote_collider_def *def, int dimensions, double t,
                                            const mote_env *env, mote_pose *out, mote_error *error);

// Current state of a rigid body.
typedef struct mote_body_state {
  double mass;                  // kg (2D: per metre of depth)
  double position[3];           // of its centre of mass
  double orientation[4];        // unit quaternion w, x, y, z; 1 in the defined pose
  double velocity[3], spin[3];  // m/s of the centre of mass; rad/s
  mote_pose pose;               // from the defined to the current pose
} mote_body_state;
MOTE_API mote_body mote_world_find_body(const mote_world *world, const char *name);
// ARGUMENT: the handle is invalid or the body is not rigid.
MOTE_API mote_result mote_world_body(const mote_world *world, mote_body body, mote_body_state *out,
                                     mote_error *error);
// Number of rigid bodies, and the k-th of them.
MOTE_API size_t mote_world_rigid_bodies(const mote_world *world);
MOTE_API mote_body mote_world_rigid_body(const mote_world *world, size_t k);

// --- Bodies -----------------------------------------------------------------------------------------------

// All bodies: added ones, flows of emitters, and fragments of other bodies. The handle of a removed body is
// invalid: its index is never reused; the generation follows from the step in which the body was created.
#define MOTE_BODY_NAME_SIZE 64

typedef struct mote_body_info {
  char name[MOTE_BODY_NAME_SIZE];  // of its definition or emitter; of a part "stone.17"
  mote_kind kind;
  uint32_t material;              // its number in the order of addition, from 0
  mote_body parent;               // what it was part of; zero: nothing, or that has ended
  bool emitted;                   // the flow of an emitter
  bool broken;                    // parts were split off
  uint64_t first_step;            // steps of the world when it was born
  size_t particles;               // 0: rigid; its field "body" of them is 1 + body.index
  double mass;                    // kg
  double centre[3], velocity[3];  // of mass; rigid bodies: of the point of a hinge
} mote_body_info;

// Number of bodies, and the k-th: fluid, then rigid, then elastic ones, each in the order of creation.
MOTE_API size_t mote_world_bodies(const mote_world *world);
MOTE_API mote_body mote_world_body_at(const mote_world *world, size_t k);
MOTE_API mote_result mote_world_body_about(const mote_world *world, mote_body body, mote_body_info *out,
                                           mote_error *error);

// Makes a new body of particles of a fluid or elastic body, given by their ids. Only their label changes:
// neighbours and forces stay. ARGUMENT: a particle is not part of the body.
MOTE_API mote_result mote_world_split_body(mote_world *world, mote_body body, const uint64_t *ids,
                                           size_t count, mote_body *out, mote_error *error);
// Returns the particles of a fragment to its parent, and removes the fragment.
MOTE_API mote_result mote_world_merge_body(mote_world *world, mote_body body, mote_error *error);

// --- Elastic bodies ---------------------------------------------------------------------------------------

// Number of particles of all elastic bodies. Their order, by body and packing, never changes.
MOTE_API size_t mote_world_elastic_particles(const mote_world *world);
// A field of elastic particles, as mote_world_view: "id", "position", "velocity", "rest", "mass", "body";
// "plastic_strain" (0 in materials without flow), since the last reference; and, with rows only for bodies
// whose reference is renewed, "reference", "metric" and "flowed" (mote_elastic_reference).
MOTE_API mote_field_view mote_world_elastic_view(const mote_world *world, const char *field);

// Number of elastic bodies, and the k-th of them with its rows.
MOTE_API size_t mote_world_elastic_bodies(const mote_world *world);
MOTE_API mote_body mote_world_elastic_body(const mote_world *world, size_t k, size_t *first, size_t *count);

// --- Lattices ---------------------------------------------------------------------------------------------

// Number of particles of all lattices (`model: lattice`). Their order changes from step to step.
MOTE_API size_t mote_world_lattice_particles(const mote_world *world);
// A field of these, as mote_world_view: "id", "position", "velocity", "mass", "body", "object",
// "lattice_frame", "lattice_acceleration", "site_neighbour", "solid_fraction", "reach", "hold";
// "docking_rate", with rows only for materials that break.
MOTE_API mote_field_view mote_world_lattice_view(const mote_world *world, const char *field);

// Measures of lattice particles, one number each; null: not wanted.
typedef struct mote_lattice_measures {
  double *strain;        // |S - 1| of the fitted lattice, the corrected WIC06 (7)
  double *open;          // sites that nothing can join any more: those with a docking rate of 0
  uint32_t *neighbours;  // at sites
  uint32_t *material;    // its number in the order of addition from 0
} mote_lattice_measures;
MOTE_API mote_result mote_world_lattice_measure(const mote_world *world, const mote_lattice_measures *out,
                                                mote_error *error);
// Number of lattice objects, which are not bonded to each other. All particles of one body have the number of
// its object, also after it broke.
MOTE_API size_t mote_world_lattice_objects(const mote_world *world);

// A mesh embedded in a lattice body that does not break, WIC06 (17)-(19). It is bound to the particles at
// their positions in `world`, which must not outlive the environment, and then moved with particles of the
// same ids in any world.
typedef struct mote_lattice_skin mote_lattice_skin;
MOTE_API mote_result mote_world_lattice_skin(const mote_world *world, mote_body body, const double *vertex,
                                             size_t count, mote_lattice_skin **out, mote_error *error);
// The same with particles of a file: ids, positions and lattice_frame, three and nine values each.
MOTE_API mote_result mote_lattice_skin_move_to(const mote_lattice_skin *skin, const uint64_t *id,
                                               const double *position, const double *basis, size_t count,
                                               double *vertex, mote_error *error);
MOTE_API mote_result mote_lattice_skin_move(const mote_lattice_skin *skin, const mote_world *world,
                                            double *vertex, mote_error *error);
MOTE_API void mote_lattice_skin_destroy(mote_lattice_skin *skin);

// --- More of elastic bodies -------------------------------------------------------------------------------

// Measures of elastic particles, one number each; null: not wanted.
typedef struct mote_elastic_measures {
  double *stress;    // von Mises stress of the Cauchy stress, Pa
  double *plastic;   // size of the total plastic strain; after a renewed reference accurate to about a tenth
  double *swelling;  // relative change of volume
} mote_elastic_measures;
MOTE_API mote_result mote_world_elastic_measure(const mote_world *world, const mote_elastic_measures *out,
                                                mote_error *error);

// A mesh embedded in an elastic body, EG09 7.2. The world must outlive it.
typedef struct mote_world_skin mote_world_skin;
typedef struct mote_world_skin_def {
  mote_body body;
  mote_skin_kind kind;
  const double *vertex;  // in the rest shape of the body; copied
  const double *normal;  // in the rest shape; copied; null: none
  size_t count;          // vertices
  double support;        // m: radius in which particles move a vertex; 0: the support of the material
  bool fast_normals;     // as in mote_elastic_skin_def
} mote_world_skin_def;

// ARGUMENT: the handle is invalid, the body is not elastic, or vertices are too far from it.
MOTE_API mote_result mote_world_skin_create(const mote_world *world, const mote_world_skin_def *def,
                                            mote_world_skin **out, mote_error *error);
MOTE_API void mote_world_skin_destroy(mote_world_skin *skin);
// Vertices for the body's particles at `position`, in their current rows; null: at their current positions.
// Particles are identified by id: rows may have been added, removed and moved since the skin was created;
// removed particles move with their neighbours. Normals as in mote_elastic_skin_move; null: not wanted.
MOTE_API mote_result mote_world_skin_move(mote_world_skin *skin, const double *position, double *vertex,
                                          double *normal, mote_error *error);

// The surface of an elastic body that can break: a closed mesh of all fragments, with crack faces, deformed
// with the particles. In 2D it is a plate of the thickness of a spacing. Theory: docs/theory/fragments.md
typedef struct mote_world_pieces mote_world_pieces;

// `edge`: resolution, m; 0: half a spacing. ARGUMENT: the handle is invalid, or the body cannot break.
// The world must outlive it.
MOTE_API mote_result mote_world_pieces_create(const mote_world *world, mote_body body, double edge,
                                              mote_world_pieces **out, mote_error *error);
MOTE_API void mote_world_pieces_destroy(mote_world_pieces *pieces);
// Updates it to the current cracks and positions of the world. Only parts changed by cracks are recomputed.
MOTE_API mote_result mote_world_pieces_update(mote_world_pieces *pieces, const mote_world *world,
                                              mote_error *error);
// Valid until the next update. Fragments are numbered by the bodies' ids; numbers of other bodies have no
// triangles.
MOTE_API mote_fragments_view mote_world_pieces_look(const mote_world_pieces *pieces);
MOTE_API const double *mote_world_pieces_rest(const mote_world_pieces *pieces);  // the same vertices at rest
// Number of triangles with a side more than `times` as long as at rest.
MOTE_API size_t mote_world_pieces_stretched(const mote_world_pieces *pieces, double times);

// Allocated bytes of the world and of its skins, without the memory in which surfaces are built.
MOTE_API size_t mote_world_bytes(const mote_world *world);

// --- State ------------------------------------------------------------------------------------------------

// One number for all state: equal worlds have equal hashes, whatever the order of their rows.
MOTE_API uint64_t mote_world_hash(const mote_world *world);
// The hash of a world between two frames as `mote run` prints it: begins the next frame first, as the next
// step would. Within a frame: mote_world_hash.
MOTE_API mote_result mote_world_frame_hash(mote_world *world, uint64_t *out, mote_error *error);
// Hash of positions and velocities alone, rows keyed by the name of their body or emitter and their rank by
// id within it. Independent of the bookkeeping of a world: for comparing versions of Mote.
MOTE_API uint64_t mote_world_motion_hash(const mote_world *world);

// Called with the bytes in order; false stops with FILE.
typedef bool mote_world_write_fn(void *user, const void *bytes, size_t size);
typedef bool mote_world_read_fn(void *user, void *bytes, size_t size);

// All state, and that of the beginning of the frame (docs/formats.md). A world with the same definitions that
// loads it continues bit-identically. Data of surfaces is restored for surfaces of the same name and
// definition; others start without history, since outputs may change. On failure the world is unchanged.
// FORMAT: truncated, damaged or not a snapshot.
MOTE_API mote_result mote_world_save(const mote_world *world, mote_world_write_fn *write, void *user,
                                     mote_error *error);
MOTE_API mote_result mote_world_load(mote_world *world, mote_world_read_fn *read, void *user, uint64_t size,
                                     mote_error *error);

// The same in memory, without bytes: the state, derived fields and report of another world with the same
// definitions.
MOTE_API mote_result mote_world_copy(mote_world *world, const mote_world *from, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
