/* Segments along paths: how far they turn, and their bending. A path is by its arc length, so that lengths are
 * differences of coordinates. */
#include "math/vec3.h"
#include "strand/cable/terms.h"

#include <math.h>

/* Panels of a quadrature that sees every span. */
static int spans_between(const cable_guide *g, double from, double to)
{
    return 1 + (int)(2 * g->path->spans * fabs(to - from) / g->path->length);
}

static bool is_held(const cable *c, const cable_element *e)
{
    const cable_node *n = c->node + e->node;
    return e->kind == ELEMENT_CURVED && c->guide[n->guide].kind == CORD_GUIDE_PATH &&
           n->count + n[1].count == 0;
}

bool cord__path_tables(cable *c, memory *m)
{
    int count = 0;
    for (int i = 0; i + 1 < c->nodes; i++) { /* segments come first */
        cable_element *e = c->element + i;
        const cable_node *n = c->node + i;
        if (!is_held(c, e)) continue;
        e->points = 4 * spans_between(c->guide + n->guide, n->at[0], n[1].at[0]);
        e->table = count;
        count += e->points;
    }
    c->table = cord__allocate(m, (size_t)count, sizeof *c->table);
    if (!c->table) return false;
    for (int i = 0; i + 1 < c->nodes; i++) {
        const cable_element *e = c->element + i;
        const cable_node *n = c->node + i;
        for (int k = 0; k < e->points; k++) {
            double alpha = (k / 4 + cord__gauss[k % 4][0]) / (e->points / 4), third[3];
            double *to = c->table[e->table + k];
            cord__path_at(c->guide[n->guide].path, (1 - alpha) * n->at[0] + alpha * n[1].at[0], to,
                          to + 3, to + 6, third);
        }
    }
    return true;
}

double cord__path_turning(const cable_guide *g, double from, double to)
{
    int panels = spans_between(g, from, to);
    double sum = 0, x[3], tangent[3], bend[3], third[3];
    for (int i = 0; i < 4 * panels; i++) {
        double alpha = (i / 4 + cord__gauss[i % 4][0]) / panels;
        cord__path_at(g->path, from + alpha * (to - from), x, tangent, bend, third);
        sum += cord__gauss[i % 4][1] / panels * v3_norm(bend);
    }
    return sum * fabs(to - from);
}

/* What does not move on its path. */
static double held_square(const cable *c, const cable_element *e)
{
    double sum = 0;
    for (int k = 0; k < e->points; k++) {
        const double *bend = c->table[e->table + k] + 6;
        sum += cord__gauss[k % 4][1] / (e->points / 4) * v3_dot(bend, bend);
    }
    return sum;
}

/* E = ½ EI Δs ∫ κ² dα: over the coordinate of an end EI Δs ∫ part · κ κ' dα. */
void cord__path_bending(const cable *c, const cable_element *e, const element_input *in,
                        element_terms *out)
{
    const cable_guide *on = c->guide + c->node[e->node].guide;
    double from = cable_coordinates(in->cache, e->node)[0];
    double to = cable_coordinates(in->cache, e->node + 1)[0];
    double ds = cable_s(in->cache, e->node + 1) - cable_s(in->cache, e->node), square = 0;
    int panels = e->points > 0 ? 0 : cord__panels(on, &from, &to);
    if (e->points > 0) square = held_square(c, e);
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
