// Rigid bodies of a world: their creation from definitions, and their form as obstacles of the contact
// solver. Theory: docs/theory/bodies.md
#ifndef MOTE_RIGID_BODIES_H
#define MOTE_RIGID_BODIES_H

#include "matter/kind.h"

extern const mote_kind_row mote_kind_row_rigid;

// Creates a rigid body from the definition: its shape (item->shape), its row in the table, and its item among
// bodies. On failure the world is unchanged except for item->shape.
mote_result mote_rigid_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                 mote_error *error);

// Fails where body k overlaps another, a wall or a collider, as they are now.
mote_result mote_rigid_check_place(mote_world *world, size_t body, mote_error *error);

// Fills world->contacts.obstacle in the order of indices: bodies, walls, colliders, with their current state
// and their motion over the next `seconds`.
mote_result mote_contact_obstacles(mote_world *world, double seconds, mote_contact_scene *scene,
                                   mote_error *error);

// Its parts: memory for all obstacles; a scene without obstacles; the obstacle of body k; the obstacles
// (walls and colliders), whose number is returned.
mote_result mote_rigid_reserve(mote_world *world, mote_error *error);
mote_contact_scene mote_rigid_scene(const mote_world *world, double seconds);
mote_obstacle mote_rigid_body_obstacle(const mote_world *world, size_t k, double seconds);
size_t mote_fixed_obstacles(const mote_world *world, double seconds, mote_obstacle *out);

// The longest step up to `longest` seconds in which no point of a rotating body near others deviates from a
// straight line by more than a tenth of a spacing: contact assumes straight paths.
mote_result mote_rigid_spin_limit(mote_world *world, double *longest, mote_error *error);

// Coupling to fluids (rigid_coupled.c). couple: appends the current bodies to world->fluid.coupled and places
// their samples. update: after a change of the table, copies its velocities, plus the expected changes
// (velocity and spin of each body; may be null). take: applies the fluid's impulses to the table.
void mote_rigid_couple(mote_world *world);
void mote_rigid_coupled_update(mote_world *world, const double *expected);
void mote_rigid_coupled_take(mote_world *world);

// stage_rigid.c: contacts and motion over world->dt. Writes the tables of bodies and contacts.
mote_result mote_rigid_bodies_step(mote_world *world, mote_error *error);

// Impulses of fluid particles stopped by hard contact with bodies (fluid_impulse_rigid.c). begin: requests a
// record of the lost momentum. apply: gives the bodies the part of an inelastic impact; the particles keep
// the rest.
mote_result mote_rigid_fluid_impulses_begin(mote_world *world, mote_collision *collision, mote_error *error);
mote_result mote_rigid_fluid_impulses_apply(mote_world *world, const mote_collision *collision,
                                            mote_error *error);

// Notes the velocities of all bodies before anything has acted on them in this step.
mote_result mote_rigid_keep_velocities(mote_world *world, mote_error *error);
// Adds the impulse of gravity of one step to all bodies.
void mote_rigid_apply_gravity(mote_world *world);

// Predicts the change of velocity and spin of each body in this step by the contacts of the last one, limited
// to a few times that of gravity; in scratch memory, or null where no contact had an impulse. The table does
// not change.
mote_result mote_rigid_predict_contacts(mote_world *world, const double **out, mote_error *error);

// Reads the contacts with impulses of the last step into world->contacts.set.
mote_result mote_contacts_load(mote_world *world, mote_error *error);

// Current pose of rigid body k.
mote_pose mote_rigid_body_pose(const mote_world *world, size_t k);

// Creates the walls of the domain as obstacles, and the contact finder, where missing.
mote_result mote_contacts_make(mote_world *world, mote_error *error);
void mote_contacts_free(mote_contacts *contacts, const mote_env *env);

#endif
