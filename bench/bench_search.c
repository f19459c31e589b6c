#include "bench.h"

const bench_case bench_search_cases[] = {{0}};
