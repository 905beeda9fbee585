/* Callbacks of the user: the allocator, surfaces, and the function that cancels a long computation. A callback must
 * not call the library back, except for the queries that the headers name; the depth tells that a thread is in one. */
#ifndef CORDAGE_MATH_CALLBACK_H
#define CORDAGE_MATH_CALLBACK_H

#include <cordage/world.h>
#include <stdatomic.h>
#include <stdbool.h>

extern _Thread_local int cord__callback_depth;

/* The cancel function of one long call, and its answer. */
typedef struct cancellation {
    cord_cancel from;
    atomic_bool cancelled; /* it has answered true once; it is not called again */
    atomic_flag calling;   /* a thread is in it: other threads do not wait */
} cancellation;

/* Begins a long call on this thread, whose polls ask `from`; returns the cancellation before, which
 * cord__cancel_end() restores. `c` is a variable of the caller's. */
cancellation *cord__cancel_begin(cancellation *c, const cord_cancel *from);
/* Whether the call was cancelled. */
bool cord__cancel_end(const cancellation *c, cancellation *before);

/* The cancellation of this thread's call, which the threads of a parallel loop take over. */
cancellation *cord__cancel_current(void);
void cord__cancel_adopt(cancellation *c);

/* Asks whether the present call is to be cancelled. The caller then returns as after a failure; the public function
 * returns CORD_ERROR_CANCELLED. */
bool cord__cancelled(void);

#endif
