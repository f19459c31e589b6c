// Scenes as users name them: a file, or a built-in example.
#ifndef MOTE_SCENE_OPEN_H
#define MOTE_SCENE_OPEN_H

#include <mote/io.h>

// A scene that is part of the program: scenes/NAME.yaml.
typedef struct example {
  const char *name;
  const unsigned char *text;
  size_t size;
} example;

extern const example examples[];         // ends with a null name
extern const example deform_examples[];  // EDITS and KEYS: scenes/deform/NAME.yaml
extern const example figure_scenes[];    // of figures: apps/figures/NAME.yaml
const example *find_example(const char *name);

// Reads and checks the scene; lists its errors.
mote_result scene_find_all(const char *word, const char *const *set, size_t sets, const mote_env *env,
                           mote_scene_file **out, mote_error_list *errors);
// The same with the first error.
mote_result scene_find(const char *word, const char *const *set, size_t sets, const mote_env *env,
                       mote_scene_file **out, mote_error *error);
// The same. Complains of all errors; gives the exit status.
int scene_open(const char *word, const char *const *set, size_t sets, const mote_env *env,
               mote_scene_file **out);

// The material of this name, null where there is none.
const mote_material_def *scene_material(const mote_scene *scene, const char *name);

// Whether the scene has particles of fluids, or may get some: by emitters, or as lattices melt.
bool scene_flows(const mote_scene *scene);

// A line for each error that is listed, and one that says how many there are besides; gives the exit status.
int complain_errors(const mote_error_list *errors);

// Complains about an error of something made of the scene, with the place in the file where it is known.
int complain_scene(const mote_scene_file *file, mote_error *error);

#endif
