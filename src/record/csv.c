/* CSV for spreadsheets: one file per probe, named after it, with a row per frame and a header that
 * says what and in which unit; and frames.csv with every vertex of every strand. */
#include "record/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct csv {
    int probe_count;
    FILE **probes;
    double *values; /* large enough for any probe or strand */
    FILE *frames;
} csv;

static FILE *open_file(recording *r, const char *name)
{
    char path[1280];
    snprintf(path, sizeof path, "%s/%s.csv", r->directory, name);
    FILE *out = fopen(path, "w");
    if (!out) snprintf(r->error, sizeof r->error, "cannot write %.150s: %s", path, strerror(errno));
    return out;
}

static void write_header(const recording *r, int probe, FILE *out)
{
    cord_probe_info info = cord_scene_probe(r->scene, probe);
    fputs("time [s]", out);
    for (int i = 0; i < info.items; i++) {
        for (int c = 0; c < info.columns; c++) {
            const char *unit = "";
            const char *name = cord_scene_probe_column(r->scene, probe, c, &unit);
            fprintf(out, ",%s", name);
            if (info.items > 1) fprintf(out, "_%d", i);
            if (*unit) fprintf(out, " [%s]", unit);
        }
    }
    fputc('\n', out);
}

static size_t largest_sample(const recording *r, const cord_scene_info *scene)
{
    size_t most = 1;
    for (int i = 0; i < scene->probe_count; i++) {
        cord_probe_info info = cord_scene_probe(r->scene, i);
        size_t size = (size_t)info.items * (size_t)info.columns;
        if (size > most) most = size;
    }
    for (int i = 0; i < scene->strand_count; i++) {
        cord_strand_info info;
        if (cord_strand_get_info(r->world, cord_scene_strand(r->scene, i), &info) != CORD_OK)
            continue;
        if (3 * (size_t)info.vertex_count > most) most = 3 * (size_t)info.vertex_count;
    }
    return most;
}

static cord_status csv_open(recording *r, void **state)
{
    cord_scene_info info = cord_scene_get_info(r->scene);
    csv *c = NEW(r->mem, csv, 1);
    *state = c;
    if (!c) return CORD_ERROR_MEMORY;
    c->probes = NEW(r->mem, FILE *, info.probe_count);
    c->values = NEW(r->mem, double, largest_sample(r, &info));
    if (!c->probes || !c->values) return CORD_ERROR_MEMORY;
    c->probe_count = info.probe_count;
    for (int i = 0; i < c->probe_count; i++) {
        c->probes[i] = open_file(r, cord_scene_probe(r->scene, i).name);
        if (!c->probes[i]) return CORD_ERROR_FILE;
        write_header(r, i, c->probes[i]);
    }
    c->frames = open_file(r, "frames");
    if (!c->frames) return CORD_ERROR_FILE;
    fputs("time [s],strand,vertex,x [m],y [m],z [m]\n", c->frames);
    return CORD_OK;
}

static cord_status write_probe(recording *r, csv *c, int probe, double time)
{
    cord_probe_info info = cord_scene_probe(r->scene, probe);
    cord_status status = cord_scene_sample(r->scene, r->world, probe, c->values);
    if (status != CORD_OK) {
        snprintf(r->error, sizeof r->error, "probe %s cannot be measured: %s", info.name,
                 cord_status_text(status));
        return status;
    }
    FILE *out = c->probes[probe];
    fprintf(out, "%.17g", time);
    for (int i = 0; i < info.items * info.columns; i++) fprintf(out, ",%.17g", c->values[i]);
    fputc('\n', out);
    return CORD_OK;
}

/* A name in quotes, quotes in it doubled. */
static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static cord_status write_strand(recording *r, csv *c, int strand, double time)
{
    cord_strand handle = cord_scene_strand(r->scene, strand);
    cord_strand_info info;
    cord_status status = cord_strand_get_info(r->world, handle, &info);
    if (status == CORD_OK) status = cord_strand_positions(r->world, handle, c->values);
    if (status != CORD_OK) return status;
    for (int i = 0; i < info.vertex_count; i++) {
        const double *x = c->values + 3 * (size_t)i;
        fprintf(c->frames, "%.17g,", time);
        write_quoted(c->frames, cord_scene_strand_name(r->scene, strand));
        fprintf(c->frames, ",%d,%.9g,%.9g,%.9g\n", i, x[0], x[1], x[2]);
    }
    return CORD_OK;
}

static cord_status csv_frame(recording *r, void *state)
{
    csv *c = state;
    double time = cord_world_time(r->world);
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < c->probe_count; i++) {
        status = write_probe(r, c, i, time);
    }
    int strands = cord_scene_get_info(r->scene).strand_count;
    for (int i = 0; status == CORD_OK && i < strands; i++) status = write_strand(r, c, i, time);
    return status;
}

static cord_status close_file(recording *r, FILE *out)
{
    if (!out) return CORD_OK;
    bool failed = ferror(out) != 0;
    failed = fclose(out) != 0 || failed;
    if (!failed) return CORD_OK;
    snprintf(r->error, sizeof r->error, "writing failed (is the disk full?)");
    return CORD_ERROR_FILE;
}

static cord_status csv_close(recording *r, void *state)
{
    csv *c = state;
    cord_status worst = close_file(r, c->frames);
    for (int i = 0; i < c->probe_count; i++) {
        cord_status status = close_file(r, c->probes[i]);
        if (status != CORD_OK) worst = status;
    }
    cord__release(r->mem, c->probes);
    cord__release(r->mem, c->values);
    cord__release(r->mem, c);
    return worst;
}

const recorder_ops cord__recorder_csv = {"csv", csv_open, csv_frame, csv_close};
