/* Cables: the centreline in contact is that of the straight segments between nodes. Segments along guides are in contact
 * with their guides by definition, and have no others. The nodes, hence the number of segments, change with an event. */
#include "contact/contact.h"
#include "strand/cable/cable.h"

bool cord__cable_list_straight(cable *c, memory *m)
{
    cable_layout *l = &c->layout;
    l->straight = NEW(m, int, c->topology.nodes);
    if (!l->straight) return false;
    for (int i = 0; i + 1 < c->topology.nodes; i++)
        if (l->element[i].kind == ELEMENT_STRAIGHT) l->straight[l->straights++] = i;
    return true;
}

static int segment_count(const void *model)
{
    return ((const cable *)model)->layout.straights;
}

static void segments(const void *model, const double *q, const double *cache, contact_segment *out)
{
    const cable *c = model;
    (void)q;
    for (int k = 0; k < c->layout.straights; k++, out++) {
        for (int end = 0; end < 2; end++) {
            const int node = c->layout.straight[k] + end;
            v3_copy(out->x[end], cable_position(cache, node));
            out->s[end] = cable_s(cache, node) - c->topology.start;
        }
        out->radius = c->def.material.radius;
        out->bulge = 0;
    }
}

/* Linear in s. */
static void curve(const void *model, const double *q, const double *cache, int segment, double s,
                  double r[3], double r_s[3], double r_ss[3])
{
    const cable *c = model;
    const int node = c->layout.straight[segment];
    const double from = cable_s(cache, node), *x = cable_position(cache, node);
    (void)q;
    v3_sub(r_s, cable_position(cache, node + 1), x);
    v3_scale(r_s, 1 / (cable_s(cache, node + 1) - from), r_s);
    v3_combine(r, 1, x, s + c->topology.start - from, r_s);
    v3_set(r_ss, 0, 0, 0);
}

static double period(const void *model)
{
    const cable *c = model;
    return c->def.closed ? c->topology.length : 0;
}

/* Its frames follow its tangents: there is no rotation about them. */
static bool spins(const void *model)
{
    (void)model;
    return false;
}

const contact_ops cord__cable_contact = {.segment_count = segment_count,
                                         .segments = segments,
                                         .curve = curve,
                                         .period = period,
                                         .spins = spins};
