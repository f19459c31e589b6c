// Asserts catch what they are for: one invariant of each container is broken in a child of fork, which aborts
// and names it. Where asserts are off they are not evaluated, and that is all there is to see.
#define _POSIX_C_SOURCE 200809L
#include "matter/bodies.h"
#include "mesh/half_edges.h"
#include "mesh_kit.h"
#include "pairs/pair_set.h"
#include "search/grid.h"
#include "store_kit.h"
#include "test.h"
#include "world_kit.h"

static void without_asserts_nothing_is_evaluated(void) {
  int evaluated = 0;
  MOTE_ASSERT(++evaluated > 0);
#ifdef MOTE_ASSERTS
  CHECK(evaluated == 1);
#else
  CHECK(evaluated == 0);
#endif
}

#ifdef MOTE_ASSERTS

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void action(void *data);

// What a child says that does it; *aborted: whether it ended so.
static void in_child(action *act, void *data, bool *aborted, char *said, size_t size) {
  int ends[2], status = 0;
  size_t length = 0;
  *aborted = false, said[0] = '\0';
  if (!CHECK(pipe(ends) == 0)) return;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]), close(ends[1]);
    act(data);
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t n; length + 1 < size && (n = read(ends[0], said + length, size - 1 - length)) > 0;)
    length += (size_t)n;
  said[length] = '\0';
  close(ends[0]);
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  *aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void is_caught(action *act, void *data, const char *function, const char *condition) {
  bool aborted;
  char said[2048];
  in_child(act, data, &aborted, said, sizeof said);
  if (!CHECK(aborted && strstr(said, function) != NULL && strstr(said, condition) != NULL))
    fprintf(stderr, "  wanted %s: %s, got \"%s\"\n", function, condition, said);
}

static void is_fine(action *act, void *data) {
  bool aborted;
  char said[2048];
  in_child(act, data, &aborted, said, sizeof said);
  CHECK(!aborted && said[0] == '\0');
}

// --- Arena ----------------------------------------------------------------------------------------------

static void check_arena(void *data) {
  mote_arena_check(data);
}

static void release_out_of_order(void *data) {
  mote_arena *arena = data;
  mote_arena_mark outer = mote_arena_here(arena);
  mote_arena_take(arena, 100, 8);
  mote_arena_mark inner = mote_arena_here(arena);
  mote_arena_release(arena, outer);
  mote_arena_release(arena, inner);
}

static void lend_what_is_not_its_own(void *data) {
  char other[64];
  mote_arena_lend(data, other, sizeof other);
}

static void arenas(void) {
  mote_arena arena = mote_arena_make(NULL);
  mote_arena_take(&arena, 10, 8);
  is_fine(check_arena, &arena);
  is_caught(release_out_of_order, &arena, "mote_arena_release", "mark.taken <= arena->taken");
  is_caught(lend_what_is_not_its_own, &arena, "mote_arena_lend", "has_bytes");
  size_t used = arena.used;
  arena.used = (size_t)1 << 40;
  is_caught(check_arena, &arena, "mote_arena_check", "arena->used <= arena->current->size");
  arena.used = used;
  mote_arena_destroy(&arena);
}

// --- Store ----------------------------------------------------------------------------------------------

static void check_store(void *data) {
  mote_store_check(data);
  mote_store_check_ids(data);
}

static void add_row(void *data) {
  mote_store *store = data;
  mote_store_resize(store, store->blocks - 1, store->block[store->blocks - 1].count + 1, NULL);
}

static void stores(void) {
  mote_store store = kit_store(NULL, 30, 1);
  is_fine(check_store, &store);
  is_fine(add_row, &store);
  ++store.block[1].first[0];
  is_caught(check_store, &store, "check_blocks", "block->first[group] == row");
  is_caught(add_row, &store, "check_blocks", "block->first[group] == row");
  --store.block[1].first[0];
  ++store.count[MOTE_GROUP_WARM];
  is_caught(check_store, &store, "check_blocks", "store->count[group] == row");
  --store.count[MOTE_GROUP_WARM];
  uint64_t *id = mote_store_u64(&store, THING_ID), own = id[3];
  id[3] = id[4];
  is_caught(check_store, &store, "mote_store_check_ids", "!(seen[");
  id[3] = store.next_id;
  is_caught(check_store, &store, "mote_store_check_ids", "id[r] < store->next_id");
  id[3] = own;
  is_fine(check_store, &store);
  mote_store_destroy(&store);
}

// --- Neighbour lists --------------------------------------------------------------------------------------

typedef struct lists_case {
  mote_lists lists;
  size_t points;
} lists_case;

static void check_lists(void *data) {
  const lists_case *c = data;
  mote_lists_check(&c->lists, c->points);
}

static void check_cells(void *data) {
  mote_cells_check(data);
}

static void check_lanes(void *data) {
  mote_pair_lane_set_check(data, 2);
}

