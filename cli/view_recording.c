#include "view_recording.h"

#include "cli.h"
#include "live/message.h"
#include "math/memory.h"
#include "record/html_chunk.h"
#include "record/html_scene.h"
#include "recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_REQUESTS = 64, /* that wait, of all pages */
    OVERVIEW = 2000,    /* frames of the plots before their chunks are loaded, at most */
};

typedef struct request {
    uint32_t page, kind, serial, chunk; /* of HELLO: the version */
    const char *refused;                /* NULL: it is not */
} request;

struct view_recording {
    memory mem;
    reading *from;
    const reading_page *page;
    snapshot_layout layout; /* that of the reading, with the points and constraints of pages */
    double *numbers;
    frame_snapshot frame;
    page_chunk chunk;
    int64_t frames;
    request waiting[MOST_REQUESTS];
    int waiting_count;
    /* Answers to one request, each with its size before it. */
    live_text out;
    size_t sent;
    uint32_t to;
    live_text message; /* being written */
};

/* ---- messages ------------------------------------------------------------------------------ */

static live_text *begin_message(view_recording *v, uint32_t kind, uint32_t serial)
{
    v->message.size = 0;
    cord__live_put_u32(&v->message, kind);
    cord__live_put_u32(&v->message, serial);
    return &v->message;
}

static void end_message(view_recording *v)
{
    uint64_t size = v->message.size;
    cord__live_put(&v->out, &size, sizeof size);
    cord__live_put(&v->out, v->message.at, v->message.size);
}

static void answer_failed(view_recording *v, uint32_t serial, const char *text)
{
    live_text *t = begin_message(v, LIVE_FAILED, serial);
    cord__live_put_u32(t, 1);
    cord__live_put_text(t, "");
    cord__live_put_u32(t, 0);
    cord__live_put_u32(t, 0);
    cord__live_put_text(t, text);
    end_message(v);
}

static void put_welcome(view_recording *v, uint32_t serial)
{
    static const uint32_t limits[] = {LIVE_MAX_MESSAGE, LIVE_MAX_FILES,       LIVE_MAX_OVERRIDES,
                                      LIVE_MAX_HOLDS,   LIVE_MAX_ATTACHMENTS, LIVE_MAX_STEPS};
    char name[64];
    live_text *t = begin_message(v, LIVE_WELCOME, serial);
    cord__live_put_u32(t, LIVE_VERSION);
    cord__live_put_u32(t, LIVE_RECORDING);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) cord__live_put_u32(t, limits[i]);
    snprintf(name, sizeof name, "Cordage %s", cord_version());
    cord__live_put_text(t, name);
    end_message(v);
}

static void put_scene(view_recording *v)
{
    for (int i = 0; i < v->page->image_count; i++) {
        const reading_image *image = &v->page->images[i];
        live_text *t = begin_message(v, LIVE_IMAGE, 0);
        cord__live_put_u32(t, (uint32_t)i);
        cord__live_put_u32(t, (uint32_t)image->columns);
        cord__live_put_u32(t, (uint32_t)image->rows);
        cord__live_put_bytes(t, image->rgba, 4 * (size_t)image->columns * (size_t)image->rows);
        end_message(v);
    }
    live_text *t = begin_message(v, LIVE_SCENE, 0);
    cord__live_put_u32(t, 1);
    cord__live_put_bytes(t, v->page->description, v->page->size);
    end_message(v);
}

/* ---- frames -------------------------------------------------------------------------------- */

static int64_t chunk_count(const view_recording *v)
{
    return (v->frames + v->chunk.capacity - 1) / v->chunk.capacity;
}

static int64_t chunk_end(const view_recording *v, int64_t chunk)
{
    int64_t end = (chunk + 1) * v->chunk.capacity;
    return end < v->frames ? end : v->frames;
}

static cord_status put_chunks(view_recording *v)
{
    live_text *t = begin_message(v, LIVE_CHUNKS, 0);
    cord__live_put_u32(t, (uint32_t)v->frames);
    cord__live_put_u32(t, (uint32_t)chunk_count(v));
    for (int64_t i = 0; i < chunk_count(v); i++) {
        int64_t first = i * v->chunk.capacity, end = chunk_end(v, i);
        double from, to;
        cord_status status = cord__reading_time(v->from, first, &from);
        if (status == CORD_OK) status = cord__reading_time(v->from, end - 1, &to);
        if (status != CORD_OK) return status;
        cord__live_put_u32(t, (uint32_t)first);
        cord__live_put_u32(t, (uint32_t)(end - first));
        cord__live_put_f64(t, from);
        cord__live_put_f64(t, to);
    }
    end_message(v);
    return CORD_OK;
}

static int series_count(const snapshot_layout *l)
{
    int count = ENERGY_COUNT;
    for (int i = 0; i < l->probe_count; i++)
        if (cord__page_plots(&l->probes[i])) count += l->probes[i].columns;
    return count;
}

