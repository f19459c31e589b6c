// Loading a store: see archive.h. All data of the archive are checked before use: sizes
// against the available bytes before memory is allocated, checksums before values are used.
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/note.h"
#include "particles/archive.h"

static mote_result check_left(const mote_source *source, uint64_t size, const char *what, mote_error *error) {
  if (size <= source->left) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "archive cut short: \"%s\" begins at byte %" PRIu64 " and has %" PRIu64
                   " bytes, but only %" PRIu64 " are left",
                   what, source->offset, size, source->left);
}

static void advance(mote_source *source, uint64_t size) {
  source->left -= size;
  source->offset += size;
}

static mote_result receive(mote_source *source, void *to, uint64_t size, const char *what,
                           mote_error *error) {
  MOTE_TRY(check_left(source, size, what, error));
  if (size > 0 && !source->read(source->user, to, (size_t)size)) {
    return mote_fail(error, MOTE_ERROR_FILE,
                     "archive could not be read: \"%s\", %" PRIu64 " bytes from byte %" PRIu64, what, size,
                     source->offset);
  }
  advance(source, size);
  return MOTE_OK;
}

// --- Head -----------------------------------------------------------------------------------------------

// The numbers of the first part.
typedef struct sizes {
  uint32_t version, fields, groups, id;
  uint64_t blocks, rows, next_id, bytes;
} sizes;

typedef struct cursor {
  const unsigned char *head;
  size_t at;
  uint64_t offset;  // of the head in the stream
} cursor;

static uint32_t get_u32(cursor *c) {
  uint32_t value;
  memcpy(&value, c->head + c->at, sizeof value);
  c->at += sizeof value;
  return value;
}

static uint64_t get_u64(cursor *c) {
  uint64_t value;
  memcpy(&value, c->head + c->at, sizeof value);
  c->at += sizeof value;
  return value;
}

// Points into the head. An unterminated text becomes "", which is not a name.
static const char *get_text(cursor *c, size_t size) {
  const char *text = (const char *)c->head + c->at;
  c->at += size;
  return text[size - 1] == 0 ? text : "";
}

static mote_result fail_head(const cursor *c, mote_error *error, const char *wrong) {
  return mote_fail(error, MOTE_ERROR_FORMAT, "damaged archive: head at byte %" PRIu64 ": %s", c->offset,
                   wrong);
}

static sizes get_sizes(cursor *c) {
  sizes s;
  c->at = 8;
  s.version = get_u32(c);
  s.fields = get_u32(c);
  s.groups = get_u32(c);
  s.id = get_u32(c);
  s.blocks = get_u64(c);
  s.rows = get_u64(c);
  s.next_id = get_u64(c);
  s.bytes = get_u64(c);
  return s;
}

// Before memory is allocated: magic, version and sizes.
static mote_result check_sizes(const cursor *c, const sizes *s, uint64_t left, mote_error *error) {
  if (memcmp(c->head, MOTE_ARCHIVE_MAGIC, 8) != 0) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "not a Mote archive (at byte %" PRIu64 ")", c->offset);
  }
  if (s->version != MOTE_ARCHIVE_VERSION) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "archive at byte %" PRIu64 " is of version %" PRIu32 "; this program reads version %d",
                     c->offset, s->version, MOTE_ARCHIVE_VERSION);
  }
  if (s->fields < 1 || s->fields > MOTE_FIELD_MAX) return fail_head(c, error, "impossible number of fields");
  if (s->groups < 1 || s->groups > MOTE_GROUP_MAX) return fail_head(c, error, "impossible number of groups");
  if (s->id > s->fields) return fail_head(c, error, "impossible id field");
  if (s->blocks > left / MOTE_ARCHIVE_BLOCK) return fail_head(c, error, "more blocks than bytes");
  if (s->rows > s->bytes) return fail_head(c, error, "more rows than bytes");
  return MOTE_OK;
}

static uint64_t head_bytes(const sizes *s) {
  return MOTE_ARCHIVE_FIXED + s->groups * (uint64_t)MOTE_ARCHIVE_GROUP +
         s->fields * (uint64_t)MOTE_ARCHIVE_FIELD + s->blocks * MOTE_ARCHIVE_BLOCK + MOTE_ARCHIVE_CHECKSUM;
}

