// The progress bar of a run: see run_progress.h.
#define _POSIX_C_SOURCE 200809L
#include "run_progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR 24
#define PAUSE 0.1

double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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
  progress->colour = no_colour == NULL || no_colour[0] == '\0';
}

static void draw_bar(const run_progress *progress, double part) {
  int filled = (int)(part * BAR);
  fprintf(stderr, "\r%s", progress->colour ? "\033[36m" : "");
  for (int k = 0; k < BAR; ++k) fputs(k < filled ? "#" : "-", stderr);
  fprintf(stderr, "%s", progress->colour ? "\033[0m" : "");
}

void run_progress_step(run_progress *progress, const run_place *place) {
  progress->particle_steps += (double)place->particles;
  ++progress->steps;
  double now = wall_seconds(), elapsed = now - progress->begun;
  if (!progress->shown || now - progress->drawn < PAUSE) return;
  progress->drawn = now;
  double length = progress->last - progress->first, done = place->time - progress->first;
  double part = progress->last > 0 ? place->time / progress->last : 1;
  char left[32], rest[64] = "";
  if (done > 0 && elapsed > 1) {
    snprintf(rest, sizeof rest, ", %s left", print_duration(elapsed * (length - done) / done, left));
  }
  draw_bar(progress, part);
  fprintf(stderr, " %3.0f %%  frame %zu/%zu  t = %.4f s  %" PRIu64 " steps  %zu particles  %.2f M/s%s\033[K",
          100 * part, place->frame, progress->frames, place->time, place->steps, place->particles,
          1e-6 * progress->particle_steps / elapsed, rest);
  fflush(stderr);
}

void run_progress_clear(run_progress *progress) {
  if (progress->shown && progress->drawn > 0) fputs("\r\033[K", stderr);
  progress->drawn = 0;
}
