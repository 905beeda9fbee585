/* Threads that take the iterations of a loop together with its caller.
 *
 * A loop ends when its iterations have ended, not when every thread has come to it: the caller takes all that others have not taken. So a
 * thread that gets no processor, on a machine that is busy otherwise, costs nothing. (At the barrier of an OpenMP region all threads
 * wait for each other, spinning: steps of hair in two threads took twice as long as in one beside a build.)
 *
 * Threads wait for the next loop by spinning for some ten microseconds, then asleep. One loop has them at a time: another caller's loop,
 * or a loop within a loop, runs in the thread of its caller. */
#include "math/parallel.h"

#include "math/callback.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#ifdef _OPENMP /* elsewhere, as in WebAssembly, there are no threads */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#endif

/* Iterations that a thread takes at a time. */
enum { CHUNK = 8 };

#ifdef _OPENMP
/* A loop is divided into a share of consecutive iterations for each thread, which helps the others when its own is done. So
 * iterations stay with the thread that had them in the loop before, and what they write in its cache: a hundred rods in
 * two threads take 0.87 of the time that they take where threads take whatever comes next. */
typedef struct share {
    _Alignas(64) atomic_int next; /* a cache line each */
    int end;
} share;

typedef struct loop {
    int threads, chunk;
    parallel_task *task;
    void *context;
    cancellation *cancels; /* the call of the thread that began the loop, which all poll for */
    share share[MOST_THREADS];
} loop;

static void run_shares(loop *x, int thread)
{
    for (int k = 0; k < x->threads; k++) {
        share *of = x->share + (thread + k) % x->threads;
        int i;
        while ((i = atomic_fetch_add_explicit(&of->next, x->chunk, memory_order_relaxed)) < of->end)
            for (int end = i + x->chunk; i < end && i < of->end; i++)
                x->task(x->context, i, thread);
    }
}

/* ---- the threads -------------------------------------------------------------------------------- */

static struct {
    _Alignas(64) _Atomic(loop *) present; /* the loop that has the threads */
    _Alignas(64) atomic_int inside;       /* threads that may be in it */
    _Alignas(64) atomic_uint loops;       /* that have begun */
    atomic_int asleep;
    atomic_bool busy, ending;
    int started; /* under `busy` */
    pthread_t thread[MOST_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t wake;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

/* Turns of waiting before a thread sleeps, or gives its processor to another one. */
enum { SPINS = 1000 };

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void await_loop(unsigned seen)
{
    for (int i = 0; i < SPINS && atomic_load(&pool.loops) == seen; i++) relax();
    if (atomic_load(&pool.loops) != seen) return;
    pthread_mutex_lock(&pool.mutex);
    atomic_fetch_add(&pool.asleep, 1);
    while (atomic_load(&pool.loops) == seen) pthread_cond_wait(&pool.wake, &pool.mutex);
    atomic_fetch_sub(&pool.asleep, 1);
    pthread_mutex_unlock(&pool.mutex);
}

/* `number`: its own, from 1 on. It announces itself before it looks for the loop, whose caller withdraws it before looking for threads. */
static void *work(void *number)
{
    const int own = (int)(ptrdiff_t)number;
    for (unsigned seen = 0; !atomic_load(&pool.ending);) {
        await_loop(seen);
        seen = atomic_load(&pool.loops);
        atomic_fetch_add(&pool.inside, 1);
        loop *x = atomic_load(&pool.present);
        if (x && own < x->threads) {
            cord__cancel_adopt(x->cancels);
            run_shares(x, own);
            cord__cancel_adopt(NULL);
        }
        atomic_fetch_sub(&pool.inside, 1);
    }
    return NULL;
}

static void announce(void)
{
    atomic_fetch_add(&pool.loops, 1);
    if (atomic_load(&pool.asleep) == 0) return;
    pthread_mutex_lock(&pool.mutex);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.mutex);
}

/* A process that was forked has none of the threads. */
static void forget_threads(void)
{
    atomic_store(&pool.present, NULL);
    atomic_store(&pool.inside, 0);
    atomic_store(&pool.asleep, 0);
    atomic_store(&pool.busy, false);
    pool.started = 0;
    pool.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.wake = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}

/* Signals are for the threads of the program. */
static void start_threads(int count)
{
    static bool registered;
    sigset_t all, before;
    if (pool.started >= count) return;
    if (!registered) registered = pthread_atfork(NULL, NULL, forget_threads) == 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.started < count && pthread_create(pool.thread + pool.started, NULL, work,
                                                  (void *)(ptrdiff_t)(pool.started + 1)) == 0)
        pool.started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* When the process ends, or the library is unloaded. */
__attribute__((destructor)) static void end_threads(void)
{
    if (atomic_exchange(&pool.busy, true)) return; /* by a call of exit() in a loop */
    atomic_store(&pool.ending, true);
    announce();
    for (int i = 0; i < pool.started; i++) pthread_join(pool.thread[i], NULL);
    pool.started = 0;
}

static void run_in_threads(loop *x)
{
    start_threads(x->threads - 1);
    atomic_store(&pool.present, x);
    announce();
    run_shares(x, 0);
    atomic_store(&pool.present, NULL);
    for (int i = 0; atomic_load(&pool.inside) > 0; i++)
        if (i < SPINS)
            relax();
        else
            sched_yield();
}
#endif

static void run(int threads, int chunk, int count, parallel_task *task, void *context)
{
#ifdef _OPENMP
    if (threads > 1 && count > chunk && !atomic_exchange(&pool.busy, true)) {
        loop x; /* without the shares that are not used */
        x.threads = threads < MOST_THREADS ? threads : MOST_THREADS;
        x.chunk = chunk, x.task = task, x.context = context;
        x.cancels = cord__cancel_current();
        for (int i = 0; i < x.threads; i++) {
            atomic_init(&x.share[i].next, (int)((long long)count * i / x.threads));
            x.share[i].end = (int)((long long)count * (i + 1) / x.threads);
        }
        run_in_threads(&x);
        atomic_store(&pool.busy, false);
        return;
    }
#endif
    (void)threads;
    (void)chunk;
    for (int i = 0; i < count; i++) task(context, i, 0);
}

void cord__parallel_for(int threads, int count, parallel_task *task, void *context)
{
    run(threads, CHUNK, count, task, context);
}

void cord__parallel_for_each(int threads, int count, parallel_task *task, void *context)
{
    run(threads, 1, count, task, context);
}
