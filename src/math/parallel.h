/* Loops whose iterations are independent, in several threads. */
#ifndef CORDAGE_MATH_PARALLEL_H
#define CORDAGE_MATH_PARALLEL_H

/* Threads of a loop at most. */
enum { MOST_THREADS = 64 };

/* One iteration, in the thread of that number. */
typedef void parallel_task(void *context, int index, int thread);

/* All iterations, in an order that is not defined, in up to so many threads; with one in the order of indices. */
void cord__parallel_for(int threads, int count, parallel_task *task, void *context);
/* The same of long iterations, which threads take one by one instead of several at a time. */
void cord__parallel_for_each(int threads, int count, parallel_task *task, void *context);

#endif
