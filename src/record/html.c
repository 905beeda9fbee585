/* One HTML page that plays the run in a browser, without network: index.html. The viewer comes first
 * (web/, bundled at build time), then a description of the scene (JSON) and the pixels of its images, then frames in chunks as they fill,
 * so that memory is bounded and the page of a run that was killed still plays as far as it got.
 *
 * A chunk, before packing (pack.h); web/src/recording.js reads it:
 *   u32 frames, f64 time of each;
 *   per strand: f64 origin[3], f64 step, three channels of 16 bits (a vertex is origin + step × n);
 *     a channel of 9 bits, the angle of each edge's first director, 512 to a revolution, against a frame
 *     carried along the vertices as they are unpacked; 8-bit scalars per vertex: curvature, twist,
 *     tension, speed. Those that a model does not give are left out, and the description says so;
 *   per point: f32 position[3], tangent[3], first director[3], each for all frames;
 *   per constraint: f32 for all frames, 1, or 0 while it is released;
 *   per body: f32 position[3] and quaternion[4] (w first), each for all frames;
 *   per series: f32 for all frames;
 *   of scenes with contacts: u32 for all frames, how many, then for each of them f32 position[3], normal[3], force[3] on
 *     the first object (on the second where the first is an obstacle), and 1,
 *     or 0 while it slips. */
#include "math/vec3.h"
#include "record/html_scene.h"
#include "record/pack.h"
#include "record/recorder.h"
#include "record/scalars.h"
#include "record/viewer_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    LEVELS = 65535,          /* of a coordinate */
    ANGLE_STEPS = 512,       /* of an angle */
    CHUNK_NUMBERS = 1 << 20, /* kept until they are packed, about */
    MOST_FRAMES = 120,       /* in a chunk */
    POSE = 7,                /* of a body */
    CONTACT = 10,            /* numbers of a contact */
};

typedef struct html {
    FILE *out;
    bool can_go_live; /* the page has the scene's files */
    int64_t total;    /* frames so far */
    const snapshot_layout *layout;
    size_t size;          /* numbers of a snapshot */
    int frames, capacity; /* of the chunk being filled */
    double *numbers;      /* its snapshots, one after the other */
    double *gathered;     /* a quantity of one strand in all frames of the chunk */
    uint16_t *integer;    /* any channel */
    int *contact_counts;  /* per frame */
    size_t contact_count, contact_room;
    double *contacts; /* CONTACT each */
    pack pack;
} html;

/* ---- opening ------------------------------------------------------------------------------ */

static cord_status out_of_memory(recording *r)
{
    snprintf(r->error, sizeof r->error, "out of memory for the page");
    return CORD_ERROR_MEMORY;
}

/* As many frames as make a chunk of a few megabytes, whatever the size of the scene. */
static int chunk_frames(const snapshot_layout *l)
{
    size_t numbers = 1 + ENERGY_COUNT + l->probe_size + POINT_SIZE * (size_t)l->point_count +
                     POSE * (size_t)l->body_count + 10 * l->vertex_count;
    size_t frames = CHUNK_NUMBERS / numbers;
    return frames < 4 ? 4 : frames > MOST_FRAMES ? MOST_FRAMES : (int)frames;
}

static cord_status reserve(recording *r, html *h)
{
    h->layout = r->frame.layout;
    h->size = cord__snapshot_size(h->layout);
    h->capacity = chunk_frames(h->layout);
    size_t frames = (size_t)h->capacity, longest = h->layout->longest + 1;
    h->numbers = NEW(r->mem, double, frames * h->size);
    h->gathered = NEW(r->mem, double, 3 * frames * longest);
    h->integer = NEW(r->mem, uint16_t, frames * longest);
    h->contact_counts = NEW(r->mem, int, frames);
    return h->numbers && h->gathered && h->integer && h->contact_counts ? CORD_OK
                                                                        : out_of_memory(r);
}

static cord_status html_open(recording *r, void **state)
{
    html *h = *state = NEW(r->mem, html, 1);
    if (!h) return out_of_memory(r);
    h->pack.mem = r->mem;
    cord_status status = reserve(r, h);
    if (status != CORD_OK) return status;
    char path[1280];
    /* A run that goes on has a page of its own, which begins where the first one ends. */
    if (r->keep > 0)
        snprintf(path, sizeof path, "%s/index-from-frame-%lld.html", r->directory,
                 (long long)r->keep);
    else
        snprintf(path, sizeof path, "%s/index.html", r->directory);
    h->out = fopen(path, "w");
    if (!h->out) {
        snprintf(r->error, sizeof r->error, "cannot write %.180s: %s", path, strerror(errno));
        return CORD_ERROR_FILE;
    }
    fwrite(cord__viewer_page, 1, cord__viewer_page_size, h->out);
    cord__page_scene_write(r, h->out);
    if (cord__page_files_write(r, h->out, &h->can_go_live) == CORD_ERROR_MEMORY)
        return out_of_memory(r);
    if (h->can_go_live) cord__page_engine_write(r, h->out);
    status = cord__page_images_write(r, h->out);
    return status == CORD_ERROR_MEMORY ? out_of_memory(r) : status;
}

