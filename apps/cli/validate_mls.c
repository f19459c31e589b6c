#include "validate.h"

const validation_case validate_mls_cases[] = {{0}};
