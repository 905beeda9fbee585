/* The frames of a run before it was resumed, for its page: from the recording. The states by which these frames can be taken
 * over are in no recording but in the page of the first part, each in a line of its own. */
#include "record/hdf5_values.h"
#include "record/html_scene.h"
#include "record/reading.h"

#include <stdlib.h>
#include <string.h>

/* ---- states ------------------------------------------------------------------------------- */

static bool is_state(const char *line, int64_t keep)
{
    static const char mark[] = "<script type=\"text/plain\" class=\"state\" data-frame=\"";
    size_t length = sizeof mark - 1;
    return strncmp(line, mark, length) == 0 && strtoll(line + length, NULL, 10) < keep;
}

/* A line is as long as a chunk of the page: its rest is copied, or passed over, in parts. */
static void copy_states(const char *page, int64_t keep, FILE *out)
{
    FILE *in = fopen(page, "r");
    char part[4096];
    bool begins = true, copied = false;
    while (in && fgets(part, sizeof part, in)) {
        if (begins) copied = is_state(part, keep);
        if (copied) fputs(part, out);
        begins = strchr(part, '\n') != NULL;
    }
    if (copied && !begins) fputs("</script>\n", out); /* the run was killed in the middle of it */
    if (in) fclose(in);
}

/* ---- frames ------------------------------------------------------------------------------- */

static cord_status read_frame(reading *from, int64_t i, frame_snapshot *frame)
{
    cord_status status = cord__reading_frame(from, i, ALL_QUANTITIES, frame);
    if (status == CORD_OK)
        status = cord__reading_page_frame(from, i, frame->points, frame->layout->point_count,
                                          frame->attached, frame->layout->constraint_count);
    return status;
}

static cord_status copy_frames(recording *r, reading *from, page_chunk *chunk, FILE *out)
{
    cord_status status = CORD_OK;
    for (int64_t i = 0; status == CORD_OK && i < r->keep; i++) {
        status = read_frame(from, i, &r->frame);
        if (status == CORD_OK && !cord__page_chunk_add(chunk, &r->frame))
            status = CORD_ERROR_MEMORY;
        if (status == CORD_OK && chunk->frames == chunk->capacity) {
            cord__page_chunk_pack(chunk);
            status = cord__page_chunk_write(chunk, out);
        }
    }
    return status;
}

cord_status cord__page_frames_resume(recording *r, page_chunk *chunk, const char *old_page,
                                     FILE *out)
{
    reading *from;
    cord_status status = cord__reading_open(r->directory, &from);
    if (status == CORD_OK) {
        copy_states(old_page, r->keep, out);
        status = copy_frames(r, from, chunk, out);
    }
    if (status != CORD_OK)
        snprintf(r->error, sizeof r->error, "the page cannot go on from the recording: %.300s",
                 from && *cord__reading_error(from) ? cord__reading_error(from)
                                                    : cord_status_text(status));
    cord__reading_close(from);
    return status;
}
