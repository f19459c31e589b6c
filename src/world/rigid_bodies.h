// Rigid bodies of a world: made of definitions, and as the solids that contact sees.
// Theory: docs/theory/bodies.md
#ifndef MOTE_RIGID_BODIES_H
#define MOTE_RIGID_BODIES_H

#include "world/world_data.h"

// Makes a rigid body of the definition: its shape (item->shape), its row of the table, and its item among
// bodies. On failure the world is as before, but for item->shape.
mote_result mote_rigid_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                 mote_error *error);

// Solids in the order of their numbers: bodies, walls, colliders, as they are now and go on in so many
// seconds. world->contacts.solid.
mote_result mote_rigid_solids(mote_world *world, double seconds, mote_contact_scene *scene,
                              mote_error *error);

// Of which that is made: room for all solids, a scene without any, body k, and what stands or is moved, of
// which there are so many.
mote_result mote_rigid_reserve(mote_world *world, mote_error *error);
mote_contact_scene mote_rigid_scene(const mote_world *world, double seconds);
mote_solid mote_rigid_body_solid(const mote_world *world, size_t k);
size_t mote_rigid_obstacles(const mote_world *world, double seconds, mote_solid *out);

// In a fluid (rigid_coupled.c): makes world->fluid.wet of the bodies as they are now, and puts their samples
// there; after a change of the table gives them its velocities, and what is expected to change these (of each
// body velocity and spin; may be null); takes over what the fluid has done to them.
mote_result mote_rigid_wet_make(mote_world *world, mote_error *error);
void mote_rigid_wet_renew(mote_world *world, const double *expected);
void mote_rigid_wet_take(mote_world *world);

// Blows of particles that hard contact stopped at bodies (fluid_impulse_rigid.c): asks for what they lose,
// and gives as much of it to the bodies as an inelastic impact does; the particles keep the rest.
mote_result mote_rigid_blows_begin(mote_world *world, mote_collision *collision, mote_error *error);
mote_result mote_rigid_blows_give(mote_world *world, const mote_collision *collision, mote_error *error);

// Gravity's part of a step.
void mote_rigid_weigh(mote_world *world);

// What the contacts of the last step would do in this one to velocity and spin of each body, a few
// times gravity's at most; in scratch memory, or null where none pressed. The table is left as it is.
mote_result mote_rigid_rest(mote_world *world, const double **out, mote_error *error);

// The contacts that pressed in the last step: world->contacts.set.
mote_result mote_contacts_load(mote_world *world, mote_error *error);

// Where rigid body k is now.
mote_pose mote_rigid_body_pose(const mote_world *world, size_t k);

// What bodies meet with: the walls of the domain and the finder, where they are not there yet.
mote_result mote_contacts_make(mote_world *world, mote_error *error);
void mote_contacts_free(mote_contacts *contacts, const mote_env *env);

#endif
