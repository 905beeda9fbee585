/* The description of the scene for pages, in a recording: /page. */
#ifndef CORDAGE_RECORD_HDF5_PAGE_H
#define CORDAGE_RECORD_HDF5_PAGE_H

#include "record/recorder.h"

#include <hdf5.h>

cord_status cord__hdf5_store_page(const recording *r, hid_t file);

#endif
