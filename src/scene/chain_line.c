/* The centrelines of chains. */
#include "curve/darboux.h"
#include "math/vec3.h"
#include "scene/scene_data.h"
#include "strand/traits.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double MOST_REVOLUTIONS = 1000;

/* ---- curves of affine curvature --------------------------------------------------------------- */

bool cord__check_revolutions(reader *r, const node *at, const curvature_elements *p)
{
    double turns = 0;
    for (int i = 0; i < p->count; i++) {
        const double *k = p->ends + 6 * (size_t)i;
        turns += fmax(v3_norm(k), v3_norm(k + 3)) * p->lengths[i] / (2 * PI);
        if (!isfinite(v3_norm(k) + v3_norm(k + 3))) turns = INFINITY;
    }
    if (turns <= MOST_REVOLUTIONS) return true;
    cord__diagnose(r->errors, at->at, "the curve makes %.3g turns; at most %g are possible", turns,
                   MOST_REVOLUTIONS);
    return false;
}

void cord__set_curvature(const double *ends, double length, curvature *k)
{
    for (int i = 0; i < 3; i++) {
        int from = (i + 2) % 3;
        k->start[i] = ends[from];
        k->slope[i] = (ends[3 + from] - ends[from]) / length;
    }
}

/* Advances frame and position by du along an element, and the curvature to that of the next part. */
static void advance(curvature *k, double du, double *frame, double *where)
{
    double next[9], step[3];
    cord__darboux_at(k, du, frame, next, step);
    memcpy(frame, next, sizeof next);
    v3_add(where, where, step);
    v3_axpy(k->start, du, k->slope);
}

/* Integrates from each position to the next, so that the work is proportional to the length of the curve. */
void cord__trace_elements(const curvature_elements *p, const double *origin, const double *frame,
                          int count, const double *s, double *x)
{
    double at[9], where[3], done = 0;
    int element = 0;
    curvature k;
    memcpy(at, frame, sizeof at);
    v3_copy(where, origin);
    cord__set_curvature(p->ends, p->lengths[0], &k);
    double left = p->lengths[0];
    for (int i = 0; i < count; i++) {
        while (s[i] - done > left && element + 1 < p->count) {
            advance(&k, left, at, where);
            done += left;
            element++;
            left = p->lengths[element];
            cord__set_curvature(p->ends + 6 * (size_t)element, left, &k);
        }
        double du = s[i] - done;
        if (du > 0) advance(&k, du, at, where);
        done += du, left -= du;
        v3_copy(x + 3 * (size_t)i, where);
    }
}

/* ---- strands ---------------------------------------------------------------------------------- */

/* The segments of a chain are sampled as arcs here: the result serves for lengths, velocities and advice, and the
 * model computes the positions of the strand. */
bool cord__trace_chain(reader *r, strand_data *s)
{
    const chain_data *c = &s->chain;
    int count = c->samples;
    if (!cord__count_vertices(r, s->at, (int64_t)count + c->elements)) return false;
    double *lengths = TAKE(r->memory, double, c->elements), *along = TAKE(r->memory, double, count);
    double *x = TAKE(r->memory, double, 3 * (size_t)count);
    double *natural = TAKE(r->memory, double, 3 * (size_t)count);
    if (!lengths || !along || !x || !natural) return false;
    for (int i = 0; i < c->elements; i++)
        lengths[i] = c->total * (c->fractions[i + 1] - c->fractions[i]);
    curvature_elements p = {c->elements, c->ends, lengths};
    if (!cord__check_revolutions(r, c->curvatures.at, &p)) return false;
    for (int i = 0; i < count; i++) natural[3 * i] = along[i] = c->total * i / (count - 1);
    cord__trace_elements(&p, c->position, c->frame, count, along, x);
    s->line = (polyline){count, false, x};
    s->natural_line = (polyline){count, false, natural};
    if (isfinite(cord__polyline_length(&s->line))) return true;
    cord__diagnose(r->errors, s->at->at, "the chain is too large");
    return false;
}

bool cord__measure_chain(reader *r, strand_data *s)
{
    const chain_data *c = &s->chain;
    int edges = cord__edge_count(&s->line);
    double length = cord__polyline_length(&s->line);
    if (s->line.closed) {
        cord__diagnose(r->errors, s->shape.at->at,
                       "a %s is open; constraints can tie its ends together", s->model);
        return false;
    }
    if (c->elements > edges) {
        cord__diagnose(r->errors, s->shape.at->at,
                       "the shape has %d edge%s, too few for %d elements", edges,
                       edges == 1 ? "" : "s", c->elements);
        return false;
    }
    s->length = isnan(c->total) ? length : c->total;
    if (fabs(length / s->length - 1) <= 0.01) return true;
    cord__diagnose(r->errors, s->shape.at->at,
                   "the shape is %.9g m long, the chain %.9g m; they must be the same (to 1 %%)",
                   length, s->length);
    return false;
}

double cord__shortest_element(const strand_data *s)
{
    double least = INFINITY;
    if (cord__strand_traits(s->model)->has_elements) {
        const double *f = s->chain.fractions;
        for (int i = 0; i < s->chain.elements; i++)
            least = fmin(least, s->length * (f[i + 1] - f[i]));
    } else {
        for (int i = 0; i < cord__edge_count(&s->line); i++)
            least = fmin(least, cord__edge_length(&s->line, i));
    }
    return least;
}
