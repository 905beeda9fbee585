/* The terms of segments along a guide: on circles in closed form (cable_arc.c), on others by quadrature
 * (cable_quadrature.c); and what bending, and the pull along them, add to either. */
#include "strand/cable/terms.h"

#include <math.h>

/* Bending along a segment that its guide bends: κ²/2 per length; and its derivatives over the differences
 * of the coordinates. */
static double guide_curvature(const cable_guide *g, const double *from, const double *to,
                              double slope[2])
{
    slope[0] = slope[1] = 0;
    if (g->kind == CORD_GUIDE_LINE) return 0;
    if (g->kind != CORD_GUIDE_CYLINDER) return 1 / g->radius;
    double u = to[0] - from[0], w = to[1] - from[1], l2 = u * u + w * w;
    slope[0] = 2 * u * w * w / (g->radius * l2 * l2);
    slope[1] = -2 * u * u * w / (g->radius * l2 * l2);
    return u * u / (g->radius * l2);
}

static void curve_bending(const cable *c, const cable_element *e, const element_input *in,
                          const segment *g, element_terms *out)
{
    const cable_node *n[2] = {c->node + e->node, c->node + e->node + 1};
    double slope[2], B[4];
    if (c->guide[n[0]->guide].kind == CORD_GUIDE_PATH) {
        cord__path_bending(c, e, in, out);
        return;
    }
    double k = guide_curvature(c->guide + n[0]->guide, cable_coordinates(in->cache, e->node),
                               cable_coordinates(in->cache, e->node + 1), slope);
    out->bending = 0.5 * c->of.bending * k * k * g->ds;
    add_scalar(out, g->s_local[0], -0.5 * c->of.bending * k * k);
    add_scalar(out, g->s_local[1], 0.5 * c->of.bending * k * k);
    if (n[0]->size < 2) return;
    int local[4];
    for (int i = 0; i < 4; i++) {
        local[i] = n[i / 2]->count > 0 ? e->local[i / 2].place + i % 2 : -1;
        B[i] = (i < 2 ? -1 : 1) * slope[i % 2];
        add_scalar(out, local[i], c->of.bending * k * g->ds * B[i]);
    }
    for (int i = 0; in->matrix && i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (local[j] >= 0 && local[i] >= local[j])
                out->a[local[i]][local[j]] += in->c_k * c->of.bending * g->ds * B[i] * B[j];
}

/* Second derivatives of a helix' length, times what pulls along it. */
static void helix_stiffness(const cable_element *e, const element_input *in, double l, double pull,
                            element_terms *out)
{
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    double across[2] = {-(to[1] - from[1]) / l, (to[0] - from[0]) / l};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int row = e->local[i / 2].place + i % 2, column = e->local[j / 2].place + j % 2;
            double sign = i / 2 == j / 2 ? 1 : -1;
            bool held = e->local[i / 2].place < 0 || e->local[j / 2].place < 0;
            if (!held && row >= column)
                out->a[row][column] += sign * pull / l * across[i % 2] * across[j % 2];
        }
}

void cord__curved_terms(const cable *c, const cable_element *e, const element_input *in,
                        element_terms *out)
{
    segment g;
    const cable_guide *on = c->guide + c->node[e->node].guide;
    double slope[ELEMENT_UNKNOWNS], l;
    read_segment(c, e, in, &g);
    clear(slope, e->count);
    if (cord__arc_is_closed(c, e, in->cache)) {
        double way =
            cable_coordinates(in->cache, e->node + 1)[0] - cable_coordinates(in->cache, e->node)[0];
        l = fabs(way);
        slope[e->local[0].place] = way > 0 ? -1 : 1;
        slope[e->local[1].place] = way > 0 ? 1 : -1;
        cord__arc_terms(c, e, in, out);
    } else {
        l = cord__quadrature_terms(c, e, in, slope, out);
    }
    double pull = cord__stretch(c, e, in, &g, l, slope, out);
    if (in->rows_only) return;
    if (c->of.bending > 0) curve_bending(c, e, in, &g, out);
    if (in->matrix && on->kind == CORD_GUIDE_CYLINDER)
        helix_stiffness(e, in, l, in->c_k * pull, out);
    if (in->matrix && (on->kind == CORD_GUIDE_SURFACE || on->kind == CORD_GUIDE_SPHERE))
        cord__surface_stiffness(c, e, in, in->c_k * pull, out);
}
