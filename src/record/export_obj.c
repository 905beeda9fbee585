/* Wavefront OBJ, a file per frame: an object and a line for each strand, an object of triangles for each
 * body. */
#include "record/export.h"

static void write_line(FILE *out, const reading_strand *s, long long first)
{
    fputs("l", out);
    for (int k = 0; k < s->vertex_count; k++) fprintf(out, " %lld", first + k);
    if (s->closed) fprintf(out, " %lld", first);
    fputc('\n', out);
}

static cord_status write_body(export_job *job, FILE *out, int64_t i, int b, const solid_mesh *solid,
                              long long *first)
{
    double row[BODY_ROW], x[3];
    char name[64];
    cord_status status = cord__export_body(job, b, i, row);
    if (status != CORD_OK || solid->triangle_count == 0) return status;
    cord__export_identifier(job->info, job->info->strand_count + b, name, sizeof name);
    fprintf(out, "o %s\n", name);
    for (int k = 0; k < solid->vertex_count; k++) {
        cord__export_placed(row, solid->vertices + 3 * (size_t)k, x);
        fprintf(out, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    for (int t = 0; t < solid->triangle_count; t++) {
        const int *c = solid->triangles + 3 * (size_t)t;
        fprintf(out, "f %lld %lld %lld\n", *first + c[0], *first + c[1], *first + c[2]);
    }
    *first += solid->vertex_count;
    return CORD_OK;
}

static cord_status write_frame(export_job *job, FILE *out, int64_t i, double *x,
                               const solid_mesh *solids)
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
    cord_status status = CORD_OK;
    for (int b = 0; status == CORD_OK && b < job->info->body_count; b++)
        status = write_body(job, out, i, b, &solids[b], &first);
    return status;
}

static cord_status obj_run(export_job *job)
{
    double *x = NEW(&job->mem, double, cord__export_largest(job->info));
    solid_mesh *solids = cord__export_solids(job);
    cord_status status = x && solids ? CORD_OK : CORD_ERROR_MEMORY;
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
        status = write_frame(job, out, i, x, solids);
        cord_status closed = cord__export_close(job, out);
        if (status == CORD_OK) status = closed;
    }
    cord__release(&job->mem, x);
    cord__export_solids_free(job, solids);
    return status;
}

const export_ops cord__export_obj = {"obj", "OBJ lines and triangles, a file per frame", "obj",
                                     true, obj_run};
