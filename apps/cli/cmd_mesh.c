// mote mesh: surfaces of particles, one file or a sequence.
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/run_progress.h"
#include "cli/base/scene_kinds.h"
#include "cli/bodies/backdrop.h"
#include "cli/files/frame_list.h"
#include "cli/mesh/mesh_contour.h"
#include "cli/mesh/mesh_files.h"
#include "cli/mesh/mesh_options.h"
#include "cli/mesh/mesh_particles.h"
#include "cli/mesh/mesh_report.h"
#include "cli/sample/sample_set.h"

const char help_mesh[] =
    "usage: mote mesh PARTICLES... -o MESH [options]\n"
    "\n"
    "Makes a closed triangle mesh around particles: of one file (vtp vtu vtk ply bgeo csv xyz usda\n"
    "json, written by Mote or other programs, or a snapshot), of a sequence \"frame.%04d.ply\", of a glob, "
    "or\n"
    "of all frames of a run directory. Lengths are derived from the particles, so that usually no\n"
    "option is needed.\n"
    "\n"
    "  -o MESH            vtp ply glb usda bgeo obj stl; with %04d (keeps the number of the input), or\n"
    "                     a directory; 2D particles have contours: vtp csv svg png (filled)\n"
    "  --format EXT       file extension in that directory\n"
    "  --frames A:B:STEP  some of the frames of a sequence or run, or one\n"
    "  --overwrite        replace existing files\n"
    "  --threads N, --json (one JSON object per surface, one per line), --quiet\n"
    "\n"
    "surface (lengths: plain numbers are in spacings; \"2 cm\" is a length):\n"
    "  --method M         anisotropic (default), density, blobs, mass, zhu-bridson, adams\n"
    "  --spacing L        distance between particles; default: from the file, else measured\n"
    "  --cell L           edge of the marching cubes (default 0.5): smaller is finer and slower\n"
    "  --smoothing S      0 to 1 (default 0.8): how far centres move to the mean of their neighbours\n"
    "  --isovalue V       level of the surface; default: half a spacing above the upper layer of a pool\n"
    "  --support L        radius of the kernels;  --radius L  of a particle (blobs, zhu-bridson, adams)\n"
    "  --own-supports     particles of different sizes (field volume): kernels in proportion to each\n"
    "  --clip A:B         cut off and close the surface at a box with these corners, e.g. 0,0,0:1,inf,2\n"
    "  --no-walls         for a run directory: do not extend the surface to the walls of the domain\n"
    "  --periodic x=A:B   the particles are periodic along x (also y, z)\n"
    "  --bodies           for a run directory: mesh its rigid and elastic bodies at their positions\n"
    "\n"
    "anisotropic kernels:\n"
    "  --reach L, --stretch K, --scale K, --lone-scale K, --lone-neighbours N, --connected L,\n"
    "  --no-components, --shrink (keep the smoothed centres), --thesis (YU11 as printed, with its\n"
    "  constants), --ripple H (remove waves lower than H spacings; 0: keep all), --tag-count K,\n"
    "  --tag-offset K, --inside V, --whole (sparse fluid is drawn as dense)\n"
    "\n"
    "mesh:\n"
    "  --clean            no angle below 10 degrees\n"
    "  --smooth N         passes of smoothing that preserves the volume\n"
    "  --smallest-part N  remove parts smaller than N particles (default for anisotropic: 0.1)\n"
    "  --grid-smoothing N, --root-steps N, --no-normals, --most-nodes MILLIONS\n"
    "  --no-examine       do not look for open edges, crossings, parts and angles: saves up to a third\n"
    "\n"
    "values at the vertices:\n"
    "  --fields NAMES     comma-separated, or none; default: all floating-point fields the format holds\n"
    "  --colour-by FIELD  vertex colours;  --colour-range LOW:HIGH (default: range of the first surface)\n"
    "  --colour-map MAP   sequential (default), diverging, grey, water, heat\n"
    "\n"
    "A file that cannot be read stops a sequence; files already written are kept. docs/surfaces.md\n"
    "describes the methods.\n"
    "\n"
    "examples:\n"
    "  mote mesh run/particles.0100.vtp -o water.obj\n"
    "  mote mesh run -o 'run/surface.%04d.vtp'                  all frames, and surface.pvd\n"
    "  mote mesh run -o 'run/bodies.%04d.obj' --bodies          its solid bodies, frame by frame\n"
    "  mote mesh 'sim/ParticleData_*.vtk' -o meshes --format ply --clean --smallest-part 20\n"
    "  mote mesh water.bgeo -o water.glb --cell 0.3 --colour-by velocity --colour-map water\n";

