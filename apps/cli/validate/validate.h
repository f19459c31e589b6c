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

// The cases, one table a file, each ending with a null name.
extern const validation_case validate_sph_cases[], validate_mls_cases[], validate_coefficient_cases[],
    validate_world_cases[], validate_surface_cases[], validate_thin_cases[], validate_settled_cases[],
    validate_figure_cases[], validate_flow_cases[], validate_cavity_cases[], validate_free_cases[],
    validate_floating_cases[], validate_tension_cases[], validate_rigid_cases[], validate_steps_cases[],
    validate_mixture_cases[], validate_des96_cases[], validate_solid_cases[], validate_solid_beam_cases[],
    validate_solid_kept_cases[], validate_solid_coupled_cases[], validate_rigid_rest_cases[],
    validate_solid_compression_cases[], validate_solid_punch_cases[], validate_water_cases[],
    validate_rigid_exact_cases[], validate_solid_fold_cases[], validate_solid_load_cases[],
    validate_shape_cases[], validate_shape_motion_cases[], validate_volume_cases[], validate_tracking_cases[],
    validate_track_particle_cases[], validate_track_wave_cases[], validate_track_topology_cases[];

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
