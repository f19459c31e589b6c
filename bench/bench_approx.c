#include "bench.h"

const bench_case bench_approx_cases[] = {{0}};
