// Particles that leave the world: those inside drains and those beyond open sides of the domain.
#ifndef MOTE_DRAIN_H
#define MOTE_DRAIN_H

#include <mote/scene.h>

typedef enum mote_gone {
  MOTE_GONE_NOT,
  MOTE_GONE_DRAINED,
  MOTE_GONE_LEFT,
} mote_gone;

typedef struct mote_outlet {
  const mote_shape *shape;
  double start, end;  // s: swallows in [start, end)
} mote_outlet;

typedef struct mote_leaving {
  const mote_outlet *sink;
  size_t sinks;
  const mote_world_def *def;  // its domain
  double margin;              // m beyond an open side at which a particle has left
  double time;
  int threads;
  size_t count;
  const double *position;
} mote_leaving;

typedef struct mote_leaving_report {
  size_t drained, left;
} mote_leaving_report;

// gone[i]: a mote_gone for each particle. Drains come first.
mote_leaving_report mote_leaving_flag(const mote_leaving *leaving, uint8_t *gone);

#endif
