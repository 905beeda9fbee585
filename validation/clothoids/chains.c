#include "validation/clothoids/chains.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static bool is(const chain_kind *kind, const char *model)
{
    return strcmp(kind->model, model) == 0;
}

int chain_freedoms(const chain_kind *kind, int elements)
{
    if (is(kind, CORD_MODEL_DER)) return 4 * elements + 3;
    int knots = is(kind, CORD_MODEL_CLOTHOID) ? elements + 1 : elements;
    return kind->planar ? knots : 3 * knots;
}

void chain_of(rod_plan *plan, const chain_kind *kind, int elements, int samples)
{
    cord_strand_def *s = &plan->strand;
    s->model = kind->model;
    if (is(kind, CORD_MODEL_DER)) {
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

/* ---- the curled rod -------------------------------------------------------------------------- */

curl curl_default(void)
{
    return (curl){.length = 1,
                  .radius = 1e-3,
                  .young = 1e8,
                  .poisson = 0.5,
                  .density = 1200,
                  .curl_radius = 0.05,
                  .pitch = 0.1};
}

double curl_energy_scale(const curl *c)
{
    return c->density * pi * c->radius * c->radius * 9.81 * c->length * c->length;
}

/* A helix about the axis a = −z, along which frames rotate by ω per length: a = (τ t + κ d₁)/ω. At
 * the start t = (τ a + κ e)/ω with e = x. */
typedef struct helix {
    double omega, along, across; /* of the tangent, along a and across */
} helix;

static helix helix_of(const curl *c)
{
    double b = c->pitch / (2 * pi), size = hypot(c->curl_radius, b);
    return (helix){1 / size, b / size, c->curl_radius / size};
}

static void helix_tangent(const void *user, double s, double t[3])
{
    const helix *h = user;
    t[0] = h->across * cos(h->omega * s);
    t[1] = -h->across * sin(h->omega * s); /* a × e = −y */
    t[2] = -h->along;
}

static cord_status make_der(const helix *h, rod_plan *plan, rod *r)
{
    double *shape = calloc(3 * (size_t)(plan->edges + 1), sizeof *shape);
    if (shape == NULL) return CORD_ERROR_MEMORY;
    rod_trace(plan->edges, plan->length, NULL, helix_tangent, h, shape);
    plan->shape = shape;
    cord_status status = rod_make(plan, r);
    free(shape);
    return status;
}

static cord_status make_chain(const helix *h, rod_plan *plan, rod *r)
{
    int knots = plan->strand.element_count + 1;
    double *kappa = calloc(3 * (size_t)knots, sizeof *kappa);
    if (kappa == NULL) return CORD_ERROR_MEMORY;
    for (int i = 0; i < knots; i++) {
        kappa[3 * i] = h->omega * h->across;
        kappa[3 * i + 2] = h->omega * h->along;
    }
    const double frame[9] = {h->across, 0, -h->along, -h->along, 0, -h->across, 0, 1, 0};
    memcpy(plan->strand.base_frame, frame, sizeof frame);
    plan->strand.curvatures = kappa;
    cord_status status = rod_make(plan, r);
    free(kappa);
    return status;
}

cord_status curl_make(const curl *c, const chain_kind *kind, int elements, int samples,
                      const cord_world_def *world, rod *r)
{
    rod_plan plan = rod_plan_common(elements);
    helix h = helix_of(c);
    if (world) plan.world = *world;
    plan.length = c->length;
    plan.strand.section.radius = c->radius;
    plan.strand.material = (cord_material){c->density, c->young, c->poisson};
    plan.strand.damping = c->damping;
    chain_of(&plan, kind, elements, samples);
    cord_status status =
        is(kind, CORD_MODEL_DER) ? make_der(&h, &plan, r) : make_chain(&h, &plan, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}
