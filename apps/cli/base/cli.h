// What the commands share: the table of commands, options, exit statuses, errors.
#ifndef MOTE_CLI_H
#define MOTE_CLI_H

#include <mote/base.h>

enum {
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
  EXIT_VALIDATION = 3,
  EXIT_UNSOLVED = 3,
  EXIT_INTERRUPTED = 130
};

typedef struct command {
  const char *name;
  int (*run)(int argc, char **argv);  // argv[0] is the command's name; gives the exit status
  const char *summary;                // one line
  const char *help;                   // the whole page
} command;

extern const command commands[];  // ends with a null name

int cmd_animate(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_deform(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_examples(int argc, char **argv);
int cmd_foam(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_mesh(int argc, char **argv);
int cmd_render(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_sample(int argc, char **argv);
int cmd_shatter(int argc, char **argv);
int cmd_skin(int argc, char **argv);
int cmd_track(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_view(int argc, char **argv);
extern const char help_animate[], help_bench[], help_check[], help_deform[], help_convert[], help_demo[],
    help_diff[], help_examples[], help_foam[], help_help[], help_info[], help_mesh[], help_render[],
    help_run[], help_sample[], help_shatter[], help_skin[], help_track[], help_validate[], help_view[];

// Words that an option collects.
typedef struct word_list {
  const char **word;
  size_t count, capacity;
} word_list;

// The commit and the compiler of this program: cmake/build_data.cmake. No file that it writes holds them.
extern const char build_commit[], build_how[];

// How this program was called: for commands to be tried next.
extern const char *program;

// One option of a command: a flag, or a value behind it ("--threads 2" or "--threads=2").
typedef struct option {
  const char *name;    // with its dashes
  bool *flag;          // set when given, or:
  const char **value;  // receives the text, or:
  int *number;         // receives an integer of [low, high], or:
  double *real;        // receives a number that is not negative, or:
  word_list *list;     // receives one more text
  int low, high;
} option;

// Takes the options out of argv[1..] and leaves the other words, counted in *argc, in order. Reports what is
// wrong and returns false. The table ends with a null name. "--" ends the options.
bool options_parse(int *argc, char **argv, const option *table);

// Calls `take` for each option that the command parses.
void command_options(const command *c, void (*take)(void *user, const option *o), void *user);

// A progress bar stands on the line: what else is printed must clear it first, as complain() does.
extern bool bar_on_line;
void clear_bar(void);

// "mote: ..." on stderr.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same for a library's error; returns EXIT_USAGE for bad input, EXIT_FAILED for the rest.
int complain_error(const mote_error *error);
// Makes a directory for results and those above it, unless they are there. Reports what is wrong; gives the
// exit status.
int make_directory(const char *path);
// The directory in which the file is to be.
int make_folder_of(const char *file);
// Whether reading it could wait for ever. Pipes that the shell has opened, <(...), do not count: somebody
// writes into them.
bool is_pipe_or_device(const char *path);
// Whether it is one, which is then reported.
bool refuse_pipe(const char *path);
// "; did you mean "x"?" where one of `count` names is close to `word`, else "".
const char *suggestion(const char *word, const char *const *names, size_t count, char *buffer, size_t size);

// Whether each of words[1 .. number-1] is among the names; complains about the first that is not.
bool words_known(int number, char **words, const char *const *names, size_t count, const char *lister);

// The list of commands, the command of a name (null: none), and a complaint about an unknown one.
int print_overview(void);
const command *find_command(const char *name);
int unknown_command(const char *name);

#endif
