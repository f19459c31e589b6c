// Validation: the cases of flows with free surfaces. docs/validation.md
#include "validate/fluids/free_flow.h"

const validation_case validate_free_cases[] = {
    {"drop", "fluids", "a disc of water that is stretched (Monaghan 1994), R/d = 40", validate_drop},
    {"dam-1", "fluids", "the dam break of Martin & Moyce 1952, as high as wide, a/d = 40", validate_dam_1},
    {"dam-2", "fluids", "the dam break of Martin & Moyce 1952, twice as high, a/d = 40", validate_dam_2},
    {"wave", "fluids", "a standing wave of small amplitude, wavelength/d = 100", validate_wave},
    {"patch", "fluids", "a square of water that turns (Colagrossi 2005), L/d = 100", validate_patch},
    {"momentum", "fluids", "momenta of a free drop with every method", validate_momentum},
    {"volume", "fluids", "compression of DFSPH: a dam break and a pool", validate_volume},
    {"spheric-2", "fluids", "a dam breaks upon a box (Kleefsman et al. 2005); judged with --release",
     validate_spheric_2},
    {"lobovsky", "fluids", "a dam breaks upon a wall (Lobovsky et al. 2014); judged with --release",
     validate_lobovsky},
    {0}};
