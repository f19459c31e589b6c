// Meshes that are bent, and what is measured of them: for the validation and the benchmark of deformations.
#ifndef MOTE_DEFORM_TRIAL_H
#define MOTE_DEFORM_TRIAL_H

#include <mote/mote.h>

// The boundary of those boxes between the lines of three axes for which `inside` is true; of all where it is
// null. False when memory is out.
typedef struct box_lines {
  const double *line[3];
  int cells[3];  // one less than lines
  bool (*inside)(int i, int j, int k);
} box_lines;
bool box_mesh_make(const box_lines *lines, mote_mesh *out);
void box_mesh_free(mote_mesh *mesh);

// The bar [0, 1] x [0, 1] x [0, 4], `cells` a unit: 18 cells^2 + 2 vertices.
bool bar_make(int cells, mote_mesh *out);

// A bar whose lower cap is fixed and whose upper cap is moved.
typedef enum bar_edit { BAR_STRETCH, BAR_COMPRESS, BAR_BEND, BAR_TWIST, BAR_EDITS } bar_edit;
extern const char *const bar_edit_name[BAR_EDITS];

typedef struct bar_trial {
  mote_mesh mesh;
  mote_deform *deform;
  mote_deform_handle fixed, moved;
  uint32_t *cap;  // vertices of the upper cap
  size_t caps;
  double *vertex, *normal;  // as read last
} bar_trial;

bool bar_trial_make(bar_trial *trial, int cells, const mote_deform_def *def, const mote_env *env,
                    mote_error *error);
void bar_trial_free(bar_trial *trial);
// The pose of the upper cap at the part s of the edit: length x 1.5, length x 0.6, an arc of 90 degrees,
// 180 degrees about the axis.
mote_pose bar_pose(bar_edit edit, double s);
// The farthest a vertex of the upper cap is from where it should be, in sizes.
double bar_trial_error(const bar_trial *trial, const mote_pose *pose);
// Relative change of the volume.
double bar_trial_volume(const bar_trial *trial);

void pose_identity(mote_pose *pose);
// Rotation about an axis, 0 to 2.
void pose_rotate(mote_pose *pose, int axis, double angle);
void pose_apply(const mote_pose *pose, const double x[3], double out[3]);

#endif
