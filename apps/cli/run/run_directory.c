// The directory of a run: see run_directory.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/cli.h"
#include "cli/run/run_files.h"

#define LOCK_NAME ".lock"

void run_directory_path(const run_directory *directory, const char *name, char out[PATH_CAPACITY]) {
  snprintf(out, PATH_CAPACITY, "%s/%s", directory->path, name);
}

bool run_directory_has(const run_directory *directory, const char *name) {
  char path[PATH_CAPACITY];
  run_directory_path(directory, name, path);
  return access(path, F_OK) == 0;
}

// --- Whose files they are ---

static const char *files_of(const run_directory *directory) {
  return directory->files != NULL ? directory->files : run_files_any;
}

static bool is_unfinished(const char *name) {
  size_t length = strlen(name);
  return length > 5 && strcmp(name + length - 5, ".part") == 0;
}

// Calls `visit` for everything in the directory but the lock.
typedef void visit_fn(const run_directory *directory, const char *name, void *user);

static void each_entry(const run_directory *directory, visit_fn *visit, void *user) {
  DIR *list = opendir(directory->path);
  if (list == NULL) return;
  for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, LOCK_NAME) == 0) continue;
    visit(directory, name, user);
  }
  closedir(list);
}

// But for what a run had begun to write when it was killed.
static void count_entry(const run_directory *directory, const char *name, void *user) {
  size_t frame;
  if (!is_unfinished(name) || !run_files_match(files_of(directory), name, &frame)) ++*(size_t *)user;
}

static void remove_entry(const run_directory *directory, const char *name) {
  char path[PATH_CAPACITY];
  run_directory_path(directory, name, path);
  unlink(path);
}

static void cut_entry(const run_directory *directory, const char *name, void *user) {
  size_t frame, last = *(const size_t *)user;
  if (run_files_match(files_of(directory), name, &frame) && (frame > last || is_unfinished(name)))
    remove_entry(directory, name);
}

void run_directory_cut(const run_directory *directory, size_t frame) {
  each_entry(directory, cut_entry, &frame);
}

static void clear_entry(const run_directory *directory, const char *name, void *user) {
  size_t frame;
  (void)user;
  if (strcmp(name, "scene.yaml") != 0 && run_files_match(files_of(directory), name, &frame))
    remove_entry(directory, name);
}

// All but its scene, which says whose files they are: what is left of a killed run can be removed later.
void run_directory_clear(const run_directory *directory) {
  each_entry(directory, clear_entry, NULL);
}

typedef struct conflict {
  const char *files;
  char name[256];
} conflict;

// What a run had begun to write when it was killed is no one else's.
static void find_conflict(const run_directory *directory, const char *name, void *user) {
  conflict *c = user;
  size_t frame;
  if (is_unfinished(name)) return;
  if (!run_files_match(c->files, name, &frame) || run_files_match(files_of(directory), name, &frame)) return;
  snprintf(c->name, sizeof c->name, "%s", name);
}

int run_directory_check_files(const run_directory *directory, const char *files) {
  conflict c = {.files = files};
  each_entry(directory, find_conflict, &c);
  if (c.name[0] == '\0') return EXIT_DONE;
  complain(
      "%s/%s: the earlier run did not write this file, and this one would; move it, or choose another "
      "directory "
      "with -o",
      directory->path, c.name);
  return EXIT_USAGE;
}

// --- Kept snapshots ---

typedef struct frame_list {
  size_t *frame, capacity, count;
} frame_list;

static void list_snapshot(const run_directory *directory, const char *name, void *user) {
  frame_list *list = user;
  size_t frame = 0;
  (void)directory;
  if (!run_files_match("snapshot.#.mote", name, &frame) || is_unfinished(name)) return;
  if (list->count++ >= list->capacity) return;
  size_t k = list->count - 1;
  for (; k > 0 && list->frame[k - 1] > frame; --k) list->frame[k] = list->frame[k - 1];
  list->frame[k] = frame;
}

size_t run_directory_snapshots(const run_directory *directory, size_t *frame, size_t capacity) {
  frame_list list = {.frame = frame, .capacity = capacity};
  each_entry(directory, list_snapshot, &list);
  return list.count < capacity ? list.count : capacity;
}

// --- Opening ---

