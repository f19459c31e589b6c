// Base64: see base64.h.
#include "io/base64.h"

#include <string.h>

static const char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode_group(const uint8_t bytes[3], char out[4]) {
  uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
  for (int k = 0; k < 4; ++k) out[k] = letters[bits >> (18 - 6 * k) & 63];
}

void mote_base64_group(const uint8_t *bytes, size_t count, char out[4]) {
  uint8_t group[3] = {0};
  memcpy(group, bytes, count);
  encode_group(group, out);
  for (size_t k = count + 1; k < 4; ++k) out[k] = '=';
}

void mote_base64_write(mote_base64_writer *writer, const void *bytes, size_t size) {
  const uint8_t *next = bytes;
  char text[4096];
  size_t used = 0;
  while (writer->lefts + size >= 3) {
    uint8_t group[3];
    size_t taken = 3 - writer->lefts;
    memcpy(group, writer->left, 3);
    memcpy(group + writer->lefts, next, taken);
    writer->lefts = 0;
    next += taken;
    size -= taken;
    encode_group(group, text + used);
    used += 4;
    if (used < sizeof text) continue;
    mote_file_out_write(writer->out, text, used);
    used = 0;
  }
  mote_file_out_write(writer->out, text, used);
  if (size > 0) memcpy(writer->left + writer->lefts, next, size);
  writer->lefts += size;
}

void mote_base64_end(mote_base64_writer *writer) {
  char text[4];
  if (writer->lefts == 0) return;
  mote_base64_group(writer->left, writer->lefts, text);
  mote_file_out_write(writer->out, text, 4);
  writer->lefts = 0;
}

// 0 to 63; 64: '='; 65: a space; 66: something else.
static uint8_t letter_value(char c) {
  if (c >= 'A' && c <= 'Z') return (uint8_t)(c - 'A');
  if (c >= 'a' && c <= 'z') return (uint8_t)(c - 'a' + 26);
  if (c >= '0' && c <= '9') return (uint8_t)(c - '0' + 52);
  if (c == '+') return 62;
  if (c == '/') return 63;
  if (c == '=') return 64;
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' ? 65 : 66;
}

// The next group into `left`; false at the end or at another character.
static bool read_group(mote_base64_reader *reader) {
  uint32_t bits = 0;
  int count = 0, pads = 0;
  while (count < 4) {
    int value = reader->at < reader->size ? letter_value(reader->text[reader->at]) : 66;
    if (value == 66) return false;
    ++reader->at;
    if (value == 65) continue;
    pads += value == 64;
    bits = bits << 6 | (uint32_t)(value & 63);
    ++count;
  }
  for (int k = 0; k < 3; ++k) reader->left[k] = (uint8_t)(bits >> (16 - 8 * k));
  reader->lefts = pads < 3 ? 3 - pads : 0;
  return true;
}

// Whole groups of plain letters, as many as there are and fit: most of any file.
static size_t read_plain(mote_base64_reader *reader, uint8_t *to, size_t size) {
  uint8_t value[256];
  size_t got = 0;
  for (int c = 0; c < 256; ++c) value[c] = letter_value((char)c);
  const uint8_t *text = (const uint8_t *)reader->text;
  for (; size - got >= 3 && reader->size - reader->at >= 4; got += 3, reader->at += 4) {
    const uint8_t *t = text + reader->at;
    uint8_t a = value[t[0]], b = value[t[1]], c = value[t[2]], d = value[t[3]];
    if ((a | b | c | d) > 63) break;
    to[got] = (uint8_t)(a << 2 | b >> 4);
    to[got + 1] = (uint8_t)(b << 4 | c >> 2);
    to[got + 2] = (uint8_t)(c << 6 | d);
  }
  return got;
}

size_t mote_base64_read(mote_base64_reader *reader, void *bytes, size_t size) {
  uint8_t *to = bytes;
  size_t got = 0;
  while (got < size) {
    if (reader->lefts == 0 && size - got >= 256) got += read_plain(reader, to + got, size - got);
    if (got == size) break;
    if (reader->lefts == 0 && !read_group(reader)) break;
    if (reader->lefts == 0) continue;
    to[got++] = reader->left[0];
    reader->left[0] = reader->left[1];
    reader->left[1] = reader->left[2];
    --reader->lefts;
  }
  return got;
}