typedef struct mesh_job {
  mesh_options options;
  sequence files;
  mesh_series series;
  mote_surfacer *surfacer;
  mesh_times times;
  run_progress progress;
  mote_scene_file *scene;  // of a run whose bodies are wanted
  backdrop stage;
  body_table bodies;
  frame_row *frame;  // of a run in which nothing flows; null: its files tell
  const char *directory;
} mesh_job;

// Cells are made for the smallest particles.
static double least_size(const mesh_particles *particles) {
  double least = (double)INFINITY;
  for (size_t i = 0; i < particles->view.count; ++i) least = fmin(least, (double)particles->volume[i]);
  return mote_cbrt(least);
}

// The surfacer is of the first file's spacing and stays: Adams' distances follow the particles.
static int ready_surfacer(mesh_job *job, const mote_cloud *cloud, const mesh_particles *particles) {
  mesh_options *o = &job->options;
  mote_error error;
  if (job->surfacer != NULL) return EXIT_DONE;
  bool own = o->def.own_supports && cloud->stamp.spacing <= 0.0;
  if (isnan(o->def.spacing))
    o->def.spacing = own ? least_size(particles) : mesh_spacing(cloud, particles->flat);
  bool metres = surface_options_metric(&o->surface) || particles->flat;
  if (metres && isnan(o->def.spacing)) {
    sample_set set = {.dimensions = particles->flat ? 2 : 3,
                      .count = particles->view.count,
                      .position = particles->position};
    o->def.spacing = sample_set_distance(&set, &o->env);
  }
  if (metres && !(o->def.spacing > 0)) {
    complain("the spacing of the particles cannot be determined; give --spacing");
    return EXIT_USAGE;
  }
  surface_options_scale(&o->surface, &o->def, o->def.spacing);
  if (particles->flat) {
    o->def.normals = false;
    o->walls.low[2] = (double)-INFINITY, o->walls.high[2] = (double)INFINITY;
    if (mote_surface_def_flat(&o->def, &error) != MOTE_OK) return complain_error(&error);
  }
  mote_surface_walls_cut(&o->walls, &o->def);
  return mote_surfacer_create(&o->def, &o->env, &job->surfacer, &error) == MOTE_OK ? EXIT_DONE
                                                                                   : complain_error(&error);
}

static int write_surface(mesh_job *job, mote_surface *surface, const mote_stamp *stamp, mesh_result *result) {
  mesh_options *o = &job->options;
  mote_error error = {0};
  double start = wall_seconds();
  int status = surface_wish_colour(&o->wish, surface, surface_holds_fields(result->output), &o->env);
  if (status != EXIT_DONE) return status;
  mote_stamp own = *stamp;
  own.spacing = result->stats.spacing, own.volume_ratio = result->volume_ratio;
  if (own.version[0] == '\0') snprintf(own.version, sizeof own.version, "%s", mote_version());
  if (mote_surface_write(surface, &own, result->output, &error) != MOTE_OK) return complain_error(&error);
  double written = wall_seconds();
  job->times.write += written - start;
  result->examined = !o->unexamined;
  if (!o->unexamined && surface->mesh.triangles > 0 &&
      mote_mesh_examine(&surface->mesh, &o->env, &result->mesh, &error) != MOTE_OK)
    return complain_error(&error);
  job->times.examine += wall_seconds() - written;
  result->time = stamp->time;
  mesh_report_one(result, o->json);
  return mesh_series_add(&job->series, result->output, stamp->time);
}

// The volume inside over that of the particles without their images behind walls.
static double volume_ratio(const mote_mesh *mesh, const mote_surface_images *images, double spacing) {
  double particles = (double)images->count * spacing * spacing * spacing;
  for (size_t i = 0; images->view.volume != NULL && i < images->count; ++i)
    particles = (i == 0 ? 0.0 : particles) + (double)images->view.volume[i];
  return particles > 0.0 ? mote_mesh_volume(mesh) / particles : 0.0;
}

#define PICTURE_WIDTH 1280
#define PICTURE_HEIGHT 720

