// What the page calls, compiled to WebAssembly with libmote: a world made of a scene's text, stepped to the
// frames of the scene, steered by lines of JSON as in files of commands, and read as floats. One world at a
// time; pointers that are returned are valid until the next call. On the public API only.
#include <emscripten.h>
#include <inttypes.h>
#include <math.h>
#include <mote/io.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST 65536  // of messages and names

static mote_scene_file *file;
static mote_world *world;
static size_t frame;  // that steps go to
static char text[TEXT_MOST];
static void *buffer;  // of the last numbers read
static size_t capacity;

// --- Messages -----------------------------------------------------------------------------------------

// As the tool writes them, a line each.
static void add_message(const mote_error *error) {
  size_t used = strlen(text);
  if (error->file[0] != '\0' && error->line > 0) {
    snprintf(text + used, sizeof text - used, "mote: %s:%d:%d: %s\n", error->file, error->line, error->column,
             error->text);
  } else {
    snprintf(text + used, sizeof text - used, "mote: %s%s%s\n", error->file,
             error->file[0] != '\0' ? ": " : "", error->text);
  }
}

static int fail(mote_error *error) {
  text[0] = '\0';
  if (file != NULL && error->file[0] == '\0') mote_scene_file_locate(file, error);
  add_message(error);
  return 1;
}

static int fail_all(const mote_error_list *errors) {
  text[0] = '\0';
  for (size_t k = 0; k < errors->count && k < MOTE_ERRORS_LISTED; ++k) add_message(&errors->error[k]);
  size_t more = errors->count > MOTE_ERRORS_LISTED ? errors->count - MOTE_ERRORS_LISTED : 0,
         used = strlen(text);
  if (more > 0)
    snprintf(text + used, sizeof text - used, "mote: %zu more error%s\n", more, more == 1 ? "" : "s");
  return 1;
}

EMSCRIPTEN_KEEPALIVE const char *web_message(void) {
  return text;
}

// --- A world ------------------------------------------------------------------------------------------

static void forget_colours(void);
static void forget_skins(void);
EMSCRIPTEN_KEEPALIVE void web_close(void) {
  forget_colours(), forget_skins();
  mote_world_destroy(world), world = NULL;
  mote_scene_file_destroy(file), file = NULL;
}

static const mote_scene *scene(void) {
  return mote_scene_file_scene(file);
}

// Reads and checks a scene; without a text that of the file. `sets`: lines "a.b=c". 0: done; 1: web_message
// says why not.
EMSCRIPTEN_KEEPALIVE int web_read(const char *yaml, const char *name, char *sets) {
  const char *set[64];
  size_t count = 0;
  mote_error_list errors = {0};
  web_close();
  for (char *line = strtok(sets, "\n"); line != NULL && count < 64; line = strtok(NULL, "\n"))
    set[count++] = line;
  mote_scene_source source = {
      .path = name, .text = yaml, .size = yaml != NULL ? strlen(yaml) : 0, .set = set, .sets = count};
  return mote_scene_open(&source, NULL, &file, &errors) == MOTE_OK ? 0 : fail_all(&errors);
}

// And makes its world.
EMSCRIPTEN_KEEPALIVE int web_open(const char *yaml, const char *name, char *sets, int threads) {
  mote_error error = {0};
  mote_env env = mote_env_default();
  env.threads = threads;
  if (web_read(yaml, name, sets) != 0) return 1;
  if (mote_world_create_scene(scene(), &env, &world, &error) != MOTE_OK) return fail(&error);
  frame = 2;
  return 0;
}

// One step towards the end of the frame. 1: that has come; 0: not yet; -1: it failed.
EMSCRIPTEN_KEEPALIVE int web_step(void) {
  mote_error error = {0};
  double until = mote_scene_frame_time(scene(), frame);
  if (mote_world_step(world, until, &error) != MOTE_OK) return -fail(&error);
  if (mote_world_time(world) < until) return 0;
  ++frame;
  return 1;
}

