#include "record/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT_ADDRESS(name) &cord__recorder_##name,
static const recorder_ops *const formats[] = {FORMAT_LIST(FORMAT_ADDRESS)};
#undef FORMAT_ADDRESS

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

struct cord_recorder {
    memory mem;
    recording shared;
    snapshot_layout layout;
    double *numbers; /* of the snapshot */
    char directory[1024];
    int count;
    const recorder_ops *ops[FORMAT_COUNT];
    void *states[FORMAT_COUNT];
};

const char *const *cord_format_names(void)
{
#define FORMAT_NAME(name) #name,
    static const char *const names[] = {FORMAT_LIST(FORMAT_NAME) NULL};
#undef FORMAT_NAME
    return names;
}

static const recorder_ops *find_format(const char *name)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
    }
    return NULL;
}

bool cord__make_directory(const char *path)
{
    char part[1024];
    size_t length = strlen(path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0) continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
    }
    struct stat info;
    if (stat(path, &info) != 0) return false;
    errno = ENOTDIR;
    return S_ISDIR(info.st_mode);
}

static cord_status fail(cord_recorder *r, cord_status status, const char *what, const char *name)
{
    snprintf(r->shared.error, sizeof r->shared.error, "%s %.200s", what, name);
    return status;
}

static cord_status open_all(cord_recorder *r, const char *const *names)
{
    for (; *names; names++) {
        const recorder_ops *ops = find_format(*names);
        if (!ops) return fail(r, CORD_ERROR_UNKNOWN_NAME, "there is no output format", *names);
        if (r->count == FORMAT_COUNT) return fail(r, CORD_ERROR_ARGUMENT, "given twice:", *names);
        int i = r->count++;
        r->ops[i] = ops;
        cord_status status = ops->open(&r->shared, &r->states[i]);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

static cord_status make_snapshot(cord_recorder *r)
{
    recording *shared = &r->shared;
    cord_status status = cord__snapshot_layout_make(&r->mem, shared->simulation, &r->layout);
    if (status != CORD_OK)
        return fail(r, status, "cannot record:", cord__failure_text(shared->simulation, status));
    r->numbers = NEW(&r->mem, double, cord__snapshot_size(&r->layout));
    if (!r->numbers) return CORD_ERROR_MEMORY;
    shared->frame = cord__snapshot_in(&r->layout, r->numbers);
    return CORD_OK;
}

cord_recorder_def cord_recorder_def_default(void)
{
    static const char *const none[] = {NULL};
    return (cord_recorder_def){.directory = ".", .formats = none};
}

cord_status cord_recorder_create(cord_simulation *simulation, const cord_recorder_def *def,
                                 cord_recorder **recorder)
{
    if (!recorder) return CORD_ERROR_ARGUMENT;
    memory mem;
    cord__memory_init(&mem, NULL);
    cord_recorder *r = *recorder = NEW(&mem, cord_recorder, 1);
    if (!r) return CORD_ERROR_MEMORY;
    r->mem = mem;
    if (!cord_simulation_get_world(simulation) || !def || !def->directory || !def->formats)
        return fail(r, CORD_ERROR_ARGUMENT,
                    "a simulation that could be built, a directory and a list of formats are "
                    "needed; one is",
                    "NULL");
    r->shared = (recording){.mem = &r->mem,
                            .simulation = simulation,
                            .directory = r->directory,
                            .overrides = def->overrides,
                            .engine = def->engine,
                            .engine_shared = def->engine_shared,
                            .keep = def->keep};
    if (strlen(def->directory) + 1 > sizeof r->directory) {
        return fail(r, CORD_ERROR_ARGUMENT, "too long a path:", def->directory);
    }
    memcpy(r->directory, def->directory, strlen(def->directory) + 1);
    if (!cord__make_directory(def->directory)) {
        snprintf(r->shared.error, sizeof r->shared.error, "cannot make the directory %.150s: %s",
                 def->directory, strerror(errno));
        return CORD_ERROR_FILE;
    }
    cord_status status = make_snapshot(r);
    return status == CORD_OK ? open_all(r, def->formats) : status;
}

cord_status cord_recorder_open(cord_simulation *simulation, const char *directory,
                               const char *const *names, cord_recorder **recorder)
{
    cord_recorder_def def = cord_recorder_def_default();
    def.directory = directory;
    def.formats = names;
    return cord_recorder_create(simulation, &def, recorder);
}

/* Not after a failure to open it. */
static bool is_open(const cord_recorder *r)
{
    return r && r->shared.frame.layout;
}

cord_status cord_recorder_frame(cord_recorder *r)
{
    if (!is_open(r)) return CORD_ERROR_ARGUMENT;
    recording *shared = &r->shared;
    cord_status status = cord__snapshot_take(&shared->frame, shared->simulation, shared->error);
    if (status != CORD_OK) return status;
    shared->frames++;
    shared->last_time = *shared->frame.time;
    for (int i = 0; status == CORD_OK && i < r->count; i++)
        status = r->ops[i]->frame(shared, &shared->frame, r->states[i]);
    return status;
}

cord_status cord_recorder_failure(cord_recorder *r, const char *message)
{
    if (!is_open(r) || !message) return CORD_ERROR_ARGUMENT;
    recording *shared = &r->shared;
    cord_status worst = CORD_OK;
    /* Its status is that of the failure: parts that cannot be measured are NaN. */
    cord__snapshot_take(&shared->frame, shared->simulation, shared->error);
    bool first = shared->frames == 0 && shared->keep == 0;
    bool newer = shared->frames == 0 || *shared->frame.time > shared->last_time;
    shared->failure = message;
    for (int i = 0; i < r->count; i++) {
        const recorder_ops *ops = r->ops[i];
        cord_status status = CORD_OK;
        if (first || (newer && ops->failed))
            status = ops->frame(shared, &shared->frame, r->states[i]);
        if (status == CORD_OK && ops->failed) status = ops->failed(shared, r->states[i]);
        if (status != CORD_OK) worst = status;
    }
    shared->failure = NULL;
    return worst;
}

cord_status cord_recorder_close(cord_recorder *r)
{
    if (!r) return CORD_OK;
    cord_status worst = CORD_OK;
    for (int i = 0; i < r->count; i++) {
        cord_status status = r->states[i] ? r->ops[i]->close(&r->shared, r->states[i]) : CORD_OK;
        if (status != CORD_OK) worst = status;
    }
    memory mem = r->mem;
    cord__snapshot_layout_free(&mem, &r->layout);
    cord__release(&mem, r->numbers);
    cord__release(&mem, r);
    return worst;
}

const char *cord_recorder_get_error(const cord_recorder *r)
{
    if (!r) return "there is no recorder";
    return r->shared.error;
}
