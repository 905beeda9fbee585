#include "validation/clothoids/curl.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double pi = 3.14159265358979323846;

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
    plan.strand.curvature = c->curvature;
    chain_of(&plan, kind, elements, samples);
    cord_status status =
        chain_is(kind, CORD_MODEL_DER) ? make_der(&h, &plan, r) : make_chain(&h, &plan, r);
    double edge = chain_is(kind, CORD_MODEL_DER) && c->edge_clamp ? c->length / elements : 0;
    if (status != CORD_OK) return status;
    return cord_world_clamp_strand(r->world, r->strand, 0.5 * edge, NULL, NULL, NULL, NULL);
}

cord_status curl_hang(const curl *c, const chain_kind *kind, int elements, int samples, rod *r,
                      cord_statics_result *found, double *x)
{
    cord_status status = curl_make(c, kind, elements, samples, NULL, r);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, found);
    if (status == CORD_OK) status = rod_read(r);
    if (status == CORD_OK) chain_sample(r, samples, x);
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cord_status curl_unwind(const chain_kind *kind, int elements, int repeats, double *time,
                        double *iterations)
{
    enum { STEPS = 91 };
    curl c = curl_default();
    cord_status status = CORD_OK;
    *time = INFINITY;
    for (int k = 0; status == CORD_OK && k < repeats; k++) {
        rod r = {0};
        cord_world_def world = cord_world_def_default();
        cord_counters counters = {0};
        world.threads = 1;
        status = curl_make(&c, kind, elements, 8, &world, &r);
        if (status == CORD_OK) status = cord_world_step(r.world, 0.011);
        double start = now();
        for (int i = 1; status == CORD_OK && i < STEPS; i++)
            status = cord_world_step(r.world, 0.011);
        *time = fmin(*time, (now() - start) / (STEPS - 1));
        if (status == CORD_OK) status = cord_world_get_counters(r.world, &counters);
        *iterations = (double)counters.newton_iterations / STEPS;
        rod_free(&r);
    }
    return status;
}
