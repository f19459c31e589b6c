// EDITS and KEYS files: what they become, defaults that are the library's, and messages with line and column.
#include <math.h>
#include <mote/io.h>
#include <mote/numeric.h>

#include "test.h"

static mote_error error;

static mote_scene_file *read(const char *text, bool keys) {
  mote_scene_file *file = NULL;
  error = (mote_error){0};
  size_t size = strlen(text);
  if (keys)
    mote_animation_parse(text, size, "keys.yaml", NULL, 0, NULL, &file, &error);
  else
    mote_edits_parse(text, size, "edits.yaml", NULL, 0, NULL, &file, &error);
  return file;
}

static bool refused(const char *text, bool keys, int line, int column, const char *part) {
  mote_scene_file *file = read(text, keys);
  bool ok = file == NULL && error.line == line && error.column == column && strstr(error.text, part) != NULL;
  if (!ok)
    fprintf(stderr, "  %d:%d: \"%s\", wanted %d:%d: \"%s\"\n", error.line, error.column, error.text, line,
            column, part);
  mote_scene_file_destroy(file);
  return ok;
}

static void test_edits(void) {
  mote_scene_file *file = read(
      "nodes: 100\n"
      "weights: {volume: 10}\n"
      "solve: {walk_angle: 5 deg, method: lbfgs}\n"
      "handles:\n"
      "  foot: {shape: {sphere: {centre: [0, 0, 0], radius: 2 cm}}, fix: true}\n"
      "  hand: {vertices: [7, 10-20], rotate: {axis: [1, 0, 0], angle: 90 deg}, move: [1, 2, 3]}\n"
      "  head: {group: hat, move: [0, 0, 1 mm]}\n",
      false);
  if (!CHECK(file != NULL)) {
    fprintf(stderr, "  %s\n", error.text);
    return;
  }
  const mote_edits *e = mote_scene_file_edits(file);
  CHECK(mote_scene_file_animation(file) == NULL && e->def.nodes == 100 && e->handles == 3);
  CHECK(e->def.weight.volume == 10 && e->def.weight.rigidity == 1 && e->solve.method == MOTE_DEFORM_LBFGS);
  CHECK_NEAR(e->solve.walk_angle, 0.08726646259971647, 1e-15);
  CHECK_TEXT(e->handle[0].name, "foot");
  CHECK(e->handle[0].fix && e->handle[0].posed && e->handle[0].shape.kind == MOTE_SHAPE_SPHERE);
  const mote_handle_def *hand = &e->handle[1];
  CHECK(hand->vertices == 2 && hand->range[0].first == 7 && hand->range[0].last == 7);
  CHECK(hand->range[1].first == 10 && hand->range[1].last == 20 && hand->group == NULL && !hand->fix);
  CHECK(hand->move[2] == 3 && isnan(hand->rotate.about[0]) && hand->shape.kind == MOTE_SHAPE_NONE);
  CHECK_NEAR(hand->rotate.angle, 1.5707963267948966, 1e-15);
  CHECK_TEXT(e->handle[2].group, "hat");
  size_t size;
  mote_scene_file *again = read(mote_scene_file_text(file, &size), false);
  if (CHECK(again != NULL)) CHECK(mote_scene_file_hash(again) == mote_scene_file_hash(file));
  mote_scene_file_destroy(again);
  mote_scene_file_destroy(file);
}

static void test_keys(void) {
  mote_scene_file *file = read(
      "deform: {nodes: 20, handles: {a: {vertices: [1]}, b: {vertices: [2], fix: true}}}\n"
      "keys:\n"
      "  - {time: 0, velocity: [1, 0, 0]}\n"
      "  - {time: 500 ms, handles: {a: {move: [0, 1, 0]}}, part: true}\n"
      "obstacles:\n"
      "  gate: {shape: {box: {low: [0, 0, 0], high: [1, 1, 1]}}, motion: {move: [\"t\", 0, 0]}}\n"
      "fps: 10\n",
      true);
  if (!CHECK(file != NULL)) {
    fprintf(stderr, "  %s\n", error.text);
    return;
  }
  const mote_animation *a = mote_scene_file_animation(file);
  CHECK(a->keys == 2 && a->obstacles == 1 && a->fps == 10 && a->deform.def.nodes == 20);
  CHECK(a->key[0].handles == 0 && a->key[0].velocity[0] == 1 && isnan(a->key[1].velocity[0]));
  CHECK(a->key[1].time == 0.5 && a->key[1].part && a->key[1].handle[0].move[1] == 1);
  CHECK_TEXT(a->obstacle[0].motion.move.x.formula, "t");
  CHECK(mote_scene_file_edits(file) == &a->deform);
  mote_scene_file_destroy(file);
}

