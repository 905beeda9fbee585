/* One HTML page that plays the run in a browser, without network: index.html. The viewer comes first
 * (web/, bundled at build time), then a description of the scene (JSON) and the pixels of its images, then frames in chunks as they fill,
 * so that memory is bounded and the page of a run that was killed still plays as far as it got. The page of a run that is
 * resumed is written anew, with the frames of its recording first (html_resume.c). */
#include "record/html_chunk.h"
#include "record/html_scene.h"
#include "record/recorder.h"
#include "record/viewer_page.h"

#include <errno.h>
#include <string.h>

typedef struct html {
    FILE *out;
    char path[1280], part[1290]; /* `part`: its name until the frames of the recording are in it */
    bool can_go_live;            /* the page has the scene's files */
    int64_t total;               /* frames so far */
    page_chunk chunk;            /* being filled */
} html;

/* ---- opening ------------------------------------------------------------------------------ */

static cord_status out_of_memory(recording *r)
{
    snprintf(r->error, sizeof r->error, "out of memory for the page");
    return CORD_ERROR_MEMORY;
}

static cord_status cannot_write(recording *r, const html *h)
{
    snprintf(r->error, sizeof r->error, "cannot write %.180s: %s", h->path, strerror(errno));
    return CORD_ERROR_FILE;
}

static cord_status write_beginning(recording *r, html *h)
{
    fwrite(cord__viewer_page, 1, cord__viewer_page_size, h->out);
    cord__page_scene_write(r, h->out);
    if (cord__page_files_write(r, h->out, &h->can_go_live) == CORD_ERROR_MEMORY)
        return out_of_memory(r);
    if (h->can_go_live) cord__page_engine_write(r, h->out);
    cord_status status = cord__page_images_write(r, h->out);
    return status == CORD_ERROR_MEMORY ? out_of_memory(r) : status;
}

static cord_status flush_chunk(recording *r, html *h)
{
    if (h->chunk.frames == 0) return CORD_OK;
    cord__page_chunk_pack(&h->chunk);
    cord_status status = cord__page_chunk_write(&h->chunk, h->out);
    if (status == CORD_ERROR_MEMORY) return out_of_memory(r);
    return status == CORD_OK ? CORD_OK : cannot_write(r, h);
}

#ifdef CORDAGE_HDF5
/* The old page stays until the frames of the recording are in the new one. */
static cord_status resume(recording *r, html *h)
{
    cord_status status = cord__page_frames_resume(r, &h->chunk, h->path, h->out);
    if (status == CORD_OK) status = flush_chunk(r, h);
    h->total = r->keep;
    if (status == CORD_OK && rename(h->part, h->path) != 0) return cannot_write(r, h);
    return status;
}
#endif

static cord_status html_open(recording *r, void **state)
{
    html *h = *state = NEW(r->mem, html, 1);
    if (!h || !cord__page_chunk_begin(&h->chunk, r->mem, r->frame.layout)) return out_of_memory(r);
    snprintf(h->path, sizeof h->path, "%s/index.html", r->directory);
    snprintf(h->part, sizeof h->part, "%s.part", h->path);
    h->out = fopen(r->keep > 0 ? h->part : h->path, "w");
    if (!h->out) return cannot_write(r, h);
    cord_status status = write_beginning(r, h);
#ifdef CORDAGE_HDF5
    if (status == CORD_OK && r->keep > 0) {
        status = resume(r, h);
        if (status != CORD_OK) remove(h->part);
    }
#endif
    return status;
}

static cord_status html_frame(recording *r, const frame_snapshot *now, void *state)
{
    html *h = state;
    if (h->chunk.frames == 0 && h->can_go_live &&
        cord__page_state_write(r, h->total, h->out) == CORD_ERROR_MEMORY)
        return out_of_memory(r);
    if (!cord__page_chunk_add(&h->chunk, now)) return out_of_memory(r);
    h->total++;
    return h->chunk.frames == h->chunk.capacity ? flush_chunk(r, h) : CORD_OK;
}

/* Before the last chunk, whose position in the page does not matter. */
static cord_status html_failed(recording *r, void *state)
{
    html *h = state;
    cord__page_failure_write(r, h->out);
    return ferror(h->out) ? CORD_ERROR_FILE : CORD_OK;
}

/* ---- closing ------------------------------------------------------------------------------ */

static cord_status html_close(recording *r, void *state)
{
    html *h = state;
    cord_status status = CORD_OK;
    if (h->out) {
        status = flush_chunk(r, h);
        fputs("</body>\n</html>\n", h->out);
        bool failed = ferror(h->out) != 0;
        failed = fclose(h->out) != 0 || failed;
        if (failed) status = CORD_ERROR_FILE;
    }
    cord__page_chunk_end(&h->chunk);
    cord__release(r->mem, h);
    return status;
}

const recorder_ops cord__recorder_html = {"html", html_open, html_frame, html_close, html_failed};
