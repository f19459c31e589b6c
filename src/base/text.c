// The closest of some names: see text.h. Optimal string alignment, three rows of the table at a time.
#include <mote/text.h>
#include <stdint.h>
#include <string.h>

static char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t mote_text_distance(const char *a, const char *b) {
  size_t rows[3][MOTE_TEXT_WORD + 1], a_size = strlen(a), b_size = strlen(b);
  if (a_size > MOTE_TEXT_WORD || b_size > MOTE_TEXT_WORD) return SIZE_MAX;
  size_t *older = rows[0], *old = rows[1], *now = rows[2];
  for (size_t k = 0; k <= b_size; ++k) now[k] = k;
  for (size_t i = 1; i <= a_size; ++i) {
    size_t *free_row = older;
    older = old, old = now, now = free_row;
    now[0] = i;
    for (size_t k = 1; k <= b_size; ++k) {
      size_t change = lower(a[i - 1]) != lower(b[k - 1]);
      now[k] = least(old[k - 1] + change, least(old[k], now[k - 1]) + 1);
      bool swapped =
          i > 1 && k > 1 && lower(a[i - 1]) == lower(b[k - 2]) && lower(a[i - 2]) == lower(b[k - 1]);
      if (swapped) now[k] = least(now[k], older[k - 2] + 1);
    }
  }
  return now[b_size];
}

const char *mote_text_closest(const char *word, const char *const *names, size_t count) {
  size_t third = strlen(word) / 3, nearest = third > 1 ? third : 1;
  const char *found = NULL;
  for (size_t k = 0; k < count; ++k) {
    size_t distance = mote_text_distance(word, names[k]);
    if (distance < nearest || (distance == nearest && found == NULL)) {
      nearest = distance;
      found = names[k];
    }
  }
  return found;
}
