// Forces of pressure on walls: the work of moving ones on the fluid, forces on their samples times the
// velocities of these, and impulses on probed colliders. Rigid and elastic bodies are not included:
// their energy is part of the world's, and impulses on them are in fluid->coupled.
#ifndef MOTE_WALL_WORK_H
#define MOTE_WALL_WORK_H

#include "fluid/coupled_body.h"

// Whether the step needs it: fluid->counts_wall_work or fluid->wall_probes.
static inline bool mote_wall_work_is_asked(const mote_fluid *fluid) {
  return fluid->counts_wall_work || fluid->wall_probes > 0;
}

// Adds the work of dt seconds to fluid->wall_work, J, and the impulses to fluid->wall_probe. One entry of
// `pressure` for each part of the boundary.
mote_result mote_wall_work_add(mote_fluid *fluid, const mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS],
                               double dt, mote_error *error);

// The entries where the weights are those of the walls.
static inline void mote_wall_work_pressures(const mote_fluid *fluid, const mote_pressures *pressures,
                                            mote_coupled_pressure out[MOTE_BOUNDARY_PARTS]) {
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p)
    out[p] = (mote_coupled_pressure){pressures->pressure_volume, pressures->wall_pressure_volume[p], NULL,
                                     fluid->walls[p].weight};
}

#endif
