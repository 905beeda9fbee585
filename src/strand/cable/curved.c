/* The terms of segments along a guide: on circles in closed form (arc.c), on others by quadrature
 * (quadrature.c); and their bending energy, κ = aΔθ²/l² [HCS 2011, sec. 3.3], and axial force. */
#include "strand/cable/terms.h"

#include <math.h>

void cord__curved_terms(const cable *c, const cable_element *e, const element_input *in,
                        element_terms *out)
{
    segment g;
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    double gradient[ELEMENT_UNKNOWNS], l;
    read_segment(c, e, in, &g);
    clear(gradient, e->count);
    if (cord__arc_is_closed(c, e, in->cache)) {
        double difference =
            cable_coordinates(in->cache, e->node + 1)[0] - cable_coordinates(in->cache, e->node)[0];
        l = fabs(difference);
        gradient[e->local[0].coordinates] = difference > 0 ? -1 : 1;
        gradient[e->local[1].coordinates] = difference > 0 ? 1 : -1;
        cord__arc_terms(c, e, in, out);
    } else {
        l = cord__quadrature_terms(c, e, in, gradient, out);
    }
    double pull = cord__stretch(c, e, in, &g, l, gradient, out);
    if (in->rows_only) return;
    if (c->def.material.bending > 0) on->ops->bending(c, e, in, out);
    if (in->matrix && on->ops->length_stiffness)
        on->ops->length_stiffness(c, e, in, l, in->c_k * pull, out);
}
