// Memory through the environment: alignment, growth that keeps what was there, overflow, refusal without
// loss, and a balanced account of every byte.
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#include "test.h"

// Counts bytes and refuses when `left` calls are used up (negative: never).
typedef struct account {
  size_t bytes;
  int left, calls;
  bool wrong;
} account;

static void *counted(void *user, void *block, size_t old_size, size_t size) {
  account *a = user;
  ++a->calls;
  a->wrong |= (block == NULL) != (old_size == 0) || old_size > a->bytes;
  if (size > 0 && a->left == 0) return NULL;
  if (size > 0 && a->left > 0) --a->left;
  a->bytes += size - old_size;
  mote_env plain = mote_env_default();
  return plain.resize(plain.resize_user, block, old_size, size);
}

static mote_env counting(account *a) {
  mote_env env = mote_env_default();
  env.resize = counted;
  env.resize_user = a;
  return env;
}

static void default_memory_is_aligned(void) {
  mote_env env = mote_env_default();
  for (size_t size = 1; size < 2000; size = 2 * size + 1) {
    unsigned char *block = mote_alloc(&env, size, 1);
    if (!CHECK(block != NULL && (uintptr_t)block % MOTE_ALIGNMENT == 0)) return;
    memset(block, (int)size & 0xff, size);
    block = env.resize(env.resize_user, block, size, 3 * size);
    CHECK((uintptr_t)block % MOTE_ALIGNMENT == 0 && block[0] == (size & 0xff) &&
          block[size - 1] == (size & 0xff));
    block = env.resize(env.resize_user, block, 3 * size, 1);
    CHECK(block != NULL && block[0] == (size & 0xff));
    mote_free(&env, block, 1, 1);
  }
  CHECK(env.threads >= 1 && env.log == NULL);
}

static void empty_arrays_are_not_null(void) {
  account a = {.left = -1};
  mote_env env = counting(&a);
  void *none = mote_alloc(&env, 0, 8), *nothing = mote_alloc(&env, 8, 0);
  CHECK(none != NULL && nothing != NULL);
  mote_free(&env, none, 0, 8);
  mote_free(&env, nothing, 8, 0);
  mote_free(&env, NULL, 5, 8);
  CHECK(a.bytes == 0 && !a.wrong);
}

static void reserve_grows_and_keeps(void) {
  account a = {.left = -1};
  mote_env env = counting(&a);
  int *numbers = NULL;
  size_t capacity = 0;
  for (size_t count = 0; count <= 20000; ++count) {
    size_t before = capacity;
    CHECK(mote_reserve(&env, &numbers, &capacity, count, sizeof *numbers, NULL) == MOTE_OK);
    if (!CHECK(numbers != NULL && capacity >= count)) return;
    if (count > before) CHECK(capacity >= before + before / 2);
    if (count > 0) numbers[count - 1] = (int)count;
  }
  CHECK(a.calls < 40);  // log(20000) / log(1.5) and the slow beginning
  for (int i = 0; i < 20000; ++i) CHECK(numbers[i] == i + 1);
  CHECK(a.bytes == capacity * sizeof *numbers);
  mote_free(&env, numbers, capacity, sizeof *numbers);
  CHECK(a.bytes == 0 && !a.wrong);
}

static void refusal_changes_nothing(void) {
  account a = {.left = 1};
  mote_env env = counting(&a);
  double *numbers = NULL;
  size_t capacity = 0;
  mote_error error = {0};
  CHECK(mote_reserve(&env, &numbers, &capacity, 10, sizeof *numbers, &error) == MOTE_OK);
  numbers[9] = 9.0;
  double *kept = numbers;
  CHECK(mote_reserve(&env, &numbers, &capacity, 100, sizeof *numbers, &error) == MOTE_ERROR_MEMORY);
  CHECK(error.code == MOTE_ERROR_MEMORY && strstr(error.text, "800") != NULL);
  CHECK(numbers == kept && capacity == 10 && numbers[9] == 9.0);
  CHECK(mote_alloc(&env, 1, 1) == NULL);
  mote_free(&env, numbers, capacity, sizeof *numbers);
  CHECK(a.bytes == 0 && !a.wrong);
}

static void overflow_is_refused_without_asking(void) {
  account a = {.left = -1};
  mote_env env = counting(&a);
  void *block = NULL;
  size_t capacity = 0;
  mote_error error = {0};
  CHECK(mote_alloc(&env, SIZE_MAX, 2) == NULL && mote_alloc(&env, SIZE_MAX / 4, 8) == NULL);
  CHECK(mote_alloc(&env, (size_t)1 << (4 * sizeof(size_t)), (size_t)1 << (4 * sizeof(size_t))) == NULL);
  CHECK(mote_reserve(&env, &block, &capacity, SIZE_MAX / 8, 16, &error) == MOTE_ERROR_MEMORY);
  CHECK(block == NULL && capacity == 0 && a.calls == 0);
}

static void environments_are_completed(void) {
  mote_env none = mote_env_resolve(NULL), bare = mote_env_resolve(&(mote_env){.threads = -3});
  CHECK(none.resize != NULL && none.threads == mote_env_default().threads);
  CHECK(bare.resize != NULL && bare.threads == 1);
  mote_env given = mote_env_resolve(&(mote_env){.resize = counted, .threads = 5});
  CHECK(given.resize == counted && given.threads == 5);
}

int main(void) {
  default_memory_is_aligned();
  empty_arrays_are_not_null();
  reserve_grows_and_keeps();
  refusal_changes_nothing();
  overflow_is_refused_without_asking();
  environments_are_completed();
  return test_end();
}
