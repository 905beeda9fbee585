/* Splines: natural curvature, length and stiffness that change while the spline moves. */
#include "math/vec3.h"
#include "strand/spline/spline.h"

cord_status cord__spline_prepare_parameters(void *model, memory *m)
{
    spline *s = model;
    spline_defined *to = &s->defined;
    const size_t gauss = SPLINE_GAUSS * (size_t)s->spans, spans = (size_t)s->spans;
    if (to->gauss) return CORD_OK;
    to->station = cord__copy(m, s->station, (size_t)s->stations, sizeof *s->station);
    to->span = cord__copy(m, s->span, spans, sizeof *s->span);
    to->polynomials = cord__copy(m, s->polynomials, spans, sizeof *s->polynomials);
    to->vertex = cord__copy(m, s->vertex, (size_t)s->edges + 1, sizeof *s->vertex);
    to->middle = cord__copy(m, s->middle, (size_t)s->edges, sizeof *s->middle);
    to->natural_x = cord__copy(m, s->natural_x, 3 * (size_t)s->points, sizeof *s->natural_x);
    if (s->dragged) to->dragged = cord__copy(m, s->dragged, spans, sizeof *s->dragged);
    bool all = to->station && to->span && to->polynomials && to->vertex && to->middle &&
               to->natural_x && (to->dragged || !s->dragged);
    if (all) to->gauss = cord__copy(m, s->gauss, gauss, sizeof *s->gauss);
    if (!to->gauss) {
        cord__spline_release_defined(s, m);
        return CORD_ERROR_MEMORY;
    }
    to->section = s->section;
    to->length = s->length;
    to->isotropic = s->isotropic;
    return CORD_OK;
}

void cord__spline_release_defined(spline *s, memory *m)
{
    spline_defined *of = &s->defined;
    void *arrays[] = {of->station, of->span,      of->polynomials, of->vertex,
                      of->middle,  of->natural_x, of->dragged,     of->gauss};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    *of = (spline_defined){0};
}

static void scale_locations(int count, const spline_location *from, double factor,
                            spline_location *to)
{
    for (int i = 0; i < count; i++)
        to[i].s = factor * from[i].s, to[i].speed = factor * from[i].speed;
}

/* The natural shape, scaled. The mass matrices stay. */
static void set_length(spline *s, double factor)
{
    const spline_defined *from = &s->defined;
    s->scale = factor;
    s->length = factor * from->length;
    s->spacing = s->length / s->spans;
    s->section.mass = from->section.mass / factor;
    s->section.rotary_inertia = from->section.rotary_inertia / factor;
    for (int i = 0; i < 3 * s->points; i++) s->natural_x[i] = factor * from->natural_x[i];
    for (int k = 0; k < s->spans; k++) {
        s->span[k].arc = factor * from->span[k].arc;
        s->span[k].length = factor * from->span[k].length;
        for (int i = 0; i < 5; i++)
            s->polynomials[k].speed[i] = factor * factor * from->polynomials[k].speed[i];
        for (int g = 0; s->dragged && g < SPLINE_MASSES; g++)
            s->dragged[k].weight[g] = factor * from->dragged[k].weight[g];
    }
    for (int i = 0; i < s->stations; i++) {
        s->station[i].s = factor * from->station[i].s;
        s->station[i].speed = factor * from->station[i].speed;
        s->station[i].weight = factor * from->station[i].weight;
    }
    scale_locations(s->edges + 1, from->vertex, factor, s->vertex);
    scale_locations(s->edges, from->middle, factor, s->middle);
}

static void set_stiffness(spline *s, const double factor[STIFFNESS_FACTORS])
{
    const section_stiffness *from = &s->defined.section;
    for (int k = 0; k < 2; k++) s->section.bending[k] = factor[BENDING_FACTOR] * from->bending[k];
    s->section.twisting = factor[TWISTING_FACTOR] * from->twisting;
    s->section.stretching = factor[STRETCHING_FACTOR] * from->stretching;
}

static void set_gauss(spline *s, const strand_parameters *p, int i)
{
    const spline_gauss *from = s->defined.gauss + i;
    spline_gauss *to = s->gauss + i;
    const spline_span *span = s->span + i / SPLINE_GAUSS;
    to->rest = from->rest / p->length;
    to->weight = p->length * from->weight;
    cord__sampled_curvature(p, (span->arc + from->fraction * span->length) / s->length,
                            to->natural);
    if (p->natural.count == 0) v3_axpy(to->natural, 1 / p->length, from->natural);
}

void cord__spline_set_parameters(void *model, const strand_parameters *p)
{
    spline *s = model;
    s->length_rate = p->length_rate / p->length;
    set_length(s, p->length);
    set_stiffness(s, p->stiffness);
    for (int i = 0; i < SPLINE_GAUSS * s->spans; i++) set_gauss(s, p, i);
    s->isotropic = s->defined.isotropic && !changes_curvature(p);
}

/* ∂/∂t ½ w (x'·x'/s̄'² − 1), w and s̄' in proportion to the length */
void cord__spline_row_drift(const void *model, const double *cache, double *rate)
{
    const spline *s = model;
    const spline_stretch *stretch = spline_stretches(s, cache);
    for (int i = 0; i < spline_rows(s); i++) {
        double ratio = 1 + stretch[i].strain;
        rate[i] -= 0.5 * s->length_rate * s->station[i].weight * (ratio * ratio + 1);
    }
}
