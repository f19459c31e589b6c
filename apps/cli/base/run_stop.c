// Ctrl-C and its like: see run_stop.h.
#define _XOPEN_SOURCE 700
#include "cli/base/run_stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void ask(int signal_number) {
  (void)signal_number;
  asked = 1;
}

// What was ignored from the start (nohup) stays so.
static void listen_to(int number) {
  struct sigaction once = {.sa_handler = ask, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)}, before;
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &once, NULL);
}

void run_stop_listen(void) {
  struct sigaction always = {.sa_handler = ask, .sa_flags = SA_RESTART};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  listen_to(SIGINT);
  listen_to(SIGTERM);
  listen_to(SIGHUP);
  sigaction(SIGPIPE, &always, NULL);
  sigaction(SIGXFSZ, &ignore, NULL);
}

bool run_stop_asked(void) {
  return asked != 0;
}
