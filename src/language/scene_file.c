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

static mote_result bind(mote_scene_file *file, mote_binder *binder) {
  if (file->kind == MOTE_FILE_EDITS) return mote_bind_edits(binder, file->root, &file->animation.deform);
  if (file->kind == MOTE_FILE_ANIMATION) return mote_bind_animation(binder, file->root, &file->animation);
  return mote_bind_scene(binder, file->root);
}

static mote_result load(mote_scene_file *file, const mote_scene_source *from, bool files,
                        mote_error_sink *sink) {
  static const char *const what[] = {"scene", "list of edits", "list of keys"};
  mote_loader loader = {.yaml = {.pool = &file->pool, .error = &sink->newest, .sink = sink},
                        .what = what[file->kind],
                        .files = files};
  mote_result result = mote_load_scene(&loader, from->path, from->text, from->size, &file->root),
              set = result;
  for (size_t k = 0; k < from->sets && result == MOTE_OK; ++k) {
    mote_result one = mote_load_set(&loader, file->root, from->set[k]);
    result = mote_sink_keep(sink, one);
    if (one != MOTE_OK) set = one;
  }
  return result != MOTE_OK ? result : set;
}

// Definitions that could be read are checked, and the places of their errors are looked up.
static mote_result check(const mote_scene_file *file, mote_error_sink *sink) {
  mote_error_list found;
  mote_result result = mote_scene_check_all(&file->scene, &file->pool.env, &found);
  size_t listed = found.count < MOTE_ERRORS_LISTED ? found.count : MOTE_ERRORS_LISTED;
  if (result == MOTE_ERROR_MEMORY) return mote_io_fail_memory(&sink->newest);
  for (size_t k = 0; k < listed; ++k) {
    mote_scene_file_locate(file, &found.error[k]);
    mote_error_list_add(&sink->list, &found.error[k]);
  }
  sink->list.count += found.count - listed;
  return MOTE_OK;
}

static mote_result fill(mote_scene_file *file, const mote_scene_source *from, bool checked,
                        mote_error_sink *sink) {
  bool files = from->text == NULL || strchr(from->path, '/') != NULL;
  MOTE_IO_TRY(load(file, from, files, sink));
  file->scene = mote_scene_default();
  mote_binder binder = {.pool = &file->pool,
                        .error = &sink->newest,
                        .sink = sink,
                        .scene = &file->scene,
                        .files = files,
                        .scale = 1};
  mote_result result = bind(file, &binder);
  file->meshes = binder.meshes;
  MOTE_IO_TRY(result);
  if (checked && !binder.world_is_wrong) MOTE_IO_TRY(check(file, sink));
  return sink->list.count == 0 ? finish(file, &sink->newest) : MOTE_OK;
}

// The errors of a failure, of which that for lack of memory comes alone.
static mote_result finish_errors(mote_result result, mote_error_sink *sink, mote_error_list *errors) {
  if (result == MOTE_ERROR_MEMORY) sink->list.count = 0;
  if (result != MOTE_OK && sink->newest.code != MOTE_OK) mote_error_list_add(&sink->list, &sink->newest);
  if (errors != NULL) *errors = sink->list;
  return sink->list.count == 0 ? MOTE_OK : sink->list.error[0].code;
}

static mote_result create(const mote_scene_source *from, mote_scene_file_kind kind, bool checked,
                          const mote_env *env, mote_scene_file **out, mote_error_list *errors) {
  mote_error_sink sink = {0};
  mote_pool pool = mote_pool_make(env);
  mote_scene_file *file = mote_pool_take(&pool, sizeof *file);
  if (file == NULL) return finish_errors(mote_io_fail_memory(&sink.newest), &sink, errors);
  file->pool = pool;
  file->kind = kind;
  mote_result result = finish_errors(fill(file, from, checked, &sink), &sink, errors);
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

static bool is_whole(const mote_scene_source *from) {
  return from->path != NULL && (from->set != NULL || from->sets == 0);
}

mote_result mote_scene_open(const mote_scene_source *source, const mote_env *env, mote_scene_file **out,
                            mote_error_list *errors) {
  if (source != NULL && out != NULL && is_whole(source))
    return create(source, MOTE_FILE_SCENE, true, env, out, errors);
  if (errors != NULL) errors->count = 1;
  return fail_null(errors == NULL ? NULL : &errors->error[0]);
}

static mote_result open_file(const mote_scene_source *from, mote_scene_file_kind kind, const mote_env *env,
                             mote_scene_file **out, mote_error *error) {
  if (out == NULL || !is_whole(from)) return fail_null(error);
  mote_error_list errors;
  mote_result result = create(from, kind, false, env, out, &errors);
  if (result != MOTE_OK && error != NULL) *error = errors.error[0];
  return result;
}

mote_result mote_scene_read(const char *path, const char *const *set, size_t sets, const mote_env *env,
                            mote_scene_file **out, mote_error *error) {
  return open_file(&(mote_scene_source){path, NULL, 0, set, sets}, MOTE_FILE_SCENE, env, out, error);
}

mote_result mote_scene_parse(const char *text, size_t size, const char *name, const char *const *set,
                             size_t sets, const mote_env *env, mote_scene_file **out, mote_error *error) {
  if (text == NULL) return fail_null(error);
  return open_file(&(mote_scene_source){name, text, size, set, sets}, MOTE_FILE_SCENE, env, out, error);
}

mote_result mote_edits_read(const char *path, const char *const *set, size_t sets, const mote_env *env,
                            mote_scene_file **out, mote_error *error) {
  return open_file(&(mote_scene_source){path, NULL, 0, set, sets}, MOTE_FILE_EDITS, env, out, error);
}

mote_result mote_edits_parse(const char *text, size_t size, const char *name, const char *const *set,
                             size_t sets, const mote_env *env, mote_scene_file **out, mote_error *error) {
  if (text == NULL) return fail_null(error);
  return open_file(&(mote_scene_source){name, text, size, set, sets}, MOTE_FILE_EDITS, env, out, error);
}

mote_result mote_animation_read(const char *path, const char *const *set, size_t sets, const mote_env *env,
                                mote_scene_file **out, mote_error *error) {
  return open_file(&(mote_scene_source){path, NULL, 0, set, sets}, MOTE_FILE_ANIMATION, env, out, error);
}

mote_result mote_animation_parse(const char *text, size_t size, const char *name, const char *const *set,
                                 size_t sets, const mote_env *env, mote_scene_file **out, mote_error *error) {
  if (text == NULL) return fail_null(error);
  return open_file(&(mote_scene_source){name, text, size, set, sets}, MOTE_FILE_ANIMATION, env, out, error);
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
