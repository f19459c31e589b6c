// The command-line tool: a table of commands.
#include <mote/mote.h>
#include <stdio.h>

int main(void) {
  printf("mote %s\n", mote_version());
  return 0;
}