// Lines of JSON as in files of commands (docs/steering.md), executed now, whatever their steps and times are.
EMSCRIPTEN_KEEPALIVE int web_command(const char *lines) {
  mote_command_file *commands = NULL;
  mote_error error = {0};
  size_t count;
  if (mote_commands_parse(lines, strlen(lines), "command", NULL, &commands, &error) != MOTE_OK)
    return fail(&error);
  const mote_command *command = mote_command_file_commands(commands, &count);
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < count && result == MOTE_OK; ++k) {
    result = mote_world_command(world, &command[k], &error);
    if (result != MOTE_OK) mote_command_file_locate(commands, k, &error);
  }
  mote_command_file_destroy(commands);
  return result == MOTE_OK ? 0 : fail(&error);
}

// Writes the executed commands as a file of commands, in the module's files.
EMSCRIPTEN_KEEPALIVE int web_record(const char *path) {
  mote_error error = {0};
  return mote_commands_write_world(world, path, &error) == MOTE_OK ? 0 : fail(&error);
}

// --- Numbers ------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE double web_time(void) {
  return mote_world_time(world);
}

EMSCRIPTEN_KEEPALIVE double web_steps(void) {
  return (double)mote_world_steps(world);
}

// Duration, frames a second, spacing, dimensions, and the box of the domain, low and high.
EMSCRIPTEN_KEEPALIVE double web_scene(int k) {
  const mote_world_def *def = &scene()->world;
  const double value[10] = {scene()->duration, scene()->fps, def->spacing, def->dimensions, def->low[0],
                            def->low[1],       def->low[2],  def->high[0], def->high[1],    def->high[2]};
  return k >= 0 && k < 10 ? value[k] : (double)NAN;
}

EMSCRIPTEN_KEEPALIVE const char *web_hash(void) {
  snprintf(text, sizeof text, "%016" PRIx64, mote_world_hash(world));
  return text;
}

// What `mote run` prints at the end of a frame, as web_message.
EMSCRIPTEN_KEEPALIVE int web_frame_hash(void) {
  mote_error error = {0};
  uint64_t hash;
  if (mote_world_frame_hash(world, &hash, &error) != MOTE_OK) return fail(&error);
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  return 0;
}

EMSCRIPTEN_KEEPALIVE const char *web_title(void) {
  snprintf(text, sizeof text, "%s", scene()->title != NULL ? scene()->title : "");
  return text;
}

static float *numbers(size_t count) {
  if (count * sizeof(float) <= capacity) return buffer;
  free(buffer);
  capacity = 2 * count * sizeof(float);
  buffer = malloc(capacity);
  if (buffer == NULL) capacity = 0;
  return buffer;
}

// --- Particles ----------------------------------------------------------------------------------------

typedef mote_field_view reader(const mote_world *world, const char *field);
static reader *const readers[3] = {mote_world_view, mote_world_elastic_view, mote_world_lattice_view};

EMSCRIPTEN_KEEPALIVE int web_count(void) {
  return (int)(mote_world_particles(world) + mote_world_elastic_particles(world) +
               mote_world_lattice_particles(world));
}

// x, y, z and the value of a field of all particles, of fluids, elastic bodies and lattices; a vector by its
// length, 0 where there is no such field. Null: no memory.
EMSCRIPTEN_KEEPALIVE float *web_particles(const char *field) {
  float *out = numbers(4 * (size_t)web_count() + 4), *at = out;
  for (int kind = 0; kind < 3 && out != NULL; ++kind) {
    mote_field_view x = readers[kind](world, "position"), value = readers[kind](world, field);
    for (size_t i = 0; i < x.count; ++i, at += 4) {
      double square = 0.0;
      for (int a = 0; a < 3; ++a) at[a] = (float)mote_field_value(&x, i, a);
      for (int a = 0; a < value.components; ++a)
        square += mote_field_value(&value, i, a) * mote_field_value(&value, i, a);
      at[3] = value.components == 1 ? (float)mote_field_value(&value, i, 0) : (float)sqrt(square);
    }
  }
  return out;
}

static void put_colour(const double colour[3], uint8_t out[3]) {
  for (int a = 0; a < 3; ++a) out[a] = (uint8_t)lround(255.0 * colour[a]);
}

// Colours of bodies by their labels, 1 + index, as far as they have been asked for: a body keeps its
// material.
static uint8_t (*body_colour)[4];  // the last is 1 where it is known
static uint32_t body_colours;

static void forget_colours(void) {
  free(body_colour);
  body_colour = NULL, body_colours = 0;
}

