// mote diff: two snapshots, particle files or runs, field by field and particle by particle.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

const char help_diff[] =
    "usage: mote diff A B [--json] [--all]\n"
    "\n"
    "Compares two snapshots, two files with particles, or the latest snapshots of two runs: rows by id,\n"
    "field by field, bit by bit. Prints only \"same\" if they are identical; otherwise for each field the\n"
    "number of rows that differ, the largest absolute and relative difference, the largest difference\n"
    "in units in the last place, and the id of the first row that differs.\n"
    "\n"
    "  --json   print one JSON object\n"
    "  --all    list identical fields as well\n"
    "\n"
    "exit status: 0 identical, 1 different, 2 unreadable\n"
    "\n"
    "examples:\n"
    "  mote diff run-a run-b\n"
    "  mote diff one/particles.0100.vtp two/particles.0100.ply\n";

enum { DIFF_SAME = 0, DIFF_DIFFERENT = 1, DIFF_UNREADABLE = 2 };

typedef struct diff_print {
  bool json, all;
  int tables;
} diff_print;

static bool differs(const mote_field_diff *f) {
  return f->match != MOTE_MATCH_BOTH || f->differing > 0 || f->only_a > 0 || f->only_b > 0;
}

static void print_field(const mote_field_diff *f) {
  APP_ASSERT(f->match <= MOTE_MATCH_ONLY_B);
  static const char *const alone[] = {"", "of another type or unit in B", "only in A", "only in B"};
  printf("  %-20s ", f->name);
  if (f->match != MOTE_MATCH_BOTH) {
    printf("%s\n", alone[f->match]);
    return;
  }
  if (!differs(f)) {
    printf("same in %zu rows\n", f->compared);
    return;
  }
  printf("%zu of %zu rows differ", f->differing, f->compared);
  if (f->differing > 0) {
    printf(", by at most %.3g, relative %.3g", f->absolute, f->relative);
    if (f->ulps != UINT64_MAX) printf(", %llu ulps", (unsigned long long)f->ulps);
    printf("; first id %llu", (unsigned long long)f->first_id);
  }
  if (f->only_a + f->only_b > 0) printf("; %zu rows have it only in A, %zu only in B", f->only_a, f->only_b);
  putchar('\n');
}

static void json_field(const mote_field_diff *f) {
  static const char *const match[] = {"both", "unlike", "only_a", "only_b"};
  printf("{\"name\":");
  put_json_text(f->name);
  printf(",\"match\":\"%s\",\"compared\":%zu,\"differing\":%zu,\"only_a\":%zu,\"only_b\":%zu",
         match[f->match], f->compared, f->differing, f->only_a, f->only_b);
  if (f->differing > 0) {
    printf(",\"first_id\":%llu,\"absolute\":", (unsigned long long)f->first_id);
    put_json_number(f->absolute);
    printf(",\"relative\":"), put_json_number(f->relative);
    printf(",\"ulps\":%llu", (unsigned long long)f->ulps);
  }
  printf("}");
}

static void print_rows(const mote_diff *d) {
  if (d->only_a > 0)
    printf("  %zu rows only in A, the first of id %llu\n", d->only_a, (unsigned long long)d->first_only_a);
  if (d->only_b > 0)
    printf("  %zu rows only in B, the first of id %llu\n", d->only_b, (unsigned long long)d->first_only_b);
}

static void print_table(diff_print *how, const char *name, const mote_diff *d) {
  if (how->json) {
    printf("%s\"%s\":{\"same\":%s,\"rows\":%zu,\"only_a\":%zu,\"only_b\":%zu,\"fields\":[",
           how->tables++ > 0 ? "," : "", name, d->same ? "true" : "false", d->rows, d->only_a, d->only_b);
    for (int k = 0; k < d->fields; ++k) {
      if (k > 0) putchar(',');
      json_field(d->field + k);
    }
    printf("]}");
    return;
  }
  if (d->same && !how->all) return;
  printf("%s: %zu rows in both%s\n", name, d->rows, d->same ? ", same" : "");
  print_rows(d);
  for (int k = 0; k < d->fields; ++k)
    if (how->all || differs(d->field + k)) print_field(d->field + k);
}

