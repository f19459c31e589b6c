// Reads files of commands (mote/io.h): a JSON object a line, by the table of commands.
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "io/io_base.h"
#include "io/json.h"

// A command and where it stands. While lines are read, ids and values are known by their place.
typedef struct entry {
  mote_word line;
  int number;          // of the line, from 1
  size_t id, numbers;  // its first id, and the first of its values
} entry;

struct mote_command_file {
  mote_env env;
  char name[256];
  mote_buffer text, entries, commands, ids, values;
};

static mote_command *command_at(const mote_command_file *file, size_t k) {
  return (mote_command *)(void *)file->commands.data + k;
}

static const entry *entry_at(const mote_command_file *file, size_t k) {
  return (const entry *)(const void *)file->entries.data + k;
}

static size_t count_of(const mote_command_file *file) {
  return file->commands.size / sizeof(mote_command);
}

// --- A line -------------------------------------------------------------------------------------------

// What a line is read with.
typedef struct reading {
  mote_command_file *file;
  const entry *at;
  mote_json object;
  mote_command *command;
  mote_error *error;
} reading;

static int column_of(const entry *at, const char *place) {
  return (int)(place - at->line.text < 1000000 ? place - at->line.text : 999999) + 1;
}

// FORMAT at that place of the line.
#define FAIL(r, place, ...)                                                                      \
  (mote_io_fail((r)->error, MOTE_ERROR_FORMAT, (r)->file->name, __VA_ARGS__),                    \
   (void)((r)->error != NULL &&                                                                  \
          ((r)->error->line = (r)->at->number, (r)->error->column = column_of((r)->at, place))), \
   MOTE_ERROR_FORMAT)

static void word_of(mote_json value, char out[MOTE_BODY_NAME_SIZE]) {
  mote_json_text(value, out, MOTE_BODY_NAME_SIZE);
}

// "; did you mean ...", or "".
static void suggest(const char *word, const char *const *names, size_t count, char out[96]) {
  const char *closest = mote_text_closest(word, names, count);
  out[0] = '\0';
  if (closest != NULL) snprintf(out, 96, "; did you mean \"%s\"?", closest);
}

static mote_result read_kind(const reading *r) {
  const char *names[MOTE_COMMANDS];
  char word[MOTE_BODY_NAME_SIZE], hint[96];
  mote_json value = mote_json_get(r->object, "command");
  if (value.size == 0) return FAIL(r, r->object.text, "the key \"command\" is missing");
  word_of(value, word);
  for (int k = 0; k < MOTE_COMMANDS; ++k) {
    names[k] = mote_command_kinds()[k].name;
    if (!mote_json_is(value, names[k])) continue;
    *r->command = mote_command_make((mote_command_kind)k);
    return MOTE_OK;
  }
  suggest(word, names, MOTE_COMMANDS, hint);
  return FAIL(r, value.text, "there is no command \"%s\"%s", word, hint);
}

#define KEYS_MAX (MOTE_COMMAND_FIELDS + 7)

// The keys that a command of this kind may have.
static size_t keys_of(mote_command_kind kind, const char *keys[KEYS_MAX]) {
  const mote_command_about *about = &mote_command_kinds()[kind];
  size_t count = 0;
  keys[count++] = "step", keys[count++] = "time", keys[count++] = "command";
  if (mote_command_target_name(about->target) != NULL)
    keys[count++] = mote_command_target_name(about->target);
  for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f)
    keys[count++] = about->field[f].name;
  if (kind == MOTE_COMMAND_FIELD)
    keys[count++] = "field", keys[count++] = "particles", keys[count++] = "values";
  return count;
}

static mote_result check_keys(const reading *r) {
  const char *keys[KEYS_MAX];
  size_t count = keys_of(r->command->kind, keys);
  bool seen[KEYS_MAX] = {false};
  mote_json key, value;
  for (size_t at = 0; mote_json_next(r->object, &at, &key, &value);) {
    char word[MOTE_BODY_NAME_SIZE], hint[96];
    size_t k = 0;
    while (k < count && !mote_json_is(key, keys[k])) ++k;
    word_of(key, word);
    suggest(word, keys, count, hint);
    if (k == count)
      return FAIL(r, key.text, "the command \"%s\" has no key \"%s\"%s",
                  mote_command_kinds()[r->command->kind].name, word, hint);
    if (seen[k]) return FAIL(r, key.text, "the key \"%s\" is there twice", word);
    seen[k] = true;
  }
  return MOTE_OK;
}

