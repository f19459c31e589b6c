// A scene file: the tree, the scene bound from it, its text and hash.
#include "language/scene_file.h"

#include <stdio.h>
#include <string.h>

#include "language/scene_bind.h"
#include "language/scene_load.h"
#include "language/scene_text.h"

static mote_result finish(mote_scene_file *file, mote_error *error) {
  mote_growing text = {.pool = &file->pool};
  mote_scene_text_block(&text, file->root);
  if (text.failed) return mote_io_fail_memory(error);
  file->text = text.text;
  file->size = text.size;
  file->hash = mote_scene_hash_node(MOTE_SCENE_HASH, file->root);
  return MOTE_OK;
}

typedef struct source {
  const char *path, *text;
  size_t size;
  const char *const *set;
  size_t sets;
  mote_scene_file_kind kind;
} source;

static mote_result bind(mote_scene_file *file, mote_binder *binder) {
  if (file->kind == MOTE_FILE_EDITS) return mote_bind_edits(binder, file->root, &file->animation.deform);
  if (file->kind == MOTE_FILE_ANIMATION) return mote_bind_animation(binder, file->root, &file->animation);
  return mote_bind_scene(binder, file->root);
}

static mote_result fill(mote_scene_file *file, const source *from, mote_error *error) {
  bool files = from->text == NULL || strchr(from->path, '/') != NULL;
  static const char *const what[] = {"scene", "list of edits", "list of keys"};
  file->kind = from->kind;
  mote_loader loader = {
      .yaml = {.pool = &file->pool, .error = error}, .what = what[from->kind], .files = files};
  MOTE_IO_TRY(mote_load_scene(&loader, from->path, from->text, from->size, &file->root));
  for (size_t k = 0; k < from->sets; ++k) MOTE_IO_TRY(mote_load_set(&loader, file->root, from->set[k]));
  file->scene = mote_scene_default();
  mote_binder binder = {
      .pool = &file->pool, .error = error, .scene = &file->scene, .files = files, .scale = 1};
  mote_result result = bind(file, &binder);
  file->meshes = binder.meshes;
  return result == MOTE_OK ? finish(file, error) : result;
}

static mote_result create(const source *from, const mote_env *env, mote_scene_file **out, mote_error *error) {
  mote_pool pool = mote_pool_make(env);
  mote_scene_file *file = mote_pool_take(&pool, sizeof *file);
  if (file == NULL) return mote_io_fail_memory(error);
  file->pool = pool;
  mote_result result = fill(file, from, error);
  if (result == MOTE_OK)
    *out = file;
  else
    mote_scene_file_destroy(file);
  return result;
}

static mote_result fail_null(mote_error *error) {
  mote_place_fail(error, (mote_text_position){0}, "path, text and out must not be null");
  if (error != NULL) error->code = MOTE_ERROR_ARGUMENT;
  return MOTE_ERROR_ARGUMENT;
}

static mote_result open_file(const source *from, const mote_env *env, mote_scene_file **out,
                             mote_error *error) {
  if (from->path == NULL || out == NULL || (from->set == NULL && from->sets > 0)) return fail_null(error);
  return create(from, env, out, error);
}

mote_result mote_scene_read(const char *path, const char *const *set, size_t sets, const mote_env *env,
                            mote_scene_file **out, mote_error *error) {
  return open_file(&(source){.path = path, .set = set, .sets = sets}, env, out, error);
}

mote_result mote_scene_parse(const char *text, size_t size, const char *name, const char *const *set,
                             size_t sets, const mote_env *env, mote_scene_file **out, mote_error *error) {
  if (text == NULL) return fail_null(error);
  return open_file(&(source){name, text, size, set, sets, MOTE_FILE_SCENE}, env, out, error);
}

mote_result mote_edits_read(const char *path, const char *const *set, size_t sets, const mote_env *env,
                            mote_scene_file **out, mote_error *error) {
  return open_file(&(source){.path = path, .set = set, .sets = sets, .kind = MOTE_FILE_EDITS}, env, out,
                   error);
}

mote_result mote_edits_parse(const char *text, size_t size, const char *name, const char *const *set,
                             size_t sets, const mote_env *env, mote_scene_file **out, mote_error *error) {
  if (text == NULL) return fail_null(error);
  return open_file(&(source){name, text, size, set, sets, MOTE_FILE_EDITS}, env, out, error);
}

mote_result mote_animation_read(const char *path, const char *const *set, size_t sets, const mote_env *env,
                                mote_scene_file **out, mote_error *error) {
  return open_file(&(source){.path = path, .set = set, .sets = sets, .kind = MOTE_FILE_ANIMATION}, env, out,
                   error);
}

mote_result mote_animation_parse(const char *text, size_t size, const char *name, const char *const *set,
                                 size_t sets, const mote_env *env, mote_scene_file **out, mote_error *error) {
  if (text == NULL) return fail_null(error);
  return open_file(&(source){name, text, size, set, sets, MOTE_FILE_ANIMATION}, env, out, error);
}

void mote_scene_file_destroy(mote_scene_file *file) {
  if (file == NULL) return;
  mote_scene_free_meshes(file->meshes, &file->pool.env);
  mote_pool pool = file->pool;  // the file lives in its own pool
  mote_pool_free(&pool);
}

const mote_scene *mote_scene_file_scene(const mote_scene_file *file) {
  return &file->scene;
}

const mote_edits *mote_scene_file_edits(const mote_scene_file *file) {
  return file->kind == MOTE_FILE_SCENE ? NULL : &file->animation.deform;
}

const mote_animation *mote_scene_file_animation(const mote_scene_file *file) {
  return file->kind == MOTE_FILE_ANIMATION ? &file->animation : NULL;
}

const char *mote_scene_file_text(const mote_scene_file *file, size_t *size) {
  if (size != NULL) *size = file->size;
  return file->text;
}

uint64_t mote_scene_file_hash(const mote_scene_file *file) {
  return file->hash;
}
