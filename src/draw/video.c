// Videos by the ffmpeg program, which reads raw frames from a socket and writes beside the video's name. A
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
#define FFMPEG_TEXT_BYTES 1024  // bytes of what ffmpeg said last
#define ARGUMENTS_MOST 48
#define FPS_MOST 1000.0  // range: frames per second

extern char **environ;

struct mote_video {
  mote_env env;
  mote_file_out *file;  // holds PATH.part, which ffmpeg writes, and gives it its name
  char path[PATH_MOST];
  int width, height;
  uint8_t *picture;  // red, green, blue
  size_t pictures;
  pid_t child;   // 0: none
  int to, from;  // its standard input and error; -1: none
  char words[FFMPEG_TEXT_BYTES];
  size_t spoken;
};

// --- Arguments of ffmpeg ---

typedef struct arguments {
  const char *word[ARGUMENTS_MOST];
  int count;
} arguments;

static void add_words(arguments *list, const char *const *word) {
  for (; *word != NULL && list->count < ARGUMENTS_MOST - 1; ++word) list->word[list->count++] = *word;
  list->word[list->count] = NULL;
}

// H.264 with half as many colours as pixels wants even sides; a video's colours are BT.709's.
#define EVEN_SIDES_FILTER \
  "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
#define BT709 "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"
static const char *const as_mp4[] = {
    "-vf",     EVEN_SIDES_FILTER, BT709,       "-c:v",       "libx264", "-crf", "18",
    "-preset", "medium",          "-movflags", "+faststart", "-f",      "mp4",  NULL};
static const char *const as_webm[] = {
    "-vf", EVEN_SIDES_FILTER, BT709, "-c:v",      "libvpx-vp9", "-crf", "28",   "-b:v",
    "0",   "-row-mt",         "1",   "-cpu-used", "4",          "-f",   "webm", NULL};
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
    // A group of its own: Ctrl-C asks us, and we decide what becomes of the video.
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

static int start(mote_video *video, const arguments *list) {
  int in[2] = {-1, -1}, err[2] = {-1, -1};
  int failed = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, err) != 0)
    failed = errno;
  if (failed == 0) failed = spawn_with(&video->child, list, in[0], err[1]);
  if (failed != 0) video->child = 0;
  close_end(&in[0]);
  close_end(&err[1]);
  video->to = in[1], video->from = err[0];
  return failed;
}

// Keeps the end of what ffmpeg says; false when it says no more.
static bool listen_once(mote_video *video, int flags) {
  char heard[FFMPEG_TEXT_BYTES / 2];
  ssize_t size = recv(video->from, heard, sizeof heard, flags);
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size == 0) return false;
  size_t more = (size_t)size, vacant = FFMPEG_TEXT_BYTES - 1 - video->spoken;
  if (more > vacant) {
    memmove(video->words, video->words + (more - vacant), video->spoken - (more - vacant));
    video->spoken -= more - vacant;
  }
  memcpy(video->words + video->spoken, heard, more);
  video->spoken += more;
  video->words[video->spoken] = '\0';
  return true;
}

