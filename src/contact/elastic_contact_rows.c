// Records of elastic contact, what the last tick remembers of them, and what particles and movers have of
// them: see elastic_contact_find.h.
#include <string.h>

#include "contact/elastic_contact_find.h"

// --- Memory --------------------------------------------------------------------------------------------

int mote_friction_memory_compare(const mote_friction_memory *a, const mote_friction_memory *b) {
  if (a->i != b->i) return a->i < b->i ? -1 : 1;
  if (a->meets != b->meets) return a->meets < b->meets ? -1 : 1;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return a->sample == b->sample ? 0 : a->sample < b->sample ? -1 : 1;
}

// By insertion with gaps: it is almost in order, but for rows of lattices, which change their places.
void mote_friction_memory_sort(mote_friction_memory *memory, size_t count) {
  for (size_t gap = count / 2; gap > 0; gap /= 2) {
    for (size_t k = gap; k < count; ++k) {
      mote_friction_memory own = memory[k];
      size_t at = k;
      for (; at >= gap && mote_friction_memory_compare(&own, &memory[at - gap]) < 0; at -= gap)
        memory[at] = memory[at - gap];
      memory[at] = own;
    }
  }
}

// What the last tick remembers of a record: by the same particle and, of the same body, another one of the
// face where it was the only one.
static const mote_friction_memory *recall(const mote_elastic_contact *s, const mote_friction_memory *key) {
  mote_friction_memory from = {.i = key->i, .meets = key->meets};
  size_t low = 0, high = s->memories;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (mote_friction_memory_compare(&from, s->memory + middle) > 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const mote_friction_memory *found = NULL;
  size_t of_part = 0;
  for (; low < s->memories && s->memory[low].i == key->i && s->memory[low].meets == key->meets; ++low) {
    const mote_friction_memory *m = s->memory + low;
    if (mote_friction_memory_compare(m, key) == 0) return m;
    if (key->meets == MOTE_MEETS_FACE && s->body_of[m->other] == s->body_of[key->other]) found = m, ++of_part;
  }
  return of_part == 1 ? found : NULL;
}

mote_result mote_elastic_contact_keep(const mote_elastic_contact *s, mote_elastic_contact_chunk *own,
                                      const mote_elastic_contact_record *found,
                                      const mote_elastic_contact_member *member, size_t members) {
  MOTE_TRY(mote_reserve(&s->env, &own->record, &own->capacity, own->count + 1, sizeof *own->record, NULL));
  MOTE_TRY(mote_reserve(&s->env, &own->member, &own->member_capacity, own->members + members,
                        sizeof *own->member, NULL));
  mote_elastic_contact_record *t = own->record + own->count++;
  *t = *found;
  t->first = (uint32_t)own->members, t->members = (uint32_t)members;
  memcpy(own->member + own->members, member, members * sizeof *member);
  own->members += members;
  mote_friction_memory key = {.i = t->i, .meets = t->meets, .other = t->other, .sample = t->sample};
  const mote_friction_memory *m = recall(s, &key);
  if (m == NULL) return MOTE_OK;
  step3(m->tangent, -dot3(t->normal, m->tangent), t->normal, t->condition.tangent);
  t->condition.normal = m->normal;
  return MOTE_OK;
}

// --- Particles ----------------------------------------------------------------------------------------

// Counts the shares of each particle in share_first, and the particles that have any.
static mote_result count_shares(mote_elastic_contact *s, size_t *members, mote_error *error) {
  size_t *first = s->share_first;
  *members = s->meetings = 0;
  memset(first, 0, (s->count + 2) * sizeof *first);
  for (size_t k = 0; k < s->records; ++k) {
    const mote_elastic_contact_member *member = s->member + s->record[k].first;
    for (uint32_t a = 0; a < s->record[k].members; ++a) ++first[member[a].particle];
    *members += s->record[k].members;
  }
  for (size_t i = 0; i < s->count; ++i) s->meetings += first[i] > 0;
  return mote_reserve(&s->env, &s->meets, &s->meets_capacity, s->meetings, sizeof *s->meets, error);
}

// Counting sort of the members by particle: the shares of each are in the order of the records.
static mote_result make_shares(mote_elastic_contact *s, mote_error *error) {
  size_t members, r = 0, at = 0;
  MOTE_TRY(mote_reserve(&s->env, &s->share_first, &s->share_first_capacity, s->count + 2,
                        sizeof *s->share_first, error));
  MOTE_TRY(count_shares(s, &members, error));
  MOTE_TRY(mote_reserve(&s->env, &s->share, &s->share_capacity, members, sizeof *s->share, error));
  size_t *first = s->share_first;
  for (size_t i = 0; i < s->count; ++i) {  // first: where the particle's shares go
    size_t count = first[i];
    first[i] = at, at += count;
    if (count > 0) s->meets[r++] = (uint32_t)i;
  }
  for (size_t k = 0; k < s->records; ++k) {
    const mote_elastic_contact_member *member = s->member + s->record[k].first;
    for (uint32_t a = 0; a < s->record[k].members; ++a)
      s->share[first[member[a].particle]++] =
          (mote_elastic_contact_share){(uint32_t)k, member[a].along, member[a].across};
  }
  size_t last = s->meetings > 0 ? first[s->meets[0]] : 0;
  first[0] = 0;
  for (r = 1; r <= s->meetings; ++r) {  // now the end of each, which moves to the front
    size_t next = r < s->meetings ? first[s->meets[r]] : 0;
    first[r] = last, last = next;
  }
  return MOTE_OK;
}

// --- Movers ----------------------------------------------------------------------------------------------

// Counting sort of the records by mover; s->mover_first has one extra entry for the shift.
static mote_result list_movers(mote_elastic_contact *s, mote_error *error) {
  MOTE_TRY(mote_reserve(&s->env, &s->mover_first, &s->first_capacity, s->movers + 2, sizeof *s->mover_first,
                        error));
  MOTE_TRY(mote_reserve(&s->env, &s->mover_record, &s->mover_record_capacity, 2 * s->records + 1,
                        sizeof *s->mover_record, error));
  MOTE_TRY(mote_reserve(&s->env, &s->displacement, &s->displacement_capacity, 6 * s->movers + 1,
                        sizeof *s->displacement, error));
  MOTE_TRY(mote_reserve(&s->env, &s->rate, &s->rate_capacity, 6 * s->movers + 1, sizeof *s->rate, error));
  MOTE_TRY(mote_reserve(&s->env, &s->generalised_force, &s->force_capacity, 6 * s->movers + 1,
                        sizeof *s->generalised_force, error));
  size_t *first = s->mover_first;
  memset(first, 0, (s->movers + 2) * sizeof *first);
  memset(s->displacement, 0, 6 * s->movers * sizeof *s->displacement);
  memset(s->rate, 0, 6 * s->movers * sizeof *s->rate);
  for (size_t k = 0; k < 2 * s->records; ++k) {
    uint32_t m = s->record[k / 2].mover[k % 2];
    if (m != MOTE_NO_MOVER) ++first[m + 2];
  }
  for (size_t k = 2; k < s->movers + 2; ++k) first[k] += first[k - 1];
  for (size_t k = 0; k < 2 * s->records; ++k) {
    uint32_t m = s->record[k / 2].mover[k % 2];
    if (m != MOTE_NO_MOVER) s->mover_record[first[m + 1]++] = (uint32_t)k;
  }
  return MOTE_OK;
}

static mote_result make_movers(mote_elastic_contact *s, const mote_contact_scene *scene, mote_error *error) {
  MOTE_TRY(mote_reserve(&s->env, &s->slot, &s->slot_capacity, scene->obstacles, sizeof *s->slot, error));
  for (size_t k = 0; k < scene->obstacles; ++k) s->slot[k] = MOTE_NO_MOVER;
  s->movers = 0;
  for (size_t k = 0; k < s->records; ++k) {
    mote_elastic_contact_record *t = s->record + k;
    bool meets_obstacle = t->meets == MOTE_MEETS_OBSTACLE || t->meets == MOTE_MEETS_SAMPLE;
    if (!meets_obstacle || !mote_elastic_contact_moves(scene->obstacle + t->other)) continue;
    if (s->slot[t->other] == MOTE_NO_MOVER)
      MOTE_TRY(mote_elastic_contact_add_mover(s, scene, t->other, error));
    t->mover[1] = s->slot[t->other];
  }
  MOTE_TRY(mote_elastic_contact_find_rigid(s, scene, error));
  return list_movers(s, error);
}

mote_result mote_elastic_contact_make_rows(mote_elastic_contact *set, const mote_contact_scene *scene,
                                           mote_error *error) {
  MOTE_TRY(make_shares(set, error));
  MOTE_TRY(make_movers(set, scene, error));
  return mote_reserve(&set->env, &set->force, &set->record_force_capacity, 6 * set->records + 1,
                      sizeof *set->force, error);
}
