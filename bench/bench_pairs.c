#include "bench.h"

const bench_case bench_pair_cases[] = {{0}};
