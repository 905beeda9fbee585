/* Splines: from a definition to natural and initial shape. */
#include "curve/transport.h"
#include "math/interval.h"
#include "math/vec3.h"
#include "strand/definition.h"
#include "strand/spline/spline.h"

#include <string.h>

static cord_status check(const cord_strand_def *def, section_stiffness *section, char *why,
                         size_t size)
{
    int least = def->closed ? SPLINE_RING : 4;
    cord_status status = cord__check_definition(def, section, why, size);
    if (status != CORD_OK) return status;
    if (def->control_point_count != 0 && def->control_point_count < least)
        return SAY("control_points is %d; a %scubic spline has at least %d",
                   def->control_point_count, def->closed ? "closed " : "", least);
    if (def->spline_ends != CORD_SPLINE_CLAMPED && def->spline_ends != CORD_SPLINE_FREE)
        return SAY("spline_ends is %d; it must be one of cord_spline_ends", (int)def->spline_ends);
    return CORD_OK;
}

/* ---- natural length ---------------------------------------------------------------------------- */

static double speed_at(const spline *s, const double *x, int span, double u)
{
    spline_weights w;
    double p[3];
    cord__spline_basis(s, span, u, &w);
    spline_sum(p, w.d, x, span);
    return v3_norm(p);
}

/* ∫ |x'| over the span up to u, or beyond it; in two halves, so that its derivative equals |x'| to
 * round-off for sliding points, except on curves of extreme curvature. */
static double arc_in_span(const spline *s, const double *x, int span, double u)
{
    const double *node, *weight;
    double sum = 0;
    cord__spline_rule(SPLINE_MASSES, &node, &weight);
    for (int i = 0; i < SPLINE_MASSES; i++)
        sum += weight[i] * (speed_at(s, x, span, 0.5 * u * node[i]) +
                            speed_at(s, x, span, 0.5 * u * (1 + node[i])));
    return 0.5 * u * sum;
}

/* Functions used at many points of a span, as polynomials. */
static void set_polynomials(spline *s, const double *x, int k)
{
    spline_polynomials *own = s->polynomials + k;
    double p[3], second[3], rise[3];
    spline_weights w;
    cord__spline_basis(s, k, 0, &w);
    for (int j = 0; j < 4; j++) {
        double *c = own->power[j];
        c[0] = w.b[j], c[1] = w.d[j], c[2] = w.dd[j] / 2, c[3] = w.ddd[j] / 6;
    }
    spline_sum(p, w.d, x, k);
    spline_sum(second, w.dd, x, k);
    spline_sum(rise, w.ddd, x, k);
    own->speed[0] = v3_dot(p, p);
    own->speed[1] = 2 * v3_dot(p, second);
    own->speed[2] = v3_dot(second, second) + v3_dot(p, rise);
    own->speed[3] = v3_dot(second, rise);
    own->speed[4] = v3_dot(rise, rise) / 4;
}

static double curve_length(const spline *s, const double *x)
{
    double length = 0;
    for (int k = 0; k < s->spans; k++) length += arc_in_span(s, x, k, 1);
    return length;
}

static void set_arcs(spline *s, const double *x)
{
    s->length = 0;
    for (int k = 0; k < s->spans; k++) {
        set_polynomials(s, x, k);
        s->span[k].arc = s->length;
        s->span[k].length = arc_in_span(s, x, k, 1);
        s->length += s->span[k].length;
    }
    s->spacing = s->length / s->spans;
}

static void locate_at(const spline *s, const double *x, int span, double u, spline_location *at)
{
    double p[3], arc = arc_in_span(s, x, span, u);
    at->span = span;
    at->u = u;
    cord__spline_basis(s, span, u, &at->w);
    spline_sum(p, at->w.d, x, span);
    at->speed = v3_norm(p);
    at->s = s->span[span].arc + arc;
    at->fraction = arc / s->span[span].length;
}