static bool learn_colours(uint32_t label) {
  uint32_t count = 2 * label + 16;
  void *grown = realloc(body_colour, count * sizeof *body_colour);
  if (grown == NULL) return false;
  body_colour = grown;
  memset(body_colour + body_colours, 0, (count - body_colours) * sizeof *body_colour);
  body_colours = count;
  return true;
}

static void find_colour(uint32_t label, uint8_t out[3]) {
  mote_body_info info;
  memset(out, 160, 3);
  if (label >= body_colours && !learn_colours(label)) return;
  for (size_t k = 0; body_colour[label][3] == 0 && k < mote_world_bodies(world); ++k) {
    mote_body body = mote_world_body_at(world, k);
    if (body.index + 1 != label || mote_world_body_about(world, body, &info, NULL) != MOTE_OK) continue;
    put_colour(scene()->material[info.material].colour, body_colour[label]);
    body_colour[label][3] = 1;
  }
  if (body_colour[label][3] != 0) memcpy(out, body_colour[label], 3);
}

// Of each particle the kind: 0 fluid, 1 elastic, 2 lattice; and red, green, blue of its material, as bytes.
EMSCRIPTEN_KEEPALIVE uint8_t *web_colours(void) {
  uint8_t *out = (uint8_t *)numbers((size_t)web_count() + 1), *at = out, colour[3] = {160, 160, 160};
  for (int kind = 0; kind < 3 && out != NULL; ++kind) {
    mote_field_view body = readers[kind](world, "body");
    uint32_t last = 0;
    for (size_t i = 0; i < body.count; ++i, at += 4) {
      uint32_t label = (uint32_t)mote_field_value(&body, i, 0);
      if (label != last) find_colour(label, colour);
      last = label;
      at[0] = (uint8_t)kind;
      memcpy(at + 1, colour, 3);
    }
  }
  return out;
}

// --- Solids -------------------------------------------------------------------------------------------

// A pose: x -> R x + t as 12 numbers, R by rows, from where it was defined.
enum { POSE = 12 };

static void put_pose(const mote_pose *pose, float *out) {
  for (int a = 0; a < 3; ++a) {
    double t = pose->pivot[a] + pose->move[a];
    for (int b = 0; b < 3; ++b) {
      out[3 * a + b] = (float)pose->rotation[3 * a + b];
      t -= pose->rotation[3 * a + b] * pose->pivot[b];
    }
    out[9 + a] = (float)t;
  }
}

static void put_nothing(float *out, int count) {
  for (int a = 0; a < count; ++a) out[a] = NAN;
}

static const mote_material_def *material_of(const mote_body_def *body) {
  for (size_t m = 0; m < scene()->materials; ++m)
    if (strcmp(scene()->material[m].name, body->material) == 0) return &scene()->material[m];
  return NULL;
}

static const char RIGID[] = "rigid", ELASTIC[] = "elastic";  // as in MOTE_KIND_KEYWORDS

static bool is_model(const mote_material_def *material, const char *word) {
  const char *at = MOTE_KIND_KEYWORDS;
  for (int k = 0; k < (int)material->model; ++k) at = strchr(at, ' ') + 1;
  return strncmp(at, word, strlen(word)) == 0;
}

// The k-th body of the scene with this model, whether it is there or not; null: there are no more.
static const mote_body_def *body_of(const char *model, int k) {
  for (size_t b = 0; b < scene()->bodies; ++b) {
    const mote_material_def *material = material_of(&scene()->body[b]);
    if (material != NULL && is_model(material, model) && k-- == 0) return &scene()->body[b];
  }
  return NULL;
}

static int count_bodies(const char *model) {
  int count = 0;
  while (body_of(model, count) != NULL) ++count;
  return count;
}

// Rigid bodies of the scene.
EMSCRIPTEN_KEEPALIVE int web_bodies(void) {
  return count_bodies(RIGID);
}

// Their poses, and behind each its centre of mass; NaN: it is not there.
EMSCRIPTEN_KEEPALIVE float *web_body_poses(void) {
  int count = web_bodies();
  float *out = numbers((size_t)(count + 1) * (POSE + 3));
  for (int k = 0; k < count && out != NULL; ++k) {
    float *own = out + k * (POSE + 3);
    mote_body_state state;
    mote_body body = mote_world_find_body(world, body_of(RIGID, k)->name);
    put_nothing(own, POSE + 3);
    if (mote_world_body(world, body, &state, NULL) != MOTE_OK) continue;
    put_pose(&state.pose, own);
    for (int a = 0; a < 3; ++a) own[POSE + a] = (float)state.position[a];
  }
  return out;
}

