/* One HTML page that plays the run in a browser, without network: index.html. The viewer comes first
 * (web/, bundled at build time), then what the scene is (JSON), then frames in chunks as they fill,
 * so that memory is bounded and the page of a run that was killed still plays as far as it got.
 *
 * A chunk, before packing (pack.h); web/src/recording.js reads it:
 *   u32 frames, f64 time of each;
 *   per strand: f64 origin[3], f64 step, three channels of 16 bits (a vertex is origin + step × n);
 *     a channel of 9 bits, the angle of each edge's first director, 512 to a turn, against a frame
 *     carried along the vertices as they are unpacked; 8-bit scalars per vertex: tension, curvature,
 *     twist, speed. What a model does not know is left out, and the scene says so;
 *   per point: f32 place[3], tangent[3], first director[3], each for all frames;
 *   per body: f32 place[3] and quaternion[4] (w first), each for all frames;
 *   per series: f32 for all frames. */
#include "math/vec3.h"
#include "record/html_scene.h"
#include "record/pack.h"
#include "record/quantities.h"
#include "record/recorder.h"
#include "record/viewer_page.h"

#include <math.h>
#include <string.h>

enum {
    LEVELS = 65535,          /* of a coordinate */
    TURN = 512,              /* of an angle */
    CHUNK_NUMBERS = 1 << 20, /* kept until they are packed, about */
    MOST_FRAMES = 120,       /* in a chunk */
    POSE = 7,                /* of a body */
};

typedef struct kept_strand {
    cord_strand handle;
    int vertices, edges;
    unsigned fields;  /* bits of page_field */
    double *x;        /* per frame: 3 × vertices */
    double *director; /* per frame: 3 × edges */
    double *scalar[PAGE_SCALARS];
} kept_strand;

typedef struct html {
    FILE *out;
    page_scene scene;
    kept_strand *strands;
    int frames, capacity; /* of the chunk being filled */
    double *times, *points, *bodies, *series;
    double *scratch;   /* any query's result */
    uint16_t *integer; /* any channel */
    pack pack;
} html;

/* ---- opening ------------------------------------------------------------------------------ */

static cord_status out_of_memory(recording *r)
{
    snprintf(r->error, sizeof r->error, "out of memory for the page");
    return CORD_ERROR_MEMORY;
}

static double *keep(recording *r, const html *h, size_t count)
{
    return NEW(r->mem, double, (size_t)h->capacity *count);
}

static cord_status keep_strand(recording *r, html *h, int i)
{
    const page_strand *info = &h->scene.strands[i];
    kept_strand *s = &h->strands[i];
    size_t vertices = (size_t)info->info.vertex_count, edges = (size_t)info->info.edge_count;
    s->handle = cord_scene_get_strand(r->scene, i);
    s->vertices = (int)vertices;
    s->edges = (int)edges;
    s->fields = info->fields;
    s->x = keep(r, h, 3 * vertices);
    s->director = keep(r, h, s->fields & PAGE_FRAMES ? 3 * edges : 0);
    bool good = s->x && s->director;
    for (int k = 0; k < PAGE_SCALARS; k++) {
        s->scalar[k] = keep(r, h, s->fields & (1u << k) ? vertices : 0);
        good = good && s->scalar[k];
    }
    return good ? CORD_OK : out_of_memory(r);
}

/* As many frames as make a chunk of a few megabytes, whatever the size of the scene. */
static int chunk_frames(const html *h)
{
    size_t numbers = 1 + 9 * (size_t)h->scene.point_count + POSE * (size_t)h->scene.body_count +
                     (size_t)h->scene.series_count;
    for (int i = 0; i < h->scene.strand_count; i++)
        numbers += 10 * (size_t)h->scene.strands[i].info.vertex_count;
    size_t frames = CHUNK_NUMBERS / numbers;
    return frames < 4 ? 4 : frames > MOST_FRAMES ? MOST_FRAMES : (int)frames;
}

