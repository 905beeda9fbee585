/* Named values in an HDF5 file, in as many words as they deserve. Texts are stored as fixed-length
 * strings: variable-length ones cannot be written beside readers. */
#ifndef CORDAGE_RECORD_HDF5_VALUES_H
#define CORDAGE_RECORD_HDF5_VALUES_H

#include "math/memory.h"
#include "record/quantities.h"

#include <hdf5.h>
#include <stdbool.h>

/* HDF5 prints its errors unless it is told not to; they are reported by us. */
typedef struct hdf5_quiet {
    H5E_auto2_t print;
    void *data;
} hdf5_quiet;

hdf5_quiet cord__hdf5_hush(void);
void cord__hdf5_unhush(hdf5_quiet before);

/* Open for reading; also a file that is being written, or whose writer was killed, which is marked so
 * and cannot be opened in the ordinary way. */
hid_t cord__hdf5_open(const char *path);

/* The creation properties of a dataset of this extent whose elements have `size` bytes: in chunks with a
 * checksum (Fletcher-32). An empty dataset has neither. The caller closes them. */
hid_t cord__hdf5_checked_plan(int rank, const hsize_t *extent, size_t size);

/* Attributes, which are part of the metadata, whose checksums HDF5 itself keeps; false on failure. A NULL text is stored as no attribute. */
bool cord__hdf5_put_text(hid_t object, const char *name, const char *text);
bool cord__hdf5_put_number(hid_t object, const char *name, double value);

/* *text is allocated; NULL when there is no such attribute, which is no failure. */
bool cord__hdf5_get_text(memory *m, hid_t object, const char *name, char **text);
bool cord__hdf5_get_numbers(hid_t object, const char *name, int count, double *values);

/* A whole dataset of bytes. Reading fails when it is larger than `most`. */
bool cord__hdf5_put_bytes(hid_t group, const char *name, const void *bytes, size_t size);
bool cord__hdf5_get_bytes(memory *m, hid_t group, const char *name, size_t most, char **bytes,
                          size_t *size);

/* A dataset of `rows` × 3 numbers, `stored` in the file and `type` in memory. Reading allocates *values,
 * and fails when there are more rows than `most`. */
bool cord__hdf5_put_array(hid_t group, const char *name, hid_t stored, hid_t type, int rows,
                          const void *values);
bool cord__hdf5_get_array(memory *m, hid_t group, const char *name, hid_t type, size_t size,
                          int most, void **values, int *rows);

/* A list of records: a dataset for each of its columns. */
bool cord__hdf5_put_table(hid_t group, const table_column *columns, int rows, const void *records);
bool cord__hdf5_get_table(hid_t group, const table_column *columns, int rows, void *records);

/* A dataset of texts; NULL is stored as an empty one. Reading returns pointers and texts in one allocation; NULL on failure. */
cord_status cord__hdf5_put_texts(memory *m, hid_t group, const char *name, int count,
                                 const char *const *texts);
char **cord__hdf5_get_texts(memory *m, hid_t group, const char *name, int count);

/* A group of a group by its number: "0007". */
hid_t cord__hdf5_make_numbered(hid_t group, int number);
hid_t cord__hdf5_open_numbered(hid_t group, int number);

#endif