EMSCRIPTEN_KEEPALIVE int web_colliders(void) {
  return (int)scene()->colliders;
}

// Poses of the colliders of the scene; NaN: it is removed.
EMSCRIPTEN_KEEPALIVE float *web_collider_poses(void) {
  size_t count = scene()->colliders;
  float *out = numbers(POSE * count + POSE);
  for (size_t k = 0; k < count && out != NULL; ++k) {
    mote_pose pose;
    mote_collider collider = mote_world_find_collider(world, scene()->collider[k].name);
    put_nothing(out + POSE * k, POSE);
    if (mote_world_pose(world, collider, &pose, NULL) == MOTE_OK) put_pose(&pose, out + POSE * k);
  }
  return out;
}

static mote_mesh mesh;
static uint8_t mesh_colour[3];

static int make_mesh(const mote_shape_def *of, int cells, mote_mesh *out) {
  const mote_world_def *def = &scene()->world;
  mote_shape *shape = NULL;
  mote_error error = {0};
  double low[3], high[3];
  if (mote_shape_create(of, def->dimensions, NULL, &shape, &error) != MOTE_OK) return fail(&error);
  mote_shape_bounds(shape, low, high);
  for (int a = 0; a < def->dimensions; ++a) {
    low[a] = fmax(low[a], isfinite(def->low[a]) ? def->low[a] : low[a]);
    high[a] = fmin(high[a], isfinite(def->high[a]) ? def->high[a] : high[a]);
    double margin = 0.03 * (high[a] - low[a]) + 1e-9;
    low[a] -= margin, high[a] += margin;
  }
  mote_result result = mote_shape_triangles(shape, def->dimensions, low, high, cells, NULL, out, &error);
  mote_shape_destroy(shape);
  return result == MOTE_OK ? 0 : fail(&error);
}

// Triangles of the shape of the k-th rigid body (`collider` 0) or collider, where it was defined; then
// web_vertices, web_triangles and their counts. 0: done.
EMSCRIPTEN_KEEPALIVE int web_mesh(int collider, int k, int cells) {
  const mote_body_def *body = collider ? NULL : body_of(RIGID, k);
  mote_mesh_free(&mesh, NULL), mesh = (mote_mesh){0};
  memset(mesh_colour, 170, sizeof mesh_colour);
  if (body != NULL) put_colour(material_of(body)->colour, mesh_colour);
  return make_mesh(body != NULL ? &body->shape : &scene()->collider[k].shape, cells, &mesh);
}

// --- Skins of elastic bodies that do not break ----------------------------------------------------------

typedef struct skin {
  mote_world_skin *carrier;
  mote_body body;  // that it was made for
  mote_mesh mesh;
} skin;
static skin *skins;
static int skin_count;

static void forget_skins(void) {
  for (int k = 0; k < skin_count; ++k) {
    mote_world_skin_destroy(skins[k].carrier);
    mote_mesh_free(&skins[k].mesh, NULL);
  }
  free(skins);
  skins = NULL, skin_count = 0;
}

EMSCRIPTEN_KEEPALIVE int web_skins(void) {
  if (skins == NULL) {
    skin_count = count_bodies(ELASTIC);
    skins = calloc((size_t)skin_count + 1, sizeof *skins);
    if (skins == NULL) skin_count = 0;
  }
  return skin_count;
}

// A body that came again is another one.
static bool carry(skin *s, const mote_body_def *def, mote_body body) {
  if (s->carrier != NULL && s->body.generation == body.generation) return true;
  mote_world_skin_destroy(s->carrier), s->carrier = NULL;
  mote_mesh_free(&s->mesh, NULL), s->mesh = (mote_mesh){0};
  s->body = body;
  if (make_mesh(&def->shape, 24, &s->mesh) != 0) return false;
  mote_world_skin_def how = {.body = body, .vertex = s->mesh.vertex, .count = s->mesh.vertices};
  return mote_world_skin_create(world, &how, &s->carrier, NULL) == MOTE_OK;
}

