#include "bench.h"

const bench_case bench_tree_cases[] = {{0}};
