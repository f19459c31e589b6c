// What the commands about files share: what a file is, its particles whatever the format, values as numbers,
// text in JSON.
#ifndef MOTE_INPUT_FILE_H
#define MOTE_INPUT_FILE_H

#include <mote/io.h>
#include <mote/snapshot.h>

typedef enum input_kind {
  INPUT_UNKNOWN,
  INPUT_PARTICLES,
  INPUT_MESH,
  INPUT_SNAPSHOT,
  INPUT_SCENE,
  INPUT_PICTURE,
  INPUT_RUN,       // a directory
  INPUT_TABLE,     // of a run: csv without positions
  INPUT_GRID,      // vti
  INPUT_SERIES,    // pvd
  INPUT_REPORT,    // run.json
  INPUT_DRAWING,   // svg
  INPUT_VIDEO,     // mp4, gif, webm
  INPUT_COMMANDS,  // jsonl
} input_kind;

#define INPUT_PATH 4096

// By the ending; PLY, VTP and VTK files by what they say of themselves. Complains where there is no such
// file.
input_kind input_kind_of(const char *path);
const char *input_kind_name(input_kind kind);
// Whether the path ends in "." and this, in capitals or not; a .gz behind it does not count.
bool input_ends(const char *path, const char *ending);
// Whether both are there and the same file.
bool input_same(const char *a, const char *b);
// What a writer would make of the path: particles or a mesh.
bool input_writes_particles(const char *path);
bool input_writes_mesh(const char *path);

// A snapshot, or the latest one of a run's directory. Complains; gives the exit status.
int input_snapshot(const char *path, const mote_env *env, mote_snapshot **out);

// Particles of any file that has some. The cloud's fields are the snapshot's where there is one.
typedef struct input_particles {
  mote_cloud cloud;
  mote_snapshot *snapshot;
} input_particles;

int input_open(const char *path, const mote_env *env, input_particles *out);
void input_close(input_particles *input, const mote_env *env);

// Component k, counted through all rows, as a number.
double input_value(const mote_field_view *view, size_t k);
// Of row i; vectors by their length.
double input_size(const mote_field_view *view, size_t i);

// Ascending.
void sort_numbers(double *number, size_t count);

// Cleared memory; ends the program where there is none.
void *input_take(size_t count, size_t size);

// On stdout: text in quotes, and a number or null where it is not finite.
void put_json_text(const char *text);
void put_json_number(double value);

#endif
