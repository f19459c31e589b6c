// The progress bar of a run: see run_progress.h.
#define _DEFAULT_SOURCE  // for the width of the terminal
#include "cli/base/run_progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

#define REDRAW_PAUSE 0.1

double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *print_particles(size_t particles, size_t elastic, char out[96]) {
  if (elastic == 0) {
    snprintf(out, 96, "%zu particles", particles);
  } else if (particles == 0) {
    snprintf(out, 96, "%zu elastic particles", elastic);
  } else {
    snprintf(out, 96, "%zu particles and %zu elastic ones", particles, elastic);
  }
  return out;
}

const char *print_duration(double seconds, char out[32]) {
  if (!(seconds < 1e9)) {
    snprintf(out, 32, "?");
  } else if (seconds < 9.95) {
    snprintf(out, 32, "%.1f s", seconds);
  } else if (seconds < 60) {
    snprintf(out, 32, "%.0f s", seconds);
  } else if (seconds < 3600) {
    snprintf(out, 32, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
  } else {
    snprintf(out, 32, "%ld h %02ld min", (long)seconds / 3600, (long)seconds / 60 % 60);
  }
  return out;
}

void run_progress_begin(run_progress *progress, bool quiet, double first, double last, size_t frames) {
  const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
  *progress = (run_progress){.begun = wall_seconds(), .first = first, .last = last, .frames = frames};
  progress->shown = !quiet && isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
  progress->logged = !quiet && !isatty(STDOUT_FILENO);
  progress->colour = no_colour == NULL || no_colour[0] == '\0';
}

static int terminal_width(void) {
  struct winsize size;
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

size_t run_progress_fit(const char *text, size_t columns) {
  size_t fits = strlen(text);
  while (fits > columns) {
    do --fits;
    while (fits > 0 && strncmp(text + fits, ", ", 2) != 0);
  }
  return fits;
}

// The bar, and as many parts of the text as the line has room for.
static void draw_line(const run_progress *progress, double part, const char *text) {
  int width = terminal_width(), bar = width < 120 ? 10 : 24, filled = (int)(part * bar);
  fprintf(stderr, "\r%s", progress->colour ? "\033[36m" : "");
  for (int k = 0; k < bar; ++k) fputs(k < filled ? "#" : "-", stderr);
  size_t columns = width > bar + 1 ? (size_t)(width - bar - 1) : 0;
  fprintf(stderr, "%s%.*s\033[K", progress->colour ? "\033[0m" : "", (int)run_progress_fit(text, columns),
          text);
  fflush(stderr);
  bar_on_line = true;
}

void run_progress_show(run_progress *progress, double part, const char *what) {
  double now = wall_seconds(), elapsed = now - progress->begun;
  if (!progress->shown || now - progress->drawn < REDRAW_PAUSE) return;
  progress->drawn = now;
  char text[256], left[32] = "?";
  if (part > 0 && elapsed > 1) print_duration(elapsed * (1 - part) / part, left);
  snprintf(text, sizeof text, " %3.0f %%, %s left, %s", 100 * part, left, what);
  draw_line(progress, part, text);
}

void run_progress_step(run_progress *progress, const run_place *place) {
  APP_ASSERT(place->frame <= progress->frames);
  progress->particle_steps += (double)(place->particles + place->elastic);
  ++progress->steps;
  double now = wall_seconds(), elapsed = now - progress->begun;
  if (!progress->shown || now - progress->drawn < REDRAW_PAUSE) return;
  progress->drawn = now;
  double length = progress->last - progress->first, done = place->time - progress->first;
  double part = progress->last > 0 ? place->time / progress->last : 1;
  char text[256], particles[96], left[32] = "?";
  print_particles(place->particles, place->elastic, particles);
  if (done > 0 && elapsed > 1) print_duration(elapsed * (length - done) / done, left);
  snprintf(text, sizeof text, " %3.0f %%, %s left, frame %zu/%zu, %.4f s, %s, %.2f M/s, %" PRIu64 " steps",
           100 * part, left, place->frame, progress->frames, place->time, particles,
           1e-6 * progress->particle_steps / elapsed, place->steps);
  draw_line(progress, part, text);
}
