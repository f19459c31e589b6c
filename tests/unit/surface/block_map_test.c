// The table of blocks: what is added is found, once, and numbered by place.
#include "surface/block_map.h"

#include <mote/numeric.h>

#include "test.h"

int main(void) {
  mote_block_map map = {.env = mote_env_default()};
  CHECK(mote_block_map_find(&map, 5) == MOTE_BLOCK_ABSENT);
  size_t added = 0;
  for (size_t n = 0; n < 20000; ++n) {
    int32_t at[3], back[3];
    for (int a = 0; a < 3; ++a) at[a] = (int32_t)(30.0 * mote_random_uniform(1, (uint64_t)a, n)) - 15;
    uint64_t key = mote_block_key(at[0], at[1], at[2]);
    mote_block_place(key, back);
    CHECK(back[0] == at[0] && back[1] == at[1] && back[2] == at[2]);
    bool there = mote_block_map_find(&map, key) != MOTE_BLOCK_ABSENT;
    CHECK(mote_block_map_add(&map, key, NULL) == MOTE_OK);
    added += !there;
    CHECK(map.count == added);
  }
  CHECK(mote_block_map_sort(&map, NULL) == MOTE_OK);
  for (size_t n = 0; n < map.count; ++n) {
    CHECK(mote_block_map_find(&map, map.key[n]) == n);
    if (n > 0) CHECK(map.key[n] > map.key[n - 1]);
  }
  CHECK(mote_block_map_find(&map, mote_block_key(40, 0, 0)) == MOTE_BLOCK_ABSENT);
  mote_block_map_clear(&map);
  CHECK(map.count == 0 && mote_block_map_find(&map, mote_block_key(0, 0, 0)) == MOTE_BLOCK_ABSENT);
  mote_block_map_free(&map);
  return test_end();
}
