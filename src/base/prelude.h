// What C17 and OpenCL C do not share, for headers that compile as both (src/rows; tests/checks/headers.sh).
// Pointers without MOTE_GLOBAL point into a row's own variables.
#ifndef MOTE_PRELUDE_H
#define MOTE_PRELUDE_H

#ifdef __OPENCL_C_VERSION__

#pragma OPENCL FP_CONTRACT OFF
#define MOTE_GLOBAL __global
#define fabsf(x) fabs((float)(x))
#define fmaxf(x, y) fmax((float)(x), (float)(y))
#define sqrtf(x) sqrt((float)(x))
typedef uchar uint8_t;
typedef int int32_t;
typedef uint uint32_t;

#else

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/cpu.h"

#define MOTE_GLOBAL

#endif

#endif
