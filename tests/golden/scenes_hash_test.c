// Motion hashes of three scenes at the end of their duration: a crack runs and splits a body; a tracked
// surface with mesh tension changes its topology (its mesh counts, too); every kind of matter in one world
// with heat. The same on every compiler, build and number of threads, and resumed from a snapshot.
#include <inttypes.h>
#include <mote/io.h>

#include "base/hash.h"
#include "test.h"
#include "world_kit.h"

// What happened in the steps of a run.
typedef struct happened {
  size_t matches, phases;  // changes of the surface's topology; particles that melted or froze
} happened;

typedef struct golden {
  const char *name, *text;
  double end;                                               // s
  bool tracked;                                             // the mesh counts
  bool (*is_due)(const mote_world *w, const happened *of);  // whether all that the scene is for has happened
  uint64_t hash;
} golden;

// --- A crack ----------------------------------------------------------------------------------------------

// A plate with an oblique notch, pulled apart at its ends.
static const char crack[] =
    "dimensions: 2\n"
    "spacing: 2 cm\n"
    "duration: 1.2 s\n"
    "gravity: [0, 0]\n"
    "domain: {low: [-0.5, -0.6], high: [0.5, 0.6]}\n"
    "materials:\n"
    "  aspic: {model: elastic, density: 1000, young: 20 kPa, poisson: 0.3, law: corotated, order: 1,\n"
    "          strain_damping: 0.3 ms, integrator: explicit, strength: 10 kPa, toughness: 600}\n"
    "bodies:\n"
    "  plate:\n"
    "    material: aspic\n"
    "    shape: {box: {centre: [0, 0], size: [0.4, 0.6]}}\n"
    "    cracks: [{point: [-0.1, 0.03], ahead: [0.9, 0.4], normal: [-0.4, 0.9]}]\n"
    "    hold:\n"
    "      - {shape: {box: {centre: [0, 0.29], size: [0.5, 0.03]}}, motion: {move: [0, 0.06*t]}}\n"
    "      - {shape: {box: {centre: [0, -0.29], size: [0.5, 0.03]}}, motion: {move: [0, -0.06*t]}}\n";

static bool has_split(const mote_world *world, const happened *of) {
  (void)of;
  return mote_world_bodies(world) == 2;
}

// --- A tracked surface ------------------------------------------------------------------------------------

// Two drops of water meet and become one.
static const char drops[] =
    "spacing: 1.5 mm\n"
    "duration: 30 ms\n"
    "gravity: 0\n"
    "materials:\n"
    "  water: {surface_tension: 0.0728 N/m}\n"
    "bodies:\n"
    "  drops:\n"
    "    fill: relaxed\n"
    "    shape:\n"
    "      union:\n"
    "        - {sphere: {centre: [-6 mm, 0, 0], radius: 5 mm}}\n"
    "        - {sphere: {centre: [6 mm, 1 mm, 0], radius: 5 mm}}\n"
    "    velocity: ['-30*x', 0, 0]\n"
    "track: true\n"
    "solver: {kernel: wendland-c2, support: 3, tension: mesh}\n"
    "outputs:\n"
    "  surface: {method: tracked}\n";

static bool has_merged(const mote_world *world, const happened *of) {
  return mote_world_bodies(world) == 1 && of->matches > 0;
}

// --- All kinds --------------------------------------------------------------------------------------------

// Water with an elastic ball, a rigid box, a lattice that falls on them, ice that melts, a collider that
// stirs, an emitter and a drain.
static const char all_kinds[] =
    "dimensions: 2\n"
    "spacing: 2 cm\n"
    "duration: 0.4 s\n"
    "heat: true\n"
    "domain: {low: [0, 0], high: [1, 1], x: wall, y: [wall, open], temperature: 350}\n"
    "materials:\n"
    "  water: {conductivity: 600}\n"
    "  ice: {conductivity: 4000, latent_heat: 10 kJ/kg}\n"
    "  foam: {model: elastic, density: 300, young: 30 kPa, poisson: 0.3}\n"
    "  block: {model: lattice, density: 1500, young: 300 kPa, poisson: 0.2, melting_point: 400}\n"
    "  wood: {model: rigid, density: 600, friction: 0.5, restitution: 0}\n"
    "bodies:\n"
    "  pool: {material: water, shape: {box: {low: [0, 0], high: [1, 0.3]}}, temperature: 320}\n"
    "  cube: {material: ice, shape: {box: {low: [0.1, 0.32], high: [0.22, 0.44]}}, temperature: 272}\n"
    "  ball: {material: foam, shape: {sphere: {centre: [0.4, 0.42], radius: 0.1}}}\n"
    "  square: {material: block, shape: {box: {low: [0.55, 0.34], high: [0.71, 0.5]}}}\n"
    "  box: {material: wood, shape: {box: {low: [0.78, 0.36], high: [0.92, 0.46]}}, spin: [0, 0, 2]}\n"
    "colliders:\n"
    "  paddle:\n"
    "    shape: {box: {low: [0.46, 0.02], high: [0.5, 0.2]}}\n"
    "    motion: {move: ['0.1*sin(4*t)', 0]}\n"
    "emitters:\n"
    "  tap: {centre: [0.3, 0.8], direction: [0, -1], radius: 4 cm, speed: 1}\n"
    "drains:\n"
    "  hole: {shape: {sphere: {centre: [0.9, 0], radius: 0.04}}}\n";

