// Validation: the cases of water at the default settings, for every pressure solver: it swings, rests and
// keeps its waves. docs/validation.md
#include "validate/fluids/water_trial.h"

const validation_case validate_water_cases[] = {
    {"pool", "fluids", "a still pool of 16 x 16 x 16 particles (--release: 32), default settings",
     validate_pool},
    {"pool-dropped", "fluids", "the same, let go half a spacing above its floor", validate_pool_dropped},
    {"sloshing", "fluids", "the first mode of a tank 80 d long and 40 d deep, default settings",
     validate_sloshing},
    {"piston", "fluids", "waves behind a piston, height/d = 4, default settings", validate_piston},
    {"viscous-wave", "fluids", "a viscous standing wave, H/d = 50, default settings", validate_viscous_wave},
    {0}};
