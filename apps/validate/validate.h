// Validation: cases that measure something and hold it against a published or exact value.
#ifndef MOTE_VALIDATE_H
#define MOTE_VALIDATE_H

#include <mote/base.h>

typedef struct validation validation;

// How a value is held against its reference.
typedef enum measure_kind {
  MEASURE_NEAR,      // |value - reference| <= tolerance
  MEASURE_AT_LEAST,  // value >= reference - tolerance
  MEASURE_SHOWN,     // reported, not judged (tolerance is not read)
} measure_kind;

typedef struct measure {
  const char *name;  // what was measured, e.g. "gradient order, 2D, degree 1"
  measure_kind kind;
  double value, reference, tolerance;
  const char *source;  // "EG09 (8)", "exact", ...
} measure;

// One case: a name, the group that `mote validate GROUP` asks for, and what it does.
typedef struct validation_case {
  const char *name, *group, *summary;
  void (*run)(validation *);
} validation_case;

// The tables of cases, in the order in which they run: one a file, each ending with a null name.
// clang-format off
#define VALIDATION_TABLES(T) \
  T(validate_sph_cases) \
  T(validate_mls_cases) \
  T(validate_coefficient_cases) \
  T(validate_world_cases) \
  T(validate_surface_cases) \
  T(validate_thin_cases) \
  T(validate_settled_cases) \
  T(validate_volume_cases) \
  T(validate_figure_cases) \
  T(validate_water_cases) \
  T(validate_flow_cases) \
  T(validate_cavity_cases) \
  T(validate_free_cases) \
  T(validate_floating_cases) \
  T(validate_tension_cases) \
  T(validate_rigid_cases) \
  T(validate_steps_cases) \
  T(validate_mixture_cases) \
  T(validate_des96_cases) \
  T(validate_solid_cases) \
  T(validate_solid_beam_cases) \
  T(validate_solid_kept_cases) \
  T(validate_solid_coupled_cases) \
  T(validate_rigid_rest_cases) \
  T(validate_rigid_exact_cases) \
  T(validate_solid_compression_cases) \
  T(validate_solid_punch_cases) \
  T(validate_solid_fold_cases) \
  T(validate_solid_load_cases) \
  T(validate_fracture_cases) \
  T(validate_fracture_path_cases) \
  T(validate_fracture_world_cases) \
  T(validate_fracture_weight_cases) \
  T(validate_fracture_split_cases) \
  T(validate_lattice_cases) \
  T(validate_lattice_bar_cases) \
  T(validate_lattice_change_cases) \
  T(validate_heat_cases) \
  T(validate_fragment_cases) \
  T(validate_shape_cases) \
  T(validate_shape_motion_cases) \
  T(validate_shape_paths_cases) \
  T(validate_tracking_cases) \
  T(validate_track_particle_cases) \
  T(validate_track_wave_cases) \
  T(validate_track_tension_cases) \
  T(validate_track_thread_cases) \
  T(validate_track_topology_cases) \
  T(validate_track_scene_cases) \
  T(validate_track_colour_cases)
// clang-format on
#define VALIDATION_DECLARE(table) extern const validation_case table[];
VALIDATION_TABLES(VALIDATION_DECLARE)

void validation_report(validation *v, const measure *m);
// Reports that the case could not be finished: it fails.
void validation_error(validation *v, const mote_error *error);
// Reports that the case measures nothing this time, and why. A case that neither measures nor says this
// fails.
void validation_skip(validation *v, const char *why);
// Shorter sets where that still tests the same.
bool validation_quick(const validation *v);
// Published resolutions and long cases as well.
bool validation_release(const validation *v);
// The environment to compute in.
const mote_env *validation_env(const validation *v);
// Writes "DIR/name" to path when plots are asked for (mote validate -o DIR), else returns false.
bool validation_plot_path(const validation *v, const char *name, char *path, size_t size);

#endif