// The table's defaults are those of the library.
static void test_defaults(void) {
  mote_scene_file *file = read("handles: {a: {vertices: [1], fix: true}}", false);
  if (!CHECK(file != NULL)) return;
  const mote_edits *e = mote_scene_file_edits(file);
  mote_deform_def def = mote_deform_def_default();
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  CHECK(e->def.nodes == def.nodes && e->def.neighbours == def.neighbours && e->def.samples == def.samples);
  CHECK(e->def.thickness == def.thickness && memcmp(&e->def.weight, &def.weight, sizeof def.weight) == 0);
  CHECK(e->solve.method == opts.method && e->solve.iterations == opts.iterations);
  CHECK(e->solve.tolerance == opts.tolerance && e->solve.walk_angle == opts.walk_angle);
  CHECK(e->solve.walk_length == opts.walk_length && isinf(opts.milliseconds) && isinf(e->solve.milliseconds));
  mote_scene_file_destroy(file);
  file = read("keys: [{time: 0}, {time: 1}]", true);
  if (!CHECK(file != NULL)) return;
  const mote_deform_motion_def *m = &mote_scene_file_animation(file)->def;
  mote_deform_motion_def motion = mote_deform_motion_def_default();
  CHECK(memcmp(&m->weight, &motion.weight, sizeof motion.weight) == 0);
  CHECK(m->moving_frame == motion.moving_frame && m->frames_max == motion.frames_max);
  CHECK(m->rounds == motion.rounds && m->tolerance == motion.tolerance && m->margin == motion.margin);
  CHECK(m->evaluations == motion.evaluations);
  mote_scene_file_destroy(file);
}

static void test_bad_edits(void) {
  CHECK(refused("", false, 1, 1, "there is no list of edits"));
  CHECK(refused("[1]", false, 1, 1, "is a mapping"));
  CHECK(refused("nodes: 60\n", false, 1, 1, "no handles"));
  CHECK(refused("node: 60\n", false, 1, 1, "did you mean \"nodes\"?"));
  CHECK(refused("nodes: 4\n", false, 1, 8, "8 to 20000"));
  CHECK(refused("handles:\n  a: {vertices: [1], mov: [0, 0, 0]}\n", false, 2, 22, "did you mean \"move\"?"));
  CHECK(refused("handles: {a: {vertices: [1], move: [0, .nan, 0]}}", false, 1, 40, "must be"));
  CHECK(refused("handles: {a: {fix: true}}", false, 1, 11, "needs a region"));
  CHECK(refused("handles: {a: {vertices: [1]}}", false, 1, 11, "none of fix, move and rotate"));
  CHECK(refused("handles: {a: {vertices: [1], fix: true, move: [1, 0, 0]}}", false, 1, 41,
                "\"fix\" or \"move\""));
  CHECK(refused("handles: {a: {vertices: [1], group: g, fix: true}}", false, 1, 30,
                "\"vertices\" or \"group\""));
  CHECK(refused("handles: {a: {vertices: [0], fix: true}}", false, 1, 26, "number from 1 on"));
  CHECK(refused("handles: {a: {vertices: [3, 5-2], fix: true}}", false, 1, 29, "range"));
  CHECK(refused("handles: {a: {vertices: [3x], fix: true}}", false, 1, 26, "range"));
  CHECK(refused("handles: {a: {vertices: [], fix: true}}", false, 1, 25, "at least one"));
  CHECK(refused("handles: {a: {vertices: [1], rotate: {axis: [0, 0, 0]}}}", false, 1, 45, "must not be 0"));
  CHECK(refused("handles: {a: {shape: {bal: {}}, fix: true}}", false, 1, 23, "unknown key \"bal\""));
}

static void test_bad_keys(void) {
#define HANDLES "deform: {handles: {arm: {vertices: [1]}, leg: {vertices: [2], fix: true}}}\n"
  CHECK(refused("keys: [{time: 0}]", true, 1, 7, "at least two"));
  CHECK(refused("fps: 25", true, 1, 1, "\"keys\" is missing"));
  CHECK(refused("keys: [{time: 0}, {}]", true, 1, 19, "\"time\" is missing"));
  CHECK(refused("keys: [{time: 1}, {time: 1}]", true, 1, 26, "after that of the key before"));
  CHECK(refused("keys: [{time: 0}, {time: nan}]", true, 1, 26, "\"time\""));
  CHECK(refused(HANDLES "keys:\n- time: 0\n- time: 1\n  handles: {arn: {move: [0, 0, 1]}}\n", true, 5, 13,
                "did you mean \"arm\"?"));
  CHECK(refused(HANDLES "keys:\n- time: 0\n- time: 1\n  handles: {leg: {move: [0, 0, 1]}}\n", true, 5, 13,
                "fixed in \"deform\""));
  CHECK(refused(HANDLES "keys:\n- time: 0\n- time: 1\n  handles: {arm: {vertices: [1], fix: true}}\n", true,
                5, 19, "belongs to the handle"));
  CHECK(refused("keys: [{time: 0}, {time: 1, part: true}]", true, 1, 35, "needs handles"));
  CHECK(refused("keys: [{time: 0}, {time: 1, mesh: a.obj}]", true, 1, 35, "cannot be read"));
  CHECK(refused("keys: [{time: 0}, {time: 1}]\nobstacles: {a: {motion: {}}}", true, 2, 13,
                "\"shape\" is missing"));
  CHECK(refused("keys: [{time: 0}, {time: 1}]\nobstacle: {}", true, 2, 1, "did you mean \"obstacles\"?"));
}

int main(void) {
  test_edits();
  test_keys();
  test_defaults();
  test_bad_edits();
  test_bad_keys();
  return test_end();
}