static int span_at(const spline *s, double arc)
{
    int low = 0, high = s->spans;
    /* Spans are about equally long; a long strand's are not all at hand. */
    int guess = (int)fmin(fmax(arc / s->spacing, 0), s->spans - 1);
    if (s->span[guess].arc <= arc) low = guess;
    if (guess + 1 < s->spans && s->span[guess + 1].arc > arc) high = guess + 1;
    return interval_at(&s->span->arc, sizeof *s->span, low, high, arc);
}

int cord__spline_element_at(const void *model, const double *q, double arc)
{
    const spline *s = model;
    double round = s->closed ? floor(arc / s->length) : 0;
    (void)q;
    return span_at(s, arc - round * s->length) + (int)round * s->spans;
}

/* s̄', and its integral as in arc_in_span(). */
static double natural_speed(const spline_polynomials *span, double u)
{
    const double *c = span->speed;
    return sqrt(c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4]))));
}

static double natural_arc(const spline_polynomials *span, double u)
{
    const double *node, *weight;
    double sum = 0;
    cord__spline_rule(SPLINE_MASSES, &node, &weight);
    for (int i = 0; i < SPLINE_MASSES; i++)
        sum += weight[i] * (natural_speed(span, 0.5 * u * node[i]) +
                            natural_speed(span, 0.5 * u * (1 + node[i])));
    return 0.5 * u * sum;
}

double cord__spline_arc(const spline *s, int span, double u)
{
    return natural_arc(s->polynomials + span, u);
}

/* By Newton's method, from the cubic with the correct derivatives at both ends. */
double cord__spline_parameter(const spline *s, int span, double arc)
{
    const spline_polynomials *own = s->polynomials + span;
    double length = s->span[span].length, within = arc - s->span[span].arc;
    double x = within / length, y = 1 - x;
    double first = length / natural_speed(own, 0), last = length / natural_speed(own, 1);
    double u = x * x * (3 - 2 * x) + first * x * y * y - last * x * x * y;
    for (int i = 0; i < 20; i++) {
        double miss = natural_arc(own, u) - within;
        double step = miss / natural_speed(own, u);
        u -= step;
        if (fabs(step) < 1e-8) break; /* the remaining error is its square */
    }
    return u;
}

void cord__spline_locate(const spline *s, double arc, spline_location *at)
{
    int span = span_at(s, arc);
    double u = cord__spline_parameter(s, span, arc);
    locate_at(s, s->natural_x, span, fmin(fmax(u, 0), 1), at);
}

/* ---- where vertices, Gauss points and stations are ---------------------------------------------- */

static void locate_vertex(spline *s, int i, double u)
{
    int span = (int)u;
    if (span > s->spans - 1) span = s->spans - 1;
    s->vertex[i].span = span;
    s->vertex[i].u = u - span;
    cord__spline_basis(s, span, u - span, &s->vertex[i].w);
}

/* Whether the natural shape is a closed curve. That of a closed strand may be open, and then does
 * not determine the strain where its ends meet. */
static bool naturally_closed(const cord_strand_def *def)
{
    const double *x = def->natural_positions;
    double length = 0;
    if (!def->closed || !x) return def->closed;
    for (int i = 0; i < def->vertex_count; i++) length += v3_distance(x + 3 * i, x + 3 * i + 3);
    return v3_distance(x, x + 3 * def->vertex_count) <= 1e-6 * length;
}

static cord_status prepare_fit(spline *s, bool closed, char *why, size_t size)
{
    s->fit.closed = closed;
    s->fit.count = closed ? s->n : s->edges + 1;
    if (cord__spline_fit_prepare(s)) return CORD_OK;
    return SAY("%d vertices do not determine %d control points", s->n, spline_own(s));
}

