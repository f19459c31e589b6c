// Order of contacts, and their warm start: see contact.h.
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
