/* Contacts of a recording: /contacts/rows, a row of contact_record for each, and /contacts/start, for each frame its first row
 * and how many it has. The rows of a frame begin at a new chunk, so that no chunk is written twice (hdf5_series.c). */
#ifndef CORDAGE_RECORD_HDF5_CONTACTS_H
#define CORDAGE_RECORD_HDF5_CONTACTS_H

#include "record/hdf5_values.h"
#include "scene/contact_records.h"

enum { CONTACT_CHUNK = 32 }; /* rows */

bool cord__contact_rows_create(hid_t file);
/* Appends rows; range: the first of them, and their number. */
bool cord__contact_rows_append(hid_t set, const contact_record *rows, int count, double range[2]);
/* Reads the rows of a range; false when the file has not all of them. */
bool cord__contact_rows_read(hid_t set, const double range[2], contact_record *rows);
/* Whether a range may be one; its number of rows. */
bool cord__contact_range(const double range[2], int *count);

#endif
