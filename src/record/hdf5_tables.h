/* The tables of a recording that describe strands, bodies and probes, written once. */
#ifndef CORDAGE_RECORD_HDF5_TABLES_H
#define CORDAGE_RECORD_HDF5_TABLES_H

#include "record/hdf5_values.h"
#include "record/recorder.h"

/* Makes the groups /strands, /bodies and /probes of the file. */
cord_status cord__hdf5_store_tables(const recording *r, hid_t file);

#endif