static cord_status reserve(recording *r, html *h)
{
    size_t longest = 1;
    for (int i = 0; i < h->scene.strand_count; i++) {
        size_t vertices = (size_t)h->scene.strands[i].info.vertex_count;
        if (vertices > longest) longest = vertices;
    }
    h->capacity = chunk_frames(h);
    h->strands = NEW(r->mem, kept_strand, h->scene.strand_count);
    h->times = keep(r, h, 1);
    h->points = keep(r, h, 9 * (size_t)h->scene.point_count);
    h->bodies = keep(r, h, POSE * (size_t)h->scene.body_count);
    h->series = keep(r, h, (size_t)h->scene.series_count);
    h->scratch = NEW(r->mem, double, 9 * longest);
    h->integer = NEW(r->mem, uint16_t, (size_t)h->capacity * longest);
    if (!h->strands || !h->times || !h->points || !h->bodies || !h->series || !h->scratch ||
        !h->integer)
        return out_of_memory(r);
    for (int i = 0; i < h->scene.strand_count; i++) {
        cord_status status = keep_strand(r, h, i);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

static cord_status html_open(recording *r, void **state)
{
    html *h = *state = NEW(r->mem, html, 1);
    if (!h) return out_of_memory(r);
    h->pack.mem = r->mem;
    cord_status status = cord__page_scene_make(r, &h->scene);
    if (status == CORD_OK) status = reserve(r, h);
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
        snprintf(r->error, sizeof r->error, "cannot write %.200s", path);
        return CORD_ERROR_FILE;
    }
    fwrite(cord__viewer_page, 1, cord__viewer_page_size, h->out);
    cord__page_scene_write(r, &h->scene, h->out);
    return CORD_OK;
}

/* ---- a frame ------------------------------------------------------------------------------ */

/* An edge's value at its vertices: the mean of the two edges that meet there. */
static void edges_to_vertices(const kept_strand *s, const double *edge, double *vertex)
{
    bool closed = s->edges == s->vertices;
    for (int i = 0; i < s->vertices; i++) {
        int before = i > 0 ? i - 1 : closed ? s->edges - 1 : 0, after = i < s->edges ? i : i - 1;
        vertex[i] = (edge[before] + edge[after]) / 2;
    }
}

static void take_curvatures(const kept_strand *s, const double *k, size_t at)
{
    for (int i = 0; i < s->vertices; i++) {
        s->scalar[PAGE_CURVATURE][at + (size_t)i] = hypot(k[3 * i], k[3 * i + 1]);
        s->scalar[PAGE_TWIST][at + (size_t)i] = k[3 * i + 2];
    }
}

static cord_status take_strand(recording *r, html *h, kept_strand *s)
{
    size_t at = (size_t)h->frames * (size_t)s->vertices;
    double *scratch = h->scratch;
    cord_status status = cord_strand_get_positions(r->world, s->handle, s->x + 3 * at);
    if (status == CORD_OK && s->fields & PAGE_FRAMES) {
        status = cord_strand_get_frames(r->world, s->handle, scratch);
        double *director = s->director + 3 * (size_t)h->frames * (size_t)s->edges;
        for (int j = 0; j < s->edges; j++) v3_copy(director + 3 * j, scratch + 9 * j + 3);
    }
    if (status == CORD_OK && s->fields & 1u << PAGE_TENSION) {
        status = cord_strand_get_tensions(r->world, s->handle, scratch);
        edges_to_vertices(s, scratch, s->scalar[PAGE_TENSION] + at);
    }
    if (status == CORD_OK && s->fields & 1u << PAGE_CURVATURE) {
        status = cord_strand_get_curvatures(r->world, s->handle, scratch);
        take_curvatures(s, scratch, at);
    }
    if (status == CORD_OK) status = cord_strand_get_velocities(r->world, s->handle, scratch);
    for (int i = 0; i < s->vertices; i++)
        s->scalar[PAGE_SPEED][at + (size_t)i] = v3_norm(scratch + 3 * i);
    return status;
}

static cord_status take_points(recording *r, html *h)
{
    double *to = h->points + 9 * (size_t)h->scene.point_count * (size_t)h->frames;
    for (int i = 0; i < h->scene.point_count; i++, to += 9) {
        double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        cord_status status = cord_point_get_pose(r->world, h->scene.points[i], to, frame);
        if (status != CORD_OK) return status;
        memcpy(to + 3, frame, 6 * sizeof *to);
    }
    return CORD_OK;
}

static cord_status take_bodies(recording *r, html *h)
{
    double row[BODY_ROW], *to = h->bodies + POSE * (size_t)h->scene.body_count * (size_t)h->frames;
    for (int i = 0; i < h->scene.body_count; i++, to += POSE) {
        cord_status status = cord__body_row(r->scene, r->world, i, row);
        if (status != CORD_OK) return status;
        memcpy(to, row, POSE * sizeof *to);
    }
    return CORD_OK;
}

static cord_status flush_chunk(recording *r, html *h);

static cord_status html_frame(recording *r, void *state)
{
    html *h = state;
    cord_status status = CORD_OK;
    h->times[h->frames] = cord_world_get_time(r->world);
    for (int i = 0; status == CORD_OK && i < h->scene.strand_count; i++)
        status = take_strand(r, h, &h->strands[i]);
    if (status == CORD_OK) status = take_points(r, h);
    if (status == CORD_OK) status = take_bodies(r, h);
    if (status == CORD_OK) {
        status = cord__page_scene_sample(
            r, &h->scene, h->series + (size_t)h->scene.series_count * (size_t)h->frames);
    }
    if (status != CORD_OK) {
        if (!r->error[0])
            snprintf(r->error, sizeof r->error, "%.200s", cord_world_get_error(r->world));
        return status;
    }
    return ++h->frames == h->capacity ? flush_chunk(r, h) : CORD_OK;
}

/* ---- a chunk ------------------------------------------------------------------------------ */

typedef struct lattice {
    double origin[3], step;
} lattice;

/* The box around the strand in all frames of the chunk, with one step for all axes. */
static lattice find_lattice(const html *h, const kept_strand *s)
{
    lattice l = {.step = 0};
    size_t count = (size_t)h->frames * (size_t)s->vertices;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, s->x[3 * i + (size_t)axis]);
            high = fmax(high, s->x[3 * i + (size_t)axis]);
        }
        l.origin[axis] = low;
        l.step = fmax(l.step, (high - low) / LEVELS);
    }
    return l;
}

