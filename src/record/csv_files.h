/* The CSV files of a run, the same whether they are written during it or from its recording: one per probe,
 * named after it, with a row per frame; frames.csv with every vertex of every strand; bodies.csv and contacts.csv, where
 * there are bodies and contacts. Headers give names and units. */
#ifndef CORDAGE_RECORD_CSV_FILES_H
#define CORDAGE_RECORD_CSV_FILES_H

#include "record/snapshot.h"

#include <stdio.h>

typedef struct csv_files {
    memory *mem;
    const snapshot_layout *layout;
    FILE **probes, *frames, *bodies, *contacts; /* the last two may be NULL */
} csv_files;

/* `append`: to files that have headers already. On failure `error` is set; close it in either case. */
cord_status cord__csv_open(csv_files *c, memory *mem, const snapshot_layout *layout,
                           const char *directory, bool append, char *error, size_t error_size);
/* Returns false when a file could not be written; errno tells why. */
bool cord__csv_frame(const csv_files *c, const frame_snapshot *s);
/* Fails when anything written could not be. */
cord_status cord__csv_close(csv_files *c, char *error, size_t error_size);

#endif
