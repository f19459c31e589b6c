// Putting rows in order: see sort.h.
//
// The sort moves 8-byte records: the row in the low bits and as many bits of the key as fit above it.
// Bits that are equal in all keys are omitted, so that cell numbers need one record for the whole
// key. Longer keys are sorted in pieces, the least significant first. Ties are short if keys are
// cells: insertion sort orders them afterwards, or, if one is long, rows are sorted by id first.
#include "particles/sort.h"

#include <string.h>

#include "base/parallel.h"

#define DIGIT_BITS 11
#define DIGIT_BINS (1u << DIGIT_BITS)
#define CHUNK ((size_t)1 << 13)  // rows that one task counts and moves
#define LONGEST_TIE 64           // rows of equal keys that are sorted by insertion

// Runs of varying bits, packed together: word = sum of ((key >> shift) & mask) << to.
typedef struct piece {
  int runs, bits;  // bits of all runs together
  struct {
    int shift, to;
    uint64_t mask;
  } run[32];
} piece;

typedef struct sorter {
  size_t count, chunks;
  int threads, row_bits;
  const uint64_t *key, *id;
  uint32_t *from;          // the order so far
  uint64_t *word, *other;  // records, and the output of the next pass
  uint32_t *bin;           // per chunk and digit: first counts, then offsets
  uint64_t *varying;       // per chunk: bits of the keys that differ from the first key
  bool *flag;              // per chunk
  piece piece;
  int shift;      // to the digit of this pass
  uint32_t bins;  // of this pass
} sorter;

static void each_chunk(sorter *s, mote_task *task) {
  mote_parallel_for(s->threads, s->count, CHUNK, task, s);
}

static bool any_flag(const sorter *s) {
  return s->chunks > 0 && memchr(s->flag, true, s->chunks) != NULL;
}

// --- Survey: which bits vary, and whether rows are in order already
// -----------------------------------------

static bool in_order(const sorter *s, size_t a, size_t b) {
  if (s->key[a] != s->key[b]) return s->key[a] < s->key[b];
  return s->id == NULL || s->id[a] <= s->id[b];
}

// Sets the flag if the chunk, with the row before it, is not in order.
static void survey_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  uint64_t varying = 0;
  bool ordered = true;
  for (size_t i = begin; i < end; ++i) {
    varying |= s->key[i] ^ s->key[0];
    if (ordered && i > 0) ordered = in_order(s, i - 1, i);
  }
  s->varying[begin / CHUNK] = varying;
  s->flag[begin / CHUNK] = !ordered;
}

// The bits that vary; 0 when the rows are in order by (key, id) already.
static uint64_t survey(sorter *s, const uint64_t *key, const uint64_t *id) {
  s->key = key, s->id = id;
  each_chunk(s, survey_chunk);
  if (!any_flag(s)) return 0;
  uint64_t varying = 0;
  for (size_t c = 0; c < s->chunks; ++c) varying |= s->varying[c];
  return varying;
}

// --- Sort by a piece of the key ---------------------------------------------------------------------

// Takes up to `most` of the lowest bits from *varying.
static piece take_piece(uint64_t *varying, int most) {
  piece p = {0};
  while (*varying != 0 && p.bits < most) {
    int shift = __builtin_ctzll(*varying);
    uint64_t above = ~(*varying >> shift);
    int width = above == 0 ? 64 : __builtin_ctzll(above);
    if (width > most - p.bits) width = most - p.bits;
    uint64_t mask = UINT64_MAX >> (64 - width);
    p.run[p.runs].shift = shift, p.run[p.runs].to = p.bits, p.run[p.runs].mask = mask;
    ++p.runs;
    p.bits += width;
    *varying &= ~(mask << shift);
  }
  return p;
}

static void pack_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  const piece *p = &s->piece;
  for (size_t k = begin; k < end; ++k) {
    uint64_t key = s->key[s->from[k]], word = 0;
    for (int r = 0; r < p->runs; ++r) word |= (key >> p->run[r].shift & p->run[r].mask) << p->run[r].to;
    s->word[k] = word << s->row_bits | s->from[k];
  }
}

static void unpack_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  uint64_t mask = (UINT64_C(1) << s->row_bits) - 1;
  for (size_t k = begin; k < end; ++k) s->from[k] = (uint32_t)(s->word[k] & mask);
}

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  uint32_t *bin = s->bin + begin / CHUNK * DIGIT_BINS;
  memset(bin, 0, s->bins * sizeof *bin);
  for (size_t k = begin; k < end; ++k) ++bin[s->word[k] >> s->shift & (s->bins - 1)];
}

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  uint32_t *bin = s->bin + begin / CHUNK * DIGIT_BINS;
  for (size_t k = begin; k < end; ++k) s->other[bin[s->word[k] >> s->shift & (s->bins - 1)]++] = s->word[k];
}

