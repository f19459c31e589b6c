// Base64: known pairs, streams one after the other, letters cut and strange.
#define _XOPEN_SOURCE 700
#include "io/base64.h"

#include "io_kit.h"

static void test_known(void) {  // RFC 4648, section 10
  static const char *const pairs[][2] = {{"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    const char *plain = pairs[k][0], *coded = pairs[k][1];
    char text[9] = {0}, back[9] = {0};
    for (size_t at = 0; at < strlen(plain); at += 3)
      mote_base64_group((const uint8_t *)plain + at, strlen(plain) - at < 3 ? strlen(plain) - at : 3,
                        text + at / 3 * 4);
    CHECK_TEXT(text, coded);
    mote_base64_reader reader = {.text = coded, .size = strlen(coded)};
    CHECK(mote_base64_read(&reader, back, sizeof back) == strlen(plain) && strcmp(back, plain) == 0);
  }
}

// A head in a stream of its own and values in the next, with line ends between, in portions of all sizes.
static void test_streams(void) {
  uint8_t bytes[2000], back[2000];
  char text[4000];
  size_t used = 0, cut = 8;
  uint64_t state = 3;
  for (size_t k = 0; k < sizeof bytes; ++k) bytes[k] = (uint8_t)kit_random(&state);
  for (size_t at = 0; at < sizeof bytes;) {
    size_t end = at < cut ? cut : sizeof bytes, count = end - at < 3 ? end - at : 3;
    mote_base64_group(bytes + at, count, text + used);
    used += 4;
    if (used % 76 == 0) text[used++] = '\n';
    at += count;
  }
  for (size_t portion = 1; portion <= sizeof bytes; portion = portion * 2 + 1) {
    mote_base64_reader reader = {.text = text, .size = used};
    size_t got = 0, now;
    do {
      size_t want = sizeof back - got < portion ? sizeof back - got : portion;
      now = mote_base64_read(&reader, back + got, want);
      got += now;
    } while (now > 0 && got < sizeof back);
    CHECK(got == sizeof bytes && memcmp(back, bytes, sizeof bytes) == 0);
    CHECK(mote_base64_read(&reader, back, 1) == 0);
  }
}

static void test_strange(void) {
  uint8_t back[16];
  static const char *const texts[] = {"Zm9", "Zm9v?m9v", "<Zm9v", "", "===="};
  static const size_t there[] = {0, 3, 0, 0, 0};
  for (int k = 0; k < 5; ++k) {
    mote_base64_reader reader = {.text = texts[k], .size = strlen(texts[k])};
    CHECK(mote_base64_read(&reader, back, sizeof back) == there[k]);
  }
}

int main(void) {
  test_known();
  test_streams();
  test_strange();
  return test_end();
}
