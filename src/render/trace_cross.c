// Shadow rays through glass: the transmittance of each boundary.
#include "render/trace.h"

// Light that crosses a boundary of glass at t; `along` is the cosine to the outward normal, positive on
// leaving.
void mote_query_cross(mote_query *query, const mote_thing *thing, float t, float along) {
  const mote_look *look = &thing->look;
  float sign = along > 0 ? 1.0F : -1.0F;
  float pass = 1 - fresnel(fabsf(along) < 1 ? fabsf(along) : 1, look->index);
  mote_vec absorption = vec_from(look->absorption);
  if (thing->liquid && t <= query->begin) return;
  if (thing->liquid && t >= query->end) {
    query->beyond = vec_along(query->beyond, absorption, sign);
    return;
  }
  query->through = vec_mul(vec_scale(query->through, pass), vec_from(look->colour));
  query->tau = vec_along(query->tau, absorption, sign * t);
  query->inner = vec_along(query->inner, absorption, sign);
  query->glass = true;
}