static mote_result get_table(cursor *c, const sizes *s, mote_archive_head *head, mote_error *error) {
  head->table = (mote_table){
      .name = get_text(c, MOTE_NAME_SIZE),
      .field = head->field,
      .fields = (int)s->fields,
      .group = head->group,
      .groups = (int)s->groups,
      .id = (int)s->id - 1,
  };
  for (uint32_t g = 0; g < s->groups; ++g) head->group[g] = get_text(c, MOTE_NAME_SIZE);
  for (uint32_t f = 0; f < s->fields; ++f) {
    mote_field *field = &head->field[f];
    *field = (mote_field){.kept = MOTE_KEPT_REQUIRED, .writer = "archive", .text = ""};
    field->name = get_text(c, MOTE_NAME_SIZE);
    field->unit = get_text(c, MOTE_UNIT_SIZE);
    uint32_t type = get_u32(c), components = get_u32(c), group = get_u32(c);
    field->type = type < MOTE_TYPE_COUNT ? (mote_type)type : MOTE_TYPE_COUNT;
    field->components = components <= MOTE_COMPONENT_MAX ? (int)components : 0;
    field->group = group < MOTE_GROUP_MAX ? (int)group : -1;
    if (get_u32(c) != 0) return fail_head(c, error, "a field has bits this version does not know");
    head->rows[f] = get_u64(c);
    head->checksum[f] = get_u64(c);
  }
  mote_error why;
  return mote_table_check(&head->table, &why) == MOTE_OK ? MOTE_OK : fail_head(c, error, why.text);
}

// Blocks, and whether all counts agree with them.
static mote_result get_blocks(cursor *c, const sizes *s, mote_archive_head *head, mote_error *error) {
  uint64_t count[MOTE_GROUP_MAX] = {0};
  head->blocks = s->blocks;
  head->block = (const void *)(c->head + c->at);  // a multiple of 8 bytes behind the head's aligned beginning
  c->at += (size_t)s->blocks * MOTE_ARCHIVE_BLOCK;
  for (uint64_t b = 0; b < s->blocks; ++b) {
    const mote_archive_block *block = &head->block[b];
    if (block->rows > s->rows - count[0]) return fail_head(c, error, "blocks with more rows than there are");
    if (!(block->groups & 1) || block->groups >> s->groups != 0) {
      return fail_head(c, error, "a block with impossible groups");
    }
    for (uint32_t g = 0; g < s->groups; ++g) count[g] += block->groups >> g & 1 ? block->rows : 0;
  }
  if (count[0] != s->rows) return fail_head(c, error, "blocks with fewer rows than there are");
  uint64_t left = s->bytes;
  for (uint32_t f = 0; f < s->fields; ++f) {
    const mote_field *field = &head->field[f];
    if (head->rows[f] != count[field->group])
      return fail_head(c, error, "a field with other rows than its blocks");
    if (head->rows[f] > left / mote_field_size(field))
      return fail_head(c, error, "fields with too many values");
    left -= head->rows[f] * mote_field_size(field);
  }
  return left == 0 ? MOTE_OK : fail_head(c, error, "fields with too few values");
}

static mote_result read_head(mote_source *source, mote_arena *arena, mote_archive_head *head,
                             mote_error *error) {
  unsigned char fixed[MOTE_ARCHIVE_FIXED];
  cursor c = {.head = fixed, .offset = source->offset};
  MOTE_TRY(receive(source, fixed, sizeof fixed, "head", error));
  sizes s = get_sizes(&c);
  MOTE_TRY(check_sizes(&c, &s, source->left, error));
  uint64_t size = head_bytes(&s);
  MOTE_TRY(check_left(source, size - sizeof fixed, "head", error));
  unsigned char *bytes = size > SIZE_MAX / 2 ? NULL : mote_arena_take(arena, (size_t)size, 1);
  if (bytes == NULL) return mote_fail_memory(error, (size_t)size);
  memcpy(bytes, fixed, sizeof fixed);
  MOTE_TRY(receive(source, bytes + sizeof fixed, size - sizeof fixed, "head", error));
  c.head = bytes;
  uint64_t checksum;
  memcpy(&checksum, bytes + size - sizeof checksum, sizeof checksum);
  if (checksum != mote_hash_bytes(0, bytes, (size_t)size - sizeof checksum)) {
    return fail_head(&c, error, "wrong checksum");
  }
  head->next_id = s.next_id;
  MOTE_TRY(get_table(&c, &s, head, error));
  return get_blocks(&c, &s, head, error);
}

