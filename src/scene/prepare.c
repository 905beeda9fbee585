/* Computes arrays from the mapping of a strand: centrelines, angles, velocities. */
#include "math/vec3.h"
#include "scene/scene_data.h"
#include "strand/traits.h"

#include <math.h>
#include <string.h>

/* ---- angles ------------------------------------------------------------------------------- */

static bool make_angles(reader *r, const twist_value *t, const polyline *line, double **angles)
{
    *angles = NULL;
    if (!t->at) return true;
    int edges = cord__edge_count(line);
    double *theta = TAKE(r->memory, double, edges);
    if (!theta) return false;
    if (t->with_curve) {
        cord__frenet_angles(line, theta);
    } else {
        for (int i = 0; i < edges; i++) theta[i] = edges > 1 ? t->total * i / (edges - 1) : 0;
    }
    *angles = theta;
    return true;
}

/* The component of a director normal to the first edge; zero when none was specified. */
static bool fit_director(reader *r, const strand_data *s, const char *key, const polyline *line,
                         double *d)
{
    if (isnan(d[0])) {
        v3_set(d, 0, 0, 0);
        return true;
    }
    double t[3];
    v3_sub(t, line->x + 3, line->x);
    v3_normalize(t, t);
    v3_normalize(d, d);
    v3_axpy(d, -v3_dot(d, t), t);
    if (v3_norm(d) > 1e-6) {
        v3_normalize(d, d);
        return true;
    }
    cord__diagnose(r->errors, cord__node_key_mark(s->at, key), "%s is along the first edge", key);
    return false;
}

static bool make_directors(reader *r, strand_data *s)
{
    bool given = cord__node_get(s->at, "natural_director") != NULL;
    bool own = s->natural.kind != NULL;
    /* A separate natural shape may have another first direction: the same director need not be normal to it. */
    if (!given && !own) v3_copy(s->natural_director, s->director);
    return fit_director(r, s, "director", &s->line, s->director) &&
           fit_director(r, s, "natural_director", &s->natural_line, s->natural_director);
}

/* ---- velocities --------------------------------------------------------------------------- */

static bool make_velocities(reader *r, strand_data *s)
{
    if (v3_norm(s->velocity) == 0 && !s->spin) return true;
    s->velocities = TAKE(r->memory, double, 3 * (size_t)s->line.count);
    if (!s->velocities) return false;
    double omega[3] = {0, 0, 0}, center[3] = {0, 0, 0};
    if (s->spin) {
        v3_normalize(omega, s->spin->axis);
        v3_scale(omega, s->spin->rate, omega);
        v3_copy(center, s->spin->center);
    }
    for (int i = 0; i < s->line.count; i++) {
        double arm[3], *v = s->velocities + 3 * (size_t)i;
        v3_sub(arm, s->line.x + 3 * (size_t)i, center);
        v3_cross(v, omega, arm);
        v3_add(v, v, s->velocity);
    }
    return true;
}

/* ---- centrelines -------------------------------------------------------------------------- */

/* A closed strand's natural shape may be closed too, or open with as many edges: one vertex more. */
static bool same_edges(const strand_data *s)
{
    bool opened = s->line.closed && !s->natural_line.closed;
    return cord__edge_count(&s->line) == cord__edge_count(&s->natural_line) &&
           (opened || s->line.closed == s->natural_line.closed);
}

static bool check_natural(reader *r, const strand_data *s)
{
    mark at = s->natural.at->at;
    if (!same_edges(s)) {
        cord__diagnose(
            r->errors, at, "the natural shape has %d edges (%s), the initial one %d (%s)",
            cord__edge_count(&s->natural_line), s->natural_line.closed ? "closed" : "open",
            cord__edge_count(&s->line), s->line.closed ? "closed" : "open");
        return false;
    }
    if (cord__strand_traits(s->model)->has_control_points && !s->line.closed)
        return true; /* the model compares the curves */
    double initial = cord__polyline_length(&s->line);
    bool off = fabs(initial / s->length - 1) > 0.01;
    if (off && s->stretch == CORD_STRETCH_NONE) {
        cord__diagnose(r->errors, at,
                       "the natural shape is %.9g m long, the initial one %.9g m; a strand that "
                       "does not stretch needs the same length (to 1 %%)",
                       s->length, initial);
        return false;
    }
    return true;
}

