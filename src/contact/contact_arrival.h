// When contacts with restitution meet within a step, and how fast. Theory: docs/theory/bodies.md, "Falling
// and bouncing"
#ifndef MOTE_CONTACT_ARRIVAL_H
#define MOTE_CONTACT_ARRIVAL_H

#include "contact/contact_rows.h"

typedef struct mote_contact_arrival {
  double speed;  // m/s: of approach
  double rest;   // fraction of the step that is left
  double drift;  // m/s: velocity of the gap that gravity adds after the impact
  double restitution;
} mote_contact_arrival;

double mote_contact_restitution(const mote_contact_rows *s, const mote_contact *c);

// Splits the velocity of the gap added by gravity: *falls: of falling obstacles; returns the rest, which the
// supports of the others cancel when the rows are solved.
double mote_contact_kick(const mote_contact_rows *s, const mote_contact_row *r, double *falls);

// Whether a contact that was `gap` apart when the fraction `since` of the step was left, and approached at
// `closing` then, has an impact: when, at what speed, and with what drift. Two free bodies bounce at once,
// not when they meet: that conserves their angular momentum. The restitution is read from *out.
bool mote_contact_meets(const mote_contact_rows *s, const mote_contact_row *r, double since, double gap,
                        double closing, mote_contact_arrival *out);

// The least velocity of the row's gap after the step, without impacts. `approach`: now, without the impulses
// of the rows. Marks the row if it has an impact within the step.
double mote_contact_bound(const mote_contact_rows *s, size_t number, const mote_contact *c, double approach);

#endif
