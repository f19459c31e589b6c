#include "validate.h"

const validation_case validate_coefficient_cases[] = {{0}};
