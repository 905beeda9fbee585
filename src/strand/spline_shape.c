/* Splines: from a definition to natural and initial shape. */
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/spline.h"

#include <stdio.h>
#include <string.h>

#define SAY(...) (snprintf(why, size, __VA_ARGS__), CORD_ERROR_ARGUMENT)

/* ---- what is refused -------------------------------------------------------------------------- */

static bool all_finite(const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static cord_status check_polyline(const double *x, int n, const char *which, char *why, size_t size)
{
    if (!all_finite(x, 3 * n)) return SAY("a %s position is not finite", which);
    for (int j = 0; j < n - 1; j++)
        if (!(v3_distance(x + 3 * j, x + 3 * (j + 1)) > 0))
            return SAY("%s edge %d has no length", which, j);
    return CORD_OK;
}

static cord_status check_options(const cord_strand_def *def, char *why, size_t size)
{
    if (def->closed) return SAY("a spline is open; relations can tie its ends together");
    if (def->control_points != 0 && def->control_points < 4)
        return SAY("control_points is %d; a cubic spline has at least 4", def->control_points);
    if (def->spline_ends != CORD_SPLINE_CLAMPED && def->spline_ends != CORD_SPLINE_FREE)
        return SAY("spline_ends is %d; it must be one of cord_spline_ends", (int)def->spline_ends);
    if (def->stretch != CORD_STRETCH_NONE && def->stretch != CORD_STRETCH_ELASTIC)
        return SAY("stretch is %d; it must be one of cord_stretch", (int)def->stretch);
    if (def->twist_mode != CORD_TWIST_QUASISTATIC && def->twist_mode != CORD_TWIST_DYNAMIC)
        return SAY("twist_mode is %d; it must be one of cord_twist", (int)def->twist_mode);
    if (!(def->damping >= 0 && isfinite(def->damping)))
        return SAY("damping is %g; it must be at least 0", def->damping);
    if (!(def->drag >= 0 && isfinite(def->drag)))
        return SAY("drag is %g; it must be at least 0", def->drag);
    if (!(def->quadratic_drag >= 0 && isfinite(def->quadratic_drag)))
        return SAY("quadratic_drag is %g; it must be at least 0", def->quadratic_drag);
    return CORD_OK;
}

static cord_status check(const cord_strand_def *def, char *why, size_t size)
{
    int n = def->vertex_count, edges = n - 1;
    if (n < 2) return SAY("%d vertices; at least 2 are needed", n);
    if (!def->positions) return SAY("positions are missing");
    cord_status status = check_options(def, why, size);
    if (status == CORD_OK) status = check_polyline(def->positions, n, "initial", why, size);
    if (status == CORD_OK && def->natural_positions)
        status = check_polyline(def->natural_positions, n, "natural", why, size);
    if (status != CORD_OK) return status;
    if (def->velocities && !all_finite(def->velocities, 3 * n))
        return SAY("a velocity is not finite");
    if ((def->twist && !all_finite(def->twist, edges)) ||
        (def->natural_twist && !all_finite(def->natural_twist, edges)))
        return SAY("a twist is not finite");
    if (!all_finite(def->director, 3) || !all_finite(def->natural_director, 3))
        return SAY("a director is not finite");
    return CORD_OK;
}

static cord_status check_section(const cord_strand_def *def, const section_stiffness *section,
                                 char *why, size_t size)
{
    if (def->stretch == CORD_STRETCH_ELASTIC && !(section->stretching > 0))
        return SAY("an elastic strand needs a stretching stiffness above 0");
    if (def->twist_mode == CORD_TWIST_DYNAMIC && !(section->rotary_inertia > 0))
        return SAY("dynamic twist needs a rotary_inertia above 0");
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

/* ∫ |x'| over the span up to u, or beyond it; in two halves, so that what slides sees |x'| as its
 * derivative to round-off but for the wildest curves. */
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

/* What is often needed at many places of a span, as polynomials. */
static void set_polynomials(spline *s, const double *x, int k)
{
    spline_span *own = s->span + k;
    double p[3], bend[3], rise[3];
    spline_weights w;
    cord__spline_basis(s, k, 0, &w);
    for (int j = 0; j < 4; j++) {
        double *c = own->power[j];
        c[0] = w.b[j], c[1] = w.d[j], c[2] = w.dd[j] / 2, c[3] = w.ddd[j] / 6;
    }
    spline_sum(p, w.d, x, k);
    spline_sum(bend, w.dd, x, k);
    spline_sum(rise, w.ddd, x, k);
    own->speed[0] = v3_dot(p, p);
    own->speed[1] = 2 * v3_dot(p, bend);
    own->speed[2] = v3_dot(bend, bend) + v3_dot(p, rise);
    own->speed[3] = v3_dot(bend, rise);
    own->speed[4] = v3_dot(rise, rise) / 4;
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

static void place_at(const spline *s, const double *x, int span, double u, spline_place *at)
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

int cord__spline_piece(const void *model, double arc)
{
    const spline *s = model;
    int low = 0, high = s->spans;
    /* Spans are about equally long; a long strand's are not all at hand. */
    int guess = (int)fmin(fmax(arc / s->spacing, 0), s->spans - 1);
    if (s->span[guess].arc <= arc) low = guess;
    if (guess + 1 < s->spans && s->span[guess + 1].arc > arc) high = guess + 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->span[middle].arc <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* s̄', and its integral as in arc_in_span(). */
static double natural_speed(const spline_span *span, double u)
{
    const double *c = span->speed;
    return sqrt(c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4]))));
}