// Writes all of it, and reads the messages of the process meanwhile, to avoid a deadlock.
static bool send_all(mote_video *video, const uint8_t *bytes, size_t size) {
  bool speaks = true;
  while (size > 0) {
    struct pollfd ends[2] = {{.fd = video->to, .events = POLLOUT},
                             {.fd = speaks ? video->from : -1, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0 && errno != EINTR) return false;
    if (ends[1].revents != 0) speaks = listen_once(video, MSG_DONTWAIT);
    if (ends[0].revents == 0) continue;
    ssize_t sent = send(video->to, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (sent > 0) bytes += sent, size -= (size_t)sent;
  }
  return true;
}

// Waits until the program has ended; true when it was content.
static bool finish(mote_video *video) {
  int status = -1;
  close_end(&video->to);
  while (listen_once(video, 0)) continue;
  close_end(&video->from);
  pid_t ended;
  do ended = waitpid(video->child, &status, 0);
  while (ended < 0 && errno == EINTR);
  video->child = 0;
  return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The last two lines, in one.
static mote_result fail_with_words(mote_video *video, mote_error *error) {
  char *text = video->words;
  while (video->spoken > 0 && (unsigned char)text[video->spoken - 1] <= ' ') text[--video->spoken] = '\0';
  size_t begin = video->spoken;
  for (int lines = 0; begin > 0; --begin) {
    if (text[begin - 1] != '\n') continue;
    if (++lines == 2) break;
    text[begin - 1] = ';';
  }
  return mote_io_fail(error, MOTE_ERROR_FILE, video->path, "ffmpeg could not make the video: %.400s",
                      video->spoken > begin ? text + begin : "it ended without a message");
}

// --- Videos ---

static mote_result check_video(const char *path, int width, int height, double fps, mote_error *error) {
  struct stat there;
  if (path == NULL || strlen(path) >= PATH_MOST - 16)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "a video needs a name that is not too long");
  if (kind_of(path) == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "videos end in .mp4, .gif or .webm");
  if (width < 1 || height < 1 || width > MOTE_IMAGE_SIDE_MAX || height > MOTE_IMAGE_SIDE_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a video of %d x %d pixels", width, height);
  if (!(fps > 0 && fps <= FPS_MOST))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path,
                        "%g frames per second: more than 0, at most %g may be", fps, FPS_MOST);
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
    return mote_io_fail(error, MOTE_ERROR_FILE, path, "cannot be written: a video needs a plain file");
  return MOTE_OK;
}

static mote_result start_ffmpeg(mote_video *video, double fps, mote_error *error) {
  char size[32], rate[MOTE_TEXT_NUMBER], beside[PATH_MOST + 16];
  snprintf(size, sizeof size, "%dx%d", video->width, video->height);
  mote_text_print_double(rate, fps);
  snprintf(beside, sizeof beside, "file:%s.part", video->path);
  const char *const before[] = {
      "ffmpeg",   "-hide_banner",  "-loglevel", "error",       "-nostdin", "-y",         "-f",
      "rawvideo", "-pixel_format", "rgb24",     "-video_size", size,       "-framerate", rate,
      "-i",       "pipe:0",        "-an",       NULL};
  const char *const behind[] = {beside, NULL};
  arguments list = {.count = 0};
  add_words(&list, before);
  add_words(&list, kind_of(video->path));
  add_words(&list, behind);
  int failed = start(video, &list);
  if (failed == ENOENT)
    return mote_io_fail(
        error, MOTE_ERROR_FILE, video->path,
        "videos are made by ffmpeg, which is not installed (apt install ffmpeg); pictures need "
        "no ffmpeg");
  if (failed != 0)
    return mote_io_fail(error, MOTE_ERROR_FILE, video->path, "ffmpeg cannot be started: %s",
                        strerror(failed));
  return MOTE_OK;
}

static size_t picture_bytes(const mote_video *video) {
  return 3 * (size_t)video->width * (size_t)video->height;
}

mote_result mote_video_begin(const char *path, int width, int height, double fps, const mote_env *env,
                             mote_video **out, mote_error *error) {
  if (out == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "out is null");
  MOTE_IO_TRY(check_video(path, width, height, fps, error));
  mote_env own = mote_io_env(env);
  mote_video *video = mote_io_new(&own, sizeof *video);
  if (video == NULL) return mote_io_fail_memory(error);
  *video = (mote_video){.env = own, .width = width, .height = height, .to = -1, .from = -1};
  snprintf(video->path, sizeof video->path, "%s", path);
  video->picture = mote_io_new(&own, picture_bytes(video));
  mote_result result = video->picture != NULL ? MOTE_OK : mote_io_fail_memory(error);
  if (result == MOTE_OK) result = mote_file_out_begin(path, false, &own, &video->file, error);
  if (result == MOTE_OK) result = start_ffmpeg(video, fps, error);
  if (result == MOTE_OK)
    *out = video;
  else
    mote_video_abandon(video);
  return result;
}

// On white where it is transparent: videos have no alpha.
static void flatten(const mote_image *image, uint8_t *out) {
  size_t pixels = (size_t)image->width * (size_t)image->height;
  for (size_t k = 0; k < pixels; ++k) {
    const uint8_t *p = image->pixel + 4 * k;
    for (int c = 0; c < 3; ++c)
      out[3 * k + (size_t)c] = (uint8_t)((p[c] * p[3] + 255 * (255 - p[3]) + 127) / 255);
  }
}

mote_result mote_video_add(mote_video *video, const mote_image *image, mote_error *error) {
  if (video == NULL || image == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the video or the picture is null");
  if (image->width != video->width || image->height != video->height)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, video->path,
                        "a picture of %d x %d pixels in a video of %d x %d", image->width, image->height,
                        video->width, video->height);
  if (video->child == 0) return fail_with_words(video, error);
  flatten(image, video->picture);
  ++video->pictures;
  if (send_all(video, video->picture, picture_bytes(video))) return MOTE_OK;
  finish(video);
  return fail_with_words(video, error);
}

mote_result mote_video_commit(mote_video *video, mote_error *error) {
  if (video == NULL) return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the video is null");
  mote_result result = MOTE_OK;
  if (video->pictures == 0)
    result = mote_io_fail(error, MOTE_ERROR_ARGUMENT, video->path, "a video without pictures");
  else if (video->child == 0 || !finish(video))
    result = fail_with_words(video, error);
  if (result == MOTE_OK) {
    result = mote_file_out_commit(video->file, error);
    video->file = NULL;
  }
  mote_video_abandon(video);
  return result;
}

void mote_video_abandon(mote_video *video) {
  if (video == NULL) return;
  if (video->child != 0) {
    (void)kill(video->child, SIGKILL);
    finish(video);
  }
  close_end(&video->to);
  close_end(&video->from);
  mote_file_out_abandon(video->file);
  mote_env env = video->env;
  mote_io_delete(&env, video->picture, picture_bytes(video));
  mote_io_delete(&env, video, sizeof *video);
}