static bool has_all_kinds(const mote_world *world, const happened *of) {
  mote_totals totals;
  return mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.emitted > 0 && totals.drained > 0 &&
         of->phases > 0 && mote_world_rigid_bodies(world) == 1 && mote_world_elastic_bodies(world) == 1 &&
         mote_world_lattice_particles(world) > 0;
}

// --- Runs -------------------------------------------------------------------------------------------------

static const golden table[] = {
    {"crack", crack, 1.2, false, has_split, 0x0484ce0b46b06b25},
    {"drops", drops, 0.03, true, has_merged, 0xbd709a5d75208fad},
    {"all kinds", all_kinds, 0.4, false, has_all_kinds, 0x2567d78f412c2b69},
};

static mote_world *make_world(const golden *g, int threads) {
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_error error = {0};
  mote_env env = world_kit_env(threads);
  bool made = mote_scene_parse(g->text, strlen(g->text), g->name, NULL, 0, &env, &file, &error) == MOTE_OK &&
              mote_world_create_scene(mote_scene_file_scene(file), &env, &world, &error) == MOTE_OK;
  if (!made) {
    fprintf(stderr, "%s: %s: %s\n", g->name, error.key, error.text);
    abort();
  }
  mote_scene_file_destroy(file);
  return world;
}

// Of the motion, and of the mesh where the world tracks one.
static uint64_t hash_of(const golden *g, mote_world *world) {
  uint64_t hash = mote_world_motion_hash(world);
  mote_surface surface = {0};
  if (!g->tracked) return hash;
  mote_world_surface handle = mote_world_find_surface(world, "surface");
  CHECK(mote_world_build_surface(world, handle, NULL, 0, &surface, NULL) == MOTE_OK);
  hash = mote_hash_bytes(hash, surface.mesh.vertex, 3 * surface.mesh.vertices * sizeof(double));
  hash = mote_hash_bytes(hash, surface.mesh.triangle, 3 * surface.mesh.triangles * sizeof(uint32_t));
  mote_surface_free(&surface, NULL);
  return hash;
}

static void advance(mote_world *world, double time, happened *of) {
  while (mote_world_time(world) < time && CHECK(mote_world_step(world, time, NULL) == MOTE_OK)) {
    size_t matches = 0, phases = 0;
    (void)mote_world_track_events(world, &matches);
    (void)mote_world_phase_events(world, &phases);
    of->matches += matches, of->phases += phases;
  }
}

// The second half alone where the first is in a snapshot.
static uint64_t run(const golden *g, int threads, kit_bytes *half) {
  mote_world *world = make_world(g, threads);
  happened of = {0};
  if (half->size > 0) {
    CHECK(world_kit_load(world, half, NULL) == MOTE_OK);
    advance(world, g->end, &of);
  } else {
    advance(world, 0.5 * g->end, &of);
    *half = world_kit_save(world);
    advance(world, g->end, &of);
    if (!CHECK(g->is_due(world, &of))) fprintf(stderr, "  %s\n", g->name);
  }
  uint64_t hash = hash_of(g, world);
  mote_world_destroy(world);
  return hash;
}

static void check_case(const golden *g) {
  kit_bytes one_half = {0}, many_half = {0};
  uint64_t one = run(g, 1, &one_half), many = run(g, 7, &many_half), resumed = run(g, 7, &one_half);
  free(one_half.data);
  free(many_half.data);
  if (!CHECK(one == g->hash && many == one && resumed == one))
    fprintf(stderr, "  %s: 0x%016" PRIx64 ", with seven threads 0x%016" PRIx64 ", resumed 0x%016" PRIx64 "\n",
            g->name, one, many, resumed);
}

// With sanitizers once through the scene: to the middle with seven threads, from the snapshot on with one.
static void check_once(const golden *g) {
  mote_world *first = make_world(g, 7), *second = make_world(g, 1);
  happened of = {0};
  advance(first, 0.5 * g->end, &of);
  kit_bytes half = world_kit_save(first);
  CHECK(world_kit_load(second, &half, NULL) == MOTE_OK);
  advance(second, g->end, &of);
  CHECK(g->is_due(second, &of) && hash_of(g, second) == g->hash);
  free(half.data);
  mote_world_destroy(first), mote_world_destroy(second);
}

int main(void) {
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
    if (TEST_SHORT) check_once(&table[k]);
    TEST_LONG(check_case(&table[k]));
  }
  return test_end();
}
