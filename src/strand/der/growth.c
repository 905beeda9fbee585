/* Growth of a discrete rod at its end (growth_ops).
 *
 * The last edge becomes longer along its direction, and its ends share the new mass. The velocity of its end is
 * extrapolated, so that the motion of the material that exists is unchanged.
 *
 * Its division at length 2ē puts a new vertex in its middle. One joint at its start has stood for the curvature of the
 * edge; now there are two, each with half of the length. The new joint has the curvature κ̄ + (κ − κ̄)/2 that a moment
 * which falls to zero at the end has there, κ of the joint at the start and κ̄ natural. With w = ē κ the frames of the two halves
 * are those of the divided edge rotated by −w/2 and by w/2, so that the mean direction is unchanged: the new vertex is
 * κē²/2 beside the chord, as on the smooth curve through the vertices. A straight edge keeps its shape. The velocity of the
 * new vertex is the mean of its neighbours', by which mass and linear momentum are unchanged. */
#include "curve/transport.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/der/der.h"

#include <stdio.h>
#include <string.h>

enum { MOST_EDGES = 1000000 };

/* ---- growth ------------------------------------------------------------------------------------- */

static cord_status prepare(void *model, memory *m, strand_growth *g, char *why, size_t size)
{
    der *d = model;
    const int last = d->edges - 1; /* the joint at its start */
    (void)m;
    if (d->closed) {
        snprintf(why, size, "a closed strand has no end at which it could grow");
        return CORD_ERROR_UNSUPPORTED;
    }
    if (d->frame_at[d->n - 1] >= 0) {
        snprintf(why, size,
                 "a constraint acts on the frame at its end; at the end of a der strand that grows "
                 "constraints act on the position alone");
        return CORD_ERROR_UNSUPPORTED;
    }
    const int vertices = (int)ceil(g->until / g->element) + 1;
    v3_set(g->end, 0, 0, 0);
    if (last > 0) {
        const double *s = d->natural + STRAINS * last;
        v3_set(g->end, (s[0] + s[2]) / d->cell[last], (s[1] + s[3]) / d->cell[last],
               2 * s[4] / d->cell[last]);
    }
    if (d->reported < vertices) d->reported = vertices;
    if (d->reported < d->n) d->reported = d->n;
    if (!cord__growth_is_straight(g)) d->straight = d->isotropic = false;
    cord__der_set_bending_cells(d);
    return CORD_OK;
}

static double last_element(const void *model)
{
    const der *d = model;
    return d->rest[d->edges - 1];
}

static void lengthen(void *model, double by, double *q, double *v)
{
    der *d = model;
    const int last = d->n - 1;
    const double more = by / d->rest[last - 1];
    double e[3], w[3];
    v3_sub(e, q + 3 * last, q + 3 * last - 3);
    v3_sub(w, v + 4 * last, v + 4 * last - 4);
    v3_axpy(q + 3 * last, more, e);
    v3_axpy(v + 4 * last, more, w);
    d->rest[last - 1] += by;
    cord__der_set_cells(d);
}

/* Natural strains of the joint, or of the two joints of the vertex frame, at an inner vertex. */
static void set_natural_at(der *d, int vertex, const double k[3])
{
    const int p = d->frame_at[vertex];
    memset(d->natural + STRAINS * vertex, 0, STRAINS * sizeof *d->natural);
    cord__der_add_strains(d, k, 0.5 * d->cell[vertex], d->natural + STRAINS * vertex);
    for (int side = 0; p >= 0 && side < 2; side++) {
        der_vertex_frame *own = d->frame + p;
        memset(own->natural[side], 0, sizeof own->natural[side]);
        cord__der_add_strains(d, k, 0.5 * d->rest[vertex - 1 + side], own->natural[side]);
        memcpy(own->defined[side], own->natural[side], sizeof own->natural[side]);
    }
}

static void set_natural(void *model, const strand_growth *g)
{
    der *d = model;
    const double from = d->arc[d->edges] - (g->period > 0 ? g->zone : 0);
    for (int i = d->n - 2; i > 0 && (i == d->n - 2 || d->arc[i] >= from); i--) {
        double k[3];
        cord__growth_curvature(g, d->arc[i], k);
        set_natural_at(d, i, k);
    }
}

/* ---- successors --------------------------------------------------------------------------------- */

