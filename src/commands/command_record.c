// Commands in the state: see command_record.h.
#include "commands/command_record.h"

#include <string.h>

static const char *const groups[] = {"all"};
static const mote_field command_field[] = {MOTE_COMMAND_TABLE_FIELDS(MOTE_FIELD_ENTRY)};
static const mote_field particle_field[] = {MOTE_COMMAND_PARTICLE_FIELDS(MOTE_FIELD_ENTRY)};
const mote_table mote_command_table = {"commands", command_field, MOTE_RECORDED_FIELD_COUNT, groups, 1, -1,
                                       2};
const mote_table mote_command_particle_table = {
    "command_particles", particle_field, MOTE_RECORDED_PARTICLE_FIELD_COUNT, groups, 1, -1, 1};

static const char *const fields[] = {"velocity", "position"};
_Static_assert(MOTE_BODY_NAME_SIZE == 64 && MOTE_COMMAND_VALUES == 10, "sizes of the table's fields");

static mote_store *find_store(const mote_state *state, const mote_table *table) {
  size_t t = mote_state_find(state, table->name);
  return t == SIZE_MAX ? NULL : &state->store[t];
}

// --- Reading ------------------------------------------------------------------------------------------

size_t mote_commands_count(const mote_state *state) {
  const mote_store *store = find_store(state, &mote_command_table);
  return store == NULL ? 0 : store->count[0];
}

// The first of its particles.
static size_t first_particle(const mote_store *store, size_t k) {
  size_t first = 0;
  for (size_t c = 0; c < k; ++c) first += (size_t)mote_store_u64(store, MOTE_RECORDED_PARTICLES)[c];
  return first;
}

mote_command mote_commands_at(const mote_state *state, size_t k) {
  const mote_store *store = find_store(state, &mote_command_table),
                   *rows = find_store(state, &mote_command_particle_table);
  MOTE_ASSERT(store != NULL && rows != NULL && k < store->count[0]);
  mote_command command = {.kind = (mote_command_kind)mote_store_u32(store, MOTE_RECORDED_KIND)[k],
                          .step = mote_store_u64(store, MOTE_RECORDED_STEP)[k],
                          .time = mote_store_f64(store, MOTE_RECORDED_TIME)[k],
                          .count = (size_t)mote_store_u64(store, MOTE_RECORDED_PARTICLES)[k]};
  memcpy(command.target, mote_store_u8(store, MOTE_RECORDED_TARGET) + sizeof command.target * k,
         sizeof command.target);
  memcpy(command.value, mote_store_f64(store, MOTE_RECORDED_VALUE) + MOTE_COMMAND_VALUES * k,
         sizeof command.value);
  if (command.count == 0) return command;
  size_t first = first_particle(store, k);
  command.field = fields[mote_store_u8(store, MOTE_RECORDED_FIELD)[k]];
  command.id = mote_store_u64(rows, MOTE_RECORDED_PARTICLE) + first;
  command.values = mote_store_f64(rows, MOTE_RECORDED_GIVEN) + 3 * first;
  return command;
}

double mote_commands_speed(const mote_state *state, size_t k) {
  return mote_store_f64(find_store(state, &mote_command_table), MOTE_RECORDED_SPEED)[k];
}

// --- Writing ------------------------------------------------------------------------------------------

static mote_result expect_table(mote_state *state, const mote_table *table, mote_error *error) {
  size_t index;
  if (find_store(state, table) != NULL) return MOTE_OK;
  return mote_state_register(state, table, &index, error);
}

