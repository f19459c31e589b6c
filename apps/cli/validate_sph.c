#include "validate.h"

const validation_case validate_sph_cases[] = {{0}};
