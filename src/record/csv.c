/* CSV for spreadsheets (csv_files.h), written during the run. */
#include "record/csv_files.h"
#include "record/recorder.h"

#include <errno.h>
#include <string.h>

#ifdef CORDAGE_HDF5
#include "record/export.h"
#endif

/* When a run goes on, the files are written again from its recording up to there: those that were
 * left may lack rows, or have some too many. */
static cord_status write_kept(recording *r)
{
#ifdef CORDAGE_HDF5
    reading *from;
    export_result result = {"", 0, ""};
    export_selection kept = cord__export_everything();
    kept.most = r->keep;
    cord_status status = cord__reading_open(r->directory, &from);
    if (status == CORD_OK)
        status = cord__export(from, &cord__export_csv, &kept, r->directory, &result);
    if (status != CORD_OK)
        snprintf(r->error, sizeof r->error, "%.250s",
                 *result.error || !from ? result.error : cord__reading_error(from));
    cord__reading_close(from);
    return status;
#else
    snprintf(r->error, sizeof r->error, "without HDF5 nothing can be continued");
    return CORD_ERROR_UNSUPPORTED;
#endif
}

static cord_status csv_open(recording *r, void **state)
{
    cord_status status = r->keep ? write_kept(r) : CORD_OK;
    if (status != CORD_OK) return status;
    csv_files *c = *state = NEW(r->mem, csv_files, 1);
    if (!c) return CORD_ERROR_MEMORY;
    return cord__csv_open(c, r->mem, r->frame.layout, r->directory, r->keep > 0, r->error,
                          sizeof r->error);
}

static cord_status csv_frame(recording *r, const frame_snapshot *s, void *state)
{
    if (cord__csv_frame(state, s)) return CORD_OK;
    snprintf(r->error, sizeof r->error, "cannot write a CSV file in %.180s: %s", r->directory,
             strerror(errno));
    return CORD_ERROR_FILE;
}

static cord_status csv_close(recording *r, void *state)
{
    cord_status status = cord__csv_close(state, r->error, sizeof r->error);
    cord__release(r->mem, state);
    return status;
}

const recorder_ops cord__recorder_csv = {"csv", csv_open, csv_frame, csv_close, NULL};
