#include "math/parallel.h"

#include "math/callback.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Iterations that a thread takes at a time. */
enum { CHUNK = 8 };

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* The threads poll for the call of the thread that began the loop. */
static void run_in_thread(parallel_task *task, void *context, int index, cancellation *of)
{
    cancellation *before = cord__cancel_current();
    cord__cancel_adopt(of);
    task(context, index, thread_number());
    cord__cancel_adopt(before);
}

void cord__parallel_for(int threads, int count, parallel_task *task, void *context)
{
    if (threads > 1 && count > CHUNK) {
        cancellation *of = cord__cancel_current();
#pragma omp parallel for schedule(dynamic, CHUNK) num_threads(threads)
        for (int i = 0; i < count; i++) run_in_thread(task, context, i, of);
    } else {
        for (int i = 0; i < count; i++) task(context, i, 0);
    }
}