static mote_result read_when(const reading *r) {
  mote_json step = mote_json_get(r->object, "step"), time = mote_json_get(r->object, "time");
  r->command->step = UINT64_MAX, r->command->time = (double)NAN;
  if (step.size == 0 && time.size == 0)
    return FAIL(r, r->object.text, "neither \"step\" nor \"time\" tells when it is due");
  if (step.size > 0 && !mote_json_count(step, &r->command->step))
    return FAIL(r, step.text, "\"step\" must be a whole number, 0 or more");
  if (time.size == 0) return MOTE_OK;
  r->command->time = mote_json_number(time, (double)NAN);
  if (isfinite(r->command->time) && r->command->time >= 0.0) return MOTE_OK;
  return FAIL(r, time.text, "\"time\" must be a number, 0 or more");
}

// Two or three numbers.
static bool read_vector(mote_json value, double out[3]) {
  mote_json key, item;
  int count = 0;
  out[0] = out[1] = out[2] = 0.0;
  for (size_t at = 0; mote_json_next(value, &at, &key, &item);) {
    if (count == 3) return false;
    out[count] = mote_json_number(item, (double)NAN);
    if (!isfinite(out[count++])) return false;
  }
  return value.text[0] == '[' && count >= 2;
}

static mote_result read_field(const reading *r, const mote_command_field *f) {
  mote_json value = mote_json_get(r->object, f->name);
  double *out = r->command->value + f->first;
  if (value.size == 0 && f->optional) return MOTE_OK;
  if (value.size == 0) return FAIL(r, r->object.text, "the key \"%s\" is missing", f->name);
  if (f->components == 3) {
    if (read_vector(value, out)) return MOTE_OK;
    return FAIL(r, value.text, "\"%s\" must be a list of three numbers (two in 2D), in %s", f->name, f->unit);
  }
  *out = mote_json_number(value, (double)NAN);
  if (isfinite(*out)) return MOTE_OK;
  return FAIL(r, value.text, "\"%s\" must be a number, in %s", f->name, f->unit);
}

static mote_result read_target(const reading *r, const char *key) {
  mote_json value = mote_json_get(r->object, key);
  if (value.size == 0) return FAIL(r, r->object.text, "the key \"%s\" is missing", key);
  if (value.text[0] != '"' || value.size < 3) return FAIL(r, value.text, "\"%s\" must be a name", key);
  if (value.size - 2 >= MOTE_BODY_NAME_SIZE) return FAIL(r, value.text, "the name is too long");
  word_of(value, r->command->target);
  return MOTE_OK;
}

static mote_result read_particles(const reading *r) {
  mote_json field = mote_json_get(r->object, "field"), ids = mote_json_get(r->object, "particles"),
            values = mote_json_get(r->object, "values"), key, item;
  static const char *const fields[] = {"velocity", "position"};
  char word[MOTE_BODY_NAME_SIZE], hint[96];
  size_t vectors = 0;
  if (field.size == 0 || ids.size == 0 || values.size == 0)
    return FAIL(r, r->object.text, "one of the keys \"field\", \"particles\" and \"values\" is missing");
  word_of(field, word);
  suggest(word, fields, 2, hint);
  for (int k = 0; k < 2; ++k)
    if (mote_json_is(field, fields[k])) r->command->field = fields[k];
  if (r->command->field == NULL)
    return FAIL(r, field.text, "\"%s\" cannot be set: velocity and position can%s", word, hint);
  for (size_t at = 0; mote_json_next(ids, &at, &key, &item); ++r->command->count) {
    uint64_t id;
    if (!mote_json_count(item, &id)) return FAIL(r, item.text, "the id of a particle is a whole number");
    mote_buffer_add(&r->file->ids, &id, sizeof id);
  }
  if (r->command->count == 0) return FAIL(r, ids.text, "\"particles\" must be a list of ids");
  for (size_t at = 0; mote_json_next(values, &at, &key, &item); ++vectors) {
    double x[3];
    if (!read_vector(item, x)) return FAIL(r, item.text, "a value is a list of three numbers (two in 2D)");
    mote_buffer_add(&r->file->values, x, sizeof x);
  }
  if (vectors == r->command->count) return MOTE_OK;
  return FAIL(r, values.text, "there are %zu particles and %zu values", r->command->count, vectors);
}