mote_result mote_archive_read_head(mote_source *source, mote_arena *arena, const mote_archive_head **head,
                                   mote_error *error) {
  MOTE_ASSERT(source != NULL && source->read != NULL);
  MOTE_ASSERT(arena != NULL && head != NULL);
  mote_arena_mark mark = mote_arena_here(arena);
  MOTE_TAKE_NEW(mote_archive_head, made, arena, 1, error);
  mote_result result = read_head(source, arena, made, error);
  if (result == MOTE_OK) {
    *head = made;
  } else {
    mote_arena_release(arena, mark);
  }
  return result;
}

// --- Body -----------------------------------------------------------------------------------------------

// Our group of the same name, or -1. Group 0 corresponds to group 0 only, under any name.
static int match_group(const mote_table *ours, const mote_table *theirs, int group) {
  int match = group == 0 ? 0 : mote_table_find_group(ours, theirs->group[group]);
  return (match == 0) == (group == 0) ? match : -1;
}

// Our field that corresponds to their field `a`; -1: none that is saved.
static mote_result match_field(const mote_table *ours, const mote_table *theirs, int a, int *match,
                               mote_error *error) {
  const mote_field *there = &theirs->field[a];
  int group = match_group(ours, theirs, there->group);
  *match = group < 0 ? -1 : mote_table_find_in(ours, there->name, 1u << group);
  if (*match < 0) *match = mote_table_find(ours, there->name);  // of another group
  if (*match >= 0 && !mote_field_saved(&ours->field[*match])) *match = -1;
  if (*match < 0) return MOTE_OK;
  const mote_field *here = &ours->field[*match];
  if (here->type != there->type || here->components != there->components ||
      strcmp(here->unit, there->unit) != 0) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "field \"%s\" of the archive is %s x %d in %s; %s x %d in %s was expected", here->name,
                     mote_type_name(there->type), there->components, there->unit, mote_type_name(here->type),
                     here->components, here->unit);
  }
  if (here->group != match_group(ours, theirs, there->group)) {
    return mote_fail(error, MOTE_ERROR_FORMAT,
                     "field \"%s\" of the archive is in group \"%s\"; \"%s\" was expected", here->name,
                     theirs->group[there->group], ours->group[here->group]);
  }
  return MOTE_OK;
}

// Whether the archive has this field of ours.
static bool has_field(const mote_archive_head *head, const mote_table *ours, const mote_field *field) {
  int g = field->group == 0 ? 0 : mote_table_find_group(&head->table, ours->group[field->group]);
  return g >= 0 && mote_table_find_in(&head->table, field->name, 1u << g) >= 0;
}

// Whether the archive has rows that should have this field of ours.
static bool has_rows_for(const mote_archive_head *head, const mote_table *ours, const mote_field *field) {
  int g = field->group == 0 ? 0 : mote_table_find_group(&head->table, ours->group[field->group]);
  for (uint64_t b = 0; g >= 0 && b < head->blocks; ++b) {
    if (head->block[b].rows > 0 && head->block[b].groups >> g & 1) return true;
  }
  return false;
}

// Fields of ours that the archive lacks, though it has rows for them.
static mote_result check_missing(const mote_store *fresh, const mote_archive_head *head, mote_error *error) {
  const mote_table *ours = fresh->table, *theirs = &head->table;
  for (int f = 0; f < ours->fields; ++f) {
    const mote_field *field = &ours->field[f];
    if (!mote_field_saved(field) || has_field(head, ours, field)) continue;
    if (!has_rows_for(head, ours, field)) continue;
    if (field->kept == MOTE_KEPT_REQUIRED) {
      return mote_fail(error, MOTE_ERROR_FORMAT, "the archive of %s has no field \"%s\"", theirs->name,
                       field->name);
    }
    mote_note(&fresh->env, MOTE_LOG_INFO, "the archive of %s has no field \"%s\": it is %g %s everywhere",
              theirs->name, field->name, field->initial, field->unit);
  }
  return MOTE_OK;
}

// Checks the consistent counts against the available bytes, before memory is allocated.
static mote_result check_length(const mote_source *source, const mote_archive_head *head, mote_error *error) {
  mote_source ahead = *source;
  for (int a = 0; a < head->table.fields; ++a) {
    uint64_t bytes = head->rows[a] * mote_field_size(&head->field[a]);
    MOTE_TRY(check_left(&ahead, bytes, head->field[a].name, error));
    advance(&ahead, bytes);
  }
  return ahead.offset - source->offset <= SIZE_MAX / 2 ? MOTE_OK : mote_fail_memory(error, SIZE_MAX);
}

