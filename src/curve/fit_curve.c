/* The public interface of curve fitting: cuts a drawn curve at its corners and fits a chain to each
 * part. */
#include "curve/darboux.h"
#include "curve/fit_prepare.h"
#include "curve/fit_search.h"
#include "math/callback.h"
#include "math/nearest.h"
#include "math/rotation.h"

#include <cordage/fit.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const models[] = {
    [ELEMENT_SEGMENT] = CORD_MODEL_SEGMENT,
    [ELEMENT_HELIX] = CORD_MODEL_HELIX,
    [ELEMENT_CLOTHOID] = CORD_MODEL_CLOTHOID,
    NULL,
};

cord_fit_def cord_fit_def_default(void)
{
    return (cord_fit_def){
        .model = CORD_MODEL_CLOTHOID, .corner_angle = M_PI / 3, .max_elements = 200};
}

/* The state of one call of cord_fit_curve(). */
typedef struct job {
    const cord_fit_def *def;
    cord_fit *fit;
    memory m;
    element_kind kind;
    drawing d;
    bool planar;
    double normal[3];
    bool *corner;
} job;

static cord_status fail(job *j, cord_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static cord_status fail(job *j, cord_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(j->fit->error, sizeof j->fit->error, format, list);
    va_end(list);
    return status;
}

/* ---- checks ----------------------------------------------------------------------------------- */

static cord_status find_kind(job *j)
{
    const char *model = j->def->model ? j->def->model : "";
    for (int k = 0; models[k]; k++) {
        if (strcmp(models[k], model) == 0) {
            j->kind = (element_kind)k;
            return CORD_OK;
        }
    }
    char hint[64];
    nearest near = cord__nearest_of(model, models);
    return fail(j, CORD_ERROR_UNKNOWN_NAME,
                "the model \"%.40s\" cannot be fitted to a curve; use segment, helix or clothoid%s",
                model, cord__nearest_hint(&near, hint, sizeof hint));
}

static cord_status check_def(job *j)
{
    const cord_fit_def *def = j->def;
    if (!(def->tolerance > 0) || !is_admissible(def->tolerance))
        return fail(j, CORD_ERROR_ARGUMENT, "the tolerance is %g m; it must be finite and > 0",
                    def->tolerance);
    if (!(def->corner_angle > 0))
        return fail(j, CORD_ERROR_ARGUMENT, "the corner angle is %g rad; it must be > 0",
                    def->corner_angle);
    if (def->max_elements < 1)
        return fail(j, CORD_ERROR_ARGUMENT, "the limit on elements is %d; it must be at least 1",
                    def->max_elements);
    if (def->vertex_count < 2 || !def->positions)
        return fail(j, CORD_ERROR_ARGUMENT, "the curve has %d points; it needs at least 2",
                    def->vertex_count);
    return find_kind(j);
}

static cord_status find_plane(job *j)
{
    double distance, tolerance = j->def->tolerance;
    cord__drawing_plane(&j->d, j->normal, &distance);
    if (j->def->plane == CORD_FIT_PLANAR && distance > tolerance)
        return fail(
            j, CORD_ERROR_ARGUMENT,
            "the curve is not planar: a point is %.3g m distance of its plane, more than the "
            "tolerance of %.3g m; fit it in space or raise the tolerance",
            distance, tolerance);
    j->planar = j->def->plane == CORD_FIT_PLANAR ||
                (j->def->plane == CORD_FIT_PLANE_AUTO && distance <= 0.05 * tolerance);
    return CORD_OK;
}

static cord_status begin(job *j)
{
    const cord_fit_def *def = j->def;
    cord_status status = check_def(j);
    if (status != CORD_OK) return status;
    status = cord__drawing_clean(&j->m, def->vertex_count, def->positions, def->closed, &j->d);
    if (status == CORD_ERROR_NOT_FINITE)
        return fail(j, status,
                    "a point of the curve has a coordinate that is not finite or exceeds 1e50");
    if (status != CORD_OK) return status;
    int least = j->d.closed ? 3 : 2;
    if (j->d.count < least)
        return fail(j, CORD_ERROR_ARGUMENT,
                    "the %scurve has %d different points; it needs at least %d",
                    j->d.closed ? "closed " : "", j->d.count, least);
    return find_plane(j);
}

/* ---- one part --------------------------------------------------------------------------------- */

/* Copies a chain to the public order of curvatures: about the first director, about the second,
 * twist. */
static cord_status copy_result(job *j, const fit_found *f, cord_fit_strand *s)
{
    const chain *c = &f->c;
    s->model = models[j->kind];
    s->planar = j->planar;
    s->element_count = c->elements;
    s->curvature_count = curvature_count(c->kind, c->elements);
    s->lengths = cord__copy(&j->m, c->length, (size_t)c->elements, sizeof *c->length);
    s->curvatures = NEW(&j->m, double, 3 * (size_t)s->curvature_count);
    if (!s->lengths || !s->curvatures) return CORD_ERROR_MEMORY;
    for (int i = 0; i < s->curvature_count; i++) {
        const double *k = c->kappa + 3 * (size_t)i;
        v3_set(s->curvatures + 3 * (size_t)i, k[1], k[2], k[0]);
    }
    v3_copy(s->base_position, c->position);
    memcpy(s->base_frame, c->frame, sizeof s->base_frame);
    s->length = cord__chain_length(c);
    return CORD_OK;
}

/* Samples along a chain. */
typedef struct samples {
    const chain *c;
    int count;
    double step;
    chain_point *at;
} samples;

/* The distance of x from the chain: Newton's method from each sample that is a local minimum of the
 * distance. (The nearest sample alone may be on another branch of a curve that crosses itself.) */
static double distance_from(const samples *p, const double *x)
{
    const dof_layout layout = {0};
    double least = DBL_MAX, before = DBL_MAX, here = v3_distance(p->at[0].position, x);
    for (int i = 0; i < p->count; i++) {
        double after = i + 1 < p->count ? v3_distance(p->at[i + 1].position, x) : DBL_MAX;
        if (here <= before && here <= after && here - p->step < least) {
            int from = i > 0 ? i - 1 : 0;
            chain_point w = p->at[from];
            double distance = cord__chain_nearest(p->c, &w, x, (i - from) * p->step, p->step);
            cord__chain_advance(p->c, &layout, &w, distance, NULL);
            least = fmin(least, fmin(here, v3_distance(w.position, x)));
        }
        before = here, here = after;
    }
    return least;
}

/* The largest distance of the vertices from the chain. */
static cord_status measure(job *j, const fit_found *f, const part *all, double *worst)
{
    const dof_layout layout = {0};
    samples p = {.c = &f->c, .count = 65 + 16 * f->c.elements};
    p.step = cord__chain_length(&f->c) / (p.count - 1);
    p.at = NEW(&j->m, chain_point, p.count);
    if (!p.at) return CORD_ERROR_MEMORY;
    cord__chain_start(&f->c, &layout, &p.at[0], NULL);
    for (int i = 1; i < p.count; i++) {
        p.at[i] = p.at[i - 1];
        cord__chain_advance(&f->c, &layout, &p.at[i], p.step, NULL);
    }
    *worst = 0;
    for (int v = 0; v < all->count; v++) {
        *worst = fmax(*worst, distance_from(&p, all->x + 3 * (size_t)v));
    }
    cord__release(&j->m, p.at);
    return CORD_OK;
}

/* Averaged points are fitted with a smaller tolerance, such that the original vertices are within
 * the tolerance too. */
static cord_status fit_part(job *j, const part *all, bool closed, cord_fit_strand *s)
{
    part points;
    double averaging_error, tolerance = j->def->tolerance, fit_tolerance;
    int most = j->planar ? 400 : 200; /* space curves have more unknowns */
    cord_status status = cord__fit_points(&j->m, all, tolerance, most, &points, &averaging_error);
    if (status != CORD_OK) return status;
    if (j->planar) cord__flatten(&points, j->normal);
    fit_found f = {0};
    fit_tolerance = fmax(tolerance - averaging_error, 0.3 * tolerance);
    for (int k = 0; k < 4 && status == CORD_OK; k++) {
        fit_task t = {.m = &j->m,
                      .kind = j->kind,
                      .planar = j->planar,
                      .closed = closed,
                      .tolerance = fit_tolerance,
                      .vertices = points.count,
                      .x = points.x,
                      .most = j->def->max_elements};
        v3_copy(t.normal, j->normal);
        cord__fit_found_free(&j->m, &f);
        status = cord__fit_search(&t, &f);
        if (status == CORD_OK) status = measure(j, &f, all, &s->worst_distance);
        if (s->worst_distance <= tolerance) break;
        fit_tolerance *= fmax(0.97 * tolerance / s->worst_distance, 0.5);
    }
    s->closed = closed;
    if (status == CORD_OK) status = copy_result(j, &f, s);
    cord__fit_found_free(&j->m, &f);
    cord__release(&j->m, points.x);
    return status;
}

static cord_status add_part(job *j, int from, int edges, bool closed)
{
    cord_fit *fit = j->fit;
    part all;
    cord_status status = cord__drawing_part(&j->m, &j->d, from, edges, &all);
    if (status != CORD_OK) return status;
    cord_fit_strand *s = &fit->strands[fit->strand_count++];
    s->corner_at_start = !closed && j->corner[from];
    s->corner_at_end = !closed && j->corner[(from + edges) % j->d.count];
    status = fit_part(j, &all, closed, s);
    fit->element_count += s->element_count;
    fit->worst_distance = fmax(fit->worst_distance, s->worst_distance);
    cord__release(&j->m, all.x);
    return status;
}

/* ---- all parts -------------------------------------------------------------------------------- */

static cord_status fit_parts(job *j, int corners)
{
    const drawing *d = &j->d;
    if (d->closed && corners == 0) return add_part(j, 0, d->count, true);
    cord_status status = CORD_OK;
    int first = 0, end = d->closed ? d->count : d->count - 1;
    while (d->closed && !j->corner[first]) first++;
    for (int from = first; from < first + end && status == CORD_OK;) {
        int to = from + 1;
        while (to < first + end && !j->corner[to % d->count]) to++;
        status = add_part(j, from % d->count, to - from, false);
        from = to;
    }
    return status;
}

static cord_status run(job *j)
{
    cord_status status = begin(j);
    if (status != CORD_OK) return status;
    const drawing *d = &j->d;
    double *angles = NEW(&j->m, double, d->count), reach = 3 * j->def->tolerance;
    j->corner = NEW(&j->m, bool, d->count);
    if (!angles || !j->corner) {
        cord__release(&j->m, angles);
        return CORD_ERROR_MEMORY;
    }
    int corners = cord__drawing_corners(d, j->def->corner_angle, reach, angles, j->corner);
    cord__release(&j->m, angles);
    j->fit->strands = NEW(&j->m, cord_fit_strand, corners + 1);
    if (!j->fit->strands) return CORD_ERROR_MEMORY;
    return fit_parts(j, corners);
}

cord_status cord_fit_curve(const cord_fit_def *def, cord_fit *fit)
{
    job j = {.def = def, .fit = fit};
    if (!fit) return CORD_ERROR_ARGUMENT;
    memset(fit, 0, sizeof *fit);
    if (!def) return fail(&j, CORD_ERROR_ARGUMENT, "the definition is NULL");
    cord__memory_init(&j.m, &def->allocator);
    fit->allocator = j.m.allocator;
    cancellation own, *before = cord__cancel_begin(&own, &def->cancel);
    cord_status status = run(&j);
    if (cord__cancel_end(&own, before)) status = CORD_ERROR_CANCELLED;
    cord__release(&j.m, j.corner);
    cord__release(&j.m, j.d.x);
    if (status == CORD_OK) return CORD_OK;
    cord_fit_free(fit);
    if (!fit->error[0]) {
        bool reverses = status == CORD_ERROR_ARGUMENT;
        fail(&j, status, "%s",
             reverses ? "the curve reverses its direction; a smaller corner angle makes that point "
                        "a corner"
                      : cord_status_text(status));
    }
    return status;
}

void cord_fit_free(cord_fit *fit)
{
    if (!fit) return;
    memory m;
    cord__memory_init(&m, &fit->allocator);
    for (int i = 0; fit->strands && i < fit->strand_count; i++) {
        cord__release(&m, fit->strands[i].lengths);
        cord__release(&m, fit->strands[i].curvatures);
    }
    cord__release(&m, fit->strands);
    fit->strands = NULL;
    fit->strand_count = fit->element_count = 0;
}

/* ---- sampling ------------------------------------------------------------------------------- */

/* Curvature along element e, in the component order of the Darboux problem. */
static curvature element_curvature(const cord_fit_strand *s, int e)
{
    curvature k = {{0, 0, 0}, {0, 0, 0}};
    const double *at = s->curvatures + 3 * (size_t)e;
    if (strcmp(s->model, CORD_MODEL_SEGMENT) == 0) return k;
    v3_set(k.start, at[2], at[0], at[1]);
    if (s->curvature_count == s->element_count) return k;
    v3_set(k.slope, at[5] - at[2], at[3] - at[0], at[4] - at[1]);
    v3_scale(k.slope, 1 / s->lengths[e], k.slope);
    return k;
}

/* Bars: rotation at the joint before element e. */
static void rotate_joint(const cord_fit_strand *s, int e, double frame[9])
{
    if (strcmp(s->model, CORD_MODEL_SEGMENT) != 0) return;
    const double *k = s->curvatures + 3 * (size_t)e;
    double length = 0.5 * (s->lengths[e] + (e > 0 ? s->lengths[e - 1] : 0)), m[9];
    double rotation[3] = {length * k[2], length * k[0], length * k[1]};
    cord__rotation_exp(m, rotation);
    m3_multiply(frame, frame, m);
}

void cord_fit_sample(const cord_fit_strand *s, int count, double *positions, double *frames)
{
    double position[3], frame[9], start = 0;
    int e = 0;
    if (!s || !positions || count < 2 || s->element_count < 1) return;
    v3_copy(position, s->base_position);
    memcpy(frame, s->base_frame, sizeof frame);
    rotate_joint(s, 0, frame);
    for (int i = 0; i < count; i++) {
        double at = s->length * i / (count - 1), here[9], r[3];
        curvature k = element_curvature(s, e);
        while (e + 1 < s->element_count && at > start + s->lengths[e]) {
            cord__darboux_at(&k, s->lengths[e], frame, frame, r);
            v3_add(position, position, r);
            start += s->lengths[e++];
            rotate_joint(s, e, frame);
            k = element_curvature(s, e);
        }
        cord__darboux_at(&k, fmin(at - start, s->lengths[e]), frame, here, r);
        v3_add(positions + 3 * (size_t)i, position, r);
        if (frames) memcpy(frames + 9 * (size_t)i, here, sizeof here);
    }
}
