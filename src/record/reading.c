/* A reading: opening and closing it. */
#include "record/reading_data.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

cord_status cord__reading_fail(reading *r, cord_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, sizeof r->error, format, arguments);
    va_end(arguments);
    return status;
}

cord_status cord__reading_damaged(reading *r, const char *part)
{
    return cord__reading_fail(r, CORD_ERROR_FILE, "%s is damaged or cut short: %s cannot be read",
                              r->info.path, part);
}

void cord__reading_no_exit_handler(void)
{
    H5dont_atexit();
}

const char *cord__reading_error(const reading *r)
{
    return r->error;
}

const reading_info *cord__reading_info(const reading *r)
{
    return &r->info;
}

/* ---- numbers of attributes ---------------------------------------------------------------- */

static bool get_number(hid_t object, const char *name, double *value)
{
    return cord__hdf5_get_numbers(object, name, 1, value);
}

bool cord__reading_count(double value, int *count)
{
    bool good = value >= 0 && value <= MAX_OBJECTS;
    *count = good ? (int)value : 0;
    return good;
}

static bool get_count(hid_t object, const char *name, int *count)
{
    double value = -1;
    return get_number(object, name, &value) && cord__reading_count(value, count);
}

static bool get_numbered_text(reading *r, hid_t object, const char *stem, int i, char **text)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%d", stem, i);
    return cord__hdf5_get_text(&r->mem, object, name, text) && *text;
}

/* ---- opening: the run ----------------------------------------------------------------------- */

static cord_status read_about(reading *r)
{
    reading_info *i = &r->info;
    double version = 0;
    char *kind = NULL;
    hid_t about = H5Gopen2(r->file, "about", H5P_DEFAULT);
    bool ours = about >= 0 && cord__hdf5_get_text(&r->mem, about, "kind", &kind) && kind &&
                strcmp(kind, RECORDING_KIND) == 0 && get_number(about, "version", &version);
    cord__release(&r->mem, kind);
    if (!ours || version != RECORDING_VERSION) {
        if (about >= 0) H5Gclose(about);
        if (!ours)
            return cord__reading_fail(
                r, CORD_ERROR_FILE,
                "%s is damaged, or is not a recording of Cordage: its description, /about, cannot "
                "be read",
                i->path);
        return cord__reading_fail(
            r, CORD_ERROR_FILE,
            "%s is a recording of version %g, and this Cordage reads version %d: run its "
            "scene again",
            i->path, version, RECORDING_VERSION);
    }
    bool good = cord__hdf5_get_text(&r->mem, about, "title", &i->title) &&
                cord__hdf5_get_text(&r->mem, about, "cordage", &i->maker) &&
                get_number(about, "until", &i->until) && get_number(about, "dt", &i->dt) &&
                get_number(about, "frame_interval", &i->frame_interval) &&
                get_count(about, "strands", &i->layout.strand_count) &&
                get_count(about, "bodies", &i->layout.body_count) &&
                get_count(about, "probes", &i->layout.probe_count) &&
                get_count(about, "expectations", &i->expectation_count) &&
                get_count(about, "overrides", &i->override_count);
    i->overrides = NEW(&r->mem, char *, i->override_count + 1);
    good = good && i->overrides;
    for (int k = 0; good && k < i->override_count; k++) {
        good = get_numbered_text(r, about, "override", k, &i->overrides[k]);
    }
    H5Gclose(about);
    return good ? CORD_OK : cord__reading_damaged(r, "its description, /about,");
}

static cord_status read_commit(reading *r)
{
    uint64_t record[2] = {0, 0};
    char *bytes = NULL;
    size_t size = 0;
    bool good = false;
    /* It is the one dataset that a running writer changes: it may be read half written. */
    for (int attempt = 0; attempt < 3 && !good; attempt++) {
        good = cord__hdf5_get_bytes(&r->mem, r->file, "commit", sizeof record, &bytes, &size) &&
               size == sizeof record;
        if (good) memcpy(record, bytes, sizeof record);
        cord__release(&r->mem, bytes);
    }
    r->info.frames = (int64_t)record[0];
    r->slot = record[1];
    good = good && r->info.frames >= 0 && r->slot <= NO_SLOT;
    return good ? CORD_OK : cord__reading_damaged(r, "the number of frames, /commit,");
}

