// Films by the ffmpeg program, which reads raw frames from a socket and writes beside the film's name. A
// socket and not a pipe, since writing to it when the program has ended need not raise SIGPIPE, whose
// handling belongs to the caller. No shell is involved: names are passed as they are.
#define _DEFAULT_SOURCE  // for MSG_NOSIGNAL
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <mote/render.h>
#include <mote/text.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draw/image.h"

#define PATH_MOST 4096
#define WORDS 1024  // bytes of what ffmpeg said last
#define ARGUMENTS_MOST 48
#define FPS_MOST 1000.0

extern char **environ;

struct mote_film {
  mote_env env;
  mote_file_out *file;  // holds PATH.part, which ffmpeg writes, and gives it its name
  char path[PATH_MOST];
  int width, height;
  uint8_t *frame;  // red, green, blue
  size_t frames;
  pid_t child;   // 0: none
  int to, from;  // its standard input and error; -1: none
  char words[WORDS];
  size_t spoken;
};

// --- What ffmpeg is asked for ---

typedef struct arguments {
  const char *word[ARGUMENTS_MOST];
  int count;
} arguments;

static void add_words(arguments *list, const char *const *word) {
  for (; *word != NULL && list->count < ARGUMENTS_MOST - 1; ++word) list->word[list->count++] = *word;
  list->word[list->count] = NULL;
}

// H.264 with half as many colours as pixels wants even sides; a film's colours are BT.709's.
#define EVEN \
  "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
#define BT709 "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"
static const char *const as_mp4[] = {"-vf",     EVEN,     BT709,       "-c:v",       "libx264", "-crf", "18",
                                     "-preset", "medium", "-movflags", "+faststart", "-f",      "mp4",  NULL};
static const char *const as_webm[] = {"-vf", EVEN,   BT709,  "-c:v",    "libvpx-vp9", "-crf",
                                      "28",  "-b:v", "0",    "-row-mt", "1",          "-cpu-used",
                                      "4",   "-f",   "webm", NULL};
// 256 colours chosen from all frames.
static const char *const as_gif[] = {
    "-filter_complex",
    "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a:diff_mode=rectangle",
    "-loop",
    "0",
    "-f",
    "gif",
    NULL};

static const char *const *kind_of(const char *path) {
  if (mote_io_ends(path, ".mp4")) return as_mp4;
  if (mote_io_ends(path, ".webm")) return as_webm;
  return mote_io_ends(path, ".gif") ? as_gif : NULL;
}

// --- The program ---

static void close_end(int *end) {
  if (*end >= 0) (void)close(*end);
  *end = -1;
}

static int spawn_with(pid_t *child, const arguments *list, int in, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed != 0) return failed;
  failed = posix_spawnattr_init(&attributes);
  if (failed == 0) {
    // A group of its own: Ctrl-C asks us, and we decide what becomes of the film.
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    failed = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (failed == 0)
      failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (failed == 0) failed = posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    char *word[ARGUMENTS_MOST];
    memcpy(word, list->word, sizeof word);
    if (failed == 0) failed = posix_spawnp(child, word[0], &actions, &attributes, word, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static int start(mote_film *film, const arguments *list) {
  int in[2] = {-1, -1}, err[2] = {-1, -1};
  int failed = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, err) != 0)
    failed = errno;
  if (failed == 0) failed = spawn_with(&film->child, list, in[0], err[1]);
  if (failed != 0) film->child = 0;
  close_end(&in[0]);
  close_end(&err[1]);
  film->to = in[1], film->from = err[0];
  return failed;
}

// Keeps the end of what ffmpeg says; false when it says no more.
static bool listen_once(mote_film *film, int flags) {
  char heard[WORDS / 2];
  ssize_t size = recv(film->from, heard, sizeof heard, flags);
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size == 0) return false;
  size_t more = (size_t)size, vacant = WORDS - 1 - film->spoken;
  if (more > vacant) {
    memmove(film->words, film->words + (more - vacant), film->spoken - (more - vacant));
    film->spoken -= more - vacant;
  }
  memcpy(film->words + film->spoken, heard, more);
  film->spoken += more;
  film->words[film->spoken] = '\0';
  return true;
}

