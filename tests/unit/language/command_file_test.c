// Files of commands: what is written reads back to the same bits, and what is wrong is named by line and
// column.
#include <math.h>
#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static mote_result parse(const char *text, mote_command_file **out, mote_error *error) {
  *error = (mote_error){0};
  return mote_commands_parse(text, strlen(text), "c.jsonl", NULL, out, error);
}

static void wrong(const char *text, int line, int column, const char *part) {
  mote_command_file *file = NULL;
  mote_error error;
  CHECK(parse(text, &file, &error) == MOTE_ERROR_FORMAT);
  bool good = CHECK(error.line == line && error.column == column) && CHECK(strstr(error.text, part) != NULL);
  if (!good) fprintf(stderr, "  %s: %s:%d:%d: %s\n", text, error.file, error.line, error.column, error.text);
  CHECK_TEXT(error.file, "c.jsonl");
}

#define GRAVITY "\"command\": \"gravity\", \"gravity\": [0, -1, 0]}"

static void test_wrong(void) {
  wrong("[]", 1, 1, "a JSON object");
  wrong("{\"step\": 1}", 1, 1, "\"command\" is missing");
  wrong("\n  {\"step\": 1, \"command\": \"gravit\"}", 2, 26, "did you mean \"gravity\"");
  wrong("{" GRAVITY, 1, 1, "neither \"step\" nor \"time\"");
  wrong("{\"step\": 1.5, " GRAVITY, 1, 10, "whole number");
  wrong("{\"step\": -1, " GRAVITY, 1, 10, "whole number");
  wrong("{\"time\": -1, " GRAVITY, 1, 10, "0 or more");
  wrong("{\"time\": NaN, " GRAVITY, 1, 10, "NaN");
  wrong("{\"time\": 1e999, " GRAVITY, 1, 10, "a number");
  wrong("{\"step\": 1, \"when\": 2, " GRAVITY, 1, 13, "no key \"when\"");
  wrong("{\"step\": 1, \"gravitty\": 2, " GRAVITY, 1, 13, "did you mean \"gravity\"");
  wrong("{\"step\": 1, \"step\": 2, " GRAVITY, 1, 13, "twice");
  wrong("{\"step\": 2, " GRAVITY "\n{\"step\": 1, " GRAVITY, 2, 10, "not in order");
  wrong("{\"time\": 2, " GRAVITY "\n{\"time\": 1, " GRAVITY, 2, 10, "not in order");
  wrong("{\"step\": 1, " GRAVITY "\n{\"step\": 1, \"command\": \"grav", 2, 24, "cut short");
  wrong("{\"step\": 1, " GRAVITY "\n{\"step\": 1", 2, 11, "cut short");
  wrong("{\"step\": 1, " GRAVITY " x", 1, 58, "not JSON");
  wrong("{\"step\": 1, \"command\": \"gravity\", \"gravity\": 3}", 1, 46, "three numbers");
  wrong("{\"step\": 1, \"command\": \"gravity\", \"gravity\": [1]}", 1, 46, "three numbers");
  wrong("{\"step\": 1, \"command\": \"gravity\", \"gravity\": [1, 2, 3, 4]}", 1, 46, "three numbers");
  wrong("{\"step\": 1, \"command\": \"gravity\", \"gravity\": [1, 2e13]}", 1, 46, "1e12");
  wrong("{\"step\": 1, \"command\": \"gravity\"}", 1, 1, "\"gravity\" is missing");
  wrong("{\"step\": 1, \"command\": \"remove_body\"}", 1, 1, "\"body\" is missing");
  wrong("{\"step\": 1, \"command\": \"remove_body\", \"body\": 3}", 1, 47, "a name");
  wrong("{\"step\": 1, \"command\": \"remove_body\", \"body\": \"\"}", 1, 47, "a name");
  wrong("{\"step\": 1, \"command\": \"emitter_speed\", \"emitter\": \"a\", \"speed\": -1}", 1, 66,
        "at least 0");
  wrong("{\"step\": 1, \"command\": \"collider_pose\", \"collider\": \"a\", \"seconds\": 0}", 1, 69,
        "above 0");
  wrong(
      "{\"step\": 1, \"command\": \"field\", \"field\": \"mass\", \"particles\": [1], \"values\": [[1, 2]]}",
      1, 42, "cannot be set");
  wrong(
      "{\"step\": 1, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [1.5], \"values\": [[1, "
      "2]]}",
      1, 68, "whole number");
  wrong(
      "{\"step\": 1, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [1], \"values\": [[1]]}",
      1, 83, "three numbers");
  wrong("{\"step\": 1, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [1], \"values\": []}",
        1, 82, "1 particles and 0 values");
  wrong("{\"step\": 1, \"command\": \"field\", \"field\": \"velocity\", \"particles\": [], \"values\": []}",
        1, 67, "a list of ids");
}

static bool same_bits(const double *a, const double *b, size_t count) {
  bool same = true;
  for (size_t k = 0; k < count; ++k)
    same = same && (isnan(a[k]) ? isnan(b[k]) : memcmp(a + k, b + k, 8) == 0);
  return same;
}

