/* Opening recordings, which may be damaged. */
#ifndef CORDAGE_CLI_RECORDING_H
#define CORDAGE_CLI_RECORDING_H

#include "record/reading.h"

#include <stdio.h>

/* Reads a recording in a child process, since HDF5 may crash on a damaged file: a crash ends the child only. A
 * file up to RECORDING_TRIED_BYTES is read whole, of a larger one the structure and the last frame. Returns an
 * exit code, and prints a message on failure. A recording that the library refuses with a message of its own is
 * no failure here. */
enum { RECORDING_TRIED_BYTES = 64 << 20 };
int try_recording(const char *path);

/* The same, but reads all of any file and lists the damaged datasets and frames on `out`; EXIT_ENGINE when there
 * are any, and when the recording cannot be opened. */
int verify_recording(const char *path, FILE *out);

/* try_recording() and cord__reading_open(); the caller closes *from in either case. */
int open_recording(const char *path, reading **from);

#endif
