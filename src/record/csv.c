/* CSV for spreadsheets: one file per probe, named after it, with a row per frame and a header that
 * says what and in which unit; frames.csv with every vertex of every strand; and bodies.csv, where there
 * are any. */
#include "record/csv_text.h"
#include "record/quantities.h"
#include "record/recorder.h"

#ifdef CORDAGE_HDF5
#include "record/export.h"
#endif

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct csv {
    int probe_count;
    FILE **probes;
    double *values;        /* large enough for any probe or strand */
    FILE *frames, *bodies; /* the second may be NULL */
} csv;

static FILE *open_file(recording *r, const char *name)
{
    char path[1280];
    snprintf(path, sizeof path, "%s/%s.csv", r->directory, name);
    FILE *out = fopen(path, r->keep ? "a" : "w");
    if (!out) snprintf(r->error, sizeof r->error, "cannot write %.150s: %s", path, strerror(errno));
    return out;
}

enum { MAX_COLUMNS = 64 };

static void write_header(const recording *r, int probe, FILE *out)
{
    cord_probe_info info = cord_scene_get_probe(r->scene, probe);
    const char *names[MAX_COLUMNS], *units[MAX_COLUMNS];
    int columns = info.columns < MAX_COLUMNS ? info.columns : MAX_COLUMNS;
    for (int c = 0; c < columns; c++) {
        units[c] = "";
        names[c] = cord_scene_get_probe_column(r->scene, probe, c, &units[c]);
    }
    cord__csv_probe_header(out, info.items, columns, names, units);
}

static size_t largest_sample(const recording *r, const cord_scene_info *scene)
{
    size_t most = 1;
    for (int i = 0; i < scene->probe_count; i++) {
        cord_probe_info info = cord_scene_get_probe(r->scene, i);
        size_t size = (size_t)info.items * (size_t)info.columns;
        if (size > most) most = size;
    }
    for (int i = 0; i < scene->strand_count; i++) {
        cord_strand_info info;
        if (cord_strand_get_info(r->world, cord_scene_get_strand(r->scene, i), &info) != CORD_OK)
            continue;
        if (3 * (size_t)info.vertex_count > most) most = 3 * (size_t)info.vertex_count;
    }
    return most;
}

/* When a run goes on, the files are written anew from its recording up to there: those that were
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
    cord_scene_info info = cord_scene_get_info(r->scene);
    csv *c = NEW(r->mem, csv, 1);
    *state = c;
    if (!c) return CORD_ERROR_MEMORY;
    c->probes = NEW(r->mem, FILE *, info.probe_count);
    c->values = NEW(r->mem, double, largest_sample(r, &info));
    if (!c->probes || !c->values) return CORD_ERROR_MEMORY;
    c->probe_count = info.probe_count;
    for (int i = 0; i < c->probe_count; i++) {
        c->probes[i] = open_file(r, cord_scene_get_probe(r->scene, i).name);
        if (!c->probes[i]) return CORD_ERROR_FILE;
        if (!r->keep) write_header(r, i, c->probes[i]);
    }
    c->frames = open_file(r, "frames");
    if (!c->frames) return CORD_ERROR_FILE;
    if (!r->keep) cord__csv_frames_header(c->frames);
    if (info.solid_count == 0) return CORD_OK;
    c->bodies = open_file(r, "bodies");
    if (!c->bodies) return CORD_ERROR_FILE;
    if (!r->keep) cord__csv_bodies_header(c->bodies);
    return CORD_OK;
}

static cord_status write_probe(recording *r, csv *c, int probe, double time)
{
    cord_probe_info info = cord_scene_get_probe(r->scene, probe);
    cord_status status = cord_scene_sample(r->scene, r->world, probe, c->values);
    if (status != CORD_OK) {
        snprintf(r->error, sizeof r->error, "probe %s cannot be measured: %s", info.name,
                 cord_status_text(status));
        return status;
    }
    cord__csv_row(c->probes[probe], time, info.items * info.columns, c->values);
    return CORD_OK;
}

static cord_status write_strand(recording *r, csv *c, int strand, double time)
{
    cord_strand handle = cord_scene_get_strand(r->scene, strand);
    cord_strand_info info;
    cord_status status = cord_strand_get_info(r->world, handle, &info);
    if (status == CORD_OK) status = cord_strand_get_positions(r->world, handle, c->values);
    if (status != CORD_OK) return status;
    cord__csv_vertices(c->frames, time, cord_scene_get_strand_name(r->scene, strand),
                       info.vertex_count, c->values);
    return CORD_OK;
}

static cord_status write_body(recording *r, csv *c, int body, double time)
{
    double row[BODY_ROW];
    cord_status status = cord__body_row(r->scene, r->world, body, row);
    if (status == CORD_OK)
        cord__csv_body(c->bodies, time, cord_scene_get_solid_name(r->scene, body), row);
    return status;
}

static cord_status csv_frame(recording *r, void *state)
{
    csv *c = state;
    double time = cord_world_get_time(r->world);
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < c->probe_count; i++) {
        status = write_probe(r, c, i, time);
    }
    cord_scene_info info = cord_scene_get_info(r->scene);
    for (int i = 0; status == CORD_OK && i < info.strand_count; i++)
        status = write_strand(r, c, i, time);
    for (int i = 0; status == CORD_OK && i < info.solid_count; i++)
        status = write_body(r, c, i, time);
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
    if (worst == CORD_OK)
        worst = close_file(r, c->bodies);
    else if (c->bodies)
        fclose(c->bodies);
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
