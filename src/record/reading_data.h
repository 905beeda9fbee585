/* The data of a reading, shared by the files that implement reading.h. */
#ifndef CORDAGE_RECORD_READING_DATA_H
#define CORDAGE_RECORD_READING_DATA_H

#include "record/hdf5_contacts.h"
#include "record/hdf5_values.h"
#include "record/reading.h"

/* Limits on the sizes that a damaged file may claim. */
enum { MAX_OBJECTS = 1 << 24 };
enum { MOST_LISTS = 9 }; /* of texts, below */
#define MOST_BYTES ((size_t)1 << 32)

struct reading {
    memory mem;
    hid_t file, time, energies;
    hid_t strands[QUANTITY_COUNT], bodies[BODY_QUANTITY_COUNT], probes;
    hid_t contact_start, contact_rows; /* invalid: it has no contacts */
    int64_t contact_end;               /* the first row after those of the last frame */
    int contact_room;
    contact_record *contacts; /* of the last frame that was read */
    int list_count;
    char **lists[MOST_LISTS]; /* names and other texts that info points to */
    bool page_sought;
    hid_t page_points, page_attached; /* invalid: there are none */
    reading_page page;
    uint64_t slot;
    size_t world_size;
    reading_info info;
    char error[1400];
};

/* Set the message and return the status, or CORD_ERROR_FILE. */
cord_status cord__reading_fail(reading *r, cord_status status, const char *format, ...);
cord_status cord__reading_damaged(reading *r, const char *part);

/* A count of objects, which may be any double in a damaged file; false when it cannot be one. */
bool cord__reading_count(double value, int *count);

/* Opens a dataset that has all frames and whose rows have `items` × `columns` numbers; columns 0 for
 * rank 2, items 0 for rank 1. */
hid_t cord__reading_open_series(const reading *r, const char *path, int64_t items, int columns);

/* A row of a dataset over frames: so many items, from the `first` on. */
cord_status cord__reading_series(reading *r, hid_t set, int64_t frame, int64_t first, int64_t items,
                                 double *values);
void cord__reading_page_free(reading *r);

/* Closes the datasets over frames. */
void cord__reading_close_frames(reading *r);

/* Reads the tables of strands, bodies and probes into the layout, and opens their datasets over frames. */
cord_status cord__reading_tables(reading *r);

/* The slot that goes with the frames: the size of the state, the state, then observed results; and room. */
bool cord__reading_slot(reading *r, char **bytes, size_t *size);

#endif