static int diff_clouds(const char *a, const char *b, diff_print *how, const mote_env *env) {
  input_particles in_a, in_b;
  static mote_diff diff;
  mote_error error = {0};
  if (input_open(a, env, &in_a) != EXIT_DONE) return DIFF_UNREADABLE;
  if (input_open(b, env, &in_b) != EXIT_DONE) {
    input_close(&in_a, env);
    return DIFF_UNREADABLE;
  }
  mote_result result = mote_views_diff(in_a.cloud.field, (size_t)in_a.cloud.fields, in_b.cloud.field,
                                       (size_t)in_b.cloud.fields, env, &diff, &error);
  if (result == MOTE_OK) print_table(how, "particles", &diff);
  input_close(&in_a, env);
  input_close(&in_b, env);
  if (result != MOTE_OK) complain_error(&error);
  return result != MOTE_OK ? DIFF_UNREADABLE : diff.same ? DIFF_SAME : DIFF_DIFFERENT;
}

// A table of A against that of the same name of B.
static int diff_table(const mote_snapshot *a, int table, const mote_snapshot *b, diff_print *how) {
  static mote_diff diff;
  size_t rows;
  mote_error error = {0};
  const char *name = mote_snapshot_table(a, table, &rows);
  int other = mote_snapshot_find(b, name);
  if (other < 0) {
    if (how->json)
      printf("%s\"%s\":{\"same\":false,\"only\":\"a\"}", how->tables++ > 0 ? "," : "", name);
    else
      printf("%s: only in A\n", name);
    return DIFF_DIFFERENT;
  }
  if (mote_snapshot_diff(a, table, b, other, &diff, &error) != MOTE_OK) {
    complain_error(&error);
    return DIFF_UNREADABLE;
  }
  print_table(how, name, &diff);
  return diff.same ? DIFF_SAME : DIFF_DIFFERENT;
}

static int diff_tables(const mote_snapshot *a, const mote_snapshot *b, diff_print *how) {
  int worst = DIFF_SAME;
  for (int t = 0; t < mote_snapshot_tables(a); ++t) {
    int status = diff_table(a, t, b, how);
    worst = status > worst ? status : worst;
  }
  for (int t = 0; t < mote_snapshot_tables(b); ++t) {
    size_t rows;
    const char *name = mote_snapshot_table(b, t, &rows);
    if (mote_snapshot_find(a, name) >= 0) continue;
    if (how->json)
      printf("%s\"%s\":{\"same\":false,\"only\":\"b\"}", how->tables++ > 0 ? "," : "", name);
    else
      printf("%s: only in B\n", name);
    worst = worst > DIFF_DIFFERENT ? worst : DIFF_DIFFERENT;
  }
  return worst;
}

static int diff_snapshots(const char *a, const char *b, diff_print *how, const mote_env *env) {
  mote_snapshot *in_a = NULL, *in_b = NULL;
  if (input_snapshot(a, env, &in_a) != EXIT_DONE) return DIFF_UNREADABLE;
  if (input_snapshot(b, env, &in_b) != EXIT_DONE) {
    mote_snapshot_destroy(in_a);
    return DIFF_UNREADABLE;
  }
  mote_snapshot_info about_a = mote_snapshot_about(in_a), about_b = mote_snapshot_about(in_b);
  if (about_a.definitions != about_b.definitions && !how->json)
    printf("the worlds have different definitions\n");
  int status = diff_tables(in_a, in_b, how);
  mote_snapshot_destroy(in_a);
  mote_snapshot_destroy(in_b);
  return status;
}

static bool holds_state(input_kind kind) {
  return kind == INPUT_SNAPSHOT || kind == INPUT_RUN;
}

static int diff_files(const char *a, const char *b, diff_print *how, const mote_env *env) {
  input_kind kind_a = input_kind_of(a), kind_b = input_kind_of(b);
  if (kind_a == INPUT_UNKNOWN || kind_b == INPUT_UNKNOWN) return DIFF_UNREADABLE;
  bool state = holds_state(kind_a) && holds_state(kind_b);
  if (how->json) {
    printf("{\"a\":");
    put_json_text(a);
    printf(",\"b\":");
    put_json_text(b);
    printf(",\"tables\":{");
  }
  int status = state ? diff_snapshots(a, b, how, env) : diff_clouds(a, b, how, env);
  if (how->json)
    printf("},\"same\":%s}\n", status == DIFF_SAME ? "true" : status == DIFF_DIFFERENT ? "false" : "null");
  else if (status == DIFF_SAME)
    printf("same\n");
  return status;
}

int cmd_diff(int argc, char **argv) {
  diff_print how = {.json = false};
  const option table[] = {
      {.name = "--json", .flag = &how.json}, {.name = "--all", .flag = &how.all}, {.name = NULL}};
  if (!options_parse(&argc, argv, table)) return EXIT_USAGE;
  if (argc != 3) {
    complain("diff needs two files or directories (mote help diff)");
    return EXIT_USAGE;
  }
  mote_env env = mote_env_default();
  return diff_files(argv[1], argv[2], &how, &env);
}
