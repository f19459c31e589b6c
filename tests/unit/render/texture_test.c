// Textures: coordinates of OBJ and GLB files, images within a GLB, colours at places of triangles, damaged
// files, and a square in a picture.
#define _XOPEN_SOURCE 700
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/glb.h"
#include "render/texture_file.h"
#include "trace_oven.h"

static char folder[] = "/tmp/mote_textureXXXXXX";

static void path_of(const char *name, char out[256]) {
  snprintf(out, 256, "%s/%s", folder, name);
}

static void put_file(const char *name, const void *bytes, size_t size) {
  char path[256];
  path_of(name, path);
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(bytes, 1, size, file) == size);
  if (file != NULL) fclose(file);
}

// Four pixels: red, green; blue, white.
static mote_image *four_pixels(void) {
  static const mote_colour colour[4] = {
      {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}};
  mote_image *image = NULL;
  CHECK(mote_image_create(2, 2, NULL, &image, NULL) == MOTE_OK);
  for (int k = 0; k < 4; ++k) mote_image_set(image, k % 2, k / 2, colour[k]);
  return image;
}

// A square of one face about the origin, its image upright; and a triangle without coordinates.
static const char SQUARE[] =
    "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    "f 1/1 2/2 3/3 \\\n4/-1\nf 1 2 3\n";

static void make_linear(float linear[256]) {
  for (int k = 0; k < 256; ++k) linear[k] = (float)k / 255;
}

static bool is_colour(const mote_texture *texture, size_t triangle, float u, float v, float red, float green,
                      float blue) {
  float linear[256];
  mote_vec c = vec_all(-1);
  make_linear(linear);
  if (!mote_texture_colour(texture, linear, triangle, u, v, &c)) return false;
  return fabsf(c.x - red) < 1e-5F && fabsf(c.y - green) < 1e-5F && fabsf(c.z - blue) < 1e-5F;
}

static void obj_has_its_coordinates(void) {
  mote_texture texture = {0};
  char obj[256], png[256];
  path_of("square.obj", obj), path_of("four.png", png);
  mote_image *image = four_pixels();
  CHECK(mote_image_write(image, png, NULL) == MOTE_OK);
  mote_image_destroy(image);
  put_file("square.obj", SQUARE, sizeof SQUARE - 1);
  CHECK(mote_texture_read(obj, png, NULL, &texture, NULL) == MOTE_OK);
  if (!CHECK(texture.triangles == 3 && texture.images == 1)) return;
  CHECK(texture.image_of[0] == 0 && texture.image_of[1] == 0 && texture.image_of[2] == MOTE_TEXTURE_NONE);
  // The lower left pixel is blue: v points upwards in OBJ. Corners: 1 (0, 1), 2 (1, 1), 3 (1, 0).
  CHECK(texture.uv[0] == 0 && texture.uv[1] == 1 && texture.uv[4] == 1 && texture.uv[5] == 0);
  CHECK(is_colour(&texture, 0, 0.5F, 0.25F, 1, 1, 1));          // u, v = 3/4, 3/4
  CHECK(is_colour(&texture, 0, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F));  // 1, 1/2: amid all four, repeated
  CHECK(is_colour(&texture, 1, 0.25F, 0.5F, 1, 0, 0));          // 1/4, 1/4
  CHECK(!is_colour(&texture, 2, 0.3F, 0.3F, 0, 0, 0));
  mote_texture_free(&texture, NULL);
  CHECK(texture.uv == NULL && texture.images == 0);
  CHECK(mote_texture_read(obj, NULL, NULL, &texture, NULL) == MOTE_OK && texture.images == 0);
}

static void fails_at(const char *text, const char *image, int line, int column, const char *words) {
  mote_texture texture = {0};
  mote_error error = {0};
  char path[256];
  path_of("bad.obj", path);
  put_file("bad.obj", text, strlen(text));
  CHECK(mote_texture_read(path, image, NULL, &texture, &error) == MOTE_ERROR_FORMAT);
  if (!CHECK(error.line == line && error.column == column && strstr(error.text, words) != NULL))
    fprintf(stderr, "%d:%d %s\n", error.line, error.column, error.text);
  CHECK(texture.uv == NULL);
}

static void faults_are_found(void) {
  char png[256];
  path_of("four.png", png);
  fails_at("vt 0 x\n", NULL, 1, 6, "two numbers");
  fails_at("vt 0 1e9\n", NULL, 1, 6, "from -1e6");
  fails_at("vt 0 0\nf 1/1 2/1 3/2\n", NULL, 2, 11, "there is no texture coordinate 2");
  fails_at("vt 0 0\nf 1/-2 2/1 3/1\n", NULL, 2, 3, "no such texture coordinate");
  fails_at("v 0 0 0\nf 1 1 1\n", png, 0, 0, "no texture coordinates");
  mote_texture texture = {0};
  mote_error error = {0};
  CHECK(mote_texture_read("a.stl", png, NULL, &texture, &error) != MOTE_OK);
  CHECK(mote_texture_read(NULL, png, NULL, &texture, &error) == MOTE_ERROR_ARGUMENT);
}

// --- GLB
// ----------------------------------------------------------------------------------------------------

