// Speeds of lattice particles, and of those that are held: see lattice_bodies.h.
#include <math.h>

#include "geom/triple.h"
#include "kinds/lattice/lattice_bodies.h"

const mote_lattice_item *mote_lattice_item_of(const mote_world *world, uint32_t label) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_LATTICE); ++k) {
    const mote_lattice_item *item = mote_lattice_at(world, k);
    if (mote_body_at(world, item->body)->id + 1 == label) return item;
  }
  return NULL;
}

bool mote_lattice_has_holds(const mote_world *world) {
  bool any = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_LATTICE); ++k)
    any = any || mote_lattice_at(world, k)->holds > 0;
  return any;
}

bool mote_lattice_held_velocity(const mote_world *world, size_t i, double t, double dt, double v[3]) {
  const mote_store *store = mote_world_store(world);
  size_t row = mote_lattice_first_row(world) + i;
  const mote_lattice_item *item = mote_lattice_item_of(world, mote_store_u32(store, MOTE_PARTICLE_BODY)[row]);
  uint8_t held = mote_store_u8(store, MOTE_LATTICE_HOLD)[i];
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * row;
  double own[3], to[3];
  set3(0.0, 0.0, 0.0, v);
  if (item == NULL || held > item->holds || !mote_motion_moves(item->hold[held - 1].motion)) return true;
  mote_pose before = mote_motion_at(item->hold[held - 1].motion, t),
            after = mote_motion_at(item->hold[held - 1].motion, t + dt);
  mote_pose_unapply(&before, x, own);
  mote_pose_apply(&after, own, to);
  for (int a = 0; a < 3; ++a) v[a] = (to[a] - x[a]) / dt;
  return finite3(v);
}

double mote_lattice_speed(const mote_world *world, double t, double seconds) {
  const mote_store *store = mote_world_store(world);
  double most2 = 0.0, v[3];
  size_t count = mote_world_lattice_rows(world);
  bool held = count > 0 && mote_lattice_has_holds(world);
  for (size_t i = 0; i < count; ++i) {
    copy3(mote_store_f64(store, MOTE_LATTICE_VELOCITY) + 3 * i, v);
    if (held && mote_store_u8(store, MOTE_LATTICE_HOLD)[i] != 0)
      (void)mote_lattice_held_velocity(world, i, t, seconds, v);
    most2 = max2(most2, dot3(v, v));
  }
  return sqrt(most2);
}
