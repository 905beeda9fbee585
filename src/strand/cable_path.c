/* Segments along paths: how far they turn, and their bending. A path is by its arc length, so that lengths are
 * differences of coordinates. */
#include "math/vec3.h"
#include "strand/cable_terms.h"

#include <math.h>

double cord__path_turning(const cable_guide *g, double from, double to)
{
    int panels = cord__panels(g, &from, &to);
    double sum = 0, x[3], tangent[3], bend[3], third[3];
    for (int i = 0; i < 4 * panels; i++) {
        double alpha = (i / 4 + cord__gauss[i % 4][0]) / panels;
        cord__path_at(g->path, from + alpha * (to - from), x, tangent, bend, third);
        sum += cord__gauss[i % 4][1] / panels * v3_norm(bend);
    }
    return sum * fabs(to - from);
}

/* E = ½ EI Δs ∫ κ² dα: over the coordinate of an end EI Δs ∫ part · κ κ' dα. */
void cord__path_bending(const cable *c, const cable_element *e, const element_input *in,
                        element_terms *out)
{
    const cable_guide *on = c->guide + c->node[e->node].guide;
    double from = cable_coordinates(in->cache, e->node)[0];
    double to = cable_coordinates(in->cache, e->node + 1)[0];
    double ds = cable_s(in->cache, e->node + 1) - cable_s(in->cache, e->node), square = 0;
    int panels = cord__panels(on, &from, &to);
    for (int i = 0; i < 4 * panels; i++) {
        double alpha = (i / 4 + cord__gauss[i % 4][0]) / panels, part[2] = {1 - alpha, alpha};
        double weight = cord__gauss[i % 4][1] / panels, x[3], tangent[3], bend[3], third[3];
        cord__path_at(on->path, (1 - alpha) * from + alpha * to, x, tangent, bend, third);
        double stiff = c->of.bending * ds * weight, slope = v3_dot(bend, third);
        double k2 = v3_dot(bend, bend), steep = k2 > 0 ? slope * slope / k2 : 0;
        square += weight * k2;
        for (int k = 0; k < 2; k++) {
            int local = e->local[k].place;
            if (local < 0) continue;
            out->r[local] += stiff * part[k] * slope;
            for (int l = 0; in->matrix && l <= k; l++)
                if (e->local[l].place >= 0)
                    add_entry(out, local, e->local[l].place,
                              in->c_k * stiff * part[k] * part[l] * steep);
        }
    }
    double line = 0.5 * c->of.bending * square;
    out->bending = line * ds;
    add_scalar(out, e->local[0].s, -line);
    add_scalar(out, e->local[1].s, line);
}
