// Seeds of a march from a field with a zero set: see fast_march.h.
#include <math.h>

#include "base/memory.h"
#include "geom/triple.h"
#include "march/fast_march.h"

typedef struct seed {
  uint32_t node;
  double distance;
} seed;

static bool there(const mote_march *m, uint32_t j) {
  return j != MOTE_MARCH_NONE && !(m->state[j] & MOTE_MARCH_WALL);
}

// Of the field over `unit`, per cell; central, one-sided beside walls.
static void gradient(const mote_march *m, uint32_t i, double unit, double out[3]) {
  for (int a = 0; a < 3; ++a) {
    uint32_t low = mote_march_next(m, i, 2 * a), high = mote_march_next(m, i, 2 * a + 1);
    bool below = there(m, low), above = there(m, high);
    if (!above) high = i;
    if (!below) low = i;
    double difference = m->value[high] / unit - m->value[low] / unit;
    out[a] = below && above ? 0.5 * difference : difference;
  }
}

// An edge that the zero set crosses.
typedef struct crossing {
  uint32_t beyond;  // the node at its other end; MOTE_MARCH_NONE: no such edge
  double part;      // of the edge, up to the zero set
  double unit;      // mean size of the field at its ends
} crossing;

static crossing nearest_crossing(const mote_march *m, uint32_t i) {
  crossing nearest = {MOTE_MARCH_NONE, 2.0, 0.0};
  for (int k = 0; k < 6; ++k) {
    uint32_t j = mote_march_next(m, i, k);
    if (!there(m, j) || (m->value[i] < 0.0) == (m->value[j] < 0.0)) continue;
    double unit = 0.5 * fabs(m->value[i]) + 0.5 * fabs(m->value[j]), part = 0.5 * fabs(m->value[i]) / unit;
    if (part < nearest.part) nearest = (crossing){j, part, unit};
  }
  return nearest;
}

// f / |grad f|, with the gradient half-way between the node and the surface, where this is exact for
// parabolas; at most the distance to the nearest crossing. Negative: not beside the zero set.
static double distance_to_zero(const mote_march *m, uint32_t i) {
  if (m->value[i] == 0.0) return 0.0;
  crossing c = nearest_crossing(m, i);
  if (c.beyond == MOTE_MARCH_NONE) return -1.0;
  double here[3], beyond[3], middle[3];
  gradient(m, i, c.unit, here);
  gradient(m, c.beyond, c.unit, beyond);
  for (int a = 0; a < 3; ++a) middle[a] = here[a] + 0.5 * c.part * (beyond[a] - here[a]);
  double cells = 2.0 * c.part / length3(middle);
  return m->cell * (cells < c.part ? cells : c.part);
}

static mote_result find_seeds(const mote_march *m, const mote_env *env, seed **seeds, size_t *count,
                              size_t *capacity, mote_error *error) {
  for (size_t i = 0; i < m->blocks * MOTE_MARCH_BLOCK; ++i) {
    if (m->state[i] & MOTE_MARCH_WALL) continue;
    double distance = distance_to_zero(m, (uint32_t)i);
    if (distance < 0.0) continue;
    MOTE_TRY(mote_reserve(env, seeds, capacity, *count + 1, sizeof **seeds, error));
    (*seeds)[(*count)++] = (seed){(uint32_t)i, distance};
  }
  return MOTE_OK;
}

mote_result mote_march_seed(mote_march *march, const mote_env *env, mote_error *error) {
  MOTE_ASSERT(march->cell > 0.0);
  MOTE_ASSERT(march->blocks == 0 || (march->beside != NULL && march->state != NULL && march->value != NULL));
  seed *seeds = NULL;
  size_t count = 0, capacity = 0;
  mote_result result = find_seeds(march, env, &seeds, &count, &capacity, error);
  if (!result) {
    for (size_t i = 0; i < march->blocks * MOTE_MARCH_BLOCK; ++i) {
      bool negative = !(march->state[i] & MOTE_MARCH_WALL) && march->value[i] < 0.0;
      march->state[i] = (uint8_t)((march->state[i] & MOTE_MARCH_WALL) | (negative ? MOTE_MARCH_NEGATIVE : 0));
    }
    for (size_t k = 0; k < count; ++k) {
      march->state[seeds[k].node] |= MOTE_MARCH_SEED;
      march->value[seeds[k].node] = seeds[k].distance;
    }
  }
  mote_free(env, seeds, capacity, sizeof *seeds);
  return result;
}
