// The files of a run's lattice particles: lattice.0001.vtp ... in every format asked for, and lattice.pvd.
#ifndef MOTE_RUN_LATTICES_H
#define MOTE_RUN_LATTICES_H

#include "cli/run/run_frames.h"

typedef struct run_lattices {
  const run_directory *directory;
  const mote_outputs_def *outputs;
  uint64_t scene_hash;
  bool skins;  // some body has one, which files carry by lattice_frame
  bool any;    // the scene has a material of that model
  run_list list;
  double *strain, *open;
  uint32_t *neighbours;
  size_t capacity;
} run_lattices;

bool run_lattices_open(run_lattices *lattices, const run_directory *directory, const mote_scene *scene,
                       uint64_t scene_hash, size_t frame);
void run_lattices_close(run_lattices *lattices);

// Whether the files of this world's lattice particles can have a field of that name.
bool run_lattices_has(const mote_world *world, const char *name);

// Writes the files of the frame and the list; nothing where there is no lattice. False after a complaint.
bool run_lattices_write(run_lattices *lattices, const mote_world *world, size_t frame);

#endif
