// Files that a command writes: see output_file.h.
#include "cli/files/output_file.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"

int output_check(const char *path, bool overwrite, const char *choices) {
  struct stat about;
  if (path[0] == '\0') {
    complain("-o needs the name of a file");
    return EXIT_USAGE;
  }
  if (overwrite || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return make_folder_of(path);
  complain("%s: exists already (%s)", path, choices != NULL ? choices : "--overwrite replaces it");
  return EXIT_USAGE;
}

bool output_is_read(const char *path, const char *input) {
  bool read = input != NULL && (strcmp(path, input) == 0 || input_same(path, input));
  if (read) complain("%s: is also an input; choose another output", path);
  return read;
}

// Names of other inputs are compared in short lists only: the time grows with the square of their number.
static bool is_among_inputs(const sequence *s, size_t k) {
  if (output_is_read(s->output[k], s->input[k])) return true;
  for (size_t i = 0; i < s->count && s->count < 10000; ++i)
    if (strcmp(s->output[k], s->input[i]) == 0) return output_is_read(s->output[k], s->input[i]);
  return false;
}

int output_check_all(const sequence *s, const char *besides, bool overwrite) {
  for (size_t k = 0; k < s->count; ++k) {
    if (is_among_inputs(s, k) || output_is_read(s->output[k], besides)) return EXIT_USAGE;
    if (k > 0 && strcmp(s->output[k], s->output[k - 1]) == 0) {
      complain("%s: two inputs would be written to this file", s->output[k]);
      return EXIT_USAGE;
    }
    int status = output_check(s->output[k], overwrite, NULL);
    if (status != EXIT_DONE) return status;
  }
  return EXIT_DONE;
}
