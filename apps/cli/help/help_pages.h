// Manual pages and shell completion, made from the table of commands and the options that these parse.
#ifndef MOTE_HELP_PAGES_H
#define MOTE_HELP_PAGES_H

#include <stdio.h>

#include "cli/base/cli.h"

// DIR/man1/mote.1, DIR/man1/mote-COMMAND.1, DIR/mote.bash, DIR/_mote (zsh), DIR/mote.fish. Gives the exit
// status.
int write_help_pages(const char *directory);

// man_page.c: mote(1) where the command is null.
void write_man_page(FILE *out, const command *about);

// completion.c
void write_bash_completion(FILE *out);
void write_zsh_completion(FILE *out);
void write_fish_completion(FILE *out);

#endif
