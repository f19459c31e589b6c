// Sites of lattice particles: candidates, the nearest site of each with hysteresis, one particle per site,
// bonds that both particles agree on (WIC06 3.2, 4.2). See lattice_data.h; theory: docs/theory/lattice.md,
// "Sites"
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/bisect.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geom/triple.h"
#include "lattice/lattice_data.h"
#include "particles/id_map.h"

#define ROWS_PER_CHUNK 64
#define NO_ROW UINT32_MAX

enum { SITES = MOTE_LATTICE_SITES };

// --- Memory of a step --------------------------------------------------------------------------------------

static mote_result take_arrays(mote_lattice *m, mote_error *error) {
  size_t n = m->rows.count;
  m->slot = mote_arena_take(m->scratch, SITES * n + 1, sizeof *m->slot);
  m->proposal = mote_arena_take(m->scratch, SITES * n + 1, sizeof *m->proposal);
  m->pair = mote_arena_take(m->scratch, SITES * n + 1, sizeof *m->pair);
  m->cell = mote_arena_take(m->scratch, n + 1, sizeof *m->cell);
  m->fit = mote_arena_take(m->scratch, n + 1, sizeof *m->fit);
  m->damp = mote_arena_take(m->scratch, 3 * n + 1, sizeof *m->damp);
  m->motion = mote_arena_take(m->scratch, n + 1, sizeof *m->motion);
  m->near_number = mote_arena_take(m->scratch, n + 1, sizeof *m->near_number);
  m->part_of = mote_arena_take(m->scratch, n + 1, sizeof *m->part_of);
  m->same = mote_arena_take(m->scratch, n + 1, sizeof *m->same);
  bool all = m->slot != NULL && m->proposal != NULL && m->pair != NULL && m->cell != NULL && m->fit != NULL &&
             m->damp != NULL && m->near_number != NULL && m->part_of != NULL && m->same != NULL;
  all = all && m->motion != NULL;
  if (!all) return mote_fail_memory(error, n * (sizeof *m->pair * SITES + sizeof *m->cell));
  return MOTE_OK;
}

#define IDS_PER_ROW 8  // ids lie that close together in most worlds: a table finds their rows

// Rows of the neighbours whose ids the state holds; sites of removed particles are free.
static mote_result load_slots(mote_lattice *m, mote_error *error) {
  size_t n = m->rows.count;
  uint64_t low = UINT64_MAX, high = 0;
  for (size_t i = 0; i < n; ++i) {
    low = m->rows.id[i] < low ? m->rows.id[i] : low;
    high = m->rows.id[i] > high ? m->rows.id[i] : high;
  }
  mote_id_map map = {0};
  uint32_t *row = NULL;
  if (high - low < IDS_PER_ROW * n) {
    MOTE_TAKE(row, m->scratch, (size_t)(high - low) + 1, error);
    for (uint64_t k = 0; k <= high - low; ++k) row[k] = NO_ROW;
    for (size_t i = 0; i < n; ++i) row[m->rows.id[i] - low] = (uint32_t)i;
  } else {
    MOTE_TRY(mote_id_map_make(m->rows.id, n, m->threads, m->scratch, &map, error));
  }
  for (size_t k = 0; k < SITES * n; ++k) {
    uint64_t name = m->rows.neighbour[k];
    m->slot[k] = NO_ROW;
    if (name == 0) continue;
    if (row != NULL) {
      if (name - 1 >= low && name - 1 <= high) m->slot[k] = row[name - 1 - low];
    } else {
      size_t found = mote_id_map_find(&map, name - 1);
      if (found != SIZE_MAX) m->slot[k] = (uint32_t)found;
    }
  }
  return MOTE_OK;
}

