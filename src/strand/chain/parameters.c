/* Chains: natural curvature, length and stiffness that change while the chain moves. The inertial coordinates do not
 * follow the rate of the length: its motion has no inertia (solve/parameters.c). */
#include "math/vec3.h"
#include "strand/chain/chain.h"

cord_status cord__chain_prepare_parameters(void *model, memory *m)
{
    chain_model *c = model;
    chain_defined *to = &c->defined;
    if (to->length) return CORD_OK;
    to->natural = cord__copy(m, c->natural, 6 * (size_t)c->bars, sizeof *c->natural);
    to->length = to->natural ? cord__copy(m, c->length, (size_t)c->bars, sizeof *c->length) : NULL;
    if (!to->length) {
        cord__release(m, to->natural);
        to->natural = NULL;
        return CORD_ERROR_MEMORY;
    }
    to->section = c->section;
    to->rotary = c->rotary;
    return CORD_OK;
}

static void relocate(const chain_model *c, int count, chain_location *at)
{
    for (int i = 0; i < count; i++) {
        at[i].u = at[i].fraction * c->length[at[i].element];
        at[i].s = c->arc[at[i].element] + at[i].u;
    }
}

/* Lengths by the factor; masses stay. */
static void set_length(chain_model *c, double factor)
{
    for (int e = 0; e < c->elements; e++) {
        c->length[e] = e < c->bars ? factor * c->defined.length[e] : 0;
        c->arc[e + 1] = c->arc[e] + c->length[e];
        if (e < c->bars) c->shortest = e > 0 ? fmin(c->shortest, c->length[e]) : c->length[e];
    }
    c->section.mass = c->defined.section.mass / factor;
    c->rotary = c->defined.rotary / factor;
    relocate(c, c->vertices, c->vertex);
    relocate(c, c->vertices - 1, c->edge);
    relocate(c, c->attached, c->attachment);
}

static void set_stiffness(chain_model *c, const double factor[STIFFNESS_FACTORS])
{
    const section_stiffness *from = &c->defined.section;
    for (int k = 0; k < 2; k++) c->section.bending[k] = factor[BENDING_FACTOR] * from->bending[k];
    c->section.twisting = factor[TWISTING_FACTOR] * from->twisting;
    c->stiffness[0] = c->section.twisting;
    c->stiffness[1] = c->section.bending[0], c->stiffness[2] = c->section.bending[1];
}

/* Natural curvatures at the start and the end of element e. That of a segment's joint acts at its node. */
static void set_natural(chain_model *c, const strand_parameters *p, int e)
{
    int from = e < c->bars ? e : c->bars - 1;
    for (int end = 0; end < 2; end++) {
        double k[3], *to = c->natural + 6 * e + 3 * end;
        int node = c->kind == ELEMENT_SEGMENT ? e : e + end;
        cord__sampled_curvature(p, c->arc[node] / c->arc[c->bars], k);
        v3_set(to, k[2], k[0], k[1]);
        if (p->natural.count == 0)
            v3_axpy(to, 1 / p->length, c->defined.natural + 6 * from + 3 * end);
        if (c->planar) to[0] = to[1] = 0;
    }
}

void cord__chain_set_parameters(void *model, const strand_parameters *p)
{
    chain_model *c = model;
    set_length(c, p->length);
    set_stiffness(c, p->stiffness);
    for (int e = 0; e < c->elements; e++) set_natural(c, p, e);
}
