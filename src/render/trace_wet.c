// Liquids in vessels of glass: see trace.h. Without this, light would cross a layer of air between the water
// and the glass, and most of what is in the water would be mirrored away there.
#include "render/trace.h"

void mote_wet_find(mote_trace *t) {
  bool vessels = false;
  float widest = 0;
  for (const mote_thing *thing = t->thing; thing < t->thing + t->things; ++thing) {
    vessels = vessels || thing->vessel;
    if (thing->liquid && thing->look.kind == MOTE_LOOK_GLASS && thing->contact > widest)
      widest = thing->contact;
  }
  t->wetting = vessels ? 2 * widest : 0;
}

const mote_look *mote_wet_beyond(const mote_trace *t, const mote_hit *hit, float time) {
  if (!(t->wetting > 0) || !hit->back) return NULL;
  mote_ray out = {vec_along(hit->at, hit->face, t->lift), hit->face, time};
  mote_hit next = mote_trace_nearest(t, out, t->wetting, NULL, false, 0);
  bool other = next.t < t->wetting && next.look->kind == MOTE_LOOK_GLASS && next.liquid != hit->liquid;
  return other ? next.look : NULL;
}

bool mote_wet_displaced(const mote_trace *t, const mote_hit *hit, const mote_look *within) {
  return t->wetting > 0 && hit->back && within != NULL && within != hit->look;
}
