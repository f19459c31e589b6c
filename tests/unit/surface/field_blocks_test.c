// Signs that a block shows to its neighbours, and the table of blocks.
#include "surface/field_blocks.h"

#include <mote/numeric.h>

#include "test.h"

static void test_signs(void) {
  for (int trial = 0; trial < 50; ++trial) {
    float value[MOTE_BLOCK_NODES];
    double part = trial % 5 == 0 ? 0.002 : 0.5;
    for (size_t n = 0; n < MOTE_BLOCK_NODES; ++n) {
      value[n] = mote_random_uniform(9, (uint64_t)trial, n) < part ? 1.0f : trial % 2 ? -1.0f : 0.0f;
    }
    mote_block_signs signs = mote_block_signs_of(value);
    for (int direction = 0; direction < 27; ++direction) {
      int step[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
      bool inside = false, outside = false;
      for (int n = 0; n < MOTE_BLOCK_NODES; ++n) {
        int at[3] = {n % 8, n / 8 % 8, n / 64};
        bool faces = true;
        for (int a = 0; a < 3; ++a) faces = faces && (step[a] == 0 || at[a] == (step[a] > 0 ? 7 : 0));
        if (faces) *(value[n] > 0.0f ? &inside : &outside) = true;
      }
      CHECK((signs.inside >> direction & 1) == inside);
      CHECK((signs.outside >> direction & 1) == outside);
    }
  }
}

int main(void) {
  test_signs();
  return test_end();
}