// Behind the one before.
static mote_result check_order(const reading *r, const mote_command *before) {
  if (before == NULL) return MOTE_OK;
  const mote_command *c = r->command;
  if (c->step != UINT64_MAX && before->step != UINT64_MAX && c->step < before->step)
    return FAIL(r, mote_json_get(r->object, "step").text,
                "\"step\" is not in order: the command before has step %llu",
                (unsigned long long)before->step);
  if (c->time < before->time)
    return FAIL(r, mote_json_get(r->object, "time").text,
                "\"time\" is not in order: the command before has time %g s", before->time);
  return MOTE_OK;
}

static mote_result check_range(const reading *r) {
  mote_error why = {0};
  mote_command whole = *r->command;
  whole.id = (const uint64_t *)(const void *)r->file->ids.data + r->at->id;
  whole.values = (const double *)(const void *)r->file->values.data + r->at->numbers;
  if (mote_command_check(&whole, &why) == MOTE_OK) return MOTE_OK;
  mote_json value = mote_json_get(r->object, why.key);
  return FAIL(r, value.size > 0 ? value.text : r->object.text, "\"%s\" %s", why.key, why.text);
}

static mote_result read_line(const reading *r, const mote_command *before) {
  if (r->object.text[0] != '{') return FAIL(r, r->object.text, "a command is a JSON object, {...}");
  MOTE_IO_TRY(read_kind(r));
  const mote_command_about *about = &mote_command_kinds()[r->command->kind];
  MOTE_IO_TRY(check_keys(r));
  MOTE_IO_TRY(read_when(r));
  MOTE_IO_TRY(check_order(r, before));
  if (mote_command_target_name(about->target) != NULL)
    MOTE_IO_TRY(read_target(r, mote_command_target_name(about->target)));
  for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f)
    MOTE_IO_TRY(read_field(r, &about->field[f]));
  if (r->command->kind == MOTE_COMMAND_FIELD) MOTE_IO_TRY(read_particles(r));
  return check_range(r);
}

// --- The file -----------------------------------------------------------------------------------------

static bool is_blank(mote_word line) {
  size_t k = 0;
  while (k < line.size && (line.text[k] == ' ' || line.text[k] == '\t')) ++k;
  return k == line.size;
}

// Why the line is not JSON from there on.
static const char *fault_text(mote_word line, size_t at) {
  bool open =
      at < line.size && line.text[at] == '"' && memchr(line.text + at + 1, '"', line.size - at - 1) == NULL;
  if (at >= line.size || open) return "the line ends within a JSON value: is the file cut short?";
  bool word = strchr("nNiI", line.text[at]) != NULL && line.text[at] != '\0';
  return word ? "NaN and Infinity are no numbers" : "this is not JSON";
}

static mote_result add_line(mote_command_file *file, mote_word line, int number, mote_error *error) {
  entry own = {line, number, file->ids.size / sizeof(uint64_t), file->values.size / sizeof(double)};
  mote_command command = {.kind = MOTE_COMMAND_GRAVITY};
  reading r = {.file = file, .at = &own, .command = &command, .error = error};
  size_t wrong, count = count_of(file);
  if (mote_json_find_fault(line, &r.object, &wrong))
    return FAIL(&r, line.text + wrong, "%s", fault_text(line, wrong));
  MOTE_IO_TRY(read_line(&r, count > 0 ? command_at(file, count - 1) : NULL));
  mote_buffer_add(&file->commands, &command, sizeof command);
  mote_buffer_add(&file->entries, &own, sizeof own);
  return MOTE_OK;
}

