// JSON: what is well-formed, what is not and where, walking, texts and numbers.
#define _XOPEN_SOURCE 700
#include "io/json.h"

#include "io_kit.h"

static mote_error error;

static bool check(const char *text, mote_json *root) {
  return mote_json_check((mote_word){text, strlen(text)}, "a.glb", root, &error) == MOTE_OK;
}

static void test_form(void) {
  mote_json root;
  static const char *const good[] = {
      "{}",     "[]",         " [ ] ", "0",
      "-1.5e3", "\"a\\\"b\"", "null",  "{\"a\":[1,{\"b\":true}, false ],\n\t\"c\" : \"\"}"};
  static const char *const bad[] = {"",         "{",      "[1,]",       "[1 2]",   "{\"a\"}",
                                    "{\"a\":}", "{a:1}",  "\"a",        "\"a\\\"", "nul",
                                    "[1]]",     "\"\n\"", "{\"a\":1,}", "[,1]",    "\"a\\"};
  for (size_t k = 0; k < sizeof good / sizeof *good; ++k) CHECK(check(good[k], &root));
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
    if (!CHECK(!check(bad[k], &root))) fprintf(stderr, "  %s\n", bad[k]);
  CHECK(!check("[1, 2, x]", &root) && strstr(error.text, "byte 7") != NULL);
  char deep[201];
  memset(deep, '[', 100), memset(deep + 100, ']', 100), deep[200] = 0;
  CHECK(!check(deep, &root));
  deep[150] = 0;
  CHECK(check(deep + 50, &root));
}

static void test_walk(void) {
  mote_json root, key, value;
  static const char text[] =
      " {\"a\":1,\"list\":[10, -2.5 ,\"x\"],\"o\":{\"a\":2},\"t\":\"q\\\"\\u0041\\n\\u00e9\\\\\",\"n\":1.5} ";
  char out[16];
  uint64_t count = 7;
  if (!CHECK(check(text, &root))) return;
  CHECK(mote_json_count(mote_json_get(root, "a"), &count) && count == 1);
  CHECK(mote_json_count(mote_json_get(mote_json_get(root, "o"), "a"), &count) && count == 2);
  CHECK(!mote_json_count(mote_json_get(root, "n"), &count) && count == 2);
  CHECK(mote_json_get(root, "none").size == 0 && mote_json_get(mote_json_get(root, "a"), "a").size == 0);
  mote_json list = mote_json_get(root, "list");
  size_t at = 0;
  CHECK(mote_json_next(list, &at, &key, &value) && mote_json_number(value, 0) == 10);
  CHECK(mote_json_next(list, &at, &key, &value) && mote_json_number(value, 0) == -2.5);
  CHECK(mote_json_next(list, &at, &key, &value) && mote_json_is(value, "x"));
  CHECK(!mote_json_next(list, &at, &key, &value));
  int members = 0;
  for (at = 0; mote_json_next(root, &at, &key, &value);) ++members;
  CHECK(members == 5 && mote_json_is(key, "n"));
  mote_json_text(mote_json_get(root, "t"), out, sizeof out);
  CHECK_TEXT(out, "q\"A\n?\\");
  mote_json_text(mote_json_get(root, "t"), out, 3);
  CHECK_TEXT(out, "q\"");
}

static void test_writing(void) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  mote_json root;
  char out[32];
  mote_json_put_text(&text, "a\"b\\c\n");
  CHECK(mote_json_check((mote_word){(char *)text.data, text.size}, "a", &root, &error) == MOTE_OK);
  mote_json_text(root, out, sizeof out);
  CHECK_TEXT(out, "a\"b\\c\n");
  text.size = 0;
  mote_json_put_number(&text, 0.1);
  CHECK(text.size == 3 && memcmp(text.data, "0.1", 3) == 0);
  text.size = 0;
  mote_json_put_number(&text, (double)INFINITY);
  CHECK(text.size == 4 && memcmp(text.data, "null", 4) == 0);
  mote_buffer_free(&text);
}

int main(void) {
  test_form();
  test_walk();
  test_writing();
  return test_end();
}
