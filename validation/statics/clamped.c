#include "validation/statics/clamped.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const clamped_model clamped_models[CLAMPED_MODELS] = {{CORD_MODEL_DER, 128},
                                                      {CORD_MODEL_SPLINE, 32},
                                                      {CORD_MODEL_SEGMENT, 32},
                                                      {CORD_MODEL_HELIX, 24},
                                                      {CORD_MODEL_CLOTHOID, 12}};

cord_status clamped_make(const clamped_plan *plan, rod *r)
{
    rod_plan p = rod_plan_unit(plan->elements, 1);
    double c = cos(plan->below), s = sin(plan->below);
    const double tangent[3] = {c, 0, -s}, normal[3] = {-s, 0, -c};
    const double *director = plan->director ? plan->director : normal;
    memcpy(p.direction, tangent, sizeof tangent);
    memcpy(p.strand.director, director, sizeof normal);
    memcpy(p.strand.natural_director, director, sizeof normal);
    p.strand.model = plan->model;
    p.strand.element_count = plan->elements;
    p.strand.planar = plan->planar;
    for (int k = 0; k < 2; k++)
        if (plan->bending[k] > 0) p.strand.section.bending[k] = plan->bending[k];
    if (plan->twisting > 0) p.strand.section.twisting = plan->twisting;
    p.strand.section.rotary_inertia = 1e-8; /* the references have none */
    cord_status status = rod_make(&p, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

cord_status clamped_bend(rod *r, const double from[3], const double to[3], double step)
{
    double size = 0;
    for (int k = 0; k < 3; k++) size = fmax(size, fabs(to[k] - from[k]));
    int steps = (int)ceil(size / step);
    cord_status status = CORD_OK;
    for (int i = 1; status == CORD_OK && i <= steps; i++) {
        double now[3];
        for (int k = 0; k < 3; k++) now[k] = from[k] + (to[k] - from[k]) * i / steps;
        status = cord_strand_set_natural_curvatures(r->world, r->strand, 1, now);
        if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    }
    return status;
}

cord_status clamped_weigh(rod *r, double gamma)
{
    cord_status status = rod_set_gravity(r, 0, 0, -gamma);
    return status == CORD_OK ? cord_world_find_equilibrium(r->world, NULL, NULL) : status;
}

cord_status clamped_pair_make(const clamped_plan *plan, bool load_at_end, clamped_pair *pair)
{
    clamped_plan stiff = *plan;
    stiff.bending[0] = 1e3 * fmax(1, plan->bending[1]), stiff.twisting = 1e3;
    *pair = (clamped_pair){0};
    cord_status status = clamped_make(&stiff, &pair->planar);
    if (status == CORD_OK) status = clamped_make(plan, &pair->space);
    if (status == CORD_OK && load_at_end) status = rod_load_tip(&pair->planar, pair->end);
    if (status == CORD_OK && load_at_end) status = rod_load_tip(&pair->space, pair->end + 1);
    return status;
}

void clamped_pair_free(clamped_pair *pair)
{
    rod_free(&pair->planar);
    rod_free(&pair->space);
}

bool clamped_pair_ok(validation *v, const clamped_pair *pair, cord_status status, const char *what)
{
    const char *message = pair->planar.world ? cord_world_get_error(pair->planar.world) : "";
    return validation_ok(v, message[0] ? pair->planar.world : pair->space.world, status, what);
}

/* Of the second rod in the state of the first, which is left in `state`. */
static cord_status count_directions(clamped_pair *pair, void *state, size_t size, int *unstable)
{
    cord_status status = cord_world_get_state(pair->planar.world, state);
    if (status == CORD_OK) status = cord_world_set_state(pair->space.world, state, size);
    if (status != CORD_OK) return status;
    return cord_world_count_unstable_directions(pair->space.world, unstable, NULL);
}

cord_status clamped_threshold(clamped_pair *pair, clamped_load *go, double stable, double unstable,
                              double precision, double *found)
{
    size_t size = 0;
    int count = 0;
    cord_status status = cord_world_get_state_size(pair->planar.world, &size);
    void *state = malloc(size);
    if (!state) return CORD_ERROR_MEMORY;
    while (status == CORD_OK && fabs(unstable - stable) > precision * fabs(stable)) {
        double middle = 0.5 * (stable + unstable);
        status = go(pair, middle);
        if (status == CORD_OK) status = count_directions(pair, state, size, &count);
        *(count > 0 ? &unstable : &stable) = middle;
    }
    free(state);
    *found = 0.5 * (stable + unstable);
    return status;
}
