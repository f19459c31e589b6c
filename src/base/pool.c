// The thread pool.
//
// A loop is published in a slot. Its caller starts immediately without waiting for helpers; a helper that
// finds the slot takes one of its seats, then chunk after chunk. The first thread that finds no chunk left
// closes the slot, and the caller waits for the helpers inside. Idle threads spin for microseconds, then
// sleep, so that waiting threads do not keep others from working, in this or another program. With more
// threads than cores they sleep immediately. Costs: docs/performance.md.
//
// One word of a slot counts its free seats and the helpers inside. A seat is taken by one compare-and-swap of
// that word, which fails if the slot was closed meanwhile; slots are static, so that a late access is
// harmless. A thread that goes to sleep announces it and checks for work once more; a thread that publishes
// work writes it and then checks for sleepers. All four accesses are sequentially consistent, so that one of
// the two sees the other.
#define _GNU_SOURCE  // sched_getaffinity
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/tuning.inc"

#define LOOP_SLOTS 32             // loops at a time
#define FREE_SEATS 0xffffU        // of a slot's state: seats that are free
#define ENTERED (FREE_SEATS + 1)  // one helper inside

typedef struct slot {
  _Alignas(64) atomic_uint state;
  atomic_bool taken;
  _Alignas(64) atomic_size_t next;  // chunk
  size_t chunks, count, grain;
  mote_task *task;
  void *data;
} slot;

static slot board[LOOP_SLOTS];
static atomic_int helpers;         // there are; grows under the lock
static atomic_int wanted;          // helpers, by all loops that are not part of another
static atomic_int sleepers;        // helpers without work
static atomic_int waiting;         // callers asleep until their helpers have left
static atomic_bool cores_for_all;  // no more threads than cores
static atomic_bool stopping;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loop_came = PTHREAD_COND_INITIALIZER, helper_left = PTHREAD_COND_INITIALIZER;
static pthread_t thread[MOTE_THREADS_MAX];
static int most = MOTE_THREADS_MAX - 1;  // helpers that the system lets us have
static _Thread_local int depth;          // of the loops that this thread is in

// Wakes up to `count` of those who wait for `condition`. Having had the lock, it knows that they do.
static void wake(pthread_cond_t *condition, int asleep, int count) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  if (count >= asleep) {
    pthread_cond_broadcast(condition);
  } else {
    for (int k = 0; k < count; ++k) pthread_cond_signal(condition);
  }
}

static void work(slot *s, int worker) {
  ++depth;
  for (size_t c; (c = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) < s->chunks;) {
    size_t begin = c * s->grain;
    s->task(s->data, begin, s->count - begin < s->grain ? s->count : begin + s->grain, worker);
  }
  atomic_fetch_and(&s->state, ~FREE_SEATS);
  --depth;
}

// Helps with one loop, if there is one. The number of the place is that of the worker.
static bool help(void) {
  for (int k = 0; k < LOOP_SLOTS; ++k) {
    slot *s = &board[k];
    unsigned state = atomic_load(&s->state);
    while (state & FREE_SEATS) {
      if (!atomic_compare_exchange_weak(&s->state, &state, state + ENTERED - 1)) continue;
      work(s, (int)(state & FREE_SEATS));
      unsigned before = atomic_fetch_sub(&s->state, ENTERED);  // and s is no longer ours to look at
      int asleep = before < 2 * ENTERED ? atomic_load(&waiting) : 0;
      if (asleep > 0) wake(&helper_left, asleep, asleep);
      return true;
    }
  }
  return false;
}

typedef bool news(const slot *s);

// Spins for a while. A helper yields its core meanwhile. A caller does not: it only waits for the rest of a
// chunk, and might not get its core back before the time slice of another thread ends.
static bool wait_for_news(news *came, const slot *s) {
  bool helper = s == NULL;
  if (!atomic_load_explicit(&cores_for_all, memory_order_relaxed)) return came(s);
  for (double end = mote_clock_seconds() + (helper ? BETWEEN_LOOPS : LAST_CHUNK); !came(s);) {
    if (mote_clock_seconds() > end) return false;
    if (helper) sched_yield();
  }
  return true;
}

static void sleep_until(news *came, const slot *s, atomic_int *asleep, pthread_cond_t *condition) {
  pthread_mutex_lock(&lock);
  atomic_fetch_add(asleep, 1);
  while (!came(s)) pthread_cond_wait(condition, &lock);
  atomic_fetch_sub(asleep, 1);
  pthread_mutex_unlock(&lock);
}

