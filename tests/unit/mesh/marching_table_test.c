// The table of cubes: 656 cases, loops that are closed, inside to the left, faces read the same from both
// sides.
#include "mesh/marching_table.h"

#include "test.h"

static mote_marching_table table;

static unsigned upper(unsigned edge) {
  return table.lower[edge] | 1u << edge / 4;
}

static void test_geometry(void) {
  for (unsigned f = 0; f < 6; ++f) {
    for (unsigned k = 0; k < 4; ++k) {
      unsigned a = table.corner[f][k], b = table.corner[f][(k + 1) & 3], step = a ^ b;
      CHECK(step == 1 || step == 2 || step == 4);
      CHECK((a >> f / 2 & 1) == f % 2);
    }
    // Counter-clockwise seen from outside: first step x second step = the outward normal.
    int u[3], w[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = (table.corner[f][1] >> k & 1) - (table.corner[f][0] >> k & 1);
      w[k] = (table.corner[f][2] >> k & 1) - (table.corner[f][1] >> k & 1);
    }
    int a = (int)f / 2, b = (a + 1) % 3, c = (a + 2) % 3;
    CHECK(u[b] * w[c] - u[c] * w[b] == (f % 2 ? 1 : -1));
  }
  for (unsigned e = 0; e < 12; ++e) CHECK(table.lower[e] < 8 && !(table.lower[e] >> e / 4 & 1));
}

// Every crossed edge is in one loop, neighbours in a loop share a face, and the inside is to the left.
static void test_case(unsigned pattern, const mote_cube_case *c) {
  unsigned crossed = 0, seen = 0, used = 0, triangles = 0;
  for (unsigned e = 0; e < 12; ++e) {
    if ((pattern >> table.lower[e] & 1) != (pattern >> upper(e) & 1)) crossed |= 1u << e;
  }
  for (unsigned l = 0; l < c->loops; ++l) {
    unsigned n = c->length[l];
    CHECK(n >= 3);
    for (unsigned i = 0; i < n; ++i) {
      unsigned e = c->edge[used + i], next = c->edge[used + (i + 1) % n];
      CHECK(!(seen >> e & 1));
      seen |= 1u << e;
      unsigned shared = table.faces[e] & table.faces[next];
      CHECK(shared != 0 && (shared & (shared - 1)) == 0);
    }
    triangles += c->centred >> l & 1 ? n : n - 2;
    used += n;
  }
  CHECK(seen == crossed && c->triangles == triangles);
  CHECK((c->centred & (c->centred - 1)) == 0);
}

static void test_cases(void) {
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    unsigned begin = table.first[pattern], end = pattern < 255 ? table.first[pattern + 1] : MOTE_CUBE_CASES;
    CHECK(end - begin == 1u << __builtin_popcount(table.ambiguous[pattern]));
    for (unsigned c = begin; c < end; ++c) test_case(pattern, table.cases + c);
  }
  // One corner inside: the loop about it, counter-clockwise seen from outside.
  const mote_cube_case *corner = table.cases + table.first[1];
  CHECK(corner->loops == 1 && corner->edge[0] == 0 && corner->edge[1] == 4 && corner->edge[2] == 8);
}

// Two opposite corners of a face: joined when their product is the larger; a tie keeps them apart.
static void test_faces(void) {
  float value[8] = {2, -1, -1, 2, -9, -9, -9, -9};
  unsigned pattern = 1u | 8u;
  CHECK(table.ambiguous[pattern] == 1u << 4);
  CHECK(mote_cube_case_of(&table, pattern, value)->loops == 1);
  value[0] = value[3] = 1.0f;
  CHECK(mote_cube_case_of(&table, pattern, value)->loops == 2);
  value[0] = value[3] = 1.0f + 0x1p-23f;
  CHECK(mote_cube_case_of(&table, pattern, value)->loops == 1);
  CHECK(mote_face_joins(1e-45f, 0.0f, 1e-45f, -3e38f));
  CHECK(!mote_face_joins(3e38f, -3e38f, 3e38f, -3e38f));
}

int main(void) {
  mote_marching_table_fill(&table);
  test_geometry();
  test_cases();
  test_faces();
  return test_end();
}