static cord_status flush_chunk(recording *r, html *h);

/* Keeps the contacts of a frame until they are packed. */
static bool keep_contacts(memory *mem, html *h, const frame_snapshot *now)
{
    size_t needed = h->contact_count + (size_t)now->contact_count;
    if (needed > h->contact_room) {
        double *more = cord__reallocate(mem, h->contacts, 2 * needed, CONTACT * sizeof *more);
        if (!more) return false;
        h->contacts = more;
        h->contact_room = 2 * needed;
    }
    h->contact_counts[h->frames] = now->contact_count;
    for (int i = 0; i < now->contact_count; i++) {
        const contact_record *c = now->contacts + i;
        double *to = h->contacts + CONTACT * h->contact_count++;
        v3_copy(to, c->position);
        v3_copy(to + 3, c->normal);
        bool second = !cord__page_moves_freely(h->layout, c->first) &&
                      cord__page_moves_freely(h->layout, c->second);
        v3_scale(to + 6, second ? -1 : 1, c->force);
        to[9] = c->sticks;
    }
    return true;
}

static cord_status html_frame(recording *r, const frame_snapshot *now, void *state)
{
    html *h = state;
    if (!keep_contacts(r->mem, h, now)) return out_of_memory(r);
    if (h->frames == 0 && h->can_go_live &&
        cord__page_state_write(r, h->total, h->out) == CORD_ERROR_MEMORY)
        return out_of_memory(r);
    h->total++;
    memcpy(h->numbers + (size_t)h->frames * h->size, now->numbers, h->size * sizeof *now->numbers);
    return ++h->frames == h->capacity ? flush_chunk(r, h) : CORD_OK;
}

/* ---- a chunk ------------------------------------------------------------------------------ */

typedef struct lattice {
    double origin[3], step;
} lattice;

static frame_snapshot stored_frame(const html *h, int frame)
{
    return cord__snapshot_in(h->layout, h->numbers + (size_t)frame * h->size);
}

/* The box around `count` positions, with one step for all axes. */
static lattice find_lattice(const double *x, size_t count)
{
    lattice l = {.step = 0};
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, x[3 * i + (size_t)axis]);
            high = fmax(high, x[3 * i + (size_t)axis]);
        }
        l.origin[axis] = low;
        l.step = fmax(l.step, (high - low) / LEVELS);
    }
    return l;
}

/* Packs the vertices, and leaves in `gathered` the positions that they will have when unpacked. */
static void pack_vertices(html *h, int strand)
{
    int vertices = h->layout->strands[strand].vertex_count;
    size_t row = 3 * (size_t)vertices, count = (size_t)h->frames * (size_t)vertices;
    for (int f = 0; f < h->frames; f++) {
        frame_snapshot s = stored_frame(h, f);
        memcpy(h->gathered + (size_t)f * row, cord__snapshot_strand(&s, strand, QUANTITY_POSITIONS),
               row * sizeof *h->gathered);
    }
    lattice l = find_lattice(h->gathered, count);
    for (int axis = 0; axis < 3; axis++) cord__pack_f64(&h->pack, l.origin[axis]);
    cord__pack_f64(&h->pack, l.step);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++) {
            double *x = h->gathered + 3 * i + axis;
            double n = l.step > 0 ? round((*x - l.origin[axis]) / l.step) : 0;
            h->integer[i] = n > 0 ? (uint16_t)fmin(n, LEVELS) : 0;
            *x = l.origin[axis] + l.step * h->integer[i];
        }
        cord__pack_channel(&h->pack, h->integer, h->frames, vertices, 16);
    }
}

/* Any unit normal of t: across the axis that t is least along. */
static void any_normal(const double t[3], double u[3])
{
    int least = fabs(t[0]) <= fabs(t[1]) ? 0 : 1;
    if (fabs(t[2]) < fabs(t[least])) least = 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    for (int k = 0; k < 3; k++) u[k] = axis[k] - t[least] * t[k];
    v3_scale(u, 1 / v3_norm(u), u);
}

/* u, normal to `from`, carried to `to` without twist: u − (u·to)/(1 + from·to) (from + to). A fold
 * right back leaves u as it is, which is normal to both. */
static void carry(double u[3], const double from[3], const double to[3])
{
    double turned = 1 + v3_dot(from, to);
    if (turned > 1e-12) {
        double c = v3_dot(u, to) / turned;
        for (int k = 0; k < 3; k++) u[k] -= c * (from[k] + to[k]);
    }
    double along = v3_dot(u, to);
    for (int k = 0; k < 3; k++) u[k] -= along * to[k];
    v3_scale(u, 1 / v3_norm(u), u);
}

/* The edge's direction; that of the last one, where unpacked vertices coincide. */
static void edge_tangent(const double *x, int j, int vertices, double t[3])
{
    double e[3];
    v3_sub(e, x + 3 * ((j + 1) % vertices), x + 3 * j);
    double length = v3_norm(e);
    if (length > 0) v3_scale(t, 1 / length, e);
}

