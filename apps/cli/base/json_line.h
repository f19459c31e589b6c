// One JSON object on one line, put together member by member.
#ifndef MOTE_JSON_LINE_H
#define MOTE_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_line {
  char text[16384];
  size_t length;
} json_line;

void json_begin(json_line *line);
void json_text(json_line *line, const char *key, const char *value);
void json_number(json_line *line, const char *key, double value);  // null where it is not finite
void json_integer(json_line *line, const char *key, uint64_t value);
void json_flag(json_line *line, const char *key, bool value);
void json_hash(json_line *line, const char *key, uint64_t value);  // as 16 hexadecimal digits
void json_texts(json_line *line, const char *key, const char *const *value, int count);
void json_open(json_line *line, const char *key);  // an object in the object
void json_close(json_line *line);
// The finished line, with its end.
const char *json_end(json_line *line);

#endif
