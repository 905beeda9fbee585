/* The interface of an output format. Each fills one table and is listed below. */
#ifndef CORDAGE_RECORD_RECORDER_H
#define CORDAGE_RECORD_RECORDER_H

#include "record/snapshot.h"

#include <cordage/record.h>

/* Shared by all formats of one recorder. */
typedef struct recording {
    memory *mem;
    cord_simulation *simulation;
    frame_snapshot frame;         /* the snapshot that each frame is taken into */
    const char *directory;        /* exists */
    const char *const *overrides; /* NULL: none */
    const char *engine;           /* cord_recorder_def.engine; NULL: none */
    bool engine_shared;
    int64_t keep;        /* > 0: go on after this many frames of the recording there */
    int64_t frames;      /* taken by this recorder */
    double last_time;    /* of the last of them, s */
    const char *failure; /* the message of a run that has failed; NULL: it has not */
    char error[512];     /* set on failure */
} recording;

typedef struct recorder_ops {
    const char *name;
    /* *state is passed to the others; close is called also when open has failed half-way, with
     * whatever *state it left (NULL: not called). */
    cord_status (*open)(recording *r, void **state);
    cord_status (*frame)(recording *r, const frame_snapshot *now, void *state);
    cord_status (*close)(recording *r, void *state);
    /* The run has failed, r->failure; NULL: the format does not show it. */
    cord_status (*failed)(recording *r, void *state);
} recorder_ops;

/* The formats: cord__recorder_NAME is the table of NAME. Those that may be left out are listed in a
 * line of their own. */
#ifdef CORDAGE_HDF5
#define FORMAT_HDF5(X) X(hdf5)
#else
#define FORMAT_HDF5(X)
#endif
#ifdef CORDAGE_VIEWER
#define FORMAT_HTML(X) X(html)
#else
#define FORMAT_HTML(X)
#endif
#define FORMAT_LIST(X) FORMAT_HDF5(X) X(csv) FORMAT_HTML(X)

#define DECLARE_FORMAT(name) extern const recorder_ops cord__recorder_##name;
FORMAT_LIST(DECLARE_FORMAT)
#undef DECLARE_FORMAT

bool cord__make_directory(const char *path); /* mkdir -p */

#endif
