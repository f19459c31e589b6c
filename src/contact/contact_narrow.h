// Finding contacts: pairs of obstacles that may meet (broad phase), and the contact records of one pair
// (narrow phase).
#ifndef MOTE_CONTACT_NARROW_H
#define MOTE_CONTACT_NARROW_H

#include "contact/contact.h"

#define MOTE_CONTACT_PAIR_RECORDS 16  // at most, per pair

// Motion of an obstacle in the step and its most frequently read properties, packed together to avoid cache
// misses.
typedef struct mote_contact_cache {
  double farthest;                    // largest displacement of any of its points, m
  double spin;                        // rad/s
  double deforming_speed;             // m/s: bound of its surface's velocity beyond v and w; 0: it is rigid
  const mote_contact_sample *sample;  // contact sample
  size_t samples;
  bool ball;    // one sample without a ring describes the obstacle
  bool convex;  // its shape is convex
  bool box;
  double axes[9], middle[3], half[3];  // of the box, in world coordinates; half its edges
} mote_contact_cache;

mote_contact_cache mote_contact_cache_of(const mote_contact_scene *scene, const mote_obstacle *obstacle);

typedef struct mote_contact_pair {
  uint32_t a, b;  // a < b; a is a body
} mote_contact_pair;

// The records of a pair, samples of each against the field of the other, in order; returns their number.
// `fast`: of samples beyond the margin only.
size_t mote_contact_find_pair(const mote_contact_scene *scene, const mote_contact_cache *cache,
                              mote_contact_pair pair, bool fast, mote_contact out[MOTE_CONTACT_PAIR_RECORDS]);

// --- Broad phase: contact_broad.c --------------------------------------------------------------------

typedef struct mote_contact_pair_list {
  mote_contact_pair *pair;
  size_t count, capacity;
} mote_contact_pair_list;

typedef struct mote_contact_pairs {
  mote_lists neighbours;  // of small bodies, by their index among them
  mote_grid *grid;
  double grid_radius;
  double *reach, *position, *radius;
  double *plane;            // of unbounded obstacles at rest, 4 numbers each: n . x + height
  uint32_t *small, *place;  // place: index of each body among the small ones, or MOTE_CONTACT_LARGE
  const uint32_t *large;
  size_t larges;
  size_t reach_capacity, position_capacity, radius_capacity, plane_capacity, small_capacity, place_capacity;
} mote_contact_pairs;

#define MOTE_CONTACT_LARGE UINT32_MAX

// Prepares the search for pairs whose balls meet in the step. `again`: the positions are those of the last
// call, only the velocities differ.
mote_result mote_contact_pairs_find(mote_contact_pairs *pairs, const mote_contact_scene *scene,
                                    const mote_contact_cache *cache, bool again, const mote_env *env,
                                    mote_error *error);
// Partners of body a with higher indices, ascending; thread-safe. `changed`, where not null: only pairs with
// a marked obstacle.
mote_result mote_contact_pairs_of(const mote_contact_pairs *pairs, const mote_contact_scene *scene,
                                  const uint8_t *changed, size_t a, const mote_env *env,
                                  mote_contact_pair_list *out, mote_error *error);
void mote_contact_pairs_free(mote_contact_pairs *pairs, const mote_env *env);

// --- All contacts: contact_find.c --------------------------------------------------------------------

typedef struct mote_contact_chunk {
  mote_contact_set set;
  mote_contact_pair_list pairs;  // of one body at a time
  size_t first;                  // index of its first contact in the joined set
  mote_result result;
} mote_contact_chunk;

struct mote_contact_finder {
  mote_env env;
  mote_contact_pairs pairs;
  mote_contact_cache *cache;
  mote_contact_chunk *chunk;  // of bodies
  size_t cache_capacity, chunks;
  mote_contact_set spare;
};

#endif
