// mote help materials: the presets of materials and their values.
#ifndef MOTE_HELP_MATERIALS_H
#define MOTE_HELP_MATERIALS_H

// Gives the exit status.
int print_materials(void);

#endif