/* A rod of so many edges, as far as the other has them, with the vertex frames of the other. */
static der *make(const der *from, int edges, memory *m)
{
    der *d = NEW(m, der, 1);
    if (!d) return NULL;
    *d = *from;
    d->edges = edges;
    d->n = edges + 1;
    d->defined = (der_defined){0};
    d->initial_frames = d->frame_count;
    d->frame_capacity = d->frame_count + 1;
    d->frame = NULL;
    d->initial_q = d->initial_dofs = NULL;
    cord_status status = cord__der_allocate(d, m);
    if (status == CORD_OK) {
        d->frame = NEW(m, der_vertex_frame, d->frame_capacity);
        d->initial_q = NEW(m, double, der_q_count(d));
        d->initial_dofs = NEW(m, double, der_main_dofs(d) + 3 * d->frame_count);
    }
    if (!d->frame || !d->initial_q || !d->initial_dofs) {
        cord__der_destroy(d, m);
        return NULL;
    }
    const size_t both = (size_t)(edges < from->edges ? edges : from->edges);
    memcpy(d->rest, from->rest, both * sizeof *d->rest);
    memcpy(d->natural, from->natural, STRAINS * both * sizeof *d->natural);
    memcpy(d->natural_x, from->natural_x, 3 * (both + 1) * sizeof *d->natural_x);
    memcpy(d->natural_m1, from->natural_m1, 3 * both * sizeof *d->natural_m1);
    for (int p = 0; p < d->frame_count; p++) d->frame[p] = from->frame[p];
    for (int i = 0; i < d->n; i++) d->frame_at[i] = -1;
    for (int p = 0; p < d->frame_count; p++)
        if (d->frame[p].vertex < d->n) d->frame_at[d->frame[p].vertex] = p;
    return d;
}

/* Parts of q and v that belong to edges and vertices before the divided one, and to vertex frames. */
static void copy_state(der *d, const der *from, const double *q, const double *v)
{
    const size_t edges = (size_t)from->edges, n = (size_t)from->n,
                 frames = (size_t)from->frame_count;
    double *to = d->initial_q;
    memcpy(to, q, 3 * n * sizeof *q);
    memcpy(to + der_m1_offset(d), der_m1(from, q), 3 * edges * sizeof *q);
    memcpy(to + der_twist_offset(d), der_twist(from, q), n * sizeof *q);
    memcpy(to + der_closing_offset(d), der_closing(from, q), sizeof *q);
    memcpy(to + der_vertex_frame_offset(d, 0), der_vertex_frame_q(from, q, 0),
           CARRIER_Q * frames * sizeof *q);
    memcpy(d->initial_dofs, v, (size_t)der_main_dofs(from) * sizeof *v);
    memcpy(d->initial_dofs + der_main_dofs(d), v + der_main_dofs(from), 3 * frames * sizeof *v);
}

/* The frames of the two halves of an edge with the frame F, F exp(∓w/2), and w itself. */
static void half_frames(const der *from, const strand_growth *g, const double *cache,
                        double frame[2][9], double w[3])
{
    const int last = from->edges - 1;
    const der_edge *edge = der_edges(cache) + last;
    const double length = 0.5 * from->rest[last];
    double natural[3], k[3], whole[9], rotation[9], half[3];
    v3_copy(whole, edge->t);
    v3_copy(whole + 3, edge->m1);
    v3_copy(whole + 6, edge->m2);
    cord__growth_curvature(g, from->arc[last] + length, natural);
    v3_copy(k, natural);
    if (last > 0 || from->frame_at[0] >= 0) cord__der_curvature(from, cache, last, k);
    v3_combine(k, 0.5, k, 0.5, natural);
    v3_set(w, length * k[2], length * k[0], length * k[1]);
    for (int side = 0; side < 2; side++) {
        v3_scale(half, side ? 0.5 : -0.5, w);
        cord__rotation_exp(rotation, half);
        m3_multiply(frame[side], whole, rotation);
    }
}

/* The twist of the edge at its start, or of the vertex frame there against the edge, after its rotation by −w/2. */
static void rotate_back(der *d, const double *cache, const double *frame, double w)
{
    const int vertex = d->n - 3, p = d->frame_at[vertex];
    double *twist = d->initial_q + der_twist_offset(d) + vertex;
    if (p >= 0) {
        double *own = d->initial_q + der_vertex_frame_offset(d, p);
        own[10] = transport_angle_near(own, own + 3, frame, frame + 3, own[10] - 0.5 * w);
    } else if (vertex > 0) {
        const der_edge *before = der_edges(cache) + vertex - 1;
        *twist = transport_angle_near(before->t, before->m1, frame, frame + 3, *twist - 0.5 * w);
    }
}

static void divide_state(der *d, const der *from, const strand_growth *g, const double *q,
                         const double *cache, const double *v)
{
    const int vertex = from->n - 1, edge = vertex - 1; /* the new vertex has that number */
    double frame[2][9], w[3], *x = d->initial_q + 3 * vertex;
    double *m1 = d->initial_q + der_m1_offset(d) + 3 * edge, *to = d->initial_dofs + 4 * vertex;
    copy_state(d, from, q, v);
    half_frames(from, g, cache, frame, w);
    for (int side = 0; side < 2; side++) {
        v3_copy(x + 3 * side, x + 3 * side - 3);
        v3_axpy(x + 3 * side, 0.5 * der_edges(cache)[edge].length, frame[side]);
        v3_copy(m1 + 3 * side, frame[side] + 3);
    }
    rotate_back(d, cache, frame[0], w[0]);
    d->initial_q[der_twist_offset(d) + vertex] =
        transport_angle_near(frame[0], frame[0] + 3, frame[1], frame[1] + 3, w[0]);
    v3_combine(to, 0.5, v + 4 * edge, 0.5, v + 4 * vertex);
    to[3] = v[4 * edge + 3];
    v3_copy(to + 4, v + 4 * vertex);
}

