/* Recording a run: results in files, in any of the registered formats. */
#ifndef CORDAGE_RECORD_H
#define CORDAGE_RECORD_H

#include <cordage/simulation.h>

CORD_BEGIN

typedef struct cord_recorder cord_recorder;

/* The names of the output formats, NULL-terminated. */
CORD_API const char *const *cord_format_names(void);

/* Start recording a simulation into `directory` (made when it is not there), in the given formats
 * (NULL-terminated). *recorder is NULL only when memory is out; on other failures it holds the
 * message and is to be closed. */
CORD_API cord_status cord_recorder_open(cord_simulation *simulation, const char *directory,
                                        const char *const *formats, cord_recorder **recorder);

typedef struct cord_recorder_def {
    const char *directory;        /* made when it is not there; default "." */
    const char *const *formats;   /* NULL-terminated; default: none */
    const char *const *overrides; /* that the scene was read with, kept with the recording so that
                                     it can be continued; NULL: nothing */
    int64_t keep; /* go on after this many frames of the recording that is in the directory already;
                     0, the default: begin a new one */
} cord_recorder_def;

CORD_API cord_recorder_def cord_recorder_def_default(void);

/* As cord_recorder_open(), with more to say. */
CORD_API cord_status cord_recorder_create(cord_simulation *simulation, const cord_recorder_def *def,
                                          cord_recorder **recorder);

/* Record the world as it is now. */
CORD_API cord_status cord_recorder_frame(cord_recorder *recorder);

/* Complete the files. The recorder is gone afterwards, whatever the status; NULL is fine. */
CORD_API cord_status cord_recorder_close(cord_recorder *recorder);

/* The message of the last failure, "" when there was none; valid until closed. */
CORD_API const char *cord_recorder_get_error(const cord_recorder *recorder);

CORD_END

#endif
