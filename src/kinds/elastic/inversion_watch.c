// The watchdog of inversion: see inversion_watch.h. Reads positions of elastic particles.
#include "kinds/elastic/inversion_watch.h"

#include "base/note.h"
#include "elastic/elastic_inversion.h"
#include "kinds/elastic/elastic_bodies.h"

#define FRAMES_ALLOWED 3  // in a row: what a blow may leave

static size_t inverted_of(const mote_world *world, size_t k) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  if (item->flows) return 0;
  return mote_elastic_inverted(item->origin, mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k));
}

size_t mote_world_inverted(const mote_world *world) {
  size_t sum = 0;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) sum += inverted_of(world, k);
  return sum;
}

const char *mote_inversion_text(mote_inversion_report report) {
  if (report.frames <= FRAMES_ALLOWED) return "";
  return report.svk ? "the law svk cannot come back from inversion: law: neo_hookean and corotated do"
                    : "shorter steps (solver.step_max), a stiffer material or more hourglass control help";
}

void mote_inversion_watch_frame(mote_world *world) {
  mote_inversion_watch *w = &world->inversion_watch;
  size_t count = 0;
  bool svk = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    size_t own = inverted_of(world, k);
    svk = svk || (own > 0 && mote_elastic_at(world, k)->elastic->law.kind == MOTE_ELASTIC_SAINT_VENANT);
    count += own;
  }
  w->frames = count > 0 ? w->frames + 1 : 0;
  if (count > w->report.most) w->report.most = count;
  bool reported = w->report.frames > FRAMES_ALLOWED;
  if (w->frames > w->report.frames) w->report.frames = w->frames;
  if (reported || w->frames <= FRAMES_ALLOWED) return;
  w->report.time = mote_world_time(world), w->report.svk = svk;
  mote_note(&world->env, MOTE_LOG_WARNING,
            "%zu elastic particles are turned inside out in the fourth frame in a row, at %.6g s: %s", count,
            w->report.time, mote_inversion_text(w->report));
}

mote_inversion_report mote_world_inversion_report(const mote_world *world) {
  return world == NULL ? (mote_inversion_report){0} : world->inversion_watch.report;
}
