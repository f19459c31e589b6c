// Values that go with surfaces: which fields of the particles are carried, and colours by one of them.
#ifndef MOTE_SURFACE_VALUES_H
#define MOTE_SURFACE_VALUES_H

#include <mote/draw.h>
#include <mote/io.h>
#include <mote/surface.h>

// What was asked for. Without a list all floating-point fields are carried.
typedef struct surface_wish {
  bool listed;
  char name[MOTE_SURFACE_FIELDS][64];
  int names;
  const char *colour_by, *map;
  double low, high;  // NaN: from the first surface on
} surface_wish;

surface_wish surface_wish_default(void);
// A list with commas; null: all; "none": none. Complains.
bool surface_wish_fields(surface_wish *wish, const char *list);
// Finds the fields in the cloud. `holds`: whether the format has room for fields at all. Complains where one
// is not there; `path` for that.
bool surface_wish_choose(const surface_wish *wish, const mote_cloud *cloud, bool holds, const char *path,
                         mote_field_view out[MOTE_SURFACE_FIELDS], int *count);
// Adds the field "colour" and takes the field it is made of away where it was not asked for itself. Fixes the
// range at the first call. Complains; gives the exit status.
int surface_wish_colour(surface_wish *wish, mote_surface *surface, bool holds, const mote_env *env);
// Takes fields away that were not asked for, where the surface came with fields of its own.
void surface_wish_keep(const surface_wish *wish, mote_surface *surface, const mote_env *env);

// Whether files of this ending hold fields.
bool surface_holds_fields(const char *path);

#endif