// Turns counts into offsets: all of a digit before the next digit, within it the chunks in order.
static void place_bins(sorter *s) {
  uint32_t place = 0;
  for (uint32_t digit = 0; digit < s->bins; ++digit) {
    for (size_t c = 0; c < s->chunks; ++c) {
      uint32_t *bin = &s->bin[c * DIGIT_BINS + digit], number = *bin;
      *bin = place;
      place += number;
    }
  }
}

static void sort_by_piece(sorter *s) {
  each_chunk(s, pack_chunk);
  int bits = s->piece.bits, passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
  for (int pass = 0; pass < passes; ++pass) {
    int begin = bits * pass / passes, end = bits * (pass + 1) / passes;
    s->shift = s->row_bits + begin;
    s->bins = 1u << (end - begin);
    each_chunk(s, count_chunk);
    place_bins(s);
    each_chunk(s, move_chunk);
    uint64_t *moved = s->other;
    s->other = s->word;
    s->word = moved;
  }
  each_chunk(s, unpack_chunk);
}

// Stably reorders `from` by the keys, of which these bits vary.
static void sort_by(sorter *s, const uint64_t *key, uint64_t varying) {
  s->key = key;
  while (varying != 0) {
    s->piece = take_piece(&varying, 64 - s->row_bits);
    sort_by_piece(s);
  }
}

// --- Ties: only after a sort by one piece, when records with equal words have equal keys ------------

static bool tied(const sorter *s, size_t a, size_t b) {
  return (s->word[a] ^ s->word[b]) >> s->row_bits == 0;
}

static void id_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  for (size_t k = begin; k < end; ++k) s->other[k] = s->id[s->from[k]];
}

// Stable insertion by id.
static void sort_tie(uint64_t *id, uint32_t *row, size_t count) {
  for (size_t k = 1; k < count; ++k) {
    uint64_t own = id[k];
    uint32_t r = row[k];
    size_t place = k;
    for (; place > 0 && id[place - 1] > own; --place) {
      id[place] = id[place - 1];
      row[place] = row[place - 1];
    }
    id[place] = own;
    row[place] = r;
  }
}

// Sorts the ties that begin in the chunk; sets the flag if one is too long.
static void sort_ties_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  size_t k = begin, longest = 0;
  while (k > 0 && k < end && tied(s, k, k - 1)) ++k;
  while (k < end && longest <= LONGEST_TIE) {
    size_t first = k++;
    while (k < s->count && tied(s, k, first)) ++k;
    size_t length = k - first;
    if (length > longest) longest = length;
    if (length > 1 && length <= LONGEST_TIE) sort_tie(s->other + first, s->from + first, length);
  }
  s->flag[begin / CHUNK] = longest > LONGEST_TIE;
}

// --- The whole ----------------------------------------------------------------------------------------

static void identity_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sorter *s = data;
  for (size_t k = begin; k < end; ++k) s->from[k] = (uint32_t)k;
}

static void sort_rows(sorter *s, const uint64_t *key, const uint64_t *id) {
  each_chunk(s, identity_chunk);
  uint64_t varying = survey(s, key, id);
  if (!any_flag(s)) return;
  int bits = __builtin_popcountll(varying);
  if (id == NULL || (bits > 0 && bits <= 64 - s->row_bits)) {
    sort_by(s, key, varying);
    if (id == NULL) return;
    each_chunk(s, id_chunk);
    each_chunk(s, sort_ties_chunk);
    if (!any_flag(s)) return;
    each_chunk(s, identity_chunk);
  }
  sort_by(s, id, survey(s, id, NULL));
  sort_by(s, key, varying);
}

// Bits that hold the numbers 0 .. count-1; at least one.
static int bits_for(size_t count) {
  int bits = 1;
  while (count > (size_t)1 << bits) ++bits;
  return bits;
}

mote_result mote_order_sort(const uint64_t *key, const uint64_t *id, size_t count, int threads,
                            mote_arena *scratch, uint32_t *from, mote_error *error) {
  MOTE_ASSERT(scratch != NULL);
  if (count > UINT32_MAX)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "%zu rows are too many to sort", count);
  MOTE_ASSERT((key != NULL && from != NULL) || count == 0);
  mote_arena_mark mark = mote_arena_here(scratch);
  size_t chunks = count / CHUNK + (count % CHUNK != 0);
  sorter s = {
      .count = count,
      .chunks = chunks,
      .threads = threads,
      .row_bits = bits_for(count),
      .from = from,
      .word = mote_arena_take(scratch, count, sizeof *s.word),
      .other = mote_arena_take(scratch, count, sizeof *s.other),
      .bin = mote_arena_take(scratch, chunks, DIGIT_BINS * sizeof *s.bin),
      .varying = mote_arena_take(scratch, chunks, sizeof *s.varying),
      .flag = mote_arena_take(scratch, chunks, sizeof *s.flag),
  };
  bool has_memory = s.word != NULL && s.other != NULL && s.bin != NULL && s.varying != NULL && s.flag != NULL;
  if (has_memory) sort_rows(&s, key, id);
  mote_arena_release(scratch, mark);
  return has_memory ? MOTE_OK : mote_fail_memory(error, 2 * count * sizeof *s.word);
}
