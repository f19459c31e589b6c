// Room for the path of a file.
#ifndef MOTE_PATHS_H
#define MOTE_PATHS_H

#define PATH_CAPACITY 4096

#endif
