/* What strands, bodies and probes are: the tables of a recording that are written once. */
#ifndef CORDAGE_RECORD_HDF5_THINGS_H
#define CORDAGE_RECORD_HDF5_THINGS_H

#include "record/hdf5_values.h"
#include "record/recorder.h"

typedef struct objects {
    int strand_count, body_count, probe_count;
    strand_record *strands;
    probe_record *probes;
    size_t vertices, edges, longest; /* of all strands; edges of the longest one */
    size_t numbers;                  /* of all probes */
} objects;

/* Looks at the scene and its world; what strands answer is found by asking them. Free also after a failure. */
cord_status cord__things_list(recording *r, objects *t);
void cord__things_free(memory *m, objects *t);

/* Makes /strands, /bodies and /probes. */
cord_status cord__things_store(const recording *r, const objects *t, hid_t file);

#endif
