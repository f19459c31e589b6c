// Parts of the search for elastic contact: see elastic_contact_find.c.
#ifndef MOTE_ELASTIC_CONTACT_FIND_H
#define MOTE_ELASTIC_CONTACT_FIND_H

#include "contact/elastic_contact.h"
#include "contact/tuning.inc"

#define MOTE_NO_BALL UINT32_MAX

typedef struct mote_contact_job {
  mote_elastic_contact *set;
  const mote_contact_scene *scene;
  const double *x;
  const mote_lists *lists;  // of balls near each ball, then near each sample; null: none meets another
  double travel;
} mote_contact_job;

// How far to look from a point for the faces that it may meet within `along` of it.
static inline double mote_elastic_contact_look(const mote_elastic_contact *s, double along) {
  double aside = FACE_KERNEL_RADIUS * 2.0 * s->radius_max;
  return sqrt(along * along + aside * aside);
}
static inline double mote_elastic_contact_mixed(double own, double other) {
  return isnan(other) ? own : sqrt(own * other);
}

// --- Faces: elastic_contact_faces.c ----------------------------------------------------------------------

// Finds the samples of obstacles that faces may meet, and the farthest that any has to look for them.
mote_result mote_elastic_contact_find_samples(const mote_contact_job *job, double *farthest,
                                              mote_error *error);
// The faces that particle i meets, or the k-th sample.
mote_result mote_elastic_contact_add_faces(const mote_contact_job *job, size_t i,
                                           mote_elastic_contact_chunk *own);
mote_result mote_elastic_contact_add_sample(const mote_contact_job *job, size_t k,
                                            mote_elastic_contact_chunk *own);

// --- Movers: elastic_contact_rigid.c ---------------------------------------------------------------------

mote_result mote_elastic_contact_add_mover(mote_elastic_contact *set, const mote_contact_scene *scene,
                                           uint32_t obstacle, mote_error *error);

// --- Rows: elastic_contact_rows.c ------------------------------------------------------------------------

// Copies a record and its members.
mote_result mote_elastic_contact_keep(const mote_elastic_contact *s, mote_elastic_contact_chunk *own,
                                      const mote_elastic_contact_record *found,
                                      const mote_elastic_contact_member *member, size_t members);
// From the records and their members: the shares of particles, and the movers with their records.
mote_result mote_elastic_contact_make_rows(mote_elastic_contact *set, const mote_contact_scene *scene,
                                           mote_error *error);

#endif
