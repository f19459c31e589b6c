// What finding contacts is made of: solids that may meet, and the records of one such pair.
#ifndef MOTE_CONTACT_NARROW_H
#define MOTE_CONTACT_NARROW_H

#include "contact/contact.h"

#define MOTE_CONTACT_MARGIN 0.1       // spacings: what is nearer makes a record, wherever it goes
#define MOTE_CONTACT_PAIR_RECORDS 16  // of one pair

// How a solid moves in the step, and what most pairs ask of it, side by side: whoever looks at a pair would
// wait for what lies elsewhere.
typedef struct mote_contact_way {
  double farthest;                 // that any point of it goes, m
  double spin;                     // rad/s
  const mote_skin_sample *sample;  // of its skin
  size_t samples;
  bool ball;    // its one sample tells all
  bool convex;  // so is its shape
  bool box;
  double axes[9], middle[3], half[3];  // of the box, in the world; half its edges
} mote_contact_way;

mote_contact_way mote_contact_way_of(const mote_contact_scene *scene, const mote_solid *solid);

// The distance of the solid at x, and its normal in the world.
double mote_contact_field(const mote_solid *solid, const double x[3], double normal[3]);

typedef struct mote_contact_pair {
  uint32_t a, b;  // a < b; a is a body
} mote_contact_pair;

// The records of a pair, samples of each against the field of the other, in order; returns how many there
// are. `fast`: none where no sample goes farther than the margin.
size_t mote_contact_near(const mote_contact_scene *scene, const mote_contact_way *way, mote_contact_pair pair,
                         bool fast, mote_contact out[MOTE_CONTACT_PAIR_RECORDS]);

// --- Who is near whom: contact_broad.c ----------------------------------------------------------------

typedef struct mote_contact_pair_list {
  mote_contact_pair *pair;
  size_t count, capacity;
} mote_contact_pair_list;

typedef struct mote_contact_pairs {
  mote_lists near;  // of small bodies, by their place among them
  mote_grid *grid;
  double grid_radius;
  double *reach, *position, *radius;
  double *plane;            // of what has no bounds and stands, 4 numbers a solid: n . x + height
  uint32_t *small, *place;  // place: of each body among the small ones, or MOTE_CONTACT_LARGE
  const uint32_t *large;
  size_t larges;
  size_t reach_held, position_held, radius_held, plane_held, small_held, place_held;
} mote_contact_pairs;

#define MOTE_CONTACT_LARGE UINT32_MAX

// Makes ready to ask for pairs whose balls meet in the step. `again`: solids are where they were when it was
// asked last, and only velocities are others.
mote_result mote_contact_pairs_find(mote_contact_pairs *pairs, const mote_contact_scene *scene,
                                    const mote_contact_way *way, bool again, const mote_env *env,
                                    mote_error *error);
// Those of body a with higher numbers, ascending; any number of threads may ask. `changed`, where not null:
// those of which one is marked.
mote_result mote_contact_pairs_of(const mote_contact_pairs *pairs, const mote_contact_scene *scene,
                                  const uint8_t *changed, size_t a, const mote_env *env,
                                  mote_contact_pair_list *out, mote_error *error);
void mote_contact_pairs_free(mote_contact_pairs *pairs, const mote_env *env);

// --- All of it: contact_find.c ------------------------------------------------------------------------

typedef struct mote_contact_chunk {
  mote_contact_set set;
  mote_contact_pair_list pairs;  // of one body at a time
  size_t first;                  // of its set among all
  mote_result result;
} mote_contact_chunk;

struct mote_contact_finder {
  mote_env env;
  mote_contact_pairs pairs;
  mote_contact_way *way;
  mote_contact_chunk *chunk;  // of bodies
  size_t way_held, chunks;
  mote_contact_set spare;
};

#endif