static bool something_to_do(const slot *unused) {
  (void)unused;
  for (int k = 0; k < LOOP_SLOTS; ++k) {
    if (atomic_load(&board[k].state) & FREE_SEATS) return true;
  }
  return atomic_load(&stopping);
}

static bool all_left(const slot *s) {
  return atomic_load(&s->state) < ENTERED;
}

static void *helper_main(void *unused) {
  while (!atomic_load(&stopping)) {
    if (help() || wait_for_news(something_to_do, NULL)) continue;
    sleep_until(something_to_do, NULL, &sleepers, &loop_came);
  }
  return unused;
}

static void fork_prepare(void) {
  pthread_mutex_lock(&lock);
}

static void fork_parent(void) {
  pthread_mutex_unlock(&lock);
}

// A child has none of its parent's helpers, and none of the loops of other threads.
static void fork_child(void) {
  for (int k = 0; k < LOOP_SLOTS; ++k) {
    atomic_store(&board[k].state, 0);
    atomic_store(&board[k].taken, false);
  }
  atomic_store(&sleepers, 0);
  atomic_store(&waiting, 0);
  atomic_store(&wanted, 0);
  atomic_store(&helpers, 0);
  pthread_cond_init(&loop_came, NULL);
  pthread_cond_init(&helper_left, NULL);
  pthread_mutex_unlock(&lock);
}

static void watch_forks(void) {
  pthread_atfork(fork_prepare, fork_parent, fork_child);
}

// Starts helpers until there are `count`, as far as the system lets us. They leave signals to the others.
static void grow(int count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  sigset_t all, old;
  sigfillset(&all);
  pthread_mutex_lock(&lock);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int have = atomic_load(&helpers);
  while (have < count && have < most && !atomic_load(&stopping)) {
    bool started = pthread_create(&thread[have], NULL, helper_main, NULL) == 0;
    if (!started) most = have;
    have += started;
  }
  atomic_store(&helpers, have);
  atomic_store(&cores_for_all, have < mote_pool_cores());
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_mutex_unlock(&lock);
}

// At the end of the process, or where a library that holds us is unloaded.
__attribute__((destructor)) static void stop(void) {
  pthread_mutex_lock(&lock);
  atomic_store(&stopping, true);
  int count = atomic_exchange(&helpers, 0);
  pthread_cond_broadcast(&loop_came);
  pthread_mutex_unlock(&lock);
  for (int k = 0; k < count; ++k) {  // but not the one whose task has called exit
    if (!pthread_equal(thread[k], pthread_self())) pthread_join(thread[k], NULL);
  }
}

static slot *take_slot(void) {
  for (int k = 0; k < LOOP_SLOTS; ++k) {
    slot *s = &board[k];
    if (!atomic_load_explicit(&s->taken, memory_order_relaxed) && !atomic_exchange(&s->taken, true)) return s;
  }
  return NULL;
}

bool mote_pool_run(int threads, size_t count, size_t grain, mote_task *task, void *data) {
  MOTE_ASSERT(threads > 1 && threads <= MOTE_THREADS_MAX);
  MOTE_ASSERT(count > 0 && grain > 0);
  MOTE_ASSERT(task != NULL);
  slot *s = take_slot();
  if (s == NULL) return false;
  s->chunks = count / grain + (count % grain != 0);
  s->count = count, s->grain = grain, s->task = task, s->data = data;
  atomic_store_explicit(&s->next, 0, memory_order_relaxed);
  int seats = threads - 1;
  bool outermost = depth == 0;  // loops within loops take the helpers there are
  if (outermost) {
    int all = atomic_fetch_add(&wanted, seats) + seats;
    if (all > atomic_load(&helpers)) grow(all);
  }
  atomic_store(&s->state, (unsigned)seats);
  int asleep = atomic_load(&sleepers);
  if (asleep > 0) wake(&loop_came, asleep, seats);
  work(s, 0);
  if (!wait_for_news(all_left, s)) sleep_until(all_left, s, &waiting, &helper_left);
  if (outermost) atomic_fetch_sub(&wanted, seats);
  atomic_store(&s->taken, false);
  return true;
}

int mote_pool_cores(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 1 ? (int)cores : 1;
}