mote_result mote_commands_add(mote_state *state, const mote_command *command, double speed,
                              mote_error *error) {
  MOTE_ASSERT(command != NULL && (unsigned)command->kind < MOTE_COMMANDS);
  MOTE_TRY(expect_table(state, &mote_command_table, error));
  MOTE_TRY(expect_table(state, &mote_command_particle_table, error));
  mote_store *store = find_store(state, &mote_command_table),
             *rows = find_store(state, &mote_command_particle_table);
  size_t k = store->count[0], first = rows->count[0];
  size_t count = command->kind == MOTE_COMMAND_FIELD ? command->count : 0;
  MOTE_TRY(mote_store_resize(rows, 0, first + count, error));
  mote_result result = mote_store_resize(store, 0, k + 1, error);
  if (result != MOTE_OK) return (void)mote_store_resize(rows, 0, first, NULL), result;
  mote_store_u64(store, MOTE_RECORDED_STEP)[k] = *mote_state_u64(state, MOTE_WORLD_STEP);
  mote_store_f64(store, MOTE_RECORDED_TIME)[k] = *mote_state_f64(state, MOTE_WORLD_TIME);
  mote_store_u32(store, MOTE_RECORDED_KIND)[k] = (uint32_t)command->kind;
  mote_store_u64(store, MOTE_RECORDED_PARTICLES)[k] = count;
  mote_store_f64(store, MOTE_RECORDED_SPEED)[k] = speed;
  mote_store_u8(store, MOTE_RECORDED_FIELD)[k] = count > 0 && strcmp(command->field, fields[1]) == 0;
  uint8_t *target = mote_store_u8(store, MOTE_RECORDED_TARGET) + sizeof command->target * k;
  memset(target, 0, sizeof command->target);  // bytes behind the name are part of the hash
  memcpy(target, command->target, strlen(command->target));
  double *value = mote_store_f64(store, MOTE_RECORDED_VALUE) + MOTE_COMMAND_VALUES * k;
  for (int v = 0; v < MOTE_COMMAND_VALUES; ++v)  // of all NaN the same bits
    value[v] = isnan(command->value[v]) ? (double)NAN : command->value[v];
  if (count == 0) return MOTE_OK;
  memcpy(mote_store_u64(rows, MOTE_RECORDED_PARTICLE) + first, command->id, count * sizeof *command->id);
  memcpy(mote_store_f64(rows, MOTE_RECORDED_GIVEN) + 3 * first, command->values,
         3 * count * sizeof *command->values);
  return MOTE_OK;
}

void mote_commands_undo(mote_state *state) {
  mote_store *store = find_store(state, &mote_command_table),
             *rows = find_store(state, &mote_command_particle_table);
  MOTE_ASSERT(store != NULL && store->count[0] > 0);
  size_t k = store->count[0] - 1, count = (size_t)mote_store_u64(store, MOTE_RECORDED_PARTICLES)[k];
  (void)mote_store_resize(store, 0, k, NULL);  // fewer: cannot fail
  (void)mote_store_resize(rows, 0, rows->count[0] - count, NULL);
}

// --- Snapshots ----------------------------------------------------------------------------------------

mote_result mote_commands_expect(const mote_snapshot_head *head, mote_state *state, mote_error *error) {
  bool listed = false;
  for (size_t e = 0; e < head->tables; ++e)
    listed = listed || strcmp(head->entry[e].name, mote_command_table.name) == 0;
  if (!listed) return MOTE_OK;
  MOTE_TRY(expect_table(state, &mote_command_table, error));
  return expect_table(state, &mote_command_particle_table, error);
}

bool mote_commands_possible(const mote_state *state) {
  const mote_store *store = find_store(state, &mote_command_table),
                   *rows = find_store(state, &mote_command_particle_table);
  if (store == NULL) return true;
  uint64_t particles = 0, step = 0;
  bool fits = store->blocks == 1 && rows != NULL && rows->blocks == 1;
  for (size_t k = 0; fits && k < store->count[0]; ++k) {
    uint32_t kind = mote_store_u32(store, MOTE_RECORDED_KIND)[k];
    uint64_t count = mote_store_u64(store, MOTE_RECORDED_PARTICLES)[k],
             at = mote_store_u64(store, MOTE_RECORDED_STEP)[k];
    const uint8_t *target = mote_store_u8(store, MOTE_RECORDED_TARGET) + (size_t)MOTE_BODY_NAME_SIZE * k;
    fits =
        kind < MOTE_COMMANDS && (count > 0) == (kind == MOTE_COMMAND_FIELD) &&
        count <= rows->count[0] - particles && at >= step && at <= *mote_state_u64(state, MOTE_WORLD_STEP) &&
        mote_store_f64(store, MOTE_RECORDED_TIME)[k] <= *mote_state_f64(state, MOTE_WORLD_TIME) &&
        mote_store_f64(store, MOTE_RECORDED_SPEED)[k] >= 0.0 &&
        memchr(target, 0, MOTE_BODY_NAME_SIZE) != NULL && mote_store_u8(store, MOTE_RECORDED_FIELD)[k] <= 1;
    particles += count, step = at;
    if (!fits) break;
    mote_command command = mote_commands_at(state, k);
    fits = mote_command_check(&command, NULL) == MOTE_OK;
  }
  return fits && particles == rows->count[0];
}