/* u of the vertices is in proportion to arc length: of the polyline first, then of the spline through it. */
static cord_status fit_natural(spline *s, const double *vertices, bool closed, double *work,
                               char *why, size_t size)
{
    double sum = 0, total = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->edges; i++) {
            const double *x = vertices + 3 * i, *next = vertices + 3 * ((i + 1) % s->n);
            if (pass == 1) locate_vertex(s, i, sum / total * s->spans);
            sum += v3_distance(x, closed ? next : x + 3);
        }
        total = sum, sum = 0;
    }
    locate_vertex(s, s->edges, s->spans);
    for (int pass = 0;; pass++) {
        cord_status status = prepare_fit(s, closed, why, size);
        if (status != CORD_OK) return status;
        cord__spline_fit_points(s, vertices, s->natural_x, work);
        set_arcs(s, s->natural_x);
        if (pass == 3) return CORD_OK;
        for (int i = 1; i < s->edges; i++) {
            int span = s->vertex[i].span;
            double arc = arc_in_span(s, s->natural_x, span, s->vertex[i].u);
            locate_vertex(s, i, (s->span[span].arc + arc) / s->length * s->spans);
        }
    }
}

static void set_locations(spline *s)
{
    for (int i = 0; i <= s->edges; i++) {
        spline_location *at = s->vertex + i;
        locate_at(s, s->natural_x, at->span, at->u, at);
    }
    for (int j = 0; j < s->edges; j++)
        cord__spline_locate(s, 0.5 * (s->vertex[j].s + s->vertex[j + 1].s), s->middle + j);
}

/* Stretching is sampled at as many stations as x' has components along a line, spans + 2: with more, a strand of high
 * stretching stiffness could not bend (membrane locking); with fewer, some stretching modes would have zero energy.
 * The stations are the middles of the inner spans and, in the outer spans, the end and the fraction 6/11 with weights
 * 23/144 and 121/144, a quadrature rule of fourth order. A closed strand has the middles of all its spans only. */
static void set_stations(spline *s)
{
    static const double u[2] = {0, 6.0 / 11}, weight[2] = {23.0 / 144, 121.0 / 144};
    const double *node, *gauss;
    int count = 0;
    cord__spline_rule(3, &node, &gauss);
    for (int k = 0; k < s->spans; k++) {
        bool first = k == 0 && !s->closed, last = k == s->spans - 1 && !s->closed;
        int here = first && last ? 3 : first || last ? 2 : 1;
        s->span[k].station = count, s->span[k].stations = here;
        for (int i = 0; i < here; i++) {
            spline_station *station = s->station + count++;
            double at = 0.5, w = 1;
            if (here == 3) at = node[i], w = gauss[i];
            if (here == 2 && first) at = u[i], w = weight[i];
            if (here == 2 && last) at = 1 - u[1 - i], w = weight[1 - i];
            spline_location location;
            locate_at(s, s->natural_x, k, at, &location);
            *station = (spline_station){k, at, location.s, location.speed, w * location.speed, {0}};
            memcpy(station->d, location.w.d, sizeof station->d);
        }
    }
}

static void set_span(spline *s, int k)
{
    spline_span *own = s->span + k;
    const double *node, *weight;
    spline_weights w;
    cord__spline_basis(s, k, 0, &w);
    memcpy(own->start, w.d, sizeof own->start);
    memcpy(own->rise, w.dd, sizeof own->rise);
    for (int j = 0; j < 4; j++) own->bend[j] = 0.5 * w.ddd[j];
    cord__spline_basis(s, k, 1, &w);
    memcpy(own->end, w.d, sizeof own->end);
    cord__spline_rule(SPLINE_GAUSS, &node, &weight);
    for (int i = 0; i < SPLINE_GAUSS; i++) {
        spline_location at;
        locate_at(s, s->natural_x, k, node[i], &at);
        s->gauss[SPLINE_GAUSS * k + i] =
            (spline_gauss){at.u, 1 / at.speed, at.fraction, weight[i] * at.speed, {0}};
    }
    cord__spline_rule(SPLINE_MASSES, &node, &weight);
    for (int g = 0; g < SPLINE_MASSES; g++) {
        cord__spline_basis(s, k, node[g], &w);
        double share = weight[g] * speed_at(s, s->natural_x, k, node[g]);
        if (s->dragged) memcpy(s->dragged[k].b[g], w.b, sizeof w.b);
        if (s->dragged) s->dragged[k].weight[g] = share;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double m = s->section.mass * share * w.b[i] * w.b[j];
                own->mass[i][j] += m;
                s->lumped[spline_round(s, k + i)] += m;
            }
    }
    for (int end = 0; s->dynamic_twist && end < 2; end++)
        s->knot_inertia[spline_round(s, k + end)] += 0.5 * s->section.rotary_inertia * own->length;
}