static cord_status divide(const void *model, const strand_growth *g, const double *q,
                          const double *cache, const double *v, memory *m, void **successor)
{
    const der *from = model;
    const int last = from->edges - 1;
    der *d = make(from, from->edges + 1, m);
    if (!d) return CORD_ERROR_MEMORY;
    d->rest[last] = d->rest[last + 1] = 0.5 * from->rest[last];
    cord__der_set_cells(d);
    for (int a = 0; last > 0 && a < STRAINS; a++)
        d->natural[STRAINS * last + a] *= d->cell[last] / from->cell[last];
    const int p = d->frame_at[last];
    for (int a = 0; p >= 0 && a < STRAINS; a++)
        d->frame[p].natural[1][a] = d->frame[p].defined[1][a] *= 0.5;
    divide_state(d, from, g, q, cache, v);
    *successor = d;
    return CORD_OK;
}

/* ---- checkpoints: the number of edges, their lengths, natural strains of joints and of vertex frames ------------- */

static size_t bytes_of(int64_t edges, int frames)
{
    return sizeof edges +
           ((1 + STRAINS) * (size_t)edges + 2 * STRAINS * (size_t)frames) * sizeof(double);
}

static size_t size(const void *model)
{
    const der *d = model;
    return bytes_of(d->edges, d->frame_count);
}

static void write(const void *model, void *bytes)
{
    const der *d = model;
    const int64_t edges = d->edges;
    const size_t count = (size_t)edges * sizeof(double);
    char *to = bytes;
    memcpy(to, &edges, sizeof edges);
    memcpy(to += sizeof edges, d->rest, count);
    memcpy(to += count, d->natural, STRAINS * count);
    to += STRAINS * count;
    for (int p = 0; p < d->frame_count; p++, to += sizeof d->frame->natural)
        memcpy(to, d->frame[p].natural, sizeof d->frame->natural);
}

static cord_status read(const void *model, const void *bytes, size_t given, memory *m,
                        void **successor)
{
    const der *from = model;
    const char *at = bytes;
    int64_t edges;
    if (given < sizeof edges) return CORD_ERROR_ARGUMENT;
    memcpy(&edges, at, sizeof edges);
    if (edges < 1 || edges > MOST_EDGES || given != bytes_of(edges, from->frame_count))
        return CORD_ERROR_ARGUMENT;
    der *d = make(from, (int)edges, m);
    if (!d) return CORD_ERROR_MEMORY;
    const size_t count = (size_t)edges * sizeof(double);
    memcpy(d->rest, at += sizeof edges, count);
    memcpy(d->natural, at += count, STRAINS * count);
    at += STRAINS * count;
    bool good = cord__in_range(d->rest, d->edges) && cord__in_range(d->natural, STRAINS * d->edges);
    for (int p = 0; p < d->frame_count; p++, at += sizeof d->frame->natural) {
        memcpy(d->frame[p].natural, at, sizeof d->frame->natural);
        memcpy(d->frame[p].defined, at, sizeof d->frame->natural);
        good = good && cord__in_range(d->frame[p].natural[0], 2 * STRAINS) &&
               d->frame[p].vertex < d->n;
    }
    for (int j = 0; j < d->edges; j++) good = good && d->rest[j] > 0;
    if (!good) {
        cord__der_destroy(d, m);
        return CORD_ERROR_ARGUMENT;
    }
    cord__der_set_cells(d);
    for (int j = 0; j < d->edges; j++) { /* until the state is read: straight, of any direction */
        d->initial_q[3 * j + 3] = d->arc[j + 1];
        d->initial_q[der_m1_offset(d) + 3 * j + 1] = 1;
    }
    for (int p = 0; p < d->frame_count; p++) {
        double *frame = d->initial_q + der_vertex_frame_offset(d, p);
        frame[0] = frame[4] = frame[8] = 1;
    }
    *successor = d;
    return CORD_OK;
}

static uint64_t add_to_hash(const void *model, uint64_t hash)
{
    const der *d = model;
    for (int i = 0; i < (1 + STRAINS) * d->edges; i++) {
        uint64_t bits;
        memcpy(&bits, i < d->edges ? d->rest + i : d->natural + (i - d->edges), sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

const growth_ops cord__der_growth = {.prepare = prepare,
                                     .last_element = last_element,
                                     .lengthen = lengthen,
                                     .set_natural = set_natural,
                                     .divide = divide,
                                     .size = size,
                                     .write = write,
                                     .read = read,
                                     .hash = add_to_hash};
