#include "validation/clothoids/chains.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool chain_is(const chain_kind *kind, const char *model)
{
    return strcmp(kind->model, model) == 0;
}

int chain_freedoms(const chain_kind *kind, int elements)
{
    if (chain_is(kind, CORD_MODEL_DER)) return 4 * elements + 3;
    int knots = chain_is(kind, CORD_MODEL_CLOTHOID) ? elements + 1 : elements;
    return kind->planar ? knots : 3 * knots;
}

void chain_of(rod_plan *plan, const chain_kind *kind, int elements, int samples)
{
    cord_strand_def *s = &plan->strand;
    s->model = kind->model;
    if (chain_is(kind, CORD_MODEL_DER)) {
        plan->edges = elements;
        return;
    }
    plan->edges = samples;
    s->element_count = elements;
    s->planar = kind->planar;
    if (!kind->planar) return;
    for (int k = 0; k < 3; k++) s->director[k] = s->natural_director[k] = k == 2; /* plane x–z */
}

/* Zero curvatures are given, so that no fit is needed. */
cord_status chain_make(const rod_plan *plan, rod *r)
{
    rod_plan straight = *plan;
    cord_strand_def *s = &straight.strand;
    if (strcmp(s->model, CORD_MODEL_DER) == 0) return rod_make(plan, r);
    double *zero = calloc(3 * (size_t)(s->element_count + 1), sizeof *zero), *f = s->base_frame;
    if (zero == NULL) return CORD_ERROR_MEMORY;
    s->curvatures = zero;
    memcpy(s->base_position, plan->start, sizeof s->base_position);
    memcpy(f, plan->direction, 3 * sizeof *f);
    memcpy(f + 3, s->director, 3 * sizeof *f);
    for (int k = 0; k < 3; k++)
        f[6 + k] = f[(k + 1) % 3] * f[3 + (k + 2) % 3] - f[(k + 2) % 3] * f[3 + (k + 1) % 3];
    cord_status status = rod_make(&straight, r);
    free(zero);
    return status;
}

void chain_sample(const rod *r, int samples, double *x)
{
    int edges = r->vertices - 1;
    for (int i = 0; i <= samples; i++) {
        double at = (double)i * edges / samples;
        int j = (int)at < edges ? (int)at : edges - 1;
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = r->x[3 * j + k] + (at - j) * (r->x[3 * (j + 1) + k] - r->x[3 * j + k]);
    }
}

double chain_distance(int samples, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i <= samples; i++) {
        double weight = i == 0 || i == samples ? 0.5 : 1;
        for (int k = 0; k < 3; k++)
            sum += weight * (x[3 * i + k] - y[3 * i + k]) * (x[3 * i + k] - y[3 * i + k]);
    }
    return sqrt(sum / samples);
}