static mote_result make_blocks(mote_store *fresh, const mote_archive_head *head, mote_error *error) {
  for (uint64_t b = 0; b < head->blocks; ++b) {
    uint32_t groups = 0;
    for (int g = 0; g < head->table.groups; ++g) {
      int match = match_group(fresh->table, &head->table, g);
      if (match >= 0 && head->block[b].groups >> g & 1) groups |= UINT32_C(1) << match;
    }
    size_t made;
    MOTE_TRY(mote_store_add_block(fresh, groups, (size_t)head->block[b].rows, &made, error));
  }
  fresh->next_id = head->next_id;
  return MOTE_OK;
}

static mote_result drop(mote_source *source, uint64_t bytes, const char *what, uint64_t *checksum,
                        mote_error *error) {
  unsigned char piece[MOTE_ARCHIVE_PIECE];
  for (uint64_t k = 0, size; bytes > 0; ++k, bytes -= size) {
    size = bytes < sizeof piece ? bytes : sizeof piece;
    MOTE_TRY(receive(source, piece, size, what, error));
    *checksum += mote_archive_checksum(piece, (size_t)size, k, 1);
  }
  return MOTE_OK;
}

static mote_result read_values(mote_source *source, const mote_archive_head *head, int a, mote_store *fresh,
                               int match, mote_error *error) {
  const mote_field *field = &head->field[a];
  uint64_t offset = source->offset, checksum = 0, bytes = head->rows[a] * mote_field_size(field);
  if (match >= 0) {
    void *values = fresh->column[match].data;
    MOTE_TRY(receive(source, values, bytes, field->name, error));
    checksum = mote_archive_checksum(values, (size_t)bytes, 0, fresh->env.threads);
  } else {
    MOTE_TRY(drop(source, bytes, field->name, &checksum, error));
    mote_note(&fresh->env, MOTE_LOG_WARNING,
              "field \"%s\" (%s x %d in %s) of the archive of %s is not kept here and was left out",
              field->name, mote_type_name(field->type), field->components, field->unit, head->table.name);
  }
  if (checksum == head->checksum[a]) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_FORMAT,
                   "damaged archive: field \"%s\" (%" PRIu64 " bytes from byte %" PRIu64
                   ") has a wrong checksum",
                   field->name, bytes, offset);
}

static mote_result read_body(mote_source *source, const mote_archive_head *head, mote_store *fresh,
                             mote_error *error) {
  const mote_table *ours = fresh->table, *theirs = &head->table;
  if (strcmp(theirs->name, ours->name) != 0) {
    return mote_fail(error, MOTE_ERROR_FORMAT, "the archive holds %s; %s were expected", theirs->name,
                     ours->name);
  }
  int match[MOTE_FIELD_MAX];
  for (int a = 0; a < theirs->fields; ++a) MOTE_TRY(match_field(ours, theirs, a, &match[a], error));
  MOTE_TRY(check_missing(fresh, head, error));
  MOTE_TRY(check_length(source, head, error));
  MOTE_TRY(make_blocks(fresh, head, error));
  for (int a = 0; a < theirs->fields; ++a) MOTE_TRY(read_values(source, head, a, fresh, match[a], error));
  return MOTE_OK;
}

mote_result mote_archive_read_body(mote_source *source, const mote_archive_head *head, mote_store *store,
                                   mote_error *error) {
  MOTE_ASSERT(source != NULL && source->read != NULL);
  MOTE_ASSERT(head->table.fields >= 1 && head->table.fields <= MOTE_FIELD_MAX);
  MOTE_ASSERT(head->blocks == 0 || head->block != NULL);
  MOTE_ASSERT(store != NULL && store->table != NULL);
  mote_store fresh = mote_store_make(store->table, &store->env);
  mote_result result = read_body(source, head, &fresh, error);
  mote_store_destroy(result == MOTE_OK ? store : &fresh);
  if (result == MOTE_OK) *store = fresh;
  return result;
}

mote_result mote_archive_read(mote_source *source, mote_store *store, mote_arena *scratch,
                              mote_error *error) {
  MOTE_ASSERT(source != NULL && source->read != NULL);
  MOTE_ASSERT(store != NULL && store->table != NULL && scratch != NULL);
  mote_arena_mark mark = mote_arena_here(scratch);
  const mote_archive_head *head;
  mote_result result = mote_archive_read_head(source, scratch, &head, error);
  if (result == MOTE_OK) result = mote_archive_read_body(source, head, store, error);
  mote_arena_release(scratch, mark);
  return result;
}
