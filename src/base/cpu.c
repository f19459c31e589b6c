// What this processor has: asked once, when the program is loaded.
#include "base/cpu.h"

#include <stdlib.h>

#ifdef __x86_64__
bool mote_cpu_avx2;

__attribute__((constructor)) static void ask_processor(void) {
  __builtin_cpu_init();
  mote_cpu_avx2 = __builtin_cpu_supports("avx2") && getenv("MOTE_BASELINE") == NULL;
}
#endif
