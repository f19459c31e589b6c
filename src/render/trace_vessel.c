// Liquids in vessels of glass: see trace.h. Without this, light would cross a layer of air between the water
// and the glass, and total reflection would hide most of the water's content.
#include "render/trace.h"

void mote_vessel_find(mote_trace *t) {
  bool vessels = false;
  float widest = 0;
  for (const mote_thing *thing = t->thing; thing < t->thing + t->things; ++thing) {
    vessels = vessels || thing->vessel;
    if (thing->liquid && thing->look.kind == MOTE_LOOK_GLASS && thing->contact > widest)
      widest = thing->contact;
  }
  t->vessel_gap = vessels ? 2 * widest : 0;
}

const mote_look *mote_vessel_beyond(const mote_trace *t, const mote_hit *hit, float time) {
  if (!(t->vessel_gap > 0) || !hit->back) return NULL;
  mote_ray out = {vec_along(hit->at, hit->face, t->lift), hit->face, time};
  mote_hit next = mote_trace_nearest(t, out, t->vessel_gap, NULL, false, 0);
  bool other = next.t < t->vessel_gap && next.look->kind == MOTE_LOOK_GLASS && next.liquid != hit->liquid;
  return other ? next.look : NULL;
}

bool mote_vessel_displaced(const mote_trace *t, const mote_hit *hit, const mote_look *within) {
  return t->vessel_gap > 0 && hit->back && within != NULL && within != hit->look;
}
