/* Exporting: the list of exporters, the choice of frames, functions that exporters share. */
#include "record/export.h"

#include "record/recorder.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

const export_ops *const *cord__exporters(void)
{
#define EXPORT_ADDRESS(name) &cord__export_##name,
    static const export_ops *const list[] = {EXPORT_LIST(EXPORT_ADDRESS) NULL};
#undef EXPORT_ADDRESS
    return list;
}

const export_ops *cord__find_exporter(const char *name)
{
    const export_ops *const *e = cord__exporters();
    while (*e && strcmp((*e)->name, name) != 0) e++;
    return *e;
}

export_selection cord__export_everything(void)
{
    return (export_selection){-INFINITY, INFINITY, 1, -1};
}

/* ---- which frames ------------------------------------------------------------------------- */

static cord_status select_frames(export_job *job, const export_selection *wanted)
{
    int64_t first = 0, end = job->info->frames;
    cord_status status = CORD_OK;
    double slack = 1e-3 * job->info->dt; /* times of frames are sums of steps, with rounding */
    if (wanted->from > -INFINITY)
        status = cord__reading_find(job->from, wanted->from - slack, &first);
    if (status == CORD_OK && wanted->until < INFINITY)
        status = cord__reading_find(job->from, wanted->until + slack, &end);
    if (status != CORD_OK) return cord__export_failed(job, status);
    if (wanted->most >= 0 && end > wanted->most) end = wanted->most;
    job->first = first;
    job->every = wanted->every;
    job->count = end > first ? (end - first - 1) / wanted->every + 1 : 0;
    if (job->count > 0) return CORD_OK;
    snprintf(job->error, sizeof job->error,
             "no frame is between %g and %g s; %s has %lld frames from %g to %g s", wanted->from,
             wanted->until, job->info->path, (long long)job->info->frames, job->info->first_time,
             job->info->last_time);
    return CORD_ERROR_ARGUMENT;
}

static void choose_path(const export_job *job, const export_ops *ops, const char *given, char *path,
                        size_t size)
{
    const char *slash = strrchr(job->info->path, '/');
    int folder = slash ? (int)(slash - job->info->path) + 1 : 0;
    if (given) {
        snprintf(path, size, "%s", given);
    } else {
        snprintf(path, size, "%.*s%s", folder, job->info->path, ops->default_name);
    }
}

cord_status cord__export(reading *from, const export_ops *ops, const export_selection *wanted,
                         const char *path, export_result *result)
{
    export_job job = {.from = from, .info = cord__reading_info(from), .path = result->path};
    cord__memory_init(&job.mem, NULL);
    choose_path(&job, ops, path, result->path, sizeof result->path);
    double *numbers = NEW(&job.mem, double, cord__snapshot_size(&job.info->layout));
    cord_status status = numbers ? select_frames(&job, wanted) : CORD_ERROR_MEMORY;
    if (numbers) job.frame = cord__snapshot_in(&job.info->layout, numbers);
    if (status == CORD_OK && ops->directory && !cord__make_directory(result->path)) {
        snprintf(job.error, sizeof job.error, "cannot make the directory %s: %s", result->path,
                 strerror(errno));
        status = CORD_ERROR_FILE;
    }
    if (status == CORD_OK) status = ops->run(&job);
    cord__release(&job.mem, numbers);
    result->frames = job.count;
    memcpy(result->error, job.error, sizeof result->error);
    if (status != CORD_OK && !*result->error)
        snprintf(result->error, sizeof result->error, "%s", cord_status_text(status));
    return status;
}

/* ---- shared ------------------------------------------------------------------------------- */

FILE *cord__export_open(export_job *job, const char *name)
{
    char path[1400];
    snprintf(path, sizeof path, "%s%s%s", job->path, *name ? "/" : "", name);
    FILE *out = fopen(path, "wb");
    if (!out)
        snprintf(job->error, sizeof job->error, "cannot write %.1100s: %s", path, strerror(errno));
    return out;
}

