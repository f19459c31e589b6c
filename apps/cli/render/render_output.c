// Where the pictures of a render go: see render_output.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/render/render_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/files/sequence.h"

static bool is_video(const char *path) {
  return input_ends(path, "mp4") || input_ends(path, "gif") || input_ends(path, "webm");
}

static bool is_directory(const char *path) {
  struct stat about;
  const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
  if (stat(path, &about) == 0) return S_ISDIR(about.st_mode);
  return base[0] == '\0' || strchr(base, '.') == NULL;
}

static int check_output(const char *path, const render_options *o) {
  return output_check(path, o->overwrite, "--overwrite replaces it, -o chooses another name");
}

int render_output_plan(render_output *output, const render_options *o, const mote_env *env) {
  *output = (render_output){
      .options = o, .env = *env, .goal = o->contact_sheet > 0 ? GOAL_CONTACT_SHEET : GOAL_PICTURE};
  const char *path = o->output;
  if (path == NULL) return EXIT_DONE;
  if (path[0] == '\0' || strlen(path) > PATH_CAPACITY - 64) {
    complain("-o needs the name of a file or a directory");
    return EXIT_USAGE;
  }
  snprintf(output->path, sizeof output->path, "%s", path);
  if (is_video(path)) {
    output->goal = GOAL_VIDEO;
  } else if (sequence_is_pattern(path) && input_ends(path, "png")) {
    output->goal = GOAL_PICTURES;
  } else if (is_directory(path)) {
    size_t length = strlen(path);
    output->goal = GOAL_PICTURES;
    snprintf(output->path, sizeof output->path, "%s%srender.%%04d.png", path,
             path[length - 1] == '/' ? "" : "/");
  } else if (!input_ends(path, "png")) {
    complain(
        "%s: pictures end in .png, videos in .mp4, .gif or .webm; a name without extension is a directory of "
        "pictures",
        path);
    return EXIT_USAGE;
  }
  return output->goal == GOAL_PICTURES ? EXIT_DONE : check_output(path, o);
}

// A video where there are several frames, else a picture, here and named after the input.
static int name_output(render_output *output, const render_shots *shots, size_t frames) {
  bool video = output->goal != GOAL_CONTACT_SHEET && frames > 1;
  snprintf(output->path, sizeof output->path, "%s%s", shots->name,
           video                                ? ".mp4"
           : output->goal == GOAL_CONTACT_SHEET ? "-sheet.png"
                                                : ".png");
  if (video) output->goal = GOAL_VIDEO;
  return check_output(output->path, output->options);
}

// NAME-sheet.png beside NAME.mp4; sheet.png among pictures.
static int name_contact_sheet(render_output *output) {
  APP_ASSERT(output->path[0] != '\0' && output->options->contact_sheet > 0);
  const char *slash = strrchr(output->path, '/'), *dot = strrchr(output->path, '.');
  int folder = slash != NULL ? (int)(slash - output->path) + 1 : 0;
  if (output->goal == GOAL_VIDEO)
    snprintf(output->contact_sheet, sizeof output->contact_sheet, "%.*s-sheet.png", (int)(dot - output->path),
             output->path);
  else
    snprintf(output->contact_sheet, sizeof output->contact_sheet, "%.*ssheet.png", folder, output->path);
  return check_output(output->contact_sheet, output->options);
}

static int check_pictures(const render_output *output, const render_shots *shots, size_t frames) {
  APP_ASSERT(output->goal == GOAL_PICTURES);
  const render_options *o = output->options;
  int status = EXIT_DONE;
  for (size_t k = 0; k < frames && status == EXIT_DONE; ++k) {
    char *path = sequence_name(output->path, o->turntable > 0 ? (long)k + 1 : shots->shot[k].number);
    status = output_check(path, o->overwrite || o->resume,
                          "--resume keeps it and continues, --overwrite replaces it");
    free(path);
  }
  return status;
}

