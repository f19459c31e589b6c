// Completion of commands and options in shells; other words are names of files.
#include <string.h>

#include "cli/help/help_pages.h"

static void put_name(void *user, const option *o) {
  fprintf(user, " %s", o->name);
}

static void put_commands(FILE *out) {
  for (const command *c = commands; c->name != NULL; ++c) fprintf(out, " %s", c->name);
}

void write_bash_completion(FILE *out) {
  fputs("# Completion of mote in bash, written by mote help --pages.\n_mote() {\n", out);
  fputs("  local word=${COMP_WORDS[COMP_CWORD]} options= commands='", out);
  put_commands(out);
  fputs("'\n  COMPREPLY=()\n  if [ \"$COMP_CWORD\" = 1 ]; then\n", out);
  fputs("    COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n    return\n  fi\n", out);
  fputs("  case ${COMP_WORDS[1]} in\n", out);
  for (const command *c = commands; c->name != NULL; ++c) {
    fprintf(out, "    %s) options='", c->name);
    command_options(c, put_name, out);
    fputs(" --help' ;;\n", out);
  }
  fputs("  esac\n  case ${COMP_WORDS[1]}:$word in\n", out);
  fputs("    *:-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n", out);
  fputs("    help:*) COMPREPLY=($(compgen -W \"$commands scene steering materials\" -- \"$word\")) ;;\n",
        out);
  fputs("  esac\n}\ncomplete -o default -F _mote mote\n", out);
}

void write_zsh_completion(FILE *out) {
  fputs("#compdef mote\n# Completion of mote in zsh, written by mote help --pages.\n", out);
  fputs("local -a commands=(\n", out);
  for (const command *c = commands; c->name != NULL; ++c) fprintf(out, "  '%s:%s'\n", c->name, c->summary);
  fputs(")\nif (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\n", out);
  fputs("local -a options\ncase ${words[2]} in\n", out);
  for (const command *c = commands; c->name != NULL; ++c) {
    fprintf(out, "  %s) options=(", c->name);
    command_options(c, put_name, out);
    fputs(" --help ) ;;\n", out);
  }
  fputs("esac\nif [[ $PREFIX == -* ]]; then\n  compadd -a options\n", out);
  fputs("elif [[ ${words[2]} == help ]]; then\n  _describe command commands\nelse\n  _files\nfi\n", out);
}

typedef struct fish_lines {
  FILE *out;
  const char *command;
} fish_lines;

static void put_fish_option(void *user, const option *o) {
  const fish_lines *lines = user;
  size_t dashes = strspn(o->name, "-");
  fprintf(lines->out, "complete -c mote -n '__fish_seen_subcommand_from %s' -%c %s%s\n", lines->command,
          dashes == 1 ? 's' : 'l', o->name + dashes, o->flag != NULL ? "" : " -r");
}

void write_fish_completion(FILE *out) {
  fputs("# Completion of mote in fish, written by mote help --pages.\n", out);
  for (const command *c = commands; c->name != NULL; ++c) {
    fprintf(out, "complete -c mote -n __fish_use_subcommand -f -a %s -d '%s'\n", c->name, c->summary);
    command_options(c, put_fish_option, &(fish_lines){out, c->name});
  }
}