/* The angle of each first director against a frame carried along the unpacked vertices x. */
static void frame_angles(const snapshot_strand *s, const double *x, const double *frames,
                         uint16_t *angle)
{
    double t[3] = {0, 0, 1}, last[3], u[3], w[3];
    for (int j = 0; j < s->edge_count; j++) {
        v3_copy(last, t);
        edge_tangent(x, j, s->vertex_count, t);
        if (j == 0) {
            any_normal(t, u);
        } else {
            carry(u, last, t);
        }
        v3_cross(w, t, u);
        const double *d = frames + 6 * (size_t)j + 3;
        double part = atan2(v3_dot(d, w), v3_dot(d, u)) / (2 * M_PI);
        angle[j] = (uint16_t)((long)round(part * ANGLE_STEPS) & (ANGLE_STEPS - 1));
    }
}

static void pack_directors(html *h, int strand)
{
    const snapshot_strand *of = &h->layout->strands[strand];
    for (int f = 0; f < h->frames; f++) {
        frame_snapshot s = stored_frame(h, f);
        frame_angles(of, h->gathered + 3 * (size_t)f * (size_t)of->vertex_count,
                     cord__snapshot_strand(&s, strand, QUANTITY_FRAMES),
                     h->integer + (size_t)f * (size_t)of->edge_count);
    }
    cord__pack_channel(&h->pack, h->integer, h->frames, of->edge_count, 9);
}

static void pack_scalar(html *h, int strand, vertex_scalar which)
{
    int vertices = h->layout->strands[strand].vertex_count;
    for (int f = 0; f < h->frames; f++) {
        frame_snapshot s = stored_frame(h, f);
        cord__vertex_scalar(&s, strand, which, h->gathered + (size_t)f * (size_t)vertices);
    }
    cord__pack_scalars(&h->pack, h->gathered, h->frames, vertices, h->integer);
}

static void pack_strand(html *h, int strand)
{
    const snapshot_strand *s = &h->layout->strands[strand];
    pack_vertices(h, strand);
    if (s->has[QUANTITY_FRAMES]) pack_directors(h, strand);
    for (int k = 0; k < SCALAR_COUNT; k++) {
        if (has_scalar(s, (vertex_scalar)k)) pack_scalar(h, strand, (vertex_scalar)k);
    }
}

/* `width` numbers of a frame, each for all frames; `first` is where they are in the first frame. */
static void pack_columns(html *h, const double *first, size_t width)
{
    for (size_t c = 0; c < width; c++)
        for (int f = 0; f < h->frames; f++)
            cord__pack_f32(&h->pack, first[(size_t)f * h->size + c]);
}

static void pack_chunk(html *h)
{
    const snapshot_layout *l = h->layout;
    frame_snapshot first = stored_frame(h, 0);
    cord__pack_u32(&h->pack, (uint32_t)h->frames);
    for (int f = 0; f < h->frames; f++) cord__pack_f64(&h->pack, *stored_frame(h, f).time);
    for (int i = 0; i < l->strand_count; i++) pack_strand(h, i);
    pack_columns(h, first.points, POINT_SIZE * (size_t)l->point_count);
    pack_columns(h, first.attached, (size_t)l->constraint_count);
    for (int i = 0; i < l->body_count; i++) {
        pack_columns(h, cord__snapshot_body(&first, i, BODY_POSITION), 3);
        pack_columns(h, cord__snapshot_body(&first, i, BODY_ROTATION), 4);
    }
    pack_columns(h, first.energies, ENERGY_COUNT);
    for (int i = 0; i < l->probe_count; i++) {
        if (cord__page_plots(&l->probes[i]))
            pack_columns(h, cord__snapshot_probe(&first, i), (size_t)l->probes[i].columns);
    }
    if (!l->has_contacts) return;
    for (int f = 0; f < h->frames; f++) cord__pack_u32(&h->pack, (uint32_t)h->contact_counts[f]);
    for (size_t i = 0; i < CONTACT * h->contact_count; i++)
        cord__pack_f32(&h->pack, h->contacts[i]);
    h->contact_count = 0;
}

static cord_status flush_chunk(recording *r, html *h)
{
    if (h->frames == 0) return CORD_OK;
    pack_chunk(h);
    h->frames = 0;
    fputs("<script type=\"text/plain\" class=\"frames\">", h->out);
    cord_status status = cord__pack_write(&h->pack, h->out);
    fputs("</script>\n", h->out);
    if (fflush(h->out) != 0) status = CORD_ERROR_FILE;
    if (status == CORD_ERROR_MEMORY) return out_of_memory(r);
    if (status != CORD_OK)
        snprintf(r->error, sizeof r->error, "cannot write the page in %.180s: %s", r->directory,
                 strerror(errno));
    return status;
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
    cord__release(r->mem, h->numbers);
    cord__release(r->mem, h->gathered);
    cord__release(r->mem, h->integer);
    cord__release(r->mem, h->contact_counts);
    cord__release(r->mem, h->contacts);
    cord__pack_free(&h->pack);
    cord__release(r->mem, h);
    return status;
}

const recorder_ops cord__recorder_html = {"html", html_open, html_frame, html_close, html_failed};
