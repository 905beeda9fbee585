/* Interruption of a run by Ctrl-C (SIGINT), SIGTERM or SIGHUP. */
#ifndef CORDAGE_CLI_INTERRUPT_H
#define CORDAGE_CLI_INTERRUPT_H

#include <stdbool.h>

/* Catches the signals from here on. The first one asks the computation to end (interrupt_cancels). If interrupt_obeyed()
 * is not called within 0.8 s, the process ends with the exit code of the signal: some computations, such as the
 * ordering of a large matrix by another library, cannot be interrupted. A second signal ends the process at once.
 * `recording`: there is one, which is then said to be kept. */
void interrupt_catch(bool recording);

/* The number of the signal that was caught; 0: none. */
int interrupt_signal(void);

/* For cord_world_set_cancel(): a computation has a fifth of a second after the signal to finish its step. */
bool interrupt_cancels(void *unused);

/* The computation has ended: files may now be completed, however long that takes. Returns the exit code; without a
 * signal it is EXIT_GOOD. */
int interrupt_obeyed(void);

#endif