// The object numbers in ascending order without duplicates, and the index of each row's object in them.
static mote_result list_objects(mote_lattice *m, mote_error *error) {
  size_t n = m->rows.count;
  MOTE_TAKE_NEW(uint32_t, all, m->scratch, n + 1, error);
  MOTE_TAKE(m->object_of, m->scratch, n + 1, error);
  m->objects = 0;
  for (size_t i = 0; i < n; ++i) {
    uint32_t number = m->rows.object[i];
    if (m->objects > 0 && i > 0 && number == m->rows.object[i - 1]) continue;  // rows of a body lie together
    size_t low = mote_bisect(all, m->objects, number);
    if (low < m->objects && all[low] == number) continue;
    memmove(all + low + 1, all + low, (m->objects - low) * sizeof *all);
    all[low] = number, ++m->objects;
  }
  for (size_t i = 0; i < n; ++i) {
    m->object_of[i] = (uint32_t)mote_bisect(all, m->objects, m->rows.object[i]);
  }
  MOTE_TAKE(m->object_sum, m->scratch, 2 * m->objects, error);
  return MOTE_OK;
}

mote_result mote_lattice_begin(mote_lattice *lattice, mote_error *error) {
  mote_lattice *m = lattice;
  MOTE_ASSERT(m->rows.parts > 0 && m->rows.parts < 256 && m->scratch != NULL && m->buffers != NULL);
  MOTE_TRY(take_arrays(m, error));
  m->edge = 0.0, m->changes = 0, m->paired = false;
  for (size_t p = 0; p < m->rows.parts; ++p) {
    const mote_lattice_part *part = m->rows.part + p;
    if (part->count > 0) m->edge = max2(m->edge, part->law.edge);
    memset(m->part_of + part->first, (int)p, part->count);
  }
  m->candidate_margin = CANDIDATE_MARGIN * m->edge, m->contact_margin = CONTACT_MARGIN * m->edge;
  memset(m->cell, 0, m->rows.count * sizeof *m->cell);
  MOTE_TRY(mote_lattice_rotations(m, error));
  MOTE_TRY(load_slots(m, error));
  MOTE_TRY(list_objects(m, error));
  return mote_lattice_find(m, error);
}

mote_result mote_lattice_find(mote_lattice *lattice, mote_error *error) {
  mote_lattice *m = lattice;
  double radius = 0.0;
  for (size_t p = 0; p < m->rows.parts; ++p) radius = max2(radius, m->rows.part[p].law.reach);
  radius += m->candidate_margin;
  m->slack = radius - m->edge - m->contact_margin;
  mote_lattice_buffers *kept = m->buffers;
  if (kept->grid == NULL || kept->radius != radius) {
    mote_grid_destroy(kept->grid);
    kept->grid = NULL, kept->radius = radius;
    mote_grid_def def = mote_grid_def_default(radius);
    def.domain.dimensions = m->rows.part[0].law.dimensions;
    MOTE_TRY(mote_grid_create(&def, &m->scratch->env, &kept->grid, error));
  }
  MOTE_TRY(mote_grid_build(kept->grid, m->rows.position, m->rows.count, error));
  MOTE_TRY(mote_grid_neighbours(kept->grid, &m->lists, error));
  MOTE_TRY(mote_reserve(&m->scratch->env, &kept->near, &kept->near_capacity,
                        (size_t)m->lists.first[m->lists.count] + 1, sizeof *kept->near, error));
  m->near = kept->near;
  return MOTE_OK;
}

void mote_lattice_buffers_free(mote_lattice_buffers *buffers, const mote_env *env) {
  mote_grid_destroy(buffers->grid);
  mote_free(env, buffers->near, buffers->near_capacity, sizeof *buffers->near);
  *buffers = (mote_lattice_buffers){0};
}

// --- Proposals ---------------------------------------------------------------------------------------------

typedef struct assignment {
  mote_lattice *m;
  double elapsed;
  bool again;  // pairs were made before in this step, and no time has passed for rates
} assignment;

// Position of j in the lattice of i, m.
static inline void point_in(const mote_lattice *m, const double inverse[9], size_t i, size_t j, double p[3]) {
  double r[3];
  sub3(m->rows.position + 3 * j, m->rows.position + 3 * i, r);
  turn3(inverse, r, p);
}

// Squared.
static inline double far_of(const mote_lattice_law *law, const double p[3], int site) {
  double off[3];
  sub3(p, law->site[site], off);
  return dot3(off, off);
}

typedef struct contest {
  uint32_t row[SITES];
  double far[SITES];  // squared distance from the site
} contest;