int render_output_name(render_output *output, render_shots *shots) {
  APP_ASSERT(shots->count > 0);
  const render_options *o = output->options;
  if (o->turntable > 0 && shots->count > 1) render_shots_thin(shots, 1);
  size_t frames = o->turntable > 0 ? (size_t)o->turntable : shots->count;
  int status = EXIT_DONE;
  if (output->path[0] == '\0') status = name_output(output, shots, frames);
  if (status != EXIT_DONE) return status;
  if (output->goal == GOAL_PICTURE) render_shots_thin(shots, 1);
  if (output->goal == GOAL_CONTACT_SHEET && o->turntable == 0)
    render_shots_thin(shots, (size_t)o->contact_sheet);
  if (output->goal == GOAL_CONTACT_SHEET)
    snprintf(output->contact_sheet, sizeof output->contact_sheet, "%s", output->path);
  output->frames = output->goal == GOAL_PICTURE ? 1 : o->turntable > 0 ? frames : shots->count;
  if (o->contact_sheet > 0 && output->goal != GOAL_CONTACT_SHEET) status = name_contact_sheet(output);
  if (status == EXIT_DONE && output->goal == GOAL_PICTURES)
    status = check_pictures(output, shots, output->frames);
  if (o->contact_sheet > 0) output->kept = input_take((size_t)o->contact_sheet, sizeof *output->kept);
  double every = shots->scene != NULL ? shots->scene->fps / shots->scene->outputs.every : 24;
  output->fps = o->fps > 0 ? o->fps : o->turntable > 0 ? 24 : every;
  return status;
}

int render_output_begin(render_output *output) {
  const render_options *o = output->options;
  mote_error error;
  if (output->goal != GOAL_VIDEO) return EXIT_DONE;
  mote_result result =
      mote_video_begin(output->path, o->width, o->height, output->fps, &output->env, &output->video, &error);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

bool render_output_has(const render_output *output, long number) {
  if (output->goal != GOAL_PICTURES || !output->options->resume || output->contact_sheet[0] != '\0')
    return false;
  char *path = sequence_name(output->path, number);
  bool there = access(path, F_OK) == 0;
  free(path);
  return there;
}

// --- Taking pictures ---

// Whether the picture is one of those, evenly chosen, that the sheet shows.
static bool is_kept(const render_output *output) {
  size_t wanted = (size_t)output->options->contact_sheet, frames = output->frames, next = output->keeps;
  if (output->contact_sheet[0] == '\0' || next >= wanted) return false;
  if (frames <= wanted || wanted == 1) return true;
  return output->added == (next * (frames - 1) + (wanted - 1) / 2) / (wanted - 1);
}

int render_output_add(render_output *output, mote_image *image, long number) {
  APP_ASSERT(image != NULL && output->path[0] != '\0');
  mote_error error;
  mote_result result = MOTE_OK;
  if (output->goal == GOAL_VIDEO) {
    result = mote_video_add(output->video, image, &error);
  } else if (output->goal == GOAL_PICTURE) {
    result = mote_image_write(image, output->path, &error);
  } else if (output->goal == GOAL_PICTURES) {
    char *path = sequence_name(output->path, number);
    result = mote_image_write(image, path, &error);
    free(path);
  }
  bool kept = is_kept(output);
  ++output->added;
  APP_ASSERT(!kept || output->kept != NULL);
  if (kept)
    output->kept[output->keeps++] = image;
  else
    mote_image_destroy(image);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

// --- The end ---

static int columns_of(size_t count) {
  int columns = 1;
  while ((size_t)columns * (size_t)columns < count) ++columns;
  return count == 2 ? 2 : columns;
}

static mote_result write_contact_sheet(const render_output *output, mote_error *error) {
  APP_ASSERT(output->keeps > 0 && output->keeps <= (size_t)output->options->contact_sheet);
  mote_image *image;
  mote_result result = mote_image_contact_sheet(output->kept, output->keeps, columns_of(output->keeps),
                                                &output->env, &image, error);
  if (result != MOTE_OK) return result;
  result = mote_image_write(image, output->contact_sheet, error);
  mote_image_destroy(image);
  return result;
}

int render_output_close(render_output *output) {
  mote_error error;
  mote_result result = MOTE_OK;
  bool talk = !output->options->json && output->added > 0;
  if (output->video != NULL && output->added > 0) {
    result = mote_video_commit(output->video, &error);
    output->video = NULL;
  }
  if (result == MOTE_OK && talk && output->goal != GOAL_CONTACT_SHEET) {
    printf("wrote %s", output->path);
    if (output->goal != GOAL_PICTURE) printf(": %zu picture%s", output->added, output->added == 1 ? "" : "s");
    printf("\n");
  }
  if (result == MOTE_OK && output->keeps > 0) {
    result = write_contact_sheet(output, &error);
    if (result == MOTE_OK && talk)
      printf("wrote %s: a contact sheet of %zu\n", output->contact_sheet, output->keeps);
  }
  render_output_abandon(output);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

void render_output_abandon(render_output *output) {
  mote_video_abandon(output->video);
  for (size_t k = 0; k < output->keeps; ++k) mote_image_destroy(output->kept[k]);
  free(output->kept);
  output->video = NULL, output->kept = NULL, output->keeps = 0;
}
