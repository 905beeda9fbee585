/* The tables of a recording that describe strands, bodies and probes, written once. */
#ifndef CORDAGE_RECORD_HDF5_THINGS_H
#define CORDAGE_RECORD_HDF5_THINGS_H

#include "record/hdf5_values.h"
#include "record/recorder.h"

/* Makes the groups /strands, /bodies and /probes of the file. */
cord_status cord__things_store(const recording *r, hid_t file);

#endif
