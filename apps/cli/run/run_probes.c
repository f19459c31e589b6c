// What a run measures: see run_probes.h.
#include "cli/run/run_probes.h"

#include <math.h>
#include <mote/fracture.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"
#include "cli/files/elastic_positions.h"

#define TABLE_HEAD 2048  // bytes of remarks and names of columns

const char *run_totals_columns(int *count) {
  *count = 22;
  return "time,step,particles,emitted,drained,left,mass,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
         "angular_momentum_y,angular_momentum_z,kinetic_energy,potential_energy,centre_x,centre_y,centre_z,"
         "speed_max,compression_mean,compression_max,volume_error";
}

const char *run_probe_columns(const mote_probe_def *def, int *count) {
  bool level = def->kind == MOTE_PROBE_LEVEL;
  if (def->kind == MOTE_PROBE_BODY) {
    *count = 10;
    return "time,x,y,z,velocity_x,velocity_y,velocity_z,displacement_x,displacement_y,displacement_z";
  }
  if (def->kind == MOTE_PROBE_FORCE) {
    *count = 7;
    return "time,force_x,force_y,force_z,reaction_x,reaction_y,reaction_z";
  }
  *count = level ? 10 : 9;
  return level ? "time,level,x,y,z,velocity_x,velocity_y,velocity_z,pressure,density"
               : "time,x,y,z,velocity_x,velocity_y,velocity_z,pressure,density";
}

void run_probe_file(const mote_probe_def *def, const char *ending, char name[64]) {
  snprintf(name, 64, "probe_%.40s.%.8s", def->name, ending);
}

// Bodies by their number among the rigid ones, from 1; orientations as unit quaternions.
static const char crack_columns[] = "time,body,crack_size,K_I,K_II,cracks,fragments";
static const char surface_columns[] = ",stretched";  // where surfaces of fragments are written
static const char body_columns[] =
    "time,body,x,y,z,orientation_w,orientation_x,orientation_y,orientation_z,"
    "velocity_x,velocity_y,velocity_z,spin_x,spin_y,spin_z";

static const char event_columns[] = "time,x,y,z,kind,rebuilt,removed_triangles,made_triangles";

typedef struct opening {
  const run_directory *directory;
  bool resume;
  double time;
} opening;

// With those that only scenes with heat have.
static void name_readings(const mote_scene *scene, const mote_probe_def *def, char *columns, size_t size) {
  int count;
  bool of_fluid = def->kind != MOTE_PROBE_BODY && def->kind != MOTE_PROBE_FORCE;
  snprintf(columns, size, "%s%s", run_probe_columns(def, &count),
           scene->world.heat && of_fluid ? ",temperature" : "");
}

static bool open_table(run_table *table, const opening *o, const char *name, const char *columns) {
  char path[PATH_CAPACITY], head[TABLE_HEAD];
  run_directory_path(o->directory, name, path);
  snprintf(head, sizeof head, "%s\n", columns);
  return o->resume ? run_table_reopen(table, path, head, o->time) : run_table_open(table, path, head);
}

// By the scene: columns stay when bodies are removed.
static bool has_elastic(const mote_scene *scene) {
  bool any = false;
  for (size_t b = 0; b < scene->bodies; ++b) any = any || elastic_material(scene, &scene->body[b]) != NULL;
  return any;
}

// Names of the columns of totals.csv, with those that only some scenes have.
static void name_totals(const mote_scene *scene, const mote_world *world, char *columns, size_t size) {
  int count;
  bool individual = scene->world.solver.steps == MOTE_STEPS_INDIVIDUAL;
  int length = snprintf(columns, size, "%s%s%s%s", run_totals_columns(&count),
                        has_elastic(scene) ? ",elastic_energy,inverted" : "",
                        individual ? ",evaluations,evaluations_all" : "",
                        scene->world.heat ? ",enthalpy,frozen_mass,front_x,front_y,front_z" : "");
  mote_ledger_entry entry;
  for (int k = 0; mote_world_ledger(world, k, &entry); ++k) {
    length +=
        snprintf(columns + length, size - (size_t)length, ",%s%s", entry.work ? "" : "ledger_", entry.name);
  }
}

static bool can_break(const mote_scene *scene, size_t body) {
  const mote_material_def *material = elastic_material(scene, &scene->body[body]);
  return material != NULL && material_can_break(material);
}

static int most_points(const mote_scene *scene) {
  int most = 1;
  for (size_t k = 0; k < scene->probes; ++k) {
    if (scene->probe[k].count > most) most = scene->probe[k].count;
  }
  return most;
}

