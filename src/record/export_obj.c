/* Wavefront OBJ, a file per frame: an object and a line for each strand. */
#include "record/export.h"

static void write_line(FILE *out, const reading_strand *s, long long first)
{
    fputs("l", out);
    for (int k = 0; k < s->vertex_count; k++) fprintf(out, " %lld", first + k);
    if (s->closed) fprintf(out, " %lld", first);
    fputc('\n', out);
}

static cord_status write_frame(export_job *job, FILE *out, int64_t i, double *x)
{
    long long first = 1; /* OBJ counts from one, through all objects */
    for (int s = 0; s < job->info->strand_count; s++) {
        const reading_strand *strand = &job->info->strands[s];
        char name[64];
        cord_status status = cord__export_strand(job, s, QUANTITY_POSITIONS, i, x);
        if (status != CORD_OK) return status;
        cord__export_identifier(job->info, s, name, sizeof name);
        fprintf(out, "o %s\n", name);
        for (int k = 0; k < strand->vertex_count; k++) {
            fprintf(out, "v %.9g %.9g %.9g\n", x[3 * k], x[3 * k + 1], x[3 * k + 2]);
        }
        write_line(out, strand, first);
        first += strand->vertex_count;
    }
    return CORD_OK;
}

static cord_status obj_run(export_job *job)
{
    double *x = NEW(&job->mem, double, cord__export_largest(job->info));
    cord_status status = x ? CORD_OK : CORD_ERROR_MEMORY;
    for (int64_t i = 0; status == CORD_OK && i < job->count; i++) {
        char name[64];
        double time;
        snprintf(name, sizeof name, "frame_%06lld.obj", (long long)i);
        status = cord__export_time(job, i, &time);
        if (status != CORD_OK) break;
        FILE *out = cord__export_open(job, name);
        if (!out) status = CORD_ERROR_FILE;
        if (!out) break;
        fprintf(out, "# time %.9g s; metres, z up\n", time);
        status = write_frame(job, out, i, x);
        cord_status closed = cord__export_close(job, out);
        if (status == CORD_OK) status = closed;
    }
    cord__release(&job->mem, x);
    return status;
}

const export_ops cord__export_obj = {"obj", "OBJ lines, a file per frame", "obj", true, obj_run};