/* The series of one frame, in the order of the description. Those that cannot be read are NaN. */
static void read_series(view_recording *v, int64_t frame, float *values, size_t stride)
{
    double row[256];
    size_t at = 0;
    bool good = cord__reading_energies(v->from, frame, row) == CORD_OK;
    for (int k = 0; k < ENERGY_COUNT; k++) values[stride * at++] = good ? (float)row[k] : NAN;
    for (int i = 0; i < v->layout.probe_count; i++) {
        const snapshot_probe *p = &v->layout.probes[i];
        if (!cord__page_plots(p)) continue;
        good = p->columns <= 256 && cord__reading_probe(v->from, i, frame, row) == CORD_OK;
        for (int k = 0; k < p->columns; k++) values[stride * at++] = good ? (float)row[k] : NAN;
    }
}

static void put_overview(view_recording *v)
{
    int64_t step = (v->frames + OVERVIEW - 1) / OVERVIEW;
    if (step < 1) return;
    size_t count = (size_t)((v->frames + step - 1) / step);
    size_t series = (size_t)series_count(&v->layout);
    float *values = malloc(series * count * sizeof *values);
    if (!values) return;
    for (size_t i = 0; i < count; i++) read_series(v, (int64_t)i * step, values + i, count);
    live_text *t = begin_message(v, LIVE_SERIES, 0);
    cord__live_put_u32(t, (uint32_t)step);
    cord__live_put_u32(t, (uint32_t)count);
    cord__live_put_u32(t, (uint32_t)series);
    cord__live_put(t, values, series * count * sizeof *values);
    end_message(v);
    free(values);
}

static cord_status read_chunk(view_recording *v, int64_t chunk)
{
    cord_status status = CORD_OK;
    v->chunk.frames = 0;
    v->chunk.contact_count = 0;
    for (int64_t i = chunk * v->chunk.capacity; status == CORD_OK && i < chunk_end(v, chunk); i++) {
        status = cord__reading_frame(v->from, i, ALL_QUANTITIES, &v->frame);
        if (status == CORD_OK)
            status = cord__reading_page_frame(v->from, i, v->frame.points, v->layout.point_count,
                                              v->frame.attached, v->layout.constraint_count);
        if (status == CORD_OK && !cord__page_chunk_add(&v->chunk, &v->frame))
            status = CORD_ERROR_MEMORY;
    }
    return status;
}

static cord_status put_chunk(view_recording *v, uint32_t serial, uint32_t chunk)
{
    char *bytes = NULL;
    size_t size = 0;
    cord_status status = read_chunk(v, chunk);
    if (status != CORD_OK) return status;
    FILE *out = open_memstream(&bytes, &size);
    if (!out) return CORD_ERROR_MEMORY;
    cord__page_chunk_pack(&v->chunk);
    status = cord__pack_write_bytes(&v->chunk.pack, out);
    if (fclose(out) != 0) status = CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        live_text *t = begin_message(v, LIVE_CHUNK, serial);
        cord__live_put_u32(t, chunk);
        cord__live_put_bytes(t, bytes, size);
        end_message(v);
    }
    free(bytes);
    return status;
}

/* The files of the scene, by which a page can go on live with its own engine. */
static void put_files(view_recording *v, uint32_t serial)
{
    const reading_info *info = cord__reading_info(v->from);
    live_text *t = begin_message(v, LIVE_FILES_ARE, serial);
    cord__live_put_u32(t, (uint32_t)info->file_count);
    for (int i = 0; i < info->file_count; i++) {
        const reading_file *f = &info->files[i];
        const char *name = cord__page_file_name(info->files[0].name, f->name);
        if (!name) {
            answer_failed(v, serial, "a file of the scene is not in its folder");
            return;
        }
        cord__live_put_text(t, name);
        cord__live_put_bytes(t, f->text, f->size);
    }
    cord__live_put_u32(t, (uint32_t)info->override_count);
    for (int i = 0; i < info->override_count; i++) cord__live_put_text(t, info->overrides[i]);
    end_message(v);
    begin_message(v, LIVE_DONE, serial), end_message(v);
}

/* ---- requests ------------------------------------------------------------------------------ */

static void fail_by_status(view_recording *v, uint32_t serial, cord_status status)
{
    const char *text = status == CORD_ERROR_MEMORY ? "" : cord__reading_error(v->from);
    answer_failed(v, serial, *text ? text : cord_status_text(status));
}

static void answer(view_recording *v, const request *r)
{
    cord_status status = CORD_OK;
    if (r->refused) {
        answer_failed(v, r->serial, r->refused);
    } else if (r->kind == LIVE_HELLO) {
        put_welcome(v, r->serial);
        put_scene(v);
        status = put_chunks(v);
        if (status == CORD_OK) put_overview(v);
    } else if (r->kind == LIVE_FILES) {
        put_files(v, r->serial);
    } else {
        status = put_chunk(v, r->serial, r->chunk);
        if (status == CORD_OK) begin_message(v, LIVE_DONE, r->serial), end_message(v);
    }
    if (status != CORD_OK) fail_by_status(v, r->serial, status);
}

