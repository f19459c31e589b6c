// Bodies of a world that can break: their cracks as state, and weights by them. Theory:
// docs/theory/fracture.md
#ifndef MOTE_FRACTURE_BODIES_H
#define MOTE_FRACTURE_BODIES_H

#include "cracks/crack_grow.h"
#include "cracks/elastic_cut.h"
#include "fragments/body_grid.h"
#include "kinds/elastic/elastic_bodies.h"

// clang-format off
//  Triangles of all cracks, those of each body in the order of their birth.
#define MOTE_CRACK_FIELDS(F) \
  F(MOTE_CRACK_BODY,    "body",     U64, 1, ALL, REQUIRED, 0, "1", "fracture", "id of the body of the definition") \
  F(MOTE_CRACK_SHEET,   "sheet",    U32, 1, ALL, REQUIRED, 0, "1", "fracture", "number of the crack in its body") \
  F(MOTE_CRACK_CORNERS, "corners",  F64, 9, ALL, REQUIRED, 0, "m", "fracture", "of the triangle at rest; in 2D of a segment, with the second twice")

//  Nodes of all fronts, body by body, front by front.
#define MOTE_FRONT_FIELDS(F) \
  F(MOTE_FRONT_BODY,     "body",     U64, 1, ALL, REQUIRED, 0, "1", "fracture", "id of the body of the definition") \
  F(MOTE_FRONT_NUMBER,   "front",    U32, 1, ALL, REQUIRED, 0, "1", "fracture", "number of the front in its body") \
  F(MOTE_FRONT_SHEET,    "sheet",    U32, 1, ALL, REQUIRED, 0, "1", "fracture", "number of its crack") \
  F(MOTE_FRONT_CLOSED,   "closed",   U8,  1, ALL, REQUIRED, 0, "1", "fracture", "1: its last node joins the first") \
  F(MOTE_FRONT_MOVING,   "moving",   U8,  1, ALL, REQUIRED, 0, "1", "fracture", "1: the front had reached the toughness when last looked at") \
  F(MOTE_FRONT_LIVE,     "live",     U8,  1, ALL, REQUIRED, 0, "1", "fracture", "0: the node has ended") \
  F(MOTE_FRONT_BUDGET,   "budget",   F64, 1, ALL, REQUIRED, 0, "m", "fracture", "that the front may grow at once") \
  F(MOTE_FRONT_POSITION, "position", F64, 3, ALL, REQUIRED, 0, "m", "fracture", "of the node at rest") \
  F(MOTE_FRONT_AHEAD,    "ahead",    F64, 3, ALL, REQUIRED, 0, "1", "fracture", "direction of growth") \
  F(MOTE_FRONT_NORMAL,   "normal",   F64, 3, ALL, REQUIRED, 0, "1", "fracture", "of the sheet there")
// clang-format on

enum { MOTE_CRACK_FIELDS(MOTE_FIELD_INDEX) MOTE_CRACK_FIELD_COUNT };
enum { MOTE_FRONT_FIELDS(MOTE_FIELD_INDEX) MOTE_FRONT_FIELD_COUNT };
extern const mote_table mote_crack_table, mote_crack_front_table;

// Of an elastic item: made of the definition and of the state.
typedef struct mote_fracture {
  mote_fracture_law law;
  mote_crack_sheets cracks;  // those of the state
  mote_elastic_cut cut;
  // Splitting: the body as it was made, which is the item's until its particles are split, and what else it
  // is made of.
  mote_elastic *first;
  mote_elastic_cut first_cut;  // where the item has another
  double *first_filled;
  double *face;  // points, then areas of the free surface; null: integration is not corrected
  size_t faces;
  double split_min;
  size_t split_most;
  bool limited;     // the run was told that no more particles are split
  uint32_t *label;  // of each particle when weights were last computed: its body
  size_t label_capacity;
  mote_body_grid grid;  // of cracks and particles; behind them until a crack grows
} mote_fracture;

