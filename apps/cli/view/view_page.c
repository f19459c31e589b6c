// The page that shows data: see view_page.h.
#define _POSIX_C_SOURCE 200809L  // readlink
#include "cli/view/view_page.h"

#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"

static bool read_part(const char *folder, const char *name, const mote_env *env, view_text *out) {
  char path[4200];
  mote_file_in *in = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (mote_file_in_open(path, env, &in, NULL) != MOTE_OK) return false;
  size_t size = (size_t)mote_file_in_size(in);
  char *bytes = input_take(size + 1, 1);
  bool ok = mote_file_in_read(in, bytes, size);
  if (ok) view_add_bytes(out, bytes, size);
  free(bytes);
  mote_file_in_close(in);
  return ok;
}

// From $MOTE_WEB, beside the program's folder, or where it is installed.
static int read_parts(bool live, const mote_env *env, view_text *page, view_text *core) {
  static const char *const beside[] = {"/../build-web", "/../share/mote/web"};
  char folder[3][4096] = {"", "", ""}, self[4000];
  if (getenv("MOTE_WEB") != NULL) snprintf(folder[0], sizeof folder[0], "%s", getenv("MOTE_WEB"));
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash != NULL) *slash = '\0';
  for (int k = 0; k < 2 && slash != NULL; ++k)
    snprintf(folder[k + 1], sizeof folder[0], "%s%s", self, beside[k]);
  for (int k = 0; k < 3; ++k) {
    if (folder[k][0] == '\0' || !read_part(folder[k], "view.html", env, page)) continue;
    if (!live || read_part(folder[k], "core.html", env, core)) return EXIT_DONE;
    page->size = 0;
  }
  complain(
      "the page for browsers is not built: run `make web` in Mote's sources (it needs emscripten and npm), "
      "or set MOTE_WEB to the folder with view.html and core.html");
  return EXIT_FAILED;
}

static int write_page(const view_text *page, const view_text *core, const view_text *data, const char *path) {
  static const char mark[] = "<!--data-->";
  const char *at = strstr(page->data, mark);
  view_text out = {.data = NULL};
  mote_error error;
  if (at == NULL) return complain("view.html is not the page of this program: run `make web`"), EXIT_FAILED;
  view_add_bytes(&out, page->data, (size_t)(at - page->data));
  view_add_bytes(&out, core->data, core->size);
  view_add_text(&out, "<script type=\"application/json\" id=\"data\">");
  view_add_bytes(&out, data->data, data->size);
  view_add_text(&out, "</script>");
  view_add_text(&out, at + strlen(mark));
  int status =
      mote_file_write(path, out.data, out.size, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
  if (status == EXIT_DONE) printf("%s: %.2f MB\n", path, 1e-6 * (double)out.size);
  free(out.data);
  return status;
}

int view_page_write(const view_text *data, bool live, const mote_env *env, const char *path) {
  view_text page = {.data = NULL}, core = {.data = NULL};
  int status = read_parts(live, env, &page, &core);
  if (status == EXIT_DONE) status = write_page(&page, &core, data, path);
  free(page.data), free(core.data);
  return status;
}