static int write_contour(mesh_job *job, const mote_surface *surface, const mesh_particles *particles,
                         const mote_stamp *stamp, mesh_result *result) {
  const mote_env *env = &job->options.env;
  mote_contour contour;
  mote_stamp own = *stamp;
  double start = wall_seconds(), d = result->stats.spacing;
  own.spacing = d;
  if (own.version[0] == '\0') snprintf(own.version, sizeof own.version, "%s", mote_version());
  int status = contour_write(surface, &particles->view, &own, result->output, PICTURE_WIDTH, PICTURE_HEIGHT,
                             env, &contour);
  if (status != EXIT_DONE) return status;
  result->loops = contour.loops, result->points = contour.points;
  result->area = mote_contour_area(&contour), result->length = mote_contour_length(&contour);
  if (result->stats.particles > 0)
    result->volume_ratio = result->area / ((double)result->stats.particles * d * d);
  result->time = stamp->time;
  mote_contour_free(&contour, env);
  job->times.write += wall_seconds() - start;
  mesh_report_one(result, job->options.json);
  return mesh_series_add(&job->series, result->output, stamp->time);
}

// Contours are of 2D particles, meshes of others; volumes in 2D are areas of columns.
static int check_flat(const mesh_job *job, mesh_particles *particles, mesh_result *result) {
  bool surface = input_ends(result->output, "vtp") || !contour_writes(result->output);
  result->flat = particles->flat;
  for (size_t i = 0; particles->flat && particles->view.volume != NULL && i < particles->view.count; ++i)
    particles->volume[i] *= (float)job->options.def.spacing;
  if (particles->flat ? contour_writes(result->output) : surface) return EXIT_DONE;
  complain(particles->flat
               ? "%s: all particles have the same z; their contours are written as vtp, csv, svg or png"
               : "%s: surfaces of 3D particles are written as vtp, ply, glb, usda, bgeo, obj or stl",
           particles->flat ? result->input : result->output);
  return EXIT_USAGE;
}

static int mesh_cloud(mesh_job *job, const mote_cloud *cloud, mesh_result *result) {
  mesh_options *o = &job->options;
  mesh_particles particles;
  mote_surface_images images = {.count = 0};
  mote_surface surface;
  mote_error error = {0};
  bool holds = surface_holds_fields(result->output) || contour_holds_fields(result->output);
  int status = mesh_particles_make(result->input, cloud, &o->wish, holds, &particles);
  if (status == EXIT_DONE && o->def.own_supports && (particles.volume == NULL || particles.flat)) {
    complain("%s: --own-supports needs 3D particles with the field volume", result->input);
    status = EXIT_USAGE;
  }
  if (status == EXIT_DONE) status = ready_surfacer(job, cloud, &particles);
  if (status == EXIT_DONE) status = check_flat(job, &particles, result);
  mote_surface_particles view = particles.view;
  if (particles.flat) view.fields = 0;  // which the contour takes from the particles
  if (status == EXIT_DONE &&
      (mote_surface_images_make(&o->walls, &view, &o->def, &o->env, &images, &error) != MOTE_OK ||
       mote_surfacer_build(job->surfacer, &images.view, &surface, &error) != MOTE_OK)) {
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%.255s", result->input);
    status = complain_error(&error);
  } else if (status == EXIT_DONE) {
    result->stats = mote_surfacer_stats(job->surfacer);
    result->stats.particles = images.count;
    result->volume_ratio = volume_ratio(&surface.mesh, &images, result->stats.spacing);
    mesh_times_add(&job->times, &result->stats);
    status = particles.flat ? write_contour(job, &surface, &particles, &cloud->stamp, result)
                            : write_surface(job, &surface, &cloud->stamp, result);
    mote_surface_free(&surface, &o->env);
  }
  mote_surface_images_free(&images, &o->env);
  mesh_particles_free(&particles);
  return status;
}

// --- Rigid bodies ---

static void put_vertices(const mote_preview_mesh *from, double *to) {
  const mote_pose *p = from->pose;
  if (p == NULL)
    memcpy(to, from->mesh.vertex, 3 * from->mesh.vertices * sizeof *to);  // a skin is where it is
  if (p == NULL) return;
  for (size_t i = 0; i < from->mesh.vertices; ++i) {
    const double *x = from->mesh.vertex + 3 * i;
    for (int k = 0; k < 3; ++k) {
      const double *R = p->rotation + 3 * k;
      double turned = R[0] * (x[0] - p->pivot[0]) + R[1] * (x[1] - p->pivot[1]) + R[2] * (x[2] - p->pivot[2]);
      to[3 * i + (size_t)k] = turned + p->pivot[k] + p->move[k];
    }
  }
}