static double natural_arc(const spline_span *span, double u)
{
    const double *node, *weight;
    double sum = 0;
    cord__spline_rule(SPLINE_MASSES, &node, &weight);
    for (int i = 0; i < SPLINE_MASSES; i++)
        sum += weight[i] * (natural_speed(span, 0.5 * u * node[i]) +
                            natural_speed(span, 0.5 * u * (1 + node[i])));
    return 0.5 * u * sum;
}

/* By Newton's method, which the nearly constant speed makes quick. */
double cord__spline_parameter(const spline *s, int span, double arc)
{
    const spline_span *own = s->span + span;
    double within = arc - own->arc, u = within / own->length;
    for (int i = 0; i < 20; i++) {
        double miss = natural_arc(own, u) - within;
        double step = miss / natural_speed(own, u);
        u -= step;
        if (fabs(step) < 1e-9) break; /* and is off by its square */
    }
    return u;
}

void cord__spline_locate(const spline *s, double arc, spline_place *at)
{
    int span = cord__spline_piece(s, arc);
    double u = cord__spline_parameter(s, span, arc);
    place_at(s, s->natural_x, span, fmin(fmax(u, 0), 1), at);
}

/* ---- where vertices, Gauss points and stations are ---------------------------------------------- */

static void place_vertex(spline *s, int i, double u)
{
    int span = (int)u;
    if (span > s->spans - 1) span = s->spans - 1;
    s->vertex[i].span = span;
    s->vertex[i].u = u - span;
    cord__spline_basis(s, span, u - span, &s->vertex[i].w);
}

/* u of the vertices is in proportion to arc: of the polyline first, then of the spline through it. */
static cord_status fit_natural(spline *s, const double *vertices, char *why, size_t size)
{
    double sum = 0, total = 0;
    for (int i = 0; i < s->edges; i++) total += v3_distance(vertices + 3 * i, vertices + 3 * i + 3);
    for (int i = 0; i < s->n; i++) {
        place_vertex(s, i, i == s->edges ? s->spans : sum / total * s->spans);
        if (i < s->edges) sum += v3_distance(vertices + 3 * i, vertices + 3 * i + 3);
    }
    for (int pass = 0;; pass++) {
        if (!cord__spline_fit_prepare(s))
            return SAY("%d vertices do not determine %d control points", s->n, s->points);
        cord__spline_fit_points(s, vertices, s->natural_x);
        set_arcs(s, s->natural_x);
        if (pass == 3) return CORD_OK;
        for (int i = 1; i < s->edges; i++) {
            int span = s->vertex[i].span;
            double arc = arc_in_span(s, s->natural_x, span, s->vertex[i].u);
            place_vertex(s, i, (s->span[span].arc + arc) / s->length * s->spans);
        }
    }
}

