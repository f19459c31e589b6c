// Order of contacts, and their warm start: see contact.h.
#include <stdlib.h>

#include "base/parallel.h"
#include "contact/contact.h"
#include "geom/triple.h"

#define CONTACTS_PER_CHUNK 1024

int mote_contact_compare(const mote_contact *p, const mote_contact *q) {
  const mote_contact *both[2] = {p, q};
  uint32_t key[2][4];
  for (int k = 0; k < 2; ++k) {
    uint32_t a = both[k]->a, b = both[k]->b;
    key[k][0] = a < b ? a : b, key[k][1] = a < b ? b : a, key[k][2] = a, key[k][3] = both[k]->sample;
  }
  for (int k = 0; k < 4; ++k) {
    if (key[0][k] != key[1][k]) return key[0][k] < key[1][k] ? -1 : 1;
  }
  return 0;
}

typedef struct warm_job {
  mote_contact_set *set;
  const mote_contact_set *last;
} warm_job;

size_t mote_contact_lower_bound(const mote_contact_set *set, size_t from, const mote_contact *c) {
  MOTE_ASSERT(from <= set->count);
  size_t low = from, high = set->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (mote_contact_compare(set->contact + middle, c) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void warm_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const warm_job *job = data;
  const mote_contact_set *last = job->last;
  size_t j = mote_contact_lower_bound(last, 0, job->set->contact + begin);
  for (size_t k = begin; k < end; ++k) {
    mote_contact *c = job->set->contact + k;
    while (j < last->count && mote_contact_compare(last->contact + j, c) < 0) ++j;
    if (j == last->count || mote_contact_compare(last->contact + j, c) != 0) continue;
    c->normal_impulse = last->contact[j].normal_impulse;
    copy3(last->contact[j].friction_impulse, c->friction_impulse);
  }
}

void mote_contact_warm_start(int threads, mote_contact_set *set, const mote_contact_set *last) {
  MOTE_ASSERT(set->contact != NULL || set->count == 0);
  MOTE_ASSERT(last->contact != NULL || last->count == 0);
  warm_job job = {set, last};
  mote_parallel_for(threads, set->count, CONTACTS_PER_CHUNK, warm_chunk, &job);
}

static int compare(const void *p, const void *q) {
  return mote_contact_compare(p, q);
}

void mote_contact_order(mote_contact_set *set) {
  if (set->count > 0) qsort(set->contact, set->count, sizeof *set->contact, compare);
}

void mote_contact_leave_out(const uint8_t *body, size_t bodies, mote_contact_set *set) {
  size_t count = 0;
  for (size_t k = 0; k < set->count; ++k) {
    const mote_contact *c = set->contact + k;
    if (!((c->a < bodies && body[c->a]) || (c->b < bodies && body[c->b]))) set->contact[count++] = *c;
  }
  set->count = count;
}

mote_result mote_contact_add_impulses(const mote_env *env, const mote_contact_set *more,
                                      mote_contact_set *set, mote_error *error) {
  MOTE_TRY(mote_reserve(env, &set->contact, &set->capacity, set->count + more->count, sizeof *set->contact,
                        error));
  size_t old = set->count;
  for (size_t k = 0, j = 0; k < more->count; ++k) {
    const mote_contact *c = more->contact + k;
    while (j < old && mote_contact_compare(set->contact + j, c) < 0) ++j;
    if (j < old && mote_contact_compare(set->contact + j, c) == 0) {
      set->contact[j].normal_impulse += c->normal_impulse;
      step3(set->contact[j].friction_impulse, 1.0, c->friction_impulse, set->contact[j].friction_impulse);
    } else {
      set->contact[set->count++] = *c;
    }
  }
  if (set->count > old) mote_contact_order(set);
  return MOTE_OK;
}