cord_status cord__export_close(export_job *job, FILE *out)
{
    errno = 0;
    bool failed = ferror(out) != 0;
    failed = fclose(out) != 0 || failed;
    if (!failed) return CORD_OK;
    if (!*job->error) /* an earlier message names the cause */
        snprintf(job->error, sizeof job->error, "cannot write %.1100s: %s", job->path,
                 errno ? strerror(errno) : "is the disk full?");
    return CORD_ERROR_FILE;
}

cord_status cord__export_failed(export_job *job, cord_status status)
{
    snprintf(job->error, sizeof job->error, "%s", cord__reading_error(job->from));
    return status;
}

static cord_status checked(export_job *job, cord_status status)
{
    return status == CORD_OK ? status : cord__export_failed(job, status);
}

cord_status cord__export_frame(export_job *job, int64_t i, unsigned quantities)
{
    return checked(job,
                   cord__reading_frame(job->from, export_frame(job, i), quantities, &job->frame));
}

cord_status cord__export_time(export_job *job, int64_t i)
{
    return checked(job, cord__reading_time(job->from, export_frame(job, i), job->frame.time));
}

cord_status cord__export_energies(export_job *job, int64_t i)
{
    return checked(job,
                   cord__reading_energies(job->from, export_frame(job, i), job->frame.energies));
}

cord_status cord__export_strand(export_job *job, int strand, quantity what, int64_t i)
{
    double *values = cord__snapshot_strand(&job->frame, strand, what);
    return checked(job,
                   cord__reading_strand(job->from, strand, what, export_frame(job, i), values));
}

cord_status cord__export_body(export_job *job, int body, body_quantity what, int64_t i)
{
    double *values = cord__snapshot_body(&job->frame, body, what);
    return checked(job, cord__reading_body(job->from, body, what, export_frame(job, i), values));
}

cord_status cord__export_probe(export_job *job, int probe, int64_t i)
{
    double *values = cord__snapshot_probe(&job->frame, probe);
    return checked(job, cord__reading_probe(job->from, probe, export_frame(job, i), values));
}

cord_status cord__export_contacts(export_job *job, int64_t i)
{
    return checked(job, cord__reading_contacts(job->from, export_frame(job, i),
                                               &job->frame.contacts, &job->frame.contact_count));
}

solid_mesh *cord__export_solids(export_job *job)
{
    enum { SIDES = 48 };
    int count = job->frame.layout->body_count;
    solid_mesh *solids = NEW(&job->mem, solid_mesh, count);
    for (int i = 0; solids && i < count; i++) {
        const cord_shape *shape = &job->frame.layout->bodies[i].shape;
        if (cord__solid_mesh(&job->mem, shape, SIDES, 0, &solids[i]) == CORD_OK) continue;
        cord__export_solids_free(job, solids);
        return NULL;
    }
    return solids;
}

void cord__export_solids_free(export_job *job, solid_mesh *solids)
{
    for (int i = 0; solids && i < job->frame.layout->body_count; i++)
        cord__solid_free(&job->mem, &solids[i]);
    cord__release(&job->mem, solids);
}

static void clean_name(const char *text, char *name, size_t size)
{
    size_t length = 0;
    if (isdigit((unsigned char)*text) || !*text) name[length++] = '_';
    for (; *text && length + 1 < size; text++) {
        bool plain = isalnum((unsigned char)*text) && (unsigned char)*text < 128;
        name[length++] = plain ? *text : '_';
    }
    name[length] = 0;
}

static const char *object_name(const snapshot_layout *l, int object)
{
    return object < l->strand_count ? l->strands[object].name
                                    : l->bodies[object - l->strand_count].name;
}

void cord__export_identifier(const snapshot_layout *l, int object, char *name, size_t size)
{
    char other[64];
    clean_name(object_name(l, object), name, size < 48 ? size : 48);
    for (int i = 0; i < object; i++) {
        clean_name(object_name(l, i), other, 48);
        if (strcmp(name, other) != 0) continue;
        size_t length = strlen(name);
        snprintf(name + length, size - length, "_%d", object);
        return;
    }
}