// Writes all of it, and reads the messages of the process meanwhile, to avoid a deadlock.
static bool send_all(mote_film *film, const uint8_t *bytes, size_t size) {
  bool speaks = true;
  while (size > 0) {
    struct pollfd ends[2] = {{.fd = film->to, .events = POLLOUT},
                             {.fd = speaks ? film->from : -1, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0 && errno != EINTR) return false;
    if (ends[1].revents != 0) speaks = listen_once(film, MSG_DONTWAIT);
    if (ends[0].revents == 0) continue;
    ssize_t sent = send(film->to, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (sent > 0) bytes += sent, size -= (size_t)sent;
  }
  return true;
}

// Waits until the program has ended; true when it was content.
static bool finish(mote_film *film) {
  int status = -1;
  close_end(&film->to);
  while (listen_once(film, 0)) continue;
  close_end(&film->from);
  pid_t ended;
  do ended = waitpid(film->child, &status, 0);
  while (ended < 0 && errno == EINTR);
  film->child = 0;
  return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The last two lines, in one.
static mote_result fail_with_words(mote_film *film, mote_error *error) {
  char *text = film->words;
  while (film->spoken > 0 && (unsigned char)text[film->spoken - 1] <= ' ') text[--film->spoken] = '\0';
  size_t begin = film->spoken;
  for (int lines = 0; begin > 0; --begin) {
    if (text[begin - 1] != '\n') continue;
    if (++lines == 2) break;
    text[begin - 1] = ';';
  }
  return mote_io_fail(error, MOTE_ERROR_FILE, film->path, "ffmpeg could not make the film: %.400s",
                      film->spoken > begin ? text + begin : "it ended without a message");
}

// --- Films ---

static mote_result check_film(const char *path, int width, int height, double fps, mote_error *error) {
  struct stat there;
  if (path == NULL || strlen(path) >= PATH_MOST - 16)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "a film needs a name that is not too long");
  if (kind_of(path) == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "films end in .mp4, .gif or .webm");
  if (width < 1 || height < 1 || width > MOTE_IMAGE_SIDE_MAX || height > MOTE_IMAGE_SIDE_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a film of %d x %d pixels", width, height);
  if (!(fps > 0 && fps <= FPS_MOST))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path,
                        "%g frames per second: more than 0, at most %g may be", fps, FPS_MOST);
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
    return mote_io_fail(error, MOTE_ERROR_FILE, path, "cannot be written: a film needs a plain file");
  return MOTE_OK;
}

static mote_result start_ffmpeg(mote_film *film, double fps, mote_error *error) {
  char size[32], rate[MOTE_TEXT_NUMBER], beside[PATH_MOST + 16];
  snprintf(size, sizeof size, "%dx%d", film->width, film->height);
  mote_text_print_double(rate, fps);
  snprintf(beside, sizeof beside, "file:%s.part", film->path);
  const char *const before[] = {
      "ffmpeg",   "-hide_banner",  "-loglevel", "error",       "-nostdin", "-y",         "-f",
      "rawvideo", "-pixel_format", "rgb24",     "-video_size", size,       "-framerate", rate,
      "-i",       "pipe:0",        "-an",       NULL};
  const char *const behind[] = {beside, NULL};
  arguments list = {.count = 0};
  add_words(&list, before);
  add_words(&list, kind_of(film->path));
  add_words(&list, behind);
  int failed = start(film, &list);
  if (failed == ENOENT)
    return mote_io_fail(
        error, MOTE_ERROR_FILE, film->path,
        "films are made by ffmpeg, which is not installed (apt install ffmpeg); pictures need "
        "no ffmpeg");
  if (failed != 0)
    return mote_io_fail(error, MOTE_ERROR_FILE, film->path, "ffmpeg cannot be started: %s", strerror(failed));
  return MOTE_OK;
}

static size_t frame_bytes(const mote_film *film) {
  return 3 * (size_t)film->width * (size_t)film->height;
}

mote_result mote_film_begin(const char *path, int width, int height, double fps, const mote_env *env,
                            mote_film **out, mote_error *error) {
  if (out == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "out is null");
  MOTE_IO_TRY(check_film(path, width, height, fps, error));
  mote_env own = mote_io_env(env);
  mote_film *film = mote_io_new(&own, sizeof *film);
  if (film == NULL) return mote_io_fail_memory(error);
  *film = (mote_film){.env = own, .width = width, .height = height, .to = -1, .from = -1};
  snprintf(film->path, sizeof film->path, "%s", path);
  film->frame = mote_io_new(&own, frame_bytes(film));
  mote_result result = film->frame != NULL ? MOTE_OK : mote_io_fail_memory(error);
  if (result == MOTE_OK) result = mote_file_out_begin(path, false, &own, &film->file, error);
  if (result == MOTE_OK) result = start_ffmpeg(film, fps, error);
  if (result == MOTE_OK)
    *out = film;
  else
    mote_film_abandon(film);
  return result;
}

// On white where it is transparent: films have no alpha.
static void flatten(const mote_image *image, uint8_t *out) {
  size_t pixels = (size_t)image->width * (size_t)image->height;
  for (size_t k = 0; k < pixels; ++k) {
    const uint8_t *p = image->pixel + 4 * k;
    for (int c = 0; c < 3; ++c)
      out[3 * k + (size_t)c] = (uint8_t)((p[c] * p[3] + 255 * (255 - p[3]) + 127) / 255);
  }
}

mote_result mote_film_add(mote_film *film, const mote_image *image, mote_error *error) {
  if (film == NULL || image == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the film or the picture is null");
  if (image->width != film->width || image->height != film->height)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, film->path,
                        "a picture of %d x %d pixels in a film of %d x %d", image->width, image->height,
                        film->width, film->height);
  if (film->child == 0) return fail_with_words(film, error);
  flatten(image, film->frame);
  ++film->frames;
  if (send_all(film, film->frame, frame_bytes(film))) return MOTE_OK;
  finish(film);
  return fail_with_words(film, error);
}

mote_result mote_film_commit(mote_film *film, mote_error *error) {
  if (film == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the film is null");
  mote_result result = MOTE_OK;
  if (film->frames == 0)
    result = mote_io_fail(error, MOTE_ERROR_ARGUMENT, film->path, "a film without pictures");
  else if (film->child == 0 || !finish(film))
    result = fail_with_words(film, error);
  if (result == MOTE_OK) {
    result = mote_file_out_commit(film->file, error);
    film->file = NULL;
  }
  mote_film_abandon(film);
  return result;
}

void mote_film_abandon(mote_film *film) {
  if (film == NULL) return;
  if (film->child != 0) {
    (void)kill(film->child, SIGKILL);
    finish(film);
  }
  close_end(&film->to);
  close_end(&film->from);
  mote_file_out_abandon(film->file);
  mote_env env = film->env;
  mote_io_delete(&env, film->frame, frame_bytes(film));
  mote_io_delete(&env, film, sizeof *film);
}