// Whether it contains the scene of a run: other directories are never overwritten or resumed.
static bool holds_run(const run_directory *directory) {
  char path[PATH_CAPACITY], head[sizeof RUN_SCENE_MARK] = "";
  run_directory_path(directory, "scene.yaml", path);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  size_t length = fread(head, 1, sizeof head - 1, file);
  fclose(file);
  return length == sizeof head - 1 && strcmp(head, RUN_SCENE_MARK) == 0;
}

static int check_intent(const run_directory *directory, run_intent intent) {
  size_t entries = 0;
  bool run = holds_run(directory);
  each_entry(directory, count_entry, &entries);
  if (intent == RUN_RESUME && !run) {
    complain("%s: there is no run to resume", directory->path);
  } else if (intent == RUN_OVERWRITE && entries > 0 && !run) {
    complain("%s: not a run directory, so nothing in it is overwritten; choose another with -o",
             directory->path);
  } else if (intent == RUN_BEGIN && run) {
    complain(
        "%s: holds a run already; --resume continues it, --overwrite starts again, -o DIR chooses "
        "another directory",
        directory->path);
  } else if (intent == RUN_BEGIN && entries > 0) {
    complain("%s: the directory is not empty; choose another with -o", directory->path);
  } else {
    return EXIT_DONE;
  }
  return EXIT_USAGE;
}

// A lock of the system's, which ends with the process, however that ends.
static int lock_directory(run_directory *directory) {
  char path[PATH_CAPACITY];
  run_directory_path(directory, LOCK_NAME, path);
  directory->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (directory->lock < 0) {
    complain("%s: not writable: %s", directory->path, strerror(errno));
    return EXIT_FAILED;
  }
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(directory->lock, F_SETLK, &lock) == 0) return EXIT_DONE;
  bool held = errno == EACCES || errno == EAGAIN;
  if (held && fcntl(directory->lock, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
    complain("%s: in use by another run (process %ld)", directory->path, (long)lock.l_pid);
    return EXIT_USAGE;
  }
  if (held) {
    complain("%s: in use by another run", directory->path);
    return EXIT_USAGE;
  }
  complain("%s: the directory cannot be locked (%s); make sure that no other run uses it", directory->path,
           strerror(errno));
  return EXIT_DONE;
}

int run_directory_open(run_directory *directory, const char *path, run_intent intent) {
  struct stat there;
  *directory = (run_directory){.lock = -1};
  if (strlen(path) >= sizeof directory->path) {
    complain("the directory's name is too long");
    return EXIT_USAGE;
  }
  snprintf(directory->path, sizeof directory->path, "%s", path);
  directory->made = path[0] != '\0' && stat(path, &there) != 0;
  if (directory->made && intent == RUN_RESUME) {
    complain("%s: there is no run to resume: no such directory", path);
    return EXIT_USAGE;
  }
  int status = make_directory(path);
  // Before locking, so that no lock is left among somebody else's files; and after, for what came between.
  if (status == EXIT_DONE && !holds_run(directory)) status = check_intent(directory, intent);
  if (status == EXIT_DONE) status = lock_directory(directory);
  if (status == EXIT_DONE) status = check_intent(directory, intent);
  if (status == EXIT_DONE) {
    char kept[PATH_CAPACITY];
    run_directory_path(directory, "scene.yaml", kept);
    directory->files = run_files_read(kept);
  }
  if (status == EXIT_DONE && intent == RUN_OVERWRITE && holds_run(directory) && directory->files == NULL) {
    complain(
        "%s: its scene.yaml does not list the files of the run, so nothing is removed; choose another "
        "directory with -o",
        path);
    status = EXIT_USAGE;
  }
  if (status != EXIT_DONE) run_directory_close(directory, true);
  return status;
}

void run_directory_close(run_directory *directory, bool undo) {
  size_t entries = 0;
  if (undo && directory->made) each_entry(directory, count_entry, &entries);
  if (undo && directory->made && entries == 0) {
    remove_entry(directory, LOCK_NAME);
    rmdir(directory->path);
  }
  if (directory->lock >= 0) close(directory->lock);
  directory->lock = -1;
  free(directory->files);
  directory->files = NULL;
}

void run_directory_remove(run_directory *directory) {
  if (directory->path[0] == '\0') return;
  run_directory_clear(directory);
  remove_entry(directory, "scene.yaml");
  remove_entry(directory, LOCK_NAME);
  rmdir(directory->path);
  run_directory_close(directory, false);
}