// Every kind, with numbers that need all their digits.
static void test_round(void) {
  static const uint64_t ids[] = {0, 9007199254740992u};
  static const double values[] = {0.1, -0.0, 1e-300, 1.0 / 3.0, 5e11, -7.0};
  mote_command all[MOTE_COMMANDS];
  mote_command_file *file = NULL;
  mote_error error;
  for (int k = 0; k < MOTE_COMMANDS; ++k) {
    const mote_command_about *about = &mote_command_kinds()[k];
    all[k] = mote_command_make((mote_command_kind)k);
    all[k].step = k % 3 == 0 ? UINT64_MAX : (uint64_t)k, all[k].time = k % 3 == 1 ? (double)NAN : 0.1 * k;
    if (mote_command_target_name(about->target) != NULL) snprintf(all[k].target, 64, "a-b_%d", k);
    for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f)
      for (int a = 0; a < about->field[f].components; ++a)
        all[k].value[about->field[f].first + a] = (a + 1) / 7.0 + 1e-9 * k;
    if (k == MOTE_COMMAND_FIELD)
      all[k].field = "position", all[k].id = ids, all[k].values = values, all[k].count = 2;
    CHECK(mote_command_check(&all[k], &error) == MOTE_OK);
  }
  CHECK(mote_commands_write(all, MOTE_COMMANDS, "command_file.jsonl", &error) == MOTE_OK);
  if (!CHECK(mote_commands_read("command_file.jsonl", NULL, &file, &error) == MOTE_OK)) {
    fprintf(stderr, "  %d:%d: %s\n", error.line, error.column, error.text);
    return;
  }
  size_t count;
  const mote_command *again = mote_command_file_commands(file, &count);
  CHECK(count == MOTE_COMMANDS);
  for (size_t k = 0; k < count; ++k) {
    CHECK(again[k].kind == all[k].kind && again[k].step == all[k].step);
    CHECK_TEXT(again[k].target, all[k].target);
    CHECK(same_bits(&again[k].time, &all[k].time, 1));
    CHECK(same_bits(again[k].value, all[k].value, MOTE_COMMAND_VALUES));
    CHECK(again[k].count == all[k].count);
    if (again[k].count != 2) continue;
    CHECK(memcmp(again[k].id, ids, sizeof ids) == 0 && same_bits(again[k].values, values, 6));
  }
  mote_error where = {.key = "body", .text = "x"};
  mote_command_file_locate(file, MOTE_COMMAND_REMOVE_BODY, &where);
  CHECK(where.line == MOTE_COMMAND_REMOVE_BODY + 1 && where.column > 20);
  mote_command_file_destroy(file);
  remove("command_file.jsonl");
}

static void test_empty(void) {
  mote_command_file *file = NULL;
  mote_error error;
  size_t count = 1;
  CHECK(parse("\n  \n", &file, &error) == MOTE_OK);
  CHECK(mote_command_file_commands(file, &count) == NULL && count == 0);
  mote_command_file_destroy(file);
  CHECK(mote_commands_read("no/such/file", NULL, &file, &error) == MOTE_ERROR_FILE);
  CHECK(mote_commands_write(NULL, 1, "x", &error) == MOTE_ERROR_ARGUMENT);
  mote_command_file_destroy(NULL);
}

// --- The page -----------------------------------------------------------------------------------------

static const char marker[] = "<!-- tables: written by tests/unit/language/command_file_test.c -->\n";

static void add_row(char *out, size_t size, const char *key, const char *unit, const char *text) {
  size_t used = strlen(out);
  snprintf(out + used, size - used, "| `%s` | %s | %s |\n", key, unit, text);
}

static void add_kind(const mote_command_about *about, char *out, size_t size) {
  const char *target = mote_command_target_name(about->target);
  size_t used = strlen(out);
  snprintf(out + used, size - used, "\n### %s\n\nThe command %s.\n\n| key | unit | |\n| --- | --- | --- |\n",
           about->name, about->text);
  if (target != NULL) add_row(out, size, target, "", mote_command_target_text(about->target));
  for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f)
    add_row(out, size, about->field[f].name, about->field[f].unit, about->field[f].text);
  if (about->target != MOTE_TARGET_PARTICLES) return;
  add_row(out, size, "field", "", "`velocity` or `position`");
  add_row(out, size, "particles", "", "list of ids");
  add_row(out, size, "values", "m/s or m", "list of vectors, one per particle");
}

// MOTE_WRITE_DOCS=1 writes the tables anew.
static void test_page(void) {
  static char wanted[16384] = "\n## Commands\n", found[65536];
  char path[1024];
  snprintf(path, sizeof path, "%s", __FILE__);
  char *end = strstr(path, "tests/unit/language/");
  if (!CHECK(end != NULL)) return;
  strcpy(end, "docs/steering.md");
  for (int k = 0; k < MOTE_COMMANDS; ++k) add_kind(&mote_command_kinds()[k], wanted, sizeof wanted);
  FILE *file = fopen(path, "rb");
  if (!CHECK(file != NULL)) return;
  found[fread(found, 1, sizeof found - 1, file)] = '\0';
  fclose(file);
  char *tables = strstr(found, marker);
  if (!CHECK(tables != NULL)) return;
  tables += sizeof marker - 1;
  if (getenv("MOTE_WRITE_DOCS") != NULL && (file = fopen(path, "wb")) != NULL) {
    fprintf(file, "%.*s%s", (int)(tables - found), found, wanted);
    fclose(file);
    return;
  }
  CHECK_TEXT(tables, wanted);
}

int main(void) {
  test_page();
  test_wrong();
  test_round();
  test_empty();
  return test_end();
}