// The skin of the k-th elastic body as it is now, as web_mesh. 0: done; 1: it has none, and its particles
// show it; 2: the body is not there.
EMSCRIPTEN_KEEPALIVE int web_skin(int k) {
  if (k >= web_skins()) return 1;
  const mote_body_def *def = body_of(ELASTIC, k);
  mote_body body = mote_world_find_body(world, def->name);
  if (body.generation == 0) return 2;
  if (isfinite(material_of(def)->elastic.strength) || !carry(&skins[k], def, body)) return 1;
  mote_mesh_free(&mesh, NULL), mesh = (mote_mesh){0};
  size_t numbers = 3 * skins[k].mesh.vertices, corners = 3 * skins[k].mesh.triangles;
  mesh = (mote_mesh){calloc(numbers + 1, sizeof(double)), calloc(corners + 1, sizeof(uint32_t)), numbers / 3,
                     corners / 3};
  if (mesh.vertex == NULL || mesh.triangle == NULL) return 1;
  memcpy(mesh.triangle, skins[k].mesh.triangle, corners * sizeof(uint32_t));
  put_colour(material_of(def)->colour, mesh_colour);
  return mote_world_skin_move(skins[k].carrier, NULL, mesh.vertex, NULL, NULL) == MOTE_OK ? 0 : 1;
}

// --- Meshes as numbers --------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE float *web_vertices(void) {
  float *out = numbers(3 * mesh.vertices + 1);
  for (size_t c = 0; c < 3 * mesh.vertices && out != NULL; ++c) out[c] = (float)mesh.vertex[c];
  return out;
}

// Red, green and blue of a body, 0xrrggbb.
EMSCRIPTEN_KEEPALIVE int web_mesh_colour(void) {
  return mesh_colour[0] << 16 | mesh_colour[1] << 8 | mesh_colour[2];
}

EMSCRIPTEN_KEEPALIVE uint32_t *web_triangles(void) {
  return mesh.triangle;
}

EMSCRIPTEN_KEEPALIVE int web_mesh_size(int triangles) {
  return (int)(triangles ? mesh.triangles : mesh.vertices);
}

// --- A hand -------------------------------------------------------------------------------------------

// Where a ray meets something that moves: the distance, -1 for nothing; web_picked has the point.
static double picked[3];
EMSCRIPTEN_KEEPALIVE double web_pick(double x, double y, double z, double dx, double dy, double dz) {
  const double origin[3] = {x, y, z}, direction[3] = {dx, dy, dz};
  mote_pick pick;
  mote_error error = {0};
  if (mote_world_pick(world, origin, direction, &pick, &error) != MOTE_OK) return -1.0 - fail(&error);
  memcpy(picked, pick.position, sizeof picked);
  bool moves = pick.kind == MOTE_PICK_PARTICLE || pick.kind == MOTE_PICK_BODY;
  return moves ? pick.distance : -1.0;
}

EMSCRIPTEN_KEEPALIVE double web_picked(int axis) {
  return axis >= 0 && axis < 3 ? picked[axis] : (double)NAN;
}

EMSCRIPTEN_KEEPALIVE int web_holds(void) {
  return (int)mote_world_hand(world).holds;
}

// --- Probes -------------------------------------------------------------------------------------------

EMSCRIPTEN_KEEPALIVE int web_probes(void) {
  return (int)scene()->probes;
}

EMSCRIPTEN_KEEPALIVE const char *web_probe_name(int k) {
  static const char *const shown[] = {"pressure, Pa", "", "level, m", "displacement, m", "force, N"};
  snprintf(text, sizeof text, "%s: %s", scene()->probe[k].name, shown[scene()->probe[k].kind]);
  return text;
}

// One number of a probe now; NaN: a line has none, or what it is of is not there.
EMSCRIPTEN_KEEPALIVE double web_probe(int k) {
  const mote_probe_def *def = &scene()->probe[k];
  mote_reading reading;
  if (def->kind == MOTE_PROBE_LINE ||
      mote_world_probe(world, mote_world_find_probe(world, def->name), &reading, NULL) != MOTE_OK)
    return (double)NAN;
  const double *x = def->kind == MOTE_PROBE_BODY ? reading.displacement : reading.force;
  if (def->kind == MOTE_PROBE_POINT) return reading.pressure;
  return def->kind == MOTE_PROBE_LEVEL ? reading.level : sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}
