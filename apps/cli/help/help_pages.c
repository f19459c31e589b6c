// Files of help: see help_pages.h.
#include "cli/help/help_pages.h"

#include <errno.h>
#include <string.h>

#include "cli/base/paths.h"

static int open_page(const char *directory, const char *name, char path[PATH_CAPACITY], FILE **out) {
  if (snprintf(path, PATH_CAPACITY, "%s/%s", directory, name) >= PATH_CAPACITY) {
    complain("the directory's name is too long");
    return EXIT_USAGE;
  }
  *out = fopen(path, "w");
  if (*out != NULL) return EXIT_DONE;
  complain("%s: cannot be written: %s", path, strerror(errno));
  return EXIT_FAILED;
}

static int close_page(const char *path, FILE *out) {
  bool failed = ferror(out) != 0;
  if (fclose(out) == 0 && !failed) return EXIT_DONE;
  complain("%s: cannot be written", path);
  return EXIT_FAILED;
}

static int write_man(const char *directory, const command *about) {
  char name[128], path[PATH_CAPACITY];
  FILE *out;
  snprintf(name, sizeof name, "man1/mote%s%s.1", about != NULL ? "-" : "", about != NULL ? about->name : "");
  int status = open_page(directory, name, path, &out);
  if (status != EXIT_DONE) return status;
  write_man_page(out, about);
  return close_page(path, out);
}

static int write_completion(const char *directory, const char *name, void (*write)(FILE *)) {
  char path[PATH_CAPACITY];
  FILE *out;
  int status = open_page(directory, name, path, &out);
  if (status != EXIT_DONE) return status;
  write(out);
  return close_page(path, out);
}

int write_help_pages(const char *directory) {
  char pages[PATH_CAPACITY];
  snprintf(pages, sizeof pages, "%s/man1", directory);
  int status = make_directory(directory);
  if (status == EXIT_DONE) status = make_directory(pages);
  if (status == EXIT_DONE) status = write_man(directory, NULL);
  for (const command *c = commands; c->name != NULL && status == EXIT_DONE; ++c)
    status = write_man(directory, c);
  if (status == EXIT_DONE) status = write_completion(directory, "mote.bash", write_bash_completion);
  if (status == EXIT_DONE) status = write_completion(directory, "_mote", write_zsh_completion);
  if (status == EXIT_DONE) status = write_completion(directory, "mote.fish", write_fish_completion);
  return status;
}