bool run_probes_open(run_probes *probes, const run_directory *directory, const mote_scene *scene,
                     const mote_world *world, const run_fragments *fragments, bool resume) {
  char name[64];
  opening o = {directory, resume, mote_world_time(world)};
  *probes = (run_probes){.scene = scene,
                         .fragments = fragments->count > 0 ? fragments : NULL,
                         .table = calloc(scene->probes + 1, sizeof *probes->table),
                         .probe = calloc(scene->probes + 1, sizeof *probes->probe),
                         .reading = calloc((size_t)most_points(scene), sizeof *probes->reading)};
  if (probes->table == NULL || probes->probe == NULL || probes->reading == NULL) {
    return complain("out of memory for probes"), false;
  }
  char columns[TABLE_HEAD - 128];
  name_totals(scene, world, columns, sizeof columns);
  if (!open_table(&probes->totals, &o, "totals.csv", columns)) return false;
  probes->has_bodies = mote_world_rigid_bodies(world) > 0 || has_waiting(scene, material_is_rigid);
  if (probes->has_bodies && !open_table(&probes->bodies, &o, "bodies.csv", body_columns)) return false;
  for (size_t b = 0; b < scene->bodies; ++b) probes->has_cracks = probes->has_cracks || can_break(scene, b);
  snprintf(columns, sizeof columns, "%s%s", crack_columns, probes->fragments != NULL ? surface_columns : "");
  if (probes->has_cracks && !open_table(&probes->cracks, &o, "cracks.csv", columns)) return false;
  probes->has_events = scene->world.track.on;
  if (probes->has_events && !open_table(&probes->events, &o, "events.csv", event_columns)) return false;
  for (size_t k = 0; k < scene->probes; ++k) {
    probes->probe[k] = mote_world_find_probe(world, scene->probe[k].name);
    run_probe_file(&scene->probe[k], "csv", name);
    name_readings(scene, &scene->probe[k], columns, sizeof columns);
    if (!open_table(&probes->table[k], &o, name, columns)) return false;
  }
  return true;
}

void run_probes_close(run_probes *probes) {
  run_table_close(&probes->totals);
  if (probes->has_bodies) run_table_close(&probes->bodies);
  if (probes->has_cracks) run_table_close(&probes->cracks);
  if (probes->has_events) run_table_close(&probes->events);
  for (size_t k = 0; probes->table != NULL && k < probes->scene->probes; ++k) {
    run_table_close(&probes->table[k]);
  }
  free(probes->table), free(probes->probe), free(probes->reading);
  *probes = (run_probes){0};
}

// --- Reading ---

static void write_reading(run_table *table, mote_probe_kind kind, bool heat, const mote_reading *r) {
  if (kind == MOTE_PROBE_FORCE) {
    run_table_numbers(table, r->force, 3);
    run_table_numbers(table, r->reaction, 3);
    return;
  }
  if (kind == MOTE_PROBE_LEVEL) run_table_number(table, r->level);
  run_table_numbers(table, r->position, 3);
  run_table_numbers(table, r->velocity, 3);
  if (kind == MOTE_PROBE_BODY) {
    run_table_numbers(table, r->displacement, 3);
    return;
  }
  run_table_number(table, r->pressure);
  run_table_number(table, r->density);
  if (heat) run_table_number(table, r->temperature);
}

static bool read_probe(run_probes *probes, size_t k, mote_world *world) {
  APP_ASSERT(k < probes->scene->probes);
  mote_error error;
  run_table *table = &probes->table[k];
  int points = mote_world_probe_points(world, probes->probe[k]);
  if (mote_world_probe(world, probes->probe[k], probes->reading, &error) != MOTE_OK) {
    return complain_error(&error), false;
  }
  for (int i = 0; i < points; ++i) {
    const mote_reading *r = &probes->reading[i];
    run_table_row(table, mote_world_time(world));
    write_reading(table, probes->scene->probe[k].kind, probes->scene->world.heat, r);
    if (!run_table_end(table)) return false;
  }
  return true;
}

// By the two times alone, so that a run that goes on from a snapshot reads at the same moments.
static bool falls_due(double interval, double before, double now) {
  return interval > 0 && floor(now / interval) > floor(before / interval);
}

static bool write_events(run_table *table, const mote_world *world) {
  size_t count;
  const mote_world_track_event *event = mote_world_track_events(world, &count);
  bool ok = true;
  for (size_t k = 0; k < count && ok; ++k) {
    run_table_row(table, mote_world_time(world));
    run_table_numbers(table, event[k].event.place, 3);
    run_table_text(table, mote_track_kind_name(event[k].event.kind));
    run_table_integer(table, event[k].event.rebuilt);
    run_table_integer(table, event[k].removed);
    run_table_integer(table, event[k].made);
    ok = run_table_end(table);
  }
  return ok;
}

bool run_probes_step(run_probes *probes, mote_world *world, double before) {
  if (probes->has_events && !write_events(&probes->events, world)) return false;
  for (size_t k = 0; k < probes->scene->probes; ++k) {
    bool due = falls_due(probes->scene->probe[k].interval, before, mote_world_time(world));
    if (due && !read_probe(probes, k, world)) return false;
  }
  return true;
}

