/* Wavefront OBJ, a file per frame: an object and a line for each strand, an object of triangles for each
 * body. */
#include "record/export.h"

static void write_strand(const frame_snapshot *f, FILE *out, int strand, long long *first)
{
    const snapshot_strand *s = &f->layout->strands[strand];
    const double *x = cord__snapshot_strand(f, strand, QUANTITY_POSITIONS);
    char name[64];
    cord__export_identifier(f->layout, strand, name, sizeof name);
    fprintf(out, "o %s\n", name);
    for (int k = 0; k < s->vertex_count; k++) {
        fprintf(out, "v %.9g %.9g %.9g\n", x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    }
    fputs("l", out);
    for (int k = 0; k < s->vertex_count; k++) fprintf(out, " %lld", *first + k);
    if (s->closed) fprintf(out, " %lld", *first);
    fputc('\n', out);
    *first += s->vertex_count;
}

static void write_body(const frame_snapshot *f, FILE *out, int b, const solid_mesh *solid,
                       long long *first)
{
    char name[64];
    if (solid->triangle_count == 0) return;
    cord__export_identifier(f->layout, f->layout->strand_count + b, name, sizeof name);
    fprintf(out, "o %s\n", name);
    for (int k = 0; k < solid->vertex_count; k++) {
        double x[3];
        cord__snapshot_body_point(f, b, solid->vertices + 3 * (size_t)k, x);
        fprintf(out, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    for (int t = 0; t < solid->triangle_count; t++) {
        const int *c = solid->triangles + 3 * (size_t)t;
        fprintf(out, "f %lld %lld %lld\n", *first + c[0], *first + c[1], *first + c[2]);
    }
    *first += solid->vertex_count;
}

static cord_status write_frame(export_job *job, int64_t i, const solid_mesh *solids)
{
    char name[64];
    const frame_snapshot *f = &job->frame;
    long long first = 1; /* OBJ counts from one, through all objects */
    snprintf(name, sizeof name, "frame_%06lld.obj", (long long)i);
    cord_status status = cord__export_frame(job, i, 1u << QUANTITY_POSITIONS);
    if (status != CORD_OK) return status;
    FILE *out = cord__export_open(job, name);
    if (!out) return CORD_ERROR_FILE;
    fprintf(out, "# time %.9g s; metres, z up\n", *f->time);
    for (int s = 0; s < f->layout->strand_count; s++) write_strand(f, out, s, &first);
    for (int b = 0; b < f->layout->body_count; b++) write_body(f, out, b, &solids[b], &first);
    return cord__export_close(job, out);
}

static cord_status obj_run(export_job *job)
{
    solid_mesh *solids = cord__export_solids(job);
    cord_status status = solids ? CORD_OK : CORD_ERROR_MEMORY;
    for (int64_t i = 0; status == CORD_OK && i < job->count; i++)
        status = write_frame(job, i, solids);
    cord__export_solids_free(job, solids);
    return status;
}

const export_ops cord__export_obj = {"obj", "OBJ lines and triangles, a file per frame", "obj",
                                     true, obj_run};
