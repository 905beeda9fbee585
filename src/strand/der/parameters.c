/* Discrete elastic rods: natural curvature, length and stiffness that change while the rod moves. */
#include "curve/transport.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/der/der.h"

#include <string.h>

cord_status cord__der_prepare_parameters(void *model, memory *m)
{
    der *d = model;
    der_defined *to = &d->defined;
    if (to->rest) return CORD_OK;
    to->natural = cord__copy(m, d->natural, (size_t)(STRAINS * d->n), sizeof *d->natural);
    to->rest = to->natural ? cord__copy(m, d->rest, (size_t)d->edges, sizeof *d->rest) : NULL;
    if (!to->rest) {
        cord__release(m, to->natural);
        to->natural = NULL;
        return CORD_ERROR_MEMORY;
    }
    to->section = d->section;
    to->straight = d->straight;
    to->isotropic = d->isotropic;
    return CORD_OK;
}

/* Lengths by the factor; mass and rotary inertia of vertices and edges stay. */
static void set_length(der *d, double factor)
{
    for (int j = 0; j < d->edges; j++) {
        d->rest[j] = factor * d->defined.rest[j];
        d->shortest = j > 0 ? fmin(d->shortest, d->rest[j]) : d->rest[j];
        d->arc[j + 1] = d->arc[j] + d->rest[j];
    }
    for (int i = 0; i < d->n; i++) {
        int before = der_edge_before(d, i), after = der_edge_after(d, i);
        d->cell[i] = (before >= 0 ? d->rest[before] : 0) + (after >= 0 ? d->rest[after] : 0);
    }
    d->section.mass = d->defined.section.mass / factor;
    d->section.rotary_inertia = d->defined.section.rotary_inertia / factor;
}

static void set_stiffness(der *d, const double factor[STIFFNESS_FACTORS])
{
    for (int k = 0; k < 2; k++)
        d->section.bending[k] = factor[BENDING_FACTOR] * d->defined.section.bending[k];
    d->section.twisting = factor[TWISTING_FACTOR] * d->defined.section.twisting;
    d->section.stretching = factor[STRETCHING_FACTOR] * d->defined.section.stretching;
}

void cord__der_add_strains(const der *d, const double k[3], double length, double *strain)
{
    static const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double w[3], next[9], own[STRAINS];
    v3_set(w, length * k[2], length * k[0], length * k[1]);
    cord__rotation_exp(next, w);
    double twist = transport_angle_near(frame, frame + 3, next, next + 3, w[0]);
    cord__der_joint_strains(d, frame, next, twist, own);
    for (int a = 0; a < STRAINS; a++) strain[a] += own[a];
}

static void set_strains(const der *d, const strand_parameters *p, int vertex, double length,
                        const double *defined, double *strain)
{
    for (int a = 0; a < STRAINS; a++) strain[a] = p->natural.count > 0 ? 0 : defined[a];
    if (!changes_curvature(p) || !(length > 0)) return;
    double k[3];
    cord__sampled_curvature(p, d->arc[vertex] / d->arc[d->edges], k);
    cord__der_add_strains(d, k, length, strain);
}

void cord__der_set_parameters(void *model, const strand_parameters *p)
{
    der *d = model;
    d->length_rate = p->length_rate / p->length;
    set_length(d, p->length);
    set_stiffness(d, p->stiffness);
    d->straight = d->defined.straight && !changes_curvature(p);
    cord__der_set_bending_cells(d);
    for (int i = 0; i < d->n; i++)
        if (d->closed || (i > 0 && i < d->n - 1))
            set_strains(d, p, i, 0.5 * d->cell[i], d->defined.natural + STRAINS * i,
                        d->natural + STRAINS * i);
    for (int f = 0; f < d->frame_count; f++) {
        der_vertex_frame *own = d->frame + f;
        int edge[2] = {der_edge_before(d, own->vertex), der_edge_after(d, own->vertex)};
        for (int side = 0; side < 2; side++)
            set_strains(d, p, own->vertex, edge[side] < 0 ? 0 : 0.5 * d->rest[edge[side]],
                        own->defined[side], own->natural[side]);
    }
    d->isotropic = d->defined.isotropic && !changes_curvature(p);
}

/* ∂/∂t (e·e − ē²)/(2ē) */
void cord__der_row_drift(const void *model, const double *cache, double *rate)
{
    const der *d = model;
    const der_edge *edge = der_edges(cache);
    for (int j = 0; d->inextensible && j < d->edges; j++)
        rate[j] -=
            0.5 * d->length_rate * (edge[j].length * edge[j].length / d->rest[j] + d->rest[j]);
}