/* Packs the vertices, and moves them to where they will be when unpacked. */
static void pack_vertices(html *h, kept_strand *s)
{
    lattice l = find_lattice(h, s);
    size_t count = (size_t)h->frames * (size_t)s->vertices;
    for (int axis = 0; axis < 3; axis++) cord__pack_f64(&h->pack, l.origin[axis]);
    cord__pack_f64(&h->pack, l.step);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++) {
            double *x = s->x + 3 * i + axis;
            double n = l.step > 0 ? round((*x - l.origin[axis]) / l.step) : 0;
            h->integer[i] = n > 0 ? (uint16_t)fmin(n, LEVELS) : 0;
            *x = l.origin[axis] + l.step * h->integer[i];
        }
        cord__pack_channel(&h->pack, h->integer, h->frames, s->vertices, 16);
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

static void frame_angles(const kept_strand *s, const double *x, const double *director,
                         uint16_t *angle)
{
    double t[3] = {0, 0, 1}, last[3], u[3], w[3];
    for (int j = 0; j < s->edges; j++) {
        v3_copy(last, t);
        edge_tangent(x, j, s->vertices, t);
        if (j == 0) {
            any_normal(t, u);
        } else {
            carry(u, last, t);
        }
        v3_cross(w, t, u);
        const double *d = director + 3 * j;
        double part = atan2(v3_dot(d, w), v3_dot(d, u)) / (2 * M_PI);
        angle[j] = (uint16_t)((long)round(part * TURN) & (TURN - 1));
    }
}

static void pack_directors(html *h, const kept_strand *s)
{
    for (int f = 0; f < h->frames; f++) {
        size_t vertex = (size_t)f * (size_t)s->vertices, edge = (size_t)f * (size_t)s->edges;
        frame_angles(s, s->x + 3 * vertex, s->director + 3 * edge, h->integer + edge);
    }
    cord__pack_channel(&h->pack, h->integer, h->frames, s->edges, 9);
}

/* `width` numbers a frame, each for all frames. */
static void pack_columns(html *h, const double *values, size_t width)
{
    for (size_t c = 0; c < width; c++)
        for (int f = 0; f < h->frames; f++) cord__pack_f32(&h->pack, values[(size_t)f * width + c]);
}

static cord_status flush_chunk(recording *r, html *h)
{
    if (h->frames == 0) return CORD_OK;
    cord__pack_u32(&h->pack, (uint32_t)h->frames);
    for (int f = 0; f < h->frames; f++) cord__pack_f64(&h->pack, h->times[f]);
    for (int i = 0; i < h->scene.strand_count; i++) {
        kept_strand *s = &h->strands[i];
        pack_vertices(h, s);
        if (s->fields & PAGE_FRAMES) pack_directors(h, s);
        for (int k = 0; k < PAGE_SCALARS; k++) {
            if (!(s->fields & 1u << k)) continue;
            cord__pack_scalars(&h->pack, s->scalar[k], h->frames, s->vertices, h->integer);
        }
    }
    pack_columns(h, h->points, 9 * (size_t)h->scene.point_count);
    pack_columns(h, h->bodies, POSE * (size_t)h->scene.body_count);
    pack_columns(h, h->series, (size_t)h->scene.series_count);
    h->frames = 0;
    fputs("<script type=\"text/plain\" class=\"frames\">", h->out);
    cord_status status = cord__pack_write(&h->pack, h->out);
    fputs("</script>\n", h->out);
    if (fflush(h->out) != 0) status = CORD_ERROR_FILE;
    if (status == CORD_ERROR_MEMORY) return out_of_memory(r);
    if (status != CORD_OK)
        snprintf(r->error, sizeof r->error, "writing index.html failed (is the disk full?)");
    return status;
}

/* ---- closing ------------------------------------------------------------------------------ */

static void free_strand(memory *mem, kept_strand *s)
{
    cord__release(mem, s->x);
    cord__release(mem, s->director);
    for (int k = 0; k < PAGE_SCALARS; k++) cord__release(mem, s->scalar[k]);
}

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
    for (int i = 0; h->strands && i < h->scene.strand_count; i++)
        free_strand(r->mem, &h->strands[i]);
    cord__release(r->mem, h->strands);
    cord__release(r->mem, h->times);
    cord__release(r->mem, h->points);
    cord__release(r->mem, h->bodies);
    cord__release(r->mem, h->series);
    cord__release(r->mem, h->scratch);
    cord__release(r->mem, h->integer);
    cord__pack_free(&h->pack);
    cord__page_scene_free(r, &h->scene);
    cord__release(r->mem, h);
    return status;
}

const recorder_ops cord__recorder_html = {"html", html_open, html_frame, html_close};