static inline void claim(const mote_lattice *m, contest *c, int site, uint32_t j, double far) {
  uint32_t other = c->row[site];
  if (other != NO_ROW && (far > c->far[site] || (far == c->far[site] && m->rows.id[j] > m->rows.id[other])))
    return;
  c->row[site] = j, c->far[site] = far;
}

// Particles at a site keep it, or move to one that is nearer by the hysteresis. Returns the largest squared
// distance from a site; infinite if a site is free or changed.
static double keep_holders(const mote_lattice *m, const mote_lattice_law *law, const double inverse[9],
                           size_t i, contest *c) {
  double worst = 0.0, D = law->edge;
  for (int s = 0; s < law->sites; ++s) {
    uint32_t j = m->slot[SITES * i + (size_t)s];
    double p[3];
    if (j == NO_ROW) worst = HUGE_VAL;
    if (j == NO_ROW || m->rows.object[j] != m->rows.object[i]) continue;
    point_in(m, inverse, i, j, p);
    double far = far_of(law, p, s);
    int site = s;
    if (!(far < SITE_KEEP_DISTANCE * D * (SITE_KEEP_DISTANCE * D))) {
      double own = sqrt(far), best = mote_lattice_nearest(law, p, &site);
      if (own - best <= SITE_HYSTERESIS * D) site = s, best = own;
      far = best * best;
      worst = HUGE_VAL;
    }
    worst = max2(worst, far);
    if (site < SITES) claim(m, c, site, j, far);
  }
  return worst;
}

typedef uint32_t four __attribute__((vector_size(16)));
_Static_assert(SITES >= 16 && SITES <= 20, "five fours see all sites");

static bool holds(const uint32_t *slot, uint32_t j) {
  four all[5], hit = {0};
  memcpy(all, slot, 4 * sizeof(four));
  memcpy(all + 4, slot + SITES - 4, sizeof(four));  // some are seen twice
  for (int k = 0; k < 5; ++k) hit |= (four)(all[k] == j);
  return (hit[0] | hit[1] | hit[2] | hit[3]) != 0;
}

// Candidates within a distance, m; without a branch, which would be mispredicted.
static uint32_t find_within(const mote_lattice *m, size_t i, double reach, uint32_t out[]) {
  const uint32_t *candidate = m->lists.index + m->lists.first[i];
  const double *x = m->rows.position + 3 * i, reach2 = reach * reach;
  uint32_t count = 0;
  for (uint32_t k = 0; k < m->lists.number[i]; ++k) {
    double r[3];
    sub3(m->rows.position + 3 * (size_t)candidate[k], x, r);
    out[count] = candidate[k];
    count += dot3(r, r) < reach2;
  }
  return count;
}

// Assigns candidates to free sites. Candidates too far from every site are rejected first by their distance
// in space: A stretches lengths by at most 1 + |S - 1|.
static void add_candidates(const mote_lattice *m, const mote_lattice_law *law, const double inverse[9],
                           size_t i, contest *c) {
  const double join2 = law->join * law->join;
  uint32_t *near = m->near + m->lists.first[i];
  uint32_t count = find_within(m, i, law->join * (1.0 + 1e-9 + sqrt(m->cell[i].strain2)), near);
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t j = near[k];
    double p[3];
    if (holds(m->slot + SITES * i, j)) continue;
    if (m->rows.object[j] != m->rows.object[i] || m->part_of[j] != m->part_of[i]) continue;
    point_in(m, inverse, i, j, p);
    if (!(dot3(p, p) < join2)) continue;
    int site = mote_lattice_site(law, p);
    if (site < SITES) claim(m, c, site, j, far_of(law, p, site));
  }
}

static void propose(const mote_lattice *m, size_t i) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  contest c;
  double inverse[9];
  for (int s = 0; s < SITES; ++s) c.row[s] = NO_ROW, c.far[s] = HUGE_VAL;
  if (invert3(m->rows.basis + 9 * i, inverse) &&
      !(keep_holders(m, law, inverse, i, &c) <
        NEIGHBOURHOOD_KEEP_DISTANCE * law->edge * (NEIGHBOURHOOD_KEEP_DISTANCE * law->edge)))
    add_candidates(m, law, inverse, i, &c);
  memcpy(m->proposal + SITES * i, c.row, sizeof c.row);
  m->same[i] = memcmp(c.row, m->slot + SITES * i, sizeof c.row) == 0;
}

