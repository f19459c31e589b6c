// Work of moving walls on the fluid: forces of pressure on their samples times the velocities of these. Rigid
// and elastic bodies are no walls here: their energy is part of the world's. Computed only where
// fluid->counts_wall_work is set.
#ifndef MOTE_WALL_WORK_H
#define MOTE_WALL_WORK_H

#include "fluid/coupled_body.h"

// Adds the work of dt seconds to fluid->wall_work, J.
mote_result mote_wall_work_add(mote_fluid *fluid, const mote_coupled_pressure *pressure, double dt,
                               mote_error *error);

#endif