// All bodies where they were, as one mesh. To be freed.
static bool gather_bodies(const backdrop *stage, mote_mesh *out) {
  const mote_preview_mesh *body = stage->mesh + backdrop_first_body(stage);
  *out = (mote_mesh){0};
  size_t vertices = 0, triangles = 0, bodies = stage->bodies + stage->elastic.count;
  for (size_t b = 0; b < bodies; ++b) vertices += body[b].mesh.vertices, triangles += body[b].mesh.triangles;
  if (vertices >= UINT32_MAX) return complain("these bodies have too many vertices for one mesh"), false;
  out->vertex = input_take(3 * vertices, sizeof *out->vertex);
  out->triangle = input_take(3 * triangles, sizeof *out->triangle);
  for (size_t b = 0; b < bodies; ++b) {
    const mote_mesh *mesh = &body[b].mesh;
    put_vertices(&body[b], out->vertex + 3 * out->vertices);
    for (size_t i = 0; i < 3 * mesh->triangles; ++i)
      out->triangle[3 * out->triangles + i] = (uint32_t)out->vertices + mesh->triangle[i];
    out->vertices += mesh->vertices, out->triangles += mesh->triangles;
  }
  return true;
}

static int mesh_bodies(mesh_job *job, const mote_stamp *stamp, mesh_result *result) {
  mote_surface surface = {.fields = 0};
  double time = isnan(stamp->time) ? 0 : stamp->time;
  if (!backdrop_read_bodies(&job->stage, &job->bodies, job->directory, time)) return EXIT_FAILED;
  bool ok = gather_bodies(&job->stage, &surface.mesh);
  result->bodies = job->stage.bodies + job->stage.elastic.count;
  result->stats.vertices = surface.mesh.vertices, result->stats.triangles = surface.mesh.triangles;
  int status = ok ? write_surface(job, &surface, stamp, result) : EXIT_FAILED;
  free(surface.mesh.vertex), free(surface.mesh.triangle);
  return status;
}

// Frame k of a run that has no files of particles.
static int mesh_bare(mesh_job *job, mesh_result *result) {
  const mote_scene *scene = mote_scene_file_scene(job->scene);
  const frame_row *frame = job->frame + mesh_files_number(result->input) - 1;
  mote_stamp stamp = {.scene_hash = mote_scene_file_hash(job->scene),
                      .time = frame->time,
                      .step = frame->step,
                      .spacing = scene->world.spacing};
  snprintf(stamp.version, sizeof stamp.version, "%s", mote_version());
  return mesh_bodies(job, &stamp, result);
}

static int open_bodies(mesh_job *job, const char *directory, mote_scene_file *file) {
  const mote_scene *scene = mote_scene_file_scene(file);
  size_t rigid = count_bodies(scene, material_is_rigid);
  job->scene = file, job->directory = directory;
  if (rigid + count_bodies(scene, material_is_elastic) == 0) {
    complain("%s: it has no rigid or elastic bodies", directory);
    return EXIT_USAGE;
  }
  if (scene->world.dimensions != 3) {
    complain("%s: meshes of bodies need a 3D scene", directory);
    return EXIT_USAGE;
  }
  if (!backdrop_open(&job->stage, scene, &job->options.env)) return EXIT_FAILED;
  if (!backdrop_read_commands(&job->stage, directory)) return EXIT_FAILED;
  if (!body_table_open(&job->bodies, directory)) return EXIT_FAILED;
  if (job->bodies.file != NULL || rigid == 0) return EXIT_DONE;
  complain("%s: the file is missing, and with it the positions of the bodies", job->bodies.path);
  return EXIT_USAGE;
}

static void close_bodies(mesh_job *job) {
  if (job->stage.mesh != NULL) backdrop_close(&job->stage);
  body_table_close(&job->bodies);
  free(job->frame);
  mote_scene_file_destroy(job->scene);
}

// --- Files ---