static void propose_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const assignment *a = data;
  for (size_t i = begin; i < end; ++i) propose(a->m, i);
}

// --- Pairs -------------------------------------------------------------------------------------------------

static int find_row(const uint32_t *slot, uint32_t j) {
  int s = 0;
  while (s < SITES && slot[s] != j) ++s;
  return s;
}

static float rate_at(const mote_lattice *m, size_t i, int site) {
  const mote_lattice_part *part = mote_lattice_part_of(m, i);
  if (part->docking == NULL) return HUGE_VALF;
  return part->docking[SITES * (i - part->first) + (size_t)site];
}

// Whether the particle has no neighbour yet: it belongs to a new body.
static bool is_fresh(const mote_lattice *m, size_t i) {
  bool fresh = true;
  for (int s = 0; s < SITES; ++s) fresh = fresh && m->slot[SITES * i + (size_t)s] == NO_ROW;
  return fresh;
}

// Whether an unbonded pair forms a bond in this time: a Poisson process with the smaller rate of the two
// sites, with one random number for both sides.
static bool joins(const mote_lattice *m, size_t i, int site, size_t j, int back, double elapsed) {
  double rate = min2((double)rate_at(m, i, site), (double)rate_at(m, j, back));
  if (!isfinite(rate)) return true;
  if (!isfinite(elapsed)) return is_fresh(m, i) && is_fresh(m, j);
  bool first = m->rows.id[i] < m->rows.id[j];
  uint64_t id = m->rows.id[first ? i : j];
  int of = first ? site : back;
  return mote_random_unit(m->seed, id * SITES + (uint64_t)of, m->draw) < 1.0 - mote_exp(-rate * elapsed);
}

// Whether the bond is stretched beyond the strength: E times its strain.
static bool is_torn(const mote_lattice *m, size_t i, int site, size_t j, int back) {
  const mote_lattice_part *part = mote_lattice_part_of(m, i);
  const mote_lattice_law *law = &part->law;
  if (!isfinite(part->strength)) return false;
  double rest = 0.5 * (length3(law->site[site]) + length3(law->site[back]));
  return law->young * (distance3(m->rows.position + 3 * i, m->rows.position + 3 * j) / rest - 1.0) >
         part->strength;
}

static double smaller_share(const mote_lattice *m, size_t i, size_t j) {
  if (m->rows.fraction == NULL) return 1.0;
  double own = (double)m->rows.fraction[i], other = (double)m->rows.fraction[j];
  return own > other ? other / own : 1.0;
}

static void make_pairs(const mote_lattice *m, size_t i, double elapsed) {
  const mote_lattice_law *law = &mote_lattice_part_of(m, i)->law;
  mote_lattice_cell *cell = m->cell + i;
  mote_lattice_pair *pair = m->pair + SITES * i;
  const uint32_t *own = m->proposal + SITES * i;
  cell->pairs = 0;
  for (int s = 0; s < law->sites; ++s) {
    uint32_t j = own[s];
    if (j == NO_ROW) continue;
    const uint32_t *other = m->proposal + SITES * (size_t)j;
    int back = other[s ^ 1] == (uint32_t)i ? s ^ 1 : find_row(other, (uint32_t)i);
    if (back == SITES) continue;
    bool docked = m->slot[SITES * i + (size_t)s] == j || holds(m->slot + SITES * i, j);
    if (docked ? is_torn(m, i, s, j, back) : !joins(m, i, s, j, back, elapsed)) continue;
    pair[cell->pairs++] = (mote_lattice_pair){.j = j,
                                              .site = (uint8_t)s,
                                              .back = (uint8_t)back,
                                              .weight = law->weight[s] * smaller_share(m, i, j),
                                              .reverse = law->weight[back] * smaller_share(m, j, i)};
  }
}