static void lists(void) {
  double position[3 * 64];
  for (int k = 0; k < 64; ++k) {
    position[3 * k] = k % 4, position[3 * k + 1] = k / 4 % 4, position[3 * k + 2] = k / 16;
  }
  mote_grid_def def = mote_grid_def_default(1.5);
  mote_grid *grid;
  lists_case c = {.points = 64};
  CHECK(mote_grid_create(&def, NULL, &grid, NULL) == MOTE_OK);
  CHECK(mote_grid_build(grid, position, 64, NULL) == MOTE_OK);
  CHECK(mote_grid_neighbours(grid, &c.lists, NULL) == MOTE_OK);
  is_fine(check_lists, &c);
  uint32_t *index = grid->lists.index + c.lists.first[10], own = index[0];
  index[0] = 64;
  is_caught(check_lists, &c, "mote_lists_check", "index[k] < points");
  index[0] = own;
  ++grid->lists.first[10];
  is_caught(check_lists, &c, "mote_lists_check", "lists->first[i] % LIST_ALIGNMENT == 0");
  --grid->lists.first[10];
  is_fine(check_cells, &grid->cells);
  ++grid->cells.cell[grid->cells.cells].point;
  is_caught(check_cells, &grid->cells, "mote_cells_check", "== c->count");
  --grid->cells.cell[grid->cells.cells].point;
  mote_grid_destroy(grid);

  uint32_t first[2] = {0, 1}, number[2] = {1, 1};
  mote_pair_lanes lanes[2] = {{{1, 2, 2, 2}}, {{0, 2, 2, 2}}};
  mote_pair_view set = {.rows = 2, .first = first, .number = number, .lanes = lanes};
  is_fine(check_lanes, &set);
  lanes[1].index[3] = 3;
  is_caught(check_lanes, &set, "mote_pair_lane_set_check", "most <= set->rows");
  lanes[1].index[3] = 2, first[1] = 2;
  is_caught(check_lanes, &set, "mote_pair_lane_set_check", "<= groups");
}

// --- Meshes -----------------------------------------------------------------------------------------------

static void check_edges(void *data) {
  mote_half_edges_check(data);
}

static void meshes(void) {
  mote_mesh mesh = kit_sphere(2);
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  CHECK(mote_half_edges_create(&mesh, 1, &arena, &e, NULL) == MOTE_OK);
  is_fine(check_edges, &e);
  uint32_t twin = e.twin[7], origin = e.origin[0];
  e.twin[7] = e.twin[8];
  is_caught(check_edges, &e, "mote_half_edges_check", "e->twin[twin] == h");
  e.twin[7] = twin, e.origin[0] = (uint32_t)e.vertices;
  is_caught(check_edges, &e, "mote_half_edges_check", "e->origin[h] < e->vertices");
  e.origin[0] = origin;
  is_fine(check_edges, &e);
  mote_arena_destroy(&arena);
  kit_free(&mesh);
}

// --- Bodies -----------------------------------------------------------------------------------------------

static void check_bodies(void *data) {
  mote_bodies_check(data);
}

static void advance(void *data) {
  if (mote_world_advance(data, 1e-3, NULL) != MOTE_OK) abort();
}

static void bodies(void) {
  world_kit kit;
  world_kit_everything(&kit, 2, 0.05);
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  is_fine(check_bodies, world);
  is_fine(advance, world);
  mote_store *store = mote_bodies(world);
  size_t block = MOTE_KIND_FLUID, row = store->block[block].first[0];
  if (!CHECK(store->block[block].count >= 2)) return;
  uint64_t *id = mote_store_u64(store, MOTE_BODY_ID), own = id[row + 1];
  id[row + 1] = id[row];
  is_caught(check_bodies, world, "mote_bodies_check", "id[r - 1] < id[r]");
  id[row + 1] = own;
  uint32_t *parent = mote_store_u32(store, MOTE_BODY_PARENT);
  parent[row] = (uint32_t)store->next_id + 1;
  is_caught(check_bodies, world, "check_row", "parent <= ");
  parent[row] = 0;
  uint32_t *material = mote_store_u32(store, MOTE_BODY_MATERIAL);
  material[row] += 100;
  is_caught(advance, world, "check_row", "MOTE_BODY_MATERIAL");
  material[row] -= 100;
  uint64_t *particle = mote_store_u64(mote_world_store(world), MOTE_PARTICLE_ID);
  particle[1] = particle[0];
  is_caught(advance, world, "mote_store_check_ids", "!(seen[");
  mote_world_destroy(world);
}

static void containers(void) {
  arenas();
  stores();
  lists();
  meshes();
  bodies();
}

#else

static void containers(void) {
  puts("asserts are off: broken containers are not tried");
}

#endif

int main(void) {
  without_asserts_nothing_is_evaluated();
  containers();
  return test_end();
}
