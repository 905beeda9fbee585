/* The same CSV files that a run leaves: one per probe, frames.csv with every vertex, bodies.csv. */
#include "record/export.h"

#include "record/csv_text.h"

static cord_status write_probe(export_job *job, int probe, double *values)
{
    const reading_probe *p = &job->info->probes[probe];
    char name[300];
    snprintf(name, sizeof name, "%.250s.csv", p->name);
    FILE *out = cord__export_open(job, name);
    if (!out) return CORD_ERROR_FILE;
    cord_status status = CORD_OK;
    cord__csv_probe_header(out, p->items, p->columns, (const char *const *)p->column_names,
                           (const char *const *)p->column_units);
    for (int64_t i = 0; status == CORD_OK && i < job->count; i++) {
        double time;
        status = cord__export_time(job, i, &time);
        if (status != CORD_OK) break;
        status = cord__reading_probe(job->from, probe, export_frame(job, i), values);
        if (status != CORD_OK) cord__export_failed(job, status);
        if (status == CORD_OK) cord__csv_row(out, time, p->items * p->columns, values);
    }
    cord_status closed = cord__export_close(job, out);
    return status == CORD_OK ? closed : status;
}

static cord_status write_vertices(export_job *job, double *x)
{
    FILE *out = cord__export_open(job, "frames.csv");
    if (!out) return CORD_ERROR_FILE;
    cord_status status = CORD_OK;
    cord__csv_frames_header(out);
    for (int64_t i = 0; status == CORD_OK && i < job->count; i++) {
        double time;
        status = cord__export_time(job, i, &time);
        for (int s = 0; status == CORD_OK && s < job->info->strand_count; s++) {
            const reading_strand *strand = &job->info->strands[s];
            status = cord__export_strand(job, s, QUANTITY_POSITIONS, i, x);
            if (status == CORD_OK)
                cord__csv_vertices(out, time, strand->name, strand->vertex_count, x);
        }
    }
    cord_status closed = cord__export_close(job, out);
    return status == CORD_OK ? closed : status;
}

static cord_status write_bodies(export_job *job)
{
    FILE *out = cord__export_open(job, "bodies.csv");
    if (!out) return CORD_ERROR_FILE;
    cord_status status = CORD_OK;
    cord__csv_bodies_header(out);
    for (int64_t i = 0; status == CORD_OK && i < job->count; i++) {
        double time, row[BODY_ROW];
        status = cord__export_time(job, i, &time);
        for (int b = 0; status == CORD_OK && b < job->info->body_count; b++) {
            status = cord__export_body(job, b, i, row);
            if (status == CORD_OK) cord__csv_body(out, time, job->info->bodies[b].name, row);
        }
    }
    cord_status closed = cord__export_close(job, out);
    return status == CORD_OK ? closed : status;
}

static cord_status csv_run(export_job *job)
{
    double *values = NEW(&job->mem, double, cord__export_largest(job->info));
    cord_status status = values ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < job->info->probe_count; i++) {
        status = write_probe(job, i, values);
    }
    if (status == CORD_OK) status = write_vertices(job, values);
    if (status == CORD_OK && job->info->body_count > 0) status = write_bodies(job);
    cord__release(&job->mem, values);
    return status;
}

const export_ops cord__export_csv = {"csv", "CSV: a file per probe, all vertices, all bodies",
                                     "csv", true, csv_run};
