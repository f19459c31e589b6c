// Ctrl-C and its like: see run_stop.h.
#define _XOPEN_SOURCE 700
#include "run_stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void ask(int signal_number) {
  (void)signal_number;
  asked = 1;
}

void run_stop_listen(void) {
  struct sigaction once = {.sa_handler = ask, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGINT, &once, NULL);
  sigaction(SIGTERM, &once, NULL);
  sigaction(SIGHUP, &once, NULL);
  sigaction(SIGXFSZ, &ignore, NULL);
}

bool run_stop_asked(void) {
  return asked != 0;
}
