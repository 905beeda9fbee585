/* The CSV files that a run leaves (csv_files.h), written from its recording. */
#include "record/export.h"

#include "record/csv_files.h"

static cord_status csv_run(export_job *job)
{
    csv_files files;
    cord_status status = cord__csv_open(&files, &job->mem, job->frame.layout, job->path, false,
                                        job->error, sizeof job->error);
    for (int64_t i = 0; status == CORD_OK && i < job->count; i++) {
        status = cord__export_frame(job, i, 1u << QUANTITY_POSITIONS);
        if (status == CORD_OK) cord__csv_frame(&files, &job->frame);
    }
    cord_status closed = cord__csv_close(&files, job->error, sizeof job->error);
    return status == CORD_OK ? closed : status;
}

const export_ops cord__export_csv = {
    "csv", "CSV: a file per probe, all vertices, all bodies, all contacts", "csv", true, csv_run};