static mote_result read_lines(mote_command_file *file, mote_error *error) {
  mote_scan scan = mote_scan_make(file->text.data, file->text.size, file->name);
  mote_result result = MOTE_OK;
  while (!mote_scan_ended(&scan) && result == MOTE_OK) {
    int number = scan.line;
    mote_word line = mote_scan_line(&scan);
    if (!is_blank(line)) result = add_line(file, line, number, error);
  }
  if (result != MOTE_OK) return result;
  if (file->commands.failed || file->entries.failed || file->ids.failed || file->values.failed)
    return mote_io_fail_memory(error);
  for (size_t k = 0; k < count_of(file); ++k) {
    mote_command *command = command_at(file, k);
    if (command->count == 0) continue;
    command->id = (const uint64_t *)(const void *)file->ids.data + entry_at(file, k)->id;
    command->values = (const double *)(const void *)file->values.data + entry_at(file, k)->numbers;
  }
  return MOTE_OK;
}

static mote_command_file *make_file(const mote_env *env, const char *name) {
  mote_env own = mote_io_env(env);
  mote_command_file *file = mote_io_new(&own, sizeof *file);
  if (file == NULL) return NULL;
  file->env = own;
  mote_buffer *buffer[] = {&file->text, &file->entries, &file->commands, &file->ids, &file->values};
  for (size_t k = 0; k < sizeof buffer / sizeof *buffer; ++k) *buffer[k] = mote_buffer_make(&own);
  snprintf(file->name, sizeof file->name, "%s", name);
  return file;
}

static mote_result finish(mote_command_file *file, mote_result result, mote_command_file **out,
                          mote_error *error) {
  if (result == MOTE_OK) result = read_lines(file, error);
  if (result == MOTE_OK) {
    *out = file;
  } else {
    mote_command_file_destroy(file);
  }
  return result;
}

mote_result mote_commands_read(const char *path, const mote_env *env, mote_command_file **out,
                               mote_error *error) {
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path and out must not be null");
  mote_command_file *file = make_file(env, path);
  if (file == NULL) return mote_io_fail_memory(error);
  return finish(file, mote_file_in_load(path, &file->env, &file->text, error), out, error);
}

mote_result mote_commands_parse(const char *text, size_t size, const char *name, const mote_env *env,
                                mote_command_file **out, mote_error *error) {
  if ((text == NULL && size > 0) || name == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "text, name and out must not be null");
  mote_command_file *file = make_file(env, name);
  if (file == NULL) return mote_io_fail_memory(error);
  mote_buffer_add(&file->text, text, size);
  return finish(file, file->text.failed ? mote_io_fail_memory(error) : MOTE_OK, out, error);
}

void mote_command_file_destroy(mote_command_file *file) {
  if (file == NULL) return;
  mote_env env = file->env;
  mote_buffer *buffer[] = {&file->text, &file->entries, &file->commands, &file->ids, &file->values};
  for (size_t k = 0; k < sizeof buffer / sizeof *buffer; ++k) mote_buffer_free(buffer[k]);
  mote_io_delete(&env, file, sizeof *file);
}

const mote_command *mote_command_file_commands(const mote_command_file *file, size_t *count) {
  *count = count_of(file);
  return *count > 0 ? command_at(file, 0) : NULL;
}

void mote_command_file_locate(const mote_command_file *file, size_t k, mote_error *error) {
  if (file == NULL || error == NULL || k >= count_of(file) || error->file[0] != '\0') return;
  const entry *at = entry_at(file, k);
  mote_json object = {"", 0};
  size_t wrong;
  if (mote_json_find_fault(at->line, &object, &wrong)) return;
  mote_json value = error->key[0] != '\0' ? mote_json_get(object, error->key) : (mote_json){"", 0};
  snprintf(error->file, sizeof error->file, "%s", file->name);
  error->line = at->number;
  error->column = column_of(at, value.size > 0 ? value.text : object.text);
}