static const char *refusal(const view_recording *v, const request *r, bool whole)
{
    if (!whole) return "the message cannot be read";
    if (r->kind == LIVE_HELLO)
        return r->chunk == LIVE_VERSION ? NULL : "the page is of another version of Cordage";
    if (r->kind == LIVE_FILES)
        return cord__reading_info(v->from)->file_count > 0 ? NULL
                                                           : "the recording has no scene in it";
    if (r->kind != LIVE_WANT_CHUNK) return "this is a recording: it can be played only";
    return r->chunk < (uint64_t)chunk_count(v) ? NULL : "the recording has no such chunk";
}

/* A page of ours has a few requests under way; those beyond the limit are dropped. */
static void receive(void *user, uint32_t page, const void *bytes, size_t size)
{
    view_recording *v = user;
    live_reader read = {bytes, (const uint8_t *)bytes + size, false};
    request r = {.page = page, .kind = cord__live_u32(&read), .serial = cord__live_u32(&read)};
    if (r.kind != LIVE_FILES) r.chunk = cord__live_u32(&read);
    r.refused = refusal(v, &r, cord__live_ended(&read));
    if (v->waiting_count < MOST_REQUESTS) v->waiting[v->waiting_count++] = r;
}

static void leave(void *user, uint32_t page)
{
    view_recording *v = user;
    int kept = 0;
    for (int i = 0; i < v->waiting_count; i++)
        if (v->waiting[i].page != page) v->waiting[kept++] = v->waiting[i];
    v->waiting_count = kept;
}

/* One request at a time, so that answers do not pile up. */
static bool advance(void *user, double seconds, double budget)
{
    view_recording *v = user;
    (void)seconds, (void)budget;
    if (v->waiting_count == 0 || v->out.size > 0) return false;
    request r = v->waiting[0];
    memmove(v->waiting, v->waiting + 1, (size_t)--v->waiting_count * sizeof r);
    v->to = r.page;
    answer(v, &r);
    return v->waiting_count > 0;
}

static const void *next(void *user, size_t *size, uint32_t *page)
{
    view_recording *v = user;
    uint64_t length;
    if (v->sent >= v->out.size || v->out.failed) {
        v->out.size = v->sent = 0;
        v->out.failed = false;
        return NULL;
    }
    memcpy(&length, v->out.at + v->sent, sizeof length);
    const void *bytes = v->out.at + v->sent + sizeof length;
    v->sent += sizeof length + (size_t)length;
    *size = (size_t)length;
    *page = v->to;
    return bytes;
}

view_source view_recording_source(view_recording *v)
{
    return (view_source){v, receive, leave, advance, next};
}

/* ---- opening ------------------------------------------------------------------------------- */

static cord_status prepare(view_recording *v)
{
    cord_status status = cord__reading_page(v->from, &v->page);
    if (status != CORD_OK) return status;
    v->layout = cord__reading_info(v->from)->layout;
    v->layout.point_count = v->page->point_count;
    v->layout.constraint_count = v->page->constraint_count;
    v->frames = cord__reading_info(v->from)->frames;
    v->numbers = NEW(&v->mem, double, cord__snapshot_size(&v->layout));
    if (!v->numbers || !cord__page_chunk_begin(&v->chunk, &v->mem, &v->layout))
        return CORD_ERROR_MEMORY;
    v->frame = cord__snapshot_in(&v->layout, v->numbers);
    return CORD_OK;
}

int view_recording_open(const char *path, view_recording **result)
{
    memory mem;
    cord__memory_init(&mem, NULL);
    view_recording *v = *result = NEW(&mem, view_recording, 1);
    if (!v) return EXIT_ENGINE;
    v->mem = mem;
    v->out.mem = v->message.mem = &v->mem;
    int code = open_recording(path, &v->from);
    if (code != EXIT_GOOD) return code;
    cord_status status = prepare(v);
    if (status == CORD_OK && v->frames > 0) return EXIT_GOOD;
    fprintf(stderr, "cordage view: %s\n",
            status == CORD_OK             ? "the recording has no frames"
            : status == CORD_ERROR_MEMORY ? cord_status_text(status)
                                          : cord__reading_error(v->from));
    return EXIT_ENGINE;
}

void view_recording_close(view_recording *v)
{
    if (!v) return;
    memory mem = v->mem;
    cord__page_chunk_end(&v->chunk);
    cord__reading_close(v->from);
    cord__release(&mem, v->numbers);
    cord__release(&mem, v->out.at);
    cord__release(&mem, v->message.at);
    cord__release(&mem, v);
}
