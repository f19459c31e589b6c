// A command's help text as a manual page. Of that text: the lines of "usage:" become the synopsis, lines at
// the left margin are filled, indented ones stay as they are, "exit status:" and "examples:" get sections of
// their own.
#include <ctype.h>
#include <string.h>

#include "cli/help/help_pages.h"

static void put_text(FILE *out, const char *text, size_t length) {
  if (length > 0 && (text[0] == '.' || text[0] == '\'')) fputs("\\&", out);
  for (size_t k = 0; k < length; ++k) {
    if (text[k] == '\\') {
      fputs("\\e", out);
    } else if (text[k] == '-') {
      fputs("\\-", out);
    } else {
      fputc(text[k], out);
    }
  }
}

static void put_line(FILE *out, const char *text, size_t length) {
  put_text(out, text, length);
  fputc('\n', out);
}

static bool begins(const char *line, const char *with) {
  return strncmp(line, with, strlen(with)) == 0;
}

typedef struct man_page {
  FILE *out;
  bool verbatim;   // lines are not filled
  bool paragraph;  // a blank line was met
} man_page;

static void set_verbatim(man_page *page, bool verbatim) {
  if (page->verbatim != verbatim) fputs(verbatim ? ".nf\n" : ".fi\n", page->out);
  page->verbatim = verbatim;
}

static void begin_section(man_page *page, const char *name, bool verbatim) {
  set_verbatim(page, false);
  fprintf(page->out, ".SH %s\n", name);
  set_verbatim(page, verbatim);
  page->paragraph = false;
}

static void put_body_line(man_page *page, const char *line, size_t length) {
  if (length == 0) {
    page->paragraph = true;
    return;
  }
  bool heading = length < 20 && line[length - 1] != '.';  // as "output" before a list of options
  if (page->paragraph) set_verbatim(page, false), fputs(".PP\n", page->out), page->paragraph = false;
  set_verbatim(page, line[0] == ' ' || (heading && page->verbatim));
  put_line(page->out, line, length);
}

static void put_help(man_page *page, const char *help) {
  const char *line = help;
  size_t length;
  begin_section(page, "SYNOPSIS", true);
  for (; *line != '\0' && *line != '\n'; line += length + 1) {
    length = strcspn(line, "\n");
    size_t skipped = begins(line, "usage: ") ? 7 : strspn(line, " ");
    put_line(page->out, line + skipped, length - skipped);
  }
  begin_section(page, "DESCRIPTION", false);
  if (*line == '\n') ++line;
  for (; *line != '\0'; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    if (begins(line, "exit status: ")) {
      begin_section(page, "EXIT STATUS", false);
      put_line(page->out, line + 13, length - 13);
    } else if (begins(line, "examples:")) {
      begin_section(page, "EXAMPLES", true);
    } else {
      put_body_line(page, line, length);
    }
  }
  set_verbatim(page, false);
}

static void put_option(void *user, const option *o) {
  FILE *out = user;
  fputs(".TP\n.B ", out);
  put_line(out, o->name, strlen(o->name));
  if (o->flag != NULL) fputs("Takes no value.\n", out);
  if (o->number != NULL) fprintf(out, "Takes a whole number from %d to %d.\n", o->low, o->high);
  if (o->real != NULL) fputs("Takes a non-negative number.\n", out);
  if (o->value != NULL) fputs("Takes a text.\n", out);
  if (o->list != NULL) fputs("Takes a text; may be given several times.\n", out);
}

static void put_overview(FILE *out) {
  fputs(".SH SYNOPSIS\n.B mote\n.I COMMAND\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n", out);
  fputs("Simulates scenes of fluids and solids without meshes, and makes surfaces, pictures and videos.\n",
        out);
  fputs(".SH COMMANDS\n", out);
  for (const command *c = commands; c->name != NULL; ++c) {
    fprintf(out, ".TP\n.BR mote\\-%s (1)\n", c->name);
    put_line(out, c->summary, strlen(c->summary));
  }
  fputs(".SH OPTIONS\n.TP\n.B \\-\\-help\nPrints the commands; after a command, its help.\n", out);
  fputs(".TP\n.B \\-\\-version\nPrints version and build.\n", out);
}

void write_man_page(FILE *out, const command *about) {
  man_page page = {.out = out};
  fputs(".TH MOTE", out);
  if (about != NULL) fputc('-', out);
  for (const char *c = about != NULL ? about->name : ""; *c != '\0'; ++c)
    fputc(toupper((unsigned char)*c), out);
  fprintf(out, " 1 \"\" \"Mote %s\" \"Mote\"\n.SH NAME\n", mote_version());
  if (about == NULL) {
    fputs("mote \\- meshless physics for computer graphics\n", out);
    put_overview(out);
    return;
  }
  fprintf(out, "mote\\-%s \\- %s\n", about->name, about->summary);
  put_help(&page, about->help);
  fputs(".SH ALL OPTIONS\n", out);
  command_options(about, put_option, out);
  fputs(".TP\n.BR \\-h \", \" \\-\\-help\nPrints this help.\n.SH SEE ALSO\n.BR mote (1)\n", out);
}