static bool write_totals(const run_probes *probes, run_table *table, const mote_world *world,
                         const mote_totals *t) {
  run_table_row(table, t->time);
  run_table_integer(table, t->step);
  run_table_integer(table, t->particles);
  run_table_integer(table, t->emitted);
  run_table_integer(table, t->drained);
  run_table_integer(table, t->left);
  run_table_number(table, t->mass);
  run_table_numbers(table, t->momentum, 3);
  run_table_numbers(table, t->angular_momentum, 3);
  run_table_number(table, t->kinetic_energy);
  run_table_number(table, t->potential_energy);
  run_table_numbers(table, t->centre, 3);
  run_table_number(table, t->speed_max);
  run_table_number(table, t->compression_mean);
  run_table_number(table, t->compression_max);
  run_table_number(table, t->volume_error);
  if (has_elastic(probes->scene)) {
    run_table_number(table, t->elastic_energy);
    run_table_integer(table, t->inverted);
  }
  if (probes->scene->world.solver.steps == MOTE_STEPS_INDIVIDUAL) {
    run_table_integer(table, t->evaluations);
    run_table_integer(table, t->evaluations_all);
  }
  if (probes->scene->world.heat) {
    run_table_number(table, t->enthalpy);
    run_table_number(table, t->frozen_mass);
    run_table_numbers(table, t->front, 3);
  }
  mote_ledger_entry entry;
  for (int k = 0; mote_world_ledger(world, k, &entry); ++k) run_table_number(table, entry.energy);
  return run_table_end(table);
}

// The number among the scene's rigid bodies of the next one of that name, from body *b of the scene on.
static size_t number_of(const mote_scene *scene, const char *name, size_t *b, size_t *number) {
  for (; *b < scene->bodies; ++*b) {
    if (!body_is(scene, &scene->body[*b], material_is_rigid)) continue;
    ++*number;
    if (strcmp(scene->body[*b].name, name) == 0) return ++*b, *number;
  }
  return *number;
}

// Bodies keep their numbers when others are removed.
static bool write_bodies(run_table *table, const mote_scene *scene, const mote_world *world) {
  size_t b = 0, number = 0;
  for (size_t k = 0; k < mote_world_rigid_bodies(world); ++k) {
    mote_body_state state;
    mote_body_info about;
    mote_body body = mote_world_rigid_body(world, k);
    if (mote_world_body(world, body, &state, NULL) != MOTE_OK) return false;
    if (mote_world_body_about(world, body, &about, NULL) != MOTE_OK) return false;
    run_table_row(table, mote_world_time(world));
    run_table_integer(table, number_of(scene, about.name, &b, &number));
    run_table_numbers(table, state.position, 3);
    run_table_numbers(table, state.orientation, 4);
    run_table_numbers(table, state.velocity, 3);
    run_table_numbers(table, state.spin, 3);
    if (!run_table_end(table)) return false;
  }
  return true;
}

// Bodies by their numbers among those of the scene that can break, from 1.
static bool write_cracks(run_probes *probes, const mote_world *world) {
  run_table *table = &probes->cracks;
  const mote_scene *scene = probes->scene;
  uint64_t number = 0;
  for (size_t b = 0; b < scene->bodies; ++b) {
    if (!can_break(scene, b)) continue;
    ++number;
    mote_crack_summary now;
    mote_body body = mote_world_find_body(world, scene->body[b].name);
    if (body.generation == 0) continue;  // removed
    mote_error error;
    if (mote_world_find_cracks(world, body, &now, &error) != MOTE_OK) return complain_error(&error), false;
    run_table_row(table, mote_world_time(world));
    run_table_integer(table, number);
    run_table_number(table, now.size);
    run_table_number(table, now.one);
    run_table_number(table, now.two);
    run_table_integer(table, now.cracks);
    run_table_integer(table, now.fragments);
    if (probes->fragments != NULL)
      run_table_integer(table, run_fragments_stretched(probes->fragments, scene->body[b].name));
    if (!run_table_end(table)) return false;
  }
  return true;
}

bool run_probes_frame(run_probes *probes, mote_world *world, const mote_totals *totals) {
  if (!write_totals(probes, &probes->totals, world, totals)) return false;
  if (probes->has_bodies && !write_bodies(&probes->bodies, probes->scene, world)) return false;
  if (probes->has_cracks && !write_cracks(probes, world)) return false;
  for (size_t k = 0; k < probes->scene->probes; ++k) {
    bool due = !(probes->scene->probe[k].interval > 0) || totals->time == 0;
    if (due && !read_probe(probes, k, world)) return false;
  }
  return true;
}

bool run_probes_cut(run_probes *probes, double time) {
  bool ok = run_table_cut(&probes->totals, time);
  if (ok && probes->has_bodies) ok = run_table_cut(&probes->bodies, time);
  if (ok && probes->has_cracks) ok = run_table_cut(&probes->cracks, time);
  if (ok && probes->has_events) ok = run_table_cut(&probes->events, time);
  for (size_t k = 0; ok && k < probes->scene->probes; ++k) ok = run_table_cut(&probes->table[k], time);
  return ok;
}

bool run_probes_sync(run_probes *probes) {
  bool ok = run_table_sync(&probes->totals);
  if (ok && probes->has_bodies) ok = run_table_sync(&probes->bodies);
  if (ok && probes->has_cracks) ok = run_table_sync(&probes->cracks);
  if (ok && probes->has_events) ok = run_table_sync(&probes->events);
  for (size_t k = 0; ok && k < probes->scene->probes; ++k) ok = run_table_sync(&probes->table[k]);
  return ok;
}
