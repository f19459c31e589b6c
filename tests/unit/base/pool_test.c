// The helpers: every chunk is done once, by workers of different numbers, whatever loops run beside or inside
// each other, with more threads than cores, in many short loops, and in a child of fork.
#define _POSIX_C_SOURCE 200809L
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

#define MOST 4096

typedef struct tally {
  unsigned char seen[MOST];  // each element belongs to one chunk
  atomic_bool busy[MOTE_THREADS_MAX];
  atomic_int wrong;
  int threads;
} tally;

// No two chunks at a time may have the same worker: it selects memory.
static void count(void *data, size_t begin, size_t end, int worker) {
  tally *t = data;
  if (worker < 0 || worker >= t->threads || atomic_exchange(&t->busy[worker], true)) {
    atomic_fetch_add(&t->wrong, 1);
    return;
  }
  for (size_t i = begin; i < end; ++i) ++t->seen[i];
  atomic_store(&t->busy[worker], false);
}

static int times_wrong(const tally *t, size_t elements, int times) {
  int wrong = atomic_load(&t->wrong);
  for (size_t i = 0; i < MOST; ++i) wrong += t->seen[i] != (i < elements ? times : 0);
  return wrong;
}

static void any_number_of_threads_does_all(void) {
  const int counts[] = {2, 3, 7, 64, MOTE_THREADS_MAX};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
    static tally t;
    memset(&t, 0, sizeof t);
    t.threads = counts[k];
    CHECK(mote_pool_run(counts[k], MOST, 3, count, &t));
    CHECK(times_wrong(&t, MOST, 1) == 0);
  }
}

static void short_loops_follow_each_other(void) {
  for (int threads = 2; threads <= 5; ++threads) {
    static tally t;
    memset(&t, 0, sizeof t);
    t.threads = threads;
    int refused = 0;
    for (int k = 0; k < 20000; ++k) {
      refused += !mote_pool_run(threads, 8, 1, count, &t);
      if (k % 250 == 249) {
        CHECK(times_wrong(&t, 8, 250) == 0);
        memset(t.seen, 0, sizeof t.seen);
      }
      if (k % 4000 == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);  // they fall asleep
    }
    CHECK(refused == 0);
  }
}

// A chunk that waits for another to begin ends only if two threads are at work.
static atomic_int begun;
static void meet(void *data, size_t begin, size_t end, int worker) {
  (void)data, (void)begin, (void)end, (void)worker;
  atomic_fetch_add(&begun, 1);
  while (atomic_load(&begun) < 2) sched_yield();
}

static void helpers_do_come(void) {
  for (int k = 0; k < 200; ++k) {
    atomic_store(&begun, 0);
    CHECK(mote_pool_run(2, 2, 1, meet, NULL));
    if (k % 50 == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static void three_deep(void *data, size_t begin, size_t end, int worker) {
  tally *t = data;
  (void)worker;
  for (size_t i = begin; i < end; ++i) {
    if (t->threads < 4) {  // the next level, of its own
      t[1 + i].threads = t->threads + 1;
      mote_parallel_for(t->threads + 1, 4, 1, three_deep, &t[1 + i]);
    } else {
      ++t->seen[i];
    }
  }
}

static void loops_within_loops(void) {
  static tally t[16];
  for (int k = 0; k < 50; ++k) {
    memset(t, 0, sizeof t);
    t->threads = 3;
    mote_parallel_for(3, 4, 1, three_deep, t);
    for (int i = 1; i <= 4; ++i) CHECK(memcmp(t[i].seen, "\1\1\1\1", 5) == 0);
  }
}

static void *many_loops(void *data) {
  tally *t = data;
  for (int k = 0; k < 250; ++k) mote_parallel_for(t->threads, MOST, 64, count, t);
  return NULL;
}

// More callers than there are slots.
static void callers_at_once(void) {
  enum { CALLERS = 40 };
  static tally t[CALLERS];
  pthread_t caller[CALLERS];
  memset(t, 0, sizeof t);
  int started = 0;
  for (int k = 0; k < CALLERS; ++k) {
    t[k].threads = 2 + k % 3;
    started += pthread_create(&caller[started], NULL, many_loops, &t[k]) == 0;
  }
  CHECK(started == CALLERS);
  for (int k = 0; k < started; ++k) {
    CHECK(pthread_join(caller[k], NULL) == 0);
    CHECK(times_wrong(&t[k], MOST, 250) == 0);
  }
}

static void signals_are_left_alone(void *data, size_t begin, size_t end, int worker) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  if (sigismember(&blocked, SIGINT) != (worker > 0)) atomic_fetch_add(&((tally *)data)->wrong, 1);
  meet(NULL, begin, end, worker);
}

static void helpers_take_no_signals(void) {
  static tally t;
  atomic_store(&begun, 0);
  CHECK(mote_pool_run(2, 2, 1, signals_are_left_alone, &t));
  CHECK(atomic_load(&t.wrong) == 0);
}

#if defined(__SANITIZE_THREAD__)
#define CHILDREN_MAY_HAVE_THREADS 0  // it ends them
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHILDREN_MAY_HAVE_THREADS 0
#endif
#endif
#ifndef CHILDREN_MAY_HAVE_THREADS
#define CHILDREN_MAY_HAVE_THREADS 1
#endif

static void children_have_their_own(void) {
  if (!CHILDREN_MAY_HAVE_THREADS) return;
  for (int k = 0; k < 20; ++k) {
    pid_t child = fork();
    if (child == 0) {
      atomic_store(&begun, 0);
      _exit(!mote_pool_run(2, 2, 1, meet, NULL));
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    helpers_do_come();
  }
}

int main(void) {
  helpers_do_come();
  short_loops_follow_each_other();
  loops_within_loops();
  callers_at_once();
  helpers_take_no_signals();
  children_have_their_own();
  any_number_of_threads_does_all();
  short_loops_follow_each_other();  // with a thousand helpers asleep
  CHECK(mote_pool_cores() >= 1);
  return test_end();
}
