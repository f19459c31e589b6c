// What this processor has beyond what the code is compiled for. A second version of a loop must give the same
// bits (docs/determinism.md); it is compiled with MOTE_AVX2, which permits no fused multiply-add.
#ifndef MOTE_CPU_H
#define MOTE_CPU_H

#include <stdbool.h>

#ifdef __x86_64__
#define MOTE_AVX2 __attribute__((target("avx2")))
// Set before main, constant afterwards: false with MOTE_BASELINE in the environment.
extern bool mote_cpu_avx2;
#endif

#endif
