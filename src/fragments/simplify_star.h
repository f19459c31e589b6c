// What is about a point of a complex: its triangles, in pages, and the edges to its neighbours; whether it
// may go into one of them. A page is a run of triangles between the same two fragments. Theory:
// docs/theory/fragments.md, "Simplified"
#ifndef MOTE_SIMPLIFY_STAR_H
#define MOTE_SIMPLIFY_STAR_H

#include "fragments/simplify_complex.h"

#define MOTE_STAR_MOST 48  // triangles: points with more stay
#define MOTE_PAGES_MOST 8  // of a curve in which surfaces meet

typedef struct mote_spoke {
  uint32_t point;
  uint8_t triangles, leaving, arriving;  // those in which it follows the star's point, and precedes it
  bool curve;                            // other than two triangles, or of two pages
} mote_spoke;

// Triangle k has the star's point at corner at[k]; spokes `from` and `to` are its next two corners.
typedef struct mote_star {
  uint32_t point;
  int count, spokes, pages;  // pages: 0: the point stays where it is
  bool curve;                // surfaces meet in the two edges that are curves; else one page all around
  uint32_t row[MOTE_STAR_MOST];
  uint8_t at[MOTE_STAR_MOST], from[MOTE_STAR_MOST], to[MOTE_STAR_MOST], page[MOTE_STAR_MOST];
  mote_spoke spoke[2 * MOTE_STAR_MOST];
  double area2[MOTE_STAR_MOST][3], quality[MOTE_STAR_MOST];  // of each triangle
  double normal[MOTE_PAGES_MOST][3];                         // sums of area2
  double worst;                                              // quality
} mote_star;

// Rows that are no more are taken out of the point's list.
void mote_star_find(const mote_complex *complex, uint32_t point, mote_star *out);

// Of each point, the query in which it was met.
typedef struct mote_star_marks {
  uint32_t *mark;
  uint32_t query;
} mote_star_marks;

// Whether the complex keeps its topology, and each piece its, when the star's point goes into that spoke's.
bool mote_star_may_collapse(const mote_complex *complex, const mote_star *star, int spoke,
                            mote_star_marks *marks);

// Changes the triangles: those of the spoke are no more, the others get its point.
void mote_star_collapse(mote_complex *complex, const mote_star *star, int spoke);

static inline bool mote_star_has_spoke(const mote_star *star, int triangle, int spoke) {
  return star->from[triangle] == spoke || star->to[triangle] == spoke;
}

#endif