/* The same for a closed strand, where every control point has all three. */
static void set_ring_positions(spline *s)
{
    int pitch = s->inextensible ? 5 : 4;
    for (int i = 0; i < s->spans; i++) {
        int knot = (i + s->spans - 1) % s->spans, span = (i + s->spans - 3) % s->spans;
        for (int k = 0; k < 3; k++) s->position[spline_dof(s, i) + k] = pitch * i + k;
        s->position[spline_angle_dof(s, knot)] = pitch * i + pitch - 1;
        if (s->inextensible) s->position[spline_dofs(s) + span] = pitch * i + 3;
    }
    s->band_width = 3 * pitch + (s->inextensible ? 3 : 2);
}

/* The order of the band: control point by control point, x_i, the rows of the span that ends there, θ. */
static void set_positions(spline *s)
{
    if (s->closed) {
        set_ring_positions(s);
        return;
    }
    int next = 0, row = 0, columns = spline_dofs(s);
    for (int i = 0; i < s->points; i++) {
        for (int k = 0; k < 3; k++) s->position[spline_dof(s, i) + k] = next++;
        for (; row < spline_rows(s) && s->station[row].span == i - 3; row++)
            s->position[columns + row] = next++;
        /* From a span's first control point to its last, or the rows after it. */
        int reach = i < 3 ? 0 : next - 1 - s->position[spline_dof(s, i - 3)];
        if (reach > s->band_width) s->band_width = reach;
        if (i > 0 && i < s->points - 1) s->position[spline_angle_dof(s, i - 1)] = next++;
    }
}