static bool copy_line(reader *r, const polyline *from, polyline *to)
{
    *to = *from;
    to->x = TAKE(r->memory, double, 3 * (size_t)from->count);
    if (to->x) memcpy(to->x, from->x, 3 * (size_t)from->count * sizeof(double));
    return to->x != NULL;
}

/* The natural shape of a closed strand with an explicit closing edge, as the API requires it. */
static bool write_out_closing(reader *r, strand_data *s)
{
    polyline *line = &s->natural_line;
    if (!line->closed) return true;
    double *x = TAKE(r->memory, double, 3 * (size_t)(line->count + 1));
    if (!x) return false;
    memcpy(x, line->x, 3 * (size_t)line->count * sizeof *x);
    v3_copy(x + 3 * (size_t)line->count, line->x);
    line->x = x;
    return true;
}

/* Without stretch, edges have their natural lengths from the start: whichever of the initial and the natural
 * shape is open is adjusted. A model with control points adjusts its curve, which is as long as the natural curve. */
static void fit_lengths(strand_data *s, bool own)
{
    if (own && cord__strand_traits(s->model)->has_control_points && !s->line.closed) return;
    if (s->stretch != CORD_STRETCH_NONE || !(own || s->perturb)) return;
    if (!s->line.closed) cord__take_lengths(&s->line, &s->natural_line);
    if (s->line.closed && !s->natural_line.closed) cord__take_lengths(&s->natural_line, &s->line);
    s->length = cord__polyline_length(&s->natural_line);
}

static void move(const polyline *line, const double *by)
{
    for (int i = 0; i < line->count; i++)
        v3_add(line->x + 3 * (size_t)i, line->x + 3 * (size_t)i, by);
}

/* A chain's natural shape is sampled as its initial one. */
static bool trace_natural(reader *r, strand_data *s)
{
    shape_base *base = s->natural.data;
    if (cord__strand_traits(s->model)->has_elements && base->vertices == 0)
        base->vertices = s->line.count;
    return cord__trace_shape(r, &s->natural, &s->natural_line);
}

static bool trace_initial(reader *r, strand_data *s)
{
    if (s->chain.initial) return cord__trace_chain(r, s);
    if (!cord__trace_shape(r, &s->shape, &s->line)) return false;
    move(&s->line, s->offset);
    return copy_line(r, &s->line, &s->natural_line);
}

static bool make_lines(reader *r, strand_data *s)
{
    bool own = s->natural.kind != NULL, chain = cord__strand_traits(s->model)->has_elements;
    if (!trace_initial(r, s)) return false;
    if (own) {
        if (!trace_natural(r, s)) return false;
        move(&s->natural_line, s->offset);
    }
    s->length = cord__polyline_length(&s->natural_line);
    if (own && !check_natural(r, s)) return false;
    if (s->perturb && !s->chain.initial) cord__perturb_line(s->perturb, &s->line);
    fit_lengths(s, own);
    if (s->chain.initial) s->length = s->chain.total;
    return !chain || s->chain.initial || cord__measure_chain(r, s);
}

bool cord__prepare_strand(reader *r, strand_data *s)
{
    if (!cord__check_chain(r, s)) return false;
    if (cord__strand_traits(s->model)->has_elements && !cord__prepare_chain(r, s)) return false;
    if (!make_lines(r, s)) return false;
    bool good = make_directors(r, s);
    good = make_angles(r, &s->initial_twist, &s->line, &s->angles) && good;
    good = make_angles(r, &s->natural_twist, &s->natural_line, &s->natural_angles) && good;
    if (s->closing_twist != 0 && !s->line.closed) {
        cord__diagnose(r->errors, cord__node_key_mark(s->at, "closing_twist"),
                       "closing_twist is for closed shapes; an open one has initial_twist");
        good = false;
    }
    return make_velocities(r, s) && write_out_closing(r, s) && good;
}