static void put_chunk(mote_buffer *out, uint32_t kind, const mote_buffer *bytes, char fill) {
  uint32_t size = (uint32_t)(bytes->size + 3) / 4 * 4;
  mote_buffer_add(out, &size, 4);
  mote_buffer_add(out, &kind, 4);
  mote_buffer_add(out, bytes->data, bytes->size);
  for (size_t k = bytes->size; k < size; ++k) mote_buffer_add(out, &fill, 1);
}

// Two triangles of one mesh: one shows the image, the other says that it does, by a JPEG.
static void put_glb(const char *name, size_t image_offset) {
  static const float position[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[6] = {0, 0, 1, 0, 0, 1};
  const mote_env env = mote_env_default();
  mote_buffer bin = mote_buffer_make(&env), json = mote_buffer_make(&env), all = mote_buffer_make(&env);
  mote_buffer_add(&bin, position, sizeof position);
  mote_buffer_add(&bin, uv, sizeof uv);
  mote_image *image = four_pixels();
  CHECK(mote_png_encode(image, &bin, NULL) == MOTE_OK);
  mote_image_destroy(image);
  char text[2048];
  snprintf(text, sizeof text,
           "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":["
           "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":24},"
           "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"accessors\":["
           "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
           "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}],"
           "\"images\":[{\"bufferView\":0},{\"bufferView\":2}],\"textures\":[{\"source\":1},{\"source\":0}],"
           "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}},"
           "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}}],\"meshes\":[{\"primitives\":["
           "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"material\":0},"
           "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"material\":1}]}]}",
           bin.size, image_offset, bin.size - 60);
  mote_buffer_text(&json, text);
  uint32_t head[3] = {MOTE_GLB_MAGIC, 2,
                      (uint32_t)(12 + 8 + (json.size + 3) / 4 * 4 + 8 + (bin.size + 3) / 4 * 4)};
  mote_buffer_add(&all, head, sizeof head);
  put_chunk(&all, MOTE_GLB_JSON, &json, ' ');
  put_chunk(&all, MOTE_GLB_BIN, &bin, 0);
  put_file(name, all.data, all.size);
  mote_buffer_free(&bin), mote_buffer_free(&json), mote_buffer_free(&all);
}

static void glb_has_its_images(void) {
  mote_texture texture = {0};
  mote_error error = {0};
  char path[256], png[256];
  path_of("two.glb", path), path_of("four.png", png);
  put_glb("two.glb", 60);
  CHECK(mote_texture_read(path, NULL, NULL, &texture, &error) == MOTE_OK);
  CHECK(texture.triangles == 2 && texture.images == 1);
  CHECK(texture.image_of[0] == 0 && texture.image_of[1] == MOTE_TEXTURE_NONE);
  CHECK(is_colour(&texture, 0, 0.25F, 0.25F, 1, 0, 0));  // of glTF v points down
  CHECK(is_colour(&texture, 0, 0.25F, 0.75F, 0, 0, 1));
  mote_texture_free(&texture, NULL);
  CHECK(mote_texture_read(path, png, NULL, &texture, &error) == MOTE_OK && texture.images == 1);
  CHECK(texture.image_of[1] == 0);
  mote_texture_free(&texture, NULL);
  put_glb("beyond.glb", 1000);
  path_of("beyond.glb", path);
  CHECK(mote_texture_read(path, NULL, NULL, &texture, &error) == MOTE_OK && texture.images == 0);
}

// --- In a picture
// -------------------------------------------------------------------------------------------

// In a furnace a matte square gives back its colour: seen from z = 5, red is up and to the left.
static void squares_show_their_image(void) {
  mote_trace t;
  mote_texture texture = {0};
  mote_render_mesh mesh = {.look = mote_look_matte(0, 0, 0), .texture = &texture};
  mote_render_def def = oven();
  mote_render_scene scene = mote_render_scene_default();
  mote_error error = {0};
  char obj[256], png[256];
  path_of("square.obj", obj), path_of("four.png", png);
  CHECK(mote_texture_read(obj, png, NULL, &texture, &error) == MOTE_OK);
  CHECK(mote_mesh_read(obj, NULL, &mesh.mesh, &error) == MOTE_OK);
  mesh.mesh.triangles = texture.triangles = 2;
  scene.mesh = &mesh, scene.meshes = 1;
  if (build(&t, &def, &scene)) {
    even_sky(&t);
    mote_vec upper_left = look_at(&t, 21.5, 21.5, 64), lower_right = look_at(&t, 42.5, 42.5, 64);
    CHECK(upper_left.x > 0.8F && upper_left.y < 0.2F && upper_left.z < 0.2F);
    CHECK(lower_right.x > 0.8F && lower_right.y > 0.8F && lower_right.z > 0.8F);
  }
  mote_trace_free(&t);
  mote_image *image = NULL;
  texture.triangles = 1;
  CHECK(mote_render_draw(&def, &scene, NULL, &image, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.key, "texture") != NULL);
  texture.triangles = 3;
  mote_texture_free(&texture, NULL);
  mesh.mesh.triangles = 3;
  mote_mesh_free(&mesh.mesh, NULL);
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL)) return test_end();
  obj_has_its_coordinates();
  faults_are_found();
  glb_has_its_images();
  squares_show_their_image();
  static const char *const names[] = {"square.obj", "four.png", "bad.obj", "two.glb", "beyond.glb"};
  for (int k = 0; k < 5; ++k) {
    char path[256];
    path_of(names[k], path);
    remove(path);
  }
  rmdir(folder);
  return test_end();
}