// Whether the bonds of an earlier assignment in this step remain valid: neither the particle nor its
// neighbours propose others.
static bool stays(const mote_lattice *m, size_t i) {
  bool same = m->same[i] != 0 && !isfinite(mote_lattice_part_of(m, i)->strength);
  for (uint32_t k = 0; k < m->cell[i].pairs && same; ++k) same = m->same[m->pair[SITES * i + k].j] != 0;
  return same;
}

static void pair_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const assignment *a = data;
  for (size_t i = begin; i < end; ++i) {
    if (a->again && stays(a->m, i)) continue;
    make_pairs(a->m, i, a->elapsed);
    mote_lattice_measure(a->m, i);
  }
}

// --- Docking rates -----------------------------------------------------------------------------------------

// WIC06 4.2: the rate of a free site decreases, that of an occupied one recovers. In a material of finite
// strength a lost rate does not recover.
static void change_rates(const mote_lattice *m, size_t i, const uint32_t *before, double elapsed) {
  const mote_lattice_part *part = mote_lattice_part_of(m, i);
  if (part->docking == NULL || !isfinite(elapsed)) return;
  float *rate = part->docking + SITES * (i - part->first);
  for (int s = 0; s < part->law.sites; ++s) {
    double change = part->docking_gain * elapsed;
    bool taken = m->slot[SITES * i + (size_t)s] != NO_ROW;
    if (!taken && before[s] != NO_ROW && isfinite(part->strength)) rate[s] = 0.0f;
    rate[s] = (float)max2(0.0, min2(part->docking_rate, (double)rate[s] + (taken ? change : -change)));
  }
}

// The bonds become the slots of the next assignment.
static void renew_slots(void *data, size_t begin, size_t end, size_t *changed) {
  const assignment *a = data;
  mote_lattice *m = a->m;
  for (size_t i = begin; i < end; ++i) {
    uint32_t slot[SITES], before[SITES];
    for (int s = 0; s < SITES; ++s) slot[s] = NO_ROW;
    for (uint32_t k = 0; k < m->cell[i].pairs; ++k)
      slot[m->pair[SITES * i + k].site] = m->pair[SITES * i + k].j;
    memcpy(before, m->slot + SITES * i, sizeof before);
    for (int s = 0; s < SITES; ++s) changed[0] += slot[s] != before[s];
    memcpy(m->slot + SITES * i, slot, sizeof slot);
    change_rates(m, i, before, a->elapsed);
  }
}

// --- Contact candidates ------------------------------------------------------------------------------------

static uint32_t list_near(const mote_lattice *m, size_t i, uint32_t *out) {
  uint32_t count = 0, within = find_within(m, i, m->edge + m->contact_margin, out);
  for (uint32_t k = 0; k < within; ++k) {
    uint32_t j = out[k];
    if (m->rows.object[j] == m->rows.object[i] && !holds(m->slot + SITES * i, j)) out[count++] = j;
  }
  return count;
}

static void near_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_lattice *m = data;
  for (size_t i = begin; i < end; ++i) m->near_number[i] = list_near(m, i, m->near + m->lists.first[i]);
}

// --- Assignment --------------------------------------------------------------------------------------------

void mote_lattice_assign(mote_lattice *lattice, double elapsed) {
  MOTE_ASSERT(elapsed >= 0.0);
  mote_lattice *m = lattice;
  assignment a = {m, elapsed, m->paired && elapsed == 0.0};
  size_t changed;
  mote_parallel_for(m->threads, m->rows.count, ROWS_PER_CHUNK, propose_chunk, &a);
  mote_parallel_for(m->threads, m->rows.count, ROWS_PER_CHUNK, pair_chunk, &a);
  mote_parallel_count(m->threads, m->rows.count, 1, renew_slots, &a, &changed);
  m->paired = true;
  m->changes += changed, ++m->draw;
}

void mote_lattice_near(mote_lattice *lattice) {
  mote_parallel_for(lattice->threads, lattice->rows.count, ROWS_PER_CHUNK, near_chunk, lattice);
}

void mote_lattice_end(mote_lattice *lattice) {
  const mote_lattice *m = lattice;
  for (size_t k = 0; k < SITES * m->rows.count; ++k) {
    m->rows.neighbour[k] = m->slot[k] == NO_ROW ? 0 : (uint32_t)m->rows.id[m->slot[k]] + 1u;
  }
}
