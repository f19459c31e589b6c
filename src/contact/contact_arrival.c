// When contacts with restitution meet: see contact_arrival.h.
#include "contact/contact_arrival.h"

#include "contact/tuning.inc"
#include "geom/triple.h"

typedef mote_contact_rows solve;

double mote_contact_restitution(const solve *s, const mote_contact *c) {
  const mote_obstacle *a = s->scene->obstacle + c->a, *b = s->scene->obstacle + c->b;
  return isnan(b->restitution) ? a->restitution : max2(a->restitution, b->restitution);
}

double mote_contact_kick(const solve *s, const mote_contact_row *r, double *falls) {
  double held = 0.0, noise = MOTE_VELOCITY_ROUNDING * s->scene->gravity * s->scene->dt;
  *falls = 0.0;
  for (int k = 0; k < 2; ++k) {
    const mote_obstacle *obstacle = s->scene->obstacle + (k == 0 ? r->a : r->b);
    double part = (k == 0 ? 1.0 : -1.0) * dot3(obstacle->kick, r->n);
    *(obstacle->supported ? &held : falls) += part;
  }
  if (fabs(*falls) <= noise) *falls = 0.0;
  return held;
}

static bool is_free(const solve *s, size_t k) {
  return s->mass[k].inverse_mass > 0.0;
}

bool mote_contact_meets(const solve *s, const mote_contact_row *r, double since, double gap, double closing,
                        mote_contact_arrival *out) {
  double fall, dt = s->scene->dt;
  (void)mote_contact_kick(s, r, &fall);
  double slow = BOUNCE_GRAVITY_STEPS * s->scene->gravity * dt;
  if (!(closing > 0.0)) return false;
  if (fall == 0.0) {
    bool at_once = is_free(s, r->a) && is_free(s, r->b);
    *out = (mote_contact_arrival){closing, at_once ? since : since - gap / (closing * dt), 0.0,
                                  out->restitution};
    return closing > slow && gap <= closing * dt * since;
  }
  double impact2 = closing * closing - 2.0 * fall * gap / dt, impact = impact2 > 0.0 ? sqrt(impact2) : 0.0;
  *out = (mote_contact_arrival){impact, since - 2.0 * gap / (dt * (closing + impact)), 0.0, out->restitution};
  out->drift = fall * out->rest;
  return impact > slow && out->rest >= 0.0 && out->restitution * impact + 0.5 * fall * out->rest >= 0.0;
}

double mote_contact_bound(const solve *s, size_t number, const mote_contact *c, double approach) {
  const mote_contact_row *r = s->row + number;
  double gap = max2(0.0, c->gap), dt = s->scene->dt, plain = -gap / dt, fall;
  mote_contact_arrival own = {.restitution = mote_contact_restitution(s, c)};
  s->arrives[number] = 0;
  if (!(own.restitution > 0.0)) return plain;
  approach -= mote_contact_kick(s, r, &fall);
  s->arrives[number] = mote_contact_meets(s, r, 1.0, gap, fall - approach, &own);
  // What has not arrived yet must not be stopped by noise, which would end its free fall.
  bool falls = fall != 0.0 && fall - approach > 0.0 && (0.5 * fall - approach) * dt < gap;
  double slow = BOUNCE_GRAVITY_STEPS * s->scene->gravity * dt;
  return falls && !s->arrives[number] ? min2(approach, plain) - APPROACH_NOISE * slow : plain;
}