static void set_places(spline *s)
{
    for (int i = 0; i < s->n; i++) {
        spline_place *at = s->vertex + i;
        place_at(s, s->natural_x, at->span, at->u, at);
    }
    for (int j = 0; j < s->edges; j++)
        cord__spline_locate(s, 0.5 * (s->vertex[j].s + s->vertex[j + 1].s), s->middle + j);
}

/* Stretching is sampled at as many stations as x' has numbers along a line, spans + 2: at more, a strand
 * hard to stretch could not bend either (membrane locking); at fewer, some stretching would cost
 * nothing. They are the middles of inner spans and, in the outer ones, the end and 6/11 of the way with
 * weights 23/144 and 121/144, which makes the whole a rule of fourth order. */
static void set_stations(spline *s)
{
    static const double u[2] = {0, 6.0 / 11}, weight[2] = {23.0 / 144, 121.0 / 144};
    const double *node, *gauss;
    int count = 0;
    cord__spline_rule(3, &node, &gauss);
    for (int k = 0; k < s->spans; k++) {
        bool first = k == 0, last = k == s->spans - 1;
        int here = first && last ? 3 : first || last ? 2 : 1;
        s->span[k].station = count, s->span[k].stations = here;
        for (int i = 0; i < here; i++) {
            spline_station *station = s->station + count++;
            double at = 0.5, w = 1;
            if (here == 3) at = node[i], w = gauss[i];
            if (here == 2 && first) at = u[i], w = weight[i];
            if (here == 2 && last) at = 1 - u[1 - i], w = weight[1 - i];
            place_at(s, s->natural_x, k, at, &station->at);
            station->weight = w * station->at.speed;
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
    cord__spline_basis(s, k, 1, &w);
    memcpy(own->end, w.d, sizeof own->end);
    cord__spline_basis(s, k, 0.5, &w);
    memcpy(own->middle, w.d, sizeof own->middle);
    cord__spline_rule(SPLINE_BENDS, &node, &weight);
    for (int i = 0; i < SPLINE_BENDS; i++) {
        spline_gauss *gauss = s->gauss + SPLINE_BENDS * k + i;
        place_at(s, s->natural_x, k, node[i], &gauss->at);
        gauss->weight = weight[i] * gauss->at.speed;
    }
    cord__spline_rule(SPLINE_MASSES, &node, &weight);
    for (int g = 0; g < SPLINE_MASSES; g++) {
        cord__spline_basis(s, k, node[g], &w);
        memcpy(own->b[g], w.b, sizeof w.b);
        own->weight[g] = weight[g] * speed_at(s, s->natural_x, k, node[g]);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double m = s->section.mass * own->weight[g] * w.b[i] * w.b[j];
                own->mass[i][j] += m;
                s->lumped[k + i] += m;
            }
    }
    for (int end = 0; s->dynamic_twist && end < 2; end++)
        s->knot_inertia[k + end] += 0.5 * s->section.rotary_inertia * own->length;
}

/* The band's order: control point by control point, x_i, the rows of the span that ends there, θ. */
static void set_positions(spline *s)
{
    int next = 0, row = 0, columns = spline_columns(s);
    for (int i = 0; i < s->points; i++) {
        for (int k = 0; k < 3; k++) s->position[spline_column(i) + k] = next++;
        for (; row < spline_rows(s) && s->station[row].at.span == i - 3; row++)
            s->position[columns + row] = next++;
        /* From a span's first control point to its last, or the rows after it. */
        int reach = i < 3 ? 0 : next - 1 - s->position[spline_column(i - 3)];
        if (reach > s->band_width) s->band_width = reach;
        if (i > 0 && i < s->points - 1) s->position[spline_turn_column(i - 1)] = next++;
    }
}

/* A spline may fold where its polyline does not, and has no tangent there. */
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

/* The angle at an arc, from one angle per edge: affine between the middles of edges. */
static double angle_at(const spline *s, const double *angle, double arc)
{
    if (!angle) return 0;
    if (s->edges == 1) return angle[0];
    int j = 0, high = s->edges - 1;
    while (high - j > 1) {
        int middle = (j + high) / 2;
        if (s->middle[middle].s <= arc)
            j = middle;
        else
            high = middle;
    }
    double from = s->middle[j].s, to = s->middle[j + 1].s;
    return angle[j] + (angle[j + 1] - angle[j]) * (arc - from) / (to - from);
}

static void tangent_at(const spline *s, const double *x, int knot, double *t)
{
    int span = knot < s->spans ? knot : knot - 1;
    spline_sum(t, knot < s->spans ? s->span[span].start : s->span[span].end, x, span);
    v3_normalize(t, t);
}

/* Directors at knots, twist-free from `director` and turned by the angles; and α of the spans. */
static void set_frames(const spline *s, const double *director, const double *angle, double *q)
{
    double *m1 = spline_m1(s, q), *alpha = spline_alpha(s, q), before[3], t[3], m2[3], u[3];
    for (int k = 0; k <= s->spans; k++) {
        double arc = k < s->spans ? s->span[k].arc : s->length, lag = 0;
        tangent_at(s, q, k, t);
        if (k == 0) {
            v3_copy(u, director);
            v3_axpy(u, -v3_dot(u, t), t);
            if (v3_norm(u) <= 1e-9 * v3_norm(director)) /* none given, or along the tangent */
                v3_any_normal(u, t);
            else
                v3_normalize(u, u);
        } else {
            lag = cord__spline_lag(s, q, k - 1);
            transport(u, before, t, u);
            v3_cross(m2, t, u);
            v3_combine(u, cos(lag), u, sin(lag), m2);
            v3_axpy(u, -v3_dot(u, t), t);
            v3_normalize(u, u);
        }
        double turned = angle_at(s, angle, arc);
        v3_cross(m2, t, u);
        v3_combine(m1 + 3 * k, cos(turned), u, sin(turned), m2);
        if (k > 0) alpha[k - 1] = lag + turned - angle_at(s, angle, s->span[k - 1].arc);
        v3_copy(before, t);
    }
}

static void set_natural_strains(spline *s, const double *q, double *cache)
{
    double largest = 0;
    cord__spline_refresh(s, q, cache);
    const spline_state *state = spline_states(s, cache);
    for (int i = 0; i < SPLINE_BENDS * s->spans; i++) {
        v3_copy(s->gauss[i].natural, state[i].strain);
        largest = fmax(largest, fmax(fabs(state[i].strain[0]), fabs(state[i].strain[1])));
    }
    /* Rounding of a straight line's points leaves far less than this. */
    bool straight = largest * s->spacing < 1e-10;
    s->isotropic = straight && s->section.bending[0] == s->section.bending[1] && s->damping == 0;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static cord_status allocate(spline *s, memory *m)
{
    s->span = NEW(m, spline_span, s->spans);
    s->gauss = NEW(m, spline_gauss, SPLINE_BENDS * s->spans);
    s->station = NEW(m, spline_station, s->stations);
    s->vertex = NEW(m, spline_place, s->n);
    s->middle = NEW(m, spline_place, s->edges);
    s->position = NEW(m, int, spline_columns(s) + spline_rows(s));
    s->knot_inertia = NEW(m, double, s->spans + 1);
    s->lumped = NEW(m, double, s->points);
    s->natural_x = NEW(m, double, 3 * s->points);
    s->initial_q = NEW(m, double, spline_q_count(s));
    s->initial_v = NEW(m, double, 3 * s->points);
    s->fit.factor = NEW(m, double, 5 * s->points);
    s->fit.rest = NEW(m, double, 3 * s->points);
    s->fit.x = NEW(m, double, 3 * s->points);
    s->fit.vertices = NEW(m, double, 3 * s->n);
    bool all = s->span && s->gauss && s->station && s->vertex && s->middle && s->position &&
               s->knot_inertia && s->lumped && s->natural_x && s->initial_q && s->initial_v &&
               s->fit.factor && s->fit.rest && s->fit.x && s->fit.vertices;
    return all ? CORD_OK : CORD_ERROR_MEMORY;
}

void cord__spline_destroy(void *model, memory *m)
{
    spline *s = model;
    if (!s) return;
    void *pieces[] = {s->span,      s->gauss,        s->station,    s->vertex,
                      s->middle,    s->knot_inertia, s->lumped,     s->natural_x,
                      s->initial_q, s->initial_v,    s->fit.factor, s->fit.rest,
                      s->fit.x,     s->fit.vertices, s->position,   s};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) cord__release(m, pieces[i]);
}

static cord_status make_shapes(spline *s, const cord_strand_def *def, memory *m, char *why,
                               size_t size)
{
    const double *natural = def->natural_positions ? def->natural_positions : def->positions;
    const double *director =
        v3_norm(def->natural_director) > 0 ? def->natural_director : def->director;
    double *q = s->initial_q;
    cord_status status = fit_natural(s, natural, why, size);
    if (status != CORD_OK) return status;
    if (!has_tangents(s, s->natural_x)) return SAY("the natural shape folds back on itself");
    set_places(s);
    for (int k = 0; k < s->spans; k++) set_span(s, k);
    set_stations(s);
    set_positions(s);
    double *cache = NEW(m, double, spline_cache_count(s));
    if (!cache) return CORD_ERROR_MEMORY;
    memcpy(q, s->natural_x, (size_t)(3 * s->points) * sizeof *q);
    set_frames(s, director, def->natural_twist, q);
    set_natural_strains(s, q, cache);
    cord__release(m, cache);
    if (def->natural_positions) {
        cord__spline_fit_points(s, def->positions, q);
        if (s->inextensible) status = cord__spline_make_natural_length(s, m, q);
        if (status != CORD_OK) return status;
    }
    if (!has_tangents(s, q)) return SAY("the initial shape folds back on itself");
    set_frames(s, def->director, def->twist ? def->twist : def->natural_twist, q);
    if (def->velocities) cord__spline_fit_points(s, def->velocities, s->initial_v);
    return CORD_OK;
}

cord_status cord__spline_create(const cord_strand_def *def, memory *m, void **model, char *why,
                                size_t size)
{
    *model = NULL;
    section_stiffness section;
    cord_status status = check(def, why, size);
    if (status == CORD_OK)
        status = cord__section(&def->material, &def->section, &section, why, size);
    if (status == CORD_OK) status = check_section(def, &section, why, size);
    if (status != CORD_OK) return status;
    spline *s = NEW(m, spline, 1);
    if (!s) return CORD_ERROR_MEMORY;
    s->n = def->vertex_count;
    s->edges = s->n - 1;
    s->points = def->control_points ? def->control_points : s->n + 2;
    s->spans = s->points - 3;
    s->stations = s->spans + 2;
    s->inextensible = def->stretch == CORD_STRETCH_NONE;
    s->clamped = def->spline_ends == CORD_SPLINE_CLAMPED;
    s->dynamic_twist = def->twist_mode == CORD_TWIST_DYNAMIC;
    s->section = section;
    s->shape = def->section;
    s->damping = def->damping;
    s->drag = def->drag;
    s->quadratic_drag = def->quadratic_drag;
    status = allocate(s, m);
    if (status == CORD_OK) status = make_shapes(s, def, m, why, size);
    if (status != CORD_OK) {
        cord__spline_destroy(s, m);
        return status;
    }
    *model = s;
    return CORD_OK;
}
