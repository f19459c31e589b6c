// Ctrl-C and its like: the first asks the run to stop, the second ends the program at once.
#ifndef MOTE_RUN_STOP_H
#define MOTE_RUN_STOP_H

#include <stdbool.h>

// From now on SIGINT, SIGTERM and SIGHUP ask, and so does a reader of the results that went away; a file
// beyond the size limit is an error, not a signal.
void run_stop_listen(void);
bool run_stop_asked(void);

#endif
