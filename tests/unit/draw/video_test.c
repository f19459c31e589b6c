// Videos: what goes in comes out (decoded by ffmpeg again), a missing or failing ffmpeg is told and leaves
// what was there, nothing is left beside, nobody waits forever.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <mote/render.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stingy.h"
#include "test.h"

#define WIDTH 33
#define HEIGHT 19
#define FRAMES 5

static char *usual_path;

static mote_image *plain(int width, int height, mote_colour colour) {
  mote_image *image = NULL;
  if (mote_image_create(width, height, NULL, &image, NULL) != MOTE_OK) abort();
  mote_image_fill(image, colour);
  return image;
}

static mote_colour tone(int k) {
  return (mote_colour){(uint8_t)(40 * k + 20), (uint8_t)(220 - 40 * k), 90, 255};
}

static mote_result shoot(const char *path, mote_error *error) {
  mote_video *video = NULL;
  mote_result result = mote_video_begin(path, WIDTH, HEIGHT, 12.5, NULL, &video, error);
  for (int k = 0; k < FRAMES && result == MOTE_OK; ++k) {
    mote_image *image = plain(WIDTH, HEIGHT, tone(k));
    result = mote_video_add(video, image, error);
    mote_image_destroy(image);
  }
  if (video == NULL) return result;
  if (result == MOTE_OK) return mote_video_commit(video, error);
  mote_video_abandon(video);
  return result;
}

static bool exists(const char *path) {
  return access(path, F_OK) == 0;
}