static int mesh_file(void *user, size_t k) {
  mesh_job *job = user;
  const mote_env *env = &job->options.env;
  mesh_result result = {.input = job->files.input[k], .output = job->files.output[k], .time = (double)NAN};
  input_particles input;
  double start = wall_seconds();
  run_progress_show(&job->progress, (double)k / (double)job->files.count, result.input);
  if (job->frame != NULL) return mesh_bare(job, &result);
  int status = input_open(result.input, env, &input);
  if (status != EXIT_DONE) return status;
  job->times.read += wall_seconds() - start;
  status = job->options.bodies ? mesh_bodies(job, &input.cloud.stamp, &result)
                               : mesh_cloud(job, &input.cloud, &result);
  input_close(&input, env);
  return status;
}

static int run_job(mesh_job *job) {
  const mesh_options *o = &job->options;
  double start = wall_seconds();
  run_progress_begin(&job->progress, o->quiet, 0, 1, job->files.count);
  int status = mesh_series_run(&job->series, &job->files, o->overwrite, mesh_file, job);
  job->times.all = wall_seconds() - start;
  if (status == EXIT_DONE && !o->quiet && !o->json) mesh_report_times(&job->times);
  mote_surfacer_destroy(job->surfacer);
  return status;
}

// A run's directory has the scene, which knows the spacing, which sides are one and which are walls.
static int use_scene(mesh_job *job, const char *directory) {
  mesh_options *o = &job->options;
  char path[INPUT_PATH];
  mote_scene_file *file;
  mote_error error;
  snprintf(path, sizeof path, "%s/scene.yaml", directory);
  FILE *there = fopen(path, "rb");
  if (there == NULL && o->bodies) {
    complain("%s: --bodies needs a run directory", directory);
    return EXIT_USAGE;
  }
  if (there == NULL) return EXIT_DONE;
  fclose(there);
  if (mote_scene_read(path, NULL, 0, &o->env, &file, &error) != MOTE_OK) return complain_error(&error);
  if (o->bodies) return open_bodies(job, directory, file);
  const mote_scene *scene = mote_scene_file_scene(file);
  if (scene->bodies > 0 && scene->emitters == 0 && count_bodies(scene, material_is_fluid) == 0) {
    complain("%s: it has solid bodies but no fluid particles; --bodies makes meshes of the bodies",
             directory);
    mote_scene_file_destroy(file);
    return EXIT_USAGE;
  }
  const mote_world_def *world = &scene->world;
  bool asked = false;
  for (int k = 0; k < 3; ++k) asked = asked || o->def.domain.periodic[k];
  if (isnan(o->def.spacing)) o->def.spacing = world->spacing;
  for (int k = 0; k < 3 && !asked; ++k) {
    o->def.domain.periodic[k] = world->side[k][0] == MOTE_SIDE_PERIODIC;
    o->def.domain.low[k] = world->low[k], o->def.domain.high[k] = world->high[k];
  }
  if (o->surface.walls) o->walls = mote_world_def_walls(world);
  for (int k = 0; k < 3; ++k)
    if (o->def.domain.periodic[k]) o->walls.low[k] = (double)-INFINITY, o->walls.high[k] = (double)INFINITY;
  mote_scene_file_destroy(file);
  return EXIT_DONE;
}

int cmd_mesh(int argc, char **argv) {
  mesh_job job = {.surfacer = NULL};
  mesh_options *o = &job.options;
  int understood = mesh_options_parse(&argc, argv, o);
  if (understood != EXIT_DONE) return understood;
  if (argc < 2 || o->output == NULL || o->output[0] == '\0') {
    complain("mesh needs particles and -o MESH (mote help mesh)");
    return EXIT_USAGE;
  }
  if (o->bodies && (argc != 2 || o->wish.colour_by != NULL)) {
    complain(argc != 2 ? "--bodies takes one run directory" : "--bodies and --colour-by exclude each other");
    return EXIT_USAGE;
  }
  int status = argc == 2 ? use_scene(&job, argv[1]) : EXIT_DONE;
  mesh_wish wish = {.stem = "particles",
                    .frames = o->frames,
                    .output = o->output,
                    .format = o->format,
                    .overwrite = o->overwrite};
  if (status == EXIT_DONE && o->bodies && !scene_flows(mote_scene_file_scene(job.scene)))
    job.frame = frame_list_read(argv[1], &wish.bare_frames);
  if (status == EXIT_DONE) status = mesh_files_make(argc - 1, argv + 1, &wish, &job.files);
  if (status == EXIT_DONE) status = run_job(&job);
  sequence_free(&job.files);
  close_bodies(&job);
  return status;
}
