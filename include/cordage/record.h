/* Recording: writes the results of a run to files, in one or more output formats. One thread at a time
 * uses a recorder, its scene and its world. */
#ifndef CORDAGE_RECORD_H
#define CORDAGE_RECORD_H

#include <cordage/simulation.h>

CORD_BEGIN

/* A recorder; cord_recorder_close() destroys it. */
typedef struct cord_recorder cord_recorder;

/* Returns the names of the output formats, a static array that ends with NULL. */
CORD_API const char *const *cord_format_names(void);

/* Opens a recorder of a simulation, which must outlive it. The files go to `directory`,
 * which is created where it does not exist, in the given formats, an array that ends with NULL. After
 * a failure *recorder is NULL (CORD_ERROR_MEMORY), or it has the message and the caller closes it.
 * Returns CORD_ERROR_UNKNOWN_NAME when there is no such format, CORD_ERROR_FILE when a file cannot be
 * written, and CORD_ERROR_UNSUPPORTED. */
CORD_API cord_status cord_recorder_open(cord_simulation *simulation, const char *directory,
                                        const char *const *formats, cord_recorder **recorder);

/* The definition of a recorder. */
typedef struct cord_recorder_def {
    const char *directory;      /* created where it does not exist; default "." */
    const char *const *formats; /* names, ends with NULL; default: none */
    const char *const
        *overrides; /* the overrides of cord_scene_read(), stored in the recording, which
                                     needs them to be continued; NULL (the default): none */
    /* The file engine.js, with which pages go live: its contents are put into each page, or (`engine_shared`) its address
     * relative to the page. NULL (the default): none. */
    const char *engine;
    bool engine_shared;
    int64_t
        keep; /* continue the recording in `directory` after this many frames; default 0: begin a
                     new recording */
} cord_recorder_def;

/* Returns the default definition. */
CORD_API cord_recorder_def cord_recorder_def_default(void);

/* Opens a recorder from a definition; see cord_recorder_open(). */
CORD_API cord_status cord_recorder_create(cord_simulation *simulation, const cord_recorder_def *def,
                                          cord_recorder **recorder);

/* Records the present state of the world as the next frame. Returns CORD_ERROR_FILE when a file cannot
 * be written. */
CORD_API cord_status cord_recorder_frame(cord_recorder *recorder);

/* Records that the run has failed, with the message that a page shows. A page receives the present state
 * as its last frame and marks the objects of cord_world_get_failure(). A recording without any frame
 * receives the present state as well; values that cannot be measured are NaN, and the recording cannot
 * be continued. Returns CORD_ERROR_FILE when a file cannot be written. */
CORD_API cord_status cord_recorder_failure(cord_recorder *recorder, const char *message);

/* Completes the files and destroys the recorder, also on failure. `recorder` may be NULL. Returns
 * CORD_ERROR_FILE when a file cannot be completed. */
CORD_API cord_status cord_recorder_close(cord_recorder *recorder);

/* Returns the message of the last failure, "" when there was none. The string belongs to the recorder. */
CORD_API const char *cord_recorder_get_error(const cord_recorder *recorder);

CORD_END

#endif
