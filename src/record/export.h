/* The interface of an exporter. Each fills one table and is listed below; it gets the wanted frames of a
 * recording as snapshots. */
#ifndef CORDAGE_RECORD_EXPORT_H
#define CORDAGE_RECORD_EXPORT_H

#include "record/reading.h"
#include "record/solid.h"

#include <stdio.h>

typedef struct export_job {
    memory mem;
    reading *from;
    const reading_info *info;
    frame_snapshot frame;        /* the frame that the functions below read */
    const char *path;            /* a directory, which exists, or a file: as the exporter says */
    int64_t first, every, count; /* frames first, first + every, ..., so many */
    char error[1400];
} export_job;

typedef struct export_ops {
    const char *name;
    const char *about;        /* a few words */
    const char *default_name; /* of the file or directory, beside the recording */
    bool directory;
    cord_status (*run)(export_job *job);
} export_ops;

/* The exporters: cord__export_NAME is the table of NAME. */
#define EXPORT_LIST(X) X(vtk) X(usd) X(obj) X(csv) X(npz)

#define DECLARE_EXPORT(name) extern const export_ops cord__export_##name;
EXPORT_LIST(DECLARE_EXPORT)
#undef DECLARE_EXPORT

/* NULL-terminated. */
const export_ops *const *cord__exporters(void);
const export_ops *cord__find_exporter(const char *name);

/* Which frames: those with from <= time <= until, each `every`-th, but never beyond `most` frames of
 * the recording (< 0: all). */
typedef struct export_selection {
    double from, until; /* s */
    int64_t every, most;
} export_selection;

export_selection cord__export_everything(void);

/* `path` NULL: the exporter's own name beside the recording. The result has the path and the number of
 * frames written, or after a failure its message. */
typedef struct export_result {
    char path[1200];
    int64_t frames;
    char error[1400];
} export_result;

cord_status cord__export(reading *from, const export_ops *ops, const export_selection *wanted,
                         const char *path, export_result *result);

/* ---- for exporters ------------------------------------------------------------------------ */

static inline int64_t export_frame(const export_job *job, int64_t i)
{
    return job->first + i * job->every;
}

/* "PATH/NAME" opened for writing; an empty name: PATH itself. NULL after a message. */
FILE *cord__export_open(export_job *job, const char *name);
/* Closes; fails when anything written could not be. */
cord_status cord__export_close(export_job *job, FILE *out);
/* A reading failed: takes over its message. */
cord_status cord__export_failed(export_job *job, cord_status status);

/* Reads the i-th wanted frame into job->frame, with these quantities of strands (cord__reading_frame()). */
cord_status cord__export_frame(export_job *job, int64_t i, unsigned quantities);
/* Only these parts of it, for exporters that write one object over all frames after the other. */
cord_status cord__export_time(export_job *job, int64_t i);
cord_status cord__export_energies(export_job *job, int64_t i);
cord_status cord__export_strand(export_job *job, int strand, quantity what, int64_t i);
cord_status cord__export_body(export_job *job, int body, body_quantity what, int64_t i);
cord_status cord__export_probe(export_job *job, int probe, int64_t i);
cord_status cord__export_contacts(export_job *job, int64_t i);

/* A name with nothing but letters, digits and _ in it, made unlike those of earlier objects: the strands,
 * then the bodies. */
void cord__export_identifier(const snapshot_layout *l, int object, char *name, size_t size);

/* The triangles of each body's shape, in its own axes, to be freed with cord__export_solids_free().
 * NULL: out of memory. */
solid_mesh *cord__export_solids(export_job *job);
void cord__export_solids_free(export_job *job, solid_mesh *solids);
#endif
