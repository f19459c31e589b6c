// Colouring of pairs: see contact_rows.h. No two pairs of a colour share a moving obstacle (first fit in
// order of the pairs), so all threads may solve one colour at once, and the result equals that of one thread.
#include "contact/contact_rows.h"

#define COLOURS MOTE_CONTACT_COLOURS

static size_t pair_end(const mote_contact_set *set, size_t first) {
  const mote_contact *p = set->contact + first;
  size_t end = first + 1;
  for (; end < set->count; ++end) {
    const mote_contact *q = set->contact + end;
    if (!(p->a == q->a && p->b == q->b) && !(p->a == q->b && p->b == q->a)) break;
  }
  return end;
}

// The first colour that neither obstacle of the pair has yet.
static int first_fit(const mote_contact_rows *s, const mote_contact *c, uint64_t *used) {
  uint64_t taken = (s->mass[c->a].moves ? used[c->a] : 0) | (s->mass[c->b].moves ? used[c->b] : 0);
  int colour = 0;
  while (colour < COLOURS - 1 && (taken >> colour & 1)) ++colour;
  used[c->a] |= UINT64_C(1) << colour;
  used[c->b] |= UINT64_C(1) << colour;
  return colour;
}

static bool had_impulse(const mote_contact_set *set, size_t first, size_t end) {
  bool any = false;
  for (size_t k = first; k < end; ++k) any = any || set->contact[k].normal_impulse > 0.0;
  return any;
}

// Two passes: count the groups of each colour, then place them. Groups with nonzero impulses are contiguous,
// so that sweeps over them read memory sequentially.
void mote_contact_colour(mote_contact_rows *s, const mote_contact_set *set, uint64_t *used,
                         uint8_t *group_key) {
  MOTE_ASSERT(s->rows == set->count);
  MOTE_ASSERT((used != NULL && group_key != NULL) || set->count == 0);
  size_t next[2 * COLOURS] = {0}, first = 0, pair = 0;
  for (size_t k = 0; k < s->scene->obstacles; ++k) used[k] = 0;
  for (size_t k = 0, end; k < set->count; k = end) {
    end = pair_end(set, k);
    group_key[k] = (uint8_t)(2 * first_fit(s, set->contact + k, used) + !had_impulse(set, k, end));
    ++next[group_key[k]];
  }
  for (int c = 0; c < 2 * COLOURS; ++c) {
    size_t count = next[c];
    if (c % 2 == 0) s->colour[c / 2] = s->groups;
    next[c] = s->groups;
    s->groups += count;
  }
  s->colour[COLOURS] = s->groups;
  for (size_t k = 0, end; k < set->count; k = end) {
    const mote_contact *c = set->contact + k;
    end = pair_end(set, k);
    s->in_order[pair++] = (uint32_t)next[group_key[k]];
    s->group[next[group_key[k]]++] = (mote_contact_group){
        .a = c->a < c->b ? c->a : c->b, .b = c->a < c->b ? c->b : c->a, .count = end - k, .contact = k};
  }
  for (size_t g = 0; g < s->groups; ++g) s->group[g].first = first, first += s->group[g].count;
}
