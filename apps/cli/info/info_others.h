// mote info of files that are neither particles nor meshes, scenes, snapshots or pictures: tables and reports
// of runs, series, grids, videos. All give the exit status.
#ifndef MOTE_INFO_OTHERS_H
#define MOTE_INFO_OTHERS_H

#include <mote/base.h>
#include <stdbool.h>

int info_table(const char *path, bool json, const mote_env *env);
int info_grid(const char *path, bool json, const mote_env *env);
int info_series(const char *path, bool json, const mote_env *env);
int info_report(const char *path, bool json, const mote_env *env);
int info_commands(const char *path, bool json, const mote_env *env);
// Videos and drawings: their size.
int info_bytes(const char *path, bool json, const mote_env *env);

#endif