static cord_status read_files(reading *r)
{
    hid_t scene = H5Gopen2(r->file, "scene", H5P_DEFAULT);
    bool good = scene >= 0 && get_count(scene, "files", &r->info.file_count);
    r->info.files = NEW(&r->mem, reading_file, r->info.file_count);
    good = good && r->info.files;
    for (int i = 0; good && i < r->info.file_count; i++) {
        reading_file *f = &r->info.files[i];
        hid_t group = cord__hdf5_open_numbered(scene, i);
        good = group >= 0 && cord__hdf5_get_text(&r->mem, group, "name", &f->name) && f->name &&
               cord__hdf5_get_bytes(&r->mem, group, "text", MOST_BYTES, &f->text, &f->size);
        if (group >= 0) H5Gclose(group);
    }
    if (scene >= 0) H5Gclose(scene);
    return good ? CORD_OK : cord__reading_damaged(r, "/scene");
}

/* ---- opening: whether it is whole --------------------------------------------------------- */

/* A file that was cut short opens without an error; its last frame does not. */
static cord_status check_last_frame(reading *r)
{
    int64_t last = r->info.frames - 1;
    cord_status status = cord__reading_time(r, 0, &r->info.first_time);
    if (status == CORD_OK) status = cord__reading_time(r, last, &r->info.last_time);
    for (int i = 0; status == CORD_OK && i < r->info.layout.strand_count; i++) {
        double *x = NEW(&r->mem, double, 3 * (size_t)r->info.layout.strands[i].vertex_count);
        status = x ? cord__reading_strand(r, i, QUANTITY_POSITIONS, last, x) : CORD_ERROR_MEMORY;
        cord__release(&r->mem, x);
    }
    for (int i = 0; status == CORD_OK && i < r->info.layout.body_count; i++) {
        double row[4];
        for (int q = 0; status == CORD_OK && q < BODY_QUANTITY_COUNT; q++)
            status = cord__reading_body(r, i, (body_quantity)q, last, row);
    }
    const contact_record *contacts;
    int count;
    if (status == CORD_OK) status = cord__reading_contacts(r, last, &contacts, &count);
    return status;
}

static bool open_contacts(reading *r)
{
    r->info.layout.has_contacts = true;
    r->contact_start = cord__reading_open_series(r, "contacts/start", 2, 0);
    r->contact_rows = H5Dopen2(r->file, "contacts/rows", H5P_DEFAULT);
    return r->contact_start >= 0 && r->contact_rows >= 0;
}

static cord_status read_all(reading *r)
{
    cord_status status = read_about(r);
    if (status == CORD_OK) status = read_commit(r);
    if (status == CORD_OK) status = read_files(r);
    if (status == CORD_OK) status = cord__reading_tables(r);
    if (status != CORD_OK) return status;
    r->time = cord__reading_open_series(r, "time", 0, 0);
    r->energies = cord__reading_open_series(r, "energies", ENERGY_COUNT, 0);
    if (r->time < 0 || r->energies < 0) return cord__reading_damaged(r, "/time or /energies");
    if (H5Lexists(r->file, "contacts", H5P_DEFAULT) > 0 && !open_contacts(r))
        return cord__reading_damaged(r, "/contacts");
    if (r->info.frames > 0) status = check_last_frame(r);
    char *bytes = NULL;
    size_t size;
    r->info.resumable =
        status == CORD_OK && r->info.frames > 0 && cord__reading_slot(r, &bytes, &size);
    cord__release(&r->mem, bytes);
    return status;
}