static long size_of(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

// The video as raw pixels again, and how far the middles of its frames are from what was given.
static void check_video(const char *path, int width, int height, int tolerance) {
  char command[256];
  mote_error error = {0};
  if (!CHECK(shoot(path, &error) == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
  snprintf(command, sizeof command,
           "ffmpeg -v error -nostdin -y -i %s -f rawvideo -pix_fmt rgb24 -fps_mode passthrough back.raw",
           path);
  CHECK(system(command) == 0);
  CHECK(size_of("back.raw") == 3L * width * height * FRAMES);
  FILE *file = fopen("back.raw", "rb");
  int worst = 0;
  for (int k = 0; k < FRAMES && file != NULL; ++k) {
    uint8_t pixel[3];
    mote_colour given = tone(k);
    fseek(file, 3L * (width * height * k + width * (HEIGHT / 2) + WIDTH / 2), SEEK_SET);
    if (fread(pixel, 1, 3, file) != 3) worst = 255;
    int off[] = {abs(pixel[0] - given.red), abs(pixel[1] - given.green), abs(pixel[2] - given.blue)};
    for (int c = 0; c < 3; ++c) worst = off[c] > worst ? off[c] : worst;
  }
  if (file != NULL) fclose(file);
  if (!CHECK(worst <= tolerance)) fprintf(stderr, "  %s is off by %d\n", path, worst);
  snprintf(command, sizeof command, "%s.part", path);
  CHECK(!exists(command));
}

// H.264 and VP9 hold 8-bit luma and chroma of limited range: about 2 of 255 are lost by rounding alone, the
// rest by quantisation. Odd sides are padded.
static void what_goes_in_comes_out(void) {
  check_video("video.mp4", WIDTH + 1, HEIGHT + 1, 8);
  check_video("video.gif", WIDTH, HEIGHT, 2);
  check_video("video.webm", WIDTH + 1, HEIGHT + 1, 8);
}

static void nonsense_is_refused(void) {
  mote_video *video = NULL;
  mote_error error;
  mote_image *image = plain(WIDTH, HEIGHT, tone(0)), *other = plain(WIDTH + 1, HEIGHT, tone(0));
  CHECK(mote_video_begin(NULL, 4, 4, 24, NULL, &video, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_begin("video.avi", 4, 4, 24, NULL, &video, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.text, ".mp4") != NULL);
  CHECK(mote_video_begin("video.mp4", 0, 4, 24, NULL, &video, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_begin("video.mp4", 4, 4, 0, NULL, &video, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_begin("video.mp4", 4, 4, (double)NAN, NULL, &video, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_begin("video.mp4", 4, 4, 24, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_begin("no/folder/video.mp4", 4, 4, 24, NULL, &video, &error) == MOTE_ERROR_FILE);
  CHECK(strstr(error.text, "No such file") != NULL && video == NULL);
  long before = size_of("video.mp4");
  CHECK(mote_video_begin("video.mp4", WIDTH, HEIGHT, 24, NULL, &video, &error) == MOTE_OK);
  CHECK(mote_video_add(video, other, &error) == MOTE_ERROR_ARGUMENT && strstr(error.text, "34 x 19") != NULL);
  CHECK(mote_video_add(video, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_commit(video, &error) == MOTE_ERROR_ARGUMENT &&
        strstr(error.text, "without pictures") != NULL);
  CHECK(size_of("video.mp4") == before && !exists("video.mp4.part"));
  CHECK(mote_video_add(NULL, image, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_video_commit(NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_video_abandon(NULL);
  mote_image_destroy(image);
  mote_image_destroy(other);
}

// From now on "ffmpeg" is this script, or nothing.
static void replace_ffmpeg(const char *script) {
  if (script != NULL) {
    write_text("bin/ffmpeg", script);
    chmod("bin/ffmpeg", 0755);
  }
  setenv("PATH", script != NULL ? "bin" : "/nowhere", 1);
}

static void a_missing_ffmpeg_is_told(void) {
  mote_error error = {0};
  write_text("old.mp4", "old");
  replace_ffmpeg(NULL);
  CHECK(shoot("old.mp4", &error) == MOTE_ERROR_FILE);
  CHECK(strstr(error.text, "apt install ffmpeg") != NULL && strcmp(error.file, "old.mp4") == 0);
  CHECK(size_of("old.mp4") == 3 && !exists("old.mp4.part"));
  setenv("PATH", usual_path, 1);
}

// More words than any pipe holds, then the end: no deadlock, no SIGPIPE (whose default is left in place), and
// the last words are kept.
static void a_failing_ffmpeg_is_told(void) {
  mote_error error = {0};
  write_text("old.mp4", "old");
  replace_ffmpeg(
      "#!/bin/sh\nk=0\nwhile [ $k -lt 20000 ]; do echo 'many words nobody reads' >&2; k=$((k+1)); done\n"
      "echo 'no such codec' >&2\necho 'giving up' >&2\nexit 1\n");
  signal(SIGPIPE, SIG_DFL);
  CHECK(shoot("old.mp4", &error) == MOTE_ERROR_FILE);
  CHECK(strstr(error.text, "no such codec;giving up") != NULL && strchr(error.text, '\n') == NULL);
  replace_ffmpeg("#!/bin/sh\nexec 0<&-\nexit 0\n");  // reads nothing, and is content
  mote_video *video = NULL;
  mote_image *image = plain(1000, 1000, tone(0));
  CHECK(mote_video_begin("old.mp4", 1000, 1000, 24, NULL, &video, &error) == MOTE_OK);
  CHECK(mote_video_add(video, image, &error) == MOTE_ERROR_FILE);
  CHECK(mote_video_add(video, image, &error) == MOTE_ERROR_FILE);
  CHECK(mote_video_commit(video, &error) == MOTE_ERROR_FILE &&
        strstr(error.text, "without a message") != NULL);
  mote_image_destroy(image);
  CHECK(size_of("old.mp4") == 3 && !exists("old.mp4.part"));
  setenv("PATH", usual_path, 1);
}

// Abandoning ends a program that would not end by itself.
static void abandoned_videos_leave_nothing(void) {
  mote_video *video = NULL;
  replace_ffmpeg("#!/bin/sh\nexec /bin/sleep 600\n");
  CHECK(mote_video_begin("new.mp4", 8, 8, 24, NULL, &video, NULL) == MOTE_OK);
  alarm(60);
  mote_video_abandon(video);
  alarm(0);
  CHECK(!exists("new.mp4") && !exists("new.mp4.part"));
  setenv("PATH", usual_path, 1);
}

static void short_memory_is_told(void) {
  replace_ffmpeg("#!/bin/sh\nexec /bin/cat >/dev/null\n");
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; granted < 20 && result != MOTE_OK; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_video *video = NULL;
    result = mote_video_begin("memory.mp4", 8, 8, 24, &env, &video, NULL);
    CHECK(result == (granted < 3 ? MOTE_ERROR_MEMORY : MOTE_OK));
    mote_video_abandon(video);
    CHECK(s.held == 0);
  }
  setenv("PATH", usual_path, 1);
}

int main(void) {
  char folder[] = "/tmp/mote-video-XXXXXX", command[96];
  usual_path = strdup(getenv("PATH"));
  if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("bin", 0777) != 0) return 1;
  what_goes_in_comes_out();
  nonsense_is_refused();
  a_missing_ffmpeg_is_told();
  a_failing_ffmpeg_is_told();
  abandoned_videos_leave_nothing();
  short_memory_is_told();
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  free(usual_path);
  return test_end();
}
