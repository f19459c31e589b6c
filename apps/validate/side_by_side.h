// Tasks that run side by side, each in a process of its own, with what they print in the order of the tasks.
#ifndef MOTE_SIDE_BY_SIDE_H
#define MOTE_SIDE_BY_SIDE_H

#include <stdbool.h>
#include <stddef.h>

typedef void side_task(void *data, size_t k);

// At most `at_once` of `count` tasks at a time. What a task changes in memory is lost, but for memory of
// side_memory_take. False: a task was ended by a signal or could not be started; dead[k] tells which.
bool side_by_side(size_t count, int at_once, side_task *task, void *data, bool *dead);

// Memory that tasks share with the caller, zero at first; null: there is none.
void *side_memory_take(size_t size);
void side_memory_give(void *memory, size_t size);

#endif