/* A spline may have a cusp, with no tangent, where its polyline has none. */
static bool has_tangents(const spline *s, const double *x)
{
    for (int k = 0; k < s->spans; k++) {
        double before[3] = {0, 0, 0};
        for (int i = 0; i <= 8; i++) {
            spline_weights w;
            double p[3];
            cord__spline_basis(s, k, i / 8.0, &w);
            spline_sum(p, w.d, x, k);
            double length = v3_norm(p);
            if (!(length > 1e-3 * s->spacing)) return false;
            v3_scale(p, 1 / length, p);
            if (i > 0 && v3_dot(p, before) < -0.5) return false;
            v3_copy(before, p);
        }
    }
    return true;
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* The angle at an arc length, from one angle per edge: linear between the midpoints of edges. */
static double angle_at(const spline *s, const double *angle, double arc)
{
    if (!angle) return 0;
    if (s->edges == 1) return angle[0];
    int j = interval_at(&s->middle->s, sizeof *s->middle, 0, s->edges - 1, arc);
    double from = s->middle[j].s, to = s->middle[j + 1].s;
    return angle[j] + (angle[j + 1] - angle[j]) * (arc - from) / (to - from);
}

static void tangent_at(const spline *s, const double *x, int knot, double *t)
{
    int span = knot < s->spans ? knot : knot - 1;
    spline_sum(t, knot < s->spans ? s->span[span].start : s->span[span].end, x, span);
    v3_normalize(t, t);
}

/* Directors at knots, twist-free from `director` and rotated by the angles, with the closing twist distributed
 * uniformly; and α of the spans. `meets`: the last frame is the first one, rotated by the closing twist. */
static void set_frames(const spline *s, const double *director, const double *angle, bool meets,
                       double *q)
{
    double *m1 = spline_m1(s, q), *alpha = spline_alpha(s, q), before[3] = {0}, t[3], m2[3], u[3];
    double first = 0, last = 0, closing = meets ? *spline_closing(s, q) : 0;
    for (int k = 0; k <= s->spans; k++) {
        double arc = k < s->spans ? s->span[k].arc : s->length, lag = 0;
        tangent_at(s, q, k, t);
        if (k == 0) {
            cord__first_director(director, t, u);
        } else {
            lag = cord__spline_lag(s, q, k - 1);
            transport(u, before, t, u);
            v3_cross(m2, t, u);
            v3_combine(u, cos(lag), u, sin(lag), m2);
            v3_axpy(u, -v3_dot(u, t), t);
            v3_normalize(u, u);
        }
        double turned = angle_at(s, angle, arc) + closing * arc / s->length;
        v3_cross(m2, t, u);
        v3_combine(m1 + 3 * k, cos(turned), u, sin(turned), m2);
        if (k > 0) alpha[k - 1] = lag + turned - last;
        if (k == s->spans && meets) {
            cord__spline_close_frames(s, t, q);
            alpha[k - 1] = transport_angle_near(before, m1 + 3 * (k - 1), t, m1 + 3 * k,
                                                lag + first + closing - last);
        }
        if (k == 0) first = turned;
        last = turned;
        v3_copy(before, t);
    }
}

static void set_natural_strains(spline *s, const double *q, double *cache)
{
    double largest = 0;
    cord__spline_refresh(s, q, cache);
    const spline_state *state = spline_states(s, cache);
    for (int i = 0; i < SPLINE_GAUSS * s->spans; i++) {
        v3_copy(s->gauss[i].natural, state[i].strain);
        largest = fmax(largest, fmax(fabs(state[i].strain[0]), fabs(state[i].strain[1])));
    }
    /* Curvatures that result from round-off in the points of a straight line are far below this limit. */
    bool straight = largest * s->spacing < 1e-10;
    s->isotropic = straight && s->section.bending[0] == s->section.bending[1] && s->damping == 0;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static cord_status allocate(spline *s, memory *m)
{
    bool drag = s->drag > 0 || s->quadratic_drag > 0;
    s->span = NEW(m, spline_span, s->spans);
    s->polynomials = NEW(m, spline_polynomials, s->spans);
    if (drag) s->dragged = NEW(m, spline_drag, s->spans);
    s->gauss = NEW(m, spline_gauss, SPLINE_GAUSS * s->spans);
    s->station = NEW(m, spline_station, s->stations);
    s->vertex = NEW(m, spline_location, s->edges + 1);
    s->middle = NEW(m, spline_location, s->edges);
    s->position = NEW(m, int, spline_band_count(s));
    s->knot_inertia = NEW(m, double, spline_turns(s));
    s->lumped = NEW(m, double, spline_own(s));
    s->natural_x = NEW(m, double, 3 * s->points);
    s->initial_q = NEW(m, double, spline_q_count(s));
    s->initial_v = NEW(m, double, 3 * s->points);
    s->fit.factor = NEW(m, double, SPLINE_FIT_STRIDE * s->points);
    bool all = s->span && s->polynomials && (s->dragged || !drag) && s->gauss && s->station &&
               s->vertex && s->middle && s->position && s->knot_inertia && s->lumped &&
               s->natural_x && s->initial_q && s->initial_v && s->fit.factor;
    return all ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__spline_destroy(void *model, memory *m)
{
    spline *s = model;
    if (!s) return;
    cord__spline_release_defined(s, m);
    void *arrays[] = {s->span,      s->polynomials, s->dragged,      s->gauss,    s->station,
                      s->vertex,    s->middle,      s->knot_inertia, s->lumped,   s->natural_x,
                      s->initial_q, s->initial_v,   s->fit.factor,   s->position, s};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
}

/* The initial curve through the vertices; without stretch of the natural length, from the first vertex of an open strand
 * on, where a clamp acts. A closed strand may be naturally straight with the edges of its polygon: the curve through them
 * is longer. */
static cord_status fit_initial(spline *s, const cord_strand_def *def, memory *m, double *work,
                               char *why, size_t size)
{
    double *x = s->initial_q, off[3];
    cord__spline_fit_points(s, def->positions, x, work);
    if (!s->inextensible) return CORD_OK;
    double length = curve_length(s, x);
    if (!s->closed && !(fabs(length / s->length - 1) <= 0.01))
        return SAY("the natural curve is %.9g m long, the initial one %.9g m; a strand that does "
                   "not stretch needs the same length (to 1 %%)",
                   s->length, length);
    cord_status status = cord__spline_make_natural_length(s, m, x);
    if (status != CORD_OK || s->closed) return status;
    spline_sum(off, s->vertex[0].w.b, x, 0);
    v3_sub(off, def->positions, off);
    for (int i = 0; i < s->points; i++) v3_add(x + 3 * i, x + 3 * i, off);
    return CORD_OK;
}

/* `work`: as of cord__spline_fit_points(). */
static cord_status make_shapes(spline *s, const cord_strand_def *def, memory *m, double *work,
                               char *why, size_t size)
{
    const double *natural = def->natural_positions ? def->natural_positions : def->positions;
    double *q = s->initial_q;
    bool closed = naturally_closed(def);
    cord_status status = fit_natural(s, natural, closed, work, why, size);
    if (status != CORD_OK) return status;
    if (!has_tangents(s, s->natural_x)) return SAY("the natural shape folds back on itself");
    set_locations(s);
    for (int k = 0; k < s->spans; k++) set_span(s, k);
    set_stations(s);
    set_positions(s);
    double *cache = NEW(m, double, spline_cache_count(s));
    if (!cache) return CORD_ERROR_MEMORY;
    memcpy(q, s->natural_x, (size_t)(3 * s->points) * sizeof *q);
    set_frames(s, cord__natural_director(def), def->natural_twist, closed, q);
    set_natural_strains(s, q, cache);
    cord__release(m, cache);
    if (s->closed && !closed) status = prepare_fit(s, true, why, size);
    if (status != CORD_OK) return status;
    if (s->closed) *spline_closing(s, q) = s->closing_twist;
    if (def->natural_positions) status = fit_initial(s, def, m, work, why, size);
    if (status != CORD_OK) return status;
    if (!has_tangents(s, q)) return SAY("the initial shape folds back on itself");
    set_frames(s, def->director, def->twist ? def->twist : def->natural_twist, s->closed, q);
    if (def->velocities) cord__spline_fit_points(s, def->velocities, s->initial_v, work);
    return CORD_OK;
}

/* By default as many control points as interpolate all vertices. */
static int span_count(const cord_strand_def *def)
{
    int least = def->vertex_count < SPLINE_RING ? SPLINE_RING : def->vertex_count;
    if (def->closed) return def->control_point_count ? def->control_point_count : least;
    return (def->control_point_count ? def->control_point_count : def->vertex_count + 2) - 3;
}

cord_status cord__spline_create(const cord_strand_def *def, memory *m, void **model, char *why,
                                size_t size)
{
    *model = NULL;
    section_stiffness section;
    cord_status status = check(def, &section, why, size);
    if (status != CORD_OK) return status;
    spline *s = NEW(m, spline, 1);
    if (!s) return CORD_ERROR_MEMORY;
    s->scale = 1;
    s->n = def->vertex_count;
    s->closed = def->closed;
    s->edges = s->closed ? s->n : s->n - 1;
    s->spans = span_count(def);
    s->points = s->spans + 3;
    s->stations = s->closed ? s->spans : s->spans + 2;
    s->inextensible = def->stretch == CORD_STRETCH_NONE;
    s->clamped = def->spline_ends == CORD_SPLINE_CLAMPED && !s->closed;
    s->closing_twist = s->closed ? def->closing_twist : 0;
    s->dynamic_twist = def->twist_mode == CORD_TWIST_DYNAMIC;
    s->section = section;
    s->shape = def->section;
    s->damping = def->damping;
    s->drag = def->drag;
    s->quadratic_drag = def->quadratic_drag;
    status = allocate(s, m);
    double *work = NEW(m, double, 3 * s->points);
    if (!work) status = CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = make_shapes(s, def, m, work, why, size);
    cord__release(m, work);
    if (status != CORD_OK) {
        cord__spline_destroy(s, m);
        return status;
    }
    *model = s;
    return CORD_OK;
}