static cord_status open_file(reading *r, const char *path)
{
    struct stat info;
    bool there = stat(path, &info) == 0;
    bool directory = there && S_ISDIR(info.st_mode);
    int length = snprintf(r->info.path, sizeof r->info.path, "%s%s", path,
                          directory ? "/" RECORDING_FILE : "");
    if (length < 0 || (size_t)length >= sizeof r->info.path)
        return cord__reading_fail(r, CORD_ERROR_ARGUMENT, "too long a path");
    if (directory && stat(r->info.path, &info) != 0)
        return cord__reading_fail(r, CORD_ERROR_FILE, "%s has no recording (" RECORDING_FILE ")",
                                  path);
    FILE *file = fopen(r->info.path, "rb");
    if (!file)
        return cord__reading_fail(r, CORD_ERROR_FILE, "%s cannot be read: %s", r->info.path,
                                  strerror(errno));
    fclose(file);
    r->info.bytes = (uint64_t)info.st_size;
    if (H5Fis_hdf5(r->info.path) <= 0)
        return cord__reading_fail(r, CORD_ERROR_FILE,
                                  "%s is not a recording of Cordage (not an HDF5 file)",
                                  r->info.path);
    r->file = cord__hdf5_open(r->info.path);
    return r->file >= 0 ? CORD_OK : cord__reading_damaged(r, "it");
}

cord_status cord__reading_open(const char *path, reading **result)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    reading *r = *result = NEW(&mem, reading, 1);
    if (!r) return CORD_ERROR_MEMORY;
    r->mem = mem;
    r->file = r->time = r->energies = r->probes = H5I_INVALID_HID;
    r->contact_start = r->contact_rows = r->page_points = r->page_attached = H5I_INVALID_HID;
    for (int q = 0; q < QUANTITY_COUNT; q++) r->strands[q] = H5I_INVALID_HID;
    for (int q = 0; q < BODY_QUANTITY_COUNT; q++) r->bodies[q] = H5I_INVALID_HID;
    hdf5_quiet before = cord__hdf5_hush();
    cord_status status = open_file(r, path);
    if (status == CORD_OK) status = read_all(r);
    cord__hdf5_unhush(before);
    return status;
}

/* ---- closing ------------------------------------------------------------------------------ */

static void close_sets(hid_t *sets, int count)
{
    for (int i = 0; i < count; i++) {
        if (sets[i] >= 0) H5Dclose(sets[i]);
        sets[i] = H5I_INVALID_HID;
    }
}

void cord__reading_close_frames(reading *r)
{
    close_sets(r->strands, QUANTITY_COUNT);
    close_sets(r->bodies, BODY_QUANTITY_COUNT);
    close_sets(&r->probes, 1);
    close_sets(&r->time, 1);
    close_sets(&r->energies, 1);
    close_sets(&r->contact_start, 1);
    close_sets(&r->contact_rows, 1);
    close_sets(&r->page_points, 1);
    close_sets(&r->page_attached, 1);
}

static void free_info(memory *m, reading_info *info)
{
    const snapshot_layout *l = &info->layout;
    for (int i = 0; l->bodies && i < l->body_count; i++) {
        cord__release(m, (double *)l->bodies[i].shape.vertices);
        cord__release(m, (int *)l->bodies[i].shape.triangles);
    }
    for (int i = 0; info->files && i < info->file_count; i++) {
        cord__release(m, info->files[i].name);
        cord__release(m, info->files[i].text);
    }
    for (int i = 0; info->overrides && i < info->override_count; i++)
        cord__release(m, info->overrides[i]);
    cord__release(m, info->overrides);
    cord__snapshot_layout_free(m, &info->layout);
    cord__release(m, info->files);
    cord__release(m, info->title);
    cord__release(m, info->maker);
}

void cord__reading_close(reading *r)
{
    if (!r) return;
    cord__reading_close_frames(r);
    if (r->file >= 0) H5Fclose(r->file);
    memory mem = r->mem;
    free_info(&mem, &r->info);
    cord__reading_page_free(r);
    for (int i = 0; i < r->list_count; i++) cord__release(&mem, r->lists[i]);
    cord__release(&mem, r->contacts);
    cord__release(&mem, r);
}

double cord__section_radius(const cord_section *s)
{
    bool sized = s->kind == CORD_SECTION_ELLIPSE || s->kind == CORD_SECTION_RECTANGLE;
    return sized ? sqrt(s->size[0] * s->size[1]) / 2 : s->radius;
}