// stage_fracture.c: cracks start and grow, cut weights, and bodies come apart. Reads elastic rows; writes the
// tables of cracks, fronts and bodies, and rows, weights and labels of elastic bodies.
mote_result mote_fracture_step(mote_world *world, mote_error *error);

// Only for items whose material has a strength. make: with the cracks of the definition, before its rows
// exist. begin: applies them to weights and state, once it is the last elastic body of the world.
mote_result mote_fracture_make(mote_world *world, const mote_body_def *def,
                               const mote_elastic_material_def *elastic, const mote_elastic_handles *marks,
                               mote_elastic_item *item, mote_error *error);
mote_result mote_fracture_begin(mote_world *world, mote_error *error);
void mote_fracture_free(mote_elastic_item *item, const mote_env *env);

// Updates the cracks and weights of elastic body k to those of the state. *recut: set if they differed.
mote_result mote_fracture_load(mote_world *world, size_t k, bool *recut, mote_error *error);
// fracture_state.c: writes all fronts, and the triangles that the state does not have yet; reads those of the
// body with this id.
mote_result mote_fracture_save(mote_world *world, mote_error *error);
// Removes the cracks of a body that is removed: it may come again.
mote_result mote_fracture_forget(mote_world *world, uint64_t body, mote_error *error);
mote_result mote_fracture_read(const mote_world *world, uint64_t body, mote_crack_sheets *out,
                               mote_error *error);
mote_result mote_fracture_register(mote_world *world, mote_error *error);
// Whether the tables of a snapshot are valid.
bool mote_fracture_possible(const mote_state *state);

// The longest step while fronts move, s.
double mote_fracture_step_limit(const mote_world *world);
// The body as input of crack growth. `stress`: six numbers per particle; `gripped`: one, set here.
mote_crack_matter mote_fracture_matter(const mote_world *world, size_t k, const double *stress,
                                       uint8_t *gripped);
// fracture_split.c: 1 for particles that are held or carry a surface load: they are never split, and their
// stress is not representative of the body.
void mote_fracture_mark_gripped(const mote_world *world, size_t k, uint8_t *gripped);
// Applies the triangles of `changed` to the weights of body k; *recut: any weight has changed.
mote_result mote_fracture_cut(mote_world *world, size_t k, const mote_crack_sheets *changed, bool *recut,
                              mote_error *error);
// Recomputes the weights from all cracks.
mote_result mote_fracture_recut(mote_world *world, size_t k, mote_error *error);
// The highest frequency of body k with its current cracks: once after all changes of weights.
mote_result mote_fracture_find_frequency(mote_world *world, size_t k, mote_error *error);
// Stresses of body k, turned back to the first rest shape, six each.
mote_result mote_fracture_stresses(const mote_world *world, size_t k, double *stress, mote_error *error);

// fracture_split.c: splits the particles of body k that have too few neighbours, EG09 (71), into new rows at
// the end of its block. *split: there were any; world->elastic_bodies must then be rebuilt.
mote_result mote_fracture_split(mote_world *world, size_t k, bool *split, mote_error *error);
// Rebuilds the uncut body k from the rows of the state if it was made of others (*changed).
mote_result mote_fracture_load_split(mote_world *world, size_t k, bool *changed, mote_error *error);
// Whether the rows of a block can belong to this body; they may be from another state.
bool mote_fracture_rows_possible(const mote_elastic_item *item, const mote_store *store, size_t block);

// fracture_parts.c: parts of body k that cracks have separated become bodies: components of its cut grid
// before its weights are computed, and components of the graph of its pairs afterwards.
mote_result mote_fracture_part_grid(mote_world *world, size_t k, mote_error *error);
mote_result mote_fracture_part_pairs(mote_world *world, size_t k, mote_error *error);
// The node of each particle of the largest connected component of its body; NONE for others, which carry no
// surface and separate nothing. `root`: one element per particle.
void mote_fracture_main_nodes(const mote_world *world, size_t k, const uint32_t *node, uint32_t *root,
                              uint32_t *held);
// Smallest number of particles of a fragment: smaller parts stay with their body.
size_t mote_fracture_least_part(const mote_world *world);

#endif
