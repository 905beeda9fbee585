#include "record/html_chunk.h"

#include "math/vec3.h"
#include "record/html_scene.h"
#include "record/scalars.h"

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

/* ---- filling it --------------------------------------------------------------------------- */

/* As many frames as make a chunk of a few megabytes, whatever the size of the scene. */
static int chunk_frames(const snapshot_layout *l)
{
    size_t numbers = 1 + ENERGY_COUNT + l->probe_size + POINT_SIZE * (size_t)l->point_count +
                     POSE * (size_t)l->body_count + 10 * l->vertex_count;
    size_t frames = CHUNK_NUMBERS / numbers;
    return frames < 4 ? 4 : frames > MOST_FRAMES ? MOST_FRAMES : (int)frames;
}

bool cord__page_chunk_begin(page_chunk *h, memory *mem, const snapshot_layout *layout)
{
    *h = (page_chunk){.layout = layout, .pack.mem = mem};
    h->size = cord__snapshot_size(layout);
    h->capacity = chunk_frames(layout);
    size_t frames = (size_t)h->capacity, longest = layout->longest + 1;
    h->numbers = NEW(mem, double, frames * h->size);
    h->gathered = NEW(mem, double, 3 * frames * longest);
    h->integer = NEW(mem, uint16_t, frames * longest);
    h->contact_counts = NEW(mem, int, frames);
    return h->numbers && h->gathered && h->integer && h->contact_counts;
}

void cord__page_chunk_end(page_chunk *h)
{
    memory *mem = h->pack.mem;
    if (!mem) return;
    cord__release(mem, h->numbers);
    cord__release(mem, h->gathered);
    cord__release(mem, h->integer);
    cord__release(mem, h->contact_counts);
    cord__release(mem, h->contacts);
    cord__pack_free(&h->pack);
}

/* Keeps the contacts of a frame until they are packed. */
static bool keep_contacts(page_chunk *h, const frame_snapshot *now)
{
    size_t needed = h->contact_count + (size_t)now->contact_count;
    if (needed > h->contact_room) {
        double *more =
            cord__reallocate(h->pack.mem, h->contacts, 2 * needed, CONTACT * sizeof *more);
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

bool cord__page_chunk_add(page_chunk *h, const frame_snapshot *now)
{
    if (!keep_contacts(h, now)) return false;
    memcpy(h->numbers + (size_t)h->frames * h->size, now->numbers, h->size * sizeof *now->numbers);
    h->frames++;
    return true;
}

/* ---- packing it --------------------------------------------------------------------------- */

typedef struct lattice {
    double origin[3], step;
} lattice;

static frame_snapshot stored_frame(const page_chunk *h, int frame)
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
static void pack_vertices(page_chunk *h, int strand)
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

static void pack_directors(page_chunk *h, int strand)
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

static void pack_scalar(page_chunk *h, int strand, vertex_scalar which)
{
    int vertices = h->layout->strands[strand].vertex_count;
    for (int f = 0; f < h->frames; f++) {
        frame_snapshot s = stored_frame(h, f);
        cord__vertex_scalar(&s, strand, which, h->gathered + (size_t)f * (size_t)vertices);
    }
    cord__pack_scalars(&h->pack, h->gathered, h->frames, vertices, h->integer);
}

static void pack_strand(page_chunk *h, int strand)
{
    const snapshot_strand *s = &h->layout->strands[strand];
    pack_vertices(h, strand);
    if (s->has[QUANTITY_FRAMES]) pack_directors(h, strand);
    for (int k = 0; k < SCALAR_COUNT; k++) {
        if (has_scalar(s, (vertex_scalar)k)) pack_scalar(h, strand, (vertex_scalar)k);
    }
}

/* `width` numbers of a frame, each for all frames; `first` is where they are in the first frame. */
static void pack_columns(page_chunk *h, const double *first, size_t width)
{
    for (size_t c = 0; c < width; c++)
        for (int f = 0; f < h->frames; f++)
            cord__pack_f32(&h->pack, first[(size_t)f * h->size + c]);
}

static void pack_contacts(page_chunk *h)
{
    for (int f = 0; f < h->frames; f++) cord__pack_u32(&h->pack, (uint32_t)h->contact_counts[f]);
    for (size_t i = 0; i < CONTACT * h->contact_count; i++)
        cord__pack_f32(&h->pack, h->contacts[i]);
    h->contact_count = 0;
}

void cord__page_chunk_pack(page_chunk *h)
{
    if (h->frames == 0) return;
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
    if (l->has_contacts) pack_contacts(h);
    h->frames = 0;
}

cord_status cord__page_chunk_write(page_chunk *h, FILE *out)
{
    fputs("<script type=\"text/plain\" class=\"frames\">", out);
    cord_status status = cord__pack_write(&h->pack, out);
    fputs("</script>\n", out);
    return status == CORD_OK && fflush(out) != 0 ? CORD_ERROR_FILE : status;
}
