// Snapshots of a run: see run_snapshots.h.
#include "cli/run/run_snapshots.h"

#include <errno.h>
#include <mote/io.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/cli.h"

#define LATEST_SNAPSHOT "snapshot.mote"

static void name_kept(char name[48], size_t frame) {
  snprintf(name, 48, "snapshot.%04zu.mote", frame);
}

static bool save_as(const run_directory *directory, const mote_world *world, const char *name) {
  char path[PATH_CAPACITY];
  mote_file_out *out;
  mote_error error;
  run_directory_path(directory, name, path);
  mote_result result = mote_file_out_begin(path, true, NULL, &out, &error);
  if (result == MOTE_OK) {
    result = mote_world_save(world, mote_file_out_write, out, &error);
    if (result == MOTE_OK || result == MOTE_ERROR_FILE) {  // of which the file knows more
      result = mote_file_out_commit(out, &error);
    } else {
      mote_file_out_abandon(out);
    }
  }
  if (result != MOTE_OK) complain_error(&error);
  return result == MOTE_OK;
}

bool run_snapshot_save(const run_directory *directory, const mote_world *world) {
  return save_as(directory, world, LATEST_SNAPSHOT);
}

bool run_snapshot_keep(const run_directory *directory, const mote_world *world, size_t frame) {
  char name[48];
  name_kept(name, frame);
  return save_as(directory, world, name);
}

static bool read_bytes(void *file, void *bytes, size_t size) {
  return fread(bytes, 1, size, file) == size;
}

static int load_file(const run_directory *directory, mote_world *world, const char *name) {
  char path[PATH_CAPACITY];
  struct stat about;
  mote_error error = {0};
  run_directory_path(directory, name, path);
  FILE *file = fopen(path, "rb");
  if (file == NULL || stat(path, &about) != 0) {
    complain("%s: cannot be read: %s", path, strerror(errno));
    if (file != NULL) fclose(file);
    return EXIT_FAILED;
  }
  mote_result result = mote_world_load(world, read_bytes, file, (uint64_t)about.st_size, &error);
  fclose(file);
  if (result == MOTE_OK) return EXIT_DONE;
  snprintf(error.file, sizeof error.file, "%.255s", path);
  return complain_error(&error);
}

#define SNAPSHOTS_MAX 4096

// "1, 11, 21"
static void print_frames(const size_t *kept, size_t count, char out[256]) {
  size_t length = 0;
  out[0] = '\0';
  for (size_t k = 0; k < count && length < 200; ++k) {
    length += (size_t)snprintf(out + length, 256 - length, "%s%zu", k == 0 ? "" : ", ", kept[k]);
    if (length >= 200 && k + 1 < count) snprintf(out + length, 256 - length, ", ...");
  }
}

static int no_such_snapshot(const run_directory *directory, const size_t *kept, size_t count, size_t wanted) {
  char list[256];
  print_frames(kept, count, list);
  if (count == 0) {
    complain(
        "%s: no snapshots of frames were saved (see outputs.snapshot_every); --resume alone continues "
        "from the latest",
        directory->path);
  } else {
    complain("%s: no snapshot of frame %zu or before; there are snapshots of %s", directory->path, wanted,
             list);
  }
  return EXIT_USAGE;
}

// The latest; where it is of no use, says which others there are.
static int load_latest(const run_directory *directory, mote_world *world, const size_t *kept, size_t count) {
  char list[256];
  int status = load_file(directory, world, LATEST_SNAPSHOT);
  if (status == EXIT_DONE || count == 0) return status;
  print_frames(kept, count, list);
  complain("%s: there are snapshots of frames %s; --from-frame N continues from one", directory->path, list);
  return status;
}

int run_snapshot_load(const run_directory *directory, mote_world *world, size_t from_frame) {
  static size_t kept[SNAPSHOTS_MAX];
  size_t count = run_directory_snapshots(directory, kept, SNAPSHOTS_MAX), frame = 0;
  if (from_frame == 0) return load_latest(directory, world, kept, count);
  for (size_t k = 0; k < count && kept[k] <= from_frame; ++k) frame = kept[k];
  if (frame == 0) return no_such_snapshot(directory, kept, count, from_frame);
  char name[48];
  name_kept(name, frame);
  return load_file(directory, world, name);
}
